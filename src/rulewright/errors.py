"""The exception for everything a user can correct."""

from collections.abc import Iterable
from typing import Any


class UserError(Exception):
    """Input that cannot be used. The message says what is wrong, where, and what would be right; it is shown without a traceback."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The messages of the independent errors that it reports; usually one."""
        return (str(self),)


class UserErrors(UserError):
    """Several independent errors, each on a line of its own."""

    def __init__(self, parts: Iterable[str]) -> None:
        self._parts = tuple(parts)
        super().__init__("\n".join(self._parts))

    @property
    def parts(self) -> tuple[str, ...]:
        return self._parts

    def __reduce__(self) -> tuple[Any, ...]:
        return UserErrors, (self._parts,)


def all_of(errors: Iterable[UserError]) -> UserError:
    """One error that reports several independent ones, each once."""
    parts = tuple(dict.fromkeys(part for error in errors for part in error.parts))
    return UserError(parts[0]) if len(parts) == 1 else UserErrors(parts)


def __getattr__(name: str) -> Any:
    if name == "Wrong":  # its name up to 0.9.5
        import warnings

        warnings.warn("rulewright.errors.Wrong is now rulewright.errors.UserError", DeprecationWarning, stacklevel=2)
        return UserError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
