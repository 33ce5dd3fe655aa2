"""Bleeding, tests for one's life, and first aid between scenes (lines 4413-4453, 4527-4529)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from ore.downtime.survivors import CAMP, ORE, body, doctor, lived, participant, ruled, told
from rulewright.campaign.calendar import DAY
from rulewright.campaign.downtime import Downtime, Location
from rulewright.play import ScriptedFaces, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.abstract import down_and_out
from rulewright.systems.ore.resolution.tests import Pool, make_test

WOUNDS = ruled(wounds=True)
ABSTRACT = ruled(**{"damage-system": "abstract"})
SECOND = 1 / DAY
TORSO = [{"location": "torso"}]


def chances(odds):
    return {key: Fraction(weight, odds.total) for key, weight in odds.weights.items()}


@pytest.mark.parametrize(("seconds", "shock"), [(14, 0), (15, 1), (29, 1), (30, 2), (150, 10)])
def test_a_wound_bleeds_a_point_every_body_rounds(seconds, shock):
    """Line 4529, with Body 3 and rounds of five seconds (line 4173)."""
    assert body(lived(seconds * SECOND, participant(rules=WOUNDS, wounds=TORSO), rules=WOUNDS)).part("torso").shock == shock


def test_two_wounds_bleed_each_in_its_own_time():
    wounds = [{"location": "torso", "rounds": 2}, {"location": "left arm"}]
    hurt = participant(rules=WOUNDS, wounds=wounds)
    left = {seconds: body(lived(seconds * SECOND, hurt, rules=WOUNDS)) for seconds in (4, 5, 14, 15, 20)}
    assert [after.part("torso").shock for after in left.values()] == [0, 1, 1, 1, 2]
    assert [after.part("left arm").shock for after in left.values()] == [0, 0, 0, 1, 1]


def test_who_bleeds_untreated_dies_when_shock_has_become_kill():
    """Ten boxes of the torso take ten points of Shock, and ten more become Kill: twenty times fifteen seconds."""
    hurt = participant(rules=WOUNDS, wounds=TORSO)
    assert not body(lived(299 * SECOND, hurt, rules=WOUNDS)).dead
    played = lived(1, hurt, rules=WOUNDS, stops=("dead",))
    assert played.outcome.now == 300
    assert "Ana bleeds to death" in told(played)


def test_a_medic_staunches_one_wound_at_a_time():
    """Ruling on line 4529: a roll whenever the Wounds have cost Shock."""
    hurt = participant(rules=WOUNDS, wounds=[*TORSO, {"location": "left arm"}])
    dice = ScriptedFaces([(4, 4, 1, 2, 3, 5, 6), (1, 2, 3, 4, 5, 6, 7), (9, 9, 1, 2, 3, 4, 5)])
    played = lived(45 * SECOND, hurt, doctor(rules=WOUNDS), rules=WOUNDS, dice=dice)
    assert [line for line in told(played) if "Wound of" in line] == [
        "Bo staunches a Wound of Ana",
        "Bo cannot staunch a Wound of Ana",
        "Bo staunches a Wound of Ana",
    ]
    assert body(played).part("torso").shock == 1
    assert body(played).part("left arm").shock == 3
    assert not any(wound.bleeding for wound in body(played).wounds)


def test_the_chance_to_staunch_is_that_of_a_set():
    scene = ORE.staging("downtime").scene(WOUNDS)
    ward = Location.of("ward", medicine=5)
    hurt = participant(rules=WOUNDS, place=ward, wounds=TORSO)
    odds = exact(sub(scene.step, Downtime(0, 0, 15, (hurt,), (ward,)))).map(lambda after: after.people[0].life.body.wounds[0].bleeding)
    assert chances(odds)[True] == Fraction(10 * 9 * 8 * 7 * 6, 10**5)  # five dice without a pair


def test_a_hurt_medic_rolls_fewer_dice():
    """Each Wound costs a die (line 4529)."""
    scene = ORE.staging("downtime").scene(WOUNDS)
    medic = doctor(rules=WOUNDS, wounds=[{"location": "left arm", "bleeding": False}] * 2)
    hurt = participant(rules=WOUNDS, wounds=TORSO)
    step = sub(scene.step, Downtime(0, 0, 15, (hurt, medic), (CAMP,)))
    odds = exact(step).map(lambda after: after.people[0].life.body.wounds[0].bleeding)
    assert chances(odds)[False] == chances(exact(sub(make_test, WOUNDS, Pool(5))).map(lambda outcome: outcome.success))[True]


def test_the_incapacitated_make_out_tests_every_health_threshold_rounds():
    """Lines 4417, 4445: seven rounds with Body 3."""
    scene = ORE.staging("downtime").scene(ABSTRACT)
    hurt = participant(rules=ABSTRACT, down_boxes=1)
    assert scene.next_moment(scene.settled(Downtime(0, 0, DAY, (hurt,), (CAMP,)))) == 35
    odds = exact(sub(scene.step, Downtime(0, 0, 35, (hurt,), (CAMP,)))).map(lambda after: after.people[0].life.body.out_boxes)
    rule = exact(sub(down_and_out, ABSTRACT, 7, 0, 0, ("out",))).map(lambda came: came[0].boxes)
    assert chances(odds) == chances(rule)


def test_first_aid_stabilises_before_the_next_test():
    """Line 4419: only First Aid ends the tests."""
    hurt = participant(rules=ABSTRACT, down_boxes=1)
    played = lived(1 / 24, hurt, doctor(rules=ABSTRACT), rules=ABSTRACT, dice=ScriptedFaces([(4, 4, 1, 2, 3, 5, 6)]))
    assert told(played) == ["After 35 seconds", "Bo stabilises Ana"]
    assert body(played) == replace(hurt.life.body, stabilised=True)
    failed = ScriptedFaces([(1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6, 7)])
    assert body(lived(35 * SECOND, hurt, doctor(rules=ABSTRACT), rules=ABSTRACT, dice=failed)).out_boxes == 1


def test_the_dying_die_with_the_third_box():
    """Line 4453."""
    hurt = participant(rules=ABSTRACT, down_boxes=2, out_boxes=1)
    played = lived(35 * SECOND, hurt, rules=ABSTRACT, dice=ScriptedFaces([(1, 2, 3, 4, 5, 6, 7)]))
    assert body(played).dead
    assert told(played)[-1].startswith("Ana dies")
