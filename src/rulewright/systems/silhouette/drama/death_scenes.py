"""Death scenes: what the last deeds of somebody who dies for others get (book lines 6672-6680)."""

from rulewright.errors import UserError
from rulewright.rules import rule
from rulewright.systems.silhouette.resolution.tests import Mod

FAREWELL = 5
"""What a player may spread over the deeds of a character who dies for somebody."""


@rule("sil-7.2.2-death-scene-bonus")
def farewell(spent: tuple[int, ...] = (), now: int = 0) -> Mod:
    """What one deed of a death scene gets: of five points in all, those that earlier deeds have left."""
    left = FAREWELL - sum(spent)
    if min((*spent, now)) < 0 or now > left:
        raise UserError(f"this death scene has {max(0, left)} of {FAREWELL} points left, not {now}")
    return Mod("death scene", now, "sil-7.2.2-death-scene-bonus")
