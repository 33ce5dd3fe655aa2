"""Turns by themselves come to the same, die for die, as the turns in the whole fight."""

from functools import partial

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.lab import sample
from rulewright.play import Player, Seeded, is_local
from rulewright.systems.scumm.combat.fighters import Ready
from rulewright.systems.scumm.fight.scene import TACTICS
from rulewright.systems.scumm.lab_view.batch_rounds import Rounds
from rulewright.systems.scumm.lab_view.scene import FightScene

from ..fights import RULES, fight_of, someone

SCENE = FightScene(RULES)


def group(tactic, count=3, **changes):
    sides = {side: [{"character": "hired-gun", "name": side, "count": count}] for side in ("ann", "bob")}
    return library.stage("scumm/duel", changes={"sides": sides, "tactics": {"ann": tactic, "bob": tactic}, **changes})


class Dice(Player):
    """Luck of which nothing is learned: every part is played with the next dice."""

    def learned(self, part):
        return None


def walked(scene, state, luck):
    """The rest of a round by turns alone, as far as they go."""
    return Rounds(scene.rules, luck, scene._turn)(state, state.round)


def agrees(staged, state, seed):
    """That turns alone do with these dice what the steps do; and whether there were any."""
    scene, alone, whole = staged.scene, Dice(Seeded(seed), staged.decide), Player(Seeded(seed), staged.decide)
    lens = partial(scene.lens, question="losses")
    after, came = walked(scene, state, alone), state
    while lens(came) != lens(after) or len(whole.rolls) != len(alone.rolls):
        assert scene.result(came) is None
        assert len(whole.rolls) <= len(alone.rolls)
        came = whole.run(scene.step(came))
    assert [rolled.faces for rolled in whole.rolls] == [rolled.faces for rolled in alone.rolls]
    return after is not state


@pytest.mark.parametrize(
    ("tactic", "settings"),
    [("duellist", {}), ("shooter", {}), ("automatic", {}), ("shooter", {"multiple-actions": True})],
    ids=str,
)
def test_the_same_dice_do_the_same_as_in_the_whole_fight(tactic, settings):
    staged = group(tactic, settings=settings)
    scene = staged.scene
    in_turn = together = fumbled = 0
    for seed in range(4):
        player = Player(Seeded(seed), staged.decide)
        state = staged.state
        for _ in range(16):
            if scene.result(state) is not None:
                break
            if all(agrees(staged, state, dice) for dice in range(10)):
                acting = [name for names in state.queue for name in names]
                in_turn += len(state.queue) > 1
                together += state.queue != () and len(state.queue[0]) > 1
                fumbled += any(state.fighter(name).fumbled for name in acting)
            state = player.run(scene.step(state))
    assert min(in_turn, together, fumbled) > 1


def test_what_a_turn_leaves_out_is_put_back_untouched():
    ann = someone("Ann", guns=("9mm pistol",), pistols=3, state={"attacked_by": ("Cyd",), "initiative_modifier": -3})
    bob = someone("Bob", (8, 0), guns=("9mm pistol",), pistols=1, state={"ammo": (0, 3), "jammed": (False, True), "attacked_by": ("Cyd",)})
    cyd = someone("Cyd", (30, 0), side="Bob")
    fight = fight_of(ann, bob, cyd, queue=(("Ann",), ("Cyd",), ("Bob",)))
    after = walked(SCENE, fight, Dice(Seeded(4), TACTICS["shooter"]))
    assert after.queue == (("Cyd",), ("Bob",))  # Cyd has no gun: what comes next is more than a shot
    assert after.fighter("Cyd") == fight.fighter("Cyd")
    assert after.fighter("Ann").ammo[1] == ann.ammo[1] - 1
    assert replace(after.fighter("Ann"), ammo=ann.ammo, jammed=ann.jammed) == ann
    kept = after.fighter("Bob")
    assert (kept.ammo, kept.jammed, kept.attacked_by) == (bob.ammo, bob.jammed, ("Cyd", "Ann"))
    assert kept.body.name == "Bob"


def test_no_turn_is_played_by_itself_that_may_touch_more():
    def found(*people, acts="Ann"):
        fight = fight_of(*people, queue=((acts,),) if acts else ())
        return walked(SCENE, fight, Dice(Seeded(1), TACTICS["shooter"])) is not fight

    ann, bob = someone("Ann", guns=("9mm pistol",), pistols=3), someone("Bob", (8, 0))
    assert found(ann, bob)
    assert found(replace(ann, fumbled=True), bob)
    assert not found(ann, bob, acts="")  # the round is over
    assert not found(ann, bob, acts="Bob")  # no gun
    assert not found(ann, replace(bob, x=1.0))  # within reach
    assert not found(ann, replace(bob, x=9_000.0))  # out of range: she will move
    for state in ({"hidden": True}, {"unwary": True}, {"grappling": "Ann"}, {"ready": Ready()}):
        assert not found(ann, replace(bob, **state))
    assert not found(replace(ann, fumbled=True, aim=1, aim_at="Cyd"), bob)  # she may go on aiming at somebody else


def test_only_tactics_that_look_at_no_more_are_local():
    assert {name for name, tactic in TACTICS.items() if is_local(tactic)} == {"shooter", "duellist", "automatic"}
    assert group("shooter").local
    assert is_local(group("shooter").decide)
    assert not is_local(group("careful").decide)


@pytest.mark.slow
def test_drawn_turns_and_played_fights_agree():
    staged = group("duellist", 2)
    asked = {"question": "losses", "rounds": staged.scenario.rounds, "tables": False}
    drawn = sample(staged.scene, staged.state, staged.decide, 1_000, seed=5, confidence=0.9999, **asked)
    played = sample(staged.scene, staged.state, lambda choice: staged.decide(choice), 500, seed=6, confidence=0.9999, **asked)
    for side in ("ann", "bob"):
        (low, high), (least, most) = drawn.sides[side].interval, played.sides[side].interval
        assert low < most
        assert least < high
        (low, high), (least, most) = drawn.losses[side].interval, played.losses[side].interval
        assert low < most
        assert least < high
    low, high = drawn.rounds.interval
    least, most = played.rounds.interval
    assert low < most
    assert least < high
