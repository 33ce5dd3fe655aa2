"""Every table of a game's data equals a second entry of its figures, cell by cell.

The second entry is in tests/GAME/printed/ROOM.txt, a block for each rule with the lines of the book it was read from:

    rule-id (lines 12-20)
      = | column | column
      row | figure | figure

or, for rows that have little in common, `row | column figure | column figure`; a row of words alone is its name alone. A figure is a
number, yes or no, dice, a span or a fraction; a numeric row name is one, too. These files are written by hand: to change a figure in
the data, look it up in the book and change it there as well.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.system import find

TESTS = Path(__file__).parent.parent
GAMES = sorted(folder.parent.name for folder in TESTS.glob("*/printed"))
Cells = dict[tuple[str, str], str]
NAME = ""
"""The column with the name of the row."""
IN_LETTERS = re.compile(r"^[^A-Za-z ]*\d*d\d+[^A-Za-z ]*$|^\d[\d/+x*-]*$")
"""A figure stored as text: dice, a span, a fraction."""


def read_second(text: str) -> dict[str, Cells]:
    """The figures of one file, by rule, then by row and column."""
    found: dict[str, Cells] = {}
    for block in text.strip().split("\n\n"):
        heading, *lines = block.splitlines()
        columns: list[str] = []
        cells = found.setdefault(heading.split(" ")[0], {})
        for line in lines:
            row, *figures = (part.strip() for part in line.split(" | "))
            if row == "=":
                columns = figures
                continue
            cells[row, NAME] = row
            named = zip(columns, figures, strict=True) if columns else (figure.rsplit(" ", 1) for figure in figures)
            cells.update({(row, column): figure for column, figure in named if figure != "-"})
    return found


def second(game: str) -> dict[str, Cells]:
    """The second entry of a whole game."""
    found: dict[str, Cells] = {}
    for file in sorted((TESTS / game / "printed").glob("*.txt")):
        for rule_id, cells in read_second(file.read_text("utf-8")).items():
            assert rule_id not in found, f"{rule_id} stands twice"
            found[rule_id] = cells
    return found


def figures(value: Any, path: str = "", *, words: bool) -> dict[str, str]:
    """The figures of a row of the data, by column; optionally its words too."""
    if isinstance(value, dict | list):
        found: dict[str, str] = {}
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            found.update(figures(item, f"{path}.{key}" if path else str(key), words=words))
        return found
    if isinstance(value, bool):
        return {path: "yes" if value else "no"}
    if isinstance(value, int | float):
        return {path: repr(value)}
    return {path: value} if isinstance(value, str) and (words or IN_LETTERS.match(value)) else {}


def first(game: str, *, words: bool) -> dict[str, Cells]:
    """Every figure of the game's data, by rule, then by row and column."""
    return {
        rule_id: {
            (str(row[table.key]), NAME if column == table.key else column): cell
            for row in table.rows
            for column, cell in figures(row, words=words).items()
        }
        for rule_id, table in find(game).book.tables().items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_is_what_was_read_from_the_book_a_second_time(game: str) -> None:
    data = first(game, words=True)
    wrong = [
        f"{rule_id}, {row}, {column}: {cell!r} in the second entry, {data.get(rule_id, {}).get((row, column), 'nothing')!r} in the data"
        for rule_id, cells in second(game).items()
        for (row, column), cell in cells.items()
        if data.get(rule_id, {}).get((row, column)) != cell
    ]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("game", GAMES)
def test_no_figure_of_the_data_was_left_out_of_the_second_entry(game: str) -> None:
    entered = second(game)
    left_out = [
        f"{rule_id}, {row}, {column}: {cell}"
        for rule_id, cells in first(game, words=False).items()
        for (row, column), cell in cells.items()
        if (row, column) not in entered.get(rule_id, {})
    ]
    assert not left_out, "\n".join(left_out[:20])


def test_a_wrong_figure_in_either_entry_is_told() -> None:
    cells = read_second("a-rule (lines 1-2)\n  = | dice | open\n  low | 3 | yes\n  high | - | no\n\nb-rule\n  odd | wide 2 | of two 0.5")
    assert cells["a-rule"] == {
        ("low", NAME): "low",
        ("low", "dice"): "3",
        ("low", "open"): "yes",
        ("high", NAME): "high",
        ("high", "open"): "no",
    }
    assert cells["b-rule"] == {("odd", NAME): "odd", ("odd", "wide"): "2", ("odd", "of two"): "0.5"}
