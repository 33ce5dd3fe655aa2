"""Is a character legal? Every breach with its rule, the amount over and the smallest repair (book lines 943-1614, 7937-8042).

The order matters to whoever repairs from the top: first what is out of bounds or unknown, then what costs too much. Carrying out
the repairs one after another always ends with a legal character.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from rulewright.build import Audit, Problem, Repair
from rulewright.errors import Wrong
from rulewright.pieces import Budget
from rulewright.reasons import Derived, derive, term
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.advancement import Standing, dice, near_to, short, skill_names
from rulewright.systems.silhouette.body import secondary_of
from rulewright.systems.silhouette.characters import (
    HIGHEST_COMPLEXITY,
    HIGHEST_LEVEL,
    SPECIALIZATION_POINTS,
    Character,
    Person,
    attribute_cost,
    attributes_cost,
    character_points,
    known,
    limits,
    names_of,
    skill_cost,
    skill_points,
)
from rulewright.systems.silhouette.experience import experience_award
from rulewright.systems.silhouette.gear import ARMOR, SHIELDS, find_weapon, weapon_names
from rulewright.systems.silhouette.skills import SKILLS, fields_covered, named, needs_field
from rulewright.systems.silhouette.traits import (
    FLAW_PRICES,
    PERK_PRICES,
    Kind,
    Trait,
    age_limits,
    contradictions,
    contradictory_flaws,
    fault,
    flaw_value,
    most_flaw_points,
    most_traits,
    perk_cost,
)

MOST_REPAIRS = 100
"""Of problems whose repair takes one entry out of a list, so many bring the shortened list along; absurd files stay quick."""


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every breach of the rules in a character's file, and what was spent of every budget."""
    points = Points(rules, character)
    problems = [
        *_attributes(rules, character, points),
        *_skills(rules, character),
        *_details(rules, character),
        *_traits(rules, character),
        *_skill_points(character, points),
        *_gear(rules, character),
        *_injuries(character),
    ]
    log = Standing(rules, character)
    problems.extend(_log(character, log))
    return Audit(tuple(problems), _budgets(rules, points, log))


def budgets(rules: Ruleset, character: Character) -> tuple[Budget, ...]:
    """What is allowed and spent, without looking for breaches."""
    return _budgets(rules, Points(rules, character), Standing(rules, character))


def _budgets(rules: Ruleset, points: "Points", log: Standing) -> tuple[Budget, ...]:
    expected = experience_award(rules, log.awards).value
    moved = f"{points.moved} from Character Points" if points.moved else ""
    return (
        Budget(name="Character Points", rule="sil-2.1.2-character-points", allowed=points.cp, spent=points.cp_spent + points.dice),
        Budget(name="Skill Points", rule="sil-2.2.1-skill-points", note=moved, allowed=points.sp, spent=points.sp_spent),
        Budget(
            name="Experience",
            rule="sil-2.5.1-xp-awards",
            note=f"{log.awards} awards; {expected} would be average" if log.awards else "",
            allowed=log.earned,
            spent=log.spent,
        ),
    )


class Points:
    """What a beginner's Character Points and Skill Points went into."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.cp = character_points(rules, character.role).value
        self.cp_spent = attributes_cost(rules, character.attributes).value
        self.left = self.cp - self.cp_spent
        self.dice = min(max(0, character.emergency_dice), max(0, self.left))
        self.moved = max(0, self.left - self.dice)
        self.skills = {name: _priced(rules, character, name) for name in character.skills}
        special = sum(len(names) for name, names in character.specializations.items()) * SPECIALIZATION_POINTS
        self.each_perk = [_worth(rules, "perk", perk) for perk in character.perks]
        self.perks = sum(self.each_perk)
        self.flaws = sum(_counted_flaws(rules, character.flaws))
        self.sp = skill_points(rules, character.role).value + self.moved + self.flaws
        self.sp_spent = sum(self.skills.values()) + special + self.perks

    @property
    def over(self) -> int:
        """How many Skill Points too many were spent; negative for those left."""
        return self.sp_spent - self.sp


def _priced(rules: Ruleset, character: Character, name: str) -> int:
    """What a skill costs; beyond the limits as much as at them, since that breach is reported by itself."""
    level = min(HIGHEST_LEVEL, max(0, character.skills[name]))
    depth = min(HIGHEST_COMPLEXITY, max(1, character.complexity.get(name, 1)))
    return _cost(rules, level, depth if level else 1)


@lru_cache(maxsize=1024)
def _cost(rules: Ruleset, level: int, depth: int) -> int:
    return skill_cost(rules, level, depth).value


def _worth(rules: Ruleset, kind: Kind, trait: Trait) -> int:
    try:
        return (perk_cost if kind == "perk" else flaw_value)(rules, trait).value
    except Wrong:  # reported by itself
        return 0


def _counted_flaws(rules: Ruleset, flaws: Sequence[Trait]) -> list[int]:
    """What each Flaw gives back; of Quirks only the first two count."""
    seen: dict[str, int] = {}
    values = []
    for flaw in flaws:
        seen[flaw.name] = seen.get(flaw.name, 0) + 1
        row = FLAW_PRICES(rules).get(flaw.name)
        counts = row is None or not row.counted or seen[flaw.name] <= row.counted
        values.append(_worth(rules, "flaw", flaw) if counts else 0)
    return values


@rule("sil-2.0-creation-sequence")
def points_left(rules: Ruleset, character: Character) -> Derived[int]:
    """Skill Points that are still to be spent: all of them must be, and they never become Emergency Dice."""
    points = Points(rules, character)
    terms = (
        term("Skill Points", skill_points(rules, character.role)),
        term("Character Points left over", points.moved),
        term("Flaws", points.flaws),
        term("skills", points.sp_spent - points.perks, "−"),
        term("Perks", points.perks, "−"),
    )
    return derive(-points.over, "Skill Points left", *terms, rule="sil-2.0-creation-sequence")


def signed(number: int) -> str:
    """A number as attributes are written: +2, 0, -1."""
    return f"{number:+}" if number else "0"


def _at(part: str, key: str) -> str:
    """The dotted field of a named entry; the whole part where the name cannot stand in a path."""
    return f"{part}.{key}" if all(key.split(".")) else part


def _put(part: str, all_of_it: Mapping[str, Any], key: str, value: Any) -> tuple[str, Any]:
    """Field and value that put one named entry right."""
    field = _at(part, key)
    return (field, value) if field != part else (part, {**all_of_it, key: value})


def _drop(part: str, all_of_it: Mapping[str, Any], key: str) -> tuple[str, Any]:
    """Field and value that take one named entry out."""
    return part, {name: _plain(value) for name, value in all_of_it.items() if name != key}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _without(part: str, plain: Sequence[Any], place: int, count: int = 0) -> tuple[str, Any]:
    """Field and value that take one entry out of a list of plain data; only words after the first hundred."""
    return ("", None) if count >= MOST_REPAIRS else (part, [*plain[:place], *plain[place + 1 :]])


# --- attributes ---------------------------------------------------------------------------------------------------------------


def _attributes(rules: Ruleset, character: Character, points: Points) -> Iterator[Problem]:
    attributes, names = character.attributes, names_of(rules, character.attributes)
    for count, name in enumerate(name for name in attributes if name not in names):
        near = near_to(name, names) if count < MOST_REPAIRS else None
        if near is not None and near not in attributes:
            renamed = {near if each == name else each: value for each, value in attributes.items()}
            repair = Repair(f"write {near}", "attributes", renamed)
        else:
            repair = Repair("leave it out", *(_drop("attributes", attributes, name) if count < MOST_REPAIRS else ("", None)))
        yield Problem("sil-2.1.1-attribute-scale", _at("attributes", name), f"there is no attribute {short(name)!r} here", repair=repair)
    for name in names:
        value, (low, high) = attributes.get(name, 0), limits(rules, name)
        label = name.capitalize()
        if not low <= value <= high:
            bound, way = (high, "above") if value > high else (low, "below")
            message = f"{label} {signed(value)} is {way} the human limit of {signed(bound)}"
            repair = Repair(f"set it to {signed(bound)}", f"attributes.{name}", bound)
            yield Problem("sil-2.1.2-attribute-costs", f"attributes.{name}", message, abs(value - bound), repair)
        elif abs(value) > 3:
            message = f"{label} {signed(value)} is beyond three: the gamemaster must have agreed"
            yield Problem("sil-2.1.2-attribute-costs", f"attributes.{name}", message, warning=True)
    yield from _character_points(rules, character, points, names)


def _character_points(rules: Ruleset, character: Character, points: Points, names: Sequence[str]) -> Iterator[Problem]:
    rule_id, owned = "sil-2.1.2-character-points", character.emergency_dice
    if points.left < 0:
        name = max(names, key=lambda each: character.attributes.get(each, 0))
        value = character.attributes.get(name, 0)
        to = value
        while to > limits(rules, name)[0] and points.cp_spent - attribute_cost(value).value + attribute_cost(to).value > points.cp:
            to -= 1
        to = max(to, -1) if value > -1 else value - 1
        message = f"{points.cp_spent} of {points.cp} Character Points spent"
        repair = Repair(f"lower {name.capitalize()} to {signed(to)}", f"attributes.{name}", to)
        yield Problem(rule_id, "attributes", message, -points.left, repair)
    if owned < 0:
        message = f"{owned} Emergency Dice cannot be owned"
        yield Problem("sil-2.5.2-emergency-dice", "emergency_dice", message, -owned, Repair("set them to 0", "emergency_dice", 0))
    elif owned > max(0, points.left):
        most = max(0, points.left)
        message = f"{dice(owned)} were taken, and {most} Character Points are left over for them"
        yield Problem("sil-2.1.2-attribute-costs", "emergency_dice", message, owned - most, Repair(f"take {most}", "emergency_dice", most))


# --- skills -------------------------------------------------------------------------------------------------------------------


def _skills(rules: Ruleset, character: Character) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    strange = 0
    for skill, level in character.skills.items():
        field, label = _at("skills", skill), short(skill).capitalize()
        key = known(rules, skill)
        try:
            name = named(rules, skill)
        except Wrong:
            yield _unknown_skill(rules, character, skill, strange)
            strange += 1
            continue
        if key in seen:
            message = f"{label} is the same skill as {short(seen[key])}"
            yield Problem("sil-2.2.4-skill-list", field, message, repair=Repair("leave it out", *_drop("skills", character.skills, skill)))
        seen.setdefault(key, skill)
        yield from _field(rules, character, skill, name.field)
        if not 0 <= level <= HIGHEST_LEVEL:
            bound = HIGHEST_LEVEL if level > 0 else 0
            message = f"{label}: level {level} is {'above' if level > 0 else 'below'} the limit of {bound}"
            repair = Repair(f"set it to {bound}", *_put("skills", character.skills, skill, bound))
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
        repair = Repair("leave it out", *_drop("skills", character.skills, skill))
    else:
        repair = Repair(f"write {whole}", "skills", {whole if name == skill else name: level for name, level in character.skills.items()})
    return Problem("sil-2.2.4-skill-list", _at("skills", skill), f"there is no skill {short(skill)!r}", repair=repair)


def _field(rules: Ruleset, character: Character, skill: str, field: str) -> Iterator[Problem]:
    base, rule_id = named(rules, skill).skill, "sil-2.2.4-specific-skills"
    row = SKILLS(rules)[base]
    if needs_field(rules, skill) and not field:
        chosen = f"{skill} ({row.fields[0] if row.fields else 'a field'})"
        message = f"{short(skill).capitalize()} is bought for a field" + (f", such as {', '.join(row.fields[:3])}" if row.fields else "")
        renamed = {chosen if name == skill else name: level for name, level in character.skills.items()}
        yield Problem(rule_id, _at("skills", skill), message, repair=Repair(f"write {chosen}", "skills", renamed))
    elif field and not row.specific:
        plain = skill.partition("(")[0].strip()
        renamed = {plain if name == skill else name: level for name, level in character.skills.items()}
        repair = Repair(f"write {plain}, and {short(field)} as a specialization", "skills", renamed)
        yield Problem(rule_id, _at("skills", skill), f"{plain.capitalize()} is not bought for a field", repair=repair)


def _specialized(rules: Ruleset, character: Character, skill: str, part: str, value: int) -> Iterator[Problem]:
    most = SKILLS(rules)[named(rules, skill).skill].specialize_above
    if most and value > most and not character.specializations.get(skill):
        what = "level" if part == "skills" else "Complexity"
        message = f"{short(skill).capitalize()}: a {what} above {most} needs a specialization"
        repair = Repair(f"lower it to {most}", *_put(part, getattr(character, part), skill, most))
        yield Problem("sil-2.2.1-skill-costs", _at(part, skill), message, value - most, repair)


def _complexity(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for count, (skill, value) in enumerate(character.complexity.items()):
        field, label, rule_id = _at("complexity", skill), short(skill).capitalize(), "sil-2.2.1-skill-costs"
        if not 1 <= value <= HIGHEST_COMPLEXITY:
            bound = HIGHEST_COMPLEXITY if value > 1 else 1
            message = f"{label}: Complexity goes from 1 to {HIGHEST_COMPLEXITY}, not {value}"
            repair = Repair(f"set it to {bound}", *_put("complexity", character.complexity, skill, bound))
            yield Problem(rule_id, field, message, abs(value - bound), repair)
        elif character.skills.get(skill, 0) < 1 and value > 1:
            message = f"Complexity needs the skill: {label} was never learnt"
            out = _drop("complexity", character.complexity, skill) if count < MOST_REPAIRS else ("", None)
            yield Problem(rule_id, field, message, repair=Repair("leave it out", *out))
        elif value > 3:
            try:
                yield from _specialized(rules, character, skill, "complexity", value)
            except Wrong:  # an unknown skill is reported by itself
                continue


def _details(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Specializations, further fields and favored items: each needs its skill."""
    rule_id = "sil-2.2.3-specialization"
    for skill, names in character.specializations.items():
        field, label = _at("specializations", skill), short(skill).capitalize()
        gone = Repair("leave them out", *_drop("specializations", character.specializations, skill))
        if names and character.skills.get(skill, 0) < 1:
            yield Problem(rule_id, field, f"a specialization needs the skill: {label} was never learnt", repair=gone)
            continue
        seen: set[str] = set()
        for place, name in enumerate(names):
            if not name.strip() or name.casefold() in seen:
                what = f"{label} has the specialization {short(name)} twice" if name.strip() else f"a specialization of {label} has no name"
                repair = Repair("leave it out", *_put("specializations", {}, skill, [*names[:place], *names[place + 1 :]]))
                yield Problem(rule_id, f"{field}.{place}", what, repair=repair)
            seen.add(name.casefold())
    yield from _fields(rules, character)
    for skill, item in character.favored.items():
        gone = Repair("leave it out", *_drop("favored", character.favored, skill))
        if character.skills.get(skill, 0) < 1:
            message = f"a favored item needs the skill: {short(skill).capitalize()} was never learnt"
            yield Problem("sil-2.2-favored-item", _at("favored", skill), message, repair=gone)
        elif not rules.on("favored-items"):
            message = f"{short(item)}: this campaign has no favored items"
            yield Problem("sil-2.2-favored-item", _at("favored", skill), message, 0, gone, warning=True)


def _fields(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for skill, more in character.covers.items():
        depth = min(HIGHEST_COMPLEXITY, max(1, character.complexity.get(skill, 1)))
        try:
            most = fields_covered(rules, skill, depth) - 1
        except Wrong:
            most = 0
        if len(more) > most:
            label = short(skill).capitalize()
            message = f"{label} of Complexity {depth} covers {most + 1} field{'s' if most else ''}, not {len(more) + 1}"
            kept = list(more[:most])
            repair = Repair(f"keep {most} more", *_put("covers", {}, skill, kept))
            yield Problem("sil-2.2.4-specific-skills", _at("covers", skill), message, len(more) - most, repair)


# --- Perks and Flaws ----------------------------------------------------------------------------------------------------------


def _traits(rules: Ruleset, character: Character) -> Iterator[Problem]:
    yield from _list(rules, "perk", character.perks, "perks")
    yield from _list(rules, "flaw", character.flaws, "flaws")
    perks, flaws = msgspec.to_builtins(character.perks), msgspec.to_builtins(character.flaws)
    for one, other in contradictions(rules, character.perks, character.flaws)[:MOST_REPAIRS]:
        place = next(i for i, perk in enumerate(character.perks) if one in (perk.name, perk.label()))
        repair = Repair(f"do without {one}", *_without("perks", perks, place))
        yield Problem("sil-2.4-perks-flaws-rules", f"perks.{place}", f"{one} and {other} contradict each other", repair=repair)
    for one, other in contradictory_flaws(rules, character.flaws)[:MOST_REPAIRS]:
        place = max(i for i, flaw in enumerate(character.flaws) if flaw.name in (one, other))
        repair = Repair(f"do without {character.flaws[place].name}", *_without("flaws", flaws, place))
        yield Problem("sil-2.4-perks-flaws-rules", f"flaws.{place}", f"{one} and {other} contradict each other", repair=repair)
    most = most_traits(rules)
    for part, owned, plain in (("perks", character.perks, perks), ("flaws", character.flaws, flaws)):
        if most is not None and len(owned) > most:
            message = f"{len(owned)} {part} where each player has {most}"
            repair = Repair(f"do without {owned[-1].name}", *_without(part, plain, len(owned) - 1))
            yield Problem("sil-2.4-min-max-limit", part, message, len(owned) - most, repair)
    yield from _flaw_points(rules, character, flaws)
    yield from _age(rules, character)


def _list(rules: Ruleset, kind: Kind, owned: tuple[Trait, ...], part: str) -> Iterator[Problem]:
    table = PERK_PRICES if kind == "perk" else FLAW_PRICES
    rows, plain = dict(table(rules)), msgspec.to_builtins(owned)
    seen: set[tuple[str, str, str]] = set()
    for place, trait in enumerate(owned):
        field, row = f"{part}.{place}", rows.get(trait.name)
        out = Repair("leave it out", *_without(part, plain, place, place))
        if row is None:
            near = near_to(trait.name, rows) if place < MOST_REPAIRS else None
            repair = Repair(f"write {near}", f"{field}.name", near) if near else out
            yield Problem(table.rule, f"{field}.name", f"there is no {kind.capitalize()} {short(trait.name)!r}", repair=repair)
            continue
        wrong = fault(row, trait)
        if wrong is not None:
            which, why, right = wrong
            repair = Repair(f"write {right}" if right != "" else "leave it out", f"{field}.{which}", right)
            yield Problem(table.rule, f"{field}.{which}", f"{trait.name.capitalize()} {why}", repair=repair)
        same = (trait.name, trait.variant, trait.about) if row.each else (trait.name, "", "")
        if same in seen:
            yield Problem(table.rule, field, f"{trait.label().capitalize()} is there twice", repair=out)
        seen.add(same)


def _flaw_points(rules: Ruleset, character: Character, flaws: Sequence[Any]) -> Iterator[Problem]:
    how, most = rules.word("flaw-limit"), most_flaw_points(rules)
    points = sum(_counted_flaws(rules, character.flaws))
    if points > most and how != "none":
        message = f"{points} points of Flaws; {most} are {'recommended at most' if how == 'advice' else 'the limit'}"
        repair = Repair(f"do without {character.flaws[-1].name}", *_without("flaws", flaws, len(flaws) - 1))
        yield Problem("sil-2.4-perks-flaws-rules", "flaws", message, points - most, repair, warning=how == "advice")


def _age(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for flaw in character.flaws:
        if flaw.name != "age" or flaw.variant not in ("young", "old"):
            continue
        for name, most in age_limits(flaw.variant).items():  # type: ignore[arg-type]
            if name == "skill":
                yield from _too_skilled(character, most)
            elif character.attributes.get(name, 0) > most:
                value = character.attributes[name]
                message = f"{name.capitalize()} {signed(value)}: the {flaw.variant} have {signed(most)} at most"
                repair = Repair(f"lower it to {signed(most)}", f"attributes.{name}", most)
                yield Problem("sil-c-flaws", f"attributes.{name}", message, value - most, repair)


def _too_skilled(character: Character, most: int) -> Iterator[Problem]:
    parts: tuple[tuple[str, Mapping[str, int]], ...] = (("skills", character.skills), ("complexity", character.complexity))
    for part, values in parts:
        for skill, value in values.items():
            if value > most:
                what = "level" if part == "skills" else "Complexity"
                message = f"{short(skill).capitalize()}: the young have no {what} above {most}"
                repair = Repair(f"lower it to {most}", *_put(part, values, skill, most))
                yield Problem("sil-c-flaws", _at(part, skill), message, value - most, repair)


# --- Skill Points -------------------------------------------------------------------------------------------------------------


class _Saving(NamedTuple):
    """A way to save Skill Points: fewest surplus points first, then what hurts least."""

    points: int
    hurts: int
    repair: Callable[[], Repair]


def _skill_points(character: Character, points: Points) -> Iterator[Problem]:
    if points.over > 0:
        message = f"{points.sp_spent} of {points.sp} Skill Points spent"
        yield Problem("sil-2.2.1-skill-points", "skills", message, points.over, _cheaper(character, points))
    elif points.over < 0:
        message = f"{-points.over} of {points.sp} Skill Points are left to spend; they do not become Emergency Dice"
        yield Problem("sil-2.0-creation-sequence", "skills", message, warning=True)


def _cheaper(character: Character, points: Points) -> Repair:
    """The one change that saves what is over and as little more as possible, or else the one that saves the most."""
    ways = list(_savings(character, points))
    enough = [way for way in ways if way.points >= points.over]
    if enough:
        return min(enough, key=lambda way: (way.points, way.hurts)).repair()
    if ways:
        return max(ways, key=lambda way: (way.points, -way.hurts)).repair()
    return Repair("do without a Perk")


def _savings(character: Character, points: Points) -> Iterator[_Saving]:
    for skill, names in character.specializations.items():
        if names:
            yield _Saving(SPECIALIZATION_POINTS, 1, _less_special(character, skill, names))
    for skill, depth in character.complexity.items():
        depth = min(depth, HIGHEST_COMPLEXITY)
        for lower in range(depth - 1, 0, -1):
            saved = depth * depth - (lower * lower if lower > 1 else 0)
            if character.skills.get(skill, 0) > 0:
                yield _Saving(saved, 1, _lowered(character.complexity, "complexity", skill, depth, lower, saved))
    for skill, level in character.skills.items():
        level = min(level, HIGHEST_LEVEL)
        least = 1 if character.specializations.get(skill) or character.complexity.get(skill, 1) > 1 else 0
        for lower in range(level - 1, least - 1, -1):
            saved = level * level - lower * lower
            yield _Saving(saved, 2 if lower else 3, _lowered(character.skills, "skills", skill, level, lower, saved))
    for place, worth in enumerate(points.each_perk[:MOST_REPAIRS]):
        if worth:
            yield _Saving(worth, 4, _less_perk(character, place))


def _less_special(character: Character, skill: str, names: Sequence[str]) -> Callable[[], Repair]:
    def repair() -> Repair:
        text = f"drop the {short(skill).capitalize()} specialization {short(names[-1])} ({SPECIALIZATION_POINTS} points)"
        everything = {each: list(those) for each, those in character.specializations.items()}
        return Repair(text, *_put("specializations", everything, skill, list(names[:-1])))

    return repair


def _lowered(values: Mapping[str, int], part: str, skill: str, now: int, lower: int, saved: int) -> Callable[[], Repair]:
    def repair() -> Repair:
        what = " Complexity" if part == "complexity" else ""
        text = f"lower {short(skill).capitalize()}{what} from {now} to {lower} ({saved} point{'s' if saved != 1 else ''})"
        return Repair(text, *_put(part, values, skill, lower))

    return repair


def _less_perk(character: Character, place: int) -> Callable[[], Repair]:
    def repair() -> Repair:
        name = character.perks[place].label()
        return Repair(f"do without {name}", *_without("perks", msgspec.to_builtins(character.perks), place))

    return repair


# --- gear, injuries and the log -----------------------------------------------------------------------------------------------


def _gear(rules: Ruleset, character: Character) -> Iterator[Problem]:
    gear, count = character.gear, 0
    strength: int | None = None
    one_armed = any(flaw.name == "one-armed" for flaw in character.flaws)
    for place, name in enumerate(gear.weapons):
        field, row = f"gear.weapons.{place}", find_weapon(rules, name)
        if row is None:
            near = near_to(name, weapon_names(rules)) if count < MOST_REPAIRS else None
            repair = (
                Repair(f"write {near}", field, near)
                if near
                else Repair("leave it out", *_without("gear.weapons", gear.weapons, place, count))
            )
            yield Problem("sil-a-melee-weapons", field, f"there is no weapon {short(name)!r}", repair=repair)
            count += 1
            continue
        least = getattr(row, "min_strength", None)
        if least is not None:
            if strength is None:
                strength = secondary_of(rules, Person.of(rules, character))["strength"].value
            if strength < least:
                message = f"{name} needs Strength {signed(least)}, and {character.name} has {signed(strength)}"
                yield Problem("sil-a-melee-weapons", field, message, least - strength, warning=True)
        if one_armed and getattr(row, "hands", 1) > 1:
            yield Problem("sil-c-flaws", field, f"{name} takes two hands, and {character.name} has one", warning=True)
    tables: tuple[tuple[str, str | None, Mapping[str, Any], str], ...] = (
        ("armor", gear.armor, ARMOR(rules), ARMOR.rule),
        ("shield", gear.shield, SHIELDS(rules), SHIELDS.rule),
    )
    for part, name, rows, rule_id in tables:  # type: ignore[assignment]
        if name is not None and name not in rows:
            near = near_to(name, rows)
            repair = Repair(f"write {near}" if near else "leave it out", f"gear.{part}", near)
            yield Problem(rule_id, f"gear.{part}", f"there is no {part} {short(name)!r}", repair=repair)
    for place, item in enumerate(gear.other):
        for what in ("cost", "weight"):
            if not getattr(item, what) >= 0:
                field = f"gear.other.{place}.{what}"
                message = f"{short(item.name)}: a {what} of {getattr(item, what):g} is less than nothing"
                yield Problem("sil-1.3-character-sheet", field, message, repair=Repair("set it to 0", field, 0))


def _injuries(character: Character) -> Iterator[Problem]:
    for name in character.injuries.__struct_fields__:
        number = getattr(character.injuries, name)
        if number < 0:
            field, label = f"injuries.{name}", name.replace("_", " ")
            repair = Repair("set it to 0", field, 0)
            yield Problem("sil-2.3.2-injury-list", field, f"there cannot be {number} {label} wounds", -number, repair)
    hurt = character.injuries
    for name, stable, carried in (
        ("flesh", hurt.stable_flesh, hurt.flesh + hurt.bruised_flesh),
        ("deep", hurt.stable_deep, hurt.deep + hurt.bruised_deep),
    ):
        if stable > max(0, carried):
            repair = Repair(f"set it to {max(0, carried)}", f"injuries.stable_{name}", max(0, carried))
            message = f"{stable} {name} wounds cannot be stabilized where there are {max(0, carried)}"
            yield Problem("sil-3.5.4-stabilizing", f"injuries.stable_{name}", message, stable - max(0, carried), repair)


def _log(character: Character, log: Standing) -> Iterator[Problem]:
    """Replay the log; every entry is held against what stands at that moment."""
    count, plain = 0, msgspec.to_builtins(character.advancement)
    for place, entry in enumerate(character.advancement):
        for found in log.take(entry):
            field = f"advancement.{place}"
            if found.field:
                repair = Repair(found.repair, f"{field}.{found.field}", found.value)
            else:
                repair = Repair(found.repair, *_without("advancement", plain, place, count))
                count += 1
            where = f"{field}.{found.field}" if found.field else field
            yield Problem(found.rule, where, found.message, found.over, repair, found.warning)
