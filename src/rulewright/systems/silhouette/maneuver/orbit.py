"""Reaching orbit and re-entry (book lines 4671-4695, 9208)."""

from fractions import Fraction
from math import ceil, sqrt

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Play, Reckoned, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, less, rounded_down, row, term, times, total
from rulewright.systems.silhouette.hazards.fire import effective_heat, fire_damage
from rulewright.systems.silhouette.machines.design.rounding import Figure, reckon
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT, steer
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, rolled, sum_of

_ORBIT, _REENTRY = "sil-5.2.3-orbit", "sil-5.2.3-reentry"
G = 9.81
"""One g in metres per second squared."""
DESCENT = 20
"""Rounds of a re-entry: ten minutes."""
EVERY = 5
"""Rounds between the tests of a craft built for re-entry."""
ARRIVES = 12
"""The altitude level at the end of a re-entry."""


# --- ascent ---------------------------------------------------------------------------------------------------------------------


@rule(_ORBIT)
def orbital_velocity(escape_velocity: float) -> Derived[Figure]:
    """The orbital velocity in metres per second: the escape velocity divided by 1.4."""
    if escape_velocity <= 0:
        raise UserError("the escape velocity must be above 0")
    return reckon("Orbital velocity in m/s", term("escape velocity", escape_velocity), divided("1.4", 1.4), rule=_ORBIT)


@rule(_ORBIT)
def required_velocity(escape_velocity: float, starting: float = 0, equator: bool = False) -> Derived[Figure]:
    """The velocity that a drive must add, in metres per second: the orbital velocity less the starting velocity, and a tenth less from
    the equator with the planet's rotation."""
    terms = [term("orbital velocity", orbital_velocity(escape_velocity)), less("at the start", starting)]
    if equator:
        terms.append(times("planet's rotation", 0.9))
    return reckon("Required velocity in m/s", *terms, rule=_ORBIT)


@rule(_ORBIT)
def climbing_acceleration(points: float, gravity: float = 1, flies: bool = False) -> Derived[Figure]:
    """Acceleration in m/s²: thrust (0.981 for each Movement Point: ruling) less gravity, or half of it for aircraft."""
    pull = [term("gravity in g", gravity), times("m/s² to a g", G)]
    if flies:
        pull.append(divided("half for aircraft", 2))
    derived = reckon("gravity", *pull)
    return reckon("Acceleration in m/s²", term("Movement Points", points), times("m/s² each", 0.981), less("gravity", derived), rule=_ORBIT)


class Climb(Struct, frozen=True):
    """An ascent to orbit: rounds of thrust (started ones count for fuel), minutes, Burn Points, and whether the fuel suffices."""

    rounds: float
    minutes: float
    burn_points: int
    enough: bool


@rule(_ORBIT)
def time_to_orbit(velocity: float, acceleration: float) -> float:
    """Rounds of thrust to orbit: the square root of the required velocity divided by the acceleration, as printed."""
    if acceleration <= 0:
        raise UserError("it cannot leave the ground: its thrust must be above gravity")
    return round(sqrt(max(0.0, velocity) / acceleration), 4)


@rule(_ORBIT)
def reach_orbit(
    points: float,
    escape_velocity: float,
    gravity: float = 1,
    burn_points: int = 0,
    starting: float = 0,
    equator: bool = False,
    flies: bool = False,
    overthrust: bool = False,
) -> Climb:
    """Compute a whole ascent: required velocity, acceleration, time, and the reaction mass of all started rounds (ruling), twice with
    overthrust."""
    velocity = required_velocity(escape_velocity, starting, equator).value
    rounds = time_to_orbit(velocity, climbing_acceleration(points, gravity, flies).value)
    burn = int(ceil(rounds) * ceil(Fraction(str(points))) * (2 if overthrust else 1))
    return Climb(rounds, round(rounds / 2, 4), burn, burn <= burn_points)


# --- re-entry -------------------------------------------------------------------------------------------------------------------


@rule(_REENTRY)
def reentry_heat(velocity: int) -> Derived[int]:
    """The Intensity of the fire on a re-entering craft: twenty for each hex a round of its velocity."""
    if velocity < 0:
        raise UserError("velocity must be 0 or more")
    return total("Intensity", term("velocity in hexes", velocity), times("twenty", 20), rule=_REENTRY)


@rule(_REENTRY)
def fire_on_hull(rules: Ruleset, intensity: int, fire_resistant: bool = False, name: str = "a craft") -> Play[Derived[Figure]]:
    """Resolve a Fire attack on a machine: the damage of fire to a person, and a tenth of it in machine scale (ruling). A fire-resistant
    hull first halves the Intensity, rounded down."""
    heat = total("Intensity", term("fire", intensity), *_halved(fire_resistant))
    pool = Pool(2, hero=False)
    result = yield from rolled(rules, pool, name, "fire damage")
    counted = effective_heat(rules, heat.value, fumble=result.fumble)
    dealt = fire_damage(rules, counted.value, result.total)
    damage = reckon("damage", term("fire", dealt), divided("scale of machines", 10, source="ruling"), rule=_REENTRY)
    roll = sum_of("two dice", pool, result, rule=_REENTRY)
    yield from Tell(Reckoned("fire", f"deals {figure(damage.value)} damage to {name}", "bad", (roll, damage.reason)))
    return damage


def _halved(fire_resistant: bool) -> tuple[Reason, ...]:
    return (divided("fire-resistant", 2, rule="sil-d-features"), rounded_down()) if fire_resistant else ()


@rule(_REENTRY)
def heat_this_round(
    rules: Ruleset, round: int, protected: bool = True, pilot: Pool = PILOT, name: str = "the pilot", mods: tuple[Mod, ...] = ()
) -> Play[bool]:
    """Test whether the fire reaches the hull in this round of the re-entry (from 1): always without re-entry systems; with them every
    fifth round, if Piloting against 2 fails, with all penalties for damage."""
    if not 1 <= round <= DESCENT:
        raise UserError(f"the round of a re-entry must be 1 to {DESCENT}")
    if not protected:
        return True
    if round % EVERY:
        return False
    return not (yield from steer(rules, pilot, 2, name, what="keeping the heat shield ahead", rule=_REENTRY, mods=mods)).passed


@rule(_REENTRY)
def burns_in_descent(rules: Ruleset, protected: bool = True, pilot: Pool = PILOT, name: str = "the pilot") -> Play[int]:
    """How many Fire attacks a whole re-entry of twenty rounds brings; afterwards it is at altitude level 12 and must stop its fall.

    A view of `heat_this_round`, which a battle plays round by round.
    """
    return (yield from sub(_descent, rules, 1, protected, pilot, name))


def _descent(rules: Ruleset, now: int, protected: bool, pilot: Pool, name: str) -> Play[int]:
    if now > DESCENT:
        return 0
    burnt = yield from heat_this_round(rules, now, protected, pilot, name)
    return int(burnt) + (yield from sub(_descent, rules, now + 1, protected, pilot, name))


@rule(_REENTRY)
def level_after_reentry() -> Derived[int]:
    """The altitude level at the end of a re-entry: 12, where flight, thrust or a parachute must stop the fall."""
    return total("Altitude level", row("after re-entry", ARRIVES), rule=_REENTRY)
