"""Conversion of levels, classes, skills and feats, two new skills, and attack and defense as skills (book lines 7616-7784)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from rulewright.dice.sums import sum_of
from rulewright.errors import UserError
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_up, term, times, total

_LEVELS, _SKILLS, _BAB = "sil-8.2.2-classes", "sil-8.2.3-skills-and-feats", "sil-8.2.4-alternate-bab"
_DEMOLITIONS, _PILOT = "sil-8.2.3-new-demolitions", "sil-8.2.3-new-pilot"
BEST = 5
HUMAN_POINTS = 1
"""Extra skill points of humans per level in the open rules."""


class LevelRow(TableRow, frozen=True):
    """An average of the five best skills, its name, and its level in the open rules."""

    average: int
    comparison: str
    level: int
    beyond: bool = False


class EquivalentRow(TableRow, frozen=True):
    """Equivalent of a skill in the open rules: skills, a feat, or a guide to feats and attack bonus (combat)."""

    skill: str
    skills: tuple[str, ...] = ()
    feat: str = ""
    combat: bool = False


class ClassRow(TableRow, frozen=True):
    """A class of the open rules: skill points per level, and whether attack and defense are class skills in the option."""

    d20_class: str
    points: int
    attack: bool
    defense: bool
    npc: bool = False
    more: int = 0
    """Skill points per level added by the option."""


LEVELS = Table(_LEVELS, LevelRow)
EQUIVALENTS = Table(_SKILLS, EquivalentRow)
CLASSES = Table(_BAB, ClassRow)


# --- levels -------------------------------------------------------------------------------------------------------------------


@rule(_LEVELS)
def skill_average(skills: dict[str, int]) -> Derived[int]:
    """Returns the average of the five best skill levels, rounded up; missing skills count 0."""
    best = sorted(skills.values(), reverse=True)[:BEST]
    terms = [term(f"skill {at + 1}", value) for at, value in enumerate(best)]
    return total("average of the best five", *terms, divided("five", BEST), rounded_up(), rule=_LEVELS)


@rule(_LEVELS)
def d20_level(rules: Ruleset, skills: dict[str, int]) -> Derived[int]:
    """Returns the level in the open rules: three times that average minus two, at least 1."""
    average = skill_average(skills)
    return total("level", term("average", average), times("three", 3), less("two", 2), at_least(1), rule=_LEVELS)


@rule(_LEVELS)
def average_for_level(level: int) -> Derived[int]:
    """Returns the average of the five best skills for a level."""
    if level < 1:
        raise UserError(f"the level must be at least 1, not {level}")
    return total("average of the best five", term("level", level), term("two", 2), divided("three", 3), rounded_up(), rule=_LEVELS)


@rule(_LEVELS)
def comparison(rules: Ruleset, average: int) -> str:
    """Returns the name of such an average."""
    rows = [row for row in LEVELS(rules).values() if row.average <= max(1, average)]
    return max(rows, key=lambda row: row.average).comparison


# --- skills -------------------------------------------------------------------------------------------------------------------


@rule(_SKILLS)
def equivalent(rules: Ruleset, skill: str) -> EquivalentRow:
    """Returns the equivalent of a skill; one with an unlisted field uses the skill itself."""
    rows = EQUIVALENTS(rules)
    for name in (skill, skill.lower(), skill.lower().partition(" (")[0]):
        if name in rows:
            return rows[name]
    return EquivalentRow(skill=skill)


@rule(_SKILLS)
def skill_points_of(
    rules: Ruleset, d20_class: str = "fighter", level: int = 1, intelligence: int = 0, option: bool = False
) -> Derived[int]:
    """Returns the skill points of a human by class and level; the first level counts four times. With attack and defense as skills, some
    classes get 2 more per level."""
    row = CLASSES.get(rules, d20_class)
    number = max(1, row.points + (row.more if option else 0) + intelligence) + HUMAN_POINTS
    return total("skill points", term("a level", number), times("levels, the first counts four times", level + 3), rule=_SKILLS)


@rule(_SKILLS)
def shared_out(rules: Ruleset, skills: dict[str, int], points: int) -> dict[str, int]:
    """Shares skill points in proportion to the original skills; several may feed one, and the rest goes to the largest remainders."""
    weights: dict[str, int] = {}
    for skill, level in skills.items():
        for name in equivalent(rules, skill).skills:
            weights[name] = weights.get(name, 0) + level
    whole = sum(weights.values())
    if not whole:
        return {}
    exact = {name: Fraction(points * weight, whole) for name, weight in weights.items()}
    number_by_name = {name: int(share) for name, share in exact.items()}
    spare = points - sum(number_by_name.values())
    for name in sorted(exact, key=lambda text: (number_by_name[text] - exact[text], text))[:spare]:
        number_by_name[name] += 1
    return {name: ranks for name, ranks in sorted(number_by_name.items()) if ranks}


@rule(_SKILLS)
def feats_of(rules: Ruleset, skills: dict[str, int], specializations: Mapping[str, tuple[str, ...]] | None = None) -> tuple[str, ...]:
    """Returns feats that match skills and specializations; take only those that define the character or fill a free slot."""
    result = [equivalent(rules, skill).feat for skill, level in sorted(skills.items(), key=lambda pair: (-pair[1], pair[0])) if level > 0]
    special = []
    for skill, names in (specializations or {}).items():
        row = equivalent(rules, skill)
        feat = "weapon focus" if row.combat or row.feat.startswith("weapon") else "alertness" if skill == "notice" else "skill focus"
        special += [f"{feat} ({name})" for name in names]
    return tuple(dict.fromkeys([feat for feat in (*result, *special) if feat]))


@rule(_SKILLS)
def reads_and_writes(knowledge: int) -> bool:
    """Whether a character gets the skill to read and write, which has no equivalent: with Knowledge 1 or better."""
    return knowledge >= 1


# --- the two new skills -------------------------------------------------------------------------------------------------------


class Charge(Struct, frozen=True):
    """Result of handling explosives: success, the effects of a shaped charge on damage, area, dice and saves, and whether it exploded."""

    worked: bool
    damage_times: float = 1
    area_times: float = 1
    more_a_die: int = 0
    save_more: int = 0
    went_off: bool = False


@rule(_DEMOLITIONS)
def demolitions(
    rules: Ruleset,
    bonus: int = 0,
    purpose: Literal["shape", "anti-personnel", "defuse"] = "shape",
    challenge: int = 0,
    take: int | None = None,
    name: str = "",
) -> Play[Charge]:
    """Rolls Demolitions (ranks and Intelligence as the bonus): against 20 a shaped charge does 1.5 times the damage after hardness, or
    against people reaches 1.5 times as far, with +2 on each die and +4 on the save. Defusing is against 20 + Challenge Rating, without
    taking 10 or 20; missing it by 10 sets the charge off.

    By id only.
    """
    if purpose == "defuse" and take is not None:
        raise UserError("you cannot take 10 or 20 to defuse a charge")
    if take not in (None, 10, 20):
        raise UserError(f"you can take 10 or 20, not {take}")
    difficulty = 20 + (challenge if purpose == "defuse" else 0)
    rolled = take if take is not None else (yield from Roll(sum_of(1, 20), name, "demolitions"))
    margin = rolled + bonus - difficulty
    if margin < 0:
        return Charge(False, went_off=purpose == "defuse" and margin <= -10)
    if purpose == "shape":
        return Charge(True, damage_times=1.5)
    return Charge(True) if purpose == "defuse" else Charge(True, area_times=1.5, more_a_die=2, save_more=4)


@rule(_DEMOLITIONS)
def shaped_damage(damage: int, hardness: int = 0) -> float:
    """Returns the damage of a shaped charge to an object: 1.5 times the damage after hardness. By id only."""
    return max(0, damage - hardness) * 1.5


@rule(_PILOT)
def pilot(rules: Ruleset, bonus: int = 0, difficulty: int = 15, name: str = "") -> Play[bool]:
    """Rolls Pilot (ranks and Intelligence as the bonus; for land, naval or air craft), which works like Ride."""
    return (yield from Roll(sum_of(1, 20), name, "pilot")) + bonus >= difficulty


@rule(_PILOT)
def pilot_is_class_skill(d20_class: str) -> bool:
    """Whether Pilot is a class skill: only for rangers. By id only."""
    return d20_class == "ranger"


# --- attack and defense as skills ---------------------------------------------------------------------------------------------


@rule(_BAB)
def rank_price(rules: Ruleset, d20_class: str = "fighter", what: Literal["attack", "defense"] = "attack", rebalanced: bool = False) -> int:
    """Returns the skill points for a rank of attack or defense as skills: one for class skills, two for others. Rebalanced, defense is a
    class skill of all non-fighters."""
    row = CLASSES.get(rules, d20_class)
    own = row.attack if what == "attack" else row.defense or (rebalanced and not row.attack)
    return 1 if own else 2


@rule(_BAB)
def most_ranks(rules: Ruleset, d20_class: str = "fighter", level: int = 1, what: Literal["attack", "defense"] = "attack") -> float:
    """Returns the maximum ranks at a level: level + 3 in a class skill, half as many in others. By id only."""
    whole = level + 3
    return whole if rank_price(rules, d20_class, what) == 1 else whole / 2


@rule(_BAB)
def armor_class_bonus(ranks: float, dexterity_counts: bool = True) -> int:
    """Returns the dodge bonus of Defense: its full ranks; it stacks, and is lost with that of Dexterity. By id only."""
    return int(ranks) if dexterity_counts else 0


@rule(_BAB)
def total_attack(ranks: int = 4, skill_focus: bool = False, weapon_focus: bool = False, ability: int = 0) -> Derived[int]:
    """Returns an attack bonus bought as a skill: ranks, fitting feats and the ability. By id only."""
    feats = [term("skill focus", 2)] * skill_focus + [term("weapon focus", 1)] * weapon_focus
    return total("attack bonus", term("ranks", ranks), *feats, term("ability", ability), rule=_BAB)
