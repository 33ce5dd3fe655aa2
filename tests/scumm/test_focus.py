"""A turn by itself comes to the same, with the same odds, as the turn in the whole fight."""

from functools import partial

import pytest
from msgspec.structs import replace

from rulewright import shelf
from rulewright.lab import sample
from rulewright.odds import Exact
from rulewright.play import Player, Seeded, is_local
from rulewright.systems.scumm.scene import TACTICS, FightScene

from .fights import RULES, fight_of, someone

SCENE = FightScene(RULES)


def group(tactic, count=3, **changes):
    sides = {side: [{"character": "hired-gun", "name": side, "count": count}] for side in ("ann", "bob")}
    return shelf.stage("scumm/duel", changes={"sides": sides, "tactics": {"ann": tactic, "bob": tactic}, **changes})


def whole_turn(scene, state, target):
    """The same turn in the whole fight, until it is over or the target is out."""
    while True:
        state = yield from scene.step(state)
        if state.turn is None or not state.fighter(target).body.able:
            return state


@pytest.mark.parametrize(
    ("tactic", "settings"),
    [("duellist", {}), ("shooter", {}), ("marksman", {}), ("automatic", {}), ("marksman", {"multiple-actions": True})],
    ids=str,
)
def test_the_odds_of_a_turn_are_those_of_the_whole_fight(tactic, settings):
    staged = group(tactic, settings=settings)
    scene = staged.scene
    seen = 0
    exact = Exact(staged.decide)
    for seed in range(3):
        player = Player(Seeded(seed), staged.decide)
        state = staged.state
        for _ in range(16):
            if scene.result(state) is not None:
                break
            focus = scene.focus(state)
            if focus is not None:
                seen += 1
                actor = state.turn.name if state.turn else state.queue[0][0]
                foes = state.enemies(state.fighter(actor))
                target = min(foes, key=state.fighter(actor).distance).name
                lens = partial(scene.lens, question="losses")
                alone = exact.solve(lambda focus=focus: focus.play(focus.small))
                whole = exact.solve(lambda state=state, target=target: whole_turn(scene, state, target))
                assert alone.map(focus.back).map(lens) == whole.map(lens)
            state = player.run(scene.step(state))
    assert seen > 10


def test_what_a_focus_leaves_out_is_put_back_untouched():
    ann = someone("Ann", guns=("9mm pistol",), pistols=3, state={"initiative": 5, "attacked_by": ("Cyd",), "initiative_modifier": -3})
    bob = someone("Bob", (8, 0), guns=("9mm pistol",), pistols=1, state={"ammo": (0, 3), "jammed": (False, True), "attacked_by": ("Cyd",)})
    cyd = someone("Cyd", (30, 0), side="Bob")
    fight = fight_of(ann, bob, cyd, queue=(("Ann",), ("Bob", "Cyd")))
    focus = SCENE.focus(fight)
    player = Player(Seeded(4), TACTICS["shooter"])
    after = focus.back(player.run(focus.play(focus.small)))
    assert after.queue == (("Bob", "Cyd"),)
    assert after.fighter("Cyd") is fight.fighter("Cyd")
    assert after.fighter("Ann").ammo[1] == ann.ammo[1] - 1
    assert replace(after.fighter("Ann"), ammo=ann.ammo, jammed=ann.jammed) == ann
    kept = after.fighter("Bob")
    assert (kept.ammo, kept.jammed, kept.attacked_by) == (bob.ammo, bob.jammed, ("Cyd", "Ann"))
    assert kept.body.name == "Bob"


def test_there_is_no_focus_where_a_turn_may_touch_more():
    ann, bob = someone("Ann", guns=("9mm pistol",), pistols=3), someone("Bob", (8, 0))
    assert SCENE.focus(fight_of(ann, bob, queue=(("Ann",),))) is not None
    assert SCENE.focus(fight_of(ann, bob)) is None  # initiative
    assert SCENE.focus(fight_of(ann, bob, queue=(("Bob",),))) is None  # no gun
    assert SCENE.focus(fight_of(ann, replace(bob, x=1.0), queue=(("Ann",),))) is None  # within reach
    assert SCENE.focus(fight_of(ann, replace(bob, x=9_000.0), queue=(("Ann",),))) is None  # out of range: she will move
    for state in ({"hidden": True}, {"unwary": True}, {"grappling": "Ann"}):
        assert SCENE.focus(fight_of(ann, replace(bob, **state), queue=(("Ann",),))) is None
    assert SCENE.focus(fight_of(replace(ann, fumbled=True), bob, queue=(("Ann",),))) is None


def test_only_tactics_that_look_at_no_more_are_local():
    assert {name for name, tactic in TACTICS.items() if is_local(tactic)} == {"shooter", "marksman", "duellist", "automatic"}
    assert group("shooter").local
    assert is_local(group("shooter").decide)
    assert not is_local(group("careful").decide)


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
