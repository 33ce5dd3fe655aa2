"""Readied actions: held until something happens, and then first (book line 366)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.scumm.combat.fighters import Ready, UnderWay
from rulewright.systems.scumm.fight.actions.readied import sets_off
from rulewright.systems.scumm.fight.turns import begin_round
from rulewright.systems.scumm.lab_view.scene import FightScene

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, roll_initiative, someone, take_turn, told


def waiting(*, ready=None, ann=None, bob=None, metres=5.0, **fields):
    """Ann holds an action; Bob is next."""
    one = someone("Ann", **(ann or {"guns": ("9mm pistol",), "pistols": 2}))
    other = someone("Bob", (metres, 0), **(bob or {"guns": ("9mm pistol",), "pistols": 2}))
    fields.setdefault("queue", (("Bob",),))
    return fight_of(replace(one, ready=ready or Ready()), other, **fields)


@pytest.mark.parametrize(
    ("ready", "event", "who", "goes"),
    [
        (Ready(), "acts", "Bob", True),
        (Ready(), "moves", "Bob", True),
        (Ready("moves"), "acts", "Bob", False),
        (Ready("moves"), "moves", "Bob", True),
        (Ready("acts", "Cyd"), "acts", "Bob", False),
        (Ready("acts", "Bob"), "moves", "Bob", True),
    ],
)
def test_what_sets_a_readied_action_off(ready, event, who, goes):
    assert sets_off(ready, event, who) is goes


def test_readying_takes_the_action_and_ends_the_turn():
    fight = fight_of(someone("Ann", guns=("9mm pistol",)), someone("Bob", (5, 0)))
    played = act(fight, "Ann", "ready", turn=UnderWay("Ann", 2))
    assert played.outcome.fighter("Ann").ready == Ready()
    assert played.outcome.turn is None


def test_one_may_wait_for_one_person_among_several():
    fight = fight_of(someone("Ann"), someone("Bob", (5, 0)), someone("Cyd", (5, 1)))
    assert act(fight, "Ann", "ready:Cyd").outcome.fighter("Ann").ready == Ready("acts", "Cyd")
    assert "ready:Bob" not in keys(fight_of(someone("Ann"), someone("Bob", (5, 0))), "Ann")


def test_it_resolves_before_the_one_who_set_it_off_can_act():
    played = take_turn(waiting(), "stay", "shoot:Ann", "act", faces=[(6, 6), (1,)])
    assert [rolled.roll.by for rolled in played.rolls] == ["Ann", "Bob"]
    assert played.outcome.fighter("Bob").body.dead
    assert played.outcome.fighter("Bob").ammo == (0, 12)  # Bob never fired
    assert played.outcome.fighter("Ann").ready is None


def test_who_acts_in_the_same_moment_is_not_forestalled():
    """It is done after one's turn is over, and those who tied act at the same time (book lines 366 and 370)."""
    tied = waiting(queue=(("Ann", "Bob"),)).change("Ann", ready=None)
    readied = take_turn(tied, "stay", "ready").outcome
    assert readied.fighter("Ann").ready == Ready()
    played = take_turn(readied, "stay", "shoot:Ann", faces=[(2, 3), (5,)])
    assert [rolled.roll.by for rolled in played.rolls] == ["Bob", "Ann"], "Bob shoots, Ann defends herself"
    assert played.outcome.fighter("Ann").ready == Ready(), "and still waits for what comes after"


def test_a_wound_from_it_weighs_on_the_action_that_set_it_off():
    played = take_turn(waiting(), "stay", "shoot:Ann", "act", faces=[(5, 2), (4,), AWAKE, (2, 2), (5,)])
    assert pools(played)[3] == ("Bob", 2, -1)


def test_who_holds_on_is_asked_again_the_next_time():
    held = take_turn(waiting(), "stay", "shoot:Ann", "hold", faces=[(2, 2), (5,)]).outcome
    assert held.fighter("Ann").ready == Ready()


def test_one_who_moves_into_the_open_is_shot_before_acting():  # the book's doorway
    fight = waiting(ready=Ready("moves"), metres=20.0)
    played = take_turn(fight, "run to Ann", "act", "pass", faces=[(2, 2), (3,)])
    assert pools(played) == [("Ann", 2, -1), ("Bob", 1, 2)]  # at seven metres, and running
    assert told(played)[0] == "Bob runs 13 m"


def test_a_readied_blow_meets_whoever_comes_within_reach():
    fight = waiting(ready=Ready("moves"), ann={"brawl": 2}, bob={"brawl": 2}, metres=6.0)
    played = take_turn(fight, "walk to Ann", "act", "defense", "pass", faces=[(2, 2), (5,)])
    assert [rolled.roll.by for rolled in played.rolls] == ["Ann", "Bob"]


def test_nobody_is_asked_who_could_do_nothing():
    assert not take_turn(waiting(ann={"brawl": 2}), "stay", "pass").rolls
    empty = waiting().change("Ann", ammo=(0, 0))
    assert take_turn(empty, "stay", "shoot:Ann", faces=[(2, 2), (5,)]).outcome.fighter("Ann").ready is not None


def test_friends_set_nothing_off():
    fight = fight_of(
        someone("Ann", side="us", guns=("9mm pistol",), state={"ready": Ready()}),
        someone("Bob", (5, 0), side="us", guns=("9mm pistol",)),
        someone("Cyd", (9, 0)),
        queue=(("Bob",),),
    )
    assert len(take_turn(fight, "stay", "shoot:Cyd", faces=[(2, 3), (5,)]).rolls) == 2


def test_an_action_that_cannot_be_done_any_more_is_chosen_anew():
    fight = waiting(ann={"brawl": 3, "body": 2}, bob={"brawl": 2}, metres=1.0)
    shoved = take_turn(fight, "stay", "hit:Ann", "act", "defense", "shove", "body", 3, faces=[(5, 2, 2), (3,), (2, 2)]).outcome
    assert shoved.fighter("Bob").x == 4
    assert (shoved.turn.name, shoved.turn.noticed, shoved.turn.actions) == ("Bob", True, 1)
    assert "hit:Ann" not in keys(shoved, "Bob")


def test_who_is_grappled_first_can_do_nothing_else():
    fight = waiting(ann={"brawl": 3}, bob={"brawl": 2}, metres=1.0)
    held = take_turn(fight, "stay", "hit:Ann", "act", "defense", "grapple", faces=[(5, 2, 2), (3,)]).outcome
    assert script(FightScene(RULES).step(held), [], []).outcome.turn is None


# --- into the next round ------------------------------------------------------------------------------------------------------


def test_one_may_stay_ready_and_then_rolls_no_initiative():
    fight = waiting(queue=())
    held = roll_initiative(fight, (4,), choices=["hold"])
    assert held.queue == (("Bob",),)
    assert held.fighter("Ann").ready == Ready()


def test_or_give_it_up_and_roll():
    dropped = roll_initiative(waiting(queue=()), (5,), (4,), choices=["drop"])
    assert dropped.queue == (("Ann",), ("Bob",))
    assert dropped.fighter("Ann").ready is None


def test_one_can_stay_ready_for_ever():
    fight = waiting(queue=())
    for _ in range(5):
        fight = replace(roll_initiative(fight, (4,), choices=["hold"]), queue=())
    assert fight.fighter("Ann").ready == Ready()


def test_who_stands_ready_stands_still():
    running = waiting(queue=()).change("Ann", mode="running")
    assert roll_initiative(running, (4,), choices=["hold"]).fighter("Ann").mode == "normal"


def test_extra_actions_weigh_on_it_in_the_same_round_only():
    rules = by(multiple_actions=True)
    fight = fight_of(someone("Ann", guns=("9mm pistol",), pistols=2), someone("Bob", (5, 0), brawl=1), queue=(("Bob",),))
    fight = act(fight, "Ann", "ready", turn=UnderWay("Ann", 1, extra=1), rules=rules).outcome
    now = take_turn(fight, 0, "walk to Ann", "act", "pass", faces=[(2, 2), (5,)], rules=rules)
    assert pools(now)[0] == ("Ann", 2, 0)  # -1, and point blank
    later = roll_initiative(replace(fight, queue=()), (4,), choices=["hold"], rules=rules)
    assert later.fighter("Ann").ready == Ready()


def test_who_is_knocked_out_holds_nothing():
    fight = waiting().harm("Ann", replace(waiting().fighter("Ann").body, coma=True))
    assert fight.fighter("Ann").ready is None
    assert not script(begin_round(RULES, replace(fight, queue=())), [(4,)]).outcome.fighter("Ann").ready


def test_a_readied_shot_may_be_a_burst_or_called():  # line 366: any action can be held
    smg = waiting(ann={"guns": ("9mm smg",), "pistols": 3})
    burst = take_turn(smg, "stay", "shoot:Ann", "act how", "burst 2", faces=[(5,), (4,), AWAKE, (2, 2), (5,)])
    assert burst.outcome.fighter("Ann").ammo[-1] == 20
    assert burst.outcome.fighter("Bob").body.deep == 1  # 3 x (1 + 2)
    called = take_turn(smg, "stay", "shoot:Ann", "act how", "left leg", faces=[(5,), (4,), AWAKE, (2, 2), (5,)])
    assert called.outcome.fighter("Bob").body.limb("left leg").flesh == 1


def test_a_readied_fist_may_hold_back():  # line 541
    fight = waiting(ready=Ready("moves"), ann={"brawl": 2}, bob={"brawl": 2}, metres=6.0)
    after = take_turn(fight, "walk to Ann", "act bruise", "defense", "damage", "pass", faces=[(5, 2), (4,)]).outcome
    assert (after.fighter("Bob").body.bruised_flesh, after.fighter("Bob").body.flesh) == (1, 0)
    knife = waiting(ready=Ready("moves"), ann={"melee": ("knife",)}, metres=6.0)
    with pytest.raises(UserError, match=r"choose one of act, hold$"):
        take_turn(knife, "walk to Ann", "act bruise")
