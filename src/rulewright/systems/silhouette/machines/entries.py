"""Perks, Flaws and characteristics in a machine's file: what an entry needs (book lines 3503-3726, 3787-4113).

The rows are always the book's own, whatever a campaign changes: a file that cannot be priced is refused when it is read.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play.cache import cached
from rulewright.rules import nearest
from rulewright.systems.silhouette.machines.tables import SYSTEM_FLAWS, SYSTEM_PERKS, CountRow, Figure, PriceRow, flaw_rows, perk_rows
from rulewright.systems.silhouette.settings import BOOK


class Entry(Protocol):
    """A Perk or Flaw of a machine as written."""

    @property
    def name(self) -> str: ...
    @property
    def rating(self) -> Figure | None: ...
    @property
    def variant(self) -> str: ...
    @property
    def amount(self) -> Figure | None: ...
    @property
    def on(self) -> str: ...


@cached(1)
def _printed() -> Mapping[str, PriceRow]:
    rules = BOOK.ruleset()
    return {name: priced.row for name, priced in {**perk_rows(rules), **flaw_rows(rules)}.items()}


def refuse_unsaid(entry: Entry) -> None:
    """Refuse an entry that lacks what its row needs: it could not be priced."""
    row = _printed().get(entry.name)
    if row is not None and (lacks := missing(row, entry)):
        raise ValueError(lacks)


def missing(row: PriceRow, fitted: Entry) -> str:
    """Says what an entry lacks, with an example; empty if it is complete."""
    if row.variants and fitted.variant not in row.variants:
        said = f"has no variant {fitted.variant!r}" if fitted.variant else "needs a variant"
        return f"{fitted.name} {said}: write {join(list(row.variants), 'or')}"
    if row.rated and fitted.rating is None:
        return f"{fitted.name} needs a rating: write for example `rating: {max(1, row.low or 0)}`"
    formula = row.formula(fitted.variant)
    if row.unit and formula is not None and formula.counted and fitted.amount is None and row.name != "emergency medical":
        return f"{fitted.name} needs an amount ({row.unit}): write for example `amount: 10`"
    if row.must and not fitted.on:
        what = f"one of {', '.join(row.on)}" if row.on else "its purpose"
        return f"{fitted.name} needs `on:` with {what}"
    return ""


# --- characteristics of systems -----------------------------------------------------------------------------------------------


class Characteristic(Struct, frozen=True):
    """A Perk or Flaw of a system as written: row, level and variant."""

    row: CountRow
    level: int | None = None
    variant: str = ""

    @property
    def count(self) -> int:
        """How many Perks or Flaws it counts as."""
        base = self.row.variants.get(self.variant, self.row.count)
        return self.row.levels.get(self.level or 0, base + self.row.per_level * (self.level or 0))

    @property
    def key(self) -> tuple[str, int, str]:
        """Its name, level and variant, for lookups in play."""
        return self.row.name, self.level or 0, self.variant


def read(rows: Mapping[str, CountRow], text: str) -> Characteristic:
    """Parse a characteristic: its name, then its level or variant, as in `area effect 1`, `gravitic single`."""
    said = " ".join(text.lower().split())
    name = max((candidate for candidate in rows if said == candidate or said.startswith(candidate + " ")), key=len, default="")
    if not name:
        raise UserError(f"there is no characteristic {text!r}{nearest(said, rows)}")
    row, level, words = rows[name], None, []
    for word in said[len(name) :].split():
        bare = word.rstrip("+°")
        if bare.isascii() and bare.isdecimal() and len(bare) < 5 and level is None:
            level = int(bare)
        else:
            words.append(word)
    variant = " ".join(words).strip("()")
    _check(row, level, variant)
    return Characteristic(row, level, variant)


def _check(row: CountRow, level: int | None, variant: str) -> None:
    if row.levelled and level is None:
        known = f"one of {', '.join(map(str, row.levels))}" if row.levels else str(max(1, row.low))
        raise UserError(f"{row.name} needs a level: write for example `{row.name} {known}`")
    if level is not None and not row.levelled:
        raise UserError(f"{row.name} has no level; write `{row.name}`")
    if row.levels and level not in row.levels:
        raise UserError(f"{row.name} has the levels {', '.join(map(str, row.levels))}, not {level}")
    if level is not None and (level < row.low or (row.high and level > row.high)):
        raise UserError(f"{row.name} needs a level of {row.low}{f' to {row.high}' if row.high else ' or more'}, not {level}")
    if row.pair:
        if variant.count("/") != 1 or any(part not in ENVIRONMENTS for part in variant.split("/")):
            raise UserError(f"{row.name} needs the environments of attacker and target: write for example `{row.name} land/air`")
    elif variant not in row.variants and (variant or (row.variants and not row.count)):
        known = ", ".join(row.variants) or "none"
        raise UserError(f"{row.name} {f'has no variant {variant!r}' if variant else 'needs a variant'}: {known}")


ENVIRONMENTS = ("underwater", "land", "air", "space")


@cached(1)
def _printed_of_systems() -> tuple[Mapping[str, CountRow], Mapping[str, CountRow]]:
    rules = BOOK.ruleset()
    return SYSTEM_PERKS(rules), SYSTEM_FLAWS(rules)


@cached(4096)
def _invalid_characteristic(text: str, flaw: bool) -> str:
    """Returns the fault of a known characteristic; unknown names are left to the audit."""
    rows = _printed_of_systems()[flaw]
    said = " ".join(text.lower().split())
    if not any(said == row or said.startswith(row + " ") for row in rows):
        return ""
    try:
        read(rows, text)
    except UserError as error:
        return str(error)
    return ""


def refuse_nonsense(perks: Sequence[str], flaws: Sequence[str]) -> None:
    """Refuse a characteristic without its level, or with an impossible one."""
    for texts, flaw in ((perks, False), (flaws, True)):
        for text in texts:
            if wrong := _invalid_characteristic(text, flaw):
                raise ValueError(wrong)
