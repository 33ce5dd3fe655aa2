"""The few pieces from which every game's sheets and scenes are drawn.

A game describes itself with these; the command line and the web draw them and know nothing more. `field` is always the dotted
path of a value in the file or state that the piece shows, so that one small function can change it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

from rulewright.field.placement import FieldShown
from rulewright.rules.reasons import Reason, Source


class Piece(Struct, frozen=True, tag=True, kw_only=True):
    """Something to draw, with its name."""

    name: str
    rule: str | None = None
    note: str = ""


class Stepper(Piece, frozen=True):
    """A number with limits and a price."""

    field: str
    value: int
    low: int
    high: int
    price: str = ""
    signed: bool = False
    grown: int | None = None
    """What it has become since by experience, where that is something else."""
    step: int = 1
    """How much one press changes it."""

    @property
    def levels(self) -> tuple[int, ...]:
        """As it was chosen, and as it has become."""
        return (self.value,) if self.grown is None or self.grown == self.value else (self.value, self.grown)


class Choosable(Struct, frozen=True):
    """Something that can be picked, with its price and, where it cannot be had, the reason."""

    key: str
    label: str
    price: str = ""
    barred: str = ""
    source: Source = "book"
    group: str = ""
    """What it belongs to, for whoever looks for it in a long list."""
    note: str = ""
    entry: Any = None
    """What is added to a list where a bare name would not do."""


class Pick(Piece, frozen=True):
    """One of several."""

    field: str
    value: str
    options: tuple[Choosable, ...]


class PickMany(Piece, frozen=True):
    """Some of several."""

    field: str
    values: tuple[str, ...]
    options: tuple[Choosable, ...]


class Rows(Piece, frozen=True):
    """A list that grows: column heads, what stands in it, and what can be added."""

    field: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: tuple[str, ...] = ()
    addable: tuple[Choosable, ...] = ()


def listed(
    name: str,
    rule: str | None,
    field: str,
    heads: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    *,
    addable: Iterable[Choosable] = (),
    note: str = "",
) -> Rows:
    """A list of a file, whose entries are known by their places."""
    places = tuple([str(place) for place in range(len(rows))])
    return Rows(name=name, rule=rule, note=note, field=field, heads=heads, rows=tuple(rows), keys=places, addable=tuple(addable))


class Budget(Piece, frozen=True):
    """Allowed and spent."""

    allowed: int
    spent: int


class Value(Piece, frozen=True):
    """A derived number with its reasons."""

    key: str
    value: int | float | str
    reasons: tuple[Reason, ...] = ()
    source: Source = "book"
    signed: bool = False


class Modifier(Struct, frozen=True):
    """A chip beside a test: on because the situation says so, or offered because it often applies."""

    label: str
    value: int
    rule: str | None = None
    on: bool = False
    group: str = ""


class Test(Piece, frozen=True):
    """Something to roll: its notation in the game's own words, what it is made of, and the modifiers that often apply."""

    key: str
    notation: str
    parts: tuple[Modifier, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    against: str = ""


class Track(Piece, frozen=True):
    """A row of boxes with kinds of marks; `marks` names what fills each box from the left."""

    boxes: int
    marks: tuple[str, ...] = ()


class Ladder(Piece, frozen=True):
    """Named levels, where one stands now and the worst so far."""

    levels: tuple[str, ...]
    now: int
    worst: int


class Pool(Piece, frozen=True):
    """So many of so many."""

    value: int
    most: int


class Clock(Piece, frozen=True):
    """Time running out."""

    left: int
    unit: str


class Tag(Piece, frozen=True):
    """A condition with its effect."""

    effect: str = ""
    hurt: bool = False


class Turn(Struct, frozen=True):
    """One place on a timeline."""

    who: str
    at: str
    now: bool = False
    done: bool = False


class Timeline(Piece, frozen=True):
    """Who acts when."""

    turns: tuple[Turn, ...]


class Place(Piece, frozen=True):
    """Where somebody stands on the map, in metres or by column and row: how high, which way they look, how much room they take."""

    x: float
    y: float
    level: int = 0
    facing: int | None = None
    size: float = 1.0
    covers: tuple[tuple[float, float], ...] = ()
    """Further places that they take up, besides the one where they stand."""


class Sector(Struct, frozen=True):
    """A part of a circle: where it points (degrees clockwise from ahead), how wide it is, and how far it reaches in steps."""

    name: str
    faces: int
    degrees: int
    reaches: tuple[float, ...]


class Arcs(Piece, frozen=True):
    """What reaches where, seen from above; `sides` are named directions with what an attack from there is worth."""

    sectors: tuple[Sector, ...]
    unit: str = ""
    sides: tuple[Sector, ...] = ()


class Band(Struct, frozen=True):
    """A stretch of a line: what it is called, where it ends, and how grave it is (0 to 3)."""

    name: str
    upto: float
    grave: int = 0


class Bands(Piece, frozen=True):
    """A line in stretches, from nothing upward."""

    bands: tuple[Band, ...]
    unit: str = ""


AnyPiece = Stepper | Pick | PickMany | Rows | Budget | Value | Test | Track | Ladder | Pool | Clock | Tag | Timeline | Place | Arcs | Bands


class Line(Struct, frozen=True):
    """Pieces about one thing that share a line: a skill's level and Complexity, its rank or score, and the test made with them.

    Each stands in a column: `level` for the number itself, `test` for the test, otherwise what its name adds to the common one.
    """

    name: str
    columns: tuple[tuple[str, Stepper | Value | Test], ...]

    def prices(self) -> str:
        """What its steps cost, in a few words."""
        return "; ".join(piece.price for _, piece in self.columns if isinstance(piece, Stepper) and piece.price)


MOST_IN_LINE = 4


def lines(pieces: Sequence[AnyPiece]) -> tuple[AnyPiece | Line, ...]:
    """Pieces in their order, with those that are about one thing joined into a line."""
    steppers: list[AnyPiece | Line] = []
    at = 0
    while at < len(pieces):
        line = _line_from(pieces[at : at + MOST_IN_LINE])
        steppers.append(pieces[at] if line is None else line)
        at += 1 if line is None else len(line.columns)
    return tuple(steppers)


def _line_from(pieces: Sequence[AnyPiece]) -> Line | None:
    """The line that begins with the first of these, closed by the test that they make or by what the steps come to."""
    for last in range(1, len(pieces)):
        before, closing = pieces[:last], pieces[last]
        if not all(isinstance(piece, Stepper | Value) for piece in before):
            return None
        adds_up = isinstance(closing, Value) and all(isinstance(piece, Stepper) and piece.name != closing.name for piece in before)
        if not (isinstance(closing, Test) or adds_up):
            continue
        named = [_column(piece, closing.name) for piece in before]
        if all(named) and any(isinstance(piece, Stepper) or name != "level" for piece, name in zip(before, named, strict=True)):
            columns = [*zip(named, before, strict=True), ("test" if isinstance(closing, Test) else "in all", closing)]
            return Line(closing.name, tuple(columns))  # type: ignore[arg-type]  # only steppers and values come before
    return None


def _column(piece: AnyPiece, name: str) -> str:
    """The column of a piece in the line of this name; none where it is about something else."""
    if piece.name == name:
        return "level"
    rest = piece.name.removeprefix(name)
    if rest == piece.name or not re.match(r"[,:]? ", rest):
        return ""
    return rest.strip(",: ()")


class Section(Struct, frozen=True):
    """A titled part of a sheet."""

    title: str
    pieces: tuple[AnyPiece, ...]
    only: Literal["", "screen", "paper"] = ""
    """Where it stands, if not everywhere: what is chosen on a screen, what is ticked off and looked up on paper."""


class Sheet(Struct, frozen=True):
    """Everything there is to see of a character or a machine, drawn from its file."""

    system: str
    kind: str
    name: str
    subtitle: str
    sections: tuple[Section, ...]
    bar: tuple[str, ...] = ()
    """The keys of the values that stay in view while it is built, the most telling first."""
    parts: tuple[str, ...] = ()
    """The keys of the values that the first of these is made of."""

    def values(self) -> dict[str, Value]:
        """The derived values by their keys."""
        return {piece.key: piece for section in self.sections for piece in section.pieces if isinstance(piece, Value)}

    def tests(self) -> dict[str, Test]:
        """What can be rolled, by key."""
        return {piece.key: piece for section in self.sections for piece in section.pieces if isinstance(piece, Test)}


class Card(Struct, frozen=True):
    """Somebody in a scene: name, side, and the pieces that show how they fare."""

    name: str
    side: str
    pieces: tuple[AnyPiece, ...]
    out: bool = False

    def fares(self) -> dict[str, str]:
        """How somebody fares in words, by the names of the pieces on the card."""
        result: dict[str, str] = {}
        for piece in self.pieces:
            match piece:
                case Track():
                    marks = [f"{piece.marks.count(mark)} {mark}" for mark in dict.fromkeys(piece.marks)]
                    kinds = f" ({', '.join(marks)})" if len(marks) > 1 else ""
                    result[piece.name] = f"{len(piece.marks)} of {piece.boxes} marked{kinds}"
                case Ladder():
                    result[piece.name] = piece.levels[piece.now] if piece.levels else ""
                case Pool():
                    result[piece.name] = f"{piece.value} of {piece.most}"
                case Clock():
                    result[piece.name] = f"{piece.left} {piece.unit}"
                case Tag():
                    result[piece.name] = piece.effect
                case Value() | Stepper():
                    result[piece.name] = str(piece.value)
        return result


class SceneView(Struct, frozen=True):
    """A scene as one person may see it."""

    title: str
    headline: str
    cards: tuple[Card, ...]
    timeline: Timeline | None = None
    places: tuple[Place, ...] = ()
    field: FieldShown | None = None
    """The ground they stand on, as far as it is known; None where there is none."""


# --- what can be seen to change ------------------------------------------------------------------------------------------------


def seen_to_change(before: SceneView, after: SceneView) -> tuple[tuple[str, str], ...]:
    """In what two views of a scene differ, in the game's own words: who it is about (nobody: the scene itself), and what."""
    pairs: list[tuple[str, str]] = []
    if before.headline != after.headline:
        pairs.append(("", after.headline))
    old = {card.name: card for card in before.cards}
    for card in after.cards:
        if card.name not in old:
            pairs.append((card.name, f"comes in on the side of {card.side}"))
            continue
        pairs += [(card.name, words) for words in _card_changes(old[card.name], card)]
    gone = old.keys() - {card.name for card in after.cards}
    pairs += [(name, "is gone") for name in old if name in gone]
    stood = {place.name: (place.x, place.y) for place in before.places}
    for place in after.places:
        if place.name in stood and stood[place.name] != (place.x, place.y):
            across, down = place.x - stood[place.name][0], place.y - stood[place.name][1]
            pairs.append((place.name, f"is moved {round((across**2 + down**2) ** 0.5, 1):g} m"))
    return tuple(pairs)


def _card_changes(before: Card, after: Card) -> list[str]:
    """In what somebody's card differs."""
    old, new = before.fares(), after.fares()
    result = []
    for name, value in new.items():
        if name not in old:
            result.append(f"{name} {value}".strip())
        elif old[name] != value:
            result.append(f"{name} {value}, was {old[name]}")
    result += [f"no more {name}" for name in old if name not in new]
    if before.side != after.side:
        result.append(f"is now on the side of {after.side}")
    if before.out != after.out:
        result.append("is out of it" if after.out else "is back in it")
    return result
