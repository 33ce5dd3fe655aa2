"""Is a character legal? Every breach with its rule, the amount over and the smallest repair (book lines 425-1184).

The order matters to whoever repairs from the top: first what is unknown or out of bounds, then what costs too much. Every repair
takes something away or lowers it, so carrying them out one after another always ends with a legal character.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from rulewright.build import Audit, Problem, Repair
from rulewright.errors import Wrong
from rulewright.pieces import Budget
from rulewright.reasons import Derived, Reason, derive
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.advancement import Standing, near_to, short
from rulewright.systems.foresight.armor import ARMOR, EXOSKELETONS, armor_cost
from rulewright.systems.foresight.attributes import ATTRIBUTES, ENVIRONMENTS, GRAVITIES, MOST_FAMILIAR, MOST_TRAINING
from rulewright.systems.foresight.backgrounds import (
    FACTORS,
    FEATURES,
    MODIFIERS,
    PACKAGES,
    SPECIES,
    WEALTH,
    FactorRow,
    species_points,
    worth,
)
from rulewright.systems.foresight.characters import (
    HTH,
    Background,
    Character,
    Gear,
    Person,
    Purchase,
    Trait,
    free_gravities,
    free_skills,
    inherent,
    package_of,
    species_of,
)
from rulewright.systems.foresight.creation import (
    INHERENT_PRICE,
    PICK,
    WORTH,
    Account,
    accounts,
    ages,
    capped,
    extra_favors,
    grown_up,
    insight_barred,
    is_custom,
    is_language,
    known_price,
    package_skills,
    slots,
    sound,
    spread_of,
)
from rulewright.systems.foresight.skills import (
    FIELDS,
    SECOND_FAVOR,
    SKILLS,
    attribute_price,
    favored_classes,
    favored_fields,
    highest_level,
    price,
    skill_price,
    split_name,
)
from rulewright.systems.foresight.weapons import MELEE_WEAPONS, RANGED_WEAPONS, blade, gun

MOST_WEALTH = 10
MOST_MERIT = 40
GIFT_SKILLS = 4
UNARMED = "unarmed"


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every breach of the rules in a character's file, and what was spent of every budget."""
    whole = sound(rules, character)
    books = accounts(rules, character)
    log = Standing(rules, character)
    problems = [
        *_names(rules, character),
        *_species(rules, character, whole),
        *_attributes(rules, whole),
        *_background(rules, character),
        *_traits(rules, character, whole),
        *_trained(rules, whole),
        *_skills(rules, character, whole),
        *_fields(rules, character, whole),
        *_places(rules, character),
        *_favors(rules, character, whole),
        *_sold(rules, character, whole),
        *_wealth(rules, character, whole),
        *_gear(rules, character),
        *_injuries(character),
        *_points(rules, character, whole, books),
        *_log(character, log),
    ]
    species = species_of(rules, whole)
    budgets = (
        Budget(
            name="Attribute points",
            rule="fs-attribute-points",
            allowed=spread_of(species.ranges).value,
            spent=sum(character.attributes.each().values()),
        ),
        Budget(
            name="Background factors",
            rule="fs-character-competence",
            allowed=character.factors,
            spent=len(character.background) + int(species.factor),
        ),
        *[
            Budget(name=f"{kind.capitalize()} points", rule="fs-spending-cps", allowed=account.given.value, spent=account.spent)
            for kind, account in books.items()
        ],
        Budget(name="Wealth, svu", rule="fs-wealth", allowed=worth_of(rules, whole).value, spent=_whole(gear_cost(rules, character.gear))),
        Budget(name="Experience", rule="fs-spending-experience", allowed=log.earned, spent=log.spent),
    )
    return Audit(tuple(problems), budgets)


def _whole(cost: Derived[float]) -> int:
    return int(min(cost.value, 1e15))


def _plain(thing: Any) -> Any:
    return msgspec.to_builtins(thing)


def _at(part: str, key: str) -> str:
    """The dotted field of a named entry; the whole part where the name cannot stand in a path."""
    return f"{part}.{key}" if all(key.split(".")) else part


def _put(part: str, all_of_it: dict[str, Any], key: str, value: Any) -> tuple[str, Any]:
    """Field and value that put one named entry right."""
    field = _at(part, key)
    return (field, value) if field != part else (part, {**all_of_it, key: value})


def _without(part: str, entries: Sequence[Any], place: int, text: str = "leave it out") -> Repair:
    """Take one entry out of a list."""
    plain = _plain(entries)
    return Repair(text, part, [*plain[:place], *plain[place + 1 :]])


def _less(part: str, entries: dict[Any, Any], key: str, text: str = "leave it out") -> Repair:
    """Take one entry out of a mapping."""
    return Repair(text, part, {name: value for name, value in entries.items() if name != key})


def _instead(field: str, name: str, known: Iterable[str], otherwise: Any) -> Repair:
    """The name that was probably meant, or a usual one."""
    near = near_to(name, tuple(known)) or otherwise
    return Repair(f"write {near}", field, near)


# --- who it is ----------------------------------------------------------------------------------------------------------------


def _names(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Words that no table knows."""
    checks: tuple[tuple[str, str, Any, str, str], ...] = (
        ("package", character.package, PACKAGES, "free package", "Default"),
        ("native_gravity", character.native_gravity, GRAVITIES, "band of gravity", "NL"),
        ("base_wealth", character.base_wealth, WEALTH, "wealth level", "Average"),
    )
    for field, value, table, what, usual in checks:
        if value not in table(rules) and (value or field != "package"):
            yield Problem(table.rule, field, f"there is no {what} {short(value)!r}", repair=_instead(field, value, table(rules), usual))
    if not 1 <= character.factors <= 100:
        to = max(1, min(100, character.factors))
        message = f"{character.factors} background factors cannot be allowed"
        yield Problem("fs-character-competence", "factors", message, abs(character.factors - to), Repair(f"write {to}", "factors", to))


def _species(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    own, rule_id = character.own_species, "fs-custom-species"
    if own is None:
        if character.species not in SPECIES(rules):
            message = f"there is no species {short(character.species)!r}"
            yield Problem("fs-species", "species", message, repair=_instead("species", character.species, SPECIES(rules), "Human"))
        return
    for place, trait in enumerate(own.traits):
        if trait not in FEATURES(rules):
            message = f"{short(trait)}: no price is known for this ability; count it among the others"
            yield Problem(rule_id, f"own_species.traits.{place}", message, repair=_without("own_species.traits", own.traits, place))
            return
    if not (isfinite(own.ds) and 0 < own.ds <= 100):
        yield Problem(rule_id, "own_species.ds", f"a damage scale of {own.ds:g}", repair=Repair("write 1", "own_species.ds", 1))
    human = SPECIES.get(rules, "Human").ranges
    for name, (low, high) in own.ranges.items():
        if not 1 <= low <= high <= 100:
            message = f"{name} cannot run from {low} to {high}"
            yield Problem(rule_id, f"own_species.ranges.{name}", message, repair=_less("own_species.ranges", own.ranges, name))
        elif name == "AP" and (low, high) != human["AP"]:
            message = "the range of AP is that of humans for every species"
            yield Problem("fs-species", "own_species.ranges.AP", message, repair=_less("own_species.ranges", own.ranges, name))
    for part in ("general", "education"):
        points = getattr(own, part)
        if points < 0:
            message = f"a species gives no {points} {part} points"
            yield Problem(rule_id, f"own_species.{part}", message, -points, Repair("write 0", f"own_species.{part}", 0))
    total = species_points(rules, species_of(rules, whole), own.other).value
    if total > WORTH:
        over = total - WORTH
        message = f"{short(character.species)} comes to {total} of {WORTH} points"
        yield Problem(rule_id, "own_species", message, over, _cheaper_species(character, over))


def _cheaper_species(character: Character, over: int) -> Repair:
    """Fewer points given; where that is not enough, the ranges or the whole species go."""
    own = character.own_species
    assert own is not None
    for part in ("general", "education", "other"):
        value = getattr(own, part)
        if value >= over:
            return Repair(f"give {value - over} {part} points", f"own_species.{part}", value - over)
    for part in ("general", "education", "other"):
        if getattr(own, part) > 0:
            return Repair(f"give no {part} points", f"own_species.{part}", 0)
    if own.ranges:
        return Repair("keep the ranges of humans", "own_species.ranges", {})
    if own.ds > 1:
        return Repair("write 1", "own_species.ds", 1)
    return Repair("take no abilities", "own_species.traits", [])


# --- attributes ---------------------------------------------------------------------------------------------------------------


def _attributes(rules: Ruleset, whole: Character) -> Iterator[Problem]:
    rule_id, ranges = "fs-attribute-points", species_of(rules, whole).ranges
    values = whole.attributes.each()
    for name, value in values.items():
        low, high = ranges[name]
        field = f"attributes.{name}"
        if value > high:
            yield Problem(rule_id, field, f"{name} {value} is above {high}", value - high, Repair(f"lower it to {high}", field, high))
        elif value < low:
            yield Problem(rule_id, field, f"{name} {value} is below {low}", low - value, Repair(f"raise it to {low}", field, low))
    allowed, spent = spread_of(ranges).value, sum(values.values())
    if spent > allowed:
        name = _roomiest(values, ranges, spent - allowed)
        if name is not None:
            to = max(ranges[name][0], values[name] - (spent - allowed))
            message = f"the attributes come to {spent} of {allowed}"
            yield Problem(rule_id, "attributes", message, spent - allowed, Repair(f"lower {name} to {to}", f"attributes.{name}", to))
    elif spent < allowed and whole.player:
        room = [name for name in ATTRIBUTES if ranges[name][0] <= values[name] < ranges[name][1]]
        repair = None
        if room:
            name = min(room, key=lambda each: values[each])
            to = min(ranges[name][1], values[name] + allowed - spent)
            repair = Repair(f"raise {name} to {to}", f"attributes.{name}", to)
        message = f"{allowed - spent} attribute points are left to spread"
        yield Problem(rule_id, "attributes", message, 0, repair, warning=True)


def _roomiest(values: dict[Any, int], ranges: dict[Any, tuple[int, int]], over: int) -> Any:
    """The attribute to lower: the highest that can give up everything, or else the one with the most to give."""
    room = {name: values[name] - ranges[name][0] for name in values if values[name] > ranges[name][0]}
    if not room:
        return None
    enough = [name for name in room if room[name] >= over]
    return max(enough, key=lambda name: values[name]) if enough else max(room, key=lambda name: room[name])


def _trained(rules: Ruleset, whole: Character) -> Iterator[Problem]:
    base = inherent(rules, replace(whole, experience=()))
    for name, value in whole.trained.items():
        low = base[name].value
        field, high = f"trained.{name}", low + MOST_TRAINING
        if value > high:
            message = f"{name} trained to {value}: an inherent {low} reaches {high} at most"
            yield Problem("fs-attributes", field, message, value - high, Repair(f"lower it to {high}", field, high))
        elif value < low:
            message = f"{name} trained to {value} lies below the inherent {low}"
            yield Problem("fs-attributes", field, message, low - value, _less("trained", whole.trained, name))


# --- background ---------------------------------------------------------------------------------------------------------------


def _background(rules: Ruleset, character: Character) -> Iterator[Problem]:
    rule_id, seen = "fs-background-factors", set[str]()
    for place, own in enumerate(character.background):
        row, field = FACTORS(rules).get(own.factor), f"background.{place}"
        drop = _without("background", character.background, place)
        if row is None:
            yield from _own_factor(rules, character, place)
        elif is_custom(own):
            plain = _plain(replace(own, general=None, education=None))
            message = f"{own.factor} is on the list and has no points of its own"
            yield Problem(rule_id, field, message, repair=Repair("take its own points out", field, plain))
        elif row.once and own.factor in seen:
            yield Problem(rule_id, field, f"{own.factor} can be taken once only", repair=drop)
        else:
            yield from _shared_out(own, row, field)
            yield from _needed(rules, character, own, row, field, drop)
        for skill in own.insights:
            barred = insight_barred(rules, character, skill)
            if barred and row is not None and f"insight: {skill}" in row.choices:
                keep = [each for each in own.insights if each != skill]
                message = f"no unique insight into {skill} yet: {barred}"
                yield Problem(
                    "fs-character-modifiers", f"{field}.insights", message, repair=Repair("leave it out", f"{field}.insights", keep)
                )
        if not 0 <= own.merit <= MOST_MERIT:
            to = max(0, min(MOST_MERIT, own.merit))
            message = f"{short(own.called or own.factor)} cannot bring {own.merit} merit points"
            yield Problem("fs-merit-points", f"{field}.merit", message, abs(own.merit - to), Repair(f"write {to}", f"{field}.merit", to))
        seen.add(own.factor)
    yield from _count(rules, character)
    yield from _cap(rules, character)
    yield from _age(rules, character)


def _own_factor(rules: Ruleset, character: Character, place: int) -> Iterator[Problem]:
    own, field, rule_id = character.background[place], f"background.{place}", "fs-custom-background-factor"
    drop = _without("background", character.background, place)
    if not is_custom(own):
        near = near_to(own.factor, tuple(FACTORS(rules)))
        repair = Repair(f"write {near}", f"{field}.factor", near) if near else drop
        yield Problem("fs-background-factors", field, f"there is no background factor {short(own.factor)!r}", repair=repair)
        return
    if not rules.on("custom-background-factors"):
        message = f"{short(own.factor)}: background factors of one's own need leave (setting custom-background-factors)"
        yield Problem(rule_id, field, message, repair=drop)
        return
    given = {part: getattr(own, part) or 0 for part in ("general", "education")}
    for part, points in given.items():
        if points < 0:
            message = f"{short(own.factor)} gives {points} {part} points"
            yield Problem(rule_id, f"{field}.{part}", message, -points, Repair("write 0", f"{field}.{part}", 0))
    if own.insights:
        message = f"{short(own.factor)} cannot give a unique insight"
        yield Problem(rule_id, f"{field}.insights", message, repair=Repair("leave it out", f"{field}.insights", []))
    if any(points < 0 for points in own.inherent.values()):
        message = f"{short(own.factor)} takes inherent points away"
        keep = {name: points for name, points in own.inherent.items() if points > 0}
        yield Problem(rule_id, f"{field}.inherent", message, repair=Repair("leave them out", f"{field}.inherent", keep))
        return
    inner = INHERENT_PRICE * sum(own.inherent.values())
    total = sum(given.values()) + inner
    if total > WORTH:
        over = total - WORTH
        part = max(given, key=lambda each: given[each])
        to = max(0, given[part] - over)
        repair = Repair(f"give {to} {part} points", f"{field}.{part}", to) if given[part] > 0 else drop
        yield Problem(rule_id, field, f"{short(own.factor)} is worth {total} of {WORTH} points", over, repair)


def _fitting(own: Background, row: FactorRow) -> Background:
    """The same factor with no more inherent points and insights than it gives."""
    found: dict[Any, int] = {}
    if row.picks:
        picks = row.picks
        for name, points in own.inherent.items():
            if name in row.choices and points >= PICK and picks:
                found[name], picks = PICK, picks - 1
        insights = [skill for skill in dict.fromkeys(own.insights) if f"insight: {skill}" in row.choices][:picks]
        return replace(own, inherent=found, insights=tuple(insights))
    left = row.inherent
    for name, points in own.inherent.items():
        if points > 0 and left and (not row.among or name in row.among):
            found[name] = min(points, left)
            left -= found[name]
    return replace(own, inherent=found, insights=())


def _shared_out(own: Background, row: FactorRow, field: str) -> Iterator[Problem]:
    """The inherent points and picks of a factor."""
    given = PICK * row.picks if row.picks else row.inherent
    total = sum(own.inherent.values()) + PICK * len(own.insights)
    fit = _fitting(own, row)
    if fit.inherent != own.inherent or fit.insights != own.insights:
        what = f"{row.picks} of {', '.join(row.choices)}" if row.picks else f"{row.inherent} points for {', '.join(row.among) or 'any'}"
        message = f"{own.factor} gives {what if given else 'no inherent points'}"
        yield Problem("fs-background-factors", field, message, max(0, total - given), Repair("take what it gives", field, _plain(fit)))
    elif total < given:
        message = f"{own.factor}: {given - total} inherent points are left to place"
        yield Problem("fs-background-factors", f"{field}.inherent", message, warning=True)


def _needed(rules: Ruleset, character: Character, own: Background, row: FactorRow, field: str, drop: Repair) -> Iterator[Problem]:
    if not row.needs:
        return
    base = inherent(rules, replace(character, experience=()))
    for name, least in row.needs.items():
        value = base[name].value - own.inherent.get(name, 0)
        if value < least:
            message = f"{own.factor} asks for an inherent {name} of {least}, and it is {value}"
            yield Problem("fs-background-factors", field, message, least - value, drop)
            return


def _count(rules: Ruleset, character: Character) -> Iterator[Problem]:
    whole = sound(rules, character)
    species = species_of(rules, whole).factor
    number = len(character.background) + int(species)
    if number > whole.factors and character.background:
        message = f"{number} background factors of {whole.factors}{', the species among them' if species else ''}"
        repair = _without("background", character.background, len(character.background) - 1, "leave out the last")
        yield Problem("fs-character-competence", "background", message, number - whole.factors, repair)
    elif number < whole.factors and character.player:
        message = f"{whole.factors - number} background factors are left to choose"
        yield Problem("fs-character-competence", "background", message, warning=True)
    childhood = sum([FACTORS(rules)[own.factor].group == "childhood" for own in whole.background if own.factor in FACTORS(rules)])
    if childhood not in (1, 2) and character.player:
        message = f"{childhood} background factors for childhood: one or two are usual"
        yield Problem("fs-background-factors", "background", message, warning=True)


def _cap(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Points of background factors stay inside the range of the species."""
    whole = sound(rules, character)
    for name, (low, high) in species_of(rules, whole).ranges.items():
        spread = character.attributes.of(name)
        more = [(place, own.inherent[name]) for place, own in enumerate(character.background) if own.inherent.get(name, 0) > 0]
        over = spread + sum([points for _, points in more]) - high
        if not more or over <= 0 or spread > high or not capped(rules, character, name):
            continue
        message = f"inherent {name} {high + over}: background factors cannot take it past {high}"
        place, points = more[-1]
        if spread - over >= low:
            repair = Repair(f"spread {spread - over}", f"attributes.{name}", spread - over)
        else:
            own = character.background[place].inherent
            left = {each: value for each, value in {**own, name: max(0, points - over)}.items() if value}
            repair = Repair("place fewer there", f"background.{place}.inherent", left)
        yield Problem("fs-attribute-points", f"background.{place}.inherent.{name}", message, over, repair)


def _age(rules: Ruleset, character: Character) -> Iterator[Problem]:
    if character.age is None:
        return
    likely = ages(rules, grown_up(rules, character))
    if character.age < likely.youngest:
        message = f"{character.age} is young for this background: {likely.youngest} to {likely.oldest} is likely"
        yield Problem("fs-background-duration", "age", message, 0, Repair(f"be {likely.youngest}", "age", likely.youngest), warning=True)


# --- character modifiers ------------------------------------------------------------------------------------------------------


def _traits(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    rule_id, seen = "fs-character-modifiers", set[str]()
    for place, trait in enumerate(character.traits):
        field, row = f"traits.{place}", MODIFIERS(rules).get(trait.modifier)
        drop = _without("traits", character.traits, place)
        if row is None:
            near = near_to(trait.modifier, tuple(MODIFIERS(rules)))
            repair = Repair(f"write {near}", f"{field}.modifier", near) if near else drop
            yield Problem(rule_id, field, f"there is no character modifier {short(trait.modifier)!r}", repair=repair)
            continue
        key = f"{trait.modifier} {trait.skill}" if trait.modifier == "Unique Insight" else trait.modifier
        if key in seen and not row.repeatable:
            yield Problem(rule_id, field, f"{key.strip()} can be had once only", repair=drop)
            continue
        seen.add(key)
        if trait.modifier == "Unique Insight":
            barred = insight_barred(rules, character, trait.skill)
            if barred:
                yield Problem(rule_id, field, f"no unique insight yet: {short(barred, 80)}", repair=drop)
        elif trait.modifier == "Unique Gift":
            why = _gift(rules, whole, trait)
            if why:
                yield Problem(rule_id, field, f"unique gift: {why}", repair=drop)
        elif trait.modifier == "Aging":
            if any(points not in (0, -1) for points in trait.inherent.values()):
                fit = {name: -1 for name, points in trait.inherent.items() if points < 0}
                message = "aging takes one point of an attribute at a time"
                yield Problem(rule_id, f"{field}.inherent", message, repair=Repair("take one each", f"{field}.inherent", fit))
        elif trait.inherent:
            message = f"{trait.modifier} shifts what the table says and nothing else"
            yield Problem(rule_id, f"{field}.inherent", message, repair=Repair("leave it out", f"{field}.inherent", {}))


def _gift(rules: Ruleset, whole: Character, trait: Trait) -> str:
    """Why a unique gift is not one; empty where it is."""
    up = {name: points for name, points in trait.inherent.items() if points > 0}
    down = {name: points for name, points in trait.inherent.items() if points < 0}
    if bool(up) == bool(trait.skills):
        return "it is either for skills or for one attribute"
    if trait.skills:
        rows = [SKILLS(rules).get(split_name(skill)[0]) for skill in trait.skills]
        listed = [row for row in rows if row is not None]
        if len(listed) < len(rows):
            return "it names a skill that is not on the list"
        if sum([row.cost for row in listed]) > GIFT_SKILLS:
            return f"its skills cost more than {GIFT_SKILLS} together"
        if not set.intersection(*[set(row.attributes) for row in listed]):
            return "its skills share no attribute"
    elif len(up) > 1 or sum(up.values()) != PICK:
        return f"it gives +{PICK} to one inherent attribute"
    else:
        name = next(iter(up))
        others = replace(whole, traits=tuple([each for each in whole.traits if each is not trait]), experience=())
        before = inherent(rules, others)[name].value
        if before < species_of(rules, whole).ranges[name][1] - 1:
            return f"inherent {name} is {before} before it, not next to the end of its range"
    if not down and not trait.deficit.strip():
        return "it is not paid for with a deficit"
    if down and (len(down) > 1 or sum(down.values()) != -4):
        return "the deficit is -4 to one other attribute"
    return ""


# --- skills, fields, places ---------------------------------------------------------------------------------------------------


def _skills(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    person = Person.of(rules, replace(whole, experience=()))
    for skill, level in character.skills.items():
        general, own = split_name(skill)
        field, row = _at("skills", skill), SKILLS(rules).get(general)
        if row is None:
            near = near_to(skill, tuple(SKILLS(rules)))
            repair = _less("skills", character.skills, skill)
            if near and near not in character.skills and not SKILLS(rules)[near].generic:
                repair = Repair(f"write {near}", "skills", {near if name == skill else name: at for name, at in character.skills.items()})
            yield Problem("fs-skill-list", field, f"there is no skill {short(skill)!r}", repair=repair)
            continue
        if row.generic != bool(own):
            message = f"{general} must be named: {general}: something" if row.generic else f"{general} is one skill and takes no name"
            other = f"{general}: something" if row.generic else general
            if other in character.skills:
                repair = _less("skills", character.skills, skill)
            else:
                renamed = {other if name == skill else name: at for name, at in character.skills.items()}
                repair = Repair(f"write {other}", "skills", renamed)
            yield Problem("fs-generic-skills", field, message, repair=repair)
        most = highest_level(rules, skill, person.attributes).value
        if level > max(0, most):
            repair = Repair(f"lower it to {max(0, most)}", *_put("skills", character.skills, skill, max(0, most)))
            yield Problem("fs-skill-score", field, f"{skill} {level} is above its highest level of {most}", level - max(0, most), repair)
        elif level < 0:
            repair = Repair("raise it to 0", *_put("skills", character.skills, skill, 0))
            yield Problem("fs-skill-score", field, f"{skill}: there is no level {level}", -level, repair)
        if character.tl is not None and row.tl is not None and row.tl > character.tl:
            message = f"{skill} belongs to TL{row.tl:g} and the setting to TL{character.tl:g}"
            yield Problem("fs-skill-list", field, message, warning=True)


def _fields(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    rule_id, seen, left = "fs-fields-levels", set[str](), slots(rules, whole)
    travels = sum([FACTORS(rules)[own.factor].general for own in whole.background if _travelled(rules, own)])
    for place, known in enumerate(character.fields):
        field, row = f"fields.{place}", FIELDS(rules).get(known.field)
        drop = _without("fields", character.fields, place)
        if row is None:
            near = near_to(known.field, tuple(FIELDS(rules)))
            repair = Repair(f"write {near}", f"{field}.field", near) if near else drop
            yield Problem("fs-field-list", field, f"there is no field {short(known.field)!r}", repair=repair)
            continue
        if known.title in seen:
            yield Problem(rule_id, field, f"{short(known.title)} is there twice", repair=drop)
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
            message = f"{known.field} is not learnt by living among people"
            repair = Repair("write false", f"{field}.immersed", False)
            yield Problem("fs-language-immersion", f"{field}.immersed", message, repair=repair)
        if known.travels:
            cost = known_price(rules, whole, known) if is_language(known.field) else 0
            plain = Repair("write false", f"{field}.travels", False)
            if not is_language(known.field) or cost > travels or known.free:
                message = f"{short(known.title)} cannot be paid with the points of Wide Travels"
                yield Problem("fs-background-factors", f"{field}.travels", message, max(0, cost - travels), plain)
            travels -= cost
        if known.free and not left.claim(known):
            message = f"{short(known.title)} is not in the free package"
            yield Problem("fs-free-packages", f"{field}.free", message, repair=Repair("pay for it", f"{field}.free", False))
        elif not known.free:
            left.start(known)
        yield from _in_time(rules, character, place)
    if character.player:
        for name in left.basic:
            message = f"the package gives {name}, which is not written down"
            given = {"field": name, "level": "basic", "free": True}
            repair = Repair("write it down", "fields", [*_plain(character.fields), given])
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
    if known.specializations and rules.on("early-fields") and tl < row.tl + 1:
        message = f"specializations of {known.field} appear at TL{row.tl + 1:g} and the setting is at TL{tl:g}"
        yield Problem("fs-fields-early-tl", f"fields.{place}.specializations", message, warning=True)


def _places(rules: Ruleset, character: Character) -> Iterator[Problem]:
    for part, table in (("environments", ENVIRONMENTS), ("gravities", GRAVITIES)):
        values: dict[str, int] = getattr(character, part)
        for name, value in values.items():
            field, rule_id = _at(part, name), str(table.rule)
            if name not in table(rules):
                message = f"{short(name)!r} is none of the {part}"
                yield Problem(rule_id, field, message, repair=_less(part, values, name))
            elif not 0 <= value <= MOST_FAMILIAR:
                to = max(0, min(MOST_FAMILIAR, value))
                message = f"{name} {value}: a familiarity goes from 0 to {MOST_FAMILIAR}"
                yield Problem(rule_id, field, message, abs(value - to), Repair(f"write {to}", *_put(part, values, name, to)))
    seen: set[tuple[str, str]] = set()
    for place, own in enumerate(character.familiarities):
        drop = _without("familiarities", character.familiarities, place)
        general = split_name(own.ability)[0]
        if general not in SKILLS(rules) and general not in FIELDS(rules) and general not in ATTRIBUTES:
            message = f"there is no ability {short(own.ability)!r} to be familiar with"
            yield Problem("fs-ltf", f"familiarities.{place}", message, repair=drop)
        elif (own.ability, own.subject) in seen:
            message = f"there is one long-term familiarity with {short(own.subject)} and no second"
            yield Problem("fs-ltf", f"familiarities.{place}", message, repair=drop)
        seen.add((own.ability, own.subject))


def _favors(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    classes = {row.group for row in MELEE_WEAPONS(rules).values()} | {UNARMED}
    owned, level = character.favored_weapons, whole.skills.get(HTH)
    for place, name in enumerate(owned):
        drop = _without("favored_weapons", owned, place)
        if name not in classes:
            near = near_to(name, tuple(sorted(classes)))
            repair = Repair(f"write {near}", f"favored_weapons.{place}", near) if near else drop
            yield Problem("fs-favored-weapon", f"favored_weapons.{place}", f"there is no weapon class {short(name)!r}", repair=repair)
        elif owned[:place].count(name) >= 2:
            yield Problem("fs-favored-weapon", f"favored_weapons.{place}", f"{name} can be favored twice at most", repair=drop)
    free = 0 if level is None else favored_classes(rules, level).value
    if len(owned) > free and (level is None or level < SECOND_FAVOR):
        message = f"{len(owned)} favored weapon classes of {free}: more can be bought from level {SECOND_FAVOR} on"
        repair = Repair("keep the first", "favored_weapons", list(owned[:free]))
        yield Problem("fs-favored-weapon", "favored_weapons", message, len(owned) - free, repair)
    elif len(owned) < free and character.player:
        message = f"{free - len(owned)} favored weapon classes are left to choose"
        yield Problem("fs-favored-weapon", "favored_weapons", message, warning=True)
    most = favored_fields(rules, whole.skills.get("Theory", 0)).value
    if len(character.favored_fields) > most:
        message = f"{len(character.favored_fields)} favored fields of {most}"
        repair = Repair("keep the first", "favored_fields", list(character.favored_fields[:most]))
        yield Problem("fs-favored-field", "favored_fields", message, len(character.favored_fields) - most, repair)
    elif len(character.favored_fields) < most and character.player:
        message = f"{most - len(character.favored_fields)} favored fields are left to choose"
        yield Problem("fs-favored-field", "favored_fields", message, warning=True)
    known = {each for field in character.fields for each in (field.title, field.field, *field.specializations)}
    for place, name in enumerate(character.favored_fields[:most]):
        if name not in known:
            drop = _without("favored_fields", character.favored_fields, place)
            yield Problem("fs-favored-field", f"favored_fields.{place}", f"{short(name)} is favored and not known", repair=drop)


def _sold(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    free = [row.skill for row in SKILLS(rules).values() if row.free] + list(package_skills(rules, whole))
    package = package_of(rules, whole)
    fields = [*package.fields, *package.basic] if package else []
    for place, name in enumerate(character.sold):
        drop = _without("sold", character.sold, place)
        if name in free and name not in character.sold[:place]:
            continue
        if name in fields:
            fields.remove(name)
            continue
        yield Problem("fs-sell-free-skills", f"sold.{place}", f"{short(name)} did not come free and cannot be sold", repair=drop)


# --- wealth and gear ----------------------------------------------------------------------------------------------------------


def worth_of(rules: Ruleset, whole: Character) -> Derived[int]:
    """What a character owns in all: the campaign's usual level, the background's steps and those bought."""
    steps = _steps(rules, whole)
    return worth(rules, whole.base_wealth, max(-len(WEALTH(rules)), min(20, steps)))


def _steps(rules: Ruleset, whole: Character) -> int:
    born = sum([FACTORS(rules)[own.factor].wealth for own in whole.background if own.factor in FACTORS(rules)])
    later = sum([isinstance(entry, Purchase) and entry.buy == "wealth" and entry.done for entry in whole.experience])
    return born + whole.wealth + later


def _wealth(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    place = list(WEALTH(rules)).index(whole.base_wealth) if whole.base_wealth in WEALTH(rules) else 0
    lowest = place + _steps(rules, whole)
    if character.wealth < 0 and lowest < 0:
        to = min(0, character.wealth - lowest)
        message = f"wealth {character.wealth:+}: nobody is poorer than the lowest level"
        yield Problem("fs-wealth", "wealth", message, -lowest, Repair(f"write {to}", "wealth", to))
    elif character.wealth > MOST_WEALTH:
        message = f"wealth {character.wealth:+} is beyond all measure"
        yield Problem("fs-wealth", "wealth", message, character.wealth - MOST_WEALTH, Repair(f"write {MOST_WEALTH}", "wealth", MOST_WEALTH))


class _Item(NamedTuple):
    """Something owned: where it stands, its price and technology level, or why it cannot be."""

    part: str
    place: int
    name: str
    cost: float
    tl: float
    rule: str
    wrong: str = ""


def _items(rules: Ruleset, gear: Gear) -> Iterator[_Item]:
    for place, arm in enumerate(gear.ranged):
        try:
            found = gun(rules, arm)
            yield _Item("ranged", place, arm.weapon, found.cost, found.tl, "fs-ranged-weapons")
        except Wrong as error:
            yield _Item("ranged", place, arm.weapon, 0, 0, "fs-ranged-weapons", str(error))
    for place, arm in enumerate(gear.melee):
        try:
            held = blade(rules, arm)
            yield _Item("melee", place, arm.weapon, held.cost, held.tl, "fs-melee-weapons")
        except Wrong as error:
            yield _Item("melee", place, arm.weapon, 0, 0, "fs-melee-weapons", str(error))
    for place, worn in enumerate(gear.armor):
        try:
            cost = armor_cost(rules, worn.armor, worn.piece).value
            yield _Item("armor", place, f"{worn.armor} {worn.piece}", cost, ARMOR(rules)[worn.armor].tl, "fs-armor-list")
        except Wrong as error:
            yield _Item("armor", place, worn.armor, 0, 0, "fs-armor-list", str(error))
    for place, thing in enumerate(gear.things):
        wrong = "" if thing.cost >= 0 and thing.kg >= 0 and isfinite(thing.cost) and isfinite(thing.kg) else "less than nothing"
        yield _Item("things", place, thing.name, 0 if wrong else thing.cost, 0, "fs-item-characteristics", wrong)


@rule("fs-wealth")
def gear_cost(rules: Ruleset, gear: Gear) -> Derived[float]:
    """What everything owned costs in svu, modifications worked in."""
    terms = [Reason(item.name, item.cost, "+", item.rule) for item in _items(rules, gear) if item.cost]
    if gear.exoskeleton and gear.exoskeleton in EXOSKELETONS(rules):
        terms.append(Reason(gear.exoskeleton, EXOSKELETONS(rules)[gear.exoskeleton].cost, "+", "fs-exoskeletons"))
    return derive(sum([float(each.value) for each in terms]), "svu", *terms, rule="fs-wealth")


def _gear(rules: Ruleset, character: Character) -> Iterator[Problem]:
    gear, items = character.gear, list(_items(rules, character.gear))
    for item in items:
        field = f"gear.{item.part}.{item.place}"
        entries = getattr(gear, item.part)
        if item.wrong:
            repair = _without(f"gear.{item.part}", entries, item.place)
            known = RANGED_WEAPONS(rules) if item.part == "ranged" else MELEE_WEAPONS(rules) if item.part == "melee" else None
            near = near_to(item.name, tuple(known)) if known is not None and item.name not in known else None
            if near:
                repair = Repair(f"write {near}", f"{field}.weapon", near)
            elif known is not None and item.name in known:
                plain = replace(entries[item.place], modifications=(), improved=(), worsened=(), ammunition="", grip="", metal=False)
                repair = Repair("leave it as it is listed", field, _plain(plain))
            yield Problem(item.rule, field, f"{short(item.name)}: {short(item.wrong, 120)}", repair=repair)
        elif character.tl is not None and item.tl > character.tl:
            message = f"{item.name} belongs to TL{item.tl:g} and the setting to TL{character.tl:g}"
            yield Problem("fs-technology-levels", field, message, warning=True)
    if gear.exoskeleton and gear.exoskeleton not in EXOSKELETONS(rules):
        message = f"there is no exoskeleton {short(gear.exoskeleton)!r}"
        yield Problem("fs-exoskeletons", "gear.exoskeleton", message, repair=Repair("leave it out", "gear.exoskeleton", None))
    allowed, cost = worth_of(rules, sound(rules, character)).value, gear_cost(rules, gear).value
    if cost > allowed:
        dear = max(items, key=lambda item: item.cost, default=None)
        worn = EXOSKELETONS(rules).get(gear.exoskeleton or "")
        frame = worn.cost if worn else 0
        if dear is None or frame >= dear.cost:
            repair = Repair(f"do without the {gear.exoskeleton}", "gear.exoskeleton", None)
        else:
            enough = [item for item in items if item.cost >= cost - allowed]
            one = min(enough, key=lambda item: item.cost) if enough else dear
            text = f"do without the {short(one.name)} ({one.cost:g} svu)"
            repair = _without(f"gear.{one.part}", getattr(gear, one.part), one.place, text)
        message = f"everything owned costs {min(cost, 1e15):.0f} svu, and wealth is {allowed}"
        yield Problem("fs-wealth", "gear", message, int(min(cost - allowed, 1e15)), repair)


def _injuries(character: Character) -> Iterator[Problem]:
    hurt = character.injuries
    for name in ("wounds", "worst", "bandaged"):
        number = getattr(hurt, name) or 0
        if number < 0:
            field = f"injuries.{name}"
            yield Problem("fs-wound-levels", field, f"{name} cannot be {number}", -number, Repair("write 0", field, 0))


# --- points -------------------------------------------------------------------------------------------------------------------


class _Saving(NamedTuple):
    """A way to save points: fewest surplus points first, then what hurts least."""

    points: int
    hurts: int
    repair: Repair


def _points(rules: Ruleset, character: Character, whole: Character, books: dict[str, Account]) -> Iterator[Problem]:
    for kind, account in books.items():
        if account.left < 0:
            ways = _general_ways(rules, character, whole) if kind == "general" else _education_ways(rules, character, whole)
            message = f"{account.spent} of {account.given.value} {kind} points spent"
            where = "skills" if kind == "general" else "fields"
            yield Problem("fs-spending-cps", where, message, -account.left, _cheapest(list(ways), -account.left))
        elif account.left > 0 and character.player:
            message = f"{account.left} of {account.given.value} {kind} points are left to spend"
            yield Problem("fs-spending-cps", "skills" if kind == "general" else "fields", message, warning=True)


def _cheapest(ways: list[_Saving], over: int) -> Repair:
    """The one change that saves what is over and as little more as possible, or else the one that saves the most."""
    enough = [way for way in ways if way.points >= over]
    if enough:
        return min(enough, key=lambda way: (way.points, way.hurts)).repair
    if ways:
        return max(ways, key=lambda way: (way.points, -way.hurts)).repair
    return Repair("put right first what takes points away")


def _general_ways(rules: Ruleset, character: Character, whole: Character) -> Iterator[_Saving]:
    free = set(free_skills(rules, whole))
    for skill, level in whole.skills.items():
        start = 0 if skill in free else None
        now = skill_price(rules, skill, level, start).value
        for lower in range(level - 1, -1, -1):
            saved = now - skill_price(rules, skill, lower, start).value
            put = _put("skills", character.skills, skill, lower)
            yield _Saving(saved, 1, Repair(f"lower {skill} from {level} to {lower} ({saved} points)", *put))
        if now:
            yield _Saving(now, 3, _less("skills", character.skills, skill, f"give up {skill} ({now} points)"))
    base = inherent(rules, replace(whole, experience=()))
    for name, value in whole.trained.items():
        low = base[name].value
        for lower in range(min(value, low + MOST_TRAINING) - 1, low - 1, -1):
            high = min(value, low + MOST_TRAINING)
            saved = attribute_price(rules, low, high, lower).value
            yield _Saving(saved, 2, Repair(f"train {name} to {lower} only ({saved} points)", f"trained.{name}", lower))
    yield from _place_ways(rules, character, whole)
    for place, _ in enumerate(character.familiarities):
        saved = _item(rules, whole, f"familiarities.{place}")
        yield _Saving(saved, 2, _without("familiarities", character.familiarities, place, f"drop a familiarity ({saved} points)"))
    if extra_favors(rules, whole):
        saved = price(rules, "favored weapon class")
        repair = _without(
            "favored_weapons", character.favored_weapons, len(character.favored_weapons) - 1, f"favor one less ({saved} points)"
        )
        yield _Saving(saved, 2, repair)
    for place, trait in enumerate(character.traits):
        saved = _item(rules, whole, f"traits.{place}")
        if saved:
            yield _Saving(saved, 2, _without("traits", character.traits, place, f"do without {trait.modifier} ({saved} points)"))
    if character.handed == "both":
        yield _Saving(price(rules, "ambidexterity"), 2, Repair("be right-handed", "handed", "right"))
    if character.wealth > 0:
        each = price(rules, "wealth up")
        for less in range(1, min(character.wealth, MOST_WEALTH) + 1):
            to = character.wealth - less
            yield _Saving(each * less, 2, Repair(f"buy {to} levels of wealth", "wealth", to))
    if character.exchanged > 0:
        yield _Saving(character.exchanged, 4, Repair("exchange nothing", "exchanged", 0))
    for place, known in enumerate(whole.fields):
        saved = _item(rules, whole, f"fields.{place}")
        if saved and known.travels:
            where = character.fields.index(known)
            yield _Saving(saved, 2, _without("fields", character.fields, where, f"do without {short(known.title)}"))


def _item(rules: Ruleset, whole: Character, field: str) -> int:
    """What stands in a field cost in general points."""
    from rulewright.systems.foresight.creation import general_bill

    return sum([item.points for item in general_bill(rules, whole) if item.field == field])


def _place_ways(rules: Ruleset, character: Character, whole: Character) -> Iterator[_Saving]:
    package = package_of(rules, whole)
    placed = package.environments if package else {}
    for part, given, each in (
        ("environments", placed, price(rules, "environment familiarity")),
        ("gravities", free_gravities(rules, whole), price(rules, "gravity familiarity")),
    ):
        values: dict[str, int] = getattr(character, part)
        table = ENVIRONMENTS(rules) if part == "environments" else GRAVITIES(rules)
        for name, value in values.items():
            if name not in table:
                continue
            for lower in range(min(value, MOST_FAMILIAR) - 1, max(0, given.get(name, 0)) - 1, -1):
                saved = each * (min(value, MOST_FAMILIAR) - lower)
                yield _Saving(saved, 1, Repair(f"lower {name} to {lower} ({saved} points)", *_put(part, values, name, lower)))


def _education_ways(rules: Ruleset, character: Character, whole: Character) -> Iterator[_Saving]:
    for place, known in enumerate(character.fields):
        row = FIELDS(rules).get(known.field)
        if row is None or known.travels:
            continue
        if known.specializations and row.specialization:
            keep, saved = list(known.specializations[:-1]), row.specialization
            text = f"drop {short(known.specializations[-1])} ({saved} points)"
            yield _Saving(saved, 1, Repair(text, f"fields.{place}.specializations", keep))
        if known.free:
            continue
        whole_price = known_price(rules, whole, replace(known, specializations=()))
        if known.level == "standard" and row.basic is not None and not known.specializations:
            saved = whole_price - known_price(rules, whole, replace(known, level="basic", specializations=()))
            text = f"know {short(known.title)} at basic ({saved} points)"
            yield _Saving(saved, 2, Repair(text, f"fields.{place}.level", "basic"))
        number = len(known.specializations) * (row.specialization or 0)
        text = f"do without {short(known.title)} ({whole_price + number} points)"
        yield _Saving(whole_price + number, 3, _without("fields", character.fields, place, text))
    if character.exchanged < 0:
        yield _Saving(-character.exchanged, 4, Repair("exchange nothing", "exchanged", 0))


# --- the log ------------------------------------------------------------------------------------------------------------------


def _log(character: Character, log: Standing) -> Iterator[Problem]:
    """Replay the log; every entry is held against what stands at that moment."""
    for place, entry in enumerate(character.experience):
        for fault in log.take(entry):
            field = f"experience.{place}"
            if fault.field:
                repair = Repair(fault.repair, f"{field}.{fault.field}", fault.value)
            else:
                repair = _without("experience", character.experience, place, fault.repair)
            where = f"{field}.{fault.field}" if fault.field else field
            yield Problem(
                fault.rule, where, fault.message, fault.over, None if fault.warning and not fault.field else repair, fault.warning
            )
