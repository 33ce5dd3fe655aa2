"""A sheet's pieces as blocks that a template can draw: what belongs together as a table, numbers as a grid, lists as lists."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.audit import Problem
from rulewright.build.sheet_parts import (
    AnyPiece,
    Arcs,
    Bands,
    Budget,
    Clock,
    Ladder,
    Line,
    Modifier,
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
    lines,
)
from rulewright.system import Step
from rulewright.web.sheets.odds_bars import Term, number, terms

CLOSING = ("test", "in all")


class Item(Struct, frozen=True):
    """A piece with its kind in one word, an id for the page, the number to show, and the terms behind it."""

    kind: str
    id: str
    piece: AnyPiece
    shown: str = ""
    terms: tuple[Term, ...] = ()

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


class Joined(Struct, frozen=True):
    """Pieces about one thing, each in its column, with what they cost and what the test is made with."""

    name: str
    cells: dict[str, Item]
    price: str
    made_with: str
    on: tuple[Modifier, ...]


class Block(Struct, frozen=True):
    """Pieces that are drawn alike; a table of what belongs together has the heads of its columns."""

    kind: str
    items: tuple[Item | Joined, ...]
    heads: tuple[str, ...] = ()
    mark: str = ""
    """What it is known by, whatever else stands on the page: by this a page that is drawn anew finds it again."""

    @property
    def steps(self) -> int:
        """How many numbers in it are chosen."""
        return sum(isinstance(item, Item) and item.kind == "stepper" for item in self.items)

    @property
    def prices(self) -> bool:
        """Whether anything in it costs something."""
        return any(isinstance(item, Joined) and item.price for item in self.items)

    @property
    def made(self) -> bool:
        """Whether any test in it is made with something."""
        return any(isinstance(item, Joined) and item.made_with for item in self.items)


class Part(Struct, frozen=True):
    """A titled part of the page."""

    title: str
    id: str
    blocks: tuple[Block, ...]


def items(pieces: Sequence[AnyPiece], prefix: str) -> tuple[Item, ...]:
    """Pieces of a card, one after another."""
    return tuple(_item(piece, f"{prefix}-{at}") for at, piece in enumerate(pieces))


def budgets(sheet: Sheet) -> tuple[Budget, ...]:
    """All budgets of a sheet: they stand together on top of it."""
    return tuple(piece for section in sheet.sections for piece in section.pieces if isinstance(piece, Budget))


class Tally(Struct, frozen=True):
    """What stays in view while something is built: its values, and the parts that the first is made of with their share of the bar."""

    values: tuple[Item, ...]
    parts: tuple[tuple[Item, float, float], ...]


def tally_of(sheet: Sheet) -> Tally | None:
    """The sum of a sheet that has one."""
    known = sheet.values()
    values = tuple(_item(known[key], f"sum-{key}") for key in sheet.bar if key in known)
    parts = [known[key] for key in sheet.parts if key in known]
    sizes = [max(0.0, float(part.value)) for part in parts if not isinstance(part.value, str)]
    whole, at, shares = sum(sizes) or 1.0, 0.0, []
    for part, size in zip(parts, sizes, strict=False):
        shares.append((_item(part, f"sum-{part.key}"), round(100 * at / whole, 2), round(100 * size / whole, 2)))
        at += size
    return Tally(values, tuple(shares)) if values else None


class Beside(Struct, frozen=True):
    """A value of two things side by side, and which of them has more."""

    name: str
    own: str
    other: str
    more: str = ""


def beside(sheet: Sheet, other: Sheet) -> tuple[Beside, ...]:
    """Two things side by side: what stays in view of both, and what that is made of."""
    ours, theirs = sheet.values(), other.values()
    besides = []
    for key in (*sheet.bar[:1], *sheet.parts, *sheet.bar[1:]):
        if key in ours and key in theirs:
            own, their = ours[key].value, theirs[key].value
            more = "" if isinstance(own, str) or isinstance(their, str) or own == their else "own" if own > their else "other"
            besides.append(Beside(ours[key].name, number(own), number(their), more))
    return tuple(besides)


def parts(sheet: Sheet) -> tuple[Part, ...]:
    """The sheet in the order of its game, without the budgets."""
    shown = [section for section in sheet.sections if section.only != "paper"]
    result = (Part(section.title, f"s{at}", _blocks(section, f"s{at}")) for at, section in enumerate(shown))
    return tuple(part for part in result if part.blocks)


# --- the steps of the book -------------------------------------------------------------------------------------------------------


class Guided(Struct, frozen=True):
    """A step of the book as it stands: where it is on the page, what is left of what it spends, and whether it is done."""

    step: Step
    part: str
    left: str = ""
    done: bool = False
    over: bool = False


def guide(sheet: Sheet, item: Sequence[Part], steps: Sequence[Step], named: bool) -> tuple[Guided, ...]:
    """The steps that this sheet has a place for."""
    known = {budget.name.lower(): budget for budget in budgets(sheet)}
    guided = []
    for step in steps:
        part = next((part.id for part in item if part.title == step.section), "")
        part = part or next((part.id for part in item if step.section and part.title.startswith(step.section)), "")
        if step.section and not part:
            continue
        budget = known.get(step.budget.lower())
        if budget is None:
            guided.append(Guided(step, part or NAMING, done=named and not step.section))
        else:
            left = budget.allowed - budget.spent
            words = f"{number(left)} left" if left >= 0 else f"{number(-left)} over"
            guided.append(Guided(step, part, words if left else "", left == 0, left < 0))
    return tuple(guided)


NAMING = "naming"
"""Where name and notes are written."""


# --- what is wrong, beside what it is about -------------------------------------------------------------------------------------


class Concerns(Struct, frozen=True):
    """Which part of a page a problem is about, and the field in it, where it is about one alone."""

    part: str
    field: str
    problem: Problem


def concerned(item: Sequence[Part], problems: Sequence[Problem]) -> tuple[Concerns, ...]:
    """Each problem with the part that holds what it is about; those that no part has anything of are left out."""
    known = [(part.id, field) for part in item for field in _fields(part)]
    concerns = []
    for problem in problems:
        near = max(known, key=lambda pair: _near(problem.field, pair[1]), default=("", ""))
        if _near(problem.field, near[1]):
            concerns.append(Concerns(near[0], near[1] if _near(problem.field, near[1]) > 1 else "", problem))
    return tuple(concerns)


def _fields(part: Part) -> Iterator[str]:
    """The fields that the rows of a part change."""
    for block in part.blocks:
        for item in block.items:
            cells = item.cells.values() if isinstance(item, Joined) else (item,)
            yield from (field for cell in cells if (field := getattr(cell.piece, "field", "")))


def _near(problem: str, field: str) -> int:
    """How near a field is to what a problem is about: it itself, something in it, something around it, or nothing of it."""
    if not problem or not field:
        return 0
    return 3 if problem == field else 2 if problem.startswith(f"{field}.") else 1 if field.startswith(f"{problem}.") else 0


# --- what stays where it is -----------------------------------------------------------------------------------------------------

Stays = dict[str, tuple[str, int, tuple[str, ...]]]
"""Fields of rows that stay where the page had them: the title of their section, their place in it, and the columns they had there."""


def staying(before: Sheet, after: Sheet, known: Stays) -> Stays:
    """Those rows that a change has put into another section of the sheet, with where they were: under the hand they do not move."""
    was, now = _places(before), _places(after)
    moved = {field: place for field, place in was.items() if field in now and now[field][0] != place[0]}
    return {**moved, **known}


def arranged(sheet: Sheet, stays: Stays) -> Sheet:
    """A sheet with rows put back to where the page had them."""
    if not stays:
        return sheet
    taken: dict[str, tuple[AnyPiece, ...]] = {}
    sections: list[tuple[str, list[tuple[AnyPiece, ...]]]] = []
    for section in sheet.sections:
        kept: list[tuple[AnyPiece, ...]] = []
        for field, row in _rows_of(section):
            if field in stays and stays[field][0] != section.title:
                taken[field] = tuple(piece for column, piece in row if column in stays[field][2])
            else:
                kept.append(tuple(piece for _, piece in row))
        sections.append((section.title, kept))
    for field, (title, at, _) in sorted(stays.items(), key=lambda item: item[1][1]):
        for name, kept in sections:
            if name == title and field in taken:
                kept.insert(at, taken.pop(field))
    left = {title: [row for field, row in taken.items() if stays[field][0] == title] for title, _ in sections}
    put = [Section(title, tuple(piece for row in (*kept, *left[title]) for piece in row)) for title, kept in sections]
    return replace(sheet, sections=tuple(put))


def _rows_of(section: Section) -> list[tuple[str, tuple[tuple[str, AnyPiece], ...]]]:
    """The rows of a section by column, each with the field that its step changes; nothing where it has none."""
    pairs: list[tuple[str, tuple[tuple[str, AnyPiece], ...]]] = []
    for row in lines(section.pieces):
        columns = row.columns if isinstance(row, Line) else (("level", row),)
        pairs.append((next((piece.field for _, piece in columns if isinstance(piece, Stepper)), ""), columns))
    return pairs


def _places(sheet: Sheet) -> Stays:
    return {
        field: (section.title, at, tuple(column for column, _ in row))
        for section in sheet.sections
        for at, (field, row) in enumerate(_rows_of(section))
        if field
    }


def _blocks(section: Section, prefix: str) -> tuple[Block, ...]:
    blocks: list[tuple[str, list[Item | Joined]]] = []
    at = 0
    for piece in lines([piece for piece in section.pieces if not isinstance(piece, Budget)]):
        item = _joined(piece, prefix, at) if isinstance(piece, Line) else _item(piece, f"{prefix}-{at}")
        at += len(piece.columns) if isinstance(piece, Line) else 1
        kind = "joined" if isinstance(item, Joined) else _block(item)
        if not blocks or blocks[-1][0] != kind:
            blocks.append((kind, []))
        blocks[-1][1].append(item)
    mark = "-".join(section.title.lower().split())
    return tuple(Block(kind, tuple(items), _heads(items), f"{mark}-{place}") for place, (kind, items) in enumerate(blocks))


def _heads(items: Sequence[Item | Joined]) -> tuple[str, ...]:
    """The columns of what belongs together: the level first, what comes of it all last."""
    heads = dict.fromkeys(head for item in items if isinstance(item, Joined) for head in item.cells)
    return tuple(sorted(heads, key=lambda head: (head in CLOSING, head != "level")))


def _joined(line: Line, prefix: str, at: int) -> Joined:
    cells = {column: _item(piece, f"{prefix}-{at + place}") for place, (column, piece) in enumerate(line.columns)}
    closing = line.columns[-1][1]
    if not isinstance(closing, Test):
        return Joined(line.name, cells, line.prices(), "", ())
    parts = [part for part in closing.parts[1:] if part.value]
    made_with = f"{', '.join(part.label for part in parts)} {number(sum(part.value for part in parts), True)}" if parts else closing.note
    return Joined(line.name, cells, line.prices(), made_with, tuple(part for part in closing.modifiers if part.on))


def _item(piece: AnyPiece, place: str) -> Item:
    kind = type(piece).__name__.lower()
    match piece:
        case Stepper():
            return Item(kind, place, piece, " → ".join(number(level, piece.signed) for level in piece.levels))
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
    match item.piece:
        case Arcs() | Bands():
            return "pictures"
        case Rows() | Pick() | PickMany():
            return "lists"
        case Track() | Ladder() | Tag() | Pool() | Clock():
            return "state"
    return "grid"
