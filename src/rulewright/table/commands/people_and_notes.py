"""Handlers for members, chat, notes, tests, house rules and markers."""

import math
from collections.abc import Collection
from typing import Any

from rulewright.campaign.activities.plan_text import Around, read_arguments
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Dice, Player, ScriptedFaces
from rulewright.rules import House, nearest
from rulewright.show import replies
from rulewright.show.serialize import plain
from rulewright.table import limits, links, permissions
from rulewright.table.commands import messages as a
from rulewright.table.commands.campaign_messages import GenerateNote
from rulewright.table.commands.handlers import Context, Done, handles, known_character
from rulewright.table.log import entries as e
from rulewright.table.log.map_entries import MapChanged, TokenPlaced, TokenRemoved
from rulewright.table.state import Member, Table
from rulewright.table.storage.store import Link

MOST_ROLLS = 200
MOST_FACES = 600
"""Length of entered faces, in characters."""


# --- talk, notes, dice --------------------------------------------------------------------------------------------------------


@handles(a.Say)
def say(context: Context, action: a.Say) -> Done:
    return Done([e.Said(limits.prose(action.text, "message", limits.CHAT), _recipients(context, action.to))])


def _recipients(context: Context, to: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of the recipients, without repetition."""
    return tuple(dict.fromkeys(context.table.other(member).id for member in to[: limits.MEMBERS]))


@handles(a.WriteNote)
def write_note(context: Context, action: a.WriteNote) -> Done:
    table = context.table
    note_id = action.note or table.fresh_id("n")
    if action.note:
        permissions.check_author(context.member, _note(context, action.note))
    else:
        refuse_too_many(context, "notes", limits.NOTES, [note.author for note in table.notes.values()])
    title = limits.name(action.title, "title")
    text = limits.prose(action.text, "note", limits.NOTE)
    to = (
        _recipients(context, tuple(candidate for candidate in action.to if candidate != context.member.id))
        if action.readers == "some"
        else ()
    )
    if action.readers == "some" and not to:
        raise UserError("name at least one reader, or keep the note to yourself")
    return Done([e.NoteWritten(note_id, title, text, action.readers, to)], note_id)


@handles(GenerateNote)
def generate_note(context: Context, action: GenerateNote) -> Done:
    table = context.table
    known = {generator.name: generator for generator in table.system.generators}
    if action.generator not in known:
        there = f"; choose one of {join(list(known), 'or')}" if known else "; this game has none"
        raise UserError(f"there is no generator {action.generator[:40]!r}{nearest(action.generator, known) or there}")
    refuse_too_many(context, "notes", limits.NOTES, [note.author for note in table.notes.values()])
    generator = known[action.generator]
    given = read_arguments(generator, action.given, Around())
    draft = Player(context.dice).run(generator.generate(table.rules, given))
    note_id, title = table.fresh_id("n"), draft.title[: limits.NAME]
    return Done([e.NoteWritten(note_id, limits.name(title, "title"), limits.prose(draft.text, "note", limits.NOTE), "me")], note_id)


@handles(a.RemoveNote)
def remove_note(context: Context, action: a.RemoveNote) -> Done:
    permissions.check_author(context.member, _note(context, action.note))
    return Done([e.NoteRemoved(action.note)])


def refuse_too_many(context: Context, sort: str, most: int, owners: "Collection[str]") -> None:
    """Raises an error if the table, or this member, has too many of a sort. Some places are reserved for the gamemaster."""
    own = sum(owner == context.member.id for owner in owners)
    if permissions.is_gamemaster(context.member):
        if (own if sort == "notes" else len(owners)) >= most:
            raise UserError(f"a table holds at most {most} {sort}; remove some, or clear what a former member left")
    elif own >= limits.OF_ONE[sort]:
        raise UserError(f"one person has at most {limits.OF_ONE[sort]} {sort}; remove some first")
    elif len(owners) >= most - limits.FOR_THE_GAMEMASTER.get(sort, 0):
        raise UserError(f"this table has no room for more {sort}; the gamemaster can clear what a former member left")


def _note(context: Context, note_id: str) -> Any:
    """A note by id. A note that the member cannot read counts as missing."""
    note = context.table.notes.get(note_id)
    if note is None or not permissions.can_read(context.member, note.author, note.readers, note.to):
        raise UserError(f"there is no note {note_id[:40]!r}")
    return note


@handles(a.Test)
def test(context: Context, action: a.Test) -> Done:
    table = context.table
    if action.character:
        permissions.check_owner(context.member, known_character(context, action.character))
    notation = limits.name(action.notation, "test", 200)
    typed = action.faces.strip()
    if len(typed) > MOST_FACES:
        raise UserError(f"too many faces: at most {MOST_FACES} characters are allowed")
    if typed:
        permissions.check_typed_dice(table, context.member)
    dice: Dice = ScriptedFaces(replies.faces(typed)) if typed else context.dice
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
                _recipients(context, action.to),
            )
        ]
    )


# --- the table and its people -------------------------------------------------------------------------------------------------


@handles(a.Rename)
def rename(context: Context, action: a.Rename) -> Done:
    return Done([e.Renamed(limits.name(action.name))])


@handles(a.RenameMe)
def rename_me(context: Context, action: a.RenameMe) -> Done:
    return Done([e.MemberRenamed(context.member.id, free_name(context.table, action.name, context.member.id))])


def free_name(table: Table, name: str, but: str = "") -> str:
    """Validates a name and checks that no other member has it."""
    valid = limits.name(name)
    for member in table.members.values():
        if member.here and member.id != but and limits.folded(member.name) == limits.folded(valid):
            raise UserError(f"the name {member.name} is taken at this table; choose another one")
    return valid


@handles(a.RenewLink)
def renew_link(context: Context, action: a.RenewLink) -> Done:
    """Replaces a link. With the gamemaster link, all devices of the gamemaster except the one that asks are signed out."""
    permissions.check_link(context.table, context.member, action.link)
    secret = links.token()
    passphrase = links.hashed_passphrase(action.passphrase) if action.passphrase else ""
    kept = Link(links.hashed(secret), passphrase)
    members_signed_out = (context.member.id,) if action.link == "gamemaster" else ()
    return Done(
        [e.LinkRenewed(action.link, bool(passphrase))], secret=secret, new_links={action.link: kept}, members_signed_out=members_signed_out
    )


@handles(a.RevokeLink)
def revoke_link(context: Context, action: a.RevokeLink) -> Done:
    """Revokes a link. With the gamemaster link, all devices of the gamemaster except the one that asks are signed out."""
    permissions.check_link(context.table, context.member, action.link)
    members_signed_out = (context.member.id,) if action.link == "gamemaster" else ()
    return Done([e.LinkRevoked(action.link)], new_links={action.link: None}, members_signed_out=members_signed_out)


@handles(a.SignOut)
def sign_out(context: Context, action: a.SignOut) -> Done:
    """Signs out a device: one's own, or as the gamemaster anybody's."""
    other = context.table.other(action.member)
    if other.id != context.member.id and not permissions.is_gamemaster(context.member):
        raise permissions.Forbidden("these devices are not yours; you can only sign out your own")
    return Done([e.SignedOut(other.id)], devices_signed_out=(action.device[:64],))


@handles(a.ClearLeft)
def clear_left(context: Context, action: a.ClearLeft) -> Done:
    if action.member not in context.table.members or action.member == context.member.id:
        raise UserError("name another present or former member of this table")
    return Done([e.Cleared(action.member)])


@handles(a.SetRole)
def set_role(context: Context, action: a.SetRole) -> Done:
    other = _another_member(context, action.member)
    return Done([e.RoleChanged(other.id, action.role)])


@handles(a.HandOver)
def hand_over(context: Context, action: a.HandOver) -> Done:
    """Makes another member the gamemaster and revokes the gamemaster link."""
    other = _another_member(context, action.member)
    return Done([e.HandedOver(other.id), e.LinkRevoked("gamemaster")], new_links={"gamemaster": None})


@handles(a.RemoveMember)
def remove_member(context: Context, action: a.RemoveMember) -> Done:
    """Removes a member and revokes the invite link, so that it lets nobody in again. The database still knows their devices."""
    other = _another_member(context, action.member)
    revoked, left = e.LinkRevoked("invitation"), e.Left(other.id, True)
    return Done([revoked, left], new_links={f"seat:{other.id}": None, "invitation": None})


@handles(a.Leave)
def leave(context: Context, action: a.Leave) -> Done:
    """Leaves the table. The device keeps the seat, so that the member can return."""
    if permissions.is_gamemaster(context.member):
        raise UserError("the gamemaster cannot leave; hand the table over first")
    return Done([e.Left(context.member.id)])


@handles(a.AllowHints)
def allow_hints(context: Context, action: a.AllowHints) -> Done:
    return Done([e.HintsAllowed(action.allowed)] if action.allowed != context.table.hints else [])


@handles(a.AllowOwnDice)
def allow_own_dice(context: Context, action: a.AllowOwnDice) -> Done:
    return Done([e.OwnDice(action.allowed)] if action.allowed != context.table.own_dice else [])


@handles(a.ChooseDice)
def choose_dice(context: Context, action: a.ChooseDice) -> Done:
    return Done([e.DiceChosen(context.member.id, action.wait)])


def _another_member(context: Context, member_id: str) -> Member:
    other = context.table.other(member_id)
    if other.id == context.member.id:
        raise UserError("you cannot do this to yourself")
    return other


# --- house rules and the map --------------------------------------------------------------------------------------------------


@handles(a.ChangeHouse)
def change_house(context: Context, action: a.ChangeHouse) -> Done:
    limits.small(action, "house rules", limits.HOUSE_BYTES)
    context.table.system.book.ruleset(action.preset or None, action.settings, House({}, action.tables))
    return Done([e.HouseChanged(action.preset, action.settings, action.tables)])


@handles(a.ChangeMap)
def change_map(context: Context, action: a.ChangeMap) -> Done:
    if not (math.isfinite(action.cell) and 0.1 <= action.cell <= 1000):
        raise UserError(f"a cell of the map is 0.1 to 1000 metres wide, not {action.cell:g}")
    if not (1 <= action.width <= 400 and 1 <= action.height <= 400):
        raise UserError(f"the map has 1 to 400 cells in each direction, not {action.width} by {action.height}")
    return Done([MapChanged(action.grid, action.cell, action.width, action.height)])


@handles(a.PlaceToken)
def place_token(context: Context, action: a.PlaceToken) -> Done:
    table, member = context.table, context.member
    token_id, owner = action.token or table.fresh_id("t"), member.id
    if action.token:
        token = table.tokens.get(action.token)
        if token is None or (token.hidden and not permissions.is_gamemaster(member)):
            raise UserError(f"there is no marker {action.token[:40]!r}")
        permissions.check_token_owner(member, token)
        owner = token.owner
    else:
        refuse_too_many(context, "markers", limits.TOKENS, [token.owner for token in table.tokens.values()])
    x, y = on_map(action.x, action.y)
    hidden = action.hidden and permissions.is_gamemaster(member)
    return Done([TokenPlaced(token_id, limits.name(action.name), x, y, hidden, owner)], token_id)


@handles(a.RemoveToken)
def remove_token(context: Context, action: a.RemoveToken) -> Done:
    token = context.table.tokens.get(action.token)
    if token is None or (token.hidden and not permissions.is_gamemaster(context.member)):
        raise UserError(f"there is no marker {action.token[:40]!r}")
    permissions.check_token_owner(context.member, token)
    return Done([TokenRemoved(action.token)])


def on_map(x: float, y: float) -> tuple[float, float]:
    """Validates a place in metres."""
    if not all(math.isfinite(value) and abs(value) <= 1_000_000 for value in (x, y)):
        raise UserError("a place is given in metres, at most 1,000 kilometres from the origin")
    return float(x), float(y)
