"""Runs a server: the application behind the rate limiter, in one process or several."""

import asyncio
import gc
import logging
import logging.handlers
import multiprocessing
import signal
import socket
import sys
import threading
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from rulewright.errors import UserError
from rulewright.files import images
from rulewright.table.storage.store import Store
from rulewright.web.app import create_app
from rulewright.web.pages.home import load_all_games
from rulewright.web.pages.lab import JOBS
from rulewright.web.server.addresses import ServerAddresses
from rulewright.web.server.connections import timeout_protocol
from rulewright.web.server.monitoring import Metrics
from rulewright.web.server.process_router import ConnectionRouter, receive_connections
from rulewright.web.server.rate_limit import RateLimiter
from rulewright.web.server.security import Rates
from rulewright.web.server.shared_state import JobStore, SharedBuckets
from rulewright.web.server.worker_pool import ProcessPool

GRACE_SECONDS = 3
RESTART_SECONDS = 1.0
"""Delay before a worker process that ended is started again."""


class ServerOptions(Struct, frozen=True):
    """The options of a server."""

    host: str
    port: int
    db: str | None = None
    public: str = ""
    proxy: str | None = None
    workers: int = 1
    room: float = 20.0
    """Gigabytes of disk space; no new tables are opened beyond that."""
    access_log: str = ""
    """The file of the access log; "-" writes it to standard error."""
    metrics: int = 0
    """The local port for Prometheus metrics; the second process uses the next port, and so on."""
    local_webhooks: bool = False
    """Whether webhooks may have addresses in the server's own network."""


def run(options: ServerOptions) -> bool:
    """Serve until stopped; returns whether the server started."""
    if options.workers == 1:
        return _serve(options, None, 0)
    return _serve_with_workers(options)


def _serve(options: ServerOptions, channel: socket.socket | None, number: int) -> bool:
    """Serve in this process. With several processes, connections arrive over `channel`."""
    several = options.workers > 1
    images.decode_apart()
    application = create_app(options.db, reach=ServerAddresses(options.host, options.port, options.public, options.local_webhooks))
    tables = application.state.tables
    tables.most_space = int(options.room * 1_000_000_000)
    if several:
        application.state.rates = Rates(shared=SharedBuckets(tables.store))
        JOBS.board = JobStore(tables.store)
    else:
        tables.store.serve_alone()
    protocol, metrics = timeout_protocol(), Metrics(access_log=bool(options.access_log))
    _log_to(options.access_log)
    limiter = RateLimiter(application, ProcessPool(options.db), metrics, ProcessPool(options.db, 1, prepare=False))
    metrics.add_gauges(limiter, protocol.waiting)
    if options.metrics:
        _serve_metrics(metrics, options.metrics + number)
    config = _configuration(options, limiter, protocol)

    class Server(uvicorn.Server):
        """Closes the open event streams when it stops; shutdown would wait for them otherwise."""

        async def startup(self, sockets: "list[socket.socket] | None" = None) -> None:
            await super().startup(sockets)
            threading.Thread(target=_preload_games, daemon=True).start()
            threading.Thread(target=_complete_copy, args=(tables.store,), daemon=True).start()
            if channel is not None:
                asyncio.get_running_loop().add_reader(channel, self._receive, channel)

        def _receive(self, channel: socket.socket) -> None:
            loop = asyncio.get_running_loop()
            for connection in receive_connections(channel):
                connected = protocol(config=config, server_state=self.server_state, app_state=self.lifespan.state)
                self.server_state.tasks.add(task := loop.create_task(_attach_connection(loop, connected, connection)))
                task.add_done_callback(self.server_state.tasks.discard)

        async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
            if channel is not None:
                asyncio.get_running_loop().remove_reader(channel)
            await application.state.live.close()
            await super().shutdown(sockets)

    server = Server(config)
    try:
        with _quiet_shutdown():
            server.run(sockets=[] if channel is not None else None)
    finally:
        limiter.pool.close()
        limiter.background.close()
    return server.started


def _configuration(options: ServerOptions, application: Any, protocol: Any) -> uvicorn.Config:
    """How the server listens, what it logs, and how long it waits at its end."""
    return uvicorn.Config(
        application,
        host=options.host,
        port=options.port,
        http=protocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=options.proxy is not None,
        forwarded_allow_ips=options.proxy or "",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


async def _attach_connection(loop: asyncio.AbstractEventLoop, connected: asyncio.Protocol, connection: socket.socket) -> None:
    """Serve a connection received from the router; ignore one that is closed already."""
    with suppress(OSError):
        await loop.connect_accepted_socket(lambda: connected, connection)


def _serve_metrics(metrics: Metrics, port: int) -> None:
    try:
        metrics.serve(port)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"cannot serve metrics at port {port} ({reason}); choose another port with --metrics") from None


def _log_to(file: str) -> None:
    """Write the access log to a file, or to standard error for "-"."""
    if not file:
        return
    try:
        handler: logging.Handler = logging.StreamHandler() if file == "-" else logging.handlers.WatchedFileHandler(file)
    except OSError as error:
        raise UserError(f"{file}: cannot write the access log ({error.strerror})") from None
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%dT%H:%M:%S%z"))
    log = logging.getLogger("rulewright.access")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.handlers[:] = [handler]


# --- several processes ----------------------------------------------------------------------------------------------------------


def _serve_with_workers(options: ServerOptions) -> bool:
    """Serve in several processes on one PostgreSQL database; this process accepts the connections and routes them."""
    context = multiprocessing.get_context("spawn")
    listening = _bind(options.host, options.port)
    channels = [socket.socketpair() for _ in range(options.workers)]
    stopping = threading.Event()
    for stop_signal in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop_signal, lambda *_: stopping.set())
    workers: list[Any] = [_start_worker(context, options, channels[at][1], at) for at in range(options.workers)]
    router = ConnectionRouter(listening, [ours for ours, _ in channels])
    while not stopping.is_set():
        router.run(stopping.is_set, 0.2)
        for at, worker in enumerate(workers):
            if not worker.is_alive():
                print(f"rulewright: restarting server process {at + 1}, which ended with exit code {worker.exitcode}", file=sys.stderr)
                router.run(stopping.is_set, RESTART_SECONDS)
                workers[at] = _start_worker(context, options, channels[at][1], at)
    router.close()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE_SECONDS * 3)
        if worker.is_alive():
            worker.kill()
    return True


def _start_worker(context: Any, options: ServerOptions, channel: socket.socket, number: int) -> Any:
    worker = context.Process(target=_run_worker, args=(options, channel, number), name=f"rulewright server {number + 1}")
    worker.start()
    return worker


def _run_worker(options: ServerOptions, channel: socket.socket, number: int) -> None:
    """Run one of several server processes. Ctrl-C reaches all of them; the main process stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel.setblocking(False)
    try:
        _serve(options, channel, number)
    except UserError as error:
        print(f"rulewright: {error}", file=sys.stderr)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(2048)
    return listening


# --- shutdown and memory --------------------------------------------------------------------------------------------------------


@contextmanager
def _quiet_shutdown() -> Iterator[None]:
    """Suppress log messages about event streams that are cut off by Ctrl-C."""

    class Stopping(logging.Filter):
        """Drops log messages about event streams that were cut off."""

        def filter(self, record: logging.LogRecord) -> bool:
            message = record.getMessage()
            cut_off = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
            return not cut_off and "graceful shutdown" not in message and "CancelledError" not in message

    logger = logging.getLogger("uvicorn.error")
    stopping = Stopping()
    logger.addFilter(stopping)
    try:
        with suppress(KeyboardInterrupt, asyncio.CancelledError):
            yield
    finally:
        logger.removeFilter(stopping)


def _preload_games() -> None:
    """Load all games before the first request; loading takes seconds."""
    load_all_games()
    tune_garbage_collector()


def _complete_copy(store: Store) -> None:
    """Complete the continuous copy of a SQLite database, which another program may have changed."""
    try:
        store.copy_all()
    except SQLAlchemyError as error:
        logging.getLogger("rulewright").warning("the continuous copy could not be completed: %s", error)


def tune_garbage_collector() -> None:
    """Tune the garbage collector for long-lived objects.

    Games, rules and templates live as long as the server. Scanning them again and again would delay every request.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
