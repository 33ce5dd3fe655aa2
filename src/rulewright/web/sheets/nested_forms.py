"""Forms for nested structures: any saved type at any depth, with its fields, its lists and its named entries.

A place in a structure is a path: names of fields and of named entries, and numbers of list entries.
"""

import types
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.scenes.scene_fields import words_below
from rulewright.web.pages.games import shorten
from rulewright.web.sheets.list_entries import MAX_LETTERS, EntryField, entry_fields, field_kind, format_value, parse_field

Path = tuple[str | int, ...]
Sort = Literal["part", "list", "names", "bare"]
Names = Mapping[str, tuple[str, ...]]
MAX_ENTRIES, MAX_DEPTH = 100, 12
NAME = EntryField("name", "words", needed=True)
"""The form field for the name of a named entry."""
BARE = "value"
LONG, MAX_LONG_TEXT = ("notes", "about"), 4_000
"""Fields of text with several lines, and their maximum length."""


class Shape(Struct, frozen=True):
    """The kind of value at a place: a part with fields, a list, entries by name, or a bare value."""

    sort: Sort
    kind: Any
    """The structure, or the type of each entry."""
    optional: bool = False
    blank: EntryField | None = None
    called: EntryField = NAME
    """The form field for the name of an entry, if entries have names."""


class Leaf(Struct, frozen=True):
    """A form field with its text, and the names that the rules know for it."""

    blank: EntryField
    text: str
    known: tuple[str, ...] = ()
    about: str = ""


class Node(Struct, frozen=True):
    """A place in a structure, ready for a template."""

    id: str
    path: str
    """The path, as a form sends it back."""
    label: str
    sort: Sort
    leaves: tuple[Leaf, ...] = ()
    within: tuple["Node", ...] = ()
    asks: tuple[Leaf, ...] = ()
    """The form fields for a new entry, or for a part that is not there yet."""
    there: bool = True
    grows: bool = False
    removable: bool = False
    dotted: str = ""
    """The place as an audit names it."""
    about: str = ""

    @property
    def idle(self) -> bool:
        """Whether there is nothing to edit here."""
        return not (self.leaves or self.grows or any(not node.idle for node in self.within) or self.removable)

    @property
    def count(self) -> int:
        """How many entries it has."""
        return len(self.within)


# --- shapes of types ------------------------------------------------------------------------------------------------------------


def shape_of(kind: Any) -> Shape:
    """The shape of a type; raises TypeError if there is no form for it."""
    bare_type, optional = _without_none(kind)
    sort, options = field_kind(bare_type)
    if sort is not None:
        return Shape("bare", bare_type, optional, EntryField(BARE, sort, options=options, low=-999_999))
    if isinstance(bare_type, type) and issubclass(bare_type, Struct):
        return Shape("part", bare_type, optional)
    origin, arguments = get_origin(bare_type), get_args(bare_type)
    if origin is dict:
        names = replace(NAME, sort="pick", options=get_args(arguments[0])) if get_origin(arguments[0]) is Literal else NAME
        return Shape("names", arguments[1], optional, called=names)
    if origin in (tuple, list):
        return Shape("list", arguments[0], optional)
    if origin is Literal:
        return Shape("bare", bare_type, optional, EntryField(BARE, "pick", options=tuple(map(str, arguments))))
    raise TypeError(f"no form for {kind}")


def _without_none(kind: Any) -> tuple[Any, bool]:
    """A type without None, and whether None was allowed.

    Of a mapping that can also be written as pairs or names, the mapping; of a number that can also be a structure, the structure.
    """
    if get_origin(kind) not in (Union, types.UnionType):
        return kind, False
    members = get_args(kind)
    types_left = [member for member in members if member is not type(None)]
    richest = [member for member in types_left if get_origin(member) is dict or (isinstance(member, type) and issubclass(member, Struct))]
    if len(types_left) > 1 and len(richest) == 1:
        return richest[0], type(None) in members
    return (types_left[0] if len(types_left) == 1 else kind), type(None) in members


@lru_cache(maxsize=1024)
def fields_of(kind: type[Struct]) -> tuple[tuple[msgspec.structs.FieldInfo, Any], ...]:
    """The fields of a type with their types."""
    hints = get_type_hints(kind)
    return tuple([(field, hints[field.name]) for field in msgspec.structs.fields(kind)])


def entry_field(kind: type[Struct], field: msgspec.structs.FieldInfo, shape: Shape) -> EntryField:
    """The form field of a bare field, with the limits of its type."""
    known = next((blank for blank in entry_fields(kind) if blank.field == field.encode_name), None)
    assert shape.blank is not None
    usual = "" if field.default in (NODEFAULT, UNSET) else format_value(field.default)
    low = known.low if known is not None and known.low > 0 else -999_999
    high = known.high if known is not None else 999_999
    return EntryField(field.encode_name, shape.blank.sort, usual, field.required, shape.blank.options, low, high)


# --- building the form ----------------------------------------------------------------------------------------------------------

Shown = Callable[[str], bool]
"""Whether a place, with * for names and numbers, is shown."""


def build_form(kind: Any, value: Any, path: Path, names: Names, label: str, shown: Shown = lambda place: True) -> Node:
    """Build the form for the value at a path."""
    return _node(shape_of(kind), msgspec.to_builtins(value), path, path[:1], names, label, shown, f"in-{'-'.join(map(str, path))}")


def _node(shape: Shape, value: Any, path: Path, pattern: Path, names: Names, label: str, shown: Shown, mark: str) -> Node:
    there = value is not None or not shape.optional
    node = Node(mark, msgspec.json.encode(path).decode(), label, shape.sort, there=there, dotted=".".join(map(str, path)))
    if shape.sort == "bare":
        assert shape.blank is not None
        return replace(node, leaves=(Leaf(shape.blank, format_value(value), _known_names(names, pattern)),))
    if shape.sort == "part":
        return _part(node, shape, value, path, pattern, names, shown)
    covered = not shown(".".join(map(str, pattern)))
    inner, inner_pattern = shape_of(shape.kind), (*pattern, "*")
    bare = shape.sort == "names" and inner.sort == "bare"  # the known names belong to the entries
    entries = list(_entries(shape, value).items())
    within = [
        replace(
            _node(inner, part, (*path, at), inner_pattern, {} if bare else names, _entry_label(inner, at, part), shown, f"{mark}-{place}"),
            removable=not covered,
        )
        for place, (at, part) in enumerate(entries[:MAX_ENTRIES])
    ]
    asks = _required_fields(inner, inner_pattern, {} if bare else names)
    if shape.sort == "names":
        asks = (Leaf(shape.called, "", _known_names(names, inner_pattern)), *asks)
    return replace(
        node,
        within=tuple([child for child in within if not child.idle]),
        asks=asks,
        grows=not covered and len(entries) < MAX_ENTRIES,
    )


def _part(node: Node, shape: Shape, value: Any, path: Path, pattern: Path, names: Names, shown: Shown) -> Node:
    if value is None and shape.optional:
        return replace(node, asks=_required_fields(shape, pattern, names), grows=True)
    leaves, within, descriptions = [], [], words_below(shape.kind)
    value = _as_fields(shape, value)
    for field, hint in fields_of(shape.kind):
        name, inner = field.encode_name, shape_of(hint)
        at = (*pattern, name)
        if len(inner.blank.options if inner.blank else ()) == 1 or len(path) > MAX_DEPTH:  # a single option is no choice
            continue
        field_value = value.get(name, _default(field))
        if inner.sort == "bare":
            if shown(".".join(map(str, at))):
                leaves.append(
                    Leaf(
                        entry_field(shape.kind, field, inner),
                        format_value(field_value),
                        _known_names(names, at),
                        descriptions.get(name, ""),
                    )
                )
        elif needs_form(inner, at, shown):
            child = _node(inner, field_value, (*path, name), at, names, name.replace("_", " "), shown, f"{node.id}-{name}")
            within.append(replace(child, about=descriptions.get(name, "")))
    return replace(node, leaves=tuple(leaves), within=tuple([child for child in within if not child.idle]), removable=shape.optional)


def needs_form(shape: Shape, pattern: Path, shown: Shown, deep: int = 0) -> bool:
    """Whether a place, or anything within it, is shown."""
    here = shown(".".join(map(str, pattern)))
    if shape.sort == "bare" or deep > MAX_DEPTH:
        return here
    if shape.sort == "part":
        inner = ((shape_of(hint), (*pattern, field.encode_name)) for field, hint in fields_of(shape.kind))
        return (shape.optional and here) or any(needs_form(inner_shape, at, shown, deep + 1) for inner_shape, at in inner)
    return here or needs_form(shape_of(shape.kind), (*pattern, "*"), shown, deep + 1)


def _required_fields(shape: Shape, pattern: Path, names: Names) -> tuple[Leaf, ...]:
    """The form fields of a new entry: required ones only."""
    if shape.sort == "bare":
        assert shape.blank is not None
        blank = replace(shape.blank, needed=shape.blank.sort in ("words", "whole", "number"))
        return (Leaf(blank, "", _known_names(names, pattern)),)
    if shape.sort != "part":
        return ()
    leaves = []
    for field, hint in fields_of(shape.kind):
        inner = shape_of(hint)
        if field.required and inner.sort == "bare":
            leaves.append(Leaf(entry_field(shape.kind, field, inner), "", _known_names(names, (*pattern, field.encode_name))))
    return tuple(leaves)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    return None if field.default in (NODEFAULT, UNSET) else msgspec.to_builtins(field.default)


def _as_fields(shape: Shape, value: Any) -> dict[str, Any]:
    """The fields of a part; a bare number is the value of the first field."""
    if value is None or isinstance(value, dict):
        return dict(value or {})
    return {fields_of(shape.kind)[0][0].encode_name: value}


def _entry_label(shape: Shape, at: str | int, entry: Any) -> str:
    """The label of an entry: its name, or the first text in it."""
    if isinstance(at, str):
        return at
    if shape.sort == "part" and isinstance(entry, dict):
        values = (entry.get(field.encode_name) for field, _ in fields_of(shape.kind))
        first = next((str(value) for value in values if value not in (None, "")), "")
        return first if first and not first.startswith(("[", "{")) else str(at + 1)
    return str(at + 1)


def _known_names(names: Names, pattern: Path) -> tuple[str, ...]:
    """The names that the rules know for a place, by its whole path or by its end."""
    parts = list(map(str, pattern))
    plain = [part for at, part in enumerate(parts) if part != "*" or at == len(parts) - 1]
    return next((names[key] for at in range(len(plain)) if (key := ".".join(plain[at:])) in names and key != "*"), ())


# --- changes --------------------------------------------------------------------------------------------------------------------


def parse_path(text: str) -> Path:
    """Decode the path that a form sent."""
    try:
        path = msgspec.json.decode(text, type=tuple[str | int, ...])
    except msgspec.DecodeError:
        raise UserError(f"{shorten(text)!r} is not a place in this structure") from None
    if not 0 < len(path) <= 2 * MAX_DEPTH:
        raise UserError(f"{shorten(text)!r} is not a place in this structure")
    return path


def apply_change(kind: Any, data: Any, path: Path, do: str, texts: Mapping[str, str]) -> Any:
    """Change one place in plain data of a type: `set` its fields, `add` an entry, `give` it a value, or `take` an entry away."""
    if do == "take":
        return _change_at(kind, data, path[:-1], lambda shape, value: _remove_entry(shape, value, path[-1]))
    change = {"set": _set_fields, "add": _add_entry, "give": _fill_empty}.get(do)
    if change is None:
        raise UserError(f"unknown change {shorten(do)!r}")
    return _change_at(kind, data, path, lambda shape, value: change(shape, value, texts))


def _change_at(kind: Any, data: Any, path: Path, change: Callable[[Shape, Any], Any]) -> Any:
    """Apply a change at a path."""
    shape = shape_of(kind)
    if not path:
        return change(shape, data)
    at, rest = path[0], path[1:]
    if shape.sort == "part":
        hint = next((hint for field, hint in fields_of(shape.kind) if field.encode_name == at), None)
        if hint is None:
            raise _no_such_place(at)
        data = _as_fields(shape, data)
        return {**data, at: _change_at(hint, data.get(at), rest, change)}
    entries = _entries(shape, data)
    if shape.sort == "bare" or at not in entries:
        raise _no_such_place(at)
    return _rebuild(shape, {**entries, at: _change_at(shape.kind, entries[at], rest, change)})


def _no_such_place(at: str | int) -> UserError:
    return UserError(f"there is no {shorten(str(at))!r} here to change")


def _entries(shape: Shape, data: Any) -> dict[str | int, Any]:
    """The entries by name or by number."""
    if shape.sort == "names":
        return dict(data or {})
    return dict(enumerate(data or ())) if shape.sort == "list" else {}


def _rebuild(shape: Shape, entries: Mapping[str | int, Any]) -> Any:
    return dict(entries) if shape.sort == "names" else list(entries.values())


def _remove_entry(shape: Shape, value: Any, at: str | int) -> Any:
    if shape.sort == "part":
        return {name: part for name, part in _as_fields(shape, value).items() if name != at}
    entries = _entries(shape, value)
    if at not in entries:
        raise _no_such_place(at)
    return _rebuild(shape, {key: entry for key, entry in entries.items() if key != at})


def _set_fields(shape: Shape, value: Any, texts: Mapping[str, str]) -> Any:
    """The value at a place after its fields were edited; an empty field gets its default."""
    if shape.sort == "bare":
        assert shape.blank is not None
        return _parse_value(shape.blank, shape.kind, texts.get(BARE, ""))
    if shape.sort != "part":
        raise UserError("choose one of its entries to write into")
    after = _as_fields(shape, value)
    for field, hint in fields_of(shape.kind):
        inner, name = shape_of(hint), field.encode_name
        if inner.sort != "bare" or name not in texts:
            continue
        blank, text = entry_field(shape.kind, field, inner), texts[name].strip()
        if blank.sort == "tick":
            after[name] = text == "yes"
        elif text:
            after[name] = _parse_value(blank, inner.kind, text)
        elif blank.needed:
            raise UserError(f"{blank.label} is missing")
        else:
            after.pop(name, None)
    return _shorten(shape, value, after)


def _shorten(shape: Shape, before: Any, after: dict[str, Any]) -> Any:
    """A part as its file had it: still a bare number if no other field is set."""
    if before is None or isinstance(before, dict):
        return after
    (first, _), *others = fields_of(shape.kind)
    more = any(after.get(field.encode_name, _default(field)) != _default(field) for field, _ in others)
    return after if more else after.get(first.encode_name, _default(first))


def _parse_value(blank: EntryField, kind: Any, text: str) -> Any:
    """Parse a bare value."""
    if blank.field in LONG:
        return _parse_long_text(blank, text)
    text = " ".join(text.split())
    if len(text) > MAX_LETTERS:
        raise UserError(f"{blank.label}: write up to {MAX_LETTERS} characters")
    if blank.sort == "tick":
        return text == "yes"
    if not text and blank.sort in ("several", "numbers"):
        return []
    if not text and blank.sort in ("whole", "number"):
        raise UserError(f"{blank.label} is missing")
    parsed = parse_field(blank, text)
    return next(option for option in get_args(kind) if str(option) == parsed) if get_origin(kind) is Literal else parsed


def _parse_long_text(blank: EntryField, text: str) -> str:
    """Parse text of several lines."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if len(text) > MAX_LONG_TEXT or not all(line.isprintable() for line in lines):
        raise UserError(f"{blank.label}: write up to {MAX_LONG_TEXT:,} printable characters")
    return "\n".join(lines)


def _add_entry(shape: Shape, value: Any, texts: Mapping[str, str]) -> Any:
    """Add an entry to a list, or a named entry."""
    entries = _entries(shape, value)
    if shape.sort not in ("list", "names"):
        raise UserError("nothing can be added here")
    if len(entries) >= MAX_ENTRIES:
        raise UserError(f"there are {MAX_ENTRIES} entries already, which is the limit")
    at: str | int = len(entries)
    if shape.sort == "names":
        name = " ".join(texts.get("name", "").split())
        if not name:
            raise UserError("name is missing")
        at = parse_field(shape.called, name)
        if at in entries:
            raise UserError(f"there is already an entry {shorten(str(at))!r}")
        texts = {**texts, "name": texts.get("entry.name", "")}
    return _rebuild(shape, {**entries, at: _new_value(shape_of(shape.kind), texts)})


def _fill_empty(shape: Shape, value: Any, texts: Mapping[str, str]) -> Any:
    if value is not None:
        raise UserError("this part is there already")
    return _new_value(shape, texts)


def _new_value(shape: Shape, texts: Mapping[str, str]) -> Any:
    """A new value of a shape: required fields as typed, others with their defaults."""
    if shape.sort == "list":
        return []
    if shape.sort == "names":
        return {}
    if shape.sort == "bare":
        return _set_fields(shape, None, texts)
    fields: dict[str, Any] = {}
    for field, hint in fields_of(shape.kind):
        inner = shape_of(hint)
        if not field.required:
            continue
        if inner.sort == "bare":
            blank, text = entry_field(shape.kind, field, inner), " ".join(texts.get(field.encode_name, "").split())
            if not text and blank.sort not in ("tick", "several", "numbers"):
                raise UserError(f"{blank.label} is missing")
            fields[field.encode_name] = _parse_value(blank, inner.kind, text)
        else:
            fields[field.encode_name] = _new_value(inner, {})
    return fields


def list_places(kind: Any, path: Path = (), deep: int = 0) -> list[tuple[Path, Any]]:
    """All places in a type with their types; raises TypeError if there is no form for one of them."""
    shape = shape_of(kind)
    if shape.sort == "bare" or deep > MAX_DEPTH:
        return [(path, kind)]
    if shape.sort == "part":
        inner: Sequence[tuple[Path, Any]] = [((*path, field.encode_name), hint) for field, hint in fields_of(shape.kind)]
    else:
        inner = [((*path, "*"), shape.kind)]
    return [(path, kind), *(place for at, hint in inner for place in list_places(hint, at, deep + 1))]
