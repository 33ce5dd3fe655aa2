"""Single numbers of the book, by their names: rows like those of any table, so that house rules can change them."""

from rulewright.rules import Ruleset, Table, TableRow


class FigureRow(TableRow, frozen=True):
    """A number by its name."""

    name: str
    value: int


class Figures(Table[FigureRow]):
    """The numbers of one rule: `PARRY(rules, ...)` are its rows, `PARRY.of(rules, "modifier")` is one of them."""

    def __init__(self, rule_id: str) -> None:
        super().__init__(rule_id, FigureRow)

    def of(self, rules: Ruleset, name: str) -> int:
        """One of them."""
        return self.get(rules, name).value
