"""Starts an adventure: on a new table with a gamemaster, on a new table without one; and who plays whom."""

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright.adventure.package import write_zip
from rulewright.field.ground import UNCHANGED
from rulewright.field.placement import field_shown
from rulewright.playthrough.loader import Opened, open_adventure
from rulewright.table.commands.maps import scene_of
from rulewright.table.commands.messages import ClaimCharacter
from rulewright.table.story.new_table import host_adventure, host_alone
from rulewright.web.adventures.cards import shipped_adventures
from rulewright.web.maps.printed_map import map_svg
from rulewright.web.pages.games import MAX_TEXT, Missing, game
from rulewright.web.pages.public import FORM, render
from rulewright.web.params import FormFields, WebRequest
from rulewright.web.server.addresses import TableLink
from rulewright.web.table.action_forms import field
from rulewright.web.table.seats import identify_device, rotate_device, seat_of, tables_of
from rulewright.web.table.table_pages import ROUTE, TablePage

PLACE_PIXELS = 30.0
"""Pixels of one square of the picture of a place."""
SHIPPED = "/adventures/{system:str}/{key:str}"


def open_shipped(system_id: str, key: str) -> Opened:
    """An adventure that ships with a game."""
    system = game(system_id)
    if key not in [card.key for card in shipped_adventures(system.id)]:
        raise Missing(f"{system.name} has no adventure {key[:60]!r}")
    return open_adventure(f"{system.id}/{key}")


def lead_adventure(request: WebRequest, opened: Opened, gamemaster: str) -> Template:
    """Open a table with the adventure laid out, and show its links this once."""
    device, cookies = identify_device(request)
    made = host_adventure(tables_of(request), opened, device, gamemaster[:MAX_TEXT] or "Gamemaster")
    inviting = TableLink(request, f"/tables/{made.table}/join/{made.invitation}")
    leading = TableLink(request, f"/tables/{made.table}/lead/{made.gamemaster_link}")
    context = {"table": made.table, "inviting": inviting, "leading": leading, "system": opened.system, "along": ""}
    return render(request, "hosted.html", HTTP_200_OK, rotate_device(request, device, cookies), **context)


def play_alone(request: WebRequest, opened: Opened, name: str) -> Redirect:
    """Open a table without a gamemaster, with the visitor as its first player."""
    device, cookies = identify_device(request)
    made = host_alone(tables_of(request), opened, device, name[:MAX_TEXT] or "Guest")
    return Redirect(f"/tables/{made.table}", status_code=HTTP_303_SEE_OTHER, cookies=rotate_device(request, device, cookies))


def zip_response(content: bytes, name: str) -> Response[bytes]:
    """A packed adventure as a download."""
    headers = {"content-disposition": f'attachment; filename="{name}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


@post(SHIPPED + "/lead", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def lead_shipped(request: WebRequest, system: FromPath[str], key: FromPath[str], form: FormFields) -> Template:
    """Open a table with an adventure of a game, and become its gamemaster."""
    opened = open_shipped(system, key)
    return lead_adventure(request, opened, field(form, "name"))


@post(SHIPPED + "/alone", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def play_shipped_alone(request: WebRequest, system: FromPath[str], key: FromPath[str], form: FormFields) -> Redirect:
    """Play an adventure of a game without a gamemaster."""
    opened = open_shipped(system, key)
    return play_alone(request, opened, field(form, "name"))


@get(SHIPPED + "/export", sync_to_thread=True, include_in_schema=False)
def export_shipped(request: WebRequest, system: FromPath[str], key: FromPath[str]) -> Response[bytes]:
    """Download an adventure of a game as a zip file."""
    return zip_response(write_zip(open_shipped(system, key).content), key)


@post(ROUTE + "/story/claim", sync_to_thread=True, include_in_schema=False, status_code=HTTP_303_SEE_OTHER)
def claim_everybody(request: WebRequest, table: FromPath[str]) -> Redirect:
    """Play all ready-made characters of the adventure that nobody plays yet."""
    seat, tables = seat_of(request, table), tables_of(request)
    story = tables.view(table, seat.member).story
    for character, _ in story.unclaimed if story is not None else ():
        tables.act(table, seat.member, ClaimCharacter(character))
    return Redirect(f"/tables/{table}", status_code=HTTP_303_SEE_OTHER)


@get(ROUTE + "/story/places/{map_id:str}", sync_to_thread=True, include_in_schema=False)
def show_place(request: WebRequest, table: FromPath[str], map_id: FromPath[str]) -> Response[str]:
    """The picture of the place where the story is: its map, for players without what is hidden."""
    page = TablePage(request, table)
    story = page.seen.story
    if story is None or not map_id or story.map != map_id:
        raise Missing("the story is at another place")
    with page.tables.looking(table) as opened:
        saved = opened.kept_map(map_id)
        shown = field_shown(saved.ground, UNCHANGED, None if page.leads else (), scene_of(opened, saved.of).looks)
        drawn = map_svg(shown, saved.name, PLACE_PIXELS, legend=False)
    return Response(drawn, media_type="image/svg+xml")
