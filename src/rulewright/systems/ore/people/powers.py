"""Common rules of powers: statistic, skill, effects and prices (book lines 752-802). Chapter 5 has the powers."""

from rulewright.errors import UserError
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.ore.people.skills import element_cost
from rulewright.systems.ore.resolution.tests import Pool

MOST = 6
"""The highest Power Statistic and Power Skill."""


@rule("ore-2.07-powers-general")
def power_pool(power_statistic: int = 2, power_skill: int = 2) -> Pool:
    """The pool of a developed power: Power Statistic and Power Skill."""
    if not 0 <= power_statistic <= MOST or not 0 <= power_skill <= MOST:
        raise UserError("Power Statistics and Power Skills go from 0 to 5, or to 6 for Grandmasters")
    return Pool(power_statistic + power_skill)


@rule("ore-2.07-powers-general")
def effect_limit(rules: Ruleset, power_statistic: int = 2, power_skill: int = 2) -> int:
    """Effects are at most the Power Statistic."""
    return min(5, power_statistic)


@rule("ore-2.08-opt-only-1-to-5")
@instead_of(effect_limit, "only-1-to-5")
def effect_limit_beyond(rules: Ruleset, power_statistic: int = 2, power_skill: int = 2) -> int:
    """Effects can go up to Power Statistic plus Power Skill."""
    return power_statistic + power_skill


@rule("ore-2.07-powers-general")
def power_cost(rules: Ruleset, power_statistic: int = 1, power_skill: int = 2, effects: tuple[int, ...] = (1,)) -> Derived[int]:
    """The cost of a developed power: statistic, skill and effects. A view of prices in the audit."""
    most = effect_limit(rules, power_statistic, power_skill)
    if any(not 1 <= level <= most for level in effects):
        raise UserError(f"effects of this power have levels from 1 to {most}")
    statistic = element_cost(rules, "power statistic", power_statistic)
    skill = element_cost(rules, "power skill", power_skill)
    reasons = [term(f"effect of level {level}", element_cost(rules, "power effect", level)) for level in effects]
    own = (term("Power Statistic", statistic), term("Power Skill", skill))
    return total("Points for a power", *own, *reasons, rule="ore-2.07-powers-general")
