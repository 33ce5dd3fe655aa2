"""Fatigue between scenes, an option: what days cost, and what rest and sleep give back (book lines 582-602)."""

from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case
from rulewright.highest_die import downtime
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.scumm.downtime.survivors import NIGHTS, REST, TEMPERATURE, Survivor, exertion_of
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.fatigue import RESTED, Causing, Resting, Weariness, bear, fatigue_penalty, load_tires, rest, tire

COSTS: dict[str, tuple[Causing, float]] = {
    "hard work": ("hard work", 8),
    "walking": ("walking", 1),
    "strenuous travel": ("strenuous travel", 4),
    "no sleep": ("missed sleep", 1),
}
"""What a day of each exertion costs: the cause of fatigue, and its amount."""


class Exhaustion(downtime.Exhaustion[Survivor]):
    """Fatigue. Its data are what lost sleep, exertion and a fight cost, the minutes of that fight, and the seconds of the present day."""

    rules = ("scumm-fatigue", "scumm-fatigue-recovery")

    def tires(self, rules: Ruleset, case: Case[Survivor]) -> bool:
        return exertion_of(case) in COSTS

    def read(self, case: Case[Survivor], data: tuple[int, ...]) -> Weariness:
        """What a file says without details comes from exertion."""
        fatigue = case.life.body.fatigue
        return Weariness(*data) if data else Weariness(other=min(0, fatigue - case.life.strength)) if fatigue else RESTED

    def written(self, weary: Weariness) -> tuple[int, ...]:
        return weary.sleep, weary.other, weary.fight, weary.fight_minutes

    def recovers_quietly(self, rules: Ruleset, case: Case[Survivor], weary: Weariness) -> bool:
        slept_off = weary.sleep if rules.word("rest-removes") == "all" else 0
        return exertion_of(case) == REST.name and bool(weary.other or weary.fight or slept_off)

    def after_half_an_hour(self, rules: Ruleset, weary: Weariness) -> Weariness:
        return rest(rules, "quiet rest", 0.5, weary)

    def after_a_day(self, rules: Ruleset, case: Case[Survivor], weary: Weariness) -> Weariness:
        return _after_a_day(rules, case, weary)

    def borne(self, rules: Ruleset, case: Case[Survivor], weary: Weariness) -> tuple[Patient, Derived[int]]:
        body = bear(rules, case.life.body, weary, case.life.strength)
        return body, fatigue_penalty(rules, weary, case.life.strength, body.initiative_bonus)


def _after_a_day(rules: Ruleset, case: Case[Survivor], weary: Weariness) -> Weariness:
    """A day's exertion, load and weather, and the night after it."""
    doing = exertion_of(case)
    if doing in COSTS:
        weary = tire(rules, *COSTS[doing], weary)
    if doing in COSTS and doing != "no sleep":
        weary = load_tires(rules, case.life.load, case.life.strength, 1, weary)
        if case.figure(TEMPERATURE) == "extreme":
            weary = tire(rules, "extreme temperature", 1, weary)
            weary = tire(rules, "armor in extreme temperature", 1, weary) if case.life.body.armor else weary
    if doing == "no sleep":
        return weary
    how: Resting = "sound sleep" if case.figure(NIGHTS) == "sound sleep" else "night of rest"
    return replace(rest(rules, how, 1, weary), fight=0, fight_minutes=0)
