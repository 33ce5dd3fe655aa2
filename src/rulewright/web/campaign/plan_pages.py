"""The page of a character's plan: for its player on the phone, and for the gamemaster."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from rulewright.table import permissions
from rulewright.table.scenes.plan_view import PlanShown, plan_shown
from rulewright.table.state import Table
from rulewright.web.params import WebRequest
from rulewright.web.server.security import time_limited
from rulewright.web.table.table_pages import ROUTE, TablePage


@get(ROUTE + "/plan/{character:str}", sync_to_thread=True, include_in_schema=False)
def plan_page(request: WebRequest, table: FromPath[str], character: FromPath[str]) -> Template:
    """Show what a character plans to do, and what else could be planned."""
    page = TablePage(request, table)
    with page.tables.looking(table) as state:
        plan = _plan(page, state, character)
    return page.show("plan.html", plan=plan, campaign=page.seen.campaign)


@time_limited
def _plan(page: TablePage, table: Table, character_id: str) -> PlanShown:
    character = table.character(character_id)
    member = table.members[page.seat.member]
    permissions.check_owner(member, character)
    return plan_shown(table, character, page.leads)
