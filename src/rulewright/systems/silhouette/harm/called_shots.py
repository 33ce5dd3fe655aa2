"""Aiming: time taken, small marks, and the spots where wounds come easily (book lines 2352-2371)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, rule
from rulewright.systems.silhouette.harm.body import LOCATIONS, Location

Size = Literal["none", "torso", "limb", "head", "finger"]


AIMING = Column("sil-3.4.2-aiming", "target", dice=int)
"""Dice that aiming at something small takes away."""


@rule("sil-3.4.2-aiming")
def aimed_dice(rules: Ruleset, level: int, rounds: int = 0, size: Size = "none") -> int:
    """Each round of aiming adds a die, up to the skill level; a small mark takes dice away. None or fewer are rolled unskilled (ruling)."""
    if rounds < 0:
        raise UserError(f"the rounds of aiming must be at least 0, not {rounds}")
    taken = AIMING.of(rules, f"{size}-sized") if size != "none" else 0
    return level + min(rounds, max(0, level)) + taken


@rule("sil-3.4.2-aiming")
def size_of(rules: Ruleset, location: Location) -> Size:
    """How large a mark a part of the body is."""
    return LOCATIONS.get(rules, location).size


@rule("sil-3.4.2-aiming")
def vital_thresholds(flesh: int = 13, deep: int = 25, death: int = 50) -> tuple[int, int, int]:
    """At the head, the lower chest and other vital spots the natural thresholds are halved, rounded up; armor is added in full."""
    return -(-flesh // 2), -(-deep // 2), -(-death // 2)
