"""The append-only record of a game: who answered which question with what, with undo and redo as entries of their own.

On disk it is JSON lines. Every line begins with a check over itself and all lines before it, so that a record which was cut off
or changed by hand is told from a whole one, and at which entry.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulewright import __version__
from rulewright.errors import UserError
from rulewright.rules import House, SettingValue

FORMAT = 1
MOST_BYTES = 64 << 20
"""So much of a record is read at most."""
FIGHT = "fight"
"""The scene that every game with scenes has unless it says otherwise."""


class Entry(Struct, frozen=True, tag_field="kind"):
    """One line of the record. Nothing in it is ever changed or removed."""

    by: str


class Begun(Entry, frozen=True, tag="begin"):
    """A scene begins: the rules it is played by and a snapshot of its state."""

    name: str
    system: str
    ruleset: str
    state: Any
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}
    version: str = __version__
    format: int = FORMAT
    scene: str = FIGHT
    """Which of the game's scenes it is."""


class Answered(Entry, frozen=True, tag="answer"):
    """Somebody answered: the mark of the question, the answer, and its place where several were asked at once."""

    question: str
    given: int | str | tuple[int, ...]
    at: int = 0


class Overruled(Entry, frozen=True, tag="overrule"):
    """The gamemaster changed the state between two steps."""

    changes: tuple[tuple[str, Any], ...]
    why: str = ""


class Undone(Entry, frozen=True, tag="undo"):
    """Everything from entry `to` on counts as undone; it stays visible."""

    to: int


class Redone(Entry, frozen=True, tag="redo"):
    """The last undo is taken back."""


AnyEntry = Begun | Answered | Overruled | Undone | Redone


_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(AnyEntry, strict=True).decode


def _check_of(before: str, line: bytes) -> str:
    from hashlib import blake2b

    return blake2b(before.encode() + line, digest_size=6).hexdigest()


class RecordFile:
    """A record as JSON lines, appended and forced to disk entry by entry; every line carries a check over all lines before it."""

    def __init__(self, path: Path, *, new: bool = True) -> None:
        self.path = path
        self._check, whole = ("", True) if new else _last_check(path)
        try:
            self._file = path.open("xb" if new else "ab")
            if not whole:
                self._file.write(b"\n")
        except FileExistsError:
            raise UserError(f"{path}: a file of this name is there already; a record is never overwritten") from None
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror})") from None

    def __call__(self, entry: AnyEntry) -> None:
        line = _encode(entry)
        self._check = _check_of(self._check, line)
        self._file.write(self._check.encode() + b" " + line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let the file go."""
        self._file.close()


def _last_check(path: Path) -> tuple[str, bool]:
    """The check that the last line carries, and whether the line is ended."""
    *_, (check, _) = _lines(path)
    return check, path.read_bytes().endswith(b"\n")


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UserError(f"{path}: this is a folder, not a record")
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: this is not a regular file, and no record")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UserError(f"{str(path)[:400]}: cannot be read ({error.strerror})") from None
    if len(content) > MOST_BYTES:
        raise UserError(f"{path}: this is too large for a record: at most {MOST_BYTES >> 20} MiB can be read")
    return content


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    content = _content(path)
    if not content.strip():
        raise UserError(f"{path}: the record is empty")
    before = ""
    lines = content.removesuffix(b"\n").split(b"\n")
    for number, line in enumerate(lines, 1):
        check, _, entry = line.partition(b" ")
        before = _check_of(before, entry)
        if check.decode("ascii", "replace") != before:
            if number == len(lines) and not content.endswith(b"\n") and _begins_like_a_line(line):
                raise UserError(
                    f"{path}:{number}: the record is cut off in the middle of entry {number}; the {number - 1} before it are whole"
                )
            raise UserError(f"{path}:{number}: entry {number} is not as it was written: the file was changed by hand or is not a record")
        yield before, entry


_LINE = re.compile(rb"[0-9a-f]{0,12}|[0-9a-f]{12} (\{.*)?")


def _begins_like_a_line(line: bytes) -> bool:
    return _LINE.fullmatch(line) is not None


def read_record(path: Path) -> "list[AnyEntry]":
    """The entries of a record on disk; refuses one that was cut off or changed, and says at which entry."""
    entries: list[AnyEntry] = []
    for number, (_, line) in enumerate(_lines(path), 1):
        if number == 1:
            _refuse_newer(path, line)
        try:
            entries.append(_decode(line))
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise UserError(f"{path}:{number}: entry {number} cannot be read: {error}") from None
    if not isinstance(entries[0], Begun):
        raise UserError(f"{path}:1: entry 1 should begin a scene")
    return entries


class _Format(Struct, frozen=True):
    format: int = FORMAT
    version: str = "a later version"


def _refuse_newer(path: Path, line: bytes) -> None:
    """Before anything else is made of a record: may it say things that this version does not know?"""
    try:
        result = msgspec.json.decode(line, type=_Format)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UserError(f"{path}:1: entry 1 cannot be read: {error}") from None
    if result.format > FORMAT:
        raise UserError(
            f"{path}:1: entry 1 has format {result.format}, newer than this version reads; use Rulewright {result.version} or later"
        )


def house_of(begun: Begun) -> House:
    """The settings and changed tables that a record was played by."""
    return House(begun.settings, begun.tables)
