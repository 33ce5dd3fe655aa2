"""Security: response headers, the same-origin check, rate limits, and time limits for calculations."""

import ctypes
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

from anyio.to_thread import run_sync
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import PermissionDeniedException, TooManyRequestsException
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Message, Scope

from rulewright.errors import UserError

if TYPE_CHECKING:
    from rulewright.web.server.shared_state import SharedBuckets

P = ParamSpec("P")
R = TypeVar("R")

SECONDS = 5.0
"""Time limit for whatever a visitor asks for."""

MAX_BYTES = 256 * 1024
"""Size limit of a request."""

MAX_BUCKETS = 20_000
HSTS_SECONDS = 365 * 24 * 3600
"""How long a browser that came by TLS must use nothing else."""
DEVICE, HOST_DEVICE = "device", "__Host-device"
"""The cookie of a device, over plain HTTP and over TLS."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


async def add_headers(message: Message, scope: Scope) -> None:
    """Add the security headers to every response; responses other than static files are not cached."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if scope.get("scheme") == "https":
            headers.setdefault("strict-transport-security", f"max-age={HSTS_SECONDS}")
        if not scope["path"].startswith("/static/"):
            headers.setdefault("cache-control", "no-store")


def require_same_origin(connection: "ASGIConnection[Any, Any, Any, Any]", _: BaseRouteHandler) -> None:
    """Refuse a change that another site made the visitor's browser request.

    Browsers state the origin of a request (Sec-Fetch-Site, Origin), and a page cannot change that. A program that states neither has no
    cookie of a visitor to misuse.
    """
    if connection.scope.get("method", "GET") in ("GET", "HEAD", "OPTIONS"):
        return
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if site is not None:
        fits = site in ("same-origin", "none")
    else:
        fits = origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    if not fits:
        raise PermissionDeniedException("this request came from another site")


class Rates:
    """Rate limits: a token bucket for every device, or for every address without a seat.

    People rarely join or open tables, but programs that guess links try often. These requests have a smaller bucket of their own.
    """

    def __init__(
        self, acts: float = 10.0, most_acts: int = 60, seats: float = 0.5, most_seats: int = 60, shared: "SharedBuckets | None" = None
    ) -> None:
        imports = (seats / 15, -(-most_seats // 12))  # one file is as much work as many tables
        self._rates = {"acts": (acts, most_acts), "seats": (seats, most_seats), "imports": imports, "pictures": (acts / 20, most_acts // 3)}
        self.shared = shared
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, sort: str, who: str, now: float) -> bool:
        """Take one token from a bucket; false if it is empty."""
        rate, most = self._rates[sort]
        if self.shared is not None:
            return self.shared.take(f"{sort} {who}"[:120], rate, most)
        with self._lock:
            left, at = self._buckets.pop((sort, who), (float(most), now))
            left = min(float(most), left + (now - at) * rate)
            self._buckets[sort, who] = (left - 1 if left >= 1 else left, now)
            while len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
            return left >= 1


_SEATS = ("/host", "/demo/", "/import", "/adventures/import", "/api/demos/", "/api/import", "/api/tables")


async def limit_rate(connection: "ASGIConnection[Any, Any, Any, Any]", _: BaseRouteHandler) -> None:
    """Refuse clients that send changes faster than people do."""
    if connection.scope.get("method", "GET") in ("GET", "HEAD", "OPTIONS"):
        return
    device = connection.app.state.tables.signer.read(device_cookie(connection.cookies))
    client = connection.client.host if connection.client is not None else ""
    rates, path = connection.app.state.rates, connection.scope["path"]
    # Shared buckets need the database, so others are served meanwhile.
    fits = await run_sync(is_within_rate, rates, path, device, client) if rates.shared else is_within_rate(rates, path, device, client)
    if not fits:
        raise TooManyRequestsException("too many requests: wait a moment and try again")


def is_within_rate(rates: Rates, path: str, device: str | None, client: str) -> bool:
    """Whether a client may send another change."""
    imports = path in ("/import/read", "/api/import")
    sits = path.endswith(("/sit", "/join", "/lead", "/alone")) or (path.startswith(_SEATS) and not path.endswith("/act"))
    sort = "imports" if imports else "seats" if sits else "pictures" if path.endswith(("/pictures", "/maps/new", "/picture")) else "acts"
    return rates.allows(sort, client if imports or sits or device is None else device, time.monotonic())


def device_cookie(cookies: "Mapping[str, str]") -> str | None:
    """The device's cookie: over TLS the one with the prefix that only this site can set."""
    return cookies.get(HOST_DEVICE) or cookies.get(DEVICE)


WALL_CLOCK_FACTOR = 6
"""Real time may be this many times the CPU time, on a busy machine."""


class _OutOfTime(BaseException):
    """Raised in a thread whose time is over; `except Exception` in a game does not catch it."""


def _start_cpu_clock() -> Callable[[], float]:
    """A clock of the CPU time that this thread uses from now on; of real time if the system has no such clock."""
    if not hasattr(time, "pthread_getcpuclockid"):
        wall = time.monotonic()
        return lambda: time.monotonic() - wall
    clock = time.pthread_getcpuclockid(threading.get_ident())
    begun = time.clock_gettime(clock)
    return lambda: time.clock_gettime(clock) - begun


@contextmanager
def time_limit(seconds: float = SECONDS) -> Iterator[None]:
    """Limit the computing time of a block in this thread; a block that takes longer is stopped with a UserError.

    The limit is CPU time where the system measures it, so that a busy machine refuses nothing that a quiet one answers. Real time is
    limited to `WALL_CLOCK_FACTOR` times as much.
    """
    thread = ctypes.c_ulong(threading.get_ident())
    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
    lock = threading.Lock()
    over = fired = False
    worked, last = _start_cpu_clock(), time.monotonic() + WALL_CLOCK_FACTOR * seconds

    def end() -> None:
        nonlocal fired
        with lock:
            left = min(seconds - worked(), last - time.monotonic()) if not over else 0.0
            if left > 0:
                wait(left)
            elif not over:
                fired = True
                interrupt(thread, ctypes.py_object(_OutOfTime))

    def wait(left: float) -> None:
        timer = threading.Timer(left, end)
        timer.daemon = True
        timer.start()
        watch[:] = [timer]

    watch: list[threading.Timer] = []
    wait(seconds)
    try:
        try:
            yield
        finally:
            with lock:
                over = True
            watch[0].cancel()
            if fired:
                interrupt(thread, None)  # cancel an exception still pending, which would hit later work of this thread
    except _OutOfTime:
        raise UserError(f"this calculation takes more than {seconds:g} seconds: use smaller numbers") from None


def time_limited(function: Callable[P, R]) -> Callable[P, R]:
    """Limit the computing time of a function."""

    @wraps(function)
    def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
        with time_limit():
            return function(*args, **kwargs)

    return bounded
