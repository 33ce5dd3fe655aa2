"""Driving off swarms: the effect of kinds of damage, and the swarms left (book lines 5417-5419)."""

from typing import Literal

from rulewright.errors import UserError

Source = Literal["fire", "electricity", "gas", "concussion", "hand-to-hand", "melee", "firearms"]
WORTH: dict[Source, int] = {"fire": 1, "electricity": 1, "gas": 1, "concussion": 2, "hand-to-hand": 2, "melee": 2, "firearms": 4}
"""Divisor of damage by kind of attack."""


def left_of(damage: int, source: Source, threshold: int, swarms: int = 1) -> int:
    """Returns the swarms left after an attack: more than the threshold drives one off, more than all thresholds the whole horde."""
    if damage < 0 or threshold < 0 or swarms < 0:
        raise UserError("damage, threshold and number of swarms must be at least 0")
    counted = damage / WORTH[source]
    if counted > threshold * swarms:
        return 0
    return swarms - 1 if counted > threshold else swarms
