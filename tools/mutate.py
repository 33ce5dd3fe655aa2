"""Mutation testing: do the tests notice a wrong rule? Switches off every rule in turn, or puts small faults into rules and tables.

    python tools/mutate.py [--system NAME] [--only RULE-ID]... [--jobs N]
    python tools/mutate.py --faults 100 [--seed 1] [--kind cell]... [--system NAME] [--only RULE-ID]...

First one run of each game's tests records which test runs which rule (noting.py). The notes are stored in .mutate/, so that later only
changed test files run again.

Without `--faults`, each rule is disabled with `RULEWRIGHT_DISABLE=rule-id` (its code raises, its tables are empty). Tests that run it
are repeated: first a few of the fastest, then all, then all tests of the game.

With `--faults N`, N mutants are drawn by the seed from all numbers, comparisons, sums and cells (mutants.py). Each is tried in a fork of
a process that has loaded the tests (trying.py):

1. a few seconds of the tests that run its function, read its table or belong to its package, and the stored answers;
2. every test of the game that runs it, then every transcript and other scenario test that does;
3. a minute of the stored walks, calls and edits that do (walks.py);
4. all usual tests of the game in a new process without caches.

Other slow tests and browser tests are left out, and property tests use ten examples. A timeout counts as not noticed. A rule that only
the conformance suite notices is marked, because that suite knows that rules exist but not what they say. Its tests of the registry do
not count at all. Exit status: 0 all noticed, 1 some not, 2 no result.
"""

import argparse
import inspect
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import mutants
import pytest
import trying
from mutants import Mutant
from noting import PLUGINS, ROOT, USUAL, Notes, kept, notes, run_tests

from rulewright.system import HOUSE, find, names

FIRST = 10
"""Number of tests in the first attempt."""
MOST = 300
"""Number of tests for one fault at most."""
WORTH = 30.0
"""Seconds of tests for the quick trial of a fault, the fastest first."""
THOROUGH = 240.0
"""Seconds for each half of the thorough trial: the other tests of the function, then the scenario tests."""
WHOLE = 1_200.0
"""Seconds for all tests of a game in a new process."""
PATIENCE = 20.0
"""Time limit for a disabled rule: this times the usual time, plus a minute. After that the tests count as endless."""
HASTE = 3.0
"""The same for the quick trial of a fault. A timeout is then inconclusive, because the machine may be busy."""
PRINTED_TESTS = ROOT / "tests" / "conformance" / "test_printed.py"
"""The second entry of every printed table: the best and fastest check of a cell."""
ANSWER_TESTS = ROOT / "tests" / "conformance" / "test_answers.py"
"""Stored results of every rule. They show that something changed, not what is right."""
SCENARIO_TESTS = [
    ROOT / "tests" / "conformance" / f"test_{about}.py" for about in ("transcripts", "sums", "told", "first_sight", "lasting")
]
"""Tests of every scenario. Most show only that something changed or is inconsistent."""
SCENARIOS = "scenarios"
"""The name of their notes."""
WALK_TESTS = ROOT / "tests" / "conformance" / "test_walks.py"
"""Stored random walks, calls and edits. They show that something changed, not what is right. Slow together, but fast one by one."""
WALKS = "walks"
WALKED = 60.0
"""Seconds of walk tests for a fault that nothing else notices."""
REGISTRY_TESTS = ROOT / "tests" / "conformance" / "test_rules.py"
EVEN_SLOW = ("-m", "not browser")
QUICK = ("-x", "-rfE", *USUAL)


class Verdict(NamedTuple):
    """Whether a test noticed a fault, which one, and how specific it is."""

    fault: str
    noticed: bool
    by: str
    weak: str = ""
    kind: str = "off"
    unsettled: str = ""
    """Where time ran out, if it did."""

    def __str__(self) -> str:
        if self.noticed:
            return f"{self.fault}: noticed by {self.by}{self.weak}"
        return f"{self.fault}: INCONCLUSIVE, {self.unsettled}" if self.unsettled else f"{self.fault}: NOT NOTICED{self.by}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--system", help="only this game")
    parser.add_argument("--only", action="append", default=[], metavar="RULE-ID", help="only this rule; repeatable")
    parser.add_argument("--faults", type=int, default=0, metavar="N", help="number of small faults, instead of disabling whole rules")
    parser.add_argument(
        "--kind", action="append", default=[], choices=("number", "comparison", "sum", "cell"), help="only this kind of fault; repeatable"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed for drawing faults (1)")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (2)")
    parser.add_argument("--as-noted", action="store_true", help="use the stored notes, even if test files have changed")
    asked = parser.parse_args()
    games = _rules(asked.system, asked.only)
    faults = _drawn(games, asked.faults, asked.seed, set(asked.kind), bool(asked.only)) if asked.faults else {}
    verdicts: list[Verdict] = []
    for name, ids in games.items():
        suite = _suite(name, whole=not asked.faults)
        if not asked.as_noted:
            notes(name, suite, asked.jobs)
            if asked.faults:
                notes(SCENARIOS, SCENARIO_TESTS, asked.jobs)
                notes(WALKS, [WALK_TESTS], asked.jobs, EVEN_SLOW)
        noted = kept(name, SCENARIOS, WALKS) if asked.faults else kept(name)
        if not noted.seconds:
            print(f"{name}: no test ran", file=sys.stderr)
            return 2
        for test in noted.failing:
            print(f"  skipped, it fails without any fault: {test}", flush=True)
        if asked.faults:
            tried, trials = len(faults.get(name, [])), _try_faults(faults.get(name, []), noted, name, asked.jobs)
        else:
            tried, trials = len(ids), _try_rules(ids, noted, suite[0], asked.jobs)
        for number, verdict in enumerate(trials, 1):
            verdicts.append(verdict)
            print(f"[{number}/{tried}] {verdict}", flush=True)
    return _report(verdicts)


def _report(verdicts: list[Verdict]) -> int:
    weak = sorted(f"{verdict.fault}{verdict.weak}" for verdict in verdicts if verdict.noticed and verdict.weak)
    unsettled = sorted(verdict.fault for verdict in verdicts if verdict.unsettled)
    survivors = sorted(verdict.fault for verdict in verdicts if not verdict.noticed and not verdict.unsettled)
    caught = Counter(verdict.kind for verdict in verdicts if verdict.noticed)
    for kind, number in sorted(Counter(verdict.kind for verdict in verdicts).items()):
        print(f"\n{caught[kind]} of {number} noticed: {'disabled rules' if kind == 'off' else f'a changed {kind}'}", end="")
    print(f"\n{caught.total()} of {len(verdicts)} noticed")
    for faults, words in (
        (weak, "noticed, but not by a test of the rule itself"),
        (unsettled, "inconclusive, time ran out"),
        (survivors, "not noticed by any test"),
    ):
        if faults:
            print(f"\n{len(faults)} {words}:\n  " + "\n  ".join(faults))
    return 1 if survivors or unsettled else 0


# --- the faults --------------------------------------------------------------------------------------------------------------


def _rules(system: str | None, only: list[str]) -> dict[str, list[str]]:
    """The rules to disable, by game."""
    built_in = [name for name in names() if name in HOUSE and hasattr(import_module(f"rulewright.systems.{name}"), "SYSTEM")]
    if system is not None and system not in built_in:
        raise SystemExit(f"There is no built-in game {system!r}. Choose from {', '.join(built_in)}.")
    rule_ids = {name: [info.id for info in find(name).book.rules() if not info.only_advice] for name in built_in if system in (None, name)}
    unknown = set(only).difference(*rule_ids.values())
    if unknown:
        raise SystemExit(f"No such rule: {', '.join(sorted(unknown))}")
    chosen = {name: [rule_id for rule_id in ids if not only or rule_id in only] for name, ids in rule_ids.items()}
    return {name: ids for name, ids in chosen.items() if ids}


def _drawn(games: dict[str, list[str]], number: int, seed: int, kinds: set[str], narrowed: bool) -> dict[str, list[Mutant]]:
    """Random faults by game. The kind is drawn first, because there are many more cells than code."""
    by_kind: dict[str, list[tuple[str, Mutant]]] = {}
    for name, ids in games.items():
        for mutant in _all_of(name, set(ids) if narrowed else None):
            if not kinds or mutant.kind in kinds:
                by_kind.setdefault(mutant.kind, []).append((name, mutant))
    luck = random.Random(seed)
    for faults in by_kind.values():
        luck.shuffle(faults)
    drawn: dict[str, list[Mutant]] = {}
    for turn in range(number):
        left = [faults for faults in by_kind.values() if faults]
        if not left:
            break
        name, mutant = left[turn % len(left)].pop()
        drawn.setdefault(name, []).append(mutant)
    return drawn


def _all_of(name: str, ids: set[str] | None) -> list[Mutant]:
    """Every fault of a game, or only those of some rules."""
    book = find(name).book
    faults = [*mutants.in_code(book.package), *mutants.in_tables(dict(book.tables()))]
    if ids is None:
        return faults
    files = {f"{info.code.partition(':')[0].replace('.', '/')}.py:{info.code.partition(':')[2]}" for info in book.rules() if info.id in ids}
    return [mutant for mutant in faults if mutant.where in ids or mutant.where in files]


def _suite(name: str, *, whole: bool) -> list[Path]:
    """The tests of a game and, for whole rules, the conformance suite without its tests of the registry."""
    conforming = sorted(file for file in (ROOT / "tests" / "conformance").glob("test_*.py") if file != REGISTRY_TESTS)
    return [ROOT / "tests" / name, *(conforming if whole else [])]


# --- the trial ------------------------------------------------------------------------------------------------------------------


def _try_rules(ids: list[str], noted: Notes, folder: Path, jobs: int) -> Iterator[Verdict]:
    """Disable each rule, in new processes."""
    with ThreadPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(_try_off, rule_id, noted, folder) for rule_id in ids]):
            yield done.result()


def _try_faults(faults: list[Mutant], noted: Notes, name: str, jobs: int) -> Iterator[Verdict]:
    """Try each fault in forks of a process that has loaded the game and its tests."""
    os.environ.update(PLUGINS)
    os.chdir(ROOT)
    find(name).book.load()
    trying.collect([*USUAL, f"tests/{name}", *map(str, (PRINTED_TESTS, ANSWER_TESTS, WALK_TESTS, *SCENARIO_TESTS))])
    with get_context("fork").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(_try_fault, noted=noted, name=name), faults)


def _try_off(rule_id: str, noted: Notes, folder: Path) -> Verdict:
    """Disable one rule and run more and more tests until one fails."""
    tests = _tests_of(rule_id, noted)
    own = [test for test in tests if not _conforming(test)]
    shared = [test for test in tests if _conforming(test)]
    left_out = [f"--deselect={test}" for test in noted.failing]
    for batch in (own[:FIRST], own[FIRST:], [str(folder), *left_out], shared):
        if batch:
            verdict = _verdict(rule_id, batch, {"RULEWRIGHT_DISABLE": rule_id}, noted)
            if verdict.noticed:
                return verdict
    return Verdict(rule_id, False, "")


def _tests_of(rule_id: str, noted: Notes) -> list[str]:
    """The tests that run a rule's functions or read its table, the fastest first."""
    from rulewright.rules.registry import functions

    tests = set(noted.by_table.get(rule_id, []))
    for function in functions.get(rule_id, ()):
        plain = inspect.unwrap(function)
        tests.update(noted.by_function.get(f"{plain.__module__.replace('.', '/')}.py:{plain.__qualname__}", []))
    return sorted(tests, key=noted.seconds.__getitem__)


def _try_fault(mutant: Mutant, noted: Notes, name: str) -> Verdict:
    """Apply one fault and run tests until one fails: first a few, then all that cover it."""
    fault = f"{mutant.where} {mutant.what}"
    covering = (noted.by_table if mutant.kind == "cell" else noted.by_function).get(mutant.where, [])
    own = [test for test in covering if not _conforming(test)]
    walked = [test for test in covering if WALK_TESTS.name in test]
    played = [test for test in covering if _conforming(test) and test not in walked]
    package = _package(mutant, name)
    near = [test for test in noted.seconds if test.startswith(package)]
    tests, nearby = _within(own, noted), [] if own else _within(near, noted)
    has_tests = any((ROOT / package).rglob("test_*.py"))
    unknown = [] if near or (own and not has_tests) else _naming(mutant, name)
    kept_answers = [str(ANSWER_TESTS), *EVEN_SLOW, "-k", f"{name}/{package.split('/')[2]}"]
    kept_walks = [*EVEN_SLOW, *_within(walked, noted, WALKED)] if walked else []
    if trying.is_read_only_once(mutant):
        return _try_anew(mutant, fault, [[*tests, *nearby][:MOST] or unknown, kept_answers, kept_walks], noted)
    entries = [PRINTED_TESTS, *sorted((ROOT / "tests" / name).glob("test_*tables.py"))]
    second = [*map(str, entries), "-k", name] if mutant.kind == "cell" else []
    quick = (second, tests[:FIRST], tests[FIRST:], nearby, unknown, kept_answers)
    expected = (THOROUGH if unknown else 60) + HASTE * sum(noted.seconds[test] for test in (*tests, *nearby))
    trials = [_tried(mutant, quick, expected)]
    package_and_rest = [package, *map(str, sorted((ROOT / "tests" / name).glob("test_*.py")))] if unknown and has_tests else []
    for batch in ([*own[len(tests) :], *package_and_rest], played):
        if batch and not trials[-1].by:
            trials.append(_tried(mutant, [batch[at : at + MOST] for at in range(0, len(batch), MOST)], THOROUGH))
    if kept_walks and not trials[-1].by:
        trials.append(_tried(mutant, [kept_walks], 60 + HASTE * WALKED))
    verdict = _found(fault, mutant, trials)
    return verdict if verdict.noticed or verdict.unsettled else _try_all(mutant, verdict, name, noted)


def _try_all(mutant: Mutant, verdict: Verdict, name: str, noted: Notes) -> Verdict:
    """Run all usual tests of a game in a new process, for a fault that nothing noticed.

    Caches can hide from the notes that a test runs a function, and values computed at import time do not change in a running process.
    """
    left_out = [f"--deselect={test}" for test in noted.failing]
    try:
        retried = _verdict(verdict.fault, [f"tests/{name}", *left_out], {mutants.VARIABLE: mutant.named()}, noted, WHOLE)
    except subprocess.TimeoutExpired:
        return verdict._replace(unsettled="time ran out during the run of all tests of the game")
    return retried._replace(kind=mutant.kind, weak=_weakness(retried.by)) if retried.noticed else verdict


def _tried(mutant: Mutant, runs: Iterable[list[str]], seconds: float) -> trying.Tried:
    return trying.run(mutant, [[*QUICK, *batch] for batch in runs if batch], seconds)


def _found(fault: str, mutant: Mutant, trials: list[trying.Tried]) -> Verdict:
    """The verdict of several trials: noticed by the last one, not noticed, or inconclusive if time ran out."""
    passed = sum(trial.passed for trial in trials)
    if trials[-1].by:
        return Verdict(fault, True, trials[-1].by, _weakness(trials[-1].by), mutant.kind)
    where = f"time ran out in {', '.join(trial.running for trial in trials if trial.running)}" if any(t.running for t in trials) else ""
    return Verdict(fault, False, f" by {passed} tests", kind=mutant.kind, unsettled=where and f"{where} ({passed} tests passed)")


def _naming(mutant: Mutant, name: str) -> list[str]:
    """Test files for a fault without notes: those that name the function, its module, or the table of a cell."""
    file, _, function = mutant.where.partition(":")
    plain = function.rpartition(".")[2] or mutant.where
    files = {path: path.read_text("utf-8") for path in sorted((ROOT / "tests" / name).rglob("test_*.py"))}
    for word in (*([] if plain.startswith("_") else [plain]), file.removesuffix(".py").replace("/", ".")):
        naming = [str(path.relative_to(ROOT)) for path, text in files.items() if re.search(rf"\b{re.escape(word)}\b", text)]
        if naming:
            return naming[:FIRST]
    return []


def _try_anew(mutant: Mutant, fault: str, runs: list[list[str]], noted: Notes) -> Verdict:
    """The same in new processes, for a fault that matters only at import time."""
    verdict = Verdict(fault, False, "")
    tests, *others = runs
    for batch in (tests[:FIRST], tests[FIRST:], *others):
        if batch and not verdict.noticed:
            verdict = _verdict(fault, batch, {mutants.VARIABLE: mutant.named()}, noted)
    return verdict._replace(kind=mutant.kind, weak=_weakness(verdict.by))


def _weakness(by: str) -> str:
    if ANSWER_TESTS.name in by:
        return " (only the stored answers)"
    if WALK_TESTS.name in by:
        return " (only the stored walks)"
    return " (only the conformance suite)" if _conforming(by) else ""


def _within(tests: list[str], noted: Notes, seconds: float = WORTH) -> list[str]:
    """The fastest of these tests that fit into a time limit."""
    spent = 0.0
    for number, test in enumerate(tests):
        spent += noted.seconds[test]
        if spent > seconds or number == MOST:
            return tests[: max(FIRST, number)]
    return tests


def _package(mutant: Mutant, name: str) -> str:
    """The test folder of the package in which a fault is."""
    if mutant.kind == "cell":
        return f"tests/{name}/{Path(find(name).book.file_of(mutant.where)).parent.name}/"
    return f"tests/{name}/{Path(mutant.where.partition(':')[0]).parts[3]}/"


def _verdict(fault: str, tests: list[str], environment: dict[str, str], noted: Notes, seconds: float | None = None) -> Verdict:
    known = all(test in noted.seconds for test in tests)
    patience = 60 + PATIENCE * sum(noted.seconds[test] for test in tests) if known else seconds
    try:
        ran = run_tests([*QUICK, "-p", "noting", *tests], environment, patience)
    except subprocess.TimeoutExpired:
        if seconds is not None:
            raise
        return Verdict(fault, True, "a test that does not end")
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    by = failed[1] if failed else "nothing"
    if ran.returncode == pytest.ExitCode.TESTS_FAILED:
        return Verdict(fault, True, by, " (only the conformance suite)" if _conforming(by) else "")
    if ran.returncode in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
        return Verdict(fault, True, by, " (the tests cannot be collected without it)")
    return Verdict(fault, False, "")


def _conforming(test: str) -> bool:
    return test.startswith("tests/conformance") and PRINTED_TESTS.name not in test


if __name__ == "__main__":
    sys.exit(main())
