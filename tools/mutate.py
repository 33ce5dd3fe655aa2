"""Do the tests notice a wrong rule? Every rule is switched off in turn, or small faults are put into rules and tables; some test must fail.

    python tools/mutate.py [--system NAME] [--only RULE-ID]... [--jobs N]
    python tools/mutate.py --faults 100 [--seed 1] [--kind cell]... [--system NAME] [--only RULE-ID]...

First the notes: one run of each game's tests tells which test runs which rule (noting.py; kept in .mutate/, so that later only changed
test files run again). Without `--faults`, for each rule, a handful of the tests that run it are repeated with
`RULEWRIGHT_DISABLE=rule-id` (its code raises, its tables are empty), the fastest first; then all that run it; then all tests of the
game. With `--faults N`, N faults are drawn by the seed from all numbers, comparisons, sums and cells (mutants.py) and tried in a copy of
a process that has read the tests (trying.py): first a few seconds of those that run its function or read its table and of its room, and
the kept answers; if none of them fails, thoroughly: every test of the game that runs it, then every transcript and every other test of
the game's scenarios that does, then a minute of the random walks, calls and edits that do (walks.py), and last all usual tests of the
game in a new process, which has nothing remembered. Left out are other slow tests and browser tests, and properties are tried on ten
examples. What runs out of time is not settled and counts as not noticed. A rule that only
the conformance suite notices is marked, since that suite knows that rules exist but not what they say; for the same reason its tests of
the registry do not count at all. Exit status: 0 all noticed, 1 some not, 2 nothing could be told.
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
"""How many tests are tried before all that run the rule are."""
MOST = 300
"""More tests than that say nothing more about one figure."""
WORTH = 30.0
"""So many seconds of tests, the fastest first, are run for a fault that none of them notices."""
THOROUGH = 240.0
"""So many seconds each half of the thorough trial may take: the other tests that run the function, then those of scenarios."""
WHOLE = 1_200.0
"""So many seconds all tests of a game may take where a fault is tried by them once more, in a new process."""
PATIENCE = 20.0
"""How many times what they took before (and a minute) the tests of a rule switched off may take; then they count as running for ever."""
HASTE = 3.0
"""The same for the quick trial of a fault, which is then not settled: something else may have kept the machine busy."""
PRINTED_TESTS = ROOT / "tests" / "conformance" / "test_printed.py"
"""The second entry of every printed table: what says most about a cell, and takes no time."""
ANSWER_TESTS = ROOT / "tests" / "conformance" / "test_answers.py"
"""What every rule answered when it was read last: says that something has changed, not what would be right."""
SCENARIO_TESTS = [
    ROOT / "tests" / "conformance" / f"test_{about}.py" for about in ("transcripts", "sums", "told", "first_sight", "lasting")
]
"""What is true of every scenario: most say only that something has changed, or does not fit together."""
SCENARIOS = "scenarios"
"""Under which name the notes on those are kept."""
WALK_TESTS = ROOT / "tests" / "conformance" / "test_walks.py"
"""What came of random walks, calls and edits before: says that something has changed, not what would be right. They are slow together,
and each by itself is not."""
WALKS = "walks"
WALKED = 60.0
"""So many seconds of those are run for a fault that nothing else notices."""
REGISTRY_TESTS = ROOT / "tests" / "conformance" / "test_rules.py"
EVEN_SLOW = ("-m", "not browser")
QUICK = ("-x", "-rfE", *USUAL)


class Verdict(NamedTuple):
    """Whether anything noticed a fault, what, and whether that says much."""

    fault: str
    noticed: bool
    by: str
    weak: str = ""
    kind: str = "off"
    unsettled: str = ""
    """Where the time ran out, if it did."""

    def __str__(self) -> str:
        if self.noticed:
            return f"{self.fault}: noticed by {self.by}{self.weak}"
        return f"{self.fault}: NOT SETTLED, {self.unsettled}" if self.unsettled else f"{self.fault}: NOT NOTICED{self.by}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--system", help="only this game")
    parser.add_argument("--only", action="append", default=[], metavar="RULE-ID", help="only this rule; may be given again")
    parser.add_argument("--faults", type=int, default=0, metavar="N", help="so many small faults instead of whole rules switched off")
    parser.add_argument("--kind", action="append", default=[], choices=("number", "comparison", "sum", "cell"), help="only such faults")
    parser.add_argument("--seed", type=int, default=1, help="which faults are drawn (1)")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes at once (2)")
    parser.add_argument("--as-noted", action="store_true", help="with the notes that are kept, though test files have changed since")
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
            print(f"  left out, it fails as it is: {test}", flush=True)
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
        print(f"\n{caught[kind]} of {number} noticed: {'rules switched off' if kind == 'off' else f'a {kind} changed'}", end="")
    print(f"\n{caught.total()} of {len(verdicts)} noticed")
    for faults, words in (
        (weak, "noticed, but not by a test that says what the rule is"),
        (unsettled, "not settled, the time ran out"),
        (survivors, "for which no test fails"),
    ):
        if faults:
            print(f"\n{len(faults)} {words}:\n  " + "\n  ".join(faults))
    return 1 if survivors or unsettled else 0


# --- what is tried --------------------------------------------------------------------------------------------------------------


def _rules(system: str | None, only: list[str]) -> dict[str, list[str]]:
    """The rules to switch off, by game."""
    house = [name for name in names() if name in HOUSE and hasattr(import_module(f"rulewright.systems.{name}"), "SYSTEM")]
    if system is not None and system not in house:
        raise SystemExit(f"there is no house game {system!r}; there are {', '.join(house)}")
    found = {name: [info.id for info in find(name).book.rules() if not info.only_advice] for name in house if system in (None, name)}
    unknown = set(only).difference(*found.values())
    if unknown:
        raise SystemExit(f"no such rule: {', '.join(sorted(unknown))}")
    chosen = {name: [rule_id for rule_id in ids if not only or rule_id in only] for name, ids in found.items()}
    return {name: ids for name, ids in chosen.items() if ids}


def _drawn(games: dict[str, list[str]], number: int, seed: int, kinds: set[str], narrowed: bool) -> dict[str, list[Mutant]]:
    """Faults by game, drawn from all there are: a kind first, so that cells do not crowd out the code, then one of that kind."""
    by_kind: dict[str, list[tuple[str, Mutant]]] = {}
    for name, ids in games.items():
        for mutant in _all_of(name, set(ids) if narrowed else None):
            if not kinds or mutant.kind in kinds:
                by_kind.setdefault(mutant.kind, []).append((name, mutant))
    luck = random.Random(seed)
    for several in by_kind.values():
        luck.shuffle(several)
    drawn: dict[str, list[Mutant]] = {}
    for turn in range(number):
        left = [several for several in by_kind.values() if several]
        if not left:
            break
        name, mutant = left[turn % len(left)].pop()
        drawn.setdefault(name, []).append(mutant)
    return drawn


def _all_of(name: str, ids: set[str] | None) -> list[Mutant]:
    """Every fault of a game, or only those of some rules."""
    book = find(name).book
    found = [*mutants.in_code(book.package), *mutants.in_tables(dict(book.tables()))]
    if ids is None:
        return found
    files = {f"{info.code.partition(':')[0].replace('.', '/')}.py:{info.code.partition(':')[2]}" for info in book.rules() if info.id in ids}
    return [mutant for mutant in found if mutant.where in ids or mutant.where in files]


def _suite(name: str, *, whole: bool) -> list[Path]:
    """The tests of a game: its own, and, for whole rules, the conformance suite without the tests of the registry."""
    conforming = sorted(file for file in (ROOT / "tests" / "conformance").glob("test_*.py") if file != REGISTRY_TESTS)
    return [ROOT / "tests" / name, *(conforming if whole else [])]


# --- the trial ------------------------------------------------------------------------------------------------------------------


def _try_rules(ids: list[str], noted: Notes, folder: Path, jobs: int) -> Iterator[Verdict]:
    """Each rule switched off, in processes of their own."""
    with ThreadPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(_try_off, rule_id, noted, folder) for rule_id in ids]):
            yield done.result()


def _try_faults(faults: list[Mutant], noted: Notes, name: str, jobs: int) -> Iterator[Verdict]:
    """Each fault put into copies of a process that has read the game and its tests."""
    os.environ.update(PLUGINS)
    os.chdir(ROOT)
    find(name).book.load()
    trying.collect([*USUAL, f"tests/{name}", *map(str, (PRINTED_TESTS, ANSWER_TESTS, WALK_TESTS, *SCENARIO_TESTS))])
    with get_context("fork").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(_try_fault, noted=noted, name=name), faults)


def _try_off(rule_id: str, noted: Notes, folder: Path) -> Verdict:
    """Switch one rule off and run ever more tests until one fails."""
    tests = _tests_of(rule_id, noted)
    own = [test for test in tests if not _conforming(test)]
    shared = [test for test in tests if _conforming(test)]
    left_out = [f"--deselect={test}" for test in noted.failing]
    for some in (own[:FIRST], own[FIRST:], [str(folder), *left_out], shared):
        if some:
            verdict = _verdict(rule_id, some, {"RULEWRIGHT_DISABLE": rule_id}, noted)
            if verdict.noticed:
                return verdict
    return Verdict(rule_id, False, "")


def _tests_of(rule_id: str, noted: Notes) -> list[str]:
    """The tests that run a rule's functions or read its table, the fastest first."""
    from rulewright.rules.registry import functions

    found = set(noted.by_table.get(rule_id, []))
    for function in functions.get(rule_id, ()):
        plain = inspect.unwrap(function)
        found.update(noted.by_function.get(f"{plain.__module__.replace('.', '/')}.py:{plain.__qualname__}", []))
    return sorted(found, key=noted.seconds.__getitem__)


def _try_fault(mutant: Mutant, noted: Notes, name: str) -> Verdict:
    """Put one fault in and run tests until one fails: quickly a few, then thoroughly all that meet it."""
    fault = f"{mutant.where} {mutant.what}"
    met = (noted.by_table if mutant.kind == "cell" else noted.by_function).get(mutant.where, [])
    own = [test for test in met if not _conforming(test)]
    walked = [test for test in met if WALK_TESTS.name in test]
    played = [test for test in met if _conforming(test) and test not in walked]
    room = _room(mutant, name)
    near = [test for test in noted.seconds if test.startswith(room)]
    tests, beside = _within(own, noted), [] if own else _within(near, noted)
    has_tests = any((ROOT / room).rglob("test_*.py"))
    unknown = [] if near or (own and not has_tests) else _naming(mutant, name)
    kept_answers = [str(ANSWER_TESTS), *EVEN_SLOW, "-k", f"{name}/{room.split('/')[2]}"]
    kept_walks = [*EVEN_SLOW, *_within(walked, noted, WALKED)] if walked else []
    if trying.is_read_only_once(mutant):
        return _try_anew(mutant, fault, [[*tests, *beside][:MOST] or unknown, kept_answers, kept_walks], noted)
    entries = [PRINTED_TESTS, *sorted((ROOT / "tests" / name).glob("test_*tables.py"))]
    second = [*map(str, entries), "-k", name] if mutant.kind == "cell" else []
    quick = (second, tests[:FIRST], tests[FIRST:], beside, unknown, kept_answers)
    expected = (THOROUGH if unknown else 60) + HASTE * sum(noted.seconds[test] for test in (*tests, *beside))
    trials = [_tried(mutant, quick, expected)]
    room_and_rest = [room, *map(str, sorted((ROOT / "tests" / name).glob("test_*.py")))] if unknown and has_tests else []
    for some in ([*own[len(tests) :], *room_and_rest], played):
        if some and not trials[-1].by:
            trials.append(_tried(mutant, [some[at : at + MOST] for at in range(0, len(some), MOST)], THOROUGH))
    if kept_walks and not trials[-1].by:
        trials.append(_tried(mutant, [kept_walks], 60 + HASTE * WALKED))
    verdict = _found(fault, mutant, trials)
    return verdict if verdict.noticed or verdict.unsettled else _try_all(mutant, verdict, name, noted)


def _try_all(mutant: Mutant, verdict: Verdict, name: str, noted: Notes) -> Verdict:
    """All usual tests of a game in a new process, for a fault that nothing noticed.

    What was remembered when a test was noted hides from the notes that it runs a function, and what a module reckons while it is read
    does not change in a living process.
    """
    left_out = [f"--deselect={test}" for test in noted.failing]
    try:
        found = _verdict(verdict.fault, [f"tests/{name}", *left_out], {mutants.VARIABLE: mutant.named()}, noted, WHOLE)
    except subprocess.TimeoutExpired:
        return verdict._replace(unsettled="time ran out when all tests of the game were run anew")
    return found._replace(kind=mutant.kind, weak=_weakness(found.by)) if found.noticed else verdict


def _tried(mutant: Mutant, runs: Iterable[list[str]], seconds: float) -> trying.Tried:
    return trying.run(mutant, [[*QUICK, *some] for some in runs if some], seconds)


def _found(fault: str, mutant: Mutant, trials: list[trying.Tried]) -> Verdict:
    """What the trials of a fault came to: noticed by the last of them, or by none; not settled if time ran out in one of these."""
    passed = sum(trial.passed for trial in trials)
    if trials[-1].by:
        return Verdict(fault, True, trials[-1].by, _weakness(trials[-1].by), mutant.kind)
    where = f"time ran out in {', '.join(trial.running for trial in trials if trial.running)}" if any(t.running for t in trials) else ""
    return Verdict(fault, False, f" by {passed} tests", kind=mutant.kind, unsettled=where and f"{where} ({passed} tests passed)")


def _naming(mutant: Mutant, name: str) -> list[str]:
    """Where no notes are kept yet: the test files that name the function, or else its module; of a cell those that name the table."""
    file, _, function = mutant.where.partition(":")
    plain = function.rpartition(".")[2] or mutant.where
    files = {path: path.read_text("utf-8") for path in sorted((ROOT / "tests" / name).rglob("test_*.py"))}
    for word in (*([] if plain.startswith("_") else [plain]), file.removesuffix(".py").replace("/", ".")):
        found = [str(path.relative_to(ROOT)) for path, text in files.items() if re.search(rf"\b{re.escape(word)}\b", text)]
        if found:
            return found[:FIRST]
    return []


def _try_anew(mutant: Mutant, fault: str, runs: list[list[str]], noted: Notes) -> Verdict:
    """The same in new processes, for a fault that only shows while a module is read."""
    verdict = Verdict(fault, False, "")
    tests, *others = runs
    for some in (tests[:FIRST], tests[FIRST:], *others):
        if some and not verdict.noticed:
            verdict = _verdict(fault, some, {mutants.VARIABLE: mutant.named()}, noted)
    return verdict._replace(kind=mutant.kind, weak=_weakness(verdict.by))


def _weakness(by: str) -> str:
    if ANSWER_TESTS.name in by:
        return " (only the kept answers)"
    if WALK_TESTS.name in by:
        return " (only the kept walks)"
    return " (only the conformance suite)" if _conforming(by) else ""


def _within(tests: list[str], noted: Notes, seconds: float = WORTH) -> list[str]:
    """The fastest of these tests, as many as fit into the time that one fault is worth."""
    spent = 0.0
    for number, test in enumerate(tests):
        spent += noted.seconds[test]
        if spent > seconds or number == MOST:
            return tests[: max(FIRST, number)]
    return tests


def _room(mutant: Mutant, name: str) -> str:
    """Where the tests of the room stand in which a fault is, as their names begin."""
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
        return Verdict(fault, True, "a test that no longer ends")
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", ran.stdout, re.MULTILINE)
    by = failed[1] if failed else "nothing"
    if ran.returncode == pytest.ExitCode.TESTS_FAILED:
        return Verdict(fault, True, by, " (only the conformance suite)" if _conforming(by) else "")
    if ran.returncode in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
        return Verdict(fault, True, by, " (the tests cannot even be collected without it)")
    return Verdict(fault, False, "")


def _conforming(test: str) -> bool:
    return test.startswith("tests/conformance") and PRINTED_TESTS.name not in test


if __name__ == "__main__":
    sys.exit(main())
