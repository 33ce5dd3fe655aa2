"""Do the tests notice a missing rule? Every registered rule of every house game is switched off in turn; some test must fail.

    python tools/mutate.py [--system NAME] [--only RULE-ID]... [--jobs N]

First one run of each game's tests notes which test runs which rule. Then, for each rule, a handful of the tests that run it are
repeated with `RULEWRIGHT_DISABLE=rule-id` (its code raises, its tables are empty), the fastest first; then all that run it; then all
tests of the game. A rule that only the conformance suite notices is marked, since that suite knows that rules exist but not what they
say; for the same reason its tests of the registry do not count at all. Exit status: 0 all noticed, 1 some not, 2 nothing could be told.

The file is also the pytest plugin that does the noting (`-p mutate`).
"""

import argparse
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTES = "RULEWRIGHT_MUTATE_NOTES"
FIRST = 10
"""How many tests are tried before all that run the rule are."""
REGISTRY_TESTS = "tests/conformance/test_rules.py"
USUAL = ("-q", "--tb=no", "-p", "no:cacheprovider", "-m", "not slow and not browser", "--hypothesis-profile=mutate")
QUICK = ("-x", "-rfE", *USUAL)
PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "_hypothesis_pytestplugin"}
"""Nothing else: to load every plugin there is takes longer than most tests."""


# --- the plugin: which test runs which rule -------------------------------------------------------------------------------------


class Noting:
    """Writes down, for every test, how long it took, whether it passed, and the rules whose code or tables it used."""

    def __init__(self, folder: str) -> None:
        from rulewright import rules
        from rulewright.rules import registry

        self.file = (Path(folder) / f"{os.environ.get('PYTEST_XDIST_WORKER', 'only')}.jsonl").open("a")
        self.touched: set[str] = set()
        self.failed = False
        self.codes: dict[Any, tuple[str, ...]] = {}
        self._registered = registry.functions
        self._known = 0
        for owner, name in ((rules.Ruleset, "rows"), (rules.Book, "raw")):
            setattr(owner, name, self._watched(getattr(owner, name)))

    def _watched(self, method: Any) -> Any:
        def watched(owner: Any, rule_id: str, *rest: Any) -> Any:
            self.touched.add(rule_id)
            return method(owner, rule_id, *rest)

        return watched

    def _look_up_codes(self) -> None:
        """The code of every registered function; games may still be registering while tests run."""
        if self._known != sum(map(len, self._registered.values())):
            found: dict[Any, list[str]] = {}
            for rule_id, functions in self._registered.items():
                for function in functions:
                    found.setdefault(inspect.unwrap(function).__code__, []).append(rule_id)
            self.codes = {code: tuple(ids) for code, ids in found.items()}
            self._known = sum(map(len, self._registered.values()))

    def _called(self, frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code in self.codes:
            self.touched.update(self.codes[frame.f_code])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._look_up_codes()
        self.touched.clear()
        self.failed = False
        begun = time.perf_counter()
        sys.setprofile(self._called)
        try:
            yield
        finally:
            sys.setprofile(None)
        seconds = time.perf_counter() - begun
        line = {"test": item.nodeid, "seconds": seconds, "failed": self.failed, "rules": sorted(self.touched)}
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed


def pytest_configure(config: pytest.Config) -> None:
    folder = os.environ.get(NOTES)
    if folder and (os.environ.get("PYTEST_XDIST_WORKER") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Noting(folder))


# --- the check ------------------------------------------------------------------------------------------------------------------


class Noted(NamedTuple):
    """What one run of a game's tests told: the passing tests by rule, the fastest first, and those that fail anyway."""

    by_rule: dict[str, list[str]]
    failing: list[str]


class Verdict(NamedTuple):
    """Whether anything noticed that a rule was off, what, and whether that says much."""

    rule: str
    noticed: bool
    by: str
    weak: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--system", help="only this game")
    parser.add_argument("--only", action="append", default=[], metavar="RULE-ID", help="only this rule; may be given again")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes at once (2)")
    asked = parser.parse_args()
    verdicts: list[Verdict] = []
    for name, ids in _rules(asked.system, asked.only).items():
        print(f"{name}: {len(ids)} rules; noting which test runs which", flush=True)
        suite = _suite(name)
        with tempfile.TemporaryDirectory() as folder:
            noted = _note(suite, folder, asked.jobs)
        if not noted.by_rule:
            print(f"{name}: no test ran", file=sys.stderr)
            return 2
        for test in noted.failing:
            print(f"  left out, it fails as it is: {test}", flush=True)
        with ThreadPoolExecutor(asked.jobs) as pool:
            tried = [pool.submit(_try, rule_id, noted, suite) for rule_id in ids]
            for number, done in enumerate(as_completed(tried), 1):
                verdict = done.result()
                verdicts.append(verdict)
                said = f"noticed by {verdict.by}{verdict.weak}" if verdict.noticed else "NOT NOTICED"
                print(f"[{number}/{len(ids)}] {verdict.rule}: {said}", flush=True)
    return _report(verdicts)


def _report(verdicts: list[Verdict]) -> int:
    survivors = sorted(verdict.rule for verdict in verdicts if not verdict.noticed)
    weak = sorted(f"{verdict.rule}{verdict.weak}" for verdict in verdicts if verdict.noticed and verdict.weak)
    if weak:
        print("\nnoticed, but not by a test that says what the rule is:\n  " + "\n  ".join(weak))
    print(f"\n{len(verdicts) - len(survivors)} of {len(verdicts)} rules are missed when they are gone")
    if survivors:
        print("no test fails without:\n  " + "\n  ".join(survivors))
    return 1 if survivors else 0


def _rules(system: str | None, only: list[str]) -> dict[str, list[str]]:
    """The rules to switch off, by game."""
    from rulewright.system import HOUSE, find, names

    house = [name for name in names() if name in HOUSE and hasattr(import_module(f"rulewright.systems.{name}"), "SYSTEM")]
    if system is not None and system not in house:
        raise SystemExit(f"there is no house game {system!r}; there are {', '.join(house)}")
    found = {name: [info.id for info in find(name).book.rules() if not info.only_advice] for name in house if system in (None, name)}
    unknown = set(only).difference(*found.values())
    if unknown:
        raise SystemExit(f"no such rule: {', '.join(sorted(unknown))}")
    chosen = {name: [rule_id for rule_id in ids if not only or rule_id in only] for name, ids in found.items()}
    return {name: ids for name, ids in chosen.items() if ids}


def _suite(name: str) -> list[str]:
    """The tests of a game: its own, and the conformance suite without the tests of the registry."""
    own = [f"tests/{name}"] if (ROOT / "tests" / name).is_dir() else []
    return [*own, "tests/conformance", f"--ignore={REGISTRY_TESTS}"]


def _note(suite: list[str], folder: str, jobs: int) -> Noted:
    _pytest([*suite, *USUAL, "-p", "xdist", "-p", "mutate", "-n", str(jobs)], {NOTES: folder})
    by_rule: dict[str, list[tuple[float, str]]] = {}
    failing = []
    for file in Path(folder).glob("*.jsonl"):
        for line in map(json.loads, file.read_text().splitlines()):
            if line["failed"]:
                failing.append(line["test"])
                continue
            for rule_id in line["rules"]:
                by_rule.setdefault(rule_id, []).append((line["seconds"], line["test"]))
    return Noted({rule_id: [test for _, test in sorted(tests)] for rule_id, tests in by_rule.items()}, sorted(failing))


def _try(rule_id: str, noted: Noted, suite: list[str]) -> Verdict:
    """Switch one rule off and run ever more tests until one fails."""
    tests = noted.by_rule.get(rule_id, [])
    own = [test for test in tests if not _conforming(test)]
    shared = [test for test in tests if _conforming(test)]
    left_out = [f"--deselect={test}" for test in noted.failing]
    for some in (own[:FIRST], own[FIRST:], [suite[0], *left_out], shared):
        if some:
            verdict = _verdict(rule_id, some)
            if verdict.noticed:
                return verdict
    return Verdict(rule_id, False, "")


def _verdict(rule_id: str, tests: list[str]) -> Verdict:
    ran = _pytest([*QUICK, *tests], {"RULEWRIGHT_DISABLE": rule_id})
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    by = failed[1] if failed else "nothing"
    if ran.returncode == pytest.ExitCode.TESTS_FAILED:
        return Verdict(rule_id, True, by, " (only the conformance suite)" if _conforming(by) else "")
    if ran.returncode in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
        return Verdict(rule_id, True, by, " (the tests cannot even be collected without it)")
    return Verdict(rule_id, False, "")


def _conforming(test: str) -> bool:
    return test.startswith("tests/conformance")


def _pytest(arguments: Iterable[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join(filter(None, (str(ROOT / "tools"), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, **PLUGINS, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
