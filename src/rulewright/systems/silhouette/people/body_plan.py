"""Non-human bodies: natural weapons and armor, speed, size, reach and sight."""

from typing import Literal

from msgspec import Struct


class NaturalWeapon(Struct, frozen=True, forbid_unknown_fields=True):
    """A natural weapon: its name, and the Damage Multiplier added to Unarmed Damage."""

    name: str
    damage: int = 0
    nature: Literal["plain", "blunt", "stabbing"] = "plain"
    trample: bool = False
    """A trample: its Damage Multiplier is always twice the Build."""


Way = Literal["fly", "swim", "burrow"]
"""A way to move besides walking."""


class BodyPlan(Struct, frozen=True, cache_hash=True):
    """A non-human body for the rules of people."""

    beast: bool = False
    """Whether it is an animal, which cannot parry or hold things."""
    attacks: tuple[tuple[str, int, Literal["plain", "blunt", "stabbing"]], ...] = ()
    """Natural attacks by name, full Damage Multiplier, and nature; the first is the usual one."""
    speed: int | None = None
    """Running speed in metres per round, if it does not follow from Fitness and Athletics."""
    speed_times: float = 1
    """Factor for human move rates; 0 if it cannot move."""
    size: int = 0
    """Defense modifier of its size."""
    armor: int = 0
    """Natural armor of the whole body."""
    reach_times: float = 1
    sight: Literal[180, 270, 360] = 180
    """Degrees of its field of view."""
    skills: tuple[tuple[str, int], ...] = ()
    """Modifiers to skill tests."""
    limbs: int = 0
    """Number of further limbs that can hold things."""
    ways: tuple[Way, ...] = ()
    """Further ways to move, each at human rates."""
    swarm: tuple[int, int, int, int] | None = None
    """Of a swarm: attack dice, Damage/Round, the damage that disperses it, and the number of swarms."""


HUMAN = BodyPlan()
