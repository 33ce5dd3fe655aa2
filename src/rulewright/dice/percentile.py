"""A hundred-sided die: its number, or the band of a scale that it falls in."""

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

    The last band takes every remaining roll, whatever its limit. A limit below 1, or no higher than the one before, leaves its band without
    a roll; so a computed chance need not lie between 1 and 100.
    """

    limits: tuple[tuple[int, R], ...]

    def __post_init__(self) -> None:
        if not self.limits:
            raise UserError("a d100 needs at least one band")
        for (limit, _), (following, _) in pairwise(self.limits):
            if following < limit:
                raise UserError(f"the limits of the bands must not fall: {following} comes after {limit}")

    def sides(self) -> tuple[int, ...]:
        return (HUNDRED,)

    def read(self, faces: Faces) -> R:
        return next((result for limit, result in self.limits if faces[0] <= limit), self.limits[-1][1])

    def weights(self) -> Weights[R]:
        """A band has as many rolls as its limit is above the one before."""
        rolls_by_result: dict[R, int] = {}
        previous = 0
        for limit, result in (*self.limits[:-1], (HUNDRED, self.limits[-1][1])):
            end = min(limit, HUNDRED)
            if end > previous:
                rolls_by_result[result] = rolls_by_result.get(result, 0) + end - previous
                previous = end
        return rolls_by_result

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return (("d100", faces[0]),)
