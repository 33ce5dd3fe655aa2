"""What whoever runs a server can watch: an address that says whether it is well, numbers for Prometheus, and a log of requests.

Neither the log nor the numbers hold anything that opens a table or tells who somebody is: links are left out of paths, and what stands
after a question mark, cookies and bodies are never written.
"""

import logging
import re
import time
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy as sa
from litestar import get
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from rulewright import __version__
from rulewright.table.service import Tables
from rulewright.web.params import Asking
from rulewright.web.server.asgi import Scope, Send

if TYPE_CHECKING:
    from rulewright.web.server.connections import Waiting

log = logging.getLogger("rulewright.access")
_SECRET = re.compile(r"(?<=/join/)[^/]+|(?<=/lead/)[^/]+|(?<=/seat/)[^/]+/[^/]+")
_ODD = re.compile(r"[^\x21-\x7e]")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@get("/health", sync_to_thread=True, include_in_schema=False)
def health(request: Asking) -> dict[str, str]:
    """Whether the server is well: it answers, and so does its database."""
    tables: Tables = request.app.state.tables
    with tables.store.reading() as connection:
        connection.execute(sa.text("SELECT 1"))
    return {"status": "well", "version": __version__}


def without_secrets(path: str) -> str:
    """A path as it may be written down: without the secret part of links, and nothing in it that could forge a line."""
    return _ODD.sub("?", _SECRET.sub("...", path))[:200]


class Gate(Protocol):
    """What of the gate (web/server/rate_limit.py) is watched."""

    @property
    def state(self) -> Any:
        """The application's own things: who listens, which tables are held."""

    @property
    def costly(self) -> int:
        """Costly requests under way or waiting."""

    inside: int
    refused: int


class Watched:
    """Counts and logs what a server does."""

    def __init__(self, *, access_log: bool = False) -> None:
        self.access_log = access_log
        self.registry = CollectorRegistry()
        self.answers = Counter("rulewright_answers", "Requests answered", ["sort", "status"], registry=self.registry)
        self.seconds = Histogram("rulewright_seconds", "Seconds until the answer began", ["sort"], registry=self.registry, buckets=SECONDS)

    def show(self, gate: Gate, waiting: "Waiting | None" = None) -> None:
        """Show how a server stands, whenever somebody asks."""
        live, tables = gate.state.live, gate.state.tables
        shown: dict[str, tuple[str, Any]] = {
            "rulewright_listening": ("Open streams", lambda: live.listening),
            "rulewright_tables_open": ("Tables in memory", lambda: tables.held),
            "rulewright_inside": ("Requests under way", lambda: gate.inside),
            "rulewright_costly": ("Costly requests under way or waiting", lambda: gate.costly),
            "rulewright_refused": ("Requests asked to come back later", lambda: gate.refused),
            "rulewright_connections_closed": ("Connections closed for not going on", lambda: waiting.closed if waiting is not None else 0),
        }
        for name, (about, value) in shown.items():
            Gauge(name, about, registry=self.registry).set_function(value)

    def serve(self, port: int) -> None:
        """Offer the numbers to Prometheus, to this machine alone."""
        start_http_server(port, addr="127.0.0.1", registry=self.registry)

    def watched(self, scope: Scope, sort: str, send: Send) -> Send:
        """The way out of a request, counted and logged when its answer begins."""
        begun = time.perf_counter()

        async def out(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.told(scope, sort, int(message["status"]), time.perf_counter() - begun)
            await send(message)

        return out

    def told(self, scope: Scope, sort: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self.answers.labels(sort, f"{status // 100}xx").inc()
        self.seconds.labels(sort).observe(seconds)
        if self.access_log:
            client = scope.get("client")
            where = without_secrets(scope["path"])
            log.info("%s %s %s %s %.0f ms", client[0] if client else "-", scope["method"], where, status, seconds * 1000)
