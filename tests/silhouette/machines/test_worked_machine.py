"""The book's machine, number for number (lines 4117-4207), and where its own sums do not follow from its rules."""

import pytest
from msgspec.structs import replace

from rulewright.play import ScriptedFaces, play
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.machines.audit.audit import audit
from rulewright.systems.silhouette.machines.design.costs import reckoned
from rulewright.systems.silhouette.machines.design.sizes import size_for
from rulewright.systems.silhouette.machines.design.speeds import combat_speed, kilometres_an_hour
from rulewright.systems.silhouette.machines.design.systems import system_cost, version_cost
from rulewright.systems.silhouette.machines.design.threat import device_worth, threat
from rulewright.systems.silhouette.machines.design.trait_costs import perk_points, price
from rulewright.systems.silhouette.machines.lemons import individual_dice, lemon_roll, model_dice
from rulewright.systems.silhouette.machines.special import usual_armor
from rulewright.systems.silhouette.machines.vehicle import Movement
from silhouette.machines.designs import HUNTER, RULES


def test_a_mass_of_6500_kilograms_is_size_6():
    assert size_for(RULES, 6500).value == 6


def test_a_moderately_armored_machine_of_size_6_has_armor_15():
    assert usual_armor(6, "moderate").value == HUNTER.armor


def test_seven_movement_points_are_42_and_twelve_72_kilometres_an_hour():
    assert kilometres_an_hour(RULES, 7, "walker").value == 42
    assert kilometres_an_hour(RULES, 12, "ground").value == 72
    assert (combat_speed(7).value, combat_speed(12).value) == (4, 6)


@pytest.mark.parametrize(
    ("place", "printed"), [(0, 348), (1, 289), (2, 32), (3, 14), (4, 48)], ids=["rifle", "rockets", "grenade", "launcher", "blade"]
)
def test_every_system_costs_what_the_book_prints(place, printed):
    assert system_cost(RULES, HUNTER.systems[place]).value == printed


def test_the_grenade_as_it_stands_in_its_line_has_one_perk_too_few():
    """Line 4175 names one Perk; by the rules that is 24 and not the printed 32."""
    assert version_cost(RULES, replace(HUNTER.systems[2], perks=())).value == 24


def test_three_grenades_cost_96_and_the_launcher_six_tenths_of_14():
    assert device_worth(RULES, HUNTER.systems[2]).value == 96
    assert device_worth(RULES, HUNTER.systems[3]).value == 8.4


def test_its_perks_come_to_nineteen():
    assert [price(RULES, perk, HUNTER).value for perk in HUNTER.perks] == [6, 1, 1, 1, 2, 2, 2, 2, 2]
    assert perk_points(RULES, HUNTER).value == 19


def test_its_threat_values_are_those_of_the_book():
    found = threat(RULES, HUNTER)
    assert (found.offense.value, found.defense.value, found.miscellany.value, found.value.value) == (807, 470, 469, 582)


def test_with_the_speed_of_its_text_the_defense_is_418_and_not_470():
    """Line 4145 gives it 12 Movement Points on wheels, line 4195 reckons with 14."""
    slower = replace(HUNTER, movement=(Movement("walker", 7), Movement("ground", 12)))
    assert threat(RULES, slower).defense.value == 418
    assert threat(RULES, slower).value.value == 565


def test_its_size_and_costs_are_those_of_the_book():
    found = reckoned(RULES, HUNTER)
    assert (found.default_size.value, found.default_cost.value) == (8, 582_000)
    assert (found.pre_production.value, found.final_cost.value) == (776_000, 388_000)
    assert found.threat_value.value == 582


def test_its_model_rolls_two_dice_and_one_for_every_five_perks_and_each_machine_three():
    """The book rolls two (line 4205) although the machine has ten Perks: each arm and each part that is easy to modify is one."""
    assert model_dice(RULES, HUNTER).value == 4
    assert individual_dice(RULES, HUNTER).value == 3


def test_a_lemon_roll_of_four_is_no_defect():
    came = play(lemon_roll(RULES, HUNTER), dice=ScriptedFaces([(4, 2, 1, 3)])).outcome
    assert (came.total, came.defects) == (4, ())


def test_it_is_legal_and_every_sum_of_it_holds():
    assert audit(RULES, HUNTER).legal
    found = reckoned(RULES, HUNTER)
    assert all(holds(each.reason) for each in (found.threat_value, found.final_cost, found.default_size, found.mass))
