"""Audit of powers: open sets, ratings within limits, allowed effects (lines 5983-6141, 7356-7370)."""

from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright.build.audit import Problem, Repair, short, without_place
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.build.audit.entries import MOST_ENTRIES
from rulewright.systems.ore.people.characters import Character, Person, PowerSet
from rulewright.systems.ore.people.skills import starting_limit
from rulewright.systems.ore.powers.catalogue import GRANDMASTER_LEVEL, LIMITS, SETS, EffectRow, effects
from rulewright.systems.ore.powers.costs import GRANDMASTER, most_of_power, open_level
from rulewright.systems.ore.powers.repertoire import APPRENTICE, apprenticed

HIGHEST_LEVEL = 5


def powers(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks every power set, then inherent powers, then Grandmaster."""
    person = Person.of(rules, msgspec.structs.replace(character, advancement=()))
    seen: set[str] = set()
    for place, own in enumerate(person.powers[:MOST_ENTRIES]):
        yield from _set(rules, character, person, own, place=place, again=own.set in seen)
        seen.add(own.set)
    yield from _inherent(rules, character)
    if person.has(GRANDMASTER) and not any(_may_be_grandmaster(rules, own) for own in person.powers):
        rest = [other for other in msgspec.to_builtins(character.advantages) if other["name"].strip().lower() != GRANDMASTER]
        message = "Grandmaster needs a Power Statistic of 5 and an effect of level 5"
        yield Problem("ore-5.05-grandmasters", "advantages", message, repair=Repair("remove it", "advantages", rest))


def _may_be_grandmaster(rules: Ruleset, own: PowerSet) -> bool:
    table = effects(rules)
    return own.rating >= HIGHEST_LEVEL and any(table[name].level >= HIGHEST_LEVEL for name in own.effects if name in table)


def _set(rules: Ruleset, character: Character, person: Person, own: PowerSet, *, place: int, again: bool) -> Iterator[Problem]:
    field, plain = f"powers.{place}", msgspec.to_builtins(character.powers)
    drop = Repair("remove it", *without_place("powers", plain, place))
    row, opened = SETS(rules).get(own.set), apprenticed(person, own.set)
    if again:
        yield Problem("ore-5.00-power-sets", field, f"the power set {short(own.set)} is listed twice", 1, drop)
        return
    if row is None and opened is None:
        message = f"there is no power set {short(own.set)!r}; to create one, buy Arcane Apprentice for it{nearest(own.set, SETS(rules))}"
        yield Problem("ore-5.00-power-sets", field, message, repair=drop)
        return
    if row is not None and (opened is None or (opened.first, opened.second) != (row.power, row.limit)):
        yield _right(character, own, row.power, row.limit, opened is None)
        return
    yield from _ratings(rules, person, own, field, row.skills if row is not None else ())
    yield from _effects(rules, person, own, field, plain[place])


def _right(character: Character, own: PowerSet, power: int, limit: int, missing: bool) -> Problem:
    """Checks that Arcane Apprentice has the ratings of the set."""
    plain = msgspec.to_builtins(character.advantages)
    others = [
        candidate
        for candidate in plain
        if candidate["name"].strip().lower() != APPRENTICE or candidate["choice"].lower() not in ("", own.set)
    ]
    bought = {"name": APPRENTICE, "first": power, "second": limit, "choice": own.set}
    message = f"{short(own.set)}: its Arcane Apprentice ({power}/{limit}) " + ("is missing" if missing else "has another rating")
    return Problem("ore-5.00-power-sets", "advantages", message, 1, Repair("buy it", "advantages", [*others, bought]))


def _ratings(rules: Ruleset, person: Person, own: PowerSet, field: str, skills: tuple[str, ...]) -> Iterator[Problem]:
    most = most_of_power(person.has(GRANDMASTER) > 0)
    if not 0 <= own.rating <= most:
        nearest_one = min(max(0, own.rating), most)
        message = f"{short(own.set)}: a Power Statistic goes from 0 to {most}, not {own.rating}"
        repair = Repair(f"set it to {nearest_one}", f"{field}.rating", nearest_one)
        yield Problem("ore-5.02b-developed", f"{field}.rating", message, abs(own.rating - nearest_one), repair)
    if own.energy < 0:
        yield Problem(
            "ore-5.02-limit-rating",
            f"{field}.energy",
            "Energy Points cannot be negative",
            -own.energy,
            Repair("set it to 0", f"{field}.energy", 0),
        )
    limit, rest = starting_limit(rules), dict(own.skills)
    for name, rating in own.skills[:MOST_ENTRIES] if isinstance(own.skills, tuple) else ():
        if skills and name not in skills:
            without = {other: value for other, value in rest.items() if other != name}
            message = f"{short(own.set)} has no Power Skill {short(name)!r}{nearest(name, skills)}"
            yield Problem("ore-5.04-metapsychic", f"{field}.skills", message, repair=Repair("remove it", f"{field}.skills", without))
            return
        if not 0 <= rating <= limit:
            within = min(max(0, rating), limit)
            message = f"{short(name).capitalize()} {rating}: a new Power Skill goes from 0 to {limit}"
            repair = Repair(f"set it to {within}", f"{field}.skills", {**rest, name: within})
            yield Problem("ore-2.10-skill-cap-at-creation", f"{field}.skills", message, abs(rating - within), repair)
            return


def _effects(rules: Ruleset, person: Person, own: PowerSet, field: str, plain: dict[str, Any]) -> Iterator[Problem]:
    for at, name in enumerate(own.effects[:MOST_ENTRIES]):
        fault = wrong_effect(rules, person, own, name, own.effects[:at])
        if fault is not None:
            drop = Repair("remove it", *without_place(f"{field}.effects", plain["effects"], at))
            yield Problem(fault[0], f"{field}.effects", fault[1], fault[2], drop)
            return  # one thing at a time: what is mended may mend the others
    for name, level in dict(own.own).items():
        if not 1 <= level <= max(1, own.rating):
            message = f"{short(name)}: an effect of level {level} needs a Power Statistic of {level}"
            without = {other: value for other, value in dict(own.own).items() if other != name}
            yield Problem("ore-5.02b-developed", f"{field}.own", message, 1, Repair("remove it", f"{field}.own", without))
            return


def wrong_effect(rules: Ruleset, person: Person, own: PowerSet, name: str, before: tuple[str, ...]) -> tuple[str, str, int] | None:
    """The problem of an effect: rule, message, excess."""
    row = effects(rules).get(name)
    if row is None or row.set != own.set:
        known = [effect_row.effect for effect_row in effects(rules).values() if effect_row.set == own.set]
        return "ore-5.00-power-sets", f"{short(own.set)} has no effect {short(name)!r}{nearest(name, known)}", 0
    if name in before:
        return "ore-5.00-power-sets", f"{name} is bought twice", 1
    skill = own.skill(row.skill)
    if skill < 1:
        return "ore-5.04-metapsychic", f"{name} needs the Power Skill {row.skill}", 1
    most = open_level(rules, own.rating, skill, person.has(GRANDMASTER) > 0)
    if row.level > most:
        return "ore-5.02b-developed", f"{name} has level {row.level}, but the highest effect allowed is {most}", row.level - most
    if row.level == GRANDMASTER_LEVEL and any(_same_art(rules, other, row) for other in before):
        return "ore-5.05-grandmasters", f"{name}: only one Grandmaster effect per Aptitude is allowed", 1
    return None


def _same_art(rules: Ruleset, other: str, row: EffectRow) -> bool:
    effect_row = effects(rules).get(other)
    return effect_row is not None and effect_row.level == GRANDMASTER_LEVEL and effect_row.skill == row.skill


def _inherent(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for place, own in enumerate(character.inherent[:MOST_ENTRIES]):
        for field, value, low, high in (("level", own.level, 1, HIGHEST_LEVEL), ("limit", own.limit, 0, len(LIMITS(rules)) - 1)):
            if not low <= value <= high:
                within = min(max(low, value), high)
                message = f"{short(own.name)}: the {field} of an inherent power goes from {low} to {high}"
                repair = Repair(f"set it to {within}", f"inherent.{place}.{field}", within)
                yield Problem("ore-5.02b-inherent", f"inherent.{place}.{field}", message, abs(value - within), repair)
