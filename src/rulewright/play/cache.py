"""Bounded caches."""

from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(dict[K, V]):
    """A dictionary that is cleared when it would exceed `most` entries, so that no run grows without end."""

    __slots__ = ("most",)

    def __init__(self, most: int) -> None:
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self.most:
            self.clear()
        super().__setitem__(key, value)


class Latest:
    """The last result for a pair of objects, for repeated calls with the same two. The objects must be immutable."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last: tuple[Any, Any, Any] = (None, None, None)
        """The two objects and the result, read and written at once because of threads."""
