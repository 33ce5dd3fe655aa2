"""Regression net for behaviour: random walks through scenes, random rule calls, random edits of shipped files.

    tests/walks/<game>/scenes/<scenario>.txt     seed 3 | fumbles=true | 1f2 0c4 a41 .c35
    tests/walks/<game>/calls/<package>.txt          scumm-stimulants:stimulant | 77e 19a 0d2
    tests/walks/<game>/files/<folder>.txt        ana | 5c1 e07 93b

A mark is a short hash. It does not depend on wording: labels, notes and sentences can change without changing a mark.

scenes: one line a walk, with its seed, its changed settings and a mark for every step. A walk draws every decision from the options (now
and then the tactic decides) and rolls every die (now and then all lowest or all highest). A mark covers every question, roll and event of
the step, their sums, and the state after it. A full stop and a mark of the result end a finished walk.

calls: one line for each rule function that can be called by id, with a mark for every ten calls. Arguments come from tables, shipped
files and starts of scenarios, with small changes.

files: one line for each shipped file, with a mark for every edit. The edited file is audited, drawn and advanced, and one of its tests
is rolled. Calls and edits use the book's settings and two other choices.

Marks show that behaviour changed, not what is right. After an intended change, `make transcripts` rewrites them with the same seeds and
lengths. Nothing depends on time, test order or earlier work of the process: a line fixes the length of its walk. Only the length of
a new line depends on time.

`python tools/walks.py [GAME/scenes/NAME | GAME/calls/PACKAGE | GAME/files/FOLDER]...` writes only those files.
"""

import inspect
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from hashlib import blake2b
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes
from msgspec.structs import astuple, replace

from rulewright import library
from rulewright.build.experience import advanced, log_of
from rulewright.errors import UserError
from rulewright.library import Kept, Staged
from rulewright.play import Choice, Event, Given, Roll
from rulewright.play.drivers import Driver
from rulewright.play.requests import Range, Verdict
from rulewright.rules import RuleInfo, Ruleset, Setting, Table, row_types
from rulewright.show import rule_calls
from rulewright.show.serialize import plain, reasons
from rulewright.system import HOUSE, System, find

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "walks"
SCENES = "scenes"
SECONDS_OF_A_SCENARIO = 1.7
"""Time limit for all new walks of one scenario."""
MOST_WALKS = 16
STEPS = 40
LONG_WALK = 160
"""Steps of every second walk: rules differ for people who are wounded, tired or out of ammunition."""
MOST_ANSWERS = 3_000
"""A walk ends in the step in which it exceeds this number of answers."""
MOST_ANSWERS_OF_A_CALL = 200
SEEN_EVERY = 5
"""Every so many steps the mark also covers the views."""
END = "."
CALLS = "calls"
SECONDS_OF_A_FUNCTION = 0.025
LONGEST_TEN = 0.15
"""Ten calls that take more seconds are dropped, together with all later ones."""
MOST_TENS = 12
LARGE = (-20, 0, 15, 20, 25, 40, 50, 60, 75, 100, 150, 300, 1000)
MOST_THINGS = 12
MOST_WORDS = 40
MOST_DEEP = 3
FILES = "files"
SECONDS_OF_A_FILE = 0.35
MOST_EDITS = 40
LONGEST = 600
"""Characters of one log item in a message."""


# --- luck -----------------------------------------------------------------------------------------------------------------------


class Luck:
    """A random generator seeded by words, with the same results in every Python version."""

    def __init__(self, *words: object) -> None:
        self._random = random.Random(" ".join(map(str, words))).random

    def below(self, number: int) -> int:
        """A random integer from 0 to `number` - 1."""
        return int(self._random() * number)

    def happens(self, chance: float) -> bool:
        return self._random() < chance

    def among(self, items: Any) -> Any:
        """A random item."""
        return items[self.below(len(items))]

    def faces(self, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Faces of a roll; one roll in four shows only lowest or only highest faces."""
        how = self._random()
        if how < 0.12:
            return tuple([1] * len(sides))
        if how < 0.25:
            return tuple(sides)
        return tuple([self.below(highest) + 1 for highest in sides])

    def answer(self, choice: Choice[Any]) -> Given:
        """A random decision. Of options it draws a kind first, by the start of the key, then one of that kind."""
        options = choice.options
        if isinstance(options, Range):
            steps = (options.high - options.low) // options.step
            return options.low + options.step * self.among((0, steps, self.below(steps + 1), self.below(min(steps, 3) + 1)))
        sorts: dict[str, list[str]] = {}
        for option in options:
            sorts.setdefault(re.split(r"[^A-Za-z]", option.key, maxsplit=1)[0], []).append(option.key)
        return str(self.among(self.among(list(sorts.values()))))


# --- marks ----------------------------------------------------------------------------------------------------------------------

_FRACTION = re.compile(rb"\d+\.\d+(?:[eE][+-]?\d+)?")
WORDING = frozenset(("label", "note", "title", "about"))
"""Fields whose text does not count."""


def without_wording(data: Any) -> Any:
    """Plain data without sentences: drops text that contains a space, and the fields of `WORDING`."""
    if isinstance(data, str):
        return "" if " " in data else data
    if isinstance(data, dict):
        return {key: without_wording(part) for key, part in data.items() if key not in WORDING}
    if isinstance(data, list | tuple):
        return [without_wording(part) for part in data]
    return data


def without_text(data: Any) -> Any:
    """Plain data without any text: only numbers and structure."""
    if isinstance(data, str):
        return ""
    if isinstance(data, dict):
        return {key: without_text(part) for key, part in data.items() if key not in WORDING}
    if isinstance(data, list | tuple):
        return [without_text(part) for part in data]
    return data


def data_of(value: Any) -> Any:
    """Any value as plain data, with sorted sets."""
    return msgspec.to_builtins(value, enc_hook=plain, order="sorted", str_keys=True)


_SENTENCE = re.compile(rb'"[^" ]* [^"]*"(?!:)')
"""A string with a space that is no key. Outside of strings compact JSON has no space, so that a match cannot begin at a closing quote."""
_KEYS = [f'"{key}":'.encode() for key in sorted(WORDING)]
_WORDED = rb"(?:%s)" % b"|".join(_KEYS) + rb'(?:"[^"]*"|null|true|false|-?[0-9][0-9.eE+-]*)'
_WORDED_FIRST = re.compile(rb"\{(?:%s,?)+" % _WORDED)
_WORDED_LATER = re.compile(rb",%s" % _WORDED)


def _encoded(value: Any) -> bytes:
    """A value as JSON, without wording. Works on the text, several times faster than on the data; odd text takes the long way."""
    text = msgspec.json.encode(value, enc_hook=plain, order="sorted")
    if b"\\" not in text:
        text = _SENTENCE.sub(b'""', text)
        if any(key in text for key in _KEYS):
            text = _WORDED_LATER.sub(b"", _WORDED_FIRST.sub(b"{", text))
        if not any(key in text for key in _KEYS):
            return text
    return msgspec.json.encode(without_wording(data_of(value)), order="sorted")


@lru_cache(100_000)
def _nine_digits(number: bytes) -> bytes:
    return b"%.9g" % float(number)


def mark(*values: Any) -> str:
    """A hash of three characters, without wording and with nine digits of fractions."""
    written = b"\n".join(map(_encoded, values))
    return blake2b(_FRACTION.sub(lambda match: _nine_digits(match[0]), written), digest_size=2).hexdigest()[:3]


def _place_on_scale(verdict: Verdict) -> int:
    """The index of a verdict on its scale; -1 if its name is not on it."""
    names = verdict.scale.names
    return names.index(verdict.name) if verdict.name in names else -1


class TooLong(Exception):
    """A walk exceeded its number of answers."""


class Walker(Driver):
    """A driver that answers at random and logs every question, roll and event."""

    def __init__(self, luck: Luck, tactic: Any = None, heeds: float = 0.0, most: int = MOST_ANSWERS) -> None:
        self.luck = luck
        self.tactic = tactic
        self.heeds = heeds
        """How often the tactic decides."""
        self.log: list[Any] = []
        self.answers = 0
        self.most = most

    def _count(self) -> None:
        self.answers += 1
        if self.answers > self.most:
            raise TooLong

    def roll(self, roll: Roll[Any]) -> Any:
        self._count()
        faces = self.luck.faces(tuple(roll.reading.sides()))
        result = roll.reading.read(faces)
        self.log.append([roll.by, roll.reading.sides(), faces, [value for _, value in roll.reading.explain(faces)], plain(result)])
        return result

    def choose(self, choice: Choice[Any]) -> Any:
        self._count()
        by_tactic = self.tactic is not None and self.luck.happens(self.heeds)
        given = self.tactic(choice) if by_tactic else self.luck.answer(choice)
        offered = choice.options
        written = offered if isinstance(offered, Range) else [option.key for option in offered]
        self.log.append([choice.who, choice.topic, written, given])
        return choice.take(given)

    def tell(self, event: Event) -> None:
        verdict = event.verdict()
        outcome = verdict and [_place_on_scale(verdict), verdict.good, verdict.by, verdict.to]
        self.log.append([bool(event.headline()), event.reasons(), event.tone(), outcome, event.known_to])

    def since(self) -> list[Any]:
        """Return the log since the last call, and clear it."""
        log, self.log = self.log, []
        return log


# --- walks ----------------------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A stored walk."""

    seed: int
    settings: dict[str, str]
    marks: list[str]

    def __str__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.settings.items()) or "-"
        return f"seed {self.seed} | {chosen} | {' '.join(self.marks)}"

    @classmethod
    def read(cls, text: str) -> "Line":
        seed, chosen, marks = text.split(" | ")
        settings = dict(choice.split("=") for choice in chosen.split(", ") if choice != "-")
        return cls(int(seed.removeprefix("seed ")), settings, marks.split())


class Step(NamedTuple):
    """A step of a walk: its mark and its log."""

    mark: str
    log: list[Any]


def scenarios() -> list[str]:
    """`game/scenes/name` of every scenario that ships with a built-in game."""
    return [f"{name}/{SCENES}/{path[10:-5]}" for name in HOUSE for path in find(name).demos() if path.startswith("scenarios/")]


@cache
def _taken(name: str) -> Kept:
    return library.take(name.replace(f"/{SCENES}/", "/"), "scenario")


@cache
def _member(game: str, name: str) -> Any:
    return library.fetch(find(game), name)


def staged(name: str, settings: dict[str, str]) -> Staged:
    """A scenario ready to start, with changed settings."""
    file = _taken(name)
    return library.staged(file, None, settings=settings, find_member=partial(_member, file.system.id))


def walk(name: str, seed: int, settings: dict[str, str]) -> Iterator[Step]:
    """Walks a scenario at random, step by step, until it ends."""
    ready = staged(name, settings)
    luck = Luck(name, seed)
    walker = Walker(luck, ready.decide, luck.among((0.0, 0.3, 0.7)))
    scene, state, number = ready.scene, ready.state, 0
    yield Step(mark(state, _seen(ready, state)), ["the beginning"])
    while scene.result(state) is None:
        try:
            state = walker.run(scene.step(state))
        except TooLong:
            yield Step(mark(walker.log), walker.since())
            return
        except UserError:
            walker.log.append(["refused"])
            yield Step(mark(walker.log), walker.since())
            return
        number += 1
        log = walker.since()
        yield Step(mark(log, state, _seen(ready, state) if number % SEEN_EVERY == 0 else None), log)
    ending = [scene.result(state), _seen(ready, state)]
    yield Step(f"{END}{mark(ending)}", ending)


def _seen(ready: Staged, state: Any) -> Any:
    """The views of the gamemaster and of one character, the tally, who is out, and lasting results."""
    scene, people = ready.scene, [member.name for member in ready.members]
    views = [scene.view(state, who) for who in (None, *people[:1])]
    lasting = [[item.value for item in scene.lasting(state, who).values()] for who in people]
    return [without_text(data_of(views)), scene.tally(state), sorted(scene.out(state)), lasting]


def drawn_settings(system: System, *words: object) -> dict[str, str]:
    """Random settings with values other than their defaults. A new setting does not affect the choice of others."""
    share = Luck(*words).among((0.1, 0.3, 0.6))
    chosen = {}
    for setting in system.book.settings.values():
        luck = Luck(*words, setting.name)
        if luck.happens(share):
            chosen[setting.name] = _another(setting, luck)
    return {name: value for name, value in chosen.items() if value}


def _another(setting: Setting, luck: Luck) -> str:
    default = setting.default
    if isinstance(default, bool):
        return "false" if default else "true"
    if isinstance(default, int):
        low, high = setting.low if setting.low is not None else default - 3, setting.high if setting.high is not None else default + 3
        return str(luck.among((low, high, low + luck.below(high - low + 1), max(low, default - 1), min(high, default + 1))))
    others = [value for value in setting.values if value != default and not set(value) & set("=,|")]
    return str(luck.among(others)) if others else ""


def _fitting_settings(name: str, seed: int) -> dict[str, str]:
    """Settings for a new walk with which the scenario can start; every second walk has none."""
    wanted = drawn_settings(find(name.partition("/")[0]), name, seed, "settings") if seed % 2 == 0 else {}
    chosen: dict[str, str] = {}
    for candidate in ([wanted] if wanted else []) + [{setting: value} for setting, value in wanted.items()]:
        try:
            staged(name, {**chosen, **candidate})
        except UserError:
            continue
        chosen |= candidate
        if chosen == wanted:
            break
    return chosen


def new_walks(name: str) -> list[Line]:
    """Walks of a new scenario, as many as time allows."""
    lines: list[Line] = []
    spent = 0.0
    for _ in zip(range(5), walk(name, 0, {}), strict=False):
        pass  # files that are read only once do not count
    for seed in range(1, MOST_WALKS + 1):
        settings = _fitting_settings(name, seed)
        marks: list[str] = []
        begun = time.process_time()
        for step in walk(name, seed, settings):
            marks.append(step.mark)
            if len(marks) > (LONG_WALK if seed % 4 in (0, 1) else STEPS) or spent + time.process_time() - begun > SECONDS_OF_A_SCENARIO:
                break
        spent += time.process_time() - begun
        lines.append(Line(seed, settings, marks))
        if spent > SECONDS_OF_A_SCENARIO:
            break
    return lines


def again(name: str, line: Line) -> Line:
    """The same walk now, with the same length. A finished walk may take as many steps as a new one."""
    most = len(line.marks) if not line.marks[-1].startswith(END) else max(len(line.marks), STEPS)
    return line._replace(marks=[step.mark for _, step in zip(range(most), walk(name, line.seed, line.settings), strict=False)])


# --- values -----------------------------------------------------------------------------------------------------------------------


class Unmakeable(Exception):
    """No value can be made for this parameter."""


def _structure(value: Any) -> bool:
    """Whether a value has fields that can be changed one by one."""
    return isinstance(value, Struct) and not value.__struct_config__.array_like


class Shelf(NamedTuple):
    """Sample values of a game: structures by type, and words by field name."""

    structures: dict[type, list[Any]]
    words: dict[str, list[str]]

    def put(self, value: Any, field: str = "") -> None:
        """Add a value and everything in it, up to a number of each kind."""
        if isinstance(value, str):
            known = self.words.setdefault(field, [])
            if len(known) < MOST_WORDS and value not in known:
                known.append(value)
        elif _structure(value):
            alike = self.structures.setdefault(type(value), [])
            if len(alike) < MOST_THINGS:
                alike.append(value)
                for name in value.__struct_fields__:
                    self.put(getattr(value, name), name)
        elif isinstance(value, list | tuple | Struct):
            for part in astuple(value) if isinstance(value, Struct) else value[:MOST_THINGS]:
                self.put(part, field)
        elif isinstance(value, dict):
            for key, part in list(value.items())[:MOST_WORDS]:
                self.put(key, field)
                self.put(part, field)


@cache
def shelf(game: str) -> Shelf:
    """Sample values from the shipped files of a game and from one scenario of each kind."""
    samples = Shelf({}, {})
    for name in files_of(game):
        samples.put(library.take(name.replace("/files/", "/")).thing)
    first: dict[str, str] = {}
    for name, scenario in library.scenarios(game).items():
        first.setdefault(scenario.scene, name)
    for name in first.values():
        samples.put(staged(f"{game}/{SCENES}/{name}", {}).state)
    return samples


@cache
def rulesets(game: str) -> tuple[Ruleset, ...]:
    """The default ruleset and two with other settings."""
    system = find(game)
    choices = [system.book.ruleset()]
    for number in (1, 2):
        chosen: dict[str, Any] = {}
        for name, value in library.typed(system, drawn_settings(system, game, "rules", number)).items():
            try:
                system.book.ruleset(None, {**chosen, name: value})
            except UserError:
                continue
            chosen[name] = value
        choices.append(system.book.ruleset(None, chosen))
    return tuple(choices)


class Maker:
    """Makes random arguments: numbers, keys of tables that a function reads, and sample structures."""

    def __init__(self, game: str, rules: Ruleset, luck: Luck, tables: Sequence[Table[Any]] = ()) -> None:
        self.shelf = shelf(game)
        self.rules = rules
        self.luck = luck
        self.tables = tables

    def value(self, shape: shapes.Type, name: str, deep: int = 0) -> Any:
        """A random value of a type, for a parameter or field."""
        luck = self.luck
        match shape:
            case shapes.IntType(ge=low):
                return max(self.number(), low) if isinstance(low, int) else self.number()
            case shapes.FloatType():
                return self.number() + luck.among((0.0, 0.0, 0.5, 0.25))
            case shapes.BoolType():
                return luck.happens(0.5)
            case shapes.NoneType():
                return None
            case shapes.StrType():
                return self.word(name)
            case shapes.LiteralType(values=values):
                return luck.among(list(values))
            case shapes.EnumType(cls=cls):
                return luck.among(list(cls))
            case shapes.UnionType(types=types):
                return self.value(luck.among(types), name, deep)
            case shapes.VarTupleType(item_type=item):
                return tuple([self.value(item, name, deep + 1) for _ in range(luck.below(4))])
            case shapes.ListType(item_type=item):
                return [self.value(item, name, deep + 1) for _ in range(luck.below(4))]
            case shapes.FrozenSetType(item_type=item):
                return frozenset([self.value(item, name, deep + 1) for _ in range(luck.below(4))])
            case shapes.TupleType(item_types=items):
                return tuple([self.value(item, name, deep + 1) for item in items])
            case shapes.DictType(key_type=key, value_type=item):
                return {self.value(key, name, deep + 1): self.value(item, name, deep + 1) for _ in range(luck.below(4))}
            case shapes.NamedTupleType(cls=cls, fields=fields) | shapes.StructType(cls=cls, fields=fields, array_like=True):
                return cls(*[self.value(field.type, field.name, deep + 1) for field in fields])
            case shapes.StructType(cls=cls, fields=fields):
                return self.structure(cls, fields, deep)
            case shapes.AnyType():
                return self.number()
        raise Unmakeable

    def number(self) -> int:
        """A random integer: mostly small, sometimes zero, negative or large."""
        luck = self.luck
        return int(luck.among((luck.below(6), luck.below(13), luck.below(13), luck.below(31), luck.below(8) - 4, luck.among(LARGE))))

    def word(self, name: str) -> str:
        """A key of a table that the function reads, or a sample word of this field."""
        known = [list(table(self.rules)) for table in self.tables]
        if name in self.shelf.words:
            known += [self.shelf.words[name]] * max(1, len(known))
        known = [words for words in known if words]
        return str(self.luck.among(self.luck.among(known))) if known else self.luck.among(("nobody", "", "somebody"))

    def structure(self, cls: type, fields: Sequence[shapes.Field], deep: int) -> Any:
        """A sample structure, usually with small changes, or a new one."""
        alike = self.shelf.structures.get(cls) or self._rows(cls)
        if alike:
            return self.varied(self.luck.among(alike), deep)
        if deep > MOST_DEEP:
            raise Unmakeable
        arguments = {
            field.name: self.value(field.type, field.name, deep + 1) for field in fields if field.required or self.luck.happens(0.4)
        }
        return cls(**arguments)

    def _rows(self, cls: type) -> list[Any]:
        """The rows of the table with this row type."""
        known = self.rules.book.tables()
        for rule_id, row_type in row_types.items():
            if row_type is cls and rule_id in known:
                return list(self.rules.rows(rule_id, cls).values())
        return []

    def varied(self, thing: Any, deep: int = 0) -> Any:
        """A structure with up to two changed fields, its own or nested ones."""
        changes: dict[str, Any] = {}
        shape = _shape(type(thing))
        for _ in range(self.luck.below(3)):
            field = self.luck.among(shape.fields) if shape.fields else None
            if field is None or field.name in ("name", "system", "kind"):
                continue
            changes[field.name] = self._other(getattr(thing, field.name), field, deep)
        return replace(thing, **changes) if changes else thing

    def _other(self, old: Any, field: shapes.Field, deep: int) -> Any:
        """Another value near the old one of a field."""
        luck = self.luck
        if _structure(old) and deep <= MOST_DEEP:
            return self.varied(old, deep + 1)
        if isinstance(old, tuple) and not hasattr(old, "_fields") and old and isinstance(field.type, shapes.VarTupleType):
            at = luck.below(len(old))
            if _structure(old[at]) and luck.happens(0.6):
                return (*old[:at], self.varied(old[at], deep + 1), *old[at + 1 :])
            return (*old[:at], *old[at + 1 :]) if luck.happens(0.5) else (*old, old[at])
        if isinstance(old, int) and not isinstance(old, bool) and luck.happens(0.6):
            return max(0, old + luck.among((-1, 1, -2, 2, 5))) if old >= 0 else old + luck.among((-1, 1))
        try:
            return self.value(field.type, field.name, deep + 1)
        except Unmakeable:
            return old


@cache
def _shape(annotation: Any) -> Any:
    try:
        return shapes.type_info(annotation)
    except (TypeError, NotImplementedError):
        return shapes.CustomType(annotation)


def refusal(error: Exception) -> str:
    """The text of an error, without suggestions and without Python's own messages, which may vary."""
    return re.sub(r"; (did you mean|known here).*|\((\w+): .*", r"\2", str(error), flags=re.DOTALL)


# --- calls ------------------------------------------------------------------------------------------------------------------------


@cache
def functions(game: str) -> dict[str, dict[str, tuple[RuleInfo, Callable[..., Any]]]]:
    """The rule functions that can be called by id, by package and `id:function`; each under its first id."""
    book = find(game).book
    by_package: dict[str, dict[str, tuple[RuleInfo, Callable[..., Any]]]] = {}
    seen = set()
    for info in book.rules():
        for function in info.functions:
            inner = inspect.unwrap(function)
            if inner not in seen and rule_calls.choose(info, function.__name__) is function:
                seen.add(inner)
                package = inner.__module__.removeprefix(book.package + ".").partition(".")[0]
                by_package.setdefault(package, {})[f"{info.id}:{function.__name__}"] = (info, function)
    return by_package


def ten_calls(game: str, heading: str, info: RuleInfo, function: Callable[..., Any], number: int) -> list[Any]:
    """The results of ten calls with random arguments, each with its arguments."""
    luck = Luck(game, heading, number)
    known = inspect.unwrap(function).__globals__.values()
    tables = sorted(
        {table for table in known if isinstance(table, Table) and table.rule in find(game).book.tables()}, key=lambda table: table.rule
    )
    log = []
    for _ in range(10):
        rules = luck.among(rulesets(game))
        maker = Maker(game, rules, luck, tables)
        try:
            arguments = {
                parameter.name: maker.value(_shape(parameter.annotation), parameter.name)
                for parameter in rule_calls._signature(function)
                if parameter.required or luck.happens(0.6)
            }
        except (UserError, ValueError) as error:
            log.append(refusal(error))
            continue
        log.append(_called(rule_calls.Call(rules, info, function, arguments, rule_calls.is_procedure(function)), luck))
    return log


def _called(call: rule_calls.Call, luck: Luck) -> list[Any]:
    walker = Walker(luck, most=MOST_ANSWERS_OF_A_CALL)
    try:
        with call.fitting():
            value = walker.run(call.start()) if call.asks else call.value()
        result = [plain(value), reasons(value)]
    except TooLong:
        result = ["goes on"]
    except UserError as error:
        result = [refusal(error)]
    except (TypeError, RecursionError, AssertionError) as error:
        result = ["breaks", type(error).__name__]
    return [call.rules.digest, plain(call.arguments), walker.log, result]


def new_calls(game: str, heading: str, info: RuleInfo, function: Callable[..., Any]) -> list[str]:
    """Marks of a new function; empty if it cannot be called by id."""
    marks: list[str] = []
    spent = 0.0
    for number in range(MOST_TENS):
        begun = time.process_time()
        try:
            log = ten_calls(game, heading, info, function, number)
        except Unmakeable:
            return []
        took = time.process_time() - begun
        spent += took
        if took > LONGEST_TEN:
            break
        marks.append(mark(log))
        broken = [call for call in log if isinstance(call, list) and call[-1][0] == "breaks"]
        if broken:
            print(f"{heading} breaks: {broken[0][1]}", file=sys.stderr)
        if spent > SECONDS_OF_A_FUNCTION:
            break
    return marks


def rooms() -> list[str]:
    """`game/calls/package` of every stored file of calls."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.glob(f"*/{CALLS}/*.txt"))


def changed_calls(name: str) -> list[str]:
    """The functions of a package whose results changed, each with the first ten calls that differ."""
    game, _, package = name.split("/")
    known = functions(game).get(package, {})
    differences = []
    for heading, marks in _lines(name).items():
        if heading not in known:
            differences.append(f"{heading}: this function no longer exists")
            continue
        for number, expected in numbered(marks):
            log = ten_calls(game, heading, *known[heading], number)
            if mark(log) != expected:
                differences.append(f"{heading}, calls {10 * number + 1} to {10 * number + 10}: now {_written(log)}")
                break
    return differences


def write_calls(name: str) -> list[str]:
    """The new lines of a file of calls."""
    game, _, package = name.split("/")
    old = _lines(name)
    lines = []
    for heading, (info, function) in functions(game)[package].items():
        if heading in old:
            marks = renewed(old[heading], partial(ten_calls, game, heading, info, function))
        else:
            marks = new_calls(game, heading, info, function)
        lines += [f"{heading} | {' '.join(marks)}"] if marks else []
    return lines


# --- shipped files ----------------------------------------------------------------------------------------------------------------


def files_of(game: str) -> list[str]:
    """`game/files/folder/name` of every shipped file, except scenarios and maps."""
    paths = [path.removesuffix(".yaml") for path in find(game).demos()]
    return [f"{game}/{FILES}/{path}" for path in paths if path.partition("/")[0] not in ("scenarios", "maps")]


def edited_once(name: str, number: int) -> list[Any]:
    """Edits a shipped file and returns its audit, sheet, value, one rolled test, and one new experience entry."""
    game = name.partition("/")[0]
    system = find(game)
    luck = Luck(name, number)
    rules = luck.among(rulesets(game))
    original = _file(name)
    data = msgspec.to_builtins(original)
    log: list[Any] = []
    for _ in range(luck.below(4)):
        _edit(data, luck)
    try:
        thing = msgspec.convert(data, type(original))
    except (msgspec.ValidationError, UserError):
        return ["refused"]
    log.append(_shown(system, rules, thing, luck))
    experience = log_of(type(thing))
    if experience is not None:
        tag = luck.among(list(experience.entries))
        maker = Maker(game, rules, luck)
        shape = _shape(experience.entries[tag])
        entry = {field.name: maker.value(field.type, field.name, 1) for field in shape.fields if field.required or luck.happens(0.5)}
        try:
            after = advanced(thing, tag, msgspec.to_builtins(entry))
            log.append([tag, plain(entry), system.audit(rules, after)])
        except UserError as error:
            log.append([tag, refusal(error)])
    return log


def _shown(system: System, rules: Ruleset, thing: Any, luck: Luck) -> list[Any]:
    """The audit, the value, the sheet, and one rolled test of a file."""
    log: list[Any] = []
    walker = Walker(luck, most=MOST_ANSWERS_OF_A_CALL)
    try:
        log.append(system.audit(rules, thing))
        log.append([system.worth(rules, thing), system.in_short(rules, thing)])
        drawn = system.sheet(rules, thing)
        log.append(without_text(data_of(drawn)))
        tests = list(drawn.tests().values())
        if tests:
            log.append(plain(walker.run(system.test(rules, luck.among(tests).notation).start())))
    except TooLong:
        log.append("goes on")
    except UserError as error:
        log.append(refusal(error))
    return [log, walker.log]


@cache
def _file(name: str) -> Any:
    return library.take(name.replace(f"/{FILES}/", "/")).thing


def _edit(data: Any, luck: Luck) -> None:
    """One small change somewhere in plain data: a number changed, an entry removed, two entries swapped."""
    if isinstance(data, dict):
        keys = [key for key in data if key not in ("system", "kind", "name")]
        if not keys:
            return
        key = luck.among(keys)
        below, take = data[key], partial(data.pop, key)
    elif data:
        key = luck.below(len(data))
        below, take = data[key], partial(data.pop, key)
    else:
        return
    if isinstance(below, dict | list | tuple) and below and luck.happens(0.85):
        data[key] = list(below) if isinstance(below, tuple) else below
        _edit(data[key], luck)
    elif isinstance(below, bool):
        data[key] = not below
    elif isinstance(below, int):
        data[key] = below + luck.among((1, -1, 1, -1, 2, -3, 10))
    elif isinstance(data, list) and luck.happens(0.5):
        other = luck.below(len(data))
        data[key], data[other] = data[other], data[key]
    elif not isinstance(below, str) or isinstance(data, list):
        take()


def new_edits(name: str) -> list[str]:
    """Marks of a new file."""
    marks: list[str] = []
    begun = time.process_time()
    while len(marks) < MOST_EDITS and time.process_time() - begun < SECONDS_OF_A_FILE:
        marks.append(mark(edited_once(name, len(marks))))
    return marks


def changed_file(name: str) -> str:
    """The first edit of a shipped file with a changed result; empty if there is none."""
    folder, _, own = name.rpartition("/")
    for number, expected in numbered(_lines(folder).get(own, [])):
        log = edited_once(name, number)
        if mark(log) != expected:
            return f"{name}, edit {number}: now {_written(log)}"
    return "" if own in _lines(folder) else f"{name} has no stored edits"


def write_files(name: str) -> list[str]:
    """The new lines of a file of edits."""
    old = _lines(name)
    lines = []
    for file in files_of(name.partition("/")[0]):
        folder, _, own = file.rpartition("/")
        if folder == name:
            marks = renewed(old[own], partial(edited_once, file)) if own in old else new_edits(file)
            lines.append(f"{own} | {' '.join(marks)}")
    return lines


# --- the files --------------------------------------------------------------------------------------------------------------------


def kept(name: str) -> list[str]:
    """The stored lines of a file."""
    path = FOLDER / f"{name}.txt"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def _lines(name: str) -> dict[str, list[str]]:
    """The marks of a file of calls or edits, by heading."""
    return {heading: marks.split() for heading, marks in (line.split(" | ") for line in kept(name))}


def numbered(marks: list[str]) -> Iterator[tuple[int, str]]:
    """Marks with their numbers: first 0, 1, 2 …, then those such as `31:a4f`, which reaching.py has chosen."""
    for at, text in enumerate(marks):
        number, colon, own = text.partition(":")
        yield (int(number), own) if colon else (at, text)


def renewed(marks: list[str], result_of: Callable[[int], Any]) -> list[str]:
    """The marks of the current results."""
    return [
        f"{number}:{mark(result_of(number))}" if ":" in text else mark(result_of(number))
        for text, (number, _) in zip(marks, numbered(marks), strict=True)
    ]


def changed_walk(name: str) -> str:
    """The first changed step of a scenario's walks, with its log; empty if there is none."""
    for text in kept(name):
        line = Line.read(text)
        before = f"{name}, seed {line.seed}, settings {line.settings or 'of the book'}"
        steps = walk(name, line.seed, line.settings)
        for number, expected in enumerate(line.marks):
            step = next(steps, None)
            if step is None:
                return f"{before}, step {number}: the walk ends earlier"
            if step.mark != expected:
                return f"{before}, step {number}: now {_written(step.log)}"
    return "" if kept(name) else f"{name} has no stored walks"


def _written(log: list[Any]) -> str:
    """The log items, one a line."""
    lines = [msgspec.json.encode(item, enc_hook=plain).decode() for item in log]
    return "\n  ".join(["there is told", *[line if len(line) < LONGEST else f"{line[:LONGEST]}..." for line in lines[:60]]])


def write_walks(name: str) -> list[str]:
    """The new lines of a scenario."""
    old = [Line.read(text) for text in kept(name)]
    return [str(line) for line in ([again(name, line) for line in old] if old else new_walks(name))]


def names() -> list[str]:
    """The names of all files."""
    called = [f"{game}/{CALLS}/{package}" for game in HOUSE for package in functions(game)]
    folders = dict.fromkeys(name.rpartition("/")[0] for game in HOUSE for name in files_of(game))
    return [*scenarios(), *called, *folders]


def write(name: str) -> Path | None:
    """Write one file; None if there is nothing to store."""
    writing = {SCENES: write_walks, CALLS: write_calls, FILES: write_files}
    lines = writing[name.split("/")[1]](name)
    if not lines:
        return None
    path = FOLDER / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def main() -> None:
    """Write the named files, or all, on every core."""
    with Pool() as pool:
        for path in pool.imap_unordered(write, sys.argv[1:] or names()):
            if path is not None:
                print(path.relative_to(FOLDER.parent.parent), flush=True)


if __name__ == "__main__":
    main()
