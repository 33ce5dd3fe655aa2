"""Sheets and cards as text."""

from collections.abc import Iterable
from itertools import groupby

import click

from rulewright.build import sheet_parts
from rulewright.cli import text

Row = tuple[str, str, str]
"""A name, its value, and a remark."""

MARK = {"book": "", "ruling": "ruling", "stand-in": "stand-in", "house": "house rule"}


def sheet(drawn: sheet_parts.Sheet) -> list[str]:
    """A whole sheet, section by section."""
    lines = [click.style(drawn.name, bold=True) + (f"   {drawn.subtitle}" if drawn.subtitle else "")]
    for section in drawn.sections:
        if section.only == "paper" or all(_empty(piece) for piece in section.pieces):
            continue
        lines += ["", click.style(section.title, bold=True, underline=True)]
        lines += section_lines(section.pieces)
    return lines


def _empty(piece: sheet_parts.AnyPiece) -> bool:
    return (isinstance(piece, sheet_parts.Rows) and not piece.rows) or (isinstance(piece, sheet_parts.PickMany) and not piece.values)


def section_lines(parts: Iterable[sheet_parts.AnyPiece]) -> list[str]:
    """Pieces as aligned lines; lists become tables."""
    drawn = [piece for piece in sheet_parts.lines(tuple(parts)) if isinstance(piece, sheet_parts.Line) or not _empty(piece)]
    lines: list[str] = []
    for kind, together in groupby(drawn, key=_kind):
        if kind is sheet_parts.Line:
            lines += _joined([line for line in together if isinstance(line, sheet_parts.Line)])
        elif kind is sheet_parts.Rows:
            lines += [line for piece in together if isinstance(piece, sheet_parts.Rows) for line in _table(piece)]
        else:
            lines += text.columns([row(piece) for piece in together if not isinstance(piece, sheet_parts.Line)], indent="  ")
    return lines


def _kind(piece: sheet_parts.AnyPiece | sheet_parts.Line) -> type:
    return type(piece) if isinstance(piece, sheet_parts.Line | sheet_parts.Rows) else sheet_parts.Piece


def _joined(together: list[sheet_parts.Line]) -> list[str]:
    """Lines as a table with all their columns."""
    heads = list(dict.fromkeys(column for line in together for column, _ in line.columns))
    heads.sort(key=lambda head: (head in ("test", "in all"), head != "level"))
    table = [["", *heads]]
    for line in together:
        cells = {column: row(piece)[1] for column, piece in line.columns}
        table.append([line.name, *(cells.get(head, "") for head in heads), line.prices()])
    return text.columns(table, indent="  ")


def _table(piece: sheet_parts.Rows) -> list[str]:
    return [f"  {piece.name}", *text.columns([piece.heads, *piece.rows], indent="    ")]


def row(piece: sheet_parts.AnyPiece) -> Row:
    """A piece in one line."""
    match piece:
        case sheet_parts.Stepper(levels=levels, signed=signed, price=price):
            return piece.name, " → ".join(_number(level, signed) for level in levels), price
        case sheet_parts.Pick(value=value, options=options):
            return piece.name, next((option.label for option in options if option.key == value), value) or "-", ""
        case sheet_parts.PickMany(values=values, options=options):
            labels = {option.key: option.label for option in options}
            return piece.name, ", ".join(labels.get(value, value) for value in values) or "none", ""
        case sheet_parts.Rows(rows=rows):
            return piece.name, "; ".join(" ".join(filter(None, names)) for names in rows) or "none", ""
        case sheet_parts.Budget(allowed=allowed, spent=spent):
            return piece.name, f"{spent} of {allowed} spent", f"{spent - allowed} over" if spent > allowed else ""
        case sheet_parts.Value(value=value, signed=signed, source=source):
            return piece.name, _number(value, signed), MARK[source]
        case sheet_parts.Test(notation=notation, against=against):
            return piece.name, notation + (f" vs {against}" if against else ""), piece.note
        case sheet_parts.Track(boxes=boxes, marks=marks):
            return piece.name, "".join("■" if place < len(marks) else "□" for place in range(boxes)), _counted(marks)
        case sheet_parts.Ladder(levels=levels, now=now, worst=worst):
            shown = levels[now] if 0 <= now < len(levels) else str(now)
            below = f"was {levels[worst]}" if worst != now and 0 <= worst < len(levels) else ""
            return piece.name, shown, below
        case sheet_parts.Pool(value=value, most=most):
            return piece.name, f"{value} of {most}", ""
        case sheet_parts.Clock(left=left, unit=unit):
            return piece.name, f"{left} {unit} left", ""
        case sheet_parts.Tag(effect=effect):
            return piece.name, effect, piece.note
        case sheet_parts.Timeline(turns=turns):
            return piece.name, " › ".join(f"[{turn.who}]" if turn.now else turn.who for turn in turns), ""
        case sheet_parts.Place(x=x, y=y):
            return piece.name, f"at {x:g}, {y:g}", ""
        case sheet_parts.Arcs(sectors=sectors, unit=unit):
            reach = [f"{sector.name} {sector.degrees}° to {sector.reaches[-1]:g}" for sector in sectors if sector.reaches]
            return piece.name, "; ".join(reach) or "none", unit
        case sheet_parts.Bands(bands=bands, unit=unit):
            return piece.name, piece.note or ", ".join(f"{band.name} to {band.upto:g}" for band in bands), unit


def _number(value: int | float | str, signed: bool) -> str:
    return f"{value:+g}" if signed and isinstance(value, int | float) else text.value(value)


def _counted(marks: tuple[str, ...]) -> str:
    return ", ".join(f"{marks.count(mark)} {mark}" for mark in dict.fromkeys(marks))
