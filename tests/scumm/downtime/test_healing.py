"""Time between scenes in S.C.U.M.M., against the book's figures (lines 545-602)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import Downtime, Goal, Location, OngoingEffect, Participant
from rulewright.play import ScriptedFaces, Seeded, play, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.fatigue import tire
from rulewright.systems.scumm.people.characters import Attributes, Character

SCUMM = find("scumm")
RULES = SCUMM.book.ruleset()
TIRING = SCUMM.book.ruleset(settings={"fatigue": True, "carrying-capacity": True})
HOSPITAL = Location.of("hospital", care="constant")
HOME = Location("home")
ONE_DIE = ScriptedFaces


def character(**condition):
    return Character("scumm", "character", "Ana", Attributes(body=0), emergency_dice=0, condition=condition)


def participant(place, name="Ana", rules=RULES, exertion="", runs=(), **condition):
    return Participant(name, SCUMM.downtime.of(rules, character(**condition), name), exertion, place.name, runs)


def lived(days, *people, places=(HOSPITAL, HOME), rules=RULES, dice=None, **more):
    scene = SCUMM.staging("downtime").scene(rules)
    state = Downtime(0, 0, round(days * DAY), people, places, **more).checked()
    return play(run(scene, state), dice=dice or Seeded(1))


def body(played, number=0):
    return played.outcome.people[number].life.body


def test_with_constant_aid_a_flesh_wound_takes_three_days_and_a_deep_one_two_weeks():
    """Lines 563-567: one at a time, Flesh before Deep."""
    ana = participant(HOSPITAL, flesh=2, deep=1)
    left = {days: (body(lived(days, ana)).flesh, body(lived(days, ana)).deep) for days in (2.99, 3, 5.99, 6, 19.99, 20)}
    assert left == {2.99: (2, 1), 3: (1, 1), 5.99: (1, 1), 6: (0, 1), 19.99: (0, 1), 20: (0, 0)}
    assert body(lived(20, ana)).stiffness == 0


def test_without_aid_a_week_and_a_month_and_a_deep_wound_leaves_stiffness():
    """Lines 559-561."""
    ana = participant(HOME, flesh=1, deep=1)
    assert [body(lived(days, ana)).flesh for days in (6.99, 7)] == [1, 0]
    assert [body(lived(days, ana)).deep for days in (36.99, 37)] == [1, 0]
    assert body(lived(37, ana)).stiffness == -1


def test_rehabilitation_takes_as_long_as_the_place_says():
    spa = Location.of("spa", rehabilitation=10)
    ana = participant(spa, stiffness=-2)
    assert [body(lived(days, ana, places=(spa,))).stiffness for days in (9.99, 10)] == [-2, 0]
    assert body(lived(60, participant(HOME, stiffness=-2))).stiffness == -2


def test_a_change_of_care_counts_what_has_healed_already():
    """Four of seven days at home are more than the three of a hospital."""
    ana = replace(participant(HOSPITAL, flesh=1), runs=(OngoingEffect("recovery", spent=4 * DAY),))
    played = lived(1 / DAY, ana)
    assert body(played).flesh == 0
    assert body(lived(2.5, replace(participant(HOME, flesh=1), runs=(OngoingEffect("recovery", spent=4 * DAY),)))).flesh == 1


def test_the_resuscitated_rest_a_week_before_wounds_heal_and_die_without_aid():
    ana = participant(HOSPITAL, flesh=1, resuscitated=True)
    assert [body(lived(days, ana)).resuscitated for days in (6.99, 7)] == [True, False]
    assert [body(lived(days, ana)).flesh for days in (9.99, 10)] == [1, 0]
    assert body(lived(1, participant(HOME, flesh=1, resuscitated=True))).dead


def test_a_coma_of_more_than_a_week_kills_only_without_aid():
    assert [body(lived(days, participant(HOME, coma=True))).dead for days in (7.99, 8)] == [False, True]
    assert not body(lived(400, participant(HOSPITAL, coma=True))).dead


def test_the_dying_lose_a_minute_at_a_time_where_nobody_helps():
    """Line 551."""
    ana = participant(HOME, deep=2, flesh=1, trauma=5)
    assert [body(lived(minutes * MINUTE / DAY, ana)).trauma for minutes in (0.9, 1, 4.9)] == [5, 4, 1]
    assert body(lived(5 * MINUTE / DAY, ana)).dead


def test_the_best_medic_at_the_same_place_tries_every_minute():
    """A medic of the staff with Medicine 4 against 1, at -5 for the wounds: the exact chance of the first minute (line 555)."""
    ward = Location.of("ward", care="constant", medicine=4)
    scene = SCUMM.staging("downtime").scene(RULES)
    dying = participant(ward, deep=2, flesh=1, trauma=5)
    state = Downtime(0, 0, MINUTE, (dying,), (ward,))
    odds = exact(sub(scene.step, state))
    fates = odds.map(lambda after: "dead" if after.people[0].life.body.dead else after.people[0].life.body.trauma)
    assert Fraction(fates.weights[None], odds.total) == 1 - Fraction(5**4, 6**4)  # a 6 is needed
    assert Fraction(fates.weights["dead"], odds.total) == Fraction(1, 6**4)  # all ones fumble


def test_a_companion_elsewhere_or_unconscious_is_no_medic():
    doctor = Participant("Doc", replace(SCUMM.downtime.of(RULES, character(), "Doc"), medicine=5), "", "home")
    near, far = (
        lived(1 / 24, participant(HOME, trauma=4, deep=2, flesh=1), doctor),
        lived(1 / 24, participant(HOSPITAL, trauma=4, deep=2, flesh=1), doctor),
    )
    assert any("Doc" in event.headline() for event in near.events)
    assert not any("Doc" in event.headline() for event in far.events)
    assert body(far).dead


def test_bruises_fade_after_a_die_of_hours_or_days():
    """Ruling on line 545: 1d6 hours for each, 1d6 days for a bad one."""
    ana = participant(HOME, bruised_flesh=2, bruised_deep=1)
    faces = [(2,), (5,), (3,)]
    at = {hours: body(lived(hours / 24, ana, dice=ScriptedFaces(faces))) for hours in (1.9, 2, 5, 71, 72)}
    assert [hurt.bruised_flesh for hurt in at.values()] == [2, 1, 0, 0, 0]
    assert [hurt.bruised_deep for hurt in at.values()] == [1, 1, 1, 1, 0]


def test_bruises_beside_wounds_heal_like_these():
    """Line 545, last sentence."""
    ana = participant(HOSPITAL, flesh=1, bruised_flesh=1)
    played = lived(6, ana)
    assert (body(played).flesh, body(played).bruised_flesh) == (0, 0)
    assert body(lived(3, ana)).bruised_flesh == 0


def test_fatigue_of_work_walking_and_sleepless_nights():
    """Lines 588-592 and 600-602: eight hours of work cost 1 and the night gives 2 back; three nights awake cost 3."""
    at_work = participant(HOME, rules=TIRING, exertion="hard work")
    awake = participant(HOME, "Bruno", TIRING, "no sleep")
    played = lived(3, at_work, awake, rules=TIRING)
    assert body(played).fatigue == 0
    assert body(played, 1).fatigue == -3
    collapsed = lived(5, awake, rules=TIRING)
    assert body(collapsed).collapsed
    assert body(lived(5, replace(awake, exertion="no sleep"))).fatigue == 0  # an option of the book


def test_quiet_rest_takes_one_away_every_half_hour_but_replaces_no_sleep():
    tired = participant(HOME, rules=TIRING, fatigue=-3)
    assert [body(lived(hours / 24, tired, rules=TIRING)).fatigue for hours in (0.49, 0.5, 1, 1.5)] == [-3, -2, -1, 0]
    sleepless = (OngoingEffect("fatigue", data=(-3, 0, 0, 0, 0)),)
    awake = participant(HOME, rules=TIRING, fatigue=-3, runs=sleepless)
    assert [body(lived(days, awake, rules=TIRING)).fatigue for days in (0.9, 1, 2)] == [-3, -1, 0]
    sound = Location.of("inn", nights="sound sleep")
    assert body(lived(1, replace(awake, location="inn"), places=(sound,), rules=TIRING)).fatigue == 0


def test_heat_and_armor_tire_on_top_of_a_march():
    """Line 598: -1 for the weather, -1 for armor, beside the -1 of a day's walk; a night gives 2 back."""
    desert = Location.of("desert", temperature="extreme")
    walker = participant(desert, rules=TIRING, exertion="walking")
    armored = replace(walker, life=replace(walker.life, body=replace(walker.life.body, armor=2)))
    days = [body(lived(number, armored, places=(desert,), rules=TIRING)).fatigue for number in (1, 2, 3)]
    assert days == [-1, -2, -3]
    assert body(lived(3, walker, places=(desert,), rules=TIRING)).fatigue == 0
    assert tire(TIRING, "walking", 1).total == -1


@pytest.mark.parametrize(("goal", "days"), [("no wounds", 3), ("well", 3), ("walks", 0)])
def test_time_stops_at_a_milestone(goal, days):
    ana = participant(HOSPITAL, flesh=1)
    played = lived(30, ana, goal=Goal("Ana", goal))
    assert played.outcome.now == (days or 30) * DAY  # who walks already gives no reason to stop


def test_time_stops_when_somebody_dies():
    ana, bruno = participant(HOME, trauma=2, deep=2, flesh=1), participant(HOSPITAL, "Bruno", flesh=1)
    played = lived(30, ana, bruno, stops=("dead",))
    assert played.outcome.now == 2 * MINUTE
    assert played.outcome.stopped == "Ana is dead"
    assert isinstance(body(played), Patient)
    assert played.outcome.now < HOUR
