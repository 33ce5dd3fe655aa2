"""The adventures of a browser: the list, import, a copy of one that ships with a game, export, and starting one."""

from anyio.to_thread import run_sync
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_400_BAD_REQUEST
from msgspec import Struct

from rulewright import files
from rulewright.adventure.format import MAIN, Adventure
from rulewright.adventure.package import read_zip, write_zip
from rulewright.errors import UserError
from rulewright.playthrough.loader import Opened
from rulewright.table.permissions import Forbidden
from rulewright.table.storage import adventures
from rulewright.table.story.new_table import start_adventure
from rulewright.web.adventures.cards import all_shipped
from rulewright.web.adventures.own import OwnAdventure, require_sound, split_fault
from rulewright.web.adventures.start_pages import SHIPPED, lead_adventure, open_shipped, play_alone, zip_response
from rulewright.web.pages.games import game, games
from rulewright.web.pages.public import FORM, render
from rulewright.web.params import FormFields, WebRequest, address_of
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.sheet_files import plain_name
from rulewright.web.table.action_forms import field
from rulewright.web.table.seats import device_of, identify_device, seat_of, tables_of
from rulewright.web.table.table_files import read_upload

CHECK_SECONDS = 10.0
"""Time limit for the check of an adventure before it is imported or started."""
MINE = "/adventures/mine/{key:str}"
NEW_ADVENTURE = """\
system: {system}
kind: adventure
name: A new adventure
about: Two or three sentences for somebody who chooses. They give nothing away.
players: 1-4
hours: 3
ready: []
start: {{node: beginning}}
nodes:
  beginning:
    name: The beginning
    read: What do the players see, hear and smell? What is about to happen?
    lead: Who wants what here?
    otherwise: What helps you if they do something else?
    at: [40, 40]
    ways:
      - {{to: the end, label: Go on}}
  the end:
    name: The end
    read: How does it end?
    at: [300, 40]
    ending: The end
"""
"""The file with which a new adventure begins."""


class SeatAtTable(Struct, frozen=True):
    """A table at which this device is the gamemaster."""

    table: str
    name: str
    system: str


def _page(request: WebRequest, faults: list[str] | None = None, wrong: str = "") -> Template:
    own = adventures.listed(tables_of(request).store, device_of(request))
    places = [split_fault(fault) for fault in faults or ()]
    status = HTTP_400_BAD_REQUEST if faults or wrong else HTTP_200_OK
    return render(request, "adventures.html", status, adventures=all_shipped(), own=own, faults=places, wrong=wrong)


@get("/adventures", sync_to_thread=True, include_in_schema=False)
def adventures_page(request: WebRequest) -> Template:
    """Show the adventures that ship with the games, and those of this browser."""
    return _page(request)


def _keep(request: WebRequest, content: dict[str, bytes]) -> Redirect:
    """Keep an adventure for this browser, and show its editor."""
    device, cookies = identify_device(request)
    name = files.convert(files.parse(content[MAIN], MAIN), Adventure).name
    tables = tables_of(request)
    tables.refuse_without_space()
    key = adventures.add(tables.store, device, name, write_zip(content), address_of(request))
    return Redirect(f"/adventures/mine/{key}", status_code=HTTP_303_SEE_OTHER, cookies=cookies)


@post("/adventures/import", include_in_schema=False, request_max_body_size=adventures.MOST_BYTES + 100_000, status_code=HTTP_200_OK)
async def import_adventure(request: WebRequest) -> Template | Redirect:
    """Import a packed adventure. One with errors is refused, and the page lists all of them; `unfinished` keeps it for the editor."""
    form = await request.form()
    try:
        content = await read_upload(request)
    except UserError:
        return await run_sync(_page, request, None, "choose the zip file of an adventure")
    return await run_sync(_import, request, content, form.get("unfinished") == "true")


def _import(request: WebRequest, packed: bytes, unfinished: bool) -> Template | Redirect:
    games()
    try:
        with time_limit(CHECK_SECONDS):
            content = read_zip(packed, "the file")
            if not unfinished:
                require_sound(content)
            return _keep(request, content)
    except UserError as error:
        return _page(request, list(error.parts))


@post(SHIPPED + "/copy", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def copy_shipped(request: WebRequest, system: FromPath[str], key: FromPath[str]) -> Redirect:
    """Copy an adventure of a game, to change the copy."""
    return _keep(request, dict(open_shipped(system, key).content))


@post("/adventures/new", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def new_adventure(request: WebRequest, form: FormFields) -> Redirect:
    """Begin a new adventure with two nodes."""
    system = game(field(form, "system")[:60])
    return _keep(request, {MAIN: NEW_ADVENTURE.format(system=system.id).encode()})


def _sound(own: OwnAdventure) -> Opened:
    """The adventure, if nothing is wrong with it."""
    games()  # load all games before the time limit starts
    with time_limit(CHECK_SECONDS):
        return require_sound(own.files)


@get(MINE + "/export", sync_to_thread=True, include_in_schema=False)
def export_own(request: WebRequest, key: FromPath[str]) -> Response[bytes]:
    """Download an adventure of this browser as a zip file."""
    own = OwnAdventure(request, key)
    return zip_response(own.kept.body, plain_name(own.adventure.name) or "adventure")


@post(MINE + "/delete", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def delete_own(request: WebRequest, key: FromPath[str]) -> Redirect:
    """Delete an adventure of this browser."""
    adventures.remove(tables_of(request).store, device_of(request), key)
    return Redirect("/adventures", status_code=HTTP_303_SEE_OTHER)


@post(MINE + "/lead", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def lead_own(request: WebRequest, key: FromPath[str], form: FormFields) -> Template:
    """Open a table with an adventure of this browser, and become its gamemaster."""
    return lead_adventure(request, _sound(OwnAdventure(request, key)), field(form, "name"))


@post(MINE + "/alone", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def play_own_alone(request: WebRequest, key: FromPath[str], form: FormFields) -> Redirect:
    """Play an adventure of this browser without a gamemaster."""
    return play_alone(request, _sound(OwnAdventure(request, key)), field(form, "name"))


@post(MINE + "/start", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def start_own(request: WebRequest, key: FromPath[str], form: FormFields) -> Redirect:
    """Start an adventure of this browser at a table that one leads."""
    own, seat = OwnAdventure(request, key), seat_of(request, field(form, "table")[:60])
    if seat.role != "gamemaster":
        raise Forbidden("only the gamemaster of a table starts an adventure there")
    start_adventure(tables_of(request), seat.table, seat.member, _sound(own))
    return Redirect(f"/tables/{seat.table}", status_code=HTTP_303_SEE_OTHER)


def tables_to_start(request: WebRequest, system: str) -> list[SeatAtTable]:
    """The tables of a game that this device leads, and at which no adventure is in progress."""
    tables, free = tables_of(request), []
    for seat, name in tables.seats(device_of(request)):
        if seat.role == "gamemaster":
            with tables.looking(seat.table) as table:
                if table.system.id == system and table.story is None:
                    free.append(SeatAtTable(seat.table, name, system))
    return free
