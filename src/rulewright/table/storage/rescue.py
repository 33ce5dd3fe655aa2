"""Recovers every readable table from a damaged SQLite file and its continuous copy, and names the others.

A table with a lost line is left out, because a log that ends early would look complete. The damaged file is not changed.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.table.log.lines import check_of, digest
from rulewright.table.storage.columns import ADVENTURES, KEYS, LINES, LINKS, PICTURES, SEATS, TABLES, VISITS
from rulewright.table.storage.continuous_copy import Copied, longest_log, read_copy, read_keys
from rulewright.table.storage.schema import known_revisions
from rulewright.table.storage.store import Store

MOST_ROWS = 20_000_000
Row = tuple[Any, ...]


def sound(file: Path) -> bool:
    """Whether SQLite's integrity check finds no error in a file."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)])
    except (sqlite3.Error, UnicodeError):  # a message of the check may quote damaged text
        return False


def rescue(damaged: Path, fresh: Path, copy: Path | None = None) -> tuple[str, ...]:
    """Writes every completely readable table to a new database; returns messages about everything that was lost.

    `copy` is the folder of the continuous copy. Lines that one of the two has lost are taken from the other.
    """
    Store(f"sqlite:///{fresh}").close()
    with closing(sqlite3.connect(damaged)) as old, closing(sqlite3.connect(fresh)) as new:
        old.text_factory = lambda data: data.decode("utf-8", "replace")  # damaged text fails its checksum, and stops nothing else
        _check_schema(old)
        remains = _Remains(old)
        for copied in read_copy(copy) if copy is not None else ():
            remains.add(copied)
        keys = remains.keys or (read_keys(copy) if copy is not None else [])
        complete = remains.complete()
        _write(new, TABLES, (remains.table_row(table_id) for table_id in complete))
        _write(new, LINES, (row for rows in remains.logs.values() for row in rows if row[0] in complete))
        _write(new, LINKS, (row for row in remains.links if row[0] in complete))
        _write(new, SEATS, (row for row in remains.seats if row[1] in complete))
        _write(new, PICTURES, (row for row in remains.pictures if row[0] in complete and _is_intact(row)))
        _write(new, VISITS, _rows(old, VISITS).values())
        _write(new, ADVENTURES, _rows(old, ADVENTURES).values())
        _write(new, KEYS, keys)
        new.commit()
    messages = [f"table {table_id}: cannot be read from line {seq} on" for table_id, seq in sorted(remains.lost.items())]
    messages += remains.messages
    if remains.unknown:
        messages.append(f"{count(remains.unknown, 'line')} of unknown tables cannot be read")
    if not keys:
        messages.append("the server's key cannot be read: all members have to sign in again with a link")
    return tuple(messages)


class _Remains:
    """Everything readable of a damaged database, completed from its continuous copy."""

    def __init__(self, old: sqlite3.Connection) -> None:
        lines = _rows(old, LINES)
        self.lost, self.unknown = _lost(old, lines)
        self.verified = set(_verified(old, lines))
        for table_id in self.verified:
            self.lost.pop(table_id, None)  # whatever the index says: every line is there
        self.messages: list[str] = []
        self.logs: dict[str, list[Row]] = {}
        for row in lines.values():
            if isinstance(row[0], str):
                self.logs.setdefault(row[0], []).append(row)
        self.tables = {row[0]: row for row in _rows(old, TABLES).values()}
        self.keys, self.links, self.seats, self.pictures = (list(_rows(old, table).values()) for table in (KEYS, LINKS, SEATS, PICTURES))

    def complete(self) -> set[str]:
        """The tables without a lost line."""
        return set(self.logs) - set(self.lost)

    def add(self, copied: Copied) -> None:
        """Completes a table from its copy: with the longest log that the lines of both form."""
        table_id = copied.id
        wanted, anchor = self.tables[table_id][3:5] if table_id in self.tables else (0, "")
        log = longest_log([*self.logs.get(table_id, []), *copied.lines])
        last = max(wanted or 0, copied.lines[-1][1] if copied.lines else 0)
        verified = table_id in self.verified
        if verified and not any(row[7] == anchor for row in log):
            return  # the database was restored, and the copy still has what was before
        if verified or len(log) >= last:
            self.logs[table_id] = log
            self.lost.pop(table_id, None)
            if len(log) < last:
                self.messages.append(f"table {table_id}: lines {len(log) + 1} to {last} are lost; the table ends before them")
        else:
            self.logs.setdefault(table_id, log)
            self.lost[table_id] = len(log) + 1
        row = self.tables.get(table_id) or copied.table
        if row is not None:
            self.tables[table_id] = (*row[:3], *((log[-1][1], log[-1][7]) if log else (0, "")))
        # Of two rows with the same key the first one counts, which is the one of the database.
        self.links += copied.links
        self.seats += copied.seats
        self.pictures += copied.pictures

    def table_row(self, table_id: str) -> Row:
        """The row of a table; if it is lost, its first line contains the game and the time."""
        return self.tables.get(table_id) or _restored_row(table_id, self.logs[table_id])


def _check_schema(old: sqlite3.Connection) -> None:
    """Raises an error if the file has a schema that this version does not know. An unreadable schema is accepted."""
    with suppress(sqlite3.Error, UnicodeError):
        for (revision,) in old.execute("SELECT version_num FROM alembic_version"):
            if revision not in known_revisions():
                raise UserError(
                    f"the database is damaged, and its schema {revision} is unknown; use the version of Rulewright that wrote it"
                )


def _rows(old: sqlite3.Connection, table: sa.Table) -> dict[int, Row]:
    """All readable rows by row id. Each is fetched alone, so that a damaged page loses no other row."""
    places: set[int] = set()
    index = f"sqlite_autoindex_{table.name}_1"
    for plan in ("NOT INDEXED ORDER BY rowid {}", f"INDEXED BY {index} ORDER BY {_key(table)} {{}}"):
        for order in ("ASC", "DESC"):
            places.update(place for (place,) in _readable_rows(old, f"SELECT rowid FROM {table.name} {plan.format(order)}"))
    ids = [table_id for (table_id,) in _readable_rows(old, "SELECT id FROM tables")] if table is LINES else []
    for table_id in ids:
        places.update(place for (place,) in _readable_rows(old, "SELECT rowid FROM lines WHERE table_id = ?", table_id))
    last = max((place for place in places if place < MOST_ROWS), default=0)
    existing = {name for _, name, *_ in _readable_rows(old, f"PRAGMA table_info({table.name})")}
    columns = ", ".join(f'"{column.name}"' if column.name in existing else _DEFAULTS.get(column.name, "NULL") for column in table.columns)
    row_by_id = {}
    for place in sorted(places | set(range(1, last + 1))):
        with suppress(sqlite3.Error, UnicodeError):
            row = old.execute(f"SELECT {columns} FROM {table.name} WHERE rowid = ?", (place,)).fetchone()
            if row is not None:
                row_by_id[place] = row
    return row_by_id


_DEFAULTS = {"seen": "0", "about": "''", "last": "0", "anchor": "''"}
"""Values for columns that an earlier version did not have."""


def _key(table: sa.Table) -> str:
    """The first column of a table's primary key, by which its index is sorted."""
    return str(next(iter(table.primary_key.columns)).name)


def _readable_rows(old: sqlite3.Connection, query: str, *given: Any) -> Iterator[Row]:
    """The rows of a query up to the first unreadable one."""
    with suppress(sqlite3.Error, UnicodeError):  # messages of SQLite quote damaged text
        yield from old.execute(query, given)


def _lost(old: sqlite3.Connection, lines: dict[int, Row]) -> tuple[dict[str, int], int]:
    """The tables with a missing line according to the index, with the first such line; and the number of lines of unknown tables."""
    lost: dict[str, int] = {}
    unknown = 0
    known = {row[0] for row in lines.values()}
    known |= {table_id for (table_id,) in _readable_rows(old, "SELECT id FROM tables")}
    entries = {
        (table_id, seq, place)
        for order in ("ASC", "DESC")
        for table_id, seq, place in _readable_rows(
            old, f"SELECT table_id, seq, rowid FROM lines INDEXED BY sqlite_autoindex_lines_1 ORDER BY table_id {order}, seq {order}"
        )
    }
    for table_id, seq, place in entries:
        if place in lines:
            continue
        if table_id in known:
            lost[table_id] = min(seq, lost.get(table_id, seq))
        else:
            unknown += 1
    return lost, unknown


def _verified(old: sqlite3.Connection, lines: dict[int, Row]) -> list[str]:
    """The tables whose lines are complete and unchanged, up to the last line that their anchor names.

    A line with a damaged row may still be readable through the index; such rows are put into `lines`.
    """
    result, columns = [], ", ".join(f'"{column.name}"' for column in LINES.columns)
    query = f"SELECT rowid, {columns} FROM lines INDEXED BY sqlite_autoindex_lines_1 WHERE table_id = ? ORDER BY seq"
    logs: dict[str, dict[int, Row]] = {}
    for place, row in lines.items():
        if isinstance(row[0], str):
            logs.setdefault(row[0], {})[place] = row
    for table_id, _, _, last, anchor in _rows(old, TABLES).values():
        if not anchor:
            continue
        for rows in (logs.get(table_id, {}), {row[0]: row[1:] for row in _readable_rows(old, query, table_id)}):
            if _fits(list(rows.values()), last, anchor):
                for place in logs.get(table_id, {}):
                    del lines[place]
                lines.update(rows)
                result.append(table_id)
                break
    return result


def _fits(rows: list[Row], last: int, anchor: str) -> bool:
    before = ""
    try:
        for place, (_, seq, at, who, _, version, body, mark) in enumerate(sorted(rows, key=lambda row: row[1]), 1):
            before = check_of(before, seq, at, who, version, body)
            if (seq, mark) != (place, before):
                return False
    except (TypeError, UnicodeError):
        return False
    return len(rows) >= last and before == anchor


def _is_intact(row: Row) -> bool:
    """Whether a picture's body matches its digest."""
    values = dict(zip((column.name for column in PICTURES.columns), row, strict=True))
    return isinstance(values["body"], bytes) and digest(values["body"]) == values["digest"]


def _restored_row(table_id: str, lines: list[Row]) -> Row:
    """The row of a table of which only lines are readable."""
    first = min(lines, key=lambda row: row[1] if isinstance(row[1], int) else 1 << 62)
    values = dict(zip((column.name for column in LINES.columns), first, strict=True))
    system = ""
    with suppress(msgspec.DecodeError, TypeError, AttributeError):
        system = str(msgspec.json.decode(values["body"]).get("system", ""))
    return (table_id, system, values["at"], 0, "")


def _write(new: sqlite3.Connection, table: sa.Table, rows: Any) -> None:
    """Inserts rows into the new database; of two with the same key the first one counts."""
    marks = ", ".join("?" for _ in table.columns)
    for row in rows:
        with suppress(sqlite3.IntegrityError):
            new.execute(f"INSERT OR IGNORE INTO {table.name} VALUES ({marks})", row)
