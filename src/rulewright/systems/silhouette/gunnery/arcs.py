"""Arcs and sides: whether a system bears on a target, and which side an attack hits (book lines 4868, 3238).

On a border the arc that is better for the target counts (ruling).
"""

from typing import Literal

from rulewright.field.field import Field, Spot
from rulewright.field.geometry.hexes import Bearing
from rulewright.play.cache import cached
from rulewright.systems.silhouette.machines.machine import Mounted

Side = Literal["front", "left rear flank", "right rear flank", "rear"]
FRONT = 90
FLANK = 150
TURN = 360


def side_hit(field: Field, at: Spot, facing: int, from_spot: Spot) -> Side:
    """The side that an attack hits: the front half, a rear flank of 60 degrees, or the 60 degrees of the rear."""
    return _side(field.off_front(at, facing, from_spot), at == from_spot)


@cached(4096)
def _side(seen: Bearing, same: bool) -> Side:
    if same or seen.against(FRONT) <= 0:
        return "front"
    if seen.against(FLANK) <= 0:
        return "right rear flank" if seen.right else "left rear flank"
    return "rear"


def in_arc(field: Field, at: Spot, facing: int, mount: Mounted, *, target: Spot, frozen: int | None = None) -> bool:
    """Whether a system bears on a place; in the same hex it always does. A stuck turret covers the 60 degrees (ruling) around its
    present bearing."""
    if at == target:
        return True
    return covered(field.off_front(at, facing, target), mount, frozen)


@cached(8192)
def covered(seen: Bearing, mount: Mounted, frozen: int | None) -> bool:
    """Whether the arc of a system covers a bearing."""
    if frozen is not None:
        return abs((signed(seen) - frozen + 180) % TURN - 180) <= 30
    if mount.degrees >= TURN or mount.arc == "slow turret":
        return True
    if mount.faces == 0:
        return seen.against(mount.degrees / 2) < 0
    if mount.faces == 180:
        return seen.against(180 - mount.degrees / 2) > 0
    off = signed(seen)
    return 0 < off < 180 if mount.faces > 0 else -180 < off < 0


def signed(bearing: Bearing) -> float:
    """Degrees off the front: positive to the right, negative to the left."""
    return bearing.degrees if bearing.right or bearing.degrees in (0, 180) else -bearing.degrees
