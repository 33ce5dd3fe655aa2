"""Rolls of mooks in forecasts, counted by the Widths of their sets.

Their targets depend only on the number and Widths of sets. So each pattern is played once with hidden Heights; then the Heights are
counted by location and order, because a hit takes a die from the highest set.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.play import Play, sub
from rulewright.play.cache import cached
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.scene import Solve
from rulewright.systems.ore.combat.fighters import Fight, Pending
from rulewright.systems.ore.combat.mooks import mook_dice, mook_sets
from rulewright.systems.ore.drama.determination import waste_counts
from rulewright.systems.ore.fight.forecast.applicability import Unseen
from rulewright.systems.ore.fight.resolution.mooks import aimed, in_range, more_dice, read_with_waste, with_waste
from rulewright.systems.ore.resolution.outcomes import sides

Sets = tuple[Pending, ...]
Weights = dict[Sets, int]
Widths = tuple[int, ...]
Parts = tuple[tuple[int, ...], ...]
Swift = tuple[int, int, int]
"""A set with its waste die; 0 where none decides Speed."""


MOST_FALLS = 15_000
"""More sets that differ, each with its Heights, are not counted: it takes longer than anybody waits, and nothing could stop it."""


class _Height(int):
    """A Height that can be written down but not looked at."""

    def _unseen(self, *_: object) -> Any:
        raise Unseen

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _unseen
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __index__ = __bool__ = _unseen


def turn_of_mooks(rules: Ruleset, fight: Fight, name: str, widths: Widths, wastes: tuple[int, ...]) -> Play[Sets]:
    """Whom a group of mooks attacks that has sets of these Widths and waste dice, whatever Heights they have: each with its place instead
    of a Height."""
    group = fight.group(name)
    assert group is not None
    lie = tuple([(width, _Height(place), waste) for place, (width, waste) in enumerate(zip(widths, wastes, strict=True))])
    pendings = yield from aimed(rules, fight, group, in_range(rules, fight, group), lie)
    if any(isinstance(part, _Height) for pending in pendings for part in pending.speed):
        raise Unseen
    return tuple([replace(pending, height=place) for place, pending in enumerate(pendings)])


def fall_of_mooks(rules: Ruleset, fight: Fight, name: str, solve: Solve, parts: Parts) -> Odds[Sets] | None:
    """The sets of a group of mooks with the weights; `parts` says which Heights come to the same, the highest first. None where they
    have nobody within reach."""
    group = fight.group(name)
    assert group is not None
    people = in_range(rules, fight, group)
    if not people:
        return None
    dice = mook_dice(group.mob, more_dice(rules, fight, group, people).dice)
    if number_of_falls(dice, sides(rules), parts) > MOST_FALLS:
        return Odds({}, 1, 1)
    counter = Counter[Sets]()
    turns: dict[tuple[Widths, tuple[int, ...]], Sets] = {}
    counted = solve(sub(falls, rules, dice, group.mob.threat, parts))
    if counted.unsettled:
        return Odds({}, 1, 1)
    (fallen,) = counted.weights
    for sets, ways in fallen:
        looks = tuple([width for width, _, _ in sets]), tuple([waste for _, _, waste in sets])
        if looks not in turns:
            odds = solve(sub(turn_of_mooks, rules, fight, name, *looks))
            if odds.unsettled:
                return Odds({}, 1, 1)
            (turns[looks],) = odds.weights
        counter[tuple([replace(pending, height=height) for pending, (_, height, _) in zip(turns[looks], sets, strict=True)])] += ways
    return Odds(counter, sides(rules) ** dice)


def falls(rules: Ruleset, dice: int, threat: int, parts: Parts) -> Play[tuple[tuple[tuple[Swift, ...], int], ...]]:
    """The sets that a group of mooks may roll, with their weights: asked for as a part, so that they are counted once."""
    yield from ()
    return tuple((_swift_falls if waste_counts(rules) else _falls)(rules, dice, threat, parts).items())


def _falls(rules: Ruleset, dice: int, threat: int, parts: Parts) -> Counter[tuple[Swift, ...]]:
    """The sets that a group of mooks rolls, with Heights that stand for all that come to the same."""
    counter = Counter[tuple[Swift, ...]]()
    for widths, ways in patterns(dice, sides(rules)):
        for heights, many in _heights(widths, parts):
            sets = mook_sets(rules, tuple(zip(widths, heights, strict=True)), threat)
            counter[tuple([(width, height, 0) for width, height in sets])] += ways * many
    return counter


def _swift_falls(rules: Ruleset, dice: int, threat: int, parts: Parts) -> Counter[tuple[Swift, ...]]:
    """The same where waste dice decide Speed."""
    counter = Counter[tuple[Swift, ...]]()
    if not dice:
        return Counter({(): 1})
    for fell, ways in weights_of(read_with_waste(rules, dice)).items():
        counter[_alike(with_waste(rules, threat, fell), parts)] += ways
    return counter


def _alike(sets: tuple[Swift, ...], parts: Parts) -> tuple[Swift, ...]:
    """The same sets with Heights that stand for all that come to the same: in the same parts, and in the same order."""
    shown = sorted({height for _, height, _ in sets}, reverse=True)
    stands: dict[int, int] = {}
    for part in parts:
        stands |= dict(zip([height for height in shown if height in part], part, strict=False))
    return tuple([(width, stands[height], waste) for width, height, waste in sets])


@cached(200)
def patterns(dice: int, sides: int) -> tuple[tuple[Widths, int], ...]:
    """The Widths of all sets that so many dice can show, the widest first, and in how many ways if it is said which faces they show."""
    pairs = []
    for widths in _widths(dice, dice):
        left, loose = sides - len(widths), dice - sum(widths)
        if left >= 0 and loose <= left:
            pairs.append((widths, factorial(dice) // prod([factorial(width) for width in widths]) * comb(left, loose)))
    return tuple(pairs)


def _widths(dice: int, most: int) -> Iterator[Widths]:
    yield ()
    for width in range(min(dice, most), 1, -1):
        for rest in _widths(dice - width, width):
            yield (width, *rest)


@cached(200)
def number_of_falls(dice: int, sides: int, parts: Parts) -> int:
    """How many sets there are to be counted for so many dice, with the Heights that stand for others."""
    chosen = [1]  # for so many sets, in how many ways they may lie in parts of which each has room for so many
    for part in parts:
        chosen = [
            sum(chosen[many - here] for here in range(len(part) + 1) if 0 <= many - here < len(chosen))
            for many in range(len(chosen) + len(part))
        ]
    return sum(chosen[len(widths)] * _orders_of(widths) for widths, _ in patterns(dice, sides))


def _orders_of(widths: Widths) -> int:
    """In how many ways sets may be ordered by Height, those of equal Width as they lie."""
    return factorial(len(widths)) // prod([factorial(many) for many in Counter(widths).values()])


@cached(2000)
def _heights(widths: Widths, parts: Parts) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The Heights of sets of these Widths, of equal ones the highest first: those that stand for all that come to the same, and for how
    many each stands."""
    pairs = []
    for chosen in combinations_with_replacement(range(len(parts)), len(widths)):
        many = Counter(chosen)
        if any(number > len(parts[part]) for part, number in many.items()):
            continue
        faces = [face for part, number in many.items() for face in parts[part][:number]]
        ways = prod([comb(len(parts[part]), number) for part, number in many.items()])
        pairs += [(tuple([faces[rank] for rank in ranks]), ways) for ranks in _ranks(widths)]
    return tuple(pairs)


@cached(500)
def _ranks(widths: Widths) -> tuple[tuple[int, ...], ...]:
    """All ways in which sets may be ordered by Height, those of equal Width as they lie: for each its rank from the highest."""
    places = {width: [place for place, number in enumerate(widths) if number == width] for width in widths}
    return tuple([_ranked(order, places) for order in _orders(tuple(sorted(widths)))])


def _orders(widths: Widths) -> Iterator[Widths]:
    if not widths:
        yield ()
    for width in dict.fromkeys(widths):
        at = widths.index(width)
        for rest in _orders(widths[:at] + widths[at + 1 :]):
            yield (width, *rest)


def _ranked(order: Widths, places: dict[int, list[int]]) -> tuple[int, ...]:
    ranks, taken = [0] * len(order), Counter[int]()
    for rank, width in enumerate(order):
        ranks[places[width][taken[width]]] = rank
        taken[width] += 1
    return tuple(ranks)
