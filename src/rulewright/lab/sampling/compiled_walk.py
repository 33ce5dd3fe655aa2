"""The walk through transition tables, compiled by numba; the same results as `transition_tables`."""

from typing import Any

import numpy as np
from numba import njit

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@njit(cache=True, nogil=True, inline="always")
def _mixed(z: Any) -> Any:
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@njit(cache=True, nogil=True)
def walk(
    first: Any,
    counts: Any,
    keep: Any,
    other: Any,
    targets: Any,
    advance: Any,
    start: int,
    begins: int,
    limit: int,
    steps: int,
    seed: Any,
    fights: int,
) -> tuple[Any, Any]:
    """Walk this many fights; returns the target of each (a fate below 0, or a state) and its round."""
    ended = np.empty(fights, np.int32)
    ended_rounds = np.empty(fights, np.int32)
    for fight in range(fights):
        stream = _mixed(seed + np.uint64(fight + 1) * _GAMMA)
        at, rounds = np.int64(start), begins
        for _ in range(steps):
            stream += _GAMMA
            drawn = np.float64(_mixed(stream) >> _11) * 2.0**-53 * counts[at]
            column = np.int64(drawn)
            place = first[at] + column
            if drawn - column >= keep[place]:
                place = other[place]
            at = np.int64(targets[place])
            rounds += advance[place]
            if at < 0 or rounds > limit or counts[at] == 0:
                break
        ended[fight] = at
        ended_rounds[fight] = rounds
    return ended, ended_rounds
