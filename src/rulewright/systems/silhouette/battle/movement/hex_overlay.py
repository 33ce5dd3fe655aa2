"""A hex overlay for open ground, if a unit needs one: aircraft, spacecraft, and people on foot among machines.

The book measures flight and vectors in hexes of 250 and 500 metres, and people among machines in steps of ten metres. If a scenario has
no map, or one without hexes, the table would draw them, and so do we (ruling).
"""

from collections.abc import Iterable
from math import ceil

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import Ground, Region
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Vehicle
from rulewright.systems.silhouette.maneuver.speeds import HEX_METRES
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.units.people import CLOSE_HEX

SHORT = 6
MARGIN = 15
"""Free hexes around all units if nothing bounds the terrain."""
WIDE = (40, 30)
FLYING = ("air", "space")


def laid_out(rules: Ruleset, area: Ground, members: Iterable[Placed], seconds: int) -> tuple[Ground, tuple[Placed, ...]]:
    """The map with hexes and every unit in a hex, if they are needed; otherwise both unchanged."""
    everybody = tuple(members)
    cell = _cell(rules, everybody, seconds)
    if area.grid == "hexes" or not cell:
        return area, everybody
    if area.walls or area.covers or area.lights or area.grid == "squares":
        raise UserError(
            "map: aircraft, spacecraft and people on foot among machines need hexes: write `grid: hexes`, or leave out walls and covers"
        )
    spots = [member.at for member in everybody if member.at is not None]
    left, top = (0.0, 0.0) if area.size is not None else (min([x for x, _ in spots], default=0.0), min([y for _, y in spots], default=0.0))
    free = 0 if area.size is not None else MARGIN
    if area.size is not None:
        size = (max(1, ceil(area.size[0] / cell)), max(1, ceil(area.size[1] / cell)))
    else:
        far = [max([spot[axis] for spot in spots], default=0.0) - (left, top)[axis] for axis in (0, 1)]
        size = (max(WIDE[0], ceil(far[0] / cell) + 2 * free), max(WIDE[1], ceil(far[1] / cell) + 2 * free))
    shift = (left - free * cell, top - free * cell)
    regions = tuple([_scaled(region, cell, shift) for region in area.regions])
    ground = Ground(grid="hexes", cell=float(cell), size=(float(size[0]), float(size[1])), terrain=area.terrain, regions=regions)
    return ground, tuple([_moved(member, cell, shift) for member in everybody])


def _cell(rules: Ruleset, members: tuple[Placed, ...], seconds: int) -> int:
    """The width of the hexes: ten metres with people on foot, otherwise that of space, air or ground; 0 if none are needed."""
    if any(isinstance(member.character, Character) and "aboard" not in member.state for member in members):
        return CLOSE_HEX if seconds == SHORT else 0
    ways = {_way(rules, member) for member in members if isinstance(member.character, Vehicle)}
    if not ways & set(FLYING):
        return 0
    return HEX_METRES["space"] if ways == {"space"} else HEX_METRES["air"] if ways <= {"air", "space"} else HEX_METRES["land"]


def _way(rules: Ruleset, member: Placed) -> str:
    told = member.state.get("way")
    if told:
        return str(told)
    best = max(machine(rules, member.character).ways, key=lambda way: (not way.unpowered, way.combat), default=None)
    return best.type if best is not None else ""


def _at(spot: tuple[float, float], cell: int, shift: tuple[float, float]) -> tuple[float, float]:
    return 1 + (spot[0] - shift[0]) // cell, 1 + (spot[1] - shift[1]) // cell


def _scaled(region: Region, cell: int, shift: tuple[float, float]) -> Region:
    """A region in hexes instead of metres."""
    if region.box is not None:
        x, y = _at(region.box[:2], cell, shift)
        return replace(region, box=(x, y, max(1.0, region.box[2] // cell), max(1.0, region.box[3] // cell)))
    if region.circle is not None:
        x, y = _at(region.circle[:2], cell, shift)
        return replace(region, circle=(x, y, region.circle[2] / cell))
    if region.inside:
        return replace(region, inside=tuple([_at(point, cell, shift) for point in region.inside]))
    return replace(region, along=tuple([_at(point, cell, shift) for point in region.along]), width=region.width / cell)


def _moved(member: Placed, cell: int, shift: tuple[float, float]) -> Placed:
    """A member in a hex; a facing in degrees from the x axis becomes a hexside."""
    state = dict(member.state)
    if isinstance(state.get("facing"), int):
        state["facing"] = round(((state["facing"] + 90) % 360) / 60) % 6
    return replace(member, at=_at(member.at, cell, shift) if member.at is not None else None, state=state)
