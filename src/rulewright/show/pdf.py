"""PDF sheets: one sheet a page, drawn from the pieces of a sheet.

The layout is the typst template `templates/sheet.typ`. It draws the items of `show/printed_items.py`. Needs the extra `paper`.
"""

import json
from collections.abc import Sequence
from importlib import resources
from itertools import combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.files import put
from rulewright.show.printed_items import Item, sections

SCALES = (1.15, 1.08, 1.0, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62)
"""Scales to try, in order, until a sheet fits its page. At the last one it may take a second page."""
MOST_SHEETS = 200
THREE_COLUMNS = 150
"""A sheet with more lines than this has three columns instead of two."""

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
    printed = sections(sheet)
    lines = [_lines(section) for section in printed]
    return {
        "name": sheet.name,
        "subtitle": sheet.subtitle,
        "game": f"{_game(sheet.system)} · {sheet.kind}",
        "columns": _columns(printed, lines, 3 if sum(lines) > THREE_COLUMNS else 2),
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
