"""Pools read by their matching dice: a set's width is the number of matching dice, its height their face."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb, factorial, prod
from operator import mul
from typing import Literal

from rulewright.dice.limits import bound
from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.errors import UserError

MOST_SIDES = 10
MOST_BEST = 20
MOST_ALL = 15
MOST_LOOSE = 12

Set = tuple[int, int]
"""A width and a height."""
Ways = list[int]
"""At index n, the number of ways in which n dice can land on the faces in question."""
CHOOSE = [[comb(n, k) for k in range(n + 1)] for n in range(MOST_BEST + 1)]


class Sets(Reading[tuple[Set, ...]], frozen=True):
    """Every set of a pool, widest first, then highest; with `loose` also single dice, as sets of width 1.

    `fixed` dice are not rolled but already show a face, and match like the others.
    """

    dice: int
    die: int = 10
    fixed: tuple[int, ...] = ()
    loose: bool = False

    def __post_init__(self) -> None:
        _bound_pool(self.dice, self.die, self.fixed, MOST_LOOSE if self.loose else MOST_ALL)

    def sides(self) -> tuple[int, ...]:
        return (self.die,) * self.dice

    def read(self, faces: Faces) -> tuple[Set, ...]:
        return _sets((*faces, *self.fixed), least=1 if self.loose else 2)

    def weights(self) -> Weights[tuple[Set, ...]]:
        """Faces without fixed dice are equivalent, so their sets are placed at once; those with fixed dice are enumerated."""
        least = 1 if self.loose else 2
        fixed = Counter(self.fixed)
        alike = tuple(face for face in range(self.die, 0, -1) if face not in fixed)
        if not fixed:
            return _placed(self.dice, alike, least)
        rolls_by_sets: dict[tuple[Set, ...], int] = {}
        others = [_placed(left, alike, least) for left in range(self.dice + 1)]
        for matching in _dealt(self.dice, len(fixed)):
            left = self.dice - sum(matching)
            ways = factorial(self.dice) // (factorial(left) * prod(map(factorial, matching)))
            widths = ((own + more, face) for (face, own), more in zip(fixed.items(), matching, strict=True))
            sets = tuple(width for width in widths if width[0] >= least)
            for more_sets, rolls in others[left].items():
                rolls_by_sets[tuple(sorted(sets + more_sets, reverse=True))] = ways * rolls
        return rolls_by_sets

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The dice in sets."""
        heights = {height for _, height in self.read(faces)}
        return tuple(i for i, face in enumerate(faces) if face in heights)


class BestSet(Reading[Set | None], frozen=True):
    """The best set of a pool, by width or by height, with ties broken by the other; None if no set reaches the difficulty."""

    dice: int
    die: int = 10
    fixed: tuple[int, ...] = ()
    by: Literal["width", "height"] = "width"
    difficulty: int = 1

    def __post_init__(self) -> None:
        _bound_pool(self.dice, self.die, self.fixed, MOST_BEST)
        bound("the difficulty", self.difficulty, 1, self.die)
        if self.by not in ("width", "height"):
            raise UserError(f"the best set is chosen by width or by height, not by {self.by!r}")

    def sides(self) -> tuple[int, ...]:
        return (self.die,) * self.dice

    def read(self, faces: Faces) -> Set | None:
        sets = (pair for pair in _sets((*faces, *self.fixed), least=2) if pair[1] >= self.difficulty)
        return max(sets, key=None if self.by == "width" else _height_first, default=None)

    def weights(self) -> Weights[Set | None]:
        """For every possible best set, the rolls in which its face shows exactly its width and no other face beats it."""
        sets = self._by_width() if self.by == "width" else self._by_height()
        rolls_by_set: dict[Set | None, int] = {best: rolls for best, rolls in sets if rolls}
        none = self.die**self.dice - sum(rolls_by_set.values())
        return {None: none, **rolls_by_set} if none else rolls_by_set

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The dice of the best set; empty if there is none."""
        best = self.read(faces)
        return tuple(i for i, face in enumerate(faces) if best and face == best[1])

    def _by_width(self) -> Iterator[tuple[Set, int]]:
        """Higher faces must be narrower than the best, lower ones no wider; faces below the difficulty may show anything."""
        for width in self._widths():
            others = self._others(width)
            above = self._above(width - 1, others)
            below = _anyhow(others, self.difficulty - 1)
            for height in range(self.difficulty, self.die + 1):
                yield (width, height), self._rolls(width, height, below, above[height])
                below = _and_a_face(below, width - self.fixed.count(height))

    def _by_height(self) -> Iterator[tuple[Set, int]]:
        """Higher faces must show no set, lower ones may show anything."""
        others = self._others(2)
        above = self._above(1, others)
        for height in range(self.difficulty, self.die + 1):
            below = _anyhow(others, height - 1)
            for width in self._widths():
                yield (width, height), self._rolls(width, height, below, above[height])

    def _widths(self) -> range:
        return range(2, self.dice + self._fixed_at_most() + 1)

    def _others(self, width: int) -> int:
        """The largest number of rolled dice that a set of this width leaves to other faces."""
        return min(self.dice, self.dice - width + self._fixed_at_most())

    def _fixed_at_most(self) -> int:
        return max(Counter(self.fixed).values(), default=0)

    def _above(self, width: int, dice: int) -> dict[int, Ways]:
        """For every face, the ways of up to `dice` dice to land on the faces above it, none shown by more than `width` dice."""
        above = {self.die: _anyhow(dice, 0)}
        for face in range(self.die, self.difficulty, -1):
            above[face - 1] = _and_a_face(above[face], width - self.fixed.count(face))
        return above

    def _rolls(self, width: int, height: int, below: Ways, above: Ways) -> int:
        """The rolls in which this face shows exactly this width, and all other dice land below or above as given."""
        matching = width - self.fixed.count(height)
        left = self.dice - matching
        if matching < 0 or left < 0:
            return 0
        apart: int = sum(map(mul, map(mul, CHOOSE[left], below), above[left::-1]))
        return CHOOSE[self.dice][matching] * apart


def _bound_pool(dice: int, die: int, fixed: tuple[int, ...], most: int) -> None:
    bound("the sides of a die", die, 2, MOST_SIDES)
    bound("the number of rolled dice", dice, 0, most)
    bound("the number of dice, fixed ones included,", dice + len(fixed), 1, most)
    for face in fixed:
        bound(f"a fixed face of a d{die}", face, 1, die)


def _sets(faces: Faces, least: int) -> tuple[Set, ...]:
    return tuple(sorted(((width, height) for height, width in Counter(faces).items() if width >= least), reverse=True))


def _height_first(pair: Set) -> Set:
    return pair[1], pair[0]


def _anyhow(dice: int, faces: int) -> Ways:
    return [faces**n for n in range(dice + 1)]


def _and_a_face(ways: Ways, most: int) -> Ways:
    """The ways with one more face to land on, shown by at most `most` dice."""
    return [sum(map(mul, row[: max(0, most + 1)], ways[n::-1])) for n, row in zip(range(len(ways)), CHOOSE, strict=False)]


def _dealt(dice: int, faces: int) -> Iterator[tuple[int, ...]]:
    """All numbers of dice that each of these faces may show, out of at most `dice`."""
    if not faces:
        yield ()
        return
    for first in range(dice + 1):
        for others in _dealt(dice - first, faces - 1):
            yield (first, *others)


def _placed(dice: int, faces: Faces, least: int) -> dict[tuple[Set, ...], int]:
    """All sets that dice can make on equivalent faces, and the number of rolls of each.

    It depends on the widths alone: the dice are dealt to the sets, and those left over show different faces among the rest.
    """
    rolls_by_sets: dict[tuple[Set, ...], int] = {}

    def place(begun: dict[Faces, list[tuple[Set, ...]]], left: int, widest: int, ways: int) -> None:
        """Adds sets of every possible width to `begun` (by the faces left free), records them, and recurses."""
        free = len(next(iter(begun)))
        for width in range(min(left, widest), least - 1, -1):
            for many in range(left if width == 1 else 1, min(left // width, free) + 1):
                over, shared = left - width * many, ways // factorial(width) ** many
                if over == 0 or least > 1:
                    note(_with_sets(begun, width, many), shared * comb(free - many, over))
                if min(over, width - 1) >= least:
                    place(_by_free_faces(begun, width, many), over, width - 1, shared)

    def note(sets: list[tuple[Set, ...]], rolls: int) -> None:
        if rolls:
            rolls_by_sets.update(dict.fromkeys(sets, rolls))

    if dice == 0 or least > 1:
        note([()], comb(len(faces), dice) * factorial(dice))
    place({faces: [()]}, dice, dice, factorial(dice))
    return rolls_by_sets


def _with_sets(begun: dict[Faces, list[tuple[Set, ...]]], width: int, many: int) -> list[tuple[Set, ...]]:
    """All of `begun`, with `many` sets of one width added on free faces."""
    return [
        head + sets for free, heads in begun.items() for sets in combinations([(width, height) for height in free], many) for head in heads
    ]


def _by_free_faces(begun: dict[Faces, list[tuple[Set, ...]]], width: int, many: int) -> dict[Faces, list[tuple[Set, ...]]]:
    """All of `begun` with sets added, by the faces left free afterwards."""
    grown: dict[Faces, list[tuple[Set, ...]]] = {}
    for free, heads in begun.items():
        chosen = combinations([(width, height) for height in free], many)
        rests = reversed(list(combinations(free, len(free) - many)))  # the complements of the chosen come in the opposite order
        for sets, rest in zip(chosen, rests, strict=True):
            grown.setdefault(rest, []).extend([head + sets for head in heads])
    return grown
