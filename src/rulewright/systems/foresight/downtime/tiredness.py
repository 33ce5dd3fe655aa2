"""Stamina between scenes: what marches cost, and what rest and nights give back (book lines 2523-2558)."""

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.play import Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.foresight.downtime.survivors import MARCH, NO_SLEEP, SHELTER, WALKING, Recovers, Survivor, exertion_of
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.stamina import exertion_cost, pool, rest, sleep, sleepless_day, spend

Now = Case[Survivor]
WORK = 8 * HOUR
"""How much of a day is walked, from waking on."""
SHORT, LONG = "short-rest-minutes", "reserve-rest-minutes"
"""The rulings on how long a short rest is, and the one that lifts stamina to the reserve."""


class Tiredness(EffectKind[Survivor]):
    """Stamina. The data are the seconds of the present day, from waking on, and those of the present rest."""

    name = "stamina"
    rules = ("fs-stamina-pool", "fs-stamina-cost", "fs-extreme-fatigue")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        tires = _walks(case) or not _restful(case)
        return ("",) if not body.dead and (tires or not is_rested(body)) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        today, rested = _day(effect)
        if _walks(case) and today < WORK:
            return HOUR - today % HOUR
        return min([DAY - today, *[until - rested for until in self._rests(rules, case) if until > rested]])

    def _rests(self, rules: Ruleset, case: Now) -> list[int]:
        """After how many seconds rest gives something back."""
        body, lengths = case.life.body, [rules.number(SHORT), rules.number(LONG)]
        return [minutes * MINUTE for minutes in lengths if _restful(case) and rest(rules, body, minutes) != body]

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[tuple[Survivor, OngoingEffect | None]]:
        before, (today, rested) = case.life.body, _day(effect)
        walked = exertion_of(case) in (WALKING.name, MARCH.name) and today < WORK
        today, rested = today + effect.spent, rested + effect.spent
        body: Patient = before
        sums: tuple[Reason, ...] = ()
        if walked:
            body, sums = yield from sub(_hour_on_foot, rules, case)
            rested = 0
        elif today >= DAY and not _restful(case):
            body = yield from sub(sleepless_day, rules, before)
        elif today >= DAY:
            body, sums = sleep(rules, before), _sums(rules, before, "maximum")
        elif _restful(case):
            body = rest(rules, before, rested // MINUTE)
            long = rested >= rules.number(LONG) * MINUTE
            sums = _sums(rules, before, *(("reserve", "threshold") if long else ("threshold",)))
        if (body.stamina, body.was_exhausted) != (before.stamina, before.was_exhausted):
            tone = "good" if body.stamina > before.stamina or before.was_exhausted > body.was_exhausted else "bad"
            yield from Tell(Recovers(case.name, f"has {body.stamina} of {body.stamina_max} stamina", tone, sums))
        later = again(effect, 0, 0) if today >= DAY else again(effect, today, rested)
        return case.life.with_body(body), later

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        today, _ = _day(effect)
        if _walks(case) and today < WORK:
            return "an hour on foot"
        if today + self.seconds(rules, case, effect) < DAY:
            return "rest gives stamina back"
        return "a night's sleep" if _restful(case) else "a day without rest"


def _hour_on_foot(rules: Ruleset, case: Now) -> Play[tuple[Patient, tuple[Reason, ...]]]:
    """An hour's walk at leisure: every point is spent by itself; who does not march rests for the second half."""
    body, march = case.life.body, exertion_of(case) == MARCH.name
    minutes = 60 if march else 60 - rules.number(LONG)
    cost = exertion_cost(rules, "light", minutes * MINUTE, load=case.life.load)
    for _ in range(cost.value):
        body = yield from sub(spend, rules, body)
        if body.dead:
            break
    if not march and not body.dead and _restful(case):
        body = rest(rules, body, rules.number(LONG))
    return body, (cost.reason,)


def _sums(rules: Ruleset, body: Patient, *names: str) -> tuple[Reason, ...]:
    """The figures of the pool that rest is read against."""
    figures = pool(rules, body.stamina_max, body.endurance)
    return tuple([figures[name].reason for name in names])


def _day(effect: OngoingEffect) -> tuple[int, int]:
    """The seconds of the present day and of the present rest."""
    return (int(effect.data[0]), int(effect.data[1])) if effect.data else (0, 0)


def _walks(case: Now) -> bool:
    """Whether the days go by in hours on foot; those whose wounds allow no walking rest through them."""
    return case.exertion in (WALKING.name, MARCH.name)


def _restful(case: Now) -> bool:
    """Whether there is adequate rest: time for it, food and shelter."""
    return case.exertion != NO_SLEEP.name and case.figure(SHELTER) == SHELTER.words[0]


def is_rested(body: Patient) -> bool:
    """Whether nothing is left for a night to give back."""
    return body.stamina >= body.stamina_max and not body.was_exhausted
