"""Readings of one roll for several attacks, and of dice that join others on the table."""

from collections import Counter
from itertools import product
from math import comb

from rulewright.dice.limits import bound
from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sets import Set
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.resolution.readings import ByFace
from rulewright.systems.ore.resolution.sets import broken_up
from rulewright.systems.ore.resolution.tests import Pool, ready_dice, special_dice, thrown

MOST_ATTACKS = 6
Free = tuple[Faces, ...]
"""Dice that are set after the roll, each with the faces it may show."""


class Several(ByFace["_State", tuple[Set, ...]], frozen=True):
    """A set for each attack, widest first.

    Sets are broken up if there are too few. `free` dice are set after the roll for most sets, then most dice. A Run is one set of Width
    1.
    """

    most: int = 3
    free: Free = ()
    break_up: bool = True
    begin = ((), ())

    def __post_init__(self) -> None:
        bound("the number of attacks", self.most, 1, MOST_ATTACKS)

    def go_on(self, state: "_State", face: int, rolled: int) -> "_State":
        """Keep what can still matter: the widest sets, and the highest single dice that a free die could match."""
        sets, loose = state
        width = rolled + self.fixed(face)
        if width >= 2:
            return tuple(sorted((*sets, (width, face)), reverse=True)[: self.most]), loose
        if width == 1 and any(face in faces for faces in self.free):
            return sets, tuple(sorted((*loose, face), reverse=True)[: len(self.free)])
        return state

    def fixed(self, face: int) -> int:
        """Expert Dice that lie on this face whatever is rolled."""
        return self.thrown.lent[face - 1] - sum([face in faces for faces in self.free])

    def end(self, state: "_State") -> tuple[Set, ...]:
        """The sets that are used, of those that lie there."""
        return _arranged(*state, self.free, self.most, self.thrown.difficulty, break_up=self.break_up)

    def ran(self, shown: frozenset[int]) -> tuple[Set, ...] | None:
        top = self.thrown.run_of(shown)
        return ((1, top),) if top else None

    def kept(self, faces: Faces) -> tuple[int, ...]:
        heights = {height for _, height in self.read(faces)}
        return tuple(i for i, face in enumerate(faces) if face in heights)


_State = tuple[tuple[Set, ...], Faces]
"""The sets, and single dice that could still be matched."""


def arrangement(sets: tuple[Set, ...], loose: Faces, free: Free, most: int, difficulty: int) -> tuple[Set, ...]:
    """The dice on the table arranged for so many actions: most sets, then most dice, then widest and highest."""
    return _arranged(sets, loose, free, most, difficulty, break_up=True)


@cached(100_000)
def _arranged(sets: tuple[Set, ...], loose: Faces, free: Free, most: int, difficulty: int, *, break_up: bool) -> tuple[Set, ...]:
    """The arrangement with most sets, of these with most dice, of these with the widest and highest."""
    best: tuple[int, int, tuple[Set, ...]] = (0, 0, ())
    for placed in product(*[places(faces, sets, loose, difficulty) for faces in free]):
        dice = Counter(placed)
        widths = [(width + dice.pop(face, 0), face) for width, face in sets]
        widths += [(1 + dice.pop(face, 0), face) for face in loose]
        widths += [(width, face) for face, width in dice.items()]
        lying = sorted([pair for pair in widths if pair[0] >= 2], reverse=True)
        pairs = tuple(sorted(split(lying, most) if break_up else lying, reverse=True)[:most])
        best = max(best, (len(pairs), sum([width for width, _ in pairs]), pairs))
    return best[2]


def places(faces: Faces, sets: tuple[Set, ...], loose: Faces, difficulty: int) -> Faces:
    """The faces worth setting a free die to: those that lie there, or else its highest."""
    lying = [face for face in (*[height for _, height in sets], *loose) if face in faces]
    return tuple(dict.fromkeys([*lying, max(faces)])) if max(faces) >= difficulty else tuple(lying)


def split(lying: list[Set], most: int) -> list[Set]:
    """Break the widest sets up until there is one for each attack, or none is wide enough."""
    pairs = list(lying)
    while len(pairs) < most:
        width, height = max(pairs, default=(0, 0))
        if width < 4:
            break
        pairs.remove((width, height))
        pairs += [(width - 2, height), (2, height)]
    return pairs


@cached(20_000)
def several(rules: Ruleset, pool: Pool, most: int, difficulty: int = 1, break_up: bool = True) -> Several | None:
    """The reading of a pool for several attacks; None without dice."""
    dice = thrown(rules, pool, difficulty)
    if dice is None:
        return None
    return Several(dice, most, free_dice(rules, pool), break_up)


def free_dice(rules: Ruleset, pool: Pool) -> Free:
    """Dice set after the roll: Master Dice show any face, one nudged die its lent faces."""
    ready = ready_dice(rules, pool)
    lent = special_dice(rules, ready.expert, ready.master, pool.several)
    faces = tuple(range(1, len(lent.lent) + 1))
    if lent.wild:
        return (faces,) * lent.wild
    nudged = tuple([face for face in faces if lent.lent[face - 1]])
    return (nudged,) if len(nudged) > 1 else ()


def thinned(sets: tuple[Set, ...], widest: int) -> tuple[Set, ...]:
    """The same sets with too wide ones broken up, wasting as few dice as possible, none below two."""
    most = max(widest, 2)
    pairs: list[Set] = []
    for width, height in sets:
        pairs += next(way.sets for way in broken_up(width, height) if all(part <= most for part, _ in way.sets))
    return tuple(sorted(pairs, reverse=True))


class Joining(Reading[tuple[Set, ...]], frozen=True):
    """Dice that join those on the table: every common face is a set; widest first."""

    lying: tuple[Set, ...]
    """How many dice show each face; single ones count too."""
    dice: int = 1
    die: int = 10

    def __post_init__(self) -> None:
        bound("the number of rolled dice", self.dice, 0, 12)

    def sides(self) -> tuple[int, ...]:
        return (self.die,) * self.dice

    def read(self, faces: Faces) -> tuple[Set, ...]:
        shown = Counter(faces)
        return tuple(sorted([(width + shown[face], face) for width, face in self.lying if shown[face]], reverse=True))

    def weights(self) -> Weights[tuple[Set, ...]]:
        states: dict[tuple[tuple[Set, ...], int], int] = {((), self.dice): 1}
        for width, face in self.lying:
            grown: dict[tuple[tuple[Set, ...], int], int] = {}
            for (sets, left), ways in states.items():
                for rolled in range(left + 1):
                    more = (*sets, (width + rolled, face)) if rolled else sets
                    key = (more, left - rolled)
                    grown[key] = grown.get(key, 0) + ways * comb(left, rolled)
            states = grown
        number_by_pairs: dict[tuple[Set, ...], int] = {}
        others = self.die - len(self.lying)
        for (sets, left), ways in states.items():
            rolls = ways * others**left
            if rolls:
                result = tuple(sorted(sets, reverse=True))
                number_by_pairs[result] = number_by_pairs.get(result, 0) + rolls
        return number_by_pairs

    def kept(self, faces: Faces) -> tuple[int, ...]:
        heights = {face for _, face in self.lying}
        return tuple(i for i, face in enumerate(faces) if face in heights)
