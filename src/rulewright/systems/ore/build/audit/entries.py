"""Named entries of a file, as many as are looked at."""

from collections.abc import Mapping
from typing import Any

import msgspec

MOST_ENTRIES = 200
"""So many entries of a part are looked at; absurd files stay quick."""


def changed(mapping: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The same mapping with one entry changed."""
    return {name: value if name == key else msgspec.to_builtins(old) for name, old in mapping.items()}
