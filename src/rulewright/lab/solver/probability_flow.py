"""Solves fights of several members by propagating probability from phase to phase, the most probable states first.

States are kept in layers, one for each phase of a round: a number for each member, and the probability. A layer is advanced as a whole:
equal states are merged, the outcomes of the next turn are looked up by the members involved, and states below a threshold wait. When all
states above the threshold have ended, it is lowered, and the waiting states are advanced. The bounds thus narrow with time, and the
waiting probability is unsettled.
"""

import time
from collections.abc import Callable, Hashable
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Any, Generic, TypeVar

import numpy as np

from rulewright.lab.results import End, Fate, ending, lost_by, sides_of
from rulewright.lab.solver.state_graph import Progress, Report, _Solver
from rulewright.play import Tactic
from rulewright.scenes.probability_flow import Currents, Meeting, Outcomes
from rulewright.scenes.scene import Scene

S = TypeVar("S", bound=Hashable)

FIRST, FALLS, LAST = 1e-4, 8.0, 1e-18
"""The first threshold, the factor by which it falls, and the last one."""

WITHIN = 50.0
"""How far below the threshold states are advanced within a round: many of them merge at its end."""

AT_ONCE = 1 << 20
"""The number of links in one batch."""

MOST_WAITING = 8_000_000
"""The limit of waiting states; beyond it the less probable half is dropped and stays unsettled. Two against two take 24 bytes each."""

A_STATE = 1_000
"""How many states in layers cost as much as one explored state."""

NOTHING = 1e-9
"""Smaller differences are rounding errors."""

Place = tuple[int, int, int]
"""The key of a layer: its round, its stage, and the number of its phase; -1 for states that are stepped one by one."""


class Carried:
    """The result: the ends, the unsettled probability, the number of states, and what stopped the work."""

    def __init__(self) -> None:
        self.ends: dict[End, float] = {}
        self.unsettled = 1.0
        self.states = 0
        self.stopped = ""


def carry(
    scene: Scene[S],
    state: S,
    decide: Tactic,
    question: str,
    *,
    rounds: int | None,
    states: int,
    seconds: float | None,
    precision: float | None,
    progress: Report | None,
) -> Carried | None:
    """Propagate the probability of a fight as far as the budget allows; None if this fight does not support it."""
    if not scene.simplifies(state):
        return None
    parts = _Solver(scene, question, decide)
    currents = scene.currents(parts.part)
    begun = None if currents is None else currents.enter(state)
    if currents is None or begun is None or currents.meeting(begun[0], scene.round(state)) is None:
        return None
    work = _Carrying(scene, currents, parts, question, state)
    work.limit, work.most, work.enough, work.progress = rounds, states * A_STATE, 0.0 if precision is None else 2 * precision, progress
    work.until = None if seconds is None else work.began + seconds
    work.put(scene.round(state), begun[0], np.array([begun[1]], np.int32), np.ones(1))
    return work.run()


class _Layer:
    """The states of one phase in one round, and the waiting probability of each."""

    def __init__(self) -> None:
        self.people: list[Any] = []
        self.weights: list[Any] = []
        self.size = 0

    def add(self, people: Any, weights: Any) -> None:
        """Add states."""
        self.people.append(people)
        self.weights.append(weights)
        self.size += len(weights)

    def heavy(self, least: float) -> tuple[Any, Any]:
        """Merge equal states and remove those with at least this weight."""
        people, weights = together(np.concatenate(self.people), np.concatenate(self.weights))
        light = weights < least
        self.people, self.weights, self.size = [], [], 0
        if light.any():
            self.add(people[light], weights[light])
        return people[~light], weights[~light]


def together(people: Any, weights: Any) -> tuple[Any, Any]:
    """Merge equal rows and add their weights."""
    code, first, inverse = np.unique(_codes(people), return_index=True, return_inverse=True)
    if len(code) == len(people):
        return people, weights
    return people[first], np.bincount(inverse, weights, len(code))


def _codes(people: Any) -> Any:
    """A key for each row, equal only for equal rows."""
    code, size = people[:, 0].astype(np.int64), int(people[:, 0].max()) + 1
    for column in people.T[1:]:
        wide = int(column.max()) + 1
        if size * wide >= 1 << 62:
            kept, code = np.unique(code, return_inverse=True)
            size = len(kept)
        code, size = code * wide + column, size * wide
    return code


class _Carrying(Generic[S]):
    """The running propagation."""

    def __init__(self, scene: Scene[S], currents: Currents[S], parts: _Solver, question: str, state: S) -> None:
        self.scene = scene
        self.currents = currents
        self.parts = parts
        self.question = question
        sides = sides_of(scene, state)
        self.fate_of: Callable[[Any], Fate | None] = ending(scene, question, sides)
        self.lost: Callable[[Any], tuple[int, ...]] = lost_by(scene, question, sides)
        self.limit: int | None = None
        self.most = 0
        self.enough = 0.0
        self.progress: Report | None = None
        self.began = self.told = time.monotonic()
        self.until: float | None = None
        self.phases: list[Any] = []
        self.numbers: dict[Any, int] = {}
        self.layers: dict[Place, _Layer] = {}
        self.whole: dict[Place, dict[S, float]] = {}
        self.least_kept = 0.0
        """Lighter states were dropped because the limit was reached."""
        self.waiting = 0
        """The number of states in layers."""
        self.open: list[Place] = []
        self.found = Carried()
        self.settled = 0.0

    def put(self, at: int, phase: Any, people: Any, weights: Any) -> None:
        """Add probability to states of a phase."""
        number = self.numbers.get(phase)
        if number is None:
            number = self.numbers[phase] = len(self.phases)
            self.phases.append(phase)
        place = at, self.currents.stage(phase), number
        layer = self.layers.get(place)
        if layer is None:
            layer = self.layers[place] = _Layer()
        if not layer.size:
            heappush(self.open, place)
        layer.add(people, weights)
        self.waiting += len(weights)

    def run(self) -> Carried:
        """Propagate until everything has ended or the work is stopped."""
        carried, least = self.found, FIRST
        try:
            while not carried.stopped and (self.layers or self.whole) and least > LAST:
                self._tide(least)
                least /= FALLS
                if least < self.least_kept and not carried.stopped:
                    carried.stopped = "states"
        except KeyboardInterrupt:
            carried.stopped = "interrupted"
        carried.unsettled = max(0.0, 1.0 - self.settled)
        if carried.unsettled < NOTHING:
            carried.unsettled, carried.stopped = 0.0, ""
            carried.ends = {end: chance / self.settled for end, chance in carried.ends.items()}
        elif not carried.stopped:
            carried.stopped = "paths"
        return carried

    def _tide(self, least: float) -> None:
        """Advance all states above the threshold, the earliest phases first."""
        self.open = [*self.layers, *self.whole]
        heapify(self.open)
        while self.open:
            place = heappop(self.open)
            if place in self.whole:
                self._step(place, least)
            layer = self.layers.get(place)
            if layer is not None:
                self.waiting -= layer.size
                people, weights = layer.heavy(least if place[1] == 0 else least / WITHIN)
                self.waiting += layer.size
                if not layer.size:
                    del self.layers[place]
                self._carry(place, people, weights)
            if self._enough():
                return

    def _carry(self, place: Place, people: Any, weights: Any) -> None:
        """Advance the states of one phase."""
        if not len(weights):
            return
        self.found.states += len(weights)
        at, phase = place[0], self.phases[place[2]]
        meeting = self.currents.meeting(phase, at)
        if meeting is None or (self.limit is not None and at >= self.limit and meeting.advances):
            self._leave(at, phase, people, weights, meeting is not None)
            return
        which, keys = _groups(people, meeting)
        tables = []
        for key in keys:
            tables.append(meeting.outcomes(key))
            if self._late():
                self.found.stopped = "seconds"
                return
        known = np.array([table is not None for table in tables])[which]
        if not known.all():
            self._leave(at, phase, people[~known], weights[~known], False)
            people, weights, which = people[known], weights[known], which[known]
        if len(weights):
            self._follow(at, meeting, _Joined(tables), people, weights, which)

    def _follow(self, at: int, meeting: Meeting, joined: "_Joined", people: Any, weights: Any, which: Any) -> None:
        counts = joined.counts[which]
        ends = np.cumsum(counts)
        begin = 0
        while begin < len(weights):
            done = ends[begin] - counts[begin]
            end = max(begin + 1, int(np.searchsorted(ends, done + AT_ONCE, "right")))
            span = slice(begin, end)
            rows = np.repeat(np.arange(begin, end), counts[span])
            offset = np.arange(len(rows)) - np.repeat(ends[span] - counts[span] - done, counts[span])
            place = joined.first[which[rows]] + offset
            after = people[rows]
            _become(after, meeting, joined.become[place])
            self._sort(at, meeting, after, weights[rows] * joined.chances[place], joined.labels[place])
            begin = end

    def _sort(self, at: int, meeting: Meeting, people: Any, weights: Any, labels: Any) -> None:
        """Put the outcomes into the following phases."""
        for label in np.flatnonzero(np.bincount(labels)).tolist():
            these = labels == label
            phase, change = meeting.after(label)
            there, weigh = together(people[these], weights[these])
            if change is not None:
                there = _each(there, change)
            self.put(at + meeting.advances, phase, there, weigh)

    def _leave(self, at: int, phase: Any, people: Any, weights: Any, too_late: bool) -> None:
        """Handle states that have ended or are stepped one by one."""
        for row, weight in zip(people.tolist(), weights.tolist(), strict=True):
            state = self.currents.whole(phase, tuple(row), at)
            self._arrive(at, state, weight, too_late)

    def _arrive(self, at: int, state: S, weight: float, too_late: bool = False) -> None:
        fate = self.fate_of(state)
        if fate is not None or too_late:
            end = End(None, self.lost(state), at) if fate is None else End.of(fate, at)
            self.found.ends[end] = self.found.ends.get(end, 0.0) + weight
            self.settled += weight
            return
        place = at, 1, -1
        waiting = self.whole.get(place)
        if waiting is None:
            waiting = self.whole[place] = {}
            heappush(self.open, place)
        seen = self.scene.lens(state, self.question)
        waiting[seen] = waiting.get(seen, 0.0) + weight

    def _step(self, place: Place, least: float) -> None:
        """Step these states one by one."""
        waiting = self.whole.pop(place)
        light = {state: weight for state, weight in waiting.items() if weight < least}
        if light:
            self.whole[place] = light
        for state, weight in waiting.items():
            if weight >= least:
                if self._late():
                    return
                self.found.states += 1
                odds = self.parts.solve(partial(self.scene.step, state))
                for after, share in odds:
                    self._enter(place[0] + self.scene.round(after) - self.scene.round(state), after, weight * share / odds.total)

    def _enter(self, at: int, state: S, weight: float) -> None:
        """Put a stepped state back into a layer."""
        if self.limit is not None and at > self.limit:
            self._arrive(self.limit, state, weight, True)
            return
        entered = None if self.fate_of(state) is not None else self.currents.enter(state)
        if entered is None or self.currents.meeting(entered[0], at) is None:
            self._arrive(at, state, weight)
        else:
            self.put(at, entered[0], np.array([entered[1]], np.int32), np.array([weight]))

    def _make_room(self) -> None:
        """Drop the less probable half of the waiting states."""
        weights = np.concatenate([weights for layer in self.layers.values() for weights in layer.weights])
        self.least_kept = float(np.median(weights))
        for place, layer in list(self.layers.items()):
            self.waiting -= layer.size
            kept = layer.heavy(self.least_kept)
            layer.people, layer.weights, layer.size = [], [], 0
            if len(kept[1]):
                layer.add(*kept)
                self.waiting += layer.size
            else:
                del self.layers[place]

    def _late(self) -> bool:
        """Whether the time is over."""
        return self.until is not None and time.monotonic() > self.until

    def _enough(self) -> bool:
        """Whether to stop; reports the progress."""
        carried, now = self.found, time.monotonic()
        if 1.0 - self.settled <= max(self.enough, NOTHING / 2):
            carried.stopped = "precision"
        elif self._late():
            carried.stopped = "seconds"
        elif carried.states > self.most:
            carried.stopped = "states"
        elif self.waiting > MOST_WAITING:
            self._make_room()
        if self.progress is not None and now - self.told > 0.1:
            self.told = now
            if self.progress(Progress("states", carried.states, None, now - self.began, settled=self.settled)) is False:
                carried.stopped = "interrupted"
        return bool(carried.stopped)


class _Joined:
    """Combine the outcomes of several encounters into one table."""

    def __init__(self, tables: list[Outcomes | None]) -> None:
        arrays = [_arrays(table) for table in tables if table is not None]
        self.chances = np.concatenate([array[0] for array in arrays])
        self.labels = np.concatenate([array[1] for array in arrays])
        self.become = np.concatenate([array[2] for array in arrays])
        self.counts = np.array([0 if table is None else len(table.chances) for table in tables])
        self.first = np.cumsum(self.counts) - self.counts


def _arrays(table: Outcomes) -> Any:
    if table.arrays is None:
        table.arrays = np.array(table.chances), np.array(table.labels, np.int64), np.array(table.become, np.int32)
    return table.arrays


def _groups(people: Any, meeting: Meeting) -> tuple[Any, list[tuple[int, ...]]]:
    """Group states by the fields that matter for an encounter: the group of each state, and the fields of each group."""
    columns = people[:, list(meeting.people)]
    if meeting.seen is not None:
        columns = _each(columns, meeting.seen)
    _, first, which = np.unique(_codes(columns), return_index=True, return_inverse=True)
    return which, [tuple(row) for row in columns[first].tolist()]


def _each(people: Any, change: Callable[[int], int]) -> Any:
    """Apply a change to each member separately."""
    ndarray, inverse = np.unique(people, return_inverse=True)
    return np.array([change(candidate) for candidate in ndarray.tolist()], np.int32)[inverse].reshape(people.shape)


def _become(people: Any, meeting: Meeting, become: Any) -> None:
    """Write the outcomes of an encounter into the states."""
    for place, column in enumerate(meeting.people):
        if meeting.variants is None:
            people[:, column] = become[:, place]
        else:
            ndarray, inverse = np.unique(people[:, column], return_inverse=True)
            variants = [meeting.variants(candidate) for candidate in ndarray.tolist()]
            wide = np.zeros((len(ndarray), max([len(some) for some in variants])), np.int32)
            for row, some in enumerate(variants):
                wide[row, : len(some)] = some
            people[:, column] = wide[inverse, become[:, place]]
