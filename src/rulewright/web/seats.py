"""Who sits where: the service of all tables, the signed cookie of a device, and the seat of whoever asks."""

from anyio.to_thread import run_sync
from litestar.datastructures import Cookie

from rulewright.table.open_tables import NotHere
from rulewright.table.seats import Seat
from rulewright.table.service import Tables
from rulewright.web.asked import Asking
from rulewright.web.live import Listener

DEVICE = "device"
DAYS = 400


def tables_of(request: Asking) -> Tables:
    """All tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


def device_of(request: Asking) -> str | None:
    """The device that asks, if its cookie was signed here."""
    return tables_of(request).signer.read(request.cookies.get(DEVICE))


def known_device(request: Asking) -> tuple[str, list[Cookie]]:
    """The device that asks; a new one gets its cookie."""
    found = device_of(request)
    if found is not None:
        return found, []
    signer = tables_of(request).signer
    device = signer.device()
    secure = request.url.scheme == "https"
    held = Cookie(key=DEVICE, value=signer.cookie(device), httponly=True, samesite="lax", secure=secure, max_age=DAYS * 24 * 3600)
    return device, [held]


def seat_of(request: Asking, table_id: str) -> Seat:
    """The seat of whoever asks; a missing page for everybody else, whether or not there is such a table."""
    try:
        found = tables_of(request).seat(table_id, device_of(request))
    except NotHere:
        found = None
    if found is None:
        raise NotHere("you do not sit at this table: ask its gamemaster for an invitation")
    return found


async def listener_of(request: Asking, table_id: str, mark: str) -> Listener:
    """Whoever asks for a stream. The seat is looked for in a thread: opening a long table takes a while, and nobody else waits for it."""
    seat = await run_sync(seat_of, request, table_id)
    return Listener(table_id, seat.member, device_of(request) or "", mark)
