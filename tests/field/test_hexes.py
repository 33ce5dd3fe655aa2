"""Hexes in integers, compared with exact geometry."""

from fractions import Fraction
from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.field.geometry import hexes

spots = st.tuples(st.integers(1, 60), st.integers(1, 60))
facings = st.integers(0, 5)


def _squared(q: Fraction, r: Fraction) -> Fraction:
    """The square of a distance, from axial coordinates: exact, since the axes meet at 60 degrees."""
    return q * q + q * r + r * r


def test_the_first_hex_is_in_the_upper_left_and_even_columns_lie_half_a_hex_lower() -> None:
    assert hexes.centre((1, 1)) == (0, 0)
    assert hexes.centre((2, 1))[1] == 0.5
    assert hexes.centre((3, 1))[1] == 0
    assert hexes.label((3, 7)) == "0307"


def test_the_neighbours_of_a_hex_go_clockwise_from_north() -> None:
    assert hexes.neighbours((3, 7)) == ((3, 6), (4, 6), (4, 7), (3, 8), (2, 7), (2, 6))
    assert hexes.neighbours((2, 7)) == ((2, 6), (3, 7), (3, 8), (2, 8), (1, 8), (1, 7))


@given(spots)
def test_every_neighbour_is_one_hex_across_away_on_paper(spot: tuple[int, int]) -> None:
    x, y = hexes.centre(spot)
    for other in hexes.neighbours(spot):
        a, b = hexes.centre(other)
        assert (a - x) ** 2 + (b - y) ** 2 == pytest.approx(1)
        assert hexes.distance(spot, other) == 1


@given(spots, spots)
def test_a_line_is_the_same_from_both_ends_and_has_a_step_for_each_hex_of_distance(one: tuple[int, int], other: tuple[int, int]) -> None:
    there = [frozenset(step) for step in hexes.line(one, other)]
    back = [frozenset(step) for step in hexes.line(other, one)]
    assert there == back[::-1]
    assert len(there) == max(0, hexes.distance(one, other) - 1)


@given(spots, spots)
def test_each_step_of_a_line_is_every_hex_nearest_to_that_part_of_it(one: tuple[int, int], other: tuple[int, int]) -> None:
    (q1, r1), (q2, r2) = hexes.axial(one), hexes.axial(other)
    parts = hexes.distance(one, other)
    for at, step in enumerate(hexes.line(one, other), 1):
        q, r = q1 + Fraction((q2 - q1) * at, parts), r1 + Fraction((r2 - r1) * at, parts)
        near = [(int(q) + a, int(r) + b) for a in range(-2, 3) for b in range(-2, 3)]
        least = min(_squared(x - q, y - r) for x, y in near)
        assert {hexes.axial(spot) for spot in step} == {(x, y) for x, y in near if _squared(x - q, y - r) == least}


def test_a_line_straight_between_two_columns_has_both_hexes() -> None:
    assert [set(step) for step in hexes.line((1, 1), (3, 1))] == [{(2, 1), (2, 0)}]
    assert [set(step) for step in hexes.line((1, 2), (3, 3))] == [{(2, 2)}]


@given(spots, facings, spots)
def test_a_bearing_agrees_with_the_angle_on_paper(at: tuple[int, int], facing: int, other: tuple[int, int]) -> None:
    if at == other:
        return
    (x, y), (a, b) = hexes.centre(at), hexes.centre(other)
    compass = degrees(atan2(a - x, y - b)) - 60 * facing
    off = abs((compass + 180) % 360 - 180)
    bearing = hexes.off_front(at, facing, other)
    assert bearing.degrees == pytest.approx(off, abs=1e-6)
    for limit in (30, 60, 90, 120, 150):
        expected = 0 if abs(off - limit) < 1e-6 else -1 if off < limit else 1
        assert bearing.against(limit) == expected


@pytest.mark.parametrize(
    ("other", "limit", "stands"),
    [
        ((5, 5), 90, 0),  # due east, exactly abeam of one who faces north
        ((4, 4), 60, 0),  # the middle of the north-eastern hexside
        ((4, 5), 90, 1),
        ((4, 4), 90, -1),
        ((3, 4), 0, 0),
        ((3, 6), 180, 0),
        ((4, 6), 150, 0),  # on the border of the rear arc
    ],
)
def test_what_lies_on_the_border_of_an_arc_is_neither_inside_nor_beyond(other: tuple[int, int], limit: int, stands: int) -> None:
    assert hexes.off_front((3, 5), 0, other).against(limit) == stands


def test_a_facing_that_is_no_hexside_is_refused() -> None:
    with pytest.raises(UserError, match="0 \\(north\\) to 5"):
        hexes.off_front((1, 1), 6, (2, 2))


@given(spots, facings)
def test_one_turns_towards_a_neighbour_by_facing_it(spot: tuple[int, int], facing: int) -> None:
    assert hexes.towards(spot, hexes.neighbour(spot, facing)) == facing


@given(spots, st.lists(spots))
def test_distances_to_several_hexes_are_those_to_each(one: hexes.Hex, others: list[hexes.Hex]) -> None:
    assert hexes.distances(one, others) == [hexes.distance(one, other) for other in others]
