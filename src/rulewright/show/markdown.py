"""Markdown: sheets as pages, and the parts of which other pages are made: escaped text, tables, links between pages.

The pages follow CommonMark with the tables of GitHub's Markdown. They open in Obsidian, too.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from rulewright.build.sheet_parts import Sheet
from rulewright.show.printed_items import Item, sections

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#$^=])")
_BLOCK = re.compile(r"^(\s*)([-+]|\d{1,9}[.)])(?=\s|$)", re.MULTILINE)
_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
MOST_NAME = 80


def escape(text: str) -> str:
    """The text so that Markdown shows it as it is.

    >>> escape("5 * 3 > [x]")
    '5 \\\\* 3 \\\\> \\\\[x\\\\]'
    """
    return _BLOCK.sub(lambda match: f"{match[1]}{match[2][:-1]}\\{match[2][-1]}", _SPECIAL.sub(r"\\\1", text))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table. Line breaks in cells become spaces.

    >>> print(table(("skill", "level"), [("Stealth", "2")]))
    | skill | level |
    | --- | --- |
    | Stealth | 2 |
    """
    lines = [heads, ["---"] * len(heads)]
    cells = [[escape(" ".join(cell.split())) for cell in row] for row in rows]
    head = [escape(" ".join(cell.split())) for cell in lines[0]]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, lines[1], *cells))


def page_name(name: str, taken: set[str]) -> str:
    """A file name without ending for a page, allowed on every system and in Obsidian, and different from all `taken`; adds it to these.

    >>> page_name("Ana: the quay?", set())
    'Ana the quay'
    """
    plain = " ".join(_FORBIDDEN.sub(" ", name).split()).strip(". ")[:MOST_NAME].strip(". ") or "Nameless"
    if _RESERVED.fullmatch(plain):
        plain = f"{plain} (page)"
    free, number = plain, 2
    while free.casefold() in taken:
        free, number = f"{plain} {number}", number + 1
    taken.add(free.casefold())
    return free


def link(page: str, text: str = "", folder: str = "") -> str:
    """A link to another page of the same folder of pages, by its file name without ending."""
    path = f"{folder}/{page}.md" if folder else f"{page}.md"
    return f"[{escape(text or page)}](<{path}>)"


def sheet_page(sheet: Sheet, game: str = "") -> str:
    """A sheet as one page: its name, its sections with their values as tables, and tracks with boxes."""
    subtitle = " · ".join(part for part in (sheet.subtitle, game, sheet.kind) if part)
    parts = [f"# {escape(sheet.name)}", f"*{escape(subtitle)}*"]
    for section in sections(sheet):
        parts.append(f"## {escape(section['title'])}")
        parts += _blocks(section["items"])
    return "\n\n".join(parts) + "\n"


def _blocks(items: Sequence[Item]) -> list[str]:
    """The items of a section; rows that follow each other become one table."""
    blocks: list[str] = []
    for kind, group in groupby(items, key=lambda item: item["t"]):
        run = list(group)
        blocks += [_rows(run)] if kind == "row" else [_block(item) for item in run]
    return blocks


def _rows(rows: Sequence[Item]) -> str:
    wanted = ["name", "value", *(column for column in ("extra", "note") if any(row[column] for row in rows))]
    heads = {"name": "Name", "value": "Value", "extra": "Roll", "note": "Note"}
    return table([heads[column] for column in wanted], [[row[column] for column in wanted] for row in rows])


def _block(item: Item) -> str:
    match item["t"]:
        case "table":
            return f"**{escape(item['name'])}**\n\n{table(item['heads'], item['rows'])}"
        case "track":
            boxes = "☒" * item["filled"] + "☐" * (item["boxes"] - item["filled"])
            note = f" ({escape(item['note'])})" if item["note"] else ""
            return f"**{escape(item['name'])}:** {boxes}{note}"
        case "ladder":
            levels = [f"**{escape(level)}**" if place == item["now"] else escape(level) for place, level in enumerate(item["levels"])]
            return f"**{escape(item['name'])}:** {' · '.join(levels)}"
        case _:
            return f"**{escape(item['name'])}:** {escape(item['value'])}" if item["value"] else f"**{escape(item['name'])}**"
