"""Gravity in a fight: footing and speed, free fall, recoil of shots and blows (book lines 5786-5820)."""

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, divided, row, term, times, total
from rulewright.systems.silhouette.action.movement import Gait, speed
from rulewright.systems.silhouette.people.secondary_attributes import MASS, capacity
from rulewright.systems.silhouette.resolution.tests import Mod

_MOVE, _SPEED, _RECOIL = "sil-6.2.7-gravity-movement", "sil-6.2.7-freefall-speed", "sil-6.2.7-freefall-combat"
FREE_FALL = 0.1
"""Below this gravity, in g, everything floats."""
MOST_GRAVITY = 20
SECONDS = 6
"""Seconds of a round."""
AT_HAND = 1.5
"""Metres within which a floating character can grab something or push off from it."""


def floats(gravity: float) -> bool:
    """Whether gravity is too low to stand."""
    return gravity < FREE_FALL


# --- low and high gravity -----------------------------------------------------------------------------------------------------


@rule(_MOVE)
def footing(gravity: float = 1) -> Derived[int]:
    """Returns the modifier on Agility tests to move: -1 from 0.1 g to below 1 g, and -1 for each full g above the first."""
    if floats(gravity):
        raise UserError("below 0.1 g everybody is in free fall: use the rule for free-fall push-off speed")
    value = -1 if gravity < 1 else -int(gravity - 1)
    return total("Agility tests to move", term("low gravity" if gravity < 1 else "full g above one", value), rule=_MOVE)


@rule(_MOVE)
def move_rate_at(rules: Ruleset, gait: Gait = "jogging", fitness: int = 0, athletics: int = 0, gravity: float = 1) -> Derived[float]:
    """Returns metres per round at a pace under this gravity: the usual rate divided by it. A view of `rate_in`."""
    if gravity <= 0:
        raise UserError("walking needs gravity above 0")
    usual = speed(rules, gait, fitness, athletics)
    return total(
        f"{gait}, metres per round",
        term("at one g", float(usual), rule="sil-3.2.2-move-rates"),
        divided("gravity", gravity),
        rule=_MOVE,
    )


def rate_in(metres: float, gravity: float) -> float:
    """Converts metres per round at one g to this gravity."""
    return metres if gravity == 1 else metres / gravity


FIRM = Mod("footing", 0)


def footing_in(rules: Ruleset, gravity: float, moving: bool = False) -> Mod:
    """Returns the modifier of gravity on Agility tests in a fight, to move and to dodge (ruling "footing"); 0 in free fall."""
    if gravity == 1 or floats(gravity) or (not moving and rules.word("footing") == "moving only"):
        return FIRM
    return Mod("footing", footing(gravity).value, _MOVE)


# --- free fall ----------------------------------------------------------------------------------------------------------------


@rule(_SPEED)
def push_off(rules: Ruleset, strength: int = 0, build: int = 0, body_kg: float | None = None, load_kg: float = 0) -> Derived[float]:
    """Returns the highest speed of a push in free fall, in metres per second: (4 × lifting capacity ÷ body mass) squared; with a load,
    times the share of the body in the whole mass. Without a given mass, the lightest body of the Build counts."""
    mass = body_kg if body_kg is not None else MASS.get(rules, str(build)).kg_from
    if mass <= 0 or load_kg < 0:
        raise UserError("the body mass must be above 0 and the load at least 0")
    lift = 4 * capacity(rules, strength).lift
    return total(
        "metres per second",
        term("four times the lifting capacity", lift),
        times("lifting capacity again", lift),
        divided("body mass", mass),
        divided("body mass and load", mass + load_kg),
        rule=_SPEED,
    )


@rule(_RECOIL)
def recoil(damage_multiplier: int, braced: bool = False, shots: int = 1) -> Derived[float]:
    """Returns the speed at which a shot pushes an unbraced shooter back: 0.01 metres per second for each point of Damage Multiplier; a
    blow in close combat pushes both fighters apart by as much."""
    if damage_multiplier < 0 or shots < 0:
        raise UserError("damage and shots must be at least 0")
    if braced:
        return total("metres per second", row("braced", 0), rule=_RECOIL)
    terms = (term("Damage Multiplier", damage_multiplier), times("shots", shots), divided("a hundredth", 100))
    return total("metres per second", *terms, rule=_RECOIL)


@rule(_RECOIL)
def driven_apart(damage_multiplier: int, first_braced: bool = False, second_braced: bool = False) -> tuple[float, float]:
    """Returns the speeds at which a blow pushes two fighters apart. A view of `recoil`, of both at once."""
    return recoil(damage_multiplier, first_braced).value, recoil(damage_multiplier, second_braced).value
