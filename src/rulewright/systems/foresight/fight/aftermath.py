"""What remains after a scene: wounds and their treatment, stamina and ammunition."""

from rulewright.scenes.scenarios import Lasts, numbered
from rulewright.systems.foresight.combat.fighters import UNJAMMED, Fighter
from rulewright.systems.foresight.harm.body import DYING, Patient

BODY = ("wounds", "worst", "hurt", "bandaged", "operated", "stamina", "was_exhausted", "unconscious", "dead")
"""The fields of a body that a scene begins with and leaves behind."""
FIGHTER = (*BODY, "ammo", "jams", "power")


def fighter_after(fighter: Fighter) -> dict[str, Lasts]:
    """The state that a person takes out of a fight. What passes within the hour (stun, aim, posture) is not among it."""
    lasts_by_name = body_after(fighter.body)
    weapons = fighter.profile.weapons
    for name, weapon, left, jam in zip(
        numbered([candidate.name for candidate in weapons]), weapons, fighter.ammo, fighter.jams, strict=True
    ):
        if weapon.ammo:
            lasts_by_name[f"ammo.{name}"] = Lasts(left, f"{name}: {left} of {weapon.ammo} rounds")
            lasts_by_name[f"jams.{name}"] = Lasts(jam, f"{name}: {'not jammed' if jam == UNJAMMED else 'jammed'}")
    if fighter.profile.power:
        lasts_by_name["power"] = Lasts(fighter.power, f"power {fighter.power} of {fighter.profile.power}")
    return lasts_by_name


def body_after(body: Patient) -> dict[str, Lasts]:
    """The state that a body takes out of any scene; only the dying stay senseless."""
    senseless = body.unconscious and body.wounds >= DYING
    return {
        "wounds": Lasts(body.wounds, f"wound level {body.wounds}" if body.wounds else "no wounds"),
        "worst": Lasts(body.worst, f"worst wound level so far {body.worst}"),
        "hurt": Lasts(list(body.hurt), f"hurt: {', '.join(body.hurt)}" if body.hurt else "hurt nowhere"),
        "bandaged": Lasts(body.bandaged, f"bandages {body.bandaged:+}"),
        "operated": Lasts(body.operated, "operated on" if body.operated else "not operated on"),
        "stamina": Lasts(body.stamina, f"stamina {body.stamina} of {body.stamina_max}"),
        "was_exhausted": Lasts(body.was_exhausted, "exhausted since the last good sleep" if body.was_exhausted else "not exhausted"),
        "unconscious": Lasts(senseless, "unconscious" if senseless else "conscious"),
        "dead": Lasts(body.dead, "dead" if body.dead else "alive"),
    }
