"""Character audit: every breach with its rule, the excess and the smallest repair (book lines 9-76, 274-295, 604-648).

Repairs are applied from the top, so the order matters: first what is out of bounds or unknown, then what costs too much. Carrying out
the repairs one after another always ends with a legal character.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.audit import (
    MOST_REPAIRS,
    Audit,
    Problem,
    Repair,
    Saving,
    cheapest,
    faults,
    field_of,
    near_to,
    short,
    signed,
    with_key,
    without_place,
)
from rulewright.build.sheet_parts import Budget
from rulewright.campaign.downtime import CAMPAIGN_FIELDS, campaign_problem
from rulewright.highest_die.experience import dice
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.scenes.scenarios import counted, numbered
from rulewright.systems.scumm.gear.items import ARMOR, GUNS, MELEE, WEALTH, as_listed
from rulewright.systems.scumm.harm.body import AVERAGE, DRUGGED, HURT, WORN, Patient, after_scenes
from rulewright.systems.scumm.people.advancement import Standing, experience_award
from rulewright.systems.scumm.people.characters import (
    ATTRIBUTE_LIMITS,
    ATTRIBUTES,
    SKILL_POINTS,
    SKILLS,
    SPECIALIZATION_POINTS,
    Attributes,
    Character,
    Gear,
    creation_cost,
    derived,
    points_given,
    points_spent,
    starting_limit,
)
from rulewright.systems.scumm.resolution.tests import EMERGENCY_DICE


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every breach of the rules in a character's file, and what was spent of every budget."""
    character = replace(character, gear=as_listed(rules, character.gear))
    skill_points = Points(rules, character)
    problems = [
        *_attributes(rules, character),
        *_skills(rules, character),
        *_specializations(rules, character, skill_points),
        *_skill_points(rules, character, skill_points),
        *_gear(rules, character.gear),
        *_injuries(rules, character),
        *_condition(rules, character),
    ]
    given, spent = points_given(rules, character.attributes).value, points_spent(rules, character.attributes).value
    log = Standing(rules, character)
    problems.extend(faults("advancement", character.advancement, log.take))
    problems.extend(_weak(rules, log))
    expected = experience_award(rules, log.awards).value
    allowed = _wealth(rules, character.gear)
    budgets = (
        Budget(name="Attribute points", rule="scumm-attributes", allowed=given, spent=spent),
        Budget(name="Skill points", rule="scumm-skills-creation", allowed=SKILL_POINTS, spent=skill_points.spent),
        Budget(name="Wealth Points", rule="scumm-wealth", allowed=allowed, spent=gear_cost(rules, character.gear).value),
        Budget(
            name="Experience",
            rule="scumm-xp-award",
            note=f"{log.awards} awards; {expected} would be average" if log.awards else "",
            allowed=log.earned,
            spent=log.spent,
        ),
    )
    return Audit(tuple(problems), budgets)


# --- attributes ---------------------------------------------------------------------------------------------------------------


def _attributes(rules: Ruleset, character: Character) -> Iterator[Problem]:
    attributes, rule_id = character.attributes, "scumm-attributes"
    for name in ATTRIBUTES:
        value, limits = getattr(attributes, name), ATTRIBUTE_LIMITS.get(rules, name)
        field, label = f"attributes.{name}", name.capitalize()
        if value > limits.highest:
            top = signed(limits.highest)
            message = f"{label} {signed(value)} is above the limit of {top}"
            yield Problem(rule_id, field, message, value - limits.highest, Repair(f"lower it to {top}", field, limits.highest))
        elif value < limits.lowest:
            low = signed(limits.lowest)
            message = f"{label} {signed(value)} is below the limit of {low}"
            yield Problem(rule_id, field, message, limits.lowest - value, Repair(f"raise it to {low}", field, limits.lowest))
    given, spent = points_given(rules, attributes).value, points_spent(rules, attributes).value
    if spent > given:
        message = f"{spent} of {given} attribute points spent"
        yield Problem(rule_id, "attributes", message, spent - given, _lowered(rules, attributes, spent - given))
    elif spent < given and character.player:
        message = f"{given - spent} of {given} attribute points unspent"
        yield Problem(rule_id, "attributes", message, 0, _raised(rules, attributes, given - spent), warning=True)


def _lowered(rules: Ruleset, attributes: Attributes, over: int) -> Repair:
    """Lower the highest attribute by what is over, as far as that gives points back."""
    name = max(ATTRIBUTES, key=lambda text: getattr(attributes, text))
    value = getattr(attributes, name)
    floor = ATTRIBUTE_LIMITS.get(rules, name).lowest if rules.on("lowered-attributes-give-points") else 0
    to = max(floor, value - over)
    return Repair(f"lower {name.capitalize()} to {signed(to)}", f"attributes.{name}", to)


def _raised(rules: Ruleset, attributes: Attributes, left: int) -> Repair | None:
    """Raise the lowest attribute that has room."""
    room = [name for name in ATTRIBUTES if 0 <= getattr(attributes, name) < ATTRIBUTE_LIMITS.get(rules, name).highest]
    if not room:
        return None
    name = min(room, key=lambda text: getattr(attributes, text))
    to = min(ATTRIBUTE_LIMITS.get(rules, name).highest, getattr(attributes, name) + left)
    return Repair(f"raise {name.capitalize()} to {signed(to)}", f"attributes.{name}", to)


def _weak(rules: Ruleset, now: Standing) -> Iterator[Problem]:
    """Legal, but to be known: a Defense or Combat Sense of zero or less is rolled unskilled."""
    values = derived(rules, Attributes(**now.attributes))
    for key, rule_id in (("defense", "scumm-defense-roll"), ("combat_sense", "scumm-combat-sense-roll")):
        value = values[key]
        if value.value <= 0:
            message = f"{value.reason.label} is {value.value}: it is rolled as an unskilled test"
            yield Problem(rule_id, "attributes", message, warning=True)


# --- skills -------------------------------------------------------------------------------------------------------------------


def _skills(rules: Ruleset, character: Character) -> Iterator[Problem]:
    known, limit = SKILLS(rules), starting_limit(rules)
    unknown = 0
    for skill, level in character.skills.items():
        field = field_of("skills", skill)
        if skill not in known:
            yield _unknown_skill(rules, character, skill, unknown)
            unknown += 1
        if level > limit:
            repair = Repair(f"lower it to {limit}", *with_key("skills", character.skills, skill, limit))
            message = f"{short(skill).capitalize()}: level {level} is above the starting limit of {limit}"
            yield Problem("scumm-skills-creation", field, message, level - limit, repair)
        elif level < 0:
            repair = Repair("raise it to 0", *with_key("skills", character.skills, skill, 0))
            message = f"{short(skill).capitalize()}: there is no level {level}"
            yield Problem("scumm-skills-creation", field, message, -level, repair)


def _unknown_skill(rules: Ruleset, character: Character, skill: str, count: int) -> Problem:
    near = near_to(skill, SKILLS(rules)) if count < MOST_REPAIRS else None
    if near in character.skills:
        near = None
    if count >= MOST_REPAIRS:
        repair = Repair("leave it out")
    elif near is None:
        repair = Repair("leave it out", "skills", {name: level for name, level in character.skills.items() if name != skill})
    else:
        repair = Repair(f"write {near}", "skills", {near if name == skill else name: level for name, level in character.skills.items()})
    return Problem("scumm-skill-list", field_of("skills", skill), f"there is no skill {short(skill)!r}", repair=repair)


class Points:
    """What a beginner's Skill Points went into."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        limit = starting_limit(rules)
        self.prices = [creation_cost(rules, level).value for level in range(limit + 1)]
        self.die = EMERGENCY_DICE.get(rules, "skill points per die").value
        self.skills = {skill: self.price(level) for skill, level in character.skills.items()}
        self.specializations = {skill: specialization_points(len(names)).value for skill, names in character.specializations.items()}
        self.dice = max(0, character.emergency_dice) * self.die
        self.spent = sum(self.skills.values()) + sum(self.specializations.values()) + self.dice

    def price(self, level: int) -> int:
        """Returns the cost of a level; one above the limit costs as much as the limit, since that breach is reported by itself."""
        return self.prices[max(0, min(level, len(self.prices) - 1))]

    @property
    def left(self) -> int:
        """Skill Points not spent; negative where too many were."""
        return SKILL_POINTS - self.spent


@rule("scumm-specialization")
def specialization_points(number: int = 1) -> Derived[int]:
    """Every specialization costs a beginner five Skill Points."""
    reason, number_of = term("each", SPECIALIZATION_POINTS), times("specializations", number)
    return total("Skill Points for specializations", reason, number_of, rule="scumm-specialization")


def _specializations(rules: Ruleset, character: Character, points: Points) -> Iterator[Problem]:
    rule_id, known, count = "scumm-specialization", SKILLS(rules), 0
    for skill, names in character.specializations.items():
        field, label = field_of("specializations", skill), short(skill).capitalize()
        drop = Repair("leave them out")
        if count < MOST_REPAIRS:
            others = {other: list(result) for other, result in character.specializations.items() if other != skill}
            drop = Repair("leave them out", "specializations", others)
        if skill not in known and skill not in character.skills:
            yield Problem("scumm-skill-list", field, f"there is no skill {short(skill)!r} to specialize in", repair=drop)
            count += 1
        elif names and character.skills.get(skill, 0) < 1:
            afford = points.left >= points.price(1) and skill in known
            learn = Repair("learn it at level 1", *with_key("skills", character.skills, skill, 1))
            message = f"a specialization needs the skill: {label} is not learnt"
            yield Problem(rule_id, field, message, repair=learn if afford else drop)
            count += 1
        seen: set[str] = set()
        for place, name in enumerate(names):
            if not name.strip() or name.casefold() in seen:
                what = f"{label} has the specialization {short(name)} twice" if name.strip() else f"a specialization of {label} has no name"
                path, value = without_place(field, names, place, count)
                if path == "specializations":
                    value = {**{other: list(result) for other, result in character.specializations.items()}, skill: value}
                yield Problem(rule_id, f"{field}.{place}", what, repair=Repair("leave it out", path, value))
                count += 1
            seen.add(name.casefold())


def _skill_points(rules: Ruleset, character: Character, points: Points) -> Iterator[Problem]:
    rule_id, owned = "scumm-skills-creation", character.emergency_dice
    if owned < 0:
        message = f"a character cannot own {owned} Emergency Dice"
        yield Problem("scumm-emergency-dice", "emergency_dice", message, -owned, Repair("set them to 0", "emergency_dice", 0))
    if points.left < 0:
        message = f"{points.spent} of {SKILL_POINTS} Skill Points spent"
        yield Problem(rule_id, "skills", message, -points.left, cheapest(_savings(character, points, -points.left), -points.left))
    elif character.player and points.left >= points.die:
        more = points.left // points.die
        repair = Repair(f"turn them into {dice(more)}", "emergency_dice", max(0, owned) + more)
        message = f"{points.left} of {SKILL_POINTS} Skill Points unspent"
        yield Problem(rule_id, "skills", message, 0, repair, warning=True)


def _savings(character: Character, points: Points, over: int) -> Iterator[Saving[Repair]]:
    if character.emergency_dice > 0:
        given_up = min(character.emergency_dice, -(-over // points.die))
        left = character.emergency_dice - given_up
        yield Saving(given_up * points.die, 0, Repair(f"give up {dice(given_up)}", "emergency_dice", left))
    for skill, names in character.specializations.items():
        if names:
            shorter = list(names[:-1])
            all_of_them = {result: list(those) for result, those in character.specializations.items()} if not all(skill.split(".")) else {}
            text = f"drop the {short(skill).capitalize()} specialization {short(names[-1])} ({SPECIALIZATION_POINTS} points)"
            yield Saving(SPECIALIZATION_POINTS, 1, Repair(text, *with_key("specializations", all_of_them, skill, shorter)))
    for skill, level in character.skills.items():
        level = min(level, len(points.prices) - 1)
        least = 1 if character.specializations.get(skill) else 0  # a specialization must not lose its skill
        for lower in range(level - 1, least - 1, -1):
            saved = points.price(level) - points.price(lower)
            everything = character.skills if not all(skill.split(".")) else {}
            text = f"lower {short(skill).capitalize()} from {level} to {lower} ({saved} points)"
            if saved:
                yield Saving(saved, 2 if lower else 3, Repair(text, *with_key("skills", everything, skill, lower)))


# --- gear ---------------------------------------------------------------------------------------------------------------------


@rule("scumm-wealth")
def gear_cost(rules: Ruleset, gear: Gear) -> Derived[int]:
    """Returns the cost in Wealth Points of everything owned; what no table lists costs what its owner wrote down."""
    priced = [
        *((name, MELEE(rules)[name].cost) for name in gear.melee if name in MELEE(rules)),
        *((name, GUNS(rules)[name].cost) for name in gear.guns if name in GUNS(rules)),
        *((name, ARMOR(rules)[name].cost) for name in (gear.armor or "",) if name in ARMOR(rules)),
        *((item.name, max(0, item.cost)) for item in gear.other),
    ]
    return total("Wealth Points", *[term(str(name), cost) for name, cost in priced], rule="scumm-wealth")


@rule("scumm-wealth")
def starting_wealth(rules: Ruleset) -> int:
    """The Wealth Points that a beginner usually has."""
    return WEALTH.get(rules, "beginning character").points


@rule("scumm-wealth")
def dollars(rules: Ruleset, points: int) -> tuple[int, int]:
    """Returns the approximate worth of so many Wealth Points in dollars, at least and at most. By id only."""
    low, high = WEALTH.get(rules, "beginning character").dollars_per_point
    return low * points, high * points


def _wealth(rules: Ruleset, gear: Gear) -> int:
    return starting_wealth(rules) if gear.wealth is None else max(0, gear.wealth)


def _gear(rules: Ruleset, gear: Gear) -> Iterator[Problem]:
    tables: tuple[tuple[str, tuple[str, ...], Any], ...] = (
        ("melee", gear.melee, MELEE),
        ("guns", gear.guns, GUNS),
        ("armor", (gear.armor,) if gear.armor else (), ARMOR),
    )
    for part, owned, table in tables:
        rows, rule_id, count = table(rules), table.rule, 0
        for place, name in enumerate(owned):
            field = f"gear.{part}.{place}" if part != "armor" else "gear.armor"
            if name not in rows:
                yield Problem(
                    rule_id,
                    field,
                    f"there is no {short(name)!r} among the {_PARTS[part]}",
                    repair=_known(field, name, rows, part, owned=owned, count=count),
                )
                count += 1
            elif getattr(rows[name], "restricted", False) and rules.on("restricted-needs-leave"):
                yield Problem(rule_id, field, f"{name}: its price is in brackets, so it needs the gamemaster's permission", warning=True)
    for place, item in enumerate(gear.other):
        for what in ("cost", "weight"):
            if not getattr(item, what) >= 0:
                field = f"gear.other.{place}.{what}"
                message = f"{short(item.name)}: a {what} of {getattr(item, what):g} is below 0"
                yield Problem("scumm-wealth", field, message, repair=Repair("set it to 0", field, 0))
    yield from _spent_wealth(rules, gear)


_PARTS = {"melee": "melee weapons", "guns": "guns", "armor": "armor"}


def _known(field: str, name: str, rows: Any, part: str, *, owned: tuple[str, ...], count: int) -> Repair:
    near = near_to(name, rows) if count < MOST_REPAIRS else None
    if near is not None:
        return Repair(f"write {near}", field, near)
    if part == "armor":
        return Repair("leave it out", field, None)
    place = int(field.rpartition(".")[2])
    return Repair("leave it out", *without_place(f"gear.{part}", owned, place, count))


def _spent_wealth(rules: Ruleset, gear: Gear) -> Iterator[Problem]:
    rule_id, usual, cost = "scumm-wealth", starting_wealth(rules), gear_cost(rules, gear).value
    if gear.wealth is not None and gear.wealth < 0:
        message = f"starting wealth is at least 0 Wealth Points, not {gear.wealth}"
        yield Problem(rule_id, "gear.wealth", message, -gear.wealth, Repair("set them to 0", "gear.wealth", 0))
    elif gear.wealth is not None and gear.wealth != usual:
        repair = Repair(f"start with {usual}", "gear.wealth", None) if cost <= usual else None
        message = f"{gear.wealth} Wealth Points instead of {usual}: the gamemaster must have granted them"
        yield Problem(rule_id, "gear.wealth", message, 0, repair, warning=True)
    allowed = _wealth(rules, gear)
    if cost > allowed:
        yield Problem(rule_id, "gear", f"{cost} of {allowed} Wealth Points spent", cost - allowed, _sold(rules, gear, cost - allowed))


def _sold(rules: Ruleset, gear: Gear, over: int) -> Repair | None:
    """The one thing to do without that frees enough and as little more as possible, or else the dearest."""
    result: list[tuple[int, str, str, tuple[Any, ...], int]] = []
    for part, names, rows in (("melee", gear.melee, MELEE(rules)), ("guns", gear.guns, GUNS(rules))):
        result += [(rows[name].cost, name, f"gear.{part}", names, place) for place, name in enumerate(names) if name in rows]
    other = msgspec.to_builtins(gear.other)
    result += [(item.cost, item.name, "gear.other", other, place) for place, item in enumerate(gear.other)]
    if gear.armor in ARMOR(rules):
        result.append((ARMOR(rules)[str(gear.armor)].cost, str(gear.armor), "gear.armor", (), 0))
    dear = [thing for thing in result if thing[0] > 0]
    if not dear:
        return None
    enough = [thing for thing in dear if thing[0] >= over]
    cost, name, field, entries, place = min(enough, key=lambda value: value[0]) if enough else max(dear, key=lambda entry: entry[0])
    text = f"do without the {short(name)} ({cost} Wealth Points)"
    return Repair(text, field, None) if field == "gear.armor" else Repair(text, *without_place(field, entries, place, 0))


# --- injuries -----------------------------------------------------------------------------------------------------------------


def _injuries(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for name in character.injuries.__struct_fields__:
        number = getattr(character.injuries, name)
        if number < 0:
            field, label = f"injuries.{name}", name.replace("_", " ")
            yield Problem("scumm-injuries", field, f"there cannot be {number} {label} wounds", -number, Repair("set it to 0", field, 0))
    body = Patient.of(rules, replace(character, gear=Gear(), condition={}))
    if {"flesh", "deep", "trauma", "dead", "resuscitated"} & character.condition.keys() or not (body.dead or body.trauma is not None):
        return
    fate = "dead" if body.dead else f"dying, with {counted(body.trauma or 0, 'minute')} left"
    message = f"a wound penalty of {body.wound_penalty} uses up System Shock {body.system_shock}: the character is {fate}"
    yield Problem("scumm-trauma", "injuries", message, warning=True)


def _condition(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Reports impossible results of scenes: an unknown field, or a value that no body can have."""
    guns = tuple(numbered(character.gear.guns))
    _, refused = after_scenes(AVERAGE, character.condition)
    for field, value in character.condition.items():
        head, _, weapon = field.partition(".")
        if head in ("ammo", "jammed"):
            sound = type(value) is bool if head == "jammed" else type(value) is int and value >= 0
            why = f"no {short(weapon)!r} is carried" if weapon not in guns else "" if sound else f"{short(str(value))} is not a valid value"
        elif field in CAMPAIGN_FIELDS:
            why = campaign_problem(field, value)
        elif field in (*HURT, *WORN, *DRUGGED):
            why = refused.get(field, "")
        else:
            why = f"there is no such field; there are {', '.join((*HURT, *WORN, *DRUGGED, *CAMPAIGN_FIELDS))}, ammo and jammed of every gun"
        if why:
            left = {other: result for other, result in character.condition.items() if other != field}
            yield Problem(
                "scumm-injuries", "condition", f"condition, {short(field)}: {why}", repair=Repair("leave it out", "condition", left)
            )
