"""Accumulates weights of a forecast: states waiting for their Speed, and settled verdicts."""

import math
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from rulewright.play import Verdict
from rulewright.play.odds import Odds
from rulewright.systems.ore.drama.determination import Speed

N = TypeVar("N", bound=Hashable)


class Reckoning(Generic[N]):
    """What has come of a round so far. A weight is a number over a denominator, times all rolls that were made before the first moment."""

    def __init__(self) -> None:
        self.rolls = 1
        """In how many ways all dice can fall that everybody rolls at once."""
        self.late = False
        """Whether something could not be counted in time."""
        self._ended: list[tuple[Verdict, int, int]] = []
        self._settled: dict[Verdict | None, dict[int, int]] = {}
        self._open: dict[Speed, dict[tuple[N, int], int]] = {}

    def end(self, verdict: Verdict, weight: int, of: int) -> None:
        """A roll has come to something at once, with its weight among so many rolls."""
        self._ended.append((verdict, weight, of))

    def wait(self, node: N, top: Speed, num: int, den: int) -> None:
        """Go on with a state at that Speed; states that nothing tells apart are gone on with as one."""
        bucket = self._open.setdefault(top, {})
        bucket[node, den] = bucket.get((node, den), 0) + num

    def settle(self, verdict: Verdict | None, num: int, den: int) -> None:
        """This is what it came to."""
        by_den = self._settled.setdefault(verdict, {})
        by_den[den] = by_den.get(den, 0) + num

    def run(self, at: Callable[[N, Speed, int, int], None]) -> Odds[Any]:
        """Go on from Speed to Speed, the highest first; what it all came to."""
        for verdict, weight, of in self._ended:
            self.settle(verdict, weight * (self.rolls // of), 1)
        while self._open and not self.late:
            top = max(self._open)
            for (node, den), num in self._open.pop(top).items():
                at(node, top, num, den)
        whole = math.lcm(1, *{den for by_den in self._settled.values() for den in by_den})
        weights = {verdict: sum(num * (whole // den) for den, num in by_den.items()) for verdict, by_den in self._settled.items()}
        total = self.rolls * whole
        return Odds(weights, total, total - sum(weights.values()))
