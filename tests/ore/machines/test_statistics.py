"""What the figures of a vehicle mean: Size, Speed, Handling, structure, weapons, Threat (book lines 5519-5932)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.systems.ore.machines.driving_tests import (
    attack_statistic,
    blacks_out,
    braking_dice,
    ejection,
    erratic_difficulty,
    evades_by,
    evasion_dice,
    g_force,
    hull_dice,
    hull_height,
    lock_on_dice,
    may_attack,
    must_be_rolled,
    no_better_than_the_hover,
    position_statistic,
    split_firepower,
    vehicle_action,
)
from rulewright.systems.ore.machines.speeds import (
    acceleration_rating,
    compared_speeds,
    craft_at,
    handling_difficulty,
    is_manoeuvrable,
    light_speed,
    outclassed,
    rating_limits,
    size_of,
    speed_in_words,
    vehicles_of_size,
)
from rulewright.systems.ore.machines.structure import (
    Hull,
    boxes_in_all,
    crossed_off,
    level_dice,
    map_of,
    out_of_order,
    seats_at,
    system_dice,
    system_hit,
    typical_system,
)
from rulewright.systems.ore.machines.tables import ACCELERATIONS
from rulewright.systems.ore.machines.threat import fighter_threat, is_ship_of_the_line, ships_like
from rulewright.systems.ore.machines.vehicle import Vehicle
from rulewright.systems.ore.machines.weapons import (
    closer,
    farther,
    own_share,
    pushed_aside,
    ram_damage,
    reaches,
    sideswipe_damage,
    through_plating,
    weapon_damage,
)
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()


# --- Size and Speed -----------------------------------------------------------------------------------------------------------


def test_statistics_go_from_1_to_5_and_a_6_of_size_and_speed_is_for_comparison():
    assert rating_limits("handling") == rating_limits("handling", True) == rating_limits("size") == (1, 5)
    assert rating_limits("size", True) == rating_limits("speed", True) == (1, 6)


@pytest.mark.parametrize(
    ("metres", "size"), [(1, 1), (10, 1), (10.1, 2), (50, 2), (51, 3), (500, 3), (999, 4), (1001, 5), (5000, 5), (5001, 6)]
)
def test_the_length_of_a_vehicle_says_its_size(metres, size):
    assert size_of(PLAIN, metres) == size


def test_nothing_is_shorter_than_nothing():
    with pytest.raises(UserError, match="must be more than 0"):
        size_of(PLAIN, 0)


def test_sizes_1_and_2_are_manoeuvrable_line_5555():
    assert [is_manoeuvrable(size) for size in range(1, 7)] == [True, True, False, False, False, False]


def test_examples_are_listed_by_size():
    assert "tank" in vehicles_of_size(PLAIN, 2)


@pytest.mark.parametrize(
    ("mode", "rating", "words"),
    [
        ("sea", 1, "15 km/h"),
        ("land", 6, "1250 km/h"),
        ("air", 3, "1000 km/h"),
        ("relativistic", 3, "11 to 14 G"),
        ("relativistic", 5, "20 G and more"),
        ("relativistic", 6, "beyond the table"),
        ("space", 1, "relativistic"),
        ("space", 3, "25% of the speed of light"),
        ("stellar", 6, "Space fold"),
    ],
)
def test_a_speed_comes_to_something_in_every_mode(mode, rating, words):
    assert speed_in_words(PLAIN, mode, rating) == words


def test_a_quarter_of_the_speed_of_light_is_270_million_kilometres_an_hour_line_5629():
    assert light_speed(25).value == 270_000_000
    assert light_speed(100).value == 1_080_000_000
    with pytest.raises(UserError):
        light_speed(101)


def test_the_ratings_of_the_accelerations_are_those_of_the_table_line_5619():
    for row in ACCELERATIONS(PLAIN).values():
        assert acceleration_rating(PLAIN, row.least) == acceleration_rating(PLAIN, row.most) == row.rating
        assert row.craft in craft_at(PLAIN, row.least)
    assert [acceleration_rating(PLAIN, g) for g in (1, 5, 6, 11, 15, 19, 20)] == [1, 1, 2, 3, 4, 4, 5]
    with pytest.raises(UserError):
        acceleration_rating(PLAIN, 0)


def test_land_always_trumps_sea_and_within_a_mode_the_rating_decides_lines_5679_to_5694():
    assert compared_speeds(PLAIN, "land", 1, "sea", 6) == 1
    assert compared_speeds(PLAIN, "sea", 6, "land", 1) == -1
    assert compared_speeds(PLAIN, "air", 1, "air", 3) == -1
    assert compared_speeds(PLAIN, "air", 3, "air", 3) == 0
    assert compared_speeds(PLAIN, "relativistic", 2, "space", 2) == 0


def test_nobody_catches_up_with_a_faster_mode_unless_the_campaign_says_otherwise():
    assert outclassed(PLAIN, "sea", "land")
    assert not outclassed(PLAIN, "land", "sea")
    assert not outclassed(PLAIN, "air", "air")
    assert not outclassed(BOOK.ruleset(settings={"mode-trumps": False}), "sea", "land")


def test_the_sports_car_of_line_5700_speed_3_and_4_with_a_handling_of_2():
    assert handling_difficulty(2, 2).value == 0
    assert handling_difficulty(2, 3).value == 2
    assert handling_difficulty(2, 4).value == 4


# --- structure ----------------------------------------------------------------------------------------------------------------


def test_the_helicopter_of_lines_5751_to_5757_two_boxes_a_level_and_two_damage_leave_it_blasted():
    chopper = Hull(2)
    assert boxes_in_all(2).value == 6
    assert chopper.level == "Undamaged"
    assert crossed_off(chopper, 1).level == "Undamaged"
    assert crossed_off(chopper, 2).level == "Blasted"
    assert crossed_off(chopper, 3).level == "Blasted"
    assert crossed_off(chopper, 4).level == "Crippled"
    assert crossed_off(chopper, 5).level == "Crippled"
    assert crossed_off(chopper, 6).destroyed
    assert crossed_off(chopper, 60).marked == 6


@given(st.integers(1, 6), st.lists(st.integers(0, 4), max_size=10))
def test_damage_in_pieces_is_damage_at_once(size, pieces):
    hull = Hull(size)
    for points in pieces:
        hull = crossed_off(hull, points)
    assert hull == crossed_off(Hull(size), sum(pieces))
    assert hull.destroyed == (sum(pieces) >= 3 * size)


def test_a_blasted_vehicle_loses_a_die_and_a_crippled_one_two():
    assert [level_dice(PLAIN, Hull(2, marked)).dice for marked in range(7)] == [0, 0, -1, -1, -2, -2, 0]


def test_hulls_and_damage_that_cannot_be_are_refused():
    with pytest.raises(UserError):
        Hull(2, 7)
    with pytest.raises(UserError):
        Hull(2, 0, (("engine", 3),))
    with pytest.raises(UserError):
        crossed_off(Hull(2), -1)


def test_the_first_hit_on_a_system_costs_a_die_and_the_second_destroys_it_line_5776():
    hull = system_hit(Hull(2), "sensors")
    assert [(mod.label, mod.dice) for mod in system_dice(PLAIN, hull, ("sensors",))] == [("damaged sensors", -1)]
    assert system_dice(PLAIN, hull, ("speed",)) == ()
    assert out_of_order(PLAIN, hull, ("sensors",)) == ""
    hull = system_hit(hull, "sensors")
    assert out_of_order(PLAIN, hull, ("helm", "sensors")) == "sensors"
    assert system_hit(hull, "sensors") == hull


def test_every_seat_has_a_system_where_it_can_be_hit():
    assert seats_at(PLAIN, "cockpit") == ("pilot",)
    assert seats_at(PLAIN, "crew") == ("co-pilot", "gunner")
    assert seats_at(PLAIN, "passenger") == ("passenger",)
    assert seats_at(PLAIN, "engine") == ()


def test_a_vehicle_has_the_typical_map_or_its_own_and_fills_gaps_from_the_typical_one():
    typical = ("cargo", "cargo", "weapons", "weapons", "sensors", "sensors", "fuel", "engine", "crew", "cockpit")
    assert map_of(PLAIN, Vehicle("Plain")) == typical
    assert map_of(PLAIN, Vehicle("Bus", passengers=40))[:2] == ("passenger", "passenger")
    assert typical_system(PLAIN, 1, True) == "passenger"
    own = Vehicle("Own", system_map={"10": "cockpit", "8-9": "engine"})
    assert map_of(PLAIN, own) == (*typical[:7], "engine", "engine", "cockpit")
    for written in ("eleven", "0", "9-8", "9-12"):
        with pytest.raises(UserError):
            map_of(PLAIN, Vehicle("Bad", system_map={written: "engine"}))


# --- weapons and ranges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "damage"), [(1, 1), (2, 2), (3, 4), (4, 6), (5, 8), (6, 10), (10, 18)])
def test_vehicle_weapons_deal_damage_by_width_alone(width, damage):
    assert weapon_damage(PLAIN, width).value == damage


def test_a_width_of_nothing_is_refused():
    with pytest.raises(UserError):
        weapon_damage(PLAIN, 0)


@given(st.integers(0, 20), st.integers(0, 10), st.integers(0, 10))
def test_penetration_lowers_armour_and_what_is_left_lowers_damage(damage, armour, pen):
    assert through_plating(PLAIN, damage, armour, pen).value == max(0, damage - max(0, armour - pen))


def test_guns_reach_visual_range_and_missiles_further_but_never_without_a_lock_on():
    assert reaches(PLAIN, "VR", "VR")
    assert not reaches(PLAIN, "VR", "BVR")
    assert not reaches(PLAIN, "BVR", "VR")
    assert reaches(PLAIN, "BVR", "VR", True)
    assert reaches(PLAIN, "BVR", "BVR", True)
    assert not reaches(PLAIN, "BVR", "ER", True)


def test_chase_closes_the_range_by_a_step_and_escape_opens_it():
    assert [closer(at) for at in ("ER", "BVR", "VR")] == ["BVR", "VR", "VR"]
    assert [farther(at) for at in ("VR", "BVR", "ER")] == ["BVR", "ER", None]


def test_a_ram_adds_size_and_speed_a_sideswipe_size_and_half_comes_back():
    assert ram_damage(PLAIN, 3, 2, 3).value == 4 + 2 + 3
    assert sideswipe_damage(PLAIN, 3, 2).value == 4 + 2
    assert own_share(9).value == 4
    assert own_share(6).value == 3
    assert pushed_aside(3).value == 3


# --- driving ------------------------------------------------------------------------------------------------------------------


def test_pilots_fire_with_handling_co_pilots_with_insight_gunners_with_firepower_line_5869():
    assert [attack_statistic(seat) for seat in ("pilot", "co-pilot", "gunner")] == ["handling", "insight", "firepower"]
    with pytest.raises(UserError):
        attack_statistic("passenger")


def test_position_is_rolled_with_speed_or_with_sensors():
    assert [position_statistic(size) for size in (1, 2, 3, 5)] == ["speed", "speed", "sensors", "sensors"]


def test_a_manoeuvrable_vehicle_in_a_better_position_cannot_be_attacked_and_others_always_can():
    assert not may_attack((2, 9), (3, 1), 2)
    assert not may_attack((3, 1), (3, 2), 2)
    assert may_attack((3, 2), (3, 2), 2)
    assert may_attack((3, 3), (3, 2), 1)
    assert may_attack((0, 0), (4, 10), 3)
    assert not may_attack((0, 0), (2, 1), 1)


def test_braking_loses_a_die_for_each_point_of_speed_above_handling():
    assert [braking_dice(2, speed).dice for speed in (1, 2, 3, 4)] == [0, 0, -1, -2]


def test_erratic_manoeuvres_go_as_far_as_the_pilots_skill():
    assert erratic_difficulty(3, 3) == 3
    for chosen in (0, 4):
        with pytest.raises(UserError):
            erratic_difficulty(chosen, 3)


def test_ecm_adds_to_evasion_less_the_enemys_eccm():
    assert evasion_dice(2, 0).value == 2
    assert evasion_dice(2, 1).value == 1
    assert evasion_dice(1, 3).value == 0


def test_what_is_done_from_a_hover_is_no_better_than_the_hover():
    assert no_better_than_the_hover(3, 9, 2, 6) == (2, 6)
    assert no_better_than_the_hover(2, 4, 3, 6) == (2, 4)


def test_aircraft_jink_and_cars_and_ships_swerve():
    assert [evades_by(mode) for mode in ("air", "relativistic", "space", "land", "sea")] == ["jink", "jink", "jink", "swerve", "swerve"]


def test_landing_is_rolled_in_adverse_conditions_only():
    assert must_be_rolled(True)
    assert not must_be_rolled(False)


def test_a_lock_on_beyond_visual_range_has_a_die_less():
    assert lock_on_dice("VR").dice == 0
    assert lock_on_dice("BVR").dice == -1


def test_an_ejection_seat_is_a_2x10():
    assert ejection(True) == (2, 10)
    assert ejection(False) is None


@pytest.mark.parametrize(("speed", "body", "lost", "out"), [(3, 3, 0, False), (4, 3, 1, False), (5, 3, 2, False), (5, 2, 3, True)])
def test_g_force_is_speed_and_costs_a_die_for_each_point_above_body(speed, body, lost, out):
    assert g_force(PLAIN, speed, body, 2, "air").value == lost
    assert blacks_out(lost) == out


def test_g_force_presses_in_the_air_and_at_relativistic_speeds_in_small_vehicles_only():
    assert g_force(PLAIN, 5, 1, 2, "relativistic").value == 4
    assert g_force(PLAIN, 5, 1, 2, "land").value == 0
    assert g_force(PLAIN, 5, 1, 3, "air").value == 0


def test_any_of_the_sixteen_actions_can_be_looked_up():
    assert vehicle_action(PLAIN, "jink").counters == ("attack", "ram", "sideswipe")


# --- fighters and ships of the line -------------------------------------------------------------------------------------------


def test_the_two_fighters_of_line_5928_are_threats_of_5_and_3():
    assert fighter_threat(PLAIN, 3, "powerful", 3).value == 5
    assert fighter_threat(PLAIN, 5, "", 0).value == 3


@given(st.integers(1, 6), st.sampled_from(["", "powerful", "very powerful"]), st.integers(0, 10))
def test_a_fighter_is_a_threat_from_1_to_8(speed, guns, armour):
    assert 1 <= fighter_threat(PLAIN, speed, guns, armour).value <= 8


def test_the_worst_fighter_there_is_is_a_threat_of_8():
    assert fighter_threat(PLAIN, 5, "very powerful", 5).value == 8


def test_a_ship_of_the_line_is_large_and_has_gunners():
    assert is_ship_of_the_line(3, 1)
    assert not is_ship_of_the_line(2, 4)
    assert not is_ship_of_the_line(4, 0)
    assert ships_like(PLAIN, 13) == ships_like(PLAIN, 12)
    assert ships_like(PLAIN, 1) == ""


def test_firepower_is_divided_among_as_many_targets_as_there_are_gunners_line_5945():
    assert split_firepower(6, 4, (6,)) == (6,)
    assert split_firepower(6, 4, (2, 2, 1, 1)) == (2, 2, 1, 1)
    for shares in ((4, 3), (2, 1, 1, 1, 1), (3, 0)):
        with pytest.raises(UserError):
            split_firepower(6, 4, shares)


def test_a_turned_hull_costs_ships_of_the_line_height_and_its_own_gunners_dice():
    assert hull_dice(2).dice == -2
    assert hull_height(2) == 2
    assert hull_height(2, False) == 0


def test_the_fastest_and_the_best_armoured_fighters_have_no_upper_limit_line_5921():
    assert [fighter_threat(PLAIN, speed, "", 0).value for speed in (2, 4, 5, 6, 7, 12)] == [1, 2, 3, 3, 3, 3]
    assert [fighter_threat(PLAIN, 1, "", armour).value for armour in (0, 2, 4, 5, 20, 25)] == [1, 2, 3, 4, 4, 4]
