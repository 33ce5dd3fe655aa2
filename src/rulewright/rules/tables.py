"""Tables of a book: data files whose rows house rules can change."""

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.rules.reasons import Source

Row = TypeVar("Row", bound="TableRow")

row_types: dict[str, "type[TableRow]"] = {}
"""The type of a table's rows, by rule id, for tables declared in code."""


class TableRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of a table, with the source of its figures."""

    source: Source = "book"
    note: str = ""


class RawTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as in the data file."""

    rule: str
    key: str
    rows: list[dict[str, Any]]


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint such as `; did you mean "x"?`; empty if no known name is similar."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1)
    return f'; did you mean "{close[0]}"?' if close else ""


class Fewer(dict[str, Any]):
    """Rows of which house rules removed some; looking up a removed one raises an error that says so."""

    def __init__(self, rule_id: str, removed: Iterable[str]) -> None:
        super().__init__()
        self.rule_id = rule_id
        self.removed = frozenset(removed)

    def __reduce__(self) -> Any:
        return Fewer, (self.rule_id, self.removed), None, None, iter(self.items())

    def __missing__(self, key: str) -> Any:
        if key not in self.removed:
            raise KeyError(key)
        raise UserError(f"house rules: row {key!r} of {self.rule_id} is needed here; change it instead of removing it")
