"""Audit of skills: names, fields, Complexity, specializations and favored items."""

from collections.abc import Iterator

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, field_of, near_to, short, with_key, without_key
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.people.advancement import skill_names
from rulewright.systems.silhouette.people.characters import HIGHEST_COMPLEXITY, HIGHEST_LEVEL, Character, known
from rulewright.systems.silhouette.people.skills import SKILLS, fields_covered, named, needs_field


def skills(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields unknown skills and impossible levels and Complexities."""
    seen: dict[str, str] = {}
    strange = 0
    for skill, level in character.skills.items():
        field, label = field_of("skills", skill), short(skill).capitalize()
        key = known(rules, skill)
        try:
            name = named(rules, skill)
        except UserError:
            yield _unknown_skill(rules, character, skill, strange)
            strange += 1
            continue
        if key in seen:
            message = f"{label} is the same skill as {short(seen[key])}"
            yield Problem(
                "sil-2.2.4-skill-list", field, message, repair=Repair("leave it out", *without_key("skills", character.skills, skill))
            )
        seen.setdefault(key, skill)
        yield from _field(rules, character, skill, name.field)
        if not 0 <= level <= HIGHEST_LEVEL:
            bound = HIGHEST_LEVEL if level > 0 else 0
            message = f"{label}: level {level} is {'above' if level > 0 else 'below'} the limit of {bound}"
            repair = Repair(f"set it to {bound}", *with_key("skills", character.skills, skill, bound))
            yield Problem("sil-2.2.1-skill-costs", field, message, abs(level - bound), repair)
        elif level > 3:
            yield from _specialized(rules, character, skill, "skills", level)
    yield from _complexity(rules, character)


def _unknown_skill(rules: Ruleset, character: Character, skill: str, count: int) -> Problem:
    near = near_to(skill.partition("(")[0], skill_names(rules)) if count < MOST_REPAIRS else None
    fields = skill.partition("(")
    whole = f"{near} ({fields[2]}" if near and fields[1] and SKILLS(rules)[named(rules, near).skill].specific else near
    if count >= MOST_REPAIRS:
        repair = Repair("leave it out")
    elif whole is None or whole in character.skills:
        repair = Repair("leave it out", *without_key("skills", character.skills, skill))
    else:
        repair = Repair(f"write {whole}", "skills", {whole if name == skill else name: level for name, level in character.skills.items()})
    return Problem("sil-2.2.4-skill-list", field_of("skills", skill), f"there is no skill {short(skill)!r}", repair=repair)


def _field(rules: Ruleset, character: Character, skill: str, field: str) -> Iterator[Problem]:
    base, rule_id = named(rules, skill).skill, "sil-2.2.4-specific-skills"
    row = SKILLS(rules)[base]
    if needs_field(rules, skill) and not field:
        chosen = f"{skill} ({row.fields[0] if row.fields else 'a field'})"
        message = f"{short(skill).capitalize()} needs a field" + (f", such as {', '.join(row.fields[:3])}" if row.fields else "")
        renamed = {chosen if name == skill else name: level for name, level in character.skills.items()}
        yield Problem(rule_id, field_of("skills", skill), message, repair=Repair(f"write {chosen}", "skills", renamed))
    elif field and not row.specific:
        plain = skill.partition("(")[0].strip()
        renamed = {plain if name == skill else name: level for name, level in character.skills.items()}
        repair = Repair(f"write {plain}, and {short(field)} as a specialization", "skills", renamed)
        yield Problem(rule_id, field_of("skills", skill), f"{plain.capitalize()} has no fields", repair=repair)


def _specialized(rules: Ruleset, character: Character, skill: str, part: str, value: int) -> Iterator[Problem]:
    most = SKILLS(rules)[named(rules, skill).skill].specialize_above
    if most and value > most and not character.specializations.get(skill):
        what = "level" if part == "skills" else "Complexity"
        message = f"{short(skill).capitalize()}: a {what} above {most} needs a specialization"
        repair = Repair(f"lower it to {most}", *with_key(part, getattr(character, part), skill, most))
        yield Problem("sil-2.2.1-skill-costs", field_of(part, skill), message, value - most, repair)


def _complexity(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for place, (skill, value) in enumerate(character.complexity.items()):
        field, label, rule_id = field_of("complexity", skill), short(skill).capitalize(), "sil-2.2.1-skill-costs"
        if not 1 <= value <= HIGHEST_COMPLEXITY:
            bound = HIGHEST_COMPLEXITY if value > 1 else 1
            message = f"{label}: Complexity must be 1 to {HIGHEST_COMPLEXITY}, not {value}"
            repair = Repair(f"set it to {bound}", *with_key("complexity", character.complexity, skill, bound))
            yield Problem(rule_id, field, message, abs(value - bound), repair)
        elif character.skills.get(skill, 0) < 1 and value > 1:
            message = f"Complexity without the skill: add {label} first"
            out = without_key("complexity", character.complexity, skill) if place < MOST_REPAIRS else ("", None)
            yield Problem(rule_id, field, message, repair=Repair("leave it out", *out))
        elif value > 3:
            try:
                yield from _specialized(rules, character, skill, "complexity", value)
            except UserError:  # an unknown skill is reported by itself
                continue


def details(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields specializations, further fields and favored items without their skill."""
    rule_id = "sil-2.2.3-specialization"
    for skill, names in character.specializations.items():
        field, label = field_of("specializations", skill), short(skill).capitalize()
        gone = Repair("leave them out", *without_key("specializations", character.specializations, skill))
        if names and character.skills.get(skill, 0) < 1:
            yield Problem(rule_id, field, f"specialization without the skill: add {label} first", repair=gone)
            continue
        seen: set[str] = set()
        for place, name in enumerate(names):
            if not name.strip() or name.casefold() in seen:
                what = f"{label} has the specialization {short(name)} twice" if name.strip() else f"a specialization of {label} has no name"
                repair = Repair("leave it out", *with_key("specializations", {}, skill, [*names[:place], *names[place + 1 :]]))
                yield Problem(rule_id, f"{field}.{place}", what, repair=repair)
            seen.add(name.casefold())
    yield from _fields(rules, character)
    for skill, item in character.favored.items():
        gone = Repair("leave it out", *without_key("favored", character.favored, skill))
        if character.skills.get(skill, 0) < 1:
            message = f"favored item without the skill: add {short(skill).capitalize()} first"
            yield Problem("sil-2.2-favored-item", field_of("favored", skill), message, repair=gone)
        elif not rules.on("favored-items"):
            message = f"{short(item)}: this campaign has no favored items"
            yield Problem("sil-2.2-favored-item", field_of("favored", skill), message, 0, gone, warning=True)


def _fields(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for skill, more in character.covers.items():
        depth = min(HIGHEST_COMPLEXITY, max(1, character.complexity.get(skill, 1)))
        try:
            most = fields_covered(rules, skill, depth) - 1
        except UserError:
            most = 0
        if len(more) > most:
            label = short(skill).capitalize()
            message = f"{label} of Complexity {depth} covers {count(most + 1, 'field')}, not {len(more) + 1}"
            kept = list(more[:most])
            repair = Repair(f"keep {most} further fields", *with_key("covers", {}, skill, kept))
            yield Problem("sil-2.2.4-specific-skills", field_of("covers", skill), message, len(more) - most, repair)
