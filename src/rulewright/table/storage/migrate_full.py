"""Continues a full table in a new one, with members, seats, characters, notes, markers and house rules; the log starts anew.

The old table can only be viewed and exported afterwards.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.table import links, permissions
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log import map_entries as m
from rulewright.table.log.lines import Line, chained
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.state import HOST, Table
from rulewright.table.storage import pictures
from rulewright.table.storage.store import Conflict, Link, Writing


class _Entry(Struct, frozen=True):
    """A change and its author."""

    who: str
    change: e.Change


def go_on(tables: Tables, table_id: str, member_id: str) -> Hosting:
    """Opens the table that continues this one; only the gamemaster can. All members keep their seats."""
    tables.refuse_without_space()
    fresh_id, gamemaster_token, invite_token = links.table_id(), links.token(), links.token()
    with tables.looking(table_id) as table:
        if not permissions.is_gamemaster(table.member(member_id)):
            raise permissions.Forbidden("only the gamemaster may do this")
        if table.closed:
            raise UserError("the server administrator closed this table")
        if table.went_on:
            raise UserError("this table continues in a new one already")
        if table.open_scenes():
            raise UserError("a scene is in progress; end it first, so that its results can be kept")
        known = _members(table)
        entries = [*_member_entries(table, known), *_object_entries(table, known), _Entry(HOST, e.WentOn(table_id, onward=False))]
        system = table.system.id
    at = tables.now()
    lines = chained("", [Line(seq, at, entry.who, entry.change) for seq, entry in enumerate(entries, 1)])
    stored_links = {"gamemaster": Link(links.hashed(gamemaster_token)), "invitation": Link(links.hashed(invite_token))}
    sits = tuple((device.hash, known[device.member]) for device in tables.store.devices(table_id) if device.member in known)
    tables.store.create(fresh_id, system, Writing(lines, stored_links, sits))
    pictures.copied(tables, table_id, fresh_id, known)
    try:
        tables.write(table_id, member_id, [e.WentOn(fresh_id)])
    except (Conflict, UserError):
        tables.store.delete(fresh_id)
        raise UserError("another member acted at this table just now; try again") from None
    return Hosting(fresh_id, HOST, gamemaster_token, invite_token)


def _members(table: Table) -> dict[str, str]:
    """The remaining members with their ids at the new table; the gamemaster is the first one."""
    others = [member.id for member in table.members.values() if not member.removed and member.id != table.gamemaster]
    return {table.gamemaster: HOST, **{member_id: f"m{place}" for place, member_id in enumerate(others, 2)}}


def _member_entries(table: Table, known: dict[str, str]) -> list[_Entry]:
    house = table.house
    hosted = e.Hosted(table.name, table.system.id, table.members[table.gamemaster].name, house.preset, house.settings, "")
    entries = [_Entry(HOST, hosted)]
    if house.tables:
        entries.append(_Entry(HOST, e.HouseChanged(house.preset, house.settings, house.tables)))
    for old, new in known.items():
        member = table.members[old]
        if new != HOST:
            entries.append(_Entry(new, e.Joined(new, member.name, member.role)))
        if not member.here:
            entries.append(_Entry(new, e.Left(new)))
        elif member.wait:
            entries.append(_Entry(new, e.DiceChosen(new, True)))
    if not table.own_dice:
        entries.append(_Entry(HOST, e.OwnDice(False)))
    if table.hints:
        entries.append(_Entry(HOST, e.HintsAllowed(True)))
    return entries


def _object_entries(table: Table, known: dict[str, str]) -> list[_Entry]:
    shape = table.map
    entries = [_Entry(HOST, m.MapChanged(shape.grid, shape.cell, shape.width, shape.height))]
    entries += [
        _Entry(HOST, m.MapKept(kept_map.id, kept_map.name, msgspec.to_builtins(kept_map.ground), kept_map.of))
        for kept_map in table.maps.values()
    ]
    entries += [_Entry(HOST, m.DraftKept(draft.id, draft.name, draft.scene)) for draft in table.drafts.values()]
    for character in table.characters.values():
        owner = known.get(character.owner, "")
        brought = known.get(table.brought.get(character.id, ""), HOST)
        entries.append(_Entry(brought, e.CharacterAdded(character.id, character.of, character.data, owner, character.hidden)))
        if character.picture:
            entries.append(_Entry(brought, e.CharacterPictured(character.id, character.picture)))
    for note in table.notes.values():
        if note.author in known:
            to = tuple(known[candidate] for candidate in note.to if candidate in known)
            readers = "me" if note.readers == "some" and not to else note.readers
            entries.append(_Entry(known[note.author], e.NoteWritten(note.id, note.title, note.text, readers, to)))
    entries += [_Entry(HOST, change) for change in _campaign_changes(table)]
    for token in table.tokens.values():
        owner = known.get(token.owner, HOST)
        entries.append(_Entry(owner, m.TokenPlaced(token.id, token.name, token.x, token.y, token.hidden, owner)))
    return entries


def _campaign_changes(table: Table) -> list[e.Change]:
    """The clock, which begins again at the present date, with locations, dates to come, tallies and plans."""
    campaign = table.campaign
    changes: list[e.Change] = []
    if campaign.calendar is not None:
        changes.append(c.ClockStarted(campaign.calendar.moved(campaign.now)))
    changes += [c.LocationSet(location) for location in campaign.locations.values()]
    to_come = {key: replace(date, at=date.at - campaign.now) for key, date in campaign.dates.items() if date.at > campaign.now}
    changes += [c.DateSet(key, date) for key, date in to_come.items()]
    changes += [c.TallySet(key, tally) for key, tally in campaign.tallies.items()]
    changes += [c.RequestKept(name, request) for name, request in campaign.requests.items()]
    plans = {key: plan for key, plan in campaign.plans.items() if key in table.characters}
    changes += [c.PlanMade(key, plan.exertion, plan.location, plan.doing) for key, plan in plans.items()]
    changes += [c.SecretEffects(key, runs) for key, runs in campaign.secrets.items() if runs and key in table.characters]
    return changes
