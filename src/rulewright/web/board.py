"""A table as its page draws it: the map, everybody's card, the questions, the log. All of it from what the member may see."""

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.pieces import Card, Ladder, Place, SceneView, Timeline, Track
from rulewright.field import hexes
from rulewright.field.field import NOTHING, Field, field
from rulewright.field.standing import FieldShown
from rulewright.scenes.chances import Weighed
from rulewright.table.state import Map, Token
from rulewright.table.views import Detail, LogShown, MemberShown, QuestionShown, SceneShown, TableShown
from rulewright.web.bars import Term, percent, terms
from rulewright.web.blocks import Item, items
from rulewright.web.ground_drawing import GroundDrawn, ground_drawn

MOST_LINES = 60
"""Lines of the grid across, at most: a finer one would be grey."""
MOST_WAYS = 4
NARROW, TALL = 12.0, 5.0
"""The least that the map shows, in metres across and down, and its shape."""


# --- the map ------------------------------------------------------------------------------------------------------------------


class Counter(Struct, frozen=True):
    """Somebody or something on the map, in metres."""

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
    """How far from whoever is asked."""
    shift: float = 0.0
    """How far down it is drawn from where it stands, for others to be seen."""
    spot: tuple[float, float] = (0.0, 0.0)
    """Where it stands: metres, or column and row."""
    goes: bool = False
    """Whether whoever looks is asked where it goes."""
    turned: float | None = None
    """Degrees from the x axis to where it looks, clockwise."""
    left: float | None = None
    """What is left of it, from 0 to 1."""
    left_words: str = ""
    picture: str = ""
    """The digest of the picture that it shows instead of letters."""

    @property
    def id(self) -> str:
        """From the name, so that nobody becomes somebody else when a third comes into sight."""
        return f"counter-{self.token or format(zlib.crc32(self.name.encode()), '08x')}"

    @property
    def left_class(self) -> str:
        """How much of it is left, in a word."""
        return "" if self.left is None or self.left > 0.66 else "warn" if self.left > 0.33 else "bad"


class Way(Struct, frozen=True):
    """From whoever is asked to somebody of another side."""

    x1: float
    y1: float
    x2: float
    y2: float
    blocked: bool = False
    """Whether something stands between them."""


class Board(Struct, frozen=True):
    """The map: what it shows, in metres, its grid, who stands where."""

    left: float
    top: float
    width: float
    height: float
    cell: float
    hexes: bool
    radius: float
    counters: tuple[Counter, ...]
    ways: tuple[Way, ...]
    drawn: GroundDrawn | None = None
    """What they stand on."""
    metres: float = 1.0
    """Metres a square or a hex."""
    grid: str = "open"
    asks: QuestionShown | None = None
    """The question that any place answers, where whoever looks may answer it."""

    @property
    def side(self) -> float:
        """The side of a hex."""
        return self.cell / sqrt(3)

    @property
    def words(self) -> str:
        """The map for those who do not see it."""
        unit = "" if self.hexes else " metres"
        stand = [f"{each.name} at {each.spot[0]:g}, {each.spot[1]:g}{unit}" for each in self.counters]
        ground = f". {self.drawn.words}" if self.drawn is not None and self.drawn.words else ""
        return f"Map: {'; '.join(stand)}{ground}" if stand else f"Map: nobody stands on it{ground}"


def board(seen: TableShown, scene: SceneShown | None) -> Board | None:
    """The map of a scene and of the table's markers; None where there is nothing to put on it."""
    view = scene.view if scene is not None else None
    places = view.places if view is not None else ()
    if not places and not seen.tokens:
        return None
    shown = view.field if view is not None else None
    if shown is not None and not (shown.ground.bare and not shown.changes.clouds):
        return _on_ground(seen, scene, view, shown)
    counters = [*_combatants(seen, scene, view, places), *(_marker(seen, token) for token in seen.tokens)]
    xs, ys = [each.x for each in counters], [each.y for each in counters]
    width = max(NARROW, (max(xs) - min(xs)) * 1.3, (max(ys) - min(ys)) * 1.4 * NARROW / TALL)
    height = width * TALL / NARROW
    left, top = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
    cell = cell_of(seen.map, width)
    counters, ways = _measured(counters)
    counters = side_by_side(counters, width / 42)
    asks = asked_for_a_place(scene)
    grid = "hexes" if seen.map.grid == "hex" else "open"
    return Board(left, top, width, height, cell, grid == "hexes", width / 42, tuple(counters), tuple(ways), grid=grid, asks=asks)


def untouched(found: Board | None) -> Board | None:
    """A map to look at: nothing on it is moved or chosen."""
    if found is None:
        return None
    still = tuple([replace(each, movable=False, goes=False) for each in found.counters])
    return replace(found, counters=still, asks=None)


def asked_for_a_place(scene: SceneShown | None) -> QuestionShown | None:
    """The first question that any place answers, of those that whoever looks may answer."""
    return next((question for question in scene.questions if question.mine and question.places), None) if scene is not None else None


def _on_ground(seen: TableShown, scene: SceneShown | None, view: SceneView | None, shown: FieldShown) -> Board:
    """The map of a scene with ground: as large as the ground, or as those on it need."""
    drawn = ground_drawn(shown)
    places = view.places if view is not None else ()
    counters = [*_combatants(seen, scene, view, places), *(_marker(seen, token) for token in seen.tokens)]
    if drawn.hexes:
        counters = [on_paper(each) for each in counters]
    if drawn.width:
        edge = max(drawn.width, drawn.height) / 60
        left, top, width, height = drawn.left - edge, drawn.top - edge, drawn.width + 2 * edge, drawn.height + 2 * edge
    else:
        xs, ys = [each.x for each in counters] or [0.0], [each.y for each in counters] or [0.0]
        width = max(NARROW, (max(xs) - min(xs)) * 1.3, (max(ys) - min(ys)) * 1.4 * NARROW / TALL)
        height = width * TALL / NARROW
        left, top = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
    radius = 0.36 if drawn.hexes else max(0.5, width / 60)
    counters, ways = _measured(counters, field(shown.ground, shown.changes))
    cell = 1.0 if drawn.hexes else cell_of(Map(cell=shown.ground.cell), width)
    return Board(
        left,
        top,
        width,
        height,
        cell,
        drawn.hexes,
        radius,
        tuple(side_by_side(counters, radius)),
        tuple(ways),
        drawn,
        shown.ground.cell if drawn.hexes else cell,
        shown.ground.grid,
        asked_for_a_place(scene),
    )


def sheet_board(shown: FieldShown) -> Board:
    """A map on which nobody stands, as it is prepared."""
    drawn = ground_drawn(shown)
    left, top, width, height = (drawn.left, drawn.top, drawn.width, drawn.height) if drawn.width else (0.0, 0.0, 24.0, 16.0)
    edge = max(width, height) / 60
    cell = 1.0 if drawn.hexes else cell_of(Map(cell=shown.ground.cell), width)
    metres = shown.ground.cell if drawn.hexes else cell
    radius = 0.36 if drawn.hexes else max(0.5, width / 60)
    box = (left - edge, top - edge, width + 2 * edge, height + 2 * edge)
    return Board(*box, cell, drawn.hexes, radius, (), (), drawn, metres, shown.ground.grid)


OPEN = (24.0, 16.0)
"""The least of open ground that is shown where people are put on it, in metres."""


def laid_board(shown: FieldShown | None, counters: list[Counter]) -> Board:
    """A scene that is prepared: its ground with everybody where they are put; open ground with room around them."""
    if shown is not None and shown.ground.size is not None:
        bare = sheet_board(shown)
        counters = [on_paper(each) for each in counters] if bare.hexes else counters
        return replace(bare, counters=tuple(side_by_side(counters, bare.radius)))
    drawn = ground_drawn(shown) if shown is not None and not shown.ground.bare else None
    covers = [(each.x, each.y) for each in drawn.covers] if drawn is not None else []
    xs, ys = zip(*[(each.x, each.y) for each in counters], *covers, strict=True) if counters or covers else ((5.0,), (3.0,))
    width = max(OPEN[0], max(xs) - min(xs) + 12, (max(ys) - min(ys) + 8) * OPEN[0] / OPEN[1])
    height = width * OPEN[1] / OPEN[0]
    left, top = (max(xs) + min(xs) - width) / 2, (max(ys) + min(ys) - height) / 2
    cell, radius = cell_of(Map(cell=1.0), width), max(0.5, width / 60)
    return Board(left, top, width, height, cell, False, radius, tuple(side_by_side(counters, radius)), (), drawn, cell)


def on_paper(counter: Counter) -> Counter:
    """A counter on hexes, where it is drawn."""
    x, y = hexes.centre(counter.spot)
    return replace(counter, x=round(x, 3), y=round(y, 3))


def cell_of(drawn: Map, width: float) -> float:
    """The map's cell, or the next multiple of it that is not too fine to be seen."""
    cells = width / drawn.cell / MOST_LINES
    if cells <= 1:
        return drawn.cell
    for step in (2, 5, 10, 20, 50, 100, 200, 500, 1_000):
        if cells <= step:
            return drawn.cell * step
    return drawn.cell * ceil(cells)


def _combatants(seen: TableShown, scene: SceneShown | None, view: SceneView | None, places: Sequence[Place]) -> list[Counter]:
    if view is None or scene is None:
        return []
    sides = list(dict.fromkeys(card.side for card in view.cards))
    cards = {card.name: card for card in view.cards}
    asked = {question.who for question in scene.questions}
    leads = seen.me.role == "gamemaster"
    asks = asked_for_a_place(scene)
    on_hexes = view.field is not None and view.field.ground.grid == "hexes"
    found = []
    for place in places:
        card = cards.get(place.name)
        side = f"side{sides.index(card.side) % 4}" if card is not None else "token"
        movable = leads and scene.between_steps
        out = card is not None and card.out
        left, words = _left(card) if card is not None else (None, "")
        turned = None if place.facing is None else place.facing * 60.0 - 90 if on_hexes else float(place.facing)
        found.append(
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
            )
        )
    return found


def _left(card: Card) -> tuple[float | None, str]:
    """What is left of somebody, as far as their card shows it: boxes that are not marked, or the rungs above the worst."""
    for piece in card.pieces:
        if isinstance(piece, Track) and piece.boxes > 0:
            marked = min(len(piece.marks), piece.boxes)
            return 1 - marked / piece.boxes, f"{piece.name} {marked} of {piece.boxes} marked"
        if isinstance(piece, Ladder) and len(piece.levels) > 1:
            return 1 - piece.now / (len(piece.levels) - 1), f"{piece.name} {piece.levels[piece.now]}"
    return None, ""


def _marker(seen: TableShown, token: Token) -> Counter:
    movable = seen.me.role == "gamemaster" or token.owner == seen.me.id
    spot = (token.x, token.y)
    return Counter(token.name, initials(token.name), *spot, "token", token.id, hidden=token.hidden, movable=movable, spot=spot)


def side_by_side(counters: list[Counter], radius: float) -> list[Counter]:
    """Those who stand on one spot are drawn beside each other; where they stand remains what it is."""
    taken: dict[tuple[float, float], int] = {}
    found = []
    for each in counters:
        spot = (round(each.x, 1), round(each.y, 1))
        before = taken.get(spot, 0)
        taken[spot] = before + 1
        found.append(replace(each, shift=before * radius * 1.5))
    return found


def _measured(counters: list[Counter], there: Field = NOTHING) -> tuple[list[Counter], list[Way]]:
    """Everybody of another side with the distance from the first who is asked, and the lines to the nearest of them."""
    asked = next((each for each in counters if each.now), None)
    if asked is None:
        return counters, []
    found, ways = [], []
    for other in counters:
        if other.sort in (asked.sort, "token") or other.out:
            found.append(other)
            continue
        metres = there.distance(asked.spot, other.spot)
        found.append(replace(other, away=f"{metres:g} hexes" if there.hexes else f"{round(metres, 1):g} m"))
        blocked = not there.sight(asked.spot, other.spot).open
        ways.append((metres, Way(asked.x, asked.y, other.x, other.y, blocked)))
    return found, [way for _, way in sorted(ways, key=lambda each: each[0])[:MOST_WAYS]]


def initials(name: str) -> str:
    """Two letters that stand for a name on the map: `Guard 2` is G2."""
    words = name.split()
    if len(words) > 1:
        return (words[0][:1] + words[-1][:1]).upper()
    return name[:2].capitalize()


# --- cards --------------------------------------------------------------------------------------------------------------------


class Fighter(Struct, frozen=True):
    """Somebody's card."""

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
    """What they are not asked about any more."""
    asked: bool = False


def fighters(seen: TableShown, scene: SceneShown) -> tuple[Fighter, ...]:
    """Everybody in the scene, side by side in the order in which they came: a card never moves because somebody acts."""
    if scene.view is None:
        return ()
    view = scene.view
    sides = list(dict.fromkeys(card.side for card in view.cards))
    turns = {turn.who: turn for turn in view.timeline.turns} if view.timeline is not None else {}
    asked = {question.who for question in scene.questions}
    names = {member.id: member.name for member in seen.members}
    hands = {hand.who: hand for hand in scene.hands}
    found = []
    for at, card in enumerate(view.cards):
        hand = hands.get(card.name)
        turn = turns.get(card.name)
        found.append(
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
            )
        )
    return tuple(sorted(found, key=lambda each: sides.index(each.side)))


# --- questions ----------------------------------------------------------------------------------------------------------------


class Segment(Struct, frozen=True):
    """A part of the bar beside an option."""

    name: str
    percent: str
    start: float
    width: float
    kind: str


class Prospect(Struct, frozen=True):
    """What an option leads to: the chance that is hoped for as a large number and what it counts, and every outcome by name."""

    key: str
    large: str
    counts: str
    words: str
    bar: tuple[Segment, ...]
    why_not: str
    hoped: float | None = None
    """The large number to be compared with others; None where it is a lower bound."""


def _shade(place: int, worst: int) -> int:
    """Nothing, light, serious, worst: where a place on the scale stands between nothing and the worst that can come of it."""
    return 0 if place == 0 else 3 if worst <= 1 else 1 + round(2 * (place - 1) / (worst - 1))


def prospects(weighed: Sequence[Weighed]) -> tuple[Prospect, ...]:
    """The chances beside the options of a question."""
    found = []
    # One thing to hope for has its colour; several (a light wound, a deep one) are told apart by how much they are, alike for all options.
    hopes = len({outcome.name for each in weighed for outcome in each.outcomes if outcome.good})
    worst = max((outcome.place for each in weighed for outcome in each.outcomes), default=0)
    for each in weighed:
        bar, start = [], 0.0
        for outcome, told in zip(each.outcomes, _adding_up(each), strict=True):
            kind = "good" if outcome.good and hopes == 1 else f"bad{_shade(outcome.place, worst)}"
            bar.append(Segment(outcome.name, told, round(start * 100, 3), round(outcome.chance * 100, 3), kind))
            start += outcome.chance
        least = "at least " if each.at_least else ""
        words = " · ".join(f"{part.name} {part.percent}" for part in bar)
        # What comes of it is anything but the first of the scale, which is nothing; or what the rule says one hopes for.
        good = [outcome for outcome in each.outcomes if outcome.good]
        hoped = sum(outcome.chance for outcome in good or [outcome for outcome in each.outcomes if outcome.place > 0])
        large = f"{'≥ ' if each.at_least else ''}{percent(hoped)}" if each.outcomes else ""
        compared = None if each.at_least else round(hoped, 6)
        found.append(Prospect(each.key, large, _counts(each), f"{least}{words}", tuple(bar), each.why_not, compared))
    return tuple(found)


def _counts(weighed: Weighed) -> str:
    """What the large number counts, in words."""
    if weighed.counts:
        return weighed.counts
    good = [outcome.name for outcome in weighed.outcomes if outcome.good]
    others = [outcome.name for outcome in weighed.outcomes if not outcome.good]
    if good and len(good) < 3:
        return " or ".join(good)
    nothing = others[0] if good and others else next((outcome.name for outcome in weighed.outcomes if outcome.place == 0), "")
    return "hits" if nothing.startswith("miss") or not nothing else f"not {nothing}"


def _adding_up(weighed: Weighed) -> list[str]:
    """Every chance in tenths of a percent that add up to a hundred with what is not settled; rounding goes where most was cut off."""
    exact = [outcome.chance * 1000 for outcome in weighed.outcomes]
    tenths = [int(share) for share in exact]
    missing = round((1 - weighed.unsettled) * 1000) - sum(tenths)
    for at in sorted(range(len(exact)), key=lambda at: tenths[at] - exact[at])[: max(0, missing)]:
        tenths[at] += 1
    return [f"{tenth / 10:.1f} %" if tenth or not share else "< 0.1 %" for tenth, share in zip(tenths, exact, strict=True)]


# --- the bar ------------------------------------------------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """The question of the bar: whose it is, for whom it is answered, what brought it about."""

    question: QuestionShown
    player: str
    """Who is asked, by name."""
    colour: int
    """The player's own colour."""
    mine: bool
    """Whether it is asked of whoever looks; else it is answered for somebody, on purpose."""
    after: int
    """How many more are asked at the same time."""
    spur: str = ""
    """What somebody else has just done that this answers."""

    @property
    def many(self) -> bool:
        """Whether there is so much to choose from that it is arranged by verb, target and manner."""
        return len(self.question.options) > FEW

    @property
    def settles(self) -> bool:
        """Whether it can be answered once for the whole scene: reactions and habits, not deeds."""
        return len(self.question.options) <= HABITS and self.question.topic not in DEEDS


FEW = 8
"""So many options stand side by side; more are arranged."""
HABITS = 6
"""A question with so many answers may be one that somebody always answers alike."""
DEEDS = ("act", "move", "way", "way too", "turn")
"""What nobody wants to be rid of."""


def asked(seen: TableShown, scene: SceneShown, lines: Sequence[LogShown]) -> Asked | None:
    """What the bar asks: first what is asked of this member, then what they may answer for others."""
    open_to_me = mine(scene)
    own = [question for question in open_to_me if question.asked == seen.me.id]
    theirs = [question for question in open_to_me if question.asked != seen.me.id]
    if not own and not theirs:
        return None
    question = (own or theirs)[0]
    names = {member.id: member.name for member in seen.members}
    return Asked(
        question,
        names.get(question.asked, ""),
        colour_of(seen, question.asked),
        bool(own),
        len(own or theirs) - 1,
        _spur(question, lines),
    )


def colour_of(seen: TableShown, member: str) -> int:
    """The place of a member among all, which gives them their colour."""
    return next((at for at, each in enumerate(seen.members) if each.id == member), 0) % 6


def _spur(question: QuestionShown, lines: Sequence[LogShown]) -> str:
    """The last decision of somebody else that names whoever is asked, as long as nothing has come of it yet."""
    for line in reversed(lines[-12:]):
        for detail in reversed(line.details):
            if detail.undone or line.undone:
                continue
            if detail.sort == "event":
                return ""
            if detail.sort == "decision" and detail.who != question.who:
                return f"{detail.who}: {detail.answer}" if question.who in detail.answer else ""
    return ""


MOST_TOLD = 3
"""So many sentences stand in the banner."""


class Banner(Struct, frozen=True):
    """What just happened, in a sentence or two, with its dice."""

    mark: str
    sentences: tuple[str, ...]
    dice: tuple[tuple[tuple[int, ...], tuple[int, ...], str], ...]
    tone: str


def banner(lines: Sequence[LogShown], scene: SceneShown | None) -> Banner | None:
    """What the log tells of the scene since somebody last decided something that had come to anything."""
    if scene is None:
        return None
    dice: list[tuple[tuple[int, ...], tuple[int, ...], str]] = []
    events: list[Detail] = []
    mark = ""
    for line in reversed(lines):
        if line.scene != scene.number or line.undone:
            continue
        details = [detail for detail in line.details if not detail.undone]
        if line.sort == "scene begun" and not events:
            return Banner(line.mark, (scene.about or line.text,), (), "")
        if line.sort in ("undo", "redo") and not events:
            return Banner(line.mark, (f"{line.by_name} {line.text}",), (), "")
        mark = mark or line.mark
        events = [detail for detail in details if detail.sort == "event"] + events
        dice = [(each.faces, each.kept, each.who) for each in details if each.sort == "roll"] + dice
        if events and (any(detail.sort == "decision" for detail in details) or line.sort == "scene begun"):
            break
    if not events:
        return None
    tones = [each.tone for each in events if each.tone not in ("plain", "")]
    tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
    return Banner(mark, tuple(each.text for each in events[-MOST_TOLD:]), tuple(dice[-3:]), tone)


def waits_for(seen: TableShown, scene: SceneShown) -> list[str]:
    """Whom the scene waits for, in words: the combatant, and who plays them."""
    names = {member.id: member.name for member in seen.members}
    hands = {hand.who: hand.member for hand in scene.hands}
    found = []
    for question in scene.questions:
        if not question.mine:
            player = names.get(hands.get(question.who, ""), "")
            found.append(f"{question.who} ({player})" if player and player != question.who else question.who)
    return list(dict.fromkeys(found))


def mine(scene: SceneShown) -> list[QuestionShown]:
    """What this member may answer. The gamemaster may answer for everybody, so the others' questions come last."""
    return [question for question in scene.questions if question.mine]


def moment(lines: Sequence[LogShown], scene: SceneShown) -> str:
    """What stands for this moment of a scene, the latest of its lines that the member may see: the same question asked later is another."""
    return next((line.mark for line in reversed(lines) if line.scene == scene.number), "")


# --- the log ------------------------------------------------------------------------------------------------------------------


class Told(Struct, frozen=True):
    """A part of a log entry: the sentence, dice, and the sum behind it."""

    sort: str
    text: str
    tone: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    dice: str
    terms: tuple[Term, ...]
    undone: bool
    secret: bool
    who: str = ""
    asked: str = ""
    answer: str = ""
    """Of a decision: whose it was, what was asked and what they chose."""
    typed: bool = False


class Entry(Struct, frozen=True):
    """An entry of the log. `at` is when it was, `time` the same on a clock (UTC)."""

    mark: str
    at: str
    time: str
    by: str
    sort: str
    text: str
    tone: str
    details: tuple[Told, ...]
    secret: bool
    undone: bool
    back_to: int | None = None
    """The gamemaster can go back before this entry of the scene."""
    scene: int = 0
    to: str = ""
    """For whom alone it was, by name."""
    answered_for: str = ""


def entries(lines: Sequence[LogShown]) -> list[Entry]:
    """The log, the latest last."""
    found = []
    for line in lines:
        details = tuple(
            Told(
                detail.sort,
                detail.text,
                detail.tone,
                detail.faces,
                detail.kept,
                detail.dice,
                tuple(terms(detail.reasons)),
                detail.undone,
                detail.secret,
                detail.who,
                detail.asked,
                detail.answer,
                detail.typed,
            )
            for detail in line.details
        )
        tones = [detail.tone for detail in details if detail.tone not in ("plain", "")]
        tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
        at = datetime.fromtimestamp(line.at // 1_000_000, UTC)
        found.append(
            Entry(
                line.mark,
                at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                at.strftime("%H:%M"),
                line.by_name,
                line.sort,
                line.text,
                tone,
                details,
                line.secret,
                line.undone,
                line.entry,
                line.scene,
                ", ".join(line.to),
                line.for_name,
            )
        )
    return found


# --- people -------------------------------------------------------------------------------------------------------------------


def faces(members: Sequence[MemberShown]) -> list[MemberShown]:
    """Who is here, the gamemaster first."""
    return sorted((member for member in members if member.here), key=lambda member: member.role != "gamemaster")
