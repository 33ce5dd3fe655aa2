from itertools import pairwise
from math import prod

import icepool
import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from rulewright.dice import Banded, Sum, count_every_roll, sum_of
from rulewright.errors import UserError

LOCATIONS = ((2, 3, "head"), (4, 9, "torso"), (10, 12, "leg"))


@given(sides=lists(integers(1, 9), max_size=4), modifier=integers(-20, 20))
def test_sum_weights_are_what_counting_gives(sides, modifier):
    reading = Sum(tuple(sides), modifier)
    assert reading.weights() == count_every_roll(reading)


@given(sides=lists(integers(1, 100), max_size=20))
def test_sum_weights_add_up_to_all_rolls(sides):
    assert sum(Sum(tuple(sides)).weights().values()) == prod(sides)


def test_sum_weights_of_many_dice_are_icepools():
    assert sum_of(30, 6).weights() == dict(30 @ icepool.d6)
    assert Sum((6, 10, 20, 100), -4).weights() == dict(icepool.d6 + icepool.d(10) + icepool.d(20) + icepool.d(100) - 4)


def test_no_dice_give_the_modifier_alone():
    assert sum_of(0, 6, 3).weights() == {3: 1}
    assert sum_of(0, 6, 3).read(()) == 3
    assert str(sum_of(0, 6)) == "no dice"
    assert sum_of(0, 6, 3).explain(()) == ()


def test_a_sum_adds_its_faces_and_its_modifier():
    assert sum_of(2, 6, 1).read((3, 4)) == 8
    assert sum_of(2, 6).kept((3, 4)) == (0, 1)


def test_a_sum_explains_the_dice_without_the_modifier():
    assert sum_of(2, 6, 1).explain((3, 4)) == (("2d6", 7),)
    assert Sum((6, 10)).explain((3, 4)) == (("1d6+1d10", 7),)


def test_a_sum_takes_up_to_a_hundred_dice():
    with pytest.raises(UserError, match="from 0 to 100"):
        sum_of(101, 6)
    with pytest.raises(UserError, match="from 0 to 100"):
        sum_of(-1, 6)
    with pytest.raises(UserError, match="from 0 to 100"):
        Sum((6,) * 101)


def test_a_number_of_dice_beyond_all_reason_is_refused_at_once():
    with pytest.raises(UserError, match="from 0 to 100"):
        sum_of(10**12, 6)


@pytest.mark.parametrize("die", [0, -6, 1001])
def test_a_die_of_a_sum_has_one_to_a_thousand_sides(die):
    with pytest.raises(UserError, match="from 1 to 1000"):
        sum_of(1, die)


def test_the_sides_of_all_dice_together_are_at_most_ten_thousand():
    assert len(sum_of(10, 1000).weights()) == 9991
    with pytest.raises(UserError, match="from 0 to 10000"):
        sum_of(11, 1000)


def test_a_sum_takes_modifiers_up_to_ten_thousand():
    with pytest.raises(UserError, match="from -10000 to 10000"):
        sum_of(1, 6, 10_001)


def test_a_banded_sum_reads_the_label_of_its_range():
    table = Banded(sum_of(2, 6), LOCATIONS)
    assert table.read((1, 1)) == "head"
    assert table.read((4, 5)) == "torso"
    assert table.read((4, 6)) == "leg"
    assert table.explain((4, 6)) == (("2d6", 10),)


@given(cuts=lists(integers(3, 12), unique=True, max_size=6))
def test_banded_weights_are_what_counting_gives(cuts):
    edges = [2, *sorted(cuts), 13]
    bands = tuple((low, high - 1, "even" if low % 2 == 0 else "odd") for low, high in pairwise(edges))
    table = Banded(sum_of(2, 6), bands)
    assert table.weights() == count_every_roll(table)


def test_bands_may_stand_in_any_order_and_reach_beyond_the_sums():
    assert Banded(sum_of(1, 6), ((4, 99, "high"), (-5, 3, "low"))).weights() == {"low": 3, "high": 3}


def test_bands_with_a_gap_are_refused():
    with pytest.raises(UserError, match="no band contains 4"):
        Banded(sum_of(2, 6), ((2, 3, "head"), (5, 12, "torso")))


def test_bands_that_overlap_are_refused():
    with pytest.raises(UserError, match="'head' and 'torso' overlap at 4"):
        Banded(sum_of(2, 6), ((2, 4, "head"), (4, 12, "torso")))


def test_bands_that_run_backwards_are_refused():
    with pytest.raises(UserError, match="ends before it begins"):
        Banded(sum_of(2, 6), ((12, 2, "all"),))


@pytest.mark.parametrize("bands", [(), LOCATIONS[1:], LOCATIONS[:-1]])
def test_bands_must_hold_every_sum(bands):
    with pytest.raises(UserError, match="every sum from 2 to 12"):
        Banded(sum_of(2, 6), bands)
    with pytest.raises(UserError, match="every sum from 3 to 13"):
        Banded(sum_of(2, 6, 1), LOCATIONS)
