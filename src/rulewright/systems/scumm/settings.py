"""What a S.C.U.M.M. campaign plays by; what it decides stands in data/settings.yaml."""

from rulewright.rules import Book

BOOK = Book("scumm", "rulewright.systems.scumm")
