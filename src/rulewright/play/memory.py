"""What is worked out once and may be worked out anew: remembered up to so many answers."""

from typing import TypeVar

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
