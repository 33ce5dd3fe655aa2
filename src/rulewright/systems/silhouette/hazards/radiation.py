"""Radiation: rads, sickness and long-term effects (book lines 5830-5916)."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Play, Reckoned, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_up, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import health_test_pool
from rulewright.systems.silhouette.hazards.hazard_damage import Given, perish, resist, suffer_wound
from rulewright.systems.silhouette.people.conditions import CLEAN, TakenIn
from rulewright.systems.silhouette.resolution.tests import Mod, rolled, sum_of

_TALLY, _TEST, _SHORT = "sil-6.2.8-rad-tally", "sil-6.2.8-rad-test", "sil-6.2.8-rad-short-term"
_TABLE, _PROTECTION, _SOURCES = "sil-6.2.8-irradiation-table", "sil-6.2.8-rad-protection", "sil-6.2.8-rad-sources"
_LONG, _TREATMENT = "sil-6.2.8-rad-long-term", "sil-6.2.8-rad-treatment"
DANGER = 50
"""Rads without a test."""
MOST_DAYS = 60
MOST_WEEKS = 60
MOST_YEARS = 80
Strike = Literal["none", "flesh", "deep", "deep and flesh", "death"]

STRIKES: dict[Strike, tuple[Given, ...]] = {
    "none": (),
    "flesh": ("flesh",),
    "deep": ("deep",),
    "deep and flesh": ("deep", "flesh"),
    "death": ("death",),
}
"""Wounds of a fumble against radiation."""


class RadRow(TableRow, frozen=True):
    """A source of radiation: rads of one burst, or a rate (from and to) per hour."""

    radiates: str
    burst: float | None = None
    per_hour: tuple[float, float] | None = None


class IrradiationRow(TableRow, frozen=True):
    """Health test by tally of rads: its Threshold, and the effect of a fumble."""

    rads: int
    threshold: int
    fumble: Strike


RAD_SOURCES = Table(_SOURCES, RadRow)
IRRADIATION = Table(_TABLE, IrradiationRow)
EXPOSED = TakenIn(300, 300)


# --- the tally ----------------------------------------------------------------------------------------------------------------


@rule(_SOURCES)
def rads_from(rules: Ruleset, source: str, hours: float = 1, strong: bool = False) -> float:
    """Returns the rads of a source: a burst at once, a rate by the hours, at its lowest or highest."""
    row = RAD_SOURCES.get(rules, source)
    if hours < 0:
        raise UserError(f"the time must be at least 0 hours, not {hours:g}")
    if row.per_hour is None:
        return row.burst or 0.0
    return round(row.per_hour[1 if strong else 0] * hours, 6)


@rule(_PROTECTION)
def shielded(rads: float, hours: float | None = None, factor: float = 0, vehicle_armor: int = 0) -> Derived[float]:
    """Returns the rads that get through. A suit or shielded vehicle subtracts its factor from a burst (without hours) or from every
    hour; an unshielded vehicle subtracts armor squared in thousandths of a rad per minute, and an hour's worth from a burst (ruling)."""
    if rads < 0 or factor < 0 or vehicle_armor < 0 or (hours is not None and hours < 0):
        raise UserError("rads, hours, factor and armor must be at least 0")
    hull = float(Fraction(vehicle_armor**2 * 60, 1000))
    spent = 1 if hours is None else hours
    terms = [term("rads", rads), less("protection factor", round(factor * spent, 6)), less("hull", round(hull * spent, 6)), at_least(0)]
    return total("rads taken", *terms, rule=_PROTECTION)


@rule(_TALLY)
def irradiate(taken: TakenIn = CLEAN, rads: float = 100) -> TakenIn:
    """Adds rads to the tally and updates its maximum."""
    if rads < 0:
        raise UserError(f"rads must be at least 0, not {rads:g}; use purging to remove rads")
    return taken.with_rads(round(taken.rads + rads, 6))


@rule(_TALLY, _TREATMENT)
def purge_week(rules: Ruleset, victim: Patient = AVERAGE, taken: TakenIn = EXPOSED, treatment: int = 1) -> Play[TakenIn]:
    """Plays a week without further rads: removes a Health roll, times 2 to 8 under treatment; a tenth of the highest tally stays for
    ever."""
    _check_treatment(treatment)
    pool = health_test_pool(rules, victim)
    health = yield from rolled(rules, pool, victim.name, "rads purged in a week")
    sums = [sum_of("Health", pool, health, "=", _TALLY), *([times("treatment", treatment, rule=_TREATMENT)] if treatment != 1 else [])]
    purged = total("rads purged", *[replace(reason, op="+") if reason.op == "=" else reason for reason in sums], rule=_TALLY)
    yield from Tell(Reckoned(victim.name, "purges some of the radiation", "good", (purged.reason,)))
    least = taken.most_rads / 10
    return replace(taken, rads=max(min(taken.rads, least), round(taken.rads - health.total * treatment, 6)))


@rule(_TALLY)
def weeks_later(rules: Ruleset, victim: Patient = AVERAGE, taken: TakenIn = EXPOSED, weeks: int = 10, treatment: int = 1) -> Play[TakenIn]:
    """Returns the tally after weeks without further rads."""
    if not 0 <= weeks <= MOST_WEEKS:
        raise UserError(f"purging lasts 0 to {MOST_WEEKS} weeks, not {weeks}")
    if not weeks:
        return taken
    now = yield from sub(purge_week, rules, victim, taken, treatment)
    return (yield from sub(weeks_later, rules, victim, now, weeks - 1, treatment))


def _check_treatment(treatment: int) -> None:
    if treatment != 1 and not 2 <= treatment <= 8:
        raise UserError(f"treatment multiplies purging by 2 to 8 (1 for none), not by {treatment}")


def roll_health(rules: Ruleset, victim: Patient, what: str) -> Play[Total]:
    """Rolls Health without a Threshold."""
    return (yield from rolled(rules, health_test_pool(rules, victim), victim.name, what))


# --- the test -----------------------------------------------------------------------------------------------------------------


@rule(_TABLE)
def row_of(rules: Ruleset, rads: float) -> IrradiationRow | None:
    """Returns the table row for a tally; None below 50."""
    rows = sorted(IRRADIATION(rules).values(), key=lambda row: row.rads)
    below = [row for row in rows if row.rads <= rads]
    return below[-1] if below else None


@rule(_TEST)
def is_due(before: float, rads: float, tested_today: bool = False) -> bool:
    """Whether new rads require a test: first above 50, then on any further rad; at most once a day."""
    now = before + rads
    return not tested_today and now > DANGER and (before <= DANGER or rads >= 1)


class Irradiated(Struct, frozen=True):
    """Result of a test against radiation."""

    passed: bool = True
    margin: int = 0
    fumble: bool = False
    strike: Strike = "none"
    """Immediate effect of a fumble; if there is one, the margin has no effect."""
    minutes: int = 0
    """Minutes until a fumble's effect."""


@rule(_TEST)
def rads_tell(rules: Ruleset, victim: Patient = AVERAGE, rads: float = 300, treatment: int = 0) -> Play[Irradiated]:
    """Tests Health in secret against the Threshold of the tally. A fumble has the table's effect after a Health roll of minutes, instead
    of its margin's (ruling); if the table has none, the margin counts."""
    row = row_of(rules, rads)
    if row is None or rads <= DANGER:
        return Irradiated()
    strikes = 0 if row.fumble == "none" else 5866  # the table's effect of a fumble
    resisted = yield from resist(
        rules, victim, row.threshold, "radiation", rule=_TEST, more=(treated(treatment),), unseen=True, fumble_line=strikes
    )
    if resisted.passed:
        return Irradiated()
    if not (strikes and resisted.fumble):  # 5866
        return Irradiated(False, resisted.margin, resisted.fumble)
    minutes = (yield from roll_health(rules, victim, "minutes until it strikes")).total
    return Irradiated(False, resisted.margin, True, row.fumble, minutes)


@rule(_TREATMENT)
def treated(bonus: int = 1) -> Mod:
    """Returns the bonus of treatment to recovery tests, and with regular check-ups to yearly ones: 1 to 4 by technology; 0 for none."""
    if not 0 <= bonus <= 4:
        raise UserError(f"radiation treatment adds 0 to 4, not {bonus}")
    return Mod("treatment", bonus, _TREATMENT)


# --- sickness -----------------------------------------------------------------------------------------------------------------


class Sickness(Struct, frozen=True):
    """Effect of a margin against radiation: a first penalty, then a lingering one with its own on Health tests."""

    penalty: int = 0
    """After a Health roll of hours, falling by 1 every twelve hours: zero or negative."""
    lingering: int = 0
    """After a Health roll of days, until a daily Health test against 4 passes: zero or negative."""
    on_health: int = 0
    deadly: bool = False
    """Whether a failed daily test gives a Deep Wound, and a fumble kills."""
    fatal: bool = False
    """Death in a Health roll of hours."""


@rule(_SHORT)
def sickness_of(margin: int) -> Sickness:
    """Returns the sickness for a margin: up to 4 a penalty of the margin; 5 to 7 one of 4 and a lingering sickness of 1 (2 on Health
    tests); 8 and 9 of 2 (3); 10 to 14 of 3 (4) that wounds and kills; 15 or more death."""
    if margin <= 0:
        return Sickness()
    if margin >= 15:
        return Sickness(fatal=True)
    if margin >= 10:
        return Sickness(-4, -3, -4, True)
    if margin >= 8:
        return Sickness(-4, -2, -3)
    return Sickness(-4, -1, -2) if margin >= 5 else Sickness(-margin)


@rule(_SHORT)
def penalty_after(penalty: int, hours: int) -> int:
    """Returns what is left of the first penalty some hours later: 1 less every twelve."""
    if penalty > 0 or hours < 0:
        raise UserError(f"the penalty must be 0 or less and the hours 0 or more, not {penalty} and {hours}")
    return min(0, penalty + hours // 12)


@rule(_SHORT)
def convalescence(system_shock: int = 5) -> Derived[int]:
    """Returns the days from the passed daily test to full health: 10 - System Shock."""
    return total("days", term("base", 10), less("System Shock", system_shock), at_least(0), rule=_SHORT)


class Sickened(Struct, frozen=True):
    """A character after days of radiation sickness: the body, and the day of recovery (None: not yet)."""

    patient: Patient
    recovered_on: int | None = None


@rule(_SHORT, _TREATMENT)
def lingers(rules: Ruleset, victim: Patient = AVERAGE, margin: int = 12, days: int = 10, treatment: int = 0) -> Play[Sickened]:
    """Plays lingering sickness day by day: Health against 4 with its own penalty; for the worst kind a failure is a Deep Wound and a
    fumble death."""
    if not 0 <= days <= MOST_DAYS:
        raise UserError(f"radiation sickness lasts 0 to {MOST_DAYS} days, not {days}")
    return (yield from sub(_lingering, rules, victim, sickness_of(margin), treatment, 1, days))


def _lingering(rules: Ruleset, victim: Patient, sick: Sickness, treatment: int, day: int, days: int) -> Play[Sickened]:
    if sick.fatal:
        return Sickened((yield from perish(victim, "radiation")))
    if not sick.lingering:
        return Sickened(victim, 0)
    if day > days or victim.dead:
        return Sickened(victim)
    weak = (Mod("radiation sickness", sick.on_health, _SHORT), treated(treatment))
    line = 5896 if sick.deadly else 0
    resisted = yield from resist(rules, victim, 4, "radiation sickness", rule=_SHORT, more=weak, fumble_line=line)
    if resisted.passed:
        return Sickened(victim, day)
    if sick.deadly:
        victim = yield from _worse(rules, victim, resisted.fumble)
    return (yield from sub(_lingering, rules, victim, sick, treatment, day + 1, days))


def _worse(rules: Ruleset, victim: Patient, fumble: bool) -> Play[Patient]:
    if fumble:  # 5896: a fumble is death
        return (yield from perish(victim, "radiation"))
    return (yield from suffer_wound(rules, victim, "deep", "radiation"))


@rule(_TEST, _SHORT)
def fall_sick(rules: Ruleset, victim: Patient = AVERAGE, rads: float = 500, days: int = 10, treatment: int = 0) -> Play[Sickened]:
    """Plays the whole course after rads at once: the secret test, the effect of a fumble, and the sickness. By id only."""
    irradiated = yield from rads_tell(rules, victim, rads)
    body = victim
    if irradiated.strike != "none":
        for wound in STRIKES[irradiated.strike]:
            body = yield from suffer_wound(rules, body, wound, "radiation")
        return Sickened(body, None if body.dead else 0)
    if irradiated.passed:
        return Sickened(victim, 0)
    return (yield from sub(lingers, rules, victim, irradiated.margin, days, treatment))


@rule(_TEST)
def remember(taken: TakenIn = CLEAN, margin: int = 0) -> TakenIn:
    """Records the worst margin against radiation for later years."""
    return replace(taken, worst_irradiation=max(taken.worst_irradiation, margin))


# --- years --------------------------------------------------------------------------------------------------------------------


@rule(_LONG)
def cancer_threshold(worst: int) -> Derived[int]:
    """Returns the Threshold of the yearly test: half the worst margin, rounded up; 0 if never sick."""
    return total("Threshold", term("worst Margin of Failure", worst), divided("half", 2), rounded_up(), rule=_LONG)


@rule(_LONG)
def year(rules: Ruleset, victim: Patient = AVERAGE, worst: int = 9, check_ups: int = 0) -> Play[bool]:
    """Tests whether a year brings no cancer: Health against half the worst margin."""
    if worst <= 0:
        return True
    resisted = yield from resist(rules, victim, cancer_threshold(worst).value, "the years after", rule=_LONG, more=(treated(check_ups),))
    return resisted.passed


@rule(_LONG)
def years(rules: Ruleset, victim: Patient = AVERAGE, worst: int = 9, number: int = 20, check_ups: int = 0) -> Play[int | None]:
    """Returns the year of cancer within these years; None if there is none. By id only."""
    if not 0 <= number <= MOST_YEARS:
        raise UserError(f"the number of years must be 0 to {MOST_YEARS}, not {number}")
    return (yield from sub(_next_year, rules, victim, worst, 1, number, check_ups))


def _next_year(rules: Ruleset, victim: Patient, worst: int, now: int, number: int, check_ups: int) -> Play[int | None]:
    if now > number:
        return None
    if not (yield from year(rules, victim, worst, check_ups)):
        return now
    return (yield from sub(_next_year, rules, victim, worst, now + 1, number, check_ups))
