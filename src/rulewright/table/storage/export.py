"""Exporting a table to one file, and importing it. The gamemaster's file is complete; a player's copy contains what they may see.

The file is JSON lines. The first line is a header; every further one is a line of the log, with a checksum over all before it. Links,
devices, private notes and whispers of others are left out.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.preload import make_ready
from rulewright.rules.reasons import Reason
from rulewright.system import find
from rulewright.table import limits, links, permissions, views
from rulewright.table.log import entries as e
from rulewright.table.log import text as log_text
from rulewright.table.log.lines import Line, chained, check_of, decode, encode
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.state import Member, Table
from rulewright.table.storage import pictures, store
from rulewright.table.storage.store import Link, Writing
from rulewright.table.views import LogShown, TableShown
from rulewright.version import __version__

FORMAT, WITH_PICTURES = 1, 2
Progress = Callable[[float], None]
READ, OPENED = 0.35, 0.7
"""The share of an import that is done when the file is read, and when its table has been replayed."""
MOST_BYTES = 152 << 20
"""Large enough for a full table with its pictures."""
MOST_LINE_BYTES = 4 << 20
EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The years 1 to 9999, in microseconds since 1970."""


class Head(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of an exported table."""

    rulewright: str
    format: int
    version: str
    system: str
    name: str
    exported_at: int
    lines: int
    pictures: int = 0
    """How many lines after those of the log hold a picture each."""


class ExportedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the log in a file."""

    seq: int
    at: int
    who: str
    version: str
    check: str
    change: msgspec.Raw


class ExportedPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture in a file, with a checksum over itself and everything before."""

    check: str
    picture: pictures.Body


class PlayerCopy(Struct, frozen=True):
    """The copy of a player or spectator: everything they may see, and their own characters as plain data."""

    rulewright: str
    format: int
    version: str
    exported_at: int
    table: TableShown
    log: list[LogShown]
    characters: dict[str, dict[str, Any]]


def export(tables: Tables, table_id: str, member_id: str) -> bytes:
    """Exports a table: the gamemaster gets a file that can be imported, others get a copy to read."""
    with tables.looking(table_id) as table:
        member = table.member(member_id)
        if permissions.is_gamemaster(member):
            return _complete(table, member, pictures.taken(tables, table_id, member_id))
        shown, log = tables.view(table_id, member_id), tables.log(table_id, member_id, most=limits.LINES)
        own = {character.id: character.data for character in table.characters.values() if character.owner == member.id}
        copy = PlayerCopy("table, a player's copy", FORMAT, __version__, store.now(), shown, log, own)
        return msgspec.json.format(msgspec.json.encode(copy), indent=1)


def written_lines(table: Table, member: Member) -> bytes:
    """The lines of a table in memory, as its complete export without pictures."""
    return _complete(table, member, [])


def open_lines(content: bytes) -> Table:
    """A table in memory from an export; an error for a damaged file."""
    _, lines, _ = read(content)
    return _opened(links.table_id(), lines)


def _complete(table: Table, member: Member, bodies: list[pictures.Body]) -> bytes:
    exported = [line for line in table.lines if _may_take(table, member, line)]
    file_format = WITH_PICTURES if bodies else FORMAT
    head = Head("table", file_format, __version__, table.system.id, table.name, store.now(), len(exported), len(bodies))
    contents = [msgspec.json.encode(head)]
    before = ""
    for seq, line in enumerate(exported, 1):
        body = encode(line.change)
        before = check_of(before, seq, line.at, line.who, line.version, body)
        contents.append(msgspec.json.encode(ExportedLine(seq, line.at, line.who, line.version, before, msgspec.Raw(body))))
    for candidate in bodies:
        before = _check(before, candidate)
        contents.append(msgspec.json.encode(ExportedPicture(before, candidate)))
    return b"\n".join(contents) + b"\n"


def _check(before: str, picture: pictures.Body) -> str:
    kept = picture.kept
    return check_of(before, 0, kept.at, kept.who, kept.digest, encode(kept))


def _may_take(table: Table, member: Member, line: Line) -> bool:
    change = line.change
    if isinstance(change, e.Said | e.Tested):
        return not change.to or member.id in (line.who, *change.to)
    if isinstance(change, e.NoteWritten):
        return change.readers in ("gamemaster", "everyone") or member.id in (line.who, *change.to)
    return not isinstance(change, e.LinkRenewed | e.LinkRevoked)


def bring_in(tables: Tables, content: bytes, device: str, progress: Progress = lambda share: None) -> Hosting:
    """Imports an exported table as a new one. The device becomes its gamemaster; all others need a new invite link.

    `progress` hears which share is done, as each piece is read or written.
    """
    tables.refuse_without_space()
    head, lines, bodies = read(content, lambda share: progress(READ * share))
    table_id, gamemaster_token, invite_token = links.table_id(), links.token(), links.token()
    table = _opened(table_id, lines)
    progress(OPENED)
    imported = e.Imported(head.version, len(lines), head.exported_at)
    last = chained(table.check, [Line(table.seq + 1, store.now(), table.gamemaster, imported)])
    stored_links = {"gamemaster": Link(links.hashed(gamemaster_token)), "invitation": Link(links.hashed(invite_token))}
    writing = Writing([*table.lines, *last], stored_links, ((links.hashed(device), table.gamemaster),))
    tables.store.create(table_id, table.system.id, writing, lambda share: progress(OPENED + (1 - OPENED) * share))
    if bodies:
        with tables.store.writing(table_id) as connection:
            for body in bodies:
                pictures.insert(connection, table_id, body)
    return Hosting(table_id, table.gamemaster, gamemaster_token, invite_token)


def read(content: bytes, progress: Progress = lambda share: None) -> tuple[Head, list[Line], list[pictures.Body]]:
    """Reads an exported table strictly; errors name the line."""
    if len(content) > MOST_BYTES:
        raise UserError(f"the file is too large: an exported table has at most {MOST_BYTES >> 20} MB")
    first, *rest = content.removesuffix(b"\n").split(b"\n")
    head = _head(first)
    if bool(head.pictures) != (head.format == WITH_PICTURES):
        raise UserError("this is not an exported table: format and pictures in its first line contradict each other")
    if head.pictures < 0 or len(rest) != head.lines + head.pictures:
        raise UserError(f"the file has {len(rest)} of {head.lines + head.pictures} lines: it was cut off or changed")
    if not 1 <= head.lines <= limits.LINES:
        raise UserError(f"a table has 1 to {limits.LINES} lines, not {head.lines}")
    before, lines = "", []
    for number, text in enumerate(rest[: head.lines], 1):
        line, before = _line(text, number, before)
        lines.append(line)
        if number % store.PIECE == 0:
            progress(number / head.lines)
    return head, lines, _pictures(rest[head.lines :], before)


def _pictures(rest: list[bytes], before: str) -> list[pictures.Body]:
    """The pictures at the end of a file, each verified."""
    if len(rest) > limits.PICTURES or sum(map(len, rest)) > 2 * limits.PICTURE_BYTES:
        raise UserError(f"a table holds at most {limits.PICTURES} pictures and {limits.PICTURE_BYTES // 1_000_000} MB of them")
    picture_by_key = {}
    for number, text in enumerate(rest, 1):
        where = f"picture {number} of the exported table"
        try:
            line = msgspec.json.decode(text, type=ExportedPicture)
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            raise UserError(f"{where} cannot be read: {error}") from None
        picture, before = line.picture, _check(before, line.picture)
        if line.check != before:
            raise UserError(f"{where} is damaged: the file was cut off or changed by hand")
        pictures.refuse_foreign(picture, where)
        picture_by_key[picture.kept.digest, picture.kept.who] = picture
    return list(picture_by_key.values())


def _head(first: bytes) -> Head:
    try:
        head = msgspec.json.decode(first[:10_000], type=Head)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        raise UserError("this is not an exported table") from None
    if head.rulewright != "table":
        raise UserError("this is a player's copy, which cannot be imported; use the gamemaster's export")
    if head.format > WITH_PICTURES:
        raise UserError(f"this table was exported by Rulewright {head.version[:20]}; use that version or a later one")
    make_ready(find(head.system))
    return head


def _line(text: bytes, number: int, before: str) -> tuple[Line, str]:
    where = f"line {number} of the exported table"
    if len(text) > MOST_LINE_BYTES:
        raise UserError(f"{where} has {len(text)} bytes; at most {MOST_LINE_BYTES} are allowed")
    try:
        line = msgspec.json.decode(text, type=ExportedLine)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise UserError(f"{where} cannot be read: {error}") from None
    body = bytes(line.change)
    check = check_of(before, line.seq, line.at, line.who, line.version, body)
    if line.seq != number or line.check != check:
        raise UserError(f"{where} is damaged: the file was cut off or changed by hand")
    if len(line.who) > 32 or len(line.version) > 40 or not EARLIEST <= line.at <= LATEST:
        raise UserError(f"{where} has an invalid author, version or time")
    change = decode(body, where)
    _check_input(change, where)
    return Line(number, line.at, line.who, change, None, line.version), check


def _check_input(change: e.Change, where: str) -> None:
    """Raises an error unless names and texts obey the same limits as input."""
    try:
        for field in ("name", "gamemaster", "title"):
            text = getattr(change, field, None)
            if isinstance(text, str):
                limits.name(text)
        if isinstance(change, e.Said | e.NoteWritten):
            limits.prose(change.text, "text", limits.NOTE)
        if isinstance(change, e.Tested):
            msgspec.convert(list(change.reasons), list[Reason], strict=False)
    except (UserError, msgspec.ValidationError) as error:
        raise UserError(f"{where}: {error}") from None


def _refuse_too_much(table: Table) -> None:
    """Raises an error if an imported table exceeds the limits of a table."""
    counts = {
        "scenes in progress": (len(table.open_scenes()), limits.OPEN_SCENES),
        "people": (sum(member.here for member in table.members.values()), limits.MEMBERS),
        "characters": (len(table.characters), limits.CHARACTERS),
        "notes": (len(table.notes), limits.NOTES),
        "markers": (len(table.tokens), limits.TOKENS),
        "maps": (len(table.maps), limits.MAPS),
        "prepared scenes": (len(table.drafts), limits.DRAFTS),
        "bytes": (table.bytes, limits.TABLE_BYTES),
    }
    for what, (count, most) in counts.items():
        if count > most:
            raise UserError(f"the table has {count} {what}; at most {most} are allowed")
    for line in table.lines:
        if line.size > limits.LINE_BYTES:
            raise UserError(f"line {line.seq} of the exported table is larger than {limits.LINE_BYTES // 1000} kB")


def _opened(table_id: str, lines: list[Line]) -> Table:
    """Builds the table from its lines; raises an error if they are inconsistent."""
    try:
        table = Table(table_id, chained("", lines))
        gamemaster = table.members[table.gamemaster]
        views.shown(table, gamemaster, "")
        log_text.log(table, gamemaster, str, most=limits.LINES)
        _refuse_too_much(table)
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"the lines of this table are inconsistent ({type(error).__name__})") from None
    return table
