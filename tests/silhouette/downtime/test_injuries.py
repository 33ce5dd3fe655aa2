"""Open wounds between scenes in Silhouette, against the book's figures (lines 2489-2491, 2509-2546, 2683-2693)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, MINUTE
from rulewright.campaign.downtime import Location, OngoingEffect
from rulewright.play import ScriptedFaces, play, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.action.recovery import time_passes
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.healing import Medic, save_life
from silhouette.downtime.people import HOME, HOSPITAL, RULES, SILHOUETTE, began, body, lived, person, told

FIVE = 5 * MINUTE / DAY
WARD = Location.of("ward", care="constant", medicine=4)


def fates(seconds, *people, of, **more):
    """The exact chances of what `of` says about the first person."""
    scene, state = began(seconds, *people, **more)
    odds = exact(sub(run, scene, state)).map(lambda after: of(after.people[0].life.body))
    return {fate: Fraction(weight, odds.total) for fate, weight in odds.weights.items()}


def counted(dice, reading):
    """The chances of a reading of so many dice, by counting every throw."""
    throws = Counter(reading(faces) for faces in product(range(1, 7), repeat=dice))
    return {result: Fraction(number, 6**dice) for result, number in throws.items()}


def highest(faces):
    """The book's reading (lines 565-570): the highest die, and one more for every further six."""
    return max(faces) + max(0, faces.count(6) - 1)


# --- getting worse ------------------------------------------------------------------------------------------------------------


def test_three_untreated_flesh_wounds_are_tested_every_eight_hours():
    """Line 2513: 24 hours divided by three. Health 0 at -3 needs a 4 against 1; all ones are a Deep Wound (line 2515)."""
    ana = person(flesh=3, system_shock=20)
    wounds = lambda body: (body.flesh, body.deep)  # noqa: E731
    assert fates(8 * 3600 - 1, ana, of=wounds) == {(3, 0): 1}

    def worse(faces):
        return (3, 1) if max(faces) == 1 else (3, 0) if highest(faces) - 3 >= 1 else (4, 0)

    assert fates(8 * 3600, ana, of=wounds) == counted(2, worse)


def test_the_hospital_case_has_its_two_clocks():
    """Lines 2683-2687: two Flesh Wounds every 12 hours, one Deep Wound every hour."""
    al = person(flesh=2, deep=1, health=1, system_shock=6)
    scene, state = began(13 * 3600, al)
    state = scene.settled(state)
    due = {effect.about: scene.remaining(state, state.people[0], effect) for effect in state.people[0].runs if effect.of == "degeneration"}
    assert due == {"flesh": 12 * 3600, "deep": 3600}


def test_time_at_home_is_that_of_the_rule_without_downtime():
    """27 hours with a Flesh Wound: the same chances as `time_passes`. (Only tests that become overdue differ, by its minute.)"""
    ana = person(flesh=1, deep=0, system_shock=9, health=-1)
    odds = exact(sub(time_passes, RULES, ana.life.body, 27 * 60))
    other = {fate: Fraction(weight, odds.total) for fate, weight in odds.map(lambda body: (body.flesh, body.dead)).weights.items()}
    assert fates(27 * 3600, ana, of=lambda body: (body.flesh, body.dead)) == other
    assert len(other) > 2


def test_wounds_that_come_together_shorten_the_time_to_the_next_test():
    """20 of 24 hours have gone when a second wound makes it 12: the test is due at once, and not skipped."""
    late = (OngoingEffect("degeneration", "flesh", 20 * 3600),)
    played = lived(1 / DAY, person(flesh=2, runs=late))
    assert len([words for words in told(played) if "worse" in words]) == 1


def test_a_wound_that_knocks_out_lasts_its_minutes_and_the_person_wakes():
    """Lines 2489-2491, a setting: Health -1 at -2 fails with a 3, and again; two dice of minutes for two Flesh Wounds."""
    rules = SILHOUETTE.book.ruleset(settings={"degeneration-knocks-out": True})
    ana = person(flesh=1, health=-1, system_shock=9)
    faces = [(2, 1), (3, 1), (4, 2)]
    out = [body(lived(1 + minutes * MINUTE / DAY, ana, rules=rules, dice=ScriptedFaces(faces))) for minutes in (0, 5.9, 6)]
    assert [hurt.unconscious for hurt in out] == [6, 6, 0]
    assert [hurt.awake for hurt in out] == [False, False, True]
    assert "Ana wakes" in told(lived(1.1, ana, rules=rules, dice=ScriptedFaces(faces)))


# --- stabilizing --------------------------------------------------------------------------------------------------------------


def test_a_companion_tries_every_five_minutes_and_deep_wounds_go_first():
    """Line 2529: Medicine against 1 with the victim's Health and wounds; one die 4 at -3 is enough, a 3 is not."""
    ana = person(flesh=1, deep=1, system_shock=9)
    doc = person(name="Doc", medicine=1)
    at = [body(lived(minutes * MINUTE / DAY, ana, doc, dice=ScriptedFaces([(3,), (4,), (5,)]))) for minutes in (4.9, 5, 10, 15)]
    assert [(hurt.stable_flesh, hurt.stable_deep) for hurt in at] == [(0, 0), (0, 0), (0, 1), (1, 1)]


def test_the_chances_of_one_attempt_are_those_of_counting():
    """Line 2529: two dice, Creativity 1, -3 for the wounds: a 3 is enough; two ones fumble and add a Flesh Wound."""
    doc = person(name="Doc", medicine=2, attribute=1)

    def treated(faces):
        return (2, 0) if max(faces) == 1 else (1, 1) if highest(faces) + 1 - 3 >= 1 else (1, 0)

    ana = person(flesh=1, deep=1, system_shock=9)
    assert fates(5 * MINUTE, ana, doc, of=lambda body: (body.flesh, body.stable_deep)) == counted(2, treated)


@pytest.mark.parametrize(("medicine", "wounds", "treated"), [(1, 4, 1), (1, 5, 0), (2, 5, 1), (2, 6, 0)])
def test_nobody_treats_where_a_fumble_is_as_likely_as_success(medicine, wounds, treated):
    """A ruling. One die at -5 needs a 6, as likely as a 1; two dice at -6 need 7, two sixes, which are as likely as two ones."""
    sixes = (6,) * medicine
    played = lived(FIVE, person(flesh=wounds, system_shock=19), person(name="Doc", medicine=medicine), dice=ScriptedFaces([sixes]))
    assert body(played).stable_flesh == treated


def test_people_treat_themselves_with_their_penalty_twice():
    """Line 2529."""
    own = person(flesh=1, medicine=1)
    assert [body(lived(FIVE, own, dice=ScriptedFaces([(face,)]))).stable_flesh for face in (2, 3)] == [0, 1]
    assert body(lived(FIVE, person(flesh=1, medicine=1, coma=True))).stable_flesh == 0


def test_the_unskilled_the_unconscious_and_those_elsewhere_treat_nobody():
    ana = person(flesh=1, health=8)
    others = (person(name="Bo"), person(name="Cy", medicine=3, coma=True), person(HOSPITAL, "Di", medicine=3))
    assert body(lived(0.5, ana, *others)).stable_flesh == 0


def test_equipment_and_staff_of_a_place_count():
    """A hospital has Medicine 2, and equipment makes up for wounds."""
    clinic = Location.of("clinic", care="constant", equipment=4)
    poor = Location.of("poor clinic", care="constant")
    hurt = {"flesh": 6, "system_shock": 9, "health": 1}
    good = lived(FIVE, person(clinic, **hurt), places=(clinic,), dice=ScriptedFaces([(2, 2)]))
    bad = lived(FIVE, person(poor, **hurt), places=(poor,), dice=ScriptedFaces([(2, 2)]))
    assert (body(good).stable_flesh, body(bad).stable_flesh) == (1, 0)


@pytest.mark.parametrize(
    ("exertion", "stable"),
    [("rest", (1, 1)), ("ordinary days", (1, 0)), ("walking", (1, 0)), ("hard work", (0, 0)), ("strenuous travel", (0, 0))],
)
def test_activity_reopens_wounds_and_they_are_not_treated_again(exertion, stable):
    """Line 2531: Flesh Wounds by heavy activity, Deep Wounds by anything beyond bed rest."""
    ana = person(exertion=exertion, flesh=1, deep=1, stable_flesh=1, stable_deep=1, health=8, system_shock=9)
    played = lived(1 / 24, ana, person(name="Doc", medicine=4))
    assert (body(played).stable_flesh, body(played).stable_deep) == stable
    assert any("reopens" in words for words in told(played)) == (stable != (1, 1))


def test_who_is_not_able_rests_whatever_they_would_do():
    """A ruling."""
    ana = person(HOSPITAL, exertion="hard work", flesh=1, stable_flesh=1, coma=True)
    assert body(lived(1, ana)).stable_flesh == 1


# --- dying --------------------------------------------------------------------------------------------------------------------


def test_the_dying_live_as_long_as_their_trauma_where_nobody_helps():
    """Line 2541: twice System Shock 5, less 5, are five minutes."""
    ana = person(deep=2, flesh=1, trauma=5)
    assert [body(lived(minutes * MINUTE / DAY, ana)).dead for minutes in (4.9, 5)] == [False, True]


def test_the_chance_to_live_is_the_books():
    """Line 2543: four dice at -5 need a six, and then another to stabilize a Deep Wound, or shock begins again; one attempt in five
    minutes."""
    ana = person(WARD, deep=2, flesh=1, trauma=5)
    six = 1 - Fraction(5, 6) ** 4
    after = fates(5 * MINUTE, ana, places=(WARD,), of=lambda body: "dead" if body.dead else body.trauma is None)
    assert after["dead"] == 1 - six
    assert after[True] == six * six


@pytest.mark.parametrize("minutes", [3, 5, 8, 13])
def test_the_attempts_are_those_of_the_rule(minutes):
    """Lines 2541-2543: the staff that is there from the first minute saves as many as `save_life` does."""
    victim = Patient("Ana", deep=2, flesh=1, trauma=minutes, system_shock=9, health=-1)
    odds = exact(sub(save_life, RULES, Medic("the staff", 4, hero=False), victim)).map(lambda body: body.dead)
    dead = Fraction(odds.weights[True], odds.total)
    stay = person(WARD)
    stay = replace(stay, life=stay.life.with_body(victim))
    assert fates(minutes * MINUTE, stay, places=(WARD,), of=lambda body: body.dead)[True] == dead
    assert 0 < dead < 1


def test_a_failed_attempt_costs_five_minutes_and_with_one_attempt_the_hope():
    """Line 2543, a ruling with a setting."""
    ana = person(WARD, deep=2, flesh=1, trauma=8)
    once = SILHOUETTE.book.ruleset(settings={"resuscitation-attempts": "one"})
    failed = lived(FIVE, ana, places=(WARD,), dice=ScriptedFaces([(5, 2, 2, 2)]))
    assert body(failed).trauma == 3
    faces = [(5, 2, 2, 2), (6, 2, 2, 2), (6, 2, 2, 2)]
    assert not body(lived(8 * MINUTE / DAY, ana, places=(WARD,), dice=ScriptedFaces(faces))).dead
    assert body(lived(8 * MINUTE / DAY, ana, places=(WARD,), rules=once, dice=ScriptedFaces(faces))).dead


def test_help_that_comes_late_finds_the_minutes_that_are_left():
    """Seven of eight minutes have gone: one attempt, and another in the last minute."""
    scene, state = began(MINUTE, person(WARD, deep=2, flesh=1, trauma=8, runs=(OngoingEffect("dying", spent=7 * MINUTE),)), places=(WARD,))
    first = play(scene.step(state), dice=ScriptedFaces([(5, 2, 2, 2)])).outcome
    assert (first.now, first.people[0].life.body.trauma) == (0, 1)
    last = play(scene.step(first), dice=ScriptedFaces([(5, 2, 2, 2)])).outcome
    assert (last.now, last.people[0].life.body.dead) == (MINUTE, True)


def test_time_stops_when_somebody_dies():
    played = lived(30, person(deep=2, flesh=1, trauma=2), person(HOSPITAL, "Bruno", flesh=1), stops=("dead",))
    assert (played.outcome.now, played.outcome.stopped) == (2 * MINUTE, "Ana is dead")


def test_the_card_says_what_is_next():
    scene, state = began(DAY, person(WARD, deep=2, flesh=1, trauma=5), person(HOME, "Bo", flesh=1), places=(WARD, HOME))
    words = [tag.name for card in scene.view(state, None).cards for tag in card.pieces if hasattr(tag, "effect")]
    assert "dying, 5 minutes left: the staff tries to resuscitate" in words
    assert "untreated Flesh Wounds may get worse" in words
