"""Advanced fields: what a saved character can have but its sheet does not show, edited in the builder without a file."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.audit import change
from rulewright.build.sheet_parts import Pick, PickMany, Rows, Section, Sheet, Stepper
from rulewright.errors import UserError
from rulewright.scenes.scene_fields import words_below
from rulewright.system import System, find
from rulewright.web.pages.games import ready_made, shorten
from rulewright.web.sheets.list_entries import EntryField, entry_fields, entry_of, format_value, is_single, parse_field, rows_of
from rulewright.web.sheets.nested_forms import (
    Names,
    Node,
    Path,
    apply_change,
    build_form,
    entry_field,
    fields_of,
    list_places,
    needs_form,
    parse_path,
    shape_of,
)

TITLE = "Advanced"
EDITED_ELSEWHERE = ("system", "kind", "name", "concept", "notes", "condition", "injuries", "taken_in", "advancement", "experience")
"""Fields that are edited elsewhere: the name, results of scenes, and experience."""
Changing = Stepper | Pick | PickMany | Rows


class ExtraField(Struct, frozen=True):
    """An advanced field with its text."""

    blank: EntryField
    text: str

    @property
    def label(self) -> str:
        """The field's name in words."""
        return self.blank.label


def add_hidden_lists(thing: Any, sheet: Sheet) -> Sheet:
    """Add to a sheet the lists that it does not show."""
    kind = type(thing)
    pieces = [_list(thing, name) for name in _hidden_fields(thing, sheet) if entry_of(kind, name) is not None and not is_single(kind, name)]
    return replace(sheet, sections=(*sheet.sections, Section(TITLE, tuple(pieces)))) if pieces else sheet


def _list(thing: Any, field: str) -> Rows:
    entry_type = entry_of(type(thing), field)
    assert entry_type is not None
    heads = tuple(blank.field for blank in entry_fields(entry_type))[:4]
    entries = rows_of(thing, field)
    rows = tuple(tuple(format_value(entry.get(head)) for head in heads) for entry in entries)
    words = tuple(head.replace("_", " ") for head in heads)
    name = field.replace("_", " ").capitalize()
    return Rows(name=name, field=field, heads=words, rows=rows, keys=tuple(str(at) for at in range(len(entries))))


def list_extra_fields(thing: Any, sheet: Sheet) -> tuple[ExtraField, ...]:
    """The texts, numbers and choices that the sheet does not show."""
    data, unseen = msgspec.to_builtins(thing), _hidden_fields(thing, sheet)
    kind: Any = type(thing)
    shapes = [(field, shape_of(hint)) for field, hint in fields_of(kind) if field.encode_name in unseen]
    return tuple(
        ExtraField(entry_field(type(thing), field, shape), format_value(data.get(field.encode_name)))
        for field, shape in shapes
        if shape.blank is not None
    )


def _pieces(sheet: Sheet) -> Iterator[Changing]:
    """The pieces of a sheet that change a field."""
    for section in sheet.sections:
        for piece in section.pieces:
            if isinstance(piece, Changing) and piece.field:
                yield piece


def _hidden_fields(thing: Any, sheet: Sheet) -> list[str]:
    """The fields of a character that neither its sheet nor another page changes."""
    lists = {piece.field for section in sheet.sections if section.title == TITLE for piece in section.pieces if isinstance(piece, Rows)}
    seen = {piece.field.partition(".")[0] for piece in _pieces(sheet)} - lists
    return [field.encode_name for field in msgspec.structs.fields(type(thing)) if field.encode_name not in {*EDITED_ELSEWHERE, *seen}]


def write_extra_field(thing: Any, sheet: Sheet, field: str, text: str) -> Any:
    """Set an advanced field; an empty text resets it to its default."""
    extra = next((known for known in list_extra_fields(thing, sheet) if known.blank.field == field), None)
    if extra is None:
        raise UserError(f"there is no advanced field {shorten(field)!r}")
    if extra.blank.sort == "tick":
        return change(thing, field, text.strip() == "yes")
    if not text.strip():
        return _reset_field(thing, extra)
    return change(thing, field, parse_field(extra.blank, " ".join(text.split())))


def _reset_field(thing: Any, extra: ExtraField) -> Any:
    if extra.blank.needed:
        raise UserError(f"{extra.label} is missing")
    data = {name: value for name, value in msgspec.to_builtins(thing).items() if name != extra.blank.field}
    return msgspec.convert(data, type(thing))


# --- structures -----------------------------------------------------------------------------------------------------------------


def build_nested_forms(system: System, thing: Any, sheet: Sheet) -> tuple[Node, ...]:
    """The nested structures that the sheet does not show, as forms."""
    kind: type[Struct] = type(thing)
    data = msgspec.to_builtins(thing)
    covered = covered_places(system, kind, sheet)
    known, own, nodes = _all_names(system.id), _names(kind, sheet), []
    both = {place: tuple(dict.fromkeys((*own[place], *known[place]))) for place in system.named_like if place in own and place in known}
    names = {**known, **own, **both}
    descriptions = words_below(kind)
    for field, hint in _open_fields(kind):
        if needs_form(shape_of(hint), (field,), lambda place: place not in covered):
            node = build_form(hint, data.get(field), (field,), names, field.replace("_", " "), lambda place: place not in covered)
            nodes.append(replace(node, about=descriptions.get(field, "")))
    return tuple([node for node in nodes if not node.idle])


def _open_fields(kind: Any) -> list[tuple[str, Any]]:
    """The fields of a saved type that hold a nested structure."""
    fields = [(field.encode_name, hint) for field, hint in fields_of(kind)]
    return [(name, hint) for name, hint in fields if name not in EDITED_ELSEWHERE and shape_of(hint).sort != "bare"]


def write_nested(thing: Any, path: str, do: str, texts: Mapping[str, str]) -> Any:
    """Change one place in the nested structures of a character."""
    at, kind = parse_path(path), type(thing)
    if at[0] not in {name for name, _ in _open_fields(kind)}:
        raise UserError(f"there is no nested field {shorten(str(at[0]))!r} that can be changed here")
    data = apply_change(kind, msgspec.to_builtins(thing), at, do, texts)
    try:
        return msgspec.convert(data, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"this value does not fit here: {error}") from None


def covered_places(system: System, kind: type[Struct], sheet: Sheet) -> set[str]:
    """The places of a type that the sheet changes, with * for names and numbers."""
    result: set[str] = set()
    whole = _whole_names(system.id, kind)
    for piece in _pieces(sheet):
        pattern = _pattern(kind, piece.field)
        place = ".".join(map(str, pattern))
        result.add(place)
        if place in whole and isinstance(piece, Stepper):
            result.add(place.removesuffix(".*"))
        entry = entry_of(kind, piece.field) if isinstance(piece, Rows) and (piece.keys or not piece.rows) else None
        if entry is not None:
            within = place if is_single(kind, piece.field) else f"{place}.*"
            result |= {f"{within}.{blank.field}" for blank in entry_fields(entry)}
    return result


@lru_cache(maxsize=64)
def _whole_names(game: str, kind: type[Struct]) -> frozenset[str]:
    """Places of values by name for which a blank sheet shows every possible name."""
    system = find(game)
    name = next((name for name, saved in system.kinds.items() if saved is kind), "")
    places = [place for field, hint in _open_fields(kind) for place in list_places(hint, (field,))]
    bare = {".".join(map(str, at)) for at, hint in places if at[-1] == "*" and shape_of(hint).sort == "bare"}
    sheet = system.sheet(system.book.ruleset(), system.nothing(name))
    steps = {".".join(map(str, _pattern(kind, piece.field))) for piece in _pieces(sheet) if isinstance(piece, Stepper)}
    return frozenset(bare & steps)


@lru_cache(maxsize=4096)
def _pattern(kind: Any, field: str) -> Path:
    """A field as a pattern of places in a type: * stands for a name or a number."""
    if not field:
        return ()
    try:
        shape = shape_of(kind)
    except TypeError:
        return (field,)
    name, _, rest = field.partition(".")
    if shape.sort == "part":
        hints = {field_info.encode_name: hint for field_info, hint in fields_of(shape.kind)}
        return (name, *_pattern(hints[name], rest)) if name in hints else (field,)
    if shape.sort == "list":
        return ("*", *_pattern(shape.kind, rest))
    if shape.sort == "names":
        inner = shape_of(shape.kind)
        last = field.rpartition(".")[2]
        fields = {field_info.encode_name for field_info in msgspec.structs.fields(inner.kind)} if inner.sort == "part" else set()
        return ("*", last) if last in fields and "." in field else ("*",)
    return ()


# --- the names that the rules know ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _all_names(game: str) -> Names:
    """The names that blank and ready-made sheets of a game offer, by place."""
    system, names_by_place = find(game), dict[str, tuple[str, ...]]()
    rules = system.book.ruleset()
    for kind, saved in system.kinds.items():
        try:
            ready = [example.thing for example in ready_made(game).values() if example.kind == kind]
            for thing in (system.nothing(kind), *ready[:1]):
                names_by_place = {**_parts(saved), **_names(saved, system.sheet(rules, thing)), **names_by_place}
        except UserError:
            continue
    return {**names_by_place, **{place: names_by_place[like] for place, like in system.named_like.items() if like in names_by_place}}


def _parts(kind: type[Any]) -> dict[str, tuple[str, ...]]:
    """The field names of a type's parts, as names for what is said about each part: `statistics.*`."""
    shapes = {name: shape_of(hint) for name, hint in _open_fields(kind)}
    return {
        f"{name}.*": tuple(field_info.encode_name for field_info in msgspec.structs.fields(shape.kind))
        for name, shape in shapes.items()
        if shape.sort == "part"
    }


def _names(kind: Any, sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """The names that a sheet offers, by place."""
    names_by_place: dict[str, dict[str, None]] = {}
    for piece in _pieces(sheet):
        pattern = list(map(str, _pattern(kind, piece.field)))
        if isinstance(piece, Stepper):
            if pattern and pattern[-1] == "*" and len(pattern) > 1:
                names_by_place.setdefault(_ending(pattern), {})[piece.field[len(".".join(pattern[:-1])) + 1 :]] = None
            continue
        offered = piece.addable if isinstance(piece, Rows) else piece.options
        entry = entry_of(kind, piece.field) if isinstance(piece, Rows) else None
        if entry is not None:
            pattern += [msgspec.structs.fields(entry)[0].encode_name]
        elif isinstance(piece, Rows) and shape_of_field(kind, piece.field) == "names":
            pattern += ["*"]
        names_by_place.setdefault(_ending(pattern), {}).update(dict.fromkeys(option.key for option in offered if option.key))
    return {place: tuple(names) for place, names in names_by_place.items() if names}


def shape_of_field(kind: type[Any], field: str) -> str:
    """The kind of structure that a top-level field holds; empty if there is no such field."""
    hints = get_type_hints(kind)
    return shape_of(hints[field]).sort if field in hints else ""


def _ending(pattern: list[str]) -> str:
    """A place without the numbers of list entries within it."""
    return ".".join(part for at, part in enumerate(pattern) if part != "*" or at == len(pattern) - 1)
