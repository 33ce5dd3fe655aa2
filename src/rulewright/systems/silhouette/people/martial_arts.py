"""Martial arts, an option of some campaigns (book line 7313)."""

from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.resolution.tests import Mod

ARTS = ("athletics", "combat sense", "defense", "hand-to-hand", "melee", "sleight-of-hand", "stealth")
TRAINING = "martial arts"
"""The Hand-to-Hand specialization of a martial artist."""


@rule("sil-7.5.12-martial-arts")
def martial_bonus(rules: Ruleset, skill: str = "hand-to-hand", complexity: int = 1, specialized: tuple[str, ...] = (TRAINING,)) -> Mod:
    """Returns the Complexity bonus of a martial artist on one of seven skills (setting "martial-arts"): a character specialized in
    martial arts (ruling)."""
    counts = rules.on("martial-arts") and skill in ARTS and TRAINING in specialized
    return Mod("martial arts", complexity if counts else 0, "sil-7.5.12-martial-arts")
