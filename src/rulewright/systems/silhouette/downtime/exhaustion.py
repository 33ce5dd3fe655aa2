"""Fatigue between scenes, an option: what days cost, and what rest and sleep give back (book lines 2585-2610)."""

from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case
from rulewright.highest_die import downtime
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.downtime.survivors import NIGHTS, REST, TEMPERATURE, Survivor, exertion_of
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.fatigue import Weariness, collapses, fatigue_penalty, rest, rested, strain

COSTS: dict[str, tuple[str, float]] = {
    "hard work": ("hard work", 8),
    "walking": ("walking", 1),
    "strenuous travel": ("climbing", 4),
    "no sleep": ("missed sleep", 1),
}
"""What a day of each exertion costs: the strain, and its hours, days or nights."""


class Exhaustion(downtime.Exhaustion[Survivor]):
    """Fatigue. Its data are what effort and lost sleep cost, and the seconds of the present day."""

    rules = ("sil-3.5.8-fatigue", "sil-3.5.8-fatigue-recovery")

    def tires(self, rules: Ruleset, case: Case[Survivor]) -> bool:
        return exertion_of(case) in COSTS

    def read(self, case: Case[Survivor], data: tuple[int, ...]) -> Weariness:
        """What a file says without details comes from effort."""
        return Weariness(*data) if data else Weariness(case.life.body.fatigue)

    def written(self, weary: Weariness) -> tuple[int, ...]:
        return weary.effort, weary.sleep

    def recovers_quietly(self, rules: Ruleset, case: Case[Survivor], weary: Weariness) -> bool:
        slept_off = weary.sleep if rules.word("rest-removes") == "all" else 0
        return exertion_of(case) == REST.name and bool(weary.effort or slept_off)

    def after_half_an_hour(self, rules: Ruleset, weary: Weariness) -> Weariness:
        return rest(rules, weary, "half an hour of quiet")

    def after_a_day(self, rules: Ruleset, case: Case[Survivor], weary: Weariness) -> Weariness:
        """A day's exertion, load and weather, and the night after it."""
        doing = exertion_of(case)
        if doing == "no sleep":
            return replace(weary, sleep=weary.sleep + _cost(rules, case, *COSTS[doing]))
        if doing in COSTS:
            weary = replace(weary, effort=weary.effort + _cost(rules, case, *COSTS[doing], case.figure(TEMPERATURE) == "extreme"))
            load = _cost(rules, case, case.life.load, 1) if case.life.load else 0
            weary = replace(weary, effort=weary.effort + load)
        sound = case.figure(NIGHTS) == "sound sleep"
        return rest(rules, weary, "a night of sound sleep" if sound else "a night of rest")

    def borne(self, rules: Ruleset, case: Case[Survivor], weary: Weariness) -> tuple[Patient, Derived[int]]:
        body = rested(case.life.body, weary)
        down = body.collapsed or collapses(rules, weary.total, body.fitness)
        return replace(body, collapsed=down), fatigue_penalty(rules, weary.total, body.fitness)


def _cost(rules: Ruleset, case: Case[Survivor], what: str, amount: float, extreme: bool = False) -> int:
    """The fatigue of a strain on this person."""
    return strain(rules, what, amount, extreme, case.life.body.armor > 0, case.life.insomniac).value
