"""PDF sheets: one sheet a page, drawn from the pieces of a sheet.

The layout is the typst template `templates/sheet.typ`. This module makes the plain items that it draws. Needs the extra `paper`.
"""

import json
from collections.abc import Iterable, Sequence
from importlib import resources
from itertools import combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

from rulewright.build import sheet_parts
from rulewright.build.sheet_parts import AnyPiece, Section, Sheet
from rulewright.errors import UserError
from rulewright.files import put
from rulewright.show.serialize import words

SCALES = (1.15, 1.08, 1.0, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62)
"""Scales to try, in order, until a sheet fits its page. At the last one it may take a second page."""
MOST_DRAWN_BOXES = 40
MOST_SHEETS = 200
LONG = 3
"""A section with more steppers than this leaves out those at 0."""
THREE_COLUMNS = 150
"""A sheet with more lines than this has three columns instead of two."""

Item = dict[str, Any]


PAGES = {"a4": "a4", "letter": "us-letter"}
"""Paper sizes: our names, and those of typst."""


def save(sheets: Sequence[Sheet], path: str, page: str = "a4") -> None:
    """Write the sheets as one PDF."""
    target = Path(path)
    if target.suffix.lower() != ".pdf":
        raise UserError(f"{path}: give a file name that ends in .pdf")
    if not target.parent.is_dir():
        raise UserError(f"{path}: there is no folder {str(target.parent)!r}")
    if target.is_dir():
        raise UserError(f"{path}: this is a folder")
    put(target, pdf(sheets, page))


def pdf(sheets: Sequence[Sheet], page: str = "a4") -> bytes:
    """The sheets as one PDF, each as large as its page allows."""
    if page not in PAGES:
        raise UserError(f"the paper size is one of {', '.join(PAGES)}, not {page!r:.40}")
    if not 1 <= len(sheets) <= MOST_SHEETS:
        raise UserError(f"a PDF holds from 1 to {MOST_SHEETS} sheets, not {len(sheets)}")
    try:
        import typst
    except ImportError:
        raise UserError("PDF sheets need the extra `paper`: pip install 'rulewright[paper]'") from None
    template = resources.files("rulewright").joinpath("templates/sheet.typ").read_bytes()
    described = [describe(sheet) for sheet in sheets]
    for smaller in SCALES[1:]:
        too_long = _too_long(typst, template, described, page)
        if not too_long:
            break
        for place in too_long:
            described[place]["scale"] = smaller
    return bytes(typst.compile(template, sys_inputs={"sheets": json.dumps(described), "paper": PAGES[page]}))


def _too_long(typst: Any, template: bytes, described: list[Item], page: str = "a4") -> list[int]:
    """The indexes of the sheets that take more than one page."""
    probe = template + (b"\n#context [#metadata(query(<sheet>).map(found => counter(page).at(found.location()).first())) <starts>]")
    inputs = {"sheets": json.dumps(described), "paper": PAGES[page]}
    compiler = typst.Compiler(probe, sys_inputs=inputs)
    starts = json.loads(compiler.query("<starts>", field="value", one=True))
    last = json.loads(compiler.query("<last>", field="value", one=True))
    ends = [*starts[1:], last + 1]
    return [place for place, (start, end) in enumerate(zip(starts, ends, strict=True)) if end - start > 1]


def describe(sheet: Sheet) -> Item:
    """A sheet as the plain items that the template draws."""
    sections: list[Item] = [
        {"title": section.title, "items": items} for section in sheet.sections if section.only != "screen" and (items := _items(section))
    ]
    lines = [_lines(section) for section in sections]
    return {
        "name": sheet.name,
        "subtitle": sheet.subtitle,
        "game": f"{_game(sheet.system)} · {sheet.kind}",
        "columns": _columns(sections, lines, 3 if sum(lines) > THREE_COLUMNS else 2),
        "scale": SCALES[0],
    }


def _lines(section: Item) -> float:
    """Estimate how many lines a section takes."""
    taken = {"row": 1.0, "track": 2.3, "ladder": 1.2, "words": 1.2}
    lines = 2.4
    for item in section["items"]:
        if item["t"] == "table":
            lines += 2.8 + 1.2 * len(item["rows"])
        else:
            lines += taken[item["t"]] + (0.8 if item.get("note") and item["t"] == "row" else 0.0)
    return lines


def _columns(sections: list[Item], lines: list[float], count: int) -> list[list[Item]]:
    """Split the sections into columns, in order, so that the longest column is as short as possible."""
    best: tuple[float, tuple[int, ...]] | None = None
    for cuts in combinations_with_replacement(range(len(sections) + 1), count - 1):
        edges = (0, *cuts, len(sections))
        longest = max(sum(lines[start:end]) for start, end in pairwise(edges))
        if best is None or longest < best[0]:
            best = longest, edges
    assert best is not None
    return [sections[start:end] for start, end in pairwise(best[1])]


def _game(system: str) -> str:
    from rulewright.system import find

    try:
        return find(system).name
    except UserError:
        return system


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
