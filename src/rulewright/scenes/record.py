"""The append-only record of a game: every answer, with undo and redo as entries of their own.

On disk it is JSON lines. Every line begins with a checksum over itself and all lines before it, which reveals the first entry that was cut
off or changed by hand.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import House, SettingValue
from rulewright.version import __version__

FORMAT = 1
MOST_BYTES = 64 << 20
"""The largest record that is read."""
FIGHT = "fight"
"""The default kind of scene."""


class Entry(Struct, frozen=True, tag_field="kind"):
    """One entry of the record. Entries are never changed or removed."""

    by: str


class Begun(Entry, frozen=True, tag="begin"):
    """A scene begins, with its rules and a snapshot of its state."""

    name: str
    system: str
    ruleset: str
    state: Any
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}
    version: str = __version__
    format: int = FORMAT
    scene: str = FIGHT
    """The game's kind of scene."""


class Answered(Entry, frozen=True, tag="answer"):
    """A person answered: the mark of the question, the answer, and its place if several questions were open."""

    question: str
    given: int | str | tuple[int, ...]
    at: int = 0


class Overruled(Entry, frozen=True, tag="overrule"):
    """The gamemaster edited the state between two steps."""

    changes: tuple[tuple[str, Any], ...]
    why: str = ""


class Undone(Entry, frozen=True, tag="undo"):
    """All entries from `to` on are undone; they stay visible."""

    to: int


class Redone(Entry, frozen=True, tag="redo"):
    """The last undo is redone."""


AnyEntry = Begun | Answered | Overruled | Undone | Redone


_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(AnyEntry, strict=True).decode


def _check_of(before: str, line: bytes) -> str:
    from hashlib import blake2b

    return blake2b(before.encode() + line, digest_size=6).hexdigest()


class RecordFile:
    """A record file in JSON lines, written and synced to disk entry by entry."""

    def __init__(self, path: Path, *, new: bool = True) -> None:
        self.path = path
        self._check, terminated = ("", True) if new else _last_check(path)
        try:
            self._file = path.open("xb" if new else "ab")
            if not terminated:
                self._file.write(b"\n")
        except FileExistsError:
            raise UserError(f"{path}: the file exists already; records are never overwritten, so choose another name") from None
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror})") from None

    def __call__(self, entry: AnyEntry) -> None:
        line = _encode(entry)
        self._check = _check_of(self._check, line)
        self._file.write(self._check.encode() + b" " + line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _last_check(path: Path) -> tuple[str, bool]:
    """The checksum of the last line, and whether the line is terminated."""
    *_, (check, _) = _lines(path)
    return check, path.read_bytes().endswith(b"\n")


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UserError(f"{path}: this is a folder, not a record")
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: this is not a regular file, so it cannot be a record")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UserError(f"{str(path)[:400]}: cannot be read ({error.strerror})") from None
    if len(content) > MOST_BYTES:
        raise UserError(f"{path}: the record is too large; at most {MOST_BYTES >> 20} MiB can be read")
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
                    f"{path}:{number}: the record is cut off in the middle of entry {number}; the {number - 1} before it are intact"
                )
            raise UserError(f"{path}:{number}: entry {number} is damaged: the file was changed by hand or is not a record")
        yield before, entry


_LINE = re.compile(rb"[0-9a-f]{0,12}|[0-9a-f]{12} (\{.*)?")


def _begins_like_a_line(line: bytes) -> bool:
    return _LINE.fullmatch(line) is not None


def read_record(path: Path) -> "list[AnyEntry]":
    """Reads a record from disk; raises an error that names the first entry that was cut off or changed."""
    entries: list[AnyEntry] = []
    for number, (_, line) in enumerate(_lines(path), 1):
        if number == 1:
            _refuse_newer(path, line)
        try:
            entries.append(_decode(line))
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise UserError(f"{path}:{number}: entry {number} cannot be read: {error}") from None
    if not isinstance(entries[0], Begun):
        raise UserError(f"{path}:1: entry 1 must begin a scene")
    return entries


class _Format(Struct, frozen=True):
    format: int = FORMAT
    version: str = "a later version"


def _refuse_newer(path: Path, line: bytes) -> None:
    """Raises an error if a later version wrote the record."""
    try:
        head = msgspec.json.decode(line, type=_Format)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UserError(f"{path}:1: entry 1 cannot be read: {error}") from None
    if head.format > FORMAT:
        raise UserError(
            f"{path}:1: entry 1 has format {head.format}, which this version cannot read; use Rulewright {head.version} or later"
        )


def house_of(begun: Begun) -> House:
    """The settings and changed tables of a record."""
    return House(begun.settings, begun.tables)
