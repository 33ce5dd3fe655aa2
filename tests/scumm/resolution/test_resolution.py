"""Dice and tests (book lines 297-346)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from rulewright.dice import HighestDie, Total, Unskilled, count_every_roll, weights_of
from rulewright.errors import UserError
from rulewright.play import Seeded, play, replay, script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.scumm.resolution.tests import (
    DIFFICULTIES,
    MOST_TESTS,
    Contest,
    Mod,
    Opposed,
    Pool,
    Progress,
    accumulate,
    action_test,
    attribute_pool,
    contest,
    fumbles,
    health_pool,
    highest,
    most_emergency_dice,
    opposed_test,
    passes,
    reading,
    skill_pool,
    take_average,
    take_high,
    unskilled,
)
from rulewright.systems.scumm.resolution.tests import Test as Outcome
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


# --- the die roll (lines 297-299) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "modifier", "total"),
    [((4,), 0, 4), ((2, 5, 3), 0, 5), ((6, 2), 0, 6), ((6, 6), 0, 7), ((6, 6, 6), 0, 8), ((2, 5), 3, 8), ((2, 3), -5, 0), ((6, 6), -1, 6)],
)
def test_the_highest_die_counts_and_every_further_six_adds_one_and_no_total_is_below_zero(faces, modifier, total):  # 299
    assert highest(RULES, len(faces), modifier).read(faces) == Total(total)


def test_a_roll_of_nothing_but_ones_fumbles_and_counts_one_plus_modifiers():  # 299, 307
    assert highest(RULES, 3, 4).read((1, 1, 1)) == Total(5, fumble=True)
    assert highest(RULES, 1, -2).read((1,)) == Total(0, fumble=True)


def test_a_fumble_may_still_pass_the_test():  # 307
    test = script(action_test(RULES, Pool(2, (Mod("attribute", 3),)), 3), [(1, 1)]).outcome
    assert (test.total, test.fumble, test.verdict, test.margin) == (4, True, "success", 1)


@given(dice=integers(1, 5), modifier=integers(-6, 6))
def test_the_odds_of_a_roll_are_what_counting_every_roll_gives(dice, modifier):
    found = highest(RULES, dice, modifier)
    assert dict(weights_of(found)) == count_every_roll(found)


@given(faces=lists(integers(1, 6), min_size=1, max_size=6))
def test_a_pool_fumbles_exactly_when_every_die_shows_one(faces):
    assert fumbles(RULES, tuple(faces)) == (set(faces) == {1})


@given(faces=lists(integers(1, 6), min_size=2, max_size=2))
def test_an_unskilled_pair_fumbles_on_any_one(faces):  # 338
    assert fumbles(RULES, tuple(faces), unskilled_test=True) == (1 in faces)


# --- unskilled tests and Emergency Dice (lines 282, 336-338) -------------------------------------------------------------------


@pytest.mark.parametrize(("faces", "total"), [((3, 5), 3), ((6, 6), 6), ((2, 6), 2)])
def test_of_an_unskilled_pair_the_lower_die_counts_and_two_sixes_earn_nothing_more(faces, total):
    assert unskilled(RULES).read(faces) == Total(total)
    assert unskilled(RULES, 2).read(faces) == Total(total + 2)


@pytest.mark.parametrize("faces", [(1, 6), (4, 1), (1, 1)])
def test_an_unskilled_fumble_is_one_without_modifiers(faces):
    assert unskilled(RULES, 5).read(faces) == Total(1, fumble=True)
    assert unskilled(RULES, -5).read(faces) == Total(1, fumble=True)


@pytest.mark.parametrize("dice", [0, -1, -7])
def test_zero_dice_or_fewer_are_rolled_unskilled(dice):
    assert reading(RULES, Pool(dice, (Mod("situation", 1),))) == Unskilled(0, 1)


def test_emergency_dice_are_added_to_the_dice_already_there():  # 282
    assert reading(RULES, Pool(2, emergency=3)) == HighestDie(5)


def test_at_most_five_emergency_dice_are_spent_on_one_roll():  # 282
    assert most_emergency_dice(RULES) == 5
    assert reading(RULES, Pool(1, emergency=5)) == HighestDie(6)
    for number in (6, -1):
        with pytest.raises(UserError, match="from 0 to 5 Emergency Dice"):
            reading(RULES, Pool(1, emergency=number))


def test_a_campaign_can_allow_more_emergency_dice_on_a_roll():
    generous = BOOK.ruleset(house=House(tables={"scumm-emergency-dice": {"most per roll": {"value": 8}}}))
    assert reading(generous, Pool(1, emergency=8)) == HighestDie(9)


@pytest.mark.parametrize(
    ("faces", "result"),
    [
        ((3, 5, 4), Total(4)),  # the lower of the pair is 3, the Emergency Die has 4
        ((6, 6, 6), Total(7)),  # the lower die is a six too
        ((6, 2, 6), Total(6)),
        ((1, 5, 1), Total(1, fumble=True)),
        ((1, 5, 2), Total(2)),
    ],
)
def test_emergency_dice_join_the_lower_die_of_an_unskilled_pair(faces, result):  # ruling on 282, 336-338
    assert reading(RULES, Pool(0, emergency=1)).read(faces) == result


def test_a_campaign_can_bar_emergency_dice_from_unskilled_tests():
    strict = under(unskilled_emergency_dice="none")
    assert reading(strict, Pool(0)) == Unskilled()
    with pytest.raises(UserError, match="unskilled-emergency-dice"):
        reading(strict, Pool(0, emergency=1))


@given(emergency=integers(0, 3), modifier=integers(-4, 4))
def test_unskilled_odds_with_emergency_dice_are_what_counting_gives(emergency, modifier):
    found = reading(RULES, Pool(0, (Mod("m", modifier),), emergency))
    assert dict(weights_of(found)) == count_every_roll(found)


# --- taking a result (lines 301-303) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(1, 8))
def test_taking_average_is_two_plus_the_level_and_taking_high_four_plus_the_level(level):
    assert take_average(level).value == 2 + level
    assert take_high(level).value == 4 + level
    assert take_average(level, 2).value == 4 + level
    assert take_high(level, -20).value == 0


def test_a_routine_task_succeeds_without_a_roll_for_somebody_of_level_one():  # 301
    assert passes(RULES, take_average(1).value, DIFFICULTIES(RULES)["routine"].threshold)


def test_a_taken_result_says_what_it_is_made_of():
    assert [(term.label, term.value) for term in take_high(3, 1).reasons] == [("base", 4), ("skill level", 3), ("modifiers", 1)]


@pytest.mark.parametrize("take", [take_average, take_high])
def test_nothing_can_be_taken_on_an_unskilled_test(take):
    with pytest.raises(UserError, match="at least 1"):
        take(0)


# --- Thresholds and margins (lines 309-326) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "threshold"),
    [
        ("routine", 2),
        ("easy", 3),
        ("moderate", 4),
        ("challenging", 5),
        ("difficult", 6),
        ("very difficult", 8),
        ("extremely difficult", 10),
        ("near impossible", 12),
        ("divine intervention", 14),
    ],
)
def test_every_difficulty_has_its_threshold(name, threshold):  # 313-322
    assert DIFFICULTIES(RULES)[name].threshold == threshold


def test_there_are_nine_difficulties():
    assert len(DIFFICULTIES(RULES)) == 9


@pytest.mark.parametrize(("total", "margin", "verdict"), [(6, 1, "success"), (11, 6, "success"), (5, 0, "draw"), (4, -1, "failure")])
def test_the_margin_is_the_distance_to_the_threshold(total, margin, verdict):  # 324-326
    test = Outcome(total, 5)
    assert (test.margin, test.verdict) == (margin, verdict)


def test_a_draw_passes_unless_the_campaign_says_otherwise():  # 326, ruling
    assert passes(RULES, 5, 5)
    assert not passes(under(draws_pass=False), 5, 5)
    assert passes(under(draws_pass=False), 6, 5)
    assert not passes(RULES, 4, 5)


@given(dice=integers(-1, 4), modifier=integers(-3, 3), threshold=integers(0, 12))
def test_exact_odds_of_a_test_are_what_brute_force_counts(dice, modifier, threshold):
    pool = Pool(dice, (Mod("m", modifier),))
    read = reading(RULES, pool)
    counted = Counter()
    for faces in product(range(1, 7), repeat=len(read.sides())):
        total = read.read(faces)
        counted[Outcome(total.total, threshold, total.fumble)] += 1
    odds = exact(sub(action_test, RULES, pool, threshold))
    everything = sum(counted.values())
    assert {outcome: Fraction(weight, odds.total) for outcome, weight in odds} == {
        outcome: Fraction(weight, everything) for outcome, weight in counted.items()
    }


# --- opposed tests (lines 328-330) ---------------------------------------------------------------------------------------------


def test_the_higher_roll_wins_by_the_difference_and_a_tie_is_the_resisting_sides():
    assert script(opposed_test(RULES, Pool(2), Pool(1)), [(3, 5), (2,)]).outcome.margin == 3
    tie = script(opposed_test(RULES, Pool(2), Pool(1)), [(3, 5), (5,)]).outcome
    assert (tie.margin, tie.verdict) == (0, "draw")
    assert Opposed(Total(2), Total(4)).verdict == "failure"


@given(actor=integers(1, 3), resister=integers(0, 2), modifier=integers(-2, 2))
def test_exact_odds_of_an_opposed_test_are_what_brute_force_counts(actor, resister, modifier):
    pools = Pool(actor, (Mod("m", modifier),)), Pool(resister)
    ours, theirs = (count_every_roll(reading(RULES, pool)) for pool in pools)
    counted = Counter()
    for (one, weight), (other, times) in product(ours.items(), theirs.items()):
        counted[Opposed(one, other)] += weight * times
    odds = exact(sub(opposed_test, RULES, *pools))
    everything = sum(counted.values())
    assert {outcome: Fraction(weight, odds.total) for outcome, weight in odds} == {
        outcome: Fraction(weight, everything) for outcome, weight in counted.items()
    }


def test_even_dice_draw_as_often_as_counting_says():
    odds = exact(sub(opposed_test, RULES, Pool(1), Pool(1))).map(lambda each: each.verdict)
    assert (odds["success"], odds["draw"], odds["failure"]) == (Fraction(15, 36), Fraction(6, 36), Fraction(15, 36))


THREE = (("ana", Pool(1)), ("bo", Pool(1)), ("cy", Pool(1)))


def test_among_more_than_two_the_margin_is_worked_out_between_any_two():  # 330
    outcome = script(contest(RULES, THREE), [(5,), (2,), (6,)]).outcome
    assert outcome.winner == "cy"
    assert outcome.margins() == {("ana", "bo"): 3, ("cy", "ana"): 1, ("cy", "bo"): 4}
    assert outcome.margin("bo", "cy") == -4


def test_a_tie_among_several_is_won_by_the_one_who_resists():  # 330
    drawn = ((5,), (5,), (2,))
    assert script(contest(RULES, THREE), drawn).outcome.winner is None
    assert script(contest(RULES, THREE, "bo"), drawn).outcome.winner == "bo"
    assert script(contest(RULES, THREE, "bo"), drawn).outcome.margins()[("bo", "ana")] == 0


def test_a_contest_of_two_has_the_odds_of_an_opposed_test():
    two = exact(sub(contest, RULES, (("a", Pool(2)), ("b", Pool(1))), "b")).map(lambda each: each.winner == "a")
    assert two[True] == exact(sub(opposed_test, RULES, Pool(2), Pool(1))).map(lambda each: each.margin > 0)[True]


@pytest.mark.parametrize("sides", [(), (("a", Pool(1)),), (("a", Pool(1)), ("a", Pool(2)))])
def test_a_contest_needs_two_sides_with_names_of_their_own(sides):
    with pytest.raises(UserError, match="at least two sides"):
        play(contest(RULES, sides))


def test_a_contest_knows_only_those_who_take_part():
    with pytest.raises(UserError, match="takes no part"):
        play(contest(RULES, THREE, "zoe"))
    with pytest.raises(UserError, match="takes no part"):
        Contest((("ana", Total(3)),)).total("zoe")


# --- which dice (lines 332-342) ------------------------------------------------------------------------------------------------


def test_a_skill_test_rolls_a_die_a_level_and_adds_attribute_and_situation():
    pool = skill_pool(RULES, 3, 2, "Alertness", (Mod("situation", -1),))
    assert (pool.dice, pool.modifier) == (3, 1)
    assert reading(RULES, pool) == HighestDie(3, 1)
    assert [mod.label for mod in pool.mods] == ["Alertness", "situation"]


def test_a_skill_never_learnt_is_tested_unskilled():
    assert reading(RULES, skill_pool(RULES, 0, 2)) == Unskilled(0, 2)


def test_an_attribute_test_is_two_dice_and_the_attribute():  # 342
    assert reading(RULES, attribute_pool(RULES, -1)) == HighestDie(2, -1)


def test_a_health_test_is_two_dice_and_health_unless_the_campaign_says_otherwise():  # 47, ruling
    assert reading(RULES, health_pool(RULES, 2, (Mod("wounds", -1),))) == HighestDie(2, 1)
    assert reading(under(health_test_dice=3), health_pool(under(health_test_dice=3), 2)) == HighestDie(3, 2)


# --- extended tasks (lines 344-346) --------------------------------------------------------------------------------------------


def test_the_stuck_bulkhead_opens_once_ten_points_are_gathered():  # 346: Body against 6, ten points
    strong = attribute_pool(RULES, 3, "Body")
    faces = [(6, 5), (1, 2), (6, 6), (4, 4), (5, 3)]  # margins 3, a failure, 4, 1, 2
    assert script(accumulate(RULES, strong, 6, 10), faces).outcome == Progress(10, 5, True)


def test_failures_neither_add_nor_take_away():  # ruling
    assert script(accumulate(RULES, Pool(1), 6, 1, tests=3), [(2,), (6,), (3,)]).outcome == Progress(0, 3, False)


def test_an_extended_task_can_run_out_of_tests():
    assert script(accumulate(RULES, Pool(1), 3, 9, tests=2), [(5,), (6,)]).outcome == Progress(5, 2, False)


@pytest.mark.parametrize(("dice", "modifier", "threshold", "required", "tests"), [(1, 0, 3, 4, 3), (2, 1, 5, 3, 4), (0, 0, 2, 5, 3)])
def test_the_odds_of_an_extended_task_are_what_adding_margins_by_hand_gives(dice, modifier, threshold, required, tests):
    pool = Pool(dice, (Mod("m", modifier),))
    weights = count_every_roll(reading(RULES, pool))
    everything = sum(weights.values())
    going, done = {0: Fraction(1)}, Counter()
    for made in range(1, tests + 1):
        after = Counter()
        for gathered, chance in going.items():
            for total, weight in weights.items():
                now = gathered + max(0, total.total - threshold)
                share = chance * Fraction(weight, everything)
                if now >= required or made == tests:
                    done[Progress(now, made, now >= required)] += share
                else:
                    after[now] += share
        going = after
    odds = exact(sub(accumulate, RULES, pool, threshold, required, tests))
    assert {outcome: Fraction(weight, odds.total) for outcome, weight in odds} == done


def test_exact_odds_of_the_bulkhead_settle_for_fifty_tests():
    odds = exact(sub(accumulate, RULES, attribute_pool(RULES, 1, "Body"), 6, 10, MOST_TESTS))
    assert odds.unsettled == 0
    assert odds.chance(lambda each: each.done)[0] > 0.97
    assert odds.paths < 20_000


def test_a_played_task_replays():
    played = play(accumulate(RULES, Pool(2), 3, 6), dice=Seeded(5))
    assert replay(accumulate(RULES, Pool(2), 3, 6), played.record).outcome == played.outcome


@pytest.mark.parametrize(("required", "tests"), [(0, 5), (-1, 5), (5, 0), (5, MOST_TESTS + 1)])
def test_an_extended_task_needs_something_to_gather_and_an_end(required, tests):
    with pytest.raises(UserError, match="an extended task"):
        play(accumulate(RULES, Pool(1), 3, required, tests))
