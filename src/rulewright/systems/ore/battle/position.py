"""What tells how a side is doing in a battle of vehicles: figures of each vehicle and wing that is still able. No rules."""

from collections.abc import Mapping

from rulewright.play.position_value import compared
from rulewright.systems.ore.battle.combatants import Battle, Craft, Wing
from rulewright.systems.ore.machines.structure import TRACKS
from rulewright.systems.ore.machines.tables import RangeName

PREY = 1.0
APART: dict[RangeName, int] = {"VR": 0, "BVR": 1, "ER": 2}
"""How far a range is: visual, beyond visual, escape."""


def position(battle: Battle, side: str) -> Mapping[str, float]:
    """The figures of a side compared with those of the others; of a chase also how near the nearest hunter is."""
    members = [(craft.side, _craft(battle, craft)) for craft in battle.crafts if craft.able]
    members += [(wing.side, _wing(wing)) for wing in battle.wings if wing.able]
    features = compared(members, side, ("able", "power"))
    if battle.field.quarry:
        hunted = PREY if side == battle.field.quarry else -PREY
        gone = [unit for unit in battle.crafts if unit.gone and not unit.surrendered and unit.side == battle.field.quarry]
        nearest = min([APART[band] for *_, band in battle.ranges], default=0)
        features |= {"prey": hunted, "prey's lead": hunted * nearest, "prey away": hunted * len(gone)}
    return features


def _craft(battle: Battle, craft: Craft) -> dict[str, float]:
    machine, hull = craft.machine, craft.hull
    sound = 1 - hull.marked / (TRACKS * hull.size)
    manned = float(battle.manned(craft))
    guns = sum([1.0 for place in range(len(machine.guns)) if craft.shots_left(place) > 0])
    threat = (machine.firepower + guns + 1) / 4 * (0.3 + 0.7 * manned)
    return {
        "able": 1.0,
        "sound": sound,
        "threat": threat,
        "power": threat * sound * machine.size,
        "armour": machine.armour / 3,
        "size": machine.size / 3,
        "handling": machine.handling / 3,
        "unmanned": 1 - manned,
        "speed": craft.speed / 4,
        "position": (craft.position[0] * 10 + craft.position[1]) / 30,
        "system hits": float(sum([hits for _, hits in hull.hits])),
        "harried": float(craft.harried > 0),
    }


def _wing(wing: Wing) -> dict[str, float]:
    machine, rest = wing.machine, sum(wing.ratings)
    return {
        "able": len(wing.ratings) / 2,
        "wing": rest / 6,
        "power": (machine.firepower + 1) / 4 * rest / 3,
        "position": (wing.position[0] * 10 + wing.position[1]) / 30,
    }
