"""A continuous copy beside a SQLite database: one append-only text file per table, from which `rescue` restores a damaged database.

Every line of a log is appended here after it was committed and before it is acknowledged. The checksums of the log tell whether a copy is
complete. What another program changed in the database is copied at the next write to that table, or when a server starts.
"""

import logging
import os
import shutil
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from rulewright.table.log.lines import check_of
from rulewright.table.storage.columns import KEYS, LINES, LINKS, PICTURES, SEATS, TABLES

FORMAT = 1
MOST_ENDS = 10_000
"""Of how many tables the end of the file is remembered."""
TAIL_BYTES = 1 << 16
_log = logging.getLogger("rulewright")
Row = tuple[Any, ...]


class Head(Struct, frozen=True, tag="table", tag_field="is"):
    """The first record of a file."""

    id: str
    system: str
    made_at: int
    format: int = FORMAT


class CopiedLine(Struct, frozen=True, tag="line", tag_field="is"):
    """A line of the log."""

    seq: int
    at: int
    who: str
    key: str | None
    version: str
    check: str
    change: msgspec.Raw


class Access(Struct, frozen=True, tag="access", tag_field="is"):
    """All links and seats of a table at this moment; the last record of this kind counts."""

    links: list[tuple[str, str, str]]
    seats: list[tuple[str, str, int, int, str]]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Head | CopiedLine | Access).decode
_ACCESS_END = b'{"is":"access"'
_SAVED_KEYS = "server-keys.json"
_LINES = sa.select(LINES).where(LINES.c.table_id == sa.bindparam("table"), LINES.c.seq > sa.bindparam("after")).order_by(LINES.c.seq)


class Copied(Struct):
    """The readable content of one table's copy, as rows of the database; of two lines with one number the later one is last."""

    id: str
    table: Row | None = None
    lines: list[Row] = []
    links: list[Row] = []
    seats: list[Row] = []
    pictures: list[Row] = []


def folder_of(database: str | Path) -> Path:
    """The folder of the continuous copy of a SQLite database."""
    return Path(f"{database}-copy")


class ContinuousCopy:
    """Writes the copy. The caller holds the lock that orders the writes of this process."""

    def __init__(self, database: str | Path) -> None:
        self.folder = folder_of(database)
        self._ends: OrderedDict[str, tuple[int, str]] = OrderedDict()
        """Number and checksum of the last line in a file, by table."""

    def ends_at(self, table_id: str, seq: int, check: str) -> bool:
        """Whether this is the last line in the copy of a table."""
        return self._end(table_id) == (seq, check)

    def add(self, table_id: str, rows: Sequence[Mapping[str, Any]], after: str) -> bool:
        """Appends new lines after the one with checksum `after`; False if the copy does not end there."""
        if self._end(table_id)[1] != after or not after:
            return False
        return self._append(table_id, [_line(row) for row in rows])

    def follow(self, connection: Connection, table_id: str) -> None:
        """Appends everything that the database has and the copy does not; removes the copy of a deleted table."""
        head = connection.execute(sa.select(TABLES).where(TABLES.c.id == table_id)).first()
        if head is None:
            self.remove(table_id)
            return
        seq, check = self._end(table_id)
        same = LINES.c.table_id == table_id, LINES.c.seq == seq
        if seq and connection.execute(sa.select(LINES.c.mark).where(*same)).scalar() != check:
            seq = 0  # the database was restored: the copy begins again, and keeps what it had
        records: list[Struct] = [] if seq else [Head(head.id, head.system, head.made_at)]
        records += [_line(row) for row in connection.execute(_LINES, {"table": table_id, "after": seq}).mappings()]
        # After an incomplete record a new line begins.
        start = b"" if seq else b"\n"
        if self._append(table_id, [*records, _access(connection, table_id)], start):
            self._follow_pictures(connection, table_id)

    def behind(self, connection: Connection) -> list[str]:
        """The tables whose copy is missing or behind the database."""
        rows = connection.execute(sa.select(TABLES.c.id, TABLES.c.last, TABLES.c.anchor))
        return [row.id for row in rows if not row.anchor or self._end(row.id) != (row.last, row.anchor)]

    def save_keys(self, connection: Connection) -> None:
        """Copies the server's keys."""
        keys = {row.name: bytes(row.value).hex() for row in connection.execute(sa.select(KEYS))}
        self._attempt("the server's keys", lambda: self._save_keys(keys))

    def keep_only(self, table_ids: Iterable[str]) -> None:
        """Removes the copies of all other tables, after a database was replaced."""
        wanted = set(table_ids)
        for file in _files(self.folder):
            if file.stem not in wanted:
                self.remove(file.stem)

    def remove(self, table_id: str) -> None:
        """Removes the copy of a table."""
        self._ends.pop(table_id, None)
        file = self._file(table_id)
        shutil.rmtree(file.with_suffix(""), ignore_errors=True)
        file.unlink(missing_ok=True)

    # --- files

    def _file(self, table_id: str) -> Path:
        return self.folder / table_id[:2] / f"{table_id}.jsonl"

    def _end(self, table_id: str) -> tuple[int, str]:
        """Number and checksum of the last line in a copy; zero and nothing without one, or if its end is damaged."""
        end = self._ends.get(table_id)
        if end is None:
            end = self._ends[table_id] = _read_end(self._file(table_id))
            if len(self._ends) > MOST_ENDS:
                self._ends.popitem(last=False)
        self._ends.move_to_end(table_id)
        return end

    def _append(self, table_id: str, records: list[Any], start: bytes = b"") -> bool:
        """Appends records with a single write, so that two processes never mix theirs."""
        content = start + b"".join(_encode(record) + b"\n" for record in records)
        done = self._attempt(f"table {table_id}", lambda: self._write(self._file(table_id), content))
        last = next((record for record in reversed(records) if isinstance(record, CopiedLine)), None)
        if not done:
            self._ends.pop(table_id, None)
        elif last is not None:
            self._ends[table_id] = last.seq, last.check
        return done

    def _write(self, file: Path, content: bytes) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            descriptor = os.open(file, flags, 0o600)
        except FileNotFoundError:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            file.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(file, flags, 0o600)
        try:
            written = os.write(descriptor, content)
            while written < len(content):
                written += os.write(descriptor, content[written:])
        finally:
            os.close(descriptor)

    def _attempt(self, what: str, write: Any) -> bool:
        """Writes; a copy that cannot be written is reported and never refuses an act."""
        try:
            write()
        except OSError as error:
            _log.warning("%s: the continuous copy of %s cannot be written: %s", self.folder, what, error.strerror or error)
            return False
        return True

    def _save_keys(self, keys: dict[str, str]) -> None:
        file = self.folder / _SAVED_KEYS
        content = _encode(keys)
        if keys and (not file.is_file() or file.read_bytes() != content):
            self._replace(file, content)

    def _follow_pictures(self, connection: Connection, table_id: str) -> None:
        """Writes new pictures, each to a file of its own, and removes those that are gone."""
        folder = self._file(table_id).with_suffix("")
        query = sa.select(PICTURES.c.digest, PICTURES.c.who).where(PICTURES.c.table_id == table_id)
        wanted = {f"{row.digest}-{row.who}": row for row in connection.execute(query)}
        present = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
        for name in present - set(wanted):
            (folder / name).unlink(missing_ok=True)
        for name in set(wanted) - present:
            where = PICTURES.c.table_id == table_id, PICTURES.c.digest == wanted[name].digest, PICTURES.c.who == wanted[name].who
            row = dict(connection.execute(sa.select(PICTURES).where(*where)).mappings().one())
            content = _encode({key: value for key, value in row.items() if key != "body"}) + b"\n" + bytes(row["body"])
            self._attempt(f"a picture of table {table_id}", lambda content=content, name=name: self._replace(folder / name, content))

    def _replace(self, file: Path, content: bytes) -> None:
        """Writes a file that is either complete or not there."""
        part = file.with_suffix(".part")
        part.unlink(missing_ok=True)
        self._write(part, content)
        part.replace(file)


def _line(row: Any) -> CopiedLine:
    body = msgspec.Raw(bytes(row["body"]))
    return CopiedLine(row["seq"], row["at"], row["who"], row["key"], row["version"], row["mark"], body)


def _access(connection: Connection, table_id: str) -> Access:
    links = connection.execute(sa.select(LINKS).where(LINKS.c.table_id == table_id).order_by(LINKS.c.link))
    seats = connection.execute(sa.select(SEATS).where(SEATS.c.table_id == table_id).order_by(SEATS.c.device))
    return Access(
        [(row.link, row.hash, row.passphrase) for row in links],
        [(row.device, row.member, row.at, row.seen, row.about) for row in seats],
    )


def _read_end(file: Path) -> tuple[int, str]:
    """Number and checksum of the last line in a file; zero and nothing if its last record is incomplete or not readable."""
    try:
        with file.open("rb") as content:
            size = content.seek(0, os.SEEK_END)
            length = min(size, TAIL_BYTES)
            while True:
                content.seek(size - length)
                records = content.read(length).split(b"\n")
                if records[-1]:
                    return 0, ""
                # The first record may be cut off unless the whole file was read.
                for record in reversed(records[1 if length < size else 0 : -1]):
                    if not record.startswith(_ACCESS_END):
                        decoded = _decode(record)
                        return (decoded.seq, decoded.check) if isinstance(decoded, CopiedLine) else (0, "")
                if length == size:
                    return 0, ""
                length = min(size, length * 8)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return 0, ""


# --- reading


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.jsonl"))


def read_copy(folder: Path) -> Iterator[Copied]:
    """The readable content of every table's copy."""
    for file in _files(folder):
        copied = Copied(file.stem, lines=[], links=[], seats=[], pictures=[])
        with suppress(OSError):
            for record in file.read_bytes().split(b"\n"):
                with suppress(msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
                    _take(copied, _decode(record))
        copied.pictures = [row for picture in sorted(file.with_suffix("").glob("*")) if (row := _picture(picture, file.stem)) is not None]
        yield copied


def _take(copied: Copied, record: Head | CopiedLine | Access) -> None:
    table_id = copied.id
    if isinstance(record, CopiedLine):
        body = bytes(record.change)
        copied.lines.append((table_id, record.seq, record.at, record.who, record.key, record.version, body, record.check))
    elif isinstance(record, Head):
        copied.table = (table_id, record.system, record.made_at, 0, "")
    else:
        copied.links = [(table_id, *link) for link in record.links]
        copied.seats = [(device, table_id, *rest) for device, *rest in record.seats]


def _picture(file: Path, table_id: str) -> Row | None:
    with suppress(OSError, msgspec.DecodeError, ValueError, AttributeError):
        head, _, body = file.read_bytes().partition(b"\n")
        values = {**msgspec.json.decode(head), "table_id": table_id, "body": body}
        return tuple(values.get(column.name) for column in PICTURES.columns)
    return None


def read_keys(folder: Path) -> list[Row]:
    """The server's keys in a copy."""
    with suppress(OSError, msgspec.DecodeError, ValueError, AttributeError):
        return [(name, bytes.fromhex(value)) for name, value in msgspec.json.decode((folder / _SAVED_KEYS).read_bytes()).items()]
    return []


def longest_log(rows: Iterable[Row]) -> list[Row]:
    """The log that these rows of lines form, in order, as far as its checksums fit; of two continuations the later row counts."""
    by_number: dict[int, list[Row]] = {}
    for row in rows:
        if isinstance(row[1], int):
            by_number.setdefault(row[1], []).append(row)
    log: list[Row] = []
    before = ""
    while True:
        for row in reversed(by_number.get(len(log) + 1, [])):
            with suppress(TypeError, UnicodeError):
                _, seq, at, who, _, version, body, check = row
                if check_of(before, seq, at, who, version, body) == check:
                    break
        else:
            return log
        log.append(row)
        before = row[7]
