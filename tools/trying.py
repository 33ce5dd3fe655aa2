"""A fault tried in a copy of a process that has everything read already: seconds become tenths.

The tests of a game are collected once; for every trial the process forks, the copy puts the fault into the living functions or tables,
empties every cache, and runs a few tests by their names. What a module reckoned while it was read keeps its value: a fault that only
shows there is told apart by a run in a new process (mutate.py).
"""

import contextlib
import functools
import gc
import inspect
import io
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import msgspec
import mutants
import pytest
from mutants import Mutant


class Tried(NamedTuple):
    """What came of running tests with a fault."""

    by: str
    """The test that failed, or nothing."""
    passed: int
    """How many passed before."""
    running: str
    """The test at which time ran out (or something else ended the trial); nothing if all of them ran."""


class Watch:
    """Tells which test begins, and remembers the first that fails."""

    def __init__(self, telling: int) -> None:
        self.telling = telling
        self.test = ""

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        os.write(self.telling, f"{json.dumps(nodeid)}\n".encode())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid


def collect(arguments: list[str]) -> None:
    """Read the tests that the arguments name, and with them everything that they import."""
    sys.path.insert(0, "")  # as `python -m pytest` has it
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = pytest.main([*arguments, "--collect-only"])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"the tests cannot be collected: {said.getvalue()[-500:]}")


def run(mutant: Mutant, runs: list[list[str]], seconds: float) -> Tried:
    """Run tests with the fault until one fails or time is up; the runs follow each other in a copy of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(max(1, int(seconds)))
        with contextlib.suppress(Exception):
            os.write(writing, json.dumps([_in_the_copy(mutant, runs, writing)]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        *begun, last = answer.read().split("\n")
    os.waitpid(child, 0)
    if not last:
        return Tried("", max(0, len(begun) - 1), json.loads(begun[-1]) if begun else "no test at all")
    by = str(json.loads(last)[0])
    return Tried(by, len(begun) - bool(by), "")


def _in_the_copy(mutant: Mutant, runs: list[list[str]], telling: int) -> str:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    put_in(mutant)
    for arguments in runs:
        watch = Watch(telling)
        pytest.main(arguments, plugins=[watch])
        if watch.test:
            return watch.test
    return ""


# --- the fault in a living process ----------------------------------------------------------------------------------------------


def put_in(mutant: Mutant) -> None:
    """Let this process go on with the fault, as if it had read it."""
    gc.unfreeze()  # what was put beyond the reach of the collector is among the objects again
    if mutant.kind == "cell":
        _put_in_cell(mutant)
    else:
        _put_in_code(mutant)
    for thing in gc.get_objects():
        if type(thing) is functools._lru_cache_wrapper:  # not isinstance, which asks the thing itself
            thing.cache_clear()


def is_read_only_once(mutant: Mutant) -> bool:
    """Whether a fault stands where Python comes by only while it reads the module: in the body of a class."""
    if mutant.kind == "cell":
        return False
    path, _, name = mutant.where.partition(":")
    source = (mutants.SOURCES / path).read_text("utf-8")
    codes = _codes(compile(source, path, "exec", dont_inherit=True))
    return not any(code.co_qualname.replace(".<locals>", "") == name and code.co_flags & inspect.CO_OPTIMIZED for code in codes)


def _put_in_cell(mutant: Mutant) -> None:
    from rulewright.rules import Book, Ruleset

    found = False
    for thing in gc.get_objects():
        if issubclass(type(thing), Book) and mutant.where in (tables := thing.tables()):
            found, table = True, tables[mutant.where]
            thing._tables = {**tables, mutant.where: msgspec.structs.replace(table, rows=mutants._with_cell(table.rows, mutant.place))}
    for thing in gc.get_objects():
        if issubclass(type(thing), Ruleset):
            thing._rows.clear()
    if not found:
        raise RuntimeError(f"no book that is read has {mutant.where}")


def _put_in_code(mutant: Mutant) -> None:
    file = str(mutants.SOURCES / mutant.where.partition(":")[0])
    whole = compile(mutants._changed(Path(file).read_text("utf-8"), mutant.place), file, "exec", dont_inherit=True)
    changed = {_place(code): code for code in _codes(whole)}
    found = False
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename == file and _place(thing.__code__) in changed:
            thing.__code__, found = changed[_place(thing.__code__)], True
    if not found:
        raise RuntimeError(f"nothing that is read has {mutant.where}")


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno
