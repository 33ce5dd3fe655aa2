"""House rules of a table as a file: upload and download."""

from anyio.to_thread import run_sync
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.table.commands.messages import ChangeHouse
from rulewright.web.params import WebRequest
from rulewright.web.sheets.sheet_files import file_name, parse_upload, read_upload
from rulewright.web.table.table_pages import TablePage, house_rules_page

ROUTE = "/tables/{table:str}/options/file"


@get(ROUTE, sync_to_thread=True, include_in_schema=False)
def download_house_rules(request: WebRequest, table: FromPath[str]) -> Response[str]:
    """Download the house rules of the table as a file, which the command line reads too."""
    page = TablePage(request, table)
    return Response(
        files.stamped(files.render(page.seen.house.as_file(page.system.id, page.seen.name))),
        media_type="application/yaml; charset=utf-8",
        headers=file_name(f"{page.seen.name} house rules", "yaml"),
    )


@post(ROUTE + "/read", include_in_schema=False, status_code=HTTP_200_OK)
async def upload_house_rules(request: WebRequest, table: FromPath[str]) -> Template | Redirect:
    """Replace the house rules of the table by those of a file: its preset, settings and table rows."""
    return await run_sync(_apply_house_rules, request, table, *(await read_upload(request)))


def _apply_house_rules(request: WebRequest, table: str, content: bytes, shown: str) -> Template | Redirect:
    page = TablePage(request, table)
    try:
        rules_file = parse_upload(content, shown, "a house-rules file: YAML, as the command line reads it with --house")
        house = library.house_rules(page.system, rules_file)
        page.tables.act(table, page.seat.member, ChangeHouse(house.preset or "", house.settings, house.tables))
    except UserError as error:
        return house_rules_page(page, {}, str(error))
    return Redirect(f"{page.url}/options", status_code=HTTP_303_SEE_OTHER)


@post("/tables/{table:str}/options/printed", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def restore_tables(request: WebRequest, table: FromPath[str]) -> Redirect:
    """Restore the printed tables; options stay as chosen."""
    page = TablePage(request, table)
    house = page.seen.house
    page.tables.act(table, page.seat.member, ChangeHouse(house.preset, dict(house.settings), {}))
    return Redirect(f"{page.url}/options", status_code=HTTP_303_SEE_OTHER)
