"""The exact chance that somebody reaches a milestone in time, and when."""

from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime import Downtime, Goal
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.play import sub
from rulewright.play.odds import Budget, exact

MOST_STATES = 2_000
"""How many states are followed before the chance counts as too costly."""


class Times(Struct, frozen=True):
    """When a goal is reached: the probability of each moment, earliest first. They add up to the chance that it is reached in time."""

    shares: tuple[tuple[int, Fraction], ...]

    @property
    def chance(self) -> float:
        """The chance that the goal is reached in time."""
        return float(sum((share for _, share in self.shares), Fraction()))

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
