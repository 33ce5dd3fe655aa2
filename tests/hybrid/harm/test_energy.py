"""Fatigue, exhaustion and movement (book lines 724-802)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.hybrid.harm.energy import Drained, Energy, drain, exert, keep_up, rest, spend
from rulewright.systems.hybrid.people.movement import MODES, Motion, accelerate, distance, mental_distance, pace, paces
from rulewright.systems.hybrid.resolution.tests import Check
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
FULL = Energy.full(36, 60)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


# --- energy (lines 724-768) ----------------------------------------------------------------------------------------------------


def test_ten_points_of_fatigue_cost_one_of_exhaustion():  # 730
    assert exert(RULES, FULL, 10) == Energy(26, 59, 36, 60, 0)
    assert exert(RULES, FULL, 9) == Energy(27, 60, 36, 60, 9)
    assert exert(RULES, exert(RULES, FULL, 9), 1) == exert(RULES, FULL, 10)


def test_beyond_fatigue_effort_comes_from_exhaustion_and_a_blow_from_the_body():  # 728-732, 1025
    assert exert(RULES, FULL, 40).exhaustion == 60 - 3 - 4
    assert exert(under(exhaustion_follows_fatigue=False), FULL, 40).exhaustion == 57
    assert drain(RULES, FULL, 40) == Drained(Energy(0, 57, 36, 60, 6), 4)
    with pytest.raises(UserError, match="0 or more"):
        drain(RULES, FULL, -1)


@given(integers(0, 200), integers(0, 200))
def test_effort_in_two_parts_costs_what_it_costs_in_one(first, second):
    assert exert(RULES, exert(RULES, FULL, first), second) == exert(RULES, FULL, first + second)


def test_only_exhaustion_hinders():  # 730-732
    assert not Energy(0, 1, 36, 60).exhausted
    assert Energy(10, 0, 36, 60).exhausted


@pytest.mark.parametrize(
    ("activity", "seconds", "fatigue", "exhaustion"),
    [
        ("crawling", 3600, 0, 0),
        ("walking", 1800, 30, 3),
        ("jogging", 600, 0, 10),
        ("running", 60, 0, 6),
        ("dash", 5, 0, 10),
        ("chopping wood", 600, 30, 3),
        ("studying", 1800, 30, 3),
        ("spell research", 600, 30, 3),
    ],
)
def test_activities_cost_what_the_tables_say(activity, seconds, fatigue, exhaustion):  # 736-752
    after = spend(RULES, FULL, activity, seconds)
    assert (36 - after.fatigue, 60 - after.exhaustion) == (fatigue, exhaustion)


def test_the_exhaustion_of_an_activity_holds_the_tenth_of_its_fatigue():  # 739, 743: 60 a hour and 6
    fit = Energy.full(200, 200)
    for activity in ("walking", "chopping wood", "studying", "spell research"):
        after = spend(RULES, fit, activity, 3600)
        assert (200 - after.exhaustion) * 10 == 200 - after.fatigue
    twice = spend(under(exhaustion_twice=True), fit, "walking", 3600)
    assert (200 - twice.fatigue, 200 - twice.exhaustion) == (60, 12)


@pytest.mark.parametrize("follows", [True, False])
def test_an_activity_costs_the_exhaustion_of_the_table_and_no_more_when_fatigue_runs_out(follows):  # 739, 743
    rules = under(exhaustion_follows_fatigue=follows)
    assert spend(rules, Energy(0, 60, 36, 60), "walking", 600).exhaustion == 59
    assert spend(rules, FULL, "walking", 3600) == replace(FULL, fatigue=0, exhaustion=54)
    assert spend(rules, FULL, "chopping wood", 3600) == replace(FULL, fatigue=0, exhaustion=42)
    assert keep_up(rules, FULL, "chopping wood", 36_000).energy == replace(FULL, fatigue=0, exhaustion=42)


def test_no_activity_takes_less_than_no_time():
    with pytest.raises(UserError):
        spend(RULES, FULL, "walking", -1)


@pytest.mark.parametrize(("activity", "exhaustion"), [("sitting", 2), ("resting", 5), ("sleeping", 10), ("large meal", 6)])
def test_an_hour_of_rest_gives_back(activity, exhaustion):  # 758-768
    after = rest(RULES, Energy(0, 0, 36, 60), activity, 3600)
    assert (after.fatigue, after.exhaustion) == (36, exhaustion)


def test_fatigue_returns_by_the_second_and_nothing_beyond_what_one_has():  # 760
    assert rest(RULES, Energy(10, 58, 36, 60), "sitting", 20) == Energy(30, 58, 36, 60)
    assert rest(RULES, Energy(10, 58, 36, 60), "sleeping", 36_000) == FULL


def test_the_mind_rests_like_the_body_unless_the_campaign_says_otherwise():
    tired = Energy(0, 0, 36, 60)
    assert rest(RULES, tired, "sitting", 3600, mind=True).exhaustion == 2
    assert rest(under(mind_rests_alike=False), tired, "sitting", 3600, mind=True) == tired
    assert rest(under(mind_rests_alike=False), tired, "sleeping", 3600, mind=True).exhaustion == 10
    with pytest.raises(UserError):
        rest(RULES, tired, "sitting", -5)


# --- movement (lines 770-802) --------------------------------------------------------------------------------------------------


def test_reed_johnson_moves_at_these_paces():  # 798
    assert paces(RULES, 10) == {"dash": 10, "run": 5, "jog": 2.5, "walk": 1.3, "crawl": 0.6, "no move": 0}


def test_joe_daring_runs_sixty_metres_in_fifteen_seconds_and_dashes_twice_as_far():  # 790
    assert distance(RULES, 8, "run", 15).value == 60
    assert distance(RULES, 8, "dash", 15).value == 120


@given(integers(0, 200))
def test_every_pace_is_half_of_the_one_above(tenth):
    shown = [pace(RULES, tenth / 10, mode).value for mode in MODES[1:]]
    for power, found in enumerate(reversed(shown)):
        assert abs(Fraction(str(found)) - Fraction(tenth, 10) / 2**power) <= Fraction(1, 20)


def test_getting_up_to_speed():  # 794
    first = script(accelerate(RULES, Motion("no move", "dash"), Check(12)), [(52,)]).outcome
    assert first.mode == "run"
    assert script(accelerate(RULES, first, Check(12)), [(10,)]).outcome.mode == "dash"
    dropped = script(accelerate(RULES, first, Check(12), "Reed"), [(90,)])
    assert dropped.outcome.mode == "jog"
    assert dropped.events[0].headline() == "Reed goes from a run to a jog"
    assert script(accelerate(RULES, Motion("no move", "dash"), Check(12)), [(90,)]).outcome.mode == "no move"
    assert script(accelerate(RULES, Motion("run", "walk")), []).outcome == Motion("walk", "walk")
    assert script(accelerate(RULES, Motion("no move", "crawl"), Check(12)), [(1,)]).outcome.mode == "crawl"


def test_the_odds_of_getting_up_to_speed():
    odds = exact(lambda: accelerate(RULES, Motion("no move", "run"), Check(12)))
    assert odds[Motion("jog", "run")] == Fraction(52, 100)


@given(floats(0, 20).map(lambda speed: round(speed, 1)), integers(0, 100))
def test_a_mind_travels_its_movement_times_the_time(mmv, seconds):  # 802
    assert mental_distance(RULES, mmv, seconds).value == pytest.approx(mmv * seconds)


def test_nobody_moves_backwards_in_time():
    for wrong in (lambda: distance(RULES, 8, "run", -1), lambda: mental_distance(RULES, 8, -1), lambda: pace(RULES, -1)):
        with pytest.raises(UserError):
            wrong()
