"""The scene as another member sees it, for the gamemaster: with fog and hidden characters, read-only."""

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from rulewright.web.pages.games import Missing
from rulewright.web.pages.public import from_page
from rulewright.web.params import Asking
from rulewright.web.table import board
from rulewright.web.table.table_pages import WHERE, leading


@get(WHERE + "/seen/{member:str}", sync_to_thread=True, include_in_schema=False)
def seen_page(request: Asking, table: FromPath[str], member: FromPath[str]) -> Template:
    """Show what a member sees of the current scene."""
    room = leading(request, table, "looks through others' eyes")
    others = [member_shown for member_shown in room.seen.members if member_shown.role != "gamemaster"]
    who = next((member_shown for member_shown in others if member_shown.id == member), None)
    if who is None:
        raise Missing("this table has no such player or spectator")
    wanted = request.query_params.get("scene", "")
    with room.tables.looking(table):
        seen = room.tables.view(table, who.id)
        latest = seen.scenes[-1] if seen.scenes else None
        scene = next((candidate for candidate in seen.scenes if str(candidate.number) == wanted), latest)
        return room.show(
            "seen_piece.html" if from_page(request) else "seen.html",
            who=who,
            others=others,
            scene=scene,
            board=board.untouched(board.board(seen, scene)),
            fighters=board.fighters(seen, scene) if scene is not None else (),
            leads=False,
            easel=None,
            ground_kept=False,
            moment="",
        )
