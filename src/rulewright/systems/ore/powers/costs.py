"""Costs of powers: Arcane Apprentice, inherent and developed powers, effects, Grandmasters (book lines 5999-6135, 7356-7370)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.ore.people.powers import effect_limit
from rulewright.systems.ore.people.skills import element_cost
from rulewright.systems.ore.powers.catalogue import GRANDMASTER_LEVEL, LIMITS, RATINGS, SETS, EffectRow, effect_named

Availability = Literal["", "readily available", "uncommon", "restricted"]
MOST_POWER = 5
ENERGY_PRICE = 3
GRANDMASTER = "grandmaster"


AVAILABILITY = Column("ore-5.03-opt-learning-cost", "availability", factor=int)
"""Availability of effects and price factor."""


@rule("ore-5.01-power-rating", "ore-5.02-limit-rating")
def apprentice_cost(rules: Ruleset, power: int = 5, limit: int = 1) -> Derived[int]:
    """The cost of a power set: Power Rating plus Limit Rating."""
    grand, rationed = RATINGS.get(rules, str(power)), LIMITS.get(rules, str(limit))
    terms = (term(f"Power Rating: {grand.name}", power), term(f"Limit Rating: {rationed.name}", limit))
    return total("Arcane Apprentice", *terms, rule="ore-5.01-power-rating")


@rule("ore-5.04-metapsychic", "ore-5.00-power-sets")
def set_cost(rules: Ruleset, power_set: str = "meta-psychic") -> Derived[int]:
    """Arcane Apprentice for a set of the book: 6 points for the Meta-Psychic."""
    row = SETS.get(rules, power_set)
    return apprentice_cost(rules, row.power, row.limit)


@rule("ore-5.02b-inherent")
def inherent_cost(rules: Ruleset, level: int = 2, limit: int = 5) -> Derived[int]:
    """The cost of an inherent power: level plus limit, each time. It needs no statistic or skill."""
    if not 1 <= level <= MOST_POWER:
        raise UserError(f"an inherent power has a level from 1 to {MOST_POWER}, not {level}")
    rationed = LIMITS.get(rules, str(limit))
    return total("Inherent power", term("level of the power", level), term(f"limit: {rationed.name}", limit), rule="ore-5.02b-inherent")


@rule("ore-5.03-intensity", "ore-5.03-opt-learning-cost")
def effect_cost(rules: Ruleset, effect: str = "Heatburn", availability: Availability = "") -> Derived[int]:
    """The cost of an effect: Intensity times availability (1, 2 or 3). A view of prices in the audit."""
    return row_cost(rules, effect_named(rules, effect), availability)


def row_cost(rules: Ruleset, row: EffectRow, availability: str = "") -> Derived[int]:
    """The same for a row."""
    result = AVAILABILITY.get(rules, availability or row.availability or rules.word("effects-are"))
    terms = [term("Intensity", row.intensity, rule="ore-5.03-intensity")]
    if result.factor != 1:
        terms.append(times(result.availability, result.factor, rule="ore-5.03-opt-learning-cost"))
    return total(f"Points for {row.effect}", *terms, rule="ore-5.03-intensity")


@rule("ore-5.02b-developed")
def developed_cost(
    rules: Ruleset,
    power: int = 4,
    limit: int = 4,
    statistic: int = 3,
    skill: int = 3,
    effects: tuple[int, ...] = (1, 2, 3),
) -> Derived[int]:
    """The cost of a developed power: Arcane Apprentice, five points per statistic, one per skill, and its effects, none above the
    statistic. A view of prices in the audit."""
    most = effect_limit(rules, statistic, skill)
    if any(not 1 <= level <= most for level in effects):
        raise UserError(f"effects of this power have levels from 1 to {most}")
    terms = [
        term("Arcane Apprentice", apprentice_cost(rules, power, limit)),
        term("Power Statistic", element_cost(rules, "power statistic", statistic)),
        term("Power Skill", element_cost(rules, "power skill", skill)),
        *[term(f"effect of level {level}", level) for level in effects],
    ]
    return total("Points for a developed power", *terms, rule="ore-5.02b-developed")


@rule("ore-5.05-grandmasters")
def rank_in(statistic: int = 5, skill: int = 5, effect: int = 5, grandmaster: bool = False) -> str:
    """The rank in an Aptitude: a Master has 5 in Psi, skill and effects, a Grandmaster has the advantage and 6."""
    if grandmaster and min(statistic, skill, effect) >= GRANDMASTER_LEVEL:
        return "grandmaster"
    return "master" if min(statistic, skill, effect) >= MOST_POWER else ""


@rule("ore-5.05-grandmasters")
def may_become_grandmaster(statistic: int = 5, effect: int = 5) -> bool:
    """Whether Grandmaster can be bought: Psi 5 and an effect of level 5."""
    return min(statistic, effect) >= MOST_POWER


@rule("ore-5.05-grandmasters")
def most_of_power(grandmaster: bool = False) -> int:
    """The limit of Psi and Aptitude skills: 5, or 6 for Grandmasters."""
    return GRANDMASTER_LEVEL if grandmaster else MOST_POWER


@rule("ore-5.05-grandmasters")
def open_level(rules: Ruleset, statistic: int = 5, skill: int = 5, grandmaster: bool = False) -> int:
    """The highest effect that can be bought: the Power Statistic, and level 6 for a Grandmaster with 6 in both."""
    if grandmaster and min(statistic, skill) >= GRANDMASTER_LEVEL:
        return GRANDMASTER_LEVEL
    return effect_limit(rules, statistic, skill)
