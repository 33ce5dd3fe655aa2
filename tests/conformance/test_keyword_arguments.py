"""No call passes more than five positional arguments (bare booleans are ruff's FBT003)."""

import ast
from pathlib import Path

import pytest

import rulewright
from conformance.source import parsed

SYSTEMS = Path(rulewright.__file__).parent / "systems"
HELD = ("foresight", "hybrid")
"""The games that obey this; a game joins when it does."""
MOST = 5
ANY_NUMBER = {"sub", "total", "limited", "either", "_pick", "partial", "_price", "Stance", "Rise", "chosen"}
"""Functions that take any number of equal things, or pass on their arguments."""


def by_place(path):
    """Calls with too many positional arguments, as line and name."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and len(node.args) > MOST and not any(isinstance(each, ast.Starred) for each in node.args):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in ANY_NUMBER:
                yield f"{path.relative_to(SYSTEMS)}:{node.lineno} {name}"


@pytest.mark.parametrize("game", HELD)
def test_no_call_passes_more_than_five_arguments_by_place(game):
    assert [found for path in sorted((SYSTEMS / game).rglob("*.py")) for found in by_place(path)] == []


DEFINED = ("foresight", "hybrid", "scumm", "silhouette", "ore")
"""The games whose definitions obey this too."""
PASSED_ON = {
    *("_follow", "circumstances", "_course", "strike", "_try_again", "_go_on", "ability_task"),
    *("_climb_on", "_play_days", "_lingering", "_next_year", "_notices", "managed"),
    *("hurt", "fortunate_test", "sweep_test", "_drifts"),
}
"""Functions called by `sub` or with a list of arguments, which are positional."""


def decorators(node):
    return {getattr(getattr(each, "func", each), "id", "") for each in node.decorator_list}


def too_many(tree):
    """Functions of a file with too many positional parameters; rules and cached functions keep their order."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or decorators(node) & {"rule", "instead_of", "cached"}:
            continue
        if len(node.args.posonlyargs + node.args.args) > MOST and node.name not in PASSED_ON:
            yield node.name


@pytest.mark.parametrize("game", DEFINED)
def test_no_function_takes_more_than_five_arguments_by_place(game):
    files = sorted((SYSTEMS / game).rglob("*.py"))
    assert [(path.name, name) for path in files for name in too_many(parsed(path))] == []


def test_a_function_with_six_would_be_found():
    assert list(too_many(ast.parse("def f(a, b, c, d, e, g): ...\n@rule('x')\ndef h(a, b, c, d, e, g): ..."))) == ["f"]
