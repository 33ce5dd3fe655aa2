"""Tries a mutant in a fork of a process that has already loaded everything, which takes tenths of a second.

The tests of a game are collected once. For every trial the process forks, and the fork changes the loaded functions or tables, clears
every cache, and runs a few tests by name. Values computed at import time do not change; mutate.py tries such mutants in a new process.
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
    """The result of running tests with a mutant."""

    by: str
    """The test that failed, or an empty string."""
    passed: int
    """How many tests passed before it."""
    running: str
    """The test during which the trial was stopped; empty if all tests ran."""


class Watch:
    """Pytest plugin: reports the start of each test to a pipe, and stores the first failure."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self.test = ""

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        os.write(self.pipe, f"{json.dumps(nodeid)}\n".encode())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid


def collect(arguments: list[str]) -> None:
    """Collect the named tests and import everything they need."""
    sys.path.insert(0, "")  # as `python -m pytest` has it
    with contextlib.redirect_stdout(io.StringIO()) as output:
        code = pytest.main([*arguments, "--collect-only"])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"Cannot collect the tests: {output.getvalue()[-500:]}")


def run(mutant: Mutant, runs: list[list[str]], seconds: float) -> Tried:
    """Run tests with the mutant in a fork of this process, until one fails or time is up."""
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


def _in_the_copy(mutant: Mutant, runs: list[list[str]], pipe: int) -> str:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    put_in(mutant)
    for arguments in runs:
        watch = Watch(pipe)
        pytest.main(arguments, plugins=[watch])
        if watch.test:
            return watch.test
    return ""


# --- the mutant in a running process ----------------------------------------------------------------------------------------------


def put_in(mutant: Mutant) -> None:
    """Apply the mutant to this running process."""
    gc.unfreeze()  # so that frozen objects are found again
    if mutant.kind == "cell":
        _put_in_cell(mutant)
    else:
        _put_in_code(mutant)
    for candidate in gc.get_objects():
        if type(candidate) is functools._lru_cache_wrapper:  # isinstance would call the object's own code
            candidate.cache_clear()


def is_read_only_once(mutant: Mutant) -> bool:
    """Whether the mutated code runs only at import time: in the body of a class."""
    if mutant.kind == "cell":
        return False
    path, _, name = mutant.where.partition(":")
    source = (mutants.SOURCES / path).read_text("utf-8")
    codes = _codes(compile(source, path, "exec", dont_inherit=True))
    return not any(code.co_qualname.replace(".<locals>", "") == name and code.co_flags & inspect.CO_OPTIMIZED for code in codes)


def _put_in_cell(mutant: Mutant) -> None:
    from rulewright.rules import Book, Ruleset

    applied = False
    for candidate in gc.get_objects():
        if issubclass(type(candidate), Book) and mutant.where in (tables := candidate.tables()):
            applied, table = True, tables[mutant.where]
            candidate._tables = {**tables, mutant.where: msgspec.structs.replace(table, rows=mutants._with_cell(table.rows, mutant.place))}
    for candidate in gc.get_objects():
        if issubclass(type(candidate), Ruleset):
            candidate._rows.clear()
    if not applied:
        raise RuntimeError(f"no book that is read has {mutant.where}")


def _put_in_code(mutant: Mutant) -> None:
    file = str(mutants.SOURCES / mutant.where.partition(":")[0])
    whole = compile(mutants._changed(Path(file).read_text("utf-8"), mutant.place), file, "exec", dont_inherit=True)
    changed = {_place(code): code for code in _codes(whole)}
    applied = False
    for candidate in gc.get_objects():
        if type(candidate) is FunctionType and candidate.__code__.co_filename == file and _place(candidate.__code__) in changed:
            candidate.__code__, applied = changed[_place(candidate.__code__)], True
    if not applied:
        raise RuntimeError(f"no loaded function is {mutant.where}")


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno
