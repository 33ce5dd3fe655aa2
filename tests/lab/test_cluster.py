"""A real Dask scheduler and two worker processes on loopback: the same result as on one machine, a lost worker or not."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.errors import UserError
from rulewright.lab import Cluster, sample

from .lab_scenes import Archers, Field

pytest.importorskip("distributed")

TESTS = Path(__file__).resolve().parents[1]


def spawn(folder: Path, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen([sys.executable, "-m", *arguments], stdout=log, stderr=log, env=environment, cwd=folder)


def address_in(log: Path, process: "subprocess.Popen[bytes]") -> str:
    for _ in range(300):
        found = re.search(r"Scheduler at:\s+(tcp://[0-9.:]+)", log.read_text(errors="replace"))
        if found:
            return found[1]
        assert process.poll() is None, log.read_text(errors="replace")
        time.sleep(0.1)
    raise AssertionError("the scheduler does not say where it is")


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, "list[subprocess.Popen[bytes]]"]]:
    folder = tmp_path_factory.mktemp("cluster")
    at = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    first = spawn(folder, "scheduler", "distributed.cli.dask_scheduler", *at)
    workers: list[subprocess.Popen[bytes]] = []
    try:
        address = address_in(folder / "scheduler.log", first)
        for number in (1, 2):
            how = (address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", f"worker {number}")
            workers.append(spawn(folder, f"worker{number}", "distributed.cli.dask_worker", *how))
        yield address, workers
    finally:
        for process in (*workers, first):
            if process.poll() is None:
                process.terminate()
        for process in (*workers, first):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


FIGHTS = 12_000


@pytest.mark.slow
def test_one_worker_is_killed_midway_and_the_result_is_the_same(scheduler: tuple[str, "list[subprocess.Popen[bytes]]"]) -> None:
    address, workers = scheduler
    scene, state = Archers(3), Field(3, 3)
    alone = sample(scene, state, n=FIGHTS, seed=8, tables=False)
    killed: list[int] = []

    def kill_one(progress: object) -> None:
        if not killed:
            assert 0 < progress.done < FIGHTS  # type: ignore[attr-defined]
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait(10)
            killed.append(workers[0].returncode)

    with Cluster(address) as cluster:
        for _ in range(200):
            if len(cluster._client.nthreads()) == 2:
                break
            time.sleep(0.1)
        both = sample(scene, state, n=1_500, seed=8, tables=False, cluster=cluster)
        assert both == sample(scene, state, n=1_500, seed=8, tables=False)
        spread = sample(scene, state, n=FIGHTS, seed=8, tables=False, cluster=cluster, progress=kill_one)
        assert killed == [-signal.SIGKILL]
        assert spread == alone
        walked = sample(scene, state, n=3_000, seed=8, tables=True, cluster=cluster)
        assert walked == sample(scene, state, n=3_000, seed=8, tables=True)


def test_where_no_scheduler_is_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.lab.sampling.dask_cluster.PATIENCE", 0.5)
    with pytest.raises(UserError, match=r"no Dask scheduler at 'tcp://127\.0\.0\.1:9'"):
        Cluster("tcp://127.0.0.1:9")
    with pytest.raises(UserError, match="no Dask scheduler at 'nonsense:'"):
        Cluster("nonsense:")
