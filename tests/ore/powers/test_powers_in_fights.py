"""Powers on minds, on oneself and on what is around, in the rounds of a fight (lines 6270-7716)."""

from msgspec.structs import replace

from ore.powers.people import RULES, VITAL, a_round, fight, keys, part, plain, psychic
from rulewright.systems.ore.combat.fighters import Act, Dropped
from rulewright.systems.ore.combat.profiles import gather
from rulewright.systems.ore.fight.declarations import together_with
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.powers.active import mods_on
from rulewright.systems.ore.fight.scene import FightScene
from rulewright.systems.ore.people.characters import Inherent
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.powers.repertoire import Working
from rulewright.systems.ore.resolution.tests import dice_in

SEVEN = (8, 8, 8, 5, 6, 7, 9)
"""A 3x8 with nothing below 5."""


def dice(state, name, *acts, by=RULES):
    cast = cast_of(by, state, state.fighter(name), acts)
    return dice_in(by, cast.pool), cast.difficulty


def wards(effect, name, width, **more):
    return Working(effect, name, name, width, 5, **more)


# --- minds --------------------------------------------------------------------------------------------------------------------


def test_brainjack_leaves_nobody_able_to_act_for_its_width_and_tires_its_user():  # lines 7300-7316
    state = fight(RULES, psychic("Ann", "Brainjack", psi=5), plain("Bob", "broadsword"), metres=20)
    after, log = a_round(RULES, state, [SEVEN], ["power:Brainjack:Bob", "pass"])
    assert "Bob cannot act for 3 rounds" in log
    assert [mod.dice for mod in mods_on(RULES, after, "Ann")] == [-2]
    for _ in range(3):
        assert keys(RULES, after, "Bob") == {"pass"}
        after, _ = a_round(RULES, after, [], ["pass", "pass"])
    assert "attack:Ann" in keys(RULES, after.change("Bob", metres=0), "Bob")
    assert after.powers == ()


def test_brainjack_in_time_costs_what_was_about_to_be_done():
    state = fight(RULES, psychic("Ann", "Brainjack", psi=5), plain("Bob", "broadsword"))
    after, _log = a_round(RULES, state, [SEVEN, (9, 9, 2, 3, 4, 6)], ["power:Brainjack:Bob", "attack:Ann"])
    assert part(after, "Ann", "torso") == (0, 0)
    assert [each.rounds for each in after.powers if each.on == "Bob"] == [2]  # this round was one of the three


def test_a_steeled_mind_counters_brainjack_and_nothing_else():  # line 7316
    state = fight(RULES, psychic("Ann", "Brainjack", "Contusion", psi=5), plain(), metres=4)
    assert "steel" in keys(RULES, state, "Bob")
    assert "steel" not in keys(RULES, state, "Ann")
    nerve = (9, 9, 9, 2, 3)
    after, log = a_round(RULES, state, [SEVEN, nerve], ["power:Brainjack:Bob", "steel"])
    assert "Ann is stopped by Bob" in log
    after, _ = a_round(RULES, state, [SEVEN, nerve], ["power:Contusion:Bob", "steel"])
    assert part(after, "Bob", "torso") == (0, 3)


def test_whoever_is_confused_can_shake_it_off_beside_what_is_done():  # line 7316
    state = fight(RULES, psychic("Ann", "Brainjack", psi=5), plain("Bob"))
    dazed = replace(state, powers=(Working("Brainjack", "Ann", "Bob", 3, 8, rounds=3, word="dazed"),))
    assert [option.key for option in together_with(RULES, dazed, "Bob", ())] == ["shake off"]
    choices = ["pass", "several", "shake off", "attack:Ann", "done"]
    clear, log = a_round(RULES, dazed, [(5, 5, 8, 8)], [*choices, "2x5"])
    assert "Bob shakes off the confusion for a round" in log
    assert part(clear, "Ann", "torso") == (2, 2)
    muddled, log = a_round(RULES, dazed, [(1, 2, 8, 8)], [*choices, "none"])
    assert part(muddled, "Ann", "torso") == (0, 0)


def test_a_dazed_mook_is_missing_from_the_roll():  # line 7316
    thugs = gather(Mook("Thug", threat=3), ("Thug 1", "Thug 2"), "b")
    state = replace(fight(RULES, psychic("Ann", "Brainjack", psi=5)), groups=(thugs,))
    after, _ = a_round(RULES, state, [SEVEN, (1, 2, 3, 4, 5, 6)], ["power:Brainjack:Thug"])
    _, log = a_round(RULES, after, [(1, 2, 3)], ["pass"])
    assert "Thug has 3 dice to attack" in log


def test_a_mindshield_takes_its_width_from_whoever_reads_or_rules_a_mind():  # lines 7282-7284
    people = psychic("Ann", "Brainjack", "Mindscan", "Passive Voice", psi=5), psychic("Bob", "Mindshield", psi=4, insight=2)
    state = replace(fight(RULES, *people, metres=4), powers=(wards("Mindshield", "Bob", 3, kept=1),))
    found = [dice(state, "Ann", Act("power", "Bob", skill=effect))[0] for effect in ("Brainjack", "Mindscan", "Passive Voice")]
    assert found == [4, 4, 7]


def test_emotional_achilles_takes_its_width_from_whoever_sways_feelings():  # lines 7216-7228
    people = psychic("Ann", "Passive Voice", "Mindscan", "Muse", psi=5), psychic("Bob", "Emotional Achilles", insight=2)
    state = replace(fight(RULES, *people, metres=4), powers=(wards("Emotional Achilles", "Bob", 2, kept=1),))
    found = [dice(state, "Ann", Act("power", "Bob", skill=effect))[0] for effect in ("Passive Voice", "Muse", "Mindscan")]
    assert found == [5, 5, 7]


def test_passive_voice_keeps_somebody_from_doing_harm_while_it_is_kept_up():  # lines 7062-7072
    state = fight(RULES, psychic("Ann", "Passive Voice", psi=4, skill=3), plain("Bob", "broadsword"), metres=2)
    after, log = a_round(RULES, state, [SEVEN, (1, 2, 3, 4, 6)], ["power:Passive Voice:Bob", "pass"])
    assert "Ann uses Passive Voice on Bob with a 3x8: calms the target" in log
    offered = keys(RULES, after, "Bob")
    assert "dodge" in offered
    assert not {key for key in offered if key.startswith(("attack", "called", "trip", "grapple", "throw"))}
    assert [mod.dice for mod in mods_on(RULES, after, "Ann")] == [-1]
    free, _ = a_round(RULES, after, [], ["release:Passive Voice", "pass"])
    assert "attack:Ann" in keys(RULES, free, "Bob")


def test_psyche_and_focus_resist_passive_voice():  # line 7068
    state = fight(RULES, psychic("Ann", "Passive Voice", psi=4, skill=3), plain("Bob", "broadsword"), metres=2)
    after, log = a_round(RULES, state, [SEVEN, (9, 9, 3, 4, 6)], ["power:Passive Voice:Bob", "pass"])
    assert (after.powers, "Ann uses Passive Voice on Bob with a 3x8: Bob resists" in log) == ((), True)


def test_control_moves_a_body_with_its_movers_skills():  # lines 6558-6586
    ann = psychic("Ann", "Control", psi=5, skill=5)
    state = fight(RULES, ann, plain("Bob", "broadsword"), plain("Cid", insight=3), metres=2)
    assert dice(state, "Ann", Act("power", "Bob", skill="Control")) == (7, 3)  # ten, less three for a person
    wide = (8, 8, 8, 8, 6, 7, 9)
    after, log = a_round(RULES, state, [wide, (1, 2, 3, 4, 6)], ["power:Control:Bob", "pass", "pass"])
    assert "Ann uses Control on Bob with a 4x8: the target obeys: anything that goes on for a while" in log
    assert [mod.dice for mod in mods_on(RULES, after, "Ann")] == [-2]
    struck, log = a_round(RULES, after, [(8, 8, 3, 4, 5, 6)], ["pass", "strike:Cid", "pass"])
    assert "Bob obeys Ann" in log
    assert part(struck, "Cid", "torso") == (4, 2)


def test_a_narrow_set_of_control_is_for_orders_of_one_word():  # lines 6572-6576
    state = fight(RULES, psychic("Ann", "Control", psi=5, skill=5), plain("Bob", "broadsword"), metres=2)
    held = replace(state, powers=(Working("Control", "Ann", "Bob", 2, 8, kept=2, word="commanded"),))
    after, log = a_round(RULES, held, [], ["pass", "drop"])
    assert "Bob drops the broadsword" in log
    assert after.fighter("Bob").in_hand == 0
    assert after.powers == held.powers  # for as long as it is kept up


def test_will_control_is_over_once_it_was_obeyed():  # lines 7286-7298
    state = fight(RULES, psychic("Ann", "Will Control", psi=4, skill=3), plain("Bob", "broadsword"), metres=2)
    after, _ = a_round(RULES, state, [SEVEN, (1, 2, 3, 4, 6)], ["power:Will Control:Bob", "pass"])
    ordered, log = a_round(RULES, after, [(1, 2, 3, 4, 6)], ["pass", "go"])
    assert "Bob runs 5 m from the enemy" in log
    assert ordered.powers == ()
    assert "attack:Ann" in keys(RULES, ordered.change("Bob", metres=0), "Bob")


def test_mindbomb_makes_somebody_strike_at_whoever_is_near():  # lines 7663-7681
    ann = psychic("Ann", "Mindbomb", psi=6, skill=6)
    state = fight(RULES, ann, plain("Bob", "broadsword"), plain("Cid", insight=3), metres=20)
    after, log = a_round(
        RULES, state, [(8, 8, 8, 6, 7, 9, 10, 1, 1, 1), (1, 2, 3, 4, 6)], ["power:Mindbomb:Bob", "pass", "pass", *["torso"] * 3, "rage"]
    )
    assert "Ann uses Mindbomb on Bob with a 3x8: rage for 8 minutes" in log
    _, log = a_round(RULES, after, [(8, 8, 3, 4, 5, 6)], ["pass", "pass"])
    assert "Bob hits Cid with a 2x8" in log


def test_muse_is_a_morale_attack():  # line 7330
    thugs = gather(Mook("Thug", threat=2), ("Thug 1", "Thug 2", "Thug 3", "Thug 4"), "b", metres=9)
    state = replace(fight(RULES, psychic("Ann", "Muse", psi=5)), groups=(thugs,))
    after, log = a_round(RULES, state, [SEVEN], ["power:Muse:Thug"])
    assert "Thug is frightened: 3 mooks flee" in log
    assert after.groups[0].mob.number == 1


def test_exacerbate_gives_or_takes_the_dice_that_the_game_master_says():  # lines 7182-7204
    state = fight(RULES, psychic("Ann", "Exacerbate", psi=5), plain(), metres=9)
    after, log = a_round(RULES, state, [SEVEN], ["power:Exacerbate:Bob", "pass", -2])
    assert [mod.dice for mod in mods_on(RULES, after, "Bob")] == [-2]
    assert "Ann uses Exacerbate. How many dice does the feeling give or take? -2" in log


def test_mindscape_at_width_four_hides_its_user():  # lines 7683-7716
    state = fight(RULES, psychic("Ann", "Mindscape", psi=6, skill=6), plain("Bob", "broadsword"))
    after, _ = a_round(RULES, state, [(8, 8, 8, 8, 6, 7, 9, 10, 1, 1), (1, 2, 3, 4, 6)], ["power:Mindscape:Bob", "pass", *["torso"] * 2])
    assert not {key for key in keys(RULES, after, "Bob") if key.endswith(":Ann")}
    narrow, log = a_round(
        RULES, state, [(8, 8, 8, 6, 7, 9, 10, 1, 1, 1), (1, 2, 3, 4, 6)], ["power:Mindscape:Bob", "pass", *["torso"] * 3, "some"]
    )
    assert "attack:Ann" in keys(RULES, narrow, "Bob")
    assert "Ann uses Mindscape. Does it deceive them? Some of it" in log


def test_what_only_the_game_master_knows_is_asked_with_the_books_measure():  # lines 7164-7180
    state = fight(RULES, psychic("Ann", "Empathy", psi=5), plain(), metres=9)
    after, log = a_round(RULES, state, [SEVEN], ["power:Empathy:Bob", "pass", "all"])
    assert "Ann uses Empathy on Bob with a 3x8: more clearly" in log
    assert "Ann uses Empathy. What do they feel? All of it" in log
    assert after.powers == ()


def test_what_stands_in_the_way_of_a_device_is_asked_before_the_roll():  # lines 6508-6518
    state = fight(RULES, psychic("Ann", "Power Surge", psi=3, skill=3), plain(), metres=9)
    _, log = a_round(RULES, state, [(5, 5, 3, 4)], ["power:Power Surge", 2, "pass", "all"])
    assert "Ann has 4 dice for Power Surge" in log
    assert "Ann uses Power Surge with a 2x5: it must be started again before it works" in log


def test_intuit_is_harder_on_a_strong_psyche():  # line 7152
    state = fight(RULES, psychic("Ann", "Intuit", psi=5, skill=3), plain(), metres=4)
    assert dice(state, "Ann", Act("power", "Bob", skill="Intuit")) == (5, 1)


# --- oneself and around -------------------------------------------------------------------------------------------------------


def test_dimmed_light_costs_everybody_near_a_die_for_its_width_and_sense_mastery_helps():  # lines 6270-6278, 6494-6506
    people = psychic("Ann", "Control Illumination", psi=3), psychic("Bob", "Sense Mastery", psi=2, insight=2)
    state = fight(RULES, *people, metres=3)
    after, log = a_round(RULES, state, [(5, 5, 1, 2, 3)], ["power:Control Illumination", "pass", "dim"])
    assert "Ann uses Control Illumination with a 2x5: murky light within 3 m affects Ann and Bob" in log
    assert [[mod.dice for mod in mods_on(RULES, after, name)] for name in ("Ann", "Bob")] == [[-1], [-1]]
    mastered = replace(after, powers=(*after.powers, wards("Sense Mastery", "Bob", 2)))
    assert mods_on(RULES, mastered, "Bob") == ()
    for _ in range(2):
        after, _ = a_round(RULES, after, [], ["pass", "pass"])
    assert after.powers == ()
    far = fight(RULES, *people, metres=4)
    after, _ = a_round(RULES, far, [(5, 5, 1, 2, 3)], ["power:Control Illumination", "pass", "glare"])
    assert [each.on for each in after.powers] == ["Ann"]


def test_refraction_is_a_difficulty_for_blows_and_not_for_powers_and_bends_lasers():  # lines 6679-6711
    bent = Working("Refraction", "Bob", "Bob", 2, 6, kept=2)
    ann = psychic("Ann", "Contusion", "Coalesce Light", psi=4, skill=3, weapons=("broadsword",))
    state = replace(fight(RULES, ann, psychic("Bob", "Refraction", psi=5, insight=2), light="bright"), powers=(bent,))
    assert dice(state, "Ann", Act("attack", "Bob"))[1] == 6
    assert dice(state, "Ann", Act("power", "Bob", skill="Contusion"))[1] == 3
    after, log = a_round(RULES, state, [(8, 8, 4, 5, 6, 7, 9)], ["power:Coalesce Light:Bob", "pass"])
    assert "Ann uses Coalesce Light on Bob with a 2x8: the beam is deflected" in log
    assert part(after, "Bob", "torso") == (0, 0)


def test_whoever_is_hurt_holds_an_intense_power_with_psyche_and_focus():  # line 6711
    bent = Working("Refraction", "Bob", "Bob", 2, 6, kept=2)
    state = fight(RULES, psychic("Ann", "Contusion"), psychic("Bob", "Refraction", psi=5, insight=2), metres=2)
    faces, choices = (8, 8, 3, 4, 5), ["power:Contusion:Bob", "pass", 3]
    held, log = a_round(RULES, replace(state, powers=(bent,)), [faces, (4, 4, 1)], choices)
    assert ("Bob keeps up Refraction" in log, held.powers) == (True, (bent,))
    lost, log = a_round(RULES, replace(state, powers=(bent,)), [faces, (2, 2, 1)], choices)
    assert ("Bob is distracted and loses Refraction" in log, lost.powers) == (True, ())


def test_lift_brings_a_weapon_nearer():  # lines 6804-6814
    state = fight(RULES, psychic("Ann", "Lift", psi=3), plain("Bob", "broadsword"), metres=12)
    state = replace(state.change("Bob", in_hand=0, lost=(1,)), floor=(Dropped("Bob", 1, 12),))
    after, log = a_round(RULES, state, [(7, 7, 2, 3, 4)], ["power:Lift:0", "pass"])
    assert "Ann uses Lift with a 2x7: the broadsword moves 7 m nearer" in log
    assert after.floor[0].metres == 5
    assert "pick up:broadsword" in keys(RULES, after)


def test_flight_carries_far():  # lines 6878-6882
    state = fight(RULES, psychic("Ann", "Flight", psi=5, skill=3), plain(), metres=40)
    after, _ = a_round(RULES, state, [(6, 6, 5, 7, 8, 9, 10, 5)], ["power:Flight", "pass"])
    assert "fly:Bob" in keys(RULES, after)
    there, log = a_round(RULES, after, [], ["fly:Bob", "pass"])
    assert "Ann flies 38 m up to Bob" in log
    assert there.fighter("Ann").metres == 38
    assert [mod.dice for mod in mods_on(RULES, there, "Ann")] == [-1]


def test_heat_sink_puts_fires_out():  # lines 6884-6892
    alight = Working("Ignition", "Bob", "Ann", 2, 6, rounds=6, word="alight")
    state = fight(RULES, psychic("Ann", "Heat Sink", psi=5, skill=3), psychic("Bob", "Ignition", insight=2), metres=3)
    burning = replace(state, powers=(alight,))
    assert dice(burning, "Ann", Act("invoke", skill="Heat Sink")) == (6, 5)
    after, log = a_round(RULES, burning, [(6, 6, 5, 7, 8, 9)], ["power:Heat Sink", "pass"])
    assert ("Ann uses Heat Sink with a 2x6: puts out 1 fire" in log, after.powers) == (True, ())


def test_plasma_control_feeds_a_fire():  # lines 6894-6915
    alight = Working("Ignition", "Ann", "Bob", 1, 6, rounds=6, word="alight")
    state = fight(RULES, psychic("Ann", "Plasma Control", "Ignition", psi=5, skill=3), plain(), metres=3)
    after, log = a_round(
        RULES, replace(state, powers=(alight,)), [(6, 6, 5, 7, 8, 9, 10, 5), (7,), (8,), (7,)], ["power:Plasma Control", "pass"]
    )
    assert "Ann uses Plasma Control with a 2x6: the fire on Bob now has Area Rating 3" in log
    assert part(after, "Bob", "torso") == (3, 0)
    _shaped, log = a_round(RULES, state, [(6, 6, 5, 7, 8, 9, 10, 5)], ["power:Plasma Control", "pass", "some"])
    assert "Ann uses Plasma Control with a 2x6: shapes a flame: a hand" in log


def test_remote_manipulation_splits_its_height():  # lines 6832-6846
    state = fight(RULES, psychic("Ann", "Remote Manipulation", psi=3), plain(), metres=3)
    after, log = a_round(RULES, state, [(6, 6, 3, 4, 5)], ["power:Remote Manipulation", "pass", 1, "all"])
    assert "Ann uses Remote Manipulation with a 2x6: makes hands with Body 1 and Coordination 5" in log
    assert after.powers[0].kept == 1


def test_bi_location_costs_the_body_three_dice_and_its_burn_waits():  # lines 6394-6416
    state = fight(RULES, psychic("Ann", "Bi-location", psi=5, skill=3), plain(), metres=3)
    out, log = a_round(RULES, state, [(6, 6, 5, 7, 8, 9, 2, 1)], ["power:Bi-location", "pass"])
    assert [mod.dice for mod in mods_on(RULES, out, "Ann")] == [-3]
    assert "Ann will take 2 Shock from Burn when back in the body" in log
    assert out.fighter("Ann").body == state.fighter("Ann").body
    back, log = a_round(RULES, out, [], ["release:Bi-location", "pass", "torso", "left arm"])
    assert "Ann takes 2 Shock from Burn: 1 to the torso, 1 to the left arm" in log
    assert back.fighter("Ann").reserve.unburnt == 0


def test_a_failed_bi_location_burns_at_once_and_a_lost_one_on_return():  # line 6416
    state = fight(RULES, psychic("Ann", "Bi-location", psi=5, skill=3), plain(), metres=0)
    failed, log = a_round(RULES, state, [(6, 5, 7, 8, 9, 10, 2, 1)], ["power:Bi-location", "pass", "torso", "torso"])
    assert failed.fighter("Ann").body.part("torso").shock == 2
    out, _ = a_round(RULES, state, [(6, 6, 5, 7, 8, 9, 2, 1)], ["power:Bi-location", "pass"])
    lost, log = a_round(RULES, replace(out, powers=()), [], ["pass", "pass", "torso", "torso"])  # whatever ends the power
    assert "Ann takes 2 Shock from Burn: 2 to the torso" in log
    assert lost.fighter("Ann").reserve.unburnt == 0


def test_mending_heals_one_part_and_metamitosis_any_kill():  # lines 6983-6995, 7054-7060
    cid = plain("Cid", insight=3)
    state = fight(RULES, psychic("Ann", "Mending", "Metamitosis", "Regeneration", psi=5, skill=3), plain(), friends=(cid,), metres=9)
    body = state.fighter("Cid").body
    body = body.put(replace(body.part("torso"), shock=3, kill=3)).put(replace(body.part("left arm"), shock=2, kill=2))
    state = state.change("Cid", body=body)
    assert {"power:Mending:Cid", "power:Metamitosis:Cid"} <= keys(RULES, state)
    eight = (8, 8, 8, 8, 5, 6, 7, 9)
    after, _ = a_round(RULES, state, [eight], ["power:Mending:Cid", "pass", "pass", "torso"])
    assert (part(after, "Cid", "torso"), part(after, "Cid", "left arm")) == ((3, 0), (2, 2))
    after, _ = a_round(RULES, state, [eight], ["power:Metamitosis:Cid", "pass", "pass", "left arm"])
    assert (part(after, "Cid", "torso"), part(after, "Cid", "left arm")) == ((1, 3), (0, 2))
    assert dice(after, "Ann", Act("invoke", "Cid", skill="Metamitosis")) == (7, 4)  # a die less the second time
    after, _ = a_round(RULES, state, [eight], ["power:Regeneration:Cid", "pass", "pass", "torso"])
    assert (part(after, "Cid", "torso"), part(after, "Cid", "left arm")) == ((3, 0), (2, 1))


def test_antitoxin_takes_virulence_down():  # lines 7011-7030
    state = fight(RULES, psychic("Ann", "Antitoxin", psi=3), plain(), metres=9)
    _, log = a_round(RULES, state, [(8, 8, 3, 4, 5)], ["power:Antitoxin:Ann", "pass", 3])
    assert "Ann uses Antitoxin with a 2x8: Virulence 1 is left" in log


# --- limits -------------------------------------------------------------------------------------------------------------------


def test_low_dice_burn_their_user_in_boxes_of_his_choice():  # lines 6018, 6173
    state = fight(RULES, psychic("Ann", "Contusion"), plain(), metres=2)
    after, log = a_round(RULES, state, [(8, 8, 1, 2, 3)], ["power:Contusion:Bob", "pass", "left leg", "left arm"])
    assert "Ann takes 2 Shock from Burn: 1 to the left leg, 1 to the left arm" in log
    assert (part(after, "Ann", "left leg"), part(after, "Ann", "left arm")) == ((0, 1), (0, 1))
    after, log = a_round(
        VITAL, fight(VITAL, psychic("Ann", "Contusion"), plain(), metres=2), [(8, 7, 1, 2, 3)], ["power:Contusion:Bob", "pass"]
    )
    assert after.fighter("Ann").body.shock == 2  # a roll that fails burns too


def test_mana_is_spent_by_the_level_of_the_effect():  # line 6020
    state = fight(RULES, psychic("Ann", "Contusion", "Mending", psi=3, limit=3, energy=1), plain(), metres=2)
    after, log = a_round(RULES, state, [(8, 8, 1, 2, 3)], ["power:Contusion:Bob", "pass"])
    assert "Ann spends 3 Energy Points on Contusion" in log
    assert after.fighter("Ann").reserve.spent("meta-psychic") == 3
    assert "power:Contusion:Bob" not in keys(RULES, after)  # one Energy Point of four is left
    scene = FightScene(RULES)
    assert scene.lasting(after, "Ann")["reserve.energy"].value == [["meta-psychic", 3]]


def test_an_effect_once_a_session_is_used_up_even_by_a_roll_that_fails():  # line 6017
    state = fight(RULES, psychic("Ann", "Contusion", limit=0), plain(), metres=2)
    after, log = a_round(RULES, state, [(1, 2, 3, 4, 5)], ["power:Contusion:Bob", "pass"])
    assert "Ann uses Contusion, its only use this session" in log
    assert "power:Contusion:Bob" not in keys(RULES, after)


def test_materials_are_used_up_by_the_level():  # lines 6021, 6141
    state = fight(RULES, psychic("Ann", "Contusion", limit=4), plain(), metres=2)
    _, log = a_round(RULES, state, [(1, 2, 3, 4, 5)], ["power:Contusion:Bob", "pass"])
    assert "Ann uses up materials worth 60 pounds on Contusion" in log


def test_what_must_be_prepared_the_game_master_is_asked_for():  # line 6019
    state = fight(RULES, psychic("Ann", "Contusion", limit=2), plain(), metres=2)
    after, _ = a_round(RULES, state, [(8, 8, 1, 2, 3)], ["power:Contusion:Bob", "yes", "pass"])
    assert part(after, "Bob", "torso") == (0, 2)
    after, log = a_round(RULES, state, [], ["power:Contusion:Bob", "no", "pass"])
    assert part(after, "Bob", "torso") == (0, 0)
    assert "Ann uses Contusion. Was it prepared? No" in log


def test_an_inherent_power_needs_no_roll_or_the_one_that_was_named():  # lines 6063-6075
    mist, sway = Inherent("Mist", 4, does="becomes mist"), Inherent("Hypnosis", 3, statistic="command", skill="focus", resist="nerve")
    ann = replace(psychic("Ann"), inherent=(mist, sway))
    state = fight(RULES, ann, plain(), metres=2)
    _, log = a_round(RULES, state, [], ["power:Mist", "pass", "all"])
    assert "Ann uses Mist: becomes mist" in log
    assert dice(state, "Ann", Act("power", "Bob", skill="Hypnosis")) == (5, 1)
    _, log = a_round(RULES, state, [(8, 8, 8, 3, 4), (1, 2, 3, 4, 6)], ["power:Hypnosis:Bob", "pass", "some"])
    assert "Ann uses Hypnosis. What happens? Some of it" in log


# --- with everything else -----------------------------------------------------------------------------------------------------


def test_a_power_goes_together_with_other_actions():  # lines 397-421
    state = fight(RULES, psychic("Ann", "Contusion", psi=5, skill=3), plain("Bob", "broadsword"))
    acts = Act("power", "Bob", skill="Contusion"), Act("dodge")
    assert dice(state, "Ann", *acts) == (5, 3)  # the smaller pool of six, less a die
    choices = ["several", "power:Contusion:Bob", "dodge", "done", "attack:Ann", "2x8"]
    after, log = a_round(RULES, state, [(8, 8, 9, 9, 5), (7, 7, 1, 2, 3, 4)], choices)
    assert part(after, "Bob", "torso") == (0, 2)
    assert "Bob is stopped by Ann" in log


def test_whoever_falls_keeps_nothing_up():
    kept = Working("Passive Voice", "Bob", "Ann", 2, 5, kept=1, word="calm")
    state = fight(RULES, psychic("Ann", "Lacerate", psi=5), psychic("Bob", "Passive Voice", psi=4, insight=2), metres=2)
    body = state.fighter("Bob").body
    state = replace(state.change("Bob", body=body.put(replace(body.part("torso"), shock=7))), powers=(kept,))
    free = replace(state, powers=(replace(kept, on="Bob", by="Bob", word=""),))
    after, log = a_round(RULES, free, [SEVEN], ["power:Lacerate:Bob", "pass"])
    assert "Bob can no longer keep up Passive Voice" in log
    assert after.powers == ()


def test_cards_show_powers_and_what_is_left_of_their_limits():
    kept = Working("Mindshield", "Ann", "Ann", 3, 5, kept=1)
    state = replace(fight(RULES, psychic("Ann", "Mindshield", psi=4, limit=3), plain()), powers=(kept,))
    card = FightScene(RULES).view(state, None).cards[0]
    names = {piece.name for piece in card.pieces}
    assert {"Mindshield", "Energy Points"} <= names
