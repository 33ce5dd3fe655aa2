"""Machines of several bodies, and what multiplies their worth (book lines 3794-4113)."""

from collections.abc import Iterable, Iterator, Sequence

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import AT_LEAST, Derived, Reason, term, times, total
from rulewright.systems.silhouette.machines.design.crews import quality_multiplier
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, reckon, whole
from rulewright.systems.silhouette.machines.design.threat import threat
from rulewright.systems.silhouette.machines.tables import EXTRAS, JUMPS, SCALES, STARS
from rulewright.systems.silhouette.machines.vehicle import Delay, Design, Extra, Scale, Vehicle

_FTL, _JUMP, _LARGE, _FORMS = "sil-4.3.8-ftl", "sil-4.3.8-dimension-drive", "sil-4.3.2-large-vehicles", "sil-4.3.7-transformables"
MORPHING = ("morphing", "simple morphing")
MOST_LEVELS = 20
"""Technical Levels beyond this are no numbers that anybody pays."""


# --- drives and other multipliers ------------------------------------------------------------------------------------------------


@rule("sil-4.3.8-ftl")
def star_drive(rules: Ruleset, speed: int = 1, reach: int = 1, delay: Delay = "30 seconds") -> Derived[Figure]:
    """What a drive to the stars multiplies Threat Value and cost by: speed (in light speeds) by reach (in light years) by delay.

    A figure between two rows counts as the higher.
    """
    rows = sorted(STARS(rules).values(), key=lambda row: row.step)
    if not 0 < speed <= rows[-1].step or not 0 < reach <= rows[-1].step:
        raise UserError(f"a drive has a speed and a reach from 1 to {rows[-1].step:,}, not {speed} and {reach}")
    fast, far = (next(row for row in rows if row.step >= wished) for wished in (speed, reach))
    terms = (term(f"{speed:,} times light ({fast.step:,})", fast.speed), times(f"{reach:,} light years ({far.step:,})", far.reach))
    return reckon("Faster than light", *terms, times(delay, JUMPS(rules)[delay].multiplier), rule=_FTL)


@rule("sil-4.3.8-dimension-drive")
def dimension_drive(rules: Ruleset, dimensions: int = 1, delay: Delay = "30 seconds") -> Derived[Figure]:
    """What a drive to other dimensions multiplies Threat Value and cost by: their number by the delay."""
    rows = sorted((row for row in JUMPS(rules).values() if row.dimensions), key=lambda row: row.dimensions)
    if not 0 < dimensions <= rows[-1].dimensions:
        raise UserError(f"a drive reaches from 1 to {rows[-1].dimensions:,} dimensions, not {dimensions}")
    row = next(row for row in rows if row.dimensions >= dimensions)
    terms = (term(f"{dimensions:,} dimensions ({row.dimensions:,})", row.multiplier), times(delay, JUMPS(rules)[delay].multiplier))
    return reckon("Dimension drive", *terms, rule=_JUMP)


@rule("sil-4.3.9-nano-absorption")
def absorption_multiplier(rating: int) -> Derived[Figure]:
    """What nanomachines that absorb so many percent of the machine's weight a round multiply Threat Value and cost by.

    Absorbing takes an action; a mechanism that is taken in whole and undamaged works as it is.
    """
    if rating < 0:
        raise UserError(f"a rating is 0 or more, not {rating}")
    part = reckon("percent", term("rating", rating), term("hundred", 100, "÷"))
    return reckon("Material absorption", term("the machine", 1), term("percent", part), rule="sil-4.3.9-nano-absorption")


@rule("sil-4.3.9-nano-absorption")
def absorbed_mass(rating: int, mass: float) -> Derived[Figure]:
    """Kilograms that are absorbed in a round."""
    return reckon("Absorbed kg", term("mass", mass), times("percent", rating), term("hundred", 100, "÷"), rule="sil-4.3.9-nano-absorption")


@rule("sil-4.3.9-self-repair")
def self_repair_multiplier(rating: int) -> Derived[int]:
    """What a machine that mends itself multiplies Threat Value and cost by: its rating and one."""
    return whole("Self-repair", term("rating", rating), term("one", 1), rule="sil-4.3.9-self-repair")


def multipliers(rules: Ruleset, vehicle: Vehicle) -> Iterator[Reason]:
    """Everything that multiplies both the Threat Value and the cost of the finished machine."""
    quality = quality_multiplier(rules, vehicle)
    if quality.value != 1:
        yield times(quality.reason.label, quality)
    if (stars := vehicle.faster_than_light) is not None:
        yield times("Faster than light", star_drive(rules, stars.speed, stars.reach, stars.delay))
    if (jump := vehicle.dimension_drive) is not None:
        yield times("Dimension drive", dimension_drive(rules, jump.dimensions, jump.delay))
    if vehicle.absorption:
        yield times("Material absorption", absorption_multiplier(vehicle.absorption))
    if vehicle.self_repair:
        yield times("Self-repair", self_repair_multiplier(vehicle.self_repair))


@rule("sil-4.1.1-tech-levels")
def tech_multiplier(level: int) -> Derived[Figure]:
    """What a Technical Level above the campaign's multiplies the cost and the ranges of sensors and communications by: ten for each.

    Below it they are divided by ten for each (a ruling). In play the unit of the higher level adds the difference to all its rolls.
    """
    if abs(level) > MOST_LEVELS:
        raise UserError(f"a Technical Level is at most {MOST_LEVELS} away from the campaign's, not {level}")
    tens = 10 ** abs(level)
    terms = (
        term("the machine", 1),
        times(f"ten for each of {level:+d}", tens) if level >= 0 else term(f"ten for each of {level:+d}", tens, "÷"),
    )
    return reckon("Technical Level", *terms, rule="sil-4.1.1-tech-levels", source="book" if level >= 0 else "ruling")


@rule("sil-4.1.1-tech-levels")
def tech_modifier(own: int, other: int) -> int:
    """What a unit adds to all its rolls against one of another Technical Level: the difference, where its own is higher."""
    return max(0, own - other)


@rule("sil-4.1.1-tech-levels")
def tech_complexity(complexity: int, level: int) -> int:
    """The Complexity of a machine of a Technical Level: one more, or less, for each."""
    return max(1, complexity + level)


# --- several bodies --------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.7-transformables")
def transformed(worths: Sequence[float], one_way: bool = False) -> Derived[Figure]:
    """What a machine of several forms is worth: the dearest in full, half the second, a quarter of every other.

    Where it changes only one way, a quarter of the second form.
    """
    ordered = sorted(worths, reverse=True)
    if not ordered:
        raise UserError("a transformable has at least one form")
    terms = [term("dearest form", _plain(ordered[0]))]
    for place, worth in enumerate(ordered[1:]):
        share = 2 if place == 0 and not one_way else 4
        part = reckon("part", term("form", _plain(worth)), term("half" if share == 2 else "a quarter", share, "÷"))
        terms.append(term(f"{'half' if share == 2 else 'a quarter'} of the {'second' if place == 0 else 'next'} form", part))
    return reckon("All forms", *terms, rule=_FORMS)


def _plain(number: float) -> Figure:
    return int(number) if number == int(number) else number


@rule("sil-4.3.6-combiners")
def combined(own: float, components: Sequence[float]) -> Derived[Figure]:
    """What a combiner is worth: the combined machine, or all its components together, whichever is more."""
    parts = reckon("components", *(term(f"component {place + 1}", _plain(worth)) for place, worth in enumerate(components)))
    return reckon(
        "Combined",
        term("combined machine", _plain(own)),
        Reason("at least all components", parts.value, AT_LEAST, None, "book", parts.reasons),
        rule="sil-4.3.6-combiners",
    )


@rule("sil-4.3.9-nano-morphable")
def morphable(vehicle: Vehicle) -> Design:
    """The body that a morphable machine is reckoned by: the best Armor, speed and Maneuver of any form, and every Perk.

    Systems of all forms are counted (a ruling), and only Flaws that every form has.
    """
    forms: tuple[Design, ...] = (vehicle, *vehicle.forms)
    ways = [way for form in forms for way in form.movement]
    fastest = max(ways, key=lambda way: way.top - way.stall, default=None)
    return Design(
        name=vehicle.name,
        size=vehicle.size,
        mass=vehicle.mass,
        armor=max((form.armor for form in forms), key=exact),
        maneuver=max(form.maneuver for form in forms),
        crew=vehicle.crew,
        passengers=vehicle.passengers,
        computers=vehicle.computers,
        movement=() if fastest is None else (fastest,),
        deployment=max(form.deployment for form in forms),
        burn_points=max(form.burn_points for form in forms),
        perks=tuple(dict.fromkeys(perk for form in forms for perk in form.perks)),
        flaws=tuple(flaw for flaw in dict.fromkeys(vehicle.flaws) if all(flaw in form.flaws for form in vehicle.forms)),
        systems=tuple(dict.fromkeys(device for form in forms for device in form.systems)),
        links=tuple(dict.fromkeys(link for form in forms for link in form.links)),
    )


def bodies(vehicle: Vehicle) -> tuple[Design, ...]:
    """Every body that is reckoned: the machine itself, and its sections, forms or components; of a morphable machine one for all forms,
    and the parts that it splits into."""
    if morphs(vehicle):
        return (morphable(vehicle), *vehicle.components)
    return (vehicle, *vehicle.sections, *vehicle.forms, *vehicle.components)


def morphs(vehicle: Vehicle) -> bool:
    """Whether a machine is of morphable material."""
    return bool(vehicle.forms) and vehicle.transformation in MORPHING


def together(rules: Ruleset, vehicle: Vehicle, label: str, own: Derived[Figure], others: list[Derived[Figure]]) -> Derived[Figure]:
    """What the bodies of a machine come to, each with its own worth: sections add up, forms and components by their rules."""
    if morphs(vehicle):
        split = _named(label, combined(own.value, [other.value for other in others]), [own, *others]) if others else own
        return halved(vehicle, label, split)
    if not others:
        return own
    if vehicle.forms:
        return _named(
            label, transformed([own.value, *(other.value for other in others)], vehicle.transformation == "one-way"), [own, *others]
        )
    if vehicle.components:
        return _named(label, combined(own.value, [other.value for other in others]), [own, *others])
    terms = [term(f"section {section.name}", worth) for section, worth in zip(vehicle.sections, others, strict=True)]
    return reckon(label, term("main hull", own), *terms, rule=_LARGE, source="ruling")


def halved(vehicle: Vehicle, label: str, result: Derived[Figure]) -> Derived[Figure]:
    """What a morphable machine that cannot form moving parts comes to: half; any other the whole."""
    if not morphs(vehicle) or vehicle.transformation != "simple morphing":
        return result
    half = term("cannot form moving parts: half", 2, "÷", rule="sil-4.3.9-nano-morphable")
    return reckon(label, term(result.reason.label, result), half, rule="sil-4.3.9-nano-morphable", to="up")


def _figure(derived: Derived[int]) -> Derived[Figure]:
    """A whole number as any figure."""
    return Derived(derived.value, derived.reason)


def _named(label: str, derived: Derived[Figure], parts: list[Derived[Figure]]) -> Derived[Figure]:
    """The same under another name, each term with the reasons of the body whose worth it is."""
    left, terms = list(parts), []
    for reason in derived.reasons:
        same = next((part for part in left if part.value == reason.value and reason.op == "+" and not reason.terms), None)
        if same is not None:
            left.remove(same)
        terms.append(reason if same is None else Reason(reason.label, reason.value, reason.op, reason.rule, reason.source, same.reasons))
    return total(label, *terms, rule=derived.reason.rule)


@rule("sil-4.3.2-large-vehicles")
def hull_threat(rules: Ruleset, vehicle: Vehicle) -> Derived[int]:
    """The Threat Value of all bodies of a machine, before its crew and drives: sections are designed and paid for each by itself."""
    own, *others = (_figure(threat(rules, body).value) for body in bodies(vehicle))
    derived = together(rules, vehicle, "Threat Value of the design", own, others)
    return whole(derived.reason.label, *derived.reasons, rule=derived.reason.rule, source=derived.reason.source)


# --- scales ----------------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.2-very-large")
def scale_factor(rules: Ruleset, own: Scale = "very large", target: str = "vehicle") -> Derived[Figure]:
    """What Damage Multiplier and Base Range are multiplied by against a target of another scale; up the scale they are divided (a
    ruling)."""
    rows = SCALES(rules)
    if target not in rows:
        raise UserError(f"a scale is one of {', '.join(rows)}, not {target!r}")
    terms = (term(f"{own} scale", rows[own].worth), term(f"{target} scale", rows[target].worth, "÷"))
    source = "book" if rows[own].step >= rows[target].step else "ruling"
    return reckon("Scale factor", *terms, rule="sil-4.3.2-very-large", source=source)  # type: ignore[arg-type]


@rule("sil-4.3.2-very-large")
def scale_modifier(rules: Ruleset, own: str = "very large", target: str = "vehicle") -> Derived[int]:
    """What an attack on a smaller scale is at: -2 for each step down, nothing upward."""
    rows = SCALES(rules)
    for text in (own, target):
        if text not in rows:
            raise UserError(f"a scale is one of {', '.join(rows)}, not {text!r}")
    steps = max(0, rows[own].step - rows[target].step)
    return whole("Scale modifier", term("steps down", steps), times("for each", -2), rule="sil-4.3.2-very-large")


@rule("sil-4.3.2-very-large")
def scale_area(rules: Ruleset, own: Scale, area: int | None = None) -> int | None:
    """The Area Effect of a weapon of this scale: what it has, and one (very large) or five (gigantic) more. None is no area at all."""
    more = SCALES(rules)[own].area
    return area if not more else (area or 0) + more


# --- extras ----------------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.10-extras")
def extra_price(rules: Ruleset, name: str, amount: int = 1) -> Derived[int]:
    """What a comfort costs in credits; it never changes the Threat Value."""
    row = EXTRAS.get(rules, name)
    if amount < 1 or (row.most and amount > row.most):
        raise UserError(f"{name} has from 1{f' to {row.most}' if row.most else ''} {row.unit or 'of it'}, not {amount}")
    terms = [term("price", row.price, source=row.source)]
    terms += [times(row.unit or "so many", amount)] if amount != 1 or row.unit else []
    terms += [times("itself", amount)] if row.square else []
    return whole(name, *terms, rule="sil-4.3.10-extras")


def extras_of(rules: Ruleset, extras: Iterable[Extra]) -> Iterator[Reason]:
    """The prices of all extras that can be priced."""
    for extra in extras:
        try:
            yield term(extra.name, extra_price(rules, extra.name, extra.amount))
        except UserError:
            continue
