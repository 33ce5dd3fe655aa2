"""Preloads a game before several threads use it.

Python's import lock protects modules. msgspec caches information about a type at its first use, and two threads at once can see a half
built cache and crash the process. A server with threads therefore lets msgspec inspect every type in advance.
"""

import threading
from collections.abc import Iterator

import msgspec

from rulewright.system import System

_lock = threading.Lock()
_ready: set[str] = set()
_learned: set[type] = set()


def make_ready(system: System) -> None:
    """Import all of a game and let msgspec inspect its types and ours, once. Call this before threads use the game."""
    if system.id in _ready:
        return
    with _lock:
        system.book.load()
        packages = ("rulewright", system.book.package)
        for kind in _structs(msgspec.Struct):
            if kind not in _learned and any(kind.__module__ == name or kind.__module__.startswith(f"{name}.") for name in packages):
                _learned.add(kind)
                _inspect(kind)
        _ready.add(system.id)


def _structs(kind: type) -> Iterator[type]:
    types: list[type] = kind.__subclasses__()
    for below in types:
        yield below
        yield from _structs(below)


def _inspect(kind: type) -> None:
    """Let msgspec cache a type. Types that it cannot decode are skipped."""
    try:
        msgspec.json.Decoder(kind)
    except (TypeError, NameError, ValueError):
        return
