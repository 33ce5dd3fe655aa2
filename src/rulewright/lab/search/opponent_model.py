"""How others go about it, by what they were seen to decide: a tactic that would have answered as they did becomes likelier.

A side learns from what it can know. The question that somebody answered is gone through in a world as the side imagines it, not in the
true one, so that what a tactic makes of a hidden wound tells nobody of the wound.
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
"""How likely it is at first that somebody plays as they are taken to; else they go by any of the tactics."""
OTHERWISE = 0.25
"""How often somebody who goes by a tactic is taken to answer otherwise: nobody keeps to one for ever."""
COMPANIONS = 0.5
"""How much what others of a side do tells of somebody, beside what they do themselves."""
MEMORY = 40
"""So many decisions are remembered, the last ones."""
SEEMS = 0.6
"""As likely as this, somebody seems to play so."""


def said(tactic: Tactic, choice: Choice[Any], usual: Tactic) -> Given:
    """What a tactic answers, if it can answer this at all; else what is usual."""
    try:
        given = tactic(choice)
        choice.take(given)
    except (UserError, LookupError, TypeError, AttributeError, ValueError):
        return usual(choice)
    return given


def sees(scene: Scene[Any], state: Any, side: str, who: str) -> bool:
    """Whether somebody of a side knows of a person at all."""
    try:
        return any(card.name == who for name in scene.sides(state).get(side, ()) for card in scene.view(state, name).cards)
    except NotImplementedError:  # a scene without views keeps nothing from anybody
        return True


class Habits:
    """What one side has seen of the others, and by which tactic each of them may be playing."""

    def __init__(self, tactics: Mapping[str, Tactic]) -> None:
        self.tactics = tactics
        self.seen = 0
        """How many decisions were noticed, also those that told nothing."""
        self.known: set[int] = set()
        """The numbers of all decisions that were looked at."""
        self._told: dict[int, tuple[str, str, tuple[bool, ...]]] = {}
        """Of each decision that told something whose it was, of which side, and which ways would have led to it: the usual one first."""
        self._sums: dict[str, list[float]] = {}

    def forget(self) -> None:
        """Another fight, with others."""
        self.seen = 0
        self.known.clear()
        self._told.clear()
        self._sums.clear()

    def notice(self, number: int, choice: Choice[Any], side: str, given: Given, usual: Tactic) -> None:
        """Somebody of another side answered a question so."""
        agreed = tuple([said(tactic, choice, usual) == given for tactic in (usual, *self.tactics.values())])
        if any(agreed) and not all(agreed):
            self._told[number] = choice.who, side, agreed
            if len(self._told) > MEMORY:
                del self._told[min(self._told)]
            self._sums.clear()

    def likely(self, who: str, side: str) -> dict[str, float]:
        """How likely it is that somebody goes by each tactic; by the empty name, that they play as they are taken to."""
        others = len(self.tactics)
        logs = [log(USUAL), *[log((1 - USUAL) / others)] * others] if others else [0.0]
        for text, of, agreed in self._told.values():
            weight = 1.0 if text == who else COMPANIONS if of == side else 0.0
            for at, agrees in enumerate(agreed):
                logs[at] += weight * log(1 - OTHERWISE if agrees else OTHERWISE)
        most = max(logs)
        weights = [exp(value - most) for value in logs]
        return {name: weight / sum(weights) for name, weight in zip(("", *self.tactics), weights, strict=True)}

    def drawn(self, who: str, side: str, luck: float) -> str:
        """A tactic by which somebody may be playing, drawn by how likely it is; empty as they are taken to."""
        sums = self._sums.get(who)
        if sums is None:
            sums = self._sums[who] = list(accumulate(self.likely(who, side).values()))
        at = bisect(sums, luck * sums[-1])
        return list(self.tactics)[at - 1] if 0 < at <= len(self.tactics) else ""

    def seem(self) -> dict[str, str]:
        """Who of those that were seen to decide seems to play by a tactic rather than as they are taken to, and by which."""
        result = {}
        for who, side in dict.fromkeys([(who, side) for who, side, _ in self._told.values()]):
            name, weight = max(self.likely(who, side).items(), key=lambda pair: pair[1])
            if name and weight >= SEEMS:
                result[who] = name
        return result
