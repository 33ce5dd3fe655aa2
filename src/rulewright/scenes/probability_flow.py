"""Interface for following all states of a large fight at once, as a probability distribution over integers.

A fight of several people has too many states to list. But each person has only some hundred states, and the next event depends on few
people. So a state is a phase (whose turn it is, the order of the others, who is out) plus one number per person, and the outcomes of a
meeting of two people are computed once for all states in which it occurs.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from rulewright.play import Sub
from rulewright.play.odds import Odds

S = TypeVar("S", bound=Hashable)

OddsOf = Callable[[Sub[Any]], Odds[Any]]
"""Computes the exact odds of a sub-procedure, simplified for the question."""

Change = Callable[[int], int]
"""Maps a person's number to their number afterwards."""


class Outcomes(Struct, eq=False):
    """The outcomes of a meeting: the chance of each, a label for the change of phase, and the new numbers of the people."""

    chances: Sequence[float]
    labels: Sequence[int]
    become: Sequence[tuple[int, ...]]
    arrays: Any = None
    """The same as arrays, filled in by the solver."""


class Meeting(NamedTuple):
    """The next event in a phase, and the people it depends on.

    `outcomes` gives the outcomes by what `seen` shows of each of those people (without `seen`, by their numbers); None if the whole fight
    has to be stepped. The results are the people's new numbers, or, if only a part of them is seen, indices into their `variants`. `after`
    gives the phase that a label leads to, and the change that applies to everybody.
    """

    people: tuple[int, ...]
    outcomes: Callable[[tuple[int, ...]], Outcomes | None]
    after: Callable[[int], tuple[Any, Change | None]]
    seen: Callable[[int], int] | None = None
    variants: Callable[[int], Sequence[int]] | None = None
    advances: bool = False
    """Whether it begins a new round."""


class Currents(Protocol[S]):
    """A fight in numbers. People keep their index; people who are equal in everything that matters have the same number."""

    def enter(self, state: S, /) -> tuple[Any, tuple[int, ...]] | None:
        """A state as a phase and the numbers of its people; None if that is not possible."""

    def whole(self, phase: Any, people: tuple[int, ...], at: int, /) -> S:
        """The state of a phase and its people, in a round."""

    def stage(self, phase: Any, /) -> int:
        """How far the round has come. No meeting leads back, so that equal states can be merged before they are followed."""

    def meeting(self, phase: Any, at: int, /) -> Meeting | None:
        """The next event in that round; None if the fight is over, or has to be stepped as a whole."""
