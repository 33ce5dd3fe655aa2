"""A fight to try a character or machine in: two thousand duels against a ready-made opponent, in the lab."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from litestar import post
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from rulewright import files
from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.system import System
from rulewright.web.builder.page import list_rivals
from rulewright.web.pages.games import ready_made
from rulewright.web.pages.lab import JOBS, OWN_FIGHTS
from rulewright.web.pages.lab_jobs import Job
from rulewright.web.pages.public import FORM, InjectedEditor, form_text
from rulewright.web.params import FormFields

APART = 10
"""Metres between two people."""
HEXES = (20, 13)
STARTS = ([6, 7], [14, 7])
"""The map of two machines, and where they begin: 8 hexes apart."""
ROUNDS = 30


@post("/try", sync_to_thread=True, include_in_schema=False, dependencies=FORM, status_code=HTTP_303_SEE_OTHER)
def try_fight(editor: InjectedEditor, form: FormFields) -> Redirect:
    """Start duels in the lab against the chosen opponent."""
    sheet, key = editor.sheet(), form_text(form, "rival")
    rivals = dict(list_rivals(editor.system, sheet, editor.url))
    if key not in rivals:
        raise UserError(f"choose an opponent: {editor.system.name} has no {key[:60]!r} to fight against")
    folder, _, name = key.partition("/")
    rival = ready_made(editor.system.id)[folder, name].thing
    kept = TemporaryDirectory(prefix="rulewright-")
    try:
        for file, thing in (("own", editor.thing), ("rival", rival)):
            Path(kept.name, f"{file}.yaml").write_text(files.render(files.ordered(thing)), encoding="utf-8")
        scene = _scenario(editor.system, sheet, rival.name)
        path = Path(kept.name, "scene.yaml")
        path.write_text(json.dumps(scene), encoding="utf-8")
        job = Job(editor.system.id, "", "sample", scene["name"])
        job.folder = kept
        by = editor.by
        preset, settings = (by.preset, dict(by.settings)) if by is not None else (None, {})
        started = JOBS.begin(job, str(path), OWN_FIGHTS, preset, settings)
        return Redirect(f"/lab/{started.id}", status_code=HTTP_303_SEE_OTHER)
    except UserError:
        kept.cleanup()
        raise


def _scenario(system: System, sheet: Sheet, rival: str) -> dict[str, Any]:
    """The scenario of a duel on open ground."""
    own, other = sheet.name, rival if rival != sheet.name else f"{rival} (the other)"
    places = STARTS if sheet.bar else ([0, 0], [APART, 0])
    members = {
        side: [{"character": file, "name": side, "at": place}]
        for side, file, place in zip((own, other), ("own.yaml", "rival.yaml"), places, strict=True)
    }
    scene: dict[str, Any] = {"system": system.id, "kind": "scenario", "name": f"{own} against {other}", "sides": members, "rounds": ROUNDS}
    if sheet.bar:
        scene |= {"scene": "battle", "map": {"grid": "hexes", "cell": 50, "size": list(HEXES), "terrain": "clear"}}
    return scene
