"""A rule is written once: what is registered under an id is what play calls, or says of which function it is a view.

A function that only `rulewright rule ID` and the pages call has a docstring with "A view of" or "By id only" in it: the first names what
play calls in its place, the second says that it is the book's answer to a question that no scene, sheet or audit asks.
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

import rulewright

SYSTEMS = Path(rulewright.__file__).parent / "systems"
HELD = ("hybrid", "foresight")
"""The games that are held to it; a game joins when it is through."""
SAYS_SO = ("A view of", "By id only")


def registered(tree):
    """The functions of a module that stand under a rule's id."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names = [ast.unparse(each.func) for each in node.decorator_list if isinstance(each, ast.Call)]
            if "rule" in names and "instead_of" not in names:
                yield node


def uncalled(game):
    """Registered functions that nothing in the game names, as file, line and name; those that say so are left out."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((SYSTEMS / game).rglob("*.py"))}
    named = Counter()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name | ast.Attribute):
                named[node.id if isinstance(node, ast.Name) else node.attr] += 1
    for path, tree in trees.items():
        for node in registered(tree):
            says = ast.get_docstring(node) or ""
            if not named[node.name] and not any(each in says for each in SAYS_SO):
                yield f"{path.relative_to(SYSTEMS)}:{node.lineno} {node.name}"


@pytest.mark.parametrize("game", HELD)
def test_a_registered_function_is_called_or_says_what_it_is(game):
    assert list(uncalled(game)) == []
