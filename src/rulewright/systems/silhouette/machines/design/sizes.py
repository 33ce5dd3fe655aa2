"""Size, mass and volume (book lines 2825-2849, 3749-3774)."""

from bisect import bisect_left
from math import ceil

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, reckon, whole
from rulewright.systems.silhouette.machines.tables import SMALL_SIZES, SmallRow

_ID, _SMALL = "sil-4.1.2-size-mass", "sil-4.3.1-small-size-chart"
SMALL = 5
"""Up to this Size a machine is small and has tenths."""
HIGHEST_SIZE = 10_000


@cached(64)
def _chart(rules: Ruleset) -> tuple[SmallRow, ...]:
    return tuple(sorted(SMALL_SIZES(rules).values(), key=lambda row: row.size))


@rule("sil-4.1.2-size-mass")
def largest_mass(rules: Ruleset, size: float) -> Derived[int]:
    """The largest mass of a Size, in kilograms: half a Size more, times three, cubed, rounded up; small Sizes by
    their chart."""
    _refuse(size)
    if size <= SMALL:
        row = next(row for row in _chart(rules) if exact(row.size) >= exact(size))
        return whole("Largest mass", term(f"Size {row.size:g} on the small chart", row.high, rule=_SMALL, source=row.source), rule=_ID)
    side = reckon("side", term("Size", size), term("half a Size more", 0.5), times("three", 3))
    terms = (term("side", side), times("side", side.value), times("side", side.value))
    return whole("Largest mass in kg", *terms, rule=_ID, to="up")


@rule("sil-4.1.2-size-mass", "sil-4.3.1-small-size-chart")
def size_for(rules: Ruleset, mass: float) -> Derived[Figure]:
    """The Size that a target mass in kilograms needs: the smallest whose largest mass suffices (a ruling where the formula gives
    fractions)."""
    if not 0 < mass <= largest_mass(rules, HIGHEST_SIZE).value:
        raise UserError(f"the mass must be above 0 kg and at most {largest_mass(rules, HIGHEST_SIZE).value:,} kg, not {mass:g}")
    chart = _chart(rules)
    if mass <= chart[-1].high:
        row = chart[bisect_left([row.high for row in chart], mass)]
        return total("Size", term(f"{row.low} to {row.high} kg", row.size, rule=_SMALL), rule=_SMALL)
    size = max(SMALL + 1, ceil(round(float(mass) ** (1 / 3) / 3 - 0.5, 6)) - 1)
    while largest_mass(rules, size).value < mass:
        size += 1
    least = term(f"holds {mass:g} kg of at most {largest_mass(rules, size).value:,}", size)
    return total("Size", least, rule=_ID, source="ruling")


@rule("sil-4.1.2-size-mass")
def volume(size: float) -> Derived[int]:
    """The volume of a machine with access around it, in cubic metres: half its Size plus one, cubed, rounded up."""
    _refuse(size)
    side = reckon("side", term("Size", size), times("half", 0.5), term("one", 1))
    return whole("Volume in cubic metres", term("side", side), times("side", side.value), times("side", side.value), rule=_ID, to="up")


def _refuse(size: float) -> None:
    if not 0 < size <= HIGHEST_SIZE:
        raise UserError(f"Size must be above 0 and at most {HIGHEST_SIZE:,}, not {size:g}")
