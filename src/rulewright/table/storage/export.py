"""A table as one file: complete for the gamemaster, who can open it anywhere as a table again; a player's copy holds what they may see.

The file is JSON lines. The first says what it is; every further line is a line of the log, with a check over all before it. Left out
are the links, the devices, and what others keep to themselves: notes for their writer alone, and whispers to others.
"""

from typing import Any

import msgspec
from msgspec import Struct

from rulewright import __version__
from rulewright.errors import UserError
from rulewright.preload import make_ready
from rulewright.rules.reasons import Reason
from rulewright.system import find
from rulewright.table import limits, links, permissions, views
from rulewright.table.log import entries as e
from rulewright.table.log import text as story
from rulewright.table.log.lines import Line, chained, check_of, decode, encode
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.state import Member, Table
from rulewright.table.storage import pictures, store
from rulewright.table.storage.store import Link, Writing
from rulewright.table.views import LogShown, TableShown

FORMAT, WITH_PICTURES = 1, 2
MOST_BYTES = 152 << 20
"""A table that is full fits: its lines and what stands around each, and its pictures."""
MOST_LINE_BYTES = 4 << 20
EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The times that a calendar has, from the year 1 to the end of 9999, in microseconds since 1970."""


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
    """So many lines after those of the log hold a picture each."""


class ExportedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the log in a file."""

    seq: int
    at: int
    who: str
    version: str
    check: str
    change: msgspec.Raw


class ExportedPicture(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture in a file, under a check over itself and all before it."""

    check: str
    picture: pictures.Body


class PlayerCopy(Struct, frozen=True):
    """What a player or spectator takes home: everything they may see, and their own characters as plain data."""

    rulewright: str
    format: int
    version: str
    exported_at: int
    table: TableShown
    log: list[LogShown]
    characters: dict[str, dict[str, Any]]


def export(tables: Tables, table_id: str, member_id: str) -> bytes:
    """A table as one file, for whoever asks: the gamemaster's can be imported, anybody else's is theirs to read."""
    with tables.looking(table_id) as table:
        member = table.member(member_id)
        if permissions.leads(member):
            return _complete(table, member, pictures.taken(tables, table_id, member_id))
        shown, log = tables.view(table_id, member_id), tables.log(table_id, member_id, most=limits.LINES)
        own = {character.id: character.data for character in table.characters.values() if character.owner == member.id}
        copy = PlayerCopy("table, a player's copy", FORMAT, __version__, store.now(), shown, log, own)
        return msgspec.json.format(msgspec.json.encode(copy), indent=1)


def _complete(table: Table, member: Member, bodies: list[pictures.Body]) -> bytes:
    kept = [line for line in table.lines if _may_take(table, member, line)]
    shape = WITH_PICTURES if bodies else FORMAT
    head = Head("table", shape, __version__, table.system.id, table.name, store.now(), len(kept), len(bodies))
    contents = [msgspec.json.encode(head)]
    before = ""
    for seq, line in enumerate(kept, 1):
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


def bring_in(tables: Tables, content: bytes, device: str) -> Hosting:
    """Open an exported table as a new one; the device sits as its gamemaster, and everybody else is invited anew."""
    tables.refuse_without_space()
    head, lines, bodies = read(content)
    table_id, leading, inviting = links.table_id(), links.token(), links.token()
    table = _opened(table_id, lines)
    imported = e.Imported(head.version, len(lines), head.exported_at)
    last = chained(table.check, [Line(table.seq + 1, store.now(), table.gamemaster, imported)])
    kept = {"gamemaster": Link(links.hashed(leading)), "invitation": Link(links.hashed(inviting))}
    writing = Writing([*table.lines, *last], kept, ((links.hashed(device), table.gamemaster),))
    tables.store.create(table_id, table.system.id, writing)
    if bodies:
        with tables.store.writing() as connection:
            for body in bodies:
                pictures.insert(connection, table_id, body)
    return Hosting(table_id, table.gamemaster, leading, inviting)


def read(content: bytes) -> tuple[Head, list[Line], list[pictures.Body]]:
    """The lines of an exported table, strictly read; says which line is wrong."""
    if len(content) > MOST_BYTES:
        raise UserError(f"an exported table has at most {MOST_BYTES >> 20} MB")
    first, *rest = content.removesuffix(b"\n").split(b"\n")
    head = _head(first)
    if bool(head.pictures) != (head.format == WITH_PICTURES):
        raise UserError("this is no exported table: its first line says one thing of its pictures and the other")
    if head.pictures < 0 or len(rest) != head.lines + head.pictures:
        raise UserError(f"the file holds {len(rest)} lines of {head.lines + head.pictures}: it was cut off or changed")
    if not 1 <= head.lines <= limits.LINES:
        raise UserError(f"a table has from 1 to {limits.LINES} lines")
    before, result = "", []
    for number, text in enumerate(rest[: head.lines], 1):
        line, before = _line(text, number, before)
        result.append(line)
    return head, result, _pictures(rest[head.lines :], before)


def _pictures(rest: list[bytes], before: str) -> list[pictures.Body]:
    """The pictures at the end of a file, each proved to be one that was written here."""
    if len(rest) > limits.PICTURES or sum(map(len, rest)) > 2 * limits.PICTURE_BYTES:
        raise UserError(f"a table holds at most {limits.PICTURES} pictures and {limits.PICTURE_BYTES // 1_000_000} MB of them")
    body_by_pair = {}
    for number, text in enumerate(rest, 1):
        where = f"picture {number} of the exported table"
        try:
            line = msgspec.json.decode(text, type=ExportedPicture)
        except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
            raise UserError(f"{where} cannot be read: {error}") from None
        picture, before = line.picture, _check(before, line.picture)
        if line.check != before:
            raise UserError(f"{where} is not as it was written: the file was cut off or changed by hand")
        pictures.refuse_foreign(picture, where)
        body_by_pair[picture.kept.digest, picture.kept.who] = picture
    return list(body_by_pair.values())


def _head(first: bytes) -> Head:
    try:
        head = msgspec.json.decode(first[:10_000], type=Head)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError):
        raise UserError("this is no exported table") from None
    if head.rulewright != "table":
        raise UserError("this is a player's copy, which cannot be opened as a table")
    if head.format > WITH_PICTURES:
        raise UserError(f"this table was exported by Rulewright {head.version[:20]}; use that version or a later one")
    make_ready(find(head.system))
    return head


def _line(text: bytes, number: int, before: str) -> tuple[Line, str]:
    where = f"line {number} of the exported table"
    if len(text) > MOST_LINE_BYTES:
        raise UserError(f"{where} is too long")
    try:
        line = msgspec.json.decode(text, type=ExportedLine)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise UserError(f"{where} cannot be read: {error}") from None
    body = bytes(line.change)
    check = check_of(before, line.seq, line.at, line.who, line.version, body)
    if line.seq != number or line.check != check:
        raise UserError(f"{where} is not as it was written: the file was cut off or changed by hand")
    if len(line.who) > 32 or len(line.version) > 40 or not EARLIEST <= line.at <= LATEST:
        raise UserError(f"{where} cannot be read")
    change = decode(body, where)
    _refuse_hostile(change, where)
    return Line(number, line.at, line.who, change, None, line.version), check


def _refuse_hostile(change: e.Change, where: str) -> None:
    """Names and texts obey the same limits as if they were typed here."""
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
    """What is read in holds no more than what is played."""
    counts = {
        "scenes under way": (len(table.open_scenes()), limits.OPEN_SCENES),
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
            raise UserError(f"this table holds {count} {what}, and {most} is the most")
    for line in table.lines:
        if line.size > limits.LINE_BYTES:
            raise UserError(f"line {line.seq} of the exported table is too much for one line of the log")


def _opened(table_id: str, lines: list[Line]) -> Table:
    """The table that these lines make; whatever does not fit together is refused."""
    try:
        table = Table(table_id, chained("", lines))
        leading = table.members[table.gamemaster]
        views.shown(table, leading, "")
        story.log(table, leading, str, most=limits.LINES)
        _refuse_too_much(table)
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"the lines of this table do not fit together ({type(error).__name__})") from None
    return table
