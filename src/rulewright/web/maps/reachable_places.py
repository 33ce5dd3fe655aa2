"""Places as answers: the area within reach, and what choosing a place means."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath, QueryParameter
from litestar.response import Template

from rulewright.table.scenes import places
from rulewright.table.scenes.places import PlaceShown
from rulewright.web.maps.terrain_svg import draw_bands
from rulewright.web.pages.public import render
from rulewright.web.params import QuestionId, QuestionIndex, WebRequest, parse_question
from rulewright.web.server.security import time_limit
from rulewright.web.table.seats import seat_of, tables_of

ROUTE = "/tables/{table:str}"
MAX_WRITTEN = 120
Written = Annotated[str, QueryParameter(max_length=MAX_WRITTEN)]


@get(ROUTE + "/reach", sync_to_thread=True, include_in_schema=False)
def reach(request: WebRequest, table: FromPath[str]) -> Template:
    """Draw the area that an open question accepts as an answer."""
    seat = seat_of(request, table)
    with time_limit():
        bands = draw_bands(places.reach(tables_of(request), table, seat.member, *parse_question(request)))
    return render(request, "field_reach.html", bands=bands)


@get(ROUTE + "/place", sync_to_thread=True, include_in_schema=False)
def place(request: WebRequest, table: FromPath[str]) -> PlaceShown:
    """Describe what choosing a place means."""
    seat = seat_of(request, table)
    given = request.query_params.get("given", "")[:MAX_WRITTEN]
    with time_limit():
        return places.place(tables_of(request), table, seat.member, *parse_question(request), given)


@get("/tables/{table:str}/scenes/{scene:int}/reach", sync_to_thread=True, tags=["tables"])
def api_reach(
    request: WebRequest, table: FromPath[str], scene: FromPath[int], at: QuestionIndex = 0, question: QuestionId = ""
) -> Response[list[dict[str, Any]]]:
    """Get the area that a question accepts as an answer: for each pace, its range and outlines."""
    seat = seat_of(request, table)
    with time_limit():
        bands = places.reach(tables_of(request), table, seat.member, scene, at, question)
    shapes = [{"pace": band.pace, "doing": band.doing, "most": band.most, "outlines": band.outlines} for band in bands]
    return Response(msgspec.to_builtins(shapes), media_type=MediaType.JSON)


@get("/tables/{table:str}/scenes/{scene:int}/place", sync_to_thread=True, tags=["tables"])
def api_place(
    request: WebRequest, table: FromPath[str], scene: FromPath[int], given: Written, at: QuestionIndex = 0, question: QuestionId = ""
) -> Response[PlaceShown]:
    """Describe what choosing a place means; `given` is written as in `@12.5,3` or `run@12.5,3`."""
    seat = seat_of(request, table)
    with time_limit():
        description = places.place(tables_of(request), table, seat.member, scene, at, question, given)
    return Response(msgspec.to_builtins(description), media_type=MediaType.JSON)
