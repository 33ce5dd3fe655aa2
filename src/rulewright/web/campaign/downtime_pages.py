"""The page on which the gamemaster lets time pass, with what will come due and the chances of milestones."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from rulewright.campaign.stops import stops_of, usual_stops
from rulewright.errors import UserError
from rulewright.table.campaign_view import forms_of
from rulewright.table.scenes.downtime import rules_of
from rulewright.table.scenes.downtime_preview import Preview, preview
from rulewright.table.state import Table
from rulewright.web.campaign.digest import digest_details
from rulewright.web.campaign.downtime_form import parse_alternative, parse_pass_time
from rulewright.web.params import WebRequest
from rulewright.web.server.security import time_limited
from rulewright.web.table.table_pages import ROUTE, TablePage, require_gamemaster

SPANS = ("1 hour", "8 hours", "1 day", "1 week", "1 month")
"""The spans of time that the form offers."""


@get(ROUTE + "/time", sync_to_thread=True, include_in_schema=False)
def time_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the form that lets time pass, and the clock, locations, plans, dates and tallies."""
    return _show(request, table, "time.html")


@get(ROUTE + "/time/panel", sync_to_thread=True, include_in_schema=False)
def time_panel(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the form that lets time pass as a part of the party page."""
    return _show(request, table, "time_panel.html")


@get(ROUTE + "/time/preview", sync_to_thread=True, include_in_schema=False)
def time_preview(request: WebRequest, table: FromPath[str]) -> Template:
    """Show what comes due in the time that the form describes."""
    return _show(request, table, "time_preview.html")


def _show(request: WebRequest, table: str, template: str) -> Template:
    page = require_gamemaster(request, table, "lets time pass")
    with page.tables.looking(table) as state:
        ahead, wrong = _preview(page, state)
        forms, rules = forms_of(state), rules_of(state)
        stops = {"stops": stops_of(rules), "usual_stops": usual_stops(rules)}
        offered = {"forms": forms, "spans": SPANS, "generators": state.system.generators, **stops}
    passed = digest_details(page.tables, page.seen) if template == "time.html" else []
    return page.show(template, ahead=ahead, wrong=wrong, form=request.query_params, campaign=page.seen.campaign, passed=passed, **offered)


def _preview(page: TablePage, table: Table) -> tuple[Preview | None, str]:
    """The time ahead as the form describes it, or what is wrong with it; neither before a form is filled in."""
    fields = page.request.query_params
    if table.campaign.calendar is None or not fields.get("how"):
        return None, ""
    try:
        return _ahead(page, table), ""
    except UserError as error:
        return None, str(error)


@time_limited
def _ahead(page: TablePage, table: Table) -> Preview:
    fields = page.request.query_params
    return preview(table, parse_pass_time(fields), other=parse_alternative(fields))
