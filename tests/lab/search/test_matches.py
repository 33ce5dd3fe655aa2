"""Matches of those who think come out the same, end for end, on any number of processes."""

import pytest

from rulewright import library
from rulewright.lab.search import Level, play

MATCHES = {
    "scumm": ("scumm/duel", "north", 2),
    "silhouette": ("silhouette/duel", "master", 1),
    "hybrid": ("hybrid/knife-fight", "archer", 1),
    "ore": ("ore/duel", "crooks", 2),
    "foresight": ("foresight/gunslingers", "south", 2),
}


@pytest.mark.parametrize("game", [game if game == "scumm" else pytest.param(game, marks=pytest.mark.slow) for game in MATCHES])
def test_a_match_comes_out_the_same_on_one_two_and_three_workers(game: str) -> None:
    scenario, side, rounds = MATCHES[game]
    staged = library.stage(scenario)
    levels = dict.fromkeys(staged.scene.sides(staged.state)[side], Level("test", 8, None))

    def counts(workers: int, seed: int = 3) -> object:
        found = play(staged.scene, staged.state, staged.decide, staged.system.tactics, levels, 5, rounds=rounds, seed=seed, workers=workers)
        assert found.n == 5
        return found.counts

    alone = counts(1)
    assert counts(2) == alone
    assert counts(3) == alone
