"""The interface of a game, and how games are found.

A game is a package with a `SYSTEM`. Five games are in `rulewright.systems`. Any other installed package can add one through the entry
point group `rulewright.systems`; the command line, the lab and the web then work with it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from msgspec import Struct, convert

from rulewright.adventure.format import ADVENTURE, Adventure
from rulewright.build.audit import Audit
from rulewright.build.experience import Standing
from rulewright.build.portrait import Portrayal
from rulewright.build.sheet_parts import Sheet
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.downtime_scene import DOWNTIME, DowntimeScene
from rulewright.campaign.generators import Generator
from rulewright.campaign.requests.rules import PLAIN, RequestRules
from rulewright.campaign.roll_request import Boost, Difficulty
from rulewright.campaign.roll_scene import ROLL_REQUEST, RollScene
from rulewright.errors import UserError
from rulewright.grammar import a
from rulewright.play import Play, Played, Rolled, Sub, Tactic, first_option
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
    """The outcome of a test for display: a label, a short label for an axis, plain fields, and the verdict."""

    label: str
    short: str
    value: dict[str, Any]
    verdict: Literal["success", "draw", "failure"] | None = None
    fields: dict[str, Any] = {}
    order: float = 0
    """The position of the outcome on an axis."""


class Staging(Struct, frozen=True):
    """A kind of scene of a game: its rounds, how a scenario starts, and its tactics."""

    scene: Callable[[Ruleset], Scene[Any]]
    begin: Callable[[Ruleset, Scenario, Iterable[Placed]], Any]
    tactics: Mapping[str, Tactic] = {}
    """The first one is the default."""


class Duel(Struct, frozen=True):
    """A fight between two designs: the scene, its start state, the tactic, and the side of each."""

    scene: Scene[Any]
    state: Any
    decide: Tactic
    sides: tuple[str, str]
    rounds: int


class Crossing(Struct, frozen=True):
    """A character converted to another game, with what was lost and what was guessed."""

    result: Any
    lost: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


class Built(Struct, frozen=True):
    """The functions that create, audit and draw a kind of file: `module:function` below the game's package, imported on use."""

    beginning: str = "build.archetypes:all_rounder"
    audit: str = "build.audit:audit"
    sheet: str = "build.sheet:sheet"


class Step(Struct, frozen=True):
    """One step of character creation: its name, its text, its section of the sheet (none for name and notes), its budget, and its rule.

    A section is found by the beginning of its title; `also` names further ones.
    """

    name: str
    words: str
    section: str = ""
    budget: str = ""
    rule: str = ""
    also: tuple[str, ...] = ()


class Fought(Struct, frozen=True):
    """The scene, start function and tactics of a game's fights, as `module:name`. The first tactic is the default."""

    scene: str = "fight.scene:FightScene"
    begin: str = "fight.scene:begin"
    tactics: str = "fight.tactics:TACTICS"


class Profile(Struct, frozen=True):
    """A game at a glance, for somebody who chooses one: its feeling, its dice, the minutes of a fight, and its depth from 1 to 5."""

    feel: str = ""
    dice: str = ""
    minutes: tuple[int, int] = (0, 0)
    depth: int = 0


class Quality(Struct, frozen=True):
    """A quality of numbered opponents: its name, how they are made, and their ready-made file, if any."""

    name: str
    how: str
    ready: str = ""


class System:
    """A game. Subclasses override what the game has. All other packages use games through this class only."""

    id: str
    name: str
    about: str
    profile: Profile = Profile()
    """The game at a glance, for the front page."""
    notation: str
    """The notation of tests, with examples."""
    book: Book
    kinds: Mapping[str, type[Any]]
    """The kinds of files of this game, with the type of each."""
    verbs: Mapping[str, str] = {}
    """Prefixes of option keys with their action, one of `play.option_groups.VERBS`, for keys that do not start with the action."""
    glossary: Mapping[str, str] = {}
    """Abbreviations and terms on cards and in questions, each with a short explanation."""
    qualities: tuple[Quality, ...] = ()
    """The qualities of numbered opponents, the weakest first."""
    named_like: Mapping[str, str] = {}
    """Fields of files that contain names of another field: by the end of each path, with * for a name (`special.*`)."""
    together: tuple[str, ...] = ()
    """The kinds of files of which several form one group in one position."""
    healing: tuple[str, ...] = ()
    """The rules of healing and recovery, linked after a scene."""

    usual_target: str = ""
    """The target that a sheet assumes when it shows the chance of a test, as `compose` takes it; empty if tests have none."""
    steps: Mapping[str, tuple[Step, ...]] = {}
    """The book's steps of creation, by kind of file."""
    raised_by: Mapping[str, tuple[str, Mapping[str, str]]] = {}
    """How experience raises a number of the sheet: by the first part of its field, the log entry's kind and its fixed fields."""
    standing_of: str = "people.advancement:standing"
    """The function that replays a log of experience, as `module:name`."""
    built: Mapping[str, Built] = {}
    """The functions that build each kind of file; a game may override `all_rounder`, `audit` and `sheet` instead."""
    fought: Fought | None = None
    """Its fights; a game may override `scene`, `begin` and `tactics` instead."""

    def _found(self, place: str) -> Any:
        """Import `module:name` below the game's package."""
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.book.package}.{module}"), name)

    def _built(self, thing: Any) -> Built | None:
        """The builder of a character or other thing, by its type."""
        kind = next((kind for kind, saved in self.kinds.items() if isinstance(thing, saved)), "")
        return self.built.get(kind)

    @property
    def tactics(self) -> Mapping[str, Tactic]:
        """The tactics by name; the first is the default."""
        named: Mapping[str, Tactic] = self._found(self.fought.tactics) if self.fought is not None else {}
        return named

    def test(self, rules: Ruleset, notation: str) -> Sub[Any]:
        """Parse the notation of a test."""
        raise NotImplementedError

    def compose(self, notation: str, modifier: int, against: str) -> str:
        """The notation of a test of a sheet with its modifier and threshold, which `test` can parse.

        By default it is `3d+1 vs 5`. A modifier of 0 and an empty threshold are left out.
        """
        return f"{notation}{f'{modifier:+d}' if modifier else ''}{f' vs {against}' if against else ''}"

    def show(self, outcome: Any) -> Shown:
        """Describe the outcome of a test."""
        raise NotImplementedError

    def boost(self, rules: Ruleset, thing: Any) -> Boost | None:
        """Returns what a character may spend to improve a roll that is requested, such as Emergency Dice; None if nothing."""
        return None

    def boosted(self, rules: Ruleset, notation: str, number: int) -> str:
        """The notation of a test with this many boosts."""
        raise UserError(f"{self.name} has nothing to spend on a test")

    def difficulties(self, rules: Ruleset) -> tuple[Difficulty, ...]:
        """The book's named targets of tests, easiest first. Empty if it has none."""
        return ()

    @property
    def requests(self) -> RequestRules:
        """What the game adds to roll requests: taking the time, group tests, extended tasks, retries."""
        return PLAIN

    @property
    def downtime(self) -> DowntimeRules[Any] | None:
        """How bodies change while time passes between scenes; None if they do not."""
        return None

    @property
    def generators(self) -> tuple[Generator, ...]:
        """The gamemaster's tables that make notes: people, plots, encounters."""
        return ()

    def remark(self, rules: Ruleset, notation: str) -> str:
        """A remark on a notation, such as dice that are not rolled. Empty by default."""
        return ""

    def beside(self, played: Played[Any]) -> Mapping[str, Any]:
        """Additional JSON fields of a rolled test. Empty by default."""
        return {}

    def explain(self, rolled: Rolled) -> tuple[Reason, ...]:
        """The terms of a roll's result, each with its rule. By default the dice."""
        reading = rolled.roll.reading
        return tuple(Reason(label, value) for label, value in reading.explain(rolled.faces))

    def all_rounder(self, rules: Ruleset, kind: str) -> Any:
        """A plain start for a kind of file, legal under all settings of the game."""
        if kind in self.built:
            return self._found(self.built[kind].beginning)(rules)
        raise UserError(f"{self.name} cannot create {a(kind)}")

    def nothing(self, kind: str) -> Any:
        """An empty file of a kind, with a name and the default of every other field. It may be illegal."""
        return convert({"system": self.id, "kind": kind, "name": "Nameless"}, self.kinds[kind])

    def archetypes(self, kind: str) -> Mapping[str, str]:
        """The archetypes of a kind by name, with a line about each: the plain one, the empty one, and the ready-made files."""
        if kind not in self.kinds or (kind not in self.built and type(self).all_rounder is System.all_rounder):
            return {}
        return {ALL_ROUNDER: "a plain beginning: a little of everything", NOTHING: "an empty sheet: everything is still to be chosen"} | {
            name: _ready_made(self, kind, name).concept for name in self._shipped(kind)
        }

    def new(self, rules: Ruleset, kind: str, archetype: str | None = None) -> Any:
        """Create a file of a kind from an archetype, by default the plain one."""
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
        """The ready-made files of a kind, by name."""
        folder = f"{kind}s/"
        return {path[len(folder) :].removesuffix(".yaml"): file for path, file in self.demos().items() if path.startswith(folder)}

    drafted: tuple[str, ...] = ()
    """The parts of a random character that can be set in advance; empty if the game has no random characters."""

    def draft(self, rules: Ruleset, said: Mapping[str, str]) -> Play[Any]:
        """Roll a legal random character; `said` sets parts in advance."""
        raise UserError(f"{self.name} has no random characters")

    draft_together: Mapping[str, tuple[str, ...]] = {}
    """Parts of a random character, with the parts that depend on them and are rerolled together."""

    def draft_choices(self, rules: Ruleset) -> Mapping[str, tuple[str, ...]]:
        """The parts of a random character with a fixed list of values, with these values."""
        return {}

    def draft_parts(self, rules: Ruleset, said: Mapping[str, str]) -> Play[Mapping[str, str]]:
        """Roll the parts of a random character that `said` does not set. With all parts, `draft` makes the same character again."""
        raise UserError(f"{self.name} cannot roll single parts of a random character")

    def in_short(self, rules: Ruleset, thing: Any) -> str:
        """A short stat block."""
        return f"{thing.name}{f' ({thing.concept})' if getattr(thing, 'concept', '') else ''}"

    duelled: Mapping[str, str] = {}
    """The circumstances of a duel by name, each with its meaning; empty if the game has no duels of designs."""

    def duel(self, rules: Ruleset, item: Any, other: Any, said: Mapping[str, str]) -> Duel:
        """Set up a fight between two designs under the given circumstances."""
        raise UserError(f"{self.name} has no duels of designs")

    def worth(self, rules: Ruleset, thing: Any) -> tuple[str, int | float] | None:
        """The game's own rating of a design, with the name of the rating; None if there is none."""
        return None

    portrayal_of: str = ""
    """What conversion knows about the game's people, a `build.portrait.Portrayal`, as `module:name`; empty if they cannot be converted."""

    @property
    def portrayal(self) -> Portrayal | None:
        """What the game can say about a person in words that every game shares; None if it does not take part in conversion."""
        portrayal: Portrayal | None = self._found(self.portrayal_of) if self.portrayal_of else None
        return portrayal

    bridges: tuple[str, ...] = ()
    """Other games that a book has conversion rules for, by name."""

    def cross(self, rules: Ruleset, thing: Any, to: str, said: Mapping[str, str]) -> Crossing:
        """Convert a character or other thing to another game."""
        raise UserError(f"{self.name} does not convert to {to!r}")

    def cross_back(self, rules: Ruleset, data: Any, other: str) -> Crossing:
        """Convert a character of another game, given as plain data, to this game."""
        raise UserError(f"{self.name} does not convert from {other!r}")

    def audit(self, rules: Ruleset, thing: Any) -> Audit:
        """Check a character or other thing against the rules."""
        if (built := self._built(thing)) is not None:
            report: Audit = self._found(built.audit)(rules, thing)
            return report
        raise UserError(f"{self.name} has no audit for this kind of file")

    def sheet(self, rules: Ruleset, thing: Any) -> Sheet:
        """Draw the sheet of a character or other thing."""
        if (built := self._built(thing)) is not None:
            drawn: Sheet = self._found(built.sheet)(rules, thing)
            return drawn
        raise UserError(f"{self.name} has no sheet for this kind of file")

    def scene(self, rules: Ruleset) -> Scene[Any]:
        """The scene of a fight."""
        if self.fought is not None:
            fight: Scene[Any] = self._found(self.fought.scene)(rules)
            return fight
        raise UserError(f"{self.name} has no fights")

    def begin(self, rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Any:
        """The start state of a scenario."""
        if self.fought is not None:
            return self._found(self.fought.begin)(rules, scenario, members)
        raise UserError(f"{self.name} has no fights")

    @property
    def scenes(self) -> Mapping[str, Staging]:
        """The kinds of scenes of the game. A game with more than fights adds them here, by the scene's own `kind`."""
        return {} if self.fought is None and type(self).scene is System.scene else {FIGHT: Staging(self.scene, self.begin, self.tactics)}

    def staging(self, kind: str) -> Staging:
        """A kind of scene by its name: one of the game's own, or a roll request or downtime, which every game has."""
        if kind == ROLL_REQUEST:
            return Staging(
                lambda rules: RollScene(rules, self.test, self.show, self.requests), _begin_roll_request, {"first test": first_option}
            )
        if kind == DOWNTIME:
            return Staging(lambda rules: DowntimeScene(rules, self.downtime, self), _begin_downtime, {"usual": first_option})
        if kind not in self.scenes:
            known = f"; it has {', '.join(self.scenes)}" if self.scenes else ""
            raise UserError(f"{self.name} has no scene {kind!r}{nearest(kind, self.scenes) or known}")
        return self.scenes[kind]

    @property
    def fights(self) -> bool:
        """Whether the game has a scene in rounds."""
        return bool(self.scenes)

    def standing(self, rules: Ruleset, thing: Any) -> Standing[Any]:
        """Returns what a character has earned and spent at the end of the log of experience."""
        now: Standing[Any] = self._found(self.standing_of)(rules, thing)
        return now

    def of_quality(self, rules: Ruleset, quality: str) -> Any:
        """Create a nameless opponent of a quality by the game's rules."""
        raise UserError(f"{self.name} has no opponents of the quality {quality!r}")

    def file_kinds(self) -> dict[str, type[Any]]:
        """All kinds of files, with those that every game has."""
        return {**self.kinds, "scenario": Scenario, "map": MapFile, ADVENTURE: Adventure}

    def demos(self) -> dict[str, Any]:
        """The ready-made files of the game, by path (characters/detective.yaml)."""
        from importlib import resources

        file_by_path = {}
        folder = resources.files(self.book.package).joinpath("demos")
        if folder.is_dir():
            for kind in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if kind.is_dir():
                    for file in sorted(kind.iterdir(), key=lambda entry: entry.name):
                        if file.name.endswith(".yaml"):
                            file_by_path[f"{kind.name}/{file.name}"] = file
        return file_by_path


def _begin_roll_request(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Any:
    raise UserError("a roll request is made at a table or with `rulewright ask`, not from a scenario file")


def _begin_downtime(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Any:
    raise UserError("downtime begins at a table, not from a scenario file")


@cache
def _ready_made(system: System, kind: str, name: str) -> Any:
    from rulewright.files import read_data

    return convert(read_data(system._shipped(kind)[name]), system.kinds[kind])


@cache
def _installed() -> dict[str, Callable[[], System]]:
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=GROUP)}


def _is_here(name: str) -> bool:
    """Whether a game of `rulewright.systems` is installed; a folder without an `__init__` is not."""
    spec = find_spec(f"rulewright.systems.{name}")
    return spec is not None and spec.origin is not None


def names() -> list[str]:
    """The ids of all installed games."""
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
