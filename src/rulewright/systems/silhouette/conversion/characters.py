"""Conversion of whole characters, with lists of what was lost and guessed."""

from typing import Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.system import Crossing
from rulewright.systems.silhouette.conversion import abilities, skills
from rulewright.systems.silhouette.creatures.creatures import Creature
from rulewright.systems.silhouette.people.characters import Character, Person

CLASSES_BY_SKILL = {
    "small arms": "fighter",
    "melee": "fighter",
    "hand-to-hand": "fighter",
    "archery": "ranger",
    "survival": "ranger",
    "stealth": "rogue",
    "sleight-of-hand": "rogue",
    "streetwise": "rogue",
    "performance art": "bard",
    "etiquette": "aristocrat",
    "leadership": "aristocrat",
    "negotiation": "aristocrat",
}
"""Class by best skill; the default is expert."""
BY_CLASS = {
    "fighter": ("melee", "defense", "combat sense", "small arms", "athletics"),
    "warrior": ("melee", "defense", "combat sense", "athletics", "small arms"),
    "barbarian": ("melee", "athletics", "survival (woodlands)", "defense", "combat sense"),
    "ranger": ("archery", "stealth", "survival (woodlands)", "notice", "athletics"),
    "rogue": ("stealth", "sleight-of-hand", "streetwise", "notice", "athletics"),
    "monk": ("hand-to-hand", "athletics", "defense", "combat sense", "stealth"),
    "bard": ("performance art (music)", "negotiation", "streetwise", "trivia/lore (history)", "notice"),
    "aristocrat": ("etiquette (aristocratic)", "leadership", "negotiation", "riding", "melee"),
}
"""The five main skills of a class, for converted characters."""
ANYBODY = ("notice", "tinker", "investigation", "teaching", "medicine")
BACK = {"handle animal": "animal handling", "diplomacy": "negotiation", "heal": "medicine", "wilderness lore": "survival (woodlands)"}


class D20(Struct, frozen=True, forbid_unknown_fields=True):
    """A d20 character."""

    name: str
    strength: int = 10
    dexterity: int = 10
    constitution: int = 10
    intelligence: int = 10
    wisdom: int = 10
    charisma: int = 10
    size: str = "medium"
    d20_class: str = "expert"
    level: int = 1
    skills: dict[str, int] = {}
    """Ranks by skill."""
    feats: tuple[str, ...] = ()


def to_d20(rules: Ruleset, being: Character | Creature, d20_class: str | None = None) -> Crossing:
    """Converts a character or creature to d20."""
    person = Person.of(rules, being)
    known = {name: level for name, level in person.skills.items() if level > 0}
    chosen = d20_class or _class_of(known)
    skills.CLASSES.get(rules, chosen)
    given = {"instinct": 0, **being.attributes} if isinstance(being, Creature) else dict(person.attributes)
    scores = abilities.ability_scores(rules, given)
    level = skills.d20_level(rules, known).value
    points = skills.skill_points_of(rules, chosen, level, abilities.ability_modifier(scores["intelligence"])).value
    ranks = skills.shared_out(rules, known, points)
    feats = skills.feats_of(rules, known, person.specializations)
    size = abilities.d20_size(rules, person.attribute("build"))
    if skills.reads_and_writes(person.attribute("knowledge")) and not isinstance(being, Creature):
        ranks = {**ranks, "read/write language (specify)": ranks.get("read/write language (specify)", 0) + 1}
    result = D20(being.name, **scores, size=size, d20_class=chosen, level=level, skills=ranks, feats=feats)
    return Crossing(result, tuple(_list_lost(rules, being, person)), tuple(_list_guessed(rules, known, chosen, d20_class is None)))


def _class_of(known: dict[str, int]) -> str:
    best = max(known, key=lambda name: (known[name], name), default="")
    return CLASSES_BY_SKILL.get(best.partition(" (")[0], "expert")


def _list_lost(rules: Ruleset, being: Character | Creature, person: Person) -> list[str]:
    result = [f"{trait.label()} has no equivalent" for trait in (*person.perks, *person.flaws)]
    if person.complexity:
        result.append(f"Complexity of {', '.join(sorted(person.complexity))}")
    combat = [name for name in person.skills if skills.equivalent(rules, name).combat]
    if combat:
        result.append(f"levels of {', '.join(sorted(combat))}: use them as a guide to feats and attack bonus")
    unmapped = [name for name in person.skills if skills.equivalent(rules, name) == skills.EquivalentRow(skill=name)]
    if unmapped:
        result.append(f"skills without an equivalent: {', '.join(sorted(unmapped))}")
    if isinstance(being, Character) and being.gear.weapons:
        result.append(f"gear: buy it again in coins: {', '.join(being.gear.weapons)}")
    if person.emergency_dice:
        result.append("Emergency Dice")
    return result


def _list_guessed(rules: Ruleset, known: dict[str, int], chosen: str, by_skill: bool) -> list[str]:
    result = [f"class {chosen}, from the best skill"] if by_skill else []
    result.append(f"{skills.comparison(rules, skills.skill_average(known).value)}, which gives the level")
    result.append("race human; skill points in proportion to the skills")
    if any(skills.equivalent(rules, name).feat for name in known):
        result.append("feats are suggestions: take those that define the character")
    return result


# --- and back -----------------------------------------------------------------------------------------------------------------


def from_d20(rules: Ruleset, other: D20) -> Crossing:
    """Converts a d20 character: attributes from ability scores, and five skills from class and level."""
    if not 1 <= other.level <= 40:
        raise UserError(f"the level must be 1 to 40, not {other.level}")
    scores: dict[str, int] = {name: getattr(other, name) for name in abilities.ABILITIES}
    attributes = abilities.attributes_from(rules, scores)
    average = skills.average_for_level(other.level).value
    five = BY_CLASS.get(other.d20_class, ANYBODY)
    known = dict.fromkeys(five, min(10, average))
    back = _skills_from_d20(rules)
    for name, ranks in other.skills.items():
        skill = BACK.get(name) or back.get(name)
        if skill is not None and ranks > 0:
            known[skill] = max(known.get(skill, 0), min(average, 1 + ranks // 4))
    build = abilities.build_of_size(rules, other.size)
    lost = [f"the feat {feat}" for feat in other.feats]
    lost += [f"the skill {name}" for name in other.skills if BACK.get(name) is None and back.get(name) is None]
    guessed = [f"five skills at {average}, from class {other.d20_class} and level {other.level}", "other skills: one level per four ranks"]
    if other.size != "medium":
        attributes = {**attributes, "build": build}
        guessed.append(f"Build {build:+d}, from the size {other.size}")
    made = Character(other.name, concept=f"{other.d20_class} of level {other.level}", role="major npc", attributes=attributes, skills=known)
    guessed.append("points are not checked: audit the file and fix what the campaign does not allow")
    return Crossing(made, tuple(lost), tuple(guessed))


def _skills_from_d20(rules: Ruleset) -> dict[str, str]:
    """Maps d20 skills to the first equivalent skill that needs no field."""
    fields = ("craft", "language", "etiquette", "forgery", "gunnery", "performance art", "read/write", "trivia/lore", "survival")
    result: dict[str, str] = {}
    for row in skills.EQUIVALENTS(rules).values():
        for name in row.skills:
            if row.skill not in fields:
                result.setdefault(name, row.skill)
    return result


def read_d20(data: Any) -> D20:
    """Reads a d20 character from plain data."""
    try:
        return msgspec.convert(data, D20)
    except msgspec.ValidationError as error:
        raise UserError(f"this is not a valid d20 character: {error}") from None
