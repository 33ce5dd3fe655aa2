"""The lab in the browser: a ready-made scene solved or sampled, with progress, an end to it, and charts."""

from typing import Any

from litestar import get, post
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from rulewright import library
from rulewright.errors import Wrong
from rulewright.system import System
from rulewright.web import bars
from rulewright.web.asked import Asking, Named, Sent
from rulewright.web.games import game, games
from rulewright.web.labjobs import MOST_FIGHTS, SECONDS, Job, Jobs
from rulewright.web.pages import FORM, campaign_of, draw, from_page
from rulewright.web.shared import JobShown

JOBS = Jobs()


@get("/lab", sync_to_thread=True, include_in_schema=False)
def lab_page(request: Asking) -> Template:
    """Choose a scene and how to simulate it."""
    chosen = request.query_params.get("system", "")
    owner = game(chosen) if chosen else next((each for each in games() if _scenarios(each)), games()[0])
    return draw(request, "lab.html", **_around(request, owner), job=None)


@post("/lab/start", sync_to_thread=True, include_in_schema=False, dependencies=FORM)
def start_lab(request: Asking, form: Sent) -> Redirect:
    """Begin a simulation."""
    fields = {key: value[:200] for key, value in form.multi_items() if isinstance(value, str)}
    owner = game(fields.get("system", ""))
    scenario = fields.get("scenario", "")
    if scenario not in dict(_scenarios(owner)):
        raise Wrong(f"{owner.name} has no ready-made scene {scenario[:60]!r}")
    digits = fields.get("fights", "").replace(",", "").strip() or "10000"
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise Wrong(f"a number of fights is needed, not {digits[:30]!r}")
    campaign = campaign_of(request, owner.id)
    how: Any = "solve" if fields.get("how") == "solve" else "sample"
    job = JOBS.start(owner.id, scenario, how, int(digits), campaign.preset, dict(campaign.settings))
    return Redirect(f"/lab/{job.id}", status_code=HTTP_303_SEE_OTHER)


@get("/lab/{job_id:str}", sync_to_thread=True, include_in_schema=False)
def job_page(request: Asking, job_id: Named) -> Template:
    """A simulation as it stands: how far it is, or what came of it."""
    job = JOBS.look(job_id)
    if from_page(request):
        return draw(request, "lab_job.html", **shown(job))
    return draw(request, "lab.html", **_around(request, game(job.system)), **shown(job))


@post("/lab/{job_id:str}/stop", sync_to_thread=True, include_in_schema=False)
def stop_lab(job_id: Named) -> Redirect:
    """Stop a simulation."""
    JOBS.stop(job_id)
    return Redirect(f"/lab/{job_id}", status_code=HTTP_303_SEE_OTHER)


HANDLERS = (lab_page, start_lab, job_page, stop_lab)


def _around(request: Asking, owner: System) -> dict[str, Any]:
    return {
        "system": owner,
        "by": campaign_of(request, owner.id),
        "scenarios": _scenarios(owner),
        "most": MOST_FIGHTS,
        "seconds": round(SECONDS),
    }


def _scenarios(owner: System) -> list[tuple[str, str]]:
    """The ready-made scenes of a game: file and name."""
    found = []
    for key in owner.demos():
        folder, _, file = key.rpartition("/")
        if folder == "scenarios":
            name = file.removesuffix(".yaml")
            try:
                found.append((name, library.take(f"{owner.id}/{folder}/{name}", "scenario").thing.name))
            except Wrong:
                continue
    return found


def _verdict(answer: dict[str, Any]) -> str:
    """What the lab says, in a sentence: who carries it how often, and how many of them it costs."""
    side, chance = max(answer["sides"].items(), key=lambda each: each[1]["chance"])
    down = (answer.get("losses") or {}).get(side)
    cost = f", {down['mean']:.1f} of them down" if down is not None else ""
    return f"{bars.percent(chance['chance'], 0)} for {side}{cost}"


def shown(job: Job | JobShown) -> dict[str, Any]:
    """What a template needs of a simulation."""
    answer = job.answer
    if answer is None:
        return {"job": job, "verdict": "", "rounds": None, "answer": None, "sides": {}, "intervals": {}}
    sides = {**answer["sides"], "nobody": answer["draw"]}
    rounds = [
        {"label": at, "order": int(at), "weight": chance, "verdict": ""}
        for at, chance in answer["rounds"]["chance"].items()
        if chance >= 5e-4
    ]
    return {
        "job": job,
        "answer": answer,
        "verdict": _verdict(answer),
        "sides": sides,
        "intervals": {side: _interval(chance) for side, chance in sides.items()},
        "rounds": bars.chart([{"notation": "rounds", "total": 1.0, "outcomes": rounds}]) if rounds else None,
    }


def _interval(chance: dict[str, Any]) -> str:
    low, high = chance["interval"]
    return f"{bars.percent(low)} to {bars.percent(high)}" if high - low > 1e-9 else "exactly"
