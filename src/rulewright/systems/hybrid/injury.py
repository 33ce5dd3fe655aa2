"""Where a blow lands and what kinds of harm there are: the tables of chapter 8 (book lines 930-942, 1002-1065)."""

from typing import Literal

from rulewright.dice.percentile import HUNDRED, BandedPercentile
from rulewright.rules import Ruleset, Table, TableRow

DamageType = Literal["crushing", "cutting", "piercing", "projectile", "laser", "energy", "explosive"]
Location = Literal["Head", "Chest", "Abdomen", "Groin", "Upper Leg", "Lower Leg", "Foot", "Upper Arm", "Lower Arm", "Hand"]


class CalledRow(TableRow, frozen=True):
    """A target that can be called: what that costs, and the part of the body it is."""

    target: str
    df: int
    location: Location
    size: str = ""


class LocationRow(TableRow, frozen=True):
    """A part of the body: up to which roll it is hit, and what a hit there does to the roll against shock."""

    location: Location
    upto: int
    shock: int = 0
    paired: bool = False


class DamageRow(TableRow, frozen=True):
    """A type of damage: what does it, and what else follows from it."""

    type: DamageType
    done_by: str
    knockback: bool = False
    always_knockback: bool = False
    bleeding: bool = False
    shock: bool = False


class ShockRow(TableRow, frozen=True):
    """How hard shock strikes from so many points of failure on; a null modifier: nothing can be done."""

    effect: str
    failed_by: int
    df: int | None


CALLED_SHOTS = Table("hyb-8-called-shots", CalledRow)
LOCATIONS = Table("hyb-8-hit-location", LocationRow)
DAMAGE_TYPES = Table("hyb-8-damage-types", DamageRow)
SHOCK = Table("hyb-8-shock", ShockRow)


def location_dice(rules: Ruleset) -> BandedPercentile[Location]:
    """The d100 that says where a blow lands."""
    rows = sorted(LOCATIONS(rules).values(), key=lambda row: row.upto)
    return BandedPercentile(tuple((min(HUNDRED, row.upto), row.location) for row in rows))


def shock_by(rules: Ruleset, failed_by: int) -> ShockRow | None:
    """The effect of a roll against shock that failed by so much; None where it did not fail."""
    rows = sorted(SHOCK(rules).values(), key=lambda row: row.failed_by)
    return next((row for row in reversed(rows) if row.failed_by <= failed_by), None)
