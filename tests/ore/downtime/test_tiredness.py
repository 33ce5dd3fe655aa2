"""Exertion Tests between scenes, an option (lines 4843-4879)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from ore.downtime.survivors import CAMP, ORE, RULES, lived, participant, ruled, told
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import Downtime
from rulewright.play import ScriptedFaces, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.harm.endurance import exertion_test

TIRING = ruled(**{"getting-tired": True})
NO_SET, PAIR = (1, 2, 3), (9, 9, 1)


def stamina(days, *faces, person=None, exertion="hunger"):
    who = person or participant(rules=TIRING, exertion=exertion)
    return lived(days, who, rules=TIRING, dice=ScriptedFaces(list(faces))).outcome.people[0].life.stamina


@pytest.mark.parametrize(("days", "boxes"), [(2.99, 0), (3, 1), (5.99, 1), (6, 2)])
def test_hunger_calls_for_a_test_every_body_days(days, boxes):
    """Lines 4851-4861, with Body 3."""
    assert stamina(days, NO_SET, NO_SET).boxes == boxes


def test_success_makes_later_tests_harder():
    """Line 4859."""
    assert stamina(3, PAIR).difficulty == 2
    assert stamina(6, PAIR, (1, 1, 5)).boxes == 1  # a pair of ones is below Difficulty 2


def test_the_depleted_lose_body_and_die():
    """Line 4873: after three boxes a point of Body for each failure, and tests every Body days left."""
    starving = [stamina(days, *[NO_SET] * 3, (1, 2, 3), (1, 2), (1,)) for days in (9, 12, 14)]
    assert [(tired.boxes, tired.body_lost) for tired in starving] == [(3, 0), (3, 1), (3, 2)]
    played = lived(15, participant(rules=TIRING, exertion="hunger"), rules=TIRING, dice=ScriptedFaces([NO_SET] * 4 + [(1, 2), (1,)]))
    assert played.outcome.people[0].life.body.dead
    assert told(played)[-1] == "Ana dies of exhaustion"


def test_the_chance_of_a_box_is_that_of_the_test():
    scene = ORE.staging("downtime").scene(TIRING)
    hungry = participant(rules=TIRING, exertion="hunger")
    odds = exact(sub(scene.step, Downtime(0, 0, 3 * DAY, (hungry,), (CAMP,)))).map(lambda after: after.people[0].life.stamina.boxes)
    rule = exact(sub(exertion_test, TIRING, hungry.life.endurance, hungry.life.stamina)).map(lambda tired: tired.boxes)
    assert odds.weights == rule.weights
    assert Fraction(odds.weights[1], odds.total) == Fraction(10 * 9 * 8, 10**3)  # three dice without a pair


def test_a_day_of_food_and_three_at_ease_restore_everything():
    """Lines 4877-4879: the example of the book."""
    starved = lived(3, participant(rules=TIRING, exertion="hunger"), rules=TIRING, dice=ScriptedFaces([NO_SET])).outcome.people[0]
    fed = replace(starved, exertion="", since=0)
    assert [stamina(days, person=fed).boxes for days in (3.99, 4)] == [1, 0]


def test_a_march_of_eight_hours_calls_for_two_tests_and_the_evening_restores():
    """Lines 4851-4856: hours are the Time Factor of heavy travelling; eight of them a day (ruling)."""
    marching = [stamina(hours * HOUR / DAY, NO_SET, NO_SET, exertion="marching").boxes for hours in (2.9, 3, 5.9, 6, 8, 11.9, 12, 24)]
    assert marching == [0, 1, 1, 2, 2, 2, 0, 0]
    assert stamina(27 / 24, NO_SET, NO_SET, NO_SET, exertion="marching").boxes == 1


def test_nobody_tires_without_the_option():
    played = lived(9, participant(exertion="hunger"), rules=RULES)
    assert played.outcome.people[0].life.stamina.boxes == 0
    assert told(played) == []


def test_what_a_fight_has_left_passes_in_four_rounds():
    """Lines 4854, 4877: rounds are the Time Factor of fighting."""
    tired = participant(rules=TIRING, **{"stamina.boxes": 2})
    assert [stamina(seconds / DAY, person=tired).boxes for seconds in (19, 20)] == [2, 0]
