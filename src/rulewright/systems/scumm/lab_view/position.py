"""What tells how a side is doing in a fight: figures of each person who is still able. No rules."""

from collections.abc import Mapping

from rulewright.play.position_value import compared, within_reach
from rulewright.systems.scumm.combat.fighters import COVERS, DOWN, REACH, Fight, Fighter


def position(fight: Fight, side: str) -> Mapping[str, float]:
    """The figures of a side compared with those of the others."""
    able = [fighter for fighter in fight.fighters if fighter.body.able]
    waiting = {name for group in fight.queue for name in group}
    members = [(fighter.profile.side, _figures(fight, fighter, able, fighter.profile.name in waiting)) for fighter in able]
    return compared(members, side, ("able", "power"))


def _figures(fight: Fight, fighter: Fighter, able: list[Fighter], waits: bool) -> dict[str, float]:
    profile, body, weapon = fighter.profile, fighter.body, fighter.weapon
    foes = [(fighter.distance(foe), foe) for foe in able if foe.profile.side != profile.side]
    nearest, foe = min(foes, key=lambda pair: pair[0], default=(0.0, None))
    if weapon.gun:
        reach = 1.0 if fighter.loaded else 0.2
        if foe is not None and not fight.sees(fighter, foe):
            reach *= 0.7
    else:
        reach = within_reach(nearest, REACH)
    punch = (2 + profile.level(weapon.skill) + fighter.aim / 2) * weapon.damage / 25
    sound = max(0.0, 1 + body.penalty / max(1, body.system_shock))
    cover = COVERS.index(fight.cover_from((foe.x, foe.y), fighter)) if foe is not None else 0
    threat = punch * reach * (0.3 + 0.7 * sound)
    return {
        "able": 1.0,
        "sound": sound,
        "threat": threat,
        "power": threat * (0.3 + 0.7 * sound) * (1 + 0.3 * cover),
        "toughness": (body.flesh_threshold + body.armor) / 20,
        "defense": profile.defense / 3,
        "cover": float(cover),
        "down": float(fighter.mode in DOWN),
        "aim": float(fighter.aim),
        "held": float(bool(fighter.grappling)),
        "unwary": float(fighter.unwary),
        "pinned": float(fighter.pinned),
        "waits": float(waits),
        "luck": body.emergency_dice / 3,
    }
