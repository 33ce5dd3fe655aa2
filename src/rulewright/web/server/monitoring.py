"""Monitoring: a health check, metrics for Prometheus, and an access log.

Neither log nor metrics contain secrets or personal data: links are shortened, and query strings, cookies and bodies are never written.
"""

import logging
import re
import time
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy as sa
from litestar import get
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from rulewright.table.service import Tables
from rulewright.version import __version__
from rulewright.web.params import WebRequest
from rulewright.web.server.asgi import Scope, Send

if TYPE_CHECKING:
    from rulewright.web.server.connections import UnfinishedConnections

log = logging.getLogger("rulewright.access")
_SECRET = re.compile(r"(?<=/join/)[^/]+|(?<=/lead/)[^/]+|(?<=/seat/)[^/]+/[^/]+")
_UNPRINTABLE = re.compile(r"[^\x21-\x7e]")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@get("/health", sync_to_thread=True, include_in_schema=False)
def health(request: WebRequest) -> dict[str, str]:
    """Check that the server and its database respond."""
    tables: Tables = request.app.state.tables
    with tables.store.reading() as connection:
        connection.execute(sa.text("SELECT 1"))
    return {"status": "well", "version": __version__}


def without_secrets(path: str) -> str:
    """A path for the log: without the secret parts of links, and without characters that could forge a log line."""
    return _UNPRINTABLE.sub("?", _SECRET.sub("...", path))[:200]


class LimiterCounters(Protocol):
    """The counters of the rate limiter that are shown as metrics."""

    @property
    def state(self) -> Any:
        """The application's state: live updates and tables."""

    @property
    def costly(self) -> int:
        """Expensive requests that are running or waiting."""

    inside: int
    refused: int


class Metrics:
    """Metrics and access log of a server."""

    def __init__(self, *, access_log: bool = False) -> None:
        self.access_log = access_log
        self.registry = CollectorRegistry()
        self.answers = Counter("rulewright_answers", "Responses", ["sort", "status"], registry=self.registry)
        self.seconds = Histogram("rulewright_seconds", "Seconds to a response", ["sort"], registry=self.registry, buckets=SECONDS)

    def add_gauges(self, limiter: LimiterCounters, waiting: "UnfinishedConnections | None" = None) -> None:
        """Add gauges for the current load of a server."""
        live, tables = limiter.state.live, limiter.state.tables
        shown: dict[str, tuple[str, Any]] = {
            "rulewright_listening": ("Open event streams", lambda: live.listening),
            "rulewright_tables_open": ("Tables in memory", lambda: tables.held),
            "rulewright_inside": ("Requests in progress", lambda: limiter.inside),
            "rulewright_costly": ("Expensive requests running or waiting", lambda: limiter.costly),
            "rulewright_refused": ("Requests refused because the server was busy", lambda: limiter.refused),
            "rulewright_connections_closed": ("Connections closed by a time limit", lambda: waiting.closed if waiting is not None else 0),
        }
        for name, (about, value) in shown.items():
            Gauge(name, about, registry=self.registry).set_function(value)

    def serve(self, port: int) -> None:
        """Serve the metrics at a port of this computer."""
        start_http_server(port, addr="127.0.0.1", registry=self.registry)

    def track(self, scope: Scope, sort: str, send: Send) -> Send:
        """Wrap the send channel of a request so that its response is counted and logged."""
        begun = time.perf_counter()

        async def out(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.record(scope, sort, int(message["status"]), time.perf_counter() - begun)
            await send(message)

        return out

    def record(self, scope: Scope, sort: str, status: int, seconds: float) -> None:
        """Count and log a response."""
        self.answers.labels(sort, f"{status // 100}xx").inc()
        self.seconds.labels(sort).observe(seconds)
        if self.access_log:
            client = scope.get("client")
            path = without_secrets(scope["path"])
            log.info("%s %s %s %s %.0f ms", client[0] if client else "-", scope["method"], path, status, seconds * 1000)
