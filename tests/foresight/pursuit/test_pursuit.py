"""The rules of a pursuit: driving rolls, maneuvers, and what they do to the gap (book lines 3415-3471)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis.strategies import booleans, builds, integers, sampled_from
from msgspec.structs import replace

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.foresight.pursuit.craft import A_CAR, craft_of
from rulewright.systems.foresight.pursuit.rules import (
    Gap,
    after_answer,
    after_bids,
    after_climb,
    after_quick_turn,
    after_reverse,
    end_of_turn,
    force,
    keep_sight,
    maneuver,
    operate,
    ratings,
    uncontrolled,
)
from rulewright.systems.foresight.resolution.tests import RATINGS, Task

TEN = Task(10, 5)
ROLLS = {1: 5, 2: 10, 3: 25, 4: 50, 7: 51, 10: 60}


def car(**more):
    return replace(A_CAR, **more)


# --- driving ------------------------------------------------------------------------------------------------------------------


def test_the_book_s_two_cars():  # 3446: 50 m apart, bids of -1 and 0: 100 m
    assert after_bids(RULES, Gap(2), quarry=-1, pursuer=0) == Gap(3)
    assert after_bids(RULES, Gap(2), quarry=0, pursuer=0) == Gap(2)
    assert after_bids(RULES, Gap(2), quarry=0, pursuer=-1) == Gap(1)
    assert after_bids(RULES, Gap(0), quarry=0, pursuer=-1) == Gap(0)
    assert after_bids(under(bid_difference="one step"), Gap(2), quarry=-3, pursuer=0) == Gap(3)


def test_which_ratings_a_maneuver_counts():  # 3458-3471
    jeep = car(acc=-1, man=2, size=1)
    found = {kind: ratings(RULES, kind, jeep).value for kind in ("operate", "quick turn", "reverse", "climb", "dive")}
    assert found == {"operate": -1, "quick turn": 2, "reverse": 1, "climb": 1, "dive": 1}
    assert ratings(RULES, "trick", jeep).value == 1
    assert ratings(RULES, "trick", jeep, sized=True).value == 0


def test_forcing_compares_size_half_the_damage_scale_and_acceleration():  # 3465
    truck, small = car(size=2, ds=7, acc=-1), car(size=0, ds=3, acc=0)
    assert ratings(RULES, "force", truck, small).value == 3  # (2 + 3.5 - 1) - (0 + 1.5 + 0)
    assert ratings(RULES, "force", small, truck).value == -3
    assert ratings(RULES, "force", car(ds=4), car(ds=3)).value == 1  # a half goes up


@pytest.mark.parametrize(
    ("bid", "rolls", "level"),
    [
        (-1, [(50,)], 0),  # Safe -1: no safety roll; at -1 and Acc +1 the chance is 50
        (-1, [(51,), (50,)], 1),  # failed: a safety roll at -1 - -1 = 0
        (0, [(61,), (31,)], 1),  # failed: the safety roll is at +1, 60 percent, and 31 is QR4
        (-2, [(40,), (20,)], 0),  # too fast: a safety roll at -1 though the driving went well
        (-2, [(41,), (40,), (40,)], 2),  # both: two safety rolls
        (-2, [(41,), (41,), (39,)], 5),  # the first stops the car, and the second is made all the same
    ],
)
def test_operating_a_vehicle(bid, rolls, level):  # 3460-3463
    assert script(operate(RULES, car(acc=1), TEN, bid), rolls).outcome.level == level


def test_a_vehicle_out_of_control():  # 3456, ruling
    assert script(uncontrolled(RULES, A_CAR, TEN, -1), [(50,)]).outcome.level == 1
    assert script(uncontrolled(RULES, A_CAR, None, -1), []).outcome.level == 4
    assert script(uncontrolled(under(uncontrolled_vehicle="crash"), A_CAR, TEN, -1), []).outcome.level == 4


def test_forcing():  # 3465
    truck = car(name="truck", size=2)
    # 2 more bulk and a bid of -1: 60 percent; the target rolls for safety at -1 - -1 = 0
    hit = script(force(RULES, truck, TEN, -1, A_CAR, TEN, -1), [(60,), (50,)]).outcome
    assert (hit.qr, hit.level, hit.target_level) == (4, 0, 1)
    missed = script(force(RULES, truck, TEN, -1, A_CAR, TEN, -1), [(61,), (51,)]).outcome
    assert (missed.qr, missed.level, missed.target_level) == (7, 4, 0)
    nobody = script(force(RULES, truck, TEN, -1, A_CAR, None, -1), [(60,)]).outcome
    assert nobody.target_level == 4
    for gap in (Gap(1), Gap(0, height=1)):
        with pytest.raises(UserError, match="side by side"):
            script(force(RULES, truck, TEN, gap=gap), [])


def test_a_failed_maneuver_calls_for_a_safety_roll():  # 3475
    nimble = car(man=2)
    assert script(maneuver(RULES, "quick turn", nimble, TEN, -1), [(60,)]).outcome.qr == 4  # +2 -1: 60 percent
    failed = script(maneuver(RULES, "quick turn", nimble, TEN, -1), [(61,), (50,)]).outcome
    assert (failed.success, failed.level) == (False, 1)
    assert script(maneuver(RULES, "trick", nimble, TEN, -1, modifier=-2), [(40,)]).outcome.success
    with pytest.raises(UserError, match="rule of its own"):
        script(maneuver(RULES, "force", nimble), [])


def test_only_what_has_a_ceiling_climbs_and_dives():  # 3471
    with pytest.raises(UserError, match="no ceiling"):
        script(maneuver(RULES, "climb", A_CAR), [])
    plane = craft_of(RULES, "the plane", "Air Car")  # Acc +1, Man +2
    assert script(maneuver(RULES, "dive", plane, TEN, -2), [(60,)]).outcome.success
    assert craft_of(RULES, "the sub", "Minisub (TL7)").climbs


def test_the_odds_of_operating_against_brute_force():
    """Every driving roll and every pair of safety rolls of a car driven a step too fast."""

    def rating(roll, chance):
        if roll <= chance:
            return next(qr for qr, share in ((1, 10), (2, 5), (3, 2), (4, 1)) if roll <= chance // share)
        return 10 if roll % 10 == 0 else 7

    adds = {1: 0, 2: 0, 3: 0, 4: 1, 7: 4, 10: 8}
    brute: dict[int, Fraction] = {}
    safety = [adds[rating(roll, 40)] for roll in range(1, 101)]
    for roll in range(1, 101):
        driven = rating(roll, 30) <= 4
        for first in safety:
            if driven:
                brute[first] = brute.get(first, Fraction(0)) + Fraction(1, 10_000)
                continue
            for second in safety:
                brute[first + second] = brute.get(first + second, Fraction(0)) + Fraction(1, 1_000_000)
    odds = exact(sub(operate, RULES, A_CAR, TEN, -2)).map(lambda craft: craft.level)
    assert {level: odds[level] for level in brute} == brute


# --- the gap ------------------------------------------------------------------------------------------------------------------


def test_a_reverse_opens_three_steps_a_turn_until_it_is_followed():  # 3468
    gap = after_reverse(RULES, Gap(3), 4)
    assert (gap.range, gap.wrong_way, gap.owes) == (0, True, 2)
    first = end_of_turn(RULES, gap)
    assert (first.range, end_of_turn(RULES, first).range, end_of_turn(RULES, end_of_turn(RULES, first)).lost) == (3, 6, True)
    assert after_answer(RULES, first, "reverse", 4) == Gap(3)
    half = after_answer(RULES, first, "quick turn", 3)
    assert (half.wrong_way, half.owes) == (True, 1)
    assert after_answer(RULES, half, "quick turn", 3) == Gap(3)
    assert after_answer(RULES, first, "reverse", 7) == first


@pytest.mark.parametrize(("before", "after"), [(5, 1), (2, 1), (1, 0), (0, 0)])
def test_a_failed_reverse_lets_them_come_near(before, after):  # 3468
    assert after_reverse(RULES, Gap(before), 7) == Gap(after)


@pytest.mark.parametrize("number", [0, 1])
def test_a_quick_turn_under_the_nose(number):  # 3467: answer at once or reverse next turn
    gap = after_quick_turn(RULES, Gap(number), 3)
    assert gap.missed == "sudden"
    assert after_answer(RULES, gap, "quick turn", 4) == Gap(number)
    missed = end_of_turn(RULES, gap)
    assert (missed.wrong_way, missed.owes, missed.range) == (True, 2, number + 3)
    assert after_answer(RULES, missed, "reverse", 4) == Gap(number + 3)
    slower = end_of_turn(under(wrong_way_steps=1), gap)
    assert slower.range == number + 1


@pytest.mark.parametrize("number", [2, 3])
def test_a_quick_turn_further_ahead(number):  # 3467: a quick turn next turn, or a shorter path
    gap = after_quick_turn(RULES, Gap(number), 3)
    assert gap.missed == "ahead"
    due = end_of_turn(RULES, gap)
    assert (due.missed, due.range) == ("due", number)
    assert after_answer(RULES, due, "quick turn", 4) == Gap(number)
    assert end_of_turn(RULES, due).wrong_way
    assert after_quick_turn(RULES, Gap(number), 3, shortcut=True) == Gap(number)


def test_a_quick_turn_far_away_has_to_be_seen():  # 3467
    assert after_quick_turn(RULES, Gap(4), 3) == Gap(4)
    seen = {qr: script(keep_sight(RULES, Gap(4), 3, TEN), [(ROLLS[qr],)]).outcome.sight for qr in RATINGS}
    assert seen == {1: True, 2: True, 3: True, 4: False, 7: False, 10: False}
    assert script(keep_sight(RULES, Gap(3), 3, TEN), []).outcome == Gap(3)
    assert script(keep_sight(RULES, Gap(4), 7, TEN), []).outcome == Gap(4)
    assert Gap(4, sight=False).lost


def test_a_failed_quick_turn_changes_nothing():
    assert after_quick_turn(RULES, Gap(1), 7) == Gap(1)
    assert after_answer(RULES, Gap(1), "quick turn", 1) == Gap(1)


@pytest.mark.parametrize(
    ("kind", "quarry", "range_", "height"),
    [("climb", True, 2, 1), ("dive", True, 4, -1), ("climb", False, 4, -1), ("dive", False, 2, 1)],
)
def test_climbing_loses_distance_and_diving_gains_it(kind, quarry, range_, height):  # 3471
    assert after_climb(RULES, Gap(3), kind, 3, quarry) == Gap(range_, height)
    assert after_climb(RULES, Gap(3), kind, 4, quarry) == Gap(range_, height)
    assert after_climb(RULES, Gap(3), kind, 2, quarry) == Gap(range_, 2 * height)
    assert after_climb(RULES, Gap(3), kind, 7, quarry) == Gap(3)


def test_contact_is_lost_at_7_in_either_direction():  # 3429
    assert not Gap(6, height=6).lost
    assert Gap(7).lost
    assert Gap(0, height=-7).lost


def test_speed_does_not_help_those_who_go_the_wrong_way():
    gap = after_reverse(RULES, Gap(3), 4)
    assert after_bids(RULES, gap, quarry=0, pursuer=-5) == gap


GAPS = builds(
    Gap,
    range=integers(0, 6),
    height=integers(-6, 6),
    missed=sampled_from(("no", "sudden", "ahead", "due", "wrong way")),
    owes=integers(1, 2),
    steps=integers(0, 3),
)


@settings(max_examples=60)
@given(GAPS, sampled_from(RATINGS), booleans(), integers(-6, 2), integers(-6, 2))
def test_ranges_stay_on_the_scale(gap, qr, quarry, one, other):
    found = [
        after_reverse(RULES, gap, qr),
        after_quick_turn(RULES, gap, qr),
        after_climb(RULES, gap, "dive", qr, quarry),
        after_answer(RULES, gap, "reverse", qr),
        after_bids(RULES, gap, one, other),
        end_of_turn(RULES, gap),
    ]
    assert all(0 <= each.range <= 7 for each in found)
    assert after_answer(RULES, gap, "reverse", 4).missed == "no"
