"""A person between scenes: the body, and the few figures that healing, treatment and fatigue need."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime_rules import Case, Exertion, Figure
from rulewright.highest_die.downtime import rehabilitation_figure
from rulewright.rules import Ruleset
from rulewright.systems.scumm.gear.encumbrance import weight_carried
from rulewright.systems.scumm.harm.body import AVERAGE, Patient
from rulewright.systems.scumm.people.characters import Character, Person

CARE = Figure("care", "Medical aid", ("none", "constant"), rule="scumm-recovery")
MEDICINE = Figure("medicine", "Medicine of the staff", low=0, high=10, rule="scumm-resuscitation")
EQUIPMENT = Figure("equipment", "Equipment for resuscitation", low=-5, high=10, rule="scumm-resuscitation")
REHABILITATION = rehabilitation_figure("scumm-recovery")
NIGHTS = Figure("nights", "Nights", ("night of rest", "sound sleep"), rule="scumm-fatigue-recovery")
TEMPERATURE = Figure("temperature", "Temperature", ("mild", "extreme"), rule="scumm-fatigue")
FIGURES = (CARE, MEDICINE, EQUIPMENT, REHABILITATION, NIGHTS, TEMPERATURE)

REST = Exertion("rest", "rests quietly", "scumm-fatigue-recovery")
EXERTIONS = (
    REST,
    Exertion("ordinary days", "goes about ordinary business"),
    Exertion("hard work", "works hard for eight hours a day", "scumm-fatigue"),
    Exertion("walking", "walks all day", "scumm-fatigue"),
    Exertion("strenuous travel", "climbs, runs or swims for four hours a day", "scumm-fatigue"),
    Exertion("no sleep", "stays awake at night", "scumm-fatigue"),
)


class Survivor(Struct, frozen=True, cache_hash=True):
    """A body, with the figures of the person that matter between scenes."""

    body: Patient = AVERAGE
    strength: int = 0
    """The attribute Body."""
    medicine: int = 0
    intelligence: int = 0
    load: float = 0
    """Kilograms carried."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, name: str = "") -> "Survivor":
        """A character between scenes, with the condition in the file."""
        person = Person.of(rules, character)
        body = replace(Patient.of_person(rules, person), name=name or character.name)
        return cls(body, person.attribute("body"), person.level("medicine"), person.attribute("intelligence"), weight_carried(person))

    def with_body(self, body: Patient) -> "Survivor":
        """The same person with another body."""
        return replace(self, body=body)


def exertion_of(case: Case[Survivor]) -> str:
    """Returns the exertion of a person: rest, if none is given."""
    return case.exertion or REST.name
