"""Interface for playing whole rounds of many fights quickly: random numbers, and turns looked up by the people in them.

A fight of several is many turns between few people. A game that knows who is in the next turn looks up its outcomes, draws one, and puts
the people back, without building the whole fight each time.
"""

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from rulewright.play import Choice, Play, Roll, Sub, Tactic, Tell

S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")

Table = tuple[list[Any], list[float]]
"""Outcomes and their cumulative chances, for lookup with a random number from 0 to 1."""


class Luck(Protocol):
    """The source of randomness for a walk through many turns. Nothing it returns depends on earlier requests of other fights."""

    def random(self) -> float:
        """The next number from 0 to 1."""

    def roll_table(self, roll: Roll[Any], /) -> Table:
        """The outcomes of a roll."""

    def learned(self, part: Sub[Any], /) -> Table | None:
        """The outcomes of a sub-procedure, if its odds are known; asking uses no random number."""

    def tactic(self, who: str, /) -> Tactic:
        """The tactic of a person."""

    def sub(self, part: Sub[Any], /) -> Any:
        """The result of a sub-procedure, drawn or played."""

    def choose(self, choice: Choice[A], /) -> A:
        """The decision of a person."""

    def run(self, play: Play[A], /) -> A:
        """The result of a procedure, played."""


Walk = Callable[[S, int], S]
"""Plays on from a state as far as it can, starting no round after the given one; returns the same object if it can do nothing."""

UNSETTLED: Any = object()
"""The result of a procedure that needs random numbers."""


def settled(luck: Luck, play: Play[A]) -> A:
    """The result of a procedure that only asks for decisions, and so is always the same; UNSETTLED if it asks for dice.

    It is stopped before the first roll, so that no random number is used.
    """
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        if isinstance(request, Choice):
            answer = luck.choose(request)
        elif isinstance(request, Tell):
            answer = None
        else:
            play.close()
            return UNSETTLED  # type: ignore[no-any-return]


NOTHING: list[Any] = []
"""The results of a sub-procedure with unknown odds; never changed."""


class Turn(Generic[A, D]):
    """A sub-procedure of a fight, and what each outcome makes of its people.

    `make` computes that once per outcome, from `about` and the outcome.
    """

    __slots__ = ("_about", "_done", "_known", "_make", "_part", "_results", "_sums")

    def __init__(self, part: Sub[A], make: Callable[..., D], *about: Any) -> None:
        self._part = part
        self._make = make
        self._about = about
        self._known: dict[A, D] = {}
        self._sums: list[float] | None = None
        self._results: Sequence[A] = ()
        self._done: list[D | None] = NOTHING

    def draw(self, luck: Luck) -> D:
        """Draws its result."""
        sums = self._sums
        if sums is None:
            return self._unknown(luck)
        place = bisect(sums, luck.random())
        return self._done[place] or self._put(place)

    def _put(self, place: int) -> D:
        make = self._done[place] = self._make(*self._about, self._results[place])
        return make

    def _unknown(self, luck: Luck) -> D:
        """The result if the odds were not known until now."""
        table = luck.learned(self._part)
        if table is None:
            return self._made(luck.sub(self._part))
        self._results, self._sums = table
        self._done = [self._known.get(result) for result in self._results]
        self._known = {}
        return self.draw(luck)

    def _made(self, outcome: A) -> D:
        known = self._known.get(outcome)
        if known is None:
            known = self._known[outcome] = self._make(*self._about, outcome)
        return known
