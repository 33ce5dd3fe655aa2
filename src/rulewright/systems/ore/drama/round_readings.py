"""Readings of the dice in a fight, with exact weights."""

from math import comb

from msgspec.structs import replace

from rulewright.dice.reading import Faces, Weights
from rulewright.dice.sets import Set
from rulewright.systems.ore.resolution.readings import IN_A_ROW, ByFace, Offered, OfPool, Thrown

Widths = tuple[int, int]


class TwoWidths(ByFace[Widths, Widths], frozen=True):
    """The Widths of the two widest sets, for a test that needs both. A single set is broken up if possible; a Run has Width 1."""

    begin = nothing = (0, 0)

    def go_on(self, state: Widths, face: int, rolled: int) -> Widths:
        width = rolled + self.thrown.lent[face - 1]
        return wider(state, width) if width > 1 else state

    def end(self, state: Widths) -> Widths:
        return broken(state)

    def ran(self, shown: frozenset[int]) -> Widths | None:
        return (1, 0) if self.thrown.run_of(shown) else None


def wider(two: Widths, width: int) -> Widths:
    """The two widest of three."""
    first, second = two
    return (width, first) if width > first else (first, max(second, width))


def broken(two: Widths) -> Widths:
    """One set broken up into two, if possible."""
    first, second = two
    return (first - 2, 2) if second == 0 and first >= 4 else two


Swift = tuple[int, int, int]
"""A set and its waste die: Width, Height, Speed."""
Lies = tuple[tuple[Set, ...], Faces]
"""The sets on the table and the single dice."""


class Swiftest(ByFace[Lies, tuple[Swift, ...]], frozen=True):
    """The Pareto-optimal sets if a waste die decides Speed: no other is as wide, as high and as fast.

    Every die outside the used set can be its waste die, also a spare one of its own, or a Special Die outside of sets. `every` keeps
    sets of every Height, because a lower one may be better for its location. Without a set a Run has Width 1, and the other dice are
    waste.
    """

    every: bool = False
    begin = ((), ())

    def go_on(self, state: Lies, face: int, rolled: int) -> Lies:
        sets, single = state
        width = rolled + self.thrown.lent[face - 1]
        if width >= 2:
            return (*sets, (width, face)), single
        return (sets, (face,)) if rolled or self.thrown.failsafe else state  # a Failsafe Die shows whatever nobody rolled

    def end(self, state: Lies) -> tuple[Swift, ...]:
        return swift(state, self.every, self.thrown)

    def ran(self, shown: frozenset[int]) -> tuple[Swift, ...] | None:
        top = self.thrown.run_of(shown)
        if not top:
            return None
        run = {top - step for step in range(IN_A_ROW)}
        spare = self._spare(shown, run) if run <= shown else 0
        return ((1, top, max([spare, *(shown - run)])),)

    def _spare(self, shown: frozenset[int], run: set[int]) -> int:
        """The face of a Special Die that the Run does not need."""
        if not self.thrown.failsafe:
            return free_face(self.thrown, 0)
        return max([face for face in range(self.thrown.difficulty, self.thrown.top + 1) if face not in shown], default=0)


def free_face(thrown: Thrown, height: int) -> int:
    """The face of a Special Die that a set of this Height does not need: the highest for an Expert Die; 0 for none. A Master Die always
    joins a set."""
    faces = [face for face, lent in enumerate(thrown.lent, 1) if lent > min(thrown.lent)]
    return max(faces, default=0) if height not in faces else 0


NO_SPECIAL = Thrown(0)


def swift(lies: Lies, every: bool = False, thrown: Thrown = NO_SPECIAL) -> tuple[Swift, ...]:
    """Every way to use a set with a waste die, without dominated ones (`every`: of the same Height); fastest first."""
    sets, single = lies
    shown = {*[height for _, height in sets], *single}
    ways = []
    for width, height in sets:
        others = max([free_face(thrown, height), *(shown - {height})])
        ways.append((width, height, others))
        own = thrown.top if _movable(thrown, height) else height
        if width > 2 and own > others:
            ways.append((width - 1, height, own))
        if thrown.trades:
            ways += _traded(lies, thrown, (width, height))
    best = [way for way in ways if not any(_better(other, way, every) for other in ways)]
    return tuple(sorted(best, key=lambda way: (-way[2], -way[0], -way[1])))


def _traded(lies: Lies, thrown: Thrown, pair: Set) -> list[Swift]:
    """The trades of a set with the remaining waste die."""
    sets, single = lies
    width, height = pair
    given_up = [low for wide, low in sets if low < height and wide - thrown.lent[low - 1] >= 2]
    entries = []
    for traded in thrown.offers(height, width - thrown.lent[height - 1], bool(given_up))[1:]:
        gone = {height, min(given_up)} if traded == (width + 1, height) else {height}
        entries.append((*traded, max([free_face(thrown, height), *({*[low for _, low in sets], *single} - gone)])))
    return entries


def _movable(thrown: Thrown, height: int) -> bool:
    """Whether a Special Die could show the highest face for Speed instead of joining the set."""
    least = min(thrown.lent)
    return least > 0 or (thrown.lent[height - 1] > least and sum([lent > least for lent in thrown.lent]) > 1)


def _better(other: Swift, way: Swift, every: bool) -> bool:
    """Whether one way dominates another."""
    return other != way and (not every or other[1] == way[1]) and all(a >= b for a, b in zip(other, way, strict=True))


class EverySet(Offered, frozen=True):
    """Every usable set, also after trades, widest first; a Run if there is none."""

    def chosen(self, sets: list[Set]) -> tuple[Set, ...]:
        return tuple(sorted(set(sets), reverse=True))


class AtNumber(OfPool[int], frozen=True):
    """How many dice show one number, including the set die."""

    number: int

    def read(self, faces: Faces) -> int:
        return faces.count(self.number) + self.thrown.lent[self.number - 1]

    def weights(self) -> Weights[int]:
        dice, lent = self.thrown.dice, self.thrown.lent[self.number - 1]
        return {lent + many: comb(dice, many) * (self.thrown.top - 1) ** (dice - many) for many in range(dice + 1)}


class AimedSwiftly(OfPool[tuple[int, int]], frozen=True):
    """How many dice show one number, as in `AtNumber`, and the highest other die as its waste die. A free Special Die shows the highest
    face."""

    number: int

    @property
    def spare(self) -> int:
        """The face of a Special Die that is not set to the number; 0 for none."""
        if self.thrown.failsafe:  # it shows what nobody rolled, and what is rolled is waste itself
            return max([face for face in range(self.thrown.difficulty, self.thrown.top + 1) if face != self.number], default=0)
        lent = [many - (face == self.number) for face, many in enumerate(self.thrown.lent, 1)]  # one was set to the number
        return free_face(replace(self.thrown, lent=tuple(lent)), self.number) if min(lent) >= 0 else 0

    def read(self, faces: Faces) -> tuple[int, int]:
        others = [face for face in faces if face != self.number and face >= self.thrown.difficulty]
        return faces.count(self.number) + self.thrown.lent[self.number - 1], max(others, default=0) if not self.spare else self.spare

    def weights(self) -> Weights[tuple[int, int]]:
        dice, lent = self.thrown.dice, self.thrown.lent[self.number - 1]
        if self.spare:
            return {(lent + many, self.spare): comb(dice, many) * (self.thrown.top - 1) ** (dice - many) for many in range(dice + 1)}
        below = self.thrown.difficulty - 1
        number_by_pair: dict[tuple[int, int], int] = {}
        for many in range(dice + 1):
            rest, ways = dice - many, comb(dice, many)
            number_by_pair[lent + many, 0] = ways * below**rest
            up_to = below
            for face in range(self.thrown.difficulty, self.thrown.top + 1):
                if face != self.number:
                    number_by_pair[lent + many, face] = ways * ((up_to + 1) ** rest - up_to**rest)
                    up_to += 1
        return {outcome: rolls for outcome, rolls in number_by_pair.items() if rolls}


class Laid(ByFace[Lies, Lies], frozen=True):
    """The whole table: sets, widest first, and single dice, highest first."""

    begin = ((), ())

    def go_on(self, state: Lies, face: int, rolled: int) -> Lies:
        sets, singles = state
        width = rolled + self.thrown.lent[face - 1]
        if width >= 2:
            return tuple(sorted((*sets, (width, face)), reverse=True)), singles
        return (sets, (face, *singles)) if rolled else state

    def end(self, state: Lies) -> Lies:
        return state


def arranged(lies: Lies, actions: int) -> tuple[Swift, ...]:
    """A set for each of several actions, widest first and broken up if too few; each has its own waste die, highest first."""
    sets, singles = list(lies[0]), list(lies[1])
    while len(sets) < actions and sets and sets[0][0] >= 4:
        width, height = sets.pop(0)
        sets = sorted([*sets, (width - 2, height), (2, height)], reverse=True)
    used, unused = sets[:actions], sets[actions:]
    waste = sorted([*singles, *[height for width, height in unused for _ in range(width)]], reverse=True)
    return tuple([(width, height, waste[place] if place < len(waste) else 0) for place, (width, height) in enumerate(used)])
