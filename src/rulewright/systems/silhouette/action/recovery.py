"""Recovery over days and weeks: healing, wounds that get worse, and fading bruises (book lines 2547-2574)."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.highest_die.harm import faded
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, derive, term, total
from rulewright.systems.silhouette.drama.genre_effects import Standing, escape_impending_death
from rulewright.systems.silhouette.harm.body import AVERAGE, BRUISES, OPEN_ENDED, LimbInjury, Patient
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.harm.healing import Activity, Kind, degenerate, degeneration_interval, exert, minutes_pass, untreated
from rulewright.systems.silhouette.people.genre import Priced
from rulewright.systems.silhouette.people.genre_profiles import healing_rate
from rulewright.systems.silhouette.resolution.tests import DIE

Care = Literal["none", "constant", "nursed"]
Mending = Literal["rest", "flesh", "deep", "none"]
A_DAY = 24 * 60
LONG_COMA = 7
"""Days after which a coma needs medical aid."""
MOST_DAYS = 10_000
MOST_EVENTS = 80
"""The most tests and healed wounds in one stretch of time."""


class CareRow(TableRow, frozen=True):
    """Healing times under a kind of care: days per wound, rest after resuscitation, and the lasting penalty of a healed Deep Wound."""

    care: Care
    flesh_days: int
    deep_days: int
    rest_days: int | None = None
    after_deep: int = 0


CARE = Table("sil-3.5.6-recovery", CareRow)

HOSPITAL_CASE = replace(AVERAGE, flesh=2, deep=2, stable_flesh=2, stable_deep=2, resuscitated=True)


# --- how long -----------------------------------------------------------------------------------------------------------------


@rule("sil-3.5.6-recovery")
def recovery_days(
    rules: Ruleset, flesh: int = 0, deep: int = 0, care: Care = "constant", resuscitated: bool = False, healing: float = 1
) -> Derived[float]:
    """Returns the days until all wounds have healed: one at a time, Flesh before Deep, after a week of rest if resuscitated.

    `healing` multiplies them: 0.75 for fast healers, 1.5 for slow healers.

    A view of `follow`, of its whole length.
    """
    row = CARE.get(rules, counted_care(rules, care))
    rest = row.rest_days if resuscitated else 0
    if rest is None:
        raise UserError("a resuscitated character dies without constant medical aid")
    terms = [
        term("rest after resuscitation", rest),
        term(f"Flesh Wounds, {row.flesh_days} days each", flesh * row.flesh_days),
        term(f"Deep Wounds, {row.deep_days} days each", deep * row.deep_days),
        term("Perks and Flaws", healing, "×"),
        term("healing rate of the campaign", healing_share(rules), "×", rule="sil-7.5-genres"),
    ]
    kept = [reason for reason in terms if reason.value != (1 if reason.op == "×" else 0)]
    return total("days of recovery", *kept, rule="sil-3.5.6-recovery")


# --- healing ------------------------------------------------------------------------------------------------------------------


class Course(Struct, frozen=True, cache_hash=True):
    """A patient over time: minutes since the last test for each kind of wound, the current healing and its progress, and minutes in a
    coma."""

    patient: Patient
    flesh_clock: int = 0
    deep_clock: int = 0
    progress: int = 0
    coma: int = 0
    mending: Mending = "none"


@rule("sil-3.5.6-recovery")
def recover(rules: Ruleset, patient: Patient = HOSPITAL_CASE, days: float = 7, care: Care = "constant") -> Derived[Patient]:
    """Returns the state after days in bed with stabilized wounds, and what healed when.

    Without constant aid a healed Deep Wound leaves -1 on physical actions until rehabilitation; a resuscitated patient, or one in a coma
    for more than a week, dies.

    A view of `follow`, for wounds that are stabilized.
    """
    if not 0 <= days <= MOST_DAYS:
        raise UserError(f"recovery takes 0 to {MOST_DAYS} days, not {days}")
    course, left, told = Course(patient.under(rules)), round(days * A_DAY), []
    while left > 0:
        step = min(left, _minutes_until_healed(rules, course, care) or left, _until_neglect(course, care) or left)
        course, word = _healed_for(rules, course, step, care)
        left -= step
        if word:
            told.append(Reason(word, round(days - left / A_DAY, 2), "day", "sil-3.5.6-recovery"))
        if course.patient.dead:
            break
    return derive(course.patient, f"after {figure(days)} days", *told, rule="sil-3.5.6-recovery")


def next_to_heal(rules: Ruleset, patient: Patient) -> Mending:
    """Returns what heals next: first the rest after resuscitation, then Flesh Wounds, then Deep Wounds, each with the bruises of its
    kind."""
    if patient.dead or patient.doomed or patient.trauma is not None or not (patient.wounded or patient.resuscitated):
        return "none"
    if patient.resuscitated:
        return "rest"
    needs_treatment = rules.on("only-treated-wounds-heal")
    if patient.flesh + patient.bruised_flesh:
        return "flesh" if patient.stable_flesh or not needs_treatment or not patient.flesh else "none"
    return "deep" if patient.stable_deep or not needs_treatment or not patient.deep else "none"


def counted_care(rules: Ruleset, care: Care) -> Care:
    """Returns the care that counts: in some genres wounds always heal as with constant aid."""
    return care if healing_rate(rules) == "as treated" else "constant"


def keeps_alive(rules: Ruleset, care: Care) -> bool:
    """Whether the resuscitated, and those in a long coma, live under this care."""
    return CARE.get(rules, counted_care(rules, care)).rest_days is not None


def healing_share(rules: Ruleset) -> float:
    """Returns the campaign's factor for all healing times."""
    return 0.25 if healing_rate(rules) == "a quarter of constant aid" else 1


def _time_to_heal(rules: Ruleset, patient: Patient, care: Care) -> int | None:
    """Returns the total minutes of the next healing; None if nothing heals."""
    row, what = CARE.get(rules, counted_care(rules, care)), next_to_heal(rules, patient)
    days = {"rest": row.rest_days, "flesh": row.flesh_days, "deep": row.deep_days, "none": None}[what]
    return round(days * A_DAY * patient.healing * healing_share(rules)) if days is not None else None


def _minutes_until_healed(rules: Ruleset, course: Course, care: Care) -> int | None:
    takes = _time_to_heal(rules, course.patient, care)
    return max(1, takes - _progress_of_healing(rules, course)) if takes is not None else None


def _progress_of_healing(rules: Ruleset, course: Course) -> int:
    """Returns the minutes already spent on the current healing; 0 after a new wound takes precedence (ruling)."""
    return course.progress if course.mending == next_to_heal(rules, course.patient) else 0


def _until_neglect(course: Course, care: Care) -> int | None:
    """Returns the minutes until a long coma without aid kills."""
    return LONG_COMA * A_DAY + 1 - course.coma if care == "none" and course.patient.coma else None


def _healed_for(rules: Ruleset, course: Course, minutes: int, care: Care) -> tuple[Course, str]:
    """Heals for some minutes, at most until the next change; returns the new state and what happened."""
    patient = course.patient
    coma = course.coma + minutes if patient.coma else 0
    if not keeps_alive(rules, care) and (patient.resuscitated or coma > LONG_COMA * A_DAY):
        dead = replace(patient, dead=True, trauma=None)
        return replace(course, patient=dead, coma=coma), "dies without medical aid"
    takes = _time_to_heal(rules, patient, care)
    if takes is None:
        return replace(course, progress=0, coma=coma, mending="none"), ""
    gone = _progress_of_healing(rules, course) + minutes
    if gone < takes:
        return replace(course, progress=gone, coma=coma, mending=next_to_heal(rules, patient)), ""
    healed, word = heal_next(rules, patient, care)
    return replace(course, patient=healed, progress=0, coma=coma, mending="none"), word


def heal_next(rules: Ruleset, patient: Patient, care: Care) -> tuple[Patient, str]:
    """Heals one wound or bruise. A bruise heals before the last real wound, because it counts as a wound only next to one."""
    what = next_to_heal(rules, patient)
    if what == "rest":
        return replace(patient, resuscitated=False), "has rested after the resuscitation"
    last = patient.flesh + patient.deep == 1
    if what == "flesh":
        if patient.bruised_flesh and (last or not patient.flesh):
            return _less_stable(replace(patient, bruised_flesh=patient.bruised_flesh - 1)), "a bruise has healed"
        return heal_wound(patient, "flesh"), "a Flesh Wound has healed"
    if patient.bruised_deep and (last or not patient.deep):
        return _less_stable(replace(patient, bruised_deep=patient.bruised_deep - 1)), "a bad bruise has healed"
    left = CARE.get(rules, counted_care(rules, care)).after_deep
    healed = heal_wound(patient, "deep")
    return replace(healed, stiffness=healed.stiffness + left), "a Deep Wound has healed" + (f", leaving {left}" if left else "")


def _less_stable(patient: Patient) -> Patient:
    """Limits the number of stabilized wounds to the number of wounds."""
    bruises = (patient.bruised_flesh, patient.bruised_deep) if patient.wounded else (0, 0)
    flesh, deep = min(patient.stable_flesh, patient.flesh + bruises[0]), min(patient.stable_deep, patient.deep + bruises[1])
    return replace(patient, stable_flesh=flesh, stable_deep=deep)


def heal_wound(patient: Patient, wound: Kind) -> Patient:
    """Removes one wound, first those outside the limbs; a limb works again when the wound that disabled it has healed."""
    in_limbs = [limb for limb in patient.limbs if getattr(limb, wound)]
    count = getattr(patient, wound)
    if wound == "flesh":
        healed = replace(patient, flesh=count - 1, stable_flesh=max(0, patient.stable_flesh - 1))
    else:
        healed = replace(patient, deep=count - 1, stable_deep=max(0, patient.stable_deep - 1))
    healed = _less_stable(healed)
    if not in_limbs or sum([getattr(limb, wound) for limb in in_limbs]) < count:
        return healed
    hurt = in_limbs[0]
    flesh, deep = hurt.flesh - (wound == "flesh"), hurt.deep - (wound == "deep")
    small = hurt.limb.endswith(("hand", "foot"))
    useless = hurt.severed or deep > 0 or flesh >= (1 if small else 2)
    return healed.with_limb(LimbInjury(hurt.limb, flesh, deep, useless, hurt.severed))


@rule("sil-3.5.6-recovery")
def rehabilitate(patient: Patient = AVERAGE) -> Patient:
    """Removes the lasting penalty of badly healed Deep Wounds."""
    return replace(patient, stiffness=0)


# --- everything at once -------------------------------------------------------------------------------------------------------


@rule("sil-3.5.3-degeneration", "sil-3.5.6-recovery")
def time_passes(
    rules: Ruleset, patient: Patient = AVERAGE, minutes: int = A_DAY, care: Care = "none", activity: Activity = "bed rest"
) -> Play[Patient]:
    """Passes time with wounds: untreated ones are tested by their own clocks, treated ones heal one at a time, and activity reopens
    them.

    A view of `follow`.
    """
    if not 0 <= minutes <= MOST_DAYS * A_DAY:
        raise UserError(f"0 to {MOST_DAYS} days can pass, not {minutes} minutes")
    opened = yield from exert(rules, patient.under(rules), activity)
    course = yield from follow(rules, Course(opened), minutes, care)
    return course.patient


def follow(rules: Ruleset, course: Course, minutes: int, care: Care = "none") -> Play[Course]:
    """Passes time with clocks that may already be running."""
    if course.patient.unconscious == OPEN_ENDED:
        course = replace(course, patient=(yield from stay_out(rules, course.patient)))
    return (yield from sub(_play_to_next_event, rules, course, minutes, care, MOST_EVENTS))


def _minutes_until_test(rules: Ruleset, course: Course, kind: Kind) -> int | None:
    wounds = untreated(course.patient, kind)
    if not wounds or course.patient.spared:
        return None
    clock = course.flesh_clock if kind == "flesh" else course.deep_clock
    return max(1, degeneration_interval(rules, wounds, kind).value - clock)


def until_something(rules: Ruleset, course: Course, care: Care = "none") -> int | None:
    """Returns the minutes until the next event of a patient's wounds: a test, death or a healed wound; None without one."""
    if course.patient.dead:
        return None
    due = (_minutes_until_test(rules, course, "flesh"), _minutes_until_test(rules, course, "deep"), course.patient.trauma)
    return min(
        [number for number in (*due, _minutes_until_healed(rules, course, care), _until_neglect(course, care)) if number is not None],
        default=None,
    )


def _play_to_next_event(rules: Ruleset, course: Course, minutes: int, care: Care, events: int) -> Play[Course]:
    """Plays to the next event and continues from there."""
    if minutes <= 0 or course.patient.dead:
        return course
    if not events:
        raise UserError(f"this time contains more than {MOST_EVENTS} tests: split it into shorter steps")
    flesh_due, deep_due = _minutes_until_test(rules, course, "flesh"), _minutes_until_test(rules, course, "deep")
    step = min(minutes, until_something(rules, course, care) or minutes)
    course, _ = _healed_for(rules, course, step, care)
    patient = yield from minutes_pass(rules, course.patient, step)
    if flesh_due == step and untreated(patient, "flesh"):
        patient = yield from degenerate(rules, patient)
    if deep_due == step and untreated(patient, "deep"):
        patient = yield from degenerate(rules, patient)
    if patient.trauma is not None and course.patient.trauma is None:
        patient = yield from cling_to_life(rules, patient)
    flesh = 0 if flesh_due in (None, step) else course.flesh_clock + step
    deep = 0 if deep_due in (None, step) else course.deep_clock + step
    later = replace(course, patient=patient, flesh_clock=flesh, deep_clock=deep)
    return (yield from sub(_play_to_next_event, rules, later, minutes - step, care, events - 1))


def cling_to_life(rules: Ruleset, patient: Patient, about: Any = None) -> Play[Patient]:
    """Offers Escape Impending Death for 3 Genre Points, if the campaign has it: the wounds stop getting worse."""
    if "escape impending death" not in patient.genre or patient.genre_points < 3 or patient.dead or patient.spared:
        return patient
    options = (Option("no", "Do nothing", False), Priced("escape", "Escape Impending Death (3 Genre Points)", True, price=3))
    asked = "You are dying." if patient.trauma is not None else "Your wounds may get worse."
    if not (yield from Choice[bool](patient.name, asked, options, about, "last words")):
        return patient
    yield from Tell(Happened(patient.name, "escapes death for now", "good"))
    paid = escape_impending_death(rules, Standing(patient.name, patient.genre_points, patient))
    return replace(paid.patient, genre_points=paid.points)


# --- bruises ------------------------------------------------------------------------------------------------------------------


@rule("sil-3.5.2-bruise")
def bruise_hours(rules: Ruleset, kind: Kind = "flesh", name: str = "") -> Play[int]:
    """Rolls how many hours a bruise lasts: one die of hours, or of days for a Deep one."""
    face = yield from Roll(DIE, name, f"{'hours' if kind == 'flesh' else 'days'} until a bruise is gone")
    return face * BRUISES.get(rules, kind).fades_in_hours


@rule("sil-3.5.2-bruise")
def fade_bruises(rules: Ruleset, patient: Patient = AVERAGE, hours: int = 6) -> Play[Patient]:
    """Returns the body some hours after the blows, without the bruises whose time is over. Next to real wounds, bruises heal like wounds
    instead.

    A view of what fades in the wilderness, by the same `bruise_hours`.
    """
    return (yield from faded(rules, patient, hours, bruise_hours))
