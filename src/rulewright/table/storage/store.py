"""The database (SQLite or PostgreSQL): lines of all tables, hashes of links, and seats of devices.

A line is inserted with the number after the last. Two writers of the same number collide at the primary key, and one fails; there is no
other lock. When `append` returns, the lines are on disk.
"""

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from rulewright.errors import UserError
from rulewright.table import limits
from rulewright.table.log.lines import Line, check_of, decode, encode
from rulewright.table.storage.columns import KEYS, LINES, LINKS, PICTURES, RATES, SEATS, TABLES, WEBHOOKS
from rulewright.table.storage.continuous_copy import ContinuousCopy

BUSY_SECONDS = 20
PIECE = 5_000
"""How many lines of a new table are written at once."""
UNFINISHED = 86_400_000_000
"""Microseconds after which an import that never ended is deleted."""
NOTIFY = "rulewright"
"""The PostgreSQL channel that notifies other server processes of new lines."""


# Queries of every request, built once.
_table = sa.bindparam("table", type_=sa.String)
_ROWS = sa.select(LINES).where(LINES.c.table_id == _table, LINES.c.seq >= sa.bindparam("first")).order_by(LINES.c.seq)
_MARK = sa.select(LINES.c.mark).where(LINES.c.table_id == _table, LINES.c.seq == sa.bindparam("seq"))
_DONE = sa.select(LINES.c.seq).where(LINES.c.table_id == _table, LINES.c.who == sa.bindparam("who"), LINES.c.key == sa.bindparam("key"))
_SEAT = sa.select(SEATS.c.member).where(SEATS.c.table_id == _table, SEATS.c.device == sa.bindparam("device"))
_ADD = sa.insert(LINES)
_ANCHOR = sa.select(TABLES.c.last, TABLES.c.anchor).where(TABLES.c.id == _table)
_SET_ANCHOR = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("table")).values(last=sa.bindparam("seq"), anchor=sa.bindparam("check"))


class Conflict(Exception):
    """Another writer came first: read the new lines and try again."""


class Again(Exception):
    """A request with this key was carried out already."""


class Link(Struct, frozen=True):
    """The stored part of a link."""

    hash: str
    passphrase: str = ""


class Device(Struct, frozen=True):
    """A device (hashed) with a seat, when it got it, and when it was last seen."""

    hash: str
    member: str
    at: int
    seen: int = 0
    about: str = ""


class Writing(Struct, frozen=True):
    """One transaction: lines, and their effects on links and seats."""

    lines: list[Line]
    links: Mapping[str, Link | None] = {}
    """New links by name; None deletes one."""
    sits: tuple[tuple[str, str], ...] = ()
    """Devices (hashed) and the members they become."""
    members_signed_out: tuple[str, ...] = ()
    """Members whose devices lose their seats."""
    keeps_device: str = ""
    """The device (hashed) that keeps its seat all the same."""
    devices_signed_out: tuple[str, ...] = ()
    """Devices (hashed) that lose their seat."""

    @property
    def changes_access(self) -> bool:
        """Whether it changes links or seats."""
        return bool(self.links or self.sits or self.members_signed_out or self.devices_signed_out)


def default_url() -> str:
    """The default database."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return f"sqlite:///{Path(home).expanduser() / 'rulewright' / 'tables.db'}"


def understood(url: str) -> URL:
    """Parses a database URL: sqlite:///file.db, postgresql://host/name, or just a file."""
    if not url.strip():
        raise UserError("the database URL is empty; use sqlite:///tables.db or postgresql://user@host/name, or leave it out")
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UserError("the database URL is invalid; use sqlite:///tables.db or postgresql://user@host/name") from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise UserError("SQLite needs a file; use sqlite:///tables.db")
        return parsed.set(drivername="sqlite", database=str(Path(parsed.database).expanduser()))
    if backend in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise UserError(f"unsupported database {backend}; use SQLite or PostgreSQL")


class Store:
    """The database of all tables."""

    def __init__(self, url: str | None = None, *, pool: int = 8, must_exist: bool = False, copied: bool = False) -> None:
        self.url = understood(default_url() if url is None else url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        if must_exist and self.sqlite and not Path(self.url.database or "").is_file():
            raise UserError(f"{self.url.database}: there is no such database")
        if self.sqlite:
            _check_location(Path(self.url.database or ""))
        self.engine = _engine(self.url, pool)
        self._serving: sqlite3.Connection | None = None
        self._turn: AbstractContextManager[Any] = threading.Lock() if self.sqlite else nullcontext()
        self.copy = ContinuousCopy(self.url.database or "") if copied and self.sqlite else None
        """The continuous copy beside a SQLite file."""
        from rulewright.table.storage.schema import upgrade

        try:
            upgrade(self.engine)
        except SQLAlchemyError as error:
            advice = "; `rulewright rescue` recovers what can be read" if outage(error) == DAMAGED else ""
            raise UserError(f"the database cannot be opened: {_in_words(error)}{advice}") from None

    def serve_alone(self) -> None:
        """Locks a SQLite database for this server. A second server would not hear of changes made by the first.

        The lock is on a file next to the database; the operating system releases it when a server dies.
        """
        if not self.sqlite:
            return
        lock = sqlite3.connect(f"{self.url.database}-server", timeout=0, check_same_thread=False)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if "locked" not in str(error):
                raise UserError(f"{self.url.database}-server: cannot be written ({error})") from None
            raise UserError(
                f"{self.url.database}: another server runs on this database; stop it first, or use PostgreSQL for several servers"
            ) from None
        self._serving = lock

    def close(self) -> None:
        """Closes the database."""
        self.engine.dispose()
        if self._serving is not None:
            self._serving.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading."""
        with self.engine.connect().execution_options(reads=True) as connection:
            yield connection

    @contextmanager
    def writing(self, *table_ids: str) -> Iterator[Connection]:
        """A connection in a transaction for writing; what it changes at these tables is copied afterwards.

        SQLite allows one writer at a time and makes others poll, so the threads of this process queue here instead.
        """
        with self._turn:
            with self.engine.begin() as connection:
                yield connection
            self._copy(*table_ids)

    def _copy(self, *table_ids: str) -> None:
        if self.copy is not None and table_ids:
            with self.reading() as connection:
                for table_id in table_ids:
                    self.copy.follow(connection, table_id)

    def complete_copy(self, table_id: str, last: Line) -> None:
        """Completes the continuous copy of a table that does not end with this line, because a server was killed between the two."""
        if self.copy is not None:
            with self._turn:
                if not self.copy.ends_at(table_id, last.seq, last.check):
                    self._copy(table_id)

    def copy_all(self) -> int:
        """Copies every table whose continuous copy is missing or behind; returns their number."""
        if self.copy is None:
            return 0
        with self._turn, self.reading() as connection:
            self.copy.save_keys(connection)
            behind = self.copy.behind(connection)
        for table_id in behind:
            with self._turn:
                self._copy(table_id)
        return len(behind)

    def value(self, query: Any, **given: Any) -> Any:
        """The single value of a query; None if there is none."""
        with self.reading() as connection:
            return connection.execute(query, given).scalar()

    def rows(self, query: Any, **given: Any) -> Sequence[Any]:
        """All rows of a query."""
        with self.reading() as connection:
            return connection.execute(query, given).all()

    # --- lines

    def create(self, table_id: str, system: str, writing: Writing, written: Callable[[float], None] = lambda share: None) -> None:
        """Creates a table with its first lines; `written` hears which share of them is stored.

        Many lines are written in pieces, so that others can write between them. Until the last piece the table is listed nowhere, because
        its time of creation is negative, and has no links.
        """
        *earlier, last = [writing.lines[start : start + PIECE] for start in range(0, len(writing.lines), PIECE)]
        made_at = now()
        try:
            for number, piece in enumerate(earlier):
                with self.writing(table_id) as connection:
                    if not number:
                        _delete_unfinished(connection, made_at - UNFINISHED)
                        connection.execute(sa.insert(TABLES).values(id=table_id, system=system, made_at=-made_at))
                    self._write(connection, table_id, Writing(piece))
                written((number + 1) / (len(earlier) + 1))
            with self.writing(table_id) as connection:
                if earlier:
                    connection.execute(sa.update(TABLES).where(TABLES.c.id == table_id).values(made_at=made_at))
                else:
                    connection.execute(sa.insert(TABLES).values(id=table_id, system=system, made_at=made_at))
                self._write(connection, table_id, replace(writing, lines=last))
        except BaseException:
            if earlier:
                self.delete(table_id)
            raise

    def append(self, table_id: str, writing: Writing, after: str) -> None:
        """Appends lines in one transaction after the line with checksum `after`.

        Raises Conflict if that is no longer the last line, and Again if the lines' key was used before.
        """
        before = {"table": table_id, "seq": writing.lines[0].seq - 1}
        try:
            with self._turn:
                with self.engine.begin() as connection:
                    if connection.execute(_MARK, before).scalar() != after:
                        raise Conflict
                    rows = self._write(connection, table_id, writing)
                if self.copy is not None and (writing.changes_access or not self.copy.add(table_id, rows, after)):
                    self._copy(table_id)
        except IntegrityError as error:
            key = writing.lines[0].key
            if key is not None and self.done(table_id, writing.lines[0].who, key) is not None:
                raise Again from None
            if self.last(table_id) >= writing.lines[0].seq:
                raise Conflict from None
            raise error

    def _write(self, connection: Connection, table_id: str, writing: Writing) -> list[dict[str, Any]]:
        """Writes lines and their effects; returns the rows of the lines."""
        rows: list[dict[str, Any]] = [
            {
                "table_id": table_id,
                "seq": line.seq,
                "at": line.at,
                "who": line.who,
                "key": line.key,
                "version": line.version,
                "body": encode(line.change),
                "mark": line.check,
            }
            for line in writing.lines
        ]
        if any(len(row["body"]) > limits.LINE_BYTES for row in rows):
            raise UserError(f"this change is too large; at most {limits.LINE_BYTES // 1000} kB are allowed")
        connection.execute(_ADD, rows)
        connection.execute(_SET_ANCHOR, {"table": table_id, "seq": writing.lines[-1].seq, "check": writing.lines[-1].check})
        for name, link in writing.links.items():
            connection.execute(sa.delete(LINKS).where(LINKS.c.table_id == table_id, LINKS.c.link == name))
            if link is not None:
                values = {"table_id": table_id, "link": name, "hash": link.hash, "passphrase": link.passphrase}
                connection.execute(sa.insert(LINKS).values(values))
        for member in writing.members_signed_out:
            condition = (SEATS.c.table_id == table_id, SEATS.c.member == member, SEATS.c.device != writing.keeps_device)
            connection.execute(sa.delete(SEATS).where(*condition))
        for device in writing.devices_signed_out:
            connection.execute(sa.delete(SEATS).where(SEATS.c.table_id == table_id, SEATS.c.device == device))
        for device, member in writing.sits:
            self._sit(connection, table_id, device, member)
        if not self.sqlite:
            connection.execute(sa.select(sa.func.pg_notify(NOTIFY, f"{table_id} {writing.lines[-1].seq}")))
        return rows

    def lines(self, table_id: str) -> list[Line]:
        """All lines of a table, verified; empty if there is no such table."""
        anchor = next(iter(self.rows(_ANCHOR, table=table_id)), None)
        lines = list(checked(self._rows(table_id, 1), table_id, 0, ""))
        if anchor is not None and anchor.anchor:
            if len(lines) < anchor.last:
                raise UserError(f"table {table_id}: lines {len(lines) + 1} to {anchor.last} are missing")
            if lines[anchor.last - 1].check != anchor.anchor:
                raise UserError(f"table {table_id}: line {anchor.last} was changed after it was written")
        return lines

    def lines_after(self, table_id: str, seq: int, check: str) -> list[Line] | None:
        """The lines after the one with this number and checksum; None if the database has no such line."""
        rows = self._rows(table_id, seq)
        if not rows or rows[0].seq != seq or rows[0].mark != check:
            return None
        return list(checked(rows[1:], table_id, seq, check))

    def _rows(self, table_id: str, first: int) -> Sequence[Any]:
        try:
            return self.rows(_ROWS, table=table_id, first=first)
        except DatabaseError as error:
            if outage(error) == DAMAGED:
                raise UserError(f"table {table_id}: its lines cannot be read: {DAMAGED}") from None
            raise

    def last(self, table_id: str) -> int:
        """The number of the last line; 0 if there is no such table."""
        return int(self.value(sa.select(sa.func.max(LINES.c.seq)).where(LINES.c.table_id == table_id)) or 0)

    def done(self, table_id: str, who: str, key: str) -> int | None:
        """The number of the line that a request with this key wrote; None if it was not carried out."""
        seq = self.value(_DONE, table=table_id, who=who, key=key)
        return None if seq is None else int(seq)

    # --- links and seats

    def link(self, table_id: str, name: str) -> Link | None:
        """A stored link."""
        query = sa.select(LINKS.c.hash, LINKS.c.passphrase).where(LINKS.c.table_id == table_id, LINKS.c.link == name)
        return next((Link(row.hash, row.passphrase) for row in self.rows(query)), None)

    def links(self, table_id: str) -> dict[str, bool]:
        """The valid links, and whether each needs a passphrase."""
        query = sa.select(LINKS.c.link, LINKS.c.passphrase).where(LINKS.c.table_id == table_id).order_by(LINKS.c.link)
        return {row.link: bool(row.passphrase) for row in self.rows(query)}

    def seat(self, table_id: str, device: str) -> str | None:
        """The member of a device (hashed) at a table."""
        member = self.value(_SEAT, table=table_id, device=device)
        return None if member is None else str(member)

    def seats(self, device: str, most: int) -> list[tuple[str, str]]:
        """All tables where a device (hashed) has a seat, latest first, with its member."""
        query = sa.select(SEATS.c.table_id, SEATS.c.member).where(SEATS.c.device == device).order_by(SEATS.c.at.desc()).limit(most)
        return [(row.table_id, row.member) for row in self.rows(query)]

    def sit(self, table_id: str, device: str, member: str) -> None:
        """Stores that a device (hashed) has a member's seat; the log does not change."""
        with self.writing(table_id) as connection:
            self._sit(connection, table_id, device, member)

    def _sit(self, connection: Connection, table_id: str, device: str, member: str) -> None:
        connection.execute(sa.delete(SEATS).where(SEATS.c.table_id == table_id, SEATS.c.device == device))
        connection.execute(sa.insert(SEATS).values(device=device, table_id=table_id, member=member, at=now()))

    def devices(self, table_id: str) -> list[Device]:
        """All devices with a seat at a table."""
        rows = self.rows(sa.select(SEATS).where(SEATS.c.table_id == table_id))
        return [Device(row.device, row.member, row.at, row.seen, row.about) for row in rows]

    def noticed(self, table_id: str, device: str, about: str) -> None:
        """Stores that a device (hashed) was seen now, and its description."""
        condition = (SEATS.c.table_id == table_id, SEATS.c.device == device)
        with self.writing() as connection:
            connection.execute(sa.update(SEATS).where(*condition).values(seen=now(), about=about[:80]))

    def exchange(self, old: str, new: str) -> None:
        """Gives all seats of a device to another one (both hashed)."""
        with self.writing(*(table_id for (table_id,) in self.rows(sa.select(SEATS.c.table_id).where(SEATS.c.device == old)))) as connection:
            connection.execute(sa.update(SEATS).where(SEATS.c.device == old).values(device=new))

    def picture_owners(self, table_id: str) -> list[tuple[str, str]]:
        """The stored pictures of a table: digest and owner."""
        query = sa.select(PICTURES.c.digest, PICTURES.c.who).where(PICTURES.c.table_id == table_id)
        return [(row.digest, row.who) for row in self.rows(query)]

    def sizes(self) -> list[tuple[str, str, int, int, int, int]]:
        """All tables, oldest first: id, game, time of creation, lines, bytes, and time of the last line."""
        query = (
            sa.select(
                TABLES.c.id,
                TABLES.c.system,
                TABLES.c.made_at,
                sa.func.count(LINES.c.seq),
                sa.func.coalesce(sa.func.sum(sa.func.length(LINES.c.body)), 0),
                sa.func.coalesce(sa.func.max(LINES.c.at), 0),
            )
            .outerjoin(LINES, LINES.c.table_id == TABLES.c.id)
            .where(TABLES.c.made_at >= 0)
            .group_by(TABLES.c.id, TABLES.c.system, TABLES.c.made_at)
            .order_by(TABLES.c.made_at, TABLES.c.id)
        )
        return [(row[0], row[1], int(row[2]), int(row[3]), int(row[4]), int(row[5])) for row in self.rows(query)]

    def delete(self, table_id: str) -> None:
        """Deletes a table with everything in it."""
        with self.writing(table_id) as connection:
            _delete(connection, table_id)

    def space(self) -> int:
        """Size of the database on disk, in bytes."""
        if self.sqlite:
            files = (Path(f"{self.url.database}{more}") for more in ("", "-wal"))
            return sum(file.stat().st_size for file in files if file.is_file())
        return int(self.value(sa.text("SELECT pg_database_size(current_database())")) or 0)

    def tables(self) -> list[str]:
        """The ids of all tables, oldest first."""
        query = sa.select(TABLES.c.id).where(TABLES.c.made_at >= 0).order_by(TABLES.c.made_at, TABLES.c.id)
        return [str(table_id) for (table_id,) in self.rows(query)]

    def key(self, name: str) -> bytes:
        """A secret of this server, created on first use."""
        query = sa.select(KEYS.c.value).where(KEYS.c.name == name)
        secret = self.value(query)
        if secret is None:
            try:
                with self.writing() as connection:
                    connection.execute(sa.insert(KEYS).values(name=name, value=secrets.token_bytes(32)))
            except IntegrityError:
                pass
            secret = self.value(query)
        return bytes(secret or b"")

    # --- progress of a long request, which another process of the server carries out

    def set_progress(self, token: str, share: float) -> None:
        """Stores which share of a request is done."""
        with self.writing() as connection:
            connection.execute(sa.delete(RATES).where(RATES.c.bucket == f"progress {token}"))
            connection.execute(sa.insert(RATES).values(bucket=f"progress {token}", level=share, at=now()))

    def progress(self, token: str) -> float | None:
        """Which share of a request is done; None if it has not begun."""
        share = self.value(sa.select(RATES.c.level).where(RATES.c.bucket == f"progress {token}"))
        return None if share is None else float(share)

    def forget_progress(self, token: str) -> None:
        """Removes the progress of a request that is done, and what requests that were killed have left."""
        forgotten = sa.and_(RATES.c.bucket.like("progress %"), RATES.c.at < now() - UNFINISHED)
        with self.writing() as connection:
            connection.execute(sa.delete(RATES).where(sa.or_(RATES.c.bucket == f"progress {token}", forgotten)))


class Watch:
    """Listens to PostgreSQL for lines that any server process adds, in a thread of its own.

    After a lost connection it calls `missed`, because lines may have been added meanwhile.
    """

    def __init__(self, store: Store, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        self._store, self._heard, self._missed = store, heard, missed
        self._stopped = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="rulewright-watch", daemon=True)
        self._thread.start()
        self._ready.wait(10)

    def stop(self) -> None:
        """Stops listening."""
        self._stopped.set()
        self._thread.join(5)

    def _listen(self) -> None:
        """Listens, and reconnects after a lost connection."""
        import psycopg

        url = self._store.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._stopped.is_set():
            try:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {NOTIFY}")
                    if self._ready.is_set():
                        self._missed()
                    self._ready.set()
                    while not self._stopped.is_set():
                        for notice in connection.notifies(timeout=0.5):
                            table_id, _, seq = notice.payload.partition(" ")
                            self._heard(table_id, int(seq))
            except psycopg.Error:
                self._stopped.wait(1)


def checked(rows: Iterable[Any], table_id: str, after: int, before: str) -> Iterator[Line]:
    """Database rows as lines; raises an error for a missing or changed one."""
    for row in rows:
        after += 1
        if not isinstance(row.body, bytes | memoryview):
            raise UserError(f"table {table_id}: line {after} was changed after it was written")
        body = bytes(row.body)
        before = check_of(before, row.seq, row.at, row.who, row.version, body)
        if row.seq != after:
            raise UserError(f"table {table_id}: line {after} is missing")
        if row.mark != before:
            raise UserError(f"table {table_id}: line {row.seq} was changed after it was written")
        yield Line(row.seq, row.at, row.who, decode(body, f"table {table_id}: line {row.seq}"), row.key, row.version, before, len(body))


def _delete(connection: Connection, table_id: str) -> None:
    for table in (WEBHOOKS, PICTURES, SEATS, LINKS, LINES):
        connection.execute(sa.delete(table).where(table.c.table_id == table_id))
    connection.execute(sa.delete(TABLES).where(TABLES.c.id == table_id))


def _delete_unfinished(connection: Connection, before: int) -> None:
    """Deletes tables whose import was killed before a time."""
    for table_id in connection.execute(sa.select(TABLES.c.id).where(TABLES.c.made_at < 0, TABLES.c.made_at > -before)).scalars().all():
        _delete(connection, table_id)


def now() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1000


def _engine(url: URL, pool: int) -> Engine:
    try:
        if url.get_backend_name() == "sqlite":
            return _sqlite(url, pool)
        options = {"application_name": "rulewright", "options": "-c synchronous_commit=on"}
        return sa.create_engine(url, pool_size=pool, max_overflow=pool, pool_pre_ping=True, connect_args=options)
    except (NoSuchModuleError, ImportError) as error:
        raise UserError(f"PostgreSQL needs its driver ({error}): pip install 'rulewright[web]'") from None


def _check_location(file: Path) -> None:
    """Raises an error for a folder, or a file in a missing folder.

    Only the default folder is created, because any other is probably mistyped.
    """
    if file.is_dir():
        raise UserError(f"{file} is a folder: name a file in it, such as {file / 'tables.db'}")
    if not file.parent.is_dir() and file != Path(understood(default_url()).database or ""):
        raise UserError(f"{file.parent}: there is no such folder; create it first, or name a file in another one")


def _sqlite(url: URL, pool: int) -> Engine:
    folder = Path(url.database or "").parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: the folder for the database cannot be made ({error.strerror})") from None
    engine = sa.create_engine(
        url,
        pool_size=pool,
        max_overflow=pool,
        connect_args={"timeout": BUSY_SECONDS, "isolation_level": None, "check_same_thread": False},
    )

    @sa.event.listens_for(engine, "connect")
    def on_connect(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        # A transaction that reads before it writes cannot wait for the lock, so every writing transaction takes it at once.
        connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE")

    return engine


def outage(error: SQLAlchemyError) -> str:
    """Why the database is not available, in words for anybody; empty if the error has another cause."""
    if isinstance(error, PoolTimeout):
        return "the database has too many requests at once"
    if isinstance(error, IntegrityError | ProgrammingError | DataError) or not isinstance(error, DBAPIError):
        return ""
    cause = str(error.orig).lower()
    for fragment, words in _OUTAGES.items():
        if fragment in cause:
            return words
    return "the database does not answer"


DAMAGED = "the database is damaged"
_OUTAGES = {
    "full": "the disk is full",
    "no space": "the disk is full",
    "readonly": "the disk is read-only",
    "read-only": "the disk is read-only",
    "i/o error": "the disk has a fault",
    "malformed": DAMAGED,
    "not a database": DAMAGED,
    "could not decode": DAMAGED,
    "locked": "the database is busy",
}
"""Parts of database error messages, and their meaning."""


def _in_words(error: SQLAlchemyError) -> str:
    cause = str(getattr(error, "orig", None) or error)
    return " ".join(cause.split())[:300]
