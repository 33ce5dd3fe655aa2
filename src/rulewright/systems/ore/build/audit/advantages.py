"""Audit of advantages: known, validly rated and not bought too often."""

from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright.build.audit import Problem, Repair, near_to, short, without_place
from rulewright.errors import UserError
from rulewright.grammar import count, join
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.build.audit.entries import MOST_ENTRIES
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.people.advantages import (
    ADVANTAGES,
    DAMAGE_TYPES,
    PART_LIMIT,
    advantage_cost,
    advantage_named,
    most_income,
    most_wealth,
    parts_of,
    signature_allowed,
)
from rulewright.systems.ore.people.characters import STATISTICS, Character, Owned, Person, called
from rulewright.systems.ore.people.pools import openers
from rulewright.systems.ore.people.skills import WEAPON_SKILLS, known_skill, written

ONCE_EACH = {"preternatural statistic", "signature weapon"}
"""Advantages that can only be bought again for another choice."""

ONCE = {"lucky", "grandmaster", "ambidextrous", "low light vision", "preternatural vision", "fast recovery", "income", "wealth", *ONCE_EACH}
"""Advantages that gain nothing from a second purchase."""


def advantages(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks advantages one by one; one repair may fix others."""
    plain = msgspec.to_builtins(character.advantages)
    person = Person.of(rules, msgspec.structs.replace(character, advancement=()))
    owned = [called(rules, own) for own in character.advantages[:MOST_ENTRIES]]
    for place, own in enumerate(owned):
        drop = Repair("remove it", *without_place("advantages", plain, place))
        for rule_id, part, message, over, value in wrong_with(rules, person, own, character.weapons):
            field = f"advantages.{place}" + (f".{part}" if part else "")
            repair = drop if value is None else Repair(f"set it to {value}", field, value)
            yield Problem(rule_id, field, message, over, repair)
            break  # one thing at a time: what is mended may mend the others
        if own.name in ONCE and any(_same(other, own) for other in owned[:place]):
            yield Problem("ore-2.14-advantages-general", f"advantages.{place}", f"{own.name.capitalize()} is bought twice", 1, drop)


def _same(other: Owned, own: Owned) -> bool:
    return other.name == own.name and (own.name not in ONCE_EACH or other.choice.lower() == own.choice.lower())


def wrong_with(
    rules: Ruleset, person: Person, own: Owned, weapons: tuple[str, ...] = (), *, new: bool = True
) -> Iterator[tuple[str, str, str, int, Any]]:
    """The problem of an advantage: rule, field, message, excess, and the right value (None: remove it). `new` means character creation."""
    label, row = short(own.name).capitalize(), ADVANTAGES(rules).get(own.name)
    if row is None:
        if own.points is None or own.points < 0:
            near = nearest(own.name, ADVANTAGES(rules))
            yield (
                "ore-2.14-advantage-list",
                "",
                f"there is no advantage {short(own.name)!r}; to create one, give its points{near}",
                0,
                None,
            )
        return
    if own.points is not None and own.points < 0:
        yield row.rule, "points", f"{label}: an advantage must cost something", -own.points, 0
    if row.parts:
        yield from _parts(rules, own, row.parts)
        return
    if own.rating < row.low or (own.rating > row.high and not row.levels):
        nearest_one = min(max(own.rating, row.low), row.high)
        goes = f"the lowest level is {row.low}" if row.levels else f"the rating goes from {row.low} to {row.high}"
        yield row.rule, "rating", f"{label} {own.rating}: {goes}", abs(own.rating - nearest_one), nearest_one
    if new and own.name == "wealth" and own.rating > most_wealth(rules):
        yield (
            row.rule,
            "rating",
            f"Wealth {own.rating}: at most {most_wealth(rules)} at creation",
            own.rating - most_wealth(rules),
            most_wealth(rules),
        )
    if own.name == "income" and own.attached:
        attached = sum(worth_of(rules, other) for other in person.advantages if other.name == own.attached)
        if own.rating > most_income(attached):
            message = f"Income {own.rating} comes from {short(own.attached)}, which has {count(attached, 'point')}"
            yield row.rule, "rating", message, own.rating - attached, attached or None
    if own.name == "preternatural statistic" and own.choice not in STATISTICS:
        yield row.rule, "choice", f"{label}: name one of the six statistics", 0, near_to(own.choice, STATISTICS) or "body"
    if own.name == "preternatural resistance" and own.choice not in DAMAGE_TYPES(rules):
        types = DAMAGE_TYPES(rules)
        yield row.rule, "choice", f"{label}: name a type of damage ({join(tuple(types), 'or')})", 0, near_to(own.choice, types) or "impact"
    if own.name == "preternatural skill":
        yield from _gift(rules, own, row.rule, label)
    if own.name == "signature weapon":
        yield from _signature(rules, person, own, weapons)
    if row.takes and not own.choice:
        yield row.rule, "choice", f"{label}: name the {row.takes}", 0, None


def _signature(rules: Ruleset, person: Person, own: Owned, weapons: tuple[str, ...]) -> Iterator[tuple[str, str, str, int, Any]]:
    """Checks that the Weapon Skill of a signature weapon is its own and at least 3."""
    rule_id, skill = "ore-2.39-signature-weapon", written(rules, own.when)
    if skill not in WEAPON_SKILLS(rules):
        yield (
            rule_id,
            "when",
            f"Signature weapon: name its Weapon Skill in `when`; {short(own.when) or 'nothing'} is not one",
            0,
            None,
        )
        return
    rating = openers(rules, person).get(skill, 0)
    if not signature_allowed(rating):
        yield rule_id, "when", f"Signature weapon: its Weapon Skill must be at least 3, but {skill} is {rating}", 3 - rating, None
    covers = _skills_of(rules, own.choice, weapons)
    if covers and skill not in covers:
        yield rule_id, "when", f"Signature weapon: {short(own.choice)} uses {' or '.join(covers)}, not {skill}", 0, None


def _skills_of(rules: Ruleset, name: str, weapons: tuple[str, ...]) -> tuple[str, ...]:
    """The skills for a weapon, of the character or the book's lists."""
    carried = [written for written in weapons if written.partition(":")[0].strip().lower() == name.lower()]
    try:
        return weapon_named(rules, (carried or [name])[0]).skills
    except UserError:
        return ()


def _gift(rules: Ruleset, own: Owned, rule_id: str, label: str) -> Iterator[tuple[str, str, str, int, Any]]:
    skill = known_skill(rules, own.choice)
    if skill is None:
        yield rule_id, "choice", f"{label}: there is no skill {short(own.choice)!r}", 0, None
        return
    if rules.word("skill-system") == "action":
        if own.rating not in (2, 4):
            yield "ore-2.35-preternatural-skill-action", "rating", f"{label}: it costs 2 or 4 points with these skills", 0, 2
        return
    if own.rating == 1 and not own.when:
        yield rule_id, "when", f"{label}: for one point, name the circumstance in which it helps", 0, None
    elif own.rating in (2, 3) and skill.kind in ("broad", "discipline"):
        yield rule_id, "rating", f"{label}: on a Broad Skill it costs 4 or 5", 0, own.rating + 2
    elif own.rating in (4, 5) and skill.kind in ("narrow", "specialist"):
        yield rule_id, "rating", f"{label}: on a Narrow Skill it costs 2 or 3", 0, own.rating - 2


def _parts(rules: Ruleset, own: Owned, names: tuple[str, ...]) -> Iterator[tuple[str, str, str, int, Any]]:
    first, second = parts_of(rules, own.name, own.rating, own.first, own.second)
    simplified = rules.on("simplified-advantages") and ADVANTAGES(rules)[own.name].simplified
    rule_id, label = ADVANTAGES(rules)[own.name].rule, short(own.name).capitalize()
    for field, part, value in (("first", names[0], first), ("second", names[1], second)):
        if not 0 <= value <= PART_LIMIT:
            if simplified:
                field = "rating" if not own.first and not own.second else "first" if own.first >= own.second else "second"
            yield (
                rule_id,
                field,
                f"{label}, {part} {value}: each part goes from 0 to {PART_LIMIT}",
                max(value - PART_LIMIT, -value),
                min(max(value, int(first + second <= 0)), PART_LIMIT),
            )
    if first + second < 1:
        yield rule_id, "first", f"{label}: buy {names[0]} or {names[1]}", 0, None


def worth_of(rules: Ruleset, own: Owned) -> int:
    """The cost of an advantage; 0 if unknown."""
    if own.points is not None:
        return max(0, own.points)
    if advantage_named(rules, own.name) not in ADVANTAGES(rules):
        return 0
    return max(0, advantage_cost(rules, own.name, own.rating, own.first, own.second).value)
