"""The scene as another member sees it, for the gamemaster: with fog and hidden characters, read-only."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from rulewright.web.pages.games import Missing
from rulewright.web.pages.public import is_partial_request
from rulewright.web.params import WebRequest
from rulewright.web.table import board
from rulewright.web.table.table_pages import ROUTE, require_gamemaster


@get(ROUTE + "/seen/{member:str}", sync_to_thread=True, include_in_schema=False)
def seen_page(request: WebRequest, table: FromPath[str], member: FromPath[str]) -> Template:
    """Show what a member sees of the current scene."""
    page = require_gamemaster(request, table, "can view the scene as another member")
    others = [member_shown for member_shown in page.seen.members if member_shown.role != "gamemaster"]
    who = next((member_shown for member_shown in others if member_shown.id == member), None)
    if who is None:
        raise Missing("this table has no such player or spectator")
    wanted = request.query_params.get("scene", "")
    with page.tables.looking(table):
        seen = page.tables.view(table, who.id)
        latest = seen.scenes[-1] if seen.scenes else None
        scene = next((candidate for candidate in seen.scenes if str(candidate.number) == wanted), latest)
        return page.show(
            "seen_piece.html" if is_partial_request(request) else "seen.html",
            who=who,
            others=others,
            scene=scene,
            board=board.as_read_only(board.board(seen, scene)),
            fighters=board.fighters(seen, scene) if scene is not None else (),
            leads=False,
            easel=None,
            ground_kept=False,
            moment="",
        )
