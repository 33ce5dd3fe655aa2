import icepool
import pytest
from hypothesis import given
from hypothesis.strategies import integers

from rulewright.dice import HighestDie, Total, Unskilled, count_every_roll
from rulewright.errors import UserError

modifiers = integers(-9, 9)


@given(dice=integers(1, 5), modifier=modifiers, die=integers(2, 8))
def test_highest_die_weights_are_what_counting_gives(dice, modifier, die):
    reading = HighestDie(dice, modifier, die)
    if die**dice <= 10_000:
        assert reading.weights() == count_every_roll(reading)


@given(extra=integers(0, 3), modifier=modifiers, die=integers(2, 8))
def test_unskilled_weights_are_what_counting_gives(extra, modifier, die):
    reading = Unskilled(extra, modifier, die)
    if die ** (2 + extra) <= 10_000:
        assert reading.weights() == count_every_roll(reading)


@given(dice=integers(1, 100), modifier=modifiers, die=integers(2, 100))
def test_the_weights_of_a_pool_add_up_to_all_its_rolls(dice, modifier, die):
    assert sum(HighestDie(dice, modifier, die).weights().values()) == die**dice
    extra = max(0, dice - 2)
    assert sum(Unskilled(extra, modifier, die).weights().values()) == die ** (2 + extra)


@pytest.mark.parametrize("die", [6, 8, 10])
@pytest.mark.parametrize("dice", [1, 7, 12])
def test_highest_die_weights_are_icepools(dice, die):
    best = icepool.d(die).pool(dice).highest_outcome_and_count()
    peer = best.map(lambda face, count: (face + count - 1 if face == die else face, face == 1))
    assert {(result.total, result.fumble): rolls for result, rolls in HighestDie(dice, 0, die).weights().items()} == dict(peer)


def test_unskilled_weights_with_many_extra_dice_are_icepools():
    extra = 9
    pair = icepool.lowest(icepool.d6, icepool.d6)
    best = icepool.Pool([pair, *[icepool.d6] * extra]).highest_outcome_and_count()
    peer = best.map(lambda face, count: (1, True) if face == 1 else (max(0, face - 3 + (count - 1 if face == 6 else 0)), False))
    assert {(result.total, result.fumble): rolls for result, rolls in Unskilled(extra, -3).weights().items()} == dict(peer)


def test_the_highest_face_counts():
    assert HighestDie(3).read((2, 5, 4)) == Total(5)


def test_every_six_beyond_the_first_adds_one():
    assert HighestDie(1).read((6,)) == Total(6)
    assert HighestDie(4).read((6, 6, 1, 6)) == Total(8)


def test_two_fives_add_nothing():
    assert HighestDie(2).read((5, 5)) == Total(5)


def test_with_larger_dice_the_top_face_is_what_adds():
    assert HighestDie(3, die=8).read((6, 6, 3)) == Total(6)
    assert HighestDie(3, die=8).read((8, 8, 3)) == Total(9)


def test_all_ones_is_a_fumble_of_one_and_the_modifier_applies():
    assert HighestDie(3, 2).read((1, 1, 1)) == Total(3, fumble=True)
    assert HighestDie(3, -2).read((1, 1, 1)) == Total(0, fumble=True)
    assert HighestDie(1).read((1,)) == Total(1, fumble=True)


def test_a_total_is_never_below_zero():
    assert HighestDie(2, -5).read((3, 2)) == Total(0)


def test_the_lower_of_two_unskilled_dice_counts_with_the_modifier():
    assert Unskilled().read((3, 5)) == Total(3)
    assert Unskilled(modifier=-1).read((4, 2)) == Total(1)
    assert Unskilled(modifier=-5).read((4, 2)) == Total(0)


def test_a_one_on_either_unskilled_die_is_a_fumble_of_exactly_one():
    assert Unskilled(modifier=4).read((1, 6)) == Total(1, fumble=True)
    assert Unskilled(modifier=-4).read((6, 1)) == Total(1, fumble=True)


def test_two_unskilled_sixes_add_nothing():
    assert Unskilled().read((6, 6)) == Total(6)


def test_extra_dice_join_the_lower_unskilled_die_in_one_pool():
    assert Unskilled(1).read((2, 5, 4)) == Total(4)
    assert Unskilled(1).read((6, 6, 6)) == Total(7)
    assert Unskilled(2).read((3, 6, 6, 6)) == Total(7)


def test_extra_dice_save_a_fumbled_pair_unless_all_are_ones():
    assert Unskilled(2, 3).read((1, 6, 1, 2)) == Total(5)
    assert Unskilled(2, 3).read((1, 6, 1, 1)) == Total(1, fumble=True)
    assert Unskilled(1, 3).read((2, 6, 1)) == Total(5)


def test_kept_are_the_highest_die_or_all_sixes():
    assert HighestDie(4).kept((2, 5, 5, 1)) == (1,)
    assert HighestDie(4).kept((6, 5, 6, 1)) == (0, 2)


def test_all_dice_make_a_fumble():
    assert HighestDie(2).kept((1, 1)) == (0, 1)


def test_kept_of_an_unskilled_roll_is_the_lower_die_unless_an_extra_one_beats_it():
    assert Unskilled().kept((5, 3)) == (1,)
    assert Unskilled().kept((3, 3)) == (0,)
    assert Unskilled(2).kept((5, 3, 4, 2)) == (2,)
    assert Unskilled(2).kept((6, 6, 6, 2)) == (0, 2)
    assert Unskilled(1).kept((4, 1, 1)) == (1, 2)


def test_a_pool_explains_its_highest_die_and_its_extra_sixes():
    assert HighestDie(3, 2).explain((6, 6, 1)) == (("highest of 3", 6), ("extra sixes", 1))
    assert HighestDie(3, 2).explain((4, 6, 1)) == (("highest of 3", 6),)
    assert HighestDie(3, 2).explain((4, 2, 1)) == (("highest of 3", 4),)
    assert HighestDie(2, die=8).explain((8, 8)) == (("highest of 2", 8), ("extra 8s", 1))
    assert HighestDie(2, 2).explain((1, 1)) == (("fumble", 1),)


def test_an_unskilled_roll_explains_itself():
    assert Unskilled().explain((6, 4)) == (("lower of 2", 4),)
    assert Unskilled().explain((6, 1)) == (("fumble", 1),)
    assert Unskilled(2).explain((6, 6, 6, 1)) == (("highest of the lower of 2 and 2 extra", 6), ("extra sixes", 1))


@given(dice=integers(1, 4), extra=integers(0, 3), modifier=integers(0, 5))
def test_what_a_pool_explains_adds_up_to_its_total_without_the_modifier(dice, extra, modifier):
    pool = HighestDie(dice, modifier)
    for faces in [(1,) * dice, (6,) * dice, tuple(range(1, dice + 1))]:
        assert sum(value for _, value in pool.explain(faces)) + modifier == pool.read(faces).total
    unskilled = Unskilled(extra, modifier)
    for faces in [(6,) * (2 + extra), (2, 4, *[6] * extra)]:
        assert sum(value for _, value in unskilled.explain(faces)) + modifier == unskilled.read(faces).total


def test_totals_order_by_total():
    assert sorted([Total(3), Total(1, fumble=True), Total(0)]) == [Total(0), Total(1, fumble=True), Total(3)]


def test_a_pool_is_written_as_people_write_it():
    assert str(HighestDie(3, 2)) == "3d6"
    assert str(Unskilled(1, die=8)) == "3d8"


@pytest.mark.parametrize("dice", [-1, 0, 101])
def test_a_pool_takes_one_to_a_hundred_dice(dice):
    with pytest.raises(UserError, match="from 1 to 100"):
        HighestDie(dice)


@pytest.mark.parametrize("extra", [-1, 99])
def test_an_unskilled_roll_takes_up_to_ninety_eight_extra_dice(extra):
    with pytest.raises(UserError, match="from 0 to 98"):
        Unskilled(extra)


@pytest.mark.parametrize("reading", [HighestDie, Unskilled])
@pytest.mark.parametrize("modifier", [-10_001, 10_001])
def test_a_pool_takes_modifiers_up_to_ten_thousand(reading, modifier):
    with pytest.raises(UserError, match="from -10000 to 10000"):
        reading(1, modifier)


@pytest.mark.parametrize("reading", [HighestDie, Unskilled])
@pytest.mark.parametrize("die", [1, 101])
def test_a_pool_takes_dice_of_two_to_a_hundred_sides(reading, die):
    with pytest.raises(UserError, match="from 2 to 100"):
        reading(1, 0, die)
