"""The table of all ninety effects: what each comes to in play, and the test that shows it."""

import importlib

import pytest

from rulewright.play import script
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.powers.usage import use_effect
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
ALL = {name: row for name, row in effects(RULES).items() if row.set == "meta-psychic"}
ASKS = "test_over_time.test_the_game_master_is_asked_with_the_measure_and_the_log_keeps_the_answer"
NUMBERS = {
    "Sense Mastery": "test_powers_in_fights.test_dimmed_light_costs_everybody_near_a_die_for_its_width_and_sense_mastery_helps",
    "Psi Cloak": "test_over_time.test_psi_cloak_takes_a_die_for_each_point_of_width_from_whoever_cannot_see_one",
    "Bi-location": "test_powers_in_fights.test_bi_location_costs_the_body_three_dice_and_its_burn_waits",
    "Control Illumination": "test_powers_in_fights.test_dimmed_light_costs_everybody_near_a_die_for_its_width_and_sense_mastery_helps",
    "Disruption": "test_harm.test_disruption_deals_width_and_one_in_shock_past_armour_and_costs_a_die_next_round",
    "Lockout": "test_over_time.test_lockout_takes_its_width_from_tampering",
    "Static Shield": "test_harm.test_a_static_shield_takes_dice_from_disruption_and_not_from_contusion",
    "Coalesce Light": "test_harm.test_coalesce_light_is_a_laser_that_armour_meets",
    "E-M Shield": "test_harm.test_an_em_shield_stops_the_band_it_is_tuned_to",
    "Power Drain": "test_harm.test_power_drain_deals_shock_by_the_source_that_the_game_master_names",
    "Feedback": "test_harm.test_feedback_deals_width_and_psi_and_may_leave_harm_for_good",
    "Refraction": "test_powers_in_fights.test_refraction_is_a_difficulty_for_blows_and_not_for_powers_and_bends_lasers",
    "Calcify": "test_harm.test_calcify_numbs_for_a_round",
    "Excite": "test_harm.test_excite_deals_one_kill_and_again_while_the_touch_is_kept",
    "Ignition": "test_harm.test_ignition_burns_at_its_width_until_it_is_put_out",
    "Heatburn": "test_harm.test_flame_immunity_lowers_what_burns_and_counters_heat",
    "Hypothermic Blast": "test_harm.test_a_hypothermic_blast_costs_a_die_for_as_many_rounds_as_shock_was_taken",
    "Flame Immunity": "test_harm.test_flame_immunity_lowers_what_burns_and_counters_heat",
    "Force Barrier": "test_harm.test_a_force_barrier_stops_bullets_and_blows_and_no_blades_and_falls_at_a_hit",
    "Thermal Screen": "test_harm.test_a_hypothermic_blast_costs_a_die_for_as_many_rounds_as_shock_was_taken",
    "Heat Sink": "test_powers_in_fights.test_heat_sink_puts_fires_out",
    "Plasma Control": "test_powers_in_fights.test_plasma_control_feeds_a_fire",
    "Healthy Glow": "test_over_time.test_healthy_glow_and_sensitivity_give_a_die_where_they_help",
    "Meditation": "test_over_time.test_meditation_adds_quarters_of_an_hour_to_each_hour_of_sleep",
    "Sensitivity": "test_over_time.test_healthy_glow_and_sensitivity_give_a_die_where_they_help",
    "Inflame": "test_harm.test_inflame_is_for_the_injured_and_harder_on_the_strong",
    "Mending": "test_powers_in_fights.test_mending_heals_one_part_and_metamitosis_any_kill",
    "Antitoxin": "test_powers_in_fights.test_antitoxin_takes_virulence_down",
    "Contusion": "test_harm.test_contusion_and_lacerate_go_past_all_armour",
    "Algesic Shield": "test_harm.test_an_algesic_shield_takes_dice_from_redaction_and_from_nerves",
    "Metamitosis": "test_powers_in_fights.test_mending_heals_one_part_and_metamitosis_any_kill",
    "Passive Voice": "test_powers_in_fights.test_passive_voice_keeps_somebody_from_doing_harm_while_it_is_kept_up",
    "Lacerate": "test_harm.test_contusion_and_lacerate_go_past_all_armour",
    "Regeneration": "test_powers_in_fights.test_mending_heals_one_part_and_metamitosis_any_kill",
    "Exacerbate": "test_powers_in_fights.test_exacerbate_gives_or_takes_the_dice_that_the_game_master_says",
    "Emotional Achilles": "test_powers_in_fights.test_emotional_achilles_takes_its_width_from_whoever_sways_feelings",
    "Mindshield": "test_powers_in_fights.test_a_mindshield_takes_its_width_from_whoever_reads_or_rules_a_mind",
    "Brainjack": "test_powers_in_fights.test_brainjack_leaves_nobody_able_to_act_for_its_width_and_tires_its_user",
    "Muse": "test_powers_in_fights.test_muse_is_a_morale_attack",
    "Microwave Burst": "test_harm.test_a_microwave_burst_meets_armour",
    "Cryofreeze": "test_harm.test_cryofreeze_is_resisted_by_the_body_and_by_a_thermal_screen",
    "Force": "test_harm.test_force_lifts_and_smashes_somebody_who_struggles",
    "Cellular Repair": "test_over_time.test_cellular_repair_heals_by_height_and_leaves_as_much_to_recover_from",
    "Morbidity": "test_harm.test_morbidity_costs_all_actions_where_it_kills_at_all",
    "Mindbomb": "test_powers_in_fights.test_mindbomb_makes_somebody_strike_at_whoever_is_near",
    "Mindscape": "test_powers_in_fights.test_mindscape_at_width_four_hides_its_user",
}
OFFERS = {
    "Control": "test_powers_in_fights.test_control_moves_a_body_with_its_movers_skills",
    "Lift": "test_powers_in_fights.test_lift_brings_a_weapon_nearer",
    "Remote Manipulation": "test_powers_in_fights.test_remote_manipulation_splits_its_height",
    "Flight": "test_powers_in_fights.test_flight_carries_far",
    "Will Control": "test_powers_in_fights.test_will_control_is_over_once_it_was_obeyed",
}


def test_every_one_of_the_ninety_effects_is_of_a_known_class():
    assert len(ALL) == 90
    counted = {use: [name for name, row in ALL.items() if row.use == use] for use in ("numbers", "offers", "gamemaster", "story")}
    assert sorted(counted["numbers"]) == sorted(NUMBERS)
    assert sorted(counted["offers"]) == sorted(OFFERS)
    assert sum(map(len, counted.values())) == 90
    assert all(ALL[name].asks for name in counted["gamemaster"])


@pytest.mark.parametrize(("effect", "shown_by"), [*NUMBERS.items(), *OFFERS.items()])
def test_what_changes_numbers_or_offers_something_is_shown_by_a_test_that_speaks_of_it(effect, shown_by):
    module, _, name = shown_by.partition(".")
    found = getattr(importlib.import_module(f"ore.powers.{module}"), name)
    words = effect.lower().replace("-", "_").replace(" ", "_").replace("'", "")
    constants = str(found.__code__.co_consts) + found.__name__
    assert effect in constants or words in constants or effect.lower() in constants.replace("_", " ")


def test_what_the_game_master_is_asked_is_shown_for_each_of_them():
    from ore.powers.test_over_time import ASKED

    assert ASKS
    assert [row.effect for row in ASKED] == [name for name, row in ALL.items() if row.use == "gamemaster"]


@pytest.mark.parametrize("row", ALL.values(), ids=list(ALL))
def test_every_effect_can_be_used_outside_fights_too(row):
    answers = [next(iter(row.steps))] if row.steps and row.works == "ask" else []
    answers += [0] if row.hard else []
    answers += [0 if row.works == "mood" else "all"] if row.asks else []
    faces = [(9, 9, 9, 10, 8, 7)] + ([(1, 2, 3)] if row.resist else [])
    done = script(use_effect(RULES, row.effect, 3, 3, 0, Pool(3) if row.resist else None, "Ann"), faces, answers)
    assert done.outcome.outcome.width == 3
    assert done.outcome.measure or row.use in ("numbers", "offers") or not (row.by_width or row.by_height or row.details)
