"""Server administration: list, close, import, export and delete tables."""

import secrets
from contextlib import suppress

import sqlalchemy as sa
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.table.log import entries as e
from rulewright.table.open_tables import NotHere
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.storage import export
from rulewright.table.storage.columns import SEATS


class Kept(Struct, frozen=True):
    """A table in the list: members, lines, bytes, and times of creation and last use (UTC, microseconds since 1970).

    `trouble` says why it cannot be opened.
    """

    id: str
    system: str
    name: str
    people: int
    lines: int
    bytes: int
    made: int
    used: int
    closed: bool = False
    demo: bool = False
    trouble: str = ""


def listed(tables: Tables) -> list[Kept]:
    """All tables of a database, oldest first."""
    entries = []
    for table_id, system, made, lines, size, used in tables.store.sizes():
        name, people, closed, demo, trouble = "", 0, False, False, ""
        try:
            with tables.looking(table_id) as table:
                name, closed, demo = table.name, table.closed, bool(table.demo)
                people = sum(member.here for member in table.members.values())
        except UserError as error:
            trouble = str(error)
        entries.append(Kept(table_id, system, name, people, lines, size, made, used, closed, demo, trouble))
    return entries


def close(tables: Tables, table_id: str, closed: bool) -> None:
    """Closes a table, so that nobody can act there, or reopens it."""
    with tables.looking(table_id) as table:
        if table.closed == closed:
            return
    tables.write(table_id, e.NOBODY, [e.Closed(closed)])


def taken(tables: Tables, table_id: str) -> bytes:
    """A table as one file, as its gamemaster exports it."""
    with tables.looking(table_id) as table:
        gamemaster = table.gamemaster
    return export.export(tables, table_id, gamemaster)


def bring_in(tables: Tables, content: bytes, progress: export.Progress) -> Hosting:
    """Imports an exported table. Nobody sits there yet: its gamemaster comes in with the gamemaster's link."""
    made = export.bring_in(tables, content, secrets.token_hex(32), progress)
    with tables.store.writing(made.table) as connection:
        connection.execute(sa.delete(SEATS).where(SEATS.c.table_id == made.table))
    return made


def delete(tables: Tables, table_id: str) -> None:
    """Deletes a table."""
    if table_id not in set(tables.store.tables()):
        raise NotHere(f"there is no table {table_id[:40]}")
    tables.store.delete(table_id)
    with suppress(NotHere):
        tables.forget(table_id)
