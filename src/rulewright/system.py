"""What a game must offer to be played here, and how games are found.

A game is a package with a `SYSTEM`. The five of the house lie in `rulewright.systems`; any other installed package can add one
through the entry point group `rulewright.systems`, and the command line, the lab and the web work on it at once.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from msgspec import Struct, convert

from rulewright.build.audit import Audit
from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.play import Play, Played, Rolled, Sub, Tactic
from rulewright.rules import Book, Ruleset, nearest
from rulewright.rules.reasons import Reason
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scenarios import MapFile, Placed, Scenario
from rulewright.scenes.scene import Scene

GROUP = "rulewright.systems"
ALL_ROUNDER = "all-rounder"
NOTHING = "nothing"
HOUSE = ("silhouette", "scumm", "hybrid", "ore", "foresight")


class Shown(Struct, frozen=True):
    """What came of a test, for any page: a sentence, a short word for an axis, plain fields, and whether it succeeded."""

    label: str
    short: str
    value: dict[str, Any]
    verdict: Literal["success", "draw", "failure"] | None = None
    fields: dict[str, Any] = {}
    order: float = 0
    """Where the outcome stands on an axis."""


class Staging(Struct, frozen=True):
    """A kind of scene that a game offers: its rounds, how a scenario begins in it, and named ways to answer its questions."""

    scene: Callable[[Ruleset], Scene[Any]]
    begin: Callable[[Ruleset, Scenario, Iterable[Placed]], Any]
    tactics: Mapping[str, Tactic] = {}
    """The first is what anybody does who was given none."""


class Duel(Struct, frozen=True):
    """Two things of a game set against each other: the scene, how it begins, who decides, and the side of each."""

    scene: Scene[Any]
    state: Any
    decide: Tactic
    sides: tuple[str, str]
    rounds: int


class Crossing(Struct, frozen=True):
    """What came out on the other side of a bridge between games, what was lost on the way, and what was guessed."""

    result: Any
    lost: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


class Built(Struct, frozen=True):
    """Where a kind of file is begun, audited and drawn: `module:function` below the game's package, imported when it is asked for."""

    beginning: str = "build.archetypes:all_rounder"
    audit: str = "build.audit:audit"
    sheet: str = "build.sheet:sheet"


class Step(Struct, frozen=True):
    """One step of making something by the book: what it is called, what is done in it, where that stands on the sheet (a section; none for
    name and notes), what it spends (a budget), and the rule."""

    name: str
    words: str
    section: str = ""
    budget: str = ""
    rule: str = ""


class Fought(Struct, frozen=True):
    """Where a game's fights stand, in the same way: their scene, how one begins, and the tactics, of which the first is the usual one."""

    scene: str = "fight.scene:FightScene"
    begin: str = "fight.scene:begin"
    tactics: str = "fight.tactics:TACTICS"


class Quality(Struct, frozen=True):
    """How good opponents are who are asked for by their number: a word, how they are made, and the ready-made file where they are that."""

    name: str
    how: str
    ready: str = ""


class System:
    """A game. Subclasses fill in what they have; everything outside speaks to games through this only."""

    id: str
    name: str
    about: str
    notation: str
    """How tests are written on paper, with examples."""
    book: Book
    kinds: Mapping[str, type[Any]]
    """The files people keep for this game: kind and saved type."""
    verbs: Mapping[str, str] = {}
    """What the keys of its options begin with, and which of `arranging.VERBS` that is, where plain words do not say it."""
    glossary: Mapping[str, str] = {}
    """Abbreviations and terms that people meet on cards and in questions, each explained in a few words."""
    qualities: tuple[Quality, ...] = ()
    """How good opponents can be who are asked for by number, the least first."""
    named_like: Mapping[str, str] = {}
    """Fields of kept files in which the same names stand as in another: by the end of each path, with * for a name (`special.*`)."""
    together: tuple[str, ...] = ()
    """The kinds of files of which several are one group that stands in one place."""
    healing: tuple[str, ...] = ()
    """The rules by which wounds heal and strength comes back over time, for whoever looks for them after a scene."""

    steps: Mapping[str, tuple[Step, ...]] = {}
    """The book's steps for whoever begins from nothing, by kind of file."""
    built: Mapping[str, Built] = {}
    """Where each kind of file is built; a game may also write `all_rounder`, `audit` and `sheet` itself."""
    fought: Fought | None = None
    """Where its fights stand; a game may also write `scene`, `begin` and `tactics` itself."""

    def _found(self, place: str) -> Any:
        """What stands at `module:name` below the game's package."""
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.book.package}.{module}"), name)

    def _built(self, thing: Any) -> Built | None:
        """Where things of this type are built."""
        kind = next((kind for kind, saved in self.kinds.items() if isinstance(thing, saved)), "")
        return self.built.get(kind)

    @property
    def tactics(self) -> Mapping[str, Tactic]:
        """Named ways to decide; the first is what anybody does who was given none."""
        named: Mapping[str, Tactic] = self._found(self.fought.tactics) if self.fought is not None else {}
        return named

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        """The test that this notation stands for."""
        raise NotImplementedError

    def compose(self, notation: str, modifier: int, against: str) -> str:
        """A test of a sheet as it is rolled: its notation, the sum of the modifiers that are on, and what it is held against.

        What comes of it is read by `test`. Unless a game writes it otherwise it is `3d+1 vs 5`, without a modifier of 0, and
        without what it is held against where that is empty.
        """
        return f"{notation}{f'{modifier:+d}' if modifier else ''}{f' vs {against}' if against else ''}"

    def show(self, outcome: Any) -> Shown:
        """An outcome of a test, for people."""
        raise NotImplementedError

    def remark(self, rules: Ruleset, notation: str) -> str:
        """What somebody should know who wrote a test so, such as dice that are not rolled; nothing unless a game says more."""
        return ""

    def beside(self, played: Played[Any]) -> Mapping[str, Any]:
        """What else a program may want to know of a test that was rolled, by name; nothing unless a game says more."""
        return {}

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """The terms that made the result of a roll, each with its rule; the dice by themselves unless a game says more."""
        reading = rolled.roll.reading
        return tuple(Reason(label, value) for label, value in reading.explain(rolled.faces))

    def all_rounder(self, rules: Ruleset, kind: str) -> Any:
        """The plainest beginning of a kind, legal under any rules of the game."""
        if kind in self.built:
            return self._found(self.built[kind].beginning)(rules)
        raise UserError(f"{self.name} cannot make a new {kind} here yet")

    def nothing(self, kind: str) -> Any:
        """An empty thing of a kind: a name, and everything else as the file has it where nothing is written. It need not be legal."""
        return convert({"system": self.id, "kind": kind, "name": "Nameless"}, self.kinds[kind])

    def archetypes(self, kind: str) -> Mapping[str, str]:
        """The beginnings of a kind, by what to ask for, with a line about each: the plain one, and those that ship as files."""
        if kind not in self.kinds or (kind not in self.built and type(self).all_rounder is System.all_rounder):
            return {}
        return {ALL_ROUNDER: "a plain beginning: a little of everything", NOTHING: "an empty sheet: everything is still to be chosen"} | {
            name: _ready_made(self, kind, name).concept for name in self._shipped(kind)
        }

    def new(self, rules: Ruleset, kind: str, archetype: str | None = None) -> Any:
        """A legal beginning of a kind."""
        if kind not in self.kinds:
            raise UserError(f"{self.name} has no beginnings of kind {kind!r}; it has {', '.join(self.kinds)}")
        if archetype is None or archetype == ALL_ROUNDER:
            return self.all_rounder(rules, kind)
        if archetype == NOTHING:
            return self.nothing(kind)
        shipped = self._shipped(kind)
        if archetype not in shipped:
            known = [ALL_ROUNDER, NOTHING, *shipped]
            raise UserError(f"there is no ready-made {kind} {archetype!r}{nearest(archetype, known)}; there are {', '.join(known)}")
        return _ready_made(self, kind, archetype)

    def _shipped(self, kind: str) -> dict[str, Any]:
        """The files of a kind that ship with the game, by what to ask for."""
        folder = f"{kind}s/"
        return {path[len(folder) :].removesuffix(".yaml"): file for path, file in self.demos().items() if path.startswith(folder)}

    drafted: tuple[str, ...] = ()
    """What can be said beforehand about people whom dice make up, by name; none where the game makes up nobody."""

    def draft(self, rules: Ruleset, said: Mapping[str, str]) -> Play[Any]:
        """A legal character made up by dice, all but what is said beforehand."""
        raise UserError(f"{self.name} cannot make people up here yet")

    draft_together: Mapping[str, tuple[str, ...]] = {}
    """Parts of people made up by dice with which others are rolled anew, since these depend on them."""

    def draft_choices(self, rules: Ruleset) -> Mapping[str, tuple[str, ...]]:
        """The parts of people made up by dice that take one of a few words, with these."""
        return {}

    def draft_parts(self, rules: Ruleset, said: Mapping[str, str]) -> Play[Mapping[str, str]]:
        """All that dice decide about somebody, by name, as far as it is not said; with all of it said `draft` makes this person."""
        raise UserError(f"{self.name} cannot make people up part by part here yet")

    def in_short(self, rules: Ruleset, thing: Any) -> str:
        """Somebody in a few lines, for a page of many."""
        return f"{thing.name}{f' ({thing.concept})' if getattr(thing, 'concept', '') else ''}"

    duelled: Mapping[str, str] = {}
    """What may be said about a duel of two things, by name, with what it means; empty where the game cannot set things against each
    other."""

    def duel(self, rules: Ruleset, item: Any, other: Any, said: Mapping[str, str]) -> Duel:
        """Two things set against each other, under the circumstances that are said."""
        raise UserError(f"{self.name} cannot set two things against each other here yet")

    def worth(self, rules: Ruleset, thing: Any) -> tuple[str, int | float] | None:
        """What the game says a thing is worth in a fight, and what it calls that; None where it says nothing."""
        return None

    bridges: tuple[str, ...] = ()
    """Other games that a book says how to come from and go to, by name."""

    def cross(self, rules: Ruleset, thing: Any, to: str, said: Mapping[str, str]) -> Crossing:
        """A character or other thing of this game in the terms of another."""
        raise UserError(f"{self.name} has no bridge to {to!r}")

    def cross_back(self, rules: Ruleset, data: Any, other: str) -> Crossing:
        """Somebody of another game, as plain data, as a character of this one."""
        raise UserError(f"{self.name} has no bridge from {other!r}")

    def audit(self, rules: Ruleset, thing: Any) -> Audit:
        """Is it legal?"""
        if (built := self._built(thing)) is not None:
            result: Audit = self._found(built.audit)(rules, thing)
            return result
        raise UserError(f"{self.name} cannot audit characters here yet")

    def sheet(self, rules: Ruleset, thing: Any) -> Sheet:
        """Everything there is to see of it."""
        if (built := self._built(thing)) is not None:
            drawn: Sheet = self._found(built.sheet)(rules, thing)
            return drawn
        raise UserError(f"{self.name} cannot draw sheets here yet")

    def scene(self, rules: Ruleset) -> Scene[Any]:
        """The game's rounds."""
        if self.fought is not None:
            fight: Scene[Any] = self._found(self.fought.scene)(rules)
            return fight
        raise UserError(f"{self.name} cannot run fights here yet")

    def begin(self, rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Any:
        """The state in which a scenario begins."""
        if self.fought is not None:
            return self._found(self.fought.begin)(rules, scenario, members)
        raise UserError(f"{self.name} cannot run fights here yet")

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """The kinds of scenes that a scenario can name. A game that has more than fights adds them here, by the scene's own `kind`."""
        return {} if self.fought is None and type(self).scene is System.scene else {FIGHT: Staging(self.scene, self.begin, self.tactics)}

    def staging(self, kind: str) -> Staging:
        """A kind of scene by its name."""
        if kind not in self.scenes:
            known = f"; it has {', '.join(self.scenes)}" if self.scenes else ""
            raise UserError(f"{self.name} has no scene {kind!r}{nearest(kind, self.scenes) or known}")
        return self.scenes[kind]

    @property
    def fights(self) -> bool:
        """Whether the game has a scene in rounds."""
        return bool(self.scenes)

    def of_quality(self, rules: Ruleset, quality: str) -> Any:
        """A nameless opponent of a quality, made by the game's own rules."""
        raise UserError(f"{self.name} makes nobody of the quality {quality!r}")

    def file_kinds(self) -> dict[str, type[Any]]:
        """All kinds of files, those that every game has among them."""
        return {**self.kinds, "scenario": Scenario, "map": MapFile}

    def demos(self) -> dict[str, Any]:
        """The ready-made files that ship with the game, by name (characters/ana.yaml); each can be read."""
        from importlib import resources

        traversable_by_name = {}
        folder = resources.files(self.book.package).joinpath("demos")
        if folder.is_dir():
            for kind in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if kind.is_dir():
                    for file in sorted(kind.iterdir(), key=lambda entry: entry.name):
                        if file.name.endswith(".yaml"):
                            traversable_by_name[f"{kind.name}/{file.name}"] = file
        return traversable_by_name


@cache
def _ready_made(system: System, kind: str, name: str) -> Any:
    from rulewright.files import read_data

    return convert(read_data(system._shipped(kind)[name]), system.kinds[kind])


@cache
def _installed() -> dict[str, Callable[[], System]]:
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=GROUP)}


def _is_here(name: str) -> bool:
    """Whether a game of the house is there; a folder without an `__init__` is none yet."""
    spec = find_spec(f"rulewright.systems.{name}")
    return spec is not None and spec.origin is not None


def names() -> list[str]:
    """The ids of all games that can be played here."""
    own = [name for name in HOUSE if _is_here(name)]
    return own + sorted(set(_installed()) - set(own))


def find(name: str) -> System:
    """Find a game by its id.

    >>> find("scumm").name
    'S.C.U.M.M.'
    """
    if name in HOUSE and _is_here(name):
        system = import_module(f"rulewright.systems.{name}").SYSTEM
    else:
        installed = _installed()
        if name not in installed:
            known = f"; there are {', '.join(names())}"
            raise UserError(f"there is no game {name!r} here{nearest(name, names()) or known}")
        system = installed[name]()
    assert isinstance(system, System)
    return system
