"""The price lists once more, cell by cell (book lines 3011-3188, 3563-3718), and the sums behind them."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.silhouette.machines.design.systems import (
    ammo_multiplier,
    flaw_divisor,
    perk_factor,
    ranges,
    system_cost,
    version_cost,
)
from rulewright.systems.silhouette.machines.design.threat import defense, device_worth, link_worth, miscellany, offense
from rulewright.systems.silhouette.machines.design.trait_costs import flaw_points, perk_points, price
from rulewright.systems.silhouette.machines.tables import ACCURACY, ARC_PRICES, MANEUVER, flaw_rows, perk_rows
from rulewright.systems.silhouette.machines.vehicle import Computer, Device, Fitted, Link, Mode, Movement
from rulewright.systems.silhouette.settings import BOOK
from silhouette.machines.designs import PLAIN, RULES


def cost(name, body=PLAIN, flaw=False, **fields):
    return price(RULES, Fitted(name, **fields), body, flaw=flaw).value


@pytest.mark.parametrize(
    ("name", "fields", "points"),
    [
        ("acceleration protection", {}, 1),
        ("airlift winch", {"rating": 3}, 3),
        ("autopilot", {}, 5),
        ("catapult", {"rating": 4}, 4),
        ("large doors", {}, 1),
        ("life support", {"variant": "limited"}, 2),
        ("life support", {"variant": "full"}, 5),
        ("loudspeakers", {}, 1),
        ("mining equipment", {"variant": "light"}, 5),
        ("mining equipment", {"variant": "heavy"}, 20),
        ("pintle mount", {}, 5),
        ("power booster", {"rating": 3}, 9),
        ("ram plate", {}, 4),
        ("refueling equipment", {"variant": "boom"}, 2),
        ("searchlight", {"variant": "fixed", "amount": 50}, 1),
        ("searchlight", {"variant": "swivel", "amount": 50}, 2),
        ("gun ports", {}, 1),
        ("battle arm", {"rating": 10}, 2),
        ("manipulator arm", {"rating": 6}, 3),
        ("tool arm", {"rating": 10}, 3),
        ("manipulator arm", {"rating": 6, "count": 2}, 6),
        ("ablative armor", {"rating": 5, "on": "front"}, 2.5),
        ("all-around armor", {}, 10),
        ("heat resistant", {"rating": 4}, 4),
        ("reinforced location", {"rating": 3, "on": "crew"}, 2),
        ("reinforced armor", {"rating": 5, "on": "front"}, 5),
        ("satellite uplink", {}, 10),
        ("accommodations", {"variant": "military", "amount": 27}, 3),
        ("accommodations", {"variant": "luxury", "amount": 27}, 6),
        ("airdroppable", {}, 4),
        ("airlift ready", {}, 1),
        ("bio-energy powerplant", {"rating": 3}, 17),
        ("cargo bay", {"variant": "enclosed", "amount": 64}, 4),
        ("cargo bay", {"variant": "open", "amount": 1000}, 1),
        ("diving wings", {}, 2),
        ("easy to modify", {"on": "crew"}, 2),
        ("fire resistant", {}, 10),
        ("fuel efficient", {"variant": "half more"}, 2),
        ("fuel efficient", {"variant": "double"}, 5),
        ("fuel efficient", {"variant": "triple"}, 10),
        ("glider", {}, 2),
        ("haywire resistant", {}, 10),
        ("high towing capacity", {"variant": "double"}, 5),
        ("high towing capacity", {"variant": "triple"}, 15),
        ("laboratory", {"rating": 2, "on": "medicine"}, 15),
        ("laboratory", {"rating": 0, "on": "medicine"}, 5),
        ("lighter-than-air", {"variant": "standard"}, 2),
        ("lighter-than-air", {"variant": "self-sealing"}, 5),
        ("low profile", {}, 2),
        ("nap-of-earth flyer", {}, 5),
        ("no fuel required", {"variant": "permanent"}, 10),
        ("no fuel required", {"variant": "can be cut off"}, 5),
        ("off-road ability", {"on": "ground"}, 10),
        ("reentry systems", {"variant": "single use"}, 2),
        ("reentry systems", {"variant": "permanent"}, 10),
        ("sick bay", {"amount": 4}, 8),
        ("stratospheric flight", {}, 5),
        ("hostile environment: desert", {}, 1),
        ("hostile environment: extreme heat", {}, 5),
        ("hostile environment: extreme cold", {}, 1),
        ("hostile environment: pressure", {}, 2),
        ("hostile environment: high pressure", {}, 5),
        ("hostile environment: extreme pressure", {}, 10),
        ("hostile environment: high gravity", {}, 1),
        ("hostile environment: vacuum", {}, 1),
        ("hostile environment: radiation", {"rating": 3}, 3),
        ("hostile environment: all", {}, 11),
        ("decoy system", {"rating": 3, "variant": "visual"}, 3),
        ("decoy system", {"rating": 3, "variant": "sensor"}, 3),
        ("decoy system", {"rating": 3, "variant": "visual and sensor"}, 9),
        ("ecm", {"rating": 2, "amount": 5}, 7),
        ("eccm", {"rating": 2, "amount": 5}, 7),
        ("holofield", {"rating": 2}, 4),
        ("stealth", {"rating": 2}, 6),
        *[(f"reinforced {part}", {}, 5) for part in ("ammo/fuel", "backups", "chassis", "crew", "movement")],
        ("counter-battery", {"rating": 2}, 6),
        ("teleport self", {"rating": 3}, 18),
        ("teleport others", {"rating": 3}, 45),
        ("thought interface", {"amount": 1}, 14),
        ("thought interface", {"amount": 4}, 26),
        ("dimensional mass", {"rating": 3}, 9),
        ("dimensional storage", {"rating": 3}, 3),
        ("airborne comm", {}, 0),
        ("spaceborne sensors", {}, 0),
    ],
)
def test_a_perk_costs_what_its_list_says(name, fields, points):
    assert cost(name, **fields) == points


@pytest.mark.parametrize(("rating", "factor"), list(zip(range(5, -6, -1), (10, 7, 5, 3, 2, 1, 0.7, 0.5, 0.3, 0.2, 0.1), strict=True)))
def test_communications_cost_a_tenth_of_their_range_and_sensors_half_of_it_by_their_quality(rating, factor):
    assert cost("communications", rating=rating, amount=20) == pytest.approx(2 * factor)
    assert cost("sensors", rating=rating, amount=4, variant="standard") == pytest.approx(2 * factor)


@pytest.mark.parametrize(
    ("name", "fields", "points"),
    [
        ("cannot glide", {}, -5),
        ("decreased maneuver", {"rating": 2, "on": "air"}, -4),
        ("external power", {"variant": "wire"}, -2),
        ("maximum ceiling", {"rating": 3}, -4.5),
        ("maximum climbing angle", {"rating": 2}, -6),
        ("muscle-powered", {}, -5),
        ("no engine", {}, -2),
        ("poor off-road ability", {}, -1),
        ("poor towing capacity", {}, -1),
        ("requires airstrip", {}, -5),
        ("unstable", {}, -2),
        ("difficult to modify", {"variant": "one part"}, -1),
        ("difficult to modify", {"variant": "whole vehicle"}, -5),
        ("problem-prone", {"rating": 3}, -3),
        ("fuel inefficient", {"rating": 2}, -2),
        ("heat vulnerable", {"rating": 4}, -4),
        ("highly flammable", {}, -5),
        ("inefficient controls", {}, -10),
        ("large sensor profile", {"rating": 2}, -4),
        ("overheating", {"variant": "normal"}, -5),
        ("overheating", {"variant": "extreme"}, -10),
        ("random shutdown", {"rating": 3}, -1.5),
        ("sensor dependent", {}, -5),
        ("trackable emissions", {"rating": 2}, -6),
        ("vulnerable to haywire", {}, -5),
        ("exposed auxiliaries", {}, -5),
        ("exposed systems", {}, -5),
        ("exposed movement", {}, -5),
        ("fragile chassis", {}, -5),
        ("hazardous ammo/fuel", {}, -5),
        ("weak facing", {"on": "rear"}, -2.5),
        ("weak point", {"rating": 3, "on": "sensors"}, -1),
        ("weak underbelly", {}, -2),
        ("brittle", {}, -10),
    ],
)
def test_a_flaw_gives_what_its_list_says(name, fields, points):
    assert cost(name, flaw=True, **fields) == points


def test_four_exposed_of_seven_crew_are_worth_three_points():
    """Line 9406."""
    assert cost("exposed crew", replace(PLAIN, crew=7), flaw=True, amount=4) == -3


def test_what_covers_the_crew_costs_by_its_actions():
    crew = replace(PLAIN, crew=4, passengers=10)  # four actions
    assert cost("emergency medical", crew) == 4
    assert cost("emergency medical", crew, amount=3) == 7
    assert cost("escape system", crew, variant="ejection seats") == 4
    assert cost("escape system", crew, variant="escape pods") == 8
    assert cost("escape system", crew, variant="passenger seats", amount=8) == 5
    assert cost("escape system", crew, variant="passenger pods", amount=8) == 10


def test_pressure_is_free_under_water():
    assert cost("hostile environment: pressure", replace(PLAIN, movement=(Movement("submarine", 4),))) == 0


def test_every_row_of_both_lists_is_priced_above():
    """Nothing stands in the lists that no test has a second entry for."""
    import inspect
    import sys

    source = inspect.getsource(sys.modules[__name__])
    parts = {f"reinforced {part}" for part in ("ammo/fuel", "backups", "chassis", "crew", "movement")}
    options = {"one way", "defective sensors", "invasive interface", "mind link", "unshielded interface", "sentient interface"}
    free = {"airborne sensors", "spaceborne comm", "aquatic sensors"}
    lacking = [name for name in (*perk_rows(RULES), *flaw_rows(RULES)) if f'"{name}"' not in source and name not in parts | options | free]
    assert lacking == []


def test_options_lower_the_price_of_their_set_and_never_below_nothing():
    radio = Fitted("communications", 0, amount=100)
    deaf = Fitted("one way", variant="emitter")
    assert perk_points(RULES, replace(PLAIN, perks=(radio, deaf))).value == 8
    assert perk_points(RULES, replace(PLAIN, perks=(Fitted("communications", 0, amount=10), deaf))).value == 0
    eyes = Fitted("sensors", 2, variant="standard", amount=4)
    assert perk_points(RULES, replace(PLAIN, perks=(eyes, Fitted("defective sensors", 2)))).value == 4


def test_an_interface_is_cheaper_by_its_thresholds_and_by_half_where_it_is_unshielded():
    link = Fitted("thought interface", amount=1)
    assert perk_points(RULES, replace(PLAIN, perks=(link, Fitted("invasive interface", 4)))).value == 10
    assert perk_points(RULES, replace(PLAIN, perks=(link, Fitted("unshielded interface")))).value == 7
    odd = Fitted("thought interface", amount=2)  # 10 + 9
    assert perk_points(RULES, replace(PLAIN, crew=2, perks=(odd, Fitted("unshielded interface")))).value == 10


def test_flaws_are_added_up_with_their_signs():
    flaws = (Fitted("unstable"), Fitted("weak facing", on="rear"))
    assert flaw_points(RULES, replace(PLAIN, flaws=flaws)).value == -4.5


# --- systems ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accuracy", "factor"), [(5, 180), (4, 36), (3, 9), (2, 3), (1, 1.5), (0, 1), (-1, 0.7), (-2, 0.5), (-3, 0.4), (-4, 0.3), (-5, 0.2)]
)
def test_accuracy_multiplies_a_systems_cost(accuracy, factor):
    assert ACCURACY(RULES)[str(accuracy)].multiplier == factor
    assert version_cost(RULES, Device("gun", damage=10, accuracy=accuracy, uses=50)).value == pytest.approx(100 * factor)


@pytest.mark.parametrize(
    ("uses", "factor"),
    [
        (1, 0.1),
        (2, 0.2),
        (4, 0.3),
        (6, 0.5),
        (9, 0.5),
        (16, 0.7),
        (24, 0.9),
        (25, 0.9),
        (50, 1),
        (60, 2),
        (150, 2),
        (300, 3),
        (600, 3),
        (2400, 4),
        (2401, 5),
        (0, 5),
    ],
)
def test_ammunition_goes_by_the_next_row_that_holds_it(uses, factor):
    assert ammo_multiplier(RULES, uses).value == factor


def test_without_limit_is_cheaper_in_melee():
    assert ammo_multiplier(RULES, 0, melee=True).value == 2


@pytest.mark.parametrize(
    ("perks", "count"),
    [
        ((), 1),
        (("guided",), 2),
        (("adhesive",), 1.5),
        (("area effect 0",), 1.5),
        (("area effect 3",), 4),
        (("wide angle 10",), 1.5),
        (("wide angle 60",), 2),
        (("wide angle 180",), 5),
        (("wide angle 360",), 10),
        (("smart 2",), 4),
        (("seeking 2",), 3),
        (("concealed",), 1.5),
        (("concealed pop-up",), 2),
        (("gravitic single",), 2),
        (("gravitic double",), 3),
        (("disintegrator",), 6),
        (("mass destruction",), 12),
        (("energy shield energy",), 2),
        (("energy shield all",), 3),
        (("energy shield open",), 4),
        (("shield",), 2),
        (("haywire", "persistent"), 4),
        (("redundant", "redundant"), 2),
        (("stealth", "stealth"), 1.5),
        (("attack/target land/air", "attack/target land/space"), 2),
        (("hot smoke",), 2),
    ],
)
def test_a_systems_perks_multiply_by_their_number(perks, count):
    assert perk_factor(RULES, Device("it", perks=perks)).value == count


@pytest.mark.parametrize(
    ("flaws", "count"),
    [
        ((), 1),
        (("heat",), 1.5),
        (("heat", "heavy"), 2),
        (("clumsy used",), 1.5),
        (("clumsy carried",), 2),
        (("flicker 3",), 1.5),
        (("flicker 5+",), 2),
        (("minimum range 1",), 1.5),
        (("minimum range 2",), 2),
        (("power-hungry 6",), 7),
        (("random 3 damage",), 3),
        (("unreliable 2",), 2),
        (("attenuating damage 2",), 1),
        (("recoil", "time delay", "defensive", "non-lethal"), 4),
    ],
)
def test_a_systems_flaws_divide_by_their_number(flaws, count):
    assert flaw_divisor(RULES, Device("it", flaws=flaws)).value == count


def test_attenuating_damage_is_taken_from_the_damage_before_anything_is_counted():
    """Line 9580: ×12 that loses 2 counts as ×10."""
    assert version_cost(RULES, Device("gun", damage=12, uses=50, flaws=("attenuating damage 2",))).value == 100


@pytest.mark.parametrize(("many", "factor"), [(0, 1), (1, 1.5), (2, 2), (3, 3)])
def test_a_system_costs_as_many_times_more_by_its_perks_and_less_by_its_flaws(many, factor):
    """Lines 3659-3690: both count 1.5 for one, and their number from two on."""
    perks, flaws = ("minebuster", "remote", "scatter")[:many], ("defensive", "heat", "heavy")[:many]
    assert version_cost(RULES, Device("gun", damage=12, uses=50, perks=perks)).value == pytest.approx(144 * factor)
    assert version_cost(RULES, Device("gun", damage=12, uses=50, flaws=flaws)).value == pytest.approx(144 / factor)


def test_no_square_is_of_less_than_one_and_a_slow_rate_costs_nothing():
    assert version_cost(RULES, Device("lamp", damage=0, uses=50)).value == 1
    assert version_cost(RULES, Device("gun", damage=10, rate=-3, uses=50)).value == 100


def test_the_dearest_mode_counts_in_full_and_others_a_tenth_rounded_down():
    shells = Mode("shells", damage=9, uses=50)  # 81
    both = Device("gun", damage=10, uses=50, modes=(shells,))
    assert system_cost(RULES, both).value == 108
    dearer = Device("gun", damage=9, uses=50, modes=(Mode("shells", damage=10, uses=50),))
    assert system_cost(RULES, dearer).value == 108


def test_ranges_double_or_are_the_designers():
    assert ranges(Device("gun", range=3)) == (3, 6, 12, 24)
    assert ranges(Device("bomb", ranges=(0, 1, 2, 3))) == (0, 1, 2, 3)
    assert ranges(Device("blade", melee=True)) == ()


@pytest.mark.parametrize(("arc", "factor"), [("forward", 1), ("rear", 1), ("fixed forward", 0.6), ("turret", 1.8), ("slow turret", 1.5)])
def test_an_arc_multiplies(arc, factor):
    assert ARC_PRICES(RULES)[arc].multiplier == factor
    assert device_worth(RULES, Device("gun", damage=10, uses=50, arc=arc)).value == pytest.approx(100 * factor)


def test_a_split_system_costs_each_carrier_its_share():
    assert device_worth(RULES, Device("beam", damage=10, uses=50, share=0.25)).value == 25


def test_a_link_is_a_tenth_more_and_missiles_of_one_type_are_linked_free():
    guns = replace(PLAIN, systems=(Device("gun", damage=10, uses=50, quantity=2),))
    assert link_worth(RULES, guns, Link("both", ("gun",))).value == 20
    tubes = replace(PLAIN, systems=(Device("dart", type="missile", damage=10, uses=1, quantity=4),))
    assert link_worth(RULES, tubes, Link("all", ("dart",))).value == 0


def test_a_campaign_may_price_links_without_arcs_and_sights_for_everything():
    turrets = replace(PLAIN, systems=(Device("gun", damage=10, uses=50, arc="turret", sniper=True), Device("gun 2", damage=10, uses=50)))
    assert link_worth(RULES, turrets, Link("both", ("gun", "gun 2"))).value == 28
    bare = BOOK.ruleset(settings={"link-price": "without arcs"})
    assert link_worth(bare, turrets, Link("both", ("gun", "gun 2"))).value == 20
    assert offense(RULES, turrets).value == 298
    assert offense(BOOK.ruleset(settings={"sniper-price": "all systems"}), turrets).value == 308


def test_a_pintle_weapon_adds_its_bare_figures():
    assert device_worth(RULES, Device("gun", damage=3, range=2, rate=2, uses=150, mount="pintle", arc="turret")).value == 7


def test_a_punch_is_half_its_damage_squared_for_every_arm():
    arms = replace(PLAIN, perks=(Fitted("battle arm", 8, count=2, punch=6),))
    assert offense(RULES, arms).value == 18


@pytest.mark.parametrize(
    ("maneuver", "factor"),
    [
        (3, 9),
        (2, 3),
        (1, 1.5),
        (0, 1),
        (-1, 0.67),
        (-2, 0.5),
        (-3, 0.4),
        (-4, 0.33),
        (-5, 0.28),
        (-6, 0.25),
        (-7, 0.22),
        (-8, 0.2),
        (-9, 0.18),
        (-10, 0.16),
        (-15, 0.16),
    ],
)
def test_maneuver_multiplies_the_defense(maneuver, factor):
    assert MANEUVER(RULES)[str(max(-10, maneuver))].multiplier == factor
    assert defense(RULES, replace(PLAIN, maneuver=maneuver)).value == pytest.approx(200 * factor)


def test_a_flyer_pays_for_what_it_flies_above_its_stall_speed_and_nothing_for_free_wheels():
    plane = replace(PLAIN, movement=(Movement("air", 14, stall=4), Movement("ground", 10, unpowered=True)))
    assert defense(RULES, plane).value == 200


@pytest.mark.parametrize("perks", [{"flaws": (Fitted("muscle-powered"),)}, {"perks": (Fitted("bio-energy powerplant", 1),)}])
def test_muscles_and_life_force_pay_for_no_speed_and_no_range(perks):
    assert defense(RULES, replace(PLAIN, **perks)).value == 100
    assert miscellany(RULES, replace(PLAIN, **perks)).value == miscellany(RULES, replace(PLAIN, deployment=0, **perks)).value


def test_the_rest_is_actions_cubed_range_burn_points_perks_and_flaws():
    ship = replace(
        PLAIN,
        crew=4,
        computers=(Computer("dumb", 4),),  # together eight: five actions
        burn_points=250,
        perks=(Fitted("autopilot"),),
        flaws=(Fitted("unstable"),),
    )
    assert miscellany(RULES, ship).value == 252  # 125 + 100 + 6.25 + 25 - 4 = 252.25
    assert miscellany(RULES, replace(PLAIN, deployment=0, flaws=(Fitted("inefficient controls"),))).value == 0


def test_house_rules_reach_every_price():
    ours = BOOK.ruleset(house=House(tables={"sil-4.1.8-perk-costs-accessories": {"autopilot": {"price": {"base": 7}}}}))
    assert price(ours, Fitted("autopilot"), PLAIN).value == 7


def test_an_unknown_perk_is_refused_with_the_nearest():
    with pytest.raises(UserError, match="autopilot"):
        price(RULES, Fitted("autopilto"), PLAIN)
    with pytest.raises(UserError, match="is a Flaw"):
        price(RULES, Fitted("unstable"), PLAIN)


def test_what_comes_with_the_movement_is_free_and_says_so():  # pressure hulls of submarines
    diver = replace(PLAIN, movement=(Movement("submarine", 5),))
    free = price(RULES, Fitted("hostile environment: pressure"), diver)
    assert (free.value, [each.value for each in free.reason.terms]) == (0, [0])
    assert price(RULES, Fitted("hostile environment: pressure"), PLAIN).value == 2
