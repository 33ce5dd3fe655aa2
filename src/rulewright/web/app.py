"""The server: pages, the interface for programs, static files, and one way to refuse."""

import hashlib
import logging
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Litestar, Response, Router
from litestar.datastructures import CacheControlHeader, State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig
from sqlalchemy.exc import SQLAlchemyError

from rulewright import __version__
from rulewright.errors import UserError
from rulewright.files import images
from rulewright.table.open_tables import Full, NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.table.storage import export
from rulewright.table.storage.store import outage
from rulewright.web import translation
from rulewright.web.maps import map_pages, picture_pages, reachable_places, scene_pages, view_as
from rulewright.web.markdown import formatted
from rulewright.web.pages import api, game_options, import_character, lab, npc_generator, public, rule_book
from rulewright.web.pages.games import Missing
from rulewright.web.pages.visitor_drafts import Visits
from rulewright.web.params import Asking
from rulewright.web.server import monitoring
from rulewright.web.server.addresses import Reach
from rulewright.web.server.security import MOST_BYTES, Rates, add_headers, not_too_often, same_origin
from rulewright.web.sheets import experience, sheet_files
from rulewright.web.sheets.diagrams import fan, stretches
from rulewright.web.sheets.glossary import meanings, worded
from rulewright.web.sheets.odds_bars import number, percent, terms
from rulewright.web.table import house_rules, notes, table_api, table_files, table_pages, table_sheets
from rulewright.web.table.live_updates import Live, TooMany

STATIC = Path(__file__).parent / "static"
log = logging.getLogger("rulewright.web")


def create_app(db: str | None = None, rates: Rates | None = None, reach: Reach | None = None) -> Litestar:
    """The application; `db` is where tables are kept, a file in the user's own folder where nothing is said; `reach` is where it can be
    reached."""
    app = pages_alone()
    furnish(app, db, rates, reach)
    return app


def furnish(app: Litestar, db: str | None = None, rates: Rates | None = None, reach: Reach | None = None) -> None:
    """Give an application what it keeps: tables and visits, who listens, how often somebody may ask. What it kept before is left behind."""
    tables = Tables(db)
    live = Live(tables, _environment())
    app.state = State(
        {"visits": Visits(tables.store), "tables": tables, "live": live, "rates": rates or Rates(), "reach": reach or Reach()}
    )
    app.on_startup = [live.start]
    app.on_shutdown = [live.close, tables.close, lab.JOBS.close]


def pages_alone() -> Litestar:
    """Everything that is served, without anything kept."""
    return Litestar(
        route_handlers=[
            *_served(),
            create_static_files_router("/static", [STATIC], cache_control=CacheControlHeader(max_age=3600, public=True)),
        ],
        guards=[same_origin, not_too_often],
        before_request=_choose_language if translation.languages() else None,
        before_send=[add_headers],
        exception_handlers={
            UserError: _refused,
            HTTPException: _not_served,
            SQLAlchemyError: _out_of_order,
            RecursionError: _too_deep,
            Exception: _failed,
        },
        request_max_body_size=MOST_BYTES,
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(_environment())),
        openapi_config=OpenAPIConfig(
            title="Rulewright",
            version=__version__,
            description="Characters, exact odds, dice and rules of tabletop role-playing games.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        logging_config=None,
        debug=False,
    )


ROOMS = (
    *(public, game_options, rule_book, lab, table_pages, reachable_places, picture_pages, notes, map_pages, scene_pages, view_as),
    *(table_files, sheet_files, house_rules, import_character, npc_generator, experience, monitoring, api, table_api),
)
"""Wherever something is served."""
ON_DESK = (
    *(public.sheet_page, public.test_panel, public.change_field, public.carry_out_repair, public.roll_test),
    *(sheet_files.take_file, sheet_files.take_paper, experience.advance_page, experience.advance),
)


def _served() -> list[HTTPRouteHandler | Router]:
    """What all rooms serve: pages at their addresses, what is done on a desk at those of both sorts of desks, and below /api what is
    described for programs."""
    http_route_handlers = [
        handler for room in ROOMS for handler in vars(room).values() if isinstance(handler, HTTPRouteHandler) and handler not in ON_DESK
    ]
    desks = {public.WHERE: public.ReadyDesk, table_sheets.WHERE: table_sheets.TableDesk}
    return [
        *(http_route_handler for http_route_handler in http_route_handlers if not http_route_handler.tags),
        *(
            Router(where, route_handlers=ON_DESK, dependencies={"desk": Provide(desk, sync_to_thread=True)})
            for where, desk in desks.items()
        ),
        Router("/api", route_handlers=[http_route_handler for http_route_handler in http_route_handlers if http_route_handler.tags]),
    ]


async def _choose_language(request: Asking) -> None:
    translation.choose(request.headers.get("accept-language", ""))


@cache
def _environment() -> Environment:
    """The templates, read once."""
    environment = Environment(
        loader=PackageLoader("rulewright.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    translation.install(environment)
    environment.globals.update(
        formatted=formatted,
        static=_static,
        number=number,
        fan_of=fan,
        stretches_of=stretches,
        percent=percent,
        terms=terms,
        worded=worded,
        meanings=meanings,
        version=__version__,
    )
    environment.globals["has_paper"] = sheet_files.has_paper()
    return environment


@cache
def _static(name: str) -> str:
    """The address of a static file, with a mark of its content so that a new version is fetched; nothing for one that is not there."""
    path = STATIC / name
    if not path.is_file():
        return ""
    return f"/static/{name}?v={hashlib.blake2b(path.read_bytes(), digest_size=6).hexdigest()}"


# --- refusals -----------------------------------------------------------------------------------------------------------------


def _refused(request: Asking, wrong: UserError) -> Response[Any]:
    status = 404 if isinstance(wrong, Missing | NotHere) else 403 if isinstance(wrong, Forbidden) else 400
    if isinstance(wrong, TooMany | Full):
        answer = _said(request, 503, str(wrong))
        answer.headers["retry-after"] = str(getattr(wrong, "seconds", FULL_SECONDS))
        return answer
    return _said(request, status, str(wrong))


FULL_SECONDS = 3_600
"""A server without room has some after so long, if at all."""


WORDS = {
    403: "This request came from another site.",
    404: "There is no such page.",
    405: "This page cannot be asked for like that.",
    429: "This is too often: wait a moment.",
}


HUNG_UP = "client disconnected prematurely"
"""What the framework says of a client that is gone before its request is whole: nobody reads the answer, and nothing here is wrong."""


def _not_served(request: Asking, error: HTTPException) -> Response[Any]:
    if error.status_code >= 500:
        return _said(request, 400, HUNG_UP) if error.detail == HUNG_UP else _failed(request, error)
    said = WORDS.get(error.status_code) or _first_fault(error)
    if error.status_code == 413:
        said = f"This is too large: {_most(request.url.path)} is the most."
    return _said(request, error.status_code, said)


def _most(path: str) -> str:
    """The largest that a request to a path may be, in words."""
    large = export.MOST_BYTES if "/import" in path else images.MOST_BYTES if path.endswith(("/pictures", "/maps/new", "/picture")) else 0
    return f"{large >> 20} MB" if large else f"{MOST_BYTES // 1024} kB"


def _first_fault(error: HTTPException) -> str:
    """What does not fit, in one sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    for fault in extra:
        if isinstance(fault, dict) and fault.get("message"):
            return f"{fault.get('key') or 'what was sent'}: {fault['message']}"
    return str(error.detail)[:300]


def _too_deep(request: Asking, error: RecursionError) -> Response[Any]:
    """JSON nested too deep to be read is the sender's mistake; any other endless recursion is ours."""
    return _said(request, 400, "what was sent is nested too deep") if "deserializing" in str(error) else _failed(request, error)


RETRY_SECONDS = 30
"""After so long it is worth asking a database again that could not serve."""


def _out_of_order(request: Asking, error: SQLAlchemyError) -> Response[Any]:
    """A full disk or a lost database: nothing was changed, why, and when to come back."""
    reason = outage(error)
    if not reason:
        return _failed(request, error)
    log.error("%s %s: %s (%s)", request.method, request.url.path, reason, " ".join(str(getattr(error, "orig", error)).split())[:300])
    answer = _said(request, 503, f"{reason}, so that nothing was changed: try again later, or tell whoever runs this server")
    answer.headers["retry-after"] = str(RETRY_SECONDS)
    return answer


def _failed(request: Asking, error: Exception) -> Response[Any]:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _said(request, 500, "Something went wrong here, and it is not your fault.")


_TITLES = {404: "Not here", 500: "Something broke", 503: "Not just now"}


def _said(request: Asking, status: int, sentence: str) -> Response[Any]:
    """The refusal as JSON for programs, as a page for people, and as a line for a page that asked for a piece of itself."""
    if request.url.path.startswith("/api/"):
        return Response({"error": sentence}, status_code=status)
    sentence, title = sentence[:1].upper() + sentence[1:], _TITLES.get(status, "Not like that")
    if not public.from_page(request):
        return public.draw(request, "wrong.html", status, sentence=sentence, title=title)
    piece = public.draw(request, "wrong_piece.html", status, sentence=sentence)
    piece.headers.update({"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"})
    return piece
