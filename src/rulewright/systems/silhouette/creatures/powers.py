"""Powers and spells designed as systems: prices and audit (book lines 5456, 7169-7171)."""

from collections.abc import Iterator

import msgspec

from rulewright.build.audit import Problem, Repair, field_of, short, without_key, without_place
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.machines.design.systems import version_cost
from rulewright.systems.silhouette.machines.vehicle import Mode
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.powers import Power
from rulewright.systems.silhouette.people.races import Race

_POWERS, _SPELLS = "sil-6.2.2-special-powers", "sil-7.5.7-magic-spells"


def as_system(power: Power) -> Mode:
    """Returns a power or spell as a system."""
    fields = {name: getattr(power, name) for name in Power.__struct_fields__ if name != "cost"}
    try:
        return msgspec.convert(fields, Mode)
    except msgspec.ValidationError as error:
        raise UserError(str(error).partition(" - at")[0]) from None


@rule(_POWERS, _SPELLS)
def design_cost(rules: Ruleset, power: Power) -> Derived[int]:
    """Returns the price of the system behind a power (Character Points of a race) or spell (Spell Points)."""
    return version_cost(rules, as_system(power))


def _price(rules: Ruleset, power: Power) -> tuple[int | None, str]:
    """Returns the price of a design, or why it has none."""
    try:
        return int(design_cost(rules, power).value), ""
    except (UserError, KeyError) as error:
        return None, str(error)


def design_problems(rules: Ruleset, race: Race, before: str) -> Iterator[Problem]:
    """Yields problems of a race's powers: designs without a price, or a different price."""
    for name, power in race.designs.items():
        price, wrong = _price(rules, power)
        if price is None:
            repair = Repair("leave it out", *without_key(f"{before}designs", msgspec.to_builtins(race.designs), name))
            yield Problem(_POWERS, field_of(f"{before}designs", name), wrong, repair=repair)
        elif race.powers.get(name) != price:
            repair = Repair(f"set it to {price}", f"{before}powers", {**race.powers, name: price})
            message = f"{short(name)} costs {price} Character Points by its design"
            yield Problem(_POWERS, field_of(f"{before}powers", name), message, repair=repair)


def spell_problems(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields problems of spells: more than Magic allows, or a different price."""
    spells = character.spells
    if not spells:
        return
    person = Person.of(rules, character)
    level = person.level(person.best("magic"))
    most = level * person.complexity.get("magic", 1)
    plain = msgspec.to_builtins(spells)
    for place in range(most, len(spells)):
        message = f"Magic {level} allows {count(most, 'spell')}, not {len(spells)}" if level else "spells need the skill Magic"
        yield Problem(
            _SPELLS, f"spells.{place}", message, repair=Repair("leave it out", *without_place("spells", plain, place, place - most))
        )
    for place, spell in enumerate(spells[:most]):
        price, wrong = _price(rules, spell)
        if price is None or spell.melee:
            repair = Repair("leave it out", *without_place("spells", plain, place))
            yield Problem(_SPELLS, f"spells.{place}", wrong or "a spell needs a range", repair=repair)
        elif spell.cost != price:
            mended = [{**result, "cost": price} if at == place else result for at, result in enumerate(plain)]
            message = f"{short(spell.name)} costs {price} Spell Points by its design"
            yield Problem(_SPELLS, f"spells.{place}.cost", message, repair=Repair(f"set it to {price}", "spells", mended))
