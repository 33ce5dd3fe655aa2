"""A person between scenes: the body, lasting conditions, and the figures of the sheet that matter then; or a machine."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case, Exertion, Figure
from rulewright.highest_die.downtime import rehabilitation_figure
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.movement import Gait, sprint_of, unhurt_fastest
from rulewright.systems.silhouette.action.recovery import Care
from rulewright.systems.silhouette.drama.traits_in_play import learner
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.healing import MEDIC, Activity, Medic
from rulewright.systems.silhouette.hazards.addiction import Care as Nursing
from rulewright.systems.silhouette.hazards.atmosphere import MENTAL
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.people.advancement import standing
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.conditions import CLEAN, TakenIn
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.repairs.scene import Technician, technician_of
from rulewright.systems.silhouette.wilderness.travellers import load_strain

STAFF = MEDIC.medicine
"""Medicine of the staff where aid is constant, if the location does not say more (ruling)."""
CARE = Figure("care", "Medical aid", ("none", "constant"), rule="sil-3.5.6-recovery")
MEDICINE = Figure("medicine", f"Medicine of the staff (at least {STAFF} with constant aid)", low=0, high=10, rule="sil-3.5.4-stabilizing")
EQUIPMENT = Figure("equipment", "Modifier of the equipment on treatment", low=-5, high=10, rule="sil-3.5.4-stabilizing")
REHABILITATION = rehabilitation_figure("sil-3.5.6-recovery")
NIGHTS = Figure("nights", "Nights", ("night of rest", "sound sleep"), rule="sil-3.5.8-fatigue-recovery")
TEMPERATURE = Figure("temperature", "Temperature", ("mild", "extreme"), rule="sil-3.5.8-fatigue")
CLINIC = Figure("clinic", "Help of a clinic in withdrawal", low=0, high=4, rule="sil-6.2.3-assisted-withdrawal")
COUNSELLING = Figure("counselling", "Counselling against a craving", low=0, high=2, rule="sil-6.2.3-assisted-withdrawal")
HYGIENE = Figure("hygiene", "Hygiene", low=-3, high=3, rule="sil-6.2.4-disease")
RADS = Figure("rads", "Rads a day", low=0, high=100_000, rule="sil-6.2.8-rad-tally")
RAD_BONUS = Figure("radiation treatment", "Bonus of radiation treatment", low=0, high=4, rule="sil-6.2.8-rad-treatment")
RAD_PURGE = Figure("purging", "Purging of rads, times", low=1, high=8, default=1, rule="sil-6.2.8-rad-treatment")
GRAVITY = Figure("gravity", "Gravity", ("normal", "free fall"), rule="sil-6.2.7-sas")
MOTION_DRUGS = Figure("motion drugs", "Motion drugs", ("none", "at hand"), rule="sil-6.2.7-sas")
EXERCISE = Figure("exercise", "Hours of exercise a day", low=0, high=12, rule="sil-6.2.7-gravity-health")
WORKSHOP = Figure("workshop", "Workshop", ("parts and tools", "no parts", "no tools", "neither"), rule="sil-5.5.4-repairs")
FIGURES = (
    *(CARE, MEDICINE, EQUIPMENT, REHABILITATION, NIGHTS, TEMPERATURE, CLINIC, COUNSELLING, HYGIENE, RADS, RAD_BONUS, RAD_PURGE),
    *(GRAVITY, MOTION_DRUGS, EXERCISE, WORKSHOP),
)

BREATHLESS = ("no oxygen", "leak", "vacuum")
"""The effects that keep people from waking while they last."""

REST = Exertion("rest", "rests in bed", "sil-3.5.4-stabilizing")
EXERTIONS = (
    REST,
    Exertion("ordinary days", "goes about ordinary business", "sil-3.5.4-stabilizing"),
    Exertion("walking", "walks all day", "sil-3.5.8-fatigue"),
    Exertion("hard work", "works hard for eight hours a day", "sil-3.5.8-fatigue"),
    Exertion("strenuous travel", "climbs, runs or swims for four hours a day", "sil-3.5.8-fatigue"),
    Exertion("no sleep", "stays awake at night", "sil-3.5.8-fatigue"),
)
HEAVY = ("hard work", "strenuous travel")
"""What reopens Flesh Wounds too; of everything else but rest only Deep Wounds reopen."""


class Learning(Struct, frozen=True, cache_hash=True):
    """What a person has learnt, as far as prices of experience depend on it."""

    skills: tuple[tuple[str, int], ...] = ()
    complexity: tuple[tuple[str, int], ...] = ()
    attributes: tuple[tuple[str, int], ...] = ()
    raises: tuple[tuple[str, int], ...] = ()
    """How often each attribute has been raised."""
    practice: tuple[tuple[str, int], ...] = ()
    """Emergency Dice spent on each skill since its level rose."""
    months: int = 0
    """What a quick or slow learner adds to the months of a course."""
    bonus: int = 0
    """What a quick or slow learner adds to the tutor's test."""
    earned: int = 0

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Learning":
        """Returns what a character has learnt by the end of the log of experience."""
        now = standing(rules, character)
        months, bonus = learner(rules, character.perks, character.flaws)
        return cls(
            tuple(sorted(now.skills.items())),
            tuple(sorted(now.complexity.items())),
            tuple(sorted(now.attributes.items())),
            tuple(sorted(now.raises.items())),
            tuple(sorted(now.practice.items())),
            months,
            bonus,
            now.earned,
        )

    def level(self, skill: str) -> int:
        """Returns the level of a skill; 0 if it is unknown."""
        return dict(self.skills).get(skill, 0)

    def depth(self, skill: str) -> int:
        """Returns the Complexity of a skill."""
        return dict(self.complexity).get(skill, 1)


def taken_in(character: Character) -> TakenIn:
    """Returns rads, habits and illnesses of a character, with those that scenes have left."""
    prefix = "taken_in."
    left = {field.removeprefix(prefix): value for field, value in character.condition.items() if field.startswith(prefix)}
    try:
        return msgspec.convert({**msgspec.to_builtins(character.taken_in), **left}, TakenIn) if left else character.taken_in
    except msgspec.ValidationError:
        return character.taken_in  # the audit says what is wrong with the condition


class Survivor(Struct, frozen=True, cache_hash=True):
    """A body, with the figures of the person that matter between scenes."""

    body: Patient = AVERAGE
    skill: Medic = Medic(medicine=0)
    """The person as a medic, without wounds."""
    load: str = ""
    """The strain of a day's march with what is carried, if it is one."""
    insomniac: bool = False
    taken: TakenIn = CLEAN
    """Rads, habits, illnesses."""
    attributes: tuple[tuple[str, int], ...] = ()
    learning: Learning = Learning()
    sprint: int = 0
    """Metres of a sprint in a round."""
    gait: Gait | None = None
    """The fastest pace that the load allows; None if none."""
    technician: Technician = Technician(name="", side="")
    machine: Vehicle | None = None
    """A machine instead of a person, with its condition."""
    changed: tuple[tuple[str, str], ...] = ()
    """The fields of a machine's condition that time has changed, in words."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, name: str = "") -> "Survivor":
        """Returns a character between scenes, with the condition in the file."""
        person = Person.of(rules, character)
        body = replace(Patient.of_person(rules, person), name=name or character.name)
        weight = sum([item.weight for item in person.gear.other])
        strength = secondary_of(rules, person)["strength"].value
        skill = replace(Medic.of(rules, person), name=body.name)
        insomniac = any(flaw.name == "insomniac" for flaw in person.flaws)
        return cls(
            body,
            skill,
            load_strain(rules, strength, weight),
            insomniac,
            taken_in(character),
            tuple(sorted((attribute, person.attribute(attribute)) for attribute in MENTAL)),
            Learning.of(rules, character),
            sprint_of(rules, person),
            unhurt_fastest(rules, person, strength, weight),
            technician_of(rules, person, body.name, "workshop"),
        )

    @classmethod
    def of_machine(cls, vehicle: Vehicle, name: str = "") -> "Survivor":
        """Returns a machine, whose body is no concern."""
        return cls(replace(AVERAGE, name=name or vehicle.name, hero=False), machine=vehicle)

    def with_body(self, body: Patient) -> "Survivor":
        """Returns the same person with another body."""
        return replace(self, body=body)

    def penalized(self, before: int, after: int) -> "Survivor":
        """Returns the person with one penalty of an illness changed; all of them add up."""
        return self.with_body(replace(self.body, ill=min(0, self.body.ill + after - before)))

    def attribute(self, name: str) -> int:
        """Returns a mental attribute."""
        return dict(self.attributes).get(name, 0)

    @property
    def minds(self) -> tuple[int, ...]:
        """Returns the six mental attributes."""
        return tuple(self.attribute(name) for name in MENTAL)

    @property
    def bedridden(self) -> bool:
        """Whether illness or withdrawal keeps the person in bed."""
        ill = any(infection.fever or infection.in_bed for infection in self.taken.infections)
        return ill or any(habit.bout.danger or habit.bout.incapacity for habit in self.taken.habits)

    def as_medic(self, equipment: int) -> Medic:
        """Returns the person as a medic, with the wounds and fatigue of today."""
        return replace(self.skill, name=self.body.name, penalty=self.body.acting_penalty, modifier=equipment)

    @property
    def treats(self) -> bool:
        """Whether the person knows Medicine and is fit to use it."""
        return self.skill.medicine > 0 and self.body.able


def exertion_of(case: Case[Survivor]) -> str:
    """What a person does: rest, if nothing is said, or if the body allows nothing else (ruling)."""
    return (case.exertion if case.life.body.able and not case.life.bedridden else "") or REST.name


def activity_of(case: Case[Survivor]) -> Activity:
    """How much a person moves, as stabilized wounds count it."""
    doing = exertion_of(case)
    return "heavy" if doing in HEAVY else "bed rest" if doing == REST.name else "light"


def care_of(case: Case[Survivor]) -> Care:
    """The care at a location: in a hospital constant; elsewhere somebody who knows medicine keeps the resuscitated alive (ruling)."""
    if case.figure(CARE) == "constant":
        return "constant"
    return "nursed" if case.figure(MEDICINE) or any(other.life.treats for other in case.company) else "none"


def nursing_of(case: Case[Survivor]) -> Nursing:
    """The care that keeps people alive in a fever: proper with constant aid, some from anybody who knows medicine."""
    words: dict[Care, Nursing] = {"constant": "proper", "nursed": "some", "none": "none"}
    return words[care_of(case)]


def medics(case: Case[Survivor]) -> tuple[Medic, ...]:
    """Everybody at the same place who may treat a person: the staff, and companions who are fit for it; the best first."""
    equipment = int(case.figure(EQUIPMENT))
    staff = max(int(case.figure(MEDICINE)), STAFF if case.figure(CARE) == "constant" else 0)
    able = [other.life.as_medic(equipment) for other in case.company if other.life.treats]
    if staff:
        able.append(Medic("the staff", staff, modifier=equipment, hero=False))
    return tuple(sorted(able, key=skill_of, reverse=True))


def skill_of(medic: Medic) -> Any:
    """What makes one medic better than another."""
    return medic.medicine, medic.attribute + medic.complexity + medic.penalty
