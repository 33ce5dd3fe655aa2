"""What a side cannot know, drawn anew: people out of its sight stand wherever they might stand, and hidden figures are what they might be.

Who thinks for a side plays on from states that might be the true one. That somebody is in the scene counts as known, and what was done
to them; where those are whom the side does not see, what they are about, and when their turn comes in the round, does not.
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

S = TypeVar("S", bound=Hashable)
R = TypeVar("R", bound=Hashable)


class Known(Protocol[S]):
    """What has to be said of a scene by who draws anew what a side cannot know; every `Scene` says it."""

    def sides(self, state: S) -> Mapping[str, tuple[str, ...]]: ...
    def view(self, state: S, who: str | None) -> SceneView: ...
    def out(self, state: S) -> frozenset[str]: ...
    def move(self, state: S, who: str, x: float, y: float) -> S: ...
    def sees(self, state: S, who: str, other: str) -> bool: ...
    def ground(self, state: S) -> tuple[Ground, Changes] | None: ...
    def standing(self, state: S) -> Mapping[str, Standing]: ...


Draw = Callable[[], float]
"""The next number from 0 to below 1 of whoever imagines."""
Imagine = Callable[[Draw], S]
"""Draws a state that might be the true one."""

TRIES = 60
"""How many places are tried for somebody who is out of sight."""
NEAR, FAR = 5.0, 40.0
"""How far from the side somebody is looked for on ground without borders, in metres."""


def unseen_by(scene: Known[Any], state: Any, side: str) -> tuple[str, ...]:
    """Those of other sides of whom nobody of a side may know anything, by name, in the order of the gamemaster's view."""
    ours = set(scene.sides(state).get(side, ()))
    shown = {card.name for who in ours for card in scene.view(state, who).cards}
    return tuple([card.name for card in scene.view(state, None).cards if card.name not in shown and card.name not in ours])


def figures_hidden_from(scene: Known[Any], state: Any, side: str) -> tuple[str, ...]:
    """Those whom a side sees, but not all that the gamemaster sees of them."""
    shown: dict[str, set[Any]] = {}
    for who in scene.sides(state).get(side, ()):
        for card in scene.view(state, who).cards:
            shown.setdefault(card.name, set()).update(card.pieces)
    return tuple([card.name for card in scene.view(state, None).cards if card.name in shown and set(card.pieces) - shown[card.name]])


def refuse_what_is_hidden(scene: Known[Any], state: Any, side: str) -> None:
    """Refuse to think for a side from whom the scene keeps something that it cannot draw anew; without views nothing is kept."""
    try:
        unseen, figures = unseen_by(scene, state, side), figures_hidden_from(scene, state, side)
    except NotImplementedError:
        return
    if unseen or figures:
        kept = " and ".join((unseen or figures)[:3])
        what = f"where {kept} may be" if unseen else f"all about {kept}"
        raise UserError(f"{side} cannot know {what}, and this scene does not say what they might think: only the gamemaster can ask this")


def out_of_sight(scene: Known[S], state: S, side: str, name: str, draw: Draw) -> S:
    """The state with somebody at a place drawn anew, where nobody of a side sees them; refused where there is none."""
    eyes = [who for who in scene.sides(state).get(side, ()) if who not in scene.out(state)] or list(scene.sides(state).get(side, ()))
    result: S | None = None
    for _ in range(TRIES):
        try:
            moved = scene.move(state, name, *_spot(scene, state, side, draw))
        except UserError:
            continue
        result = moved
        if not any(scene.sees(moved, eye, name) for eye in eyes):
            return moved
    if result is None:
        raise UserError(f"{side} cannot know where {name} may be, and no place was found where they could be")
    return result


def _spot(scene: Known[Any], state: Any, side: str, draw: Draw) -> tuple[float, float]:
    """Any place on the map; on ground without borders any around the side."""
    there = scene.ground(state)
    if there is not None and there[0].size is not None:
        across, down = there[0].size
        if there[0].grid == "hexes":
            return 1 + int(draw() * across), 1 + int(draw() * down)
        return spot_at(draw() * across, draw() * down)
    mine = [place for place in scene.standing(state).values() if place.side == side]
    x, y = (sum(place.x for place in mine) / len(mine), sum(place.y for place in mine) / len(mine)) if mine else (0.0, 0.0)
    turn, far = 2 * pi * draw(), NEAR + (FAR - NEAR) * draw()
    return spot_at(x + far * cos(turn), y + far * sin(turn))


def rolled(reading: Reading[R], draw: Draw) -> R:
    """What somebody may have rolled whose dice nobody saw."""
    weights = dict(weights_of(reading))
    mark = draw() * sum(weights.values())
    outcome: R = next(iter(weights))
    for result, weight in weights.items():
        outcome, mark = result, mark - weight
        if mark < 0:
            break
    return outcome


Groups = tuple[tuple[str, ...], ...]
"""Who is still to act in a round: groups that act at the same time, the first first."""


def without(groups: Groups, names: frozenset[str]) -> Groups:
    """An order of action without some people."""
    left = [tuple([name for name in group if name not in names]) for group in groups]
    return tuple([group for group in left if group])


def placed(groups: Groups, name: str, later: Collection[str]) -> Groups:
    """An order of action with somebody put before the first group of those who come later; at the end where none of them is."""
    at = next((at for at, group in enumerate(groups) if group[0] in later), len(groups))
    return (*groups[:at], (name,), *groups[at:])
