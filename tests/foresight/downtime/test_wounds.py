"""Time over wounds in ForeSight.

Recovery and deterioration (lines 2574-2610), treatment (2819-2870), care (2878-2891), lasting harm and therapy (2897-2927).
"""

from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import Downtime, Goal, Location, OngoingEffect, Participant
from rulewright.library import fetch, stage
from rulewright.play import Seeded, play, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.foresight.build.audit import audit
from rulewright.systems.foresight.downtime.survivors import Survivor
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.medicine import bandage
from rulewright.systems.foresight.resolution.tests import Mod, Task, attempt
from rulewright.systems.foresight.ward.patients import Cost, Doctor

FORESIGHT = find("foresight")
RULES = FORESIGHT.book.ruleset()
GRAVE = FORESIGHT.book.ruleset(settings={"major-injury": True})
HOME = Location("home")
SURE, NEVER = Task(20, 15), Task(0, 0)


def person(name="Ana", exertion="", place=HOME, doctor=None, deepest=None, costs=(), runs=(), **body):
    """Endurance 10 at an ease factor of 7: 70 percent, less 10 for each level at the worst."""
    body = {"endurance": 10, "worst": body.get("wounds", 0), **body}
    life = Survivor(Patient(name, **body), doctor or Survivor().doctor, deepest=deepest, costs=costs)
    return Participant(name, life, exertion, place.name, runs)


def medic(name="Doc", search=SURE, hands=SURE, surgery=SURE, place=HOME, trained=True, **more):
    return person(name, place=place, doctor=Doctor(name, "", search, hands, surgery, trained, trained), **more)


def downtime(seconds, *people, places=(HOME,), rules=RULES, **more):
    return FORESIGHT.staging("downtime").scene(rules), Downtime(0, 0, round(seconds), people, places, **more).checked()


def lived(seconds, *people, seed=1, **more):
    scene, state = downtime(seconds, *people, **more)
    return play(run(scene, state), dice=Seeded(seed))


def levels(seconds, *people, **more):
    """The exact odds of the first person's wound level."""
    scene, state = downtime(seconds, *people, **more)
    after = exact(sub(run, scene, state)).map(lambda state: state.people[0].life.body.wounds)
    assert not after.unsettled
    return after


def body(played, number=0):
    return played.outcome.people[number].life.body


def told(played):
    return [event.headline() for event in played.events if event.headline()]


@pytest.mark.parametrize(("wounds", "wait", "percent"), [(1, DAY, 60), (2, 5 * DAY, 50), (3, 20 * DAY, 40), (4, DAY, 30)])
def test_recovery_rolls_come_at_the_interval_of_the_wound_level(wounds, wait, percent):
    """Lines 2581-2584, and 2602: the worst level is the penalty."""
    ana = person(wounds=wounds)
    assert levels(wait - 1, ana)[wounds] == 1
    assert levels(wait, ana)[wounds - 1] == Fraction(percent, 100)


def test_the_worst_level_weighs_on_recovery_until_healed():
    """Line 2602: heavily wounded before, now lightly: -3."""
    assert levels(DAY, person(wounds=1, worst=3))[0] == Fraction(40, 100)


def test_the_critical_can_go_either_way_after_half_an_hour():
    """Lines 2585, 2596-2600: both rolls are made at 20 percent; each of the four results by counting faces."""
    ana = person(wounds=5)
    assert levels(30 * MINUTE - 1, ana)[5] == 1
    ratings = exact(sub(attempt, RULES, Task(10, 7).plus(Mod("worst", -5)), "", "")).map(lambda rolled: rolled.qr)
    lifts, holds, fails, botch = sum(ratings[qr] for qr in (1, 2, 3)), ratings[4], ratings[7], ratings[10]
    assert lifts + holds == Fraction(20, 100)
    sinks, mends = {-1: lifts, 0: holds, 1: fails + botch}, {-1: lifts + holds, 0: fails, 1: botch}
    after = levels(30 * MINUTE, ana)
    for change in range(-2, 3):
        assert after[5 + change] == sum(sinks[first] * mends[change - first] for first in sinks if change - first in mends)


@pytest.mark.parametrize(("wounds", "minutes"), [(6, 5), (7, 1)])
def test_the_dying_sink_every_few_minutes(wounds, minutes):
    """Lines 2586-2587: at -6 and -7 next to nothing is left of 70 percent."""
    ana = person(wounds=wounds)
    assert levels(minutes * MINUTE - 1, ana)[wounds] == 1
    after = levels(minutes * MINUTE, ana)
    assert after[wounds + 1] > Fraction(3, 4)
    assert after[wounds + 1] + after[wounds] + after[wounds - 1] == 1


def test_death_is_told_and_stops_the_time():
    played = lived(DAY, person(wounds=7, endurance=1), stops=("dead",))
    assert body(played).dead
    assert "Ana dies" in told(played)
    assert played.outcome.now < HOUR
    assert played.outcome.stopped == "Ana is dead"


@pytest.mark.parametrize(("technology", "hours"), [("TL5", 24), ("TL6", 18), ("TL7", 12), ("TL8", 6)])
def test_high_technology_shortens_the_wait(technology, hours):
    """Lines 2885-2888: 100, 75, 50 and 25 percent of a day."""
    clinic = Location.of("clinic", hospital="poor", technology=technology)
    ana = person(wounds=1, place=clinic, endurance=5)
    assert levels(hours * HOUR - 1, ana, places=(clinic,))[1] == 1
    assert levels(hours * HOUR, ana, places=(clinic,))[0] > 0


def test_care_counts_in_bed_only():
    """Lines 2880, 2885: TL5 gives +1 to +4; who gets up goes without (setting care-without-rest)."""
    clinic = Location.of("clinic", hospital="excellent")
    poor = Location.of("clinic", hospital="poor")
    lain, up = (person(wounds=4 - 1, place=clinic, endurance=5, exertion=exertion) for exertion in ("rest", "ordinary days"))
    assert levels(20 * DAY, lain, places=(clinic,))[2] == Fraction(40, 100)
    assert levels(20 * DAY, lain, places=(poor,))[2] == Fraction(25, 100)
    assert levels(20 * DAY, up, places=(clinic,))[2] == Fraction(20, 100)
    fully = FORESIGHT.book.ruleset(settings={"care-without-rest": "in full"})
    assert levels(20 * DAY, up, places=(clinic,), rules=fully)[2] == Fraction(40, 100)


def test_better_care_counts_what_has_gone_by_already():
    clinic = Location.of("clinic", hospital="poor", technology="TL7")
    ana = person(wounds=1, place=clinic, runs=(OngoingEffect("wounds", "level 1", 11 * HOUR),))
    assert levels(HOUR - 1, ana, places=(clinic,))[1] == 1
    assert levels(HOUR, ana, places=(clinic,))[1] < 1


def test_another_level_begins_another_wait():
    """From heavy to medium after twenty days, then five more (lines 2582-2583)."""
    ana = person(wounds=3, worst=0, endurance=20)
    assert [body(lived(days * DAY, ana)).wounds for days in (19.9, 20, 24.9, 25, 25.9, 26)] == [3, 2, 2, 1, 1, 0]


def test_a_companion_bandages_with_the_odds_of_both_rolls():
    """Line 2821: Search, then Dexterity; 5 less the rating helps against deterioration. Untrained: -3."""
    task = Task(10, 7)
    for trained in (True, False):
        ana, helper = person(wounds=6), medic(search=task, hands=task, trained=trained)
        scene, state = downtime(MINUTE, ana, helper)
        after = exact(sub(run, scene, state)).map(lambda state: state.people[0].life.body.bandaged)
        by_rule = exact(sub(bandage, RULES, ana.life.body, task, task, trained)).map(lambda patient: patient.bandaged)
        for bonus in range(5):
            assert after[bonus] == by_rule[bonus]
        assert 0 < after[0] < 1


def test_the_helpless_and_those_elsewhere_treat_nobody():
    ana, away = person(wounds=6), Location("away")
    for helper in (medic(place=away), medic(wounds=4), medic(unconscious=True)):
        assert not [line for line in told(lived(MINUTE, ana, helper, places=(HOME, away))) if "treats" in line]
    assert any("Doc treats Ana: bandaged" in line for line in told(lived(MINUTE, ana, medic())))


@pytest.mark.parametrize(("blood", "left"), [("infusion", 4), ("whole blood", 4), ("none", 6)])
def test_blood_brings_the_dying_out_of_danger(blood, left):
    """Line 2827: one level by an infusion, two by whole blood; as often as needed (ruling). The worst level stays."""
    place = Location.of("home", blood=blood, technology="TL4.5")
    ana = lived(1, person(wounds=6), medic(surgery=NEVER), places=(place,), seed=2)
    assert (body(ana).wounds, body(ana).worst > 0) == (left, True)


def test_blood_takes_its_technology_and_somebody_trained():
    """Lines 2827-2835: infusions from TL4.2 on."""
    early, late = (Location.of("home", blood="infusion", technology=level) for level in ("TL4", "TL4.2"))
    assert body(lived(1, person(wounds=6), medic(), places=(early,))).wounds == 6
    assert body(lived(1, person(wounds=6), medic(trained=False), places=(late,))).wounds == 6
    assert body(lived(1, person(wounds=6), medic(), places=(late,))).wounds == 4


def test_surgery_lowers_the_worst_level_once_and_is_tried_again_a_day_after_a_failure():
    """Lines 2843-2855: at TL5 by 6 less the rating."""
    ana = person(wounds=4)
    done = lived(2 * HOUR, ana, medic())
    assert body(done).operated
    assert body(done).worst < 4
    assert sum("surgery" in line for line in told(done)) == 1
    clumsy = medic(surgery=NEVER)
    tries = [sum("surgery fails" in line for line in told(lived(hours * HOUR, ana, clumsy, seed=1))) for hours in (1, 23.9)]
    assert tries == [1, 1]
    assert sum("surgery fails" in line for line in told(lived(10 * DAY, person(wounds=3), clumsy))) == 11
    ages = Location.of("home", technology="TL3")
    assert not body(lived(HOUR, ana, medic(), places=(ages,))).operated


def test_the_doctor_on_duty_works_alone():
    clinic = Location.of("home", hospital="ordinary", staff=20)
    assert any("the staff treats Ana: surgery" in line for line in told(lived(1, person(wounds=4), places=(clinic,))))


def healed(rules=GRAVE, deepest=6, seed=1, **more):
    return lived(DAY, person(wounds=1, worst=0, endurance=20, deepest=deepest, **more), rules=rules, seed=seed)


@pytest.mark.parametrize(("deepest", "lost"), [(3, None), (4, (0, 1)), (5, (0, 2)), (6, (1, 3)), (7, (2, 4))])
def test_grave_wounds_cost_attributes_when_they_have_healed(deepest, lost):
    """Lines 2903-2906, and 2908: the arm costs dexterity."""
    life = healed(deepest=deepest, hurt=("left arm",)).outcome.people[0].life
    assert [(cost.attribute, (cost.inherent, cost.trained)) for cost in life.costs] == ([("DX", lost)] if lost else [])
    assert life.deepest == 0


def test_without_the_option_nothing_is_lost():
    assert healed(RULES, deepest=None).outcome.people[0].life.costs == ()


def test_surgery_and_blood_do_not_hide_how_deep_the_wound_was():
    place = Location.of("home", blood="infusion")
    ana = lived(1, person(wounds=6, deepest=6), medic(), places=(place,), rules=GRAVE)
    assert body(ana).worst < 6
    assert ana.outcome.people[0].life.deepest == 6
    worse = lived(5 * MINUTE, person(wounds=6, deepest=6, endurance=1), rules=GRAVE, seed=3)
    assert worse.outcome.people[0].life.deepest == 7


LOSS = Cost("EN", inherent=1, trained=3)


@pytest.mark.parametrize(
    ("technology", "therapy", "days"),
    [("TL7", "physiotherapy", 7), ("TL8", "physiotherapy", 1), ("TL6", "physiotherapy", 30), ("TL8", "self-help", 360)],
)
def test_a_willpower_roll_each_period_wins_a_point_back(technology, therapy, days):
    """Lines 2916-2924: willpower 10 at 7 is 70 percent."""
    place = Location.of("home", technology=technology, therapy=therapy)
    ana = person(costs=(LOSS,), willpower=10)

    def regained(seconds):
        scene, state = downtime(seconds, ana, places=(place,))
        return exact(sub(run, scene, state)).map(lambda state: state.people[0].life.costs[0])

    assert regained(days * DAY - 1)[LOSS] == 1
    after = regained(days * DAY)
    assert sum(weight for cost, weight in after.weights.items() if cost.regained == 1) == Fraction(70, 100) * after.total
    assert sum(weight for cost, weight in after.weights.items() if cost.ended) > 0


def test_what_a_life_holds_survives_the_file():
    for left in (
        {
            "wounds": 6,
            "worst": 7,
            "hurt": ["head"],
            "bandaged": 2,
            "unconscious": False,
            "stamina": -3,
            "was_exhausted": True,
            "deepest": 7,
        },
        {"wounds": 0, "losses": [msgspec.to_builtins(replace(LOSS, regained=1))]},
    ):
        character = replace(fetch(FORESIGHT, "security-officer"), condition=left)
        life = Survivor.of(GRAVE, character, "x")
        kept = {field: lasts.value for field, lasts in FORESIGHT.downtime.lasting(life).items()}
        kept = msgspec.json.decode(msgspec.json.encode(kept))
        assert {field: kept[field] for field in left} == left
        assert Survivor.of(GRAVE, replace(character, condition=kept), "x") == life
        sound = audit(GRAVE, replace(character, condition={**kept, "runs": [{"of": "wounds", "about": "level 6", "spent": 5}]}))
        assert [problem.field for problem in sound.problems if problem.field.startswith("condition")] == []


@pytest.mark.parametrize(("field", "value"), [("runs", [{"spent": 1}]), ("deepest", -1), ("losses", [{"inherent": "many"}])])
def test_the_audit_names_what_cannot_be_read_and_takes_it_away(field, value):
    character = replace(fetch(FORESIGHT, "security-officer"), condition={field: value, "wounds": 1})
    assert [problem.field for problem in audit(RULES, character).problems if problem.field.startswith("condition")] == [
        f"condition.{field}"
    ]


def test_time_can_pass_until_somebody_is_well():
    played = lived(300 * DAY, person(wounds=2, stamina=1), goal=Goal("Ana", "well"))
    assert played.outcome.stopped == "Ana is well again"
    assert played.outcome.people[0].runs == ()


def test_scenes_say_how_long_they_took():
    """Lines 2933 (three to five seconds, by ruling 4) and 3428 (10 or 30 seconds)."""
    for name in ("gunslingers", "chase", "month"):
        staged = stage(f"foresight/{name}")
        assert staged.scene.took(staged.state) == 0
    fight = stage("foresight/gunslingers")
    assert fight.scene.took(replace(fight.state, round=3)) == 12
    chase = stage("foresight/chase")
    assert chase.scene.took(replace(chase.state, round=3)) == 20
    month = stage("foresight/month")
    assert month.scene.took(replace(month.state, day=3, minutes=5)) == 2 * DAY + 5 * MINUTE
