"""The five games as sides of conversions."""

from typing import Any

import pytest

from rulewright.build.portrait import Rating
from rulewright.conversion import Side, side_of
from rulewright.system import find

GAMES = ("scumm", "silhouette", "hybrid", "ore", "foresight")
PAIRS = [(one, other) for one in GAMES for other in GAMES if one != other]


@pytest.fixture(scope="session")
def sides() -> dict[str, Side]:
    """Every game with its usual rules."""
    return {name: side_of(find(name), find(name).book.ruleset()) for name in GAMES}


def person(side: Side, archetype: str) -> Any:
    """A ready-made person."""
    return side.system.new(side.rules, "character", archetype)


def mean_values(side: Side) -> dict[str, int]:
    """Everybody's attributes at the average."""
    return {rating.key: rating.ordinary for rating in side.portrayal.ratings(side.rules) if rating.attribute}


def written(side: Side) -> list[Rating]:
    """The ratings that conversion writes and that stand for something."""
    return [rating for rating in side.portrayal.ratings(side.rules) if rating.written and rating.covers]
