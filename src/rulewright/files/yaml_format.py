"""Formats plain data as YAML."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rulewright.files.documents import WIDTH, Header
from rulewright.files.yaml_scalars import key_text, scalar


def render(data: Mapping[str, Any]) -> str:
    """Plain data as YAML that people can read and edit."""
    return "".join(line + "\n" for line in fields_text(without_tuples(data), 0)) or "{}\n"


def ordered(thing: Any) -> dict[str, Any]:
    """An object as plain data, with the header fields first."""
    data = msgspec.to_builtins(thing)
    return {**{key: data[key] for key in Header.__struct_fields__ if key in data}, **data}


def without_tuples(value: Any) -> Any:
    """The value with all tuples turned into lists."""
    if isinstance(value, Mapping):
        return {name: without_tuples(item) for name, item in value.items()}
    return [without_tuples(item) for item in value] if isinstance(value, list | tuple) else value


def fields_text(data: Mapping[str, Any], indent: int) -> list[str]:
    return [line for name, value in data.items() for line in entry_text(" " * indent + key_text(name) + ":", value, indent)]


def entry_text(prefix: str, value: Any, indent: int) -> list[str]:
    """The lines of one field or list entry; `prefix` ends in `name:` or `-`, `indent` is its column."""
    item = prefix.endswith("-") and prefix.strip() == "-"
    if isinstance(value, dict) and value:
        if item and not any(isinstance(v, dict | list) for v in value.values()) and fits(text := _flow(value), len(prefix)):
            return [f"{prefix} {text}"]
        lines = fields_text(value, indent + 2)
        return [f"{prefix} {lines[0].lstrip(' ')}", *lines[1:]] if item else [prefix, *lines]
    if isinstance(value, list) and value:
        if not any(isinstance(v, dict | list) for v in value) and fits(text := _flow(value), len(prefix)):
            return [f"{prefix} {text}"]
        return [prefix, *(line for v in value for line in entry_text(" " * (indent + 2) + "-", v, indent + 2))]
    if isinstance(value, str) and literal(value):
        lines = value.removesuffix("\n").split("\n")
        return [f"{prefix} |" + ("" if value.endswith("\n") else "-"), *(" " * (indent + 2) + line if line else "" for line in lines)]
    return [f"{prefix} {_flow(value)}"]


def fits(text: str, used: int) -> bool:
    return used + 1 + len(text) <= WIDTH


def literal(text: str) -> bool:
    """Whether a text reads well as a literal block."""
    return (
        "\n" in text.removesuffix("\n")
        and text[0] not in " \n"
        and not text.endswith("\n\n")
        and all(line.isprintable() and line == line.rstrip() for line in text.split("\n"))
    )


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text(name)}: {flow_item(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_item, value)) + "]"
    return scalar(value)


def flow_item(value: Any) -> str:
    return scalar(value, flow=True) if isinstance(value, str) else _flow(value)


# Text that other YAML readers do not read as text: yes and no, dates, times, 1_000.
