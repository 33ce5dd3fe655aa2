"""Destinations, doors, the meaning of a place, and places to throw at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.area_templates import Aimed, flown
from rulewright.field.destinations import Door, covers_near, doors_at_hand, doors_to_try, goals, taken, what_it_means
from rulewright.field.field import NOTHING, field
from rulewright.field.ground import Changes, Cover, Region, read_ground
from rulewright.field.pathfinding import WALKER, way
from rulewright.field.terrain_state import OnGround

GROUND = read_ground(
    {
        "size": [30, 20],
        "walls": [
            {"along": [[15, 0], [15, 8]]},
            {"along": [[15, 8], [15, 10]], "name": "door", "door": "closed"},
            {"along": [[15, 10], [15, 20]]},
            {"along": [[25, 0], [25, 20]], "name": "rail", "stops": "move"},
            {"along": [[5, 16], [5, 18]], "name": "hatch", "door": "open"},
            {"along": [[2, 0], [2, 2]], "name": "panel", "door": "secret"},
        ],
        "covers": [
            {"name": "the crates", "box": [8, 4, 2, 2], "cover": "heavy"},
            {"name": "the cart", "box": [18, 4, 2, 2], "cover": "light"},
        ],
    }
)
ROOM = field(GROUND)


class One(Struct, frozen=True):
    name: str
    x: float
    y: float


def by_key(found):
    return {goal.key: goal for goal in found}


def test_there_are_covers_people_doors_and_the_way_out_of_it():
    found = by_key(goals(ROOM, (5.0, 9.0), (("Bob", 13.0, 9.0),), 10.0))
    assert set(found) >= {"to the crates", "to Bob", "to door", "to hatch", "away"}
    assert "to panel" not in found
    assert found["to Bob"].foe == "Bob"
    assert ROOM.distance(found["to Bob"].way.end, (13, 9)) == pytest.approx(1.0, abs=0.05)


@given(st.floats(1, 14), st.floats(1, 19), st.floats(1, 14), st.floats(1, 19), st.floats(2, 12))
def test_every_goal_can_be_reached_for_what_it_says(x, y, foe_x, foe_y, most):
    here, foe = (round(x, 2), round(y, 2)), (round(foe_x, 2), round(foe_y, 2))
    for spot in (here, foe):
        try:
            ROOM.refuse_standing(spot)
        except UserError:
            return
    for goal in goals(ROOM, here, (("Bob", *foe),), most):
        again = way(ROOM, here, goal.way.end, WALKER, most)
        assert again is not None
        assert again.cost <= most + 0.06
        ROOM.refuse_standing(goal.way.end)


def test_more_speed_opens_no_fewer_goals():
    slow, fast = [set(by_key(goals(ROOM, (5.0, 9.0), (("Bob", 13.0, 15.0),), most))) for most in (3.0, 12.0)]
    assert slow <= fast | {"out of sight"}


def test_doors_at_hand_are_opened_or_shut_and_tried_in_order():
    assert doors_at_hand(ROOM, (14, 9)) == (Door("door", True),)
    assert doors_at_hand(ROOM, (5.5, 17)) == (Door("hatch", False),)
    assert doors_at_hand(ROOM, (2.5, 1)) == ()
    assert doors_to_try(ROOM, (5, 17)) == ("door", "hatch")
    assert covers_near(ROOM, (17, 4)) == ("the cart", "the crates")


def test_a_state_on_ground_opens_and_shuts_doors_and_asks_it():
    state = OnGround(map=GROUND)
    assert not state.clear_between((5, 9), (20, 9))
    opened = state.with_door(Door("door", True))
    assert opened.clear_between((5, 9), (20, 9))
    assert opened.with_door(Door("door", False)) == state
    shut = state.with_door(Door("hatch", False))
    assert shut.changes.closed == ("hatch",)
    assert shut.with_door(Door("hatch", True)).field.sight((4, 17), (6, 17)).open
    assert state.shelters((5, 5), (10.5, 5)) == ("heavy",)
    assert state.lit((5, 5)) == ""


def test_smoke_on_bare_ground_hides_and_goes_again():
    bare = OnGround()
    assert bare.bare
    smoky = bare.with_clouds(Region(circle=(5, 0, 2), name="smoke", stops="sight"))
    assert not smoky.bare
    assert not smoky.clear_between((0, 0), (10, 0))
    assert smoky.clear_between((0, 5), (10, 5))
    assert smoky.with_clouds().bare


def test_a_cover_that_is_a_bare_place_is_taken_within_a_metre():
    oak = Cover("the oak", "heavy", 3, 4)
    assert taken((oak,), (3.5, 4)) is oak
    assert taken((oak,), (4.5, 4)) is None


def test_what_a_place_means_names_nearest_and_what_shelters():
    foes = [One("Bob", 3, 4), One("Cyd", 9, 0), One("Dot", 0, 9)]
    told = what_it_means(One("me", 0, 0), foes, [("Bob", "heavy cover"), ("Cyd", ""), ("Dot", None)])
    assert told == ("5.0 m from Bob", "heavy cover from Bob", "in the open before Cyd", "out of sight of Dot")
    assert what_it_means(One("me", 0, 0), [], []) == ()


def aimed(ground=ROOM, at=(5.0, 9.0), **fields):
    return Aimed(ground, at, "lob", "throwing", 12.0, lambda spot: spot, lambda: (One("Bob", 9, 9), One("Cyd", 14, 18)), 3.0, **fields)


def test_a_place_to_throw_at_is_in_range_and_in_sight_and_says_who_is_within():
    assert aimed().take("lob@10,9") == (10, 9)
    assert aimed().take("@10,9") == (10, 9)
    assert aimed().tells("@10,9") == ("5.0 of 12 m, throwing", "within 3 m: Bob")
    assert aimed().tells("@10,13")[1] == "within 3 m: nobody"
    assert aimed().label("lob@10,9") == "Lob at 10, 9"
    assert aimed(NOTHING).mark == ""
    assert aimed().mark


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("@18,9", "is 13.0 m away; throwing reaches 0 to 12 m"),
        ("@16,9", "is out of sight: door is between"),
        ("run@6,9", "unknown action 'run'"),
        ("@5,21", "off the map"),
        ("@here", "is not a( valid)? place"),
    ],
)
def test_a_place_that_cannot_be_thrown_at_is_refused_with_what_is_wrong(given, said):
    with pytest.raises(UserError, match=said):
        aimed().take(given)


def test_nothing_is_thrown_nearer_than_its_least_range():
    with pytest.raises(UserError, match="4 to 12 m"):
        aimed(least=4.0).take("@6,9")


def test_what_is_thrown_flies_over_a_rail_and_stops_at_a_wall():
    assert flown(ROOM, (20, 9), (28, 9)) == (28, 9)
    x, y = flown(ROOM, (10, 4), (20, 4))
    assert 13 < x < 15
    assert y == 4
    assert flown(field(GROUND, Changes(opened=("door",))), (10, 9), (20, 9)) == (20, 9)
