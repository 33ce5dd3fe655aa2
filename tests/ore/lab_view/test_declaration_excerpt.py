"""A declaration by itself comes to the same, with the same odds, as the declaration in the whole fight."""

from functools import partial

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.lab import sample
from rulewright.play import Player, Seeded, is_local
from rulewright.play.odds import Exact
from rulewright.systems.ore.fight.scene import TACTICS


def staged_as(name, tactic, count=1, **changes):
    """A demo in which everybody, so many of each, decides by this tactic."""
    sides = {}
    for side, members in library.take(name, "scenario").thing.sides.items():
        sides[side] = [
            {"character": one.character, "name": one.name, "tactic": tactic, "state": one.state, "count": count} for one in members
        ]
    return library.stage(name, changes={"sides": sides, **changes})


def fought(staged, seed, steps):
    """The states that a fight comes to."""
    player, state = Player(Seeded(seed), staged.decide), staged.state
    for _ in range(steps):
        if staged.scene.result(state) is not None:
            return
        yield state
        state = player.run(staged.scene.step(state))


def alone(focus):
    """What is seen by itself, put back, and what comes after it in the same step."""
    state = focus.back((yield from focus.play(focus.small)))
    return state if focus.rest is None else (yield from focus.rest(state))


@pytest.mark.parametrize("tactic", TACTICS)
@pytest.mark.parametrize(("name", "count"), [("ore/duel", 3), ("ore/firefight", 2), ("ore/rooftop", 2)])
def test_the_odds_of_a_declaration_are_those_of_the_whole_fight(name, count, tactic):
    staged = staged_as(name, tactic, count)
    scene, exact = staged.scene, Exact(staged.decide)
    seen = last = 0
    for state in fought(staged, 3, 40):
        focus = scene.focus(state)
        if focus is not None:
            seen += 1
            last += focus.rest is not None
            assert exact.solve(partial(alone, focus)) == exact.solve(lambda state=state: scene.step(state))
    assert seen > 5
    assert last > 1


def test_whoever_is_hurt_but_can_use_all_limbs_declares_what_anybody_would():
    staged = staged_as("ore/duel", "attacker", 2)
    scene, state = staged.scene, staged.state
    small = scene.focus(state).small
    name = small.order[0]
    sound = state.fighter(name)
    hurt = replace(sound, body=replace(sound.body, shock=1), tripped=1)
    focus = scene.focus(state.put(hurt))
    assert focus.small == small
    after = focus.back(Player(Seeded(1), staged.decide).run(focus.play(focus.small)))
    assert after.fighter(name) == hurt
    assert [plan.who for plan in after.plans] == [name]


def test_there_is_no_focus_where_more_than_a_declaration_comes_next():
    staged = staged_as("ore/duel", "attacker")
    scene, state = staged.scene, staged.state
    assert scene.focus(state) is not None
    state = Player(Seeded(1), staged.decide).run(scene.step(state))
    assert scene.focus(state).rest is not None  # the last declaration: everything is made ready
    state = Player(Seeded(1), staged.decide).run(scene.step(state))
    assert state.phase == "roll"
    assert scene.focus(state) is None
    parley = staged_as("ore/firefight", "attacker")
    assert scene.focus(parley.state) is None
    rolled = staged_as("ore/duel", "attacker", settings={"random-initiative": True})
    assert rolled.scene.focus(rolled.state) is None
    mooks = library.stage("ore/alley")
    assert mooks.scene.focus(mooks.state) is None


@pytest.mark.slow
def test_drawn_declarations_and_played_fights_agree():
    staged = staged_as("ore/duel", "attacker", 2)
    assert is_local(staged.decide)
    asked = {"question": "losses", "rounds": staged.scenario.rounds, "tables": False, "confidence": 0.9999}
    drawn = sample(staged.scene, staged.state, staged.decide, 600, seed=5, **asked)
    played = sample(staged.scene, staged.state, lambda choice: staged.decide(choice), 400, seed=6, **asked)
    for side in drawn.sides:
        (low, high), (least, most) = drawn.sides[side].interval, played.sides[side].interval
        assert low < most
        assert least < high
