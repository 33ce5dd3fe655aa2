"""Tables with one value per row, and single numbers of a book, as tables that house rules can change."""

from typing import Any, Generic, TypeVar

from msgspec import defstruct

from rulewright.errors import UserError
from rulewright.rules.ruleset import Ruleset, Table
from rulewright.rules.tables import TableRow

Value = TypeVar("Value")


class Column(Table[Any], Generic[Value]):
    """A table with one value per row, both named as in the data file: `SHIELDS = Column("id", "shield", rating=int)`."""

    def __init__(self, rule_id: str, key: str, by: Any = str, /, **value: type[Value]) -> None:
        ((self.value, made_of),) = value.items()
        fields = [(key, by), (self.value, made_of)]
        super().__init__(rule_id, defstruct(f"{self.value.title()}Row", fields, bases=(TableRow,), frozen=True))

    def of(self, rules: Ruleset, key: str) -> Value:
        """The value of one row; the error for an unknown key names the nearest one."""
        value: Value = getattr(self.get(rules, key), self.value)
        return value

    def every(self, rules: Ruleset) -> dict[str, Value]:
        """All values, by key."""
        return {key: getattr(row, self.value) for key, row in self(rules).items()}

    def numbered(self, rules: Ruleset) -> dict[int, Value]:
        """All values, by key as a number."""
        return {int(key): value for key, value in self.every(rules).items()}


class Figure(TableRow, frozen=True):
    """A single number of the book, by name."""

    name: str
    value: int


class Figures(Table[Figure]):
    """The numbers of one rule: `PARRY(rules)` are its rows, `PARRY.of(rules, "modifier")` is one of them."""

    def __init__(self, rule_id: str) -> None:
        super().__init__(rule_id, Figure)

    def of(self, rules: Ruleset, name: str, least: int | None = None) -> int:
        """One number; raises an error if house rules made it smaller than `least`."""
        value = self.get(rules, name).value
        if least is not None and value < least:
            raise UserError(f"house rules: {name!r} of {self.rule} is {value}, but must be at least {least}")
        return value
