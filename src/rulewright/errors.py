"""The exception for everything a user can correct."""

from typing import Any


class UserError(Exception):
    """Input that cannot be used. The message says what is wrong, where, and what would be right; it is shown without a traceback."""


def __getattr__(name: str) -> Any:
    if name == "Wrong":  # its name up to 0.9.5
        import warnings

        warnings.warn("rulewright.errors.Wrong is now rulewright.errors.UserError", DeprecationWarning, stacklevel=2)
        return UserError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
