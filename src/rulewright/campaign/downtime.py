"""Downtime: time that passes between scenes. Who is where, what runs on for them, and until when time may pass.

The state is plain data with the game's own body type. Moments are whole seconds since the campaign began.
"""

from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count

L = TypeVar("L")

RUNS = "runs"
"""The field of a character's condition with the ongoing effects."""
MOST_DUES = 500
"""How much may come due before the gamemaster lets time pass on."""

Value = int | str
Known = Literal["everyone", "exists", "gamemaster"]
"""Who knows of a date or a tally: everybody, everybody but not how far it has come, or only the gamemaster."""


class OngoingEffect(Struct, frozen=True, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that runs on by itself and comes due again: healing, an illness, an addiction."""

    of: str
    """The game's kind of effect."""
    about: str = ""
    """Which wound, limb or thing it concerns, if somebody can have several of the kind."""
    spent: int = 0
    """The seconds since it began or last came due."""
    data: tuple[Value, ...] = ()
    """The game's own figures."""
    known: tuple[str, ...] | None = None
    """Who may know of it besides the gamemaster; None for everybody."""

    @property
    def underived(self) -> bool:
        """Whether it holds more than follows from the body it belongs to."""
        return bool(self.spent or self.data) or self.known is not None


class Location(Struct, frozen=True, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place where people spend time. Its figures (care, hygiene, technology) are those that the game declares."""

    name: str
    figures: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, name: str, **figures: Value) -> "Location":
        """A location with figures by name."""
        return cls(name, tuple(sorted(figures.items())))


NOWHERE = Location("")


class Date(Struct, frozen=True, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that happens at a known moment."""

    at: int
    what: str
    known: Known = "everyone"


class Tally(Struct, frozen=True, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """A count towards an event, such as a faction's patience."""

    name: str
    of: int
    count: int = 0
    known: Known = "everyone"

    def checked(self) -> "Tally":
        """Refuse a tally that cannot be counted."""
        if not 1 <= self.of <= 100 or not 0 <= self.count <= self.of:
            raise UserError("a tally counts from 0 to a number from 1 to 100")
        return self


class Participant(Struct, Generic[L], frozen=True, cache_hash=True):
    """A person who lives through downtime: the body, what they do, where, and what runs on."""

    name: str
    life: L
    exertion: str = ""
    """What they do, in the game's words; empty for rest."""
    location: str = ""
    runs: tuple[OngoingEffect, ...] = ()
    since: int = 0
    """The moment up to which they have lived already."""


class Goal(Struct, frozen=True, cache_hash=True):
    """A milestone of a person at which time stops passing; an empty name means everybody."""

    who: str
    milestone: str


class Downtime(Struct, Generic[L], frozen=True, cache_hash=True):
    """Time that passes for a group."""

    start: int
    now: int
    until: int
    people: tuple[Participant[L], ...]
    locations: tuple[Location, ...] = ()
    dates: tuple[Date, ...] = ()
    """The dates that everybody knows and that stop the time."""
    goal: Goal | None = None
    stops: tuple[str, ...] = ()
    """Milestones that stop the time as soon as anybody reaches them."""
    dues: int = 0
    """How much has come due."""
    stopped: str = ""
    """Why time stopped before its end; empty if it did not."""

    def location_of(self, person: Participant[L]) -> Location:
        """Where a person is."""
        return next((place for place in self.locations if place.name == person.location), NOWHERE)

    def participant(self, name: str) -> Participant[L]:
        """A person by name."""
        return next(person for person in self.people if person.name == name)

    def checked(self) -> "Downtime[L]":
        """Refuse what no downtime can be."""
        names = [person.name for person in self.people]
        places = [place.name for place in self.locations]
        if len(set(names)) < len(names) or len(set(places)) < len(places):
            raise UserError("people and locations must have different names")
        for person in self.people:
            if person.location and person.location not in places:
                raise UserError(f"{person.name} is at {person.location!r}, which is not one of the locations")
        if self.until < self.now:
            raise UserError("time only passes forward")
        return self


def read_runs(condition: Any) -> tuple[OngoingEffect, ...]:
    """The ongoing effects in a character's condition; an error says what is wrong with them."""
    try:
        return msgspec.convert(condition.get(RUNS, ()), tuple[OngoingEffect, ...], strict=True)
    except msgspec.ValidationError as error:
        raise UserError(f"{RUNS}: {error}") from None


def runs_problem(value: Any) -> str:
    """Returns the fault in the ongoing effects of a file; empty if there is none."""
    try:
        read_runs({RUNS: value})
    except UserError as error:
        return str(error)
    return ""


def written_runs(runs: tuple[OngoingEffect, ...]) -> list[Any]:
    """Ongoing effects as a file keeps them: what follows from the body is left out."""
    kept = [effect for effect in runs if effect.underived]
    written: list[Any] = msgspec.json.decode(msgspec.json.encode(kept))
    return written


def runs_in_words(runs: tuple[OngoingEffect, ...]) -> str:
    """Ongoing effects in a few words. Effects that not everybody knows are left out."""
    kept = [effect for effect in runs if effect.underived and effect.known is None]
    return f"{count(len(kept), 'ongoing effect')}"
