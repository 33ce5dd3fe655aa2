"""Getting tired: Exertion Tests, Endurance Boxes, and what brings them back."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.harm.endurance import TIME_FACTORS, Stamina, due, exert, exertion_test, recuperate, rests, tired_dice
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
TIRED = BOOK.ruleset(settings={"getting-tired": True})


def test_success_makes_the_next_test_harder_and_failure_costs_a_box():  # line 4859
    fresh = Stamina(3)
    passed = script(exertion_test(TIRED, Pool(3), fresh), [(1, 1, 5)]).outcome
    assert (passed.difficulty, passed.boxes) == (2, 0)
    failed = script(exertion_test(TIRED, Pool(3), passed), [(1, 1, 5)]).outcome
    assert (failed.difficulty, failed.boxes, failed.state) == (2, 1, "strained")


def test_three_boxes_and_then_body():  # lines 4861-4871
    state = Stamina(2)
    states = []
    for _ in range(5):
        state = script(exertion_test(TIRED, Pool(5), state), [(1, 2, 3, 4, 5)[: 5 - state.body_lost]]).outcome
        states.append((state.state, state.body_left))
    assert states == [("strained", 2), ("suffering", 2), ("depleted", 2), ("depleted", 1), ("depleted", 0)]
    assert state.dead


def test_a_difficulty_above_ten_fails_without_a_roll():
    assert script(exertion_test(TIRED, Pool(5), Stamina(3, passed=10))).outcome.boxes == 1


def test_a_test_is_due_every_body_units():  # line 4851
    assert [units for units in range(10) if due(3, units)] == [3, 6, 9]
    assert [units for units in range(4) if due(1, units)] == [1, 2, 3]
    assert not any(due(0, units) for units in range(4))
    assert {row.unit for row in TIME_FACTORS(RULES).values()} == {"rounds", "minutes", "hours", "days"}
    state = Stamina(3)
    for _ in range(2):
        state = script(exert(TIRED, Pool(2), state)).outcome
    assert state.elapsed == 2
    state = script(exert(TIRED, Pool(2), state), [(1, 2)]).outcome
    assert (state.boxes, state.elapsed) == (1, 0)


def test_nobody_tires_without_the_option():
    assert script(exert(RULES, Pool(2), Stamina(1))).outcome == Stamina(1)
    assert [tired_dice(RULES, boxes).dice for boxes in range(4)] == [0, 0, 0, 0]
    assert [tired_dice(TIRED, boxes).dice for boxes in range(4)] == [0, -1, -2, -2]
    with pytest.raises(UserError, match="Endurance Boxes"):
        tired_dice(TIRED, 4)


def test_days_of_hunger_take_a_day_of_rest_and_three_of_ease():  # line 4879
    starved = Stamina(3, passed=2, boxes=3)
    assert recuperate(starved, 1, 3) == Stamina(3)
    assert recuperate(starved, 0, 9) == starved
    assert recuperate(starved, 1, 2) == starved


def test_rest_is_counted_unit_by_unit():
    tired = Stamina(3, passed=2, boxes=2)
    for units in (1, 2, 3):
        tired = rests(tired)
        assert (tired.boxes, tired.rested) == (2, units)
    assert rests(tired) == Stamina(3)
    assert rests(Stamina(3)) == Stamina(3)
    assert script(exert(TIRED, Pool(3), Stamina(3, boxes=1, rested=2))).outcome.rested == 0


def test_the_dead_do_not_tire():
    gone = Stamina(1, boxes=3, body_lost=1)
    assert script(exert(TIRED, Pool(5), gone)).outcome is gone


def test_harder_tests_fail_more_often():
    chances = [exact(sub(exertion_test, TIRED, Pool(6), Stamina(3, passed))).chance(lambda now: now.boxes == 0) for passed in (0, 3, 6)]
    assert chances[0] > chances[1] > chances[2]
