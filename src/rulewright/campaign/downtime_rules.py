"""What a game gives to downtime: its body type, kinds of ongoing effects, activities, exertions, figures of locations, and milestones."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.calendar import LONGEST, write_span
from rulewright.campaign.downtime import Learnt, Location, OngoingEffect, SheetTest, Value
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts

L = TypeVar("L")


class Exertion(Struct, frozen=True):
    """What somebody does with their days, as far as it matters to the body."""

    name: str
    words: str
    rule: str = ""


Takes = Literal["", "text", "span", "test", "person", "people", "location"]
MOST_TEXT = 120


class Figure(Struct, frozen=True):
    """A figure of locations, or an argument of activities and effects: one of several words, the first by default, or a number.

    Arguments may also be free text, a span of time, a test of the sheet, another person, several people, or a location (`takes`).
    """

    name: str
    label: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    default: int = 0
    rule: str = ""
    takes: Takes = ""
    needed: bool = False
    """Whether an argument of `takes` must be given."""

    @property
    def usual(self) -> Value:
        """The value where nothing is said."""
        if self.takes and self.takes != "span":
            return ""
        return self.words[0] if self.words else self.default

    @property
    def usual_words(self) -> str:
        """The usual value for people; an example for a span without one."""
        return (write_span(self.default) if self.default else "3 hours") if self.takes == "span" else str(self.usual)

    def names(self, value: Value) -> tuple[str, ...]:
        """The people whom a value names: several, separated by commas, or one."""
        parts = str(value).split(",") if self.takes == "people" else [str(value)]
        return tuple(dict.fromkeys(name.strip() for name in parts if name.strip()))

    def fault(self, value: Value) -> str:
        """Returns the fault of a value; empty if there is none."""
        if self.takes == "span":
            sound = type(value) is int and 0 <= value <= LONGEST and not (self.needed and not value)
            return "" if sound else f"{self.label} is a span of time such as 3 hours, not {str(value)[:40]!r}"
        if self.takes:
            if not isinstance(value, str) or len(value) > MOST_TEXT:
                return f"{self.label} is a text of at most {MOST_TEXT} characters"
            return f"{self.label} must be given" if self.needed and not value.strip() else ""
        if self.words:
            return "" if value in self.words else f"{self.label} is one of {', '.join(self.words)}, not {str(value)[:40]!r}"
        sound = type(value) is int and self.low <= value <= self.high
        return "" if sound else f"{self.label} is a number from {self.low} to {self.high}, not {str(value)[:40]!r}"


class Milestone(Struct, Generic[L], frozen=True):
    """A named fact about a body that is either true or false: well, dying."""

    name: str
    words: str
    """What it says of a person, after their name: has no wounds left."""
    holds: Callable[[L], bool]
    stops: bool = False
    """Whether time stops by default when somebody reaches it."""


class Companion(Struct, Generic[L], frozen=True, cache_hash=True):
    """Another person at the same place: their body and what they do."""

    name: str
    life: L
    exertion: str = ""


class Case(Struct, Generic[L], frozen=True, cache_hash=True):
    """A person in their circumstances: everything that an ongoing effect may depend on, and nothing else."""

    name: str
    life: L
    exertion: str = ""
    figures: tuple[tuple[str, Value], ...] = ()
    """The figures of the location."""
    company: tuple[Companion[L], ...] = ()
    """The other people at the same place; only for effects that ask for `company`."""
    given: tuple[tuple[str, Value], ...] = ()
    """The arguments of the activity."""
    hours: int = 24
    """The hours a day that the activity gets; 24 in one go."""
    means: tuple[tuple[str, int], ...] = ()
    """Money, stock and favours; only for effects that ask for `possessions`."""
    runs: tuple[OngoingEffect, ...] = ()
    """The other ongoing effects of the person; only for effects that ask for `possessions`."""
    doing: tuple[tuple[str, str], ...] = ()
    """The activities being done, each with its aim; only for effects that ask for `possessions`."""
    tests: tuple[SheetTest, ...] = ()
    """The tests of the sheet that the activity uses."""

    def figure(self, figure: Figure) -> Value:
        """A figure of the location, or its usual value."""
        return next((value for name, value in self.figures if name == figure.name), figure.usual)

    def argument(self, figure: Figure) -> Value:
        """An argument of the activity, or its usual value."""
        return next((value for name, value in self.given if name == figure.name), figure.usual)

    def amount(self, name: str) -> int:
        """How much of a mean the person has."""
        return next((amount for mean, amount in self.means if mean == name), 0)

    def running(self, kind: str) -> tuple[OngoingEffect, ...]:
        """The person's other ongoing effects of a kind."""
        return tuple(effect for effect in self.runs if effect.of == kind)

    def partner(self, figure: Figure) -> Companion[L] | None:
        """The person whom an argument names, if they are at the same place."""
        return next((other for other in self.company if other.name == self.argument(figure)), None)

    def partners(self, figure: Figure) -> tuple[Companion[L], ...]:
        """The people whom an argument names, in its order, as far as they are at the same place."""
        company = {other.name: other for other in self.company}
        return tuple(company[name] for name in figure.names(self.argument(figure)) if name in company)

    def worked(self, seconds: int) -> int:
        """How long so much work takes at these hours a day."""
        return seconds if self.hours in (0, 24) else -(-seconds * 24 // self.hours)


class Affected(Struct, Generic[L], frozen=True):
    """Another person whom something changes: their body, and where they are now if that changes too."""

    name: str
    life: L
    location: str | None = None


class Change(Struct, Generic[L], frozen=True):
    """What an effect or activity changes when it is due. Only `life` and `effect` matter to most."""

    life: L
    effect: OngoingEffect | None = None
    """The effect, if it goes on (see `again`). An activity without it is finished and leaves the plan."""
    runs: tuple[OngoingEffect, ...] = ()
    """Other effects of the person that begin, or take the place of the same effect about the same thing."""
    ended: tuple[tuple[str, str], ...] = ()
    """Other effects that end: their kind and what they are about."""
    means: tuple[tuple[str, int], ...] = ()
    """What is added to money and stock, or taken from it."""
    learnt: tuple[Learnt, ...] = ()
    """Entries for the log of experience. Time stops, so that the sheet follows."""
    location: str | None = None
    """Where the person is now."""
    partner: tuple[str, L] | None = None
    """Another person's name, and their body afterwards."""
    partner_runs: tuple[OngoingEffect, ...] = ()
    """Effects of the other person that begin or change."""
    partner_means: tuple[tuple[str, int], ...] = ()
    others: tuple[Affected[L], ...] = ()
    """Several other people, such as those who travel along."""
    partner_location: str | None = None
    """Where the other person is now."""
    stops: str = ""
    """Why time stops now; empty if it does not."""


After = tuple[L, OngoingEffect | None] | Change[L]
"""What coming due returns: the body and the effect if it goes on, or everything that changes."""
RUNS_ON = ("*",)
"""What an effect concerns that ends only by itself: those that run, run on. Nobody gets it from circumstances alone."""


class EffectKind(Generic[L]):
    """A kind of ongoing effect: who has it, how long it runs, and what happens when it is due. One object of a subclass for each."""

    name: str
    rules: tuple[str, ...] = ()
    """The ids of its rules."""
    company: bool = False
    """Whether it depends on the other people at the same place."""
    possessions: bool = False
    """Whether it depends on means and on other ongoing effects."""
    label: str = ""
    """What the gamemaster begins with these arguments; empty for an effect that only follows from circumstances."""
    arguments: tuple[Figure, ...] = ()
    hidden: bool = False
    """Whether it is usually begun without the players' knowledge."""
    ailment: bool = False
    """Whether it is an illness, an addiction or the like: time stops when somebody gets it, or when it shows."""

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        """The effect as the gamemaster begins it, with its arguments as data."""
        return OngoingEffect(self.name, self.about(given), 0, tuple(given[argument.name] for argument in self.arguments))

    def about(self, given: Mapping[str, Value]) -> str:
        """What tells it apart from others of its kind: the first argument, if it is a text or word."""
        first = given.get(self.arguments[0].name, "") if self.arguments else ""
        return first if isinstance(first, str) else ""

    def shows(self, effect: OngoingEffect) -> bool:
        """Whether a hidden effect shows when it is due next: a symptom that everybody may know of."""
        return False

    def concerns(self, rules: Ruleset, case: Case[L]) -> tuple[str, ...]:
        """Lists what the effect runs for: an empty string for the whole person, the names of wounds or limbs, nothing, or `RUNS_ON`."""
        raise NotImplementedError

    def seconds(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> int | None:
        """The seconds from its beginning until it is due, as things are; None if it is never due in these circumstances."""
        raise NotImplementedError

    def come_due(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> Play[After[L]]:
        """Plays the effect when it is due: returns the body after it, and the effect if it goes on (see `again`)."""
        raise NotImplementedError

    def words(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> str:
        """Says in words what is due next: a Flesh wound heals."""
        raise NotImplementedError


class Begun(EffectKind[L]):
    """A kind of effect that somebody begins, and that ends only by itself."""

    possessions = True

    def concerns(self, rules: Ruleset, case: Case[L]) -> tuple[str, ...]:
        return RUNS_ON


def again(effect: OngoingEffect, *data: Value) -> OngoingEffect:
    """The same effect after it was due, with new figures: it begins anew."""
    return OngoingEffect(effect.of, effect.about, 0, data, effect.known)


class Activity(Begun[L]):
    """Something that people plan to do with their time. One object of a subclass for each.

    While an assignment of a plan is being done it runs like an effect: `seconds` is the length of its next unit, `come_due` plays the
    unit's end and returns what it changes, and the effect's data are its progress. It waits while there is an `obstacle`.
    """

    company = True
    hours: int = 24
    """Hours a day, unless the plan says otherwise: 24 in one go with nothing beside it, 0 beside everything else."""
    exertion: str = ""
    """What it is for the body, of the game's exertions; empty leaves that to the plan."""
    needs_partner: Figure | None = None
    """The argument that names a partner or several people, who give as many hours."""

    def obstacle(self, rules: Ruleset, case: Case[L]) -> str:
        """Why it cannot be done now; empty if it can."""
        return ""

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        """Raises an error for arguments that do not fit together."""

    def price(self, rules: Ruleset, case: Case[L]) -> tuple[tuple[str, int], ...]:
        """What a unit costs, taken when it is over."""
        return ()

    def words(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> str:
        return f"{self.label}{f': {effect.about}' if effect.about else ''}"


class Mean(Struct, frozen=True):
    """Money or another thing that people own in numbers, as a game names it."""

    name: str
    rule: str = ""
    debts: bool = False
    """Whether it may fall below nothing."""


class DowntimeRules(Generic[L]):
    """The downtime of a game. A game without it has a clock, dates and tallies, but bodies do not change."""

    life: type[L]
    """The body as the rules know it: frozen, hashable, plain data."""
    effects: tuple[EffectKind[L], ...] = ()
    """The kinds of ongoing effects, in the order in which they come due at the same moment."""
    exertions: tuple[Exertion, ...] = (Exertion("rest", "rests"),)
    """What people may do, first what they do if nothing is said."""
    figures: tuple[Figure, ...] = ()
    milestones: tuple[Milestone[L], ...] = ()
    activities: tuple[Activity[L], ...] = ()
    """What people can do with their time, besides what every game offers (`campaign.activities`)."""
    means: tuple[Mean, ...] = ()
    dated: Mapping[str, str] = MappingProxyType({})
    """The field of each kind of entry in the log of experience that holds words, for the date."""

    def of(self, rules: Ruleset, character: Any, name: str) -> L | None:
        """The body of a character under a name, with the condition in its file; None for a file that has no body."""
        raise NotImplementedError

    def lasting(self, life: L) -> Mapping[str, Lasts]:
        """The body as a character's condition keeps it, by field."""
        raise NotImplementedError

    def owned(self, rules: Ruleset, character: Any) -> Mapping[str, int]:
        """The means that follow from a character's sheet."""
        return {}

    def penalty(self, rules: Ruleset, life: L) -> int:
        """The modifier that the present state of a body gives to every test."""
        return 0

    def can_act(self, life: L) -> bool:
        """Whether a body can do anything at all."""
        return True

    def pieces(self, rules: Ruleset, life: L) -> tuple[AnyPiece, ...]:
        """The body on a card."""
        return ()

    def in_words(self, rules: Ruleset, life: L) -> tuple[str, ...]:
        """The body in a few words: 1 Flesh wound, fatigue -2. By default the tags of its card."""
        tags = [piece for piece in self.pieces(rules, life) if isinstance(piece, Tag)]
        return tuple(f"{tag.name} {tag.effect}".strip() for tag in tags)

    def kind(self, name: str) -> EffectKind[L] | None:
        """A kind of ongoing effect by name; None for one of another version or game."""
        return next((kind for kind in self.effects if kind.name == name), None)

    def milestone(self, name: str) -> Milestone[L] | None:
        """A milestone by name."""
        return next((milestone for milestone in self.milestones if milestone.name == name), None)

    def faults(self, location: Location) -> tuple[str, ...]:
        """Lists the faults in the figures of a location."""
        known = {figure.name: figure for figure in self.figures}
        return tuple(
            known[name].fault(value) if name in known else f"this game knows no {name[:40]!r} of a location"
            for name, value in location.figures
            if name not in known or known[name].fault(value)
        )


class NoBody(Struct, frozen=True, cache_hash=True):
    """The body in a game whose bodies do not change with time."""


class Bodiless(DowntimeRules[NoBody]):
    """Downtime of a game that offers none: time passes, and that is all."""

    life = NoBody

    def of(self, rules: Ruleset, character: Any, name: str) -> NoBody:
        return NoBody()

    def lasting(self, life: NoBody) -> Mapping[str, Lasts]:
        return {}


BODILESS = Bodiless()
