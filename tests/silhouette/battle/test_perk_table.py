"""Every Perk and Flaw of machines and of systems: where it counts, what it changes there, and the test that shows it.

`battle`: in the scene itself; `repairs`: in the workshop; `design`: in the machine as it enters any scene; `by rule`: between battles, with
the rule that a gamemaster calls.
"""

import re
from pathlib import Path

import pytest

from rulewright.systems.silhouette.machines.design.trait_effects import (
    FLAW_EFFECTS,
    PERK_EFFECTS,
    SYSTEM_FLAW_EFFECTS,
    SYSTEM_PERK_EFFECTS,
    bio_energy_range,
    bio_energy_speed,
    catapult_points,
    crush_depth,
    effect_of,
    fuel_used,
    muscle_crew,
    muscle_power,
    rads,
    reach,
    refueling_rounds,
    stored_elsewhere,
    stowed_volume,
)
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Fitted
from silhouette.battles import COMMS, RULES, vehicle

NIGHT = "test_a_searchlight_is_switched_at_the_beginning_of_a_round_and_shows_its_bearer"
EXPOSED = "test_what_is_exposed_is_a_stage_worse"
FUEL = "test_the_last_row_of_fire_control_kills_everybody_and_exposed_systems_and_fuel_come_nearer_to_it"
SOAKED = "test_a_reinforced_part_soaks_up_the_first_hit_of_its_kind_and_no_more"
SIDES = "test_armor_differs_by_arc_location_and_heat"
BETWEEN = "test_what_counts_between_battles_is_called_by_its_rule"
REACH = "test_ranges_of_sensors_grow_with_the_way_of_moving_and_the_technical_level"
FREE = "test_what_only_tells_a_story_has_no_figures"
DEPTH = "test_divers_and_hulls_have_their_safe_depth"
ASTRAY = "test_homing_weapons_want_signals_and_guided_ones_a_mark"
HIDDEN = "test_stealth_fools_sensors_and_a_holofield_eyes"

MACHINES = {
    "acceleration protection": ("battle", "Fitness tests of tight turns are easier", "test_a_tight_turn_is_borne_better_with_protection"),
    "airlift winch": (
        "battle",
        "lifts and lets down what it can carry",
        "test_a_winch_lifts_and_lets_down_what_it_can_carry_while_hovering_still",
    ),
    "autopilot": ("battle", "keeps driving when the crew is incapacitated", "test_an_autopilot_goes_straight_on_without_its_crew"),
    "catapult": ("by rule", "speed and Movement Points of a launch", BETWEEN),
    "emergency medical": (
        "battle",
        "one stunned crew undone, nobody knocked out by wounds",
        "test_emergency_medicine_undoes_one_stunned_crew_and_keeps_people_awake",
    ),
    "escape system": (
        "battle",
        "those aboard a wreck live",
        "test_those_aboard_an_overkilled_machine_escape_on_a_six_or_with_a_system_on_anything_but_a_one",
    ),
    "gun ports": ("by rule", "small arms of those inside, -1, straight out: the gamemaster places the shooters", FREE),
    "large doors": ("by rule", "how fast people get in and out", FREE),
    "life support": (
        "battle",
        "where it fails in a hostile place the crew is out",
        "test_life_support_that_fails_in_a_vacuum_takes_everybody_out",
    ),
    "loudspeakers": ("by rule", "audible far outside", FREE),
    "mining equipment": ("battle", "strikes in close combat", "test_mining_equipment_strikes_in_close_combat"),
    "pintle mount": ("by rule", "an infantry weapon outside the Armor: written as a system with an exposed crew", FREE),
    "power booster": ("battle", "points for one round's bonus", "test_a_power_booster_is_declared_and_burns_out"),
    "ram plate": ("battle", "half the damage of a ram", "test_a_ram_plate_halves_what_the_rammer_takes"),
    "refueling equipment": ("by rule", "rounds to refuel while moving", BETWEEN),
    "searchlight": ("battle", "daylight in its arc, and on its owner", NIGHT),
    "battle arm": ("battle", "holds and strikes", "test_nothing_is_fired_that_is_broken_empty_out_of_reach_or_held_by_no_arm"),
    "manipulator arm": ("battle", "holds, strikes, throws, frees from snares", "test_a_snare_holds_until_piloting_beats_it"),
    "tool arm": ("battle", "holds and strikes", "test_nothing_is_fired_that_is_broken_empty_out_of_reach_or_held_by_no_arm"),
    "ablative armor": ("battle", "more Armor that wears off", "test_armor_differs_by_side_and_ablative_plates_wear_off"),
    "all-around armor": ("battle", "less penalty from behind", "test_all_around_armor_takes_one_off_the_side"),
    "heat resistant": ("battle", "more Armor against HEAT", SIDES),
    "reinforced location": ("battle", "more Armor at a location", SIDES),
    "reinforced armor": ("battle", "more Armor in an arc", SIDES),
    "brittle": ("battle", "twice the Armor lost", "test_brittle_armor_is_lost_twice_as_fast"),
    "communications": (
        "battle",
        "Command Points and observers",
        "test_a_set_that_only_emits_hears_no_orders_and_one_that_only_receives_gives_no_coordinates",
    ),
    "airborne comm": ("design", "ten times the range in the air", REACH),
    "spaceborne comm": ("design", "a hundred times the range in space", REACH),
    "satellite uplink": ("battle", "remote detonation without a line of sight; a thousand times the range", BETWEEN),
    "one way": (
        "battle",
        "no Command Points, or no observing",
        "test_a_set_that_only_emits_hears_no_orders_and_one_that_only_receives_gives_no_coordinates",
    ),
    "accommodations": ("by rule", "quarters", FREE),
    "airdroppable": ("battle", "dropped by parachute", "test_a_machine_is_dropped_by_parachute_and_ready_after_its_size_in_rounds"),
    "airlift ready": ("by rule", "prepared in half the time", FREE),
    "bio-energy powerplant": ("by rule", "speed and range by the pilot's mind", BETWEEN),
    "cargo bay": ("by rule", "its capacity", BETWEEN),
    "diving wings": ("battle", "+1 to pull out of dives and stalls", "test_diving_wings_help_to_pull_out"),
    "easy to modify": ("repairs", "+2", "test_a_machine_that_is_easy_to_modify_is_easy_to_repair"),
    "fire resistant": ("battle", "half the Intensity", "test_an_incendiary_hit_sets_a_machine_on_fire_and_the_fire_harms_it"),
    "fuel efficient": ("by rule", "goes farther", BETWEEN),
    "glider": ("battle", "climbs on thermals", "test_a_glider_climbs_on_warm_air_by_its_margin"),
    "haywire resistant": ("battle", "a weaker second roll", "test_haywire_runs_through_the_circuits_once_more_and_some_resist_it"),
    "high towing capacity": ("battle", "tows more, kicks harder", "test_a_kick_is_the_size_and_more_with_towing_capacity"),
    "laboratory": ("by rule", "its rating on tests of a skill made there", FREE),
    "lighter-than-air": ("battle", "never falls", "test_what_is_lighter_than_air_does_not_fall"),
    "low profile": ("battle", "easier to hide in cover", "test_a_low_profile_helps_in_cover_of_two_and_paint_does_the_opposite"),
    "nap-of-earth flyer": ("battle", "less loss of control near the ground", "test_a_flyer_made_for_the_ground_keeps_control_there"),
    "no fuel required": ("battle", "no tanks to hit, no Burn Points used", "test_who_needs_no_fuel_has_no_tanks_to_hit"),
    "off-road ability": (
        "battle",
        "a point less",
        "test_off_road_ability_and_the_lack_of_it_count_on_ground_that_costs_more_but_not_on_slopes",
    ),
    "reentry systems": ("battle", "safe re-entry", "test_reentry_without_systems_burns_every_round_and_with_them_every_fifth_at_most"),
    "sick bay": ("by rule", "constant medical care", FREE),
    "stratospheric flight": ("battle", "flies up to 50 km", "test_ceilings_and_fuel"),
    "hostile environment: desert": ("by rule", "no special maintenance", FREE),
    "hostile environment: extreme heat": ("battle", "vents do not scald it", "test_a_vent_scalds_whoever_is_not_protected_from_heat"),
    "hostile environment: extreme cold": ("by rule", "no special maintenance", FREE),
    "hostile environment: pressure": ("battle", "its safe depth", DEPTH),
    "hostile environment: high pressure": ("battle", "its safe depth", DEPTH),
    "hostile environment: extreme pressure": ("battle", "its safe depth", DEPTH),
    "hostile environment: high gravity": ("by rule", "withstands three g", FREE),
    "hostile environment: vacuum": ("battle", "works without air", "test_without_air_only_what_is_protected_goes_over_such_ground"),
    "hostile environment: radiation": ("by rule", "rads kept out", BETWEEN),
    "hostile environment: all": ("battle", "works without air", "test_without_air_only_what_is_protected_goes_over_such_ground"),
    "decoy system": ("battle", "hits go to decoys", "test_decoys_are_struck_in_place_of_the_target"),
    "ecm": ("battle", "jams and spoofs", "test_ecm_that_spoofs_is_a_second_defense_against_missiles"),
    "eccm": ("battle", "counters jamming, identifies decoys", "test_ecm_has_three_effects_and_eccm_two"),
    "holofield": ("battle", "hides from eyes", HIDDEN),
    "stealth": ("battle", "hides from sensors", HIDDEN),
    "reinforced ammo/fuel": ("battle", "absorbs a hit", SOAKED),
    "reinforced backups": ("battle", "absorbs a hit", SOAKED),
    "reinforced chassis": ("battle", "absorbs a hit", SOAKED),
    "reinforced crew": ("battle", "absorbs a hit", SOAKED),
    "reinforced movement": ("battle", "absorbs a hit", SOAKED),
    "sensors": ("battle", "Detection and sweeps", "test_detection_is_the_better_of_eyes_and_sensors"),
    "airborne sensors": ("design", "ten times the range", REACH),
    "spaceborne sensors": ("design", "a hundred times the range", REACH),
    "aquatic sensors": (
        "battle",
        "hears in water, sees nothing outside",
        "test_aquatic_sensors_are_worth_two_at_least_and_find_nothing_out_of_the_water",
    ),
    "counter-battery": ("battle", "finds guns by their fire", "test_counter_battery_sensors_find_a_gun_by_its_fire"),
    "defective sensors": ("battle", "a die before each use", "test_defective_sensors_are_tried_with_a_die_first"),
    "teleport self": ("battle", "teleports itself", "test_a_teleporter_puts_a_machine_behind_its_enemy_for_two_actions"),
    "teleport others": ("battle", "teleports others", "test_a_teleporter_moves_others_of_no_more_than_its_size"),
    "thought interface": ("battle", "more actions", "test_a_mind_link_is_held_every_round_or_gives_no_actions"),
    "invasive interface": ("battle", "Psyche, or catatonia", "test_an_invasive_interface_overwhelms_a_weak_mind"),
    "mind link": ("battle", "Willpower every round", "test_a_mind_link_is_held_every_round_or_gives_no_actions"),
    "unshielded interface": ("battle", "damage feedback", "test_damage_surges_back_through_an_unshielded_interface"),
    "sentient interface": ("battle", "goes berserk", "test_a_sentient_machine_that_is_hurt_goes_for_whoever_hurt_it"),
    "dimensional mass": ("battle", "grows and shrinks", "test_dimensional_mass_grows_and_shrinks_by_five_a_round"),
    "dimensional storage": ("by rule", "extra storage", BETWEEN),
    "cannot glide": (
        "battle",
        "falls without power",
        "test_without_power_a_craft_that_cannot_glide_falls_and_others_pay_with_speed_or_height",
    ),
    "decreased maneuver": ("battle", "less Maneuver with one movement type", "test_movement_of_a_machine_is_what_it_was_designed_with"),
    "external power": ("battle", "a cable snags, a collector is shot away", "test_a_machine_on_a_cable_may_be_snagged_on_hard_ground"),
    "maximum ceiling": ("battle", "flies less high", "test_ceilings_and_fuel"),
    "maximum climbing angle": ("battle", "goes ahead before it climbs", "test_a_climbing_angle_asks_for_hexes_first"),
    "muscle-powered": ("by rule", "speed by the crew's strength", BETWEEN),
    "no engine": ("battle", "movement cannot be hit", "test_what_has_no_engine_loses_no_movement"),
    "poor off-road ability": (
        "battle",
        "a point more",
        "test_off_road_ability_and_the_lack_of_it_count_on_ground_that_costs_more_but_not_on_slopes",
    ),
    "poor towing capacity": ("battle", "tows half", "test_towing_by_mass_and_what_it_costs_in_speed"),
    "requires airstrip": ("battle", "crash-lands elsewhere", "test_off_a_strip_a_landing_is_harder"),
    "unstable": ("battle", "-1 at Top Speed and on hard ground", "test_an_unstable_machine_is_worse_at_top_speed_and_on_hard_ground"),
    "difficult to modify": ("repairs", "-1", "test_a_machine_that_is_easy_to_modify_is_easy_to_repair"),
    "problem-prone": ("design", "another Lemon die", "test_lemon_dice_go_by_the_production"),
    "fuel inefficient": ("by rule", "goes less far", BETWEEN),
    "heat vulnerable": ("battle", "less Armor against HEAT", SIDES),
    "highly flammable": ("battle", "twice the Intensity", "test_an_incendiary_hit_sets_a_machine_on_fire_and_the_fire_harms_it"),
    "inefficient controls": ("battle", "moving takes an action", "test_inefficient_controls_take_an_action_to_move"),
    "large sensor profile": ("battle", "easier to find", "test_a_large_profile_and_emissions_help_sensors"),
    "overheating": ("battle", "damage after rounds of strain", "test_a_machine_overheats_after_rounds_of_strain_on_end"),
    "random shutdown": ("battle", "shuts down for some rounds", "test_a_machine_given_to_it_shuts_down"),
    "sensor dependent": ("battle", "no eyes", "test_who_depends_on_sensors_has_no_eyes"),
    "trackable emissions": ("battle", "guided weapons find it", ASTRAY),
    "vulnerable to haywire": ("battle", "three rolls", "test_haywire_runs_through_the_circuits_once_more_and_some_resist_it"),
    "exposed auxiliaries": ("battle", "a stage worse", EXPOSED),
    "exposed crew": ("battle", "a stage worse, open to agents", EXPOSED),
    "exposed systems": ("battle", "+1 on fire control", FUEL),
    "exposed movement": ("battle", "a stage worse", EXPOSED),
    "fragile chassis": ("battle", "+1 on structure", FUEL),
    "hazardous ammo/fuel": ("battle", "+1 or +2 on fire control", FUEL),
    "weak facing": ("battle", "half the Armor in an arc", SIDES),
    "weak point": ("battle", "less Armor where it is aimed at", SIDES),
    "weak underbelly": ("battle", "half the Armor from below", "test_mines_strike_from_below_and_are_cleared"),
}
SYSTEMS = {
    "adhesive": ("battle", "sticks, and is torn off", "test_what_sticks_goes_off_on_its_target_unless_it_is_torn_off"),
    "anti-infantry": ("battle", "no -2 at people", "test_a_machine_shoots_worse_at_somebody_on_foot_unless_its_weapon_is_made_for_it"),
    "aerosol": ("battle", "energy reaches less far", "test_mist_makes_energy_weapons_reach_less_far"),
    "anti-missile": ("battle", "no -6 at missiles", "test_anti_missile_fire_takes_five_shots_less_its_margin"),
    "anti-structure": ("battle", "twice the damage to structures", "test_the_rate_of_fire_adds_to_the_margin_against_a_structure"),
    "area effect": ("battle", "everyone within its radius", "test_a_persistent_attack_on_an_area_lies_there_like_mines"),
    "armor-piercing": ("battle", "half the Armor", "test_what_pierces_meets_half_the_armor_and_never_overkills"),
    "armor-crushing": ("battle", "twice the Armor lost", "test_what_crushes_takes_twice_the_armor"),
    "attack/target": (
        "battle",
        "no -2 into another environment",
        "test_what_is_made_for_another_environment_fires_into_it_without_penalty",
    ),
    "biological": ("battle", "-1 for ten points, incapacitated at -5", "test_agents_strike_those_who_breathe_the_air"),
    "chemical": ("battle", "-1 for ten points, incapacitated at -5", "test_agents_strike_those_who_breathe_the_air"),
    "concealed": (
        "battle",
        "folded out first, safe from a hit",
        "test_a_concealed_system_is_folded_out_first_and_safe_from_a_hit_until_then",
    ),
    "disintegrator": ("battle", "destroys at Light Damage", "test_a_disintegrator_destroys_at_light_damage_and_eats_armor_below_it"),
    "energy-homing": ("battle", "+2 against units that send", ASTRAY),
    "entangle": ("battle", "holds or harms", "test_a_snare_may_be_used_to_harm"),
    "fire-fighting": ("battle", "dice of Intensity less", "test_foam_takes_dice_of_intensity_off_a_fire"),
    "gravitic": ("battle", "pulls and pushes", "test_gravity_pushes_too_where_it_was_built_to"),
    "guided": ("battle", "+2 against a designated target", ASTRAY),
    "hand-held/hardpoint": (
        "battle",
        "held by an arm, useless without one",
        "test_nothing_is_fired_that_is_broken_empty_out_of_reach_or_held_by_no_arm",
    ),
    "haywire": ("battle", "another roll", "test_haywire_runs_through_the_circuits_once_more_and_some_resist_it"),
    "illumination": ("battle", "blinds or illuminates", "test_paint_makes_a_target_easier_to_see_and_light_blinds_it"),
    "incendiary": ("battle", "sets on fire", "test_an_incendiary_hit_sets_a_machine_on_fire_and_the_fire_harms_it"),
    "indirect fire": ("battle", "fires over obstacles", "test_only_what_is_made_for_it_fires_indirectly_and_only_on_the_ground"),
    "knockback": ("battle", "throws down", "test_knockback_throws_walkers_down"),
    "liquid": ("battle", "twice the Armor, splashes", "test_a_liquid_meets_twice_the_armor_and_splashes"),
    "location-specific": ("battle", "always one location", "test_a_location_specific_weapon_strikes_nothing_else"),
    "mass destruction": ("battle", "three damage zones", "test_mass_destruction_strikes_everybody_within_its_reach"),
    "minebuster": ("battle", "clears mines", "test_mines_strike_from_below_and_are_cleared"),
    "paint": ("battle", "easier to see", "test_paint_makes_a_target_easier_to_see_and_light_blinds_it"),
    "parry": ("battle", "a new defense against close attacks", "test_a_plain_parry_is_for_blows"),
    "shield": ("battle", "parries, and adds to Armor", "test_a_solid_shield_parries_and_takes_its_damage_and_the_margin_off"),
    "energy shield": ("battle", "parries what it is made against", "test_an_energy_shield_stops_what_it_is_made_against_while_it_is_on"),
    "persistent": ("battle", "again every round", "test_a_persistent_attack_strikes_again_with_a_point_less"),
    "redundant": ("battle", "ignores a hit", "test_a_redundant_system_ignores_its_first_hit"),
    "remote": ("battle", "left, and set off", "test_a_remote_system_is_left_and_set_off_with_a_signal"),
    "scatter": ("battle", "half the damage, a hex wider", "test_a_salvo_spread_out_does_half_the_damage_a_hex_wider"),
    "seeking": ("battle", "tries again", "test_what_seeks_for_several_rounds_turns_back"),
    "smart": ("battle", "fires by itself", "test_a_smart_system_fires_once_a_round_by_itself_with_its_own_skill"),
    "smoke": ("battle", "hides", "test_smoke_hides_from_eyes_and_lifts_after_the_next_round"),
    "hot smoke": ("battle", "hides from sensors too", "test_smoke_hides_from_eyes_and_passive_sensors_and_hot_smoke_from_active_ones_too"),
    "stealth": ("battle", "does not reveal its user", "test_a_stealthy_weapon_does_not_give_its_bearer_away"),
    "target designator": ("battle", "marks", "test_a_designator_marks_its_target_until_the_round_ends"),
    "wide angle": ("battle", "one roll against everyone in it", "test_a_wide_angle_is_rolled_against_everybody_in_it"),
    "winch": ("battle", "drags", "test_a_winch_drags_by_the_ratio_of_sizes"),
    "attenuating damage": ("battle", "weaker with every band", "test_attenuating_damage_is_lost_with_every_band_beyond_short"),
    "clumsy": ("battle", "less Maneuver when used", "test_a_clumsy_system_costs_maneuver_when_it_is_used"),
    "defensive": ("battle", "half the damage, -2", "test_what_is_made_for_defense_does_half_at_minus_two"),
    "flicker": ("battle", "works on a die", "test_a_flickering_system_works_from_its_level_on"),
    "heat": ("battle", "HEAT resistance applies", SIDES),
    "heavy": ("design", "slower", "test_the_machine_in_play_bears_its_defects_and_its_heavy_systems"),
    "minimum range": ("battle", "worse at short range", "test_a_minimum_range_spoils_what_is_near"),
    "non-lethal": ("battle", "stuns", "test_what_only_knocks_out_does_nothing_through_armor"),
    "power-hungry": ("battle", "is charged first", "test_a_power_hungry_system_is_charged_before_it_fires"),
    "random": ("battle", "may be worse at each use", "test_a_random_system_may_be_worse_this_time"),
    "recoil": ("battle", "may knock its user down", "test_recoil_throws_a_walker_down_that_fires_on_the_move"),
    "time delay": ("battle", "goes off later", "test_a_time_delay_goes_off_by_itself"),
    "unreliable": ("battle", "jams, breaks, explodes", "test_an_unreliable_system_is_tried_with_a_die"),
    "overheating": ("battle", "tested again", "test_an_unreliable_system_is_tried_with_a_die"),
}
WHERE = ("battle", "repairs", "design", "by rule")


def test_every_perk_and_flaw_of_the_book_has_its_row_and_no_other():
    machines = {name for table in (*PERK_EFFECTS, *FLAW_EFFECTS) for name in table(RULES)}
    systems = {name for table in (SYSTEM_PERK_EFFECTS, SYSTEM_FLAW_EFFECTS) for name in table(RULES)}
    assert (set(MACHINES), set(SYSTEMS)) == (machines, systems)
    assert {row[0] for row in (*MACHINES.values(), *SYSTEMS.values())} <= set(WHERE)


def test_every_row_names_a_test_that_there_is():
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    known = set(re.findall(r"^def (test_\w+)", source, re.MULTILINE))
    missing = sorted({row[2] for row in (*MACHINES.values(), *SYSTEMS.values())} - known)
    assert missing == []


def with_perks(*perks, flaws=()):
    return vehicle(perks=(COMMS, *perks), flaws=tuple(flaws))


def test_what_counts_between_battles_is_called_by_its_rule():
    assert catapult_points(10, 5).value == 30
    assert refueling_rounds(6).value == 6
    assert (bio_energy_speed(2, 1, -3).value, bio_energy_range(25).value) == (12, 250)
    assert stowed_volume(4, "service").value == 80
    assert rads(3).value == 1000
    assert stored_elsewhere(4).value == 16
    assert muscle_crew(2).value == 4
    assert muscle_power(2, 8, 0, 20) == {"top": 4, "deployment": 42}
    assert reach(2, "space", True).value == 200_000
    saving, wasting = with_perks(Fitted("fuel efficient", variant="double")), with_perks(flaws=(Fitted("fuel inefficient", 2),))
    assert (fuel_used(saving, 10).value, fuel_used(wasting, 10, True).value) == (5, 60)
    assert crush_depth(with_perks(Fitted("hostile environment: high pressure"))).value == 375


@pytest.mark.parametrize("name", [name for name, row in MACHINES.items() if row[2] == FREE])
def test_what_only_tells_a_story_has_no_figures(name):
    """Such a Perk is on the sheet and in the glossary in words; nothing in a battle asks for it."""
    row = effect_of(RULES, name)
    assert row is not None
    assert row.effect
    assert machine(RULES, vehicle()).has(name) is None
