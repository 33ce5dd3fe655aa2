"""The database: every table's lines, the hashes of its links, and which device sits where. SQLite or PostgreSQL.

A line is added as the number after the last. Two writers who add the same number collide at the primary key, and one of them loses;
there is no other lock. What `append` has returned from is on disk.
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
from rulewright.table.storage.columns import KEYS, LINES, LINKS, PICTURES, SEATS, TABLES

BUSY_SECONDS = 20
NOTIFY = "rulewright"
"""The channel on which PostgreSQL tells other server processes of new lines."""


# What is asked for with every request is built once.
_table = sa.bindparam("table", type_=sa.String)
_ROWS = sa.select(LINES).where(LINES.c.table_id == _table, LINES.c.seq >= sa.bindparam("first")).order_by(LINES.c.seq)
_MARK = sa.select(LINES.c.mark).where(LINES.c.table_id == _table, LINES.c.seq == sa.bindparam("seq"))
_DONE = sa.select(LINES.c.seq).where(LINES.c.table_id == _table, LINES.c.who == sa.bindparam("who"), LINES.c.key == sa.bindparam("key"))
_SEAT = sa.select(SEATS.c.member).where(SEATS.c.table_id == _table, SEATS.c.device == sa.bindparam("device"))
_ADD = sa.insert(LINES)
_ANCHOR = sa.select(TABLES.c.last, TABLES.c.anchor).where(TABLES.c.id == _table)
_SET_ANCHOR = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("table")).values(last=sa.bindparam("seq"), anchor=sa.bindparam("check"))


class Conflict(Exception):
    """Somebody else wrote first: read what they wrote and think again."""


class Again(Exception):
    """A request with this key was carried out already."""


class Link(Struct, frozen=True):
    """What is kept of a link."""

    hash: str
    passphrase: str = ""


class Device(Struct, frozen=True):
    """A device (hashed) that sits at a table, since when, and when it was last seen."""

    hash: str
    member: str
    at: int
    seen: int = 0
    about: str = ""


class Writing(Struct, frozen=True):
    """What goes into the database in one piece: lines, and what they mean for links and seats."""

    lines: list[Line]
    links: Mapping[str, Link | None] = {}
    """New links by name; None takes one away."""
    sits: tuple[tuple[str, str], ...] = ()
    """Devices (hashed) and the members they sit as from now on."""
    rises: tuple[str, ...] = ()
    """Members whose devices lose their seat."""
    stays: str = ""
    """The device (hashed) that keeps its seat all the same."""
    signs_out: tuple[str, ...] = ()
    """Devices (hashed) that lose their seat."""


def default_url() -> str:
    """Where tables are kept when nobody says otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return f"sqlite:///{Path(home).expanduser() / 'rulewright' / 'tables.db'}"


def understood(url: str) -> URL:
    """A database's address as people write it: sqlite:///file.db, postgresql://host/name, or just a file."""
    if not url.strip():
        raise UserError("the database's address is empty: write sqlite:///tables.db or postgresql://user@host/name, or leave it out")
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        result = make_url(url)
    except ArgumentError:
        raise UserError("the database's address cannot be read: write sqlite:///tables.db or postgresql://user@host/name") from None
    backend = result.get_backend_name()
    if backend == "sqlite":
        if not result.database or result.database == ":memory:":
            raise UserError("tables are kept in a file: write sqlite:///tables.db")
        return result.set(drivername="sqlite", database=str(Path(result.database).expanduser()))
    if backend in ("postgresql", "postgres"):
        return result.set(drivername="postgresql+psycopg")
    raise UserError(f"tables are kept in SQLite or PostgreSQL, not in {backend}")


class Store:
    """The database of all tables."""

    def __init__(self, url: str | None = None, *, pool: int = 8, must_exist: bool = False) -> None:
        self.url = understood(default_url() if url is None else url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        if must_exist and self.sqlite and not Path(self.url.database or "").is_file():
            raise UserError(f"{self.url.database}: there is no such database")
        if self.sqlite:
            _refuse_misplaced(Path(self.url.database or ""))
        self.engine = _engine(self.url, pool)
        self._serving: sqlite3.Connection | None = None
        self._turn: AbstractContextManager[Any] = threading.Lock() if self.sqlite else nullcontext()
        from rulewright.table.storage.schema import upgrade

        try:
            upgrade(self.engine)
        except SQLAlchemyError as error:
            raise UserError(f"the database cannot be opened: {_in_words(error)}") from None

    def serve_alone(self) -> None:
        """Refuse a second server on one SQLite file: neither would hear of what happens at the other.

        The lock lies on a file beside the database, and the system takes it away from a server that dies.
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
        """Let the database go."""
        self.engine.dispose()
        if self._serving is not None:
            self._serving.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with."""
        with self.engine.connect().execution_options(reads=True) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction to write with.

        SQLite lets one write at a time, and who finds it busy sleeps and looks again; so the threads of this process queue here instead.
        """
        with self._turn, self.engine.begin() as connection:
            yield connection

    def value(self, query: Any, **given: Any) -> Any:
        """The one value that a query asks for; None where there is none."""
        with self.reading() as connection:
            return connection.execute(query, given).scalar()

    def rows(self, query: Any, **given: Any) -> Sequence[Any]:
        """All rows that a query asks for."""
        with self.reading() as connection:
            return connection.execute(query, given).all()

    # lines

    def create(self, table_id: str, system: str, writing: Writing) -> None:
        """A new table with its first lines."""
        with self.writing() as connection:
            connection.execute(sa.insert(TABLES).values(id=table_id, system=system, made_at=now()))
            self._write(connection, table_id, writing)

    def append(self, table_id: str, writing: Writing, after: str) -> None:
        """Add lines in one piece after the line that carries the check `after`.

        Raises Conflict where that is not the last line any more, and Again where the lines' key was used before.
        """
        before = {"table": table_id, "seq": writing.lines[0].seq - 1}
        try:
            with self.writing() as connection:
                if connection.execute(_MARK, before).scalar() != after:
                    raise Conflict
                self._write(connection, table_id, writing)
        except IntegrityError as error:
            key = writing.lines[0].key
            if key is not None and self.done(table_id, writing.lines[0].who, key) is not None:
                raise Again from None
            if self.last(table_id) >= writing.lines[0].seq:
                raise Conflict from None
            raise error

    def _write(self, connection: Connection, table_id: str, writing: Writing) -> None:
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
            raise UserError("this is too much for one line of the log")
        connection.execute(_ADD, rows)
        connection.execute(_SET_ANCHOR, {"table": table_id, "seq": writing.lines[-1].seq, "check": writing.lines[-1].check})
        for name, link in writing.links.items():
            connection.execute(sa.delete(LINKS).where(LINKS.c.table_id == table_id, LINKS.c.link == name))
            if link is not None:
                values = {"table_id": table_id, "link": name, "hash": link.hash, "passphrase": link.passphrase}
                connection.execute(sa.insert(LINKS).values(values))
        for member in writing.rises:
            theirs = (SEATS.c.table_id == table_id, SEATS.c.member == member, SEATS.c.device != writing.stays)
            connection.execute(sa.delete(SEATS).where(*theirs))
        for device in writing.signs_out:
            connection.execute(sa.delete(SEATS).where(SEATS.c.table_id == table_id, SEATS.c.device == device))
        for device, member in writing.sits:
            self._sit(connection, table_id, device, member)
        if not self.sqlite:
            connection.execute(sa.select(sa.func.pg_notify(NOTIFY, f"{table_id} {writing.lines[-1].seq}")))

    def lines(self, table_id: str) -> list[Line]:
        """All lines of a table, each checked against the one before it; none where there is no such table."""
        anchor = next(iter(self.rows(_ANCHOR, table=table_id)), None)
        result = list(checked(self._rows(table_id, 1), table_id, 0, ""))
        if anchor is not None and anchor.anchor:
            if len(result) < anchor.last:
                gone = f"it has {len(result)} lines of {anchor.last}: those from line {len(result) + 1} on are missing"
                raise UserError(f"table {table_id}: {gone}")
            if result[anchor.last - 1].check != anchor.anchor:
                raise UserError(f"table {table_id}: line {anchor.last} is not as it was written")
        return result

    def lines_after(self, table_id: str, seq: int, check: str) -> list[Line] | None:
        """The lines after one that is known by its number and check; None where the database has another line there, or none."""
        rows = self._rows(table_id, seq)
        if not rows or rows[0].seq != seq or rows[0].mark != check:
            return None
        return list(checked(rows[1:], table_id, seq, check))

    def _rows(self, table_id: str, first: int) -> Sequence[Any]:
        try:
            return self.rows(_ROWS, table=table_id, first=first)
        except DatabaseError as error:
            if outage(error) == DAMAGED:
                raise UserError(f"table {table_id}: its lines cannot be read, because {DAMAGED}") from None
            raise

    def last(self, table_id: str) -> int:
        """The number of the last line; 0 where there is no such table."""
        return int(self.value(sa.select(sa.func.max(LINES.c.seq)).where(LINES.c.table_id == table_id)) or 0)

    def done(self, table_id: str, who: str, key: str) -> int | None:
        """The number of the line that a request with this key made, if it was carried out."""
        result = self.value(_DONE, table=table_id, who=who, key=key)
        return None if result is None else int(result)

    # links and seats

    def link(self, table_id: str, name: str) -> Link | None:
        """What is kept of a link."""
        query = sa.select(LINKS.c.hash, LINKS.c.passphrase).where(LINKS.c.table_id == table_id, LINKS.c.link == name)
        return next((Link(row.hash, row.passphrase) for row in self.rows(query)), None)

    def links(self, table_id: str) -> dict[str, bool]:
        """The links that are good, and whether each asks for a passphrase."""
        query = sa.select(LINKS.c.link, LINKS.c.passphrase).where(LINKS.c.table_id == table_id).order_by(LINKS.c.link)
        return {row.link: bool(row.passphrase) for row in self.rows(query)}

    def seat(self, table_id: str, device: str) -> str | None:
        """The member as whom a device (hashed) sits at a table."""
        result = self.value(_SEAT, table=table_id, device=device)
        return None if result is None else str(result)

    def seats(self, device: str, most: int) -> list[tuple[str, str]]:
        """All tables at which a device (hashed) sits, the latest first, with the member as whom it does."""
        query = sa.select(SEATS.c.table_id, SEATS.c.member).where(SEATS.c.device == device).order_by(SEATS.c.at.desc()).limit(most)
        return [(row.table_id, row.member) for row in self.rows(query)]

    def sit(self, table_id: str, device: str, member: str) -> None:
        """Remember that a device (hashed) sits as a member; nothing in the log changes."""
        with self.writing() as connection:
            self._sit(connection, table_id, device, member)

    def _sit(self, connection: Connection, table_id: str, device: str, member: str) -> None:
        connection.execute(sa.delete(SEATS).where(SEATS.c.table_id == table_id, SEATS.c.device == device))
        connection.execute(sa.insert(SEATS).values(device=device, table_id=table_id, member=member, at=now()))

    def devices(self, table_id: str) -> list[Device]:
        """All devices that sit at a table."""
        result = self.rows(sa.select(SEATS).where(SEATS.c.table_id == table_id))
        return [Device(row.device, row.member, row.at, row.seen, row.about) for row in result]

    def noticed(self, table_id: str, device: str, about: str) -> None:
        """Remember that a device (hashed) was seen just now, and what it says of itself."""
        theirs = (SEATS.c.table_id == table_id, SEATS.c.device == device)
        with self.writing() as connection:
            connection.execute(sa.update(SEATS).where(*theirs).values(seen=now(), about=about[:80]))

    def exchange(self, old: str, new: str) -> None:
        """Let another device (both hashed) sit wherever one sits, in its place."""
        with self.writing() as connection:
            connection.execute(sa.update(SEATS).where(SEATS.c.device == old).values(device=new))

    def sizes(self) -> list[tuple[str, str, int, int, int, int]]:
        """All tables, the oldest first: id, game, when it was made, its lines, their bytes, and when the last was written."""
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
            .group_by(TABLES.c.id, TABLES.c.system, TABLES.c.made_at)
            .order_by(TABLES.c.made_at, TABLES.c.id)
        )
        return [(row[0], row[1], int(row[2]), int(row[3]), int(row[4]), int(row[5])) for row in self.rows(query)]

    def delete(self, table_id: str) -> None:
        """Remove a table with everything in it."""
        with self.writing() as connection:
            for table in (PICTURES, SEATS, LINKS, LINES):
                connection.execute(sa.delete(table).where(table.c.table_id == table_id))
            connection.execute(sa.delete(TABLES).where(TABLES.c.id == table_id))

    def space(self) -> int:
        """What the database takes on disk, in bytes."""
        if self.sqlite:
            files = (Path(f"{self.url.database}{more}") for more in ("", "-wal"))
            return sum(file.stat().st_size for file in files if file.is_file())
        return int(self.value(sa.text("SELECT pg_database_size(current_database())")) or 0)

    def tables(self) -> list[str]:
        """The ids of all tables, the oldest first."""
        return [str(result) for (result,) in self.rows(sa.select(TABLES.c.id).order_by(TABLES.c.made_at, TABLES.c.id))]

    def key(self, name: str) -> bytes:
        """A secret of this server, made the first time it is asked for."""
        query = sa.select(KEYS.c.value).where(KEYS.c.name == name)
        result = self.value(query)
        if result is None:
            try:
                with self.writing() as connection:
                    connection.execute(sa.insert(KEYS).values(name=name, value=secrets.token_bytes(32)))
            except IntegrityError:
                pass
            result = self.value(query)
        return bytes(result or b"")


class Watch:
    """Hears from PostgreSQL of the lines that any server process adds, in a thread of its own.

    After its connection was lost it says `missed`: lines may have come that it did not hear of.
    """

    def __init__(self, store: Store, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        self._store, self._heard, self._missed = store, heard, missed
        self._stopped = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="rulewright-watch", daemon=True)
        self._thread.start()
        self._ready.wait(10)

    def stop(self) -> None:
        """Stop listening."""
        self._stopped.set()
        self._thread.join(5)

    def _listen(self) -> None:
        """Listen, and begin again where the connection is lost."""
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
    """Rows of the database as lines; says which of them is missing or was changed."""
    for row in rows:
        after += 1
        if not isinstance(row.body, bytes | memoryview):
            raise UserError(f"table {table_id}: line {after} is not as it was written")
        body = bytes(row.body)
        before = check_of(before, row.seq, row.at, row.who, row.version, body)
        if row.seq != after:
            raise UserError(f"table {table_id}: line {after} is missing")
        if row.mark != before:
            raise UserError(f"table {table_id}: line {row.seq} is not as it was written")
        yield Line(row.seq, row.at, row.who, decode(body, f"table {table_id}: line {row.seq}"), row.key, row.version, before, len(body))


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


def _refuse_misplaced(file: Path) -> None:
    """A folder is made for the usual place alone: anywhere else a name that is not there was probably mistyped."""
    if file.is_dir():
        raise UserError(f"{file} is a folder: name a file in it, as in {file / 'tables.db'}")
    if not file.parent.is_dir() and file != Path(understood(default_url()).database or ""):
        raise UserError(f"{file.parent}: there is no such folder; make it first, or name a file in another one")


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
        # A transaction that reads first and writes then could not wait for its turn; so whoever may write says so at once.
        connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reads") else "BEGIN IMMEDIATE")

    return engine


def outage(error: SQLAlchemyError) -> str:
    """Why the database cannot serve just now, in words that may be told to anybody; "" where the fault lies elsewhere."""
    if isinstance(error, PoolTimeout):
        return "too many ask the database at once"
    if isinstance(error, IntegrityError | ProgrammingError | DataError) or not isinstance(error, DBAPIError):
        return ""
    cause = str(error.orig).lower()
    for sign, words in _OUTAGES.items():
        if sign in cause:
            return words
    return "the database does not answer"


DAMAGED = "the database is damaged"
_OUTAGES = {
    "full": "the disk is full",
    "no space": "the disk is full",
    "readonly": "the disk can only be read",
    "read-only": "the disk can only be read",
    "i/o error": "the disk has a fault",
    "malformed": DAMAGED,
    "not a database": DAMAGED,
    "could not decode": DAMAGED,
    "locked": "the database is busy",
}
"""What databases say of themselves, and what it means."""


def _in_words(error: SQLAlchemyError) -> str:
    cause = str(getattr(error, "orig", None) or error)
    return " ".join(cause.split())[:300]
