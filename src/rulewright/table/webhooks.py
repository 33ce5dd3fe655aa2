"""Webhooks: addresses that are told of a table's events. A webhook is a spectator, so it learns what everybody may see."""

import base64
import secrets
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.table import links
from rulewright.table.commands.messages import RemoveMember
from rulewright.table.open_tables import NotHere
from rulewright.table.permissions import Forbidden, is_gamemaster
from rulewright.table.service import Tables
from rulewright.table.storage.columns import WEBHOOKS
from rulewright.table.storage.store import now

MOST = 5
"""Webhooks of one table."""
NEVER = 2**62
"""When a webhook that was given up is due."""


class Webhook(Struct, frozen=True):
    """A webhook as it is stored: its secret signs the deliveries, `mark` is how far it knows the log, `due` is when it may be tried."""

    id: str
    table: str
    member: str
    url: str
    secret: str
    mark: str
    failures: int
    due: int
    note: str


class WebhookShown(Struct, frozen=True):
    """A webhook as the gamemaster sees it. `stopped`: it failed for too long, and is not tried any more."""

    id: str
    url: str
    member: str
    failures: int
    stopped: bool
    note: str


class WebhookMade(Struct, frozen=True):
    """A new webhook with the secret that signs its deliveries, which is shown only once."""

    id: str
    secret: str


def add(tables: Tables, table_id: str, member_id: str, url: str) -> WebhookMade:
    """Add a webhook: a spectator joins in its name, and every later event is sent to the address."""
    host = _host(url)
    _check_gamemaster(tables, table_id, member_id)
    earlier = _of(tables, table_id)
    if len(earlier) >= MOST:
        raise UserError(f"a table has at most {MOST} webhooks; remove one first")
    webhook_id, secret = secrets.token_hex(8), "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()
    name = f"Webhook {host}"[:50] + (f" {len(earlier) + 1}" if earlier else "")
    seat = tables.join_as_program(table_id, name, f"webhook {webhook_id} {links.token()}")
    mark, _ = tables.since(table_id, seat.member, "")
    row = {"id": webhook_id, "table_id": table_id, "member": seat.member, "url": url, "secret": secret, "mark": mark, "due": 0}
    with tables.store.writing() as connection:
        connection.execute(sa.insert(WEBHOOKS).values(**row))
    return WebhookMade(webhook_id, secret)


def shown(tables: Tables, table_id: str, member_id: str) -> list[WebhookShown]:
    """All webhooks of a table, for its gamemaster."""
    _check_gamemaster(tables, table_id, member_id)
    return [WebhookShown(hook.id, hook.url, hook.member, hook.failures, hook.due == NEVER, hook.note) for hook in _of(tables, table_id)]


def remove(tables: Tables, table_id: str, member_id: str, webhook_id: str) -> None:
    """Remove a webhook and its spectator."""
    _check_gamemaster(tables, table_id, member_id)
    hook = next((hook for hook in _of(tables, table_id) if hook.id == webhook_id), None)
    if hook is None:
        raise NotHere("this table has no such webhook")
    forget(tables, hook)
    with tables.looking(table_id) as table:
        here = table.members[hook.member].here
    if here:
        tables.act(table_id, member_id, RemoveMember(hook.member))


def forget(tables: Tables, hook: Webhook) -> None:
    """Delete a webhook, such as one whose spectator was removed."""
    with tables.store.writing() as connection:
        connection.execute(sa.delete(WEBHOOKS).where(WEBHOOKS.c.id == hook.id))


def waiting(tables: Tables) -> set[str]:
    """The tables that have webhooks."""
    return {row.table_id for row in tables.store.rows(sa.select(WEBHOOKS.c.table_id).distinct())}


def claim(tables: Tables, table_id: str, seconds: float) -> list[Webhook]:
    """The webhooks of a table that are due. No other server process gets them for some seconds."""
    claimed, at = [], now()
    for hook in _of(tables, table_id):
        if hook.due > at:
            continue
        until = at + int(seconds * 1_000_000)
        mine = sa.update(WEBHOOKS).where(WEBHOOKS.c.id == hook.id, WEBHOOKS.c.due == hook.due).values(due=until)
        with tables.store.writing() as connection:
            if connection.execute(mine).rowcount:
                claimed.append(hook)
    return claimed


def settle(tables: Tables, hook: Webhook, mark: str, failures: int, due: int, note: str) -> None:
    """Store how a delivery went: how far the webhook knows the log, and when it is due again."""
    values = {"mark": mark, "failures": failures, "due": due, "note": note[:200]}
    with tables.store.writing() as connection:
        connection.execute(sa.update(WEBHOOKS).where(WEBHOOKS.c.id == hook.id).values(**values))


def _of(tables: Tables, table_id: str) -> list[Webhook]:
    query = sa.select(WEBHOOKS).where(WEBHOOKS.c.table_id == table_id).order_by(WEBHOOKS.c.id)
    return [Webhook(*_values(row)) for row in tables.store.rows(query)]


def _values(row: Any) -> tuple[Any, ...]:
    return (row.id, row.table_id, row.member, row.url, row.secret, row.mark, row.failures, row.due, row.note)


def _check_gamemaster(tables: Tables, table_id: str, member_id: str) -> None:
    with tables.looking(table_id) as table:
        if not is_gamemaster(table.member(member_id)):
            raise Forbidden("only the gamemaster may see and change webhooks")


def _host(url: str) -> str:
    """The host of an address; raises an error if a webhook cannot have it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or len(url) > 2_000:
        raise UserError(f"{url[:80]!r} is not the address of a webhook; write it as in https://example.org/rulewright")
    if parts.username or parts.password:
        raise UserError("the address of a webhook holds no user name and no password; deliveries are signed instead")
    return parts.hostname
