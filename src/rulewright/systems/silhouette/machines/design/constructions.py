"""Machines of several bodies, and multipliers of Threat Value and cost (book lines 3794-4113)."""

from collections.abc import Iterable, Iterator, Sequence

from rulewright.errors import UserError
from rulewright.grammar import count
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
"""The highest Technical Level difference that is computed."""


# --- drives and other multipliers ------------------------------------------------------------------------------------------------


@rule("sil-4.3.8-ftl")
def star_drive(rules: Ruleset, speed: int = 1, reach: int = 1, delay: Delay = "30 seconds") -> Derived[Figure]:
    """The multiplier of Threat Value and cost of a star drive: speed (in light speeds) by range (in light years) by delay.

    A figure between two rows counts as the higher.
    """
    rows = sorted(STARS(rules).values(), key=lambda row: row.step)
    if not 0 < speed <= rows[-1].step or not 0 < reach <= rows[-1].step:
        raise UserError(f"speed and reach of a drive must be 1 to {rows[-1].step:,}, not {speed} and {reach}")
    fast, far = (next(row for row in rows if row.step >= wished) for wished in (speed, reach))
    terms = (term(f"{speed:,} times light ({fast.step:,})", fast.speed), times(f"{reach:,} light years ({far.step:,})", far.reach))
    return reckon("Faster than light", *terms, times(delay, JUMPS(rules)[delay].multiplier), rule=_FTL)


@rule("sil-4.3.8-dimension-drive")
def dimension_drive(rules: Ruleset, dimensions: int = 1, delay: Delay = "30 seconds") -> Derived[Figure]:
    """The multiplier of Threat Value and cost of a dimension drive: the number of dimensions by the delay."""
    rows = sorted((row for row in JUMPS(rules).values() if row.dimensions), key=lambda row: row.dimensions)
    if not 0 < dimensions <= rows[-1].dimensions:
        raise UserError(f"a drive reaches 1 to {rows[-1].dimensions:,} dimensions, not {dimensions}")
    row = next(row for row in rows if row.dimensions >= dimensions)
    terms = (term(f"{count(dimensions, 'dimension')} ({row.dimensions:,})", row.multiplier), times(delay, JUMPS(rules)[delay].multiplier))
    return reckon("Dimension drive", *terms, rule=_JUMP)


@rule("sil-4.3.9-nano-absorption")
def absorption_multiplier(rating: int) -> Derived[Figure]:
    """The multiplier of Threat Value and cost of nanomachines that absorb so many percent of the machine's weight a round.

    Absorbing takes an action; a completely absorbed, undamaged mechanism works as it is.
    """
    if rating < 0:
        raise UserError(f"the rating must be 0 or more, not {rating}")
    part = reckon("percent", term("rating", rating), term("hundred", 100, "÷"))
    return reckon("Material absorption", term("the machine", 1), term("percent", part), rule="sil-4.3.9-nano-absorption")


@rule("sil-4.3.9-nano-absorption")
def absorbed_mass(rating: int, mass: float) -> Derived[Figure]:
    """Kilograms absorbed in a round."""
    return reckon("Absorbed kg", term("mass", mass), times("percent", rating), term("hundred", 100, "÷"), rule="sil-4.3.9-nano-absorption")


@rule("sil-4.3.9-self-repair")
def self_repair_multiplier(rating: int) -> Derived[int]:
    """The multiplier of Threat Value and cost of self-repair: its rating plus one."""
    return whole("Self-repair", term("rating", rating), term("one", 1), rule="sil-4.3.9-self-repair")


def multipliers(rules: Ruleset, vehicle: Vehicle) -> Iterator[Reason]:
    """All multipliers of both the Threat Value and the cost of the finished machine."""
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
    """The multiplier of a Technical Level above the campaign's for cost and for sensor and communication ranges: ten for each.

    Below it they are divided by ten for each (a ruling). In play the unit of the higher level adds the difference to all its rolls.
    """
    if abs(level) > MOST_LEVELS:
        raise UserError(f"the Technical Level can differ from the campaign's by at most {MOST_LEVELS}, not {level}")
    tens = 10 ** abs(level)
    terms = (
        term("the machine", 1),
        times(f"ten for each of {level:+d}", tens) if level >= 0 else term(f"ten for each of {level:+d}", tens, "÷"),
    )
    return reckon("Technical Level", *terms, rule="sil-4.1.1-tech-levels", source="book" if level >= 0 else "ruling")


@rule("sil-4.1.1-tech-levels")
def tech_modifier(own: int, other: int) -> int:
    """The bonus of a unit to all its rolls against one of a lower Technical Level: the difference. By id only."""
    return max(0, own - other)


@rule("sil-4.1.1-tech-levels")
def tech_complexity(complexity: int, level: int) -> int:
    """The Complexity of a machine of a Technical Level: one more, or less, for each. By id only."""
    return max(1, complexity + level)


# --- several bodies --------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.7-transformables")
def transformed(worths: Sequence[float], one_way: bool = False) -> Derived[Figure]:
    """The worth of a machine of several forms: the most expensive in full, half the second, a quarter of every other.

    With a one-way transformation, a quarter of the second form.
    """
    ordered = sorted(worths, reverse=True)
    if not ordered:
        raise UserError("a transformable needs at least one form")
    terms = [term("most expensive form", _plain(ordered[0]))]
    for place, worth in enumerate(ordered[1:]):
        share = 2 if place == 0 and not one_way else 4
        part = reckon("part", term("form", _plain(worth)), term("half" if share == 2 else "a quarter", share, "÷"))
        terms.append(term(f"{'half' if share == 2 else 'a quarter'} of the {'second' if place == 0 else 'next'} form", part))
    return reckon("All forms", *terms, rule=_FORMS)


def _plain(number: float) -> Figure:
    return int(number) if number == int(number) else number


@rule("sil-4.3.6-combiners")
def combined(own: float, components: Sequence[float]) -> Derived[Figure]:
    """The worth of a combiner: the combined machine, or all its components together, whichever is more."""
    parts = reckon("components", *(term(f"component {place + 1}", _plain(worth)) for place, worth in enumerate(components)))
    return reckon(
        "Combined",
        term("combined machine", _plain(own)),
        Reason("at least all components", parts.value, AT_LEAST, None, "book", parts.reasons),
        rule="sil-4.3.6-combiners",
    )


@rule("sil-4.3.9-nano-morphable")
def morphable(vehicle: Vehicle) -> Design:
    """The body by which a morphable machine is priced: the best Armor, speed and Maneuver of any form, and every Perk.

    Systems of all forms count (a ruling), and only Flaws that every form has.
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
    """Every priced body: the machine itself and its sections, forms or components; for a morphable machine one for all forms,
    and the parts that it splits into."""
    if morphs(vehicle):
        return (morphable(vehicle), *vehicle.components)
    return (vehicle, *vehicle.sections, *vehicle.forms, *vehicle.components)


def morphs(vehicle: Vehicle) -> bool:
    """Whether a machine is made of morphable material."""
    return bool(vehicle.forms) and vehicle.transformation in MORPHING


def together(rules: Ruleset, vehicle: Vehicle, label: str, own: Derived[Figure], others: list[Derived[Figure]]) -> Derived[Figure]:
    """The total of a machine's bodies: sections add up, forms and components by their rules."""
    if morphs(vehicle):
        split = _relabelled(label, combined(own.value, [other.value for other in others]), [own, *others]) if others else own
        return halved(vehicle, label, split)
    if not others:
        return own
    if vehicle.forms:
        return _relabelled(
            label, transformed([own.value, *(other.value for other in others)], vehicle.transformation == "one-way"), [own, *others]
        )
    if vehicle.components:
        return _relabelled(label, combined(own.value, [other.value for other in others]), [own, *others])
    terms = [term(f"section {section.name}", worth) for section, worth in zip(vehicle.sections, others, strict=True)]
    return reckon(label, term("main hull", own), *terms, rule=_LARGE, source="ruling")


def halved(vehicle: Vehicle, label: str, result: Derived[Figure]) -> Derived[Figure]:
    """The value of a morphable machine that cannot form moving parts: half; any other in full."""
    if not morphs(vehicle) or vehicle.transformation != "simple morphing":
        return result
    half = term("cannot form moving parts: half", 2, "÷", rule="sil-4.3.9-nano-morphable")
    return reckon(label, term(result.reason.label, result), half, rule="sil-4.3.9-nano-morphable", to="up")


def _figure(derived: Derived[int]) -> Derived[Figure]:
    """A whole number as any figure."""
    return Derived(derived.value, derived.reason)


def _relabelled(label: str, derived: Derived[Figure], parts: list[Derived[Figure]]) -> Derived[Figure]:
    """The same under another name, each term with the reasons of its body."""
    left, terms = list(parts), []
    for reason in derived.reasons:
        same = next((part for part in left if part.value == reason.value and reason.op == "+" and not reason.terms), None)
        if same is not None:
            left.remove(same)
        terms.append(reason if same is None else Reason(reason.label, reason.value, reason.op, reason.rule, reason.source, same.reasons))
    return total(label, *terms, rule=derived.reason.rule)


@rule("sil-4.3.2-large-vehicles")
def hull_threat(rules: Ruleset, vehicle: Vehicle) -> Derived[int]:
    """The Threat Value of all bodies of a machine, before its crew and drives: each section is designed and priced separately."""
    own, *others = (_figure(threat(rules, body).value) for body in bodies(vehicle))
    derived = together(rules, vehicle, "Threat Value of the design", own, others)
    return whole(derived.reason.label, *derived.reasons, rule=derived.reason.rule, source=derived.reason.source)


# --- scales ----------------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.2-very-large")
def scale_factor(rules: Ruleset, own: Scale = "very large", target: str = "vehicle") -> Derived[Figure]:
    """The factor of Damage Multiplier and Base Range against a target of another scale; upward they are divided (a
    ruling)."""
    rows = SCALES(rules)
    if target not in rows:
        raise UserError(f"the scale must be one of {', '.join(rows)}, not {target!r}")
    terms = (term(f"{own} scale", rows[own].worth), term(f"{target} scale", rows[target].worth, "÷"))
    source = "book" if rows[own].step >= rows[target].step else "ruling"
    return reckon("Scale factor", *terms, rule="sil-4.3.2-very-large", source=source)  # type: ignore[arg-type]


@rule("sil-4.3.2-very-large")
def scale_modifier(rules: Ruleset, own: str = "very large", target: str = "vehicle") -> Derived[int]:
    """The modifier of an attack on a smaller scale: -2 for each step down, none upward."""
    rows = SCALES(rules)
    for text in (own, target):
        if text not in rows:
            raise UserError(f"the scale must be one of {', '.join(rows)}, not {text!r}")
    steps = max(0, rows[own].step - rows[target].step)
    return whole("Scale modifier", term("steps down", steps), times("for each", -2), rule="sil-4.3.2-very-large")


@rule("sil-4.3.2-very-large")
def scale_area(rules: Ruleset, own: Scale, area: int | None = None) -> int | None:
    """The Area Effect of a weapon of this scale: its own, plus one (very large) or five (gigantic). None: no area."""
    more = SCALES(rules)[own].area
    return area if not more else (area or 0) + more


# --- extras ----------------------------------------------------------------------------------------------------------------------


@rule("sil-4.3.10-extras")
def extra_price(rules: Ruleset, name: str, amount: int = 1) -> Derived[int]:
    """The price of an extra in credits; it never changes the Threat Value."""
    row = EXTRAS.get(rules, name)
    if amount < 1 or (row.most and amount > row.most):
        raise UserError(f"{name} allows 1{f' to {row.most}' if row.most else ' or more'} {row.unit or 'of it'}, not {amount}")
    terms = [term("price", row.price, source=row.source)]
    terms += [times(row.unit or "quantity", amount)] if amount != 1 or row.unit else []
    terms += [times("itself", amount)] if row.square else []
    return whole(name, *terms, rule="sil-4.3.10-extras")


def extras_of(rules: Ruleset, extras: Iterable[Extra]) -> Iterator[Reason]:
    """The prices of all extras that can be priced."""
    for extra in extras:
        try:
            yield term(extra.name, extra_price(rules, extra.name, extra.amount))
        except UserError:
            continue
