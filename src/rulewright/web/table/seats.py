"""Seats: the tables of the server, the signed cookie of a device, and the seat of a request."""

from anyio.to_thread import run_sync
from litestar.datastructures import Cookie

from rulewright.table import links
from rulewright.table.open_tables import NotHere
from rulewright.table.seats import Seat
from rulewright.table.service import Tables
from rulewright.web.params import WebRequest
from rulewright.web.server.security import DEVICE, HOST_DEVICE, device_cookie
from rulewright.web.table.live_updates import Listener, LiveUpdates

COOKIE_DAYS = 400


def tables_of(request: WebRequest) -> Tables:
    """All tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


def device_of(request: WebRequest) -> str | None:
    """The device of a request, if its cookie was signed here."""
    return tables_of(request).signer.read(device_cookie(request.cookies))


def identify_device(request: WebRequest) -> tuple[str, list[Cookie]]:
    """The device of a request; a new one gets a cookie."""
    device = device_of(request)
    if device is not None:
        return device, []
    device = links.token()
    return device, [_device_cookie(request, device)]


def _device_cookie(request: WebRequest, device: str) -> Cookie:
    """The cookie of a device; over TLS with the prefix that only this site can set."""
    secure, value = request.url.scheme == "https", tables_of(request).signer.cookie(device)
    name = HOST_DEVICE if secure else DEVICE
    return Cookie(key=name, value=value, httponly=True, samesite="lax", secure=secure, max_age=COOKIE_DAYS * 24 * 3600)


def rotate_device(request: WebRequest, device: str, cookies: list[Cookie]) -> list[Cookie]:
    """Cookies after a device gained permissions: a new device id replaces the known one.

    An attacker who planted the old cookie gains nothing.
    """
    return cookies or [_device_cookie(request, tables_of(request).exchange(device))]


def seat_of(request: WebRequest, table_id: str) -> Seat:
    """The seat of a request. Raises NotHere for everybody else, whether or not the table exists."""
    try:
        seat = tables_of(request).seat(table_id, device_of(request))
    except NotHere:
        seat = None
    device = device_of(request)
    if seat is None or device is None:
        raise NotHere("you have no seat at this table: ask its gamemaster for an invite link")
    tables_of(request).noticed(table_id, device, describe_device(request.headers.get("user-agent", "")))
    return seat


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux"))


def describe_device(agent: str) -> str:
    """Describe a device in a few words, from its User-Agent."""
    browser = next((name for marker, name in _BROWSERS if marker in agent), "")
    system = next((name for marker, name in _SYSTEMS if marker in agent), "")
    return " on ".join(part for part in (browser, system) if part) or "unknown device"


async def open_listener(request: WebRequest, table_id: str, mark: str, page: bool = False) -> Listener:
    """The listener of a request for a stream. The seat is found in a thread, since opening a long table takes a while."""
    live: LiveUpdates = request.app.state.live
    live.refuse_too_many(device_of(request) or "")
    seat = await run_sync(seat_of, request, table_id)
    return live.reserve(Listener(table_id, seat.member, device_of(request) or "", mark, page))
