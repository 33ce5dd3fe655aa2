"""The API of tables: everything the pages do, as JSON. The device's cookie identifies the client; hosting and joining set it."""

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
from rulewright.table import webhooks
from rulewright.table.commands.all_actions import AnyAction
from rulewright.table.scenes import demos
from rulewright.table.seats import Hosting
from rulewright.table.service import DeviceShown
from rulewright.table.storage import migrate_full
from rulewright.table.views import LogShown, SceneShown, TableShown
from rulewright.web.pages.games import MAX_TEXT, game
from rulewright.web.params import QuestionId, QuestionIndex, WebRequest
from rulewright.web.server.security import time_limit
from rulewright.web.table import ai_players, live_updates
from rulewright.web.table.seats import device_of, identify_device, open_listener, rotate_device, seat_of, tables_of

Text = Annotated[str, Meta(max_length=MAX_TEXT)]
Mark = Annotated[str, QueryParameter(max_length=16, description="A mark from an earlier response.")]
MAX_LINES = 500


class ToHost(Struct, forbid_unknown_fields=True):
    """A table to host: its game, its name, your name as its gamemaster, its house rules, and a passphrase."""

    system: Text
    name: Text
    gamemaster: Text
    preset: Text = ""
    settings: Annotated[dict[Text, SettingValue], Meta(max_length=200)] = {}
    passphrase: Text = ""


class ToJoin(Struct, forbid_unknown_fields=True):
    """The secret part of an invite link, your name, and your role: `player` or `spectator`."""

    token: Text
    name: Text
    passphrase: Text = ""
    role: Text = "player"


class ToLead(Struct, forbid_unknown_fields=True):
    """The secret part of the gamemaster's link, or (with `member`) of the link to a seat."""

    token: Text
    member: Text = ""


class ToAct(Struct, forbid_unknown_fields=True):
    """An action. `key` is made by you, once for each action: the same key sent again is not carried out twice."""

    action: AnyAction
    key: Text = ""


class Sat(Struct, frozen=True):
    """A seat at a table. The response sets the device's cookie."""

    table: str
    member: str
    name: str
    role: str


class Opened(Struct, frozen=True):
    """A new table with its two secret links, which are shown only once."""

    table: str
    member: str
    gamemaster: str
    invitation: str


class Acted(Struct, frozen=True):
    """What an action made: the id of something new, or a secret link. `again`: it was sent before, and not carried out twice."""

    made: str = ""
    secret: str = ""
    again: bool = False


def _table_response(made: Hosting, cookies: list[Cookie] | None = None) -> Response[Any]:
    opened = Opened(made.table, made.member, made.gamemaster_link, made.invitation)
    return _json_response(opened, cookies, HTTP_201_CREATED)


def _json_response(content: Any, cookies: list[Cookie] | None = None, status: int = HTTP_200_OK) -> Response[Any]:
    return Response(msgspec.to_builtins(content, str_keys=True), status_code=status, media_type=MediaType.JSON, cookies=cookies or [])


@post("/tables", sync_to_thread=True, tags=["tables"])
def host(request: WebRequest, data: JSONBody[ToHost]) -> Response[Opened]:
    """Host a table, with this device as its gamemaster."""
    system = game(data.system)
    device, cookies = identify_device(request)
    made = tables_of(request).host(
        system.id, data.name, data.gamemaster, device, preset=data.preset, settings=data.settings, passphrase=data.passphrase
    )
    return _table_response(made, rotate_device(request, device, cookies))


@post("/demos/{system:str}", sync_to_thread=True, tags=["tables"])
def demonstrate(
    request: WebRequest, system: FromPath[str], scenario: Annotated[str, QueryParameter(max_length=MAX_TEXT)] = ""
) -> Response[Opened]:
    """Host a table with a ready-made fight that has started."""
    device, cookies = identify_device(request)
    demos.scenarios(game(system).id)  # load all games before the time limit starts
    with time_limit():
        made = demos.demonstrate(tables_of(request), system, device, scenario)
    return _table_response(made, rotate_device(request, device, cookies))


@get("/seats", sync_to_thread=True, tags=["tables"])
def seats(request: WebRequest) -> Response[list[dict[str, Any]]]:
    """List the tables at which this device has a seat, the latest first."""
    pairs = tables_of(request).seats(device_of(request))
    return _json_response([{"table": seat.table, "name": name, "member": seat.member, "role": seat.role} for seat, name in pairs])


@post("/tables/{table:str}/join", sync_to_thread=True, tags=["tables"])
def join(request: WebRequest, table: FromPath[str], data: JSONBody[ToJoin]) -> Response[Sat]:
    """Join a table by its invite link."""
    device, cookies = identify_device(request)
    role: Any = data.role
    seat = tables_of(request).join(table, data.token, data.name, device, passphrase=data.passphrase, role=role)
    return _json_response(Sat(seat.table, seat.member, seat.name, seat.role), rotate_device(request, device, cookies), HTTP_201_CREATED)


@post("/tables/{table:str}/lead", sync_to_thread=True, tags=["tables"])
def lead(request: WebRequest, table: FromPath[str], data: JSONBody[ToLead]) -> Response[Sat]:
    """Take the gamemaster's seat, or (with `member`) your own seat on another device."""
    device, cookies = identify_device(request)
    tables = tables_of(request)
    seat = tables.take_seat(table, data.member, data.token, device) if data.member else tables.lead(table, data.token, device)
    return _json_response(Sat(seat.table, seat.member, seat.name, seat.role), rotate_device(request, device, cookies), HTTP_201_CREATED)


@get("/tables/{table:str}", sync_to_thread=True, tags=["tables"])
def view(request: WebRequest, table: FromPath[str]) -> Response[TableShown]:
    """Get everything that you may see of a table, except the log."""
    seat = seat_of(request, table)
    return _json_response(tables_of(request).view(table, seat.member))


@get("/tables/{table:str}/log", sync_to_thread=True, tags=["tables"])
def log(
    request: WebRequest,
    table: FromPath[str],
    before: Mark = "",
    most: Annotated[int, QueryParameter(ge=1, le=MAX_LINES)] = 100,
) -> Response[list[LogShown]]:
    """Get the latest log entries that you may see.

    The oldest comes first. With `before`, the entries before that mark.
    """
    seat = seat_of(request, table)
    return _json_response(tables_of(request).log(table, seat.member, before=before, most=most))


@get("/tables/{table:str}/since", sync_to_thread=True, tags=["tables"])
def since(request: WebRequest, table: FromPath[str], after: Mark = "") -> Response[dict[str, Any]]:
    """Get the log entries after a mark, and the mark for the next request."""
    seat = seat_of(request, table)
    mark, lines = tables_of(request).since(table, seat.member, after)
    return _json_response({"mark": mark, "lines": lines})


@get("/tables/{table:str}/scenes/{scene:int}", sync_to_thread=True, tags=["tables"])
def scene(request: WebRequest, table: FromPath[str], scene: FromPath[int]) -> Response[SceneShown]:
    """Get one scene, including one that has ended."""
    seat = seat_of(request, table)
    return _json_response(tables_of(request).scene(table, seat.member, scene))


@get("/tables/{table:str}/scenes/{scene:int}/chances", sync_to_thread=True, tags=["tables"])
def chances(
    request: WebRequest, table: FromPath[str], scene: FromPath[int], at: QuestionIndex = 0, question: QuestionId = ""
) -> Response[list[Weighed]]:
    """Get the exact chances of each option of a question that you may answer.

    If an exact chance takes too long to compute, `about` holds an estimate from `plays` simulations: the chance of the good outcomes is
    known to ± `margin`, with 95 % confidence.
    """
    seat = seat_of(request, table)
    return _json_response(tables_of(request).chances(table, seat.member, scene, at, question))


@get("/tables/{table:str}/characters/{character:str}", sync_to_thread=True, tags=["tables"])
def sheet(request: WebRequest, table: FromPath[str], character: FromPath[str]) -> Response[dict[str, Any]]:
    """Get a character: its data, all derived values with their reasons, and its audit."""
    seat = seat_of(request, table)
    with time_limit():
        shown = tables_of(request).sheet(table, seat.member, character)
    return _json_response({"character": shown.character, "data": shown.thing, "sheet": shown.sheet, "audit": shown.audit})


@post("/tables/{table:str}/act", sync_to_thread=True, tags=["tables"], status_code=HTTP_200_OK)
def act(request: WebRequest, table: FromPath[str], data: JSONBody[ToAct]) -> Response[Acted]:
    """Carry out an action at a table. It is saved when this responds."""
    seat = seat_of(request, table)
    acted = tables_of(request).act(table, seat.member, data.action, data.key, device_of(request))
    return _json_response(Acted(acted.made, acted.secret, acted.again))


@get("/tables/{table:str}/devices", sync_to_thread=True, tags=["tables"])
def devices(request: WebRequest, table: FromPath[str]) -> Response[list[DeviceShown]]:
    """List the devices at a table: all for the gamemaster, your own otherwise.

    The action `sign out` removes a device's seat.
    """
    seat = seat_of(request, table)
    return _json_response(tables_of(request).devices(table, seat.member, device_of(request)))


class ToTell(Struct, forbid_unknown_fields=True):
    """The address that a webhook sends events to."""

    url: Annotated[str, Meta(max_length=2_000)]


@get("/tables/{table:str}/webhooks", sync_to_thread=True, tags=["tables"])
def list_webhooks(request: WebRequest, table: FromPath[str]) -> Response[list[webhooks.WebhookShown]]:
    """List the webhooks of a table (gamemaster), each with its failures since the last delivery."""
    seat = seat_of(request, table)
    return _json_response(webhooks.shown(tables_of(request), table, seat.member))


@post("/tables/{table:str}/webhooks/add", sync_to_thread=True, tags=["tables"])
def add_webhook(request: WebRequest, table: FromPath[str], data: JSONBody[ToTell]) -> Response[webhooks.WebhookMade]:
    """Add a webhook (gamemaster): every later event that everybody may see is posted to the address.

    Deliveries are signed with the secret as in the Standard Webhooks specification, and retried for three days.
    """
    seat = seat_of(request, table)
    return _json_response(webhooks.add(tables_of(request), table, seat.member, data.url), status=HTTP_201_CREATED)


@post("/tables/{table:str}/webhooks/{webhook:str}/remove", sync_to_thread=True, tags=["tables"], status_code=HTTP_200_OK)
def remove_webhook(request: WebRequest, table: FromPath[str], webhook: FromPath[str]) -> Response[list[webhooks.WebhookShown]]:
    """Remove a webhook (gamemaster), and list the others."""
    seat, tables = seat_of(request, table), tables_of(request)
    webhooks.remove(tables, table, seat.member, webhook)
    return _json_response(webhooks.shown(tables, table, seat.member))


@post("/tables/{table:str}/go-on", sync_to_thread=True, tags=["tables"])
def go_on(request: WebRequest, table: FromPath[str]) -> Response[Opened]:
    """Continue a full table in a new one.

    The new table has the same members, characters, notes and markers. The old one stays readable.
    """
    seat = seat_of(request, table)
    return _table_response(migrate_full.go_on(tables_of(request), table, seat.member))


@get("/tables/{table:str}/stream", tags=["tables"])
async def stream(request: Request[Any, Any, Any], table: FromPath[str], after: Mark = "") -> ServerSentEvent:
    """Stream the changes of a table as server-sent events, each with the new log entries that you may see.

    The id of an event is a mark. Send it as Last-Event-ID (or `after`) when you reconnect, and you miss nothing.
    """
    mark = (request.headers.get("last-event-id") or after)[:16]
    return ServerSentEvent(live_updates.stream_events(request.app.state.live, await open_listener(request, table, mark), lines=True))


@get("/tables/{table:str}/scenes/{scene:int}/hints", sync_to_thread=True, tags=["tables"])
def hints(
    request: WebRequest, table: FromPath[str], scene: FromPath[int], at: QuestionIndex = 0, question: QuestionId = ""
) -> Response[Any]:
    """Rate each answer to a question that you may answer, if the gamemaster allows hints."""
    seat = seat_of(request, table)
    waiting = tables_of(request).for_a_hint(table, seat.member, scene, at, question, ai_players.HINT)
    return _json_response(ai_players.hint(waiting).public() if waiting is not None else None)
