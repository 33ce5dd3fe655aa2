"""Handlers for prepared scenes. Only the gamemaster sees them, and every change can be undone."""

import msgspec
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.handlers import Context, Done, handles
from rulewright.table.log.map_entries import DraftKept, DraftRemoved, DraftsUndone
from rulewright.table.state import Draft, Table


def scene_of(draft: Draft) -> a.BeginScene:
    """A prepared scene as the action that starts it."""
    return msgspec.convert(draft.scene, a.BeginScene)


def _check_room(table: Table) -> None:
    if len(table.drafts) >= limits.DRAFTS:
        raise UserError(f"a table keeps at most {limits.DRAFTS} prepared scenes; archive one first")


@handles(a.KeepDraft)
def keep_draft(context: Context, action: a.KeepDraft) -> Done:
    table = context.table
    name = limits.name(action.name or action.scene.name, "name of the scene", 120)
    data = msgspec.to_builtins(replace(action.scene, name=name))
    limits.small(data, "prepared scene", limits.CHARACTER_BYTES)
    if action.draft:
        before = table.draft(action.draft)
        same = (before.name, before.scene) == (name, data)
        return Done([] if same else [DraftKept(before.id, name, data)], before.id)
    _check_room(table)
    draft_id = table.fresh_id("d")
    return Done([DraftKept(draft_id, name, data)], draft_id)


@handles(a.CopyDraft)
def copy_draft(context: Context, action: a.CopyDraft) -> Done:
    table, before = context.table, context.table.draft(action.draft)
    _check_room(table)
    taken, number = {candidate.name for candidate in table.drafts.values()}, 2
    while f"{before.name[:112]} ({number})" in taken:
        number += 1
    name, draft_id = f"{before.name[:112]} ({number})", table.fresh_id("d")
    return Done([DraftKept(draft_id, name, {**before.scene, "name": name})], draft_id)


@handles(a.NameDraft)
def name_draft(context: Context, action: a.NameDraft) -> Done:
    before = context.table.draft(action.draft)
    name = limits.name(action.name, "name of the scene", 120)
    return Done([DraftKept(before.id, name, {**before.scene, "name": name})] if name != before.name else [], before.id)


@handles(a.RemoveDraft)
def remove_draft(context: Context, action: a.RemoveDraft) -> Done:
    return Done([DraftRemoved(context.table.draft(action.draft).id)])


@handles(a.UndoDrafts)
def undo_drafts(context: Context, action: a.UndoDrafts) -> Done:
    if not context.table.drafts_before:
        raise UserError("there is no change to the prepared scenes to undo")
    return Done([DraftsUndone()])
