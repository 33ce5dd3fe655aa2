"""Copies of units in which everything is reset that cannot matter to a question. They are arguments of cached functions.

List here what cannot matter, never what does. A field that is not listed stays in the key, which costs time only.
"""

from msgspec.structs import replace

from rulewright.play.cache import interned
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.wear import NEW


@interned(1024)
def standing(unit: Unit) -> Unit:
    """A unit as it stands, for lines to and from it: its systems, actions and movement this round do not matter, nor its Armor."""
    wear = unit.wear
    if wear is not NEW:
        wear = replace(wear, armor=0, maneuver=0, slowed=(), ablated=())
    return replace(
        unit,
        wear=wear,
        arms=(),
        speed="combat",
        extra=0,
        evading=False,
        ordered=0,
        received=0,
        used=0,
        owed=0,
        stunned=0,
        pace="",
        points=None,
        spent=unit.spent if unit.way == "space" else 0,  # thrust shows
        hexes=0,
        last=0,
        turned=False,
        turns=0,
        backed=False,
        shifting="",
        jumped=False,
        switched=False,
        moved=False,
        done=False,
        hit_by=(),
    )


@interned(1024)
def shooter(unit: Unit) -> Unit:
    """A unit as an attacker, for what its attacks promise: its place and movement count only as range, side, cover and speed, which are
    asked for separately."""
    return replace(
        unit,
        name="",
        group="",
        arms=tuple([replace(arm, left=(), fired=0, bearing=0, redundant=0) for arm in unit.arms]),
        x=0.0,
        y=0.0,
        facing=0,
        speed="combat",
        evading=False,
        ordered=0,
        received=0,
        used=0,
        owed=0,
        stunned=0,
        pace="",
        points=None,
        spent=0,
        hexes=0,
        last=0,
        turned=False,
        turns=0,
        backed=False,
        shifting="",
        jumped=False,
        switched=False,
        moved=False,
        done=False,
        hit_by=(),
    )


@interned(1024)
def prey(unit: Unit) -> Unit:
    """A unit as a target, for what attacks on it promise: likewise, but its movement is its defense. Earlier attackers are counted
    separately."""
    return replace(
        unit,
        name="",
        side="",
        group="",
        arms=(),
        x=0.0,
        y=0.0,
        facing=0,
        ordered=0,
        received=0,
        used=0,
        owed=0,
        stunned=0,
        spent=0,
        turned=False,
        turns=0,
        backed=False,
        jumped=False,
        switched=False,
        done=False,
        hit_by=(),
    )
