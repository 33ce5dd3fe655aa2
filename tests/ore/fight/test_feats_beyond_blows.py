"""Feats in a fight that are no blows: mooks, fear, initiative, fire, batteries, squads, mounts, skills (book lines 2887-3152, 3284-3395,
3804-4154)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground, Plan
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.fight.actions.registry import ACTIONS
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.feats.effects import with_words
from rulewright.systems.ore.fight.initiative import order_of, score
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.resolution.gunfire import loaded
from rulewright.systems.ore.fight.resolution.parley import morale_attack_on
from rulewright.systems.ore.fight.resolution.strikes import marked
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.harm.body import Wound
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.resolution.tests import ready_dice
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
SKILLS = {"close combat": 3, "athletics": 3, "ranged combat": 3, "physique": 3, "manipulate": 3, "focus": 3, "medicine": 3}
THUGS = Mook("Thug", threat=2)


def somebody(name, *weapons, insight=1, feats=None, skills=(), **more):
    statistics = Statistics(body=3, coordination=3, psyche=3, insight=insight, command=3)
    return Character(name, statistics=statistics, skills={**SKILLS, **dict(skills)}, weapons=weapons, feats=feats or {}, **more)


def fight(ann, *others, by=RULES, metres=0, mooks=0, side="b", **place):
    people = [enter(by, ann, "Ann", "a")]
    people += [enter(by, one, one.name, "b", metres) for one in others]
    names = tuple(f"Thug {number}" for number in range(1, mooks + 1))
    groups = (gather(THUGS, names, side, metres=metres),) if mooks else ()
    return Fight(Ground(metres, **place), tuple(people), groups)


def a_whole_round(state, by=RULES):
    state = yield from next_step(by, state)
    while state.phase != "begin":
        state = yield from next_step(by, state)
    return state


def a_round(state, faces, choices, by=RULES):
    done = script(a_whole_round(state, by), faces, choices)
    return done.outcome, [event.headline() for event in done.events]


def cast(state, name, *acts, by=RULES):
    state = replace(state, round=max(1, state.round))
    plan = with_words(by, state, Plan(name, acts))
    rolled = tuple([act for act in plan.acts if ACTIONS[act.kind].rolled])
    idle = tuple([act for act in plan.acts if not ACTIONS[act.kind].rolled])
    return cast_of(by, state, state.fighter(name), rolled, idle)


def size(given, by=RULES):
    return ready_dice(by, given.pool).size


def keys(state, name="Ann", by=RULES):
    return {option.key for option in options_for(by, state, name)}


def faces(state, *shown, name="Ann", act=None, by=RULES):
    """As many faces as somebody rolls, these first, and then others that differ."""
    many = size(cast(state, name, act or Act("attack", "Bob"), by=by), by)
    rest = [face for face in range(1, 11) if face not in shown]
    return (*shown, *rest)[:many]


BOB = somebody("Bob", "broadsword", insight=2)


# --- mooks --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "skill", "feats", "gone"),
    [
        (".38 special", "small arms", {}, 1),
        (".38 special", "small arms", {"CQB": 3}, 3),  # line 4075: the natural Width, without Breach & Clear
        (".38 special", "small arms", {"CQB": 5}, 4),  # line 4085: this one does count
        (".38 special", "ranged combat", {"Bullet Man": 5}, 3),  # line 3362
    ],
)
def test_one_set_is_for_as_many_mooks_as_it_is_wide(weapon, skill, feats, gone):
    state = fight(somebody("Ann", weapon, skills={skill: 5}, feats=feats), metres=8, mooks=6)  # out of reach of their fists
    group = state.groups[0].name
    roll = faces(state, 7, 7, 7, act=Act("attack", group))
    after, _ = a_round(state, [roll], [f"attack:{group}"])
    assert 6 - after.groups[0].mob.number == gone


def test_a_big_gun_strikes_each_of_as_many_mooks_with_the_whole_set():  # lines 3810-3812
    state = fight(somebody("Ann", "cannon: heavy rifle 4", skills={"heavy weapons": 5}, feats={"BFG": 4}), metres=60, mooks=6)
    group = state.groups[0].name
    after, _ = a_round(state, [faces(state, 5, 5, 5, act=Act("attack", group))], [f"attack:{group}"])
    assert after.groups[0].mob.number == 3


def test_an_axe_takes_any_mook_out_that_it_hits():  # line 3716
    armoured = replace(fight(somebody("Ann", "battle axe", skills={"axes": 4}, feats={"Broadcutter": 4}), mooks=3))
    armoured = armoured.put_group(replace(armoured.groups[0], mob=replace(armoured.groups[0].mob, armour=9)))
    group = armoured.groups[0].name
    roll = faces(armoured, 5, 5, act=Act("attack", group))
    after, _ = a_round(armoured, [roll, (1, 2, 3, 4, 5, 6)], [f"attack:{group}"])
    assert after.groups[0].mob.number == 2


def test_a_shriek_costs_a_mook_that_stands_the_next_action():  # line 4089
    weapon, skills = "sonic: energy pistol 1", {"sonic weapons": 5}
    state = fight(somebody("Ann", weapon, skills=skills, feats={"Screaming Death": 1}), metres=10, mooks=3)
    state = state.put_group(replace(state.groups[0], mob=replace(state.groups[0].mob, armour=9)))
    group = state.groups[0].name
    after, log = a_round(state, [faces(state, 5, 5, act=Act("attack", group))], [f"attack:{group}"])
    assert after.groups[0].stunned == 2
    near = replace(after, groups=(replace(after.groups[0], metres=0),))
    after, log = a_round(near, [faces(near, 1, act=Act("attack", group)), (1, 2, 3, 4)], [f"attack:{group}"])
    assert "Thug has 4 dice to attack" in log
    assert after.groups[0].stunned == 0


def test_a_shot_out_of_nowhere_frightens_the_rest():  # line 3894
    state = fight(somebody("Ann", "rifle: rifle 3", skills={"long arms": 5}, feats={"One Shot, One Kill": 2}), metres=60, mooks=6)
    group = state.groups[0].name
    aimed = state.change("Ann", aim=1, against=group)
    roll = faces(aimed, 7, 7, 7, act=Act("attack", group))
    after, _ = a_round(aimed, [roll], [f"attack:{group}", "yes"])
    assert after.groups[0].mob.number == 6 - 1 - 3
    calm, _ = a_round(aimed, [roll], [f"attack:{group}", "no"])
    assert calm.groups[0].mob.number == 5
    armoured = aimed.put_group(replace(aimed.groups[0], mob=replace(aimed.groups[0].mob, armour=9)))
    unhurt, _ = a_round(armoured, [roll], [f"attack:{group}"])  # nobody fell, so that nobody is asked
    assert unhurt.groups[0].mob.number == 6


def test_leaders_make_mooks_stronger_and_steadier():  # lines 3000-3008
    led = fight(somebody("Ann", skills={"leadership": 4}, feats={"Look Of Eagles": 4}), BOB, mooks=3, side="a")
    _, log = a_round(led, [(1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7, 8, 9)], ["pass", "attack:Ann"])
    assert "Thug has 9 dice to attack" in log
    told, log = a_round(led, [(1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)], ["instruct:Thug", "attack:Ann"])
    assert "Thug has 10 dice to attack" in log
    assert told.groups[0].instructed == 0
    fled = script(morale_attack_on(RULES, led, "Thug", 2, 5), []).outcome
    assert fled.groups[0].mob.number == 3  # Width 2 counts as 1, below their Threat Rating
    alone = fight(somebody("Ann"), BOB, mooks=3, side="a")
    assert script(morale_attack_on(RULES, alone, "Thug", 2, 5), []).outcome.groups[0].mob.number == 1


# --- fear and voices ----------------------------------------------------------------------------------------------------------


def test_whoever_never_surrenders_has_a_die_more_against_fear():  # line 2972
    for feats, many in (({}, 6), ({"Iron Mind": 2}, 7)):
        state = fight(somebody("Ann", feats=feats), BOB)
        done = script(morale_attack_on(RULES, state, "Ann", 3, 5), [tuple(range(1, many + 1))])
        assert done.outcome.fighter("Ann").afraid == 3


def test_battle_meditation_knows_no_fear_and_is_quicker():  # lines 2954-2962
    state = fight(somebody("Ann", skills={"focus": 5}, feats={"Inner Clarity": 5}), BOB)
    calm = marked(state, "Ann", "in battle meditation")
    assert script(morale_attack_on(RULES, calm, "Ann", 3, 5), []).outcome.fighter("Ann").afraid == 0
    assert (score(RULES, calm.fighter("Ann"))[0], score(RULES, state.fighter("Ann"))[0]) == (2, 1)
    strong = marked(marked(calm, "Ann", "in battle meditation (3x)"), "Ann", "in battle meditation (4x)")
    assert cast(strong, "Ann", Act("attack", "Bob")).pool.expert == 1
    assert cast(strong, "Ann", Act("trip", "Bob")).difficulty == 1  # 2, less 1


def test_initiative_is_rolled_with_more_dice():  # lines 2900, 3280, 3290, 3946
    by = BOOK.ruleset(settings={"random-initiative": True})
    from rulewright.systems.ore.fight.initiative import _wits

    base = ready_dice(by, _wits(by, fight(somebody("Ann"), BOB, by=by).fighter("Ann"))).size
    for feats in ({"Inner Voice": 3}, {"Feral Scents": 5}, {"Sight Beyond Sight": 3}, {"Archer's Eye": 1}):
        state = fight(somebody("Ann", skills={"perception": 5}, feats=feats), BOB, by=by)
        assert ready_dice(by, _wits(by, state.fighter("Ann"))).size == base + 1
    assert order_of(by, state)


def test_a_threat_in_the_middle_of_a_fight():  # lines 3142-3144
    state = fight(somebody("Ann", skills={"manipulate": 4}, feats={"Bully Boy": 4}), BOB)
    assert "threaten:Bob" in keys(state)
    assert cast(state, "Ann", Act("threaten", "Bob")).pool.edge.squash
    _done, log = a_round(state, [(9, 9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)], ["threaten:Bob", "attack:Ann", "3x9"])
    assert any("is afraid" in line for line in log)
    assert "threaten:Bob" not in keys(fight(somebody("Ann"), BOB))


def test_somebody_is_stopped_in_his_tracks_once():  # lines 3128-3136
    state = fight(somebody("Ann", skills={"manipulate": 2}, feats={"Bully Boy": 2}), somebody("Bob", insight=2))
    bold = state.change("Bob", profile=replace(state.fighter("Bob").profile, psyche=3))
    after, log = a_round(bold, [(9, 9, 9, 9, 1), (8, 8, 1, 2, 3, 4)], ["freeze:Bob", "attack:Ann"])
    assert "Ann freezes Bob with a 4x9" in log
    assert after.fighter("Ann").body.record() == "unhurt"
    assert "freeze:Bob" not in keys(after)
    after, log = a_round(bold, [(9, 9, 9, 1, 2), (8, 8, 1, 2, 3, 4)], ["freeze:Bob", "attack:Ann"])
    assert after.fighter("Ann").body.record() != "unhurt"  # no wider than his Psyche


def test_everybody_slower_stops_and_pays_for_it_later():  # lines 3146-3152
    state = fight(somebody("Ann", skills={"manipulate": 5}, feats={"Bully Boy": 5}), BOB)
    assert size(cast(state, "Ann", Act("crush"))) == 3 + 5 - 1
    after, _ = a_round(state, [(9, 9, 9, 1, 2, 3, 4), (8, 8, 1, 2, 3, 4)], ["crush", "attack:Ann", "yes"])
    assert after.fighter("Ann").body.record() == "unhurt"
    assert "crush" not in keys(after)
    _, log = a_round(after, [(8, 8, 8, 1, 2, 3)], ["pass", "attack:Ann"])
    assert "A hit takes a die from Bob: the 3x8 for the attack becomes a 2x8" in log


def test_a_warning_before_the_fight_is_a_counter_die():  # lines 3122-3140
    state = fight(somebody("Ann", skills={"manipulate": 3}, feats={"Bully Boy": 1}), BOB, parley=True)
    after, log = a_round(state, [(8, 8, 1, 2, 3, 4), (9,)], ["warn:Bob", "nothing", "pass", "attack:Ann"])
    assert "Bob heeds the warning and does not act" in log
    assert after.fighter("Ann").body.record() == "unhurt"
    both = fight(somebody("Ann", skills={"manipulate": 3}, feats={"Bully Boy": 3}), BOB, parley=True)
    _, log = a_round(both, [(8, 8, 8, 2, 3, 4), (9, 1)], ["warn:Bob", "nothing", "pass", "attack:Ann"])
    assert "Bob hesitates: a 2x8 is left" in log


def test_a_racked_shotgun_is_a_morale_attack_of_command():  # line 3914
    state = fight(somebody("Ann", "shotgun: shotgun 3", skills={"long arms": 3}, feats={"Pump-Action Mastery": 3}), mooks=5)
    after, _ = a_round(state, [(1, 2, 3, 4)], ["rack:Thug"])
    assert after.groups[0].mob.number == 2


def test_riot_control_makes_people_lie_down():  # line 3912
    state = fight(somebody("Ann", "shotgun: shotgun 3", skills={"long arms": 3}, feats={"Pump-Action Mastery": 2}), BOB)
    after, log = a_round(state, [(1, 2, 3, 4, 5, 6)], ["riot control", "attack:Ann"])
    assert after.fighter("Bob").downed
    assert "Bob drops prone" in log
    brave, _ = a_round(state, [(9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["riot control", "attack:Ann"])
    assert not brave.fighter("Bob").downed


# --- fire ---------------------------------------------------------------------------------------------------------------------


def test_one_more_is_in_the_chamber():  # line 3354
    plain, more = (fight(somebody("Ann", ".38 special", feats=feats), BOB).fighter("Ann") for feats in ({}, {"Bullet Man": 1}))
    assert loaded(more) == loaded(plain) + 1


def test_charges_are_spent_for_dice_and_damage_and_saved_by_half():  # lines 3854-3858
    ann = somebody("Ann", "laser: energy pistol 2 magazine 10", skills={"laser weapons": 3}, feats={"Wavelength Warrior": 3})
    state = fight(ann, BOB, metres=10)
    one, _ = a_round(state, [(1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6)], ["Wavelength Warrior 1:Bob", "parry"])
    assert loaded(one.fighter("Ann")) == 8
    half, _ = a_round(state, [faces(state, 1), (1, 2, 3, 4, 5, 6)], ["Wavelength Warrior 2:Bob", "parry"])
    assert loaded(half.fighter("Ann")) == 10
    whole, _ = a_round(half, [faces(half, 1), (1, 2, 3, 4, 5, 6)], ["Wavelength Warrior 2:Bob", "parry"])
    assert loaded(whole.fighter("Ann")) == 9


def test_the_same_shot_again_without_a_roll():  # line 3862
    ann = somebody("Ann", "laser: energy rifle 2 magazine 10", skills={"laser weapons": 5}, feats={"Wavelength Warrior": 5})
    state = fight(ann, somebody("Bob", insight=2), metres=20)
    hit, _ = a_round(state, [faces(state, 5, 5)], ["attack:Bob", "pass"])
    assert "repeat shot:Bob" in keys(hit)
    again, log = a_round(hit, [], ["repeat shot:Bob", "pass"])
    assert "Ann hits Bob with a 2x5" in log
    assert loaded(again.fighter("Ann")) == loaded(hit.fighter("Ann")) - 2
    assert "repeat shot:Bob" not in keys(a_round(hit, [], ["pass", "pass"])[0])


def test_a_weapon_is_charged_up_and_a_battery_shaken():  # lines 3366, 3374
    ann = somebody("Ann", "laser: energy pistol 2 magazine 6", skills={"ranged combat": 5}, feats={"Energy Blast": 5})
    state = fight(ann, somebody("Bob", insight=2), metres=10)
    charged, _ = a_round(state, [], ["charge up", "pass"])
    assert loaded(charged.fighter("Ann")) == 3
    hurt = []
    for each in (state, charged):
        after, _ = a_round(each, [faces(each, 7, 7)], ["attack:Bob", "pass"])
        hurt.append(sum(part.kill + part.shock for part in after.fighter("Bob").body.parts))
    assert hurt[1] > hurt[0]
    empty = state.change("Ann", spent=((1, 6),))
    found, _ = a_round(empty, [(4, 4, 4, 1, 2)], ["shake the battery", "pass"])
    assert loaded(found.fighter("Ann")) == 3


def test_loading_with_care_gives_two_dice():  # line 3378
    state = fight(somebody("Ann", "crossbow: push 2", skills={"ranged combat": 3}, feats={"Hawkeye": 1}), BOB, metres=20)
    empty = state.change("Ann", spent=((1, 1),))
    after, _ = a_round(empty, [(1, 2, 3, 4, 5, 6)], ["reload", "parry"])
    assert sum(mod.dice for mod in cast(after, "Ann", Act("attack", "Bob")).pool.mods if mod.label == "Notch") == 2


def test_suppressive_fire_of_a_machine_gunner():  # lines 3868-3878
    uzi = "uzi 9mm"
    from rulewright.systems.ore.fight.actions.guns import base_dice

    for level, base in ((1, 3), (4, 5)):
        state = fight(somebody("Ann", uzi, skills={"long arms": 5}, feats={"Lead Tsunami": level}), BOB, metres=10)
        assert base_dice(RULES, state.fighter("Ann")) == base
    assert base_dice(RULES, fight(somebody("Ann", uzi), BOB, metres=10).fighter("Ann")) == 2
    from rulewright.systems.ore.fight.resolution.gunfire import _kept_down

    heads = fight(somebody("Ann", uzi, skills={"long arms": 4}, feats={"Lead Tsunami": 3}), BOB, metres=10)
    assert _kept_down(RULES, heads.fighter("Ann")) == 4


def test_a_fireball_and_a_stream_burst_where_they_strike():  # lines 3994-4000
    ann = somebody("Ann", "plasma: energy pistol 2", skills={"plasma weapons": 5}, feats={"Firestarter": 5})
    state = fight(ann, somebody("Bob", insight=2), metres=6)
    roll = (7, 7, 7, 1, 2, 3, 4, 5, 6, 8)[: size(cast(state, "Ann", Act("attack", "Bob")))]
    after, _log = a_round(state, [roll, (1,), (5,), (8,)], ["Firestarter 3:Bob", "pass"])
    assert sum(part.kill for part in after.fighter("Bob").body.parts) == 3
    assert after.fighter("Bob").body.burning == (3,)


@pytest.mark.parametrize(("weapon", "dice"), [("plasma: energy pistol 2", 3), ("plasma: energy rifle 3", 4)])
def test_a_fireball_is_an_area_of_its_width_and_the_shock_of_its_weapon(weapon, dice):  # line 3994
    state = fight(somebody("Ann", weapon, skills={"plasma weapons": 5}, feats={"Firestarter": 2}), somebody("Bob", insight=2), metres=6)
    roll = faces(state, 7, 7, 7)
    after, _ = a_round(state, [roll, *[(8,)] * dice], ["Firestarter 2:Bob", "pass"])
    assert (after.fighter("Bob").body.part("torso").shock, after.fighter("Bob").body.part("torso").kill) == (dice, 0)


def test_a_deafened_target_and_one_thrown_back():  # lines 4095, 3918
    sonic = fight(somebody("Ann", "sonic: energy pistol 2", skills={"sonic weapons": 5}, feats={"Screaming Death": 4}), BOB, metres=10)
    after, log = a_round(sonic, [faces(sonic, 5, 5), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry"])
    assert "Bob is deaf for 2 rounds" in log
    shot = somebody("Ann", "shotgun: shotgun 3", skills={"long arms": 5}, feats={"Pump-Action Mastery": 5})
    state = fight(shot, somebody("Bob", insight=2), metres=8)
    roll = faces(state, 5, 5)
    after, _ = a_round(state, [roll, *[(2,)] * (len(roll) - 2)], ["attack:Bob", "pass"])  # every waste die is a die of the area
    assert after.fighter("Bob").metres == 10
    assert after.fighter("Bob").body.part("right leg").shock == min(5, len(roll) - 2)


@pytest.mark.parametrize(("metres", "near"), [(12, True), (13, False)])
def test_who_is_thrown_back_meets_whoever_stands_as_near_as_the_set_is_wide(metres, near):  # line 3918
    shot = somebody("Ann", "shotgun: shotgun 3", skills={"long arms": 5}, feats={"Pump-Action Mastery": 5})
    state = fight(shot, somebody("Bob", insight=2), somebody("Cid", insight=3), metres=8).change("Cid", metres=metres)
    roll = faces(state, 5, 5)
    dice = len(roll) - 2
    choices = ["attack:Bob", "pass", "pass", *(["Cid"] if near else [])]
    after, _ = a_round(state, [roll, *[(2,)] * (dice * (2 if near else 1))], choices)
    assert after.fighter("Bob").metres == 10
    assert after.fighter("Cid").body.part("right leg").shock == (min(5, dice) if near else 0)


def test_a_throw_goes_further():  # line 4004
    far = fight(
        somebody("Ann", "javelin: trajectory 2", skills={"projectile weapons": 3}, feats={"Thrown To The Wolves": 1}), BOB, metres=20
    )
    assert "attack:Bob" in keys(far)
    assert "attack:Bob" not in keys(fight(somebody("Ann", "javelin: trajectory 2", skills={"projectile weapons": 3}), BOB, metres=20))


def test_fling_uses_every_set_for_another_weapon():  # line 4010
    knives = ("knife: trajectory 1", "dirk: trajectory 1")
    state = fight(
        somebody("Ann", *knives, skills={"projectile weapons": 5}, feats={"Thrown To The Wolves": 4}), somebody("Bob", insight=2), metres=5
    )
    n = size(cast(state, "Ann", Act("attack", "Bob")))
    _, log = a_round(state, [(5, 5, 7, 7, 1, 2, 3, 4, 6, 8)[:n]], ["attack:Bob", "pass", "2x5"])
    assert sum("Ann hits Bob" in line for line in log) == 2


def test_some_dice_of_a_throw_are_rolled_again():  # line 3824
    state = fight(
        somebody("Ann", "bottle: hurled 1", skills={"hurled weapons": 4}, feats={"Pitcher": 4}), somebody("Bob", insight=2), metres=2
    )
    n = size(cast(state, "Ann", Act("attack", "Bob")))
    low = tuple(range(1, n + 1))
    _, log = a_round(state, [low, (n, 10, 10, 10)], ["attack:Bob", "pass", "yes", "3x10"])
    assert "Ann rolls again with a feat" in log
    assert any("Ann: 3x10" in line for line in log)


HEROIC = BOOK.ruleset(settings={"drama-points": "drama points"})


@pytest.mark.parametrize(("points", "left"), [(0, 5), (0, 4), (0, 3), (2, 5), (2, 4)])
def test_as_many_dice_are_rolled_again_as_the_skill_is_rated_or_all_there_are(points, left):  # line 3824
    """Ann's Hurled Weapons are rated 4; `left` are the dice that wounds leave her. A hero is not Blessed on what a feat rolled again."""
    heroic = (Owned("action hero", points),) if points else ()
    ann = somebody("Ann", "bottle: hurled 1", skills={"hurled weapons": 4}, feats={"Pitcher": 4}, advantages=heroic)
    state = fight(ann, somebody("Bob", insight=2), by=HEROIC, metres=2)
    whole = size(cast(state, "Ann", Act("attack", "Bob"), by=HEROIC), HEROIC)
    state = state.change("Ann", tripped=whole - left)
    again = min(4, left)
    choices = ["attack:Bob", *(["no"] if points else []), "pass", "yes"]
    played = script(a_whole_round(state, HEROIC), [(1, 3, 5, 7, 9)[:left], (10, 10, 2, 4)[:again]], choices)
    told = [rolled.roll.what for rolled in played.rolls]
    assert told == ["an attack on Bob", "an attack on Bob, some dice again" if left > 4 else "an attack on Bob"]
    assert played.outcome.fighter("Bob").body.part("head").kill > 0


def test_a_hero_who_leaves_the_dice_to_the_feat_may_be_blessed_all_the_same():
    ann = somebody("Ann", "bottle: hurled 1", skills={"hurled weapons": 4}, feats={"Pitcher": 4}, advantages=(Owned("action hero", 2),))
    state = fight(ann, somebody("Bob", insight=2), by=HEROIC, metres=2)
    state = state.change("Ann", tripped=size(cast(state, "Ann", Act("attack", "Bob"), by=HEROIC), HEROIC) - 5)
    choices = ["attack:Bob", "no", "pass"]
    blessed = script(a_whole_round(state, HEROIC), [(1, 3, 5, 7, 9), (10, 10, 1, 2, 4)], [*choices, "no", "no", "yes"]).outcome
    assert (blessed.fighter("Ann").drama, blessed.fighter("Bob").body.part("head").kill > 0) == (0, True)
    better = script(a_whole_round(state, HEROIC), [(1, 3, 5, 10, 10), (10, 2, 4)], [*choices, "yes"])
    assert [len(rolled.faces) for rolled in better.rolls] == [5, 3]


def test_a_run_from_cover_to_cover_counters_shots():  # line 2431
    from rulewright.systems.ore.combat.cover import Cover

    ann = somebody("Ann", skills={"athletics": 3}, feats={"Marathon Man": 3})
    state = fight(ann, somebody("Bob", ".38 special", insight=2), metres=20, cover="50% right")
    hidden = state.change("Ann", cover=Cover("50% right"))
    n, m = size(cast(hidden, "Ann", Act("run"))), size(cast(hidden, "Bob", Act("attack", "Ann")))
    after, log = a_round(hidden, [(9, 9, 1, 2, 3, 4, 5, 6)[:n], (3, 3, 1, 2, 4, 5, 6, 7)[:m]], ["run", "attack:Ann"])
    assert after.fighter("Ann").cover.any
    assert any("dives with" in line for line in log)


# --- help ---------------------------------------------------------------------------------------------------------------------


def test_bleeding_is_stopped_without_a_roll():  # line 3216
    by = BOOK.ruleset(settings={"wounds": True})
    state = fight(somebody("Ann", skills={"medicine": 3}, feats={"First Aid": 2}), BOB, by=by)
    bleeding = state.change("Ann", body=replace(state.fighter("Ann").body, wounds=(Wound(),)))
    assert "staunch:Ann" in keys(bleeding, by=by)
    after, _ = a_round(bleeding, [(1, 2, 3, 4, 5, 6)], ["staunch:Ann", "attack:Ann"], by=by)
    assert not after.fighter("Ann").body.wounds[0].bleeding
    assert size(cast(bleeding, "Ann", Act("treat", "Ann"), by=by), by) == 3 + 3 + 1 - 1  # the kit, line 3214, and the Wound


def test_somebody_who_just_died_is_brought_back():  # line 3230
    state = fight(somebody("Ann", skills={"medicine": 5}, feats={"First Aid": 5}), BOB)
    cid = enter(RULES, somebody("Cid"), "Cid", "a")
    head = cid.body.part("head")
    dead = replace(cid, body=cid.body.put(replace(head, kill=head.boxes)), marks=(("died", "1"),))
    state = replace(state, fighters=(*state.fighters, dead), round=2)
    assert "resuscitate:Cid" in keys(state)
    assert "resuscitate:Cid" not in keys(replace(state, round=5))
    after, _ = a_round(state, [(8, 8, 1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)], ["resuscitate:Cid", "attack:Ann"])
    assert not after.fighter("Cid").body.dead
    low, _ = a_round(state, [(6, 6, 1, 2, 3, 4, 5, 7), (1, 2, 3, 4, 5, 6)], ["resuscitate:Cid", "attack:Ann"])
    assert low.fighter("Cid").body.dead  # below Difficulty 7


# --- squads -------------------------------------------------------------------------------------------------------------------


def squad(level, metres=0):
    ann = somebody("Ann", ".38 special", skills={"leadership": 5}, feats={"Group Tactics": level})
    state = fight(ann, somebody("Bob", insight=3), metres=6)
    cid = enter(RULES, somebody("Cid", ".38 special", insight=2), "Cid", "a", metres)
    return replace(state, fighters=(*state.fighters, cid))


def test_a_squad_strikes_together():  # lines 3070-3076, the book's example
    state = squad(3)
    n, m = (size(cast(state, name, Act("attack", "Bob"))) for name in ("Ann", "Cid"))
    rolls = [(6, 6, 1, 2, 3, 4, 5)[:n], (6, 6, 1, 2, 3, 4, 5)[:m]]
    _, log = a_round(state, rolls, ["attack:Bob", "attack:Bob", "pass"])
    assert "Ann hits Bob with a 4x6" in log
    assert not any("Cid hits" in line for line in log)
    _, log = a_round(squad(2), rolls, ["attack:Bob", "attack:Bob", "pass"])
    assert "Ann hits Bob with a 2x6" in log
    assert "Cid hits Bob with a 2x6" in log


def test_a_squad_out_of_formation_needs_the_highest_level():  # lines 3054-3056, 3082-3086
    from rulewright.systems.ore.fight.feats.effects import in_formation

    assert in_formation(RULES, squad(3), squad(3).fighter("Cid"))
    assert not in_formation(RULES, squad(3, metres=6), squad(3, metres=6).fighter("Cid"))
    assert in_formation(RULES, squad(5, metres=6), squad(5, metres=6).fighter("Cid"))


def test_a_hit_is_taken_by_a_friend():  # lines 3078-3080
    state = squad(4)
    armed = replace(
        state, fighters=(state.fighters[0], enter(RULES, somebody("Bob", ".38 special", insight=3), "Bob", "b", 6), state.fighters[2])
    )
    m = size(cast(armed, "Bob", Act("attack", "Ann")))
    roll = (6, 6, 1, 2, 3, 4, 5)[:m]
    after, _ = a_round(armed, [roll], ["pass", "pass", "attack:Ann", "Cid", "yes"])
    assert after.fighter("Ann").body.record() == "unhurt"
    assert after.fighter("Cid").body.record() != "unhurt"
    kept, _ = a_round(armed, [roll], ["pass", "pass", "attack:Ann", "Cid", "no"])
    assert kept.fighter("Ann").body.record() != "unhurt"


def test_a_team_resists_with_the_best_command():  # lines 3064-3068
    state = squad(2)
    bold = replace(
        state.fighters[2],
        profile=replace(state.fighters[2].profile, training=replace(state.fighters[2].profile.training, statistics=Statistics(command=5))),
    )
    state = replace(state, fighters=(*state.fighters[:2], bold))
    done = script(morale_attack_on(RULES, state, "Ann", 3, 5), [tuple(range(1, 9))])
    assert done.outcome.fighter("Ann").afraid == 3


# --- mounts -------------------------------------------------------------------------------------------------------------------


def rider(level):
    state = fight(somebody("Ann", "broadsword", skills={"ride: horses": 5}, feats={"Horse Whisperer": level}), somebody("Bob", insight=2))
    return state.change("Ann", mounted=True)


def test_a_mount_rides_people_down_and_kicks():  # lines 4037-4047
    after, log = a_round(rider(4), [(7, 7, 5, 5, 5, 1, 2, 3, 4)], ["overrun:Bob", 4, "pass", "2x7"])
    assert any("rides down Bob with a 2x7" in line for line in log)
    assert sum(part.kill for part in after.fighter("Bob").body.parts) > 2
    assert "overrun:Bob" not in keys(rider(4).change("Ann", mounted=False))
    _free, log = a_round(
        rider(5), [(1, 2, 3, 4, 5, 6), (5, 5, 1, 2, 3)], ["several", "kick:Bob", "warhorse", 4, 1, "attack:Bob", "done", "pass"]
    )
    assert "Ann has 6 dice for an attack on Bob" in log
    assert any("has the mount kick Bob with a 2x5" in line for line in log)


# --- skills and feats by themselves -------------------------------------------------------------------------------------------


def test_the_game_master_says_whether_circumstances_hold():
    state = fight(somebody("Ann", skills={"athletics": 4}, feats={"Cliffhanger": 4}), BOB)
    choices = ["skill:athletics", 5, "yes", "attack:Ann", "4x3"]
    _, log = a_round(state, [(5, 5, 5, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["skill:athletics", 5, "yes", "attack:Ann", "2x7"])
    assert any("succeeds with athletics: 2x7" in line for line in log), (choices, log)
    _, log = a_round(state, [(5, 5, 5, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["skill:athletics", 5, "no", "attack:Ann"])
    assert any("succeeds with athletics: 3x5" in line for line in log)


def test_a_feat_is_called_on_by_itself():  # lines 2411, 2598, 2996
    ann = somebody(
        "Ann", skills={"athletics": 3, "crime": 5, "leadership": 2}, feats={"Cliffhanger": 3, "Locksmith's Hand": 5, "Look Of Eagles": 1}
    )
    state = fight(ann, BOB)
    _, log = a_round(state, [(1, 2, 3, 4, 5, 6)], ["feat", "Cliffhanger 2", "attack:Ann"])
    assert any("Ann uses Rope Access" in line for line in log)
    _, log = a_round(state, [(6, 6, 1, 2, 3, 4, 5, 7), (1, 2, 3, 4, 5, 6)], ["feat", "Locksmith's Hand 5", "attack:Ann"])
    assert any("uses Skeleton Key (2x6): the lock is open" in line for line in log)
    _, log = a_round(
        state, [(2, 2, 1, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6)], ["feat", "Locksmith's Hand 4", "an hour of study", "attack:Ann"]
    )
    assert any("uses Forge Key (2x2)" in line for line in log)
    _, log = a_round(state, [(1, 2, 3, 4, 5, 6)], ["feat", "Look Of Eagles 1", "yes", "attack:Ann"])
    assert any("success" in line for line in log)


def test_feats_of_nobody_change_nothing():
    state = fight(somebody("Ann", "broadsword"), BOB)
    assert with_words(RULES, state, Plan("Ann", (Act("attack", "Bob"),))).acts[0].when == ()
    assert cast(state, "Ann", Act("attack", "Bob")).pool.mods == ()
