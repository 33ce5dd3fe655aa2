"""Single numbers of a book, by their names: rows like those of any table, so that house rules can change them."""

from rulewright.errors import Wrong
from rulewright.rules.ruleset import Ruleset, Table
from rulewright.rules.tables import TableRow


class Figure(TableRow, frozen=True):
    """A single number of the book, by its name."""

    name: str
    value: int


class Figures(Table[Figure]):
    """The numbers of one rule: `PARRY(rules)` are its rows, `PARRY.of(rules, "modifier")` is one of them."""

    def __init__(self, rule_id: str) -> None:
        super().__init__(rule_id, Figure)

    def of(self, rules: Ruleset, name: str, least: int | None = None) -> int:
        """One of them; refuses what house rules made of it where it is less than what can be reckoned with."""
        value = self.get(rules, name).value
        if least is not None and value < least:
            raise Wrong(f"house rules: {name!r} of {self.rule} cannot be less than {least}: {value}")
        return value
