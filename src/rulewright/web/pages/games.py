"""The games and the ready-made things that ship with them, found by name only: nothing a visitor types becomes a path."""

import logging
import re
from functools import lru_cache
from typing import Any

from msgspec import Struct

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.play import Seeded, play
from rulewright.preload import make_ready
from rulewright.rules import RuleInfo, Ruleset, nearest
from rulewright.show import replies
from rulewright.system import NOTHING, System, find, names

log = logging.getLogger("rulewright.web")

NEW, OWN = "new", "own"
"""The folders of what a visitor builds from nothing, and of what they opened from a file."""
MOST_TEXT = 200
"""The longest name or notation that is read."""
MOST_EXAMPLES = 4


class Missing(UserError):
    """There is no such page."""


class Ready(Struct, frozen=True):
    """A ready-made thing: where it stands, what it is called, and a line about it."""

    system: str
    folder: str
    name: str
    kind: str
    title: str
    subtitle: str
    thing: Any

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/games/{self.system}/{self.folder}/{self.name}"


@lru_cache(maxsize=1)
def _games() -> dict[str, System]:
    """The games as they are when the first page is asked for. One that cannot be loaded must not take the others with it."""
    system_by_name = {}
    for name in names():
        try:
            game = find(name)
            make_ready(game)
            system_by_name[name] = game
        except Exception:
            log.exception("the game %s cannot be loaded and is left out", name)
    return system_by_name


def games() -> list[System]:
    """Every game that can be played here."""
    return list(_games().values())


def game(name: str) -> System:
    """A game by its id; a missing page where there is none."""
    known = _games()
    if name not in known:
        raise Missing(f"there is no game {short(name)!r} here; there are {', '.join(known)}")
    return known[name]


@lru_cache(maxsize=64)
def ready_made(system: str) -> dict[tuple[str, str], Ready]:
    """What can be shown as a sheet, by folder and name. A file that cannot be read is left out; the game's own tests say why."""
    ready_by_pair = {}
    owner = game(system)
    rules = owner.book.ruleset()
    for key, resource in owner.demos().items():
        folder, _, file = key.rpartition("/")
        name = file.removesuffix(".yaml")
        try:
            kept = library.opened(files.parse(resource.read_bytes(), key), key)
            if kept.kind not in owner.kinds:
                continue
            sheet = owner.sheet(rules, kept.thing)
        except UserError:
            continue
        ready_by_pair[folder, name] = Ready(system, folder, name, kept.kind, sheet.name, sheet.subtitle, kept.thing)
    return ready_by_pair


def ready(system: str, folder: str, name: str) -> Ready:
    """One ready-made thing."""
    known = ready_made(game(system).id)
    if (folder, name) not in known:
        near = nearest(name[:MOST_TEXT], [text for _, text in known])
        raise Missing(f"{system} has nothing ready-made called {short(name)!r}{near}")
    return known[folder, name]


def fresh(system: str, kind: str, rules: Ruleset) -> Ready:
    """A new thing of a kind, to be built."""
    owner = game(system)
    if kind not in owner.kinds:
        raise Missing(f"{system} has nothing to build called {short(kind)!r}; it has {', '.join(owner.kinds)}")
    thing = owner.new(rules, kind, NOTHING if NOTHING in owner.archetypes(kind) else None)
    sheet = owner.sheet(rules, thing)
    return Ready(system, NEW, kind, kind, sheet.name, sheet.subtitle, thing)


def ready_named(system: str, name: str) -> Ready:
    """One ready-made thing by its bare name, or by folder and name."""
    folder, slash, bare = name.rpartition("/")
    for (place, text), result in ready_made(game(system).id).items():
        if text == bare and (not slash or place == folder):
            return result
    return ready(system, folder, bare)


@lru_cache(maxsize=64)
def rulebook(system: str) -> dict[str, RuleInfo]:
    """Every rule of a game, by id, in the order of its book."""
    return {info.id: info for info in game(system).book.rules()}


def rule_of(system: str, rule_id: str) -> RuleInfo:
    """One rule; a missing page where there is none."""
    known = rulebook(game(system).id)
    if rule_id not in known:
        raise Missing(f"{system} has no rule {short(rule_id)!r}{nearest(rule_id[:MOST_TEXT], known)}")
    return known[rule_id]


@lru_cache(maxsize=64)
def examples(system: str) -> tuple[str, ...]:
    """Tests as this game writes them: what its own words on the notation name, as far as the game takes it for a test."""
    owner = game(system)
    rules = owner.book.ruleset()
    bare = re.sub(r"\([^)]*\)", "", owner.notation.removeprefix("write "))
    named = (part.strip(" .`") for part in re.split(r"[;:,`]|\bor\b", bare))
    result = [text for text in dict.fromkeys(named) if text and _is_test(owner, rules, text)]
    return tuple(result[:MOST_EXAMPLES])


def _is_test(owner: System, rules: Ruleset, text: str) -> bool:
    try:
        play(owner.test(rules, text).start(), dice=Seeded(1))
    except UserError:
        return False
    return True


def searched(system: str, words: str) -> list[RuleInfo]:
    """The rules in which all these words occur."""
    return replies.searched(rulebook(system).values(), words[:MOST_TEXT])


def played_by(system: System, preset: str | None = None, settings: list[str] | None = None) -> Ruleset:
    """The rules of a preset and of settings as people type them, `name=value`; no house-rules file is read from here."""
    return library.ruleset(system, preset, setting_pairs(settings or []))


def setting_pairs(texts: list[str]) -> dict[str, str]:
    """Settings as people type them, `name=value`, by name."""
    pairs = {}
    for text in texts:
        name, equals, value = text[:MOST_TEXT].partition("=")
        if not equals:
            raise UserError(f"a setting is written name=value, not {short(text)!r}")
        pairs[name.strip()] = value
    return pairs


def short(text: str, most: int = 60) -> str:
    """Text cut to what a message can hold."""
    return text if len(text) <= most else text[: most - 1] + "…"
