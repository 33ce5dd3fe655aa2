"""From what somebody asks for to the changes that the log takes: people, talk, notes, house rules, the map."""

import math
from collections.abc import Collection
from typing import Any

from rulewright.errors import UserError
from rulewright.play import Dice, ScriptedFaces
from rulewright.rules import House
from rulewright.show import replies
from rulewright.show.serialize import plain
from rulewright.table import limits, links, permissions
from rulewright.table.commands import messages as a
from rulewright.table.commands.handlers import Asked, Done, does, known
from rulewright.table.log import entries as e
from rulewright.table.log.map_entries import MapChanged, TokenPlaced, TokenRemoved
from rulewright.table.state import Member, Table
from rulewright.table.storage.store import Link

MOST_ROLLS = 200
MOST_FACES = 600
"""Characters of typed faces."""


# --- talk, notes, dice --------------------------------------------------------------------------------------------------------


@does(a.Say)
def say(asked: Asked, action: a.Say) -> Done:
    return Done([e.Said(limits.prose(action.text, "message", limits.CHAT), _heard_by(asked, action.to))])


def _heard_by(asked: Asked, to: tuple[str, ...]) -> tuple[str, ...]:
    """Those whom something is for, each once."""
    return tuple(dict.fromkeys(asked.table.other(member).id for member in to[: limits.MEMBERS]))


@does(a.WriteNote)
def write_note(asked: Asked, action: a.WriteNote) -> Done:
    table = asked.table
    note_id = action.note or table.fresh_id("n")
    if action.note:
        permissions.wrote(asked.member, _note(asked, action.note))
    else:
        refuse_too_many(asked, "notes", limits.NOTES, [note.author for note in table.notes.values()])
    title = limits.name(action.title, "title")
    text = limits.prose(action.text, "note", limits.NOTE)
    to = _heard_by(asked, tuple(candidate for candidate in action.to if candidate != asked.member.id)) if action.readers == "some" else ()
    if action.readers == "some" and not to:
        raise UserError("say who reads it, or keep it to yourself")
    return Done([e.NoteWritten(note_id, title, text, action.readers, to)], note_id)


@does(a.RemoveNote)
def remove_note(asked: Asked, action: a.RemoveNote) -> Done:
    permissions.wrote(asked.member, _note(asked, action.note))
    return Done([e.NoteRemoved(action.note)])


def refuse_too_many(asked: Asked, sort: str, most: int, whose: "Collection[str]") -> None:
    """Refuse one more of a sort: nobody fills the table for the others, and who leads has places of their own."""
    own = sum(text == asked.member.id for text in whose)
    if permissions.leads(asked.member):
        if (own if sort == "notes" else len(whose)) >= most:
            raise UserError(f"a table holds at most {most} {sort}: put some away, or clear what somebody left")
    elif own >= limits.OF_ONE[sort]:
        raise UserError(f"one person has at most {limits.OF_ONE[sort]} {sort}: put some away first")
    elif len(whose) >= most - limits.FOR_THE_GAMEMASTER.get(sort, 0):
        raise UserError(f"this table holds no more {sort}: the gamemaster can clear what somebody left")


def _note(asked: Asked, note_id: str) -> Any:
    """A note by id. One that somebody may not change is told from one that is not there only if it is shared with them."""
    note = asked.table.notes.get(note_id)
    if note is None or not permissions.reads(asked.member, note.author, note.readers, note.to):
        raise UserError(f"there is no note {note_id[:40]!r}")
    return note


@does(a.Test)
def test(asked: Asked, action: a.Test) -> Done:
    table = asked.table
    if action.character:
        permissions.owns(asked.member, known(asked, action.character))
    notation = limits.name(action.notation, "test", 200)
    typed = action.faces.strip()
    if len(typed) > MOST_FACES:
        raise UserError("these are more faces than any test asks for")
    if typed:
        permissions.types_dice(table, asked.member)
    dice: Dice = ScriptedFaces(replies.faces(typed)) if typed else asked.dice
    thrown = replies.throw(table.system, table.rules, notation, replies.Counted(dice, MOST_ROLLS))
    rolls = tuple(e.Fell(fell.faces, fell.kept, fell.roll.by, fell.roll.what) for fell in thrown.played.rolls)
    what = limits.name(action.what, "name of the test", 120) if action.what else ""
    return Done(
        [
            e.Tested(
                notation,
                thrown.shown.label,
                rolls,
                what,
                action.character,
                thrown.shown.verdict or "",
                bool(typed),
                action.secret,
                tuple(plain(thrown.reasons)),
                _heard_by(asked, action.to),
            )
        ]
    )


# --- the table and its people -------------------------------------------------------------------------------------------------


@does(a.Rename)
def rename(asked: Asked, action: a.Rename) -> Done:
    return Done([e.Renamed(limits.name(action.name))])


@does(a.RenameMe)
def rename_me(asked: Asked, action: a.RenameMe) -> Done:
    return Done([e.MemberRenamed(asked.member.id, free_name(asked.table, action.name, asked.member.id))])


def free_name(table: Table, name: str, but: str = "") -> str:
    """A name that nobody else at the table has."""
    result = limits.name(name)
    for member in table.members.values():
        if member.here and member.id != but and limits.folded(member.name) == limits.folded(result):
            raise UserError(f"somebody at this table is called {member.name} already: take another name")
    return result


@does(a.RenewLink)
def renew_link(asked: Asked, action: a.RenewLink) -> Done:
    """A new link for an old one. Whoever leads by the old gamemaster's link leads no more: all devices but the one that asks get up."""
    permissions.link_is_open(asked.table, asked.member, action.link)
    secret = links.token()
    passphrase = links.hashed_passphrase(action.passphrase) if action.passphrase else ""
    kept = Link(links.hashed(secret), passphrase)
    rises = (asked.member.id,) if action.link == "gamemaster" else ()
    return Done([e.LinkRenewed(action.link, bool(passphrase))], secret=secret, new_links={action.link: kept}, rises=rises)


@does(a.RevokeLink)
def revoke_link(asked: Asked, action: a.RevokeLink) -> Done:
    """A link is void; with the gamemaster's, all devices that lead but the one that asks get up."""
    permissions.link_is_open(asked.table, asked.member, action.link)
    rises = (asked.member.id,) if action.link == "gamemaster" else ()
    return Done([e.LinkRevoked(action.link)], new_links={action.link: None}, rises=rises)


@does(a.SignOut)
def sign_out(asked: Asked, action: a.SignOut) -> Done:
    """One's own devices, or as the gamemaster anybody's."""
    other = asked.table.other(action.member)
    if other.id != asked.member.id and not permissions.leads(asked.member):
        raise permissions.Forbidden("these devices are not yours")
    return Done([e.SignedOut(other.id)], signs_out=(action.device[:64],))


@does(a.ClearLeft)
def clear_left(asked: Asked, action: a.ClearLeft) -> Done:
    if action.member not in asked.table.members or action.member == asked.member.id:
        raise UserError("name somebody else who sits or sat here")
    return Done([e.Cleared(action.member)])


@does(a.SetRole)
def set_role(asked: Asked, action: a.SetRole) -> Done:
    other = _somebody_else(asked, action.member)
    return Done([e.RoleChanged(other.id, action.role)])


@does(a.HandOver)
def hand_over(asked: Asked, action: a.HandOver) -> Done:
    """Somebody else leads, and the link by which one became gamemaster is void."""
    other = _somebody_else(asked, action.member)
    return Done([e.HandedOver(other.id), e.LinkRevoked("gamemaster")], new_links={"gamemaster": None})


@does(a.RemoveMember)
def remove_member(asked: Asked, action: a.RemoveMember) -> Done:
    """Send somebody away. The invitation is void, so that it lets nobody in again; the database still knows their devices."""
    other = _somebody_else(asked, action.member)
    revoked, left = e.LinkRevoked("invitation"), e.Left(other.id, True)
    return Done([revoked, left], new_links={f"seat:{other.id}": None, "invitation": None})


@does(a.Leave)
def leave(asked: Asked, action: a.Leave) -> Done:
    """Get up. The device still knows the seat, so that one can come back."""
    if permissions.leads(asked.member):
        raise UserError("the gamemaster cannot leave: hand the table over first")
    return Done([e.Left(asked.member.id)])


@does(a.AllowHints)
def allow_hints(asked: Asked, action: a.AllowHints) -> Done:
    return Done([e.HintsAllowed(action.allowed)] if action.allowed != asked.table.hints else [])


@does(a.AllowOwnDice)
def allow_own_dice(asked: Asked, action: a.AllowOwnDice) -> Done:
    return Done([e.OwnDice(action.allowed)] if action.allowed != asked.table.own_dice else [])


@does(a.ChooseDice)
def choose_dice(asked: Asked, action: a.ChooseDice) -> Done:
    return Done([e.DiceChosen(asked.member.id, action.wait)])


def _somebody_else(asked: Asked, member_id: str) -> Member:
    other = asked.table.other(member_id)
    if other.id == asked.member.id:
        raise UserError("this cannot be done to oneself")
    return other


# --- house rules and the map --------------------------------------------------------------------------------------------------


@does(a.ChangeHouse)
def change_house(asked: Asked, action: a.ChangeHouse) -> Done:
    limits.small(action, "house rules", limits.HOUSE_BYTES)
    asked.table.system.book.ruleset(action.preset or None, action.settings, House({}, action.tables))
    return Done([e.HouseChanged(action.preset, action.settings, action.tables)])


@does(a.ChangeMap)
def change_map(asked: Asked, action: a.ChangeMap) -> Done:
    if not (math.isfinite(action.cell) and 0.1 <= action.cell <= 1000):
        raise UserError("a field of the map is from 0.1 to 1000 metres wide")
    if not (1 <= action.width <= 400 and 1 <= action.height <= 400):
        raise UserError("the map is from 1 to 400 fields wide and high")
    return Done([MapChanged(action.grid, action.cell, action.width, action.height)])


@does(a.PlaceToken)
def place_token(asked: Asked, action: a.PlaceToken) -> Done:
    table, member = asked.table, asked.member
    token_id, owner = action.token or table.fresh_id("t"), member.id
    if action.token:
        token = table.tokens.get(action.token)
        if token is None or (token.hidden and not permissions.leads(member)):
            raise UserError(f"there is no marker {action.token[:40]!r}")
        permissions.placed(member, token)
        owner = token.owner
    else:
        refuse_too_many(asked, "markers", limits.TOKENS, [token.owner for token in table.tokens.values()])
    x, y = on_map(action.x, action.y)
    hidden = action.hidden and permissions.leads(member)
    return Done([TokenPlaced(token_id, limits.name(action.name), x, y, hidden, owner)], token_id)


@does(a.RemoveToken)
def remove_token(asked: Asked, action: a.RemoveToken) -> Done:
    token = asked.table.tokens.get(action.token)
    if token is None or (token.hidden and not permissions.leads(asked.member)):
        raise UserError(f"there is no marker {action.token[:40]!r}")
    permissions.placed(asked.member, token)
    return Done([TokenRemoved(action.token)])


def on_map(x: float, y: float) -> tuple[float, float]:
    """A place in metres that can be one."""
    if not all(math.isfinite(value) and abs(value) <= 1_000_000 for value in (x, y)):
        raise UserError("a place is given in metres, at most a thousand kilometres away")
    return float(x), float(y)
