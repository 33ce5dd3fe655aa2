"""What a session brings and what experience costs, tutors and levels (book lines 1619-1801)."""

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
    """What a deed is worth, from and to; a row of the group `length` multiplies the sum."""

    item: str
    group: str
    low: int
    high: int
    factor: float = 1


class StepRow(TableRow, frozen=True):
    """What reaching a level, or a Complexity, costs in play."""

    level: int
    xp: int
    complexity_xp: int | None = None


AWARDS = Table("sil-2.5.1-xp-awards", AwardRow)
IMPROVEMENT = Table("sil-2.5.2-skill-improvement", StepRow)
CHARACTER_LEVELS = Column("sil-2.5.4-levels", "level", int, xp=int)
"""How much experience a character level takes."""


# --- awards -------------------------------------------------------------------------------------------------------------------


@rule("sil-2.5.1-detailed-xp")
def experience_unit(rules: Ruleset) -> int:
    """What one point of the tables is in this campaign: 1, or 1000 where experience is kept in detail."""
    return 1


@instead_of(experience_unit, "detailed-experience")
def thousands(rules: Ruleset) -> int:
    """A thousand for every point, so that small things can be rewarded."""
    return 1000


def _detailed(unit: int) -> tuple[Reason, ...]:
    """Where experience is counted in smaller units, a point is so many of them."""
    return (times("detailed", unit),) if unit > 1 else ()


@rule("sil-2.5.1-xp-awards")
def experience_award(rules: Ruleset, sessions: int = 1) -> Derived[int]:
    """What so many sessions bring on average: five each, ten in a cinematic campaign."""
    average, unit = reality(rules).experience, experience_unit(rules)
    terms = (term("average per session", average), times("sessions", sessions), *_detailed(unit))
    return total("Experience Points", *terms, rule="sil-2.5.1-xp-awards")


@rule("sil-2.5.1-xp-awards")
def session_award(rules: Ruleset, deeds: tuple[str, ...] = (), length: str = "typical session", more: int = 0) -> Derived[int]:
    """What a session is worth: its deeds (each at its least, `more` for what is added) times the factor of its length, rounded.

    By id only.
    """
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
    """One for being in a fight, and for every group beaten its power against one's own, rounded, nothing for weaker ones (ruling).

    Power is all Character and Skill Points. Each problem solved is one more; `goals` is what the gamemaster gives for a goal reached.

    By id only.
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
    """What a skill level costs in experience: the square of each level on the way, none of them skipped; a new skill costs 1."""
    return _steps(rules, "level", level, from_level, 0)


@rule("sil-2.5.2-skill-improvement")
def complexity_cost(rules: Ruleset, complexity: int, from_complexity: int | None = None) -> Derived[int]:
    """What a Complexity costs in experience: its square, one step at a time; the first is free."""
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
    """The last level, or Complexity, that has a price."""
    return max([row.level for row in IMPROVEMENT(rules).values() if what == "level" or row.complexity_xp is not None], default=0)


@rule("sil-2.5.2-attribute-improvement")
def attribute_improvement(rules: Ruleset, points: int = 1) -> Derived[int]:
    """Fifty for every point of an attribute, and no attribute more than three times."""
    if not 1 <= points <= MOST_RAISES:
        raise UserError(f"an attribute can be raised 1 to {MOST_RAISES} times, not {points}")
    price = ATTRIBUTE_XP * experience_unit(rules)
    return total("Experience", term("price per point", price), times("points", points), rule="sil-2.5.2-attribute-improvement")


@rule("sil-2.2.3-specialization")
def specialization_experience(rules: Ruleset) -> Derived[int]:
    """What a specialization costs once play has begun; as much as at creation (ruling)."""
    price = rules.number("specialization-experience") * experience_unit(rules)
    source = rules.source("specialization-experience")
    return total("Experience for a specialization", term("price", price), rule="sil-2.2.3-specialization", source=source)


@rule("sil-2.5.2-emergency-dice")
def emergency_dice_cost(rules: Ruleset, dice: int = 1) -> Derived[int]:
    """One point of experience buys one Emergency Die."""
    if dice < 1:
        raise UserError(f"buy at least one Emergency Die, not {dice}")
    price = EMERGENCY_DICE.get(rules, "xp per die").value * experience_unit(rules)
    return total("Experience for Emergency Dice", term("price per die", price), times("dice", dice), rule="sil-2.5.2-emergency-dice")


@rule("sil-2.5.2-emergency-dice")
def escape_cost(rules: Ruleset) -> int:
    """How many Emergency Dice bring somebody out of a vehicle that is being destroyed, unharmed and without a roll."""
    return EMERGENCY_DICE.get(rules, "escape from an overkilled vehicle").value


@rule("sil-2.5.2-ed-prerequisite")
def practice_needed(rules: Ruleset, level: int) -> int:
    """How many Emergency Dice must have gone into a skill before it rises to this level: its square, where the campaign asks for it."""
    return level * level if rules.on("practice-before-levels") else 0


@rule("sil-2.2-favored-item")
def replacement_cost(rules: Ruleset) -> int:
    """What it costs to have a lost favored item again from a later session on: one point."""
    return experience_unit(rules)


# --- tutors -------------------------------------------------------------------------------------------------------------------

_TUTORS = "sil-2.5.3-tutors"


@rule(_TUTORS)
def can_teach(tutor_level: int, student_level: int = 0) -> bool:
    """A tutor knows the skill better than the student. By id only."""
    return tutor_level > student_level


@rule(_TUTORS)
def tutor_fee(rules: Ruleset, tutor_level: int, level: int = 1) -> Derived[int]:
    """What a course costs in credits: a thousand times the tutor's level squared (ruling), or that level times the level taught.

    By id only.
    """
    squared = rules.word("tutor-fee") == "tutor's level squared"
    factor = tutor_level if squared else level
    terms = (term("tutor's level", tutor_level), times("tutor's level" if squared else "level taught", factor), times("credits", 1000))
    return total("fee in credits", *terms, rule=_TUTORS, source=rules.source("tutor-fee"))


@rule(_TUTORS)
def tutor_months(cost: int, teaching: int = 0, learner: int = 0) -> Derived[float]:
    """How many months a course takes: the experience it saves on, less the tutor's Teaching, a week at least (0.25).

    A month is 150 hours. `learner` is -1 for quick and +1 for slow learners.
    """
    terms = (term("experience", cost), term("Teaching", teaching, "−"), *((term("learner", learner),) if learner else ()))
    return total("months, at least a week", *terms, at_least(0.25, "a week"), rule=_TUTORS)


@rule(_TUTORS)
def camp_months(months: float, complexity: int = 1) -> Derived[float]:
    """How long a course takes in a camp: the tutor's Complexity in Teaching plus one such months fit into one. By id only."""
    terms = (term("months", months), term("Teaching Complexity + 1", complexity + 1, "÷"))
    return total("months in camp", *terms, rule=_TUTORS)


@rule(_TUTORS)
def camp_test(rules: Ruleset, willpower: int = 0, level: int = 1, student: str = "") -> Play[Test]:
    """Every month in a camp the student tests Willpower or Psyche against the level taught, or breaks down. By id only."""
    return (yield from action_test(rules, attribute_pool(rules, willpower, "Willpower"), level, student, "holding out in camp"))


class Taught(Struct, frozen=True):
    """What a course was worth: what the improvement costs now."""

    cost: int
    saved: int
    fumble: bool = False


@rule(_TUTORS)
def tutor_rebate(
    rules: Ruleset, cost: int, level: int, teaching: int = 0, skill: int = 1, creativity: int = 0, learner: int = 0, tutor: str = ""
) -> Play[Taught]:
    """At the end the tutor rolls the better of Teaching and the skill, with Creativity; the total is taken off the cost.

    It never falls below the new level. A fumble doubles it. `learner` is +1 for quick and -1 for slow learners.
    """
    pool = Pool(max(teaching, skill)).plus(Mod("Creativity", creativity, _TUTORS), Mod("learner", learner, _TUTORS))
    result = yield from rolled(rules, pool, tutor, "teaching")
    unit = experience_unit(rules)
    if result.fumble:
        return Taught(2 * cost, -cost, True)
    now = min(cost, max(level * unit, cost - result.total * unit))
    return Taught(now, cost - now)


# --- levels -------------------------------------------------------------------------------------------------------------------


@rule("sil-2.5.4-levels")
def character_level(rules: Ruleset, earned: int) -> int:
    """The level of somebody who ever earned so much: a level takes its square, the first nothing."""
    points = max(0, earned) // experience_unit(rules)
    reached = [level for level, xp in CHARACTER_LEVELS.numbered(rules).items() if xp <= points]
    return max([1, isqrt(points) if points > 100 else 1, *reached])
