"""Bodies heal with time, and with Fast Recovery faster (book lines 1183-1212)."""

import pytest

from rulewright.errors import UserError
from rulewright.play import play, script
from rulewright.systems.ore.harm.body import Abstract, Injury, Part, Vital, fresh
from rulewright.systems.ore.recovery.healing import WEEK, time_heals
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def hurt(shock=5, kill=3):
    return fresh(RULES, 2).put(Part("torso", 10, shock, kill))


def after(points, hours, resting=True, body=None):
    part = script(time_heals(RULES, body or hurt(), points, hours, resting)).outcome.part("torso")
    return part.shock, part.kill


@pytest.mark.parametrize(
    ("points", "resting", "an_hour", "a_day"),
    [
        (0, True, (5, 3), (2, 3)),
        (0, False, (5, 3), (5, 3)),
        (1, True, (4, 3), (0, 3)),
        (1, False, (5, 3), (5, 3)),
        (2, False, (4, 3), (0, 3)),
        (3, True, (0, 3), (0, 2)),
        (3, False, (5, 3), (5, 3)),
        (4, True, (0, 3), (0, 1)),
        (4, False, (0, 3), (0, 3)),
        (5, True, (0, 3), (0, 0)),
        (5, False, (0, 3), (0, 3)),
    ],
)
def test_every_rating(points, resting, an_hour, a_day):
    assert (after(points, 1, resting), after(points, 24, resting)) == (an_hour, a_day)


def test_a_week_turns_kill_into_shock_where_the_rating_says_nothing_of_kill():
    assert after(0, WEEK) == (1, 2)
    assert after(1, WEEK) == (1, 2)
    assert after(1, WEEK + 1) == (0, 2)
    assert after(3, WEEK) == (0, 0)
    assert after(3, WEEK, body=hurt(0, 9)) == (0, 2)  # and turns none of it into Shock


def test_whoever_heals_says_where():
    body = hurt(2, 2).put(Part("head", 4, 1, 1))
    healed = script(time_heals(RULES, body, 1, 1, by="Ana"), [], ["head"]).outcome
    assert (healed.part("head").shock, healed.part("torso").shock) == (0, 2)
    healed = script(time_heals(RULES, body, 3, 24, by="Ana"), [], ["torso"]).outcome
    assert (healed.part("head").kill, healed.part("torso").kill) == (1, 1)
    assert play(time_heals(RULES, body, 5, 24)).outcome.record() == "unhurt"


def test_vital_boxes():
    body = Vital(statistic=3, kill_lost=3, vital_lost=1, shock=10)
    assert script(time_heals(RULES, body, 0, 24)).outcome == Vital(statistic=3, kill_lost=2, vital_lost=1, shock=7)
    assert script(time_heals(RULES, body, 1, 4)).outcome == Vital(statistic=3, kill_lost=3, vital_lost=1, shock=6)
    assert script(time_heals(RULES, body, 1, 24)).outcome == Vital(statistic=3, kill_lost=2, vital_lost=1, shock=0)
    assert script(time_heals(RULES, body, 4, 24)).outcome == Vital(statistic=3, kill_lost=1, vital_lost=1, shock=0)
    assert script(time_heals(RULES, body, 4, WEEK)).outcome == Vital(statistic=3)


def healed(points, hours, injuries, choices=(), resting=True):
    body = Abstract(statistic=2, injuries=injuries, down_boxes=1)
    after = script(time_heals(ABSTRACT, body, points, hours, resting, "Ana"), [], list(choices)).outcome
    assert after.down_boxes == 1  # these never heal by themselves
    return after.injuries


ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})


def test_outs_heal_like_shock_and_downs_like_kill():
    hurt = (Injury(2, 3),)
    assert healed(1, 2, hurt) == (Injury(2, 1),)  # an Out for each hour of rest
    assert healed(1, 2, hurt, resting=False) == hurt
    assert healed(2, 1, hurt, resting=False) == (Injury(2, 2),)
    assert healed(3, 1, hurt) == (Injury(2, 0),)  # all of them
    assert healed(3, 24, hurt) == (Injury(1, 0),)
    assert healed(4, 24, hurt) == ()
    assert healed(4, 24, hurt, resting=False) == (Injury(2, 0),)


def test_everybodys_day_stays_where_the_rating_says_nothing_of_kill():
    assert healed(0, 24, (Injury(1, 1),), ["1 downs"]) == (Injury(0, 1),)
    assert healed(1, 24, (Injury(2, 3),), ["1 downs"]) == (Injury(1, 0),)  # 24 Outs at most, and a Down for the day
    assert healed(2, 24, (Injury(2, 3),), resting=False) == (Injury(2, 0),)


def test_wounds_wait_for_their_penalty():
    assert healed(3, 24, (Injury(2, 2, 1),)) == (Injury(2, 2, 1),)
    assert healed(3, 24, (Injury(1, 1), Injury(2, 2, 1))) == (Injury(2, 2, 1),)
    assert healed(3, WEEK, (Injury(2, 2, 1),)) == (Injury(2, 2),)
    assert healed(3, WEEK + 24, (Injury(2, 2, 1),)) == (Injury(1, 0),)


def test_whoever_heals_says_of_which_injury():
    two = (Injury(1, 1), Injury(1, 1))
    assert healed(1, 1, two, ["2 outs"]) == (Injury(1, 1), Injury(1, 0))
    assert healed(3, 24, two, ["1 outs", "2 downs"]) == (Injury(1, 0),)


def test_what_cannot_be():
    with pytest.raises(UserError, match="hours"):
        script(time_heals(RULES, hurt(), 3, -1))
