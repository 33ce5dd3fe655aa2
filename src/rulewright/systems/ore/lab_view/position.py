"""What tells how a side is doing in a fight: figures of each person and of all mooks who are still able. No rules."""

from collections.abc import Mapping

from rulewright.play.position_value import compared, within_reach
from rulewright.systems.ore.combat.cover import OPEN
from rulewright.systems.ore.combat.fighters import REACH, Fight, Fighter, Group
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located
from rulewright.systems.ore.harm.locations import TRUNK

LEAST = 0.05
MOOK = 0.25
"""What a mook counts beside a person."""


def position(fight: Fight, side: str) -> Mapping[str, float]:
    """The figures of a side compared with those of the others."""
    able = [fighter for fighter in fight.fighters if fighter.able]
    members = [(fighter.side, _figures(fight, fighter)) for fighter in able]
    members += [(group.side, _mooks(group)) for group in fight.groups if group.able]
    return compared(members, side, ("able", "power"))


def _left(body: AnyBody) -> tuple[float, float]:
    """What is left of head and torso, and of the limbs."""
    if isinstance(body, Located):
        vital = [part for part in body.parts if part.location == "head" or part.location in TRUNK]
        limbs = [part for part in body.parts if part not in vital]
        return min([_empty(part.empty, part.shock, part.boxes) for part in vital], default=1.0), _mean([not part.out for part in limbs])
    if isinstance(body, Abstract):
        return max(0.0, 1 - body.total / (2 * body.health_threshold)), max(0.0, 1 - body.penalty / 5)
    boxes = max(1, body.vital_boxes)
    return max(0.0, 1 - (body.vital_lost + body.shock_lost / 2) / boxes), 1.0


def _empty(empty: int, shock: int, boxes: int) -> float:
    return (empty + shock / 3) / boxes


def _mean(whole: list[bool]) -> float:
    return sum(whole) / len(whole) if whole else 1.0


def _figures(fight: Fight, fighter: Fighter) -> dict[str, float]:
    profile, weapon = fighter.profile, fighter.weapon
    vital, limbs = _left(fighter.body)
    attack = profile.attacks[fighter.in_hand]
    foes = [foe for foe in fight.fighters if foe.able and foe.side != fighter.side]
    nearest = min([fight.distance(fighter.name, foe.name) for foe in foes], default=0)
    reach = within_reach(nearest, REACH + weapon.reach) if weapon.kind == "close" else 1.0
    dice = max(0, attack.size - fighter.tripped - fighter.afraid - fighter.choked) + fighter.aim + fighter.feints
    threat = max(LEAST, dice / 8) * (3 + max(weapon.kill, 0) + max(weapon.shock, 0) / 2) / 4 * reach
    sound = max(LEAST, vital) * (0.5 + 0.5 * limbs)
    return {
        "able": 1.0,
        "sound": sound,
        "vital": vital,
        "limbs": limbs,
        "threat": threat,
        "power": threat * sound,
        "dodge": profile.dodge.size / 6,
        "body": profile.body / 3,
        "armour": (len(fighter.worn.pieces) + fighter.worn.shield) / 6,
        "cover": float(fighter.cover != OPEN),
        "downed": float(fighter.downed),
        "held": float(bool(fighter.held_by)),
        "choked": float(fighter.choked),
        "hindered": (fighter.tripped + fighter.afraid) / 3,
        "aim": (fighter.aim + fighter.feints) / 2,
        "drama": fighter.drama / 3,
    }


def _mooks(group: Group) -> dict[str, float]:
    mob = group.mob
    dice = min(15, sum(mob.ratings))
    power = dice / 8 * (3 + mob.kill + mob.shock / 2) / 4
    return {"able": MOOK * mob.number, "mooks": MOOK * mob.number, "mook dice": dice / 8, "power": power * MOOK * mob.number**0.5}
