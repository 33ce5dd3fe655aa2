"""Named entries of a file, limited in number."""

from collections.abc import Mapping
from typing import Any

import msgspec

MOST_ENTRIES = 200
"""The most entries that are checked, so that absurd files stay fast."""


def changed(mapping: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The same mapping with one entry changed."""
    return {name: value if name == key else msgspec.to_builtins(old) for name, old in mapping.items()}
