"""One roll for several attacks: read against every roll, with Special Dice; and sets that are too wide."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.resolution.salvos import Joining, Several, several, thinned
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
SIX = tuple(range(1, 7))


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize(
    ("lent", "free"),
    [((0,) * 6, ()), ((0, 0, 0, 0, 0, 1), ()), ((1,) * 6, (SIX,)), ((1, 1, 1, 1, 1, 2), (SIX,)), ((0, 0, 0, 1, 1, 1), ((4, 5, 6),))],
)
@pytest.mark.parametrize("difficulty", [1, 3])
def test_weights_are_those_of_every_roll(most, lent, free, difficulty):
    reading = Several(Thrown(5, lent, difficulty), most, free)
    assert dict(reading.weights()) == count_every_roll(reading)


def test_runs_count_where_there_is_no_set():
    reading = Several(Thrown(4, (0,) * 6, 1, True), 2)
    assert reading.read((1, 2, 3, 6)) == ((1, 3),)
    assert dict(reading.weights()) == count_every_roll(reading)


def test_a_master_die_makes_the_set_that_is_missing():
    reading = several(RULES, Pool(4, 0, 1), 2)
    assert reading.read((3, 3, 8, 1)) == ((2, 8), (2, 3))
    assert several(RULES, Pool(4, 0, 1), 1).read((3, 3, 8, 1)) == ((3, 3),)
    assert reading.read((3, 3, 3, 3)) == ((3, 3), (2, 3))


def test_an_expert_die_lies_at_ten():
    assert several(RULES, Pool(3, 1), 2).read((10, 4, 4)) == ((2, 10), (2, 4))


def test_a_nudged_die_goes_where_it_helps():
    nudged = BOOK.ruleset("action")
    assert several(nudged, Pool(3, 3), 2).read((8, 4, 4)) == ((2, 8), (2, 4))


def test_no_dice_no_reading():
    assert several(RULES, Pool(0), 3) is None
    with pytest.raises(UserError, match="number of attacks"):
        Several(Thrown(3), 9)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(2, 8), st.integers(1, 10)), max_size=4, unique_by=lambda one: one[1]), st.integers(1, 5))
def test_thinned_sets_are_no_wider_and_waste_little(sets, widest):
    found = thinned(tuple(sets), widest)
    most = max(widest, 2)
    assert all(2 <= width <= most for width, _ in found)
    for width, height in sets:
        kept = sum(part for part, face in found if face == height)
        assert kept <= width
        assert width - kept <= (1 if most == 2 else 0)


def test_dice_that_join():
    reading = Joining(((2, 5), (1, 3)), 2, 6)
    assert reading.read((5, 3)) == ((3, 5), (2, 3))
    assert reading.read((5, 5)) == ((4, 5),)
    assert reading.read((1, 2)) == ()
    assert dict(reading.weights()) == count_every_roll(reading)
    assert reading.kept((1, 5)) == (1,)
