"""Random guesses of what a side cannot know: the places of unseen people, and hidden values.

AI players of a side play on from states that might be the true one. Who is in the scene, and what was done to them, counts as known. The
places of unseen people, what they are doing, and when their turn comes, do not.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from math import cos, pi, sin
from typing import Any, Protocol, TypeVar

from rulewright.build.sheet_parts import SceneView
from rulewright.dice.reading import Reading, weights_of
from rulewright.errors import UserError
from rulewright.field.field import spot_at
from rulewright.field.ground import Changes, Ground
from rulewright.field.placement import Standing
from rulewright.grammar import join

S = TypeVar("S", bound=Hashable)
R = TypeVar("R", bound=Hashable)


class Known(Protocol[S]):
    """The methods of a scene that are needed here; every `Scene` has them."""

    def sides(self, state: S) -> Mapping[str, tuple[str, ...]]: ...
    def view(self, state: S, who: str | None) -> SceneView: ...
    def out(self, state: S) -> frozenset[str]: ...
    def move(self, state: S, who: str, x: float, y: float) -> S: ...
    def sees(self, state: S, who: str, other: str) -> bool: ...
    def ground(self, state: S) -> tuple[Ground, Changes] | None: ...
    def standing(self, state: S) -> Mapping[str, Standing]: ...


Draw = Callable[[], float]
"""The next random number, from 0 to below 1."""
Imagine = Callable[[Draw], S]
"""Draws a state that might be the true one."""

TRIES = 60
"""How many places are tried for an unseen person."""
NEAR, FAR = 5.0, 40.0
"""The distance from the side at which an unseen person is placed on unlimited ground, in metres."""


def unseen_by(scene: Known[Any], state: Any, side: str) -> tuple[str, ...]:
    """The people of other sides that a side may not know of, in the order of the gamemaster's view."""
    ours = set(scene.sides(state).get(side, ()))
    shown = {card.name for who in ours for card in scene.view(state, who).cards}
    return tuple([card.name for card in scene.view(state, None).cards if card.name not in shown and card.name not in ours])


def figures_hidden_from(scene: Known[Any], state: Any, side: str) -> tuple[str, ...]:
    """The people whom a side sees, but not everything that the gamemaster sees of them."""
    shown: dict[str, set[Any]] = {}
    for who in scene.sides(state).get(side, ()):
        for card in scene.view(state, who).cards:
            shown.setdefault(card.name, set()).update(card.pieces)
    return tuple([card.name for card in scene.view(state, None).cards if card.name in shown and set(card.pieces) - shown[card.name]])


def refuse_what_is_hidden(scene: Known[Any], state: Any, side: str) -> None:
    """Raises an error if the scene hides something from a side and cannot draw it at random. A scene without views hides nothing."""
    try:
        unseen, figures = unseen_by(scene, state, side), figures_hidden_from(scene, state, side)
    except NotImplementedError:
        return
    if unseen or figures:
        names = join((unseen or figures)[:3])
        what = f"where {names} may be" if unseen else f"everything about {names}"
        raise UserError(f"{side} cannot know {what}, and this kind of scene cannot guess it; only the gamemaster can ask this")


def out_of_sight(scene: Known[S], state: S, side: str, name: str, draw: Draw) -> S:
    """The state with a person at a random place where nobody of a side sees them; raises an error if there is none."""
    eyes = [who for who in scene.sides(state).get(side, ()) if who not in scene.out(state)] or list(scene.sides(state).get(side, ()))
    last: S | None = None
    for _ in range(TRIES):
        try:
            moved = scene.move(state, name, *_spot(scene, state, side, draw))
        except UserError:
            continue
        last = moved
        if not any(scene.sees(moved, eye, name) for eye in eyes):
            return moved
    if last is None:
        raise UserError(f"{side} cannot know where {name} may be, and no possible place was found")
    return last


def _spot(scene: Known[Any], state: Any, side: str, draw: Draw) -> tuple[float, float]:
    """A random place on the map; on unlimited ground, around the side."""
    ground = scene.ground(state)
    if ground is not None and ground[0].size is not None:
        across, down = ground[0].size
        if ground[0].grid == "hexes":
            return 1 + int(draw() * across), 1 + int(draw() * down)
        return spot_at(draw() * across, draw() * down)
    mine = [place for place in scene.standing(state).values() if place.side == side]
    x, y = (sum(place.x for place in mine) / len(mine), sum(place.y for place in mine) / len(mine)) if mine else (0.0, 0.0)
    turn, far = 2 * pi * draw(), NEAR + (FAR - NEAR) * draw()
    return spot_at(x + far * cos(turn), y + far * sin(turn))


def rolled(reading: Reading[R], draw: Draw) -> R:
    """A random result of a roll that nobody saw."""
    weights = dict(weights_of(reading))
    mark = draw() * sum(weights.values())
    outcome: R = next(iter(weights))
    for result, weight in weights.items():
        outcome, mark = result, mark - weight
        if mark < 0:
            break
    return outcome


Groups = tuple[tuple[str, ...], ...]
"""Who is still to act in a round: groups that act at the same time, first ones first."""


def without(groups: Groups, names: frozenset[str]) -> Groups:
    """An order of action without some people."""
    left = [tuple([name for name in group if name not in names]) for group in groups]
    return tuple([group for group in left if group])


def placed(groups: Groups, name: str, later: Collection[str]) -> Groups:
    """An order of action with a person inserted before the first group of `later`; at the end if there is none."""
    at = next((at for at, group in enumerate(groups) if group[0] in later), len(groups))
    return (*groups[:at], (name,), *groups[at:])
