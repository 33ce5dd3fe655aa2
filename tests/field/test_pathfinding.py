"""Paths and areas: a path costs what it says, never less than the straight line or more than the area; shaded places are never refused."""

import itertools
from math import hypot
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.field import pathfinding
from rulewright.field.field import NOTHING, Field, Spot, field
from rulewright.field.geometry import hexes, shapes
from rulewright.field.ground import Changes, Ground, read_ground
from rulewright.field.pathfinding import WALKER, Mover, Turning, reach, way

from .grounds import WAREHOUSE, spots, walled

SLOW = Mover(costs=(("slippery", 2), ("chasm", None)))


def _stands(there: Field, spot: Spot) -> bool:
    try:
        there.refuse_standing(spot)
    except UserError:
        return False
    return True


@settings(max_examples=60)
@given(walled(), spots, spots)
def test_a_way_costs_its_length_meets_no_wall_and_is_never_shorter_than_the_straight_line(ground: Ground, one: Spot, other: Spot) -> None:
    there = Field(ground)
    assume(_stands(there, one) and _stands(there, other))
    found = way(there, one, other, most=30)
    straight = hypot(other[0] - one[0], other[1] - one[1])
    if found is None:
        assert shapes.first_met(there.step_walls, there.place(one), there.place(other)) is not None
        return
    assert found.cost >= straight - 1e-6
    stretches = list(zip(found.bends, found.bends[1:], strict=False))
    assert found.cost == pytest.approx(sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in stretches), abs=1e-6)
    assert all(shapes.first_met(there.step_walls, there.place(a), there.place(b)) is None for a, b in stretches)
    assert found.bends[0] == one
    assert found.bends[-1] == other


@settings(max_examples=25, deadline=None)
@given(walled(), spots, st.floats(1, 8))
def test_a_way_never_costs_more_than_the_area_says(ground: Ground, one: Spot, most: float) -> None:
    there = Field(ground)
    assume(_stands(there, one))
    area = reach(there, one, WALKER, most)
    for (x, y), cost in list(area.costs.items())[::7]:
        found = way(there, one, (x / 100, y / 100), WALKER, most)
        assert found is not None
        assert found.cost <= cost / 100 + 1e-6
        assert cost / 100 <= most + 1e-9


@settings(max_examples=25, deadline=None)
@given(walled(), spots, st.floats(2, 8), st.lists(spots, min_size=10, max_size=10))
def test_what_is_shaded_is_never_refused(ground: Ground, one: Spot, most: float, tried: list[Spot]) -> None:
    there = Field(ground)
    assume(_stands(there, one))
    outlines = [tuple((round(x * 100), round(y * 100)) for x, y in loop) for loop in reach(there, one, WALKER, most).outlines()]
    for spot in tried:
        shaded = sum(shapes.within(loop, (round(spot[0] * 100), round(spot[1] * 100))) for loop in outlines) % 2
        on_edge = any(
            shapes.off_line(a, b, (round(spot[0] * 100), round(spot[1] * 100))) < 1
            for loop in outlines
            for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)
        )
        if shaded and not on_edge:
            assert way(there, one, spot, WALKER, most) is not None


@settings(max_examples=30, deadline=None)
@given(walled(), spots, st.floats(1, 5), st.floats(0, 3))
def test_reach_grows_with_speed(ground: Ground, one: Spot, most: float, more: float) -> None:
    there = Field(ground)
    assume(_stands(there, one))
    near, far = reach(there, one, WALKER, most).costs, reach(there, one, WALKER, most + more).costs
    assert near.keys() <= far.keys()


def test_on_bare_ground_every_way_is_straight() -> None:
    found = way(NOTHING, (0, 0), (30, 40), most=50)
    assert found is not None
    assert found.cost == 50
    assert found.bends == ((0, 0), (30, 40))
    assert way(NOTHING, (0, 0), (30, 41), most=50) is None


def test_one_walks_around_the_crates() -> None:
    found = way(field(WAREHOUSE), (13, 11), (18, 11))
    assert found is not None
    shortest = 2 * hypot(1, 1) + 3  # around the two corners, touching them
    assert shortest < found.cost < shortest + 0.6


def test_a_shut_room_cannot_be_entered_and_an_open_door_lets_one_in() -> None:
    assert way(field(WAREHOUSE), (20, 10), (30, 10), most=100) is None
    found = way(field(WAREHOUSE, Changes(opened=("office door",))), (20, 10), (30, 10), most=100)
    assert found is not None
    assert found.cost == 10


@settings(max_examples=40, deadline=None)
@given(walled(), spots, st.lists(spots, min_size=4, max_size=4), st.floats(2, 40))
def test_what_is_known_of_shut_rooms_changes_no_way(ground: Ground, one: Spot, others: list[Spot], most: float) -> None:
    """Rooms of size 0: everything is open ground, and every path is searched for."""
    assume(_stands(Field(ground), one))
    found = [way(Field(ground), one, other, WALKER, most) for other in others]
    with patch.object(pathfinding, "ROOM", 0):
        assert [way(Field(ground), one, other, WALKER, most) for other in others] == found


def test_who_is_shut_in_gets_nowhere_and_about_the_room() -> None:
    there = field(WAREHOUSE)
    assert way(there, (30, 10), (20, 10), most=100) is None
    assert way(there, (30, 10), (29, 9), most=100) is not None


def test_slippery_ground_costs_twice_and_is_gone_around_where_that_is_shorter() -> None:
    there = field(WAREHOUSE)
    across = way(there, (20, 17), (20, 19), SLOW)
    assert across is not None
    assert across.cost == pytest.approx(4)
    around = way(there, (16.5, 18), (23.5, 18), SLOW)
    straight = 0.5 * 2 + 6 * 2
    half_round = 0.5 * 2 + 3.1416 * 3
    assert around is not None
    assert half_round - 0.6 < around.cost < straight


def test_ground_that_cannot_be_entered_is_gone_around() -> None:
    ground = read_ground({"size": [10, 10], "regions": [{"terrain": "chasm", "box": [4, 0, 2, 8]}]})
    found = way(field(ground), (2, 2), (8, 2), SLOW)
    assert found is not None
    assert found.cost > 2 * hypot(2, 6) + 2 - 0.1
    assert way(field(ground), (2, 2), (5, 2), SLOW, 50) is None


def test_a_step_that_would_cost_less_than_one_is_refused() -> None:
    with pytest.raises(UserError, match="less than 1"):
        way(field(WAREHOUSE), (20, 17), (20, 19), Mover(costs=(("slippery", 0),)))


# --- hexes ---------------------------------------------------------------------------------------------------------------------

HILLS = read_ground(
    {
        "grid": "hexes",
        "size": [9, 9],
        "terrain": "clear",
        "regions": [{"terrain": "swamp", "box": [5, 1, 1, 8]}, {"level": 2, "circle": [3, 3, 0.5]}],
    }
)
WADER = Mover(costs=(("swamp", 3),), up=2, down=1)
on_hills = st.tuples(st.integers(1, 9), st.integers(1, 9))


def test_steps_on_hexes_cost_by_terrain_and_by_height() -> None:
    there = field(HILLS)
    up, down, wet = (way(there, one, other, WADER) for one, other in (((3, 4), (3, 3)), ((3, 3), (3, 4)), ((4, 4), (5, 4))))
    assert up is not None
    assert up.cost == 1 + 2 * 2
    assert down is not None
    assert down.cost == 1 + 2 * 1
    assert wet is not None
    assert wet.cost == 3


@given(on_hills, on_hills)
def test_a_way_over_hexes_is_never_below_the_distance_and_goes_from_hex_to_hex(one: tuple[int, int], other: tuple[int, int]) -> None:
    found = way(field(HILLS), one, other, WADER)
    assert found is not None
    assert found.cost >= hexes.distance(one, other)
    steps = [(int(x), int(y)) for x, y in found.bends]
    assert all(hexes.distance(a, b) == 1 for a, b in itertools.pairwise(steps))
    assert reach(field(HILLS), one, WADER, found.cost).costs[other] == found.cost


def test_turning_more_than_is_free_costs() -> None:
    there = field(read_ground({"grid": "hexes", "size": [9, 9]}))
    tank = Mover(turns=Turning(free=1, cost=1))
    ahead, behind = way(there, (5, 5), (5, 4), tank, facing=0), way(there, (5, 5), (5, 6), tank, facing=0)
    assert ahead is not None
    assert ahead.cost == 1
    assert behind is not None
    assert behind.cost == 1 + 2
    looking_back = way(there, (5, 5), (5, 4), tank, facing=0, then=3)
    assert looking_back is not None
    assert looking_back.cost == 1 + 2


def test_reach_on_hexes_without_obstacles_is_every_hex_within_the_distance() -> None:
    there = field(read_ground({"grid": "hexes", "size": [20, 20]}))
    area = reach(there, (10, 10), WALKER, 3)
    assert len(area.costs) == 1 + 6 + 12 + 18
    assert all(cost == hexes.distance((10, 10), spot) for spot, cost in area.costs.items())
    (outline,) = area.outlines()
    assert len(outline) == 6 * (2 * 3 + 1)  # a big hexagon with ragged sides


def test_a_wall_between_two_hexes_stops_the_step() -> None:
    there = field(read_ground({"grid": "hexes", "size": [5, 5], "walls": [{"along": [[1, 2.5], [3, 2.5]]}]}))
    found = way(there, (1, 2), (1, 3))
    assert found is None or found.cost > 1
