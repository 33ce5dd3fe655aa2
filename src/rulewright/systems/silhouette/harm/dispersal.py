"""Driving off a swarm: what kinds of damage are worth, and how many swarms are left (book lines 5417-5419)."""

from typing import Literal

from rulewright.errors import UserError

Source = Literal["fire", "electricity", "gas", "concussion", "hand-to-hand", "melee", "firearms"]
WORTH: dict[Source, int] = {"fire": 1, "electricity": 1, "gas": 1, "concussion": 2, "hand-to-hand": 2, "melee": 2, "firearms": 4}
"""What the damage of each kind is divided by."""


def left_of(damage: int, source: Source, threshold: int, swarms: int = 1) -> int:
    """How many swarms an attack leaves: more than the threshold drives one off, more than that of all of them the whole horde."""
    if damage < 0 or threshold < 0 or swarms < 0:
        raise UserError("damage, threshold and number of swarms must be at least 0")
    counted = damage / WORTH[source]
    if counted > threshold * swarms:
        return 0
    return swarms - 1 if counted > threshold else swarms
