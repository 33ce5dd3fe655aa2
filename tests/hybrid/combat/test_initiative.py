"""Counts, initiative and speeds of actions (book lines 285-313, 804-888)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, integers

from rulewright.dice import count_every_roll, weights_of
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.hybrid.combat.initiative import (
    Entry,
    Initiative,
    Reactor,
    clock,
    counts,
    draw,
    enter_scene,
    hurried,
    initiative_bonus,
    initiative_dice,
    preset_bonus,
    preset_cost,
    rank_speed,
    reaction_speed,
    roll_initiative,
    rush_share,
    rushed,
    set_up,
    settle,
    setup_bonus,
    setup_counts,
    takes_effect,
)
from rulewright.systems.hybrid.people.perception import Watcher
from rulewright.systems.hybrid.resolution.tests import Check, Degree
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def test_a_count_is_a_tenth_of_a_second():  # 307-309
    assert counts(RULES, 3, "second").value == 30
    assert counts(RULES, 20, "pulse").value == 20
    assert clock(RULES, 30).value == 3


def test_initiative_is_2d6_and_8_less_half_the_speed():  # 820-824
    assert initiative_bonus(RULES, 4).value == 6
    assert initiative_bonus(RULES, 5).value == 6
    assert initiative_bonus(under(half_speed="up"), 5).value == 5
    assert script(roll_initiative(RULES, 4), [(3, 4)]).outcome == Initiative(13)


def test_a_failed_perception_roll_costs_five_counts_and_no_rank_two():  # 826-828, 462
    assert initiative_bonus(RULES, 4, perceived=False).value == 11
    assert initiative_bonus(RULES, 4, ranked=False).value == 8
    assert initiative_bonus(RULES, 4, perceived=False, ranked=False, modifier=-3).value == 10


@given(integers(0, 12), booleans(), booleans(), booleans())
def test_the_odds_of_initiative_are_those_of_two_dice(speed, perceived, ranked, preset):
    dice = initiative_dice(RULES, speed, perceived, ranked, preset)
    assert dict(weights_of(dice)) == count_every_roll(dice)
    bonus = initiative_bonus(RULES, speed, perceived, ranked, preset)
    assert bonus.value == sum(int(each.value) * (-1 if each.op == "−" else 1) for each in bonus.reasons)


def test_what_initiative_falls_below_one_becomes_speed_points():  # 832
    assert [settle(RULES, count) for count in (5, 1, 0, -3)] == [Initiative(5), Initiative(1), Initiative(1, 1), Initiative(1, 4)]
    fast = script(roll_initiative(RULES, 10, preset=True, by="Kid"), [(1, 1)])  # 2 + 8 - 10
    assert fast.outcome == Initiative(1, 1)
    assert fast.events[0].headline() == "Kid reacts at count 1, with 1 speed point"


def test_half_the_rank_speeds_up_its_skill_and_a_point_is_a_count():  # 836, 856
    assert [rank_speed(RULES, rank).value for rank in (None, 0, 5, 8)] == [0, 0, 2, 4]
    assert hurried(RULES, 10, 4).value == 6
    assert hurried(RULES, 3, 9).value == 1
    assert hurried(under(speed_point_counts=2), 10, 4).value == 2
    with pytest.raises(UserError):
        hurried(RULES, 10, -1)


def test_a_preset_sees_better_and_reacts_with_full_speed():  # 842
    assert preset_bonus(RULES).value == 4
    assert reaction_speed(RULES, 5, preset=True).value == 5
    assert initiative_bonus(RULES, 5, preset=True).value == 3
    assert initiative_bonus(RULES, 5, perceived=False, preset=True).value == 11  # not noticed: half as ever, and late


@pytest.mark.parametrize(("units", "cost", "once"), [(0, 0, 0), (12, 0, 0), (13, 1, 1), (24, 1, 1), (25, 2, 1), (60, 4, 1)])
def test_holding_a_preset_costs_mental_fatigue_beyond_mental_strength(units, cost, once):  # 842
    assert preset_cost(RULES, 12, units).value == cost
    assert preset_cost(under(preset_cost_repeats=False), 12, units).value == once


def test_nobody_holds_a_preset_without_a_mind():
    with pytest.raises(UserError):
        preset_cost(RULES, 0, 5)


def test_entering_a_scene_is_perceiving_then_reacting():  # 808-812
    seen = script(enter_scene(RULES, Reactor(Watcher(12), 4)), [(52,), (3, 4)]).outcome
    assert seen == Entry(Degree.SUCCESS, 13)
    missed = script(enter_scene(RULES, Reactor(Watcher(12), 4)), [(53,), (3, 4)]).outcome
    assert missed == Entry(Degree.FAILURE, 18)
    waiting = script(enter_scene(RULES, Reactor(Watcher(12), 4, preset=True)), [(57,), (3, 4)]).outcome  # DF 16: 60 %
    assert waiting == Entry(Degree.SUCCESS, 11)


def test_the_odds_of_entering_a_scene():
    odds = exact(lambda: enter_scene(RULES, Reactor(Watcher(12), 4)))
    on_8 = sum(weight for entry, weight in odds if entry.count == 8)
    assert Fraction(on_8, odds.total) == Fraction(52, 100) * Fraction(1, 36)


def test_an_action_takes_effect_its_speed_after_initiative():  # 846-850
    assert takes_effect(RULES, 13).value == 23
    assert takes_effect(RULES, 13, speed=3).value == 16
    assert takes_effect(RULES, 13, "perception").value == 21
    with pytest.raises(UserError):
        takes_effect(RULES, 13, "sing")


@pytest.mark.parametrize(("within", "chance"), [(10, 52), (5, 26), (2, 10), (20, 52)])
def test_in_a_part_of_the_time_there_is_that_part_of_the_chance(within, chance):  # 852-854
    assert rushed(RULES, 12, 10, within).value == chance


def test_a_quarter_of_the_time_is_a_quarter_of_the_chance():  # 854
    assert rush_share(RULES, 8, 2) == (1, 4)
    for wrong in ((8, 0), (0, 3)):
        with pytest.raises(UserError):
            rush_share(RULES, *wrong)


def test_drawing_takes_twice_the_weapons_speed_and_a_fast_draw_once():  # 858-872
    assert script(draw(RULES, 3), []).outcome == 6
    assert script(draw(RULES, 3, True, Check(12)), [(52,)]).outcome == 3
    slow = script(draw(RULES, 3, True, Check(12), "Kid"), [(53,)])
    assert slow.outcome == 6
    assert slow.events[0].headline() == "Kid draws in 6 counts"


def test_setting_up_adds_twenty_percent_and_two_a_rank():  # 876-882
    assert [setup_bonus(RULES, rank).value for rank in (None, 0, 8)] == [20, 20, 36]
    assert set_up(RULES, Check(12), 8) == Check(12, 36)
    assert set_up(under(setup_after_look_up=False), Check(12), 8) == Check(19)


def test_setting_up_takes_as_long_again_and_a_quarter_of_long_tasks():  # 884-888
    assert setup_counts(RULES, 10).value == 10
    assert setup_counts(RULES, 5, "minute").value == 5
    assert setup_counts(RULES, 40, "minute").value == 10
    assert setup_counts(RULES, 8, "hour").value == 2
