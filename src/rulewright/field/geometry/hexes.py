"""Flat-topped hexes in integers. A hex is its column and row, counted from 1; even columns are half a hex lower.

Directions and facings go clockwise from north: 0 north, 1 north-east, 2 south-east, 3 south, 4 south-west, 5 north-west. Calculations use
axial coordinates (q to the south-east, r to the south); nothing is rounded, so that ties are exact.
"""

from collections.abc import Iterable
from math import atan2, degrees, sqrt

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play.cache import cached

Hex = tuple[int, int]
Step = tuple[Hex, ...]
"""One hex of a line, or the two between which the line runs."""

DIRECTIONS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
_AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
ROOT = sqrt(3) / 2
"""Distance between columns, if a hex is 1 across."""


def axial(spot: Hex) -> Hex:
    """The axial coordinates of a hex, in which each of the six directions is the same step everywhere."""
    q = spot[0] - 1
    return q, spot[1] - 1 - (q - (q & 1)) // 2


def by_column(at: Hex) -> Hex:
    """Column and row of axial coordinates."""
    q, r = at
    return q + 1, r + (q - (q & 1)) // 2 + 1


def label(spot: Hex) -> str:
    """The printed label of a hex: column 3, row 7 is 0307."""
    return f"{spot[0]:02d}{spot[1]:02d}"


def centre(spot: tuple[float, float]) -> tuple[float, float]:
    """The position of a hex, if a hex is 1 across from flat to flat. Fractional columns are interpolated."""
    column, row = spot
    low = int(column // 1)
    here, there = (0.5 if low % 2 == 0 else 0.0), (0.0 if low % 2 == 0 else 0.5)
    part = column - low
    return (column - 1) * ROOT, row - 1 + here + (there - here) * part


def corners(spot: Hex) -> tuple[tuple[float, float], ...]:
    """The six corners of a hex, clockwise from the upper right."""
    x, y = centre(spot)
    wide, narrow = 1 / sqrt(3), 0.5 / sqrt(3)
    return (x + narrow, y - 0.5), (x + wide, y), (x + narrow, y + 0.5), (x - narrow, y + 0.5), (x - wide, y), (x - narrow, y - 0.5)


@cached(1 << 14)
def neighbour(spot: Hex, direction: int) -> Hex:
    """The next hex in a direction."""
    q, r = axial(spot)
    step = _AXIAL[direction % 6]
    return by_column((q + step[0], r + step[1]))


def neighbours(spot: Hex) -> tuple[Hex, ...]:
    """The six hexes around one, clockwise from north."""
    return tuple([neighbour(spot, direction) for direction in range(6)])


def distance(start: Hex, end: Hex) -> int:
    """The distance in steps."""
    (column, row), (to_column, to_row) = start, end
    q = to_column - column
    r = to_row - row - (to_column - 1 >> 1) + (column - 1 >> 1)
    along, diagonal = abs(q), abs(q + r)
    down = abs(r)
    longest = along if along > down else down
    return longest if longest > diagonal else diagonal


def distances(start: Hex, others: Iterable[Hex]) -> list[int]:
    """The distances from a hex to several others."""
    column, row = start
    row -= column - 1 >> 1
    steps_to = []
    for to_column, to_row in others:
        q = to_column - column
        r = to_row - row - (to_column - 1 >> 1)
        diagonal = q + r
        q, r, diagonal = q if q >= 0 else -q, r if r >= 0 else -r, diagonal if diagonal >= 0 else -diagonal
        longest = q if q > r else r
        steps_to.append(longest if longest > diagonal else diagonal)
    return steps_to


def line(start: Hex, end: Hex) -> tuple[Step, ...]:
    """The hexes between two: for each of equal parts the nearest hex, or both if the line runs exactly between two."""
    q, r = axial(start)
    end_q, end_r = axial(end)
    return tuple([tuple([by_column((q + a, r + b)) for a, b in step]) for step in steps(end_q - q, end_r - r)])


@cached(4096)
def steps(dq: int, dr: int) -> tuple[Step, ...]:
    """A line from the origin, in axial coordinates.

    The largest of the three differences goes by whole steps, so that only one of the others can be halved.
    """
    ds = -dq - dr
    parts = max(abs(dq), abs(dr), abs(ds))
    line_steps = []
    for at in range(1, parts):
        if abs(dq) == parts:
            whole = dq // parts * at
            line_steps.append(tuple([(whole, near) for near in _nearest(dr * at, parts)]))
        elif abs(dr) == parts:
            whole = dr // parts * at
            line_steps.append(tuple([(near, whole) for near in _nearest(dq * at, parts)]))
        else:
            whole = ds // parts * at
            line_steps.append(tuple([(near, -whole - near) for near in _nearest(dq * at, parts)]))
    return tuple(line_steps)


def _nearest(number: int, parts: int) -> tuple[int, ...]:
    """The integer nearest to a fraction, or both if it is halfway."""
    low, left = divmod(number, parts)
    if 2 * left == parts:
        return low, low + 1
    return (low + (2 * left > parts),)


class Bearing(Struct, frozen=True, gc=False, cache_hash=True):
    """A bearing relative to a facing: the angle, the side, and integers that make the borders of arcs exact.

    `forward` and `side` are set on hexes; the tangent of the angle is the root of three times side by forward.
    """

    degrees: float
    right: bool
    forward: int | None = None
    side: int = 0

    def against(self, limit: float) -> int:
        """-1 inside an arc that ends at `limit` degrees off the front, 0 exactly on its border, 1 outside."""
        if self.forward is not None and limit in (0, 30, 60, 90, 120, 150, 180):
            return self._exactly(int(limit))
        if abs(self.degrees - limit) < 1e-9:
            return 0
        return -1 if self.degrees < limit else 1

    def _exactly(self, limit: int) -> int:
        assert self.forward is not None
        forward, side = self.forward, abs(self.side)
        if limit == 90:
            difference = -forward
        elif limit == 0:
            difference = 0 if forward > 0 and side == 0 else 1
        elif limit == 180:
            difference = 0 if forward < 0 and side == 0 else -1
        elif limit < 90:
            difference = side * (3 if limit == 30 else 1) - forward if forward > 0 else 1
        else:
            difference = -forward - side * (3 if limit == 150 else 1) if forward < 0 else -1
        return (difference > 0) - (difference < 0)


@cached(4096)
def off_front(at: Hex, facing: int, other: Hex) -> Bearing:
    """The bearing of another hex relative to a facing."""
    if not 0 <= facing <= 5:
        raise UserError(f"a facing is 0 (north) to 5 (north-west), clockwise, not {facing}")
    (q1, r1), (q2, r2) = axial(at), axial(other)
    q, r = q2 - q1, r2 - r1
    for _ in range(facing):
        q, r = q + r, -q  # a sixth of a turn back, so that the front is north
    forward, side = -(2 * r + q), q
    if not q and not r:
        return Bearing(0.0, False, 1, 0)
    return Bearing(abs(degrees(atan2(sqrt(3) * side, forward))), side > 0, forward, side)


@cached(8192)
def towards(at: Hex, other: Hex) -> int:
    """The direction of the neighbour nearest to the line to another hex; of two the one more to the right."""
    return min(range(6), key=lambda facing: (round(off_front(at, facing, other).degrees, 6), off_front(at, facing, other).right))
