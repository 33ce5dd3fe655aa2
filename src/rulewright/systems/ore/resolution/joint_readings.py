"""Joint readings: opposed and cooperative rolls."""

from collections.abc import Iterable
from math import comb

from rulewright.dice.limits import bound
from rulewright.dice.reading import Faces, Reading, Weights, weights_of
from rulewright.dice.sets import Set
from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.systems.ore.resolution.readings import Aim, Offered, Thrown, and_a_face, countered


class Fronts(Offered, frozen=True):
    """The Pareto-optimal sets by Width and Height, highest first."""

    def chosen(self, sets: list[Set]) -> tuple[Set, ...]:
        return front(sets)


def front(sets: list[Set]) -> tuple[Set, ...]:
    """The Pareto-optimal sets, highest first."""
    pairs: list[Set] = []
    widest = 0
    for width, height in sorted(sets, key=lambda pair: (-pair[1], -pair[0])):
        if width > widest:
            pairs.append((width, height))
            widest = width
    return tuple(pairs)


class Countering(Reading[Set | None], frozen=True):
    """The rest of an active roll after opposition: the best surviving set, or None. The active side chooses the set; the opponent
    counters with the widest set that reaches it."""

    active: tuple[Set, ...]
    opponent: Fronts
    aim: Aim = "widest"
    spoiled_at: int = 1

    def sides(self) -> tuple[int, ...]:
        return self.opponent.sides()

    def read(self, faces: Faces) -> Set | None:
        return self.left(self.opponent.read(faces))

    def left(self, counters: tuple[Set, ...]) -> Set | None:
        """The best set that these counter sets leave."""
        return self._best([_reaching(counters, height) for _, height in self.active])

    def _best(self, widths: Iterable[int]) -> Set | None:
        """The best of the active sets after so many counter dice against each."""
        best: Set | None = None
        for pair, width in zip(self.active, widths, strict=True):
            left = countered(pair, (width, pair[1]), self.spoiled_at) if width else pair
            if left is not None and (best is None or self._key(left) > self._key(best)):
                best = left
        return best

    def _key(self, pair: Set) -> Set:
        return pair if self.aim == "widest" else (pair[1], pair[0])

    def weights(self) -> Weights[Set | None]:
        result: dict[Set | None, int] = {}
        for widths, rolls in _reach(self.opponent, tuple([height for _, height in self.active])).items():
            left = self._best(widths)
            result[left] = result.get(left, 0) + rolls
        return result


def _reaching(counters: tuple[Set, ...], height: int) -> int:
    """How wide the widest set is that reaches this Height; the highest comes first in a front, the widest last."""
    return next((width for width, high in reversed(counters) if high >= height), 0)


@cached(4096)
def _reach(opponent: Fronts, heights: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """How wide a set an opponent rolls that reaches each of these Heights, and in how many rolls."""
    result: dict[tuple[int, ...], int] = {}
    for counters, rolls in weights_of(opponent).items():
        widths = tuple([_reaching(counters, height) for height in heights])
        result[widths] = result.get(widths, 0) + rolls
    return result


class Team(Reading[Set | None], frozen=True):
    """Helpers' dice together: the narrowest of their widest sets, plus a die from everybody who can match it."""

    members: tuple[Thrown, ...]

    def __post_init__(self) -> None:
        bound("the number of helpers", len(self.members), 1, 12)
        if len({(member.top, member.difficulty) for member in self.members}) > 1:
            raise UserError("all helpers must roll the same dice against the same Difficulty")

    def sides(self) -> tuple[int, ...]:
        return tuple([member.top for member in self.members for _ in range(member.dice)])

    def read(self, faces: Faces) -> Set | None:
        at, rolls = 0, []
        for member in self.members:
            rolls.append(member.counted(faces[at : at + member.dice]))
            at += member.dice
        difficulty = self.members[0].difficulty
        widest = [
            max([(n + m.lent[f - 1], f) for f, n in enumerate(counts, difficulty) if n + m.lent[f - 1] >= 2], default=None)
            for m, counts in zip(self.members, rolls, strict=True)
        ]
        sets = [pair for pair in widest if pair is not None]
        if not sets:
            return None
        width, height = min(sets)
        baseline = widest.index((width, height))
        more = sum(
            1
            for place, (m, counts) in enumerate(zip(self.members, rolls, strict=True))
            if place != baseline and counts[height - difficulty] + m.lent[height - 1] >= 1
        )
        return width + more, height

    def weights(self) -> Weights[Set | None]:
        """For every possible base set: who has it, who has wider sets or none, and who can match its Height."""
        members = self.members
        first, top = members[0].difficulty, members[0].top
        total = top ** sum(member.dice for member in members)
        number_by_pair: dict[Set | None, int] = {}
        for width in range(2, max(m.dice + max(m.lent) for m in members) + 1):
            for height in range(first, top + 1):
                for more, rolls in self._as_baseline(width, height).items():
                    number_by_pair[width + more, height] = number_by_pair.get((width + more, height), 0) + rolls
        nobody = total - sum(number_by_pair.values())
        if nobody:
            number_by_pair[None] = nobody
        return {result: rolls for result, rolls in number_by_pair.items() if rolls}

    def _as_baseline(self, width: int, height: int) -> dict[int, int]:
        """The rolls in which this set is the baseline, by how many others add a die."""
        # (whether somebody has the baseline yet, dice added) -> rolls; the first in order who has it is the baseline
        states: dict[tuple[bool, int], int] = {(False, 0): 1}
        for member in self.members:
            just, without, matched = _beside(member, width, height)
            grown: dict[tuple[bool, int], int] = {}
            for (flag, more), ways in states.items():
                for key, rolls in (((True, more + flag), just), ((flag, more), without), ((flag, more + 1), matched)):
                    if rolls:
                        grown[key] = grown.get(key, 0) + ways * rolls
            states = grown
        return {more: ways for (flag, more), ways in states.items() if flag}


@cached(4096)
def _beside(member: Thrown, width: int, height: int) -> tuple[int, int, int]:
    """The rolls in which a helper's widest set is just this one; and those with a wider one or none, without and with a matching die."""
    dice, lent = member.dice, member.lent[height - 1]

    def rolls(matching: range, below: int, above: int) -> int:
        """All dice with so many on the height, where no face below it shows more than this, and none above it."""
        ways = [(member.difficulty - 1) ** n for n in range(dice + 1)]
        for face in range(member.difficulty, member.top + 1):
            if face != height:
                ways = and_a_face(ways, (below if face < height else above) - member.lent[face - 1])
        return sum(comb(dice, n) * ways[dice - n] for n in matching if 0 <= n <= dice)

    def wider_or_none(matching: range) -> int:
        """All rolls, less those without a set that comes after this one in the order, and again those without any."""
        first, last, most = matching.start, matching.stop, dice + max(member.lent)
        within = rolls(range(first, min(last, width - lent + 1)), width, width - 1)
        return rolls(matching, most, most) - within + rolls(range(first, min(last, 2 - lent)), 1, 1)

    just = rolls(range(width - lent, width - lent + 1), width, width - 1)
    bare, some = (range(1) if lent == 0 else range(0)), range(1 if lent == 0 else 0, dice + 1)
    return just, wider_or_none(bare), wider_or_none(some)
