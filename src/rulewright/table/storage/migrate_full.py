"""A table goes on in a new one, with its people and their seats, its characters, notes, markers and house rules; the log begins anew.

The old table stays as it is: to be looked at and exported, and nothing else.
"""

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.table import links, permissions
from rulewright.table.log import entries as e
from rulewright.table.log import map_entries as m
from rulewright.table.log.lines import Line, chained
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.state import HOST, Table
from rulewright.table.storage import pictures
from rulewright.table.storage.store import Conflict, Link, Writing


class _Written(Struct, frozen=True):
    """A change and who made it."""

    who: str
    change: e.Change


def go_on(tables: Tables, table_id: str, member_id: str) -> Hosting:
    """Open the table in which this one goes on; only its gamemaster can. Everybody sits there as they sit here."""
    tables.refuse_without_space()
    fresh_id, leading, inviting = links.table_id(), links.token(), links.token()
    with tables.looking(table_id) as table:
        if not permissions.leads(table.member(member_id)):
            raise permissions.Forbidden("only the gamemaster may do this")
        if table.closed:
            raise UserError("this table was closed by whoever runs the server")
        if table.went_on:
            raise UserError("this table has gone on in a new one already")
        if table.open_scenes():
            raise UserError("a scene is under way: end it first, so that it can be carried on")
        known = _members(table)
        written = [*_people(table, known), *_things(table, known), _Written(HOST, e.WentOn(table_id, onward=False))]
        system = table.system.id
    at = tables.now()
    lines = chained("", [Line(seq, at, result.who, result.change) for seq, result in enumerate(written, 1)])
    kept = {"gamemaster": Link(links.hashed(leading)), "invitation": Link(links.hashed(inviting))}
    sits = tuple((device.hash, known[device.member]) for device in tables.store.devices(table_id) if device.member in known)
    tables.store.create(fresh_id, system, Writing(lines, kept, sits))
    pictures.copied(tables, table_id, fresh_id, known)
    try:
        tables.write(table_id, member_id, [e.WentOn(fresh_id)])
    except (Conflict, UserError):
        tables.store.delete(fresh_id)
        raise UserError("somebody acted at this table just now: try again") from None
    return Hosting(fresh_id, HOST, leading, inviting)


def _members(table: Table) -> dict[str, str]:
    """Whoever still belongs to the table, and as whom they sit at the new one; who leads is the first there."""
    others = [member.id for member in table.members.values() if not member.removed and member.id != table.gamemaster]
    return {table.gamemaster: HOST, **{text: f"m{place}" for place, text in enumerate(others, 2)}}


def _people(table: Table, known: dict[str, str]) -> list[_Written]:
    house = table.house
    hosted = e.Hosted(table.name, table.system.id, table.members[table.gamemaster].name, house.preset, house.settings, "")
    writtens = [_Written(HOST, hosted)]
    if house.tables:
        writtens.append(_Written(HOST, e.HouseChanged(house.preset, house.settings, house.tables)))
    for old, new in known.items():
        member = table.members[old]
        if new != HOST:
            writtens.append(_Written(new, e.Joined(new, member.name, member.role)))
        if not member.here:
            writtens.append(_Written(new, e.Left(new)))
        elif member.wait:
            writtens.append(_Written(new, e.DiceChosen(new, True)))
    if not table.own_dice:
        writtens.append(_Written(HOST, e.OwnDice(False)))
    if table.hints:
        writtens.append(_Written(HOST, e.HintsAllowed(True)))
    return writtens


def _things(table: Table, known: dict[str, str]) -> list[_Written]:
    shape = table.map
    writtens = [_Written(HOST, m.MapChanged(shape.grid, shape.cell, shape.width, shape.height))]
    writtens += [
        _Written(HOST, m.MapKept(kept_map.id, kept_map.name, msgspec.to_builtins(kept_map.ground), kept_map.of))
        for kept_map in table.maps.values()
    ]
    writtens += [_Written(HOST, m.DraftKept(draft.id, draft.name, draft.scene)) for draft in table.drafts.values()]
    for character in table.characters.values():
        owner = known.get(character.owner, "")
        brought = known.get(table.brought.get(character.id, ""), HOST)
        writtens.append(_Written(brought, e.CharacterAdded(character.id, character.of, character.data, owner, character.hidden)))
        if character.picture:
            writtens.append(_Written(brought, e.CharacterPictured(character.id, character.picture)))
    for note in table.notes.values():
        if note.author in known:
            to = tuple(known[candidate] for candidate in note.to if candidate in known)
            readers = "me" if note.readers == "some" and not to else note.readers
            writtens.append(_Written(known[note.author], e.NoteWritten(note.id, note.title, note.text, readers, to)))
    for token in table.tokens.values():
        owner = known.get(token.owner, HOST)
        writtens.append(_Written(owner, m.TokenPlaced(token.id, token.name, token.x, token.y, token.hidden, owner)))
    return writtens
