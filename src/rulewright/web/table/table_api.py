"""Tables for programs: everything the pages do, as JSON. The device's cookie says who asks; hosting and joining hand one out."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import ServerSentEvent
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED
from msgspec import Meta, Struct

from rulewright.rules import SettingValue
from rulewright.scenes.chances import Weighed
from rulewright.table.commands.messages import AnyAction
from rulewright.table.scenes import demos
from rulewright.table.seats import Hosting
from rulewright.table.service import Acted, DeviceShown
from rulewright.table.storage import migrate_full
from rulewright.table.views import LogShown, SceneShown, TableShown
from rulewright.web.pages.games import MOST_TEXT, game
from rulewright.web.params import Asking, At, QuestionMark
from rulewright.web.server.security import within
from rulewright.web.table import ai_players, live_updates
from rulewright.web.table.seats import device_of, known_device, listener_of, risen, seat_of, tables_of

Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Mark = Annotated[str, QueryParameter(max_length=16, description="A mark that an earlier answer gave.")]
MOST_LINES = 500


class ToHost(Struct, forbid_unknown_fields=True):
    """A table to open: its game, its name, as whom you lead it, and what is played by."""

    system: Text
    name: Text
    gamemaster: Text
    preset: Text = ""
    settings: Annotated[dict[Text, SettingValue], Meta(max_length=200)] = {}
    passphrase: Text = ""


class ToJoin(Struct, forbid_unknown_fields=True):
    """An invitation's secret part, and a name to sit down with; `role` is player or spectator."""

    token: Text
    name: Text
    passphrase: Text = ""
    role: Text = "player"


class ToLead(Struct, forbid_unknown_fields=True):
    """The secret part of the gamemaster's link, or (with a member) of the link to a seat."""

    token: Text
    member: Text = ""


class ToAct(Struct, forbid_unknown_fields=True):
    """Something to do. `key` is made by you, once for every wish: the same wish sent again is not carried out twice."""

    action: AnyAction
    key: Text = ""


class Sat(Struct, frozen=True):
    """A seat at a table; the answer carries the device's cookie."""

    table: str
    member: str
    name: str
    role: str


class Opened(Struct, frozen=True):
    """A new table and its two links, told this once."""

    table: str
    member: str
    gamemaster: str
    invitation: str


def _opened(made: Hosting, cookies: list[Cookie] | None = None) -> Response[Any]:
    opened = Opened(made.table, made.member, made.gamemaster_link, made.invitation)
    return _said(opened, cookies, HTTP_201_CREATED)


def _said(content: Any, cookies: list[Cookie] | None = None, status: int = HTTP_200_OK) -> Response[Any]:
    return Response(msgspec.to_builtins(content, str_keys=True), status_code=status, media_type=MediaType.JSON, cookies=cookies or [])


@post("/tables", sync_to_thread=True, tags=["tables"])
def host(request: Asking, data: JSONBody[ToHost]) -> Response[Opened]:
    """Open a table; this device leads it."""
    system = game(data.system)
    device, cookies = known_device(request)
    made = tables_of(request).host(
        system.id, data.name, data.gamemaster, device, preset=data.preset, settings=data.settings, passphrase=data.passphrase
    )
    return _opened(made, risen(request, device, cookies))


@post("/demos/{system:str}", sync_to_thread=True, tags=["tables"])
def demonstrate(
    request: Asking, system: FromPath[str], scenario: Annotated[str, QueryParameter(max_length=MOST_TEXT)] = ""
) -> Response[Opened]:
    """Open a table with a ready-made fight that has begun."""
    device, cookies = known_device(request)
    demos.scenarios(game(system).id)  # the first to ask finds all games loaded before the time begins
    with within():
        made = demos.demonstrate(tables_of(request), system, device, scenario)
    return _opened(made, risen(request, device, cookies))


@get("/seats", sync_to_thread=True, tags=["tables"])
def seats(request: Asking) -> Response[list[dict[str, Any]]]:
    """The tables at which this device sits, the latest first."""
    pairs = tables_of(request).seats(device_of(request))
    return _said([{"table": seat.table, "name": name, "member": seat.member, "role": seat.role} for seat, name in pairs])


@post("/tables/{table:str}/join", sync_to_thread=True, tags=["tables"])
def join(request: Asking, table: FromPath[str], data: JSONBody[ToJoin]) -> Response[Sat]:
    """Sit down by invitation."""
    device, cookies = known_device(request)
    role: Any = data.role
    seat = tables_of(request).join(table, data.token, data.name, device, passphrase=data.passphrase, role=role)
    return _said(Sat(seat.table, seat.member, seat.name, seat.role), risen(request, device, cookies), HTTP_201_CREATED)


@post("/tables/{table:str}/lead", sync_to_thread=True, tags=["tables"])
def lead(request: Asking, table: FromPath[str], data: JSONBody[ToLead]) -> Response[Sat]:
    """Sit down as the gamemaster, or (with a member) at a seat of yours from another device."""
    device, cookies = known_device(request)
    tables = tables_of(request)
    seat = tables.take_seat(table, data.member, data.token, device) if data.member else tables.lead(table, data.token, device)
    return _said(Sat(seat.table, seat.member, seat.name, seat.role), risen(request, device, cookies), HTTP_201_CREATED)


@get("/tables/{table:str}", sync_to_thread=True, tags=["tables"])
def view(request: Asking, table: FromPath[str]) -> Response[TableShown]:
    """Everything that you may see of a table, but for the log."""
    seat = seat_of(request, table)
    return _said(tables_of(request).view(table, seat.member))


@get("/tables/{table:str}/log", sync_to_thread=True, tags=["tables"])
def log(
    request: Asking,
    table: FromPath[str],
    before: Mark = "",
    most: Annotated[int, QueryParameter(ge=1, le=MOST_LINES)] = 100,
) -> Response[list[LogShown]]:
    """The latest entries of the log that you may see, the oldest first; with `before`, those before that mark."""
    seat = seat_of(request, table)
    return _said(tables_of(request).log(table, seat.member, before=before, most=most))


@get("/tables/{table:str}/since", sync_to_thread=True, tags=["tables"])
def since(request: Asking, table: FromPath[str], after: Mark = "") -> Response[dict[str, Any]]:
    """What happened after a mark, and the mark to ask with next time."""
    seat = seat_of(request, table)
    mark, lines = tables_of(request).since(table, seat.member, after)
    return _said({"mark": mark, "lines": lines})


@get("/tables/{table:str}/scenes/{scene:int}", sync_to_thread=True, tags=["tables"])
def scene(request: Asking, table: FromPath[str], scene: FromPath[int]) -> Response[SceneShown]:
    """One scene, also one that has ended."""
    seat = seat_of(request, table)
    return _said(tables_of(request).scene(table, seat.member, scene))


@get("/tables/{table:str}/scenes/{scene:int}/chances", sync_to_thread=True, tags=["tables"])
def chances(
    request: Asking, table: FromPath[str], scene: FromPath[int], at: At = 0, question: QuestionMark = ""
) -> Response[list[Weighed]]:
    """The exact chances beside the options of a question that you may answer.

    Where an exact chance takes longer to count than there is time, `about` has what came of playing it out `plays` times: the chance of the
    good outcomes is known to ± `margin`, in 95 of 100 cases.
    """
    seat = seat_of(request, table)
    return _said(tables_of(request).chances(table, seat.member, scene, at, question))


@get("/tables/{table:str}/characters/{character:str}", sync_to_thread=True, tags=["tables"])
def sheet(request: Asking, table: FromPath[str], character: FromPath[str]) -> Response[dict[str, Any]]:
    """A character: the kept data, everything derived with its reasons, and its audit."""
    seat = seat_of(request, table)
    with within():
        shown = tables_of(request).sheet(table, seat.member, character)
    return _said({"character": shown.character, "data": shown.thing, "sheet": shown.sheet, "audit": shown.audit})


@post("/tables/{table:str}/act", sync_to_thread=True, tags=["tables"], status_code=HTTP_200_OK)
def act(request: Asking, table: FromPath[str], data: JSONBody[ToAct]) -> Response[Acted]:
    """Do something at a table. It is on disk when this answers."""
    seat = seat_of(request, table)
    acted = tables_of(request).act(table, seat.member, data.action, data.key, device_of(request))
    return _said({"made": acted.made, "secret": acted.secret, "again": acted.again})


@get("/tables/{table:str}/devices", sync_to_thread=True, tags=["tables"])
def devices(request: Asking, table: FromPath[str]) -> Response[list[DeviceShown]]:
    """The devices that sit at a table: all for the gamemaster, their own for everybody else. `sign out` takes one's seat."""
    seat = seat_of(request, table)
    return _said(tables_of(request).devices(table, seat.member, device_of(request)))


@post("/tables/{table:str}/go-on", sync_to_thread=True, tags=["tables"])
def go_on(request: Asking, table: FromPath[str]) -> Response[Opened]:
    """Go on in a new table with the same people, characters, notes and markers; for a table that is full. The old one stays to be read."""
    seat = seat_of(request, table)
    return _opened(migrate_full.go_on(tables_of(request), table, seat.member))


@get("/tables/{table:str}/stream", tags=["tables"])
async def stream(request: Request[Any, Any, Any], table: FromPath[str], after: Mark = "") -> ServerSentEvent:
    """Server-sent events, one for every change, each with the new entries of the log that you may see.

    The id of an event is a mark: who comes back sends it as Last-Event-ID (or `after`) and misses nothing.
    """
    mark = (request.headers.get("last-event-id") or after)[:16]
    return ServerSentEvent(live_updates.told(request.app.state.live, await listener_of(request, table, mark), lines=True))


@get("/tables/{table:str}/scenes/{scene:int}/hints", sync_to_thread=True, tags=["tables"])
def hints(request: Asking, table: FromPath[str], scene: FromPath[int], at: At = 0, question: QuestionMark = "") -> Response[Any]:
    """What each answer to a question that you may give is worth, where the gamemaster allows hints."""
    seat = seat_of(request, table)
    waiting = tables_of(request).for_a_hint(table, seat.member, scene, at, question, ai_players.HINT)
    return _said(ai_players.hint(waiting).public() if waiting is not None else None)
