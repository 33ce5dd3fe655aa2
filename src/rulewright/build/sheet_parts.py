"""The parts from which every game's sheets and scenes are drawn.

A game describes itself with these; the command line and the web draw them and know nothing else. `field` is always the dotted path of a
value in the file or state that the part shows, so that one function can change it.
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
    """Its value after experience, if different."""
    step: int = 1
    """How much one click changes it."""

    @property
    def levels(self) -> tuple[int, ...]:
        """The chosen value, and the present one if different."""
        return (self.value,) if self.grown is None or self.grown == self.value else (self.value, self.grown)


class Choosable(Struct, frozen=True):
    """An option with its price and, if it is not available, the reason."""

    key: str
    label: str
    price: str = ""
    barred: str = ""
    source: Source = "book"
    group: str = ""
    """The group it belongs to in a long list."""
    note: str = ""
    entry: Any = None
    """What is added to a list, if a bare name would not do."""
    facts: tuple[tuple[str, str], ...] = ()
    """Its statistics for a catalogue: the head of a column, and the text."""


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
    """A list that can grow: column heads, entries, and what can be added."""

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
    """A list in a file, whose entries are identified by index."""
    places = tuple([str(place) for place in range(len(rows))])
    return Rows(name=name, rule=rule, note=note, field=field, heads=heads, rows=tuple(rows), keys=places, addable=tuple(addable))


class Budget(Piece, frozen=True):
    """A budget: allowed and spent."""

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
    """A modifier of a test: on because of the situation, or offered because it often applies."""

    label: str
    value: int
    rule: str | None = None
    on: bool = False
    group: str = ""


class Test(Piece, frozen=True):
    """Something to roll: its notation, its parts, and the modifiers that often apply."""

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
    """Named levels, the present one and the worst so far."""

    levels: tuple[str, ...]
    now: int
    worst: int


class Pool(Piece, frozen=True):
    """A pool: so many of so many."""

    value: int
    most: int


class Clock(Piece, frozen=True):
    """A countdown."""

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
    """The order of turns."""

    turns: tuple[Turn, ...]


class Place(Piece, frozen=True):
    """A position on the map, in metres or by column and row, with height, facing and size."""

    x: float
    y: float
    level: int = 0
    facing: int | None = None
    size: float = 1.0
    covers: tuple[tuple[float, float], ...] = ()
    """Further places that it occupies."""


class Sector(Struct, frozen=True):
    """A sector of a circle: its direction (degrees clockwise from ahead), its width, and its reaches in steps."""

    name: str
    faces: int
    degrees: int
    reaches: tuple[float, ...]


class Arcs(Piece, frozen=True):
    """Ranges seen from above; `sides` are named directions with the value of an attack from there."""

    sectors: tuple[Sector, ...]
    unit: str = ""
    sides: tuple[Sector, ...] = ()


class Band(Struct, frozen=True):
    """A part of a line: its name, its end, and its severity (0 to 3)."""

    name: str
    upto: float
    grave: int = 0


class Bands(Piece, frozen=True):
    """A line divided into bands, from 0 upward."""

    bands: tuple[Band, ...]
    unit: str = ""


AnyPiece = Stepper | Pick | PickMany | Rows | Budget | Value | Test | Track | Ladder | Pool | Clock | Tag | Timeline | Place | Arcs | Bands


class Line(Struct, frozen=True):
    """Parts about one thing in one line: a skill's level and Complexity, its rank or score, and its test.

    Each has a column: `level` for the number itself, `test` for the test, otherwise what its name adds to the common one.
    """

    name: str
    columns: tuple[tuple[str, Stepper | Value | Test], ...]

    def prices(self) -> str:
        """The prices of its steppers, in a few words."""
        return "; ".join(piece.price for _, piece in self.columns if isinstance(piece, Stepper) and piece.price)


MOST_IN_LINE = 4


def lines(pieces: Sequence[AnyPiece]) -> tuple[AnyPiece | Line, ...]:
    """The parts in order, with those about one thing joined into a line."""
    joined: list[AnyPiece | Line] = []
    at = 0
    while at < len(pieces):
        line = _line_from(pieces[at : at + MOST_IN_LINE])
        joined.append(pieces[at] if line is None else line)
        at += 1 if line is None else len(line.columns)
    return tuple(joined)


def _line_from(pieces: Sequence[AnyPiece]) -> Line | None:
    """The line that begins with the first of these and ends with the test or sum that they make; None if there is none."""
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
    """The column of a part in the line of this name; empty if it is about something else."""
    if piece.name == name:
        return "level"
    rest = piece.name.removeprefix(name)
    if rest == piece.name or not re.match(r"[,:]? ", rest):
        return ""
    return rest.strip(",: ()")


class Section(Struct, frozen=True):
    """A titled section of a sheet."""

    title: str
    pieces: tuple[AnyPiece, ...]
    only: Literal["", "screen", "paper"] = ""
    """Where it is shown, if not everywhere: choices on a screen, boxes to tick on paper."""


class Sheet(Struct, frozen=True):
    """The whole sheet of a character or machine, drawn from its file."""

    system: str
    kind: str
    name: str
    subtitle: str
    sections: tuple[Section, ...]
    bar: tuple[str, ...] = ()
    """The keys of the values that stay visible while it is built, most important first."""
    parts: tuple[str, ...] = ()
    """The keys of the values that add up to the first of these."""

    def values(self) -> dict[str, Value]:
        """The derived values by key."""
        return {piece.key: piece for section in self.sections for piece in section.pieces if isinstance(piece, Value)}

    def tests(self) -> dict[str, Test]:
        """The tests by key."""
        return {piece.key: piece for section in self.sections for piece in section.pieces if isinstance(piece, Test)}


class Card(Struct, frozen=True):
    """A combatant in a scene: name, side, and the parts that show their condition."""

    name: str
    side: str
    pieces: tuple[AnyPiece, ...]
    out: bool = False

    def fares(self) -> dict[str, str]:
        """A combatant's condition in words, by the names of the parts on the card."""
        words_by_name: dict[str, str] = {}
        for piece in self.pieces:
            match piece:
                case Track():
                    marks = [f"{piece.marks.count(mark)} {mark}" for mark in dict.fromkeys(piece.marks)]
                    kinds = f" ({', '.join(marks)})" if len(marks) > 1 else ""
                    words_by_name[piece.name] = f"{len(piece.marks)} of {piece.boxes} marked{kinds}"
                case Ladder():
                    words_by_name[piece.name] = piece.levels[piece.now] if piece.levels else ""
                case Pool():
                    words_by_name[piece.name] = f"{piece.value} of {piece.most}"
                case Clock():
                    words_by_name[piece.name] = f"{piece.left} {piece.unit}"
                case Tag():
                    words_by_name[piece.name] = piece.effect
                case Value() | Stepper():
                    words_by_name[piece.name] = str(piece.value)
        return words_by_name


class SceneView(Struct, frozen=True):
    """A scene as one person may see it."""

    title: str
    headline: str
    cards: tuple[Card, ...]
    timeline: Timeline | None = None
    places: tuple[Place, ...] = ()
    field: FieldShown | None = None
    """The known part of the map; None if there is none."""


# --- what can be seen to change ------------------------------------------------------------------------------------------------


def seen_to_change(before: SceneView, after: SceneView) -> tuple[tuple[str, str], ...]:
    """The differences between two views of a scene, in the game's own words: whom it concerns (empty for the scene), and what."""
    changes: list[tuple[str, str]] = []
    if before.headline != after.headline:
        changes.append(("", after.headline))
    old = {card.name: card for card in before.cards}
    for card in after.cards:
        if card.name not in old:
            changes.append((card.name, f"joins on the side of {card.side}"))
            continue
        changes += [(card.name, words) for words in _card_changes(old[card.name], card)]
    gone = old.keys() - {card.name for card in after.cards}
    changes += [(name, "is gone") for name in old if name in gone]
    old_places = {place.name: (place.x, place.y) for place in before.places}
    for place in after.places:
        if place.name in old_places and old_places[place.name] != (place.x, place.y):
            across, down = place.x - old_places[place.name][0], place.y - old_places[place.name][1]
            changes.append((place.name, f"is moved {round((across**2 + down**2) ** 0.5, 1):g} m"))
    return tuple(changes)


def _card_changes(before: Card, after: Card) -> list[str]:
    """The differences between two cards."""
    old, new = before.fares(), after.fares()
    changes = []
    for name, value in new.items():
        if name not in old:
            changes.append(f"{name} {value}".strip())
        elif old[name] != value:
            changes.append(f"{name} {value}, was {old[name]}")
    changes += [f"no more {name}" for name in old if name not in new]
    if before.side != after.side:
        changes.append(f"is now on the side of {after.side}")
    if before.out != after.out:
        changes.append("is out of action" if after.out else "is back in action")
    return changes
