"""Adventures that belong to a browser: imported, copied or written there. Each is stored as one zip file, with a version."""

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from rulewright.errors import UserError
from rulewright.table import links
from rulewright.table.open_tables import NotHere
from rulewright.table.storage.columns import ADVENTURES
from rulewright.table.storage.store import Store, now

MOST_OF_ONE, MOST_OF_PLACE, MOST = 12, 40, 2_000
"""How many adventures one browser, one network address and the server keep."""
MOST_BYTES = 2 << 20
"""The largest packed adventure that is kept."""
DAYS = 400
"""Days without a change after which an adventure is deleted."""
MOST_NAME = 200


class KeptAdventure(Struct, frozen=True):
    """A kept adventure: its id, its version (which counts its changes), its name, when it was changed, and its zip file."""

    id: str
    version: int
    name: str
    at: int
    body: bytes


class ChangedElsewhere(UserError):
    """A change that is based on an older version."""


def add(store: Store, device: str, name: str, body: bytes, address: str = "") -> str:
    """Keep a new adventure for a device; returns its id."""
    _refuse_large(body)
    owner, place, key = links.hashed(device), links.hashed(f"place {address}"), links.table_id()
    with store.writing() as connection:
        connection.execute(sa.delete(ADVENTURES).where(ADVENTURES.c.at < now() - DAYS * 86_400_000_000))
        if _number(connection, ADVENTURES.c.device == owner) >= MOST_OF_ONE:
            raise UserError(f"this browser keeps {MOST_OF_ONE} adventures already; export and delete one first")
        if _number(connection, ADVENTURES.c.place == place) >= MOST_OF_PLACE or _number(connection) >= MOST:
            raise UserError("this server keeps as many adventures as it can; pack yours with the command line and start it from the file")
        values = {"id": key, "device": owner, "place": place, "version": 1, "at": now(), "name": name[:MOST_NAME], "body": body}
        connection.execute(sa.insert(ADVENTURES).values(values))
    return key


def listed(store: Store, device: str | None) -> list[KeptAdventure]:
    """The adventures of a device, the latest changed first, without their content."""
    if not device:
        return []
    columns = (ADVENTURES.c.id, ADVENTURES.c.version, ADVENTURES.c.name, ADVENTURES.c.at)
    query = sa.select(*columns).where(ADVENTURES.c.device == links.hashed(device)).order_by(ADVENTURES.c.at.desc())
    return [KeptAdventure(row.id, row.version, row.name, row.at, b"") for row in store.rows(query)]


def find(store: Store, device: str | None, key: str) -> KeptAdventure:
    """An adventure of a device."""
    owned = (ADVENTURES.c.id == key[:32], ADVENTURES.c.device == links.hashed(device or ""))
    with store.reading() as connection:
        row = connection.execute(sa.select(ADVENTURES).where(*owned)).first()
    if row is None:
        raise NotHere("this browser has no such adventure")
    return KeptAdventure(row.id, row.version, row.name, row.at, bytes(row.body))


def save(store: Store, device: str | None, kept: KeptAdventure, name: str, body: bytes) -> None:
    """Store a change of this version; refused if the adventure was changed meanwhile."""
    _refuse_large(body)
    owned = (ADVENTURES.c.id == kept.id, ADVENTURES.c.device == links.hashed(device or ""), ADVENTURES.c.version == kept.version)
    values = {"version": kept.version + 1, "at": now(), "name": name[:MOST_NAME], "body": body}
    with store.writing() as connection:
        changed = connection.execute(sa.update(ADVENTURES).where(*owned).values(values))
        if not changed.rowcount:
            raise ChangedElsewhere("this adventure was changed in another window; load the page again, then repeat your change")


def remove(store: Store, device: str | None, key: str) -> None:
    """Delete an adventure of a device."""
    with store.writing() as connection:
        connection.execute(sa.delete(ADVENTURES).where(ADVENTURES.c.id == key[:32], ADVENTURES.c.device == links.hashed(device or "")))


def _refuse_large(body: bytes) -> None:
    if len(body) > MOST_BYTES:
        raise UserError(f"the packed adventure has {len(body) >> 10} KiB; at most {MOST_BYTES >> 10} are kept, so use smaller pictures")


def _number(connection: Connection, *where: sa.ColumnElement[bool]) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(ADVENTURES).where(*where)).scalar() or 0)
