"""The builder: a sheet one step at a time, in the order of the book, with what is left and what is wrong in each step."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.audit import Audit, Problem
from rulewright.build.sheet_parts import Budget, Pick, PickMany, Rows, Sheet, Stepper, Track
from rulewright.system import Step
from rulewright.web.sheets.blocks import Block, Item, LocatedProblem, Part, TableRow
from rulewright.web.sheets.odds_bars import format_number

WHOLE = "all"
"""The address of the whole sheet on one page: `?step=all`."""
FINISH = Step("Finish", "The whole sheet. Change a word here, or go back to any step.")
MIN_CATALOGUE = 8
"""How many entries a list must offer to be a catalogue with a tab of its own."""
MIN_STATISTICS = 3
"""The same for a list with statistics."""
MAX_QUERY = 80
Status = Literal["done", "wrong", "open"]


class Place(Struct, frozen=True):
    """Where in the builder a page is: its step, its tab, and the filters of a catalogue. All of it is in the address."""

    step: str = ""
    tab: str = ""
    q: str = ""
    group: str = ""
    only: str = ""
    sort: str = ""
    look: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Place":
        """Read a place from an address."""
        return cls(**{name: str(query.get(name, ""))[:MAX_QUERY] for name in cls.__struct_fields__})

    def pairs(self) -> list[tuple[str, str]]:
        """The place as query parameters, without empty ones."""
        return [(name, text) for name in self.__struct_fields__ if (text := getattr(self, name))]

    def address(self, **changes: str) -> str:
        """The query of this place, with some parameters changed."""
        values = {**dict(self.pairs()), **changes}
        return "?" + urlencode({name: text for name, text in values.items() if text}) if any(values.values()) else ""


class Tab(Struct, frozen=True):
    """A tab of a step: blocks as on the sheet, or the catalogue of one list."""

    key: str
    title: str
    count: int = 0
    blocks: tuple[Block, ...] = ()
    offers: Item | None = None
    part: str = ""
    """The part of the sheet that it is of."""


class BuildStep(Struct, frozen=True):
    """A step of the builder: its parts of the sheet, its budgets, its problems, and how far it is."""

    key: str
    number: int
    step: Step
    parts: tuple[Part, ...]
    budgets: tuple[Budget, ...]
    problems: tuple[Problem, ...]
    status: Status
    summary: str


def slug(text: str) -> str:
    """A title as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


# --- steps --------------------------------------------------------------------------------------------------------------------


def build_steps(
    steps: Sequence[Step], sheet: Sheet, parts: Sequence[Part], audit: Audit, located: Sequence[LocatedProblem], named: bool
) -> tuple[BuildStep, ...]:
    """The steps of a sheet, ending with the finished sheet."""
    owners = _assign_parts(steps, parts)
    budgets = [piece for section in sheet.sections for piece in section.pieces if isinstance(piece, Budget)]
    result: list[BuildStep] = []
    kept = [step for step in steps if not step.section or step in owners.values()]
    for number, step in enumerate((*kept, FINISH), 1):
        own = tuple(part for part in parts if owners.get(part.id) == step)
        ids = {part.id for part in own}
        problems = tuple(problem.problem for problem in located if problem.part in ids)
        named_budget = tuple(budget for budget in budgets if step.budget and budget.name.lower() == step.budget.lower())
        first = not any(step.budget == other.step.budget for other in result)
        status, summary = _judge(step, own, named_budget if first else (), problems, named, sheet, audit)
        result.append(BuildStep(slug(step.name), number, step, own, named_budget, problems, status, summary))
    return tuple(result)


def _assign_parts(steps: Sequence[Step], parts: Sequence[Part]) -> dict[str, Step]:
    """The step of each part by its id. A part that no step names goes with the part before it, if it can be edited."""
    owners: dict[str, Step] = {}
    for step in steps:
        titles = (step.section, *step.also) if step.section else step.also
        for part in parts:
            if part.id not in owners and any(part.title.startswith(title) for title in titles):
                owners[part.id] = step
    last = next((step for step in steps if step.section), None)
    for part in parts:
        if part.id in owners:
            last = owners[part.id]
        elif last is not None and _is_editable(part):
            owners[part.id] = last
    return owners


def _is_editable(part: Part) -> bool:
    """Whether a part has anything to choose."""
    return any(_is_choice(item) for block in part.blocks for item in block.items)


def _is_choice(item: Item | TableRow) -> bool:
    if isinstance(item, TableRow):
        return any(isinstance(cell.piece, Stepper) for cell in item.cells.values())
    piece = item.piece
    if isinstance(piece, Stepper):
        return piece.high > piece.low
    return isinstance(piece, Pick | PickMany) or (isinstance(piece, Rows) and bool(piece.field and (piece.addable or piece.keys)))


def _judge(
    step: Step,
    parts: Sequence[Part],
    budgets: Sequence[Budget],
    problems: Sequence[Problem],
    named: bool,
    sheet: Sheet,
    audit: Audit,
) -> tuple[Status, str]:
    """How far a step is, and a few words about it."""
    wrong = [problem for problem in problems if not problem.warning]
    over = [budget for budget in budgets if budget.spent > budget.allowed]
    if step is FINISH:
        return ("done" if audit.legal and named else "open"), "name, notes, sheet"
    if over:
        return "wrong", f"{format_number(over[0].spent - over[0].allowed)} over"
    if wrong:
        return "wrong", f"{len(wrong)} to fix"
    if not step.section:
        return ("done" if named else "open"), (sheet.subtitle if named and sheet.subtitle else "name, notes")
    if budgets:
        left = budgets[0].allowed - budgets[0].spent
        words = f"{format_number(budgets[0].spent)} of {format_number(budgets[0].allowed)}"
        return ("done" if not left and budgets[0].allowed else "open"), (f"{format_number(left)} left" if left else words)
    if not any(_is_editable(part) for part in parts):
        return "done", "nothing to choose"
    chosen = sum(_count_chosen(piece) for part in parts for block in part.blocks for piece in block.items) + sum(
        _count_raised(part) for part in parts
    )
    return ("done" if chosen else "open"), (f"{chosen} chosen" if chosen else "nothing chosen yet")


def _count_chosen(item: Item | TableRow) -> int:
    """How many things are chosen: entries of a list that can change, or a pick."""
    if isinstance(item, TableRow) or not _is_choice(item):
        return 0
    match item.piece:
        case Rows():
            return len(item.piece.rows)
        case Pick():
            return int(bool(item.piece.value))
        case PickMany():
            return len(item.piece.values)
    return 0


def _count_raised(part: Part) -> int:
    """How many skills of a part have a level."""
    rows = [item for block in part.blocks for item in block.items if isinstance(item, TableRow)]
    return sum(any(isinstance(cell.piece, Stepper) and cell.piece.value > cell.piece.low for cell in row.cells.values()) for row in rows)


def find_step(steps: Sequence[BuildStep], key: str) -> BuildStep | None:
    """The step with this key; the first for an empty or unknown key; None for the whole sheet."""
    if key == WHOLE or not steps:
        return None
    return next((step for step in steps if step.key == key), steps[0])


# --- the tabs of a step --------------------------------------------------------------------------------------------------------


def build_tabs(step: BuildStep) -> tuple[Tab, ...]:
    """The tabs of a step: a catalogue for each long list, then the other blocks by part."""
    tabs = []
    for part in step.parts:
        rest = []
        for block in part.blocks:
            long = [item for item in block.items if isinstance(item, Item) and _is_catalogue(item)]
            for item in long:
                assert isinstance(item.piece, Rows)
                tabs.append(Tab(slug(item.piece.name), item.piece.name, len(item.piece.addable), offers=item, part=part.id))
            short = tuple(item for item in block.items if item not in long)
            if short:
                rest.append(Block(block.kind, short, block.heads, block.mark))
        if rest:
            title = "Other" if any(tab.offers is not None and tab.part == part.id for tab in tabs) else part.title
            tabs.append(Tab(slug(title), title, _count(rest), tuple(rest)))
    return tuple(_distinct(tabs))


def _distinct(tabs: Sequence[Tab]) -> list[Tab]:
    """Tabs with the same key get a number."""
    result: list[Tab] = []
    for tab in tabs:
        same = sum(other.key.split("~")[0] == tab.key for other in result)
        result.append(replace(tab, key=f"{tab.key}~{same}") if same else tab)
    return result


def _is_catalogue(item: Item) -> bool:
    piece = item.piece
    if not isinstance(piece, Rows) or not piece.field:
        return False
    return len(piece.addable) >= MIN_CATALOGUE or (len(piece.heads) > 1 and len(piece.addable) >= MIN_STATISTICS)


def _count(blocks: Sequence[Block]) -> int:
    """The number of rows of a tab, if it consists of rows."""
    return sum(len(block.items) for block in blocks) if all(block.kind == "joined" for block in blocks) else 0


def find_tab(tabs: Sequence[Tab], key: str) -> Tab | None:
    """The tab with this key, or the first."""
    return next((tab for tab in tabs if tab.key == key), tabs[0] if tabs else None)


# --- beside the step -----------------------------------------------------------------------------------------------------------

MAX_DERIVED = 9
MAX_CHANGES = 8


class Change(Struct, frozen=True):
    """What a change did to one value: its new value, and the difference if both are numbers."""

    name: str
    value: str
    difference: str = ""
    down: bool = False


def describe_changes(differences: Sequence[tuple[str, Any, Any]], budgets: Sequence[tuple[Budget, Budget]]) -> tuple[Change, ...]:
    """Describes the changes of the last edit: budgets first, then values and tests."""
    changes = [
        Change(
            now.name, format_number(now.allowed - now.spent) + " left", *_difference(before.allowed - before.spent, now.allowed - now.spent)
        )
        for before, now in budgets
        if (before.allowed, before.spent) != (now.allowed, now.spent)
    ]
    for name, old, new in differences:
        text = "none" if new is None else format_number(new)
        changes.append(Change(name, text, *_difference(old, new)))
    return tuple(changes[:MAX_CHANGES])


def _difference(old: Any, new: Any) -> tuple[str, bool]:
    if isinstance(old, int | float) and isinstance(new, int | float):
        return format_number(round(new - old, 3), True), new < old
    return (f"was {old}" if old is not None else "new"), False


def derived_items(parts: Sequence[Part], step: BuildStep) -> tuple[Item, ...]:
    """The derived values to show beside a step: those of parts without choices, except the step's own."""
    own = {part.id for part in step.parts}
    items = [
        item
        for part in parts
        if part.id not in own and not _is_editable(part)
        for block in part.blocks
        for item in block.items
        if isinstance(item, Item) and item.kind == "value"
    ]
    return tuple(items[:MAX_DERIVED])


# --- the finished sheet ---------------------------------------------------------------------------------------------------------


class FinishGroup(Struct, frozen=True):
    """A group of the finished sheet: a title, and pairs of name and value; or pieces that the sheet draws, such as boxes."""

    title: str
    rows: tuple[tuple[str, str], ...]


class FinishedSheet(Struct, frozen=True):
    """The finished sheet: its attributes in boxes, and everything else in groups."""

    boxes: tuple[tuple[str, str], ...]
    groups: tuple[FinishGroup, ...]


def finished_sheet(parts: Sequence[Part]) -> FinishedSheet:
    """The parts of a sheet in short. Skills without a level and lists without entries are left out."""
    boxes: tuple[tuple[str, str], ...] = ()
    groups: list[tuple[int, FinishGroup]] = []
    for part in parts:
        rows: list[tuple[str, str]] = []
        for block in part.blocks:
            if not boxes and block.kind in ("grid", "joined") and block.steps + _joined_steps(block) >= 4:
                boxes = tuple(_short_row(item) for item in block.items)
            else:
                rows += [row for item in block.items for row in _finish_rows(item)]
        if rows:
            groups.append((_rank(part), FinishGroup(part.title, tuple(rows))))
    groups.sort(key=lambda pair: pair[0])
    return FinishedSheet(boxes, tuple(group for _, group in groups))


def _rank(part: Part) -> int:
    """Skills first, then attacks, lists, the body and further tests."""
    kinds = [item.kind if isinstance(item, Item) else "skill" for block in part.blocks for item in block.items]
    if part.title == "Attacks":
        return 1
    return next((place for kind, place in (("skill", 0), ("rows", 2), ("value", 3), ("pool", 4)) if kind in kinds), 5)


def _joined_steps(block: Block) -> int:
    return sum(isinstance(item, TableRow) for item in block.items)


def _short_row(item: Item | TableRow) -> tuple[str, str]:
    if isinstance(item, TableRow):
        first = next((cell for cell in item.cells.values() if cell.kind in ("stepper", "value")), None)
        return item.name, first.shown if first is not None else ""
    return item.piece.name, item.shown


def _finish_rows(item: Item | TableRow) -> list[tuple[str, str]]:
    if isinstance(item, TableRow):
        levels = [cell.piece for cell in item.cells.values() if isinstance(cell.piece, Stepper)]
        if levels and all(level.levels[-1] <= level.low for level in levels):
            return []
        last = list(item.cells.values())[-1]
        return [(item.name, getattr(last.piece, "notation", "") or last.shown)]
    piece = item.piece
    match piece:
        case Stepper():
            return [(piece.name, item.shown)] if piece.levels[-1] > piece.low else []
        case Pick():
            label = next((option.label for option in piece.options if option.key == piece.value), piece.value)
            return [(piece.name, label)] if piece.value else []
        case PickMany():
            return [(option.label, "") for option in piece.options if option.key in piece.values]
        case Rows():
            return [(row[0], row[1] if len(row) > 1 and len(row[1]) < 24 else "") for row in piece.rows] if piece.field else []
        case Track():
            return [(piece.name, f"{len(piece.marks)} of {piece.boxes} marked" if piece.marks else f"{piece.boxes} boxes")]
    return [(piece.name, getattr(piece, "notation", "") or item.shown)] if item.kind in ("value", "test", "pool") else []
