"""Records and calls by name: no call passes more than five arguments by their place alone (bare truth values are ruff's FBT003)."""

import ast
from pathlib import Path

import pytest

import rulewright

SYSTEMS = Path(rulewright.__file__).parent / "systems"
HELD = ("foresight", "hybrid")
"""The games that are held to it; a game joins when it is through."""
MOST = 5
ANY_NUMBER = {"sub", "total", "limited", "either", "_pick", "partial", "_price", "Stance", "Rise"}
"""What takes any number of things of one kind, or passes on what it is given."""


def by_place(path):
    """Calls that pass too much by place, as line and name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and len(node.args) > MOST and not any(isinstance(each, ast.Starred) for each in node.args):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in ANY_NUMBER:
                yield f"{path.relative_to(SYSTEMS)}:{node.lineno} {name}"


@pytest.mark.parametrize("game", HELD)
def test_no_call_passes_more_than_five_arguments_by_place(game):
    assert [found for path in sorted((SYSTEMS / game).rglob("*.py")) for found in by_place(path)] == []
