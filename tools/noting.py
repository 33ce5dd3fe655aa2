"""Which test runs what: the notes by which mutate.py knows the few tests worth running for one rule.

As a pytest plugin (`-p noting`) it writes down, for every test, how long it took, whether it passed, the tables that it read and the
functions of the games that it called (each says so itself: mutants.tell_of_calls). `notes` keeps them in .mutate/, and runs only those
test files again that are new or have changed since. As a plugin it also brings in the fault that `RULEWRIGHT_MUTANT` names.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import mutants
import pytest

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".mutate"
FOLDER = "RULEWRIGHT_MUTATE_NOTES"
USUAL = ("-q", "--tb=no", "-p", "no:cacheprovider", "-m", "not slow and not browser", "--hypothesis-profile=mutate")
PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "_hypothesis_pytestplugin"}
"""Nothing else: to load every plugin there is takes longer than most tests."""


# --- the plugin -----------------------------------------------------------------------------------------------------------------


class Noting:
    """Writes a line for every test: the functions of the games tell that they ran, this which tables were read."""

    def __init__(self, folder: str) -> None:
        self.ran: set[str] = set()
        mutants.tell_of_calls(self.ran)
        from rulewright import rules

        self.file = Path(folder) / f"{os.environ.get('PYTEST_XDIST_WORKER', 'only')}.jsonl"
        self.tests: list[Noted] = []
        self.tables: set[str] = set()
        self.failed = False
        for owner, name in ((rules.Ruleset, "rows"), (rules.Book, "raw")):
            setattr(owner, name, self._watched(getattr(owner, name)))

    def _watched(self, method: Any) -> Any:
        def watched(owner: Any, rule_id: str, *rest: Any) -> Any:
            self.tables.add(rule_id)
            return method(owner, rule_id, *rest)

        return watched

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.tables.clear()
        self.failed = False
        self.ran.clear()
        begun = time.perf_counter()
        yield
        seconds = round(time.perf_counter() - begun, 3)
        self.tests.append(Noted(item.nodeid, seconds, self.failed, sorted(self.tables), sorted(self.ran)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    def pytest_sessionfinish(self) -> None:
        with self.file.open("w") as out:
            out.writelines(json.dumps(noted._asdict()) + "\n" for noted in self.tests)


def pytest_configure(config: pytest.Config) -> None:
    fault = os.environ.get(mutants.VARIABLE)
    if fault:
        mutants.apply(fault)
    folder = os.environ.get(FOLDER)
    if folder and (os.environ.get("PYTEST_XDIST_WORKER") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Noting(folder))


# --- the notes ------------------------------------------------------------------------------------------------------------------


class Noted(NamedTuple):
    """What one test did: the tables it read, by rule, and the functions it ran, as mutants.py names them."""

    test: str
    seconds: float
    failed: bool
    tables: list[str]
    functions: list[str]


class Notes(NamedTuple):
    """The passing tests by table and by function, the fastest first, their seconds, and those that fail anyway."""

    by_table: dict[str, list[str]]
    by_function: dict[str, list[str]]
    seconds: dict[str, float]
    failing: list[str]


def kept(*names: str) -> Notes:
    """The notes on the tests of a game (or several suites) as they are kept, whatever has changed since."""
    files = [file for file in (KEPT / f"{name}.json" for name in names) if file.exists()]
    return _read(Noted(**line) for file in files for part in json.loads(file.read_text()).values() for line in part["tests"])


def notes(name: str, suite: list[Path], jobs: int, marked: Iterable[str] = ()) -> Notes:
    """The notes on the tests of a game; what has changed since they were kept is run again, other tests than usual where `marked` says."""
    KEPT.mkdir(exist_ok=True)
    file = KEPT / f"{name}.json"
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    marks = {str(path.relative_to(ROOT)): _mark(path) for path in _test_files(suite)}
    found = {path: part for path, part in found.items() if marks.get(path) == part["mark"]}
    for folder, due in _by_folder(path for path in marks if path not in found).items():
        print(f"{name}: noting what {len(due)} test files of {folder} run", flush=True)
        lines = _run(due, jobs, marked)
        found.update(
            {path: {"mark": marks[path], "tests": [line for line in lines if line["test"].startswith(path + "::")]} for path in due}
        )
        file.write_text(json.dumps(found))
    return kept(name)


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    """Test files by the folder they stand in: each folder's notes are kept as soon as they are there."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(str(Path(path).parent), []).append(path)
    return found


def _test_files(suite: list[Path]) -> list[Path]:
    return sorted(file for path in suite for file in (path.rglob("test_*.py") if path.is_dir() else [path]))


def _mark(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(files: list[str], jobs: int, marked: Iterable[str] = ()) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        ran = run_tests([*files, *USUAL, *marked, "-p", "xdist", "-p", "noting", "-n", str(jobs)], {FOLDER: folder})
        if ran.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise SystemExit(f"the tests could not be run: {ran.stdout[-500:]}")
        return [json.loads(line) for file in Path(folder).glob("*.jsonl") for line in file.read_text().splitlines()]


def _read(lines: Iterable[Noted]) -> Notes:
    found = Notes({}, {}, {}, [])
    for line in sorted(lines, key=lambda line: line.seconds):
        if line.failed:
            found.failing.append(line.test)
            continue
        found.seconds[line.test] = line.seconds
        for rule_id in line.tables:
            found.by_table.setdefault(rule_id, []).append(line.test)
        for function in line.functions:
            found.by_function.setdefault(function, []).append(line.test)
    return found


def run_tests(arguments: Iterable[str], environment: dict[str, str], seconds: float | None = None) -> "subprocess.CompletedProcess[str]":
    """One run of pytest in a process of its own; after the seconds given it is stopped (`subprocess.TimeoutExpired`)."""
    path = os.pathsep.join(filter(None, (str(ROOT / "tools"), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, **PLUGINS, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )
