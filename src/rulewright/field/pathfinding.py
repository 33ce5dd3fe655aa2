"""Pathfinding: the cheapest path between two places, and everything within reach. Games build the `Mover` from their tables.

On open ground a path is straight if possible; otherwise it is found on a lattice of half a metre and straightened. The reachable area uses
the same lattice without straightening, so that a shaded place is never refused. On hexes a path goes from hex to hex.
"""

import itertools
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from math import ceil, floor, hypot, inf
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.field import OFF_THE_WALL, Field, Spot, spot_at
from rulewright.field.geometry import hexes, shapes
from rulewright.field.geometry.hexes import Hex
from rulewright.field.geometry.shapes import Place, Stretch

LATTICE = 50
"""Distance between lattice points, in centimetres."""
SHIFT = LATTICE // 4
"""Offset of the lattice, so that its points do not lie on walls drawn at whole and half metres."""
MARGIN = LATTICE * 0.71
"""Distance from any place to the nearest lattice point, rounded up."""
BUCKET = 200
SPARE = 0.05
"""Tolerance of path lengths, so that rounding never invalidates a record."""
MOST_POINTS = 100_000
ROOM = 1_000
"""A closed group of up to this many lattice points is a room; a larger one is open ground."""
_AROUND = [(dx, dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2) if abs(dx) + abs(dy) in (1, 3) or abs(dx * dy) == 1]
MOVES = tuple([(dx * LATTICE, dy * LATTICE, hypot(dx, dy) * LATTICE) for dx, dy in _AROUND])
"""Moves from a lattice point to those around it: straight, diagonal, and like a chess knight."""


class Turning(Struct, frozen=True):
    """The cost of turning on hexes: `free` hexsides per hex, then `cost` for each further one."""

    free: int = 1
    cost: int = 1


class Mover(Struct, frozen=True, cache_hash=True):
    """How a person moves."""

    costs: tuple[tuple[str, int | None], ...] = ()
    """Cost of a step by terrain (None: impassable); on open ground a factor. Other terrains cost 1."""
    up: int = 0
    down: int = 0
    """Extra cost of each level up or down."""
    turns: Turning | None = None
    """None if facing does not matter."""

    def cost(self, terrain: str) -> int | None:
        """The cost of a step onto a terrain."""
        for name, cost in self.costs:
            if name == terrain:
                return cost
        return 1


WALKER = Mover()


class Way(Struct, frozen=True):
    """A path: its cost, and its corner points including both ends."""

    cost: float
    bends: tuple[Spot, ...]

    @property
    def end(self) -> Spot:
        """Its last point."""
        return self.bends[-1]

    def after(self, most: float) -> Spot:
        """The point at a distance from the start of an open path, or its end."""
        left = most
        for point, other in zip(self.bends, self.bends[1:], strict=False):
            metres = hypot(other[0] - point[0], other[1] - point[1])
            if metres >= left:
                part = left / metres if metres else 0.0
                return spot_at(point[0] + (other[0] - point[0]) * part, point[1] + (other[1] - point[1]) * part)
            left -= metres
        return self.end


class Reach(Struct, frozen=True):
    """All places within a cost limit, with their costs: lattice points in centimetres, or hexes."""

    costs: dict[Place, float]
    most: float
    hexes: bool = False
    blocked: frozenset[Place] = frozenset()
    """Lattice cells with a wall in them."""
    slowest: float = 1.0
    """The largest terrain factor in it."""

    def outlines(self) -> tuple[tuple[Spot, ...], ...]:
        """The outlines of the area that is certainly reachable: metres, or hexes across."""
        if self.hexes:
            return hex_outlines({spot for spot, cost in self.costs.items() if cost <= self.most})
        costs, sure = self.costs, self.most * 100 - MARGIN * self.slowest
        cells = {(x, y) for x, y in costs if (x, y) not in self.blocked and all(costs.get(at, inf) <= sure for at in _square(x, y))}
        edges = {cell: _sides(_square(*cell)) for cell in cells}
        return tuple([tuple([(x / 100, y / 100) for x, y in loop]) for loop in shapes.loops(cells, edges)])


def hex_outlines(cells: set[Hex]) -> tuple[tuple[Spot, ...], ...]:
    """The outlines of a group of hexes."""
    edges = {cell: _sides(tuple([(round(x * 10_000), round(y * 10_000)) for x, y in hexes.corners(cell)])) for cell in cells}
    return tuple([tuple([(x / 10_000, y / 10_000) for x, y in loop]) for loop in shapes.loops(cells, edges)])


def _square(x: int, y: int) -> tuple[Place, ...]:
    return (x, y), (x + LATTICE, y), (x + LATTICE, y + LATTICE), (x, y + LATTICE)


def _sides(corners: tuple[Place, ...]) -> tuple[tuple[Place, Place], ...]:
    return tuple(zip(corners, (*corners[1:], corners[0]), strict=True))


# --- one way ------------------------------------------------------------------------------------------------------------------


def way(
    field: Field, point: Spot, other: Spot, mover: Mover = WALKER, most: float = inf, facing: int | None = None, then: int | None = None
) -> Way | None:
    """The cheapest path between two places; None if there is none within `most`."""
    if field.hexes:
        return _hex_way(field, _hex(point), _hex(other), mover, most, facing, then)
    if field.bare:
        metres = hypot(other[0] - point[0], other[1] - point[1])
        return Way(metres, (point, other)) if metres <= most + SPARE else None
    path = _cached_way(field, point, other, mover, most)
    return path if path is not None and path.cost <= most + SPARE else None


def _cached_way(field: Field, point: Spot, other: Spot, mover: Mover, most: float) -> Way | None:
    """The cached path; a path with a budget at least as large counts."""
    key = ("way", point, other, mover)
    kept = field.remembered.get(key)
    if isinstance(kept, tuple) and (kept[1] is not None or kept[0] >= most):
        path: Way | None = kept[1]
        return path
    try:
        field.refuse_standing(other)
    except UserError:
        path = None
    else:
        path = _open_way(field, point, other, mover, most)
    field.remember(key, (most, path))
    return path


def _open_way(field: Field, point: Spot, other: Spot, mover: Mover, most: float) -> Way | None:
    walk = _Walk(field, mover)
    here, there = field.place(point), field.place(other)
    straight = walk.cost(here, there)
    if straight is not None and straight <= hypot(there[0] - here[0], there[1] - here[1]) * walk.least + 1e-9:
        return Way(straight / 100, (point, other))
    longest = most * 100 + MARGIN if most < inf else inf
    bends = walk.lattice_path(here, there, min(longest, straight if straight is not None else inf))
    if bends is None:
        return Way(straight / 100, (point, other)) if straight is not None else None
    corners = walk.straightened(bends)
    cost = sum(walk.cost_or_infinity(a, b) for a, b in itertools.pairwise(corners))
    if straight is not None and straight <= cost:
        return Way(straight / 100, (point, other))
    middle = [(x / 100, y / 100) for x, y in corners[1:-1]]
    return Way(cost / 100, (point, *middle, other))


class _Walk:
    """Movement on open ground, in centimetres."""

    def __init__(self, field: Field, mover: Mover) -> None:
        self.field, self.mover = field, mover
        factors = {name: cost for name, cost in mover.costs if cost != 1}
        slow = {region.terrain for region in field.regions} | {field.ground.terrain}
        self.uneven = any(name in slow for name in factors)
        self.least = min([1, *[cost for cost in factors.values() if cost is not None]])
        self.slowest = max([1.0, *[float(cost) for cost in factors.values() if cost is not None]]) if self.uneven else 1.0
        if self.least < 1:
            raise UserError("a terrain factor cannot be less than 1")
        self.factors: dict[str, float] = {}
        self.buckets = _buckets(field)
        self.lattice: dict[Place, tuple[tuple[Place, float], ...]] = _kept(field, ("lattice", mover))
        self.rooms: dict[Place, frozenset[Place] | None] = _kept(field, ("rooms", mover))

    def factor(self, at: Place) -> float:
        """The terrain factor at a place."""
        terrain = self.field.terrain((at[0] / 100, at[1] / 100))
        factor = self.factors.get(terrain)
        if factor is None:
            cost = self.mover.cost(terrain)
            factor = self.factors[terrain] = inf if cost is None else float(cost)
        return factor

    def clear(self, start: Place, end: Place) -> bool:
        """Whether no obstacle is between two places."""
        walls = self.field.step_walls
        if abs(end[0] - start[0]) + abs(end[1] - start[1]) <= BUCKET:
            walls = self.near(start, end)
        return not walls or shapes.first_met(walls, start, end) is None

    def near(self, start: Place, end: Place) -> list[Stretch]:
        """The walls in the buckets that a short step may touch."""
        left, right = sorted((start[0] // BUCKET, end[0] // BUCKET))
        low, high = sorted((start[1] // BUCKET, end[1] // BUCKET))
        if left == right and low == high:
            return self.buckets.get((left, low), [])
        return [wall for x in range(left, right + 1) for y in range(low, high + 1) for wall in self.buckets.get((x, y), ())]

    def cost(self, start: Place, end: Place) -> float | None:
        """The cost of a straight step; None if it is not possible."""
        if not self.clear(start, end):
            return None
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not self.uneven:
            return length
        parts = max(1, ceil(length / (LATTICE / 2)))
        total = 0.0
        for at in range(parts):
            share = (at + 0.5) / parts
            factor = self.factor((round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)))
            if factor == inf:
                return None
            total += factor * length / parts
        return total

    def cost_or_infinity(self, start: Place, end: Place) -> float:
        """The cost of a step, infinite if it is not possible."""
        cost = self.cost(start, end)
        return inf if cost is None else cost

    def can_stand(self, at: Place) -> bool:
        """Whether a lattice point is on the map and away from walls."""
        size = self.field.ground.size
        if size is not None and not (0 <= at[0] <= size[0] * 100 and 0 <= at[1] <= size[1] * 100):
            return False
        near = OFF_THE_WALL * 100
        for _, _, _, _, ax, ay, bx, by, _ in self.buckets.get((at[0] // BUCKET, at[1] // BUCKET), ()):
            if shapes.off_line((ax, ay), (bx, by), at) < near:
                return False
        return True

    def steps(self, at: Place) -> tuple[tuple[Place, float], ...]:
        """The neighbours of a lattice point with their costs; cached, since they depend on the map alone."""
        kept = self.lattice.get(at)
        if kept is None:
            if len(self.lattice) >= MOST_POINTS:
                self.lattice.clear()
            x, y = at
            free = not self.uneven and self._nothing_around(x, y)
            kept = tuple([((x + dx, y + dy), length) for dx, dy, length in MOVES]) if free else tuple(self._steps(at))
            self.lattice[at] = kept
        return kept

    def _steps(self, at: Place) -> Iterator[tuple[Place, float]]:
        for dx, dy, _ in MOVES:
            there = (at[0] + dx, at[1] + dy)
            cost = self.cost(at, there) if self.can_stand(there) else None
            if cost is not None:
                yield there, cost

    def _nothing_around(self, x: int, y: int) -> bool:
        """Whether no wall and no edge of the map is near a lattice point."""
        size, far, buckets = self.field.ground.size, 2 * LATTICE, self.buckets
        if size is not None and not (far <= x <= size[0] * 100 - far and far <= y <= size[1] * 100 - far):
            return False
        left, right, low, high = (x - far) // BUCKET, (x + far) // BUCKET, (y - far) // BUCKET, (y + far) // BUCKET
        return not ((left, low) in buckets or (right, low) in buckets or (left, high) in buckets or (right, high) in buckets)

    def lattice_points_near(self, at: Place) -> list[tuple[Place, float]]:
        """The lattice points around a place that can be reached in a straight line, with their costs."""
        x, y = _floored(at[0]), _floored(at[1])
        if (x, y) == at:
            return [(at, 0.0)]
        points = []
        for there in _square(x, y):
            cost = self.cost(at, there) if self.can_stand(there) else None
            if cost is not None:
                points.append((there, cost))
        return points

    def lattice_path(self, here: Place, there: Place, most: float) -> list[Place] | None:
        """The cheapest path over the lattice (A*), without searching beyond `most`."""
        goals = dict(self.lattice_points_near(there))
        if not goals or self.is_shut_off(here, goals):
            return None
        x, y, least = there[0], there[1], self.least
        best: dict[Place, float] = {}
        previous: dict[Place, Place] = {}
        queue: list[tuple[float, float, Place]] = []
        for at, cost in self.lattice_points_near(here):
            best[at] = cost
            previous[at] = here
            heappush(queue, (cost + hypot(at[0] - x, at[1] - y) * least, cost, at))
        done: set[Place] = set()
        total, last = inf, here
        while queue:
            guess, cost, at = heappop(queue)
            if guess >= total or guess > most + 1e-6:
                break
            if at in done:
                continue
            done.add(at)
            if at in goals and cost + goals[at] < total:
                total, last = cost + goals[at], at
            for to, step in self.steps(at):
                new = cost + step
                if new < best.get(to, inf):
                    best[to] = new
                    previous[to] = at
                    heappush(queue, (new + hypot(to[0] - x, to[1] - y) * least, new, to))
        if total == inf:
            return None
        path = [there, last]
        while path[-1] != here:
            path.append(previous[path[-1]])
        return path[::-1]

    def is_shut_off(self, here: Place, goals: Iterable[Place]) -> bool:
        """Whether these points all lie in closed rooms without a way in from here. It avoids a search of the whole map for a shut door."""
        starts = [at for at, _ in self.lattice_points_near(here)]
        return all((room := self._room(at)) is not None and not any(start in room for start in starts) for at in goals)

    def _room(self, at: Place) -> frozenset[Place] | None:
        """All lattice points connected to one, if they are few; None if it is on open ground."""
        rooms = self.rooms
        if at not in rooms:
            if len(rooms) >= MOST_POINTS:
                rooms.clear()
            connected, queue = {at}, [at]
            while queue and len(connected) <= ROOM:
                for to, _ in self.steps(queue.pop()):
                    if to not in connected:
                        connected.add(to)
                        queue.append(to)
            rooms.update(dict.fromkeys(connected, None if queue else frozenset(connected)))
        return rooms[at]

    def straightened(self, bends: list[Place]) -> list[Place]:
        """A path without the points that can be left out at no extra cost."""
        sums = [0.0]
        for start, end in itertools.pairwise(bends):
            sums.append(sums[-1] + self.cost_or_infinity(start, end))
        kept, at = [bends[0]], 0
        while at < len(bends) - 1:
            ahead = len(bends) - 1
            while ahead > at + 1:
                cost = self.cost(bends[at], bends[ahead])
                if cost is not None and cost <= sums[ahead] - sums[at] + 1e-9:
                    break
                ahead -= max(1, (ahead - at) // 8)
            at = max(ahead, at + 1)
            kept.append(bends[at])
        return [place for place, before in zip(kept, [None, *kept[:-1]], strict=True) if place != before]


def _floored(number: int) -> int:
    return floor((number - SHIFT) / LATTICE) * LATTICE + SHIFT


def _kept(field: Field, key: object) -> dict[Place, Any]:
    """A cache of results about lattice points, under a key."""
    kept = field.remembered.get(key)
    if not isinstance(kept, dict):
        kept = {}
        field.remember(key, kept)
    return kept


def _buckets(field: Field) -> dict[Place, list[Stretch]]:
    """The obstacles by the squares that they may touch."""
    kept = field.remembered.get("buckets")
    if kept is None:
        walls_by_bucket: dict[Place, list[Stretch]] = {}
        near = ceil(OFF_THE_WALL * 100)
        for wall in field.step_walls:
            for x in range((wall[0] - near) // BUCKET, (wall[1] + near) // BUCKET + 1):
                for y in range((wall[2] - near) // BUCKET, (wall[3] + near) // BUCKET + 1):
                    if _touches(wall, x * BUCKET - near, y * BUCKET - near, BUCKET + 2 * near):
                        walls_by_bucket.setdefault((x, y), []).append(wall)
        kept = field.remembered["buckets"] = walls_by_bucket
    return kept  # type: ignore[return-value]  # only buckets are kept under this key


def _touches(wall: Stretch, x: int, y: int, size: int) -> bool:
    """Whether a wall segment touches a square."""
    start, end = (wall[4], wall[5]), (wall[6], wall[7])
    corners = ((x, y), (x + size, y), (x + size, y + size), (x, y + size))
    if x <= start[0] <= x + size and y <= start[1] <= y + size:
        return True
    return any(shapes.first_met([shapes.stretch(a, b, "")], start, end) is not None for a, b in _sides(corners))


# --- every place ---------------------------------------------------------------------------------------------------------------


def reach(field: Field, point: Spot, mover: Mover = WALKER, most: float = 10.0, facing: int | None = None) -> Reach:
    """All places within `most`, with their costs, which are never below those of the path there."""
    if field.hexes:
        costs: dict[Place, float] = {}
        for (spot, _), cost in _hex_costs(field, _hex(point), mover, most, facing).items():
            costs[spot] = min(cost, costs.get(spot, inf))
        return Reach(costs, most, hexes=True)
    walk = _Walk(field, mover)
    here, limit = field.place(point), most * 100
    farthest = limit * 1.06
    best = dict(walk.lattice_points_near(here))
    queue = sorted([(cost, at) for at, cost in best.items()])
    while queue:
        cost, at = heappop(queue)
        if cost > best[at]:
            continue
        for to, step in walk.steps(at):
            new = cost + step
            if new < best.get(to, farthest):
                best[to] = new
                heappush(queue, (new, to))
    cost_by_point = {}
    for at, cost in best.items():
        straight = None if walk.uneven else hypot(at[0] - here[0], at[1] - here[1])
        if straight is not None and straight < cost and straight <= limit and walk.clear(here, at):
            cost = straight
        if cost <= limit:
            cost_by_point[at] = cost
    blocked = frozenset([at for at in cost_by_point if not _empty(walk, at)])
    return Reach(cost_by_point, most, blocked=blocked, slowest=walk.slowest)


def _empty(walk: _Walk, at: Place) -> bool:
    """Whether the lattice cell that begins at a point has no wall and no impassable ground."""
    near = ceil(OFF_THE_WALL * 100)
    walls = walk.near(at, (at[0] + LATTICE, at[1] + LATTICE))
    if any(_touches(wall, at[0] - near, at[1] - near, LATTICE + 2 * near) for wall in walls):
        return False
    middle = (at[0] + LATTICE // 2, at[1] + LATTICE // 2)
    return not walk.uneven or all(walk.factor(corner) < inf for corner in (*_square(*at), middle))


# --- hexes --------------------------------------------------------------------------------------------------------------------


def _hex(spot: Spot) -> Hex:
    return int(spot[0]), int(spot[1])


def hex_step(field: Field, start: Hex, end: Hex, mover: Mover) -> int | None:
    """The cost of a step to the next hex; None if it is not possible."""
    if not field.on_map(end):
        return None
    cost = mover.cost(field.terrain(end))
    if cost is None or any(region.stops in ("all", "move") and field.region_holds(region, end) for region in field.regions):
        return None
    if field.step_walls and shapes.first_met(field.step_walls, field.place(start), field.place(end)) is not None:
        return None
    rise = field.level(end) - field.level(start)
    return cost + (rise * mover.up if rise > 0 else -rise * mover.down)


def _turn(facing: int, new_facing: int, mover: Mover) -> int:
    """The cost of turning at a hex."""
    if mover.turns is None:
        return 0
    sides = abs(facing - new_facing) % 6
    return max(0, min(sides, 6 - sides) - mover.turns.free) * mover.turns.cost


def _hex_costs(
    field: Field,
    start: Hex,
    mover: Mover,
    most: float,
    facing: int | None,
    previous: dict[tuple[Hex, int], tuple[Hex, int]] | None = None,
) -> dict[tuple[Hex, int], float]:
    """The cost of each hex, by the direction from which it was entered (always 0 if facing does not matter)."""
    first = (start, facing if mover.turns is not None and facing is not None else 0)
    best: dict[tuple[Hex, int], float] = {}
    queue: list[tuple[float, tuple[Hex, int], tuple[Hex, int] | None]] = [(0.0, first, None)]
    while queue:
        cost, at, before = heappop(queue)
        if at in best:
            continue
        best[at] = cost
        if previous is not None and before is not None:
            previous[at] = before
        for direction, there in enumerate(hexes.neighbours(at[0])):
            to = (there, direction if mover.turns is not None else 0)
            step = hex_step(field, at[0], there, mover) if to not in best else None
            if step is not None and cost + step + _turn(at[1], direction, mover) <= most:
                heappush(queue, (cost + step + _turn(at[1], direction, mover), to, at))
    return best


def _hex_way(field: Field, start: Hex, end: Hex, mover: Mover, most: float, facing: int | None, then: int | None) -> Way | None:
    previous: dict[tuple[Hex, int], tuple[Hex, int]] = {}
    if most == inf and field.ground.size is not None:
        most = field.ground.size[0] * field.ground.size[1] * 100
    costs = _hex_costs(field, start, mover, most, facing, previous)
    ends = [(cost + (_turn(at[1], then, mover) if then is not None else 0), at) for at, cost in costs.items() if at[0] == end]
    if not ends or min(ends)[0] > most:
        return None
    cost, at = min(ends)
    bends = [at[0]]
    while at in previous:
        at = previous[at]
        bends.append(at[0])
    return Way(cost, tuple([(float(x), float(y)) for x, y in bends[::-1]]))
