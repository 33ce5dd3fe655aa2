"""Whips and bolas: entangling somebody, and getting free (book lines 2061, 8076, 8123)."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.attacks.entanglement import break_loose, pool_to_get_free
from rulewright.systems.silhouette.combat.fighters import UnderWay
from rulewright.systems.silhouette.fight.moves import move_options
from rulewright.systems.silhouette.fight.tactics import shooter, waiter
from rulewright.systems.silhouette.gear.items import threshold_to_get_free
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.lab_view.scene import FightScene

from ..fight.test_scenarios import shaken
from ..fights import RULES, act, by, fight_of, keys, left_alone, pools, roll_initiative, someone, take_turn, told


def whip(**ben):
    return fight_of(
        someone("Ann", side="us", melee=2, weapons=("whip",)),
        someone("Ben", (1, 0), side="them", melee=2, defense=1, hand_to_hand=1, athletics=2, fitness=1, weapons=("short sword",), **ben),
    )


def bola(metres=5, **ben):
    return fight_of(
        someone("Ann", side="us", throwing=2, weapons=("bola",)), someone("Ben", (metres, 0), side="them", defense=1, athletics=1, **ben)
    )


def held(threshold, **more):
    return whip(wounds={"snared": threshold, **more})


def test_a_whip_entangles_by_the_margin_less_one_and_does_not_hurt():
    played = act(whip(), "Ann", "entangle:Ben", "dodge", faces=[(6, 2), (2,)])
    ben = played.outcome.fighter("Ben")
    assert (ben.body.snared, ben.body.flesh, ben.body.deep) == (3, 0, 0)
    assert ben.body.snared == threshold_to_get_free(RULES, "whip", 4)
    assert "Ben is entangled (Threshold 3 to get free)" in told(played)
    assert act(whip(), "Ann", "entangle:Ben", "dodge", faces=[(2, 1), (2,)]).outcome.fighter("Ben").body.snared is None  # a tie misses
    least = act(whip(), "Ann", "entangle:Ben", "dodge", faces=[(3, 1), (2,)]).outcome.fighter("Ben").body
    assert least.snared == 0
    hurts = act(whip(), "Ann", "strike:Ben", "dodge", faces=[(6, 2), (2,), (6, 5)]).outcome.fighter("Ben").body
    assert (hurts.snared, hurts.flesh + hurts.deep) == (None, 1)


def test_a_bola_entangles_by_the_margin_and_is_gone():
    played = act(bola(), "Ann", "entangle:Ben", faces=[(6, 2), (3,)])  # 6 - 1 against 3 - 1
    ann, ben = played.outcome.fighters
    assert (ben.body.snared, ben.body.flesh) == (3, 0)
    assert (ann.gone[1], ann.in_hand) == ("away", 0)
    tied = act(bola(), "Ann", "entangle:Ben", faces=[(4, 2), (4,)]).outcome.fighter("Ben").body
    assert tied.snared == 0  # a throw as high as the defense is on target
    assert act(bola(), "Ann", "entangle:Ben", faces=[(3, 2), (5,), (1,)]).outcome.fighter("Ben").body.snared is None
    assert act(bola(), "Ann", "throw:Ben", faces=[(6, 2), (3,), (6, 5)]).outcome.fighter("Ben").body.flesh == 1


def test_only_weapons_that_entangle_offer_it():
    assert "entangle:Ben" in keys(whip(), "Ann")
    assert "entangle:Ben" in keys(bola(), "Ann")
    assert "entangle:Ann" not in keys(whip(), "Ben")
    assert "entangle:Ben" not in keys(bola(60), "Ann")


def test_the_entangled_neither_move_nor_fight():
    fight = held(3)
    ben = fight.fighter("Ben")
    assert keys(fight, "Ben") == {"get free", "pass"}
    assert [option.key for option in move_options(RULES, fight, ben)] == ["stay"]
    assert keys(fight, "Ben", turn=UnderWay("Ben", 1, 0)) == {"pass"}
    gun = act(fight.put(someone("Ann", side="us", small_arms=1, weapons=("medium pistol",))), "Ann", "shoot:Ben", faces=[(2,), (6,)])
    assert "lets the guard down" not in " ".join(told(gun))  # no Free Strike of one who cannot fight


def test_they_stand_still_for_a_blow_and_can_but_dodge():
    free = act(whip(), "Ann", "strike:Ben", "dodge", faces=[(2, 1), (6,)])
    assert pools(free)[1] == ("Ben", 1, 0)
    caught = act(held(3), "Ann", "strike:Ben", "dodge", faces=[(2, 1), (6,)])
    assert pools(caught)[1] == ("Ben", 1, -1)
    asked = []

    def look(choice):
        asked.append(choice.keys())
        return "strike:Ben" if choice.topic == "act" else choice.keys()[0]

    from rulewright.play import Player, Seeded
    from rulewright.systems.silhouette.fight.turns import go_on

    Player(Seeded(1), look).run(go_on(RULES, held(3), UnderWay("Ann")))
    assert ("dodge",) in asked


@pytest.mark.parametrize(("faces", "free"), [((3, 1), True), ((2, 1), True), ((1, 1), False)])
def test_getting_free_is_an_action_and_a_draw_is_enough(faces, free):
    played = act(held(3), "Ben", "get free", faces=[faces])  # Athletics with Fitness +1
    assert pools(played)[0] == ("Ben", 2, 1)
    assert (played.outcome.fighter("Ben").body.snared is None) == free
    assert played.outcome.turn is None


def test_wounds_and_many_actions_weigh_on_it():
    fight = held(9, flesh=1, system_shock=9)
    played = take_turn(fight, "2", "stay", "get free", "get free", faces=[(2, 1), (2, 1)], of="Ben")
    assert pools(played) == [("Ben", 2, -1), ("Ben", 2, -1)]


def test_what_is_tested_is_for_the_campaign_to_say():
    assert [pool_to_get_free(by(getting_free=how), 3, 2, -1).dice for how in ("athletics", "agility", "fitness")] == [3, 2, 2]
    assert [pool_to_get_free(by(getting_free=how), 3, 2, -1).modifier for how in ("athletics", "agility", "fitness")] == [2, -1, 2]
    assert pool_to_get_free(RULES, 3, 2, -1, complexity=2).modifier == 3
    assert script(break_loose(RULES, victim=Patient("Ann"))).outcome.snared is None  # who is free needs no roll
    assert [script(break_loose(RULES), [faces]).outcome.snared for faces in ((3, 1), (2, 1))] == [None, 3]


@pytest.mark.parametrize(("how", "said", "dice"), [("athletics", ["3"], 3), ("athletics", ["no"], 0), ("fitness", [], 2)])
def test_athletics_that_were_never_learnt_may_be_mimicked_to_get_free(how, said, dice):  # line 6162
    fight = fight_of(
        someone("Ann", side="us"),
        someone("Ben", (1, 0), side="them", wounds={"snared": 9, "genre": ("mimic skill",), "genre_points": 3}),
    )
    played = act(fight, "Ben", "get free", *said, faces=[(4, 2, 2)[: dice or 2]], rules=by(getting_free=how))
    assert pools(played)[0][:2] == ("Ben", dice)
    assert played.outcome.fighter("Ben").body.genre_points == (0 if said == ["3"] else 3)


def test_a_special_effect_helps_to_get_free():
    cinema = by(reality="cinematic", special_effects=True)
    played = take_turn(held(3), "1", "basic", "stay", "get free", faces=[(4, 1, 1)], of="Ben", rules=cinema)
    assert len(played.rolls[0].faces) == 3
    attribute = by(reality="cinematic", special_effects=True, getting_free="fitness")
    assert len(take_turn(held(3), "1", "basic", "stay", "get free", faces=[(4, 1)], of="Ben", rules=attribute).rolls[0].faces) == 2


def test_what_befalls_in_a_shared_moment_counts_afterwards():
    fight = replace(whip(), queue=(("Ann", "Ben"),))
    after = take_turn(fight, "1", "stay", "entangle:Ben", "dodge", faces=[(6, 2), (2,)]).outcome
    assert after.fighter("Ben").body.snared == 3
    acted = take_turn(after, "1", "stay", "strike:Ann", "dodge", faces=[(2, 1), (6, 4)])
    assert pools(acted)[0][0] == "Ben"
    assert keys(roll_initiative(acted.outcome, (6, 5), (5, 5)), "Ben") == {"get free", "pass"}


def test_tactics_try_to_get_free():
    fight = held(3)

    def asked(tactic):
        from rulewright.systems.silhouette.fight.turns import go_on

        choice = go_on(RULES, fight, UnderWay("Ben")).send(None)
        return tactic(choice)

    assert asked(shooter) == asked(waiter) == "get free"
    assert left_alone(FightScene(RULES), replace(fight, queue=(("Ben",),)))


def test_random_decisions_never_break_a_fight_with_snares():
    people = (
        someone("Ann", side="us", melee=2, throwing=2, athletics=1, weapons=("whip", "bola")),
        someone("Ben", (1, 0), side="them", melee=2, defense=1, weapons=("short sword",), wounds={"snared": 4}),
        someone("Cyd", (4, 0), side="them", small_arms=2, weapons=("medium pistol",), dice=2),
    )
    staged = SimpleNamespace(scene=FightScene(RULES), state=fight_of(*people))
    for seed in range(8):
        shaken(staged, seed, rounds=4)
