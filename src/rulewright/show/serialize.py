"""Serialization: results of rules as numbers, text, lists and mappings, with their reasons."""

import enum
import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any

import msgspec
import msgspec.structs
from msgspec import Struct

from rulewright.dice.reading import Reading
from rulewright.errors import UserError
from rulewright.play import Rolled
from rulewright.rules.reasons import Derived, Reason


def plain(value: Any) -> Any:
    """Serialize any result of a rule; a derived value becomes its number."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Derived):
        return plain(value.value)
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, Reason):
        return msgspec.to_builtins(value)
    if isinstance(value, Reading):
        return {"dice": str(value), **_struct(value)} if not hasattr(value, "dice") else _struct(value)
    if isinstance(value, Struct):
        return _struct(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(part) for part in value), key=str)
    if isinstance(value, Real):
        return float(value)
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    return str(value)


def _struct(value: Struct) -> dict[str, Any]:
    """Serialize the fields and the simple properties of a structure; one with `omit_defaults` leaves out its defaults."""
    result = {name: plain(getattr(value, name)) for name in _shown(value)}
    config = value.__struct_config__
    if config.tag is not None and config.tag_field is not None:  # needed to read it back
        result = {config.tag_field: config.tag, **result}
    for kind in reversed(type(value).__mro__):
        for name, member in vars(kind).items():
            if isinstance(member, property) and not name.startswith("_"):
                try:
                    derived = getattr(value, name)
                except (UserError, LookupError, ArithmeticError, ValueError):  # the fields do not fit together
                    continue
                if isinstance(derived, bool | int | str | float):
                    result[name] = plain(derived)
    return result


def _shown(value: Struct) -> Iterable[str]:
    if not value.__struct_config__.omit_defaults:
        return value.__struct_fields__
    known = msgspec.structs.fields(type(value))
    return [field.name for field in known if getattr(value, field.name) != field.default]


def reasons(value: Any) -> list[Reason]:
    """Collect all reasons in a value, at any depth."""
    if isinstance(value, Derived):
        return [value.reason]
    if isinstance(value, Reason):
        return [value]
    if isinstance(value, Struct) and not isinstance(value, Reading):
        return [candidate for name in value.__struct_fields__ for candidate in reasons(getattr(value, name))]
    if isinstance(value, Mapping):
        return [candidate for part in value.values() for candidate in reasons(part)]
    if isinstance(value, list | tuple):
        return [candidate for part in value for candidate in reasons(part)]
    return []


def rolled(dice: Rolled) -> dict[str, Any]:
    """Serialize a roll."""
    roll = dice.roll
    return {
        "by": roll.by or None,
        "what": roll.what,
        "dice": str(roll.reading),
        "faces": list(dice.faces),
        "kept": list(dice.kept),
        "result": plain(dice.result),
    }


def roll_reasons(dice: Rolled) -> tuple[Reason, ...]:
    """The reasons of a roll: its dice and its modifier."""
    reading = dice.roll.reading
    terms = [Reason(label, value) for label, value in reading.explain(dice.faces)]
    modifier = getattr(reading, "modifier", 0)
    if isinstance(modifier, int) and modifier:
        terms.append(Reason("modifier", modifier))
    return tuple(terms)


def sums_of(rolls: "Iterable[Rolled]", explain: "Callable[[Rolled], tuple[Reason, ...]] | None" = None) -> list[Reason]:
    """The reasons of a test: the terms of its roll, or one sum for each of several rolls."""
    explained = [(fell, (explain or roll_reasons)(fell)) for fell in rolls]
    if len(explained) == 1:
        return list(explained[0][1])
    sums = []
    for fell, terms in explained:
        total = getattr(fell.result, "total", fell.result)
        shown = total if isinstance(total, int | float | str) else words(plain(fell.result))
        label = ", ".join(filter(None, (fell.roll.by, fell.roll.what))) or "roll"
        sums.append(Reason(label, shown, "=", terms=terms))
    return sums


NO_FRACTIONS = 100_000
"""Numbers from here on are written without fractions, and never with an exponent."""


def words(value: Any) -> str:
    """Plain data in one line, every field of it. For people, see `rulewright.show.prose`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= NO_FRACTIONS else f"{value:g}"
    if isinstance(value, dict):
        return ", ".join(_pair(str(name), part) for name, part in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return "[" + "; ".join(words(part) for part in value) + "]" if value else "none"
    return str(value)


def _pair(name: str, value: Any) -> str:
    name = name.replace("_", " ")
    if value is True:
        return name
    if value is False:
        return f"not {name}"
    return f"{name} ({words(value)})" if isinstance(value, dict) else f"{name} {words(value)}"
