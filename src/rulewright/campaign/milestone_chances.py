"""The exact chance that somebody reaches a milestone in time."""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from rulewright.campaign.downtime import Downtime, Goal
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.play import sub
from rulewright.play.odds import Budget, exact

MOST_STATES = 2_000
"""How many states are followed before the chance counts as too costly."""


def milestone_chance(scene: DowntimeScene, state: Downtime[Any], goal: Goal, budget: Budget) -> float | None:
    """The chance that a goal is reached before the time is over, with the usual answers; None if counting it takes too long.

    People at other places cannot matter to it, so they are left out.
    """
    place = {person.location for person in state.people if goal.who in ("", person.name)}
    people = tuple(person for person in state.people if person.location in place)
    start = scene.settled(replace(state, people=people, goal=goal, stops=(), dates=()))
    if scene.reached(start):
        return 1.0
    share_by_state = {start: Fraction(1)}
    reached = Fraction()
    for _ in range(MOST_STATES):
        if not share_by_state:
            return float(reached)
        earliest = min(share_by_state, key=lambda open_state: (open_state.now, open_state.dues))
        share = share_by_state.pop(earliest)
        odds = exact(sub(scene.step, earliest), budget=budget)
        if odds.unsettled:
            return None
        for after, weight in odds.weights.items():
            chance = share * Fraction(weight, odds.total)
            if scene.reached(after):
                reached += chance
            elif scene.result(after) is None:
                share_by_state[after] = share_by_state.get(after, Fraction()) + chance
    return None
