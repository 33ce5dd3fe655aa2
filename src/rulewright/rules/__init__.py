"""The rules of a game: the registry, settings, tables, rulesets, and the reasons behind numbers."""

from rulewright.rules.figures import Column, Figure, Figures
from rulewright.rules.registry import RuleIsOff, instead_of, rule
from rulewright.rules.ruleset import Book, House, IndexEntry, RuleInfo, Ruleset, Table
from rulewright.rules.settings import Setting, SettingValue
from rulewright.rules.tables import RawTable, TableRow, nearest, row_types

__all__ = [
    "Book",
    "Column",
    "Figure",
    "Figures",
    "House",
    "IndexEntry",
    "RawTable",
    "RuleInfo",
    "RuleIsOff",
    "Ruleset",
    "Setting",
    "SettingValue",
    "Table",
    "TableRow",
    "instead_of",
    "nearest",
    "row_types",
    "rule",
]
