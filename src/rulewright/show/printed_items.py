"""The plain items of a printed sheet: rows, tables, tracks, ladders and words, from which PDF and Markdown are made."""

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.build import sheet_parts
from rulewright.build.sheet_parts import AnyPiece, Section, Sheet
from rulewright.show.serialize import words

MOST_DRAWN_BOXES = 40
LONG = 3
"""A section with more steppers than this leaves out those at 0."""

Item = dict[str, Any]


def sections(sheet: Sheet) -> list[Item]:
    """The sections of a sheet that are printed, each with its title and its items."""
    return [
        {"title": section.title, "items": items} for section in sheet.sections if section.only != "screen" and (items := _items(section))
    ]


def _items(section: Section) -> list[Item]:
    drawn = [
        piece
        for piece in section.pieces
        if not isinstance(piece, sheet_parts.Budget | sheet_parts.Timeline | sheet_parts.Place | sheet_parts.Arcs)
    ]
    return _joined(
        item for piece in sheet_parts.lines(_had(drawn)) if (item := _line(piece) if isinstance(piece, sheet_parts.Line) else _item(piece))
    )


def _line(line: sheet_parts.Line) -> Item:
    """One row: the numbers, and the test or sum at its end."""
    *numbers, closing = [_item(piece) for _, piece in line.columns]
    joined = _row(line.name, " / ".join(number["value"] for number in numbers), closing["note"])
    joined["extra"] = closing["value"]
    return joined


def _had(drawn: Sequence[AnyPiece]) -> Sequence[AnyPiece]:
    """Leave out steppers at 0 from a long list; signed ones (attributes) are always shown."""
    steppers = [piece for piece in drawn if isinstance(piece, sheet_parts.Stepper) and not piece.signed]
    none = {piece.name for piece in steppers if piece.levels[-1] == 0} if len(steppers) > LONG else set()
    return [
        piece
        for piece in drawn
        if not (isinstance(piece, sheet_parts.Stepper | sheet_parts.Test | sheet_parts.Value) and piece.name in none)
    ]


def _joined(items: Iterable[Item]) -> list[Item]:
    """Merge a value and the test of the same name into one line."""
    result: list[Item] = []
    for item in items:
        before = result[-1] if result else None
        if before is not None and before["t"] == item["t"] == "row" and before["name"] == item["name"] and not before["extra"]:
            before["extra"] = item["value"]
        else:
            result.append(item)
    for item in result:
        if item["t"] == "row" and item["extra"] and item["value"] == "0":
            item["value"] = ""
            item["value"], item["extra"] = item["extra"], ""
    return result


def _row(name: str, value: str, note: str = "") -> Item:
    return {"t": "row", "name": name, "value": value, "extra": "", "note": note}


def _item(piece: AnyPiece) -> Item:
    """A piece as an item of the template; empty if it is not printed."""
    match piece:
        case sheet_parts.Stepper(levels=levels, signed=signed):
            return _row(piece.name, f"{levels[-1]:+d}" if signed else str(levels[-1]))
        case sheet_parts.Value(value=value, signed=signed, source=source):
            shown = f"{value:+g}" if signed and isinstance(value, int | float) else words(value)
            return _row(piece.name, shown, "" if source == "book" else source)
        case sheet_parts.Test(notation=notation, note=note):
            return _row(piece.name, notation, note)
        case sheet_parts.Pick(value=value, options=options):
            label = next((option.label for option in options if option.key == value), value)
            return _row(piece.name, label) if label else {}
        case sheet_parts.PickMany(values=values, options=options):
            labels = {option.key: option.label for option in options}
            return {"t": "words", "name": piece.name, "value": ", ".join(labels.get(value, value) for value in values)} if values else {}
        case sheet_parts.Rows(heads=heads, rows=rows):
            return {"t": "table", "name": piece.name, "heads": list(heads), "rows": [list(row) for row in rows]} if rows else {}
        case sheet_parts.Track(boxes=boxes, marks=marks) if boxes <= MOST_DRAWN_BOXES:
            kinds = ", ".join(f"{marks.count(mark)} {mark}" for mark in dict.fromkeys(marks))
            return {"t": "track", "name": piece.name, "boxes": boxes, "filled": len(marks), "note": kinds}
        case sheet_parts.Track(boxes=boxes, marks=marks):
            return _row(piece.name, f"{len(marks)} of {boxes}")
        case sheet_parts.Pool(value=value, most=most) if 0 < most <= MOST_DRAWN_BOXES:
            return {"t": "track", "name": piece.name, "boxes": most, "filled": max(0, most - value), "note": f"{value} of {most}"}
        case sheet_parts.Pool(value=value, most=most):
            return _row(piece.name, f"{value} of {most}")
        case sheet_parts.Ladder(levels=levels, now=now):
            return {"t": "ladder", "name": piece.name, "levels": list(levels), "now": now}
        case sheet_parts.Clock(left=left, unit=unit):
            return _row(piece.name, f"{left} {unit}")
        case sheet_parts.Bands(bands=bands, unit=unit):
            shown = piece.note or " · ".join(f"{band.name} {band.upto:g}" for band in bands)
            return {"t": "words", "name": piece.name, "value": f"{shown} {unit}".strip()}
        case sheet_parts.Tag(effect=effect):
            return {"t": "words", "name": piece.name, "value": effect}
        case _:
            return {}
