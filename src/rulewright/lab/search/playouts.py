"""Playouts: fights played on by tactics, to the end or for some rounds, with common random numbers for all candidates."""

import random
from bisect import bisect
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from math import prod
from typing import Any, TypeVar

from rulewright.dice.reading import weights_of
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.opponent_model import Habits, said
from rulewright.lab.search.step_memory import StepMemory
from rulewright.play import Choice, Driver, Given, Play, Roll, Seeded, Tactic
from rulewright.play.odds import _table
from rulewright.scenes.scene import Scene, someone_of

A = TypeVar("A")

MOST_STEPS = 2_000
"""The step limit; a longer fight is valued by the members that are left."""
MOST_COUNTED = 10_000
"""Dice with more possible rolls than this are rolled instead of drawn from a table."""
STANDING = 0.04
"""The value of having more members left, beside winning: it decides between equal win chances."""


class Policy:
    """The tactics of a playout: one side follows a given tactic, the others the assumed or observed ones."""

    def __init__(
        self,
        others: Tactic,
        name: str = "",
        side: str = "",
        sides: Mapping[str, tuple[str, ...]] | None = None,
        tactic: Tactic | None = None,
        habits: Habits | None = None,
    ) -> None:
        self.name = name
        self.others = others
        sides = sides or {}
        self.names = frozenset([*sides.get(side, ()), someone_of(side)]) if tactic is not None else frozenset()
        self.tactic = tactic if tactic is not None else others
        self.habits = habits
        self._of = {who: of for of, names in sides.items() if of != side for who in (*names, someone_of(of))} if habits is not None else {}
        self._luck = 0.0
        self._drawn: dict[str, str] = {}

    def begin(self, seed: int) -> None:
        """Start a playout: draw the tactics of the others."""
        if self._of:
            self._luck, self._drawn = random.Random(seed_of(seed, "others")).random(), {}

    def __call__(self, choice: Choice[Any]) -> Given:
        if choice.who in self.names:
            return self.tactic(choice)
        name = self.drawn(choice.who)
        if not name or self.habits is None:
            return self.others(choice)
        return said(self.habits.tactics[name], choice, self.others)

    def drawn(self, who: str) -> str | None:
        """The tactic of another player in this playout, empty for the assumed one; None for those who follow the same one in all."""
        name = self._drawn.get(who)
        if name is None:
            side = self._of.get(who)
            if side is None or self.habits is None or who in self.names:
                return None
            name = self._drawn[who] = self.habits.drawn(who, side, self._luck)
        return name


class Playing(Driver):
    """Plays fights on by a policy. Each character rolls from an own random stream, so that different actions meet the same luck.

    Rolls are made one by one. To draw whole sub-procedures from their odds is not faster here, and it makes the error of differences half
    as large again, because candidates no longer meet the same dice. The deadline is checked between steps.
    """

    def __init__(self, scene: Scene[Any], policy: Policy, limit: int | None, watch: Watch) -> None:
        self.policy = policy
        self.scene = scene
        self.limit = limit
        self.watch = watch
        self._seed = 0
        self._streams: dict[str, Callable[[], float]] = {}
        self._rolls: dict[Any, tuple[list[Any], list[float]] | None] = {}
        self._memory = StepMemory(self)
        self.valued: Any = None
        """The position at which the last playout that was cut short ended; None if it came to its end."""

    def begin(self, seed: int) -> None:
        """Start with this seed."""
        self._seed, self._streams = seed, {}
        self.policy.begin(seed)

    def forget(self) -> None:
        """Start another question: steps are remembered within one only."""
        self._memory = StepMemory(self)

    def fight(self, play: Play[Any], side: str, seed: int, until: float | None = None, start: Hashable = None) -> float:
        """Play a step and the rest of the fight, or until it is cut short; returns the value for a side.

        `until` is the time of the scene (`Scene.elapsed`) from which a position is valued instead of played on. `start` says what the step
        follows from, where the same step may be played again.
        """
        self.begin(seed)
        self.valued = None
        scene, limit, memory = self.scene, self.limit, self._memory
        state = self.run(play) if start is None else memory.play(start, lambda: play)
        for _ in range(MOST_STEPS):
            result = scene.result(state)
            if result is not None:
                return worth(scene, state, side, result.winner)
            if limit is not None and scene.round(state) > limit:
                return worth(scene, state, side, None)
            if until is not None and scene.elapsed(state) >= until:
                estimate = scene.value(state, side)
                if estimate is not None:
                    self.valued = state
                    return estimate
            self.watch.look()
            state = memory.play(state, partial(scene.step, state))
        return worth(scene, state, side, None)

    def answers(self, who: str) -> Hashable:
        """Which tactic answers for a person in this playout; None if it is the same one in all."""
        return self.policy.drawn(who)

    def roll(self, roll: Roll[A]) -> A:
        self.watch.look()
        reading: Any = roll.reading
        try:
            table = self._rolls[reading]
        except KeyError:
            few = prod(reading.sides()) <= MOST_COUNTED
            table = self._rolls[reading] = _table(weights_of(reading)) if few else None
        stream = self._streams.get(roll.by)
        if stream is None:
            stream = self._streams[roll.by] = random.Random(seed_of(self._seed, roll.by)).random
        luck = stream()  # one number for each roll, so that the number of dice does not change later rolls
        if table is None:
            return reading.read(Seeded(luck).faces(roll))
        results, sums = table
        return results[bisect(sums, luck)]

    def choose(self, choice: Choice[A]) -> A:
        self.watch.look()
        return choice.take(self.policy(choice))


def worth(scene: Scene[Any], state: Any, side: str, winner: str | None) -> float:
    """The value of an end for a side: 1 for a win, 0.5 for a draw, and a little for members that are left."""
    sides: Mapping[str, tuple[str, ...]] = scene.sides(state)
    out = scene.out(state)
    mine = [name not in out for name in sides.get(side, ())]
    theirs = [name not in out for other, names in sides.items() if other != side for name in names]
    standing = (sum(mine) / len(mine) if mine else 0.0) - (sum(theirs) / len(theirs) if theirs else 0.0)
    return (0.5 if winner is None else float(winner == side)) + STANDING * standing


def carried(value: float) -> float:
    """The value of an end without the bonus for members: 0, 0.5 or 1."""
    return round(2 * value) / 2


def chance(value: float) -> float:
    """The win chance that the value of a playout stands for, if it may have been cut short."""
    return min(1.0, max(0.0, value))
