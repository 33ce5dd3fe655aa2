"""Many fights played and counted: walked through tables as far as these go, stepped from there on, on one process or several."""

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
"""So many fights are played where nobody says how many."""

MOST_FIGHTS = 1_000_000_000
"""So many are played at most."""

MOST_STEPS = 10_000
"""Steps after which a fight is cut short unless told otherwise."""

LOT, PATIENCE = 5, 1.0
"""Where somebody stops the work before the first fight, so many are played at a time, for so many seconds at least."""

TABLE_STATES = 100_000
"""So many states at most become tables."""

WORTH_TABLES = 1_000
"""Fewer fights than this are stepped at once."""


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
    """Play n fights from this state on, or as many (at most n, where one is given) as it takes until every interval is within
    ± `precision`. Without either, 10,000 are played.

    The states that many fights come to become tables that fights walk through; where a fight leaves them, the rules are played
    step by step, and parts that come again are drawn from their exact odds. `tables=False` only plays, `tables=True` only walks
    and refuses a scene with too many states for that. `rounds` ends a fight with nobody winning after that many: give it (a
    scenario has it) where the game's lens levels the number of the round. `steps` cuts a fight short that goes on and on, and
    the answer says how many were. `workers` are processes of this machine, a `cluster` is one of Dask's (`lab.Cluster`). A seed gives
    the same answer again, on any number of either. Ctrl-C, or a `progress` that
    gives False back, stops the work and gives what is known so far.

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
        stepping.heard = lambda played: tell(done + played)  # a batch may take a while
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
                reached = so_far(done).precision
                if progress(Progress("fights", done, n, now - began, precision=reached)) is False:
                    interrupted = True
                    break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        batches.close()
    return so_far(done, interrupted)


def fights(n: int | None, precision: float | None, confidence: float, steps: int, workers: int, *, paired: bool = False) -> int:
    """How many fights to play at most; refuses what makes no sense. The difference of a pair can be twice as wide as a chance."""
    if n is not None and n < 1:
        raise UserError(f"at least 1 fight is needed, not {n}")
    if precision is not None and not 0 < precision < 1:
        raise UserError(f"a precision lies between 0 and 1 (0.001 is a tenth of a percent), {precision} does not")
    if not 0 < confidence < 1:
        raise UserError(f"a confidence lies between 0 and 1 (0.95 is 95 percent), {confidence} does not")
    if steps < 1:
        raise UserError(f"a fight needs at least 1 step, not {steps}")
    if not 1 <= workers <= 1_000:
        raise UserError(f"the number of workers lies between 1 and 1000, {workers} does not")
    if n is not None:
        return n
    return FIGHTS if precision is None else min(MOST_FIGHTS, enough(precision / 2 if paired else precision, confidence) + BATCH)


Spreading = Callable[[Callable[[int], Counted], int], Generator[Counted, None, None]]
"""Does batches, wherever that is, and gives what comes of them in the order of their numbers."""


def _at_once(chain: Chain[Any], stepping: Stepping) -> tuple[int, dict[End, int], int]:
    """A few fights in the second after somebody lost patience with the tables: what can be known so far."""
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
    """All fights in batches, walked through tables as far as these go."""
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
    else:  # nothing but arrays: threads do as well as processes
        with ThreadPoolExecutor(workers) as pool:
            for first in range(0, batches, 4 * workers):
                yield from pool.map(work, range(first, min(batches, first + 4 * workers)))


class Walking(Struct, frozen=True):
    """Walks batches of fights through tables, and plays to its end what leaves them."""

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
