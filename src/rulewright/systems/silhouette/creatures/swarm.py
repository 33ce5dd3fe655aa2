"""A swarm as a creature's file has it."""

from msgspec import Struct


class Swarm(Struct, frozen=True, forbid_unknown_fields=True):
    """A swarm: the dice of its attack, what they are multiplied by, the damage that disperses it, and how big hordes of it are."""

    aggressiveness: int
    damage: int
    threshold: int
    horde: int = 1
    """Dice of swarms that a horde of it has."""
    size: int = 100
    """How many animals that is, to imagine it by."""
    swarms: int = 1
    """How many swarms are here."""
