"""Maps in the browser: a list, new ones from a file or a picture, drawing on one, and a picture set beneath."""

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
"""Pictures with something painted over that are kept ready."""


def _list(request: Asking, table: str, wrong: str = "") -> Template:
    room = leading(request, table, "prepares maps")
    with room.tables.looking(table) as opened:
        known = kinds(opened)
    with_maps = {key: scenario for key, scenario in demos.scenarios(room.system.id).items() if scenario.map is not None}
    kept = pictures.listed(room.tables, table, room.seat.member)
    return room.show("maps.html", kinds=known, ready=with_maps, wrong=wrong, pictures=kept, can_read=files.available())


@get(MAPS, sync_to_thread=True, include_in_schema=False)
def maps_page(request: Asking, table: FromPath[str]) -> Template:
    """The maps of the table."""
    return _list(request, table)


@get(MAPS + "/{map_id:str}", sync_to_thread=True, include_in_schema=False)
def map_page(request: Asking, table: FromPath[str], map_id: FromPath[str]) -> Template:
    """A map to draw on."""
    return _drawn(request, table, map_id, "map.html")


@get(MAPS + "/{map_id:str}/sheet", sync_to_thread=True, include_in_schema=False)
def map_sheet(request: Asking, table: FromPath[str], map_id: FromPath[str]) -> Template:
    """What changes of it when something is drawn."""
    return _drawn(request, table, map_id, "map_sheet.html")


def _drawn(request: Asking, table: str, map_id: str, name: str, wrong: str = "") -> Template:
    room = leading(request, table, "prepares maps")
    try:
        prepared = map_editor.of_map(room.tables, table, map_id)
    except UserError:
        raise NotHere("there is no such map at this table") from None
    kept = pictures.listed(room.tables, table, room.seat.member)
    size = next(((candidate.width, candidate.height) for candidate in kept if candidate.digest == prepared.picture), None)
    around: dict[str, Any] = {"prepared": prepared, "easel": prepared.easel, "board": prepared.board, "pictures": kept, "pixels": size}
    return room.show(name, scene=None, ground_kept=False, moment="", can_read=files.available(), wrong=wrong, **around)


# --- new ones -----------------------------------------------------------------------------------------------------------------


async def _sent(form: FormMultiDict) -> tuple[bytes, str]:
    """The file of a form, and what it is called; nothing where none was chosen."""
    sent = form.get("file")
    if not isinstance(sent, UploadFile):
        return b"", ""
    return await sent.read(), PurePath(sent.filename.replace("\\", "/")).name[:100]


def _number(form: FormMultiDict, name: str, usual: float) -> float:
    text = field(form, name).strip().replace(",", ".")[:20]
    try:
        return float(text) if text else usual
    except ValueError:
        raise UserError(f"{name}: a number is needed, not {text!r}") from None


def _grid(form: FormMultiDict) -> Any:
    grid = field(form, "grid") or "squares"
    if grid not in ("open", "squares", "hexes"):
        raise UserError(f"a grid is open, squares or hexes, not {grid[:40]!r}")
    return grid


def _begun(request: Asking, table: str, form: FormMultiDict, data: bytes, file: str) -> str:
    """Prepare a map from what a form says; its id."""
    tables, seat = tables_of(request), seat_of(request, table)
    name, of = field(form, "name").strip() or file.rpartition(".")[0] or "A map", field(form, "of") or "fight"
    made: dict[str, Any] = {"name": name[: limits.NAME], "of": of}
    if not data:
        made["like"] = field(form, "like")[:80]
        if not made["like"]:
            made["ground"] = _empty(form)
    elif files.looks_like_one(data):
        made["ground"] = msgspec.to_builtins(_from_picture(tables, table, seat.member, form, data, file))
    elif data.lstrip()[:1] == b"{":
        made["ground"] = msgspec.to_builtins(_from_map(tables, table, seat.member, form, data, file))
    else:
        made["yaml"] = _text(data, file)
    return tables.act(table, seat.member, a.KeepMap(**made)).made


def _empty(form: FormMultiDict) -> dict[str, Any]:
    size = [_number(form, "width", 30), _number(form, "height", 20)]
    return {"grid": _grid(form), "cell": _number(form, "metres", 1.5), "size": size}


def _text(data: bytes, file: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UserError(f"{file}: neither a picture, a map of another tool nor a map file of Rulewright") from None


def _from_picture(tables: Any, table: str, member: str, form: FormMultiDict, data: bytes, file: str) -> Ground:
    cell, offset = _number(form, "pixels", 70), (_number(form, "left", 0), _number(form, "top", 0))
    size = files.measured(data, file)
    pictured(size, "x", cell, offset, _grid(form), _number(form, "metres", 1.5))  # refuses what does not fit before anything is kept
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
    """Prepare a map: empty, like another, from a map file, a map of another tool, or a picture."""
    form = await request.form()
    data, file = await _sent(form)
    try:
        made = await run_sync(_begun, request, table, form, data, file)
    except (Forbidden, NotHere):
        raise
    except UserError as error:
        return await run_sync(_list, request, table, str(error))
    return Redirect(f"/tables/{table}/maps/{made}", status_code=HTTP_303_SEE_OTHER)


# --- a picture beneath --------------------------------------------------------------------------------------------------------


def _set_beneath(request: Asking, table: str, map_id: str, form: FormMultiDict, data: bytes, file: str) -> None:
    tables, seat = tables_of(request), seat_of(request, table)
    with tables.looking(table) as opened:
        ground = opened.kept_map(map_id).ground
    if field(form, "picture") == "none":
        tables.act(table, seat.member, a.Draw(Stroke("sheet", None, {"picture": None}), map_id))
        return
    digest = pictures.keep(tables, table, seat.member, data, file[: limits.NAME], "map") if data else field(form, "picture")
    known = pictures.there(tables, table, seat.member, digest)
    pixels, sent = (known.width, known.height), files.measured(data, file) if data else None
    shrunk = pixels[0] / sent[0] if sent else 1.0  # a large picture is kept smaller than it was sent
    cell, offset = _number(form, "pixels", 70) * shrunk, (_number(form, "left", 0) * shrunk, _number(form, "top", 0) * shrunk)
    thing: dict[str, Any] = {}
    if field(form, "fit"):
        thing["size"] = list(pictured(pixels, digest, cell, offset, ground.grid, ground.cell).size or ())
    thing["picture"] = {"file": digest, "box": list(box_of(pixels, cell, offset, ground.grid, ground.cell))}
    tables.act(table, seat.member, a.Draw(Stroke("sheet", None, thing), map_id))


@post(MAPS + "/{map_id:str}/picture", include_in_schema=False, request_max_body_size=MOST_SENT, status_code=HTTP_200_OK)
async def set_beneath(request: Asking, table: FromPath[str], map_id: FromPath[str]) -> Template | Redirect:
    """Set a picture beneath a map, or one that is kept already, or align the one that is there."""
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
    """The picture under a scene with everything painted over that only the gamemaster knows of."""
    tables = tables_of(request)
    seat_of(request, table)
    with tables.looking(table) as opened:
        stage = opened.scene(scene)
        ground, changes = ground_of(stage), stage.encounter.state.changes
        if stage.ended is not None or ground.picture is None or mark != f"{ground.picture.file}-{painted(ground, changes)}":
            raise NotHere("there is no such picture, or not any more")
        areas, digest = veils_on_picture(ground, changes), ground.picture.file
    key = f"{table} {mark}"
    if key not in _VEILED:
        body = pictures.raw(tables, table, digest)
        if body is None or not files.available():
            raise NotHere("there is no such picture, or not any more")
        while len(_VEILED) >= MOST_VEILED:
            _VEILED.pop(next(iter(_VEILED)), None)
        _VEILED[key] = files.painted_over(body, areas)
    return as_picture(request, _VEILED[key], mark)
