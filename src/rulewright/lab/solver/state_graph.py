"""The state graph of a scene: every reachable state, and the outcomes of one step from it.

States are explored lazily, the most probable first. The game's lens merges states that do not differ for the question. The exact odds of
a step are calculated once per state; sub-procedures (`Sub`) are solved once for the whole chain.
"""

import time
from array import array
from collections.abc import Callable, Hashable
from functools import partial
from heapq import heappop, heappush
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.results import Fate, asked, ending, sides_of, tallied
from rulewright.play import Sub, Tactic
from rulewright.play.odds import Budget, Exact, Odds
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")

MOST_STATES = 100_000
"""The default limit of explored states."""

ROOM = 5
"""The limit of met states, as a multiple of explored ones; links to further states are unsettled."""

MOST_LINKS = 30_000_000
"""The limit of links in a chain: 16 bytes each, 480 MB together."""

MOST_PARTS = 500_000
"""The limit of cached sub-procedures; beyond it the cache is cleared."""

PUSHES = 8
"""How many explored states, at least, pass on new probability for each newly explored state."""


STEP_PATHS = 20_000
"""The limit of paths of a step for a table; a large group has more outcomes than ever repeat."""

LEAST_PATHS = 100
"""The number of paths that is always allowed."""

STEPS_LEFT = 3
"""The assumed number of further steps of a fight that leaves the explored states."""


HEARD = 32
"""The number of paths between two progress reports."""


class Progress(Struct, frozen=True):
    """Progress of the work: the number of states, paths or fights, the total if it is known, and the time.

    `settled` is the settled probability of an exact solution (a lower bound), `precision` half the width of the widest interval of a
    sample.
    """

    what: str
    done: int
    of: int | None
    seconds: float
    settled: float | None = None
    precision: float | None = None
    result: Callable[[], dict[str, Any]] | None = None
    """The result so far as plain data, if there is one."""

    @property
    def share(self) -> float | None:
        """The share that is done, if it is known."""
        return self.done / self.of if self.of else self.settled

    def sure(self) -> list[str]:
        """Lists in words what is known so far."""
        settled = [] if self.settled is None else [f"{self.settled:.1%} settled"]
        return settled if self.precision is None else [*settled, f"± {self.precision:.2%}"]


Report = Callable[[Progress], object]
"""Called with the progress from time to time. Returning False stops the work, as Ctrl-C does."""


class Link(NamedTuple):
    """An outcome of a step: a state (or, below 0, the fate -1 - target), the rounds passed, and the chance."""

    target: int
    rounds: int
    chance: float


class Chain(Generic[S]):
    """States by number, the links between them, and the fates at their ends.

    A state that is met but not explored has no links; probability that arrives there is unsettled. `loose` is the unsettled share of a
    state's own probability, because its odds are incomplete.
    """

    def __init__(self, scene: Scene[S], state: S, question: str) -> None:
        self.scene = scene
        self.question = asked(question)
        self.sides = sides_of(scene, state)
        self.fate_of = ending(scene, question, self.sides)
        self.counted = tallied(scene, state, question)
        self.lens = scene.lens if scene.simplifies(state) else _unchanged
        self.begins = scene.round(state)
        self.states: list[S] = []
        self.number: dict[S, int] = {}
        self.fates: list[Fate] = []
        self._fate_number: dict[Fate, int] = {}
        self.first = array("q")
        self.last = array("q")
        self.loose = array("d")
        self.targets = array("i")
        self.rounds = array("i")
        self.chances = array("d")
        self.explored = 0
        self.crowded = False
        self.stopped = ""
        """Why the chain is incomplete: the budget (states, links, seconds, paths), sub-procedures nested too deep (depth), the user
        (interrupted), or because more is not needed (precision, worth)."""
        self.settled = 0.0
        """A lower bound of the probability that ends within the explored states; `flow` is more precise."""
        start = self.find(self.lens(state, question), 1)
        assert start is not None
        self.start = start

    def find(self, state: S, most: int) -> int | None:
        """The target of a state after the lens; None if the limit is reached."""
        known = self.number.get(state)
        if known is not None:
            return known
        fate = self.fate_of(state)
        if fate is not None:
            return -1 - self._fate(fate)
        if len(self.states) >= most:
            return None
        self.states.append(state)
        self.first.append(-1)
        self.last.append(-1)
        self.loose.append(0.0)
        self.number[state] = len(self.states) - 1
        return len(self.states) - 1

    def _fate(self, fate: Fate) -> int:
        known = self._fate_number.get(fate)
        if known is None:
            known = self._fate_number[fate] = len(self.fates)
            self.fates.append(fate)
        return known

    def link(self, number: int, odds: Odds[S], most: int) -> None:
        """Explore a state: calculate its links from the exact odds of one step."""
        scene, question = self.scene, self.question
        begins = scene.round(self.states[number])
        weights: dict[tuple[int, int], int] = {}
        crowded = 0
        for after, weight in odds:
            target = self.find(self.lens(after, question), most)
            if target is None:
                crowded += weight
                continue
            rounds = max(0, scene.round(after) - begins) if target >= 0 else 0
            weights[target, rounds] = weights.get((target, rounds), 0) + weight
        total = odds.total
        self.targets.extend([target for target, _ in weights])
        self.rounds.extend([rounds for _, rounds in weights])
        self.chances.extend([weight / total for weight in weights.values()])
        self.loose[number] = (odds.unsettled + crowded) / total
        self.crowded = self.crowded or crowded > 0
        self.first[number], self.last[number] = len(self.targets) - len(weights), len(self.targets)
        self.explored += 1

    def links(self, number: int) -> list[Link]:
        """The links of a state; empty if it is not explored."""
        span = slice(self.first[number], self.last[number])
        return [Link(*link) for link in zip(self.targets[span], self.rounds[span], self.chances[span], strict=True)]

    @property
    def complete(self) -> bool:
        """Whether every reachable state is explored."""
        return self.explored == len(self.states) and not any(self.loose)


class _Stop(Budget):
    """A budget shared by several calculations; once it has run out, it stays so."""

    def __init__(self, paths: int | None, seconds: float | None) -> None:
        super().__init__(paths, seconds)
        self.began = time.monotonic()
        self._seconds = seconds
        self.spent = ""
        """What ran out first: paths or seconds; empty if nothing did."""
        self.until: int | None = None
        """The number of paths at which the current step is given up."""
        self.heard: Callable[[], object] | None = None
        """Called now and then, because a single state can take long."""

    @property
    def left(self) -> int | None:
        return super().left if self.until is None else self.until - self.used

    def give_up(self) -> None:
        if self.until is not None:
            self.until = self.used

    def spend(self) -> bool:
        if self.heard is not None and self.used % HEARD == 0:
            self.heard()
        if self.until is not None and self.used >= self.until:
            return False
        if not self.spent and not super().spend():
            self.spent = "interrupted" if self.interrupted else "seconds" if self.out_of_time() else "paths"
        return not self.spent

    def out_of_time(self) -> bool:
        return self._seconds is not None and time.monotonic() - self.began >= self._seconds


class _Solver(Exact):
    """Exact odds with a limited cache; the lens also merges outcomes of sub-procedures."""

    def __init__(self, scene: Scene[Any], question: str, decide: Tactic, budget: Budget | None = None) -> None:
        super().__init__(decide, budget)
        self._level = partial(scene.level, question=question)

    def part(self, part: Sub[A]) -> Odds[A]:
        known = self._known.get(part)
        if known is not None:
            return known
        if len(self._known) >= MOST_PARTS:
            self._known.clear()
            self._partly.clear()
        levelled = super().part(part).map(self._level)
        if part in self._known:
            self._known[part] = levelled
        return levelled


def _unchanged(state: S, question: str) -> S:
    """The lens of a scene in which everything matters."""
    return state


def explore(
    scene: Scene[S],
    state: S,
    decide: Tactic,
    question: str = "win",
    *,
    states: int = MOST_STATES,
    seconds: float | None = None,
    paths: int | None = None,
    precision: float | None = None,
    fights: int | None = None,
    progress: Report | None = None,
) -> Chain[S]:
    """Explore a scene, the most probable states first, until all is explored, the budget runs out, or the user stops it.

    With a `precision`, until every chance is known within ± that. With `fights`, as long as exploring a state costs less than playing
    that many fights from it as often as they reach it.

    Memory is limited: at most `states` are explored and `ROOM` times as many met, each with about 300 bytes beside the game's own state,
    and at most `MOST_LINKS` links of 16 bytes.
    """
    if states < 1:
        raise UserError(f"give at least 1 state, not {states}")
    explorer = _Explorer(Chain(scene, state, question), decide, states, _Stop(paths, seconds), progress)
    explorer.enough = 1.0 if precision is None else 1.0 - 2 * precision
    explorer.fights = fights
    walks = type(scene).walker is not Scene.walker  # then unfinished paths cost more than fights
    explorer.solver.all_or_nothing = fights is not None and walks
    return explorer.run()


class _Explorer(Generic[S]):
    """Explores a chain and tracks the probability that waits at each state."""

    def __init__(self, chain: Chain[S], decide: Tactic, most: int, budget: _Stop, progress: Report | None) -> None:
        self.chain = chain
        self.most = most
        self.budget = budget
        self.solver = _Solver(chain.scene, chain.question, decide, budget)
        self.progress = progress
        self.told = self.entered = budget.began
        self.enough = 1.0
        self.fights: int | None = None
        self.settled = 0.0
        self.given_up: set[int] = set()
        self.arrived: list[float] = []
        self.queued: list[float] = []
        self.new: list[tuple[float, int]] = []
        self.again: list[tuple[float, int]] = []
        if progress is not None:
            budget.heard = self._within_a_state

    def _within_a_state(self) -> None:
        """Report the number of paths while a single state takes long."""
        now = time.monotonic()
        if self.progress is not None and now - max(self.told, self.entered) > 0.25:
            self.told = now
            if self.progress(Progress("paths", self.budget.used, None, now - self.budget.began)) is False:
                self.budget.interrupted = True

    def run(self) -> Chain[S]:
        """Explore until nothing is left or the work is stopped."""
        chain = self.chain
        try:
            if chain.start >= 0:
                self._arrive(chain.start, 1.0)
            while self.new and not chain.stopped:
                number = heappop(self.new)[1]
                if chain.first[number] < 0 and number not in self.given_up:
                    self._explore(number)
                    self._pass_on_again()
                    self._look_up()
        except KeyboardInterrupt:
            chain.stopped = "interrupted"
        chain.settled = self.settled
        if chain.complete:
            chain.stopped = ""
        elif not chain.stopped:
            chain.stopped = "states" if chain.crowded else "depth"
        return chain

    def _arrive(self, number: int, chance: float) -> None:
        """Add probability. A state is queued again only after its waiting probability has doubled, which keeps the queue short."""
        arrived, queued = self.arrived, self.queued
        while number >= len(arrived):
            arrived.append(0.0)
            queued.append(0.0)
        waiting = arrived[number] = arrived[number] + chance
        if waiting >= 2 * queued[number]:
            queued[number] = waiting
            heappush(self.new if self.chain.first[number] < 0 else self.again, (-waiting, number))

    def _explore(self, number: int) -> None:
        chain, budget = self.chain, self.budget
        self.entered = time.monotonic()
        budget.until = None if self.fights is None else budget.used + self._worth(self.arrived[number] * self.fights)
        odds = self.solver.solve(partial(chain.scene.step, chain.states[number]))
        if odds.unsettled and budget.until is not None and budget.used >= budget.until:
            self.given_up.add(number)
            if number == chain.start:
                chain.stopped = "worth"
            return
        chain.link(number, odds, self.most * ROOM)
        self._pass_on(number)

    def _pass_on_again(self) -> None:
        """Let explored states pass on their new probability: always some, and more if they weigh more than new states."""
        new, again = self.new, self.again
        for done in range(PUSHES * 8):
            if not again or (done >= PUSHES and new and again[0] > new[0]):
                break
            number = heappop(again)[1]
            if self.arrived[number] > 1e-15:
                self._pass_on(number)

    def _pass_on(self, number: int) -> None:
        chance = self.arrived[number]
        self.arrived[number] = self.queued[number] = 0.0
        for target, _, share in self.chain.links(number):
            if target < 0:
                self.settled += chance * share
            else:
                self._arrive(target, chance * share)

    def _worth(self, visits: float) -> int:
        """The limit of paths for a step, given how many fights reach it: more would cost more than playing."""
        return min(STEP_PATHS, max(LEAST_PATHS, int(visits * STEPS_LEFT)))

    def _pays(self, visits: float) -> bool:
        """Whether playing from a state, as often as fights reach it, costs more steps than exploring a state costs paths."""
        return visits * STEPS_LEFT * self.chain.explored >= self.budget.used

    def _look_up(self) -> None:
        """Stop if the budget has run out; report the progress."""
        chain, budget = self.chain, self.budget
        if budget.interrupted:
            chain.stopped = "interrupted"
        elif budget.spent or budget.out_of_time():
            chain.stopped = budget.spent or "seconds"
        elif chain.explored >= self.most and self.new:
            chain.stopped = "states"
        elif len(chain.targets) > MOST_LINKS:
            chain.stopped = "links"
        elif self.settled >= self.enough:
            chain.stopped = "precision"
        elif self.fights is not None and self.new and not self._pays(-self.new[0][0] * self.fights):
            chain.stopped = "worth"
        now = time.monotonic()
        if self.progress is not None and now - self.told > 0.1:
            self.told = now
            if self.progress(Progress("states", chain.explored, None, now - budget.began, settled=self.settled)) is False:
                chain.stopped = "interrupted"


def as_arrays(chain: Chain[Any]) -> Any:
    """The links as numpy arrays (from, target, rounds, chance), in the order of their source states."""
    import numpy as np

    first, last = np.frombuffer(chain.first, np.int64), np.frombuffer(chain.last, np.int64)
    counts = np.where(first >= 0, last - first, 0)
    order = np.argsort(first, kind="stable")
    order = order[counts[order] > 0]
    used = int(counts.sum())
    origin = np.repeat(order, counts[order])
    by_state = np.argsort(origin, kind="stable")
    arrays = (
        np.frombuffer(chain.targets, np.int32)[:used],
        np.frombuffer(chain.rounds, np.int32)[:used],
        np.frombuffer(chain.chances, np.float64)[:used],
    )
    return (origin[by_state], *(ndarray[by_state] for ndarray in arrays))
