"""Sheets and cards in the terminal, drawn from their pieces and nothing else."""

from collections.abc import Iterable

import click

from rulewright import pieces
from rulewright.cli import text

Row = tuple[str, str, str]
"""A name, what it stands at, and a remark."""

MARK = {"book": "", "ruling": "ruling", "stand-in": "stand-in", "house": "house rule"}


def sheet(drawn: pieces.Sheet) -> list[str]:
    """A whole sheet, section by section."""
    lines = [click.style(drawn.name, bold=True) + (f"   {drawn.subtitle}" if drawn.subtitle else "")]
    for section in drawn.sections:
        if all(_empty(piece) for piece in section.pieces):
            continue
        lines += ["", click.style(section.title, bold=True, underline=True)]
        lines += section_lines(section.pieces)
    return lines


def _empty(piece: pieces.AnyPiece) -> bool:
    return (isinstance(piece, pieces.Rows) and not piece.rows) or (isinstance(piece, pieces.PickMany) and not piece.values)


def section_lines(parts: Iterable[pieces.AnyPiece]) -> list[str]:
    """Pieces below one another, their columns aligned; lists stand as tables of their own."""
    lines: list[str] = []
    rows: list[Row] = []
    for piece in parts:
        if _empty(piece):
            continue
        if isinstance(piece, pieces.Rows):
            lines += text.columns(rows, indent="  ")
            rows = []
            lines += _table(piece)
        else:
            _add(rows, row(piece))
    return lines + text.columns(rows, indent="  ")


def _add(rows: list[Row], new: Row) -> None:
    """A value and the test made with it share a line where they share a name."""
    if rows and rows[-1][0] == new[0] and new[1] and len(rows[-1]) == 3:
        name, before, note = rows[-1]
        rows[-1] = name, f"{before:<4} {new[1]}", note or new[2]
    else:
        rows.append(new)


def _table(piece: pieces.Rows) -> list[str]:
    return [f"  {piece.name}", *text.columns([piece.heads, *piece.rows], indent="    ")]


def row(piece: pieces.AnyPiece) -> Row:
    """A piece in one line."""
    match piece:
        case pieces.Stepper(value=value, signed=signed, price=price):
            return piece.name, _number(value, signed), price
        case pieces.Pick(value=value, options=options):
            return piece.name, next((option.label for option in options if option.key == value), value) or "-", ""
        case pieces.PickMany(values=values, options=options):
            labels = {option.key: option.label for option in options}
            return piece.name, ", ".join(labels.get(value, value) for value in values) or "none", ""
        case pieces.Rows(rows=rows):
            return piece.name, "; ".join(" ".join(filter(None, each)) for each in rows) or "none", ""
        case pieces.Budget(allowed=allowed, spent=spent):
            return piece.name, f"{spent} of {allowed} spent", f"{spent - allowed} over" if spent > allowed else ""
        case pieces.Value(value=value, signed=signed, source=source):
            return piece.name, _number(value, signed), MARK[source]
        case pieces.Test(notation=notation, against=against):
            return piece.name, notation + (f" vs {against}" if against else ""), piece.note
        case pieces.Track(boxes=boxes, marks=marks):
            return piece.name, "".join("■" if place < len(marks) else "□" for place in range(boxes)), _counted(marks)
        case pieces.Ladder(levels=levels, now=now, worst=worst):
            shown = levels[now] if 0 <= now < len(levels) else str(now)
            below = f"was {levels[worst]}" if worst != now and 0 <= worst < len(levels) else ""
            return piece.name, shown, below
        case pieces.Pool(value=value, most=most):
            return piece.name, f"{value} of {most}", ""
        case pieces.Clock(left=left, unit=unit):
            return piece.name, f"{left} {unit} left", ""
        case pieces.Tag(effect=effect):
            return piece.name, effect, piece.note
        case pieces.Timeline(turns=turns):
            return piece.name, " › ".join(f"[{turn.who}]" if turn.now else turn.who for turn in turns), ""
        case pieces.Place(x=x, y=y):
            return piece.name, f"at {x:g}, {y:g}", ""


def _number(value: int | float | str, signed: bool) -> str:
    return f"{value:+g}" if signed and isinstance(value, int | float) else text.value(value)


def _counted(marks: tuple[str, ...]) -> str:
    return ", ".join(f"{marks.count(mark)} {mark}" for mark in dict.fromkeys(marks))
