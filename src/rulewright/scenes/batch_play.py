"""What a game needs to play whole rounds of many fights quickly: luck to draw from, and turns that are looked up by who is in them.

A fight of several is many turns between few people. A game that can say who is in the next turn may walk through its rounds: it
looks up what the turn between those few can come to, draws, and puts them back, without making the whole fight anew each time.
"""

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from rulewright.play import Choice, Play, Roll, Sub, Tactic, Tell

S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")

Table = tuple[list[Any], list[float]]
"""Outcomes, and beside each the chance of it or one before it: a random number from 0 to 1 is looked up there."""


class Luck(Protocol):
    """What a walk through many turns draws from. Nothing of what it gives depends on what was asked for earlier in other fights."""

    def random(self) -> float:
        """The next number from 0 to 1."""

    def roll_table(self, roll: Roll[Any], /) -> Table:
        """What can come of a roll."""

    def learned(self, part: Sub[Any], /) -> Table | None:
        """What can come of a part, where its odds are known for good; asking costs nothing of the luck."""

    def tactic(self, who: str, /) -> Tactic:
        """By what tactic somebody decides."""

    def sub(self, part: Sub[Any], /) -> Any:
        """What a part comes to, drawn or played."""

    def choose(self, choice: Choice[A], /) -> A:
        """What somebody decides."""

    def run(self, play: Play[A], /) -> A:
        """What a procedure comes to that is played."""


Walk = Callable[[S, int], S]
"""Plays on from a state, beginning no round after that one, as far as it can; the very same state where it can do nothing."""

UNSETTLED: Any = object()
"""What a procedure comes to for which luck is needed."""


def settled(luck: Luck, play: Play[A]) -> A:
    """What a procedure comes to that asks for decisions alone, so that it comes to the same again; UNSETTLED where it asks for dice.

    It is broken off before the first of them, so that nothing of the luck is used up.
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
"""What has been put together of a part whose odds are not known: never changed."""


class Turn(Generic[A, D]):
    """A part of a fight, and what each of its outcomes makes of the people in it: put together once for each, by `make` of what is `about`
    and the outcome."""

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
        """What it comes to this time."""
        sums = self._sums
        if sums is None:
            return self._unknown(luck)
        place = bisect(sums, luck.random())
        return self._done[place] or self._put(place)

    def _put(self, place: int) -> D:
        make = self._done[place] = self._make(*self._about, self._results[place])
        return make

    def _unknown(self, luck: Luck) -> D:
        """What a part comes to whose odds are not known for good, or were not until now."""
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
