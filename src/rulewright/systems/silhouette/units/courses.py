"""The course of a unit that flies, dives or drifts: state that its next move depends on besides its place."""

from msgspec import Struct


class Course(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """What a unit keeps from move to move and from round to round. It does not affect ground vehicles and walkers."""

    # in the air
    straight: int = 0
    """Hexes flown straight ahead since the last turn."""
    down: int = 0
    """Movement Points spent on going down this round."""
    climbed: int = 0
    """Levels climbed this round."""
    slips: int = 0
    """Sideslips this round."""
    falling: int = 0
    """Rounds of falling, from 1; 0: it does not fall."""
    fallen: int = 0
    """Levels lost since the last attempt to recover from a stall."""
    lost: int = 0
    """Levels lost since it began to fall."""
    dive: int = 0
    """Levels lost every round in a dive that nobody has pulled out of; 0: none."""
    glide: int | None = None
    """The speed of an aircraft without power; None while its engine runs."""
    landed: bool = False
    skid: int = 0
    """Hexes that it still skids."""
    skids_to: int = 0
    """The direction in which it skids, whatever its facing."""
    dazed: bool = False
    """The pilot is unconscious until the round ends."""
    load: float = 0
    """Kilograms that it carries or lifts besides its own mass."""
    # under water
    before: int | None = None
    """Movement Points spent in the round before; None before the first."""
    braking: bool = False
    """It crash-brakes this round."""
    noise: int = 0
    """Concealment that crash-braking costs it this round."""
    surfacing: bool = False
    """Its tanks are flushed, and it rises."""
    flushed: int = 0
    """Rounds on the surface until its tanks work again."""
    # in space
    vector: tuple[int, int, int] = (0, 0, 0)
    """Hexes a round along the three axes of the map."""
    burned: int = 0
    """Burn Points used up."""
    drifted: bool = False
    """It has drifted this round."""
    jets: bool = False
    """It flies on the thrust of a space drive."""
    reentry: int = 0
    """The round of a re-entry, from 1; 0: none."""


UNDER_WAY = Course()
"""The course of a unit without any of this."""
