"""Size and cost: Default Size, Pre-Production Cost, production and Final Cost (book lines 3336-3485)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, row, term, times, total
from rulewright.systems.silhouette.machines.design.constructions import (
    bodies,
    extras_of,
    halved,
    hull_threat,
    morphs,
    multipliers,
    tech_multiplier,
    together,
)
from rulewright.systems.silhouette.machines.design.rounding import Figure, cube_root, exact, nearest_root, plain, reckon, whole
from rulewright.systems.silhouette.machines.design.sizes import SMALL, largest_mass, size_for
from rulewright.systems.silhouette.machines.design.threat import threat
from rulewright.systems.silhouette.machines.tables import PRODUCTION, REACTION_MASS, SCALES
from rulewright.systems.silhouette.machines.vehicle import Design, Production, ReactionMass, Vehicle

_DEFAULT, _FINAL, _PRODUCTION = "sil-4.1.11-default-size-cost", "sil-4.1.14-final-cost", "sil-4.1.12-production-type"
CREDITS = 1000
"""Credits for a point of Threat Value."""


@rule("sil-4.1.11-default-size-cost")
def default_size(threat_value: int) -> Derived[int]:
    """The Default Size: the cube root of the Threat Value, rounded, and at least 1."""
    if threat_value < 0:
        raise UserError(f"the Threat Value must be 0 or more, not {threat_value}")
    root = row("cube root of the Threat Value", cube_root(threat_value), term("Threat Value", threat_value))
    least = () if nearest_root(threat_value) else (at_least(1, "minimum"),)
    return whole("Default Size", root, *least, rule=_DEFAULT)


@rule("sil-4.1.11-default-size-cost")
def default_cost(threat_value: int) -> Derived[int]:
    """The Default Cost: a thousand credits for every point of Threat Value."""
    return whole("Default Cost", term("Threat Value", threat_value), times("credits", CREDITS), rule=_DEFAULT)


@rule("sil-4.1.11-default-size-cost")
def pre_production(threat_value: int, size: float) -> Derived[Figure]:
    """The Pre-Production Cost: the Default Cost, times the Default Size divided by a smaller target Size; a larger one is not cheaper."""
    if size <= 0:
        raise UserError(f"Size must be above 0, not {size:g}")
    usual, cost = default_size(threat_value), default_cost(threat_value)
    terms = [term("Default Cost", cost)]
    if exact(size) < usual.value:
        terms += [times("Default Size", usual), term("target Size", size, "÷")]
    return reckon("Pre-Production Cost", *terms, rule=_DEFAULT)


@rule("sil-4.1.2-size-mass")
def size_of(rules: Ruleset, design: Design) -> Derived[Figure]:
    """The Size of a body: its target Size, or what its target mass needs, or its Default Size."""
    if design.size:
        return total("Size", term("target Size", design.size), rule="sil-4.1.2-size-mass")
    if design.mass:
        return size_for(rules, design.mass)
    usual = default_size(threat(rules, design).value.value)
    return Derived(usual.value, usual.reason)


def mass_of(rules: Ruleset, design: Design, worth: Figure = 1) -> Derived[Figure]:
    """The empty mass of a body: its target mass, or the most for its Size (by the worth of its scale)."""
    if design.mass:
        return total("Mass in kg", term("target mass", design.mass), rule="sil-4.1.2-size-mass")
    size = size_of(rules, design)
    heaviest = largest_mass(rules, min(10_000, size.value * worth))
    return Derived(heaviest.value, heaviest.reason)


@rule("sil-4.1.7-reaction-mass")
def reaction_mass(rules: Ruleset, type: ReactionMass, burn_points: int, empty: float) -> Derived[Figure]:
    """The weight of the reaction mass: the share of its type for every Burn Point, times the empty weight of the craft (in any unit)."""
    if type not in REACTION_MASS(rules):
        raise UserError(f"reaction mass must be one of {', '.join(REACTION_MASS(rules))}, not {type!r}")
    row = REACTION_MASS(rules)[type]
    terms = (term("empty weight", empty), times("Burn Points", burn_points), times(f"{type}, for each", row.multiplier, source=row.source))
    return reckon("Reaction mass", *terms, rule="sil-4.1.7-reaction-mass")


@rule("sil-4.1.7-reaction-mass")
def cargo_room(rules: Ruleset, type: ReactionMass, tonnes: float) -> Derived[Figure]:
    """The cubic metres that so many tonnes of reaction mass fill as cargo. By id only."""
    if type not in REACTION_MASS(rules):
        raise UserError(f"reaction mass must be one of {', '.join(REACTION_MASS(rules))}, not {type!r}")
    return reckon(
        "Cubic metres",
        term("tonnes", tonnes),
        term("tonnes to the cubic metre", REACTION_MASS(rules)[type].density, "÷"),
        rule="sil-4.1.7-reaction-mass",
    )


def sizes_allowed(usual: int) -> tuple[Figure, int]:
    """The smallest and the largest Size: a fifth of the Default Size to twice it; small ones in tenths."""
    fifth = exact(usual) / 5
    least = plain(fifth) if fifth <= SMALL else -(-fifth.numerator // fifth.denominator)
    return least, 2 * usual


@rule("sil-4.1.12-production-type", "sil-4.1.14-final-cost")
def production_multiplier(rules: Ruleset, production: Production) -> Derived[Figure]:
    """The cost multiplier of a type of production."""
    row = PRODUCTION.get(rules, production)
    return total("Production", term(production, row.cost, source="book" if row.source == "stand-in" else row.source), rule=_PRODUCTION)


class Reckoned(Struct, frozen=True):
    """The totals of a machine."""

    threat_value: Derived[int]
    design_threat: Derived[int]
    default_size: Derived[int]
    default_cost: Derived[int]
    size: Derived[Figure]
    mass: Derived[Figure]
    pre_production: Derived[Figure]
    final_cost: Derived[int]


@cached(256)
def reckoned(rules: Ruleset, vehicle: Vehicle) -> Reckoned:
    """Threat Value, Size and cost of a finished machine."""
    design = hull_threat(rules, vehicle)
    pieces = bodies(vehicle)
    costs = [pre_production(threat(rules, body).value.value, size_of(rules, body).value) for body in pieces]
    before = together(rules, vehicle, "Pre-Production Cost", costs[0], costs[1:])
    if vehicle.components:  # the cost uses the same side as the Threat Value
        sums = [threat(rules, body).value.value for body in pieces]
        side = (
            costs[0]
            if sums[0] >= sum(sums[1:])
            else reckon(
                "Pre-Production Cost",
                *(term(body.name, cost) for body, cost in zip(pieces[1:], costs[1:], strict=True)),
                rule="sil-4.3.6-combiners",
            )
        )
        before = halved(vehicle, "Pre-Production Cost", side)
    more = tuple(multipliers(rules, vehicle))
    own = pieces[0] if morphs(vehicle) else vehicle
    usual = default_size(threat(rules, own).value.value)
    cost = [term("Pre-Production Cost", before), times("production", production_multiplier(rules, vehicle.production)), *more]
    if vehicle.tech_level:
        cost.append(times("Technical Level", tech_multiplier(vehicle.tech_level)))
    return Reckoned(
        threat_value=whole("Threat Value", term("design", design), *more, rule="sil-4.1.10-threat-value") if more else design,
        design_threat=design,
        default_size=usual,
        default_cost=default_cost(design.value),
        size=size_of(rules, own),
        mass=_whole_mass(rules, vehicle),
        pre_production=before,
        final_cost=whole("Final Cost", *cost, *extras_of(rules, vehicle.extras), rule=_FINAL),
    )


def _whole_mass(rules: Ruleset, vehicle: Vehicle) -> Derived[Figure]:
    """The mass of the whole machine: hull, sections and reaction mass."""
    worth = SCALES(rules)[vehicle.scale].worth
    terms = [term("empty" if not vehicle.sections else "main hull", mass_of(rules, vehicle, worth))]
    terms += [term(f"section {section.name}", mass_of(rules, section, worth)) for section in vehicle.sections]
    for body in (vehicle, *vehicle.sections):
        if body.reaction_mass != "none" and body.burn_points:
            terms.append(
                term("reaction mass", reaction_mass(rules, body.reaction_mass, body.burn_points, mass_of(rules, body, worth).value))
            )
    return reckon("Mass in kg", *terms, rule="sil-4.1.2-size-mass")


@rule("sil-4.1.14-final-cost")
def final_cost(rules: Ruleset, vehicle: Vehicle) -> Derived[int]:
    """The Final Cost: before production, times production, crew, drives and Technical Level, plus extras."""
    return reckoned(rules, vehicle).final_cost


@rule("sil-4.1.10-threat-value")
def threat_value(rules: Ruleset, vehicle: Vehicle) -> Derived[int]:
    """The Threat Value of a finished machine: of its bodies, times the quality of its crew and other multipliers."""
    return reckoned(rules, vehicle).threat_value


@rule("sil-4.3.2-large-vehicles")
def overall_size(rules: Ruleset, vehicle: Vehicle) -> Derived[Figure]:
    """The Size of a machine with all its sections, for collisions and transport: by their total mass."""
    masses = [term(body.name, mass_of(rules, body)) for body in (vehicle, *vehicle.sections)]
    mass = reckon("Mass of all sections", *masses)
    size = size_for(rules, mass.value)
    return reckon(
        "Overall Size", row("holds all sections", size.value, term("mass of all sections", mass)), rule="sil-4.3.2-large-vehicles"
    )
