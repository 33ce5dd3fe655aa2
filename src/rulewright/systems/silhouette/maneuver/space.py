"""Space: vectors, thrust, facing and reaction mass (book lines 4598-4653)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.geometry.hexes import axial, by_column
from rulewright.grammar import count
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, less, rounded_down, rounded_up, row, term, times, total
from rulewright.systems.silhouette.machines.machine import Machine

_ID = "sil-5.2.3-vectors"
Axis = Literal["X", "Y", "Z", "V"]
AXES: tuple[Axis, ...] = ("X", "Y", "Z")
FASTEST = 100_000
_TO = {"X": (-1, 0), "Y": (0, -1), "Z": (1, -1)}
"""The map axes of a point along each vector axis: to the upper left, to the top, to the upper right."""
SIDES: dict[int, tuple[Axis, int]] = {0: ("Y", 1), 1: ("Z", 1), 2: ("X", -1), 3: ("Y", -1), 4: ("Z", -1), 5: ("X", 1)}
"""The axis and sign of a thrust towards each hexside, from the top clockwise."""


class Vector(Struct, frozen=True):
    """A velocity: hexes a round along the three axes of the map, and optionally up and down (V)."""

    x: int = 0
    y: int = 0
    z: int = 0
    v: int = 0

    def __post_init__(self) -> None:
        if max(abs(self.x), abs(self.y), abs(self.z), abs(self.v)) > FASTEST:
            raise UserError(f"a vector can be at most {FASTEST:,} hexes a round along each axis")

    @property
    def drift(self) -> tuple[int, int]:
        """Its drift in a round along the map axes; two of the vector's axes make the third."""
        q = sum(part * _TO[axis][0] for axis, part in zip(AXES, (self.x, self.y, self.z), strict=True))
        r = sum(part * _TO[axis][1] for axis, part in zip(AXES, (self.x, self.y, self.z), strict=True))
        return q, r

    @property
    def speed(self) -> int:
        """Hexes of the map a round."""
        q, r = self.drift
        return max(abs(q), abs(r), abs(q + r))

    def __str__(self) -> str:
        parts = [f"{part:+d}{axis}" for axis, part in (("X", self.x), ("Y", self.y), ("Z", self.z), ("V", self.v)) if part]
        return " ".join(parts) or "at rest"


STILL = Vector()


class FacingRow(TableRow, frozen=True):
    """The cost of turning from this Maneuver up: for one, two and three hexsides."""

    maneuver: int
    one: int
    two: int
    three: int


FACING = Table(_ID, FacingRow)


@rule(_ID)
def thrust(vector: Vector = STILL, axis: Axis = "Y", points: int = 1) -> Vector:
    """A vector after thrust along an axis; opposite thrust first cancels what is there."""
    return replace(vector, **{axis.lower(): getattr(vector, axis.lower()) + points})


@rule(_ID)
def thrust_needed(before: Vector = STILL, after: Vector = STILL) -> Derived[int]:
    """Movement Points to change one vector into another: one for every point of every axis. A detour over another axis may be cheaper,
    since two of them make the third. A view of `thrust`."""
    parts = (("X", after.x - before.x), ("Y", after.y - before.y), ("Z", after.z - before.z), ("V", after.v - before.v))
    terms = [term(f"along {axis}", abs(change)) for axis, change in parts if change]
    return total("Movement Points", *(terms or [row("unchanged", 0)]), rule=_ID)


@rule(_ID)
def drifted(column: int, line: int, vector: Vector = STILL) -> tuple[int, int]:
    """The hex of a craft after a round: its old place plus the whole vector (ruling: neighbouring axes as drawn on the map)."""
    q, r = axial((column, line))
    dq, dr = vector.drift
    return by_column((q + dq, r + dr))


@rule(_ID)
def thrust_points(machine: Machine, overthrust: bool = False) -> int:
    """Movement Points of a round: Thrust or Overthrust, rounded down; fractions are saved up."""
    way = machine.way("space")
    if way is None:
        raise UserError(f"{machine.name} has no space drive")
    return int(way.top if overthrust else way.combat)


@rule(_ID)
def rounds_for_a_point(points: float) -> Derived[int]:
    """Rounds in which a weak drive saves up one Movement Point. By id only."""
    if points <= 0:
        raise UserError("the thrust must be above 0")
    if points >= 1:
        return total("Rounds", row("at least one a round", 1), rule=_ID)
    return total("Rounds", term("a Movement Point", 1), divided("thrust a round", points), rounded_up(), rule=_ID)


@rule(_ID)
def saved_thrust(points: float, rounds: int, spent: int = 0) -> Derived[int]:
    """Whole Movement Points that a weak drive has saved after so many rounds. By id only."""
    return total("Movement Points", term("thrust a round", points), times("rounds", rounds), less("spent", spent), rounded_down(), rule=_ID)


@rule(_ID)
def facing_cost(rules: Ruleset, maneuver: int, sides: int) -> Derived[int]:
    """Movement Points for turning by one, two or three hexsides, by Maneuver; it burns no fuel (ruling)."""
    if not 0 <= sides <= 3:
        raise UserError(f"a craft turns by 0 to 3 hexsides, not {sides}")
    if not sides:
        return total("Movement Points", row("no turn", 0), rule=_ID)
    rows = sorted(FACING(rules).values(), key=lambda item: item.maneuver)
    facing_row = next((facing_row for facing_row in reversed(rows) if facing_row.maneuver <= maneuver), rows[0])
    cost = (facing_row.one, facing_row.two, facing_row.three)[sides - 1]
    label = f"{count(sides, 'hexside')} at Maneuver {maneuver:+d}"
    return total("Movement Points", row(label, cost, source=facing_row.source), rule=_ID)


def sides_between(number: int, other: int) -> int:
    """Hexsides from one facing to another, the short way."""
    return min((other - number) % 6, (number - other) % 6)


@rule(_ID)
def burned(points: int, overthrust: bool = False) -> Derived[int]:
    """Burn Points for so many Movement Points of thrust: one each, two with overthrust (ruling: for all of the round)."""
    terms = [term("thrust", points)]
    if overthrust:
        terms.append(times("overthrust", 2))
    return total("Burn Points", *terms, rule=_ID)


@rule(_ID)
def most_thrust(machine: Machine, burn_points: int, overthrust: bool = False) -> int:
    """Movement Points that can change the vector now: those of the drive, as far as reaction mass lasts. A view of `thrust_points`."""
    return max(0, min(thrust_points(machine, overthrust), burn_points // (2 if overthrust else 1)))
