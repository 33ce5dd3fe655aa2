"""A place at which something is thrown or fired, as an answer: `lob@12.5,3`. Who is within its area there is told beforehand.

It flies in a straight line: over what one walks around, not through what stops sight.
"""

from collections.abc import Callable
from math import hypot
from typing import Generic, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.destinations import Somewhere
from rulewright.field.field import Field, Spot, spot_at
from rulewright.field.places import Band, circle, written
from rulewright.rules import nearest

A = TypeVar("A")

PARTS = 40


class Aimed(Struct, Generic[A], frozen=True, eq=False):
    """Any place within range and in sight, for what takes effect around it."""

    field: Field
    at: Spot
    key: str
    """What stands before the place in an answer; it may be left out."""
    doing: str
    """As in "12.0 of 40 m, throwing"."""
    most: float
    make: Callable[[Spot], A]
    around: Callable[[], tuple[Somewhere, ...]]
    """Everybody of whom whoever is asked can know where they are."""
    radius: float = 0.0
    """How far from the place it takes effect."""
    least: float = 0.0

    @property
    def mark(self) -> str:
        """The area in a few letters; nothing on ground with nothing on it."""
        ground = self.field.mark
        return f"{ground} from {self.at[0]:g},{self.at[1]:g} {self.key}{self.most:g}" if ground else ""

    def spot(self, given: str) -> Spot:
        """The place that is meant; refused with how far it is and how far one gets."""
        key, spots, _ = written(given)
        spot = spots[-1]
        if key not in ("", self.key):
            raise UserError(f"{key!r} is nothing to do with a place now{nearest(key, (self.key,)) or f'; you can {self.key}'}")
        metres = self.field.distance(self.at, spot)
        if not self.least <= metres <= self.most:
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is {metres:.1f} m away; {self.doing} you get from {self.least:g} to {self.most:g} m")
        if not self.field.on_map(spot):
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is off the map")
        sight = self.field.sight(self.at, spot)
        if not sight.open:
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is out of sight: {sight.by} is between")
        return spot

    def take(self, given: str) -> A:
        """What is made of a place."""
        return self.make(self.spot(given))

    def label(self, given: str) -> str:
        """A place in words, for the log."""
        x, y = self.spot(given)
        return f"{self.key.capitalize()} at {x:g}, {y:g}"

    def tells(self, given: str) -> tuple[str, ...]:
        """How far it is, and who is within its area there."""
        spot = self.spot(given)
        inside = [somewhere.name for somewhere in self.around() if hypot(somewhere.x - spot[0], somewhere.y - spot[1]) <= self.radius]
        who = f"within {self.radius:g} m: {', '.join(inside) or 'nobody'}"
        return (f"{self.field.distance(self.at, spot):.1f} of {self.most:g} m, {self.doing}", *([who] if self.radius else []))

    def template(self, given: str) -> tuple[tuple[Spot, ...], ...]:
        """What it covers at a place, by its borders, for drawing while one aims."""
        return (circle(self.spot(given), self.radius),) if self.radius else ()

    def paces_by_reach(self) -> tuple[str, ...]:
        """The one way to answer."""
        return (self.key,)

    def bands(self) -> tuple[Band, ...]:
        """All ground within range."""
        return (Band(self.key, self.doing, self.most, (circle(self.at, self.most),)),)


def flown(field: Field, at: Spot, goal: Spot) -> Spot:
    """Where something comes down that is thrown at a place: there, or before the first wall that stops it."""
    if field.bare or field.sight(at, goal).open:
        return goal
    for part in range(PARTS - 1, 0, -1):
        share = part / PARTS
        spot = spot_at(at[0] + (goal[0] - at[0]) * share, at[1] + (goal[1] - at[1]) * share)
        if field.sight(at, spot).open:
            return spot
    return at
