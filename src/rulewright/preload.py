"""Making a game ready for several threads.

Python's import lock sees to modules. msgspec keeps what it learned of a type at the type's first use, and two threads that both come
first can see it half learned and crash the process. So whoever answers from several threads has it learn every type beforehand.
"""

import threading
from collections.abc import Iterator

import msgspec

from rulewright.system import System

_lock = threading.Lock()
_ready: set[str] = set()
_learned: set[type] = set()


def make_ready(system: System) -> None:
    """Load all of a game and let msgspec learn its types and ours, once. Call this before threads use the game."""
    if system.id in _ready:
        return
    with _lock:
        system.book.load()
        packages = ("rulewright", system.book.package)
        for kind in _structs(msgspec.Struct):
            if kind not in _learned and any(kind.__module__ == name or kind.__module__.startswith(f"{name}.") for name in packages):
                _learned.add(kind)
                _learn(kind)
        _ready.add(system.id)


def _structs(kind: type) -> Iterator[type]:
    types: list[type] = kind.__subclasses__()
    for below in types:
        yield below
        yield from _structs(below)


def _learn(kind: type) -> None:
    """What nothing can be converted to is refused here as anywhere else, and needs no learning."""
    try:
        msgspec.json.Decoder(kind)
    except (TypeError, NameError, ValueError):
        return
