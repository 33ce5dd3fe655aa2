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
    lines = chained("", [Line(seq, at, each.who, each.change) for seq, each in enumerate(written, 1)])
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
    others = [one.id for one in table.members.values() if not one.removed and one.id != table.gamemaster]
    return {table.gamemaster: HOST, **{one: f"m{place}" for place, one in enumerate(others, 2)}}


def _people(table: Table, known: dict[str, str]) -> list[_Written]:
    house = table.house
    hosted = e.Hosted(table.name, table.system.id, table.members[table.gamemaster].name, house.preset, house.settings, "")
    found = [_Written(HOST, hosted)]
    if house.tables:
        found.append(_Written(HOST, e.HouseChanged(house.preset, house.settings, house.tables)))
    for old, new in known.items():
        member = table.members[old]
        if new != HOST:
            found.append(_Written(new, e.Joined(new, member.name, member.role)))
        if not member.here:
            found.append(_Written(new, e.Left(new)))
        elif member.wait:
            found.append(_Written(new, e.DiceChosen(new, True)))
    if not table.own_dice:
        found.append(_Written(HOST, e.OwnDice(False)))
    if table.hints:
        found.append(_Written(HOST, e.HintsAllowed(True)))
    return found


def _things(table: Table, known: dict[str, str]) -> list[_Written]:
    shape = table.map
    found = [_Written(HOST, m.MapChanged(shape.grid, shape.cell, shape.width, shape.height))]
    found += [_Written(HOST, m.MapKept(each.id, each.name, msgspec.to_builtins(each.ground), each.of)) for each in table.maps.values()]
    found += [_Written(HOST, m.DraftKept(each.id, each.name, each.scene)) for each in table.drafts.values()]
    for one in table.characters.values():
        owner = known.get(one.owner, "")
        brought = known.get(table.brought.get(one.id, ""), HOST)
        found.append(_Written(brought, e.CharacterAdded(one.id, one.of, one.data, owner, one.hidden)))
        if one.picture:
            found.append(_Written(brought, e.CharacterPictured(one.id, one.picture)))
    for note in table.notes.values():
        if note.author in known:
            to = tuple(known[one] for one in note.to if one in known)
            readers = "me" if note.readers == "some" and not to else note.readers
            found.append(_Written(known[note.author], e.NoteWritten(note.id, note.title, note.text, readers, to)))
    for token in table.tokens.values():
        owner = known.get(token.owner, HOST)
        found.append(_Written(owner, m.TokenPlaced(token.id, token.name, token.x, token.y, token.hidden, owner)))
    return found
