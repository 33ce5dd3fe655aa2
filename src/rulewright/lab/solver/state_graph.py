"""A scene as a chain of states: every state that can be reached, and where one step leads from it.

States are explored lazily, the one that most probability arrives at first. Each is passed through the game's lens, so that
states which do not differ for the question fall together. The exact odds of a step are computed once per state; parts (`Sub`)
are solved once for the whole chain.
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
"""States that are explored unless told otherwise."""

ROOM = 5
"""So many times as many states may be met as explored; what leads to still others counts as unsettled."""

MOST_LINKS = 30_000_000
"""Links from state to state that a chain may hold: 16 bytes each, so 480 MB."""

MOST_PARTS = 500_000
"""Solved parts that are remembered; when they are more, all are forgotten and solved again where needed."""

PUSHES = 8
"""How many explored states pass on what arrived since, at least, for each state that is explored anew."""


STEP_PATHS = 20_000
"""Paths that the odds of one step may take to become a table; the dice of a large group have more outcomes than ever come again."""

LEAST_PATHS = 100
"""So many may be tried in any case."""

STEPS_LEFT = 3
"""How many steps a fight is taken to go on for, where it leaves what is explored."""


HEARD = 32
"""After so many paths somebody who waits may hear of it."""


class Progress(Struct, frozen=True):
    """How far the work has come: so many states, paths or fights, of how many where that is known, and in what time.

    `settled` is the probability that is known to have come to an end (of an exact answer, a lower bound), `precision` the half
    width of the widest interval so far (of a sampled one).
    """

    what: str
    done: int
    of: int | None
    seconds: float
    settled: float | None = None
    precision: float | None = None

    @property
    def share(self) -> float | None:
        """The part that is done, where it can be told."""
        return self.done / self.of if self.of else self.settled

    def sure(self) -> list[str]:
        """How much is known by now."""
        settled = [] if self.settled is None else [f"{self.settled:.1%} settled"]
        return settled if self.precision is None else [*settled, f"± {self.precision:.2%}"]


Report = Callable[[Progress], object]
"""Told from time to time how far the work has come. Giving False back stops the work, as Ctrl-C does."""


class Link(NamedTuple):
    """Where a step can lead: a state (or, below 0, the fate -1 - target), by how many rounds, with what chance."""

    target: int
    rounds: int
    chance: float


class Chain(Generic[S]):
    """States by number, the links between them, and the fates in which they end.

    A state that was met but not explored has no links; what arrives there is not settled. `loose` is the part of a state's own
    probability that is not settled (its odds were cut short).
    """

    def __init__(self, scene: Scene[S], state: S, question: str) -> None:
        self.scene = scene
        self.question = asked(question)
        self.sides = sides_of(scene, state)
        self.fate_of = ending(scene, question, self.sides)
        self.counted = tallied(scene, state, question)
        self.lens = scene.lens
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
        """What kept the chain from being complete: the budget (states, links, seconds, paths), parts nested too deep (depth),
        somebody (interrupted), or that more was not wanted (precision, worth)."""
        self.settled = 0.0
        """How much is known to end within the explored states: a lower bound, `flow` knows more."""
        start = self.find(scene.lens(state, question), 1)
        assert start is not None
        self.start = start

    def find(self, state: S, most: int) -> int | None:
        """The target that stands for a state seen through the lens; None where there is no room for another."""
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
        """Explore a state: its links follow from the exact odds of one step from it."""
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
        """Where one step leads from a state; empty while it is not explored."""
        span = slice(self.first[number], self.last[number])
        return [Link(*link) for link in zip(self.targets[span], self.rounds[span], self.chances[span], strict=True)]

    @property
    def complete(self) -> bool:
        """Whether everything that can be reached is explored."""
        return self.explored == len(self.states) and not any(self.loose)


class _Stop(Budget):
    """A budget that stays spent once it is spent, whoever shares it."""

    def __init__(self, paths: int | None, seconds: float | None) -> None:
        super().__init__(paths, seconds)
        self.began = time.monotonic()
        self._seconds = seconds
        self.spent = ""
        """What ran out first: paths or seconds; empty while something is left."""
        self.until: int | None = None
        """How many paths may have been used when the step under way is given up."""
        self.heard: Callable[[], object] | None = None
        """Told now and then, since a single state may take a while."""

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
    """Exact odds with a bound to what is remembered; what parts come to is levelled, as the scene does for the question."""

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
    """The chain of a scene, the heaviest states first, until all is explored or the budget is spent or somebody stops it.

    With a `precision`, until every chance is known within ± that. With `fights`, as long as exploring a state costs less than
    playing on from it whenever one of that many fights comes there.

    Memory is bounded: at most `states` are explored and `ROOM` times as many met, each with about 300 bytes beside the game's own
    state, and at most `MOST_LINKS` links of 16 bytes.
    """
    if states < 1:
        raise UserError(f"the lab needs room for at least 1 state, not {states}")
    explorer = _Explorer(Chain(scene, state, question), decide, states, _Stop(paths, seconds), progress)
    explorer.enough = 1.0 if precision is None else 1.0 - 2 * precision
    explorer.fights = fights
    walks = type(scene).walker is not Scene.walker  # then paths that come to nothing are dearer than fights
    explorer.solver.all_or_nothing = fights is not None and walks
    return explorer.run()


class _Explorer(Generic[S]):
    """Explores a chain, keeping account of the probability that has arrived at each state and not yet been passed on."""

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
        """Tell how many paths were followed, where a state takes so long that nothing else is told."""
        now = time.monotonic()
        if self.progress is not None and now - max(self.told, self.entered) > 0.25:
            self.told = now
            if self.progress(Progress("paths", self.budget.used, None, now - self.budget.began)) is False:
                self.budget.interrupted = True

    def run(self) -> Chain[S]:
        """Explore until there is nothing left or something stops it."""
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
        """Take probability in. A state is queued again only when what waits there has doubled, so that the queue stays short."""
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
        """Let explored states pass on what arrived since: always some, and more where they weigh more than what is new."""
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
        """How many paths the odds of a step may take that so many fights come to: more than playing on from there would be wasted."""
        return min(STEP_PATHS, max(LEAST_PATHS, int(visits * STEPS_LEFT)))

    def _pays(self, visits: float) -> bool:
        """Whether playing on from a state, as often as fights come to it, would take more steps than exploring a state takes paths."""
        return visits * STEPS_LEFT * self.chain.explored >= self.budget.used

    def _look_up(self) -> None:
        """Stop where the budget is spent; tell how far it is."""
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
    """The links as numpy arrays (from, target, rounds, chance), in the order of the states they leave."""
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
