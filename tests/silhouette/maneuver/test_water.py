"""Under water (book lines 4462-4487, 4517)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.silhouette.maneuver.rolling import RULES, done

from rulewright.errors import UserError
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.maneuver import water


def test_two_hundred_metres_of_water_have_five_levels() -> None:
    """Line 4464: the surface, then bands of fifty metres."""
    assert [water.depth_level(metres).value for metres in (0, 1, 50, 51, 100, 101, 150, 151, 200)] == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    with pytest.raises(UserError, match="0 or more metres"):
        water.depth_level(-1)


def test_a_level_costs_two_points_either_way() -> None:
    assert water.depth_cost(3).value == 6 == water.depth_cost(-3).value


def test_flushed_tanks_lift_three_levels_a_round_and_no_higher_than_the_surface() -> None:
    assert [water.emergency_surfacing(7, rounds).value for rounds in (0, 1, 2, 3)] == [7, 4, 1, 0]
    assert water.reset_rounds(15).value == 60  # two minutes for each point of Size, thirty seconds a round


def test_divers_and_hulls_have_their_safe_depth() -> None:
    """Line 4468."""
    assert [water.divers_level(gear) for gear in ("none", "diving gear", "advanced diving gear")] == [0, 2, 5]
    assert [water.safe_level(metres).value for metres in (100, 101, 130)] == [2, 3, 3]


def test_pressure_rolls_a_die_for_each_level_too_deep_and_multiplies_by_the_depth() -> None:
    came = done(water.pressure(RULES, 7, 4), (2, 6, 6))
    assert (came.margin, came.damage) == (3, 21)  # 7 on the dice against 4, at level 7
    assert done(water.pressure(RULES, 4, 4)).damage == 0
    assert done(water.pressure(RULES, 7, 4), (1, 1, 1)).damage == 0


def test_the_odds_of_one_level_too_deep_are_those_of_one_die() -> None:
    odds = exact(lambda: water.pressure(RULES, 3, 2)).map(lambda came: came.damage)
    assert (odds[0], odds[3], odds[6]) == (Fraction(4, 6), Fraction(1, 6), Fraction(1, 6))


def test_a_vent_scalds_whoever_is_not_protected_from_heat() -> None:
    """Line 4517: three dice, ten times the margin."""
    assert done(water.vent_scald(RULES), (2, 3, 6)).damage == 20
    assert done(water.vent_scald(RULES, protected=True)).damage == 0


def test_inertia_of_the_book() -> None:
    """Line 4474: Size 65 has an Inertia of 2; after 6 points from 4 to 8 may be spent."""
    assert water.inertia(65).value == 2
    came = water.speeds_after(6, 65, 20)
    assert (came.least, came.most, came.braking) == (4, 8, 2)
    assert water.inertia(120).value == 1
    assert water.braking_noise(6, 2, 65).value == 2
    assert water.braking_noise(6, 4, 65).value == 0


@given(st.integers(0, 40), st.integers(1, 150), st.integers(0, 40))
def test_a_submarine_never_spends_more_than_it_has_and_brakes_no_further_than_twice_its_inertia(last: int, size: int, has: int) -> None:
    came = water.speeds_after(last, size, has)
    assert 0 <= came.braking <= came.least
    assert came.most <= has
    assert holds(water.inertia(size).reason)


def test_a_submarine_at_rest_pays_for_every_hexside() -> None:
    assert [water.turning_cost(sides).value for sides in range(4)] == [0, 1, 2, 3]
    assert [water.turning_cost(sides, stationary=False).value for sides in range(4)] == [0, 0, 1, 1]


BEDS = {
    "Clear": (2, None),
    "Mud": (3, None),
    "Deep Water": (None, 1),
    "Kelp Forest": (3, 2),
    "Thermal Vents": (2, 2),
}
"""The printed table (lines 4480-4485), entered a second time."""


@pytest.mark.parametrize("terrain", BEDS)
def test_deep_water_costs_what_is_printed(terrain: str) -> None:
    for mover, cost in zip(("crawler", "submarine"), BEDS[terrain], strict=True):
        if cost is None:
            with pytest.raises(UserError, match="cannot move through"):
                water.deep_cost(RULES, terrain, mover)
        else:
            assert water.deep_cost(RULES, terrain, mover) == cost
    assert set(water.BEDS(RULES)) == set(BEDS)
    assert water.crawler_cost(1).value == 2  # line 4382


def test_kelp_reaches_half_a_die_and_vents_a_whole_one() -> None:
    assert [done(water.growth_height(RULES, "Kelp Forest"), (face,)) for face in (1, 2, 3, 6)] == [1, 1, 2, 3]
    assert done(water.growth_height(RULES, "Thermal Vents"), (5,)) == 5
    assert done(water.growth_height(RULES, "Mud")) == 0


@pytest.mark.parametrize(("faces", "margin", "damage"), [((4, 2), 0, 0), ((5, 2), 1, 6), ((6, 6), 3, 18), ((3, 2), 0, 0), ((1, 1), 0, 0)])
def test_pressure_does_its_margin_above_four_times_the_depth_and_a_fumble_nothing(faces, margin, damage):
    """Two levels below a safe depth of four: two dice."""
    pressed = done(water.pressure(RULES, 6, 4), faces)
    assert (pressed.margin, pressed.damage) == (margin, damage)
