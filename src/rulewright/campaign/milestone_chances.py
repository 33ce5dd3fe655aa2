"""The chance that somebody reaches a milestone in time, and when: exactly, or by sampling with an interval."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime import Downtime, Goal
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.campaign.milestones import holds
from rulewright.play import Player, Seeded, sub
from rulewright.play.intervals import wilson
from rulewright.play.odds import Budget, Stint, exact

MOST_STATES = 2_000
"""How many states are followed before the chance counts as too costly."""
MOST_SAMPLES = 2_000
"""How many runs a sample has at most."""
MOST_STEPS = 5_000
"""How many moments one run of a sample has at most."""


class Times(Struct, frozen=True):
    """When a goal is reached: the probability of each moment, earliest first. They add up to the chance that it is reached in time."""

    shares: tuple[tuple[int, Fraction], ...]
    runs: int = 0
    """How many runs were sampled; 0 for an exact result."""

    @property
    def chance(self) -> float:
        """The chance that the goal is reached in time."""
        return float(sum((share for _, share in self.shares), Fraction()))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of a sampled chance; twice the chance of an exact one."""
        return wilson(round(self.chance * self.runs), self.runs) if self.runs else (self.chance, self.chance)

    def by(self, chance: float) -> int | None:
        """The moment by which the goal is reached with at least this chance; None if it is not that likely."""
        so_far = Fraction()
        for moment, share in self.shares:
            so_far += share
            if so_far >= chance:
                return moment
        return None


def milestone_times(scene: DowntimeScene, state: Downtime[Any], goal: Goal, budget: Budget) -> Times | None:
    """When a goal is reached before the time is over, with the usual answers; None if counting it takes too long.

    People at other places cannot matter to it, so they are left out.
    """
    place = {person.location for person in state.people if goal.who in ("", person.name)}
    people = tuple(person for person in state.people if person.location in place)
    start = scene.settled(replace(state, people=people, goal=goal, stops=(), dates=()))
    if scene.reached(start):
        return Times(((start.now, Fraction(1)),))
    share_by_state = {start: Fraction(1)}
    share_by_moment: dict[int, Fraction] = {}
    for _ in range(MOST_STATES):
        if not share_by_state:
            return Times(tuple(sorted(share_by_moment.items())))
        if not budget.spend():
            return None
        earliest = min(share_by_state, key=lambda open_state: (open_state.now, open_state.dues, open_state.secret_dues))
        share = share_by_state.pop(earliest)
        odds = exact(sub(scene.step, earliest), budget=budget)
        if odds.unsettled:
            return None
        for after, weight in odds.weights.items():
            chance = share * Fraction(weight, odds.total)
            if scene.reached(after):
                share_by_moment[after.now] = share_by_moment.get(after.now, Fraction()) + chance
            elif scene.result(after) is None:
                share_by_state[after] = share_by_state.get(after, Fraction()) + chance
    return None


def sampled_times(scene: DowntimeScene, state: Downtime[Any], goals: Sequence[Goal], seconds: float, seed: int = 1) -> list[Times | None]:
    """When goals are reached before the time is over, in as many runs as the seconds of processor time allow; None if not one was played.

    The same runs answer for all goals, with the usual answers. The same seed gives the same dice.
    """
    start = scene.settled(replace(state, goal=None, stops=(), dates=()))
    stint, runs = Stint(seconds), 0
    moments: list[Counter[int]] = [Counter() for _ in goals]
    while runs < MOST_SAMPLES and (stint.left > 0 or not runs):
        reached = _run(scene, start, goals, seed + runs, None if not runs else stint)
        if reached is None:
            break
        runs += 1
        for counter, moment in zip(moments, reached, strict=True):
            if moment is not None:
                counter[moment] += 1
    if not runs:
        return [None] * len(goals)
    return [Times(tuple(sorted((at, Fraction(number, runs)) for at, number in counter.items())), runs) for counter in moments]


def _run(scene: DowntimeScene, state: Downtime[Any], goals: Sequence[Goal], seed: int, stint: Stint | None) -> list[int | None] | None:
    """The moment at which each goal is first reached in one run, None for one that is not; no list if the seconds are over."""
    dice = Seeded(seed)
    reached: list[int | None] = [state.now if holds(scene.game, goal, state.people) else None for goal in goals]
    for _ in range(MOST_STEPS):
        if None not in reached or scene.result(state) is not None:
            return reached
        if stint is not None and stint.left <= 0:
            return None
        state = replace(Player(dice).run(scene.step(state)), dues=0, stopped="")
        for number, goal in enumerate(goals):
            if reached[number] is None and holds(scene.game, goal, state.people):
                reached[number] = state.now
    return reached


def goal_times(
    scene: DowntimeScene, state: Downtime[Any], goals: Sequence[Goal], seconds: float, sampling: float | None = None
) -> list[Times | None]:
    """When each goal is reached: exactly where that is done within the seconds, otherwise sampled for as long (or for `sampling`)."""
    budget = Budget(seconds=seconds)
    times = [milestone_times(scene, state, goal, budget) for goal in goals]
    open_goals = [goal for goal, known in zip(goals, times, strict=True) if known is None]
    if not open_goals:
        return times
    sampled = iter(sampled_times(scene, state, open_goals, seconds if sampling is None else sampling))
    return [next(sampled) if known is None else known for known in times]
