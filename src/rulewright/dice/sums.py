"""Sums of dice, and tables looked up by a sum."""

import re
from itertools import accumulate, pairwise

from rulewright.dice.limits import MOST_DICE, MOST_SIDES, bound, bound_modifier
from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.errors import UserError

MOST_ADDED_SIDES = 10_000
_PLAIN = re.compile(r"[+-]?\s*(?:\d{0,3}d(?:\d{1,4}|%)|\d{1,5})(?:\s*[+-]\s*(?:\d{0,3}d(?:\d{1,4}|%)|\d{1,5}))*", re.ASCII)
_PLAIN_TERM = re.compile(r"([+-]?)\s*(?:(\d*)d(\d+|%)|(\d+))", re.ASCII)


class Sum(Reading[int], frozen=True):
    """The sum of the faces plus a modifier; without dice, the modifier alone."""

    of: tuple[int, ...]
    modifier: int = 0

    def __post_init__(self) -> None:
        bound("the number of dice", len(self.of), 0, MOST_DICE)
        for die in self.of:
            bound("the sides of a die", die, 1, MOST_SIDES)
        bound("the sides of all dice together", sum(self.of), 0, MOST_ADDED_SIDES)
        bound_modifier(self.modifier)

    def sides(self) -> tuple[int, ...]:
        return self.of

    def read(self, faces: Faces) -> int:
        return sum(faces) + self.modifier

    def weights(self) -> Weights[int]:
        """Convolution die by die, with cumulative sums."""
        ways = [1]  # ways[i]: rolls whose sum is i above the least
        for die in self.of:
            upto = [0, *accumulate(ways)]
            last = len(ways)
            ways = [upto[min(i + 1, last)] - upto[max(0, i - die + 1)] for i in range(last + die - 1)]
        return dict(enumerate(ways, self.lowest()))

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return ((str(self), sum(faces)),) if faces else ()

    def lowest(self) -> int:
        """The least sum."""
        return len(self.of) + self.modifier

    def highest(self) -> int:
        """The greatest sum."""
        return sum(self.of) + self.modifier


def sum_of(dice: int, die: int, modifier: int = 0) -> Sum:
    """Several dice of one kind: `sum_of(2, 6)` is 2d6."""
    bound("the number of dice", dice, 0, MOST_DICE)
    return Sum((die,) * dice, modifier)


def plain_dice(text: str) -> Sum | None:
    """Parses plain dice: `2d6+1`, `d6`, `1d100`, `2d6+1d8-2`; None if the text is something else."""
    written = text.strip().lower()
    if "d" not in written or _PLAIN.fullmatch(written) is None:
        return None
    dice: list[int] = []
    modifier = 0
    for sign, count, die, number in _PLAIN_TERM.findall(written):
        if number:
            modifier += int(sign + number)
        elif sign == "-":
            raise UserError(f"cannot read {text!r}: dice can only be added; only a number can be subtracted")
        else:
            many = int(count or 1)
            bound("the number of dice", many, 1, MOST_DICE)
            dice += [100 if die == "%" else int(die)] * many
    return Sum(tuple(dice), modifier)


class Banded(Reading[str], frozen=True):
    """A sum looked up in a table of ranges, each `(from, to, label)`; the table must contain every sum exactly once."""

    sum: Sum
    bands: tuple[tuple[int, int, str], ...]

    def __post_init__(self) -> None:
        bands = sorted(self.bands)
        for low, high, label in bands:
            if low > high:
                raise UserError(f"the band {label!r} ends before it begins: {low} to {high}")
        for (_, end, label), (start, _, following) in pairwise(bands):
            if start <= end:
                raise UserError(f"the bands {label!r} and {following!r} overlap at {start}")
            if start > end + 1:
                raise UserError(f"no band contains {end + 1}: there is a gap between {label!r} and {following!r}")
        lowest, highest = self.sum.lowest(), self.sum.highest()
        if not bands or lowest < bands[0][0] or highest > bands[-1][1]:
            raise UserError(f"the bands must contain every sum from {lowest} to {highest}")

    def sides(self) -> tuple[int, ...]:
        return self.sum.sides()

    def read(self, faces: Faces) -> str:
        return self._label(self.sum.read(faces))

    def weights(self) -> Weights[str]:
        rolls_by_label: dict[str, int] = {}
        for value, rolls in self.sum.weights().items():
            label = self._label(value)
            rolls_by_label[label] = rolls_by_label.get(label, 0) + rolls
        return rolls_by_label

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return self.sum.explain(faces)

    def _label(self, value: int) -> str:
        return next(label for low, high, label in self.bands if low <= value <= high)
