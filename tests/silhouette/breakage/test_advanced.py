"""Floods, leaks, escapes, repairs, fires, cover, structures, falls and airdrops (book lines 5075-5222): printed tables a second time,
the worked repair (5266-5272), borders, odds counted by hand."""

from fractions import Fraction
from itertools import product

import pytest

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.breakage import environment, escapes, repairs
from rulewright.systems.silhouette.maneuver.terrain import BUILT
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()
ONE = Pool(1)


def by(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def chance(odds, wanted):
    return Fraction(sum(weight for came, weight in odds.weights.items() if wanted(came)), odds.total)


# --- repairs ------------------------------------------------------------------------------------------------------------------


def test_the_table_of_repairs_is_the_printed_one():
    rows = {name: (row.labor, row.each, row.size, row.threshold, row.threshold_each) for name, row in repairs.REPAIRS(RULES).items()}
    assert rows == {
        "armor": (0, 1, False, 0, 1),
        "movement points": (0, 1, False, 1, 1),
        "maneuver": (0, 2, False, 2, 2),
        "accuracy": (0, 1, False, 2, 1),
        "system destroyed": (5, 0, False, 5, 0),
        "power transfer": (5, 0, False, 5, 0),
        "crew compartment": (10, 0, False, 7, 0),
        "structural failure": (0, 0, True, 8, 0),
        "auxiliary": (0, 1, False, 3, 0.1),
    }


BEATEN_UP = (("armor", 5), ("movement points", 4), ("maneuver", 2), ("power transfer", 1))
"""The machine of the example: 5 Armor, 4 Movement Points, 2 Maneuver and a power transfer failure, at Size 6."""


def test_a_technician_of_three_and_two_has_25_points_a_day():
    """Lines 5268."""
    assert repairs.labor_points(3, 2).value == 25
    assert repairs.labor_points(3, 2, parts=False).value == 12
    assert repairs.labor_points(3, 2, tools=False, parts=False).value == 6


def test_the_example_pays_the_size_once_and_the_text_with_every_damage():
    """Lines 5270: 24 points; by the text (5095) 42."""
    once = 6 + sum(repairs.labor_needed(RULES, effect, 6, points, size_paid=True).value for effect, points in BEATEN_UP)
    each = sum(repairs.labor_needed(RULES, effect, 6, points).value for effect, points in BEATEN_UP)
    assert (once, each) == (24, 42)


def test_the_thresholds_of_the_example_are_five_five_six_and_five():
    """Lines 5272."""
    assert [repairs.repair_threshold(RULES, effect, points).value for effect, points in BEATEN_UP] == [5, 5, 6, 5]


def test_what_falls_short_is_kept_and_a_three_and_a_four_mend_an_armor_of_five():
    """Lines 5272."""
    first = script(repairs.attempt(RULES, ONE, 5), [(3,)], []).outcome
    assert (first.mended, first.kept) == (False, 3)
    second = script(repairs.attempt(RULES, ONE, 5, first.kept), [(4,)], []).outcome
    assert (second.mended, second.kept) == (True, 0)


def test_a_draw_does_not_mend_and_is_kept():
    came = script(repairs.attempt(RULES, ONE, 5), [(5,)], []).outcome
    assert (came.mended, came.kept) == (False, 5)
    assert script(repairs.attempt(RULES, ONE, 5, 5), [(2,)], []).outcome.mended


def test_a_fumble_breaks_something_else_and_keeps_what_was_kept():
    came = script(repairs.attempt(RULES, ONE, 5, 4), [(1,)], []).outcome
    assert (came.mended, came.kept, came.harmed) == (False, 4, True)


@pytest.mark.parametrize(("points", "threshold"), [(0, 3), (9, 3), (10, 4), (25, 5)])
def test_an_auxiliary_system_is_as_hard_as_its_perk_was_dear(points, threshold):
    assert repairs.repair_threshold(RULES, "auxiliary", points).value == threshold


def test_structural_failure_costs_the_size_twice():
    assert repairs.labor_needed(RULES, "structural failure", 6).value == 12


def test_several_technicians_work_with_their_average_rounded_up_and_twice_the_points_halve_the_time():
    assert repairs.common_level((1, 2)).value == 2
    assert repairs.common_level((1, 1, 2)).value == 2
    assert repairs.days_needed(24, 12).value == 2
    assert repairs.days_needed(24, 48).value == 0.5


def test_a_machine_that_is_easy_to_modify_is_easy_to_repair():
    assert repairs.repair_pool(3, 1, 2, easy=True).modifier == 4
    assert repairs.repair_pool(3, difficult=True).modifier == -1


# --- water, tanks, ways out ---------------------------------------------------------------------------------------------------


def test_a_vessel_floods_on_one_or_two():
    assert script(escapes.flooding(RULES), [(2,), (5,)], []).outcome == 5
    assert script(escapes.flooding(RULES), [(3,)], []).outcome is None
    assert chance(exact(lambda: escapes.flooding(RULES)), lambda came: came is not None) == Fraction(1, 3)
    assert (escapes.flooded_maneuver(RULES, True), escapes.flooded_maneuver(RULES, False)) == (-1, 0)


@pytest.mark.parametrize(("flooded", "points", "down"), [(0, 0, 0), (1, 0, 1), (2, 1, 2), (2, 2, 1), (2, 4, 0), (1, 9, 0)])
def test_flooded_sections_draw_a_vessel_down_and_movement_points_hold_it(flooded, points, down):
    assert escapes.drawn_down(RULES, flooded, points).value == down
    assert escapes.drawn_down(RULES, flooded, points, surfacing=True).value == 0


@pytest.mark.parametrize(
    ("effect", "lost"), [("-1 MP", 50), ("-1 Maneuver", 50), ("-2 Maneuver", 100), ("half the MP", 250), ("no movement", 500)]
)
def test_a_leak_takes_its_part_of_what_is_left(effect, lost):
    assert escapes.leak(RULES, 500, effect).value == lost
    assert escapes.makes_dust(lost) == (lost >= 250)


def test_odd_the_defender_and_even_the_attacker_decides_about_a_leak():
    said = [script(escapes.who_says(RULES), [(face,)], []).outcome for face in (1, 2, 5, 6)]
    assert said == ["defender", "attacker", "defender", "attacker"]


def test_without_a_system_one_escapes_on_a_six_and_with_one_on_anything_but_a_one():
    plain, fitted = exact(lambda: escapes.escape(RULES)), exact(lambda: escapes.escape(RULES, True))
    assert chance(plain, lambda came: came.alive) == Fraction(1, 6)
    assert chance(fitted, lambda came: came.alive) == Fraction(5, 6)
    assert script(escapes.escape(RULES, True), [(2,), (4,)], []).outcome == escapes.Out(True, 4)
    with pytest.raises(UserError, match="needs an ejection system"):
        script(escapes.jump_out(RULES, False), [], [])


def test_who_ejects_in_space_drifts_four_slower():
    assert escapes.drifting(RULES, 10).value == 6
    assert escapes.drifting(RULES, 3).value == 0


# --- hull down ----------------------------------------------------------------------------------------------------------------


def test_the_table_of_hull_down_positions_is_the_printed_one():
    assert {name: row.points for name, row in environment.HULL_DOWN(RULES).items()} == {
        "clear": None,
        "rough": 2,
        "woodland": 2,
        "sand": 3,
        "moon dust": 3,
        "jungle": 1,
        "swamp": 1,
        "water": 3,
        "liquefied gases": 3,
        "snow": 2,
        "frozen gases": 2,
        "ice": 3,
        "urban": 2,
        "dense urban": 1,
        "edge": 1,
    }


def test_clear_ground_hides_nobody_unless_it_is_the_edge_of_a_height():
    assert environment.hull_down_cost(RULES, "clear") is None
    assert environment.hull_down_cost(RULES, "clear", edge=True).value == 1
    assert environment.hull_down_cost(RULES, "sand").value == 3
    assert environment.hull_down_cost(RULES, "sand", walker=True).value == 2
    assert environment.hull_down_cost(RULES, "water") is None
    assert environment.hull_down_cost(RULES, "water", can_submerge=True).value == 3
    assert environment.hull_down_cost(RULES, "liquefied gases") is None
    assert environment.hull_down_cost(RULES, "moon dust").value == 3  # line 5169


def test_hull_down_is_one_and_fully_two():
    assert [environment.hull_down_obscurement(how) for how in ("", "hull-down", "fully hull-down")] == [0, 1, 2]
    assert environment.may_hide(False)
    assert environment.may_hide(True, stall=0)
    assert environment.may_hide(True, stall=3, nap_of_earth=True)
    assert not environment.may_hide(True, stall=3)


# --- falls --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("damage", "staggered"), [(11, False), (12, True)])
def test_a_walker_staggers_from_twice_its_size(damage, staggered):
    assert environment.staggers(damage, 6) == staggered


@pytest.mark.parametrize(("face", "fell", "harmed"), [(4, False, False), (3, True, False), (1, True, True)])
def test_a_staggering_walker_tests_against_the_margin_and_one(face, fell, harmed):
    came = script(environment.knockdown(RULES, ONE, 12, 6, 3), [(face,)], []).outcome
    assert (came.fell, came.harmed) == (fell, harmed)


def test_a_weak_hit_knocks_nobody_down():
    assert script(environment.knockdown(RULES, ONE, 11, 6, 3), [], []).outcome == environment.Fallen()


# --- fire ---------------------------------------------------------------------------------------------------------------------


def test_a_hundred_points_set_a_hex_alight_and_what_sticks_counts_twice():
    assert environment.ignition(RULES, 30).value == 30
    assert environment.ignition(RULES, 30, persistent=True).value == 60
    assert not environment.catches(RULES, 99)
    assert environment.catches(RULES, 100)


def test_a_burning_hex_grows_from_ten_to_twenty_and_then_spreads_downwind():
    assert [environment.burns_on(RULES, each).value for each in (0, 10, 19, 20)] == [10, 11, 20, 20]
    assert environment.spreads_to(RULES, (5, 5), 19, 0) == ()
    assert set(environment.spreads_to(RULES, (5, 5), 20, 0)) == {(4, 4), (5, 4), (6, 4)}


def test_wood_and_jungle_burn_and_grass_where_there_is_any():
    assert environment.ignitable(RULES, "woodland")
    assert environment.ignitable(RULES, "jungle")
    assert not environment.ignitable(RULES, "clear")
    assert environment.ignitable(RULES, "clear", grassy=True)
    assert not environment.ignitable(RULES, "sand", grassy=True)
    assert environment.ignitable(RULES, "water", oily=True)
    with pytest.raises(UserError, match="there is no terrain 'lava'; known are clear, "):
        environment.ignitable(RULES, "lava", oily=True)


@pytest.mark.parametrize(("face", "burns"), [(6, 0), (5, 0), (4, 11), (2, 13), (1, 15)])
def test_driving_through_ten_is_piloting_against_five(face, burns):
    """A fumble burns with the whole Threshold."""
    assert script(environment.cross_fire(RULES, ONE, 10), [(face,)], []).outcome.intensity == burns


def test_fire_on_a_machine_is_counted_in_the_personal_scale_unless_the_campaign_says_otherwise():
    assert environment.fire_damage_to_machine(RULES, 14, 5).value == 7
    assert environment.fire_damage_to_machine(by(fire_on_machines="vehicle scale"), 14, 5).value == 70
    assert environment.fire_on_machine(4, 10).value == 14
    assert environment.fire_on_machine(5, 10, resistant=True).value == 7
    assert environment.fire_on_machine(4, 10, flammable=True).value == 28


# --- structures ---------------------------------------------------------------------------------------------------------------


def test_the_table_of_houses_is_the_printed_one():
    rows = {name: (row.walker, row.ground, row.hover, row.obscurement) for name, row in BUILT(RULES).items() if name.endswith("urban")}
    assert rows == {"urban": (2, 1, 2, 1), "dense urban": (3, 2, 3, 2)}


def test_seven_buildings_are_dense():
    assert [environment.urban(count) for count in (0, 1, 6, 7)] == ["", "urban", "urban", "dense urban"]


def test_the_rate_of_fire_adds_to_the_margin_against_a_structure():
    assert environment.structure_damage(RULES, 2, 8, 1).value == 24
    assert environment.structure_damage(RULES, 2, 8, 1, anti_structure=True).value == 48
    assert environment.structure_damage(RULES, 2, 8, disintegrator=True).value == 80
    assert not environment.rubble(100, 100)
    assert environment.rubble(101, 100)


BRIDGE = environment.Bridge(capacity=100, bears=6)


def test_a_bridge_bears_its_size_and_suffers_under_more():
    assert script(environment.cross_bridge(RULES, BRIDGE, 6), [], []).outcome == environment.Bridged(100)
    assert script(environment.cross_bridge(RULES, BRIDGE, 8), [(3,)], []).outcome == environment.Bridged(100)
    assert script(environment.cross_bridge(RULES, BRIDGE, 8), [(2,), (1,), (3,)], []).outcome == environment.Bridged(60)


def test_six_too_large_break_a_bridge_at_once_and_on_three_the_next_span_goes_too():
    assert script(environment.cross_bridge(RULES, BRIDGE, 12), [(3,)], []).outcome == environment.Bridged(0, True, True)
    assert script(environment.cross_bridge(RULES, BRIDGE, 12), [(4,)], []).outcome == environment.Bridged(0, True, False)


def test_the_chance_that_a_bridge_breaks_is_that_of_its_dice():
    """Excess 5: half of it goes on anything but a 6, so it breaks with the chance of two such dice."""
    odds = exact(lambda: environment.cross_bridge(RULES, BRIDGE, 11))
    assert chance(odds, lambda came: came.collapsed) == Fraction(sum(a < 6 and b < 6 for a, b in product(range(1, 7), repeat=2)), 36)


@pytest.mark.parametrize(("way", "rail", "points"), [("ground", False, 3), ("walker", False, 0), ("rail", True, 3), ("ground", True, 0)])
def test_a_road_is_worth_half_the_speed_to_what_drives_on_it(way, rail, points):
    assert environment.road_bonus(7, way, rail=rail).value == points


# --- from the air -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "speed", "fine"), [(1, 20, False), (2, 20, True), (40, 20, True), (41, 20, False), (2, 21, False)])
def test_parachutes_open_between_levels_two_and_forty(level, speed, fine):
    assert bool(environment.drop_refused(RULES, level, speed, 20)) != fine


@pytest.mark.parametrize(("level", "speed", "size", "fine"), [(1, 8, 10, True), (2, 8, 10, False), (1, 9, 10, False), (1, 8, 11, False)])
def test_low_over_the_ground_small_things_are_pulled_out(level, speed, size, fine):
    assert bool(environment.drop_refused(RULES, level, speed, size, extraction=True)) != fine


def test_a_machine_is_ready_after_twice_its_size_in_rounds_and_a_walker_after_its_size():
    assert environment.ready_after(RULES, 6).value == 12
    assert environment.ready_after(RULES, 6, walker=True).value == 6


def test_a_winch_lifts_while_hovering_still():
    assert environment.winch_lifts(4, 0, 0, people=4)
    assert not environment.winch_lifts(4, 0, 0, people=5)
    assert not environment.winch_lifts(4, 1, 0, people=1)
    assert not environment.winch_lifts(4, 0, 1, size=1)


def test_every_sum_comes_to_its_number():
    for derived in (
        repairs.labor_points(3, 2, parts=False, tools=False),
        repairs.labor_needed(RULES, "structural failure", 6.5),
        repairs.repair_threshold(RULES, "auxiliary", 25),
        escapes.drawn_down(RULES, 2, 3),
        escapes.leak(RULES, 333, "-2 Maneuver"),
        environment.burns_on(RULES, 20),
        environment.fire_on_machine(5, 10, resistant=True),
        environment.ready_after(RULES, 6.5),
    ):
        assert holds(derived.reason)
