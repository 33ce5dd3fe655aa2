"""Stacking: how many units fit in a hex (book lines 4368-4374, 4493)."""

from collections.abc import Iterable
from math import ceil, cos, radians, sin

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.play.cache import cached
from rulewright.rules import rule
from rulewright.rules.reasons import Derived, divided, rounded_up, term, times, total
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.units.state import LAND_HEX, Battle, Surroundings
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-5.2-stacking"
LAND_ROOM = 30
AIR_ROOM = 150
PEOPLE = 5
PEOPLE_SIZE = 3


@rule(_ID)
def room(metres: float = 50) -> int | None:
    """The Size points that fit in a hex: 30 in one of 50 metres, 150 in one of 250 metres (at each altitude level: a ruling); unlimited
    in space."""
    if metres >= 500:
        return None
    return AIR_ROOM if metres >= 250 else LAND_ROOM


@rule(_ID)
def hexes_taken(size: float) -> Derived[int]:
    """The hexes that a vehicle occupies: one for every 30 points of Size or part of it. A view of `footprint`."""
    if size <= 0:
        raise UserError(f"Size must be above 0, not {size:g}")
    return total("Hexes", term("Size", size), divided("Size points of a hex", LAND_ROOM), rounded_up(), rule=_ID)


@rule(_ID)
def size_of_people(people: int) -> Derived[int]:
    """The Size of people on foot: 3 for each group of five or fewer. By id only."""
    if people < 1:
        raise UserError(f"a group needs at least one person, not {people}")
    return total(
        "Size", term("people", people), divided("in a group", PEOPLE), rounded_up(), times("Size of a group", PEOPLE_SIZE), rule=_ID
    )


def footprint(unit: Unit, hexed: bool = True) -> tuple[Spot, ...]:
    """The hexes that a unit occupies: its own, and behind it as many more as a large one needs (ruling: one behind the other), or all
    over which it is stretched; on open ground a place for every 50 metres of that."""
    if unit.shape.stretched:
        return tuple([_stretched_place(unit, step, hexed) for step in range(unit.shape.stretched)])
    if not hexed or unit.machine.size <= LAND_ROOM:
        return (unit.spot,)
    points: list[Spot] = [unit.spot]
    for _ in range(ceil(unit.machine.size / LAND_ROOM) - 1):
        at = hexes.neighbour((int(points[-1][0]), int(points[-1][1])), unit.facing + 3)
        points.append((float(at[0]), float(at[1])))
    return tuple(points)


def _stretched_place(unit: Unit, steps: int, hexed: bool) -> Spot:
    """The place so many steps along the line of a stretched unit."""
    if not hexed:
        towards = radians(unit.shape.along)
        return round(unit.x + steps * LAND_HEX * cos(towards), 3), round(unit.y + steps * LAND_HEX * sin(towards), 3)
    at = (int(unit.x), int(unit.y))
    for _ in range(steps):
        at = hexes.neighbour(at, unit.shape.along)
    return float(at[0]), float(at[1])


def laid_out(battle: Surroundings, unit: Unit) -> tuple[Unit, ...]:
    """A stretched unit as if it were in each of its hexes alone; any other unit as it is."""
    if not unit.shape.stretched:
        return (unit,)
    alone = replace(unit, shape=replace(unit.shape, stretched=0))
    return tuple([replace(alone, x=x, y=y) for x, y in footprint(unit, battle.hexes)])


def nearest_ends(battle: Surroundings, unit: Unit, other: Unit) -> list[tuple[Unit, Unit]]:
    """Pairs of hexes of two units, one of them stretched; the nearest pair first."""
    pairs = [(here, there) for here in laid_out(battle, unit) for there in laid_out(battle, other)]
    return sorted(pairs, key=lambda pair: distance(battle.field, pair[0].spot, pair[1].spot))


def hexes_apart(battle: Surroundings, unit: Unit, other: Unit) -> int:
    """Hexes between two units, from the nearest of those over which they are stretched."""
    if unit.shape.stretched or other.shape.stretched:
        unit, other = nearest_ends(battle, unit, other)[0]
    return distance(battle.field, unit.spot, other.spot)


def hexes_to(battle: Battle, spot: Spot, unit: Unit) -> int:
    """Hexes from a place to the nearest hex of a unit; a section is in all hexes of its hull. Only on land does a unit
    occupy several."""
    whole = battle.bearer(unit)
    wide = whole.shape.stretched or (battle.hexes and room(battle.cell) == LAND_ROOM)
    taken = footprint(whole, battle.hexes) if wide else (whole.spot,)
    return min([distance(battle.field, spot, point) for point in taken])


def fills(unit: Unit, hexed: bool = True) -> Iterable[tuple[Spot, float]]:
    """The points of Size of a unit in each of its hexes: as many as fit, the rest in the last; evenly if it is
    stretched."""
    if unit.shape.stretched:
        yield from [(spot, float(unit.machine.size) / unit.shape.stretched) for spot in footprint(unit, hexed)]
        return
    left = float(unit.machine.size)
    for spot in footprint(unit, hexed):
        part = min(left, LAND_ROOM)
        yield spot, part
        left -= part


class Crowd(Struct, frozen=True):
    """All units that take up room: the whole list, by spot, and those that occupy more than a hex."""

    everybody: tuple[Unit, ...]
    at: dict[Spot, list[Unit]]
    large: tuple[Unit, ...]


def _is_wide(unit: Unit) -> bool:
    """Whether a unit occupies more than a hex."""
    return unit.machine.size > LAND_ROOM or bool(unit.shape.stretched)


@cached(32)
def _crowd(battle: Battle) -> Crowd:
    """The units that take up room in a battle: no wrecks, no units that have left, and no attached sections."""
    everybody = tuple([unit for unit in battle.units if not (unit.wear.destroyed or unit.gone or unit.borne)])
    at: dict[Spot, list[Unit]] = {}
    for unit in everybody:
        at.setdefault((unit.x, unit.y), []).append(unit)
    return Crowd(everybody, at, tuple([candidate for candidate in everybody if _is_wide(candidate)]))


def holds(battle: Battle, unit: Unit, spot: Spot, facing: int | None = None) -> bool:
    """Whether there is room for a unit in a hex besides the units there; wrecks do not count, and on open ground there is always room.
    A towed unit needs room too."""
    most = room(battle.cell)
    if most is None or not battle.hexes:
        return True
    own = float(unit.machine.size)
    crowd = _crowd(battle)
    wide = _is_wide(unit)
    near = crowd.everybody if wide else (*crowd.at.get(spot, ()), *[candidate for candidate in crowd.large if candidate.spot != spot])
    others = [
        candidate
        for candidate in near
        if candidate.altitude == unit.altitude and candidate.name != unit.name and candidate.name != unit.tows
    ]
    towed = next((float(other.machine.size) for other in battle.units if other.name == unit.tows), 0.0) if unit.tows else 0.0
    if not wide and not others:
        return own + towed <= max(most, own)
    there = replace(unit, x=spot[0], y=spot[1], facing=unit.facing if facing is None else facing)
    taken: dict[Spot, float] = {spot: towed}
    for other in others:
        for at, size in fills(other):
            taken[at] = taken.get(at, 0) + size
    return all(size + taken.get(at, 0) <= most for at, size in fills(there))
