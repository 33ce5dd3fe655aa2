"""Ways: what it costs to get from one spot to another, and every spot within so much. A game makes the `Mover` from its tables.

On open ground a way is straight where it can be, and else found on a lattice of half a metre and pulled straight. An area is reckoned on
the same lattice without pulling, so what a page shades is never refused. On hexes a way goes from hex to hex.
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
"""Centimetres from one point of the lattice to the next."""
SHIFT = LATTICE // 4
"""The lattice is shifted, so that its points do not lie on walls that are drawn at whole and half metres."""
MARGIN = LATTICE * 0.71
"""From any place between four points of the lattice to the nearest, and a little."""
BUCKET = 200
SPARE = 0.05
"""By so much a way may be longer than allowed: a record must not be stranded by a centimetre."""
MOST_POINTS = 100_000
ROOM = 1_000
"""So many points of the lattice are a room, if nothing leads out of them; more are the open."""
_AROUND = [(dx, dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2) if abs(dx) + abs(dy) in (1, 3) or abs(dx * dy) == 1]
MOVES = tuple([(dx * LATTICE, dy * LATTICE, hypot(dx, dy) * LATTICE) for dx, dy in _AROUND])
"""From a point of the lattice to those around it, straight, across, and as a knight goes."""


class Turning(Struct, frozen=True):
    """What turning costs on hexes: so many hexsides are free at every hex, each further one costs."""

    free: int = 1
    cost: int = 1


class Mover(Struct, frozen=True, cache_hash=True):
    """How somebody gets about."""

    costs: tuple[tuple[str, int | None], ...] = ()
    """By terrain what a step costs (None: cannot be entered); on open ground a factor. What is not listed costs 1."""
    up: int = 0
    down: int = 0
    """What each level more or less costs besides."""
    turns: Turning | None = None
    """None: facing does not matter."""

    def cost(self, terrain: str) -> int | None:
        """What a step onto this costs."""
        for name, cost in self.costs:
            if name == terrain:
                return cost
        return 1


WALKER = Mover()


class Way(Struct, frozen=True):
    """A way: what it costs, and the spots at which it bends, both ends among them."""

    cost: float
    bends: tuple[Spot, ...]

    @property
    def end(self) -> Spot:
        """Where it leads."""
        return self.bends[-1]

    def after(self, most: float) -> Spot:
        """The spot on an open way that is so many metres from its beginning, or its end."""
        left = most
        for point, other in zip(self.bends, self.bends[1:], strict=False):
            metres = hypot(other[0] - point[0], other[1] - point[1])
            if metres >= left:
                part = left / metres if metres else 0.0
                return spot_at(point[0] + (other[0] - point[0]) * part, point[1] + (other[1] - point[1]) * part)
            left -= metres
        return self.end


class Reach(Struct, frozen=True):
    """Every place within so much, and what it costs: points of the lattice in centimetres, or hexes."""

    costs: dict[Place, float]
    most: float
    hexes: bool = False
    blocked: frozenset[Place] = frozenset()
    """Cells of the lattice that a wall runs through."""
    slowest: float = 1.0
    """The greatest factor of any ground in it."""

    def outlines(self) -> tuple[tuple[Spot, ...], ...]:
        """The borders of all ground that can surely be reached, on paper: metres, or hexes across."""
        if self.hexes:
            return hex_outlines({spot for spot, cost in self.costs.items() if cost <= self.most})
        costs, sure = self.costs, self.most * 100 - MARGIN * self.slowest
        cells = {(x, y) for x, y in costs if (x, y) not in self.blocked and all(costs.get(at, inf) <= sure for at in _square(x, y))}
        edges = {cell: _sides(_square(*cell)) for cell in cells}
        return tuple([tuple([(x / 100, y / 100) for x, y in loop]) for loop in shapes.loops(cells, edges)])


def hex_outlines(cells: set[Hex]) -> tuple[tuple[Spot, ...], ...]:
    """The borders of hexes that lie together, on paper."""
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
    """The way from one spot to another, or None where there is none that costs no more than `most`."""
    if field.hexes:
        return _hex_way(field, _hex(point), _hex(other), mover, most, facing, then)
    if field.bare:
        metres = hypot(other[0] - point[0], other[1] - point[1])
        return Way(metres, (point, other)) if metres <= most + SPARE else None
    remembered_way = _remembered_way(field, point, other, mover, most)
    return remembered_way if remembered_way is not None and remembered_way.cost <= most + SPARE else None


def _remembered_way(field: Field, point: Spot, other: Spot, mover: Mover, most: float) -> Way | None:
    """What was found before with as much to spend, or more, is found again."""
    key = ("way", point, other, mover)
    kept = field.remembered.get(key)
    if isinstance(kept, tuple) and (kept[1] is not None or kept[0] >= most):
        result: Way | None = kept[1]
        return result
    try:
        field.refuse_standing(other)
    except UserError:
        result = None
    else:
        result = _walked(field, point, other, mover, most)
    field.remember(key, (most, result))
    return result


def _walked(field: Field, point: Spot, other: Spot, mover: Mover, most: float) -> Way | None:
    walk = _Walk(field, mover)
    here, there = field.place(point), field.place(other)
    straight = walk.cost(here, there)
    if straight is not None and straight <= hypot(there[0] - here[0], there[1] - here[1]) * walk.least + 1e-9:
        return Way(straight / 100, (point, other))
    longest = most * 100 + MARGIN if most < inf else inf
    bends = walk.bent(here, there, min(longest, straight if straight is not None else inf))
    if bends is None:
        return Way(straight / 100, (point, other)) if straight is not None else None
    pulled = walk.pulled(bends)
    cost = sum(walk.known(a, b) for a, b in itertools.pairwise(pulled))
    if straight is not None and straight <= cost:
        return Way(straight / 100, (point, other))
    middle = [(x / 100, y / 100) for x, y in pulled[1:-1]]
    return Way(cost / 100, (point, *middle, other))


class _Walk:
    """Somebody's steps over open ground, in centimetres."""

    def __init__(self, field: Field, mover: Mover) -> None:
        self.field, self.mover = field, mover
        factors = {name: cost for name, cost in mover.costs if cost != 1}
        slow = {region.terrain for region in field.regions} | {field.ground.terrain}
        self.uneven = any(name in slow for name in factors)
        self.least = min([1, *[cost for cost in factors.values() if cost is not None]])
        self.slowest = max([1.0, *[float(cost) for cost in factors.values() if cost is not None]]) if self.uneven else 1.0
        if self.least < 1:
            raise UserError("a step cannot cost less than 1")
        self.factors: dict[str, float] = {}
        self.buckets = _buckets(field)
        self.lattice: dict[Place, tuple[tuple[Place, float], ...]] = _kept(field, ("lattice", mover))
        self.rooms: dict[Place, frozenset[Place] | None] = _kept(field, ("rooms", mover))

    def factor(self, at: Place) -> float:
        """What ground is like to walk on, at a place."""
        terrain = self.field.terrain((at[0] / 100, at[1] / 100))
        result = self.factors.get(terrain)
        if result is None:
            cost = self.mover.cost(terrain)
            result = self.factors[terrain] = inf if cost is None else float(cost)
        return result

    def clear(self, pair: Place, other: Place) -> bool:
        """Whether nothing stands between two places."""
        walls = self.field.step_walls
        if abs(other[0] - pair[0]) + abs(other[1] - pair[1]) <= BUCKET:
            walls = self.near(pair, other)
        return not walls or shapes.first_met(walls, pair, other) is None

    def near(self, pair: Place, other: Place) -> list[Stretch]:
        """The walls in the buckets that a short step may touch."""
        left, right = sorted((pair[0] // BUCKET, other[0] // BUCKET))
        low, high = sorted((pair[1] // BUCKET, other[1] // BUCKET))
        if left == right and low == high:
            return self.buckets.get((left, low), [])
        return [wall for x in range(left, right + 1) for y in range(low, high + 1) for wall in self.buckets.get((x, y), ())]

    def cost(self, pair: Place, other: Place) -> float | None:
        """What a straight step costs; None where it cannot be made."""
        if not self.clear(pair, other):
            return None
        length = hypot(other[0] - pair[0], other[1] - pair[1])
        if not self.uneven:
            return length
        parts = max(1, ceil(length / (LATTICE / 2)))
        total = 0.0
        for at in range(parts):
            share = (at + 0.5) / parts
            factor = self.factor((round(pair[0] + (other[0] - pair[0]) * share), round(pair[1] + (other[1] - pair[1]) * share)))
            if factor == inf:
                return None
            total += factor * length / parts
        return total

    def known(self, pair: Place, other: Place) -> float:
        """What a step costs that can be made."""
        cost = self.cost(pair, other)
        return inf if cost is None else cost

    def stands(self, at: Place) -> bool:
        """Whether a point of the lattice is on the map and off the walls."""
        size = self.field.ground.size
        if size is not None and not (0 <= at[0] <= size[0] * 100 and 0 <= at[1] <= size[1] * 100):
            return False
        near = OFF_THE_WALL * 100
        for _, _, _, _, ax, ay, bx, by, _ in self.buckets.get((at[0] // BUCKET, at[1] // BUCKET), ()):
            if shapes.off_line((ax, ay), (bx, by), at) < near:
                return False
        return True

    def steps(self, at: Place) -> tuple[tuple[Place, float], ...]:
        """The points around a point of the lattice, and what it costs to get there; remembered, since it hangs on the ground alone."""
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
            cost = self.cost(at, there) if self.stands(there) else None
            if cost is not None:
                yield there, cost

    def _nothing_around(self, x: int, y: int) -> bool:
        """Whether no wall and no edge of the map is near a point of the lattice."""
        size, far, buckets = self.field.ground.size, 2 * LATTICE, self.buckets
        if size is not None and not (far <= x <= size[0] * 100 - far and far <= y <= size[1] * 100 - far):
            return False
        left, right, low, high = (x - far) // BUCKET, (x + far) // BUCKET, (y - far) // BUCKET, (y + far) // BUCKET
        return not ((left, low) in buckets or (right, low) in buckets or (left, high) in buckets or (right, high) in buckets)

    def tied(self, at: Place) -> list[tuple[Place, float]]:
        """The points of the lattice around a place that can be walked to in a straight line."""
        x, y = _floored(at[0]), _floored(at[1])
        if (x, y) == at:
            return [(at, 0.0)]
        pairs = []
        for there in _square(x, y):
            cost = self.cost(at, there) if self.stands(there) else None
            if cost is not None:
                pairs.append((there, cost))
        return pairs

    def bent(self, here: Place, there: Place, most: float) -> list[Place] | None:
        """The cheapest way over the lattice, never looking where no way within `most` can lead."""
        goals = dict(self.tied(there))
        if not goals or self.shut_off(here, goals):
            return None
        x, y, least = there[0], there[1], self.least
        best: dict[Place, float] = {}
        pair_by_pair: dict[Place, Place] = {}
        queue: list[tuple[float, float, Place]] = []
        for at, cost in self.tied(here):
            best[at] = cost
            pair_by_pair[at] = here
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
                    pair_by_pair[to] = at
                    heappush(queue, (new + hypot(to[0] - x, to[1] - y) * least, new, to))
        if total == inf:
            return None
        pairs = [there, last]
        while pairs[-1] != here:
            pairs.append(pair_by_pair[pairs[-1]])
        return pairs[::-1]

    def shut_off(self, here: Place, goals: Iterable[Place]) -> bool:
        """Whether these points all lie in rooms that nothing leads into from here; so a shut door is not searched for all over the map."""
        starts = [at for at, _ in self.tied(here)]
        return all((room := self._room(at)) is not None and not any(start in room for start in starts) for at in goals)

    def _room(self, at: Place) -> frozenset[Place] | None:
        """All points of the lattice that can be walked to from one, where they are few; None where it lies in the open."""
        rooms = self.rooms
        if at not in rooms:
            if len(rooms) >= MOST_POINTS:
                rooms.clear()
            pairs, queue = {at}, [at]
            while queue and len(pairs) <= ROOM:
                for to, _ in self.steps(queue.pop()):
                    if to not in pairs:
                        pairs.add(to)
                        queue.append(to)
            rooms.update(dict.fromkeys(pairs, None if queue else frozenset(pairs)))
        return rooms[at]

    def pulled(self, bends: list[Place]) -> list[Place]:
        """A way without the bends that can be left out without making it dearer."""
        sums = [0.0]
        for pair, other in itertools.pairwise(bends):
            sums.append(sums[-1] + self.known(pair, other))
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
    """What was worked out so far about the points of the lattice, under a key."""
    kept = field.remembered.get(key)
    if not isinstance(kept, dict):
        kept = {}
        field.remember(key, kept)
    return kept


def _buckets(field: Field) -> dict[Place, list[Stretch]]:
    """What stops steps, by the squares that it may touch."""
    kept = field.remembered.get("buckets")
    if kept is None:
        entries_by_pair: dict[Place, list[Stretch]] = {}
        near = ceil(OFF_THE_WALL * 100)
        for wall in field.step_walls:
            for x in range((wall[0] - near) // BUCKET, (wall[1] + near) // BUCKET + 1):
                for y in range((wall[2] - near) // BUCKET, (wall[3] + near) // BUCKET + 1):
                    if _touches(wall, x * BUCKET - near, y * BUCKET - near, BUCKET + 2 * near):
                        entries_by_pair.setdefault((x, y), []).append(wall)
        kept = field.remembered["buckets"] = entries_by_pair
    return kept  # type: ignore[return-value]  # only buckets are kept under this key


def _touches(wall: Stretch, x: int, y: int, size: int) -> bool:
    """Whether a stretch of wall comes into a square."""
    pair, other = (wall[4], wall[5]), (wall[6], wall[7])
    corners = ((x, y), (x + size, y), (x + size, y + size), (x, y + size))
    if x <= pair[0] <= x + size and y <= pair[1] <= y + size:
        return True
    return any(shapes.first_met([shapes.stretch(a, b, "")], pair, other) is not None for a, b in _sides(corners))


# --- every place ---------------------------------------------------------------------------------------------------------------


def reach(field: Field, point: Spot, mover: Mover = WALKER, most: float = 10.0, facing: int | None = None) -> Reach:
    """Every place that costs no more than `most`, with its cost, which is never below that of the way there."""
    if field.hexes:
        costs: dict[Place, float] = {}
        for (spot, _), cost in _hex_costs(field, _hex(point), mover, most, facing).items():
            costs[spot] = min(cost, costs.get(spot, inf))
        return Reach(costs, most, hexes=True)
    walk = _Walk(field, mover)
    here, limit = field.place(point), most * 100
    farthest = limit * 1.06
    best = dict(walk.tied(here))
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
    value_by_pair = {}
    for at, cost in best.items():
        straight = None if walk.uneven else hypot(at[0] - here[0], at[1] - here[1])
        if straight is not None and straight < cost and straight <= limit and walk.clear(here, at):
            cost = straight
        if cost <= limit:
            value_by_pair[at] = cost
    blocked = frozenset([at for at in value_by_pair if not _empty(walk, at)])
    return Reach(value_by_pair, most, blocked=blocked, slowest=walk.slowest)


def _empty(walk: _Walk, at: Place) -> bool:
    """Whether no wall comes into the square of the lattice that begins at a point, nor ground that cannot be entered."""
    near = ceil(OFF_THE_WALL * 100)
    walls = walk.near(at, (at[0] + LATTICE, at[1] + LATTICE))
    if any(_touches(wall, at[0] - near, at[1] - near, LATTICE + 2 * near) for wall in walls):
        return False
    middle = (at[0] + LATTICE // 2, at[1] + LATTICE // 2)
    return not walk.uneven or all(walk.factor(corner) < inf for corner in (*_square(*at), middle))


# --- hexes --------------------------------------------------------------------------------------------------------------------


def _hex(spot: Spot) -> Hex:
    return int(spot[0]), int(spot[1])


def hex_step(field: Field, pair: Hex, other: Hex, mover: Mover) -> int | None:
    """What a step to the next hex costs; None where it cannot be made."""
    if not field.on_map(other):
        return None
    cost = mover.cost(field.terrain(other))
    if cost is None or any(region.stops in ("all", "move") and field.region_holds(region, other) for region in field.regions):
        return None
    if field.step_walls and shapes.first_met(field.step_walls, field.place(pair), field.place(other)) is not None:
        return None
    rise = field.level(other) - field.level(pair)
    return cost + (rise * mover.up if rise > 0 else -rise * mover.down)


def _turn(number: int, other: int, mover: Mover) -> int:
    """What turning from one facing to another costs at a hex."""
    if mover.turns is None:
        return 0
    sides = abs(number - other) % 6
    return max(0, min(sides, 6 - sides) - mover.turns.free) * mover.turns.cost


def _hex_costs(
    field: Field,
    pair: Hex,
    mover: Mover,
    most: float,
    facing: int | None,
    pair_by_pair: dict[tuple[Hex, int], tuple[Hex, int]] | None = None,
) -> dict[tuple[Hex, int], float]:
    """What each hex costs, by the direction from which it was entered (0 for all where facing does not matter)."""
    start = (pair, facing if mover.turns is not None and facing is not None else 0)
    best: dict[tuple[Hex, int], float] = {}
    queue: list[tuple[float, tuple[Hex, int], tuple[Hex, int] | None]] = [(0.0, start, None)]
    while queue:
        cost, at, before = heappop(queue)
        if at in best:
            continue
        best[at] = cost
        if pair_by_pair is not None and before is not None:
            pair_by_pair[at] = before
        for direction, there in enumerate(hexes.neighbours(at[0])):
            to = (there, direction if mover.turns is not None else 0)
            step = hex_step(field, at[0], there, mover) if to not in best else None
            if step is not None and cost + step + _turn(at[1], direction, mover) <= most:
                heappush(queue, (cost + step + _turn(at[1], direction, mover), to, at))
    return best


def _hex_way(field: Field, pair: Hex, other: Hex, mover: Mover, most: float, facing: int | None, then: int | None) -> Way | None:
    pair_by_pair: dict[tuple[Hex, int], tuple[Hex, int]] = {}
    if most == inf and field.ground.size is not None:
        most = field.ground.size[0] * field.ground.size[1] * 100
    costs = _hex_costs(field, pair, mover, most, facing, pair_by_pair)
    ends = [(cost + (_turn(at[1], then, mover) if then is not None else 0), at) for at, cost in costs.items() if at[0] == other]
    if not ends or min(ends)[0] > most:
        return None
    cost, at = min(ends)
    bends = [at[0]]
    while at in pair_by_pair:
        at = pair_by_pair[at]
        bends.append(at[0])
    return Way(cost, tuple([(float(x), float(y)) for x, y in bends[::-1]]))
