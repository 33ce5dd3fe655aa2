"""Advantages as company qualities, and growing companies (book lines 1117-1120, 1191-1194, 1538-1559)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.systems.ore.resolution.tests import Pool, make_test

QUALITIES = ("influence", "might", "sovereignty", "territory", "treasure")
FULL = 6


class TreasureRow(TableRow, frozen=True):
    """The minimum money of a Treasure rating."""

    treasure: int
    pounds: int
    dollars: int


class TierRow(TableRow, frozen=True):
    """A tier of companies: money factor, uses per month, Special Die, and Difficulty to reach it."""

    tier: str
    money: int
    uses: int
    die: Literal["none", "expert", "master"]
    difficulty: int = 0


COMPANY_QUALITIES = Column("ore-2.42-company-qualities", "advantage", quality=str)
"""An advantage and its company quality."""
TREASURE = Table("ore-2.42-company-treasure", TreasureRow)
TIERS = Table("ore-2.42-opt-company-tiers", TierRow)


@rule("ore-2.42-company-qualities")
def quality_level(rules: Ruleset, advantage: str = "estate", points: int = 3) -> tuple[str, int]:
    """Every three points of an advantage are a level of its company quality."""
    return COMPANY_QUALITIES.of(rules, advantage), points // 3


@rule("ore-2.42-company-treasure")
def treasure_rating(rules: Ruleset, pounds: int = 50000, tier: str = "company") -> int:
    """The Treasure of an amount of money; higher tiers need 10 and 100 times as much."""
    factor = TIERS.get(rules, tier).money
    return max((row.treasure for row in TREASURE(rules).values() if pounds >= row.pounds * factor), default=0)


class Company(Struct, frozen=True):
    """A company: tier and five qualities."""

    tier: str = "company"
    influence: int = FULL
    might: int = FULL
    sovereignty: int = FULL
    territory: int = FULL
    treasure: int = FULL


NEWLY_FULL = Company()


@rule("ore-2.42-opt-company-tiers")
def company_pool(rules: Ruleset, company: Company = NEWLY_FULL, first: str = "sovereignty", second: str = "territory") -> Pool:
    """Two qualities, of whose dice the tier makes one an Expert or Master Die."""
    die = TIERS.get(rules, company.tier).die
    dice = int(getattr(company, first)) + int(getattr(company, second))
    special = (min(dice, int(die == "expert")), min(dice, int(die == "master")))
    return Pool(dice - sum(special), *special)


@rule("ore-2.42-opt-company-tiers")
def promote(
    rules: Ruleset,
    company: Company = NEWLY_FULL,
    gives: Literal["influence", "might", "sovereignty", "territory", "treasure"] = "might",
    by: str = "",
) -> Play[Company]:
    """A company with 6 in every quality may rise: Sovereignty and Territory at Difficulty 6, or 8 to the last tier. Success costs a
    point of every quality and brings the tier's Special Die; failure costs a point of the quality it `gives`."""
    tiers = list(TIERS(rules).values())
    at = next((place for place, row in enumerate(tiers) if row.tier == company.tier), None)
    if at is None or at + 1 >= len(tiers):
        raise UserError(f"there is no tier above {company.tier}")
    values = {name: int(getattr(company, name)) for name in QUALITIES}
    if min(values.values()) < FULL:
        raise UserError(f"only a company with {FULL} in every quality can be promoted")
    outcome = yield from make_test(rules, company_pool(rules, company), tiers[at + 1].difficulty, "widest", by, "promotion")
    if outcome.success:
        return Company(tiers[at + 1].tier, **{name: value - 1 for name, value in values.items()})
    return Company(company.tier, **{name: value - (name == gives) for name, value in values.items()})
