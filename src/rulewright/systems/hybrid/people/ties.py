"""Ties: friends, reputation and income, priced by scope and depth (book lines 1597-1645, 2439-2480)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Figures, Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded, term, times, total
from rulewright.systems.hybrid.people.traits import REACH, ReachRow
from rulewright.systems.hybrid.resolution.tests import Mod

PERCENT_FOR_POINT = 5
"""DF 12 is printed as +60 %: five for each point, here and nowhere else (ruling)."""
INCOME = Figures("hyb-9-environmental-uses")


def most_people(rules: Ruleset) -> int:
    """The most people that the table of scope goes up to."""
    return max(row.people for row in REACH(rules).values() if row.group == "scope")


def scope_row(rules: Ruleset, people: int) -> ReachRow:
    """The step of scope that so many people are."""
    rows = sorted((row for row in REACH(rules).values() if row.group == "scope"), key=lambda row: row.people)
    if people < 1 or people > rows[-1].people:
        raise UserError(f"scope goes from 1 to {rows[-1].people} people, not {people}")
    return next(row for row in rows if people <= row.people)


def depth_row(rules: Ruleset, depth: str) -> ReachRow:
    """A step of depth."""
    row = REACH.get(rules, depth)
    if row.group != "depth":
        raise UserError(f"{depth!r} is not a depth")
    return row


@rule("hyb-9-environmental")
def tie_price(rules: Ruleset, people: int = 1, depth: str = "very high") -> Derived[int]:
    """Returns the price of something that rests on other people: the price of its scope and the price of its depth, added."""
    wide, deep = scope_row(rules, people), depth_row(rules, depth)
    parts = (
        Reason(f"scope {wide.name}", wide.cost, "+", "hyb-9-environmental", wide.source),
        Reason(f"depth {deep.name}", deep.cost, "+", "hyb-9-environmental", deep.source),
    )
    return total("scope and depth", *parts, rule="hyb-9-environmental")


@rule("hyb-9-environmental")
def aid(rules: Ruleset, depth: str = "very high") -> Derived[int]:
    """Returns what depth adds to the chance of aid, in percent: five for every point of its Difficulty Factor (ruling)."""
    row = depth_row(rules, depth)
    parts = (term(f"DF of {row.name}", row.df, source=row.source), times("percent a point", PERCENT_FOR_POINT, source="ruling"))
    return total("percent on the chance of aid", *parts, rule="hyb-9-environmental")


@rule("hyb-9-environmental-uses")
def friends(rules: Ruleset, people: int = 1, depth: str = "very high") -> Mod:
    """Friends, allies, contacts: how many is their scope, how willing they are their depth; what it adds when they are asked for help."""
    scope_row(rules, people)
    return Mod("willing to help", depth_row(rules, depth).df, "hyb-9-environmental-uses")


@rule("hyb-9-environmental-uses")
def reputation(rules: Ruleset, people: int = 100, depth: str = "medium") -> Mod:
    """A reputation: how far it reaches is its scope, how surely one is known its depth; what it adds to being recognized."""
    scope_row(rules, people)
    return Mod("recognized", depth_row(rules, depth).df, "hyb-9-environmental-uses")


@rule("hyb-9-environmental-uses")
def income(rules: Ruleset, people: int = 100, depth: str = "medium") -> Derived[float]:
    """An income: about a third of what its points would be as plain wealth, again and again while its owner looks after it.

    Its size is the scope, the freedom from looking after it the depth. Kept to one decimal (ruling).
    """
    price, part = tie_price(rules, people, depth), INCOME.of(rules, "income is a part of", least=1)
    parts = (
        term("scope and depth", price, rule="hyb-9-environmental"),
        divided("a third" if part == 3 else "a part", part),
        rounded(0.1),
    )
    return total("wealth points again and again", *parts, rule="hyb-9-environmental-uses")


@rule("hyb-9-environmental-uses")
def upkeep(rules: Ruleset, depth: str = "medium") -> Mod:
    """How free of managing an income one is: its depth, on whatever roll keeping it up takes."""
    return Mod("free of managing it", depth_row(rules, depth).df, "hyb-9-environmental-uses")


Use = Literal["friends", "reputation", "incomes"]
USES: tuple[Use, ...] = ("friends", "reputation", "incomes")
