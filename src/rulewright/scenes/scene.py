"""The contract of a scene: a state, a step, a result, what each may see. A game subclasses `Scene`; the loop around it is the same for all.

A fight, a chase or a debate is a state and a step. The state is immutable and plain; a step is the smallest unit that the book has.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from rulewright.build.sheet_parts import SceneView
from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import Changes, Ground
from rulewright.field.map_strokes import GroundWords
from rulewright.field.placement import FieldShown, Standing, field_shown
from rulewright.play import Choice, Option, Play, Scale, Sub, Verdict
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Walk
from rulewright.scenes.hidden_state import Imagine, refuse_what_is_hidden
from rulewright.scenes.probability_flow import Currents, OddsOf
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


Solve = Callable[[Sub[Any]], Odds[Any]]
"""What gives the exact odds of a part."""


class Followed(Protocol):
    """A question whose chances are followed: whose it is, whether it is about what he does, and which verdict answers it."""

    who: str
    acts: bool
    guards: bool
    """Whether all that is done to him counts, and the worst of it is the answer."""

    def ends(self, verdict: Verdict | None) -> bool:
        """Whether a verdict is the one that was asked for."""

    def worst(self, so_far: Verdict | None, verdict: Verdict | None) -> Verdict | None:
        """What has been done to who is on guard."""


class Scene(Generic[S]):
    """A game's rounds under one ruleset. A game subclasses this; the loop around it is the same for all."""

    state_type: type[S]
    kind: str = FIGHT
    """The name under which the game offers it."""
    overlaps: bool = False
    """Whether what somebody begins takes effect after others have decided: then the chance beside an option is followed so far."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def under_way(self, state: S, who: str) -> bool:
        """Whether something that somebody began may still come to a verdict; asked only where deeds overlap."""
        return True

    declares: bool = False
    """Whether all say what they do before anybody rolls: then a guard is weighed by the worst that is done to whoever is on it."""
    followed: int = 12
    """How many steps are followed before an option counts as leading to no roll."""

    def weighs(self, state: S, choice: Choice[Any]) -> bool:
        """Whether the options of a question in the step that begins in a state have chances at all."""
        return True

    def threatened(self, state: S, who: str) -> bool:
        """Whether something may still be done to somebody before the next declaration; asked only where all declare first."""
        return True

    def asks_for(self, option: Option[Any]) -> Scale | None:
        """The scale of the verdict that answers an option, where whoever takes it may come to others before; None where the first does."""
        return None

    def foretold(self, state: S, question: Followed, so_far: Verdict | None, solve: Solve) -> Odds[Any] | None:
        """The odds of the verdicts that a question comes to from a state on, where the scene knows a shorter way to them than to follow
        its steps one by one; `solve` gives the odds of what they are made of. None where it knows none."""
        return None

    def step(self, state: S) -> Play[S]:
        """The smallest unit of the round that the book has."""
        raise NotImplementedError

    def result(self, state: S) -> Result | None:
        """How it ended, or None while it goes on."""
        raise NotImplementedError

    def view(self, state: S, who: str | None) -> SceneView:
        """What this person may know (None is the gamemaster). Secrets are kept here and nowhere else."""
        raise NotImplementedError

    def imagining(self, state: S, side: str) -> "Imagine[S] | None":
        """How a side may imagine what it cannot know: draws states that might be the true one. None where nothing is kept from it.

        Whoever thinks for a side (`lab.search`) looks at such states alone. A scene that keeps something secret and does not say how it
        might be is refused to all but the gamemaster. What is drawn may depend only on what the side's own views show.
        """
        refuse_what_is_hidden(self, state, side)
        return None

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

    def walker(self, luck: Luck) -> "Walk[S] | None":
        """How the lab plays many turns of many fights at once over; None where a game has no quicker way than `focus`.

        The walk is made once for all fights. It may remember whatever follows from a state by the rules alone (who is nearest, what a
        turn makes of two people), and draws everything else from the luck it was given: in the same order in every fight, whatever it
        remembers, since only then the same seed gives the same fights. It is never asked where the question is all, and only where
        all tactics are local.
        """
        return None

    def currents(self, odds: OddsOf) -> "Currents[S] | None":
        """How the lab follows all ways of a fight of several at once; None where a game has no quicker way than state by state.

        It is given what solves a part (`Sub`), and asked as a walk is: where all tactics are local, and never where the question is all.
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
        return state.round  # type: ignore[attr-defined, no-any-return]  # a state without rounds says what it counts

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
        """A state that the gamemaster changed by hand, if everything in it fits together; `UserError` says what does not."""
        return state

    def move(self, state: S, who: str, x: float, y: float) -> S:
        """Put somebody elsewhere, in metres. Games that keep no places leave this out."""
        raise UserError("nobody has a place on the map in this scene")

    # the field

    looks: tuple[tuple[str, str], ...] = ()
    """What the game's terrains look like, of what a page can draw: open, road, rough, sand, wood, jungle, swamp, water, deep, snow,
    ice, built, debris."""
    letters: tuple[tuple[str, str], ...] = ()
    """The letters of the game's terrains on painted maps."""

    def ground_words(self) -> GroundWords:
        """The words that a ground of this game may have, for whoever draws one."""
        return GroundWords()

    described: type[Struct] | None = None
    """The type that a scenario's `place` is read as, for whoever prepares one; None where a place has nothing to say."""

    def place_words(self) -> Mapping[str, tuple[str, ...]]:
        """For fields of the place that are words of the rules: which there are."""
        return {}

    takes_maps: bool = False
    """Whether a scenario's `map` counts in it: walls stop sight and steps, covers shelter."""

    def ground(self, state: S) -> tuple[Ground, Changes] | None:
        """What they stand on, and what has become of it; None in a scene without places."""
        return None

    def standing(self, state: S) -> Mapping[str, Standing]:
        """Where everybody stands who is there."""
        return {}

    def sees(self, state: S, who: str, other: str) -> bool:
        """Whether somebody can see another: by default where the line between them is open."""
        there, stand = self.ground(state), self.standing(state)
        if there is None or who not in stand or other not in stand:
            return True
        return field(*there, self.letters).sight(stand[who].spot, stand[other].spot).open

    def in_sight(self, state: S, side: str) -> frozenset[str] | None:
        """Everybody whom somebody of a side sees, their own people among them; None where nothing hides anybody.

        Those who are out of it see nothing, unless all of their side are.
        """
        there = self.ground(state)
        if there is None or not field(*there, self.letters).hides:
            return None
        stand, out = self.standing(state), self.out(state)
        mine = [name for name, place in stand.items() if place.side == side]
        eyes = [name for name in mine if name not in out] or mine
        return frozenset([name for name in stand if name in mine or any(self.sees(state, eye, name) for eye in eyes)])

    def witnesses(self, state: S, who: str) -> tuple[str, ...] | None:
        """Everybody of all sides that see somebody at this moment; None where nothing hides anybody."""
        stand = self.standing(state)
        if who not in stand:
            return None
        names: list[str] = []
        for side in dict.fromkeys(place.side for place in stand.values()):
            seen = self.in_sight(state, side)
            if seen is None:
                return None
            if who in seen:
                names.extend([name for name, place in stand.items() if place.side == side])
        return tuple(names)

    def field_shown(self, state: S, who: str | None) -> FieldShown | None:
        """The ground as this person may see it (None is the gamemaster)."""
        there = self.ground(state)
        if there is None:
            return None
        if who is None:
            return field_shown(*there, None, self.looks, self.letters)
        stand, out = self.standing(state), self.out(state)
        mine = stand[who].side if who in stand else None
        people = [(name, place.spot) for name, place in stand.items() if place.side == mine]
        eyes = [spot for name, spot in people if name not in out] or [spot for _, spot in people]
        return field_shown(*there, eyes, self.looks, self.letters)


def run(scene: Scene[S], state: S, most: int = 1_000) -> Play[S]:
    """Step after step until the scene ends, or until it has gone on for `most` steps."""
    for _ in range(most):
        if scene.result(state) is not None:
            break
        state = yield from scene.step(state)
    return state
