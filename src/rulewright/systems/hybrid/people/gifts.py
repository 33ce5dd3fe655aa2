"""What is inborn: gifts, statistics better in one area, psionics and magic, presence, disadvantages (book lines 1535-1595, 2393-2437)."""

from fractions import Fraction
from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Figures, Ruleset, nearest, rule
from rulewright.rules.reasons import Derived, Reason, Source, rounded_down, rounded_up, term, times, total
from rulewright.systems.hybrid.people.statistics import stat_name
from rulewright.systems.hybrid.people.traits import DRAWBACKS, GIFTS, STAT_COSTS
from rulewright.systems.hybrid.resolution.tests import Mod

ABILITIES = {"psi": "Active PSI", "magic": "Mage Ability"}
"""The gifts that open psionics and magic; their price is a setting."""
EIDETIC = "Eidetic Memory"
AMBIDEXTERITY = "Ambidexterity"
PRESENCE = Figures("hyb-9-presence")
ENHANCED, PSI_GIFT, MAGE_GIFT = Figures("hyb-9-enhanced-stats"), Figures("hyb-9-psi-gift"), Figures("hyb-12-mage-gift")


# --- statistics (lines 1514-1533, 2319-2373) ----------------------------------------------------------------------------------


@rule("hyb-9-stat-costs")
def stat_price(rules: Ruleset, stat: str = "PST", points: int = 1) -> Derived[int]:
    """Returns the price for a beginner of raising a statistic, so much a point. PEX, MEX and Speed have no price and cannot be bought."""
    name = stat_name(stat)
    row = STAT_COSTS(rules).get(name)
    if row is None:
        raise UserError(f"{stat} has no price and cannot be bought{nearest(name, STAT_COSTS(rules))}")
    reason = term(f"a point of {name}", row.cost, source=row.source)
    return total(f"{name} {points:+}", reason, times("points", points), rule="hyb-9-stat-costs", source=row.source)


# --- the general principle (lines 1545-1551, 1717) ----------------------------------------------------------------------------


@rule("hyb-9-enhancement-principles")
def trait_points(rules: Ruleset, price: int = 2, depth: int = 1, scope: int = 1) -> Derived[int]:
    """Price or worth of a trait: what one point in one area costs, times its depth (how much), times its scope (how many areas).

    A trait without depth of its own counts once for every area (ruling: the book says only that both govern the cost).
    """
    deep = max(1, depth)
    parts = (term("a point in one area", price), times("depth", deep), times("scope: areas", max(1, scope)))
    return total("points", *parts, rule="hyb-9-enhancement-principles", source="ruling")


@rule("hyb-9-enhancement-principles")
def limitation_gives(rules: Ruleset, name: str = "Albino", gives: int | None = None, scope: int = 1, depth: int = 0) -> Derived[int]:
    """The points that a disadvantage gives to a pool of one's choice: by the book's list, or as agreed with the gamemaster."""
    row = DRAWBACKS(rules).get(name)
    if row is None and gives is None:
        raise UserError(f"what {name!r} gives must be agreed with the gamemaster{nearest(name, DRAWBACKS(rules))}")
    number = gives if gives is not None else row.gives if row is not None else 0
    source: Source = row.source if row is not None and gives is None else "house"
    whole = trait_points(rules, number, depth, scope)
    return total(f"limitation: {name}", *whole.reasons, rule="hyb-9-enhancement-principles", source=source)


# --- gifts of the list (lines 1553-1577, 2397-2419) ---------------------------------------------------------------------------


@rule("hyb-9-enhancement-list")
def gift_price(rules: Ruleset, name: str = "Ambidexterity", cost: int | None = None, scope: int = 1, depth: int = 0) -> Derived[int]:
    """Returns the price of a gift: by the list, or as agreed with the gamemaster. The bare ability for magic or psionics is 20 (ruling)."""
    row = GIFTS(rules).get(name)
    if row is None and cost is None:
        raise UserError(f"{name!r} is not among the gifts: agree on a price with the gamemaster{nearest(name, GIFTS(rules))}")
    source: Source = "house"
    if cost is None and row is not None:
        ability = name in ABILITIES.values() and row.source != "house"
        cost = rules.number("ability-price") if ability else row.cost
        source = rules.source("ability-price") if ability else row.source
    whole = trait_points(rules, cost or 0, depth, scope)
    return total(f"gift: {name}", *whole.reasons, rule="hyb-9-enhancement-list", source=source)


@rule("hyb-9-enhancement-list")
def memory_bonus(rules: Ruleset, gifts: tuple[str, ...] = (EIDETIC,)) -> Mod:
    """The bonus of Eidetic Memory to every roll of memory: 3 (ruling; 2 in chapters 9 and 10)."""
    row = GIFTS(rules).get(EIDETIC)
    if row is None or EIDETIC not in gifts:
        return Mod("memory", 0, "hyb-9-enhancement-list")
    return Mod(EIDETIC, row.df if row.source == "house" else rules.number("eidetic-bonus"), "hyb-9-enhancement-list")


# --- better in one area (lines 1579-1589, 2421-2431) --------------------------------------------------------------------------


def _part_price(rules: Ruleset, label: str, stat: str, percent: int, *, points: int, rule_id: str) -> Derived[int]:
    whole, part = stat_price(rules, stat), Fraction(percent, 100)
    rounds = rounded_down() if rules.word("part-prices") == "down" else rounded_up()
    derived = total(
        label, term(f"a point of {stat_name(stat)}", whole), term("share", str(part), "×"), rounds, source=rules.source("part-prices")
    )
    share = term(f"a point of {stat_name(stat)} × {part}", derived, rule=rule_id)
    return total(label, share, times("points", points), rule=rule_id)


@rule("hyb-9-enhanced-stats")
def enhanced_price(rules: Ruleset, stat: str = "PAW", points: int = 4) -> Derived[int]:
    """A statistic that is better in one narrow area: half its price for every point, rounded up (ruling)."""
    percent = ENHANCED.of(rules, "percent of the price")
    return _part_price(rules, f"{stat_name(stat)} {points:+} in one area", stat, percent, points=points, rule_id="hyb-9-enhanced-stats")


@rule("hyb-9-enhanced-stats")
def enhanced_value(rules: Ruleset, value: int = 12, points: int = 4, area: str = "smells") -> Derived[int]:
    """Returns the value for a direct roll in the area: the statistic and the points, which count once, like ranks (ruling).

    Nothing that is worked out from the statistic changes with it.
    """
    parts = (term("the statistic itself", value), Reason(f"enhanced for {area}", points, "+", "hyb-9-enhanced-stats"))
    return total(f"on direct rolls for {area}", *parts, rule="hyb-9-enhanced-stats")


@rule("hyb-9-psi-gift")
def psi_gift_price(rules: Ruleset, points: int = 1, scope: Literal["broad", "specific"] = "broad") -> Derived[int]:
    """More energy for psionics: three quarters of the price of NRG for a broad category, half of it for one skill; rounded up a point."""
    percent = PSI_GIFT.of(rules, f"percent of the price, {scope}")
    return _part_price(rules, f"psi gift, {scope}", "NRG", percent, points=points, rule_id="hyb-9-psi-gift")


@rule("hyb-12-mage-gift")
def mage_gift_price(rules: Ruleset, points: int = 1, scope: Literal["broad", "specific"] = "broad") -> Derived[int]:
    """More energy for a field of magic: three quarters of the price of NRG, rounded up a point; for a single spell 5 (ruling)."""
    if scope == "broad":
        percent = MAGE_GIFT.of(rules, "percent of the price, broad")
        return _part_price(rules, "mage gift, broad", "NRG", percent, points=points, rule_id="hyb-12-mage-gift")
    result = rules.number("single-spell-price")
    price = Reason("a point for one spell", result, "+", "hyb-12-mage-gift", rules.source("single-spell-price"))
    return total("mage gift, one spell", price, times("points", points), rule="hyb-12-mage-gift")


def heightened_price(rules: Ruleset, power: Literal["psi", "magic"], scope: Literal["broad", "specific"], points: int) -> Derived[int]:
    """Returns the price of a gift for psionics or for magic."""
    return psi_gift_price(rules, points, scope) if power == "psi" else mage_gift_price(rules, points, scope)


# --- presence (lines 1591-1595, 2433-2437) ------------------------------------------------------------------------------------


@rule("hyb-9-presence")
def presence_price(rules: Ruleset, steps: int = 1) -> Derived[int]:
    """Presence costs 2 points a step, whether it draws eyes or turns them away."""
    parts = (term("a step", PRESENCE.of(rules, "price of a step")), times("steps up or down", abs(steps)))
    return total(f"presence {steps:+}", *parts, rule="hyb-9-presence")


@rule("hyb-9-presence")
def presence_noticed(rules: Ruleset, steps: int = -2) -> Mod:
    """The modifier of presence for people who might notice one: each step makes it a point easier, each step below none a point harder.

    The book prices steps and calls less presence stealth; that a step is a point of the Difficulty Factor is a ruling.
    """
    return Mod("presence" if steps >= 0 else "presence: stealth", steps, "hyb-9-presence")
