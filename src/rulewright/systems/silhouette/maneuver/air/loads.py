"""Loads in the air and in space, and flight on thrust alone (book lines 4568-4576, 4649-4651, 4665-4681)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules import rule
from rulewright.rules.reasons import Derived, at_least, divided, less, limited, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain, reckon

_AIR, _SPACE = "sil-5.2.2-air-towing", "sil-5.2.3-space-towing"
TENTHS = 10
"""Into so many parts a climb is divided by who wants rockets that grow lighter."""


class Loaded(Struct, frozen=True):
    """What a load does to an aircraft: its fastest speeds, and what Piloting loses."""

    combat: Figure
    top: Figure
    piloting: int


@rule(_AIR)
def lifts(mass: float, towing: int = 1) -> Derived[Figure]:
    """Kilograms that an aircraft lifts or tows: half its mass, twice or three times that with High Towing Capacity. Cargo fits inside,
    or hangs below what hovers; what is towed must fly by itself."""
    terms = [term("mass in kg", mass), divided("half", 2)]
    if towing != 1:
        terms.append(times("high towing capacity", towing, rule="sil-d-features"))
    return reckon("Lifts in kg", *terms, rule=_AIR)


@rule(_AIR)
def under_load(load: float, capacity: float, combat: float, top: float) -> Loaded:
    """An aircraft with a load: up to half of what it lifts changes nothing; up to three quarters it keeps to Combat Speed at -1 to
    Piloting; up to all of it, to half Combat Speed (rounded down, as half speed is) at -2."""
    if load < 0 or capacity < 0:
        raise UserError("neither a load nor a capacity is below 0")
    if load > capacity:
        raise UserError(f"it lifts {capacity:g} kg at most, not {load:g}")
    if exact(load) * 2 <= exact(capacity):
        return Loaded(combat, top, 0)
    if exact(load) * 4 <= exact(capacity) * 3:
        return Loaded(combat, combat, -1)
    half = int(combat // 2)
    return Loaded(half, half, -2)


@rule(_AIR)
def thrust_flight(space_points: float, gravity: float = 1) -> Derived[int]:
    """Air Movement Points of a craft that flies on thrust alone: its Space Movement Points less ten for each g of local gravity, which
    only hold it up. Reaction mass burns as always."""
    if gravity < 0:
        raise UserError("gravity is never below 0")
    holding = total("holds it up", term("gravity in g", gravity), times("Movement Points to a g", 10), rounded_up())
    terms = term("Space Movement Points", space_points), less("gravity", holding)
    return limited("Air Movement Points", *terms, limit=at_least(0), rule=_AIR)


class Boosted(Struct, frozen=True):
    """A speed with thrust added to it, and what the Maneuver loses by it."""

    points: Figure
    maneuver: int


@rule(_AIR)
def boosted(points: float, thrust: float) -> Boosted:
    """Thrust beside another way to move: added to its speed, and above one and a half times the usual at -1 Maneuver."""
    both = exact(points) + exact(thrust)
    return Boosted(plain(both), -1 if both * 2 > exact(points) * 3 else 0)


@rule(_SPACE)
def towing_points(mass: float, points: float, load: float) -> Derived[int]:
    """Space Movement Points with a load: mass times points, by the mass of all of it, rounded down."""
    if mass <= 0 or load < 0 or points < 0:
        raise UserError("a vessel has a mass, and neither load nor Movement Points are below 0")
    together = total("mass of both", term("vessel", mass), term("load", load))
    terms = term("mass in kg", mass), times("Movement Points", points), divided("mass of all", together), rounded_down()
    return total("Movement Points", *terms, rule=_SPACE)


@rule(_SPACE)
def lighter_rocket(mass: float, points: float, dropped: float) -> Derived[int]:
    """For those who want it exact: Movement Points after reaction mass or stages of so many kilograms are gone, reckoned as for towing;
    a climb is divided into ten parts."""
    if not 0 <= dropped < mass or points < 0:
        raise UserError("less is dropped than there is")
    left = total("mass left", term("mass in kg", mass), less("gone", dropped))
    terms = term("mass in kg", mass), times("Movement Points", points), divided("mass left", left), rounded_down()
    return total("Movement Points", *terms, rule=_SPACE)


@rule(_SPACE)
def burning_climb(mass: float, points: float, fuel: float) -> tuple[int, ...]:
    """The Movement Points of a rocket at the beginning of each tenth of a climb that burns so many kilograms."""
    return tuple(lighter_rocket(mass, points, plain(exact(fuel) * part / TENTHS)).value for part in range(TENTHS))
