"""Repairs that remove an entry or correct its spelling."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from rulewright.build.audit import Repair, near_to, without_key, without_place


def drop_place(part: str, entries: Sequence[Any], place: int, text: str = "leave it out") -> Repair:
    """Take one entry out of a list."""
    return Repair(text, *without_place(part, msgspec.to_builtins(entries), place))


def drop_entry(part: str, entries: dict[Any, Any], key: str, text: str = "leave it out") -> Repair:
    """Take one entry out of a mapping."""
    return Repair(text, *without_key(part, entries, key))


def meant(field: str, name: str, known: Iterable[str], otherwise: Any) -> Repair:
    """The name that was probably meant, or a usual one."""
    near = near_to(name, tuple(known)) or otherwise
    return Repair(f"write {near}", field, near)
