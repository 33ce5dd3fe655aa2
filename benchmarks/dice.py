"""Exact dice odds, ours against icepool, the best general library for them.

Both sides compute from nothing every time. We call `weights()`, which remembers nothing (`weights_of` is what remembers).
icepool remembers in its evaluators, its dice and its pools, so every repeat makes new ones and clears the cache of pools.
icepool gets the fastest formulation of several that were tried, not the most obvious one. The two sides take turns, and the
processor's time is taken rather than the clock's, so that a busy machine disturbs both alike. Before anything is timed the
two results are compared: a fast wrong answer does not count.
"""

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from time import process_time
from typing import Any

import icepool  # type: ignore[import-untyped]

from rulewright.dice import BestSet, HighestDie, Sets

REPEATS = 9


class AllSets(icepool.MultisetEvaluator):  # type: ignore[misc]
    """Every (width, height) of a width of two or more; held as one number until the end, which is faster than a tuple."""

    def next_state(self, state: Any, order: icepool.Order, outcome: int, /, *counts: int) -> Any:
        return (state or 0) + (counts[0] << 4 * outcome if counts[0] > 1 else 0)

    def final_outcome(self, final_state: Any, *_: Any, **__: Any) -> Any:
        widths = ((final_state >> 4 * height & 15, height) for height in range(1, 11))
        return tuple(sorted((one for one in widths if one[0]), reverse=True))


class WidestSet(icepool.MultisetEvaluator):  # type: ignore[misc]
    """The widest set and of these the highest, or loose dice as (0, 0)."""

    def next_state(self, state: Any, order: icepool.Order, outcome: int, /, *counts: int) -> Any:
        state = state or (0, 0)
        return max(state, (counts[0], outcome)) if counts[0] > 1 else state


def highest_pool() -> dict[str, Any]:
    """Ten d6, the highest and its extra sixes. icepool is helped along: sixes counted as a binomial, the rest as a highest d5."""

    def theirs() -> Mapping[Any, int]:
        sixes: Any = 10 @ icepool.Die({0: 5, 1: 1})
        others = icepool.d(5).highest(10)
        return sixes.map(lambda count: 5 + count if count else others)  # type: ignore[no-any-return]

    def same(ours: Mapping[Any, int], peer: Mapping[Any, int]) -> bool:
        return {total.total: rolls for total, rolls in ours.items()} == dict(peer)

    return _row("highest of ten d6", HighestDie(10).weights, theirs, same, floor=50, calls=200)


def all_sets() -> dict[str, Any]:
    """Every set of ten d10: 8,953 outcomes."""
    return _row(
        "all sets of ten d10",
        Sets(10).weights,
        lambda: AllSets().evaluate(icepool.d(10).pool(10)),
        lambda ours, peer: ours == dict(peer),
        floor=5,
    )


def best_set() -> dict[str, Any]:
    """The widest set of fifteen d10."""
    return _row(
        "best set of fifteen d10",
        BestSet(15).weights,
        lambda: WidestSet().evaluate(icepool.d(10).pool(15)),
        lambda ours, peer: {best or (0, 0): rolls for best, rolls in ours.items()} == dict(peer),
        floor=5,
        calls=5,
    )


def rows() -> Iterator[dict[str, Any]]:
    """All comparisons, one row each."""
    yield highest_pool()
    yield all_sets()
    yield best_set()


def _row(
    name: str,
    ours: Callable[[], Mapping[Any, int]],
    theirs: Callable[[], Mapping[Any, int]],
    same: Callable[[Mapping[Any, int], Mapping[Any, int]], bool],
    floor: float,
    calls: int = 1,
) -> dict[str, Any]:
    if not same(ours(), theirs()):
        raise AssertionError(f"{name}: the two sides disagree")
    our_times, their_times = [], []
    for _ in range(REPEATS):
        our_times.append(_seconds(ours, calls))
        icepool.Pool.clear_cache()
        their_times.append(_seconds(theirs, 1))
    mine, peers = median(our_times), median(their_times)
    return {"name": name, "ours": mine, "peer": "icepool", "theirs": peers, "ratio": peers / mine, "floor": floor}


def _seconds(compute: Callable[[], object], calls: int) -> float:
    started = process_time()
    for _ in range(calls):
        compute()
    return (process_time() - started) / calls
