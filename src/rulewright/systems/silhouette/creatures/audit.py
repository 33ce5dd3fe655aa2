"""Audit of creatures and races: every rule violation with its rule and the smallest repair."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rulewright.build.audit import Audit, Problem, Repair, amiss, field_of, near_to, short, signed, without_key, without_place
from rulewright.build.sheet_parts import Budget
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.creatures.creatures import ATTRIBUTES, HEAVIEST, LIGHTEST, Creature, mass_of
from rulewright.systems.silhouette.creatures.powers import design_problems
from rulewright.systems.silhouette.people.characters import ATTRIBUTES as TEN
from rulewright.systems.silhouette.people.characters import HIGHEST_COMPLEXITY, HIGHEST_LEVEL, SETS
from rulewright.systems.silhouette.people.races import ABILITIES, Race, ability_points, shift_points, template_cost
from rulewright.systems.silhouette.people.skills import named
from rulewright.systems.silhouette.people.traits import Trait, flaw_value, perk_cost

MOST_ATTRIBUTE = 15


def audit_creature(rules: Ruleset, creature: Creature) -> Audit:
    """Returns every rule violation in a creature file."""
    problems = [
        *_attributes(creature),
        *_mass(rules, creature),
        *skill_problems(rules, "skills", creature.skills, 0, HIGHEST_LEVEL),
        *skill_problems(rules, "complexity", creature.complexity, 1, HIGHEST_COMPLEXITY),
        *_body(creature),
        *_habits(creature),
    ]
    return Audit(tuple(problems), ())


def _attributes(creature: Creature) -> Iterator[Problem]:
    yield from unknown("attributes", creature.attributes, ATTRIBUTES, "sil-6.1-creature-scope", "attribute")
    for name in ATTRIBUTES:
        value = creature.attributes.get(name, 0)
        low, high = (LIGHTEST, HEAVIEST) if name == "build" else (-MOST_ATTRIBUTE, MOST_ATTRIBUTE)
        if not low <= value <= high:
            bound = high if value > high else low
            rule = "sil-6.1.1-expanded-bld" if name == "build" else "sil-6.1-creature-scope"
            message = f"{name.capitalize()} {signed(value)} is beyond the limit of {signed(bound)}"
            yield amiss(rule, f"attributes.{name}", message, abs(value - bound), f"set it to {signed(bound)}", bound)


def _mass(rules: Ruleset, creature: Creature) -> Iterator[Problem]:
    build = creature.attribute("build")
    if creature.mass is None or not LIGHTEST <= build <= HEAVIEST:
        return
    low, high = mass_of(rules, build)
    if not low <= creature.mass <= high:
        bound = high if creature.mass > high else low
        message = f"{creature.mass:g} kg does not match Build {signed(build)}, which weighs {low:g} to {high:g} kg"
        yield amiss("sil-6.1.1-expanded-bld", "mass", message, 0, f"set it to {bound:g}", bound)


def _body(creature: Creature) -> Iterator[Problem]:
    if creature.armor < 0:
        yield amiss("sil-6.1.4-natural-armor", "armor", "armor cannot be below 0", -creature.armor, "set it to 0", 0)
    if creature.riding is not None and not -3 <= creature.riding <= 3:
        bound = 3 if creature.riding > 3 else -3
        message = f"a mount adds -3 to +3, not {signed(creature.riding)}"
        yield amiss("sil-6.1.3-riding-modifier", "riding", message, abs(creature.riding - bound), f"set it to {bound}", bound)
    for place, weapon in enumerate(creature.weapons):
        if weapon.damage < 0:
            field = f"weapons.{place}.damage"
            message = f"{short(weapon.name)} has a Damage Multiplier below 0"
            yield amiss("sil-6.1.4-natural-weapons", field, message, -weapon.damage, "set it to 0", 0)
        if weapon.trample and weapon.damage:
            field = f"weapons.{place}.damage"
            message = "a trample does twice the Build and has no Damage Multiplier of its own"
            yield amiss("sil-6.1.4-natural-weapons", field, message, 0, "set it to 0", 0)
    if creature.swarm is not None:
        for part in creature.swarm.__struct_fields__:
            value = getattr(creature.swarm, part)
            if value < 1:
                yield amiss(
                    "sil-6.1.5-swarm-attack", f"swarm.{part}", f"the {part} of a swarm must be at least 1", 1 - value, "set it to 1", 1
                )
    for name in creature.injuries.__struct_fields__:
        value = getattr(creature.injuries, name)
        if value < 0:
            field = f"injuries.{name}"
            message = f"the number of {name.replace('_', ' ')} wounds cannot be below 0, and it is {value}"
            yield amiss("sil-2.3.2-injury-list", field, message, -value, "set it to 0", 0)


def _habits(creature: Creature) -> Iterator[Problem]:
    """Yields warnings about unusual animals; the gamemaster may allow exceptions."""
    if creature.swarm is not None:
        return
    if creature.skills.get("combat sense", 0) < 1 and not creature.placid:
        message = "animals have Combat Sense, except for placid grazers"
        yield Problem("sil-6.1.3-creature-skills", "skills", message, warning=True)
    if creature.skills.get("defense", 0) > 3:
        yield Problem("sil-6.1.3-creature-skills", "skills.defense", "few animals have a Defense above 3", warning=True)


def unknown(part: str, entries: Mapping[str, Any], names: Iterable[str], rule: str, what: str) -> Iterator[Problem]:
    """Yields unknown names."""
    allowed = tuple(names)
    for name in entries:
        if name in allowed:
            continue
        near = near_to(name, allowed)
        if near is not None and near not in entries:
            renamed = {near if text == name else text: value for text, value in entries.items()}
            repair = Repair(f"write {near}", part, renamed)
        else:
            repair = Repair("leave it out", *without_key(part, entries, name))
        yield Problem(rule, field_of(part, name), f"there is no {what} {short(name)!r}", repair=repair)


def skill_problems(rules: Ruleset, part: str, values: Mapping[str, int], low: int, high: int) -> Iterator[Problem]:
    """Yields unknown skills and levels beyond the limits."""
    for name, value in values.items():
        try:
            named(rules, name)
        except UserError as error:
            repair = Repair("leave it out", *without_key(part, values, name))
            yield Problem("sil-2.2.4-skill-list", field_of(part, name), str(error), repair=repair)
            continue
        if not low <= value <= high:
            bound = high if value > high else low
            field = field_of(part, name)
            message = f"{short(name)} must be {low} to {high}, not {value}"
            repair = Repair(f"set it to {bound}", part, {**values, name: bound})
            yield Problem("sil-6.1.3-creature-skills", field, message, abs(value - bound), repair)


# --- races --------------------------------------------------------------------------------------------------------------------


def audit_race(rules: Ruleset, race: Race) -> Audit:
    """Returns every rule violation in a race file, and the cost of the template."""
    problems = tuple(race_problems(rules, race, ""))
    try:
        cost, moved = template_cost(rules, race).value, shift_points(race.shifts).value
    except UserError:
        return Audit(problems, ())
    note = f"{abs(moved)} Skill Points become Character Points" if moved > 0 else f"{-moved} Character Points become Skill Points"
    budget = Budget(name="Template", rule="sil-6.2-alien-template", note=note if moved else "", allowed=max(cost, 0), spent=cost)
    return Audit(problems, (budget,))


def race_problems(rules: Ruleset, race: Race, before: str) -> Iterator[Problem]:
    """Yields the problems of a race, in its own file or (`before`) within a character's."""
    names = tuple(SETS.get(rules.word("attributes"), dict.fromkeys(TEN)))
    yield from unknown(f"{before}shifts", race.shifts, (*TEN, *names), "sil-6.2.1-attribute-shift", "attribute")
    for name, value in race.shifts.items():
        if abs(value) > MOST_ATTRIBUTE:
            bound = MOST_ATTRIBUTE if value > 0 else -MOST_ATTRIBUTE
            repair = Repair(f"set it to {signed(bound)}", f"{before}shifts", {**race.shifts, name: bound})
            yield Problem(
                "sil-6.2.1-attribute-shift", field_of(f"{before}shifts", name), f"a shift of {signed(value)} is too large", repair=repair
            )
    yield from skill_problems(rules, f"{before}skills", race.skills, 0, HIGHEST_LEVEL)
    yield from _traits(rules, f"{before}perks", race.perks, "perk")
    yield from _traits(rules, f"{before}flaws", race.flaws, "flaw")
    for name, cost in race.powers.items():
        if cost < 0:
            repair = Repair("set it to 0", f"{before}powers", {**race.powers, name: 0})
            yield Problem(
                "sil-6.2.2-special-powers", field_of(f"{before}powers", name), "the cost of a power cannot be below 0", -cost, repair
            )
    yield from design_problems(rules, race, before)
    bad = [place for place, ability in enumerate(race.abilities) if ability.name not in ABILITIES(rules)]
    plain = msgspec.to_builtins(race.abilities)
    for count, place in enumerate(bad):
        repair = Repair("leave it out", *without_place(f"{before}abilities", plain, place, count))
        message = f"there is no ability {short(race.abilities[place].name)!r}"
        yield Problem("sil-6.2.2-special-abilities", f"{before}abilities.{place}", message, repair=repair)
    if not bad:
        try:
            ability_points(rules, race.abilities)
        except UserError as error:
            repair = Repair("leave the last one out", *without_place(f"{before}abilities", plain, len(plain) - 1))
            yield Problem("sil-6.2.2-special-abilities", f"{before}abilities", str(error), repair=repair)


def _traits(rules: Ruleset, part: str, traits: tuple[Trait, ...], kind: str) -> Iterator[Problem]:
    plain, count = msgspec.to_builtins(traits), 0
    for place, trait in enumerate(traits):
        try:
            (perk_cost if kind == "perk" else flaw_value)(rules, trait)
        except UserError as error:
            repair = Repair("leave it out", *without_place(part, plain, place, count))
            yield Problem("sil-6.2.1-racial-perks", f"{part}.{place}", str(error), repair=repair)
            count += 1
