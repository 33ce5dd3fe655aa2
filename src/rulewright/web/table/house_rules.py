"""House rules of a table as a file: upload and download."""

from anyio.to_thread import run_sync
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.table.commands.messages import ChangeHouse
from rulewright.web.params import Asking
from rulewright.web.sheets.sheet_files import file_name, read_in, sent_file
from rulewright.web.table.table_pages import Room, show_house

WHERE = "/tables/{table:str}/options/file"


@get(WHERE, sync_to_thread=True, include_in_schema=False)
def take_house(request: Asking, table: FromPath[str]) -> Response[str]:
    """Download the house rules of the table as a file, which the command line reads too."""
    room = Room(request, table)
    return Response(
        files.stamped(files.render(room.seen.house.as_file(room.system.id, room.seen.name))),
        media_type="application/yaml; charset=utf-8",
        headers=file_name(f"{room.seen.name} house rules", "yaml"),
    )


@post(WHERE + "/read", include_in_schema=False, status_code=HTTP_200_OK)
async def read_house(request: Asking, table: FromPath[str]) -> Template | Redirect:
    """Replace the house rules of the table by those of a file: its preset, settings and table rows."""
    return await run_sync(_play_by, request, table, *(await sent_file(request)))


def _play_by(request: Asking, table: str, content: bytes, shown: str) -> Template | Redirect:
    room = Room(request, table)
    try:
        rules_file = read_in(content, shown, "a house-rules file: YAML, as the command line reads it with --house")
        house = library.house_rules(room.system, rules_file)
        room.tables.act(table, room.seat.member, ChangeHouse(house.preset or "", house.settings, house.tables))
    except UserError as error:
        return show_house(room, {}, str(error))
    return Redirect(f"{room.url}/options", status_code=HTTP_303_SEE_OTHER)


@post("/tables/{table:str}/options/printed", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def print_tables(request: Asking, table: FromPath[str]) -> Redirect:
    """Restore the printed tables; options stay as chosen."""
    room = Room(request, table)
    house = room.seen.house
    room.tables.act(table, room.seat.member, ChangeHouse(house.preset, dict(house.settings), {}))
    return Redirect(f"{room.url}/options", status_code=HTTP_303_SEE_OTHER)
