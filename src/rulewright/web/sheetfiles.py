"""A sheet taken away as a file or on paper, and a file of one's own opened as a sheet."""

import re
from importlib.util import find_spec
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER, HTTP_400_BAD_REQUEST

from rulewright import files, library
from rulewright.errors import Wrong
from rulewright.show import paper
from rulewright.system import System
from rulewright.web import pages, tablesheets
from rulewright.web.asked import Asking
from rulewright.web.games import OWN
from rulewright.web.pages import Desk, ReadyDesk, draw, opened_visit
from rulewright.web.safety import within
from rulewright.web.tablesheets import TableDesk

ON_TOP = ("system", "kind", "name")
MOST_BYTES = 100_000
PAPER_SECONDS = 20.0


def has_paper() -> bool:
    """Whether sheets can be set on paper here."""
    return find_spec("typst") is not None


def file_name(name: str, ending: str) -> dict[str, str]:
    """The header that has a browser keep it under this name: plain letters only, whatever somebody is called."""
    return {"content-disposition": f'attachment; filename="{plain(name) or "sheet"}.{ending}"'}


def plain(name: str) -> str:
    """A name in plain letters, for a file or an address; empty where it has none."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def as_text(thing: Any) -> str:
    """A thing as the text of its file."""
    data = msgspec.to_builtins(thing)
    return files.stamped(files.render({**{key: data[key] for key in ON_TOP if key in data}, **data}))


def _as_file(desk: Desk) -> Response[str]:
    text = as_text(desk.thing)
    return Response(text, media_type="application/yaml; charset=utf-8", headers=file_name(desk.sheet().name, "yaml"))


def _on_paper(desk: Desk) -> Response[bytes]:
    sheet = desk.sheet()
    with within(PAPER_SECONDS):
        drawn = paper.pdf([sheet], desk.request.query_params.get("page", "a4"))
    return Response(drawn, media_type="application/pdf", headers=file_name(sheet.name, "pdf"))


@get(pages.WHERE + "/file", sync_to_thread=True, include_in_schema=False)
def take_file(request: Asking, system: FromPath[str], folder: FromPath[str], name: FromPath[str]) -> Response[str]:
    """The visitor's copy as a file."""
    return _as_file(ReadyDesk(request, system, folder, name))


@get(pages.WHERE + "/paper", sync_to_thread=True, include_in_schema=False)
def take_paper(request: Asking, system: FromPath[str], folder: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """The visitor's copy as a PDF."""
    return _on_paper(ReadyDesk(request, system, folder, name))


@get(tablesheets.WHERE + "/file", sync_to_thread=True, include_in_schema=False)
def take_file_from_table(request: Asking, table: FromPath[str], character: FromPath[str]) -> Response[str]:
    """A character of a table as a file."""
    return _as_file(TableDesk(request, table, character))


@get(tablesheets.WHERE + "/paper", sync_to_thread=True, include_in_schema=False)
def take_paper_from_table(request: Asking, table: FromPath[str], character: FromPath[str]) -> Response[bytes]:
    """A character of a table as a PDF."""
    return _on_paper(TableDesk(request, table, character))


@get("/open", sync_to_thread=True, include_in_schema=False)
def open_page(request: Asking) -> Template:
    """Where a file of one's own is opened."""
    return draw(request, "open.html", wrong="")


@post("/open/read", include_in_schema=False, status_code=HTTP_200_OK)
async def open_file(request: Asking) -> Template | Redirect:
    """A file of one's own as a sheet, kept for this visitor."""
    form = await request.form()
    sent = form.get("file")
    content = await sent.read(MOST_BYTES + 1) if isinstance(sent, UploadFile) else b""
    shown = sent.filename if isinstance(sent, UploadFile) and sent.filename else "the file"
    try:
        if not content:
            raise Wrong("choose the file of a character: YAML, as the command line and this site save it")
        if len(content) > MOST_BYTES:
            raise Wrong(f"{shown} is too large: {MOST_BYTES // 1000} kB is the most")
        kept = library.opened(files.parse(content, shown), shown)
        if kept.kind not in kept.system.kinds:
            raise Wrong(f"{shown} is a {kept.kind}, which has no sheet; give {' or '.join(kept.system.kinds)}")
    except Wrong as wrong:
        return draw(request, "open.html", HTTP_400_BAD_REQUEST, wrong=str(wrong))
    return opened(request, kept.system, kept.kind, kept.thing)


def opened(request: Asking, system: System, kind: str, thing: Any, then: str = "") -> Redirect:
    """To the sheet of something that is not ready-made, kept for this visitor; `then` is a page below it."""
    visit, cookies = opened_visit(request)
    name = plain(str(getattr(thing, "name", ""))) or kind
    with visit.changing():
        visit.keep((system.id, OWN, name), thing)
    return Redirect(f"/games/{system.id}/{OWN}/{name}{then}", status_code=HTTP_303_SEE_OTHER, cookies=cookies)


HANDLERS = (take_file, take_paper, take_file_from_table, take_paper_from_table, open_page, open_file)
