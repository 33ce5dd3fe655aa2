"""A model of the other players: a tactic that would have answered as they did becomes more likely.

A side learns only from what it can know. The tactics answer the question in a world that the side imagines, not in the true one, so that
a hidden wound does not influence what the side learns.
"""

from bisect import bisect
from collections.abc import Mapping
from itertools import accumulate
from math import exp, log
from typing import Any

from rulewright.errors import UserError
from rulewright.play import Choice, Given, Tactic
from rulewright.scenes.scene import Scene

USUAL = 0.5
"""The prior probability of the assumed tactic; the rest is shared by the other tactics."""
OTHERWISE = 0.25
"""The assumed probability that a player deviates from the tactic."""
COMPANIONS = 0.5
"""The weight of decisions of other members of the same side."""
MEMORY = 40
"""How many of the latest decisions are remembered."""
SEEMS = 0.6
"""The probability from which a tactic is reported."""


def said(tactic: Tactic, choice: Choice[Any], usual: Tactic) -> Given:
    """The answer of a tactic; that of the default tactic if it cannot answer."""
    try:
        given = tactic(choice)
        choice.take(given)
    except (UserError, LookupError, TypeError, AttributeError, ValueError):
        return usual(choice)
    return given


def sees(scene: Scene[Any], state: Any, side: str, who: str) -> bool:
    """Whether any member of a side sees a character."""
    try:
        return any(card.name == who for name in scene.sides(state).get(side, ()) for card in scene.view(state, name).cards)
    except NotImplementedError:  # a scene without views hides nothing
        return True


class Habits:
    """What one side has observed of the others, and the probability of each tactic."""

    def __init__(self, tactics: Mapping[str, Tactic]) -> None:
        self.tactics = tactics
        self.seen = 0
        """The number of observed decisions, informative or not."""
        self.known: set[int] = set()
        """The numbers of all examined decisions."""
        self._told: dict[int, tuple[str, str, tuple[bool, ...]]] = {}
        """For each informative decision: the character, the side, and which tactics agree with it, the default one first."""
        self._sums: dict[str, list[float]] = {}

    def forget(self) -> None:
        """Start a new fight."""
        self.seen = 0
        self.known.clear()
        self._told.clear()
        self._sums.clear()

    def notice(self, number: int, choice: Choice[Any], side: str, given: Given, usual: Tactic) -> None:
        """Observe an answer of a character of another side."""
        agreed = tuple([said(tactic, choice, usual) == given for tactic in (usual, *self.tactics.values())])
        if any(agreed) and not all(agreed):
            self._told[number] = choice.who, side, agreed
            if len(self._told) > MEMORY:
                del self._told[min(self._told)]
            self._sums.clear()

    def likely(self, who: str, side: str) -> dict[str, float]:
        """The probability of each tactic of a character; the empty name is the assumed tactic."""
        others = len(self.tactics)
        logs = [log(USUAL), *[log((1 - USUAL) / others)] * others] if others else [0.0]
        for decider, deciders_side, agreed in self._told.values():
            weight = 1.0 if decider == who else COMPANIONS if deciders_side == side else 0.0
            for at, agrees in enumerate(agreed):
                logs[at] += weight * log(1 - OTHERWISE if agrees else OTHERWISE)
        most = max(logs)
        weights = [exp(value - most) for value in logs]
        return {name: weight / sum(weights) for name, weight in zip(("", *self.tactics), weights, strict=True)}

    def drawn(self, who: str, side: str, luck: float) -> str:
        """Draw a tactic of a character by its probability; empty for the assumed tactic."""
        sums = self._sums.get(who)
        if sums is None:
            sums = self._sums[who] = list(accumulate(self.likely(who, side).values()))
        at = bisect(sums, luck * sums[-1])
        return list(self.tactics)[at - 1] if 0 < at <= len(self.tactics) else ""

    def seem(self) -> dict[str, str]:
        """The observed characters who probably follow another tactic than the assumed one, with this tactic."""
        tactic_by_name = {}
        for who, side in dict.fromkeys([(who, side) for who, side, _ in self._told.values()]):
            name, weight = max(self.likely(who, side).items(), key=lambda pair: pair[1])
            if name and weight >= SEEMS:
                tactic_by_name[who] = name
        return tactic_by_name
