"""Vital Boxes, and Downs and Outs (Combat Options 06 and 07)."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.abstract import (
    Came,
    Mark,
    Standing,
    compared,
    down_and_out,
    due_tests,
    outcome_of_test,
    stabilise,
    standing,
)
from rulewright.systems.ore.harm.body import Abstract, Hindrance, Injury, Vital, damage, fresh, hindered
from rulewright.systems.ore.harm.over_time import a_round_passes
from rulewright.systems.ore.harm.vital import fresh_vital, shock_penalty
from rulewright.systems.ore.settings import BOOK

VITAL = BOOK.ruleset(settings={"damage-system": "vital"})
ABSTRACT = BOOK.ruleset(settings={"damage-system": "abstract"})
BESIDES = BOOK.ruleset(settings={"damage-system": "abstract", "tests-for-great-damage": "besides two"})


def took(rules, body, shock, kill, faces=()):
    return script(damage(rules, body, "torso", shock, kill, "Bo"), faces).outcome


# --- Vital Boxes --------------------------------------------------------------------------------------------------------------


def test_a_body_of_three_has_five_vital_three_kill_and_five_shock_boxes():
    body = fresh(VITAL, 3)
    assert body == Vital(statistic=3, vital_boxes=5)
    lost = [took(VITAL, body, shock, 0).shock_lost for shock in range(17)]
    assert lost == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5]
    assert fresh_vital(VITAL, 3, size=2).vital_boxes == 7
    assert fresh(BOOK.ruleset(settings={"damage-system": "vital", "vital-boxes": 8})).vital_boxes == 8


def test_kill_takes_kill_boxes_and_then_vital_ones_each_of_which_costs_a_die():
    body = took(VITAL, fresh(VITAL, 3), 0, 5)
    assert (body.kill_lost, body.vital_lost) == (3, 2)
    assert hindered(VITAL, body) == Hindrance(2)
    assert body.able
    assert took(VITAL, body, 0, 3).dead


def test_the_last_shock_box_is_sleep_and_what_comes_after_takes_vital_boxes():
    body = took(VITAL, fresh(VITAL, 3), 15, 0)
    assert (body.unconscious, body.vital_lost) == (True, 0)
    assert took(VITAL, body, 2, 0).vital_lost == 2
    assert took(VITAL, fresh(VITAL, 3), 17, 0).vital_lost == 2
    assert took(VITAL, body, 5, 0).dead


def test_lost_shock_boxes_cost_height_and_dice_by_the_table_and_beyond_it():
    assert [shock_penalty(VITAL, lost) for lost in range(9)] == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (4, 4)]
    body = took(VITAL, fresh(VITAL, 3), 9, 4)
    assert hindered(VITAL, body) == Hindrance(1 + 1, 2)


def test_a_body_of_another_system_is_refused():
    with pytest.raises(UserError, match="no Vital Boxes"):
        took(VITAL, fresh(ABSTRACT), 1, 1)
    with pytest.raises(UserError, match="no Downs and Outs"):
        took(ABSTRACT, fresh(VITAL), 1, 1)
    with pytest.raises(UserError, match="no hit locations"):
        took(BOOK.ruleset(), fresh(VITAL), 1, 1)
    with pytest.raises(UserError, match="Body statistic"):
        fresh(VITAL, 0)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=6), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_vital_damage_never_heals(hits, statistic):
    body = fresh(VITAL, statistic)
    for shock, kill in hits:
        after = took(VITAL, body, shock, kill)
        assert after.kill_lost <= statistic
        assert after.vital_lost >= body.vital_lost
        assert after.shock >= body.shock
        assert body.able or not after.able
        body = after


def test_wounds_go_with_vital_boxes_and_not_with_downs_and_outs():
    rules = BOOK.ruleset(settings={"damage-system": "vital", "wounds": True})
    body = took(rules, fresh(rules, 3), 4, 0)
    assert hindered(rules, body) == Hindrance(1, 1)
    for _ in range(3):
        body = script(a_round_passes(rules, body)).outcome
    assert body.shock == 5
    with pytest.raises(UserError, match="their own Wounds"):
        BOOK.ruleset(settings={"damage-system": "abstract", "wounds": True})


@pytest.mark.parametrize(("other", "value"), [("hit-location", "width"), ("deadly-locations", True), ("locations-beside-vital", True)])
def test_downs_and_outs_refuse_locations_with_the_reason(other, value):
    with pytest.raises(UserError, match="apply to the whole body"):
        BOOK.ruleset(settings={"damage-system": "abstract", other: value})


def test_the_vital_system_refuses_deadly_locations():
    with pytest.raises(UserError, match="no boxes by location"):
        BOOK.ruleset(settings={"damage-system": "vital", "deadly-locations": True})


# --- Downs and Outs -----------------------------------------------------------------------------------------------------------


def test_damage_is_held_against_body():
    assert [compared(ABSTRACT, amount, 3) for amount in range(5)] == [Mark(), Mark(1), Mark(1), Mark(2), Mark(0, True)]
    assert compared(BESIDES, 4, 3) == Mark(2, True)


def test_a_test_by_its_width():
    assert [outcome_of_test(ABSTRACT, width) for width in (0, 2, 3, 4, 6)] == [Came(1), Came(0, 1), Came(0, 0, 1), Came(), Came()]
    assert outcome_of_test(ABSTRACT, 1) == Came(0, 1)  # a Minimal Success is no failure


def test_small_blows_are_counted_and_need_no_test():
    body = took(ABSTRACT, fresh(ABSTRACT, 3), 2, 3)
    assert body.injuries == (Injury(2, 1),)
    assert (body.total, body.health_threshold, body.mauled) == (3, 7, False)
    assert took(ABSTRACT, fresh(ABSTRACT, 3), 0, 0).injuries == ()


def test_the_example_of_the_club_comes_out_where_tests_come_besides_two():
    """1 Down, 2 Outs and an Out Test of 2x5 that costs a die: D1/O2/-1."""
    body = took(BESIDES, fresh(BESIDES, 3), 4, 2, [(5, 5, 1, 2, 3, 4, 6)])
    assert [str(injury) for injury in body.injuries] == ["D1/O2/-1"]
    assert hindered(BESIDES, body) == Hindrance(1)


def test_by_the_table_a_test_stands_in_place_of_outs():
    unhurt = took(ABSTRACT, fresh(ABSTRACT, 3), 4, 0, [(5, 5, 5, 5, 1, 2, 3)])
    assert unhurt == fresh(ABSTRACT, 3)
    assert took(ABSTRACT, fresh(ABSTRACT, 3), 4, 0, [(5, 5, 5, 6, 1, 2, 3)]).injuries == (Injury(0, 1),)
    out = took(ABSTRACT, fresh(ABSTRACT, 3), 4, 0, [(1, 2, 3, 4, 5, 6, 7)])
    assert (out.out_boxes, out.unconscious, out.able) == (1, True, False)


def test_difficulty_and_penalty_of_a_test_follow_earlier_injuries():
    body = Abstract(statistic=3, injuries=(Injury(2, 2, 1),))
    hit = took(ABSTRACT, body, 0, 4, [(3, 3, 3, 4, 4, 5)])  # six dice, and those below 4 do not count
    assert hit.injuries[-1] == Injury(0, 0, 1)
    beyond = Abstract(statistic=3, injuries=(Injury(6, 5),))
    assert took(ABSTRACT, beyond, 0, 4).down_boxes == 1  # a Difficulty above 10 fails by itself


def test_two_tests_are_one_roll_that_needs_two_sets():
    both = took(ABSTRACT, fresh(ABSTRACT, 3), 4, 4, [(5, 5, 5, 8, 8, 1, 2)])
    assert both.injuries == (Injury(1, 0, 1),)  # the wider set saves from the Down, the other costs a die
    one = took(ABSTRACT, fresh(ABSTRACT, 3), 4, 4, [(5, 5, 1, 2, 3, 8, 9)])
    assert (one.down_boxes, one.out_boxes) == (0, 1)
    broken = took(ABSTRACT, fresh(ABSTRACT, 3), 4, 4, [(5, 5, 5, 5, 1, 2, 3)])
    assert broken.injuries == (Injury(0, 0, 2),)


@given(st.integers(1, 5), st.integers(1, 10))
@settings(max_examples=15, deadline=None)
def test_the_odds_of_a_down_and_out_test_are_those_of_all_rolls(threshold, difficulty):
    counted = {}
    for faces in product(range(1, 11), repeat=min(threshold, 4)):
        shown = sorted([faces.count(face) for face in range(difficulty, 11) if faces.count(face) > 1], reverse=True)
        first, second = (*shown, 0, 0)[:2]
        if second == 0 and first >= 4:
            first, second = first - 2, 2
        key = (outcome_of_test(ABSTRACT, first), outcome_of_test(ABSTRACT, second))
        counted[key] = counted.get(key, 0) + 1
    odds = exact(sub(down_and_out, ABSTRACT, min(threshold, 4), difficulty))
    assert {outcome: odds[outcome] * 10 ** min(threshold, 4) for outcome in counted} == counted


def test_boxes_have_names_and_the_third_is_death():
    assert standing(ABSTRACT, 1, 0) == Standing("incapacitated")
    assert standing(ABSTRACT, 2, 2) == Standing("dying", "comatose", needs_help=True)
    assert standing(ABSTRACT, 0, 3) == Standing("", "dead", dead=True)
    assert Abstract(down_boxes=3).dead
    with pytest.raises(UserError, match="three Down Boxes"):
        standing(ABSTRACT, 4)


def test_who_is_mauled_or_out_tests_again_every_health_threshold_rounds_until_stabilised():
    mauled = Abstract(statistic=1, injuries=(Injury(3, 3),))
    assert mauled.mauled
    assert due_tests(mauled) == ("down", "out")
    assert due_tests(Abstract(down_boxes=1)) == ("out",)
    assert due_tests(Abstract(out_boxes=1)) == ("down",)
    assert due_tests(Abstract(down_boxes=1, out_boxes=1)) == ("down", "out")
    assert due_tests(stabilise(mauled)) == ()
    body = mauled
    for _ in range(4):
        body = script(a_round_passes(ABSTRACT, body)).outcome
        assert body.injuries == mauled.injuries
    body = script(a_round_passes(ABSTRACT, body), [(1, 2, 3, 4, 5)]).outcome
    assert (body.down_boxes, body.out_boxes, body.rounds) == (1, 1, 0)
    assert body.injuries == mauled.injuries
    assert script(a_round_passes(ABSTRACT, stabilise(mauled))).outcome == stabilise(mauled)


def test_being_hurt_again_ends_what_first_aid_did():
    body = took(ABSTRACT, stabilise(Abstract(statistic=3, out_boxes=1)), 1, 0)
    assert not body.stabilised


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_abstract_damage_never_heals(hits, seed):
    player, body = Player(Seeded(seed)), fresh(ABSTRACT, 3)
    for shock, kill in hits:
        after = player.run(damage(ABSTRACT, body, "torso", shock, kill, "Bo"))
        assert after.total >= body.total
        assert after.penalty >= body.penalty
        assert (after.down_boxes, after.out_boxes) >= (body.down_boxes, body.out_boxes)
        assert Injury() not in after.injuries
        body = after
