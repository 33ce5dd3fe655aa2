"""A list of a sheet as a catalogue: everything that it offers, with statistics and the character's own chance.

Statistics and chances come from the sheet itself: it is drawn for a copy of the character that has everything on offer.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.audit import change
from rulewright.build.sheet_parts import Budget, Choosable, Rows, Sheet, Test
from rulewright.errors import UserError
from rulewright.rules import Ruleset
from rulewright.system import System
from rulewright.web.builder.steps import Place
from rulewright.web.server import bounded_replies
from rulewright.web.sheets.list_entries import entry_of, is_single, value_at
from rulewright.web.sheets.odds_bars import format_percent

AT_ONCE = 10
"""How many offers are tried on one copy: sheets draw a limited number of weapons."""
UNTRAINED = re.compile(r"unskilled|not learn|unranked|untrained", re.I)
RANGE = re.compile(r"\brange\b", re.I)
ATTACKS = ("attack.", "cast.")
ALLOWED, AFFORDABLE, TRAINED = "allowed", "affordable", "trained"


class Chance(Struct, frozen=True):
    """A chance as a number and as text."""

    value: float
    text: str


class Entry(Struct, frozen=True):
    """An entry of a catalogue: owned (with its place in the list) or on offer."""

    key: str
    label: str
    group: str
    cells: tuple[str, ...]
    price: str
    note: str
    source: str
    barred: str
    owned: int | None
    chance: Chance | None
    test: Test | None
    facts: tuple[tuple[str, str], ...] = ()
    """Its cells that are not empty, with their heads."""


class RangeBand(Struct, frozen=True):
    """The chance of an attack in one range band."""

    name: str
    modifier: int
    chance: Chance


class Inspected(Struct, frozen=True):
    """One weapon in the character's hands: its attack in each range band."""

    name: str
    notation: str
    note: str
    bands: tuple[RangeBand, ...]


class Catalogue(Struct, frozen=True):
    """A catalogue as a page shows it: its columns, its filters and the entries that pass them."""

    field: str
    name: str
    heads: tuple[str, ...]
    entries: tuple[Entry, ...]
    count: int
    groups: tuple[str, ...]
    filters: tuple[tuple[str, str], ...]
    prices: bool
    chances: bool
    inspected: Inspected | None = None


def build_catalogue(
    system: System, rules: Ruleset, thing: Any, sheet: Sheet, piece: Rows, place: Place, budgets: Sequence[Budget]
) -> Catalogue:
    """Build the catalogue of a list, with the filters of the address."""
    tried, tests = _try_offers(system, rules, thing, piece)
    known = sheet.tests()
    facts = list(dict.fromkeys(head for option in piece.addable for head, _ in option.facts))
    heads = tuple(facts) or tuple(piece.heads[1:])
    price_heads = {place for place, head in enumerate(heads) if head in ("cost", "points", "price", "credits") and not facts}
    columns = tuple(head for at, head in enumerate(heads) if at not in price_heads)
    by_name = {option.label.lower(): option for option in piece.addable} | {option.key.lower(): option for option in piece.addable}
    entries = []
    for at, row in enumerate(piece.rows if piece.keys else ()):
        option = by_name.get(row[0].lower())
        test = _find_attack(known, row[0]) or (known.get(option.group) if option is not None else None)
        cells = _cells(heads, option, row[1:], price_heads)
        entries.append(_entry(system, rules, option or Choosable(row[0], row[0]), cells, at, test))
    taken = {entry.label.lower() for entry in entries}
    for option in piece.addable:
        row = tried.get(option.key, ())
        if option.label.lower() in taken and entry_of(type(thing), piece.field) is None:
            continue
        test = _find_attack(tests, option.label) or known.get(option.group)
        entries.append(_entry(system, rules, option, _cells(heads, option, row[1:], price_heads), None, test))
    left = _left_of(budgets)
    shown = [entry for entry in entries if _passes(entry, place, left)]
    if place.sort == "chance":
        shown.sort(key=lambda entry: (entry.owned is None, -(entry.chance.value if entry.chance else -1)))
    groups = tuple(dict.fromkeys(option.group for option in piece.addable if option.group))
    has_chances = any(entry.chance for entry in entries)
    return Catalogue(
        piece.field,
        piece.name,
        columns,
        tuple(
            replace(entry, facts=tuple((head, cell) for head, cell in zip(columns, entry.cells, strict=False) if cell)) for entry in shown
        ),
        len(entries),
        groups if 1 < len(groups) <= 12 else (),
        _filters(entries, left),
        any(entry.price for entry in entries),
        has_chances,
        _inspect(system, rules, entries, place.look),
    )


def _entry(system: System, rules: Ruleset, option: Choosable, cells: tuple[str, ...], owned: int | None, test: Test | None) -> Entry:
    chance = find_chance(system, rules, test) if test is not None else None
    attack = test is not None and test.key.startswith(ATTACKS)
    note = option.note or (test.note if test is not None and attack and not any(cells) else "")
    note = note or (option.group if option.group not in cells else "")
    return Entry(option.key, option.label, option.group, cells, option.price, note, option.source, option.barred, owned, chance, test)


def _cells(heads: Sequence[str], option: Choosable | None, row: Sequence[str], skipped: set[int]) -> tuple[str, ...]:
    """The statistics of an entry: those that the game gives, or the cells of its row on the sheet."""
    if option is not None and option.facts:
        facts = dict(option.facts)
        return tuple(facts.get(head, "") for head in heads)
    return tuple(row[at] if at < len(row) else "" for at in range(len(heads)) if at not in skipped)


def _try_offers(system: System, rules: Ruleset, thing: Any, piece: Rows) -> tuple[dict[str, tuple[str, ...]], dict[str, Test]]:
    """The row of each offer on a sheet that has it, and the tests of these sheets."""
    rows: dict[str, tuple[str, ...]] = {}
    tests: dict[str, Test] = {}
    for start in range(0, len(piece.addable), AT_ONCE):
        offers = piece.addable[start : start + AT_ONCE]
        drawn = _draw_with(system, rules, thing, piece, offers)
        if drawn is None:
            continue
        tests |= drawn.tests()
        new = next(
            (other for section in drawn.sections for other in section.pieces if isinstance(other, Rows) and other.field == piece.field),
            None,
        )
        if new is not None and len(new.rows) >= len(offers):
            rows |= {option.key: row for option, row in zip(offers, new.rows[-len(offers) :], strict=True)}
    return rows, tests


def _draw_with(system: System, rules: Ruleset, thing: Any, piece: Rows, offers: Sequence[Choosable]) -> Sheet | None:
    """The sheet of a character that has nothing but these in a list; None if the rules do not allow it."""
    if is_single(type(thing), piece.field):
        return None
    entry = entry_of(type(thing), piece.field)
    value: Any
    if isinstance(value_at(thing, piece.field), dict):
        value = {option.key: 1 for option in offers}
    elif entry is None:
        value = [option.key for option in offers]
    else:
        first = entry.__struct_encode_fields__[0]
        value = [option.entry if option.entry is not None else {first: option.key} for option in offers]
    try:
        return system.sheet(rules, change(thing, piece.field, value))
    except (UserError, ValueError, TypeError, KeyError, LookupError):
        return None


def _find_attack(tests: dict[str, Test], label: str) -> Test | None:
    """The attack with a weapon, or the casting of a spell, by its name."""
    name = label.lower()
    for key, test in tests.items():
        if key.startswith(ATTACKS) and (test.name.lower() == name or key.lower().endswith(f".{name}")):
            return test
    return None


# --- chances ------------------------------------------------------------------------------------------------------------------


def find_chance(system: System, rules: Ruleset, test: Test, modifier: int = 0) -> Chance | None:
    """The chance of a test against the game's usual target; None if it has none."""
    try:
        return chance_of(system, rules, system.compose(test.notation, modifier, test.against or system.usual_target))
    except UserError:
        return None


@lru_cache(maxsize=4096)
def chance_of(system: System, rules: Ruleset, notation: str) -> Chance | None:
    """The chance of a success, counting a draw as half of one where it is neither."""
    chance = bounded_replies.odds(system, rules, notation)["chance"]
    return Chance(chance["success"], format_percent(chance["success"])) if chance else None


def _inspect(system: System, rules: Ruleset, entries: Sequence[Entry], wanted: str) -> Inspected | None:
    """The weapon that was asked for, or else the first owned one that has range bands."""
    asked = next((entry for entry in entries if entry.key == wanted and entry.test is not None), None)
    for entry in (asked,) if asked is not None else [entry for entry in entries if entry.owned is not None]:
        test = entry.test
        if test is None:
            continue
        ranges = [("short range", 0), *((mod.label, mod.value) for mod in test.modifiers if RANGE.search(mod.label))]
        ranges.sort(key=lambda band: -band[1])
        bands = [
            RangeBand(name, worth, chance) for name, worth in ranges if (chance := find_chance(system, rules, test, worth)) is not None
        ]
        if len(bands) > 1 or (asked is not None and bands):
            bands = bands if len(bands) > 1 else [RangeBand("", 0, bands[0].chance)]
            return Inspected(entry.label, test.notation, test.note, tuple(bands))
    return None


# --- filters ------------------------------------------------------------------------------------------------------------------


def _price_number(text: str) -> float | None:
    match = re.match(r"[−-]?\d[\d,]*(\.\d+)?", text)
    return float(match[0].replace(",", "").replace("−", "-")) if match else None


def _left_of(budgets: Sequence[Budget]) -> float | None:
    """Returns what is left of the only budget of a step."""
    return budgets[0].allowed - budgets[0].spent if len(budgets) == 1 else None


def _is_trained(entry: Entry) -> bool:
    return entry.test is not None and not UNTRAINED.search(" ".join((entry.test.notation, *(part.label for part in entry.test.parts))))


def _can_pay(entry: Entry, left: float) -> bool:
    price = _price_number(entry.price)
    return price is None or price <= left


def _filters(entries: Sequence[Entry], left: float | None) -> tuple[tuple[str, str], ...]:
    """The filters that would leave something out."""
    offers = [entry for entry in entries if entry.owned is None]
    trained = [entry for entry in offers if _is_trained(entry)]
    chips = []
    if trained and len(trained) < len(offers) and any(entry.test for entry in offers):
        chips.append((TRAINED, "I have the skill"))
    if left is not None and any(not _can_pay(entry, left) for entry in offers):
        chips.append((AFFORDABLE, "I can pay"))
    if any(entry.barred for entry in offers):
        chips.append((ALLOWED, "Allowed only"))
    return tuple(chips)


def _passes(entry: Entry, place: Place, left: float | None) -> bool:
    """Whether an entry passes the filters. What is owned is always shown, except in a search."""
    words = f"{entry.label} {entry.group} {entry.note}".lower()
    if not all(word in words for word in place.q.lower().split()):
        return False
    if place.group and entry.group != place.group:
        return False
    if entry.owned is not None:
        return True
    only = place.only.split(",")
    if TRAINED in only and not _is_trained(entry):
        return False
    if AFFORDABLE in only and left is not None and not _can_pay(entry, left):
        return False
    return not (ALLOWED in only and entry.barred)
