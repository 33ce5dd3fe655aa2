"""Records which test runs which rule, so that mutate.py can run only the relevant tests.

As a pytest plugin (`-p noting`) it records for every test its time, its result, the tables it read and the game functions it called
(through mutants.tell_of_calls). `notes` stores these in .mutate/ and runs only new or changed test files again. As a plugin it also
applies the mutant in `RULEWRIGHT_MUTANT`.
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
"""Only these plugins: loading all of them takes longer than most tests."""


# --- the plugin -----------------------------------------------------------------------------------------------------------------


class Noting:
    """Pytest plugin that writes a line for every test: functions called and tables read."""

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
    """What one test did: the tables it read, by rule id, and the functions it ran, as mutants.py names them."""

    test: str
    seconds: float
    failed: bool
    tables: list[str]
    functions: list[str]


class Notes(NamedTuple):
    """Passing tests by table and by function, the fastest first; their seconds; and tests that fail anyway."""

    by_table: dict[str, list[str]]
    by_function: dict[str, list[str]]
    seconds: dict[str, float]
    failing: list[str]


def kept(*names: str) -> Notes:
    """The stored notes on the tests of one or more suites, even if outdated."""
    files = [file for file in (KEPT / f"{name}.json" for name in names) if file.exists()]
    return _read(Noted(**line) for file in files for part in json.loads(file.read_text()).values() for line in part["tests"])


def notes(name: str, suite: list[Path], jobs: int, marked: Iterable[str] = ()) -> Notes:
    """The notes on the tests of a game, after running changed test files; `marked` adds pytest options."""
    KEPT.mkdir(exist_ok=True)
    file = KEPT / f"{name}.json"
    stored: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    marks = {str(path.relative_to(ROOT)): _mark(path) for path in _test_files(suite)}
    stored = {path: part for path, part in stored.items() if marks.get(path) == part["mark"]}
    for folder, due in _by_folder(path for path in marks if path not in stored).items():
        print(f"{name}: recording {len(due)} test files of {folder}", flush=True)
        lines = _run(due, jobs, marked)
        stored.update(
            {path: {"mark": marks[path], "tests": [line for line in lines if line["test"].startswith(path + "::")]} for path in due}
        )
        file.write_text(json.dumps(stored))
    return kept(name)


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    """Test files by folder; the notes of each folder are stored as soon as they are complete."""
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        by_folder.setdefault(str(Path(path).parent), []).append(path)
    return by_folder


def _test_files(suite: list[Path]) -> list[Path]:
    return sorted(file for path in suite for file in (path.rglob("test_*.py") if path.is_dir() else [path]))


def _mark(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(files: list[str], jobs: int, marked: Iterable[str] = ()) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        ran = run_tests([*files, *USUAL, *marked, "-p", "xdist", "-p", "noting", "-n", str(jobs)], {FOLDER: folder})
        if ran.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            raise SystemExit(f"Cannot run the tests: {ran.stdout[-500:]}")
        return [json.loads(line) for file in Path(folder).glob("*.jsonl") for line in file.read_text().splitlines()]


def _read(lines: Iterable[Noted]) -> Notes:
    result = Notes({}, {}, {}, [])
    for line in sorted(lines, key=lambda line: line.seconds):
        if line.failed:
            result.failing.append(line.test)
            continue
        result.seconds[line.test] = line.seconds
        for rule_id in line.tables:
            result.by_table.setdefault(rule_id, []).append(line.test)
        for function in line.functions:
            result.by_function.setdefault(function, []).append(line.test)
    return result


def run_tests(arguments: Iterable[str], environment: dict[str, str], seconds: float | None = None) -> "subprocess.CompletedProcess[str]":
    """Run pytest in a new process; after the time limit it raises `subprocess.TimeoutExpired`."""
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
