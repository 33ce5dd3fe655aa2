"""What harm has left of a machine: nothing here is a rule, everything is counted from a machine as it was built."""

from msgspec import Struct

DESTROYED_AT = 5
"""An auxiliary system or an arm at -5 is destroyed."""


class Slowed(Struct, frozen=True, gc=False):
    """Movement Points that a way to move has lost: of its Combat and of its Top Speed."""

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
    """Ways to move that are gone (power transfer failure)."""
    auxiliaries: tuple[int, ...] = ()
    """What each auxiliary system of the machine is at: 1 is -1, 5 is destroyed. Empty: all are sound."""
    absorbed: tuple[tuple[str, int], ...] = ()
    """Hits that reinforced parts have soaked up, by the part."""
    ablated: tuple[tuple[str, int], ...] = ()
    """Points of ablative armor that are gone, by the arc."""
    compartment: bool = False
    """The crew compartment has failed."""
    burnt: int = 0
    """Points of a power booster that are spent."""
    overburnt: tuple[str, ...] = ()
    """What an overburnt power booster has left 1 worse for good, once for every time."""
    destroyed: str = ""
    """How it was destroyed: overkill, structure, chain reaction, ammunition, absorbed; empty while it is not."""

    def lost_by(self, type: str) -> Slowed:
        """What one way to move has lost."""
        for result in self.slowed:
            if result.type == type:
                return result
        return Slowed(type)

    def soaked(self, part: str) -> int:
        """How many hits a reinforced part has soaked up."""
        return next((count for name, count in self.absorbed if name == part), 0)


NEW = Wear()
ABSORBED = "absorbed"
"""What has become of a machine that nanomachines have taken in whole."""
BEYOND_REPAIR = ("overkill", "chain reaction", "ammunition", "sunk", ABSORBED)
"""Ends of which nothing comes back."""


class Arm(Struct, frozen=True, cache_hash=True, gc=False, kw_only=True):
    """A system of a machine as it is now, one of several alike by itself."""

    left: tuple[int, ...] = (0,)
    """Uses left of each of its modes; 0 of one without a limit means nothing."""
    mode: int = 0
    accuracy: int = 0
    """Accuracy lost."""
    broken: bool = False
    redundant: int = 0
    """Hits that its spare parts have soaked up."""
    frozen: int | None = None
    """The bearing from the front, in degrees, at which a turret stands fast; None while it turns."""
    bearing: int = 0
    """Of a turret, where it pointed when it was used last, in degrees from the front."""
    fired: int = 0
    """How often it was used this round."""
    worn: int = 0
    """Points of its Damage Multiplier that blows it parried have cost."""
    switched: bool = False
    """It is no longer as it was at first: a shield switched on or off, a concealed system folded out."""
