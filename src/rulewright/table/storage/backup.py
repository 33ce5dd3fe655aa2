"""Backups of a whole database while servers run on it, and bringing them back.

A backup is a SQLite file of the same shape, whatever database it was taken from: so it can be looked into with common tools, and moved
from SQLite to PostgreSQL and back.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from rulewright.errors import UserError
from rulewright.table.storage.columns import KEYS, LINES, LINKS, METADATA, PASSING, PICTURES, SEATS, TABLES, VISITS
from rulewright.table.storage.rescue import rescue, sound
from rulewright.table.storage.store import Store, default_url, understood

_ORDER = (TABLES, LINES, LINKS, SEATS, PICTURES, VISITS, KEYS)
_BATCH = 500
_OF_TABLES = (LINES, LINKS, SEATS, PICTURES)
"""What belongs to one table."""


class Kept(Struct, frozen=True):
    """What a backup holds, or what was brought back from one; and which tables are damaged, with the line at which each is."""

    file: str
    tables: int
    lines: int
    damaged: tuple[str, ...] = ()


def backup(store: Store, file: str | Path) -> Kept:
    """Everything in the database as it stands at one moment, in a new file; servers go on meanwhile. Damaged tables are in it and named."""
    if store.sqlite:
        return _kept(Path(file), lambda part: _copied(Path(store.url.database or ""), part))
    return _kept(Path(file), lambda part: _dumped(store, part))


def backup_of(url: str | None, file: str | Path) -> Kept:
    """A backup of the database at an address. Where it cannot be opened in its place, on a disk that can only be read or with a damaged
    beginning, a copy of its files is."""
    try:
        store = Store(url, must_exist=True)
    except UserError:
        source = understood(default_url() if url is None else url)
        if source.get_backend_name() != "sqlite" or not Path(source.database or "").is_file():
            raise
        return _kept(Path(file), lambda part: _copied_aside(Path(source.database or ""), part))
    try:
        return backup(store, file)
    finally:
        store.close()


def rescue_of(damaged: str | Path, file: str | Path) -> Kept:
    """Every table that can be read of a database file, in a new one; the file itself is not even opened for writing."""
    source = Path(damaged)
    if not source.is_file():
        raise UserError(f"{source}: there is no such file")
    with source.open("rb") as content:
        if content.read(16) != b"SQLite format 3\0":
            raise UserError(f"{source}: this is no database, or its very beginning is lost and nothing can be read")
    return _kept(Path(file), lambda part: _copied_bare(source, part))


def _copied_bare(source: Path, part: Path) -> None:
    """A copy of a file as it is, with what was written ahead of it where that can be taken in."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(source, copy)
        ahead = source.with_name(f"{source.name}-wal")
        if ahead.is_file():
            shutil.copyfile(ahead, copy.with_name("copy.db-wal"))
            with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(copy, part)


def _kept(path: Path, fill: Callable[[Path], None]) -> Kept:
    """A new backup that `fill` writes under another name; it gets its own when it was proved."""
    if path.exists():
        raise UserError(f"{path}: a file of this name is there already; a backup is never overwritten")
    if not path.parent.is_dir():
        raise UserError(f"{path}: cannot be written: there is no folder {path.parent}")
    lost: tuple[str, ...] = ()
    part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
    try:
        fill(part)
        if not sound(part):
            lost = _rescued(part, path)
        with _opened(part) as (copy, _):
            whole, damaged = _proved(copy, path)
        with part.open("rb") as content:
            os.fsync(content.fileno())
        part.rename(path)
    except (OSError, sqlite3.Error) as error:
        raise UserError(f"{path}: the backup cannot be written ({getattr(error, 'strerror', None) or error})") from None
    finally:
        part.unlink(missing_ok=True)
    return Kept(str(path), len(whole) + len(damaged), sum(whole.values()), (*lost, *damaged))


def _rescued(part: Path, path: Path) -> tuple[str, ...]:
    """Put what can be read of a damaged file in its place; what could not."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        fresh = Path(folder) / "fresh.db"
        lost = rescue(part, fresh)
        part.unlink()
        _copied(fresh, part)
    return tuple(f"{path}: {text}" for text in ("the file is damaged, and what can be read of it was brought out", *lost))


def _copied_aside(source: Path, part: Path) -> None:
    """A copy of a database that SQLite cannot open where it lies, by way of a copy of its files."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(source, copy)
        written_ahead = source.with_name(f"{source.name}-wal")
        if written_ahead.is_file():
            shutil.copyfile(written_ahead, copy.with_name("copy.db-wal"))
        _copied(copy, part)


def _copied(source: Path, part: Path) -> None:
    """SQLite's own online backup: pages are copied again where somebody writes meanwhile."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")


def _dumped(store: Store, part: Path) -> None:
    """All rows as one transaction sees them, which no other transaction disturbs."""
    target = Store(f"sqlite:///{part}")
    try:
        with (
            store.engine.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as reading,
            reading.begin(),
            target.engine.begin() as writing,
        ):
            for table in _ORDER:
                _poured(writing, table, reading.execution_options(yield_per=_BATCH).execute(sa.select(table)).mappings())
    finally:
        target.close()
    with closing(sqlite3.connect(part)) as new:
        new.execute("PRAGMA journal_mode=DELETE")


def _poured(connection: Connection, table: sa.Table, rows: Iterable[Any]) -> int:
    """Insert rows in batches; how many there were."""
    count, batch = 0, []
    for row in rows:
        batch.append(dict(row))
        count += 1
        if len(batch) == _BATCH:
            connection.execute(sa.insert(table), batch)
            batch = []
    if batch:
        connection.execute(sa.insert(table), batch)
    return count


def _proved(store: Store, path: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """Every line held against its check, before anybody relies on a backup: the whole tables with their lines, and what is damaged."""
    whole, damaged = {}, []
    for table_id in store.tables():
        try:
            whole[table_id] = len(store.lines(table_id))
        except UserError as error:
            damaged.append(f"{path}: {error}")
    return whole, tuple(damaged)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Store, tuple[str, ...]]]:
    """A backup as a database, brought to this version's shape in a copy, and what could not be read of it; the file itself stays as it
    is."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        copy = Path(folder) / "backup.db"
        try:
            shutil.copyfile(path, copy)
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error.strerror or error})") from None
        try:
            with closing(sqlite3.connect(copy)) as connection:
                names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        except sqlite3.DatabaseError:
            names = set()
        if not {"alembic_version", "lines"} <= names:
            raise UserError(f"{path}: this is no backup of Rulewright")
        lost = () if sound(copy) else _rescued(copy, path)
        store = Store(f"sqlite:///{copy}")
        try:
            yield store, lost
        finally:
            store.close()


def restore(store: Store, file: str | Path, *, replace: bool = False) -> Kept:
    """Bring tables back from a backup, in one piece, while servers run.

    Tables that are there already stay as they are, so that nothing newer is lost; with `replace` the database becomes what the backup is.
    Damaged tables stay out; where one is, nothing is replaced.
    """
    path = Path(file)
    with _opened(path) as (kept, lost):
        whole, damaged = _proved(kept, path)
        damaged = (*lost, *damaged)
        if replace and damaged:
            raise UserError(damaged[0])
        with kept.reading() as reading, store.engine.begin() as writing:
            if replace:
                for table in reversed(_ORDER):
                    writing.execute(sa.delete(table))
            there = set(writing.execute(sa.select(TABLES.c.id)).scalars())
            missing = [text for text in whole if text not in there]
            lines = sum(_restored(reading, writing, table_id) for table_id in missing)
            if not there:
                for table in (KEYS, VISITS):
                    writing.execute(sa.delete(table))
                    _poured(writing, table, reading.execute(sa.select(table)).mappings())
    return Kept(str(path), len(missing), lines, damaged)


def _restored(reading: Connection, writing: Connection, table_id: str) -> int:
    counts = {}
    for table, column in ((TABLES, TABLES.c.id), *((table, table.c.table_id) for table in _OF_TABLES)):
        counts[table.name] = _poured(writing, table, reading.execute(sa.select(table).where(column == table_id)).mappings())
    return counts["lines"]


assert {table.name for table in (*_ORDER, *PASSING)} == set(METADATA.tables), "a backup must hold every table of the database"
