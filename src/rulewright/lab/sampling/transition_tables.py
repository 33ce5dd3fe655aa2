"""Transition tables: fights are random walks through the explored states of a chain.

Every state has an alias table of its links, so that one random number and two lookups decide a step. Random numbers are a function of the
number of the fight and of its step (SplitMix64). A walk is therefore the same, bit for bit, in numpy and in numba, on any number of
threads.
"""

from importlib.util import find_spec
from typing import Any

import numpy as np

from rulewright.lab.results import End, lost_by
from rulewright.lab.solver.state_graph import Chain, as_arrays

BATCH = 1 << 17
"""Fights in a batch, which determines the memory of a walk."""

GAMMA = 0x9E3779B97F4A7C15
"""The increment of SplitMix64."""

WORTH_COMPILING = 2_000_000
"""From this many fights on, numba saves more time than its import takes."""


class Walks:
    """The tables of a chain. If the chain is incomplete, fights leave the tables at its edge.

    It contains only plain data, so that it can be sent to other processes.
    """

    def __init__(self, chain: Chain[Any], limit: int | None, steps: int) -> None:
        self.start = chain.start
        self.begins = chain.begins
        self.fates = list(chain.fates)
        self.limit = limit if limit is not None else np.iinfo(np.int32).max - 1
        self.steps = steps
        size = len(chain.states)
        origin, targets, rounds, chances = as_arrays(chain)
        whole = (np.frombuffer(chain.loose, np.float64) if size else np.zeros(0))[origin] == 0
        origin, targets, rounds, chances = origin[whole], targets[whole], rounds[whole], chances[whole]
        counts = np.bincount(origin, minlength=size)
        first = np.cumsum(counts) - counts
        keep, other = _alias(first, counts, chances)
        self.tables = (first.astype(np.int64), counts.astype(np.int64), keep, other, targets.astype(np.int32), rounds.astype(np.int32))
        self.edge = {int(number): chain.states[number] for number in np.flatnonzero(counts == 0)}
        """The states without a table, by number."""
        lost = lost_by(chain.scene, chain.question, chain.sides)
        self.lost = [lost(state) for state in chain.states] if limit is not None else []
        self.compiled = False

    def compile(self) -> bool:
        """Compile the walk with numba, if it is installed."""
        self.compiled = find_spec("numba") is not None
        return self.compiled

    def batch(self, seed: int, fights: int) -> "tuple[dict[End, int], int, dict[tuple[int, int], int]]":
        """The count of each end; the number of fights that did not end; the count of each state and round where fights left the tables."""
        if self.start < 0:
            return {End.of(self.fates[-1 - self.start], self.begins): fights}, 0, {}
        if self.start in self.edge:
            return {}, 0, {(self.start, self.begins): fights}
        walk: Any = _walk
        if self.compiled:
            from rulewright.lab.sampling.compiled_walk import walk
        ended, rounds = walk(*self.tables, self.start, self.begins, self.limit, self.steps, np.uint64(seed), fights)
        number_by_end: dict[End, int] = {}
        left: dict[tuple[int, int], int] = {}
        cut = 0
        for target, at, count in _tally(ended, rounds, len(self.fates), self.begins):
            if target < 0 or at > self.limit:
                end = End.of(self.fates[-1 - target], at) if target < 0 else End(None, self.lost[target], self.limit)
                number_by_end[end] = number_by_end.get(end, 0) + count
            elif target in self.edge:
                left[target, at] = count
            else:
                cut += count
        return number_by_end, cut, left


def _tally(ended: Any, rounds: Any, fates: int, begins: int) -> list[tuple[int, int, int]]:
    """Count the pairs of target and round."""
    width = int(ended.max()) + 1 + fates
    codes = (rounds.astype(np.int64) - begins) * width + (ended + fates)
    if int(codes.max()) < 4 * len(codes):
        counts = np.bincount(codes)
        ndarray = np.flatnonzero(counts)
        counts = counts[ndarray]
    else:
        ndarray, counts = np.unique(codes, return_counts=True)
    at, target = np.divmod(ndarray, width)
    return list(zip((target - fates).tolist(), (at + begins).tolist(), counts.tolist(), strict=True))


def _alias(first: Any, counts: Any, chances: Any) -> tuple[Any, Any]:
    """Vose's alias tables, one for each row: the chance to stay in a column, and the alias."""
    keep = np.ones(len(chances))
    other = np.arange(len(chances), dtype=np.int64)
    for start, count in zip(first.tolist(), counts.tolist(), strict=True):
        if not count:
            continue
        row = chances[start : start + count]
        scaled = (row * (count / row.sum())).tolist()
        small = [at for at, share in enumerate(scaled) if share < 1]
        large = [at for at, share in enumerate(scaled) if share >= 1]
        while small and large:
            less, more = small.pop(), large[-1]
            keep[start + less], other[start + less] = scaled[less], start + more
            scaled[more] -= 1 - scaled[less]
            if scaled[more] < 1:
                small.append(large.pop())
    return keep, other


def _mixed(z: Any) -> Any:
    """The finalizer of SplitMix64: 64 random bits from a counter."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _walk(
    first: Any,
    counts: Any,
    keep: Any,
    other: Any,
    targets: Any,
    advance: Any,
    start: int,
    begins: int,
    limit: int,
    steps: int,
    seed: Any,
    fights: int,
) -> tuple[Any, Any]:
    """Walk this many fights; returns the target of each (a fate below 0, or a state) and its round."""
    gamma = np.uint64(GAMMA)
    stream = _mixed(seed + np.arange(1, fights + 1, dtype=np.uint64) * gamma)
    at = np.full(fights, start, np.int64)
    rounds = np.full(fights, begins, np.int32)
    ended, ended_rounds = [], []
    for _ in range(steps):
        stream = stream + gamma
        drawn = (_mixed(stream) >> np.uint64(11)).astype(np.float64) * 2.0**-53 * counts[at]
        column = drawn.astype(np.int64)
        place = first[at] + column
        place = np.where(drawn - column < keep[place], place, other[place])
        after = targets[place]
        rounds = rounds + advance[place]
        going = (after >= 0) & (rounds <= limit) & (counts[np.maximum(after, 0)] > 0)
        if not going.all():
            ended.append(after[~going])
            ended_rounds.append(rounds[~going])
            after, rounds, stream = after[going], rounds[going], stream[going]
            if not after.size:
                break
        at = after.astype(np.int64)
    else:
        ended.append(at.astype(np.int32))
        ended_rounds.append(rounds)
    return np.concatenate(ended), np.concatenate(ended_rounds)
