"""What a ForeSight campaign plays by; what it decides stands in data/settings.yaml."""

from rulewright.rules import Book

BOOK = Book("foresight", "rulewright.systems.foresight")
