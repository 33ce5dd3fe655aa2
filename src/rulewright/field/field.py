"""`Field`: queries about a map. Distance, sight, cover, light, bearings, terrain and height.

It is built from a `Ground` and its `Changes`, caches answers, and is never saved. All geometry is in integers (centimetres, or thousandths
of a hex), so that sight is symmetric.
"""

import itertools
import zlib
from collections.abc import Iterable
from functools import cached_property
from math import atan2, degrees, hypot
from typing import Literal

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.geometry import hexes, shapes
from rulewright.field.geometry.hexes import Bearing, Hex
from rulewright.field.geometry.shapes import Drawn, Place, Stretch
from rulewright.field.ground import BARE, UNCHANGED, Changes, Cover, Ground, Region, Wall, outline
from rulewright.play.cache import CACHES, Cache, cached

Spot = tuple[float, float]
"""A place: metres, or column and row."""
Between = Literal["hindering", "helping"]
"""Which of two hexes counts if a line runs exactly between them: the worse or the better one."""

MOST_REMEMBERED = 50_000
"""Cache size per kind of query; lines are large, so fewer of them are cached."""
MOST_LINES = 4_000
CLOSE = 1.5
"""Distance within which a thing gives cover, or one can lean on it to shoot over it, in metres."""
AT_HAND = 1.0
"""Distance within which a single-place cover protects, in metres."""
OFF_THE_WALL = 0.05
"""Minimum distance from a wall, in metres."""


def spot_at(x: float, y: float) -> Spot:
    """A place rounded to the centimetre, without negative zero, so that equal places are written alike."""
    return round(x, 2) + 0.0, round(y, 2) + 0.0


class Sight(Struct, frozen=True):
    """Whether a line of sight is open, and what blocks it."""

    open: bool
    by: str = ""


OPEN = Sight(True)


class Field:
    """A map prepared for queries."""

    def __init__(self, ground: Ground = BARE, changes: Changes = UNCHANGED, letters: tuple[tuple[str, str], ...] = ()) -> None:
        self.ground = ground
        self.changes = changes
        self.hexes = ground.grid == "hexes"
        self.bare = ground.bare and not changes.clouds
        self.scale = 1000 if self.hexes else 100
        self.regions: tuple[Region, ...] = (*ground.regions, *changes.clouds)
        self._drawn = {region: self._draw(region) for region in self.regions}
        self._topmost = [(region, self._drawn[region]) for region in reversed(self.regions) if region.terrain]
        self._sight_walls = self._walls(("all", "sight"))
        self.step_walls = [*self._walls(("all", "move")), *self._obstacles()]
        self._clouds = [region for region in self.regions if region.stops in ("all", "sight")]
        self._sheltering = self._shelters()
        self._insides = {cover: Drawn(self._paper(cover)) for cover, _ in self._sheltering if cover.x is None}
        self._terrains: dict[Hex, str] = {}
        self._levels: dict[Hex, int] = {}
        self._heights: dict[Hex, int] = {}
        self._top = 0
        if self.hexes:
            self._paint(dict(letters))
        self._seen: dict[tuple[Spot, Spot, str], Sight] = {}
        self._lines: dict[tuple[Spot, Spot], tuple[hexes.Step, ...]] = {}
        self.remembered: dict[object, object] = {}
        """Cache of pathfinding results, bounded like sight."""

    # --- preparation

    def place(self, spot: Spot) -> Place:
        """A place in integer coordinates."""
        x, y = hexes.centre(spot) if self.hexes else spot
        return round(x * self.scale), round(y * self.scale)

    def standing(self, wall: Wall) -> bool:
        """Whether a wall is there, or a door shut."""
        if wall.name and wall.name in self.changes.opened:
            return False
        return wall.door != "open" or wall.name in self.changes.closed

    def _walls(self, stopping: tuple[str, ...]) -> list[Stretch]:
        stretches = []
        for wall in self.ground.walls:
            if wall.stops in stopping and self.standing(wall):
                stretches.extend(self._stretches(wall.along, wall.name or ("a wall" if wall.stops != "move" else "a barrier")))
        return stretches

    def _stretches(self, along: Iterable[Spot], name: str, shut: bool = False) -> list[Stretch]:
        points = [self.place(point) for point in along]
        if shut:
            points.append(points[0])
        return [shapes.stretch(start, end, name) for start, end in itertools.pairwise(points) if start != end]

    def _obstacles(self) -> list[Stretch]:
        """Obstacles to movement: solid covers, and regions nobody can enter."""
        stretches = []
        for cover in self.ground.covers:
            if cover.x is None and cover.stops == "move":
                stretches.extend(self._stretches(outline(cover.box, cover.inside), cover.name, shut=True))
        for region in self.regions:
            if region.stops in ("all", "move") and not self.hexes:
                name = region.name or region.terrain or "impassable ground"
                stretches.extend([shapes.stretch(start, end, name) for start, end in self._edges(region)])
        return stretches

    def _edges(self, region: Region) -> list[tuple[Place, Place]]:
        """The outline of a region edge by edge; the middle line of a road or river."""
        corners = self._on_paper(region).corners
        return list(zip(corners, corners[1:] if region.along else (*corners[1:], corners[0]), strict=False))

    def _shelters(self) -> list[tuple[Cover, list[Stretch]]]:
        sheltering: list[tuple[Cover, list[Stretch]]] = []
        for cover in self.ground.covers:
            shape = outline(cover.box, cover.inside)
            sheltering.append((cover, self._stretches(shape, cover.name, shut=True) if shape else []))
        for wall in self.ground.walls:
            if wall.cover and self.standing(wall):
                cover = Cover(wall.name or "the wall", wall.cover, inside=(*wall.along, wall.along[0]))
                sheltering.append((cover, self._stretches(wall.along, cover.name)))
        return sheltering

    def _paper(self, thing: Region | Cover, along: tuple[Spot, ...] = ()) -> tuple[Place, ...]:
        """The corners of a thing in integer coordinates."""
        return tuple([self.place(point) for point in outline(thing.box, thing.inside or along)])

    def _on_paper(self, region: Region) -> Drawn:
        drawn = self._drawn.get(region)
        return drawn if drawn is not None else self._draw(region)

    def _draw(self, region: Region) -> Drawn:
        """A region in integer coordinates; a line has its width."""
        if region.circle is not None:
            x, y = self.place(region.circle[:2])
            radius = region.circle[2] * self.scale
            return Drawn(shapes.around(x, y, radius), circle=(x, y, radius))
        broad = (region.width or CLOSE / 2) / 2 * self.scale if region.along else 0.0
        return Drawn(self._paper(region, region.along), broad)

    def _paint(self, letters: dict[str, str]) -> None:
        """Computes terrain and height of every hex."""
        ground = self.ground
        assert ground.size is not None
        columns, rows = int(ground.size[0]), int(ground.size[1])
        painted = ground.rows.strip("\n").split("\n") if ground.rows else []
        heights = ground.levels.strip("\n").split("\n") if ground.levels else []
        for column in range(1, columns + 1):
            for row in range(1, rows + 1):
                letter = painted[row - 1][column - 1] if painted else ""
                if letter and letters and letter not in letters:
                    raise UserError(f"map.rows: line {row}, column {column}: unknown letter {letter!r}; known are {', '.join(letters)}")
                self._terrains[column, row] = letters.get(letter, ground.terrain)
                self._levels[column, row] = int(heights[row - 1][column - 1]) if heights else 0
        for region in self.regions:
            for spot in self.hexes_of(region):
                if region.terrain:
                    self._terrains[spot] = region.terrain
                if region.level is not None:
                    self._levels[spot] = region.level
        self._heights = {hexes.axial(spot): level for spot, level in self._levels.items()}
        self._top = max(self._levels.values(), default=0)

    def hexes_of(self, region: Region) -> list[Hex]:
        """The hexes of a region: those whose centre is in it; for a line without width, every hex on it."""
        if region.along and not region.width:
            ends = [(round(x), round(y)) for x, y in region.along]
            on_line = dict.fromkeys(ends)
            for start, end in itertools.pairwise(ends):
                for step in hexes.line(start, end):
                    on_line.update(dict.fromkeys(step))
            return [spot for spot in on_line if spot in self._terrains]
        if region.box is not None:
            x, y, width, height = region.box
            return [spot for spot in self._terrains if x <= spot[0] < x + width and y <= spot[1] < y + height]
        return [spot for spot in self._terrains if self._inside(region, spot)]

    def _inside(self, region: Region, spot: Spot) -> bool:
        return self._on_paper(region).holds(self.place(spot))

    # --- queries

    @cached_property
    def mark(self) -> str:
        """A short hash of the map and its changes; empty for an empty map."""
        if self.bare:
            return ""
        written = msgspec.json.encode((self.ground, self.changes))
        return f"{zlib.crc32(written):08x}"

    @property
    def hides(self) -> bool:
        """Whether anything on it can block sight."""
        return bool(self._sight_walls or self._clouds or self._top)

    def on_map(self, spot: Spot) -> bool:
        """Whether a place is on the map."""
        size = self.ground.size
        if self.hexes:
            return spot in self._terrains
        return size is None or (0 <= spot[0] <= size[0] and 0 <= spot[1] <= size[1])

    def refuse_standing(self, spot: Spot) -> None:
        """Raises an error if nobody can stand at a place: off the map, in a wall, inside an obstacle."""
        if not self.on_map(spot):
            size = self.ground.size
            assert size is not None
            extent = f"{size[0]:g} columns of {size[1]:g} rows" if self.hexes else f"{size[0]:g} by {size[1]:g} metres"
            raise UserError(f"{spot[0]:g}, {spot[1]:g} is off the map, which is {extent}")
        at = self.place(spot)
        for cover in self.ground.covers:
            if cover.x is None and cover.stops == "move" and self._insides[cover].holds(at):
                raise UserError(f"{spot[0]:g}, {spot[1]:g} is inside {cover.name}, where nobody can stand")
        near = OFF_THE_WALL * self.scale
        left, right, low, high = at[0] - near, at[0] + near, at[1] - near, at[1] + near
        for least_x, most_x, least_y, most_y, ax, ay, bx, by, name in self.step_walls:
            if most_x < left or least_x > right or most_y < low or least_y > high:
                continue
            if shapes.off_line((ax, ay), (bx, by), at) < near:
                raise UserError(f"{spot[0]:g}, {spot[1]:g} is in {name}; stay at least {OFF_THE_WALL * 100:.0f} cm away from it")
        for region in self.regions:
            if region.stops in ("all", "move") and self.region_holds(region, spot):
                raise UserError(f"{spot[0]:g}, {spot[1]:g} is in {region.name or region.terrain}, where nobody can stand")

    def region_holds(self, region: Region, spot: Spot) -> bool:
        """Whether a place is in a region."""
        if not self.hexes:
            return self._inside(region, spot)
        key = ("hexes", region)
        spots = self.remembered.get(key)
        if spots is None:
            spots = frozenset(self.hexes_of(region))
            self.remember(key, spots)
        return isinstance(spots, frozenset) and spot in spots

    def distance(self, point: Spot, other: Spot) -> float:
        """The distance in metres, or in hexes."""
        if self.hexes:
            return _hexes_apart(point, other)
        return hypot(other[0] - point[0], other[1] - point[1])

    def line(self, point: Spot, other: Spot) -> tuple[hexes.Step, ...]:
        """The hexes between two: each step has one hex, or the two between which the line runs. Hexes off the map are left out."""
        steps = self._lines.get((point, other))
        if steps is None:
            kept = [tuple([spot for spot in step if spot in self._terrains]) for step in hexes.line(_hex(point), _hex(other))]
            if len(self._lines) >= MOST_LINES:
                self._lines.clear()
            steps = self._lines[point, other] = tuple([step for step in kept if step])
        return steps

    def remember(self, key: object, value: object) -> None:
        """Caches a result; the cache is cleared when it is full."""
        if len(self.remembered) >= MOST_REMEMBERED:
            self.remembered.clear()
        self.remembered[key] = value

    def sight(self, point: Spot, other: Spot, between: Between = "hindering") -> Sight:
        """Whether two places can see each other, and what blocks the line; symmetric."""
        if self.bare or point == other:
            return OPEN
        key = (point, other, between) if point <= other else (other, point, between)
        sight = self._seen.get(key)
        if sight is None:
            if len(self._seen) >= MOST_REMEMBERED:
                self._seen.clear()
            sight = self._seen[key] = self._compute_sight(key[0], key[1], between)
        return sight

    def _compute_sight(self, point: Spot, other: Spot, between: Between) -> Sight:
        met = shapes.first_met(self._sight_walls, self.place(point), self.place(other)) if self._sight_walls else None
        if met is not None:
            return Sight(False, met)
        return self._over_hexes(point, other, between) if self.hexes else self._through_clouds(point, other)

    def _over_hexes(self, point: Spot, other: Spot, between: Between) -> Sight:
        """Sight over hexes: ground between that is higher than both ends blocks it, and so do regions that stop sight."""
        top = max(self._levels.get(_hex(point), 0), self._levels.get(_hex(other), 0))
        higher = self._higher(top, between, _hex(point), _hex(other)) if top < self._top else None
        if higher is not None:
            return Sight(False, f"the height at {hexes.label(higher)}")
        decide = all if between == "helping" else any
        for cloud in self._clouds:
            for step in self.line(point, other):
                if decide([self.region_holds(cloud, spot) for spot in step]):
                    return Sight(False, cloud.name or cloud.terrain)
        return OPEN

    def _higher(self, top: int, between: Between, start: Hex, end: Hex) -> Hex | None:
        """The first hex between two that is higher than both. Of two hexes at a step, one off the map does not count."""
        heights = self._heights
        q, r = hexes.axial(start)
        end_q, end_r = hexes.axial(end)
        for step in hexes.steps(end_q - q, end_r - r):
            a, b = step[0]
            height = heights.get((q + a, r + b))
            if len(step) == 1:
                if height is not None and height > top:
                    return hexes.by_column((q + a, r + b))
                continue
            c, d = step[1]
            second = heights.get((q + c, r + d))
            both = [value for value in (height, second) if value is not None]
            if both and (min(both) if between == "helping" else max(both)) > top:
                return hexes.by_column((q + a, r + b) if height is not None and height > top else (q + c, r + d))
        return None

    def _through_clouds(self, point: Spot, other: Spot) -> Sight:
        """Sight through clouds; at arm's length nothing blocks it."""
        for cloud in self._clouds:
            if hypot(other[0] - point[0], other[1] - point[1]) <= CLOSE:
                break
            if self.region_holds(cloud, point) or self.region_holds(cloud, other) or self._crosses(cloud, point, other):
                return Sight(False, cloud.name or cloud.terrain)
        return OPEN

    def _crosses(self, region: Region, point: Spot, other: Spot) -> bool:
        start, end = self.place(point), self.place(other)
        if region.circle is not None:
            return shapes.off_line(start, end, self.place(region.circle[:2])) <= region.circle[2] * self.scale
        return shapes.first_met([shapes.stretch(a, b, "") for a, b in self._edges(region)], start, end) is not None

    def over(self, point: Spot, other: Spot) -> tuple[Region, ...]:
        """The regions that a line passes, including those of its ends."""
        if self.hexes:
            spots = {_hex(point), _hex(other), *[spot for step in self.line(point, other) for spot in step]}
            return tuple([region for region in self.regions if any(self.region_holds(region, spot) for spot in spots)])
        return tuple(
            [r for r in self.regions if self.region_holds(r, point) or self.region_holds(r, other) or self._crosses(r, point, other)]
        )

    def covers(self, point: Spot, other: Spot) -> tuple[Cover, ...]:
        """The covers that protect the second place against the first.

        A line that crosses a thing close to the target counts, unless that is also close to the shooter, who leans on it. A ditch protects
        against everybody outside it; a single-place cover protects the person there.
        """
        if not self._sheltering:
            return ()
        here, there = self.place(point), self.place(other)
        near = (1.0 if self.hexes else CLOSE) * self.scale
        sheltering = []
        for cover, stretches in self._sheltering:
            if cover.x is not None and cover.y is not None:
                if self.distance((cover.x, cover.y), other) <= (0 if self.hexes else AT_HAND):
                    sheltering.append(cover)
            elif self._shelters_from(stretches, here, there, near) or self._lies_in(cover, here, there):
                sheltering.append(cover)
        return tuple(sheltering)

    def beside(self, spot: Spot) -> tuple[Cover, ...]:
        """The covers next to a place, on any side, nearest first."""
        here, near = self.place(spot), []
        for cover, stretches in self._sheltering:
            edges = [shapes.off_line((stretch[4], stretch[5]), (stretch[6], stretch[7]), here) for stretch in stretches]
            off = min(edges) if edges else self.scale * self.distance(cover.middle, spot)
            if off <= (1.0 if self.hexes else CLOSE) * self.scale:
                near.append((off, cover))
        return tuple([cover for _, cover in sorted(near, key=lambda item: item[0])])

    def _shelters_from(self, stretches: list[Stretch], here: Place, there: Place, near: float) -> bool:
        for stretch in stretches:
            met = shapes.meeting(stretch, here, there)
            if met is None:
                continue
            behind, before = hypot(met[0] - there[0], met[1] - there[1]), hypot(met[0] - here[0], met[1] - here[1])
            if behind <= near < before:
                return True
        return False

    def _lies_in(self, cover: Cover, here: Place, there: Place) -> bool:
        if cover.stops != "nothing":
            return False
        drawn = self._insides[cover]
        return drawn.holds(there) and not drawn.holds(here)

    def region_at(self, spot: Spot) -> Region | None:
        """The topmost region with a terrain at a place."""
        if self.hexes:
            return next((region for region, _ in self._topmost if self.region_holds(region, spot)), None)
        at = self.place(spot)
        return next((region for region, drawn in self._topmost if drawn.holds(at)), None)

    def terrain(self, spot: Spot) -> str:
        """The game's word for the terrain at a place."""
        if self.hexes:
            terrain = self._terrains.get(spot)  # type: ignore[arg-type]  # a whole number is the same key either way
            return terrain if terrain is not None else self._terrains.get(_hex(spot), "")
        region = self.region_at(spot) if self._topmost else None
        return region.terrain if region is not None else self.ground.terrain

    def terrains(self, spots: Iterable[Hex]) -> list[str]:
        """The terrains of several hexes."""
        return [self._terrains.get(spot, "") for spot in spots]

    def level(self, spot: Spot) -> int:
        """The height at a place."""
        if self.hexes:
            level = self._levels.get(spot)  # type: ignore[arg-type]  # a whole number is the same key either way
            return level if level is not None else self._levels.get(_hex(spot), 0)
        levels = [region.level for region in self.regions if region.level is not None and self.region_holds(region, spot)]
        return levels[-1] if levels else 0

    def light(self, spot: Spot) -> str:
        """The game's word for the light at a place, from the last lamp that reaches it; empty if none does."""
        light = ""
        for lamp in self.ground.lights:
            at = (lamp.x, lamp.y)
            if self.distance(at, spot) <= lamp.radius and self.sight(at, spot).open:
                light = lamp.light
        return light

    def off_front(self, at: Spot, facing: int, other: Spot) -> Bearing:
        """The bearing of another place relative to a facing: exact on hexes; on open ground in degrees, from the x axis towards y."""
        if self.hexes:
            return _off_front(at, facing, other)
        dx, dy = other[0] - at[0], other[1] - at[1]
        turn = (degrees(atan2(dy, dx)) - facing + 180) % 360 - 180 if dx or dy else 0.0
        return Bearing(abs(turn), turn > 0)


def _hex(spot: Spot) -> Hex:
    return int(spot[0]), int(spot[1])


@cached(8192)
def _hexes_apart(point: Spot, other: Spot) -> float:
    return float(hexes.distance(_hex(point), _hex(other)))


@cached(10000)
def _off_front(at: Spot, facing: int, other: Spot) -> Bearing:
    return hexes.off_front(_hex(at), facing, _hex(other))


def field(ground: Ground = BARE, changes: Changes = UNCHANGED, letters: tuple[tuple[str, str], ...] = ()) -> Field:
    """The field of a map in its present state; recent ones are cached."""
    arguments, latest = LATEST[0]
    if arguments[0] is ground and arguments[1] is changes and arguments[2] is letters:
        return latest
    new_field = _field(ground, changes, letters)
    LATEST[0] = ((ground, changes, letters), new_field)
    return new_field


@cached(64)
def _field(ground: Ground, changes: Changes, letters: tuple[tuple[str, str], ...]) -> Field:
    return Field(ground, changes, letters)


LATEST: list[tuple[tuple[Ground, Changes, tuple[tuple[str, str], ...]], Field]] = [((BARE, UNCHANGED, ()), _field(BARE, UNCHANGED, ()))]
"""The last field that was requested; it is nearly always requested again. Its map is compared by identity with the one held here."""


def _forget_latest() -> None:
    LATEST[0] = ((BARE, UNCHANGED, ()), NOTHING)


CACHES.append(Cache("rulewright.field.field.LATEST", 1, LATEST, LATEST.__len__, _forget_latest))


NOTHING = field()
"""The field of open, unlimited, empty ground."""
