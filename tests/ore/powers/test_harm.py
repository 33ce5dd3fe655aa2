"""Powers that hurt, what they leave behind, and what stops them (lines 6478-7657)."""

import pytest
from msgspec.structs import replace

from ore.powers.people import ABSTRACT, RULES, VITAL, a_round, fight, keys, part, plain, psychic
from rulewright.systems.ore.combat.fighters import Act
from rulewright.systems.ore.combat.profiles import gather
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.powers.active import mods_on
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.powers.repertoire import Working
from rulewright.systems.ore.resolution.tests import dice_in

ARMOUR = {"all": "heavy"}


def ward(effect, name, width, **more):
    return Working(effect, name, name, width, 5, **more)


def rolled(state, name, effect, target=""):
    """How many dice somebody has for a power, and at what Difficulty."""
    kind = "power" if target else "invoke"
    cast = cast_of(RULES, state, state.fighter(name), (Act(kind, target, skill=effect),))
    return dice_in(RULES, cast.pool), cast.difficulty


def test_disruption_deals_width_and_one_in_shock_past_armour_and_costs_a_die_next_round():  # lines 6534-6540
    state = fight(RULES, psychic("Ann", "Disruption"), plain(armour=ARMOUR), metres=10)
    after, log = a_round(RULES, state, [(7, 7, 7, 2, 3)], ["power:Disruption:Bob", "pass"])
    assert part(after, "Bob", "torso") == (0, 4)
    assert log.index("Ann uses Disruption on Bob with a 3x7") < log.index("Bob takes 4 Shock to the torso")
    assert [(mod.label, mod.dice) for mod in mods_on(RULES, after, "Bob")] == [("Disruption", -1)]
    later, _ = a_round(RULES, after, [], ["pass", "pass"])
    assert mods_on(RULES, later, "Bob") == ()


def test_a_power_reaches_as_many_metres_as_its_row_says():  # line 6540
    ann = psychic("Ann", "Disruption", psi=3)
    assert "power:Disruption:Bob" in keys(RULES, fight(RULES, ann, plain(), metres=15))
    assert "power:Disruption:Bob" not in keys(RULES, fight(RULES, ann, plain(), metres=16))


def test_a_static_shield_takes_dice_from_disruption_and_not_from_contusion():  # lines 6606-6616
    state = fight(RULES, psychic("Ann", "Disruption", "Contusion"), psychic("Bob", "Static Shield", insight=2), metres=5)
    shielded = replace(state, powers=(ward("Static Shield", "Bob", 3, kept=1),))
    assert rolled(state, "Ann", "Disruption", "Bob") == (5, 2)
    assert rolled(shielded, "Ann", "Disruption", "Bob") == (2, 2)
    assert rolled(shielded, "Ann", "Contusion", "Bob") == (5, 3)


def test_an_algesic_shield_takes_dice_from_redaction_and_from_nerves():  # lines 7044-7052
    people = psychic("Ann", "Disruption", "Contusion", "Heatburn"), psychic("Bob", "Algesic Shield", psi=4, insight=2)
    shielded = replace(fight(RULES, *people, metres=5), powers=(ward("Algesic Shield", "Bob", 2, kept=1),))
    assert [rolled(shielded, "Ann", effect, "Bob")[0] for effect in ("Disruption", "Contusion", "Heatburn")] == [3, 3, 5]


def test_coalesce_light_is_a_laser_that_armour_meets():  # lines 6618-6626
    ann = psychic("Ann", "Coalesce Light", psi=4, skill=3)
    bare, _ = a_round(
        RULES, fight(RULES, ann, plain(), metres=20, light="bright"), [(8, 8, 4, 5, 6, 7, 9)], ["power:Coalesce Light:Bob", "pass"]
    )
    assert part(bare, "Bob", "torso") == (4, 4)
    state = fight(RULES, ann, plain(armour={"all": "medium"}), metres=20, light="bright")
    worn, _ = a_round(RULES, state, [(8, 8, 4, 5, 6, 7, 9)], ["power:Coalesce Light:Bob", "pass"])
    assert part(worn, "Bob", "torso") == (2, 2)


@pytest.mark.parametrize(("light", "rounds"), [("bright", 0), ("indoor", 1), ("dim", 2)])
def test_light_is_gathered_for_a_laser(light, rounds):  # line 6624
    state = fight(RULES, psychic("Ann", "Coalesce Light", psi=4), plain(), metres=20, light=light)
    for _ in range(rounds):
        assert "power:Coalesce Light:Bob" not in keys(RULES, state)
        state, _ = a_round(RULES, state, [], ["gather light", "pass"])
    assert "power:Coalesce Light:Bob" in keys(RULES, state)
    assert "gather light" not in keys(RULES, state)


def test_there_is_no_laser_in_the_dark():  # line 6626
    state = fight(RULES, psychic("Ann", "Coalesce Light", psi=4), plain(), metres=20, light="dark")
    assert not {"power:Coalesce Light:Bob", "gather light"} & keys(RULES, state)


def test_an_em_shield_stops_the_band_it_is_tuned_to():  # lines 6628-6648
    ann = psychic("Ann", "Coalesce Light", psi=4, skill=3)
    bob = psychic("Bob", "E-M Shield", psi=4, insight=2)
    faces, choices = [(8, 8, 4, 5, 6, 7, 9)], ["power:Coalesce Light:Bob", "pass"]
    state = fight(RULES, ann, bob, metres=20, light="bright")
    for band, taken in (("visible light", (1, 1)), ("microwave", (4, 4)), ("all of it, swept", (4, 4))):
        shielded = replace(state, powers=(ward("E-M Shield", "Bob", 3, kept=1, word=band),))
        after, _ = a_round(RULES, shielded, faces, choices)
        assert part(after, "Bob", "torso") == taken


def test_an_em_shield_is_tuned_anew_and_keeps_its_first_width():  # line 6642
    state = fight(RULES, psychic("Ann", "E-M Shield", psi=4), plain(), metres=20)
    up, log = a_round(RULES, state, [(9, 9, 9, 1, 5, 6)], ["power:E-M Shield", "pass", "torso", "microwave"])
    assert up.powers == (Working("E-M Shield", "Ann", "Ann", 3, 9, kept=1, word="microwave"),)
    again, _ = a_round(RULES, up, [(8, 8, 4, 5, 6)], ["power:E-M Shield", "pass", "visible light"])
    assert [(each.width, each.word) for each in again.powers] == [(3, "visible light")]
    assert "Ann uses E-M Shield with a 3x9: raised with Width 3 against microwave" in log


def test_power_drain_deals_shock_by_the_source_that_the_game_master_names():  # lines 6650-6665
    state = fight(RULES, psychic("Ann", "Power Drain", psi=4), plain())
    after, log = a_round(RULES, state, [(8, 8, 4, 5, 6, 7)], ["power:Power Drain:Bob", "pass", "large"])
    assert part(after, "Bob", "torso") == (0, 4)
    assert "Ann uses Power Drain. What power source is near? Large" in log
    nothing, log = a_round(RULES, state, [(8, 8, 4, 5, 6, 7)], ["power:Power Drain:Bob", "pass", "none"])
    assert part(nothing, "Bob", "torso") == (0, 0)
    assert "Ann uses Power Drain on Bob with a 2x8: nothing to drain" in log


def test_a_static_shield_is_armour_against_electricity():  # line 6610
    state = fight(RULES, psychic("Ann", "Power Drain", psi=4), psychic("Bob", "Static Shield", insight=2))
    shielded = replace(state, powers=(ward("Static Shield", "Bob", 3, kept=1),))
    after, _ = a_round(RULES, shielded, [(8, 8, 4, 5, 6, 7)], ["power:Power Drain:Bob", "pass", "large"])
    assert part(after, "Bob", "torso") == (0, 1)


def test_feedback_deals_width_and_psi_and_may_leave_harm_for_good():  # lines 6667-6677
    state = fight(RULES, psychic("Ann", "Feedback", psi=5, skill=3), plain(armour=ARMOUR), metres=30)
    faces = [(8, 8, 8, 5, 6, 7, 9, 10)]
    after, _ = a_round(RULES, state, faces, ["power:Feedback:Bob", "pass"])
    assert part(after, "Bob", "torso") == (0, 8)
    down, log = a_round(RULES, after, faces, ["power:Feedback:Bob", "pass", "yes"])
    assert down.fighter("Bob").body.down
    assert "Ann uses Feedback. Is there permanent harm? Yes, something stays" in log


def test_calcify_numbs_for_a_round():  # lines 6747-6753
    state = fight(RULES, psychic("Ann", "Calcify"), plain())
    after, _ = a_round(RULES, state, [(5, 5, 1, 2, 3)], ["power:Calcify:Bob", "pass"])
    assert [mod.dice for mod in mods_on(RULES, after, "Bob")] == [-1]
    assert mods_on(RULES, a_round(RULES, after, [], ["pass", "pass"])[0], "Bob") == ()


def test_a_touch_can_be_dodged_and_a_power_from_afar_cannot():
    touch = fight(RULES, psychic("Ann", "Calcify", "Disruption"), plain())
    faces = [(5, 5, 4, 2, 3), (9, 9, 2, 3, 4, 6)]
    after, log = a_round(RULES, touch, faces, ["power:Calcify:Bob", "dodge"])
    assert (after.powers, "Ann is stopped by Bob" in log) == ((), True)
    after, log = a_round(RULES, touch, faces, ["power:Disruption:Bob", "dodge"])
    assert after.powers


def test_excite_deals_one_kill_and_again_while_the_touch_is_kept():  # lines 6755-6761
    state = fight(RULES, psychic("Ann", "Excite"), plain(armour=ARMOUR))
    after, _ = a_round(RULES, state, [(8, 8, 1, 2, 3)], ["power:Excite:Bob", "pass"])
    assert part(after, "Bob", "torso") == (1, 0)
    held, _ = a_round(RULES, after.change("Bob", held_by="Ann"), [], ["pass", "pass"])
    assert part(held, "Bob", "torso") == (2, 0)
    let_go, _ = a_round(RULES, after, [], ["pass", "pass"])
    assert part(let_go, "Bob", "torso") == (1, 0)


def test_ignition_burns_at_its_width_until_it_is_put_out():  # lines 6792-6802
    state = fight(RULES, psychic("Ann", "Ignition"), plain(), metres=10)
    after, log = a_round(RULES, state, [(4, 4, 1, 2, 3), (7,), (8,)], ["power:Ignition:Bob", "pass", "torso"])
    assert "Ann uses Ignition on Bob with a 2x4: sets them on fire with Area Rating 2" in log
    assert part(after, "Bob", "torso") == (2, 0)
    assert after.powers[0].rounds == 3
    assert "put out the fire" in keys(RULES, after, "Bob")
    out, _ = a_round(RULES, after, [], ["pass", "put out the fire"])
    assert (out.powers, part(out, "Bob", "torso")) == ((), (2, 0))


def test_flame_immunity_lowers_what_burns_and_counters_heat():  # lines 6848-6854
    state = fight(RULES, psychic("Ann", "Heatburn"), psychic("Bob", "Flame Immunity", psi=4, skill=3, insight=2), metres=5)
    shielded = replace(state, powers=(ward("Flame Immunity", "Bob", 2),))
    faces = [(8, 8, 8, 3, 4)]
    assert part(a_round(RULES, state, faces, ["power:Heatburn:Bob", "pass"])[0], "Bob", "torso") == (3, 0)
    assert part(a_round(RULES, shielded, faces, ["power:Heatburn:Bob", "pass"])[0], "Bob", "torso") == (1, 0)
    countered, log = a_round(RULES, state, [*faces, (9, 9, 9, 4, 5, 6, 7)], ["power:Heatburn:Bob", "counter:Flame Immunity"])
    assert part(countered, "Bob", "torso") == (0, 0)
    assert "Bob counters with 2 of 3 dice" in log
    assert "counter:Flame Immunity" not in keys(RULES, fight(RULES, psychic("Ann", "Heatburn"), plain()), "Ann")


def test_flame_immunity_is_no_help_against_cold():
    state = fight(RULES, psychic("Ann", "Hypothermic Blast"), psychic("Bob", "Flame Immunity", psi=4, skill=3, insight=2), metres=5)
    faces = [(8, 8, 8, 3, 4), (9, 9, 9, 4, 5, 6, 7)]
    after, _ = a_round(RULES, state, faces, ["power:Hypothermic Blast:Bob", "counter:Flame Immunity"])
    assert part(after, "Bob", "torso") == (0, 3)


def test_a_hypothermic_blast_costs_a_die_for_as_many_rounds_as_shock_was_taken():  # lines 6826-6830
    state = fight(RULES, psychic("Ann", "Hypothermic Blast"), psychic("Bob", "Thermal Screen", psi=4, insight=2), metres=5)
    after, log = a_round(RULES, state, [(8, 8, 8, 3, 4)], ["power:Hypothermic Blast:Bob", "pass"])
    assert "Bob has -1d from the cold for 3 rounds" in log
    for _ in range(3):
        assert [mod.dice for mod in mods_on(RULES, after, "Bob")] == [-1]
        after, _ = a_round(RULES, after, [], ["pass", "pass"])
    assert mods_on(RULES, after, "Bob") == ()
    screened = replace(state, powers=(ward("Thermal Screen", "Bob", 3),))
    after, _ = a_round(RULES, screened, [(8, 8, 8, 3, 4)], ["power:Hypothermic Blast:Bob", "pass"])
    assert (part(after, "Bob", "torso"), mods_on(RULES, after, "Bob")) == ((0, 0), ())


def test_a_force_barrier_stops_bullets_and_blows_and_no_blades_and_falls_at_a_hit():  # lines 6856-6872
    ann = psychic("Ann", "Force Barrier", psi=4, insight=2)
    for weapon, taken in (("bare hands", (0, 0)), ("broadsword", (4, 2))):
        arms = () if weapon == "bare hands" else (weapon,)
        state = fight(RULES, plain("Bob", *arms, insight=1), ann)
        state = replace(state, powers=(ward("Force Barrier", "Ann", 2, kept=1),))
        after, log = a_round(RULES, state, [(8, 8, 3, 4, 5, 6)], ["attack:Ann", "pass"])
        assert part(after, "Ann", "torso") == taken
        assert bool(after.powers) is (taken == (0, 0))
        assert ("Ann is distracted and loses Force Barrier" in log) is (taken != (0, 0))


def test_nobody_shoots_through_his_own_barrier():  # line 6872
    state = fight(RULES, psychic("Ann", "Force Barrier", psi=4, weapons=(".38 special",)), plain(), metres=10)
    assert "attack:Bob" in keys(RULES, state)
    assert "attack:Bob" not in keys(RULES, replace(state, powers=(ward("Force Barrier", "Ann", 2, kept=1),)))


def test_inflame_is_for_the_injured_and_harder_on_the_strong():  # lines 6973-6981
    state = fight(RULES, psychic("Ann", "Inflame", psi=5, skill=3), plain(), metres=3)
    assert rolled(state, "Ann", "Inflame", "Bob") == (5, 2)  # eight dice less Body 3
    after, log = a_round(RULES, state, [(8, 8, 2, 3, 4)], ["power:Inflame:Bob", "pass"])
    assert (after.powers, "Ann uses Inflame on Bob with a 2x8: no injury to make worse" in log) == ((), True)
    body = state.fighter("Bob").body
    hurt = state.change("Bob", body=body.put(replace(body.part("torso"), shock=1)))
    after, _ = a_round(RULES, hurt, [(8, 8, 2, 3, 4)], ["power:Inflame:Bob", "pass"])
    assert [mod.dice for mod in mods_on(RULES, after, "Bob")] == [-2]


def test_contusion_and_lacerate_go_past_all_armour():  # lines 7032-7036, 7088-7096
    state = fight(RULES, psychic("Ann", "Contusion", "Lacerate", psi=5), plain(armour=ARMOUR), metres=5)
    faces = [(8, 8, 8, 5, 6, 7, 9)]
    assert part(a_round(RULES, state, faces, ["power:Contusion:Bob", "pass"])[0], "Bob", "torso") == (0, 3)
    assert part(a_round(RULES, state, faces, ["power:Lacerate:Bob", "pass"])[0], "Bob", "torso") == (5, 0)


def grandmaster(name, effect, **more):
    found = psychic(name, effect, psi=6, skill=6, **more)
    return replace(found, advantages=(*found.advantages,))


TEN = (8, 8, 8, 6, 7, 9, 10, 6, 7, 9)


def test_a_microwave_burst_meets_armour():  # lines 7485-7497
    ann = grandmaster("Ann", "Microwave Burst")
    dice = (7, 7, 7, 6, 8, 9, 10, 1, 2, 3)
    choices = ["power:Microwave Burst:Bob", "pass", *["torso"] * 3]
    after, _ = a_round(RULES, fight(RULES, ann, plain(), metres=30), [dice], [*choices, "no"])
    assert part(after, "Bob", "torso") == (7, 3)  # 7 Kill and 5 Shock in ten boxes
    worn, _ = a_round(
        RULES, fight(RULES, ann, plain(armour=ARMOUR), metres=30), [dice], ["power:Microwave Burst:Bob", "pass", *["torso"] * 3]
    )
    assert part(worn, "Bob", "torso") == (4, 2)


def test_cryofreeze_is_resisted_by_the_body_and_by_a_thermal_screen():  # lines 7521-7535
    state = fight(RULES, grandmaster("Ann", "Cryofreeze"), psychic("Bob", "Thermal Screen", psi=4, insight=2, armour=ARMOUR), metres=30)
    dice = (7, 7, 6, 8, 9, 10, 1, 1, 1, 1)
    choices = ["power:Cryofreeze:Bob", "pass", *["torso"] * 4]
    after, _ = a_round(RULES, state, [dice, (1, 2, 3)], [*choices, "no"])
    assert part(after, "Bob", "torso") == (4, 6)
    screened = replace(state, powers=(ward("Thermal Screen", "Bob", 3),))
    after, _ = a_round(RULES, screened, [dice, (1, 2, 3)], choices)
    assert part(after, "Bob", "torso") == (1, 3)
    resisted, log = a_round(RULES, state, [dice, (9, 9, 3)], choices)
    assert (part(resisted, "Bob", "torso"), "Ann uses Cryofreeze on Bob with a 2x7: Bob resists" in log) == ((0, 0), True)


def test_morbidity_costs_all_actions_where_it_kills_at_all():  # lines 7647-7657
    state = fight(RULES, grandmaster("Ann", "Morbidity"), plain(armour=ARMOUR), metres=30)
    dice = (1, 1, 1, 1, 2, 2, 6, 7, 6, 9)  # a 2x6: the left leg... or arm, by the list
    after, log = a_round(RULES, state, [dice], ["power:Morbidity:Bob", "pass", *["torso"] * 6])
    assert "Bob is in too much pain to act for 2 rounds" in log
    assert keys(RULES, after, "Bob") == {"pass"}


def test_force_lifts_and_smashes_somebody_who_struggles():  # lines 7586-7588
    state = fight(RULES, grandmaster("Ann", "Force"), plain(), metres=30)
    dice = (8, 8, 6, 7, 9, 10, 1, 1, 1, 1)
    after, _ = a_round(RULES, state, [dice, (1, 2, 3)], ["power:Force:Bob", "pass", *["torso"] * 4])
    assert part(after, "Bob", "torso") == (2, 5)  # Width in Kill, Width and his Body in Shock


def test_force_hurls_things_by_the_strength_they_take():  # lines 7576-7584
    state = fight(RULES, grandmaster("Ann", "Force"), plain(), metres=30)
    dice = (8, 8, 6, 7, 9, 10, 1, 1, 1, 1)
    after, log = a_round(RULES, state, [dice], ["hurl:Bob", "pass", *["torso"] * 4, 4])
    assert part(after, "Bob", "torso") == (6, 0)
    assert "Ann uses Force. What strength does it need? 4" in log


def test_a_wave_of_force_throws_everybody_near_back():  # lines 7592-7594
    state = fight(RULES, grandmaster("Ann", "Force"), plain(), metres=4)
    dice = (8, 8, 8, 6, 7, 9, 10, 1, 1, 1)
    after, log = a_round(RULES, state, [dice, (1, 2, 3)], ["power:Force", "pass", *["torso"] * 3])
    assert after.fighter("Bob").metres == 7
    assert "Bob is thrown back 3 m" in log


def test_force_parries_what_is_no_power():  # line 7590
    state = fight(RULES, plain("Bob", "broadsword", insight=1), grandmaster("Ann", "Force", insight=2))
    dice = (9, 9, 6, 7, 8, 10, 1, 1, 1, 1)
    after, log = a_round(RULES, state, [(8, 8, 3, 4, 5, 6), dice], ["attack:Ann", "counter:Force", "2x9", *["torso"] * 4])
    assert "Bob is stopped by Ann" in log
    assert part(after, "Ann", "torso") == (0, 4)  # the Burn alone


def test_powers_take_mooks_out_one_by_one_whatever_they_wear():
    thugs = gather(Mook("Thug", threat=2, armour=3), ("Thug 1", "Thug 2"), "b", metres=5)
    state = replace(fight(RULES, psychic("Ann", "Contusion", "Heatburn")), groups=(thugs,))
    after, log = a_round(RULES, state, [(8, 8, 8, 3, 4), (1, 2, 3, 4)], ["power:Contusion:Thug"])
    assert after.groups[0].mob.number == 1
    assert "Ann uses Contusion on Thug with a 3x8: takes one of them out" in log


def test_under_other_damage_systems_powers_hurt_too():
    for by in (VITAL, ABSTRACT):
        state = fight(by, psychic("Ann", "Lacerate", psi=5), plain(), metres=5)
        faces = [(8, 8, 8, 5, 6, 7, 9)] + ([(1, 2, 3, 4, 5, 6, 7)] if by is ABSTRACT else [])
        after, _ = a_round(by, state, faces, ["power:Lacerate:Bob", "pass"])
        assert after.fighter("Bob").body.record() != "unhurt"


def test_force_turns_what_it_stopped_back_with_a_second_set():  # line 7590
    state = fight(RULES, plain("Bob", "broadsword", insight=1), grandmaster("Ann", "Force", insight=2))
    dice = (9, 9, 8, 8, 6, 7, 10, 1, 1, 1)
    choices = ["attack:Ann", "counter:Force", "2x9", *["torso"] * 3]
    after, log = a_round(RULES, state, [(7, 7, 3, 4, 5, 6), dice], choices)
    assert "Bob is stopped by Ann" in log
    assert "Ann turns the attack back on Bob" in log
    assert part(after, "Bob", "torso") == (4, 2)
    missed, log = a_round(RULES, state, [(10, 10, 3, 4, 5, 6), dice], choices)
    assert part(missed, "Bob", "torso") == (0, 0)  # what was not stopped is not turned back
