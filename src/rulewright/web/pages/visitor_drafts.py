"""Drafts of visitors without a table: their changes and rolls, stored in the database with limits for each address."""

import secrets
import threading
import zlib
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from rulewright.errors import UserError
from rulewright.rules.reasons import Reason
from rulewright.table import links
from rulewright.table.storage.columns import VISITS
from rulewright.table.storage.store import Store, now
from rulewright.web.pages.games import game
from rulewright.web.pages.visitor_rules import Campaign

MAX_VISITS, MAX_OF_ONE, IN_MEMORY = 20_000, 200, 300
"""Maximum number of visits, of visits of one address, and of visits in memory."""
DAYS = 30
"""Days without a request after which a visit is deleted."""
MAX_BYTES = 400_000
"""Maximum size of one visit, compressed."""
UNUSED_HOURS = 1
"""Hours after which a visit that stored nothing makes room for another of its address."""
MAX_COPIES = 20
MAX_ENTRIES = 40
MAX_UNDO = 50
"""How many changes of a copy can be undone."""
TOKEN_BYTES = 24

Place = tuple[str, str, str]
"""Game, folder and name of a character."""


class Dice(Struct, frozen=True):
    """The faces of one roll, and which of them counted."""

    faces: tuple[int, ...]
    kept: tuple[int, ...]


class Entry(Struct, frozen=True):
    """A log entry: who rolled what, the result, the dice, and the sum."""

    number: int
    system: str
    who: str
    what: str
    notation: str
    label: str
    verdict: str
    typed: bool
    rolls: tuple[Dice, ...]
    reasons: tuple[Reason, ...]


class Visit:
    """A visitor's copies of characters, options of games, and log."""

    def __init__(self, visits: "VisitStore", token: str, place: str = "") -> None:
        self.token = token
        self.place = place
        """A hash of the visitor's address, which has room for so many visits."""
        self.version = 0
        self.copies: OrderedDict[Place, Any] = OrderedDict()
        self.campaigns: dict[str, Campaign] = {}
        self.log: deque[Entry] = deque(maxlen=MAX_ENTRIES)
        self.rolled = 0
        self.history: dict[Place, list[Any]] = {}
        """Earlier versions of each copy, the latest last."""
        self._visits = visits
        self._lock = threading.RLock()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change the visit under a lock; it is stored when the block ends."""
        with self._lock:
            yield
            self._visits.keep(self)

    def keep(self, place: Place, thing: Any) -> None:
        """Store a changed copy; the oldest is dropped if there are too many."""
        self.copies[place] = thing
        self.copies.move_to_end(place)
        while len(self.copies) > MAX_COPIES:
            self.copies.popitem(last=False)

    def remember(self, place: Place, thing: Any) -> None:
        """Store an earlier version of a copy for undo."""
        before = self.history.setdefault(place, [])
        before.append(thing)
        del before[:-MAX_UNDO]
        while len(self.history) > MAX_COPIES:
            self.history.pop(next(iter(self.history)))

    def back(self, place: Place) -> None:
        """Undo the last change of a copy."""
        if before := self.history.get(place):
            self.keep(place, before.pop())

    def forget(self, place: Place) -> None:
        """Drop a copy and its history."""
        self.copies.pop(place, None)
        self.history.pop(place, None)


# --- storage --------------------------------------------------------------------------------------------------------------------


class KeptCopy(Struct, frozen=True):
    """A copy as plain data, with its earlier versions, the latest last."""

    place: Place
    kind: str
    data: dict[str, Any] | None
    before: tuple[dict[str, Any], ...] = ()


class KeptVisit(Struct, frozen=True):
    """A visit as the database stores it."""

    copies: tuple[KeptCopy, ...]
    campaigns: dict[str, Campaign]
    log: tuple[Entry, ...]
    rolled: int
    format: int = 1


_decoder = msgspec.json.Decoder(KeptVisit)


def _encode(visit: Visit) -> bytes:
    """Encode a visit. If it is too large, drop undo history first, then the oldest copies."""
    copies = [_kept_copy(visit, place) for place in dict.fromkeys((*visit.history, *visit.copies))]
    while True:
        kept = KeptVisit(tuple(copy for copy in copies if copy is not None), visit.campaigns, tuple(visit.log), visit.rolled)
        body = zlib.compress(msgspec.json.encode(kept), 1)
        if len(body) <= MAX_BYTES or not copies:
            return body
        longest = max(copies, key=lambda kept_copy: len(kept_copy.before) if kept_copy is not None else 0)
        if longest is None or not longest.before:
            copies.pop(0)
        else:
            copies[copies.index(longest)] = KeptCopy(longest.place, longest.kind, longest.data)


def _kept_copy(visit: Visit, place: Place) -> KeptCopy | None:
    thing, before = visit.copies.get(place), visit.history.get(place, [])
    sample = thing if thing is not None else before[-1] if before else None
    if sample is None:
        return None
    kind = next((kind for kind, sort in game(place[0]).kinds.items() if isinstance(sample, sort)), "")
    return KeptCopy(place, kind, msgspec.to_builtins(thing) if thing is not None else None, tuple(map(msgspec.to_builtins, before)))


def _decode(visit: Visit, body: bytes) -> None:
    """Decode a visit; leave out what this version cannot read."""
    try:
        kept = _decoder.decode(zlib.decompress(body))
    except (zlib.error, msgspec.DecodeError, msgspec.ValidationError):
        return
    visit.campaigns, visit.rolled = dict(kept.campaigns), kept.rolled
    visit.log = deque(kept.log, maxlen=MAX_ENTRIES)
    for kept_copy in kept.copies:
        with suppress(UserError, msgspec.ValidationError, KeyError):
            sort = game(kept_copy.place[0]).kinds[kept_copy.kind]
            if kept_copy.before:
                visit.history[kept_copy.place] = [msgspec.convert(data, sort) for data in kept_copy.before]
            if kept_copy.data is not None:
                visit.copies[kept_copy.place] = msgspec.convert(kept_copy.data, sort)


class VisitStore:
    """All visits, in the database: they survive a restart, and every server process sees them.

    No visitor can push out another, not even one of the same address: each address has its own limit, and beyond it new visits are refused.
    """

    def __init__(self, store: Store, most: int = MAX_VISITS, of_one: int = MAX_OF_ONE) -> None:
        self._store = store
        self._most, self._of_one = most, of_one
        self._known: OrderedDict[str, Visit] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return int(self._store.value(sa.select(sa.func.count()).select_from(VISITS)) or 0)

    def find(self, token: str | None) -> Visit | None:
        """The visit of a token, if there is one."""
        if not token:
            return None
        with self._lock:
            known = self._known.get(token)
        hashed = links.hashed(token)
        query = sa.select(VISITS.c.version, VISITS.c.place).where(VISITS.c.token == hashed)
        with self._store.reading() as connection:
            row = connection.execute(query).first()
            if row is None:
                return None
            if known is not None and known.version == row.version:
                return known
            body = connection.execute(sa.select(VISITS.c.body).where(VISITS.c.token == hashed)).scalar()
        visit = Visit(self, token, row.place)
        visit.version = row.version
        _decode(visit, bytes(body or b""))
        self._remember(visit)
        return visit

    def open(self, address: str = "") -> Visit:
        """Start a visit with a new random token."""
        visit = Visit(self, secrets.token_urlsafe(TOKEN_BYTES), links.hashed(f"place {address}"))
        with self._store.writing() as connection:
            self._make_room(connection, visit.place)
            values = {"token": links.hashed(visit.token), "place": visit.place, "version": 0, "at": now(), "body": _encode(visit)}
            connection.execute(sa.insert(VISITS).values(values))
        self._remember(visit)
        return visit

    def keep(self, visit: Visit) -> None:
        """Store a changed visit."""
        values = {"version": VISITS.c.version + 1, "at": now(), "body": _encode(visit)}
        with self._store.writing() as connection:
            connection.execute(sa.update(VISITS).where(VISITS.c.token == links.hashed(visit.token)).values(values))
        visit.version += 1

    def _make_room(self, connection: Connection, place: str) -> None:
        """Delete visits unused for long, and those of this address that never stored anything; refuse one visit too many."""
        connection.execute(sa.delete(VISITS).where(VISITS.c.at < now() - DAYS * 86_400_000_000))
        unused = (VISITS.c.place == place, VISITS.c.version == 0, VISITS.c.at < now() - UNUSED_HOURS * 3_600_000_000)
        connection.execute(sa.delete(VISITS).where(*unused))
        theirs = sa.select(sa.func.count()).select_from(VISITS).where(VISITS.c.place == place)
        if (connection.execute(theirs).scalar() or 0) >= self._of_one:
            raise UserError("this server stores as many visits from your network as it can: host a table and build there")
        if (connection.execute(sa.select(sa.func.count()).select_from(VISITS)).scalar() or 0) >= self._most:
            raise UserError("this server stores as many visits as it can: try again later, or host a table and build there")

    def _remember(self, visit: Visit) -> None:
        with self._lock:
            self._known[visit.token] = visit
            self._known.move_to_end(visit.token)
            while len(self._known) > IN_MEMORY:
                self._known.popitem(last=False)
