"""Perception rolls and their results (book lines 297-303, 697-722)."""

from msgspec import Struct

from rulewright.play import Event, Play, Tell
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason
from rulewright.systems.hybrid.people.skills import Ranks, Use, use_check, use_factor
from rulewright.systems.hybrid.resolution.tests import Check, Degree, Mod, chance_of, skill_check

PASSIVE = Figures("hyb-4-passive-perception")
"""The share of the normal chance that is left when one notices in passing."""


class PerceivedRow(TableRow, frozen=True):
    """What a degree of perception tells, in percent; `wrong` where detail is how far off it is, a null timing where none is learnt."""

    degree: str
    identification: str
    detail: int
    timing_error: int | None
    wrong: bool = False


SITUATIONS = Column("hyb-4-perception", "situation", df=int)
"""How alert one is."""
RESULTS = Table("hyb-4-perception-results", PerceivedRow)


class Watcher(Struct, frozen=True, cache_hash=True):
    """A person who looks and listens: Physical Awareness (or Mental, for what is beyond the senses), rank, alertness and modifiers."""

    awareness: int = 12
    rank: int | None = None
    situations: tuple[str, ...] = ()
    modifier: int = 0
    name: str = ""
    general: int | None = None
    """Rank in a general skill of perception, which counts by a quarter."""


SOMEONE = Watcher()


class Noticed(Event, frozen=True):
    """How a perception roll went."""

    name: str
    degree: Degree
    rules: Ruleset | None = None
    watcher: Watcher = SOMEONE
    preset: bool = False

    def headline(self) -> str:
        return f"{self.name or 'somebody'} looks around: {self.degree.value}"

    def reasons(self) -> tuple[Reason, ...]:
        if self.rules is None:
            return ()
        check = use_check(self.rules, _looking(self.rules, self.watcher, self.preset))
        return (perception_factor(self.rules, self.watcher, self.preset).reason, *chance_of(self.rules, check))

    def tone(self) -> str:
        return "good" if self.degree.success else "bad"


class InPassing(Event, frozen=True):
    """How passive perception went."""

    name: str
    noticed: bool
    rules: Ruleset
    watcher: Watcher

    def headline(self) -> str:
        return f"{self.name} notices {'it' if self.noticed else 'nothing'} in passing"

    def reasons(self) -> tuple[Reason, ...]:
        return (perception_factor(self.rules, self.watcher).reason, *chance_of(self.rules, passive_check(self.rules, self.watcher)))


@rule("hyb-4-perception")
def perception_factor(rules: Ruleset, watcher: Watcher = SOMEONE, preset: bool = False) -> Derived[int]:
    """Physical Awareness, rank in a perception skill and alertness. Everybody can notice things without such a skill (ruling)."""
    return use_factor(rules, _looking(rules, watcher, preset))


def _looking(rules: Ruleset, watcher: Watcher, preset: bool = False) -> Use:
    skilled = watcher.rank is not None or watcher.general is not None or rules.on("perception-needs-skill")
    ranks = Ranks(watcher.rank, watcher.general) if skilled else Ranks(0)
    names = (*watcher.situations, "preset") if preset else watcher.situations
    mods = [Mod(name, SITUATIONS.of(rules, name), "hyb-7-preset" if name == "preset" else "hyb-4-perception") for name in names]
    return Use((watcher.awareness,), ranks, modifiers=(*mods, Mod("situation", watcher.modifier)))


@rule("hyb-4-perception")
def perceive(rules: Ruleset, watcher: Watcher = SOMEONE, preset: bool = False) -> Play[Degree]:
    """A perception roll; it takes eight counts."""
    degree = yield from skill_check(rules, use_check(rules, _looking(rules, watcher, preset)), watcher.name, "perception")
    yield from Tell(Noticed(watcher.name, degree, rules, watcher, preset))
    return degree


@rule("hyb-4-passive-perception")
def passive_check(rules: Ruleset, watcher: Watcher = SOMEONE) -> Check:
    """A quarter of the normal chance, rounded down (ruling); whatever else is done at the same time does not count against it."""
    return use_check(rules, _looking(rules, watcher)).shared(max(0, min(100, PASSIVE.of(rules, "percent of the chance"))), 100)


@rule("hyb-4-passive-perception")
def perceive_passively(rules: Ruleset, watcher: Watcher = SOMEONE) -> Play[Degree]:
    """Noticing in passing, during any action and in no time."""
    return (yield from skill_check(rules, passive_check(rules, watcher), watcher.name, "passive perception"))


@rule("hyb-4-perception-results")
def perceived(rules: Ruleset, degree: Degree = Degree.SUCCESS) -> PerceivedRow:
    """Returns what this degree tells: identification, detail, and how far off the timing may be."""
    return RESULTS.get(rules, degree.value)
