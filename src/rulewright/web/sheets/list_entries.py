"""The entries of a list on a sheet: what one is made of, as the saved type says, and what somebody wrote into it."""

import re
import types
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import Rows
from rulewright.errors import UserError
from rulewright.web.pages.games import short

MOST_LETTERS = 200
MOST_SEVERAL = 20
Sort = Literal["words", "several", "numbers", "whole", "number", "pick", "tick"]


class Blank(Struct, frozen=True):
    """Something to write into an entry: its field, and what may stand there."""

    field: str
    sort: Sort
    usual: str = ""
    needed: bool = False
    options: tuple[str, ...] = ()
    low: float = 0
    high: float = 999_999

    @property
    def label(self) -> str:
        """The field in words."""
        return self.field.replace("_", " ")


class Writing(Struct, frozen=True):
    """A list whose entries are written: what one is made of, and what stands in those that are there."""

    blanks: tuple[Blank, ...]
    entries: tuple[Mapping[str, str], ...]
    full: bool = False
    """Whether there is no room for another."""


def writing(thing: Any, piece: Rows) -> Writing | None:
    """How the list of a piece is written; None where its entries are bare names, or are not the player's to change."""
    entry = entry_of(type(thing), piece.field) if piece.field and (piece.keys or not piece.rows) else None
    if entry is None:
        return None
    blanks = blanks_of(entry)
    rows = rows_of(thing, piece.field)
    entries = tuple({blank.field: _stands(blank, row) for blank in blanks} for row in rows)
    return Writing(blanks, entries, full=bool(rows) and lone(type(thing), piece.field))


def _stands(blank: Blank, entry: Mapping[str, Any]) -> str:
    """What stands in a field of an entry; what a file leaves out stands there as usual."""
    return typed(entry[blank.field]) if blank.field in entry else blank.usual


def rows_of(thing: Any, field: str) -> list[Any]:
    """The list that stands at a field, as plain data; none yet is an empty one, and a lone entry a list of one."""
    at = held_at(thing, field)
    if isinstance(at, dict) and lone(type(thing), field):
        return [at]
    return list(at) if isinstance(at, list | tuple) else []


def held_at(thing: Any, field: str) -> Any:
    """What stands at a field, as plain data; a name may itself contain dots."""
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


# --- what an entry is made of -------------------------------------------------------------------------------------------------


def entry_of(saved: type[Any], field: str) -> type[Struct] | None:
    """The type of the entries of a list, or of the one entry where there can be no more; None where they are no structures of one
    kind."""
    kind = _within(saved, field)
    if lone(saved, field):
        return kind  # type: ignore[no-any-return]  # a structure, as `lone` says
    if get_origin(kind) not in (tuple, list):
        return None
    entry = _bare(get_args(kind)[0])
    return entry if isinstance(entry, type) and issubclass(entry, Struct) else None


def lone(saved: type[Any], field: str) -> bool:
    """Whether a field holds one entry or none, and no list of them."""
    kind = _within(saved, field)
    return bool(field) and isinstance(kind, type) and issubclass(kind, Struct)


@lru_cache(maxsize=256)
def blanks_of(entry: type[Struct]) -> tuple[Blank, ...]:
    """What can be written into an entry: its words, numbers and choices; what is more than that stays as it is."""
    blanks = []
    hints, bounded = _hints(entry), get_type_hints(entry, include_extras=True)
    for field in msgspec.structs.fields(entry):
        sort, options = sort_of(hints[field.name])
        if sort is not None:
            usual = "" if field.default is msgspec.NODEFAULT else typed(field.default)
            low, high = _bounds(bounded[field.name])
            blanks.append(Blank(field.encode_name, sort, usual, field.required, options, low, high))
    return tuple(blanks)


@lru_cache(maxsize=256)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _bounds(kind: Any) -> tuple[float, float]:
    """The least and the greatest number that a field takes, as its type says; from 0 where it says nothing."""
    if get_origin(kind) is Annotated:
        limits = [candidate for candidate in get_args(kind)[1:] if isinstance(candidate, msgspec.Meta)]
        low = next((limit.ge for limit in limits if limit.ge is not None), 0)
        high = next((limit.le for limit in limits if limit.le is not None), 999_999)
        return float(low), float(high)
    if get_origin(kind) in (Union, types.UnionType):
        return next((_bounds(candidate) for candidate in get_args(kind) if candidate is not type(None)), (0, 999_999))
    return 0, 999_999


def _within(kind: Any, field: str) -> Any:
    """The type of what stands at a dotted field; the place in a list stands for any of its entries."""
    kind = _bare(kind)
    if not field:
        return kind
    if get_origin(kind) in (tuple, list) and field.partition(".")[0].isdecimal():
        return _within(get_args(kind)[0], field.partition(".")[2])
    if get_origin(kind) is dict:
        return _bare(get_args(kind)[1])
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return None
    name, _, rest = field.partition(".")
    hints = _hints(kind)
    return _within(hints[name], rest) if name in hints else None


def _bare(kind: Any) -> Any:
    """A type without the possibility that there is nothing."""
    if get_origin(kind) in (Union, types.UnionType):
        some = [candidate for candidate in get_args(kind) if candidate is not type(None)]
        return some[0] if len(some) == 1 else kind
    return kind


def sort_of(kind: Any) -> tuple[Sort | None, tuple[str, ...]]:
    """How what is of a type is written, and what there is to choose from; nothing where it is more than words and numbers."""
    kind = _bare(kind)
    plain: dict[Any, Sort] = {str: "words", bool: "tick", int: "whole", float: "number"}
    if kind in plain:
        return plain[kind], ()
    if get_origin(kind) is Literal and all(isinstance(candidate, str) for candidate in get_args(kind)):
        return "pick", get_args(kind)
    if get_origin(kind) in (tuple, list) and get_args(kind)[0] is str:
        return "several", ()
    if get_origin(kind) in (tuple, list) and get_args(kind)[0] in (int, float, int | float):
        return "numbers", ()
    if get_origin(kind) in (Union, types.UnionType) and set(get_args(kind)) <= {int, float, type(None)}:
        return "number", ()
    return None, ()


def typed(value: Any) -> str:
    """A value as it stands in a field of a form."""
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


# --- what somebody wrote ------------------------------------------------------------------------------------------------------


def written(blanks: Sequence[Blank], texts: Mapping[str, str], before: Mapping[str, Any]) -> dict[str, Any]:
    """The entry that these texts make of what stood there before. An empty field is as usual."""
    entry = dict(before)
    for blank in blanks:
        text = " ".join(texts.get(blank.field, "").split())
        if text:
            entry[blank.field] = read_text(blank, text)
        elif blank.needed:
            raise UserError(f"{blank.label} is missing")
        else:
            entry.pop(blank.field, None)
    return entry


def read_text(blank: Blank, text: str) -> Any:
    """What somebody wrote into a blank; refuses what does not belong there."""
    match blank.sort:
        case "tick":
            return True
        case "whole":
            text = text.replace("−", "-")
            if not re.fullmatch(r"[-+]?\d{1,6}", text, re.ASCII) or not blank.low <= int(text) <= blank.high:
                raise UserError(f"{blank.label} is a whole number {_limits(blank)}, not {short(text)!r}")
            return int(text)
        case "numbers":
            return [read_text(replace(blank, sort="number"), candidate) for candidate in _several(blank, text)]
        case "number":
            text = text.replace(",", ".").replace("−", "-")
            if not re.fullmatch(r"[-+]?\d{1,7}(\.\d{1,3})?", text, re.ASCII) or not blank.low <= float(text) <= blank.high:
                raise UserError(f"{blank.label} is a number {_limits(blank)}, as in 2 or 0.5, not {short(text)!r}")
            return int(float(text)) if float(text) == int(float(text)) else float(text)
        case "pick":
            if text not in blank.options:
                raise UserError(f"{blank.label} has no {short(text)!r} to choose")
            return text
    if len(text) > MOST_LETTERS or not text.isprintable():
        raise UserError(f"{blank.label} may have up to {MOST_LETTERS} letters")
    return text if blank.sort == "words" else _several(blank, text)


def _several(blank: Blank, text: str) -> list[str]:
    several = [part for candidate in text.split(",") if (part := candidate.strip())]
    if len(several) > MOST_SEVERAL:
        raise UserError(f"{blank.label} may name up to {MOST_SEVERAL}")
    return several


def _limits(blank: Blank) -> str:
    """Where a number begins, and where it ends if that is near enough to be said."""
    return f"from {blank.low:g}" + (f" to {blank.high:g}" if blank.high < 100_000 else "")
