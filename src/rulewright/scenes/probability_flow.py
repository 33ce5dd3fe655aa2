"""What a game needs so that all ways of a fight of several are followed at once: its people as numbers, and what comes next by them.

A fight of several has more states than anybody could list one by one. But few people stand in it, each of them stands in some hundred
ways, and what comes next depends on few of them. So a state is a phase (whose turn it is, in which order the others follow, who is
out) and a number for everybody, and what one turn makes of two people is put together once for all states in which it comes.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from rulewright.play import Sub
from rulewright.play.odds import Odds

S = TypeVar("S", bound=Hashable)

OddsOf = Callable[[Sub[Any]], Odds[Any]]
"""The exact odds of a part, levelled for the question."""

Change = Callable[[int], int]
"""What becomes of a person."""


class Outcomes(Struct, eq=False):
    """What can come of a meeting: the chance of each, a label for what it changes in the phase, and what becomes of the people."""

    chances: Sequence[float]
    labels: Sequence[int]
    become: Sequence[tuple[int, ...]]
    arrays: Any = None
    """The same as arrays, once somebody has made them."""


class Meeting(NamedTuple):
    """What comes next in a phase, and whom it depends on.

    `outcomes` tells what it can come to, by what `seen` shows of each of those people (without it, by their numbers); None where it is
    more than a meeting, so that the whole fight is stepped. What becomes of each is a number: their own, or, where only a part of
    them is seen, the place among their `variants`. `after` gives the phase that a label leads to, and what becomes of everybody by it.
    """

    people: tuple[int, ...]
    outcomes: Callable[[tuple[int, ...]], Outcomes | None]
    after: Callable[[int], tuple[Any, Change | None]]
    seen: Callable[[int], int] | None = None
    variants: Callable[[int], Sequence[int]] | None = None
    advances: bool = False
    """Whether it begins a new round."""


class Currents(Protocol[S]):
    """A fight in numbers. Everybody keeps their place in it; people who are equal in all that matters have the same number."""

    def enter(self, state: S, /) -> tuple[Any, tuple[int, ...]] | None:
        """A state as a phase and its people; None where it cannot be."""

    def whole(self, phase: Any, people: tuple[int, ...], at: int, /) -> S:
        """The state that a phase and its people stand for, in a round."""

    def stage(self, phase: Any, /) -> int:
        """How far the round has come. No meeting leads back, so that states which may fall together wait for one another."""

    def meeting(self, phase: Any, at: int, /) -> Meeting | None:
        """What comes next in that round; None where the fight is over, or has to be stepped as a whole."""
