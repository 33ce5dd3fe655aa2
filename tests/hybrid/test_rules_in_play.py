"""Rules that were right as calls and are at work in fights and on the sheet as well; and numbers at the edges."""

from random import Random

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Player, Range, Seeded, script
from rulewright.systems.hybrid.build.audit import audit
from rulewright.systems.hybrid.build.sheet import sheet
from rulewright.systems.hybrid.combat.attack_terms import Tries, bearing, guarded
from rulewright.systems.hybrid.combat.attacks import Attacked, dodge
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Ground, defense_of, enter, situation
from rulewright.systems.hybrid.combat.initiative import rushed
from rulewright.systems.hybrid.combat.maneuvers import hold_strength
from rulewright.systems.hybrid.fight.actions.registry import open_to
from rulewright.systems.hybrid.fight.defences import get_inside, without
from rulewright.systems.hybrid.fight.log_events import set_off
from rulewright.systems.hybrid.fight.timeline import happens, next_count
from rulewright.systems.hybrid.harm.damage import SOUND, Blow, system_shock, wound
from rulewright.systems.hybrid.harm.energy import Energy, Strained, keep_up, spend
from rulewright.systems.hybrid.harm.events import Wounded
from rulewright.systems.hybrid.lab_view.batch_counts import Counts
from rulewright.systems.hybrid.people.advancement import experience_left
from rulewright.systems.hybrid.people.characters import Award, Character, Gear, Person, Raised, Related, Skill, Training
from rulewright.systems.hybrid.people.skills import Ranks, Use, pool_bonus, ranks_percent, use_check
from rulewright.systems.hybrid.resolution.tests import Check, Degree, limits
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
SKILLS = {"Dagger": 8, "Sword": 8, "Unarmed Combat": 8, "Melee: Spear": 8, "Throw Object": 8}


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def person(name, side, x=0.0, weapons=("knife",), skills=None, spells=(), rules=RULES, character=None, **changes):
    kept = character or Character(name=name, skills=SKILLS if skills is None else skills, gear=Gear(tuple(weapons), (), tuple(spells)))
    return replace(enter(rules, kept, name, side, at=(x, 0.0)), **{"entered": True, "aware": True, **changes})


def fight(*people, place=None, **changes):
    return Fight(place or Ground(), people, **changes)


def stepped(state, faces=(), choices=(), rules=RULES):
    played = script(next_count(rules, state), faces, choices)
    return played.outcome, [event.headline() for event in played.events]


def terms(derived):
    return [(each.label, each.value, each.rule) for each in derived.reasons]


# --- numbers ----------------------------------------------------------------------------------------------------------------------


def test_support_skills_help_nobody_who_is_unranked_however_ranks_count():  # 677-679
    percent = under(ranks_count="percent")
    assert ranks_percent(percent, Ranks(None, None, (6, 4))).value == 0
    assert ranks_percent(percent, Ranks(0, None, (6, 4))).value == 20
    unranked = Use(ranks=Ranks(None, None, (6,)))
    assert use_check(percent, unranked) == use_check(RULES, unranked)


def test_a_number_that_was_cut_says_so():  # 695, 1000, 854-856, 1085
    assert pool_bonus(RULES, (4, 30, 30)).value == 18
    capped = pool_bonus(RULES, (3, *[3] * 20))
    assert (capped.value, terms(capped)[-1]) == (3, ("at most the highest rank", 3, "hyb-3-skill-pools"))
    full = hold_strength(RULES, 50, 40, 12)
    assert (full.value, terms(full)[-1]) == (60, ("at most 5 × PST 12", 60, "hyb-8-hold"))
    hurried = rushed(RULES, 12, 10, 5)
    assert (hurried.value, terms(hurried)[-1]) == (26, ("5 of 10 counts", "", "hyb-7-rushing"))
    assert terms(dodge(RULES, 12, 7, True))[-1] == ("from evasion", 3, "hyb-8-evasion")


def test_a_roll_that_failed_leaves_a_hold_as_it_was():  # 1000
    assert hold_strength(RULES, 0, -5).value == 0
    assert hold_strength(RULES, 20, -5).value == 20
    assert hold_strength(RULES, 20, -5, by_victim=True).value == 20
    assert hold_strength(RULES, 0, 0).value == 1


def test_hours_of_training_that_were_too_few_count_on():  # 655-657
    trained = Character(name="Al", advancement=(Training(5, "teacher"), Training(19, "partner"), Training(4, "teacher")))
    assert experience_left(RULES, trained).value == 0
    more = replace(trained, advancement=(*trained.advancement, Training(1, "teacher"), Training(1, "partner"), Award(2)))
    assert experience_left(RULES, more).value == 4


def test_the_worse_shock_stays_with_the_statistic_that_ends_it():  # 1052-1065
    stunned = replace(SOUND, shock="badly stunned", shock_mental=True)
    lesser = script(system_shock(RULES, stunned), [(60,)]).outcome
    assert (lesser.shock, lesser.shock_mental) == ("badly stunned", True)
    worse = script(system_shock(RULES, replace(stunned, shock="jolted")), [(80,)]).outcome
    assert (worse.shock, worse.shock_mental) == ("stunned", False)


# --- presets (838-842, 964-970) ---------------------------------------------------------------------------------------------------


def test_a_feint_sets_off_a_preset_only_where_it_fools():
    waiting = person("Bo", "b", 1.0, at=50, waiting=True, doing=Doing("wait", "", 0))
    state = fight(person("Al", "a", at=10), waiting, count=5)
    begun, told = stepped(state, [], ["feint:Bo"])  # no roll: nothing is to be seen before the feint itself
    assert told == ["Count 10", "Al feints at Bo (takes effect at count 11)"]
    fooled, _ = stepped(begun, [(1,), (99,), (3, 4), (3, 4)])
    assert (fooled.fighter("Bo").waiting, fooled.fighter("Bo").at) == (False, 11 + 7 + 8 - 4)
    seen, _ = stepped(begun, [(30,), (1,), (3, 4)])
    assert seen.fighter("Bo").waiting


def test_one_can_wait_for_a_weapon_to_be_drawn():
    state = fight(person("Al", "a", at=10, in_hand=1), person("Bo", "b", 8.0, at=5))
    state, told = stepped(state, [], ["wait draw"])
    assert told[-1] == "Bo waits for a weapon to be drawn"
    assert state.fighter("Bo").doing == Doing("wait", "", 5, called="draw")
    drawn, told = stepped(state, [(20,), (3, 4)], ["draw:knife"])
    assert told[-2:] == ["Bo reacts: this is the event they waited for", "Bo will be ready at count 21"]
    assert not drawn.fighter("Bo").waiting
    missed, _ = stepped(state, [(99,)], ["draw:knife"])
    assert missed.fighter("Bo").waiting
    near = fight(person("Al", "a", at=10), replace(state.fighter("Bo"), x=1.0), count=5)
    struck, _ = stepped(near, [], ["attack:Bo"])
    assert struck.fighter("Bo").waiting  # an attack is not what they wait for


def test_what_friends_do_sets_off_no_preset():
    friend = person("Ann", "b", 0.0, spells=("ward",), skills={**SKILLS, "Magic: Warding": 9}, at=10)
    state = fight(friend, person("Bo", "b", 1.0, at=50, waiting=True, doing=Doing("wait", "", 0)), person("Al", "a", 9.0, at=60))
    warded, _ = stepped(state, [], ["cast ward:Bo"])
    assert warded.fighter("Bo").waiting
    assert script(set_off(RULES, state, "Bo", 10), [(3, 4)]).outcome.fighter("Bo").at == 21


# --- holds and bound weapons (992-1000, 1125-1129) --------------------------------------------------------------------------------


def test_who_holds_or_is_bound_goes_nowhere_before_letting_go():
    free = fight(person("Al", "a", at=10, in_hand=1), person("Bo", "b", 1.0, at=50))
    assert {"dodge", "retreat"} <= set(open_to(RULES, free, free.fighter("Al")))
    for changes in ({"holding": "Bo", "hold": 20}, {"bound_with": "Bo"}):
        state = free.change("Al", **changes)
        assert not {"dodge", "retreat"} & set(open_to(RULES, state, state.fighter("Al")))
    attacked = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, at=50))
    attacked, _ = stepped(attacked, [], ["attack:Bo"])
    bound = attacked.change("Bo", bound_with="Cy")
    assert script(next_count(RULES, attacked), [(99,), (3, 4)], ["dodge"]).outcome.fighter("Bo").doing.what == "dodge"
    for way in ("dodge", "drop prone"):
        with pytest.raises(UserError):
            script(next_count(RULES, bound), [(99,), (3, 4)], [way])


def test_the_subdued_can_still_struggle_and_nothing_else():  # 1000
    held = person("Bo", "b", 1.0, at=20, doing=Doing("attack", "Al", 5))
    state = fight(person("Al", "a", at=60, holding="Bo", hold=60), held, person("Cy", "b", 9.0, at=90), count=10)
    assert not state.able(RULES, held)
    lost, told = stepped(state, [(3, 4)])
    assert (told[-1], lost.fighter("Bo").doing) == ("Bo will be ready at count 33", None)
    assert open_to(RULES, lost, lost.fighter("Bo")) == ("struggle", "pass")
    begun, _ = stepped(lost, [], ["struggle"])
    after, told = stepped(begun, [(2,), (3, 4)])
    assert "Bo is free" in told
    assert after.fighter("Al").holding == ""  # made by 67 - 2, more than the 60 of the hold


def test_a_hold_keeps_nobody_from_fighting_at_arms_length():  # 908, 998-1000: it says so nowhere
    state = fight(person("Al", "a", at=60, holding="Bo", hold=59), person("Bo", "b", 1.0, ("spear", "knife"), at=20), count=10)
    keys = ("struggle", "attack:Al", "draw:knife", "fast draw:knife", "drop weapon", "pass")
    assert open_to(RULES, state, state.fighter("Bo")) == keys
    assert open_to(under(in_a_hold="struggle"), state, state.fighter("Bo")) == ("struggle", "pass")
    bare = state.change("Bo", in_hand=[arm.name for arm in state.fighter("Bo").profile.arms].index("fist"))
    assert {"attack:Al", "throw:Al", "overbear:Al"} <= set(open_to(RULES, bare, bare.fighter("Bo")))


def test_who_is_held_parries_like_anybody():  # 994: a grapple, and what follows it, may be countered normally
    struck = fight(
        person("Al", "a", at=14, holding="Bo", hold=20, doing=Doing("attack", "Bo", 10)), person("Bo", "b", 1.0, at=50), count=10
    )
    after, _ = stepped(struck, [(29,), (2,), (3, 4)], ["parry"])
    assert after.fighter("Bo").body == struck.fighter("Bo").body
    with pytest.raises(UserError):
        stepped(struck, [(29,), (2,), (3, 4)], ["parry"], rules=under(in_a_hold="struggle"))


def test_nobody_is_thrown_who_lies_on_the_ground():  # 974-988: what it gains is to have the other there
    state = fight(person("Al", "a", in_hand=1, at=20), person("Bo", "b", 1.0, at=50), count=10)
    down = state.change("Bo", body=replace(state.fighter("Bo").body, prone=True))
    both = {"throw:Bo", "overbear:Bo", "throw how:Bo", "overbear how:Bo"}
    assert both <= set(open_to(RULES, state, state.fighter("Al")))
    assert not both & set(open_to(RULES, down, down.fighter("Al")))
    assert both <= set(open_to(under(prone_thrown=True), down, down.fighter("Al")))
    begun = down.change("Al", doing=Doing("throw", "Bo", 10))
    _, told = stepped(begun, [(3, 4)])
    assert "Al finds Bo on the ground already" in told


def test_a_grip_that_is_parried_far_unbalances_and_tells_the_unaware():  # 994, 1129
    state = fight(person("Al", "a", in_hand=1, at=14, doing=Doing("grapple", "Bo", 10)), person("Bo", "b", 1.0, ("fist",), at=50), count=10)
    state = state.change("Bo", in_hand=1)
    after, _ = stepped(state, [(29,), (2,), (3, 4)], ["parry"])
    assert (after.fighter("Al").holding, after.fighter("Al").off_balance) == ("", -4)
    unaware = state.change("Bo", aware=False)
    after = script(happens(RULES, unaware, replace(unaware, count=14), "Al", 14), [(99,), (99,), (3, 4)], []).outcome
    assert after.fighter("Bo").aware


def test_a_fend_that_is_parried_binds_or_unbalances_like_any_attack():  # 902, 1125-1129
    state = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, ("spear",), at=50))
    closing = get_inside(RULES, state, "Al", "Bo", now=10, length=20)
    after, inside = script(closing, [(30,), (20,)], ["fend", "parry"]).outcome
    assert (inside, after.fighter("Bo").off_balance) == (True, -4)
    closing = get_inside(RULES, state, "Al", "Bo", now=10, length=20)
    after, inside = script(closing, [(30,), (50,)], ["fend", "parry"]).outcome
    assert (inside, after.fighter("Al").bound_with, after.fighter("Bo").bound_with) == (False, "Bo", "Al")


def test_disarming_needs_getting_past_a_longer_weapon():  # 900, 946
    state = fight(person("Al", "a", at=12, doing=Doing("disarm", "Bo", 10)), person("Bo", "b", 1.0, ("spear",), at=50), count=10)
    kept, told = stepped(state, [(10,), (3, 4)], ["fend", "go on", "break off"])
    assert "Al is kept outside the reach of Bo" in told
    assert kept.fighter("Bo").arm.name == "spear"
    came, told = stepped(state, [(1,), (99,), (3, 4)], ["let them come"])
    assert "Bo loses the spear" in told
    assert came.fighter("Al").inside == ("Bo",)


def test_nobody_loses_bare_hands_however_deeds_cross():  # a weapon knocked away while it is being dropped, or dropped when struck at
    al = person("Al", "a", at=12, doing=Doing("drop weapon", "", 10))
    fists = al.place("fist")
    crossed, told = stepped(fight(replace(al, in_hand=fists, lost=(0,)), person("Bo", "b", 1.0, at=50), count=10))
    assert (crossed.fighter("Al").lost, crossed.fighter("Al").in_hand) == ((0,), fists)
    assert not any("drops" in line for line in told)
    disarms = person("Al", "a", at=12, doing=Doing("disarm", "Bo", 10))
    drops = person("Bo", "b", 1.0, at=12, doing=Doing("drop weapon", "", 10))
    for state in (fight(disarms, drops, count=10), fight(drops, disarms, count=10)):  # at the same count
        for seed in range(12):
            after = Player(Seeded(seed), lambda choice: choice.keys()[0]).run(next_count(RULES, state))
            assert (after.fighter("Bo").lost, after.fighter("Bo").arm.name) == ((0,), "fist")
    assert without(crossed, "Al", fists) == crossed
    assert without(crossed, "Al", 0) == crossed


def test_after_a_dodge_nobody_is_inside_ones_reach():  # 1091-1095
    dodger = person("Bo", "b", 1.0, ("spear",), at=30, doing=Doing("dodge", "", 10), inside=("Cy",))
    state = fight(person("Al", "a", at=90, inside=("Bo", "Cy")), dodger, count=20)
    after, _ = stepped(state, [(3, 4)])
    assert (after.fighter("Al").inside, after.fighter("Bo").inside) == (("Cy",), ())


# --- rolling with the blow (1135-1139, 472-489) -----------------------------------------------------------------------------------


def test_what_hinders_acts_hinders_rolling_with_the_blow():
    state = fight(person("Al", "a", at=12, doing=Doing("attack", "Bo", 10)), person("Bo", "b", 1.0, at=50), count=10)
    hurt = replace(state.fighter("Bo").body, pbd=12)  # half of 24: 4 less
    faces = [(30,), (20,), (4,), (45,), (3, 4), (3, 4)]
    played = script(next_count(RULES, state), faces, ["defend", "roll with the blow"])
    assert [each.roll.reading.limits[4][0] for each in played.rolls if each.roll.what == "rolling with the blow"] == [52]
    played = script(next_count(RULES, state.change("Bo", body=hurt, retreating=False)), faces, ["defend", "roll with the blow"])
    assert [each.roll.reading.limits[4][0] for each in played.rolls if each.roll.what == "rolling with the blow"] == [40]


# --- energy in a fight (724-768, 493-502) -----------------------------------------------------------------------------------------


def test_energy_over_counts_in_parts_that_count_on():  # 734-752
    assert keep_up(RULES, Energy(), "dash", 10) == Strained(replace(Energy(), exhaustion=58))
    assert keep_up(RULES, Energy(), "dash", 4) == Strained(Energy(), (0, 28_800))
    assert keep_up(RULES, Energy(), "dash", 1, (0, 28_800)) == Strained(replace(Energy(), exhaustion=59))
    assert keep_up(RULES, Energy(), "running", 99).energy.exhaustion == 60
    assert keep_up(RULES, Energy(), "running", 100).energy.exhaustion == 59
    assert keep_up(RULES, Energy(), "walking", 600).energy == replace(Energy(), fatigue=35)
    assert keep_up(RULES, Energy(), "walking", 36_000).energy == spend(RULES, Energy(), "walking", 3600)
    assert keep_up(RULES, Energy(), "crawling", 36_000) == Strained(Energy())
    twice = keep_up(under(exhaustion_twice=True), Energy(), "walking", 6_000)
    assert (twice.energy.fatigue, twice.energy.exhaustion) == (26, 58)
    with pytest.raises(UserError):
        keep_up(RULES, Energy(), "dash", -1)


def test_one_can_dash_in_a_fight_and_pays_for_it():  # 742, 794
    state = fight(person("Al", "a", at=10), person("Bo", "b", 30.0, at=900))
    assert "dash:Bo" in open_to(RULES, state, state.fighter("Al"))
    state, told = stepped(state, [(20,), (3, 4)], ["dash:Bo"])
    assert told[-1] == "Al approaches Bo at a run (until count 23)"
    state, _ = stepped(state)
    assert state.fighter("Al").strain == (0, 13 * 360)
    state, told = stepped(state, [(20,), (3, 4)], ["dash:Bo"])
    assert told[-1] == "Al approaches Bo at a dash (until count 36)"
    state, _ = stepped(state)
    al = state.fighter("Al")
    assert al.body.energy.exhaustion == 60 - 2  # 13 counts at 2 a second are 2.6
    assert al.strain == (0, 13 * 360 + 13 * 7_200 - 2 * 36_000)
    _, told = stepped(state, [(3, 4)], ["approach:Bo"])  # slowing down needs no roll
    assert "at a run" in told[-1]


def test_resting_for_a_second_gives_back_a_point_of_fatigue():  # 762-766
    tired = person("Al", "a", at=10)
    assert "rest" not in open_to(RULES, fight(tired, person("Bo", "b", 9.0)), tired)
    tired = replace(
        tired, body=replace(tired.body, energy=replace(tired.body.energy, fatigue=20), mind=replace(tired.body.mind, fatigue=9))
    )
    state, _ = stepped(fight(tired, person("Bo", "b", 9.0, at=900)), [], ["rest"])
    assert state.fighter("Al").at == 20
    body = stepped(state, [(3, 4)])[0].fighter("Al").body
    assert (body.energy.fatigue, body.mind.fatigue) == (21, 10)
    alone = under(mind_rests_alike=False)
    body = stepped(state, [(3, 4)], rules=alone)[0].fighter("Al").body
    assert (body.energy.fatigue, body.mind.fatigue) == (21, 9)


def test_spells_are_paid_from_exhaustion_once_fatigue_is_empty():  # 728-732
    mage = person("Al", "a", spells=("fire dart",), skills={**SKILLS, "Magic: Fire": 9}, at=10)
    mage = replace(mage, body=replace(mage.body, mind=replace(mage.body.mind, fatigue=1, exhaustion=40, worn=0)))
    state = fight(mage, person("Bo", "b", 8.0, at=900))
    assert "cast fire dart:Bo" in open_to(RULES, state, mage)
    assert "cast fire dart:Bo" not in open_to(under(exhaustion_follows_fatigue=False), state, mage)
    spent = replace(mage, body=replace(mage.body, mind=replace(mage.body.mind, exhaustion=1)))
    assert "cast fire dart:Bo" not in open_to(RULES, fight(spent, person("Bo", "b", 8.0)), spent)
    state, _ = stepped(state, [], ["cast fire dart:Bo"])
    after, _ = stepped(state, [(99,), (3, 4)], ["defend"])
    mind = after.fighter("Al").body.mind
    assert (mind.fatigue, mind.exhaustion) == (0, 38)


def test_a_wound_bleeds_until_it_is_treated():  # 1050
    hurt = person("Bo", "b", 1.0, at=90)
    hurt = replace(hurt, body=replace(hurt.body, bleeding=(3, 7), pbd=20))
    medic = person("Ann", "b", at=10, skills={**SKILLS, "First Aid": 9})
    state = fight(medic, hurt, person("Al", "a", 30.0, at=900), count=9)
    keys = open_to(RULES, state, medic)
    assert "treat:Bo" in keys
    assert "treat:Al" not in keys
    assert "treat:Ann" not in keys
    state, _ = stepped(state, [], ["treat:Bo"])
    assert medic.profile.first_aid == Check(12 + 9 - 4 - 1)
    missed, told = stepped(state, [(61,), (3, 4)])
    assert (told[-2], missed.fighter("Bo").body.bleeding) == ("Ann cannot stop the blood of Bo", (3, 7))
    stopped, told = stepped(state, [(60,), (3, 4)])
    assert (told[-2], stopped.fighter("Bo").body.bleeding) == ("Ann stops the blood of Bo", ())
    assert person("Al", "a").profile.first_aid == Check(12 - 15 - 5)


def test_mending_stops_the_blood_too():
    hurt = person("Bo", "b", 1.0, at=900)
    hurt = replace(hurt, body=replace(hurt.body, bleeding=(3,)))
    healer = person("Ann", "b", at=10, spells=("mend",), skills={**SKILLS, "Magic: Healing": 20})
    state = fight(healer, hurt, person("Al", "a", 30.0, at=900))
    state, _ = stepped(state, [], ["cast mend:Bo"])
    assert stepped(state, [(5,), (3, 4)])[0].fighter("Bo").body.bleeding == ()


def test_spells_that_help_can_be_prepared_or_rushed():  # 852-856, 874-888
    mage = person("Ann", "b", at=10, spells=("ward",), skills={**SKILLS, "Magic: Warding": 8})
    state = fight(mage, person("Al", "a", 30.0, at=900))
    assert mage.profile.arms[-1].check == Check(12 + 8 - 4 - 5)
    rushed_, _ = stepped(state, [], ["cast how ward:Ann", "rushed", "enough", 10])
    assert (rushed_.fighter("Ann").at, rushed_.fighter("Ann").doing.share) == (10 + 10 - 4, (1, 2))
    _, told = stepped(rushed_, [(25,), (3, 4)])  # half of 49
    assert "Ann casts ward without effect" in told
    prepared, _ = stepped(state, [], ["cast how ward:Ann", "set up", "enough"])
    assert prepared.fighter("Ann").at == 10 + 16 + 16
    whole, _ = stepped(state, [], ["cast how ward:Ann", "set up", "enough"], under(speed_points_first=False))
    assert whole.fighter("Ann").at == 10 + 40 - 4
    made, _ = stepped(prepared, [(85,), (3, 4)])  # 49, and 20 + 16 for rank 8
    assert made.fighter("Ann").ward == 6


# --- manners of everything that is tried like a blow (852-962) --------------------------------------------------------------------


def wrestlers(**of_bo):
    return fight(person("Al", "a", in_hand=1, at=10), person("Bo", "b", 1.0, ("fist",), **{"at": 900, "in_hand": 1, **of_bo}))


def chances(state, faces, choices):
    """The chances of all checks that were rolled in one step."""
    played = script(next_count(RULES, state), faces, choices)
    return [each.roll.reading.chance for each in played.rolls if hasattr(each.roll.reading, "chance")], played.outcome


def test_a_grip_can_be_tried_all_out():  # 918-920
    state, _ = stepped(wrestlers(), [], ["grapple how:Bo", "all out", "enough"])
    al = state.fighter("Al")
    assert (al.all_out, al.doing.way) == ("body", "all out")
    found, after = chances(state, [(50,), (3, 4)], ["defend"])
    assert found == [67]  # DF 20 with 12 more, less 12
    assert after.fighter("Al").hold == 17


def test_a_throw_can_be_spun_into_and_an_overbear_jumped():  # 948-962
    state, _ = stepped(wrestlers(), [], ["throw how:Bo", "spinning", "enough"])
    assert state.fighter("Al").at == 10 + 2  # 4 counts less half of rank 8 are 1 at least, and half again
    thrown, told = stepped(state, [(1,), (20,), (3, 4)], ["defend", "take it"])  # DF 20 - 5 - 2 - 12 is 1: 11 percent
    assert "Bo takes 36 damage to the chest (PFT -36)" in told  # strike value 6 twice, half again, twice for a very notable success
    assert thrown.fighter("Bo").body.prone
    with pytest.raises(UserError):
        stepped(wrestlers(), [], ["grapple how:Bo", "jumping"])


def test_a_disarm_can_be_prepared_and_a_feint_rushed_or_pressed():  # 852-856, 874-888, 922-924
    state = fight(person("Al", "a", weapons=("short sword",), at=10), person("Bo", "b", 1.0, at=900))
    begun, _ = stepped(state, [], ["disarm how:Bo", "set up", "enough"])
    assert begun.fighter("Al").at == 10 + 6 - 4
    found, _ = chances(begun, [(90,), (50,), (3, 4)], [])
    assert found == [59 + 20 + 16]  # DF 19 - 4, and 20 percent with 2 a rank
    begun, _ = stepped(state, [], ["feint how:Bo", "rushed", "enough", 1])
    assert begun.fighter("Al").doing.share == (1, 3)
    assert chances(begun, [(90,), (3, 4)], [])[0] == [18]  # a third of 54
    begun, _ = stepped(state, [], ["feint how:Bo", "advance", "enough"])
    assert chances(begun, [(90,), (3, 4)], [])[0] == [62]  # DF 19 - 6 + 4
    longer = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, ("short sword",), at=900))
    with pytest.raises(UserError):
        stepped(longer, [], ["feint how:Bo", "advance"])
    with pytest.raises(UserError):
        stepped(state, [], ["feint how:Bo", "all out"])


# --- support skills for every action (677-679) ------------------------------------------------------------------------------------


def test_a_support_skill_helps_whatever_it_is_trained_for():
    def trained(action):
        more = {f"Sword: {action.title()}": Skill(6, "support", of="Sword")}
        return person("Al", "a", weapons=("short sword",), skills={**SKILLS, **more}).arm

    plain = Check(12 + 8 - 1)
    for action in ("feint", "disarm", "fend", "free", "fast draw"):
        assert (trained(action).by(action), trained(action).check, trained(action).by("overbear")) == (Check(22), plain, plain)
    struck = trained("attack")
    assert (struck.check, struck.by("feint"), struck.parry) == (Check(22), plain, plain)
    grips = {**SKILLS, "Unarmed Combat: Throw": Skill(4, "support", of="Unarmed Combat")}
    fists = person("Al", "a", skills=grips).fists
    assert (fists.by("throw"), fists.by("grapple")) == (Check(22), Check(20))
    state = fight(
        person("Al", "a", skills=grips, in_hand=1, at=14, doing=Doing("throw", "Bo", 10)),
        person("Bo", "b", 1.0, in_hand=1, at=900),
        count=10,
    )
    told = script(next_count(RULES, state), [(99,), (3, 4)], ["defend"]).events
    assert next(event.chance for event in told if isinstance(event, Attacked)) == 29  # DF 22 - 5 - 12


# --- why a chance is what it is ---------------------------------------------------------------------------------------------------


def test_the_log_says_why_an_attack_has_its_chance():
    al = person("Al", "a", at=14, off_balance=-2, doing=Doing("attack", "Bo", 10, "all out", "arm"))
    al = replace(al, body=replace(al.body, pbd=12, shock="jolted"))
    bo = person("Bo", "b", 1.0, at=900, evading=True, retreating=True)
    state = fight(al, bo, place=Ground(("visibility reduced 50%",)), count=10)
    event = next(each for each in script(next_count(RULES, state), [(99,), (3, 4)], ["defend"]).events if isinstance(each, Attacked))
    (whole,) = event.reasons()
    (row,) = whole.terms
    (factor,) = row.terms
    assert [(each.label, each.value, each.rule) for each in factor.terms] == [
        ("statistic", 12, "hyb-2-difficulty-factor"),
        ("ranks", 8, "hyb-3-general-support-skills"),
        ("the skill itself", -1, "hyb-3-skill-component-costs"),
        ("significantly physically wounded", -4, "hyb-2-condition-modifiers"),
        ("shock: jolted", -2, "hyb-8-shock"),
        ("off balance", -2, "hyb-8-parry-side-effects"),
        ("visibility reduced 50%", -3, "hyb-2-environment-modifiers"),
        ("all out attack", 12, "hyb-8-all-out-attack"),
        ("called shot: arm", -9, "hyb-8-called-shots"),
        ("defense", 30, "hyb-8-normal-defense"),
    ]
    assert [(each.label, each.value, each.rule) for each in factor.terms[-1].terms][1:] == [
        ("evading", 2.0, "hyb-8-evasion"),
        ("retreating", 6, "hyb-8-retreat"),
    ]
    assert (factor.value, row.value, whole.value, event.chance) == (-19, 1, 1, 1)


@pytest.mark.parametrize("settings", [{}, {"defense-counts": "percent"}, {"setup-after-look-up": False, "ranks-count": "percent"}], ids=str)
def test_the_terms_of_every_attack_come_to_the_chance_that_was_rolled(settings):
    chosen, seen, tries = Random(5), 0, 0
    for scenario in ("ambush", "arrest", "duel", "knife-fight"):
        staged = library.stage(f"hybrid/{scenario}", changes={"settings": settings})

        def anything(choice):
            if isinstance(choice.options, Range):
                return chosen.randint(choice.options.low, choice.options.high)
            keys = [option.key for option in choice.options]
            blows = [key for key in keys if " how" in key]
            return chosen.choice(blows if blows and chosen.random() < 0.7 else keys)

        state = staged.state
        for seed in range(150):
            if staged.scene.result(state) is not None:
                state = staged.state
            player = Player(Seeded(seed), anything)
            state = player.run(staged.scene.step(state))
            for event in player.events:
                if isinstance(event, Attacked):
                    seen += 1
                    assert event.why.chance.value == event.chance
                if isinstance(event, Tries):
                    tries += 1
                    (factor,) = event.chance.reasons[0].terms
                    assert (factor.value, event.chance.value) == (event.check.df, limits(staged.rules, event.check).chance)
            for one in state.fighters:
                for offensive in (True, False, None):
                    found = sum(each.value for each in bearing(staged.rules, state, one, offensive, "mental"))
                    assert found == situation(staged.rules, state, one, offensive, "mental")
                assert guarded(staged.rules, one, state.count).value == defense_of(staged.rules, one, state.count)
    assert seen > 30
    assert tries > 10


def test_the_log_says_what_made_the_damage():
    told = script(wound(RULES, SOUND, Blow((6,), 3, degree=Degree.SOLID_SUCCESS, times=(3, 2))), [(20,), (5,)]).events
    hurt = next(event for event in told if isinstance(event, Wounded))
    assert (hurt.damage, [(each.label, each.value) for each in hurt.reasons()[0].terms]) == (
        15,
        [("rolled", 8), ("Solid Success", 1.25), ("manner of attack", 1.5)],
    )


# --- skills that stand in, and strange tools (663-671) ----------------------------------------------------------------------------


def test_a_related_skill_stands_in_on_the_sheet_and_in_a_fight():
    kept = Character(name="Al", skills={"Slug Pistol": 10}, gear=Gear(("taser",)), related={"Weapon: Taser": Related("Slug Pistol")})
    al = person("Al", "a", character=kept)
    assert (al.arm.rank, al.arm.check) == (2, Check(12 + 2 - 2))  # a fifth of 10, and complex tools
    strict = under(related_counts_as_ranked=False)
    unranked = person("Al", "a", character=kept, rules=strict)
    assert (unranked.arm.rank, unranked.arm.check) == (None, Check(12 + 2 - 2 - 15))
    better = replace(kept, skills={**kept.skills, "Weapon: Taser": 1})
    assert person("Al", "a", character=better).arm.check == Check(12 + 1 - 2)
    alone = replace(kept, skills={})
    assert person("Al", "a", character=alone).arm.check == Check(12 - 15 - 2)
    shown = next(each for part in sheet(RULES, kept).sections for each in part.pieces if getattr(each, "key", "") == "attack.taser")
    assert shown.notation == "DF 12"


def test_what_the_audit_says_of_related_skills_and_strange_tools():
    def found(character):
        return [(each.rule, each.message, each.warning) for each in audit(RULES, character).problems if each.rule.startswith("hyb-3")]

    kept = Character(name="Al", skills={"Slug Pistol": 10}, gear=Gear(("taser",), unfamiliar={"taser": 1}))
    assert found(replace(kept, related={"Stun Weapon": Related("Slug Pistol")})) == []
    assert "is not a relation" in found(replace(kept, related={"Stun Weapon": Related("Slug Pistol", "cousins")}))[0][1]
    assert found(replace(kept, related={"Stun Weapon": Related("Archery")}))[0][2]
    assert found(replace(kept, related={"Slug Pistol": Related("Archery")}))[0][2]
    assert "not carried" in found(replace(kept, gear=Gear(("taser",), unfamiliar={"rifle": 0})))[0][1]
    assert "-1 rolls" in found(replace(kept, gear=Gear(("taser",), unfamiliar={"taser": -1})))[0][1]


def test_a_weapon_that_handles_differently_costs_2_until_one_is_used_to_it():
    def armed(**unfamiliar):
        gear = Gear(("spear",), unfamiliar=unfamiliar)
        return person("Al", "a", character=Character(name="Al", skills=SKILLS, gear=gear)).arm

    for learnt, costs in ((0, 2), (1, 1), (2, 0), (9, 0)):
        arm = armed(spear=learnt)
        assert (arm.check, arm.parry, arm.thrown, arm.by("feint")) == (
            Check(19 - costs),
            Check(19 - costs),
            Check(13 - costs),
            Check(19 - costs),
        )
    assert armed().check == Check(19)


# --- noticing in passing (301, 701) -----------------------------------------------------------------------------------------------


def test_an_attack_may_be_noticed_in_passing_at_a_quarter_of_the_chance():
    busy = person("Bo", "b", 1.0, at=900, aware=False, evading=True, doing=Doing("attack", "Al", 5))  # two things at once do not count
    state = fight(person("Al", "a", at=14, doing=Doing("attack", "Bo", 10)), busy, count=10)
    noticed, told = stepped(state, [(13,), (99,), (3, 4)], ["defend"])  # a quarter of 52
    assert "Bo notices it in passing" in told
    assert noticed.fighter("Bo").aware
    missed = script(next_count(RULES, state), [(14,), (99,), (3, 4)], [])
    assert next(event.chance for event in missed.events if isinstance(event, Attacked)) == 65  # DF 19, and no defense
    blind = script(next_count(under(noticed_in_passing=False), state), [(99,), (3, 4)], [])
    assert next(event.chance for event in blind.events if isinstance(event, Attacked)) == 65
    gripped = state.change("Al", in_hand=1, doing=Doing("grapple", "Bo", 10))
    assert "Bo notices it in passing" in stepped(gripped, [(13,), (99,), (3, 4)], ["let them come", "defend"])[1]


# --- filter skills (681-689) ------------------------------------------------------------------------------------------------------


def riders(**skills):
    kept = Character(name="Al", skills={"Archery": 8, "Dagger": 8, **skills}, gear=Gear(("bow", "knife")))
    al = replace(enter(RULES, kept, "Al", "a", at=(0.0, 0.0), filter="Mounted Combat"), entered=True, aware=True)
    state = fight(al, person("Bo", "b", 9.0, at=900), place=Ground(filter="Mounted Combat"))
    return state.change("Al", at=30, doing=Doing("attack", "Bo", 10))


def rolled(state, faces):
    played = script(next_count(RULES, state), faces, ["defend"])
    return [each.roll.what for each in played.rolls], next(event.chance for event in played.events if isinstance(event, Attacked))


def test_on_horseback_ranks_count_up_to_the_filter_skill_or_after_a_roll_on_it():
    state = riders(**{"Mounted Combat": 5})
    al = state.fighter("Al").profile
    assert (al.arms[0].rank, al.arms[0].check, al.full[0].check, al.arms[1].parry) == (5, Check(16), Check(19), Check(16))
    assert al.filter == Check(17)
    assert riders(**{"Mounted Combat": 5, "Combat Perception": 9}).fighter("Al").profile.watcher.rank == 9
    assert rolled(state, [(62,), (99,), (3, 4)]) == (["Mounted Combat", "bow", "initiative"], 37)  # DF 19 - 12
    assert rolled(state, [(63,), (99,), (3, 4)]) == (["Mounted Combat", "bow", "initiative"], 25)  # DF 16 - 12
    assert rolled(riders(**{"Mounted Combat": 8}), [(99,), (3, 4)]) == (["bow", "initiative"], 37)  # no roll needed
    assert riders().fighter("Al").arm.check == Check(11)  # rank 0 without the filter skill (ruling)
    assert Counts(RULES, Player(Seeded(1)))(state, 10) is state  # the lab plays such fights whole


def test_each_of_two_weapons_needs_its_own_roll_on_the_filter_skill():
    kept = Character(name="Al", skills={"Dagger": 8, "Mounted Combat": 5}, gear=Gear(("knife", "dagger")))
    al = replace(enter(RULES, kept, "Al", "a", at=(0.0, 0.0), filter="Mounted Combat"), entered=True, aware=True)
    state = fight(al, person("Bo", "b", 1.0, at=900), place=Ground(filter="Mounted Combat"))
    state = state.change("Al", at=30, doing=Doing("attack", "Bo", 10, "both hands"))
    played = script(next_count(RULES, state), [(1,), (99,), (99,), (99,), (3, 4)], ["defend", "defend"])
    found = [event.chance for event in played.events if isinstance(event, Attacked)]
    assert found == [20, 1]  # DF 19 - 4 - 12 after the roll; 16 - 6 - 4 - 12 without


def test_a_place_calls_for_a_filter_skill_that_there_is():
    staged = library.stage("hybrid/duel", changes={"place": {"filter": "0-g Maneuver"}})
    assert staged.state.fighters[0].profile.full
    with pytest.raises(UserError, match="Mounted Combat"):
        library.stage("hybrid/duel", changes={"place": {"filter": "Haggling"}})


def test_statistics_that_rise_take_along_what_is_worked_out_from_them():  # 1319-1378, 1516
    rising = under(statistics_rise=True)
    risen = Character(name="Al", advancement=(Award(100), Raised("PST", 14), Raised("PBD", 27), Raised("PST", 15)))
    figures = Person.of(rising, risen).statistics
    assert (figures["PST"].value, figures["PBD"].value, figures["ACC"].value) == (15, 28, 14)
    assert experience_left(rising, risen).value == 100 - 2 * 4 - 2 - 4  # PBD stood at 26 by then
    late = replace(risen, advancement=(Award(100), Raised("PST", 14), Raised("PBD", 26)))
    assert [each.message for each in audit(rising, late).problems if each.field.startswith("advancement")] == [
        "PBD is already 26: 26 cannot be bought"
    ]
    assert Person.of(RULES, risen).statistics["PST"].value == 12
