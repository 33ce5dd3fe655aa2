"""In space (book lines 4598-4695)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.silhouette.maneuver.rolling import RULES, craft, done

from rulewright.errors import UserError
from rulewright.field.geometry.hexes import distance, neighbour
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.machines.vehicle import Movement
from rulewright.systems.silhouette.maneuver import lightning_strikes, orbit, space
from rulewright.systems.silhouette.maneuver.air import loads
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.resolution.tests import Pool

small = st.integers(-9, 9)
vectors = st.builds(Vector, small, small, small)


def test_the_vectors_of_the_book() -> None:
    """Lines 4608-4614: +3Y, then four along -X, then five along +X."""
    vector = space.thrust(Vector(), "Y", 3)
    vector = space.thrust(vector, "X", -4)
    assert (vector, str(vector)) == (Vector(-4, 3, 0), "-4X +3Y")
    vector = space.thrust(vector, "X", 5)
    assert vector == Vector(1, 3, 0)
    assert str(Vector()) == "at rest"


def test_one_x_and_three_y_is_one_to_the_upper_left_and_three_to_the_top() -> None:
    """Line 4614."""
    at = neighbour((10, 10), 5)
    for _ in range(3):
        at = neighbour(at, 0)
    assert space.drifted(10, 10, Vector(1, 3, 0)) == at


@given(vectors)
def test_a_craft_drifts_as_far_as_its_vector_is_long(vector: Vector) -> None:
    """The catalogue's reading: with u = X + Y and v = Z + Y the distance is the greatest of |u|, |v| and |u - v|."""
    u, v = vector.x + vector.y, vector.z + vector.y
    assert vector.speed == max(abs(u), abs(v), abs(u - v))
    assert distance((10, 10), space.drifted(10, 10, vector)) == vector.speed


@given(vectors, st.sampled_from(space.AXES), small)
def test_thrust_costs_a_point_for_each_point_it_changes(vector: Vector, axis: space.Axis, points: int) -> None:
    assert space.thrust_needed(vector, space.thrust(vector, axis, points)).value == abs(points)


def test_each_hexside_is_one_axis() -> None:
    for side, (axis, sign) in space.SIDES.items():
        assert space.drifted(10, 10, space.thrust(Vector(), axis, sign)) == neighbour((10, 10), side)


FACING = {
    3: (0, 1, 1),
    1: (0, 1, 1),
    0: (0, 1, 2),
    -1: (0, 1, 2),
    -2: (1, 2, 4),
    -4: (1, 2, 4),
    -5: (2, 4, 8),
    -7: (2, 4, 8),
    -8: (3, 6, 12),
    -12: (3, 6, 12),
}
"""The printed table (lines 4634-4645), entered a second time."""


@pytest.mark.parametrize("maneuver", FACING)
def test_turning_costs_what_is_printed(maneuver: int) -> None:
    assert tuple(space.facing_cost(RULES, maneuver, sides).value for sides in (1, 2, 3)) == FACING[maneuver]
    assert space.facing_cost(RULES, maneuver, 0).value == 0


def test_overthrust_burns_twice_and_an_empty_tank_gives_none() -> None:
    """Line 4647."""
    ship = craft(Movement("space", 16))
    assert (space.thrust_points(ship), space.thrust_points(ship, overthrust=True)) == (8, 16)
    assert (space.burned(5).value, space.burned(5, overthrust=True).value) == (5, 10)
    assert [space.most_thrust(ship, left) for left in (100, 8, 3, 0)] == [8, 8, 3, 0]
    assert [space.most_thrust(ship, left, overthrust=True) for left in (100, 9, 1)] == [16, 4, 0]
    with pytest.raises(UserError, match="no space drive"):
        space.thrust_points(craft(Movement("ground", 6)))


def test_a_weak_drive_saves_up() -> None:
    """Line 4628: a hundredth of a g changes a vector every ten rounds."""
    assert space.rounds_for_a_point(0.1).value == 10
    assert space.rounds_for_a_point(3).value == 1
    assert [space.saved_thrust(0.1, rounds).value for rounds in (9, 10, 25)] == [0, 1, 2]


def test_a_load_shares_the_thrust() -> None:
    """Line 4669."""
    assert loads.towing_points(20_000, 10, 0).value == 10
    assert loads.towing_points(20_000, 10, 5_000).value == 8
    assert loads.towing_points(20_000, 10, 20_001).value == 4


def test_a_rocket_grows_lighter_in_ten_steps() -> None:
    """Lines 4681, 4651."""
    assert loads.lighter_rocket(20_000, 10, 10_000).value == 20
    assert loads.burning_climb(20_000, 10, 10_000) == tuple(200_000 // (20_000 - 1_000 * part) for part in range(10))


def test_the_way_to_orbit() -> None:
    """Lines 4671-4691, with the figures of the earth: 11,200 m/s by 1.4 is 8,000."""
    assert orbit.orbital_velocity(11_200).value == 8000
    assert orbit.required_velocity(11_200, 500).value == 7500
    assert orbit.required_velocity(11_200, equator=True).value == 7200
    assert orbit.climbing_acceleration(20).value == pytest.approx(9.81)
    assert orbit.climbing_acceleration(20, flies=True).value == pytest.approx(14.715)
    assert orbit.time_to_orbit(8000, 9.81) == pytest.approx((8000 / 9.81) ** 0.5, abs=1e-3)
    climb = orbit.reach_orbit(20, 11_200, burn_points=580)
    assert (climb.burn_points, climb.enough) == (29 * 20, True)
    assert orbit.reach_orbit(20, 11_200, burn_points=579).enough is False
    assert orbit.reach_orbit(20, 11_200, burn_points=600, overthrust=True).burn_points == 29 * 40
    with pytest.raises(UserError, match="must be above gravity"):
        orbit.reach_orbit(10, 11_200)


def test_reentry_without_systems_burns_every_round_and_with_them_every_fifth_at_most() -> None:
    """Lines 4683, 4693-4695, 9208."""
    assert orbit.reentry_heat(3).value == 60
    assert done(orbit.burns_in_descent(RULES, protected=False)) == 20
    assert done(orbit.burns_in_descent(RULES, pilot=Pool(1)), (1,), (2,), (1,), (6,)) == 2
    odds = exact(lambda: orbit.burns_in_descent(RULES, pilot=Pool(1)))
    assert odds[0] == Fraction(5, 6) ** 4
    assert orbit.level_after_reentry().value == 12


def test_fire_does_a_tenth_of_its_damage_to_a_hull() -> None:
    assert done(orbit.fire_on_hull(RULES, 60), (4, 3)).value == 24
    assert done(orbit.fire_on_hull(RULES, 61, fire_resistant=True), (4, 3)).value == 12
    assert done(orbit.fire_on_hull(RULES, 60), (1, 1)).value == 3  # a fumble halves the Intensity


def test_too_fast_for_the_map_is_a_pass() -> None:
    assert lightning_strikes.too_fast(Vector(0, 30), Vector(0, -31), 60)
    assert not lightning_strikes.too_fast(Vector(0, 30), Vector(0, -30), 60)


def test_the_higher_thrust_and_the_least_defense_count_in_setting_the_range() -> None:
    """Line 4659."""
    one, two = lightning_strikes.Fleet("one", Pool(2), 8, 1), lightning_strikes.Fleet("two", Pool(2), 6, 2)
    assert done(lightning_strikes.set_range(RULES, one, two), (4, 2), (3, 2)) == "one"  # 4 + 1 + 1 against 3 + 2
    assert done(lightning_strikes.set_range(RULES, one, two), (3, 2), (4, 2)) == "two"  # 5 against 6
    told = script(lightning_strikes.set_range(RULES, one, two), [(4, 2), (3, 2)]).events[0]
    assert told.headline() == "one sets the range of the pass"


def test_ties_go_to_complexity_and_then_are_rolled_again() -> None:
    one, two = lightning_strikes.Fleet("one", Pool(1), complexity=2), lightning_strikes.Fleet("two", Pool(1))
    assert done(lightning_strikes.set_range(RULES, one, two), (4,), (4,)) == "one"
    alike = lightning_strikes.Fleet("one", Pool(1))
    assert done(lightning_strikes.set_range(RULES, alike, two), (4,), (4,), (2,), (3,)) == "two"


def test_the_odds_of_a_pass_are_those_counted_by_hand() -> None:
    one, two = lightning_strikes.Fleet("one", Pool(1), 8), lightning_strikes.Fleet("two", Pool(1), 6, complexity=2)
    wins = sum(first + 1 > second for first, second in product(range(1, 7), repeat=2))
    assert exact(lambda: lightning_strikes.set_range(RULES, one, two))["one"] == Fraction(wins, 36)


@pytest.mark.parametrize("axis", ["x", "y", "z", "v"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_vector_is_as_long_as_the_fastest_and_no_longer(axis: str, sign: int) -> None:
    assert getattr(Vector(**{axis: sign * space.FASTEST}), axis) == sign * space.FASTEST
    with pytest.raises(UserError, match="at most"):
        Vector(**{axis: sign * (space.FASTEST + 1)})
