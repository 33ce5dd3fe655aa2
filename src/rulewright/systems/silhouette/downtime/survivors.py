"""A person between scenes: the body, and the few figures that healing, treatment and fatigue need."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case, Exertion, Figure
from rulewright.highest_die.downtime import rehabilitation_figure
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.recovery import Care
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.healing import MEDIC, Activity, Medic
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.wilderness.travellers import load_strain

STAFF = MEDIC.medicine
"""Medicine of the staff where aid is constant, if the location does not say more (ruling)."""
CARE = Figure("care", "Medical aid", ("none", "constant"), rule="sil-3.5.6-recovery")
MEDICINE = Figure("medicine", f"Medicine of the staff (at least {STAFF} with constant aid)", low=0, high=10, rule="sil-3.5.4-stabilizing")
EQUIPMENT = Figure("equipment", "Modifier of the equipment on treatment", low=-5, high=10, rule="sil-3.5.4-stabilizing")
REHABILITATION = rehabilitation_figure("sil-3.5.6-recovery")
NIGHTS = Figure("nights", "Nights", ("night of rest", "sound sleep"), rule="sil-3.5.8-fatigue-recovery")
TEMPERATURE = Figure("temperature", "Temperature", ("mild", "extreme"), rule="sil-3.5.8-fatigue")
FIGURES = (CARE, MEDICINE, EQUIPMENT, REHABILITATION, NIGHTS, TEMPERATURE)

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


class Survivor(Struct, frozen=True, cache_hash=True):
    """A body, with the figures of the person that matter between scenes."""

    body: Patient = AVERAGE
    skill: Medic = Medic(medicine=0)
    """The person as a medic, without wounds."""
    load: str = ""
    """The strain of a day's march with what is carried, if it is one."""
    insomniac: bool = False

    @classmethod
    def of(cls, rules: Ruleset, character: Character, name: str = "") -> "Survivor":
        """Returns a character between scenes, with the condition in the file."""
        person = Person.of(rules, character)
        body = replace(Patient.of_person(rules, person), name=name or character.name)
        weight = sum([item.weight for item in person.gear.other])
        strength = secondary_of(rules, person)["strength"].value
        skill = replace(Medic.of(rules, person), name=body.name)
        insomniac = any(flaw.name == "insomniac" for flaw in person.flaws)
        return cls(body, skill, load_strain(rules, strength, weight), insomniac)

    def with_body(self, body: Patient) -> "Survivor":
        """Returns the same person with another body."""
        return replace(self, body=body)

    def as_medic(self, equipment: int) -> Medic:
        """Returns the person as a medic, with the wounds and fatigue of today."""
        return replace(self.skill, name=self.body.name, penalty=self.body.acting_penalty, modifier=equipment)

    @property
    def treats(self) -> bool:
        """Whether the person knows Medicine and is fit to use it."""
        return self.skill.medicine > 0 and self.body.able


def exertion_of(case: Case[Survivor]) -> str:
    """What a person does: rest, if nothing is said, or if the body allows nothing else (ruling)."""
    return (case.exertion if case.life.body.able else "") or REST.name


def activity_of(case: Case[Survivor]) -> Activity:
    """How much a person moves, as stabilized wounds count it."""
    doing = exertion_of(case)
    return "heavy" if doing in HEAVY else "bed rest" if doing == REST.name else "light"


def care_of(case: Case[Survivor]) -> Care:
    """The care at a location: in a hospital constant; elsewhere somebody who knows medicine keeps the resuscitated alive (ruling)."""
    if case.figure(CARE) == "constant":
        return "constant"
    return "nursed" if case.figure(MEDICINE) or any(other.life.treats for other in case.company) else "none"


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
