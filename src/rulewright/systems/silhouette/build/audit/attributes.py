"""Attributes inside human limits, and the Character Points that pay for them and for Emergency Dice."""

from collections.abc import Iterator, Sequence

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, field_of, near_to, short, signed, without_key
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.build.audit.points import Points
from rulewright.systems.silhouette.people.advancement import dice
from rulewright.systems.silhouette.people.characters import Character, attribute_cost, limits_of, names_of


def attributes(rules: Ruleset, character: Character, points: Points) -> Iterator[Problem]:
    """Attributes that a human can have and Character Points can pay for."""
    attributes, names = character.attributes, names_of(rules, character.attributes)
    for count, name in enumerate(name for name in attributes if name not in names):
        near = near_to(name, names) if count < MOST_REPAIRS else None
        if near is not None and near not in attributes:
            renamed = {near if each == name else each: value for each, value in attributes.items()}
            repair = Repair(f"write {near}", "attributes", renamed)
        else:
            repair = Repair("leave it out", *(without_key("attributes", attributes, name) if count < MOST_REPAIRS else ("", None)))
        yield Problem(
            "sil-2.1.1-attribute-scale", field_of("attributes", name), f"there is no attribute {short(name)!r} here", repair=repair
        )
    for name in names:
        value, (low, high) = attributes.get(name, 0), limits_of(rules, character, name)
        label, whose = name.capitalize(), "human" if character.race is None else "racial"
        if not low <= value <= high:
            bound, way = (high, "above") if value > high else (low, "below")
            message = f"{label} {signed(value)} is {way} the {whose} limit of {signed(bound)}"
            repair = Repair(f"set it to {signed(bound)}", f"attributes.{name}", bound)
            yield Problem("sil-2.1.2-attribute-costs", f"attributes.{name}", message, abs(value - bound), repair)
        elif abs(value) > 3 and character.race is None:
            message = f"{label} {signed(value)} is beyond three: the gamemaster must have agreed"
            yield Problem("sil-2.1.2-attribute-costs", f"attributes.{name}", message, warning=True)
    yield from _character_points(rules, character, points, names)


def _character_points(rules: Ruleset, character: Character, points: Points, names: Sequence[str]) -> Iterator[Problem]:
    rule_id, owned = "sil-2.1.2-character-points", character.emergency_dice
    if points.left < 0:
        name = max(names, key=lambda each: character.attributes.get(each, 0))
        value = character.attributes.get(name, 0)
        low, to = limits_of(rules, character, name)
        to = min(value, to)  # whatever is above it has to come down that far in any case
        while to > low and points.cp_spent - attribute_cost(value).value + attribute_cost(to).value > points.cp:
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
