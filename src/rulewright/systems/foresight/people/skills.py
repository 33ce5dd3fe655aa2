"""Skills and fields of knowledge: formulas, levels, prices (book lines 724-978, 1635-1639, 1951-2039, 2248-2254)."""

from itertools import count
from math import floor
from typing import Literal

from rulewright.dice.limits import bound
from rulewright.errors import UserError
from rulewright.rules import Column, Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_down, rounded_up, term, times, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.people.attributes import TYPICAL, AttributeName, Attributes, base_ease
from rulewright.systems.foresight.resolution.tests import Mod, Task, rounded

UNSKILLED = Figures("fs-unskilled-use")
MOST_LEVEL = 100
FAVORED_FIELDS, FAVORED = Figures("fs-favored-field"), Figures("fs-favored-weapon")
INSIGHT_SCORE = 26

FieldLevel = Literal["basic", "standard"]


class SkillRow(TableRow, frozen=True):
    """A skill: its formula (the sum of attributes over a divisor, and a constant), cost, base ease factor and limit."""

    skill: str
    attributes: tuple[AttributeName, ...]
    divisor: int
    cost: int
    ease: str
    limit: float
    tl: float | None
    constant: int = 0
    fixed: int | None = None
    """The highest level for everybody, where no attribute decides."""
    generic: bool = False
    """Whether it must be named when it is taken."""
    free: bool = False
    reservoir: bool = False
    """Whether its score is a pool to draw on: no task is rolled with it, and it never turns into 20 and a bonus."""


class FieldRow(TableRow, frozen=True):
    """A field of knowledge and the education points for its tiers."""

    field: str
    basic: int | None
    standard: int
    specialization: int | None
    tl: float
    generic: bool = False


class UseRow(TableRow, frozen=True):
    """Which ability goes with a use of a field, and what it often builds on."""

    use: str
    ability: str
    builds_on: str


SKILLS = Table("fs-skill-list", SkillRow)
SCOPES = Column("fs-skill-descriptions", "skill", scope=str)
"""What a skill is for."""
FIELDS = Table("fs-field-list", FieldRow)
FIELD_SCOPES = Column("fs-field-descriptions", "field", scope=str)
"""What a field covers."""
USES = Table("fs-fields-use", UseRow)


PRINTED = {"Watercraft, Powered": "Powered Watercraft"}
"""Names of skills as the book prints them in its list, where ours differ."""
GENERIC = "Generic "
ALIKE = (25, 75)
"""The least and the most that a similar skill gives to a new one, in percent."""


def as_listed(name: str) -> str:
    """Our name of a skill that is written as the book prints it: a turned name, or a generic skill with that word in front."""
    return PRINTED.get(name.strip()) or (name.strip().removeprefix(GENERIC) if name.strip().startswith(GENERIC) else name)


def split_name(name: str) -> tuple[str, str]:
    """A generic skill or field and the name it was taken under: `Tools of Trade: surgery`."""
    general, _, own = name.partition(":")
    return general.strip(), own.strip()


def skill_row(rules: Ruleset, name: str) -> SkillRow:
    """A skill of the list, by its name or the generic part of it."""
    return SKILLS.get(rules, split_name(name)[0])


def field_row(rules: Ruleset, name: str) -> FieldRow:
    """A field of the list, by its name or the generic part of it."""
    return FIELDS.get(rules, split_name(name)[0])


@rule("fs-skill-descriptions")
def skill_scope(rules: Ruleset, skill: str) -> str:
    """The scope of a skill. By id only."""
    return SCOPES.of(rules, split_name(skill)[0])


@rule("fs-field-descriptions")
def field_scope(rules: Ruleset, field: str) -> str:
    """The scope of a field. By id only."""
    return FIELD_SCOPES.of(rules, split_name(field)[0])


# --- scores -------------------------------------------------------------------------------------------------------------------


def formula_text(row: SkillRow) -> str:
    """A skill's formula as people write it."""
    if not row.attributes:
        return str(row.constant)
    joined = "+".join(row.attributes)
    if row.divisor == 1:
        return joined
    return f"({joined})/{row.divisor}" if len(row.attributes) > 1 else f"{joined}/{row.divisor}"


@rule("fs-skill-score")
def skill_score(rules: Ruleset, skill: str, level: int = 0, attributes: Attributes = TYPICAL) -> Derived[float]:
    """The formula on trained attributes, rounded, plus the level. Above 20 it is used as 20+n, except for Stamina."""
    row = skill_row(rules, skill)
    terms = [term(name, attributes.of(name)) for name in row.attributes]
    if row.divisor > 1:
        terms.append(divided("divided by", row.divisor))
    if row.constant:
        terms.append(term("constant", row.constant))
    whole = [] if rules.on("continuous-values") else [rounded_off(rule="fs-rounding")]
    formula = total(formula_text(row), *terms, *whole, rule="fs-skill-score", source=row.source)
    return total(f"{skill} score", term(formula_text(row), formula), term("level", level), rule="fs-skill-score")


@rule("fs-skill-score")
def highest_level(rules: Ruleset, skill: str, attributes: Attributes = TYPICAL) -> Derived[int]:
    """No level passes the limit times the highest trained attribute of the formula, rounded up."""
    row = skill_row(rules, skill)
    if row.fixed is not None:
        return total(f"highest level of {skill}", term("for everybody", row.fixed), rule="fs-skill-score")
    best = max(row.attributes, key=attributes.of)
    limit = (times("limit", row.limit), rounded_up())
    return total(f"highest level of {skill}", term(best, attributes.of(best)), *limit, rule="fs-skill-score")


@rule("fs-unskilled-use")
def unskilled_task(rules: Ruleset, skill: str, attributes: Attributes = TYPICAL, environment: int = 0, gravity: int = 0) -> Task:
    """A skill that was never learnt: its formula alone, at -1, and often strange besides. A view of `ability_task`."""
    row = skill_row(rules, skill)
    score = skill_score(rules, skill, 0, attributes).value
    return Task(
        score, base_ease(rules, row.ease, environment, gravity), (Mod("not learnt", UNSKILLED.of(rules, "modifier"), "fs-unskilled-use"),)
    )


@rule("fs-skill-list")
def skill_task(
    rules: Ruleset,
    skill: str,
    level: int = 0,
    attributes: Attributes = TYPICAL,
    environment: int = 0,
    gravity: int = 3,
    insight: int = 0,
    modifiers: tuple[Mod, ...] = (),
) -> Task:
    """A skill put to use: its score, its base ease factor here (unique insight or gift added), and the modifiers of the task.

    A view of `ability_task`.
    """
    row = skill_row(rules, skill)
    score = skill_score(rules, skill, level, attributes).value
    return Task(score, base_ease(rules, row.ease, environment, gravity) + insight).plus(*modifiers)


@rule("fs-generic-skills")
def head_start(rules: Ruleset, level: int, percent: int = 50) -> Derived[int]:
    """A skill closely like one already known begins at 25 to 75 percent of its level, by how alike they are."""
    bound("how alike they are, in percent,", percent, *ALIKE)
    return total(
        "first level",
        term("level of the known skill", level),
        times("percent", percent),
        divided("of a hundred", 100),
        rounded_off(),
        rule="fs-generic-skills",
    )


# --- what skills and fields cost ----------------------------------------------------------------------------------------------


class PurchaseRow(TableRow, frozen=True):
    """What character points buy."""

    purchase: str
    points: int
    per: str


PRICES = Table("fs-spending-cps", PurchaseRow)


def price(rules: Ruleset, purchase: str) -> int:
    """A figure of the price list."""
    return PRICES.get(rules, purchase).points


@rule("fs-spending-cps")
def dearer_above(rules: Ruleset, skill: str) -> int:
    """The level past which each further one costs double: ten times the limit. Sing has none, so a ruling stands in."""
    row = skill_row(rules, skill)
    return rules.number("sing-doubles-above") if row.fixed is not None else floor(row.limit * 10)


@rule("fs-spending-cps")
def skill_price(rules: Ruleset, skill: str, level: int = 0, start: int | None = None) -> Derived[int]:
    """The cost of a skill up to a level: three times its cost for level 0, its cost a level, double past ten times the limit.

    `start` is the level it stands at already (0 for one that came free); none for one that is new.
    """
    bound("a skill level", level, 0, MOST_LEVEL)
    row, limit = skill_row(rules, skill), dearer_above(rules, skill)
    begun = 0 if start is None else start
    plain, dear = max(0, min(level, limit) - begun), max(0, level - max(limit, begun))
    parts = [
        ("level 0", price(rules, "skill at level 0") if start is None else 0),
        (f"{plain} levels to {limit}", price(rules, "skill level up to limit x 10") * plain),
        (f"{dear} levels above {limit}", price(rules, "skill level above limit x 10") * dear),
    ]
    terms = [Reason(f"{label}, times cost {row.cost}", share * row.cost, "+", "fs-spending-cps") for label, share in parts if share]
    return total(f"{skill} at level {level}", *terms, rule="fs-spending-cps")


@rule("fs-attributes")
def highest_trained(rules: Ruleset, inherent: int) -> Derived[int]:
    """A trained value reaches at most four above the inherent one: as far as training has a price."""
    most = next(step for step in count() if f"trained attribute to inherent +{step + 1}" not in PRICES(rules))
    return total("highest trained value", term("inherent", inherent), term("training", most), rule="fs-attributes")


@rule("fs-spending-cps")
def attribute_price(rules: Ruleset, inherent: int, trained: int, start: int | None = None) -> Derived[int]:
    """The cost of training an attribute: 5 to one above inherent, 5 more to two, 10 to three, 20 to four; 5 a point below inherent."""
    begun = inherent if start is None else start
    most = highest_trained(rules, inherent).value
    if trained > most:
        raise UserError(f"an inherent {inherent} can be trained to {most} at most, not {trained}")
    steps = []
    for value in range(begun + 1, trained + 1):
        above = value - inherent
        row = f"trained attribute to inherent +{above}" if above > 0 else "trained attribute below inherent +1"
        steps.append(Reason(f"to {value}", price(rules, row), "+", "fs-spending-cps"))
    return total(f"training from {begun} to {trained}", *steps, rule="fs-spending-cps")


@rule("fs-ltf")
def familiarity_price(rules: Ruleset, ability: str) -> Derived[int]:
    """A long-term familiarity costs five times the skill's cost, or five times 2 for a field or attribute."""
    cost = SKILLS(rules)[split_name(ability)[0]].cost if split_name(ability)[0] in SKILLS(rules) else 2
    number = price(rules, "long-term familiarity")
    return total(f"long-term familiarity: {ability}", term("each", number), term("cost", cost, "×"), rule="fs-ltf")


@rule("fs-ltf")
def familiarities(rules: Ruleset, fitting: int = 1) -> Mod:
    """Each long-term familiarity that fits is +1; overlapping ones add up (a campaign may let only one count)."""
    counted = fitting if rules.word("ltf-stacking") == "stack" else min(1, fitting)
    return Mod("long-term familiarity", counted, "fs-ltf", rules.source("ltf-stacking") if fitting > 1 else "book")


@rule("fs-spending-cps")
def off_hand(rules: Ruleset, ambidextrous: bool = False, usual: int = -2) -> Mod:
    """The modifier of the off-hand; nothing for the ambidextrous (ruling: the book prints only the price of it)."""
    helps = ambidextrous and rules.on("ambidexterity-helps")
    return Mod("off-hand", 0 if helps else usual, "fs-spending-cps", rules.source("ambidexterity-helps") if ambidextrous else "book")


# --- fields -------------------------------------------------------------------------------------------------------------------


@rule("fs-fields-levels")
def field_price(rules: Ruleset, field: str, level: FieldLevel = "standard", specializations: int = 0, start: str = "") -> Derived[int]:
    """Education points for a field: the basic tier first, where there is one, then standard; specializations need standard.

    `start` is the tier that is known already, `basic` or `standard`.
    """
    row, terms = field_row(rules, field), []
    if level == "basic" and row.basic is None:
        raise UserError(f"{field} has no basic tier: it is learnt at standard")
    if start not in ("basic", "standard") and row.basic is not None:
        terms.append(Reason("basic", row.basic, "+", "fs-fields-levels"))
    if level == "standard" and start != "standard":
        terms.append(Reason("standard", row.standard, "+", "fs-fields-levels"))
    if specializations:
        terms.append(_specializations(rules, row, level, specializations))
    return total(f"{field}, {level}", *terms, rule="fs-fields-levels")


def _specializations(rules: Ruleset, row: FieldRow, level: FieldLevel, number: int) -> Reason:
    if row.specialization is None:
        raise UserError(f"{row.field} has no specializations")
    if level == "basic":
        result = specialized_on_basic(rules, row.field).value
        return Reason(f"{number} on basic knowledge", result * number, "+", "fs-fields-specialize-from-basic")
    return Reason(f"{number} specializations", row.specialization * number, "+", "fs-fields-levels")


@rule("fs-fields-specialize-from-basic")
def specialized_on_basic(rules: Ruleset, field: str) -> Derived[int]:
    """A specialization learnt on basic knowledge alone costs a fifth more, where the campaign allows it."""
    row = field_row(rules, field)
    if row.specialization is None:
        raise UserError(f"{field} has no specializations")
    if not rules.on("specialize-from-basic"):
        raise UserError(f"a specialization of {field} needs standard knowledge (setting specialize-from-basic)")
    return total(
        f"{field}, specialized on basic",
        term("specialization", row.specialization),
        times("a fifth more", 1.2),
        rounded_off(),
        rule="fs-fields-specialize-from-basic",
    )


@rule("fs-fields-early-tl")
def early_field(rules: Ruleset, field: str, tl: float) -> Derived[int]:
    """Basic knowledge of a field one technology level before its time costs double, where the campaign allows it.

    The price of the basic tier at this technology level; specializations then appear one level late.
    """
    row = field_row(rules, field)
    if row.basic is None:
        raise UserError(f"{field} has no basic tier")
    if tl >= row.tl:
        return total(f"{field}, basic", term("basic", row.basic), rule="fs-fields-early-tl")
    if not rules.on("early-fields"):
        raise UserError(f"{field} is known from TL{row.tl:g} on (setting early-fields)")
    if tl < row.tl - 1:
        raise UserError(f"{field} cannot be known before TL{row.tl - 1:g}")
    return total(f"{field}, basic, early", term("basic", row.basic), term("early", 2, "×"), rule="fs-fields-early-tl")


@rule("fs-fields-early-tl")
def specialization_from(rules: Ruleset, field: str) -> float:
    """The technology level from which specializations of a field exist: one late where early fields are played."""
    return field_row(rules, field).tl + (1 if rules.on("early-fields") else 0)


@rule("fs-language-immersion")
def language_price(rules: Ruleset, language: str = "Language", level: FieldLevel = "standard", immersed: bool = True) -> Derived[int]:
    """Living among people who speak a language halves what it costs; half points go up."""
    if not split_name(language)[0].startswith("Language"):
        raise UserError(f"{language} is not a language: only languages are learnt by immersion")
    whole = field_price(rules, language, level)
    if not immersed:
        return whole
    half = (divided("immersed", 2), rounded_off())
    return total(f"{language}, immersed", term("full price", whole), *half, rule="fs-language-immersion")


@rule("fs-fields-use")
def ability_for(rules: Ruleset, use: str = "recall") -> str:
    """The ability rolled for a use of a field. By id only."""
    return USES.get(rules, use).ability


# --- favors -------------------------------------------------------------------------------------------------------------------


@rule("fs-favored-field")
def favored_fields(rules: Ruleset, theory: int) -> Derived[int]:
    """One favored field or specialization for every five full levels of Theory."""
    pair = (divided("one for each", FAVORED_FIELDS.of(rules, "levels of Theory", least=1)), rounded_down())
    return total("favored fields", term("Theory level", theory), *pair, rule="fs-favored-field")


@rule("fs-favored-field")
def favored_field(rules: Ruleset, field: bool = True, specialization: bool = False) -> Mod:
    """+1 for work in a favored field and +1 more in a favored specialization of it. By id only."""
    if specialization and not field:
        raise UserError("a specialization can be favored only if its field is")
    return Mod("favored field", int(field) + int(specialization), "fs-favored-field")


@rule("fs-favored-weapon")
def favored_classes(rules: Ruleset, level: int) -> Derived[int]:
    """Hand-to-Hand Combat favors one class of weapons at level 0 and a second at level 10."""
    second = FAVORED.of(rules, "second from level")
    later = [term(f"level {second}", 1)] if level >= second else []
    return total("favored weapon classes", term("level 0", 1), *later, rule="fs-favored-weapon")


@rule("fs-favored-weapon")
def favor(rules: Ruleset, favored: tuple[str, ...], weapon: str) -> Mod:
    """+1 with a favored class of weapons, +2 where it is favored twice."""
    return Mod(f"favors {weapon}", min(FAVORED.of(rules, "most for one class"), favored.count(weapon)), "fs-favored-weapon")


@rule("fs-favored-weapon")
def favor_in_defense(rules: Ruleset, favored: tuple[str, ...], attacker: str, parrying: str | None = None) -> Mod:
    """In defense the favor for unarmed combat or for the attacker's weapon counts, whichever is better.

    A parry may use that for its own weapon instead; they do not add up (ruling).
    """
    known = max(favor(rules, favored, "unarmed").value, favor(rules, favored, attacker).value)
    own = favor(rules, favored, parrying).value if parrying is not None else 0
    value = known + own if rules.word("favor-in-parries") == "sum" else max(known, own)
    return Mod("favor in defense", value, "fs-favored-weapon", rules.source("favor-in-parries") if parrying else "book")


@rule("fs-tools-of-trade")
def trade_task(rules: Ruleset, dexterity: int = 9, level: int | None = None) -> Task:
    """A trade in place of dexterity for its own tasks; without it, dexterity serves at -3. A view of `ability_task`."""
    if level is None:
        short = Mod("dexterity in place of a trade", -rules.number("dexterity-for-a-trade"), "fs-tools-of-trade")
        return Task(dexterity, rules.number("attribute-ease-factor")).plus(short)
    row = SKILLS.get(rules, "Tools of Trade")
    return Task(rounded(rules, dexterity / row.divisor) + level, base_ease(rules, row.ease))
