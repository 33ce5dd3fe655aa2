"""Feats in a fight: pools, manners of attack, blows, counters, copies of sets (book lines 2391-2489, 3698-4154)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.fight.actions.registry import ACTIONS
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.feats.effects import BARE, BLOWS, FREE, with_words
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.resolution.tests import ready_dice
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
SKILLS = {"close combat": 3, "athletics": 3, "ranged combat": 3, "physique": 3, "manipulate": 3, "focus": 3, "medicine": 3}


def somebody(name, *weapons, insight=1, feats=None, skills=(), **more):
    statistics = Statistics(body=3, coordination=3, psyche=3, insight=insight, command=3)
    return Character(name, statistics=statistics, skills={**SKILLS, **dict(skills)}, weapons=weapons, feats=feats or {}, **more)


def fight(ann, *others, by=RULES, metres=0, **place):
    """Ann declares first, the others after her; they are her enemies."""
    people = [enter(by, ann, "Ann", "a")]
    people += [enter(by, one, one.name, "b", metres) for one in others]
    return Fight(Ground(metres, **place), tuple(people))


def a_round(state, faces, choices, by=RULES):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    done = script(go(state), faces, choices)
    return done.outcome, [event.headline() for event in done.events]


def dice(state, name, *acts, by=RULES, round_=1):
    from rulewright.systems.ore.combat.fighters import Plan

    state = replace(state, round=round_)
    plan = with_words(by, state, Plan(name, acts))
    rolled = tuple([act for act in plan.acts if ACTIONS[act.kind].rolled])
    idle = tuple([act for act in plan.acts if not ACTIONS[act.kind].rolled])
    return cast_of(by, state, state.fighter(name), rolled, idle)


def size(cast, by=RULES):
    return ready_dice(by, cast.pool).size


def keys(state, name="Ann", by=RULES):
    return {option.key for option in options_for(by, state, name)}


BOB = somebody("Bob", "broadsword", insight=2)
SLOW = somebody("Bob", "broadsword", insight=1)


def test_the_kinds_that_feats_know_are_those_of_the_registry():
    assert {kind for kind, action in ACTIONS.items() if action.blow} - {"bullseye"} == BLOWS
    assert {kind for kind, action in ACTIONS.items() if action.bare} == BARE
    assert {kind for kind, action in ACTIONS.items() if action.free} - {"kick"} == FREE


# --- dice ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("feats", "weapon", "act", "more"),
    [
        ({"Marathon Man": 1}, "", Act("run"), 1),  # line 2425
        ({"Marathon Man": 2}, "", Act("run", away=True), 2),  # line 2427
        ({"Web of Steel": 1}, "broadsword", Act("parry"), 1),  # line 2481
        ({"Pulverizing Rain": 1}, "staff", Act("attack", "Bob"), 0),  # a staff is no bludgeon
        ({"Pulverizing Rain": 1}, "mace: bludgeon 3", Act("attack", "Bob"), 1),  # line 3728
        ({"Steel Web": 1}, "dagger", Act("parry"), 1),  # line 3740
        ({"En Garde!": 1}, "epee", Act("attack", "Bob"), 0),
        ({"En Garde!": 1}, "epee", Act("attack", "Bob", manner=("En Garde! 1",)), 1),  # line 3764
        ({"Power Attack": 2}, "broadsword", Act("attack", "Bob", manner=("Power Attack 2",)), -1),  # line 2471
        ({"Power Attack": 5}, "broadsword", Act("attack", "Bob", manner=("Power Attack 5",)), -2),  # line 2477
        ({"Kick Murder": 5}, "", Act("attack", "Bob", manner=("Kick Murder 5",)), -1),  # line 4153
    ],
)
def test_a_feat_gives_or_takes_dice(feats, weapon, act, more):
    weapons = (weapon,) if weapon else ()
    with_feat = fight(somebody("Ann", *weapons, insight=2, feats=feats), SLOW)
    without = fight(somebody("Ann", *weapons, insight=2), SLOW)
    plain = replace(act, manner=())
    assert size(dice(with_feat, "Ann", act)) - size(dice(without, "Ann", plain)) == more


def test_the_slightest_movement_helps_against_the_slower_and_without_armour():  # lines 2439-2445
    quick = somebody("Ann", insight=3, feats={"Uncanny Defense": 1})
    state = fight(quick, BOB)
    coming = replace(state, plans=(_plan("Bob", Act("attack", "Ann")),))
    base = size(dice(fight(somebody("Ann", insight=3), BOB), "Ann", Act("dodge")))
    assert size(dice(coming, "Ann", Act("dodge"))) == base + 1
    assert (
        size(dice(replace(fight(somebody("Ann", insight=1, feats={"Uncanny Defense": 1}), BOB), plans=coming.plans), "Ann", Act("dodge")))
        == base
    )
    armoured = fight(replace(quick, armour={"torso": "light"}), BOB)
    assert size(dice(replace(armoured, plans=coming.plans), "Ann", Act("dodge"))) == base


def _plan(who, *acts):
    from rulewright.systems.ore.combat.fighters import Plan

    return Plan(who, acts)


def test_only_a_single_action_has_the_bonus_for_it():  # line 3728
    state = fight(somebody("Ann", "mace: bludgeon 3", feats={"Pulverizing Rain": 1}), BOB)
    alone, both = dice(state, "Ann", Act("attack", "Bob")), dice(state, "Ann", Act("attack", "Bob"), Act("dodge"))
    assert (size(alone), size(both)) == (7, 5)


def test_a_quarry_is_marked_with_an_action_and_easier_to_strike_ever_after():  # line 2469
    state = fight(somebody("Ann", "broadsword", feats={"Power Attack": 1}), BOB)
    assert "mark:Bob" in keys(state)
    after, log = a_round(state, [(1, 2, 3, 4, 5, 6)], ["mark:Bob", "attack:Ann"])
    assert "Ann marks Bob" in log
    assert "mark:Bob" not in keys(after)
    assert size(dice(after, "Ann", Act("attack", "Bob"))) == 7
    again, _ = a_round(after, [(1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "attack:Ann"])
    assert size(dice(again, "Ann", Act("attack", "Bob"))) == 7


def test_a_bite_helps_with_the_next_attack_only():  # line 3702
    state = fight(somebody("Ann", "battle axe", feats={"Broadcutter": 1}), SLOW)
    after, _ = a_round(state, [(9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "attack:Ann"])
    assert size(dice(after, "Ann", Act("attack", "Bob"))) == 7
    later, _ = a_round(after, [(1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "attack:Ann"])
    assert size(dice(later, "Ann", Act("attack", "Bob"))) == 6


def test_sizing_somebody_up_gives_a_master_die_once():  # lines 3489-3491
    state = fight(somebody("Ann", "broadsword", skills={"scrutinize": 5}, feats={"Assaying Eye": 5}), BOB)
    after, _ = a_round(state, [(1, 2, 3, 4, 5, 6)], ["size up:Bob", "attack:Ann"])
    assert dice(after, "Ann", Act("attack", "Bob")).pool.master == 1
    assert "size up:Bob" not in keys(after)
    later, _ = a_round(after, [(1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "attack:Ann", "2x6"])
    assert dice(later, "Ann", Act("attack", "Bob")).pool.master == 0


def test_whoever_watches_knows_how_good_somebody_is():  # line 3487
    state = fight(
        somebody("Ann", "broadsword", skills={"scrutinize": 5}, feats={"Assaying Eye": 4}),
        somebody("Bob", insight=2, skills={"close combat": 1}),
    )
    _, log = a_round(state, [(1, 2, 3, 4)], ["assess:Bob", "attack:Ann"])
    assert "Ann sees that Bob fights worse than they do" in log


def test_pain_weighs_less_on_an_iron_mind():  # line 2976
    by = BOOK.ruleset(settings={"damage-system": "abstract"})
    from rulewright.systems.ore.harm.body import Abstract, Injury

    for level, left in ((2, 3), (3, 1)):
        state = fight(somebody("Ann", "broadsword", skills={"focus": 5}, feats={"Iron Mind": level}), BOB, by=by)
        state = state.change("Ann", body=Abstract(statistic=3, injuries=(Injury(1, 1, 3),)))
        assert dice(state, "Ann", Act("attack", "Bob"), by=by).pool.penalty == left


def test_the_off_hand_is_easier_by_motor_control_and_for_a_two_gun_god():  # lines 3304, 3360
    guns = ("guns: pistol 9mm", "guns: pistol 9mm")
    both = Act("attack", "Bob", off_hand=2)
    for feats, penalty in (({}, 3), ({"Kinesthetics": 1}, 2), ({"Bullet Man": 4}, 1)):
        state = fight(somebody("Ann", *guns, skills={"physique": 5, "ranged combat": 5}, feats=feats), BOB, metres=8)
        mods = [mod.dice for mod in dice(state, "Ann", both).pool.mods if mod.label.startswith("both hands")]
        assert -sum(mods) == penalty


@pytest.mark.parametrize(
    ("feats", "weapons", "acts"),
    [
        ({"Web of Steel": 3}, ("broadsword",), (Act("attack", "Bob"), Act("parry"))),  # line 2485
        ({"Blademaster": 2}, ("broadsword",), (Act("attack", "Bob"), Act("parry"))),  # line 4131
        ({"Bullet Man": 3}, (".38 special",), (Act("attack", "Bob"), Act("dodge"))),  # line 3358
        ({"Energy Blast": 2}, ("laser: energy pistol 2",), (Act("attack", "Bob"), Act("dodge"))),  # line 3368
        ({"Give No Quarter!": 3}, ("staff",), (Act("attack", "Bob"), Act("dodge"))),  # line 3794
        ({"Give No Quarter!": 3}, ("staff",), (Act("parry"), Act("dodge"))),
    ],
)
def test_two_actions_go_together_without_the_die_for_the_second(feats, weapons, acts):
    state = fight(somebody("Ann", *weapons, feats=feats), BOB)
    bare = fight(somebody("Ann", *weapons), BOB)
    assert size(dice(state, "Ann", *acts)) == size(dice(bare, "Ann", *acts)) + 1


@pytest.mark.parametrize(
    ("feats", "weapon"),
    [({"Bullet Man": 2}, ".38 special"), ({"Blademaster": 1}, "broadsword"), ({"Thrown To The Wolves": 2}, "knife: trajectory 1")],
)
def test_a_weapon_is_drawn_and_used_at_once(feats, weapon):  # lines 3356, 4129, 4006
    acts = (Act("draw", weapon=1), Act("attack", "Bob"))
    state = fight(somebody("Ann", weapon, feats=feats), BOB)
    bare = fight(somebody("Ann", weapon), BOB)
    assert size(dice(state, "Ann", *acts)) == size(dice(bare, "Ann", *acts)) + 1


def test_a_sidearm_is_drawn_when_the_weapon_is_empty():  # lines 4067-4069
    arms = (".38 special", ".44 magnum")
    acts = (Act("draw", weapon=2), Act("attack", "Bob"))
    state = fight(somebody("Ann", *arms, feats={"CQB": 1}), BOB, metres=6)
    empty = state.change("Ann", spent=((1, state.fighter("Ann").weapon.magazine),))
    bare = fight(somebody("Ann", *arms), BOB, metres=6)
    assert size(dice(empty, "Ann", *acts)) == size(dice(bare, "Ann", *acts)) + 1
    assert size(dice(state, "Ann", *acts)) == size(dice(bare, "Ann", *acts))


@pytest.mark.parametrize(
    ("feats", "skills", "acts"),
    [
        ({"Trailblazer": 4}, {"scrutinize": 4, "stealth": 3}, (Act("skill", skill="stealth"), Act("skill", skill="tracking"))),  # line 3517
        ({"Horse Whisperer": 3}, {"ride: horses": 3}, (Act("skill", skill="ride: horses"), Act("attack", "Bob"))),  # lines 4033-4035
    ],
)
def test_a_skill_goes_together_with_another_action(feats, skills, acts):
    state = fight(somebody("Ann", skills=skills, feats=feats), BOB).change("Ann", mounted=True)
    bare = fight(somebody("Ann", skills=skills), BOB).change("Ann", mounted=True)
    assert size(dice(state, "Ann", *acts)) == size(dice(bare, "Ann", *acts)) + 1


def test_battokiri_is_for_those_who_do_nothing_else():  # line 4129
    acts = (Act("draw", weapon=1), Act("attack", "Bob"), Act("dodge"))
    state = fight(somebody("Ann", "broadsword", feats={"Blademaster": 1}), BOB)
    bare = fight(somebody("Ann", "broadsword"), BOB)
    assert size(dice(state, "Ann", *acts)) == size(dice(bare, "Ann", *acts))


def test_a_snake_dance_is_rolled_with_the_larger_pool():  # line 2447
    skills = {"close combat": 5, "ranged combat": 1}
    state = fight(somebody("Ann", ".38 special", skills=skills, feats={"Uncanny Defense": 2}), BOB)
    cast = dice(state, "Ann", Act("attack", "Bob"), Act("dodge"))
    assert cast.pool.size == 8  # Coordination and Dodge, not Insight and Ballistics


def test_a_target_further_off_counts_as_nearer():  # lines 3292, 3370
    for feats, more in (({}, 0), ({"Sight Beyond Sight": 4}, 1)):
        state = fight(somebody("Ann", ".38 special", skills={"perception": 4}, feats=feats), BOB, metres=35)
        assert dice(state, "Ann", Act("attack", "Bob")).pool.bonus == more
    for feats, more in (({}, -1), ({"Energy Blast": 3}, 0)):
        state = fight(somebody("Ann", "laser: energy pistol 2", feats=feats), BOB, metres=65)
        mods = dice(state, "Ann", Act("attack", "Bob")).pool.mods
        assert sum(mod.dice for mod in mods if "range" in mod.label) == more, mods


def test_snipers_get_more_out_of_aiming():  # lines 3890-3902
    rifle, long = "rifle: rifle 3", {"long arms": 5}
    for level, aims, bonus in ((1, 1, 2), (5, 1, 2), (5, 3, 4)):
        ann = somebody("Ann", rifle, insight=3, skills=long, feats={"One Shot, One Kill": level})
        state = fight(ann, BOB, metres=60).change("Ann", aim=aims, against="Bob")
        mods = dice(state, "Ann", Act("attack", "Bob")).pool.mods
        assert sum(mod.dice for mod in mods if "aim" in mod.label) == bonus
    assert dice(state, "Ann", Act("attack", "Bob")).pool.beyond_ten
    once = fight(somebody("Ann", rifle, skills=long, feats={"One Shot, One Kill": 1}), BOB, metres=60).change("Ann", aim=1, against="Bob")
    assert "aim:Bob" not in keys(once)
    often = fight(somebody("Ann", rifle, insight=3, skills=long, feats={"One Shot, One Kill": 5}), BOB, metres=60)
    assert "aim:Bob" in keys(often.change("Ann", aim=3, against="Bob"))  # 3900: Sense further times after the first
    assert "aim:Bob" not in keys(often.change("Ann", aim=4, against="Bob"))


def test_an_archers_eye_has_a_special_die_for_aiming():  # lines 3952-3954
    for level, expert, master in ((4, 1, 0), (5, 0, 1)):
        state = fight(somebody("Ann", "longbow: pull 3", skills={"missile weapons": 5}, feats={"Archer's Eye": level}), BOB, metres=20)
        cast = dice(state.change("Ann", aim=1, against="Bob"), "Ann", Act("attack", "Bob"))
        assert (cast.pool.expert, cast.pool.master) == (expert, master)
        assert not any(mod.label == "aim" for mod in cast.pool.mods)


def test_consecutive_shots_at_one_target_are_surer():  # line 3860
    state = fight(somebody("Ann", "laser: energy pistol 2", skills={"laser weapons": 5}, feats={"Wavelength Warrior": 4}), BOB, metres=10)
    found = []
    for _ in range(3):
        cast = dice(state, "Ann", Act("attack", "Bob"))
        found.append(sum(mod.dice for mod in cast.pool.mods if mod.label == "Laser Painter"))
        faces = tuple(range(1, min(10, size(cast)) + 1))
        state, _ = a_round(state, [faces, (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry"])
    assert found == [0, 1, 2]
    state, _ = a_round(state, [(1, 2, 3, 4, 5, 6)], ["pass", "parry"])
    assert sum(mod.dice for mod in dice(state, "Ann", Act("attack", "Bob")).pool.mods if mod.label == "Laser Painter") == 0


def test_a_called_shot_is_easier_with_a_staff():  # line 3792
    state = fight(somebody("Ann", "staff", skills={"hafted": 5}, feats={"Give No Quarter!": 2}), BOB)
    bare = fight(somebody("Ann", "staff", skills={"hafted": 5}), BOB)
    act = Act("called shot", "Bob", "head")
    assert size(dice(state, "Ann", act)) == size(dice(bare, "Ann", act)) + 1


def test_croise_makes_called_shots_harder():  # line 3766
    ann = somebody("Ann", "epee", skills={"fencing": 5}, feats={"En Garde!": 2})
    state = fight(ann, BOB)
    planned = replace(state, plans=(_plan("Ann", Act("attack", "Bob", manner=("En Garde! 2",), when=("fencing",))),))
    assert dice(planned, "Bob", Act("called shot", "Ann", "head")).difficulty == 2
    assert dice(state, "Bob", Act("called shot", "Ann", "head")).difficulty == 1


def test_a_longer_haft_keeps_shorter_weapons_off():  # line 3796
    by = BOOK.ruleset(settings={"weapon-reach": True})
    ann = somebody("Ann", "staff", skills={"hafted": 5}, feats={"Give No Quarter!": 4})
    bob = somebody("Bob", "dagger", insight=2)
    taken = [dice(fight(each, bob, by=by), "Bob", Act("attack", "Ann"), by=by).pool.penalty for each in (ann, somebody("Ann", "staff"))]
    assert taken == [2, 1]


def test_fire_keeps_blades_off():  # line 3998
    by = BOOK.ruleset(settings={"weapon-reach": True})
    ann = somebody("Ann", "plasma: energy pistol 2", skills={"plasma weapons": 5}, feats={"Firestarter": 4})
    assert dice(fight(ann, somebody("Bob", "dagger", insight=2), by=by), "Bob", Act("attack", "Ann"), by=by).pool.penalty == 1


# --- sets ---------------------------------------------------------------------------------------------------------------------


def test_a_power_attack_is_wider():  # line 2471
    state = fight(somebody("Ann", "broadsword", feats={"Power Attack": 2}), BOB)
    _, log = a_round(state, [(9, 9, 1, 2, 3), (1, 2, 3, 4, 5, 6)], ["Power Attack 2:Bob", "attack:Ann"])
    assert "Ann: 3x9 for an attack on Bob, Speed 3" in log


def test_breach_and_clear_is_for_the_first_round_and_short_range():  # line 4071
    ann = somebody("Ann", ".38 special", skills={"small arms": 5}, feats={"CQB": 2})
    near, far = fight(ann, BOB, metres=6), fight(ann, BOB, metres=30)
    act = Act("attack", "Bob")
    assert [dice(near, "Ann", act, round_=number).pool.edge.width for number in (1, 2)] == [1, 0]
    assert dice(far, "Ann", act).pool.edge.width == 0
    always = fight(somebody("Ann", ".38 special", skills={"small arms": 5}, feats={"CQB": 5}), BOB, metres=6)
    assert [dice(always, "Ann", act, round_=number).pool.edge.width for number in (1, 2)] == [1, 1]  # line 4085


def test_a_sword_is_wider_against_the_slower():  # line 4135
    quick = somebody("Ann", "broadsword", insight=4, skills={"swords": 5}, feats={"Blademaster": 4})
    assert dice(fight(quick, BOB), "Ann", Act("attack", "Bob")).pool.edge.width == 1
    assert (
        dice(fight(replace(quick, statistics=replace(quick.statistics, insight=1)), BOB), "Ann", Act("attack", "Bob")).pool.edge.width == 0
    )


def test_bare_hands_are_fast_and_an_axe_that_cleaves_is_slow():  # lines 4141, 3720
    state = fight(somebody("Ann", feats={"Kick Murder": 1}), BOB)
    _, log = a_round(state, [(9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "attack:Ann"])
    assert "Ann: 2x9 for an attack on Bob, Speed 3" in log
    axe = fight(somebody("Ann", "battle axe", skills={"axes": 5}, feats={"Broadcutter": 5}), SLOW)
    _after, log = a_round(axe, [(9, 9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["Broadcutter 5:Bob", "attack:Ann"])
    assert "Ann: 3x9 for an attack on Bob, Speed 1" in log
    assert any("torso" in line and "8 Kill" in line.replace("kill", "Kill") for line in log), log


def test_a_trip_by_the_wheel_is_wider_and_a_dodge_that_bends_too():  # lines 4145, 3310
    assert dice(fight(somebody("Ann", feats={"Kick Murder": 3}), BOB), "Ann", Act("trip", "Bob")).pool.edge.width == 1
    bends = fight(somebody("Ann", skills={"physique": 4}, feats={"Kinesthetics": 4}), BOB)
    assert dice(bends, "Ann", Act("dodge")).pool.edge.width == 1


def test_several_actions_keep_what_is_for_each_set():  # lines 3310, 415-421
    state = fight(somebody("Ann", skills={"physique": 4, "close combat": 5}, feats={"Kinesthetics": 4}), SLOW)
    _, log = a_round(state, [(9, 9, 7, 7, 1, 2, 3), (1, 2, 3, 4, 5, 6)], ["attack+dodge:Bob", "attack:Ann", "2x9"])
    assert "Ann: 3x7 for a dodge, Speed 3" in log
    assert "Ann: 2x9 for an attack on Bob, Speed 2" in log


def test_physical_perfection_makes_every_run_a_ten():  # line 3312
    state = fight(somebody("Ann", skills={"physique": 5}, feats={"Kinesthetics": 5}), BOB, metres=20)
    assert dice(state, "Ann", Act("run")).pool.edge.floor == 10


def test_trades_of_feats_are_offered_with_the_sets():  # lines 2451, 3382
    dancer = fight(somebody("Ann", feats={"Uncanny Defense": 3}), BOB)
    assert dice(dancer, "Ann", Act("dodge")).pool.edge.squash
    archer = fight(somebody("Ann", "longbow: pull 3", skills={"ranged combat": 5}, feats={"Hawkeye": 3}), BOB, metres=20)
    edge = dice(archer, "Ann", Act("attack", "Bob")).pool.edge
    assert (edge.squash, edge.squish) == (False, True)
    pitcher = fight(somebody("Ann", "bottle: hurled 1", skills={"hurled weapons": 5}, feats={"Pitcher": 5}), BOB, metres=2)
    assert dice(pitcher, "Ann", Act("attack", "Bob")).pool.edge.squash_width == 2  # line 3826


def test_a_sharp_eye_moves_the_height_by_one():  # line 3948
    state = fight(somebody("Ann", "longbow: pull 3", skills={"missile weapons": 3}, feats={"Archer's Eye": 2}), SLOW, metres=20)
    _, log = a_round(state, [(6, 6, 1, 2, 3, 4, 9), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry", "2x7"])
    assert "Ann: 2x7 for an attack on Bob, Speed 2" in log


# --- counters -----------------------------------------------------------------------------------------------------------------


def test_a_web_of_steel_spoils_with_any_set():  # line 2489
    state = fight(somebody("Ann", "broadsword", skills={"close combat": 5}, feats={"Web of Steel": 5}), BOB)
    after, log = a_round(state, [(2, 2, 1, 3, 4, 5, 6, 7, 8), (9, 9, 9, 9, 1, 2)], ["parry", "attack:Ann", "2x2"])
    assert after.fighter("Ann").body.record() != "unhurt"  # too slow: nobody answers what is faster
    after, log = a_round(state, [(2, 2, 1, 3, 4, 5, 6, 7, 8), (9, 9, 1, 2, 3, 4)], ["parry", "attack:Ann", "2x2"])
    assert after.fighter("Ann").body.record() == "unhurt"
    assert "Ann parries: any set spoils the 2x9" in log


def test_an_attack_counts_as_higher_against_counter_dice():  # lines 3372, 3770, 4137
    flick = somebody("Ann", "epee", skills={"fencing": 4}, feats={"En Garde!": 4})
    for choice, hurt in (("attack:Bob", False), ("En Garde! 4:Bob", True)):
        faces = [(6, 6, 1, 2, 3, 4, 5)[: 7 if choice == "attack:Bob" else 6], (7, 7, 1, 2, 3, 4)]
        after, _ = a_round(fight(flick, BOB), faces, [choice, "parry"])
        assert (after.fighter("Bob").body.record() != "unhurt") is hurt
    flow = fight(somebody("Ann", "broadsword", skills={"swords": 5}, feats={"Blademaster": 5}), BOB)
    after, _ = a_round(flow, [(6, 6, 1, 2, 3, 4, 5, 7), (9, 9, 1, 2, 3, 4)], ["attack:Bob", "parry"])
    assert after.fighter("Bob").body.record() != "unhurt"


def test_a_staff_wins_where_heights_are_equal():  # line 3790
    for feats, hurt in (({}, False), ({"Give No Quarter!": 1}, True)):
        state = fight(somebody("Ann", "staff", skills={"hafted": 3}, feats=feats), BOB)
        after, _ = a_round(state, [(7, 7, 1, 2, 3, 4), (7, 7, 1, 2, 3, 4)], ["attack:Bob", "parry"])
        assert (after.fighter("Bob").body.record() != "unhurt") is hurt


@pytest.mark.parametrize(("feats", "hurt"), [({}, False), ({"Pitcher": 2}, False), ({"Pitcher": 3}, True)])
def test_a_curveball_meets_a_counter_die_less(feats, hurt):  # line 3822
    by = BOOK.ruleset(settings={"dodge-projectiles": True, "speed": "height"})
    pitcher = somebody("Ann", "bottle: hurled 1", skills={"hurled weapons": 3}, feats=feats)
    dice = [(7, 7, 7, 2, 3, 4, 5), (10, 10, 1, 2, 3, 4)]
    after, _ = a_round(fight(pitcher, BOB, by=by, metres=2), dice, ["attack:Bob", "dodge"], by=by)
    assert (after.fighter("Bob").body.record() != "unhurt") is hurt  # of three dice two are lost to a dodge, or one


def test_a_parry_with_a_bludgeon_hurts_and_prise_de_fer_strikes_back():  # lines 3732, 2487
    club = fight(somebody("Ann", "mace: bludgeon 3", skills={"bludgeoning": 3}, feats={"Pulverizing Rain": 3}), BOB)
    after, log = a_round(club, [(9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 4)], ["parry", "attack:Ann"])
    assert after.fighter("Bob").body.record() == "right arm /"
    fer = fight(somebody("Ann", "broadsword", skills={"close combat": 4}, feats={"Web of Steel": 4}), BOB)
    after, log = a_round(fer, [(9, 9, 1, 2, 3, 4, 5, 6), (7, 7, 1, 2, 3, 4)], ["parry", "attack:Ann", "2x9"])
    assert "Ann controls Bob's weapon and strikes" in log
    assert after.fighter("Bob").body.record() == "torso XX//"
    assert after.fighter("Ann").weapon.name == "broadsword"


def test_a_spare_set_is_a_riposte_after_a_parry_that_spoils():  # line 2483
    state = fight(somebody("Ann", "broadsword", skills={"close combat": 5}, feats={"Web of Steel": 2}), BOB)
    faces = [(9, 9, 8, 8, 1, 2, 3, 4, 5), (7, 7, 1, 2, 3, 4)]
    after, _ = a_round(state, faces, ["parry", "attack:Ann", "2x9"])
    assert after.fighter("Bob").body.record() != "unhurt"
    missed = [(9, 9, 8, 8, 1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6)]
    after, _log = a_round(state, missed, ["parry", "attack:Ann", "2x9"])
    assert after.fighter("Bob").body.record() == "unhurt"


def test_remise_is_a_second_try_of_an_attack_that_was_stopped():  # line 3772
    state = fight(somebody("Ann", "epee", skills={"fencing": 5}, feats={"En Garde!": 5}), BOB)
    faces = [(6, 6, 9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 4)]
    after, _ = a_round(state, faces, ["attack:Bob", "parry", "2x6", 1])
    assert after.fighter("Bob").body.record() != "unhurt"
    lands, _ = a_round(state, [(6, 6, 9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry", "2x6"])
    once, _ = a_round(
        fight(somebody("Ann", "epee", skills={"fencing": 5}), BOB), [(6, 6, 1, 2, 3, 4, 5, 7), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry"]
    )
    assert lands.fighter("Bob").body == once.fighter("Bob").body


def test_fleche_wards_off_the_opponent_with_the_same_set():  # line 3768
    state = fight(somebody("Ann", "epee", skills={"fencing": 4}, feats={"En Garde!": 3}), BOB)
    after, _log = a_round(state, [(9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 4)], ["En Garde! 3:Bob", "attack:Ann"])
    assert after.fighter("Ann").body.record() == "unhurt"
    assert after.fighter("Bob").body.record() != "unhurt"


def test_both_ends_of_a_staff_strike():  # line 3798
    state = fight(somebody("Ann", "staff", skills={"hafted": 5}, feats={"Give No Quarter!": 5}), BOB)
    _, log = a_round(state, [(5, 5, 1, 2, 3, 4, 6, 7), (1, 2, 3, 4, 5, 7)], ["attack:Bob", "attack:Ann"])
    assert log.count("Ann hits Bob with a 2x5") == 2


def test_wuxia_pian_makes_a_dodge_or_an_acrobatic_strike_of_a_blow():  # line 2403
    state = fight(somebody("Ann", "broadsword", skills={"athletics": 5}, feats={"Wired": 5}), BOB)
    after, _ = a_round(state, [(9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 5)], ["attack:Bob", "attack:Ann", "dodge"])
    assert after.fighter("Ann").body.record() == "unhurt"
    both, _ = a_round(state, [(9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 5)], ["attack:Bob", "attack:Ann", "strike"])
    assert both.fighter("Ann").body.record() != "unhurt"
    assert sum(part.kill for part in both.fighter("Bob").body.parts) > sum(part.kill for part in after.fighter("Bob").body.parts)


def test_run_and_gun():  # line 2433
    state = fight(somebody("Ann", ".38 special", skills={"athletics": 4}, feats={"Marathon Man": 4}), BOB, metres=10)
    after, _ = a_round(state, [(9, 9, 1, 2, 3), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry", "away"])
    assert after.fighter("Ann").metres == -4
    stays, _ = a_round(state, [(9, 9, 1, 2, 3), (1, 2, 3, 4, 5, 6)], ["attack:Bob", "parry", "no"])
    assert stays.fighter("Ann").metres == 0


def test_a_wall_of_lead_stops_other_shooters():  # line 3916
    ann = somebody("Ann", "shotgun: shotgun 3", skills={"long arms": 4}, feats={"Pump-Action Mastery": 4})
    cid = somebody("Cid", ".38 special", insight=3)
    state = fight(ann, somebody("Bob", ".38 special", insight=2), cid, metres=8)
    n = size(dice(state, "Ann", Act("attack", "Bob")))
    faces = [(9, 9, 9, 1, 2, 3, 4, 5, 6, 7)[:n], (8, 8, 1, 2, 3, 4), (8, 8, 1, 2, 3, 4, 5)]
    _after, log = a_round(state, faces, ["attack:Bob", "attack:Ann", "attack:Ann"])
    assert any("Cid" in line and "stopped" in line for line in log)


def test_whoever_dances_on_water_is_missed_by_low_blows():  # lines 2455-2459
    state = fight(somebody("Ann", skills={"close combat": 5}, feats={"Uncanny Defense": 4}), BOB)
    n = size(dice(state, "Ann", Act("water dance")))
    assert n == 3 + 5 - 1
    after, log = a_round(state, [(4, 4, 4, 1, 2, 3, 5), (2, 2, 1, 3, 4, 5)], ["water dance", "attack:Ann"])
    assert "Ann dances out of reach of the 2x2" in log
    after, log = a_round(state, [(4, 4, 4, 1, 2, 3, 5), (3, 3, 1, 2, 4, 5)], ["water dance", "attack:Ann"])
    assert after.fighter("Ann").body.record() != "unhurt"


def test_a_dodge_that_is_too_low_is_armour():  # lines 2461-2463, the book's example
    state = fight(somebody("Ann", skills={"close combat": 5}, feats={"Uncanny Defense": 5}), BOB)
    after, _ = a_round(state, [(6, 6, 6, 1, 2, 3, 4, 5), (8, 8, 1, 2, 3, 4)], ["dodge", "attack:Ann", "3x6"])
    bare, _ = a_round(
        fight(somebody("Ann", skills={"close combat": 5}), BOB), [(6, 6, 6, 1, 2, 3, 4, 5), (8, 8, 1, 2, 3, 4)], ["dodge", "attack:Ann"]
    )
    lost = [sum(part.kill for part in each.fighter("Ann").body.parts) for each in (bare, after)]
    assert lost == [4, 1]


def test_hits_take_no_die_of_a_sword_or_of_low_sets():  # lines 4133, 3320-3322
    for feats, skills, kept in (
        ({}, {}, "1"),
        ({"Blademaster": 3}, {"swords": 3}, "2"),
        ({"Unrelenting Persistence": 3}, {"physique": 4}, "2"),
    ):
        state = fight(somebody("Ann", "broadsword", skills=skills, feats=feats), BOB)
        _, log = a_round(state, [(2, 2, 1, 3, 4, 5), (7, 7, 7, 1, 2, 3)], ["attack:Bob", "attack:Ann"])
        assert any(line.startswith("Ann hits Bob") for line in log) is (kept == "2"), (feats, log)


def test_whoever_rolls_over_stays_up_for_a_die():  # line 2397
    state = fight(somebody("Bob2", "broadsword"), somebody("Bob", insight=2, feats={"Wired": 2}))
    after, log = a_round(state, [(9, 9, 9, 9, 2, 3), (8, 8, 8, 1, 2, 3)], ["trip:Bob", "attack:Ann", "yes"])
    assert not after.fighter("Bob").downed
    assert "Bob rolls over and is back on their feet" in log
    down, _ = a_round(state, [(9, 9, 9, 9, 2, 3), (8, 8, 8, 1, 2, 3)], ["trip:Bob", "attack:Ann", "no"])
    assert down.fighter("Bob").downed


def test_an_acrobat_charges_from_where_he_stands():  # line 2401
    assert "charge+attack:Bob" in keys(fight(somebody("Ann", "broadsword", skills={"athletics": 4}, feats={"Wired": 4}), BOB))
    assert "charge+attack:Bob" not in keys(fight(somebody("Ann", "broadsword", skills={"athletics": 4}), BOB))


def test_a_leaping_dodge_is_rolled_with_athletics():  # line 2399
    skills = {"athletics": 5, "close combat": 1}
    assert fight(somebody("Ann", skills=skills, feats={"Wired": 3}), BOB).fighter("Ann").profile.dodge.size == 8
    assert fight(somebody("Ann", skills=skills), BOB).fighter("Ann").profile.dodge.size == 4


# --- blows --------------------------------------------------------------------------------------------------------------------


def struck(ann, faces, choice="attack:Bob", bob=None, by=RULES, metres=0, **more):
    """What a round of Ann's did to Bob, who rolls nothing: Kill and Shock."""
    state = fight(ann, bob or somebody("Bob", insight=2), by=by, metres=metres)
    after, _log = a_round(state, [faces], [choice, "pass", *more.get("then", ())], by=by)
    body = after.fighter("Bob").body
    return sum(part.kill for part in body.parts), sum(part.shock for part in body.parts)


ROLL = (7, 7, 7, 1, 2, 3, 4, 5, 6, 8)


@pytest.mark.parametrize(
    ("weapon", "skill", "feats", "choice", "armour", "dice_", "came"),
    [
        ("battle axe", "axes", {"Broadcutter": 2}, "attack:Bob", "", 8, (4, 5)),  # line 3704: Shock +1
        ("battle axe", "axes", {"Broadcutter": 3}, "attack:Bob", "", 8, (5, 5)),  # line 3710: Kill +1
        ("dagger", "close-in fighting", {"Steel Web": 3}, "Steel Web 3:Bob", "", 7, (0, 4)),  # line 3744
        ("dagger", "close-in fighting", {"Steel Web": 4}, "Steel Web 4:Bob", "", 7, (4, 0)),  # line 3746
        ("mace: bludgeon 3", "bludgeoning", {"Pulverizing Rain": 2}, "attack:Bob", "AR 9", 9, (0, 1)),  # line 3730
        ("mace: bludgeon 3", "bludgeoning", {"Pulverizing Rain": 4}, "attack:Bob", "AR 9", 9, (1, 1)),  # line 3734
        ("mace: bludgeon 3", "bludgeoning", {"Pulverizing Rain": 5}, "Pulverizing Rain 5:Bob", "AR 9", 7, (1, 5)),  # line 3736
        ("", "unarmed", {"Kick Murder": 5}, "Kick Murder 5:Bob", "AR 9", 7, (3, 0)),  # line 4153
    ],
)
def test_a_blow_by_feats(weapon, skill, feats, choice, armour, dice_, came):
    ann = somebody("Ann", *([weapon] if weapon else []), skills={skill: 5}, feats=feats)
    bob = somebody("Bob", insight=2, armour={"all": armour} if armour else {})
    assert struck(ann, ROLL[:dice_], choice, bob, then=["3x7"] if "Kick Murder" in choice else []) == came


@pytest.mark.parametrize(
    ("weapon", "skill", "feats", "choice", "armour", "came"),
    [
        ("laser: energy pistol 2", "laser weapons", {"Wavelength Warrior": 2}, "Wavelength Warrior 2:Bob", "", (-1, 0)),  # line 3856
        ("laser: energy pistol 2", "laser weapons", {"Wavelength Warrior": 3}, "Wavelength Warrior 3:Bob", "", (1, 0)),  # line 3858
        ("sonic: energy pistol 2", "sonic weapons", {"Screaming Death": 5}, "attack:Bob", "", (0, 0)),
    ],
)
def test_a_beam_by_feats(weapon, skill, feats, choice, armour, came):
    ann, bare = somebody("Ann", weapon, skills={skill: 5}, feats=feats), somebody("Ann", weapon, skills={skill: 5})
    n = size(dice(fight(bare, BOB, metres=10), "Ann", Act("attack", "Bob")))
    plain = struck(bare, ROLL[:n], metres=10)
    fed = struck(ann, ROLL[:n], choice, metres=10)
    assert (fed[0] - plain[0], fed[1] - plain[1]) == came


def test_disruption_and_big_guns_go_through_armour():  # lines 4097, 3808-3814
    plate = somebody("Bob", insight=2, armour={"all": "AR 9"})
    sonic = somebody("Ann", "sonic: energy pistol 2", skills={"sonic weapons": 5}, feats={"Screaming Death": 5})
    n = size(dice(fight(sonic, BOB, metres=10), "Ann", Act("attack", "Bob")))
    assert struck(sonic, ROLL[:n], bob=plate, metres=10) == (3, 0)
    big = somebody("Ann", "cannon: heavy rifle 4", skills={"heavy weapons": 5}, feats={"BFG": 5})
    n = size(dice(fight(big, BOB, metres=60), "Ann", Act("attack", "Bob")))
    kill, shock = struck(big, ROLL[:n], bob=plate, metres=60)
    assert (kill, shock) == (3, 3)


def test_a_double_tap_hits_twice():  # line 4083
    one = somebody("Ann", ".38 special", skills={"small arms": 5})
    two = somebody("Ann", ".38 special", skills={"small arms": 5}, feats={"CQB": 4})
    n = size(dice(fight(one, BOB, metres=6), "Ann", Act("attack", "Bob")))
    first = replace(fight(two, BOB, metres=6), round=1)
    state = replace(fight(one, somebody("Bob", insight=2), metres=6), round=1)
    hurt = []
    for each in (state, replace(first, fighters=(first.fighters[0], state.fighters[1]))):
        after, _ = a_round(each, [(7, 7, 1, 2, 3, 4, 5, 6, 8, 9)[:n]], ["attack:Bob", "pass"])
        hurt.append(sum(part.kill for part in after.fighter("Bob").body.parts))
    assert hurt[1] == 2 * hurt[0]


def test_a_piercing_eye_adds_to_penetration():  # line 3950
    by = BOOK.ruleset(settings={"penetration": True})
    plate = somebody("Bob", insight=2, armour={"all": "AR 3"})
    came = []
    for feats in ({}, {"Archer's Eye": 3}):
        ann = somebody("Ann", "longbow: pull 3", skills={"missile weapons": 3}, feats=feats)
        n = size(dice(fight(ann, BOB, by=by, metres=20), "Ann", Act("attack", "Bob"), by=by), by)
        came.append(struck(ann, (7, 7, 7, 1, 2, 3, 4, 5)[:n], bob=plate, by=by, metres=20, then=["3x7"] if feats else ())[0])
    assert came[1] == came[0] + 1


def test_a_hail_of_bullets_hurts_all_over():  # lines 3880-3884
    ann = somebody("Ann", "uzi 9mm", skills={"long arms": 5, "ranged combat": 5}, feats={"Lead Tsunami": 5})
    state = fight(ann, somebody("Bob", insight=2), metres=10)
    spray = state.fighter("Ann").weapon.spray
    cast = dice(state, "Ann", Act("attack", "Bob", mode="burst"))
    assert "spray" in dice_words(state, Act("attack", "Bob", mode="burst"))
    after, _log = a_round(state, [(7, 7, 1, 2, 3, 4, 5, 6, 8, 9)[: size(cast)], *[(2,)] * spray], ["burst:Bob", "pass"])
    assert after.fighter("Bob").body.part("right leg").shock == min(5, spray)


def dice_words(state, act):
    from rulewright.systems.ore.combat.fighters import Plan

    return with_words(RULES, replace(state, round=1), Plan("Ann", (act,))).acts[0].when


def test_marksmen_find_the_gaps_in_armour():  # line 3896
    plate = somebody("Bob", insight=2, armour={"all": "AR 3"})
    came = []
    for feats in ({}, {"One Shot, One Kill": 3}):
        ann = somebody("Ann", "rifle: rifle 3", skills={"long arms": 5}, feats=feats)
        state = fight(ann, plate, metres=60).change("Ann", aim=1, against="Bob")
        n = size(dice(state, "Ann", Act("attack", "Bob")))
        after, _ = a_round(state, [(7, 7, 1, 2, 3, 4, 5, 6, 8, 9)[:n]], ["attack:Bob", "pass"])
        came.append(sum(part.kill for part in after.fighter("Bob").body.parts))
    assert came[1] == came[0] + 1


def test_a_victim_of_a_big_gun_loses_two_dice():  # lines 3806, 4091
    for feats, left in (({}, True), ({"Screaming Death": 2}, False)):
        ann = somebody("Ann", "sonic: energy pistol 2", insight=1, skills={"sonic weapons": 5}, feats=feats)
        state = fight(ann, somebody("Bob", ".38 special", insight=2), metres=10)
        n = size(dice(state, "Ann", Act("attack", "Bob")))
        m = size(dice(state, "Bob", Act("attack", "Ann")))
        _, log = a_round(state, [(7, 7, 7, 7, 1, 2, 3, 4, 5, 6)[:n], (9, 9, 9, 1, 2, 3, 4)[:m]], ["attack:Bob", "attack:Ann"])
        assert any(line.startswith("Bob hits Ann") for line in log) is left


def test_a_heart_that_does_not_bleed_feels_less():  # line 3348
    ann = somebody("Ann", "broadsword")
    tough = somebody("Bob", insight=2, skills={"physique": 5}, feats={"Iron Constitution": 5})
    plain, less = struck(ann, ROLL[:6]), struck(ann, ROLL[:6], bob=tough)
    assert (plain[0], plain[1] - 1) == less
    wounds = BOOK.ruleset(settings={"wounds": True})
    assert fight(ann, tough, by=wounds).fighter("Bob").body.threshold == 1


def test_bodies_of_the_vital_system_are_tougher():  # lines 3324-3328, 3342-3346
    vital = BOOK.ruleset(settings={"damage-system": "vital"})
    body = (
        fight(somebody("Ann", skills={"physique": 4}, feats={"Iron Constitution": 4, "Unrelenting Persistence": 4}), BOB, by=vital)
        .fighter("Ann")
        .body
    )
    assert (body.kill_boxes, body.statistic + body.steadier) == (4, 4)
    assert fight(somebody("Ann"), BOB, by=vital).fighter("Ann").body.kill_boxes == 3


def test_who_parries_badly_is_disarmed():  # line 2473
    state = fight(somebody("Ann", "broadsword", feats={"Power Attack": 3}), BOB)
    after, _ = a_round(state, [(9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 4)], ["attack:Bob", "parry"])
    assert after.fighter("Bob").weapon.name == "bare hands"
    after, _ = a_round(state, [(9, 9, 1, 2, 3, 4), (7, 7, 1, 2, 3, 4)], ["attack:Bob", "dodge"])
    assert after.fighter("Bob").weapon.name == "broadsword"


def test_a_high_disarm_breaks_the_weapon():  # lines 3742, 3748
    state = fight(somebody("Ann", "dagger", skills={"close-in fighting": 5}, feats={"Steel Web": 5}), BOB)
    after, log = a_round(state, [(5, 1, 2, 3, 4, 6), (1, 2, 3, 4, 7, 8)], ["disarm:Bob", "attack:Ann"])
    assert "Bob has the broadsword broken in their hand" in log
    assert "pick up:broadsword" not in keys(after, "Bob")
    assert not any("broadsword" in key for key in keys(after, "Bob"))


def test_weapons_are_locked_and_freed():  # line 2475
    state = fight(somebody("Ann", "broadsword", feats={"Power Attack": 4}), BOB)
    after, _log = a_round(state, [(9, 9, 1, 2, 3, 4), (1, 2, 3, 4, 5, 6)], ["clinch:Bob", "attack:Ann"])
    assert not any(key.startswith("attack") for key in keys(after))
    assert not any(key.startswith("attack") for key in keys(after, "Bob"))
    assert "unlock:Bob" in keys(after)
    assert "break the lock:Ann" in keys(after, "Bob")
    free, _ = a_round(after, [(8, 8, 1, 2, 3, 4)], ["pass", "break the lock:Ann"])
    assert "attack:Ann" in keys(free, "Bob")
    let_go, _ = a_round(after, [], ["unlock:Bob", "pass"])
    assert "attack:Bob" in keys(let_go)


def test_bare_hands_and_bows_parry():  # lines 4143, 3380
    assert "parry" in keys(fight(somebody("Ann", feats={"Kick Murder": 2}), BOB))
    assert "parry" not in keys(fight(somebody("Ann"), BOB))
    assert "parry" in keys(fight(somebody("Ann", "longbow: pull 3", skills={"missiles": 3}, feats={"Hawkeye": 2}), BOB))


def test_bare_hands_reach_as_far_as_body():  # lines 4147-4149
    by = BOOK.ruleset(settings={"weapon-reach": True})
    assert fight(somebody("Ann", skills={"unarmed": 4}, feats={"Kick Murder": 4}), BOB, by=by).fighter("Ann").profile.weapons[0].reach == 3


def test_anything_is_thrown_at_a_part_of_the_body():  # lines 4012-4024
    state = fight(
        somebody("Ann", skills={"projectile weapons": 5}, feats={"Thrown To The Wolves": 5}), somebody("Bob", insight=2), metres=4
    )
    after, _ = a_round(state, [(9, 9, 9, 1, 2, 3, 4)], ["bullseye:Bob:head", "pass"])
    head = after.fighter("Bob").body.part("head")
    assert head.kill == 3
    missed, _ = a_round(state, [(8, 8, 8, 1, 2, 3, 4)], ["bullseye:Bob:head", "pass"])
    assert missed.fighter("Bob").body.record() == "unhurt"  # below Difficulty 9
    leg, _ = a_round(state, [(3, 3, 3, 1, 2, 4, 5)], ["bullseye:Bob:leg", "pass"])
    assert leg.fighter("Bob").body.record() == "left leg X//"


# --- odds -----------------------------------------------------------------------------------------------------------------------


def test_the_odds_beside_an_attack_are_those_with_feats():  # line 2471
    from rulewright.play import Seeded
    from rulewright.scenes.chances import Asked, weigh
    from rulewright.scenes.encounter import Encounter
    from rulewright.systems.ore.fight.scene import FightScene

    def idle(choice):
        return "pass" if choice.topic == "act" else choice.keys()[0]

    state = fight(somebody("Ann", "broadsword", feats={"Power Attack": 2}), somebody("Bob", insight=1))
    encounter, dice = Encounter.begin(FightScene(RULES), state), Seeded(1)
    while encounter.open[0][1].who != "Ann":
        encounter.advance(dice, idle)
    weighed = {each.key: each for each in weigh(Asked(encounter.moment(0), (None,), idle), 30, ("attack:Bob", "Power Attack 2:Bob"))}
    found = {key: {outcome.name: outcome.chance for outcome in each.outcomes} for key, each in weighed.items()}
    assert found["attack:Bob"]["no set"] == pytest.approx(0.1512)  # six dice
    assert found["Power Attack 2:Bob"]["no set"] == pytest.approx(0.3024)  # five
    assert found["Power Attack 2:Bob"]["dead"] > 0
