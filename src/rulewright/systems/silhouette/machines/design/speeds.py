"""Movement: Top and Combat Speed, kilometres per hour, thrust (book lines 2901-2951, 3737-3792)."""

from fractions import Fraction
from math import ceil

from rulewright.errors import UserError
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, rounded_up, term, times
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain, reckon, whole
from rulewright.systems.silhouette.machines.tables import MOVEMENT
from rulewright.systems.silhouette.machines.vehicle import Movement, MoveType

_ID = "sil-4.1.5-speed"


@rule("sil-4.1.5-speed")
def combat_speed(top: float) -> Derived[Figure]:
    """Half the Top Speed, rounded up; a Top Speed with tenths is halved to tenths."""
    if top < 0:
        raise UserError(f"the Top Speed must be 0 or more, not {top:g}")
    half = exact(top) / 2
    step = 1 if exact(top).denominator == 1 else 10 if exact(top) * 10 == int(exact(top) * 10) else 1000
    value = Fraction(ceil(half * step), step)
    terms = [term("Top Speed", top), term("half", 2, "÷")]
    if value != half:
        terms.append(rounded_up(plain(Fraction(1, step))))
    return reckon("Combat Speed", *terms, rule=_ID)


@rule("sil-4.1.5-speed")
def kilometres_an_hour(rules: Ruleset, points: float, movement: MoveType = "ground") -> Derived[Figure]:
    """Movement Points as kilometres per hour: six for each on land and water, thirty in the air. Space counts acceleration instead."""
    row = MOVEMENT(rules)[movement]
    if movement == "space":
        raise UserError("in space Movement Points are acceleration (0.1 g each), not speed")
    return reckon("km/h", term("Movement Points", points), times(f"km/h each ({movement})", row.kph), rule=_ID)


@rule("sil-4.1.5-speed")
def acceleration(points: float) -> Derived[Figure]:
    """Thrust in g: a tenth for each Movement Point."""
    return reckon("Acceleration in g", term("Movement Points", points), times("tenths of a g", 0.1), rule=_ID)


@rule("sil-4.3.1-small-vehicles")
def metres_a_turn(kph: float) -> Derived[int]:
    """Metres in a turn of six seconds: 1.65 for each kilometre per hour, rounded. By id only."""
    return whole("Metres a turn", term("km/h", kph), times("metres for each", 1.65), rule="sil-4.3.1-small-vehicles")


def shown_speed(rules: Ruleset, movement: Movement, points: float) -> str:
    """A speed in words: Movement Points with kilometres per hour, or thrust in g."""
    if movement.type == "space":
        return f"{points:g} MP ({acceleration(points).value:g} g)"
    return f"{points:g} MP ({kilometres_an_hour(rules, points, movement.type).value:g} km/h)"
