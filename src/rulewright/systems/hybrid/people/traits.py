"""Price tables of creation: statistics, gifts, disadvantages, ties and careers (book chapters 9 to 12)."""

from typing import Literal

from msgspec import field

from rulewright.rules import Column, Table, TableRow


class GiftRow(TableRow, frozen=True):
    """A character enhancement: its price and what it does; `df` where it makes checks easier."""

    name: str
    cost: int
    effect: str
    df: int = 0


class DrawbackRow(TableRow, frozen=True):
    """A disadvantage and the points it gives."""

    name: str
    gives: int
    effect: str


class ReachRow(TableRow, frozen=True):
    """A step of scope (up to so many people) or of depth (worth so much DF)."""

    name: str
    group: Literal["scope", "depth"]
    cost: int
    people: int = 0
    df: int = 0


class CareerRow(TableRow, frozen=True):
    """A career: points and money of a good year, the modifiers of its three rolls, and the status that its ranks need."""

    career: str
    points: int
    money: int
    rolls: tuple[int, int, int]
    ranks: dict[str, int] = field(default_factory=dict)


STAT_COSTS = Column("hyb-9-stat-costs", "stat", cost=int)
"""What one more point of a statistic costs a beginner."""
GIFTS = Table("hyb-9-enhancement-list", GiftRow)
DRAWBACKS = Table("hyb-9-enhancement-principles", DrawbackRow)
REACH = Table("hyb-9-environmental", ReachRow)
CAREERS = Table("hyb-11-careers", CareerRow)
VARIATIONS = Column("hyb-11-variations", "variation", setting=str)
"""A variant of creation that the book names, and the setting that has it."""
