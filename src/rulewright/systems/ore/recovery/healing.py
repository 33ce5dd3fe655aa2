"""Natural healing over time, also with Fast Recovery (book lines 1183-1212, 4382-4394)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, Vital
from rulewright.systems.ore.people.advantages import Healed, recovered
from rulewright.systems.ore.recovery.medicine import (
    DAYS,
    abstract_day,
    day_for_kill,
    day_of_rest,
    night_of_sleep,
    penalty_heals,
    taken_off,
    week_for_vital,
    week_of_rest,
)

DAY = 24
WEEK = DAYS * DAY
MOST_HOURS = 52 * WEEK


@rule("ore-2.25-fast-recovery")
def time_heals(rules: Ruleset, body: AnyBody, points: int = 0, hours: int = 24, resting: bool = True, by: str = "") -> Play[AnyBody]:
    """Natural healing over some hours; Fast Recovery replaces the usual rates.

    A point counts for the whole body, and the owner chooses the location (ruling); Kill heals directly. Kill without a printed rate, and
    Vital Boxes, heal by days and weeks of rest (ruling). Outs heal like Shock and Downs like Kill (ruling); those of Wounds only after
    their penalty, and Down and Out Boxes never. By id only.
    """
    if not 0 <= hours <= MOST_HOURS:
        raise UserError(f"the time must be from 0 to {MOST_HOURS} hours (a year), not {hours}")
    while hours > 0:
        passed = min(hours, WEEK)
        hours -= passed
        if isinstance(body, Abstract):
            body = yield from _abstract(rules, body, points, passed, resting=resting, by=by)
        elif points:
            body = yield from _fast(rules, body, points, passed, resting=resting, by=by)
        elif resting:
            for _ in range(passed // DAY):
                body = day_of_rest(body) if isinstance(body, Located) else day_for_kill(night_of_sleep(body))
        if isinstance(body, Abstract):
            body = penalty_heals(body, DAYS) if resting and passed == WEEK else body
        elif resting and passed == WEEK:
            body = _usual_week(body, kill=not points or not recovered(rules, points, DAY).kill)
    return body


def _usual_week(body: Located | Vital, kill: bool) -> Located | Vital:
    if isinstance(body, Vital):
        return week_for_vital(body)
    return week_of_rest(body) if kill else body


def _fast(rules: Ruleset, body: Located | Vital, points: int, hours: int, *, resting: bool, by: str) -> Play[Located | Vital]:
    healed = recovered(rules, points, hours, resting)
    body = yield from _without_shock(body, healed, by)
    if isinstance(body, Vital):
        kill = healed.kill or (hours // DAY if resting else 0)
        return replace(body, kill_lost=max(0, body.kill_lost - kill))
    return (yield from _points(body, "kill", healed.kill, by))


def _without_shock(body: Located | Vital, healed: Healed, by: str) -> Play[Located | Vital]:
    if isinstance(body, Vital):
        return replace(body, shock=0 if healed.all_shock else max(0, body.shock - healed.shock))
    if healed.all_shock:
        return replace(body, parts=tuple([replace(part, shock=0) for part in body.parts]))
    return (yield from _points(body, "shock", healed.shock, by))


@rule("ore-2.25-fast-recovery")
def fast_hour(rules: Ruleset, body: AnyBody, points: int = 3, resting: bool = True, by: str = "") -> Play[AnyBody]:
    """An hour with Fast Recovery: Shock, or Outs of Injuries that are not Wounds."""
    if isinstance(body, Abstract):
        return (yield from _abstract(rules, body, points, 1, resting=resting, by=by))
    return (yield from _without_shock(body, recovered(rules, points, 1, resting), by))


@rule("ore-2.25-fast-recovery")
def fast_day(rules: Ruleset, body: AnyBody, points: int = 3, by: str = "") -> Play[AnyBody]:
    """A day of rest with Fast Recovery: Kill, or Downs of Injuries that are not Wounds. Without a rate for Kill it heals as usual."""
    kill = recovered(rules, points, DAY).kill
    if isinstance(body, Vital):
        return replace(body, kill_lost=max(0, body.kill_lost - kill)) if kill else day_for_kill(body)
    if isinstance(body, Located):
        return (yield from _points(body, "kill", kill, by))
    return (yield from taken_off(body, kill, "downs", by)) if kill else (yield from abstract_day(rules, body, by=by))


def _abstract(rules: Ruleset, body: Abstract, points: int, hours: int, *, resting: bool, by: str) -> Play[Abstract]:
    """Downs and Outs without Wounds: by rating, or one per day of rest."""
    healed = recovered(rules, points, hours, resting) if points else Healed(0, 0)
    outs = sum([injury.outs for injury in body.injuries]) if healed.all_shock else healed.shock
    body = yield from taken_off(body, outs, "outs", by)
    if healed.kill:
        return (yield from taken_off(body, healed.kill, "downs", by))
    for _ in range(hours // DAY if resting else 0):
        body = yield from abstract_day(rules, body, by=by)
    return body


def _points(body: Located, form: Literal["shock", "kill"], points: int, by: str) -> Play[Located]:
    """Heals points one by one where the owner chooses."""
    for _ in range(points):
        hurt = [part for part in body.parts if getattr(part, form)]
        if not hurt:
            break
        part = hurt[0]
        if len(hurt) > 1:
            options = tuple([Option(part.location, part.location.capitalize(), part) for part in hurt])
            part = yield from Choice(by, f"Where do you heal 1 {form.capitalize()}?", options, body, "heal")
        body = body.put(replace(part, **{form: getattr(part, form) - 1}))
    return body
