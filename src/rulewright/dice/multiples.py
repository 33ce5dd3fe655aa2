"""Pools of which the highest die counts, with other rules for what adds one: equal dice, two top faces, or extra dice only."""

from math import comb
from typing import Literal

from rulewright.dice.highest import MOST_FACES, Total
from rulewright.dice.limits import bound, bound_modifier
from rulewright.dice.reading import Faces, Reading, Weights

Adds = Literal["tops", "extra tops", "two tops", "paired tops", "highest", "any"]
"""What adds one to the highest die.

tops         every top face beyond the first
extra tops   the same, but the pool's own dice show one top face at most: only extra dice go beyond
two tops     every top face and every face one below it, beyond the first of both together
paired tops  every top face beyond the first, and every face one below it beyond the first of its kind
highest      every further die that shows the highest value
any          every value is worth one more for each further die that shows it, and the best value counts
"""

MOST_POOL = 40
"""The largest pool: enough for any table, and few enough dice for a fast distribution."""


class CountedPool(Reading[Total], frozen=True):
    """A pool read by its highest die, with one of several ways to count equal dice. All ones is a fumble, worth 1.

    Without own dice it is unskilled: two dice of which the lower joins the extra ones; that fumble is worth exactly 1, whatever the
    modifier. Own dice (or the pair) come first, extra dice after them.
    """

    dice: int
    extra: int = 0
    modifier: int = 0
    die: int = 6
    adds: Adds = "tops"

    def __post_init__(self) -> None:
        bound("the number of dice", self.dice, 0, MOST_POOL)
        bound("the number of dice", self.dice + self.extra, 0, MOST_POOL)
        bound("the number of extra dice", self.extra, 0, MOST_POOL)
        bound("the sides of a die", self.die, 3, MOST_FACES)
        bound_modifier(self.modifier)

    def sides(self) -> tuple[int, ...]:
        return (self.die,) * ((self.dice or 2) + self.extra)

    def read(self, faces: Faces) -> Total:
        height = self._height(faces)
        return self._total(height).showing(height)

    def weights(self) -> Weights[Total]:
        heights = self._extra_tops() if self.adds == "extra tops" else self._counted()
        rolls_by_total: dict[Total, int] = {}
        for height, rolls in sorted(heights.items()):
            if rolls:
                total = self._total(height)
                rolls_by_total[total] = rolls_by_total.get(total, 0) + rolls
        return rolls_by_total

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The dice that made the result: the highest, and all that added to it."""
        places, counting = self._joined(faces)
        best = self._best(counting)
        if self.adds in ("two tops", "paired tops") and best == self.die:
            wanted: tuple[int, ...] = (self.die - 1, self.die)
        else:
            wanted = (best,)
        kept = tuple(place for place, face in zip(places, counting, strict=True) if face in wanted)
        return kept if self._height(faces) > best or best == 1 else kept[-1:]

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        _, counting = self._joined(faces)
        height, best = self._height(faces), self._best(counting)
        if height == 1:
            return (("fumble", 1),)
        if self.dice:
            label = f"highest of {len(counting)}"
        else:
            label = f"highest of the lower of 2 and {self.extra} extra" if self.extra else "lower of 2"
        return ((label, best), *(((_LABELS[self.adds], height - best),) if height > best else ()))

    def _total(self, height: int) -> Total:
        if height > 1:
            return Total(max(0, height + self.modifier))
        return Total(max(0, 1 + self.modifier) if self.dice else 1, fumble=True)

    def _joined(self, faces: Faces) -> tuple[tuple[int, ...], Faces]:
        """The dice that count, by index and by face: of an unskilled pair only the lower one."""
        if self.dice:
            return tuple(range(len(faces))), faces
        lower = 0 if faces[0] <= faces[1] else 1
        return (lower, *range(2, len(faces))), (faces[lower], *faces[2:])

    def _best(self, counting: Faces) -> int:
        if self.adds == "any" and max(counting) > 1:
            return max(counting, key=lambda face: (face + counting.count(face), face))
        return max(counting)

    def _height(self, faces: Faces) -> int:
        _, counting = self._joined(faces)
        if max(counting) == 1:
            return 1
        if self.adds == "extra tops":
            own = self.dice or 1
            tops = (self.die in counting[:own]) + counting[own:].count(self.die)
            return self.die + tops - 1 if tops else max(counting)
        height = 0
        for face in sorted(set(counting)):
            height = self._raised(height, face, counting.count(face))
        return height

    def _raised(self, height: int, face: int, dice: int) -> int:
        """The height of a pool after `dice` more dice show the next higher face."""
        if self.adds == "any":
            return max(height, face + dice - 1)
        if self.adds == "highest":
            return face + dice - 1
        if face < self.die - 1 or (face < self.die and self.adds == "tops"):
            return face
        below = max(0, height - self.die + 2) if face == self.die else 0  # dice that show the face one below the top
        if self.adds == "paired tops":
            below = max(0, below - 1)
        return face + dice - 1 + (below if self.adds != "tops" else 0)

    def _counted(self) -> dict[int, int]:
        """The number of rolls by height, face by face from the lowest."""
        pools = [(0, 1)] if self.dice else [(face, 2 * (self.die - face) + 1) for face in range(1, self.die + 1)]
        dice = self.dice + self.extra
        rolls_by_height: dict[int, int] = {}
        for fixed, rolls in pools:  # the lower die of a pair is one face, as often as the pair shows it
            ways = {(0, dice): rolls}
            for face in range(1, self.die + 1):
                after: dict[tuple[int, int], int] = {}
                for (height, left), weight in ways.items():
                    for showing in range(left + 1):
                        count = showing + (face == fixed)
                        key = (self._raised(height, face, count) if count else height, left - showing)
                        after[key] = after.get(key, 0) + weight * comb(left, showing)
                ways = after
            for (height, left), weight in ways.items():
                if not left:
                    rolls_by_height[height] = rolls_by_height.get(height, 0) + weight
        return self._with_ones_apart(rolls_by_height)

    def _with_ones_apart(self, heights: dict[int, int]) -> dict[int, int]:
        """All ones count 1 even if equal dice add up."""
        if self.adds in ("highest", "any"):
            ones = self.dice + self.extra if self.dice else self.extra + 1
            fumbles = 1 if self.dice else 2 * self.die - 1
            heights[ones] = heights.get(ones, 0) - fumbles
            heights[1] = heights.get(1, 0) + fumbles
        return heights

    def _extra_tops(self) -> dict[int, int]:
        """The number of rolls by height if own dice show at most one top face, and further ones come from extra dice."""
        top, e = self.die, self.extra
        own = [k**self.dice if self.dice else top**2 - (top - k) ** 2 for k in range(top + 1)]
        upto = [own[k] * k**e for k in range(top)]
        rolls_by_height = {k: upto[k] - upto[k - 1] for k in range(1, top)}
        shown, not_shown = own[top] - own[top - 1], own[top - 1]
        for tops in range(1, e + 2):
            joined = shown * comb(e, tops - 1) * (top - 1) ** (e - tops + 1)
            apart = not_shown * comb(e, tops) * (top - 1) ** (e - tops) if tops <= e else 0
            rolls_by_height[top + tops - 1] = joined + apart
        return rolls_by_height


_LABELS: dict[Adds, str] = {
    "tops": "extra top faces",
    "extra tops": "top faces of extra dice",
    "two tops": "extra dice of the two top faces",
    "paired tops": "extra dice of each of the two top faces",
    "highest": "extra dice of the highest value",
    "any": "extra dice of that value",
}
