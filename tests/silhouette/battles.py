"""Machines and battles for tests: plain units on plain ground, dice and decisions from lists."""

from typing import Any

from msgspec.structs import replace

from rulewright.field.ground import Ground, Region
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement, Vehicle
from rulewright.systems.silhouette.maneuver.terrain import letters
from rulewright.systems.silhouette.settings import BOOK
from rulewright.systems.silhouette.units.setup import enter
from rulewright.systems.silhouette.units.state import Battle, Command, Place
from rulewright.systems.silhouette.units.units import Unit

RULES = BOOK.ruleset()
COMMS = Fitted("communications", 0, amount=10)
GUN = Device("gun", damage=10, range=3, uses=10)


def by(**settings: Any):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def vehicle(**changes: Any) -> Vehicle:
    """A walking machine of Size 6, Armor 15, Maneuver 0, Combat Speed 4, with a gun."""
    given = {"name": "Machine", "size": 6, "armor": 15, "movement": (Movement("walker", 8),), "perks": (COMMS,), "systems": (GUN,)}
    return Vehicle(**{**given, **changes})


def unit(
    name: str = "One", side: str = "red", at: tuple[float, float] = (5, 5), facing: int = 0, design: Vehicle | None = None, **state: Any
) -> Unit:
    """A unit with fields changed at will; `level` and the like are a member's state."""
    told = {key: state.pop(key) for key in ("level", "gunnery", "piloting", "leadership", "crew", "way") if key in state}
    found = enter(RULES, design or vehicle(), name, side, state=told)
    return replace(found, x=float(at[0]), y=float(at[1]), facing=facing, **state)


def hexes(*regions: Region, size: tuple[int, int] = (20, 20)) -> Ground:
    return Ground(grid="hexes", cell=50, size=size, terrain="clear", regions=regions)


def battle(*units: Unit, ground: Ground | None = None, place: Place | None = None, **changes: Any) -> Battle:
    """A battle in its first round, in the phase of activation."""
    sides = tuple(dict.fromkeys(each.side for each in units))
    commands = tuple(Command(side=side, commander=next(each.name for each in units if each.side == side)) for side in sides)
    given = {"phase": "activation", "round": 1, "turn": sides[0], "commands": commands, **changes}
    return Battle(units=units, map=ground or hexes(), letters=letters(RULES), place=place or Place(), **given)
