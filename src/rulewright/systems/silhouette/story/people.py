"""NPC generator: a sketch by dice, and a legal character from it (book lines 6534-6680)."""

from typing import Literal, get_args

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, nearest, rule
from rulewright.systems.silhouette.people.characters import (
    ATTRIBUTES,
    SETS,
    Character,
    Gear,
    Role,
    attributes_cost,
    character_points,
    limits,
    skill_cost,
    skill_points,
)
from rulewright.systems.silhouette.people.skills import SKILLS, named
from rulewright.systems.silhouette.story.names import FIRST, LAST
from rulewright.systems.silhouette.story.tables import FEATURES, LOOKS, TWO_DICE, TYPES, Sex, looks_row, one_of, types_of

Level = Literal["green", "qualified", "veteran", "elite"]
LEVELS: tuple[Level, ...] = ("green", "qualified", "veteran", "elite")
BEST: dict[Level, int] = {"green": 1, "qualified": 2, "veteran": 3, "elite": 4}
ROLES: dict[Level, Role] = {"green": "joe average", "qualified": "joe average", "veteran": "pc", "elite": "major npc"}
"""Default role for a level; it determines the points."""

STRONG: dict[str, tuple[str, ...]] = {
    "fighter": ("agility", "fitness", "build", "perception", "willpower", "psyche"),
    "tinkerer": ("knowledge", "creativity", "perception", "willpower", "psyche", "agility"),
    "socialite": ("influence", "appearance", "psyche", "creativity", "knowledge", "perception"),
    "rogue": ("agility", "perception", "creativity", "influence", "fitness", "appearance"),
}
"""Skills of each stereotype, the best first."""
LEARNT: dict[str, tuple[str, ...]] = {
    "fighter": ("small arms", "defense", "combat sense", "hand-to-hand", "melee", "athletics", "throwing", "heavy weapons", "leadership"),
    "tinkerer": (
        *("technical sciences (electronics)", "tinker", "natural sciences (physical)", "investigation", "medicine", "notice"),
        *("technical sciences (computers)", "defense", "teaching"),
    ),
    "socialite": (
        *("etiquette (business)", "negotiation", "leadership", "streetwise", "notice", "seduction", "business"),
        *("performance art (theatrics)", "investigation"),
    ),
    "rogue": ("stealth", "streetwise", "notice", "sleight-of-hand", "defense", "athletics", "melee", "small arms", "disguise"),
}
FILLERS = (
    *("notice", "athletics", "streetwise", "survival (urban)", "pilot (ground)", "gambling", "medicine", "stealth", "riding", "throwing"),
    *(
        "business",
        "investigation",
        "interrogation",
        "melee",
        "hand-to-hand",
        "small arms",
        "defense",
        "combat sense",
        "disguise",
        "archery",
    ),
    *(
        "tinker",
        "teaching",
        "leadership",
        "negotiation",
        "seduction",
        "animal handling",
        "zero-g",
        "forgery (documents)",
        "craft (cooking)",
    ),
)
"""Skills that anybody may have."""
ARMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "fighter": (("assault rifle", "knife"), ("medium pistol", "short sword"), ("heavy revolver", "club"), ("medium rifle", "knife")),
    "tinkerer": (("light pistol",), ("taser pistol",), ("knife",), ("light revolver",)),
    "socialite": (("light pistol",), ("rapier",), (), ("light revolver",)),
    "rogue": (("medium pistol", "throwing knife"), ("knife",), ("hand crossbow", "knife"), ("light smg", "knife")),
}
SIDES = {"talent": 3, "weakness": 4, "leaning": 9, "hobby": 20, "kit": 4}
"""Numeric parts of a sketch and their ranges."""
STRIDES = (1, 2, 4, 5, 7, 8)


class Sketch(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything about a random character; any part can be pinned or rerolled."""

    name: str = ""
    sex: Sex = "man"
    stereotype: str = "fighter"
    trade: str = ""
    twist: str = ""
    motivation: str = ""
    appearance: str = ""
    behavior: str = ""
    clothing: str = ""
    age: int = 0
    height: int = 0
    weight: int = 0
    hair: str = ""
    eyes: str = ""
    talent: int = 1
    """Which of the stereotype's attributes is the best: 1 to 3."""
    weakness: int = 1
    """Which of the other attributes is weak: 1 to 4."""
    leaning: int = 1
    """Which of its skills comes first: 1 to 9."""
    hobby: int = 1
    """Which common skills are added: 1 to 20."""
    kit: int = 1
    """Which of its usual weapon sets: 1 to 4."""


def sketch(rules: Ruleset, pinned: dict[str, object] | None = None) -> Play[Sketch]:
    """Rolls every part that is not pinned."""
    pins = dict(pinned or {})
    unknown = [name for name in pins if name not in Sketch.__struct_fields__]
    if unknown:
        raise UserError(f"a sketch has no part {unknown[0]!r}{nearest(unknown[0], Sketch.__struct_fields__)}")
    if "stereotype" in pins and pins["stereotype"] not in types_of(rules):
        raise UserError(f"there is no stereotype {pins['stereotype']!r}; choose one of {', '.join(types_of(rules))}")
    if "sex" in pins and pins["sex"] not in get_args(Sex):
        raise UserError(f"the tables have no sex {pins['sex']!r}; choose one of {', '.join(get_args(Sex))}")
    value_by_name: dict[str, object] = {}
    for part in ("sex", "stereotype", *[text for text in Sketch.__struct_fields__ if text not in ("sex", "stereotype")]):
        value_by_name[part] = pins[part] if part in pins else (yield from _rolled(rules, part, value_by_name))
    try:
        return msgspec.convert(value_by_name, Sketch, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"invalid value for a pinned part: {error}") from None


def drafted(rules: Ruleset, said: dict[str, str]) -> Play[Character]:
    """Returns a random character with the given parts, level and role."""
    level, role, pinned = _split_given(said)
    return made_from(rules, (yield from sketch(rules, pinned)), level, role)


def parts(rules: Ruleset, said: dict[str, str]) -> Play[dict[str, str]]:
    """Returns the parts of a random character in words, given ones and rolled ones."""
    drawn = yield from sketch(rules, _split_given(said)[2])
    return {name: str(getattr(drawn, name)) for name in Sketch.__struct_fields__}


def choices(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Returns the parts with a fixed list of values."""
    numbers = {name: tuple([str(number) for number in range(1, most + 1)]) for name, most in SIDES.items()}
    types = {"stereotype": types_of(rules), "motivation": types_of(rules, "motivation")}
    return {"level": LEVELS, "role": get_args(Role), "sex": get_args(Sex), **types, **numbers}


def _split_given(said: dict[str, str]) -> tuple[Level, Role | None, dict[str, object]]:
    """Splits given values into level, role and parts of the sketch."""
    level, role = said.get("level", "qualified"), said.get("role")
    if level not in LEVELS:
        raise UserError(f"there is no level {level!r}; choose one of {', '.join(LEVELS)}")
    if role is not None and role not in get_args(Role):
        raise UserError(f"there is no role {role!r}; choose one of {', '.join(get_args(Role))}")
    return level, role, {name: value for name, value in said.items() if name not in ("level", "role")}  # type: ignore[return-value]


def reroll(rules: Ruleset, before: Sketch, *parts: str) -> Play[Sketch]:
    """Rerolls some parts of a sketch."""
    kept = {name: getattr(before, name) for name in Sketch.__struct_fields__ if name not in parts}
    return (yield from sketch(rules, kept))


def _rolled(rules: Ruleset, part: str, value_by_name: dict[str, object]) -> Play[object]:
    """Rolls one part of a sketch."""
    if part == "sex":
        return ("man", "woman")[(yield from Roll(one_of(2), "", part)) - 1]
    if part in ("appearance", "behavior", "clothing"):
        return getattr(FEATURES.get(rules, str((yield from Roll(TWO_DICE, "", part)))), part)
    if part in ("age", "height", "weight", "hair", "eyes"):
        total = yield from Roll(TWO_DICE, "", part)
        return getattr(LOOKS.get(rules, str(looks_row(total, part, value_by_name["sex"]))), part)  # type: ignore[arg-type]
    if part in SIDES:
        return (yield from Roll(one_of(SIDES[part]), "", part))
    choices = _choices(rules, part, value_by_name)
    if part == "name":
        last = yield from Roll(one_of(len(LAST)), "", "family name")
        return f"{choices[(yield from Roll(one_of(len(choices)), '', part)) - 1]} {LAST[last - 1]}"
    return choices[(yield from Roll(one_of(len(choices)), "", part)) - 1]


def _choices(rules: Ruleset, part: str, value_by_name: dict[str, object]) -> tuple[str, ...]:
    if part == "stereotype":
        return types_of(rules)
    if part == "motivation":
        return types_of(rules, "motivation")
    if part == "name":
        return FIRST[str(value_by_name["sex"])]
    row = TYPES.get(rules, str(value_by_name["stereotype"]))
    return row.trades if part == "trade" else row.twists


# --- from a sketch to a character ---------------------------------------------------------------------------------------------


@rule("sil-7.2.2-stereotypes")
def made_from(rules: Ruleset, drawn: Sketch = Sketch("Somebody"), level: Level = "qualified", role: Role | None = None) -> Character:  # noqa: B008
    """Returns a legal character for a sketch and a level: attributes and skills by stereotype, as far as the points go."""
    part = role or ROLES[level]
    attributes = _attributes(rules, drawn, part)
    over = character_points(rules, part).value - attributes_cost(rules, attributes).value
    skills, complexity = _skills(rules, drawn, level, skill_points(rules, part).value + over)
    weapons = ARMS.get(drawn.stereotype, ((),))
    return Character(
        name=drawn.name or "Somebody",
        concept=f"{drawn.trade or drawn.stereotype}, {level}",
        role=part,
        attributes=attributes,
        skills=skills,
        complexity=complexity,
        gear=Gear(weapons=weapons[(drawn.kit - 1) % len(weapons)]),
        notes=described(drawn),
    )


def described(drawn: Sketch) -> str:
    """Describes a sketch for a character's notes."""
    who = f"{drawn.stereotype}: {drawn.twist}; driven by {drawn.motivation}"
    looks = f"{drawn.sex}, {drawn.age} years old, {drawn.height} cm, {drawn.weight} kg, {drawn.hair} hair, {drawn.eyes} eyes"
    return f"{who}. {looks}. {drawn.appearance}; {drawn.behavior}; {drawn.clothing}."


def _attributes(rules: Ruleset, drawn: Sketch, role: Role) -> dict[str, int]:
    """Returns attributes: average except for one weakness, or three for average people; then the talent and other strong ones in turn
    while points last."""
    allowed = character_points(rules, role).value
    strong = STRONG.get(drawn.stereotype, ATTRIBUTES)
    talent = (drawn.talent - 1) % 3
    order = [strong[talent], *[name for at, name in enumerate(strong) if at != talent]]
    weak = [name for name in ATTRIBUTES if name not in strong]
    weak = [weak[(drawn.weakness - 1 + at) % len(weak)] for at in range(3 if role == "joe average" else 1)] if weak else []
    chosen = SETS.get(rules.word("attributes"))
    if chosen is not None:
        order = list(dict.fromkeys([whole for name in order for whole, parts in chosen.items() if name in parts]))
        weak = []
    result = {name: -1 if name in weak else 0 for name in chosen or ATTRIBUTES}
    steps = [(0, 1), (1, 1), (0, 2), (2, 1), (1, 2), (3, 1), (0, 3), (2, 2), (4, 1), (5, 1), (1, 3), (3, 2)]
    for at, aim in steps:
        if at < len(order) and aim <= limits(rules, order[at])[1]:
            wished = {**result, order[at]: max(aim, result[order[at]])}
            result = wished if attributes_cost(rules, wished).value <= allowed else result
    return result


def _skills(rules: Ruleset, drawn: Sketch, level: Level, points: int) -> tuple[dict[str, int], dict[str, int]]:
    """Returns skills: the stereotype's at the level, then a point lower, then common ones, until the points are spent."""
    learnt, best = LEARNT.get(drawn.stereotype, FILLERS), BEST[level]
    stride = STRIDES[(drawn.hobby - 1) % len(STRIDES)]
    order = [learnt[(drawn.leaning - 1 + stride * at) % len(learnt)] for at in range(len(learnt))]
    skills, complexity = dict[str, int](), dict[str, int]()
    for at, name in enumerate(dict.fromkeys(order)):
        most = SKILLS.get(rules, named(rules, name).skill).specialize_above or best
        for wished in range(min(most, best if at < 5 else max(1, best - 1)), 0, -1):
            price = skill_cost(rules, wished).value
            if price <= points:
                skills[name], points = wished, points - price
                break
    deeper = skill_cost(rules, 1, 2).value - skill_cost(rules, 1).value
    for name in list(skills)[: max(0, best - 2)]:
        if deeper <= points:
            complexity[name], points = 2, points - deeper
    unknown = [FILLERS[(drawn.hobby - 1 + 3 * step) % len(FILLERS)] for step in range(len(FILLERS))]
    unknown = [name for name in dict.fromkeys((*unknown, *FILLERS)) if name not in skills]
    skills, points = _spend_rest(rules, skills, points, len(unknown))
    return {**skills, **dict.fromkeys(unknown[:points], 1)}, complexity


def _spend_rest(rules: Ruleset, skills: dict[str, int], points: int, kept: int) -> tuple[dict[str, int], int]:
    """Returns the skills with leftover points in the lowest of them, and the points left."""
    for name in sorted(skills, key=lambda text: (skills[text], text)) * 3:
        most = SKILLS.get(rules, named(rules, name).skill).specialize_above or 5
        price = skill_cost(rules, skills[name] + 1).value - skill_cost(rules, skills[name]).value
        if points > kept and price <= points and skills[name] < most:
            skills, points = {**skills, name: skills[name] + 1}, points - price
    return skills, points
