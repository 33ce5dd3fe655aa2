"""Bringing out of a damaged SQLite file every table that can still be read, and naming those that cannot.

A table is left out as soon as one of its lines is lost: a log that ends early would look whole. The damaged file itself stays as it is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from rulewright.errors import UserError
from rulewright.table.log.lines import check_of, digest
from rulewright.table.storage.columns import KEYS, LINES, LINKS, PICTURES, SEATS, TABLES, VISITS
from rulewright.table.storage.schema import known_shapes
from rulewright.table.storage.store import Store

MOST_ROWS = 20_000_000
Row = tuple[Any, ...]


def sound(file: Path) -> bool:
    """Whether SQLite finds nothing wrong with a file."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)])
    except sqlite3.Error:
        return False


def rescue(damaged: Path, fresh: Path) -> tuple[str, ...]:
    """Write every table that can be read whole to a fresh database; what could not be brought out, in words."""
    Store(f"sqlite:///{fresh}").close()
    with closing(sqlite3.connect(damaged)) as old, closing(sqlite3.connect(fresh)) as new:
        _refuse_other_shape(old)
        lines = _rows(old, LINES)
        lost, unknown = _lost(old, lines)
        for table_id in _proved(old, lines):
            lost.pop(table_id, None)  # whatever the index says: every line is there
        whole = {row[0] for row in lines.values() if isinstance(row[0], str)} - set(lost)
        tables = {row[0]: row for row in _rows(old, TABLES).values() if row[0] in whole}
        for table_id in sorted(whole - set(tables)):
            tables[table_id] = _made_again(table_id, lines)
        keys = _rows(old, KEYS)
        _write(new, TABLES, tables.values())
        _write(new, LINES, (row for row in lines.values() if row[0] in whole))
        _write(new, LINKS, (row for row in _rows(old, LINKS).values() if row[0] in whole))
        _write(new, SEATS, (row for row in _rows(old, SEATS).values() if row[1] in whole))
        _write(new, PICTURES, (row for row in _rows(old, PICTURES).values() if row[0] in whole and _as_kept(row)))
        _write(new, VISITS, _rows(old, VISITS).values())
        _write(new, KEYS, keys.values())
        new.commit()
    names = [f"table {table_id}: cannot be read from line {seq} on" for table_id, seq in sorted(lost.items())]
    if unknown:
        names.append(f"{unknown} lines cannot be read, and it cannot be told of which tables")
    if not keys:
        names.append("the server's key cannot be read: everybody has to sit down again by a link")
    return tuple(names)


def _refuse_other_shape(old: sqlite3.Connection) -> None:
    """Rows can be taken over from a file of this version's shape or an earlier one; where that cannot be read, it is tried."""
    with suppress(sqlite3.Error):
        for (shape,) in old.execute("SELECT version_num FROM alembic_version"):
            if shape not in known_shapes():
                raise UserError(f"the database is damaged and has the shape {shape}; use the version of Rulewright that wrote it")


def _rows(old: sqlite3.Connection, table: sa.Table) -> dict[int, Row]:
    """All rows that can be read, by their place: each is fetched alone, so that a damaged page takes no other row with it."""
    places: set[int] = set()
    index = f"sqlite_autoindex_{table.name}_1"
    for way in ("NOT INDEXED ORDER BY rowid {}", f"INDEXED BY {index} ORDER BY {_key(table)} {{}}"):
        for order in ("ASC", "DESC"):
            places.update(place for (place,) in _as_far(old, f"SELECT rowid FROM {table.name} {way.format(order)}"))
    ids = [result for (result,) in _as_far(old, "SELECT id FROM tables")] if table is LINES else []
    for table_id in ids:
        places.update(place for (place,) in _as_far(old, "SELECT rowid FROM lines WHERE table_id = ?", table_id))
    last = max((place for place in places if place < MOST_ROWS), default=0)
    there = {name for _, name, *_ in _as_far(old, f"PRAGMA table_info({table.name})")}
    columns = ", ".join(f'"{column.name}"' if column.name in there else _INSTEAD.get(column.name, "NULL") for column in table.columns)
    result = {}
    for place in sorted(places | set(range(1, last + 1))):
        with suppress(sqlite3.Error):
            row = old.execute(f"SELECT {columns} FROM {table.name} WHERE rowid = ?", (place,)).fetchone()
            if row is not None:
                result[place] = row
    return result


_INSTEAD = {"seen": "0", "about": "''", "last": "0", "anchor": "''"}
"""What stands in columns that an earlier version did not have."""


def _key(table: sa.Table) -> str:
    """The first column of a table's primary key, by which its index is in order."""
    return str(next(iter(table.primary_key.columns)).name)


def _as_far(old: sqlite3.Connection, query: str, *given: Any) -> Iterator[Row]:
    """The rows of a query up to the first that cannot be read."""
    with suppress(sqlite3.Error):
        yield from old.execute(query, given)


def _lost(old: sqlite3.Connection, lines: dict[int, Row]) -> tuple[dict[str, int], int]:
    """The tables of which the index knows a line that is not there, with the first such line; and how many lines nobody's are."""
    lost: dict[str, int] = {}
    unknown = 0
    known = {row[0] for row in lines.values()}
    known |= {table_id for (table_id,) in _as_far(old, "SELECT id FROM tables")}
    entries = {
        (table_id, seq, place)
        for order in ("ASC", "DESC")
        for table_id, seq, place in _as_far(
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


def _proved(old: sqlite3.Connection, lines: dict[int, Row]) -> list[str]:
    """The tables whose lines are all there, each as it was written, up to the last that their anchor names.

    A line whose own row is spoilt may still be whole by way of the index, which holds a part of it; such rows are put into `lines`.
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
        for rows in (logs.get(table_id, {}), {row[0]: row[1:] for row in _as_far(old, query, table_id)}):
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


def _as_kept(row: Row) -> bool:
    """Whether the body of a picture is the one that its digest is of."""
    by_name = dict(zip((column.name for column in PICTURES.columns), row, strict=True))
    return isinstance(by_name["body"], bytes) and digest(by_name["body"]) == by_name["digest"]


def _made_again(table_id: str, lines: dict[int, Row]) -> Row:
    """The row of a table of which only the lines could be read: its first line says which game it plays, and since when."""
    first = min((row for row in lines.values() if row[0] == table_id), key=lambda row: row[1] if isinstance(row[1], int) else 1 << 62)
    by_name = dict(zip((column.name for column in LINES.columns), first, strict=True))
    system = ""
    with suppress(msgspec.DecodeError, TypeError, AttributeError):
        system = str(msgspec.json.decode(by_name["body"]).get("system", ""))
    return (table_id, system, by_name["at"], 0, "")


def _write(new: sqlite3.Connection, table: sa.Table, rows: Any) -> None:
    """Put rows into the fresh database; of two with one key the first stays."""
    marks = ", ".join("?" for _ in table.columns)
    for row in rows:
        with suppress(sqlite3.IntegrityError):
            new.execute(f"INSERT OR IGNORE INTO {table.name} VALUES ({marks})", row)
