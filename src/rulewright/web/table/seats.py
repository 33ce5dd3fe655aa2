"""Who sits where: the service of all tables, the signed cookie of a device, and the seat of whoever asks."""

from anyio.to_thread import run_sync
from litestar.datastructures import Cookie

from rulewright.table import links
from rulewright.table.open_tables import NotHere
from rulewright.table.seats import Seat
from rulewright.table.service import Tables
from rulewright.web.params import Asking
from rulewright.web.server.security import DEVICE, HOST_DEVICE, device_cookie
from rulewright.web.table.live_updates import Listener, Live

DAYS = 400


def tables_of(request: Asking) -> Tables:
    """All tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


def device_of(request: Asking) -> str | None:
    """The device that asks, if its cookie was signed here."""
    return tables_of(request).signer.read(device_cookie(request.cookies))


def known_device(request: Asking) -> tuple[str, list[Cookie]]:
    """The device that asks; a new one gets its cookie."""
    text = device_of(request)
    if text is not None:
        return text, []
    device = links.token()
    return device, [_held(request, device)]


def _held(request: Asking, device: str) -> Cookie:
    """The cookie of a device; over TLS by a name that only this very site can set."""
    secure, value = request.url.scheme == "https", tables_of(request).signer.cookie(device)
    name = HOST_DEVICE if secure else DEVICE
    return Cookie(key=name, value=value, httponly=True, samesite="lax", secure=secure, max_age=DAYS * 24 * 3600)


def risen(request: Asking, device: str, cookies: list[Cookie]) -> list[Cookie]:
    """The cookies after somebody has got more rights: a new device in the place of one that was known before, so that whoever had
    planted that cookie has nothing of it."""
    return cookies or [_held(request, tables_of(request).exchange(device))]


def seat_of(request: Asking, table_id: str) -> Seat:
    """The seat of whoever asks; a missing page for everybody else, whether or not there is such a table."""
    try:
        result = tables_of(request).seat(table_id, device_of(request))
    except NotHere:
        result = None
    device = device_of(request)
    if result is None or device is None:
        raise NotHere("you do not sit at this table: ask its gamemaster for an invitation")
    tables_of(request).noticed(table_id, device, described(request.headers.get("user-agent", "")))
    return result


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux"))


def described(agent: str) -> str:
    """A device in a few words, from what its browser says of itself."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return " on ".join(part for part in (browser, system) if part) or "a program"


async def listener_of(request: Asking, table_id: str, mark: str, page: bool = False) -> Listener:
    """Whoever asks for a stream. The seat is looked for in a thread: opening a long table takes a while, and nobody else waits for it."""
    live: Live = request.app.state.live
    live.refuse_too_many(device_of(request) or "")
    seat = await run_sync(seat_of, request, table_id)
    return Listener(table_id, seat.member, device_of(request) or "", mark, page)
