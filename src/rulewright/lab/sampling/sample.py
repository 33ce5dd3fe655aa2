"""Samples fights: through transition tables where possible, step by step elsewhere, on one or several processes."""

import time
from collections import Counter
from collections.abc import Callable, Generator, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from random import SystemRandom
from typing import Any, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.results import End, asked, sides_of, tallied
from rulewright.lab.sampling.batches import BATCH, MANY, Counted, Stepping, seed_of
from rulewright.lab.sampling.dask_cluster import Cluster
from rulewright.lab.sampling.processes import in_order as batches_in_order
from rulewright.lab.solver.state_graph import Chain, Progress, Report, explore
from rulewright.lab.statistics import Sampled, enough
from rulewright.play import Tactic, first_option
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)

FIGHTS = 10_000
"""The default number of fights."""

MOST_FIGHTS = 1_000_000_000
"""The largest number of fights."""

MOST_STEPS = 10_000
"""The default limit of steps of a fight."""

LOT, PATIENCE = 5, 1.0
"""If the user stops the work before the first fight: the fights in one batch, and the seconds to play them."""

TABLE_STATES = 100_000
"""The limit of states in tables."""

WORTH_TABLES = 1_000
"""Fewer fights than this are played without tables."""


def sample(
    scene: Scene[S],
    state: S,
    decide: Tactic = first_option,
    n: int | None = None,
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
    """Play n fights from this state on (10,000 by default), or until every interval is within ± `precision`.

    Frequent states become transition tables. Where a fight leaves them, the rules are played step by step, and repeated sub-procedures
    are drawn from their exact odds. `tables=False` never uses tables; `tables=True` uses only tables, and raises UserError if there are too
    many states. `rounds` ends a fight as a draw after that many; give it (scenarios have it) if the lens merges rounds. `steps` limits
    each fight; the result counts fights that did not end. `workers` are processes of this machine, a `cluster` is a Dask cluster
    (`lab.Cluster`). A seed repeats the result on any number of workers. Ctrl-C, or a `progress` that returns False, stops the work and
    returns the result so far.

    >>> from rulewright.lab.examples.coins import Coins, Lives
    >>> sampled = sample(Coins(), Lives(1, 1), n=100_000, seed=7)
    >>> sampled.n, sampled.how, sampled.sides["left"].interval[0] < 1 / 3 < sampled.sides["left"].interval[1]
    (100000, 'tables', True)
    >>> sample(Coins(), Lives(2, 2), precision=0.01, seed=7).precise
    True
    """
    asked(question)
    members = {side: len(names) for side, names in sides_of(scene, state).items()}
    n = fights(n, precision, confidence, steps, workers)
    if seed is None:
        seed = SystemRandom().getrandbits(63)
    began = time.monotonic()
    chain: Chain[S] | None = None
    if tables or (tables is None and n >= WORTH_TABLES and find_spec("numpy") is not None):
        worth = None if tables else n
        chain = explore(scene, state, decide, question, states=TABLE_STATES, fights=worth, progress=progress)
        if chain.stopped == "interrupted":
            quick = Stepping(scene, state, decide, question, seed, n, rounds, steps, learns=False)
            done, ends, left = _at_once(chain, quick)
            counted = tallied(scene, state, question)
            return Sampled(
                question, members, done, ends, left, seed, "tables and steps", confidence=confidence, interrupted=True, counted=counted
            )
        if tables and not chain.complete:
            raise UserError(f"the scene has too many states for tables: {chain.explored} were explored before the {chain.stopped} ran out")
    known = None if chain is None else chain.explored
    how = "steps" if chain is None else "tables" if chain.complete else "tables and steps"
    stepping = Stepping(scene, state, decide, question, seed, n, rounds, steps)
    if progress is not None and workers == 1 and cluster is None:
        stepping.heard = lambda played: tell(done + played)  # a batch can take long
    spread: Spreading = partial(batches_in_order, workers=workers) if cluster is None else cluster.in_order
    batches = _stepped(stepping, spread) if chain is None else _walked(chain, stepping, workers, spread)

    counts: Counter[End] = Counter()
    cut = done = full = 0
    counted = tallied(scene, state, question)
    told = within = began

    def so_far(done: int, interrupted: bool = False) -> Sampled:
        reached = None if precision is None else False
        return Sampled(question, members, done, counts, cut, seed, how, known, confidence, interrupted, reached, counted, full)

    def tell(played: int) -> None:
        nonlocal within
        now = time.monotonic()
        if progress is not None and now - max(told, within) > 0.25:
            within = now
            progress(Progress("fights", min(played, n), n, now - began))

    interrupted = False
    try:
        for ends, left, crowded in batches:
            full += crowded
            counts.update(ends)
            cut += left
            done += sum(ends.values()) + left
            if precision is not None and so_far(done).precision <= precision:
                return Sampled(question, members, done, counts, cut, seed, how, known, confidence, precise=True, counted=counted, full=full)
            now = time.monotonic()
            if progress is not None and now - told > 0.1:
                told = now
                known_now = so_far(done)
                if progress(Progress("fights", done, n, now - began, precision=known_now.precision, result=known_now.public)) is False:
                    interrupted = True
                    break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        batches.close()
    return so_far(done, interrupted)


def fights(n: int | None, precision: float | None, confidence: float, steps: int, workers: int, *, paired: bool = False) -> int:
    """Check the arguments and return the limit of fights. The difference of a pair can be twice as wide as a chance."""
    if n is not None and n < 1:
        raise UserError(f"give at least 1 fight, not {n}")
    if precision is not None and not 0 < precision < 1:
        raise UserError(f"give a precision between 0 and 1 (0.001 is 0.1%), not {precision}")
    if not 0 < confidence < 1:
        raise UserError(f"give a confidence between 0 and 1 (0.95 is 95%), not {confidence}")
    if steps < 1:
        raise UserError(f"give at least 1 step, not {steps}")
    if not 1 <= workers <= 1_000:
        raise UserError(f"give from 1 to 1000 workers, not {workers}")
    if n is not None:
        return n
    return FIGHTS if precision is None else min(MOST_FIGHTS, enough(precision / 2 if paired else precision, confidence) + BATCH)


Spreading = Callable[[Callable[[int], Counted], int], Generator[Counted, None, None]]
"""Runs batches anywhere and yields their results in order."""


def _at_once(chain: Chain[Any], stepping: Stepping) -> tuple[int, dict[End, int], int]:
    """A few quick fights after the user stopped the exploration, for a first result."""
    from rulewright.lab.sampling import transition_tables as tables

    work, until = Walking(tables.Walks(chain, stepping.limit, stepping.steps), stepping, LOT), time.monotonic() + PATIENCE
    counts: Counter[End] = Counter()
    cut = 0
    try:
        for number in range(-(-min(stepping.n, FIGHTS) // LOT)):
            ends, left, _ = work(number)
            counts.update(ends)
            cut += left
            if time.monotonic() > until:
                break
    except KeyboardInterrupt:
        pass
    return counts.total() + cut, counts, cut


def _stepped(stepping: Stepping, spread: Spreading) -> Generator[Counted, None, None]:
    """All fights in batches, played step by step."""
    return spread(stepping, -(-stepping.n // stepping.size))


def _walked(chain: Chain[Any], stepping: Stepping, workers: int, spread: Spreading) -> Generator[Counted, None, None]:
    """All fights in batches, walked through tables where possible."""
    from rulewright.lab.sampling import transition_tables as tables

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
    else:  # only arrays: threads are as fast as processes
        with ThreadPoolExecutor(workers) as pool:
            for first in range(0, batches, 4 * workers):
                yield from pool.map(work, range(first, min(batches, first + 4 * workers)))


class Walking(Struct, frozen=True):
    """Walks batches of fights through tables, and plays fights that leave them."""

    walks: Any
    stepping: Stepping
    size: int

    def __call__(self, number: int) -> Counted:
        """Play a batch."""
        stepping = self.stepping
        fights = min(self.size, stepping.n - number * self.size)
        counts, cut, left = self.walks.batch(seed_of(stepping.seed, number), fights)
        stepping.begin(number)
        for (place, at), many in sorted(left.items()):
            cut += stepping.play(self.walks.edge[place], at, many, counts)
        return counts, cut, stepping.driver.full
