"""The sentences of a scene as they were told: stored with each entry, so that the log reads the same in later versions.

A log line of a scene is otherwise told anew from its record, in the words of the present version.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from rulewright.play import Event, Rolled
from rulewright.scenes.encounter import Decided, Encounter, Logged
from rulewright.scenes.record import AnyEntry, Begun
from rulewright.table.log import entries as e

NOBODY = ""
"""A viewer who controls nobody."""


def sentence(line: Logged) -> str:
    """A line of a scene as one sentence, in the words of this version."""
    what = line.what
    if isinstance(what, Decided):
        return f"{what.who}, {what.question}{' ' if what.question.endswith('?') else ': '}{what.answer}"
    if isinstance(what, Rolled):
        return f"{what.roll.by or 'somebody'} rolls {what.roll.reading!s} for {what.roll.what or 'a test'}"
    return what.headline() if isinstance(what, Event) else ""


def played(number: int, encounter: Encounter[Any], fresh: Sequence[AnyEntry], auto: bool, typed: bool) -> list[e.Change]:
    """The newest entries of an encounter as changes for the log, with the sentences that they told."""
    first = len(encounter.entries) - len(fresh)
    by_entry = _by_entry(encounter, first)
    changes: list[e.Change] = []
    for place, entry in enumerate(fresh, first):
        assert not isinstance(entry, Begun)
        words, secret = _words(by_entry.get(place, []))
        changes.append(e.Played(number, entry, auto, typed, told=words, secret=secret))
    return changes


def beginning(change: e.SceneBegun, encounter: Encounter[Any]) -> e.SceneBegun:
    """The beginning of a scene with the sentences that it told."""
    words, secret = _words([line for line in encounter.log if line.entry == 0])
    return replace(change, told=words, secret=secret)


def _by_entry(encounter: Encounter[Any], first: int) -> dict[int, list[Logged]]:
    """The lines of the log from an entry on, by entry."""
    lines: dict[int, list[Logged]] = {}
    for line in reversed(encounter.log):
        if line.entry < first:
            break
        lines.setdefault(line.entry, []).insert(0, line)
    return lines


def _words(lines: list[Logged]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The sentences of an entry, and the places of those that not everybody may read. What even the gamemaster may not read is empty."""
    words = tuple("" if line.hidden_from(None) else sentence(line) for line in lines)
    secret = tuple(place for place, line in enumerate(lines) if line.known_to is not None or line.hidden_from(NOBODY))
    return words if any(words) else (), secret if any(words) else ()


def retold(words: tuple[str, ...], lines: list[Logged]) -> list[str]:
    """The sentences of replayed lines in the words of the time. Where this version tells more or fewer lines, its own words count."""
    if len(words) != len(lines):
        return [sentence(line) for line in lines]
    return [told or sentence(line) for told, line in zip(words, lines, strict=True)]


def readable(change: "e.Played | e.SceneBegun", everything: bool, hidden: frozenset[str]) -> list[str]:
    """The stored sentences of a line that no longer replays: all of them, or those that everybody may read and that name nobody hidden."""
    return [
        words
        for place, words in enumerate(change.told)
        if words and (everything or (place not in change.secret and not any(name in words for name in hidden)))
    ]
