"""The web application: page and API handlers, static files, error responses."""

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

from rulewright.errors import UserError
from rulewright.files import images
from rulewright.table.open_tables import Full, NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.table.storage import export
from rulewright.table.storage.store import outage
from rulewright.version import __version__
from rulewright.web import translation
from rulewright.web.builder import trial_fight
from rulewright.web.campaign import downtime_pages, plan_pages, roll_request_pages
from rulewright.web.maps import map_pages, picture_pages, reachable_places, scene_pages, scene_start, view_as
from rulewright.web.markdown import render_line, render_markdown
from rulewright.web.pages import api, game_options, game_page, home, import_character, lab, npc_generator, odds, public, rule_book
from rulewright.web.pages.games import Missing
from rulewright.web.pages.visitor_drafts import VisitStore
from rulewright.web.params import WebRequest
from rulewright.web.server import monitoring
from rulewright.web.server.addresses import ServerAddresses
from rulewright.web.server.security import MAX_BYTES, Rates, add_headers, limit_rate, require_same_origin
from rulewright.web.server.webhook_delivery import WebhookDelivery
from rulewright.web.sheets import experience, sheet_files, visitor_sheets
from rulewright.web.sheets.diagrams import fan, stretches
from rulewright.web.sheets.glossary import list_meanings, mark_terms
from rulewright.web.sheets.odds_bars import format_number, format_percent, list_terms
from rulewright.web.table import house_rules, notes, table_api, table_files, table_pages, table_sheets
from rulewright.web.table.live_updates import LiveUpdates, TooManyListeners
from rulewright.web.table.log_lines import is_headline

STATIC = Path(__file__).parent / "static"
log = logging.getLogger("rulewright.web")


def create_app(db: str | None = None, rates: Rates | None = None, reach: ServerAddresses | None = None) -> Litestar:
    """Create the application with its database.

    `db` is the database of the tables; the default is a file in the user's data folder. `reach` holds the addresses of the server.
    """
    app = build_app()
    attach_services(app, db, rates, reach)
    return app


def attach_services(app: Litestar, db: str | None = None, rates: Rates | None = None, reach: ServerAddresses | None = None) -> None:
    """Attach tables, visits, live updates, rate limits and addresses to an application. Replaces those attached before."""
    tables = Tables(db)
    live = LiveUpdates(tables, _environment())
    app.state = State(
        {"visits": VisitStore(tables.store), "tables": tables, "live": live, "rates": rates or Rates(), "reach": reach or ServerAddresses()}
        | {"starting": {}}
    )
    delivery = WebhookDelivery(tables, app.state.reach.local_webhooks)
    app.on_startup = [live.start, delivery.start]
    app.on_shutdown = [delivery.close, live.close, tables.close, lab.JOBS.close]


def build_app() -> Litestar:
    """Create the application with all its handlers, but without a database."""
    return Litestar(
        route_handlers=[
            *_collect_handlers(),
            create_static_files_router("/static", [STATIC], cache_control=CacheControlHeader(max_age=3600, public=True)),
        ],
        guards=[require_same_origin, limit_rate],
        before_request=_choose_language if translation.languages() else None,
        before_send=[add_headers],
        exception_handlers={
            UserError: _handle_user_error,
            HTTPException: _handle_http_error,
            SQLAlchemyError: _handle_database_error,
            RecursionError: _handle_recursion_error,
            UnicodeDecodeError: _handle_undecodable_body,
            LookupError: _handle_undecodable_body,
            Exception: _handle_unexpected_error,
        },
        request_max_body_size=MAX_BYTES,
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


HANDLER_MODULES = (
    *(
        home,
        game_page,
        public,
        visitor_sheets,
        odds,
        game_options,
        rule_book,
        lab,
        table_pages,
        reachable_places,
        picture_pages,
        notes,
        map_pages,
        scene_pages,
        scene_start,
        view_as,
        roll_request_pages,
        downtime_pages,
        plan_pages,
    ),
    *(table_files, sheet_files, house_rules, import_character, npc_generator, experience, monitoring, api, table_api, table_sheets),
)
"""The modules that define handlers."""
SHEET_HANDLERS = (
    *(public.sheet_page, public.test_panel, public.change_field, public.repair_problem, public.roll_test),
    *(sheet_files.download_file, sheet_files.download_pdf, experience.advance_page, experience.advance),
    trial_fight.try_fight,
)


def _collect_handlers() -> list[HTTPRouteHandler | Router]:
    """Collect the handlers of all modules.

    Handlers with a tag belong to the API and get the prefix /api. Handlers of a sheet are served for characters of visitors and of tables.
    """
    handlers = [
        handler
        for module in HANDLER_MODULES
        for handler in vars(module).values()
        if isinstance(handler, HTTPRouteHandler) and handler not in SHEET_HANDLERS
    ]
    api_handlers = [handler for handler in handlers if handler.tags]
    for handler in api_handlers:
        handler.summary = handler.summary or _first_line(handler.fn.__doc__ or "")
    editors = {visitor_sheets.ROUTE: visitor_sheets.VisitorSheetEditor, table_sheets.ROUTE: table_sheets.TableSheetEditor}
    return [
        *(handler for handler in handlers if not handler.tags),
        *(
            Router(path, route_handlers=SHEET_HANDLERS, dependencies={"editor": Provide(editor, sync_to_thread=True)})
            for path, editor in editors.items()
        ),
        Router("/api", route_handlers=api_handlers),
    ]


async def _choose_language(request: WebRequest) -> None:
    translation.choose(request.headers.get("accept-language", ""))


def _first_line(docstring: str) -> str:
    """The first line of a docstring without its full stop: the summary of an API handler."""
    return docstring.strip().partition("\n")[0].removesuffix(".")


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
        formatted=render_markdown,
        formatted_line=render_line,
        static=_static,
        number=format_number,
        fan_of=fan,
        stretches_of=stretches,
        percent=format_percent,
        terms=list_terms,
        worded=mark_terms,
        is_headline=is_headline,
        meanings=list_meanings,
        version=__version__,
    )
    environment.globals["has_paper"] = sheet_files.can_print()
    return environment


@cache
def _static(name: str) -> str:
    """The URL of a static file, with a hash of its content so that browsers fetch a new version; empty if there is no such file."""
    path = STATIC / name
    if not path.is_file():
        return ""
    return f"/static/{name}?v={hashlib.blake2b(path.read_bytes(), digest_size=6).hexdigest()}"


# --- errors -------------------------------------------------------------------------------------------------------------------


def _handle_user_error(request: WebRequest, wrong: UserError) -> Response[Any]:
    status = 404 if isinstance(wrong, Missing | NotHere) else 403 if isinstance(wrong, Forbidden) else 400
    if isinstance(wrong, TooManyListeners | Full):
        answer = _error_response(request, 503, str(wrong))
        answer.headers["retry-after"] = str(getattr(wrong, "seconds", FULL_SECONDS))
        return answer
    return _error_response(request, status, str(wrong))


FULL_SECONDS = 3_600
"""Retry-After of a server that has no space for another table."""


STATUS_TEXTS = {
    403: "This request came from another site.",
    404: "There is no such page.",
    405: "This address does not accept this kind of request.",
    429: "Too many requests. Wait a moment and try again.",
}


CLIENT_GONE = "client disconnected prematurely"
"""The framework's message for a client that disconnects before its request is complete. Nobody reads the answer; it is not an error."""


def _handle_http_error(request: WebRequest, error: HTTPException) -> Response[Any]:
    if error.status_code >= 500:
        return _error_response(request, 400, CLIENT_GONE) if error.detail == CLIENT_GONE else _handle_unexpected_error(request, error)
    said = STATUS_TEXTS.get(error.status_code) or _first_validation_error(error)
    if error.status_code == 413:
        said = f"This is too large. The limit is {_size_limit(request.url.path)}."
    return _error_response(request, error.status_code, said)


def _size_limit(path: str) -> str:
    """The largest size of a request to a path, with its unit."""
    large = export.MOST_BYTES if "/import" in path else images.MOST_BYTES if path.endswith(("/pictures", "/maps/new", "/picture")) else 0
    return f"{large >> 20} MB" if large else f"{MAX_BYTES // 1024} kB"


def _first_validation_error(error: HTTPException) -> str:
    """The first validation error, in one sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    for fault in extra:
        if isinstance(fault, dict) and fault.get("message"):
            return f"{fault.get('key') or 'the request'}: {fault['message']}"
    return str(error.detail)[:300]


def _handle_recursion_error(request: WebRequest, error: RecursionError) -> Response[Any]:
    """JSON that is nested too deeply is the client's error; any other endless recursion is ours."""
    return (
        _error_response(request, 400, "the request is nested too deeply")
        if "deserializing" in str(error)
        else _handle_unexpected_error(request, error)
    )


def _handle_undecodable_body(request: WebRequest, error: Exception) -> Response[Any]:
    """JSON or a field of a form that is no text is the client's error; any other is ours."""
    frames, trace = set[str](), error.__traceback__
    while trace is not None:
        frames.add(str(trace.tb_frame.f_globals.get("__name__")))
        trace = trace.tb_next
    if "litestar.serialization.msgspec_hooks" in frames:
        return _error_response(request, 400, "the request is not text in UTF-8")
    if "litestar._multipart" not in frames:
        return _handle_unexpected_error(request, error)
    return _error_response(request, 400, "a field of the form is not text in a known encoding; a part with a file needs a file name")


RETRY_SECONDS = 30
"""Retry-After of a database that cannot be reached."""


def _handle_database_error(request: WebRequest, error: SQLAlchemyError) -> Response[Any]:
    """A full disk or a lost database: say that nothing was changed, why, and when to try again."""
    reason = outage(error)
    if not reason:
        return _handle_unexpected_error(request, error)
    log.error("%s %s: %s (%s)", request.method, request.url.path, reason, " ".join(str(getattr(error, "orig", error)).split())[:300])
    answer = _error_response(request, 503, f"{reason}. Nothing was changed. Try again later, or tell the administrator of this server")
    answer.headers["retry-after"] = str(RETRY_SECONDS)
    return answer


def _handle_unexpected_error(request: WebRequest, error: Exception) -> Response[Any]:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _error_response(request, 500, "The server made an error. It is in the server's log; nothing is wrong with your request.")


_TITLES = {404: "Not found", 500: "Server error", 503: "Try again later"}


def _error_response(request: WebRequest, status: int, sentence: str) -> Response[Any]:
    """An error as JSON for the API, as a page for a browser, or as a notice for a page that requested a part of itself."""
    if request.url.path.startswith("/api/"):
        return Response({"error": sentence}, status_code=status)
    sentence, title = sentence[:1].upper() + sentence[1:], _TITLES.get(status, "That did not work")
    if not public.is_partial_request(request):
        return public.render(request, "wrong.html", status, sentence=sentence, title=title)
    piece = public.render(request, "wrong_piece.html", status, sentence=sentence)
    piece.headers.update({"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"})
    return piece
