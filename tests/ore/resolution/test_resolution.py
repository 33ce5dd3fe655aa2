"""Dice, tests and contests: the book's examples (chapter 1), every option beside the default, and exact odds."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.resolution.contests import (
    COMPARED,
    COMPLEXITIES,
    against_set,
    beat,
    competitive,
    complexity,
    cooperative,
    counter,
    devalued,
    dice_for_actions,
    gobble,
    multiple_actions,
    opposed,
    project,
    quality,
    set_count,
    shared_pool,
    succeeding,
)
from rulewright.systems.ore.resolution.outcomes import (
    DEGREES,
    DIFFICULTIES,
    Outcome,
    degree,
    difficulty_of,
    full_house,
    squash,
    squish,
    the_run,
)
from rulewright.systems.ore.resolution.sets import Lying, broken_up, lying
from rulewright.systems.ore.resolution.tests import (
    PENALTIES,
    Lent,
    Mod,
    Pool,
    Ready,
    after_modifiers,
    at_most_ten,
    auto_complete,
    dice_rolled,
    extra_time,
    leads,
    make_test,
    penalty_rating,
    ready_dice,
    special_dice,
    time_taken,
    trades,
    without_a_roll,
)
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def fell(pool, *faces, difficulty=1, aim="widest", by=RULES):
    return script(make_test(by, pool, difficulty, aim), [faces] if faces else []).outcome


# --- sets, Width and Height ---------------------------------------------------------------------------------------------------


def test_two_threes_among_seven_dice_are_a_set_of_two_by_three():  # lines 261-262
    assert fell(Pool(7), 1, 2, 3, 3, 5, 6, 7) == Outcome(2, 3)


def test_without_a_match_the_test_fails():  # line 270
    assert not fell(Pool(5), 1, 3, 5, 7, 9).success
    assert fell(Pool(5), 1, 3, 5, 7, 9).verdict == "failure"


def test_width_has_names_up_to_four_and_is_better_beyond():  # lines 276-284
    assert [degree(RULES, width) for width in (0, 1, 2, 3, 4, 5, 9)] == [
        "Failure",
        "Minimal Success",
        "Normal Success",
        "Expert Success",
        "Master Success",
        "beyond Master",
        "beyond Master",
    ]
    assert [(row.grade, row.medal) for row in DEGREES(RULES).values()][1:4] == [("C", "bronze"), ("B", "silver"), ("A", "gold")]


def test_a_higher_set_leads_a_race():  # lines 294-296
    assert leads(7, 5) == 2
    with pytest.raises(UserError):
        leads(11, 5)


def test_five_threes_and_a_one_can_be_arranged_as_the_book_lists():  # lines 303-311
    assert lying(RULES, (1, 3, 3, 3, 3, 3)) == Lying(((5, 3),), (1,))
    ways = broken_up(5, 3)
    for wanted in (Lying(((4, 3),), (3,)), Lying(((3, 3), (2, 3))), Lying((), (3, 3, 3, 3, 3))):
        assert wanted in ways
    assert ways[0] == Lying(((5, 3),))


def test_four_tens_are_two_pairs_or_three_and_one():  # lines 299-301
    ways = broken_up(4, 10)
    assert Lying(((2, 10), (2, 10))) in ways
    assert Lying(((3, 10),), (10,)) in ways
    assert len(ways) == 5  # 4; 2+2; 3; 2; none
    with pytest.raises(UserError):
        broken_up(0, 3)


@given(st.integers(1, 12), st.integers(1, 10))
def test_breaking_up_loses_no_die(width, height):
    for way in broken_up(width, height):
        assert sum(each for each, _ in way.sets) + len(way.waste) == width
        assert all(each >= 2 for each, _ in way.sets)


def test_waste_dice_and_discarded_dice_are_told_apart():  # lines 341, 614
    lies = lying(RULES, (1, 2, 2, 5, 5, 9), 4)
    assert lies == Lying(((2, 5),), (9,), (1, 2, 2))
    with pytest.raises(UserError):
        lying(RULES, (11,))


# --- Difficulty, penalties, bonuses -------------------------------------------------------------------------------------------


def test_three_threes_fail_against_a_difficulty_of_four():  # lines 343-344
    assert not fell(Pool(5), 3, 3, 3, 1, 2, difficulty=4).success
    assert fell(Pool(5), 4, 4, 3, 3, 3, difficulty=4) == Outcome(2, 4)  # a face as high as the Difficulty stays


def test_the_tables_of_difficulties_and_penalties_are_the_book_s():  # lines 357-369
    assert [row.rating for row in DIFFICULTIES(RULES).values()] == [
        *("Easy", "Demanding", "Challenging", "Hard", "Very Hard", "Extremely Hard", "Formidable", "Gargantuan", "Titanic", "Improbable")
    ]
    names = ["Hindering", "Frustrating", "Handicapping", "Hamstringing", "Thwarting"]
    assert [row.rating for row in PENALTIES(RULES).values()] == names
    assert [penalty_rating(RULES, n) for n in range(1, 6)] == names
    assert penalty_rating(RULES, 9) == "Thwarting"
    with pytest.raises(UserError):
        difficulty_of(RULES, 11)
    with pytest.raises(UserError):
        difficulty_of(RULES, 0)


def test_penalties_use_up_what_is_above_ten_first():  # line 239
    assert ready_dice(RULES, Pool(12)) == Ready(10)
    assert ready_dice(RULES, Pool(12).plus(Mod("wind", -2))) == Ready(10)
    assert ready_dice(RULES, Pool(12).plus(Mod("wind", -3))) == Ready(9)
    assert ready_dice(RULES, Pool(9).plus(Mod("help", 3))) == Ready(10)
    assert dice_rolled(RULES, 7, 6, penalty=2).value == 10
    assert dice_rolled(RULES, 5, 3, bonus=1, penalty=3).value == 6
    assert "at most ten dice" in [reason.label for reason in dice_rolled(RULES, 9, 5).reasons]
    with pytest.raises(UserError):
        dice_rolled(RULES, 3, 0, expert=1)


def test_a_rule_that_says_so_goes_beyond_ten():  # lines 239, 3900
    assert ready_dice(RULES, Pool(12, beyond_ten=True)) == Ready(12)
    assert at_most_ten(RULES, 9, 2, 1) == Ready(7, 2, 1)
    assert at_most_ten(RULES, 0, 8, 4) == Ready(0, 6, 4)
    assert at_most_ten(RULES, 7, 2, 1) == Ready(7, 2, 1)  # ten are rolled
    assert at_most_ten(RULES, 3, 8, 4) == Ready(0, 6, 4)  # five too many: three ordinary ones and two Expert Dice
    assert at_most_ten(RULES, 1, 2, 12) == Ready(0, 0, 10)
    assert at_most_ten(RULES, 2, 9) == Ready(1, 9)
    assert at_most_ten(RULES, 2, 10) == Ready(0, 10)
    assert at_most_ten(RULES, 2, 11) == Ready(0, 10)


def test_penalties_take_expert_dice_then_master_dice_then_the_others():  # lines 552-556
    pool = Pool(5, 1, 1)
    left = [after_modifiers(RULES, pool.plus(Mod("penalty", -n))) for n in range(9)]
    assert left == [(5, 1, 1), (5, 0, 1), (5, 0, 0), (4, 0, 0), (3, 0, 0), (2, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert after_modifiers(rules(penalties_take="ordinary dice first"), pool.plus(Mod("penalty", -6))) == (0, 0, 1)
    mixed = pool.plus(Mod("help", 2), Mod("penalty", -1))
    assert after_modifiers(RULES, mixed) == (7, 0, 1)
    assert after_modifiers(rules(bonuses_meet_penalties=True), mixed) == (6, 1, 1)


def test_extra_time_gives_a_die_and_double_extra_time_two():  # lines 385-388
    assert ready_dice(RULES, Pool(6).plus(extra_time(1))) == Ready(7)
    assert [extra_time(n).dice for n in (0, 1, 2)] == [0, 1, 2]
    assert [time_taken(30, n) for n in (0, 1, 2)] == [30, 60, 120]
    with pytest.raises(UserError):
        extra_time(3)


def test_a_car_fixed_at_leisure_takes_three_hours():  # lines 393-395
    done = auto_complete(RULES, 2, 3, "hours")
    assert (done.outcome, done.time, done.unit) == (Outcome(2, 2), 3, "hours")
    assert without_a_roll(RULES, 2, 3) is None
    assert without_a_roll(rules(auto_complete=True), 2, 3) == done
    with pytest.raises(UserError):
        auto_complete(RULES, 0, 3)


def test_without_dice_a_test_fails_unless_somebody_gets_lucky():  # lines 375-379
    gone = Pool(2).plus(Mod("penalty", -3))
    assert fell(gone) == Outcome()
    lucky = rules(getting_lucky=True)
    assert fell(gone, 10, by=lucky) == Outcome(1, 10)
    assert fell(gone, 1, by=lucky) == Outcome(catastrophe=True)
    assert fell(gone, 5, by=lucky) == Outcome()
    assert fell(gone, 6, by=rules(getting_lucky=True, six_sided_dice=True)) == Outcome(1, 6)
    assert exact(sub(make_test, lucky, gone))[Outcome(1, 10)] == Fraction(1, 10)


def test_six_sided_dice_halve_difficulties_and_lower_expert_dice():  # lines 247-249
    six = rules(six_sided_dice=True)
    assert [difficulty_of(six, n) for n in range(1, 11)] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    down = rules(six_sided_dice=True, halved_difficulty="rounded down")
    assert [difficulty_of(down, n) for n in (1, 3, 10)] == [1, 1, 5]
    assert special_dice(six, 1).lent == (0, 0, 0, 0, 0, 1)
    assert fell(Pool(2, 1), 6, 1, by=six) == Outcome(2, 6)
    assert exact(sub(make_test, six, Pool(2))).chance(lambda one: one.success)[0] == pytest.approx(1 / 6)
    with pytest.raises(UserError):
        difficulty_of(six, 11)


# --- Runs, Full Houses, squashing ---------------------------------------------------------------------------------------------


def test_three_in_a_row_just_succeed_where_runs_count():  # lines 313-324
    runs = rules(the_run=True)
    assert fell(Pool(4), 1, 2, 3, 9) == Outcome()
    assert fell(Pool(4), 1, 2, 3, 9, by=runs) == Outcome(1, 3)
    assert fell(Pool(5), 1, 2, 3, 9, 9, by=runs) == Outcome(2, 9)  # only without a set
    assert fell(Pool(6), 1, 2, 3, 7, 8, 9, by=runs) == Outcome(1, 9)
    assert fell(Pool(4), 1, 2, 3, 9, by=runs, difficulty=2) == Outcome()
    assert the_run(RULES, (4, 5, 6)) == Outcome(1, 6)
    assert the_run(RULES, (4, 4, 5, 6)) == the_run(RULES, (1, 3, 5)) == Outcome()


def test_a_countered_set_never_becomes_a_minimal_success():  # lines 323-324
    runs = rules(the_run=True)
    assert counter(runs, 3, 7, 2, 8) == Outcome()


def test_two_fives_are_widened_by_giving_up_two_twos():  # lines 330-331
    assert full_house(RULES, 2, 5, 2) == Outcome(3, 5)
    assert fell(Pool(4), 2, 2, 5, 5, by=rules(full_house=True)) == Outcome(3, 5)
    assert fell(Pool(4), 2, 2, 5, 5) == Outcome(2, 5)
    with pytest.raises(UserError):
        full_house(RULES, 2, 5, 5)


def test_squashing_gives_height_for_width_and_squishing_the_reverse():  # lines 526-530
    assert squash(RULES, 2, 8) == Outcome(3, 6)
    assert squish(RULES, 3, 5) == Outcome(2, 7)
    assert squish(RULES, 3, 9) == Outcome(2, 10)
    for wrong in (lambda: squash(RULES, 2, 2), lambda: squash(RULES, 2, 5, 4), lambda: squish(RULES, 2, 5), lambda: squish(RULES, 3, 10)):
        with pytest.raises(UserError):
            wrong()
    assert squash(rules(squash_keeps_difficulty=False), 2, 5, 4) == Outcome(3, 3)


def test_who_may_squash_and_squish():  # lines 531-533
    everybody, special = rules(squash_and_squish="everybody"), rules(squash_and_squish="special dice", special_dice="extra master")
    assert fell(Pool(3), 8, 8, 1) == Outcome(2, 8)
    assert fell(Pool(3), 8, 8, 1, by=everybody) == Outcome(3, 6)
    assert fell(Pool(3), 5, 5, 5, by=everybody, aim="highest") == Outcome(2, 7)
    assert [(t.squash, t.squish) for t in (trades(special), trades(special, 1), trades(special, 0, 1))] == [
        (False, False),
        (False, True),
        (True, True),
    ]
    assert trades(RULES, squash=True).squash  # a feat's


def test_only_one_trade_is_made_on_a_roll():  # lines 534-537
    both = rules(squash_and_squish="everybody", full_house=True)
    assert fell(Pool(4), 2, 2, 5, 5, by=both) == Outcome(3, 5)  # widened once, not squashed as well


# --- Special Dice -------------------------------------------------------------------------------------------------------------


def test_an_expert_die_lies_at_ten_before_the_roll():  # lines 559-560
    assert fell(Pool(5, 1), 1, 3, 5, 5, 10, aim="highest") == Outcome(2, 10)
    assert fell(Pool(5, 1), 1, 3, 5, 5, 10) == Outcome(2, 10)
    assert lying(RULES, (1, 3, 5, 5, 10, 10)).sets == ((2, 10), (2, 5))


def test_a_master_die_is_set_after_the_roll():  # lines 564-566
    assert fell(Pool(5, 0, 1), 3, 4, 6, 7, 9) == Outcome(2, 9)
    assert fell(Pool(5, 0, 1), 3, 3, 6, 7, 9) == Outcome(3, 3)
    assert fell(Pool(5, 0, 1), 3, 3, 6, 7, 9, aim="highest") == Outcome(2, 9)


def test_special_dice_that_feats_add_are_read_alike():  # lines 544-567, 2513
    assert fell(Pool(2, 2), 1, 2) == Outcome(2, 10)
    assert fell(Pool(2, 1, 1), 1, 2) == Outcome(2, 10)
    assert fell(Pool(2, 1, 1), 1, 1) == Outcome(3, 1)


def test_a_failsafe_die_completes_a_run_but_makes_no_set():  # lines 568-577
    gritty = rules(special_dice="failsafe", the_run=True)
    assert fell(Pool(3, 1), 4, 6, 10, by=gritty) == Outcome(1, 6)
    assert fell(Pool(3, 1), 10, 7, 2, by=gritty) == Outcome()
    assert fell(Pool(3, 1), 10, 9, 2, by=gritty) == Outcome(1, 10)
    with pytest.raises(UserError):
        fell(Pool(3, 0, 1), 1, 2, 3, by=gritty)
    assert special_dice(gritty, 0, 1, True) == Lent((1,) * 10, 1)  # high powers may
    assert fell(Pool(3, 1), 4, 6, 10, by=rules(special_dice="failsafe")) == Outcome(1, 6)  # it lets Runs count


def test_two_further_expert_dice_nudge_ten_to_nine_or_eight():  # lines 584-586
    action = rules(special_dice="extra expert")
    assert special_dice(action, 3).lent == (0, 0, 0, 0, 0, 0, 0, 1, 1, 1)
    assert fell(Pool(4, 3), 8, 3, 1, 2, by=action) == Outcome(2, 8)
    assert fell(Pool(4, 3), 7, 3, 1, 2, by=action) == Outcome()


def test_an_expert_die_pays_off_a_penalty():  # lines 588-591
    action = rules(special_dice="extra expert")
    pool = Pool(5, 2).plus(Mod("penalty", -1))
    assert ready_dice(action, pool) == Ready(5, 1, 0)
    assert special_dice(action, 1).lent == (0,) * 9 + (1,)


def test_a_protected_master_die_outlasts_penalties():  # lines 593-606
    action = rules(special_dice="extra expert")
    pool = Pool(5, 2, 1)
    assert fell(pool, 1, 3, 3, 7, 10, by=action) == Outcome(3, 3)
    assert fell(pool, 1, 3, 3, 7, 10, by=action, aim="highest") == Outcome(2, 10)
    assert script(set_count(action, pool), [(1, 3, 3, 7, 10)]).outcome == 2
    assert ready_dice(action, pool.plus(Mod("penalty", -2))) == Ready(5, 0, 1)
    with pytest.raises(UserError):
        special_dice(action, 0, 2)


def test_two_expert_dice_are_always_a_pair_of_tens_among_superhumans():  # lines 608-612
    superhuman = rules(special_dice="extra master")
    odds = exact(sub(make_test, superhuman, Pool(3, 2)))
    assert odds.chance(lambda one: one.width >= 2)[0] == 1
    assert fell(Pool(2, 1, 1), 4, 7, by=superhuman) == Outcome(2, 10)
    assert fell(Pool(3, 1, 2), 4, 4, 7, by=superhuman) == Outcome(4, 4)


# --- several actions and several people ---------------------------------------------------------------------------------------


def test_three_actions_cost_two_dice_and_the_lowest_pool_is_used():  # lines 407-413
    assert ready_dice(RULES, shared_pool(RULES, (Pool(7), Pool(7), Pool(7)))) == Ready(5)
    assert ready_dice(RULES, shared_pool(RULES, (Pool(7), Pool(5)))) == Ready(4)
    assert dice_for_actions(RULES, (7, 5)).value == 4
    assert dice_for_actions(RULES, (7, 7, 7), 1).value == 4
    fog = Mod("fog", -1)
    assert ready_dice(RULES, shared_pool(RULES, (Pool(7).plus(fog, Mod("aim", 2)), Pool(5)))) == Ready(3)
    assert shared_pool(RULES, (Pool(7),)) == Pool(7)
    with pytest.raises(UserError):
        shared_pool(RULES, ())


@pytest.mark.parametrize(
    ("pools", "dice"),
    [  # the lowest pool is compared with its bonuses (lines 411-413); the penalties of all count (line 422)
        ((Pool(5).plus(Mod("feint", 2)), Pool(8)), 6),
        ((Pool(8), Pool(5).plus(Mod("feint", 2))), 6),
        ((Pool(5).plus(Mod("feint", 2)), Pool(6)), 5),
        ((Pool(5).plus(Mod("feint", 2)), Pool(8).plus(Mod("fog", -2))), 4),
        ((Pool(6).plus(Mod("Maverick", 1)), Pool(6).plus(Mod("Barrel Roll", 1))), 6),
    ],
)
def test_several_actions_keep_the_bonuses_of_the_lowest_pool(pools, dice):
    assert ready_dice(RULES, shared_pool(RULES, pools)) == Ready(dice)


def test_a_setting_limits_several_actions_to_common_bonuses():
    common = rules(bonuses_of_several_actions="common to all")
    feint, aid = Mod("feint", 2), Mod("aid", 1)
    assert ready_dice(common, shared_pool(common, (Pool(5).plus(feint, aid), Pool(8).plus(aid)))) == Ready(5)


def test_failed_rolls_of_a_project_count_or_not():
    assert quality(RULES, (4, 0, 8)).value == 4
    stricter = rules(quality_of_failed_rolls="left out")
    assert quality(stricter, (4, 0, 8)).value == 6
    assert quality(stricter, (0,)).value == 0


def test_two_pairs_disarm_and_stab_but_one_pair_only_disarms():  # lines 417-423
    actions = (Pool(8), Pool(6))
    assert script(multiple_actions(RULES, actions), [(1, 2, 2, 5, 5)]).outcome == 2
    assert script(multiple_actions(RULES, actions), [(1, 2, 2, 3, 5)]).outcome == 1
    assert script(multiple_actions(RULES, actions), [(2, 2, 2, 2, 5)]).outcome == 2  # broken up
    assert succeeding(1, (0, 1)) == (1,)
    assert succeeding(2, (0, 1)) == (1, 2)
    assert succeeding(2, (0, 1, 0)) == (1, 2)
    with pytest.raises(UserError):
        succeeding(1, (1,))


def test_the_highest_wins_a_race_and_the_widest_an_arm_wrestling():  # lines 425-440
    sides = (Pool(4), Pool(4))
    dice = [(7, 7, 1, 2), (5, 5, 5, 1)]
    assert script(competitive(RULES, sides, "height"), dice).outcome.winner == 0
    assert script(competitive(RULES, sides, "width"), dice).outcome.winner == 1
    assert script(competitive(RULES, sides, "width"), [(7, 7, 1, 2), (7, 7, 3, 4)]).outcome.winner is None
    assert script(competitive(RULES, sides, "width"), [(7, 7, 1, 2), (5, 5, 3, 4)]).outcome.winner == 0
    assert script(competitive(RULES, sides, "width"), [(7, 6, 1, 2), (5, 9, 3, 4)]).outcome.winner is None
    assert set(COMPARED(RULES)) == {"width", "height"}
    with pytest.raises(UserError):
        script(competitive(RULES, (Pool(4),)), [])


def test_three_investigators_turn_two_fours_into_four():  # lines 447-449
    team = (Pool(4), Pool(5), Pool(5))
    dice = (4, 4, 1, 2, 4, 8, 8, 8, 1, 9, 9, 9, 4, 2)
    assert script(cooperative(RULES, team), [dice]).outcome == Outcome(4, 4)
    assert script(cooperative(RULES, (Pool(2), Pool(2))), [(1, 2, 3, 4)]).outcome == Outcome()
    assert script(cooperative(RULES, (Pool(3), Pool(2, 0, 1))), [(4, 4, 1, 2, 9)]).outcome == Outcome(3, 4)  # a Master Die adds to it
    assert script(cooperative(RULES, (Pool(0), Pool(0)))).outcome == Outcome()


def test_two_eights_spoil_three_sevens():  # lines 463-464
    assert counter(RULES, 3, 7, 2, 8) == Outcome()


def test_lower_dice_cannot_gobble_higher_ones():  # lines 468-470
    assert counter(RULES, 2, 4, 3, 3) == Outcome(2, 4)
    assert counter(RULES, 3, 4, 1, 4) == Outcome(2, 4)  # the same Height can


def test_two_sevens_stop_a_trip_and_a_strike():  # lines 472-474
    assert gobble(RULES, ((2, 4), (2, 6)), (7, 7)) == (Outcome(), Outcome())
    assert gobble(RULES, ((2, 4), (2, 6)), (7, 7), (0, 1)) == (Outcome(), Outcome())
    assert gobble(RULES, ((2, 4), (3, 6)), (7, 7), (1, -1)) == (Outcome(2, 4), Outcome(2, 6))
    assert gobble(RULES, ((2, 4), (2, 6)), (5, 5)) == (Outcome(), Outcome(2, 6))
    for wrong in (((5,), (1,)), ((5,), (7,)), ((5,), (0, 0))):
        with pytest.raises(UserError):
            gobble(RULES, ((2, 4), (2, 6)), *wrong)


def test_a_set_for_a_set_leaves_a_minimal_success():  # lines 483-486
    devaluing = rules(set_for_a_set=True)
    assert devalued(3, 4, 2, 5) == counter(devaluing, 3, 4, 2, 5) == Outcome(1, 4)
    assert counter(devaluing, 2, 4, 2, 5) == Outcome()
    assert counter(RULES, 3, 4, 2, 5) == Outcome()


def test_an_opposed_test_is_rolled_by_both_unless_the_first_fails():  # lines 451-462
    sides = (RULES, Pool(4), Pool(3))
    assert script(opposed(*sides), [(7, 7, 7, 1), (8, 8, 1)]).outcome == Outcome()
    assert script(opposed(*sides), [(7, 7, 7, 1), (6, 6, 1)]).outcome == Outcome(3, 7)
    assert script(opposed(*sides), [(7, 7, 7, 1), (1, 2, 3)]).outcome == Outcome(3, 7)
    assert script(opposed(*sides), [(7, 6, 2, 1)]).outcome == Outcome()  # nothing to stop, nothing rolled
    assert script(opposed(*sides), [(9, 9, 5, 5), (8, 8, 1)]).outcome == Outcome(2, 9)
    assert script(opposed(RULES, Pool(4), Pool(0)), [(9, 9, 5, 5)]).outcome == Outcome(2, 9)
    assert script(opposed(RULES, Pool(0), Pool(4))).outcome == Outcome()
    lucky = rules(getting_lucky=True)
    assert script(opposed(lucky, Pool(0), Pool(3)), [(10,), (9, 9, 1)]).outcome == Outcome(1, 10)
    assert script(opposed(lucky, Pool(3), Pool(0)), [(4, 4, 1), (10,)]).outcome == Outcome()


def test_a_set_on_the_table_is_beaten_or_survived():
    assert script(beat(RULES, Pool(3), 3, 7), [(8, 8, 1)]).outcome.beaten
    assert script(beat(RULES, Pool(3), 3, 7), [(6, 6, 1)]).outcome.left == Outcome(3, 7)
    assert script(against_set(RULES, Pool(4), 2, 8), [(9, 9, 7, 7)]).outcome == Outcome(2, 9)
    assert script(against_set(RULES, Pool(4), 2, 8), [(7, 7, 7, 7)]).outcome == Outcome(2, 7)
    assert not script(beat(RULES, Pool(0), 3, 7)).outcome.beaten
    lucky = rules(getting_lucky=True)  # lines 375-379: a Minimal Success with a Height of 10, and one die
    assert script(beat(lucky, Pool(0), 2, 10), [(10,)]).outcome.beaten
    assert script(beat(lucky, Pool(0), 3, 10), [(10,)]).outcome.left == Outcome(2, 10)
    assert script(beat(lucky, Pool(0), 2, 10), [(9,)]).outcome.left == Outcome(2, 10)
    assert script(against_set(RULES, Pool(0), 2, 8)).outcome == Outcome()


@settings(max_examples=6, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.sampled_from(["widest", "highest"]))
def test_exact_opposed_odds_are_what_counting_both_rolls_gives(one, other, aim):
    from itertools import product

    from rulewright.systems.ore.resolution.joint_readings import Countering, Fronts
    from rulewright.systems.ore.resolution.outcomes import outcome_of
    from rulewright.systems.ore.resolution.tests import thrown

    six = rules(six_sided_dice=True)
    odds = exact(sub(opposed, six, Pool(one), Pool(other), 1, 1, aim))
    counted = {}
    for mine in product(range(1, 7), repeat=one):
        sets = Fronts(thrown(six, Pool(one))).read(mine)
        for theirs in product(range(1, 7), repeat=other):
            left = outcome_of(Countering(sets, Fronts(thrown(six, Pool(other))), aim).read(theirs)) if sets else Outcome()
            counted[left] = counted.get(left, 0) + 1
    total = 6 ** (one + other)
    assert {left: odds[left] for left in odds.weights} == {left: Fraction(n, total) for left, n in counted.items()}


# --- projects -----------------------------------------------------------------------------------------------------------------


def test_the_interface_is_pretty_good():  # lines 518-520
    assert quality(RULES, (4, 8, 10, 5, 7, 9)).value == 7
    assert quality(RULES, (4, 5)).value == 5  # half up
    with pytest.raises(UserError):
        quality(RULES, ())


def test_six_rolls_complete_a_piece_of_software():  # lines 518-520; the Widths are 14 in all
    widths = [(4, 4), (8, 8), (10, 10, 10), (5, 5), (7, 7, 7), (9, 9)]
    dice = [(*one, 1, 2, 3)[:4] for one in widths]
    done = script(project(RULES, Pool(4), 14), dice).outcome
    assert (done.width, done.rolls, done.done) == (14, 6, True)


def test_a_stealth_bomber_in_the_garden_needs_24_by_the_month():  # lines 509-516
    assert complexity(RULES, "intense", "exhaustive") == ("months", 24)
    assert [(row.time, row.completion) for row in COMPLEXITIES(RULES).values()] == [
        *(("hours", 3), ("days", 6), ("weeks", 12), ("months", 18), ("years", 24))
    ]


def test_a_project_that_stays_undone_says_so():
    assert not script(project(RULES, Pool(2), 9, 1, 2), [(1, 2), (3, 3)]).outcome.done
    odds = exact(sub(project, RULES, Pool(5), 3, 1, 4))
    assert sum(odds.weights.values()) == odds.total
    with pytest.raises(UserError):
        script(project(RULES, Pool(2), 0))


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([None, "gritty", "action", "superhuman"]),
    st.integers(0, 8),
    st.integers(0, 1),
    st.integers(-3, 3),
    st.integers(1, 10),
)
def test_every_test_s_weights_add_up(preset, dice, expert, modifier, difficulty):
    pool = Pool(dice, expert).plus(Mod("situation", modifier))
    odds = exact(sub(make_test, BOOK.ruleset(preset), pool, difficulty))
    assert sum(odds.weights.values()) == odds.total
    assert all(one.width >= 0 and (one.width == 0 or one.height >= 1) for one in odds.weights)
