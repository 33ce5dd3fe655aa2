"""Battles in the lab: what is drawn from odds comes out as what is played, and levelling changes nothing that counts."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.lab.sampling.sample import sample
from rulewright.play import Player, Seeded
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.lab_view.battles import BattleScene
from silhouette.battles import RULES, battle, unit


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


def test_what_is_out_of_the_fight_is_levelled_and_nothing_else(duel):
    scene = BattleScene(RULES)
    one, two = unit("One"), unit("Two", "blue", (5, 1))
    wreck = replace(two, wear=replace(two.wear, destroyed="overkill", armor=3, maneuver=2))
    fresh = battle(one, two, round=7)
    assert scene.lens(fresh, "all") == fresh
    assert scene.lens(fresh, "win") == replace(fresh, round=1)
    seen = scene.lens(battle(one, wreck, round=7), "win")
    assert seen.unit("One") == one
    assert (seen.unit("Two").able, seen.unit("Two").wear.armor) == (False, 0)
    assert scene.lens(seen, "win") == seen
