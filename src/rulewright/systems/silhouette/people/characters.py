"""Character files, and the person a character has become (book lines 943-1346, 1619-1744).

`Character` is saved: choices at creation and the log of purchases since. `Person` is derived from it and never saved.
"""

from collections.abc import Mapping
from math import trunc
from typing import Any, Literal, Protocol, get_args

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.highest_die.experience import Award as Award
from rulewright.highest_die.experience import Spent as Spent
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, divided, rounded_up, term, times, total
from rulewright.systems.silhouette.people.body_plan import HUMAN, BodyPlan
from rulewright.systems.silhouette.people.conditions import TakenIn
from rulewright.systems.silhouette.people.martial_arts import martial_bonus
from rulewright.systems.silhouette.people.powers import Power
from rulewright.systems.silhouette.people.races import Race, body_of, shifted_range
from rulewright.systems.silhouette.people.skills import AttributeName, attribute_of, named, native_tongue, unfamiliar
from rulewright.systems.silhouette.people.traits import Trait, trait_modifiers
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, complexity_modifier

ATTRIBUTES: tuple[AttributeName, ...] = get_args(AttributeName)
Role = Literal["pc", "major npc", "joe average"]

FIVE: dict[str, tuple[AttributeName, ...]] = {
    "alertness": ("agility", "perception"),
    "body": ("build", "fitness"),
    "intelligence": ("knowledge", "creativity"),
    "charisma": ("appearance", "influence"),
    "mind": ("willpower", "psyche"),
}
THREE: dict[str, tuple[AttributeName, ...]] = {
    "body": ("agility", "build", "fitness"),
    "mind": ("creativity", "knowledge", "perception"),
    "spirit": ("appearance", "influence", "willpower"),
}
SETS: dict[str, dict[str, tuple[AttributeName, ...]]] = {"five": FIVE, "three": THREE}


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """An item that is not in the book's tables."""

    name: str
    weight: float = 0
    cost: int = 0


class Gear(Struct, frozen=True, forbid_unknown_fields=True):
    """Possessions: weapons, armor and shield by their names in the book's tables, and other items."""

    weapons: tuple[str, ...] = ()
    armor: str | None = None
    shield: str | None = None
    other: tuple[Item, ...] = ()
    credits: int = 0


class Injuries(Struct, frozen=True, forbid_unknown_fields=True):
    """Wounds kept between scenes."""

    flesh: int = 0
    deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0
    stable_flesh: int = 0
    """Number of stabilized Flesh Wounds; may include bruises next to real wounds."""
    stable_deep: int = 0


Bought = Literal["skill", "complexity", "attribute", "specialization", "emergency dice", "perk", "flaw removal", "favored item"]


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, tag="purchase", tag_field="entry"):
    """A purchase with Experience Points."""

    buy: Bought
    what: str = ""
    """The skill, attribute, Perk or Flaw."""
    to: int = 0
    """The level, Complexity or attribute reached, or the number of Emergency Dice."""
    name: str = ""
    """The name of the specialization or item."""
    trait: Trait | None = None
    """The Perk with all details."""
    xp: int | None = None
    """The price paid, if a tutor or the gamemaster changed it."""
    tutor: str = ""
    story: str = ""


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A character file."""

    name: str
    system: Literal["silhouette"] = "silhouette"
    kind: Literal["character"] = "character"
    concept: str = ""
    genre: str = ""
    race: Race | None = None
    """The race of a non-human character."""
    role: Role = "pc"
    attributes: dict[str, int] = {}
    """Values by name; missing ones are 0. A campaign with fewer attributes uses its own names, or averages of the ten."""
    skills: dict[str, int] = {}
    """Levels by skill; a specific skill includes its field, `craft (cooking)`."""
    complexity: dict[str, int] = {}
    """Complexities above 1 by skill."""
    specializations: dict[str, tuple[str, ...]] = {}
    covers: dict[str, tuple[str, ...]] = {}
    """Further languages, arts or lands that a skill of higher Complexity covers."""
    favored: dict[str, str] = {}
    """The favored item of a skill."""
    native: str = ""
    """The native language, which is free."""
    perks: tuple[Trait, ...] = ()
    flaws: tuple[Trait, ...] = ()
    emergency_dice: int = 0
    """Leftover Character Points turned into Emergency Dice; the others become Skill Points."""
    gear: Gear = Gear()
    injuries: Injuries = Injuries()
    spells: tuple[Power, ...] = ()
    """Spells of a caster, each designed as a system (sil-7.5.7-magic-spells)."""
    taken_in: TakenIn = TakenIn()
    """Rads, habits and illnesses kept between scenes."""
    advancement: tuple[Award | Purchase | Spent, ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}
    """Lasting results of scenes, by the fields of a scenario member's state: wounds, fatigue, dice spent, shots fired. It takes
    precedence over `injuries` and over the Emergency Dice of the file."""


class Being(Protocol):
    """Any other file that can act as a person."""

    def as_person(self, rules: Ruleset) -> "Person":
        """Returns the being as a person for tests and scenes."""


class Person(Struct, frozen=True):
    """A character's present values: creation and all purchases. Attributes are always the ten."""

    name: str
    role: Role
    attributes: dict[str, int]
    skills: dict[str, int]
    complexity: dict[str, int]
    specializations: dict[str, tuple[str, ...]]
    covers: dict[str, tuple[str, ...]]
    favored: dict[str, str]
    perks: tuple[Trait, ...]
    flaws: tuple[Trait, ...]
    emergency_dice: int
    gear: Gear
    injuries: Injuries
    plan: BodyPlan = HUMAN
    """Features of a body that is not human."""
    condition: dict[str, Any] = {}
    """Lasting results of scenes, for the body."""
    powers: tuple[Power, ...] = ()
    """Natural powers of the race."""
    spells: tuple[Power, ...] = ()

    @classmethod
    def of(cls, rules: Ruleset, character: "Character | Being") -> "Person":
        """Returns the present values of a file."""
        if not isinstance(character, Character):
            return character.as_person(rules)
        given = dict(character.attributes)
        skills = {known(rules, name): level for name, level in character.skills.items() if level > 0}
        complexity = {known(rules, name): value for name, value in character.complexity.items() if value > 1}
        special = {known(rules, name): names for name, names in character.specializations.items() if names}
        favored = {known(rules, name): item for name, item in character.favored.items() if item}
        perks, flaws, dice = list(character.perks), list(character.flaws), character.emergency_dice
        if character.race is not None:
            perks, flaws = [*character.race.perks, *perks], [*character.race.flaws, *flaws]
        for entry in character.advancement:
            if isinstance(entry, Spent):
                dice -= entry.dice
            elif isinstance(entry, Purchase):
                what = known(rules, entry.what)
                if entry.buy == "skill":
                    skills[what] = max(entry.to, skills.get(what, 0))
                elif entry.buy == "complexity":
                    complexity[what] = max(entry.to, complexity.get(what, 1))
                elif entry.buy == "attribute":
                    given[entry.what] = max(entry.to, given.get(entry.what, 0))
                elif entry.buy == "specialization":
                    special[what] = (*special.get(what, ()), entry.name)
                elif entry.buy == "emergency dice":
                    dice += entry.to
                elif entry.buy == "favored item":
                    favored[what] = entry.name
                elif entry.buy == "perk" and entry.trait is not None:
                    perks.append(entry.trait)
                elif entry.buy == "flaw removal":
                    flaws = _without(flaws, entry)
        ten = ten_of(rules, given)
        if character.native:
            tongue = f"language ({character.native.lower()})"
            skills[tongue] = max(skills.get(tongue, 0), native_tongue(ten["knowledge"]))
        return cls(
            character.name,
            character.role,
            ten,
            skills,
            complexity,
            special,
            {known(rules, name): more for name, more in character.covers.items()},
            favored,
            tuple(perks),
            tuple(flaws),
            number_left(character.condition, "emergency_dice", max(0, dice)),
            character.gear,
            injuries_left(character),
            body_of(rules, character.race) if character.race is not None else HUMAN,
            character.condition,
            tuple(character.race.designs.values()) if character.race is not None else (),
            character.spells,
        )

    @property
    def hero(self) -> bool:
        """Whether cinematic dice apply: player characters and main villains."""
        return self.role != "joe average"

    def attribute(self, name: str) -> int:
        """Returns an attribute by name."""
        return self.attributes.get(name, 0)

    def level(self, skill: str) -> int:
        """Returns a skill level; 0 if not learned."""
        return self.skills.get(skill, 0)

    def best(self, skill: str) -> str:
        """Returns the best-known variant of a skill: with its field, or another field."""
        if skill in self.skills:
            return skill
        base = skill.partition(" (")[0]
        fields = [name for name in self.skills if name.partition(" (")[0] == base]
        return max(fields, key=lambda name: self.skills[name], default=skill)


def number_left(condition: dict[str, Any], field: str, otherwise: int) -> int:
    """Returns a count left by a scene; invalid values are ignored and reported by the audit."""
    left = condition.get(field, otherwise)
    return left if isinstance(left, int) and not isinstance(left, bool) and left >= 0 else otherwise


def injuries_left(character: Character) -> Injuries:
    """Returns the wounds of a file as the last scene left them."""
    hurt = character.injuries
    return Injuries(*[number_left(character.condition, name, getattr(hurt, name)) for name in hurt.__struct_fields__])


def _without(flaws: list[Trait], entry: Purchase) -> list[Trait]:
    for place, flaw in enumerate(flaws):
        if flaw.name == entry.what and (not entry.name or entry.name in (flaw.about, flaw.variant)):
            return flaws[:place] + flaws[place + 1 :]
    return flaws


@cached(4096)
def known(rules: Ruleset, name: str) -> str:
    """Returns the main name of a skill for any of its names; unknown names are returned unchanged for the audit."""
    try:
        return named(rules, name).key
    except UserError:
        return name


# --- attributes ---------------------------------------------------------------------------------------------------------------


class SheetRow(TableRow, frozen=True):
    """A rating on the character sheet."""

    name: str
    abbreviation: str
    kind: Literal["attribute", "secondary"]
    rates: str
    zero_average: bool = False


class QuestionRow(TableRow, frozen=True):
    """A question about a character."""

    question: str


class ScaleRow(TableRow, frozen=True):
    """Description of an attribute value from -3 to +3, and the human limits."""

    attribute: AttributeName
    scale: tuple[str, str, str, str, str, str, str]
    low: int
    high: int


class PointsRow(TableRow, frozen=True):
    """Points by reality level and role."""

    reality: str
    joe_average: int
    pc: int
    major_npc: int


class PoolRow(TableRow, frozen=True):
    """Both pools of points for a campaign style and role."""

    pool: str
    cp: int
    sp: int


class AttributeCostRow(TableRow, frozen=True):
    """Cost of an attribute value."""

    rating: int
    cost: int
    label: str
    human: bool = True


SHEET = Table("sil-1.3-character-sheet", SheetRow)
QUESTIONS = Table("sil-1.3-defining-questions", QuestionRow)
SCALE = Table("sil-2.1.1-attribute-scale", ScaleRow)
CHARACTER_POINTS = Table("sil-2.1.2-character-points", PointsRow)
SKILL_POINTS = Table("sil-2.2.1-skill-points", PointsRow)
POOLS = Table("sil-a-cp-sp", PoolRow)
ATTRIBUTE_COSTS = Table("sil-a-attribute-costs", AttributeCostRow)


@rule("sil-1.2.1-ratings")
def rating_modifier(rules: Ruleset, rating: str, value: int) -> Mod:
    """Returns a zero-average rating as a modifier; refuses others. By id only."""
    if not SHEET.get(rules, rating).zero_average:
        raise UserError(f"{rating} is not a zero-average rating and is never added to a roll")
    return Mod(rating.capitalize(), value, "sil-1.2.1-ratings")


@rule("sil-1.3-character-sheet")
def abbreviation(rules: Ruleset, rating: str) -> str:
    """Returns the abbreviation of a rating."""
    return SHEET.get(rules, rating).abbreviation


@rule("sil-2.1.1-attribute-scale")
def limits(rules: Ruleset, attribute: str) -> tuple[int, int]:
    """Returns the human limits of an attribute: -3 to +3; for Build 5 in either direction (ruling)."""
    row = SCALE(rules).get(attribute)
    if row is None:  # one of a smaller set
        return -3, 3
    return (row.low, row.high) if rules.on("wide-build") else (max(-3, row.low), min(3, row.high))


def limits_of(rules: Ruleset, character: Character, attribute: str) -> tuple[int, int]:
    """Returns the limits of an attribute for a race."""
    low, high = limits(rules, attribute)
    return (low, high) if character.race is None else shifted_range(low, high, character.race.shifts.get(attribute, 0))


@rule("sil-2.1.1-attribute-scale")
def looks_like(rules: Ruleset, attribute: str, value: int) -> str:
    """Returns the description of an attribute value."""
    scale = SCALE.get(rules, attribute).scale
    return scale[min(3, max(-3, value)) + 3]


@rule("sil-2.1.2-attribute-costs", "sil-a-attribute-costs")
def attribute_cost(rating: int) -> Derived[int]:
    """Returns the cost of an attribute: (rating + 1) squared from -1 up; below -1 as much is given back."""
    name = f"Character Points for {rating:+}" if rating else "Character Points for 0"
    return total(name, term("rating + 1", rating + 1), times("itself", abs(rating + 1)), rule="sil-2.1.2-attribute-costs")


@rule("sil-2.1.2-attribute-costs")
def attributes_cost(rules: Ruleset, attributes: dict[str, int]) -> Derived[int]:
    """Returns the cost of all attributes of a set; an unnamed one is 0 and costs a point."""
    terms = [term(name.capitalize(), attribute_cost(attributes.get(name, 0))) for name in names_of(rules, attributes)]
    return total("Character Points spent", *terms, rule="sil-2.1.2-attribute-costs")


def _points(rules: Ruleset, table: Table[PointsRow], role: Role) -> int:
    row = table.get(rules, rules.word("reality"))
    return {"pc": row.pc, "major npc": row.major_npc, "joe average": row.joe_average}[role]


@rule("sil-2.1.2-character-points")
def character_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """Returns the Character Points for this role and campaign style."""
    return _whole_pool(rules, role)


def _whole_pool(rules: Ruleset, role: Role) -> Derived[int]:
    points = _points(rules, CHARACTER_POINTS, role)
    label = f"{rules.word('reality')} {role}"
    return total("Character Points", term(label, points), rule="sil-2.1.2-character-points")


@rule("sil-2.1.2-simplified-attributes")
@instead_of(character_points, "attributes", "five")
def half_the_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """Returns half the points, rounded up, for five attributes."""
    return _share_of_the_points(rules, role, "halved", 2)


@rule("sil-2.1.2-simplified-attributes")
@instead_of(character_points, "attributes", "three")
def a_third_of_the_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """Returns a third of the points, rounded up, for three attributes."""
    return _share_of_the_points(rules, role, "a third", 3)


def _share_of_the_points(rules: Ruleset, role: Role, share: str, by: int) -> Derived[int]:
    terms = term("ten attributes", _whole_pool(rules, role)), divided(share, by), rounded_up()
    return total("Character Points", *terms, rule="sil-2.1.2-simplified-attributes")


@rule("sil-2.2.1-skill-points")
def skill_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """Returns the Skill Points for this role and campaign style."""
    points = _points(rules, SKILL_POINTS, role)
    return total("Skill Points", term(f"{rules.word('reality')} {role}", points), rule="sil-2.2.1-skill-points")


@rule("sil-a-cp-sp")
def both_pools(rules: Ruleset, role: Role = "pc") -> tuple[int, int]:
    """Returns Character Points and Skill Points of a role, as the appendix lists them for ten attributes. By id only."""
    row = POOLS.get(rules, f"{rules.word('reality')}, {role}")
    return row.cp, row.sp


@rule("sil-2.1.2-quick-start-array")
def quick_start(
    best: AttributeName = "agility", good: tuple[AttributeName, ...] = ("creativity", "fitness", "perception", "willpower")
) -> dict[str, int]:
    """Returns a ready set of attributes for 30 points: the best at +2, four at +1, the others at 0."""
    if len({best, *good}) != 5 or len(good) != 4:
        raise UserError("name five different attributes: the best one and four good ones")
    return {name: 2 if name == best else 1 if name in good else 0 for name in ATTRIBUTES}


@rule("sil-2.1.2-simplified-attributes")
def simplified(attributes: dict[str, int], number: Literal["five", "three"] = "five") -> dict[str, int]:
    """Returns fewer attributes: each the average of those it replaces, rounded toward zero."""
    return {name: trunc(sum([attributes.get(part, 0) for part in parts]) / len(parts)) for name, parts in SETS[number].items()}


def is_simplified(rules: Ruleset, attributes: Mapping[str, int]) -> bool:
    """Whether these use the names of the campaign's smaller set."""
    chosen = SETS.get(rules.word("attributes"), {})
    return any(name in chosen for name in attributes)


def names_of(rules: Ruleset, attributes: Mapping[str, int]) -> tuple[str, ...]:
    """Returns the attributes a file buys: the ten, or the campaign's smaller set (with Psyche, if three leave it out)."""
    if not is_simplified(rules, attributes):
        return ATTRIBUTES
    extra = ("psyche",) if rules.word("attributes") == "three" and "psyche" in attributes else ()
    return (*SETS[rules.word("attributes")], *extra)


def ten_of(rules: Ruleset, attributes: Mapping[str, int]) -> dict[str, int]:
    """Returns the ten attributes for tests; in a campaign with fewer, each has the value of its replacement."""
    chosen = SETS.get(rules.word("attributes"))
    if chosen is None:
        return {name: attributes.get(name, 0) for name in ATTRIBUTES}
    values: Mapping[str, int] = attributes
    if not is_simplified(rules, attributes):
        values = simplified(dict(attributes), "five" if chosen is FIVE else "three")
    result = {part: values.get(name, 0) for name, parts in chosen.items() for part in parts}
    return {name: result.get(name, attributes.get(name, 0)) for name in ATTRIBUTES}


# --- skills -------------------------------------------------------------------------------------------------------------------


class SkillCostRow(TableRow, frozen=True):
    """Cost of a level and a Complexity at creation."""

    level: int
    cost: int
    label: str
    complexity_cost: int | None = None
    training: str = ""


SKILL_COSTS = Table("sil-a-skill-costs", SkillCostRow)
SPECIALIZATION_POINTS = 5
HIGHEST_LEVEL = 10
HIGHEST_COMPLEXITY = 5


@rule("sil-2.2.1-skill-costs", "sil-a-skill-costs")
def skill_cost(rules: Ruleset, level: int, complexity: int = 1, specializations: int = 0) -> Derived[int]:
    """Returns the cost of a skill: level squared, Complexity squared from 2 up, 5 per specialization."""
    rows = SKILL_COSTS(rules)
    if level and str(level) not in rows:
        raise UserError(f"the skill level must be 0 to {max([row.level for row in rows.values()], default=0)}, not {level}")
    deep = rows.get(str(complexity))
    if deep is None or deep.complexity_cost is None:
        raise UserError(f"Complexity must be 1 to {HIGHEST_COMPLEXITY}, not {complexity}")
    levels = rows[str(level)].cost if level else 0
    terms = [term(f"level {level}", levels)]
    if deep.complexity_cost:
        terms.append(term(f"Complexity {complexity}", deep.complexity_cost))
    if specializations:
        terms.append(term("specializations", specialization_points(specializations), rule="sil-2.2.3-specialization"))
    return total("Skill Points", *terms, rule="sil-2.2.1-skill-costs")


@rule("sil-2.2.3-specialization")
def specialization(owned: tuple[str, ...], used: tuple[str, ...] = ()) -> Mod:
    """Returns the + 1 of a fitting specialization; only one counts per roll."""
    fits = [name for name in owned if name in used]
    return Mod(f"specialization: {fits[0]}" if fits else "specialization", 1 if fits else 0, "sil-2.2.3-specialization")


@rule("sil-2.2.3-specialization")
def specialization_points(number: int = 1) -> Derived[int]:
    """Returns the Skill Points for specializations: five each."""
    return total(
        "Skill Points for specializations",
        term("each", SPECIALIZATION_POINTS),
        times("specializations", number),
        rule="sil-2.2.3-specialization",
    )


def skill_test(
    rules: Ruleset,
    person: Person,
    skill: str,
    attribute: str | None = None,
    *,
    task: int | None = 1,
    used: tuple[str, ...] = (),
    when: tuple[str, ...] = (),
    modifiers: tuple[Mod, ...] = (),
    item: str = "",
) -> Pool:
    """Returns the pool of a skill test: level, attribute, Complexity against the task, one specialization, Perks and Flaws, situation.

    `task` is the Complexity of what is tried; None leaves Complexity out, as contests between different skills do. `when` names the
    circumstances that Perks and Flaws look at, `item` what is in hand.
    """
    name = known(rules, skill)
    best = person.best(name)
    chosen = attribute or attribute_of(rules, skill)
    mods = [Mod(chosen.capitalize(), person.attribute(chosen), "sil-1.2.4-skill-test")]
    if task is not None:
        mods.append(complexity_modifier(person.complexity.get(best, 1), task))
    mods.append(specialization(person.specializations.get(best, ()), used))
    if best != name and "(" in name and name.partition("(")[2].rstrip(")") not in person.covers.get(best, ()):
        mods.append(unfamiliar(rules, skill))
    base = named(rules, skill).skill
    mods += trait_modifiers(rules, base, when, person.perks, person.flaws)
    mods += [Mod("racial ability", value, "sil-6.2.2-special-abilities") for name, value in person.plan.skills if name == base]
    mods.append(martial_bonus(rules, base, person.complexity.get(best, 1), person.specializations.get("hand-to-hand", ())))
    favored = bool(item) and person.favored.get(best) == item
    return Pool(person.level(best), (), 0, person.hero, favored).plus(*mods, *modifiers)


def side(rules: Ruleset, person: Person, skill: str, attribute: str | None = None, pool: Pool | None = None) -> Side:
    """Returns a side of a contest with a skill; the contest adds Complexity."""
    best = person.best(known(rules, skill))
    chosen = attribute or attribute_of(rules, skill)
    rolls = pool if pool is not None else skill_test(rules, person, skill, chosen, task=None)
    return Side(rolls, named(rules, skill).skill, person.level(best), person.complexity.get(best, 1), person.attribute(chosen))
