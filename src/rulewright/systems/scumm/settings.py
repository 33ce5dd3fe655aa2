"""Campaign settings of S.C.U.M.M., read from data/settings.yaml."""

from rulewright.rules import Book

BOOK = Book("scumm", "rulewright.systems.scumm")
