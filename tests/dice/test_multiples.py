"""Pools with other rules for what adds one: every distribution compared with counting every roll."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.highest import HighestDie, Total, Unskilled
from rulewright.dice.multiples import CountedPool
from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError

ADDS = ("tops", "extra tops", "two tops", "paired tops", "highest", "any")


@pytest.mark.parametrize("adds", ADDS)
@pytest.mark.parametrize("die", [6, 8, 10])
@pytest.mark.parametrize(("dice", "extra"), [(1, 0), (2, 0), (3, 0), (4, 0), (1, 2), (2, 1), (0, 0), (0, 1), (0, 2)])
def test_weights_are_what_counting_gives(dice, extra, die, adds):
    reading = CountedPool(dice, extra, 1, die, adds)
    assert reading.weights() == count_every_roll(reading)


@pytest.mark.parametrize("adds", ADDS)
def test_five_dice_count_right(adds):
    reading = CountedPool(4, 1, -2, 6, adds)
    assert reading.weights() == count_every_roll(reading)


@given(dice=st.integers(1, 12), modifier=st.integers(-6, 6), die=st.sampled_from([6, 8, 10]))
@settings(max_examples=40)
def test_counting_top_faces_is_the_plain_pool(dice, modifier, die):
    assert CountedPool(dice, 0, modifier, die).weights() == HighestDie(dice, modifier, die).weights()


@given(extra=st.integers(0, 8), modifier=st.integers(-6, 6))
@settings(max_examples=30)
def test_an_unskilled_pair_of_plain_dice_is_the_plain_one(extra, modifier):
    assert CountedPool(0, extra, modifier).weights() == Unskilled(extra, modifier).weights()


@given(dice=st.integers(0, 15), extra=st.integers(0, 6), adds=st.sampled_from(ADDS), die=st.sampled_from([6, 8, 10]))
@settings(max_examples=40)
def test_weights_hold_every_roll(dice, extra, adds, die):
    reading = CountedPool(dice, extra, 0, die, adds)
    assert sum(reading.weights().values()) == die ** len(reading.sides())


@given(data=st.data(), dice=st.integers(0, 6), extra=st.integers(0, 3), adds=st.sampled_from(ADDS))
@settings(max_examples=100)
def test_what_is_explained_adds_up_and_what_is_kept_is_there(data, dice, extra, adds):
    reading = CountedPool(dice, extra, 0, 6, adds)
    faces = tuple(data.draw(st.integers(1, 6)) for _ in reading.sides())
    total = reading.read(faces)
    assert sum(value for _, value in reading.explain(faces)) == total.total
    assert reading.kept(faces)
    assert all(0 <= place < len(faces) for place in reading.kept(faces))
    assert total in reading.weights()


def test_only_extra_dice_pass_the_top_face():
    pool = CountedPool(3, 2, adds="extra tops")
    assert pool.read((6, 6, 6, 1, 1)) == Total(6)
    assert pool.read((6, 6, 2, 6, 1)) == Total(7)
    assert pool.read((5, 2, 2, 6, 6)) == Total(7)


def test_two_top_faces_add_together_or_each_for_itself():
    assert CountedPool(3, adds="two tops").read((5, 5, 6)) == Total(8)
    assert CountedPool(3, adds="paired tops").read((5, 5, 6)) == Total(7)
    assert CountedPool(3, adds="two tops").read((4, 5, 5)) == Total(6)
    assert CountedPool(2, adds="two tops").read((5, 6)) == Total(7)
    assert CountedPool(2, adds="paired tops").read((5, 6)) == Total(6)


def test_equal_dice_of_any_value_may_beat_the_highest():
    assert CountedPool(4, adds="any").read((5, 5, 5, 2)) == Total(7)
    assert CountedPool(4, adds="any").read((2, 2, 2, 6)) == Total(6)
    assert CountedPool(4, adds="any").read((1, 1, 1, 1)) == Total(1, fumble=True)
    assert CountedPool(4, adds="any").kept((5, 5, 5, 2)) == (0, 1, 2)


def test_too_many_dice_are_refused():
    with pytest.raises(UserError, match="40"):
        CountedPool(41)
