"""Pictures over HTTP: upload, list, remove, and show to members who may see them."""

from typing import Any

import msgspec
from anyio.to_thread import run_sync
from litestar import Response, delete, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.status_codes import HTTP_201_CREATED, HTTP_204_NO_CONTENT, HTTP_303_SEE_OTHER, HTTP_304_NOT_MODIFIED

from rulewright.errors import UserError
from rulewright.files.images import MOST_BYTES
from rulewright.table import limits
from rulewright.table.storage import pictures
from rulewright.web.params import WebRequest
from rulewright.web.table.seats import seat_of, tables_of

ROUTE = "/tables/{table:str}/pictures"
MAX_UPLOAD_BYTES = MOST_BYTES + 100_000
"""A picture with the form around it."""
YEAR = 365 * 24 * 3600


async def read_picture(request: WebRequest) -> tuple[bytes, str, str]:
    """The picture of a form: its content, its name and its purpose."""
    form = await request.form()
    upload = form.get("file")
    if not isinstance(upload, UploadFile):
        raise UserError("choose a picture: PNG, JPEG or WebP")
    name, purpose = form.get("name"), form.get("purpose")
    shown_name = name if isinstance(name, str) and name.strip() else upload.filename.rpartition("/")[2].rpartition("\\")[2]
    shown_name = "".join(letter for letter in shown_name if letter.isprintable())[: limits.NAME]
    return await upload.read(), shown_name, purpose if isinstance(purpose, str) and purpose else "handout"


async def _save_picture(request: WebRequest, table: str) -> Response[dict[str, Any]]:
    seat = await run_sync(seat_of, request, table)
    data, name, purpose = await read_picture(request)
    tables = tables_of(request)
    digest = await run_sync(pictures.keep, tables, table, seat.member, data, name, purpose)
    picture = await run_sync(pictures.there, tables, table, seat.member, digest)
    return Response(msgspec.to_builtins(picture), status_code=HTTP_201_CREATED)


@post(ROUTE, include_in_schema=False, request_max_body_size=MAX_UPLOAD_BYTES, status_code=HTTP_201_CREATED)
async def send_picture(request: WebRequest, table: FromPath[str]) -> Response[dict[str, Any]]:
    """Save a picture sent by a page; returns its digest and size."""
    return await _save_picture(request, table)


def _show_picture(request: WebRequest, table: str, picture: str) -> Response[bytes]:
    seat = seat_of(request, table)
    body = pictures.body(tables_of(request), table, seat.member, picture)
    return picture_response(request, body, picture)


def picture_response(request: WebRequest, body: bytes, mark: str) -> Response[bytes]:
    """A picture as a response. It never changes, so browsers keep it for a year; shared caches do not."""
    headers = {
        "cache-control": f"private, max-age={YEAR}, immutable",
        "etag": f'"{mark}"',
        "content-disposition": f'inline; filename="{mark[:32]}.webp"',
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="image/webp", headers=headers)


@get(ROUTE + "/{picture:str}", sync_to_thread=True, include_in_schema=False)
def picture(request: WebRequest, table: FromPath[str], picture: FromPath[str]) -> Response[bytes]:
    """Show a picture of the table."""
    return _show_picture(request, table, picture)


@post(ROUTE + "/{picture:str}/remove", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def remove_picture(request: WebRequest, table: FromPath[str], picture: FromPath[str]) -> Redirect:
    """Remove a picture, from the page of maps."""
    seat = seat_of(request, table)
    pictures.remove(tables_of(request), table, seat.member, picture)
    return Redirect(f"/tables/{table}/maps", status_code=HTTP_303_SEE_OTHER)


@get(ROUTE, sync_to_thread=True, tags=["tables"])
def api_pictures(request: WebRequest, table: FromPath[str]) -> Response[list[dict[str, Any]]]:
    """List the pictures that you may see, the latest first."""
    seat = seat_of(request, table)
    return Response(msgspec.to_builtins(pictures.listed(tables_of(request), table, seat.member)))


@get(ROUTE + "/{picture:str}", sync_to_thread=True, tags=["tables"])
def api_picture(request: WebRequest, table: FromPath[str], picture: FromPath[str]) -> Response[bytes]:
    """Get a picture as WebP."""
    return _show_picture(request, table, picture)


@post(ROUTE, tags=["tables"], request_max_body_size=MAX_UPLOAD_BYTES, status_code=HTTP_201_CREATED)
async def api_send_picture(request: WebRequest, table: FromPath[str]) -> Response[dict[str, Any]]:
    """Upload a picture, sent as a form with `file` (PNG, JPEG, WebP), `name` and `purpose` (portrait, handout or map)."""
    return await _save_picture(request, table)


@delete(ROUTE + "/{picture:str}", tags=["tables"], status_code=HTTP_204_NO_CONTENT)
async def api_remove_picture(request: WebRequest, table: FromPath[str], picture: FromPath[str]) -> None:
    """Remove one of your pictures; the gamemaster can remove any."""
    seat = await run_sync(seat_of, request, table)
    await run_sync(pictures.remove, tables_of(request), table, seat.member, picture)
