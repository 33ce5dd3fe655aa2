"""Pictures of a table: kept in the database by a digest of what they are made of, and shown to those who see what they belong to.

`keep` takes a file that somebody sends and answers with its digest, which is then written where the picture belongs: in a note as
`![words](picture:DIGEST)`, under a map, on a character. `seen` says which pictures a member may look at: their own, and those of the
notes, characters and grounds that they may see. The bodies are no part of the log; exports and backups take them along.
"""

import re
from collections.abc import Callable, Iterable, Iterator

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from rulewright.errors import UserError
from rulewright.field.ground import UNCHANGED, Changes, Ground
from rulewright.field.placement import painted
from rulewright.files import images as files
from rulewright.table import limits, permissions, views
from rulewright.table.log.lines import digest
from rulewright.table.open_tables import NotHere
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.service import Tables
from rulewright.table.state import Member, Table
from rulewright.table.storage.columns import PICTURES, TABLES
from rulewright.table.storage.store import now

DIGEST = re.compile(r"[0-9a-f]{32}")
IN_TEXT = re.compile(r"picture:([0-9a-f]{32})")
"""How a note names a picture."""


class Kept(Struct, frozen=True):
    """What a list shows of a picture: its digest, who brought it, when (UTC, microseconds since 1970), its name, and its size in pixels
    and bytes."""

    digest: str
    who: str
    at: int
    name: str
    width: int
    height: int
    size: int


class Body(Struct, frozen=True):
    """A picture with everything, as it is taken from one table to another."""

    kept: Kept
    body: bytes


def keep(tables: Tables, table_id: str, member_id: str, data: bytes, name: str = "", purpose: str = "handout") -> str:
    """Keep a picture that a member sends, written anew; its digest. The same picture sent twice is kept once."""
    side = limits.PICTURE_SIDES.get(purpose)
    if side is None:
        raise UserError(f"a picture is for one of {', '.join(limits.PICTURE_SIDES)}, not {purpose[:40]!r}")
    called = limits.name(name, "name of the picture") if name.strip() else "picture"
    with tables.looking(table_id) as table:
        _refuse_unless_open(table, table.member(member_id), purpose)
        leading = table.gamemaster
    tables.refuse_without_space()
    written = files.written_anew(data, side, called)
    row = Kept(digest(written.body), member_id, now(), called, written.width, written.height, len(written.body))
    with tables.store.writing() as connection:
        connection.execute(sa.select(TABLES.c.id).where(TABLES.c.id == table_id).with_for_update())
        known = list(_listed(connection, table_id))
        if not any((kept.digest, kept.who) == (row.digest, row.who) for kept in known):
            _refuse_too_much(known, row, leading)
            insert(connection, table_id, Body(row, written.body))
    return row.digest


def _refuse_unless_open(table: Table, member: Member, purpose: str) -> None:
    if table.closed or table.went_on:
        raise UserError("this table takes nothing any more: it can be looked at and exported")
    if member.role == "spectator" or (purpose == "map" and not permissions.leads(member)):
        raise permissions.Forbidden("only the gamemaster may do this" if purpose == "map" else "only players may do this")


def _refuse_too_much(known: list[Kept], more: Kept, leading: str) -> None:
    full = "remove one that is of no use any more"
    if len(known) >= limits.PICTURES or sum(kept.size for kept in known) + more.size > limits.PICTURE_BYTES:
        raise UserError(f"a table holds at most {limits.PICTURES} pictures and {limits.PICTURE_BYTES // 1_000_000} MB of them: {full}")
    if more.who == leading:
        return
    others = [kept for kept in known if kept.who != leading]
    if sum(other.who == more.who for other in others) >= limits.OF_ONE["pictures"]:
        raise UserError(f"one person has at most {limits.OF_ONE['pictures']} pictures: {full}")
    if len(others) >= limits.PICTURES_OF_OTHERS or sum(other.size for other in others) + more.size > limits.PICTURE_BYTES_OF_OTHERS:
        raise UserError("this table holds no more pictures of its players: the gamemaster can remove some")


def body(tables: Tables, table_id: str, member_id: str, picture: str) -> bytes:
    """A picture that a member may look at; for them there is no other."""
    with tables.looking(table_id) as table:
        member = table.member(member_id)
        allowed = picture in seen(table, member)
    query = sa.select(PICTURES.c.body).where(PICTURES.c.table_id == table_id, PICTURES.c.digest == picture)
    result = tables.store.value(query if allowed else query.where(PICTURES.c.who == member_id))
    if result is None:
        raise NotHere("there is no such picture, or it is not yours to see")
    return bytes(result)


def raw(tables: Tables, table_id: str, picture: str) -> bytes | None:
    """A kept picture, for what the server itself makes of it; None where it is gone."""
    query = sa.select(PICTURES.c.body).where(PICTURES.c.table_id == table_id, PICTURES.c.digest == picture)
    result = tables.store.value(query)
    return None if result is None else bytes(result)


def listed(tables: Tables, table_id: str, member_id: str) -> list[Kept]:
    """The pictures that a member may look at, the latest first."""
    with tables.looking(table_id) as table:
        known = seen(table, table.member(member_id))
    with tables.store.reading() as connection:
        kepts = [candidate for candidate in _listed(connection, table_id) if candidate.who == member_id or candidate.digest in known]
    return sorted(kepts, key=lambda kept: -kept.at)


def there(tables: Tables, table_id: str, member_id: str, picture: str) -> Kept:
    """What is known of a picture that a member may look at, for whoever writes its digest somewhere."""
    for kept in listed(tables, table_id, member_id):
        if kept.digest == picture:
            return kept
    raise NotHere("there is no such picture, or it is not yours to see")


def remove(tables: Tables, table_id: str, member_id: str, picture: str) -> None:
    """Remove a picture: one's own, and for who leads any that they may look at. What names it shows none from then on."""
    there(tables, table_id, member_id, picture)
    with tables.looking(table_id) as table:
        leads = permissions.leads(table.member(member_id))
    gone = sa.delete(PICTURES).where(PICTURES.c.table_id == table_id, PICTURES.c.digest == picture)
    with tables.store.writing() as connection:
        removed = connection.execute(gone if leads else gone.where(PICTURES.c.who == member_id))
    if not removed.rowcount:
        raise permissions.Forbidden("this picture is not yours to remove")


# --- who may look at what -----------------------------------------------------------------------------------------------------


def _in_notes(table: Table, member: Member) -> Iterator[str]:
    for note in table.notes.values():
        if views.reads(note, member):
            yield from IN_TEXT.findall(note.text)


def _of_characters(table: Table, member: Member) -> Iterator[str]:
    for character in table.characters.values():
        if character.picture and views.knows(character, member):
            yield character.picture


def _under_grounds(table: Table, member: Member) -> Iterator[str]:
    """Under the grounds of scenes, as long as nothing of them is veiled; and under the maps that whoever leads prepares."""
    leads = permissions.leads(member)
    for stage in table.open_scenes():
        ground, changes = ground_under(stage)
        if ground is not None and ground.picture is not None and (leads or not painted(ground, changes)):
            yield ground.picture.file
    if leads:
        yield from (kept_map.ground.picture.file for kept_map in table.maps.values() if kept_map.ground.picture is not None)


def ground_under(stage: Stage) -> tuple[Ground | None, Changes]:
    """The ground of a scene and what has become of it; none where it is played on none, or cannot be opened by this version."""
    try:
        state = stage.encounter.state
    except Exception:
        return None, UNCHANGED
    ground = getattr(state, "map", None)
    return (ground, state.changes) if isinstance(ground, Ground) else (None, UNCHANGED)


SHOWN: list[Callable[[Table, Member], Iterable[str]]] = [_in_notes, _of_characters, _under_grounds]
"""Where pictures are named: each says which of them a member may look at."""


def seen(table: Table, member: Member) -> set[str]:
    """The digests of the pictures that belong to what a member may see."""
    return {text for shown in SHOWN for text in shown(table, member)}


# --- from table to table ------------------------------------------------------------------------------------------------------


def _listed(connection: Connection, table_id: str) -> Iterator[Kept]:
    columns = (column for column in PICTURES.columns if column.name not in ("table_id", "body"))
    for row in connection.execute(sa.select(*columns).where(PICTURES.c.table_id == table_id)).mappings():
        yield Kept(**row)


def taken(tables: Tables, table_id: str, member_id: str) -> list[Body]:
    """All pictures that a member may take along, with their bodies."""
    kept_by_name = {candidate.digest: candidate for candidate in listed(tables, table_id, member_id)}
    return [Body(kept, picture) for text, kept in sorted(kept_by_name.items()) if (picture := raw(tables, table_id, text)) is not None]


def insert(connection: Connection, table_id: str, picture: Body) -> None:
    """Put a picture into the database."""
    kept = picture.kept
    values = {name: getattr(kept, name) for name in kept.__struct_fields__}
    connection.execute(sa.insert(PICTURES).values(table_id=table_id, body=picture.body, **values))


def refuse_foreign(picture: Body, where: str) -> None:
    """Refuse what comes from a file and was not written as `keep` writes it."""
    kept = picture.kept
    limits.name(kept.name, f"{where}: name")
    if len(kept.who) > 32 or digest(picture.body) != kept.digest or len(picture.body) != kept.size:
        raise UserError(f"{where} is not as it was written: the file was cut off or changed by hand")
    if files.refuse_foreign(picture.body, where) != (kept.width, kept.height):
        raise UserError(f"{where} is not as it was written: it has another size")


def copied(tables: Tables, old: str, new: str, known: dict[str, str]) -> None:
    """The pictures of a table in another, with its people under the names they have there."""
    with tables.store.writing() as connection:
        for row in connection.execute(sa.select(PICTURES).where(PICTURES.c.table_id == old)).mappings().all():
            if row["who"] in known:
                connection.execute(sa.insert(PICTURES).values({**row, "table_id": new, "who": known[row["who"]]}))
