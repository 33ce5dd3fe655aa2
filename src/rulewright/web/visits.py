"""What a visitor has changed and rolled, in memory only and for a bounded number of visitors."""

import secrets
import threading
from collections import OrderedDict, deque
from typing import Any

from msgspec import Struct

from rulewright.rules.reasons import Reason
from rulewright.web.campaigns import Campaign

MOST_VISITS = 500
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

    def __init__(self) -> None:
        self.copies: OrderedDict[Place, Any] = OrderedDict()
        self.campaigns: dict[str, Campaign] = {}
        self.log: deque[Entry] = deque(maxlen=MOST_ENTRIES)
        self.rolled = 0
        self.history: dict[Place, list[Any]] = {}
        """How each copy stood before its last changes."""
        self.lock = threading.Lock()

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


class Visits:
    """Everybody who is here; whoever was away longest gives way."""

    def __init__(self, most: int = MOST_VISITS) -> None:
        self._most = most
        self._visits: OrderedDict[str, Visit] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._visits)

    def find(self, token: str | None) -> Visit | None:
        """The visit of this token, if there is one."""
        with self._lock:
            visit = self._visits.get(token or "")
            if visit is not None:
                self._visits.move_to_end(token or "")
            return visit

    def open(self, token: str | None) -> tuple[str, Visit]:
        """The visit of this token, or a new one under a new token: nobody can choose their own."""
        found = self.find(token)
        if found is not None and token is not None:
            return token, found
        with self._lock:
            fresh, visit = secrets.token_urlsafe(TOKEN_BYTES), Visit()
            self._visits[fresh] = visit
            while len(self._visits) > self._most:
                self._visits.popitem(last=False)
            return fresh, visit
