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
from rulewright.field.placement import painted, veils_on_picture
from rulewright.files import images as files
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.maps import ground_of, kinds
from rulewright.table.open_tables import NotHere
from rulewright.table.permissions import Forbidden
from rulewright.table.scenes import demos
from rulewright.table.storage import pictures
from rulewright.web.maps import map_editor
from rulewright.web.maps.picture_pages import MOST_SENT, as_picture
from rulewright.web.params import Asking
from rulewright.web.table.action_forms import field
from rulewright.web.table.seats import seat_of, tables_of
from rulewright.web.table.table_pages import WHERE, leading

MAPS = WHERE + "/maps"
_VEILED: dict[str, bytes] = {}
MOST_VEILED = 12
"""How many pictures with hidden areas painted over are cached."""


def _list(request: Asking, table: str, wrong: str = "") -> Template:
    room = leading(request, table, "prepares maps")
    with room.tables.looking(table) as opened:
        known = kinds(opened)
    with_maps = {key: scenario for key, scenario in demos.scenarios(room.system.id).items() if scenario.map is not None}
    saved_pictures = pictures.listed(room.tables, table, room.seat.member)
    return room.show("maps.html", kinds=known, ready=with_maps, wrong=wrong, pictures=saved_pictures, can_read=files.available())


@get(MAPS, sync_to_thread=True, include_in_schema=False)
def maps_page(request: Asking, table: FromPath[str]) -> Template:
    """Show the list of maps."""
    return _list(request, table)


@get(MAPS + "/{map_id:str}", sync_to_thread=True, include_in_schema=False)
def map_page(request: Asking, table: FromPath[str], map_id: FromPath[str]) -> Template:
    """Show the map editor."""
    return _drawn(request, table, map_id, "map.html")


@get(MAPS + "/{map_id:str}/sheet", sync_to_thread=True, include_in_schema=False)
def map_sheet(request: Asking, table: FromPath[str], map_id: FromPath[str]) -> Template:
    """Show the part of the map editor that changes while drawing."""
    return _drawn(request, table, map_id, "map_sheet.html")


def _drawn(request: Asking, table: str, map_id: str, name: str, wrong: str = "") -> Template:
    room = leading(request, table, "prepares maps")
    try:
        prepared = map_editor.of_map(room.tables, table, map_id)
    except UserError:
        raise NotHere("there is no such map at this table") from None
    saved = pictures.listed(room.tables, table, room.seat.member)
    size = next(((picture.width, picture.height) for picture in saved if picture.digest == prepared.picture), None)
    context: dict[str, Any] = {"prepared": prepared, "easel": prepared.easel, "board": prepared.board, "pictures": saved, "pixels": size}
    return room.show(name, scene=None, ground_kept=False, moment="", can_read=files.available(), wrong=wrong, **context)


# --- new maps -----------------------------------------------------------------------------------------------------------------


async def _sent(form: FormMultiDict) -> tuple[bytes, str]:
    """The file of a form and its name; both empty if none was chosen."""
    upload = form.get("file")
    if not isinstance(upload, UploadFile):
        return b"", ""
    return await upload.read(), PurePath(upload.filename.replace("\\", "/")).name[:100]


def _number(form: FormMultiDict, name: str, default: float) -> float:
    text = field(form, name).strip().replace(",", ".")[:20]
    try:
        return float(text) if text else default
    except ValueError:
        raise UserError(f"{name}: {text!r} is not a number") from None


def _grid(form: FormMultiDict) -> Any:
    grid = field(form, "grid") or "squares"
    if grid not in ("open", "squares", "hexes"):
        raise UserError(f"grid: {grid[:40]!r} is unknown; choose open, squares or hexes")
    return grid


def _begun(request: Asking, table: str, form: FormMultiDict, data: bytes, file: str) -> str:
    """Create a map from the fields of a form and return its id."""
    tables, seat = tables_of(request), seat_of(request, table)
    name, of = field(form, "name").strip() or file.rpartition(".")[0] or "Map", field(form, "of") or "fight"
    settings: dict[str, Any] = {"name": name[: limits.NAME], "of": of}
    if not data:
        settings["like"] = field(form, "like")[:80]
        if not settings["like"]:
            settings["ground"] = _empty(form)
    elif files.looks_like_one(data):
        settings["ground"] = msgspec.to_builtins(_from_picture(tables, table, seat.member, form, data, file))
    elif data.lstrip()[:1] == b"{":
        settings["ground"] = msgspec.to_builtins(_from_map(tables, table, seat.member, form, data, file))
    else:
        settings["yaml"] = _text(data, file)
    return tables.act(table, seat.member, a.KeepMap(**settings)).made


def _empty(form: FormMultiDict) -> dict[str, Any]:
    size = [_number(form, "width", 30), _number(form, "height", 20)]
    return {"grid": _grid(form), "cell": _number(form, "metres", 1.5), "size": size}


def _text(data: bytes, file: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UserError(f"{file}: this is neither a picture, nor a map of another tool, nor a map file of Rulewright") from None


def _from_picture(tables: Any, table: str, member: str, form: FormMultiDict, data: bytes, file: str) -> Ground:
    cell, offset = _number(form, "pixels", 70), (_number(form, "left", 0), _number(form, "top", 0))
    size = files.measured(data, file)
    pictured(size, "x", cell, offset, _grid(form), _number(form, "metres", 1.5))  # refuses wrong sizes before the picture is saved
    digest = pictures.keep(tables, table, member, data, file[: limits.NAME], "map")
    return pictured(size, digest, cell, offset, _grid(form), _number(form, "metres", 1.5))


def _from_map(tables: Any, table: str, member: str, form: FormMultiDict, data: bytes, file: str) -> Ground:
    ground = read_map(data, file, _number(form, "metres", 1.5)).ground
    image = picture_in(data, file)
    if not image or ground.size is None or not files.available():
        return ground
    digest = pictures.keep(tables, table, member, image, file[: limits.NAME], "map")
    return replace(ground, picture=Picture(digest, (0.0, 0.0, *ground.size)))


@post(MAPS + "/new", include_in_schema=False, request_max_body_size=MOST_SENT, status_code=HTTP_200_OK)
async def new_map(request: Asking, table: FromPath[str]) -> Template | Redirect:
    """Create a map: blank, as a copy, from a map file, from another tool's map, or from a picture."""
    form = await request.form()
    data, file = await _sent(form)
    try:
        made = await run_sync(_begun, request, table, form, data, file)
    except (Forbidden, NotHere):
        raise
    except UserError as error:
        return await run_sync(_list, request, table, str(error))
    return Redirect(f"/tables/{table}/maps/{made}", status_code=HTTP_303_SEE_OTHER)


# --- background pictures ------------------------------------------------------------------------------------------------------


def _set_beneath(request: Asking, table: str, map_id: str, form: FormMultiDict, data: bytes, file: str) -> None:
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
    cell, offset = _number(form, "pixels", 70) * scale, (_number(form, "left", 0) * scale, _number(form, "top", 0) * scale)
    settings: dict[str, Any] = {}
    if field(form, "fit"):
        settings["size"] = list(pictured(pixels, digest, cell, offset, ground.grid, ground.cell).size or ())
    settings["picture"] = {"file": digest, "box": list(box_of(pixels, cell, offset, ground.grid, ground.cell))}
    tables.act(table, seat.member, a.Draw(Stroke("sheet", None, settings), map_id))


@post(MAPS + "/{map_id:str}/picture", include_in_schema=False, request_max_body_size=MOST_SENT, status_code=HTTP_200_OK)
async def set_beneath(request: Asking, table: FromPath[str], map_id: FromPath[str]) -> Template | Redirect:
    """Set a new or saved background picture of a map, or align the current one."""
    form = await request.form()
    data, file = await _sent(form)
    try:
        await run_sync(_set_beneath, request, table, map_id, form, data, file)
    except Forbidden:
        raise
    except UserError as error:
        return await run_sync(_drawn, request, table, map_id, "map.html", str(error))
    return Redirect(f"/tables/{table}/maps/{map_id}", status_code=HTTP_303_SEE_OTHER)


@get(WHERE + "/scenes/{scene:int}/picture/{mark:str}", sync_to_thread=True, include_in_schema=False)
def veiled_picture(request: Asking, table: FromPath[str], scene: FromPath[int], mark: FromPath[str]) -> Response[bytes]:
    """The background picture of a scene, with everything painted over that only the gamemaster may see."""
    tables = tables_of(request)
    seat_of(request, table)
    with tables.looking(table) as opened:
        stage = opened.scene(scene)
        ground, changes = ground_of(stage), stage.encounter.state.changes
        if stage.ended is not None or ground.picture is None or mark != f"{ground.picture.file}-{painted(ground, changes)}":
            raise NotHere("there is no such picture, or it has changed")
        areas, digest = veils_on_picture(ground, changes), ground.picture.file
    key = f"{table} {mark}"
    if key not in _VEILED:
        body = pictures.raw(tables, table, digest)
        if body is None or not files.available():
            raise NotHere("there is no such picture, or it has changed")
        while len(_VEILED) >= MOST_VEILED:
            _VEILED.pop(next(iter(_VEILED)), None)
        _VEILED[key] = files.painted_over(body, areas)
    return as_picture(request, _VEILED[key], mark)
