"""Attacks of machines: the printed modifiers, and the worked examples of lines 5254-5264."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import Region
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.gunnery.arcs import in_arc, side_hit
from rulewright.systems.silhouette.gunnery.attacks import (
    attack,
    attack_pool,
    attack_test,
    defense_pool,
    interrupted_movement,
    shot,
)
from rulewright.systems.silhouette.gunnery.modifiers import (
    ATTACK,
    DEFENSE,
    attacker_modifier,
    attackers_mod,
    capped,
    defender_modifier,
    hexes_mod,
    range_band,
    side_mod,
)
from rulewright.systems.silhouette.machines.machine import Mounted
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted
from rulewright.systems.silhouette.resolution.tests import Pool
from silhouette.battles import RULES, battle, by, hexes, unit, vehicle

# --- the tables ----------------------------------------------------------------------------------------------------------------------


def test_range_and_movement_modifiers_are_as_printed():
    """Lines 4841-4854."""
    printed = {"point blank": 1, "short": 0, "medium": -1, "long": -2, "extreme": -3, "stationary": 2, "half": 1, "combat": 0, "top": -3}
    assert {name: ATTACK.get(RULES, name).modifier for name in printed} == printed


@pytest.mark.parametrize(
    ("low", "high", "modifier"),
    [(0, 0, -3), (1, 2, -2), (3, 4, -1), (5, 6, 0), (7, 9, 1), (10, 19, 2), (20, 99, 3), (100, 999, 4)],
)
def test_hexes_moved_help_a_defense_as_printed(low, high, modifier):
    """Lines 4874-4882."""
    assert hexes_mod(RULES, low).value == hexes_mod(RULES, high).value == modifier


def test_arcs_and_many_attackers_cost_a_defense_as_printed():
    """Lines 4884-4887, 4870."""
    assert [side_mod(RULES, side).value for side in ("front", "left rear flank", "right rear flank", "rear")] == [0, -1, -1, -2]
    assert [side_mod(RULES, side, True).value for side in ("front", "left rear flank", "rear")] == [0, 0, -1]
    assert [attackers_mod(RULES, before).value for before in range(6)] == [0, -1, -2, -3, -3, -3]
    assert (DEFENSE.get(RULES, "evasive maneuvers").modifier, DEFENSE.get(RULES, "Command Point").modifier) == (3, 2)


@pytest.mark.parametrize(
    ("distance", "band"),
    [
        (0, "point blank"),
        (1, "short"),
        (3, "short"),
        (4, "medium"),
        (6, "medium"),
        (7, "long"),
        (12, "long"),
        (13, "extreme"),
        (24, "extreme"),
        (25, "twice extreme"),
        (48, "twice extreme"),
        (49, "four times extreme"),
        (96, "four times extreme"),
        (120, "five times extreme"),
        (121, ""),
    ],
)
def test_ranges_double_from_the_base_range_up_to_five_times_the_extreme(distance, band):
    assert range_band(RULES, distance, 3) == band


def test_a_system_with_ranges_of_its_own_reaches_as_far_as_these():
    assert [range_band(RULES, far, 0, (0, 1, 2, 3)) for far in range(5)] == ["point blank", "medium", "long", "extreme", "twice extreme"]


@pytest.mark.parametrize(
    ("maneuver", "hexes_moved", "evasive", "value"),
    [(1, 14, 0, 2), (1, 3, 0, 0), (1, 7, 3, 3), (-3, 4, 0, -1), (-3, 2, 0, -2)],
)
def test_capped_modifiers_are_those_of_the_examples(maneuver, hexes_moved, evasive, value):
    """Lines 4893-4895."""
    assert capped(maneuver, hexes_mod(RULES, hexes_moved).value, evasive).value == value
    played = by(capped_modifiers=True)
    assert defender_modifier(played, maneuver, hexes_moved, evading=bool(evasive)).value == value


@given(st.integers(-5, 5), st.integers(0, 30), st.integers(0, 6), st.booleans())
def test_every_sum_of_modifiers_makes_its_number(maneuver, hexes_moved, others, evading):
    assert holds(defender_modifier(RULES, maneuver, hexes_moved, "rear", others, evading).reason)
    assert holds(attacker_modifier(RULES, maneuver, min(hexes_moved, 8), 1, "half", others).reason)


# --- the examples --------------------------------------------------------------------------------------------------------------------


def examples():
    """Vehicle A and Vehicle B with two hexes of woods between them, at medium range of a gun with a Base Range of 3."""
    woods = hexes(Region(terrain="woodland", box=(5, 6, 1, 2)))
    one = unit("A", at=(5, 9), facing=0, level=2, moved=True, hexes=3, pace="combat")
    two = unit(
        "B",
        "blue",
        (5, 5),
        facing=3,
        level=2,
        moved=True,
        hexes=2,
        pace="stationary",
        design=vehicle(systems=(Device("gun", damage=10, range=3, accuracy=1, uses=10),)),
    )
    return battle(one, two, ground=woods)


def test_vehicle_a_attacks_at_minus_3_and_vehicle_b_defends_at_minus_2_and_a_tie_misses():
    """Line 5258: 4 less 3 against 3 less 2."""
    scene = examples()
    made = shot(RULES, scene, scene.unit("A"), scene.unit("B"), 0)
    assert (made.band, made.hidden, made.side) == ("medium", 2, "front")
    assert attack_pool(RULES, scene, made).modifier == -3
    assert defense_pool(RULES, scene, made).modifier == -2
    came = script(attack_test(RULES, attack_pool(RULES, scene, made), defense_pool(RULES, scene, made)), [(4, 2), (3, 1)]).outcome
    assert (came.attack.total, came.defense.total, came.margin) == (1, 1, 0)
    played = script(attack(RULES, scene, made), [(4, 2), (3, 1)])
    assert played.outcome.unit("B").wear == scene.unit("B").wear
    assert played.events[-1].verdict().name == "miss"


def test_vehicle_b_stands_still_with_an_accurate_gun_and_vehicle_a_defends_at_minus_1():
    """Line 5260."""
    scene = examples()
    made = shot(RULES, scene, scene.unit("B"), scene.unit("A"), 0)
    assert attack_pool(RULES, scene, made).modifier == 0
    assert defense_pool(RULES, scene, made).modifier == -1


def test_a_margin_of_2_with_a_multiplier_of_10_is_light_damage_to_armor_15_and_stuns_the_crew():
    """Lines 5260-5264: one action less, Armor 14."""
    scene = examples()
    made = shot(RULES, scene, scene.unit("B"), scene.unit("A"), 0)
    played = script(attack(RULES, scene, made), [(4, 1), (3, 1), (3,)])
    after = played.outcome.unit("A")
    assert (after.wear.armor, after.owed, after.hit_by) == (1, 1, ("B",))
    assert played.events[0].verdict().name == "light damage"
    again = script(attack(RULES, played.outcome, made), [(6, 5), (1, 1), (1,)])
    assert again.outcome.unit("A").wear.destroyed == "overkill"
    assert again.events[0].verdict().name == "overkill"


# --- who can be attacked with what ---------------------------------------------------------------------------------------------------


def test_the_border_of_an_arc_counts_for_the_target():
    field = battle(unit(), unit("Two", "blue", (5, 1))).field
    assert side_hit(field, (5, 5), 0, (5, 1)) == "front"
    assert side_hit(field, (5, 5), 0, (7, 5)) == "front"  # 90 degrees, on the border
    assert side_hit(field, (5, 5), 0, (6, 6)) == "right rear flank"
    assert side_hit(field, (5, 5), 0, (4, 6)) == "left rear flank"
    assert side_hit(field, (5, 5), 0, (5, 9)) == "rear"
    assert side_hit(field, (5, 5), 0, (5, 5)) == "front"


def mount(arc, faces, degrees):
    return Mounted("gun", 1, arc, faces, degrees, "hull", False, False, ())


def test_what_lies_in_an_arc():
    field = battle(unit(), unit("Two", "blue", (5, 1))).field
    forward, fixed = mount("forward", 0, 180), mount("fixed forward", 0, 60)
    rear, right, turret = mount("rear", 180, 180), mount("right", 90, 180), mount("turret", 0, 360)
    ahead, side, behind = (5, 1), (7, 5), (5, 9)
    assert [in_arc(field, (5, 5), 0, forward, target=at) for at in (ahead, side, behind, (5, 5))] == [True, False, False, True]
    assert [in_arc(field, (5, 5), 0, fixed, target=at) for at in (ahead, (7, 3), side)] == [True, False, False]
    assert [in_arc(field, (5, 5), 0, rear, target=at) for at in (ahead, side, behind)] == [False, False, True]
    assert [in_arc(field, (5, 5), 0, right, target=at) for at in (ahead, side, (3, 5))] == [False, True, False]
    assert in_arc(field, (5, 5), 0, turret, target=behind)
    assert not in_arc(field, (5, 5), 0, turret, target=behind, frozen=0)


def test_nothing_is_fired_that_is_broken_empty_out_of_reach_or_held_by_no_arm():
    one = unit("One", at=(5, 9))
    two = unit("Two", "blue", (5, 5))
    scene = battle(one, two)
    assert shot(RULES, scene, one, two, 0) is not None
    for arm in (replace(one.arms[0], broken=True), replace(one.arms[0], left=(0,))):
        harmed = one.with_arm(0, arm)
        assert shot(RULES, scene.put(harmed), harmed, two, 0) is None
    design = vehicle(perks=(Fitted("manipulator arm", 3),), systems=(Device("gun", damage=10, range=3, mount="hand-held"),))
    held = unit("One", at=(5, 9), design=design)
    armless = replace(held, wear=replace(held.wear, auxiliaries=(5,)))
    weak = replace(held, wear=replace(held.wear, auxiliaries=(2,)))
    assert shot(RULES, scene.put(armless), armless, two, 0) is None
    assert shot(RULES, scene.put(weak), weak, two, 0).mods[-1].value == -2


def test_others_who_have_hit_count_and_the_same_attacker_does_not():
    one, two = unit("One", at=(5, 9)), unit("Two", "blue", (5, 5), facing=3, hit_by=("One",))
    scene = battle(one, two)
    made = shot(RULES, scene, one, two, 0)
    alone = defense_pool(RULES, scene, made).modifier
    more = replace(two, hit_by=("Else", "Another"))
    assert defense_pool(RULES, scene.put(more), made).modifier == alone - 2


def test_who_is_interrupted_defends_with_the_whole_allocation_or_as_the_ruling_says():
    assert interrupted_movement(RULES, 6, 2).value == 6
    assert interrupted_movement(RULES, 2, 4).value == 4
    assert interrupted_movement(by(interrupted_defense="hexes so far"), 6, 2).value == 2


def test_what_is_built_in_defends_with_0_and_fires_as_if_standing_still():
    fort = unit("Fort", "blue", (5, 5), design=vehicle(build="emplacement", structure=50, movement=(), maneuver=-5))
    one = unit("One", at=(5, 9))
    scene = battle(one, fort)
    assert defense_pool(RULES, scene, shot(RULES, scene, one, fort, 0)) is None
    made = shot(RULES, scene, fort, one, 0)
    assert made is None or attack_pool(RULES, scene, made).modifier == 2 - 1


def test_extra_actions_weigh_on_attack_and_defense_or_on_the_attack_alone():
    one, two = unit("One", at=(5, 9), extra=2), unit("Two", "blue", (5, 5), extra=1)
    scene = battle(one, two)
    made = shot(RULES, scene, one, two, 0)
    plain = battle(replace(one, extra=0), replace(two, extra=0))
    assert attack_pool(RULES, scene, made).modifier == attack_pool(RULES, plain, made).modifier - 2
    assert defense_pool(RULES, scene, made).modifier == defense_pool(RULES, plain, made).modifier - 1
    lenient = by(extra_actions_weigh_on_defense=False)
    assert defense_pool(lenient, scene, made).modifier == defense_pool(RULES, plain, made).modifier


def test_the_odds_of_an_attack_are_those_of_counting_every_die():
    odds = exact(lambda: attack_test(RULES, Pool(2), Pool(1)))
    hits = sum(weight for came, weight in odds if came.margin > 0) / odds.total
    counted = 0
    for a in range(1, 7):
        for b in range(1, 7):
            total = 1 if a == b == 1 else max(a, b) + (1 if a == b == 6 else 0)
            counted += sum(total > c for c in range(1, 7))
    assert hits == pytest.approx(counted / 216)


def test_nonsense_is_refused():
    with pytest.raises(UserError, match="0 or more hexes"):
        range_band(RULES, -1)
    with pytest.raises(UserError, match="five times"):
        attacker_modifier(RULES, 0, 41, 1)
