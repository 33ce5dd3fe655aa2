"""Paths through air and space: every place and facing that a craft can reach (book lines 4505-4519, 4604-4653)."""

from rulewright.field.field import Field, Spot
from rulewright.field.geometry import hexes
from rulewright.field.geometry.hexes import Hex, axial, by_column
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.maneuver.ground_paths import Node, Reached, Route, Step, once
from rulewright.systems.silhouette.maneuver.space import SIDES, Vector, facing_cost, sides_between, thrust

# --- in the air -------------------------------------------------------------------------------------------------------------------


def flown(field: Field, start: Node, most: int, radius: int) -> Reached:
    """All hexes and facings within some Movement Points of a craft that flies so many hexes straight ahead before each hexside."""
    return once(_search_flight, field, start, most, radius)


NextHexes = dict[Hex, tuple[Hex | None, ...]]
"""The next hex in each direction, by hex; None off the map."""
LEFT_AND_RIGHT = tuple([((facing + 1) % 6, (facing - 1) % 6) for facing in range(6)])


def _next_hexes(field: Field) -> NextHexes:
    """The cached neighbours of hexes on a field."""
    result = field.remembered.get("next hexes")
    if result is None:
        result = {}
        field.remember("next hexes", result)
    return result  # type: ignore[return-value]  # only these are stored under the key


def _search_flight(field: Field, start: Node, most: int, radius: int) -> Reached:
    """The cheapest path to each, and among these the one with the fewest turns; searched by cost, then by turns.

    Of equally good predecessors the least one counts, so that nodes need not be visited in order.
    """
    best: dict[Node, tuple[int, int, int]] = {}
    entry_by_entry: dict[Node, Node] = {}
    by_turns: dict[int, dict[Node, Node]] = {0: {start: start}}
    around, on_map, further_on = _next_hexes(field), field.on_map, [*range(1, radius + 1), radius]
    for cost in range(most + 1):
        further: dict[int, dict[Node, Node]] = {}
        while by_turns:
            turns = min(by_turns)
            ahead: dict[Node, Node] = {}
            turned = by_turns.get(turns + 1, {})
            here = (cost, turns, cost)
            for node, before in by_turns.pop(turns).items():
                if node in best:
                    continue
                best[node] = here
                entry_by_entry[node] = before
                at, facing, straight = node
                if cost < most:
                    nexts = around.get(at)
                    if nexts is None:
                        nexts = around[at] = tuple([there if on_map(there) else None for there in hexes.neighbours(at)])
                    there = nexts[facing]
                    if there is not None:
                        to = (there, facing, further_on[straight])
                        if to not in best:
                            known = ahead.get(to)
                            if known is None or node < known:
                                ahead[to] = node
                if straight >= radius:
                    for side in LEFT_AND_RIGHT[facing]:
                        to = (at, side, 0)
                        if to not in best:
                            known = turned.get(to)
                            if known is None or node < known:
                                turned[to] = node
            if ahead:
                further[turns] = ahead
            if turned:
                by_turns[turns + 1] = turned
        by_turns = further
    del entry_by_entry[start]
    return Reached(best, entry_by_entry, start, False)


def flight_to(reached: Reached, spot: Hex, facing: int | None, radius: int) -> Route | None:
    """The cheapest path through the air to a hex, with a facing if one is given."""
    ends: list[tuple[tuple[int, int, int], Node]] = []
    for side in range(6) if facing is None else (facing,):
        for straight in range(radius + 1):
            node: Node = (spot, side, straight)
            if node in reached.costs:
                ends.append((reached.costs[node], node))
    if not ends:
        return None
    (cost, turns, covered), node = min(ends)
    return Route(reached.steps_to(node), cost, covered, turns, node[1])


# --- in space ---------------------------------------------------------------------------------------------------------------------


def drift_point(spot: Spot, vector: Vector) -> Hex:
    """The hex of a craft after a round without thrust."""
    q, r = axial((int(spot[0]), int(spot[1])))
    dq, dr = vector.drift
    return by_column((q + dq, r + dr))


def drifts(
    field: Field, rules: Ruleset, spot: Spot, facing: int, *, vector: Vector, points: int, burn: int, maneuver: int, ahead: bool
) -> Reached:
    """All hexes where a craft can be after this round, in each facing, by its fuel, thrust and turns.

    With `ahead` it thrusts only where it points after the turn.
    """
    how = (spot, facing, vector, points, burn, maneuver, ahead)
    return once(_drifts, field, rules, *how)


def _drifts(
    field: Field, rules: Ruleset, spot: Spot, facing: int, vector: Vector, points: int, burn: int, maneuver: int, ahead: bool
) -> Reached:
    start: Node = ((int(spot[0]), int(spot[1])), facing, 0)
    middle = drift_point(spot, vector)
    costs: dict[Node, tuple[int, int, int]] = {}
    for side in range(6):
        turn = int(facing_cost(rules, maneuver, sides_between(facing, side)).value)
        most = min(points - turn, burn)
        if most < 0:
            continue
        for there in _around(middle, most, side if ahead else None):
            if field.on_map(there):
                push = hexes.distance(middle, there)
                costs[there, side, 0] = (push + turn, sides_between(facing, side), hexes.distance(start[0], there))
    return Reached(costs, {}, start, False)


def _around(middle: Hex, most: int, only: int | None) -> list[Hex]:
    """All hexes within a distance of one, or only those in a line to one side."""
    if only is not None:
        pairs = [middle]
        for _ in range(most):
            pairs.append(hexes.neighbour(pairs[-1], only))
        return pairs
    q, r = axial(middle)
    return [by_column((q + dq, r + dr)) for dq in range(-most, most + 1) for dr in range(max(-most, -dq - most), min(most, -dq + most) + 1)]


def drift_to(reached: Reached, spot: Hex, facing: int | None) -> Route | None:
    """The path of a craft to its next place: a turn, thrust, and the drift of the round."""
    ends = [
        (reached.costs[spot, side, 0], side) for side in (range(6) if facing is None else (facing,)) if (spot, side, 0) in reached.costs
    ]
    if not ends:
        return None
    here = reached.start[0]
    (cost, turns, covered), side = min(ends, key=lambda end: (end[0][0], end[1] != reached.start[1], end[1]))
    line = [pairs[0] for pairs in hexes.line(here, spot)] if spot != here else []
    first = Step((float(here[0]), float(here[1])), reached.start[1], 0)
    turned = Step(first.spot, side, cost)
    rest = [Step((float(x), float(y)), side, cost) for x, y in (*line, *([spot] if spot != here else []))]
    return Route((first, turned, *rest), cost, covered, turns, side)


def pushed(vector: Vector, before: Hex, after: Hex) -> Vector:
    """The vector after the thrust that moves a craft to another hex than its drift: along as few axes as possible."""
    q, r = axial(before)
    to_q, to_r = axial(after)
    left = (to_q - q, to_r - r)
    while left != (0, 0):
        side = min(range(6), key=lambda number: (_hex_length(_step_less(left, number)), number))
        axis, sign = SIDES[side]
        vector, left = thrust(vector, axis, sign), _step_less(left, side)
    return vector


_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def _step_less(left: tuple[int, int], side: int) -> tuple[int, int]:
    return left[0] - _STEPS[side][0], left[1] - _STEPS[side][1]


def _hex_length(left: tuple[int, int]) -> int:
    return max(abs(left[0]), abs(left[1]), abs(left[0] + left[1]))
