"""Armor, things, reliability, hiding, tools, power, vehicles (book lines 3384-3616, 3827-4263)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.foresight.gear.armor import (
    ARMOR,
    EXOSKELETONS,
    PIECES,
    Hindrance,
    Power,
    armor_cost,
    armor_weight,
    covers_of,
    eased_hindrance,
    exoskeleton_armor,
    exoskeleton_armor_cost,
    exoskeleton_power,
    hindrance,
)
from rulewright.systems.foresight.gear.items import (
    AGES,
    AIDS,
    DEVICES,
    FAILURES,
    GENERATORS,
    HIDING,
    SIZES,
    STORAGE,
    TOOLS,
    VARIANTS,
    Hidden,
    battery,
    concealment,
    device_fails,
    failing_rolls,
    fails,
    modified,
    navigation_aid,
    pounds,
    price_of,
    reliability,
    running_time,
    technology_level,
    toolkit,
)
from rulewright.systems.foresight.gear.vehicles import (
    CONVERSIONS,
    MANEUVERS,
    SCALES,
    TERRAIN,
    TYPES,
    VEHICLE_MODS,
    VEHICLES,
    Going,
    converted,
    in_terrain,
    machine,
    price_at,
    pursuit_range,
    range_after_bids,
    terrain_value,
)
from rulewright.systems.foresight.people.characters import Worn
from rulewright.systems.foresight.people.traits import exoskeleton_score
from rulewright.systems.foresight.resolution.damage_classes import parse_protection

# --- armor ---------------------------------------------------------------------------------------------------------------------


def test_twenty_six_kinds_of_armor():  # 3893-3922
    rows = ARMOR(RULES)
    assert len(rows) == 26
    assert (rows["Heavy Plate"].melee, rows["Heavy Plate"].impact, rows["Heavy Plate"].beam, rows["Heavy Plate"].hinders) == (
        "5A",
        "5",
        "4A",
        -5,
    )
    assert str(parse_protection(rows["Duty Suit"].melee)) == "0A"
    assert (rows["Rigid Nanofiber (TL9)"].impact, rows["Rigid Nanofiber (TL9)"].beam) == ("8AA", "10A")
    assert sum(row.cost for row in rows.values()) == 4342


def test_sixteen_pieces_of_armor():  # 3932-3950
    assert len(PIECES(RULES)) == 16
    assert PIECES(RULES)["Vest"].covers == {"chest": 9, "abdomen": 9}
    gloves = covers_of(RULES, (Worn("Kevlar", "Gloves"),))
    assert [cover.tenths for cover in gloves] == [2, 2]
    gloved = covers_of(RULES, (Worn("Kevlar", "Shirt, arms"), Worn("Kevlar", "Gloves")))
    assert [cover.location for cover in gloved].count("left arm") == 1  # no second layer
    assert {cover.location: cover.tenths for cover in gloved if cover.tenths > 2}["left arm"] == 10  # 3941


def test_what_armor_weighs_and_costs():  # 3924, 3952
    assert armor_weight(RULES, "Heavy Plate", "Full Suit").value == 40
    assert armor_weight(RULES, "Silkweave", "Vest").value == 3
    assert armor_cost(RULES, "Silkweave", "Vest").value == 300


def test_armor_hinders_by_what_it_covers():  # 3883-3885, 3952
    assert hindrance(RULES, (Worn("Silkweave", "Vest"),)) == Hindrance()
    plate = (Worn("Heavy Plate", "Full Suit"), Worn("Heavy Plate", "Full Faced Helmet"))
    assert hindrance(RULES, plate) == Hindrance(-5, -5, -3)
    assert hindrance(RULES, plate, 14) == Hindrance(-1, -1, -3)
    assert eased_hindrance(RULES, -5, 14).value == -1
    assert hindrance(RULES, (Worn("Plate", "Boots"),)) == Hindrance()  # 3944
    assert [mod.value for mod in hindrance(RULES, plate).mods()] == [-5, -5, -3]


def test_exoskeletons():  # 3974-3985
    assert len(EXOSKELETONS(RULES)) == 8
    assert exoskeleton_armor(RULES).value == 60
    assert exoskeleton_score(RULES, 17, 12) == 12
    assert exoskeleton_armor_cost(RULES).value == 30 * 200


def test_an_exoskeleton_runs_out_of_power():  # 3972: 25 points, 0.2 kWh each
    assert exoskeleton_power(RULES) == Power(25, True, 0)
    assert exoskeleton_power(RULES, "Combat (TL6)", 10) == Power(15, True, 2)
    assert exoskeleton_power(RULES, "Combat (TL6)", 40) == Power(0, False, 5)  # never below zero


# --- things --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("year", "tl"), [(1878, 4.39), (1850, 4.25), (1873, 4.37), (1950, 5), (2000, 5.5), (2500, 10), (-50000, 0), (1300, 3)]
)
def test_technology_levels_are_interpolated(year, tl):  # 3540-3542: 4.4 or so, 4.25; 1873 is printed as 4.35
    assert technology_level(RULES, year) == tl
    assert len(AGES(RULES)) == 18


def test_sizes_and_pounds():  # 3502-3506
    assert list(SIZES(RULES)) == ["tiny", "small", "luggable", "hefty", "large"]
    assert pounds(RULES, 10) == pytest.approx(22)


FAILING = {"A": 0, "B": 1, "C": 1, "D": 2, "E": 4, "F": 10, "G": 20, "H": 30, "I": 50, "J": 100, "K": 0, "L": 0, "M": 0}  # 3570-3583


@pytest.mark.parametrize("letter", FAILING)
def test_how_often_things_fail(letter):
    assert len(failing_rolls(RULES, letter)) == FAILING[letter]
    assert list(FAILURES(RULES)) == list(FAILING)


def test_things_fail_on_their_rolls():  # 3585
    assert failing_rolls(RULES, "98-99") == (98, 99)
    assert script(fails(RULES, "D", 50)).outcome is True
    assert script(fails(RULES, "C", 50)).outcome is False
    assert [script(fails(RULES, letter, 99), [(d10,)]).outcome for letter, d10 in (("B", 10), ("B", 9), ("99*", 10))] == [True, False, True]
    assert script(device_fails(RULES, "Phone, Cellular (TL5.4)", 91)).outcome is True
    assert script(device_fails(RULES, "Speaker, Earpiece", 99)).outcome is False


@given(letter=sampled_from("ABCDEFGHIJKLM"), better=integers(-15, 15))
def test_reliability_shifts_by_letters(letter, better):  # 3589
    assert reliability(RULES, letter, better) == "ABCDEFGHIJKLM"[max(0, min(12, "ABCDEFGHIJKLM".index(letter) - better))]


def test_an_unknown_reliability_is_refused():
    with pytest.raises(UserError, match="reliability"):
        reliability(RULES, "Z")


def test_amys_watch():  # 3616: elegant, modern and flashy
    found = modified(RULES)
    assert (found.cost, found.kg, found.fail, found.tl) == (
        pytest.approx(4 * 0.6 * 1.5),
        pytest.approx(0.9 * 0.7 * 1.1),
        1,
        pytest.approx(0.35),
    )
    assert price_of(RULES, 100, ("Elegant", "Modern", "Flashy")).value == 360
    assert len(VARIANTS(RULES)) == 11
    assert modified(RULES, ("Cheap/Shoddy", "Crude")).pm == -2
    sight = modified(RULES, ("Modern", "Modern"))
    assert round(250 * sight.kg) == 122  # 3798: 122.5 g


def test_hiding_things():  # 3831-3871
    assert concealment(RULES, 1.5) == Hidden(1, 3, 0)
    assert concealment(RULES, 1.5, "Ankle", "Trench Coat") == Hidden(-3, -1, 3)
    assert concealment(RULES, 10) == Hidden(6, None, 0)
    assert concealment(RULES, 15, "Hip Holster") == Hidden(None, None, -2)
    assert concealment(RULES, 0.02).notice == -10
    weights = [(row.notice, row.frisk) for row in HIDING(RULES).values() if row.kind == "weight"]
    assert weights == [
        (-10, -6),
        (-8, -4),
        (-6, -2),
        (-4, 0),
        (-3, 1),
        (-2, 2),
        (-1, 2),
        (0, 3),
        (1, 3),
        (2, 4),
        (3, 5),
        (4, 6),
        (5, 8),
        (6, None),
        (None, None),
    ]


def test_tools():  # 4164-4178
    assert [(row.pm, row.cost) for row in TOOLS(RULES).values()] == [(-1, 100), (0, 2000), (1, 1e5), (2, 1e6), (3, 1e7), (4, 1e8)]
    assert toolkit(RULES, "Standard", 1).kg[0] == 10
    bicycle = toolkit(RULES, "Standard", 0, 0.1)
    assert (bicycle.kg[0], bicycle.cost) == (5, 200)


def test_a_field_radio_needs_four_kilograms_and_runs_four_hours():  # 4225 prints one hour
    found = battery(RULES, 25)
    assert (found.wh, found.kg, found.hours) == (100, 4, 4)
    assert battery(RULES, 25, hours=8).wh == 200
    assert len(STORAGE(RULES)) == 16
    with pytest.raises(UserError, match="watts"):
        battery(RULES, 0)


def test_generators_aids_and_devices():  # 4182-4255
    assert (len(GENERATORS(RULES)), len(AIDS(RULES)), len(DEVICES(RULES))) == (6, 16, 14)
    assert running_time(RULES) == 8760
    assert running_time(RULES, "Solar Panel, 50W", 50) is None
    assert running_time(RULES, watts=1000) == 8760
    with pytest.raises(UserError, match="50 watts"):
        running_time(RULES, "Solar Panel, 50W", 60)
    assert navigation_aid(RULES, "GPS Receiver (TL5.4)").value == 2
    assert navigation_aid(RULES, "Ephemeris").value == 0


# --- vehicles ------------------------------------------------------------------------------------------------------------------


def test_forty_eight_vehicles_and_three_more_ways_of_moving():  # 4078-4136
    rows = VEHICLES(RULES)
    assert len(rows) == 51
    assert len([row for row in rows.values() if row.mode_of]) == 3
    car = rows["Automobile"]
    assert (car.acc, car.man, car.safe, car.cruise, car.max, car.ds, car.types, car.cargo, car.passengers) == (
        0,
        0,
        -1,
        60,
        100,
        3,
        ("Wheeled",),
        200,
        4,
    )
    assert (rows["Amphibious ATV, submerged"].ceiling, rows["Amphibious ATV, submerged"].max) == (-75, 25)
    assert rows["Interstellar Carrier (TL7)"].price == 10_000_000_000
    assert all(set(row.types) <= set(TYPES(RULES)) for row in rows.values())
    assert sum(row.man for row in rows.values()) == 35


def test_vehicles_of_starred_price_get_cheaper():  # 4076
    assert [price_at(RULES, "Helicopter", tl).value for tl in (5, 5.4, 5.5, 6)] == [80000, 80000, 60000, 40000]
    assert price_at(RULES, "Automobile", 6).value == 10000
    for vehicle, tl in (("Helicopter", 4), ("Human (on foot)", 5)):
        with pytest.raises(UserError, match=r"price|built"):
            price_at(RULES, vehicle, tl)


def test_modifications_of_vehicles():  # 4142-4154
    assert len(VEHICLE_MODS(RULES)) == 11
    sporty = machine(RULES, "Automobile", ("Sporty",))
    assert (sporty.acc, sporty.man, sporty.safe, sporty.max, sporty.price, sporty.passengers) == (1, 1, -2, 125, 15000, 2)
    assert machine(RULES, "Automobile", ("Primitive/Improvised",)).price is None
    assert machine(RULES, "Human (on foot)").cruise is None


def test_terrain_is_a_stand_in():  # 3991: the table is lost
    assert {row.source for row in TERRAIN(RULES).values()} == {"stand-in"}
    assert len(TYPES(RULES)) == 20


def test_vehicles_in_terrain():  # 3993-4009
    assert terrain_value(RULES, "Wheeled", "rough").value == 3
    assert in_terrain(RULES, "Automobile", "rough") == Going(40, pytest.approx(66.6667, rel=1e-4), -3, -3, 0.5)
    assert in_terrain(RULES, "Automobile", "road").cruise == 60
    assert in_terrain(RULES, "Helicopter", "forest").cruise == 100  # aircraft keep their speed
    for type, terrain in (("Wheeled", "marsh"), ("Wheeled", "crags"), ("Ship", "road"), ("Spacecraft", "road")):
        with pytest.raises(UserError, match=r"cannot enter|at most"):
            terrain_value(RULES, type, terrain)
    assert terrain_value(RULES, "Spacecraft", "open space").value == 0


def test_vehicles_of_different_media():  # 3398-3403
    found = converted(RULES, -2, 3, 0)
    assert (found.skill, found.acc, found.man, found.safe) == ("Aircraft", 1, 0, -3)
    assert len(CONVERSIONS(RULES)) == 12
    with pytest.raises(UserError, match="same medium"):
        converted(RULES, medium="air", to="air")


def test_pursuit_ranges_and_bids():  # 3419-3446
    assert [row.meters for row in SCALES(RULES).values()][:2] == [(2, 10, 20, 50, 100, 200, 500), (4, 20, 50, 100, 500, 2000, 5000)]
    assert (pursuit_range(RULES, "car", 2), pursuit_range(RULES, "space", 6), pursuit_range(RULES, "car", 7)) == (50, 50_000_000_000, None)
    assert range_after_bids(RULES, 2, -1, 0) == 3  # 3446
    assert range_after_bids(RULES, 2, -3, 0) == 5
    assert range_after_bids(under(bid_difference="one step"), 2, -3, 0) == 3
    with pytest.raises(UserError, match="speed bid"):
        range_after_bids(RULES, 2, 3, 0)
    assert len(MANEUVERS(RULES)) == 6


@pytest.mark.parametrize("figures", ["-5", "9-8-7", "²", "99-98", "0", "98-101", "", "98-"])
def test_a_failure_range_that_is_none_says_so(figures):
    with pytest.raises(UserError):
        failing_rolls(RULES, figures)


def test_a_dysfunctional_thing_never_works():  # 3583
    assert [script(fails(RULES, "M", roll)).outcome for roll in (1, 50, 99)] == [True, True, True]
    assert script(fails(RULES, "K", 99)).outcome is False  # repaired before, it works


def test_holsters_and_clothing_are_told_apart():
    with pytest.raises(UserError, match="not a kind of holster: use one of Hip Holster"):
        concealment(RULES, 1, "Trench Coat")
    with pytest.raises(UserError, match="not a kind of clothing"):
        concealment(RULES, 1, "", "Ankle")
    with pytest.raises(UserError, match="0 kg or more"):
        concealment(RULES, -1)


def test_what_a_modified_vehicle_costs_later():  # 4076, 4142-4154
    plain = machine(RULES, "Helicopter")
    assert price_at(RULES, "Helicopter", plain.tl, ("Luxury",)).value == plain.price * 2
    assert price_at(RULES, "Helicopter", plain.tl + 1, ("Luxury",)).value == plain.price  # half of twice the price
    assert price_at(RULES, "Helicopter", plain.tl + 1, ("Fast",)).value == plain.price * 1.5  # Fast is built a quarter of a level later
    with pytest.raises(UserError, match="from TL"):
        price_at(RULES, "Helicopter", plain.tl, ("Fast",))
    with pytest.raises(UserError, match="no price"):
        price_at(RULES, "Helicopter", plain.tl + 1, ("Primitive/Improvised",))
