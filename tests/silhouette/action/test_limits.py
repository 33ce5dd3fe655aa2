"""Gaps, footing, days of an illness, and the sums behind a roll, at their limits (book lines 535, 590-606, 2070-2110, 6330-6350)."""

import pytest
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.play import script
from rulewright.systems.silhouette.action.chase import choose_change
from rulewright.systems.silhouette.action.gravity import footing, footing_in
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.hazards.disease import CAUGHT, Ill, _days_with, one_day
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, sum_of
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()


def summed(dice, modifier, total, fumble=False, showed=None):
    pool = Pool(dice).plus(Mod("situation", modifier)) if modifier else Pool(dice)
    came = Total(total, fumble)
    reason = sum_of("attack", pool, came if showed is None else came.showing(showed))
    assert reason.value == total
    return [(each.label, each.value) for each in reason.terms]


@pytest.mark.parametrize(
    ("dice", "modifier", "total", "fumble", "showed", "terms"),
    [
        (2, 0, 5, False, 5, [("dice", 5)]),
        (2, 1, 6, False, 5, [("dice", 5), ("situation", 1)]),
        (2, -3, 2, False, 5, [("dice", 5), ("situation", -3)]),
        (2, -5, 0, False, 5, [("dice", 5), ("situation", -5)]),
        (2, -6, 0, False, 5, [("dice", 5), ("situation", -6), ("never less than", 0)]),
        (2, 2, 3, True, 1, [("fumble", 1), ("situation", 2)]),
        (0, 2, 1, True, 1, [("fumble, no modifiers", 1)]),
        (0, 2, 0, True, 1, [("fumble, no modifiers", 0)]),
        (0, 2, 1, False, 1, [("fumble, no modifiers", 1)]),
        (0, 2, 5, False, 3, [("dice", 3), ("situation", 2)]),
        (1, 2, 3, False, 1, [("dice", 1), ("situation", 2)]),
        (2, 1, 8, False, 5, [("dice", 5), ("situation", 1), ("luck and Genre Points", 2)]),
    ],
)
def test_a_total_is_the_dice_and_all_that_is_added_to_them(dice, modifier, total, fumble, showed, terms):
    found = summed(dice, modifier, total, fumble, showed)
    assert [value for _, value in found] == [value for _, value in terms]
    assert [label for label, _ in found if "dice" in label or "fumble" in label or "luck" in label] == [
        label for label, _ in terms if "dice" in label or "fumble" in label or "luck" in label
    ]


@pytest.mark.parametrize(("margin", "who"), [(1, "Prey"), (-1, "Hunter"), (0, None)])
def test_whoever_made_more_metres_says_what_becomes_of_the_gap(margin, who):
    if who is None:
        assert script(choose_change("Prey", "Hunter", margin)).outcome == "leave"
        return
    request = next(choose_change("Prey", "Hunter", margin))
    assert request.who == who
    assert "by 1 m" in request.ask_for


@pytest.mark.parametrize(("gravity", "counts"), [(1, False), (0, False), (0.5, True), (2, True)])
def test_footing_costs_where_gravity_is_neither_usual_nor_none(gravity, counts):
    assert bool(footing_in(RULES, gravity, moving=True).value) is counts
    if counts:
        assert footing_in(RULES, gravity, moving=True).value == footing(gravity).value


# --- illnesses (lines 6330-6350) ---------------------------------------------------------------------------------------------------

BREWING = replace(CAUGHT, days_left=3)
ABED = replace(CAUGHT, days_left=0, virulence=0, fever=0, in_bed=2, penalty=-2)


def test_an_illness_incubates_day_by_day():
    _, later = script(one_day(RULES, AVERAGE, BREWING)).outcome
    assert later == replace(BREWING, days_left=2)


def test_whoever_lies_in_bed_gets_up_and_then_mends_by_a_point_a_day():
    infection, seen = ABED, []
    for _ in range(5):
        _, infection = script(one_day(RULES, AVERAGE, infection)).outcome
        seen.append((infection.in_bed, infection.penalty))
    assert seen == [(1, -2), (0, -2), (0, -1), (0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("days", "in_bed", "penalty", "over"),
    [(0, True, -2, False), (1, True, -2, False), (2, False, -2, False), (3, False, -1, False), (4, False, 0, True), (9, False, 0, True)],
)
def test_so_many_days_later_somebody_is_as_well_as_that(days, in_bed, penalty, over):
    assert script(_days_with(RULES, AVERAGE, ABED, days, "proper")).outcome == Ill(True, False, penalty, in_bed, over)
