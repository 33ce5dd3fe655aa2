"""Limits on Movement Points of flying, diving and drifting units; altitudes; fire between environments."""

from math import hypot

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.design.constructions import scale_factor
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.maneuver.air.descent import interface, on_ground_map, range_hex, vtol_radius
from rulewright.systems.silhouette.maneuver.air.flight import LEVEL as AIR_LEVEL
from rulewright.systems.silhouette.maneuver.air.flight import is_vtol, lowest_level, turn_radius
from rulewright.systems.silhouette.maneuver.stacking import hexes_apart
from rulewright.systems.silhouette.maneuver.terrain import terrains
from rulewright.systems.silhouette.maneuver.water import BEDS, speeds_after
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.people import RANGE
from rulewright.systems.silhouette.units.state import Battle, Place, Surroundings
from rulewright.systems.silhouette.units.units import Unit

_AIR = "sil-5.2.2-ground-air"
LOBBED = ("indirect fire",)
"""Perks that make a weapon fall rather than fly straight."""


# --- Movement Points --------------------------------------------------------------------------------------------------------------


def helpless(unit: Unit) -> bool:
    """Whether nobody can steer it now: it falls, dives on, is in re-entry, or its pilot is unconscious."""
    course = unit.course
    return bool(course.falling or course.dive or course.reentry or course.dazed)


def aloft(unit: Unit) -> bool:
    """Whether a unit is in the air: it flies and has not landed."""
    return unit.way == "air" and not unit.course.landed


def points_allowed(place: Place, unit: Unit, base: int) -> int:
    """The Movement Points that a unit may use on its present course."""
    course = unit.course
    if unit.way == "air":
        if course.landed or helpless(unit):
            return 0
        return base if course.glide is None else course.glide * place.air
    if unit.way == "submarine":
        return speeds_after(spent_before(unit), unit.machine.size, base).most
    if unit.way == "space":
        return unit.spent if course.drifted or helpless(unit) else base
    return base


def spent_before(unit: Unit) -> int:
    """Movement Points used last round; in the first round those of its stated speed."""
    return unit.last if unit.course.before is None else unit.course.before


def least_allowed(battle: Battle, unit: Unit, most: int) -> int:
    """Movement Points that a unit must use by the end of its move, up to a limit: an aircraft its Stall Speed, a
    submarine what its Inertia requires."""
    if unit.way == "air" and aloft(unit) and not helpless(unit):
        way = unit.moving
        stall = 0 if way is None or is_vtol(unit.machine) else int(way.stall) * battle.place.air
        return min(most, stall)
    if unit.way == "submarine":
        speeds = speeds_after(spent_before(unit), unit.machine.size, most)
        return min(most, speeds.braking if unit.course.braking else speeds.least)
    return 0


def radius_of(rules: Ruleset, battle: Battle, unit: Unit, points: int) -> int:
    """The turn radius of an aircraft in map hexes, at the speed of so many Movement Points; 0 if it turns like a ground vehicle."""
    way, vtol, scale = unit.moving, is_vtol(unit.machine), battle.place.air
    maneuver = (way.maneuver if way is not None else unit.machine.maneuver) - unit.wear.maneuver
    if vtol and scale > 1:
        return int(vtol_radius(maneuver).value)
    return (
        int(on_ground_map(turn_radius(rules, maneuver, points / scale, vtol).value).value)
        if scale > 1
        else int(turn_radius(rules, maneuver, points, vtol).value)
    )


# --- heights ----------------------------------------------------------------------------------------------------------------------


def ground_height(battle: Surroundings, spot: tuple[float, float]) -> int:
    """The altitude level of the ground."""
    return int(battle.field.level(spot) * battle.cell // AIR_LEVEL)


def clearance(battle: Surroundings, unit: Unit, spot: tuple[float, float] | None = None) -> int:
    """Levels between an aircraft and the ground below it, or at another place."""
    return unit.altitude - ground_height(battle, unit.spot if spot is None else spot)


def too_low(battle: Battle, unit: Unit, spot: tuple[float, float] | None = None) -> bool:
    """Whether an aircraft would touch the ground at a place."""
    hovering = is_vtol(unit.machine)
    return aloft(unit) and clearance(battle, unit, spot) < lowest_level(unit.machine, hovering)


def apart(battle: Surroundings, unit: Unit, other: Unit) -> int:
    """Hexes between two units, including levels if one flies or dives (ruling: direct distance, rounded)."""
    flat = hexes_apart(battle, unit, other)
    if unit.altitude == other.altitude:
        return flat
    metres = AIR_LEVEL if "air" in (unit.way, other.way) else 50
    up = abs(unit.altitude - other.altitude) * metres / battle.cell
    return max(flat, int(hypot(flat, up) + 0.5))


# --- attacks between land, water and air ------------------------------------------------------------------------------------------


def where_it_is(unit: Unit) -> str:
    """The environment of a unit, as systems name it."""
    if unit.way == "space":
        return "space"
    if aloft(unit):
        return "air"
    return "underwater" if unit.way == "submarine" and unit.altitude < 0 else "land"


def made_for(version: Version, attacker: str, target: str) -> bool:
    """Whether a system is made for fire from one environment into another."""
    if attacker == target:
        return True
    return any(name == "attack/target" and variant == f"{attacker}/{target}" for name, _, variant in version.perks)


def ranges_here(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, version: Version) -> tuple[Figure, ...]:
    """The ranges of a system in hexes of this map: air ranges count 250 metres each, and against another scale they change by the
    factor of that scale."""
    if attacker.machine.scale != target.machine.scale:
        by = exact(scale_factor(rules, attacker.machine.scale, target.machine.scale).value)  # type: ignore[arg-type]  # one of the scales
        version = replace(version, ranges=tuple([plain(exact(number) * by) for number in version.ranges]))
    if battle.place.air == 1 or not (aloft(attacker) or aloft(target)):
        if not battle.place.close:
            return version.ranges
        return tuple([plain(exact(number) * RANGE / exact(battle.cell)) for number in version.ranges])
    sides = ("air" if aloft(attacker) else "ground", "air" if aloft(target) else "ground")
    fits = made_for(version, where_it_is(attacker), where_it_is(target))
    lobbed = any(version.perk(name) is not None for name in LOBBED)
    metres = range_hex(*sides, clearance(battle, target), lobbed, fits)  # type: ignore[arg-type]
    return tuple([plain(exact(number) * metres / exact(battle.cell)) for number in version.ranges])


def strange_place(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, arm: int, version: Version) -> tuple[Mod, ...]:
    """The modifier of fire into another environment: -2, unless the system is made for it."""
    here, there = where_it_is(attacker), where_it_is(target)
    if here == there:
        return ()
    if "air" in (here, there) and "underwater" not in (here, there):
        sides = ("air" if here == "air" else "ground", "air" if there == "air" else "ground")
        return (Mod("between ground and air", interface(*sides, made_for(version, here, there)), _AIR),)  # type: ignore[arg-type]
    return () if made_for(version, here, there) else (Mod("into another environment", -2, "sil-f-system-perks"),)


def hidden_from(rules: Ruleset, battle: Surroundings, unit: Unit, other: Unit) -> int | None:
    """Obscurement between two units: none in the air, and from the air only the terrain of the target counts. Under water
    units without sonar see badly. None: the terrain between them decides."""
    field = battle.field
    if aloft(unit) or aloft(other):
        row = terrains(rules)[field.terrain(other.spot)]
        return 0 if aloft(other) or (row.wet and other.way in ("hover", "naval")) else row.obscurement
    if other.way == "space" or unit.way == "space":
        return None
    if other.way in ("naval", "submarine"):
        deep = other.altitude < 0 and not _has_sonar(unit)
        return BEDS.get(rules, "Deep Water").obscurement if deep else 0
    return None


def _has_sonar(unit: Unit) -> bool:
    return any(perk.name == "sensors" and perk.variant == "aquatic" for perk in unit.machine.perks) and unit.has("sensors")
