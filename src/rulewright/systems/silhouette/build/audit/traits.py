"""Audit of Perks and Flaws: names, contradictions, limits and age."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, amiss, field_of, near_to, short, signed, with_key, without_place
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.build.audit.points import counted_flaws
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.people.traits import (
    FLAW_PRICES,
    PERK_PRICES,
    Kind,
    Trait,
    age_limits,
    contradictions,
    contradictory_flaws,
    fault,
    most_flaw_points,
    most_traits,
)


def traits(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields problems of single Perks and Flaws, then of all together."""
    yield from _list(rules, "perk", character.perks, "perks")
    yield from _list(rules, "flaw", character.flaws, "flaws")
    perks, flaws = msgspec.to_builtins(character.perks), msgspec.to_builtins(character.flaws)
    for text, other in contradictions(rules, character.perks, character.flaws)[:MOST_REPAIRS]:
        place = next(i for i, perk in enumerate(character.perks) if text in (perk.name, perk.label()))
        repair = Repair(f"remove {text}", *without_place("perks", perks, place))
        yield Problem("sil-2.4-perks-flaws-rules", f"perks.{place}", f"{text} and {other} contradict each other", repair=repair)
    for text, other in contradictory_flaws(rules, character.flaws)[:MOST_REPAIRS]:
        place = max(i for i, flaw in enumerate(character.flaws) if flaw.name in (text, other))
        repair = Repair(f"remove {character.flaws[place].name}", *without_place("flaws", flaws, place))
        yield Problem("sil-2.4-perks-flaws-rules", f"flaws.{place}", f"{text} and {other} contradict each other", repair=repair)
    most = most_traits(rules)
    for part, owned, plain in (("perks", character.perks, perks), ("flaws", character.flaws, flaws)):
        if most is not None and len(owned) > most:
            message = f"{len(owned)} {part.capitalize()}, but each character may have only {most}"
            repair = Repair(f"remove {owned[-1].name}", *without_place(part, plain, len(owned) - 1))
            yield Problem("sil-2.4-min-max-limit", part, message, len(owned) - most, repair)
    yield from _flaw_points(rules, character, flaws)
    yield from _age(rules, character)


def _list(rules: Ruleset, kind: Kind, owned: tuple[Trait, ...], part: str) -> Iterator[Problem]:
    table = PERK_PRICES if kind == "perk" else FLAW_PRICES
    rows, plain = dict(table(rules)), msgspec.to_builtins(owned)
    seen: set[tuple[str, str, str]] = set()
    for place, trait in enumerate(owned):
        field, row = f"{part}.{place}", rows.get(trait.name)
        out = Repair("leave it out", *without_place(part, plain, place, place))
        if row is None:
            near = near_to(trait.name, rows) if place < MOST_REPAIRS else None
            repair = Repair(f"write {near}", f"{field}.name", near) if near else out
            yield Problem(table.rule, f"{field}.name", f"there is no {kind.capitalize()} {short(trait.name)!r}", repair=repair)
            continue
        wrong = fault(row, trait)
        if wrong is not None:
            which, why, right = wrong
            mended = f"write {right}" if right != "" else "leave it out"
            yield amiss(table.rule, f"{field}.{which}", f"{trait.name.capitalize()} {why}", 0, mended, right)
        same = (trait.name, trait.variant, trait.about) if row.each else (trait.name, "", "")
        if same in seen:
            yield Problem(table.rule, field, f"{trait.label().capitalize()} is listed twice", repair=out)
        seen.add(same)


def _flaw_points(rules: Ruleset, character: Character, flaws: Sequence[Any]) -> Iterator[Problem]:
    how, most = rules.word("flaw-limit"), most_flaw_points(rules)
    points = sum(counted_flaws(rules, character.flaws))
    if points > most and how != "none":
        message = f"{count(points, 'point')} of Flaws; the {'recommended ' if how == 'advice' else ''}limit is {most}"
        repair = Repair(f"remove {character.flaws[-1].name}", *without_place("flaws", flaws, len(flaws) - 1))
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
                message = f"{name.capitalize()} {signed(value)}: {flaw.variant} characters have at most {signed(most)}"
                yield amiss("sil-c-flaws", f"attributes.{name}", message, value - most, f"lower it to {signed(most)}", most)


def _too_skilled(character: Character, most: int) -> Iterator[Problem]:
    parts: tuple[tuple[str, Mapping[str, int]], ...] = (("skills", character.skills), ("complexity", character.complexity))
    for part, values in parts:
        for skill, value in values.items():
            if value > most:
                what = "level" if part == "skills" else "Complexity"
                message = f"{short(skill).capitalize()}: young characters have no {what} above {most}"
                repair = Repair(f"lower it to {most}", *with_key(part, values, skill, most))
                yield Problem("sil-c-flaws", field_of(part, skill), message, value - most, repair)
