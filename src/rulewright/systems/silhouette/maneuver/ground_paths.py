"""Paths on the ground: every place and facing that a unit can reach with some Movement Points (book lines 4360-4439)."""

from collections.abc import Callable, Hashable, Mapping
from heapq import heappop, heappush
from math import atan2, degrees, hypot
from typing import Any

from msgspec import Struct

from rulewright.field.field import Field, Spot
from rulewright.field.geometry import hexes, shapes
from rulewright.field.geometry.hexes import Hex
from rulewright.play.cache import CACHES, Cache, cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.terrain import between, cost_table, level_costs
from rulewright.systems.silhouette.maneuver.turns import hexsides
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

Node = tuple[Hex, int, int]
"""A hex, a facing, and whether it has turned there (for an aircraft, how far it has flown straight ahead)."""


class Rig(Struct, frozen=True, gc=False, cache_hash=True):
    """How a unit moves over terrain: the cost of each terrain (None: impassable) and of each level up and down."""

    costs: tuple[tuple[str, int | None], ...]
    up: int = 0
    down: int = 0


class Step(Struct, frozen=True, gc=False, cache_hash=True):
    """A step of a path: place, facing, and the Movement Points used so far."""

    spot: Spot
    facing: int
    cost: int


class Route(Struct, frozen=True, gc=False, cache_hash=True):
    """A path: its steps, cost, hexes covered, hexsides turned, and whether it ends with a turn."""

    steps: tuple[Step, ...]
    cost: int
    hexes: int
    turns: int
    facing: int
    turned: bool = False
    backward: bool = False

    @property
    def spot(self) -> Spot:
        """Its destination."""
        return self.steps[-1].spot


def rig_of(rules: Ruleset, battle: Battle, unit: Unit) -> Rig:
    """How a unit moves over terrain with its present movement type."""
    return _rig(rules, unit.machine, unit.way, battle.place.atmosphere)


@cached(256)
def _rig(rules: Ruleset, machine: Machine, way: str, atmosphere: float) -> Rig:
    return Rig(tuple(cost_table(rules, machine, way, atmosphere).items()), *level_costs(rules, way))


@cached(64)
def _terrain_costs(rig: Rig) -> dict[str, int | None]:
    return dict(rig.costs)


def step_cost(field: Field, rig: Rig, pair: Hex, other: Hex) -> int | None:
    """The cost of moving to an adjacent hex; None if impossible."""
    if not field.on_map(other):
        return None
    cost = _terrain_costs(rig).get(field.terrain(other))
    if cost is None or any(region.stops in ("all", "move") and field.region_holds(region, other) for region in field.regions):
        return None
    if field.step_walls and shapes.first_met(field.step_walls, field.place(pair), field.place(other)) is not None:
        return None
    rise = field.level(other) - field.level(pair)
    return cost + (rise * rig.up if rise > 0 else -rise * rig.down)


class Reached(Struct, frozen=True):
    """Everything within reach on hexes: the cost of each node and its predecessor."""

    costs: dict[Node, tuple[int, int, int]]
    """Movement Points, hexsides turned, hexes covered."""
    came: dict[Node, Node]
    start: Node
    backward: bool
    spots: dict[Hex, int] = {}
    """The least cost of every hex, if computed."""
    routes: "dict[tuple[Hex, int | None], Route | None]" = {}
    """Cached paths."""
    known: dict[Hashable, Any] = {}
    """Other cached results about these places."""

    def steps_to(self, node: Node) -> tuple[Step, ...]:
        """Every step of the path to a node, from the start."""
        steps: list[Step] = []
        at: Node | None = node
        while at is not None:
            (x, y), facing, _ = at
            steps.append(Step((float(x), float(y)), facing, self.costs[at][0]))
            at = self.came.get(at)
        return tuple(steps[::-1])


def reached(field: Field, rig: Rig, start: Node, most: int, backward: bool = False) -> Reached:
    """All hexes and facings within some Movement Points: the cheapest path to each, and among these the one with the fewest turns."""
    return once(_reached, field, rig, start, most, backward)


MOST_NODES = 150_000
"""The total size of cached reaches, most recently used first: battles return to the same places."""
_kept: dict[Hashable, Reached] = {}
_nodes = [0]


def once(work_out: Callable[..., Reached], *asked: Any) -> Reached:
    """A reach, computed once as long as there is room for it. The key is the function with all its arguments."""
    key = (work_out, *asked)
    result = _kept.pop(key, None)
    if result is None:
        result = work_out(*asked)
        _nodes[0] += len(result.costs)
        while _kept and _nodes[0] > MOST_NODES:
            _nodes[0] -= len(_kept.pop(next(iter(_kept))).costs)
    _kept[key] = result  # most recently used
    return result


def _clear_reaches() -> None:
    _kept.clear()
    _nodes[0] = 0


CACHES.append(Cache(f"{__name__}.once, by hex and facing", MOST_NODES, _kept, lambda: _nodes[0], _clear_reaches))


def _reached(field: Field, rig: Rig, start: Node, most: int, backward: bool) -> Reached:
    best: dict[Node, tuple[int, int, int]] = {}
    entry_by_entry: dict[Node, Node] = {}
    ahead = _step_costs(field, rig)
    queue: list[tuple[int, int, int, Node, Node | None]] = [(0, 0, 0, start, None)]
    queued: dict[Node, tuple[int, int, int, Node, Node | None]] = {}
    """The best queued cost of each node, to skip worse ones."""
    while queue:
        cost, turns, covered, node, before = heappop(queue)
        if node in best:
            continue
        best[node] = (cost, turns, covered)
        if before is not None:
            entry_by_entry[node] = before
        at, facing, turned = node
        way = (at, (facing + 3) % 6 if backward else facing)
        known = ahead.get(way)
        if known is None:
            there = hexes.neighbour(*way)
            known = ahead[way] = (there, step_cost(field, rig, at, there))
        there, step = known
        if step is not None and cost + step <= most:
            to: Node = (there, facing, False)
            if to not in best:
                next_one = (cost + step, turns, covered + 1, to, node)
                if to not in queued or next_one < queued[to]:
                    queued[to] = next_one
                    heappush(queue, next_one)
        if not turned:
            for other, sides, price in TURNS[facing]:
                if cost + price <= most:
                    to = (at, other, True)
                    if to not in best:
                        next_one = (cost + price, turns + sides, covered, to, node)
                        if to not in queued or next_one < queued[to]:
                            queued[to] = next_one
                            heappush(queue, next_one)
    return Reached(best, entry_by_entry, start, backward, _least_costs(best))


Ahead = dict[tuple[Hex, int], tuple[Hex, int | None]]
"""The next hex and its cost, by hex and direction."""
TURNS = tuple([tuple([(to, sides, int(sides > 1)) for to in range(6) if (sides := hexsides(facing, to))]) for facing in range(6)])
"""Every other facing, its hexsides and the cost of turning, by facing."""


def _step_costs(field: Field, rig: Rig) -> Ahead:
    """The cached costs of steps on a field; its terrain does not change."""
    result = field.remembered.get(("ahead", rig))
    if result is None:
        result = {}
        field.remember(("ahead", rig), result)
    return result  # type: ignore[return-value]  # only these are stored under the key


MOST_ROUTES = 64
"""How many paths of each reach are cached."""


def route_to(item: Reached, spot: Hex, facing: int | None = None) -> Route | None:
    """The cheapest path to a hex, with a facing if one is given."""
    key, routes = (spot, facing), item.routes
    if key in routes:
        return routes[key]
    if len(routes) >= MOST_ROUTES:
        routes.clear()
    way = routes[key] = _route_to(item, spot, facing)
    return way


def _route_to(item: Reached, spot: Hex, facing: int | None) -> Route | None:
    ends = []
    for side in range(6) if facing is None else (facing,):
        for turned in (False, True):
            if (spot, side, turned) in item.costs:
                ends.append((item.costs[spot, side, turned], turned, side))
    if not ends:
        return None
    (cost, turns, covered), turned, side = min(ends)
    return Route(item.steps_to((spot, side, turned)), cost, covered, turns, side, turned, item.backward)


def places(item: Reached) -> Mapping[Hex, int]:
    """Every hex within reach and its least cost."""
    return item.spots or _least_costs(item.costs)


def _least_costs(costs: Mapping[Node, tuple[int, int, int]]) -> dict[Hex, int]:
    result: dict[Hex, int] = {}
    for (spot, _, _), (cost, _, _) in costs.items():
        if cost < result.get(spot, cost + 1):
            result[spot] = cost
    return result


# --- open ground -------------------------------------------------------------------------------------------------------------------


def bearing(point: Spot, other: Spot) -> int:
    """The direction from one place to another, in whole degrees from the x axis towards y."""
    return round(degrees(atan2(other[1] - point[1], other[0] - point[0]))) % 360


def apart(number: int, other: int) -> int:
    """Degrees between two directions."""
    turn = abs(number - other) % 360
    return min(turn, 360 - turn)


def sides_of(angle: int) -> int:
    """The hexsides of a turn by so many degrees."""
    return -(-angle // 60)


def open_route(
    field: Field, rig: Rig, at: Spot, facing: int, *, goal: Spot, then: int | None, most: int, backward: bool = False
) -> Route | None:
    """The straight path over open ground: a turn towards it, a Movement Point or the terrain's cost for every fifty metres or part of
    them, and a turn at the end if one is wanted."""
    metres = hypot(goal[0] - at[0], goal[1] - at[1])
    ahead = bearing(at, goal) if metres else facing
    faces = (ahead + 180) % 360 if backward and metres else ahead
    sides = sides_of(apart(facing, faces))
    cost = int(sides > 1)
    costs = dict(rig.costs)
    steps = [Step(at, faces, cost)]
    if metres:
        if field.step_walls and shapes.first_met(field.step_walls, field.place(at), field.place(goal)) is not None:
            return None
        last = at
        for spot in (*[step[0] for step in between(field, at, goal)], goal):
            price = costs.get(field.terrain(spot))
            if price is None or not field.on_map(spot):
                return None
            rise = field.level(spot) - field.level(last)
            cost += price + (rise * rig.up if rise > 0 else -rise * rig.down)
            steps.append(Step(spot, faces, cost))
            last = spot
    end = faces
    if then is not None and then != faces:
        more = sides_of(apart(faces, then))
        if not metres:
            sides, more = sides_of(apart(facing, then)), 0
            cost = int(sides > 1)
        cost += int(more > 1)
        sides, end = sides + more, then
        steps.append(Step(goal, end, cost))
    if cost > most:
        return None
    return Route(tuple(steps), cost, len(steps) - 1 - (end != faces) if metres else 0, sides, end, end != faces or not metres, backward)
