"""Unknown names, species, attributes and their training (book lines 425-560)."""

from collections.abc import Iterator
from math import isfinite
from typing import Any, get_args

from msgspec.structs import replace

from rulewright.build.audit import Problem, Repair, short
from rulewright.campaign.downtime import CAMPAIGN_FIELDS, campaign_problem
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.foresight.build.audit.repairs import drop_entry, drop_place, meant
from rulewright.systems.foresight.harm.body import BODY_LIMITS
from rulewright.systems.foresight.people.attributes import ATTRIBUTES, GRAVITIES
from rulewright.systems.foresight.people.backgrounds import FEATURES, PACKAGES, SPECIES, WEALTH, species_points
from rulewright.systems.foresight.people.characters import Character, inherent, species_of
from rulewright.systems.foresight.people.creation import FACTOR, spread_of
from rulewright.systems.foresight.people.skills import highest_trained
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.ward.patients import DEEPEST, LOSSES, read_costs


def names(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Words that no table knows."""
    checks: tuple[tuple[str, str, Any, str, str], ...] = (
        ("package", character.package, PACKAGES, "free package", "Default"),
        ("native_gravity", character.native_gravity, GRAVITIES, "band of gravity", "NL"),
        ("base_wealth", character.base_wealth, WEALTH, "wealth level", "Average"),
    )
    for field, value, table, what, usual in checks:
        if value not in table(rules) and (value or field != "package"):
            yield Problem(table.rule, field, f"there is no {what} {short(value)!r}", repair=meant(field, value, table(rules), usual))
    if not 1 <= character.factors <= 100:
        to = max(1, min(100, character.factors))
        message = f"{character.factors} background factors cannot be allowed"
        yield Problem("fs-character-competence", "factors", message, abs(character.factors - to), Repair(f"write {to}", "factors", to))


def species(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """The species, or one of one's own: known abilities, sensible ranges, and no more points than a factor is worth."""
    own, rule_id = character.own_species, "fs-custom-species"
    if own is None:
        if character.species not in SPECIES(rules):
            message = f"there is no species {short(character.species)!r}"
            yield Problem("fs-species", "species", message, repair=meant("species", character.species, SPECIES(rules), "Human"))
        return
    for place, trait in enumerate(own.traits):
        if trait not in FEATURES(rules):
            message = f"{short(trait)}: no price is known for this ability; count it among the others"
            yield Problem(rule_id, f"own_species.traits.{place}", message, repair=drop_place("own_species.traits", own.traits, place))
            return
    if not (isfinite(own.ds) and 0 < own.ds <= 100):
        yield Problem(rule_id, "own_species.ds", f"a damage scale of {own.ds:g}", repair=Repair("write 1", "own_species.ds", 1))
    human = SPECIES.get(rules, "Human").ranges
    for name, (low, high) in own.ranges.items():
        if not 1 <= low <= high <= 100:
            message = f"{name} cannot run from {low} to {high}"
            yield Problem(rule_id, f"own_species.ranges.{name}", message, repair=drop_entry("own_species.ranges", own.ranges, name))
        elif name == "AP" and (low, high) != human["AP"]:
            message = "the range of AP is that of humans for every species"
            yield Problem("fs-species", "own_species.ranges.AP", message, repair=drop_entry("own_species.ranges", own.ranges, name))
    for part in ("general", "education"):
        points = getattr(own, part)
        if points < 0:
            message = f"a species cannot give {points} {part} points"
            yield Problem(rule_id, f"own_species.{part}", message, -points, Repair("write 0", f"own_species.{part}", 0))
    total = species_points(rules, species_of(rules, whole), own.other).value
    worth = FACTOR.of(rules, "worth")
    if total > worth:
        over = total - worth
        message = f"{short(character.species)} comes to {total} of {worth} points"
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


def attributes(rules: Ruleset, whole: Character) -> Iterator[Problem]:
    """Attribute points inside the ranges of the species, and no more of them than there are."""
    rule_id, ranges = "fs-attribute-points", species_of(rules, whole).ranges
    values = whole.attributes.each()
    for name, value in values.items():
        low, high = ranges[name]
        field = f"attributes.{name}"
        if value > high:
            yield Problem(rule_id, field, f"{name} {value} is above {high}", value - high, Repair(f"lower it to {high}", field, high))
        elif value < low:
            yield Problem(rule_id, field, f"{name} {value} is below {low}", low - value, Repair(f"raise it to {low}", field, low))
    allowed, spent = spread_of(rules, ranges).value, sum(values.values())
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
            name = min(room, key=lambda item: values[item])
            to = min(ranges[name][1], values[name] + allowed - spent)
            repair = Repair(f"raise {name} to {to}", f"attributes.{name}", to)
        message = f"{count(allowed - spent, 'attribute point')} unspent"
        yield Problem(rule_id, "attributes", message, 0, repair, warning=True)


def _roomiest(values: dict[Any, int], ranges: dict[Any, tuple[int, int]], over: int) -> Any:
    """The attribute to lower: the highest that can give up everything, or else the one with the most to give."""
    room = {name: values[name] - ranges[name][0] for name in values if values[name] > ranges[name][0]}
    if not room:
        return None
    enough = [name for name in room if room[name] >= over]
    return max(enough, key=lambda name: values[name]) if enough else max(room, key=lambda name: room[name])


def trained(rules: Ruleset, whole: Character) -> Iterator[Problem]:
    """Yields a problem for each attribute trained above its highest value or below its inherent one."""
    base = inherent(rules, replace(whole, experience=()))
    for name, value in whole.trained.items():
        low = base[name].value
        field, high = f"trained.{name}", highest_trained(rules, low).value
        if value > high:
            message = f"{name} trained to {value}: an inherent {low} reaches {high} at most"
            yield Problem("fs-attributes", field, message, value - high, Repair(f"lower it to {high}", field, high))
        elif value < low:
            message = f"{name} trained to {value} lies below the inherent {low}"
            yield Problem("fs-attributes", field, message, low - value, drop_entry("trained", whole.trained, name))


def unfit(name: str, value: object) -> str:
    """Why something that a scene is said to have left cannot be; nothing where it can."""
    numbers, words = (
        ("wounds", "worst", "bandaged", "stamina", "power", "drunk", DEEPEST),
        ("operated", "was_exhausted", "unconscious", "dead", "heart_stopped"),
    )
    head = name.partition(".")[0]
    if head in CAMPAIGN_FIELDS:
        return campaign_problem(head, value)
    if head == "senseless":
        return (
            "" if value in ("", "unconscious", "paralysed") else f"senseless is unconscious, paralysed or empty, not {short(str(value))!r}"
        )
    if head == LOSSES:
        return "" if read_costs(value) is not None else "losses is a list of what grave wounds have cost"
    if head in numbers or head in ("ammo", "jams"):
        if type(value) is not int:
            return f"{short(name)} is a whole number, not {short(str(value))!r}"
        fits = value >= 0 or head in ("stamina", "jams")
        return "" if fits else f"{short(name)} is 0 or more, not {value}"
    if head == "hurt":
        fits = isinstance(value, list | tuple) and all(place in get_args(Location) for place in value)
        return "" if fits else f"hurt is a list of places such as {', '.join(get_args(Location)[:3])}, not {short(str(value))!r}"
    if head in words:
        return "" if isinstance(value, bool) else f"{short(name)} is true or false, not {short(str(value))!r}"
    return f"there is no field {short(name)!r}"


def injuries(character: Character) -> Iterator[Problem]:
    """Wounds that cannot be counted."""
    hurt = character.injuries
    for name, value in character.condition.items():
        said = unfit(name, value)
        if said:
            yield Problem("fs-wound-levels", f"condition.{name}", said, repair=drop_entry("condition", character.condition, name))
    for name in ("wounds", "worst", "bandaged", "stamina"):
        number, (least, most) = getattr(hurt, name) or 0, BODY_LIMITS[name]
        if not least <= number <= most:
            field, to = f"injuries.{name}", int(max(least, min(most, number)))
            message = f"{name} is from {least} to {most}, not {number}"
            yield Problem("fs-wound-levels", field, message, abs(number - to), Repair(f"write {to}", field, to))
