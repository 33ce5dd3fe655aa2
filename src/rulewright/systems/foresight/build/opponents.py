"""Opponents by quality: the book's instant characters as files that can fight."""

import msgspec

from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.characters import Arm, Character, Gear
from rulewright.systems.foresight.people.npcs import extra
from rulewright.systems.foresight.people.skills import SKILLS, skill_score

COMPETENCES = {"green": "Green", "trained": "Competent", "veteran": "Veteran", "expert": "Expert"}
"""The words of the board, and those of the book's table."""
MOST_LEVELS = 40
REVOLVER = "Revolver (TL4.5)"


def opponent(rules: Ruleset, quality: str) -> Character:
    """A Thug of a competence with a revolver: the levels of skills that come to the scores which the competence gives."""
    if quality not in COMPETENCES:
        raise UserError(f"there is no quality {quality!r}; there are {', '.join(COMPETENCES)}")
    made = extra(rules, COMPETENCES[quality], "Thug", weapon="Handguns")
    known = SKILLS(rules)
    levels = {skill: _level(rules, skill, score, made.attributes) for skill, score in made.skills.items() if skill in known}
    return Character(
        name=f"{quality.capitalize()} opponent",
        concept=made.name,
        tl=5,
        attributes=msgspec.convert(msgspec.to_builtins(made.attributes), Attributes),
        skills={skill: level for skill, level in levels.items() if level >= 0},
        gear=Gear(ranged=(Arm(REVOLVER),)),
        player=False,
    )


def _level(rules: Ruleset, skill: str, score: int, attributes: Attributes) -> int:
    """The least level at which a skill comes to a score; attributes alone may come to more."""
    return next((level for level in range(MOST_LEVELS) if skill_score(rules, skill, level, attributes).value >= score), MOST_LEVELS)
