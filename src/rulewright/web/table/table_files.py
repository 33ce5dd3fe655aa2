"""A whole table as one file: taken away, and read in again."""

from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_303_SEE_OTHER

from rulewright.errors import UserError
from rulewright.table.storage import export
from rulewright.web.pages.public import draw
from rulewright.web.params import Asking
from rulewright.web.table.seats import known_device, risen, seat_of, tables_of


def _taken(request: Asking, table: str) -> Response[bytes]:
    seat = seat_of(request, table)
    content = export.export(tables_of(request), table, seat.member)
    text_by_name = {"content-disposition": f'attachment; filename="table-{table}.jsonl"'}
    return Response(content, media_type="application/x-ndjson", headers=text_by_name)


@get("/tables/{table:str}/export", sync_to_thread=True, include_in_schema=False)
def export_file(request: Asking, table: FromPath[str]) -> Response[bytes]:
    """The table as one file: all of it for the gamemaster, what they may see for the others."""
    return _taken(request, table)


@get("/import", sync_to_thread=True, include_in_schema=False)
def import_page(request: Asking) -> Template:
    """Where a file is read in."""
    return draw(request, "import.html", wrong="")


async def read_upload(request: Asking) -> bytes:
    """The content of the file that a form sends."""
    form = await request.form()
    sent = form.get("file")
    if not isinstance(sent, UploadFile):
        raise UserError("choose the file of a table")
    return await sent.read()


@post("/import/read", include_in_schema=False, request_max_body_size=export.MOST_BYTES, status_code=HTTP_200_OK)
async def import_file(request: Asking) -> Template | Redirect:
    """A table from a file; whoever reads it in leads it."""
    from anyio.to_thread import run_sync

    device, cookies = known_device(request)
    try:
        content = await read_upload(request)
        made = await run_sync(export.bring_in, tables_of(request), content, device)
    except UserError as error:
        return draw(request, "import.html", wrong=str(error))
    return Redirect(f"/tables/{made.table}", status_code=HTTP_303_SEE_OTHER, cookies=risen(request, device, cookies))


@get("/tables/{table:str}/export", sync_to_thread=True, tags=["tables"])
def export_table(request: Asking, table: FromPath[str]) -> Response[bytes]:
    """The table as one file: all of it for the gamemaster, what they may see for the others."""
    return _taken(request, table)


@post("/import", tags=["tables"], request_max_body_size=export.MOST_BYTES, status_code=HTTP_201_CREATED)
async def import_table(request: Asking) -> Response[dict[str, Any]]:
    """A table from the bytes of an exported one; this device leads it."""
    from anyio.to_thread import run_sync

    device, cookies = known_device(request)
    made = await run_sync(export.bring_in, tables_of(request), await request.body(), device)
    content = {"table": made.table, "member": made.member, "gamemaster": made.gamemaster_link, "invitation": made.invitation}
    return Response(content, status_code=HTTP_201_CREATED, cookies=risen(request, device, cookies))
