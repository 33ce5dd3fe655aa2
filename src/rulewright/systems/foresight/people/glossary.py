"""The game's terms (book lines 327-379)."""

from rulewright.rules import Ruleset, Table, TableRow, rule


class TermRow(TableRow, frozen=True):
    """A term, the formula behind it, and what it means."""

    term: str
    formula: str
    meaning: str


TERMS = Table("fs-glossary", TermRow)


@rule("fs-glossary")
def meaning(rules: Ruleset, term: str = "QR1") -> TermRow:
    """The meaning of a term."""
    return TERMS.get(rules, term)
