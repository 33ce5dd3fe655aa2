"""The exact chance beside an option, for whoever may choose it. What hangs on a roll that is hidden from them is not weighed for them."""

from typing import Any

from msgspec import Struct

from rulewright.errors import Wrong
from rulewright.play import Choice, Prospect, Roll, Sub, Tactic
from rulewright.play.odds import Budget, Exact

PATHS = 20_000
SECONDS = 1.5
"""For all options of one question together."""


class Outcome(Struct, frozen=True):
    """What may come of an option: its name, its chance, its place from nothing to worst, and whether it is a good one to get."""

    name: str
    chance: float
    place: int
    good: bool


class Weighed(Struct, frozen=True):
    """The chances of one option; what is not settled in time is said, and what cannot be weighed says why."""

    key: str
    outcomes: tuple[Outcome, ...] = ()
    unsettled: float = 0.0
    why_not: str = ""


class Prospects(Struct, frozen=True):
    """What the options of a question lead to, taken from a table to be weighed without holding it."""

    options: tuple[tuple[str, Prospect], ...]
    eyes: tuple[str | None, ...]
    decide: Tactic


def prospects(choice: Choice[Any], eyes: tuple[str | None, ...], decide: Tactic) -> Prospects:
    """What can be weighed of a question."""
    found = []
    if isinstance(choice.options, tuple):
        for option in choice.options:
            prospect = option.prospect(choice.about)
            if prospect is not None:
                found.append((option.key, prospect))
    return Prospects(tuple(found), eyes, decide)


def weigh(question: Prospects, seconds: float = SECONDS) -> tuple[Weighed, ...]:
    """The exact chances of every option that leads somewhere."""
    solver = _Discreet(question.decide, Budget(PATHS * max(1, len(question.options)), seconds), question.eyes)
    return tuple(_weighed(solver, key, prospect) for key, prospect in question.options)


def _weighed(solver: Exact, key: str, prospect: Prospect) -> Weighed:
    try:
        odds = solver.part(prospect.sub).map(prospect.name)
    except Wrong as wrong:
        return Weighed(key, why_not=str(wrong))
    chances = {name: weight / odds.total for name, weight in odds}
    ordered = [name for name in prospect.scale if name in chances] + sorted(name for name in chances if name not in prospect.scale)
    outcomes = tuple(
        Outcome(name, chances[name], prospect.scale.index(name) if name in prospect.scale else 0, name in prospect.good) for name in ordered
    )
    return Weighed(key, outcomes, odds.unsettled / odds.total)


class _Discreet(Exact):
    """Exact odds that stop at a roll which these eyes may not see."""

    def __init__(self, decide: Tactic, budget: Budget, eyes: tuple[str | None, ...]) -> None:
        super().__init__(decide, budget)
        self._eyes = eyes

    def _branches(self, request: Roll[Any] | Sub[Any]) -> tuple[int, list[tuple[Any, int]]]:
        if isinstance(request, Roll) and request.secret and self._eyes != (None,) and request.by not in self._eyes:
            raise Wrong("this hangs on something that you cannot know")
        return super()._branches(request)
