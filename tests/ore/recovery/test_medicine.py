"""Rest and medicine under each damage system (chapters 4.07, 4.09)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.rules import House
from rulewright.systems.ore.harm.body import Abstract, Injury, Part, Vital, Wound, fresh
from rulewright.systems.ore.recovery.medicine import (
    Healed,
    abstract_day,
    boxes_recovered,
    can_heal,
    catch_breath,
    day_for_kill,
    day_of_rest,
    heal,
    healings,
    medicine,
    night_of_sleep,
    penalty_heals,
    recovery_test,
    rested,
    staunch,
    superficial,
    treated,
    week_for_vital,
    week_of_rest,
    wounds_heal,
)
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})


def test_a_day_of_rest_halves_shock_and_clears_the_last_point():
    assert [rested(shock) for shock in range(8)] == [0, 0, 0, 0, 2, 2, 3, 3]
    body = fresh(RULES).put(Part("torso", 10, 7, 2)).put(Part("head", 4, 3))
    after = day_of_rest(body)
    assert (after.part("torso").shock, after.part("torso").kill, after.part("head").shock) == (3, 2, 0)


def test_a_week_of_rest_turns_a_point_of_kill_into_shock_everywhere():
    body = fresh(RULES).put(Part("torso", 10, 1, 2)).put(Part("head", 4, 0, 3))
    after = week_of_rest(body)
    assert (after.part("torso"), after.part("head")) == (Part("torso", 10, 2, 1), Part("head", 4, 1, 2))


def test_medicine_turns_kill_first_and_heals_shock_with_what_is_left():
    assert treated(Part("torso", 10, 2, 1), 3) == Part("torso", 10, 1, 0)
    assert treated(Part("torso", 10, 2, 4), 3) == Part("torso", 10, 5, 1)
    with pytest.raises(UserError, match="cannot heal"):
        treated(Part("torso", 10), -1)


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 12))
def test_medicine_never_hurts(shock, kill, points):
    after = treated(Part("torso", 10, shock, kill), points)
    assert after.kill <= kill
    assert after.shock + after.kill <= shock + kill
    assert (shock + 2 * kill) - (after.shock + 2 * after.kill) == min(points, shock + 2 * kill)


def test_a_medicine_roll_is_as_hard_as_the_part_is_hurt():
    body = fresh(RULES).put(Part("left arm", 5, 1, 2))
    after = script(medicine(RULES, body, "left arm", Pool(5)), [(2, 2, 2, 7, 7)]).outcome
    assert after.part("left arm") == Part("left arm", 5, 3, 0)  # the threes do not reach 3, the sevens treat two points
    assert script(medicine(RULES, body, "left arm", Pool(5)), [(2, 2, 2, 7, 8)]).outcome == body
    assert script(medicine(RULES, fresh(RULES), "left arm", Pool(5))).outcome == fresh(RULES)
    worst = fresh(RULES).put(Part("torso", 10, 6, 4))  # ten points, a Difficulty of 10
    assert script(medicine(RULES, worst, "torso", Pool(3)), [(10, 10, 1)]).outcome.part("torso") == Part("torso", 10, 8, 2)
    by_height = BOOK.ruleset(settings={"medicine-heals": "height"})
    assert script(medicine(by_height, body, "left arm", Pool(5)), [(2, 2, 2, 7, 7)]).outcome.part("left arm") == Part("left arm", 5)


def test_vital_boxes_heal_by_breath_sleep_days_and_weeks():
    body = Vital(statistic=3, shock=7, kill_lost=2, vital_lost=3)
    assert catch_breath(body).shock == 3
    assert night_of_sleep(body).shock == 4
    assert night_of_sleep(body, width=3).shock == 1
    assert night_of_sleep(Vital(statistic=3, shock=2)).shock == 0
    assert day_for_kill(body).kill_lost == 1
    assert day_for_kill(body, rest=False).kill_lost == 2
    assert day_for_kill(body, rest=False, width=2).kill_lost == 1
    assert week_for_vital(body, 14).vital_lost == 1
    assert week_for_vital(body, 6).vital_lost == 3
    assert week_for_vital(body, 5, width=2).vital_lost == 2
    assert week_for_vital(body, 5, width=2, active=2).vital_lost == 2


def test_medicine_shortens_a_week_or_allows_active_days():
    assert healings(7) == 1
    assert healings(4, width=3) == 1
    assert healings(4, width=3, active=3) == 1
    with pytest.raises(UserError, match="active days"):
        healings(7, width=1, active=2)


def test_wounds_heal_in_weeks_and_are_staunched_by_medicine():
    body = fresh(RULES)
    hurt = type(body)(statistic=2, parts=body.parts, wounds=(Wound("head"), Wound("torso")))
    assert wounds_heal(hurt, 7).wounds == (Wound("torso"),)
    assert wounds_heal(hurt, 5, width=2).wounds == (Wound("torso"),)
    with pytest.raises(UserError, match="active days"):
        wounds_heal(hurt, 7, width=3, active=2)
    assert script(staunch(RULES, hurt, Pool(3)), [(4, 4, 1)]).outcome.wounds == (Wound("head", bleeding=False), Wound("torso"))
    assert script(staunch(RULES, hurt, Pool(3)), [(4, 5, 1)]).outcome == hurt
    assert script(staunch(RULES, body, Pool(3))).outcome == body


def test_the_example_of_three_injuries():
    """Body 3: D1/O1/-0 is healed, D2/O1/-1 is a Wound and stays, D2/O2/-0 becomes D1/O2/-0."""
    body = Abstract(statistic=3, injuries=(Injury(1, 1), Injury(2, 1, 1), Injury(2, 2)))
    played = script(superficial(ABSTRACT, body, "Bo"), choices=["1 downs", "1 outs", "3 downs"])
    assert [str(injury) for injury in played.outcome.injuries] == ["D2/O1/-1", "D1/O2/-0"]
    assert all(each.injury != 1 for each in can_heal(body))
    with pytest.raises(UserError, match="is a Wound"):
        heal(body, (Healed(1, "downs"),))
    with pytest.raises(UserError, match="has no outs"):
        heal(Abstract(injuries=(Injury(1, 0),)), (Healed(0, "outs"),))


def test_a_day_heals_one_and_attention_another():
    body = Abstract(statistic=3, injuries=(Injury(2, 2),))
    assert script(abstract_day(ABSTRACT, body), choices=["1 outs"]).outcome.injuries == (Injury(2, 1),)
    assert script(abstract_day(ABSTRACT, body, attended=True), choices=["1 outs", "1 outs"]).outcome.injuries == (Injury(2, 0),)


def test_the_penalty_of_a_wound_heals_before_its_downs():
    body = Abstract(statistic=3, injuries=(Injury(0, 0, 1), Injury(2, 1, 1)))
    assert penalty_heals(body, 7).injuries == (Injury(2, 1, 1),)
    assert penalty_heals(body, 14).injuries == (Injury(2, 1),)
    assert penalty_heals(body, 4, width=3).injuries == (Injury(2, 1, 1),)


def test_a_recovery_test_gives_boxes_back_by_the_stand_in_chart():
    assert [boxes_recovered(ABSTRACT, width) for width in (0, 1, 2, 3, 4, 5)] == [0, 0, 1, 2, 6, 6]
    shorter = BOOK.ruleset(settings={"damage-system": "abstract"}, house=House(tables={"ore-4.07-opt07-healing": {"0": None}}))
    assert [boxes_recovered(shorter, width) for width in (0, 1, 2)] == [0, 0, 1]
    body = Abstract(statistic=2, injuries=(Injury(1, 1),), down_boxes=1, out_boxes=1)
    after = script(recovery_test(ABSTRACT, body), [(5, 5, 1, 1, 1, 3)], [1]).outcome  # the ones are below the Difficulty of 2
    assert (after.down_boxes, after.out_boxes) == (0, 1)
    after = script(recovery_test(ABSTRACT, body), [(5, 5, 5, 1, 1, 3)]).outcome
    assert (after.down_boxes, after.out_boxes) == (0, 0)
    assert script(recovery_test(ABSTRACT, body), [(5, 4, 6, 1, 1, 3)]).outcome == body
