"""Fatigue between scenes in Silhouette, against the book's figures (lines 2585-2610), and how long its scenes take."""

import pytest
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import Location, OngoingEffect
from silhouette.downtime.people import HOME, RULES, SILHOUETTE, body, lived, person, told

TIRING = SILHOUETTE.book.ruleset(settings={"fatigue": True})


def fatigue(days, *people, places=(HOME,), rules=TIRING):
    return body(lived(days, *people, places=places, rules=rules)).fatigue


def test_quiet_rest_takes_one_away_every_half_hour():
    """Line 2607."""
    tired = person(fatigue=-3)
    assert [fatigue(hours / 24, tired) for hours in (0.49, 0.5, 1, 1.5)] == [-3, -2, -1, 0]
    assert fatigue(1, tired, rules=RULES) == -3  # an option of the book


def test_half_hours_cannot_replace_sleep():
    """Line 2607, a ruling with a setting."""
    awake = person(fatigue=-3, runs=(OngoingEffect("fatigue", data=(0, -3, 0)),))
    assert [fatigue(days, awake) for days in (0.9, 1, 2)] == [-3, -1, 0]
    freely = SILHOUETTE.book.ruleset(settings={"fatigue": True, "rest-removes": "all"})
    assert fatigue(1.5 / 24, awake, rules=freely) == 0
    inn = Location.of("inn", nights="sound sleep")
    assert [fatigue(days, replace(awake, location="inn"), places=(inn,)) for days in (0.99, 1)] == [-3, 0]


@pytest.mark.parametrize(("insomniac", "days"), [(False, [-1, -2, -3]), (True, [-2, -4, -6])])
def test_three_nights_without_sleep_cost_three(insomniac, days):
    """Line 2593; an insomniac loses twice as much."""
    awake = person(exertion="no sleep", insomniac=insomniac, fitness=3)
    assert [fatigue(number, awake) for number in (1, 2, 3)] == days


def test_fitness_is_added_and_at_minus_five_people_collapse():
    """Line 2591: the fifth night; one with Fitness 1 holds out for another."""
    weak, fit = (person(exertion="no sleep", fitness=fitness) for fitness in (0, 1))
    down = {fitness: [body(lived(days, who, rules=TIRING)).collapsed for days in (4, 5, 6)] for fitness, who in ((0, weak), (1, fit))}
    assert down == {0: [False, True, True], 1: [False, False, True]}
    played = lived(5, weak, rules=TIRING)
    assert "Ana collapses from fatigue" in told(played)
    assert [body(lived(days, weak, rules=TIRING)).fatigue for days in (5, 6, 7, 8)] == [-5, -3, -1, 0]
    assert not body(lived(8, weak, rules=TIRING)).collapsed


def test_work_and_the_night_after_it():
    """Lines 2595 and 2609: eight hours of work cost 1, and the night gives 2 back."""
    assert fatigue(5, person(exertion="hard work")) == 0
    assert fatigue(1, person(exertion="hard work", fatigue=-4)) == -3


@pytest.mark.parametrize(("load", "after"), [("", -3), ("heavy load", -4), ("full load", -5)])
def test_a_load_tires_on_top_of_a_days_walk(load, after):
    """Lines 2597-2599: 1 for the walk, 1 or 2 for the load; the night gives 2 back."""
    assert fatigue(1, person(exertion="walking", load=load, fatigue=-4, fitness=4)) == after


@pytest.mark.parametrize(("temperature", "armor", "after"), [("mild", 9, -3), ("extreme", 0, -4), ("extreme", 9, -5)])
def test_heat_and_armor_tire_on_top_of_that(temperature, armor, after):
    """Line 2603."""
    desert = Location.of("desert", temperature=temperature)
    assert fatigue(1, person(desert, exertion="walking", armor=armor, fatigue=-4, fitness=4), places=(desert,)) == after


@pytest.mark.parametrize(("kind", "seconds"), [("fight", 6), ("chase", 6), ("wilderness", 8 * HOUR), ("ordeal", DAY), ("repairs", DAY)])
def test_scenes_say_how_long_a_round_takes(kind, seconds):
    """Line 7429: a round of characters is six seconds; the others count watches and days."""
    assert SILHOUETTE.staging(kind).scene(RULES).seconds_a_round == seconds
