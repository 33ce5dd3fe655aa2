"""Martial artists, in campaigns that have them (book line 7313)."""

from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.resolution.tests import Mod

ARTS = ("athletics", "combat sense", "defense", "hand-to-hand", "melee", "sleight-of-hand", "stealth")
TRAINING = "martial arts"
"""The specialization in Hand-to-Hand that makes a martial artist."""


@rule("sil-7.5.12-martial-arts")
def martial_bonus(rules: Ruleset, skill: str = "hand-to-hand", complexity: int = 1, specialized: tuple[str, ...] = (TRAINING,)) -> Mod:
    """What Complexity adds where a martial artist uses one of seven skills, in campaigns that have them (setting "martial-arts"): one who
    has specialized in martial arts (ruling)."""
    counts = rules.on("martial-arts") and skill in ARTS and TRAINING in specialized
    return Mod("martial arts", complexity if counts else 0, "sil-7.5.12-martial-arts")
