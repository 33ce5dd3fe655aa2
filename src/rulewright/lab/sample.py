"""Many fights played, counted, and told with their intervals."""

import hashlib
import random
import time
from collections.abc import Callable, Generator, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from math import sqrt
from secrets import randbits
from statistics import NormalDist
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from rulewright.encounter import Scene
from rulewright.errors import Wrong
from rulewright.lab.chain import MOST_PARTS, Chain, Progress, Report, explore
from rulewright.lab.cluster import Cluster
from rulewright.lab.outlook import (
    Chance,
    End,
    Fate,
    Spread,
    asked,
    ending,
    in_order,
    listed,
    lost_by,
    mean_of,
    sides_of,
    summed,
    tallied,
    winners,
)
from rulewright.lab.workers import in_order as batches_in_order
from rulewright.odds import Budget, Exact, Odds, Sampler, _table
from rulewright.play import Play, Sub, Tactic, first_option, is_local

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")

MOST_STEPS = 10_000
"""Steps after which a fight is cut short unless told otherwise."""

BATCH, LARGE_BATCH, MANY = 500, 4_000, 200_000
"""Fights in a batch, when they are stepped: more of them when there are many, so that more is drawn from what is known."""

TABLE_STATES = 100_000
"""So many states at most become tables."""

MOST_PATHS, PATHS_A_TIME = 2_000, 8
"""Paths that the odds of a part may take to be remembered: at most so many, and so many for each time that it has come in a batch."""

WORTH_TABLES = 1_000
"""Fewer fights than this are stepped at once."""

Counted = tuple[dict[End, int], int, bool]
"""What a batch gives: how often each end came up, and how many fights were cut short, and whether its memory was full."""


class Sampled(Struct, frozen=True):
    """What was counted in n fights, with intervals. `counts` is the whole answer; the rest is read from it."""

    question: str
    members: dict[str, int]
    """The sides, with the number of people on each."""
    n: int
    counts: dict[End, int]
    cut: int
    """Fights that had not ended after the steps allowed. Each could have ended in any way: intervals leave room for that."""
    seed: int
    how: str
    """tables, steps, or tables and steps"""
    states: int | None = None
    """How many states the tables hold."""
    confidence: float = 0.95
    interrupted: bool = False
    precise: bool | None = None
    """Whether the precision that was asked for is reached; None where none was."""
    counted: tuple[tuple[str, str], ...] = ()
    """What else was counted, by side and name; see `tallies`."""
    full: int = 0
    """In how many batches more different parts came than are remembered: what came after those was played, not drawn."""

    @property
    def exact(self) -> bool:
        """Sampling never is."""
        return False

    @property
    def settled(self) -> float:
        """How much of what was played came to its end."""
        return 1.0 - self.cut / self.n if self.n else 0.0

    @property
    def sides(self) -> dict[str, Chance]:
        """The chance of each side to carry it."""
        won = summed(self.counts, lambda end: end.winner)
        return {side: self._chance(int(won.get(side, 0))) for side in winners(self.members, self.counts)}

    @property
    def draw(self) -> Chance:
        """The chance that nobody carries it."""
        return self._chance(sum(count for end, count in self.counts.items() if end.winner is None))

    @property
    def rounds(self) -> Spread:
        """In which round it ends."""
        return self._spread(summed(self.counts, lambda end: end.round))

    @property
    def losses(self) -> dict[str, Spread]:
        """How many of each side are out in the end; empty unless the question was losses or all."""
        if self.question not in ("losses", "all"):
            return {}
        return {
            side: self._spread(summed(self.counts, lambda end, place=place: end.losses[place]))  # type: ignore[misc]
            for place, side in enumerate(self.members)
        }

    @property
    def tallies(self) -> dict[str, dict[str, Spread]]:
        """What else was counted of each side in the end (wounds, ammunition left), where all was asked for and the game counts it."""
        found: dict[str, dict[str, Spread]] = {}
        for place, (side, what) in enumerate(self.counted, len(self.members)):
            found.setdefault(side, {})[what] = self._spread(summed(self.counts, lambda end, place=place: end.losses[place]))  # type: ignore[misc]
        return found

    def by_round(self, side: str | None) -> dict[int, float]:
        """How often this side carried it in each round (None: that nobody did), as a share of all fights."""
        return in_order(summed({end: count / self.n for end, count in self.counts.items() if end.winner == side}, lambda end: end.round))

    @property
    def precision(self) -> float:
        """The half width of the widest interval."""
        return max(chance.interval[1] - chance.interval[0] for chance in (*self.sides.values(), self.draw)) / 2

    def _chance(self, count: int) -> Chance:
        low, _ = wilson(count, self.n, self.confidence)
        _, high = wilson(count + self.cut, self.n, self.confidence)
        return Chance(count / self.n if self.n else 0.5, (low, high))

    def _spread(self, counts: dict[int, float]) -> Spread:
        ended = sum(counts.values())
        mean = mean_of(counts)
        squares = sum(count * (value - mean) ** 2 for value, count in counts.items())
        reach = _z(self.confidence) * sqrt(squares / ended / (ended - 1)) if ended > 1 else 0.0
        interval = (mean - reach, mean + reach) if ended > 1 and not self.cut else None
        return Spread(mean, {value: count / self.n for value, count in in_order(counts).items()}, interval)

    def public(self) -> dict[str, Any]:
        """What other programs get to see."""
        found: dict[str, Any] = {"exact": False, "n": self.n, "states": self.states, "settled": self.settled}
        if self.question != "rounds":
            found["sides"] = {side: chance.public() for side, chance in self.sides.items()}
            found["draw"] = self.draw.public()
        found["rounds"] = self.rounds.public()
        if self.losses:
            found["losses"] = {side: spread.public() for side, spread in self.losses.items()}
        if self.tallies:
            found["tallies"] = {side: {what: spread.public() for what, spread in by.items()} for side, by in self.tallies.items()}
        if self.question != "rounds":
            found["by_round"] = {side or "nobody": listed(self.by_round(side)) for side in (*self.sides, None)}
        found |= {"confidence": self.confidence, "seed": self.seed, "how": self.how}
        if self.cut:
            found["cut"] = self.cut
        if self.full:
            found["memory_full"] = self.full
        if self.interrupted:
            found["stopped"] = "interrupted"
        return found


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(count: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for a chance, of which `count` of `n` tries came true.

    >>> low, high = wilson(203, 1000)
    >>> f"{low:.3f} {high:.3f}"
    '0.179 0.229'
    """
    if not n:
        return 0.0, 1.0
    z = _z(confidence)
    share = count / n
    middle = share + z * z / (2 * n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if count == 0 else (middle - reach) / scale
    high = 1.0 if count == n else (middle + reach) / scale
    return max(0.0, low), min(1.0, high)


def sample(
    scene: Scene[S],
    state: S,
    decide: Tactic = first_option,
    n: int = 10_000,
    *,
    question: str = "losses",
    rounds: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
    confidence: float = 0.95,
    steps: int = MOST_STEPS,
    tables: bool | None = None,
    workers: int = 1,
    cluster: Cluster | None = None,
    progress: Report | None = None,
) -> Sampled:
    """Play n fights from this state on, or as many (at most n) as it takes until every interval is within ± `precision`.

    The states that many fights come to become tables that fights walk through; where a fight leaves them, the rules are played
    step by step, and parts that come again are drawn from their exact odds. `tables=False` only plays, `tables=True` only walks
    and refuses a scene with too many states for that. `rounds` ends a fight with nobody winning after that many: give it (a
    scenario has it) where the game's lens levels the number of the round. `steps` cuts a fight short that goes on and on, and
    the answer says how many were. `workers` are processes of this machine, a `cluster` is one of Dask's (`lab.Cluster`). A seed gives
    the same answer again, on any number of either. Ctrl-C, or a `progress` that
    gives False back, stops the work and gives what is known so far.

    >>> from rulewright.lab.coins import Coins, Lives
    >>> sampled = sample(Coins(), Lives(1, 1), n=100_000, seed=7)
    >>> sampled.n, sampled.how, sampled.sides["left"].interval[0] < 1 / 3 < sampled.sides["left"].interval[1]
    (100000, 'tables', True)
    >>> sample(Coins(), Lives(2, 2), n=1_000_000, precision=0.01, seed=7).precise
    True
    """
    asked(question)
    members = {side: len(names) for side, names in sides_of(scene, state).items()}
    _refuse(n, precision, confidence, steps, workers)
    if seed is None:
        seed = randbits(63)
    began = time.monotonic()
    chain: Chain[S] | None = None
    if tables or (tables is None and n >= WORTH_TABLES and find_spec("numpy") is not None):
        worth = None if tables else n
        chain = explore(scene, state, decide, question, states=TABLE_STATES, fights=worth, progress=progress)
        if chain.stopped == "interrupted":
            return Sampled(question, members, 0, {}, 0, seed, "tables", confidence=confidence, interrupted=True)
        if tables and not chain.complete:
            raise Wrong(f"the scene has too many states for tables: {chain.explored} were explored before the {chain.stopped} ran out")
    known = None if chain is None else chain.explored
    how = "steps" if chain is None else "tables" if chain.complete else "tables and steps"
    stepping = Stepping(scene, state, decide, question, seed, n, rounds, steps)
    spread: Spreading = partial(batches_in_order, workers=workers) if cluster is None else cluster.in_order
    batches = _stepped(stepping, spread) if chain is None else _walked(chain, stepping, workers, spread)

    def so_far(done: int, interrupted: bool = False) -> Sampled:
        reached = None if precision is None else False
        return Sampled(question, members, done, counts, cut, seed, how, known, confidence, interrupted, reached, counted, full)

    counts: dict[End, int] = {}
    cut = done = full = 0
    counted = tallied(scene, state, question)
    told = began
    interrupted = False
    try:
        for ends, left, crowded in batches:
            full += crowded
            for end, count in ends.items():
                counts[end] = counts.get(end, 0) + count
            cut += left
            done += sum(ends.values()) + left
            if precision is not None and so_far(done).precision <= precision:
                return Sampled(question, members, done, counts, cut, seed, how, known, confidence, precise=True, counted=counted, full=full)
            now = time.monotonic()
            if progress is not None and now - told > 0.1:
                told = now
                reached = so_far(done).precision
                if progress(Progress("fights", done, n, now - began, precision=reached)) is False:
                    interrupted = True
                    break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        batches.close()
    return so_far(done, interrupted)


def _refuse(n: int, precision: float | None, confidence: float, steps: int, workers: int) -> None:
    if n < 1:
        raise Wrong(f"at least 1 fight is needed, not {n}")
    if precision is not None and not 0 < precision < 1:
        raise Wrong(f"a precision lies between 0 and 1 (0.001 is a tenth of a percent), {precision} does not")
    if not 0 < confidence < 1:
        raise Wrong(f"a confidence lies between 0 and 1 (0.95 is 95 percent), {confidence} does not")
    if steps < 1:
        raise Wrong(f"a fight needs at least 1 step, not {steps}")
    if not 1 <= workers <= 1_000:
        raise Wrong(f"the number of workers lies between 1 and 1000, {workers} does not")


class _Parts(Exact):
    """Solves parts for drawing, each within so many paths of its own.

    How many a part needs follows from itself alone, so whether it can be drawn within a budget does not depend on what was solved
    before: one that is known, but needs more, counts as unknown.
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
        self._needs[part] = need
        self._need = max(before, need)
        levelled = self._known[part] = self._levelled(odds)
        return levelled

    def _levelled(self, odds: Odds[A]) -> Odds[A]:
        return odds

    def table(self, part: Sub[Any], within: int) -> "Known | None":
        """What to draw the part's outcome from; None where its odds take more paths."""
        self._within, self._need = within, 0
        return self._known_by(self.part(part))

    def alone(self, start: Callable[[], Play[Any]], within: int) -> "Known | None":
        """The same for a procedure that is no part."""
        self._within, self._need = within, 0
        self.budget = Budget(within)
        odds = self.solve(start)
        self._need = max(self._need, odds.paths)
        return self._known_by(odds)

    def _known_by(self, odds: Odds[Any]) -> "Known | None":
        if odds.interrupted or self.budget.interrupted:
            raise KeyboardInterrupt
        return None if odds.unsettled else Known(_table(odds.weights), self._need)

    def forget(self) -> None:
        """Make room."""
        self._known.clear()
        self._partly.clear()
        self._needs.clear()
        self._beyond.clear()


class Known(NamedTuple):
    """What something's outcome can be drawn from, and how many paths its odds took."""

    table: Any
    need: int


class _Levelled(_Parts):
    """The same, and what parts come to is levelled, as the scene does for the question."""

    def __init__(self, decide: Tactic, scene: Scene[Any], question: str) -> None:
        super().__init__(decide)
        self._level = partial(scene.level, question=question)

    def _levelled(self, odds: Odds[A]) -> Odds[A]:
        if len(self._known) >= MOST_PARTS:
            self.forget()
        return odds.map(self._level)


def _seed_of(seed: int, batch: int | str) -> int:
    """The seed of a batch: the same whoever does it."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{batch}".encode(), digest_size=8).digest(), "big")


Spreading = Callable[[Callable[[int], Counted], int], Generator[Counted, None, None]]
"""Does batches, wherever that is, and gives what comes of them in the order of their numbers."""


def _stepped(stepping: "Stepping", spread: Spreading) -> Generator[Counted, None, None]:
    """All fights in batches, played step by step."""
    return spread(stepping, -(-stepping.n // stepping.size))


def _walked(chain: Chain[Any], stepping: "Stepping", workers: int, spread: Spreading) -> Generator[Counted, None, None]:
    """All fights in batches, walked through tables as far as these go."""
    from rulewright.lab import tables

    walks = tables.Walks(chain, stepping.limit, stepping.steps)
    if stepping.n >= tables.WORTH_COMPILING:
        walks.compile()
    size = tables.BATCH if chain.complete else min(tables.BATCH, max(BATCH, int(BATCH / max(1e-9, 1 - chain.settled))))
    stepping.learns = stepping.n * (1 - chain.settled) >= MANY
    work = Walking(walks, stepping, size)
    batches = -(-stepping.n // size)
    if walks.edge or not isinstance(spread, partial):
        yield from spread(work, batches)
    elif workers == 1:
        yield from map(work, range(batches))
    else:  # nothing but arrays: threads do as well as processes
        with ThreadPoolExecutor(workers) as pool:
            for first in range(0, batches, 4 * workers):
                yield from pool.map(work, range(first, min(batches, first + 4 * workers)))


class Walking:
    """Walks batches of fights through tables, and plays to its end what leaves them."""

    def __init__(self, walks: Any, stepping: "Stepping", size: int) -> None:
        self.walks = walks
        self.stepping = stepping
        self.size = size

    def __call__(self, number: int) -> Counted:
        """Play a batch."""
        stepping = self.stepping
        fights = min(self.size, stepping.n - number * self.size)
        counts, cut, left = self.walks.batch(_seed_of(stepping.seed, number), fights)
        stepping.begin(number)
        for (place, at), many in sorted(left.items()):
            cut += stepping.play(self.walks.edge[place], at, many, counts)
        return counts, cut, stepping.driver.full


class Stepping:
    """Plays batches of fights step by step. Goes to other processes as what it was made of.

    Where many fights are to be stepped it first plays a batch that is not counted, the same in every process, and learns from it.
    """

    def __init__(
        self,
        scene: Scene[Any],
        state: Any,
        decide: Tactic,
        question: str,
        seed: int,
        n: int,
        limit: int | None,
        steps: int,
        learns: bool | None = None,
    ) -> None:
        self._made_of = (scene, state, decide, question, seed, n, limit, steps)
        self.scene = scene
        self.state = state
        self.seed = seed
        self.n = n
        self.limit = limit
        self.steps = steps
        self.size = BATCH if n < MANY else LARGE_BATCH
        self.learns = n >= MANY if learns is None else learns
        self._learned = False
        sides = sides_of(scene, state)
        self.fate_of: Callable[[Any], Fate | None] = ending(scene, question, sides)
        self.lost: Callable[[Any], tuple[int, ...]] = lost_by(scene, question, sides)
        self.driver = Drawing(decide)
        self.step: Callable[[Any], Any] = Steps(scene, question, self.driver) if is_local(decide) and question != "all" else self._step

    def __reduce__(self) -> Any:
        return Stepping, (*self._made_of, self.learns)

    def __call__(self, number: int) -> Counted:
        """Play a batch."""
        self.begin(number)
        counts: dict[End, int] = {}
        cut = self.play(self.state, self.scene.round(self.state), min(self.size, self.n - number * self.size), counts)
        return counts, cut, self.driver.full

    def begin(self, number: int) -> None:
        """Begin a batch: what follows depends on its number alone."""
        if self.learns and not self._learned:
            self._learned = True
            self.driver.begin(_seed_of(self.seed, "learning"), learning=True)
            self.play(self.state, self.scene.round(self.state), self.size, {})
            self.driver.learn()
        self.driver.begin(_seed_of(self.seed, ~number))

    def play(self, state: Any, at: int, many: int, counts: dict[End, int]) -> int:
        """Play fights from this state and round on, and count how they end; how many were cut short is given back."""
        cut = 0
        for _ in range(many):
            end = self._fight(state, at)
            if end is None:
                cut += 1
            else:
                counts[end] = counts.get(end, 0) + 1
        return cut

    def _fight(self, state: Any, at: int) -> End | None:
        scene, limit = self.scene, self.limit
        step, fate_of, round_of = self.step, self.fate_of, scene.round
        ahead = at - round_of(state)
        for _ in range(self.steps):
            fate = fate_of(state)
            if fate is not None:
                return End.of(fate, at)
            at = round_of(state) + ahead
            if limit is not None and at > limit:
                return End(None, self.lost(state), limit)
            state = step(state)
        return None

    def _step(self, state: Any) -> Any:
        return self.driver.run(self.scene.step(state))


class Steps:
    """Steps of a fight, drawn from the odds of what the scene's focus shows of them where these are known.

    As with parts, a step is played until it has come often enough in a batch, so that draws depend on the batch alone.
    """

    def __init__(self, scene: Scene[Any], question: str, driver: "Drawing") -> None:
        self.scene = scene
        self.driver = driver
        self.odds = _Levelled(driver.decide, scene, question)

    def __call__(self, state: Any) -> Any:
        """The state after the next step."""
        focus = self.scene.focus(state)
        if focus is not None:
            table = self.driver.known(focus.small, self._solve, focus.play)
            if table is not None:
                after = focus.back(self.driver.draw(table))
                return after if focus.rest is None else self.driver.run(focus.rest(after))
        return self.driver.run(self.scene.step(state))

    def _solve(self, small: Any, within: int, play: Callable[[Any], Play[Any]]) -> Known | None:
        return self.odds.alone(partial(play, small), within)


class Drawing(Sampler):
    """A sampler whose draws depend on the seed of the batch alone, never on what was solved before.

    A part is played the first times it comes in a batch, and drawn from its exact odds once it has come often enough to be worth
    solving: the more paths its odds take, the more often. The odds are kept from batch to batch: they are the same whenever they
    are solved.
    """

    def __init__(self, decide: Tactic, *, paths: int = MOST_PATHS, remember: int = 100_000) -> None:
        super().__init__(0, decide, paths=paths, remember=remember)
        self._met: dict[Hashable, _Met] = {}
        self._learned: dict[Hashable, Any] = {}
        self._learning = False
        self.decide = decide
        self._batch = 0
        self._met_now = 0
        self._parts = _Parts(decide)
        self.forgotten = 0
        """How often the memory was full and begun anew."""

    def begin(self, seed: int, learning: bool = False) -> None:
        """Begin a batch; what comes twice is solved at once where it is there to learn from."""
        self._learning = learning
        self._random = random.Random(seed)
        self._batch += 1
        self._met_now = 0
        if len(self._met) >= self._remember:
            self._met.clear()
            self._parts.forget()
            self.forgotten += 1

    @property
    def full(self) -> bool:
        """Whether more came in this batch than can be remembered."""
        return self._met_now >= self._remember

    def sub(self, part: Sub[A]) -> A:
        drawn = self.known(part, self._parts.table)
        return self.run(part.start()) if drawn is None else self.draw(drawn)

    def known(self, key: Hashable, solve: Callable[..., Known | None], *more: Any) -> Any:
        """What to draw from; None while it has not come often enough in this batch."""
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
                met.tried = within
                met.known = solve(key, within, *more)
        known = met.known
        return known.table if known is not None and known.need <= met.within else None

    def learn(self) -> None:
        """Keep for all batches to come what this one has solved."""
        for key, met in self._met.items():
            if met.batch == self._batch and met.known is not None and met.known.need <= met.within:
                self._learned[key] = met.known.table
        self._met.clear()

    def draw(self, table: Any) -> Any:
        """Draw from a table."""
        return self._draw(table)


class _Met:
    """How often something came in a batch, how many paths that is worth, and what is known of it."""

    __slots__ = ("batch", "known", "times", "tried", "within")

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self.times = 1
        self.within = 0
        self.tried = 0
        self.known: Known | None = None
