"""Sight over hexes and past walls, and reach on hexes, each against the plainest way to find the same."""

import itertools
import random
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from rulewright.field import hexes, shapes
from rulewright.field.field import Field
from rulewright.field.ground import read_ground
from rulewright.field.ways import WALKER, reach

REPEATS = 5
PAIRS = 2_000


def _timed(work: Callable[[], Any]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


def _row(name: str, ours: Callable[[], Any], peer: str, theirs: Callable[[], Any], floor: float) -> dict[str, Any]:
    """How many times faster ours is; both find the same."""
    assert ours() == theirs()
    times = [(_timed(ours), _timed(theirs)) for _ in range(REPEATS)]
    mine, others = median(time[0] for time in times), median(time[1] for time in times)
    return {"name": name, "ours": mine, "peer": peer, "theirs": others, "ratio": others / mine, "floor": floor}


def _hills() -> Field:
    regions = [{"level": 1, "circle": [20, 20, 9]}, {"level": 2, "circle": [20, 20, 4]}, {"level": 1, "circle": [45, 40, 10]}]
    return Field(read_ground({"grid": "hexes", "size": [60, 60], "regions": regions}))


def hex_sight() -> dict[str, Any]:
    """Who sees whom on 60 by 60 hexes with hills, every pair for the first time, against looking at every hex of the line each time."""
    chance = random.Random(1)
    spots = [(chance.randint(1, 60), chance.randint(1, 60)) for _ in range(PAIRS + 1)]
    pairs = list(itertools.pairwise(spots))
    there = _hills()

    def ours() -> int:
        there._seen.clear()
        return sum(there.sight(one, other).open for one, other in pairs)

    def theirs() -> int:
        found = 0
        for one, other in pairs:
            hexes.steps.cache_clear()
            top = max(there.level(one), there.level(other))
            line = hexes.line(one, other)
            found += one == other or not any(there.on_map(spot) and there.level(spot) > top for step in line for spot in step)
        return found

    return _row(f"{PAIRS:,} lines of sight over 60 × 60 hexes", ours, "each line worked out anew", theirs, 1.5)


def wall_sight() -> dict[str, Any]:
    """Who sees whom past 200 walls, every pair for the first time, against testing every wall by exact geometry."""
    chance = random.Random(2)
    walls = []
    for _ in range(200):
        x, y = chance.uniform(3, 57), chance.uniform(3, 37)
        walls.append({"along": [[round(x, 2), round(y, 2)], [round(x + chance.uniform(-3, 3), 2), round(y + chance.uniform(-3, 3), 2)]]})
    there = Field(read_ground({"walls": walls}))
    spots = [(round(chance.uniform(0, 60), 2), round(chance.uniform(0, 40), 2)) for _ in range(501)]
    pairs = list(itertools.pairwise(spots))
    stretches = list(there.step_walls)

    def ours() -> int:
        there._seen.clear()
        return sum(there.sight(one, other).open for one, other in pairs)

    def theirs() -> int:
        return sum(not any(_meets(wall, there.place(one), there.place(other)) for wall in stretches) for one, other in pairs)

    return _row("500 lines of sight past 200 walls", ours, "every wall tested", theirs, 3)


def _meets(wall: shapes.Stretch, one: shapes.Place, other: shapes.Place) -> bool:
    """Whether a line meets a wall, by the signs of four areas; where they lie on one line, by their ends."""
    (x1, y1), (x2, y2) = one, other
    _, _, _, _, x3, y3, x4, y4, _ = wall
    a, b = (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1), (x2 - x1) * (y4 - y1) - (y2 - y1) * (x4 - x1)
    c, d = (x4 - x3) * (y1 - y3) - (y4 - y3) * (x1 - x3), (x4 - x3) * (y2 - y3) - (y4 - y3) * (x2 - x3)
    if a == b == 0:
        return max(min(x1, x2), min(x3, x4)) <= min(max(x1, x2), max(x3, x4)) and max(min(y1, y2), min(y3, y4)) <= min(
            max(y1, y2), max(y3, y4)
        )
    return a * b <= 0 and c * d <= 0


def remembered_reach() -> dict[str, Any]:
    """All ground within 12 metres of a room with walls, asked again as a page does, against the first time."""
    ground = read_ground({"size": [40, 24], "walls": [{"along": [[26, 0], [26, 15], [34, 15]]}, {"along": [[10, 5], [10, 20]]}]})
    there = Field(ground)

    def ours() -> int:
        return len(reach(there, (20.0, 10.0), WALKER, 12).costs)

    def theirs() -> int:
        return len(reach(Field(ground), (20.0, 10.0), WALKER, 12).costs)

    return _row("reach of 12 m past walls, asked again", ours, "the first time", theirs, 1.5)


def rows() -> list[dict[str, Any]]:
    """All measurements of the field."""
    return [hex_sight(), wall_sight(), remembered_reach()]
