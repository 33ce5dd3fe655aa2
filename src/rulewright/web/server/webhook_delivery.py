"""Delivers the events of tables to webhooks: signed, retried, and never into the host's own network unless its keeper allows it.

Deliveries follow the Standard Webhooks specification: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
"""

import asyncio
import base64
import binascii
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from sqlalchemy.exc import SQLAlchemyError

from rulewright.errors import UserError
from rulewright.table import webhooks
from rulewright.table.service import Tables
from rulewright.table.storage.store import now
from rulewright.table.webhooks import NEVER, Webhook
from rulewright.version import __version__

TIMEOUT_SECONDS = 10.0
CLAIM_SECONDS = 60.0
"""How long one server process has a webhook for itself: longer than a delivery takes."""
RETRY_SECONDS = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400)
"""The waits after one failure, two failures, and so on; after the last the webhook is given up."""
MAX_LINES = 100
"""Log entries of one delivery; what is left follows at once."""
LOOK_SECONDS = 2.0
"""How often retries are looked for."""
GONE = 410


class NotDelivered(Exception):
    """A delivery failed; the message says why. `final`: the address wants no more."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class WebhookDelivery:
    """The background task that delivers events. `local` allows addresses in the host's own network."""

    def __init__(self, tables: Tables, local: bool = False) -> None:
        self.tables = tables
        self.local = local
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stop: Callable[[], None] = lambda: None

    async def start(self) -> None:
        """Begin to deliver, first what was not delivered before the server stopped."""
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._stop = self.tables.listen(self._on_change)
        self._task = self._loop.create_task(self._run())

    async def close(self) -> None:
        """Stop delivering; what is left is delivered after the next start."""
        self._stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _on_change(self, table_id: str, _: int) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake.set)

    async def _run(self) -> None:
        limiter = CapacityLimiter(4)
        while True:
            self._wake.clear()
            try:
                for table_id in await run_sync(webhooks.waiting, self.tables):
                    await run_sync(self.deliver, table_id, limiter=limiter)
            except (SQLAlchemyError, UserError, OSError):
                pass  # the next round tries again
            try:
                await asyncio.wait_for(self._wake.wait(), LOOK_SECONDS)
            except TimeoutError:
                continue

    def deliver(self, table_id: str) -> None:
        """Deliver everything that the webhooks of a table do not know yet, to those that are due."""
        for hook in webhooks.claim(self.tables, table_id, CLAIM_SECONDS):
            mark, due, failures, note = hook.mark, now(), hook.failures, hook.note
            try:
                reached, lines = self.tables.since(table_id, hook.member, hook.mark)
            except UserError:
                webhooks.forget(self.tables, hook)  # its spectator was removed
                continue
            while lines:
                part, lines = lines[:MAX_LINES], lines[MAX_LINES:]
                mark_after = part[-1].mark if lines else reached
                body = msgspec.json.encode({"type": "table.changed", "table": table_id, "mark": mark_after, "lines": part})
                try:
                    send(hook, body, mark_after, local=self.local)
                    mark, failures, note = mark_after, 0, ""
                except NotDelivered as failure:
                    failures, note = failures + 1, str(failure)
                    wait = RETRY_SECONDS[failures - 1] if failures <= len(RETRY_SECONDS) and not failure.final else None
                    due = NEVER if wait is None else now() + wait * 1_000_000
                    break
            webhooks.settle(self.tables, hook, mark, failures, due, note)


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The signature of a delivery: HMAC-SHA256 over its id, time and body."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = secret.encode()
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def send(hook: Webhook, body: bytes, message_id: str, *, local: bool = False) -> None:
    """Post one delivery. Redirects are not followed; the address that was checked is the one that is connected to."""
    parts = urlsplit(hook.url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    timestamp = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Rulewright/{__version__}",
        "webhook-id": f"{hook.id}-{message_id}",
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(hook.secret, f"{hook.id}-{message_id}", timestamp, body),
    }
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)
    try:
        connection.sock = _connect(resolve(host, port, local=local), host, parts.scheme == "https")
        connection.request("POST", path, body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotDelivered(f"{host} cannot be reached: {error or type(error).__name__}") from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotDelivered(f"{host} answered {status}", final=status == GONE)


def resolve(host: str, port: int, *, local: bool = False) -> tuple[str, int]:
    """The internet address of a host. Addresses of private networks, of this computer and the like are refused."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotDelivered(f"{host} has no address") from None
    addresses = [str(info[4][0]).partition("%")[0] for info in infos]
    if not local and not all(_is_public(address) for address in addresses):
        raise NotDelivered(f"{host} is in a private network, where this server sends nothing")
    return addresses[0], port


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text)
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    return address.is_global and not address.is_multicast and (inner is None or inner.is_global)


def _connect(address: tuple[str, int], host: str, secure: bool) -> socket.socket:
    plain = socket.create_connection(address, TIMEOUT_SECONDS)
    if not secure:
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except OSError:
        plain.close()
        raise
