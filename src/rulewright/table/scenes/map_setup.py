"""A prepared scene laid out before it begins: everybody by the name they will have, where they will stand, and what it refuses.

It is staged as it would begin, so that what is shown is what will be.
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
from rulewright.table.commands.characters import who_takes_part
from rulewright.table.scenes.scene_setup import in_a_group, scenario_of, spread
from rulewright.table.state import Table
from rulewright.table.views import NOBODY, seen_through

_AT_A_LINE = re.compile(r"^the (scene|scenario)(:\d+)*: ")
MOST = 60
"""So many are laid out one by one; a scene of more is written as a file."""


class Stood(Struct, frozen=True):
    """Somebody of a prepared scene: which of a side's list they are, how they are called, and where they stand."""

    side: str
    at: int
    character: str
    names: tuple[str, ...]
    """Several where they are one group."""
    spot: Spot | None

    @property
    def name(self) -> str:
        """What the counter is called."""
        return self.names[0] if len(self.names) == 1 else f"{self.names[0].rstrip(' 0123456789')} × {len(self.names)}"


class LaidOut(Struct, frozen=True):
    """A prepared scene with everybody in their places, as far as it can be; `wrong` says why it cannot begin like this."""

    action: a.BeginScene
    people: tuple[Stood, ...]
    view: SceneView | None
    wrong: str = ""
    seen: SceneView | None = None
    """As one of the players would see its beginning, where that was asked for."""


def laid_out(table: Table, action: a.BeginScene, eyes: str = "") -> LaidOut:
    """What the gamemaster prepares, everybody singly and in a place of their own; `eyes` is the member through whose it is seen, too."""
    sides = {side: placings for side, placings in action.sides.items() if placings}
    try:
        action = _singly(table, replace(action, sides=sides))
        action = replace(action, sides=spread(table, action)) if sides else action
        people, view, seen = _staged(table, action, eyes) if sides else ((), None, None)
    except UserError as error:
        return LaidOut(action, _unstaged(table, action), None, _AT_A_LINE.sub("", str(error)))
    placed = {side: list(placings) for side, placings in action.sides.items()}
    for person in people:
        if person.spot is not None and placed[person.side][person.at].at is None:
            placed[person.side][person.at] = replace(placed[person.side][person.at], at=person.spot)
    return LaidOut(replace(action, sides={side: tuple(result) for side, result in placed.items()}), people, view, seen=seen)


def _singly(table: Table, action: a.BeginScene) -> a.BeginScene:
    """Everybody by themselves, but for those who are one group."""
    placings_by_name: dict[str, tuple[a.Placing, ...]] = {}
    for side, placings in action.sides.items():
        singly: list[a.Placing] = []
        for placing in placings:
            many = placing.count > 1 and not in_a_group(table, placing)
            named = (
                [f"{placing.name} {number}" for number in range(1, placing.count + 1)]
                if placing.name and many
                else [placing.name] * placing.count
            )
            singly += [replace(placing, count=1, name=name) for name in named[:MOST]] if many else [placing]
        placings_by_name[side] = tuple(singly)
    if sum(len(candidate) for candidate in placings_by_name.values()) > MOST:
        raise UserError(f"at most {MOST} are laid out here; write a larger scene as a scenario file")
    return replace(action, sides=placings_by_name)


def _staged(table: Table, action: a.BeginScene, eyes: str) -> tuple[tuple[Stood, ...], SceneView, SceneView | None]:
    """Everybody as the scene itself calls and places them; and as a member would see it."""
    kept = scenario_of(table, action)
    staged = library.staged(kept, None, find_member=lambda text: who_takes_part(table, text), rules=table.rules)
    scene: Scene[object] = staged.scene
    view = scene.view(staged.state, None)
    spots: dict[str, Spot] = {place.name: (place.x, place.y) for place in view.places}
    names = iter(staged.members)
    stoods = []
    for side, placings in action.sides.items():
        for at, placing in enumerate(placings):
            called = tuple([next(names).name for _ in range(placing.count)])
            spot = next((spots[name] for name in called if name in spots), placing.at if view.places else None)
            stoods.append(Stood(side, at, placing.character, called, spot))
    return tuple(stoods), view, _seen_by(table, scene, staged.state, stoods, eyes) if eyes else None


def _seen_by(table: Table, scene: Scene[object], state: object, people: list[Stood], member: str) -> SceneView:
    """The beginning of a scene through the eyes of a member's own people in it, without those whose characters are hidden."""
    owned = {candidate.id for candidate in table.characters.values() if candidate.owner == member}
    hidden = {candidate.id for candidate in table.characters.values() if candidate.hidden}
    own = tuple([name for person in people if person.character in owned for name in person.names])
    unknown = frozenset(name for person in people if person.character in hidden for name in person.names)
    return seen_through(scene, state, own or (NOBODY,), unknown)


def _unstaged(table: Table, action: a.BeginScene) -> tuple[Stood, ...]:
    """Everybody as far as the list itself tells, where the scene cannot begin like this."""
    listed = [(side, at, placing) for side, placings in action.sides.items() for at, placing in enumerate(placings)]
    names = numbered([placing.name or _called(table, placing.character) for _, _, placing in listed])
    return tuple([Stood(side, at, placing.character, (name,), placing.at) for (side, at, placing), name in zip(listed, names, strict=True)])


def _called(table: Table, reference: str) -> str:
    try:
        return str(who_takes_part(table, reference).name)
    except UserError:
        return "somebody who is not here"
