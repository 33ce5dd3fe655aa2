"""Maps on paper and for other programs: one self-contained SVG with grid, names and a scale, and pictures made of it."""

from collections.abc import Iterator
from html import escape
from math import floor, log10

from rulewright.errors import UserError
from rulewright.field.geometry import hexes
from rulewright.field.placement import FieldShown
from rulewright.web.maps.terrain_svg import TEXTURES, GroundDrawn, draw_ground

PAPER, INK, SOFT, LINE, CONTOUR = "#fbf7ec", "#22201c", "#6d675c", "#cfc6b2", "#a98a5b"
FILLS = {
    "open": "#f1ecdd",
    "wood": "#d5dfbf",
    "jungle": "#bfd0a4",
    "water": "#c9dde4",
    "deep": "#a9c8d4",
    "rough": "#e6dbc3",
    "sand": "#f0e3bf",
    "swamp": "#cfd6bd",
    "snow": "#f4f6f8",
    "ice": "#dcebf0",
    "built": "#dcd5c9",
    "debris": "#d8cbb8",
    "road": "#fbf7ec",
    "smoke": "#c9c9c9",
    "gas": "#e3d7ea",
    "danger": "#f0cfc6",
}
SIGNS = {
    "water": "#86abb9",
    "deep": "#6d9bb0",
    "wood": "#7f9a62",
    "jungle": "#5f8448",
    "swamp": "#8a9a6d",
    "snow": "#b9c3cd",
    "ice": "#9fc0cc",
}
LINED = frozenset(["water", "deep", "swamp", "snow", "ice"])
"""Textures that are lines instead of areas."""
MOST_PIXELS = 12_000
MARGIN = 0.04
"""Room below the map for its name and scale, as a share of its width."""


def map_svg(shown: FieldShown, name: str = "", pixels: float = 70.0, legend: bool = True) -> str:
    """A map as one SVG document with this number of pixels a square or hex. With `legend`, its name and scale are below it."""
    ground = shown.ground
    if ground.size is None:
        raise UserError("a map without a size cannot be drawn; give it one, such as size: [30, 20]")
    drawn = draw_ground(shown)
    unit = pixels if drawn.hexes else pixels / ground.cell
    below = max(drawn.width * MARGIN, 44 / unit) if legend else 0.0
    width, height = round(drawn.width * unit), round((drawn.height + below) * unit)
    if max(width, height) > MOST_PIXELS:
        raise UserError(
            f"the picture would have {width:,} by {height:,} pixels; at most {MOST_PIXELS:,} are allowed, so use fewer a square"
        )
    box = f"{drawn.left:g} {drawn.top:g} {drawn.width:g} {drawn.height + below:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}">',
        f"<title>{escape(name or 'Map')}</title>",
        _patterns(drawn, unit),
        f'<rect x="{drawn.left:g}" y="{drawn.top:g}" width="{drawn.width:g}" height="{drawn.height + below:g}" fill="{PAPER}"/>',
        f'<rect x="{drawn.left:g}" y="{drawn.top:g}" width="{drawn.width:g}" height="{drawn.height:g}" fill="{FILLS["open"]}"/>',
        *_areas(drawn),
        *_heights(drawn, unit),
        *(f'<circle cx="{lamp.x:g}" cy="{lamp.y:g}" r="{lamp.width:g}" fill="#fff3c4" fill-opacity=".45"/>' for lamp in drawn.lights),
        _grid(shown, drawn, unit),
        *_covers(drawn, unit),
        *_walls(drawn, unit),
        *(_scale(shown, drawn, name, unit, below) if legend else ()),
        "</svg>",
    ]
    return "\n".join(parts)


def _patterns(drawn: GroundDrawn, unit: float) -> str:
    size = 60 / unit
    patterns = []
    for look, texture in drawn.textures:
        colour = SIGNS.get(look, "#b39d74")
        ink = f'fill="none" stroke="{colour}" stroke-width="1.8"' if look in LINED else f'fill="{colour}"'
        box = f'width="{size:g}" height="{size:g}" patternUnits="userSpaceOnUse" viewBox="0 0 48 48"'
        patterns.append(f'<pattern id="t-{look}" {box}><path d="{texture}" {ink}/></pattern>')
    return f"<defs>{''.join(patterns)}</defs>"


def _areas(drawn: GroundDrawn) -> Iterator[str]:
    for area in drawn.areas:
        fill = FILLS.get(area.look, FILLS["open"])
        if area.width:
            yield f'<path d="{area.path}" fill="none" stroke="#c8b894" stroke-width="{area.width * 1.2:g}" stroke-linejoin="round"/>'
            yield f'<path d="{area.path}" fill="none" stroke="{fill}" stroke-width="{area.width:g}" stroke-linejoin="round"/>'
            continue
        yield f'<path d="{area.path}" fill="{fill}" fill-rule="evenodd"/>'
        if area.look in TEXTURES:
            yield f'<path d="{area.path}" fill="url(#t-{area.look})" fill-rule="evenodd"/>'


def _heights(drawn: GroundDrawn, unit: float) -> Iterator[str]:
    for hill in drawn.heights:
        style = f'fill="{CONTOUR}" fill-opacity=".12" stroke="{CONTOUR}" stroke-width="{1.5 / unit:g}"'
        yield f'<path d="{hill.path}" {style} fill-rule="evenodd"/>'
        yield _text(hill.name, hill.x, hill.y, 16 / unit, CONTOUR)


def _grid(shown: FieldShown, drawn: GroundDrawn, unit: float) -> str:
    """The lines of squares or hexes; nothing on an open map."""
    ground = shown.ground
    assert ground.size is not None
    style = f'fill="none" stroke="{LINE}" stroke-width="{1 / unit:g}"'
    if drawn.hexes:
        cells = [hexes.corners((c, r)) for c in range(1, int(ground.size[0]) + 1) for r in range(1, int(ground.size[1]) + 1)]
        outlines = "".join("M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in corners) + "Z" for corners in cells)
        return f'<path d="{outlines}" {style}/>'
    if ground.grid != "squares":
        return ""
    across, down = range(int(ground.size[0] / ground.cell) + 1), range(int(ground.size[1] / ground.cell) + 1)
    upright = "".join(f"M{column * ground.cell:g} 0V{ground.size[1]:g}" for column in across)
    level = "".join(f"M0 {row * ground.cell:g}H{ground.size[0]:g}" for row in down)
    return f'<path d="{upright}{level}" {style}/>'


def _covers(drawn: GroundDrawn, unit: float) -> Iterator[str]:
    for cover in drawn.covers:
        style = f'fill="{FILLS["built"]}" stroke="{INK}" stroke-width="{(2.5 if cover.look == "heavy" else 1.5) / unit:g}"'
        dashes = "" if cover.look == "heavy" else f' stroke-dasharray="{6 / unit:g} {4 / unit:g}"'
        if cover.path:
            yield f'<path d="{cover.path}" {style}{dashes}/>'
        else:
            yield f'<circle cx="{cover.x:g}" cy="{cover.y:g}" r="{cover.width:g}" {style}{dashes}/>'
        yield _text(cover.name.partition(" (")[0], cover.x, cover.y, 13 / unit, SOFT)


def _walls(drawn: GroundDrawn, unit: float) -> Iterator[str]:
    styles = {"solid": (INK, 4, ""), "low": (SOFT, 3, "10 4"), "curtain": (INK, 2, "2 5"), "breached": (LINE, 3, "3 6")}
    for wall in drawn.walls:
        colour, thick, dashes = styles.get(wall.look, ("#8a5a2b", 5, "4 6" if wall.look == "door open" else ""))
        dashed = " ".join(f"{float(part) / unit:g}" for part in dashes.split())
        dash = f' stroke-dasharray="{dashed}"' if dashed else ""
        yield f'<path d="{wall.path}" fill="none" stroke="{colour}" stroke-width="{thick / unit:g}" stroke-linecap="round"{dash}/>'


def _text(words: str, x: float, y: float, size: float, colour: str, anchor: str = "middle") -> str:
    font = f'font-family="Helvetica, Arial, sans-serif" font-size="{size:g}" text-anchor="{anchor}"'
    halo = f'stroke="{PAPER}" stroke-width="{size / 5:g}" stroke-linejoin="round" paint-order="stroke"'
    return f'<text x="{x:g}" y="{y + size * 0.35:g}" {font} fill="{colour}" {halo}>{escape(words)}</text>'


def _scale(shown: FieldShown, drawn: GroundDrawn, name: str, unit: float, below: float) -> Iterator[str]:
    """The name at the left of the room below the map, and a bar of a round number of metres at the right."""
    metres = shown.ground.cell if drawn.hexes else 1.0
    bar = _round_length(drawn.width * metres / 5)
    middle, size = drawn.top + drawn.height + below / 2, min(below * 0.45, 20 / unit)
    end = drawn.left + drawn.width - size
    start = end - bar / metres
    yield _text(name, drawn.left + size, middle, size, INK, "start")
    ends = f"M{start:g} {middle - size / 3:g}V{middle + size / 3:g}H{end:g}V{middle - size / 3:g}"
    yield f'<path d="{ends}" fill="none" stroke="{INK}" stroke-width="{2 / unit:g}"/>'
    yield _text(_length(bar), start - size / 2, middle, size, INK, "end")


def _round_length(metres: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not longer.

    >>> _round_length(37.5)
    20.0
    """
    power = 10.0 ** floor(log10(metres))
    return max(times * power for times in (1, 2, 5) if times * power <= metres * 1.000001)


def _length(metres: float) -> str:
    return f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"


def map_png(svg: str) -> bytes:
    """A map as a PNG picture of the size that its SVG names."""
    try:
        import vl_convert
    except ImportError:
        raise UserError("pictures of maps need the extra `charts`: pip install 'rulewright[charts]'") from None
    return bytes(vl_convert.svg_to_png(svg))


def map_pdf(svg: str) -> bytes:
    """A map as a PDF of one page, as large as its SVG."""
    try:
        import vl_convert
    except ImportError:
        raise UserError("pictures of maps need the extra `charts`: pip install 'rulewright[charts]'") from None
    return bytes(vl_convert.svg_to_pdf(svg))
