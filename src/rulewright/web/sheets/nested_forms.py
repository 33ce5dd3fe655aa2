"""Structures within structures as forms: whatever a saved type holds, at any depth, with its fields, its lists, and what is named.

A place in a structure is a path: the names of fields and of what is named, and the numbers of entries in lists.
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
from rulewright.web.pages.games import short
from rulewright.web.sheets.list_entries import MOST_LETTERS, Blank, blanks_of, read_text, sort_of, typed

Path = tuple[str | int, ...]
Sort = Literal["part", "list", "names", "bare"]
Names = Mapping[str, tuple[str, ...]]
MOST_ENTRIES, MOST_DEEP = 100, 12
NAME = Blank("name", "words", needed=True)
"""What something is called by which it stands among others."""
BARE = "value"
LONG, MOST_WORDS = ("notes", "about"), 4_000
"""Words that may go over several lines, and how many letters they may have."""


class Shape(Struct, frozen=True):
    """What stands at a place: a part with fields, a list of things alike, things by their names, or a bare value."""

    sort: Sort
    kind: Any
    """The structure, or what each entry is."""
    optional: bool = False
    blank: Blank | None = None
    called: Blank = NAME
    """What the name of an entry may be, where entries stand by their names."""


class Leaf(Struct, frozen=True):
    """A field to write into with what stands there, and the names that the rules know for it."""

    blank: Blank
    text: str
    known: tuple[str, ...] = ()
    about: str = ""


class Node(Struct, frozen=True):
    """A place in a structure, drawn."""

    id: str
    path: str
    """As a form sends it back."""
    label: str
    sort: Sort
    leaves: tuple[Leaf, ...] = ()
    within: tuple["Node", ...] = ()
    asks: tuple[Leaf, ...] = ()
    """What is asked for one more entry, or for what is not there yet."""
    there: bool = True
    grows: bool = False
    removable: bool = False
    dotted: str = ""
    """The place as an audit names it."""
    about: str = ""

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do here."""
        return not (self.leaves or self.grows or any(not node.idle for node in self.within) or self.removable)

    @property
    def count(self) -> int:
        """How many entries it has."""
        return len(self.within)


# --- what a type is -------------------------------------------------------------------------------------------------------------


def shape_of(kind: Any) -> Shape:
    """What is of a type; refuses what no form can be made for."""
    some, optional = _some(kind)
    sort, options = sort_of(some)
    if sort is not None:
        return Shape("bare", some, optional, Blank(BARE, sort, options=options, low=-999_999))
    if isinstance(some, type) and issubclass(some, Struct):
        return Shape("part", some, optional)
    origin, result = get_origin(some), get_args(some)
    if origin is dict:
        names = replace(NAME, sort="pick", options=get_args(result[0])) if get_origin(result[0]) is Literal else NAME
        return Shape("names", result[1], optional, called=names)
    if origin in (tuple, list):
        return Shape("list", result[0], optional)
    if origin is Literal:
        return Shape("bare", some, optional, Blank(BARE, "pick", options=tuple(map(str, result))))
    raise TypeError(f"no form for {kind}")


def _some(kind: Any) -> tuple[Any, bool]:
    """A type without nothing. Of names with values written as pairs or as names, the names; of a bare number that may have more to
    say, the structure that says it."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind, False
    result = get_args(kind)
    some = [candidate for candidate in result if candidate is not type(None)]
    richest = [
        candidate for candidate in some if get_origin(candidate) is dict or (isinstance(candidate, type) and issubclass(candidate, Struct))
    ]
    if len(some) > 1 and len(richest) == 1:
        return richest[0], type(None) in result
    return (some[0] if len(some) == 1 else kind), type(None) in result


@lru_cache(maxsize=1024)
def fields_of(kind: type[Struct]) -> tuple[tuple[msgspec.structs.FieldInfo, Any], ...]:
    """The fields of a type, each with the type of what stands in it."""
    hints = get_type_hints(kind)
    return tuple([(field, hints[field.name]) for field in msgspec.structs.fields(kind)])


def leaf_of(kind: type[Struct], field: msgspec.structs.FieldInfo, shape: Shape) -> Blank:
    """The blank of a bare field, with its limits where its type has some."""
    result = next((candidate for candidate in blanks_of(kind) if candidate.field == field.encode_name), None)
    assert shape.blank is not None
    usual = "" if field.default in (NODEFAULT, UNSET) else typed(field.default)
    low = result.low if result is not None and result.low > 0 else -999_999
    high = result.high if result is not None else 999_999
    return Blank(field.encode_name, shape.blank.sort, usual, field.required, shape.blank.options, low, high)


# --- drawn ----------------------------------------------------------------------------------------------------------------------

Shown = Callable[[str], bool]
"""Whether a place, with * for names and numbers, is to be shown."""


def drawn(kind: Any, value: Any, path: Path, names: Names, label: str, shown: Shown = lambda place: True) -> Node:
    """What stands at a path, with everything in it."""
    return _node(shape_of(kind), msgspec.to_builtins(value), path, path[:1], names, label, shown, f"in-{'-'.join(map(str, path))}")


def _node(shape: Shape, value: Any, path: Path, pattern: Path, names: Names, label: str, shown: Shown, mark: str) -> Node:
    there = value is not None or not shape.optional
    node = Node(mark, msgspec.json.encode(path).decode(), label, shape.sort, there=there, dotted=".".join(map(str, path)))
    if shape.sort == "bare":
        assert shape.blank is not None
        return replace(node, leaves=(Leaf(shape.blank, typed(value), _known(names, pattern)),))
    if shape.sort == "part":
        return _part(node, shape, value, path, pattern, names, shown)
    covered = not shown(".".join(map(str, pattern)))
    inner, inner_pattern = shape_of(shape.kind), (*pattern, "*")
    bare = shape.sort == "names" and inner.sort == "bare"  # the names that are known are those of the entries
    entries = list(_entries(shape, value).items())
    within = [
        replace(
            _node(inner, part, (*path, at), inner_pattern, {} if bare else names, _called(inner, at, part), shown, f"{mark}-{place}"),
            removable=not covered,
        )
        for place, (at, part) in enumerate(entries[:MOST_ENTRIES])
    ]
    asks = _asked(inner, inner_pattern, {} if bare else names)
    if shape.sort == "names":
        asks = (Leaf(shape.called, "", _known(names, inner_pattern)), *asks)
    return replace(
        node,
        within=tuple([candidate for candidate in within if not candidate.idle]),
        asks=asks,
        grows=not covered and len(entries) < MOST_ENTRIES,
    )


def _part(node: Node, shape: Shape, value: Any, path: Path, pattern: Path, names: Names, shown: Shown) -> Node:
    if value is None and shape.optional:
        return replace(node, asks=_asked(shape, pattern, names), grows=True)
    leaves, within, told = [], [], words_below(shape.kind)
    value = _spoken(shape, value)
    for field, hint in fields_of(shape.kind):
        name, inner = field.encode_name, shape_of(hint)
        at = (*pattern, name)
        if len(inner.blank.options if inner.blank else ()) == 1 or len(path) > MOST_DEEP:  # what can be nothing else
            continue
        result = value.get(name, _default(field))
        if inner.sort == "bare":
            if shown(".".join(map(str, at))):
                leaves.append(Leaf(leaf_of(shape.kind, field, inner), typed(result), _known(names, at), told.get(name, "")))
        elif needs_form(inner, at, shown):
            outcome = _node(inner, result, (*path, name), at, names, name.replace("_", " "), shown, f"{node.id}-{name}")
            within.append(replace(outcome, about=told.get(name, "")))
    return replace(
        node, leaves=tuple(leaves), within=tuple([candidate for candidate in within if not candidate.idle]), removable=shape.optional
    )


def needs_form(shape: Shape, pattern: Path, shown: Shown, deep: int = 0) -> bool:
    """Whether anything at a place, or within it, is to be shown."""
    here = shown(".".join(map(str, pattern)))
    if shape.sort == "bare" or deep > MOST_DEEP:
        return here
    if shape.sort == "part":
        inner = ((shape_of(hint), (*pattern, field.encode_name)) for field, hint in fields_of(shape.kind))
        return (shape.optional and here) or any(needs_form(result, at, shown, deep + 1) for result, at in inner)
    return here or needs_form(shape_of(shape.kind), (*pattern, "*"), shown, deep + 1)


def _asked(shape: Shape, pattern: Path, names: Names) -> tuple[Leaf, ...]:
    """What has to be said of a new entry; all else is as usual at first."""
    if shape.sort == "bare":
        assert shape.blank is not None
        blank = replace(shape.blank, needed=shape.blank.sort in ("words", "whole", "number"))
        return (Leaf(blank, "", _known(names, pattern)),)
    if shape.sort != "part":
        return ()
    leaves = []
    for field, hint in fields_of(shape.kind):
        inner = shape_of(hint)
        if field.required and inner.sort == "bare":
            leaves.append(Leaf(leaf_of(shape.kind, field, inner), "", _known(names, (*pattern, field.encode_name))))
    return tuple(leaves)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    return None if field.default in (NODEFAULT, UNSET) else msgspec.to_builtins(field.default)


def _spoken(shape: Shape, value: Any) -> dict[str, Any]:
    """A part as its fields; a bare number stands for the first of them."""
    if value is None or isinstance(value, dict):
        return dict(value or {})
    return {fields_of(shape.kind)[0][0].encode_name: value}


def _called(shape: Shape, at: str | int, item: Any) -> str:
    """What an entry is called: its name, or the first word in it."""
    if isinstance(at, str):
        return at
    if shape.sort == "part" and isinstance(item, dict):
        said = (item.get(field.encode_name) for field, _ in fields_of(shape.kind))
        first = next((str(candidate) for candidate in said if candidate not in (None, "")), "")
        return first if first and not first.startswith(("[", "{")) else str(at + 1)
    return str(at + 1)


def _known(names: Names, pattern: Path) -> tuple[str, ...]:
    """The names that the rules know for a place: by its whole path, or by the end of it."""
    parts = list(map(str, pattern))
    plain = [part for at, part in enumerate(parts) if part != "*" or at == len(parts) - 1]
    return next((names[key] for at in range(len(plain)) if (key := ".".join(plain[at:])) in names and key != "*"), ())


# --- changed --------------------------------------------------------------------------------------------------------------------


def path_of(text: str) -> Path:
    """The path that a form sent."""
    try:
        result = msgspec.json.decode(text, type=tuple[str | int, ...])
    except msgspec.DecodeError:
        raise UserError(f"{short(text)!r} is no place in this") from None
    if not 0 < len(result) <= 2 * MOST_DEEP:
        raise UserError("this is no place in it")
    return result


def changed(kind: Any, data: Any, path: Path, do: str, texts: Mapping[str, str]) -> Any:
    """Plain data of a type with one place in it changed: `set` what is written there, `add` an entry, `give` what is not there yet,
    `take` something away."""
    if do == "take":
        return _within(kind, data, path[:-1], lambda shape, value: _without(shape, value, path[-1]))
    change = {"set": _written, "add": _grown, "give": _given}.get(do)
    if change is None:
        raise UserError(f"{short(do)!r} cannot be done here")
    return _within(kind, data, path, lambda shape, item: change(shape, item, texts))


def _within(kind: Any, data: Any, path: Path, change: Callable[[Shape, Any], Any]) -> Any:
    """Data with what stands at a path changed."""
    shape = shape_of(kind)
    if not path:
        return change(shape, data)
    at, rest = path[0], path[1:]
    if shape.sort == "part":
        hint = next((hint for field, hint in fields_of(shape.kind) if field.encode_name == at), None)
        if hint is None:
            raise _nowhere(at)
        data = _spoken(shape, data)
        return {**data, at: _within(hint, data.get(at), rest, change)}
    entries = _entries(shape, data)
    if shape.sort == "bare" or at not in entries:
        raise _nowhere(at)
    return _as(shape, {**entries, at: _within(shape.kind, entries[at], rest, change)})


def _nowhere(at: str | int) -> UserError:
    return UserError(f"there is no {short(str(at))!r} here that could be changed")


def _entries(shape: Shape, data: Any) -> dict[str | int, Any]:
    """The entries by their names, or by their numbers."""
    if shape.sort == "names":
        return dict(data or {})
    return dict(enumerate(data or ())) if shape.sort == "list" else {}


def _as(shape: Shape, entries: Mapping[str | int, Any]) -> Any:
    return dict(entries) if shape.sort == "names" else list(entries.values())


def _without(shape: Shape, item: Any, at: str | int) -> Any:
    if shape.sort == "part":
        return {name: value for name, value in _spoken(shape, item).items() if name != at}
    entries = _entries(shape, item)
    if at not in entries:
        raise _nowhere(at)
    return _as(shape, {text: value for text, value in entries.items() if text != at})


def _written(shape: Shape, item: Any, texts: Mapping[str, str]) -> Any:
    """What stands somewhere after somebody wrote into its fields; an empty field is as usual."""
    if shape.sort == "bare":
        assert shape.blank is not None
        return _read(shape.blank, shape.kind, texts.get(BARE, ""))
    if shape.sort != "part":
        raise UserError("write into one of its entries")
    after = _spoken(shape, item)
    for field, hint in fields_of(shape.kind):
        inner, name = shape_of(hint), field.encode_name
        if inner.sort != "bare" or name not in texts:
            continue
        blank, text = leaf_of(shape.kind, field, inner), texts[name].strip()
        if blank.sort == "tick":
            after[name] = text == "yes"
        elif text:
            after[name] = _read(blank, inner.kind, text)
        elif blank.needed:
            raise UserError(f"{blank.label} is missing")
        else:
            after.pop(name, None)
    return _shortest(shape, item, after)


def _shortest(shape: Shape, before: Any, after: dict[str, Any]) -> Any:
    """A part as its file had it: still a bare number, where nothing more is said now than before."""
    if before is None or isinstance(before, dict):
        return after
    (first, _), *others = fields_of(shape.kind)
    more = any(after.get(field.encode_name, _default(field)) != _default(field) for field, _ in others)
    return after if more else after.get(first.encode_name, _default(first))


def _read(blank: Blank, kind: Any, text: str) -> Any:
    """A bare value as somebody wrote it."""
    if blank.field in LONG:
        return _words(blank, text)
    text = " ".join(text.split())
    if len(text) > MOST_LETTERS:
        raise UserError(f"{blank.label} may have up to {MOST_LETTERS} letters")
    if blank.sort == "tick":
        return text == "yes"
    if not text and blank.sort in ("several", "numbers"):
        return []
    if not text and blank.sort in ("whole", "number"):
        raise UserError(f"{blank.label} is missing")
    result = read_text(blank, text)
    return next(candidate for candidate in get_args(kind) if str(candidate) == result) if get_origin(kind) is Literal else result


def _words(blank: Blank, text: str) -> str:
    """Words over several lines."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if len(text) > MOST_WORDS or not all(line.isprintable() for line in lines):
        raise UserError(f"{blank.label} may have up to {MOST_WORDS:,} letters")
    return "\n".join(lines)


def _grown(shape: Shape, item: Any, texts: Mapping[str, str]) -> Any:
    """A list with one more entry, or one more thing by its name."""
    entries = _entries(shape, item)
    if shape.sort not in ("list", "names"):
        raise UserError("nothing can be added here")
    if len(entries) >= MOST_ENTRIES:
        raise UserError(f"there are {MOST_ENTRIES} already, which is the most")
    at: str | int = len(entries)
    if shape.sort == "names":
        called = " ".join(texts.get("name", "").split())
        if not called:
            raise UserError("name is missing")
        at = read_text(shape.called, called)
        if at in entries:
            raise UserError(f"{short(str(at))} is there already")
        texts = {**texts, "name": texts.get("entry.name", "")}
    return _as(shape, {**entries, at: _begun(shape_of(shape.kind), texts)})


def _given(shape: Shape, item: Any, texts: Mapping[str, str]) -> Any:
    if item is not None:
        raise UserError("it is there already")
    return _begun(shape, texts)


def _begun(shape: Shape, texts: Mapping[str, str]) -> Any:
    """A new thing of a shape: what is needed as it was written, all else as usual."""
    if shape.sort == "list":
        return []
    if shape.sort == "names":
        return {}
    if shape.sort == "bare":
        return _written(shape, None, texts)
    begun: dict[str, Any] = {}
    for field, hint in fields_of(shape.kind):
        inner = shape_of(hint)
        if not field.required:
            continue
        if inner.sort == "bare":
            blank, text = leaf_of(shape.kind, field, inner), " ".join(texts.get(field.encode_name, "").split())
            if not text and blank.sort not in ("tick", "several", "numbers"):
                raise UserError(f"{blank.label} is missing")
            begun[field.encode_name] = _read(blank, inner.kind, text)
        else:
            begun[field.encode_name] = _begun(inner, {})
    return begun


def every_place(kind: Any, path: Path = (), deep: int = 0) -> list[tuple[Path, Any]]:
    """All places in a type with what stands there, as far as they can be told apart; refuses what no form can be made for."""
    shape = shape_of(kind)
    if shape.sort == "bare" or deep > MOST_DEEP:
        return [(path, kind)]
    if shape.sort == "part":
        inner: Sequence[tuple[Path, Any]] = [((*path, field.encode_name), hint) for field, hint in fields_of(shape.kind)]
    else:
        inner = [((*path, "*"), shape.kind)]
    return [(path, kind), *(place for at, result in inner for place in every_place(result, at, deep + 1))]
