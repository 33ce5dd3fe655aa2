"""What a game gives to downtime: its body type, kinds of ongoing effects, exertions, figures of locations, and milestones."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.downtime import Location, OngoingEffect, Value
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts

L = TypeVar("L")


class Exertion(Struct, frozen=True):
    """What somebody does with their days, as far as it matters to the body."""

    name: str
    words: str
    rule: str = ""


class Figure(Struct, frozen=True):
    """A figure of locations: one of several words, the first by default, or a number."""

    name: str
    label: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    default: int = 0
    rule: str = ""

    @property
    def usual(self) -> Value:
        """The value where a location says nothing."""
        return self.words[0] if self.words else self.default

    def fault(self, value: Value) -> str:
        """Returns the fault of a value; empty if there is none."""
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

    def figure(self, figure: Figure) -> Value:
        """A figure of the location, or its usual value."""
        return next((value for name, value in self.figures if name == figure.name), figure.usual)


RUNS_ON = ("*",)
"""What an effect concerns that ends only by itself: those that run, run on. Nobody gets it from circumstances alone."""


class EffectKind(Generic[L]):
    """A kind of ongoing effect: who has it, how long it runs, and what happens when it is due. One object of a subclass for each."""

    name: str
    rules: tuple[str, ...] = ()
    """The ids of its rules."""
    company: bool = False
    """Whether it depends on the other people at the same place."""

    def concerns(self, rules: Ruleset, case: Case[L]) -> tuple[str, ...]:
        """Lists what the effect runs for: an empty string for the whole person, the names of wounds or limbs, nothing, or `RUNS_ON`."""
        raise NotImplementedError

    def seconds(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> int | None:
        """The seconds from its beginning until it is due, as things are; None if it is never due in these circumstances."""
        raise NotImplementedError

    def come_due(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> Play[tuple[L, OngoingEffect | None]]:
        """Plays the effect when it is due: returns the body after it, and the effect if it goes on (see `again`)."""
        raise NotImplementedError

    def words(self, rules: Ruleset, case: Case[L], effect: OngoingEffect) -> str:
        """Says in words what is due next: a Flesh wound heals."""
        raise NotImplementedError


def again(effect: OngoingEffect, *data: Value) -> OngoingEffect:
    """The same effect after it was due, with new figures: it begins anew."""
    return OngoingEffect(effect.of, effect.about, 0, data, effect.known)


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

    def of(self, rules: Ruleset, character: Any, name: str) -> L | None:
        """The body of a character under a name, with the condition in its file; None for a file that has no body."""
        raise NotImplementedError

    def lasting(self, life: L) -> Mapping[str, Lasts]:
        """The body as a character's condition keeps it, by field."""
        raise NotImplementedError

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
