"""Lines and shapes in whole numbers: whether two stretches meet, whether a place lies inside, how far a line is. Nothing is rounded."""

from itertools import pairwise
from math import cos, hypot, pi, sin

Place = tuple[int, int]
Stretch = tuple[int, int, int, int, int, int, int, int, str]
"""The least and greatest x and y, both ends, and what it is called."""

ROUND = 24
"""Corners by which a circle is drawn where its outline counts."""


def stretch(pair: Place, other: Place, name: str) -> Stretch:
    """A stretch of wall with its bounds, which are compared before anything else."""
    (x1, y1), (x2, y2) = pair, other
    return min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2), x1, y1, x2, y2, name


def first_met(stretches: list[Stretch], pair: Place, other: Place) -> str | None:
    """The first of these that a line meets; touching is meeting, so that nothing leaks where walls join."""
    (x1, y1), (x2, y2) = pair, other
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


def meeting(entry: Stretch, pair: Place, other: Place) -> tuple[float, float] | None:
    """Where a line meets a stretch; where they run along each other, the point nearest to the line's end."""
    if first_met([entry], pair, other) is None:
        return None
    _, _, _, _, ax, ay, bx, by, _ = entry
    (x1, y1), (x2, y2) = pair, other
    across = (x2 - x1) * (by - ay) - (y2 - y1) * (bx - ax)
    if across == 0:
        return min(((float(ax), float(ay)), (float(bx), float(by))), key=lambda end: hypot(end[0] - x2, end[1] - y2))
    part = ((ax - x1) * (by - ay) - (ay - y1) * (bx - ax)) / across
    return x1 + (x2 - x1) * part, y1 + (y2 - y1) * part


def within(corners: tuple[Place, ...], at: Place) -> bool:
    """Whether a place lies inside a polygon or on its edge."""
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


def off_line(pair: Place, other: Place, at: Place) -> float:
    """How far a place is from a stretch."""
    (ax, ay), (bx, by), (x, y) = pair, other, at
    dx, dy = bx - ax, by - ay
    long = dx * dx + dy * dy
    part = 0.0 if not long else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / long))
    return hypot(ax + dx * part - x, ay + dy * part - y)


class Drawn:
    """Something with an outline on paper; a line is as broad as it is told, and a place may be kept off by its bounds alone."""

    def __init__(self, corners: tuple[Place, ...], broad: float = 0.0, circle: tuple[int, int, float] | None = None) -> None:
        self.corners, self.broad, self.circle = corners, broad, circle
        off = broad + 1 if circle is None else circle[2] + 1
        middle = corners if circle is None else (circle[:2],)
        self.left, self.right = min(x for x, _ in middle) - off, max(x for x, _ in middle) + off
        self.low, self.high = min(y for _, y in middle) - off, max(y for _, y in middle) + off

    def holds(self, at: Place) -> bool:
        """Whether a place lies in it."""
        x, y = at
        if x < self.left or x > self.right or y < self.low or y > self.high:
            return False
        if self.circle is not None:
            return hypot(x - self.circle[0], y - self.circle[1]) <= self.circle[2] + 1e-6
        if self.broad:
            return any(off_line(pair, other, at) <= self.broad for pair, other in pairwise(self.corners))
        return within(self.corners, at)


def around(x: int, y: int, radius: float) -> tuple[Place, ...]:
    """A circle by its corners."""
    turns = [2 * pi * at / ROUND for at in range(ROUND)]
    return tuple([(round(x + radius * cos(turn)), round(y + radius * sin(turn))) for turn in turns])


def loops(cells: set[Place], edges: dict[Place, tuple[tuple[Place, Place], ...]]) -> tuple[tuple[Place, ...], ...]:
    """The outlines of cells that lie together: the edges that only one of them has, joined end to end."""
    ways: dict[Place, list[Place]] = {}
    single: set[tuple[Place, Place]] = set()
    for cell in sorted(cells):
        for pair, other in edges[cell]:
            if (other, pair) in single:
                single.discard((other, pair))
            else:
                single.add((pair, other))
    for pair, other in sorted(single):
        ways.setdefault(pair, []).append(other)
    pairss = []
    while ways:
        start = next(iter(ways))
        loop, at = [start], _next(ways, start)
        while at != start:
            loop.append(at)
            at = _next(ways, at)
        pairss.append(_straightened(loop))
    return tuple(pairss)


def _next(ways: dict[Place, list[Place]], at: Place) -> Place:
    goes = ways[at]
    there = goes.pop()
    if not goes:
        del ways[at]
    return there


def _straightened(loop: list[Place]) -> tuple[Place, ...]:
    """A loop without the points at which it goes straight on."""
    kept = []
    for at, (x, y) in enumerate(loop):
        (ax, ay), (bx, by) = loop[at - 1], loop[(at + 1) % len(loop)]
        if (x - ax) * (by - y) != (y - ay) * (bx - x):
            kept.append((x, y))
    return tuple(kept)
