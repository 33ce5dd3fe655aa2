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
MEANS = "means"
"""The field of a character's condition with money, stock and favours."""
MOST_DUES = 500
"""How much may come due before the gamemaster lets time pass on."""

CAMPAIGN_FIELDS = (RUNS, MEANS)
"""The fields of a condition that downtime keeps in every game."""

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


class Assignment(Struct, frozen=True, cache_hash=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a plan: an activity with its arguments, and how many hours a day it gets."""

    do: str
    """The game's name of the activity."""
    aim: str = ""
    """What it is about, to tell assignments apart: decipher the ledger."""
    given: tuple[tuple[str, Value], ...] = ()
    """The arguments of the activity by name, sorted."""
    hours: int | None = None
    """Hours a day; None for the activity's own, 24 for in one go."""

    @property
    def key(self) -> tuple[str, str]:
        """What tells it apart from the other assignments of its person."""
        return self.do, self.aim

    def get(self, name: str, usual: Value = "") -> Value:
        """An argument by name."""
        return next((value for key, value in self.given if key == name), usual)


class Learnt(Struct, frozen=True, cache_hash=True):
    """An entry for a character's log of experience: its kind, its fields, and the moment."""

    entry: str
    fields: tuple[tuple[str, Value | bool], ...]
    at: int
    words: str = ""


def learnt(entry: Struct, words: str) -> Learnt:
    """An entry of a game's log of experience as something that was learnt: its tag, and the fields that differ from their defaults."""
    values = [(field, getattr(entry, field.name)) for field in msgspec.structs.fields(entry)]
    fields = [(field.name, value) for field, value in values if value != field.default]
    return Learnt(str(entry.__struct_config__.tag), tuple(fields), 0, words)


class SheetTest(Struct, frozen=True, cache_hash=True):
    """A test of a sheet as a plan uses it: its name, and its notation in good health."""

    key: str
    name: str
    notation: str
    target: str = ""
    """The target in words; empty if there is none."""


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
    doing: tuple[Assignment, ...] = ()
    """The plan: what fits into a day is done side by side, in this order; the rest waits."""
    means: tuple[tuple[str, int], ...] = ()
    """Money, stock and favours by name, sorted; only what has changed since the sheet was written."""
    owned: tuple[tuple[str, int], ...] = ()
    """What the sheet says of means."""
    tests: tuple[SheetTest, ...] = ()
    """The tests that the plan uses."""
    learnt: tuple[Learnt, ...] = ()

    def amount(self, name: str) -> int:
        """How much of a mean the person has."""
        return next((amount for known in (self.means, self.owned) for key, amount in known if key == name), 0)

    def with_means(self, name: str, amount: int) -> "Participant[L]":
        """The person with another amount of a mean."""
        return msgspec.structs.replace(self, means=tuple(sorted({**dict(self.means), name: amount}.items())))


class Goal(Struct, frozen=True, cache_hash=True):
    """A milestone of a person at which time stops passing; an empty name means everybody."""

    who: str
    milestone: str
    about: str = ""
    """What it is about, for a milestone that needs it: an assignment, a location."""


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


def as_known(state: Downtime[L], who: str) -> Downtime[L]:
    """The downtime as a person knows it: without the effects that are hidden from them."""
    people = tuple(
        msgspec.structs.replace(person, runs=tuple(run for run in person.runs if run.known is None or who in run.known))
        for person in state.people
    )
    return msgspec.structs.replace(state, people=people)


def read_runs(condition: Any) -> tuple[OngoingEffect, ...]:
    """The ongoing effects in a character's condition; an error says what is wrong with them."""
    try:
        return msgspec.convert(condition.get(RUNS, ()), tuple[OngoingEffect, ...], strict=True)
    except msgspec.ValidationError as error:
        raise UserError(f"{RUNS}: {error}") from None


def read_means(condition: Any) -> tuple[tuple[str, int], ...]:
    """The means in a character's condition; an error says what is wrong with them."""
    value = condition.get(MEANS, {})
    sound = isinstance(value, dict) and all(isinstance(name, str) and type(amount) is int for name, amount in value.items())
    if not sound:
        raise UserError(f"{MEANS} lists whole numbers by name, such as money: 3")
    return tuple(sorted(value.items()))


def campaign_problem(field: str, value: Any) -> str:
    """Returns the fault in a field of a condition that downtime keeps (`CAMPAIGN_FIELDS`); empty if there is none."""
    try:
        if field == RUNS:
            read_runs({field: value})
        else:
            read_means({field: value})
    except UserError as error:
        return str(error)
    return ""


def written_runs(runs: tuple[OngoingEffect, ...]) -> list[Any]:
    """Ongoing effects as a file keeps them: what follows from the body, and what not everybody knows of, is left out."""
    kept = [effect for effect in runs if effect.underived and effect.known is None]
    written: list[Any] = msgspec.json.decode(msgspec.json.encode(kept))
    return written


def runs_in_words(runs: tuple[OngoingEffect, ...]) -> str:
    """Ongoing effects in a few words. Effects that not everybody knows are left out."""
    kept = [effect for effect in runs if effect.underived and effect.known is None]
    return f"{count(len(kept), 'ongoing effect')}"
