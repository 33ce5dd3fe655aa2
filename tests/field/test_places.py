"""Places as answers: how they are written, taken, refused and described."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.field.field import NOTHING, Field, field
from rulewright.field.ground import Changes, read_ground
from rulewright.field.pathfinding import WALKER
from rulewright.field.places import Anywhere, Going, Pace, behind, out_of_sight, towards, write, written
from rulewright.field.revealed import known_field

from .grounds import WAREHOUSE

PACES = (Pace("crawl", "crawling", 2), Pace("walk", "walking", 8), Pace("run", "running", 16))


def anywhere(there: Field, at: tuple[float, float] = (20.0, 10.0), **more: Any) -> "Anywhere[Going]":
    return Anywhere(there, at, PACES, lambda going: going, "walk", **more)


@given(st.integers(-9999, 9999), st.integers(-9999, 9999), st.sampled_from(["", "run", "walk"]), st.none() | st.integers(0, 5))
def test_a_place_is_read_as_it_was_written(x: int, y: int, pace: str, facing: int | None) -> None:
    assert written(write(pace, (x / 100, y / 100), facing)) == (pace, ((x / 100, y / 100),), facing)


@pytest.mark.parametrize("given", ["", "12,3", "@", "@a,b", "@1,2,3", "@nan,1", "@1e9,1", "@1;2", "run@", "@1,2/", "@1,2/x", "@9999999,1"])
def test_what_is_no_place_is_refused(given: str) -> None:
    with pytest.raises(UserError, match=r"is not a( valid)? place"):
        anywhere(NOTHING).take(given)


def test_a_place_without_a_pace_is_gone_to_at_the_usual_one() -> None:
    assert anywhere(NOTHING).take("@24,13") == Going("walk", (24.0, 13.0), 5.0, ((20.0, 10.0), (24.0, 13.0)))
    assert anywhere(NOTHING).take("run@30,10").cost == 10


def test_too_far_is_refused_with_how_far_it_is_and_how_far_one_can_go() -> None:
    with pytest.raises(UserError, match=r"29, 10 is 9\.0 m away; walking you get 8 m at most"):
        anywhere(NOTHING).take("@29,10")
    with pytest.raises(UserError, match="there is no way to 27, 10, office door is between"):
        anywhere(field(WAREHOUSE)).take("@27,10")
    with pytest.raises(UserError, match=r"the way to 13\.5, 11 is .* m; walking you get 8 m"):
        anywhere(field(WAREHOUSE), (18.0, 11.0)).take("@18,11>13.5,11>18,11>13.5,11")
    with pytest.raises(UserError, match="unknown pace 'fly'; you can crawl, walk, run"):
        anywhere(NOTHING).take("fly@20,11")


def test_one_may_go_over_a_place_of_ones_own_choosing() -> None:
    going = anywhere(NOTHING).take("@20,13>24,13")
    assert going.cost == 7
    assert going.bends == ((20.0, 10.0), (20.0, 13.0), (24.0, 13.0))


def test_nobody_is_put_into_a_wall_or_off_the_map() -> None:
    with pytest.raises(UserError, match="inside the crates"):
        anywhere(field(WAREHOUSE)).take("run@15,11")
    with pytest.raises(UserError, match="off the map"):
        anywhere(field(WAREHOUSE), (38.0, 20.0)).take("@44,20")


def test_the_question_has_no_mark_on_bare_ground_and_one_that_differs_elsewhere() -> None:
    assert anywhere(NOTHING).mark == ""
    shut, opened = anywhere(field(WAREHOUSE)).mark, anywhere(field(WAREHOUSE, Changes(opened=("office door",)))).mark
    assert shut
    assert opened
    assert shut != opened
    assert anywhere(field(WAREHOUSE), (21.0, 10.0)).mark != shut


def test_a_place_tells_how_far_it_is_and_what_it_means() -> None:
    where = anywhere(NOTHING, means=lambda going: ("heavy cover from Kolbe",))
    assert where.tells("run@29.4,10") == ("9.4 of 16 m, running", "heavy cover from Kolbe")
    assert where.label("run@29.4,10") == "Running to 29.4, 10 (9.4 m)"


def test_the_bands_grow_with_the_pace() -> None:
    bands = anywhere(field(WAREHOUSE)).bands()
    assert [band.pace for band in bands] == ["crawl", "walk", "run"]
    assert all(band.outlines for band in bands)
    (loop,) = anywhere(NOTHING).bands()[1].outlines
    assert max(x for x, _ in loop) == 28


def test_nobody_goes_under_a_veil_and_no_band_betrays_it() -> None:
    ground = read_ground({"size": [40, 24], "regions": [{"name": "pit", "veiled": True, "box": [22, 8, 4, 4], "stops": "move"}]})
    seen = known_field(ground, Changes())
    where = anywhere(field(ground), seen=seen)
    with pytest.raises(UserError, match="you do not know yet"):
        where.take("@23,10")
    assert where.bands() == anywhere(field(read_ground({"size": [40, 24]}))).bands()


def test_one_goes_towards_somebody_around_corners_and_stops_short() -> None:
    there = field(WAREHOUSE, Changes(opened=("office door",)))
    assert towards(there, (20, 10), (30, 10), WALKER, 8, 1) == (28, 10)
    assert towards(there, (20, 10), (30, 10), WALKER, 16, 1) == (29, 10)
    assert towards(field(WAREHOUSE), (20, 10), (30, 10), WALKER, 8, 1) is None
    bent = towards(there, (24, 4), (28, 4), WALKER, 6)
    assert bent is not None
    assert bent[1] > 8


def test_behind_a_cover_is_on_the_side_away_from_the_enemy() -> None:
    there, crates = field(WAREHOUSE), WAREHOUSE.covers[1]
    spot = behind(there, crates, [(5.0, 11.0)], (10, 11))
    assert spot is not None
    assert spot[0] > 17
    assert crates in there.covers((5, 11), spot)


def test_out_of_sight_is_where_no_enemy_sees_one() -> None:
    there = field(WAREHOUSE, Changes(opened=("office door",)))
    spot = out_of_sight(there, (24, 10), ((10.0, 5.0),), WALKER, 10)
    assert spot is not None
    assert not there.sight((10, 5), spot).open
    assert out_of_sight(NOTHING, (0, 0), ((5.0, 5.0),), WALKER, 10) is None
