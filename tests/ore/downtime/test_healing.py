"""Time between scenes in the One Roll Engine: rest, medicine and Fast Recovery (lines 1183-1212, 4382-4394, 4467-4481, 4531,
4717-4727)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from ore.downtime.survivors import CAMP, HOSPITAL, ORE, RULES, body, character, doctor, lived, participant, ruled, told
from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import RUNS, Downtime, Goal, Location, OngoingEffect, read_runs
from rulewright.play import ScriptedFaces, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.harm.body import Abstract, Injury
from rulewright.systems.ore.recovery.medicine import recovery_test
from rulewright.systems.ore.resolution.tests import Pool, make_test

WOUNDS = ruled(wounds=True)
VITAL = ruled(**{"damage-system": "vital"})
ABSTRACT = ruled(**{"damage-system": "abstract"})
TORSO = [{"location": "torso"}]
SIX_DICE = Location.of("ward", medicine=6, treatment=0)
NO_SET = (1, 2, 3, 4, 5, 6)


def torso(played):
    part = body(played).part("torso")
    return part.shock, part.kill


# --- boxes by location ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "shock"), [(0.99, 5), (1, 2), (1.99, 2), (2, 0)])
def test_a_day_of_rest_halves_shock_and_a_last_point_heals(days, shock):
    """Line 4721: 5, then 2, then 1 that heals completely."""
    assert torso(lived(days, participant(**{"parts.torso.shock": 5}))) == (shock, 0)


@pytest.mark.parametrize(("days", "left"), [(6.99, (0, 2)), (7, (1, 1)), (8, (0, 1)), (14, (1, 0)), (15, (0, 0))])
def test_a_week_of_rest_turns_kill_into_shock(days, left):
    """Line 4723."""
    assert torso(lived(days, participant(**{"parts.torso.kill": 2}))) == left


def test_every_location_heals_at_once():
    """Line 4723: 1 Kill on each location."""
    hurt = participant(**{"parts.torso.kill": 1, "parts.left arm.kill": 2})
    after = body(lived(7, hurt))
    assert (after.part("torso").kill, after.part("left arm").kill) == (0, 1)


def test_who_goes_about_ordinary_business_does_not_heal():
    assert torso(lived(30, participant(exertion="ordinary days", **{"parts.torso.shock": 5, "parts.torso.kill": 1}))) == (5, 1)


def test_a_broken_week_begins_anew():
    """Ruling: six days of rest and a day of work are no week."""
    hurt = participant(**{"parts.torso.kill": 1})
    six = lived(6, hurt).outcome.people[0]
    worked = lived(1, replace(six, exertion="ordinary days", since=0)).outcome.people[0]
    assert torso(lived(6.99, replace(worked, exertion="", since=0))) == (0, 1)
    assert torso(lived(7, replace(worked, exertion="", since=0))) == (1, 0)


# --- medicine -------------------------------------------------------------------------------------------------------------------


def test_a_medic_turns_kill_into_shock_and_heals_the_rest():
    """Line 4727: a set three wide on a torso with 2 Kill and 2 Shock: 2 Kill become Shock, and a point of Shock heals."""
    hurt = participant(**{"parts.torso.shock": 2, "parts.torso.kill": 2})
    faces = [(7, 7, 7, 1, 2, 3, 4)]
    assert torso(lived(1 / 25, hurt, doctor(), dice=ScriptedFaces(faces))) == (2, 2)
    assert torso(lived(1 / 24, hurt, doctor(), dice=ScriptedFaces(faces))) == (3, 0)


def test_the_difficulty_is_all_damage_of_the_location():
    """Line 4727: against four points a pair of threes does nothing."""
    hurt = participant(**{"parts.torso.shock": 2, "parts.torso.kill": 2})
    played = lived(1 / 24, hurt, doctor(), dice=ScriptedFaces([(3, 3, 1, 2, 5, 6, 7)]))
    assert torso(played) == (2, 2)
    assert told(played)[-1] == "Bo treats Ana: nothing heals"


def test_the_exact_odds_of_a_treatment_are_those_of_one_roll():
    """Six dice of the staff against Difficulty 3."""
    scene = ORE.staging("downtime").scene(RULES)
    ward = Location.of("ward", medicine=6)
    hurt = participant(place=ward, exertion="ordinary days", **{"parts.torso.kill": 3})
    odds = exact(sub(scene.step, Downtime(0, 0, HOUR, (hurt,), (ward,)))).map(lambda after: after.people[0].life.body.part("torso").kill)
    roll = exact(sub(make_test, RULES, Pool(6), 3)).map(lambda outcome: 3 - min(3, outcome.width))
    assert {kill: Fraction(weight, odds.total) for kill, weight in odds.weights.items()} == {
        kill: Fraction(weight, roll.total) for kill, weight in roll.weights.items()
    }
    assert set(odds.weights) == {0, 1, 3}


@pytest.mark.parametrize(("days", "rolls"), [(1, 1), (3.03, 1), (3.05, 2), (7, 3)])
def test_the_place_says_how_often_people_are_treated(days, rolls):
    """Ruling: after an hour, and then every three days here."""
    ward = Location.of("ward", medicine=1, treatment=3)
    played = lived(days, participant(place=ward, **{"parts.torso.kill": 9}), places=(ward,))
    assert sum(line.startswith("the staff treats Ana") for line in told(played)) == rolls


def test_only_people_with_the_skill_who_are_there_and_can_act_treat_others():
    hurt = participant(**{"parts.torso.kill": 2})
    layman = participant(name="Bo")
    unconscious = doctor(**{"parts.head.shock": 4})
    away = replace(doctor(), location=HOSPITAL.name)
    for other in (layman, unconscious, away):
        assert not any("treats" in line for line in told(lived(1 / 24, hurt, other)))
    assert "Bo treats Ana" in " ".join(told(lived(1 / 24, hurt, doctor())))


# --- Fast Recovery --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "exertion", "an_hour", "a_day"),
    [
        (1, "", (4, 3), (0, 3)),
        (1, "ordinary days", (5, 3), (5, 3)),
        (2, "ordinary days", (4, 3), (0, 3)),
        (3, "", (0, 3), (0, 2)),
        (3, "ordinary days", (5, 3), (5, 3)),
        (4, "", (0, 3), (0, 1)),
        (4, "ordinary days", (0, 3), (0, 3)),
        (5, "", (0, 3), (0, 0)),
    ],
)
def test_fast_recovery(points, exertion, an_hour, a_day):
    """Lines 1203-1211, as the rule says by its id."""
    hurt = participant(exertion=exertion, fast=points, **{"parts.torso.shock": 5, "parts.torso.kill": 3})
    assert torso(lived(0.99 / 24, hurt)) == (5, 3)
    assert (torso(lived(1 / 24, hurt)), torso(lived(1, hurt))) == (an_hour, a_day)


def test_fast_recovery_without_a_rate_for_kill_takes_the_week():
    assert torso(lived(7, participant(fast=2, **{"parts.torso.kill": 1}))) == (1, 0)
    assert torso(lived(7 + 1 / 24, participant(fast=2, **{"parts.torso.kill": 1}))) == (0, 0)


# --- Vital Boxes ----------------------------------------------------------------------------------------------------------------


def vital(days, exertion="", dice=None, place=CAMP, fast=0, **condition):
    hurt = participant(rules=VITAL, exertion=exertion, place=place, fast=fast, **condition)
    after = body(lived(days, hurt, rules=VITAL, dice=dice, places=(CAMP, place) if place != CAMP else (CAMP,)))
    return after.shock, after.kill_lost, after.vital_lost


def test_half_of_all_shock_goes_with_a_breath_and_body_with_a_night():
    """Lines 4384-4386, with Body 3."""
    assert [vital(seconds / DAY, shock=11)[0] for seconds in (59, 60, DAY - 1, DAY, 2 * DAY)] == [11, 5, 5, 2, 0]
    assert vital(1, "no sleep", shock=11)[0] == 5


def test_a_breath_helps_again_only_against_new_shock():
    first = lived(1 / 24, participant(rules=VITAL, shock=11), rules=VITAL).outcome.people[0]
    assert lived(1 / 24, first, rules=VITAL).outcome.people[0].life.body.shock == 5
    hit = replace(first, life=first.life.with_body(replace(first.life.body, shock=9)))
    assert lived(1 / 24, hit, rules=VITAL).outcome.people[0].life.body.shock == 4


@pytest.mark.parametrize(("days", "exertion", "lost"), [(0.99, "", 2), (1, "", 1), (2, "", 0), (9, "ordinary days", 2)])
def test_a_kill_box_a_day_of_rest(days, exertion, lost):
    """Line 4388."""
    assert vital(days, exertion, kill_lost=2)[1] == lost


def test_medicine_lets_the_active_heal_and_adds_to_a_nights_sleep():
    """Lines 4386-4388: a set two wide adds 2 to Body 3, and lets a Kill Box heal; without a set neither."""
    for faces, left in (((5, 5, 1, 2, 3, 4), (0, 1, 0)), (NO_SET, (2, 2, 0))):
        dice = ScriptedFaces([faces])
        assert vital(1, "ordinary days", dice, SIX_DICE, shock=10, kill_lost=2) == left


def test_a_vital_box_a_week_and_sooner_with_medicine():
    """Line 4390: a set three wide takes three days off."""
    assert [vital(days, vital_lost=1)[2] for days in (6.99, 7)] == [1, 0]
    faces = [(5, 5, 5, 1, 2, 3)]
    assert [vital(days, dice=ScriptedFaces(faces), place=SIX_DICE, vital_lost=1)[2] for days in (3.99, 4)] == [1, 0]
    assert [vital(days, dice=ScriptedFaces([NO_SET]), place=SIX_DICE, vital_lost=1)[2] for days in (6.99, 7)] == [1, 0]


def test_fast_recovery_of_vital_bodies():
    assert vital(1 / 24, fast=3, shock=9) == (0, 0, 0)
    assert vital(1, fast=3, kill_lost=3)[1] == 2
    assert vital(1, fast=5, kill_lost=3)[1] == 0
    assert vital(1, fast=1, kill_lost=3)[1] == 2


# --- Downs and Outs -------------------------------------------------------------------------------------------------------------


def injured(injuries, days, rules=ABSTRACT, dice=None, place=CAMP, exertion="", **condition):
    hurt = participant(rules=rules, exertion=exertion, place=place, injuries=injuries, **condition)
    return body(lived(days, hurt, rules=rules, dice=dice, places=(CAMP, place) if place != CAMP else (CAMP,)))


def test_superficial_injuries_go_with_a_moment_of_rest_and_then_one_a_day():
    """Lines 4467-4473: Body 3 takes three off at once, then a day heals one, and medical attention another."""
    six = [{"downs": 6}]
    assert [injured(six, days).total for days in (59 / DAY, 60 / DAY, 0.99, 1, 2)] == [6, 3, 3, 2, 1]
    assert [injured(six, days, place=SIX_DICE).total for days in (0.99, 1)] == [3, 1]
    assert injured(six, 1, exertion="ordinary days").total == 6


def test_superficial_injuries_go_only_once():
    """Neither more rest nor a day of work in between makes others superficial; the day of rest begins anew."""
    hurt = lived(1 / 24, participant(rules=ABSTRACT, injuries=[{"downs": 6}]), rules=ABSTRACT).outcome.people[0]
    worked = lived(3, replace(hurt, exertion="ordinary days", since=0), rules=ABSTRACT).outcome.people[0]
    back = replace(worked, exertion="", since=0)
    assert [body(lived(days, back, rules=ABSTRACT)).total for days in (0, 0.5, 1.1)] == [3, 3, 2]


def test_a_wound_heals_only_after_its_penalty():
    """Lines 4475-4477: a week, and then its Downs by the day."""
    wound = [{"downs": 2, "penalty": 1}]
    assert [injured(wound, days).injuries for days in (6.99, 7, 8)] == [(Injury(2, 0, 1),), (Injury(2),), (Injury(1),)]
    faces = [(5, 5, 1, 2, 3, 4)]
    assert [injured(wound, days, dice=ScriptedFaces(faces), place=SIX_DICE).penalty for days in (4.99, 5)] == [1, 0]


def test_a_recovery_test_a_day_gives_boxes_back():
    """Line 4479: seven dice of a Health Threshold with Body 3. The exact odds of a day are those of the rule."""
    scene = ORE.staging("downtime").scene(ABSTRACT)
    hurt = participant(rules=ABSTRACT, down_boxes=2, stabilised=True)
    boxes = exact(sub(scene.step, Downtime(0, 0, DAY, (hurt,), (CAMP,)))).map(lambda after: after.people[0].life.body.down_boxes)
    rule = exact(sub(recovery_test, ABSTRACT, Abstract(statistic=3, down_boxes=2, stabilised=True))).map(lambda after: after.down_boxes)
    assert {left: Fraction(weight, boxes.total) for left, weight in boxes.weights.items()} == {
        left: Fraction(weight, rule.total) for left, weight in rule.weights.items()
    }
    assert injured([], 0.99, down_boxes=2, stabilised=True).down_boxes == 2


# --- Wounds ---------------------------------------------------------------------------------------------------------------------


def staunched(days, dice=None, place=CAMP):
    hurt = participant(rules=WOUNDS, place=place, wounds=[{"location": "torso", "bleeding": False}] * 2)
    return len(body(lived(days, hurt, rules=WOUNDS, dice=dice, places=(CAMP, place) if place != CAMP else (CAMP,))).wounds)


def test_a_wound_heals_a_week_of_rest():
    """Line 4531."""
    assert [staunched(days) for days in (6.99, 7, 13.99, 14)] == [2, 1, 1, 0]


def test_medicine_shortens_the_week_of_a_wound_by_its_width():
    """Line 4531: two wide, then nothing."""
    assert [staunched(days, ScriptedFaces([(5, 5, 1, 2, 3, 4), NO_SET]), SIX_DICE) for days in (4.99, 5, 11.99, 12)] == [2, 1, 1, 0]


# --- files and milestones -------------------------------------------------------------------------------------------------------


def test_time_stops_when_somebody_is_well():
    played = lived(30, participant(**{"parts.torso.shock": 5}), goal=Goal("Ana", "well"))
    assert (played.outcome.now, played.outcome.stopped) == (2 * DAY, "Ana is well again")


def test_the_audit_accepts_ongoing_effects_and_names_faulty_ones():
    fine = character(runs=[{"of": "rest", "spent": 40, "data": [5, MINUTE]}])
    wrong = character(runs=[{"of": "rest", "spent": "soon"}])
    assert not [problem for problem in ORE.audit(RULES, fine).problems if "condition" in problem.field]
    messages = [problem.message for problem in ORE.audit(RULES, wrong).problems if problem.field == f"condition.{RUNS}"]
    assert messages
    assert "spent" in messages[0]
    assert read_runs(fine.condition) == (OngoingEffect("rest", spent=40, data=(5, MINUTE)),)


def test_rounds_of_every_scene_are_five_seconds():
    """Line 4173."""
    assert {ORE.staging(kind).scene(RULES).seconds_a_round for kind in ("fight", "battle", "pursuit")} == {5}


def test_a_file_with_a_weapon_that_nobody_knows_still_heals():
    hurt = replace(character(**{"parts.torso.shock": 5, "spent.ray gun": 2}), weapons=("ray gun of Orn",), armour={"torso": "rubbish"})
    life = ORE.downtime.of(RULES, hurt, "Ana")
    assert life.body.part("torso").shock == 5
    assert "spent.ray gun" not in ORE.downtime.lasting(life)  # what a body does not have stays in the file as it is
