"""The route of a chase across a map: runners are placed by metres along it, and obstacles where they occur."""

from collections.abc import Iterable
from itertools import pairwise
from math import hypot

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot, spot_at
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground, Point, Region

MARK = 1.0
"""The radius at which an obstacle is drawn, in metres."""


def way_of(ground: Ground) -> tuple[Point, ...]:
    """The route of a chase: the region called `way`, otherwise the first one along a line."""
    lines = [region for region in ground.regions if region.along]
    named = [region for region in lines if region.name == "way"]
    return (named or lines)[0].along if lines else ()


def refuse_without_way(ground: Ground) -> Ground:
    """The map, after checking that a chase can use it; bare ground is allowed."""
    if ground is BARE or ground == BARE:
        return BARE
    if ground.grid == "hexes":
        raise UserError("map: a chase is measured in metres; use squares or open ground")
    way = way_of(ground)
    if not way:
        raise UserError("map: a chase needs a route, such as regions: [{name: way, along: [[0, 5], [40, 5], [60, 20]]}]")
    for wall in ground.walls:
        if wall.stops in ("all", "move") and not wall.door and _crossed(way, wall.along):
            obstacle = f"the wall {wall.name}" if wall.name else "a wall"
            raise UserError(f"map: the route of the chase goes through {obstacle}; lead it around, or put a door there")
    return ground


def _crossed(way: tuple[Point, ...], wall: tuple[Point, ...]) -> bool:
    """Whether a route goes through a wall, and not only along it or up to it."""
    return any(
        _side(c, d, a) * _side(c, d, b) < 0 and _side(a, b, c) * _side(a, b, d) <= 0 for a, b in pairwise(way) for c, d in pairwise(wall)
    )


def _side(point: Point, other: Point, spot: Point) -> float:
    """On which side of a line a place is: positive, negative, or 0 on the line."""
    return (other[0] - point[0]) * (spot[1] - point[1]) - (other[1] - point[1]) * (spot[0] - point[0])


def length(way: tuple[Point, ...]) -> float:
    """The length of a route in metres."""
    return sum([hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)])


def spot_along(way: tuple[Point, ...], metres: float) -> Spot:
    """The place at a distance along a route; it is extended straight at both ends."""
    left = metres
    for number, (a, b) in enumerate(pairwise(way)):
        far = hypot(b[0] - a[0], b[1] - a[1])
        last = number == len(way) - 2
        if far and (left <= far or last):
            share = left / far
            return spot_at(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        left -= far
    return way[-1]


def ahead(way: tuple[Point, ...], share: float, lead: float) -> float:
    """How far along a route a runner is who started with a lead and has covered a share of the rest."""
    total = length(way)
    start = min(lead, total)
    return start + (total - start) * min(1.0, max(0.0, share))


def with_marks(marks: Iterable[tuple[str, Spot]]) -> Changes:
    """The obstacles as drawn regions, for display only."""
    clouds = tuple([Region(circle=(x, y, MARK), name=name) for name, (x, y) in marks])
    return replace(UNCHANGED, clouds=clouds) if clouds else UNCHANGED
