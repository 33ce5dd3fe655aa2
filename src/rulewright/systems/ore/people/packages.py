"""Packages, disadvantages and Element Points (book lines 1560-1830)."""

from typing import Literal

from msgspec import Struct, field

from rulewright.errors import UserError
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_up, term, total
from rulewright.systems.ore.people.advantages import ADVANTAGES, advantage_cost
from rulewright.systems.ore.people.skills import element_cost

ELEMENT_POINT = 5


class PackageItem(Struct, frozen=True, forbid_unknown_fields=True):
    """An item of a package: a point of a statistic, a skill, or an advantage."""

    buy: Literal["statistic", "skill", "advantage"]
    what: str
    rating: int = 0
    first: int = 0
    second: int = 0
    choice: str = ""
    when: str = ""
    points: int | None = None
    kind: Literal["broad skill", "narrow skill", "specialist skill", "action skill"] = "broad skill"


class PackageRow(TableRow, frozen=True):
    """A package: items, and disadvantages with ratings."""

    package: str
    items: tuple[PackageItem, ...]
    disadvantages: dict[str, int] = field(default_factory=dict)


class DisadvantageRow(TableRow, frozen=True):
    """A suggested disadvantage."""

    disadvantage: str
    kind: str
    rating: int
    effect: str
    difficulty: int = 0
    pounds: int = 0


class ChartRow(TableRow, frozen=True):
    """A row of the example charts: Element Points and what they buy."""

    points: int
    statistics: int
    upbringing: str


PACKAGES = Table("ore-2.44-example-packages", PackageRow)
DISADVANTAGES = Table("ore-2.44-disadvantage-catalogue", DisadvantageRow)
CHARTS = Table("ore-2.43-opt-archetype-build", ChartRow)


def item_cost(rules: Ruleset, item: PackageItem) -> Derived[int]:
    """The cost of an item."""
    if item.points is not None:
        return total(item.what.capitalize(), term("as printed", item.points))
    if item.buy == "statistic":
        return element_cost(rules, "statistic", item.rating)
    if item.buy == "skill":
        return element_cost(rules, item.kind, item.rating)
    if item.what not in ADVANTAGES(rules):
        raise UserError(f"the book has no advantage {item.what!r}; the package must give its cost")
    return advantage_cost(rules, item.what, item.rating, item.first, item.second)


@rule("ore-2.44-packages")
def package_cost(rules: Ruleset, package: str = "slayer") -> Derived[int]:
    """The cost of a package: all items minus disadvantages, at least 0."""
    row = PACKAGES.get(rules, package)
    terms = [term(f"{item.what}{f' ({item.choice})' if item.choice else ''}", item_cost(rules, item)) for item in row.items]
    lowered = disadvantages_worth(rules, row.disadvantages)
    terms.append(less("disadvantages", lowered, rule="ore-2.44-disadvantages"))
    return total(f"Package {package}", *terms, at_least(0), rule="ore-2.44-packages")


@rule("ore-2.44-disadvantages")
def disadvantages_worth(rules: Ruleset, ratings: dict[str, int]) -> Derived[int]:
    """A disadvantage, rated 1 to 5, reduces the cost of its package; it cannot be taken alone."""
    for name, rating in ratings.items():
        if not 1 <= rating <= 5:
            raise UserError(f"{name}: a disadvantage has a rating from 1 to 5, not {rating}")
    terms = [term(name, rating) for name, rating in ratings.items()]
    return total("Disadvantages", *terms, rule="ore-2.44-disadvantages")


@rule("ore-2.44-disadvantages")
def addiction_rating(need: int = 2, source: int = 3) -> int:
    """The rating of an addiction: need plus source, even above 5. By id only."""
    if not 1 <= need <= 5 or source not in (0, 2, 3, 4, 5):
        raise UserError("a need has a rating from 1 to 5, its source from 2 to 5 or 0")
    return need + source


@rule("ore-2.44-disadvantages")
def days_resisted(psyche: int = 2) -> int:
    """The days a need can be resisted, at its rating as Difficulty. By id only."""
    return max(0, psyche)


@rule("ore-2.43-opt-archetype-build")
def element_points(points: int = 50) -> int:
    """Element Points: points divided by five."""
    return points // ELEMENT_POINT


@rule("ore-2.44-packages")
def package_elements(rules: Ruleset, package: str = "slayer") -> Derived[int]:
    """The cost of a package in Element Points: rounded up."""
    cost = package_cost(rules, package)
    return total("Element Points", term("points", cost), divided("points per Element Point", ELEMENT_POINT), rounded_up())


@rule("ore-2.43-opt-archetype-build")
def charted_statistics(rules: Ruleset, points: int = 0) -> Derived[int]:
    """Points of statistics for Element Points on the example chart: six free, plus one each."""
    rows = CHARTS(rules)
    most = max(row.points for row in rows.values())
    listed = rows[str(min(max(points, 0), most))].statistics
    return total("Statistics", term("on the chart", listed), term("one per extra point", max(0, points - most)))
