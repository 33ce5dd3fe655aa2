"""Campaign settings of ForeSight, read from data/settings.yaml."""

from rulewright.rules import Book

BOOK = Book("foresight", "rulewright.systems.foresight")
