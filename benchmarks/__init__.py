"""Measurements, each against a named peer or baseline in the same run; `python -m benchmarks` runs them."""

import re
from typing import Any

ROOMS = ("dice", "play", "lab", "characters", "machines", "field", "table", "browsers")


def what(row: dict[str, Any]) -> str:
    """What a row measures, whatever numbers its name tells."""
    return re.split(r":| \(| batch of", row["name"])[0]
