"""Draws terrain: one outline for each terrain and height, walls, doors, covers, lamps, fog; in metres, or in hexes.

The input (`FieldShown`) holds only what a member may see, so everything drawn may be sent to that member.
"""

import zlib
from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt
from typing import get_args

import msgspec
from msgspec import Struct

from rulewright.field.field import Field, Spot, field
from rulewright.field.geometry import hexes
from rulewright.field.ground import Cover, Ground, Light, Look, Region, Wall, outline
from rulewright.field.map_strokes import named
from rulewright.field.pathfinding import hex_outlines
from rulewright.field.placement import FieldShown
from rulewright.play import Shape
from rulewright.table.picture_rights import DIGEST

LOOKS = frozenset(get_args(Look))
FLOORS: tuple[Look, ...] = (
    "grass", "wood", "rough", "dirt", "sand", "mud", "water", "cobbles", "concrete", "road", "snow", "ice", "planks", "tiles", "carpet",
)  # fmt: skip
"""The looks that the map editor offers, whatever the game's terrains are."""
ROUND = 32
TEXTURES = {
    "wood": "M12 6l6 11H6zM12 12l7 12H5zM34 26l5 10H29zM34 31l6 11H28zM26 8l4 8h-8z",
    "jungle": "M12 22c-8-2-9-9-6-14 3 3 6 6 6 14zM12 22c0-9 4-12 9-13 1 6-2 11-9 13zM34 44c-8-2-9-9-6-14 3 3 6 6 6 14z",
    "water": "M4 13q4-5 8 0t8 0 8 0M20 35q4-5 8 0t8 0 8 0",
    "deep": "M2 9q4-5 8 0t8 0 8 0M22 21q4-5 8 0t8 0 8 0M4 33q4-5 8 0t8 0 8 0M24 45q4-5 8 0t8 0 8 0",
    "rough": "M6 18l4-8 5 2 3 6zM28 38l5-9 6 3 3 6zM34 12l2-4 4 1 1 3z",
    "sand": "M8 10h2v2H8zM22 16h2v2h-2zM38 8h2v2h-2zM14 30h2v2h-2zM32 34h2v2h-2zM42 26h2v2h-2zM6 42h2v2H6zM24 42h2v2h-2z",
    "swamp": "M10 20v-9M7 20v-6M13 20v-6M5 22h10M34 42v-9M31 42v-6M37 42v-6M29 44h10M26 14h10",
    "snow": "M12 8v10M7 10l10 6M17 10L7 16M36 30v10M31 32l10 6M41 32l-10 6",
    "ice": "M6 12l12 6-4 8M30 34l12-4M26 8l8 4",
    "built": "M6 8h14v12H6zM26 26h16v14H26zM30 6h8v8h-8z",
    "grass": "M8 14l2-6 2 6M30 36l2-6 2 6M36 12l1.500-5 1.500 5M14 40l1.500-5 1.500 5",
    "dirt": "M7 8h3v3H7zM29 14h2v2h-2zM18 30h3v3h-3zM40 38h2v2h-2z",
    "mud": "M5 12q7 6 14 0M27 36q7 6 14 0",
    "cobbles": "M1 1h14v14H1zM17 1h16v14H17zM35 1h12v14H35zM10 17h16v14H10zM28 17h14v14H28zM1 33h14v14H1zM17 33h16v14H17z",
    "concrete": "M0 .5h48M.5 0v48M14 20l6 4M34 38l5-3",
    "planks": "M0 .5h48M0 16.500h48M0 32.500h48M14 0v16M38 16v16M22 32v16",
    "tiles": "M0 0h24v24H0zM24 24h24v24H24z",
    "carpet": "M12 3l9 9-9 9-9-9zM36 27l9 9-9 9-9-9z",
    "debris": "M7 14l5-5 4 5-3 4zM30 10l7-2 1 6zM16 36l3-6 7 4-3 5zM36 34h6v5h-6z",
}
"""Textures of terrain as SVG paths of 48 by 48, drawn for this project."""


class Drawing(Struct, frozen=True):
    """An SVG path with its look and its name."""

    path: str
    look: str = ""
    name: str = ""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0


class GroundDrawn(Struct, frozen=True):
    """Everything drawn under the tokens. `mark` stays the same as long as nothing changes."""

    mark: str
    hexes: bool
    left: float
    top: float
    width: float
    height: float
    """The size of the map; 0 if it has no edge."""
    areas: tuple[Drawing, ...]
    heights: tuple[Drawing, ...]
    lights: tuple[Drawing, ...]
    covers: tuple[Drawing, ...]
    walls: tuple[Drawing, ...]
    veils: tuple[Drawing, ...]
    labels: tuple[Drawing, ...]
    """Names on the map; a larger one has an outline."""
    fog: str
    words: str
    """A description for screen readers."""
    picture: "PictureDrawn | None" = None

    @property
    def textures(self) -> list[tuple[str, str]]:
        """The textures that the map uses."""
        looks = {area.look for area in self.areas}
        return [(look, texture) for look, texture in TEXTURES.items() if look in looks]

    @property
    def textured(self) -> frozenset[str]:
        """The looks that have a texture."""
        return frozenset(TEXTURES)

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The terrains of the map: look and name."""
        return list({area.name: (area.look, area.name) for area in self.areas if area.name and area.look != "open"}.values())


class PictureDrawn(Struct, frozen=True):
    """A background picture and its box; `painted` is a hash of the areas painted over."""

    digest: str
    x: float
    y: float
    width: float
    height: float
    painted: str = ""


class Handle(Struct, frozen=True):
    """An object on a map, for the editor: its outline, its name and its data."""

    on: str
    at: int
    path: str
    words: str
    thing: str
    open: bool = False
    """Whether it is an open line."""


def handles(ground: Ground) -> tuple[Handle, ...]:
    """All objects of a map, for the editor."""
    terrain, result = field(ground), []
    for on in ("regions", "covers", "walls", "lights"):
        for at, shape in enumerate(getattr(ground, on)):
            data = msgspec.json.encode(shape).decode()
            result.append(
                Handle(
                    on, at, _outline_path(terrain, shape), named(shape), data, isinstance(shape, Wall) or bool(getattr(shape, "along", ()))
                )
            )
    return tuple(result)


def _outline_path(terrain: Field, shape: Region | Wall | Cover | Light) -> str:
    if isinstance(shape, Wall):
        return path([_drawn_point(terrain, point) for point in shape.along], False)
    if isinstance(shape, Light):
        return path(_circle(*_drawn_point(terrain, (shape.x, shape.y)), min(0.4, shape.radius)), True)
    if isinstance(shape, Cover):
        if shape.x is not None and shape.y is not None:
            return path(_circle(*_drawn_point(terrain, (shape.x, shape.y)), 0.4), True)
        return path([_drawn_point(terrain, point) for point in outline(shape.box, shape.inside)], True)
    if terrain.hexes:
        return loops_path(hex_outlines(set(terrain.hexes_of(shape))))
    return path(shape.along, False) if shape.along else _shape(shape)


def draw_ground(shown: FieldShown) -> GroundDrawn:
    """Draw a map as one member sees it."""
    terrain = field(shown.ground, shown.changes)
    ground = shown.ground
    looks = dict(shown.looks)
    size = ground.size
    left, top, width, height = 0.0, 0.0, *(size or (0.0, 0.0))
    if terrain.hexes and size is not None:
        side = 1 / sqrt(3)
        left, top, width, height = -side, -0.5, (size[0] - 1) * hexes.ROOT + 2 * side, size[1] + 0.5
    walls = tuple(_wall(terrain, wall) for wall in ground.walls)
    covers = tuple(_cover(terrain, cover) for cover in ground.covers)
    return GroundDrawn(
        mark=f"{zlib.crc32(msgspec.json.encode(shown)):08x}",
        hexes=terrain.hexes,
        left=left,
        top=top,
        width=width,
        height=height,
        areas=_hex_areas(terrain, looks) if terrain.hexes else _areas(terrain, looks),
        heights=_hex_heights(terrain) if terrain.hexes else _heights(terrain),
        lights=tuple(Drawing("", "light", lamp.light, *_drawn_point(terrain, (lamp.x, lamp.y)), lamp.radius) for lamp in ground.lights),
        covers=covers,
        walls=walls,
        veils=_veils(terrain, shown),
        labels=tuple([_label(terrain, region) for region in ground.regions if region.mark]),
        fog=loops_path(shown.fog),
        words=_describe(shown, terrain),
        picture=_picture(shown),
    )


def _picture(shown: FieldShown) -> PictureDrawn | None:
    """The background picture, if it is saved at the table; None for the name of a file."""
    picture = shown.ground.picture
    if picture is None or not DIGEST.fullmatch(picture.file):
        return None
    return PictureDrawn(picture.file, *picture.box, shown.painted)


def _drawn_point(terrain: Field, spot: Spot) -> Spot:
    """The point at which a place is drawn."""
    return hexes.centre(spot) if terrain.hexes else spot


def format_coordinate(value: float) -> str:
    """A coordinate in as few characters as possible."""
    return f"{round(value, 2):g}"


def path(points: Sequence[Spot], shut: bool) -> str:
    """An SVG path through points."""
    return "M" + "L".join(f"{format_coordinate(x)} {format_coordinate(y)}" for x, y in points) + ("Z" if shut else "")


def loops_path(loops: Iterable[Sequence[Spot]]) -> str:
    """Several outlines as one SVG path; an outline within another is a hole."""
    return "".join(path(loop, True) for loop in loops)


def _hex_areas(terrain_map: Field, looks: dict[str, str]) -> tuple[Drawing, ...]:
    """One outline for all hexes of a terrain."""
    size = terrain_map.ground.size
    assert size is not None
    kinds: dict[str, set[hexes.Hex]] = {}
    for column in range(1, int(size[0]) + 1):
        for row in range(1, int(size[1]) + 1):
            terrain = terrain_map.terrain((column, row))
            if terrain:
                kinds.setdefault(terrain, set()).add((column, row))
    floors = [(region.look, region.name or region.look, set(terrain_map.hexes_of(region))) for region in terrain_map.regions if region.look]
    drawn = [(_look(terrain, looks), terrain, cells) for terrain, cells in kinds.items()] + floors
    return tuple([Drawing(loops_path(hex_outlines(cells)), look, name) for look, name, cells in drawn])


def _look(terrain: str, looks: dict[str, str]) -> str:
    look = looks.get(terrain, terrain)
    return look if look in LOOKS else "open"


def _areas(terrain: Field, looks: dict[str, str]) -> tuple[Drawing, ...]:
    clouds = terrain.changes.clouds
    seen = [region for region in terrain.regions if region.terrain or region.stops or region.look or region in clouds]
    return tuple(_area(region, _look(region.terrain, looks)) for region in seen)


def _area(region: Region, look: str) -> Drawing:
    name = region.name or region.terrain or region.look
    if region.look:
        look = region.look
    elif region.stops == "move":
        look = "chasm"
    elif region.stops in ("all", "sight"):
        look = "smoke"
    elif not region.terrain and not region.stops:
        look = "gas" if region.name.startswith("gas") else "danger"
    if region.along:
        return Drawing(path(region.along, False), look, name, width=region.width or 0.5)
    return Drawing(_shape(region), look, name)


def _shape(region: Region) -> str:
    if region.circle is not None:
        return path(_circle(*region.circle), True)
    return path(outline(region.box, region.inside or region.along), True)


def _circle(x: float, y: float, radius: float) -> list[Spot]:
    return [(x + radius * cos(2 * pi * at / ROUND), y + radius * sin(2 * pi * at / ROUND)) for at in range(ROUND)]


def _hex_heights(terrain: Field) -> tuple[Drawing, ...]:
    """A contour around everything at least as high as each level, with its number."""
    size = terrain.ground.size
    assert size is not None
    levels = {(c, r): terrain.level((c, r)) for c in range(1, int(size[0]) + 1) for r in range(1, int(size[1]) + 1)}
    drawings = []
    for level in range(1, max(levels.values(), default=0) + 1):
        cells = {spot for spot, high in levels.items() if high >= level}
        exactly = sorted(spot for spot, high in levels.items() if high == level)
        if cells:
            x, y = hexes.centre(exactly[len(exactly) // 2] if exactly else min(cells))
            drawings.append(Drawing(loops_path(hex_outlines(cells)), "", str(level), x, y))
    return tuple(drawings)


def _heights(terrain: Field) -> tuple[Drawing, ...]:
    drawings = []
    for region in terrain.regions:
        if region.level:
            x, y = _label_point(region)
            drawings.append(Drawing(_shape(region), "", str(region.level), x, y))
    return tuple(drawings)


def _label_point(region: Region) -> Spot:
    """The point in a region at which its number is drawn."""
    if region.circle is not None:
        return region.circle[:2]
    return outline(region.box, region.inside or region.along)[0]


def _label(terrain: Field, region: Region) -> Drawing:
    """A name at the middle of its region, with an outline if the region is larger than a point."""
    if region.circle is not None:
        (x, y), outlined = region.circle[:2], region.circle[2] > 1
    else:
        points = region.along or outline(region.box, region.inside)
        x, y, outlined = sum(point[0] for point in points) / len(points), sum(point[1] for point in points) / len(points), True
    return Drawing(_outline_path(terrain, region) if outlined else "", "label", region.name, *_drawn_point(terrain, (x, y)))


def _wall(terrain: Field, wall: Wall) -> Drawing:
    points = [_drawn_point(terrain, point) for point in wall.along]
    x, y = ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2)
    return Drawing(path(points, False), _wall_look(terrain, wall), wall.name, x, y)


def _wall_look(terrain: Field, wall: Wall) -> str:
    if wall.door:
        stands = terrain.standing(wall)
        return f"door {'open' if not stands else wall.door if wall.door in ('locked', 'secret') else 'closed'}"
    if not terrain.standing(wall):
        return "breached"
    return {"all": "solid", "move": "low", "sight": "curtain"}[wall.stops]


def _cover(terrain: Field, cover: Cover) -> Drawing:
    look = "heavy" if "heavy" in cover.cover else "light"
    if cover.x is not None and cover.y is not None:
        return Drawing("", look, f"{cover.name} ({cover.cover})", *_drawn_point(terrain, (cover.x, cover.y)), 0.4)
    points = [_drawn_point(terrain, point) for point in outline(cover.box, cover.inside)]
    return Drawing(path(points, True), look, f"{cover.name} ({cover.cover})", *_drawn_point(terrain, cover.middle))


def _veils(terrain: Field, shown: FieldShown) -> tuple[Drawing, ...]:
    """The areas that only the gamemaster sees so far."""
    if not shown.whole:
        return ()
    drawings = []
    for region in terrain.ground.regions:
        if region.veiled and region.name not in shown.changes.shown:
            shape = loops_path(hex_outlines(set(terrain.hexes_of(region)))) if terrain.hexes else _shape(region)
            drawings.append(Drawing(shape, "veil", region.name))
    return tuple(drawings)


def _describe(shown: FieldShown, terrain: Field) -> str:
    """Describe a map in words: its size, doors, covers and named regions."""
    ground = shown.ground
    parts = []
    if ground.size is not None:
        unit = "columns by rows of hexes" if terrain.hexes else "metres"
        parts.append(f"{ground.size[0]:g} by {ground.size[1]:g} {unit}")
    parts += [f"{wall.name} {'closed' if terrain.standing(wall) else 'open'}" for wall in ground.walls if wall.door and wall.name]
    parts += [f"{cover.name} at {cover.middle[0]:g}, {cover.middle[1]:g}, {cover.cover}" for cover in ground.covers]
    parts += [f"{region.name}, {region.terrain}" for region in ground.regions if region.name and region.terrain]
    return "; ".join(parts)


class BandDrawn(Struct, frozen=True):
    """The area within reach at one pace."""

    pace: str
    doing: str
    most: str
    path: str


def draw_bands(bands: Sequence[Shape]) -> tuple[BandDrawn, ...]:
    """Draw the areas within reach, the farthest first, so that nearer ones are on top."""
    drawn = [BandDrawn(band.pace, band.doing, f"{band.most:g}", loops_path(band.outlines)) for band in bands]
    return tuple(reversed(drawn))
