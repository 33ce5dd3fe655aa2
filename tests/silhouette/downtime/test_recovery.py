"""Treated wounds and bruises between scenes in Silhouette, against the book's figures (lines 2493-2508, 2547-2574, 2695-2701)."""

import pytest
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, MINUTE
from rulewright.campaign.downtime import RUNS, Goal, Location, OngoingEffect
from rulewright.play import ScriptedFaces
from rulewright.systems.silhouette.build.audit.gear import condition
from rulewright.systems.silhouette.fight.aftermath import body_after
from rulewright.systems.silhouette.people.characters import Character
from silhouette.downtime.people import HOSPITAL, RULES, SILHOUETTE, body, lived, person, told


def test_with_constant_aid_a_flesh_wound_takes_three_days_and_a_deep_one_two_weeks():
    """Lines 2571-2573: one at a time, Flesh before Deep (2549)."""
    ana = person(HOSPITAL, flesh=2, deep=1, stable_flesh=2, stable_deep=1)
    left = {days: (body(lived(days, ana)).flesh, body(lived(days, ana)).deep) for days in (2.99, 3, 5.99, 6, 19.99, 20)}
    assert left == {2.99: (2, 1), 3: (1, 1), 5.99: (1, 1), 6: (0, 1), 19.99: (0, 1), 20: (0, 0)}
    assert body(lived(20, ana)).stiffness == 0


def test_without_aid_a_week_and_a_month_and_a_deep_wound_leaves_stiffness():
    """Line 2567."""
    ana = person(flesh=1, deep=1, stable_flesh=1, stable_deep=1)
    assert [body(lived(days, ana)).flesh for days in (6.99, 7)] == [1, 0]
    assert [body(lived(days, ana)).deep for days in (36.99, 37)] == [1, 0]
    assert body(lived(37, ana)).stiffness == -1


@pytest.mark.parametrize(("factor", "days"), [(0.75, 2.25), (1.5, 4.5)])
def test_perks_and_flaws_of_healing(factor, days):
    """Lines 8655 and 8996."""
    ana = person(HOSPITAL, flesh=1, stable_flesh=1, healing=factor)
    assert [body(lived(each, ana)).flesh for each in (days - 0.01, days)] == [1, 0]


def test_the_hospital_case_of_the_book_takes_41_days():
    """Lines 2695-2701; the book prints 34, but a week, two times three days and two times two weeks are 41."""
    al = person(HOSPITAL, flesh=2, deep=2, stable_flesh=2, stable_deep=2, resuscitated=True)
    played = lived(100, al, goal=Goal("Ana", "no wounds"))
    assert played.outcome.now == 41 * DAY
    assert [body(lived(days, al)).resuscitated for days in (6.99, 7)] == [True, False]
    healed = next(event for event in played.events if "Flesh" in event.headline())
    assert healed.reasons()[0].value == 3


def test_the_resuscitated_die_without_aid_unless_somebody_nurses_them():
    """Line 2567; that it takes a day is a ruling."""
    ana = person(flesh=1, stable_flesh=1, resuscitated=True)
    assert [body(lived(days, ana)).dead for days in (0.99, 1)] == [False, True]
    nurse = person(name="Bruno", medicine=1)
    nursed = body(lived(8, ana, nurse))
    assert not nursed.dead
    assert not nursed.resuscitated
    assert body(lived(1, ana, replace(nurse, location="hospital"))).dead
    assert body(lived(1, ana, replace(nurse, life=replace(nurse.life, body=replace(nurse.life.body, coma=True))))).dead


def test_a_coma_of_more_than_a_week_kills_only_without_aid():
    """Lines 2567 and 2573."""
    assert [body(lived(7 + minutes * MINUTE / DAY, person(coma=True))).dead for minutes in (0, 1)] == [False, True]
    assert not body(lived(400, person(HOSPITAL, coma=True))).dead


def test_comatose_people_heal_normally():
    """Line 2549 and the following."""
    assert body(lived(3, person(HOSPITAL, coma=True, flesh=1, stable_flesh=1))).flesh == 0


def test_untreated_wounds_do_not_heal():
    """Lines 2509-2516; a ruling with a setting. Health 8 cannot fail."""
    ana = person(flesh=1, health=8)
    assert body(lived(30, ana)).flesh == 1
    freely = SILHOUETTE.book.ruleset(settings={"only-treated-wounds-heal": False})
    assert [body(lived(days, ana, rules=freely)).flesh for days in (6.99, 7)] == [1, 0]


def test_a_change_of_care_counts_what_has_healed_already():
    """Four of seven days at home are more than the three of a hospital."""
    begun = (OngoingEffect("recovery", "flesh", 4 * DAY),)
    assert body(lived(0.001, person(HOSPITAL, flesh=1, stable_flesh=1, runs=begun))).flesh == 0
    assert [body(lived(days, person(flesh=1, stable_flesh=1, runs=begun))).flesh for days in (2.99, 3)] == [1, 0]


def test_what_heals_begins_anew_after_a_wound_that_goes_first():
    """Line 2549: ten days into a Deep Wound, a treated Flesh Wound goes first and the two weeks begin anew (ruling)."""
    begun = (OngoingEffect("recovery", "deep", 10 * DAY),)
    ana = person(HOSPITAL, flesh=1, deep=1, stable_flesh=1, stable_deep=1, runs=begun)
    assert [body(lived(days, ana)).flesh for days in (2.99, 3)] == [1, 0]
    assert [body(lived(days, ana)).deep for days in (16.99, 17)] == [1, 0]


def test_rehabilitation_takes_as_long_as_the_place_says():
    """Line 2567."""
    spa = Location.of("spa", rehabilitation=10)
    assert [body(lived(days, person(spa, stiffness=-2), places=(spa,))).stiffness for days in (9.99, 10)] == [-2, 0]
    assert body(lived(60, person(stiffness=-2))).stiffness == -2


def test_bruises_fade_after_a_die_of_hours_or_days():
    """Lines 2559-2560."""
    ana = person(bruised_flesh=2, bruised_deep=1)
    at = {hours: body(lived(hours / 24, ana, dice=ScriptedFaces([(2,), (5,), (3,)]))) for hours in (1.9, 2, 5, 71, 72)}
    assert [hurt.bruised_flesh for hurt in at.values()] == [2, 1, 0, 0, 0]
    assert [hurt.bruised_deep for hurt in at.values()] == [1, 1, 1, 1, 0]


def test_bruises_beside_wounds_heal_like_these():
    """Line 2507, last sentence."""
    ana = person(HOSPITAL, flesh=1, bruised_flesh=1, stable_flesh=2)
    assert (body(lived(3, ana)).flesh, body(lived(3, ana)).bruised_flesh) == (1, 0)
    assert body(lived(6, ana)).flesh == 0


def test_a_file_keeps_what_a_fight_keeps_and_unconsciousness():
    """The condition of a downtime is that of a fight, and a file with it stays sound and is read again unchanged."""
    ana = person(flesh=2, stable_flesh=1, fatigue=-2, unconscious=40)
    kept = {field: lasts.value for field, lasts in SILHOUETTE.downtime.lasting(ana.life).items()}
    taken_in = {field: value for field, value in kept.items() if field.startswith("taken_in.")}
    assert not any(taken_in.values())
    assert kept == {**{field: lasts.value for field, lasts in body_after(ana.life.body).items()}, "unconscious": 40, **taken_in}
    runs = [{"of": "degeneration", "about": "flesh", "spent": 600}]
    character = Character("silhouette", "character", "Ana", condition={**kept, RUNS: runs})
    again = SILHOUETTE.downtime.of(RULES, character, "Ana").body
    assert {field: getattr(again, field) for field in kept if field != "limbs" and field not in taken_in} == {
        field: value for field, value in kept.items() if field != "limbs" and field not in taken_in
    }
    assert not list(condition(character))
    assert len(list(condition(replace(character, condition={RUNS: 3, "unconscious": -1})))) == 2


def test_the_sums_of_healing_are_told():
    played = lived(3, person(HOSPITAL, flesh=1, stable_flesh=1, healing=1.0))
    assert "Ana recovers: a Flesh Wound has healed" in told(played)
