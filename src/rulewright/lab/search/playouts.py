"""Fights played on to their end by tactics, with luck that is the same for all who are compared."""

import random
from bisect import bisect
from collections.abc import Callable, Mapping
from math import prod
from typing import Any, TypeVar

from rulewright.dice.reading import weights_of
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.opponent_model import Habits, said
from rulewright.play import Choice, Driver, Given, Play, Roll, Seeded, Tactic
from rulewright.play.odds import _table
from rulewright.scenes.scene import Scene, someone_of

A = TypeVar("A")

MOST_STEPS = 2_000
"""A fight that goes on for longer is judged by who is still standing."""
MOST_COUNTED = 10_000
"""Dice with more rolls than this are rolled: to know all their results takes longer than many fights."""
STANDING = 0.04
"""What having more people left is worth beside winning: it decides between ways that win alike."""


class Policy:
    """How everybody decides when one side goes by a tactic of its own, and the others as they are taken to or were seen to."""

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
        self._drawn: dict[str, Tactic] = {}

    def begin(self, seed: int) -> None:
        """Another fight: how the others go about it is drawn by its luck, alike for all of whom the same was seen."""
        if self._of:
            self._luck, self._drawn = random.Random(seed_of(seed, "others")).random(), {}

    def __call__(self, choice: Choice[Any]) -> Given:
        if choice.who in self.names:
            return self.tactic(choice)
        side = self._of.get(choice.who)
        if side is None or self.habits is None:
            return self.others(choice)
        drawn = self._drawn.get(choice.who)
        if drawn is None:
            name = self.habits.drawn(choice.who, side, self._luck)
            drawn = self._drawn[choice.who] = self.habits.tactics[name] if name else self.others
        return self.others(choice) if drawn is self.others else said(drawn, choice, self.others)


class Playing(Driver):
    """Plays fights on by a policy. Rolls are drawn from a stream of whoever rolls, so that the same luck meets different deeds.

    Every roll is made for itself. To draw whole parts from their odds would be no quicker here, and two ways that differ in a part would
    no longer meet the same dice in it: the error of their difference was half as large again. A fight is broken off between any two
    steps when the time is out.
    """

    def __init__(self, scene: Scene[Any], policy: Policy, limit: int | None, watch: Watch) -> None:
        self.policy = policy
        self.scene = scene
        self.limit = limit
        self.watch = watch
        self._seed = 0
        self._streams: dict[str, Callable[[], float]] = {}
        self._rolls: dict[Any, tuple[list[Any], list[float]] | None] = {}

    def begin(self, seed: int) -> None:
        """Begin with this luck."""
        self._seed, self._streams = seed, {}
        self.policy.begin(seed)

    def fight(self, play: Play[Any], side: str, seed: int) -> float:
        """Play a step to its end and the fight after it: what it comes to for a side."""
        self.begin(seed)
        scene, limit = self.scene, self.limit
        state = self.run(play)
        for _ in range(MOST_STEPS):
            result = scene.result(state)
            if result is not None:
                return worth(scene, state, side, result.winner)
            if limit is not None and scene.round(state) > limit:
                return worth(scene, state, side, None)
            self.watch.look()
            state = self.run(scene.step(state))
        return worth(scene, state, side, None)

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
        luck = stream()  # one number for a roll, so that more or fewer dice leave the luck of later rolls as it is
        if table is None:
            return reading.read(Seeded(luck).faces(roll))
        results, sums = table
        return results[bisect(sums, luck)]

    def choose(self, choice: Choice[A]) -> A:
        self.watch.look()
        return choice.take(self.policy(choice))


def worth(scene: Scene[Any], state: Any, side: str, winner: str | None) -> float:
    """What an end is worth to a side: 1 if it carries it, a half if nobody does; and a little for each who still stands."""
    sides: Mapping[str, tuple[str, ...]] = scene.sides(state)
    out = scene.out(state)
    mine = [name not in out for name in sides.get(side, ())]
    theirs = [name not in out for other, names in sides.items() if other != side for name in names]
    standing = (sum(mine) / len(mine) if mine else 0.0) - (sum(theirs) / len(theirs) if theirs else 0.0)
    return (0.5 if winner is None else float(winner == side)) + STANDING * standing


def carried(value: float) -> float:
    """The worth of an end without what is still standing: 0, a half or 1."""
    return round(2 * value) / 2
