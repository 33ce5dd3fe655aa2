"""Exports maps as Universal VTT files (.uvtt, .dd2vtt), which Foundry, Roll20, Fantasy Grounds and others import.

The format knows squares only. Hexes, terrain and heights are in the picture; what else is lost is said.
"""

from base64 import b64encode
from collections.abc import Iterator
from itertools import pairwise
from math import atan2
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.geometry import hexes
from rulewright.field.ground import Ground, Point, Wall, outline
from rulewright.grammar import count

FORMAT = 0.3
ENDINGS = (".uvtt", ".dd2vtt", ".df2vtt")


class Exported(Struct, frozen=True):
    """The content of a file, and what it could not hold."""

    data: bytes
    lost: tuple[str, ...] = ()


def export_map(ground: Ground, pixels_per_square: int = 70, picture: bytes = b"") -> Exported:
    """Exports a map with all its walls. The picture, if any, covers the whole map with this number of pixels a square."""
    if ground.size is None:
        raise UserError("a map without a size cannot be exported; give it one, such as size: [30, 20]")
    squares = _Squares(ground)
    lines, objects, portals = [], [], []
    for wall in ground.walls:
        points = [squares.point(point) for point in wall.along]
        if wall.door:
            portals += [_portal(start, end, wall.door != "open") for start, end in pairwise(points)]
        elif wall.stops == "move":
            objects.append(points)
        else:
            lines.append(points)
    for cover in ground.covers:
        corners = outline(cover.box, cover.inside)
        if corners:
            points = [squares.point(point) for point in corners]
            objects.append([*points, points[0]])
    width, height = squares.size
    content = {
        "format": FORMAT,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": width, "y": height}, "pixels_per_grid": pixels_per_square},
        "line_of_sight": [[_named(point) for point in line] for line in lines],
        "objects_line_of_sight": [[_named(point) for point in line] for line in objects],
        "portals": portals,
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": list(squares.lamps()),
        "image": b64encode(picture).decode(),
    }
    return Exported(msgspec.json.encode(content), tuple(_lost(ground, bool(picture))))


class _Squares:
    """A map measured in squares: of hexes, a square is as wide as a hex from flat side to flat side."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.hexes = ground.grid == "hexes"
        assert ground.size is not None
        if self.hexes:
            side = 1 / 3**0.5
            columns, rows = ground.size
            self.corner = (-side, -0.5)
            self.size = (_rounded((columns - 1) * hexes.ROOT + 2 * side), _rounded(rows + 0.5))
        else:
            self.corner = (0.0, 0.0)
            self.size = (_rounded(ground.size[0] / ground.cell), _rounded(ground.size[1] / ground.cell))

    def point(self, spot: Point) -> Point:
        """A place of the map, in squares from its corner."""
        x, y = hexes.centre(spot) if self.hexes else (spot[0] / self.ground.cell, spot[1] / self.ground.cell)
        return _rounded(x - self.corner[0]), _rounded(y - self.corner[1])

    def lamps(self) -> Iterator[dict[str, Any]]:
        """The lights of the map."""
        for lamp in self.ground.lights:
            reach = lamp.radius if self.hexes else lamp.radius / self.ground.cell
            position = _named(self.point((lamp.x, lamp.y)))
            yield {"position": position, "range": _rounded(reach), "intensity": 1, "color": "ffffeccd", "shadows": True}


def _rounded(value: float) -> float:
    return round(value, 4) + 0.0


def _named(point: Point) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


def _portal(start: Point, end: Point, closed: bool) -> dict[str, Any]:
    middle = (_rounded((start[0] + end[0]) / 2), _rounded((start[1] + end[1]) / 2))
    rotation = _rounded(atan2(end[1] - start[1], end[0] - start[0]))
    bounds = [_named(start), _named(end)]
    return {"position": _named(middle), "bounds": bounds, "rotation": rotation, "closed": closed, "freestanding": False}


def _lost(ground: Ground, drawn: bool) -> Iterator[str]:
    locked = [wall for wall in ground.walls if wall.door in ("locked", "secret")]
    if locked:
        yield f"{count(len(locked), 'door')} locked or secret: Universal VTT knows open and closed doors only"
    if any(_is_seen_over(wall) for wall in ground.walls) or any(cover.stops == "nothing" for cover in ground.covers):
        yield "walls to see over, and things to lie in, are objects that block"
    points = [cover.name for cover in ground.covers if cover.x is not None]
    if points:
        yield f"cover at a point: {', '.join(points)}"
    if not drawn and (ground.regions or ground.rows or ground.levels or ground.terrain):
        yield "terrain and heights, which only a picture can show"
    if ground.grid == "hexes":
        yield "the grid of hexes: set it in the other program"


def _is_seen_over(wall: Wall) -> bool:
    return wall.stops == "move" and not wall.door
