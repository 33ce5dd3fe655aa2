"""Scenes that are prepared and kept at the table until they begin: known to whoever leads alone, and every change can be taken back."""

import msgspec
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.handlers import Asked, Done, does
from rulewright.table.log.map_entries import DraftKept, DraftRemoved, DraftsUndone
from rulewright.table.state import Draft, Table


def scene_of(draft: Draft) -> a.BeginScene:
    """A prepared scene as it would begin."""
    return msgspec.convert(draft.scene, a.BeginScene)


def _with_room(table: Table) -> None:
    if len(table.drafts) >= limits.DRAFTS:
        raise UserError(f"a table keeps at most {limits.DRAFTS} prepared scenes: put one away first")


@does(a.KeepDraft)
def keep_draft(asked: Asked, action: a.KeepDraft) -> Done:
    table = asked.table
    name = limits.name(action.name or action.scene.name, "name of the scene", 120)
    data = msgspec.to_builtins(replace(action.scene, name=name))
    limits.small(data, "prepared scene", limits.CHARACTER_BYTES)
    if action.draft:
        before = table.draft(action.draft)
        same = (before.name, before.scene) == (name, data)
        return Done([] if same else [DraftKept(before.id, name, data)], before.id)
    _with_room(table)
    made = table.fresh_id("d")
    return Done([DraftKept(made, name, data)], made)


@does(a.CopyDraft)
def copy_draft(asked: Asked, action: a.CopyDraft) -> Done:
    table, before = asked.table, asked.table.draft(action.draft)
    _with_room(table)
    taken, number = {candidate.name for candidate in table.drafts.values()}, 2
    while f"{before.name[:112]} ({number})" in taken:
        number += 1
    name, made = f"{before.name[:112]} ({number})", table.fresh_id("d")
    return Done([DraftKept(made, name, {**before.scene, "name": name})], made)


@does(a.NameDraft)
def name_draft(asked: Asked, action: a.NameDraft) -> Done:
    before = asked.table.draft(action.draft)
    name = limits.name(action.name, "name of the scene", 120)
    return Done([DraftKept(before.id, name, {**before.scene, "name": name})] if name != before.name else [], before.id)


@does(a.RemoveDraft)
def remove_draft(asked: Asked, action: a.RemoveDraft) -> Done:
    return Done([DraftRemoved(asked.table.draft(action.draft).id)])


@does(a.UndoDrafts)
def undo_drafts(asked: Asked, action: a.UndoDrafts) -> Done:
    if not asked.table.drafts_before:
        raise UserError("nothing was changed in the prepared scenes that could be taken back")
    return Done([DraftsUndone()])
