"""What is worked out once and may be worked out anew: remembered up to so many answers."""

from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(dict[K, V]):
    """Answers by what was asked. Where there would be more than it holds, all are forgotten, so that no run grows without end."""

    __slots__ = ("most",)

    def __init__(self, most: int) -> None:
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self.most:
            self.clear()
        super().__setitem__(key, value)


class Latest:
    """The last answer to what is asked of two things, for whoever asks again at once of the very same two: what is frozen stays true."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last: tuple[Any, Any, Any] = (None, None, None)
        """The two, and the answer; taken and put as one, since others may ask meanwhile."""
