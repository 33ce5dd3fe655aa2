"""What whoever leads draws with: the things on a ground to take hold of, and the words that the game knows for new ones."""

from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import UNCHANGED, Ground
from rulewright.field.map_strokes import GroundWords
from rulewright.field.placement import FieldShown
from rulewright.table.commands.maps import changes_of, ground_of, scene_of
from rulewright.table.service import Tables
from rulewright.web.maps.terrain_drawing import Handle, handles
from rulewright.web.table.board import Board, sheet_board


class DoorShown(Struct, frozen=True):
    """A door or a hidden area of a scene, and how it stands: what a touch of whoever leads would do."""

    name: str
    stands: str
    does: str


class Easel(Struct, frozen=True):
    """A ground that can be drawn on: what of it, with which words, and why not just now."""

    target: dict[str, str | int]
    """The map or the scene, as an action names it."""
    ground: Ground
    words: GroundWords
    handles: tuple[Handle, ...]
    looks: dict[str, str]
    """What the terrains look like."""
    why_not: str = ""
    touches: tuple[DoorShown, ...] = ()


def of_scene(tables: Tables, table_id: str, number: int) -> Easel | None:
    """What can be drawn in a scene under way; none where it is played on no map."""
    with tables.looking(table_id) as table:
        stage = table.scene(number)
        try:
            ground = ground_of(stage)
        except UserError:
            return None
        scene, state = stage.encounter.scene, stage.encounter.state
        busy = "" if stage.encounter.between_steps else "Somebody is in the middle of something: draw when it is done, or undo it."
        return Easel({"scene": number}, ground, scene.ground_words(), handles(ground), dict(scene.looks), busy, _touches(ground, state))


def _touches(ground: Ground, state: Any) -> tuple[DoorShown, ...]:
    """What of the ground can be opened or shown; nothing in a scene that keeps no account of it, as a chase."""
    changes, door_showns = changes_of(state), list[DoorShown]()
    if changes is None:
        return ()
    there = field(ground, changes)
    for wall in ground.walls:
        if wall.door:
            shut = there.standing(wall)
            door_showns.append(
                DoorShown(
                    wall.name, wall.door if shut and wall.door != "open" else "closed" if shut else "open", "open" if shut else "shut"
                )
            )
    for region in ground.regions:
        if region.veiled:
            shown = region.name in changes.shown
            door_showns.append(DoorShown(region.name, "shown" if shown else "hidden", "hide" if shown else "show"))
    return tuple(door_showns)


class Prepared(Struct, frozen=True):
    """A map that is prepared, as its page draws it."""

    id: str
    name: str
    of: str
    easel: Easel
    board: Board
    undoes: bool
    picture: str = ""


def of_map(tables: Tables, table_id: str, map_id: str) -> Prepared:
    """A prepared map with what it takes to draw on it."""
    with tables.looking(table_id) as table:
        kept = table.kept_map(map_id)
        scene = scene_of(table, kept.of)
        easel = Easel({"map": kept.id}, kept.ground, scene.ground_words(), handles(kept.ground), dict(scene.looks))
        drawn = sheet_board(FieldShown(kept.ground, UNCHANGED, scene.looks, whole=True))
        picture = kept.ground.picture.file if kept.ground.picture is not None else ""
        return Prepared(kept.id, kept.name, kept.of, easel, drawn, bool(kept.before), picture)
