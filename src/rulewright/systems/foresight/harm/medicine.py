"""Medicine: diagnosis, bandages, blood, surgery, and lasting harm (book lines 2795-2927)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.dice.sums import Banded
from rulewright.errors import UserError
from rulewright.play import Event, Play, Roll, Scale, Tell, came_to, sub
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, term, total
from rulewright.rules.reasons import row as case
from rulewright.systems.foresight.harm.body import HEAVY, INCAPACITATED, SOMEBODY, Patient, better
from rulewright.systems.foresight.people.attributes import AttributeName
from rulewright.systems.foresight.resolution.locations import ARMS, LEGS, Location
from rulewright.systems.foresight.resolution.tests import (
    BARELY,
    BOTCH,
    D10,
    FAILURE,
    RATINGS,
    Mod,
    Quality,
    Task,
    Weighed,
    attempt,
    built_on,
    weighed,
)

Knowledge = Literal["basic", "standard", "specialized"]
BANDAGING = Figures("fs-bandaging")
"""How much less a second operation does."""
A_DOCTOR = Task(15, 5)
"""A person able, for rules that are asked without naming anybody."""


class BloodRow(TableRow, frozen=True):
    """A means of restoring blood pressure and the wound levels it gives back."""

    means: str
    levels: int
    tl: float


class SurgeryRow(TableRow, frozen=True):
    """A technology level or circumstance of an operation: modifiers to the search and to the surgery."""

    case: str
    search: int
    surgery: int
    tl: float | None = None
    reduction: int = 0
    x_rays: int = 0
    levels: tuple[int, int] | None = None


class LossRow(TableRow, frozen=True):
    """Attribute points lost after a wound level."""

    level: int
    inherent: int
    trained: int
    physical_only: bool


class TherapyRow(TableRow, frozen=True):
    """Hours between the willpower rolls of a therapy."""

    therapy: str
    hours: int
    tl: float


DIAGNOSES = Column("fs-diagnosis-treatment", "knowledge", Knowledge, modifier=int)
"""What medical knowledge does for a diagnosis."""
BLOOD = Table("fs-restore-blood", BloodRow)
SURGERY = Table("fs-surgery", SurgeryRow)
LOSSES = Table("fs-major-injury", LossRow)
THERAPIES = Table("fs-physiotherapy", TherapyRow)


class Treated(Event, frozen=True):
    """What a doctor achieved."""

    name: str
    what: str
    qr: int
    wounds: int
    worst: int
    of: tuple[Weighed, ...] = ()
    """The rolls that it took."""
    by: str = ""
    searched: int = 0
    """The rating of the search before it, where there was one."""

    def headline(self) -> str:
        who = f"{self.by} treats {self.name}" if self.by and self.by != self.name else self.name
        searched = f"search QR{self.searched}, then " if self.searched else ""
        return f"{who}: {self.what} ({searched}QR{self.qr}); wound level {self.wounds}, worst so far {self.worst}"

    def reasons(self) -> tuple[Reason, ...]:
        return tuple([candidate.why().reason for candidate in self.of])

    def tone(self) -> str:
        return "good" if self.qr <= BARELY else "bad"


# --- diagnosis and treatment --------------------------------------------------------------------------------------------------


@rule("fs-diagnosis-treatment")
def diagnose(rules: Ruleset, search: Task = A_DOCTOR, knowledge: Knowledge = "standard", modifier: int = 0) -> Play[Quality]:
    """A Search (or perception) roll with medical knowledge: -2 basic, 0 standard, +2 with the right specialization."""
    known = Mod(f"{knowledge} medicine", DIAGNOSES.of(rules, knowledge), "fs-diagnosis-treatment")
    return (yield from attempt(rules, search.plus(known, Mod("modifiers", modifier)), "", "diagnosis"))


@rule("fs-diagnosis-treatment")
def choose_treatment(rules: Ruleset, theory: Task = A_DOCTOR, diagnosis: int = 3, modifier: int = 0) -> Play[Quality]:
    """A Theory roll that builds on the diagnosis."""
    built = theory.plus(built_on(rules, diagnosis, "the diagnosis"), Mod("modifiers", modifier))
    return (yield from attempt(rules, built, "", "treatment"))


# --- bleeding and blood -------------------------------------------------------------------------------------------------------


@rule("fs-bandaging")
def bandage(
    rules: Ruleset,
    patient: Patient = SOMEBODY,
    search: Task = A_DOCTOR,
    dexterity: Task = A_DOCTOR,
    trained: bool = True,
    multiple: bool = False,
    harder: int = 0,
    by: str = "",
    known: bool = False,
    mysterious: bool = False,
) -> Play[Patient]:
    """Search to find the wounds, then dexterity to close them; without basic knowledge at -3.

    The search is modified as before an operation, and many wounds may make it harder still. Success adds 5 less the rating of the
    second roll to deterioration rolls.
    """
    short = Mod("no basic medicine", 0 if trained else BANDAGING.of(rules, "no basic medicine"), "fs-bandaging")
    if patient.dead:
        return patient
    cases = wound_cases(rules, patient.worst, known, multiple, mysterious=mysterious, harder=harder)
    both = rules.word("untrained-bandaging") == "both"
    looking, closing = search.plus(*cases[0], *((short,) if both else ())), dexterity.plus(short)
    looked = yield from attempt(rules, looking, by, "finding the wounds")
    if not looked.success:
        yield from _treated(patient, patient, "the wounds are not found", looked.qr, by=by, of=(weighed(rules, looking),))
        return patient
    done = yield from attempt(rules, closing, by, "bandaging")
    after = replace(patient, bandaged=max(patient.bandaged, 5 - done.qr)) if done.success else patient
    said = f"bandaged, {after.bandaged:+} to deterioration rolls" if done.success else "the bandages do not hold"
    rolls = (weighed(rules, looking), weighed(rules, closing))
    yield from _treated(patient, after, said, done.qr, by=by, of=rolls, searched=looked.qr)
    return after


TREATING = Scale(("no use", "helps"), ("helps",), "helps")
"""What a treatment can lead to."""


def _treated(
    before: Patient, after: Patient, what: str, qr: int, *, by: str, of: tuple[Weighed, ...] = (), searched: int = 0
) -> Play[None]:
    """Tell what a doctor achieved, and what it came to."""
    told = Treated(name=before.name, what=what, qr=qr, wounds=after.wounds, worst=after.worst, of=of, by=by, searched=searched)
    yield from Tell(told)
    helps = (after.wounds, after.worst, after.bandaged) != (before.wounds, before.worst, before.bandaged)
    yield from came_to("helps" if helps else "no use", TREATING, by, before.name)


EVEN = Banded(D10, ((1, 5, "works"), (6, 10, "fails")))
Means = Literal["infusion", "whole blood", "artificial blood", "crude substitute"]


@rule("fs-restore-blood")
def restore_blood(
    rules: Ruleset, patient: Patient = SOMEBODY, means: Means = "infusion", trained: bool = True, tl: float | None = None, by: str = ""
) -> Play[Patient]:
    """An infusion lowers a wound level of 3 or worse by one and blood by two; the worst level stays. Crude substitutes may fail.

    It takes a person with basic medical knowledge, and a technology level that has the means, where one is named.
    """
    if not trained:
        raise UserError(f"{means} takes basic medical knowledge")
    if tl is not None and tl < BLOOD.get(rules, means).tl:
        raise UserError(f"{means} needs TL{BLOOD.get(rules, means).tl:g} or higher, not TL{tl:g}")
    if patient.wounds < HEAVY or patient.dead:
        return patient
    levels = BLOOD.get(rules, means).levels
    if means in ("whole blood", "artificial blood") and levels > rules.number("transfusion-levels"):
        levels = rules.number("transfusion-levels")
    if means == "crude substitute" and rules.on("crude-plasma") and (yield from Roll(EVEN, by, "crude substitute")) == "fails":
        levels = 0
    mended = better(patient, levels) if levels else patient
    after = replace(mended, worst=patient.worst, hurt=patient.hurt, bandaged=patient.bandaged)
    yield from _treated(patient, after, means, 1 if levels else FAILURE, by=by)
    return after


BloodType = Literal["O-", "O+", "A-", "A+", "B-", "B+", "AB-", "AB+"]


@rule("fs-restore-blood")
def can_give(rules: Ruleset, donor: BloodType = "O-", patient: BloodType = "AB+") -> bool:
    """Whether blood fits: its groups must be among the patient's, and positive goes to positive only. By id only."""
    return set(donor[:-1].replace("O", "")) <= set(patient[:-1]) and (donor[-1] == "-" or patient[-1] == "+")


# --- surgery ------------------------------------------------------------------------------------------------------------------


def wound_cases(
    rules: Ruleset, worst: int, known: bool = False, multiple: bool = False, *, mysterious: bool = False, harder: int = 0
) -> tuple[tuple[Mod, ...], tuple[Mod, ...]]:
    """The modifiers of a wound's circumstances for the search and for the surgery; very many wounds make the search harder by more."""
    if harder < 0 or (harder and not multiple):
        raise UserError("only multiple wounds make the search harder, and never easier")
    rows = SURGERY(rules)
    named = [("known cause", known), ("multiple wounds", multiple), ("mysterious cause", mysterious)]
    surgery_rows = [rows[case] for case, holds in named if holds]
    surgery_rows += [row for row in rows.values() if row.levels is not None and row.levels[0] <= worst <= row.levels[1]]
    searches = tuple([Mod(row.case, row.search - (harder if row.case == "multiple wounds" else 0), "fs-surgery") for row in surgery_rows])
    return searches, tuple([Mod(row.case, row.surgery, "fs-surgery") for row in surgery_rows])


def surgery_known(rules: Ruleset, tl: float) -> bool:
    """Whether there is any surgery to speak of at a technology level."""
    return any(row.tl is not None and row.tl <= tl for row in SURGERY(rules).values())


def _technology(rules: Ruleset, tl: float) -> SurgeryRow:
    rows = {row.tl: row for row in SURGERY(rules).values() if row.tl is not None and row.tl <= tl}
    if not rows:
        raise UserError(f"surgery needs TL4 or higher, not TL{tl:g}")
    return rows[max(rows)]


@rule("fs-surgery")
def surgery_reduction(rules: Ruleset, tl: float = 5, qr: int = 3, follow_up: bool = False) -> Derived[int]:
    """By how much an operation lowers the worst wound level: a figure of the technology level less the rating, two less the second time."""
    if qr not in RATINGS:
        raise UserError(f"a quality rating is one of {', '.join(map(str, RATINGS))}, not {qr}")
    row = _technology(rules, tl)
    again = [term("follow-up", SURGERY.get(rules, "follow-up").reduction)] if follow_up else []
    terms = [term(row.case, row.reduction), term("rating", -qr), *again]
    limit = at_least(0) if qr <= BARELY else case("it failed", 0)
    return total("reduction of the worst wound level", *terms, limit, rule="fs-surgery")


@rule("fs-surgery")
def operate(
    rules: Ruleset,
    patient: Patient = SOMEBODY,
    search: Task = A_DOCTOR,
    surgery: Task = A_DOCTOR,
    tl: float = 5,
    x_rays: bool = False,
    known: bool = False,
    multiple: bool = False,
    mysterious: bool = False,
    harder: int = 0,
    by: str = "",
) -> Play[Patient]:
    """An operation where the worst wound level is 3 or more: Search, then Surgery that builds on it, with technology and circumstances.

    Success lowers the worst level, not below 0. A second operation counts as a follow-up.
    """
    if patient.worst < HEAVY or patient.dead:
        return patient
    row = _technology(rules, tl)
    searches, cuts = wound_cases(rules, patient.worst, known, multiple, mysterious=mysterious, harder=harder)
    tools = Mod(row.case, row.search + (row.x_rays if x_rays else 0), "fs-surgery")
    looking = search.plus(tools, *searches)
    looked = yield from attempt(rules, looking, by, "search for injuries")
    built = surgery.plus(Mod(row.case, row.surgery, "fs-surgery"), *cuts, built_on(rules, looked.qr, "the search"))
    done = yield from attempt(rules, built, by, "surgery")
    less = surgery_reduction(rules, tl, done.qr, patient.operated).value
    after = replace(patient, worst=max(0, patient.worst - less), operated=patient.operated or done.success)
    said = "surgery" if done.success else "surgery fails"
    rolls = (weighed(rules, looking), weighed(rules, built))
    yield from _treated(patient, after, said, done.qr, by=by, of=rolls, searched=looked.qr)
    return after


# --- after grave wounds -------------------------------------------------------------------------------------------------------


class Lost(Struct, frozen=True):
    """Attribute points that a grave wound takes, and the attributes it may take them from."""

    inherent: int
    trained: int
    attributes: tuple[AttributeName, ...]


@rule("fs-major-injury")
def major_injury(rules: Ruleset, worst: int = 6, location: Location = "chest", botched_care: bool = False) -> Lost:
    """The permanent loss by a grave wound, where the campaign plays so: points by the worst level, attributes by the place.

    Botched care makes a heavy wound cost as much as the mildest grave one (ruling).
    """
    counted = max(worst, INCAPACITATED) if botched_care and worst >= HEAVY else worst
    if not rules.on("major-injury") or counted < INCAPACITATED:
        return Lost(0, 0, ())
    row = LOSSES.get(rules, str(min(counted, 7)))
    either: tuple[AttributeName, ...] = ("AP", "ST")
    if location == "head":
        mental: tuple[AttributeName, ...] = ("IN", "PC", "AP")
        return Lost(row.inherent, row.trained, ("AP",) if row.physical_only else mental)
    first: AttributeName = "AG" if location in LEGS else "DX" if location in ARMS else "EN"
    return Lost(row.inherent, row.trained, (first, *either))


class Therapy(Struct, frozen=True):
    """How a therapy stands: inherent points won back, whether a botch has ended it, and periods gone by."""

    regained: int = 0
    ended: bool = False
    periods: int = 0


@rule("fs-physiotherapy")
def period(rules: Ruleset, tl: float = 5, therapy: bool = True) -> int:
    """Hours between the willpower rolls of a therapy, by technology level; self-help takes a year."""
    if tl < 0:
        raise UserError(f"a technology level is 0 or more, not {tl:g}")
    rows = [row for row in THERAPIES(rules).values() if row.tl <= (tl if therapy else 0)]
    return max(rows, key=lambda row: row.tl).hours


@rule("fs-physiotherapy")
def rehabilitate(rules: Ruleset, will: Task = A_DOCTOR, lost: int = 1, periods: int = 1) -> Play[Therapy]:
    """A willpower roll each period wins back one lost inherent point; a botch ends all progress for good. A view of `exercise`."""
    bound("periods", periods, 0, 50)
    return (yield from sub(_go_on, rules, will, lost, periods, Therapy()))


def _go_on(rules: Ruleset, will: Task, lost: int, periods: int, now: Therapy) -> Play[Therapy]:
    if now.periods >= periods or now.ended or now.regained >= lost:
        return now
    rolled = yield from attempt(rules, will, "", "therapy")
    after = Therapy(now.regained + rolled.success, rolled.qr == BOTCH, now.periods + 1)
    return (yield from sub(_go_on, rules, will, lost, periods, after))
