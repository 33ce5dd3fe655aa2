"""Sheets and cards in the terminal, drawn from their pieces and nothing else."""

from collections.abc import Iterable
from itertools import groupby

import click

from rulewright.build import pieces
from rulewright.cli import text

Row = tuple[str, str, str]
"""A name, what it stands at, and a remark."""

MARK = {"book": "", "ruling": "ruling", "stand-in": "stand-in", "house": "house rule"}


def sheet(drawn: pieces.Sheet) -> list[str]:
    """A whole sheet, section by section."""
    lines = [click.style(drawn.name, bold=True) + (f"   {drawn.subtitle}" if drawn.subtitle else "")]
    for section in drawn.sections:
        if section.only == "paper" or all(_empty(piece) for piece in section.pieces):
            continue
        lines += ["", click.style(section.title, bold=True, underline=True)]
        lines += section_lines(section.pieces)
    return lines


def _empty(piece: pieces.AnyPiece) -> bool:
    return (isinstance(piece, pieces.Rows) and not piece.rows) or (isinstance(piece, pieces.PickMany) and not piece.values)


def section_lines(parts: Iterable[pieces.AnyPiece]) -> list[str]:
    """Pieces below one another, their columns aligned; lists stand as tables of their own."""
    drawn = [piece for piece in pieces.lines(tuple(parts)) if isinstance(piece, pieces.Line) or not _empty(piece)]
    lines: list[str] = []
    for kind, together in groupby(drawn, key=_kind):
        if kind is pieces.Line:
            lines += _joined([line for line in together if isinstance(line, pieces.Line)])
        elif kind is pieces.Rows:
            lines += [line for piece in together if isinstance(piece, pieces.Rows) for line in _table(piece)]
        else:
            lines += text.columns([row(piece) for piece in together if not isinstance(piece, pieces.Line)], indent="  ")
    return lines


def _kind(piece: pieces.AnyPiece | pieces.Line) -> type:
    return type(piece) if isinstance(piece, pieces.Line | pieces.Rows) else pieces.Piece


def _joined(together: list[pieces.Line]) -> list[str]:
    """Lines as a table with a column for whatever any of them has."""
    heads = list(dict.fromkeys(column for line in together for column, _ in line.columns))
    heads.sort(key=lambda head: (head in ("test", "in all"), head != "level"))
    table = [["", *heads]]
    for line in together:
        cells = {column: row(piece)[1] for column, piece in line.columns}
        table.append([line.name, *(cells.get(head, "") for head in heads), line.prices()])
    return text.columns(table, indent="  ")


def _table(piece: pieces.Rows) -> list[str]:
    return [f"  {piece.name}", *text.columns([piece.heads, *piece.rows], indent="    ")]


def row(piece: pieces.AnyPiece) -> Row:
    """A piece in one line."""
    match piece:
        case pieces.Stepper(levels=levels, signed=signed, price=price):
            return piece.name, " → ".join(_number(level, signed) for level in levels), price
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
        case pieces.Arcs(sectors=sectors, unit=unit):
            reach = [f"{each.name} {each.degrees}° to {each.reaches[-1]:g}" for each in sectors if each.reaches]
            return piece.name, "; ".join(reach) or "none", unit
        case pieces.Bands(bands=bands, unit=unit):
            return piece.name, ", ".join(f"{band.name} to {band.upto:g}" for band in bands), unit


def _number(value: int | float | str, signed: bool) -> str:
    return f"{value:+g}" if signed and isinstance(value, int | float) else text.value(value)


def _counted(marks: tuple[str, ...]) -> str:
    return ", ".join(f"{marks.count(mark)} {mark}" for mark in dict.fromkeys(marks))
