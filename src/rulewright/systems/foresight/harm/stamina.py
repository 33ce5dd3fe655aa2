"""Stamina: exertion, rest, and fatigue that kills (book lines 2523-2558)."""

from math import floor
from typing import Literal

from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Reckoned, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, less, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient, condition, endurance_task, worse, wound_row
from rulewright.systems.foresight.harm.events import Overtaxed
from rulewright.systems.foresight.people.attributes import LOADS
from rulewright.systems.foresight.resolution.tests import attempt, weighed

Exertion = Literal["extreme", "heavy", "medium", "light"]
Burden = Literal["free", "laden", "burdened"]
MOST_SECONDS = 10_000_000


class ExertionRow(TableRow, frozen=True):
    """A level of exertion: seconds to a point of stamina; 0 is a point for every action."""

    exertion: Exertion
    example: str
    seconds: int


EXERTIONS = Table("fs-stamina-cost", ExertionRow)


@rule("fs-stamina-pool")
def pool(rules: Ruleset, score: float = 9, endurance: int = 9) -> dict[str, Derived[int]]:
    """The pool is the raw Stamina score; the reserve is endurance and the threshold a third of it. A view of `stamina_of`."""
    return {
        "maximum": total("maximum", term("Stamina score", score), rounded_off(), rule="fs-stamina-pool"),
        "reserve": total("reserve", term("EN", endurance), rule="fs-stamina-pool"),
        "threshold": total("threshold", term("EN", endurance), divided("a third", 3), rounded_off(), rule="fs-stamina-pool"),
    }


@rule("fs-stamina-cost")
def exertion_cost(rules: Ruleset, exertion: Exertion = "heavy", seconds: int = 0, actions: int = 0, load: Burden = "free") -> Derived[int]:
    """The stamina cost of exertion: a point an action, or one for every so many seconds; twice as much laden, four times burdened."""
    row = EXERTIONS.get(rules, exertion)
    bound("seconds", seconds, 0, MOST_SECONDS)
    if row.seconds and actions:
        raise UserError(f"{exertion} exertion is counted in seconds, not actions")
    base = floor(seconds / row.seconds) if row.seconds else actions
    factor = term(load, LOADS.get(rules, load).stamina, "×")
    return total(f"stamina for {exertion} exertion", term("points", base), factor, rule="fs-stamina-cost")


@rule("fs-extreme-fatigue")
def spend(rules: Ruleset, patient: Patient = SOMEBODY, points: int = 1) -> Play[Patient]:
    """Stamina is spent, and at 0 or below one is exhausted.

    Below minus endurance it returns to 0, and an endurance roll decides about a wound.
    """
    bound("stamina", points, 0, 10_000)
    left = patient.stamina - points
    tired = replace(patient, stamina=left, was_exhausted=patient.was_exhausted or left <= 0)
    if left <= 0 < patient.stamina:
        spent = less("exertion", points, rule="fs-stamina-cost")
        why = total("stamina", term("stamina before", patient.stamina), spent, rule="fs-stamina-pool")
        yield from Tell(Reckoned(patient.name, "is exhausted", "bad", (why.reason,)))
    if left >= -patient.endurance:
        return tired
    return (yield from _endure(rules, replace(tired, stamina=0), "extreme fatigue"))


@rule("fs-extreme-fatigue")
def sleepless_day(rules: Ruleset, patient: Patient = SOMEBODY, days: int = 1) -> Play[Patient]:
    """Every 24 hours without proper rest call for an endurance roll; failure is a wound level."""
    bound("days", days, 1, 30)
    for _ in range(days):
        patient = yield from _endure(rules, patient, "a day without rest")
        if patient.dead:
            break
    return patient


def _endure(rules: Ruleset, patient: Patient, what: str) -> Play[Patient]:
    task = endurance_task(rules, patient, *condition(rules, patient))
    rolled = yield from attempt(rules, task, patient.name, what)
    after = patient if rolled.success else worse(patient)
    level = "" if rolled.success else wound_row(rules, after.wounds).name.lower()
    yield from Tell(Overtaxed(name=patient.name, what=what, qr=rolled.qr, level=level, of=weighed(rules, task)))
    if after.dead:
        yield from Tell(Happened(patient.name, "dies", "bad"))
    return after


@rule("fs-stamina-pool")
def rest(rules: Ruleset, patient: Patient = SOMEBODY, minutes: int = 5) -> Patient:
    """A few minutes lift stamina to the threshold; half an hour to the reserve, or by the threshold where that is better."""
    stamina = patient.stamina
    if minutes >= rules.number("short-rest-minutes"):
        stamina = max(stamina, patient.threshold)
    if minutes >= rules.number("reserve-rest-minutes"):
        stamina = max(stamina, patient.reserve, patient.stamina + patient.threshold)
    return replace(patient, stamina=max(patient.stamina, min(stamina, patient.stamina_max)))


@rule("fs-stamina-pool")
def sleep(rules: Ruleset, patient: Patient = SOMEBODY) -> Patient:
    """A good night's sleep with food and shelter restores everything."""
    return replace(patient, stamina=max(patient.stamina, patient.stamina_max), was_exhausted=False)
