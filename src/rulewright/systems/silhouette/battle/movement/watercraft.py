"""End of a round for ships and submarines: pressure, flushed tanks, points spent (book lines 4464-4476)."""

from msgspec.structs import replace

from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term, times, total
from rulewright.systems.silhouette.battle.damage.environment import harmed
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.maneuver.water import crush_depth_of, emergency_surfacing, pressure, reset_rounds, safe_level, vent_scald
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

DEEPEST = 220
"""Depth of the deepest sea in levels, if a map does not give its bottom."""
_ID = "sil-5.2.1-underwater"


def bottom(battle: Battle, spot: tuple[float, float]) -> int:
    """The deepest level at a place, by the map; 0 in shallow water."""
    ground = battle.field.terrain(spot)
    if not ground.startswith(("deep", "kelp", "thermal", "mud bed", "clear bed")):
        return 0
    level = battle.field.level(spot)
    return -level if level < 0 else DEEPEST


def safe_depth(unit: Unit) -> int:
    """The deepest level that a hull withstands with its remaining Armor."""
    left = max(0.0, float(unit.machine.armor) - unit.wear.armor)
    return int(safe_level(crush_depth_of(unit.machine, left).value).value)


def depths(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Play the end of a round under water."""
    for name in [unit.name for unit in battle.units if unit.able and unit.way == "submarine"]:
        unit = battle.unit(name)
        if unit.borne:
            pass  # it rises with its hull
        elif unit.course.surfacing:
            battle = yield from _surface(battle, unit)
        elif unit.course.flushed and unit.altitude == 0:
            battle = battle.put(replace(unit, course=replace(unit.course, flushed=unit.course.flushed - 1)))
        battle = yield from _apply_pressure(rules, battle, battle.unit(name))
    return battle


def vents(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Scald crawlers in a thermal vent without heat protection, once a round."""
    for unit in battle.units:
        if not unit.able or unit.borne or unit.way not in ("walker", "ground") or battle.field.terrain(unit.spot) != "thermal vents":
            continue
        kept = any(unit.machine.has(f"hostile environment: {what}") is not None for what in ("extreme heat", "heat", "all"))
        pressed = yield from vent_scald(rules, kept, unit.name)
        if pressed.damage:
            damage = total("damage", term("Margin of Success", pressed.margin), times("ten", 10), rule=_ID)
            battle = yield from harmed(rules, battle, unit, damage, "is scalded by a thermal vent")
    return battle


def _surface(battle: Battle, unit: Unit) -> Play[Battle]:
    level = emergency_surfacing(-unit.altitude)
    up = level.value == 0
    yield from Tell(Moved(unit.name, "surfaces" if up else f"rises to depth {level.value}", (level.reason,)))
    waits = int(reset_rounds(unit.machine.size).value)
    course = replace(unit.course, surfacing=not up, flushed=waits)
    return battle.put(replace(unit, altitude=-int(level.value), course=course))


def _apply_pressure(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    """Apply pressure for a round below the safe depth; every section of a vessel is tested separately."""
    depth, safe = -unit.altitude, safe_depth(unit)
    if not unit.able or depth <= safe:
        return battle
    pressed = yield from pressure(rules, depth, safe, unit.voice if unit.section else unit.name)
    if not pressed.damage:
        return battle
    damage = total("damage", term("Margin of Success", pressed.margin), times("depth level", depth), rule=_ID)
    return (yield from harmed(rules, battle, unit, damage, "is crushed by the pressure"))
