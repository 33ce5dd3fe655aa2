"""Loads in air and space, and flight on thrust alone (book lines 4568-4576, 4649-4651, 4665-4681)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.rules import rule
from rulewright.rules.reasons import Derived, at_least, divided, less, limited, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain, reckon

_AIR, _SPACE = "sil-5.2.2-air-towing", "sil-5.2.3-space-towing"
TENTHS = 10
"""The number of parts of a climb, for rockets that get lighter."""


class Loaded(Struct, frozen=True):
    """The effect of a load on an aircraft: its top speeds and the Piloting modifier."""

    combat: Figure
    top: Figure
    piloting: int


@rule(_AIR)
def lifts(mass: float, towing: int = 1) -> Derived[Figure]:
    """Kilograms that an aircraft lifts or tows: half its mass, twice or three times that with High Towing Capacity. Cargo fits inside,
    or hangs below a hovering craft; a towed craft must fly by itself."""
    terms = [term("mass in kg", mass), divided("half", 2)]
    if towing != 1:
        terms.append(times("high towing capacity", towing, rule="sil-d-features"))
    return reckon("Lifts in kg", *terms, rule=_AIR)


@rule(_AIR)
def under_load(load: float, capacity: float, combat: float, top: float) -> Loaded:
    """An aircraft with a load: up to half its capacity has no effect; up to three quarters limits it to Combat Speed at -1 to
    Piloting; up to all of it, to half Combat Speed (rounded down, like half speed) at -2."""
    if load < 0 or capacity < 0:
        raise UserError("load and capacity must be 0 or more")
    if load > capacity:
        raise UserError(f"the load is at most {figure(capacity)} kg, not {figure(load)}")
    if exact(load) * 2 <= exact(capacity):
        return Loaded(combat, top, 0)
    if exact(load) * 4 <= exact(capacity) * 3:
        return Loaded(combat, combat, -1)
    half = int(combat // 2)
    return Loaded(half, half, -2)


@rule(_AIR)
def thrust_flight(space_points: float, gravity: float = 1) -> Derived[int]:
    """Air Movement Points of a craft that flies on thrust alone: its Space Movement Points less ten for each g of local gravity.
    Reaction mass burns as usual."""
    if gravity < 0:
        raise UserError("gravity must be 0 or more")
    holding = total("hovering", term("gravity in g", gravity), times("Movement Points to a g", 10), rounded_up())
    terms = term("Space Movement Points", space_points), less("gravity", holding)
    return limited("Air Movement Points", *terms, limit=at_least(0), rule=_AIR)


class Boosted(Struct, frozen=True):
    """A speed with added thrust, and the loss of Maneuver."""

    points: Figure
    maneuver: int


@rule(_AIR)
def boosted(points: float, thrust: float) -> Boosted:
    """Thrust added to another movement type: its speed grows, with Maneuver -1 above one and a half times the normal speed."""
    both = exact(points) + exact(thrust)
    return Boosted(plain(both), -1 if both * 2 > exact(points) * 3 else 0)


@rule(_SPACE)
def towing_points(mass: float, points: float, load: float) -> Derived[int]:
    """Space Movement Points with a load: mass times points, divided by the total mass, rounded down."""
    if mass <= 0 or load < 0 or points < 0:
        raise UserError("mass must be above 0, load and Movement Points 0 or more")
    together = total("total mass", term("vessel", mass), term("load", load))
    terms = term("mass in kg", mass), times("Movement Points", points), divided("total mass", together), rounded_down()
    return total("Movement Points", *terms, rule=_SPACE)


@rule(_SPACE)
def lighter_rocket(mass: float, points: float, dropped: float) -> Derived[int]:
    """Movement Points after dropping reaction mass or stages of so many kilograms, computed as for towing (optional detail); a climb
    has ten parts."""
    if not 0 <= dropped < mass or points < 0:
        raise UserError("the dropped mass must be less than the whole mass")
    left = total("mass left", term("mass in kg", mass), less("dropped", dropped))
    terms = term("mass in kg", mass), times("Movement Points", points), divided("mass left", left), rounded_down()
    return total("Movement Points", *terms, rule=_SPACE)


@rule(_SPACE)
def burning_climb(mass: float, points: float, fuel: float) -> tuple[int, ...]:
    """The Movement Points of a rocket at the beginning of each tenth of a climb that burns so many kilograms. By id only."""
    return tuple(lighter_rocket(mass, points, plain(exact(fuel) * part / TENTHS)).value for part in range(TENTHS))
