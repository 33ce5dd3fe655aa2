"""Shell completion: games, ready-made files and rule ids. The shell completes paths itself."""

from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem


def games(context: click.Context, parameter: click.Parameter, begun: str) -> list[Any]:
    """The ids of the games."""
    from rulewright.system import find, names

    return [CompletionItem(name, help=find(name).name) for name in names() if name.startswith(begun)]


def characters(context: click.Context, parameter: click.Parameter, begun: str) -> list[Any]:
    """Ready-made characters, machines and so on, as `game/name`, and files."""
    return [*_ready_made(begun, lambda folder: folder != "scenarios"), CompletionItem(begun, type="file")]


def scenarios(context: click.Context, parameter: click.Parameter, begun: str) -> list[Any]:
    """Ready-made scenarios, as `game/name`, and files."""
    return [*_ready_made(begun, lambda folder: folder == "scenarios"), CompletionItem(begun, type="file")]


def rule_ids(context: click.Context, parameter: click.Parameter, begun: str) -> list[Any]:
    """The ids of all rules of all games."""
    from rulewright.system import find, names

    return [
        CompletionItem(rule, help=entry.title)
        for name in names()
        for rule, entry in find(name).book.index().items()
        if rule.startswith(begun)
    ]


def _ready_made(begun: str, wanted: Callable[[str], bool]) -> list[Any]:
    from rulewright.system import find, names

    references = []
    for name in names():
        for key in find(name).demos():
            folder, _, file = key.rpartition("/")
            reference = f"{name}/{file.removesuffix('.yaml')}"
            if wanted(folder) and reference.startswith(begun):
                references.append(CompletionItem(reference))
    return references
