"""Aiming and called shots (book lines 2352-2371)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, rule
from rulewright.systems.silhouette.harm.body import LOCATIONS, Location

Size = Literal["none", "torso", "limb", "head", "finger"]


AIMING = Column("sil-3.4.2-aiming", "target", dice=int)
"""Dice lost by aiming at something small."""


@rule("sil-3.4.2-aiming")
def aimed_dice(rules: Ruleset, level: int, rounds: int = 0, size: Size = "none") -> int:
    """Returns the dice after aiming: +1 per round, up to the skill level; small targets take dice away. Without dice the roll is
    unskilled (ruling)."""
    if rounds < 0:
        raise UserError(f"the rounds of aiming must be at least 0, not {rounds}")
    taken = AIMING.of(rules, f"{size}-sized") if size != "none" else 0
    return level + min(rounds, max(0, level)) + taken


@rule("sil-3.4.2-aiming")
def size_of(rules: Ruleset, location: Location) -> Size:
    """Returns the size of a part of the body as a target."""
    return LOCATIONS.get(rules, location).size


@rule("sil-3.4.2-aiming")
def vital_thresholds(flesh: int = 13, deep: int = 25, death: int = 50) -> tuple[int, int, int]:
    """Returns the thresholds at the head, lower chest and other vital spots: halved and rounded up, with armor added in full."""
    return -(-flesh // 2), -(-deep // 2), -(-death // 2)
