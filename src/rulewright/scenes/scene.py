"""The interface of a scene: a state, a step, a result, and what each person may see. Games subclass `Scene`.

A fight, a chase or a debate is a state and a step. The state is immutable plain data; a step is the smallest unit of the rules.
"""

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from rulewright.build.sheet_parts import SceneView
from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import Changes, Ground
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.field.people import Ends
from rulewright.field.placement import FieldShown, Standing, field_shown
from rulewright.grammar import is_crowd
from rulewright.play import Choice, Option, Play, Scale, Sub, Verdict
from rulewright.play.odds import Odds
from rulewright.play.position_value import Weights, weights_of
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Walk
from rulewright.scenes.hidden_state import Imagine, refuse_what_is_hidden
from rulewright.scenes.probability_flow import Currents, OddsOf
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scenarios import Lasts

S = TypeVar("S", bound=Hashable)


Leaving: TypeAlias = Literal["withdraw", "surrender"]
"""How a person leaves a fight by their own will."""


def leaves(name: str, how: Leaving, event: str = "fight") -> str:
    """Returns the words of the log for a person who leaves a fight, after their name."""
    if how == "withdraw":
        return f"{'withdraw' if is_crowd(name) else 'withdraws'} from the {event}"
    return "surrender" if is_crowd(name) else "surrenders"


class Result(Struct, frozen=True):
    """How a scene ended: the winning side (None for nobody), and why."""

    winner: str | None
    why: str


def someone_of(side: str) -> str:
    """The name of any member of a side in a `Focus`, so that equal situations are merged and the side's tactic still applies."""
    return f"someone of {side}"


class Focus(NamedTuple, Generic[S]):
    """The next event on its own: a small state, how to play it, and how to put its result back into the whole.

    `play` gets the small state and depends on nothing else. It may be one step, several, or the beginning of one; then `rest` continues
    with the whole state.
    """

    small: S
    play: Callable[[S], Play[S]]
    back: Callable[[S], S]
    rest: Callable[[S], Play[S]] | None = None


Solve = Callable[[Sub[Any]], Odds[Any]]
"""Computes the exact odds of a sub-procedure."""


class Followed(Protocol):
    """A question under evaluation: the person, whether it is about their own action, and which verdict decides it."""

    who: str
    acts: bool
    guards: bool
    """Whether everything done to the person counts, with the worst as the answer."""

    def ends(self, verdict: Verdict | None) -> bool:
        """Whether a verdict decides the question."""

    def worst(self, so_far: Verdict | None, verdict: Verdict | None) -> Verdict | None:
        """The worse of the verdicts on the defender so far."""


def state_limits(**limits: tuple[float, float]) -> Mapping[str, tuple[float, float]]:
    """The least and the greatest number of fields of a member's state, for `Scene.limits`."""
    return MappingProxyType(limits)


class Scene(Generic[S]):
    """A kind of scene under one ruleset. Games subclass this; the encounter around it is the same for all."""

    state_type: type[S]
    kind: str = FIGHT
    """The name under which the game offers it."""
    overlaps: bool = False
    """Whether an action takes effect after others have decided; the evaluation of an option then continues that far."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def under_way(self, state: S, who: str) -> bool:
        """Whether an action that a person began may still come to a verdict; used only if actions overlap."""
        return True

    declares: bool = False
    """Whether all declare their actions before anybody rolls; a defence is then evaluated by the worst thing done to the defender."""
    followed: int = 12
    """How many steps are evaluated before an option counts as leading to no roll."""

    def weighs(self, state: S, choice: Choice[Any]) -> bool:
        """Whether the options of a question have chances at all."""
        return True

    def threatened(self, state: S, who: str) -> bool:
        """Whether something may still be done to a person before the next declaration; used only if all declare first."""
        return True

    def asks_for(self, option: Option[Any]) -> Scale | None:
        """The scale of the verdict that decides an option, if other verdicts may come before it; None if the first one decides."""
        return None

    def foretold(self, state: S, question: Followed, so_far: Verdict | None, solve: Solve) -> Odds[Any] | None:
        """The odds of the verdicts of a question from a state on, if the scene has a faster way than stepping; otherwise None.

        `solve` computes the odds of sub-procedures.
        """
        return None

    def step(self, state: S) -> Play[S]:
        """The smallest unit of the round in the rules."""
        raise NotImplementedError

    def result(self, state: S) -> Result | None:
        """How it ended; None while it goes on."""
        raise NotImplementedError

    def view(self, state: S, who: str | None) -> SceneView:
        """Returns the scene as far as this person may know it (None is the gamemaster). Secrets are kept here and nowhere else."""
        raise NotImplementedError

    def imagining(self, state: S, side: str) -> "Imagine[S] | None":
        """A function that draws random states which might be the true one, given what a side knows. None if nothing is hidden from it.

        AI players of a side (`lab.search`) only see such states. A scene with secrets but without this method is refused to all but the
        gamemaster. The draw may depend only on what the side's own views show.
        """
        refuse_what_is_hidden(self, state, side)
        return None

    def position(self, state: S, side: str) -> Mapping[str, float] | None:
        """Numbers that tell how a side is doing, for `value`: mostly its own less those of the others. None if the game names none.

        They may use only what every view shows, and should be cheap: a search asks for them at the end of every playout.
        """
        return None

    @property
    def weights(self) -> Weights:
        """The fitted weights of these numbers for this kind of scene."""
        return weights_of(self.rules.book.package, self.kind)

    def value(self, state: S, side: str) -> float | None:
        """The estimated win chance of a side; None if a search has to play to the end."""
        features = self.position(state, side)
        return None if features is None else self.weights.estimate(features)

    def elapsed(self, state: S) -> float:
        """How far the scene has come, in rounds, for a search that looks some rounds ahead."""
        return self.round(state)

    def lens(self, state: S, question: str) -> S:
        """The state without differences that do not matter to the question: win, losses, or all."""
        return state

    def simplifies(self, state: S) -> bool:
        """Whether `lens`, `focus`, `walker` and `currents` keep everything that matters in this scene."""
        return True

    def focus(self, state: S) -> "Focus[S] | Play[S] | None":
        """The next event on its own, if it depends on a part of the state only; otherwise None.

        If all tactics are `local` (see `play.local`), the odds of the small state are cached and shared by many fights. It may also be a
        procedure that requests several such events as sub-procedures (`Sub`) of their small states, up to the end of the round. A procedure
        that finds nothing to do returns the same state object.
        """
        return None

    def walker(self, luck: Luck) -> "Walk[S] | None":
        """A fast way to play many turns of many fights; None if the game has none besides `focus`.

        It is created once for all fights. It may cache everything that follows from a state by the rules alone (the nearest enemy, the
        outcomes of a turn of two people). It draws all random numbers from `luck`, in the same order in every fight whatever is cached, so
        that a seed gives the same fights. It is not used for the question all, and only if all tactics are local.
        """
        return None

    def currents(self, odds: OddsOf) -> "Currents[S] | None":
        """A fast way to follow all states of a fight at once; None if the game has none.

        `odds` solves sub-procedures. It is used under the same conditions as `walker`.
        """
        return None

    def level(self, outcome: Any, question: str) -> Any:
        """The result of a sub-procedure (`Sub`) without differences that do not matter to the question.

        Equal results need not be followed one by one. Only differences that no rule of the step uses may be removed, and none for the
        question all.
        """
        return outcome

    def sides(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """The sides, with the names on each."""
        raise NotImplementedError

    supplies: tuple[str, ...] = ()
    """The counts in `tally` that are consumed."""

    def tally(self, state: S) -> Mapping[str, Mapping[str, int]]:
        """Further counts of each side, by name: wounds, ammunition left. The same names in every state."""
        return {}

    def out(self, state: S) -> frozenset[str]:
        """The names of those who are out of action."""
        raise NotImplementedError

    def round(self, state: S) -> int:
        """The number of the round, or of the game's own unit."""
        return state.round  # type: ignore[attr-defined, no-any-return]  # a state without rounds overrides this

    def join(self, state: S, newcomer: Any, side: str) -> S:
        """Adds a newcomer: a character, or one already placed with a state of their own."""
        raise NotImplementedError

    seconds_a_round: float = 0
    """The length of a round in seconds; 0 if the book gives none."""

    def took(self, state: S) -> int:
        """How long the scene has taken so far, in seconds: by default its rounds."""
        return round(self.round(state) * self.seconds_a_round) if self.seconds_a_round else 0

    limits: Mapping[str, tuple[float, float]] = MappingProxyType({})
    """The least and the greatest number of fields of a member's state; others are from 0 to 1000 (see `state_faults`)."""

    carries: tuple[str, ...] = ()
    """The fields of a member's state (their first parts) that outlast this kind of scene: it can start with them, and returns them."""

    def lasting(self, state: S, who: str) -> Mapping[str, Lasts]:
        """Returns what a person takes into the next scene, by field of a member's state: wounds, ammunition, spent points.

        Everything that can outlast this scene is included in every state, even if nothing has happened to it.
        """
        return {}

    def checked(self, state: S) -> S:
        """Validates a state that the gamemaster edited; raises `UserError` if it is inconsistent."""
        return state

    def move(self, state: S, who: str, x: float, y: float) -> S:
        """Moves a person, in metres. Games without places leave this out."""
        raise UserError("this scene has no places, so nobody can be moved")

    endings: tuple[Ends, ...] = ("to the end",)
    """What a scenario of this kind may say under `ends`."""
    event: str = "fight"
    """What those who withdraw leave, in words: a fight, a battle, a chase."""

    def leave(self, state: S, who: str, how: Leaving) -> S:
        """Takes a person out of the fight by their own will. Scenes in which nobody fights leave this out."""
        raise UserError("nobody can withdraw or surrender in this scene")

    # --- the map

    looks: tuple[tuple[str, str], ...] = ()
    """What the game's terrains look like, of the textures that pages have: open, road, rough, sand, wood, jungle, swamp, water, deep, snow,
    ice, built, debris.
    """
    letters: tuple[tuple[str, str], ...] = ()
    """The letters of the game's terrains on painted maps."""

    def ground_words(self) -> GroundWords:
        """The words that a map of this game may use."""
        return GroundWords()

    def ground_effects(self) -> Mapping[str, GroundEffect]:
        """What these words do in the game, for those who draw a map."""
        return {}

    described: type[Struct] | None = None
    """The type of a scenario's `place`; None if this scene has none."""

    def place_words(self) -> Mapping[str, tuple[str, ...]]:
        """The allowed words for fields of the place that are words of the rules."""
        return {}

    takes_maps: bool = False
    """Whether it uses a scenario's `map`: walls block sight and movement, covers protect."""

    def ground(self, state: S) -> tuple[Ground, Changes] | None:
        """The ground and the changes to it; None in a scene without places."""
        return None

    def standing(self, state: S) -> Mapping[str, Standing]:
        """Where everybody stands."""
        return {}

    def sees(self, state: S, who: str, other: str) -> bool:
        """Whether a person can see another: by default if the line between them is open."""
        ground, stand = self.ground(state), self.standing(state)
        if ground is None or who not in stand or other not in stand:
            return True
        return field(*ground, self.letters).sight(stand[who].spot, stand[other].spot).open

    def in_sight(self, state: S, side: str) -> frozenset[str] | None:
        """Everybody whom a side sees, including their own people; None if nothing hides anybody.

        Those who are out of action see nothing, unless all of their side are.
        """
        ground = self.ground(state)
        if ground is None or not field(*ground, self.letters).hides:
            return None
        stand, out = self.standing(state), self.out(state)
        mine = [name for name, place in stand.items() if place.side == side]
        eyes = [name for name in mine if name not in out] or mine
        return frozenset([name for name in stand if name in mine or any(self.sees(state, eye, name) for eye in eyes)])

    def witnesses(self, state: S, who: str) -> tuple[str, ...] | None:
        """Everybody on the sides that see a person at this moment; None if nothing hides anybody."""
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
        ground = self.ground(state)
        if ground is None:
            return None
        if who is None:
            return field_shown(*ground, None, self.looks, self.letters)
        stand, out = self.standing(state), self.out(state)
        mine = stand[who].side if who in stand else None
        people = [(name, place.spot) for name, place in stand.items() if place.side == mine]
        eyes = [spot for name, spot in people if name not in out] or [spot for _, spot in people]
        return field_shown(*ground, eyes, self.looks, self.letters)


def run(scene: Scene[S], state: S, most: int = 1_000) -> Play[S]:
    """Plays step after step until the scene ends, or until `most` steps."""
    for _ in range(most):
        if scene.result(state) is not None:
            break
        state = yield from scene.step(state)
    return state
