"""The fields of a scene's place, with their choices, for forms.

Their descriptions are the docstrings below the fields in the game's type.
"""

import ast
import inspect
from collections.abc import Mapping
from textwrap import dedent
from typing import Any, Literal, get_args, get_type_hints

import msgspec.inspect as shapes
from msgspec import NODEFAULT, UNSET, Struct

from rulewright.play.cache import cached

Sort = Literal["choice", "several", "tick", "number", "side", "text"]


class PlaceField(Struct, frozen=True):
    """One field of a place."""

    name: str
    """Its name in a scenario file."""
    sort: Sort
    about: str = ""
    choices: tuple[str | int, ...] = ()
    usual: Any = ""

    @property
    def label(self) -> str:
        """Its label on a page."""
        return self.name.replace("_", " ")


def place_fields(described: type[Struct] | None, words: Mapping[str, tuple[str, ...]]) -> tuple[PlaceField, ...]:
    """All fields of a place that a form can offer, light first. Lists of structures can only be given in a file.

    `words` are the choices of the rules for fields that are plain text in the type.
    """
    if described is None:
        return ()
    descriptions, hints, fields = words_below(described), get_type_hints(described), []
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
            fields.append(PlaceField(field.name, sort, descriptions.get(field.name, ""), choices, usual))  # type: ignore[arg-type]
    return tuple(sorted(fields, key=lambda place_field: (place_field.name != "light", place_field.sort not in ("choice", "side"))))


def _sort(kind: shapes.Type) -> tuple[str, tuple[str | int, ...]]:
    """How a form asks for a field of a type; empty if it does not."""
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


@cached(64)
def words_below(described: type[Struct]) -> dict[str, str]:
    """The docstring below each field of a type and its bases."""
    description_by_field: dict[str, str] = {}
    for kind in reversed(described.__mro__):
        if kind in (object, Struct) or not issubclass(kind, Struct):
            continue
        try:
            body = ast.parse(dedent(inspect.getsource(kind))).body[0]
        except (OSError, TypeError, SyntaxError, IndexError):
            continue
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            docstring = below.value if isinstance(below, ast.Expr) else None
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(docstring, ast.Constant):
                description_by_field[field.target.id] = str(docstring.value)
    return description_by_field
