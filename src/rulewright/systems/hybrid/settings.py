"""Campaign settings of Hybrid, read from data/settings.yaml.

Chapters 9 to 12 are four drafts of character creation. Where they differ chapter 12 goes first, then 9, then 11, then 10; every
such choice is a setting, and the presets named after chapters choose that chapter's side wherever it takes one.
"""

from rulewright.rules import Book

PRECEDENCE = (12, 9, 11, 10)
"""Which chapter goes before which where they contradict each other (ruling)."""

BOOK = Book("hybrid", "rulewright.systems.hybrid")
