"""A table for other programs: export and import as one file, copies as Markdown pages, spreadsheet and calendar, and webhooks."""

import re
import time
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_303_SEE_OTHER

from rulewright.errors import UserError
from rulewright.table import webhooks
from rulewright.table.campaign_file import begun_from, campaign_text, new_table, read_campaign
from rulewright.table.commands.campaign_messages import BeginCampaign
from rulewright.table.permissions import Forbidden, is_gamemaster
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.storage import export
from rulewright.table.storage.calendar_file import calendar_file
from rulewright.table.storage.journal import journal
from rulewright.table.storage.log_file import log_csv
from rulewright.web.pages.public import FORM, render
from rulewright.web.params import FormFields, WebRequest
from rulewright.web.table.action_forms import field
from rulewright.web.table.seats import identify_device, rotate_device, seat_of, tables_of

TOKEN = re.compile("[0-9a-f]{32}")
"""What a program chooses to hear of the progress of its import."""
PROGRESS_SECONDS = 0.5


def _export_response(request: WebRequest, table: str) -> Response[bytes]:
    seat = seat_of(request, table)
    content = export.export(tables_of(request), table, seat.member)
    headers = {"content-disposition": f'attachment; filename="table-{table}.jsonl"'}
    return Response(content, media_type="application/x-ndjson", headers=headers)


@get("/tables/{table:str}/export", sync_to_thread=True, include_in_schema=False)
def export_file(request: WebRequest, table: FromPath[str]) -> Response[bytes]:
    """Download the table as one file: all of it for the gamemaster, what they may see for others."""
    return _export_response(request, table)


def campaign_copy(tables: Tables, table: str, member: str) -> bytes:
    """The table as a campaign file that begins now, for its gamemaster."""
    with tables.looking(table) as state:
        if not is_gamemaster(state.member(member)):
            raise Forbidden("only the gamemaster saves a table as a campaign file")
        return campaign_text(state).encode()


COPIES = {
    "journal": (journal, "journal.zip", "application/zip"),
    "log": (log_csv, "log.csv", "text/csv; charset=utf-8"),
    "campaign": (campaign_copy, "campaign.yaml", "application/yaml; charset=utf-8"),
    "calendar": (calendar_file, "calendar.ics", "text/calendar; charset=utf-8"),
}
"""Copies for other programs: the function that makes each, the end of its file name, and its media type."""


def _copy_response(request: WebRequest, table: str, kind: str) -> Response[bytes]:
    seat = seat_of(request, table)
    if kind not in COPIES:
        raise UserError(f"there is no copy {kind[:40]!r} of a table; there are {', '.join(COPIES)}")
    make, name, media_type = COPIES[kind]
    content = make(tables_of(request), table, seat.member)
    headers = {"content-disposition": f'attachment; filename="table-{table}-{name}"'}
    return Response(content, media_type=media_type, headers=headers)


@get("/tables/{table:str}/copies/{kind:str}", sync_to_thread=True, include_in_schema=False)
def copy_file(request: WebRequest, table: FromPath[str], kind: FromPath[str]) -> Response[bytes]:
    """Download a copy of the table for other programs."""
    return _copy_response(request, table, kind)


@get("/tables/{table:str}/copies/{kind:str}", sync_to_thread=True, tags=["tables"])
def copy_table(request: WebRequest, table: FromPath[str], kind: FromPath[str]) -> Response[bytes]:
    """Copy what you may see of a table: `journal` as Markdown pages in a zip file, `log` as CSV, `calendar` as iCalendar.

    `campaign` is a campaign file, for the gamemaster.
    """
    return _copy_response(request, table, kind)


@get("/tables/{table:str}/webhooks", sync_to_thread=True, include_in_schema=False)
def webhooks_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the webhooks of a table to its gamemaster."""
    return _webhooks_page(request, table, None)


@post("/tables/{table:str}/webhooks/change", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def change_webhooks(request: WebRequest, table: FromPath[str], form: FormFields) -> Template:
    """Add a webhook and show its secret this once, or remove one."""
    seat, tables = seat_of(request, table), tables_of(request)
    if field(form, "remove"):
        webhooks.remove(tables, table, seat.member, field(form, "remove"))
        return _webhooks_page(request, table, None)
    return _webhooks_page(request, table, webhooks.add(tables, table, seat.member, field(form, "url").strip()))


def _webhooks_page(request: WebRequest, table: str, made: webhooks.WebhookMade | None) -> Template:
    hooks = webhooks.shown(tables_of(request), table, seat_of(request, table).member)
    return render(request, "webhooks.html", table=table, hooks=hooks, made=made)


@get("/import", sync_to_thread=True, include_in_schema=False)
def import_page(request: WebRequest) -> Template:
    """Show the page for importing a table."""
    return render(request, "import.html", wrong="")


@get("/import/progress/{token:str}", sync_to_thread=True, tags=["tables"])
def import_progress(request: WebRequest, token: FromPath[str]) -> dict[str, float | None]:
    """How far an import is, from 0 to 1; null before it begins and after its end."""
    return {"share": tables_of(request).store.progress(token) if TOKEN.fullmatch(token) else None}


def _bring_in(request: WebRequest, content: bytes, device: str) -> Hosting:
    """Import a table, and store the progress under the token of the request, at most twice a second."""
    tables, token, last = tables_of(request), request.query_params.get("progress", ""), 0.0
    if not content.lstrip().startswith(b"{"):
        return begin_table(tables, content, device)
    if not TOKEN.fullmatch(token):
        return export.bring_in(tables, content, device)

    def store_progress(share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_SECONDS:
            tables.store.set_progress(token, share)
            last = time.monotonic()

    try:
        return export.bring_in(tables, content, device, store_progress)
    finally:
        tables.store.forget_progress(token)


def begin_table(tables: Tables, content: bytes, device: str) -> Hosting:
    """Open a new table that begins from a campaign file; nothing is opened if the file has a fault."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError("choose the exported file of a table, or a campaign file") from None
    kept, people = read_campaign(text)
    begun_from(new_table(kept), kept, people)
    hosting = tables.host(kept.system.id, kept.thing.name, "Gamemaster", device)
    tables.act(hosting.table, hosting.member, BeginCampaign(text))
    return hosting


async def read_upload(request: WebRequest) -> bytes:
    """The content of the uploaded file."""
    form = await request.form()
    upload = form.get("file")
    if not isinstance(upload, UploadFile):
        raise UserError("choose the exported file of a table, or a campaign file")
    return await upload.read()


@post("/import/read", include_in_schema=False, request_max_body_size=export.MOST_BYTES, status_code=HTTP_200_OK)
async def import_file(request: WebRequest) -> Template | Redirect:
    """Import a table from a file; the device becomes its gamemaster."""
    from anyio.to_thread import run_sync

    device, cookies = identify_device(request)
    try:
        content = await read_upload(request)
        made = await run_sync(_bring_in, request, content, device)
    except UserError as error:
        return render(request, "import.html", wrong=str(error))
    return Redirect(f"/tables/{made.table}", status_code=HTTP_303_SEE_OTHER, cookies=rotate_device(request, device, cookies))


@get("/tables/{table:str}/export", sync_to_thread=True, tags=["tables"])
def export_table(request: WebRequest, table: FromPath[str]) -> Response[bytes]:
    """Export a table as one file: all of it for the gamemaster, what they may see for others."""
    return _export_response(request, table)


@post("/import", tags=["tables"], request_max_body_size=export.MOST_BYTES, status_code=HTTP_201_CREATED)
async def import_table(request: WebRequest) -> Response[dict[str, Any]]:
    """Import a table from an exported file, with this device as its gamemaster.

    With `?progress=TOKEN`, 32 random hexadecimal digits, `/api/import/progress/TOKEN` tells how far it is.
    """
    from anyio.to_thread import run_sync

    device, cookies = identify_device(request)
    made = await run_sync(_bring_in, request, await request.body(), device)
    content = {"table": made.table, "member": made.member, "gamemaster": made.gamemaster_link, "invitation": made.invitation}
    return Response(content, status_code=HTTP_201_CREATED, cookies=rotate_device(request, device, cookies))
