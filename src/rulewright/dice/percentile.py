"""One hundred-sided die: its number, or the band of a scale that it falls in."""

from itertools import pairwise
from typing import Generic

from rulewright.dice.reading import Faces, R, Reading, Weights
from rulewright.errors import UserError

HUNDRED = 100


class Percentile(Reading[int], frozen=True):
    """The number on a d100, 1 to 100."""

    def sides(self) -> tuple[int, ...]:
        return (HUNDRED,)

    def read(self, faces: Faces) -> int:
        return faces[0]

    def weights(self) -> Weights[int]:
        return dict.fromkeys(range(1, HUNDRED + 1), 1)

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return (("d100", faces[0]),)


class BandedPercentile(Reading[R], Generic[R], frozen=True):
    """A d100 against rising limits, each `(limit, result)`: the first limit that the roll does not exceed gives the result.

    The last band catches every roll that is left, whatever its limit. A limit below 1, or one no higher than the limit before
    it, leaves its band without a roll; so a chance may be worked out freely and need not lie between 1 and 100.
    """

    limits: tuple[tuple[int, R], ...]

    def __post_init__(self) -> None:
        if not self.limits:
            raise UserError("a d100 needs at least one band to fall in")
        for (limit, _), (following, _) in pairwise(self.limits):
            if following < limit:
                raise UserError(f"the limits of the bands must not fall: {following} stands after {limit}")

    def sides(self) -> tuple[int, ...]:
        return (HUNDRED,)

    def read(self, faces: Faces) -> R:
        return next((result for limit, result in self.limits if faces[0] <= limit), self.limits[-1][1])

    def weights(self) -> Weights[R]:
        """A band holds as many rolls as its limit lies above the one before."""
        outcome: dict[R, int] = {}
        begun = 0
        for limit, result in (*self.limits[:-1], (HUNDRED, self.limits[-1][1])):
            end = min(limit, HUNDRED)
            if end > begun:
                outcome[result] = outcome.get(result, 0) + end - begun
                begun = end
        return outcome

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return (("d100", faces[0]),)
