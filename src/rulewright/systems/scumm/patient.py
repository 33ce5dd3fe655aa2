"""A body and what has happened to it: the part of a character that injuries, drugs and healing act on."""

from typing import Literal

from msgspec import Struct

from rulewright.rules import Ruleset
from rulewright.systems.scumm.characters import Character, Person, derived_of
from rulewright.systems.scumm.gear import ARMOR

Location = Literal["head", "torso", "left arm", "right arm", "left leg", "right leg"]
LIMBS: tuple[Location, ...] = ("left arm", "right arm", "left leg", "right leg")


class LimbInjury(Struct, frozen=True):
    """What a limb has taken: two Flesh wounds or one Deep wound put it out of use."""

    limb: Location
    flesh: int = 0
    useless: bool = False
    severed: bool = False


class Patient(Struct, frozen=True, cache_hash=True):
    """The numbers that decide an injury, and the injuries carried. Every change makes a new one."""

    name: str
    health: int
    flesh_threshold: int
    deep_threshold: int
    death_threshold: int
    system_shock: int
    armor: int = 0
    covers: tuple[Location, ...] = ()
    player: bool = False
    emergency_dice: int = 0
    flesh: int = 0
    deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0
    limbs: tuple[LimbInjury, ...] = ()
    unconscious: int = 0
    """Minutes of unconsciousness still to come; 0 is awake."""
    coma: bool = False
    trauma: int | None = None
    """Minutes left before death from trauma; None for one who is not dying."""
    resuscitated: bool = False
    dead: bool = False
    other_penalty: int = 0
    """Action penalties from elsewhere (drugs, fatigue, load): zero or negative, and no part of trauma."""
    numbed: int = 0
    """Points of action penalty that an analgesic lets one ignore."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Patient":
        """The body of a character, with the injuries in its file."""
        return cls.of_person(rules, Person.of(rules, character))

    @classmethod
    def of_person(cls, rules: Ruleset, person: Person) -> "Patient":
        """The body of a person."""
        values = derived_of(rules, person)
        armor = ARMOR.get(rules, person.gear.armor) if person.gear.armor else None
        return cls(
            person.name,
            values["health"].value,
            values["flesh_wound_threshold"].value,
            values["deep_wound_threshold"].value,
            values["instant_death_threshold"].value,
            values["system_shock"].value,
            armor.points if armor else 0,
            armor.covers if armor else (),  # type: ignore[arg-type]
            person.player,
            person.emergency_dice,
            person.injuries.flesh,
            person.injuries.deep,
            person.injuries.bruised_flesh,
            person.injuries.bruised_deep,
        )
