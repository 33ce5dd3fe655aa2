"""Checks, degrees, opposed rolls, modifiers, perception (book lines 291-544, 697-722)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, tuples

from rulewright.dice import count_every_roll, weights_of
from rulewright.errors import UserError
from rulewright.play import Seeded, play, replay, script, sub
from rulewright.play.odds import exact, sample
from rulewright.rules import House
from rulewright.systems.hybrid.people.perception import Watcher, passive_check, perceive, perceive_passively, perceived, perception_factor
from rulewright.systems.hybrid.resolution.modifiers import (
    Condition,
    condition_modifier,
    conditions,
    environment_modifiers,
    florentine,
    moving_modifier,
    unranked,
    unranked_initiative,
)
from rulewright.systems.hybrid.resolution.tests import (
    DEGREES,
    SUCCESSES,
    Check,
    Degree,
    Measured,
    Mod,
    Opposed,
    Task,
    attempt,
    common_task,
    degree_of,
    degrees,
    difficulty_factor,
    effect,
    limits,
    lumped,
    measured,
    measured_check,
    opposed_check,
    opposing,
    skill_check,
    stat_basis,
    subjective,
    success_chance,
)
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
CHECKS = tuples(integers(-40, 300), integers(-120, 120), sampled_from([(1, 1), (1, 4), (1, 2), (3, 10), (0, 1)])).map(
    lambda made: Check(*made)
)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


# --- the Difficulty Factor (lines 387-429) -------------------------------------------------------------------------------------


def test_the_difficulty_factor_adds_statistic_rank_task_and_modifiers():  # 391
    found = difficulty_factor(RULES, (12,), 10, -5, (Mod("running", -5, "hyb-2-movement-modifiers"),))
    assert found.value == 12
    assert [(each.label, each.value) for each in found.reasons] == [
        ("statistic", 12),
        ("rank", 10),
        ("difficulty of the task", -5),
        ("running", -5),
    ]


def test_the_statistic_counts_whole():  # 391, and the author's example of 12 and rank 10
    assert difficulty_factor(RULES, (12,), 10).value == 22
    assert difficulty_factor(under(stat_basis="half"), (12,), 10).value == 16


def test_several_statistics_count_by_their_average_halves_up():  # 411
    assert stat_basis(RULES, (12, 13)).value == 13
    assert stat_basis(under(fractions="down"), (12, 13)).value == 12
    assert stat_basis(under(fractions="up"), (12, 12, 13)).value == 13
    with pytest.raises(UserError, match="at least one"):
        stat_basis(RULES, ())


@given(lists(integers(1, 30), min_size=1, max_size=5), integers(0, 30), integers(-30, 30))
def test_the_difficulty_factor_is_the_sum_of_its_terms(stats, rank, difficulty):
    found = difficulty_factor(RULES, tuple(stats), rank, difficulty)
    assert found.value == sum(int(each.value) for each in found.reasons)


def test_without_any_rank_fifteen_are_lost_and_rank_zero_loses_nothing():  # 462
    assert difficulty_factor(RULES, (20,), None).value == 5
    assert difficulty_factor(RULES, (20,), 0).value == 20
    assert unranked(RULES) == Mod("unranked", -15, "hyb-2-unranked")
    assert unranked(RULES, 0).value == 0


def test_the_unranked_react_later_though_the_print_says_minus_two():  # 462
    assert unranked_initiative(RULES).value == 2
    assert unranked_initiative(RULES, 0).value == 0
    assert unranked_initiative(under(unranked_initiative=-2)).value == -2


def test_actions_lumped_together_are_rolled_against_the_average():  # 425
    assert lumped(RULES, (12, 8)).value == 10
    assert lumped(RULES, (12, 9)).value == 11
    with pytest.raises(UserError, match="at least one"):
        lumped(RULES, ())


def test_words_give_difficulties():  # 437-445
    assert subjective(RULES, "nearly impossible").value == -20
    with pytest.raises(UserError, match="did you mean"):
        subjective(RULES, "trivia")


def test_a_common_action_adds_nothing_and_judging_quality_two():  # 453-454
    assert common_task(RULES, "common action", (12,), 3).value == 15
    assert common_task(RULES, "judgement of quality", (12,), 3).value == 17


def test_a_task_is_rolled_with_its_difficulty():  # 403-421
    task = Task(name="leap", difficulty=-5, stat_base=("PAG",), time=10)
    assert exact(lambda: attempt(RULES, task, (12,), 5)) == exact(lambda: skill_check(RULES, Check(12)))
    assert exact(lambda: attempt(RULES, task, (12,), None, percent=10)) == exact(lambda: skill_check(RULES, Check(-8, 10)))


# --- the chance (lines 319-385) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("df", "chance"), [(-40, 1), (-2, 1), (-1, 1), (0, 6), (12, 52), (31, 77), (34, 79), (272, 97), (273, 98), (5000, 98)]
)
def test_between_and_beyond_the_rows_the_lower_row_counts(df, chance):  # 325-385
    assert success_chance(RULES, df).value == chance


def test_a_campaign_may_take_the_nearest_row():
    assert success_chance(under(between_rows="nearest row"), 271).value == 98
    assert success_chance(under(between_rows="nearest row"), 201).value == 97


def test_percents_come_after_the_look_up_and_stay_between_one_and_ninety_eight():
    assert success_chance(RULES, 12, 5).value == 57
    assert success_chance(RULES, 12, 60).value == 98
    assert success_chance(RULES, 12, -60).value == 1
    assert success_chance(under(highest_chance=100, lowest_chance=0), 12, 60).value == 100


def test_a_share_of_the_chance_is_rounded_down_and_may_leave_nothing():  # 701
    assert success_chance(RULES, 17, share=(1, 4)).value == 15  # 62 / 4
    assert success_chance(under(passive_rounds="half up"), 17, share=(1, 4)).value == 16
    assert success_chance(RULES, -1, share=(1, 4)).value == 0


def test_what_cannot_be_a_check_is_refused():
    with pytest.raises(UserError, match="share of a chance"):
        Check(12, share=(2, 1))
    with pytest.raises(UserError, match="Difficulty Factor"):
        Check(20_000)


@pytest.mark.parametrize("chance", [6, 16, 30, 52, 60, 67, 80, 90, 98])
def test_limits_worked_out_anew_follow_the_shares_of_the_degrees(chance):  # 527-536
    found = limits(RULES, Check(-1, chance - 1))
    assert found.chance == chance
    shares = [Fraction(1, 100), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), 1, Fraction(3, 2), 2, Fraction(5, 2), 3]
    expected = [int(share * chance + Fraction(1, 2)) for share in shares]
    assert [*found.success, *found.failure[1:]] == expected
    assert found.failure[0] == chance + 1


def test_a_changed_chance_that_comes_back_to_its_row_keeps_the_printed_limits():
    assert limits(RULES, Check(273, 10)) == limits(RULES, Check(273))


# --- degrees (lines 517-538) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roll", "degree"),
    [
        (1, "Amazing Success"),
        (2, "Very Notable Success"),
        (5, "Very Notable Success"),
        (6, "Notable Success"),
        (13, "Notable Success"),
        (26, "Solid Success"),
        (27, "Success"),
        (52, "Success"),
        (53, "Failure"),
        (77, "Failure"),
        (78, "Solid Failure"),
        (100, "Solid Failure"),
    ],
)
def test_the_row_of_twelve_roll_by_roll(roll, degree):  # 340: 52 1 5 13 26 52 53 78 104
    assert degree_of(RULES, 12, roll).value == degree


def test_the_worst_failure_that_is_reached_counts():  # 327: -1 1 0 0 0 1 1 2 2 2 3 4
    assert [degree_of(RULES, -1, roll).value for roll in (1, 2, 3, 4, 100)] == [
        "Solid Success",
        "Notable Failure",
        "Very Notable Failure",
        "Amazing Failure",
        "Amazing Failure",
    ]


def test_rolling_under_may_be_taken_word_for_word():  # 293, 527-536
    strict = under(success_at="under")
    assert degree_of(strict, 12, 52) is Degree.FAILURE
    assert degree_of(strict, 12, 51) is Degree.SUCCESS
    assert degree_of(strict, 12, 78) is Degree.FAILURE
    assert degree_of(strict, 12, 79) is Degree.SOLID_FAILURE


@given(CHECKS)
def test_the_odds_of_a_check_are_what_counting_every_roll_gives(check):
    for found in (degrees(RULES, check), measured(RULES, check)):
        assert dict(weights_of(found)) == count_every_roll(found)
        assert sum(weights_of(found).values()) == 100


@given(CHECKS)
def test_as_many_rolls_succeed_as_the_chance_has_percents(check):
    weights = weights_of(degrees(RULES, check))
    assert sum(weight for degree, weight in weights.items() if degree.success) == limits(RULES, check).chance


@given(CHECKS)
def test_a_lower_roll_is_never_worse(check):
    read = degrees(RULES, check).read
    places = [DEGREES.index(read((roll,))) for roll in range(1, 101)]
    assert places == sorted(places)


@given(integers(-5, 280), integers(0, 40))
def test_a_higher_difficulty_factor_is_never_a_lower_chance(df, more):
    assert success_chance(RULES, df + more).value >= success_chance(RULES, df).value


def test_the_degree_multiplies_the_effect():  # 527-536
    assert [effect(RULES, degree, 4).value for degree in DEGREES] == [12, 8, 6, 5, 4, 0, -1, -3, -4, -8]
    assert DEGREES[: len(SUCCESSES)] == SUCCESSES


def test_a_house_rule_can_change_an_effect_and_a_row():
    house = BOOK.ruleset(
        house=House(tables={"hyb-2-degrees": {"Amazing Success": {"effect": 5}}, "hyb-2-success-table": {"12": {"chance": 60}}})
    )
    assert effect(house, Degree.AMAZING_SUCCESS).value == 5
    assert success_chance(house, 12).value == 60


# --- rolling -------------------------------------------------------------------------------------------------------------------


def test_a_check_reads_one_percentile_roll():  # 293
    assert script(skill_check(RULES, Check(12)), [(52,)]).outcome is Degree.SUCCESS
    assert script(skill_check(RULES, Check(12)), [(53,)]).outcome is Degree.FAILURE


def test_the_success_number_is_the_chance_less_the_roll():  # 542
    assert script(measured_check(RULES, Check(12)), [(30,)]).outcome == Measured(Degree.SUCCESS, 22)
    assert script(measured_check(RULES, Check(12)), [(60,)]).outcome == Measured(Degree.FAILURE, -8)


def test_whoever_opposes_rolls_with_the_success_number_off_the_chance():  # 542
    assert opposing(RULES, Check(12), 22) == Check(12, -22)
    assert opposing(RULES, Check(12), -8) == Check(12)
    assert opposing(under(success_number="difficulty factor"), Check(12), 5) == Check(7)


def test_hiding_from_those_who_look():  # 544: 52 - 30 = 22 off their 46
    hidden = script(opposed_check(RULES, Check(12), Check(10)), [(30,), (25,)]).outcome
    assert hidden == Opposed(Degree.SUCCESS, Degree.FAILURE)
    assert hidden.stands
    found = script(opposed_check(RULES, Check(12), Check(10)), [(30,), (24,)]).outcome
    assert found.resister is Degree.SUCCESS
    assert not found.stands


def test_nothing_is_rolled_against_an_action_that_failed():  # 542
    failed = script(opposed_check(RULES, Check(12), Check(10)), [(53,)]).outcome
    assert failed == Opposed(Degree.FAILURE)
    assert not failed.stands


def test_the_odds_of_an_opposed_check_are_those_of_counting_both_dice():
    actor, resister = Check(8), Check(10)
    stands = 0
    for first in range(1, 101):
        if first > 40:
            continue
        chance = max(1, 46 - (40 - first))
        stands += 100 - chance
    odds = exact(lambda: opposed_check(RULES, actor, resister))
    assert odds.unsettled == 0
    assert sum(weight for outcome, weight in odds if outcome.stands) * 10_000 == stands * odds.total


def test_exact_agrees_with_playing():
    odds = exact(sub(opposed_check, RULES, Check(12), Check(12)))
    counted = sample(sub(opposed_check, RULES, Check(12), Check(12)), 4_000, seed=5)
    for outcome, often in counted.items():
        assert abs(often / 4_000 - float(odds[outcome])) < 0.04


def test_a_played_check_replays():
    played = play(opposed_check(RULES, Check(20), Check(5)), dice=Seeded(3))
    assert replay(opposed_check(RULES, Check(20), Check(5)), played.record).outcome == played.outcome


# --- modifiers (lines 456-515) -------------------------------------------------------------------------------------------------


def test_two_things_at_once():  # 464-470, 701
    both = florentine(RULES, "mental", "mental")
    assert (both.first.value, both.second.value, both.awareness.value) == (-8, -10, -2)
    mixed = florentine(RULES, "mental", "physical")
    assert (mixed.first.value, mixed.second.value) == (-4, -2)
    assert (florentine(RULES, "physical", "mental").first.value, florentine(RULES).second.value) == (-2, -6)


@pytest.mark.parametrize(
    ("left", "expected"),
    [(19, 0), (18, -2), (13, -2), (12, -4), (7, -4), (6, -8), (3, -8), (2, -20), (0, -20)],
)
def test_a_wound_counts_from_its_share_of_the_body_on(left, expected):  # 479-484, PBD 24: 25, 50, 75 and 90 % lost
    assert condition_modifier(RULES, Condition(pbd=left)).value == expected


def test_both_tracks_and_exhaustion_add_up():  # 472-489
    worn = Condition(pbd=12, mbd=6, pex=0, mex=0)
    assert conditions(RULES, worn) == (
        "physically exhausted",
        "significantly physically wounded",
        "mentally exhausted",
        "majorly mentally wounded",
    )
    assert condition_modifier(RULES, worn, "physical").value == -6 - 4 - 3 - 4
    assert condition_modifier(RULES, worn, "mental").value == -3 - 2 - 6 - 8
    assert condition_modifier(RULES, worn, "mental", awareness=True).value == -19 - 4 - 4


def test_a_campaign_may_add_up_all_levels():
    assert condition_modifier(under(wound_levels_add=True), Condition(pbd=12)).value == -6
    with pytest.raises(UserError, match="at least 1 point"):
        conditions(RULES, Condition(pbd_full=0))


def test_moving_faster_than_a_walk():  # 493-502
    assert moving_modifier(RULES, "walk").value == 0
    assert (moving_modifier(RULES, "dash").value, moving_modifier(RULES, "dash", "mental").value) == (-7, -4)
    assert [moving_modifier(under(moving_mind="half"), pace, "mental").value for pace in ("jog", "run", "dash", "vehicle")] == [
        -1,
        -2,
        -3,
        -5,
    ]


def test_surroundings_count_each_matter_by_its_worse_row():  # 508-515
    found = environment_modifiers(RULES, ("visibility reduced 50%", "visibility reduced 75%", "gravity 50% off"))
    assert [mod.value for mod in found] == [-4, -3]
    assert [mod.value for mod in environment_modifiers(RULES, ("gravity 100% off",), "mental")] == [0]


# --- perception (lines 697-722) ------------------------------------------------------------------------------------------------


def test_perception_is_awareness_with_alertness():  # 699-701
    assert perception_factor(RULES, Watcher(14, 3)).value == 17
    assert perception_factor(RULES, Watcher(14, 3, ("not alert", "poor lighting"))).value == 11
    assert perception_factor(RULES, Watcher(14), preset=True).value == 18  # 842
    assert perception_factor(under(perception_needs_skill=True), Watcher(14)).value == -1


def test_passive_perception_has_a_quarter_of_the_chance():  # 701
    assert passive_check(RULES, Watcher(12)) == Check(12, share=(1, 4))
    assert exact(lambda: perceive_passively(RULES, Watcher(12))).chance(lambda degree: degree.success)[0] == 0.13
    assert passive_check(under(ranks_count="percent"), Watcher(12, 5)) == Check(12, 20, (1, 4))


def test_what_a_perception_roll_tells():  # 707-718
    played = script(perceive(RULES, Watcher(12, name="Ana")), [(20,)])
    assert played.outcome is Degree.SOLID_SUCCESS
    assert played.events[0].headline() == "Ana looks around: Solid Success"
    assert (perceived(RULES, played.outcome).detail, perceived(RULES, played.outcome).timing_error) == (125, 25)
