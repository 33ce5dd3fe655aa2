"""Audit of gear and wounds: existing items that the character can use, and possible wound counts."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, amiss, near_to, short, signed, without_place
from rulewright.campaign.downtime import CAMPAIGN_FIELDS, campaign_problem
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.gear.items import ARMOR, SHIELDS, find_weapon, weapon_names
from rulewright.systems.silhouette.harm.body import BETWEEN_SCENES, LASTING, nonsense
from rulewright.systems.silhouette.hazards.addiction import HABITS
from rulewright.systems.silhouette.hazards.disease import ILLNESSES
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.conditions import TakenIn
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of


def gear(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields unknown weapons, armor and shields, and weapons the character cannot use."""
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
                else Repair("leave it out", *without_place("gear.weapons", gear.weapons, place, count))
            )
            yield Problem("sil-a-melee-weapons", field, f"there is no weapon {short(name)!r}", repair=repair)
            count += 1
            continue
        least = getattr(row, "min_strength", None)
        if least is not None:
            if strength is None:
                strength = secondary_of(rules, Person.of(rules, character))["strength"].value
            if strength < least:
                message = f"{name} needs Strength {signed(least)}; {character.name} has {signed(strength)}"
                yield Problem("sil-a-melee-weapons", field, message, least - strength, warning=True)
        if one_armed and getattr(row, "hands", 1) > 1:
            yield Problem("sil-c-flaws", field, f"{name} needs two hands; {character.name} has one", warning=True)
    tables: tuple[tuple[str, str | None, Mapping[str, Any], str], ...] = (
        ("armor", gear.armor, ARMOR(rules), ARMOR.rule),
        ("shield", gear.shield, SHIELDS(rules), SHIELDS.rule),
    )
    for part, name, rows, rule_id in tables:  # type: ignore[assignment]
        if name is not None and name not in rows:
            near = near_to(name, rows)
            mended = f"write {near}" if near else "leave it out"
            yield amiss(rule_id, f"gear.{part}", f"there is no {part} {short(name)!r}", 0, mended, near)
    for place, item in enumerate(gear.other):
        for what in ("cost", "weight"):
            if not getattr(item, what) >= 0:
                field = f"gear.other.{place}.{what}"
                message = f"{short(item.name)}: the {what} cannot be below 0, and it is {getattr(item, what):g}"
                yield amiss("sil-1.3-character-sheet", field, message, 0, "set it to 0", 0)


def injuries(character: Character) -> Iterator[Problem]:
    """Yields impossible wound counts."""
    for name in character.injuries.__struct_fields__:
        number = getattr(character.injuries, name)
        if number < 0:
            field, label = f"injuries.{name}", name.replace("_", " ")
            yield amiss(
                "sil-2.3.2-injury-list",
                field,
                f"the number of {label} wounds cannot be below 0, and it is {number}",
                -number,
                "set it to 0",
                0,
            )
    hurt = character.injuries
    for name, stable, carried in (
        ("flesh", hurt.stable_flesh, hurt.flesh + hurt.bruised_flesh),
        ("deep", hurt.stable_deep, hurt.deep + hurt.bruised_deep),
    ):
        most = max(0, carried)
        if stable > most:
            message = f"{stable} {name} wounds are stabilized, but there are only {most}"
            yield amiss("sil-3.5.4-stabilizing", f"injuries.stable_{name}", message, stable - most, f"set it to {most}", most)


TAKEN_IN = "taken_in"
ALSO_LASTING = ("ammo", "jammed", "fortune", "embarrassments", "hurts", "drained")
"""Conditions that scenes leave besides the state of a body."""


def condition(character: Character) -> Iterator[Problem]:
    """Yields unknown conditions and impossible values."""
    for name, value in character.condition.items():
        head = name.partition(".")[0]
        if name in CAMPAIGN_FIELDS:
            wrong = campaign_problem(name, value)
        elif head == TAKEN_IN:
            wrong = _taken_in_fault(name.removeprefix(f"{TAKEN_IN}."), value)
        elif head not in (*LASTING, *BETWEEN_SCENES, *ALSO_LASTING):
            wrong = "no scene leaves a condition of that name"
        else:
            wrong = nonsense(name, value) if name in (*LASTING, *BETWEEN_SCENES) else ""
        if wrong:
            left = {key: result for key, result in character.condition.items() if key != name}
            yield amiss("sil-1.3-character-sheet", "condition", f"{short(name)}: {wrong}", 0, "leave it out", left)


def _taken_in_fault(field: str, value: Any) -> str:
    """Returns the fault in rads, habits or illnesses that time has left; empty if there is none."""
    if field not in TakenIn.__struct_fields__:
        return "no scene leaves a condition of that name"
    try:
        msgspec.convert({field: value}, TakenIn)
    except msgspec.ValidationError as error:
        return str(error).partition(" - at")[0]
    return "" if not isinstance(value, int | float) or value >= 0 else f"{value:g} must be 0 or more"


def taken_in(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Yields invalid rads and unknown drugs and illnesses."""
    carried = character.taken_in
    for name in ("rads", "most_rads", "worst_irradiation", "weightless_before"):
        value = getattr(carried, name)
        if not value >= 0:
            field = f"taken_in.{name}"
            message = f"{name.replace('_', ' ')} cannot be below 0"
            yield amiss("sil-6.2.8-rad-tally", field, message, -value, "set it to 0", 0)
    if carried.rads > carried.most_rads >= 0:
        message = "the highest tally cannot be below the present one"
        yield amiss("sil-6.2.8-rad-tally", "taken_in.most_rads", message, 0, f"set it to {carried.rads:g}", carried.rads)
    count = 0
    for place, habit in enumerate(carried.habits):
        if habit.drug not in HABITS(rules):
            repair = Repair("leave it out", *without_place("taken_in.habits", carried.habits, place, count))
            message = f"there is no addictive drug {short(habit.drug)!r}"
            yield Problem(HABITS.rule, f"taken_in.habits.{place}.drug", message, repair=repair)
            count += 1
    count = 0
    for place, infection in enumerate(carried.infections):
        if infection.illness not in ILLNESSES(rules):
            repair = Repair("leave it out", *without_place("taken_in.infections", carried.infections, place, count))
            message = f"there is no illness {short(infection.illness)!r}"
            yield Problem(ILLNESSES.rule, f"taken_in.infections.{place}.illness", message, repair=repair)
            count += 1
