"""Speeds in a battle: after damage, half speed, short rounds, towing (book lines 4240-4269, 4376-4402, 4447-4451)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play.cache import cached
from rulewright.rules import rule
from rulewright.rules.reasons import Derived, at_least, divided, less, limited, rounded_down, rounded_up, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Way
from rulewright.systems.silhouette.maneuver.air.loads import lifts, towing_points, under_load
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.state import Place
from rulewright.systems.silhouette.units.units import Pace, Unit

_TIME, _COMBAT, _TOP, _TOW = "sil-5.1.1-units-and-time", "sil-5.2.1-combat-speed", "sil-5.2.1-top-speed", "sil-5.2.1-towing"
FULL_ROUND = 30
SHORT_ROUND = 6
Scale = Literal["vehicle", "very large", "gigantic"]
SCALES: tuple[Scale, ...] = ("vehicle", "very large", "gigantic")
HEX_METRES = {"land": 50, "naval": 50, "air": 250, "space": 500}


@cached(1024)
@rule(_TIME)
def rate_in_round(points: int, seconds: Literal[6, 30] = 30) -> Derived[int]:
    """A movement rate in a round: unchanged in thirty seconds, a fifth, rounded up, in the six seconds of people's rounds."""
    if points < 0:
        raise UserError(f"Movement Points must be 0 or more, not {points}")
    terms = [term("Movement Points", points)]
    if seconds == SHORT_ROUND:
        terms += [divided("rounds of six seconds", FULL_ROUND // SHORT_ROUND), rounded_up()]
    return total("Movement Points a round", *terms, rule=_TIME)


@rule(_TIME)
def hex_width(game: Literal["land", "naval", "air", "space"] = "land") -> int:
    """The width of a hex and the height of a level in metres: 50 on land and water, 250 in the air, 500 in space.

    A view of `HEX_METRES`.
    """
    return HEX_METRES[game]


@rule(_TIME)
def battle_scale(scales: tuple[Scale, ...]) -> Scale:
    """The scale of a mixed battle: the average of all units, rounded to the nearest step, ties to the smaller (ruling). By id only."""
    if not scales:
        raise UserError("at least one unit is needed to average the scale")
    places = [SCALES.index(scale) for scale in scales]
    doubled = 2 * sum(places)
    whole, rest = divmod(doubled, 2 * len(places))
    return SCALES[whole + (rest > len(places))]


# --- speeds ----------------------------------------------------------------------------------------------------------------------


@cached(1024)
def combat_speed(unit: Unit, place: Place = Place()) -> int:  # noqa: B008  # frozen
    """Combat Speed with the present movement type, after damage."""
    way = unit.moving
    if way is None or way.type in unit.wear.failed:
        return 0
    left = max(0, int(way.combat) - unit.wear.lost_by(way.type).combat)
    if unit.drawn[1]:
        left = drawing(unit, way.type, left, left)
    if way.type in ("air", "space"):
        left = _loaded_points(unit, way, left, top=False) * (place.air if way.type == "air" else 1)
    return int(rate_in_round(left, 6 if place.seconds == SHORT_ROUND and not place.close else 30).value)


@cached(1024)
def top_speed(unit: Unit, place: Place = Place()) -> int:  # noqa: B008  # frozen
    """Top Speed with the present movement type, after damage."""
    way = unit.moving
    if way is None or way.type in unit.wear.failed:
        return 0
    left = max(0, int(way.top) - unit.wear.lost_by(way.type).top + unit.surge("top speed"))
    if unit.drawn[1]:
        left = drawing(unit, way.type, left, max(0, int(way.combat) - unit.wear.lost_by(way.type).combat))
    if way.type in ("air", "space"):
        left = _loaded_points(unit, way, left, top=True) * (place.air if way.type == "air" else 1)
    return int(rate_in_round(left, 6 if place.seconds == SHORT_ROUND and not place.close else 30).value)


def drawing(unit: Unit, way: str, points: int, combat: int) -> int:
    """Movement Points of a hull that drags its sections: what the towing rules leave, by the driving mass."""
    driving, load = unit.drawn
    if way == "space":
        return int(towing_points(driving, points, load).value)
    allows = towed_speed(float(load), float(_dragging_capacity(unit, way, driving)))
    if allows == "none":
        return 0
    return points if allows == "any" else min(points, combat if allows == "combat" else int(half_speed(combat).value))


def _dragging_capacity(unit: Unit, way: str, driving: Figure) -> float:
    """Kilograms that a mass can drag: by the towing rules on ground and water, by lift in the air."""
    if way == "air":
        return float(lifts(driving, _towing_factor(unit)).value)
    return towing_capacity(float(driving), _towing_factor(unit), unit.machine.has("poor towing capacity") is not None, way == "rail").value


def _loaded_points(unit: Unit, way: Way, points: int, *, top: bool) -> int:
    """Movement Points of an aircraft or spacecraft with its load."""
    load = unit.course.load
    if not load or not unit.machine.mass:
        return points
    if way.type == "space":
        return int(towing_points(unit.machine.mass, points, load).value)
    combat = min(points, int(way.combat))
    carried = under_load(min(load, lift_of(unit)), lift_of(unit), combat, points)
    return int(carried.top if top else carried.combat)


def lift_of(unit: Unit) -> float:
    """Kilograms that an aircraft lifts."""
    return float(lifts(unit.machine.mass, _towing_factor(unit)).value)


def _towing_factor(unit: Unit) -> Literal[1, 2, 3]:
    """The factor of a machine's towing or lifting capacity."""
    perk = unit.machine.has("high towing capacity")
    return 1 if perk is None else 3 if perk.variant == "triple" else 2


def load_mod(unit: Unit) -> Mod:
    """The Piloting modifier of a load in the air."""
    if unit.way != "air" or not unit.course.load or not unit.machine.mass:
        return Mod("load", 0)
    return Mod("load", under_load(min(unit.course.load, lift_of(unit)), lift_of(unit), 1, 1).piloting, "sil-5.2.2-air-towing")


@cached(256)
@rule(_COMBAT)
def half_speed(combat: int) -> Derived[int]:
    """The Movement Points of half speed: half the Combat Speed, rounded down. Backing up is no faster."""
    return total("half speed", term("Combat Speed", combat), divided("half", 2), rounded_down(), rule=_COMBAT)


@rule(_COMBAT)
def pace_of(spent: int, combat: int, at_top: bool = False) -> Pace:
    """The speed that a unit counts as after using so many Movement Points: stationary, half speed, Combat or Top Speed."""
    if at_top:
        return "top"
    if spent <= 0:
        return "stationary"
    return "half" if spent <= half_speed(combat).value else "combat"


@cached(256)
@rule(_COMBAT)
def gravity_maneuver(gravity: float = 1.0) -> Derived[int]:
    """The Maneuver modifier of gravity: -1 below 1 g, +1 for every g more or part of one above."""
    if gravity < 0:
        raise UserError(f"gravity must be 0 or more, not {gravity:g}")
    if gravity < 1:
        return total("gravity", row(f"{figure(gravity)} g, less than 1", -1), rule=_COMBAT)
    return total("gravity", term("g", gravity), less("one g", 1), rounded_up(), rule=_COMBAT)


@rule(_TOP)
def top_speed_points(combat: int, top: int) -> tuple[int, int]:
    """The least and the most Movement Points at Top Speed: above its Combat Speed, up to its Top Speed."""
    if top < combat:
        raise UserError(f"the Top Speed of {top} must not be below the Combat Speed of {combat}")
    return combat + 1, top


@rule(_TOP)
def may_shift_up(spent: int, combat: int) -> bool:
    """Whether a unit may shift to Top Speed: it must have used all Movement Points of its Combat Speed."""
    return combat > 0 and spent >= combat


@rule("sil-5.2.1-multi-mode")
def points_after_switch(points: int, spent: int, at_top: bool = False, switched: bool = False) -> Derived[int]:
    """Movement Points left after changing the movement type: those of the type the round began with, less what is used.

    It is possible once a round and never at Top Speed; the next round's Movement Points are those of the new type.
    """
    if at_top:
        raise UserError("the movement type cannot be changed at Top Speed")
    if switched:
        raise UserError("the movement type can be changed only once a round")
    return limited("Movement Points left", term("this round", points), less("used", spent), limit=at_least(0), rule="sil-5.2.1-multi-mode")


# --- towing ----------------------------------------------------------------------------------------------------------------------


@rule(_TOW)
def towing_capacity(mass: float, high: Literal[1, 2, 3] = 1, poor: bool = False, rail: bool = False) -> Derived[float]:
    """Kilograms that a vehicle can tow: its own mass; twice or three times that, half, or ten times on rails."""
    terms = [term("mass in kg", mass)]
    if high > 1:
        terms.append(times("high towing capacity", high, rule="sil-d-features"))
    if poor:
        terms.append(divided("poor towing capacity", 2, rule="sil-e-movement-flaws"))
    if rail:
        terms.append(times("on rails", 10))
    return total("Towing capacity in kg", *terms, rule=_TOW)


@rule(_TOW)
def towed_speed(load: float, capacity: float, rolls: bool = True) -> Literal["any", "combat", "half", "none"]:
    """The speed of a vehicle with a load: any speed up to half its capacity, Combat Speed up to three quarters, half of that up to all of
    it. A load that neither rolls nor floats counts double."""
    weight = load if rolls else 2 * load
    if weight * 2 <= capacity:
        return "any"
    if weight * 4 <= capacity * 3:
        return "combat"
    return "half" if weight <= capacity else "none"
