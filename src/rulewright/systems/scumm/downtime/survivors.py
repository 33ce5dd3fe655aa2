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
HYGIENE = Figure("hygiene", "Hygiene (-3 clean, +3 filthy)", low=-3, high=3, rule="scumm-disease")
CLINIC = Figure("clinic", "Clinic for addicts", low=0, high=4, rule="scumm-assisted-withdrawal")
FIGURES = (CARE, MEDICINE, EQUIPMENT, REHABILITATION, NIGHTS, TEMPERATURE, HYGIENE, CLINIC)

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
    alertness: int = 0
    spirit: int = 0
    skills: tuple[tuple[str, int], ...] = ()
    """The levels of all skills by name, sorted."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character, name: str = "") -> "Survivor":
        """A character between scenes, with the condition in the file."""
        person = Person.of(rules, character)
        body = replace(Patient.of_person(rules, person), name=name or character.name)
        return cls(
            body,
            person.attribute("body"),
            person.level("medicine"),
            person.attribute("intelligence"),
            weight_carried(person),
            person.attribute("alertness"),
            person.attribute("spirit"),
            tuple(sorted(person.skills.items())),
        )

    def level(self, skill: str) -> int:
        """A skill's level; 0 for one that was never learnt."""
        return next((level for name, level in self.skills if name == skill), 0)

    def with_body(self, body: Patient) -> "Survivor":
        """The same person with another body."""
        return replace(self, body=body)


def exertion_of(case: Case[Survivor]) -> str:
    """Returns the exertion of a person: rest, if none is given."""
    return case.exertion or REST.name
