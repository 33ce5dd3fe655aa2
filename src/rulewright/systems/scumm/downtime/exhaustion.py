"""Fatigue between scenes, an option: what days cost, and what rest and sleep give back (book lines 582-602)."""

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import RUNS_ON, Case, EffectKind, again
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.survivors import NIGHTS, REST, TEMPERATURE, Recovers, Survivor, exertion_of
from rulewright.systems.scumm.harm.fatigue import RESTED, Causing, Resting, Weariness, bear, fatigue_penalty, load_tires, rest, tire

HALF_AN_HOUR = HOUR // 2
COSTS: dict[str, tuple[Causing, float]] = {
    "hard work": ("hard work", 8),
    "walking": ("walking", 1),
    "strenuous travel": ("strenuous travel", 4),
    "no sleep": ("missed sleep", 1),
}
"""What a day of each exertion costs: the cause of fatigue, and its amount."""


class Exhaustion(EffectKind[Survivor]):
    """Fatigue. Its data are what lost sleep, exertion and a fight cost, the minutes of that fight, and the seconds of the present day."""

    name = "fatigue"
    rules = ("scumm-fatigue", "scumm-fatigue-recovery")

    def concerns(self, rules: Ruleset, case: Case[Survivor]) -> tuple[str, ...]:
        if not rules.on("fatigue") or case.life.body.dead:
            return ()
        tires = exertion_of(case) in COSTS or case.life.body.fatigue < 0 or case.life.body.collapsed
        return ("",) if tires else RUNS_ON

    def seconds(self, rules: Ruleset, case: Case[Survivor], effect: OngoingEffect) -> int:
        weary, today = _weariness(case, effect)
        slept_off = weary.sleep if rules.word("rest-removes") == "all" else 0
        quiet = exertion_of(case) == REST.name and (weary.other or weary.fight or slept_off)
        return min(HALF_AN_HOUR, DAY - today) if quiet else DAY - today

    def come_due(self, rules: Ruleset, case: Case[Survivor], effect: OngoingEffect) -> Play[tuple[Survivor, OngoingEffect | None]]:
        before, today = _weariness(case, effect)
        weary, today = before, today + effect.spent
        if exertion_of(case) == REST.name and effect.spent >= HALF_AN_HOUR and today < DAY:
            weary = rest(rules, "quiet rest", 0.5, weary)
        if today >= DAY:
            weary, today = _after_a_day(rules, case, weary), 0
        body = bear(rules, case.life.body, weary, case.life.strength)
        if (body.fatigue, body.collapsed) != (case.life.body.fatigue, case.life.body.collapsed):
            penalty = fatigue_penalty(rules, weary, case.life.strength, body.initiative_bonus)
            what = (
                "collapses from fatigue" if body.collapsed and not case.life.body.collapsed else f"has a fatigue penalty of {penalty.value}"
            )
            tone = "good" if weary.total > before.total else "bad"
            yield from Tell(Recovers(case.name, what, tone, (penalty.reason,)))
        goes_on = weary.total or exertion_of(case) in COSTS
        later = again(effect, weary.sleep, weary.other, weary.fight, weary.fight_minutes, today) if goes_on else None
        return case.life.with_body(body), later

    def words(self, rules: Ruleset, case: Case[Survivor], effect: OngoingEffect) -> str:
        return "half an hour of rest" if self.seconds(rules, case, effect) <= HALF_AN_HOUR else "a day and a night"


def _weariness(case: Case[Survivor], effect: OngoingEffect) -> tuple[Weariness, int]:
    """The fatigue so far and the seconds of the present day. What a file says without details comes from exertion."""
    if effect.data:
        sleep, other, fight, minutes, today = (int(figure) for figure in effect.data)
        return Weariness(sleep, other, fight, minutes), today
    fatigue = case.life.body.fatigue
    return (Weariness(other=min(0, fatigue - case.life.strength)) if fatigue else RESTED), 0


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
