"""Sizes, crews, speeds, costs (book lines 2825-3009, 3336-3502, 3737-3792)."""

from fractions import Fraction
from itertools import pairwise

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.systems.silhouette.machines.design.costs import (
    cargo_room,
    default_size,
    pre_production,
    production_multiplier,
    reaction_mass,
    reckoned,
    sizes_allowed,
)
from rulewright.systems.silhouette.machines.design.crews import (
    boarding,
    computer_multiplier,
    computer_points,
    crew_actions,
    crew_multiplier,
    crew_skills,
)
from rulewright.systems.silhouette.machines.design.sizes import largest_mass, size_for, volume
from rulewright.systems.silhouette.machines.design.speeds import acceleration, combat_speed, kilometres_an_hour, metres_a_turn
from rulewright.systems.silhouette.machines.design.systems import minimum_size
from rulewright.systems.silhouette.machines.design.trait_effects import (
    actions_of,
    arm_ratings,
    armor_against,
    bio_energy_range,
    bio_energy_speed,
    catapult_points,
    catapult_speed,
    ceiling,
    crush_depth,
    figure,
    fuel_used,
    grip,
    lifting,
    maneuver_with,
    muscle_power,
    rads,
    reach,
    stowed_volume,
    wrecked,
)
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.special import against_vehicles, in_personal_scale, thresholds
from rulewright.systems.silhouette.machines.tables import SMALL_SIZES
from rulewright.systems.silhouette.machines.vehicle import Computer, Defect, Device, Extra, FasterThanLight, Fitted, Movement
from silhouette.machines.designs import PLAIN, RULES


@pytest.mark.parametrize(("size", "mass"), [(6, 7415), (10, 31256), (15, 100545), (30, 766061)])
def test_the_largest_mass_is_three_times_size_and_a_half_cubed_and_rounded_up(size, mass):
    assert largest_mass(RULES, size).value == mass
    assert -(-((6 * size + 3) ** 3) // 8) == mass


@pytest.mark.parametrize(
    ("size", "low", "high"),
    [
        (0.1, 0, 8),
        (1, 73, 80),
        (1.1, 81, 102),
        (2, 279, 300),
        (2.5, 621, 700),
        (3, 1021, 1100),
        (4, 2271, 2400),
        (4.1, 2401, 2600),
        (5, 4201, 4400),
        (0.5, 33, 40),
    ],
)
def test_small_sizes_go_by_their_chart(size, low, high):
    assert largest_mass(RULES, size).value == high
    assert size_for(RULES, high).value == size
    assert size_for(RULES, max(1, low)).value == size


def test_the_chart_has_fifty_rows_without_a_gap():
    rows = list(SMALL_SIZES(RULES).values())
    assert len(rows) == 50
    assert all(after.low == before.high + 1 for before, after in pairwise(rows))


def test_a_size_holds_its_largest_mass_and_one_kilogram_more_needs_the_next():
    for size in range(6, 60):
        mass = largest_mass(RULES, size).value
        assert (size_for(RULES, mass).value, size_for(RULES, mass + 1).value) == (size, size + 1)


@pytest.mark.parametrize(("size", "room"), [(5, 43), (10, 216), (6, 64)])
def test_the_volume_is_half_the_size_and_one_cubed(size, room):
    assert volume(size).value == room


@pytest.mark.parametrize("size", [0, -1, 10_001])
def test_no_size_is_nothing_or_endless(size):
    with pytest.raises(UserError, match="Size"):
        largest_mass(RULES, size)


def test_thresholds_are_one_two_and_three_times_the_armor():
    assert thresholds(15) == (15, 30, 45)
    assert thresholds(4.5) == (4.5, 9, 13.5)


@pytest.mark.parametrize(
    ("crew", "actions"), [(0, 0), (1, 2), (2, 3), (3, 3), (4, 4), (8, 5), (16, 6), (32, 7), (256, 10), (512, 11), (1024, 12)]
)
def test_a_crew_has_one_action_more_whenever_it_doubles(crew, actions):
    assert crew_actions(RULES, crew).value == actions


def test_the_corvette_of_the_appendix_has_eleven_actions_by_the_table():
    """Line 9308 counts six and two; the table gives a crew of 36 seven and the four on the interface four."""
    corvette = replace(PLAIN, crew=36, perks=(Fitted("thought interface", amount=4),))
    assert actions_of(RULES, corvette).value == 11


@pytest.mark.parametrize(("level", "factor"), [(1, 0.25), (2, 1), (3, 2.25), (4, 4), (5, 6.25), (6, 9), (7, 12.25), (8, 16)])
def test_crews_and_dumb_computers_multiply_alike(level, factor):
    assert crew_multiplier(RULES, level).value == factor
    assert computer_multiplier(RULES, level, "dumb").value == factor


@pytest.mark.parametrize(
    ("level", "factor", "points", "dumb"),
    [
        (1, 0.5, 0, -16),
        (2, 2, 4, -4),
        (3, 4.5, 16, 0),
        (4, 8, 36, 4),
        (5, 12.5, 49, 16),
        (6, 18, 64, 36),
        (7, 25, 81, 49),
        (8, 32, 100, 64),
    ],
)
def test_sentient_computers_multiply_twice_as_much_and_have_more_points(level, factor, points, dumb):
    assert computer_multiplier(RULES, level, "sentient").value == factor
    assert computer_points(RULES, level, "sentient").value == points
    assert computer_points(RULES, level, "dumb").value == dumb


def test_a_scouts_crew_swaps_gunnery_and_information_warfare():
    assert crew_skills(3)["information warfare"] == 2
    assert crew_skills(3, scout=True) == {"piloting": 3, "gunnery": 2, "leadership": 3, "information warfare": 3}


def test_passengers_board_by_the_size_and_twice_as_fast_through_large_doors():
    assert (boarding(6).value, boarding(6, large_doors=True).value) == (6, 12)


def test_speeds_are_halved_rounded_up_and_read_in_kilometres_an_hour():
    assert [combat_speed(top).value for top in (7, 12, 1, 0)] == [4, 6, 1, 0]
    assert combat_speed(2.5).value == 1.3
    assert combat_speed(0.05).value == 0.025
    assert kilometres_an_hour(RULES, 10, "air").value == 300
    assert acceleration(5).value == 0.5
    assert metres_a_turn(30).value == 50  # 49.5
    with pytest.raises(UserError, match="acceleration"):
        kilometres_an_hour(RULES, 5, "space")


def test_default_sizes_are_the_nearest_cube_root():
    for value in range(1, 3000):
        size = default_size(value).value
        assert abs(size**3 - value) <= max(abs((size + 1) ** 3 - value), 0) or size == 1
        assert size == max(1, int(value ** (1 / 3) + 0.5)) or abs(value ** (1 / 3) % 1 - 0.5) < 1e-9
    assert default_size(0).value == 1


def test_a_smaller_machine_is_dearer_and_a_larger_one_is_not_cheaper():
    assert pre_production(582, 6).value == 776_000
    assert pre_production(582, 8).value == pre_production(582, 16).value == 582_000
    assert sizes_allowed(8) == (1.6, 16)
    assert sizes_allowed(50) == (10, 100)
    assert [sizes_allowed(usual) for usual in (24, 25, 26)] == [(4.8, 48), (5, 50), (6, 52)]  # small ones alone in tenths


@pytest.mark.parametrize(
    ("production", "factor"),
    [
        ("mass production", 0.5),
        ("early production", 1),
        ("limited production", 2),
        ("scratch-build", 0.2),
        ("late prototype", 5),
        ("early prototype", 20),
        ("testbed prototype", 100),
    ],
)
def test_production_multiplies_the_cost(production, factor):
    assert production_multiplier(RULES, production).value == factor


def test_crew_drives_and_extras_come_after_the_design():
    plain = reckoned(RULES, PLAIN)
    better = reckoned(RULES, replace(PLAIN, crew_level=4, faster_than_light=FasterThanLight(10, 5, "1 minute")))
    assert better.default_size.value == plain.default_size.value
    assert better.threat_value.value == round(plain.threat_value.value * 4 * 4 * 2 * 0.9)
    comfort = reckoned(RULES, replace(PLAIN, extras=(Extra("hi-fi stereo"), Extra("wet bar", 3), Extra("access lift", 200))))
    assert comfort.final_cost.value - plain.final_cost.value == 1000 + 1800 + 2000
    assert comfort.threat_value.value == plain.threat_value.value
    assert reckoned(RULES, replace(PLAIN, tech_level=1)).final_cost.value == 10 * plain.final_cost.value
    assert reckoned(RULES, replace(PLAIN, computers=(Computer("sentient", 1, 3),))).threat_value.value > plain.threat_value.value


def test_reaction_mass_is_a_share_of_the_empty_weight():
    assert reaction_mass(RULES, "hydrogen", 600, 31_250).value == 187.5
    assert reaction_mass(RULES, "low-efficiency rocket fuel", 100, 10).value == 50
    assert cargo_room(RULES, "hydrogen", 0.71).value == 10


def test_a_small_weapon_needs_a_small_machine():
    gun = Device("gun", damage=10, uses=150)  # 200
    assert minimum_size(RULES, gun).value == pytest.approx(100 ** (1 / 3))
    assert minimum_size(RULES, replace(gun, flaws=("heat",))).value == pytest.approx(0.75 * (133 / 2) ** (1 / 3))


def test_personal_and_vehicle_scale_differ_by_ten():
    """Line 3779: 45 becomes 4.5 to reckon with and 5 in a battle."""
    assert in_personal_scale(4.5).value == 45
    assert against_vehicles(45).value == 5


# --- what Perks can do -----------------------------------------------------------------------------------------------------------


def test_perks_are_reckoned_as_their_texts_say():
    assert catapult_speed(4, 20).value == 30
    assert catapult_points(4, 20).value == 3
    assert lifting((6, 6), 6).value == 9
    assert lifting((20,), 6).value == 12
    assert lifting((20,), 6, braced=True).value == 20
    assert grip(RULES, 6).value == 1100
    assert reach(2, "air").value == 20
    assert reach(2, "space").value == 200
    assert reach(2, "space", uplink=True).value == 200_000
    assert stowed_volume(4, "bare").value == 8
    assert stowed_volume(4, "service").value == 80
    assert rads(3).value == 1000
    assert bio_energy_speed(1, 2, -3).value == 12
    assert bio_energy_range(25).value == 250
    assert muscle_power(2, 8, 1, 20) == {"top": 5, "deployment": 42}


def test_a_submarine_dives_by_its_armor():
    boat = replace(PLAIN, movement=(Movement("submarine", 4),))
    assert crush_depth(boat).value == 50
    assert crush_depth(replace(boat, perks=(Fitted("hostile environment: extreme pressure"),))).value == 2500
    assert crush_depth(PLAIN).value == 0


def test_ceilings_and_fuel():
    plane = replace(PLAIN, movement=(Movement("air", 10),))
    assert ceiling(plane).value == 12
    assert ceiling(replace(plane, flaws=(Fitted("maximum ceiling", 5),))).value == 7
    assert ceiling(replace(plane, perks=(Fitted("stratospheric flight"),))).value == 50  # line 9212
    thirsty = replace(PLAIN, flaws=(Fitted("fuel inefficient", 2),))
    assert fuel_used(thirsty, 1, top_speed=True).value == 6  # line 9382
    assert fuel_used(replace(PLAIN, perks=(Fitted("fuel efficient", variant="double"),)), 10).value == 5


def test_what_is_rated_nothing_counts_for_nothing():
    """The audit speaks of it; in play it does neither good nor harm."""
    plane = replace(PLAIN, movement=(Movement("air", 10),))
    assert ceiling(replace(plane, flaws=(Fitted("maximum ceiling", 0),))).value == 12
    assert fuel_used(replace(PLAIN, flaws=(Fitted("fuel inefficient", 0),)), 10).value == 10
    assert maneuver_with(replace(PLAIN, flaws=(Fitted("decreased maneuver", 0, on="ground"),)), "ground") == PLAIN.maneuver
    assert armor_against(replace(PLAIN, flaws=(Fitted("weak point", 0, on="hatch"),)), location="hatch").value == PLAIN.armor
    assert arm_ratings(replace(PLAIN, perks=(Fitted("manipulator arm", 0), Fitted("battle arm", 3, count=2)))) == (0, 3, 3)
    alone = actions_of(RULES, PLAIN).value
    assert [actions_of(RULES, replace(PLAIN, perks=(Fitted("thought interface", amount=people),))).value for people in (0, 1)] == [
        alone,
        alone + 2,
    ]
    eyes = machine(RULES, replace(PLAIN, perks=(Fitted("sensors", 1, variant="standard", amount=0),))).sensors
    assert (eyes.ground, eyes.air, eyes.space) == (0, 0, 0)


def test_a_figure_that_an_effect_does_not_have_is_nought():
    assert figure(RULES, "random shutdown", "dice", flaw=True) == 2
    assert figure(RULES, "random shutdown", "wheels", flaw=True) == 0
    assert figure(RULES, "no such thing", "dice") == 0


def test_armor_differs_by_arc_location_and_heat():
    tank = replace(
        PLAIN,
        armor=20,
        perks=(Fitted("reinforced armor", 5, on="front"), Fitted("heat resistant", 4), Fitted("reinforced location", 3, on="crew")),
        flaws=(Fitted("weak facing", on="rear"), Fitted("weak point", 6, on="turret ring")),
    )
    assert armor_against(tank, "front").value == 25
    assert armor_against(tank, "rear").value == 10
    assert armor_against(tank, "rear", heat=True).value == 14
    assert armor_against(tank, "left", "crew").value == 23
    assert armor_against(tank, "left", "turret ring").value == 14
    assert armor_against(replace(tank, flaws=(Fitted("weak underbelly"),)), "left", below=True).value == 10


@pytest.mark.parametrize(
    ("perk", "arc", "location", "armor"),
    [
        (Fitted("reinforced armor", 5, on="front"), "front", "", 25),
        (Fitted("reinforced armor", 5, on="front"), "rear", "", 20),
        (Fitted("reinforced armor", 5, on="sides"), "left", "", 20),
        (Fitted("ablative armor", 5, on="rear"), "rear", "", 25),
        (Fitted("ablative armor", 5, on="rear"), "left", "", 20),
        (Fitted("ablative armor", 5, on="sides"), "left", "", 25),
        (Fitted("ablative armor", 5, on="sides"), "right front flank", "", 25),
        (Fitted("ablative armor", 5, on="sides"), "front", "", 20),
        (Fitted("reinforced location", 5, on="crew"), "front", "crew", 25),
        (Fitted("reinforced location", 5, on="crew"), "front", "movement", 20),
        (Fitted("reinforced location", 5, on="crew"), "crew", "", 20),
        (Fitted("heat resistant", 5), "front", "", 20),
    ],
)
def test_plates_count_where_they_are_and_nowhere_else(perk, arc, location, armor):
    assert armor_against(replace(PLAIN, armor=20, perks=(perk,)), arc, location).value == armor


@pytest.mark.parametrize(
    ("flaw", "arc", "location", "heat", "below", "armor"),
    [
        (Fitted("weak facing", on="rear"), "rear", "", False, False, 10),
        (Fitted("weak facing", on="rear"), "front", "", False, False, 20),
        (Fitted("weak facing", on="rear"), "front", "", False, True, 20),
        (Fitted("weak underbelly"), "rear", "", False, True, 10),
        (Fitted("weak underbelly"), "rear", "", False, False, 20),
        (Fitted("weak point", 6, on="ring"), "rear", "ring", False, False, 14),
        (Fitted("weak point", 6, on="ring"), "rear", "crew", False, False, 20),
        (Fitted("weak point", 26, on="ring"), "rear", "ring", False, False, 0),
        (Fitted("heat vulnerable", 6), "rear", "", True, False, 14),
        (Fitted("heat vulnerable", 6), "rear", "", False, False, 20),
    ],
)
def test_weak_armor_is_weak_where_it_is_and_nowhere_else(flaw, arc, location, heat, below, armor):
    assert armor_against(replace(PLAIN, armor=20, flaws=(flaw,)), arc, location, heat, below).value == armor


def test_armor_that_is_weak_for_two_reasons_is_halved_once():
    tank = replace(PLAIN, armor=20, flaws=(Fitted("weak facing", on="rear"), Fitted("weak underbelly")))
    assert armor_against(tank, "rear", below=True).value == 10


def test_the_machine_in_play_bears_its_defects_and_its_heavy_systems():
    walker = replace(
        PLAIN,
        armor=15,
        movement=(Movement("walker", 7), Movement("ground", 12)),
        systems=(Device("great gun", damage=10, flaws=("heavy", "clumsy carried")),),
        defects=(Defect("maneuver", 1), Defect("armor", 2), Defect("top speed", 1, "ground"), Defect("flaw", on="unstable")),
    )
    found = machine(RULES, walker)
    assert (found.armor, found.light, found.heavy, found.overkill) == (13, 13, 26, 39)
    assert found.maneuver == -2
    assert [(way.combat, way.top) for way in found.ways] == [(3, 5), (5, 9)]
    assert found.has("unstable") is not None
    assert reckoned(RULES, walker) is not None


def test_ranges_of_sensors_grow_with_the_way_of_moving_and_the_technical_level():
    eyes = (Fitted("sensors", 1, variant="standard", amount=2), Fitted("communications", 0, amount=10), Fitted("satellite uplink"))
    shuttle = replace(PLAIN, perks=eyes, movement=(Movement("air", 10), Movement("space", 5)), tech_level=1)
    found = machine(RULES, shuttle)
    assert found.sensors is not None
    assert found.comms is not None
    assert (found.sensors.ground, found.sensors.air, found.sensors.space) == (20, 200, 2000)
    assert found.comms.ground == 100_000


@pytest.mark.parametrize(
    ("ways", "air", "space"),
    [(("walker",), 1, 1), (("air",), 10, 1), (("space",), 1, 100), (("air", "space"), 10, 100)],
)
@pytest.mark.parametrize(("level", "tens"), [(-1, Fraction(1, 10)), (0, 1), (1, 10)])
def test_sensors_reach_ten_times_as_far_in_the_air_and_radios_a_thousand_times_by_satellite(ways, air, space, level, tens):
    """Lines 9136-9140, 9282."""
    eyes = (Fitted("sensors", 2, variant="standard", amount=30), Fitted("communications", -1, amount=20))
    built = replace(PLAIN, perks=eyes, movement=tuple(Movement(way, 6) for way in ways), tech_level=level)
    seen, heard = machine(RULES, built).sensors, machine(RULES, built).comms
    assert (seen.rating, seen.ground, seen.air, seen.space) == (2, 30 * tens, 30 * tens * air, 30 * tens * space)
    assert (heard.rating, heard.ground, heard.air, heard.space) == (-1, 20 * tens, 20 * tens * air, 20 * tens * space)
    linked = machine(RULES, replace(built, perks=(*eyes, Fitted("satellite uplink")))).comms
    assert (linked.ground, linked.air) == (20_000 * tens, 20_000 * tens * air)
    assert machine(RULES, replace(built, perks=())).sensors is None


@pytest.mark.parametrize(("armor", "lost", "left"), [(5, 0, 5), (5, 4, 1), (5, 5, 1), (5, 6, 1), (1, 1, 1), (0.5, 1, 0.5)])
def test_a_lemon_keeps_one_point_of_armor(armor, lost, left):
    found = machine(RULES, replace(PLAIN, armor=armor, defects=(Defect("armor", lost),) if lost else ()))
    assert found.armor == left


def test_defects_of_one_kind_add_up():
    twice = replace(PLAIN, movement=(Movement("ground", 12),), defects=(Defect("top speed", 1, "ground"),) * 3)
    assert machine(RULES, replace(twice, defects=())).ways[0].top - machine(RULES, twice).ways[0].top == 3
    shaky = replace(PLAIN, maneuver=1, defects=(Defect("maneuver", 1), Defect("maneuver", 2)))
    assert machine(RULES, shaky).maneuver == -2


@pytest.mark.parametrize(("flaws", "clumsy"), [((), 0), (("clumsy used",), 0), (("clumsy carried",), -1)])
def test_only_what_is_clumsy_to_carry_costs_maneuver(flaws, clumsy):
    assert machine(RULES, replace(PLAIN, systems=(Device("gun", damage=5, flaws=flaws),))).maneuver == clumsy


@pytest.mark.parametrize(("way", "maneuver"), [("air", 1), ("ground", -2), ("walker", -1)])
def test_each_way_to_move_has_its_own_maneuver(way, maneuver):
    """Line 9346; on the wheels of a plane that cannot drive it is three less."""
    plane = replace(
        PLAIN,
        maneuver=1,
        movement=(Movement("air", 14, stall=4), Movement("ground", 10, unpowered=True), Movement("walker", 4)),
        flaws=(Fitted("decreased maneuver", 2, on="walker"),),
    )
    assert maneuver_with(plane, way) == maneuver


@pytest.mark.parametrize(("scale", "size"), [("vehicle", 12), ("very large", 120), ("gigantic", 10_000)])
def test_a_machine_of_a_larger_scale_has_the_mass_of_so_many_times_its_size(scale, size):
    """Lines 2850-2862: half a Size more, times three, cubed, rounded up; no Size is above 10,000 (ours)."""
    built = replace(PLAIN, size=12, mass=0, scale=scale)
    assert machine(RULES, built).mass == -(-(((size * 2 + 1) * 3) ** 3) // 8)
    assert machine(RULES, replace(built, mass=1234)).mass == 1234


def test_an_accessory_is_beyond_repair_at_a_penalty_of_five():
    assert [wrecked(penalty) for penalty in (0, -4, -5, -6)] == [False, False, True, True]
    with pytest.raises(UserError, match="penalty must be 0 or less, not 5"):
        wrecked(5)
