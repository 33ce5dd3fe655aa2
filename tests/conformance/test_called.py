"""A rule is written once: a registered function is what play calls, or it says of what it is a view, or that it is asked by its id alone.

Found by reading the source: a function with `@rule` whose name stands nowhere else in its game. Its docstring then says
`A view of NAME` (a function or class of the same game that play does use), or `Asked by its id` where the rule stands
for a question that no scene asks: between scenes, at the builder's desk, or of the gamemaster.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import rulewright

SYSTEMS = Path(rulewright.__file__).parent / "systems"
HELD = ("scumm", "silhouette")
"""Games whose every function is what play calls, or says what it is."""
NOT_YET = {"silhouette": ("battle", "breakage", "detection", "gunnery", "machines", "maneuver", "repairs", "units")}
"""Rooms of such a game that do not say it yet."""
VIEW = re.compile(r"A view of `?([a-z_]\w*)`?", re.IGNORECASE)
BY_ID = re.compile(r"Asked by its id", re.IGNORECASE)


@cache
def trees(game):
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((SYSTEMS / game).rglob("*.py"))}


@cache
def named(game):
    """How often each name is used in a game, its definitions and imports apart."""
    found = Counter()
    for tree in trees(game).values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                found[node.id] += 1
            elif isinstance(node, ast.Attribute):
                found[node.attr] += 1
    return found


def is_called(decorator, name):
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == name


def registered(game):
    """Every function with @rule that does not stand in for another by a setting."""
    for path, tree in trees(game).items():
        if path.relative_to(SYSTEMS / game).parts[0] in NOT_YET.get(game, ()):
            continue
        for node in ast.walk(tree):
            marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            if any(is_called(each, "rule") for each in marks) and not any(is_called(each, "instead_of") for each in marks):
                yield path, node


def silent(game):
    """Functions that nobody calls and that do not say why."""
    for path, node in registered(game):
        if named(game)[node.name]:
            continue
        said = " ".join((ast.get_docstring(node) or "").split())
        view = VIEW.search(said)
        if not BY_ID.search(said) and (view is None or not named(game)[view[1]]):
            yield f"{path.relative_to(SYSTEMS)}: {node.name}"


@pytest.mark.parametrize("game", HELD)
def test_a_registered_function_is_what_play_calls_or_says_what_it_is(game):
    assert list(silent(game)) == []


@pytest.mark.parametrize("game", HELD)
def test_who_says_to_be_asked_by_id_is_called_by_nobody(game):
    wrong = [node.name for _, node in registered(game) if named(game)[node.name] and BY_ID.search(ast.get_docstring(node) or "")]
    assert wrong == []
