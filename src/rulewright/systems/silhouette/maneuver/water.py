"""Under water: depth, pressure, hovering, inertia and sea beds (book lines 4462-4487, 4517)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Reckoned, Tell
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, limited, rounded_up, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, whole
from rulewright.systems.silhouette.machines.design.trait_effects import DEPTHS
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.piloting_tests import a_die
from rulewright.systems.silhouette.resolution.tests import Pool, rolled, sum_of

_ID = "sil-5.2.1-underwater"
LEVEL = 50
"""Metres of a depth level and of a hex."""
CHANGE = 2
"""Movement Points for a level up or down."""
RISE = 3
"""Levels a round of an emergency surfacing."""
CRUSHING = 4
"""The Threshold of pressure and hot water."""
GEAR = {"none": 0, "diving gear": 2, "advanced diving gear": 5}
DIVER = Literal["none", "diving gear", "advanced diving gear"]


class BedRow(TableRow, frozen=True):
    """Deep water: the cost of a hex on the bottom and for swimmers, and the height of growth or hot water."""

    terrain: str
    crawler: int | None = None
    submarine: int | None = None
    obscurement: int = 0
    dice: Literal["", "half", "whole"] = ""


BEDS = Table(_ID, BedRow)


# --- depth ----------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def depth_level(metres: float) -> Derived[int]:
    """The depth level of so many metres: the surface is 0, each started fifty metres below it one more. By id only."""
    if metres < 0:
        raise UserError(f"a depth must be 0 or more metres, not {metres:g}")
    return total("Depth level", term("metres", metres), divided("metres to a level", LEVEL), rounded_up(), rule=_ID)


@rule(_ID)
def safe_level(crush_depth: float) -> Derived[int]:
    """The deepest safe level: the Crush Depth in metres divided by fifty, rounded up."""
    return total(
        "Safe depth level", term("Crush Depth in metres", crush_depth), divided("metres to a level", LEVEL), rounded_up(), rule=_ID
    )


@rule(_ID)
def divers_level(gear: DIVER = "none") -> int:
    """The deepest safe level of a diver: 2 with diving gear, 5 with the best; 0 without. By id only."""
    return GEAR[gear]


@rule(_ID)
def crush_depth_of(machine: Machine, armor: float | None = None) -> Derived[Figure]:
    """The Crush Depth of a machine in metres, by its remaining Armor and its best protection; submarine movement includes the least."""
    kept = {perk.name.removeprefix("hostile environment: ") for perk in machine.perks}
    if machine.way("submarine") is not None or "all" in kept:
        kept.add("pressure")
    best = max((DEPTHS[text] for text in kept if text in DEPTHS), default=0)
    return total("Crush Depth", term("Armor", machine.armor if armor is None else armor), times("metres for each", best), rule=_ID)


@rule(_ID)
def depth_cost(levels: int) -> Derived[int]:
    """Movement Points of a submarine for so many levels up or down: two each."""
    return total("Movement Points", term("levels", abs(levels)), times("for each", CHANGE), rule=_ID)


@rule(_ID)
def emergency_surfacing(level: int, rounds: int = 1) -> Derived[int]:
    """The level after so many rounds with flushed tanks: three up in each until the surface."""
    free = term("before", level), less("risen", RISE * rounds)
    return limited("Depth level", *free, limit=at_least(0, "the surface"), rule=_ID)


@rule(_ID)
def reset_rounds(size: float) -> Derived[int]:
    """Rounds on the surface before flushed tanks work again: two minutes for each point of Size, which are four rounds."""
    return whole("Rounds on the surface", term("Size", size), times("rounds for each", 4), rule=_ID, to="up")


# --- pressure -------------------------------------------------------------------------------------------------------------------


class Pressed(Struct, frozen=True):
    """The effect of pressure: its margin, and the damage against Armor."""

    margin: int
    damage: int


def _roll_pressure(rules: Ruleset, dice: int, factor: int, name: str, what: str) -> Play[Pressed]:
    pool = Pool(dice, hero=False)
    result = yield from rolled(rules, pool, name, what)
    margin = max(0, result.total - CRUSHING)
    damage = total("damage", term("Margin of Success", margin), times("depth level" if what == "the pressure" else "ten", factor), rule=_ID)
    sums = sum_of(what, pool, result, rule=_ID), Reason("Threshold", CRUSHING, "against", _ID)
    if damage.value > 0:
        told = Reckoned(what, f"deals {damage.value} damage to {name}", "bad", (*sums, damage.reason))
    else:
        told = Reckoned(name, f"withstands {what}", sums=sums)
    yield from Tell(told)
    return Pressed(margin, damage.value)


@rule(_ID)
def pressure(rules: Ruleset, depth: int, safe: int, name: str = "a vessel") -> Play[Pressed]:
    """Roll a round below the safe depth: a die for each level beyond it against 4; the damage is the margin times the depth level."""
    if depth < 0 or safe < 0:
        raise UserError("depth levels must be 0 or more")
    if depth <= safe:
        return Pressed(0, 0)
    return (yield from _roll_pressure(rules, depth - safe, depth, name, "the pressure"))


@rule(_ID)
def vent_scald(rules: Ruleset, protected: bool = False, name: str = "a crawler") -> Play[Pressed]:
    """Roll the attack of a thermal vent on a crawler without heat protection: three dice against 4 (ruling), ten times the margin."""
    if protected:
        return Pressed(0, 0)
    return (yield from _roll_pressure(rules, 3, 10, name, "the scalding water"))


# --- speed ----------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def inertia(size: float) -> Derived[int]:
    """The Inertia of a submarine, the change of speed in a round: a hundred less its Size divided by twenty, rounded up, and at least 1
    (ruling). Sections and cargo count for the Size of a large one."""
    terms = term("a hundred", 100), less("Size", size), divided("twenty", 20), rounded_up()
    return limited("Inertia", *terms, limit=at_least(1, "minimum", source="ruling"), rule=_ID)


class Speeds(Struct, frozen=True):
    """The fewest and the most Movement Points that a submarine may spend now, and the fewest with crash-braking."""

    least: int
    most: int
    braking: int


@rule(_ID)
def speeds_after(last: int, size: float, allowed: int) -> Speeds:
    """Returns the points that a submarine may spend now after so many last round: more or less by its Inertia, less by twice that when it
    crash-brakes, and never more than it has."""
    if last < 0 or allowed < 0:
        raise UserError("Movement Points must be 0 or more")
    step = inertia(size).value
    return Speeds(max(0, last - step), max(0, min(allowed, last + step)), max(0, last - 2 * step))


@rule(_ID)
def braking_noise(last: int, now: int, size: float) -> Derived[int]:
    """Concealment lost by crash-braking: a point for each Movement Point beyond the Inertia."""
    terms = term("spent last round", last), less("spent now", now), less("Inertia", inertia(size))
    return limited("Concealment lost", *terms, limit=at_least(0), rule=_ID)


@rule(_ID)
def turning_cost(sides: int, stationary: bool = True) -> Derived[int]:
    """The cost of a submarine's turn: on the spot a point for each hexside; while moving the first is free and more cost one.

    A view of `reached`, which counts it on every path.
    """
    if not 0 <= sides <= 6:
        raise UserError(f"a turn is 0 to 6 hexsides, not {sides}")
    if stationary:
        return total("Movement Points", term("hexsides", sides), rule=_ID)
    return total("Movement Points", row("while moving", 0 if sides <= 1 else 1), rule="sil-5.2.1-turning")


# --- the bottom -----------------------------------------------------------------------------------------------------------------


@rule(_ID)
def deep_cost(rules: Ruleset, terrain: str, mover: Literal["crawler", "submarine"] = "submarine") -> int:
    """Movement Points for a hex of deep water; refused if the mover cannot be there. A view of `terrains`, which reads it for every map."""
    bed = BEDS.get(rules, terrain)
    cost = bed.crawler if mover == "crawler" else bed.submarine
    if cost is None:
        raise UserError(f"a {mover} cannot move through {terrain.lower()}")
    return cost


@rule(_ID)
def crawler_cost(surface_cost: int) -> Derived[int]:
    """The cost of a sealed machine on the bottom of a lake: as on land, plus one."""
    return total("Movement Points", term("the same terrain on land", surface_cost), term("under water", 1), rule=_ID)


@rule(_ID)
def growth_height(rules: Ruleset, terrain: str, name: str = "") -> Play[int]:
    """Levels above the bed that kelp (half a die, rounded up: ruling) or hot water (a die) reaches. By id only."""
    bed = BEDS.get(rules, terrain)
    if not bed.dice:
        return 0
    face = yield from a_die(name, f"height of the {terrain.lower()}")
    return (face + 1) // 2 if bed.dice == "half" else face
