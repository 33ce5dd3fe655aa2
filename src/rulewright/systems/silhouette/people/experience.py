"""Experience: awards, prices, tutors and levels (book lines 1619-1801)."""

from fractions import Fraction
from math import floor, isqrt
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, Reason, at_least, rounded, term, times, total
from rulewright.systems.silhouette.resolution.dice_options import reality
from rulewright.systems.silhouette.resolution.tests import EMERGENCY_DICE, Mod, Pool, Test, action_test, attribute_pool, rolled

ATTRIBUTE_XP = 50
MOST_RAISES = 3


class AwardRow(TableRow, frozen=True):
    """Award of an achievement, from and to; a row of the group `length` multiplies the sum."""

    item: str
    group: str
    low: int
    high: int
    factor: float = 1


class StepRow(TableRow, frozen=True):
    """Price of a level or Complexity in play."""

    level: int
    xp: int
    complexity_xp: int | None = None


AWARDS = Table("sil-2.5.1-xp-awards", AwardRow)
IMPROVEMENT = Table("sil-2.5.2-skill-improvement", StepRow)
CHARACTER_LEVELS = Column("sil-2.5.4-levels", "level", int, xp=int)
"""Experience for a character level."""


# --- awards -------------------------------------------------------------------------------------------------------------------


@rule("sil-2.5.1-detailed-xp")
def experience_unit(rules: Ruleset) -> int:
    """Returns the unit of experience: 1, or 1000 with detailed experience."""
    return 1


@instead_of(experience_unit, "detailed-experience")
def thousands(rules: Ruleset) -> int:
    """Returns the detailed unit: a thousand per point."""
    return 1000


def _detailed(unit: int) -> tuple[Reason, ...]:
    """Returns the factor for detailed experience."""
    return (times("detailed", unit),) if unit > 1 else ()


@rule("sil-2.5.1-xp-awards")
def experience_award(rules: Ruleset, sessions: int = 1) -> Derived[int]:
    """Returns the average award of sessions: five each, ten in a cinematic campaign."""
    average, unit = reality(rules).experience, experience_unit(rules)
    terms = (term("average per session", average), times("sessions", sessions), *_detailed(unit))
    return total("Experience Points", *terms, rule="sil-2.5.1-xp-awards")


@rule("sil-2.5.1-xp-awards")
def session_award(rules: Ruleset, deeds: tuple[str, ...] = (), length: str = "typical session", more: int = 0) -> Derived[int]:
    """Returns the award of a session: its achievements (each at its minimum, plus `more`) times the factor of its length, rounded."""
    terms = []
    for deed in deeds:
        row = AWARDS.get(rules, deed)
        if row.group == "length":
            raise UserError(f"{deed} is a session length, not an achievement: pass it as the length")
        low = row.low if row.low >= 0 else row.high
        terms.append(Reason(deed, low, "+", AWARDS.rule, row.source))
    factor = AWARDS.get(rules, length)
    if factor.group != "length":
        raise UserError(
            f"{length} is not a session length; these are {', '.join(row.item for row in AWARDS(rules).values() if row.group == 'length')}"
        )
    if more:
        terms.append(term("more", more))
    terms.append(Reason(length, factor.factor, "×", AWARDS.rule, factor.source))
    unit = experience_unit(rules)
    return total("Experience Points", *terms, *_detailed(unit), rounded(), rule=AWARDS.rule)


@rule("sil-2.5.1-combat-xp")
def combat_award(
    rules: Ruleset, own_power: int = 80, foe_power: int = 80, fights: int = 1, problems: int = 0, goals: int = 0
) -> Derived[int]:
    """Returns the award of fights: one for the fight, and for every group beaten its power relative to one's own, rounded, nothing for
    weaker ones (ruling).

    Power is all Character and Skill Points. Each solved problem gives one; `goals` is the gamemaster's award for a goal.
    """
    if own_power < 1 or foe_power < 0:
        raise UserError("power is the sum of Character and Skill Points; your own must be at least 1")
    ratio = floor(Fraction(foe_power, own_power) + Fraction(1, 2)) if foe_power >= own_power else 0
    unit = experience_unit(rules)
    terms = (
        term("in combat", fights),
        term("power of the opponents", ratio * fights),
        term("problems solved", problems),
        term("goals", goals),
    )
    return total("Experience Points", *terms, *_detailed(unit), rule="sil-2.5.1-combat-xp")


# --- prices -------------------------------------------------------------------------------------------------------------------


@rule("sil-2.5.2-skill-improvement")
def improvement_cost(rules: Ruleset, level: int, from_level: int | None = None) -> Derived[int]:
    """Returns the experience for a skill level: the square of each step, none skipped; a new skill costs 1."""
    return _steps(rules, "level", level, from_level, 0)


@rule("sil-2.5.2-skill-improvement")
def complexity_cost(rules: Ruleset, complexity: int, from_complexity: int | None = None) -> Derived[int]:
    """Returns the experience for a Complexity: its square, step by step; the first is free."""
    return _steps(rules, "Complexity", complexity, from_complexity, 1)


def _steps(rules: Ruleset, what: Literal["level", "Complexity"], to: int, start: int | None, lowest: int) -> Derived[int]:
    prices = {row.level: row.xp if what == "level" else row.complexity_xp for row in IMPROVEMENT(rules).values()}
    priced = {step: price for step, price in prices.items() if price is not None}
    top, below = max(priced, default=0), to - 1 if start is None else start
    if not lowest < to <= top:
        raise UserError(f"you can buy a {what} of {lowest + 1} to {top}, not {to}")
    if not lowest <= below < to:
        raise UserError(f"you cannot raise {what} from {below} to {to}")
    unit = experience_unit(rules)
    steps = [term(f"{what} {step}", priced[step] * unit) for step in range(below + 1, to + 1)]
    return total(f"Experience for {what} {to}", *steps, rule="sil-2.5.2-skill-improvement")


@rule("sil-2.5.2-skill-improvement")
def highest_bought(rules: Ruleset, what: Literal["level", "Complexity"] = "level") -> int:
    """Returns the highest level or Complexity with a price."""
    return max([row.level for row in IMPROVEMENT(rules).values() if what == "level" or row.complexity_xp is not None], default=0)


@rule("sil-2.5.2-attribute-improvement")
def attribute_improvement(rules: Ruleset, points: int = 1) -> Derived[int]:
    """Returns the experience for attribute points: fifty each, at most three times per attribute."""
    if not 1 <= points <= MOST_RAISES:
        raise UserError(f"an attribute can be raised 1 to {MOST_RAISES} times, not {points}")
    price = ATTRIBUTE_XP * experience_unit(rules)
    return total("Experience", term("price per point", price), times("points", points), rule="sil-2.5.2-attribute-improvement")


@rule("sil-2.2.3-specialization")
def specialization_experience(rules: Ruleset) -> Derived[int]:
    """Returns the experience for a specialization in play; as much as at creation (ruling)."""
    price = rules.number("specialization-experience") * experience_unit(rules)
    source = rules.source("specialization-experience")
    return total("Experience for a specialization", term("price", price), rule="sil-2.2.3-specialization", source=source)


@rule("sil-2.5.2-emergency-dice")
def emergency_dice_cost(rules: Ruleset, dice: int = 1) -> Derived[int]:
    """Returns the experience for Emergency Dice: one each."""
    if dice < 1:
        raise UserError(f"buy at least one Emergency Die, not {dice}")
    price = EMERGENCY_DICE.get(rules, "xp per die").value * experience_unit(rules)
    return total("Experience for Emergency Dice", term("price per die", price), times("dice", dice), rule="sil-2.5.2-emergency-dice")


@rule("sil-2.5.2-emergency-dice")
def escape_cost(rules: Ruleset) -> int:
    """Returns the Emergency Dice needed to escape unharmed from a destroyed vehicle."""
    return EMERGENCY_DICE.get(rules, "escape from an overkilled vehicle").value


@rule("sil-2.5.2-ed-prerequisite")
def practice_needed(rules: Ruleset, level: int) -> int:
    """Returns the Emergency Dice that must be spent on a skill before it rises to this level: its square, if the campaign requires it."""
    return level * level if rules.on("practice-before-levels") else 0


@rule("sil-2.2-favored-item")
def replacement_cost(rules: Ruleset) -> int:
    """Returns the experience to replace a lost favored item from a later session on: one."""
    return experience_unit(rules)


# --- tutors -------------------------------------------------------------------------------------------------------------------

_TUTORS = "sil-2.5.3-tutors"


@rule(_TUTORS)
def can_teach(tutor_level: int, student_level: int = 0) -> bool:
    """Whether a tutor can teach: the tutor's level is higher."""
    return tutor_level > student_level


@rule(_TUTORS)
def tutor_fee(rules: Ruleset, tutor_level: int, level: int = 1) -> Derived[int]:
    """Returns the fee of a course in credits: a thousand times the tutor's level squared (ruling), or that level times the level taught."""
    squared = rules.word("tutor-fee") == "tutor's level squared"
    factor = tutor_level if squared else level
    terms = (term("tutor's level", tutor_level), times("tutor's level" if squared else "level taught", factor), times("credits", 1000))
    return total("fee in credits", *terms, rule=_TUTORS, source=rules.source("tutor-fee"))


@rule(_TUTORS)
def tutor_months(cost: int, teaching: int = 0, learner: int = 0) -> Derived[float]:
    """Returns the months of a course: the experience it saves on minus the tutor's Teaching; at least a week (0.25).

    A month is 150 hours. `learner` is -1 for quick and +1 for slow learners.
    """
    terms = (term("experience", cost), term("Teaching", teaching, "−"), *((term("learner", learner),) if learner else ()))
    return total("months, at least a week", *terms, at_least(0.25, "a week"), rule=_TUTORS)


@rule(_TUTORS)
def camp_months(months: float, complexity: int = 1) -> Derived[float]:
    """Returns the months of a course in a camp: divided by the tutor's Complexity in Teaching + 1."""
    terms = (term("months", months), term("Teaching Complexity + 1", complexity + 1, "÷"))
    return total("months in camp", *terms, rule=_TUTORS)


@rule(_TUTORS)
def camp_test(rules: Ruleset, willpower: int = 0, level: int = 1, student: str = "") -> Play[Test]:
    """Tests Willpower or Psyche against the level taught every month in a camp; a failure is a breakdown."""
    return (yield from action_test(rules, attribute_pool(rules, willpower, "Willpower"), level, student, "holding out in camp"))


class Taught(Struct, frozen=True):
    """Result of a course: the price of the improvement now."""

    cost: int
    saved: int
    fumble: bool = False


@rule(_TUTORS)
def tutor_rebate(
    rules: Ruleset, cost: int, level: int, teaching: int = 0, skill: int = 1, creativity: int = 0, learner: int = 0, tutor: str = ""
) -> Play[Taught]:
    """Rolls the better of Teaching and the skill, with Creativity, at the end of a course; the total is subtracted from the price.

    It never falls below the new level. A fumble doubles it. `learner` is + 1 for quick and -1 for slow learners.
    """
    pool = Pool(max(teaching, skill)).plus(Mod("Creativity", creativity, _TUTORS), Mod("learner", learner, _TUTORS))
    result = yield from rolled(rules, pool, tutor, "teaching")
    unit = experience_unit(rules)
    if result.fumble:  # 1762: a fumble doubles the price
        return Taught(2 * cost, -cost, True)
    now = min(cost, max(level * unit, cost - result.total * unit))
    return Taught(now, cost - now)


# --- levels -------------------------------------------------------------------------------------------------------------------


@rule("sil-2.5.4-levels")
def character_level(rules: Ruleset, earned: int) -> int:
    """Returns the level for all experience earned: a level takes its square, the first nothing."""
    points = max(0, earned) // experience_unit(rules)
    reached = [level for level, xp in CHARACTER_LEVELS.numbered(rules).items() if xp <= points]
    return max([1, isqrt(points) if points > 100 else 1, *reached])
