"""Energy between scenes: what days cost, and what rest, nights and meals give back (book lines 724-768)."""

from typing import cast

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.downtime.convalescents import MEALS, REST, Convalescent, Recovers, exertion_of
from rulewright.systems.hybrid.harm.damage import Body
from rulewright.systems.hybrid.harm.energy import USES, Activity, Energy, Rest, rest, spend

Now = Case[Convalescent]
AWAKE, WORK = 16 * HOUR, 8 * HOUR
"""The waking part of a day, and the part of it that work takes; the rest of the day is sleep."""


class Tiredness(EffectKind[Convalescent]):
    """Energy of body and mind. Its datum is how many seconds of the present day are behind, from waking on."""

    name = "energy"
    rules = ("hyb-5-fatigue-exhaustion", "hyb-5-energy-use", "hyb-5-restoring")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return ("",) if not body.dead and not body.bleeding and (_works(rules, case) or not _is_rested(body)) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        today = _today(effect)
        if _works(rules, case):
            return WORK - today if today < WORK else DAY - today
        missing = max(_missing(case.life.body.energy), _missing(case.life.body.mind))
        return min(missing or HOUR, HOUR - today % HOUR)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[tuple[Convalescent, OngoingEffect | None]]:
        before, today = case.life.body, _today(effect)
        passed = self.seconds(rules, case, effect)
        if _works(rules, case):
            body = _after_work(rules, case, passed) if today < WORK else _after_rest(rules, case, today, passed)
        elif passed < HOUR and (today + passed) % HOUR:
            body = _with_fatigue(before)
        else:
            hour = (today + passed) // HOUR * HOUR - HOUR
            body = _after_rest(rules, case, hour, HOUR)
        if (body.energy, body.mind) != (before.energy, before.mind):
            tone = "good" if body.energy.exhaustion + body.mind.exhaustion >= before.energy.exhaustion + before.mind.exhaustion else "bad"
            yield from Tell(Recovers(case.name, f"has {_described(before, body)}", tone))
        later = (today + passed) % DAY
        done = _is_rested(body) and not _works(rules, case)
        return case.life.with_body(body), None if done else again(effect, later)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        if _works(rules, case):
            return "the end of the day's work" if _today(effect) < WORK else "the end of the night"
        return "energy returns"


def _today(effect: OngoingEffect) -> int:
    return int(effect.data[0]) if effect.data else 0


def _works(rules: Ruleset, case: Now) -> bool:
    return exertion_of(case) in USES(rules)


def _is_rested(body: Body) -> bool:
    pools = (body.energy, body.mind)
    return all(pool.fatigue >= pool.most_fatigue and pool.exhaustion >= pool.most_exhaustion for pool in pools)


def _missing(energy: Energy) -> int:
    """Seconds of rest until the fatigue pool is full: a point a second."""
    return max(0, energy.most_fatigue - energy.fatigue)


def _with_fatigue(body: Body) -> Body:
    """A body that has rested long enough for its fatigue, and not for a point of exhaustion."""
    full = [replace(pool, fatigue=pool.most_fatigue) for pool in (body.energy, body.mind)]
    return replace(body, energy=full[0], mind=full[1])


def _after_work(rules: Ruleset, case: Now, seconds: int) -> Body:
    """A body after the day's work: the work costs one pool, and the other rests."""
    doing, body = cast(Activity, exertion_of(case)), case.life.body
    if USES.get(rules, doing).mind:
        return replace(body, mind=spend(rules, body.mind, doing, seconds), energy=rest(rules, body.energy, "sitting", seconds))
    return replace(body, energy=spend(rules, body.energy, doing, seconds), mind=rest(rules, body.mind, "sitting", seconds, mind=True))


def _after_rest(rules: Ruleset, case: Now, begun: int, seconds: int) -> Body:
    """A body after some hours that begin so many seconds after waking: quiet hours first, then sleep, and a meal in between."""
    body = case.life.body
    quiet: Rest = "resting" if exertion_of(case) == REST.name else "sitting"
    for hour in range(begun, begun + seconds, HOUR):
        how: Rest = quiet if hour % DAY < AWAKE else "sleeping"
        body = _rested(rules, body, how, HOUR)
        if hour % DAY == WORK and case.figure(MEALS) == MEALS.words[1]:
            body = _rested(rules, body, "large meal", 0)
    return body


def _rested(rules: Ruleset, body: Body, how: Rest, seconds: int) -> Body:
    return replace(body, energy=rest(rules, body.energy, how, seconds), mind=rest(rules, body.mind, how, seconds, mind=True))


def _described(before: Body, after: Body) -> str:
    """The pools that have changed."""
    pools = (
        ("PFT", before.energy.fatigue, after.energy.fatigue, after.energy.most_fatigue),
        ("PEX", before.energy.exhaustion, after.energy.exhaustion, after.energy.most_exhaustion),
        ("MFT", before.mind.fatigue, after.mind.fatigue, after.mind.most_fatigue),
        ("MEX", before.mind.exhaustion, after.mind.exhaustion, after.mind.most_exhaustion),
    )
    return ", ".join(f"{name} {now} of {most}" for name, was, now, most in pools if was != now)
