"""Map pages: the list, new maps from a file or a picture, the editor, and background pictures."""

from pathlib import PurePath
from typing import Any

import msgspec
from anyio.to_thread import run_sync
from litestar import Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.formats.image_map import box_of, pictured
from rulewright.field.formats.vtt_import import picture_in, read_map
from rulewright.field.ground import Ground, Picture
from rulewright.field.map_strokes import Stroke
from rulewright.field.placement import veils_on_picture
from rulewright.files import images as files
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.maps import kinds
from rulewright.table.open_tables import NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import demos
from rulewright.table.scenes.veiled_pictures import ground_under, veiled_address
from rulewright.table.storage import pictures
from rulewright.table.views import may_notice
from rulewright.web.maps import map_editor
from rulewright.web.maps.picture_pages import MAX_UPLOAD_BYTES, picture_response
from rulewright.web.params import WebRequest
from rulewright.web.table.action_forms import field
from rulewright.web.table.seats import seat_of, tables_of
from rulewright.web.table.table_pages import ROUTE, require_gamemaster

MAPS = ROUTE + "/maps"
_VEILED_CACHE: dict[str, bytes] = {}
MAX_VEILED = 12
"""How many pictures with hidden areas painted over are cached."""


def _maps_page(request: WebRequest, table: str, wrong: str = "") -> Template:
    page = require_gamemaster(request, table, "prepares maps")
    with page.tables.looking(table) as opened:
        known = kinds(opened)
    with_maps = {key: scenario for key, scenario in demos.scenarios(page.system.id).items() if scenario.map is not None}
    saved_pictures = pictures.listed(page.tables, table, page.seat.member)
    return page.show("maps.html", kinds=known, ready=with_maps, wrong=wrong, pictures=saved_pictures, can_read=files.available())


@get(MAPS, sync_to_thread=True, include_in_schema=False)
def maps_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the list of maps."""
    return _maps_page(request, table)


@get(MAPS + "/{map_id:str}", sync_to_thread=True, include_in_schema=False)
def map_page(request: WebRequest, table: FromPath[str], map_id: FromPath[str]) -> Template:
    """Show the map editor."""
    return _map_page(request, table, map_id, "map.html")


@get(MAPS + "/{map_id:str}/sheet", sync_to_thread=True, include_in_schema=False)
def map_sheet(request: WebRequest, table: FromPath[str], map_id: FromPath[str]) -> Template:
    """Show the part of the map editor that changes while drawing."""
    return _map_page(request, table, map_id, "map_sheet.html")


def _map_page(request: WebRequest, table: str, map_id: str, name: str, wrong: str = "") -> Template:
    page = require_gamemaster(request, table, "prepares maps")
    players = [member for member in page.seen.members if member.role == "player"]
    eyes = next((eyes for eyes in (*[player.id for player in players], "players") if eyes == request.query_params.get("as")), "")
    try:
        prepared = map_editor.edit_saved_map(page.tables, table, map_id, bool(eyes))
    except UserError:
        raise NotHere("there is no such map at this table") from None
    saved = pictures.listed(page.tables, table, page.seat.member)
    size = next(((picture.width, picture.height) for picture in saved if picture.digest == prepared.picture), None)
    context: dict[str, Any] = {"prepared": prepared, "easel": prepared.easel, "board": prepared.board, "pictures": saved, "pixels": size}
    context |= {"players": players, "eyes": eyes, "alone": name == "map_sheet.html"}
    return page.show(name, scene=None, ground_kept=False, moment="", can_read=files.available(), wrong=wrong, **context)


# --- new maps -----------------------------------------------------------------------------------------------------------------


async def _read_upload(form: FormMultiDict) -> tuple[bytes, str]:
    """The file of a form and its name; both empty if none was chosen."""
    upload = form.get("file")
    if not isinstance(upload, UploadFile):
        return b"", ""
    return await upload.read(), PurePath(upload.filename.replace("\\", "/")).name[:100]


def _parse_number(form: FormMultiDict, name: str, default: float) -> float:
    text = field(form, name).strip().replace(",", ".")[:20]
    try:
        return float(text) if text else default
    except ValueError:
        raise UserError(f"{name}: {text!r} is not a number") from None


def _parse_grid(form: FormMultiDict) -> Any:
    grid = field(form, "grid") or "squares"
    if grid not in ("open", "squares", "hexes"):
        raise UserError(f"grid: {grid[:40]!r} is unknown; choose open, squares or hexes")
    return grid


def _create_map(request: WebRequest, table: str, form: FormMultiDict, data: bytes, file: str) -> str:
    """Create a map from the fields of a form and return its id."""
    tables, seat = tables_of(request), seat_of(request, table)
    name, of = field(form, "name").strip() or file.rpartition(".")[0] or "Map", field(form, "of") or "fight"
    settings: dict[str, Any] = {"name": name[: limits.NAME], "of": of}
    if not data:
        settings["like"] = field(form, "like")[:80]
        if not settings["like"]:
            settings["ground"] = _blank_map(form)
    elif files.looks_like_one(data):
        settings["ground"] = msgspec.to_builtins(_map_from_picture(tables, table, seat.member, form, data, file))
    elif data.lstrip()[:1] == b"{":
        settings["ground"] = msgspec.to_builtins(_map_from_file(tables, table, seat.member, form, data, file))
    else:
        settings["yaml"] = _decode_text(data, file)
    return tables.act(table, seat.member, a.KeepMap(**settings)).made


def _blank_map(form: FormMultiDict) -> dict[str, Any]:
    size = [_parse_number(form, "width", 30), _parse_number(form, "height", 20)]
    return {"grid": _parse_grid(form), "cell": _parse_number(form, "metres", 1.5), "size": size}


def _decode_text(data: bytes, file: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UserError(f"{file}: this is neither a picture, nor a map of another tool, nor a map file of Rulewright") from None


def _map_from_picture(tables: Any, table: str, member: str, form: FormMultiDict, data: bytes, file: str) -> Ground:
    cell, offset = _parse_number(form, "pixels", 70), (_parse_number(form, "left", 0), _parse_number(form, "top", 0))
    size = files.measured(data, file)
    pictured(
        size, "x", cell, offset, _parse_grid(form), _parse_number(form, "metres", 1.5)
    )  # refuses wrong sizes before the picture is saved
    digest = pictures.keep(tables, table, member, data, file[: limits.NAME], "map")
    return pictured(size, digest, cell, offset, _parse_grid(form), _parse_number(form, "metres", 1.5))


def _map_from_file(tables: Any, table: str, member: str, form: FormMultiDict, data: bytes, file: str) -> Ground:
    ground = read_map(data, file, _parse_number(form, "metres", 1.5)).ground
    image = picture_in(data, file)
    if not image or ground.size is None or not files.available():
        return ground
    digest = pictures.keep(tables, table, member, image, file[: limits.NAME], "map")
    return replace(ground, picture=Picture(digest, (0.0, 0.0, *ground.size)))


@post(MAPS + "/new", include_in_schema=False, request_max_body_size=MAX_UPLOAD_BYTES, status_code=HTTP_200_OK)
async def new_map(request: WebRequest, table: FromPath[str]) -> Template | Redirect:
    """Create a map: blank, as a copy, from a map file, from another tool's map, or from a picture."""
    form = await request.form()
    data, file = await _read_upload(form)
    try:
        made = await run_sync(_create_map, request, table, form, data, file)
    except (Forbidden, NotHere):
        raise
    except UserError as error:
        return await run_sync(_maps_page, request, table, str(error))
    return Redirect(f"/tables/{table}/maps/{made}", status_code=HTTP_303_SEE_OTHER)


# --- background pictures ------------------------------------------------------------------------------------------------------


def _set_background(request: WebRequest, table: str, map_id: str, form: FormMultiDict, data: bytes, file: str) -> None:
    tables, seat = tables_of(request), seat_of(request, table)
    with tables.looking(table) as opened:
        ground = opened.kept_map(map_id).ground
    if field(form, "picture") == "none":
        tables.act(table, seat.member, a.Draw(Stroke("sheet", None, {"picture": None}), map_id))
        return
    digest = pictures.keep(tables, table, seat.member, data, file[: limits.NAME], "map") if data else field(form, "picture")
    picture = pictures.there(tables, table, seat.member, digest)
    pixels, sent_size = (picture.width, picture.height), files.measured(data, file) if data else None
    scale = pixels[0] / sent_size[0] if sent_size else 1.0  # a large picture is saved smaller than it was sent
    cell, offset = (
        _parse_number(form, "pixels", 70) * scale,
        (_parse_number(form, "left", 0) * scale, _parse_number(form, "top", 0) * scale),
    )
    settings: dict[str, Any] = {}
    if field(form, "fit"):
        settings["size"] = list(pictured(pixels, digest, cell, offset, ground.grid, ground.cell).size or ())
    settings["picture"] = {"file": digest, "box": list(box_of(pixels, cell, offset, ground.grid, ground.cell))}
    tables.act(table, seat.member, a.Draw(Stroke("sheet", None, settings), map_id))


@post(MAPS + "/{map_id:str}/picture", include_in_schema=False, request_max_body_size=MAX_UPLOAD_BYTES, status_code=HTTP_200_OK)
async def set_background(request: WebRequest, table: FromPath[str], map_id: FromPath[str]) -> Template | Redirect:
    """Set a new or saved background picture of a map, or align the current one."""
    form = await request.form()
    data, file = await _read_upload(form)
    try:
        await run_sync(_set_background, request, table, map_id, form, data, file)
    except Forbidden:
        raise
    except UserError as error:
        return await run_sync(_map_page, request, table, map_id, "map.html", str(error))
    return Redirect(f"/tables/{table}/maps/{map_id}", status_code=HTTP_303_SEE_OTHER)


@get(ROUTE + "/scenes/{scene:int}/picture/{mark:str}", sync_to_thread=True, include_in_schema=False)
def veiled_picture(request: WebRequest, table: FromPath[str], scene: FromPath[int], mark: FromPath[str]) -> Response[bytes]:
    """The background picture of a scene, with everything painted over that only the gamemaster may see."""
    tables = tables_of(request)
    seat = seat_of(request, table)
    with tables.looking(table) as opened:
        stage = opened.scene(scene)
        ground, changes = ground_under(stage)
        veiled = ground is not None and stage.ended is None and may_notice(stage, opened.member(seat.member))
        if ground is None or ground.picture is None or not veiled or mark != veiled_address(opened, stage, ground, changes):
            raise NotHere("there is no such picture, or it has changed")
        areas, digest = veils_on_picture(ground, changes), ground.picture.file
    key = f"{table} {mark}"
    if key not in _VEILED_CACHE:
        body = pictures.raw(tables, table, digest)
        if body is None or not files.available():
            raise NotHere("there is no such picture, or it has changed")
        while len(_VEILED_CACHE) >= MAX_VEILED:
            _VEILED_CACHE.pop(next(iter(_VEILED_CACHE)), None)
        _VEILED_CACHE[key] = files.painted_over(body, areas)
    return picture_response(request, _VEILED_CACHE[key], mark)
