"""Preview of a prepared scene: the final names and places of all participants, and errors.

The scene is staged exactly as it would start, so that the preview matches it.
"""

import re

from msgspec import Struct
from msgspec.structs import replace

from rulewright import library
from rulewright.build.sheet_parts import SceneView
from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.scenes.scenarios import numbered
from rulewright.scenes.scene import Scene
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import participant
from rulewright.table.scenes.scene_setup import in_a_group, scenario_of, spread
from rulewright.table.state import Table
from rulewright.table.views import NOBODY, view_of

_POSITION = re.compile(r"^the (scene|scenario)(:\d+)*: ")
MOST = 60
"""How many participants can be placed one by one; a larger scene needs a scenario file."""


class Stood(Struct, frozen=True):
    """A participant of a prepared scene: their index on a side, their names, and their place."""

    side: str
    at: int
    character: str
    names: tuple[str, ...]
    """Several names if they are one group."""
    spot: Spot | None

    @property
    def name(self) -> str:
        """The label of the counter."""
        return self.names[0] if len(self.names) == 1 else f"{self.names[0].rstrip(' 0123456789')} × {len(self.names)}"


class LaidOut(Struct, frozen=True):
    """A prepared scene with all participants placed as far as possible; `wrong` says why it cannot start."""

    action: a.BeginScene
    people: tuple[Stood, ...]
    view: SceneView | None
    wrong: str = ""
    seen: SceneView | None = None
    """The first view of one of the players, if requested."""


def laid_out(table: Table, action: a.BeginScene, eyes: str = "") -> LaidOut:
    """Stages a prepared scene, with every participant in a place of their own; `eyes` is a member whose view is also computed."""
    sides = {side: placings for side, placings in action.sides.items() if placings}
    try:
        action = _split_counts(table, replace(action, sides=sides))
        action = replace(action, sides=spread(table, action)) if sides else action
        people, view, seen = _staged(table, action, eyes) if sides else ((), None, None)
    except UserError as error:
        return LaidOut(action, _unplaced(table, action), None, _POSITION.sub("", str(error)))
    placed = {side: list(placings) for side, placings in action.sides.items()}
    for person in people:
        if person.spot is not None and placed[person.side][person.at].at is None:
            placed[person.side][person.at] = replace(placed[person.side][person.at], at=person.spot)
    return LaidOut(replace(action, sides={side: tuple(placings) for side, placings in placed.items()}), people, view, seen=seen)


def _split_counts(table: Table, action: a.BeginScene) -> a.BeginScene:
    """Splits counted participants into single ones, except groups."""
    placings_by_side: dict[str, tuple[a.Placing, ...]] = {}
    for side, placings in action.sides.items():
        split: list[a.Placing] = []
        for placing in placings:
            many = placing.count > 1 and not in_a_group(table, placing)
            names = (
                [f"{placing.name} {number}" for number in range(1, placing.count + 1)]
                if placing.name and many
                else [placing.name] * placing.count
            )
            split += [replace(placing, count=1, name=name) for name in names[:MOST]] if many else [placing]
        placings_by_side[side] = tuple(split)
    if sum(len(placings) for placings in placings_by_side.values()) > MOST:
        raise UserError(f"at most {MOST} participants can be placed here; use a scenario file for a larger scene")
    return replace(action, sides=placings_by_side)


def _staged(table: Table, action: a.BeginScene, eyes: str) -> tuple[tuple[Stood, ...], SceneView, SceneView | None]:
    """The participants with the names and places that the scene gives them; and the view of a member."""
    kept = scenario_of(table, action)
    staged = library.staged(kept, None, find_member=lambda reference: participant(table, reference), rules=table.rules)
    scene: Scene[object] = staged.scene
    view = scene.view(staged.state, None)
    spots: dict[str, Spot] = {place.name: (place.x, place.y) for place in view.places}
    names = iter(staged.members)
    placed = []
    for side, placings in action.sides.items():
        for at, placing in enumerate(placings):
            own_names = tuple([next(names).name for _ in range(placing.count)])
            spot = next((spots[name] for name in own_names if name in spots), placing.at if view.places else None)
            placed.append(Stood(side, at, placing.character, own_names, spot))
    return tuple(placed), view, _seen_by(table, scene, staged.state, placed, eyes) if eyes else None


def _seen_by(table: Table, scene: Scene[object], state: object, people: list[Stood], member: str) -> SceneView:
    """The first view of a member's characters, without hidden ones."""
    owned = {candidate.id for candidate in table.characters.values() if candidate.owner == member}
    hidden = {candidate.id for candidate in table.characters.values() if candidate.hidden}
    own = tuple([name for person in people if person.character in owned for name in person.names])
    unknown = frozenset(name for person in people if person.character in hidden for name in person.names)
    return view_of(scene, state, own or (NOBODY,), unknown)


def _unplaced(table: Table, action: a.BeginScene) -> tuple[Stood, ...]:
    """The participants as far as the list tells, for a scene that cannot start."""
    listed = [(side, at, placing) for side, placings in action.sides.items() for at, placing in enumerate(placings)]
    names = numbered([placing.name or _name_of(table, placing.character) for _, _, placing in listed])
    return tuple([Stood(side, at, placing.character, (name,), placing.at) for (side, at, placing), name in zip(listed, names, strict=True)])


def _name_of(table: Table, reference: str) -> str:
    try:
        return str(participant(table, reference).name)
    except UserError:
        return "unknown"
