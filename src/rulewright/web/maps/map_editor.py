"""The map editor: the objects on a map that can be selected, and the game's words for new ones."""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.ground import UNCHANGED, Ground
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.field.placement import field_shown
from rulewright.table.commands.maps import changes_of, ground_of, scene_of
from rulewright.table.service import Tables
from rulewright.web.maps.terrain_svg import FLOORS, TEXTURES, Handle, handles
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
    effects: Mapping[str, GroundEffect]
    """What each word does in the game."""
    why_not: str = ""
    touches: tuple[DoorShown, ...] = ()
    textures: ClassVar[dict[str, str]] = TEXTURES
    floors: ClassVar[tuple[str, ...]] = FLOORS

    @property
    def counts(self) -> dict[str, int]:
        """How many things lie on each layer."""
        regions = self.ground.regions
        areas = [region for region in regions if region.veiled or region.stops]
        return {
            "labels": sum(region.mark for region in regions),
            "areas": len(areas),
            "lights": len(self.ground.lights),
            "walls": len(self.ground.walls),
            "covers": len(self.ground.covers),
            "terrain": sum(bool(region.terrain or region.look) for region in regions),
            "heights": sum(region.level is not None for region in regions),
        }


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
            {"scene": number},
            ground,
            scene.ground_words(),
            handles(ground),
            dict(scene.looks),
            scene.ground_effects(),
            busy,
            _list_doors(ground, state),
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


def edit_saved_map(tables: Tables, table_id: str, map_id: str, as_player: bool = False) -> Prepared:
    """A prepared map, ready to edit; or as players see it before anybody is on it, read-only."""
    with tables.looking(table_id) as table:
        saved = table.kept_map(map_id)
        scene = scene_of(table, saved.of)
        why_not = "You see the map as your players do. Choose GM to draw." if as_player else ""
        shapes = () if as_player else handles(saved.ground)
        easel = MapEditor({"map": saved.id}, saved.ground, scene.ground_words(), shapes, dict(scene.looks), scene.ground_effects(), why_not)
        board = draw_empty_map(field_shown(saved.ground, UNCHANGED, () if as_player else None, scene.looks))
        picture = saved.ground.picture.file if saved.ground.picture is not None else ""
        return Prepared(saved.id, saved.name, saved.of, easel, board, bool(saved.before), picture)
