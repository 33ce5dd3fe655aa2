"""`Ground`: a map as plain data, as in a scenario file and in a scene's state and record.

Everything here is saved, strict and hashable. Values are validated on creation, so that an error in a file is reported with line and
column. `Field` answers queries about a map and is never saved.
"""

from collections.abc import Iterable
from math import isfinite
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import nearest

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Circle = tuple[float, float, float]
Stops = Literal["all", "sight", "move"]
Door = Literal["", "open", "closed", "locked", "secret"]
Grid = Literal["open", "squares", "hexes"]
Look = Literal[
    "", "open", "grass", "dirt", "sand", "mud", "rough", "wood", "jungle", "swamp", "water", "deep", "snow", "ice",
    "road", "cobbles", "concrete", "planks", "tiles", "carpet", "built", "debris",
]  # fmt: skip
"""How a region is drawn, whatever its terrain; no rule reads it."""

MOST_BYTES = 64_000
MOST_STRETCHES = 3_000
MOST_HEXES = 120
FARTHEST = 100_000.0
"""The largest coordinate, in metres or cells."""


class Region(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """An area of one kind; later ones lie on top of earlier ones. It has exactly one shape."""

    terrain: str = ""
    """A row of the game's terrain table."""
    level: int | None = None
    """Its height."""
    box: Box | None = None
    """The corner with the least x and y, the width and the height."""
    circle: Circle | None = None
    inside: tuple[Point, ...] = ()
    along: tuple[Point, ...] = ()
    """A road or river; with width 0 on hexes it is every hex on the line."""
    width: float = 0.0
    name: str = ""
    veiled: bool = False
    """Whether only the gamemaster knows of it and everything in it, until it is shown."""
    stops: Literal["", "all", "sight", "move"] = ""
    """What it blocks: a cloud of smoke sight, a chasm movement."""
    look: Look = ""
    """How it is drawn, if not as its terrain: a floor of planks, a yard of cobbles. No rule reads it."""

    @property
    def mark(self) -> bool:
        """Whether it is only a name on the map."""
        return bool(self.name) and not (self.terrain or self.level is not None or self.veiled or self.stops or self.look)

    def __post_init__(self) -> None:
        _one_shape(self.box, self.circle, self.inside, self.along)
        if self.width < 0:
            raise ValueError(f"a width must be 0 or more, not {self.width:g}")
        if self.veiled and not self.name:
            raise ValueError("a hidden (veiled) region needs a name, so that it can be shown")


class Wall(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line that blocks sight or movement: a wall, a fence, a window, a door."""

    along: tuple[Point, ...]
    stops: Stops = "all"
    door: Door = ""
    cover: str = ""
    """The cover it gives to those close behind it, in the game's word: a parapet, a window."""
    name: str = ""

    def __post_init__(self) -> None:
        _points(self.along, 2, "a wall needs two points or more")
        if all(point == self.along[0] for point in self.along):
            raise ValueError("a wall needs two points that differ")
        if self.door and not self.name:
            raise ValueError("a door needs a name, so that it can be opened")


class Cover(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that gives cover. `cover` is the game's word; with a bare x and y it protects a person there against everybody."""

    name: str
    cover: str
    x: float | None = None
    y: float | None = None
    box: Box | None = None
    inside: tuple[Point, ...] = ()
    stops: Literal["move", "nothing"] = "move"
    """Whether one must walk around it (crates), or can lie in it (a ditch)."""

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a cover needs a name")
        if (self.x is None) != (self.y is None):
            raise ValueError("a cover at a place needs both x and y")
        spot = (self.x, self.y) if self.x is not None and self.y is not None else None
        if sum((spot is not None, self.box is not None, bool(self.inside))) != 1:
            raise ValueError("a cover has exactly one of x and y, box, or inside")
        if spot is not None:
            _points((spot,), 1, "")
        else:
            _one_shape(self.box, None, self.inside, ())

    @property
    def middle(self) -> Point:
        """Its centre."""
        if self.x is not None and self.y is not None:
            return self.x, self.y
        corners = outline(self.box, self.inside)
        return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


class Light(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """A lamp or fire: the light around it, in the game's word, as far as nothing blocks it."""

    x: float
    y: float
    radius: float
    light: str

    def __post_init__(self) -> None:
        _points(((self.x, self.y),), 1, "")
        if not (isfinite(self.radius) and self.radius > 0):
            raise ValueError(f"the radius of a light must be more than 0, not {self.radius:g}")


class Picture(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stored picture, by its digest, and the box that it fills."""

    file: str
    box: Box

    def __post_init__(self) -> None:
        _one_shape(self.box, None, (), ())


class Ground(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """A map: grid, size, terrain, and the things on it."""

    grid: Grid = "open"
    cell: float = 1.0
    """The width of a square or hex, in metres."""
    size: Point | None = None
    """Metres, or columns and rows of hexes; None if unlimited."""
    terrain: str = ""
    """The default terrain."""
    rows: str = ""
    """Painted hexes: one letter of the terrain table per hex, one line per row."""
    levels: str = ""
    """Painted heights: one digit per hex."""
    regions: tuple[Region, ...] = ()
    walls: tuple[Wall, ...] = ()
    covers: tuple[Cover, ...] = ()
    lights: tuple[Light, ...] = ()
    picture: Picture | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.cell) and 0 < self.cell <= FARTHEST):
            raise ValueError(f"cell: a cell must be more than 0 metres wide, not {self.cell:g}")
        self._check_size()
        self._check_painting()
        self._check_names()
        stretches = sum(len(wall.along) - 1 for wall in self.walls)
        if stretches > MOST_STRETCHES:
            raise ValueError(f"walls: at most {MOST_STRETCHES} segments are allowed, not {stretches}")
        if self.grid == "hexes":
            self._check_places()
        if len(msgspec.json.encode(self)) > MOST_BYTES:
            raise ValueError(f"the map is too large; at most {MOST_BYTES // 1000} kB are allowed")

    @property
    def bare(self) -> bool:
        """Whether nothing is on it, so that everybody sees everybody and every path is straight."""
        return not (self.regions or self.walls or self.covers or self.lights or self.rows or self.levels or self.terrain or self.size)

    def _check_size(self) -> None:
        if self.size is None:
            if self.grid == "hexes":
                raise ValueError("size: hexes need a size, such as size: [30, 24] for 30 columns of 24 rows")
            return
        across, down = self.size
        if not (isfinite(across) and isfinite(down) and 0 < across <= FARTHEST and 0 < down <= FARTHEST):
            raise ValueError(f"size: width and height must be more than 0 and at most {FARTHEST:,.0f}, not {across:g} and {down:g}")
        if self.grid == "hexes" and (across % 1 or down % 1 or across > MOST_HEXES or down > MOST_HEXES):
            raise ValueError(f"size: hexes have whole columns and rows, at most {MOST_HEXES} of each, not {across:g} by {down:g}")

    def _check_painting(self) -> None:
        for field, painted in (("rows", self.rows), ("levels", self.levels)):
            if not painted:
                continue
            if self.grid != "hexes" or self.size is None:
                raise ValueError(f"{field}: only maps of hexes can be painted")
            lines = painted.strip("\n").split("\n")
            columns, rows = int(self.size[0]), int(self.size[1])
            if len(lines) != rows:
                raise ValueError(f"{field}: expected {rows} lines, one per row, not {len(lines)}")
            for at, line in enumerate(lines, 1):
                if len(line) != columns:
                    raise ValueError(f"{field}: line {at}: expected {columns} letters, one per column, not {len(line)}")
                if field == "levels" and not line.isdecimal():
                    raise ValueError(f"{field}: line {at}: expected digits only, not {line!r}")

    def _check_names(self) -> None:
        """Checks that names used to open, show or go to something are unique."""
        groups: tuple[tuple[str, list[str]], ...] = (
            ("walls", [wall.name for wall in self.walls if wall.door]),
            ("regions", [region.name for region in self.regions if region.veiled]),
            ("covers", [cover.name for cover in self.covers]),
        )
        for field, names in groups:
            repeated = next((name for name in names if names.count(name) > 1), "")
            if repeated:
                raise ValueError(f"{field}: the name {repeated!r} is used twice; give each its own")

    def _check_places(self) -> None:
        """Checks that places on hexes are on the map; shapes may extend one hex beyond it."""
        assert self.size is not None
        columns, rows = self.size
        for field, at, point in self._drawn():
            if not (0 <= point[0] <= columns + 1 and 0 <= point[1] <= rows + 1):
                raise ValueError(
                    f"{field}[{at}]: hex {point[0]:g}, {point[1]:g} is off the map, which has {columns:g} columns of {rows:g} rows"
                )

    def _drawn(self) -> Iterable[tuple[str, int, Point]]:
        for at, region in enumerate(self.regions):
            for point in (
                *region.inside,
                *region.along,
                *([region.circle[:2]] if region.circle else ()),
                *([region.box[:2]] if region.box else ()),
            ):
                yield "regions", at, point
        for at, wall in enumerate(self.walls):
            for point in wall.along:
                yield "walls", at, point
        for at, cover in enumerate(self.covers):
            yield "covers", at, cover.middle

    def understood(self, terrains: Iterable[str] = (), covers: Iterable[str] = (), lights: Iterable[str] = ()) -> "Ground":
        """The map itself, after checking that the game knows its terrains, covers and lights."""
        known_terrains, known_covers, known_lights = list(terrains), list(covers), list(lights)
        words = [("map.terrain", self.terrain, known_terrains)]
        words += [(f"map.regions[{at}].terrain", region.terrain, known_terrains) for at, region in enumerate(self.regions)]
        words += [(f"map.walls[{at}].cover", wall.cover, known_covers) for at, wall in enumerate(self.walls)]
        words += [(f"map.covers[{at}].cover", cover.cover, known_covers) for at, cover in enumerate(self.covers)]
        words += [(f"map.lights[{at}].light", light.light, known_lights) for at, light in enumerate(self.lights)]
        for where, word, known in words:
            if word and word not in known:
                hint = f"; known are {', '.join(known)}" if known else "; the game has none"
                raise UserError(f"{where}: {word!r} is not known{nearest(word, known) or hint}")
        return self


class Changes(Struct, frozen=True, cache_hash=True, omit_defaults=True, gc=False):
    """Changes to the map during play, stored in the state."""

    opened: tuple[str, ...] = ()
    """Opened doors and breached walls, by name."""
    closed: tuple[str, ...] = ()
    """Doors that were open at first and were shut."""
    shown: tuple[str, ...] = ()
    """Hidden regions that are shown now."""
    clouds: tuple[Region, ...] = ()
    """Smoke and fire."""

    def with_door(self, name: str, opens: bool, stood_open: bool) -> "Changes":
        """The changes with a door opened or shut; `stood_open` says whether it was open at first."""
        opened = tuple([door for door in self.opened if door != name])
        closed = tuple([door for door in self.closed if door != name])
        if opens:
            return replace(self, opened=(*opened, name), closed=closed)
        return replace(self, opened=opened, closed=(*closed, name) if stood_open else closed)


BARE = Ground()
UNCHANGED = Changes()


def read_ground(data: Any, where: str = "map") -> Ground:
    """A map from plain data, as in a file."""
    try:
        return msgspec.convert(data, Ground)
    except msgspec.ValidationError as error:
        raise UserError(f"{where}: {error}") from None


def outline(box: Box | None, inside: tuple[Point, ...]) -> tuple[Point, ...]:
    """The corners of a box or polygon."""
    if box is None:
        return inside
    x, y, width, height = box
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _one_shape(box: Box | None, circle: Circle | None, inside: tuple[Point, ...], along: tuple[Point, ...]) -> None:
    if sum((box is not None, circle is not None, bool(inside), bool(along))) != 1:
        raise ValueError("exactly one shape is needed: box, circle, inside or along")
    if box is not None:
        _points((box[:2], box[2:]), 2, "")
        if box[2] <= 0 or box[3] <= 0:
            raise ValueError(f"width and height of a box must be more than 0, not {box[2]:g} by {box[3]:g}")
    elif circle is not None:
        _points((circle[:2], (circle[2], 0.0)), 2, "")
        if circle[2] <= 0:
            raise ValueError(f"the radius of a circle must be more than 0, not {circle[2]:g}")
    elif inside:
        _points(inside, 3, "inside needs three points or more")
    else:
        _points(along, 2, "along needs two points or more")


def _points(points: Iterable[Point], least: int, too_few: str) -> None:
    count = 0
    for x, y in points:
        count += 1
        if not (isfinite(x) and isfinite(y) and abs(x) <= FARTHEST and abs(y) <= FARTHEST):
            raise ValueError(f"{x:g}, {y:g} is not a valid place; coordinates are at most {FARTHEST:,.0f}")
    if count < least:
        raise ValueError(f"{too_few}, not {count}")
