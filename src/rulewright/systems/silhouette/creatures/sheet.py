"""Sheets of creatures and races."""

from collections.abc import Iterator
from typing import Any

from rulewright.build.audit import signed
from rulewright.build.sheet_parts import AnyPiece, Choosable, Modifier, Rows, Section, Sheet, Stepper, Tag, Test, Track, Value
from rulewright.errors import UserError
from rulewright.highest_die.notation import spell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.creatures.audit import audit_race
from rulewright.systems.silhouette.creatures.creatures import (
    ATTRIBUTES,
    HEAVIEST,
    LIGHTEST,
    Creature,
    bulk_of,
    natural_damage,
    running_speed,
    size_defense,
    traits_of,
    walking_speed,
)
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.people.characters import HIGHEST_LEVEL, Person, limits, skill_test
from rulewright.systems.silhouette.people.races import ABILITIES, Race, shift_points, shifted_range, template_cost
from rulewright.systems.silhouette.people.secondary_attributes import attribute_test
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, attribute_pool

NAMES = {
    "strength": "Strength",
    "health": "Health",
    "stamina": "Stamina",
    "unarmed_damage": "Unarmed Damage",
    "flesh_wound_threshold": "Flesh Wound Threshold",
    "deep_wound_threshold": "Deep Wound Threshold",
    "instant_death_threshold": "Instant Death Threshold",
    "system_shock": "System Shock",
}
MOST_BOXES = 60


def creature_sheet(rules: Ruleset, creature: Creature) -> Sheet:
    """Returns the sheet of a creature."""
    sections = (
        Section("Attributes", tuple(_attributes(creature))),
        Section("Derived", tuple(_derived(rules, creature))),
        Section("Condition", tuple(_condition(rules, creature))),
        Section("Tests", tuple(_tests(rules, creature))),
        Section("Attacks", tuple(_attacks(rules, creature))),
        Section("Skills", tuple(_skills(creature))),
        Section("Swarm", tuple(_swarm(creature))),
    )
    return Sheet("silhouette", "creature", creature.name, creature.concept, tuple(part for part in sections if part.pieces))


def _value(key: str, name: str, derived: Derived[Any], is_signed: bool = False) -> Value:
    return Value(key=key, name=name, value=derived.value, reasons=(derived.reason,), rule=derived.reason.rule, signed=is_signed)


def _attributes(creature: Creature) -> Iterator[AnyPiece]:
    for name in ATTRIBUTES:
        low, high = (LIGHTEST, HEAVIEST) if name == "build" else (-5, 15)
        value = creature.attributes.get(name, 0)
        yield Stepper(
            name=name.capitalize(),
            rule="sil-6.1-creature-scope",
            field=f"attributes.{name}",
            value=value,
            low=min(low, value),
            high=max(high, value),
            signed=True,
        )


def _derived(rules: Ruleset, creature: Creature) -> Iterator[AnyPiece]:
    for key, derived in traits_of(rules, creature).items():
        yield _value(key, NAMES[key], derived, key in ("strength", "health"))
    fit, agi, build = creature.attribute("fitness"), creature.attribute("agility"), creature.attribute("build")
    run = running_speed(fit, agi, build, creature.skills.get("athletics", 0))
    for mode in creature.moves or ("run",):
        yield _value(mode, f"{mode.capitalize()}, metres per round", run)
    yield _value("walk", "Walk, metres per round", walking_speed(run.value))
    yield _value("size_defense", "Size, defense modifier", size_defense(build), True)
    if build >= LIGHTEST:
        yield Tag(name="bulk", rule="sil-6.1.1-size-comparison", effect=bulk_of(rules, build))
    if creature.armor > 0:
        yield Tag(name="hide", rule="sil-6.1.4-natural-armor", effect=f"+{creature.armor} to each threshold")


def _condition(rules: Ruleset, creature: Creature) -> Iterator[AnyPiece]:
    if creature.swarm is not None:
        return
    shock = min(MOST_BOXES, traits_of(rules, creature)["system_shock"].value)
    hurt = creature.injuries
    marks = ["deep"] * (2 * max(0, hurt.deep)) + ["flesh"] * max(0, hurt.flesh)
    yield Track(name="System Shock", rule="sil-2.3.3-system-shock", boxes=shock, marks=tuple(marks[:shock]))
    penalty = _penalty(rules, creature)
    if penalty:
        yield Tag(name="wounded", rule="sil-3.5.2-action-penalties", effect=f"{penalty:+} on every test", hurt=True)


def _penalty(rules: Ruleset, creature: Creature) -> int:
    hurt = creature.injuries
    return Patient(flesh=max(0, hurt.flesh), deep=max(0, hurt.deep)).under(rules).injury_penalty


def _chips(rules: Ruleset, creature: Creature) -> tuple[Modifier, ...]:
    penalty = _penalty(rules, creature)
    return (Modifier("wounds", penalty, "sil-3.5.2-action-penalties", on=True),) if penalty else ()


def _test(key: str, name: str, pool: Pool, rule: str, *, chips: tuple[Modifier, ...], against: str = "") -> Test:
    parts = tuple([Modifier(mod.label, mod.value, mod.rule, on=True) for mod in pool.mods])
    return Test(key=key, name=name, rule=rule, notation=spell(pool), parts=parts, modifiers=chips, against=against)


def _tests(rules: Ruleset, creature: Creature) -> Iterator[AnyPiece]:
    if creature.swarm is not None:
        return
    chips, person = _chips(rules, creature), creature.as_person(rules)
    instinct = attribute_pool(rules, creature.attribute("instinct"), "Instinct")
    yield _test("instinct", "Instinct", instinct, "sil-6.1.1-instinct-test", chips=chips, against="4")
    yield _test("health_test", "Health", attribute_test(rules, person, "health"), "sil-1.2.4-attribute-test", chips=chips)
    for skill in creature.skills:
        pool = _skill_pool(rules, person, skill, creature)
        if pool is not None:
            yield _test(f"skills.{skill}", skill.capitalize(), pool, "sil-1.2.4-skill-test", chips=chips)
    if creature.riding:
        effect = f"{signed(creature.riding)} on the rider's tests"
        yield Tag(name="mount", rule="sil-6.1.3-riding-modifier", effect=effect)


def _skill_pool(rules: Ruleset, person: Person, skill: str, creature: Creature) -> Pool | None:
    try:
        pool = skill_test(rules, person, skill)
    except UserError:  # a skill that nobody knows is the audit's
        return None
    if skill == "defense":
        return pool.plus(Mod("size", size_defense(creature.attribute("build")).value, "sil-6.1.3-creature-skills"))
    return pool


def _attacks(rules: Ruleset, creature: Creature) -> Iterator[AnyPiece]:
    unarmed = traits_of(rules, creature)["unarmed_damage"].value
    for place, weapon in enumerate(creature.weapons):
        made = natural_damage(unarmed, weapon, creature.attribute("build"))
        yield _value(f"weapon_{place}", f"{weapon.name.capitalize()}, damage ×", made)


def _skills(creature: Creature) -> Iterator[AnyPiece]:
    for skill, level in creature.skills.items():
        yield Stepper(
            name=skill.capitalize(),
            rule="sil-6.1.3-creature-skills",
            field=f"skills.{skill}",
            value=level,
            low=min(0, level),
            high=max(HIGHEST_LEVEL, level),
        )


def _swarm(creature: Creature) -> Iterator[AnyPiece]:
    if creature.swarm is None:
        return
    named = {"aggressiveness": "Aggressiveness", "damage": "Damage/Round", "threshold": "Damage Threshold", "swarms": "Swarms"}
    for field, name in named.items():
        value = getattr(creature.swarm, field)
        yield Stepper(name=name, rule="sil-6.1.5-swarm-attack", field=f"swarm.{field}", value=value, low=min(1, value), high=max(60, value))


# --- races --------------------------------------------------------------------------------------------------------------------


def race_sheet(rules: Ruleset, race: Race) -> Sheet:
    """Returns the sheet of a race."""
    sections = (
        Section("Template", tuple(_template(rules, race))),
        Section("Ranges", tuple(_ranges(rules, race))),
        Section("Abilities", tuple(_abilities(rules, race))),
        Section("Perks and Flaws", tuple(_traits(race))),
    )
    return Sheet("silhouette", "race", race.name, race.concept, tuple(part for part in sections if part.pieces))


def _template(rules: Ruleset, race: Race) -> Iterator[AnyPiece]:
    yield from audit_race(rules, race).budgets
    try:
        yield _value("template_cost", "Character Points of the template", template_cost(rules, race), True)
    except UserError:
        return
    yield _value("moved", "Skill Points that become Character Points", shift_points(race.shifts), True)


def _ranges(rules: Ruleset, race: Race) -> Iterator[AnyPiece]:
    for name, shift in race.shifts.items():
        low, high = shifted_range(*limits(rules, name), shift)
        note = f"{signed(low)} to {signed(high)}"
        yield Stepper(
            name=name.capitalize(),
            rule="sil-6.2.1-attribute-shift",
            note=note,
            field=f"shifts.{name}",
            value=shift,
            low=min(-15, shift),
            high=max(15, shift),
            signed=True,
        )


def _abilities(rules: Ruleset, race: Race) -> Iterator[AnyPiece]:
    known = ABILITIES(rules)
    rows = tuple(
        [
            (candidate.name, candidate.about, f"{known[candidate.name].cost:+} CP" if candidate.name in known else "?")
            for candidate in race.abilities
        ]
    )
    addable = tuple([Choosable(row.ability, row.ability, f"{row.cost:+} CP", source=row.source) for row in known.values()])
    keys = tuple([str(place) for place in range(len(rows))])
    if rows:
        heads = ("ability", "about", "cost")
        yield Rows(
            name="Abilities", rule="sil-6.2.2-special-abilities", field="abilities", heads=heads, rows=rows, keys=keys, addable=addable
        )


def _traits(race: Race) -> Iterator[AnyPiece]:
    for kind, traits in (("all members", (*race.perks, *race.flaws)), ("most members", race.common)):
        for trait in traits:
            yield Tag(name=trait.label(), rule="sil-6.2.1-racial-perks", effect=kind)
