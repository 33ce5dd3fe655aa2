"""Speeds, ground, turning, jumps, towing and room in a hex: the printed tables cell by cell, and the examples of lines 5228-5238."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import NOTHING
from rulewright.field.geometry import hexes as grid
from rulewright.field.ground import Region
from rulewright.play import script
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.detection.line_of_sight import obscurement as hidden_by
from rulewright.systems.silhouette.detection.sight import ground_between
from rulewright.systems.silhouette.machines.vehicle import Movement
from rulewright.systems.silhouette.maneuver.ground_paths import reached, rig_of, route_to
from rulewright.systems.silhouette.maneuver.speeds import (
    battle_scale,
    combat_speed,
    gravity_maneuver,
    half_speed,
    hex_width,
    may_shift_up,
    pace_of,
    points_after_switch,
    rate_in_round,
    top_speed,
    top_speed_points,
    towed_speed,
    towing_capacity,
)
from rulewright.systems.silhouette.maneuver.stacking import footprint, hexes_taken, room, size_of_people
from rulewright.systems.silhouette.maneuver.stacking import holds as room_for
from rulewright.systems.silhouette.maneuver.terrain import cost_table, distance, terrain_cost, terrains
from rulewright.systems.silhouette.maneuver.turns import JUMPS, hard_turn, hexsides, jump, jump_distance, turn_cost
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.units.state import Place
from silhouette.battles import RULES, battle, by, hexes, unit, vehicle

PRINTED = {
    # terrain: walker, ground, hover, Obscurement (lines 4419-4431)
    "clear": (1, 1, 1, 0),
    "rough": (1, 2, 1, 0),
    "sand": (2, 2, 1, 0),
    "moon dust": (2, 2, 1, 0),
    "woodland": (1, 2, 2, 1),
    "jungle": (2, 3, None, 2),
    "swamp": (3, 4, 1, 1),
    "water": (None, None, 1, 2),
    "liquefied gases": (None, None, 1, 2),
    "deep water": (None, None, 1, 4),
    "deep liquefied gases": (None, None, 1, 4),
    "snow": (2, 2, 1, 0),
    "frozen gases": (2, 2, 1, 0),
    "deep snow": (3, 4, 1, 1),
    "ice": (2, 3, 1, 0),
    # lines 5203-5204
    "urban": (2, 1, 2, 1),
    "dense urban": (3, 2, 3, 2),
}


@pytest.mark.parametrize("terrain", PRINTED)
def test_every_terrain_costs_and_hides_as_printed(terrain):
    row = terrains(RULES)[terrain]
    assert (row.walker, row.ground, row.hover, row.obscurement) == PRINTED[terrain]


@pytest.mark.parametrize(("movement", "up", "down"), [("walker", 2, 1), ("ground", 2, 0), ("hover", 4, 0)])
def test_a_level_up_and_down_adds_what_is_printed(movement, up, down):
    assert terrain_cost(RULES, movement, "clear", 1).value == 1 + up
    assert terrain_cost(RULES, movement, "clear", -2).value == 1 + 2 * down


def test_what_floods_or_catches_cannot_be_entered():
    for movement, terrain in (("walker", "water"), ("ground", "deep water"), ("hover", "jungle")):
        with pytest.raises(UserError, match="cannot enter"):
            terrain_cost(RULES, movement, terrain)
    assert terrain_cost(RULES, "naval", "water").value == terrain_cost(RULES, "submarine", "deep water").value == 1


def test_off_road_ability_and_the_lack_of_it_count_on_ground_that_costs_more_but_not_on_slopes():
    assert terrain_cost(RULES, "ground", "swamp", 0, off_road=True).value == 3
    assert terrain_cost(RULES, "ground", "clear", 1, off_road=True).value == 3
    assert terrain_cost(RULES, "ground", "rough", 0, poor_off_road=True).value == 3
    assert terrain_cost(RULES, "ground", "clear", 0, poor_off_road=True).value == 1


def test_a_combat_speed_of_4_is_half_speed_up_to_2_and_one_of_7_up_to_3():
    """Line 5234."""
    assert (half_speed(4).value, half_speed(7).value) == (2, 3)
    assert [pace_of(spent, 4) for spent in range(5)] == ["stationary", "half", "half", "combat", "combat"]


def test_a_machine_at_combat_6_top_12_shifts_after_6_points_and_then_uses_at_least_7():
    """Line 5236."""
    assert may_shift_up(6, 6)
    assert not may_shift_up(5, 6)
    assert top_speed_points(6, 12) == (7, 12)


def test_after_four_ground_points_of_seven_three_are_left_to_walk():
    """Line 5238."""
    assert points_after_switch(7, 4).value == 3
    with pytest.raises(UserError, match="Top Speed"):
        points_after_switch(7, 4, at_top=True)
    with pytest.raises(UserError, match="once a round"):
        points_after_switch(7, 4, switched=True)


@pytest.mark.parametrize(("gravity", "change"), [(0.0, -1), (0.9, -1), (1.0, 0), (1.1, 1), (2.0, 1), (2.5, 2), (3.0, 2)])
def test_less_than_a_g_costs_one_maneuver_and_every_g_more_or_part_of_one_gives_one(gravity, change):
    assert gravity_maneuver(gravity).value == change


def test_people_s_rounds_have_a_fifth_of_every_rate_rounded_up():
    assert [rate_in_round(points, 6).value for points in (0, 1, 5, 6, 11)] == [0, 1, 1, 2, 3]
    assert rate_in_round(11).value == 11
    assert [hex_width(game) for game in ("land", "naval", "air", "space")] == [50, 50, 250, 500]


@pytest.mark.parametrize(("place", "combat", "top"), [(Place(), 4, 8), (Place(seconds=6), 1, 2), (Place(seconds=6, close=True), 4, 8)])
def test_a_machine_in_peoples_rounds_goes_a_fifth_as_far_unless_the_hexes_are_theirs_too(place, combat, top):
    assert (combat_speed(unit(), place), top_speed(unit(), place)) == (combat, top)


@pytest.mark.parametrize(("atmosphere", "cost"), [(0.79, None), (0.8, 1), (1.0, 1)])
def test_nothing_hovers_in_less_than_eight_tenths_of_an_atmosphere(atmosphere, cost):
    """Line 4410."""
    hovercraft = unit(design=vehicle(movement=(Movement("hover", 8),)))
    assert cost_table(RULES, hovercraft.machine, "hover", atmosphere)["moon dust"] == cost


def test_between_two_facings_lie_the_hexsides_of_the_shorter_way_around():
    assert [hexsides(1, other) for other in range(6)] == [1, 0, 1, 2, 3, 2]
    assert [hexsides(other, 5) for other in range(6)] == [1, 2, 3, 2, 1, 0]


def test_a_mixed_battle_is_played_at_the_average_scale_and_a_tie_at_the_smaller():
    assert battle_scale(("vehicle", "very large")) == "vehicle"
    assert battle_scale(("vehicle", "very large", "very large")) == "very large"
    assert battle_scale(("vehicle", "gigantic", "gigantic", "gigantic")) == "very large"
    assert battle_scale(("very large", "gigantic", "gigantic")) == "gigantic"


@pytest.mark.parametrize(("sides", "cost"), [(0, 0), (1, 0), (2, 1), (3, 1), (6, 1)])
def test_one_hexside_is_free_and_any_more_cost_one_point(sides, cost):
    assert turn_cost(sides).value == cost


@pytest.mark.parametrize(("faces", "outcome"), [((4, 4), "held"), ((3, 2), "skids"), ((1, 1), "crashes")])
def test_a_hard_turn_is_held_against_3_and_the_ground(faces, outcome):
    assert script(hard_turn(RULES, Pool(2), 1), [faces]).outcome.outcome == outcome


@pytest.mark.parametrize(("angle", "threshold", "divisor"), [(15, 1, 19), (30, 2, 11), (45, 3, 9)])
def test_the_jumping_table_is_as_printed(angle, threshold, divisor):
    """Lines 4457-4459."""
    row = JUMPS.get(RULES, str(angle))
    assert (row.threshold, row.divisor) == (threshold, divisor)


def test_a_jump_goes_as_far_as_points_and_margin_by_themselves_divided_by_angle_and_gravity():
    came = script(jump(RULES, Pool(2), 6, 45, 0.5), [(6, 2)]).outcome
    assert came.speed == 6 + 3
    assert came.metres == pytest.approx(81 / 9 / 0.5)
    assert script(jump(RULES, Pool(2), 6, 45), [(1, 1)]).outcome.metres == 36 / 9
    assert jump_distance(RULES, 9, 30, 1.0, 0.5).value == pytest.approx(81 / 11 / 0.5)
    with pytest.raises(UserError, match="flies"):
        jump_distance(RULES, 9, 30, 0.3, 0.4)


def test_towing_by_mass_and_what_it_costs_in_speed():
    assert towing_capacity(6500).value == 6500
    assert towing_capacity(6500, 3).value == 19500
    assert towing_capacity(6500, poor=True, rail=True).value == 32500
    loads = [(500, "any"), (501, "combat"), (750, "combat"), (751, "half"), (1000, "half"), (1001, "none")]
    assert [towed_speed(load, 1000) for load, _ in loads] == [speed for _, speed in loads]
    assert towed_speed(400, 1000, rolls=False) == "half"


def test_a_hex_holds_30_points_a_machine_of_61_takes_three_and_five_people_count_as_3():
    """Lines 4372-4374."""
    assert (room(50), room(250), room(500)) == (30, 150, None)
    assert (hexes_taken(30).value, hexes_taken(61).value) == (1, 3)
    assert (size_of_people(5).value, size_of_people(6).value) == (3, 6)


def test_nobody_fits_into_a_hex_that_is_full_and_wrecks_take_no_room():
    big = vehicle(size=25)
    one, two = unit("One", at=(5, 5), design=big), unit("Two", "blue", (6, 6))
    assert not room_for(battle(one, two), two, (5.0, 5.0))
    wreck = replace(one, wear=replace(one.wear, destroyed="overkill"))
    assert room_for(battle(wreck, two), two, (5.0, 5.0))
    assert len(footprint(unit("Huge", design=vehicle(size=61)))) == 3


@pytest.mark.parametrize(("there", "comes", "fits"), [(15, 14, True), (15, 15, True), (15, 16, False)])
def test_a_hex_is_full_at_30_points(there, comes, fits):
    """Line 4372."""
    one, two = unit("One", at=(5, 7), design=vehicle(size=there)), unit("Two", "blue", (6, 6), design=vehicle(size=comes))
    assert room_for(battle(one, two), two, (5.0, 7.0)) is fits
    assert room_for(battle(one, two), replace(two, altitude=1), (5.0, 7.0))  # above it is room


@pytest.mark.parametrize(
    ("own", "towed", "there", "fits"), [(10, 20, 0, True), (10, 21, 0, False), (10, 5, 15, True), (10, 6, 15, False), (30, 0, 0, True)]
)
def test_what_is_in_tow_needs_room_too(own, towed, there, fits):
    units = [unit("Two", "blue", (6, 6), design=vehicle(size=own), tows="Load" if towed else "")]
    units += [unit("Load", "blue", (7, 7), design=vehicle(size=towed))] if towed else []
    units += [unit("One", at=(5, 7), design=vehicle(size=there))] if there else []
    assert room_for(battle(*units), units[0], (5.0, 7.0)) is fits


# --- ways --------------------------------------------------------------------------------------------------------------------------


def reach(field_units, one, most):
    scene = battle(*field_units) if not hasattr(field_units, "field") else field_units
    return reached(scene.field, rig_of(RULES, scene, one), ((int(one.x), int(one.y)), one.facing, one.turned), most)


def test_straight_ahead_costs_a_point_a_hex_and_about_face_one_more():
    one = unit(facing=0)
    scene = battle(one, unit("Two", "blue", (1, 1)))
    found = reach(scene, one, 4)
    assert route_to(found, (5, 1)).cost == 4
    assert route_to(found, (5, 5), 1).cost == 0
    assert route_to(found, (5, 5), 3).cost == 1
    assert route_to(found, (5, 8)).cost == 4
    assert route_to(found, (5, 9)) is None


def test_between_two_turns_lies_a_hex_forward():
    one = unit(facing=0, turned=True)
    scene = battle(one, unit("Two", "blue", (1, 1)))
    found = reach(scene, one, 1)
    assert route_to(found, (5, 5), 1) is None
    assert route_to(found, (5, 4), 1).cost == 1


def test_woods_cost_wheels_two_and_legs_one():
    wood = hexes(Region(terrain="woodland", box=(1, 1, 20, 20)))
    wheels = unit(design=vehicle(movement=(Movement("ground", 8),)))
    legs = unit()
    for one, cost in ((wheels, 4), (legs, 2)):
        assert route_to(reach(battle(one, unit("Two", "blue", (1, 1)), ground=wood), one, 6), (5, 3)).cost == cost


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 5), st.integers(0, 6))
def test_a_way_is_never_cheaper_than_the_hexes_between_and_its_steps_add_up(column, row, facing, most):
    one = unit(at=(6, 6), facing=facing)
    scene = battle(one, unit("Two", "blue", (1, 1)))
    way = route_to(reach(scene, one, most), (column, row))
    apart = grid.distance((6, 6), (column, row))
    if way is None:
        assert apart + 1 > most  # a turn of more than a hexside costs one point
        return
    assert apart <= way.hexes <= way.cost <= most
    assert way.steps[0].spot == (6.0, 6.0)
    for before, after in zip(way.steps, way.steps[1:], strict=False):
        moved = before.spot != after.spot
        assert after.cost - before.cost == (
            1 if moved else int(min(abs(before.facing - after.facing), 6 - abs(before.facing - after.facing)) > 1)
        )
        if moved:
            ahead = grid.neighbour((int(before.spot[0]), int(before.spot[1])), before.facing)
            assert (float(ahead[0]), float(ahead[1])) == after.spot


# --- hiding ------------------------------------------------------------------------------------------------------------------------


def obscurement(scene, one, other, hovers=False, rules=RULES):
    """What hides the second place from the first, as an attack asks for it."""
    levels = tuple(scene.field.level(spot) for spot in (one, other))
    return hidden_by(rules, ground_between(rules, scene, one, other, levels=levels, afloat=hovers))


def test_two_hexes_of_woods_are_two_points_and_the_target_s_own_is_one_more():
    """Lines 5244, 5258; the book counts four hexes of woods and a target in a fifth as 4, which the rule makes 5."""
    scene = battle(unit(), unit("Two", "blue", (5, 1)), ground=hexes(Region(terrain="woodland", box=(5, 2, 1, 4))))
    assert obscurement(scene, (5, 6), (5, 1)).value == 4
    assert obscurement(scene, (5, 7), (5, 2)).value == 4
    five = battle(unit(), ground=hexes(Region(terrain="woodland", box=(5, 1, 1, 5))))
    assert obscurement(five, (5, 6), (5, 1)).value == 5
    assert holds(obscurement(five, (5, 6), (5, 1)).reason)


def test_from_a_height_only_what_is_as_high_and_the_target_s_own_hex_hides():
    ground = hexes(Region(terrain="woodland", box=(5, 1, 1, 5)), Region(level=1, box=(5, 7, 1, 1)))
    scene = battle(unit(), ground=ground)
    assert obscurement(scene, (5, 7), (5, 1)).value == 1


def test_water_hides_who_is_in_it_and_no_hovercraft():
    scene = battle(unit(), ground=hexes(Region(terrain="deep water", box=(5, 1, 1, 5))))
    assert obscurement(scene, (5, 9), (5, 3)).value == 4
    assert obscurement(scene, (5, 9), (5, 3), hovers=True).value == 0
    assert obscurement(scene, (5, 3), (5, 9)).value == 0


def test_a_line_between_two_hexes_takes_the_worse_or_the_better_by_the_ruling():
    ground = hexes(Region(terrain="woodland", box=(6, 4, 1, 1)))
    scene = battle(unit(), ground=ground)
    assert [len(step) for step in scene.field.line((5, 5), (7, 5))] == [2]
    assert (6, 4) in scene.field.line((5, 5), (7, 5))[0]
    assert obscurement(scene, (5, 5), (7, 5)).value == 1
    assert obscurement(scene, (5, 5), (7, 5), rules=by(between_hexes="helping")).value == 0


def test_on_open_ground_fifty_metres_are_a_hex():
    assert [distance(NOTHING, (0.0, 0.0), (metres, 0.0)) for metres in (0, 25, 26, 74, 500)] == [0, 0, 1, 1, 10]
