"""The editor of an adventure: nodes as cards that can be dragged, ways as lines, forms for the fields, and a check."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from anyio.to_thread import run_sync
from litestar import Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright.adventure.format import MAIN
from rulewright.adventure.package import PICTURES, TEXTS
from rulewright.errors import UserError
from rulewright.playthrough.check import Checked, check
from rulewright.system import find
from rulewright.table.storage import adventures
from rulewright.web.adventures import editor_form as edits
from rulewright.web.adventures.library_pages import MINE, tables_to_start
from rulewright.web.adventures.node_map import node_map
from rulewright.web.adventures.own import WALKS, OwnAdventure, split_fault
from rulewright.web.pages.games import Missing, ready_made
from rulewright.web.pages.public import FORM, render
from rulewright.web.params import FormFields, WebRequest
from rulewright.web.server.security import time_limit
from rulewright.web.sheets.sheet_files import to_file_text
from rulewright.web.table.action_forms import field

CHECK_SECONDS = 12.0
CHECK_FIGHTS = 3
"""How often the check plays each fight."""


def _page(
    own: OwnAdventure,
    wrong: tuple[str, ...] = (),
    typed: FormMultiDict | None = None,
    checked: Checked | None = None,
    node: str = "",
    part: str = "",
) -> Template:
    """The editor with one node, the whole adventure, or a file open."""
    query = own.request.query_params
    adventure, system = own.adventure, find(own.adventure.system)
    key = node or query.get("node", "")
    key = key if key in adventure.nodes else ""
    file = query.get("file", "")
    faults = [split_fault(fault) for fault in (checked.problems if checked is not None and checked.problems else own.faults())]
    context = {
        "own": own,
        "adventure": adventure,
        "chosen": system,
        "nodes": node_map(adventure, _wrong_nodes(own, faults)),
        "key": key,
        "part": part or ("file" if file in own.files else "node" if key else query.get("part", "")),
        "file": file if file in own.files else "",
        "text": edits.text_of,
        "as_yaml": edits.as_yaml,
        "data": own.document.data,
        "node_parts": edits.NODE_PARTS,
        "whole_parts": edits.WHOLE_PARTS,
        "texts": TEXTS,
        "faults": faults,
        "checked": checked,
        "problems": wrong,
        "typed": typed if typed is not None else FormMultiDict(),
        "seats": tables_to_start(own.request, adventure.system),
        "people": list(ready_made(system.id).values()),
    }
    return render(own.request, "adventure_edit.html", 400 if wrong else HTTP_200_OK, **context)


def _wrong_nodes(own: OwnAdventure, faults: list[tuple[str, str]]) -> frozenset[str]:
    """The nodes in which something is wrong, by the lines of the faults in the main file."""
    lines = {int(place.split(":")[1]) for place, _ in faults if place.startswith(f"{MAIN}:")}
    starts = sorted((own.document.place(("nodes", key))[0], key) for key in own.adventure.nodes)
    return frozenset(key for line in lines for start, key in starts if start == max((at for at, _ in starts if at <= line), default=0))


Change = Callable[[OwnAdventure, FormMultiDict], Mapping[str, bytes] | dict[str, Any]]


def _changed(request: WebRequest, key: str, form: FormMultiDict, change: Change, node: str = "", part: str = "") -> Template | Redirect:
    """Carry out a change of the version that the page shows; with an error, show the page again with the fields as typed."""
    own = OwnAdventure(request, key)
    try:
        own.require_version(field(form, "version"))
        result = change(own, form)
        if MAIN in result:
            own.save(result)
        else:
            own.save_data(dict(result))
    except UserError as error:
        return _page(own, error.parts, form, node=node, part=part)
    place = urlencode({name: value for name, value in (("node", node), ("part", part)) if value})
    return Redirect(f"{own.path}?{place}" if place else own.path, status_code=HTTP_303_SEE_OTHER)


@get(MINE, sync_to_thread=True, include_in_schema=False)
def editor_page(request: WebRequest, key: FromPath[str]) -> Template:
    """Show the editor."""
    return _page(OwnAdventure(request, key))


@post(MINE + "/node", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def save_node(request: WebRequest, key: FromPath[str], form: FormFields) -> Template | Redirect:
    """Save a node."""
    name = _known_node(request, key, form)
    return _changed(request, key, form, lambda own, fields: edits.changed_node(own, name, fields), node=name)


@post(MINE + "/add", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def add_node(request: WebRequest, key: FromPath[str], form: FormFields) -> Template | Redirect:
    """Add a node."""
    name = field(form, "node").strip()
    return _changed(request, key, form, lambda own, fields: edits.with_node(own, name, field(fields, "title").strip()), node=name)


@post(MINE + "/remove", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def remove_node(request: WebRequest, key: FromPath[str], form: FormFields) -> Template | Redirect:
    """Remove a node."""
    name = _known_node(request, key, form)
    return _changed(request, key, form, lambda own, fields: edits.without_node(own, name))


@post(MINE + "/move", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def move_node(request: WebRequest, key: FromPath[str], form: FormFields) -> Response[dict[str, int]]:
    """Keep the place of a card; returns the new version."""
    own, name = OwnAdventure(request, key), _known_node(request, key, form)
    own.require_version(field(form, "version"))
    own.save_data(edits.moved_node(own, name, form))
    return Response({"version": own.kept.version + 1})


@post(MINE + "/whole", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def save_whole(request: WebRequest, key: FromPath[str], form: FormFields) -> Template | Redirect:
    """Save the fields of the whole adventure."""
    return _changed(request, key, form, edits.changed_whole, part="whole")


@post(MINE + "/file", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def save_file(request: WebRequest, key: FromPath[str], form: FormFields) -> Template | Redirect:
    """Save or remove a text file of the adventure."""
    return _changed(request, key, form, edits.changed_file, part="files")


@post(MINE + "/person", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_200_OK)
def add_person(request: WebRequest, key: FromPath[str], form: FormFields) -> Template | Redirect:
    """Add a ready-made character of the game as a file of the adventure."""

    def change(own: OwnAdventure, fields: FormMultiDict) -> Mapping[str, bytes]:
        known = {person.name: person for person in ready_made(own.adventure.system).values()}
        person = known.get(field(fields, "person"))
        if person is None:
            raise Missing("there is no such ready-made character")
        return edits.with_person(own, person.name, to_file_text(person.thing), field(fields, "ready") == "true")

    return _changed(request, key, form, change, part="files")


@post(
    MINE + "/upload",
    include_in_schema=False,
    request_max_body_size=adventures.MOST_BYTES + 100_000,
    status_code=HTTP_200_OK,
)
async def upload_file(request: WebRequest, key: FromPath[str]) -> Template | Redirect:
    """Add a picture."""
    form = await request.form()
    sent = form.get("file")
    name = sent.filename if isinstance(sent, UploadFile) else ""
    content = await sent.read() if isinstance(sent, UploadFile) else b""

    def change(own: OwnAdventure, _: FormMultiDict) -> Mapping[str, bytes]:
        if not content or not name.lower().endswith(PICTURES):
            raise UserError("choose a picture that ends in .png, .jpg, .jpeg or .webp")
        return {**own.files, f"pictures/{name.rpartition('/')[2]}": content}

    return await run_sync(lambda: _changed(request, key, form, change, part="files"))


@post(MINE + "/check", sync_to_thread=True, include_in_schema=False, status_code=HTTP_200_OK)
def check_own(request: WebRequest, key: FromPath[str]) -> Template:
    """Check everything: names, people, the graph, clues, chances, and random walks."""
    own = OwnAdventure(request, key)
    try:
        with time_limit(CHECK_SECONDS):
            checked = check(own.opened(), walks=WALKS, fights=CHECK_FIGHTS)
    except UserError as error:
        checked = Checked(error.parts, (), None)
    return _page(own, checked=checked, part="check")


def _known_node(request: WebRequest, key: str, form: FormMultiDict) -> str:
    name = field(form, "node").strip()
    if name not in OwnAdventure(request, key).adventure.nodes:
        raise Missing("there is no such node; it may have been removed in another window")
    return name
