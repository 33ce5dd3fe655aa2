"""Ground as a page draws it: one outline for each terrain and height, walls, doors, covers, lamps, fog; in metres, or hexes across.

Only what a looker may know comes in here (`FieldShown`), so whatever is drawn may be sent.
"""

import zlib
from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt

import msgspec
from msgspec import Struct

from rulewright.field.field import Field, Spot, field
from rulewright.field.geometry import hexes
from rulewright.field.ground import Cover, Ground, Light, Region, Wall, outline
from rulewright.field.map_strokes import named
from rulewright.field.pathfinding import hex_outlines
from rulewright.field.placement import FieldShown
from rulewright.play import Shape
from rulewright.table.storage.pictures import DIGEST

LOOKS = frozenset(["open", "road", "rough", "sand", "wood", "jungle", "swamp", "water", "deep", "snow", "ice", "built", "debris"])
ROUND = 32


class Drawing(Struct, frozen=True):
    """A path with how it looks, and what it is called."""

    path: str
    look: str = ""
    name: str = ""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0


class GroundDrawn(Struct, frozen=True):
    """Everything that lies under the counters. `mark` comes again as long as nothing of it has changed."""

    mark: str
    hexes: bool
    left: float
    top: float
    width: float
    height: float
    """What there is of it; 0 where it has no end."""
    areas: tuple[Drawing, ...]
    heights: tuple[Drawing, ...]
    lights: tuple[Drawing, ...]
    covers: tuple[Drawing, ...]
    walls: tuple[Drawing, ...]
    veils: tuple[Drawing, ...]
    fog: str
    words: str
    """The same for those who do not see it."""
    picture: "PictureDrawn | None" = None


class PictureDrawn(Struct, frozen=True):
    """A kept picture beneath the ground, and the box it fills; `painted` stands for what is painted over on it."""

    digest: str
    x: float
    y: float
    width: float
    height: float
    painted: str = ""


class Handle(Struct, frozen=True):
    """Something drawn on the ground, for whoever draws: by which it is taken hold of, and all of it as plain data."""

    on: str
    at: int
    path: str
    words: str
    thing: str
    open: bool = False
    """Whether it is a line, which has no inside."""


def handles(ground: Ground) -> tuple[Handle, ...]:
    """Everything that lies on a ground, to be taken hold of."""
    there, result = field(ground), []
    for on in ("regions", "covers", "walls", "lights"):
        for at, thing in enumerate(getattr(ground, on)):
            plain = msgspec.json.encode(thing).decode()
            result.append(
                Handle(on, at, _outlined(there, thing), named(thing), plain, isinstance(thing, Wall) or bool(getattr(thing, "along", ())))
            )
    return tuple(result)


def _outlined(there: Field, thing: Region | Wall | Cover | Light) -> str:
    if isinstance(thing, Wall):
        return path([_paper(there, point) for point in thing.along], False)
    if isinstance(thing, Light):
        return path(_circle(*_paper(there, (thing.x, thing.y)), min(0.4, thing.radius)), True)
    if isinstance(thing, Cover):
        if thing.x is not None and thing.y is not None:
            return path(_circle(*_paper(there, (thing.x, thing.y)), 0.4), True)
        return path([_paper(there, point) for point in outline(thing.box, thing.inside)], True)
    if there.hexes:
        return loops_path(hex_outlines(set(there.hexes_of(thing))))
    return path(thing.along, False) if thing.along else _shape(thing)


def ground_drawn(shown: FieldShown) -> GroundDrawn:
    """The ground as one looker knows it."""
    there = field(shown.ground, shown.changes)
    ground = shown.ground
    looks = dict(shown.looks)
    size = ground.size
    left, top, width, height = 0.0, 0.0, *(size or (0.0, 0.0))
    if there.hexes and size is not None:
        side = 1 / sqrt(3)
        left, top, width, height = -side, -0.5, (size[0] - 1) * hexes.ROOT + 2 * side, size[1] + 0.5
    walls = tuple(_wall(there, wall) for wall in ground.walls)
    covers = tuple(_cover(there, cover) for cover in ground.covers)
    return GroundDrawn(
        mark=f"{zlib.crc32(msgspec.json.encode(shown)):08x}",
        hexes=there.hexes,
        left=left,
        top=top,
        width=width,
        height=height,
        areas=_hex_areas(there, looks) if there.hexes else _areas(there, looks),
        heights=_hex_heights(there) if there.hexes else _heights(there),
        lights=tuple(Drawing("", "light", lamp.light, *_paper(there, (lamp.x, lamp.y)), lamp.radius) for lamp in ground.lights),
        covers=covers,
        walls=walls,
        veils=_veils(there, shown),
        fog=loops_path(shown.fog),
        words=_words(shown, there),
        picture=_picture(shown),
    )


def _picture(shown: FieldShown) -> PictureDrawn | None:
    """The picture, where it is one that is kept; a file's name is not."""
    result = shown.ground.picture
    if result is None or not DIGEST.fullmatch(result.file):
        return None
    return PictureDrawn(result.file, *result.box, shown.painted)


def _paper(there: Field, spot: Spot) -> Spot:
    """Where a spot is drawn."""
    return hexes.centre(spot) if there.hexes else spot


def number(value: float) -> str:
    """A coordinate in as few letters as will do."""
    return f"{round(value, 2):g}"


def path(points: Sequence[Spot], shut: bool) -> str:
    """A line through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if shut else "")


def loops_path(loops: Iterable[Sequence[Spot]]) -> str:
    """Outlines as one path; what lies within two of them is a hole."""
    return "".join(path(loop, True) for loop in loops)


def _hex_areas(there: Field, looks: dict[str, str]) -> tuple[Drawing, ...]:
    """One outline for all hexes of a terrain, however many there are."""
    size = there.ground.size
    assert size is not None
    kinds: dict[str, set[hexes.Hex]] = {}
    for column in range(1, int(size[0]) + 1):
        for row in range(1, int(size[1]) + 1):
            terrain = there.terrain((column, row))
            if terrain:
                kinds.setdefault(terrain, set()).add((column, row))
    return tuple(Drawing(loops_path(hex_outlines(cells)), _look(terrain, looks), terrain) for terrain, cells in kinds.items())


def _look(terrain: str, looks: dict[str, str]) -> str:
    look = looks.get(terrain, terrain)
    return look if look in LOOKS else "open"


def _areas(there: Field, looks: dict[str, str]) -> tuple[Drawing, ...]:
    seen = [region for region in there.regions if region.terrain or region.stops or region in there.changes.clouds]
    return tuple(_area(region, _look(region.terrain, looks)) for region in seen)


def _area(region: Region, look: str) -> Drawing:
    name = region.name or region.terrain
    if region.stops in ("all", "sight"):
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


def _hex_heights(there: Field) -> tuple[Drawing, ...]:
    """A contour around everything that is as high as a level or higher, with its figure."""
    size = there.ground.size
    assert size is not None
    levels = {(c, r): there.level((c, r)) for c in range(1, int(size[0]) + 1) for r in range(1, int(size[1]) + 1)}
    drawings = []
    for level in range(1, max(levels.values(), default=0) + 1):
        cells = {spot for spot, high in levels.items() if high >= level}
        exactly = sorted(spot for spot, high in levels.items() if high == level)
        if cells:
            x, y = hexes.centre(exactly[len(exactly) // 2] if exactly else min(cells))
            drawings.append(Drawing(loops_path(hex_outlines(cells)), "", str(level), x, y))
    return tuple(drawings)


def _heights(there: Field) -> tuple[Drawing, ...]:
    drawings = []
    for region in there.regions:
        if region.level:
            x, y = _first(region)
            drawings.append(Drawing(_shape(region), "", str(region.level), x, y))
    return tuple(drawings)


def _first(region: Region) -> Spot:
    """A place in a region at which its figure stands."""
    if region.circle is not None:
        return region.circle[:2]
    return outline(region.box, region.inside or region.along)[0]


def _wall(there: Field, wall: Wall) -> Drawing:
    points = [_paper(there, point) for point in wall.along]
    x, y = ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2)
    return Drawing(path(points, False), _wall_look(there, wall), wall.name, x, y)


def _wall_look(there: Field, wall: Wall) -> str:
    if wall.door:
        stands = there.standing(wall)
        return f"door {'open' if not stands else wall.door if wall.door in ('locked', 'secret') else 'closed'}"
    if not there.standing(wall):
        return "breached"
    return {"all": "solid", "move": "low", "sight": "curtain"}[wall.stops]


def _cover(there: Field, cover: Cover) -> Drawing:
    look = "heavy" if "heavy" in cover.cover else "light"
    if cover.x is not None and cover.y is not None:
        return Drawing("", look, f"{cover.name} ({cover.cover})", *_paper(there, (cover.x, cover.y)), 0.4)
    points = [_paper(there, point) for point in outline(cover.box, cover.inside)]
    return Drawing(path(points, True), look, f"{cover.name} ({cover.cover})", *_paper(there, cover.middle))


def _veils(there: Field, shown: FieldShown) -> tuple[Drawing, ...]:
    """For the gamemaster: what nobody else knows of yet."""
    if not shown.whole:
        return ()
    drawings = []
    for region in there.ground.regions:
        if region.veiled and region.name not in shown.changes.shown:
            shape = loops_path(hex_outlines(set(there.hexes_of(region)))) if there.hexes else _shape(region)
            drawings.append(Drawing(shape, "veil", region.name))
    return tuple(drawings)


def _words(shown: FieldShown, there: Field) -> str:
    """What lies on the ground in words: its size, doors, covers, named regions."""
    ground = shown.ground
    parts = []
    if ground.size is not None:
        unit = "columns by rows of hexes" if there.hexes else "metres"
        parts.append(f"{ground.size[0]:g} by {ground.size[1]:g} {unit}")
    parts += [f"{wall.name} {'closed' if there.standing(wall) else 'open'}" for wall in ground.walls if wall.door and wall.name]
    parts += [f"{cover.name} at {cover.middle[0]:g}, {cover.middle[1]:g}, {cover.cover}" for cover in ground.covers]
    parts += [f"{region.name}, {region.terrain}" for region in ground.regions if region.name and region.terrain]
    return "; ".join(parts)


class BandDrawn(Struct, frozen=True):
    """All ground within a pace."""

    pace: str
    doing: str
    most: str
    path: str


def bands_drawn(bands: Sequence[Shape]) -> tuple[BandDrawn, ...]:
    """The farthest first, so that nearer ones lie on top."""
    drawn = [BandDrawn(band.pace, band.doing, f"{band.most:g}", loops_path(band.outlines)) for band in bands]
    return tuple(reversed(drawn))
