"""A person between scenes: the body, what they can do, the load, the sheet, and what grave wounds have cost."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case, Exertion, Figure
from rulewright.campaign.sheet_files import read_sheet, written_sheet
from rulewright.play import Reckoned
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.arms import load_of
from rulewright.systems.foresight.harm.body import CRITICAL, DYING, INCAPACITATED, SOMEBODY, Patient, condition
from rulewright.systems.foresight.harm.medicine import A_DOCTOR, BLOOD, Means
from rulewright.systems.foresight.harm.recovery import NO_CARE, Care, care
from rulewright.systems.foresight.harm.stamina import Burden
from rulewright.systems.foresight.people.abilities import ability_task
from rulewright.systems.foresight.people.attributes import Band
from rulewright.systems.foresight.people.characters import Character, Injuries, Person
from rulewright.systems.foresight.resolution.tests import Mod, Task
from rulewright.systems.foresight.ward.patients import DEEPEST, LOSSES, Bed, Cost, Doctor, Ward, read_costs
from rulewright.systems.foresight.ward.rehabilitation import care_of
from rulewright.systems.foresight.ward.scene import doctor_of

TECHNOLOGY = Figure(
    "technology", "Technology level", ("TL5", "TL3", "TL4", "TL4.2", "TL4.5", "TL6", "TL7", "TL8", "TL9"), rule="fs-medical-care"
)
HOSPITAL = Figure("hospital", "Hospital", ("none", "poor", "ordinary", "excellent"), rule="fs-medical-care")
STAFF = Figure("staff", "Score of the doctor on duty (0: nobody)", low=0, high=30, rule="fs-surgery")
BLOOD_BANK = Figure("blood", "Blood", ("none", "infusion", "crude substitute", "whole blood", "artificial blood"), rule="fs-restore-blood")
THERAPY = Figure("therapy", "Therapy", ("self-help", "physiotherapy"), rule="fs-physiotherapy")
SHELTER = Figure("shelter", "Food and shelter", ("enough", "not enough"), rule="fs-stamina-pool")
TEMPERATURE = Figure("temperature", "Air temperature in °C", low=-200, high=100, default=20, rule="fs-exposure")
CLOTHING = Figure("clothing", "Clothing for the weather", ("suitable", "none", "climate control"), rule="fs-exposure")
PRESSURE = Figure("pressure", "Air, percent of normal (0: vacuum)", low=0, high=200, default=100, rule="fs-decompression")
ENVIRONMENT = Figure(
    "environment",
    "Environment",
    (
        "Urban",
        "Interior",
        "Suburban",
        "Plains",
        "Brush",
        "Forest",
        "Caves",
        "Crags",
        "Desert",
        "Snow/Ice",
        "Water",
        "Marsh",
    ),
    rule="fs-environment-familiarity",
)
GRAVITY = Figure("gravity", "Gravity, percent of Earth's", low=0, high=1000, default=100, rule="fs-gravity-familiarity")
FIGURES = (
    TECHNOLOGY,
    HOSPITAL,
    STAFF,
    BLOOD_BANK,
    THERAPY,
    SHELTER,
    TEMPERATURE,
    CLOTHING,
    PRESSURE,
    ENVIRONMENT,
    GRAVITY,
)
QUALITY = {"poor": 0.0, "ordinary": 0.5, "excellent": 1.0}
STOCK = 9
"""Units of blood at each visit: the stock of a location does not run out (ruling)."""

REST = Exertion("rest", "rests in bed", "fs-medical-care")
ORDINARY = Exertion("ordinary days", "is up by day and sleeps at night", "fs-stamina-pool")
WALKING = Exertion("walking", "walks for eight hours a day, with half an hour of rest in each", "fs-stamina-cost")
MARCH = Exertion("forced march", "walks for eight hours a day without rest", "fs-stamina-cost")
NO_SLEEP = Exertion("no sleep", "goes without rest", "fs-extreme-fatigue")
EXERTIONS = (REST, ORDINARY, WALKING, MARCH, NO_SLEEP)

Senseless = Literal["", "unconscious", "paralysed"]
SENSELESS, DRUNK, NO_PULSE = "senseless", "drunk", "heart_stopped"
"""Fields of the condition: what passes within minutes or hours, but not by the end of a downtime."""

NOBODY = Doctor("", "", A_DOCTOR, A_DOCTOR, A_DOCTOR, trained=False, surgeon=False)


class Survivor(Struct, frozen=True, cache_hash=True):
    """A body, with the figures of the person that matter between scenes."""

    body: Patient = SOMEBODY
    doctor: Doctor = NOBODY
    """The person as a doctor of others."""
    load: Burden = "free"
    deepest: int | None = None
    """The worst wound level since healthy, whatever surgeons did about it; None where grave wounds cost no attributes."""
    costs: tuple[Cost, ...] = ()
    """What grave wounds have cost for good."""
    senseless: Senseless = ""
    """What want of air or a poison does for some minutes."""
    file: str = ""
    """The sheet as JSON, without what scenes left: what abilities, experience and means follow from."""
    passing: bool = False
    """Whether the condition says something about drink, a stopped heart or consciousness already."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, name: str = "") -> "Survivor":
        """A character between scenes, with the condition in the file. Armor is taken off."""
        person, left = Person.of(rules, character), character.condition
        body = replace(Patient.of_person(rules, person), name=name or character.name, covers=())
        dead = body.dead or left.get("dead") is True
        body = replace(body, dead=dead, unconscious=left.get("unconscious", body.unconscious) is True and body.wounds >= DYING)
        body = replace(body, drunk=_number(left.get(DRUNK, 0)), heart_stopped=left.get(NO_PULSE) is True)
        deepest = None
        if rules.on("major-injury"):
            deepest = max(_number(left.get(DEEPEST, 0)), body.wounds, body.worst) if body.wounds else 0
        doctor, burden = doctor_of(rules, person, body.name), _burden(load_of(rules, person).band)
        said = left.get(SENSELESS, "")
        senseless: Senseless = said if said in ("unconscious", "paralysed") else ""
        costs = read_costs(left.get(LOSSES, ())) or ()
        passing = any(field in left for field in (SENSELESS, DRUNK, NO_PULSE))
        return cls(body, doctor, burden, deepest, costs, senseless=senseless, file=written_sheet(character), passing=passing)

    def with_body(self, body: Patient) -> "Survivor":
        """The same person with another body. How bad it has been is remembered; what passes within minutes is not."""
        body = replace(body, clock=0, unconscious=body.unconscious and body.wounds >= DYING)
        deepest = self.deepest if self.deepest is None else max(self.deepest, body.wounds, body.worst) if body.wounds else 0
        return replace(self, body=body, deepest=deepest)


def _burden(band: Band) -> Burden:
    """A load as far as it matters on foot: nobody walks with more than a burden."""
    return band if band in ("free", "laden") else "burdened"


def _number(value: object) -> int:
    """A number of a condition; 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


class Recovers(Reckoned, frozen=True):
    """Something about a body changes with time."""


# --- the sheet ----------------------------------------------------------------------------------------------------------------


def character_of(file: str) -> Character:
    """The character whose sheet was written; a nameless one with 9 in everything where there is none."""
    return read_sheet(file, Character)


@cached(64)
def person_of(rules: Ruleset, file: str) -> Person:
    """The person that a sheet describes, in good health."""
    return Person.of(rules, replace(character_of(file), injuries=Injuries()))


@cached(64)
def sheet_condition(rules: Ruleset, file: str) -> tuple[Mod, ...]:
    """What injuries written on a sheet already weigh on its tests."""
    return condition(rules, Patient.of_person(rules, Person.of(rules, character_of(file)))) if file else ()


def task_of(rules: Ruleset, case: Case[Survivor], ability: str, life: Survivor | None = None) -> Task:
    """An ability put to use at this place, with everything about the body that weighs on it. By default the person's own."""
    whose = case.life if life is None else life
    environment, gravity = str(case.figure(ENVIRONMENT)), int(case.figure(GRAVITY)) / 100
    return ability_task(rules, person_of(rules, whose.file), ability, environment, gravity, modifiers=condition(rules, whose.body))


def exertion_of(case: Case[Survivor]) -> str:
    """What a person does: rest, if nothing is said or the wounds allow nothing else."""
    body = case.life.body
    lies = body.unconscious or body.wounds >= INCAPACITATED
    return REST.name if lies or not case.exertion else case.exertion


def technology_of(case: Case[Survivor]) -> float:
    """The technology level of a location."""
    return float(str(case.figure(TECHNOLOGY)).removeprefix("TL"))


def ward_of(rules: Ruleset, case: Case[Survivor], cut: bool = False) -> Ward:
    """The circumstances as a ward with one bed: who treats the person, the care, and the store of blood."""
    level, quality = technology_of(case), QUALITY.get(str(case.figure(HOSPITAL)))
    here: Care = NO_CARE if quality is None else care(rules, level, quality)
    blood = str(case.figure(BLOOD_BANK))
    means: dict[str, Means] = {row.means: row.means for row in BLOOD(rules).values() if row.tl <= level}  # type: ignore[misc]
    store = ((means[blood], STOCK),) if blood in means else ()
    bed = Bed("", case.life.body, cut=cut, up=exertion_of(case) != REST.name)
    return Ward(level, here, (bed,), _doctors(rules, case), store, cause_counts=True)


def care_in(rules: Ruleset, case: Case[Survivor]) -> Care:
    """The care that a person has."""
    ward = ward_of(rules, case)
    return care_of(rules, ward, ward.beds[0])


def _doctors(rules: Ruleset, case: Case[Survivor]) -> tuple[Doctor, ...]:
    """The doctor on duty, and companions who are fit to act, with their wounds as penalties."""
    score = int(case.figure(STAFF))
    task = replace(A_DOCTOR, score=score)
    staff = (Doctor("the staff", "", task, task, task, trained=True, surgeon=True),) if score else ()
    fit = [other.life for other in case.company if not other.life.body.helpless and other.life.body.wounds < INCAPACITATED]
    return (*staff, *[_hampered(rules, life) for life in fit])


def _hampered(rules: Ruleset, life: Survivor) -> Doctor:
    mods, doctor = condition(rules, life.body), life.doctor
    return replace(doctor, search=doctor.search.plus(*mods), dexterity=doctor.dexterity.plus(*mods), surgery=doctor.surgery.plus(*mods))


def in_crisis(body: Patient) -> bool:
    """Whether it goes either way within the hour."""
    return not body.dead and body.wounds >= CRITICAL
