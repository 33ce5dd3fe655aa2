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
from rulewright.web.pages.public import OnDesk, draw, opened_visit
from rulewright.web.params import Asking
from rulewright.web.server.security import within

MOST_BYTES = 100_000
PAPER_SECONDS = 20.0


def has_paper() -> bool:
    """Whether sheets can be printed to PDF here."""
    return find_spec("typst") is not None


def file_name(name: str, ending: str) -> dict[str, str]:
    """The header that names a downloaded file, in plain letters only."""
    return {"content-disposition": f'attachment; filename="{plain(name) or "sheet"}.{ending}"'}


def plain(name: str) -> str:
    """A name in plain letters for a file or a URL; empty if it has none."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def as_text(thing: Any) -> str:
    """A character as the text of its file."""
    return files.stamped(files.render(files.ordered(thing)))


@get("/file", sync_to_thread=True, include_in_schema=False)
def take_file(desk: OnDesk) -> Response[str]:
    """Download a sheet as a file."""
    text = as_text(desk.thing)
    return Response(text, media_type="application/yaml; charset=utf-8", headers=file_name(desk.sheet().name, "yaml"))


@get("/paper", sync_to_thread=True, include_in_schema=False)
def take_paper(desk: OnDesk) -> Response[bytes]:
    """Download a sheet as a PDF."""
    sheet = desk.sheet()
    with within(PAPER_SECONDS):
        document = pdf.pdf([sheet], desk.request.query_params.get("page", "a4"))
    return Response(document, media_type="application/pdf", headers=file_name(sheet.name, "pdf"))


@get("/open", sync_to_thread=True, include_in_schema=False)
def open_page(request: Asking) -> Template:
    """Show the page for opening a file."""
    return draw(request, "open.html", wrong="")


async def sent_file(request: Asking) -> tuple[bytes, str]:
    """The uploaded file up to the size limit, and its name; empty if none was chosen."""
    upload = (await request.form()).get("file")
    if not isinstance(upload, UploadFile):
        return b"", "the file"
    return await upload.read(MOST_BYTES + 1), upload.filename or "the file"


def read_in(content: bytes, shown: str, what: str) -> library.Kept:
    """Read an uploaded file. `what` completes "choose" in the error if there is none."""
    if not content:
        raise UserError(f"choose {what}")
    if len(content) > MOST_BYTES:
        raise UserError(f"{shown} is too large; the limit is {MOST_BYTES // 1000} kB")
    return library.opened(files.parse(content, shown), shown)


@post("/open/read", include_in_schema=False, status_code=HTTP_200_OK)
async def open_file(request: Asking) -> Template | Redirect:
    """Open an uploaded file as a sheet of this visitor."""
    content, shown = await sent_file(request)
    try:
        kept = read_in(content, shown, "the file of a character: YAML, as the command line and this site save it")
        if kept.kind not in kept.system.kinds:
            raise UserError(f"{shown} is {a(kept.kind)}, which has no sheet; choose a file of kind {' or '.join(kept.system.kinds)}")
    except UserError as error:
        return draw(request, "open.html", wrong=str(error))
    return opened(request, kept.system, kept.kind, kept.thing)


def opened(request: Asking, system: System, kind: str, thing: Any, then: str = "") -> Redirect:
    """Keep a character for this visitor and redirect to its sheet; `then` is a page below it."""
    visit, cookies = opened_visit(request)
    name = plain(str(getattr(thing, "name", ""))) or kind
    with visit.changing():
        visit.keep((system.id, OWN, name), thing)
    return Redirect(f"/games/{system.id}/{OWN}/{name}{then}", status_code=HTTP_303_SEE_OTHER, cookies=cookies)
