"""The rule book of Silhouette; the settings are in data/settings.yaml.

The preset of all options leaves out those that limit characters, replace other bookkeeping, or exist only in cinematic campaigns.
"""

from rulewright.rules import Book

BOOK = Book("silhouette", "rulewright.systems.silhouette")
