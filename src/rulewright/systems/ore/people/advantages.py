"""Advantages: costs and effects (book lines 726-731, 872-1537)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.readings import Aim
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test, ready_dice

PART_LIMIT = 5
Currency = Literal["pounds", "dollars", "gold pieces"]


class AdvantageRow(TableRow, frozen=True):
    """An advantage: cost, limits, its two parts if any, and what must be chosen."""

    advantage: str
    rule: str
    each: int
    low: int
    high: int
    parts: tuple[str, ...] = ()
    simplified: bool = False
    levels: bool = False
    takes: str = ""
    aliases: tuple[str, ...] = ()


class CallRow(TableRow, frozen=True):
    """The pool to call on an advantage."""

    advantage: str
    statistic: Literal["charm", "command"]
    first: str
    second: str


class RatingRow(TableRow, frozen=True):
    """The meaning of each part of an advantage at a rating, and requests of that Difficulty."""

    rating: int
    first: str
    second: str
    request: str = ""
    pounds: int = 0
    dollars: int = 0
    km2: int = 0


class RecoveryRow(TableRow, frozen=True):
    """Healing rates: Shock per hours, with rest or without, and Kill per day of rest."""

    points: int
    shock: int
    shock_hours: int
    resting: bool
    kill: int
    all_shock: bool = False


class MoneyRow(TableRow, frozen=True):
    """The money for so many points."""

    points: int
    pounds: int
    dollars: int


class SkillGiftRow(TableRow, frozen=True):
    """Dice for a skill by points."""

    points: int
    dice: int
    expert: int
    on: Literal["circumstance", "narrow", "broad", "action"]


ADVANTAGES = Table("ore-2.14-advantage-list", AdvantageRow)
CALLS = Table("ore-2.17-two-part-advantage-test", CallRow)
TWO_PARTS = {
    name: Table(rule_id, RatingRow)
    for name, rule_id in {
        "allies": "ore-2.18-allies",
        "arcane apprentice": "ore-2.20-arcane-apprentice",
        "benefactor": "ore-2.21-benefactor",
        "contacts": "ore-2.22-contacts",
        "eminence": "ore-2.23-eminence",
        "estate": "ore-2.24-estate",
        "guardian": "ore-2.26-guardian",
        "influence": "ore-2.29-influence",
        "mentor": "ore-2.32-mentor",
        "rank": "ore-2.38-rank",
        "staff": "ore-2.40-staff",
    }.items()
}
RECOVERY = Table("ore-2.25-fast-recovery", RecoveryRow)
INCOME = Table("ore-2.28-income", MoneyRow)
WEALTH = Table("ore-2.41-wealth", MoneyRow)
DAMAGE_TYPES = Column("ore-2.33-preternatural-resistance", "type", examples=str)
"""A type of damage to resist."""
SENSES = Column("ore-2.34-preternatural-sense", "points", int, thing=str)
"""How common a sensed thing is."""
SKILL_GIFTS = Table("ore-2.35-preternatural-skill", SkillGiftRow)
ACTION_GIFTS = Table("ore-2.35-preternatural-skill-action", SkillGiftRow)


def advantage_named(rules: Ruleset, name: str) -> str:
    """An advantage by name, in any case; the list uses other names for some (lines 900, 909)."""
    folded = name.strip().lower()
    if name in ADVANTAGES(rules) or folded in ADVANTAGES(rules):
        return name if name in ADVANTAGES(rules) else folded
    return next((row.advantage for row in ADVANTAGES(rules).values() if folded in row.aliases), name)


# --- costs --------------------------------------------------------------------------------------------------------------------


@rule("ore-2.14-advantages-general")
def advantage_cost(rules: Ruleset, advantage: str = "allies", rating: int = 1, first: int = 0, second: int = 0) -> Derived[int]:
    """The cost of an advantage: its rating, levels, or both parts."""
    advantage = advantage_named(rules, advantage)
    row = ADVANTAGES.get(rules, advantage)
    if row.parts:
        a, b = parts_of(rules, advantage, rating, first, second)
        return two_part_cost(rules, row.parts[0], row.parts[1], a, b, row.simplified)
    result = rules.number("hard-to-kill-cost") if advantage == "hard to kill" else row.each
    terms = (term("each", result), times("levels" if row.levels else "rating", rating))
    return total(advantage.capitalize(), *terms, rule=row.rule, source=row.source)


@rule("ore-2.14-advantages-general")
def two_part_cost(
    rules: Ruleset, one: str = "assistance", other: str = "loyalty", first: int = 0, second: int = 0, simplified: bool = True
) -> Derived[int]:
    """The cost of both parts: a point per rating."""
    return total("Both parts", term(one.capitalize(), first), term(other.capitalize(), second))


@rule("ore-2.15-opt-simplified-advantages")
@instead_of(two_part_cost, "simplified-advantages")
def simplified_cost(
    rules: Ruleset, one: str = "assistance", other: str = "loyalty", first: int = 3, second: int = 3, simplified: bool = True
) -> Derived[int]:
    """The cost of one rating for both parts: a point each (ruling)."""
    if not simplified:
        return total("Both parts", term(one.capitalize(), first), term(other.capitalize(), second))
    rule_id = "ore-2.15-opt-simplified-advantages"
    return total("One rating for both parts", term(f"{one} and {other}", first), rule=rule_id)


@rule("ore-2.14-advantages-general")
def parts_of(rules: Ruleset, advantage: str = "allies", rating: int = 0, first: int = 0, second: int = 0) -> tuple[int, int]:
    """The two parts of an advantage, from 0 to 5."""
    return first, second


@rule("ore-2.15-opt-simplified-advantages")
@instead_of(parts_of, "simplified-advantages")
def simplified_parts(rules: Ruleset, advantage: str = "allies", rating: int = 3, first: int = 0, second: int = 0) -> tuple[int, int]:
    """One rating counts for both parts."""
    if not ADVANTAGES.get(rules, advantage).simplified:
        return first, second
    return (rating, rating) if not first and not second else (max(first, second),) * 2


# --- calling on people --------------------------------------------------------------------------------------------------------


class Called(Struct, frozen=True):
    """The result of a call: the roll, and whether further calls suffer for a week."""

    outcome: Outcome
    strained: bool = False


@rule("ore-2.17-two-part-advantage-test")
def call_on(
    rules: Ruleset,
    advantage: str = "allies",
    statistic: int = 2,
    first: int = 2,
    second: int = 2,
    difficulty: int = 2,
    strained: bool = False,
    by: str = "",
) -> Play[Called]:
    """Charm or Command with the first part, at a Difficulty by request. A failure above the second part costs a die on further calls for
    a week (`strained`: already so). A view of the activity."""
    return (yield from call_with(rules, Pool(statistic + first), advantage, second, difficulty, strained=strained, by=by))


def call_with(
    rules: Ruleset, pool: Pool, advantage: str, second: int, difficulty: int, *, strained: bool = False, by: str = ""
) -> Play[Called]:
    """The same with the pool of a sheet."""
    CALLS.get(rules, advantage)
    if not 1 <= difficulty <= PART_LIMIT:
        raise UserError(f"a request has a Difficulty from 1 to {PART_LIMIT}")
    strain = Mod("strained", -int(strained), "ore-2.17-two-part-advantage-test")
    outcome = yield from make_test(rules, pool.plus(strain), difficulty, "widest", by, f"calling on {advantage}")
    return Called(outcome, not outcome.success and difficulty > second)


@rule("ore-2.18-allies")
def gift(rules: Ruleset, difficulty: int = 2, width: int = 2, loan: bool = False) -> Derived[int]:
    """A gift in pounds: a sum by Difficulty times Width; ten times as a loan."""
    row = TWO_PARTS["allies"].get(rules, str(difficulty))
    terms = [term("at this Difficulty", row.pounds), times("Width", width), *([times("as a loan", 10)] if loan else [])]
    return total("Pounds", *terms, rule="ore-2.18-allies")


# --- one by one ---------------------------------------------------------------------------------------------------------------


@rule("ore-2.16-compat-extra-die")
def extra_die(rules: Ruleset) -> Literal["ordinary", "expert"]:
    """The extra die of some advantages: an ordinary die by default."""
    return "ordinary"


@instead_of(extra_die, "special-dice", "extra expert", "extra master")
def extra_expert_die(rules: Ruleset) -> Literal["ordinary", "expert"]:
    """An Expert Die, if several are allowed."""
    return "expert"


@rule("ore-2.16-compat-extra-die")
def with_extra_die(rules: Ruleset, pool: Pool, label: str = "extra die") -> Pool:
    """A pool with the extra die of an advantage."""
    if extra_die(rules) == "ordinary":
        return pool.plus(Mod(label, 1, "ore-2.16-compat-extra-die"))
    return Pool(pool.dice, pool.expert + 1, pool.master, pool.mods, pool.several, pool.beyond_ten, pool.edge)


@rule("ore-2.17-action-hero")
def drama_points(levels: int = 1) -> int:
    """Drama Points from Action Hero: one per level."""
    return max(0, levels)


@rule("ore-2.19-ambidextrous")
def hand_penalty(off_hand: bool = True, both_hands: bool = False, ambidextrous: bool = True) -> int:
    """Ambidextrous people lose no dice for the off-hand (others two), but one for using both hands. A view of the off-hand in fights."""
    return -(2 if off_hand and not ambidextrous else 0) - int(both_hands)


@rule("ore-2.20-arcane-apprentice")
def burn(level: int = 3, waste: tuple[int, ...] = (1, 2, 5)) -> int:
    """Limit 1: every waste die below the level of the effect deals 1 Shock to its user. A view of Burn in fights."""
    return sum(1 for face in waste if face < level)


@rule("ore-2.20-arcane-apprentice")
def energy(power_statistic: int = 3, points: int = 0) -> int:
    """Limit 3: Energy Points equal to the Power Statistic, plus one per three points; an effect costs its level."""
    return power_statistic + points // 3


@rule("ore-2.20-arcane-apprentice")
def materials(rules: Ruleset, level: int = 1) -> Derived[int]:
    """Limit 4: pounds of materials per use, by level."""
    result, source = rules.number("materials-pounds"), rules.source("materials-pounds")
    terms = (term("per level", result), times("level", level))
    return total("Pounds", *terms, rule="ore-2.20-arcane-apprentice", source=source)


@rule("ore-2.21-armour-conditioning")
def conditioned(encumbrance: int = 3, levels: int = 1) -> int:
    """Each level ignores a point of Encumbrance; weight and exhaustion stay. A view of encumbrance in fights."""
    return max(0, encumbrance - levels)


@rule("ore-2.24-estate")
def estate_price(rules: Ruleset, income: int = 3) -> Derived[int]:
    """The price of an estate in pounds: ten times its monthly Income; without one the Game Master decides."""
    if income < 1:
        raise UserError("the Game Master sets the price of an estate without Income")
    month = INCOME.get(rules, str(income)).pounds
    return total("Sale price in pounds", term("monthly income", month), times("ten", 10), rule="ore-2.24-estate")


class Healed(Struct, frozen=True):
    """Natural healing: points of Shock (or all) and of Kill."""

    shock: int
    kill: int
    all_shock: bool = False


@rule("ore-2.25-fast-recovery")
def recovered(rules: Ruleset, points: int = 3, hours: int = 24, resting: bool = True) -> Healed:
    """The healing of Fast Recovery over some hours."""
    row = RECOVERY.get(rules, str(points))
    enough = hours >= row.shock_hours and (resting or not row.resting)
    shock = row.shock * (hours // row.shock_hours) if enough else 0
    return Healed(shock, row.kill * (hours // 24) if resting else 0, row.all_shock and enough)


@rule("ore-2.27-hard-to-kill")
def shrugged_off(levels: int = 1) -> int:
    """Points that Hard To Kill ignores per session; also bonus dice on recovery rolls."""
    return max(0, levels)


@rule("ore-2.28-income")
def monthly_income(rules: Ruleset, points: int = 1, currency: Currency = "pounds") -> Derived[int]:
    """Money per month: pounds or dollars, or a tenth of the pounds in gold pieces. It gives no starting money."""
    amount = _in(INCOME.get(rules, str(points)), currency)
    return total(f"{currency.capitalize()} per month", term(f"Income {points}", amount), rule="ore-2.28-income")


def _in(row: MoneyRow, currency: Currency) -> int:
    """An amount in one of three currencies; a gold piece is ten pounds."""
    return {"pounds": row.pounds, "dollars": row.dollars, "gold pieces": row.pounds // 10}[currency]


@rule("ore-2.28-income")
def most_income(attached: int = 4) -> int:
    """Income from another advantage has at most its points."""
    return attached


@rule("ore-2.41-wealth")
def starting_money(rules: Ruleset, points: int = 1, currency: Currency = "pounds") -> Derived[int]:
    """Starting money: pounds or dollars, or a tenth of the pounds in gold pieces."""
    amount = _in(WEALTH.get(rules, str(points)), currency)
    return total(currency.capitalize(), term(f"Wealth {points}", amount), rule="ore-2.41-wealth")


@rule("ore-2.41-wealth")
def most_wealth(rules: Ruleset) -> int:
    """At most five points of Wealth at creation."""
    return 5


@rule("ore-2.30-low-light-vision", "ore-2.37-preternatural-vision")
def sees(
    light: Literal["bright", "dim", "none"] = "dim", low_light: bool = False, preternatural: bool = False, feet: int = 30
) -> Literal["clearly", "in grey", "poorly", "nothing"]:
    """Low Light Vision sees in dim light, given a candle; Preternatural Vision sees 60 feet in the dark, in grey."""
    if light == "bright" or (light == "dim" and low_light):
        return "clearly"
    if preternatural and feet <= 60:
        return "in grey"
    return "poorly" if light == "dim" else "nothing"


@rule("ore-2.31-lucky")
def lucky_test(rules: Ruleset, pool: Pool, difficulty: int = 1, aim: Aim = "widest", by: str = "", what: str = "test") -> Play[Outcome]:
    """Once per session Lucky rerolls the whole pool without a set. A view of luck in fights."""
    first = yield from make_test(rules, pool, difficulty, aim, by, what)
    if first.success or not ready_dice(rules, pool).dice:  # a Luck die is none of the pool (ruling)
        return first
    return (yield from make_test(rules, pool, difficulty, aim, by, f"{what}, again"))


@rule("ore-2.33-preternatural-resistance")
def natural_armour(rules: Ruleset, type: str = "ballistic", resistances: dict[str, int] | None = None) -> int:
    """A point of Armour Rating per level against one type of damage; several types can be bought."""
    DAMAGE_TYPES.get(rules, type)
    return (resistances or {}).get(type, 0)


def resistances_by_class(rules: Ruleset, resistances: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """The same by damage class letter; unknown types are left out."""
    known = {type: natural_armour(rules, type, resistances) for type in DAMAGE_TYPES(rules)}
    return tuple([(type[0].upper(), rating) for type, rating in known.items() if rating > 0])


@rule("ore-2.39-signature-weapon", "ore-2.16-compat-extra-die")
def with_signature_weapon(rules: Ruleset, pool: Pool, weapon: str = "katana", signatures: tuple[str, ...] = ("katana",)) -> Pool:
    """The extra die with a Signature Weapon."""
    return with_extra_die(rules, pool, "signature weapon") if weapon.lower() in signatures else pool


@rule("ore-2.34-preternatural-sense")
def sense_cost(rules: Ruleset, thing: Literal["rare", "uncommon", "common"] = "rare") -> int:
    """The cost of sensing a thing: more if it is common. A view of prices in the audit."""
    return next(points for points, known in SENSES.numbered(rules).items() if known == thing)


@rule("ore-2.35-preternatural-skill")
def skill_gift(rules: Ruleset, points: int = 2) -> SkillGiftRow:
    """Dice for a skill by points: ordinary or Expert, on a Narrow or Broad Skill, or in one circumstance."""
    return SKILL_GIFTS.get(rules, str(points))


@rule("ore-2.35-preternatural-skill-action")
@instead_of(skill_gift, "skill-system", "action")
def action_skill_gift(rules: Ruleset, points: int = 2) -> SkillGiftRow:
    """In the Action system two points give a die, four an Expert Die."""
    return ACTION_GIFTS.get(rules, str(points))


@rule("ore-2.36-preternatural-statistic")
def statistic_limit(rules: Ruleset, limit: int = 5, preternatural: bool = True) -> int:
    """A preternatural statistic may go one higher: to 6, and one above the Gear's limit at creation (ruling)."""
    return limit + int(preternatural)


@rule("ore-2.39-signature-weapon")
def signature_allowed(weapon_skill: int = 3) -> bool:
    """A Signature Weapon needs its Weapon Skill at 3 or more (ruling)."""
    return weapon_skill >= 3
