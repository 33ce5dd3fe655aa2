"""A plain all-rounder that is legal under any campaign settings."""

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.genres.profiles import cybernetic_points, profile
from rulewright.systems.silhouette.people.characters import (
    Character,
    Gear,
    attributes_cost,
    character_points,
    quick_start,
    skill_cost,
    skill_points,
)
from rulewright.systems.silhouette.people.conditions import Habit, TakenIn

_WISHES = (
    *(("defense", 2), ("notice", 2), ("combat sense", 2), ("small arms", 2), ("athletics", 2), ("hand-to-hand", 2), ("streetwise", 2)),
    *(("medicine", 1), ("melee", 1), ("stealth", 1), ("investigation", 1), ("negotiation", 1), ("tinker", 1), ("throwing", 1)),
    *(("survival (woodlands)", 2), ("pilot (ground)", 2), ("leadership", 1), ("gambling", 1), ("disguise", 1), ("business", 1)),
    *(("archery", 1), ("riding", 1), ("seduction", 1), ("interrogation", 1), ("sleight-of-hand", 1), ("teaching", 1), ("zero-g", 1)),
)
"""The skills of an all-rounder in order of priority; unaffordable ones are left out."""

_RAISES = ("agility", "fitness", "perception", "willpower", "creativity", "body", "mind", "alertness", "spirit", "intelligence")


def _attributes(rules: Ruleset) -> dict[str, int]:
    """Returns the quick-start array if affordable, or average attributes with the raises the points allow."""
    allowed = character_points(rules).value
    if rules.word("attributes") == "ten" and allowed >= 30:
        return quick_start("agility", ("creativity", "fitness", "perception", "willpower"))
    from rulewright.systems.silhouette.people.characters import ATTRIBUTES, SETS

    names = tuple(SETS.get(rules.word("attributes"), dict.fromkeys(ATTRIBUTES)))
    result = dict.fromkeys(names, 0)
    for name in [RAISE for RAISE in _RAISES if RAISE in result]:
        if attributes_cost(rules, {**result, name: 1}).value <= allowed:
            result[name] = 1
    return result


def all_rounder(rules: Ruleset) -> Character:
    """Returns a plain beginner that is legal under any rules; leftover Character Points become Emergency Dice."""
    attributes = _attributes(rules)
    points = character_points(rules).value + cybernetic_points(rules, attributes)
    left = skill_points(rules).value
    skills: dict[str, int] = {}
    limits = profile(rules)
    for skill, level in _WISHES:
        if limits is not None and skill.partition(" (")[0] in limits.barred:
            continue
        cost = skill_cost(rules, level).value
        if cost <= left:
            skills[skill] = level
            left -= cost
    complexity = {}
    for skill in skills:
        cost = skill_cost(rules, 1, 2).value - skill_cost(rules, 1).value
        if cost <= left and skills[skill] > 1:
            complexity[skill] = 2
            left -= cost
    return Character(
        "All-Rounder",
        concept="an all-rounder with a little of every skill",
        attributes=attributes,
        skills=skills,
        complexity=complexity,
        emergency_dice=max(0, points - attributes_cost(rules, attributes).value),
        taken_in=TakenIn(habits=(Habit("alcohol", dependent=True),)) if limits is not None and limits.needs_flaw else TakenIn(),
        gear=Gear(weapons=("knife", "medium pistol")),
    )
