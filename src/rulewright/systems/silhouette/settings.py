"""What a Silhouette campaign plays by; what it decides stands in data/settings.yaml.

The preset of all options leaves out those that narrow what characters there are or replace another bookkeeping, and those that only
a cinematic campaign knows.
"""

from rulewright.rules import Book

BOOK = Book("silhouette", "rulewright.systems.silhouette")
