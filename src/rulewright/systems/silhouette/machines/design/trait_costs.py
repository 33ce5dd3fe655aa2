"""Costs of a machine's Perks and Flaws, with reasons (book lines 3011-3188)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, nearest, rule
from rulewright.rules.reasons import Derived, Reason, at_least, less, rounded, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.machines.design.crews import crew_actions, crew_of
from rulewright.systems.silhouette.machines.design.rounding import Figure, cube_root, exact, plain, power, reckon, worth
from rulewright.systems.silhouette.machines.entries import missing
from rulewright.systems.silhouette.machines.tables import Formula, Priced, PriceRow, flaw_rows, perk_rows
from rulewright.systems.silhouette.machines.vehicle import Design, Fitted

PERKS = tuple(
    f"sil-4.1.8-perk-costs-{part}"
    for part in ("accessories", "arms", "armor", "comms", "features", "hep", "iw", "reinforced", "sensors", "exotic")
)
FLAWS = tuple(f"sil-4.1.8-flaw-costs-{part}" for part in ("movement", "negative", "weakness"))
ARMS = ("battle arm", "manipulator arm", "tool arm")
NO_SPEED = ("muscle-powered", "bio-energy powerplant")
"""With one of these, speeds and Deployment Range are free."""


def beginning(row: PriceRow) -> dict[str, Any]:
    """The smallest entry that a row allows, for adding it from a list."""
    entry: dict[str, Any] = {"name": row.name}
    if row.variants:
        entry["variant"] = next(iter(row.variants))
    if row.rated:
        entry["rating"] = 0 if row.quality else max(1, row.low or 0)
    formula = row.formula(entry.get("variant", ""))
    if row.unit and formula is not None and formula.counted and row.name != "emergency medical":
        entry["amount"] = {"metres": 50, "km": 2, "cubic metres": 8}.get(row.unit, 1)
    if row.must:
        entry["on"] = row.on[0] if row.on else "one of them"
    return entry


# --- prices ----------------------------------------------------------------------------------------------------------------------


def priced(rules: Ruleset, fitted: Fitted, *, flaw: bool = False) -> Priced:
    """The row of an entry; refuses unknown names."""
    rows = flaw_rows(rules) if flaw else perk_rows(rules)
    if fitted.name not in rows:
        kind, other = ("Flaw", "Perk") if flaw else ("Perk", "Flaw")
        if fitted.name in (perk_rows(rules) if flaw else flaw_rows(rules)):
            raise UserError(f"{fitted.name} is a {other}, not a {kind}")
        raise UserError(f"there is no {kind} {fitted.name!r}{nearest(fitted.name, rows)}")
    return rows[fitted.name]


def _terms(rules: Ruleset, formula: Formula, fitted: Fitted, design: Design) -> Iterator[Reason]:
    """The terms of a formula."""
    rating, amount = fitted.rating or 0, fitted.amount or 0
    if formula.base:
        yield term("price", formula.base)
    if formula.rating:
        yield term(
            f"{formula.rating:g} for each point of rating", reckon("rating", term("rating", rating), times("points each", formula.rating))
        )
    if formula.square:
        squared = reckon("rating squared", term("rating", rating), times("itself", rating), times("points each", formula.square))
        yield term("rating squared", squared)
    if formula.amount:
        yield term("amount", reckon("amount", term("amount", amount), times("points each", formula.amount)))
    if formula.root:
        yield term(
            "cube root of its amount",
            reckon("cube root", term(f"cube root of {amount:g}", cube_root(amount)), times("points", formula.root)),
        )
    if formula.armor:
        yield term("base Armor", reckon("armor", term("Armor", design.armor), times("points each", formula.armor)))
    if formula.actions:
        actions = crew_actions(rules, crew_of(design).value)
        yield term("the crew's actions", reckon("actions", term("actions", actions), times("points each", formula.actions)))
    if formula.people:
        actions = crew_actions(rules, int(amount))
        yield term("actions of these people", reckon("actions", term("actions", actions), times("points each", formula.people)))
    if formula.people_square:
        gained = crew_actions(rules, int(amount))
        yield term("extra actions squared", power("squared", "actions gained", gained, 2))
    if formula.share:
        crew = max(1, crew_of(design).value)
        terms = (term("exposed", min(amount, crew)), term("of the crew", crew, "÷"), times("points", formula.share))
        yield term("share of the crew", reckon("share", *terms))


def price(rules: Ruleset, fitted: Fitted, design: Design, *, flaw: bool = False) -> Derived[Figure]:
    """The total cost of an entry; negative for Flaws."""
    result = priced(rules, fitted, flaw=flaw)
    row = result.row
    formula = row.formula(fitted.variant)
    if lacks := missing(row, fitted):
        raise UserError(lacks)
    assert formula is not None
    source = "stand-in" if fitted.variant in row.lost else row.source
    if row.free_with and any(candidate.type == row.free_with for candidate in design.movement):
        return total(label(fitted), term(f"free with {row.free_with} movement", 0), rule=result.rule, source=source)
    terms = list(_terms(rules, formula, fitted, design)) or [term("free", 0)]
    if row.quality:
        rating = max(min(row.quality), min(max(row.quality), fitted.rating or 0))
        terms.append(times(f"quality {fitted.rating or 0:+d}", row.quality[rating]))
    derived = reckon(label(fitted), *_rounded(terms, row), rule=result.rule, source=source)
    if fitted.count == 1:
        return derived
    return reckon(label(fitted), term("one", derived), times("quantity", fitted.count), rule=result.rule, source=source)


def _rounded(terms: list[Reason], row: PriceRow) -> list[Reason]:
    """The terms with the rounding of the row; for a Flaw the absolute value is rounded, so that down is toward zero."""
    value = worth(terms)
    if not row.to or value.denominator == 1:
        return terms
    if row.to == "off":
        half_below = value < 0 and (value * 2).denominator == 1
        return [*terms, rounded_down() if half_below else rounded()]
    return [*terms, rounded_up() if (row.to == "up") == (value > 0) else rounded_down()]


def label(fitted: Fitted) -> str:
    """An entry in the book's notation: the name, its rating, and options in brackets."""
    name = fitted.name if fitted.rating is None else f"{fitted.name} {fitted.rating}"
    said = [text for text in (fitted.variant, fitted.on, f"{fitted.amount:g}" if fitted.amount is not None else "") if text]
    if fitted.punch:
        said.append(f"punch ×{fitted.punch:g}")
    chosen = f" ({', '.join(said)})" if said else ""
    return f"{f'{fitted.count} × ' if fitted.count > 1 else ''}{name}{chosen}"


class Points(Struct, frozen=True):
    """The points of all Perks or Flaws, and of each entry."""

    total: Derived[Figure]
    each: tuple[Derived[Figure] | None, ...]
    """None if an entry cannot be priced; the audit says why."""


def _price_each(rules: Ruleset, entries: tuple[Fitted, ...], design: Design, *, flaw: bool) -> tuple[Derived[Figure] | None, ...]:
    prices: list[Derived[Figure] | None] = []
    for fitted in entries:
        try:
            prices.append(price(rules, fitted, design, flaw=flaw))
        except UserError:
            prices.append(None)
    return tuple(prices)


@rule(*PERKS, "sil-d-perk-notation")
def perk_points(rules: Ruleset, design: Design) -> Derived[Figure]:
    """All Perk points of a machine. Options that lower the price of a set (one way, defective, interfaces) never make it negative.

    A view of `perks_of`.
    """
    return perks_of(rules, design).total


@rule(*FLAWS)
def flaw_points(rules: Ruleset, design: Design) -> Derived[Figure]:
    """All Flaw points of a machine, as a negative figure."""
    return flaws_of(rules, design).total


@cached(512)
def perks_of(rules: Ruleset, design: Design) -> Points:
    """The Perk points, entry by entry."""
    prices = _price_each(rules, design.perks, design, flaw=False)
    rows = perk_rows(rules)
    terms: list[Reason] = []
    joined: dict[str, list[Reason]] = {}
    halved: set[str] = set()
    for fitted, cost in zip(design.perks, prices, strict=True):
        if cost is None:
            continue
        row = rows[fitted.name].row
        whole = row.part_of or (
            fitted.name if any(rows[perk.name].row.part_of == fitted.name for perk in design.perks if perk.name in rows) else ""
        )
        (joined.setdefault(whole, []) if whole else terms).append(term(label(fitted), cost))
        if row.halves:
            halved.add(whole)
    terms += [term(f"{name} with its options", _with_options(name, parts, name in halved)) for name, parts in joined.items()]
    return Points(reckon("Perk points", *terms), prices)


def _with_options(name: str, parts: list[Reason], halved: bool) -> Derived[Figure]:
    """A set with the options that change its price: each option uses the price of the bare set, and the total is at least 0."""
    bare = next((part for part in parts if part.label.startswith(name)), None)
    terms = sorted(parts, key=lambda reason: reason is not bare)
    if halved and bare is not None and not isinstance(bare.value, str):
        terms.append(less("unshielded: half the price of the set, rounded up", plain(Fraction(exact(bare.value) // 2))))
    return reckon(name, *terms, at_least(0, "minimum"))


@cached(512)
def flaws_of(rules: Ruleset, design: Design) -> Points:
    """The Flaw points, entry by entry."""
    prices = _price_each(rules, design.flaws, design, flaw=True)
    terms = [term(label(fitted), cost) for fitted, cost in zip(design.flaws, prices, strict=True) if cost is not None]
    return Points(reckon("Flaw points", *terms), prices)


def has(design: Design, *names: str) -> bool:
    """Whether a machine has one of these Perks or Flaws."""
    return any(fitted.name in names for fitted in (*design.perks, *design.flaws))


def entries_of(design: Design) -> int:
    """How many Perks a machine has, counting each of several identical ones."""
    return sum(perk.count for perk in design.perks)
