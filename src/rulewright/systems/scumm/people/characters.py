"""Characters: the saved file, and the person that follows from it (book lines 9-76, 274-295).

`Character` is what is saved: the choices made at creation, and the log of what experience bought since. `Person` is what follows
from it now; nothing of it is ever saved.
"""

from typing import Any, Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.highest_die.experience import Award as Award
from rulewright.highest_die.experience import Spent as Spent
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, limited, rounded_up, row, term, times, total
from rulewright.systems.scumm.resolution.tests import Mod, Pool, attribute_pool, skill_pool

ATTRIBUTES = ("alertness", "body", "intelligence", "spirit")
AttributeName = Literal["alertness", "body", "intelligence", "spirit"]


class Attributes(Struct, frozen=True, forbid_unknown_fields=True):
    """The four attributes; zero is average."""

    alertness: int = 0
    body: int = 0
    intelligence: int = 0
    spirit: int = 0


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """Something carried that no table of the book lists."""

    name: str
    weight: float = 0
    cost: int = 0


class Gear(Struct, frozen=True, forbid_unknown_fields=True):
    """What is owned: weapons and armor by their names in the book's tables, other things freely."""

    melee: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()
    armor: str | None = None
    other: tuple[Item, ...] = ()
    wealth: int | None = None
    """Wealth Points to start with, where the gamemaster grants other than the usual."""


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, tag="purchase", tag_field="entry"):
    """Something bought with Experience Points: one level of a skill, one point of an attribute, a specialization, Emergency Dice."""

    buy: Literal["skill", "attribute", "specialization", "emergency dice"]
    what: str = ""
    to: int = 0
    """The level or attribute reached, or the number of Emergency Dice."""
    name: str = ""
    """The specialization's name."""
    xp: int | None = None
    """What was paid, where the gamemaster asked for another price."""
    story: str = ""


class Injuries(Struct, frozen=True, forbid_unknown_fields=True):
    """Wounds carried between scenes."""

    flesh: int = 0
    deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A character file."""

    name: str
    system: Literal["scumm"] = "scumm"
    kind: Literal["character"] = "character"
    concept: str = ""
    attributes: Attributes = Attributes()
    skills: dict[str, int] = {}
    specializations: dict[str, tuple[str, ...]] = {}
    emergency_dice: int = 0
    """Bought with Skill Points left over at creation."""
    gear: Gear = Gear()
    injuries: Injuries = Injuries()
    advancement: tuple[Award | Purchase | Spent, ...] = ()
    player: bool = True
    """Only a player's character can spend Emergency Dice to escape death."""
    notes: str = ""
    condition: dict[str, Any] = {}
    """What scenes left: fields of a person in a fight, which go before `injuries` and `emergency_dice`."""


class Person(Struct, frozen=True):
    """A character in its current state: creation and everything bought since."""

    name: str
    attributes: Attributes
    skills: dict[str, int]
    specializations: dict[str, tuple[str, ...]]
    emergency_dice: int
    gear: Gear
    injuries: Injuries
    player: bool = True
    condition: dict[str, Any] = {}

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Person":
        """Returns the present person of a file."""
        attributes = {name: getattr(character.attributes, name) for name in ATTRIBUTES}
        skills = {name: level for name, level in character.skills.items() if level > 0}
        specializations = {skill: names for skill, names in character.specializations.items() if names}
        dice = character.emergency_dice
        for entry in character.advancement:
            if isinstance(entry, Spent):
                dice -= entry.dice
            elif isinstance(entry, Purchase):
                if entry.buy == "skill":
                    skills[entry.what] = max(entry.to, skills.get(entry.what, 0))
                elif entry.buy == "attribute" and entry.what in attributes:
                    attributes[entry.what] = max(entry.to, attributes[entry.what])
                elif entry.buy == "specialization":
                    specializations[entry.what] = (*specializations.get(entry.what, ()), entry.name)
                elif entry.buy == "emergency dice":
                    dice += entry.to
        return cls(
            character.name,
            Attributes(**attributes),
            skills,
            specializations,
            max(0, dice),
            character.gear,
            character.injuries,
            character.player,
            character.condition,
        )

    def attribute(self, name: str) -> int:
        """An attribute by its name."""
        return int(getattr(self.attributes, name))

    def level(self, skill: str) -> int:
        """A skill's level; 0 for one that was never learnt."""
        return self.skills.get(skill, 0)


# --- what creation allows and costs -------------------------------------------------------------------------------------------

ATTRIBUTE_POINTS = 5
SKILL_POINTS = 40
SPECIALIZATION_POINTS = 5


class AttributeRow(TableRow, frozen=True):
    """An attribute and its limits."""

    attribute: AttributeName
    abbreviation: str
    lowest: int
    highest: int
    covers: str


ATTRIBUTE_LIMITS = Table("scumm-attributes", AttributeRow)
CREATION = Column("scumm-skills-creation", "level", int, points=int)
"""What a skill level costs a beginner."""


@rule("scumm-attributes")
def points_given(rules: Ruleset, attributes: Attributes) -> Derived[int]:
    """Five points to raise attributes with; what is lowered, down to the limit, gives as many more (ruling)."""
    lowered = [
        (name, min(-value, -ATTRIBUTE_LIMITS.get(rules, name).lowest)) for name in ATTRIBUTES if (value := getattr(attributes, name)) < 0
    ]
    source = rules.source("lowered-attributes-give-points")
    given = [Reason(f"{name.capitalize()} lowered", points, "+", "scumm-attributes", source) for name, points in lowered]
    return total("Attribute points", term("every player character", ATTRIBUTE_POINTS), *given, rule="scumm-attributes")


@instead_of(points_given, "lowered-attributes-give-points", False)
def five_points_only(rules: Ruleset, attributes: Attributes) -> Derived[int]:
    """Five points and no more: lowering an attribute gives nothing back."""
    return total("Attribute points", term("every player character", ATTRIBUTE_POINTS), rule="scumm-attributes")


@rule("scumm-attributes")
def points_spent(rules: Ruleset, attributes: Attributes) -> Derived[int]:
    """One point for every step above zero."""
    raised = [term(name.capitalize(), value) for name in ATTRIBUTES if (value := getattr(attributes, name)) > 0]
    return total("Attribute points spent", *raised, rule="scumm-attributes")


@rule("scumm-skills-creation")
def creation_cost(rules: Ruleset, level: int) -> Derived[int]:
    """Returns the cost of a skill at this level for a beginner; the price is for the level as a whole (ruling)."""
    price = row("price of the level as a whole", _listed(rules, level), term("level", level))
    return total(f"Skill Points for level {level}", price, rule="scumm-skills-creation", source=rules.source("creation-costs"))


@rule("scumm-skills-creation")
def starting_limit(rules: Ruleset) -> int:
    """The highest skill level that a beginner can have: the last one with a price."""
    return max(CREATION.numbered(rules), default=0)


@instead_of(creation_cost, "creation-costs", "steps")
def creation_cost_by_steps(rules: Ruleset, level: int) -> Derived[int]:
    """Returns the cost of a skill at this level for a beginner who pays for every level on the way."""
    steps = [term(f"level {step}", _listed(rules, step)) for step in range(1, _priced(rules, level) + 1)]
    return total(f"Skill Points for level {level}", *steps, rule="scumm-skills-creation", source="house")


def _priced(rules: Ruleset, level: int) -> int:
    if not 0 <= level <= starting_limit(rules):
        raise UserError(f"a beginner's skill has a level from 0 to {starting_limit(rules)}, not {level}")
    return level


def _listed(rules: Ruleset, level: int) -> int:
    return CREATION.of(rules, str(level)) if _priced(rules, level) else 0


# --- derived attributes -------------------------------------------------------------------------------------------------------


class DerivedRow(TableRow, frozen=True):
    """A derived attribute as the book defines it."""

    name: str
    formula: str
    use: str


DERIVED = Table("scumm-derived-attributes", DerivedRow)

_ID = "scumm-derived-attributes"


@rule(_ID)
def derived(rules: Ruleset, attributes: Attributes, brawl: int = 0, melee: int = 0) -> dict[str, Derived[int]]:
    """The ten values that follow from the attributes and two skills.

    Every division is rounded up, and no wound threshold is below 1 (ruling).
    """
    ale, bod = term("Alertness", attributes.alertness), term("Body", attributes.body)
    intel, spi = term("Intelligence", attributes.intelligence), term("Spirit", attributes.spirit)
    reason, five, half = term("base", 1), term("base", 5), (divided("halved", 2), rounded_up())
    defense = total("Defense", reason, ale, bod, rule=_ID)
    combat_sense = total("Combat Sense", reason, intel, spi, rule=_ID)
    health = total("Health = average of Body and Spirit, rounded up", bod, spi, *half, rule=_ID)
    stamina = total("Stamina", five, bod, spi, rule=_ID)
    shock = limited("System Shock", five, term("Health", health), limit=at_least(1), rule=_ID)
    by_stamina = term("Stamina", stamina)
    flesh = _threshold(rules, "Flesh Wound Threshold = Stamina / 2, rounded up", by_stamina, *half)
    deep = _threshold(rules, "Deep Wound Threshold = Stamina", by_stamina)
    death = _threshold(rules, "Instant Death Threshold = Stamina × 2", by_stamina, times("twice", 2))
    unarmed = total("Unarmed Damage", term("base", 3), bod, _fifth("Brawl", brawl), rule=_ID)
    armed = total("Armed Damage", term("base", 3), bod, _fifth("Melee", melee), rule=_ID)
    return {
        "defense": defense,
        "combat_sense": combat_sense,
        "health": health,
        "stamina": stamina,
        "system_shock": shock,
        "flesh_wound_threshold": flesh,
        "deep_wound_threshold": deep,
        "instant_death_threshold": death,
        "unarmed_damage": unarmed,
        "armed_damage": armed,
    }


def _fifth(skill: str, level: int) -> Reason:
    """Returns what a fighting skill adds to damage."""
    return term(f"a fifth of {skill}", total(skill, term(skill, level), divided("a fifth", 5), rounded_up()))


def _threshold(rules: Ruleset, label: str, *terms: Reason) -> Derived[int]:
    """A wound threshold, lifted to the lowest allowed where the formula falls below it (ruling)."""
    lowest, source = rules.number("lowest-wound-threshold"), rules.source("lowest-wound-threshold")
    return limited(label, *terms, limit=at_least(lowest, "lifted to the lowest allowed", rule=_ID, source=source), rule=_ID)


def derived_of(rules: Ruleset, person: Person) -> dict[str, Derived[int]]:
    """A person's derived attributes."""
    return derived(rules, person.attributes, person.level("brawl"), person.level("melee"))


# --- skills -------------------------------------------------------------------------------------------------------------------


class SkillRow(TableRow, frozen=True):
    """A skill of the book."""

    skill: str
    attribute: AttributeName
    specializations: tuple[str, ...]
    scope: str


SKILLS = Table("scumm-skill-list", SkillRow)


@rule("scumm-specialization")
def specialization(person: Person, skill: str, used: tuple[str, ...]) -> Mod:
    """A specialization that fits the task gives +1; however many fit, only one counts on a roll."""
    meant = {name.casefold() for name in used}
    owned = [name for name in person.specializations.get(skill, ()) if name.casefold() in meant]
    return Mod(f"specialization: {owned[0]}" if owned else "specialization", 1 if owned else 0, "scumm-specialization")


@rule("scumm-cross-attribute-skill-use")
def skill_test(
    rules: Ruleset,
    person: Person,
    skill: str,
    attribute: AttributeName | None = None,
    used: tuple[str, ...] = (),
    modifiers: tuple[Mod, ...] = (),
) -> Pool:
    """A skill is tested with the attribute it stands under, or with any other that the task calls for."""
    name = attribute or SKILLS.get(rules, skill).attribute
    mods = (specialization(person, skill, used), *modifiers)
    return skill_pool(rules, person.level(skill), person.attribute(name), name.capitalize(), mods)


def attribute_test(rules: Ruleset, person: Person, attribute: AttributeName, modifiers: tuple[Mod, ...] = ()) -> Pool:
    """An attribute by itself."""
    return attribute_pool(rules, person.attribute(attribute), attribute.capitalize(), modifiers)


# --- dice that follow from derived attributes ---------------------------------------------------------------------------------


@rule("scumm-defense-roll")
def defense_pool(rules: Ruleset, defense: int, modifiers: tuple[Mod, ...] = ()) -> Pool:
    """As many dice as the Defense value; it holds the attributes already, so none is added (ruling). Zero or less is rolled unskilled."""
    return Pool(defense).plus(*modifiers)


@rule("scumm-combat-sense-roll")
def combat_sense_pool(rules: Ruleset, combat_sense: int, modifiers: tuple[Mod, ...] = ()) -> Pool:
    """As many dice as the Combat Sense value; no attribute is added (ruling). Zero or less is rolled unskilled."""
    return Pool(combat_sense).plus(*modifiers)
