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

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.play import Entropy
from rulewright.table import limits
from rulewright.table.commands.messages import AddCharacter, BeginScene, KeepMap, Placing
from rulewright.table.commands.scene_drafts import scene_of
from rulewright.table.scenes import demos
from rulewright.table.scenes.map_setup import laid_out
from rulewright.table.scenes.scene_setup import opened_again, scenario_text, write
from rulewright.table.state import Table
from rulewright.web.maps.scene_board import FOES, SIDES, changed_place, first_draft, prepared
from rulewright.web.pages.games import ready_made
from rulewright.web.pages.lab import JOBS, shown
from rulewright.web.pages.lab_jobs import LEFT_OUT, Job
from rulewright.web.pages.public import FORM, from_page
from rulewright.web.params import Asking, Sent
from rulewright.web.server.security import within
from rulewright.web.sheets.sheet_files import file_name
from rulewright.web.table.action_forms import action_of, draft_of, field
from rulewright.web.table.table_pages import WHERE, Room, leading

FIGHTS = 1_000
"""So many times the lab plays a scene that is weighed."""
FIGHTS_EACH, MOST_LEFT_OUT = 300, 8
"""So many times a scene is played without somebody, and of so many at most."""
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
    kept = request.query_params.get("draft", "")[:40]
    around |= _around(room, _kept(room, kept) if kept else first_draft(room, chosen), kept=kept) if board else {"made": None}
    return room.show("scene.html", scenarios=demos.scenarios(room.system.id), kinds=list(room.system.scenes), **around)


def _kept(room: Room, draft: str) -> BeginScene:
    """A scene that is kept at the table."""
    with room.tables.looking(room.seen.id) as table:
        return scene_of(table.draft(draft))


def _around(room: Room, action: BeginScene, told: str = "", eyes: str = "", kept: str = "") -> dict[str, Any]:
    """What the board draws; `kept` is the prepared scene of the table that it is."""
    made = prepared(room, action, told, eyes)
    around = {"made": made, "prepared": made, "board": made.board, "easel": made.easel, "sides": SIDES, "levels": _levels(room)}
    players = [member for member in room.seen.members if member.role == "player"]
    about: dict[str, Any] = {"kept": next((draft for draft in room.seen.drafts if draft.id == kept), None), "players": players}
    about |= {"structures_sent": True, "fights_each": FIGHTS_EACH}
    return {**around, **about, "scene": None, "ground_kept": False, "moment": "", "most_made": MOST_MADE}


def _levels(room: Room) -> dict[str, str]:
    """How good opponents by number can be, and how they are made."""
    if not room.system.drafted:
        return {quality.name: quality.how for quality in room.system.qualities}
    with room.tables.looking(room.seen.id) as opened:
        return dict.fromkeys(room.system.draft_choices(opened.rules).get("level", ()), "made up by dice, by the book's own tables")


def _redrawn(room: Room, action: BeginScene, told: str = "", form: Sent | None = None) -> Template:
    """The board anew, for whoever looks at it as before."""
    kinds = list(room.system.scenes)
    eyes, kept = (field(form, "eyes")[:40], field(form, "kept")[:40]) if form is not None else ("", "")
    around = _around(room, action, told, eyes, kept)
    return room.show("prepare.html", scenarios=demos.scenarios(room.system.id), kinds=kinds, npcs=NPCS, **around)


@post(WHERE + "/scene/board", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_board(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """A scene that is prepared, drawn as it would begin."""
    room, action = leading(request, table, "prepares scenes"), draft_of(form)
    if field(form, "part"):
        texts = {name.removeprefix("row."): str(text)[:4_001] for name, text in form.multi_items() if name.startswith("row.")}
        with room.tables.looking(table) as opened:
            scene = opened.system.staging(action.scene).scene(opened.rules)
        place = changed_place(scene, action.place, field(form, "part")[:400], field(form, "does").removesuffix(" in"), texts)
        action = replace(action, place=place)
    return _redrawn(room, action, form=form)


@post(WHERE + "/scene/kept", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def open_kept(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """A scene that is kept at the table, on the board."""
    room = leading(request, table, "prepares scenes")
    action = _kept(room, field(form, "kept")[:40])
    return _redrawn(room, action, f"{action.name} is open", form)


@post(WHERE + "/scene/open", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def open_scene(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """A scenario on the board, a file or a ready-made one; of `like` only the place. Its ground becomes a map of the table."""
    room, ready, like = leading(request, table, "prepares scenes"), field(form, "ready")[:80], field(form, "like")[:80]
    text = room.system.demos()[_ready(room, ready or like)].read_text(encoding="utf-8") if ready or like else field(form, "yaml")
    with room.tables.looking(table) as opened:
        action, ground = opened_again(opened, text)
        same = next((kept_map.id for kept_map in opened.maps.values() if kept_map.ground == ground), "") if ground is not None else ""
    if ground is not None and not same:
        keeping = KeepMap(name=action.name[: limits.NAME], of=action.scene, ground=msgspec.to_builtins(ground))
        same = room.tables.act(table, room.seat.member, keeping).made
        room = Room(request, table)
    if not like:
        return _redrawn(room, replace(action, map=same), f"{action.name} is open", form)
    before = draft_of(form)
    afresh = {side: tuple([replace(placing, at=None) for placing in placings]) for side, placings in before.sides.items()}
    place = {name: value for name, value in action.place.items() if not _of_sides(value, action)}  # its sides are not ours
    there = replace(before, sides=afresh, scene=action.scene, place=place, map=same)
    return _redrawn(room, there, f"The place is as in {action.name}", form)


def _of_sides(value: Any, action: BeginScene) -> bool:
    """Whether something said of a place names a side, or tells something of sides one by one."""
    return any(candidate in action.sides for candidate in (value if isinstance(value, dict) else [value]) if isinstance(candidate, str))


def _ready(room: Room, name: str) -> str:
    """The file of a ready-made scenario."""
    result = next((key for key in room.system.demos() if key == f"scenarios/{name}.yaml"), "")
    if not result:
        raise UserError(f"{room.system.name} has no ready-made scene {name[:60]!r}")
    return result


@post(WHERE + "/scene/people", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def make_up(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """People of a quality made up by dice, known to the gamemaster alone, and put on the board."""
    room, action = leading(request, table, "prepares scenes"), draft_of(form)
    number, level, side = field(form, "number").strip(), field(form, "level"), field(form, "side") or FOES
    if not (number.isascii() and number.isdecimal() and 1 <= int(number[:4]) <= MOST_MADE):
        raise UserError(f"from 1 to {MOST_MADE} people are made up at once")
    placings = _made_up(room, level, int(number))
    sides = {**action.sides, side[:60]: (*action.sides.get(side, ()), *placings)}
    many = f"{number} more {'stands' if int(number) == 1 else 'stand'} there"
    return _redrawn(Room(request, table), replace(action, sides=sides), many, form)


def _made_up(room: Room, level: str, number: int) -> list[Placing]:
    """So many of a quality: made up by dice where the book does so, made by the game's rules for such people, or ready-made."""
    with room.tables.looking(room.seen.id) as opened:
        rules = opened.rules
    if room.system.drafted:
        with within(10.0):
            people = library.made_up(room.system, rules, {"level": level} if level else {}, number, Entropy())
        return [Placing(_added(room, person)) for person in people]
    quality = next((candidate for candidate in room.system.qualities if candidate.name == level), None)
    if quality is None:
        known = ", ".join(candidate.name for candidate in room.system.qualities) or "none"
        raise UserError(f"{room.system.name} has no opponents of the quality {level[:40]!r}; there are {known}")
    if quality.ready:
        return [Placing(quality.ready, name=f"{quality.name.capitalize()} foe", count=number)]
    made = room.system.of_quality(rules, level)
    if made.kind in room.system.together:
        return [Placing(_added(room, made), count=number)]
    first = sum(character.name.startswith(f"{made.name} ") for character in room.seen.characters) + 1
    return [Placing(_added(room, replace(made, name=f"{made.name} {at}"))) for at in range(first, first + number)]


def _added(room: Room, thing: Any) -> str:
    """Somebody added to the table, known to the gamemaster alone; their id."""
    adding = AddCharacter(of=thing.kind, data=msgspec.to_builtins(thing), hidden=True)
    return room.tables.act(room.seen.id, room.seat.member, adding).made


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
    job = Job(room.system.id, "", "without" if field(form, "without") else "sample", action.name)
    job.folder = TemporaryDirectory(prefix="rulewright-")
    with room.tables.looking(room.seen.id) as opened:
        path = write(opened, action, Path(job.folder.name))
        fights = _without_each(opened, action, path) if job.how == "without" else FIGHTS
    JOBS.begin(job, str(path), fights, None, {})
    if from_page(request):
        return room.show("lab_job.html", **shown(job))
    return Redirect(f"/lab/{job.id}", status_code=HTTP_303_SEE_OTHER)


def _without_each(table: Table, action: BeginScene, path: Path) -> int:
    """Beside a scene the same with each of the first side left out in turn, as files; how often each of them is played."""
    side = next((side for side, placings in action.sides.items() if placings), "")
    placings, listed = action.sides.get(side, ()), dict[str, str]()
    people = [stood for stood in laid_out(table, action).people if stood.side == side][:MOST_LEFT_OUT]
    if len(placings) < 2:
        raise UserError(f"of {side or 'a side'} nobody can be left out: one alone stands there")
    for person in people:
        rest = tuple([placing for at, placing in enumerate(placings) if at != person.at])
        file = f"without-{person.at}.yaml"
        write(table, replace(action, sides={**action.sides, side: rest}), path.parent, file)
        listed[person.name] = file
    (path.parent / LEFT_OUT).write_text(files.render({"side": side, "without": listed}), encoding="utf-8")
    return FIGHTS_EACH


def _prepared(request: Asking, table: str, form: Sent) -> tuple[Room, BeginScene]:
    room, action = leading(request, table, "prepares scenes"), action_of(form)
    assert isinstance(action, BeginScene)
    return room, action
