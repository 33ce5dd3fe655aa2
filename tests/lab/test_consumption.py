"""What is counted in the end beside losses: solved, sampled, and aimed at."""

import pytest

from rulewright import library
from rulewright.errors import UserError
from rulewright.lab import best, sample, solve
from rulewright.lab.examples.coins import Coins, Lives

from .lab_scenes import Butts, Quiver


@pytest.mark.slow
def test_what_is_left_is_solved_and_sampled_alike() -> None:
    """One arrow a round and one wound to make: the first of three hits with 1/2, the second with 1/4, the third with 1/8."""
    solved = solve(Butts(), Quiver(3, 1), question="all")
    arrows = solved.tallies["left"]["arrows"]
    assert arrows.chance == pytest.approx({0: 1 / 8 + 1 / 8, 1: 1 / 4, 2: 1 / 2})
    assert arrows.mean == pytest.approx(1.25)
    assert solved.tallies["right"]["wounds left"].chance == pytest.approx({0: 7 / 8, 1: 1 / 8})
    for tables in (True, False):
        sampled = sample(Butts(), Quiver(3, 1), n=3_000, question="all", seed=4, tables=tables, confidence=0.9999)
        assert sampled.tallies["left"]["arrows"].interval is not None
        low, high = sampled.tallies["left"]["arrows"].interval
        assert low < 1.25 < high
        assert sampled.public()["tallies"]["left"]["arrows"]["mean"] == sampled.tallies["left"]["arrows"].mean
    assert solve(Butts(), Quiver(3, 1), question="losses").tallies == {}
    assert "tallies" not in solve(Coins(), Lives(1, 1), question="all").public()


def test_whoever_spares_arrows_shoots_one_at_a_time_and_whoever_only_wins_need_not() -> None:
    found = best(Butts(), Quiver(3, 1), side="left", aim="spare")
    assert found.advice[0].options[0].key == "one"
    assert found.value[0] == pytest.approx(1 / 2 * 2 / 3 + 1 / 4 * 1 / 3)
    wins = best(Butts(), Quiver(3, 1), side="left", aim="win")
    assert wins.value[0] == pytest.approx(7 / 8)
    assert {round(option.worth[0], 6) for option in wins.advice[0].options} == {0.875}


def test_where_nothing_is_counted_nothing_can_be_spared() -> None:
    with pytest.raises(UserError, match="left has none that are counted"):
        best(Coins(), Lives(1, 1), side="left", aim="spare")
    with pytest.raises(UserError, match="right has none that are counted"):
        best(Butts(), Quiver(3, 1), side="right", aim="spare")


def test_a_game_counts_wounds_and_ammunition() -> None:
    staged = library.stage("scumm/duel", changes={"tactics": {"north": "shooter", "south": "shooter"}})
    sampled = sample(staged.scene, staged.state, staged.decide, 200, question="all", seed=1, tables=False)
    for side in ("north", "south"):
        assert set(sampled.tallies[side]) == {"wounds", "ammunition", "Emergency Dice"}
        assert 9 < sampled.tallies[side]["ammunition"].mean < 12
        assert sampled.tallies[side]["wounds"].mean > 0.3
