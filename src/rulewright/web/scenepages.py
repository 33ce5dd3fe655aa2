"""The gamemaster prepares a scene: on a board, or in a form where there is no script; begun, saved as a file, opened again, weighed."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import Wrong
from rulewright.play import Entropy
from rulewright.table import demos, limits
from rulewright.table.actions import AddCharacter, BeginScene, KeepMap, Placing
from rulewright.table.preparing import opened_again, scenario_text, write
from rulewright.table.rights import Forbidden
from rulewright.web.action_forms import action_of, draft_of, field
from rulewright.web.asked import Asking, Sent
from rulewright.web.games import ready_made
from rulewright.web.labjobs import Job
from rulewright.web.labpages import JOBS, shown
from rulewright.web.pages import FORM, from_page
from rulewright.web.preparing import FOES, SIDES, first_draft, prepared
from rulewright.web.safety import within
from rulewright.web.sheetfiles import file_name
from rulewright.web.tablepages import WHERE, Room

FIGHTS = 1_000
"""So many times the lab plays a scene that is weighed."""
MOST_MADE = 12
"""So many are made up at once."""
NPCS = {
    "gamemaster": "are yours",
    "tactics": "go by themselves",
    "plays easy": "play by themselves: easy",
    "plays good": "play by themselves: good",
    "plays best": "play by themselves: best",
}


@get(WHERE + "/scene", sync_to_thread=True, include_in_schema=False)
def scene_page(request: Asking, table: FromPath[str]) -> Template:
    """A new scene: the board, and the form for those without a script."""
    room, chosen = Room(request, table), request.query_params.get("map", "")[:40]
    board = room.leads and room.system.fights and request.query_params.get("as", "") != "form"
    around: dict[str, Any] = {
        "ready": list(ready_made(room.system.id).values()),
        "fights": room.system.fights,
        "chosen": chosen,
        "npcs": NPCS,
    }
    around |= _around(room, first_draft(room, chosen)) if board else {"made": None}
    return room.show("scene.html", scenarios=demos.scenarios(room.system.id), kinds=list(room.system.scenes), **around)


def _around(room: Room, action: BeginScene, told: str = "") -> dict[str, Any]:
    """What the board draws."""
    made = prepared(room, action, told)
    with room.tables.looking(room.seen.id) as opened:
        levels = room.system.draft_choices(opened.rules).get("level", ()) if room.system.drafted else ()
    around = {"made": made, "prepared": made, "board": made.board, "easel": made.easel, "sides": SIDES, "levels": levels}
    return {**around, "scene": None, "ground_kept": False, "moment": "", "most_made": MOST_MADE}


def _redrawn(room: Room, action: BeginScene, told: str = "") -> Template:
    """The board anew."""
    kinds = list(room.system.scenes)
    return room.show("prepare.html", scenarios=demos.scenarios(room.system.id), kinds=kinds, npcs=NPCS, **_around(room, action, told))


@post(WHERE + "/scene/board", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_board(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """A scene that is prepared, drawn as it would begin."""
    return _redrawn(_leading(request, table), draft_of(form))


@post(WHERE + "/scene/open", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def open_scene(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """A scenario on the board, a file or a ready-made one; of `like` only the place. Its ground becomes a map of the table."""
    room, ready, like = _leading(request, table), field(form, "ready")[:80], field(form, "like")[:80]
    text = room.system.demos()[_ready(room, ready or like)].read_text(encoding="utf-8") if ready or like else field(form, "yaml")
    with room.tables.looking(table) as opened:
        action, ground = opened_again(opened, text)
        same = next((one.id for one in opened.maps.values() if one.ground == ground), "") if ground is not None else ""
    if ground is not None and not same:
        keeping = KeepMap(name=action.name[: limits.NAME], of=action.scene, ground=msgspec.to_builtins(ground))
        same = room.tables.act(table, room.seat.member, keeping).made
        room = Room(request, table)
    if not like:
        return _redrawn(room, replace(action, map=same), f"{action.name} is open")
    before = draft_of(form)
    afresh = {side: tuple([replace(one, at=None) for one in placings]) for side, placings in before.sides.items()}
    place = {name: value for name, value in action.place.items() if not _of_sides(value, action)}  # its sides are not ours
    return _redrawn(room, replace(before, sides=afresh, scene=action.scene, place=place, map=same), f"The place is as in {action.name}")


def _of_sides(value: Any, action: BeginScene) -> bool:
    """Whether something said of a place names a side, or tells something of sides one by one."""
    return any(each in action.sides for each in (value if isinstance(value, dict) else [value]) if isinstance(each, str))


def _ready(room: Room, name: str) -> str:
    """The file of a ready-made scenario."""
    found = next((key for key in room.system.demos() if key == f"scenarios/{name}.yaml"), "")
    if not found:
        raise Wrong(f"{room.system.name} has no ready-made scene {name[:60]!r}")
    return found


@post(WHERE + "/scene/people", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def make_up(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """People of a quality made up by dice, known to the gamemaster alone, and put on the board."""
    room, action = _leading(request, table), draft_of(form)
    number, level, side = field(form, "number").strip(), field(form, "level"), field(form, "side") or FOES
    if not (number.isascii() and number.isdecimal() and 1 <= int(number[:4]) <= MOST_MADE):
        raise Wrong(f"from 1 to {MOST_MADE} people are made up at once")
    if not room.system.drafted:
        raise Wrong(f"{room.system.name} cannot make people up here yet")
    with room.tables.looking(table) as opened:
        rules = opened.rules
    with within(10.0):
        people = library.made_up(room.system, rules, {"level": level} if level else {}, int(number), Entropy())
    made = [
        room.tables.act(table, room.seat.member, AddCharacter(of=each.kind, data=msgspec.to_builtins(each), hidden=True)).made
        for each in people
    ]
    sides = {**action.sides, side[:60]: (*action.sides.get(side, ()), *[Placing(one) for one in made])}
    return _redrawn(Room(request, table), replace(action, sides=sides), f"{len(made)} more {'stands' if len(made) == 1 else 'stand'} there")


@post(WHERE + "/scene/file", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_file(request: Asking, table: FromPath[str], form: Sent) -> Response[str]:
    """A prepared scene as a scenario file."""
    room, action = _prepared(request, table, form)
    with room.tables.looking(room.seen.id) as opened:
        text = scenario_text(opened, action)
    return Response(text, media_type="application/yaml; charset=utf-8", headers=file_name(action.name, "yaml"))


@post(WHERE + "/scene/weigh", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def weigh_scene(request: Asking, table: FromPath[str], form: Sent) -> Template | Redirect:
    """A prepared scene played many times in the lab, everybody by their usual tactics. A page that asked shows it where it is."""
    room, action = _prepared(request, table, form)
    job = Job(room.system.id, "", "sample", action.name)
    job.folder = TemporaryDirectory(prefix="rulewright-")
    with room.tables.looking(room.seen.id) as opened:
        path = write(opened, action, Path(job.folder.name))
    JOBS.begin(job, str(path), FIGHTS, None, {})
    if from_page(request):
        return room.show("lab_job.html", **shown(job))
    return Redirect(f"/lab/{job.id}", status_code=HTTP_303_SEE_OTHER)


def _leading(request: Asking, table: str) -> Room:
    room = Room(request, table)
    if not room.leads:
        raise Forbidden("only the gamemaster prepares scenes")
    return room


def _prepared(request: Asking, table: str, form: Sent) -> tuple[Room, BeginScene]:
    room, action = _leading(request, table), action_of(form)
    assert isinstance(action, BeginScene)
    return room, action


HANDLERS = (scene_page, scene_board, open_scene, make_up, scene_file, weigh_scene)
