"""Tiring and resting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.systems.scumm.gear.encumbrance import capacity
from rulewright.systems.scumm.harm.body import AVERAGE, Influence
from rulewright.systems.scumm.harm.damage import action_penalty
from rulewright.systems.scumm.harm.fatigue import Weariness, after_fight, bear, catch_breath, fatigue_penalty, load_tires, rest, tire
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
TIRING = BOOK.ruleset(settings={"fatigue": True, "carrying-capacity": True})


def test_three_nights_without_sleep_cost_three():  # book, line 588
    assert tire(RULES, "missed sleep", 3) == Weariness(sleep=-3)


@pytest.mark.parametrize(
    ("cause", "amount", "points"),  # book, lines 590-598
    [
        ("hard work", 8, -1),
        ("hard work", 15, -1),
        ("hard work", 16, -2),
        ("walking", 2, -2),
        ("strenuous travel", 4, -1),
        ("strenuous travel", 12, -3),
        ("load above half", 1, -1),
        ("load above three quarters", 1, -2),
        ("load above three quarters", 0.5, -1),
        ("extreme temperature", 1, -1),
        ("armor in extreme temperature", 1, -1),
    ],
)
def test_causes_cost_what_is_printed(cause: str, amount: float, points: int):
    assert tire(RULES, cause, amount) == Weariness(other=points)


def test_fatigue_adds_up():  # book, line 586
    weary = tire(RULES, "walking", 1, tire(RULES, "missed sleep", 1, tire(RULES, "hard work", 8)))
    assert (weary.sleep, weary.other, weary.total) == (-1, -2, -3)


def test_body_is_added_but_comes_to_no_bonus():  # book, line 586
    assert fatigue_penalty(RULES, Weariness(other=-3), 2).value == -1
    assert fatigue_penalty(RULES, Weariness(other=-1), 3).value == 0
    assert fatigue_penalty(RULES, Weariness(other=-1), -2).value == -3
    assert fatigue_penalty(RULES, Weariness(), -2).value == 0
    helped = BOOK.ruleset(settings={"fatigue-can-help": True})
    assert fatigue_penalty(helped, Weariness(other=-1), 3).value == 2
    assert [reason.value for reason in fatigue_penalty(RULES, Weariness(-1, -2, -1), 2).reasons] == [-1, -2, -1, 2]


@given(sleep=st.integers(-6, 0), other=st.integers(-6, 0), body=st.integers(-3, 3))
def test_the_penalty_is_fatigue_and_body_and_nothing_above_zero(sleep: int, other: int, body: int):
    expected = min(0, sleep + other + body) if sleep + other else 0
    assert fatigue_penalty(RULES, Weariness(sleep, other), body).value == expected


def test_heavy_loads_tire_by_their_share_of_full_capacity():  # book, line 594
    assert load_tires(TIRING, 39, 0) == Weariness()
    assert load_tires(TIRING, 39.5, 0) == Weariness(other=-1)
    assert load_tires(TIRING, 59, 0) == Weariness(other=-1)
    assert load_tires(TIRING, 60, 0) == Weariness(other=-2)
    assert load_tires(TIRING, 60, 0, 0.5) == Weariness(other=-1)
    by_heavy = BOOK.ruleset(settings={"fatigue": True, "carrying-capacity": True, "full-capacity": "heavy"})
    assert load_tires(by_heavy, 35, 0) == Weariness(other=-1)
    assert load_tires(by_heavy, 52, 0) == Weariness(other=-2)
    assert load_tires(RULES, 60, 0) == Weariness()


def test_a_fight_tires_for_as_long_as_it_took():  # book, line 596
    weary = after_fight(TIRING, 4)
    assert weary == Weariness(fight=-1, fight_minutes=4)
    assert catch_breath(weary, 3).total == -1
    assert catch_breath(weary, 4).total == 0
    assert after_fight(TIRING, 20, 2) == Weariness(other=-2, fight=-1, fight_minutes=20)
    assert after_fight(RULES, 4) == Weariness()
    with pytest.raises(UserError, match="more than 5 minutes"):
        after_fight(TIRING, 4, 1)
    with pytest.raises(UserError, match="0 minutes or more"):
        after_fight(TIRING, -4)


def test_fatigue_weighs_on_all_tests_where_it_is_played():
    assert bear(TIRING, AVERAGE, Weariness(other=-3), 1).penalty == -2
    assert bear(RULES, AVERAGE, Weariness(other=-3), 1).penalty == 0


def test_minus_five_is_a_collapse_that_lasts_until_all_fatigue_is_gone():  # book, line 586
    fallen = bear(TIRING, AVERAGE, Weariness(other=-6), 1)
    assert not fallen.awake
    assert not bear(TIRING, fallen, Weariness(other=-1), 1).awake
    assert bear(TIRING, fallen, Weariness(), 1).awake
    assert bear(TIRING, AVERAGE, Weariness(other=-5), 1).awake


def test_stimulants_cancel_fatigue():  # book, line 602
    wired = replace(AVERAGE, influences=(Influence("stimulant", 3),))
    assert bear(TIRING, wired, Weariness(other=-4)).fatigue == -1


def test_half_an_hour_of_quiet_takes_away_one_but_no_lost_sleep():  # book, line 602
    weary = Weariness(sleep=-2, other=-3)
    assert rest(RULES, "quiet rest", 0.5, weary) == Weariness(-2, -2)
    assert rest(RULES, "quiet rest", 0.9, weary) == Weariness(-2, -2)
    assert rest(RULES, "quiet rest", 5, weary) == Weariness(-2, 0)
    everything = BOOK.ruleset(settings={"rest-removes": "all"})
    assert rest(everything, "quiet rest", 1.5, weary) == Weariness(0, -2)


def test_a_night_of_rest_takes_away_two_and_sound_sleep_three():  # book, line 602
    weary = Weariness(sleep=-2, other=-3)
    assert rest(RULES, "night of rest", 1, weary) == Weariness(0, -3)
    assert rest(RULES, "sound sleep", 1, weary) == Weariness(0, -2)
    assert rest(RULES, "sound sleep", 3, weary) == Weariness()


def test_rest_outlasts_a_fight():
    assert rest(RULES, "quiet rest", 0.5, Weariness(0, -1, -1, 5)) == Weariness()
    assert rest(RULES, "quiet rest", 0.25, Weariness(0, -1, -1, 20)) == Weariness(0, -1, -1, 5)
    assert rest(RULES, "night of rest", 1, Weariness(0, 0, -1, 600)) == Weariness()


@given(other=st.integers(-9, 0), sleep=st.integers(-9, 0), nights=st.integers(0, 5))
def test_sleep_is_never_saved_up(other: int, sleep: int, nights: int):
    assert rest(RULES, "sound sleep", nights, Weariness(sleep, other)).total == min(0, other + sleep + 3 * nights)


def test_nobody_tires_or_rests_backwards():
    with pytest.raises(UserError, match="0 or more"):
        tire(RULES, "walking", -1)
    with pytest.raises(UserError, match="0 or more"):
        rest(RULES, "quiet rest", -1)
    with pytest.raises(UserError, match="cannot weigh"):
        load_tires(TIRING, -1)


def test_a_body_that_outweighs_fatigue_is_a_bonus_on_tests():  # ruling "fatigue-can-help"
    rules = BOOK.ruleset(settings={"fatigue": True, "fatigue-can-help": True})
    fresh = bear(rules, AVERAGE, Weariness(other=-1), body=3)
    assert (fresh.fatigue, fresh.penalty) == (2, 2)
    assert replace(fresh, flesh=1).penalty == 1
    assert replace(fresh, numbed=3).penalty == 2  # what is numbed is no bonus
    assert action_penalty(rules, replace(fresh, flesh=1)).value == 1
    assert bear(TIRING, AVERAGE, Weariness(other=-1), body=3).penalty == 0


def test_exactly_three_quarters_are_not_above_them():
    by_heavy = BOOK.ruleset(settings={"fatigue": True, "carrying-capacity": True, "full-capacity": "heavy"})
    assert load_tires(by_heavy, 0.75 * capacity(by_heavy, 0).heavy, 0) == Weariness(other=-1)
    assert load_tires(TIRING, 0.75 * capacity(TIRING, 0).deadlift, 0) == Weariness(other=-1)
