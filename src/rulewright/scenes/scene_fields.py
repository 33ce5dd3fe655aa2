"""What can be said of the place of a scene: the fields of the type that it is read as, each with what may be chosen.

Their words are those that stand beside the fields where the game declares them.
"""

import ast
import inspect
from collections.abc import Mapping
from functools import lru_cache
from textwrap import dedent
from typing import Any, Literal, get_args, get_type_hints

import msgspec.inspect as shapes
from msgspec import NODEFAULT, UNSET, Struct

Sort = Literal["choice", "several", "tick", "number", "side", "text"]


class PlaceField(Struct, frozen=True):
    """One thing that can be said of a place."""

    name: str
    """As a scenario file writes it."""
    sort: Sort
    about: str = ""
    choices: tuple[str | int, ...] = ()
    usual: Any = ""

    @property
    def label(self) -> str:
        """What it is called on a page."""
        return self.name.replace("_", " ")


def place_fields(described: type[Struct] | None, words: Mapping[str, tuple[str, ...]]) -> tuple[PlaceField, ...]:
    """Everything about a place that is chosen, ticked or typed in a word; light comes first. Lists of things stand in a file only.

    `words` are the choices that the rules have for fields which are plain text to the type.
    """
    if described is None:
        return ()
    told, hints, result = words_below(described), get_type_hints(described), []
    shape = shapes.type_info(described)
    assert isinstance(shape, shapes.StructType)
    for field in shape.fields:
        sort, choices = _sort(field.type)
        if isinstance(field.type, shapes.LiteralType):
            choices = get_args(hints[field.name])  # in the order of the book
        if field.name in words and sort in ("text", "several"):
            sort, choices = ("several" if sort == "several" else "choice"), words[field.name]
            choices = choices if sort == "several" or field.default in choices else ("", *choices)
        elif sort == "several":
            continue
        if sort:
            usual = field.default if field.default not in (NODEFAULT, UNSET) else "" if sort != "several" else ()
            result.append(PlaceField(field.name, sort, told.get(field.name, ""), choices, usual))  # type: ignore[arg-type]
    return tuple(sorted(result, key=lambda place_field: (place_field.name != "light", place_field.sort not in ("choice", "side"))))


def _sort(kind: shapes.Type) -> tuple[str, tuple[str | int, ...]]:
    """How a field of a type is asked for; nothing where it is not."""
    if isinstance(kind, shapes.Metadata):
        return ("side", ()) if (kind.extra or {}).get("words") == "side" else _sort(kind.type)
    if isinstance(kind, shapes.LiteralType):
        return "choice", ()
    if isinstance(kind, shapes.BoolType):
        return "tick", ()
    if isinstance(kind, shapes.IntType | shapes.FloatType):
        return "number", ()
    if isinstance(kind, shapes.StrType):
        return "text", ()
    if isinstance(kind, shapes.VarTupleType) and isinstance(kind.item_type, shapes.StrType):
        return "several", ()
    return "", ()


@lru_cache(maxsize=64)
def words_below(described: type[Struct]) -> dict[str, str]:
    """The words below each field where a type and what it is made from declare them."""
    result: dict[str, str] = {}
    for kind in reversed(described.__mro__):
        if kind in (object, Struct) or not issubclass(kind, Struct):
            continue
        try:
            body = ast.parse(dedent(inspect.getsource(kind))).body[0]
        except (OSError, TypeError, SyntaxError, IndexError):
            continue
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            said = below.value if isinstance(below, ast.Expr) else None
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(said, ast.Constant):
                result[field.target.id] = str(said.value)
    return result
