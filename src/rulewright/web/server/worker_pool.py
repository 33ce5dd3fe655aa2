"""Runs expensive requests in worker processes, so that nobody at a table waits for them.

Each worker runs the whole application on the same database, at a lower priority, one request at a time. A request that takes too long is
stopped with its process, and a new process replaces it.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from msgspec import Struct

from rulewright.web.server.asgi import App, Scope
from rulewright.web.server.security import WALL_CLOCK_FACTOR

KEYS = ("type", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path", "client", "server")


STARTING_SECONDS = 90.0
"""Time limit for a new process to load all games, on a busy machine."""
READY = "ready"


class WorkerTimeout(Exception):
    """A request was not finished in time."""


class PoolRequest(Struct, frozen=True):
    """A request on its way to a worker."""

    scope: dict[str, Any]
    headers: list[tuple[bytes, bytes]]
    body: bytes
    by_cpu: bool = False
    """Whether the time limit is processor time, as for an import, which takes longer on a busy machine."""

    @classmethod
    def of(cls, scope: Scope, body: bytes, *, by_cpu: bool = False) -> "PoolRequest":
        """A request whose body has been read."""
        return cls({key: scope[key] for key in KEYS if key in scope}, list(scope["headers"]), body, by_cpu)


class PoolResponse(Struct, frozen=True):
    """A response on its way back from a worker."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


async def call_app(app: App, request: PoolRequest) -> PoolResponse:
    """Pass a request to an application and collect its response."""
    status, headers, parts = 500, list[tuple[bytes, bytes]](), list[bytes]()
    given = False

    async def receive() -> Any:
        nonlocal given
        if given:
            await asyncio.Event().wait()
        given = True
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], [(bytes(name), bytes(value)) for name, value in message.get("headers", [])]
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    scope: Any = {
        **request.scope,
        "headers": request.headers,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "state": {},
        "extensions": {},
    }
    await app(scope, receive, send)
    return PoolResponse(status, headers, b"".join(parts))


class InProcessPool:
    """Runs requests in the current process: for tests, and where there is no worker process."""

    workers = 2

    def __init__(self, app: App) -> None:
        self.app = app
        self._take_process = asyncio.Semaphore(self.workers)

    async def carry_out(self, request: PoolRequest, seconds: float) -> PoolResponse:
        """Run a request in this process."""
        async with self._take_process:
            return await call_app(self.app, request)

    def close(self) -> None:
        """Do nothing: there is no process to stop."""


class ProcessPool:
    """A pool of worker processes, with one thread for each. Without `prepare`, they start with the first request."""

    def __init__(self, db: str | None, workers: int = 0, *, prepare: bool = True) -> None:
        self.workers = workers or (1 if (os.cpu_count() or 1) <= 2 else 2)
        self._db = db
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self._context.set_forkserver_preload(["rulewright.web.app"])
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="rulewright-apart")
        self._idle: deque[tuple[Any, Connection]] = deque()
        self._processes: set[Any] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._ready_since = 0.0
        for _ in range(self.workers if prepare else 0):
            self._threads.submit(self._prepare)

    def _prepare(self) -> None:
        """Start a process before the first request."""
        with suppress(OSError, EOFError):
            self._idle.append(self._start())

    def _start(self) -> tuple[Any, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=run_worker, args=(theirs, self._db), daemon=True, name="rulewright apart")
        process.start()
        theirs.close()
        with self._lock:
            self._processes.add(process)
        if not ours.poll(STARTING_SECONDS) or ours.recv() != READY:
            self._end(process, ours)
            raise EOFError("a worker process did not start")
        self._ready_since = time.monotonic()
        return process, ours

    async def carry_out(self, request: PoolRequest, seconds: float) -> PoolResponse:
        """Run a request in the next free process. The time a process takes to start does not count."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._carry_out, request, time.monotonic(), seconds)

    def _carry_out(self, request: PoolRequest, asked_at: float, seconds: float) -> PoolResponse:
        if time.monotonic() > max(asked_at, self._ready_since) + seconds or self._closed:
            raise WorkerTimeout
        try:
            process, pipe = self._take_process()
        except (OSError, EOFError):
            raise WorkerTimeout from None
        until = max(asked_at, self._ready_since) + seconds
        try:
            pipe.send(request)
            if _wait_by_cpu(process.pid, pipe, seconds) if request.by_cpu else pipe.poll(max(0.1, until - time.monotonic())):
                answer: PoolResponse = pipe.recv()
                self._idle.append((process, pipe))
                return answer
        except (OSError, EOFError):
            pass
        self._end(process, pipe)
        raise WorkerTimeout

    def _take_process(self) -> tuple[Any, Connection]:
        """A process that is ready; a new one if there is none."""
        try:
            return self._idle.popleft()
        except IndexError:
            return self._start()

    def _end(self, process: Any, pipe: Connection) -> None:
        with self._lock:
            self._processes.discard(process)
        with suppress(OSError):
            pipe.close()
        process.kill()

    def close(self) -> None:
        """Stop all processes."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process in self._processes:
                with suppress(OSError, ValueError, AttributeError):
                    process.kill()


WorkerPool = InProcessPool | ProcessPool
"""Where expensive requests run. `carry_out` raises TooLong if a request takes more seconds than given."""


def _wait_by_cpu(process: int, pipe: Connection, seconds: float) -> bool:
    """Wait for an answer until a process has used so many seconds of processor time, or WALL_CLOCK_FACTOR times as much real time."""
    begun, last = _cpu_seconds(process), time.monotonic() + WALL_CLOCK_FACTOR * seconds
    while not pipe.poll(0.5):
        if _cpu_seconds(process) - begun > seconds or time.monotonic() > last:
            return False
    return True


def _cpu_seconds(process: int) -> float:
    """The processor time that a process has used; the real time where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.monotonic()


def run_worker(pipe: Connection, db: str | None) -> None:
    """Run one request after another in a worker process, until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(5)
    from rulewright.web.app import create_app
    from rulewright.web.pages.games import examples, games
    from rulewright.web.server.security import Rates

    app = create_app(db, Rates(1e9, 10**9, 1e9, 10**9))  # the rate limiter has applied the limits already
    for game in games():
        examples(game.id)  # load every game before the first request
    with suppress(OSError):
        pipe.send(READY)
    with asyncio.Runner() as runner, suppress(EOFError, OSError):
        while True:
            request: PoolRequest = pipe.recv()
            pipe.send(runner.run(call_app(app, request)))
