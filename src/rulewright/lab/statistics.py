"""What was counted in many fights, told with its intervals."""

from math import ceil, sqrt
from typing import Any

from msgspec import Struct

from rulewright.lab.results import Chance, End, Spread, in_order, mean_of, public_of, summed, winners
from rulewright.play.intervals import wilson, z_of


class Sampled(Struct, frozen=True):
    """What was counted in n fights, with intervals. `counts` is the whole answer; the rest is read from it."""

    question: str
    members: dict[str, int]
    """The sides, with the number of people on each."""
    n: int
    counts: dict[End, int]
    cut: int
    """Fights that had not ended after the steps allowed. Each could have ended in any way: intervals leave room for that."""
    seed: int
    how: str
    """tables, steps, or tables and steps"""
    states: int | None = None
    """How many states the tables hold."""
    confidence: float = 0.95
    interrupted: bool = False
    precise: bool | None = None
    """Whether the precision that was asked for is reached; None where none was."""
    counted: tuple[tuple[str, str], ...] = ()
    """What else was counted, by side and name; see `tallies`."""
    full: int = 0
    """In how many batches more different parts came than are remembered: what came after those was played, not drawn."""

    @property
    def exact(self) -> bool:
        """Sampling never is."""
        return False

    @property
    def settled(self) -> float:
        """How much of what was played came to its end."""
        return 1.0 - self.cut / self.n if self.n else 0.0

    @property
    def sides(self) -> dict[str, Chance]:
        """The chance of each side to carry it."""
        won = summed(self.counts, lambda end: end.winner)
        return {side: self._chance(int(won.get(side, 0))) for side in winners(self.members, self.counts)}

    @property
    def draw(self) -> Chance:
        """The chance that nobody carries it."""
        return self._chance(sum(count for end, count in self.counts.items() if end.winner is None))

    @property
    def rounds(self) -> Spread:
        """In which round it ends."""
        return self._spread(summed(self.counts, lambda end: end.round))

    @property
    def losses(self) -> dict[str, Spread]:
        """How many of each side are out in the end; empty unless the question was losses or all."""
        if self.question not in ("losses", "all"):
            return {}
        return {
            side: self._spread(summed(self.counts, lambda end, place=place: end.losses[place]))  # type: ignore[misc]
            for place, side in enumerate(self.members)
        }

    @property
    def tallies(self) -> dict[str, dict[str, Spread]]:
        """What else was counted of each side in the end (wounds, ammunition left), where all was asked for and the game counts it."""
        spreads: dict[str, dict[str, Spread]] = {}
        for place, (side, what) in enumerate(self.counted, len(self.members)):
            losses = summed(self.counts, lambda end, place=place: end.losses[place])  # type: ignore[misc]
            spreads.setdefault(side, {})[what] = self._spread(losses)
        return spreads

    def by_round(self, side: str | None) -> dict[int, float]:
        """How often this side carried it in each round (None: that nobody did), as a share of all fights."""
        return in_order(summed({end: count / self.n for end, count in self.counts.items() if end.winner == side}, lambda end: end.round))

    @property
    def precision(self) -> float:
        """The half width of the widest interval."""
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
        """What other programs get to see."""
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
    """So many fights suffice to know any chance within ± a precision: those that an even chance takes, which is the hardest.

    >>> enough(0.001)
    960361
    """
    z = z_of(confidence)
    return max(1, ceil(z * z / (4 * precision * precision) - z * z))
