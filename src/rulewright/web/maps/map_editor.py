"""The map editor: the objects on a map that can be selected, and the game's words for new ones."""

from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import UNCHANGED, Ground
from rulewright.field.map_strokes import GroundWords
from rulewright.field.placement import FieldShown
from rulewright.table.commands.maps import changes_of, ground_of, scene_of
from rulewright.table.service import Tables
from rulewright.web.maps.terrain_svg import Handle, handles
from rulewright.web.table.board import Board, draw_empty_map


class DoorShown(Struct, frozen=True):
    """A door or a hidden area of a scene: its state, and what a click of the gamemaster does."""

    name: str
    stands: str
    does: str


class MapEditor(Struct, frozen=True):
    """A map that can be edited: its objects, the game's words, and why it cannot be edited now."""

    target: dict[str, str | int]
    """The map or the scene, as an action names it."""
    ground: Ground
    words: GroundWords
    handles: tuple[Handle, ...]
    looks: dict[str, str]
    """How each terrain is drawn."""
    why_not: str = ""
    touches: tuple[DoorShown, ...] = ()


def edit_scene_map(tables: Tables, table_id: str, number: int) -> MapEditor | None:
    """The map of a running scene, ready to edit; None for a scene without a map."""
    with tables.looking(table_id) as table:
        stage = table.scene(number)
        try:
            ground = ground_of(stage)
        except UserError:
            return None
        scene, state = stage.encounter.scene, stage.encounter.state
        busy = "" if stage.encounter.between_steps else "You can only edit the map between steps. Finish or undo the current step first."
        return MapEditor(
            {"scene": number}, ground, scene.ground_words(), handles(ground), dict(scene.looks), busy, _list_doors(ground, state)
        )


def _list_doors(ground: Ground, state: Any) -> tuple[DoorShown, ...]:
    """The doors and hidden areas of a map; none in a scene that does not track them, such as a chase."""
    changes, doors = changes_of(state), list[DoorShown]()
    if changes is None:
        return ()
    terrain = field(ground, changes)
    for wall in ground.walls:
        if wall.door:
            shut = terrain.standing(wall)
            state_name = wall.door if shut and wall.door != "open" else "closed" if shut else "open"
            doors.append(DoorShown(wall.name, state_name, "open" if shut else "shut"))
    for region in ground.regions:
        if region.veiled:
            shown = region.name in changes.shown
            doors.append(DoorShown(region.name, "shown" if shown else "hidden", "hide" if shown else "show"))
    return tuple(doors)


class Prepared(Struct, frozen=True):
    """A prepared map with what its page shows."""

    id: str
    name: str
    of: str
    easel: MapEditor
    board: Board
    undoes: bool
    picture: str = ""


def edit_saved_map(tables: Tables, table_id: str, map_id: str) -> Prepared:
    """A prepared map, ready to edit."""
    with tables.looking(table_id) as table:
        saved = table.kept_map(map_id)
        scene = scene_of(table, saved.of)
        easel = MapEditor({"map": saved.id}, saved.ground, scene.ground_words(), handles(saved.ground), dict(scene.looks))
        board = draw_empty_map(FieldShown(saved.ground, UNCHANGED, scene.looks, whole=True))
        picture = saved.ground.picture.file if saved.ground.picture is not None else ""
        return Prepared(saved.id, saved.name, saved.of, easel, board, bool(saved.before), picture)
