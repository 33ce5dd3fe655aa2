"""The nodes of an adventure as cards on a plane, and the ways between them as lines."""

from collections import deque

from msgspec import Struct

from rulewright.adventure.format import Adventure, effect_lists

WIDTH, HEIGHT, GAP_X, GAP_Y, EDGE = 168.0, 60.0, 216.0, 96.0, 40.0


class NodeCard(Struct, frozen=True):
    """A node: its place, and what it holds in a few words."""

    key: str
    name: str
    x: float
    y: float
    words: str
    ending: bool
    start: bool
    wrong: bool


class NodeLine(Struct, frozen=True):
    """A way from one node to another; a jump is where an effect leads."""

    source: str
    target: str
    path: str
    jump: bool


class NodeMap(Struct, frozen=True):
    """All nodes and lines, and the size of the plane."""

    cards: tuple[NodeCard, ...]
    lines: tuple[NodeLine, ...]
    width: float
    height: float


def node_map(adventure: Adventure, wrong: frozenset[str] = frozenset()) -> NodeMap:
    """The cards and lines of an adventure. A node without a place of its own stands as far to the right as its first way is long."""
    places = _places(adventure)
    cards = tuple(
        NodeCard(key, node.name, *places[key], _words(adventure, key), bool(node.ending), key == adventure.start.node, key in wrong)
        for key, node in adventure.nodes.items()
    )
    ways = [(key, way.to, False) for key, node in adventure.nodes.items() for way in node.ways]
    jumps = [
        (field[1], effect.go, True)
        for field, effects in effect_lists(adventure)
        for effect in effects
        if field[0] == "nodes" and effect.go and (field[1], effect.go, False) not in ways
    ]
    lines = tuple(
        NodeLine(source, target, line_path(places[source], places[target]), jump)
        for source, target, jump in dict.fromkeys([*ways, *jumps])
        if target in places and source != target
    )
    width = max((x for x, _ in places.values()), default=0.0) + WIDTH + EDGE
    return NodeMap(cards, lines, width, max((y for _, y in places.values()), default=0.0) + HEIGHT + EDGE)


def line_path(source: tuple[float, float], target: tuple[float, float]) -> str:
    """A line between two cards, from the edge of one to the edge of the other."""
    (x, y), (to_x, to_y) = _centre(source), _centre(target)
    across, down = to_x - x, to_y - y
    if not across and not down:
        return ""
    share = min(WIDTH / 2 / abs(across) if across else 9e9, HEIGHT / 2 / abs(down) if down else 9e9, 0.5)
    return f"M{x + across * share:.0f} {y + down * share:.0f}L{to_x - across * share:.0f} {to_y - down * share:.0f}"


def _centre(place: tuple[float, float]) -> tuple[float, float]:
    return place[0] + WIDTH / 2, place[1] + HEIGHT / 2


def _places(adventure: Adventure) -> dict[str, tuple[float, float]]:
    """The place of each card: its own, or by the number of ways from the start."""
    depth, queue = {adventure.start.node: 0}, deque([adventure.start.node])
    while queue:
        key = queue.popleft()
        node = adventure.nodes.get(key)
        for way in node.ways if node is not None else ():
            if way.to not in depth:
                depth[way.to] = depth[key] + 1
                queue.append(way.to)
    last = max(depth.values(), default=0) + 1
    places, filled = {}, dict[int, int]()
    for key, node in adventure.nodes.items():
        if node.at is not None:
            places[key] = (max(0.0, node.at[0]), max(0.0, node.at[1]))
            continue
        column = depth.get(key, last)
        places[key] = (EDGE + column * GAP_X, EDGE + filled.get(column, 0) * GAP_Y)
        filled[column] = filled.get(column, 0) + 1
    return places


def _words(adventure: Adventure, key: str) -> str:
    node = adventure.nodes[key]
    if node.ending:
        return node.ending
    parts = [(len(node.requests), "rolls"), (len(node.actions), "actions"), (len(node.ways), "ways")]
    words = [f"{number} {name if number != 1 else name[:-1]}" for number, name in parts if number]
    return ", ".join([*words, *(["fight"] if node.fight is not None else []), *(["time"] if node.downtime is not None else [])])
