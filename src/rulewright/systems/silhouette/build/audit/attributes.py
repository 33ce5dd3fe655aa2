"""Audit of attributes: human limits, and Character Points for attributes and Emergency Dice."""

from collections.abc import Iterator, Sequence

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, amiss, field_of, near_to, short, signed, without_key
from rulewright.highest_die.experience import dice
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.build.audit.points import Points
from rulewright.systems.silhouette.people.characters import Character, attribute_cost, limits_of, names_of


def attributes(rules: Ruleset, character: Character, points: Points) -> Iterator[Problem]:
    """Yields attributes beyond human limits or Character Points."""
    attributes, names = character.attributes, names_of(rules, character.attributes)
    for count, name in enumerate(name for name in attributes if name not in names):
        near = near_to(name, names) if count < MOST_REPAIRS else None
        if near is not None and near not in attributes:
            renamed = {near if text == name else text: value for text, value in attributes.items()}
            repair = Repair(f"write {near}", "attributes", renamed)
        else:
            repair = Repair("leave it out", *(without_key("attributes", attributes, name) if count < MOST_REPAIRS else ("", None)))
        yield Problem("sil-2.1.1-attribute-scale", field_of("attributes", name), f"there is no attribute {short(name)!r}", repair=repair)
    for name in names:
        value, (low, high) = attributes.get(name, 0), limits_of(rules, character, name)
        label, whose = name.capitalize(), "human" if character.race is None else "racial"
        if not low <= value <= high:
            bound, way = (high, "above") if value > high else (low, "below")
            message = f"{label} {signed(value)} is {way} the {whose} limit of {signed(bound)}"
            yield amiss("sil-2.1.2-attribute-costs", f"attributes.{name}", message, abs(value - bound), f"set it to {signed(bound)}", bound)
        elif abs(value) > 3 and character.race is None:
            message = f"{label} {signed(value)} is beyond 3: the gamemaster must agree"
            yield Problem("sil-2.1.2-attribute-costs", f"attributes.{name}", message, warning=True)
    yield from _character_points(rules, character, points, names)


def _character_points(rules: Ruleset, character: Character, points: Points, names: Sequence[str]) -> Iterator[Problem]:
    rule_id, owned = "sil-2.1.2-character-points", character.emergency_dice
    if points.left < 0:
        message = f"{points.cp_spent} of {points.cp} Character Points spent"
        repair = _lower_attributes(rules, character, names, -points.left)
        yield Problem(rule_id, "attributes", message, -points.left, repair)
    if owned < 0:
        message = f"the number of Emergency Dice cannot be below 0, and it is {owned}"
        yield amiss("sil-2.5.2-emergency-dice", "emergency_dice", message, -owned, "set them to 0", 0)
    elif owned > max(0, points.left):
        most = max(0, points.left)
        message = f"{dice(owned)} bought with leftover Character Points, but only {most} left over"
        yield amiss("sil-2.1.2-attribute-costs", "emergency_dice", message, owned - most, f"take {most}", most)


def _lower_attributes(rules: Ruleset, character: Character, names: Sequence[str], over: int) -> Repair:
    """Returns the repair that lowers the highest attributes far enough; values below -1 give nothing back."""
    attributes = {name: character.attributes.get(name, 0) for name in names}
    lowered = {name: min(value, limits_of(rules, character, name)[1]) for name, value in attributes.items()}  # down that far in any case
    over -= sum([attribute_cost(value).value - attribute_cost(lowered[name]).value for name, value in attributes.items()])
    while over > 0:
        name = max(lowered, key=lambda item: lowered[item])
        if lowered[name] <= -1:
            name = min(lowered, key=lambda attribute: (-attributes[attribute], attribute))
        saved = attribute_cost(lowered[name]).value - attribute_cost(lowered[name] - 1).value
        lowered[name] -= 1
        over -= saved
    changed = {name: value for name, value in lowered.items() if value < attributes[name]}
    text = ", ".join([f"{name.capitalize()} to {signed(value)}" for name, value in changed.items()])
    if len(changed) == 1:
        return Repair(f"lower {text}", f"attributes.{next(iter(changed))}", next(iter(changed.values())))
    return Repair(f"lower {text}", "attributes", lowered)
