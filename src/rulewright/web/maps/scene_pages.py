"""Scene preparation by the gamemaster: on a board, or in a form without scripts; started, saved as a file, opened, simulated."""

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
from rulewright.grammar import count
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
"""How often a scene is simulated."""
FIGHTS_EACH, MOST_LEFT_OUT = 300, 8
"""How often a scene is simulated without each member of a side, and for how many members at most."""
MOST_MADE = 12
"""How many random characters are made at once."""
NPCS = {
    "gamemaster": "controlled by you",
    "tactics": "controlled by their default AI",
    "plays easy": "AI players, level easy",
    "plays good": "AI players, level good",
    "plays best": "AI players, level best",
}


@get(WHERE + "/scene", sync_to_thread=True, include_in_schema=False)
def scene_page(request: Asking, table: FromPath[str]) -> Template:
    """Show the page for a new scene: the board, or the form without scripts."""
    room, chosen = Room(request, table), request.query_params.get("map", "")[:40]
    board = room.leads and room.system.fights and request.query_params.get("as", "") != "form"
    context: dict[str, Any] = {
        "ready": list(ready_made(room.system.id).values()),
        "fights": room.system.fights,
        "chosen": chosen,
        "npcs": NPCS,
    }
    draft_id = request.query_params.get("draft", "")[:40]
    context |= _around(room, _kept(room, draft_id) if draft_id else first_draft(room, chosen), kept=draft_id) if board else {"made": None}
    return room.show("scene.html", scenarios=demos.scenarios(room.system.id), kinds=list(room.system.scenes), **context)


def _kept(room: Room, draft: str) -> BeginScene:
    """A prepared scene of the table."""
    with room.tables.looking(room.seen.id) as table:
        return scene_of(table.draft(draft))


def _around(room: Room, action: BeginScene, told: str = "", eyes: str = "", kept: str = "") -> dict[str, Any]:
    """The template variables of the board; `kept` is the id of the prepared scene that is open."""
    made = prepared(room, action, told, eyes)
    context = {"made": made, "prepared": made, "board": made.board, "easel": made.easel, "sides": SIDES, "levels": _levels(room)}
    players = [member for member in room.seen.members if member.role == "player"]
    about: dict[str, Any] = {"kept": next((draft for draft in room.seen.drafts if draft.id == kept), None), "players": players}
    about |= {"structures_sent": True, "fights_each": FIGHTS_EACH}
    return {**context, **about, "scene": None, "ground_kept": False, "moment": "", "most_made": MOST_MADE}


def _levels(room: Room) -> dict[str, str]:
    """The levels of random opponents, and how each is made."""
    if not room.system.drafted:
        return {quality.name: quality.how for quality in room.system.qualities}
    with room.tables.looking(room.seen.id) as opened:
        return dict.fromkeys(room.system.draft_choices(opened.rules).get("level", ()), "random, by the tables of the book")


def _redrawn(room: Room, action: BeginScene, told: str = "", form: Sent | None = None) -> Template:
    """Draw the board again, with the same view as before."""
    kinds = list(room.system.scenes)
    eyes, kept = (field(form, "eyes")[:40], field(form, "kept")[:40]) if form is not None else ("", "")
    context = _around(room, action, told, eyes, kept)
    return room.show("prepare.html", scenarios=demos.scenarios(room.system.id), kinds=kinds, npcs=NPCS, **context)


@post(WHERE + "/scene/board", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_board(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """Draw a prepared scene, after a change of its place if the form has one."""
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
    """Open a prepared scene of the table on the board."""
    room = leading(request, table, "prepares scenes")
    action = _kept(room, field(form, "kept")[:40])
    return _redrawn(room, action, f"{action.name} is open", form)


@post(WHERE + "/scene/open", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def open_scene(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """Open a scenario, a file or a ready-made one; with `like`, only its place. Its map is added to the table."""
    room, ready, like = leading(request, table, "prepares scenes"), field(form, "ready")[:80], field(form, "like")[:80]
    text = room.system.demos()[_ready(room, ready or like)].read_text(encoding="utf-8") if ready or like else field(form, "yaml")
    with room.tables.looking(table) as opened:
        action, ground = opened_again(opened, text)
        map_id = next((kept_map.id for kept_map in opened.maps.values() if kept_map.ground == ground), "") if ground is not None else ""
    if ground is not None and not map_id:
        new_map = KeepMap(name=action.name[: limits.NAME], of=action.scene, ground=msgspec.to_builtins(ground))
        map_id = room.tables.act(table, room.seat.member, new_map).made
        room = Room(request, table)
    if not like:
        return _redrawn(room, replace(action, map=map_id), f"{action.name} is open", form)
    before = draft_of(form)
    unplaced = {side: tuple([replace(placing, at=None) for placing in placings]) for side, placings in before.sides.items()}
    place = {name: value for name, value in action.place.items() if not _of_sides(value, action)}  # our sides have other names
    draft = replace(before, sides=unplaced, scene=action.scene, place=place, map=map_id)
    return _redrawn(room, draft, f"The place is now as in {action.name}", form)


def _of_sides(value: Any, action: BeginScene) -> bool:
    """Whether a setting of a place names a side, or has values by side."""
    return any(name in action.sides for name in (value if isinstance(value, dict) else [value]) if isinstance(name, str))


def _ready(room: Room, name: str) -> str:
    """The file name of a ready-made scenario."""
    file = next((key for key in room.system.demos() if key == f"scenarios/{name}.yaml"), "")
    if not file:
        raise UserError(f"{room.system.name} has no ready-made scene {name[:60]!r}")
    return file


@post(WHERE + "/scene/people", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def make_up(request: Asking, table: FromPath[str], form: Sent) -> Template:
    """Add random characters of a level to a side; only the gamemaster sees them."""
    room, action = leading(request, table, "prepares scenes"), draft_of(form)
    number, level, side = field(form, "number").strip(), field(form, "level"), field(form, "side") or FOES
    if not (number.isascii() and number.isdecimal() and 1 <= int(number[:4]) <= MOST_MADE):
        raise UserError(f"number: choose from 1 to {MOST_MADE} characters at once")
    placings = _made_up(room, level, int(number))
    sides = {**action.sides, side[:60]: (*action.sides.get(side, ()), *placings)}
    return _redrawn(Room(request, table), replace(action, sides=sides), f"{count(int(number), 'character')} added", form)


def _made_up(room: Room, level: str, number: int) -> list[Placing]:
    """Make characters of a level: by the book's random tables, by the game's rules for opponents, or ready-made."""
    with room.tables.looking(room.seen.id) as opened:
        rules = opened.rules
    if room.system.drafted:
        with within(10.0):
            people = library.made_up(room.system, rules, {"level": level} if level else {}, number, Entropy())
        return [Placing(_added(room, person)) for person in people]
    quality = next((known for known in room.system.qualities if known.name == level), None)
    if quality is None:
        known = ", ".join(quality.name for quality in room.system.qualities) or "none"
        raise UserError(f"{room.system.name} has no opponents of level {level[:40]!r}; its levels: {known}")
    if quality.ready:
        return [Placing(quality.ready, name=f"{quality.name.capitalize()} opponent", count=number)]
    opponent = room.system.of_quality(rules, level)
    if opponent.kind in room.system.together:
        return [Placing(_added(room, opponent), count=number)]
    first = sum(character.name.startswith(f"{opponent.name} ") for character in room.seen.characters) + 1
    return [Placing(_added(room, replace(opponent, name=f"{opponent.name} {at}"))) for at in range(first, first + number)]


def _added(room: Room, character: Any) -> str:
    """Add a character to the table, visible to the gamemaster only; returns its id."""
    command = AddCharacter(of=character.kind, data=msgspec.to_builtins(character), hidden=True)
    return room.tables.act(room.seen.id, room.seat.member, command).made


@post(WHERE + "/scene/file", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_file(request: Asking, table: FromPath[str], form: Sent) -> Response[str]:
    """Download a prepared scene as a scenario file."""
    room, action = _prepared(request, table, form)
    with room.tables.looking(room.seen.id) as opened:
        text = scenario_text(opened, action)
    return Response(text, media_type="application/yaml; charset=utf-8", headers=file_name(action.name, "yaml"))


@post(WHERE + "/scene/weigh", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def weigh_scene(request: Asking, table: FromPath[str], form: Sent) -> Template | Redirect:
    """Simulate a prepared scene many times, with default tactics. A page shows the result in place."""
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
    """Write the scene without each member of its first side as files; returns how often each is simulated."""
    side = next((side for side, placings in action.sides.items() if placings), "")
    placings, listed = action.sides.get(side, ()), dict[str, str]()
    people = [stood for stood in laid_out(table, action).people if stood.side == side][:MOST_LEFT_OUT]
    if len(placings) < 2:
        raise UserError(f"{side or 'a side'} has only one entry; nobody can be left out")
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
