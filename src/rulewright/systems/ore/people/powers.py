"""What every power shares: its statistic, its skill, its effects, and their prices (book lines 752-802).

The powers themselves stand in chapter 5.
"""

from rulewright.errors import UserError
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.ore.people.skills import element_cost
from rulewright.systems.ore.resolution.tests import Pool

MOST = 6
"""As far as Power Statistics and Power Skills ever go."""


@rule("ore-2.07-powers-general")
def power_pool(power_statistic: int = 2, power_skill: int = 2) -> Pool:
    """A developed power is tested with its Power Statistic and its Power Skill."""
    if not 0 <= power_statistic <= MOST or not 0 <= power_skill <= MOST:
        raise UserError("Power Statistics and Power Skills go from 0 to 5, or to 6 for Grandmasters")
    return Pool(power_statistic + power_skill)


@rule("ore-2.07-powers-general")
def effect_limit(rules: Ruleset, power_statistic: int = 2, power_skill: int = 2) -> int:
    """No effect is of a higher level than the Power Statistic that governs it."""
    return min(5, power_statistic)


@rule("ore-2.08-opt-only-1-to-5")
@instead_of(effect_limit, "only-1-to-5")
def effect_limit_beyond(rules: Ruleset, power_statistic: int = 2, power_skill: int = 2) -> int:
    """Effects may go beyond 5, as far as Power Statistic and Power Skill together."""
    return power_statistic + power_skill


@rule("ore-2.07-powers-general")
def power_cost(rules: Ruleset, power_statistic: int = 1, power_skill: int = 2, effects: tuple[int, ...] = (1,)) -> Derived[int]:
    """What a developed power costs: its statistic, its skill, and every effect by its level, none above what the campaign allows.

    A view of the price of powers in the audit.
    """
    most = effect_limit(rules, power_statistic, power_skill)
    if any(not 1 <= level <= most for level in effects):
        raise UserError(f"effects of this power have levels from 1 to {most}")
    statistic = element_cost(rules, "power statistic", power_statistic)
    skill = element_cost(rules, "power skill", power_skill)
    reasons = [term(f"effect of level {level}", element_cost(rules, "power effect", level)) for level in effects]
    own = (term("Power Statistic", statistic), term("Power Skill", skill))
    return total("Points for a power", *own, *reasons, rule="ore-2.07-powers-general")
