"""Battles in the lab: what is drawn from odds comes out as what is played, and levelling changes nothing that counts."""

import pytest

from rulewright import library
from rulewright.lab.sample import sample
from rulewright.play import Player, Seeded
from rulewright.scenes.scene import Focus, run
from rulewright.systems.silhouette.lab_view.battles import BattleScene
from silhouette.battles import RULES, battle, unit, vehicle


@pytest.fixture(scope="module")
def duel():
    return library.stage("silhouette/scenarios/gun-duel")


def test_sampled_battles_end_as_played_ones_do(duel):
    first = next(iter(duel.scenario.sides))
    won = 0
    for seed in range(150):
        last = Player(Seeded(seed), duel.decide).run(run(duel.scene, duel.state, 2_000))
        won += duel.scene.result(last).winner == first
    sampled = sample(duel.scene, duel.state, duel.decide, 400, seed=3, rounds=duel.scenario.rounds, tables=False)
    assert abs(sampled.sides[first].chance - won / 150) < 0.15
    again = sample(duel.scene, duel.state, duel.decide, 400, seed=3, rounds=duel.scenario.rounds, tables=False)
    assert again.counts == sampled.counts


def test_a_step_seen_by_itself_and_put_back_is_the_step(duel):
    scene, state = duel.scene, duel.state
    for seed in range(12):
        focus = scene.focus(state)
        played = Player(Seeded(seed), duel.decide).run(scene.step(state))
        if isinstance(focus, Focus):
            small = Player(Seeded(seed), duel.decide).run(focus.play(focus.small))
            assert focus.back(small) == played
        state = played
        if scene.result(state) is not None:
            break


def test_many_units_are_not_remembered_as_a_whole():
    scene = BattleScene(RULES)
    assert scene.focus(battle(*[unit(f"U{n}", "red" if n % 2 else "blue", (n + 1, n + 1), design=vehicle()) for n in range(8)])) is None
