"""Files, functions and lists of parameters stay short. What is still too long is listed in limits.yaml; the list may only shrink."""

import ast
from pathlib import Path

import pytest

import rulewright
from conformance.source import parsed
from rulewright.files import read_data

ROOT = Path(rulewright.__file__).parent
LISTED = read_data(Path(__file__).with_name("limits.yaml"))
LINES_OF_A_FILE = 500
LINES_OF_A_FUNCTION = 60
PARAMETERS = 8
WRITTEN_BY_PEOPLE = {"rule", "command", "njit", "overload"}
"""Decorators of functions whose parameters are what people write by name (rules, commands), or the arrays of compiled code."""


def called(decorator):
    """The name of a decorator, with or without arguments."""
    function = getattr(decorator, "func", decorator)
    return getattr(function, "attr", getattr(function, "id", ""))


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def lines(function):
    """The lines of a function, without its decorators."""
    return function.end_lineno - function.lineno + 1


def parameters(function):
    """How many parameters a function takes; none are counted where people write them."""
    if {called(decorator) for decorator in function.decorator_list} & WRITTEN_BY_PEOPLE:
        return 0
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def too_long():
    """Files, functions and lists of parameters beyond the limits, as limits.yaml names them."""
    beyond = {"files": set(), "functions": set(), "parameters": set()}
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if len(path.read_text("utf-8").splitlines()) > LINES_OF_A_FILE:
            beyond["files"].add(name)
        for function in functions(parsed(path)):
            if lines(function) > LINES_OF_A_FUNCTION:
                beyond["functions"].add(f"{name} {function.name}")
            if parameters(function) > PARAMETERS:
                beyond["parameters"].add(f"{name} {function.name}")
    return beyond


@pytest.fixture(scope="module")
def beyond():
    return too_long()


@pytest.mark.parametrize("limit", ["files", "functions", "parameters"])
def test_nothing_new_is_too_long(beyond, limit):
    assert sorted(beyond[limit] - set(LISTED[limit])) == []


@pytest.mark.parametrize("limit", ["files", "functions", "parameters"])
def test_what_has_become_short_is_taken_off_the_list(beyond, limit):
    assert sorted(set(LISTED[limit]) - beyond[limit]) == []


def test_what_is_too_long_would_be_found():
    taken = "a, b, c, d, e, f, g, h"
    source = f"@rule('x')\ndef rolled({taken}, i):\n    pass\n\ndef plain(self, {taken}, *, i):\n" + "    a\n" * 60
    rolled, plain = functions(ast.parse(source))
    assert (parameters(rolled), parameters(plain)) == (0, 9)
    assert (lines(rolled), lines(plain)) == (2, 61)
