"""What people do in a fight beyond a plain blow: throwing, casting, getting away, and what hinders them (book chapters 7 and 8)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Paused, script
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter
from rulewright.systems.hybrid.combat.attack_setup import ATTACK, strike
from rulewright.systems.hybrid.combat.attack_terms import Tries
from rulewright.systems.hybrid.combat.attacks import attack, drop_prone
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Ground, defense_of, enter, may_react, situation, watching
from rulewright.systems.hybrid.combat.initiative import Shortened, shortened
from rulewright.systems.hybrid.fight.actions.registry import open_to, take_effect
from rulewright.systems.hybrid.fight.attack_modes import ways
from rulewright.systems.hybrid.fight.tactics import fencer
from rulewright.systems.hybrid.fight.timeline import decide, enter_fight, next_count
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.lab_view.scene import FightScene
from rulewright.systems.hybrid.people.characters import Character, Gear, Gift, Heightened, Skill
from rulewright.systems.hybrid.people.perception import perception_factor
from rulewright.systems.hybrid.resolution.tests import Check, measured, opposing
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
SKILLS = {"Dagger": 8, "Sword": 8, "Unarmed Combat": 8, "Melee: Spear": 8, "Throw Object": 8}


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def person(name, side, x=0.0, weapons=("knife",), skills=None, spells=(), rules=RULES, character=None, **changes):
    gear = Gear(weapons=tuple(weapons), spells=tuple(spells))
    kept = replace(character or Character(name=name), skills=SKILLS if skills is None else skills, gear=gear)
    return replace(enter(rules, kept, name, side, at=(x, 0.0)), **{"entered": True, "aware": True, **changes})


def fight(*people, place=None, **changes):
    return Fight(place or Ground(), people, **changes)


def pair(**of_bo):
    return fight(person("Al", "a", at=10), person("Bo", "b", 1.0, **{"at": 50, **of_bo}))


def skilled(profile, check):
    """Somebody whose bare hands roll against this."""
    return replace(profile, arms=tuple(replace(arm, check=check) if arm.name == "fist" else arm for arm in profile.arms))


def stepped(state, faces=(), choices=(), rules=RULES):
    played = script(next_count(rules, state), faces, choices)
    return played.outcome, [event.headline() for event in played.events]


# --- throwing (675-679, 912) ----------------------------------------------------------------------------------------------------


def test_a_spear_is_thrown_on_accuracy_by_a_skill_for_it_and_by_the_general_one():
    thrower = person("Al", "a", weapons=("spear",))
    assert (thrower.arm.check, thrower.arm.thrown) == (Check(12 + 8 - 1), Check(12 + 2 - 1))  # a general skill counts by a quarter
    trained = person("Al", "a", weapons=("spear",), skills={**SKILLS, "Throwing: Spear": 6})
    assert trained.arm.thrown == Check(12 + 6 + 2 - 1)
    strong = replace(Character(name="Al"), primary=replace(Character(name="Al").primary, pst=16))
    assert person("Al", "a", weapons=("spear",), character=strong).arm.thrown == Check(14 + 2 - 1)  # ACC, not PCA
    assert person("Al", "a", weapons=("spear",), skills={}).arm.thrown == Check(12 - 15 - 1)
    assert person("Al", "a", weapons=("long sword",)).arm.thrown is None


def test_a_thrown_weapon_flies_loses_one_for_every_stretch_and_is_gone():
    state = fight(person("Al", "a", weapons=("spear", "knife"), at=10), person("Bo", "b", 12.0, at=50))
    assert "attack:Bo" not in open_to(RULES, state, state.fighter("Al"))
    thrown, told = stepped(state, [], ["hurl:Bo"])
    assert told[-1] == "Al throws the spear at Bo (takes effect at count 15)"  # 9 counts, less half of rank 8
    al = thrown.fighter("Al")
    comes = strike(RULES, thrown, al, thrown.fighter("Bo"), doing=al.doing, arm=al.uses(al.doing), now=15)
    assert (comes.check, comes.defense) == (Check(13 - 2), 12)  # 12 metres are three stretches of 5
    seen = FightScene(RULES).view(thrown, None).timeline.turns[0]
    assert (seen.who, seen.at) == ("Al", "15: throws the spear at Bo")
    after, _ = stepped(thrown, [(90,), (3, 4)], ["defend"])
    assert (after.fighter("Al").arm.name, after.fighter("Al").lost) == ("fist", (0,))
    assert "hurl:Bo" not in open_to(RULES, after, after.fighter("Al"))


def test_a_thrown_weapon_is_parried_at_5_less_and_never_bound():  # 1123-1129
    state = fight(person("Al", "a", weapons=("knife",), at=14), person("Bo", "b", 3.0, ("short sword",), at=50))
    state = state.change("Al", doing=Doing("attack", "Bo", 12, hurled=True))
    parried, told = stepped(state, [(1,), (1,), (3, 4)], ["parry"])  # DF 1: 11 %, made by 10; DF 14: 57 % less 10
    assert any("but parried" in line for line in told)
    assert parried.fighter("Al").off_balance == 0
    assert parried.fighter("Al").bound_with == parried.fighter("Bo").bound_with == ""
    assert parried.fighter("Bo").at == 51


def test_a_thrown_weapon_can_be_aimed_and_lobbed():  # 926-942
    state = fight(person("Al", "a", weapons=("knife",), at=10), person("Bo", "b", 3.0, at=50))
    al = state.fighter("Al")
    assert {"lob", "called eye"} <= set(ways(RULES, al, state.fighter("Bo"), al.arm.hurled()))
    assert "lob" not in ways(RULES, al, replace(state.fighter("Bo"), x=13.0), al.arm.hurled())  # PST 12
    aimed, _ = stepped(state, [], ["hurl how:Bo", "called head", "enough"])
    al = aimed.fighter("Al")
    assert strike(RULES, aimed, al, aimed.fighter("Bo"), doing=al.doing, arm=al.uses(al.doing), now=11).check == Check(13 - 12)


def test_two_throwing_knives_are_two():
    state = fight(person("Al", "a", weapons=("throwing knife", "throwing knife"), at=10), person("Bo", "b", 3.0, at=50))
    state, _ = stepped(state, [], ["attack:Bo"])
    state, _ = stepped(state, [(90,), (1, 1)], ["defend"])
    assert (state.fighter("Al").lost, state.fighter("Al").arm.name) == ((0,), "fist")
    state, _ = stepped(state.change("Al", at=20), [], ["draw:throwing knife"])
    state, _ = stepped(state)
    assert state.fighter("Al").in_hand == 1


# --- spells ---------------------------------------------------------------------------------------------------------------------

MAGE = {"Magic: Warding": 10, "Magic: Healing": 10, "Magic: Fire": 10, "Magic: Mind": 10, "Dagger": 8}


def mage(name="Al", side="a", x=0.0, spells=("ward", "mend", "light", "fire dart", "mind stab"), **changes):
    return person(name, side, x, ("knife",), MAGE, spells, **changes)


def place(one, name):
    return [arm.name for arm in one.profile.arms].index(name)


def test_a_ward_takes_its_counts_and_its_energy_and_then_stops_blows():
    state = fight(mage(at=10), person("Bo", "b", 1.0, at=50))
    state, told = stepped(state, [], ["cast ward:Al"])
    assert told[-1] == "Al casts ward (takes effect at count 25)"  # 20 counts, less half of rank 10
    assert FightScene(RULES).view(state, "Bo").timeline.turns[0].at == "25: casts ward on Al"
    state, told = stepped(state, [(13,), (3, 4)])  # DF 12 + 10 - 4 - 5 = 13, 54 %: a notable success
    al = state.fighter("Al")
    assert (al.ward, al.ward_ends, al.body.mind.fatigue) == (9, 625, 32)
    assert "warded 9 until 625" in {piece.name for piece in FightScene(RULES).view(state, "Bo").cards[0].pieces}
    comes = strike(RULES, state, state.fighter("Bo"), al, doing=Doing("attack", "Al"), arm=state.fighter("Bo").arm, now=624)
    assert comes.blow.armour == 9
    assert script(attack(RULES, replace(comes, check=Check(60), defense=0), al.body), [(80,), (3,), (6,)]).outcome.body == al.body
    assert strike(RULES, state, state.fighter("Bo"), al, doing=Doing("attack", "Al"), arm=state.fighter("Bo").arm, now=625).blow.armour == 0


def test_a_failed_spell_costs_its_energy_all_the_same():
    state = fight(mage(at=25), person("Bo", "b", 1.0, at=50))
    state = state.change("Al", doing=Doing("cast", "Al", 10, arm=place(state.fighter("Al"), "ward")))
    state, told = stepped(state, [(90,), (3, 4)])
    assert "Al casts ward without effect" in told
    assert (state.fighter("Al").ward, state.fighter("Al").body.mind.fatigue) == (0, 32)


def test_mending_gives_back_body_to_the_hurt_within_reach():
    state = fight(mage(at=10), person("Cy", "a", 1.0, at=90), person("Di", "a", 9.0, at=90), person("Bo", "b", 1.0, at=90))
    hurt = replace(state.fighter("Cy").body, pbd=21)
    state = state.change("Cy", body=hurt).change("Di", body=replace(hurt, name="Di"))
    keys = open_to(RULES, state, state.fighter("Al"))
    assert "cast mend:Cy" in keys
    assert not {"cast mend:Al", "cast mend:Di", "cast light:Al"} & set(keys)  # sound, too far, and it is not dark
    state, _ = stepped(state, [], ["cast mend:Cy"])
    assert state.fighter("Al").at == 105  # 100 counts, less half of rank 10
    state, _ = stepped(state.change("Al", at=50), [(5,), (3, 4)])  # DF 11: 49 %, very notable: twice the effect, but 3 are missing
    assert state.fighter("Cy").body.pbd == 24
    assert state.fighter("Al").body.mind.fatigue == 36 - 8


def test_light_lifts_what_darkness_does():
    dim = Ground(("visibility reduced 75%", "gravity 50% off"))
    state = fight(mage(at=10), person("Bo", "b", 1.0, at=50), place=dim)
    assert situation(RULES, state, state.fighter("Bo")) == -7
    state, _ = stepped(state, [], ["cast light:Al"])
    state, _ = stepped(state, [(20,), (3, 4)])
    assert state.ground.surroundings == ("gravity 50% off",)
    assert situation(RULES, state, state.fighter("Bo")) == -3


def test_casting_is_of_the_mind_and_wounds_count_by_the_mental_column():  # 476-489
    al = mage(at=10)
    hurt = replace(al, body=replace(al.body, pbd=6))
    state = fight(hurt, person("Bo", "b", 1.0, at=50))
    assert (situation(RULES, state, hurt), situation(RULES, state, hurt, kind="mental")) == (-8, -4)
    dart = hurt.profile.arms[place(hurt, "fire dart")]
    comes = strike(RULES, state, hurt, state.fighter("Bo"), doing=Doing("attack", "Bo"), arm=dart, now=10)
    assert comes.check == dart.check.plus(df=-4)


def test_a_gift_heightens_the_energy_of_its_field_and_of_nothing_worked_out_from_it():  # 1585-1589, 2429-2431
    gifts = (
        Heightened("magic", "Warding", points=2),
        Heightened("magic", "fire dart", "specific", 3),
        Heightened("magic", "Mind", points=4),
    )
    gifted = Character(name="Al", gifts=(Gift("Mage Ability"),), heightened=gifts)
    plain, better = mage(), mage(character=gifted)
    more = {arm.name: better.profile.arms[number].check.df - arm.check.df for number, arm in enumerate(plain.profile.arms)}
    assert {name: value for name, value in more.items() if value} == {"ward": 2, "fire dart": 3}  # mind stab rests on MCA


def test_a_mental_attack_meets_the_defense_of_the_mind_which_no_dodge_helps():  # 1083-1119, 920
    bo = person("Bo", "b", 1.0, at=50)
    bo = replace(bo, profile=replace(bo.profile, mdf=13))
    falling = replace(bo, doing=Doing("dodge", "", 8))
    assert (defense_of(RULES, falling, 10), defense_of(RULES, falling, 10, True)) == (24, 13)
    prone = replace(bo, body=replace(bo.body, prone=True))
    assert (defense_of(RULES, prone, 10), defense_of(RULES, prone, 10, True)) == (6, 13)
    evading = replace(bo, evading=True)
    assert (defense_of(RULES, evading, 10), defense_of(RULES, evading, 10, True)) == (24, 26)
    for gone, defenses in (("body", (0, 13)), ("mind", (12, 0))):
        reckless = replace(bo, all_out=gone)
        assert (defense_of(RULES, reckless, 10), defense_of(RULES, reckless, 10, True)) == defenses


def test_all_out_with_the_mind_adds_the_defense_of_the_mind_and_loses_it():  # 920
    al = mage(at=10)
    al = replace(al, profile=replace(al.profile, mdf=15))
    state = fight(al, person("Bo", "b", 1.0, at=50))
    state, _ = stepped(state, [], ["cast how mind stab:Bo", "all out", "enough"])
    al = state.fighter("Al")
    assert al.all_out == "mind"
    comes = strike(RULES, state, al, state.fighter("Bo"), doing=al.doing, arm=al.uses(al.doing), now=12)
    assert comes.check == al.uses(al.doing).check.plus(df=15)


# --- getting out of the way (1091-1119) -----------------------------------------------------------------------------------------


def attacked(**of_bo):
    state = pair(**of_bo)
    return state.change("Al", at=14, doing=Doing("attack", "Bo", 12))


def asked(state, rules=RULES):
    """What Bo may answer."""
    return Paused(next_count(rules, state), lambda event: None).pending.keys()


def test_a_dodge_at_once_meets_the_blow_in_its_first_part_and_goes_on():  # 1095-1103
    state, told = stepped(attacked(doing=Doing("attack", "Al", 9)), [(5,), (3, 4)], ["dodge"])
    bo = state.fighter("Bo")
    assert "Bo dodges" in told
    assert bo.doing == Doing("dodge", "", 14)  # what was under way is given up
    assert bo.at == 34
    assert [defense_of(RULES, bo, count) for count in (14, 18, 19, 28, 29)] == [24, 24, 36, 36, 12]
    assert not may_react(RULES, state, bo)


def test_the_chance_to_hit_falls_with_a_dodge_and_more_with_a_drop():
    def chance(state, faces, way):
        return next(event.chance for event in script(next_count(RULES, state), faces, [way]).events if hasattr(event, "chance"))

    found = [chance(attacked(), [(99,), (3, 4)], way) for way in ("defend", "crouch", "dodge", "drop prone")]
    assert found == [37, 1, 1, 1]  # DF 19 less 12, 24, 24, 36
    skilled = attacked()
    al = skilled.fighter("Al")
    arms = (replace(al.arm, check=Check(40)), *al.profile.arms[1:])
    skilled = skilled.change("Al", profile=replace(al.profile, arms=arms))
    found = [chance(skilled, [(99,), (3, 4)], way) for way in ("defend", "crouch", "dodge", "drop prone")]
    assert found == [75, 60, 60, 25]
    assert chance(skilled.change("Bo", evading=True), [(99,), (3, 4)], "dodge") == 54  # 3 more from evasion: DF 13


def test_dropping_at_once_takes_five_counts_and_leaves_one_on_the_ground():  # 1107-1111
    state, _ = stepped(attacked(), [(5,), (6, 6)], ["drop prone"])
    bo = state.fighter("Bo")
    assert (bo.doing, bo.at) == (Doing("drop prone", "", 14), 19)
    state, _ = stepped(state, [(3, 4)])
    assert state.fighter("Bo").body.prone
    assert defense_of(RULES, state.fighter("Bo"), 19) == 6


def test_who_can_dodge_at_once_and_who_cannot():
    assert {"dodge", "drop prone", "crouch"} <= set(asked(attacked()))
    assert not {"dodge", "drop prone"} & set(asked(attacked(), under(dodge_answers=False)))
    down = attacked()
    down = down.change("Bo", body=replace(down.fighter("Bo").body, prone=True))
    assert not {"dodge", "drop prone", "crouch"} & set(asked(down))
    floating = replace(attacked(), ground=Ground(weightless=True))
    assert "drop prone" not in asked(floating)
    assert "dodge" in asked(floating)


def test_nobody_drops_where_nothing_pulls_down():  # 1107
    state = replace(pair(), ground=Ground(weightless=True))
    assert "drop prone" not in open_to(RULES, state, state.fighter("Al"))
    assert "drop prone" in open_to(RULES, pair(), state.fighter("Al"))
    with pytest.raises(UserError, match="needs gravity"):
        drop_prone(RULES, 12, weightless=True)


def test_whoever_is_skilled_in_dodging_may_come_up_on_their_feet():  # 1095
    state = fight(person("Al", "a", at=50), person("Bo", "b", 1.0, skills={"Dodge": 4}, at=30, doing=Doing("dodge", "", 10)))
    assert state.fighter("Bo").profile.acrobatics == Check(16)
    stood, _ = stepped(state, [(60,), (3, 4)])
    assert not stood.fighter("Bo").body.prone
    hurt = state.change("Bo", body=replace(state.fighter("Bo").body, pbd=12))  # 4 less: DF 12, 52 %
    fell, _ = stepped(hurt, [(60,), (3, 4)])
    assert fell.fighter("Bo").body.prone


# --- feints, grips, parries -----------------------------------------------------------------------------------------------------


def test_a_feint_fools_for_one_attack():  # 964-970
    fooled = attacked(fooled_by="Al")
    state, _ = stepped(fooled, [(99,), (3, 4)])  # Bo is not asked
    assert state.fighter("Bo").fooled_by == ""
    decided, _ = stepped(pair(fooled_by="Al", at=5), [], ["pass"])
    assert decided.fighter("Bo").fooled_by == ""


def test_the_exhausted_and_the_hurt_see_through_feints_less_often():  # 476-489: awareness
    state = pair()
    bo = state.fighter("Bo")
    worn = replace(bo, body=replace(bo.body, energy=Energy(0, 0, 36, 60), pbd=12))
    assert watching(RULES, state, bo) == bo.profile.watcher
    assert perception_factor(RULES, watching(RULES, state, worn)).value == 12 - 6 - 4 - 4
    dim = replace(state, ground=Ground(("visibility reduced 50%",)))
    assert perception_factor(RULES, watching(RULES, dim, bo)).value == 9
    busy = replace(bo, doing=Doing("attack", "Al", 9, "both hands"))
    assert perception_factor(RULES, watching(RULES, state, busy)).value == 10  # two things at once


def test_the_hurt_enter_a_scene_with_less_attention():
    start = fight(person("Al", "a", entered=False, aware=False))
    weak = start.change("Al", body=replace(start.fighter("Al").body, pbd=6))  # 8 less: DF 4, 25 %
    assert script(enter_fight(RULES, start), [(52,), (3, 4)]).outcome.fighter("Al").aware
    assert not script(enter_fight(RULES, weak), [(26,), (3, 4)]).outcome.fighter("Al").aware


def test_a_general_skill_of_perception_counts_by_a_quarter():  # 679
    for skill, df in (("General Perception", 14), ("Combat Perception", 20)):
        one = person("Al", "a", skills={skill: 8})
        assert perception_factor(RULES, one.profile.watcher).value == df


def test_a_grip_is_parried_by_an_opposed_roll_and_slipped_by_a_crouch():  # 992-996
    state = pair(weapons=()).change("Al", at=14, in_hand=1, doing=Doing("grapple", "Bo", 12))
    state = state.change("Al", profile=skilled(state.fighter("Al").profile, Check(60)))
    assert set(asked(state)) == {"defend", "parry", "crouch", "dodge", "drop prone"}
    held, _ = stepped(state, [(5,), (3, 4)], ["defend"])
    assert held.fighter("Al").hold == 60  # 88 - 5 = 83, at most five times PST
    loose, _ = stepped(state, [(70,), (20,), (3, 4)], ["parry"])  # DF 48, 85 %: by 15, which comes off the parry's 60 - 3 ranks' worth
    assert not loose.fighter("Al").hold
    ducked, _ = stepped(state, [(83,), (3, 4)], ["crouch"])  # DF 36: 80 %
    assert not ducked.fighter("Al").hold
    assert ducked.fighter("Bo").at == 55


def test_a_support_skill_helps_the_one_action_it_is_for():  # 677-679
    skills = {"Long Sword": 8, "Long Sword: Parry": Skill(6, "support", of="Long Sword")}
    arm = person("Al", "a", weapons=("long sword",), skills=skills).arm
    assert (arm.check.df, arm.parry.df, arm.block.df) == (12 + 8 - 1, 12 + 8 + 3 - 1, 12 + 8 - 1)


def test_a_fend_can_be_met_in_every_way_and_that_takes_time():  # 902
    state = fight(person("Al", "a", at=14, doing=Doing("attack", "Bo", 12)), person("Bo", "b", 1.0, ("spear",), at=50))
    parried, _ = stepped(state, [(10,), (5,), (99,), (3, 4)], ["fend", "parry", "defend"])
    assert parried.fighter("Al").inside == ("Bo",)
    assert parried.fighter("Al").at == 14 + 13 + 1  # half of two counts later
    tired = state.change("Al", body=replace(state.fighter("Al").body, energy=Energy(0, 60, 36, 60)))
    faces = [(20,), (10,), (6,), (20,), (1,), (20,), (20,), (99,), (3, 4)]
    blocked, told = stepped(tired, faces, ["fend", "block", "ignore", "defend"])  # the knife's d6 + 3 as armour against d10 + 9
    assert "Al takes 10 damage to the chest (armour stops 9, PBD -1)" in told
    assert blocked.fighter("Al").inside == ("Bo",)
    crouched, _ = stepped(state, [(60,), (99,), (3, 4)], ["fend", "crouch", "defend"])
    assert crouched.fighter("Al").at == 14 + 13 + 5


def test_giving_way_goes_with_any_other_deed():  # 1077-1081
    state = fight(person("Al", "a", weapons=("knife", "short sword"), at=10), person("Bo", "b", 1.0, at=50))
    drawing, _ = stepped(state, [], ["give way", "draw:short sword"])
    al = drawing.fighter("Al")
    assert (al.retreating, al.at, al.doing.what) == (True, 16, "draw")
    assert defense_of(RULES, al, 12) == 12 + 6
    feinting, _ = stepped(state, [], ["give way", "feint:Bo"])
    al = feinting.fighter("Al")
    assert situation(RULES, feinting, al) == -6
    assert situation(RULES, feinting, al, False) == 6
    striking, _ = stepped(state, [], ["give way", "attack how:Bo", "spinning", "enough"])
    al = striking.fighter("Al")
    assert strike(RULES, striking, al, striking.fighter("Bo"), doing=al.doing, arm=al.arm, now=12).check == al.arm.check.plus(df=-6 - 2)
    decided, _ = stepped(striking.change("Al", at=12, doing=None), [], ["pass"])
    assert not decided.fighter("Al").retreating


def test_what_is_done_while_evading_is_a_second_thing_at_once():  # 1083-1089
    state = fight(person("Al", "a", weapons=("knife", "short sword"), at=10), person("Bo", "b", 1.0, at=50))
    plain = state.fighter("Al").arm.check
    for choices in (["weave", "attack:Bo"], ["attack how:Bo", "evading", "enough"]):
        striking, _ = stepped(state, [], choices)
        al = striking.fighter("Al")
        assert (al.evading, defense_of(RULES, al, 11)) == (True, 24)
        assert strike(RULES, striking, al, striking.fighter("Bo"), doing=al.doing, arm=al.arm, now=11).check == plain.plus(df=-6)
        assert perception_factor(RULES, watching(RULES, striking, al)).value == 10
    both, _ = stepped(state, [], ["weave", "give way", "draw:short sword"])
    al = both.fighter("Al")
    assert (defense_of(RULES, al, 12), situation(RULES, both, al, False)) == (24 + 6, 0)
    met = attacked(evading=True)
    played = script(next_count(RULES, met), [(1,), (40,), (3, 4)], ["parry"])
    parry = next(rolled.roll.reading for rolled in played.rolls if rolled.roll.what == "parry")
    number = next(rolled.result.success_number for rolled in played.rolls if rolled.roll.what == "knife")
    assert parry == measured(RULES, opposing(RULES, met.fighter("Bo").arm.parry.plus(df=-3 - 6), number))


# --- speed points, minds --------------------------------------------------------------------------------------------------------


def test_speed_points_that_an_action_does_not_need_are_kept():  # 832-836
    assert shortened(RULES, 10, 3, 4) == Shortened(5, 0)
    assert shortened(RULES, 3, 5, 2) == Shortened(1, 4)
    assert shortened(RULES, 2, 5, 8) == Shortened(1, 5)
    assert shortened(under(speed_point_counts=2), 10, 5) == Shortened(1, 0)
    state = pair().change("Al", points=5)
    state, _ = stepped(state, [], ["attack:Bo"])  # two counts, all of which the rank saves but the last
    assert (state.fighter("Al").at, state.fighter("Al").points) == (11, 5)
    state, _ = stepped(state, [(99,), (1, 1)], ["defend"])
    assert state.fighter("Al").points == 5
    risen = pair().change("Al", points=7, body=replace(pair().fighter("Al").body, prone=True))
    risen, _ = stepped(risen, [], ["rise"])
    assert (risen.fighter("Al").at, risen.fighter("Al").points) == (33, 0)
    drawn = fight(person("Al", "a", weapons=("knife", "short sword"), at=10, points=2), person("Bo", "b", 1.0, at=50))
    drawn, _ = stepped(drawn, [], ["draw:short sword"])
    assert (drawn.fighter("Al").at, drawn.fighter("Al").points) == (14, 0)


def test_where_minds_clash_mental_speed_and_awareness_count():  # 1408-1420
    quick = Character(name="Al", primary=replace(Character(name="Al").primary, paw=5, maw=20))
    start = fight(person("Al", "a", character=quick, entered=False, aware=False))
    minds = replace(start, ground=Ground(minds=True))
    slow = script(enter_fight(RULES, start), [(29,), (3, 4)]).outcome.fighter("Al")  # DF 5: 29 %, Speed 1
    fast = script(enter_fight(RULES, minds), [(67,), (3, 4)]).outcome.fighter("Al")  # DF 20: 67 %, Speed 6
    assert (slow.aware, slow.at, fast.aware, fast.at) == (True, 15, True, 12)


# --- moving (792-798) -----------------------------------------------------------------------------------------------------------


def apart(metres, **of_al):
    return fight(person("Al", "a", at=10, **of_al), person("Bo", "b", metres, at=90))


def test_running_up_begins_a_pace_lower_and_is_a_run_at_the_next_initiative():
    state, told = stepped(apart(9.0), [(52,), (3, 4)], ["approach:Bo"])  # PAG 12; a jog is a quarter of 4.8 metres a second
    assert told[-1] == "Al approaches Bo at a jog (until count 23)"
    assert "at a jog" in {piece.name for piece in FightScene(RULES).view(state, "Bo").cards[0].pieces}
    state, told = stepped(state)
    al = state.fighter("Al")
    assert (al.x, al.at, al.pace) == (1.6, 23, "jog")  # 13 counts of 0.12 metres
    state, _ = stepped(state, [(20,), (3, 4)], ["approach:Bo"])
    assert state.fighter("Al").pace == "run"
    state, _ = stepped(state)
    assert state.fighter("Al").x == 4.7
    state, _ = stepped(state, [(6, 6)], ["approach:Bo"])  # as fast as meant: no roll but initiative
    assert state.fighter("Al").at == 36 + 14  # 3.3 metres at 0.24
    state, told = stepped(state, [(3, 4)])
    assert told[1] == "Al has run up to Bo"
    assert (state.fighter("Al").x, state.fighter("Al").pace, state.fighter("Al").at) == (8.0, "no move", 63)


def test_who_fails_to_get_going_stands_and_who_fails_to_run_slows_down():  # 794
    still, told = stepped(apart(9.0), [(53,), (3, 4)], ["approach:Bo"])
    assert told[-1] == "Al tries to approach Bo, but does not start moving (until count 23)"
    still, _ = stepped(still)
    assert (still.fighter("Al").x, still.fighter("Al").at) == (0.0, 23)
    slowed, _ = stepped(apart(9.0, pace="jog"), [(53,), (3, 4)], ["approach:Bo"])
    assert slowed.fighter("Al").pace == "walk"
    stopped, _ = stepped(apart(9.0, pace="jog"), [], ["pass"])
    assert stopped.fighter("Al").pace == "no move"


def test_acting_on_the_run_is_harder():  # 493-502
    state = pair(pace="run")
    bo = state.fighter("Bo")
    assert (situation(RULES, state, bo), situation(RULES, state, bo, kind="mental")) == (-5, -2)
    assert perception_factor(RULES, watching(RULES, state, replace(bo, pace="jog"))).value == 9


def test_running_is_a_skill_that_everybody_has_a_little_of():
    assert person("Al", "a", skills={}).profile.running == Check(12)
    assert person("Al", "a", skills={"Running": 6}).profile.running == Check(18)


# --- odds -----------------------------------------------------------------------------------------------------------------------


def chances(state, tactic=fencer):
    """What the options of the first question lead to, by name."""
    encounter = Encounter.begin(FightScene(RULES), state)
    weighed = weigh(Asked(encounter.moment(encounter.open[0][0]), (None,), tactic), 60)
    return {each.key: {outcome.name: outcome.chance for outcome in each.outcomes} for each in weighed}


def weak(state, name="Bo"):
    """The same fight in which a hit does more than tire somebody."""
    return state.change(name, body=replace(state.fighter(name).body, energy=Energy(2, 60, 36, 60)))


@pytest.mark.parametrize("key", ["attack:Bo", "hurl:Bo"])
def test_what_an_option_leads_to_adds_up(key):
    state = weak(fight(person("Al", "a", weapons=("spear",), at=10), person("Bo", "b", 1.0, at=50)))
    odds = chances(state)[key]
    assert sum(odds.values()) == pytest.approx(1)
    assert set(odds) <= set(ATTACK.names)


def test_both_sides_of_a_blow_see_the_same_chance():
    state = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, at=50))
    shown = chances(state)["attack:Bo"]
    begun, _ = stepped(state, [], ["attack:Bo"])
    assert shown in [pytest.approx(found) for found in chances(begun).values()]  # that of the answer which the tactic gives


def test_who_must_close_in_on_a_spear_may_be_kept_outside():
    state = fight(person("Al", "a", at=10), person("Bo", "b", 1.0, ("spear",), at=50))
    shown = chances(state)["attack:Bo"]
    assert shown["kept outside"] > 0.2
    assert sum(shown.values()) == pytest.approx(1)


def test_every_way_to_meet_an_attack_says_what_it_leads_to():
    strong = attacked(weapons=("short sword",))
    al = strong.fighter("Al")
    strong = strong.change("Al", profile=replace(al.profile, arms=(replace(al.arm, check=Check(40), flat=20), *al.profile.arms[1:])))
    strong = strong.change("Bo", body=replace(strong.fighter("Bo").body, energy=Energy(0, 60, 36, 60)), inside=("Al",))
    odds = chances(strong.change("Al", inside=("Bo",)))
    assert {key: round(odds[key]["miss"], 2) for key in ("defend", "block", "crouch", "dodge", "drop prone")} == {
        "defend": 0.25,
        "block": 0.25,
        "crouch": 0.4,
        "dodge": 0.4,
        "drop prone": 0.75,
    }
    assert odds["parry"]["miss"] + odds["parry"]["parried"] > odds["defend"]["miss"]
    assert odds["block"]["dead"] < odds["defend"]["dead"]


# --- beside fighting ------------------------------------------------------------------------------------------------------------


def test_a_weapon_that_was_dropped_is_picked_up_again():
    al, bo = person("Al", "a", at=11, doing=Doing("drop weapon", began=10)), person("Bo", "b", 30.0, at=900)
    state = fight(al, bo, count=9)
    dropped = script(take_effect(RULES, state, "Al", 11, al), [], []).outcome
    assert (dropped.fighter("Al").arm.name, dropped.fighter("Al").lies) == ("fist", ((0, 0.0, 0.0),))
    assert "pick up:knife" in open_to(RULES, dropped, dropped.fighter("Al"))
    away = dropped.change("Al", x=9.0)
    assert "pick up:knife" not in open_to(RULES, away, away.fighter("Al"))
    begun = script(decide(RULES, dropped, "Al", 20), [], ["pick up:knife"]).outcome
    done = script(take_effect(RULES, begun, "Al", 30, begun.fighter("Al")), [(3, 3)], [])
    assert (done.outcome.fighter("Al").arm.name, done.outcome.fighter("Al").lost, done.outcome.fighter("Al").lies) == ("knife", (), ())
    assert "Al picks up the knife" in [event.headline() for event in done.events]


def test_a_weapon_that_was_thrown_lies_where_its_target_stands():
    al = person("Al", "a", at=10, doing=Doing("attack", "Bo", 6, hurled=True))
    bo = person("Bo", "b", 5.0, at=900)
    played = script(next_count(RULES, fight(al, bo, count=9)), [(99,), (3, 4)], ["defend"])
    assert played.outcome.fighter("Al").lies == ((0, 5.0, 0.0),)


def test_a_skill_is_used_as_hard_as_the_gamemaster_says():
    al, bo = person("Al", "a", at=10, skills={"Knife": 8, "Climbing": 4}), person("Bo", "b", 30.0, at=900)
    state = fight(al, bo, count=9)
    begun = script(decide(RULES, state, "Al", 10), [], ["skill", "Climbing", -6]).outcome
    assert begun.fighter("Al").doing.words() == "use Climbing"
    done = script(take_effect(RULES, begun, "Al", 20, begun.fighter("Al")), [(5,), (3, 3)], [])
    tries = next(event for event in done.events if isinstance(event, Tries))
    climbing = next(each for each in al.profile.skills if each.skill == "Climbing")
    assert tries.check == climbing.check.plus(df=-6)
    assert any(event.headline().startswith("Al uses Climbing: ") for event in done.events)
