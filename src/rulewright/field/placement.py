"""Positions of people, and the map as one viewer sees it: the known part, and fog."""

from collections.abc import Iterable
from math import cos, pi, sin
from zlib import crc32

from msgspec import Struct

from rulewright.field.field import Field, Spot, field
from rulewright.field.geometry import hexes
from rulewright.field.geometry.shapes import loops
from rulewright.field.ground import Changes, Ground, Region, outline
from rulewright.field.pathfinding import hex_outlines
from rulewright.field.revealed import known_field

MOST_CELLS = 4_000
"""The largest number of cells for computing fog."""
ROUND = 48
"""Number of corners of a painted-over circle."""


class Standing(Struct, frozen=True):
    """A person's position: place, height, facing, side, and size in cells."""

    x: float
    y: float
    side: str = ""
    level: int = 0
    facing: int | None = None
    """Hexsides clockwise from north on hexes; on open ground degrees from the x axis towards y; None if it does not matter."""
    size: float = 1.0

    @property
    def spot(self) -> Spot:
        """The place alone."""
        return self.x, self.y


class FieldShown(Struct, frozen=True):
    """A map as one person may see it: the known part, its changes, and the textures of its terrains."""

    ground: Ground
    changes: Changes
    looks: tuple[tuple[str, str], ...] = ()
    """Textures by terrain, of those that a page can draw."""
    fog: tuple[tuple[Spot, ...], ...] = ()
    """The outlines of the area that nobody of their side sees."""
    whole: bool = False
    """Whether everything is shown, as to the gamemaster."""
    painted: str = ""
    """Identifies the part of the picture that is painted over; empty if everything is visible."""


def field_shown(
    ground: Ground,
    changes: Changes,
    eyes: Iterable[Spot] | None,
    looks: tuple[tuple[str, str], ...] = (),
    letters: tuple[tuple[str, str], ...] = (),
) -> FieldShown:
    """The map as seen from these places; None is the gamemaster, who sees everything."""
    if eyes is None:
        return FieldShown(ground, changes, looks, whole=True)
    seen = known_field(ground, changes)
    return FieldShown(seen.ground, seen.changes, looks, fog(field(ground, changes, letters), tuple(eyes)), painted=painted(ground, changes))


def painted(ground: Ground, changes: Changes) -> str:
    """Identifies the outlines of the hidden regions over the picture, and nothing else of them; empty if there are none."""
    if ground.picture is None or not veils_of(ground, changes):
        return ""
    return f"{crc32(repr(veils_on_picture(ground, changes)).encode()):08x}"


def veils_of(ground: Ground, changes: Changes) -> tuple[Region, ...]:
    """The regions that only the gamemaster knows of."""
    return tuple([region for region in ground.regions if region.veiled and region.name not in changes.shown])


def veils_on_picture(ground: Ground, changes: Changes) -> tuple[tuple[Spot, ...], ...]:
    """The outlines of hidden regions, as fractions of the picture's width and height."""
    assert ground.picture is not None
    left, top, width, height = ground.picture.box
    drawn_field, outlines = field(ground), list[tuple[Spot, ...]]()
    for veil in veils_of(ground, changes):
        region_loops = hex_outlines(set(drawn_field.hexes_of(veil))) if drawn_field.hexes else (_around(veil),)
        outlines += [tuple([((x - left) / width, (y - top) / height) for x, y in loop]) for loop in region_loops]
    return tuple(outlines)


def _around(region: Region) -> tuple[Spot, ...]:
    """The corners around a region; for a line, a box around it."""
    if region.circle is not None:
        x, y, radius = region.circle
        wide = radius / cos(pi / ROUND)
        return tuple([(x + wide * cos(2 * pi * at / ROUND), y + wide * sin(2 * pi * at / ROUND)) for at in range(ROUND)])
    if region.along:
        xs, ys, more = [x for x, _ in region.along], [y for _, y in region.along], region.width / 2
        box = (min(xs) - more, min(ys) - more, max(xs) - min(xs) + 2 * more, max(ys) - min(ys) + 2 * more)
        return outline(box, ())
    return outline(region.box, region.inside)


def fog(there: Field, eyes: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], ...]:
    """The outlines of the area that nobody sees from these places; for display only, no rule reads it."""
    size = there.ground.size
    if size is None or there.bare or not eyes:
        return ()
    key = ("fog", eyes)
    kept = there.remembered.get(key)
    if kept is None:
        kept = _hex_fog(there, eyes) if there.hexes else _open_fog(there, eyes)
        there.remember(key, kept)
    return kept  # type: ignore[return-value]  # only fog is kept under this key


def _open_fog(there: Field, eyes: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], ...]:
    assert there.ground.size is not None
    across, down = there.ground.size
    step = 1
    while (across / step) * (down / step) > MOST_CELLS:
        step *= 2
    dark = set()
    for column in range(int(-(-across // step))):
        for row in range(int(-(-down // step))):
            middle = (min((column + 0.5) * step, across), min((row + 0.5) * step, down))
            if not any(there.sight(eye, middle).open for eye in eyes):
                dark.add((column * step, row * step))
    edges = {(x, y): _square(x, y, step) for x, y in dark}
    return tuple([tuple([(min(float(x), across), min(float(y), down)) for x, y in loop]) for loop in loops(dark, edges)])


def _square(x: int, y: int, step: int) -> tuple[tuple[tuple[int, int], tuple[int, int]], ...]:
    corners = ((x, y), (x + step, y), (x + step, y + step), (x, y + step))
    return tuple(zip(corners, (*corners[1:], corners[0]), strict=True))


def _hex_fog(there: Field, eyes: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], ...]:
    assert there.ground.size is not None
    columns, rows = int(there.ground.size[0]), int(there.ground.size[1])
    spots: list[hexes.Hex] = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    return hex_outlines({spot for spot in spots if not any(there.sight(eye, spot).open for eye in eyes)})
