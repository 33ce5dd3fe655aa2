"""Flight: altitude, turn radius, tight turns and sideslips (book lines 4489-4519)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, limited, rounded_up, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, reckon, whole
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.air.control import Slip, lost_control
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT, steer
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, attribute_pool

_BASICS, _TURN = "sil-5.2.2-air-basics", "sil-5.2.2-turn-radius"
LEVEL = 250
"""Metres of an altitude level and of a hex."""
CLIMB, DROP = 3, 1
"""Movement Points for a level up and a level down."""
STRATOSPHERE = 48
"""The highest level of normal air: twelve kilometres."""
SLOW, FAST = 6, 20
"""Speeds below which an aircraft turns tighter, and above which it turns wider."""
MANY_SLIPS = 5
"""Sideslips a round that cost no level."""
NAP_OF_EARTH = "nap-of-earth flyer"

Severity = Literal["heavy", "overkill"]


# --- altitude -------------------------------------------------------------------------------------------------------------------


@rule(_BASICS)
def altitude_cost(levels: int) -> Derived[int]:
    """Movement Points for a change of altitude: three for each level up, one for each level down."""
    up = levels >= 0
    counted = term("levels up" if up else "levels down", abs(levels))
    return total("Movement Points", counted, times("for each", CLIMB if up else DROP), rule=_BASICS)


@rule(_BASICS)
def levels_in(metres: float) -> Derived[int]:
    """The altitude levels of a height in metres: 250 each. By id only."""
    return whole("Altitude levels", term("metres", metres), divided("metres to a level", LEVEL), rule=_BASICS, to="down")


@rule(_BASICS)
def highest_level(machine: Machine) -> Derived[int]:
    """The highest level of an aircraft: twelve kilometres less its Maximum Ceiling, or fifty with Stratospheric Flight."""
    if machine.has("stratospheric flight") is not None:
        terms = [term("kilometres, stratospheric flight", 50, rule="sil-d-features")]
    else:
        terms = [term("kilometres", 12)]
        low = sum(flaw.rating or 0 for flaw in machine.flaws if flaw.name == "maximum ceiling")
        terms += [less("maximum ceiling", low, rule="sil-e-movement-flaws")] if low else []
    return total("Highest level", *terms, at_least(0), times("levels to a kilometre", 1000 // LEVEL), rule=_BASICS)


@rule(_BASICS)
def lowest_level(machine: Machine, hovering: bool = False) -> int:
    """The lowest safe level above the ground: one, or nap-of-earth height for craft built for it and for hovering craft
    (ruling)."""
    return 0 if machine.has(NAP_OF_EARTH) is not None or (hovering and is_vtol(machine)) else 1


@rule(_BASICS)
def air_points(points: float, level: int) -> Derived[Figure]:
    """Movement Points in the air: doubled in thin air, above twelve kilometres. By id only."""
    terms = [term("Movement Points", points)]
    if level > STRATOSPHERE:
        terms.append(times("in the stratosphere", 2, rule="sil-d-features"))
    return reckon("Movement Points", *terms, rule=_BASICS)


@rule(_BASICS)
def crash_of(top_speed: bool = False) -> Severity:
    """The severity of flying too low: Heavy Damage at Combat Speed, Overkill at Top Speed, without a roll."""
    return "overkill" if top_speed else "heavy"


@rule(_BASICS)
def ahead_before_climbing(machine: Machine) -> int:
    """Movement Points ahead that each level of climbing needs first, by the Maximum Climbing Angle."""
    flaw = machine.has("maximum climbing angle")
    return (flaw.rating or 0) if flaw is not None else 0


def is_vtol(machine: Machine) -> bool:
    """Whether an aircraft can hover."""
    way = machine.way("air")
    return way is not None and (not way.stall or machine.has("lighter-than-air") is not None)


# --- turning --------------------------------------------------------------------------------------------------------------------


@rule(_TURN)
def turn_radius(rules: Ruleset, maneuver: int, speed: float, vtol: bool = False) -> Derived[int]:
    """Hexes straight ahead before a turn of one hexside: one, plus one for each point of negative Maneuver (or for every two, as in the
    examples: ruling "turn-radius"); one less below a speed of 6, one more above 20. At 0 it turns like a hovering craft."""
    if vtol:
        return total("Turn radius", row("hovers", 0), rule=_TURN)
    clumsy = [term("negative Maneuver", max(0, -maneuver))]
    if rules.word("turn-radius") == "as in the examples":
        clumsy += [divided("half of it", 2), rounded_up()]
    terms = [*clumsy, term("base", 1)]
    if speed < SLOW:
        terms.append(less("slower than 6", 1))
    elif speed > FAST:
        terms.append(term("faster than 20", 1))
    return limited("Turn radius", *terms, limit=at_least(0), rule=_TURN)


class TightTurn(Struct, frozen=True):
    """The result of a tight turn: whether it was flown, the control loss, actions lost by the crew, and whether the pilot is
    unconscious for the round."""

    made: bool
    slip: Slip | None = None
    actions: int = 0
    blackout: bool = False


@rule(_TURN)
def tight_turn_threshold(actual: int, attempted: int) -> Derived[int]:
    """The Threshold of a tighter turn: 3 plus the hexes by which it is tighter."""
    if not 0 <= attempted < actual:
        raise UserError(f"a turn tighter than {count(actual, 'hex')} takes 0 to {actual - 1}, not {attempted}")
    return total("Threshold", term("tight turn", 3), term("turn radius", actual), less("attempted", attempted), rule=_TURN)


@rule(_TURN)
def tight_turn(
    rules: Ruleset,
    pilot: Pool = PILOT,
    fitness: int = 0,
    actual: int = 2,
    attempted: int = 1,
    protected: bool = False,
    nap_of_earth: bool = False,
    name: str = "the pilot",
    mods: tuple[Mod, ...] = (),
) -> Play[TightTurn]:
    """Resolve a turn tighter than the craft allows: Piloting, or control is lost; and Fitness against the same Threshold, or an action is
    lost, and on a fumble the pilot passes out. Acceleration protection adds 1 to the second test."""
    threshold = tight_turn_threshold(actual, attempted).value
    flown = yield from steer(rules, pilot, threshold, name, what="a tight turn", rule=_TURN, mods=mods)
    slip = None
    if not flown.passed or flown.fumble:  # 4543: a fumbled Piloting test loses control
        slip = yield from lost_control(rules, flown.failed_by, nap_of_earth, name=name)
    guard = (Mod("acceleration protection", 1, "sil-d-accessories"),) if protected else ()
    body = attribute_pool(rules, fitness, "fitness", guard)
    stood = yield from steer(
        rules, body, threshold, name, what="withstanding the acceleration", rule=_TURN, skill="Fitness", fumble_line=4513
    )
    return TightTurn(flown.passed, slip, 0 if stood.passed else 1, stood.fumble)


@rule(_TURN)
def levels_slipped(sideslips: int) -> int:
    """Altitude levels lost by sideslips (one hex ahead to the left or right, for a point each): one if there are more than five a round."""
    return 1 if sideslips > MANY_SLIPS else 0
