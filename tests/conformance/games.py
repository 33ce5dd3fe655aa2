"""What the conformance suite runs on: every registered game, its ready-made files, its scenarios, and tests in its notation."""

from functools import cache
from importlib import import_module

import pytest

from rulewright import library, system
from rulewright.errors import UserError
from rulewright.library import Kept, Staged


def _begun(name: str) -> bool:
    """Whether a game of this repository is still being built: its folder exists, its SYSTEM does not."""
    return name in system.HOUSE and not hasattr(import_module(f"rulewright.systems.{name}"), "SYSTEM")


NAMES = [name for name in system.names() if not _begun(name)]
NOTATIONS = {
    "scumm": ("3d+1", "3d+1 vs 5", "3d+1 vs 2d", "unskilled-1 vs 4", "2d+3ed vs 6"),
    "silhouette": ("3d+1", "3d+1 vs 5", "3d+1 vs 2d", "unskilled-1 vs 4"),
    "hybrid": ("DF 12", "DF 30"),
    "ore": ("7d", "5d+1ed+1md diff 4"),
    "foresight": ("14 x 5-1+1",),
    "pebbles": ("3c", "3c vs 2", "3c vs 2c", "0c vs 1c"),
}
"""Tests as people write them. For a game that is not listed, the tests on its sheets are used."""

SEEDS = (1, 2)
seeds = pytest.mark.parametrize("seed", [SEEDS[0], *[pytest.param(seed, marks=pytest.mark.thorough) for seed in SEEDS[1:]]])
"""Every scenario is played with the first seed in `make test`, with the others in `make thorough`."""


@cache
def demos(kind: str | None = None) -> list[str]:
    """`game/folder/name` of everything that ships with any game."""
    found = [f"{name}/{key.removesuffix('.yaml')}" for name in NAMES for key in system.find(name).demos()]
    return [one for one in found if kind is None or taken(one).kind == kind]


@cache
def taken(name: str) -> Kept:
    return library.take(name)


@cache
def things() -> list[str]:
    """Characters, machines, creatures: all kinds that a game saves."""
    return [one for one in demos() if taken(one).kind in taken(one).system.kinds]


@cache
def staged(name: str) -> Staged:
    return library.stage(name)


def written() -> list[tuple[str, str]]:
    """Games and tests in their notation."""
    return [(name, notation) for name in NAMES for notation in NOTATIONS.get(name) or _offered(name)]


def _offered(name: str) -> list[str]:
    """A few tests that the sheets of a game offer."""
    game = system.find(name)
    rules = game.book.ruleset()
    own = [taken(one).thing for one in things() if taken(one).system.id == name]
    return sorted({test.notation for thing in own for test in game.sheet(rules, thing).tests().values()})[:5]


def with_options(book):
    """The ruleset with every option that works together with those before it."""
    chosen = {}
    for option in [name for name, setting in book.settings.items() if setting.default is False]:
        try:
            book.ruleset(settings={**chosen, option: True})
        except UserError:
            continue
        chosen[option] = True
    return book.ruleset(settings=chosen)
