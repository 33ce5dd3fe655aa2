"""Sight, cover, light and terrain: by hand, and by properties that must hold everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.field.field import NOTHING, Field, Spot, field
from rulewright.field.geometry import hexes, shapes
from rulewright.field.ground import Changes, Ground, Region, read_ground

from .grounds import WAREHOUSE, corners, spots, walled

DOOR_OPEN = Changes(opened=("office door",))


@given(walled(), spots, spots)
def test_sight_is_the_same_both_ways(ground: Ground, one: Spot, other: Spot) -> None:
    assert Field(ground).sight(one, other).open == Field(ground).sight(other, one).open


@given(walled(), spots, spots)
def test_fewer_walls_never_hide_more(ground: Ground, one: Spot, other: Spot) -> None:
    from msgspec.structs import replace

    if Field(ground).sight(one, other).open:
        assert Field(replace(ground, walls=ground.walls[1:])).sight(one, other).open


@given(corners, corners, corners, corners)
def test_lines_meet_where_exact_arithmetic_says_so(a: Spot, b: Spot, c: Spot, d: Spot) -> None:
    from fractions import Fraction

    here, there, one, other = [(round(x * 100), round(y * 100)) for x, y in (a, b, c, d)]
    if one == other:
        return

    def meets() -> bool:
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = here, there, one, other
        across = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
        if across:
            t = Fraction((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3), across)
            u = Fraction((x3 - x1) * (y2 - y1) - (y3 - y1) * (x2 - x1), across)
            return 0 <= t <= 1 and 0 <= u <= 1
        if (x3 - x1) * (y4 - y3) != (y3 - y1) * (x4 - x3):
            return False  # side by side
        long = (x4 - x3) ** 2 + (y4 - y3) ** 2
        ends = sorted(Fraction((x - x3) * (x4 - x3) + (y - y3) * (y4 - y3), long) for x, y in (here, there))
        return ends[1] >= 0 and ends[0] <= 1

    assert (shapes.first_met([shapes.stretch(one, other, "it")], here, there) is not None) == meets()


def test_on_bare_ground_everybody_sees_everybody() -> None:
    assert NOTHING.sight((0, 0), (1000, 1000)).open
    assert NOTHING.mark == ""
    assert NOTHING.distance((0, 0), (3, 4)) == 5


def test_a_closed_door_stops_sight_and_an_open_one_does_not() -> None:
    blocked = field(WAREHOUSE).sight((20, 10), (30, 10))
    assert not blocked.open
    assert blocked.by == "office door"
    assert field(WAREHOUSE, DOOR_OPEN).sight((20, 10), (30, 10)).open
    assert not field(WAREHOUSE, DOOR_OPEN).sight((20, 4), (30, 4)).open


def test_a_door_that_stands_open_can_be_shut() -> None:
    ground = read_ground({"walls": [{"along": [[0, 5], [10, 5]], "door": "open", "name": "the gate"}]})
    assert field(ground).sight((5, 0), (5, 10)).open
    assert not field(ground, Changes(closed=("the gate",))).sight((5, 0), (5, 10)).open


def test_one_sees_through_a_window_and_it_is_cover_for_whoever_stands_close_behind() -> None:
    there = field(WAREHOUSE)
    assert there.sight((36, 20), (36, 10)).open
    assert [cover.name for cover in there.covers((36, 20), (36, 14))] == ["office window"]
    assert not there.covers((36, 20), (36, 12))  # too far behind it
    assert not there.covers((36, 15.5), (36, 14))  # the shooter leans on it


def test_walls_that_touch_leave_no_gap() -> None:
    ground = read_ground({"walls": [{"along": [[0, 5], [5, 5]]}, {"along": [[5, 5], [10, 5]]}, {"along": [[5, 5], [5, 0]]}]})
    assert not field(ground).sight((5, 8), (5, 2)).open  # through the very joint
    assert not field(ground).sight((4, 8), (6, 2)).open
    assert field(ground).sight((11, 8), (11, 2)).open


def test_a_line_along_a_wall_is_stopped_by_it() -> None:
    ground = read_ground({"walls": [{"along": [[2, 0], [6, 0]]}]})
    assert not field(ground).sight((0, 0), (8, 0)).open
    assert field(ground).sight((0, 0), (1.99, 0)).open


def test_cover_counts_on_the_side_that_is_seen() -> None:
    there = field(WAREHOUSE)
    assert [cover.name for cover in there.covers((10, 11), (18, 11))] == ["the crates"]
    assert not there.covers((18, 5), (18, 11))  # from the side nothing is between
    assert not there.covers((10, 11), (19, 11))  # 2 m behind them
    assert not there.covers((13, 11), (18.4, 20))


def test_who_leans_on_a_thing_shoots_over_it() -> None:
    there = field(WAREHOUSE)
    assert [cover.name for cover in there.covers((5, 11), (17.4, 11))] == ["the crates"]
    assert not there.covers((17.4, 11), (5, 11))


def test_a_cover_that_is_a_bare_place_shelters_against_everybody() -> None:
    ground = read_ground({"covers": [{"name": "the oak", "cover": "heavy cover", "x": 5, "y": 5}]})
    for shooter in ((0, 5), (10, 5), (5, 0), (5, 9)):
        assert [cover.name for cover in field(ground).covers(shooter, (5.5, 5))] == ["the oak"]
    assert not field(ground).covers((0, 5), (6.5, 5))


def test_who_lies_in_a_ditch_has_it_against_all_outside() -> None:
    ground = read_ground({"covers": [{"name": "the ditch", "cover": "heavy cover", "box": [0, 5, 20, 4], "stops": "nothing"}]})
    assert [cover.name for cover in field(ground).covers((10, 0), (10, 7))] == ["the ditch"]
    assert not field(ground).covers((2, 7), (18, 7))
    field(ground).refuse_standing((10, 7))


def test_a_lamp_lights_as_far_as_nothing_stands_between() -> None:
    ground = read_ground(
        {"lights": [{"x": 5, "y": 5, "radius": 4, "light": "normal"}], "walls": [{"along": [[7, 0], [7, 10]]}], "size": [20, 20]}
    )
    assert field(ground).light((6, 5)) == "normal"
    assert field(ground).light((8, 5)) == ""  # behind the wall
    assert field(ground).light((5, 9.5)) == ""  # too far


def test_a_later_region_lies_on_top_of_an_earlier_one() -> None:
    ground = read_ground(
        {
            "terrain": "grass",
            "regions": [{"terrain": "water", "box": [0, 0, 10, 2]}, {"terrain": "road", "along": [[5, -5], [5, 5]], "width": 2}],
        }
    )
    there = field(ground)
    assert [there.terrain(spot) for spot in ((2, 1), (5, 1), (5, 4), (8, 4))] == ["water", "road", "road", "grass"]


def test_smoke_hides_who_is_in_it_and_who_is_behind_it_but_not_at_arms_length() -> None:
    smoke = Changes(clouds=(Region(terrain="smoke", circle=(5, 5, 2), stops="sight"),))
    there = field(Ground(), smoke)
    assert not there.sight((0, 5), (10, 5)).open
    assert not there.sight((0, 5), (5, 5)).open
    assert there.sight((5, 5), (6, 5)).open
    assert there.sight((0, 9), (10, 9)).open
    assert there.sight((0, 5), (10, 5)).by == "smoke"


def test_nobody_stands_in_a_wall_nor_inside_what_one_walks_around() -> None:
    there = field(WAREHOUSE)
    for spot, said in (
        ((26, 4), "in a wall"),
        ((26.04, 4), "at least 5 cm away"),
        ((15, 11), "inside the crates"),
        ((50, 4), "off the map, which is 40 by 24 metres"),
    ):
        with pytest.raises(UserError, match=said):
            there.refuse_standing(spot)
    there.refuse_standing((26.05, 4))


# --- hexes ---------------------------------------------------------------------------------------------------------------------

VALLEY = read_ground(
    {
        "grid": "hexes",
        "cell": 50,
        "size": [30, 24],
        "terrain": "clear",
        "regions": [
            {"terrain": "woodland", "inside": [[3, 3], [11, 2], [13, 9], [5, 12]]},
            {"level": 1, "circle": [22, 8, 6]},
            {"level": 2, "circle": [22, 8, 3]},
            {"terrain": "water", "along": [[1, 15], [12, 17], [30, 11]], "name": "river"},
            {"terrain": "clear", "along": [[16, 1], [16, 24]], "name": "road"},
        ],
    }
)
on_valley = st.tuples(st.integers(1, 30), st.integers(1, 24))


def test_a_valley_has_its_wood_its_hill_its_river_and_the_bridge() -> None:
    there = field(VALLEY)
    assert there.terrain((7, 6)) == "woodland"
    assert there.terrain((25, 20)) == "clear"
    assert (there.level((22, 8)), there.level((22, 12)), there.level((10, 20))) == (2, 1, 0)
    assert there.terrain((1, 15)) == "water"
    rivers = [spot for spot in [(16, row) for row in range(1, 25)] if there.terrain(spot) != "clear"]
    assert not rivers  # the road lies on top


def test_a_river_without_a_width_has_no_gap() -> None:
    river = field(VALLEY).hexes_of(VALLEY.regions[3])
    reached = {river[0]}
    queue = [river[0]]
    while queue:
        for spot in hexes.neighbours(queue.pop()):
            if spot in river and spot not in reached:
                reached.add(spot)
                queue.append(spot)
    assert reached == set(river)


@given(on_valley, on_valley)
def test_sight_over_hexes_is_the_same_both_ways(one: Spot, other: Spot) -> None:
    assert Field(VALLEY).sight(one, other).open == Field(VALLEY).sight(other, one).open


@given(on_valley, on_valley)
def test_a_tie_that_helps_never_hides_what_one_that_hinders_shows(one: Spot, other: Spot) -> None:
    there = field(VALLEY)
    if there.sight(one, other, "hindering").open:
        assert there.sight(one, other, "helping").open


@given(on_valley, on_valley)
def test_ground_higher_than_both_stops_sight_and_nothing_else_does(one: tuple[int, int], other: tuple[int, int]) -> None:
    there = field(VALLEY)
    top = max(there.level(one), there.level(other))
    between = [[there.level(spot) > top for spot in step] for step in there.line(one, other)]
    assert there.sight(one, other, "hindering").open == (not any(any(step) for step in between))
    assert there.sight(one, other, "helping").open == (not any(all(step) for step in between))


def test_off_the_map_is_no_hex() -> None:
    assert field(VALLEY).line((1, 1), (3, 1)) == (((2, 1),),)  # of the two between which it runs one is off the map
    with pytest.raises(UserError, match="30 columns of 24 rows"):
        field(VALLEY).refuse_standing((31, 1))


def test_painted_rows_are_read_letter_by_letter() -> None:
    ground = read_ground({"grid": "hexes", "size": [3, 2], "rows": "..w\nwww\n", "levels": "012\n000\n"})
    there = Field(ground, letters=((".", "clear"), ("w", "woodland")))
    assert [there.terrain((column, 1)) for column in (1, 2, 3)] == ["clear", "clear", "woodland"]
    assert [there.level((column, 1)) for column in (1, 2, 3)] == [0, 1, 2]


def test_on_open_ground_a_bearing_is_the_angle_off_the_way_one_looks() -> None:
    there = field()
    assert there.off_front((0, 0), 0, (5, 0)).degrees == 0
    right = there.off_front((0, 0), 0, (0, 5))
    assert right.degrees == 90
    assert right.right
    assert right.against(90) == 0
    assert there.off_front((0, 0), 90, (0, -5)).against(180) == 0
