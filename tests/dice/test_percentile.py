import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from rulewright.dice import BandedPercentile, Percentile, count_every_roll
from rulewright.errors import UserError


def test_a_percentile_is_uniform_from_one_to_a_hundred():
    assert Percentile().weights() == dict.fromkeys(range(1, 101), 1) == count_every_roll(Percentile())
    assert Percentile().read((100,)) == 100
    assert str(Percentile()) == "1d100"
    assert Percentile().explain((37,)) == (("d100", 37),)


@given(limits=lists(integers(-30, 150), min_size=1, max_size=8))
def test_banded_percentile_weights_are_what_counting_gives(limits):
    reading = BandedPercentile(tuple((limit, i % 3) for i, limit in enumerate(sorted(limits))))
    assert reading.weights() == count_every_roll(reading)
    assert sum(reading.weights().values()) == 100


def test_a_roll_of_the_limit_itself_is_within_the_band():
    reading = BandedPercentile(((10, "great"), (60, "good"), (100, "bad")))
    assert [reading.read((face,)) for face in (1, 10, 11, 60, 61, 100)] == ["great", "great", "good", "good", "bad", "bad"]
    assert reading.weights() == {"great": 10, "good": 50, "bad": 40}


def test_the_last_band_catches_all_that_is_left():
    assert BandedPercentile(((10, True), (20, False))).weights() == {True: 10, False: 90}
    assert BandedPercentile(((10, True), (20, False))).read((99,)) is False


def test_a_chance_below_one_never_comes_and_one_of_a_hundred_always():
    assert BandedPercentile(((-5, True), (100, False))).weights() == {False: 100}
    assert BandedPercentile(((130, True), (130, False))).weights() == {True: 100}


def test_a_banded_percentile_explains_the_number_rolled():
    assert BandedPercentile(((10, 1), (100, 2))).explain((37,)) == (("d100", 37),)


def test_limits_that_fall_are_refused():
    with pytest.raises(UserError, match="20 comes after 30"):
        BandedPercentile(((30, "a"), (20, "b")))


def test_no_bands_are_refused():
    with pytest.raises(UserError, match="at least one band"):
        BandedPercentile(())
