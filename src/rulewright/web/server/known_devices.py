"""Who asks: whether a request comes from a device that this server signed and that has a seat at a table."""

import time
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie
from typing import Any

from anyio.to_thread import run_sync

from rulewright.table import links
from rulewright.table.service import Tables
from rulewright.web.server.asgi import Scope
from rulewright.web.server.security import DEVICE, HOST_DEVICE

SEAT_SECONDS = 30.0
"""How long a seat is believed without asking the database again."""
MAX_SEATS = 20_000
"""How many seats are remembered."""


class KnownDevices:
    """The devices that have a seat. An unsigned cookie costs no query."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._seats: OrderedDict[tuple[str, str], float] = OrderedDict()
        """Until when a seat is believed, by device (hashed) and table; without a table, a seat anywhere."""

    async def seated(self, scope: Scope, table: str = "") -> str:
        """The device of a request if it has a seat at this table (or at any, if none is named), otherwise an empty string."""
        device = self._tables.signer.read(cookie_of(scope))
        if device is None:
            return ""
        seat = links.hashed(device), table
        if self._seats.get(seat, 0.0) < time.monotonic():
            self._seats.pop(seat, None)
            if not await run_sync(self._has_seat, *seat):
                return ""
            self._seats[seat] = time.monotonic() + SEAT_SECONDS
            while len(self._seats) > MAX_SEATS:
                self._seats.popitem(last=False)
        return device

    def _has_seat(self, device: str, table: str) -> bool:
        store = self._tables.store
        return store.seat(table, device) is not None if table else bool(store.seats(device, 1))


def cookie_of(scope: Scope) -> str:
    """The device's cookie of a request; its signature is not checked."""
    for name, value in scope["headers"]:
        if name == b"cookie" and b"device=" in value and len(value) < 8_192:
            try:
                cookies: Any = SimpleCookie(value.decode("latin-1"))
            except CookieError:
                return ""
            cookie = cookies.get(HOST_DEVICE) or cookies.get(DEVICE)
            return "" if cookie is None else str(cookie.value)
    return ""
