"""Mutants of rules, for mutation testing: what can be changed, and the change itself.

A mutant is one small fault: a number plus one, a comparison with or without its limit, a sum turned into a difference, a table cell plus
one. No file is written: the change happens while Python imports the module (code) or while the book reads its tables (cells).
`RULEWRIGHT_MUTANT` names it; the pytest plugin in noting.py calls `apply`.
"""

import ast
import builtins
import copy
import importlib.machinery
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

SOURCES = Path(__file__).resolve().parent.parent / "src"
GAMES = SOURCES / "rulewright" / "systems"
VARIABLE = "RULEWRIGHT_MUTANT"
TOLD = "__ran__"
"""The builtin that instrumented functions call with their name."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
SUMS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}
NOT_RULES = (
    "lab_view",
    "tactics",
    "sheet",
    "sheet_values",
    "record_sheet",
    "feat_sheet",
    "mook_sheet",
    "power_sheet",
    "combat_sheet",
    "log_phrases",
    "glossary",
)
"""Packages and modules without figures of the book: simulation, tactics, layout."""
ONLY_TOLD = ("headline", "tone", "words", "label", "question", "__str__", "__repr__", "_savings")
"""Functions without rules of the book: texts, colours, and the order of an audit's repairs."""
PLAYED = re.compile(r"^[^A-Za-z ]*\d*d\d+[^A-Za-z ]*$|^\d[\d/+x*-]*$")
"""A text cell that is a figure: dice, a range, a fraction."""


class Mutant(NamedTuple):
    """One fault: at the n-th place of a file's code, or at the n-th figure of a table."""

    kind: str
    """`number`, `comparison`, `sum` or `cell`."""
    where: str
    """`path:function`, with the path below src; or the rule id of a table."""
    place: int
    what: str
    """A description for the report."""

    def named(self) -> str:
        """The mutant in the format of `RULEWRIGHT_MUTANT`."""
        return json.dumps([self.kind, self.where, self.place, self.what])


# --- code -----------------------------------------------------------------------------------------------------------------------


def in_code(package: str) -> Iterator[Mutant]:
    """Every mutant in the rule modules of a game."""
    for file in sorted((SOURCES / package.replace(".", "/")).rglob("*.py")):
        if holds_rules(file):
            path = str(file.relative_to(SOURCES))
            for kind, function, place, what in _places(ast.parse(file.read_text("utf-8"))):
                yield Mutant(kind, f"{path}:{function}", place, what)


def holds_rules(file: Path) -> bool:
    """Whether a module contains rules of the book."""
    return not any(part in NOT_RULES for part in (*file.parts, file.stem)) and "@rule(" in file.read_text("utf-8")


def tell_of_calls(ran: set[str]) -> None:
    """Instrument all game functions imported from now on: each adds its name to the set when it runs."""
    setattr(builtins, TOLD, ran.add)
    usual = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: Any, fullname: str) -> Any:
        file = Path(loader.path)
        if not file.is_relative_to(GAMES):
            return usual(loader, fullname)
        tree = ast.parse(file.read_text("utf-8"))
        _tell(tree, f"{file.relative_to(SOURCES)}:")
        return compile(ast.fix_missing_locations(tree), loader.path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _tell(node: ast.AST, name: str) -> None:
    """Insert into every function below a node a call that reports its name."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.ClassDef):
            _tell(child, name)
            continue
        inside = f"{name}{child.name}"
        _tell(child, f"{inside}.")
        if isinstance(child, ast.FunctionDef):
            report = ast.parse(f"{TOLD}({inside!r})").body[0]
            after = child.body[0]
            for part in ast.walk(report):
                ast.copy_location(part, after)
            child.body.insert(1 if ast.get_docstring(child) is not None else 0, report)


def _places(tree: ast.Module) -> Iterator[tuple[str, str, int, str]]:
    """Every place in a module's functions that can be changed: kind, function, number in the module, description."""
    for place, (kind, function, node, _, what) in enumerate(_changes(tree)):
        yield kind, function, place, f"line {node.lineno}: {what}"


def _changes(tree: ast.Module) -> list[tuple[str, str, Any, Any, str]]:
    changes: list[tuple[str, str, Any, Any, str]] = []

    def look(node: ast.AST, function: str) -> None:
        for child in _bodies(node):
            inside = function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inside = f"{function}.{child.name}" if function else child.name
            elif function:
                changes.extend(_of_node(child, function))
            look(child, inside)

    look(tree, "")
    return changes


def _bodies(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below a node that belong to a rule: no annotations, decorators, docstrings or texts.

    Defaults of parameters and fields are left out too: play always passes values, and a call by id shows the defaults.
    """
    if isinstance(node, ast.Raise) or (isinstance(node, ast.FunctionDef) and node.name in ONLY_TOLD):
        return
    if isinstance(node, ast.FunctionDef):
        yield from node.body
    elif isinstance(node, ast.ClassDef):
        yield from (part for part in node.body if not isinstance(part, ast.AnnAssign))
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield node.value
    else:
        yield from ast.iter_child_nodes(node)


def _of_node(node: ast.AST, function: str) -> Iterator[tuple[str, str, Any, Any, str]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        yield "number", function, node, ("value", node.value + 1), f"{node.value} becomes {node.value + 1}"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        other = COMPARISONS[type(node.ops[0])]
        yield "comparison", function, node, ("ops", [other()]), f"{type(node.ops[0]).__name__} becomes {other.__name__}"
    elif isinstance(node, ast.BinOp) and type(node.op) in SUMS and not _of_words(node):
        other_sum = SUMS[type(node.op)]
        yield "sum", function, node, ("op", other_sum()), f"{type(node.op).__name__} becomes {other_sum.__name__}"


def _of_words(node: ast.BinOp) -> bool:
    """Whether an operation joins strings or lists instead of numbers."""
    kinds = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
    return any(
        isinstance(side, kinds) or (isinstance(side, ast.Constant) and isinstance(side.value, str)) for side in (node.left, node.right)
    )


def _changed(source: str, place: int) -> ast.Module:
    tree = ast.parse(source)
    _, _, node, (field, value), _ = _changes(tree)[place]
    setattr(node, field, value)
    return ast.fix_missing_locations(tree)


# --- tables ---------------------------------------------------------------------------------------------------------------------


def in_tables(tables: dict[str, Any]) -> Iterator[Mutant]:
    """Every figure of every table of a game."""
    for rule_id, table in tables.items():
        for place, (path, value, other) in enumerate(_figures(table.rows)):
            yield Mutant("cell", rule_id, place, f"row {'.'.join(map(str, path))}: {value!r} becomes {other!r}")


def _figures(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """The figures below a value: path, value, mutated value."""
    if isinstance(value, bool):
        yield path, value, not value
    elif isinstance(value, int | float):
        yield path, value, value + 1
    elif isinstance(value, str) and PLAYED.match(value):
        yield path, value, re.sub(r"\d+", lambda digits: str(int(digits[0]) + 1), value, count=1)
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _figures(item, (*path, key))


def _with_cell(rows: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    rows = copy.deepcopy(rows)
    path, _, other = list(_figures(rows))[place]
    inner: Any = rows
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return rows


# --- the change -----------------------------------------------------------------------------------------------------------------


def apply(named: str) -> None:
    """Apply a mutant to this process."""
    mutant = Mutant(*json.loads(named))
    if mutant.kind == "cell":
        _apply_cell(mutant)
    else:
        _apply_code(mutant)


def _apply_code(mutant: Mutant) -> None:
    file = str(SOURCES / mutant.where.partition(":")[0])
    usual = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: Any, fullname: str) -> Any:
        if loader.path != file:
            return usual(loader, fullname)
        return compile(_changed(Path(file).read_text("utf-8"), mutant.place), file, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _apply_cell(mutant: Mutant) -> None:
    from rulewright.rules import Book

    usual = Book._with_tables_of

    def with_tables_of(book: Book, files: list[Any]) -> Any:
        tables = usual(book, files)
        table = tables.get(mutant.where)
        if table is not None and mutant.where not in (book._tables or {}):
            tables[mutant.where] = msgspec.structs.replace(table, rows=_with_cell(table.rows, mutant.place))
        return tables

    Book._with_tables_of = with_tables_of  # type: ignore[method-assign]
