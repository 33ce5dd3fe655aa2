"""Close attacks and special ways to fire (book lines 4891-4991): printed tables a second time, borders, odds counted by hand."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.gunnery import bursts, rams, special
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK
from silhouette.machines.designs import HUNTER, PLAIN

RULES = BOOK.ruleset()
ONE, TWO = Pool(1), Pool(2)


def chance(odds, wanted):
    return Fraction(sum(weight for came, weight in odds.weights.items() if wanted(came)), odds.total)


# --- rams ---------------------------------------------------------------------------------------------------------------------


def test_the_table_of_impacts_is_the_printed_one():
    assert [(row.hexes, row.ground, row.air) for row in rams.IMPACTS(RULES).values()] == [
        ("1-2", -2, 0),
        ("3-4", -1, 1),
        ("5-6", 0, 2),
        ("7-9", 1, 3),
        ("10-19", 2, 4),
        ("20-99", 3, 5),
        ("100-999", 4, 6),
    ]


@pytest.mark.parametrize(
    ("hexes", "ground"), [(1, -2), (2, -2), (3, -1), (4, -1), (6, 0), (9, 1), (10, 2), (19, 2), (99, 3), (100, 4), (5000, 4)]
)
def test_every_impact_finds_its_row(hexes, ground):
    assert rams.impact_modifier(RULES, hexes) == ground


@pytest.mark.parametrize(("impact", "speed"), [("head-on", 9), ("side", 6), ("rear", 3)])
def test_speeds_add_head_on_and_are_subtracted_from_behind(impact, speed):
    assert rams.impact_speed(6, 3, impact).value == speed


def test_nobody_rams_what_runs_away_faster():
    assert rams.impact_speed(3, 6, "rear").value == 0
    with pytest.raises(UserError, match="impact speed above 0"):
        rams.impact_modifier(RULES, 0)


def test_each_strikes_the_other_with_its_own_size():
    """A Size of 8 into a Size of 5 at 6 hexes from the side, by 2: 16 for the one that was rammed, 10 for the rammer."""
    own, other = (rams.ram_multiplier(RULES, size, 6).value for size in (8, 5))
    came = script(rams.ram(RULES, ONE, ONE, (own, other)), [(5,), (3,)], []).outcome
    assert (came.to_target, came.to_rammer) == (16, 10)
    plated = script(rams.ram(RULES, ONE, ONE, (own, other), (True, False)), [(5,), (3,)], []).outcome
    assert (plated.to_target, plated.to_rammer) == (16, 5)
    assert not script(rams.ram(RULES, ONE, ONE, (own, other)), [(3,), (3,)], []).outcome.hit


def test_a_ram_strikes_with_one_at_least():
    assert rams.ram_multiplier(RULES, 1, 1).value == 1
    assert rams.ram_multiplier(RULES, 1, 1, flying=True).value == 1


# --- fists, feet, throws ------------------------------------------------------------------------------------------------------


def test_a_punch_is_what_the_arm_was_built_for():
    assert rams.punch(machine(RULES, HUNTER)).value == 6
    for perks in ((), (Fitted("manipulator arm", 6),), (Fitted("manipulator arm", 6, punch=0),)):
        with pytest.raises(UserError, match="no arm"):
            rams.punch(machine(RULES, replace(PLAIN, perks=perks)))


@pytest.mark.parametrize(("variant", "towing", "damage"), [(None, "", 6), ("double", "double", 7), ("triple", "triple", 8)])
def test_a_kick_is_the_size_and_more_with_towing_capacity(variant, towing, damage):
    perks = HUNTER.perks if variant is None else (*HUNTER.perks, Fitted("high towing capacity", variant=variant))
    built = machine(RULES, replace(HUNTER, perks=perks))
    assert rams.towing(built) == towing
    assert rams.kick(RULES, built.size, rams.towing(built)).value == damage


def test_an_arm_throws_twice_what_its_rating_is_above_the_size_of_the_thing():
    assert rams.throwing_range(RULES, 6, 2).value == 8
    assert rams.throwing_range(RULES, 6, 7).value == 0
    assert rams.throwing_range(RULES, 6, 4, thrower=6, second=4).value == 8
    assert rams.throwing_range(RULES, 6, 3, thrower=6, second=4).value == 6


@pytest.mark.parametrize(("cost", "size"), [(0, 0), (1, 0), (2, 1), (7, 1), (8, 2), (18, 3), (17.9, 2)])
def test_a_system_is_as_large_as_the_root_of_half_its_cost(cost, size):
    assert rams.thrown_size(cost).value == size


def test_a_throw_that_ties_lands_on_the_target_and_a_worse_one_beside_it():
    assert script(rams.throw(RULES, ONE, ONE), [(4,), (4,)], []).outcome.margin == 1
    assert script(rams.throw(RULES, ONE, ONE), [(6,), (4,)], []).outcome.margin == 2
    off = script(rams.throw(RULES, ONE, ONE), [(2,), (5,), (4,)], []).outcome
    assert (off.margin, off.off, off.direction) == (0, 6, 3)


# --- bursts -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rof", "shots", "missiles"), [(0, 1, 1), (1, 5, 2), (2, 10, 4), (3, 15, 8), (4, 20, 16)])
def test_bursts_take_five_shots_a_point_and_missiles_double(rof, shots, missiles):
    assert bursts.burst_shots(RULES, rof).value == shots
    assert bursts.burst_shots(RULES, rof, missile=True).value == missiles


@pytest.mark.parametrize(("left", "rof"), [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (99, 2), (None, 2)])
def test_a_weapon_fires_what_burst_its_shots_allow(left, rof):
    assert bursts.largest_burst(RULES, 2, left) == rof


def test_the_rate_adds_to_damage_against_machines_and_to_the_margin_against_people():
    assert bursts.burst_damage(RULES, 8, 2).value == 10
    assert bursts.burst_margin(RULES, 3, 2).value == 5


def test_walking_fire_loses_a_point_for_each_further_target_and_reaches_one_more_than_the_rate():
    assert [bursts.walking_rate(RULES, 3, hexes).value for hexes in (1, 2, 3, 4)] == [3, 2, 1, 0]
    with pytest.raises(UserError, match="1 to 4 targets"):
        bursts.walking_rate(RULES, 3, 5)


def test_a_burst_walks_from_a_hex_to_the_next():
    assert bursts.walked_over((3, 3), (3, 5), ((3, 4),)) == ((3, 3), (3, 4), (3, 5))
    with pytest.raises(UserError, match="adjacent hexes"):
        bursts.walked_over((3, 3), (3, 5))


# --- saturation ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rof", "left", "missile", "used"), [(2, 50, False, 20), (2, 20, False, 20), (2, 12, False, 12), (1, 8, True, 8), (2, 5, True, 5)]
)
def test_saturating_takes_ten_shots_or_eight_missiles_a_point_or_empties_the_magazine(rof, left, missile, used):
    assert bursts.saturation_shots(RULES, rof, missile, left).value == used


def test_a_magazine_that_holds_just_enough_is_not_told_to_fall_short():
    assert bursts.saturation_shots(RULES, 2, left=20).reasons == bursts.saturation_shots(RULES, 2).reasons
    assert "emptied" in str(bursts.saturation_shots(RULES, 2, left=19).reasons)


@pytest.mark.parametrize(("left", "missile"), [(9, False), (3, True)])
def test_with_too_little_left_nothing_is_saturated(left, missile):
    with pytest.raises(UserError, match="at least"):
        bursts.saturation_shots(RULES, 1, missile, left)


def test_a_saturated_hex_must_be_beaten_with_the_defense():
    assert script(bursts.saturate(RULES, ONE, 2), [(4,)], []).outcome.total == 6
    hurt = script(bursts.under_saturation(RULES, ONE, 6, 8), [(3,)], []).outcome
    assert (hurt.short, hurt.damage) == (3, 24)
    even = script(bursts.under_saturation(RULES, ONE, 6, 8), [(6,)], []).outcome
    assert even.damage == 0


# --- missiles shot down -------------------------------------------------------------------------------------------------------


def test_without_the_perk_it_is_six_harder_and_a_burst_makes_up_for_it():
    assert special.anti_missile_pool(RULES, ONE, 0).modifier == -6
    assert special.anti_missile_pool(RULES, ONE, 4).modifier == -2
    assert special.anti_missile_pool(RULES, ONE, 0, built_for_it=True).modifier == 0


@pytest.mark.parametrize(
    ("margin", "rof", "missiles", "shots"),
    [(0, 0, False, 5), (1, 0, False, 4), (4, 0, False, 1), (9, 0, False, 1), (4, 1, False, 5), (1, 2, False, 20), (4, 1, True, 2)],
)
def test_anti_missile_fire_takes_five_shots_less_its_margin(margin, rof, missiles, shots):
    assert special.anti_missile_shots(RULES, margin, rof, missiles).value == shots


@pytest.mark.parametrize(("face", "incoming", "rof", "left"), [(4, 0, 0, 0), (5, 0, 0, None), (4, 3, 1, 2), (6, 3, 1, None), (2, 3, 1, 3)])
def test_a_single_missile_is_destroyed_and_a_swarm_thinned_out(face, incoming, rof, left):
    came = script(special.shoot_down(RULES, ONE, 4, incoming, rof, built_for_it=True), [(face,)], []).outcome
    assert came.rate == left


def test_only_a_burst_stops_a_swarm():
    with pytest.raises(UserError, match="only a burst"):
        script(special.shoot_down(RULES, ONE, 4, incoming=2), [], [])


def test_the_odds_of_shooting_a_missile_down_are_those_of_its_dice():
    odds = exact(lambda: special.shoot_down(RULES, TWO, 4, built_for_it=True))
    better = [max(pair) + (pair == (6, 6)) for pair in product(range(1, 7), repeat=2)]
    assert chance(odds, lambda came: came.destroyed) == Fraction(sum(each > 4 for each in better), 36)


# --- areas, called shots, evasion, indirect fire ------------------------------------------------------------------------------


@pytest.mark.parametrize(("margin", "vacuum", "damage"), [(3, False, 45), (0, False, 15), (-4, False, 15), (0, True, 7.5), (1, True, 15)])
def test_in_an_area_everybody_is_hit_by_their_own_defense_and_shaken_at_least(margin, vacuum, damage):
    assert special.area_damage(margin, 15, vacuum).value == damage


def test_an_area_of_nothing_is_one_hex():
    assert special.in_area(0, 0)
    assert not special.in_area(1, 0)
    assert special.in_area(2, 2)


def test_a_called_shot_has_a_die_less_and_the_last_one_is_rolled_unskilled():
    assert special.called(RULES, Pool(3, (Mod("x", 1),))) == Pool(2, (Mod("x", 1),))
    assert special.called(RULES, ONE).dice == 0
    assert not special.hits_tiny(RULES, 2)
    assert special.hits_tiny(RULES, 3)


def test_evading_is_worth_three_on_every_defense():
    assert special.evasion(RULES).value == 3
    assert special.evasion(RULES, False).value == 0


@pytest.mark.parametrize(("gravity", "modifier"), [(0.16, -1), (0.5, -1), (0.51, 0), (1, 0), (1.5, 0), (2, -1), (2.5, -1), (3, -2)])
def test_each_full_g_above_one_spoils_indirect_fire_line_4985(gravity, modifier):
    assert special.indirect_gravity(RULES, gravity).value == modifier


def test_only_what_is_made_for_it_fires_indirectly_and_only_on_the_ground():
    assert not special.indirect_allowed(True)
    assert special.indirect_allowed(False)
    assert special.indirect_allowed(True, flying=True)
    assert special.indirect_allowed(True, space=True)


def test_an_observer_lends_what_obscures_the_target_and_sensors_only_its_hex():
    assert special.indirect_obscurement("observer", 3, 1).value == 3
    assert special.indirect_obscurement("sensors", 3, 1).value == 1
    assert special.indirect_obscurement("blind", 3, 1).value == 0


def test_a_blind_shot_goes_astray_unless_a_one_comes_twice():
    assert script(special.deviate(RULES), [(1,), (1,)], []).outcome == special.Astray()
    assert script(special.deviate(RULES), [(1,), (4,), (2,)], []).outcome == special.Astray(4, 1)
    assert script(special.deviate(RULES), [(5,), (6,)], []).outcome == special.Astray(5, 5)
    odds = exact(lambda: special.deviate(RULES))
    assert chance(odds, lambda came: came.hexes == 0) == Fraction(1, 36)
    assert chance(odds, lambda came: came.hexes == 6) == Fraction(7, 36)


def test_every_sum_of_special_fire_comes_to_its_number():
    for derived in (
        rams.impact_speed(3, 6, "rear"),
        rams.ram_multiplier(RULES, 1, 1),
        rams.ram_damage(RULES, 3, 5, plate=True),
        rams.throwing_range(RULES, 6, 4, 6, 4),
        bursts.burst_shots(RULES, 3, missile=True),
        bursts.saturation_shots(RULES, 2, left=12),
        special.anti_missile_shots(RULES, 9, 2),
        special.concussion(15, vacuum=True),
    ):
        assert holds(derived.reason)
