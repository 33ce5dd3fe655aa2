"""Benchmarks, each against a named baseline in the same run; `python -m benchmarks` runs them."""

import re
from typing import Any

MODULES = ("dice", "play", "lab", "characters", "machines", "field", "table", "campaign", "browsers")


def what(row: dict[str, Any]) -> str:
    """The name of a row without the figures in it."""
    return re.split(r":| \(| batch of", row["name"])[0]
