"""Simulations that visitors ask for: each in a process of its own, with a budget, and ended when nobody looks at it any more."""

import multiprocessing
import os
import threading
import time
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Any, Literal

from msgspec import Struct, field
from sqlalchemy.exc import SQLAlchemyError

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.web.pages.games import Missing
from rulewright.web.server.shared_state import JobBoard, JobShown

How = Literal["solve", "sample", "without"]

SECONDS = 30.0
"""How long a simulation may take."""
STATES, MOST_FIGHTS = 40_000, 200_000
ABSENT = 15.0
"""Seconds without a look after which the asker is taken to have left."""
FORGOTTEN = 10.0
"""Seconds after which a simulation that no process speaks of any more is taken to be over."""
AT_ONCE, KEPT = 2, 50
"""Simulations that run at once, and finished ones that are kept to be looked at."""


class Job(Struct, eq=False):
    """A simulation under way or done: how far it is, and what came of it."""

    system: str
    scenario: str
    how: How
    title: str
    id: str = field(default_factory=partial(token_urlsafe, 12))
    began: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)
    progress: dict[str, Any] = field(default_factory=lambda: {"what": "begins", "share": None, "said": ""})
    answer: dict[str, Any] | None = None
    wrong: str = ""
    done: bool = False
    process: Any = None
    pipe: Connection | None = None
    folder: TemporaryDirectory[str] | None = None
    """Where the files of a scene of one's own lie until it is over."""

    def shown(self) -> JobShown:
        """The same as plain data."""
        return JobShown(self.id, self.system, self.scenario, self.how, self.title, self.progress, self.answer, self.wrong, self.done)

    def end(self, wrong: str = "") -> None:
        """Let it be over, whatever it was at."""
        self.done = True
        if self.answer is None and not self.wrong:
            self.wrong = wrong
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
        if self.pipe is not None:
            with suppress(OSError):
                self.pipe.close()
        if self.folder is not None:
            with suppress(OSError):
                self.folder.cleanup()

    def listen(self) -> None:
        """Take in what the process has told since."""
        assert self.pipe is not None
        try:
            while not self.done and self.pipe.poll():
                kind, told = self.pipe.recv()
                if kind == "progress":
                    self.progress = told
                else:
                    self.answer, self.wrong = (told, "") if kind == "answer" else (None, told)
                    self.end()
        except (EOFError, OSError):
            self.end("the simulation broke off: the machine may be short of memory")


class Jobs:
    """All simulations of this server; with a board, those of all its processes."""

    board: JobBoard | None = None

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    def start(self, system: str, scenario: str, how: How, fights: int, preset: str | None, settings: dict[str, str]) -> Job:
        """Begin a simulation of a ready-made scenario; refuses one too many."""
        name = f"{system}/scenarios/{scenario}"
        return self.begin(Job(system, scenario, how, library.take(name, "scenario").thing.name), name, fights, preset, settings)

    def begin(self, job: Job, name: str, fights: int, preset: str | None, settings: dict[str, str]) -> Job:
        """Begin a simulation of a scenario by its name or its file; refuses one too many."""
        how = job.how
        if how != "solve" and not 1 <= fights <= MOST_FIGHTS:
            raise UserError(f"from 1 to {MOST_FIGHTS:,} fights can be played here, not {fights:,}")
        with self._lock:
            self._sweep()
            here = sum(not job.done for job in self._jobs.values())
            if max(here, self.board.running(FORGOTTEN) if self.board is not None else 0) >= AT_ONCE:
                raise UserError(f"{AT_ONCE} simulations are under way already: wait for one of them, or stop it")
            context = multiprocessing.get_context("spawn")
            job.pipe, theirs = context.Pipe(duplex=False)
            arguments = (theirs, name, how, fights, preset, settings)
            job.process = context.Process(target=simulate, args=arguments, daemon=True, name=f"lab {job.id}")
            job.process.start()
            theirs.close()
            self._jobs[job.id] = job
            if self.board is not None:
                self.board.put(job.shown())
            while len(self._jobs) > KEPT:
                self._jobs.pop(next(iter(self._jobs))).end()
            if self._watch is None or not self._watch.is_alive():
                self._watch = threading.Thread(target=self._watching, daemon=True, name="lab watch")
                self._watch.start()
        return job

    def look(self, job_id: str) -> Job | JobShown:
        """A simulation as it stands; looking at it keeps it alive."""
        elsewhere = self.board.look(job_id) if self.board is not None and job_id not in self._jobs else None
        if elsewhere is not None:
            return elsewhere
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None:
                raise Missing("there is no such simulation here, or it is too long ago")
            job.seen = time.monotonic()
            if not job.done:
                job.listen()
            return job

    def stop(self, job_id: str) -> None:
        """End a simulation, or have it ended by the process that carries it out."""
        job = self.look(job_id)
        if isinstance(job, JobShown):
            assert self.board is not None
            self.board.stop(job_id)
            return
        with self._lock:
            job.end("it was stopped")
            self._post(job)

    def _post(self, job: Job) -> None:
        """Let the other processes know how a simulation stands."""
        if self.board is not None:
            with suppress(SQLAlchemyError):
                self.board.put(job.shown())

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            for job in self._jobs.values():
                job.end("the server was closed")

    def _watching(self) -> None:
        while True:
            time.sleep(0.5)
            with self._lock:
                self._sweep()
                if all(job.done for job in self._jobs.values()):
                    return

    def _sweep(self) -> None:
        now = time.monotonic()
        for job in self._jobs.values():
            before = job.done
            if not job.done:
                job.listen()
            if not job.done and self.board is not None:
                self._heed(job)
            if not job.done and now - job.seen > ABSENT:
                job.end("it was stopped, since nobody looked at it")
            elif not job.done and now - job.began > SECONDS * 2:
                job.end(f"it was stopped after {SECONDS * 2:.0f} seconds")
            if not before:
                self._post(job)

    def _heed(self, job: Job) -> None:
        """What other processes heard of a simulation of ours: somebody looks at it, or wants it to end."""
        assert self.board is not None
        with suppress(SQLAlchemyError):
            ago, stop = self.board.wanted(job.id)
            job.seen = max(job.seen, time.monotonic() - ago)
            if stop:
                job.end("it was stopped")


LEFT_OUT = "left-out.yaml"
"""The file that lists the scenes in which somebody is left out."""


def _left_out(name: str, fights: int, preset: str | None, settings: dict[str, str], told: Any) -> dict[str, Any]:
    """A scene as it is, and with each of one side left out in turn: how often that side carries each of them."""
    from rulewright import lab

    def within(progress: lab.Progress) -> bool:
        return bool(told(progress)) and progress.seconds < seconds

    listed = files.parse((Path(name).parent / LEFT_OUT).read_bytes(), LEFT_OUT).data
    chances = {}
    scenes = [("", Path(name).name), *listed["without"].items()]
    seconds = 1.5 * SECONDS / len(scenes)
    for who, file in scenes:
        staged = library.stage(str(Path(name).parent / file), preset, settings)
        result = lab.sample(staged.scene, staged.state, staged.decide, fights, rounds=staged.scenario.rounds, progress=within).public()
        chances[who] = {**result["sides"].get(listed["side"], {"chance": 0.0, "interval": [0.0, 0.0]}), "n": result["n"]}
    return {"without": chances, "side": listed["side"], "n": max(chance["n"] for chance in chances.values())}


def simulate(pipe: Connection, name: str, how: How, fights: int, preset: str | None, settings: dict[str, str]) -> None:
    """In the process: simulate, tell how far it is, and hand over what came of it."""
    with suppress(OSError):
        os.nice(10)
    from rulewright import lab

    def told(progress: lab.Progress) -> bool:
        said = ", ".join([f"{progress.done:,} {progress.what}", *progress.sure()])
        pipe.send(("progress", {"what": progress.what, "share": progress.share, "said": said}))
        return progress.seconds < SECONDS

    try:
        staged = library.stage(name, preset, settings)
        asked: dict[str, Any] = {"question": "losses", "rounds": staged.scenario.rounds, "progress": told}
        result: Any
        if how == "without":
            pipe.send(("answer", _left_out(name, fights, preset, settings, told)))
            return
        if how == "solve":
            result = lab.solve(staged.scene, staged.state, staged.decide, states=STATES, seconds=SECONDS, **asked)
        else:
            result = lab.sample(staged.scene, staged.state, staged.decide, fights, **asked)
        pipe.send(("answer", result.public()))
    except UserError as error:
        pipe.send(("wrong", str(error)))
    except OSError:
        return  # nobody listens any more
    finally:
        pipe.close()
