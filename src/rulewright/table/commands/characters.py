"""Handlers for characters: adding, claiming, changing, replacing and archiving."""

import re
from typing import Any

import msgspec

from rulewright import files, library
from rulewright.build import audit
from rulewright.build.sheet_parts import Pick, Stepper
from rulewright.errors import UserError
from rulewright.grammar import a as a_noun
from rulewright.grammar import join
from rulewright.system import System
from rulewright.table import limits, permissions
from rulewright.table.commands import messages as a
from rulewright.table.commands.handlers import Context, Done, handles, known_character
from rulewright.table.commands.people_and_notes import refuse_too_many
from rulewright.table.log import entries as e
from rulewright.table.state import Table


def ready_made(system: System, reference: str, *kinds: str) -> library.Kept:
    """Something that ships with the game, by `folder/name` or name. User input is never used as a path."""
    key_by_reference = {}
    for key in system.demos():
        key_by_reference[key.removesuffix(".yaml")] = key
        key_by_reference.setdefault(key.rpartition("/")[2].removesuffix(".yaml"), key)
    if reference not in key_by_reference:
        raise UserError(f"{system.id} has no ready-made {reference[:60]!r}{files.did_you_mean(reference[:60], key_by_reference)}")
    key = key_by_reference[reference]
    kept = library.opened(files.parse(system.demos()[key].read_bytes(), key), key)
    if kept.kind not in kinds:
        raise UserError(f"{reference[:60]} is {a_noun(kept.kind)}; needed is {join([a_noun(kind) for kind in kinds], 'or')}")
    return kept


def from_text(system: System, yaml: str, what: str = "character") -> library.Kept:
    """Reads a file's text: a character of any kind, or a scenario or map."""
    if len(yaml) > limits.CHARACTER_BYTES:
        raise UserError(f"the {what} is too large; at most {limits.CHARACTER_BYTES // 1000} kB are allowed")
    kept = library.opened(files.parse(yaml, "the text"), "the text")
    if what != "character":
        if (kept.kind, kept.system.id) != (what, system.id):
            raise UserError(f"this is {a_noun(kept.kind)} of {kept.system.name}; needed is {a_noun(what)} of {system.name}")
    elif kept.system.id != system.id:
        raise UserError(f"this is for {kept.system.name}; the table plays {system.name}")
    elif kept.kind not in system.kinds:
        raise UserError(f"this is {a_noun(kept.kind)}; needed is {join([a_noun(kind) for kind in system.kinds], 'or')}")
    return kept


def _from_data(system: System, kind: str, data: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(data, system.kinds[kind], strict=True)
    except msgspec.ValidationError as error:
        raise UserError(f"this is not {a_noun(kind)}: {error}") from None


def character_data(thing: Any) -> dict[str, Any]:
    """A character as plain data for the log; raises an error if it is too large or its name is invalid."""
    data: dict[str, Any] = msgspec.to_builtins(thing)
    if "name" in data:
        limits.name(str(data["name"]))
    limits.small(data, "character", limits.CHARACTER_BYTES)
    return data


@handles(a.AddCharacter)
def add_character(context: Context, action: a.AddCharacter) -> Done:
    table, system = context.table, context.table.system
    refuse_too_many(context, "characters", limits.CHARACTERS, [table.brought.get(character, "") for character in table.characters])
    kind = action.of or next(iter(system.kinds))
    if kind not in system.kinds:
        raise UserError(f"{system.name} has no kind {kind[:40]!r}{files.did_you_mean(kind[:40], system.kinds)}")
    if action.yaml:
        kept = from_text(system, action.yaml)
        kind, thing = kept.kind, kept.thing
    elif action.data is not None:
        thing = _from_data(system, kind, action.data)
    elif action.ready:
        kept = ready_made(system, action.ready, *system.kinds)
        kind, thing = kept.kind, kept.thing
    else:
        thing = system.new(table.rules, kind, action.archetype or None)
    if action.name:
        thing = audit.change(thing, "name", limits.name(action.name))
    owner = "" if permissions.is_gamemaster(context.member) else context.member.id
    character_id = table.fresh_id("c")
    hidden = action.hidden and permissions.is_gamemaster(context.member)
    return Done([e.CharacterAdded(character_id, kind, character_data(thing), owner, hidden)], character_id)


@handles(a.ShowCharacter)
def show_character(context: Context, action: a.ShowCharacter) -> Done:
    character = context.table.character(action.character)
    if action.hidden and character.owner:
        raise UserError(f"{character.name} cannot be hidden while a member plays this character; release it first")
    return Done([e.CharacterShown(character.id, action.hidden)])


@handles(a.PictureCharacter)
def picture_character(context: Context, action: a.PictureCharacter) -> Done:
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    if action.picture and re.fullmatch(r"[0-9a-f]{32}", action.picture) is None:
        raise UserError("a picture is given by its digest: 32 hexadecimal digits")
    return Done([e.CharacterPictured(character.id, action.picture)])


@handles(a.ChangeCharacter)
def change_character(context: Context, action: a.ChangeCharacter) -> Done:
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    field = action.field[:200]
    if field.partition(".")[0] in ("system", "kind"):
        raise UserError(f"{field} of a character cannot be changed")
    changed = audit.change(character.thing(context.table.system), field, action.value)
    data = character_data(changed)
    why, value = action.why[:500], plain_value(data, field)
    words = _describe_change(context.table, changed, field, value)
    return Done([e.CharacterChanged(character.id, data, field, value, why, action.advancement, words)])


def _describe_change(table: Table, changed: Any, field: str, value: Any) -> str:
    """The change in the words of the sheet; empty if the sheet has no single piece for the field."""
    try:
        sheet = table.system.sheet(table.rules, changed)
    except UserError:
        return ""
    shown = next((piece for section in sheet.sections for piece in section.pieces if getattr(piece, "field", None) == field), None)
    match shown:
        case Stepper(levels=levels):
            return f"{shown.name} {levels[-1]}"
        case Pick(options=options):
            return f"{shown.name}: {next((option.label for option in options if option.key == value), value)}"
        case None:
            return ""
    return shown.name


def plain_value(data: Any, field: str) -> Any:
    """The value of a dotted field of plain data; None if there is none."""
    for part in field.split("."):
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list | tuple) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        else:
            return None
    return data


@handles(a.ReplaceCharacter)
def replace_character(context: Context, action: a.ReplaceCharacter) -> Done:
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    if action.yaml:
        kept = from_text(context.table.system, action.yaml)
        if kept.kind != character.of:
            raise UserError(f"{character.name} is {a_noun(character.of)}, but this is {a_noun(kept.kind)}")
        thing = kept.thing
    elif action.data is not None:
        thing = _from_data(context.table.system, character.of, action.data)
    else:
        raise UserError("give the text of a file in yaml, or plain data in data")
    return Done([e.CharacterChanged(character.id, character_data(thing), why=action.why[:500])])


@handles(a.ClaimCharacter)
def claim_character(context: Context, action: a.ClaimCharacter) -> Done:
    table, member = context.table, context.member
    character = known_character(context, action.character)
    to = table.other(action.member) if action.member else member
    if not permissions.is_gamemaster(member):
        if to.id != member.id:
            raise permissions.Forbidden("only the gamemaster may assign characters to others")
        if character.owner:
            raise permissions.Forbidden(f"another member plays {character.name} already")
    if to.role == "spectator":
        raise UserError(f"{to.name} is a spectator; make them a player first")
    return Done([e.CharacterClaimed(character.id, to.id)])


@handles(a.ReleaseCharacter)
def release_character(context: Context, action: a.ReleaseCharacter) -> Done:
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    return Done([e.CharacterClaimed(character.id, "")])


@handles(a.RemoveCharacter)
def remove_character(context: Context, action: a.RemoveCharacter) -> Done:
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    return Done([e.CharacterRemoved(character.id)])


def participant(table: Table, reference: str) -> Any:
    """A participant of a new scene: a character of the table by its id, or a ready-made one."""
    if reference in table.characters:
        return table.characters[reference].thing(table.system)
    return ready_made(table.system, reference, *table.system.kinds).thing
