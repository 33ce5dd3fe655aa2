"""Counter dice that spoil as many sets as they can: what reaches, how many are needed, where the rest goes (book lines 451-486)."""

from itertools import product

import pytest

from rulewright.systems.ore.resolution.contests import gobble
from rulewright.systems.ore.resolution.tests import Outcome
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
SET_FOR_A_SET = BOOK.ruleset(settings={"set-for-a-set": True})


def left(sets, counters, rules=RULES):
    """The Width that is left of each set; 0 where it is spoiled."""
    return [outcome.width for outcome in gobble(rules, sets, counters)]


@pytest.mark.parametrize(("height", "width"), [(6, 2), (7, 0), (8, 0)])
def test_a_counter_die_reaches_its_own_height_and_lower_ones(height, width):
    assert left(((2, 7),), (height,)) == [width]


@pytest.mark.parametrize(("dice", "width"), [(0, 4), (1, 3), (2, 2), (3, 0), (4, 0)])
def test_a_set_is_spoiled_when_a_single_die_is_left_of_it(dice, width):
    assert left(((4, 5),), (5,) * dice) == [width]


@pytest.mark.parametrize(("dice", "width"), [(0, 3), (1, 2), (2, 1), (3, 0)])
def test_where_a_set_goes_for_a_set_a_single_die_still_works(dice, width):
    assert left(((3, 5),), (5,) * dice, SET_FOR_A_SET) == [width]


def test_the_cheapest_sets_are_spoiled_first_and_by_the_lowest_dice_that_reach():
    assert left(((3, 5), (2, 5)), (5,)) == [3, 0]
    assert left(((2, 8), (2, 4)), (9, 5)) == [0, 0]  # the 5 is enough for the fours
    assert left(((2, 8), (2, 4)), (9,)) == [2, 0]


def test_what_is_left_narrows_the_widest_set_that_it_reaches():
    assert left(((3, 5), (4, 5)), (5,)) == [3, 3]
    assert left(((4, 9), (3, 5)), (5,)) == [4, 2]
    assert left(((4, 9), (3, 6)), (5,)) == [4, 3]
    assert left(((2, 4), (4, 6)), (7, 7)) == [0, 3]


def test_no_plan_spoils_more_sets():
    for sets in product(product((2, 3), (4, 7)), repeat=2):
        for counters in product((4, 7), repeat=3):
            plans = product((-1, 0, 1), repeat=3)
            allowed = [plan for plan in plans if all(at < 0 or sets[at][1] <= die for at, die in zip(plan, counters, strict=True))]
            best = max(gobble(RULES, sets, counters, plan).count(Outcome()) for plan in allowed)
            assert gobble(RULES, sets, counters).count(Outcome()) == best
