"""No module imports itself, directly or indirectly, neither at the top nor inside a function."""

import ast
from pathlib import Path

import rulewright
from conformance.source import parsed

ROOT = Path(rulewright.__file__).parent


def files():
    """Every module by its name without `rulewright.`, and its file."""
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def arrows(modules):
    """The modules that each module imports."""
    found = {}
    for name, path in modules.items():
        imported = set()
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulewright"):
                room = node.module.removeprefix("rulewright").removeprefix(".")
                imported |= {inner if (inner := f"{room}.{alias.name}".removeprefix(".")) in modules else room for alias in node.names}
        found[name] = {each for each in imported if each in modules and each != name}
    return found


def reached(graph, start):
    """Everything that a module imports, directly or indirectly."""
    seen, ahead = set(), list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in seen:
            seen.add(name)
            ahead.extend(graph[name])
    return seen


def circles(graph):
    """The groups of modules that import each other."""
    graph = dict(graph)
    while ends := [name for name, imported in graph.items() if graph.keys().isdisjoint(imported)]:
        for name in ends:
            del graph[name]
    graph = {name: imported & graph.keys() for name, imported in graph.items()}
    reach = {name: reached(graph, name) for name in graph}
    return {frozenset(other for other in reach[name] if name in reach[other]) for name in graph if name in reach[name]}


def test_no_file_imports_what_imports_it():
    assert circles(arrows(dict(files()))) == set()


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == {frozenset("abc")}
