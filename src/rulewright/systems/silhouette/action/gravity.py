"""Weight in a fight: footing and speed under another gravity, free fall, and what a shot or blow does there (book lines 5786-5820)."""

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, divided, row, term, times, total
from rulewright.systems.silhouette.action.movement import Gait, speed
from rulewright.systems.silhouette.people.secondary_attributes import MASS, capacity
from rulewright.systems.silhouette.resolution.tests import Mod

_MOVE, _SPEED, _RECOIL = "sil-6.2.7-gravity-movement", "sil-6.2.7-freefall-speed", "sil-6.2.7-freefall-combat"
FREE_FALL = 0.1
"""Below so many g everything floats."""
MOST_GRAVITY = 20
SECONDS = 6
"""Of a round."""
AT_HAND = 1.5
"""Metres within which somebody who floats can take hold of something, or push against it."""


def floats(gravity: float) -> bool:
    """Whether there is too little gravity to stand."""
    return gravity < FREE_FALL


# --- low and high gravity -----------------------------------------------------------------------------------------------------


@rule(_MOVE)
def footing(gravity: float = 1) -> Derived[int]:
    """What gravity costs on tests of Agility to move: 1 from a tenth of a g to below one, and 1 for each full g above the first."""
    if floats(gravity):
        raise UserError("below 0.1 g everybody is in free fall: use the rule for free-fall push-off speed")
    value = -1 if gravity < 1 else -int(gravity - 1)
    return total("Agility tests to move", term("low gravity" if gravity < 1 else "full g above one", value), rule=_MOVE)


@rule(_MOVE)
def move_rate_at(rules: Ruleset, gait: Gait = "jogging", fitness: int = 0, athletics: int = 0, gravity: float = 1) -> Derived[float]:
    """Metres a round at a pace under this gravity: the usual rate divided by it. A view of `rate_in`."""
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
    """Metres a round that somebody goes who goes so many under one g."""
    return metres if gravity == 1 else metres / gravity


FIRM = Mod("footing", 0)


def footing_in(rules: Ruleset, gravity: float, moving: bool = False) -> Mod:
    """What gravity costs on a test of Agility in a fight: to move, and to get out of the way (ruling "footing"); nothing in free fall,
    where nobody stands."""
    if gravity == 1 or floats(gravity) or (not moving and rules.word("footing") == "moving only"):
        return FIRM
    return Mod("footing", footing(gravity).value, _MOVE)


# --- free fall ----------------------------------------------------------------------------------------------------------------


@rule(_SPEED)
def push_off(rules: Ruleset, strength: int = 0, build: int = 0, body_kg: float | None = None, load_kg: float = 0) -> Derived[float]:
    """The most metres a second somebody reaches in free fall: four times what they can lift, over their own mass, squared; with a load
    times their own mass over both. Without a mass given, that of the lightest body of the Build counts."""
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
    """Metres a second that a shot pushes an unbraced shooter back, a hundredth for each point of its Damage Multiplier; a blow in close
    combat drives both fighters apart by as much."""
    if damage_multiplier < 0 or shots < 0:
        raise UserError("damage and shots must be at least 0")
    if braced:
        return total("metres per second", row("braced", 0), rule=_RECOIL)
    terms = (term("Damage Multiplier", damage_multiplier), times("shots", shots), divided("a hundredth", 100))
    return total("metres per second", *terms, rule=_RECOIL)


@rule(_RECOIL)
def driven_apart(damage_multiplier: int, first_braced: bool = False, second_braced: bool = False) -> tuple[float, float]:
    """How fast a blow in close combat drives each of two fighters back, in opposite directions. A view of `recoil`, of both at once."""
    return recoil(damage_multiplier, first_braced).value, recoil(damage_multiplier, second_braced).value
