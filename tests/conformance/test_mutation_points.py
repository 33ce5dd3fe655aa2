"""Every place of a rule reports when a fault would make a difference there; see tools/reaching.py."""

import ast
import builtins
import importlib.util
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools"


@pytest.fixture
def reaching(monkeypatch):
    """The tool in isolation, so that its instrumentation does not stay behind."""
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location("reaching_tried", TOOLS / "reaching.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, function in module._functions():
        monkeypatch.setattr(builtins, f"{module.MET}{name}__", function, raising=False)
    yield module
    sys.modules.pop("mutants", None)


SOURCE = """
def price(level, most=9):
    if level < 3:
        return level * 2
    match level:
        case 7:
            return level - most
    return level + 1 if level != most else 0
"""


def met_by(reaching, *levels):
    tree = ast.parse(SOURCE)
    names = {id(node): what for _, _, node, _, what in reaching.mutants._changes(tree)}
    found = {}
    exec(compile(reaching._Telling(names).visit(tree), "price", "exec"), found)
    reaching.met.clear()
    values = [found["price"](level) for level in levels]
    plain = {}
    exec(SOURCE, plain)
    assert values == [plain["price"](level) for level in levels]
    return set(reaching.met)


def test_a_comparison_with_its_limit_is_met_where_both_are_the_same(reaching):
    assert "Lt becomes LtE" not in met_by(reaching, 2, 4)
    assert "Lt becomes LtE" in met_by(reaching, 3)


def test_a_sum_is_met_where_the_other_one_gives_something_else(reaching):
    assert "Mult becomes FloorDiv" not in met_by(reaching, 0)
    assert "Mult becomes FloorDiv" in met_by(reaching, 1)
    assert "Sub becomes Add" in met_by(reaching, 7)
    assert "Add becomes Sub" in met_by(reaching, 5)


def test_numbers_and_what_is_alike_are_met_where_they_run(reaching):
    assert {"2 becomes 3", "3 becomes 4"} <= met_by(reaching, 1)
    assert {"NotEq becomes Eq", "0 becomes 1"} <= met_by(reaching, 9)
    assert "NotEq becomes Eq" not in met_by(reaching, 1)
