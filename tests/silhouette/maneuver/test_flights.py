"""Ways through the air, beside the plain search for the cheapest (book lines 4505-4519)."""

from heapq import heappop, heappush

from hypothesis import given
from hypothesis import strategies as st

from rulewright.field.field import Field
from rulewright.field.geometry import hexes
from rulewright.field.ground import Ground
from rulewright.systems.silhouette.maneuver.air.flight_paths import flight_to, flown
from rulewright.systems.silhouette.maneuver.ground_paths import Node

WIDE, HIGH = 9, 7
MAP = Field(Ground(grid="hex", size=(WIDE, HIGH)))


def cheapest(start: Node, most: int, radius: int) -> tuple[dict[Node, tuple[int, int]], dict[Node, Node]]:
    """Every hex, facing and hexes flown straight ahead: one by one, whichever costs least and of these turns least comes next."""
    found: dict[Node, tuple[int, int]] = {}
    came: dict[Node, Node] = {}
    queue: list[tuple[int, int, Node, Node]] = [(0, 0, start, start)]
    while queue:
        cost, turns, node, before = heappop(queue)
        if node in found:
            continue
        found[node], came[node] = (cost, turns), before
        at, facing, straight = node
        if cost < most and MAP.on_map(hexes.neighbour(at, facing)):
            heappush(queue, (cost + 1, turns, (hexes.neighbour(at, facing), facing, min(radius, straight + 1)), node))
        if straight >= radius:
            for side in ((facing + 1) % 6, (facing + 5) % 6):
                heappush(queue, (cost, turns + 1, (at, side, 0), node))
    del came[start]
    return found, came


@given(st.integers(1, WIDE), st.integers(1, HIGH), st.integers(0, 5), st.integers(0, 3), st.integers(0, 8), st.integers(0, 3))
def test_all_that_can_be_flown_to_is_found_by_the_cheapest_way(x: int, y: int, facing: int, straight: int, most: int, radius: int) -> None:
    start: Node = ((x, y), facing, min(straight, radius))
    found, (costs, came) = flown(MAP, start, most, radius), cheapest(start, most, radius)
    assert {node: (cost, turns) for node, (cost, turns, _) in found.costs.items()} == costs
    assert all(covered == cost for cost, _, covered in found.costs.values())
    assert found.came == came
    for spot in {at for at, _, _ in costs}:
        route = flight_to(found, spot, None, radius)
        assert route is not None
        assert route.cost == min(cost for (at, _, _), (cost, _) in costs.items() if at == spot)
