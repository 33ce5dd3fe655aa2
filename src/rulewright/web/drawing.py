"""A sheet's pieces as blocks that a template can draw: pairs of stepper and test as a table, numbers as a grid, lists as lists."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from rulewright.pieces import (
    AnyPiece,
    Budget,
    Clock,
    Ladder,
    Pick,
    PickMany,
    Pool,
    Rows,
    Section,
    Sheet,
    Stepper,
    Tag,
    Test,
    Track,
    Value,
)
from rulewright.web.bars import Term, number, terms


class Item(Struct, frozen=True):
    """A piece with its kind in one word, an id for the page, the number to show, and the terms behind it."""

    kind: str
    id: str
    piece: AnyPiece
    shown: str = ""
    terms: tuple[Term, ...] = ()
    test: Test | None = None
    """The test that belongs to a stepper of the same name."""

    @property
    def explains(self) -> bool:
        """Whether there is anything to say about it."""
        return bool(self.piece.rule or self.piece.note or self.terms)

    @property
    def marks(self) -> tuple[int, ...]:
        """The kinds of a track's marks, numbered as they come."""
        marks = self.piece.marks if isinstance(self.piece, Track) else ()
        kinds = list(dict.fromkeys(marks))
        return tuple(kinds.index(mark) % 4 for mark in marks)


class Block(Struct, frozen=True):
    """Pieces that are drawn alike."""

    kind: str
    items: tuple[Item, ...]


class Part(Struct, frozen=True):
    """A titled part of the page."""

    title: str
    id: str
    blocks: tuple[Block, ...]


def items(pieces: Sequence[AnyPiece], prefix: str) -> tuple[Item, ...]:
    """Pieces of a card, one after another."""
    return tuple(_items(pieces, prefix))


def budgets(sheet: Sheet) -> tuple[Budget, ...]:
    """All budgets of a sheet: they stand together on top of it."""
    return tuple(piece for section in sheet.sections for piece in section.pieces if isinstance(piece, Budget))


def parts(sheet: Sheet) -> tuple[Part, ...]:
    """The sheet in the order of its game, without the budgets."""
    found = (Part(section.title, f"s{at}", _blocks(section, f"s{at}")) for at, section in enumerate(sheet.sections))
    return tuple(part for part in found if part.blocks)


def _blocks(section: Section, prefix: str) -> tuple[Block, ...]:
    blocks: list[tuple[str, list[Item]]] = []
    pieces = [piece for piece in section.pieces if not isinstance(piece, Budget)]
    for item in _items(pieces, prefix):
        kind = _block(item)
        if not blocks or blocks[-1][0] != kind:
            blocks.append((kind, []))
        blocks[-1][1].append(item)
    return tuple(Block(kind, tuple(items)) for kind, items in blocks)


def _items(pieces: Sequence[AnyPiece], prefix: str) -> Iterable[Item]:
    skip = False
    for at, piece in enumerate(pieces):
        if skip:
            skip = False
            continue
        follows = pieces[at + 1] if at + 1 < len(pieces) else None
        test = follows if isinstance(piece, Stepper) and isinstance(follows, Test) and follows.name == piece.name else None
        skip = test is not None
        yield _item(piece, f"{prefix}-{at}", test)


def _item(piece: AnyPiece, place: str, test: Test | None = None) -> Item:
    kind = type(piece).__name__.lower()
    match piece:
        case Stepper():
            return Item(kind, place, piece, number(piece.value, piece.signed), test=test)
        case Value():
            reasons = piece.reasons
            if len(reasons) == 1 and reasons[0].op == "=" and reasons[0].value == piece.value and reasons[0].terms:
                reasons = reasons[0].terms  # the value once more, as its own sum
            return Item(kind, place, piece, number(piece.value, piece.signed), terms(reasons, piece.rule))
        case Pool():
            return Item(kind, place, piece, f"{piece.value} / {piece.most}")
        case Clock():
            return Item(kind, place, piece, f"{piece.left} {piece.unit}")
    return Item(kind, place, piece)


def _block(item: Item) -> str:
    if item.test is not None:
        return "pairs"
    match item.piece:
        case Rows() | Pick() | PickMany():
            return "lists"
        case Track() | Ladder() | Tag() | Pool() | Clock():
            return "state"
    return "grid"
