"""The template variables of the builder: the step that is shown, its catalogue, and what stands beside it."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from rulewright.build.audit import Audit
from rulewright.build.experience import differences
from rulewright.build.sheet_parts import Arcs, Budget, Rows, Sheet, Test, Value
from rulewright.rules import Ruleset
from rulewright.system import System
from rulewright.web.builder import steps as building
from rulewright.web.builder.catalogue import Chance, build_catalogue, find_chance
from rulewright.web.builder.steps import MIN_CATALOGUE, Change, Place, Tab
from rulewright.web.pages.games import ready_made
from rulewright.web.sheets.blocks import Item, LocatedProblem, Part, TableRow, budgets

MAX_CHANCES = 120
"""How many tests of one page get a chance."""


def build_page(
    system: System,
    rules: Ruleset,
    thing: Any,
    sheet: Sheet,
    audit: Audit,
    parts: Sequence[Part],
    located: Sequence[LocatedProblem],
    place: Place,
) -> dict[str, Any]:
    """The variables of a page of the builder; `step` is None for the whole sheet."""
    named = sheet.name != system.nothing(sheet.kind).name
    steps = building.build_steps(system.steps.get(sheet.kind, ()), sheet, parts, audit, located, named)
    step = building.find_step(steps, place.step)
    if step is None:
        return {"steps": steps, "step": None}
    tabs = building.build_tabs(step)
    tab = building.find_tab(tabs, place.tab)
    catalogue = None
    if tab is not None and tab.offers is not None and isinstance(tab.offers.piece, Rows):
        catalogue = build_catalogue(system, rules, thing, sheet, tab.offers.piece, place, step.budgets)
    return {
        "steps": steps,
        "step": step,
        "previous": steps[step.number - 2] if step.number > 1 else None,
        "following": steps[step.number] if step.number < len(steps) else None,
        "elsewhere": [other for other in steps if other is not step and other.status == "wrong"],
        "tabs": tabs,
        "tab": tab,
        "catalogue": catalogue,
        "chances": _chances(system, rules, tab),
        "derived": building.derived_items(parts, step),
        "finished": building.finished_sheet(parts) if step.step is building.FINISH else None,
        "own_problems": {id(problem) for problem in step.problems},
    }


def _chances(system: System, rules: Ruleset, tab: Tab | None) -> dict[str, Chance]:
    """The chances of the tests of a tab, by their keys."""
    tests = [test for block in (tab.blocks if tab is not None else ()) for item in block.items for test in _tests(item)]
    by_key = ((test.key, find_chance(system, rules, test)) for test in tests[:MAX_CHANCES])
    return {key: chance for key, chance in by_key if chance is not None}


def _tests(item: Item | TableRow) -> list[Test]:
    cells = item.cells.values() if isinstance(item, TableRow) else (item,)
    return [cell.piece for cell in cells if isinstance(cell.piece, Test)]


def list_changes(before: Sheet | None, sheet: Sheet) -> tuple[Change, ...]:
    """Lists the changes of the last edit to the values and budgets of a sheet."""
    if before is None:
        return ()
    old = {budget.name: budget for budget in budgets(before)}
    pairs: list[tuple[Budget, Budget]] = [(old[budget.name], budget) for budget in budgets(sheet) if budget.name in old]
    return building.describe_changes(differences(before, sheet), pairs)


def list_rivals(system: System, sheet: Sheet, path: str) -> list[tuple[str, str]]:
    """The ready-made opponents of a character or machine, by key; none for what does not fight such duels."""
    machine = bool(sheet.bar) and bool(system.duelled)
    if not system.fights or not (machine or sheet.kind == "character"):
        return []
    same = [example for example in ready_made(system.id).values() if example.kind == sheet.kind and example.path != path]
    return [(f"{example.folder}/{example.name}", example.title) for example in same]


def nearest_rival(system: System, rules: Ruleset, thing: Any, path: str) -> str:
    """The ready-made design whose rating is nearest to that of this one, by key; empty if designs have no rating."""
    rating = system.worth(rules, thing)
    if rating is None:
        return ""
    rated = [
        (abs(example.rating[1] - rating[1]), f"{example.folder}/{example.name}")
        for example in ready_made(system.id).values()
        if example.rating is not None and isinstance(example.thing, type(thing)) and example.path != path
    ]
    return min(rated, default=(0, ""))[1]


class Columns(Struct, frozen=True):
    """The parts of a machine in the columns of the designer."""

    left: tuple[Part, ...]
    middle: tuple[Part, ...]


def designer_columns(sheet: Sheet, parts: Sequence[Part]) -> Columns:
    """The hull and its movement at the left, everything with long lists in the middle; the sum has its own place."""
    keys = {*sheet.bar, *sheet.parts}
    shown = [part for part in parts if not _keys(part) or not keys & _keys(part) or part.blocks[0].steps]
    wide = {part.id for part in shown if any(isinstance(item, Item) and _is_wide(item) for block in part.blocks for item in block.items)}
    return Columns(tuple(part for part in shown if part.id not in wide), tuple(part for part in shown if part.id in wide))


def _keys(part: Part) -> set[str]:
    """The keys of the values of a part that has nothing else."""
    pieces = [getattr(item, "piece", None) for block in part.blocks for item in block.items]
    return {piece.key for piece in pieces if isinstance(piece, Value)} if all(isinstance(piece, Value) for piece in pieces) else set()


def _is_wide(item: Item) -> bool:
    """Whether something needs a wide column: a chart of ranges, or a list with many columns or offers."""
    return isinstance(item.piece, Arcs) or (isinstance(item.piece, Rows) and len(item.piece.addable) >= MIN_CATALOGUE)
