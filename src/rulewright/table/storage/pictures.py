"""Pictures of a table, stored in the database by their digest, and who may see them.

`keep` stores a file and returns its digest, which is then used in a note as `![words](picture:DIGEST)`, under a map, or on a character.
Members see their own pictures, and those of notes, characters and maps that they may see (`table.picture_rights`). Pictures are not part
of the log; exports and backups contain them.
"""

from collections.abc import Iterator

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from rulewright.errors import UserError
from rulewright.files import images as files
from rulewright.table import limits, permissions
from rulewright.table.log.lines import digest
from rulewright.table.open_tables import NotHere
from rulewright.table.picture_rights import seen
from rulewright.table.service import Tables
from rulewright.table.state import Member, Table
from rulewright.table.storage.columns import PICTURES, TABLES
from rulewright.table.storage.store import now


class Kept(Struct, frozen=True):
    """A picture in a list: digest, uploader, time (UTC, microseconds since 1970), name, and size in pixels and bytes."""

    digest: str
    who: str
    at: int
    name: str
    width: int
    height: int
    size: int


class Body(Struct, frozen=True):
    """A picture with its bytes, for copying between tables."""

    kept: Kept
    body: bytes


def keep(tables: Tables, table_id: str, member_id: str, data: bytes, name: str = "", purpose: str = "handout") -> str:
    """Stores a picture that a member sends, re-encoded; returns its digest. The same picture sent twice is stored once."""
    side = limits.PICTURE_SIDES.get(purpose)
    if side is None:
        raise UserError(f"unknown purpose {purpose[:40]!r} of a picture; use one of {', '.join(limits.PICTURE_SIDES)}")
    title = limits.name(name, "name of the picture") if name.strip() else "picture"
    with tables.looking(table_id) as table:
        _refuse_unless_open(table, table.member(member_id), purpose)
        gamemaster = table.gamemaster
    tables.refuse_without_space()
    written = files.written_anew(data, side, title)
    row = Kept(digest(written.body), member_id, now(), title, written.width, written.height, len(written.body))
    with tables.store.writing(table_id) as connection:
        connection.execute(sa.select(TABLES.c.id).where(TABLES.c.id == table_id).with_for_update())
        known = list(_listed(connection, table_id))
        if not any((kept.digest, kept.who) == (row.digest, row.who) for kept in known):
            _refuse_too_much(known, row, gamemaster)
            insert(connection, table_id, Body(row, written.body))
    return row.digest


def _refuse_unless_open(table: Table, member: Member, purpose: str) -> None:
    if table.closed or table.went_on:
        raise UserError("this table is closed; it can only be viewed and exported")
    if member.role == "spectator" or (purpose == "map" and not permissions.is_gamemaster(member)):
        raise permissions.Forbidden("only the gamemaster may do this" if purpose == "map" else "only players may do this")


def _refuse_too_much(known: list[Kept], more: Kept, gamemaster: str) -> None:
    advice = "remove one that is no longer used"
    if len(known) >= limits.PICTURES or sum(kept.size for kept in known) + more.size > limits.PICTURE_BYTES:
        raise UserError(f"a table holds at most {limits.PICTURES} pictures and {limits.PICTURE_BYTES // 1_000_000} MB of them; {advice}")
    if more.who == gamemaster:
        return
    others = [kept for kept in known if kept.who != gamemaster]
    if sum(other.who == more.who for other in others) >= limits.OF_ONE["pictures"]:
        raise UserError(f"one person has at most {limits.OF_ONE['pictures']} pictures; {advice}")
    if len(others) >= limits.PICTURES_OF_OTHERS or sum(other.size for other in others) + more.size > limits.PICTURE_BYTES_OF_OTHERS:
        raise UserError("this table has no room for more pictures of its players; the gamemaster can remove some")


def body(tables: Tables, table_id: str, member_id: str, picture: str) -> bytes:
    """A picture that a member may see; raises an error otherwise."""
    with tables.looking(table_id) as table:
        member = table.member(member_id)
        allowed = picture in seen(table, member)
    query = sa.select(PICTURES.c.body).where(PICTURES.c.table_id == table_id, PICTURES.c.digest == picture)
    content = tables.store.value(query if allowed else query.where(PICTURES.c.who == member_id))
    if content is None:
        raise NotHere("there is no such picture, or you may not see it")
    return bytes(content)


def raw(tables: Tables, table_id: str, picture: str) -> bytes | None:
    """A stored picture, for internal use; None if it is gone."""
    query = sa.select(PICTURES.c.body).where(PICTURES.c.table_id == table_id, PICTURES.c.digest == picture)
    content = tables.store.value(query)
    return None if content is None else bytes(content)


def listed(tables: Tables, table_id: str, member_id: str) -> list[Kept]:
    """The pictures that a member may see, latest first."""
    with tables.looking(table_id) as table:
        known = seen(table, table.member(member_id))
    with tables.store.reading() as connection:
        visible = [candidate for candidate in _listed(connection, table_id) if candidate.who == member_id or candidate.digest in known]
    return sorted(visible, key=lambda kept: -kept.at)


def there(tables: Tables, table_id: str, member_id: str, picture: str) -> Kept:
    """The entry of a picture that a member may see; raises an error otherwise."""
    for kept in listed(tables, table_id, member_id):
        if kept.digest == picture:
            return kept
    raise NotHere("there is no such picture, or you may not see it")


def remove(tables: Tables, table_id: str, member_id: str, picture: str) -> None:
    """Removes a picture: one's own, or as the gamemaster any visible one. References to it show nothing afterwards."""
    there(tables, table_id, member_id, picture)
    with tables.looking(table_id) as table:
        is_gamemaster = permissions.is_gamemaster(table.member(member_id))
    deletion = sa.delete(PICTURES).where(PICTURES.c.table_id == table_id, PICTURES.c.digest == picture)
    with tables.store.writing(table_id) as connection:
        removed = connection.execute(deletion if is_gamemaster else deletion.where(PICTURES.c.who == member_id))
    if not removed.rowcount:
        raise permissions.Forbidden("this picture is not yours; only its owner and the gamemaster may remove it")


# --- from table to table ------------------------------------------------------------------------------------------------------


def _listed(connection: Connection, table_id: str) -> Iterator[Kept]:
    columns = (column for column in PICTURES.columns if column.name not in ("table_id", "body"))
    for row in connection.execute(sa.select(*columns).where(PICTURES.c.table_id == table_id)).mappings():
        yield Kept(**row)


def taken(tables: Tables, table_id: str, member_id: str) -> list[Body]:
    """All pictures that a member may take along, with their bytes."""
    kept_by_digest = {candidate.digest: candidate for candidate in listed(tables, table_id, member_id)}
    return [Body(kept, picture) for key, kept in sorted(kept_by_digest.items()) if (picture := raw(tables, table_id, key)) is not None]


def insert(connection: Connection, table_id: str, picture: Body) -> None:
    """Inserts a picture into the database."""
    kept = picture.kept
    values = {name: getattr(kept, name) for name in kept.__struct_fields__}
    connection.execute(sa.insert(PICTURES).values(table_id=table_id, body=picture.body, **values))


def refuse_foreign(picture: Body, where: str) -> None:
    """Raises an error unless a picture from a file has the format that `keep` writes."""
    kept = picture.kept
    limits.name(kept.name, f"{where}: name")
    if len(kept.who) > 32 or digest(picture.body) != kept.digest or len(picture.body) != kept.size:
        raise UserError(f"{where} is damaged: the file was cut off or changed by hand")
    if files.refuse_foreign(picture.body, where) != (kept.width, kept.height):
        raise UserError(f"{where} is damaged: its size differs from the recorded one")


def copied(tables: Tables, old: str, new: str, known: dict[str, str]) -> None:
    """Copies the pictures of a table to another, with the new ids of its members."""
    with tables.store.writing(new) as connection:
        for row in connection.execute(sa.select(PICTURES).where(PICTURES.c.table_id == old)).mappings().all():
            if row["who"] in known:
                connection.execute(sa.insert(PICTURES).values({**row, "table_id": new, "who": known[row["who"]]}))
