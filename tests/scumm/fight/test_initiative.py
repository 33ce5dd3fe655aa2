"""Who acts first, who acts at the same time, and who cannot act."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.scumm.fight.turns import actions_by_initiative, begin_round, initiative_pool, may_still
from rulewright.systems.scumm.harm.body import Influence
from rulewright.systems.scumm.lab_view.scene import FightScene

from ..fights import AWAKE, RULES, by, fight_of, roll_initiative, someone, take_turn, told


def three(**states):
    return fight_of(*[someone(name, (place * 5, 0), **states.get(name, {})) for place, name in enumerate(("Ann", "Bob", "Cyd"))], round=0)


@pytest.mark.parametrize(("total", "actions"), [(0, 1), (1, 1), (6, 1), (7, 2), (9, 2)])
def test_seven_or_more_gives_two_actions(total, actions):  # lines 45, 370
    assert actions_by_initiative(total) == actions


def test_a_fumble_gives_none():
    assert actions_by_initiative(1, fumble=True) == 0
    assert actions_by_initiative(8, fumble=True) == 0


def test_the_highest_acts_first_and_ties_act_together():  # line 370
    fight = roll_initiative(three(), (3,), (5,), (3,))
    assert fight.queue == (("Bob",), ("Ann", "Cyd"))
    assert fight.round == 1


def test_everybody_rolls_again_every_round():
    fight = roll_initiative(three(), (3,), (5,), (2,))
    again = roll_initiative(replace(fight, queue=()), (6,), (5,), (4,))
    assert again.queue == (("Ann",), ("Bob",), ("Cyd",))
    assert again.round == 2


def test_combat_sense_is_rolled_without_attributes():  # line 45, ruling
    sharp = someone("Ann", intelligence=2, spirit=1)
    assert (initiative_pool(RULES, sharp.profile.combat_sense, sharp.body).dice, sharp.profile.combat_sense) == (4, 4)
    assert initiative_pool(RULES, 4, sharp.body).modifier == 0


def test_a_dull_mind_rolls_unskilled():  # line 45
    dull = someone("Ann", spirit=-1)
    fight = roll_initiative(fight_of(dull, someone("Bob", (5, 0))), (3, 5), (2,))
    assert fight.fighter("Ann").initiative == 3


def test_wounds_stimulants_and_a_bad_position_count():
    body = someone("Ann", wounds={"flesh": 1, "deep": 1, "influences": (Influence("stimulant", 2),)}).body
    assert initiative_pool(RULES, 3, body, -3).modifier == -3 - 3 + 2


def test_a_load_weighs_on_initiative_where_the_campaign_counts_it():
    rules = by(carrying_capacity=True)
    assert initiative_pool(rules, 3, someone("Ann", rules=rules, kilograms=50).body).modifier == -2
    assert initiative_pool(RULES, 3, someone("Ann", kilograms=50).body).modifier == 0


def test_those_out_of_it_do_not_roll():
    fight = roll_initiative(three(Bob={"wounds": {"unconscious": 5}}), (3,), (4,))
    assert fight.queue == (("Cyd",), ("Ann",))


def test_the_order_is_told():
    played = script(begin_round(RULES, three()), [(3,), (5,), (1,)])
    assert told(played) == ["Round 1. Initiative: Bob 5, Ann 3, Cyd 1 (fumble)"]


def test_a_new_round_takes_off_what_the_last_one_left():
    tired = someone("Ann", state={"attacked_by": ("Bob",), "free_strikes": 1, "pinned": True, "shot_at": ((1, "Bob"),)})
    fresh = roll_initiative(fight_of(tired, someone("Bob", (5, 0))), (3,), (2,)).fighter("Ann")
    assert (fresh.attacked_by, fresh.free_strikes, fresh.pinned, fresh.shot_at) == ((), 0, False, ())


# --- fumbled initiative (lines 45, 370) ---------------------------------------------------------------------------------------


def test_who_fumbles_can_only_duck_or_go_on():
    assert may_still(RULES) == ("duck", "nothing")
    assert may_still(RULES, long_action=True) == ("duck", "nothing", "go on")
    assert may_still(by(fumbled_initiative="nothing"), long_action=True) == ("nothing",)


def test_ducking_is_lying_down():
    fight = roll_initiative(three(), (1,), (5,), (4,))
    fight = replace(fight, queue=fight.queue[-1:])
    assert fight.queue == (("Ann",),)
    ducked = take_turn(fight, "duck").outcome
    assert ducked.fighter("Ann").mode == "prone"
    with pytest.raises(UserError, match="ready"):
        take_turn(fight, "ready")


def test_an_aim_may_be_kept_up_but_not_begun():
    fight = fight_of(
        someone("Ann", guns=("9mm pistol",), state={"fumbled": True, "aim": 1, "aim_at": "Bob", "acts": 0}),
        someone("Bob", (5, 0)),
        queue=(("Ann",),),
    )
    assert take_turn(fight, "keep aiming").outcome.fighter("Ann").aim == 2
    with pytest.raises(UserError, match="keep aiming"):
        take_turn(fight.change("Ann", aim=0, aim_at=""), "keep aiming")


def test_a_stricter_campaign_lets_them_do_nothing():  # ruling "fumbled-initiative"
    fight = fight_of(someone("Ann", state={"fumbled": True}), someone("Bob", (5, 0)), queue=(("Ann",),))
    assert take_turn(fight, rules=by(fumbled_initiative="nothing")).outcome.fighter("Ann").mode == "normal"


def test_extra_actions_do_not_help_the_confused():
    fight = fight_of(someone("Ann", state={"fumbled": True, "acts": 0}), someone("Bob", (5, 0)), queue=(("Ann",),))
    assert take_turn(fight, "nothing", rules=by(multiple_actions=True)).outcome.turn is None


# --- at the same time ---------------------------------------------------------------------------------------------------------


def duel(*, tie=True):
    ann = someone("Ann", guns=("9mm pistol",), pistols=2)
    bob = someone("Bob", (5, 0), guns=("9mm pistol",), pistols=2)
    return fight_of(ann, bob, queue=(("Ann", "Bob"),) if tie else (("Ann",), ("Bob",)))


def test_those_who_tie_can_kill_each_other():  # line 370
    scene = FightScene(RULES)
    fight = take_turn(duel(), "stay", "shoot:Bob", faces=[(6, 6), (1,)]).outcome
    assert fight.fighter("Bob").body.dead
    assert scene.result(fight) is None  # Bob's shot is in the air
    fight = take_turn(fight, "stay", "shoot:Ann", faces=[(6, 6), (1,)]).outcome
    assert fight.fighter("Ann").body.dead
    assert fight.frozen == ()
    assert scene.result(fight).winner is None


def test_without_a_tie_the_dead_do_not_shoot():
    fight = take_turn(duel(tie=False), "stay", "shoot:Bob", faces=[(6, 6), (1,)]).outcome
    assert fight.queue == ()
    assert FightScene(RULES).result(fight).winner == "Ann"


def test_a_wound_taken_in_a_tie_does_not_weigh_on_the_answer():
    fight = take_turn(duel(), "stay", "shoot:Bob", faces=[(5, 2), (4,), AWAKE]).outcome
    assert fight.fighter("Bob").body.flesh == 1
    answer = take_turn(fight, "stay", "shoot:Ann", faces=[(2, 2), (5,)])
    assert answer.rolls[0].roll.reading.modifier == 0
    later = take_turn(replace(answer.outcome, queue=(("Bob",),)), "stay", "shoot:Ann", faces=[(2, 2), (5,)])
    assert later.rolls[0].roll.reading.modifier == -1


def test_a_weapon_lost_in_a_tie_is_still_used_in_it():
    ann, bob = someone("Ann", brawl=2), someone("Bob", (1, 0), melee=("knife",))
    fight = fight_of(ann, bob, queue=(("Ann", "Bob"),))
    fight = take_turn(fight, "stay", "hit:Bob", "defense", "disarm", faces=[(5, 2), (3,), (2, 2)]).outcome
    assert fight.fighter("Ann").weapon.name == "knife"
    fight = take_turn(fight, "stay", "hit:Ann", "defense", faces=[(2, 3), (5,)]).outcome
    assert fight.fighter("Bob").weapon.name == "fists"


def test_a_grip_begun_in_a_tie_is_felt_afterwards():
    fight = fight_of(someone("Ann", brawl=2), someone("Bob", (1, 0), brawl=2), someone("Cyd", (1, 1), side="Ann"), queue=(("Ann", "Bob"),))
    fight = take_turn(fight, "stay", "hit:Bob", "defense", "grapple", faces=[(5, 2), (3,)]).outcome
    fight = take_turn(fight, "hit:Cyd", "defense", faces=[(2, 2), (4,)]).outcome  # no move is asked for
    assert (fight.fighter("Ann").grappling, fight.fighter("Bob").grappling) == ("Bob", "Ann")


def test_nobody_is_gripped_by_the_dying():
    ann, bob = someone("Ann", brawl=2), someone("Bob", (1, 0), brawl=2)
    fight = fight_of(ann, bob, someone("Cyd", (5, 0), side="Bob"), queue=(("Ann", "Bob"),))
    fight = take_turn(fight, "stay", "hit:Bob", "defense", "damage", faces=[(6, 6), (2,)]).outcome
    assert fight.fighter("Bob").body.dead
    with pytest.raises(UserError, match="grapple"):
        take_turn(fight, "stay", "hit:Ann", "defense", "grapple", faces=[(5, 2), (3,)])


def test_the_odds_of_a_fumble_are_exact():
    odds = exact(sub(begin_round, RULES, fight_of(someone("Ann"), someone("Bob", (5, 0)))))
    assert odds.map(lambda fight: fight.fighter("Ann").fumbled)[True] * 6 == 1
    assert odds.map(lambda fight: len(fight.queue) == 1)[True] * 6 == 1  # a tie


def test_initiative_says_what_it_is_made_of():
    hurt = someone("Ann", spirit=1, wounds={"flesh": 1}, state={"initiative_modifier": -3})
    played = script(begin_round(RULES, fight_of(hurt, someone("Bob"))), [(6, 2), (4,)])
    bob, ann = played.events[0].reasons()
    assert (ann.label, ann.value, ann.rule) == ("Ann", 2, "scumm-initiative")
    assert [(t.label, t.value, t.rule) for t in ann.terms] == [
        ("highest of 2", 6, "scumm-dice-roll"),
        ("wounds", -1, "scumm-injuries"),
        ("bad position", -3, "scumm-ranged-fumbles"),
    ]
    assert (bob.label, bob.value) == ("Bob", 4)
