"""Admission control: players at tables go first, expensive requests run in a worker pool, and excess requests are refused.

The limiter is an ASGI application around the web application. First it finds out who asks (`known_devices`) and reads the body
(`request_bodies`); only then does a request take a slot. It knows three kinds of requests. Expensive ones (exact odds, rule calls, PDF,
imports, chances) run in the worker pool, a few at a time and a few for each address and table. Requests of devices with a seat are let
in at once. All others are let in a few at a time, between the requests of players; if too many wait, they are refused with Retry-After.
"""

import re
import time
from asyncio import Event, Semaphore, Task, create_task, to_thread, wait_for
from collections import Counter
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from rulewright.errors import UserError
from rulewright.table.storage.store import outage
from rulewright.web.server.asgi import App, Receive, Scope, Send
from rulewright.web.server.known_devices import KnownDevices, cookie_of
from rulewright.web.server.request_bodies import (
    IMPORTS,
    PICTURES,
    Body,
    BodyReader,
    TooManyBodies,
    TooSlow,
    has_body,
    is_declared_too_large,
)
from rulewright.web.server.security import is_within_rate
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
    r"|/import/read|/api/import|/adventures/import|/adventures/mine/[^/]+/check"
    r"|/tables/[^/]+/(?:chances|hints|think|scenes/[^/]+/review)|/api/tables/[^/]+/scenes/[^/]+/(?:chances|hints)"
)
"""Paths of expensive requests."""
AT_TABLE = re.compile(r"(?:/api)?/tables/([0-9a-f]{16})(?:/.*)?")
WAKES = re.compile(r"(?:/api)?/tables/([0-9a-f]{16})(?:/act|/actions)?")
"""After such a request an AI player may have to answer: a player acted, or opened the table after a pause."""
STREAM = re.compile(r"/tables/[^/]+/live|/api/tables/[^/]+/stream")
FREE = ("/static/", "/health", "/metrics")

MAX_COSTLY_OF_ONE = 4
"""Maximum number of expensive requests of one address (or one device at a table), running or waiting."""
MAX_COSTLY_OF_TABLE, MAX_COSTLY_OF_ADDRESS = 6, 8
"""Maximum number of expensive requests of one table, and of one address."""
QUOTA_REFUSALS = (
    "several of your calculations are still running",
    "several calculations of your network are still running",
    "several calculations of this table are still running",
)
"""What is said if the share of a device, an address or a table is used up."""
MEAN_OF, MAX_RETRY_SECONDS = 8, 60
"""How many requests the mean of their time is over, and the longest time to retry."""
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
MAX_AI_RUNS = 2_000
"""How often the AI players of a table are run in a row before somebody has to act or open the table again."""
VEILED_PICTURE = re.compile(r"/tables/[^/]+/scenes/[^/]+/picture/[^/]+")
PICTURES_AT_ONCE, MAX_PICTURES_WAITING, PICTURE_SECONDS = 2, 60, 30.0
"""Requests that decode a picture: how many run at once, how many may wait, and how long."""
IMPORTS_AT_ONCE, IMPORT_CPU_SECONDS = 2, 90.0
"""How many imports run or wait, and the processor time of one: the largest table takes about half of it."""
DATABASE_SECONDS = 30
"""Retry-After of a database that cannot be reached."""


class TooBusy(Exception):
    """The server is too busy: how many seconds to wait, and why."""

    def __init__(self, seconds: float, why: str) -> None:
        super().__init__(why)
        self.seconds, self.why = seconds, why


class RateLimiter:
    """An ASGI application that limits the load on another."""

    def __init__(
        self, app: "Litestar", pool: WorkerPool | None = None, metrics: "Metrics | None" = None, background: WorkerPool | None = None
    ) -> None:
        self.app: App = app
        self.state = app.state
        self.pool = pool or InProcessPool(app)
        self.background = background or self.pool
        """Where AI players think and tables are imported: in a process of its own, so that nobody's odds wait for them."""
        self._metrics = metrics
        self.inside = 0
        self.refused = 0
        self.devices = KnownDevices(app.state.tables)
        self._bodies = BodyReader()
        self._unknown_slots = Semaphore(UNKNOWN_AT_ONCE)
        self._picture_slots = Semaphore(PICTURES_AT_ONCE)
        self._pictures_waiting = 0
        self._players_served = 0
        self._no_player_served = Event()
        """Set while no request of a known device is in progress."""
        self._no_player_served.set()
        self._unknown_waiting = 0
        self._costly: Counter[str] = Counter()
        self._running = self._imports = 0
        self._seconds = 3.0
        """How long an expensive request takes, with its wait: a moving mean."""
        self._background = Semaphore(background.workers if background is not None else 1)
        self._ai_runs: dict[str, Task[None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, run it in the worker pool, or refuse it."""
        if scope["type"] != "http" or scope["path"].startswith(FREE):
            await self.app(scope, receive, send)
            return
        if self._metrics is not None:
            send = self._metrics.track(scope, request_kind(scope), send)
        try:
            await self._serve(scope, receive, send)
        except (TooBusy, TooManyBodies) as full:
            self.refused += 1
            busy = full if isinstance(full, TooBusy) else TooBusy(5, str(full))
            await _refuse(scope, send, 503, f"{busy.why}. Try again in {_seconds(busy.seconds)}", busy.seconds)
        except SQLAlchemyError as error:
            await _refuse(scope, send, 503, outage(error) or "the database does not answer", DATABASE_SECONDS)
        except TooSlow:
            await _refuse(scope, send, 408, "the request did not arrive in time")

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find out who asks, read the body, and pass the request on."""
        path = scope["path"]
        table = match[1] if (match := AT_TABLE.fullmatch(path)) is not None else ""
        member = await self.devices.seated(scope, table) if table else ""
        if not member and PICTURES.fullmatch(path) and scope["method"] not in ("GET", "HEAD"):
            await _refuse(scope, send, 404, "you have no seat at this table: ask its gamemaster for an invite link")
            return
        if STREAM.fullmatch(path):
            await self.app(scope, receive, send)
            return
        costly = COSTLY.fullmatch(path) is not None
        if costly:
            self._check_rate(scope)
        body = await self._read_body(scope, receive, member)
        try:
            if costly:
                await self._run_in_pool(scope, body, send, member, table)
                return
            async with self._take_picture_slot(scope), self._admit(member or await self.devices.seated(scope)):
                await self.app(scope, _receive_body(body, receive), send)
        finally:
            if body is not None:
                body.close()
        self._start_ai_players(path)

    async def _read_body(self, scope: Scope, receive: Receive, member: str) -> Body | None:
        """The body of a request; None if it has none, or one that the application refuses unread."""
        if not has_body(scope) or is_declared_too_large(scope, bool(member)):
            return None
        return await self._bodies.read(scope, receive, bool(member), member or _address(scope))

    @property
    def costly(self) -> int:
        """Expensive requests that are running or waiting."""
        return self._running

    # ordinary requests

    @asynccontextmanager
    async def _admit(self, device: str) -> "AsyncIterator[None]":
        """Let devices with a seat in at once, others a few at a time."""
        if device:
            if self.inside >= MAX_REQUESTS:
                raise TooBusy(1, "too many people are playing on this server")
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

    @asynccontextmanager
    async def _take_picture_slot(self, scope: Scope) -> "AsyncIterator[None]":
        """Let few requests decode pictures at once, because they wait for each other in threads that everybody needs."""
        if not VEILED_PICTURE.fullmatch(scope["path"]) and (scope["method"] == "GET" or not PICTURES.fullmatch(scope["path"])):
            yield
            return
        if self._pictures_waiting >= MAX_PICTURES_WAITING:
            raise TooBusy(10, "other pictures are being read")
        self._pictures_waiting += 1
        try:
            await wait_for(self._picture_slots.acquire(), PICTURE_SECONDS)
        except TimeoutError:
            raise TooBusy(10, "other pictures are being read") from None
        finally:
            self._pictures_waiting -= 1
        try:
            yield
        finally:
            self._picture_slots.release()

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

    async def _run_in_pool(self, scope: Scope, body: Body | None, send: Send, device: str, table: str) -> None:
        """Run a request in the worker pool, and send the response."""
        imports = scope["path"] in IMPORTS
        quotas = [(device or _address(scope), MAX_COSTLY_OF_ONE), (f"address {_address(scope)}", MAX_COSTLY_OF_ADDRESS)]
        quotas += [(f"table {table}", MAX_COSTLY_OF_TABLE)] if table else []
        quotas += [(f"import of {_address(scope)}", 1)] if imports else []
        self._refuse_beyond_quotas(quotas, imports)
        self._costly.update(name for name, _ in quotas)
        self._running += 1
        self._imports += imports
        begun = time.monotonic()
        try:
            content = body.all() if body is not None else b""
            if imports:
                async with self._background:
                    answer = await self.background.carry_out(PoolRequest.of(scope, content, by_cpu=True), IMPORT_CPU_SECONDS)
            else:
                answer = await self.pool.carry_out(PoolRequest.of(scope, content), COSTLY_SECONDS)
        except WorkerTimeout:
            raise TooBusy(30, "this calculation takes too long, or others came first") from None
        finally:
            self._imports -= imports
            self._running -= 1
            self._costly.subtract(name for name, _ in quotas)
            self._costly += Counter()  # drops the zeros
            self._seconds += (time.monotonic() - begun - self._seconds) / MEAN_OF
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        await send({"type": "http.response.body", "body": answer.body, "more_body": False})

    def _refuse_beyond_quotas(self, quotas: list[tuple[str, int]], imports: bool) -> None:
        """Refuse an expensive request of somebody whose share is used up, or if too many wait; say when to try again."""
        seconds = min(MAX_RETRY_SECONDS, max(2, round(self._seconds)))
        for (name, most), why in zip(quotas, QUOTA_REFUSALS, strict=False):
            if self._costly[name] >= most:
                raise TooBusy(seconds, "another file of yours is being imported" if name.startswith("import of ") else why)
        if imports and self._imports >= IMPORTS_AT_ONCE:
            raise TooBusy(30, "other tables are being imported")
        if self._running >= self.pool.workers + MAX_COSTLY_WAITING:
            raise TooBusy(seconds, "too many calculations are running for others")

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
                async with self._background:  # every table in turn; the wait does not count
                    await self.background.carry_out(PoolRequest(scope, [], b""), COSTLY_SECONDS)
                self.state.live.update(table)  # a worker process cannot notify the pages: SQLite has no notifications
        except WorkerTimeout:
            pass  # the next request to act or to open the table starts it again
        finally:
            del self._ai_runs[table]

    def _check_rate(self, scope: Scope) -> None:
        """Apply the rate limits to a request that runs in the worker pool, where they are switched off."""
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return
        device = self.state.tables.signer.read(cookie_of(scope))
        if not is_within_rate(self.state.rates, scope["path"], device, _address(scope)):
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
    return "act" if path.endswith("/act") else "table" if AT_TABLE.fullmatch(path) else "page"


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _receive_body(body: Body | None, receive: Receive) -> Receive:
    """The channel of a request whose body was read: first the body, then what else the client does."""
    if body is None:
        return receive
    given = False

    async def receive_next() -> Any:
        nonlocal given
        if given:
            return await receive()
        message = await body.receive()
        given = not message["more_body"]
        return message

    return receive_next


def _seconds(number: float) -> str:
    return f"{number:g} second{'' if number == 1 else 's'}"


async def _refuse(scope: Scope, send: Send, status: int, why: str, again: float = 0.0) -> None:
    """Send an error with a sentence and Retry-After: as JSON for the API, as a plain page for people."""
    sentence = f"{why[:1].upper()}{why[1:]}"
    headers = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    if again:
        headers.append((b"retry-after", str(int(again)).encode()))
    if status in (404, 408):
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    if scope["path"].startswith("/api/"):
        body, sort = f'{{"error":"{sentence}"}}'.encode(), b"application/json"
    else:
        title = "Try again later" if again else "That did not work"
        page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><p>{sentence}.</p></html>'
        body, sort = page.encode(), b"text/html; charset=utf-8"
        headers.append((b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"))
    headers += [(b"content-type", sort), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
