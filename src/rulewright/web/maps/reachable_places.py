"""Places as answers: the area within reach, and what choosing a place means."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath, QueryParameter
from litestar.response import Template

from rulewright.table.scenes import places
from rulewright.table.scenes.places import PlaceShown
from rulewright.web.maps.terrain_drawing import bands_drawn
from rulewright.web.pages.public import draw
from rulewright.web.params import Asking, At, QuestionMark, question_of
from rulewright.web.server.security import within
from rulewright.web.table.seats import seat_of, tables_of

WHERE = "/tables/{table:str}"
MOST_WRITTEN = 120
Written = Annotated[str, QueryParameter(max_length=MOST_WRITTEN)]


@get(WHERE + "/reach", sync_to_thread=True, include_in_schema=False)
def reach(request: Asking, table: FromPath[str]) -> Template:
    """Draw the area that an open question accepts as an answer."""
    seat = seat_of(request, table)
    with within():
        bands = bands_drawn(places.reach(tables_of(request), table, seat.member, *question_of(request)))
    return draw(request, "field_reach.html", bands=bands)


@get(WHERE + "/place", sync_to_thread=True, include_in_schema=False)
def place(request: Asking, table: FromPath[str]) -> PlaceShown:
    """Describe what choosing a place means."""
    seat = seat_of(request, table)
    given = request.query_params.get("given", "")[:MOST_WRITTEN]
    with within():
        return places.place(tables_of(request), table, seat.member, *question_of(request), given)


@get("/tables/{table:str}/scenes/{scene:int}/reach", sync_to_thread=True, tags=["tables"])
def api_reach(
    request: Asking, table: FromPath[str], scene: FromPath[int], at: At = 0, question: QuestionMark = ""
) -> Response[list[dict[str, Any]]]:
    """Get the area that a question accepts as an answer: for each pace, its range and outlines."""
    seat = seat_of(request, table)
    with within():
        bands = places.reach(tables_of(request), table, seat.member, scene, at, question)
    shapes = [{"pace": band.pace, "doing": band.doing, "most": band.most, "outlines": band.outlines} for band in bands]
    return Response(msgspec.to_builtins(shapes), media_type=MediaType.JSON)


@get("/tables/{table:str}/scenes/{scene:int}/place", sync_to_thread=True, tags=["tables"])
def api_place(
    request: Asking, table: FromPath[str], scene: FromPath[int], given: Written, at: At = 0, question: QuestionMark = ""
) -> Response[PlaceShown]:
    """Describe what choosing a place means; `given` is written as in `@12.5,3` or `run@12.5,3`."""
    seat = seat_of(request, table)
    with within():
        description = places.place(tables_of(request), table, seat.member, scene, at, question, given)
    return Response(msgspec.to_builtins(description), media_type=MediaType.JSON)
