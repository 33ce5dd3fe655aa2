"""A table as its page shows it: map, cards, questions and log. Everything comes from what the member may see."""

import zlib
from collections.abc import Sequence
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, Ladder, Place, Pool, SceneView, Timeline, Track, Turn
from rulewright.field.field import NOTHING, Field, field
from rulewright.field.geometry import hexes
from rulewright.field.placement import FieldShown
from rulewright.table.state import Map, Token
from rulewright.table.views import QuestionShown, SceneShown, TableShown
from rulewright.web.maps.terrain_svg import GroundDrawn, draw_ground
from rulewright.web.maps.unit_symbols import find_symbol
from rulewright.web.sheets.blocks import Item, items
from rulewright.web.table.log_lines import is_headline

MAX_LINES = 60
"""Maximum number of grid lines across; finer grids would look grey."""
MIN_WIDTH, MIN_HEIGHT = 12.0, 5.0
"""The smallest area that the map shows in metres, and its aspect ratio."""


# --- the map ------------------------------------------------------------------------------------------------------------------


class Counter(Struct, frozen=True):
    """A combatant or marker on the map, in metres."""

    name: str
    short: str
    x: float
    y: float
    """Where it is drawn."""
    sort: str
    """Its colour: side0 to side3, or token."""
    token: str = ""
    now: bool = False
    out: bool = False
    hidden: bool = False
    movable: bool = False
    away: str = ""
    """Its distance from the combatant who is asked."""
    shift: float = 0.0
    """How far to the right of its place it is drawn, so that others on the same place are visible."""
    spot: tuple[float, float] = (0.0, 0.0)
    """Its place: metres, or column and row."""
    goes: bool = False
    """Whether the member is asked where it moves."""
    turned: float | None = None
    """Its facing: degrees from the x axis, clockwise."""
    left: float | None = None
    """Its health, from 0 to 1."""
    left_words: str = ""
    picture: str = ""
    """The digest of its picture, shown instead of letters."""
    symbol: str = ""
    """The symbol of what it is, shown instead of letters."""
    covers: tuple[tuple[float, float], ...] = ()
    """Further places that it occupies, relative to where it is drawn."""

    @property
    def id(self) -> str:
        """An id from the name, so that it stays the same when others appear."""
        return f"counter-{self.token or format(zlib.crc32(self.name.encode()), '08x')}"

    @property
    def left_class(self) -> str:
        """The CSS class of its health."""
        return health_class(self.left)


def health_class(left: float | None) -> str:
    """The CSS class of a health from 0 to 1."""
    return "" if left is None or left > 0.66 else "warn" if left > 0.33 else "bad"


class SightLine(Struct, frozen=True):
    """A line of sight from the combatant who is asked to an enemy."""

    x1: float
    y1: float
    x2: float
    y2: float
    blocked: bool = False
    """Whether something blocks it."""
    to: str = ""
    """The enemy."""
    away: str = ""
    """The distance."""


class Board(Struct, frozen=True):
    """The map: the visible area in metres, its grid, and everybody on it."""

    left: float
    top: float
    width: float
    height: float
    cell: float
    hexes: bool
    radius: float
    counters: tuple[Counter, ...]
    ways: tuple[SightLine, ...]
    drawn: GroundDrawn | None = None
    """The terrain."""
    metres: float = 1.0
    """Metres for each square or hex."""
    grid: str = "open"
    asks: QuestionShown | None = None
    """The open question that a place answers, if the member may answer it."""

    @property
    def side(self) -> float:
        """The side of a hex."""
        return self.cell / sqrt(3)

    @property
    def words(self) -> str:
        """A description of the map for screen readers."""
        unit = "" if self.hexes else " metres"
        tokens = [f"{counter.name} at {counter.spot[0]:g}, {counter.spot[1]:g}{unit}" for counter in self.counters]
        ground = f". {self.drawn.words}" if self.drawn is not None and self.drawn.words else ""
        return f"Map: {'; '.join(tokens)}{ground}" if tokens else f"Map: nobody is on it{ground}"


def board(seen: TableShown, scene: SceneShown | None) -> Board | None:
    """The map of a scene with the table's markers; None if there is nothing on it."""
    view = scene.view if scene is not None else None
    places = view.places if view is not None else ()
    if not places and not seen.tokens:
        return None
    shown = view.field if view is not None else None
    if shown is not None and not (shown.ground.bare and not shown.changes.clouds):
        return _draw_on_terrain(seen, scene, view, shown)
    counters = [*_draw_combatants(seen, scene, view, places), *(_draw_marker(seen, token) for token in seen.tokens)]
    xs, ys = [counter.x for counter in counters], [counter.y for counter in counters]
    width = max(MIN_WIDTH, (max(xs) - min(xs)) * 1.3, (max(ys) - min(ys)) * 1.4 * MIN_WIDTH / MIN_HEIGHT)
    height = width * MIN_HEIGHT / MIN_WIDTH
    left, top = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
    cell = choose_grid_spacing(seen.map, width)
    counters, ways = _add_distances(spread_out(counters, width / 42))
    asks = find_place_question(scene)
    grid = "hexes" if seen.map.grid == "hex" else "open"
    return Board(left, top, width, height, cell, grid == "hexes", width / 42, tuple(counters), tuple(ways), grid=grid, asks=asks)


def as_read_only(drawn_map: Board | None) -> Board | None:
    """A read-only copy of a map: nothing on it can be moved or chosen."""
    if drawn_map is None:
        return None
    still = tuple([replace(counter, movable=False, goes=False) for counter in drawn_map.counters])
    return replace(drawn_map, counters=still, asks=None)


def find_place_question(scene: SceneShown | None) -> QuestionShown | None:
    """The first open question that a place answers and that the member may answer."""
    return next((question for question in scene.questions if question.mine and question.places), None) if scene is not None else None


def _draw_on_terrain(seen: TableShown, scene: SceneShown | None, view: SceneView | None, shown: FieldShown) -> Board:
    """The map of a scene with terrain: as large as the terrain, or as those on it need."""
    drawn = draw_ground(shown)
    places = view.places if view is not None else ()
    counters = [*_draw_combatants(seen, scene, view, places), *(_draw_marker(seen, token) for token in seen.tokens)]
    if drawn.hexes:
        counters = [move_to_hex_centre(counter) for counter in counters]
    if drawn.width:
        edge = max(drawn.width, drawn.height) / 60
        left, top, width, height = drawn.left - edge, drawn.top - edge, drawn.width + 2 * edge, drawn.height + 2 * edge
    else:
        xs, ys = [counter.x for counter in counters] or [0.0], [counter.y for counter in counters] or [0.0]
        width = max(MIN_WIDTH, (max(xs) - min(xs)) * 1.3, (max(ys) - min(ys)) * 1.4 * MIN_WIDTH / MIN_HEIGHT)
        height = width * MIN_HEIGHT / MIN_WIDTH
        left, top = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
    radius = 0.36 if drawn.hexes else max(0.5, width / 60)
    counters, ways = _add_distances(spread_out(counters, radius), field(shown.ground, shown.changes))
    cell = 1.0 if drawn.hexes else choose_grid_spacing(Map(cell=shown.ground.cell), width)
    return Board(
        left,
        top,
        width,
        height,
        cell,
        drawn.hexes,
        radius,
        tuple(counters),
        tuple(ways),
        drawn,
        shown.ground.cell if drawn.hexes else cell,
        shown.ground.grid,
        find_place_question(scene),
    )


def draw_empty_map(shown: FieldShown) -> Board:
    """A prepared map with nobody on it."""
    drawn = draw_ground(shown)
    left, top, width, height = (drawn.left, drawn.top, drawn.width, drawn.height) if drawn.width else (0.0, 0.0, 24.0, 16.0)
    edge = max(width, height) / 60
    cell = 1.0 if drawn.hexes else choose_grid_spacing(Map(cell=shown.ground.cell), width)
    metres = shown.ground.cell if drawn.hexes else cell
    radius = 0.36 if drawn.hexes else max(0.5, width / 60)
    box = (left - edge, top - edge, width + 2 * edge, height + 2 * edge)
    return Board(*box, cell, drawn.hexes, radius, (), (), drawn, metres, shown.ground.grid)


OPEN_SIZE = (24.0, 16.0)
"""The smallest area of open terrain shown for scene setup, in metres."""


def draw_setup_map(shown: FieldShown | None, counters: list[Counter]) -> Board:
    """A scene in preparation: its terrain with everybody on it; open terrain has room around them."""
    if shown is not None and shown.ground.size is not None:
        bare = draw_empty_map(shown)
        counters = [move_to_hex_centre(counter) for counter in counters] if bare.hexes else counters
        return replace(bare, counters=tuple(spread_out(counters, bare.radius)))
    drawn = draw_ground(shown) if shown is not None and not shown.ground.bare else None
    covers = [(cover.x, cover.y) for cover in drawn.covers] if drawn is not None else []
    xs, ys = zip(*[(counter.x, counter.y) for counter in counters], *covers, strict=True) if counters or covers else ((5.0,), (3.0,))
    width = max(OPEN_SIZE[0], max(xs) - min(xs) + 12, (max(ys) - min(ys) + 8) * OPEN_SIZE[0] / OPEN_SIZE[1])
    height = width * OPEN_SIZE[1] / OPEN_SIZE[0]
    left, top = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
    cell, radius = choose_grid_spacing(Map(cell=1.0), width), max(0.5, width / 60)
    return Board(left, top, width, height, cell, False, radius, tuple(spread_out(counters, radius)), (), drawn, cell)


def move_to_hex_centre(counter: Counter) -> Counter:
    """A counter at the centre of its hex."""
    x, y = hexes.centre(counter.spot)
    centres = [hexes.centre((counter.spot[0] + right, counter.spot[1] + down)) for right, down in counter.covers]
    covers = tuple([(round(right - x, 3), round(down - y, 3)) for right, down in centres])
    return replace(counter, x=round(x, 3), y=round(y, 3), covers=covers)


def choose_grid_spacing(drawn: Map, width: float) -> float:
    """The distance of grid lines: the map's cell, or a multiple that is wide enough."""
    cells = width / drawn.cell / MAX_LINES
    if cells <= 1:
        return drawn.cell
    for step in (2, 5, 10, 20, 50, 100, 200, 500, 1_000):
        if cells <= step:
            return drawn.cell * step
    return drawn.cell * ceil(cells)


def _draw_combatants(seen: TableShown, scene: SceneShown | None, view: SceneView | None, places: Sequence[Place]) -> list[Counter]:
    if view is None or scene is None:
        return []
    sides = list(dict.fromkeys(card.side for card in view.cards))
    cards = {card.name: card for card in view.cards}
    asked = {question.who for question in scene.questions}
    leads = seen.me.role == "gamemaster"
    asks = find_place_question(scene)
    on_hexes = view.field is not None and view.field.ground.grid == "hexes"
    counters = []
    for place in places:
        card = cards.get(place.name)
        side = f"side{sides.index(card.side) % 4}" if card is not None else "token"
        movable = leads and scene.between_steps
        out = card is not None and card.out
        left, words = _read_health(card) if card is not None else (None, "")
        turned = None if place.facing is None else place.facing * 60.0 - 90 if on_hexes else float(place.facing)
        counters.append(
            Counter(
                place.name,
                initials(place.name),
                place.x,
                place.y,
                side,
                now=place.name in asked,
                out=out,
                movable=movable,
                spot=(place.x, place.y),
                goes=asks is not None and asks.who == place.name,
                turned=turned,
                left=left,
                left_words=words,
                picture=scene.faces.get(place.name, ""),
                symbol=find_symbol(card) if card is not None else "",
                covers=tuple([(x - place.x, y - place.y) for x, y in place.covers]),
            )
        )
    return counters


def _read_health(card: Card) -> tuple[float | None, str]:
    """The health of a combatant as their card shows it, from 0 to 1, with a description: boxes not marked, levels above the worst,
    or the points of a pool that the card begins with."""
    for piece in card.pieces:
        if isinstance(piece, Track) and piece.boxes > 0:
            marked = min(len(piece.marks), piece.boxes)
            return 1 - marked / piece.boxes, f"{piece.name}: {marked} of {piece.boxes} marked"
        if isinstance(piece, Ladder) and len(piece.levels) > 1:
            return 1 - piece.now / (len(piece.levels) - 1), f"{piece.name}: {piece.levels[piece.now]}"
    first = next((piece for piece in card.pieces if isinstance(piece, Pool)), None)
    if first is not None and first is card.pieces[0] and first.most > 0:
        return first.value / first.most, f"{first.name}: {first.value} of {first.most}"
    return None, ""


def _draw_marker(seen: TableShown, token: Token) -> Counter:
    movable = seen.me.role == "gamemaster" or token.owner == seen.me.id
    spot = (token.x, token.y)
    return Counter(token.name, initials(token.name), *spot, "token", token.id, hidden=token.hidden, movable=movable, spot=spot)


def spread_out(counters: list[Counter], radius: float) -> list[Counter]:
    """Draw counters on the same place beside each other; their places stay the same."""
    taken: dict[tuple[float, float], int] = {}
    result = []
    for counter in counters:
        spot = (round(counter.x, 1), round(counter.y, 1))
        before = taken.get(spot, 0)
        taken[spot] = before + 1
        result.append(replace(counter, shift=round(before * radius * 1.7, 3)))
    return result


def _add_distances(counters: list[Counter], terrain: Field = NOTHING) -> tuple[list[Counter], list[SightLine]]:
    """Enemies with their distance from the first combatant who is asked, and lines of sight to them."""
    asked = next((counter for counter in counters if counter.now), None)
    if asked is None:
        return counters, []
    result, ways = [], []
    for other in counters:
        if other.sort in (asked.sort, "token") or other.out:
            result.append(other)
            continue
        distance = terrain.distance(asked.spot, other.spot)
        away = f"{distance:g} {'hex' if distance == 1 else 'hexes'}" if terrain.hexes else f"{round(distance, 1):g} m"
        result.append(replace(other, away=away))
        blocked = not terrain.sight(asked.spot, other.spot).open
        ways.append(SightLine(asked.x + asked.shift, asked.y, other.x + other.shift, other.y, blocked, other.name, away))
    return result, ways


def initials(name: str) -> str:
    """Two letters for a name on the map: `Guard 2` is G2."""
    words = name.split()
    if len(words) > 1:
        return (words[0][:1] + words[-1][:1]).upper()
    return name[:2].capitalize()


# --- cards --------------------------------------------------------------------------------------------------------------------


class Fighter(Struct, frozen=True):
    """A combatant's card."""

    name: str
    side: str
    colour: int
    out: bool
    now: bool
    turn: str
    """When they act, in the game's words."""
    items: tuple[Item, ...]
    player: str = ""
    tactic: str = ""
    settled: tuple[str, ...] = ()
    """Questions that are answered automatically."""
    asked: bool = False
    short: str = ""
    """Initials, for the disc of the card."""
    symbol: str = ""
    picture: str = ""
    left: float | None = None
    """Its health, from 0 to 1."""

    @property
    def track(self) -> Item | None:
        """The boxes, levels or points that show the health."""
        shown = next((item for item in self.items if item.kind in ("track", "ladder")), None)
        return shown or (self.items[0] if self.items and self.items[0].kind == "pool" else None)

    @property
    def tags(self) -> tuple[Item, ...]:
        """The most important conditions: those that hurt first."""
        tags = [item for item in self.items if item.kind == "tag" and not item.piece.name.endswith(" MP")]
        return tuple(sorted(tags, key=lambda item: not (getattr(item.piece, "hurt", False) or is_headline(item.piece.name)))[:MAX_TAGS])

    @property
    def left_class(self) -> str:
        """The CSS class of its health."""
        return health_class(self.left)


MAX_TAGS = 2
"""How many conditions a card shows before it is opened."""
MAX_BOXES = 8
"""A track of more boxes is shown as a bar."""


def turn_order(scene: SceneShown | None) -> tuple[Turn, ...]:
    """The order of turns, including combatants who have acted and are no longer on the game's timeline."""
    if scene is None or scene.view is None or scene.view.timeline is None:
        return ()
    turns = scene.view.timeline.turns
    listed = {turn.who for turn in turns}
    acted = [Turn(card.name, "", done=True) for card in scene.view.cards if card.name not in listed and not card.out] if turns else []
    return (*acted, *turns)


def fighters(seen: TableShown, scene: SceneShown) -> tuple[Fighter, ...]:
    """The cards of all combatants by side, in their starting order: a card never moves because somebody acts."""
    if scene.view is None:
        return ()
    view = scene.view
    sides = list(dict.fromkeys(card.side for card in view.cards))
    turns = {turn.who: turn for turn in view.timeline.turns} if view.timeline is not None else {}
    asked = {question.who for question in scene.questions}
    names = {member.id: member.name for member in seen.members}
    hands = {hand.who: hand for hand in scene.hands}
    cards = []
    for at, card in enumerate(view.cards):
        hand = hands.get(card.name)
        turn = turns.get(card.name)
        cards.append(
            Fighter(
                card.name,
                card.side,
                sides.index(card.side) % 4,
                card.out,
                card.name in asked or (turn is not None and turn.now),
                turn.at if turn is not None else "",
                items([piece for piece in card.pieces if not isinstance(piece, Place | Timeline)], f"f{at}"),
                names.get(hand.member, "") if hand is not None and not hand.tactic else "",
                hand.tactic if hand is not None else "",
                hand.settled if hand is not None else (),
                card.name in asked,
                initials(card.name),
                find_symbol(card),
                scene.faces.get(card.name, ""),
                _read_health(card)[0],
            )
        )
    return tuple(sorted(cards, key=lambda fighter: sides.index(fighter.side)))
