"""Maps at the table: prepared, drawn on stroke by stroke, laid under a scene; and what the gamemaster changes on the ground in play."""

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
from rulewright.table.commands.handlers import Asked, Done, does
from rulewright.table.commands.scenes import entries_of, run_on, under_way
from rulewright.table.log import map_entries as m
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Table

EMPTY = Ground(grid="squares", size=(30, 20))
"""A sheet on which nothing is drawn yet."""


def kinds(table: Table) -> list[str]:
    """The kinds of scenes of the table's game that are played on maps."""
    return [kind for kind, staging in table.system.scenes.items() if staging.scene(table.rules).takes_maps]


def scene_of(table: Table, kind: str) -> Scene[Any]:
    """The scene that a map is for; refuses one that is played on none."""
    scene = table.system.staging(kind).scene(table.rules)
    if not scene.takes_maps:
        raise UserError(f"{kind} of {table.system.name} is played on no map; {', '.join(kinds(table)) or 'nothing'} is")
    return scene


@does(a.KeepMap)
def keep_map(asked: Asked, action: a.KeepMap) -> Done:
    table = asked.table
    if len(table.maps) >= limits.MAPS:
        raise UserError(f"a table holds at most {limits.MAPS} maps: put one away first")
    of = action.of if action.of in kinds(table) else next(iter(kinds(table)), "")
    scene = scene_of(table, of)
    ground = understood(_begun(table, action), scene.ground_words())
    map_id = table.fresh_id("g")
    name = limits.name(action.name, "name of the map")
    return Done([m.MapKept(map_id, name, msgspec.to_builtins(ground), of)], map_id)


def understood(ground: Ground, words: GroundWords) -> Ground:
    """Ground of which every word is one of the game's."""
    return ground.understood(words.terrains, words.covers, words.lights)


def _begun(table: Table, action: a.KeepMap) -> Ground:
    """What a map begins as."""
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
        there = ground_of(table.scene(int(number) if number.isdecimal() and len(number) < 7 else 0))
        return there if there != BARE else EMPTY
    return _like_ready(table, action.like)


def _like_ready(table: Table, name: str) -> Ground:
    kept = ready_made(table.system, name, "scenario")
    ground = library.with_map(kept).map
    if not isinstance(ground, Ground):
        raise UserError(f"{name[:60]} has no map")
    return ground


@does(a.Draw)
def draw(asked: Asked, action: a.Draw) -> Done:
    if action.scene:
        return _on_scene(asked, action)
    kept = asked.table.kept_map(action.map)
    made = drawn(kept.ground, action.stroke, scene_of(asked.table, kept.of).ground_words())
    return Done([m.MapDrawn(kept.id, action.stroke)] if made != kept.ground else [])


def ground_of(stage: Stage) -> Ground:
    """The ground of a scene under way; refuses a scene without one."""
    scene, state = stage.encounter.scene, stage.encounter.state
    if not scene.takes_maps or not isinstance(getattr(state, "map", None), Ground):
        raise UserError("this scene is played on no map")
    ground: Ground = state.map
    return ground


def changes_of(state: Any) -> Changes | None:
    """What has become of the ground of a scene; None where no account is kept of it, as in a chase, which only goes along it."""
    result = getattr(state, "changes", None)
    return result if isinstance(result, Changes) else None


def _on_scene(asked: Asked, action: a.Draw) -> Done:
    """A stroke on the ground of a scene is an overruling of its state, and undone as such."""
    stage = under_way(asked, action.scene)
    before = ground_of(stage)
    made = drawn(before, action.stroke, stage.encounter.scene.ground_words())
    plain = msgspec.to_builtins(made)
    on = action.stroke.on
    change = (f"map.{on}", plain[on]) if on != "sheet" and on in plain else ("map", plain)
    return _overruled(asked, stage, change) if made != before else Done([])


def _overruled(asked: Asked, stage: Stage, *changes: tuple[str, Any]) -> Done:
    stage.encounter.overrule(*changes, by=asked.member.name)
    return Done([*entries_of(stage, False), *run_on(asked, stage)])


@does(a.LayMap)
def lay_map(asked: Asked, action: a.LayMap) -> Done:
    stage, kept = under_way(asked, action.scene), asked.table.kept_map(action.map)
    ground_of(stage)
    made = understood(kept.ground, stage.encounter.scene.ground_words())
    as_new = [("changes", msgspec.to_builtins(UNCHANGED))] if changes_of(stage.encounter.state) is not None else []
    return _overruled(asked, stage, ("map", msgspec.to_builtins(made)), *as_new)


@does(a.TouchGround)
def touch_ground(asked: Asked, action: a.TouchGround) -> Done:
    stage = under_way(asked, action.scene)
    ground, changes = ground_of(stage), changes_of(stage.encounter.state)
    if changes is None:
        raise UserError("nothing is opened, shut, shown or hidden on the map of this scene, which is only there to look at")
    made = _door(ground, changes, action) if action.does in ("open", "shut") else _veil(ground, changes, action)
    return _overruled(asked, stage, ("changes", msgspec.to_builtins(made))) if made != changes else Done([])


def _door(ground: Ground, changes: Changes, action: a.TouchGround) -> Changes:
    wall = next((wall for wall in ground.walls if wall.door and wall.name == action.name), None)
    if wall is None:
        raise UserError(f"there is no door {action.name[:40]!r} on this map")
    return changes.with_door(wall.name, action.does == "open", wall.door == "open")


def _veil(ground: Ground, changes: Changes, action: a.TouchGround) -> Changes:
    if not any(region.veiled and region.name == action.name for region in ground.regions):
        raise UserError(f"there is no hidden area {action.name[:40]!r} on this map")
    shown = tuple(name for name in changes.shown if name != action.name)
    return replace(changes, shown=(*shown, action.name) if action.does == "show" else shown)


@does(a.UndoDrawing)
def undo_drawing(asked: Asked, action: a.UndoDrawing) -> Done:
    if not asked.table.kept_map(action.map).before:
        raise UserError("there is no stroke to take back")
    return Done([m.MapUndone(action.map)])


@does(a.NameMap)
def name_map(asked: Asked, action: a.NameMap) -> Done:
    asked.table.kept_map(action.map)
    return Done([m.MapNamed(action.map, limits.name(action.name, "name of the map"))])


@does(a.RemoveMap)
def remove_map(asked: Asked, action: a.RemoveMap) -> Done:
    return Done([m.MapRemoved(asked.table.kept_map(action.map).id)])
