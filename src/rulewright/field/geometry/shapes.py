"""Exact integer geometry: intersections of segments, points in polygons, distances from segments."""

from itertools import pairwise
from math import cos, hypot, pi, sin

Place = tuple[int, int]
Stretch = tuple[int, int, int, int, int, int, int, int, str]
"""A segment: its bounding box, both ends, and its name."""

ROUND = 24
"""Number of corners of a circle's outline."""


def stretch(start: Place, end: Place, name: str) -> Stretch:
    """A wall segment with its bounding box, which is compared first."""
    (x1, y1), (x2, y2) = start, end
    return min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2), x1, y1, x2, y2, name


def first_met(stretches: list[Stretch], start: Place, end: Place) -> str | None:
    """The name of the first segment that a line meets; touching counts, so that nothing leaks where walls join."""
    (x1, y1), (x2, y2) = start, end
    left, right = (x1, x2) if x1 < x2 else (x2, x1)
    low, high = (y1, y2) if y1 < y2 else (y2, y1)
    dx, dy = x2 - x1, y2 - y1
    for least_x, most_x, least_y, most_y, ax, ay, bx, by, name in stretches:
        if most_x < left or least_x > right or most_y < low or least_y > high:
            continue
        here, there = dx * (ay - y1) - dy * (ax - x1), dx * (by - y1) - dy * (bx - x1)
        if (here > 0 and there > 0) or (here < 0 and there < 0):
            continue
        ex, ey = bx - ax, by - ay
        one_side, other_side = ex * (y1 - ay) - ey * (x1 - ax), ex * (y2 - ay) - ey * (x2 - ax)
        if (one_side > 0 and other_side > 0) or (one_side < 0 and other_side < 0):
            continue
        return name
    return None


def meeting(segment: Stretch, start: Place, end: Place) -> tuple[float, float] | None:
    """The point where a line meets a segment; if they overlap, the segment's end nearest to the line's end."""
    if first_met([segment], start, end) is None:
        return None
    _, _, _, _, ax, ay, bx, by, _ = segment
    (x1, y1), (x2, y2) = start, end
    across = (x2 - x1) * (by - ay) - (y2 - y1) * (bx - ax)
    if across == 0:
        return min(((float(ax), float(ay)), (float(bx), float(by))), key=lambda point: hypot(point[0] - x2, point[1] - y2))
    part = ((ax - x1) * (by - ay) - (ay - y1) * (bx - ax)) / across
    return x1 + (x2 - x1) * part, y1 + (y2 - y1) * part


def within(corners: tuple[Place, ...], at: Place) -> bool:
    """Whether a point is inside a polygon or on its edge."""
    x, y = at
    inside = False
    ax, ay = corners[-1]
    for bx, by in corners:
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if side == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return True
        if (ay > y) != (by > y) and (side > 0) == (by > ay):
            inside = not inside
        ax, ay = bx, by
    return inside


def off_line(start: Place, end: Place, at: Place) -> float:
    """The distance of a point from a segment."""
    (ax, ay), (bx, by), (x, y) = start, end, at
    dx, dy = bx - ax, by - ay
    squared_length = dx * dx + dy * dy
    part = 0.0 if not squared_length else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / squared_length))
    return hypot(ax + dx * part - x, ay + dy * part - y)


class Drawn:
    """A shape with an outline; a line has a width. Its bounding box is compared first."""

    def __init__(self, corners: tuple[Place, ...], broad: float = 0.0, circle: tuple[int, int, float] | None = None) -> None:
        self.corners, self.broad, self.circle = corners, broad, circle
        off = broad + 1 if circle is None else circle[2] + 1
        middle = corners if circle is None else (circle[:2],)
        self.left, self.right = min(x for x, _ in middle) - off, max(x for x, _ in middle) + off
        self.low, self.high = min(y for _, y in middle) - off, max(y for _, y in middle) + off

    def holds(self, at: Place) -> bool:
        """Whether a point is in it."""
        x, y = at
        if x < self.left or x > self.right or y < self.low or y > self.high:
            return False
        if self.circle is not None:
            return hypot(x - self.circle[0], y - self.circle[1]) <= self.circle[2] + 1e-6
        if self.broad:
            return any(off_line(start, end, at) <= self.broad for start, end in pairwise(self.corners))
        return within(self.corners, at)


def around(x: int, y: int, radius: float) -> tuple[Place, ...]:
    """A circle as a polygon."""
    turns = [2 * pi * at / ROUND for at in range(ROUND)]
    return tuple([(round(x + radius * cos(turn)), round(y + radius * sin(turn))) for turn in turns])


def loops(cells: set[Place], edges: dict[Place, tuple[tuple[Place, Place], ...]]) -> tuple[tuple[Place, ...], ...]:
    """The outlines of a group of cells: the edges that only one cell has, joined end to end."""
    next_points: dict[Place, list[Place]] = {}
    single: set[tuple[Place, Place]] = set()
    for cell in sorted(cells):
        for start, end in edges[cell]:
            if (end, start) in single:
                single.discard((end, start))
            else:
                single.add((start, end))
    for start, end in sorted(single):
        next_points.setdefault(start, []).append(end)
    outlines = []
    while next_points:
        start = next(iter(next_points))
        loop, at = [start], _next(next_points, start)
        while at != start:
            loop.append(at)
            at = _next(next_points, at)
        outlines.append(_straightened(loop))
    return tuple(outlines)


def _next(next_points: dict[Place, list[Place]], at: Place) -> Place:
    candidates = next_points[at]
    point = candidates.pop()
    if not candidates:
        del next_points[at]
    return point


def _straightened(loop: list[Place]) -> tuple[Place, ...]:
    """A loop without collinear points."""
    kept = []
    for at, (x, y) in enumerate(loop):
        (ax, ay), (bx, by) = loop[at - 1], loop[(at + 1) % len(loop)]
        if (x - ax) * (by - y) != (y - ay) * (bx - x):
            kept.append((x, y))
    return tuple(kept)
