"""Pictures under maps with hidden areas: players get an address that tells nothing of the original, which shows what is hidden."""

from hashlib import blake2b

from msgspec.structs import replace

from rulewright.build.sheet_parts import SceneView
from rulewright.field.ground import UNCHANGED, Changes, Ground
from rulewright.field.placement import painted
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Table


def ground_under(stage: Stage) -> tuple[Ground | None, Changes]:
    """The map of a scene and the changes to it; None if it has no map or this version cannot open it. A chase keeps no changes."""
    try:
        state = stage.encounter.state
    except Exception:
        return None, UNCHANGED
    ground, changes = getattr(state, "map", None), getattr(state, "changes", UNCHANGED)
    return (ground, changes) if isinstance(ground, Ground) else (None, UNCHANGED)


def veiled_address(table: Table, stage: Stage, ground: Ground, changes: Changes) -> str:
    """The address of a scene's picture with its hidden areas painted over; empty if nothing is hidden.

    It depends on a secret of the server, so that it neither names the original nor lets anybody guess it. It changes with the picture.
    """
    hidden = painted(ground, changes)
    if not hidden or ground.picture is None:
        return ""
    words = f"{table.id} {stage.number} {ground.picture.file} {ground.picture.box} {hidden}"
    return blake2b(words.encode(), key=table.secret, digest_size=16).hexdigest()


def conceal_picture(table: Table, stage: Stage, view: SceneView) -> SceneView:
    """A view whose map names the veiled picture instead of the original."""
    shown = view.field
    if shown is None or shown.whole or not shown.painted or shown.ground.picture is None:
        return view
    address = veiled_address(table, stage, *_known(stage))
    ground = replace(shown.ground, picture=replace(shown.ground.picture, file=address))
    return replace(view, field=replace(shown, ground=ground))


def _known(stage: Stage) -> tuple[Ground, Changes]:
    ground, changes = ground_under(stage)
    assert ground is not None
    return ground, changes
