"""Simulations for visitors: each in its own process, with limits, and stopped when nobody watches it."""

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
from rulewright.table.open_tables import Full
from rulewright.web.pages.games import Missing
from rulewright.web.server.shared_state import JobStatus, JobStore

How = Literal["solve", "sample", "without"]

SECONDS = 30.0
"""Time limit of a simulation."""
STATES, MAX_FIGHTS = 40_000, 200_000
UNWATCHED_SECONDS = 15.0
"""Seconds after which an unwatched simulation is stopped."""
SILENT_SECONDS = 10.0
"""Seconds after which a simulation without news from its process counts as ended."""
AT_ONCE, OF_ONE, KEPT = 2, 1, 50
"""How many simulations run at once, how many of one address, and how many finished ones are kept."""


class TooManySimulations(Full):
    """Too many simulations are running; `seconds` is when one of them has ended at the latest."""

    def __init__(self, words: str, seconds: int) -> None:
        super().__init__(f"{words}; try again in at most {seconds} seconds")
        self.seconds = seconds


class Job(Struct, eq=False):
    """A simulation with its progress and its result."""

    system: str
    scenario: str
    how: How
    title: str
    who: str = ""
    """The address that asked for it."""
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
    """The uploaded files, until the simulation ends."""

    def shown(self) -> JobStatus:
        """The status as plain data."""
        return JobStatus(self.id, self.system, self.scenario, self.how, self.title, self.progress, self.answer, self.wrong, self.done)

    def end(self, wrong: str = "") -> None:
        """End the simulation and free its resources."""
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
        """Read the news of the process."""
        assert self.pipe is not None
        try:
            while not self.done and self.pipe.poll():
                kind, content = self.pipe.recv()
                if kind == "progress":
                    self.progress = content
                else:
                    self.answer, self.wrong = (content, "") if kind == "answer" else (None, content)
                    self.end()
        except (EOFError, OSError):
            self.end("the simulation ended unexpectedly; the server may be short of memory")


class Jobs:
    """All simulations of this server; with a board, of all its processes."""

    board: JobStore | None = None

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    def start(self, job: Job, fights: int, preset: str | None, settings: dict[str, str]) -> Job:
        """Start a simulation of a ready-made scenario; refuse it if too many are running."""
        return self.begin(job, f"{job.system}/scenarios/{job.scenario}", fights, preset, settings)

    def begin(self, job: Job, name: str, fights: int, preset: str | None, settings: dict[str, str]) -> Job:
        """Start a simulation of a scenario by its name or file; refuse it if too many are running."""
        how = job.how
        if how != "solve" and not 1 <= fights <= MAX_FIGHTS:
            raise UserError(f"fights: choose from 1 to {MAX_FIGHTS:,}, not {fights:,}")
        with self._lock:
            self._sweep()
            self._refuse_too_many(job.who)
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
                self._watch = threading.Thread(target=self._watch_jobs, daemon=True, name="lab watch")
                self._watch.start()
        return job

    def _refuse_too_many(self, who: str) -> None:
        """Refuse a simulation if too many are running, or one of this address."""
        running = [job for job in self._jobs.values() if not job.done]
        ends = min((job.began + 2 * SECONDS - time.monotonic() for job in running), default=2 * SECONDS)
        seconds = max(1, round(ends))
        if sum(job.who == who for job in running) >= OF_ONE:
            raise TooManySimulations("a simulation of yours is running: wait for it, or stop it", seconds)
        if max(len(running), self.board.running(SILENT_SECONDS) if self.board is not None else 0) >= AT_ONCE:
            raise TooManySimulations(f"{AT_ONCE} simulations are running, which is the limit", seconds)

    def look(self, job_id: str) -> Job | JobStatus:
        """The status of a simulation; this keeps it alive."""
        elsewhere = self.board.look(job_id) if self.board is not None and job_id not in self._jobs else None
        if elsewhere is not None:
            return elsewhere
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None:
                raise Missing("there is no such simulation, or it was too long ago")
            job.seen = time.monotonic()
            if not job.done:
                job.listen()
            return job

    def stop(self, job_id: str) -> None:
        """Stop a simulation, in this process or another."""
        job = self.look(job_id)
        if isinstance(job, JobStatus):
            assert self.board is not None
            self.board.stop(job_id)
            return
        with self._lock:
            job.end("the simulation was stopped")
            self._publish(job)

    def _publish(self, job: Job) -> None:
        """Publish the status of a simulation to other processes."""
        if self.board is not None:
            with suppress(SQLAlchemyError):
                self.board.put(job.shown())

    def close(self) -> None:
        """Stop all simulations."""
        with self._lock:
            for job in self._jobs.values():
                job.end("the server was stopped")

    def _watch_jobs(self) -> None:
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
                self._apply_requests(job)
            if not job.done and now - job.seen > UNWATCHED_SECONDS:
                job.end("the simulation was stopped, because nobody was watching it")
            elif not job.done and now - job.began > SECONDS * 2:
                job.end(f"the simulation was stopped after {SECONDS * 2:.0f} seconds")
            if not before:
                self._publish(job)

    def _apply_requests(self, job: Job) -> None:
        """Apply what other processes asked of a simulation: keep it alive, or stop it."""
        assert self.board is not None
        with suppress(SQLAlchemyError):
            ago, stop = self.board.read_requests(job.id)
            job.seen = max(job.seen, time.monotonic() - ago)
            if stop:
                job.end("the simulation was stopped")


LEFT_OUT = "left-out.yaml"
"""The file that lists the scenes with somebody left out."""


def simulate_without_each(name: str, fights: int, preset: str | None, settings: dict[str, str], report: Any) -> dict[str, Any]:
    """Simulate a scene as it is, and with each member of one side left out: how often that side wins."""
    from rulewright import lab

    def keep_going(progress: lab.Progress) -> bool:
        return bool(report(progress)) and progress.seconds < seconds

    listed = files.parse((Path(name).parent / LEFT_OUT).read_bytes(), LEFT_OUT).data
    chances = {}
    scenes = [("", Path(name).name), *listed["without"].items()]
    seconds = 1.5 * SECONDS / len(scenes)
    for who, file in scenes:
        staged = library.stage(str(Path(name).parent / file), preset, settings)
        sampled = lab.sample(staged.scene, staged.state, staged.decide, fights, rounds=staged.scenario.rounds, progress=keep_going).public()
        chances[who] = {**sampled["sides"].get(listed["side"], {"chance": 0.0, "interval": [0.0, 0.0]}), "n": sampled["n"]}
    return {"without": chances, "side": listed["side"], "n": max(chance["n"] for chance in chances.values())}


def simulate(pipe: Connection, name: str, how: How, fights: int, preset: str | None, settings: dict[str, str]) -> None:
    """Run a simulation in its process: report the progress, and send the result."""
    with suppress(OSError):
        os.nice(10)
    from rulewright import lab

    def report(progress: lab.Progress) -> bool:
        text = ", ".join([f"{progress.done:,} {progress.what}", *progress.sure()])
        running = progress.result() if progress.result is not None and how == "sample" else None
        pipe.send(("progress", {"what": progress.what, "share": progress.share, "said": text, "answer": running}))
        return progress.seconds < SECONDS

    try:
        staged = library.stage(name, preset, settings)
        options: dict[str, Any] = {"question": "losses", "rounds": staged.scenario.rounds, "progress": report}
        result: Any
        if how == "without":
            pipe.send(("answer", simulate_without_each(name, fights, preset, settings, report)))
            return
        if how == "solve":
            result = lab.solve(staged.scene, staged.state, staged.decide, states=STATES, seconds=SECONDS, **options)
        else:
            result = lab.sample(staged.scene, staged.state, staged.decide, fights, **options)
        pipe.send(("answer", result.public()))
    except UserError as error:
        pipe.send(("wrong", str(error)))
    except OSError:
        return  # nobody is listening any more
    finally:
        pipe.close()
