"""The gamemaster prepares a scene: who takes part, where they stand, what it is about; begun, saved as a file, weighed by the lab."""

from pathlib import Path
from tempfile import TemporaryDirectory

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from rulewright.table import demos
from rulewright.table.actions import BeginScene
from rulewright.table.preparing import scenario_text, write
from rulewright.table.rights import Forbidden
from rulewright.web.action_forms import action_of
from rulewright.web.asked import Asking, Sent
from rulewright.web.games import ready_made
from rulewright.web.labjobs import Job
from rulewright.web.labpages import JOBS, shown
from rulewright.web.pages import FORM, from_page
from rulewright.web.sheetfiles import file_name
from rulewright.web.tablepages import WHERE, Room

FIGHTS = 1_000
"""So many times the lab plays a scene that is weighed."""


@get(WHERE + "/scene", sync_to_thread=True, include_in_schema=False)
def scene_page(request: Asking, table: FromPath[str]) -> Template:
    """A new scene: a ready-made one, or one of the people at the table."""
    room = Room(request, table)
    return room.show(
        "scene.html",
        scenarios=demos.scenarios(room.system.id),
        ready=list(ready_made(room.system.id).values()),
        fights=room.system.fights,
        kinds=list(room.system.scenes),
        chosen=request.query_params.get("map", "")[:40],
    )


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


def _prepared(request: Asking, table: str, form: Sent) -> tuple[Room, BeginScene]:
    room, action = Room(request, table), action_of(form)
    if not room.leads:
        raise Forbidden("only the gamemaster prepares scenes")
    assert isinstance(action, BeginScene)
    return room, action


HANDLERS = (scene_page, scene_file, weigh_scene)
