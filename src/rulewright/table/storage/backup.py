"""Backs up a whole database while servers run on it, and restores it.

A backup is a SQLite file with the same schema, whatever database it is from. Common tools can read it, and it can move data between SQLite
and PostgreSQL.
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
from rulewright.table.storage.columns import ADVENTURES, KEYS, LINES, LINKS, METADATA, PASSING, PICTURES, SEATS, TABLES, VISITS, WEBHOOKS
from rulewright.table.storage.continuous_copy import ContinuousCopy, folder_of
from rulewright.table.storage.rescue import rescue, sound
from rulewright.table.storage.store import Store, default_url, understood

_ORDER = (TABLES, LINES, LINKS, SEATS, WEBHOOKS, PICTURES, VISITS, ADVENTURES, KEYS)
_BATCH = 500
_OF_TABLES = (LINES, LINKS, SEATS, WEBHOOKS, PICTURES)
"""The database tables whose rows belong to one game table."""


class Kept(Struct, frozen=True):
    """The content of a backup or restore, and messages about damaged tables."""

    file: str
    tables: int
    lines: int
    damaged: tuple[str, ...] = ()


def backup(store: Store, file: str | Path) -> Kept:
    """Writes a consistent copy of the database to a new file while servers run. Damaged tables are included and named."""
    if store.sqlite:
        return _write_backup(Path(file), lambda part: _copy_online(Path(store.url.database or ""), part))
    return _write_backup(Path(file), lambda part: _copy_rows(store, part))


def backup_of(url: str | None, file: str | Path) -> Kept:
    """A backup of the database at a URL.

    If it cannot be opened in place (read-only disk, damaged header), a copy of its files is used.
    """
    try:
        store = Store(url, must_exist=True)
    except UserError:
        source = understood(default_url() if url is None else url)
        if source.get_backend_name() != "sqlite" or not Path(source.database or "").is_file():
            raise
        return _write_backup(Path(file), lambda part: _copy_by_files(Path(source.database or ""), part))
    try:
        return backup(store, file)
    finally:
        store.close()


def rescue_of(damaged: str | Path, file: str | Path) -> Kept:
    """Writes every readable table of a database file and its continuous copy to a new file; neither is opened for writing."""
    source = Path(damaged)
    copy = folder_of(source)
    if not source.is_file() and not copy.is_dir():
        raise UserError(f"{source}: there is no such file, and no continuous copy {copy}")
    if source.is_file() and not copy.is_dir():
        with source.open("rb") as content:
            if content.read(16) != b"SQLite format 3\0":
                raise UserError(f"{source}: this is not a SQLite database, or its header is lost and there is no continuous copy {copy}")
    return _write_backup(Path(file), lambda part: _copy_as_is(source, part), copy)


def _copy_as_is(source: Path, part: Path) -> None:
    """Copies a file as it is, with its write-ahead log if that can be applied."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        copy = Path(folder) / "copy.db"
        if source.is_file():
            shutil.copyfile(source, copy)
        else:
            copy.touch()
        write_ahead_log = source.with_name(f"{source.name}-wal")
        if write_ahead_log.is_file():
            shutil.copyfile(write_ahead_log, copy.with_name("copy.db-wal"))
            with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(copy, part)


def _write_backup(path: Path, fill: Callable[[Path], None], copy: Path | None = None) -> Kept:
    """Writes a new backup under a temporary name, verifies it, and renames it. Losses are completed from a continuous copy."""
    if path.exists():
        raise UserError(f"{path}: the file exists already; backups are never overwritten, so choose another name")
    if not path.parent.is_dir():
        raise UserError(f"{path}: cannot be written, because the folder {path.parent} does not exist")
    lost: tuple[str, ...] = ()
    part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
    try:
        fill(part)
        if not sound(part) or (copy is not None and copy.is_dir()):
            lost = _replace_by_rescued(part, path, copy)
        with _opened(part) as (written, _):
            intact, damaged = _verified(written, path)
        with part.open("rb") as content:
            os.fsync(content.fileno())
        part.rename(path)
    except (OSError, sqlite3.Error) as error:
        raise UserError(f"{path}: the backup cannot be written ({getattr(error, 'strerror', None) or error})") from None
    finally:
        part.unlink(missing_ok=True)
    return Kept(str(path), len(intact) + len(damaged), sum(intact.values()), (*lost, *damaged))


def _replace_by_rescued(part: Path, path: Path, copy: Path | None = None) -> tuple[str, ...]:
    """Replaces a damaged file by its readable part, completed from a continuous copy; returns messages about losses."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        fresh = Path(folder) / "fresh.db"
        damaged = () if sound(part) else ("the file is damaged; its readable part was recovered",)
        lost = rescue(part, fresh, copy)
        part.unlink()
        _copy_online(fresh, part)
    return tuple(f"{path}: {message}" for message in (*damaged, *lost))


def _copy_by_files(source: Path, part: Path) -> None:
    """Copies a database that SQLite cannot open in place, by way of a copy of its files."""
    with TemporaryDirectory(prefix="rulewright-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(source, copy)
        write_ahead_log = source.with_name(f"{source.name}-wal")
        if write_ahead_log.is_file():
            shutil.copyfile(write_ahead_log, copy.with_name("copy.db-wal"))
        _copy_online(copy, part)


def _copy_online(source: Path, part: Path) -> None:
    """SQLite's online backup; pages written meanwhile are copied again."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")


def _copy_rows(store: Store, part: Path) -> None:
    """Copies all rows in one repeatable-read transaction."""
    target = Store(f"sqlite:///{part}")
    try:
        with (
            store.engine.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as reading,
            reading.begin(),
            target.engine.begin() as writing,
        ):
            for table in _ORDER:
                _insert_rows(writing, table, reading.execution_options(yield_per=_BATCH).execute(sa.select(table)).mappings())
    finally:
        target.close()
    with closing(sqlite3.connect(part)) as new:
        new.execute("PRAGMA journal_mode=DELETE")


def _insert_rows(connection: Connection, table: sa.Table, rows: Iterable[Any]) -> int:
    """Inserts rows in batches; returns their number."""
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


def _verified(store: Store, path: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """Verifies the checksum of every line: the intact tables with their number of lines, and messages about damaged ones."""
    intact, damaged = {}, []
    for table_id in store.tables():
        try:
            intact[table_id] = len(store.lines(table_id))
        except UserError as error:
            damaged.append(f"{path}: {error}")
    return intact, tuple(damaged)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Store, tuple[str, ...]]]:
    """A backup as a database, upgraded in a temporary copy, and messages about unreadable parts; the file is not changed."""
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
            raise UserError(f"{path}: this is not a backup made by Rulewright")
        lost = () if sound(copy) else _replace_by_rescued(copy, path)
        store = Store(f"sqlite:///{copy}")
        try:
            yield store, lost
        finally:
            store.close()


def restore(store: Store, file: str | Path, *, replace: bool = False, to: int | None = None) -> Kept:
    """Restores tables from a backup in one transaction, while servers run.

    Existing tables are kept, so that nothing newer is lost; with `replace` the database becomes a copy of the backup. Damaged tables are
    left out; with `replace` they are an error. With `to`, a time in microseconds since 1970, tables are restored as they were then.
    """
    path = Path(file)
    with _opened(path) as (kept, lost):
        intact, damaged = _verified(kept, path)
        damaged = (*lost, *damaged)
        if replace and damaged:
            raise UserError(damaged[0])
        with kept.reading() as reading, store.engine.begin() as writing:
            if replace:
                for table in reversed(_ORDER):
                    writing.execute(sa.delete(table))
            existing = set(writing.execute(sa.select(TABLES.c.id)).scalars())
            last_lines = {table_id: _last_line(reading, table_id, to) for table_id in intact if table_id not in existing}
            missing = [table_id for table_id, last in last_lines.items() if last]
            lines = sum(_restore_table(reading, writing, table_id, last_lines[table_id]) for table_id in missing)
            if not existing:
                for table in (KEYS, VISITS, ADVENTURES):
                    writing.execute(sa.delete(table))
                    _insert_rows(writing, table, reading.execute(sa.select(table)).mappings())
        if replace and store.sqlite:
            ContinuousCopy(store.url.database or "").keep_only(missing)
    return Kept(str(path), len(missing), lines, damaged)


def _last_line(reading: Connection, table_id: str, to: int | None) -> int:
    """The number of the last line that a table had at a time; 0 if it was not there yet."""
    of_table = LINES.c.table_id == table_id
    after = None if to is None else reading.execute(sa.select(sa.func.min(LINES.c.seq)).where(of_table, LINES.c.at > to)).scalar()
    return int(reading.execute(sa.select(sa.func.max(LINES.c.seq)).where(of_table)).scalar() or 0) if after is None else int(after) - 1


def _restore_table(reading: Connection, writing: Connection, table_id: str, last: int) -> int:
    """Restores a table up to a line; returns the number of its lines."""
    wanted = [(TABLES, TABLES.c.id == table_id), (LINES, sa.and_(LINES.c.table_id == table_id, LINES.c.seq <= last))]
    wanted += [(table, table.c.table_id == table_id) for table in _OF_TABLES if table is not LINES]
    counts = {}
    for table, condition in wanted:
        counts[table.name] = _insert_rows(writing, table, reading.execute(sa.select(table).where(condition)).mappings())
    check = writing.execute(sa.select(LINES.c.mark).where(LINES.c.table_id == table_id, LINES.c.seq == last)).scalar()
    writing.execute(sa.update(TABLES).where(TABLES.c.id == table_id).values(last=last, anchor=check))
    return counts["lines"]


assert {table.name for table in (*_ORDER, *PASSING)} == set(METADATA.tables), "a backup must hold every table of the database"
