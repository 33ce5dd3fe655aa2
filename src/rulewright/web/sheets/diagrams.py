"""Diagrams of sheets: sectors around a vehicle or person, and a line in bands. The page only draws them."""

from math import cos, radians, sin, sqrt

from msgspec import Struct

from rulewright.build.sheet_parts import Arcs, Bands, Sector

MIDDLE, FARTHEST = 150.0, 128.0
NEAREST = 16.0
COLOURS = 4


class SectorDrawn(Struct, frozen=True):
    """A sector as an SVG path, with its colour and description."""

    path: str
    colour: int
    words: str


class Ring(Struct, frozen=True):
    """A circle of equal distance, with its label."""

    radius: float
    label: str


class SectorDiagram(Struct, frozen=True):
    """A diagram of sectors."""

    sectors: tuple[SectorDrawn, ...]
    rings: tuple[Ring, ...]
    sides: tuple[SectorDrawn, ...]
    words: str


def fan(piece: Arcs) -> SectorDiagram:
    """Draw sectors around the middle; radii grow with the square root of the distance, so that near ones are visible."""
    farthest = max((sector.reaches[-1] for sector in piece.sectors if sector.reaches), default=1.0) or 1.0
    ordered = sorted(enumerate(piece.sectors), key=lambda entry: -(entry[1].reaches[-1] if entry[1].reaches else 0))
    sectors = tuple(
        SectorDrawn(_path(sector, _radius(sector.reaches[-1] if sector.reaches else 0, farthest)), at % COLOURS, _words(sector, piece.unit))
        for at, sector in ordered
    )
    steps = sorted({reach for sector in piece.sectors for reach in sector.reaches if reach})
    rings = tuple(Ring(_radius(step, farthest), f"{step:g}") for step in steps[-4:])
    sides = tuple(SectorDrawn(_path(side, FARTHEST), 0, side.name) for side in piece.sides)
    return SectorDiagram(sectors, rings, sides, "; ".join(_words(sector, piece.unit) for sector in piece.sectors))


def _words(sector: Sector, unit: str) -> str:
    reach = "/".join(f"{value:g}" for value in sector.reaches)
    return f"{sector.name}: {sector.degrees}° {reach} {unit}".strip()


def _radius(reach: float, farthest: float) -> float:
    return round(max(NEAREST, FARTHEST * sqrt(max(0.0, reach) / farthest)), 1)


def _path(sector: Sector, radius: float) -> str:
    """The SVG path of a sector; ahead is up."""
    if sector.degrees >= 360:
        return f"M{MIDDLE} {MIDDLE - radius}a{radius} {radius} 0 1 1 -0.01 0Z"
    first, last = (_point(sector.faces + sign * sector.degrees / 2, radius) for sign in (-1, 1))
    large = 1 if sector.degrees > 180 else 0
    return f"M{MIDDLE} {MIDDLE}L{first}A{radius} {radius} 0 {large} 1 {last}Z"


def _point(degrees: float, radius: float) -> str:
    angle = radians(degrees)
    return f"{round(MIDDLE + radius * sin(angle), 1)} {round(MIDDLE - radius * cos(angle), 1)}"


class BandDrawn(Struct, frozen=True):
    """A band on a line: its start, its length and its label."""

    at: float
    width: float
    grave: int
    name: str
    upto: str


def stretches(piece: Bands) -> tuple[BandDrawn, ...]:
    """The bands of a line, in percent of its length."""
    end = max((band.upto for band in piece.bands), default=0) or 1.0
    result, before = [], 0.0
    for band in piece.bands:
        result.append(
            BandDrawn(
                round(100 * before / end, 2), round(100 * max(0.0, band.upto - before) / end, 2), band.grave, band.name, f"{band.upto:g}"
            )
        )
        before = max(before, band.upto)
    return tuple(result)
