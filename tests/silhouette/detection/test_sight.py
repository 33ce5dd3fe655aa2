"""Line of sight, Concealment and Detection: the book's examples (lines 5240-5252), the tables a second time, both sides of every border."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.field.geometry.hexes import Bearing
from rulewright.field.ground import Region
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.detection import night
from rulewright.systems.silhouette.detection.active import (
    ACTIVE,
    array_actions,
    array_bonus,
    array_lost,
    bands_beyond,
    boosted_range,
    longest_array,
    rounds_to_trail,
    sweep,
    sweep_pool,
    sweep_threshold,
)
from rulewright.systems.silhouette.detection.concealment import (
    FIGURES,
    Light,
    Watched,
    Watcher,
    concealment,
    detection,
    heard_under_water,
    range_bands,
    seen,
    sensing,
    stealth_counts,
)
from rulewright.systems.silhouette.detection.line_of_sight import Hex, Lay, blocked, obscured_in_space, obscurement
from rulewright.systems.silhouette.detection.sight import lay
from rulewright.systems.silhouette.settings import BOOK
from silhouette.battles import battle, hexes, unit

RULES = BOOK.ruleset()
WOOD = Hex(1, 0, "woodland")
OPEN = Hex()
NIGHT = Light(night=True)
SPACE = Light(space=True, hex_metres=500)


def by(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def through(*hexes, target=OPEN, level=0, target_level=0):
    return Lay(level, target_level, target, tuple((each,) for each in hexes), len(hexes) + 1)


# --- the printed tables a second time -----------------------------------------------------------------------------------------


def test_eyes_see_four_by_day_and_two_by_night_and_walkers_are_seen_twice_as_far():
    assert {name: row.value for name, row in FIGURES(RULES).items()} == {
        "eyes by day": 4,
        "eyes by night": 2,
        "walker bands": 2,
        "for each band": 1,
    }


def test_the_table_of_active_sensors_is_the_printed_one():
    assert {name: (row.value, row.to) for name, row in ACTIVE(RULES).items()} == {
        "each band beyond the Base Range": (-1, "roll"),
        "each band that the target boosted": (2, "roll"),
        "each hex moved": (-1, "threshold"),
        "each point of thrust": (-1, "threshold"),
        "each weapon fired": (-1, "threshold"),
    }


def test_dust_hides_one_debris_two_and_a_planets_shadow_four():
    assert [obscured_in_space(RULES, each) for each in ("dust", "debris", "shadow")] == [1, 2, 4]


# --- the book's examples ------------------------------------------------------------------------------------------------------


def test_four_woodland_hexes_and_a_target_in_the_wood_are_five_and_hide_it_from_eyes_of_four():
    """Lines 5244: the example's own sum says 4, its outcome needs the 5 of the rule (errata)."""
    lay = through(WOOD, WOOD, WOOD, WOOD, target=WOOD)
    assert obscurement(RULES, lay).value == 5
    assert not seen(RULES, Watcher(), lay, Watched(size=12)).by


def test_with_one_woodland_hex_between_an_attack_suffers_two():
    """Lines 5244."""
    came = seen(RULES, Watcher(), through(WOOD, target=WOOD), Watched(size=12))
    assert came.by == "eyes"
    assert came.obscurement == 2


@pytest.mark.parametrize(
    ("hexes", "walker", "more"),
    [
        *((1, False, 0), (6, False, 0), (7, False, 1), (12, False, 1), (13, False, 2), (18, False, 2), (0, False, 0)),
        *((12, True, 0), (13, True, 1), (24, True, 1), (25, True, 2), (36, True, 2), (37, True, 3)),
    ],
)
def test_a_target_of_size_six_is_harder_to_see_with_every_band(hexes, walker, more):
    """Lines 5246."""
    assert range_bands(RULES, hexes, 6, walker).value == more


def test_a_prone_walker_hides_like_anything_else():
    assert range_bands(RULES, 12, 6, walker=True, prone=True).value == 1


def test_a_target_that_moved_three_hexes_and_fired_once_behind_five_is_found_above_one():
    """Lines 5250-5252."""
    lay = through(*[WOOD] * 5)
    target = Watched(size=6, moved=3, fired=1)
    assert sweep_threshold(RULES, lay, target).value == 1
    pool = sweep_pool(RULES, Watcher(information_warfare=2, sensors=0), target)
    assert (pool.dice, pool.modifier) == (2, 0)
    came = script(sweep(RULES, Watcher(information_warfare=2, sensors=0, reach=40), lay, target), [(2, 1)], [])
    assert came.outcome.found


def test_a_draw_does_not_find_the_target():
    came = script(sweep(RULES, Watcher(information_warfare=1, sensors=0, reach=40), through(*[WOOD] * 5), Watched(size=6)), [(5,)], [])
    assert not came.outcome.found
    came = script(sweep(RULES, Watcher(information_warfare=1, sensors=1, reach=40), through(*[WOOD] * 5), Watched(size=6)), [(5,)], [])
    assert came.outcome.found


def test_a_stealth_tank_of_four_is_heard_at_five_hundred_metres():
    """Lines 5216."""
    assert night.heard_at(RULES, "vehicle", stealth=4).value == 500
    assert night.heard_at(RULES, "vehicle").value == 2000
    assert night.heard_at(RULES, "person").value == 300
    assert night.heard_at(RULES, "naval", speed=2).value == 1000
    assert night.heard_at(RULES, "naval", speed=1).value == 0
    assert night.heard_at(RULES, "vehicle", air=False).value == 0


def test_a_towed_array_of_five_kilometres_doubles_sensors_of_five_and_hears_a_hundred_kilometres_off():
    """Lines 4750, 4786."""
    assert boosted_range(RULES, 5, array=5).value == 10
    assert heard_under_water(RULES, 5).value == 25
    assert heard_under_water(RULES, 5, 5).value == 100


# --- line of sight ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "own", "target", "stops"),
    [
        ((0, 0), 0, 0, ""),
        ((0, 1, 0), 0, 0, "higher ground between"),
        ((0, 1, 0), 1, 0, ""),
        ((0, 1, 0), 0, 1, ""),
        ((1, 0, 0), 0, 2, "higher ground next to the observer"),
        ((0, 0, 2), 3, 0, "higher ground next to the target"),
        ((2, 0, 0), 2, 0, ""),
        ((1, 1, 1), 1, 1, ""),
    ],
)
def test_ground_higher_than_both_and_dead_zones_stop_sight(levels, own, target, stops):
    lay = through(*[Hex(0, level) for level in levels], level=own, target_level=target, target=Hex(0, target))
    assert blocked(RULES, lay).value == stops


def test_a_line_between_two_hexes_takes_the_worse_unless_the_campaign_says_otherwise():
    lay = Lay(0, 0, OPEN, ((OPEN,), (Hex(2, 1, "jungle"), OPEN), (OPEN,)), 4)
    assert blocked(RULES, lay).value == "higher ground between"
    assert not blocked(by(between_hexes="helping"), lay).value
    flat = Lay(0, 0, OPEN, ((Hex(2, 0, "jungle"), WOOD),), 2)
    assert obscurement(RULES, flat).value == 2
    assert obscurement(by(between_hexes="helping"), flat).value == 1


def test_where_one_stands_higher_only_terrain_as_high_and_the_targets_hex_count():
    lay = Lay(1, 0, WOOD, ((WOOD,), (Hex(2, 1, "jungle"),), (WOOD,)), 4)
    assert obscurement(RULES, lay).value == 3
    assert obscurement(RULES, replace(lay, level=0)).value == 5


def test_the_observers_own_hex_does_not_count():
    one, two = unit("One", "red", (1, 2)), unit("Two", "blue", (6, 2))
    there = battle(one, two, ground=hexes(Region("woodland", box=(1, 1, 2, 3)), size=(6, 3)))
    away, back = lay(RULES, there, one, two), lay(RULES, there, two, one)
    assert obscurement(RULES, away).value == 1
    assert obscurement(RULES, back).value == 2
    assert away.hexes == back.hexes == 5


def test_beyond_the_reach_of_its_sensors_nothing_is_seen():
    far = Lay(hexes=41)
    giant = Watched(size=100)
    assert seen(RULES, Watcher(1, 0, 40), far, giant).why == "beyond sensor range"
    assert seen(RULES, Watcher(1, 0, 41), far, giant).by == "eyes"


# --- Concealment and Detection ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sensors", "skill", "dark", "comes_to"), [(None, 3, False, 4), (0, 2, False, 4), (3, 2, False, 5), (-2, 1, True, 2), (1, 2, True, 3)]
)
def test_detection_is_the_better_of_eyes_and_sensors(sensors, skill, dark, comes_to):
    assert detection(RULES, Watcher(skill, sensors, 40), dark).value == comes_to


@pytest.mark.parametrize(("hexes", "by_what"), [(4, "eyes"), (5, "")])
def test_equal_is_still_seen_and_one_more_is_not(hexes, by_what):
    assert seen(RULES, Watcher(), through(*[WOOD] * hexes), Watched(size=20)).by == by_what


def test_stealth_counts_by_day_only_behind_something_and_by_night_always():
    assert stealth_counts(RULES, 3, obscured=False).value == 0
    assert stealth_counts(RULES, 3, obscured=True).value == 3
    assert stealth_counts(RULES, 3, obscured=False, night=True).value == 3
    assert stealth_counts(RULES, 3, obscured=True, burning=True).value == 0
    assert stealth_counts(RULES, 3, obscured=False, submerged=True, hexes=1).value == 3
    assert stealth_counts(RULES, 3, obscured=False, submerged=True, hexes=0).value == 0


def test_stealth_fools_sensors_and_a_holofield_eyes():
    lay = through(WOOD, WOOD, WOOD, WOOD)
    target = Watched(size=20, stealth=3)
    assert concealment(RULES, lay, target, by="sensors").value == 7
    assert concealment(RULES, lay, target, by="eyes").value == 4
    shimmering = Watched(size=20, holofield=3)
    assert concealment(RULES, lay, shimmering, by="eyes").value == 7
    assert concealment(RULES, lay, shimmering, by="sensors").value == 4
    assert seen(RULES, Watcher(2, 3, 40), lay, shimmering).by == "sensors"
    assert seen(RULES, Watcher(2, 3, 40), lay, target).by == "eyes"
    assert not seen(RULES, Watcher(2, 3, 40), lay, replace(target, holofield=1)).by


def test_a_low_profile_helps_in_cover_of_two_and_paint_does_the_opposite():
    low = Watched(size=20, low_profile=True)
    assert concealment(RULES, through(WOOD), low).value == 1
    assert concealment(RULES, through(WOOD, WOOD), low).value == 3
    assert concealment(RULES, through(WOOD, WOOD), replace(low, painted=2)).value == 1


def test_smoke_hides_from_eyes_and_passive_sensors_and_hot_smoke_from_active_ones_too():
    lay = through(OPEN)
    assert concealment(RULES, lay, Watched(size=20, smoke=2)).value == 2
    assert concealment(RULES, lay, Watched(size=20, smoke=2), by="sensors", active=True).value == 0
    assert concealment(RULES, lay, Watched(size=20, hot_smoke=2), by="sensors", active=True).value == 2


def test_distance_counts_against_active_sensors_only_where_the_campaign_says_so():
    far = Lay(hexes=19)
    assert sweep_threshold(RULES, far, Watched(size=6)).value == 0
    assert sweep_threshold(by(bands_for_active_sensors=True), far, Watched(size=6)).value == 3


def test_in_space_thrust_gives_a_unit_away_and_a_stealthy_flyer_gives_away_a_fifth():
    lay = through(*[WOOD] * 5)
    assert sweep_threshold(RULES, lay, Watched(size=6, moved=9, thrust=2), SPACE).value == 3
    assert sweep_threshold(RULES, lay, Watched(size=6, moved=9, flying=True, stealth=1)).value == 5
    assert sweep_threshold(RULES, lay, Watched(size=6, moved=10, flying=True, stealth=1)).value == 4
    assert sweep_threshold(RULES, lay, Watched(size=6, moved=9, flying=True)).value == 0


def test_a_searchlight_makes_day_for_whoever_looks_at_its_bearer():
    dark = through(WOOD, WOOD, WOOD)
    assert not seen(RULES, Watcher(), dark, Watched(size=20), NIGHT).by
    assert seen(RULES, Watcher(), dark, Watched(size=20, lit=True), NIGHT).by == "eyes"


def test_in_a_planets_shadow_a_ship_begins_with_four():
    assert concealment(RULES, Lay(hexes=1), Watched(size=20, shadowed=True), SPACE).value == 4


# --- water --------------------------------------------------------------------------------------------------------------------


def test_under_water_eyes_reach_no_farther_than_the_same_hex():
    diver = Watched(size=20, depth=1)
    assert seen(RULES, Watcher(depth=1), Lay(hexes=0), diver).by == "eyes"
    assert seen(RULES, Watcher(depth=1), Lay(hexes=1), diver).why == "out of sight"


def test_aquatic_sensors_are_worth_two_at_least_and_find_nothing_out_of_the_water():
    weak = Watcher(0, -3, 200, aquatic=True, depth=2)
    assert sensing(RULES, weak).value == 2
    assert sensing(RULES, replace(weak, depth=0)).value == -3
    just = sensing(RULES, replace(weak, sensors=2))
    assert just == sensing(RULES, replace(weak, sensors=2, depth=0))  # what they make out of themselves needs no limit
    kelp = through(Hex(2, 0, "kelp"), Hex(2, 0, "kelp"), target=Hex(4, 0, "deep water"))
    assert seen(RULES, weak, kelp, Watched(size=20, depth=3)).by == "sensors"
    assert not seen(RULES, replace(weak, depth=0), kelp, Watched(size=20)).by
    assert seen(RULES, weak, kelp, Watched(size=20, swims=True)).by == "sensors"


def test_other_sensors_have_deep_water_as_an_obscurement_of_four():
    radar = Watcher(2, 1, 200)
    assert not seen(RULES, radar, Lay(hexes=2), Watched(size=20, depth=1)).by
    assert seen(RULES, replace(radar, sensors=2), Lay(hexes=2), Watched(size=20, depth=1)).by == "sensors"


def test_from_depth_four_on_it_is_always_night():
    assert seen(RULES, Watcher(depth=3), Lay(hexes=0, target=Hex(3)), Watched(size=20, depth=3)).by == "eyes"
    assert not seen(RULES, Watcher(depth=4), Lay(hexes=0, target=Hex(3)), Watched(size=20, depth=4)).by


# --- ranges and arrays --------------------------------------------------------------------------------------------------------


def test_every_doubling_is_an_action_and_the_horizon_is_the_limit():
    assert [boosted_range(RULES, 2, each).value for each in range(4)] == [2, 4, 8, 16]
    assert boosted_range(RULES, 2, 3, horizon=10).value == 10
    assert [bands_beyond(2, km) for km in (1, 2, 2.5, 4, 4.5, 16)] == [0, 0, 1, 1, 2, 3]


def test_a_large_array_costs_one_three_and_six_actions_for_each_full_thirty_of_size():
    assert [array_actions(step).value for step in range(4)] == [0, 1, 3, 6]
    assert [array_bonus(RULES, size, 1).value for size in (29, 30, 59, 60)] == [0, 1, 1, 2]
    assert array_bonus(RULES, 60, 3).value == 6
    assert [array_bonus(by(large_arrays="capped"), 60, step).value for step in (1, 2, 3)] == [1, 2, 2]


def test_an_array_is_as_long_as_the_range_or_a_kilometre_in_the_air_and_takes_ten_minutes_for_each():
    assert longest_array(RULES, 5, "submarine").value == 5
    assert longest_array(RULES, 50, "air").value == 1
    assert rounds_to_trail(RULES, 5).value == 100


def test_speed_backing_up_and_a_turn_of_two_hexsides_tear_an_array_off():
    assert not array_lost(RULES, hexsides=1)
    assert array_lost(RULES, hexsides=2)
    assert array_lost(RULES, top_speed=True)
    assert array_lost(RULES, reverse=True)


def test_defective_sensors_are_tried_with_a_die_first():
    bad = Watcher(1, 0, 40, defective=2)
    lay = through(WOOD, WOOD)
    assert not script(sweep(RULES, bad, lay, Watched(size=6)), [(2,), (4,)], []).outcome.found
    assert script(sweep(RULES, bad, lay, Watched(size=6)), [(3,), (4,)], []).outcome.found


def test_the_odds_of_a_sweep_are_those_of_its_dice():
    """One die above 3: three faces of six, and defective sensors of 3 half the time cost 3, which nothing makes up for."""
    lay = through(WOOD, WOOD, WOOD)
    plain = exact(lambda: sweep(RULES, Watcher(1, 0, 40), lay, Watched(size=20)))
    assert sum(w for came, w in plain.weights.items() if came.found) * 2 == plain.total
    bad = exact(lambda: sweep(RULES, Watcher(1, 0, 40, defective=3), lay, Watched(size=20)))
    assert sum(w for came, w in bad.weights.items() if came.found) * 4 == bad.total


# --- night --------------------------------------------------------------------------------------------------------------------


def test_in_the_dark_without_sensors_one_is_slow_and_shoots_badly():
    assert night.blind_at_night(RULES, True, sensors=False).value == -1
    assert night.blind_at_night(RULES, True, sensors=True).value == 0
    assert night.blind_at_night(RULES, False, sensors=False).value == 0
    assert night.speed_at_night(7, True, sensors=False).value == 3
    assert night.speed_at_night(7, True, sensors=False, night_vision=True).value == 7


# --- all sums hold ------------------------------------------------------------------------------------------------------------

hexes_between = st.builds(Hex, st.integers(0, 3), st.integers(0, 2), st.sampled_from(["woodland", "jungle", "clear"]))
lays = st.builds(
    Lay,
    st.integers(0, 2),
    st.integers(0, 2),
    hexes_between,
    st.lists(st.lists(hexes_between, min_size=1, max_size=2).map(tuple), max_size=6).map(tuple),
    st.integers(0, 80),
)
targets = st.builds(
    Watched,
    size=st.integers(1, 40),
    walker=st.booleans(),
    stealth=st.integers(0, 4),
    holofield=st.integers(0, 4),
    low_profile=st.booleans(),
    moved=st.integers(0, 12),
    fired=st.integers(0, 3),
    hull_down=st.integers(0, 2),
    depth=st.integers(0, 5),
    flying=st.booleans(),
)


@given(lays, targets, st.builds(Light, st.booleans(), st.booleans()))
def test_every_sum_of_seeing_comes_to_its_number(lay, target, light):
    for by_what in ("eyes", "sensors"):
        assert holds(concealment(RULES, lay, target, light, by_what).reason)
    assert holds(sweep_threshold(RULES, lay, target, light).reason)
    came = seen(RULES, Watcher(2, 1, 60), lay, target, light)
    assert all(holds(each) for each in came.reasons())
    assert bool(came.by) == (not came.why)


@given(lays, targets)
def test_the_line_hinders_at_least_as_much_as_it_helps(lay, target):
    helping = by(between_hexes="helping")
    assert obscurement(RULES, lay).value >= obscurement(helping, lay).value
    if blocked(helping, lay).value:
        assert blocked(RULES, lay).value


# --- searchlights (lines 5212, 9088) -----------------------------------------------------------------------------------------------

ARCS = {"fixed forward": (0, 60), "forward": (0, 180), "right": (90, 180), "left": (-90, 180), "rear": (180, 180), "turret": (0, 360)}
LIT = {
    "fixed forward": {0, 29, 30, -29, -30},
    "forward": {0, 29, 30, 31, 89, 90, -29, -30, -31, -89, -90},
    "right": {0, 29, 30, 31, 89, 90, 91, 150, 179, 180},
    "left": {0, -29, -30, -31, -89, -90, -91, -150, -179, 180},
    "rear": {90, 91, 150, 179, 180, -90, -91, -150, -179},
}


@pytest.mark.parametrize("arc", list(ARCS))
def test_a_searchlight_lights_its_arc_and_the_borders_of_it(arc):
    """How many degrees somebody stands to the right of the front; below 0 to the left."""
    every = sorted(set().union(*LIT.values()))
    lights = {off for off in every if night.lit(Bearing(abs(off), off > 0), *ARCS[arc])}
    assert lights == LIT.get(arc, set(every))
