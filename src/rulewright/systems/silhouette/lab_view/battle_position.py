"""What tells how a side is doing in a battle of machines: figures of each unit that is still able. No rules."""

from collections.abc import Mapping

from rulewright.play.position_value import compared
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.morale import left_field
from rulewright.systems.silhouette.battle.movement.destinations import from_edge
from rulewright.systems.silhouette.battle.tactics.evaluation import MOST_WORTH, armed_with, best_worth, nearest_foes
from rulewright.systems.silhouette.gunnery.attacks import blocked
from rulewright.systems.silhouette.units.state import Battle, Objective
from rulewright.systems.silhouette.units.units import Unit

LOOKED_AT = 2
"""For how many of the nearest enemies a shot is rated."""


def position(rules: Ruleset, battle: Battle, side: str) -> Mapping[str, float]:
    """The figures of a side compared with those of the others, with what the sides have done for their objectives."""
    able = [unit for unit in battle.units if unit.able]
    features = compared([(unit.side, _figures(rules, battle, unit)) for unit in able], side, ("able", "power"))
    for aim in battle.place.objectives:
        mine = 1.0 if aim.side == side else -1.0
        features["objective"] = features.get("objective", 0.0) + mine
        features["left the field"] = features.get("left the field", 0.0) + mine * left_field(battle, aim) / aim.units
        if aim.edge and battle.map.size is not None:
            features["progress"] = features.get("progress", 0.0) + mine * _progress(battle, able, aim)
    return features


def _progress(battle: Battle, able: list[Unit], aim: Objective) -> float:
    """How near the units of a side are to the edge that they make for, the nearest that still have to leave, on average."""
    assert battle.map.size is not None
    across = max(1.0, battle.map.size[0] if aim.edge in ("east", "west") else battle.map.size[1])
    far = sorted([from_edge(battle, (int(unit.x), int(unit.y)), aim.edge) for unit in able if unit.side == aim.side and unit.part is None])
    still = far[: max(1, aim.units - left_field(battle, aim))]
    return sum([1 - away / across for away in still]) / aim.units


def _figures(rules: Ruleset, battle: Battle, unit: Unit) -> dict[str, float]:
    machine, wear = unit.machine, unit.wear
    armor = max(1.0, float(machine.armor))
    sound = max(0.0, 1 - wear.armor / armor)
    arms = armed_with(unit)
    usable = [arm for arm in arms if not blocked(unit, arm)]
    weight = max(1.0, machine.threat_value) ** 0.5 / 20
    foes = nearest_foes(rules, battle, unit)[:LOOKED_AT] if usable else []
    shot = best_worth(rules, battle, unit, foes) / MOST_WORTH if foes else 0.0
    armed = len(usable) / len(arms) if arms else 0.0
    return {
        "able": 1.0,
        "weight": weight,
        "sound": sound,
        "power": weight * (0.3 + 0.7 * sound) * (0.3 + 0.7 * armed),
        "armed": armed,
        "crew": min(3.0, float(unit.manned)) / 3,
        "handling lost": wear.maneuver / 3,
        "slowed": float(len(wear.slowed) + len(wear.failed)),
        "not yet acted": float(not unit.moved and not unit.done),
        "shot": shot,
        "aimed at": float(len(unit.hit_by) > 0),
        "hull down": unit.signs.hull_down / 2,
        "prone": float(unit.signs.prone),
        "fast": float(unit.speed == "top"),
        "evading": float(unit.evading),
        "burning": float(unit.signs.burning > 0),
    }
