"""Exact dice odds, compared with icepool, the best general library for them.

Neither side may use a cache. We call `weights()`, which has none (`weights_of` has one). icepool caches in its evaluators, dice and
pools, so every repeat creates new ones and clears the cache of pools. icepool gets the fastest of several formulations that were tried.
Both take turns and are measured in processor time, so that a busy machine affects both. The results are compared before timing.
"""

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from time import process_time
from typing import Any

import icepool  # type: ignore[import-untyped]

from rulewright.dice import BestSet, HighestDie, Sets
from rulewright.dice.reading import count_every_roll
from rulewright.systems.ore.resolution.tests import Pool, reading, special_dice
from rulewright.systems.ore.settings import BOOK

REPEATS = 9


class AllSets(icepool.MultisetEvaluator):  # type: ignore[misc]
    """All (width, height) pairs with a width of at least two, packed into one number for speed."""

    def next_state(self, state: Any, order: icepool.Order, outcome: int, /, *counts: int) -> Any:
        return (state or 0) + (counts[0] << 4 * outcome if counts[0] > 1 else 0)

    def final_outcome(self, final_state: Any, *_: Any, **__: Any) -> Any:
        widths = ((final_state >> 4 * height & 15, height) for height in range(1, 11))
        return tuple(sorted((pair for pair in widths if pair[0]), reverse=True))


class WidestSet(icepool.MultisetEvaluator):  # type: ignore[misc]
    """The widest set, the highest of equal width, or (0, 0) without a set."""

    def next_state(self, state: Any, order: icepool.Order, outcome: int, /, *counts: int) -> Any:
        state = state or (0, 0)
        return max(state, (counts[0], outcome)) if counts[0] > 1 else state


def highest_pool() -> dict[str, Any]:
    """Ten d6: the highest and its extra sixes. Fast form for icepool: sixes as a binomial, the rest as a highest d5."""

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


def special_dice_pool() -> dict[str, Any]:
    """Ten dice with an Expert and a Master Die, compared with ten plain dice, both ours: at most twice the time.

    A smaller pool of the same kind is first checked against all rolls.
    """
    rules = BOOK.ruleset()
    plain, special, small = (reading(rules, pool) for pool in (Pool(10), Pool(8, 1, 1), Pool(4, 1, 1)))
    if plain is None or special is None or small is None:
        raise AssertionError("a pool without dice")
    if special_dice(rules, 1, 1).lent[-1] != 2 or dict(small.weights()) != count_every_roll(small):
        raise AssertionError("Special Dice: the weights differ from those of all rolls")
    return _row(
        "widest set of ten d10, an Expert and a Master Die among them",
        special.weights,
        plain.weights,
        lambda ours, peer: sum(ours.values()) == 10**8 and sum(peer.values()) == 10**10,
        floor=0.5,
        calls=20,
        peer="ten plain d10",
        peer_calls=20,
    )


def rows() -> Iterator[dict[str, Any]]:
    """All benchmarks of this module."""
    yield highest_pool()
    yield all_sets()
    yield best_set()
    yield special_dice_pool()


def _row(
    name: str,
    ours: Callable[[], Mapping[Any, int]],
    theirs: Callable[[], Mapping[Any, int]],
    same: Callable[[Mapping[Any, int], Mapping[Any, int]], bool],
    floor: float,
    calls: int = 1,
    peer: str = "icepool",
    peer_calls: int = 1,
) -> dict[str, Any]:
    if not same(ours(), theirs()):
        raise AssertionError(f"{name}: the two sides disagree")
    our_times, their_times = [], []
    for _ in range(REPEATS):
        our_times.append(_seconds(ours, calls))
        icepool.Pool.clear_cache()
        their_times.append(_seconds(theirs, peer_calls))
    mine, peers = median(our_times), median(their_times)
    return {"name": name, "ours": mine, "peer": peer, "theirs": peers, "ratio": peers / mine, "floor": floor}


def _seconds(compute: Callable[[], object], calls: int) -> float:
    started = process_time()
    for _ in range(calls):
        compute()
    return (process_time() - started) / calls
