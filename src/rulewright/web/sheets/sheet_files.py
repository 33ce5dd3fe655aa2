"""Sheets as files: download as YAML or PDF, and open a file as a sheet."""

import re
from importlib.util import find_spec
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.show import pdf
from rulewright.system import System
from rulewright.web.pages.games import OWN
from rulewright.web.pages.public import InjectedEditor, ensure_visit, render
from rulewright.web.params import WebRequest
from rulewright.web.server.security import time_limit

MAX_BYTES = 100_000
PAPER_SECONDS = 20.0


def can_print() -> bool:
    """Whether sheets can be printed to PDF here."""
    return find_spec("typst") is not None


def file_name(name: str, ending: str) -> dict[str, str]:
    """The header that names a downloaded file, in plain letters only."""
    return {"content-disposition": f'attachment; filename="{plain_name(name) or "sheet"}.{ending}"'}


def plain_name(name: str) -> str:
    """A name in plain letters for a file or a URL; empty if it has none."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def to_file_text(thing: Any) -> str:
    """A character as the text of its file."""
    return files.stamped(files.render(files.ordered(thing)))


@get("/file", sync_to_thread=True, include_in_schema=False)
def download_file(editor: InjectedEditor) -> Response[str]:
    """Download a sheet as a file."""
    text = to_file_text(editor.thing)
    return Response(text, media_type="application/yaml; charset=utf-8", headers=file_name(editor.sheet().name, "yaml"))


@get("/paper", sync_to_thread=True, include_in_schema=False)
def download_pdf(editor: InjectedEditor) -> Response[bytes]:
    """Download a sheet as a PDF."""
    sheet = editor.sheet()
    with time_limit(PAPER_SECONDS):
        document = pdf.pdf([sheet], editor.request.query_params.get("page", "a4"))
    return Response(document, media_type="application/pdf", headers=file_name(sheet.name, "pdf"))


@get("/open", sync_to_thread=True, include_in_schema=False)
def open_page(request: WebRequest) -> Template:
    """Show the page for opening a file."""
    return render(request, "open.html", wrong="")


async def read_upload(request: WebRequest) -> tuple[bytes, str]:
    """The uploaded file up to the size limit, and its name; empty if none was chosen."""
    upload = (await request.form()).get("file")
    if not isinstance(upload, UploadFile):
        return b"", "the file"
    return await upload.read(MAX_BYTES + 1), upload.filename or "the file"


def parse_upload(content: bytes, shown: str, what: str) -> library.Kept:
    """Read an uploaded file. `what` completes "choose" in the error if there is none."""
    if not content:
        raise UserError(f"choose {what}")
    if len(content) > MAX_BYTES:
        raise UserError(f"{shown} is too large; the limit is {MAX_BYTES // 1000} kB")
    return library.opened(files.parse(content, shown), shown)


@post("/open/read", include_in_schema=False, status_code=HTTP_200_OK)
async def open_file(request: WebRequest) -> Template | Redirect:
    """Open an uploaded file as a sheet of this visitor."""
    content, shown = await read_upload(request)
    try:
        kept = parse_upload(content, shown, "the file of a character: YAML, as the command line and this site save it")
        if kept.kind not in kept.system.kinds:
            raise UserError(f"{shown} is {a(kept.kind)}, which has no sheet; choose a file of kind {' or '.join(kept.system.kinds)}")
    except UserError as error:
        return render(request, "open.html", wrong=str(error))
    return open_for_visitor(request, kept.system, kept.kind, kept.thing)


def open_for_visitor(request: WebRequest, system: System, kind: str, thing: Any, then: str = "") -> Redirect:
    """Keep a character for this visitor and redirect to its sheet; `then` is a page below it."""
    visit, cookies = ensure_visit(request)
    name = plain_name(str(getattr(thing, "name", ""))) or kind
    with visit.changing():
        visit.keep((system.id, OWN, name), thing)
    return Redirect(f"/games/{system.id}/{OWN}/{name}{then}", status_code=HTTP_303_SEE_OTHER, cookies=cookies)
