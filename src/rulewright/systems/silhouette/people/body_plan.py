"""What a body has that a human's has not: natural weapons and armor, its own speed, size, reach and sight."""

from typing import Literal

from msgspec import Struct


class NaturalWeapon(Struct, frozen=True, forbid_unknown_fields=True):
    """Teeth, claws, hooves: a name, and the Damage Multiplier that is added to Unarmed Damage."""

    name: str
    damage: int = 0
    nature: Literal["plain", "blunt", "stabbing"] = "plain"
    trample: bool = False
    """A trample: its Damage Multiplier is twice the Build, whatever stands here."""


Way = Literal["fly", "swim", "burrow"]
"""A way to move besides walking."""


class BodyPlan(Struct, frozen=True, cache_hash=True):
    """A body that is not human, as rules of people need to know it."""

    beast: bool = False
    """An animal: it parries nothing and holds nothing."""
    attacks: tuple[tuple[str, int, Literal["plain", "blunt", "stabbing"]], ...] = ()
    """Natural attacks by name, Damage Multiplier in all, and nature; the first is the usual one."""
    speed: int | None = None
    """Metres a round at a run, where it does not follow from Fitness and Athletics."""
    speed_times: float = 1
    """What human move rates are multiplied by; 0 for what cannot move by itself."""
    size: int = 0
    """What size does to the defense."""
    armor: int = 0
    """Natural armor, all over the body."""
    reach_times: float = 1
    sight: Literal[180, 270, 360] = 180
    """Degrees that are seen at once."""
    skills: tuple[tuple[str, int], ...] = ()
    """What the body adds to tests of skills."""
    limbs: int = 0
    """Further limbs that hold and handle things."""
    ways: tuple[Way, ...] = ()
    """Further ways to move, each at human rates."""
    swarm: tuple[int, int, int, int] | None = None
    """Of a swarm: the dice of its attack, its Damage/Round, the damage that disperses it, and how many swarms there are."""


HUMAN = BodyPlan()
