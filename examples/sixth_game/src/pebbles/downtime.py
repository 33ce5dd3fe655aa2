"""Time between duels: a cairn is built up again, people gather pebbles, and strangers come along."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pebbles.coins import coins
from pebbles.throwers import Thrower
from rulewright.build.sheet_parts import AnyPiece, Tag
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Case, Change, DowntimeRules, EffectKind, Figure, Mean, Milestone, again
from rulewright.campaign.generators import Draft, Generator
from rulewright.grammar import count
from rulewright.play import Happened, Play, Roll, Tell
from rulewright.rules import Ruleset, rule
from rulewright.scenes.scenarios import Lasts


class Builder(Struct, frozen=True, cache_hash=True):
    """What duels leave of a person: the stones of the cairn that still stand."""

    stones: int
    full: int
    aim: int


@rule("pebbles-rebuild")
def rebuilt(stones: int = 0, full: int = 1) -> int:
    """A day puts one stone back, up to the cairn's height."""
    return min(full, stones + 1)


@rule("pebbles-gather")
def gather(rules: Ruleset, aim: int = 1, by: str = "") -> Play[int]:
    """An hour on the beach brings a pebble for every head of as many coins as the Aim."""
    return (yield from Roll(coins(rules, aim), by, "pebbles"))


class Rebuilding(EffectKind[Builder]):
    """The ongoing effect: it follows from the body, so nobody begins it."""

    name = "rebuilding"
    rules = ("pebbles-rebuild",)

    def concerns(self, rules: Ruleset, case: Case[Builder]) -> tuple[str, ...]:
        return ("",) if case.life.stones < case.life.full else ()

    def seconds(self, rules: Ruleset, case: Case[Builder], effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Case[Builder], effect: OngoingEffect) -> Play[tuple[Builder, OngoingEffect | None]]:
        life = replace(case.life, stones=rebuilt(case.life.stones, case.life.full))
        yield from Tell(Happened(case.name, f"puts a stone back: {count(life.stones, 'stone')}", "good"))
        return life, again(effect)

    def words(self, rules: Ruleset, case: Case[Builder], effect: OngoingEffect) -> str:
        return "a stone is put back"


class Gathering(Activity[Builder]):
    """The activity: hours on the beach, with a roll at the end of each, and pebbles as a mean."""

    name = "gather pebbles"
    label = "gather pebbles"
    rules = ("pebbles-gather",)
    arguments = (Figure("wanted", "How many pebbles", low=1, high=1000, default=5, rule="pebbles-gather"),)
    hours = 8

    def seconds(self, rules: Ruleset, case: Case[Builder], effect: OngoingEffect) -> int:
        return case.worked(HOUR)

    def come_due(self, rules: Ruleset, case: Case[Builder], effect: OngoingEffect) -> Play[Change[Builder]]:
        more = yield from gather(rules, case.life.aim, case.name)
        yield from Tell(Happened(case.name, f"finds {count(more, 'pebble')}"))
        enough = case.amount("pebbles") + more >= int(case.argument(self.arguments[0]))
        return Change(case.life, None if enough else again(effect), means=(("pebbles", more),) if more else ())


class Stranger(Generator):
    """A table of the gamemaster: somebody on the beach, by three coins."""

    name = "stranger"
    label = "Toss for a stranger"

    def generate(self, rules: Ruleset, given: Mapping[str, Value]) -> Play[Draft]:
        heads = yield from Roll(coins(rules, 3), "", "stranger")
        who = ("a child with a bucket", "a fisher who mends a net", "a thrower from the next bay", "an old champion")[heads]
        return Draft("Stranger", f"{who}, with an Aim of {heads}")


class PebblesDowntime(DowntimeRules[Builder]):
    """What Pebbles gives to downtime."""

    life = Builder
    effects = (Rebuilding(),)
    activities = (Gathering(),)
    means = (Mean("pebbles", "pebbles-gather"),)
    milestones = (Milestone("well", "has a whole cairn again", lambda life: life.stones >= life.full),)

    def of(self, rules: Ruleset, character: Any, name: str) -> Builder | None:
        if not isinstance(character, Thrower):
            return None
        return Builder(int(character.condition.get("stones", character.stones)), character.stones, character.aim)

    def lasting(self, life: Builder) -> Mapping[str, Lasts]:
        return {"stones": Lasts(life.stones, f"{count(life.stones, 'stone')} left")}

    def pieces(self, rules: Ruleset, life: Builder) -> tuple[AnyPiece, ...]:
        return (Tag(name=count(life.stones, "stone"), rule="pebbles-rebuild"),)


DOWNTIME = PebblesDowntime()
