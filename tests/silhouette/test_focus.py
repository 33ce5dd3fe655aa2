"""A blow by itself comes to the same, with the same odds, as the turn in the whole fight."""

from functools import partial

import pytest
from msgspec.structs import replace

from rulewright import shelf
from rulewright.lab import sample
from rulewright.odds import Exact
from rulewright.play import Player, Seeded, is_local
from rulewright.systems.silhouette.blows import land, strikers
from rulewright.systems.silhouette.fighters import Closing, Landing, Opening
from rulewright.systems.silhouette.scene import TACTICS, FightScene

from .fights import RULES, by, fight_of, someone

SCENE = FightScene(RULES)


def group(tactic="fencer", count=3, character="court-fencer", **changes):
    sides = {
        side: [{"character": character, "name": f"{side} {at}", "at": [x, 0.6 * at]} for at in range(count)]
        for side, x in (("master", 0), ("pupil", 1))
    }
    return shelf.stage("silhouette/duel", changes={"sides": sides, "tactics": {"master": tactic, "pupil": tactic}, **changes})


def whole_turn(scene, state):
    """The turn in the whole fight, until it is over or somebody may strike freely because of it."""
    state = yield from scene.step(state)
    while state.todo and isinstance(state.todo[0], Landing):
        state = yield from land(scene.rules, replace(state, todo=state.todo[1:]), state.todo[0])
    if state.todo and isinstance(state.todo[0], Opening) and not strikers(scene.rules, state, state.todo[0]):
        state = replace(state, todo=state.todo[1:])
    return (yield from scene.step(state)) if state.todo and isinstance(state.todo[0], Closing) else state


@pytest.mark.parametrize(
    ("tactic", "character", "settings", "seed"),
    [
        ("fencer", "court-fencer", {}, 0),
        ("fencer", "court-fencer", {}, 1),
        ("bruiser", "court-fencer", {}, 2),
        ("fencer", "hedge-knight", {}, 3),
    ],
    ids=str,
)
def test_the_odds_of_a_blow_are_those_of_the_whole_fight(tactic, character, settings, seed):
    staged = group(tactic, 2, character, settings=settings)
    scene, seen, state = staged.scene, 0, staged.state
    exact = Exact(staged.decide)
    lens = partial(scene.lens, question="losses")
    player = Player(Seeded(seed), staged.decide)
    for _ in range(30):
        if scene.result(state) is not None or seen >= 6:
            break
        focus = scene.focus(state)
        if focus is not None:
            seen += 1
            alone = exact.solve(lambda focus=focus: focus.play(focus.small)).map(focus.back)
            whole = exact.solve(lambda state=state: whole_turn(scene, state))
            assert not whole.unsettled
            assert alone.map(lens) == whole.map(lens)
        state = player.run(scene.step(state))
    assert seen >= 2


def test_the_same_holds_for_those_who_have_to_come_nearer_first():
    staged = group("fencer", 2)
    scene, exact = staged.scene, Exact(staged.decide)
    lens = partial(scene.lens, question="losses")
    places = [(0.0, 0.0), (3.0, 22.0), (5.0, 1.3), (9.7, 4.4)]
    fighters = tuple([replace(f, x=x, y=y) for f, (x, y) in zip(staged.state.fighters, places, strict=True)])
    names = [f.name for f in fighters]
    seen = set()
    for group_of in ((names[0],), (names[2], names[0]), (names[3],), (names[1],)):
        state = replace(staged.state, fighters=fighters, round=1, queue=(group_of, (names[1],)))
        focus = scene.focus(state)
        assert focus is not None
        alone = exact.solve(lambda focus=focus: focus.play(focus.small)).map(focus.back)
        whole = exact.solve(lambda state=state: whole_turn(scene, state))
        assert alone.map(lens) == whole.map(lens)
        seen |= {fight.fighter(group_of[0]).pace for fight in whole.weights}
    assert seen == {"walking", "running"}


def test_there_is_no_focus_where_a_turn_may_touch_more():
    ann = someone("Ann", weapons=("short sword",), melee=3, state={"in_hand": 1})
    bob = someone("Bob", (1, 0), weapons=("short sword",), melee=2, state={"in_hand": 1})
    queue = (("Ann",),)
    assert SCENE.focus(fight_of(ann, bob, queue=queue)) is not None
    assert SCENE.focus(fight_of(ann, bob)) is None  # initiative
    assert SCENE.focus(fight_of(ann, replace(bob, x=900.0), queue=queue)) is None  # too far off
    cyd = someone("Cyd", (3.2, 0.0), side="Bob")
    assert SCENE.focus(fight_of(ann, replace(bob, x=4.0), queue=queue)) is not None
    assert SCENE.focus(fight_of(ann, replace(bob, x=4.0), cyd, queue=queue)) is not None  # Cyd is the nearest
    assert SCENE.focus(fight_of(ann, replace(bob, x=4.0), replace(cyd, x=4.05), queue=queue)) is None  # no telling who is nearer then
    for changed in ({"hidden": True}, {"unwary": True}):
        assert SCENE.focus(fight_of(ann, replace(bob, **changed), queue=queue)) is None
    for changed in ({"confused": True}, {"pace": "prone"}, {"in_hand": 0}, {"ordered": 1}):
        assert SCENE.focus(fight_of(replace(ann, **changed), bob, queue=queue)) is None
    assert SCENE.focus(fight_of(ann, bob, queue=queue, late=("Bob",))) is None
    cinema = FightScene(by(reality="cinematic"))
    assert cinema.focus(fight_of(ann, bob, queue=queue)) is None


def test_only_tactics_that_look_at_no_more_are_local():
    assert {name for name, tactic in TACTICS.items() if is_local(tactic)} == {"fencer", "bruiser"}
    assert is_local(group("fencer").decide)
    assert not is_local(group("whirlwind").decide)


def test_drawn_blows_and_played_fights_agree():
    staged = group("fencer", 2)
    asked = {"question": "losses", "rounds": staged.scenario.rounds, "tables": False}
    drawn = sample(staged.scene, staged.state, staged.decide, 600, seed=5, confidence=0.9999, **asked)
    played = sample(staged.scene, staged.state, lambda choice: staged.decide(choice), 300, seed=6, confidence=0.9999, **asked)
    for side in ("master", "pupil"):
        (low, high), (least, most) = drawn.sides[side].interval, played.sides[side].interval
        assert low < most
        assert least < high
        (low, high), (least, most) = drawn.losses[side].interval, played.losses[side].interval
        assert low < most
        assert least < high
    (low, high), (least, most) = drawn.rounds.interval, played.rounds.interval
    assert low < most
    assert least < high
