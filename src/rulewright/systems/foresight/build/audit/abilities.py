"""Skills, fields of knowledge, familiarities, favored weapons and fields, and sold abilities."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from rulewright.build.audit import Problem, Repair, field_of, near_to, short, with_key
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.foresight.build.audit.repairs import drop_entry, drop_place
from rulewright.systems.foresight.gear.weapons import weapon_classes
from rulewright.systems.foresight.people.advancement import unfavorable
from rulewright.systems.foresight.people.attributes import ATTRIBUTES, ENVIRONMENTS, GRAVITIES, MOST_FAMILIAR
from rulewright.systems.foresight.people.backgrounds import FACTORS
from rulewright.systems.foresight.people.characters import HTH, Background, Character, Person, Purchase, level_now, package_of
from rulewright.systems.foresight.people.creation import is_language, known_price, package_skills, slots
from rulewright.systems.foresight.people.skills import (
    FAVORED,
    FIELDS,
    SKILLS,
    favored_classes,
    favored_fields,
    highest_level,
    specialization_from,
    split_name,
)


def skills(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Skills on the list, named where they must be, no higher than the attributes let them."""
    person = Person.of(rules, replace(whole, experience=()))
    for skill, level in character.skills.items():
        general, own = split_name(skill)
        field, row = field_of("skills", skill), SKILLS(rules).get(general)
        if row is None:
            near = near_to(skill, tuple(SKILLS(rules)))
            repair = drop_entry("skills", character.skills, skill)
            if near and near not in character.skills and not SKILLS(rules)[near].generic:
                repair = Repair(f"write {near}", "skills", {near if name == skill else name: at for name, at in character.skills.items()})
            yield Problem("fs-skill-list", field, f"there is no skill {short(skill)!r}", repair=repair)
            continue
        if row.generic != bool(own):
            message = f"{general} must be named: {general}: something" if row.generic else f"{general} is a single skill and takes no name"
            other = f"{general}: something" if row.generic else general
            if other in character.skills:
                repair = drop_entry("skills", character.skills, skill)
            else:
                renamed = {other if name == skill else name: at for name, at in character.skills.items()}
                repair = Repair(f"write {other}", "skills", renamed)
            yield Problem("fs-generic-skills", field, message, repair=repair)
        most = highest_level(rules, skill, person.attributes).value
        if level > max(0, most):
            repair = Repair(f"lower it to {max(0, most)}", *with_key("skills", character.skills, skill, max(0, most)))
            yield Problem("fs-skill-score", field, f"{skill} {level} is above its highest level of {most}", level - max(0, most), repair)
        elif level < 0:
            repair = Repair("raise it to 0", *with_key("skills", character.skills, skill, 0))
            yield Problem("fs-skill-score", field, f"{skill}: there is no level {level}", -level, repair)
        if character.tl is not None and row.tl is not None and row.tl > character.tl:
            message = f"{skill} belongs to TL{row.tl:g} and the setting to TL{character.tl:g}"
            yield Problem("fs-skill-list", field, message, warning=True)


def fields(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Fields of knowledge: tiers, specializations, and who pays for them."""
    rule_id, seen, left = "fs-fields-levels", set[str](), slots(rules, whole)
    travels = sum([FACTORS(rules)[own.factor].general for own in whole.background if _travelled(rules, own)])
    for place, known in enumerate(character.fields):
        field, row = f"fields.{place}", FIELDS(rules).get(known.field)
        drop = drop_place("fields", character.fields, place)
        if row is None:
            near = near_to(known.field, tuple(FIELDS(rules)))
            repair = Repair(f"write {near}", f"{field}.field", near) if near else drop
            yield Problem("fs-field-list", field, f"there is no field {short(known.field)!r}", repair=repair)
            continue
        if known.title in seen:
            yield Problem(rule_id, field, f"{short(known.title)} is listed twice", repair=drop)
            continue
        seen.add(known.title)
        if row.generic and not known.name.strip():
            repair = Repair("name it", f"{field}.name", f"number {place + 1}")
            yield Problem("fs-field-list", f"{field}.name", f"{known.field} must be named", repair=repair)
        if known.level == "basic" and row.basic is None:
            repair = Repair("write standard", f"{field}.level", "standard")
            yield Problem(rule_id, f"{field}.level", f"{known.field} has no basic tier", repair=repair)
            continue
        if known.specializations:
            none = Repair("leave them out", f"{field}.specializations", [])
            if row.specialization is None:
                yield Problem(rule_id, f"{field}.specializations", f"{known.field} has no specializations", repair=none)
            elif known.level == "basic" and not rules.on("specialize-from-basic"):
                message = f"a specialization of {known.field} needs standard knowledge"
                yield Problem(rule_id, f"{field}.specializations", message, len(known.specializations), none)
        if known.immersed and not is_language(known.field):
            message = f"{known.field} cannot be learnt by immersion"
            repair = Repair("write false", f"{field}.immersed", value=False)
            yield Problem("fs-language-immersion", f"{field}.immersed", message, repair=repair)
        if known.travels:
            cost = known_price(rules, whole, known) if is_language(known.field) else 0
            plain = Repair("write false", f"{field}.travels", value=False)
            if not is_language(known.field) or cost > travels or known.free:
                message = f"{short(known.title)} cannot be paid with the points of Wide Travels"
                yield Problem("fs-background-factors", f"{field}.travels", message, max(0, cost - travels), plain)
            travels -= cost
        if known.free and not left.claim(known):
            message = f"{short(known.title)} is not in the free package"
            yield Problem("fs-free-packages", f"{field}.free", message, repair=Repair("pay for it", f"{field}.free", value=False))
        elif not known.free:
            left.start(known)
        yield from _in_time(rules, character, place)
    if character.player:
        for name in left.basic:
            message = f"the package gives {name}, which the file does not list"
            given = {"field": name, "level": "basic", "free": True}
            repair = Repair("write it down", "fields", [*msgspec.to_builtins(character.fields), given])
            yield Problem("fs-free-packages", "fields", message, 0, repair, warning=True)


def _travelled(rules: Ruleset, own: Background) -> bool:
    row = FACTORS(rules).get(own.factor)
    return row is not None and row.languages


def _in_time(rules: Ruleset, character: Character, place: int) -> Iterator[Problem]:
    known, tl = character.fields[place], character.tl
    row = FIELDS(rules)[known.field]
    if tl is None:
        return
    early = rules.on("early-fields") and row.basic is not None and known.level == "basic" and tl >= row.tl - 1
    if tl < row.tl and not early:
        message = f"{known.field} belongs to TL{row.tl:g} and the setting to TL{tl:g}"
        yield Problem("fs-field-list", f"fields.{place}", message, warning=True)
    begins = specialization_from(rules, known.field)
    if known.specializations and rules.on("early-fields") and tl < begins:
        message = f"specializations of {known.field} appear at TL{begins:g} and the setting is at TL{tl:g}"
        yield Problem("fs-fields-early-tl", f"fields.{place}.specializations", message, warning=True)


def places(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Environments, gravities and long-term familiarities."""
    for part, table in (("environments", ENVIRONMENTS), ("gravities", GRAVITIES)):
        values: dict[str, int] = getattr(character, part)
        for name, value in values.items():
            field, rule_id = field_of(part, name), str(table.rule)
            if name not in table(rules):
                message = f"{short(name)!r} is not one of the {part}"
                yield Problem(rule_id, field, message, repair=drop_entry(part, values, name))
            elif not 0 <= value <= MOST_FAMILIAR:
                to = max(0, min(MOST_FAMILIAR, value))
                message = f"{name} {value}: a familiarity goes from 0 to {MOST_FAMILIAR}"
                yield Problem(rule_id, field, message, abs(value - to), Repair(f"write {to}", *with_key(part, values, name, to)))
    seen: set[tuple[str, str]] = set()
    for place, own in enumerate(character.familiarities):
        drop = drop_place("familiarities", character.familiarities, place)
        general = split_name(own.ability)[0]
        if general not in SKILLS(rules) and general not in FIELDS(rules) and general not in ATTRIBUTES:
            message = f"there is no ability {short(own.ability)!r} to be familiar with"
            yield Problem("fs-ltf", f"familiarities.{place}", message, repair=drop)
        elif (own.ability, own.subject) in seen:
            message = f"there is one long-term familiarity with {short(own.subject)} and no second"
            yield Problem("fs-ltf", f"familiarities.{place}", message, repair=drop)
        seen.add((own.ability, own.subject))


def favors(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Favored weapon classes and favored fields, as many as the levels of today allow: those reached in play count."""
    classes = weapon_classes(rules)
    owned, level = character.favored_weapons, level_now(whole, HTH)
    for place, name in enumerate(owned):
        drop = drop_place("favored_weapons", owned, place)
        if name not in classes:
            near = near_to(name, tuple(sorted(classes)))
            repair = Repair(f"write {near}", f"favored_weapons.{place}", near) if near else drop
            yield Problem("fs-favored-weapon", f"favored_weapons.{place}", f"there is no weapon class {short(name)!r}", repair=repair)
        elif owned[:place].count(name) >= FAVORED.of(rules, "most for one class"):
            yield Problem("fs-favored-weapon", f"favored_weapons.{place}", f"{name} can be favored twice at most", repair=drop)
    free = 0 if level is None else favored_classes(rules, level).value
    later = FAVORED.of(rules, "second from level")
    if len(owned) > free and whole.skills.get(HTH, 0) < later:
        message = f"{len(owned)} favored weapon classes of {free}: more can be bought from level {later} on"
        repair = Repair("keep the first", "favored_weapons", list(owned[:free]))
        yield Problem("fs-favored-weapon", "favored_weapons", message, len(owned) - free, repair)
    chosen = len(owned) + sum([isinstance(e, Purchase) and e.done and e.buy == "favor" for e in character.experience])
    if chosen < free and character.player:
        left = free - chosen
        message = f"{count(left, 'favored weapon class')} {'is' if left == 1 else 'are'} left to choose"
        yield Problem("fs-favored-weapon", "favored_weapons", message, warning=True)
    for place, entry in enumerate(character.experience):
        if isinstance(entry, Purchase) and entry.buy == "favor" and entry.what not in classes:
            message, drop = (
                f"there is no weapon class {short(entry.what)!r} to favor",
                drop_place("experience", character.experience, place),
            )
            yield Problem("fs-favored-weapon", f"experience.{place}.what", message, repair=drop)
    yield from _favored_fields(rules, character, whole)


def _favored_fields(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Favored fields and specializations: one for five levels of Theory, each known and once."""
    most = favored_fields(rules, max(0, level_now(whole, "Theory") or 0)).value
    if len(character.favored_fields) > most:
        message = f"{len(character.favored_fields)} favored fields of {most}"
        repair = Repair("keep the first", "favored_fields", list(character.favored_fields[:most]))
        yield Problem("fs-favored-field", "favored_fields", message, len(character.favored_fields) - most, repair)
    later = sum([isinstance(e, Purchase) and e.done and e.buy == "favored field" for e in character.experience])
    if len(character.favored_fields) + later < most and character.player:
        left = most - len(character.favored_fields) - later
        message = f"{count(left, 'favored field')} {'is' if left == 1 else 'are'} left to choose"
        yield Problem("fs-favored-field", "favored_fields", message, warning=True)
    if not character.favored_fields:
        return
    person = Person.of(rules, whole)
    for place, name in enumerate(character.favored_fields[:most]):
        fault = unfavorable(person, name, character.favored_fields[:place])
        if fault:
            drop = drop_place("favored_fields", character.favored_fields, place)
            yield Problem("fs-favored-field", f"favored_fields.{place}", fault, repair=drop)


def sold(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Yields a problem for each skill or field that was sold but did not come free."""
    free = [row.skill for row in SKILLS(rules).values() if row.free] + list(package_skills(rules, whole))
    package = package_of(rules, whole)
    fields = [*package.fields, *package.basic] if package else []
    for place, name in enumerate(character.sold):
        drop = drop_place("sold", character.sold, place)
        if name in free and name not in character.sold[:place]:
            continue
        if name in fields:
            fields.remove(name)
            continue
        yield Problem("fs-sell-free-skills", f"sold.{place}", f"{short(name)} did not come free and cannot be sold", repair=drop)
