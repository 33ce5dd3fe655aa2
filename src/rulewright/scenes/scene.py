"""The contract of a scene: a state, a step, a result, what each may see. A game subclasses `Scene`; the loop around it is the same for all.

A fight, a chase or a debate is a state and a step. The state is immutable and plain; a step is the smallest unit that the book has.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from rulewright.build.pieces import SceneView
from rulewright.errors import Wrong
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scenarios import Lasts

S = TypeVar("S", bound=Hashable)


class Result(Struct, frozen=True):
    """How a scene ended: the side that carried it (None for nobody), and why."""

    winner: str | None
    why: str


def someone_of(side: str) -> str:
    """What a focus calls anybody of a side: all who are alike fall together, and the side's tactic still knows whom it decides for."""
    return f"someone of {side}"


class Focus(NamedTuple, Generic[S]):
    """What comes next by itself: a small state, how it is played from there, and how what comes of it is put back into the whole.

    `play` is handed the small state and depends on nothing else. It may be one step or several, or the beginning of one: then `rest`
    goes on from the whole.
    """

    small: S
    play: Callable[[S], Play[S]]
    back: Callable[[S], S]
    rest: Callable[[S], Play[S]] | None = None


class Scene(Generic[S]):
    """A game's rounds under one ruleset. A game subclasses this; the loop around it is the same for all."""

    state_type: type[S]
    kind: str = FIGHT
    """The name under which the game offers it."""
    overlaps: bool = False
    """Whether what somebody begins takes effect after others have decided: then the chance beside an option is followed so far."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def step(self, state: S) -> Play[S]:
        """The smallest unit of the round that the book has."""
        raise NotImplementedError

    def result(self, state: S) -> Result | None:
        """How it ended, or None while it goes on."""
        raise NotImplementedError

    def view(self, state: S, who: str | None) -> SceneView:
        """What this person may know (None is the gamemaster). Secrets are kept here and nowhere else."""
        raise NotImplementedError

    def lens(self, state: S, question: str) -> S:
        """The same state with everything levelled that does not matter to the question: win, losses, or all."""
        return state

    def focus(self, state: S) -> "Focus[S] | Play[S] | None":
        """What comes next by itself, where it depends on a part of the state alone; None where it may depend on all of it.

        Where all tactics are `local` (see `play.local`), the odds of that small state are remembered, and many fights draw from them.
        Where several such things follow one another it may be a procedure that asks for each as a part (`Sub`) of its small state and
        puts what comes of it back by itself: it may go on to the end of the round. One that finds nothing to do gives the very same
        state back.
        """
        return None

    def level(self, outcome: Any, question: str) -> Any:
        """What a part (`Sub`) of a step came to, with everything levelled that does not matter to the question.

        A lens for parts: outcomes that fall together need not be followed one by one. Only what no rule of the step tells apart may
        be levelled, and nothing under the question all.
        """
        return outcome

    def sides(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """The sides, with the names on each."""
        raise NotImplementedError

    supplies: tuple[str, ...] = ()
    """Of what `tally` counts, that which is spent."""

    def tally(self, state: S) -> Mapping[str, Mapping[str, int]]:
        """What else can be counted of each side, by its name: wounds, ammunition left. The same names in every state."""
        return {}

    def out(self, state: S) -> frozenset[str]:
        """The names of those who are out of it."""
        raise NotImplementedError

    def round(self, state: S) -> int:
        """The number of the round, or of whatever the game counts."""
        raise NotImplementedError

    def join(self, state: S, newcomer: Any, side: str) -> S:
        """Bring somebody in: a character, or one already placed with a state of their own."""
        raise NotImplementedError

    carries: tuple[str, ...] = ()
    """The fields of a member's state (their first words) that outlast a scene of this kind: it can begin with them, and gives them."""

    def lasting(self, state: S, who: str) -> Mapping[str, Lasts]:
        """What somebody takes out of it into the next scene, by the fields of a member's state: wounds, ammunition, spent points.

        Whatever can outlast this scene is there in every state, also where nothing has happened to it yet.
        """
        return {}

    def checked(self, state: S) -> S:
        """A state that the gamemaster changed by hand, if everything in it fits together; `Wrong` says what does not."""
        return state

    def move(self, state: S, who: str, x: float, y: float) -> S:
        """Put somebody elsewhere, in metres. Games that keep no places leave this out."""
        raise Wrong("nobody has a place on the map in this scene")


def run(scene: Scene[S], state: S, most: int = 1_000) -> Play[S]:
    """Step after step until the scene ends, or until it has gone on for `most` steps."""
    for _ in range(most):
        if scene.result(state) is not None:
            break
        state = yield from scene.step(state)
    return state
