"""Stamina between scenes in ForeSight (lines 2523-2558)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from foresight.downtime.test_wounds import DAY, FORESIGHT, HOUR, MINUTE, RULES, body, downtime, lived, person, told
from rulewright.campaign.downtime import Location
from rulewright.play import sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run

TIRED = {"stamina_max": 16, "endurance": 9, "willpower": 9}


@pytest.mark.parametrize(
    ("seconds", "stamina"),
    [(5 * MINUTE - 1, 0), (5 * MINUTE, 3), (30 * MINUTE - 1, 3), (30 * MINUTE, 9), (DAY - 1, 9), (DAY, 16)],
)
def test_rest_lifts_stamina_to_the_threshold_the_reserve_and_a_night_to_the_full(seconds, stamina):
    """Lines 2544-2546, 2529: endurance 9, threshold 3."""
    assert body(lived(seconds, person(stamina=0, **TIRED))).stamina == stamina


def test_half_an_hour_adds_the_threshold_where_that_is_better():
    """Line 2544: 8 and 3 are more than 9; once in a rest (ruling)."""
    assert [body(lived(seconds, person(stamina=8, **TIRED))).stamina for seconds in (30 * MINUTE, 5 * HOUR)] == [11, 11]


def test_exhaustion_passes_with_a_good_night():
    """Lines 2550-2552."""
    ana = person(stamina=9, was_exhausted=True, **TIRED)
    assert [body(lived(seconds, ana)).was_exhausted for seconds in (DAY - 1, DAY)] == [True, False]


def test_nothing_comes_back_without_food_and_shelter():
    """Line 2525."""
    wild = Location.of("home", shelter="not enough")
    assert body(lived(DAY - 1, person(stamina=2, **TIRED), places=(wild,))).stamina == 2


@pytest.mark.parametrize("where", [{"exertion": "no sleep"}, {"place": Location.of("home", shelter="not enough")}])
def test_every_day_without_rest_takes_an_endurance_roll(where):
    """Line 2556: 63 percent for endurance 9."""
    ana, places = person(stamina=16, **TIRED, **where), (where.get("place", Location("home")),)

    def level(seconds):
        scene, state = downtime(seconds, ana, places=places)
        return exact(sub(run, scene, state)).map(lambda state: state.people[0].life.body.wounds)

    assert level(DAY - 1)[0] == 1
    assert level(DAY)[1] == Fraction(37, 100)


@pytest.mark.parametrize(("load", "spent"), [("free", 6), ("laden", 12), ("burdened", 24)])
def test_half_an_hour_on_foot_costs_six_points_and_more_under_a_load(load, spent):
    """Lines 2540-2542: one every five minutes, doubled, and doubled again; the rest that follows adds the threshold."""
    ana = person(exertion="walking", stamina=60, stamina_max=60, endurance=9)
    ana = replace(ana, life=replace(ana.life, load=load))
    assert [body(lived(seconds, ana)).stamina for seconds in (HOUR - 1, HOUR)] == [60, 60 - spent + 3]


def test_a_march_without_rest_costs_twelve_an_hour_for_eight_hours():
    ana = person(exertion="forced march", stamina=100, stamina_max=100, endurance=9)
    assert [body(lived(hours * HOUR, ana)).stamina for hours in (1, 7.9, 8, 8.4, 8.5, 24)] == [88, 16, 4, 4, 9, 100]


def test_stamina_below_minus_endurance_returns_to_zero_and_may_wound():
    """Line 2558: from 1 to -9 and below costs 11 points, an hour 12: the roll at -2 is 45 percent of endurance 9."""
    ana = person(exertion="forced march", stamina=1, **TIRED)
    scene, state = downtime(HOUR, ana)
    after = exact(sub(run, scene, state)).map(lambda state: (state.people[0].life.body.wounds, state.people[0].life.body.stamina))
    assert after[0, -1] == Fraction(45, 100)
    assert after[1, -1] == Fraction(55, 100)


def test_those_who_cannot_walk_rest_instead():
    """Line 2584: who is incapacitated."""
    ana = person(exertion="forced march", wounds=4, stamina=2, **TIRED)
    assert body(lived(HOUR, ana)).stamina == 9


def test_every_change_is_told_with_its_sum():
    played = lived(DAY, person(exertion="walking", stamina=5, **TIRED))
    assert "Ana has 16 of 16 stamina" in told(played)
    events = [event for event in played.events if "stamina" in event.headline()]
    assert all(event.reasons() for event in events)


def test_days_in_bed_and_days_up_rest_alike():
    assert FORESIGHT.downtime.exertions[0].name == "rest"
    for seconds in (30 * MINUTE, DAY):
        assert (
            len({body(lived(seconds, person(exertion=exertion, stamina=1, **TIRED))).stamina for exertion in ("rest", "ordinary days")})
            == 1
        )
    assert RULES.number("reserve-rest-minutes") == 30
