"""Readings of a pool with their exact weights. The rules are in `tests` and `contests`.

A player who chooses one set puts every die that can be set after the roll there. So a Special Die is *lent* to each face it could show:
a Master Die to all, an Expert Die to the top, a nudged one to the top and those just below. The value of each face then depends on that
face alone, and the weights follow face by face.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, factorial
from operator import mul
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct

from rulewright.dice.limits import bound
from rulewright.dice.reading import Faces, Reading, Weights
from rulewright.dice.sets import CHOOSE, Set
from rulewright.play.cache import cached

R = TypeVar("R")
S = TypeVar("S")

MOST_DICE = 15
"""As many dice as the book advises a Game Master to own."""
IN_A_ROW = 3
STEP = 2
"""Height per point of Width in trades."""

Aim = Literal["widest", "highest"]


class Trades(Struct, frozen=True, cache_hash=True, gc=False):
    """Allowed changes to a roll; at most one trade is used."""

    full_house: bool = False
    squash: bool = False
    squish: bool = False
    squashed_below_difficulty: bool = False
    squished_to_one: bool = False
    """A set of two may be squished, where a single die is still a Minimal Success."""
    squash_width: int = 1
    """Points of Width that two of Height are traded for."""
    wider: int = 0
    """What every set gains of Width whatever is done with it; likewise of Height, up to the highest face."""
    higher: int = 0
    floor: int = 0
    """The Height to which every lower set is raised."""
    shift: int = 0
    """How far the Height of a set may be moved up or down."""

    def __bool__(self) -> bool:
        return self.full_house or self.squash or self.squish or self.gains

    @property
    def gains(self) -> bool:
        """Whether sets count for other than the dice that lie there."""
        return bool(self.wider or self.higher or self.floor or self.shift)

    def gained(self, width: int, height: int, top: int, lowest: int = 1) -> list[Set]:
        """The sets that a set counts as: wider, higher, no lower than a floor; and moved up or down where that is allowed."""
        moved = range(height - self.shift, height + self.shift + 1) if self.shift else (height,)
        pairs = [(width + self.wider, min(top, max(number + self.higher, self.floor))) for number in moved if lowest <= number <= top]
        return sorted(dict.fromkeys(pairs), reverse=True)


class Thrown(Struct, frozen=True, cache_hash=True, gc=False):
    """The dice of one roll: rolled, lent, and the Difficulty that discards low dice."""

    dice: int
    lent: tuple[int, ...] = (0,) * 10
    """At each face, from 1 upwards, how many dice that are not rolled could show it."""
    difficulty: int = 1
    run: bool = False
    failsafe: bool = False
    """A die is set after the roll to a face that was not rolled."""
    trades: Trades = Trades()

    def __post_init__(self) -> None:
        bound("the number of rolled dice", self.dice, 0, MOST_DICE)
        bound("the sides of a die", len(self.lent), 2, 10)
        bound("the Difficulty", self.difficulty, 1, len(self.lent))
        bound("the dice lent to one face", max(self.lent), 0, MOST_DICE)

    @property
    def top(self) -> int:
        """The highest face."""
        return len(self.lent)

    def counted(self, faces: Faces) -> tuple[int, ...]:
        """How many rolled dice show each face from the Difficulty upwards."""
        shown = [0] * (len(self.lent) + 1)
        for face in faces:
            shown[face] += 1
        return tuple(shown[self.difficulty :])

    def offers(self, face: int, rolled: int, set_below: bool) -> list[Set]:
        """The sets that a face offers: as rolled, and after each trade that is allowed."""
        width = rolled + self.lent[face - 1]
        if width < 2:
            return []
        pairs, trades = [(width, face)], self.trades
        if trades.full_house and set_below:
            pairs.append((width + 1, face))
        lowest = 1 if trades.squashed_below_difficulty else self.difficulty
        if trades.squash and face - STEP >= lowest:
            pairs.append((width + trades.squash_width, face - STEP))
        if trades.squish and width > 2 - trades.squished_to_one and face < self.top:
            pairs.append((width - 1, min(face + STEP, self.top)))
        return [gained for pair in pairs for gained in trades.gained(*pair, self.top, self.difficulty)] if trades.gains else pairs

    def all_offers(self, counts: tuple[int, ...]) -> list[Set]:
        """Every set that can be chosen from these dice."""
        pairs: list[Set] = []
        below = False
        lent = self.lent
        for face, rolled in enumerate(counts, self.difficulty):
            if rolled + lent[face - 1] >= 2:
                pairs += self.offers(face, rolled, below)
                below = below or rolled >= 2
        return pairs

    def run_of(self, shown: frozenset[int]) -> int:
        """The top of the highest Run among faces that are all different, helped by a die that is not rolled; 0 without one."""
        if self.failsafe:
            helpers = [face for face in range(self.difficulty, self.top + 1) if face not in shown]
        else:
            helpers = [face for face in range(self.difficulty, self.top + 1) if self.lent[face - 1]]
        return max([_run_in(shown), *[_run_in(shown | {face}) for face in helpers]])

    def shown(self, counts: tuple[int, ...]) -> frozenset[int]:
        """The faces that any rolled die shows, from the Difficulty upwards."""
        return frozenset([face for face, rolled in enumerate(counts, self.difficulty) if rolled])

    def no_set(self) -> Iterator[tuple[frozenset[int], int]]:
        """The rolls without a set: the faces shown from the Difficulty upwards, and how many rolls show them."""
        open_to = [face for face in range(self.difficulty, self.top + 1) if self.lent[face - 1] == 0]
        closed = [face for face in range(self.difficulty, self.top + 1) if self.lent[face - 1] > 1]
        if closed:
            return  # two dice lent to one face are a set whatever is rolled
        for many in range(min(self.dice, len(open_to)) + 1):
            rest = (self.difficulty - 1) ** (self.dice - many)
            rolls = comb(self.dice, many) * factorial(many) * rest
            if rolls:
                for shown in combinations(open_to, many):
                    yield frozenset(shown), rolls


def _run_in(shown: frozenset[int]) -> int:
    return max((face for face in shown if all(face - step in shown for step in range(IN_A_ROW))), default=0)


def by_face(thrown: Thrown, begin: S, go_on: Callable[[S, int, int], S]) -> dict[S, int]:
    """Goes through the faces from the Difficulty upwards with every number of dice, and counts the rolls to each end. `go_on(state,
    face, rolled)` gives the next state; equal states are merged."""
    dice = thrown.dice
    states: dict[tuple[S, int], int] = {}
    for low in range(dice + 1):  # how many dice lie below the Difficulty
        ways = comb(dice, low) * (thrown.difficulty - 1) ** low
        if ways:
            states[begin, dice - low] = ways
    for face in range(thrown.difficulty, thrown.top + 1):
        grown: dict[tuple[S, int], int] = {}
        last = face == thrown.top
        for (state, left), ways in states.items():
            for rolled in (left,) if last else range(left + 1):
                key = (go_on(state, face, rolled), left - rolled)
                grown[key] = grown.get(key, 0) + ways * comb(left, rolled)
        states = grown
    ends: dict[S, int] = {}
    for (state, _), ways in states.items():
        ends[state] = ends.get(state, 0) + ways
    return ends


class OfPool(Reading[R], frozen=True):
    """A reading of the dice of one roll."""

    thrown: Thrown

    def sides(self) -> tuple[int, ...]:
        return (self.thrown.top,) * self.thrown.dice


class ByFace(OfPool[R], Generic[S, R], frozen=True):
    """A reading face by face: initial state, transition and final value. Without a value a Run may count."""

    begin: ClassVar[Any] = ()
    nothing: ClassVar[Any] = ()

    def go_on(self, state: S, face: int, rolled: int) -> S:
        """The state after the faces seen so far, with this many dice on the next face."""
        raise NotImplementedError

    def end(self, state: S) -> R:
        """The value of all faces seen."""
        raise NotImplementedError

    def ran(self, shown: frozenset[int]) -> R | None:
        """The value of a Run among these faces; None where there is none, or it counts for nothing."""
        return None

    def read(self, faces: Faces) -> R:
        state = self.begin
        counts = self.thrown.counted(faces)
        for face, rolled in enumerate(counts, self.thrown.difficulty):
            state = self.go_on(state, face, rolled)
        result = self.end(state)
        ran = self.ran(self.thrown.shown(counts)) if self.thrown.run and result == self.nothing else None
        return result if ran is None else ran

    def counted(self) -> dict[Any, int]:
        """How many rolls come to each end, Runs aside."""
        result: dict[Any, int] = {}
        for state, rolls in by_face(self.thrown, self.begin, self.go_on).items():
            end = self.end(state)
            result[end] = result.get(end, 0) + rolls
        return result

    def weights(self) -> Weights[R]:
        result = self.counted()
        if self.thrown.run and result.get(self.nothing):
            for shown, rolls in self.thrown.no_set():
                ran = self.ran(shown)
                if ran is not None:
                    result[self.nothing] -= rolls
                    result[ran] = result.get(ran, 0) + rolls
        return {end: rolls for end, rolls in result.items() if rolls}


class Offered(ByFace[tuple[tuple[Set, ...], bool], tuple[Set, ...]], frozen=True):
    """The usable sets worth choosing between, also after trades; a Run if there is none."""

    begin = ((), False)

    def chosen(self, sets: list[Set]) -> tuple[Set, ...]:
        """Those worth choosing between."""
        raise NotImplementedError

    def go_on(self, state: tuple[tuple[Set, ...], bool], face: int, rolled: int) -> tuple[tuple[Set, ...], bool]:
        now, below = state
        more = _offers(self.thrown, face, rolled, below)
        return (self.chosen([*now, *more]) if more else now), below or rolled >= 2

    def end(self, state: tuple[tuple[Set, ...], bool]) -> tuple[Set, ...]:
        return state[0]

    def ran(self, shown: frozenset[int]) -> tuple[Set, ...] | None:
        top = self.thrown.run_of(shown)
        return ((1, top),) if top else None

    def read(self, faces: Faces) -> tuple[Set, ...]:
        counts = self.thrown.counted(faces)
        offered = self.thrown.all_offers(counts)
        return self.chosen(offered) if offered or not self.thrown.run else self.ran(self.thrown.shown(counts)) or ()


@cached(50_000)
def _offers(thrown: Thrown, face: int, rolled: int, set_below: bool) -> list[Set]:
    return thrown.offers(face, rolled, set_below)


class Around(Reading[R], frozen=True):
    """Another reading plus something that depends on all faces."""

    inner: Reading[Any]

    @property
    def thrown(self) -> Thrown:
        """The dice that are rolled."""
        return dice_of(self.inner)

    def sides(self) -> tuple[int, ...]:
        return self.inner.sides()

    def weights(self) -> Weights[R]:
        begin: Faces = ()
        outcome: dict[R, int] = {}
        for faces, rolls in by_face(self.looked_at(), begin, lambda shown, face, rolled: (*shown, *(face,) * rolled)).items():
            result = self.read(faces)
            outcome[result] = outcome.get(result, 0) + rolls
        return outcome

    def looked_at(self) -> Thrown:
        """The dice whose faces matter."""
        return self.thrown

    def kept(self, faces: Faces) -> tuple[int, ...]:
        return self.inner.kept(faces)


def dice_of(reading: Reading[Any]) -> Thrown:
    """The dice that a reading is of, whatever is read beside it."""
    result = getattr(reading, "thrown", None)
    assert isinstance(result, Thrown)
    return result


class BestFor(ByFace[tuple[Set | None, bool], Set | None], frozen=True):
    """The best set for an aim, a Run as Width 1; None for a failure.

    With `against` the set is chosen by its rest after those counter dice. With `at_least` sets of a lower Height do not count.
    """

    aim: Aim = "widest"
    against: Set | None = None
    spoiled_at: int = 1
    at_least: int = 1
    begin, nothing = (None, False), None

    def read(self, faces: Faces) -> Set | None:
        counts = self.thrown.counted(faces)
        offered = self.thrown.all_offers(counts)
        if offered:
            return self.best(None, offered)
        if self.thrown.run:
            return self.ran(self.thrown.shown(counts))
        return None

    def ran(self, shown: frozenset[int]) -> Set | None:
        """The set that a Run counts as where there is no set; None for none."""
        top = self.thrown.run_of(shown)
        return self.best(None, [(1, top)]) if top else None

    def best(self, now: Set | None, offered: list[Set]) -> Set | None:
        """The better of what stands and what is offered."""
        for pair in offered:
            left = countered(pair, self.against, self.spoiled_at) if self.against else pair
            if left is not None and left[1] >= self.at_least and (now is None or self.key(left) > self.key(now)):
                now = left
        return now

    def key(self, pair: Set) -> Set:
        """The key by which sets are compared: the width or the height first."""
        return pair if self.aim == "widest" else (pair[1], pair[0])

    def go_on(self, state: tuple[Set | None, bool], face: int, rolled: int) -> tuple[Set | None, bool]:
        """The best so far, and whether a lower set lies there that could be given up."""
        now, below = state
        return self.best(now, _offers(self.thrown, face, rolled, below)), below or rolled >= 2

    def end(self, state: tuple[Set | None, bool]) -> Set | None:
        return state[0]

    def counted(self) -> dict[Any, int]:
        return _plain(self) if not self.thrown.trades and self.against is None else super().counted()

    def kept(self, faces: Faces) -> tuple[int, ...]:
        """The dice that stand in the set chosen (with a trade: those that match its Height before it, where any do)."""
        best = self.read(faces)
        if best is None:
            return ()
        if self.thrown.trades.gains:
            counts = self.thrown.counted(faces)
            behind = [
                face for face, many in enumerate(counts, self.thrown.difficulty) if best in self.thrown.offers(face, many, set_below=True)
            ]
            return tuple(i for i, face in enumerate(faces) if behind and face == behind[-1])
        if best[0] == 1 and not any(n + self.thrown.lent[f - 1] >= 2 for f, n in Counter(faces).items()):
            return tuple(i for i, face in enumerate(faces) if best[1] - IN_A_ROW < face <= best[1])
        return tuple(i for i, face in enumerate(faces) if face == best[1])


def _plain(reading: BestFor) -> dict[Set | None, int]:
    """For every set that could be best, the rolls in which its face shows just its width and no other face beats it."""
    thrown, aim = reading.thrown, reading.aim
    dice, top, lent = thrown.dice, thrown.top, thrown.lent
    first = max(thrown.difficulty, reading.at_least)
    result: dict[Set | None, int] = {}
    left_over = top**dice
    anything = [(first - 1) ** n for n in range(dice + 1)]
    for width in range(2, dice + max(lent) + 1):
        above = {top: [1] + [0] * dice}
        for face in range(top, first, -1):
            above[face - 1] = and_a_face(above[face], (width if aim == "widest" else 2) - 1 - lent[face - 1])
        below = anything
        for height in range(first, top + 1):
            matching = width - lent[height - 1]
            apart = dice - matching
            if 0 <= matching <= dice:
                under = below if aim == "widest" else [(height - 1) ** n for n in range(apart + 1)]
                higher = above[height]
                rolls = comb(dice, matching) * sum(map(mul, map(mul, CHOOSE[apart], under), higher[apart::-1]))
                if rolls:
                    result[width, height] = rolls
                    left_over -= rolls
            if aim == "widest":
                below = and_a_face(below, width - lent[height - 1])
    if left_over:
        result[None] = left_over
    return result


def and_a_face(ways: list[int], most: int) -> list[int]:
    """The ways of so many dice to land, with one more face to land on that at most `most` of them may show."""
    return [sum(map(mul, row[: max(0, most + 1)], ways[n::-1])) for n, row in zip(range(len(ways)), CHOOSE, strict=False)]


def countered(result: Set, counter: Set, spoiled_at: int = 1) -> Set | None:
    """The rest of a set after counter dice; None if spoiled. They reach sets of their own Height and lower."""
    width, height = result
    if counter[1] < height:
        return result
    left = width - counter[0]
    return (left, height) if left > spoiled_at else None


class OrFaces(Around[tuple[Any, tuple[Set, ...]]], frozen=True):
    """A reading, or the faces if there is no set, for rerolls."""

    def read(self, faces: Faces) -> tuple[Any, tuple[Set, ...]]:
        fell = self.inner.read(faces)
        return fell, () if _holds_a_set(self.inner, fell) else tuple([(1, face) for face in sorted(faces)])

    def looked_at(self) -> Thrown:
        """All of them, for those below the Difficulty may be rolled again too."""
        return Thrown(self.thrown.dice, self.thrown.lent)


def _holds_a_set(reading: Reading[Any], fell: Any) -> bool:
    """Whether what a roll was read for is anything: a set, one among those that lie there, or the Width at a number."""
    if not fell:
        return False
    if isinstance(fell, int):
        return fell >= 2
    if isinstance(fell[0], int):
        return isinstance(reading, BestFor) or fell[0] >= 2
    return any(candidate[0] > 1 for candidate in fell) or not hasattr(
        reading, "keep"
    )  # a Run is a set of one; single dice that lie there are none


class HowManySets(ByFace[tuple[int, int, bool], int], frozen=True):
    """The most sets a roll can be broken into; `wild` dice show any face, one `nudged` die some. A Run serves one action."""

    wild: int = 0
    begin, nothing = (0, 0, False), 0

    def go_on(self, state: tuple[int, int, bool], face: int, rolled: int) -> tuple[int, int, bool]:
        sets, odd, helped = state
        lent = self.thrown.lent[face - 1] - self.wild
        if self._nudged:  # one die that could lie on any of these faces, and not on all at once
            helped = helped or (lent > 0 and rolled % 2 == 1)
            lent = 0
        width = rolled + lent
        return sets + width // 2, odd + width % 2, helped

    @property
    def _nudged(self) -> bool:
        return self.wild == 0 and sum(1 for lent in self.thrown.lent if lent) > 1

    def end(self, state: tuple[int, int, bool]) -> int:
        sets, odd, helped = state
        paired = min(self.wild, odd)
        return sets + paired + (self.wild - paired) // 2 + helped

    def ran(self, shown: frozenset[int]) -> int | None:
        return 1 if self.thrown.run_of(shown) else None


class Luck(Reading[int], frozen=True):
    """A Luck die: 1 at its highest face, -1 at its lowest, 0 otherwise."""

    die: int = 10

    def __post_init__(self) -> None:
        bound("the sides of a die", self.die, 2, 10)

    def sides(self) -> tuple[int, ...]:
        return (self.die,)

    def read(self, faces: Faces) -> int:
        return 1 if faces[0] == self.die else -1 if faces[0] == 1 else 0

    def weights(self) -> Weights[int]:
        return {-1: 1, 0: self.die - 2, 1: 1} if self.die > 2 else {-1: 1, 1: 1}
