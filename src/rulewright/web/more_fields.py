"""What a saved thing can have that its sheet shows nowhere: written in the builder field by field, so that nothing needs a file."""

from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright import files
from rulewright.build.audit import change
from rulewright.build.pieces import Pick, PickMany, Rows, Section, Sheet, Stepper
from rulewright.errors import Wrong
from rulewright.web.games import short
from rulewright.web.list_entries import Blank, entry_of, lone, read_text, rows_of, sort_of, typed

TITLE = "Seldom needed"
APART = ("system", "kind", "name", "concept", "notes", "condition", "injuries", "taken_in", "advancement", "experience")
"""What has a place of its own: the name, what scenes leave, and what was earned in play."""
MOST_LETTERS = 4_000
_EXAMPLES = {int: "name: 2", float: "name: 2.5", str: "name: words", tuple: "name: [one, another]"}


class More(Struct, frozen=True):
    """A field with what stands in it; several lines, `name: value`, where it holds names with something to each."""

    blank: Blank
    text: str
    lines: bool = False
    example: str = ""

    @property
    def label(self) -> str:
        """The field in words."""
        return self.blank.label


def with_lists(thing: Any, sheet: Sheet) -> Sheet:
    """A sheet with the lists that it has nowhere, each entry of which is written."""
    kind = type(thing)
    pieces = [_list(thing, name) for name in _unseen(thing, sheet) if entry_of(kind, name) is not None and not lone(kind, name)]
    return replace(sheet, sections=(*sheet.sections, Section(TITLE, tuple(pieces)))) if pieces else sheet


def _list(thing: Any, field: str) -> Rows:
    entry = entry_of(type(thing), field)
    assert entry is not None
    heads = tuple(each.encode_name for each in msgspec.structs.fields(entry))[:4]
    held = rows_of(thing, field)
    rows = tuple(tuple(_cell(each.get(head)) for head in heads) for each in held)
    words = tuple(head.replace("_", " ") for head in heads)
    name = field.replace("_", " ").capitalize()
    return Rows(name=name, field=field, heads=words, rows=rows, keys=tuple(str(at) for at in range(len(held))))


def _cell(value: Any) -> str:
    return _lines(value).strip().replace("\n", "; ") if isinstance(value, dict) else typed(value)


def more_of(thing: Any, sheet: Sheet) -> tuple[More, ...]:
    """The fields that no piece of a sheet changes, apart from lists of entries."""
    found = []
    data, hints = msgspec.to_builtins(thing), get_type_hints(type(thing))
    defaults = {field.encode_name: field for field in msgspec.structs.fields(type(thing))}
    for name in _unseen(thing, sheet):
        field, value = defaults[name], data.get(name)
        sort, options = sort_of(hints[field.name])
        if sort is not None:
            usual = "" if field.default is msgspec.NODEFAULT else typed(field.default)
            found.append(More(Blank(name, sort, usual, field.required, options, low=-999_999), typed(value)))
        elif lone(type(thing), name) or entry_of(type(thing), name) is None:
            found.append(More(Blank(name, "words", needed=field.required), _lines(value), True, _example(hints[field.name])))
    return tuple(found)


def _unseen(thing: Any, sheet: Sheet) -> list[str]:
    """The fields of a thing that neither its sheet nor a page of its own changes."""
    pieces = [piece for section in sheet.sections if section.title != TITLE for piece in section.pieces]
    seen = {piece.field.partition(".")[0] for piece in pieces if isinstance(piece, Stepper | Pick | PickMany | Rows)}
    return [field.encode_name for field in msgspec.structs.fields(type(thing)) if field.encode_name not in {*APART, *seen}]


def _lines(value: Any) -> str:
    """A value as it stands in a file."""
    return files.render(value) if isinstance(value, dict) and value else ""


def _example(kind: Any) -> str:
    """How a line of it looks."""
    if get_origin(kind) is not dict:
        return ""
    held = get_args(kind)[1]
    return _EXAMPLES.get(get_origin(held) or held, "name: {part: 2}")


def written_more(thing: Any, sheet: Sheet, field: str, text: str) -> Any:
    """The thing with something written into such a field; nothing written is as usual."""
    more = next((each for each in more_of(thing, sheet) if each.blank.field == field), None)
    if more is None:
        raise Wrong(f"nothing called {short(field)!r} can be written here")
    if len(text) > MOST_LETTERS:
        raise Wrong(f"{more.label} may have up to {MOST_LETTERS:,} letters")
    if more.blank.sort == "tick":
        return change(thing, field, text.strip() == "yes")
    if not text.strip():
        return _as_usual(thing, more)
    value = files.parse_value(text, more.label) if more.lines else read_text(more.blank, " ".join(text.split()))
    try:
        return change(thing, field, value)
    except Wrong:
        example = f"; a line of it looks like {more.example}" if more.example else ""
        raise Wrong(f"{more.label}: this does not belong there{example}") from None


def _as_usual(thing: Any, more: More) -> Any:
    if more.blank.needed:
        raise Wrong(f"{more.label} is missing")
    data = {name: value for name, value in msgspec.to_builtins(thing).items() if name != more.blank.field}
    return msgspec.convert(data, type(thing))
