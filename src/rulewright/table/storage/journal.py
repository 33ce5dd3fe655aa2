"""A table as a folder of Markdown pages in one zip file, which opens in Obsidian: home, characters, scenes, notes, journal, pictures.

It holds what one member may see and nothing else, because everything in it comes from that member's views.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.show.markdown import escape, link, page_name, sheet_page
from rulewright.table import limits
from rulewright.table.picture_rights import IN_TEXT
from rulewright.table.service import Tables
from rulewright.table.storage import pictures
from rulewright.table.views import CharacterShown, Detail, LogShown, TableShown

_SUFFIXES = ((b"\x89PNG", "png"), (b"\xff\xd8", "jpg"), (b"RIFF", "webp"), (b"GIF8", "gif"))
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of each file in the zip: the same every time, so that equal tables give equal files."""


class Page(Struct, frozen=True):
    """A page: its folder (empty for the top), its name without ending, and its text."""

    folder: str
    name: str
    text: str


def journal(tables: Tables, table_id: str, member_id: str) -> bytes:
    """A table as one zip of Markdown pages and pictures, as a member may see it."""
    shown = tables.view(table_id, member_id)
    log = tables.log(table_id, member_id, most=limits.LINES)
    bodies = {
        f"{kept.digest}": pictures.body(tables, table_id, member_id, kept.digest) for kept in pictures.listed(tables, table_id, member_id)
    }
    files = {digest: f"{digest[:12]}.{_suffix(body)}" for digest, body in bodies.items()}
    pages = _pages(tables, shown, log, files)
    folder = page_name(shown.name, set())
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for page in pages:
            path = "/".join(part for part in (folder, page.folder, f"{page.name}.md") if part)
            archive.writestr(_entry(path), page.text)
        for digest, name in files.items():
            archive.writestr(_entry(f"{folder}/Pictures/{name}"), bodies[digest])
    return packed.getvalue()


def _entry(path: str) -> ZipInfo:
    entry = ZipInfo(path, _MOMENT)
    entry.compress_type = ZIP_DEFLATED
    return entry


def _suffix(body: bytes) -> str:
    return next((suffix for start, suffix in _SUFFIXES if body.startswith(start)), "bin")


def _pages(tables: Tables, shown: TableShown, log: list[LogShown], files: dict[str, str]) -> list[Page]:
    taken: set[str] = {"home", "journal"}
    characters = [
        Page("Characters", page_name(character.name, taken), _character_text(tables, shown, character, files))
        for character in shown.characters
    ]
    named_notes = [(note, page_name(note.title or "Note", taken)) for note in shown.notes]
    notes = [Page("Notes", name, f"# {escape(note.title or 'Note')}\n\n{_with_pictures(note.text, files)}\n") for note, name in named_notes]
    names = {scene.number: scene.name for scene in shown.scenes}
    by_scene: dict[int, list[LogShown]] = {}
    for line in log:
        by_scene.setdefault(line.scene, []).append(line)
    scenes = [
        Page("Scenes", page_name(f"{number:03d} {names.get(number) or 'Scene'}", taken), _story(names.get(number) or "Scene", lines))
        for number, lines in sorted(by_scene.items())
        if number
    ]
    other = Page("", "Journal", _story("Journal", by_scene.get(0, [])))
    home = Page("", "Home", _home_text(shown, characters, scenes, notes))
    return [home, *characters, *scenes, *notes, other]


def _home_text(shown: TableShown, characters: list[Page], scenes: list[Page], notes: list[Page]) -> str:
    parts = [f"# {escape(shown.name)}"]
    campaign = shown.campaign
    if campaign.started:
        parts.append(f"It is {escape(campaign.date)}, {campaign.time}.")
    for title, pages in (("Characters", characters), ("Scenes", scenes), ("Notes", notes)):
        if pages:
            parts += [f"## {title}", "\n".join(f"- {link(page.name, page.name, page.folder)}" for page in pages)]
    if campaign.dates:
        parts += ["## Dates", "\n".join(f"- {escape(date.on)}: {escape(date.what)}" for date in campaign.dates)]
    if campaign.tallies:
        counts = [f"- {escape(tally.name)}: {'?' if tally.count is None else tally.count} of {tally.of}" for tally in campaign.tallies]
        parts += ["## Tallies", "\n".join(counts)]
    parts.append(link("Journal"))
    return "\n\n".join(parts) + "\n"


def _character_text(tables: Tables, shown: TableShown, character: CharacterShown, files: dict[str, str]) -> str:
    """The sheet of a character that the member may open, otherwise its name alone; with its portrait."""
    portrait = f"\n![portrait](<../Pictures/{files[character.picture]}>)\n" if character.picture in files else ""
    try:
        text = sheet_page(tables.sheet(shown.id, shown.me.id, character.id).sheet)
    except UserError:
        text = f"# {escape(character.name)}\n"
    return text + portrait


def _with_pictures(text: str, files: dict[str, str]) -> str:
    """The text of a note with its pictures as files of the folder; a picture that the member may not see is left out."""
    whole = re.compile(r"!\[([^\]]*)\]\(\s*" + IN_TEXT.pattern + r"\s*\)")
    return whole.sub(lambda match: f"![{match[1]}](<../Pictures/{files[match[2]]}>)" if match[2] in files else match[1], text)


def _story(title: str, log: list[LogShown]) -> str:
    """Log entries by day, each with its details below it; what was undone is struck through."""
    parts = [f"# {escape(title)}"]
    for day, lines in groupby(log, key=lambda line: _day(line.at)):
        parts += [f"## {day}", "\n".join(text for line in lines for text in _line_text(line))]
    return "\n\n".join(parts) + "\n"


def _day(at: int) -> str:
    return datetime.fromtimestamp(at // 1_000_000, UTC).strftime("%Y-%m-%d")


def _line_text(line: LogShown) -> Iterator[str]:
    by = f"**{escape(line.by_name)}:** " if line.by_name and line.sort == "said" else ""
    to = f" *(to {escape(', '.join(line.to))})*" if line.to else ""
    yield f"- {by}{_struck(' '.join(line.text.split()), line.undone)}{to}"
    for detail in line.details:
        if detail.text != line.text or detail.dice:
            yield f"    - {_struck(_detail_text(detail), line.undone or detail.undone)}"


def _detail_text(detail: Detail) -> str:
    faces = f" ({', '.join(str(face) for face in detail.faces)})" if detail.faces else ""
    return " ".join(f"{detail.text}{faces}".split())


def _struck(text: str, undone: bool) -> str:
    return f"~~{escape(text)}~~" if undone else escape(text)
