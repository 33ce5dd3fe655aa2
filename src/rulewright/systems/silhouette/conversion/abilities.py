"""Thresholds and Difficulty Classes, attributes and ability scores, sizes (book lines 7481-7592)."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Literal

from rulewright.errors import UserError
from rulewright.rules import Column, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, rounded, term, times, total

_DC, _MODIFIER = "sil-8.1-resolution-mapping", "sil-8.1.1-ability-modifiers"
_TO, _FROM, _SIZE = "sil-8.1.1-attributes-to-abilities", "sil-8.1.1-abilities-to-attributes", "sil-8.1.1-size-comparison"
Ability = Literal["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"]
ABILITIES: tuple[Ability, ...] = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
Style = Literal["gritty", "adventurous", "cinematic"]


class FormulaRow(TableRow, frozen=True):
    """A modifier from attributes: one in full, and half of two others."""

    formula: str
    ability: Ability
    whole: str
    halves: tuple[str, str]


class FactorRow(TableRow, frozen=True):
    """An attribute from an ability modifier."""

    attribute: str
    ability: Ability
    factor: float


STYLES = Column(_DC, "style", Style, times=int)
"""Factor for Thresholds by campaign style."""
FORMULAS = Table(_TO, FormulaRow)
FACTORS = Table(_FROM, FactorRow)
SIZES = Column(_SIZE, "size", build=int)
"""A size of the open rules and its lowest Build."""


# --- how hard -----------------------------------------------------------------------------------------------------------------


@rule(_DC)
def difficulty_class(rules: Ruleset, threshold: int, style: Style | None = None) -> Derived[int]:
    """Returns the Difficulty Class of a Threshold: times three in cinematic games, times four in grittier ones. The default style is the
    campaign's.

    By id only.
    """
    by = STYLES.of(rules, style or rules.word("reality"))
    return total("Difficulty Class", term("Threshold", threshold), times("factor of the campaign style", by), rule=_DC)


@rule(_DC)
def threshold_for(rules: Ruleset, difficulty: int, style: Style | None = None) -> Derived[int]:
    """Returns the Threshold of a Difficulty Class, rounded (a guess: the book converts only one way).

    By id only.
    """
    by = STYLES.of(rules, style or rules.word("reality"))
    return total(
        "Threshold", term("Difficulty Class", difficulty), divided("factor of the campaign style", by), rounded(), rule=_DC, source="ruling"
    )


# --- ability scores -----------------------------------------------------------------------------------------------------------


@rule(_MODIFIER)
def ability_modifier(score: int) -> int:
    """Returns the modifier of an ability score: (score - 10) / 2, rounded down."""
    if score < 1:
        raise UserError(f"an ability score must be at least 1, not {score}")
    return (score - 10) // 2


@rule(_MODIFIER)
def score_for(modifier: float) -> int:
    """Returns the ability score of a converted modifier: a whole number gives the lower score of its pair, a fraction the upper one; at
    least 1."""
    exact = Fraction(str(modifier))
    whole = floor(exact)
    return max(1, 10 + 2 * whole + (1 if exact != whole else 0))


@rule(_TO)
def ability_scores(rules: Ruleset, attributes: dict[str, int]) -> dict[str, int]:
    """Returns the six ability scores for these attributes; Intelligence and Charisma use the higher of two formulas. For animals
    Instinct replaces Knowledge, Creativity, Psyche and Willpower."""
    given = with_instinct(attributes)
    share_by_name: dict[str, Fraction] = {}
    for row in FORMULAS(rules).values():
        value = given.get(row.whole, 0) + Fraction(sum([given.get(name, 0) for name in row.halves]), 2)
        share_by_name[row.ability] = max(value, share_by_name.get(row.ability, value))
    return {name: score_for(float(share_by_name[name])) for name in ABILITIES if name in share_by_name}


def with_instinct(attributes: Mapping[str, int]) -> dict[str, int]:
    """Returns attributes with Instinct in place of the four that it replaces, even if one of them is given (line 7527)."""
    if "instinct" not in attributes:
        return dict(attributes)
    replaced = dict.fromkeys(("knowledge", "creativity", "psyche", "willpower"), attributes["instinct"])
    return {**{name: value for name, value in attributes.items() if name != "instinct"}, **replaced}


@rule(_FROM)
def attributes_from(rules: Ruleset, scores: dict[str, int]) -> dict[str, int]:
    """Returns the ten attributes for these ability scores: each modifier times its factor, rounded to the nearest, halves away from zero
    (ruling for negative ones)."""
    return {row.attribute: nearest_whole(ability_modifier(scores.get(row.ability, 10)), row.factor) for row in FACTORS(rules).values()}


def nearest_whole(modifier: int, factor: float) -> int:
    """Rounds a product to the nearest whole number, halves away from zero."""
    value = modifier * Fraction(str(factor))
    return floor(value + Fraction(1, 2)) if value >= 0 else -floor(-value + Fraction(1, 2))


@rule(_SIZE)
def d20_size(rules: Ruleset, build: int) -> str:
    """Returns the size for a Build: from Medium up the highest reached, below it the nearest, the larger of two (ruling)."""
    sizes = {least: size for size, least in SIZES.every(rules).items()}
    if build >= 0:
        return sizes[max([least for least in sizes if least <= build])]
    return sizes[min(sizes, key=lambda least: (abs(least - build), -least))]


@rule(_SIZE)
def build_of_size(rules: Ruleset, size: str = "medium") -> int:
    """Returns the lowest Build of a size."""
    return SIZES.of(rules, size)
