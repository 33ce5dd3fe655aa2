"""Notes and handouts of a table, with pictures; and pictures of characters."""

from anyio.to_thread import run_sync
from litestar import get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from rulewright.errors import UserError
from rulewright.table.commands.messages import PictureCharacter, RemoveNote, WriteNote
from rulewright.table.storage import pictures
from rulewright.web.maps.picture_pages import MAX_UPLOAD_BYTES, read_picture
from rulewright.web.params import WebRequest
from rulewright.web.table import table_sheets
from rulewright.web.table.action_forms import field, parse_action
from rulewright.web.table.seats import device_of, seat_of, tables_of
from rulewright.web.table.table_pages import ROUTE, TablePage


@get(ROUTE + "/notes", sync_to_thread=True, include_in_schema=False)
def notes_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show your own notes and those shared with you."""
    page = TablePage(request, table)
    return page.show("notes.html", names={member.id: member.name for member in page.seen.members})


@post(ROUTE + "/notes/write", include_in_schema=False, request_max_body_size=MAX_UPLOAD_BYTES, status_code=HTTP_303_SEE_OTHER)
async def write_note(request: WebRequest, table: FromPath[str]) -> Redirect:
    """Save or remove a note; an attached picture is added below its text."""
    form = await request.form()
    seat = await run_sync(seat_of, request, table)
    action = parse_action(form)
    if not isinstance(action, WriteNote | RemoveNote):
        raise UserError("this address only saves and removes notes")
    if isinstance(action, WriteNote) and _has_file(form):
        data, name, _ = await read_picture(request)
        digest = await run_sync(pictures.keep, tables_of(request), table, seat.member, data, name, "handout")
        alt = "".join(letter for letter in name.rpartition(".")[0] or name if letter not in "[]()")
        text = f"{action.text.rstrip()}\n\n![{alt}](picture:{digest})".strip()
        action = WriteNote(action.title, text, action.readers, action.note, action.to)
    await run_sync(tables_of(request).act, table, seat.member, action, field(form, "key")[:80], device_of(request))
    return Redirect(f"/tables/{table}/notes", status_code=HTTP_303_SEE_OTHER)


@post(table_sheets.ROUTE + "/picture", include_in_schema=False, request_max_body_size=MAX_UPLOAD_BYTES, status_code=HTTP_303_SEE_OTHER)
async def picture_character(request: WebRequest, table: FromPath[str], character: FromPath[str]) -> Redirect:
    """Set a character's picture for portrait and token; without a file, remove it."""
    form = await request.form()
    seat = await run_sync(seat_of, request, table)
    digest = ""
    if _has_file(form):
        data, name, _ = await read_picture(request)
        digest = await run_sync(pictures.keep, tables_of(request), table, seat.member, data, name, "portrait")
    elif not field(form, "none"):
        raise UserError("choose a picture: PNG, JPEG or WebP")
    await run_sync(tables_of(request).act, table, seat.member, PictureCharacter(character, digest), "", device_of(request))
    where = f"/tables/{table}/characters/{character}" if field(form, "back") == "sheet" else f"/tables/{table}/people"
    return Redirect(where, status_code=HTTP_303_SEE_OTHER)


def _has_file(form: FormMultiDict) -> bool:
    upload = form.get("file")
    return isinstance(upload, UploadFile) and bool(upload.filename)
