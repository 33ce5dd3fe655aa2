"""The scene as one of the others sees it, for whoever leads: fog and hidden people included, to look at and not to touch."""

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
    """What a member sees of the scene under way."""
    room = leading(request, table, "looks through others' eyes")
    who = next(
        (member_shown for member_shown in room.seen.members if member_shown.id == member and member_shown.role != "gamemaster"), None
    )
    if who is None:
        raise Missing("nobody of that name plays or watches here")
    wanted = request.query_params.get("scene", "")
    with room.tables.looking(table):
        seen = room.tables.view(table, who.id)
        scene = next(
            (scene_shown for scene_shown in seen.scenes if str(scene_shown.number) == wanted), seen.scenes[-1] if seen.scenes else None
        )
        return room.show(
            "seen_piece.html" if from_page(request) else "seen.html",
            who=who,
            others=[member_shown for member_shown in room.seen.members if member_shown.role != "gamemaster"],
            scene=scene,
            board=board.untouched(board.board(seen, scene)),
            fighters=board.fighters(seen, scene) if scene is not None else (),
            leads=False,
            easel=None,
            ground_kept=False,
            moment="",
        )
