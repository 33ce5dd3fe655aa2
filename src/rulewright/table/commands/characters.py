"""Characters come to the table, are claimed, changed and put away."""

import re
from typing import Any

import msgspec

from rulewright import files, library
from rulewright.build import audit
from rulewright.build.sheet_parts import Pick, Stepper
from rulewright.errors import UserError
from rulewright.system import System
from rulewright.table import limits, permissions
from rulewright.table.commands import messages as a
from rulewright.table.commands.handlers import Asked, Done, does, known
from rulewright.table.commands.people_and_notes import refuse_too_many
from rulewright.table.log import entries as e
from rulewright.table.state import Table


def ready_made(system: System, reference: str, *kinds: str) -> library.Kept:
    """Something that ships with the game, by `folder/name` or bare name. Nothing that somebody types becomes a path."""
    text_by_name = {}
    for key in system.demos():
        text_by_name[key.removesuffix(".yaml")] = key
        text_by_name.setdefault(key.rpartition("/")[2].removesuffix(".yaml"), key)
    if reference not in text_by_name:
        raise UserError(f"{system.id} has no ready-made {reference[:60]!r}{files.did_you_mean(reference[:60], text_by_name)}")
    key = text_by_name[reference]
    kept = library.opened(files.parse(system.demos()[key].read_bytes(), key), key)
    if kept.kind not in kinds:
        raise UserError(f"{reference[:60]} is a {kept.kind}, which is not what is needed here")
    return kept


def from_text(system: System, yaml: str, what: str = "character") -> library.Kept:
    """A file's text as the thing it holds: a character of any kind, or a scenario or a map."""
    if len(yaml) > limits.CHARACTER_BYTES:
        raise UserError(f"a {what} takes at most {limits.CHARACTER_BYTES // 1000} kB")
    kept = library.opened(files.parse(yaml, "what was sent"), "what was sent")
    if what != "character":
        if (kept.kind, kept.system.id) != (what, system.id):
            raise UserError(f"a {what} of {system.name} is needed here, and this is a {kept.kind} of {kept.system.name}")
    elif kept.system.id != system.id:
        raise UserError(f"this belongs to {kept.system.name}, and {system.name} is played here")
    elif kept.kind not in system.kinds:
        raise UserError(f"this is a {kept.kind}, and nobody who can take part")
    return kept


def _from_data(system: System, kind: str, data: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(data, system.kinds[kind], strict=True)
    except msgspec.ValidationError as error:
        raise UserError(f"this is no {kind}: {error}") from None


def as_data(thing: Any) -> dict[str, Any]:
    """A thing as plain data that the log keeps; refuses what is too large or has no proper name."""
    data: dict[str, Any] = msgspec.to_builtins(thing)
    if "name" in data:
        limits.name(str(data["name"]))
    limits.small(data, "character", limits.CHARACTER_BYTES)
    return data


@does(a.AddCharacter)
def add_character(asked: Asked, action: a.AddCharacter) -> Done:
    table, system = asked.table, asked.table.system
    refuse_too_many(asked, "characters", limits.CHARACTERS, [table.brought.get(character, "") for character in table.characters])
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
    owner = "" if permissions.leads(asked.member) else asked.member.id
    character_id = table.fresh_id("c")
    hidden = action.hidden and permissions.leads(asked.member)
    return Done([e.CharacterAdded(character_id, kind, as_data(thing), owner, hidden)], character_id)


@does(a.ShowCharacter)
def show_character(asked: Asked, action: a.ShowCharacter) -> Done:
    character = asked.table.character(action.character)
    if action.hidden and character.owner:
        raise UserError(f"{character.name} is played by somebody, who cannot but know")
    return Done([e.CharacterShown(character.id, action.hidden)])


@does(a.PictureCharacter)
def picture_character(asked: Asked, action: a.PictureCharacter) -> Done:
    character = known(asked, action.character)
    permissions.owns(asked.member, character)
    if action.picture and re.fullmatch(r"[0-9a-f]{32}", action.picture) is None:
        raise UserError("a picture is named by the digest that it has at this table")
    return Done([e.CharacterPictured(character.id, action.picture)])


@does(a.ChangeCharacter)
def change_character(asked: Asked, action: a.ChangeCharacter) -> Done:
    character = known(asked, action.character)
    permissions.owns(asked.member, character)
    field = action.field[:200]
    if field.partition(".")[0] in ("system", "kind"):
        raise UserError(f"{field} of a character cannot be changed")
    changed = audit.change(character.thing(asked.table.system), field, action.value)
    data = as_data(changed)
    why, value = action.why[:500], plain_value(data, field)
    words = _in_words(asked.table, changed, field, value)
    return Done([e.CharacterChanged(character.id, data, field, value, why, action.advancement, words)])


def _in_words(table: Table, changed: Any, field: str, value: Any) -> str:
    """What was changed as the sheet calls it; nothing where the sheet has no one thing for it."""
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
    """What a dotted field of plain data holds; None where there is none."""
    for part in field.split("."):
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list | tuple) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        else:
            return None
    return data


@does(a.ReplaceCharacter)
def replace_character(asked: Asked, action: a.ReplaceCharacter) -> Done:
    character = known(asked, action.character)
    permissions.owns(asked.member, character)
    if action.yaml:
        kept = from_text(asked.table.system, action.yaml)
        if kept.kind != character.of:
            raise UserError(f"{character.name} is a {character.of}, and this is a {kept.kind}")
        thing = kept.thing
    elif action.data is not None:
        thing = _from_data(asked.table.system, character.of, action.data)
    else:
        raise UserError("send the text of a file, or plain data")
    return Done([e.CharacterChanged(character.id, as_data(thing), why=action.why[:500])])


@does(a.ClaimCharacter)
def claim_character(asked: Asked, action: a.ClaimCharacter) -> Done:
    table, member = asked.table, asked.member
    character = known(asked, action.character)
    to = table.other(action.member) if action.member else member
    if not permissions.leads(member):
        if to.id != member.id:
            raise permissions.Forbidden("only the gamemaster gives characters to others")
        if character.owner:
            raise permissions.Forbidden(f"{character.name} is played by somebody already")
    if to.role == "spectator":
        raise UserError(f"{to.name} only watches")
    return Done([e.CharacterClaimed(character.id, to.id)])


@does(a.ReleaseCharacter)
def release_character(asked: Asked, action: a.ReleaseCharacter) -> Done:
    character = known(asked, action.character)
    permissions.owns(asked.member, character)
    return Done([e.CharacterClaimed(character.id, "")])


@does(a.RemoveCharacter)
def remove_character(asked: Asked, action: a.RemoveCharacter) -> Done:
    character = known(asked, action.character)
    permissions.owns(asked.member, character)
    return Done([e.CharacterRemoved(character.id)])


def who_takes_part(table: Table, reference: str) -> Any:
    """Whom a new scene means: a character of the table by its id, or somebody ready-made."""
    if reference in table.characters:
        return table.characters[reference].thing(table.system)
    return ready_made(table.system, reference, *table.system.kinds).thing
