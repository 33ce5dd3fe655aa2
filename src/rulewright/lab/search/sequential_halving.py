"""Sequential halving with the same luck for all: who falls behind is dropped, what is saved goes to the others."""

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt

from msgspec import Struct

LIKELY = 0.7
"""How many standard errors ahead somebody must be to be looked at once more. The best of many looks better than it is: the luck that made
it the best is in what it came to."""
HOLDS = 0.5
"""How many standard errors ahead they must be again, with luck that had no part in choosing them.

Both figures are the ones chosen of fifteen rules tried on made-up questions. Where seven others are all a little worse than the usual
answer, luck is followed 8 to 13 times in a hundred and not 18 to 28; that takes a third to a half more playouts. Where some are better,
as much is found as by one look without those playouts, and less than by one look with them.
"""
SURE = 1.3
"""How many standard errors count where there is no time for a second look: luck alone is so good one time in ten."""
FEWEST = 8
"""Fewer playouts prove nothing."""


class OutOfTime(Exception):
    """The time that was told is over."""


class Tried(Struct):
    """What playing on from one candidate came to, by the number of the playout."""

    values: list[float]

    @property
    def mean(self) -> float:
        """What it is worth, as far as is known."""
        return sum(self.values) / len(self.values) if self.values else 0.0


def halve(candidates: int, budget: int, value: Callable[[int, int], float], to_the_end: bool = False) -> tuple[list[Tried], list[int]]:
    """Play on from every candidate, `budget` times in all; `value(candidate, number)` is what playout `number` comes to.

    The first candidate is what would be done anyway and is never dropped. Where after a round nobody may still be ahead of it there is
    nothing to leave it for, and the rest of the budget is spared, unless all are to be known `to_the_end`. Gives what each came to, and
    who was left in the end; these have been played with the same luck, number by number. When the time is out, what is known so far is
    given.
    """
    tried = [Tried([]) for _ in range(candidates)]
    left = list(range(candidates))
    rounds = max(2, ceil(log2(max(2, candidates))))
    spent = 0
    try:
        for turn in range(rounds):
            more = max(1, (budget - spent) // (rounds - turn) // len(left))
            if spent + len(left) > budget and turn:
                break
            begin = len(tried[left[0]].values)
            for number in range(begin, begin + more):
                for at in left:
                    tried[at].values.append(value(at, number))
                    spent += 1
            if not to_the_end and _settled(tried, left):
                break
            if turn + 1 < rounds:
                left = _better_half(tried, left)
    except OutOfTime:
        pass
    left = [at for at in left if tried[at].values] or left[:1]  # who was not reached in time is not known to be anything
    alike = min([len(tried[at].values) for at in left])
    for at in left:
        del tried[at].values[alike:]
    return tried, left


def holds(tried: Sequence[Tried], best: int, budget: int, value: Callable[[int, int], float]) -> bool:
    """Whether somebody who is ahead of the first candidate stays ahead with other luck: both play on, `budget` times in all."""
    mine, first = tried[best].values, tried[0].values
    ahead, error = gain(tried[best], tried[0])
    begin = len(first)
    if begin < FEWEST or ahead <= LIKELY * error:
        return False
    try:
        for number in range(begin, begin + budget // 2):
            both = value(0, number), value(best, number)
            first.append(both[0])
            mine.append(both[1])
    except OutOfTime:
        pass
    if len(first) - begin < FEWEST:
        return beyond_error(tried[best], tried[0])
    again, error = gain(Tried(mine[begin:]), Tried(first[begin:]))
    return again > HOLDS * error


def _settled(tried: Sequence[Tried], left: list[int]) -> bool:
    """Whether nobody is ahead of the first candidate, not even by their standard error more than they are."""
    first = tried[left[0]]
    return len(first.values) >= FEWEST and all(sum(_mean_and_error(tried[at], first)) <= 0 for at in left[1:])


def _better_half(tried: Sequence[Tried], left: list[int]) -> list[int]:
    """Those who did best, and the first candidate; in their order."""
    ranked = sorted(left, key=lambda at: (-tried[at].mean, at))
    kept = set(ranked[: max(2, ceil(len(left) / 2))]) | {left[0]}
    return [at for at in left if at in kept]


def gain(tried: Tried, other: Tried) -> tuple[float, float]:
    """How much better one did than another with the same luck, and the standard error of that."""
    n = min(len(tried.values), len(other.values))
    if n < 2:
        return 0.0, 1.0
    mean, error = _mean_and_error(tried, other)
    return mean, max(error, 0.5 / n)


def _mean_and_error(tried: Tried, other: Tried) -> tuple[float, float]:
    differences = [mine - theirs for mine, theirs in zip(tried.values, other.values, strict=False)]
    n = len(differences)
    mean = sum(differences) / n
    return mean, sqrt(sum((difference - mean) ** 2 for difference in differences) / (n - 1) / n)


def beyond_error(tried: Tried, other: Tried) -> bool:
    """Whether one did better than another by more than luck explains."""
    mean, error = gain(tried, other)
    return len(other.values) >= FEWEST and mean > SURE * error
