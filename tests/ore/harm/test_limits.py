"""Vital Boxes, and what a Down and Out test leaves, at their limits (Combat Options 06 and 07)."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.ore.combat.abstract import Came, _taken, shock_to_abstract
from rulewright.systems.ore.harm.body import Abstract, Injury, Vital
from rulewright.systems.ore.harm.over_time import a_round_passes
from rulewright.systems.ore.harm.vital import _hurt
from rulewright.systems.ore.settings import BOOK

ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})


@pytest.mark.parametrize(
    ("shock", "kill", "counted", "kills", "vital"),
    [
        (0, 0, 0, 0, 0),
        (14, 0, 14, 0, 0),
        (15, 0, 15, 0, 0),
        (16, 0, 15, 0, 1),
        (0, 3, 0, 3, 0),
        (0, 4, 0, 3, 1),
        (16, 4, 15, 3, 2),
        (0, 8, 0, 3, 5),
        (0, 9, 0, 3, 5),
    ],
)
def test_shock_fills_its_boxes_kill_its_own_and_the_rest_goes_into_vital_boxes(shock, kill, counted, kills, vital):
    """A body of 3: five times three points of Shock, three Kill Boxes, five Vital Boxes."""
    body = _hurt(Vital(statistic=3, vital_boxes=5), shock, kill)
    assert (body.shock, body.kill_lost, body.vital_lost) == (counted, kills, vital)


def test_what_is_there_already_is_added_to():
    body = _hurt(Vital(statistic=3, vital_boxes=5, shock=14, kill_lost=2, vital_lost=1), 3, 2)
    assert (body.shock, body.kill_lost, body.vital_lost) == (15, 3, 1 + 2 + 1)


def test_who_is_steadier_takes_a_box_of_shock_more():
    body = _hurt(Vital(statistic=3, vital_boxes=5, steadier=1), 20, 0)
    assert (body.shock, body.vital_lost) == (20, 0)


@pytest.mark.parametrize(("shock", "kill"), [(-1, 0), (0, -1)])
def test_damage_is_never_below_nothing(shock, kill):
    with pytest.raises(UserError, match="cannot be negative"):
        _hurt(Vital(statistic=3, vital_boxes=5), shock, kill)


@pytest.mark.parametrize(
    ("track", "came", "after"),
    [
        ("down", Came(1, 0, 0), {"down_boxes": 2, "injuries": (Injury(2, 1, 1), Injury(1, 1, 0))}),
        ("down", Came(9, 0, 0), {"down_boxes": 3, "injuries": (Injury(2, 1, 1), Injury(1, 1, 0))}),
        ("down", Came(0, 1, 0), {"injuries": (Injury(2, 1, 1), Injury(1, 1, 1))}),
        ("down", Came(0, 0, 1), {"injuries": (Injury(2, 1, 1), Injury(2, 1, 0))}),
        ("out", Came(1, 0, 0), {"out_boxes": 3, "injuries": (Injury(2, 1, 1), Injury(1, 1, 0))}),
        ("out", Came(2, 0, 0), {"out_boxes": 3, "injuries": (Injury(2, 1, 1), Injury(1, 1, 0))}),
        ("out", Came(0, 1, 1), {"injuries": (Injury(2, 1, 1), Injury(1, 2, 1))}),
    ],
)
def test_what_a_test_comes_to_is_written_into_the_last_injury(track, came, after):
    before = {"statistic": 3, "down_boxes": 1, "out_boxes": 2, "injuries": (Injury(2, 1, 1), Injury(1, 1, 0))}
    assert _taken(Abstract(**before), track, came) == Abstract(**{**before, **after})


def test_without_an_injury_the_first_is_begun():
    assert _taken(Abstract(statistic=3), "down", Came(0, 1, 2)).injuries == (Injury(2, 0, 1),)


@pytest.mark.parametrize(("shock", "outs"), [(0, 0), (1, 1), (2, 1), (3, 2), (9, 2)])
def test_shock_without_an_attack_is_held_against_body_and_asks_for_no_test(shock, outs):
    """Less than Body is one Out, as much or more two (the table of line 4650)."""
    body = shock_to_abstract(ABSTRACT, Abstract(statistic=3), shock=shock)
    assert sum(injury.outs for injury in body.injuries) == outs


@pytest.mark.parametrize(("rounds", "tested"), [(0, False), (5, False), (6, True)])
def test_who_is_mauled_tests_again_after_as_many_rounds_as_the_health_threshold(rounds, tested):
    mauled = Abstract(statistic=3, down_boxes=1, injuries=(Injury(1, 0, 0),), rounds=rounds)
    assert mauled.health_threshold == 7
    played = script(a_round_passes(ABSTRACT, mauled, "Bo"), [(1, 2, 3, 4, 5, 6, 7)] if tested else [])
    assert len(played.rolls) == int(tested)
    assert played.outcome.rounds == (0 if tested else rounds + 1)


def test_one_box_is_a_box_and_two_are_boxes():
    assert Vital(statistic=3, vital_boxes=5, kill_lost=1).record() == "1 Kill Box lost"
    assert Vital(statistic=3, vital_boxes=5, kill_lost=2, vital_lost=1).record() == "2 Kill Boxes lost, 1 Vital Box lost"
