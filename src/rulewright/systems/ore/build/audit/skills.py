"""Audit of skills, promoted dice, Concentrations and feats (book lines 616-871, 1560-1627)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, short, without_key
from rulewright.grammar import count, join
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.build.audit.entries import MOST_ENTRIES, changed
from rulewright.systems.ore.people.characters import Character, Person, Special, skills_brought
from rulewright.systems.ore.people.feats import HIGHEST_LEVEL, IDENTITIES, MOST_OF_A_KIND, highest_open, levels_known, opened_by, paths
from rulewright.systems.ore.people.pools import openers
from rulewright.systems.ore.people.skills import (
    SPECIALIST,
    cash_in,
    concentration_limit,
    known_skill,
    most_promoted,
    narrow_fields,
    selection,
    starting_limit,
    too_many,
    written,
)


def skills(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks that skills exist and are within the starting limit."""
    limit = starting_limit(rules)
    seen: set[str] = set()
    for name, rating in list(character.skills.items())[:MOST_ENTRIES]:
        field, skill = f"skills.{name}", known_skill(rules, name)
        drop = Repair("remove it", *without_key("skills", character.skills, name))
        key = written(rules, name)
        if skill is None:
            base = name.partition(":")[0].strip().lower()
            row = SPECIALIST(rules).get(base)
            if row is not None and row.subject and ":" not in name:
                message = f"{short(name)} needs a subject, as in {base}: something"
                yield Problem("ore-3.04-specialist-skill-list", field, message, repair=drop)
            else:
                message = f"there is no skill {short(name)!r} in this campaign{nearest(base, selection(rules))}"
                yield Problem("ore-3.03-skill-list", field, message, repair=drop)
        elif key in seen:
            yield Problem("ore-3.03-skill-list", field, f"{short(name)} is listed twice", repair=drop)
        elif key != name:
            fixed = {(key if other == name else other): value for other, value in character.skills.items()}
            repair = Repair(f"write {key}", "skills", fixed) if key not in character.skills else drop
            yield Problem("ore-3.03-skill-list", field, f"{short(name)} is called {key} here", repair=repair)
        elif rating > limit:
            message = f"{name.capitalize()} {rating} is above the starting limit of {limit}"
            repair = Repair(f"lower it to {limit}", "skills", changed(character.skills, name, limit))
            yield Problem("ore-2.10-skill-cap-at-creation", field, message, rating - limit, repair)
        elif rating < 0:
            yield Problem("ore-2.04-broad-narrow-skills", field, f"{name.capitalize()}: the lowest rating is 1", -rating, drop)
        elif skill.named and skill.kind != "action" and ":" not in name:
            message = f"{name.capitalize()} needs {skill.named}, as in {name}: something"
            yield Problem("ore-3.05-skill-breakdown", field, message, warning=True)
        seen.add(key)


def fields(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Three Narrow Skills of one field cost as much as the Broad Skill and become it."""
    for broad, narrow in narrow_fields(rules, character.skills).items():
        if too_many(narrow):
            had, sunk = max(0, character.skills.get(broad, 0)), tuple(character.skills[name] for name in narrow)
            steps = range(had, max(had, starting_limit(rules)) + 1)
            rating = max(step for step in steps if cash_in(rules, sunk, step - had).to_pay == 0)
            kept = {name: value for name, value in character.skills.items() if name not in narrow}
            kept[broad] = rating
            message = f"three Narrow Skills of {broad.capitalize()} ({join(narrow)}) become the Broad Skill"
            repair = Repair(f"cash them in for {broad} {rating}", "skills", kept)
            yield Problem("ore-2.04-broad-narrow-skills", f"skills.{narrow[-1]}", message, too_many(narrow), repair)


def special(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks promoted dice of known skills."""
    rule_id, brought = "ore-2.12-buying-special-dice", skills_brought(rules, character)
    for name, dice in list(character.special.items())[:MOST_ENTRIES]:
        field, skill = f"special.{name}", known_skill(rules, name)
        rating = max(character.skills.get(name, 0), brought.get(written(rules, name), 0))
        drop = Repair("remove them", *without_key("special", character.special, name))
        if skill is None or rating < 1:
            yield Problem(rule_id, field, f"{short(name)}: only dice of a known skill can be promoted", repair=drop)
            continue
        if skill.kind == "discipline":
            yield Problem("ore-3.02-opt-disciplines", field, f"{short(name)}: Special Dice come from Concentrations", repair=drop)
            continue
        if min(dice.expert, dice.master) < 0 or dice == Special():
            yield Problem(
                rule_id, field, f"{short(name)}: {dice.expert} Expert and {dice.master} Master Dice are not possible", repair=drop
            )
            continue
        most, masters = most_promoted(rules, rating)
        fewer = Special(min(dice.expert, most - min(dice.master, masters, most)), min(dice.master, masters, most))
        if fewer != dice:
            over = dice.expert + dice.master - fewer.expert - fewer.master
            message = f"{name.capitalize()}: at most {most} of its dice can be promoted, {masters} of them to Master Dice"
            left = (
                drop
                if fewer == Special()
                else Repair("promote fewer", "special", changed(character.special, name, msgspec.to_builtins(fewer)))
            )
            yield Problem(rule_id, field, message, max(1, over), left)


def concentrations(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks Concentrations of known Disciplines."""
    rule_id, limit = "ore-3.02-opt-disciplines", starting_limit(rules)
    for discipline, levels in list(character.concentrations.items())[:MOST_ENTRIES]:
        drop = Repair("remove them", *without_key("concentrations", character.concentrations, discipline))
        rating = character.skills.get(discipline, 0)
        field = f"concentrations.{discipline}"
        if rules.word("skill-system") != "discipline":
            yield Problem(rule_id, field, "this campaign has no Concentrations (setting skill-system)", repair=drop)
            continue
        if rating < 1:
            yield Problem(rule_id, field, f"{short(discipline)} is not a known Discipline", repair=drop)
            continue
        most = min(limit, concentration_limit(rating))
        for name, level in list(levels.items())[:MOST_ENTRIES]:
            if not 1 <= level <= most:
                put = {other: min(max(1, value), most) if other == name else value for other, value in levels.items()}
                repair = Repair(
                    f"set it to {min(max(1, level), most)}", "concentrations", changed(character.concentrations, discipline, put)
                )
                message = f"{short(name).capitalize()} {level}: a new Concentration under {discipline} {rating} goes from 1 to {most}"
                yield Problem(rule_id, f"{field}.{name}", message, max(level - most, 1 - level), repair)


def feats(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Checks that feats are open and not too many of a kind."""
    rule_id = "ore-2.06-feats-general"
    person = Person.of(rules, msgspec.structs.replace(character, advancement=()))
    for name, level in list(character.feats.items())[:MOST_ENTRIES]:
        field, drop = f"feats.{name}", Repair("remove it", *without_key("feats", character.feats, name))
        if name not in paths(rules):
            message = f"there is no path of feats {short(name)!r}{nearest(name, paths(rules))}"
            yield Problem("ore-3.09-broad-feat-list", field, message, repair=drop)
            continue
        opened = min(HIGHEST_LEVEL, highest_open(rules, openers(rules, person), name))
        if not 0 <= level <= opened:
            repair = drop if opened < 1 or level < 0 else Repair(f"lower it to {opened}", "feats", changed(character.feats, name, opened))
            by = " or ".join(dict.fromkeys(opened_by(rules, name)))
            message = f"{name} {level}: {by} allows only level {opened}"
            yield Problem("ore-3.08-feat-purchase", field, message, max(0, level - opened), repair)
    for kind, number in levels_known(rules, character.feats).items():
        if number > MOST_OF_A_KIND:
            path = next(name for name in reversed(character.feats) if name in paths(rules) and paths(rules)[name].kind == kind)
            fewer = character.feats[path] - min(character.feats[path], number - MOST_OF_A_KIND)
            put = ("feats", changed(character.feats, path, fewer)) if fewer else without_key("feats", character.feats, path)
            message = f"{count(number, f'{kind} feat')}, but at most {MOST_OF_A_KIND} are allowed"
            yield Problem(rule_id, "feats", message, number - MOST_OF_A_KIND, Repair(f"give up levels of {path}", *put))
    if character.identities != 1 and (character.identities < 1 or IDENTITIES not in character.feats):
        message = f"more than one identity needs the path {IDENTITIES}"
        yield Problem("ore-3.09-broad-feat-list", "identities", message, repair=Repair("set it to 1", "identities", 1))
