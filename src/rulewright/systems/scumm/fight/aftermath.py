"""What remains after a fight: wounds, fatigue, spent Emergency Dice and ammunition."""

from rulewright.highest_die.harm import body_left
from rulewright.scenes.scenarios import Lasts, numbered
from rulewright.systems.scumm.combat.fighters import Fighter
from rulewright.systems.scumm.harm.body import HURT, WORN

CARRIES = (*HURT, *WORN, "ammo", "jammed")
"""The fields of a fighter's state that a scene begins with and leaves behind."""


def aftermath(fighter: Fighter) -> dict[str, Lasts]:
    """Returns what a person takes along into the next scene. What passes within the hour (a knockout, aim, posture) is not among it."""
    lasts_by_name = body_left(fighter.body, "wound")
    weapons = fighter.profile.weapons
    for name, weapon, left, stuck in zip(
        numbered([candidate.name for candidate in weapons]), weapons, fighter.ammo, fighter.jammed, strict=True
    ):
        if weapon.gun:
            lasts_by_name[f"ammo.{name}"] = Lasts(left, f"{name}: {left} of {weapon.ammo} rounds")
            lasts_by_name[f"jammed.{name}"] = Lasts(stuck, f"{name}: {'jammed' if stuck else 'not jammed'}")
    return lasts_by_name
