"""What outlasts a fight: wounds, fatigue, Emergency Dice that were spent, rounds that were fired."""

import msgspec

from rulewright.scenes.scenarios import Lasts, counted, numbered
from rulewright.systems.scumm.combat.fighters import Fighter
from rulewright.systems.scumm.harm.body import HURT, WORN, LimbInjury, Patient

CARRIES = (*HURT, *WORN, "ammo", "jammed")
"""The fields of a fighter's state that a scene begins with and leaves behind."""


def aftermath(fighter: Fighter) -> dict[str, Lasts]:
    """What somebody takes along into the next scene. What passes within the hour (a knockout, aim, posture) is not among it."""
    found = _body(fighter.body)
    weapons = fighter.profile.weapons
    for name, weapon, left, stuck in zip(numbered([each.name for each in weapons]), weapons, fighter.ammo, fighter.jammed, strict=True):
        if weapon.gun:
            found[f"ammo.{name}"] = Lasts(left, f"{name}: {left} of {weapon.ammo} rounds")
            found[f"jammed.{name}"] = Lasts(stuck, f"{name}: {'jammed' if stuck else 'not jammed'}")
    return found


def _body(body: Patient) -> dict[str, Lasts]:
    return {
        "flesh": Lasts(body.flesh, counted(body.flesh, "Flesh wound")),
        "deep": Lasts(body.deep, counted(body.deep, "Deep wound")),
        "bruised_flesh": Lasts(body.bruised_flesh, counted(body.bruised_flesh, "Flesh bruise")),
        "bruised_deep": Lasts(body.bruised_deep, counted(body.bruised_deep, "Deep bruise")),
        "limbs": Lasts(
            [msgspec.to_builtins(limb) for limb in body.limbs], "; ".join([_limb(limb) for limb in body.limbs]) or "no limb hurt"
        ),
        "trauma": Lasts(body.trauma, "not dying" if body.trauma is None else f"dying: {counted(body.trauma, 'minute')} left"),
        "coma": Lasts(body.coma, "in a coma" if body.coma else "out of the coma"),
        "resuscitated": Lasts(body.resuscitated, "brought back from death" if body.resuscitated else "not brought back from death"),
        "dead": Lasts(body.dead, "dead" if body.dead else "alive"),
        "fatigue": Lasts(body.fatigue, f"fatigue {body.fatigue}"),
        "collapsed": Lasts(body.collapsed, "collapsed from fatigue" if body.collapsed else "on their feet again"),
        "stiffness": Lasts(body.stiffness, f"stiffness {body.stiffness}"),
        "emergency_dice": Lasts(body.emergency_dice, f"{counted(body.emergency_dice, 'Emergency Die', 'Emergency Dice')} left"),
    }


def _limb(limb: LimbInjury) -> str:
    state = "severed" if limb.severed else "useless" if limb.useless else "hurt"
    return f"{limb.limb} {state}"
