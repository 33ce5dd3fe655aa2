"""Ongoing effects of wounds: recovery and deterioration, treatment by doctors, and therapy (book lines 2574-2610, 2819-2927)."""

from typing import Any, TypeVar

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, EffectKind, again
from rulewright.grammar import join
from rulewright.play import Choice, Happened, Play, Tactic, Tell, first_option, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.downtime.survivors import (
    ORDINARY,
    REST,
    THERAPY,
    Survivor,
    care_in,
    exertion_of,
    in_crisis,
    technology_of,
    ward_of,
)
from rulewright.systems.foresight.harm.medicine import period
from rulewright.systems.foresight.harm.recovery import due_rolls, next_roll, sinks
from rulewright.systems.foresight.ward.patients import About, Bed, Cost, Ward
from rulewright.systems.foresight.ward.rehabilitation import exercise, take_stock
from rulewright.systems.foresight.ward.scene import surgeon, treatments, visit

A = TypeVar("A")
Now = Case[Survivor]
After = tuple[Survivor, OngoingEffect | None]


class Wounds(EffectKind[Survivor]):
    """The rolls to recover and not to deteriorate, at the interval of the wound level. Another level begins another wait."""

    name = "wounds"
    rules = ("fs-recovery-deterioration", "fs-wound-levels", "fs-medical-care")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return (f"level {body.wounds}",) if body.wounds and not body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        minutes = next_roll(rules, case.life.body, care_in(rules, case))
        return None if minutes is None else max(1, minutes) * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        before = case.life.body
        body = yield from sub(due_rolls, rules, before, care_in(rules, case))
        if body.dead:
            yield from Tell(Happened(case.name, "dies", "bad"))
        life = case.life.with_body(body)
        if not body.wounds and case.life.deepest:
            bed = Bed("", body, deepest=case.life.deepest)
            stock = yield from decided(take_stock(rules, ward_of(rules, case), replace(bed, body=before), bed), first_option)
            life = replace(life, costs=(*life.costs, stock.cost)) if stock.cost is not None else life
        return life, again(effect) if body.wounds == before.wounds else None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "a roll not to get worse" if sinks(rules, case.life.body) else "a roll to recover"


class Treatment(EffectKind[Survivor]):
    """Visits by doctors: at once, whenever the wound level has changed, before each roll of a crisis, and otherwise once a day.

    The data are the wound level at the last visit, and the seconds until the patient can be operated on again.
    """

    name = "treatment"
    rules = ("fs-bandaging", "fs-restore-blood", "fs-surgery")
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.body.wounds and _doctors_at_work(rules, ward_of(rules, case)) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        body = case.life.body
        if not effect.data or effect.data[0] != body.wounds:
            return effect.spent
        minutes = next_roll(rules, body, care_in(rules, case))
        return max(1, minutes or 1) * MINUTE if in_crisis(body) else DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        wait = max(0, int(effect.data[1]) - effect.spent) if effect.data else 0
        seen = yield from decided(visit(rules, ward_of(rules, case, cut=wait > 0)), surgeon)
        bed = seen.beds[0]
        return case.life.with_body(bed.body), again(effect, bed.body.wounds, wait or (DAY if bed.cut else 0))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        doctors = _doctors_at_work(rules, ward_of(rules, case))
        return f"{join(doctors)} {'treats' if len(doctors) == 1 else 'treat'} the wounds"


def _doctors_at_work(rules: Ruleset, ward: Ward) -> list[str]:
    """The doctors who would do something for the patient."""
    names, bed = [], ward.beds[0]
    for doctor in ward.doctors if not bed.settled else ():
        about, options = About(rules, ward, doctor, bed), treatments(rules, ward, doctor, bed)
        if surgeon(Choice(doctor.name, "", options, about, "treatment")) != "rest":
            names.append(doctor.name)
    return names


def decided(play: Play[A], tactic: Tactic) -> Play[A]:
    """A procedure of the ward in which a tactic decides for everybody."""
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            result: A = ended.value
            return result
        answer = request.take(tactic(request)) if isinstance(request, Choice) else (yield from request)


class Therapy(EffectKind[Survivor]):
    """A willpower roll at the end of each period wins back a lost inherent point, once the wounds have healed."""

    name = "therapy"
    rules = ("fs-physiotherapy", "fs-major-injury")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return ("",) if not body.dead and not body.wounds and _open_cost(case) is not None else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return self._hours(rules, case) * HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        costs, open_cost = case.life.costs, _open_cost(case)
        if open_cost is None:
            return case.life, None
        place = costs.index(open_cost)
        bed = Bed("", case.life.body, cost=replace(open_cost, therapy=_is_helped(case), hours=0))
        after = yield from exercise(rules, ward_of(rules, case), bed, self._hours(rules, case))
        kept = (after.cost,) if after.cost is not None else ()
        return replace(case.life, costs=(*costs[:place], *kept, *costs[place + 1 :])), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"a roll to win back lost points by {'physiotherapy' if _is_helped(case) else 'self-help'}"

    def _hours(self, rules: Ruleset, case: Now) -> int:
        return period(rules, technology_of(case), _is_helped(case))


def _open_cost(case: Now) -> Cost | None:
    """The first loss of which something may still be won back."""
    return next((cost for cost in case.life.costs if not cost.over), None)


def _is_helped(case: Now) -> bool:
    return case.figure(THERAPY) == THERAPY.words[1] and exertion_of(case) in (REST.name, ORDINARY.name)
