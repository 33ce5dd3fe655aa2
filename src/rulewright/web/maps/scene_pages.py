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
from rulewright.web.maps.scene_board import FOES, SIDES, change_place, draw_scene, first_draft
from rulewright.web.pages.games import ready_made
from rulewright.web.pages.lab import JOBS, job_context
from rulewright.web.pages.lab_jobs import LEFT_OUT, Job
from rulewright.web.pages.public import FORM, is_partial_request
from rulewright.web.params import FormFields, WebRequest
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.sheet_files import file_name
from rulewright.web.table.action_forms import field, parse_action, parse_draft
from rulewright.web.table.table_pages import ROUTE, TablePage, require_gamemaster

FIGHTS = 1_000
"""How often a scene is simulated."""
FIGHTS_EACH, MAX_LEFT_OUT = 300, 8
"""How often a scene is simulated without each member of a side, and for how many members at most."""
MAX_RANDOM_CHARACTERS = 12
"""How many random characters are made at once."""
NPCS = {
    "gamemaster": "controlled by you",
    "tactics": "controlled by their default AI",
    "plays easy": "AI players, level easy",
    "plays good": "AI players, level good",
    "plays best": "AI players, level best",
}


@get(ROUTE + "/scene", sync_to_thread=True, include_in_schema=False)
def scene_page(request: WebRequest, table: FromPath[str]) -> Template:
    """Show the page for a new scene: the board, or the form without scripts."""
    page, chosen = TablePage(request, table), request.query_params.get("map", "")[:40]
    board = page.leads and page.system.fights and request.query_params.get("as", "") != "form"
    context: dict[str, Any] = {
        "ready": list(ready_made(page.system.id).values()),
        "fights": page.system.fights,
        "chosen": chosen,
        "npcs": NPCS,
    }
    draft_id = request.query_params.get("draft", "")[:40]
    context |= (
        _board_context(page, _saved_scene(page, draft_id) if draft_id else first_draft(page, chosen), kept=draft_id)
        if board
        else {"made": None}
    )
    return page.show("scene.html", scenarios=demos.scenarios(page.system.id), kinds=list(page.system.scenes), **context)


def _saved_scene(page: TablePage, draft: str) -> BeginScene:
    """A prepared scene of the table."""
    with page.tables.looking(page.seen.id) as table:
        return scene_of(table.draft(draft))


def _board_context(page: TablePage, action: BeginScene, told: str = "", eyes: str = "", kept: str = "") -> dict[str, Any]:
    """The template variables of the board; `kept` is the id of the prepared scene that is open."""
    made = draw_scene(page, action, told, eyes)
    context = {"made": made, "prepared": made, "board": made.board, "easel": made.easel, "sides": SIDES, "levels": _levels(page)}
    players = [member for member in page.seen.members if member.role == "player"]
    about: dict[str, Any] = {"kept": next((draft for draft in page.seen.drafts if draft.id == kept), None), "players": players}
    about |= {"structures_sent": True, "fights_each": FIGHTS_EACH}
    return {**context, **about, "scene": None, "ground_kept": False, "moment": "", "most_made": MAX_RANDOM_CHARACTERS}


def _levels(page: TablePage) -> dict[str, str]:
    """The levels of random opponents, and how each is made."""
    if not page.system.drafted:
        return {quality.name: quality.how for quality in page.system.qualities}
    with page.tables.looking(page.seen.id) as opened:
        return dict.fromkeys(page.system.draft_choices(opened.rules).get("level", ()), "random, by the tables of the book")


def _redraw_board(page: TablePage, action: BeginScene, told: str = "", form: FormFields | None = None) -> Template:
    """Draw the board again, with the same view as before."""
    kinds = list(page.system.scenes)
    eyes, kept = (field(form, "eyes")[:40], field(form, "kept")[:40]) if form is not None else ("", "")
    context = _board_context(page, action, told, eyes, kept)
    return page.show("prepare.html", scenarios=demos.scenarios(page.system.id), kinds=kinds, npcs=NPCS, **context)


@post(ROUTE + "/scene/board", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_board(request: WebRequest, table: FromPath[str], form: FormFields) -> Template:
    """Draw a prepared scene, after a change of its place if the form has one."""
    page, action = require_gamemaster(request, table, "prepares scenes"), parse_draft(form)
    if field(form, "part"):
        texts = {name.removeprefix("row."): str(text)[:4_001] for name, text in form.multi_items() if name.startswith("row.")}
        with page.tables.looking(table) as opened:
            scene = opened.system.staging(action.scene).scene(opened.rules)
        place = change_place(scene, action.place, field(form, "part")[:400], field(form, "does").removesuffix(" in"), texts)
        action = replace(action, place=place)
    return _redraw_board(page, action, form=form)


@post(ROUTE + "/scene/kept", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def open_saved_scene(request: WebRequest, table: FromPath[str], form: FormFields) -> Template:
    """Open a prepared scene of the table on the board."""
    page = require_gamemaster(request, table, "prepares scenes")
    action = _saved_scene(page, field(form, "kept")[:40])
    return _redraw_board(page, action, f"{action.name} is open", form)


@post(ROUTE + "/scene/open", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def open_scene(request: WebRequest, table: FromPath[str], form: FormFields) -> Template:
    """Open a scenario, a file or a ready-made one; with `like`, only its place. Its map is added to the table."""
    page, ready, like = require_gamemaster(request, table, "prepares scenes"), field(form, "ready")[:80], field(form, "like")[:80]
    text = page.system.demos()[_ready_made_file(page, ready or like)].read_text(encoding="utf-8") if ready or like else field(form, "yaml")
    with page.tables.looking(table) as opened:
        action, ground = opened_again(opened, text)
        map_id = next((kept_map.id for kept_map in opened.maps.values() if kept_map.ground == ground), "") if ground is not None else ""
    if ground is not None and not map_id:
        new_map = KeepMap(name=action.name[: limits.NAME], of=action.scene, ground=msgspec.to_builtins(ground))
        map_id = page.tables.act(table, page.seat.member, new_map).made
        page = TablePage(request, table)
    if not like:
        return _redraw_board(page, replace(action, map=map_id), f"{action.name} is open", form)
    before = parse_draft(form)
    unplaced = {side: tuple([replace(placing, at=None) for placing in placings]) for side, placings in before.sides.items()}
    place = {name: value for name, value in action.place.items() if not _names_a_side(value, action)}  # our sides have other names
    draft = replace(before, sides=unplaced, scene=action.scene, place=place, map=map_id)
    return _redraw_board(page, draft, f"The place is now as in {action.name}", form)


def _names_a_side(value: Any, action: BeginScene) -> bool:
    """Whether a setting of a place names a side, or has values by side."""
    return any(name in action.sides for name in (value if isinstance(value, dict) else [value]) if isinstance(name, str))


def _ready_made_file(page: TablePage, name: str) -> str:
    """The file name of a ready-made scenario."""
    file = next((key for key in page.system.demos() if key == f"scenarios/{name}.yaml"), "")
    if not file:
        raise UserError(f"{page.system.name} has no ready-made scene {name[:60]!r}")
    return file


@post(ROUTE + "/scene/people", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def add_random_characters(request: WebRequest, table: FromPath[str], form: FormFields) -> Template:
    """Add random characters of a level to a side; only the gamemaster sees them."""
    page, action = require_gamemaster(request, table, "prepares scenes"), parse_draft(form)
    number, level, side = field(form, "number").strip(), field(form, "level"), field(form, "side") or FOES
    if not (number.isascii() and number.isdecimal() and 1 <= int(number[:4]) <= MAX_RANDOM_CHARACTERS):
        raise UserError(f"number: choose from 1 to {MAX_RANDOM_CHARACTERS} characters at once")
    placings = _make_characters(page, level, int(number))
    sides = {**action.sides, side[:60]: (*action.sides.get(side, ()), *placings)}
    return _redraw_board(TablePage(request, table), replace(action, sides=sides), f"{count(int(number), 'character')} added", form)


def _make_characters(page: TablePage, level: str, number: int) -> list[Placing]:
    """Make characters of a level: by the book's random tables, by the game's rules for opponents, or ready-made."""
    with page.tables.looking(page.seen.id) as opened:
        rules = opened.rules
    if page.system.drafted:
        with time_limit(10.0):
            people = library.made_up(page.system, rules, {"level": level} if level else {}, number, Entropy())
        return [Placing(_add_character(page, person)) for person in people]
    quality = next((known for known in page.system.qualities if known.name == level), None)
    if quality is None:
        known = ", ".join(quality.name for quality in page.system.qualities) or "none"
        raise UserError(f"{page.system.name} has no opponents of level {level[:40]!r}; its levels: {known}")
    if quality.ready:
        return [Placing(quality.ready, name=f"{quality.name.capitalize()} opponent", count=number)]
    opponent = page.system.of_quality(rules, level)
    if opponent.kind in page.system.together:
        return [Placing(_add_character(page, opponent), count=number)]
    first = sum(character.name.startswith(f"{opponent.name} ") for character in page.seen.characters) + 1
    return [Placing(_add_character(page, replace(opponent, name=f"{opponent.name} {at}"))) for at in range(first, first + number)]


def _add_character(page: TablePage, character: Any) -> str:
    """Add a character to the table, visible to the gamemaster only; returns its id."""
    command = AddCharacter(of=character.kind, data=msgspec.to_builtins(character), hidden=True)
    return page.tables.act(page.seen.id, page.seat.member, command).made


@post(ROUTE + "/scene/file", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def scene_file(request: WebRequest, table: FromPath[str], form: FormFields) -> Response[str]:
    """Download a prepared scene as a scenario file."""
    page, action = _read_scene(request, table, form)
    with page.tables.looking(page.seen.id) as opened:
        text = scenario_text(opened, action)
    return Response(text, media_type="application/yaml; charset=utf-8", headers=file_name(action.name, "yaml"))


@post(ROUTE + "/scene/weigh", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def simulate_scene(request: WebRequest, table: FromPath[str], form: FormFields) -> Template | Redirect:
    """Simulate a prepared scene many times, with default tactics. A page shows the result in place."""
    page, action = _read_scene(request, table, form)
    job = Job(page.system.id, "", "without" if field(form, "without") else "sample", action.name)
    job.folder = TemporaryDirectory(prefix="rulewright-")
    with page.tables.looking(page.seen.id) as opened:
        path = write(opened, action, Path(job.folder.name))
        fights = _write_without_each(opened, action, path) if job.how == "without" else FIGHTS
    JOBS.begin(job, str(path), fights, None, {})
    if is_partial_request(request):
        return page.show("lab_job.html", **job_context(job))
    return Redirect(f"/lab/{job.id}", status_code=HTTP_303_SEE_OTHER)


def _write_without_each(table: Table, action: BeginScene, path: Path) -> int:
    """Write the scene without each member of its first side as files; returns how often each is simulated."""
    side = next((side for side, placings in action.sides.items() if placings), "")
    placings, listed = action.sides.get(side, ()), dict[str, str]()
    people = [stood for stood in laid_out(table, action).people if stood.side == side][:MAX_LEFT_OUT]
    if len(placings) < 2:
        raise UserError(f"{side or 'a side'} has only one entry; nobody can be left out")
    for person in people:
        rest = tuple([placing for at, placing in enumerate(placings) if at != person.at])
        file = f"without-{person.at}.yaml"
        write(table, replace(action, sides={**action.sides, side: rest}), path.parent, file)
        listed[person.name] = file
    (path.parent / LEFT_OUT).write_text(files.render({"side": side, "without": listed}), encoding="utf-8")
    return FIGHTS_EACH


def _read_scene(request: WebRequest, table: str, form: FormFields) -> tuple[TablePage, BeginScene]:
    page, action = require_gamemaster(request, table, "prepares scenes"), parse_action(form)
    if not isinstance(action, BeginScene):
        raise UserError("this address only takes a prepared scene, with `do` set to `begin scene`")
    return page, action
