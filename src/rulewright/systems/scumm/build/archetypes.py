"""A ready-made all-rounder that fits the rules of any campaign."""

from rulewright.rules import Ruleset
from rulewright.systems.scumm.people.characters import SKILL_POINTS, Attributes, Character, Gear, creation_cost

_WISHES = (
    *(("notice", 2), ("pistols", 2), ("brawl", 2), ("athletics", 2), ("persuasion", 2), ("stealth", 2)),
    *(("medicine", 1), ("drive", 1), ("investigation", 1), ("streetwise", 1), ("computer", 1)),
)
"""What an all-rounder learns, the dearest wish first; what cannot be paid is left out."""


def all_rounder(rules: Ruleset) -> Character:
    """A plain beginner, legal under any rules: skills are bought while points last, and what is left becomes Emergency Dice."""
    left = SKILL_POINTS
    skills: dict[str, int] = {}
    for skill, level in _WISHES:
        cost = creation_cost(rules, level).value
        if cost <= left:
            skills[skill] = level
            left -= cost
    return Character(
        "All-Rounder",
        concept="an all-rounder",
        attributes=Attributes(alertness=2, body=1, intelligence=1, spirit=1),
        skills=skills,
        emergency_dice=left,
        gear=Gear(melee=("knife",), guns=("9mm pistol",)),
    )
