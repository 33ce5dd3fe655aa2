"""A decision by itself comes to the same, with the same odds, as the decision in the whole fight."""

import pytest
from msgspec.structs import replace

from rulewright import shelf
from rulewright.lab import sample
from rulewright.odds import Exact
from rulewright.play import Player, Seeded, is_local
from rulewright.systems.hybrid.injury import SHOCK, UNCONSCIOUS
from rulewright.systems.hybrid.scene import TACTICS


def knives(tactic="fencer", count=2, **changes):
    """The knife fight with so many on each side."""
    sides = {
        side: [{"character": one.character, "name": one.name, "tactic": tactic, "state": one.state, "count": count} for one in members]
        for side, members in shelf.take("hybrid/knife-fight", "scenario").thing.sides.items()
    }
    return shelf.stage("hybrid/knife-fight", changes={"sides": sides, **changes})


def fought(staged, seed, steps):
    """The states that a fight comes to."""
    player, state = Player(Seeded(seed), staged.decide), staged.state
    for _ in range(steps):
        if staged.scene.result(state) is not None:
            return
        yield state
        state = player.run(staged.scene.step(state))


def decided(scene, state, count):
    """The whole fight until the clock has come to this count and whoever is due on it has decided."""
    while state.count < count:
        state = yield from scene.step(state)
    return (yield from scene.step(state))


@pytest.mark.parametrize("tactic", ["fencer", "reckless", "marksman"])
@pytest.mark.parametrize("settings", [{}, {"initiative-ties": "higher speed first"}], ids=str)
def test_the_odds_of_a_decision_are_those_of_the_whole_fight(tactic, settings):
    staged = knives(tactic, 3, settings=settings)
    scene, exact = staged.scene, Exact(staged.decide)
    now = later = 0
    for seed in range(2):
        for state in fought(staged, seed, 250):
            focus = scene.focus(state)
            if focus is not None:
                count = min(one.at for one in state.fighters if one.body.awake)
                now += count <= state.count
                later += count > state.count
                alone = exact.solve(lambda focus=focus: focus.play(focus.small))
                whole = exact.solve(lambda state=state, count=count: decided(scene, state, count))
                assert alone.map(focus.back) == whole
    assert now > 5
    assert later > 5


def facing():
    """A fight of two against two in which one of them is to decide on this count, with the one who is."""
    staged = knives()
    for state in fought(staged, 1, 100):
        due = [one for one in state.fighters if one.at == state.count]
        if len(due) == 1 and staged.scene.focus(state) is not None:
            return staged, state, due[0]
    raise AssertionError("nobody came to decide")


@pytest.mark.parametrize(
    "changes",
    [
        {"body": {"shock": "stunned"}},
        {"body": {"pbd": 3, "bleeding": (4, 11)}},
        {"body": {"prone": True}},
        {"off_balance": -4, "late": 3, "points": 5, "inside": ("Ilvane 1",), "fooled_by": "Ilvane 2", "ward": 2, "ward_ends": 9_000},
        {"evading": True, "retreating": True, "all_out": "body", "aware": False},
    ],
    ids=str,
)
def test_it_is_so_for_whoever_is_hurt_or_hindered(changes):
    staged, state, me = facing()
    scene, exact = staged.scene, Exact(staged.decide)
    changes = dict(changes)
    body = changes.pop("body", {})
    if "shock" in body:
        body = {"shock": next(row.effect for row in SHOCK(scene.rules).values() if row.effect != UNCONSCIOUS)}
    state = state.having(replace(me, body=replace(me.body, **body), **changes))
    focus = scene.focus(state)
    alone = exact.solve(lambda: focus.play(focus.small))
    assert alone.map(focus.back) == exact.solve(lambda: scene.step(state))
    if "shock" in body or "off_balance" in changes:
        assert len(alone.weights) == 2


def test_there_is_no_focus_where_more_than_a_blow_may_be_begun():
    staged, state, me = facing()
    scene = staged.scene
    foes = [one for one in state.fighters if one.side != me.side]
    fists = next(place for place, arm in enumerate(me.profile.arms) if arm.name == "fist")
    assert scene.focus(state) is not None
    for changes in ({"bound_with": foes[0].name}, {"in_hand": fists}, {"x": 90.0}, {"holding": foes[0].name, "hold": 1}):
        assert scene.focus(state.having(replace(me, **changes))) is None
    waiting = [replace(one, waiting=one.side != me.side) for one in state.fighters]
    assert scene.focus(replace(state, fighters=tuple(waiting))) is None
    assert scene.focus(replace(state, fighters=tuple([replace(one, at=me.at) for one in state.fighters]))) is None
    assert scene.focus(staged.state) is None  # nobody has entered
    timed = knives(settings={"shock-ends": "2d6+45 counts"})
    assert timed.scene.focus(state) is None


def test_the_clock_moves_on_only_within_a_second_and_while_nothing_bleeds():
    staged, state, me = facing()
    scene, start = staged.scene, 200

    def due_at(count, bleeding=()):
        people = [replace(one, at=start + 50, body=replace(one.body, bleeding=())) for one in state.fighters]
        moved = replace(state, fighters=tuple(people), count=start)
        return scene.focus(moved.having(replace(me, at=count, body=replace(me.body, bleeding=bleeding))))

    assert due_at(start + 9) is not None
    assert due_at(start + 10) is None
    assert due_at(start + 9, (5,)) is None
    assert due_at(start + 4, (5,)) is not None


def test_only_tactics_that_look_at_no_more_are_local():
    assert {name for name, tactic in TACTICS.items() if is_local(tactic)} == {"fencer", "reckless", "marksman"}


def test_drawn_decisions_and_played_fights_agree():
    staged = knives(count=1)
    assert is_local(staged.decide)
    asked = {"question": "losses", "rounds": staged.scenario.rounds, "tables": False, "confidence": 0.9999}
    drawn = sample(staged.scene, staged.state, staged.decide, 50, seed=5, **asked)
    played = sample(staged.scene, staged.state, lambda choice: staged.decide(choice), 40, seed=6, **asked)
    for side in drawn.sides:
        (low, high), (least, most) = drawn.sides[side].interval, played.sides[side].interval
        assert low < most
        assert least < high
