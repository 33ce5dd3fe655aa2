"""A rule is written once: a registered function is called in play, or says of which function it is a view.

This is checked in the source: for a function with `@rule` whose name is used nowhere else in its game, the docstring has "A view of" what
play calls (in backquotes, which the game must use), or "By id only": the book's answer to a question that no scene, sheet or audit asks.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import rulewright
from conformance.source import parsed

SYSTEMS = Path(rulewright.__file__).parent / "systems"
HELD = ("scumm", "silhouette", "hybrid", "foresight", "ore")
"""Games in which every function is called in play, or says what it is."""
VIEW = re.compile(r"A view of (.*)")
NAME = re.compile(r"`(\w+)`")
BY_ID = re.compile(r"By id only")


@cache
def trees(game):
    return {path: parsed(path) for path in sorted((SYSTEMS / game).rglob("*.py"))}


@cache
def named(game):
    """How often each name is used in a game, apart from definitions and imports."""
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
    """Every function with @rule that does not replace another by a setting."""
    for path, tree in trees(game).items():
        for node in ast.walk(tree):
            marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            if any(is_called(each, "rule") for each in marks) and not any(is_called(each, "instead_of") for each in marks):
                yield path, node


def silent(game):
    """Functions that are never called and do not say why."""
    for path, node in registered(game):
        if named(game)[node.name]:
            continue
        said = " ".join((ast.get_docstring(node) or "").split())
        view = VIEW.search(said)
        gone = view is None or [name for name in NAME.findall(view[1]) if not named(game)[name]]
        if gone and not BY_ID.search(said):
            yield f"{path.relative_to(SYSTEMS)}: {node.name}"


@pytest.mark.slow
@pytest.mark.parametrize("game", HELD)
def test_a_registered_function_is_what_play_calls_or_says_what_it_is(game):
    assert list(silent(game)) == []


@pytest.mark.parametrize("game", HELD)
def test_what_is_there_by_id_only_is_called_by_nobody(game):
    wrong = [node.name for _, node in registered(game) if named(game)[node.name] and BY_ID.search(ast.get_docstring(node) or "")]
    assert wrong == []
