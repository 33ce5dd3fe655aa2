"""Exact odds of any procedure, and fast sampling with a cache.

The exact driver follows every result of every roll, the likeliest path first. A generator cannot be forked, so every path runs the
procedure from its beginning; a `Sub` is solved once per arguments and counts as one roll.
"""

import heapq
import math
import random
import time
from bisect import bisect
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate, count
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from rulewright.dice.reading import weights_of
from rulewright.errors import UserError
from rulewright.play import AnyOrder, Choice, Driver, Play, Roll, Sub, Tactic, Together, first_option
from rulewright.play.cache import Memory

A = TypeVar("A")
B = TypeVar("B")

DEEPEST = 60
"""How deep sub-procedures may nest before the rest counts as unsettled."""
LONGEST = 400
"""A path with more rolls is left unsettled, because rolling until something happens may never end."""


class Odds(Generic[A]):
    """A distribution in whole numbers: `weights` add up to `total` less `unsettled`, the unknown part."""

    __slots__ = ("interrupted", "paths", "total", "unsettled", "weights")

    def __init__(self, weights: Mapping[A, int], total: int, unsettled: int = 0, paths: int = 0, interrupted: bool = False) -> None:
        self.weights = dict(weights)
        self.total = total
        self.unsettled = unsettled
        self.paths = paths
        self.interrupted = interrupted

    def __repr__(self) -> str:
        return f"Odds({self.weights!r}, total={self.total}, unsettled={self.unsettled})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Odds):
            return NotImplemented
        return self.total * other.unsettled == other.total * self.unsettled and {
            outcome: Fraction(weight, self.total) for outcome, weight in self.weights.items()
        } == {outcome: Fraction(weight, other.total) for outcome, weight in other.weights.items()}

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[A, int]]:
        return iter(self.weights.items())

    def __getitem__(self, outcome: A) -> Fraction:
        """The exact chance of one outcome (a lower bound while anything is unsettled)."""
        return Fraction(self.weights.get(outcome, 0), self.total)

    @property
    def settled(self) -> float:
        """The known share of the probability."""
        return 1 - self.unsettled / self.total

    def chance(self, test: Callable[[A], bool]) -> tuple[float, float]:
        """The bounds of the chance of such outcomes; equal if everything is settled."""
        low = sum(weight for outcome, weight in self.weights.items() if test(outcome))
        return low / self.total, (low + self.unsettled) / self.total

    def map(self, change: Callable[[A], B]) -> "Odds[B]":
        """The odds of a function of the outcome."""
        changed: dict[B, int] = {}
        for outcome, weight in self.weights.items():
            to = change(outcome)
            changed[to] = changed.get(to, 0) + weight
        return Odds(changed, self.total, self.unsettled, self.paths, self.interrupted)

    def mean(self, value: Callable[[A], float]) -> float:
        """The mean of a number over the settled part."""
        known = self.total - self.unsettled
        return sum(weight / known * value(outcome) for outcome, weight in self.weights.items()) if known else math.nan


PATIENCE = 4
"""How many times its processor time a computation may take by the clock, on a busy machine."""


class Stint:
    """A time limit: processor time of the current thread, and `PATIENCE` times as much by the clock."""

    __slots__ = ("_until", "_wall")

    def __init__(self, seconds: float) -> None:
        self._until = time.thread_time() + seconds
        self._wall = time.monotonic() + PATIENCE * seconds

    @property
    def left(self) -> float:
        """Seconds left: a new limit of this many seconds ends no later than this one."""
        return min(self._until - time.thread_time(), (self._wall - time.monotonic()) / PATIENCE)


class Budget:
    """The budget of an exact computation: paths and seconds of processor time, shared by a question and its sub-procedures."""

    def __init__(self, paths: int | None = None, seconds: float | None = None) -> None:
        self.paths = paths
        self._stint = None if seconds is None else Stint(seconds)
        self.used = 0
        self.interrupted = False
        self.out = False
        """Whether something was left unsettled because the budget ran out."""

    @property
    def left(self) -> int | None:
        """How many paths are left; None without a limit."""
        return None if self.paths is None else self.paths - self.used

    def give_up(self) -> None:
        """Called when the remaining budget cannot be enough."""

    def spend(self) -> bool:
        """Counts one more path; False if nothing is left."""
        if self.interrupted or (self.paths is not None and self.used >= self.paths):
            self.out = True
            return False
        self.used += 1
        self.out = self._stint is not None and self._stint.left <= 0
        return not self.out


class _Step(Struct, eq=False):
    """One answer of a path, linked to the answers before it."""

    before: "_Step | None"
    answer: Any

    def answers(self) -> list[Any]:
        """All answers so far, in order."""
        answers = []
        step: _Step | None = self
        while step is not None:
            answers.append(step.answer)
            step = step.before
        answers.reverse()
        return answers


class _Path(NamedTuple):
    """A prefix of the procedure still to be followed; the likeliest sorts first."""

    minus_chance: float
    order: int
    step: _Step | None
    num: int
    den: int


_branches: Memory[Hashable, tuple[int, list[tuple[Any, int]]]] = Memory(20_000, "rulewright.play.odds.branches")


def _branches_of(roll: Roll[Any]) -> tuple[int, list[tuple[Any, int]]]:
    """The results of a roll, likeliest first, with the number of all rolls."""
    reading = roll.reading
    branches = _branches.get(reading)
    if branches is None:
        weights = weights_of(reading)
        branches = _branches[reading] = (sum(weights.values()), sorted(weights.items(), key=lambda item: -item[1]))
    return branches


class Exact:
    """Solves procedures exactly, with a cache of solved sub-procedures. Decisions come from a tactic."""

    all_or_nothing = False
    """Whether unsettled odds are useless; a computation that needs too many paths then stops as soon as that is clear."""

    def __init__(self, decide: Tactic = first_option, budget: Budget | None = None) -> None:
        self.decide = decide
        self.budget = budget if budget is not None else Budget()
        self._known: dict[Sub[Any], Odds[Any]] = {}
        self._partly: dict[Sub[Any], tuple[int, Odds[Any]]] = {}
        """Sub-procedures that exceed `DEEPEST`, with the depth they were solved at: at that depth or below, nothing better can be had."""
        self._open: set[Sub[Any]] = set()
        self._order = count(1)

    def part(self, part: Sub[A]) -> Odds[A]:
        """The odds of a sub-procedure, solved at most once."""
        known = self._known.get(part)
        if known is None:
            if part in self._open:
                raise UserError(f"{part.question()} calls itself with the same arguments, so that its odds cannot be computed")
            depth = len(self._open)
            if depth >= DEEPEST:
                return Odds({}, 1, 1)
            above, partly = self._partly.get(part, (depth + 1, None))
            if partly is not None and above <= depth:
                return partly
            self._open.add(part)
            try:
                known = self.solve(part.start)
            finally:
                self._open.discard(part)
            if not known.unsettled:
                self._known[part] = known
            elif not self.budget.out:  # one that ran out of time is tried again later
                self._partly[part] = depth, known
        return known

    def solve(self, start: Callable[[], Play[A]]) -> Odds[A]:
        """Every outcome of a procedure with its weight. `start` begins a fresh run, since every path needs one."""
        settled: dict[A, dict[int, int]] = {}
        frontier = [_Path(-1.0, 0, None, 1, 1)]
        paths = 0
        try:
            while frontier and self.budget.spend():
                paths += 1
                end = self._follow(start, heapq.heappop(frontier), frontier)
                if end is not None:
                    outcome, num, den = end
                    by_total = settled.setdefault(outcome, {})
                    by_total[den] = by_total.get(den, 0) + num
                if self.all_or_nothing and (left := self.budget.left) is not None and len(frontier) > left:
                    self.budget.give_up()
                    break
        except KeyboardInterrupt:
            self.budget.interrupted = True
        total = math.lcm(1, *(den for by_total in settled.values() for den in by_total))
        weights = {outcome: sum(num * (total // den) for den, num in by_total.items()) for outcome, by_total in settled.items()}
        return Odds(weights, total, total - sum(weights.values()), paths, self.budget.interrupted)

    def _follow(self, start: Callable[[], Play[A]], path: "_Path", frontier: "list[_Path]") -> tuple[A, int, int] | None:
        """Runs one path to its end, taking the likeliest branch at every new roll and leaving the others on the frontier."""
        chance, _, step, num, den = path
        known = step.answers() if step is not None else []
        left = LONGEST - len(known)
        known.reverse()
        play = start()
        answer: Any = None
        while True:
            try:
                request = play.send(answer)
            except StopIteration as done:
                return done.value, num, den
            if isinstance(request, AnyOrder):
                place, request = request.first
            else:
                place = None
            members = request.requests if isinstance(request, Together) else (request,)
            replies: list[Any] = []
            for member in members:
                if isinstance(member, Roll | Sub):
                    if known:
                        replies.append(known.pop())
                        continue
                    total, branches = self._branches(member)
                    left -= 1
                    if not branches or left < 0:
                        return None
                    for result, weight in branches[1:]:
                        branch = _Path(chance * (weight / total), next(self._order), _Step(step, result), num * weight, den * total)
                        heapq.heappush(frontier, branch)
                    result, weight = branches[0]
                    step = _Step(step, result)
                    chance, num, den = chance * (weight / total), num * weight, den * total
                    replies.append(result)
                elif isinstance(member, Choice):
                    replies.append(member.take(self.decide(member)))
                else:
                    replies.append(None)  # events do not change the odds
            answer = tuple(replies) if isinstance(request, Together) else replies[0]
            if place is not None:
                answer = place, answer

    def _branches(self, request: Roll[Any] | Sub[Any]) -> tuple[int, list[tuple[Any, int]]]:
        """The results of a roll or sub-procedure, likeliest first, with the total of their weights."""
        if isinstance(request, Roll):
            return _branches_of(request)
        odds = self.part(request)
        return odds.total, sorted(odds.weights.items(), key=lambda item: -item[1])


def exact(start: Callable[[], Play[A]] | Sub[A], *, decide: Tactic = first_option, budget: Budget | None = None) -> Odds[A]:
    """The exact odds of a procedure: `exact(lambda: attack(scene))` or `exact(sub(attack, scene))`."""
    solver = Exact(decide, budget)
    if isinstance(start, Sub):
        return solver.part(start)
    if not callable(start) or not hasattr(start(), "send"):
        usage = "exact(lambda: attack(scene)) or exact(sub(attack, scene))"
        raise UserError(f"exact() needs a function that starts the procedure, since every path starts it anew: {usage}")
    return solver.solve(start)


class Sampler(Driver):
    """Plays many times, fast: recurring sub-procedures are solved once and then drawn from."""

    def __init__(self, seed: int | None = None, decide: Tactic = first_option, *, paths: int = 2_000, remember: int = 200_000) -> None:
        self._random = random.Random(seed) if seed is not None else random.SystemRandom()
        self._decide = decide
        self._paths = paths
        self._remember = remember
        self._drawn: dict[Sub[Any], _Table | None] = {}
        self._seen: set[Sub[Any]] = set()
        self._rolls: dict[Any, _Table] = {}

    def roll(self, roll: Roll[A]) -> A:
        reading: Any = roll.reading
        table = self._rolls.get(reading)
        if table is None:
            weights = weights_of(reading)
            table = self._rolls[reading] = _table(weights)
        results, sums = table
        return results[bisect(sums, self._random.random())]  # type: ignore[no-any-return]

    def choose(self, choice: Choice[A]) -> A:
        return choice.take(self._decide(choice))

    def sub(self, part: Sub[A]) -> A:
        drawn = self._drawn.get(part, _UNSEEN)
        if drawn is _UNSEEN:
            if part not in self._seen:
                if len(self._seen) < self._remember:
                    self._seen.add(part)
                return self.run(part.start())
            odds = Exact(self._decide, Budget(self._paths)).part(part)
            drawn = None if odds.unsettled else _table(odds.weights)
            if len(self._drawn) < self._remember:
                self._drawn[part] = drawn
        if drawn is None:
            return self.run(part.start())
        return self._draw(drawn)  # type: ignore[no-any-return]

    def together(self, together: Together[A]) -> tuple[A, ...]:
        roll: Any = self.roll
        return tuple([roll(request) if type(request) is Roll else request.ask(self) for request in together.requests])

    def _draw(self, table: "_Table") -> Any:
        results, sums = table
        return results[bisect(sums, self._random.random())]


_UNSEEN: Any = object()


_Table = tuple[list[Any], list[float]]
"""Outcomes and their cumulative chances."""


def _table(weights: Mapping[Any, int]) -> _Table:
    sums = list(accumulate(weights.values()))
    return list(weights), [upto / sums[-1] for upto in sums]


def sample(start: Callable[[], Play[A]] | Sub[A], n: int, *, seed: int | None = None, decide: Tactic = first_option) -> dict[A, int]:
    """The frequencies of outcomes in n plays."""
    sampler = Sampler(seed, decide)
    begin = start.start if isinstance(start, Sub) else start
    frequencies: dict[A, int] = {}
    for _ in range(n):
        outcome = sampler.run(begin())
        frequencies[outcome] = frequencies.get(outcome, 0) + 1
    return frequencies
