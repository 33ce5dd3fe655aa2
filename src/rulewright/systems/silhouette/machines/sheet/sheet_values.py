"""Derived values and choices as pieces of a sheet."""

from collections.abc import Iterable
from typing import Any

from rulewright.build.sheet_parts import Choosable, Pick, Value
from rulewright.rules.reasons import Derived


def value(key: str, name: str, derived: Derived[Any], note: str = "") -> Value:
    """A derived value as a piece."""
    why = derived.reason
    return Value(name=name, rule=why.rule, note=note, key=key, value=why.value, reasons=why.terms or (why,), source=why.source)


def pick(name: str, rule: str, field: str, chosen: object, *, options: Iterable[str | Choosable], note: str = "") -> Pick:
    """A choice of one option."""
    made = tuple(option if isinstance(option, Choosable) else Choosable(option, option) for option in options)
    return Pick(name=name, rule=rule, note=note, field=field, value=str(chosen), options=made)
