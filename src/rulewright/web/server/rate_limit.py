"""Admission control: players at tables go first, expensive requests run in a worker pool, and excess requests are refused.

The limiter is an ASGI application around the web application. It knows three kinds of requests. Expensive ones (exact odds, rule calls,
PDF, imports, chances) run in the worker pool, a few at a time and a few for each address. Requests of known devices are let in at once.
All others are let in a few at a time, between the requests of players; if too many wait, they are refused with Retry-After.
"""

import re
import time
from asyncio import Event, Semaphore, Task, create_task, to_thread, wait_for
from collections import Counter, OrderedDict
from contextlib import asynccontextmanager, suppress
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

from rulewright.errors import UserError
from rulewright.table.storage import export
from rulewright.web.server.asgi import App, Receive, Scope, Send
from rulewright.web.server.security import DEVICE, HOST_DEVICE, MAX_BYTES, is_within_rate
from rulewright.web.server.worker_pool import InProcessPool, PoolRequest, WorkerPool, WorkerTimeout
from rulewright.web.table.ai_players import token

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from litestar import Litestar

    from rulewright.web.server.monitoring import Metrics

COSTLY = re.compile(
    r"/odds"
    r"|/api/systems/[^/]+/(?:odds|sheet|audit)"
    r"|(?:/api/systems/[^/]+/rules|/rules/[^/]+)/[^/]+/call"
    r"|/games/[^/]+/[^/]+/[^/]+/paper|/tables/[^/]+/characters/[^/]+/paper"
    r"|/import/read|/api/import"
    r"|/tables/[^/]+/(?:chances|hints|think)|/api/tables/[^/]+/scenes/[^/]+/(?:chances|hints)"
)
"""Paths of expensive requests."""
AT_TABLE = re.compile(r"(?:/api)?/tables/[0-9a-f]{16}(?:/|$)")
WAKES = re.compile(r"(?:/api)?/tables/([0-9a-f]{16})(?:/act|/actions)?")
"""After such a request an AI player may have to answer: a player acted, or opened the table after a pause."""
STREAM = re.compile(r"/tables/[^/]+/live|/api/tables/[^/]+/stream")
FREE = ("/static/", "/health", "/metrics")

MAX_COSTLY_OF_ONE = 4
"""Maximum number of expensive requests of one address (or one device at a table), running or waiting."""
MAX_COSTLY_WAITING = 12
"""Maximum number of waiting expensive requests."""
COSTLY_SECONDS = 20.0
"""Time limit for an expensive request."""
UNKNOWN_AT_ONCE, MAX_UNKNOWN_WAITING = 2, 60
"""Requests of unknown devices: how many run at once, and how many may wait."""
UNKNOWN_SECONDS, YIELD_SECONDS = 8.0, 1.0
"""How long requests of unknown devices wait at most, and how much of that for a pause in the requests of players."""
MAX_REQUESTS = 240
"""Maximum number of requests in progress."""
REFUSAL_SECONDS = 10.0
"""Seconds after a refusal in which no new device becomes known."""
MAX_KNOWN_DEVICES = 20_000
MAX_AI_RUNS = 2_000
"""How often the AI players of a table are run in a row before somebody has to act or open the table again."""
IMPORTS_AT_ONCE = 2
IMPORTS, MAX_IMPORT_BYTES = ("/import/read", "/api/import"), export.MOST_BYTES + 100_000


class TooBusy(Exception):
    """The server is too busy: how many seconds to wait, and why."""

    def __init__(self, seconds: float, why: str) -> None:
        super().__init__(why)
        self.seconds, self.why = seconds, why


class RateLimiter:
    """An ASGI application that limits the load on another."""

    def __init__(self, app: "Litestar", pool: WorkerPool | None = None, metrics: "Metrics | None" = None) -> None:
        self.app: App = app
        self.state = app.state
        self.pool = pool or InProcessPool(app)
        self._metrics = metrics
        self.inside = 0
        self.refused = 0
        self._refused_until = 0.0
        self._known_devices: OrderedDict[str, None] = OrderedDict()
        self._unknown_slots = Semaphore(UNKNOWN_AT_ONCE)
        self._players_served = 0
        self._no_player_served = Event()
        """Set while no request of a known device is in progress."""
        self._no_player_served.set()
        self._unknown_waiting = 0
        self._costly: Counter[str] = Counter()
        self._imports = 0
        self._ai_runs: dict[str, Task[None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, run it in the worker pool, or refuse it."""
        if scope["type"] != "http" or scope["path"].startswith(FREE):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if self._metrics is not None:
            send = self._metrics.track(scope, request_kind(scope), send)
        try:
            if COSTLY.fullmatch(path):
                await self._run_in_pool(scope, receive, send)
            elif STREAM.fullmatch(path):
                await self.app(scope, receive, send)
            else:
                async with self._admit(_device(scope)):
                    await self.app(scope, receive, send)
                self._start_ai_players(path)
        except TooBusy as busy:
            self.refused += 1
            self._refused_until = time.monotonic() + REFUSAL_SECONDS
            await _refuse(scope, send, busy)

    @property
    def costly(self) -> int:
        """Expensive requests that are running or waiting."""
        return self._costly.total()

    # ordinary requests

    @asynccontextmanager
    async def _admit(self, device: str) -> "AsyncIterator[None]":
        """Let known devices in at once, others a few at a time."""
        if device and device in self._known_devices:
            if self.inside >= MAX_REQUESTS:
                raise TooBusy(1, "too many people are playing on this server")
            self._known_devices.move_to_end(device)
            async with self._count_request(), self._hold_back_unknown():
                yield
            return
        if self._unknown_waiting >= MAX_UNKNOWN_WAITING:
            raise TooBusy(3, "the server has more visitors than it can serve")
        self._unknown_waiting += 1
        try:
            await wait_for(self._wait_for_slot(), UNKNOWN_SECONDS)
        except TimeoutError:
            raise TooBusy(3, "the server has more visitors than it can serve") from None
        finally:
            self._unknown_waiting -= 1
        try:
            async with self._count_request():
                yield
        finally:
            self._unknown_slots.release()
        if device and time.monotonic() > self._refused_until:
            self._known_devices[device] = None
            while len(self._known_devices) > MAX_KNOWN_DEVICES:
                self._known_devices.popitem(last=False)

    async def _wait_for_slot(self) -> None:
        """Wait for a free slot, and for a short while for a pause in the requests of players."""
        await self._unknown_slots.acquire()
        try:
            with suppress(TimeoutError):
                await wait_for(self._no_player_served.wait(), YIELD_SECONDS)
        except BaseException:
            self._unknown_slots.release()
            raise

    @asynccontextmanager
    async def _hold_back_unknown(self) -> "AsyncIterator[None]":
        """Hold back unknown devices while a known one is served."""
        self._players_served += 1
        self._no_player_served.clear()
        try:
            yield
        finally:
            self._players_served -= 1
            if not self._players_served:
                self._no_player_served.set()

    @asynccontextmanager
    async def _count_request(self) -> "AsyncIterator[None]":
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    # costly requests

    async def _run_in_pool(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole request, run it in the worker pool, and send the response."""
        client = scope.get("client")
        who = (_device(scope) if AT_TABLE.match(scope["path"]) else "") or (client[0] if client else "")
        self._check_rate(scope, client[0] if client else "")
        if self._costly[who] >= MAX_COSTLY_OF_ONE:
            raise TooBusy(5, "several of your calculations are still running")
        if scope["path"] in IMPORTS and self._imports >= IMPORTS_AT_ONCE:
            raise TooBusy(30, "other tables are being imported")
        if self._costly.total() >= self.pool.workers + MAX_COSTLY_WAITING:
            raise TooBusy(10, "too many calculations are running for others")
        self._costly[who] += 1
        imports = scope["path"] in IMPORTS
        self._imports += imports
        try:
            body = await _read_body(receive, MAX_IMPORT_BYTES if scope["path"] in IMPORTS else MAX_BYTES)
            answer = await self.pool.carry_out(PoolRequest.of(scope, body), COSTLY_SECONDS)
        except WorkerTimeout:
            raise TooBusy(30, "this calculation takes too long, or others came first") from None
        finally:
            self._imports -= imports
            self._costly[who] -= 1
            if self._costly[who] <= 0:
                del self._costly[who]
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body, "more_body": False})

    # AI players

    def _start_ai_players(self, path: str) -> None:
        """Run the AI players of a table in the background, if one of them has to answer."""
        match = WAKES.fullmatch(path)
        if match is not None and match[1] not in self._ai_runs:
            self._ai_runs[match[1]] = create_task(self._run_ai_players(match[1]))

    async def _run_ai_players(self, table: str) -> None:
        """Run the AI players of a table in the worker pool until none of them has to answer."""
        tables = self.state.tables
        try:
            for _ in range(MAX_AI_RUNS):
                if not await to_thread(_ai_player_waits, tables, table):
                    break
                path = f"/tables/{table}/think"
                scope: dict[str, Any] = {"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path}
                query = f"token={token(tables, table)}".encode()
                scope |= {"raw_path": path.encode(), "query_string": query, "root_path": "", "client": None, "server": None}
                await self.pool.carry_out(PoolRequest(scope, [], b""), COSTLY_SECONDS)
                self.state.live.update(table)  # a worker process cannot notify the pages: SQLite has no notifications
        except WorkerTimeout:
            pass  # the next request to act or to open the table starts it again
        finally:
            del self._ai_runs[table]

    def _check_rate(self, scope: Scope, client: str) -> None:
        """Apply the rate limits to a request that runs in the worker pool, where they are switched off."""
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return
        device = self.state.tables.signer.read(_device(scope))
        if not is_within_rate(self.state.rates, scope["path"], device, client):
            raise TooBusy(30, "you are sending too many requests")


def _ai_player_waits(tables: Any, table: str) -> bool:
    """Whether a question is waiting for an AI player."""
    try:
        return tables.waiting(table) is not None
    except UserError:
        return False


def request_kind(scope: Scope) -> str:
    """The kind of a request, as a label for metrics."""
    path = scope["path"]
    if COSTLY.fullmatch(path):
        return "costly"
    if STREAM.fullmatch(path):
        return "stream"
    return "act" if path.endswith("/act") else "table" if AT_TABLE.match(path) else "page"


async def _read_body(receive: Receive, most: int) -> bytes:
    """Read a body; of one that is too large, one byte more than allowed, so that the application refuses it."""
    parts, size = list[bytes](), 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        part = message.get("body", b"")
        size += len(part)
        parts.append(part)
        if not message.get("more_body") or size > most:
            break
    return b"".join(parts)[: most + 1]


def _device(scope: Scope) -> str:
    """The device named by the cookie; its signature is not checked."""
    for name, value in scope["headers"]:
        if name == b"cookie" and b"device=" in value and len(value) < 8_192:
            try:
                cookies: Any = SimpleCookie(value.decode("latin-1"))
            except CookieError:
                return ""
            cookie = cookies.get(HOST_DEVICE) or cookies.get(DEVICE)
            return "" if cookie is None else str(cookie.value)
    return ""


async def _refuse(scope: Scope, send: Send, busy: TooBusy) -> None:
    """Send status 503 with a sentence and Retry-After: as JSON for the API, as a plain page for people."""
    again = f"{busy.seconds:g} second{'' if busy.seconds == 1 else 's'}"
    sentence = f"{busy.why[:1].upper()}{busy.why[1:]}. Try again in {again}"
    headers = [(b"retry-after", str(int(busy.seconds)).encode()), (b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    if scope["path"].startswith("/api/"):
        body, sort = f'{{"error":"{sentence}"}}'.encode(), b"application/json"
    else:
        page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Try again later</title><p>{sentence}.</p></html>'
        body, sort = page.encode(), b"text/html; charset=utf-8"
        headers.append((b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"))
    headers += [(b"content-type", sort), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
