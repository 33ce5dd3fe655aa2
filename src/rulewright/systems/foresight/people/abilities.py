"""Abilities of a person: tasks, scores, unarmed damage, stamina, background points."""

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, term, total
from rulewright.rules.reasons import rounded as rounded_off
from rulewright.systems.foresight.people.attributes import (
    ATTRIBUTES,
    MOST_FAMILIAR,
    attribute_task,
    base_ease,
    gravity_band,
    unarmed_damage,
)
from rulewright.systems.foresight.people.backgrounds import FACTORS
from rulewright.systems.foresight.people.characters import ARMORED, Character, Person, species_of
from rulewright.systems.foresight.people.skills import UNSKILLED, skill_row, skill_score
from rulewright.systems.foresight.people.traits import exoskeleton_score, frame_stealth, narrow_interest
from rulewright.systems.foresight.resolution.tests import Mod, Task


def ability_task(
    rules: Ruleset,
    person: Person,
    ability: str,
    environment: str = "Urban",
    gravity: float = 1.0,
    modifiers: tuple[Mod, ...] = (),
    in_peril: bool = False,
) -> Task:
    """Any ability of a person put to use here: an attribute by its abbreviation, or a skill, learnt or not."""
    if person.narrow:
        formula = (ability,) if ability in ATTRIBUTES else (ability, *skill_row(rules, ability).attributes)
        modifiers = (*modifiers, narrow_interest(rules, bool(set(formula) & set(person.narrow)), in_peril))
    if ability in ATTRIBUTES:
        plain = attribute_task(rules, ability, person.attribute(ability), (*still_strange(person, ability), *modifiers))
        return replace(plain, score=_in_a_frame(rules, person, (ability,), plain.score))
    row, level = skill_row(rules, ability), person.level(ability)
    score = skill_score(rules, ability, level or 0, person.attributes).value
    if ability != ARMORED:
        score = _in_a_frame(rules, person, row.attributes, score)
    here = min(MOST_FAMILIAR, person.environments.get(environment, 0))
    weight = min(MOST_FAMILIAR, person.gravities.get(gravity_band(rules, gravity), 0))
    task = Task(score, base_ease(rules, row.ease, here, weight) + person.ease.get(ability, 0))
    unlearnt = Mod("not learnt", UNSKILLED.of(rules, "modifier") if level is None else 0, "fs-unskilled-use")
    frame = (frame_stealth(rules, person.traits),) if ability == "Stealth" else ()
    return task.plus(unlearnt, *frame, *still_strange(person, ability), *modifiers)


def still_strange(person: Person, *subjects: str) -> tuple[Mod, ...]:
    """The unfamiliarity modifiers written down for a person that concern one of these: an ability, a weapon, a vehicle."""
    return tuple(
        [Mod(f"unfamiliar: {own.subject}", min(0, own.modifier), "fs-nfm") for own in person.unfamiliar if own.subject in subjects]
    )


def _in_a_frame(rules: Ruleset, person: Person, attributes: tuple[str, ...], score: float) -> float:
    """The score of a task as it is used: in a powered frame what involves agility or dexterity is no better than Armor/Exoskeleton."""
    if person.gear.exoskeleton is None or not {"AG", "DX"} & set(attributes):
        return score
    return exoskeleton_score(rules, score, score_of(rules, person, ARMORED).value)


def score_of(rules: Ruleset, person: Person, skill: str) -> Derived[float]:
    """The score of a skill; the formula alone where it was never learnt."""
    return skill_score(rules, skill, person.level(skill) or 0, person.attributes)


@rule("fs-skill-score")
def scores(rules: Ruleset, person: Person) -> dict[str, Derived[float]]:
    """The scores of all skills that a person has."""
    return {skill: score_of(rules, person, skill) for skill in person.skills}


@rule("fs-ucdc")
def person_unarmed(rules: Ruleset, person: Person) -> Derived[float]:
    """The damage class of a person's bare hands, from trained strength. A view of `unarmed_damage`."""
    return unarmed_damage(rules, person.attribute("ST"))


@rule("fs-background-factors")
def points_given(rules: Ruleset, character: Character) -> dict[str, Derived[int]]:
    """General and education points of all background factors, the species among them."""
    species = species_of(rules, character)
    general = [Reason(species.species, species.general, "+", "fs-species", species.source)] if species.factor else []
    education = [Reason(species.species, species.education, "+", "fs-species", species.source)] if species.factor else []
    for own in character.background:
        row = FACTORS(rules).get(own.factor)
        if row is None and own.general is None and own.education is None:
            raise UserError(f"{own.factor!r} is not a background factor of the list and has no points of its own")
        pays = (row.general, row.education) if row is not None else (own.general or 0, own.education or 0)
        name = own.called or own.factor
        general.append(Reason(name, pays[0], "+", "fs-background-factors"))
        education.append(Reason(name, pays[1], "+", "fs-background-factors"))
    return {
        "general": total("general points", *general, rule="fs-background-factors"),
        "education": total("education points", *education, rule="fs-background-factors"),
    }


def stamina_of(rules: Ruleset, person: Person) -> dict[str, Derived[int]]:
    """Stamina's maximum (the raw score), reserve (endurance) and threshold (a third of it)."""
    score, endurance = score_of(rules, person, "Stamina"), person.attribute("EN")
    third = total("threshold", term("EN", endurance), divided("a third", 3), rounded_off(), rule="fs-stamina-pool")
    return {
        "stamina": total("stamina", term("Stamina score, never 20+n", score), rounded_off(), rule="fs-stamina-pool"),
        "stamina_reserve": total("reserve", term("EN", endurance), rule="fs-stamina-pool"),
        "stamina_threshold": third,
    }
