"""Sight and reach on hexes and past walls, compared with simple algorithms; and a move drawn by a browser."""

import itertools
import random
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import msgspec

from rulewright.field.field import Field
from rulewright.field.geometry import hexes, shapes
from rulewright.field.ground import read_ground
from rulewright.field.pathfinding import WALKER, reach

REPEATS = 5
PAIRS = 2_000


def _timed(work: Callable[[], Any]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


def _row(name: str, ours: Callable[[], Any], peer: str, theirs: Callable[[], Any], floor: float) -> dict[str, Any]:
    """Times both and checks that they give the same result."""
    assert ours() == theirs()
    times = [(_timed(ours), _timed(theirs)) for _ in range(REPEATS)]
    mine, others = median(time[0] for time in times), median(time[1] for time in times)
    return {"name": name, "ours": mine, "peer": peer, "theirs": others, "ratio": others / mine, "floor": floor}


def _hills() -> Field:
    regions = [{"level": 1, "circle": [20, 20, 9]}, {"level": 2, "circle": [20, 20, 4]}, {"level": 1, "circle": [45, 40, 10]}]
    return Field(read_ground({"grid": "hexes", "size": [60, 60], "regions": regions}))


def hex_sight() -> dict[str, Any]:
    """Sight on 60 by 60 hexes with hills, without cached results, compared with checking every hex of each line."""
    chance = random.Random(1)
    spots = [(chance.randint(1, 60), chance.randint(1, 60)) for _ in range(PAIRS + 1)]
    pairs = list(itertools.pairwise(spots))
    terrain = _hills()

    def ours() -> int:
        terrain._seen.clear()
        return sum(terrain.sight(start, end).open for start, end in pairs)

    def theirs() -> int:
        open_lines = 0
        for start, end in pairs:
            hexes.steps.cache_clear()  # type: ignore[attr-defined]  # it is cached
            top = max(terrain.level(start), terrain.level(end))
            line = hexes.line(start, end)
            open_lines += start == end or not any(terrain.on_map(spot) and terrain.level(spot) > top for step in line for spot in step)
        return open_lines

    return _row(f"{PAIRS:,} lines of sight over 60 × 60 hexes", ours, "each line worked out anew", theirs, 1.5)


def wall_sight() -> dict[str, Any]:
    """Sight past 200 walls, without cached results, compared with testing every wall by exact geometry."""
    chance = random.Random(2)
    walls = []
    for _ in range(200):
        x, y = chance.uniform(3, 57), chance.uniform(3, 37)
        walls.append({"along": [[round(x, 2), round(y, 2)], [round(x + chance.uniform(-3, 3), 2), round(y + chance.uniform(-3, 3), 2)]]})
    terrain = Field(read_ground({"walls": walls}))
    spots = [(round(chance.uniform(0, 60), 2), round(chance.uniform(0, 40), 2)) for _ in range(501)]
    pairs = list(itertools.pairwise(spots))
    stretches = list(terrain.step_walls)

    def ours() -> int:
        terrain._seen.clear()
        return sum(terrain.sight(start, end).open for start, end in pairs)

    def theirs() -> int:
        return sum(not any(_meets(wall, terrain.place(start), terrain.place(end)) for wall in stretches) for start, end in pairs)

    return _row("500 lines of sight past 200 walls", ours, "every wall tested", theirs, 3)


def _meets(wall: shapes.Stretch, start: shapes.Place, end: shapes.Place) -> bool:
    """Whether a line meets a wall, by the signs of four areas; for collinear ones by their ends."""
    (x1, y1), (x2, y2) = start, end
    _, _, _, _, x3, y3, x4, y4, _ = wall
    a, b = (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1), (x2 - x1) * (y4 - y1) - (y2 - y1) * (x4 - x1)
    c, d = (x4 - x3) * (y1 - y3) - (y4 - y3) * (x1 - x3), (x4 - x3) * (y2 - y3) - (y4 - y3) * (x2 - x3)
    if a == b == 0:
        return max(min(x1, x2), min(x3, x4)) <= min(max(x1, x2), max(x3, x4)) and max(min(y1, y2), min(y3, y4)) <= min(
            max(y1, y2), max(y3, y4)
        )
    return a * b <= 0 and c * d <= 0


def remembered_reach() -> dict[str, Any]:
    """Reach of 12 metres in a room with walls, with cached results, compared with the first query."""
    ground = read_ground({"size": [40, 24], "walls": [{"along": [[26, 0], [26, 15], [34, 15]]}, {"along": [[10, 5], [10, 20]]}]})
    terrain = Field(ground)

    def ours() -> int:
        return len(reach(terrain, (20.0, 10.0), WALKER, 12).costs)

    def theirs() -> int:
        return len(reach(Field(ground), (20.0, 10.0), WALKER, 12).costs)

    return _row("reach of 12 m past walls, asked again", ours, "the first time", theirs, 1.5)


def _plain_reach(terrain: Field, start: hexes.Hex, most: int) -> dict[hexes.Hex, int]:
    """All hexes within a number of steps, by a plain breadth-first search."""
    distances, ring = {start: 0}, [start]
    for steps in range(1, most + 1):
        ring = [spot for here in ring for spot in dict.fromkeys(hexes.neighbours(here)) if terrain.on_map(spot)]
        ring = [spot for spot in dict.fromkeys(ring) if spot not in distances]
        distances.update(dict.fromkeys(ring, steps))
    return distances


def hex_reach() -> dict[str, Any]:
    """Reach of 12 steps on 60 by 60 hexes, without cached results, compared with a plain breadth-first search."""
    terrain = Field(read_ground({"grid": "hexes", "size": [60, 60], "terrain": "clear"}))

    def ours() -> int:
        terrain.remembered.clear()
        return len(reach(terrain, (30.0, 30.0), WALKER, 12).costs)

    def theirs() -> int:
        return len(_plain_reach(terrain, (30, 30), 12))

    return _row("reach of 12 hexes on 60 × 60", ours, "a plain breadth-first search", theirs, 0.2)


def everybody_in_sight() -> dict[str, Any]:
    """Sight between 24 units on 60 by 60 hexes with hills, as after a move, compared with a plain search from each.

    A page asks at most ten times a second, for one place. The answer takes less time than that.
    """
    terrain, chance = _hills(), random.Random(3)
    spots = [(chance.randint(1, 60), chance.randint(1, 60)) for _ in range(24)]

    def ours() -> None:
        terrain._seen.clear()
        for start, end in itertools.combinations(spots, 2):
            terrain.sight(start, end)

    def theirs() -> None:
        for spot in spots:
            _plain_reach(terrain, spot, 12)

    return _row("sight of 24 among each other on 60 × 60 hexes", ours, "a breadth-first search from each", theirs, 2)


# --- the browser ----------------------------------------------------------------------------------------------------------------

MOVES = 24
TO_THE_FRAME = """async ([before, after, times]) => {
  const durations = [];
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (let turn = 0; turn < times; turn++) {
    const fresh = new DOMParser().parseFromString(turn % 2 ? before : after, 'text/html').getElementById('map');
    await frame();
    const begun = performance.now();
    Idiomorph.morph(document.getElementById('map'), fresh, { morphStyle: 'outerHTML',
      callbacks: { beforeNodeMorphed: (old, next) => !(old.id === 'ground' && next.hasAttribute?.('data-kept')) } });
    document.getElementById('map').getBoundingClientRect();
    await frame();
    durations.push(performance.now() - begun);
  }
  return durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)];
}"""


def _drawn(moved: float, kept: bool) -> str:
    """The HTML of a map with 60 by 60 hexes and 24 counters, one of which has moved."""
    from rulewright.field.ground import UNCHANGED
    from rulewright.field.placement import FieldShown
    from rulewright.web.app import _environment
    from rulewright.web.table.board import Counter, draw_empty_map

    board = draw_empty_map(FieldShown(_hills().ground, UNCHANGED, whole=True))
    counters = []
    for number in range(24):
        spot = (2.0 + 2 * number + (moved if number == 0 else 0), 3.0 + 2 * number)
        x, y = hexes.centre(spot)
        counters.append(
            Counter(f"Fighter {number}", f"F{number}", x, y, f"side{number % 2}", spot=spot, left=0.7, turned=30.0, movable=True)
        )
    template = _environment().get_template("map_sheet.html")
    board = msgspec.structs.replace(board, counters=tuple(counters))
    return template.render(board=board, easel=None, scene=None, ground_kept=kept, moment="", url="/tables/x", leads=True)


def move_drawn() -> dict[str, Any]:
    """Time from the server's response to the frame that shows a move, compared with updating an empty page."""
    from pathlib import Path

    from playwright.sync_api import sync_playwright

    import rulewright.web

    static = Path(rulewright.web.__file__).parent / "static"
    style = "".join(static.joinpath(name).read_text("utf-8") for name in ("look.css", "table.css", "field.css", "draw.css"))
    script = static.joinpath("vendor", "idiomorph-ext.min.js").read_text("utf-8")
    around = (
        "<!doctype html><html><head><style>{}</style><script>window.htmx={{defineExtension(){{}}}};{}</script></head><body>{}</body></html>"
    )
    empty = ['<section id="map"><p>one</p></section>', '<section id="map"><p>two</p></section>']
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        times = []
        for first, versions in ((empty[0], empty), (_drawn(0, False), [_drawn(0, True), _drawn(3, True)])):
            page.set_content(around.format(style, script, first))
            times.append(page.evaluate(TO_THE_FRAME, [*versions, MOVES]) / 1000)
        browser.close()
    name = "a move drawn on 60 × 60 hexes with 24 counters, to the frame that shows it"
    return {
        "name": name,
        "ours": times[1],
        "peer": "an empty page's update",
        "theirs": times[0],
        "ratio": times[0] / times[1],
        "floor": 0.4,
    }


def rows() -> list[dict[str, Any]]:
    """All benchmarks of this module."""
    return [hex_sight(), wall_sight(), remembered_reach(), hex_reach(), everybody_in_sight(), move_drawn()]
