"""Pools of which the highest die counts, and every top face beyond the first adds one."""

from math import comb

from msgspec import Struct

from rulewright.dice.limits import MOST_DICE, bound, bound_modifier
from rulewright.dice.reading import Faces, Reading, Weights

MOST_FACES = 100


class Total(Struct, frozen=True, order=True, dict=True):
    """The result of a pool, and whether it fumbled; ordered by the total.

    One that was read from faces also stores what the dice showed before modifiers. That is for the log alone and does not affect equality.
    """

    total: int
    fumble: bool = False

    def showing(self, dice: int) -> "Total":
        """The total, with what the dice showed."""
        self.__dict__["dice"] = dice
        return self

    def shown(self, modifier: int = 0) -> int:
        """The number that the dice showed; if it was not read from faces, the total without the modifier."""
        dice: int = self.__dict__.get("dice", self.total - modifier)
        return dice


class HighestDie(Reading[Total], frozen=True):
    """A pool read by its highest face, +1 for every top face beyond the first.

    All ones is a fumble: the dice count as 1 and the modifier still applies. No total is below 0.
    """

    dice: int
    modifier: int = 0
    die: int = 6

    def __post_init__(self) -> None:
        bound("the number of dice", self.dice, 1, MOST_DICE)
        bound("the sides of a die", self.die, 2, MOST_FACES)
        bound_modifier(self.modifier)

    def sides(self) -> tuple[int, ...]:
        return (self.die,) * self.dice

    def read(self, faces: Faces) -> Total:
        height = _height(faces, self.die)
        return _total(height, self.modifier, fumble=height == 1).showing(height)

    def weights(self) -> Weights[Total]:
        """k**n - (k-1)**n rolls have k < 6 as their highest face; C(n, s) * 5**(n-s) have exactly s sixes."""
        n, top = self.dice, self.die
        upto = [k**n for k in range(top)]
        below_top = [upto[k] - upto[k - 1] for k in range(2, top)]
        at_top = [comb(n, s) * (top - 1) ** (n - s) for s in range(1, n + 1)]
        return _weights(_total(1, self.modifier, fumble=True), 1, [*below_top, *at_top], self.modifier)

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The highest die, or every top face; all dice for a fumble."""
        return _counting(faces, self.die)

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        return _explain(f"highest of {self.dice}", faces, self.die)


class Unskilled(Reading[Total], frozen=True):
    """Two dice of which the lower counts; a 1 on either is a fumble, worth exactly 1 whatever the modifier.

    Extra dice, rolled after the pair, join the lower die in one pool that is read by its highest face, +1 for every top face beyond the
    first. Then only a fumbled pair whose extra dice are all ones is still a fumble.
    """

    extra: int = 0
    modifier: int = 0
    die: int = 6

    def __post_init__(self) -> None:
        bound("the number of extra dice", self.extra, 0, MOST_DICE - 2)
        bound("the sides of a die", self.die, 2, MOST_FACES)
        bound_modifier(self.modifier)

    def sides(self) -> tuple[int, ...]:
        return (self.die,) * (2 + self.extra)

    def read(self, faces: Faces) -> Total:
        height = _height(self._joined(faces), self.die)
        return (Total(1, fumble=True) if height == 1 else _total(height, self.modifier)).showing(height)

    def weights(self) -> Weights[Total]:
        """Of the pair's d**2 rolls d**2 - (d-k)**2 have k or less as the lower die, and one has the top face twice."""
        e, top = self.extra, self.die
        upto = [(top**2 - (top - k) ** 2) * k**e for k in range(top)]
        below_top = [upto[k] - upto[k - 1] for k in range(2, top)]
        extra_tops = [comb(e, s) * (top - 1) ** (e - s) for s in range(e + 1)]
        at_top = [joined + (top**2 - 1) * apart for joined, apart in zip(extra_tops, [*extra_tops[1:], 0], strict=True)]
        # The joined pool shows nothing above 1 exactly when the pair has a 1 and every extra die is 1: the fumble.
        return _weights(Total(1, fumble=True), upto[1], [*below_top, *at_top], self.modifier)

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The dice that count, of the lower die of the pair and the extra dice."""
        lower = 0 if faces[0] <= faces[1] else 1
        places = (lower, *range(2, len(faces)))
        return tuple(places[i] for i in _counting(self._joined(faces), self.die))

    def explain(self, faces: Faces) -> tuple[tuple[str, int], ...]:
        label = f"highest of the lower of 2 and {self.extra} extra" if self.extra else "lower of 2"
        return _explain(label, self._joined(faces), self.die)

    def _joined(self, faces: Faces) -> Faces:
        return (min(faces[:2]), *faces[2:])


def _height(faces: Faces, top: int) -> int:
    tops = faces.count(top)
    return top + tops - 1 if tops else max(faces)


def _total(height: int, modifier: int, *, fumble: bool = False) -> Total:
    return Total(max(0, height + modifier), fumble)


def _weights(fumble: Total, fumbles: int, rolls: list[int], modifier: int) -> Weights[Total]:
    """The fumbles, then the rolls for every height from 2 up; totals below 0 count as 0."""
    rolls_by_total = {fumble: fumbles}
    for total, count in enumerate(rolls, 2 + modifier):
        result = Total(total if total > 0 else 0)
        rolls_by_total[result] = rolls_by_total.get(result, 0) + count
    return rolls_by_total


def _counting(faces: Faces, top: int) -> tuple[int, ...]:
    highest = max(faces)
    places = tuple(i for i, face in enumerate(faces) if face == highest)
    return places if highest in (1, top) else places[:1]


def _explain(label: str, faces: Faces, top: int) -> tuple[tuple[str, int], ...]:
    highest, beyond = max(faces), faces.count(top) - 1
    if highest == 1:
        return (("fumble", 1),)
    extra = ((f"extra {'sixes' if top == 6 else f'{top}s'}", beyond),) if beyond > 0 else ()
    return ((label, highest), *extra)
