"""The house rules of a table as a file: read in, which is what the table plays by from then on, and taken away."""

from anyio.to_thread import run_sync
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright import files, library
from rulewright.errors import Wrong
from rulewright.table.actions import ChangeHouse
from rulewright.web.asked import Asking
from rulewright.web.sheetfiles import MOST_BYTES, file_name
from rulewright.web.tablepages import Room, show_house

WHERE = "/tables/{table:str}/options/file"


@get(WHERE, sync_to_thread=True, include_in_schema=False)
def take_house(request: Asking, table: FromPath[str]) -> Response[str]:
    """What the table plays by, as a file that the command line reads too."""
    room = Room(request, table)
    house = room.seen.house
    data = {
        "system": room.system.id,
        "kind": "house-rules",
        "name": room.seen.name,
        **({"preset": house.preset} if house.preset else {}),
        **({"settings": dict(house.settings)} if house.settings else {}),
        **({"tables": house.tables} if house.tables else {}),
    }
    return Response(
        files.stamped(files.render(data)),
        media_type="application/yaml; charset=utf-8",
        headers=file_name(f"{room.seen.name} house rules", "yaml"),
    )


@post(WHERE + "/read", include_in_schema=False, status_code=HTTP_200_OK)
async def read_house(request: Asking, table: FromPath[str]) -> Template | Redirect:
    """Play by a file: its preset, settings and rows of tables in place of all that was chosen before."""
    form = await request.form()
    sent = form.get("file")
    content = await sent.read(MOST_BYTES + 1) if isinstance(sent, UploadFile) else b""
    shown = sent.filename if isinstance(sent, UploadFile) and sent.filename else "the file"
    return await run_sync(_play_by, request, table, content, shown)


def _play_by(request: Asking, table: str, content: bytes, shown: str) -> Template | Redirect:
    room = Room(request, table)
    try:
        if not content:
            raise Wrong("choose a house-rules file: YAML, as the command line takes it with --house")
        if len(content) > MOST_BYTES:
            raise Wrong(f"{shown} is too large: {MOST_BYTES // 1000} kB is the most")
        house = library.house_rules(room.system, library.opened(files.parse(content, shown), shown))
        room.tables.act(table, room.seat.member, ChangeHouse(house.preset or "", house.settings, house.tables))
    except Wrong as wrong:
        return show_house(room, {}, str(wrong))
    return Redirect(f"{room.url}/options", status_code=HTTP_303_SEE_OTHER)


@post("/tables/{table:str}/options/printed", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def print_tables(request: Asking, table: FromPath[str]) -> Redirect:
    """Tables as they are printed again; options stay as they were chosen."""
    room = Room(request, table)
    house = room.seen.house
    room.tables.act(table, room.seat.member, ChangeHouse(house.preset, dict(house.settings), {}))
    return Redirect(f"{room.url}/options", status_code=HTTP_303_SEE_OTHER)


HANDLERS = (take_house, read_house, print_tables)
