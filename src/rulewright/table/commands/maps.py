"""Handlers for maps: preparing, drawing, using one for a scene, and editing the map of a scene in progress."""

from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground, read_ground
from rulewright.field.map_strokes import GroundWords, drawn
from rulewright.scenes.scene import Scene
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import from_text, ready_made
from rulewright.table.commands.handlers import Context, Done, handles
from rulewright.table.commands.scenes import entries_of, open_scene, run_on
from rulewright.table.log import map_entries as m
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Table

EMPTY = Ground(grid="squares", size=(30, 20))
"""A blank map."""


def kinds(table: Table) -> list[str]:
    """The kinds of scenes of the table's game that use maps."""
    return [kind for kind, staging in table.system.scenes.items() if staging.scene(table.rules).takes_maps]


def scene_of(table: Table, kind: str) -> Scene[Any]:
    """The scene that a map is for; raises an error if this kind uses no map."""
    scene = table.system.staging(kind).scene(table.rules)
    if not scene.takes_maps:
        raise UserError(f"{kind} of {table.system.name} uses no map; these do: {', '.join(kinds(table)) or 'none'}")
    return scene


@handles(a.KeepMap)
def keep_map(context: Context, action: a.KeepMap) -> Done:
    table = context.table
    if len(table.maps) >= limits.MAPS:
        raise UserError(f"a table holds at most {limits.MAPS} maps; archive one first")
    of = action.of if action.of in kinds(table) else next(iter(kinds(table)), "")
    scene = scene_of(table, of)
    ground = checked(_initial_ground(table, action), scene.ground_words())
    map_id = table.fresh_id("g")
    name = limits.name(action.name, "name of the map")
    return Done([m.MapKept(map_id, name, msgspec.to_builtins(ground), of)], map_id)


def checked(ground: Ground, words: GroundWords) -> Ground:
    """The map, after checking that the game knows every word in it."""
    return ground.understood(words.terrains, words.covers, words.lights)


def _initial_ground(table: Table, action: a.KeepMap) -> Ground:
    """The initial content of a new map."""
    if action.ground:
        limits.small(action.ground, "map", limits.CHARACTER_BYTES)
        return read_ground(action.ground, "the map")
    if action.yaml.strip():
        ground: Ground = from_text(table.system, action.yaml, "map").thing.map
        return ground
    if not action.like:
        return EMPTY
    if action.like in table.maps:
        return table.maps[action.like].ground
    if action.like.startswith("scene:"):
        number = action.like.removeprefix("scene:")
        ground = ground_of(table.scene(int(number) if number.isdecimal() and len(number) < 7 else 0))
        return ground if ground != BARE else EMPTY
    return _like_ready(table, action.like)


def _like_ready(table: Table, name: str) -> Ground:
    kept = ready_made(table.system, name, "scenario")
    ground = library.with_map(kept).map
    if not isinstance(ground, Ground):
        raise UserError(f"the scenario {name[:60]!r} has no map")
    return ground


@handles(a.Draw)
def draw(context: Context, action: a.Draw) -> Done:
    if action.scene:
        return _draw_on_scene(context, action)
    kept = context.table.kept_map(action.map)
    after = drawn(kept.ground, action.stroke, scene_of(context.table, kept.of).ground_words())
    return Done([m.MapDrawn(kept.id, action.stroke)] if after != kept.ground else [])


def ground_of(stage: Stage) -> Ground:
    """The map of a scene in progress; raises an error if it has none."""
    scene, state = stage.encounter.scene, stage.encounter.state
    if not scene.takes_maps or not isinstance(getattr(state, "map", None), Ground):
        raise UserError("this scene has no map")
    ground: Ground = state.map
    return ground


def changes_of(state: Any) -> Changes | None:
    """The changes to the map of a scene; None if the scene keeps none, as in a chase."""
    changes = getattr(state, "changes", None)
    return changes if isinstance(changes, Changes) else None


def _draw_on_scene(context: Context, action: a.Draw) -> Done:
    """Draws on the map of a scene by editing its state, so that the scene's undo applies."""
    stage = open_scene(context, action.scene)
    before = ground_of(stage)
    after = drawn(before, action.stroke, stage.encounter.scene.ground_words())
    plain = msgspec.to_builtins(after)
    layer = action.stroke.on
    change = (f"map.{layer}", plain[layer]) if layer != "sheet" and layer in plain else ("map", plain)
    return _edited(context, stage, change) if after != before else Done([])


def _edited(context: Context, stage: Stage, *changes: tuple[str, Any]) -> Done:
    stage.encounter.overrule(*changes, by=context.member.name)
    return Done([*entries_of(stage, False), *run_on(context, stage)])


@handles(a.LayMap)
def lay_map(context: Context, action: a.LayMap) -> Done:
    stage, kept = open_scene(context, action.scene), context.table.kept_map(action.map)
    ground_of(stage)
    ground = checked(kept.ground, stage.encounter.scene.ground_words())
    reset = [("changes", msgspec.to_builtins(UNCHANGED))] if changes_of(stage.encounter.state) is not None else []
    return _edited(context, stage, ("map", msgspec.to_builtins(ground)), *reset)


@handles(a.TouchGround)
def touch_ground(context: Context, action: a.TouchGround) -> Done:
    stage = open_scene(context, action.scene)
    ground, changes = ground_of(stage), changes_of(stage.encounter.state)
    if changes is None:
        raise UserError("the map of this scene is for display only; nothing on it can be opened, shut, shown or hidden")
    after = _with_door(ground, changes, action) if action.does in ("open", "shut") else _with_area(ground, changes, action)
    return _edited(context, stage, ("changes", msgspec.to_builtins(after))) if after != changes else Done([])


def _with_door(ground: Ground, changes: Changes, action: a.TouchGround) -> Changes:
    wall = next((wall for wall in ground.walls if wall.door and wall.name == action.name), None)
    if wall is None:
        raise UserError(f"there is no door {action.name[:40]!r} on this map")
    return changes.with_door(wall.name, action.does == "open", wall.door == "open")


def _with_area(ground: Ground, changes: Changes, action: a.TouchGround) -> Changes:
    if not any(region.veiled and region.name == action.name for region in ground.regions):
        raise UserError(f"there is no hidden area {action.name[:40]!r} on this map")
    shown = tuple(name for name in changes.shown if name != action.name)
    return replace(changes, shown=(*shown, action.name) if action.does == "show" else shown)


@handles(a.UndoDrawing)
def undo_drawing(context: Context, action: a.UndoDrawing) -> Done:
    if not context.table.kept_map(action.map).before:
        raise UserError("there is no stroke to undo")
    return Done([m.MapUndone(action.map)])


@handles(a.NameMap)
def name_map(context: Context, action: a.NameMap) -> Done:
    context.table.kept_map(action.map)
    return Done([m.MapNamed(action.map, limits.name(action.name, "name of the map"))])


@handles(a.RemoveMap)
def remove_map(context: Context, action: a.RemoveMap) -> Done:
    return Done([m.MapRemoved(context.table.kept_map(action.map).id)])
