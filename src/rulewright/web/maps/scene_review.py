"""A look back on a scene that is over: the decisions of a member that cost most."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from rulewright.web.pages.public import render
from rulewright.web.params import WebRequest
from rulewright.web.table import ai_players
from rulewright.web.table.seats import seat_of, tables_of
from rulewright.web.table.table_pages import ROUTE


@get(ROUTE + "/scenes/{scene:int}/review", sync_to_thread=True, include_in_schema=False)
def review_page(request: WebRequest, table: FromPath[str], scene: FromPath[int]) -> Template:
    """Show the three decisions of a member that cost most in a scene, for the page of its end."""
    seat = seat_of(request, table)
    played = tables_of(request).for_a_review(table, seat.member, scene)
    return render(request, "review.html", people=played.people, costly=ai_players.review(played) if played.people else [])
