"""Advantages: what each costs and what it does (book lines 726-731, 872-1537)."""

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
    """An advantage: points for each rating or level, how many there are, its two parts if it has them, and what must be chosen."""

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
    """What is rolled to call on an advantage."""

    advantage: str
    statistic: Literal["charm", "command"]
    first: str
    second: str


class RatingRow(TableRow, frozen=True):
    """What each part of an advantage means at a rating, and what may be asked at a Difficulty of the same number."""

    rating: int
    first: str
    second: str
    request: str = ""
    pounds: int = 0
    dollars: int = 0
    km2: int = 0


class RecoveryRow(TableRow, frozen=True):
    """How fast somebody heals: Shock after so many hours, with rest or without, and Kill by the day of rest."""

    points: int
    shock: int
    shock_hours: int
    resting: bool
    kill: int
    all_shock: bool = False


class MoneyRow(TableRow, frozen=True):
    """What so many points bring."""

    points: int
    pounds: int
    dollars: int


class SkillGiftRow(TableRow, frozen=True):
    """Dice for a skill, by points."""

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
"""A type of damage that somebody can resist."""
SENSES = Column("ore-2.34-preternatural-sense", "points", int, thing=str)
"""How common the things are that somebody senses."""
SKILL_GIFTS = Table("ore-2.35-preternatural-skill", SkillGiftRow)
ACTION_GIFTS = Table("ore-2.35-preternatural-skill-action", SkillGiftRow)


def advantage_named(rules: Ruleset, name: str) -> str:
    """An advantage under the name of its description, however it is capitalised; the list calls some otherwise (lines 900, 909)."""
    folded = name.strip().lower()
    if name in ADVANTAGES(rules) or folded in ADVANTAGES(rules):
        return name if name in ADVANTAGES(rules) else folded
    return next((row.advantage for row in ADVANTAGES(rules).values() if folded in row.aliases), name)


# --- costs --------------------------------------------------------------------------------------------------------------------


@rule("ore-2.14-advantages-general")
def advantage_cost(rules: Ruleset, advantage: str = "allies", rating: int = 1, first: int = 0, second: int = 0) -> Derived[int]:
    """The rating of an advantage is its price; some are bought in levels, and those of two parts cost both together."""
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
    """Both parts are bought, a point for each rating."""
    return total("Both parts", term(one.capitalize(), first), term(other.capitalize(), second))


@rule("ore-2.15-opt-simplified-advantages")
@instead_of(two_part_cost, "simplified-advantages")
def simplified_cost(
    rules: Ruleset, one: str = "assistance", other: str = "loyalty", first: int = 3, second: int = 3, simplified: bool = True
) -> Derived[int]:
    """One rating stands for both parts and is paid once: a point each (ruling)."""
    if not simplified:
        return total("Both parts", term(one.capitalize(), first), term(other.capitalize(), second))
    rule_id = "ore-2.15-opt-simplified-advantages"
    return total("One rating for both parts", term(f"{one} and {other}", first), rule=rule_id)


@rule("ore-2.14-advantages-general")
def parts_of(rules: Ruleset, advantage: str = "allies", rating: int = 0, first: int = 0, second: int = 0) -> tuple[int, int]:
    """The two parts of an advantage, each bought by itself, from 0 to 5."""
    return first, second


@rule("ore-2.15-opt-simplified-advantages")
@instead_of(parts_of, "simplified-advantages")
def simplified_parts(rules: Ruleset, advantage: str = "allies", rating: int = 3, first: int = 0, second: int = 0) -> tuple[int, int]:
    """Whoever buys an advantage at 3 has 3 in both of its parts."""
    if not ADVANTAGES.get(rules, advantage).simplified:
        return first, second
    return (rating, rating) if not first and not second else (max(first, second),) * 2


# --- calling on people --------------------------------------------------------------------------------------------------------


class Called(Struct, frozen=True):
    """What came of calling on somebody: the roll, and whether further calls suffer for a week."""

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
    """Charm or Command with the first part of the advantage, at a Difficulty by what is asked.

    A failure at a Difficulty above the second part costs a die on further calls for a week; `strained` says that one does already.

    By id only.
    """
    CALLS.get(rules, advantage)
    if not 1 <= difficulty <= PART_LIMIT:
        raise UserError(f"a request has a Difficulty from 1 to {PART_LIMIT}")
    pool = Pool(statistic + first).plus(Mod("strained", -int(strained), "ore-2.17-two-part-advantage-test"))
    outcome = yield from make_test(rules, pool, difficulty, "widest", by, f"calling on {advantage}")
    return Called(outcome, not outcome.success and difficulty > second)


@rule("ore-2.18-allies")
def gift(rules: Ruleset, difficulty: int = 2, width: int = 2, loan: bool = False) -> Derived[int]:
    """What allies give in pounds: a sum by the Difficulty of the request, times the Width of the roll; as a loan ten times as much."""
    row = TWO_PARTS["allies"].get(rules, str(difficulty))
    terms = [term("at this Difficulty", row.pounds), times("Width", width), *([times("as a loan", 10)] if loan else [])]
    return total("Pounds", *terms, rule="ore-2.18-allies")


# --- one by one ---------------------------------------------------------------------------------------------------------------


@rule("ore-2.16-compat-extra-die")
def extra_die(rules: Ruleset) -> Literal["ordinary", "expert"]:
    """The extra die of some advantages is an ordinary one where a roll has a single Expert Die."""
    return "ordinary"


@instead_of(extra_die, "special-dice", "extra expert", "extra master")
def extra_expert_die(rules: Ruleset) -> Literal["ordinary", "expert"]:
    """It is an Expert Die where several may be used."""
    return "expert"


@rule("ore-2.16-compat-extra-die")
def with_extra_die(rules: Ruleset, pool: Pool, label: str = "extra die") -> Pool:
    """A pool with the extra die of an advantage, whichever kind the campaign has."""
    if extra_die(rules) == "ordinary":
        return pool.plus(Mod(label, 1, "ore-2.16-compat-extra-die"))
    return Pool(pool.dice, pool.expert + 1, pool.master, pool.mods, pool.several, pool.beyond_ten, pool.edge)


@rule("ore-2.17-action-hero")
def drama_points(levels: int = 1) -> int:
    """Every level of Action Hero brings a Drama Point."""
    return max(0, levels)


@rule("ore-2.19-ambidextrous")
def hand_penalty(off_hand: bool = True, both_hands: bool = False, ambidextrous: bool = True) -> int:
    """Ambidextrous people pay nothing for the off hand (others two dice), but still a die for using both hands at once.

    A view of the off-hand in fights.
    """
    return -(2 if off_hand and not ambidextrous else 0) - int(both_hands)


@rule("ore-2.20-arcane-apprentice")
def burn(level: int = 3, waste: tuple[int, ...] = (1, 2, 5)) -> int:
    """Limit 1: every waste die that shows less than the level of the effect deals its user a Shock. A view of Burn in fights."""
    return sum(1 for face in waste if face < level)


@rule("ore-2.20-arcane-apprentice")
def energy(power_statistic: int = 3, points: int = 0) -> int:
    """Limit 3: Energy Points to the Power Statistic, and one more for every three points spent; an effect costs its level."""
    return power_statistic + points // 3


@rule("ore-2.20-arcane-apprentice")
def materials(rules: Ruleset, level: int = 1) -> Derived[int]:
    """Limit 4: pounds that every use of an effect burns, by its level."""
    result, source = rules.number("materials-pounds"), rules.source("materials-pounds")
    terms = (term("per level", result), times("level", level))
    return total("Pounds", *terms, rule="ore-2.20-arcane-apprentice", source=source)


@rule("ore-2.21-armour-conditioning")
def conditioned(encumbrance: int = 3, levels: int = 1) -> int:
    """Every level makes its owner ignore a point of an armour's Encumbrance Rating; weight and exhaustion stay.

    A view of what armour encumbers in fights.
    """
    return max(0, encumbrance - levels)


@rule("ore-2.24-estate")
def estate_price(rules: Ruleset, income: int = 3) -> Derived[int]:
    """About what an estate sells for, in pounds: ten times the monthly Income attached to it; without one the Game Master says.

    By id only.
    """
    if income < 1:
        raise UserError("the Game Master sets the price of an estate without Income")
    month = INCOME.get(rules, str(income)).pounds
    return total("Sale price in pounds", term("monthly income", month), times("ten", 10), rule="ore-2.24-estate")


class Healed(Struct, frozen=True):
    """What somebody heals by himself: points of Shock (all of it where so), and of Kill."""

    shock: int
    kill: int
    all_shock: bool = False


@rule("ore-2.25-fast-recovery")
def recovered(rules: Ruleset, points: int = 3, hours: int = 24, resting: bool = True) -> Healed:
    """What Fast Recovery heals in so many hours: Shock by the hour, at the higher ratings all of it at once and Kill by the day of rest."""
    row = RECOVERY.get(rules, str(points))
    enough = hours >= row.shock_hours and (resting or not row.resting)
    shock = row.shock * (hours // row.shock_hours) if enough else 0
    return Healed(shock, row.kill * (hours // 24) if resting else 0, row.all_shock and enough)


@rule("ore-2.27-hard-to-kill")
def shrugged_off(levels: int = 1) -> int:
    """How many points of Kill or Shock somebody ignores in a session; and as many dice more on recovery rolls."""
    return max(0, levels)


@rule("ore-2.28-income")
def monthly_income(rules: Ruleset, points: int = 1, currency: Currency = "pounds") -> Derived[int]:
    """Pounds or dollars a month; a tenth of the pounds in gold pieces. It brings no money to begin with."""
    amount = _in(INCOME.get(rules, str(points)), currency)
    return total(f"{currency.capitalize()} per month", term(f"Income {points}", amount), rule="ore-2.28-income")


def _in(row: MoneyRow, currency: Currency) -> int:
    """So much money in one of three currencies: pounds and dollars as printed, gold pieces at ten pounds."""
    return {"pounds": row.pounds, "dollars": row.dollars, "gold pieces": row.pounds // 10}[currency]


@rule("ore-2.28-income")
def most_income(attached: int = 4) -> int:
    """Income that comes from another advantage has at most as many points as that one."""
    return attached


@rule("ore-2.41-wealth")
def starting_money(rules: Ruleset, points: int = 1, currency: Currency = "pounds") -> Derived[int]:
    """Pounds or dollars to begin with; a tenth of the pounds in gold pieces."""
    amount = _in(WEALTH.get(rules, str(points)), currency)
    return total(currency.capitalize(), term(f"Wealth {points}", amount), rule="ore-2.41-wealth")


@rule("ore-2.41-wealth")
def most_wealth(rules: Ruleset) -> int:
    """No more than five points of Wealth are bought at creation."""
    return 5


@rule("ore-2.30-low-light-vision", "ore-2.37-preternatural-vision")
def sees(
    light: Literal["bright", "dim", "none"] = "dim", low_light: bool = False, preternatural: bool = False, feet: int = 30
) -> Literal["clearly", "in grey", "poorly", "nothing"]:
    """Low Light Vision makes dim light as good as day, given a candle; Preternatural Vision sees 60 feet into the dark, in grey."""
    if light == "bright" or (light == "dim" and low_light):
        return "clearly"
    if preternatural and feet <= 60:
        return "in grey"
    return "poorly" if light == "dim" else "nothing"


@rule("ore-2.31-lucky")
def lucky_test(rules: Ruleset, pool: Pool, difficulty: int = 1, aim: Aim = "widest", by: str = "", what: str = "test") -> Play[Outcome]:
    """Once a session, where no set fell at all, a lucky one rolls the whole pool again. A view of luck in fights."""
    first = yield from make_test(rules, pool, difficulty, aim, by, what)
    if first.success or not ready_dice(rules, pool).dice:  # a Luck die is none of the pool (ruling)
        return first
    return (yield from make_test(rules, pool, difficulty, aim, by, f"{what}, again"))


@rule("ore-2.33-preternatural-resistance")
def natural_armour(rules: Ruleset, type: str = "ballistic", resistances: dict[str, int] | None = None) -> int:
    """A point of Armour Rating for every level, against the one type of damage that was chosen; several types can be bought."""
    DAMAGE_TYPES.get(rules, type)
    return (resistances or {}).get(type, 0)


def resistances_by_class(rules: Ruleset, resistances: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """The same by the letters of classes of damage; types that do not exist are left out."""
    known = {type: natural_armour(rules, type, resistances) for type in DAMAGE_TYPES(rules)}
    return tuple([(type[0].upper(), rating) for type, rating in known.items() if rating > 0])


@rule("ore-2.39-signature-weapon", "ore-2.16-compat-extra-die")
def with_signature_weapon(rules: Ruleset, pool: Pool, weapon: str = "katana", signatures: tuple[str, ...] = ("katana",)) -> Pool:
    """The extra die whenever a Signature Weapon is used."""
    return with_extra_die(rules, pool, "signature weapon") if weapon.lower() in signatures else pool


@rule("ore-2.34-preternatural-sense")
def sense_cost(rules: Ruleset, thing: Literal["rare", "uncommon", "common"] = "rare") -> int:
    """The more common a thing is in the campaign, the dearer it is to sense it. A view of prices in the audit."""
    return next(points for points, known in SENSES.numbered(rules).items() if known == thing)


@rule("ore-2.35-preternatural-skill")
def skill_gift(rules: Ruleset, points: int = 2) -> SkillGiftRow:
    """Dice for a skill by the points spent: an ordinary one or an Expert Die, on a Narrow or a Broad Skill, or in one circumstance."""
    return SKILL_GIFTS.get(rules, str(points))


@rule("ore-2.35-preternatural-skill-action")
@instead_of(skill_gift, "skill-system", "action")
def action_skill_gift(rules: Ruleset, points: int = 2) -> SkillGiftRow:
    """In the Action system two points give a die on a skill and four an Expert Die."""
    return ACTION_GIFTS.get(rules, str(points))


@rule("ore-2.36-preternatural-statistic")
def statistic_limit(rules: Ruleset, limit: int = 5, preternatural: bool = True) -> int:
    """A preternatural statistic may go one further than others: to 6 in the end, and one above the Gear's limit at creation (ruling)."""
    return limit + int(preternatural)


@rule("ore-2.39-signature-weapon")
def signature_allowed(weapon_skill: int = 3) -> bool:
    """A Signature Weapon needs its Weapon Skill at 3 (or more: ruling); it brings the extra die whenever it is used."""
    return weapon_skill >= 3
