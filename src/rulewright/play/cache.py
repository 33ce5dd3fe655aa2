"""Bounded caches, all in one registry.

A cached function gets everything that its answer depends on as its arguments, and nothing else. So a new field of a state is in the key by
itself, and no answer depends on what was asked before. Never look a result up by some fields of an object and then compute it from the
whole object. If the whole object has fields that cannot matter, pass a copy with these fields reset to their defaults (`interned`).
"""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

K = TypeVar("K")
V = TypeVar("V")
P = ParamSpec("P")
R = TypeVar("R")
H = TypeVar("H", bound=Hashable)


class Cache(NamedTuple):
    """A registered cache: its name, its bound, what holds its entries, how many it has, and how to clear them."""

    name: str
    most: int
    holder: Any
    size: Callable[[], int]
    clear: Callable[[], None]


CACHES: list[Cache] = []
"""Every cache of functions and modules. Caches that belong to an object end with it and are not in here."""


def clear_caches() -> None:
    """Empties every registered cache. Whatever is asked next gets the same answer, only later."""
    for cache in CACHES:
        cache.clear()


def cached(most: int, *, typed: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Caches the latest results of a function that reads only its arguments and whose results nobody changes.

    `typed` keeps arguments apart that are equal but of different types (1 and 1.0).
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        kept = lru_cache(maxsize=most, typed=typed)(function)
        name = f"{function.__module__}.{function.__qualname__}"
        CACHES.append(Cache(name, most, kept, lambda: kept.cache_info().currsize, kept.cache_clear))
        return kept  # type: ignore[return-value]  # it is called like the function

    return decorate


def interned(most: int) -> Callable[[Callable[P, H]], Callable[P, H]]:
    """Caches a function whose results are keys of other caches. Equal results are the same object, which those caches find at once."""

    def decorate(function: Callable[P, H]) -> Callable[P, H]:
        same: Memory[H, H] = Memory(4 * most, f"{function.__module__}.{function.__qualname__}, results")

        @wraps(function)
        def intern(*arguments: P.args, **named: P.kwargs) -> H:
            result = function(*arguments, **named)
            known = same.get(result)
            if known is None:
                known = same[result] = result
            return known

        return cached(most)(intern)

    return decorate


class Memory(dict[K, V]):
    """A dictionary that is cleared when it would exceed `most` entries, so that no run grows without end. With a name it is registered."""

    __slots__ = ("most",)

    def __init__(self, most: int, name: str = "") -> None:
        self.most = most
        if name:
            CACHES.append(Cache(name, most, self, self.__len__, self.clear))

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self.most:
            self.clear()
        super().__setitem__(key, value)


class Latest:
    """The last result for a pair of objects, for repeated calls with the same two. They are compared by identity and must be immutable;
    as they are held here, no other object can take their place."""

    __slots__ = ("last",)

    def __init__(self, name: str) -> None:
        self.clear()
        CACHES.append(Cache(name, 1, self, lambda: int(self.last[0] is not None), self.clear))

    def clear(self) -> None:
        """Forgets the last result."""
        self.last: tuple[Any, Any, Any] = (None, None, None)
        """The two objects and the result, read and written at once because of threads."""
