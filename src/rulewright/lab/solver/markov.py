"""Absorption probabilities of a Markov chain: probability flows through the chain, round by round, until it reaches the ends.

Within a round it moves from state to state in sweeps; links into a later round pass it on to that round. This gives the distribution of
rounds even if the lens merges rounds, and cycles (both miss, again and again) only take more rounds. If that takes too long, the rest is
solved as a sparse linear system. Without scipy, or for a small chain, plain Python does the same.
"""

from collections import defaultdict
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from rulewright.lab.results import End, Fate, lost_by
from rulewright.lab.solver.state_graph import Chain, as_arrays

NOTHING = 1e-14
"""Smaller probabilities are dropped."""

MOST_SWEEPS = 10_000
"""The limit of sweeps, and thus of steps, within one round."""

PLAIN_WORK, SPARSE_WORK = 30_000_000, 3_000_000_000
"""The limits of followed links in plain Python and with scipy; the rest is solved as a linear system or stays unsettled."""

SMALL = 500_000
"""Up to this many links, plain Python is faster than the import of scipy."""


class Flow(Struct):
    """The final distribution: the ends, the endless part, the unsettled part, and the ends after the last followed round."""

    ends: dict[End, float]
    endless: float = 0.0
    """The chance of reaching states from which there is no end."""
    unsettled: float = 0.0
    unfollowed: float = 0.0
    """The part that was not followed because of too many rounds; it counts as unsettled."""
    later: dict[Fate, float] = {}
    """The ends after the last followed round."""
    later_rounds: float = 0.0
    """The sum of rounds times chance over `later`."""

    def scaled(self, by: float) -> None:
        """Correct rounding errors."""
        self.ends = {end: chance * by for end, chance in self.ends.items()}
        self.later = {fate: chance * by for fate, chance in self.later.items()}
        self.later_rounds *= by


def flow(chain: Chain[Any], limit: int | None = None, *, plain: bool | None = None) -> Flow:
    """Calculate the flow from the chain's start. `limit` ends the scene as a draw after that many rounds."""
    if chain.start < 0:
        return Flow({End.of(chain.fates[-1 - chain.start], chain.begins): 1.0})
    result = None
    if plain is None:
        plain = find_spec("scipy") is None
        if not plain and len(chain.targets) < SMALL:
            result = _Plain(chain, limit, SMALL).run()
            result = result if result.unfollowed == 0.0 else None
    if result is None:
        result = _Plain(chain, limit, PLAIN_WORK).run() if plain else _sparse(chain, limit)
    known = sum(result.ends.values()) + sum(result.later.values())
    if chain.complete and known and result.unsettled + result.unfollowed < 1e-9:
        result.unsettled = 0.0
        result.scaled((1 - result.endless) / known)
    else:
        result.unsettled = max(0.0, 1 - known - result.endless)
    return result


def endless_states(chain: Chain[Any], limited: bool = False) -> set[int]:
    """Explored states from which neither an end nor an unexplored state can be reached.

    With a limit of rounds, a later round counts as an end.
    """
    back: dict[int, list[int]] = defaultdict(list)
    ending: list[int] = []
    for number in range(len(chain.states)):
        span = slice(chain.first[number], chain.last[number])
        targets = chain.targets[span] if chain.first[number] >= 0 else ()
        if not targets or chain.loose[number] > 0 or min(targets) < 0 or (limited and any(chain.rounds[span])):
            ending.append(number)
        for target in set(targets):
            if target >= 0:
                back[target].append(number)
    ends = set(ending)
    while ending:
        for before in back.get(ending.pop(), ()):
            if before not in ends:
                ends.add(before)
                ending.append(before)
    return {number for number in range(len(chain.states)) if number not in ends}


class _Plain:
    """The flow in plain Python."""

    def __init__(self, chain: Chain[Any], limit: int | None, most: int) -> None:
        self.chain = chain
        self.limit = limit
        self.most = most
        self.found = Flow({})
        self.endless = endless_states(chain, limit is not None)
        self.rows = [chain.links(number) for number in range(len(chain.states))]
        self.work = 0

    def run(self) -> Flow:
        chain, result = self.chain, self.found
        waiting: dict[int, dict[int, float]] = {chain.begins: {chain.start: 1.0}}
        while waiting:
            at = min(waiting)
            mass = waiting.pop(at)
            if self.limit is not None and at > self.limit:
                _time_is_up(chain, result, mass, self.limit)
            elif self.work > self.most:
                result.unfollowed += sum(mass.values())
            else:
                self._round(at, mass, waiting)
        return result

    def _round(self, at: int, mass: dict[int, float], waiting: dict[int, dict[int, float]]) -> None:
        chain, result, rows = self.chain, self.found, self.rows
        ended: dict[int, float] = defaultdict(float)
        for _ in range(MOST_SWEEPS):
            after: dict[int, float] = defaultdict(float)
            for number, chance in mass.items():
                if chance < NOTHING * 1e-4 or number in self.endless:
                    result.endless += chance if number in self.endless else 0.0
                    continue
                row = rows[number]
                self.work += len(row)
                if chain.first[number] < 0:
                    result.unsettled += chance
                    continue
                result.unsettled += chance * chain.loose[number]
                for target, rounds, share in row:
                    if target < 0:
                        ended[-1 - target] += chance * share
                    elif rounds:
                        waiting.setdefault(at + rounds, defaultdict(float))[target] += chance * share
                    else:
                        after[target] += chance * share
            mass = after
            if not mass:
                break
        else:
            result.unsettled += sum(mass.values())
        for fate, chance in ended.items():
            result.ends[End.of(chain.fates[fate], at)] = chance
        for later in list(waiting):
            if sum(waiting[later].values()) < NOTHING:
                del waiting[later]


def _time_is_up(chain: Chain[Any], item: Flow, mass: dict[int, float], limit: int) -> None:
    """Count what lasts longer than the limit as a draw."""
    lost = lost_by(chain.scene, chain.question, chain.sides)
    for number, chance in mass.items():
        end = End(None, lost(chain.states[number]), limit)
        item.ends[end] = item.ends.get(end, 0.0) + chance


def _sparse(chain: Chain[Any], limit: int | None) -> Flow:
    """The flow with scipy's sparse matrices."""
    import numpy as np
    from scipy import sparse

    size, fates = len(chain.states), len(chain.fates)
    origin, target, rounds, share = as_arrays(chain)
    loose = np.frombuffer(chain.loose, np.float64).copy()
    loose[np.frombuffer(chain.first, np.int64) < 0] = 1.0
    endless = np.zeros(size)
    endless[list(endless_states(chain, limit is not None))] = 1.0
    share = np.where(endless[origin] > 0, 0.0, share)

    def matrix(which: Any, columns: int, of: Any) -> Any:
        return sparse.csr_array((share[which], (origin[which], of[which])), shape=(size, columns))

    stays = target >= 0
    into_fates = matrix(~stays, max(1, fates), -1 - target)
    onward = {int(by): matrix(stays & (rounds == by), size, target) for by in np.unique(rounds[stays])}
    within = onward.pop(0, None)
    result = Flow({})
    start = np.zeros(size)
    start[chain.start] = 1.0
    waiting = {chain.begins: start}
    work = 0
    while waiting:
        at = min(waiting)
        mass = waiting.pop(at)
        if limit is not None and at > limit:
            _time_is_up(chain, result, {int(i): float(mass[i]) for i in np.flatnonzero(mass)}, limit)
            continue
        if work > SPARSE_WORK:
            waiting[at] = mass
            _tail(chain, result, waiting, into_fates, within, onward, loose, endless)
            break
        ended = np.zeros(max(1, fates))
        for _ in range(MOST_SWEEPS):
            some = np.flatnonzero(mass > NOTHING * 1e-4)
            if not some.size:
                break
            part = mass[some]
            ended += part @ into_fates[some]
            result.unsettled += float(part @ loose[some])
            result.endless += float(part @ endless[some])
            for by, links in onward.items():
                moved = part @ links[some]
                waiting[at + by] = waiting[at + by] + moved if at + by in waiting else moved
            work += 1000 + int(some.size * len(share) / size)
            mass = part @ within[some] if within is not None else np.zeros(size)
        else:
            result.unsettled += float(mass.sum())
        for fate in np.flatnonzero(ended):
            result.ends[End.of(chain.fates[fate], at)] = float(ended[fate])
        waiting = {later: mass for later, mass in waiting.items() if mass.sum() >= NOTHING}
    return result


def _tail(
    chain: Chain[Any], item: Flow, waiting: dict[int, Any], into_fates: Any, within: Any, onward: Any, loose: Any, endless: Any
) -> None:
    """Solve the rest after many rounds as a linear system: the expected visits of each state, and their ends."""
    import numpy as np
    from scipy import sparse
    from scipy.sparse.linalg import spsolve

    size = len(chain.states)
    links = sum(onward.values(), within if within is not None else sparse.csr_array((size, size)))
    entering = sum(waiting.values())
    visits = spsolve((sparse.eye_array(size) - links).T.tocsc(), entering)
    ended = visits @ into_fates
    item.unsettled += float(visits @ loose)
    item.endless += float(visits @ endless)
    item.later = {chain.fates[fate]: float(ended[fate]) for fate in np.flatnonzero(ended)}
    moving = sum(float((visits @ matrix).sum()) * by for by, matrix in onward.items())
    item.later_rounds = sum(at * float(mass.sum()) for at, mass in waiting.items()) + moving
