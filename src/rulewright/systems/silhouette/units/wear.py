"""Damage to a machine, counted from its original state. Only data, no rules."""

from msgspec import Struct

DESTROYED_AT = 5
"""An auxiliary system or an arm at -5 is destroyed."""


class Slowed(Struct, frozen=True, gc=False):
    """Movement Points that a movement type has lost: of its Combat and its Top Speed."""

    type: str
    combat: int = 0
    top: int = 0


class Wear(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """What a machine has lost until it is repaired."""

    armor: int = 0
    """Points of base Armor."""
    maneuver: int = 0
    slowed: tuple[Slowed, ...] = ()
    failed: tuple[str, ...] = ()
    """Movement types that are lost (power transfer failure)."""
    auxiliaries: tuple[int, ...] = ()
    """The damage of each auxiliary system: 1 is -1, 5 is destroyed. Empty: all are intact."""
    absorbed: tuple[tuple[str, int], ...] = ()
    """Hits absorbed by reinforced parts, by part."""
    ablated: tuple[tuple[str, int], ...] = ()
    """Points of ablative armor lost, by arc."""
    compartment: bool = False
    """The crew compartment has failed."""
    burnt: int = 0
    """Spent points of a power booster."""
    overburnt: tuple[str, ...] = ()
    """Figures left permanently 1 worse by an overburnt power booster, once for every time."""
    destroyed: str = ""
    """How it was destroyed: overkill, structure, chain reaction, ammunition, absorbed; empty if it is not."""

    def lost_by(self, type: str) -> Slowed:
        """Returns the losses of one movement type."""
        for result in self.slowed:
            if result.type == type:
                return result
        return Slowed(type)

    def soaked(self, part: str) -> int:
        """How many hits a reinforced part has absorbed."""
        return next((count for name, count in self.absorbed if name == part), 0)


NEW = Wear()
ABSORBED = "absorbed"
"""The end of a machine that nanomachines absorbed completely."""
BEYOND_REPAIR = ("overkill", "chain reaction", "ammunition", "sunk", ABSORBED)
"""Ends after which nothing can be repaired."""


class Arm(Struct, frozen=True, cache_hash=True, gc=False, kw_only=True):
    """The present state of a system; identical ones separately."""

    left: tuple[int, ...] = (0,)
    """Uses left of each mode; meaningless for an unlimited one."""
    mode: int = 0
    accuracy: int = 0
    """Accuracy lost."""
    broken: bool = False
    redundant: int = 0
    """Hits absorbed by its spare parts."""
    frozen: int | None = None
    """The bearing from the front, in degrees, at which a turret is stuck; None while it turns."""
    bearing: int = 0
    """Where a turret pointed at its last use, in degrees from the front."""
    fired: int = 0
    """How often it was used this round."""
    worn: int = 0
    """Points of its Damage Multiplier lost by parrying."""
    switched: bool = False
    """It is switched from its initial state: a shield on or off, a concealed system folded out."""
