"""Imports maps of other tools: Universal VTT files (.uvtt, .dd2vtt, .df2vtt) and Foundry scenes.

The picture in a Universal VTT file is returned separately, as bytes. Errors name the position in the file.
"""

from base64 import b64decode
from collections.abc import Iterator
from itertools import pairwise
from math import ceil, hypot, isfinite
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.field import spot_at
from rulewright.field.ground import Door, Ground, Light, Point, Stops, Wall
from rulewright.grammar import count

MOST_BYTES = 32 * 1024 * 1024
NEAREST = 0.05
"""Points nearer to each other than this are merged, in metres."""
FOOT = 0.3
"""Metres per foot, as maps round it: five feet are a metre and a half."""


class Imported(Struct, frozen=True):
    """The map of a file, and remarks about what was imported differently."""

    ground: Ground
    told: tuple[str, ...] = ()


def read_map(data: bytes, name: str = "the map", metres: float = 1.5, cover: str = "", light: str = "") -> Imported:
    """Imports a map file. `metres` is the width of a square of a Universal VTT file.

    `cover` is the game's word for low furniture, `light` its word for the light of lamps; without it lamps are left out.
    """
    if len(data) > MOST_BYTES:
        raise UserError(f"{name}: the file is too large; at most {MOST_BYTES // 1024 // 1024} MB can be read")
    if not 0 < metres <= 1000:
        raise UserError(f"{name}: a square must be more than 0 and at most 1,000 metres wide, not {metres:g}")
    try:
        content = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UserError(f"{name}: this is not a map; Universal VTT files and Foundry scenes are JSON") from None
    if isinstance(content, dict) and "resolution" in content:
        return _Universal(content, name, metres, cover, light).imported()
    if isinstance(content, dict) and isinstance(content.get("walls"), list):
        return _Foundry(content, name, cover).imported()
    raise UserError(f"{name}: the file has neither `resolution` (Universal VTT) nor `walls` (Foundry scene)")


def picture_in(data: bytes, name: str = "the map") -> bytes:
    """The picture in a Universal VTT file; empty if it has none."""
    try:
        content = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return b""
    image = content.get("image") if isinstance(content, dict) else None
    if not isinstance(image, str) or not image:
        return b""
    try:
        return b64decode(image, validate=True)
    except ValueError:
        raise UserError(f"{name}: image: the picture is damaged; export the map again") from None


class _Reader:
    """Common base of both formats: reads numbers and points, with errors that name their position."""

    def __init__(self, data: dict[str, Any], name: str, cover: str) -> None:
        self.data, self.name, self.cover = data, name, cover
        self.doors = 0
        self.left_out = 0

    def number(self, value: Any, where: str) -> float:
        """A finite number of reasonable size."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or abs(value) > 1e7:
            raise UserError(f"{self.name}: {where}: expected a number, got {str(value)[:40]!r}")
        return float(value)

    def listed(self, key: str) -> list[Any]:
        """A list in the file, empty if it is missing."""
        value = self.data.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise UserError(f"{self.name}: {key}: expected a list")
        return value

    def wall(self, points: list[Point], stops: Stops = "all", door: Door = "", cover: str = "") -> Wall | None:
        """A wall without doubled points and points that are too near; None if nothing is left of it."""
        kept = [points[0]] if points else []
        for point in points[1:]:
            if hypot(point[0] - kept[-1][0], point[1] - kept[-1][1]) >= NEAREST:
                kept.append(point)
        if len(kept) < 2:
            self.left_out += 1
            return None
        name = ""
        if door:
            self.doors += 1
            name = f"door {self.doors}"
        return Wall(tuple(spot_at(x, y) for x, y in kept), stops, door, cover, name)

    def made(self, size: Point, walls: list[Wall], lights: tuple[Light, ...], told: list[str]) -> Imported:
        """The map; raises an error if it is invalid."""
        if self.left_out:
            were = "was" if self.left_out == 1 else "were"
            told.append(f"{count(self.left_out, 'wall')} {were} shorter than {NEAREST * 100:.0f} cm and left out")
        try:
            return Imported(Ground(size=(round(size[0], 2), round(size[1], 2)), walls=tuple(walls), lights=lights), tuple(told))
        except ValueError as error:
            raise UserError(f"{self.name}: {error}") from None


class _Universal(_Reader):
    """A Universal VTT file. Coordinates are squares, counted from the corner of a larger map of which this may be a part."""

    def __init__(self, data: dict[str, Any], name: str, metres: float, cover: str, light: str) -> None:
        super().__init__(data, name, cover)
        self.metres, self.light = metres, light
        resolution = data["resolution"]
        if not isinstance(resolution, dict):
            raise UserError(f"{name}: resolution: expected named fields")
        self.origin = self._pair(resolution.get("map_origin") or {"x": 0, "y": 0}, "resolution.map_origin")
        self.size = self._pair(resolution.get("map_size"), "resolution.map_size")

    def _pair(self, value: Any, where: str) -> Point:
        if not isinstance(value, dict) or not {"x", "y"} <= value.keys():
            raise UserError(f"{self.name}: {where}: expected x and y")
        return self.number(value["x"], f"{where}.x"), self.number(value["y"], f"{where}.y")

    def _point(self, value: Any, where: str) -> Point:
        x, y = self._pair(value, where)
        return (x - self.origin[0]) * self.metres, (y - self.origin[1]) * self.metres

    def _lines(self, key: str) -> Iterator[list[Point]]:
        for at, line in enumerate(self.listed(key)):
            if not isinstance(line, list):
                raise UserError(f"{self.name}: {key}[{at}]: expected a list of points")
            yield [self._point(point, f"{key}[{at}][{place}]") for place, point in enumerate(line)]

    def imported(self) -> Imported:
        """Imports the file."""
        walls = [self.wall(line) for line in self._lines("line_of_sight")]
        walls += [self.wall(line, "move", cover=self.cover) for line in self._lines("objects_line_of_sight")]
        for at, portal in enumerate(self.listed("portals")):
            bounds = portal.get("bounds") if isinstance(portal, dict) else None
            if not isinstance(bounds, list) or len(bounds) != 2:
                raise UserError(f"{self.name}: portals[{at}].bounds: expected two points")
            points = [self._point(point, f"portals[{at}].bounds[{place}]") for place, point in enumerate(bounds)]
            walls.append(self.wall(points, door="closed") if portal.get("closed", True) else self.wall(points, "move"))
        told = []
        if self.listed("lights") and not self.light:
            told.append(f"{count(len(self.listed('lights')), 'lamp')} left out; name the kind of light to keep lamps")
        size = (self.size[0] * self.metres, self.size[1] * self.metres)
        return self.made(size, [wall for wall in walls if wall is not None], tuple(self._lamps()), told)

    def _lamps(self) -> Iterator[Light]:
        """Lamps with their range; colours and shadows are ignored."""
        for at, lamp in enumerate(self.listed("lights") if self.light else []):
            if not isinstance(lamp, dict):
                raise UserError(f"{self.name}: lights[{at}]: expected named fields")
            x, y = self._point(lamp.get("position"), f"lights[{at}].position")
            radius = self.number(lamp.get("range"), f"lights[{at}].range") * self.metres
            if radius > 0:
                yield Light(*spot_at(x, y), round(radius, 2), self.light)


class _Foundry(_Reader):
    """A Foundry scene. Coordinates are pixels that include the padding around the scene."""

    def imported(self) -> Imported:
        """Imports the file; unsupported kinds of walls become plain ones, with a remark."""
        pixels, metres = self._grid()
        width, height = self.number(self.data.get("width"), "width"), self.number(self.data.get("height"), "height")
        padding = self.number(self.data.get("padding", 0), "padding")
        across, down = ceil(width * padding / pixels) * pixels, ceil(height * padding / pixels) * pixels
        scale, walls, plain = metres / pixels, [], 0
        for at, entry in enumerate(self.listed("walls")):
            ends = entry.get("c") if isinstance(entry, dict) else None
            if not isinstance(ends, list) or len(ends) != 4:
                raise UserError(f"{self.name}: walls[{at}].c: expected four numbers, x and y of both ends")
            x1, y1, x2, y2 = [self.number(value, f"walls[{at}].c[{place}]") for place, value in enumerate(ends)]
            points = [((x1 - across) * scale, (y1 - down) * scale), ((x2 - across) * scale, (y2 - down) * scale)]
            kind = self._stops(entry)
            plain += bool(entry.get("dir")) or entry.get("sight") in (30, 40)
            if kind is not None:
                walls.append(self.wall(points, kind, self._door(entry)))
        told = [f"{count(plain, 'one-way or proximity wall')} imported as plain"] if plain else []
        return self.made((width * scale, height * scale), [wall for wall in walls if wall is not None], (), told)

    def _grid(self) -> tuple[float, float]:
        """Pixels and metres per square; older scenes keep them in separate fields, newer ones in one."""
        grid = self.data.get("grid", 100)
        if isinstance(grid, dict):
            size, distance, units = grid.get("size", 100), grid.get("distance", 5), grid.get("units", "ft")
        else:
            size, distance, units = grid, self.data.get("gridDistance", 5), self.data.get("gridUnits", "ft")
        pixels, far = self.number(size, "grid.size"), self.number(distance, "grid.distance")
        if pixels < 1 or far <= 0:
            raise UserError(f"{self.name}: grid: size must be at least 1 and distance more than 0")
        return pixels, far * (FOOT if str(units).strip().lower() in ("ft", "ft.", "feet", "foot", "'") else 1.0)

    def _stops(self, item: dict[str, Any]) -> Stops | None:
        """Returns what a wall blocks; None if it blocks nothing."""
        moves, sees = item.get("move", 20) != 0, item.get("sight", item.get("sense", 20)) != 0
        return "all" if moves and sees else "move" if moves else "sight" if sees else None

    def _door(self, item: dict[str, Any]) -> Door:
        kind, state = item.get("door", 0), item.get("ds", 0)
        if kind == 2 and state != 1:
            return "secret"
        return "" if not kind else "open" if state == 1 else "locked" if state == 2 else "closed"


def stretches(ground: Ground) -> int:
    """The number of wall segments."""
    return sum(1 for wall in ground.walls for _ in pairwise(wall.along))
