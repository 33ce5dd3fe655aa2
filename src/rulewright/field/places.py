"""Places as answers: `@12.5,3`, `run@12.5,3`, `run@5,3>12.5,3` through another place, `@14,7/2` a hex and a facing.

Games use `Anywhere` as the `where` of a choice: the paces, their ranges, and what is made of an answer. Taking an answer computes one path,
never the whole area. What people are told and shown is computed from what their side knows of the map.
"""

import re
from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from math import cos, hypot, inf, pi, sin
from typing import Generic, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.field import Field, Spot, spot_at
from rulewright.field.geometry import hexes, shapes
from rulewright.field.ground import FARTHEST, Cover, Wall, outline
from rulewright.field.pathfinding import SPARE, WALKER, Mover, Way, reach, way
from rulewright.play.cache import cached
from rulewright.rules import nearest

A = TypeVar("A")

ROUND = 48
"""Number of points of a circle."""
OFF = 0.4
"""Distance from the thing that gives cover, in metres."""
_WRITTEN = re.compile(r"(?P<pace>[^@]*)@(?P<spots>[^/]+)(/(?P<facing>\d+))?")
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,4})?")


class Pace(Struct, frozen=True):
    """A pace: its key in an answer, its name, how one moves, and how far."""

    key: str
    doing: str
    """As in "9.4 m, running"."""
    most: float
    mover: Mover = WALKER


class Going(Struct, frozen=True):
    """A move to a place: the pace, the place, the cost, the corner points, and the facing afterwards."""

    pace: str
    spot: Spot
    cost: float
    bends: tuple[Spot, ...]
    facing: int | None = None


class Band(Struct, frozen=True):
    """The area within one pace, for drawing: the pace and the outlines, in metres or hexes across."""

    pace: str
    doing: str
    most: float
    outlines: tuple[tuple[Spot, ...], ...]
    unit: str = "m"
    """The unit of `most`."""


def _nothing(going: Going) -> tuple[str, ...]:
    return ()


class Anywhere(Struct, Generic[A], frozen=True, eq=False):
    """Any place within reach, besides the destinations offered as options."""

    field: Field
    at: Spot
    paces: tuple[Pace, ...]
    make: Callable[[Going], A]
    usual: str = ""
    """The pace of an answer that names none."""
    means: Callable[[Going], tuple[str, ...]] = _nothing
    """Descriptions of being there, as far as the person who is asked can know."""
    seen: Field | None = None
    """The map as the person who is asked knows it; all of it if None."""
    facing: int | None = None

    @property
    def mark(self) -> str:
        """The area in a few letters; empty on bare ground."""
        ground = self.field.mark
        if not ground:
            return ""
        paces = ",".join([f"{pace.key}{pace.most:g}" for pace in self.paces])
        return f"{ground} from {self.at[0]:g},{self.at[1]:g} {paces}"

    def take(self, given: str) -> A:
        """The value of a place; the error says how far it is and how far one can go."""
        return self.make(self.going(given))

    def going(self, given: str) -> Going:
        """Parses a place and finds the path there."""
        name, spots, facing = written(given)
        pace = self._pace(name)
        if self.seen is not None and self.seen is not self.field and self._unknown(spots[-1]):
            raise UserError(f"{_coordinates(spots[-1])} is in an area that you do not know yet")
        cost, bends, at = 0.0, [self.at], self.at
        for spot in spots:
            if self.field.hexes and (spot[0] % 1 or spot[1] % 1):
                raise UserError(f"a hex needs a whole column and row, not {_coordinates(spot)}")
            self.field.refuse_standing(spot)
            last = spot == spots[-1]
            part = way(self.field, at, spot, pace.mover, pace.most - cost, self.facing, facing if last else None)
            if part is None:
                raise UserError(self._too_far(spots[-1], pace))
            cost += part.cost
            bends.extend(part.bends[1:])
            at = spot
        if cost > pace.most + SPARE:
            raise UserError(self._too_far(spots[-1], pace))
        return Going(pace.key, spots[-1], cost, tuple(bends), facing)

    def _pace(self, name: str) -> Pace:
        key = name or self.usual or self.paces[0].key
        for pace in self.paces:
            if pace.key == key:
                return pace
        known = [pace.key for pace in self.paces]
        raise UserError(f"unknown pace {name!r}{nearest(name, known) or '; you can ' + ', '.join(known)}")

    def _unknown(self, spot: Spot) -> bool:
        assert self.seen is not None
        known = {region.name for region in self.seen.regions} | set(self.field.changes.shown)
        veils = [region for region in self.field.regions if region.veiled and region.name not in known]
        return any(self.field.region_holds(region, spot) for region in veils)

    def _too_far(self, spot: Spot, pace: Pace) -> str:
        unit = "hexes" if self.field.hexes else "m"
        straight = self.field.distance(self.at, spot)
        if straight > pace.most:
            return f"{_coordinates(spot)} is {straight:.1f} {unit} away; {pace.doing} you get {pace.most:g} {unit} at most"
        longer = way(self.field, self.at, spot, pace.mover, 4 * pace.most + 20)
        if longer is None:
            met = self.field.sight(self.at, spot).by
            return f"there is no way to {_coordinates(spot)}{f', {met} is between' if met else ''}"
        return f"the way to {_coordinates(spot)} is {longer.cost:.1f} {unit}; {pace.doing} you get {pace.most:g} {unit} at most"

    def label(self, given: str) -> str:
        """A place in words, for the log."""
        going = self.going(given)
        pace = self._pace(going.pace)
        where = hexes.label((int(going.spot[0]), int(going.spot[1]))) if self.field.hexes else _coordinates(going.spot)
        cost = f"{going.cost:g}" if self.field.hexes else f"{going.cost:.1f} m"
        return f"{pace.doing.capitalize()} to {where} ({cost})"

    def tells(self, given: str) -> tuple[str, ...]:
        """Descriptions of a place: its distance and the pace, then those of the game."""
        going = self.going(given)
        pace = self._pace(going.pace)
        far = f"{going.cost:g} of {pace.most:g}" if self.field.hexes else f"{going.cost:.1f} of {pace.most:g} m"
        return (f"{far}, {pace.doing}", *self.means(going))

    def paces_by_reach(self) -> tuple[str, ...]:
        """The keys of all paces, shortest reach first."""
        return tuple([pace.key for pace in sorted(self.paces, key=lambda pace: pace.most)])

    def bands(self) -> tuple[Band, ...]:
        """The area within each pace, shortest first; computed on demand."""
        ground = self.seen or self.field
        bands = []
        for pace in sorted(self.paces, key=lambda pace: pace.most):
            outlines = (circle(self.at, pace.most),) if ground.bare else self._outlines(ground, pace)
            bands.append(Band(pace.key, pace.doing, pace.most, outlines))
        return tuple(bands)

    def _outlines(self, ground: Field, pace: Pace) -> tuple[tuple[Spot, ...], ...]:
        """The outlines of a pace, cached."""
        key = ("band", self.at, pace.mover, pace.most, self.facing)
        kept = ground.remembered.get(key)
        if kept is None:
            kept = reach(ground, self.at, pace.mover, pace.most, self.facing).outlines()
            ground.remember(key, kept)
        return kept  # type: ignore[return-value]  # only borders are kept under this key


def circle(at: Spot, radius: float) -> tuple[Spot, ...]:
    """A circle as a polygon inside it, so that a shaded place can be reached."""
    inner = max(0.0, radius)
    turns = [2 * pi * point / ROUND for point in range(ROUND)]
    return tuple([(round(at[0] + inner * cos(turn), 3), round(at[1] + inner * sin(turn), 3)) for turn in turns])


def written(given: str) -> tuple[str, tuple[Spot, ...], int | None]:
    """The pace, the places and the facing of an answer."""
    match = _WRITTEN.fullmatch(given.strip())
    if match is None:
        raise UserError(f"{given[:60]!r} is not a place; write @12.5,3 or run@12.5,3")
    facing = int(match["facing"]) if match["facing"] else None
    return match["pace"].strip(), tuple([_spot(part, given) for part in match["spots"].split(">")]), facing


def _spot(text: str, given: str) -> Spot:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(_NUMBER.fullmatch(part) for part in parts):
        raise UserError(f"{given[:60]!r} is not a place; write @12.5,3 or run@12.5,3")
    x, y = float(parts[0]), float(parts[1])
    if abs(x) > FARTHEST or abs(y) > FARTHEST:
        raise UserError(f"{_coordinates((x, y))} is not a valid place; coordinates are at most {FARTHEST:,.0f}")
    return spot_at(x, y)


def write(pace: str, spot: Spot, facing: int | None = None) -> str:
    """A place as an answer."""
    return f"{pace}@{spot[0]:g},{spot[1]:g}{f'/{facing}' if facing is not None else ''}"


def _coordinates(spot: Spot) -> str:
    return f"{spot[0]:g}, {spot[1]:g}"


# --- the few places that mean something ---------------------------------------------------------------------------------------


def towards(field: Field, at: Spot, goal: Spot, mover: Mover, most: float, short: float = 0.0) -> Spot | None:
    """How far one gets on the way to a place, stopping `short` of it; None if no path leads there."""
    path = way(field, at, goal, mover, 6 * most + 30)
    if path is None:
        return None
    if path.cost <= 0:
        return at
    metres = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(path.bends, path.bends[1:], strict=False))
    distance = min(most, max(0.0, metres - short))
    for _ in range(24):
        spot = path.after(distance)
        if way(field, at, spot, mover, most) is not None:
            return spot
        distance -= most / 24
    return None


STEPS_BACK = 40


def pushed(field: Field, at: Spot, goal: Spot) -> Spot:
    """Where a person stops who is pushed or falls in a straight line: at the goal, or before an obstacle."""
    for part in range(STEPS_BACK, 0, -1):
        share = part / STEPS_BACK
        spot = spot_at(at[0] + (goal[0] - at[0]) * share, at[1] + (goal[1] - at[1]) * share)
        straight = way(field, at, spot, WALKER, hypot(spot[0] - at[0], spot[1] - at[1]))
        if straight is not None and len(straight.bends) == 2:
            return spot
    return at


def free(field: Field, near: Spot = (0.0, 0.0)) -> Spot:
    """The free place nearest to another, searched in rings."""
    if field.hexes:
        column, row = round(near[0]), round(near[1])
        spots: Iterable[Spot] = sorted(
            [(float(a), float(b)) for a in range(1, 121) for b in range(1, 121)], key=lambda spot: hypot(spot[0] - column, spot[1] - row)
        )
    else:
        spots = chain([near], (_ring(near, ring / 2, turn) for ring in range(1, 121) for turn in range(8 * ring)))
    for spot in spots:
        try:
            field.refuse_standing(spot)
        except UserError:
            continue
        return spot
    raise UserError("there is no free place left on the map")


def _ring(near: Spot, radius: float, turn: int) -> Spot:
    angle = 2 * pi * turn / max(1, 16 * radius)
    return spot_at(near[0] + radius * cos(angle), near[1] + radius * sin(angle))


def behind(field: Field, cover: Cover, foes: Iterable[Spot], at: Spot) -> Spot | None:
    """The place at a cover that protects against most enemies, and of those the nearest; for a single-place cover, that place."""
    return _behind(field, cover, tuple(foes), at)


@cached(20_000)
def _behind(field: Field, cover: Cover, foes: tuple[Spot, ...], at: Spot) -> Spot | None:
    if cover.x is not None and cover.y is not None:
        return cover.x, cover.y
    best: tuple[float, float, Spot] | None = None
    for spot in _around(cover):
        try:
            field.refuse_standing(spot)
        except UserError:
            continue
        protection = -sum(cover in field.covers(foe, spot) or not field.sight(foe, spot).open for foe in foes)
        ranked = (float(protection), field.distance(at, spot), spot)
        if (protection or not foes) and (best is None or ranked < best):
            best = ranked
    return best[2] if best is not None else None


def _around(cover: Cover) -> list[Spot]:
    """Places just off the middle of every edge and every corner of a cover."""
    corners = outline(cover.box, cover.inside)
    middle = cover.middle
    points = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for x, y in ((ax, ay), ((ax + bx) / 2, (ay + by) / 2)):
            away = hypot(x - middle[0], y - middle[1]) or 1.0
            points.append(spot_at(x + (x - middle[0]) / away * OFF, y + (y - middle[1]) / away * OFF))
    return points


def at_wall(field: Field, wall: Wall, at: Spot) -> float:
    """The distance of a place from a wall or door, in metres or hexes across."""
    here = field.place(at)
    points = [field.place(point) for point in wall.along]
    return min(shapes.off_line(start, end, here) for start, end in pairwise(points)) / field.scale


DOORSTEP = 0.6


def doorstep(field: Field, wall: Wall, at: Spot) -> Spot | None:
    """The place from which a shut door is opened, or the far side of an open one; of both sides, the nearer or farther on foot."""
    (ax, ay), (bx, by) = wall.along[0], wall.along[-1]
    length = hypot(bx - ax, by - ay) or 1.0
    across = ((by - ay) / length * DOORSTEP, (ax - bx) / length * DOORSTEP)
    sides = []
    for side in (1, -1):
        spot = spot_at((ax + bx) / 2 + side * across[0], (ay + by) / 2 + side * across[1])
        try:
            field.refuse_standing(spot)
        except UserError:
            continue
        path = way(field, at, spot, WALKER, 60)
        if path is not None:
            sides.append((path.cost, spot))
    if not sides:
        return None
    return min(sides)[1] if field.standing(wall) else max(sides)[1]


MOST_CORNERS = 12


@cached(20_000)
def out_of_sight(field: Field, at: Spot, foes: tuple[Spot, ...], mover: Mover, most: float) -> Spot | None:
    """The nearest place within reach, at the end of a wall or cover, that none of these sees."""
    best: tuple[float, Spot] | None = None
    near = sorted([(field.distance(at, spot), spot) for spot in _wall_ends(field)])
    for straight, spot in [pair for pair in near if pair[0] <= most][: 8 * MOST_CORNERS]:
        if best is not None and straight >= best[0]:
            break
        if any(field.sight(foe, spot).open for foe in foes):
            continue
        try:
            field.refuse_standing(spot)
        except UserError:
            continue
        path = way(field, at, spot, mover, min(most, best[0] if best is not None else inf))
        if path is not None and path.cost <= most and (best is None or path.cost < best[0]):
            best = (path.cost, spot)
    return best[1] if best is not None else None


def _wall_ends(field: Field) -> tuple[Spot, ...]:
    """Places around the ends of everything that blocks sight, half a metre off."""
    kept = field.remembered.get("wall ends")
    if kept is None:
        ends = {point for wall in field.ground.walls if wall.stops != "move" and field.standing(wall) for point in wall.along}
        kept = tuple(sorted({spot_at(x + dx, y + dy) for x, y in ends for dx in (-0.5, 0.5) for dy in (-0.5, 0.5)}))
        field.remember("wall ends", kept)
    return kept  # type: ignore[return-value]  # only spots are kept under this key


__all__ = ["Anywhere", "Band", "Going", "Pace", "Way", "behind", "out_of_sight", "towards", "write", "written"]
