"""Skills: three systems, costs and special uses (book lines 686-725, 1831-2326)."""

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.play import Play
from rulewright.play.cache import cached
from rulewright.rules import Column, Ruleset, Table, TableRow, instead_of, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

SkillKind = Literal["broad", "narrow", "specialist", "action", "discipline", "concentration"]


class BroadRow(TableRow, frozen=True):
    """A Broad Skill (or Discipline) with its Narrow Skills and skills of the Action system."""

    skill: str
    statistic: str
    narrow: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    action: tuple[str, ...] = ()
    named: str = ""
    """What must be named when bought."""


class SpecialistRow(TableRow, frozen=True):
    """A Specialist Skill; `subject`: bought per subject."""

    skill: str
    statistic: str
    kind: Literal["general", "weapon"]
    subject: bool = False


class NarrowRow(TableRow, frozen=True):
    """A Narrow Skill and its use."""

    skill: str
    broad: str
    use: str
    named: str = ""
    """What must be named when bought; it can be bought again for another."""


class GeneralRow(TableRow, frozen=True):
    """A general Specialist Skill, its subject and its use."""

    skill: str
    subject: str
    use: str


class WeaponSkillRow(TableRow, frozen=True):
    """A Weapon Specialisation and its weapons."""

    skill: str
    weapons: str
    mode: Literal["melee", "ranged"]


class ConcentrationRow(TableRow, frozen=True):
    """The Special Dice of a Concentration."""

    level: int
    expert: int = 0
    master: int = 0


BROAD = Table("ore-3.03-skill-list", BroadRow)
SPECIALIST = Table("ore-3.04-specialist-skill-list", SpecialistRow)
NARROW = Table("ore-3.05-skill-breakdown", NarrowRow)
GENERAL = Table("ore-3.06-general-specialist-skills", GeneralRow)
WEAPON_SKILLS = Table("ore-3.07-weapon-specialisations", WeaponSkillRow)
ACTION = Column("ore-3.01-sample-action-selection", "skill", statistic=str)
"""A skill of the Action system and its statistic."""
CONCENTRATIONS = Table("ore-3.02-opt-disciplines", ConcentrationRow)
SKILL_RATINGS = Column("ore-2.04-skill-ratings", "rating", int, measure=str)
"""The meaning of a rating."""

OTHER_NAMES = {
    "climb": "climbing",
    "run": "running",
    "programming": "software",
    "lie": "subterfuge",
    "intimidate": "intimidation",
    "pharmacology": "pharmaceuticals",
    "search": "searching",
    "track": "tracking",
    "hide": "hiding",
    "sneak": "sneaking",
    "trapper": "trapping",
    "scrutinise": "scrutinize",
    "fray": "close combat",
    "butt-kicking": "close combat",
    "axe": "axes",
    "bludgeon": "bludgeoning",
    "close fighting": "close-in fighting",
    "hurled": "hurled weapons",
    "sword": "swords",
}
"""Other names of skills in the book."""


class Skill(Struct, frozen=True):
    """A skill of the campaign: name, kind, usual statistic, and field."""

    name: str
    kind: SkillKind
    statistic: str
    field: str = ""
    subject: bool = False
    named: str = ""
    """What should be written after a colon (a field, a medium)."""


@cached(64)
@rule("ore-2.04-broad-narrow-skills")
def selection(rules: Ruleset) -> Mapping[str, Skill]:
    """The skills of the campaign: Broad, Narrow and Specialist Skills. House rules can change them."""
    skill_by_name = {row.skill: Skill(row.skill, "broad", row.statistic, row.skill, named=row.named) for row in BROAD(rules).values()}
    for broad in BROAD(rules).values():
        for name in broad.narrow:
            own = f"{name} ({broad.skill})" if name in skill_by_name else name  # two fields may each have a Design (line 2003)
            row = NARROW(rules).get(own)
            skill_by_name[own] = Skill(own, "narrow", broad.statistic, broad.skill, named=row.named if row else "")
    return skill_by_name | _specialists(rules)


def _specialists(rules: Ruleset) -> dict[str, Skill]:
    return {row.skill: Skill(row.skill, "specialist", row.statistic, "", row.subject) for row in SPECIALIST(rules).values()}


@rule("ore-3.01-opt-action-skills")
@instead_of(selection, "skill-system", "action")
def action_selection(rules: Ruleset) -> Mapping[str, Skill]:
    """The Action system: simple skills by statistic, plus Specialist Skills. Language, in both lists, works with or without a subject."""
    specialists = _specialists(rules)
    skill_by_name = {
        skill: Skill(skill, "action", statistic, named="a subject" if skill in specialists else "")
        for skill, statistic in ACTION.every(rules).items()
    }
    for broad in BROAD(rules).values():
        skill_by_name = {name: Skill(name, "action", broad.statistic) for name in broad.action} | skill_by_name
    others = {name: replace(skill, kind="action") for name, skill in specialists.items() if name not in skill_by_name}
    return skill_by_name | others


@instead_of(selection, "skill-system", "discipline")
def discipline_selection(rules: Ruleset) -> Mapping[str, Skill]:
    """Disciplines are like Broad Skills; Narrow Skills become Concentrations."""
    return {row.skill: Skill(row.skill, "discipline", row.statistic, row.skill) for row in BROAD(rules).values()}


def known_skill(rules: Ruleset, name: str) -> Skill | None:
    """A skill by any of its names; a subject follows a colon."""
    skills = selection(rules)
    base, _, subject = name.partition(":")
    base = base.strip().lower()
    skill = skills.get(base) or skills.get(OTHER_NAMES.get(base, base))
    if skill is None or (skill.subject and not subject.strip()) or (subject.strip() and not skill.subject and not skill.named):
        return None
    return skill


def subject_of(name: str) -> str:
    """The subject after the colon of a skill."""
    return name.partition(":")[2].strip().lower()


def written(rules: Ruleset, name: str) -> str:
    """A skill as written in files: its own name, with the subject after a colon."""
    skill, subject = known_skill(rules, name), subject_of(name)
    if skill is None:
        return name.strip().lower()
    return f"{skill.name}: {subject}" if subject else skill.name


# --- costs --------------------------------------------------------------------------------------------------------------------


class CostRow(TableRow, frozen=True):
    """The cost of an element per point, and of its Special Dice."""

    element: str
    cost: int
    expert: int = 0
    master: int = 0
    times: str = ""


COSTS = Table("ore-2.09-element-costs", CostRow)


@rule("ore-2.09-element-costs")
def element_cost(rules: Ruleset, element: str = "broad skill", rating: int = 3, expert: int = 0, master: int = 0) -> Derived[int]:
    """The cost of an element at creation: per rating or level, plus Special Dice. A Master Die costs an Expert Die first."""
    row = COSTS.get(rules, element)
    if (expert or master) and not row.expert:
        raise UserError(f"{a(element)} has no Special Dice to buy")
    terms = [term("per point", row.cost), times(row.times or "rating", rating)]
    if expert + master:
        terms.append(term("Expert Dice", row.expert * (expert + master), rule="ore-2.12-buying-special-dice"))
    if master:
        terms.append(term("promotion to Master Dice", row.master * master, rule="ore-2.12-buying-special-dice"))
    return total(f"Points for {a(element)}", *terms, rule="ore-2.09-element-costs", source=row.source)


@rule("ore-2.12-buying-special-dice")
def promotion_cost(rules: Ruleset, element: str = "broad skill", to: Literal["expert", "master"] = "expert") -> Derived[int]:
    """The cost to promote a die of a skill, independent of rating. A view of prices in the audit."""
    row = COSTS.get(rules, element)
    if not row.expert:
        raise UserError(f"{a(element)} has no Special Dice to buy")
    return total(f"Promotion to {to}", term(element, row.expert if to == "expert" else row.master), rule="ore-2.12-buying-special-dice")


@rule("ore-2.12-buying-special-dice")
def most_promoted(rules: Ruleset, rating: int = 3) -> tuple[int, int]:
    """How many dice of a skill can be promoted: one, to Expert or Master."""
    return min(1, rating), min(1, rating)


@instead_of(most_promoted, "special-dice", "failsafe")
def most_failsafe(rules: Ruleset, rating: int = 3) -> tuple[int, int]:
    """One Failsafe Die, and no Master Dice."""
    return min(1, rating), 0


@instead_of(most_promoted, "special-dice", "extra expert")
def most_extra_experts(rules: Ruleset, rating: int = 3) -> tuple[int, int]:
    """Several Expert Dice and one Master Die."""
    return rating, min(1, rating)


@instead_of(most_promoted, "special-dice", "extra master")
def most_extra_masters(rules: Ruleset, rating: int = 3) -> tuple[int, int]:
    """As many as the skill has dice."""
    return rating, rating


def skill_cost(rules: Ruleset, kind: SkillKind, rating: int, expert: int = 0, master: int = 0) -> Derived[int]:
    """The cost of a skill at creation."""
    element = kind if kind in ("discipline", "concentration") else f"{kind} skill"
    return element_cost(rules, element, rating, expert, master)


@rule("ore-2.10-skill-cap-at-creation")
def starting_limit(rules: Ruleset) -> int:
    """No skill starts above 3."""
    return 3


@rule("ore-2.04-broad-narrow-skills")
def applicable(broad: int = 0, narrow: int = 0) -> int:
    """Of Broad and Narrow Skill only the higher counts."""
    return max(broad, narrow)


class CashedIn(Struct, frozen=True):
    """Narrow Skills as a Broad Skill: rating, remaining cost, and points left over."""

    rating: int
    to_pay: int
    left: int


@rule("ore-2.04-broad-narrow-skills")
def cash_in(rules: Ruleset, narrow: tuple[int, ...] = (2, 1), rating: int = 1) -> CashedIn:
    """Points of Narrow Skills count towards the Broad Skill one for one (ruling: details are missing); none are returned."""
    sunk = sum(element_cost(rules, "narrow skill", number).value for number in narrow)
    price = element_cost(rules, "broad skill", rating).value
    return CashedIn(rating, max(0, price - sunk), max(0, sunk - price))


def narrow_fields(rules: Ruleset, skills: Mapping[str, int]) -> dict[str, list[str]]:
    """Narrow Skills by Broad Skill (with its field)."""
    result: dict[str, list[str]] = {}
    for name, rating in skills.items():
        skill = known_skill(rules, name)
        if skill is not None and skill.kind == "narrow" and rating > 0:
            subject = subject_of(name) if selection(rules)[skill.field].named else ""
            result.setdefault(f"{skill.field}: {subject}" if subject else skill.field, []).append(name)
    return result


def too_many(narrow: list[str]) -> int:
    """How many Narrow Skills of a field exceed two; the same one in several media counts once."""
    return max(0, len({name.partition(":")[0] for name in narrow}) - 2)


# --- Disciplines --------------------------------------------------------------------------------------------------------------


@rule("ore-3.02-opt-disciplines")
def concentration_limit(discipline: int = 2) -> int:
    """A Concentration is at most two above its Discipline and at most five."""
    return min(5, discipline + 2) if discipline > 0 else 0


@cached(2_000)
def concentration_on(rules: Ruleset, name: str) -> str:
    """The listed skill of a Concentration under any name: wrestling belongs to Unarmed (ruling)."""
    folded = name.strip().lower()
    folded = OTHER_NAMES.get(folded, folded)
    if folded in NARROW(rules) or folded in WEAPON_SKILLS(rules):
        return folded
    for row in WEAPON_SKILLS(rules).values():
        if folded in {word.strip() for word in re.split(r"[;:,()]", row.weapons)}:
            return row.skill
    return folded


@rule("ore-3.02-opt-disciplines")
def discipline_pool(rules: Ruleset, statistic: int = 2, discipline: int = 2, concentration: int = 0) -> Pool:
    """The Discipline gives the dice; a fitting Concentration adds Special Dice (ruling). A view of pools on the sheet."""
    if concentration == 0:
        return Pool(statistic + discipline)
    if concentration > concentration_limit(discipline):
        raise UserError(
            f"a Concentration under a Discipline of {discipline} goes up to {concentration_limit(discipline)}, not {concentration}"
        )
    row = CONCENTRATIONS.get(rules, str(concentration))
    return Pool(statistic + discipline, row.expert, row.master)


# --- what a few skills do by themselves ---------------------------------------------------------------------------------------


@rule("ore-3.05-leaping")
def leap(width: int = 2, upwards: bool = False) -> int:
    """The length of a leap: five feet per Width, or two feet upwards. By id only."""
    return max(0, width) * (2 if upwards else 5)


@rule("ore-3.05-leaping")
def leap_pool(dice: int, running_start: bool = False) -> Pool:
    """A running start gives two dice. By id only."""
    return Pool(dice).plus(Mod("running start", 2 if running_start else 0, "ore-3.05-leaping"))


@rule("ore-3.05-running")
def run_distance(rules: Ruleset, width: int = 2) -> Derived[int]:
    """Metres per round: five, plus metres per Width (setting run-metres-per-width)."""
    result = rules.number("run-metres-per-width")
    run = [term("Width of the run", max(0, width)), times("metres per point", result)] if width > 0 else []
    return total("Metres per round", *run, term("everybody", 5), rule="ore-3.05-running", source=rules.source("run-metres-per-width"))


@rule("ore-3.05-running")
def run(rules: Ruleset, pool: Pool, difficulty: int = 1, by: str = "") -> Play[int]:
    """A run with Body and Athletics or Running, whichever is better: the metres covered."""
    outcome = yield from make_test(rules, pool, difficulty, "widest", by, "run")
    return run_distance(rules, outcome.width).value


@rule("ore-3.05-vigor")
def vigor_test(rules: Ruleset, body: int = 2, vigor: int = 0, strength: int = 1, by: str = "") -> Play[Outcome]:
    """Body and Vigor (or Physique) against sickness and poison, with its strength as Difficulty (stand-in). By id only."""
    return (yield from make_test(rules, Pool(body + vigor), strength, "widest", by, "vigor"))


@rule("ore-3.05-close-combat-vs-weapon-skills")
def combat_rating(
    rules: Ruleset,
    skills: dict[str, int],
    weapon_skill: str = "swords",
    use: Literal["attack", "parry", "dodge"] = "attack",
) -> tuple[str, int]:
    """The best skill of a fighter for a weapon, with its rating: general skills for any weapon, a Weapon Specialisation for its own. It
    attacks and parries, but does not dodge. A view of weapon skills in fights."""
    row = WEAPON_SKILLS.get(rules, OTHER_NAMES.get(weapon_skill, weapon_skill))
    narrow = {"attack": "fight", "parry": "parry", "dodge": "dodge"}[use]
    general = ("close combat", narrow)
    if row.mode == "ranged" and use == "attack":
        general = ("ranged combat", _narrow_for(row.skill))
    usable = [*general, *([row.skill] if use != "dodge" and (row.mode == "melee" or use == "attack") else [])]
    if row.skill in ("pull weapons", "push weapons"):
        usable.append("missile weapons")
    best = max(usable, key=lambda name: skills.get(name, 0))
    return best, skills.get(best, 0)


def _narrow_for(weapon_skill: str) -> str:
    if weapon_skill in ("pull weapons", "push weapons", "missile weapons"):
        return "missiles"
    if weapon_skill in ("hurled weapons", "projectile weapons"):
        return "thrown"
    return "energy" if weapon_skill in ("laser weapons", "plasma weapons", "sonic weapons") else "ballistics"
