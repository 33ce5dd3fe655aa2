"""Outcomes of rules in words: numbers with their units, rounded, without the fields that are zero, false or empty.

>>> describe({"km": 300, "hours": 3.75, "level": 0, "aboard": None, "lost": False, "stopped": True})
'300 km, 3.75 hours, stopped'
>>> describe({"total": 4, "threshold": 4, "margin": 0, "verdict": "draw"})
'draw, total 4, threshold 4'
>>> describe({"worked": False, "damage": 0})
'not worked'
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rulewright.grammar import figure

UNITS = {
    **{unit: unit for unit in ("km", "m", "cm", "kg", "kph", "gees")},
    **{f"{unit}s": unit for unit in ("second", "minute", "hour", "day", "week", "month", "year", "round", "turn", "session")},
    **{f"{unit}s": unit for unit in ("metre", "meter", "kilometre", "kilogram", "tonne", "rad", "point", "dose", "shot", "die roll")},
    "hexes": "hex",
    "boxes": "box",
    "people": "person",
    "dice": "die",
}
"""Field names that are units: the number comes before them. Each with its singular."""


def describe(value: Any, *, keep_zeros: bool = False) -> str:
    """Plain data in one line. Zero, false and empty fields are left out unless `keep_zeros` is set or nothing else remains."""
    if isinstance(value, Mapping):
        return ", ".join(_fields(value, keep_zeros)) or "nothing"
    if isinstance(value, list | tuple):
        parts = [describe(part, keep_zeros=keep_zeros) for part in value]
        return ("; " if any("," in part for part in parts) else ", ").join(parts) or "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value) if isinstance(value, int | float) else str(value)


def shown_fields(value: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that say something: neither zero nor false nor empty. If there are none, those that are false; else all."""
    telling = {name: part for name, part in value.items() if part not in (None, "", 0, False) and part != [] and part != {}}
    return telling or {name: part for name, part in value.items() if part is False} or dict(value)


def heading(name: str) -> str:
    """The name of a field as a label."""
    return name.replace("_", " ")


def _fields(value: Mapping[str, Any], keep_zeros: bool) -> Iterable[str]:
    shown = dict(value) if keep_zeros else shown_fields(value)
    verdict = shown.pop("verdict", None)
    if isinstance(verdict, str) and verdict:
        yield verdict
    for name, part in shown.items():
        if part is not True or name != verdict:  # "success, success" says nothing more
            yield _field(heading(str(name)), part, keep_zeros)


def _field(name: str, part: Any, keep_zeros: bool) -> str:
    if part is True:
        return name
    if part is False:
        return f"not {name}"
    if isinstance(part, int | float):
        before, space, unit = name.rpartition(" ")
        if unit in UNITS:
            return f"{figure(part)} {before}{space}{UNITS[unit] if part == 1 else unit}"
    if isinstance(part, Mapping):
        return f"{name} ({describe(part, keep_zeros=keep_zeros)})"
    return f"{name} {describe(part, keep_zeros=keep_zeros)}"
