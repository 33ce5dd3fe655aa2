"""Background factors and character modifiers: what they give and require, and how many are allowed."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.audit import Problem, Repair, near_to, short
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.foresight.build.audit.repairs import drop_place
from rulewright.systems.foresight.people.backgrounds import FACTORS, MODIFIERS, STARTING_MERIT, FactorRow
from rulewright.systems.foresight.people.characters import Background, Character, Trait, inherent, species_of
from rulewright.systems.foresight.people.creation import (
    FACTOR,
    PICK,
    ages,
    capped,
    grown_up,
    insight_barred,
    is_custom,
    sound,
)
from rulewright.systems.foresight.people.skills import SKILLS, split_name


def background(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Background factors one by one, then all together."""
    rule_id, seen = "fs-background-factors", set[str]()
    for place, own in enumerate(character.background):
        row, field = FACTORS(rules).get(own.factor), f"background.{place}"
        drop = drop_place("background", character.background, place)
        if row is None:
            yield from _own_factor(rules, character, place)
        elif is_custom(own):
            plain = msgspec.to_builtins(replace(own, general=None, education=None))
            message = f"{own.factor} is on the list and has no points of its own"
            yield Problem(rule_id, field, message, repair=Repair("take its own points out", field, plain))
        elif row.once and own.factor in seen:
            yield Problem(rule_id, field, f"{own.factor} can be taken once only", repair=drop)
        else:
            yield from _shared_out(own, row, field)
            yield from _needed(rules, character, own, row, field=field, drop=drop)
        for skill in own.insights:
            barred = insight_barred(rules, character, skill)
            if barred and row is not None and f"insight: {skill}" in row.choices:
                keep = [insight for insight in own.insights if insight != skill]
                message = f"no unique insight into {skill} yet: {barred}"
                yield Problem(
                    "fs-character-modifiers", f"{field}.insights", message, repair=Repair("leave it out", f"{field}.insights", keep)
                )
        most = STARTING_MERIT.of(rules, "inside, at most")
        if not 0 <= own.merit <= most:
            to = max(0, min(most, own.merit))
            message = f"{short(own.called or own.factor)} cannot give {own.merit} merit points"
            yield Problem("fs-merit-points", f"{field}.merit", message, abs(own.merit - to), Repair(f"write {to}", f"{field}.merit", to))
        seen.add(own.factor)
    for number, merit in enumerate(character.merit):
        for other, percent in merit.counts.items():
            if not 0 <= percent <= 100:
                field, to = f"merit.{number}.counts", max(0, min(100, percent))
                counts = {**merit.counts, other: to}
                message = f"{short(merit.organization)} counts {percent} percent of the merit in {short(other)}"
                yield Problem("fs-merit-points", field, message, abs(percent - to), Repair(f"write {to}", field, counts))
    yield from _count(rules, character)
    yield from _cap(rules, character)
    yield from _age(rules, character)


def _own_factor(rules: Ruleset, character: Character, place: int) -> Iterator[Problem]:
    own, field, rule_id = character.background[place], f"background.{place}", "fs-custom-background-factor"
    drop = drop_place("background", character.background, place)
    if not is_custom(own):
        near = near_to(own.factor, tuple(FACTORS(rules)))
        repair = Repair(f"write {near}", f"{field}.factor", near) if near else drop
        yield Problem("fs-background-factors", field, f"there is no background factor {short(own.factor)!r}", repair=repair)
        return
    if not rules.on("custom-background-factors"):
        message = f"{short(own.factor)}: custom background factors need the setting custom-background-factors"
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
    inner, worth = FACTOR.of(rules, "an inherent point") * sum(own.inherent.values()), FACTOR.of(rules, "worth")
    total = sum(given.values()) + inner
    if total > worth:
        over = total - worth
        part = max(given, key=lambda text: given[text])
        to = max(0, given[part] - over)
        repair = Repair(f"give {to} {part} points", f"{field}.{part}", to) if given[part] > 0 else drop
        yield Problem(rule_id, field, f"{short(own.factor)} is worth {total} of {worth} points", over, repair)


def _fitting(own: Background, row: FactorRow) -> Background:
    """The same factor with no more inherent points and insights than it gives."""
    result: dict[Any, int] = {}
    if row.picks:
        picks = row.picks
        for name, points in own.inherent.items():
            if name in row.choices and points >= PICK and picks:
                result[name], picks = PICK, picks - 1
        insights = [skill for skill in dict.fromkeys(own.insights) if f"insight: {skill}" in row.choices][:picks]
        return replace(own, inherent=result, insights=tuple(insights))
    left = row.inherent
    for name, points in own.inherent.items():
        if points > 0 and left and (not row.among or name in row.among):
            result[name] = min(points, left)
            left -= result[name]
    return replace(own, inherent=result, insights=())


def _shared_out(own: Background, row: FactorRow, field: str) -> Iterator[Problem]:
    """The inherent points and picks of a factor."""
    given = PICK * row.picks if row.picks else row.inherent
    total = sum(own.inherent.values()) + PICK * len(own.insights)
    fit = _fitting(own, row)
    if fit.inherent != own.inherent or fit.insights != own.insights:
        what = f"{row.picks} of {', '.join(row.choices)}" if row.picks else f"{row.inherent} points for {', '.join(row.among) or 'any'}"
        message = f"{own.factor} gives {what if given else 'no inherent points'}"
        yield Problem(
            "fs-background-factors", field, message, max(0, total - given), Repair("take what it gives", field, msgspec.to_builtins(fit))
        )
    elif total < given:
        message = f"{own.factor}: {count(given - total, 'inherent point')} unplaced"
        yield Problem("fs-background-factors", f"{field}.inherent", message, warning=True)


def _needed(rules: Ruleset, character: Character, own: Background, row: FactorRow, *, field: str, drop: Repair) -> Iterator[Problem]:
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
        repair = drop_place("background", character.background, len(character.background) - 1, "leave out the last")
        yield Problem("fs-character-competence", "background", message, number - whole.factors, repair)
    elif number < whole.factors and character.player:
        message = f"{count(whole.factors - number, 'background factor')} not chosen yet"
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
            left = {result: value for result, value in {**own, name: max(0, points - over)}.items() if value}
            repair = Repair("place fewer there", f"background.{place}.inherent", left)
        yield Problem("fs-attribute-points", f"background.{place}.inherent.{name}", message, over, repair)


def _age(rules: Ruleset, character: Character) -> Iterator[Problem]:
    if character.age is None:
        return
    likely = ages(rules, grown_up(rules, character))
    if character.age < likely.youngest:
        message = f"{character.age} is young for this background: {likely.youngest} to {likely.oldest} is likely"
        yield Problem("fs-background-duration", "age", message, 0, Repair(f"be {likely.youngest}", "age", likely.youngest), warning=True)


def traits(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Character modifiers: known, had once, and paid for."""
    rule_id, seen = "fs-character-modifiers", {f"Unique Insight {skill}" for own in character.background for skill in own.insights}
    for place, trait in enumerate(character.traits):
        field, row = f"traits.{place}", MODIFIERS(rules).get(trait.modifier)
        drop = drop_place("traits", character.traits, place)
        if row is None:
            near = near_to(trait.modifier, tuple(MODIFIERS(rules)))
            repair = Repair(f"write {near}", f"{field}.modifier", near) if near else drop
            yield Problem(rule_id, field, f"there is no character modifier {short(trait.modifier)!r}", repair=repair)
            continue
        key = f"{trait.modifier} {trait.skill}" if trait.modifier == "Unique Insight" else trait.modifier
        if key in seen and not row.repeatable:
            yield Problem(rule_id, field, f"{key.strip()} can be had once only", repair=drop)
            continue
        if row.one_of and row.one_of in seen:
            yield Problem(rule_id, field, f"a character has at most one {row.one_of}: {trait.modifier} is the second", repair=drop)
            continue
        seen |= {key, row.one_of} - {""}
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
            message = f"{trait.modifier} changes only the attributes listed in its table"
            yield Problem(rule_id, f"{field}.inherent", message, repair=Repair("leave it out", f"{field}.inherent", {}))


def _gift(rules: Ruleset, whole: Character, trait: Trait) -> str:
    """Why a unique gift is not one; empty where it is."""
    gift = MODIFIERS.get(rules, trait.modifier)
    up = {name: points for name, points in trait.inherent.items() if points > 0}
    down = {name: points for name, points in trait.inherent.items() if points < 0}
    if bool(up) == bool(trait.skills):
        return "it is either for skills or for one attribute"
    if trait.skills:
        rows = [SKILLS(rules).get(split_name(skill)[0]) for skill in trait.skills]
        listed = [row for row in rows if row is not None]
        if len(listed) < len(rows):
            return "it names a skill that is not on the list"
        if sum([row.cost for row in listed]) > gift.skill_cost:
            return f"its skills cost more than {gift.skill_cost} together"
        if not set.intersection(*[set(row.attributes) for row in listed]):
            return "its skills share no attribute"
    elif len(up) > 1 or sum(up.values()) != PICK:
        return f"it gives +{PICK} to one inherent attribute"
    else:
        name = next(iter(up))
        others = replace(whole, traits=tuple([candidate for candidate in whole.traits if candidate is not trait]), experience=())
        before = inherent(rules, others)[name].value
        if before < species_of(rules, whole).ranges[name][1] - 1:
            return f"inherent {name} is {before} before it, not next to the end of its range"
    if not down and not trait.deficit.strip():
        return "it is not paid for with a deficit"
    if down and (len(down) > 1 or sum(down.values()) != gift.deficit):
        return f"the deficit is {gift.deficit} to one other attribute"
    return ""
