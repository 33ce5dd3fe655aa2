"""Charges, defences, grapples and everything else one does to somebody, by Width."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.close_actions import (
    NOTHING,
    Charged,
    Effect,
    charge,
    charge_bonus,
    disarm,
    disarm_effect,
    dodge,
    dodge_pool,
    escape,
    grapple,
    grapple_dice,
    hold,
    parry,
    push,
    strangle,
    strangle_effect,
    tackle,
    trip,
    trip_effect,
    unbalanced_dice,
)
from rulewright.systems.ore.gear.armour import Hit
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


REACH = rules(weapon_reach=True)


@pytest.mark.parametrize(("width", "bonus"), [(1, (0, 0)), (2, (0, 1)), (3, (1, 2)), (4, (2, 3)), (7, (2, 3))])
def test_a_charge_adds_kill_and_shock(width, bonus):  # lines 5342-5346
    assert charge_bonus(RULES, width) == bonus


def test_a_charge_is_two_actions_of_one_roll():  # line 5340
    assert script(charge(RULES, Pool(6), Pool(7)), [(4, 4, 4, 7, 7)]).outcome == Charged(Outcome(3, 4), 0, 1)
    assert script(charge(RULES, Pool(6), Pool(7)), [(4, 4, 1, 2, 7)]).outcome == Charged(Outcome())
    assert script(charge(RULES, Pool(0), Pool(7))).outcome == Charged(Outcome())


# --- defences -----------------------------------------------------------------------------------------------------------------


def test_a_blow_is_dodged_and_a_shot_dived_from():  # line 5348
    assert dodge_pool(RULES, Pool(6)) == Pool(6)
    assert dodge_pool(RULES, Pool(6), "ballistic", 3, 2).penalty == 2
    assert dodge_pool(rules(faster_than_bullets=True), Pool(6), "ballistic", 6) == Pool(6)
    with pytest.raises(UserError, match="metres to cover"):
        dodge_pool(RULES, Pool(6), "ballistic")
    assert script(dodge(RULES, Pool(2), 2, 5), [(5, 5)]).outcome.beaten
    assert not script(dodge(RULES, Pool(2), 2, 5), [(4, 4)]).outcome.beaten


def test_parries_are_for_close_combat():  # line 5382
    assert script(parry(RULES, Pool(2), 2, 5), [(9, 9)]).outcome.beaten
    with pytest.raises(UserError, match="only close combat"):
        script(parry(RULES, Pool(2), 2, 5, "ballistic"))
    longer = exact(sub(parry, REACH, Pool(4), 2, 5, "close", 3, 2)).chance(lambda one: one.beaten)
    shorter = exact(sub(parry, REACH, Pool(4), 2, 5, "close", 2, 3)).chance(lambda one: one.beaten)
    without = exact(sub(parry, RULES, Pool(4), 2, 5, "close", 3, 2)).chance(lambda one: one.beaten)
    assert longer > shorter == without


def test_a_hold_counters_what_the_limb_does():  # lines 5378-5380
    assert script(hold(RULES, Pool(3), 3, 5), [(6, 6, 6)]).outcome.left == Outcome()
    assert script(hold(REACH, Pool(2), 3, 5, True), [(6, 6)]).outcome.left == Outcome()
    with pytest.raises(UserError, match="Close-In"):
        script(hold(REACH, Pool(2), 3, 5, False))


# --- by Width -----------------------------------------------------------------------------------------------------------------


def test_disarming():  # lines 5350-5356
    assert disarm_effect(RULES, 2) == Effect(True, set_dice=1, metres=2, disarmed=True)
    assert disarm_effect(RULES, 3) == Effect(True, shock=1, parts=("right arm",), set_dice=1, metres=3, disarmed=True)
    assert disarm_effect(RULES, 5, "left arm") == Effect(
        True, shock=2, parts=("left arm",), set_dice=1, metres=5, disarmed=True, taken=True
    )
    assert not disarm_effect(RULES, 4, free_hand=False).taken
    assert disarm_effect(RULES, 1) == NOTHING
    assert script(disarm(RULES, Pool(5)), [(5, 5, 1)]).outcome.shock == 1
    assert script(disarm(RULES, Pool(5)), [(4, 4, 1)]).outcome == NOTHING


def test_tripping():  # lines 5406-5412
    assert trip_effect(RULES, 1) == NOTHING
    assert trip_effect(RULES, 2) == Effect(True, set_dice=1, next_round=1)
    assert trip_effect(RULES, 3) == Effect(True, set_dice=1, next_round=1, downed=True)
    hurt = trip_effect(RULES, 4)
    assert (hurt.shock, set(hurt.parts), hurt.downed) == (1, {"left arm", "right arm"}, True)
    abstract = trip_effect(rules(damage_system="abstract"), 6)
    assert (abstract.shock, abstract.parts) == (2, ())


def test_a_trip_has_difficulty_2_and_a_die_against_the_unsteady():
    assert script(trip(RULES, Pool(3)), [(1, 1, 1)]).outcome == NOTHING
    assert script(trip(RULES, Pool(3)), [(2, 2, 1)]).outcome.success
    assert script(trip(RULES, Pool(3), True), [(2, 2, 2, 1)]).outcome.downed


def test_who_is_off_balance():  # lines 5386-5388, 5406
    assert unbalanced_dice().dice == 0
    for state in ("pushing", "pushed", "tackling", "tackled"):
        assert unbalanced_dice(**{state: True}).dice == 1
    assert unbalanced_dice(pushing=True, pushed=True).dice == 1
    assert unbalanced_dice(tackling=True, trip=False).dice == 0  # a tackle gains from a push only
    assert unbalanced_dice(pushed=True, trip=False).dice == 1


def test_tackling():  # line 5402
    assert script(tackle(RULES, Pool(4)), [(3, 3, 3)]).outcome == Effect(True, Hit(0, 3, 3), set_dice=1, downed=True, attacker_downed=True)
    assert script(tackle(RULES, Pool(4)), [(3, 4, 5)]).outcome == NOTHING
    assert script(tackle(RULES, Pool(4), True), [(3, 3, 5, 1)]).outcome.success


def test_pushing():  # lines 5384-5385
    assert script(push(RULES, Pool(3)), [(4, 4, 4)]).outcome == Effect(True, metres=3, ends_close_in=True)
    assert script(push(RULES, Pool(3)), [(4, 5, 6)]).outcome == NOTHING
    with pytest.raises(UserError, match="Close-In"):
        script(push(REACH, Pool(3), False))


def test_grappling():  # lines 5370-5376
    floor = script(grapple(RULES, Pool(3), Pool(2)), [(6, 6, 6), (5, 5)]).outcome
    assert floor == Effect(True, immobile=True, downed=True, attacker_downed=True)
    assert script(grapple(RULES, Pool(3), Pool(2)), [(6, 6, 6), (7, 7)]).outcome == NOTHING
    upright = script(grapple(RULES, Pool(3), Pool(0), standing=True), [(6, 6)]).outcome
    assert upright == Effect(True, immobile=True)
    wall = script(grapple(RULES, Pool(3), Pool(0), against_wall=True), [(6, 6, 1)]).outcome
    assert wall == Effect(True, immobile=True)
    assert (grapple_dice(True).dice, grapple_dice(False).dice) == (-1, 0)
    with pytest.raises(UserError, match="Close-In"):
        script(grapple(REACH, Pool(3), Pool(2), close_in=False))


def test_escaping_a_grapple():
    assert script(escape(RULES, Pool(3), Pool(2)), [(6, 6, 6), (5, 5)]).outcome == Outcome(3, 6)
    assert script(escape(RULES, Pool(3), Pool(2)), [(6, 6, 6), (8, 8)]).outcome == Outcome()


@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_strangling(width):  # lines 5394-5400
    assert strangle_effect(width) == Effect(True, shock=width, parts=("head",), set_dice=1, again=(width, 10))


def test_only_the_grappled_are_strangled():
    assert script(strangle(RULES, Pool(5)), [(10, 1, 2)]).outcome.again == (2, 10)
    assert script(strangle(RULES, Pool(5)), [(9, 9, 9)]).outcome == NOTHING
    with pytest.raises(UserError, match="grapple"):
        script(strangle(RULES, Pool(5), grappled=False))
