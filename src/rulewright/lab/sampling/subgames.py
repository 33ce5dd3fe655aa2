"""Sub-procedures that repeat in a batch of fights are solved once and drawn from their odds, depending only on the batch."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from rulewright.dice.reading import weights_of
from rulewright.lab.solver.state_graph import MOST_PARTS
from rulewright.play import Play, Roll, Sub, Tactic, tactic_of
from rulewright.play.odds import Budget, Exact, Odds, Sampler, _table
from rulewright.scenes.batch_play import Table
from rulewright.scenes.scene import Scene

A = TypeVar("A")

MOST_PATHS, PATHS_A_TIME = 2_000, 8
"""The limit of paths for the odds of a sub-procedure: in total, and for each time that it has come in a batch."""


class Known(NamedTuple):
    """A table to draw an outcome from, and the number of paths of its odds."""

    table: Any
    need: int


class Parts(Exact):
    """Solves sub-procedures for drawing, each within its own limit of paths.

    The number of paths depends only on the sub-procedure, so whether it can be drawn within a budget does not depend on the cache: a
    cached one that needs more paths counts as unknown.
    """

    all_or_nothing = True

    def __init__(self, decide: Tactic) -> None:
        super().__init__(decide)
        self._within = 0
        self._need = 0
        self._needs: dict[Sub[Any], int] = {}
        self._beyond: dict[Sub[Any], int] = {}
        """Budgets that were too small."""

    def part(self, part: Sub[A]) -> Odds[A]:
        known = self._known.get(part)
        if known is not None:
            need = self._needs[part]
            self._need = max(self._need, need)
            return known if need <= self._within else Odds({}, 1, 1)
        if self._beyond.get(part, 0) >= self._within:
            return Odds({}, 1, 1)
        around, self.budget = self.budget, Budget(self._within)
        before, self._need = self._need, 0
        try:
            odds = super().part(part)
            need = max(self._need, odds.paths)
        finally:
            around.interrupted = around.interrupted or self.budget.interrupted
            self.budget = around
            self._need = max(before, self._need)
        self._partly.pop(part, None)
        if odds.unsettled:
            if not odds.interrupted:
                self._beyond[part] = self._within
            return odds
        levelled = self._levelled(odds)
        self._known[part], self._needs[part] = levelled, need
        self._need = max(before, need)
        return levelled

    def _levelled(self, odds: Odds[A]) -> Odds[A]:
        return odds

    def table(self, part: Sub[Any], within: int) -> Known | None:
        """The table of a sub-procedure; None if its odds take more paths."""
        self._within, self._need = within, 0
        return self._known_by(self.part(part))

    def alone(self, start: Callable[[], Play[Any]], within: int) -> Known | None:
        """The table of a whole procedure."""
        self._within, self._need = within, 0
        self.budget = Budget(within)
        odds = self.solve(start)
        self._need = max(self._need, odds.paths)
        return self._known_by(odds)

    def _known_by(self, odds: Odds[Any]) -> Known | None:
        if odds.interrupted or self.budget.interrupted:
            raise KeyboardInterrupt
        return None if odds.unsettled else Known(_table(odds.weights), self._need)

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()
        self._partly.clear()
        self._needs.clear()
        self._beyond.clear()


class Levelled(Parts):
    """As `Parts`, with outcomes merged by the scene's lens for the question."""

    def __init__(self, decide: Tactic, scene: Scene[Any], question: str) -> None:
        super().__init__(decide)
        self._level = partial(scene.level, question=question)

    def _levelled(self, odds: Odds[A]) -> Odds[A]:
        if len(self._known) >= MOST_PARTS:
            self.forget()
        return odds.map(self._level)


class Drawing(Sampler):
    """A sampler whose draws depend only on the seed of the batch, not on the cache.

    A sub-procedure is played the first times it comes in a batch, and drawn from its exact odds once it is frequent enough to be worth
    solving: the more paths its odds take, the more often. The odds are cached from batch to batch; they are always the same.
    """

    def __init__(self, decide: Tactic, *, parts: Parts | None = None, paths: int = MOST_PATHS, remember: int = 100_000) -> None:
        super().__init__(0, decide, paths=paths, remember=remember)
        self.random: Callable[[], float] = self._random.random
        self._met: dict[Hashable, _Met] = {}
        self._learned: dict[Hashable, Any] = {}
        self._learning = False
        self._batch = 0
        self._met_now = 0
        self._parts = parts if parts is not None else Parts(decide)
        self.forgotten = 0
        """How often the cache was full and cleared."""

    def begin(self, seed: int, learning: bool = False) -> None:
        """Start a batch; a learning batch solves a sub-procedure at its second occurrence."""
        self._learning = learning
        self._random.seed(seed)
        self._batch += 1
        self._met_now = 0
        if len(self._met) >= self._remember:
            self._met.clear()
            self._parts.forget()
            self.forgotten += 1
        else:  # sub-procedures that were never solved count as new
            self._met = {key: met for key, met in self._met.items() if met.tried}

    @property
    def full(self) -> bool:
        """Whether the cache is full in this batch."""
        return self._met_now >= self._remember

    def sub(self, part: Sub[A]) -> A:
        table = self._learned.get(part) or self.known(part, self._parts.table)
        return self.run(part.start()) if table is None else self._draw(table)

    def known(self, key: Hashable, solve: Callable[..., Known | None], *more: Any) -> Any:
        """The table to draw from; None if it has not come often enough in this batch."""
        learned = self._learned.get(key)
        if learned is not None:
            return learned
        met = self._met.get(key)
        if met is None or met.batch != self._batch:
            if self._met_now < self._remember:
                self._met_now += 1
                if met is None:
                    self._met[key] = _Met(self._batch)
                else:
                    met.batch, met.times, met.within = self._batch, 1, 0
            return None
        times = met.times = met.times + 1
        if times & (times - 1) == 0:  # the second time, the fourth, the eighth...
            met.within = within = self._paths if self._learning else min(self._paths, PATHS_A_TIME * times)
            if met.known is None and met.tried < within:
                met.known = solve(key, within, *more)
                met.tried = within
        known = met.known
        return known.table if known is not None and known.need <= met.within else None

    def learn(self) -> None:
        """Keep the solutions of this batch for all later batches."""
        for key, met in self._met.items():
            if met.batch == self._batch and met.known is not None and met.known.need <= met.within:
                self._learned[key] = met.known.table
        self._met.clear()

    def draw(self, table: Any) -> Any:
        """Draw from a table."""
        return self._draw(table)

    def roll_table(self, roll: Roll[Any]) -> Table:
        """The table of a roll."""
        return _table(weights_of(roll.reading))

    def tactic(self, who: str) -> Tactic:
        """The tactic of a member."""
        return tactic_of(self._decide, who)

    def learned(self, part: Sub[Any]) -> Table | None:
        """The table of a sub-procedure, if the learning batch has solved it."""
        return self._learned.get(part)


class _Met:
    """The count of a sub-procedure in a batch, its limit of paths, and its table."""

    __slots__ = ("batch", "known", "times", "tried", "within")

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self.times = 1
        self.within = 0
        self.tried = 0
        self.known: Known | None = None
