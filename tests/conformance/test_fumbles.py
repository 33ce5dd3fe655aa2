"""A fumble is a low roll: what passes is decided in one place, and no rule asks for a fumble without a line of the book beside it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import rulewright

ROOT = Path(rulewright.__file__).parent
GAMES = ("silhouette", "scumm")
FUMBLES = {"fumble", "fumbled"}
NUMBER = re.compile(r"#.*?\b(\d{2,4})\b")


def sources(game: str) -> list[Path]:
    """The source files of a game that hold rules."""
    return [path for path in sorted((ROOT / "systems" / game).rglob("*.py")) if "lab_view" not in path.parts]


def asks(node: ast.AST) -> bool:
    """Whether an expression is a fumble, or a truth value made of one."""
    if isinstance(node, ast.BoolOp):
        return any(map(asks, node.values))
    if isinstance(node, ast.UnaryOp):
        return asks(node.operand)
    return (isinstance(node, ast.Attribute) and node.attr in FUMBLES) or (isinstance(node, ast.Name) and node.id in FUMBLES)


def is_wording(node: ast.AST) -> bool:
    """Whether an expression is a choice between words."""
    return isinstance(node, ast.Constant | ast.JoinedStr | ast.IfExp) and not (isinstance(node, ast.Constant) and node.value is None)


def queries(tree: ast.AST) -> Iterator[int]:
    """The lines of a file that decide something by a fumble; a choice between words decides nothing."""
    for node in ast.walk(tree):
        decides = isinstance(node, ast.If | ast.While) or (isinstance(node, ast.IfExp) and not is_wording(node.body))
        if decides and asks(node.test):
            yield node.test.lineno
        elif isinstance(node, ast.BoolOp) and asks(node):
            yield node.lineno


def lines_of(game: str) -> set[int]:
    """Every line of the book that a rule of the game gives as its source."""
    known: set[int] = set()
    for path in (ROOT / "systems" / game / "data").rglob("index.yaml"):
        for row in yaml.safe_load(path.read_text(encoding="utf-8")):
            for first, last in re.findall(r"(\d+)(?:-(\d+))?", str(row["lines"])):
                known.update(range(int(first), int(last or first) + 1))
    return known


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_asks_for_a_fumble_only_beside_a_line_of_the_book(game: str) -> None:
    known, bare = lines_of(game), []
    for path in sources(game):
        text = path.read_text(encoding="utf-8")
        rows = text.splitlines()
        for line in queries(ast.parse(text)):
            noted = NUMBER.search(rows[line - 1]) or NUMBER.search(rows[line - 2])
            if noted is None or int(noted.group(1)) not in known:
                bare.append(f"{path.relative_to(ROOT)}:{line}: {rows[line - 1].strip()}")
    assert not bare, "no line of the book beside a query for a fumble:\n" + "\n".join(bare)


@pytest.mark.parametrize("game", GAMES)
def test_every_fumble_clause_names_a_line_of_the_book(game: str) -> None:
    known = lines_of(game)
    for path in sources(game):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "succeeds" and len(node.args) > 2:
                line = node.args[2]
                assert not isinstance(line, ast.Constant) or line.value in known, (path.name, node.lineno)
            elif isinstance(node, ast.keyword) and node.arg == "fumble_line" and isinstance(node.value, ast.Constant):
                assert node.value.value in known, (path.name, node.lineno)
