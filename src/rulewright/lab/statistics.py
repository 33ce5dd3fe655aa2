"""Counts of sampled fights, with confidence intervals."""

from math import ceil, sqrt
from typing import Any

from msgspec import Struct

from rulewright.lab.results import Chance, End, Spread, in_order, mean_of, public_of, summed, winners
from rulewright.play.intervals import wilson, z_of


class Sampled(Struct, frozen=True):
    """The result of n sampled fights. `counts` is the complete result; everything else follows from it."""

    question: str
    members: dict[str, int]
    """The sides, with the number of members of each."""
    n: int
    counts: dict[End, int]
    cut: int
    """Fights that did not end within the limit of steps. They could have ended in any way, and intervals include that."""
    seed: int
    how: str
    """tables, steps, or tables and steps"""
    states: int | None = None
    """The number of states in the tables."""
    confidence: float = 0.95
    interrupted: bool = False
    precise: bool | None = None
    """Whether the requested precision is reached; None if none was requested."""
    counted: tuple[tuple[str, str], ...] = ()
    """The tallies, by side and name; see `tallies`."""
    full: int = 0
    """The number of batches in which the cache of sub-procedures was full: later ones were played instead of drawn."""

    @property
    def exact(self) -> bool:
        """Always false for sampling."""
        return False

    @property
    def settled(self) -> float:
        """The share of fights that ended."""
        return 1.0 - self.cut / self.n if self.n else 0.0

    @property
    def sides(self) -> dict[str, Chance]:
        """The win chance of each side."""
        won = summed(self.counts, lambda end: end.winner)
        return {side: self._chance(int(won.get(side, 0))) for side in winners(self.members, self.counts)}

    @property
    def draw(self) -> Chance:
        """The chance of a draw."""
        return self._chance(sum(count for end, count in self.counts.items() if end.winner is None))

    @property
    def rounds(self) -> Spread:
        """The distribution of the last round."""
        return self._spread(summed(self.counts, lambda end: end.round))

    @property
    def losses(self) -> dict[str, Spread]:
        """How many of each side are out at the end; empty unless the question is losses or all."""
        if self.question not in ("losses", "all"):
            return {}
        return {
            side: self._spread(summed(self.counts, lambda end, place=place: end.losses[place]))  # type: ignore[misc]
            for place, side in enumerate(self.members)
        }

    @property
    def tallies(self) -> dict[str, dict[str, Spread]]:
        """The game's tallies of each side at the end (wounds, ammunition left), for the question all."""
        spreads: dict[str, dict[str, Spread]] = {}
        for place, (side, what) in enumerate(self.counted, len(self.members)):
            losses = summed(self.counts, lambda end, place=place: end.losses[place])  # type: ignore[misc]
            spreads.setdefault(side, {})[what] = self._spread(losses)
        return spreads

    def by_round(self, side: str | None) -> dict[int, float]:
        """The share of all fights that this side won (None: draws) in each round."""
        return in_order(summed({end: count / self.n for end, count in self.counts.items() if end.winner == side}, lambda end: end.round))

    @property
    def precision(self) -> float:
        """Half the width of the widest interval."""
        return max(chance.interval[1] - chance.interval[0] for chance in (*self.sides.values(), self.draw)) / 2

    def _chance(self, count: int) -> Chance:
        low, _ = wilson(count, self.n, self.confidence)
        _, high = wilson(count + self.cut, self.n, self.confidence)
        return Chance(count / self.n if self.n else 0.5, (low, high))

    def _spread(self, counts: dict[int, float]) -> Spread:
        ended = sum(counts.values())
        mean = mean_of(counts)
        squares = sum(count * (value - mean) ** 2 for value, count in counts.items())
        reach = z_of(self.confidence) * sqrt(squares / ended / (ended - 1)) if ended > 1 else 0.0
        interval = (mean - reach, mean + reach) if ended > 1 and not self.cut else None
        return Spread(mean, {value: count / self.n for value, count in in_order(counts).items()}, interval)

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = {"exact": False, "n": self.n, "states": self.states, "settled": self.settled}
        result |= public_of(self)
        result |= {"confidence": self.confidence, "seed": self.seed, "how": self.how}
        if self.cut:
            result["cut"] = self.cut
        if self.full:
            result["memory_full"] = self.full
        if self.precise is not None:
            result["precise"] = self.precise
        if self.interrupted:
            result["stopped"] = "interrupted"
        return result


def enough(precision: float, confidence: float = 0.95) -> int:
    """The number of fights that gives any chance within ± a precision. An even chance needs the most.

    >>> enough(0.001)
    960361
    """
    z = z_of(confidence)
    return max(1, ceil(z * z / (4 * precision * precision) - z * z))
