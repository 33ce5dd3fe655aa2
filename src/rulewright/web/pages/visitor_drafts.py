"""What a visitor without a table has changed and rolled: kept in the database, a bounded number of each address."""

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

MOST_VISITS, MOST_OF_ONE, IN_MEMORY = 20_000, 200, 300
"""Visits that are kept, those of one address, and those at hand without a look into the database."""
DAYS = 30
"""A visit is forgotten when nobody came for so long."""
MOST_BYTES = 400_000
"""Of one visit, packed."""
MOST_COPIES = 20
MOST_ENTRIES = 40
MOST_BACK = 50
"""So many changes of a copy can be taken back."""
TOKEN_BYTES = 24

Place = tuple[str, str, str]
"""Game, folder and name of a ready-made thing."""


class Dice(Struct, frozen=True):
    """The faces of one roll, and which of them made the result."""

    faces: tuple[int, ...]
    kept: tuple[int, ...]


class Entry(Struct, frozen=True):
    """One line of the log: who rolled what, what came of it, the dice, and the sum."""

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
    """One visitor's copies of ready-made things, what each game is played by, and the log of what was rolled."""

    def __init__(self, visits: "Visits", token: str, place: str = "") -> None:
        self.token = token
        self.place = place
        """Where the visitor comes from, hashed: who opens visit after visit pushes out their own."""
        self.version = 0
        self.copies: OrderedDict[Place, Any] = OrderedDict()
        self.campaigns: dict[str, Campaign] = {}
        self.log: deque[Entry] = deque(maxlen=MOST_ENTRIES)
        self.rolled = 0
        self.history: dict[Place, list[Any]] = {}
        """How each copy stood before its last changes."""
        self._visits = visits
        self._lock = threading.RLock()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change what is kept, alone; it is kept when this ends."""
        with self._lock:
            yield
            self._visits.keep(self)

    def keep(self, place: Place, thing: Any) -> None:
        """Keep a changed copy; the one longest untouched gives way."""
        self.copies[place] = thing
        self.copies.move_to_end(place)
        while len(self.copies) > MOST_COPIES:
            self.copies.popitem(last=False)

    def remember(self, place: Place, thing: Any) -> None:
        """Keep how a copy stood, so that a change can be taken back."""
        before = self.history.setdefault(place, [])
        before.append(thing)
        del before[:-MOST_BACK]
        while len(self.history) > MOST_COPIES:
            self.history.pop(next(iter(self.history)))

    def back(self, place: Place) -> None:
        """Take the last change of a copy back."""
        if before := self.history.get(place):
            self.keep(place, before.pop())

    def forget(self, place: Place) -> None:
        """Back to how it ships."""
        self.copies.pop(place, None)
        self.history.pop(place, None)


# --- kept -----------------------------------------------------------------------------------------------------------------------


class KeptCopy(Struct, frozen=True):
    """A copy as plain data, and how it stood before, the latest last."""

    place: Place
    kind: str
    data: dict[str, Any] | None
    before: tuple[dict[str, Any], ...] = ()


class KeptVisit(Struct, frozen=True):
    """A visit as the database has it."""

    copies: tuple[KeptCopy, ...]
    campaigns: dict[str, Campaign]
    log: tuple[Entry, ...]
    rolled: int
    format: int = 1


_decoder = msgspec.json.Decoder(KeptVisit)


def _packed(visit: Visit) -> bytes:
    """A visit as bytes. Where it is too large, what could be taken back is forgotten first, then the copies longest untouched."""
    copies = [_kept_copy(visit, place) for place in dict.fromkeys((*visit.history, *visit.copies))]
    while True:
        kept = KeptVisit(tuple(copy for copy in copies if copy is not None), visit.campaigns, tuple(visit.log), visit.rolled)
        body = zlib.compress(msgspec.json.encode(kept), 1)
        if len(body) <= MOST_BYTES or not copies:
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


def _unpacked(visit: Visit, body: bytes) -> None:
    """Fill a visit with what the database has; what this version cannot read is left out."""
    try:
        kept = _decoder.decode(zlib.decompress(body))
    except (zlib.error, msgspec.DecodeError, msgspec.ValidationError):
        return
    visit.campaigns, visit.rolled = dict(kept.campaigns), kept.rolled
    visit.log = deque(kept.log, maxlen=MOST_ENTRIES)
    for kept_copy in kept.copies:
        with suppress(UserError, msgspec.ValidationError, KeyError):
            sort = game(kept_copy.place[0]).kinds[kept_copy.kind]
            if kept_copy.before:
                visit.history[kept_copy.place] = [msgspec.convert(data, sort) for data in kept_copy.before]
            if kept_copy.data is not None:
                visit.copies[kept_copy.place] = msgspec.convert(kept_copy.data, sort)


class Visits:
    """Everybody who is here, in the database: a restart loses nothing, and every server process knows them.

    Nobody's visit gives way to strangers: each address has a number of its own, and where all places are taken it is for those who come.
    """

    def __init__(self, store: Store, most: int = MOST_VISITS, of_one: int = MOST_OF_ONE) -> None:
        self._store = store
        self._most, self._of_one = most, of_one
        self._known: OrderedDict[str, Visit] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return int(self._store.value(sa.select(sa.func.count()).select_from(VISITS)) or 0)

    def find(self, token: str | None) -> Visit | None:
        """The visit of this token, if there is one, as the database has it."""
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
        _unpacked(visit, bytes(body or b""))
        self._remember(visit)
        return visit

    def open(self, address: str = "") -> Visit:
        """A new visit, under a new token: nobody can choose their own."""
        visit = Visit(self, secrets.token_urlsafe(TOKEN_BYTES), links.hashed(f"place {address}"))
        with self._store.writing() as connection:
            self._make_room(connection, visit.place)
            values = {"token": links.hashed(visit.token), "place": visit.place, "version": 0, "at": now(), "body": _packed(visit)}
            connection.execute(sa.insert(VISITS).values(values))
        self._remember(visit)
        return visit

    def keep(self, visit: Visit) -> None:
        """Write a visit that has changed."""
        values = {"version": VISITS.c.version + 1, "at": now(), "body": _packed(visit)}
        with self._store.writing() as connection:
            connection.execute(sa.update(VISITS).where(VISITS.c.token == links.hashed(visit.token)).values(values))
        visit.version += 1

    def _make_room(self, connection: Connection, place: str) -> None:
        """Forget those who were away for long, and the oldest of an address that has too many."""
        connection.execute(sa.delete(VISITS).where(VISITS.c.at < now() - DAYS * 86_400_000_000))
        theirs = sa.select(VISITS.c.token).where(VISITS.c.place == place).order_by(VISITS.c.at.desc()).offset(self._of_one - 1)
        gone = list(connection.execute(theirs.limit(1_000)).scalars())
        if gone:
            connection.execute(sa.delete(VISITS).where(VISITS.c.token.in_(gone)))
        if (connection.execute(sa.select(sa.func.count()).select_from(VISITS)).scalar() or 0) >= self._most:
            raise UserError("too many visitors keep something here: come back later, or host a table and build there")

    def _remember(self, visit: Visit) -> None:
        with self._lock:
            self._known[visit.token] = visit
            self._known.move_to_end(visit.token)
            while len(self._known) > IN_MEMORY:
                self._known.popitem(last=False)
