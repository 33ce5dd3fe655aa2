"""Trades where one roll serves several actions: its sets as they lie, or after the one thing that may be done with them (lines 325-332,
522-537)."""

from collections import Counter
from functools import lru_cache
from itertools import product

from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sets import Set
from rulewright.systems.ore.resolution.readings import STEP, Trades, by_face
from rulewright.systems.ore.resolution.salvos import Free, Several, places, split

Arranged = tuple[Set, ...]
"""The sets that are used, the widest first."""
_Lies = tuple[tuple[Set, ...], Faces]
"""All sets on the table, and single dice that a free die could still match."""


class Bargained(Reading[tuple[Arranged, ...]], frozen=True):
    """Everything that a roll for several actions can come to: as the dice lie first, then after each trade; nothing without a set."""

    several: Several

    def sides(self) -> tuple[int, ...]:
        return self.several.sides()

    def _go_on(self, state: _Lies, face: int, rolled: int) -> _Lies:
        sets, loose = state
        width = rolled + self.several.fixed(face)
        if width >= 2:
            return (*sets, (width, face)), loose
        if width == 1 and any(face in faces for faces in self.several.free):
            return sets, tuple(sorted((*loose, face), reverse=True)[: len(self.several.free)])
        return state

    def _ways(self, state: _Lies) -> tuple[Arranged, ...]:
        read, thrown = self.several, self.several.thrown
        lowest = 1 if thrown.trades.squashed_below_difficulty else thrown.difficulty
        return bargains(*state, read.free, read.most, read.break_up, thrown.difficulty, thrown.trades, lowest, thrown.top)

    def read(self, faces: Faces) -> tuple[Arranged, ...]:
        state: _Lies = ((), ())
        for face, rolled in enumerate(self.several.thrown.counted(faces), self.several.thrown.difficulty):
            state = self._go_on(state, face, rolled)
        found = self._ways(state)
        if not found:
            run = self.several.read(faces)
            return (run,) if run else ()
        return found

    def weights(self) -> Weights[tuple[Arranged, ...]]:
        begin: _Lies = ((), ())
        found: dict[tuple[Arranged, ...], int] = {}
        for state, rolls in by_face(self.several.thrown, begin, self._go_on).items():
            ways = self._ways(state)
            found[ways] = found.get(ways, 0) + rolls
        if self.several.thrown.run and found.get(()):
            for shown, rolls in self.several.thrown.no_set():
                top = self.several.thrown.run_of(shown)
                if top:
                    found[()] -= rolls
                    found[((1, top),),] = found.get((((1, top),),), 0) + rolls
        return {ways: rolls for ways, rolls in found.items() if rolls}

    def kept(self, faces: Faces) -> tuple[int, ...]:
        return self.several.kept(faces)


@lru_cache(maxsize=100_000)
def bargains(
    sets: tuple[Set, ...], loose: Faces, free: Free, most: int, break_up: bool, difficulty: int, trades: Trades, lowest: int, top: int
) -> tuple[Arranged, ...]:
    """The arrangement of most sets and dice, and what it becomes by giving a set up, squashing one or squishing one."""
    lying = _lying(sets, loose, free, most, break_up, difficulty)
    if not lying:
        return ()
    plain = _used(lying, most, break_up)
    found = [plain]
    if trades.full_house:
        for wide, high in lying:
            for given_up in [one for one in lying if one[1] < high]:
                rest = [one for one in lying if one not in (given_up, (wide, high))]
                found.append(_used([*rest, (wide + 1, high)], most, break_up))
    for place, (width, height) in enumerate(plain):
        others = [*plain[:place], *plain[place + 1 :]]
        if trades.squash and height - STEP >= lowest:
            found.append(_sorted([*others, (width + 1, height - STEP)]))
        if trades.squish and width > 2 - trades.squished_to_one and height < top:
            found.append(_sorted([*others, (width - 1, min(height + STEP, top))]))
    ways = tuple(dict.fromkeys(found))
    return (plain, *[way for way in ways if way != plain and not any(_better(other, way) for other in ways)])


def _lying(sets: tuple[Set, ...], loose: Faces, free: Free, most: int, break_up: bool, difficulty: int) -> list[Set]:
    """All sets on the table, with the dice that are set after the roll where they bring most sets, then most dice."""
    best: tuple[int, int, Arranged] = (0, 0, ())
    found: list[Set] = []
    for placed in product(*[places(faces, sets, loose, difficulty) for faces in free]):
        dice = Counter(placed)
        widths = [(width + dice.pop(face, 0), face) for width, face in sets]
        widths += [(1 + dice.pop(face, 0), face) for face in loose]
        widths += [(width, face) for face, width in dice.items()]
        lying = sorted([one for one in widths if one[0] >= 2], reverse=True)
        used = _used(lying, most, break_up)
        worth = (len(used), sum([width for width, _ in used]), used)
        if worth > best:
            best, found = worth, lying
    return found


def _used(lying: list[Set], most: int, break_up: bool) -> Arranged:
    return _sorted(split(lying, most) if break_up else lying)[:most]


def _sorted(sets: list[Set]) -> Arranged:
    return tuple(sorted(sets, reverse=True))


def _better(other: Arranged, way: Arranged) -> bool:
    """Whether every set of one is as wide and as high as that of another in its place, and it is not the same."""
    return (
        other != way
        and len(other) == len(way)
        and all(a >= b for one, two in zip(other, way, strict=True) for a, b in zip(one, two, strict=True))
    )
