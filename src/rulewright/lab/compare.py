"""Compares two scenes: solved exactly if possible, otherwise sampled with common random numbers.

Common random numbers: a roll of the same character for the same purpose in the same round gets the same quantile in both scenes. Chance
then affects both alike, and the difference has a much smaller error than either result.
"""

import hashlib
import time
from bisect import bisect
from collections.abc import Callable, Generator
from itertools import accumulate
from math import sqrt
from random import SystemRandom
from typing import Any

from msgspec import Struct

from rulewright.dice.reading import weights_of
from rulewright.errors import UserError
from rulewright.lab.results import Chance, End, Fate, asked, ending, lost_by, sides_of
from rulewright.lab.sampling.batches import BATCH
from rulewright.lab.sampling.processes import in_order
from rulewright.lab.sampling.sample import MOST_STEPS, fights
from rulewright.lab.solver.exact import Solved, solve
from rulewright.lab.solver.state_graph import Progress, Report
from rulewright.lab.statistics import Sampled
from rulewright.play import Choice, Driver, Roll, Tactic, first_option
from rulewright.play.intervals import z_of
from rulewright.scenes.scene import Scene

SOLVE_STATES, SOLVE_SECONDS = 30_000, 20.0
"""The default budget to solve both scenes before they are sampled."""


class Variant(Struct, frozen=True):
    """A scene to compare: the scene, its start state, the tactic, and the last round."""

    scene: Scene[Any]
    state: Any
    decide: Tactic = first_option
    rounds: int | None = None


class Compared(Struct, frozen=True):
    """Both results, and the difference of each side's win chance: the second minus the first."""

    first: Solved | Sampled
    second: Solved | Sampled
    differences: dict[str, Chance]
    draw: Chance
    paired: bool
    """Whether they were sampled with common random numbers."""
    agreed: float | None = None
    """The share of paired fights that the same side won in both scenes."""

    @property
    def exact(self) -> bool:
        """Whether both are solved exactly."""
        return self.first.exact and self.second.exact

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = {
            "exact": self.exact,
            "first": self.first.public(),
            "second": self.second.public(),
            "difference": {side: chance.public() for side, chance in self.differences.items()},
            "draw": self.draw.public(),
            "paired": self.paired,
        }
        if self.agreed is not None:
            result["agreed"] = self.agreed
        return result


def compare(
    first: Variant,
    second: Variant,
    n: int | None = None,
    *,
    exact: bool | None = None,
    question: str = "losses",
    seed: int | None = None,
    precision: float | None = None,
    confidence: float = 0.95,
    steps: int = MOST_STEPS,
    workers: int = 1,
    states: int = SOLVE_STATES,
    seconds: float | None = SOLVE_SECONDS,
    progress: Report | None = None,
) -> Compared:
    """Compare two scenes: how much does the second differ from the first?

    By default both are solved if `states` and `seconds` allow it, and otherwise sampled n times (10,000 by default) with common random
    numbers. `exact` forces one of the two. With a `precision`, sampling ends when every difference is known within ± that, or after n.

    >>> from rulewright.lab.examples.coins import Coins, Lives
    >>> found = compare(Variant(Coins(), Lives(2, 2)), Variant(Coins(), Lives(3, 2)))
    >>> found.exact, f"{found.differences['left'].chance:+.4f}"
    (True, '+0.2963')
    >>> found = compare(Variant(Coins(), Lives(2, 2)), Variant(Coins(), Lives(3, 2)), 2_000, exact=False, seed=1)
    >>> low, high = found.differences["left"].interval
    >>> low < 0.2963 < high
    True
    """
    asked(question)
    n = fights(n, precision, confidence, steps, workers, paired=True)
    sides = [tuple(sides_of(variant.scene, variant.state)) for variant in (first, second)]
    if set(sides[0]) != set(sides[1]):
        raise UserError(f"both scenes need the same sides: one has {', '.join(sides[0])}, the other {', '.join(sides[1])}")
    if exact is not False:
        solved = []
        for variant in (first, second):
            limits: dict[str, Any] = {"states": states, "seconds": seconds}
            result = solve(
                variant.scene, variant.state, variant.decide, question=question, rounds=variant.rounds, progress=progress, **limits
            )
            solved.append(result)
            if result.interrupted or (exact is None and not result.exact):
                break
        if exact or all(candidate.exact for candidate in solved):
            return _solved(*solved) if len(solved) == 2 else _solved(solved[0], solved[0])
        if solved[-1].interrupted:
            raise KeyboardInterrupt
    return _played(
        Pairing(first, second, question, SystemRandom().getrandbits(63) if seed is None else seed, n, steps),
        precision,
        confidence,
        workers,
        progress,
    )


def _solved(first: Solved, second: Solved) -> Compared:
    def difference(item: Chance, other: Chance) -> Chance:
        return Chance(other.chance - item.chance, (other.interval[0] - item.interval[1], other.interval[1] - item.interval[0]))

    sides = dict.fromkeys((*first.sides, *second.sides))
    nothing = Chance(0.0, (0.0, 0.0))
    differences = {side: difference(first.sides.get(side, nothing), second.sides.get(side, nothing)) for side in sides}
    return Compared(first, second, differences, difference(first.draw, second.draw), False)


Pairs = dict[tuple[End | None, End | None], int]
"""The count of each pair of ends; None for a fight that did not end."""


def _played(pairing: "Pairing", precision: float | None, confidence: float, workers: int, progress: Report | None) -> Compared:
    pairs: Pairs = {}
    began = told = time.monotonic()
    done = 0
    interrupted = False
    batches: Generator[Pairs, None, None] = in_order(pairing, -(-pairing.n // BATCH), workers)
    try:
        for batch in batches:
            for pair, count in batch.items():
                pairs[pair] = pairs.get(pair, 0) + count
                done += count
            now = time.monotonic()
            if precision is None and (progress is None or now - told <= 0.1):
                continue
            widest = max(_width(chance) for chance in _differences(pairs, done, pairing.sides, confidence).values())
            if precision is not None and widest <= precision:
                break
            if progress is not None and now - told > 0.1:
                told = now
                if progress(Progress("fights", done, pairing.n, now - began, precision=widest)) is False:
                    interrupted = True
                    break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        batches.close()
    if not done:
        raise KeyboardInterrupt
    both = [_sampled(pairing, pairs, done, place, confidence, interrupted) for place in (0, 1)]
    differences = _differences(pairs, done, pairing.sides, confidence)
    draw = differences.pop(None)
    agreed = sum(count for (end, other), count in pairs.items() if end and other and end.winner == other.winner) / done
    named = {side: chance for side, chance in differences.items() if side is not None}
    return Compared(both[0], both[1], named, draw, True, agreed)


def _width(chance: Chance) -> float:
    return (chance.interval[1] - chance.interval[0]) / 2


def _sampled(pairing: "Pairing", pairs: Pairs, n: int, place: int, confidence: float, interrupted: bool) -> Sampled:
    counts: dict[End, int] = {}
    cut = 0
    for pair, count in pairs.items():
        end = pair[place]
        if end is None:
            cut += count
        else:
            counts[end] = counts.get(end, 0) + count
    members = {side: len(names) for side, names in pairing.members[place].items()}
    return Sampled(
        pairing.question, members, n, counts, cut, pairing.seed, "steps, the same luck", confidence=confidence, interrupted=interrupted
    )


def _differences(pairs: Pairs, n: int, sides: tuple[str, ...], confidence: float) -> dict[str | None, Chance]:
    """The mean difference of each side and its interval; a fight that did not end could have ended in any way."""
    difference_by_side: dict[str | None, Chance] = {}
    for side in (*sides, None):
        gained = lost = cut = 0
        for (end, other), count in pairs.items():
            if end is None or other is None:
                cut += count
            elif end.winner != other.winner:
                gained += count if other.winner == side else 0
                lost += count if end.winner == side else 0
        mean = (gained - lost) / n
        reach = z_of(confidence) * sqrt(max(0.0, (gained + lost + 1) / n - mean * mean) / n)
        difference_by_side[side] = Chance(mean, (max(-1.0, mean - reach - cut / n), min(1.0, mean + reach + cut / n)))
    return difference_by_side


class Pairing:
    """Plays batches of pairs. It is pickled as its arguments."""

    def __init__(self, first: Variant, second: Variant, question: str, seed: int, n: int, steps: int) -> None:
        self._made_of = (first, second, question, seed, n, steps)
        self.question = question
        self.seed = seed
        self.n = n
        self.members = [sides_of(variant.scene, variant.state) for variant in (first, second)]
        self.sides = tuple(self.members[0])
        self.fights = [_Fights(variant, question, sides, steps) for variant, sides in zip((first, second), self.members, strict=True)]

    def __reduce__(self) -> Any:
        return Pairing, self._made_of

    def __call__(self, number: int) -> Pairs:
        """Play a batch."""
        result: Pairs = {}
        for fight in range(number * BATCH, min(self.n, (number + 1) * BATCH)):
            luck = f"{self.seed}/{fight}"
            pair = (self.fights[0].play(luck), self.fights[1].play(luck))
            result[pair] = result.get(pair, 0) + 1
        return result


class _Fights:
    def __init__(self, variant: Variant, question: str, sides: dict[str, tuple[str, ...]], steps: int) -> None:
        self.variant = variant
        self.steps = steps
        self.fate_of: Callable[[Any], Fate | None] = ending(variant.scene, question, sides)
        self.lost = lost_by(variant.scene, question, sides)
        self.driver = SameLuck(variant.decide)

    def play(self, luck: str) -> End | None:
        """Play one fight with these random numbers."""
        scene, state, limit = self.variant.scene, self.variant.state, self.variant.rounds
        driver = self.driver
        driver.begin(luck)
        at = scene.round(state)
        for _ in range(self.steps):
            fate = self.fate_of(state)
            if fate is not None:
                return End.of(fate, at)
            at = scene.round(state)
            if limit is not None and at > limit:
                return End(None, self.lost(state), limit)
            driver.moment = at
            state = driver.run(scene.step(state))
        return None


class SameLuck(Driver):
    """Rolls with common random numbers: the quantile depends on the fight, the round, the character, the purpose, and the count."""

    def __init__(self, decide: Tactic) -> None:
        self._decide = decide
        self._tables: dict[Any, tuple[list[Any], list[int], int]] = {}
        self._luck = b""
        self.moment = 0
        self._counts: dict[tuple[int, str, str], int] = {}

    def begin(self, luck: str) -> None:
        """Start a fight."""
        given = luck.encode()
        self._luck = given if len(given) <= 64 else hashlib.blake2b(given).digest()
        self._counts.clear()

    def roll(self, roll: Roll[Any]) -> Any:
        key = (self.moment, roll.by, roll.what)
        count = self._counts[key] = self._counts.get(key, 0) + 1
        drawn = hashlib.blake2b(f"{key}/{count}".encode(), digest_size=8, key=self._luck).digest()
        results, sums, total = self._table(roll.reading)
        return results[bisect(sums, (int.from_bytes(drawn, "big") >> 11) * 2.0**-53 * total)]

    def _table(self, reading: Any) -> tuple[list[Any], list[int], int]:
        table = self._tables.get(reading)
        if table is None:
            weights = weights_of(reading)
            try:
                results = sorted(weights)
            except TypeError:  # results without an order keep their listed order
                results = list(weights)
            sums = list(accumulate(weights[result] for result in results))
            if len(self._tables) > 50_000:
                self._tables.clear()
            table = self._tables[reading] = (results, sums, sums[-1])
        return table

    def choose(self, choice: Choice[Any]) -> Any:
        return choice.take(self._decide(choice))
