"""A plain picture with a grid as a map. Its size follows from the pixels of a cell and where the first one begins."""

from math import isfinite, sqrt

from rulewright.errors import UserError
from rulewright.field.geometry import hexes
from rulewright.field.ground import Box, Grid, Ground, Picture


def box_of(pixels: tuple[int, int], cell: float, offset: tuple[float, float], grid: Grid, metres: float) -> Box:
    """The box that a picture fills: metres, or on hexes hexes across.

    `cell` is the size of a cell in pixels (of a hex from flat side to flat side), `offset` the pixel where the first one begins.
    """
    if not isfinite(cell) or not 4 <= cell <= max(pixels):
        raise UserError(f"a cell of the picture has 4 to {max(pixels)} pixels, not {cell:g}")
    if not all(isfinite(value) and abs(value) <= most for value, most in zip(offset, pixels, strict=True)):
        raise UserError(
            f"the first cell must begin within the picture of {pixels[0]} by {pixels[1]} pixels, not at {offset[0]:g}, {offset[1]:g}"
        )
    scale = 1 / cell if grid == "hexes" else metres / cell
    left, top = (-1 / sqrt(3), -0.5) if grid == "hexes" else (0.0, 0.0)
    return (
        round(left - offset[0] * scale, 3),
        round(top - offset[1] * scale, 3),
        round(pixels[0] * scale, 3),
        round(pixels[1] * scale, 3),
    )


def pictured(
    pixels: tuple[int, int], file: str, cell: float, offset: tuple[float, float] = (0, 0), grid: Grid = "squares", metres: float = 1.5
) -> Ground:
    """A map as large as a picture, with the picture beneath it."""
    box = box_of(pixels, cell, offset, grid, metres)
    across, down = pixels[0] - max(0.0, offset[0]), pixels[1] - max(0.0, offset[1])
    if grid == "hexes":
        side = cell / sqrt(3)
        columns, rows = max(1, int((across - 2 * side) / cell / hexes.ROOT + 1.001)), max(1, int(down / cell - 0.499))
        try:
            return Ground("hexes", metres, (float(columns), float(rows)), picture=Picture(file, box))
        except ValueError as error:
            raise UserError(f"{error}; check the number of pixels per hex") from None
    size = (round(across / cell * metres, 2), round(down / cell * metres, 2))
    try:
        return Ground(grid, metres, size, picture=Picture(file, box))
    except ValueError as error:
        raise UserError(str(error)) from None
