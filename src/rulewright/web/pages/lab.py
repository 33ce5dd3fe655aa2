"""The lab: simulates a scene exactly or by sampling, with progress, a stop button, and charts."""

import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from anyio.to_thread import run_sync
from litestar import get, post
from litestar.datastructures import UploadFile
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.grammar import agree, count
from rulewright.scenes.scenarios import Scenario
from rulewright.system import System
from rulewright.web.pages.games import game, games
from rulewright.web.pages.lab_jobs import MAX_FIGHTS, SECONDS, Job, Jobs
from rulewright.web.pages.public import FORM, campaign_of, is_partial_request, render
from rulewright.web.params import FormFields, PathText, WebRequest, address_of
from rulewright.web.server.shared_state import JobStatus
from rulewright.web.sheets import odds_bars

JOBS = Jobs()
MAX_FILES, MAX_BYTES = 20, 100_000
OWN_FIGHTS = 2_000
"""How often an uploaded scene is simulated."""


@get("/lab", sync_to_thread=True, include_in_schema=False)
def lab_page(request: WebRequest) -> Template:
    """Show the page for choosing a scene and how to simulate it."""
    chosen = request.query_params.get("system", "")
    owner = game(chosen) if chosen else next((system for system in games() if library.scenarios(system.id)), games()[0])
    return render(request, "lab.html", **_lab_context(request, owner), job=None)


@post("/lab/start", sync_to_thread=True, include_in_schema=False, dependencies=FORM)
def start_lab(request: WebRequest, form: FormFields) -> Redirect:
    """Start a simulation."""
    fields = {key: value[:200] for key, value in form.multi_items() if isinstance(value, str)}
    owner = game(fields.get("system", ""))
    scenario = fields.get("scenario", "")
    if scenario not in library.scenarios(owner.id):
        raise UserError(f"{owner.name} has no ready-made scene {scenario[:60]!r}")
    digits = fields.get("fights", "").replace(",", "").strip() or "10000"
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise UserError(f"fights: {digits[:30]!r} is not a number")
    campaign = campaign_of(request, owner.id)
    how: Any = "solve" if fields.get("how") == "solve" else "sample"
    job = Job(owner.id, scenario, how, library.take(f"{owner.id}/scenarios/{scenario}", "scenario").thing.name, address_of(request))
    JOBS.start(job, int(digits), campaign.preset, dict(campaign.settings))
    return Redirect(f"/lab/{job.id}", status_code=HTTP_303_SEE_OTHER)


@post("/lab/own", include_in_schema=False, request_max_body_size=MAX_BYTES * 2, status_code=HTTP_303_SEE_OTHER)
async def start_own(request: WebRequest) -> Redirect:
    """Start a simulation of uploaded files: a scenario file and the character files that it names."""
    form = await request.form()
    uploads = [upload for upload in form.getall("files", []) if isinstance(upload, UploadFile) and upload.filename]
    if not 1 <= len(uploads) <= MAX_FILES:
        raise UserError(f"choose a scenario file and the character files that it names, at most {MAX_FILES} files")
    contents = {PurePosixPath(upload.filename.replace("\\", "/")).name: await upload.read(MAX_BYTES + 1) for upload in uploads}
    job = await run_sync(_start_uploaded, contents, address_of(request))
    return Redirect(f"/lab/{job.id}", status_code=HTTP_303_SEE_OTHER)


def _start_uploaded(sent: dict[str, bytes], who: str) -> Job:
    """Start a simulation of the only scenario among the files, which may name the others."""
    folder = TemporaryDirectory(prefix="rulewright-")
    try:
        scenarios = []
        for name, content in sent.items():
            if not re.fullmatch(r"[\w. -]{1,80}\.ya?ml", name) or len(content) > MAX_BYTES:
                raise UserError(f"{name[:60]}: choose a file of at most {MAX_BYTES // 1000} kB whose name ends in .yaml")
            parsed = files.parse(content, name)
            _refuse_paths(parsed.data, sent)
            opened = library.opened(parsed, name)
            scenarios += [(name, opened)] if isinstance(opened.thing, Scenario) else []
            Path(folder.name, name).write_bytes(content)
        if len(scenarios) != 1:
            counted = count(len(scenarios), "scenario")
            raise UserError(f"choose files with exactly one scenario; these contain {counted}")
        name, kept = scenarios[0]
        _refuse_missing(kept.thing, sent, kept.system)
        job = Job(kept.system.id, "", "sample", kept.thing.name, who)
        job.folder = folder
        return JOBS.begin(job, str(Path(folder.name, name)), OWN_FIGHTS, None, {})
    except UserError:
        folder.cleanup()
        raise


def _refuse_paths(data: Any, sent: Collection[str]) -> None:
    """Refuse anything that looks like a file that was not uploaded."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list | tuple):
        for part in data:
            _refuse_paths(part, sent)
    elif isinstance(data, str) and data not in sent and _looks_like_path(data):
        raise UserError(f"the file {data[:60]} is missing: choose it together with the scenario")


def _looks_like_path(text: str) -> bool:
    return text.startswith(("/", "~", "\\")) or ".." in text or text.endswith((".yaml", ".yml"))


def _refuse_missing(scenario: Scenario, sent: Collection[str], system: System) -> None:
    """Refuse a scenario that names a file that was not uploaded: no visitor's text becomes a path of the server."""
    ready = {key.rpartition("/")[2].removesuffix(".yaml") for key in system.demos()} | {key.removesuffix(".yaml") for key in system.demos()}
    for member in (member for members in scenario.sides.values() for member in members):
        if member.character not in sent and member.character.removeprefix(f"{system.id}/") not in ready:
            name = member.character[:60]
            raise UserError(f"{name} is neither among the chosen files nor a ready-made character of {system.name}")


@get("/lab/{job_id:str}", sync_to_thread=True, include_in_schema=False)
def job_page(request: WebRequest, job_id: PathText) -> Template:
    """Show the progress of a simulation, or its result."""
    job = JOBS.look(job_id)
    if is_partial_request(request):
        return render(request, "lab_job.html", **job_context(job))
    return render(request, "lab.html", **_lab_context(request, game(job.system)), **job_context(job))


@post("/lab/{job_id:str}/stop", sync_to_thread=True, include_in_schema=False)
def stop_lab(job_id: PathText) -> Redirect:
    """Stop a simulation."""
    JOBS.stop(job_id)
    return Redirect(f"/lab/{job_id}", status_code=HTTP_303_SEE_OTHER)


def _lab_context(request: WebRequest, owner: System) -> dict[str, Any]:
    return {
        "system": owner,
        "by": campaign_of(request, owner.id),
        "scenarios": library.scenarios(owner.id),
        "most": MAX_FIGHTS,
        "seconds": round(SECONDS),
    }


def _describe_result(answer: dict[str, Any]) -> str:
    """The result in one sentence: the more likely winner, their chance, and their losses."""
    side, chance = max(answer["sides"].items(), key=lambda item: item[1]["chance"])
    down = (answer.get("losses") or {}).get(side)
    losses = f", with {down['mean']:.1f} of them out on average" if down is not None else ""
    return f"{agree(side, 'wins', 'win')} {odds_bars.format_percent(chance['chance'], 0)} of the time{losses}"


def _describe_end(answer: dict[str, Any]) -> str:
    """The most likely last round."""
    rounds = answer["rounds"]["chance"]
    likeliest = max(rounds, key=lambda at: rounds[at], default="")
    return f"most often ends in round {likeliest} ({odds_bars.format_percent(rounds[likeliest], 0)})" if likeliest else ""


def _describe_without(answer: dict[str, Any]) -> list[tuple[str, str, str]]:
    """A side's win chance without each of its members: who is left out, the chance, and its interval."""
    by_member = answer["without"].items()
    return [
        (f"without {who}" if who else "with everybody", odds_bars.format_percent(chance["chance"], 0), _interval(chance))
        for who, chance in by_member
    ]


def job_context(job: Job | JobStatus) -> dict[str, Any]:
    """The template variables of a simulation; while it runs, of its result so far."""
    answer = job.answer if job.answer is not None or job.done else job.progress.get("answer")
    if answer is None:
        return {"job": job, "verdict": "", "rounds": None, "answer": None, "sides": {}, "intervals": {}}
    if "without" in answer:
        return {
            "job": job,
            "answer": answer,
            "verdict": "",
            "rounds": None,
            "sides": {},
            "intervals": {},
            "left_out": _describe_without(answer),
        }
    sides = {**answer["sides"], "nobody": answer["draw"]}
    rounds = [
        {"label": at, "order": int(at), "weight": chance, "verdict": ""}
        for at, chance in answer["rounds"]["chance"].items()
        if chance >= 5e-4
    ]
    return {
        "job": job,
        "answer": answer,
        "verdict": _describe_result(answer),
        "ends": _describe_end(answer),
        "sides": sides,
        "intervals": {side: _interval(chance) for side, chance in sides.items()},
        "fair": round(100 / max(len(answer["sides"]), 1), 1),
        "rounds": odds_bars.build_chart([{"notation": "rounds", "total": 1.0, "outcomes": rounds}]) if rounds else None,
        "out": _describe_losses(answer),
    }


def _describe_losses(answer: dict[str, Any]) -> list[tuple[str, float, float]]:
    """For each side: its name, how many of it are out on average, and the chance that at least one is."""
    losses = answer.get("losses") or {}
    return [(side, spread["mean"], 1 - spread["chance"].get("0", 0.0)) for side, spread in losses.items()]


def _interval(chance: dict[str, Any]) -> str:
    low, high = chance["interval"]
    return f"{odds_bars.format_percent(low)} to {odds_bars.format_percent(high)}" if high - low > 1e-9 else "exactly"
