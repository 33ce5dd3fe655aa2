"""Death scenes: bonuses for the last actions of a hero (book lines 6672-6680)."""

from rulewright.errors import UserError
from rulewright.rules import rule
from rulewright.systems.silhouette.resolution.tests import Mod

FAREWELL = 5
"""Points to spread over the actions of a death scene."""


@rule("sil-7.2.2-death-scene-bonus")
def farewell(spent: tuple[int, ...] = (), now: int = 0) -> Mod:
    """Returns the bonus for one action of a death scene, out of the five points left."""
    left = FAREWELL - sum(spent)
    if min((*spent, now)) < 0 or now > left:
        raise UserError(f"this death scene has {max(0, left)} of {FAREWELL} points left, not {now}")
    return Mod("death scene", now, "sil-7.2.2-death-scene-bonus")
