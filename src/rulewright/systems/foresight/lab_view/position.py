"""What tells how a side is doing in a fight: figures of each person who is still in it. No rules."""

from collections.abc import Mapping

from rulewright.play.position_value import compared, within_reach
from rulewright.systems.foresight.combat.fighters import COVERS, Fight, Fighter
from rulewright.systems.foresight.harm.body import DYING

REACH = 2.0


def position(fight: Fight, side: str) -> Mapping[str, float]:
    """The figures of a side compared with those of the others."""
    inside = [fighter for fighter in fight.fighters if not fighter.out]
    waiting = frozenset((*fight.order, fight.turn))
    members = [(fighter.profile.side, _figures(fight, fighter, inside, fighter.profile.name in waiting)) for fighter in inside]
    return compared(members, side, ("able", "power"))


def _figures(fight: Fight, fighter: Fighter, inside: list[Fighter], waits: bool) -> dict[str, float]:
    profile, body, weapon = fighter.profile, fighter.body, fighter.weapon
    foes = [(fighter.distance(foe), foe) for foe in inside if foe.profile.side != profile.side]
    nearest, foe = min(foes, key=lambda pair: pair[0], default=(0.0, None))
    if weapon.ranged:
        reach = 1.0 if fighter.ammo[fighter.hand] > 0 and fighter.jams[fighter.hand] < 0 else 0.2
        if foe is not None and not fight.sees(fighter, foe):
            reach *= 0.7
    else:
        reach = 0.6 * within_reach(nearest, REACH)
    sound = max(0.0, 1 - body.wounds / DYING)
    skill = (weapon.task.score + weapon.task.ease) / 20
    threat = max(0.1, skill) * reach * (0.4 + 0.6 * sound)
    shelter = fight.cover_from(fighter, foe) if foe is not None else None
    cover = 1.0 + COVERS.index(shelter.cover) if shelter is not None else 0.0
    return {
        "able": 1.0,
        "sound": sound,
        "threat": threat,
        "power": threat * sound * (1 + 0.3 * cover) * (0.3 if body.stunned else 1.0),
        "stunned": float(body.stunned),
        "stamina": max(0, body.stamina) / max(1, body.stamina_max),
        "toughness": body.endurance / 10 + len(body.covers) / 6,
        "cover": cover,
        "flat": float(fighter.flat),
        "aim": min(3.0, float(fighter.aim)),
        "unaware": float(bool(fighter.unaware_of)),
        "pinned": float(any(pin.of == profile.name for other in inside for pin in other.pins)),
        "entangled": float(fighter.entangled > 0),
        "rating": fighter.qr / 7,
        "waits": float(waits),
        "ready": float(fighter.waiting),
    }
