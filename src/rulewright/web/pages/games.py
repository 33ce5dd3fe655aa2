"""The games and their ready-made characters, found by name only: no visitor's text becomes a path."""

import logging
import re
from functools import lru_cache
from typing import Any

from msgspec import Struct

from rulewright import files, library
from rulewright.build.sheet_parts import Sheet, Test
from rulewright.errors import UserError
from rulewright.play import Seeded, play
from rulewright.preload import make_ready
from rulewright.rules import RuleInfo, Ruleset, nearest
from rulewright.show import replies
from rulewright.system import NOTHING, System, find, names

log = logging.getLogger("rulewright.web")

NEW, OWN = "new", "own"
"""The folders of a visitor's new characters, and of those opened from a file."""
MAX_TEXT = 200
"""Maximum length of a name or notation."""
MAX_EXAMPLES = 4


class Missing(UserError):
    """There is no such page."""


class ReadyMade(Struct, frozen=True):
    """A ready-made character: its address, its title, and a line about it."""

    system: str
    folder: str
    name: str
    kind: str
    title: str
    subtitle: str
    thing: Any
    best: tuple[str, ...] = ()
    """What it is best at, or its most important values."""
    skills: tuple[str, ...] = ()
    """The names of the tests that it is best at."""
    rating: tuple[str, int | float] | None = None
    """The game's own rating of it, with the name of the rating."""

    @property
    def path(self) -> str:
        """The URL of its page."""
        return f"/games/{self.system}/{self.folder}/{self.name}"


@lru_cache(maxsize=1)
def _games() -> dict[str, System]:
    """The games by id, loaded once. A game that fails to load does not affect the others."""
    loaded = {}
    for name in names():
        try:
            game = find(name)
            make_ready(game)
            loaded[name] = game
        except Exception:
            log.exception("cannot load the game %s; it is left out", name)
    return loaded


def games() -> list[System]:
    """All games."""
    return list(_games().values())


def game(name: str) -> System:
    """A game by its id; raises Missing if there is none."""
    known = _games()
    if name not in known:
        raise Missing(f"there is no game {shorten(name)!r} here; the games are {', '.join(known)}")
    return known[name]


@lru_cache(maxsize=64)
def ready_made(system: str) -> dict[tuple[str, str], ReadyMade]:
    """The ready-made characters of a game, by folder and name. Unreadable files are left out; the game's own tests report them."""
    by_name = {}
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
        best, skills = _best(sheet)
        rating = owner.worth(rules, kept.thing)
        by_name[folder, name] = ReadyMade(system, folder, name, kept.kind, sheet.name, sheet.subtitle, kept.thing, best, skills, rating)
    return by_name


def _best(sheet: Sheet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two best skills of a sheet in words, and the names of the three best; of a machine, its values in the summary."""
    tests = [piece for section in sheet.sections if section.title == "Skills" for piece in section.pieces if isinstance(piece, Test)]
    tests = tests or [test for test in sheet.tests().values() if not sheet.bar]
    ranked = sorted(tests, key=lambda test: _strength(test.notation), reverse=True)[:3]
    if ranked:
        return tuple(f"{test.name} {test.notation}" for test in ranked[:2]), tuple(test.name for test in ranked)
    values = sheet.values()
    shown = [values[key] for key in reversed(sheet.bar[1:]) if key in values] or list(values.values())
    return tuple(f"{value.name} {_short(value.value)}" for value in shown[:2]), ()


def _short(value: int | float | str) -> str:
    """A value with at most three significant digits if it is a fraction."""
    return f"{value:,.3g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value


def _strength(notation: str) -> tuple[float, ...]:
    """The numbers of a notation, to compare tests of one game: dice and modifier, or score times ease."""
    numbers = [float(number) for number in re.findall(r"[-+]?\d+", notation)]
    return (numbers[0] * numbers[1],) if " x " in notation and len(numbers) > 1 else tuple(numbers)


def get_ready_made(system: str, folder: str, name: str) -> ReadyMade:
    """A ready-made character by folder and name."""
    known = ready_made(game(system).id)
    if (folder, name) not in known:
        near = nearest(name[:MAX_TEXT], [text for _, text in known])
        raise Missing(f"{system} has no ready-made character {shorten(name)!r}{near}")
    return known[folder, name]


def create_blank(system: str, kind: str, rules: Ruleset) -> ReadyMade:
    """A new, blank character of a kind."""
    owner = game(system)
    if kind not in owner.kinds:
        raise Missing(f"{system} has no kind of character {shorten(kind)!r}; it has {', '.join(owner.kinds)}")
    thing = owner.new(rules, kind, NOTHING if NOTHING in owner.archetypes(kind) else None)
    sheet = owner.sheet(rules, thing)
    return ReadyMade(system, NEW, kind, kind, sheet.name, sheet.subtitle, thing)


def find_ready_made(system: str, name: str) -> ReadyMade:
    """A ready-made character by its name alone, or by folder/name."""
    folder, slash, bare = name.rpartition("/")
    for (place, text), example in ready_made(game(system).id).items():
        if text == bare and (not slash or place == folder):
            return example
    return get_ready_made(system, folder, bare)


@lru_cache(maxsize=64)
def rulebook(system: str) -> dict[str, RuleInfo]:
    """All rules of a game by id, in the order of its book."""
    return {info.id: info for info in game(system).book.rules()}


def get_rule(system: str, rule_id: str) -> RuleInfo:
    """A rule by its id; raises Missing if there is none."""
    known = rulebook(game(system).id)
    if rule_id not in known:
        raise Missing(f"{system} has no rule {shorten(rule_id)!r}{nearest(rule_id[:MAX_TEXT], known)}")
    return known[rule_id]


@lru_cache(maxsize=64)
def examples(system: str) -> tuple[str, ...]:
    """Example tests of a game, from its description of the notation."""
    owner = game(system)
    rules = owner.book.ruleset()
    bare = re.sub(r"\([^)]*\)", "", owner.notation.removeprefix("write "))
    named = (part.strip(" .`") for part in re.split(r"[;:,`]|\bor\b", bare))
    tests = [text for text in dict.fromkeys(named) if text and _is_test(owner, rules, text)]
    return tuple(tests[:MAX_EXAMPLES])


def _is_test(owner: System, rules: Ruleset, text: str) -> bool:
    try:
        play(owner.test(rules, text).start(), dice=Seeded(1))
    except UserError:
        return False
    return True


def search_rules(system: str, words: str) -> list[RuleInfo]:
    """The rules that contain all these words."""
    return replies.searched(rulebook(system).values(), words[:MAX_TEXT], game(system).book)


def build_ruleset(system: System, preset: str | None = None, settings: list[str] | None = None) -> Ruleset:
    """The ruleset of a preset and of typed settings, `name=value`. House-rules files are not read here."""
    return library.ruleset(system, preset, parse_settings(settings or []))


def parse_settings(texts: list[str]) -> dict[str, str]:
    """Parse settings as people type them, `name=value`."""
    pairs = {}
    for text in texts:
        name, equals, value = text[:MAX_TEXT].partition("=")
        if not equals:
            raise UserError(f"write a setting as name=value, not {shorten(text)!r}")
        pairs[name.strip()] = value
    return pairs


def shorten(text: str, most: int = 60) -> str:
    """A text shortened for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"
