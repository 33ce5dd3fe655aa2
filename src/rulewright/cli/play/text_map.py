"""The map as text: walls, doors, cover, terrain by its first letter, characters by letters, blank where nothing is visible."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, hypot

from rulewright.build.sheet_parts import Place, SceneView
from rulewright.field.field import Field, Spot, field
from rulewright.field.geometry import hexes, shapes
from rulewright.field.ground import outline
from rulewright.field.placement import FieldShown

WIDE = 96
MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SCALE = 100


def letters(view: SceneView) -> list[str]:
    """The map of a scene with its legend; empty if nobody has a position."""
    if not view.places:
        return []
    return _Letters(view.field, view.places).lines()


class _Letters:
    """A grid of letters, as fine as the width allows."""

    def __init__(self, shown: FieldShown | None, places: Sequence[Place]) -> None:
        self.there: Field = field(shown.ground, shown.changes) if shown is not None else field()
        self.places = places
        self.fog = [tuple((round(x * SCALE), round(y * SCALE)) for x, y in loop) for loop in (shown.fog if shown is not None else ())]
        left, top, width, height = self._extent()
        self.left, self.top = left, top
        self.step = 0.5 if self.there.hexes else max(0.5, width / WIDE)
        self.columns = max(1, ceil(width / self.step))
        self.rows = max(1, ceil(height / (self.step * (1 if self.there.hexes else 2))))
        self.legend: dict[str, str] = {}
        self.sheet = [[" "] * self.columns for _ in range(self.rows)]

    def _extent(self) -> tuple[float, float, float, float]:
        size = self.there.ground.size
        if size is None:
            xs, ys = [place.x for place in self.places], [place.y for place in self.places]
            return min(xs) - 2, min(ys) - 2, max(xs) - min(xs) + 4, max(ys) - min(ys) + 4
        if self.there.hexes:
            return -0.25, -0.25, size[0] * hexes.ROOT, size[1] + 0.5
        return 0.0, 0.0, *size

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        """The column and row of a position."""
        down = self.step * (1 if self.there.hexes else 2)
        return int((x - self.left) / self.step), int((y - self.top) / down)

    def _put(self, x: float, y: float, letter: str) -> None:
        column, row = self._cell(x, y)
        if 0 <= column < self.columns and 0 <= row < self.rows:
            self.sheet[row][column] = letter

    def lines(self) -> list[str]:
        """The map and its legend."""
        self._ground()
        for cover in self.there.ground.covers:
            for x, y in self._filled(outline(cover.box, cover.inside)) or [self._paper(cover.middle)]:
                self._put(x, y, "%")
            self.legend["%"] = "cover: " + ", ".join(f"{candidate.name} ({candidate.cover})" for candidate in self.there.ground.covers)
        self._walls()
        people = [f"{mark} {place.name} {place.x:g},{place.y:g}{_far_end(place)}" for mark, place in self._people()]
        told = [f"{letter} {words}" for letter, words in self.legend.items()]
        unit = "hexes" if self.there.hexes else f"a letter is {self.step:.2g} m wide and {2 * self.step:.2g} m high"
        return [*["".join(row).rstrip() for row in self.sheet], ", ".join(people), "; ".join([*told, unit])]

    def _paper(self, spot: Spot) -> Spot:
        return hexes.centre(spot) if self.there.hexes else spot

    def _ground(self) -> None:
        size = self.there.ground.size
        if self.there.hexes and size is not None:
            for column in range(1, int(size[0]) + 1):
                for row in range(1, int(size[1]) + 1):
                    x, y = hexes.centre((column, row))
                    self._floor(x, y, (column, row))
            return
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = self.left + (column + 0.5) * self.step, self.top + (row + 0.5) * 2 * self.step
                self._floor(x, y, (x, y))

    def _floor(self, x: float, y: float, spot: Spot) -> None:
        at = (round(x * SCALE), round(y * SCALE))
        if sum(shapes.within(loop, at) for loop in self.fog) % 2:
            self.legend[" "] = "out of sight"
            return
        terrain = self.there.terrain(spot) if self.there.regions or self.there.hexes else ""
        letter = terrain[:1].lower() if terrain and terrain != self.there.ground.terrain else "."
        if letter != ".":
            self.legend[letter] = terrain
        self._put(x, y, letter)

    def _filled(self, corners: tuple[Spot, ...]) -> list[Spot]:
        """The centres of all letters inside a shape."""
        if not corners:
            return []
        shape = tuple((round(x * SCALE), round(y * SCALE)) for x, y in [self._paper(corner) for corner in corners])
        points = []
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = self.left + (column + 0.5) * self.step, self.top + (row + 0.5) * 2 * self.step
                if shapes.within(shape, (round(x * SCALE), round(y * SCALE))):
                    points.append((x, y))
        return points

    def _walls(self) -> None:
        for wall in self.there.ground.walls:
            stands = self.there.standing(wall)
            letter = ("+" if stands else "'") if wall.door else "=" if wall.stops == "move" else "#"
            if letter in "+'":
                self.legend[letter] = "door, " + ("closed" if stands else "open")
            elif letter == "=":
                self.legend["="] = "low wall: blocks movement, not sight"
            for (ax, ay), (bx, by) in pairwise([self._paper(point) for point in wall.along]):
                parts = max(1, ceil(hypot(bx - ax, by - ay) / self.step * 2))
                for at in range(parts + 1):
                    x, y = ax + (bx - ax) * at / parts, ay + (by - ay) * at / parts
                    self._put(min(x, self.left + self.columns * self.step - 1e-6), self._last(y), letter)

    def _last(self, y: float) -> float:
        down = self.step * (1 if self.there.hexes else 2)
        return min(y, self.top + self.rows * down - 1e-6)

    def _people(self) -> list[tuple[str, Place]]:
        """All characters with a letter each, the first of the name if it is free."""
        taken: dict[str, Place] = {}
        for place in self.places:
            wanted = [place.name[:1].upper(), *MARKS]
            mark = next(letter for letter in wanted if letter not in taken)
            taken[mark] = place
        for mark, place in taken.items():
            for spot in place.covers:
                self._put(*self._paper(spot), mark)
        for mark, place in taken.items():
            self._put(*self._paper((place.x, place.y)), mark)
        return list(taken.items())


def _far_end(place: Place) -> str:
    """The last position of a character that covers several."""
    return f" to {place.covers[-1][0]:g},{place.covers[-1][1]:g}" if place.covers else ""
