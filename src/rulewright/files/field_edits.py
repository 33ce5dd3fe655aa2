"""Changes one field of plain data by its dotted name."""

import re
from collections.abc import Mapping
from typing import Any

from rulewright.errors import UserError
from rulewright.files.documents import FieldPath, did_you_mean, dotted, quoted
from rulewright.files.validation import kind_of


def set_at(data: Any, field: str | FieldPath, value: Any, *, create: bool = False) -> Any:
    """New data in which one field, `a.b.0.c`, has another value; `create` adds missing fields on the way.

    An existing name may itself contain dots. The index after a list's last entry appends one.
    """
    parts = field.split(".") if isinstance(field, str) else [str(part) for part in field]
    if not parts or "" in parts:
        raise UserError(f"{quoted(str(field))} does not name a field: expected names joined by dots, such as skills.rifles")
    return _set(data, parts, value, create, [])


def _set(data: Any, parts: list[str], value: Any, create: bool, done: list[str | int]) -> Any:
    if not parts:
        return value
    if isinstance(data, dict):
        size = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in data), 1)
        name, rest = ".".join(parts[:size]), parts[size:]
        if name not in data and rest and not create:
            raise UserError(f"{dotted([*done, name])}: unknown field{did_you_mean(name, data)}")
        return {**data, name: _set(data.get(name, {}), rest, value, create, [*done, name])}
    if isinstance(data, list | tuple):
        name, rest = parts[0], parts[1:]
        if not re.fullmatch(r"[0-9]{1,9}", name) or int(name) > len(data) or (int(name) == len(data) and rest and not create):
            known = f"from 0 to {len(data) - 1}" if data else "but the list is empty"
            raise UserError(f"{dotted([*done, name])}: expected the number of an entry, {known}")
        index = int(name)
        entry = _set(data[index] if index < len(data) else {}, rest, value, create, [*done, index])
        return [*data[:index], entry, *data[index + 1 :]]
    if data is None and create:
        return _set({}, parts, value, create, done)
    raise UserError(f"{dotted([*done, *parts])}: {dotted(done) or 'this'} is {kind_of(data)} and has no fields")


def merge(base: Any, changes: Mapping[str, Any], *, create: bool = False) -> Any:
    """New data with several fields changed, each by its dotted path."""
    for field, value in changes.items():
        base = set_at(base, field, value, create=create)
    return base
