"""Places to throw or fire at, as answers: `lob@12.5,3`. People within the area of effect are listed beforehand.

Shots fly in a straight line: over obstacles to movement, but not through what blocks sight.
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
    """Any place within range and in sight, for something with an area of effect."""

    field: Field
    at: Spot
    key: str
    """The word before the place in an answer; it may be left out."""
    doing: str
    """As in "12.0 of 40 m, throwing"."""
    most: float
    make: Callable[[Spot], A]
    around: Callable[[], tuple[Somewhere, ...]]
    """Everybody whose place the person who is asked can know."""
    radius: float = 0.0
    """The radius of effect."""
    least: float = 0.0

    @property
    def mark(self) -> str:
        """The area in a few letters; empty on bare ground."""
        ground = self.field.mark
        return f"{ground} from {self.at[0]:g},{self.at[1]:g} {self.key}{self.most:g}" if ground else ""

    def spot(self, given: str) -> Spot:
        """Parses the place; the error says how far it is and the range."""
        key, spots, _ = written(given)
        spot = spots[-1]
        if key not in ("", self.key):
            raise UserError(f"unknown action {key!r}{nearest(key, (self.key,)) or f'; you can {self.key}'}")
        metres = self.field.distance(self.at, spot)
        if not self.least <= metres <= self.most:
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is {metres:.1f} m away; {self.doing} reaches {self.least:g} to {self.most:g} m")
        if not self.field.on_map(spot):
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is off the map")
        sight = self.field.sight(self.at, spot)
        if not sight.open:
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is out of sight: {sight.by} is between")
        return spot

    def take(self, given: str) -> A:
        """The value of a place."""
        return self.make(self.spot(given))

    def label(self, given: str) -> str:
        """A place in words, for the log."""
        x, y = self.spot(given)
        return f"{self.key.capitalize()} at {x:g}, {y:g}"

    def tells(self, given: str) -> tuple[str, ...]:
        """Its distance, and who is within the area of effect."""
        spot = self.spot(given)
        inside = [somewhere.name for somewhere in self.around() if hypot(somewhere.x - spot[0], somewhere.y - spot[1]) <= self.radius]
        who = f"within {self.radius:g} m: {', '.join(inside) or 'nobody'}"
        return (f"{self.field.distance(self.at, spot):.1f} of {self.most:g} m, {self.doing}", *([who] if self.radius else []))

    def template(self, given: str) -> tuple[tuple[Spot, ...], ...]:
        """The outlines of the area of effect at a place, for drawing while aiming."""
        return (circle(self.spot(given), self.radius),) if self.radius else ()

    def paces_by_reach(self) -> tuple[str, ...]:
        """The only key."""
        return (self.key,)

    def bands(self) -> tuple[Band, ...]:
        """The area within range."""
        return (Band(self.key, self.doing, self.most, (circle(self.at, self.most),)),)


def flown(field: Field, at: Spot, goal: Spot) -> Spot:
    """Where something thrown at a place lands: there, or before the first wall that stops it."""
    if field.bare or field.sight(at, goal).open:
        return goal
    for part in range(PARTS - 1, 0, -1):
        share = part / PARTS
        spot = spot_at(at[0] + (goal[0] - at[0]) * share, at[1] + (goal[1] - at[1]) * share)
        if field.sight(at, spot).open:
            return spot
    return at
