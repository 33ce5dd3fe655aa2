"""Stretching morphable material over several hexes: how far, and where it can lie (book line 4033)."""

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, at_least, divided, rounded_down, term, times, total
from rulewright.systems.silhouette.machines.special import spread
from rulewright.systems.silhouette.maneuver.stacking import footprint, holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

METRES = 50
"""Metres over which a point of Size can be spread."""


def longest(battle: Battle, unit: Unit) -> Derived[int]:
    """The most hexes over which morphable material stretches: one point of Size for every 50 metres."""
    return total(
        "hexes",
        term("Size", unit.machine.size),
        times("metres for a point of Size", METRES),
        divided("metres of a hex", battle.cell),
        rounded_down(),
        at_least(1, "its own hex"),
        rule="sil-4.3.9-nano-morphable",
    )


def outstretched(unit: Unit, many: int, along: int) -> Unit:
    """A unit stretched over so many hexes in a direction; one hex means not stretched."""
    return replace(unit, shape=replace(unit.shape, stretched=many if many > 1 else 0, along=along if many > 1 else 0))


def lies_well(rules: Ruleset, battle: Battle, unit: Unit) -> bool:
    """Whether a unit can be stretched like this: on the map, on passable terrain, with room in every hex, and with a point of Size for
    every 50 metres."""
    costs = cost_table(rules, unit.machine, unit.way, battle.place.atmosphere) if unit.way else {}
    if not spread(float(unit.machine.size), unit.shape.stretched * battle.cell):
        return False
    for spot in footprint(unit, battle.hexes)[1:]:
        if not battle.field.on_map(spot) or (unit.way and costs[battle.field.terrain(spot)] is None):
            return False
    return holds(battle, unit, unit.spot)
