"""Characters as people keep them, and the person a character has become (book lines 943-1346, 1619-1744).

`Character` is what is saved: the choices made at creation, and the log of what experience bought since. `Person` is what follows
from it now; nothing of it is ever saved.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import trunc
from typing import Any, Literal, Protocol, get_args

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.highest_die.experience import Award as Award
from rulewright.highest_die.experience import Spent as Spent
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
    """Something carried that no table of the book lists."""

    name: str
    weight: float = 0
    cost: int = 0


class Gear(Struct, frozen=True, forbid_unknown_fields=True):
    """What is owned: weapons, armor and shield by their names in the book's tables, other things freely."""

    weapons: tuple[str, ...] = ()
    armor: str | None = None
    shield: str | None = None
    other: tuple[Item, ...] = ()
    credits: int = 0


class Injuries(Struct, frozen=True, forbid_unknown_fields=True):
    """Wounds carried between scenes."""

    flesh: int = 0
    deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0
    stable_flesh: int = 0
    """How many of the Flesh Wounds are stabilized; bruises beside real wounds may be among them."""
    stable_deep: int = 0


Bought = Literal["skill", "complexity", "attribute", "specialization", "emergency dice", "perk", "flaw removal", "favored item"]


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, tag="purchase", tag_field="entry"):
    """Something bought with Experience Points."""

    buy: Bought
    what: str = ""
    """The skill, attribute, Perk or Flaw."""
    to: int = 0
    """The level, Complexity or attribute reached, or the number of Emergency Dice."""
    name: str = ""
    """The specialization's name, or the item's."""
    trait: Trait | None = None
    """The Perk, in full."""
    xp: int | None = None
    """What was paid, where a tutor or the gamemaster changed the price."""
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
    """The race, of somebody who is not human."""
    role: Role = "pc"
    attributes: dict[str, int] = {}
    """By name; what is missing is 0. A campaign with fewer attributes takes its own names, or averages the ten."""
    skills: dict[str, int] = {}
    """Levels by skill; a specific skill is written with its field, `craft (cooking)`."""
    complexity: dict[str, int] = {}
    """Complexities above 1, by the same names."""
    specializations: dict[str, tuple[str, ...]] = {}
    covers: dict[str, tuple[str, ...]] = {}
    """Further languages, arts or lands that a skill of higher Complexity covers."""
    favored: dict[str, str] = {}
    """The favored item of a skill."""
    native: str = ""
    """The native language, which costs nothing."""
    perks: tuple[Trait, ...] = ()
    flaws: tuple[Trait, ...] = ()
    emergency_dice: int = 0
    """Character Points left over that became Emergency Dice; the others become Skill Points."""
    gear: Gear = Gear()
    injuries: Injuries = Injuries()
    spells: tuple[Power, ...] = ()
    """Spells that somebody knows who has learnt Magic, each designed as a system (sil-7.5.7-magic-spells)."""
    taken_in: TakenIn = TakenIn()
    """Rads, habits and illnesses, carried from scene to scene."""
    advancement: tuple[Award | Purchase | Spent, ...] = ()
    notes: str = ""
    condition: dict[str, Any] = {}
    """What scenes have left, by the fields of a scenario member's state: wounds, fatigue, dice spent, shots fired. It goes before
    `injuries`, and before the Emergency Dice that the file comes to."""


class Being(Protocol):
    """Any other file that can take part where people do."""

    def as_person(self, rules: Ruleset) -> "Person":
        """The being as tests and scenes use people."""


class Person(Struct, frozen=True):
    """A character as it stands now: creation and everything bought since. Attributes are always the ten."""

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
    """What the body has that a human's has not."""
    condition: dict[str, Any] = {}
    """What scenes have left; the body takes it from here."""
    powers: tuple[Power, ...] = ()
    """Natural powers of the race."""
    spells: tuple[Power, ...] = ()

    @classmethod
    def of(cls, rules: Ruleset, character: "Character | Being") -> "Person":
        """What the file comes to today."""
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
        """Whether cinematic dice favour this one: player characters and main villains."""
        return self.role != "joe average"

    def attribute(self, name: str) -> int:
        """An attribute by its name."""
        return self.attributes.get(name, 0)

    def level(self, skill: str) -> int:
        """A skill's level; 0 for one that was never learnt."""
        return self.skills.get(skill, 0)

    def best(self, skill: str) -> str:
        """The name under which a skill is known best: with its field, or another field of it."""
        if skill in self.skills:
            return skill
        base = skill.partition(" (")[0]
        fields = [name for name in self.skills if name.partition(" (")[0] == base]
        return max(fields, key=lambda name: self.skills[name], default=skill)


def number_left(condition: dict[str, Any], field: str, otherwise: int) -> int:
    """What a scene has left of something that is counted; nonsense is passed over, and the audit finds it."""
    left = condition.get(field, otherwise)
    return left if isinstance(left, int) and not isinstance(left, bool) and left >= 0 else otherwise


def injuries_left(character: Character) -> Injuries:
    """The wounds of a file, as the last scene has left them."""
    hurt = character.injuries
    return Injuries(*[number_left(character.condition, name, getattr(hurt, name)) for name in hurt.__struct_fields__])


def _without(flaws: list[Trait], entry: Purchase) -> list[Trait]:
    for place, flaw in enumerate(flaws):
        if flaw.name == entry.what and (not entry.name or entry.name in (flaw.about, flaw.variant)):
            return flaws[:place] + flaws[place + 1 :]
    return flaws


@lru_cache(maxsize=4096)
def known(rules: Ruleset, name: str) -> str:
    """A skill's own name for any of its names; what is unknown stays as it is, for the audit to find."""
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
    """Something to know about a character."""

    question: str


class ScaleRow(TableRow, frozen=True):
    """What an attribute from -3 to +3 looks like, and how far humans go."""

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
    """Both pools of points for one style and part."""

    pool: str
    cp: int
    sp: int


class AttributeCostRow(TableRow, frozen=True):
    """What an attribute value costs."""

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
    """A rating of the plus and minus kind is added to a roll as it stands; others are refused. By id only."""
    if not SHEET.get(rules, rating).zero_average:
        raise UserError(f"{rating} is not a zero-average rating and is never added to a roll")
    return Mod(rating.capitalize(), value, "sil-1.2.1-ratings")


@rule("sil-1.3-character-sheet")
def abbreviation(rules: Ruleset, rating: str) -> str:
    """How a rating is written in short."""
    return SHEET.get(rules, rating).abbreviation


@rule("sil-2.1.1-attribute-scale")
def limits(rules: Ruleset, attribute: str) -> tuple[int, int]:
    """How far a human attribute goes: -3 to +3; Build alone to 5 either way (ruling)."""
    row = SCALE(rules).get(attribute)
    if row is None:  # one of a smaller set
        return -3, 3
    return (row.low, row.high) if rules.on("wide-build") else (max(-3, row.low), min(3, row.high))


def limits_of(rules: Ruleset, character: Character, attribute: str) -> tuple[int, int]:
    """How far an attribute of somebody goes, whose race may have shifted it."""
    low, high = limits(rules, attribute)
    return (low, high) if character.race is None else shifted_range(low, high, character.race.shifts.get(attribute, 0))


@rule("sil-2.1.1-attribute-scale")
def looks_like(rules: Ruleset, attribute: str, value: int) -> str:
    """What an attribute of this value looks like in life."""
    scale = SCALE.get(rules, attribute).scale
    return scale[min(3, max(-3, value)) + 3]


@rule("sil-2.1.2-attribute-costs", "sil-a-attribute-costs")
def attribute_cost(rating: int) -> Derived[int]:
    """From -1 up the rating plus one, squared; below -1 as much is given back."""
    name = f"Character Points for {rating:+}" if rating else "Character Points for 0"
    return total(name, term("rating + 1", rating + 1), times("itself", abs(rating + 1)), rule="sil-2.1.2-attribute-costs")


@rule("sil-2.1.2-attribute-costs")
def attributes_cost(rules: Ruleset, attributes: dict[str, int]) -> Derived[int]:
    """What all attributes of a set cost together; one that is not named is 0 and costs a point."""
    terms = [term(name.capitalize(), attribute_cost(attributes.get(name, 0))) for name in names_of(rules, attributes)]
    return total("Character Points spent", *terms, rule="sil-2.1.2-attribute-costs")


def _points(rules: Ruleset, table: Table[PointsRow], role: Role) -> int:
    row = table.get(rules, rules.word("reality"))
    return {"pc": row.pc, "major npc": row.major_npc, "joe average": row.joe_average}[role]


@rule("sil-2.1.2-character-points")
def character_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """How many Character Points somebody of this part has in a campaign of this style."""
    return _whole_pool(rules, role)


def _whole_pool(rules: Ruleset, role: Role) -> Derived[int]:
    points = _points(rules, CHARACTER_POINTS, role)
    label = f"{rules.word('reality')} {role}"
    return total("Character Points", term(label, points), rule="sil-2.1.2-character-points")


@rule("sil-2.1.2-simplified-attributes")
@instead_of(character_points, "attributes", "five")
def half_the_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """Five attributes are bought with half the points, rounded up."""
    return _share_of_the_points(rules, role, "halved", 2)


@rule("sil-2.1.2-simplified-attributes")
@instead_of(character_points, "attributes", "three")
def a_third_of_the_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """Three attributes are bought with a third of the points, rounded up."""
    return _share_of_the_points(rules, role, "a third", 3)


def _share_of_the_points(rules: Ruleset, role: Role, share: str, by: int) -> Derived[int]:
    terms = term("ten attributes", _whole_pool(rules, role)), divided(share, by), rounded_up()
    return total("Character Points", *terms, rule="sil-2.1.2-simplified-attributes")


@rule("sil-2.2.1-skill-points")
def skill_points(rules: Ruleset, role: Role = "pc") -> Derived[int]:
    """How many Skill Points somebody of this part has in a campaign of this style."""
    points = _points(rules, SKILL_POINTS, role)
    return total("Skill Points", term(f"{rules.word('reality')} {role}", points), rule="sil-2.2.1-skill-points")


@rule("sil-a-cp-sp")
def both_pools(rules: Ruleset, role: Role = "pc") -> tuple[int, int]:
    """Character Points and Skill Points of a part, as the appendix sums them up for ten attributes. By id only."""
    row = POOLS.get(rules, f"{rules.word('reality')}, {role}")
    return row.cp, row.sp


@rule("sil-2.1.2-quick-start-array")
def quick_start(
    best: AttributeName = "agility", good: tuple[AttributeName, ...] = ("creativity", "fitness", "perception", "willpower")
) -> dict[str, int]:
    """A ready set of attributes for 30 points: the best at +2, four good ones at +1, the others at 0."""
    if len({best, *good}) != 5 or len(good) != 4:
        raise UserError("name five different attributes: the best one and four good ones")
    return {name: 2 if name == best else 1 if name in good else 0 for name in ATTRIBUTES}


@rule("sil-2.1.2-simplified-attributes")
def simplified(attributes: dict[str, int], number: Literal["five", "three"] = "five") -> dict[str, int]:
    """Fewer attributes from the ten: each the average of those it stands for, rounded toward zero."""
    return {name: trunc(sum([attributes.get(part, 0) for part in parts]) / len(parts)) for name, parts in SETS[number].items()}


def is_simplified(rules: Ruleset, attributes: Mapping[str, int]) -> bool:
    """Whether these are written in the names of the campaign's smaller set."""
    chosen = SETS.get(rules.word("attributes"), {})
    return any(name in chosen for name in attributes)


def names_of(rules: Ruleset, attributes: Mapping[str, int]) -> tuple[str, ...]:
    """The attributes that a file buys: the ten, or those of the campaign's smaller set (with Psyche, where three leave it out)."""
    if not is_simplified(rules, attributes):
        return ATTRIBUTES
    extra = ("psyche",) if rules.word("attributes") == "three" and "psyche" in attributes else ()
    return (*SETS[rules.word("attributes")], *extra)


def ten_of(rules: Ruleset, attributes: Mapping[str, int]) -> dict[str, int]:
    """The ten attributes as tests use them; in a campaign with fewer each has the value of the one that stands for it."""
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
    """What a level and a Complexity cost a beginner."""

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
    """A level costs its square, a Complexity of 2 or more its square, a specialization 5."""
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
    """A specialization that fits the task gives +1; however many fit, only one counts on a roll."""
    fits = [name for name in owned if name in used]
    return Mod(f"specialization: {fits[0]}" if fits else "specialization", 1 if fits else 0, "sil-2.2.3-specialization")


@rule("sil-2.2.3-specialization")
def specialization_points(number: int = 1) -> Derived[int]:
    """Every specialization costs a beginner five Skill Points."""
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
    """What somebody rolls for a skill: level, attribute, Complexity against the task, one specialization, Perks and Flaws, situation.

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
    """Somebody's side of a contest with a skill; Complexity is left to the contest."""
    best = person.best(known(rules, skill))
    chosen = attribute or attribute_of(rules, skill)
    rolls = pool if pool is not None else skill_test(rules, person, skill, chosen, task=None)
    return Side(rolls, named(rules, skill).skill, person.level(best), person.complexity.get(best, 1), person.attribute(chosen))
