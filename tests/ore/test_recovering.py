"""Bodies heal with time, and with Fast Recovery faster (book lines 1183-1212)."""

import pytest

from rulewright.errors import Wrong
from rulewright.play import play, script
from rulewright.systems.ore.body import Abstract, Part, Vital, fresh
from rulewright.systems.ore.recovering import WEEK, time_heals
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


def test_what_cannot_be():
    with pytest.raises(Wrong, match="no Shock and Kill"):
        script(time_heals(RULES, Abstract(statistic=2), 3))
    with pytest.raises(Wrong, match="hours"):
        script(time_heals(RULES, hurt(), 3, -1))
