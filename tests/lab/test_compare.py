"""Two scenes side by side: exact differences, the same luck, and how much that narrows them."""

from math import sqrt

import pytest

from rulewright.errors import UserError
from rulewright.lab import Variant, compare, solve
from rulewright.lab.examples.coins import Coins, Lives
from rulewright.play.intervals import z_of

from .lab_scenes import Bout, Parley, Pools, Talk

EVEN, AHEAD = Variant(Pools(), Bout((2, 2), (2, 2), rounds=30)), Variant(Pools(), Bout((3, 2), (2, 2), rounds=30))


def truth() -> float:
    even, ahead = (solve(variant.scene, variant.state).sides["left"].chance for variant in (EVEN, AHEAD))
    return ahead - even


def test_what_can_be_solved_is_compared_exactly() -> None:
    found = compare(EVEN, AHEAD)
    assert found.exact
    assert not found.paired
    difference = found.differences["left"]
    assert difference.chance == pytest.approx(truth())
    assert difference.interval[1] - difference.interval[0] < 1e-9
    assert found.public()["difference"]["left"]["chance"] == pytest.approx(truth())


def test_the_same_luck_agrees_with_the_exact_difference_and_is_known_better_than_two_apart() -> None:
    n = 4_000
    found = compare(EVEN, AHEAD, n, exact=False, seed=3)
    difference = found.differences["left"]
    low, high = difference.interval
    assert low < truth() < high
    apart = z_of(0.95) * sqrt(sum(side.chance * (1 - side.chance) / n for side in (found.first.sides["left"], found.second.sides["left"])))
    assert (high - low) / 2 < 0.8 * apart
    assert found.agreed is not None
    assert found.agreed > 0.7


def test_intervals_of_differences_hold_as_often_as_they_say() -> None:
    exact = truth()
    held = sum(
        low <= exact <= high
        for seed in range(40)
        for low, high in [compare(EVEN, AHEAD, 500, exact=False, seed=seed).differences["left"].interval]
    )
    assert held >= 33  # 95 % of 40 is 38; fewer than 33 would happen about once in a thousand


def test_a_scene_does_not_differ_from_itself() -> None:
    found = compare(EVEN, EVEN, 500, exact=False, seed=1)
    assert found.agreed == 1.0
    assert found.differences["left"].chance == 0.0
    assert found.draw.chance == 0.0


def test_the_result_is_the_same_on_any_number_of_workers_and_can_stop_early() -> None:
    one, two = (compare(EVEN, AHEAD, 2_500, exact=False, seed=9, workers=workers) for workers in (1, 2))
    assert one == two
    precise = compare(EVEN, AHEAD, 100_000, exact=False, seed=9, precision=0.03)
    assert precise.first.n < 100_000  # type: ignore[union-attr]
    assert all(chance.interval[1] - chance.interval[0] <= 0.06 for chance in precise.differences.values())
    told: list[int] = []

    def stop(progress: object) -> bool:
        told.append(1)
        return False

    stopped = compare(EVEN, AHEAD, 1_000_000, exact=False, seed=9, progress=stop)
    assert told
    assert stopped.first.interrupted


def test_time_runs_out_in_both() -> None:
    endless = Variant(Coins(), Lives(50, 50), rounds=3)
    found = compare(endless, endless, 50, exact=False, seed=1)
    assert found.first.draw.chance == 1.0
    assert found.first.rounds.chance == {3: 1.0}


def test_other_sides_are_no_comparison() -> None:
    with pytest.raises(UserError, match="both scenes need the same sides"):
        compare(EVEN, Variant(Parley(), Talk()))
    with pytest.raises(UserError, match="at least 1 fight"):
        compare(EVEN, AHEAD, 0)


def test_a_long_seed_gives_every_fight_its_own_luck() -> None:
    found = compare(EVEN, AHEAD, 60, exact=False, seed=10**99)
    assert 0 < found.first.sides["left"].chance < 1


def test_a_precision_alone_says_how_many_pairs_are_played() -> None:
    found = compare(EVEN, AHEAD, exact=False, seed=9, precision=0.04)
    assert all(chance.interval[1] - chance.interval[0] <= 0.08 for chance in (*found.differences.values(), found.draw))
