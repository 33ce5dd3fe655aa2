"""Entries of a list on a sheet: the form fields of an entry, and parsing what was typed."""

import re
import types
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import Rows, Sheet
from rulewright.errors import UserError
from rulewright.web.pages.games import shorten

MAX_LETTERS = 200
MAX_SEVERAL = 20
Sort = Literal["words", "several", "numbers", "whole", "number", "pick", "tick"]


class EntryField(Struct, frozen=True):
    """A form field of an entry, with the values it takes."""

    field: str
    sort: Sort
    usual: str = ""
    needed: bool = False
    options: tuple[str, ...] = ()
    low: float = 0
    high: float = 999_999

    @property
    def label(self) -> str:
        """The field's name in words."""
        return self.field.replace("_", " ")


class EntryForm(Struct, frozen=True):
    """A list whose entries can be edited: its form fields, and the texts of its entries."""

    blanks: tuple[EntryField, ...]
    entries: tuple[Mapping[str, str], ...]
    full: bool = False
    """Whether there is no room for another entry."""


def build_entry_form(thing: Any, piece: Rows) -> EntryForm | None:
    """The form for the entries of a list; None if they are bare names, or cannot be changed by the player."""
    entry = entry_of(type(thing), piece.field) if piece.field and (piece.keys or not piece.rows) else None
    if entry is None:
        return None
    blanks = entry_fields(entry)
    rows = rows_of(thing, piece.field)
    entries = tuple({blank.field: _field_text(blank, row) for blank in blanks} for row in rows)
    return EntryForm(blanks, entries, full=bool(rows) and is_single(type(thing), piece.field))


def build_entry_forms(thing: Any, sheet: Sheet) -> dict[str, EntryForm]:
    """The forms for the entries of a sheet's lists, by field."""
    lists = (piece for section in sheet.sections for piece in section.pieces if isinstance(piece, Rows))
    return {piece.field: form for piece in lists if (form := build_entry_form(thing, piece)) is not None}


def _field_text(blank: EntryField, entry: Mapping[str, Any]) -> str:
    """The text of a field of an entry; its default if the file omits it."""
    return format_value(entry[blank.field]) if blank.field in entry else blank.usual


def rows_of(thing: Any, field: str) -> list[Any]:
    """The entries at a field as plain data; a single entry becomes a list of one."""
    at = value_at(thing, field)
    if isinstance(at, dict) and is_single(type(thing), field):
        return [at]
    return list(at) if isinstance(at, list | tuple) else []


def value_at(thing: Any, field: str) -> Any:
    """The value at a dotted field as plain data; a name may contain dots itself."""
    at: Any = msgspec.to_builtins(thing)
    rest = field
    while rest and isinstance(at, dict | list | tuple):
        if isinstance(at, list | tuple):
            name, _, rest = rest.partition(".")
            at = at[int(name)] if name.isdecimal() and int(name) < len(at) else None
        elif rest in at:
            at, rest = at[rest], ""
        else:
            name, _, rest = rest.partition(".")
            at = at.get(name)
    return None if rest else at


# --- the fields of an entry ---------------------------------------------------------------------------------------------------


def entry_of(saved: type[Any], field: str) -> type[Struct] | None:
    """The type of a list's entries, or of a single entry; None if they are not structures of one type."""
    kind = _type_at(saved, field)
    if is_single(saved, field):
        return kind  # type: ignore[no-any-return]  # a structure, as `lone` says
    if get_origin(kind) not in (tuple, list):
        return None
    entry = _without_none(get_args(kind)[0])
    return entry if isinstance(entry, type) and issubclass(entry, Struct) else None


def is_single(saved: type[Any], field: str) -> bool:
    """Whether a field holds one entry or none, rather than a list."""
    kind = _type_at(saved, field)
    return bool(field) and isinstance(kind, type) and issubclass(kind, Struct)


@lru_cache(maxsize=256)
def entry_fields(entry: type[Struct]) -> tuple[EntryField, ...]:
    """The form fields of an entry: texts, numbers and choices; nested values cannot be edited here."""
    blanks = []
    hints, bounded = _hints(entry), get_type_hints(entry, include_extras=True)
    for field in msgspec.structs.fields(entry):
        sort, options = field_kind(hints[field.name])
        if sort is not None:
            usual = "" if field.default is msgspec.NODEFAULT else format_value(field.default)
            low, high = _bounds(bounded[field.name])
            blanks.append(EntryField(field.encode_name, sort, usual, field.required, options, low, high))
    return tuple(blanks)


@lru_cache(maxsize=256)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _bounds(kind: Any) -> tuple[float, float]:
    """The lower and upper limit of a number, from its type; the lower limit is 0 by default."""
    if get_origin(kind) is Annotated:
        limits = [part for part in get_args(kind)[1:] if isinstance(part, msgspec.Meta)]
        low = next((limit.ge for limit in limits if limit.ge is not None), 0)
        high = next((limit.le for limit in limits if limit.le is not None), 999_999)
        return float(low), float(high)
    if get_origin(kind) in (Union, types.UnionType):
        return next((_bounds(part) for part in get_args(kind) if part is not type(None)), (0, 999_999))
    return 0, 999_999


def _type_at(kind: Any, field: str) -> Any:
    """The type at a dotted field; a number stands for any entry of a list."""
    kind = _without_none(kind)
    if not field:
        return kind
    if get_origin(kind) in (tuple, list) and field.partition(".")[0].isdecimal():
        return _type_at(get_args(kind)[0], field.partition(".")[2])
    if get_origin(kind) is dict:
        return _without_none(get_args(kind)[1])
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return None
    name, _, rest = field.partition(".")
    hints = _hints(kind)
    return _type_at(hints[name], rest) if name in hints else None


def _without_none(kind: Any) -> Any:
    """A type without None."""
    if get_origin(kind) in (Union, types.UnionType):
        members = [member for member in get_args(kind) if member is not type(None)]
        return members[0] if len(members) == 1 else kind
    return kind


def field_kind(kind: Any) -> tuple[Sort | None, tuple[str, ...]]:
    """The kind of form field for a type, and its options; None for nested types."""
    kind = _without_none(kind)
    plain: dict[Any, Sort] = {str: "words", bool: "tick", int: "whole", float: "number"}
    if kind in plain:
        return plain[kind], ()
    if get_origin(kind) is Literal and all(isinstance(option, str) for option in get_args(kind)):
        return "pick", get_args(kind)
    if get_origin(kind) in (tuple, list) and get_args(kind)[0] is str:
        return "several", ()
    if get_origin(kind) in (tuple, list) and get_args(kind)[0] in (int, float, int | float):
        return "numbers", ()
    if get_origin(kind) in (Union, types.UnionType) and set(get_args(kind)) <= {int, float, type(None)}:
        return "number", ()
    return None, ()


def format_value(value: Any) -> str:
    """A value as the text of a form field."""
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case float():
            return f"{value:g}"
        case list() | tuple():
            return ", ".join(map(str, value))
    return str(value)


# --- parsing ------------------------------------------------------------------------------------------------------------------


def parse_entry(blanks: Sequence[EntryField], texts: Mapping[str, str], before: Mapping[str, Any]) -> dict[str, Any]:
    """The entry after an edit of its fields. An empty field gets its default."""
    entry = dict(before)
    for blank in blanks:
        text = " ".join(texts.get(blank.field, "").split())
        if text:
            entry[blank.field] = parse_field(blank, text)
        elif blank.needed:
            raise UserError(f"{blank.label} is missing")
        else:
            entry.pop(blank.field, None)
    return entry


def parse_field(blank: EntryField, text: str) -> Any:
    """Parse the text of a form field; refuse values that do not fit."""
    match blank.sort:
        case "tick":
            return True
        case "whole":
            text = text.replace("−", "-")
            if not re.fullmatch(r"[-+]?\d{1,6}", text, re.ASCII) or not blank.low <= int(text) <= blank.high:
                raise UserError(f"{blank.label}: write a whole number {_limits(blank)}, not {shorten(text)!r}")
            return int(text)
        case "numbers":
            return [parse_field(replace(blank, sort="number"), part) for part in _split_list(blank, text)]
        case "number":
            text = text.replace(",", ".").replace("−", "-")
            if not re.fullmatch(r"[-+]?\d{1,7}(\.\d{1,3})?", text, re.ASCII) or not blank.low <= float(text) <= blank.high:
                raise UserError(f"{blank.label}: write a number {_limits(blank)}, as in 2 or 0.5, not {shorten(text)!r}")
            return int(float(text)) if float(text) == int(float(text)) else float(text)
        case "pick":
            if text not in blank.options:
                raise UserError(f"{blank.label}: {shorten(text)!r} is not one of {', '.join(blank.options)}")
            return text
    if len(text) > MAX_LETTERS or not text.isprintable():
        raise UserError(f"{blank.label}: write up to {MAX_LETTERS} printable characters")
    return text if blank.sort == "words" else _split_list(blank, text)


def _split_list(blank: EntryField, text: str) -> list[str]:
    parts = [part for item in text.split(",") if (part := item.strip())]
    if len(parts) > MAX_SEVERAL:
        raise UserError(f"{blank.label}: list up to {MAX_SEVERAL}, separated by commas")
    return parts


def _limits(blank: EntryField) -> str:
    """The limits of a number in words; a very high upper limit is left out."""
    return f"from {blank.low:g}" + (f" to {blank.high:g}" if blank.high < 100_000 else "")
