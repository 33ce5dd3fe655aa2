"""A swarm in a creature file."""

from msgspec import Struct


class Swarm(Struct, frozen=True, forbid_unknown_fields=True):
    """A swarm: attack dice, Damage/Round, the damage that disperses it, and the size of its hordes."""

    aggressiveness: int
    damage: int
    threshold: int
    horde: int = 1
    """Dice for the number of swarms in a horde."""
    size: int = 100
    """Number of animals, as an illustration."""
    swarms: int = 1
    """Number of swarms present."""
