"""A sheet as blocks for a template: rows that belong together as a table, numbers as a grid, lists as lists."""

from collections.abc import Iterator, Sequence

import msgspec
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
from rulewright.web.sheets.odds_bars import Term, format_number, list_terms

LAST_COLUMNS = ("test", "in all")


class Item(Struct, frozen=True):
    """A piece of a sheet with its kind, an id for the page, its text, and the terms of its sum."""

    kind: str
    id: str
    piece: AnyPiece
    shown: str = ""
    terms: tuple[Term, ...] = ()

    @property
    def explains(self) -> bool:
        """Whether there is an explanation to show."""
        return bool(self.piece.rule or self.piece.note or self.terms)

    @property
    def marks(self) -> tuple[int, ...]:
        """The marks of a track as numbers, one number for each kind."""
        marks = self.piece.marks if isinstance(self.piece, Track) else ()
        kinds = list(dict.fromkeys(marks))
        return tuple(kinds.index(mark) % 4 for mark in marks)


class TableRow(Struct, frozen=True):
    """One row of a table: pieces by column, their price, and what a test adds."""

    name: str
    cells: dict[str, Item]
    price: str
    made_with: str
    on: tuple[Modifier, ...]


class Block(Struct, frozen=True):
    """Pieces that are drawn alike; a table has the heads of its columns."""

    kind: str
    items: tuple[Item | TableRow, ...]
    heads: tuple[str, ...] = ()
    mark: str = ""
    """A stable id, by which a page that is drawn again finds the block."""

    @property
    def steps(self) -> int:
        """How many numbers in it can be stepped."""
        return sum(isinstance(item, Item) and item.kind == "stepper" for item in self.items)

    @property
    def prices(self) -> bool:
        """Whether anything in it has a price."""
        return any(isinstance(item, TableRow) and item.price for item in self.items)

    @property
    def made(self) -> bool:
        """Whether any test in it adds something."""
        return any(isinstance(item, TableRow) and item.made_with for item in self.items)


class Part(Struct, frozen=True):
    """A titled part of the page."""

    title: str
    id: str
    blocks: tuple[Block, ...]


def items(pieces: Sequence[AnyPiece], prefix: str) -> tuple[Item, ...]:
    """The pieces of a card."""
    return tuple(_item(piece, f"{prefix}-{at}") for at, piece in enumerate(pieces))


def budgets(sheet: Sheet) -> tuple[Budget, ...]:
    """All budgets of a sheet, which are shown at its top."""
    return tuple(piece for section in sheet.sections for piece in section.pieces if isinstance(piece, Budget))


class Summary(Struct, frozen=True):
    """The summary that stays visible while building: its values, and the parts of the first with their shares of a bar."""

    values: tuple[Item, ...]
    parts: tuple[tuple[Item, float, float], ...]


def summarize(sheet: Sheet) -> Summary | None:
    """The summary of a sheet; None if it has none."""
    values_by_key = sheet.values()
    values = tuple(_item(values_by_key[key], f"sum-{key}") for key in sheet.bar if key in values_by_key)
    parts = [values_by_key[key] for key in sheet.parts if key in values_by_key]
    sizes = [max(0.0, float(part.value)) for part in parts if not isinstance(part.value, str)]
    whole, at, shares = sum(sizes) or 1.0, 0.0, []
    for part, size in zip(parts, sizes, strict=False):
        shares.append((_item(part, f"sum-{part.key}"), round(100 * at / whole, 2), round(100 * size / whole, 2)))
        at += size
    return Summary(values, tuple(shares)) if values else None


class ComparedValue(Struct, frozen=True):
    """A value of two sheets side by side, and which is larger."""

    name: str
    own: str
    other: str
    more: str = ""


def compare(sheet: Sheet, other: Sheet) -> tuple[ComparedValue, ...]:
    """Compare two sheets: the values of their summaries, and their parts."""
    ours, theirs = sheet.values(), other.values()
    rows = []
    for key in (*sheet.bar[:1], *sheet.parts, *sheet.bar[1:]):
        if key in ours and key in theirs:
            own, their = ours[key].value, theirs[key].value
            more = "" if isinstance(own, str) or isinstance(their, str) or own == their else "own" if own > their else "other"
            rows.append(ComparedValue(ours[key].name, format_number(own), format_number(their), more))
    return tuple(rows)


def parts(sheet: Sheet) -> tuple[Part, ...]:
    """The parts of a sheet in the order of its game, without budgets."""
    sections = [section for section in sheet.sections if section.only != "paper"]
    all_parts = (Part(section.title, f"s{at}", _blocks(section, f"s{at}")) for at, section in enumerate(sections))
    return tuple(part for part in all_parts if part.blocks)


# --- problems beside their fields -----------------------------------------------------------------------------------------------


class LocatedProblem(Struct, frozen=True):
    """The part of the page that a problem is about, and the field if it is about a single one."""

    part: str
    field: str
    problem: Problem


def locate_problems(page_parts: Sequence[Part], problems: Sequence[Problem]) -> tuple[LocatedProblem, ...]:
    """Find the part of the page for each problem; problems about no part are left out."""
    fields = [(part.id, field) for part in page_parts for field in _fields(part)]
    located = []
    for problem in problems:
        nearest = max(fields, key=lambda pair: _match_level(problem.field, pair[1]), default=("", ""))
        if _match_level(problem.field, nearest[1]):
            located.append(LocatedProblem(nearest[0], nearest[1] if _match_level(problem.field, nearest[1]) > 1 else "", problem))
    return tuple(located)


def _fields(part: Part) -> Iterator[str]:
    """The fields that the rows of a part change."""
    for block in part.blocks:
        for item in block.items:
            cells = item.cells.values() if isinstance(item, TableRow) else (item,)
            yield from (field for cell in cells if (field := getattr(cell.piece, "field", "")))


def _match_level(problem: str, field: str) -> int:
    """How closely a field matches a problem's field: 3 the same, 2 contains it, 1 within it, 0 unrelated."""
    if not problem or not field:
        return 0
    return 3 if problem == field else 2 if problem.startswith(f"{field}.") else 1 if field.startswith(f"{problem}.") else 0


# --- rows that stay in place ----------------------------------------------------------------------------------------------------

PinnedRows = dict[str, tuple[str, int, tuple[str, ...]]]
"""Fields of rows that stay where the page showed them: the section's title, their position in it, and their columns."""


def parse_pinned_rows(text: str) -> PinnedRows:
    """Decode the rows that stay in place; anything else counts as none."""
    try:
        return msgspec.json.decode(text or "{}", type=PinnedRows)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return {}


def pin_moved_rows(before: Sheet, after: Sheet, known: PinnedRows) -> PinnedRows:
    """The rows that a change moved to another section, with their old places; the page keeps them there."""
    was, now = _row_places(before), _row_places(after)
    moved = {field: place for field, place in was.items() if field in now and now[field][0] != place[0]}
    return {**moved, **known}


def restore_pinned_rows(sheet: Sheet, stays: PinnedRows) -> Sheet:
    """A sheet with rows moved back to where the page showed them."""
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
    """The rows of a section by column, each with the field of its stepper; empty if it has none."""
    rows: list[tuple[str, tuple[tuple[str, AnyPiece], ...]]] = []
    for row in lines(section.pieces):
        columns = row.columns if isinstance(row, Line) else (("level", row),)
        rows.append((next((piece.field for _, piece in columns if isinstance(piece, Stepper)), ""), columns))
    return rows


def _row_places(sheet: Sheet) -> PinnedRows:
    return {
        field: (section.title, at, tuple(column for column, _ in row))
        for section in sheet.sections
        for at, (field, row) in enumerate(_rows_of(section))
        if field
    }


def _blocks(section: Section, prefix: str) -> tuple[Block, ...]:
    blocks: list[tuple[str, list[Item | TableRow]]] = []
    at = 0
    for piece in lines([piece for piece in section.pieces if not isinstance(piece, Budget)]):
        item = _table_row(piece, prefix, at) if isinstance(piece, Line) else _item(piece, f"{prefix}-{at}")
        at += len(piece.columns) if isinstance(piece, Line) else 1
        kind = "joined" if isinstance(item, TableRow) else _block_kind(item)
        if not blocks or blocks[-1][0] != kind:
            blocks.append((kind, []))
        blocks[-1][1].append(item)
    mark = "-".join(section.title.lower().split())
    return tuple(Block(kind, tuple(items), _column_heads(items), f"{mark}-{place}") for place, (kind, items) in enumerate(blocks))


def _column_heads(items: Sequence[Item | TableRow]) -> tuple[str, ...]:
    """The columns of a table: the level first, test and total last."""
    heads = dict.fromkeys(head for item in items if isinstance(item, TableRow) for head in item.cells)
    return tuple(sorted(heads, key=lambda head: (head in LAST_COLUMNS, head != "level")))


def _table_row(line: Line, prefix: str, at: int) -> TableRow:
    cells = {column: _item(piece, f"{prefix}-{at + place}") for place, (column, piece) in enumerate(line.columns)}
    closing = line.columns[-1][1]
    if not isinstance(closing, Test):
        return TableRow(line.name, cells, line.prices(), "", ())
    parts = [part for part in closing.parts[1:] if part.value]
    made_with = (
        f"{', '.join(part.label for part in parts)} {format_number(sum(part.value for part in parts), True)}" if parts else closing.note
    )
    return TableRow(line.name, cells, line.prices(), made_with, tuple(part for part in closing.modifiers if part.on))


def _item(piece: AnyPiece, place: str) -> Item:
    kind = type(piece).__name__.lower()
    match piece:
        case Stepper():
            return Item(kind, place, piece, " → ".join(format_number(level, piece.signed) for level in piece.levels))
        case Value():
            reasons = piece.reasons
            if len(reasons) == 1 and reasons[0].op == "=" and reasons[0].value == piece.value and reasons[0].terms:
                reasons = reasons[0].terms  # the value repeated as its own sum
            return Item(kind, place, piece, format_number(piece.value, piece.signed), list_terms(reasons, piece.rule))
        case Pool():
            return Item(kind, place, piece, f"{piece.value} / {piece.most}")
        case Clock():
            return Item(kind, place, piece, f"{piece.left} {piece.unit}")
    return Item(kind, place, piece)


def _block_kind(item: Item) -> str:
    match item.piece:
        case Arcs() | Bands():
            return "pictures"
        case Rows() | Pick() | PickMany():
            return "lists"
        case Track() | Ladder() | Tag() | Pool() | Clock():
            return "state"
    return "grid"
