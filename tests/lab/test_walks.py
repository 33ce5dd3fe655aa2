"""Fights walked turn by turn come to the same as the same fights stepped, whatever the walk remembers."""

from collections import Counter
from typing import Any

import pytest

from rulewright.lab import solve
from rulewright.lab.results import End
from rulewright.lab.sampling.batches import Stepping
from rulewright.lab.sampling.processes import in_order
from rulewright.library import stage, take

pytestmark = pytest.mark.slow

stats = pytest.importorskip("scipy.stats")

NEVER = 1e-5
"""How unlikely a difference may be before two ways to play are held to differ."""

WALKED = {
    "scumm/duel": (3_000, 1_000),
    "silhouette/duel": (1_500, 400),
    "foresight/gunslingers": (300, 120),
    "hybrid/knife-fight": (60, 40),
    "ore/duel": (800, 150),
}
"""Duels, and how many fights of their people are walked and stepped in `make thorough`."""
SHARES = (0.3, pytest.param(1.0, marks=pytest.mark.thorough))
"""The share of these fights: what is wrong by much shows in fewer of them."""


def crowd(duel: str, left: int, right: int, **state: Any) -> Any:
    """A duel's people, so many on each side."""
    sides = {}
    for (side, members), count in zip(take(duel, "scenario").thing.sides.items(), (left, right), strict=True):
        one = members[0]
        sides[side] = [{"character": one.character, "tactic": one.tactic, "state": {**one.state, **state}, "count": count}]
    return stage(duel, changes={"sides": sides})


def stepping(staged: Any, seed: int, fights: int, rounds: int | None = None) -> Stepping:
    """What plays batches of so many fights and learns from one first."""
    made = Stepping(staged.scene, staged.state, staged.decide, "losses", seed, 10**9, rounds or staged.scenario.rounds, 10_000)
    made.size = fights
    return made


def alike(one: Counter[End], other: Counter[End]) -> bool:
    """Whether two counts may come from the same chances (chi-squared, rare ends taken together)."""
    often = [end for end in one | other if one[end] + other[end] >= 20]
    rows = [[counts[end] for end in often] + [sum(counts.values()) - sum(counts[end] for end in often)] for counts in (one, other)]
    if not rows[0][-1] + rows[1][-1]:
        rows = [row[:-1] for row in rows]
    return float(stats.chi2_contingency(rows).pvalue) > NEVER


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("duel", WALKED)
def test_walked_fights_end_as_stepped_ones_do(duel: str, share: float) -> None:
    staged = crowd(duel, 2, 3)
    walked, stepped = [stepping(staged, seed, round(share * fights)) for seed, fights in enumerate(WALKED[duel], 1)]
    assert walked.walk is not None
    stepped.walk = None
    stepped.step = stepped._step
    stepped.learns = False
    assert alike(Counter(walked(0)[0]), Counter(stepped(0)[0]))


@pytest.mark.parametrize("duel", WALKED)
def test_a_walk_gives_the_same_fights_whatever_it_remembers(duel: str) -> None:
    staged = crowd(duel, 3, 2)
    one, other = stepping(staged, 3, 8), stepping(staged, 3, 8)
    both = [one(number) for number in (0, 1)]
    assert other(1) == both[1]  # without having done the first
    assert one(1) == both[1]  # having done it before


@pytest.mark.parametrize("duel", WALKED)
def test_a_walk_begins_no_round_after_the_last(duel: str) -> None:
    staged = crowd(duel, 3, 3)
    for rounds in (1, 2):
        made = stepping(staged, 4, 20, rounds)
        ends = made(0)[0]
        assert max(end.round for end in ends) <= rounds
        assert any(end.winner is None and end.round == rounds for end in ends)


class AllGames:
    """Two batches of a few fights of every game, in whatever process."""

    def __init__(self, made: list[Stepping]) -> None:
        self.made = made

    def __call__(self, number: int) -> Any:
        playing = self.made[number // 2]
        playing.size = 4
        return playing(number % 2)


def test_two_workers_play_the_same_fights_as_one_in_every_game() -> None:
    one, two = [AllGames([stepping(crowd(duel, 2, 2), 5, 4) for duel in WALKED]) for _ in range(2)]
    numbers = range(2 * len(WALKED))
    assert list(in_order(two, len(numbers), 2)) == [one(number) for number in numbers]


BOUNDED = {"scumm/duel": 1_000, "silhouette/duel": 1_000, "foresight/gunslingers": 1_000, "ore/duel": 1_500}
"""Duels of which much is settled by so many states: as many as take some seconds. A second of Hybrid's knives has too many of them: its
walk is held to the very dice in tests/hybrid/lab_view."""


@pytest.mark.parametrize("duel", BOUNDED)
def test_walked_fights_come_to_what_exact_solving_leaves_open(duel: str) -> None:
    staged, rounds, fights = stage(duel), 2, 600
    solved = solve(staged.scene, staged.state, staged.decide, question="losses", rounds=rounds, states=BOUNDED[duel])
    walked = stepping(staged, 6, fights, rounds)
    wins: Counter[str | None] = Counter()
    for end, count in walked(0)[0].items():
        wins[end.winner] += count
    for side, chance in solved.sides.items():
        low, high = chance.interval
        nearest = min(max(wins[side] / fights, low), high)
        assert high - low < 0.6, side
        assert stats.binomtest(wins[side], fights, nearest).pvalue > NEVER, side
