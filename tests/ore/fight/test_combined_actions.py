"""Any actions together, real places, and where rules meet (lines 397-421, 4302-4324, 4910, 5002-5033, 5056-5072, 5315-5412)."""

import pytest
from msgspec.structs import replace

from rulewright.field.ground import read_ground
from rulewright.play import GAMEMASTER, Player, ScriptedFaces, script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.ore.combat.attacks import exposed_number
from rulewright.systems.ore.combat.cover import Cover
from rulewright.systems.ore.combat.fighters import Act, Dropped, Fight, Ground, Pending
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.fight.actions.registry import ACTIONS
from rulewright.systems.ore.fight.declarations import declarables, options_for, together_with
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.resolution.lost_dice import shaken
from rulewright.systems.ore.fight.rounds import moment, next_step
from rulewright.systems.ore.fight.scene import FightScene, begin
from rulewright.systems.ore.harm.body import Abstract, Injury, Part, Wound
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.resolution.tests import ready_dice
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
VITAL = BOOK.ruleset(settings={"damage-system": "vital"})
REACH = BOOK.ruleset(settings={"weapon-reach": True})
SKILLS = {"close combat": 3, "athletics": 3, "ranged combat": 3, "small arms": 3, "medicine": 2, "focus": 3}


def somebody(name, *weapons, insight=1, **more):
    statistics = Statistics(body=3, coordination=3, psyche=3, insight=insight, command=3)
    return Character(name, statistics=statistics, skills=more.pop("skills", SKILLS), weapons=weapons, **more)


def fight(by, ann, *others, metres=0, **place):
    """Ann declares first, the others after her; they are her enemies."""
    people = [enter(by, ann, "Ann", "a")]
    people += [enter(by, one, one.name, "b", metres) for one in others]
    return Fight(Ground(metres, **place), tuple(people))


def a_round(by, state, faces, choices):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    done = script(go(state), faces, choices)
    return done.outcome, [event.headline() for event in done.events]


def keys(by, state, name="Ann"):
    return {option.key for option in options_for(by, state, name)}


def dice(by, state, name, *acts):
    return ready_dice(by, cast_of(by, state, state.fighter(name), acts).pool).size


BOB, SWORD = somebody("Bob", insight=2), "broadsword"


# --- any actions together -----------------------------------------------------------------------------------------------------


def test_a_trip_and_a_strike_in_one_round():  # line 473
    state = fight(RULES, somebody("Ann"), BOB)
    after, log = a_round(RULES, state, [(5, 5, 5, 9, 9)], ["several", "trip:Bob", "attack:Bob", "done", "pass", "3x5"])
    assert "Ann trips Bob with a 3x5" in log
    assert "Ann hits Bob with a 2x9" in log
    assert after.fighter("Bob").downed


def test_a_disarm_and_a_stab_with_the_weapon_that_was_taken():  # lines 417-421
    state = fight(RULES, somebody("Ann", skills={**SKILLS, "close combat": 6}), somebody("Bob", SWORD, insight=2))
    assert "turn:Bob" not in keys(RULES, state)
    assert "turn:Bob" not in [option.key for option in together_with(RULES, state, "Ann", ())]
    choices = ["several", "disarm:Bob", "turn:Bob", "done", "pass", "4x5", "yes"]
    after, log = a_round(RULES, state, [(5, 5, 5, 8, 8, 1)], choices)  # nine dice: called, a second action, one is set to 5
    assert "Ann takes the broadsword" in log
    assert after.fighter("Bob").body.part("torso").kill == 4  # Width and what a broadsword adds
    after, log = a_round(RULES, state, [(5, 2, 3, 8, 8, 1)], [*choices[:-2], "2x5"])
    assert "Ann does not have Bob's weapon" in log


def test_three_actions_cost_two_dice():  # line 409
    state = fight(RULES, somebody("Ann", SWORD), BOB)
    acts = (Act("attack", "Bob"), Act("parry"), Act("dodge"))
    assert (dice(RULES, state, "Ann", acts[0]), dice(RULES, state, "Ann", *acts)) == (6, 4)
    _, log = a_round(RULES, state, [(5, 5, 9, 9)], ["several", "attack:Bob", "parry", "dodge", "done", "pass", "none", "2x9"])
    assert "Ann: 2x5 for a dodge, Speed 2" in log


@pytest.mark.parametrize(
    ("first", "second"),
    [("parry", "dodge"), ("feint:Bob", "attack:Bob"), ("run", "attack:Bob"), ("withdraw", "dodge"), ("draw:dagger", "trip:Bob")],
)
def test_pairs_that_no_list_had(first, second):
    state = fight(RULES, somebody("Ann", SWORD, "dagger"), BOB, metres=8 if first == "run" else 0)
    declared = script(next_step(RULES, state), [], ["several", first, second, "done"]).outcome
    assert len(declared.plans[0].acts) == 2


def test_a_feint_beside_an_attack_costs_the_die_that_it_gives():
    state = fight(RULES, somebody("Ann"), BOB)
    _, log = a_round(RULES, state, [(1, 2, 3, 4, 5, 6)], ["several", "feint:Bob", "attack:Bob", "done", "pass"])
    assert "Ann has 6 dice for an attack on Bob" in log


def test_closing_in_and_then_grappling_rests_on_getting_there():
    state = fight(REACH, somebody("Ann"), somebody("Bob", "spear: hafted narrow blade 3", insight=2))
    choices = ["several", "close in:Bob", "grapple:Bob", "done", "pass"]
    after, _ = a_round(REACH, state, [(8, 8, 4, 4, 1), (1, 2, 3, 5, 6, 7)], [*choices, "2x8"])
    assert after.fighter("Bob").held_by == "Ann"
    after, log = a_round(REACH, state, [(8, 8, 4, 4, 1)], [*choices, "none"])
    assert after.fighter("Bob").held_by == ""
    assert "Ann rolls no set for an attempt to close in on Bob and an attempt to grapple Bob" in log


def test_what_rests_on_another_action_comes_after_it_however_fast():  # lines 401-405
    state = fight(RULES, somebody("Ann", SWORD), BOB, metres=11)
    choices = ["charge+attack:Bob", "pass", "2x6"]
    _, log = a_round(RULES, state, [(6, 6, 9, 9, 9)], choices)
    assert log.index("Ann runs 4 m towards Bob") < log.index("Ann hits Bob with a 3x9")
    charge = Pending("Ann", Act("charge", "Bob"), 2, 6, (2,), place=1)
    blow = Pending("Ann", Act("attack", "Bob"), 3, 9, (3,), place=2, needs=1)
    assert moment(replace(state, pending=(charge, blow)), blow) == (2,)
    assert moment(replace(state, pending=(blow,)), blow) == (3,)


def test_a_charge_that_is_spoiled_takes_the_blow_with_it():
    state = fight(RULES, somebody("Ann", SWORD), somebody("Bob", ".38 special", insight=2), metres=11)
    _, log = a_round(RULES, state, [(6, 6, 9, 9, 9), (8, 8, 8, 8, 2, 3, 4)], ["charge+attack:Bob", "attack:Ann", "2x6"])
    assert "A hit takes a die from Ann: the 3x9 for the attack becomes a 2x9" in log
    low = BOOK.ruleset(settings={"hit-takes-die-from": "widest set"})
    state = fight(low, somebody("Ann", SWORD), somebody("Bob", ".38 special", insight=2), metres=11)
    after, log = a_round(low, state, [(6, 6, 5, 5, 1), (8, 8, 8, 8, 2, 3, 4)], ["charge+attack:Bob", "attack:Ann", "2x6"])
    assert "Ann gives up an attack on Bob: the charge failed" in log
    assert after.fighter("Bob").body.record() == "unhurt"


def at_a_door(state):
    """The same people on a map, with a door at hand."""
    door = read_ground({"walls": [{"along": [[1, 0], [1, 2]], "name": "door", "door": "closed"}]})
    people = tuple(replace(one, at=(0.0, 1.0 + row)) for row, one in enumerate(state.fighters))
    return replace(state, map=door, fighters=people)


def test_every_action_is_offered_by_some_state():
    """Of all that there is, each kind can be declared by somebody somewhere."""
    rules = BOOK.ruleset(settings={"wounds": True, "melee-penetration": True, "random-initiative": True})
    near, reach = fight(rules, somebody("Ann", "epee", "dagger"), somebody("Bob", SWORD, insight=2), cover="50% right"), REACH
    bleeding = near.change("Ann", body=replace(near.fighter("Ann").body, wounds=(Wound(),), burning=(2,)))
    friend = Fight(
        near.ground, (*bleeding.fighters, replace(bleeding.fighters[0], profile=replace(bleeding.fighters[0].profile, name="Cid")))
    )
    armed = fight(rules, somebody("Ann", "uzi 9mm"), BOB, metres=10).change("Ann", spent=((1, 3),))
    states = [
        (rules, near),
        (rules, friend),
        (rules, armed),
        (rules, fight(rules, somebody("Ann", SWORD), BOB, metres=20)),
        (rules, near.change("Ann", downed=True)),
        (rules, near.change("Ann", held_by="Bob")),
        (rules, near.change("Bob", held_by="Ann")),
        (rules, replace(near, floor=(Dropped("Bob", 1, 1),))),
        (reach, fight(reach, somebody("Ann", "dagger"), somebody("Bob", "spear: hafted narrow blade 3", insight=2))),
        (rules, at_a_door(near)),
        (rules, at_a_door(fight(rules, somebody("Ann", "grenade: hurled 1 area 3 kill"), BOB))),
        *[(rules, state) for state in _taught_by_feats(rules)],
    ]
    offered = {act.kind for by, state in states for each in declarables(by, state, "Ann") for act in each.acts}
    of_powers = {action.kind for action in ACTIONS.values() if type(action).__module__.endswith("actions.powers.actions")}
    copies = {"ward", "wall of lead", "feat test", "parley"}  # sets of other actions become these, a feat asks for them, or test_parley
    assert set(ACTIONS) - offered == copies | of_powers  # tests/ore/powers declares them, and others force them


def _taught_by_feats(rules):
    """States in which somebody can do what only feats teach."""
    skills = dict.fromkeys(
        ("scrutinize", "crime", "leadership", "manipulate", "medicine", "ride: horses", "close combat", "projectile weapons"), 5
    )
    paths = (
        "Power Attack",
        "Assaying Eye",
        "Uncanny Defense",
        "Thrown To The Wolves",
        "Bully Boy",
        "First Aid",
        "Horse Whisperer",
        "Locksmith's Hand",
    )
    able = somebody("Ann", SWORD, skills={**SKILLS, **skills}, feats=dict.fromkeys(paths, 5))
    state = fight(rules, able, somebody("Bob", SWORD, insight=2)).change("Ann", mounted=True)
    bleeding = state.change("Ann", body=replace(state.fighter("Ann").body, wounds=(Wound(),)))
    head = state.fighter("Bob").body.part("head")
    fallen = replace(state.fighter("Bob"), profile=replace(state.fighter("Bob").profile, name="Cid", side="a"), marks=(("died", "0"),))
    fallen = replace(fallen, body=fallen.body.put(replace(head, kill=head.boxes)))
    yield bleeding
    yield replace(state, fighters=(*state.fighters, fallen))
    yield state.change("Ann", marks=(("has a weapon locked", "Bob"),))
    yield state.change("Ann", marks=(("weapon locked", "Bob"),))
    leads = somebody(
        "Ann",
        "shotgun: shotgun 3",
        skills={**SKILLS, "leadership": 5, "long arms": 5},
        feats={"Look Of Eagles": 5, "Pump-Action Mastery": 5},
    )
    state = fight(rules, leads, BOB, metres=6)
    yield replace(state, groups=(gather(Mook("Thug"), ("Thug 1",), "a"),))
    beams = somebody(
        "Ann",
        "laser: energy rifle 2 magazine 6",
        skills={**SKILLS, "laser weapons": 5, "ranged combat": 5},
        feats={"Energy Blast": 5, "Wavelength Warrior": 5},
    )
    state = fight(rules, beams, BOB, metres=10)
    yield state
    yield state.change("Ann", spent=((1, 6),))
    yield state.change("Ann", marks=(("repeat 2x5", "Bob"),))


# --- places -------------------------------------------------------------------------------------------------------------------


def test_whoever_does_nothing_stays():  # line 5390
    state = fight(RULES, somebody("Ann", SWORD), somebody("Bob", ".44 magnum", insight=2), metres=30)
    after, log = a_round(RULES, state, [], ["pass", "pass"])
    assert (after.distance("Ann", "Bob"), log) == (30, ["Round 1: Ann, Bob"])


def test_everybody_walks_five_metres_where_he_wants():
    state = fight(RULES, somebody("Ann", SWORD), BOB, metres=30)
    for choices, place in ((["approach:Bob"], 5), (["withdraw"], -5), (["move", 3], 3), (["move", -2], -2)):
        after, log = a_round(RULES, state, [], [*choices, "pass"])
        assert after.fighter("Ann").metres == place
        assert any("Ann walks" in line for line in log)
    held = state.change("Ann", downed=True)
    assert not {"approach:Bob", "withdraw", "move", "run"} & keys(RULES, held)


def test_walking_beside_an_action_costs_nothing():
    state = fight(RULES, somebody("Ann", ".38 special"), BOB, metres=10)
    plain, log = a_round(RULES, state, [(1, 2, 3, 4, 5, 6, 7)], ["several", "withdraw", "attack:Bob", "done", "pass"])
    assert plain.distance("Ann", "Bob") == 15
    assert "Ann has 7 dice for an attack on Bob" in log


def test_whoever_strikes_walks_up_and_it_is_told():
    state = fight(RULES, somebody("Ann", SWORD), BOB, metres=6)
    _, log = a_round(RULES, state, [(5, 5, 1, 2, 3, 4)], ["attack:Bob", "pass"])
    assert "Ann walks 4 m up to Bob" in log
    _, log = a_round(RULES, state, [(5, 5, 1, 2, 3, 4)], ["attack:Bob", "withdraw"])
    assert "Ann cannot reach Bob" in log


def test_whoever_flees_far_enough_is_out_of_it():
    state = fight(RULES, somebody("Ann"), BOB, metres=20, escape=30)
    after, log = a_round(RULES, state, [(5, 5, 5, 1, 2, 3)], ["flee", "pass"])
    assert after.distance("Ann", "Bob") == 20 + 5 + 6
    assert (after.fighter("Ann").able, "Ann escapes from the fight" in log) == (False, True)
    assert FightScene(RULES).result(after).winner == "b"
    slow, _ = a_round(RULES, state, [(1, 2, 3, 4, 5, 6)], ["flee", "pass"])
    assert slow.fighter("Ann").able


def test_a_walk_behind_cover_hides_from_the_next_round_on():
    state = fight(RULES, somebody("Ann"), somebody("Bob", ".38 special", insight=2), metres=10, cover="complete", cover_metres=3)
    after, _ = a_round(RULES, state, [(8, 8, 1, 2, 3, 4, 5)], ["take cover", "attack:Ann"])
    assert after.fighter("Ann").body.part("torso").kill
    assert after.fighter("Ann").cover.name == "complete"
    far = fight(RULES, somebody("Ann"), BOB, cover="complete", cover_metres=9)
    assert "take cover" not in keys(RULES, far)


def test_the_card_says_where_somebody_is_and_how_far_the_enemy_is():
    state = fight(RULES, somebody("Ann"), BOB, metres=30).change("Ann", metres=4)
    cards = {card.name: [piece.name for piece in card.pieces] for card in FightScene(RULES).view(state, None).cards}
    assert "at 30 m, 26 m from Ann" in cards["Bob"]
    assert "at 4 m, 26 m from Bob" in cards["Ann"]


def test_a_newcomer_stands_beside_his_own():
    state = fight(RULES, somebody("Ann"), BOB, metres=30)
    grown = FightScene(RULES).join(state, somebody("Cid"), "b")
    assert grown.fighter("Cid").metres == 30


# --- what hinders every roll hinders rolls in reaction ----------------------------------------------------------------------------


def test_the_hurt_resist_and_hold_with_fewer_dice():  # lines 4357, 4435, 4529
    state = fight(VITAL, somebody("Ann"), BOB)
    hurt = state.change("Bob", body=replace(state.fighter("Bob").body, vital_lost=3))
    after, log = a_round(VITAL, hurt, [(5, 5, 1, 2, 3, 4), (5, 5, 1)], ["grapple:Bob", "pass"])
    assert "Bob has 3 dice for opposition" in log
    assert after.fighter("Bob").held_by == ""
    held = hurt.change("Ann", held_by="Bob")
    _, log = a_round(VITAL, held, [(5, 5, 1, 2, 3, 4), (1, 2, 3)], ["escape", "pass"])
    assert "Ann breaks free of Bob" in log


def test_fear_and_lost_height_count_in_reaction_too():  # line 5473
    state = fight(RULES, somebody("Ann"), BOB).change("Bob", afraid=2)
    _, log = a_round(RULES, state, [(5, 5, 1, 2, 3, 4), (1, 2, 3, 4)], ["grapple:Bob", "pass"])
    assert "Bob has 4 dice for opposition" in log
    low = fight(VITAL, somebody("Ann"), BOB)
    low = low.change("Bob", body=replace(low.fighter("Bob").body, shock=3))  # a Shock Box: a point of Height
    after, _ = a_round(VITAL, low, [(5, 5, 1, 2, 3, 4), (5, 5, 1, 2, 3, 4)], ["grapple:Bob", "pass"])
    assert after.fighter("Bob").held_by == "Ann"  # fives have become fours


def test_facing_the_fire_and_diving_from_it_are_hindered():
    state = fight(RULES, somebody("Ann", "uzi 9mm"), BOB, metres=10, cover="50% total", cover_metres=0).change("Bob", afraid=1)
    _, log = a_round(RULES, state, [(1, 2, 3, 4, 5), (3, 3, 1, 2, 9), (7,)], ["suppress", "pass", "face"])
    assert "Bob has 5 dice for facing the fire, Difficulty 3" in log


# --- mooks with guns ----------------------------------------------------------------------------------------------------------


def troopers(by, metres=30, **mook):
    people = [Placed(somebody("Ann", SWORD), "Ann", "a", None, {})]
    people += [Placed(Mook("Trooper", threat=3, **mook), f"Trooper {n}", "b", None, {}) for n in range(1, 4)]
    return begin(by, Scenario("ore", "scenario", "f", {"a": [], "b": []}, place={"metres": metres}), people)


def test_cover_stops_what_gunmen_fire():  # lines 5056, 5070, 5433-5441
    state = troopers(RULES, damage_class="B").change("Ann", cover=Cover("complete"))
    after, log = a_round(RULES, state, [(9, 9, 5, 5, 1, 2, 3, 4, 6)], ["pass"])
    assert log[-1] == "Ann is protected by cover"
    assert after.fighter("Ann").body.record() == "unhurt"


def test_a_sword_parries_no_bullets_of_mooks():  # lines 5348, 5382
    state = troopers(RULES, damage_class="B")
    _, log = a_round(RULES, state, [(9, 9, 9, 1, 2, 3), (5, 5, 1, 2, 3, 4, 6, 7, 8)], ["parry"])
    assert "Trooper hits Ann with a 2x5" in log


def test_range_gives_mooks_dice_and_takes_them():
    for metres, faces, told in (
        (30, [(1, 2, 3, 4, 5, 6, 7, 8, 9)], "Trooper has 9 dice to attack"),
        (20, [(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)], "Trooper has 10 dice to attack"),
        (5_000, [], "Trooper has nobody within reach"),
    ):
        assert told in a_round(RULES, troopers(RULES, metres, damage_class="B"), faces, ["pass"])[1]


def test_mooks_without_guns_have_to_come_near():
    after, log = a_round(RULES, troopers(RULES, 30), [], ["pass"])
    assert after.groups[0].metres == 25
    assert log[1:] == ["Trooper walks 5 m towards Ann", "Trooper has nobody within reach"]
    assert "attack:Trooper" not in keys(RULES, troopers(RULES, 30))
    assert "attack:Trooper" in keys(RULES, troopers(RULES, 7))


def test_a_mook_file_names_a_weapon():
    archers = troopers(RULES, 30, weapon="bow: pull 2")
    assert archers.groups[0].mob.weapon.kind == "pull"


# --- suppressive fire and hits ------------------------------------------------------------------------------------------------


def test_a_hit_takes_a_die_of_the_fire_and_the_rest_goes_on():  # lines 4302, 5002-5033
    state = fight(RULES, somebody("Ann", SWORD), somebody("Bob", "uzi 9mm", insight=2))
    after, log = a_round(RULES, state, [(4, 4, 4, 1, 2, 3), (1, 2, 3, 5, 5), (5,)], ["attack:Bob", "suppress"])
    assert "A hit takes a die from Bob: the 2x5 for the suppressive fire becomes a 1x5" in log
    assert after.fighter("Ann").body.part("right arm").kill == 2
    fire = Pending("Bob", Act("suppress"), 3, 5, (3,), ((3, 5), (2, 8), (1, 1)))
    (less,) = shaken(RULES, (fire,), "Bob")
    assert less.lying == ((3, 5), (1, 8), (1, 1))  # the highest set
    (least,) = shaken(RULES, shaken(RULES, (less,), "Bob"), "Bob")
    assert (least.lying, least.speed) == (((1, 8), (1, 5), (1, 1)), (3,))
    assert shaken(RULES, (least,), "Bob") == (least,)


def test_a_gun_arm_that_is_gone_fires_no_more():
    state = fight(RULES, somebody("Ann", SWORD), somebody("Bob", "uzi 9mm", insight=2))
    _, log = a_round(RULES, state, [(5, 5, 5, 5, 2, 3), (1, 2, 3, 4, 4)], ["attack:Bob", "suppress"])
    assert "Bob cannot use the arm for the suppressive fire" in log


def test_a_shield_on_a_lost_arm_stops_nothing_of_the_fire():
    state = fight(RULES, somebody("Ann", "uzi 9mm"), somebody("Bob", insight=2, shield="large"), metres=5)
    gone = state.change("Bob", body=state.fighter("Bob").body.put(Part("left arm", 5, 0, 5)))
    after, _ = a_round(RULES, gone, [(4, 4, 1, 2, 8), (8, 7)], ["suppress", "pass"])
    assert after.fighter("Bob").body.part("torso").kill == 2


def test_whoever_stands_beside_the_target_is_in_the_hail():
    state = fight(RULES, somebody("Ann", "uzi 9mm"), BOB, metres=10)
    near, far = (enter(RULES, somebody(name, insight=3), name, "a", metres) for name, metres in (("Cid", 9), ("Dan", 0)))
    state = replace(state, fighters=(*state.fighters, near, far))
    after, _ = a_round(RULES, state, [(5, 5, 1, 2, 8), (5, 7), (5, 7)], ["suppress", "pass", "pass", "pass"])
    assert [after.fighter(name).body.part("right arm").kill for name in ("Bob", "Cid", "Dan")] == [3, 3, 0]


# --- called shots past cover, and small things ----------------------------------------------------------------------------------


def test_a_called_shot_is_set_to_a_number_that_cover_leaves_open():  # lines 5070-5072
    assert exposed_number(RULES, "torso", Cover("50% right")) == 9
    state = fight(RULES, somebody("Ann", ".44 magnum"), BOB, metres=10).change("Bob", cover=Cover("50% right"))
    assert cast_of(RULES, state, state.fighter("Ann"), (Act("called shot", "Bob", "torso"),)).number == 9
    after, _ = a_round(RULES, state, [(9, 1, 2, 3, 4)], ["called shot:Bob:torso", "pass"])
    assert after.fighter("Bob").body.part("torso").kill


def test_a_javelin_is_thrown_once_and_lies_where_it_fell():
    state = fight(RULES, somebody("Ann", "javelin: trajectory 2", SWORD), BOB, metres=4)
    after, _ = a_round(RULES, state, [(5, 5, 1, 2, 3)], ["attack:Bob", "pass"])
    assert (after.fighter("Ann").weapon.name, after.floor) == ("bare hands", (Dropped("Ann", 1, 4),))
    assert after.fighter("Bob").body.part("right arm").kill == 3  # Width, and a javelin's Power less 1
    back, log = a_round(RULES, after, [], ["pick up:javelin", "pass"])
    assert (back.fighter("Ann").weapon.name, back.floor) == ("javelin", ())
    assert "Ann walks 2 m" in log


def test_what_is_in_hand_can_be_thrown():  # line 4910
    state = fight(RULES, somebody("Ann", SWORD), BOB, metres=5)
    assert "throw:Bob" in keys(RULES, state)
    assert "throw:Bob" not in keys(RULES, fight(RULES, somebody("Ann", SWORD), BOB, metres=50))
    after, _ = a_round(RULES, state, [(8, 8, 1, 2)], ["throw:Bob", "pass"])
    assert after.fighter("Bob").body.part("torso").kill
    assert after.floor == (Dropped("Ann", 1, 5),)


def test_nobody_wrestles_from_the_floor():
    state = fight(RULES, somebody("Ann"), BOB).change("Ann", downed=True)
    assert not {"tackle:Bob", "grapple:Bob", "push:Bob"} & keys(RULES, state)
    assert "trip:Bob" in keys(RULES, state)


def test_a_set_of_any_opponent_may_slip():  # line 5491
    by = BOOK.ruleset(settings={"drama-points": "drama points"})
    hero = somebody("Ann", advantages=(Owned("action hero", 1),))
    state = fight(by, hero, BOB)
    friend = enter(by, somebody("Cid", insight=3), "Cid", "a")
    state = replace(state, fighters=(*state.fighters, friend))
    choices = ["pass", "attack:Cid", "pass", "1 width"]
    after, _ = a_round(by, state, [(5, 5, 1, 2, 3, 4)], choices)
    assert after.fighter("Cid").body.record() == "unhurt"


# --- help, skills, words ------------------------------------------------------------------------------------------------------


def test_a_wound_is_staunched_in_the_middle_of_a_fight():  # line 4529
    by = BOOK.ruleset(settings={"wounds": True})
    state = fight(by, somebody("Ann"), BOB)
    cid = enter(by, somebody("Cid", insight=3), "Cid", "a", 4)
    cid = replace(cid, body=replace(cid.body, wounds=(Wound("left leg"), Wound("torso"))))
    state = replace(state, fighters=(*state.fighters, cid))
    after, log = a_round(by, state, [(5, 5, 1, 2, 3)], ["treat:Cid", "pass", "pass"])
    assert [wound.bleeding for wound in after.fighter("Cid").body.wounds] == [False, True]
    assert "Ann walks 2 m up to Cid" in log


def test_somebody_at_his_end_is_stabilised():  # line 4419
    by = BOOK.ruleset(settings={"damage-system": "abstract"})
    state = fight(by, somebody("Ann"), BOB)
    cid = replace(enter(by, somebody("Cid", insight=3), "Cid", "a"), body=Abstract(statistic=3, down_boxes=1, injuries=(Injury(3, 1),)))
    state = replace(state, fighters=(*state.fighters, cid))
    after, _ = a_round(by, state, [(5, 5, 1, 2, 3)], ["treat:Cid", "pass"])
    assert after.fighter("Cid").body.stabilised


def test_the_game_master_names_the_difficulty_of_a_skill():
    state = fight(RULES, somebody("Ann", skills={"athletics": 2}), BOB)
    asked = []

    def decide(choice):
        asked.append(choice.who)
        return {"act": "skill:athletics", "difficulty": 4}.get(choice.topic, "pass")

    player = Player(ScriptedFaces([(4, 4, 1, 2, 3)]), lambda choice: "pass" if choice.who == "Bob" else decide(choice))

    def go(now):
        now = yield from next_step(RULES, now)
        while now.phase != "begin":
            now = yield from next_step(RULES, now)
        return now

    played = player.play(go(state))
    assert GAMEMASTER in asked
    assert "Ann succeeds with athletics: 2x4" in [event.headline() for event in played.events]


def test_words_cost_nothing():
    state = fight(RULES, somebody("Ann"), BOB)
    _, log = a_round(RULES, state, [(1, 2, 3, 4, 5, 6)], ["several", "speak", "attack:Bob", "done", "pass"])
    assert {"Ann speaks", "Ann has 6 dice for an attack on Bob"} <= set(log)


# --- what bursts and what burns -----------------------------------------------------------------------------------------------


def test_a_grenade_hurts_everybody_where_it_lands():  # lines 5221-5231
    state = fight(RULES, somebody("Ann", "grenade: hurled 1 area 3 kill"), BOB, somebody("Cid", insight=3), metres=6)
    state = state.change("Cid", metres=20)
    area = [(1,), (3,), (4,)]
    after, log = a_round(RULES, state, [(5, 5, 1, 2), *area], ["attack:Bob", "pass", "pass"])
    assert after.fighter("Bob").body.record() == "left arm XX, left leg X"  # the three dice of the example
    assert after.fighter("Cid").body.record() == "unhurt"
    assert any("is hurt by the area: 2 Kill to the left arm" in line for line in log)


def test_what_burns_goes_on_until_it_is_put_out():  # lines 5241-5253
    state = fight(RULES, somebody("Ann", "flamethrower: shotgun 2 burning"), BOB, metres=5)
    after, log = a_round(RULES, state, [(8, 8, 1, 2, 3)], ["attack:Bob", "pass"])
    assert after.fighter("Bob").body.burning == (2,)
    assert "Bob burns: 5 Shock" in log
    out, _ = a_round(RULES, after, [], ["pass", "put out the fire"])
    assert out.fighter("Bob").body.burning == ()


# --- rulings that a campaign can turn round -----------------------------------------------------------------------------------


def test_a_set_that_loses_a_die_may_become_slower():
    falls = BOOK.ruleset(settings={"speed-of-a-shaken-set": "falls with it"})
    waiting = (Pending("Bob", Act("attack", "Ann"), 3, 5, (3,)),)
    assert [shaken(by, waiting, "Bob")[0].speed for by in (RULES, falls)] == [(3,), (2,)]


def test_the_floor_may_cost_dice_and_friends_may_be_spared_the_hail():
    hard = BOOK.ruleset(settings={"dice-lost-on-the-floor": 2})
    state = fight(hard, somebody("Ann"), BOB).change("Ann", downed=True)
    assert (dice(hard, state, "Ann", Act("attack", "Bob")), dice(hard, state, "Ann", Act("run"))) == (4, 6)
    spared = BOOK.ruleset(settings={"in-the-hail": "enemies alone"})
    state = fight(spared, somebody("Ann", "uzi 9mm"), BOB, metres=10)
    state = replace(state, fighters=(*state.fighters, enter(spared, somebody("Cid", insight=3), "Cid", "a", 9)))
    after, _ = a_round(spared, state, [(5, 5, 1, 2, 8), (5, 7)], ["suppress", "pass", "pass"])
    assert after.fighter("Cid").body.record() == "unhurt"


def test_a_devastating_strike_is_a_morale_attack_if_the_game_master_says_so():  # lines 5461-5479
    by = BOOK.ruleset(settings={"devastating-strikes": True})
    people = [Placed(somebody("Ann", SWORD), "Ann", "a", None, {})]
    people += [Placed(Mook("Thug", threat=2), f"Thug {n}", "b", None, {}) for n in range(1, 11)]
    people += [Placed(somebody("Bob", insight=2), "Bob", "b", None, {})]
    state = begin(by, Scenario("ore", "scenario", "f", {"a": [], "b": []}), people)
    mooks = (*range(1, 11), 1, 2, 3, 4, 5)
    faces = [(8, 8, 8, 8, 1, 2), mooks, (5, 5, 5, 1, 2, 3)]
    after, log = a_round(by, state, faces, ["attack:Thug", "pass", "yes"])
    assert after.groups[0].mob.number == 10 - 1 - 4  # the one who was struck, and as many as the set is wide
    assert "Bob is afraid: -1d" in log  # four, less the Width of Psyche and Focus
    calm, _ = a_round(by, state, faces[:2], ["attack:Thug", "pass", "no"])
    assert calm.groups[0].mob.number == 9
