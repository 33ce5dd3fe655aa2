"""A net that notices any change in behaviour: scenes walked at random, rules called at random, shipped files edited at random.

    tests/walks/<game>/scenes/<scenario>.txt     seed 3 | fumbles=true | 1f2 0c4 a41 .c35
    tests/walks/<game>/calls/<room>.txt          scumm-stimulants:stimulant | 77e 19a 0d2
    tests/walks/<game>/files/<folder>.txt        ana | 5c1 e07 93b

Marks do not depend on wording: labels, notes and sentences can change without a mark changing.

A line for each walk of a ready-made scenario: what its luck was seeded with, the settings that were turned, and a mark for every step.
In a walk every decision is drawn from what is offered (now and then by the tactic), and every roll from the dice (now and then all lowest
or all highest). A mark is of everything that was asked, rolled and told in the step, with the sums behind it, and of the state after it.
Where a walk came to its end there is a full stop, and a mark of how it ended.

A line for each function of a rule that can be called by its id: a mark for every ten calls with values that fit its parameters, taken from
tables, shipped files and the beginnings of scenarios, a little changed. A line for each shipped file: a mark for every time that it was
edited a little and then audited, drawn, advanced, and one of its tests rolled. Both by the book and by two other choices of settings.

The marks say that something has changed, not what is right: where a change was meant, `make transcripts` writes them anew, by the same
seeds and as far as before. Nothing here depends on time, on the order in which tests run, or on what a process did before: how long a
walk goes on is read from its line. Only a new line is as long as its share of time allows.
`python tools/walks.py [GAME/scenes/NAME | GAME/calls/ROOM | GAME/files/FOLDER]...` writes only those.
"""

import inspect
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
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
"""What all new walks of one scenario may take together."""
MOST_WALKS = 16
STEPS = 40
LONG_WALK = 160
"""Every fourth walk goes on for so many steps: who is hurt, tired or out of ammunition plays by other rules."""
MOST_ANSWERS = 3_000
"""A walk ends within the step in which so many questions were answered."""
MOST_ANSWERS_OF_A_CALL = 200
SEEN_EVERY = 5
"""After so many steps what each may see is marked too."""
END = "."
CALLS = "calls"
SECONDS_OF_A_FUNCTION = 0.025
LONGEST_TEN = 0.15
"""Ten calls that take more seconds than that are not kept, nor those after them."""
MOST_TENS = 12
LARGE = (-20, 0, 15, 20, 25, 40, 50, 60, 75, 100, 150, 300, 1000)
MOST_THINGS = 12
MOST_WORDS = 40
MOST_DEEP = 3
FILES = "files"
SECONDS_OF_A_FILE = 0.35
MOST_EDITS = 40
LONGEST = 600
"""Signs of one thing told that a message shows."""


# --- luck -----------------------------------------------------------------------------------------------------------------------


class Luck:
    """Chances that are the same for the same words, in every version of Python."""

    def __init__(self, *words: object) -> None:
        self._random = random.Random(" ".join(map(str, words))).random

    def below(self, number: int) -> int:
        """A whole number from 0 to one less than this."""
        return int(self._random() * number)

    def happens(self, chance: float) -> bool:
        return self._random() < chance

    def among(self, things: Any) -> Any:
        """One of these."""
        return things[self.below(len(things))]

    def faces(self, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Dice as they fall: one roll in four shows only the lowest faces or only the highest."""
        how = self._random()
        if how < 0.12:
            return tuple([1] * len(sides))
        if how < 0.25:
            return tuple(sides)
        return tuple([self.below(highest) + 1 for highest in sides])

    def answer(self, choice: Choice[Any]) -> Given:
        """A decision: the lowest number, the highest or any; of options first a sort, by what their keys begin with, then one of these."""
        options = choice.options
        if isinstance(options, Range):
            steps = (options.high - options.low) // options.step
            return options.low + options.step * self.among((0, steps, self.below(steps + 1), self.below(min(steps, 3) + 1)))
        sorts: dict[str, list[str]] = {}
        for option in options:
            sorts.setdefault(re.split(r"[^A-Za-z]", option.key, maxsplit=1)[0], []).append(option.key)
        return str(self.among(self.among(list(sorts.values()))))


# --- marks ----------------------------------------------------------------------------------------------------------------------

_FLOAT = re.compile(rb"-?\d+\.\d+(?:[eE][+-]?\d+)?")


WORDING = frozenset(("label", "note", "title", "about"))
"""Fields whose text is wording."""


def without_wording(data: Any) -> Any:
    """Plain data without sentences, so that marks guard behaviour only: text with a space in it and the fields of `WORDING` are dropped."""
    if isinstance(data, str):
        return "" if " " in data else data
    if isinstance(data, dict):
        return {key: without_wording(part) for key, part in data.items() if key not in WORDING}
    if isinstance(data, list):
        return [without_wording(part) for part in data]
    return data


def without_text(data: Any) -> Any:
    """Plain data without any text at all: what is left of a page when only its numbers and its structure count."""
    if isinstance(data, str):
        return ""
    if isinstance(data, dict):
        return {key: without_text(part) for key, part in data.items() if key not in WORDING}
    if isinstance(data, list):
        return [without_text(part) for part in data]
    return data


def data_of(thing: Any) -> Any:
    """Anything as plain data, sets sorted."""
    return msgspec.to_builtins(thing, enc_hook=plain, order="sorted", str_keys=True)


def mark(*things: Any) -> str:
    """Three characters that stand for these things without their wording; nine digits of a fraction count."""
    written = b"\n".join([msgspec.json.encode(without_wording(data_of(thing)), order="sorted") for thing in things])
    return blake2b(_FLOAT.sub(lambda found: b"%.9g" % float(found[0]), written), digest_size=2).hexdigest()[:3]


def _place_on_scale(verdict: Verdict) -> int:
    """Which name of its scale a verdict has, counted from 0; -1 for a name that is not on it."""
    names = verdict.scale.names
    return names.index(verdict.name) if verdict.name in names else -1


class TooLong(Exception):
    """A walk has answered all questions that it may."""


class Walker(Driver):
    """Answers everything by luck, and keeps what was asked, rolled and told since it was last asked for that."""

    def __init__(self, luck: Luck, tactic: Any = None, heeds: float = 0.0, most: int = MOST_ANSWERS) -> None:
        self.luck = luck
        self.tactic = tactic
        self.heeds = heeds
        """How often it does as the tactic says."""
        self.told: list[Any] = []
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
        self.told.append([roll.by, roll.reading.sides(), faces, [value for _, value in roll.reading.explain(faces)], plain(result)])
        return result

    def choose(self, choice: Choice[Any]) -> Any:
        self._count()
        by_tactic = self.tactic is not None and self.luck.happens(self.heeds)
        given = self.tactic(choice) if by_tactic else self.luck.answer(choice)
        offered = choice.options
        written = offered if isinstance(offered, Range) else [option.key for option in offered]
        self.told.append([choice.who, choice.topic, written, given])
        return choice.take(given)

    def tell(self, event: Event) -> None:
        verdict = event.verdict()
        outcome = verdict and [_place_on_scale(verdict), verdict.good, verdict.by, verdict.to]
        self.told.append([bool(event.headline()), event.reasons(), event.tone(), outcome, event.known_to])

    def since(self) -> list[Any]:
        """What was told since the last time."""
        told, self.told = self.told, []
        return told


# --- walks ----------------------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A walk as it is kept."""

    seed: int
    settings: dict[str, str]
    marks: list[str]

    def __str__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.settings.items()) or "-"
        return f"seed {self.seed} | {chosen} | {' '.join(self.marks)}"

    @classmethod
    def read(cls, text: str) -> "Line":
        seed, chosen, marks = text.split(" | ")
        settings = dict(each.split("=") for each in chosen.split(", ") if each != "-")
        return cls(int(seed.removeprefix("seed ")), settings, marks.split())


class Step(NamedTuple):
    """A step of a walk: its mark, and what was asked, rolled and told in it."""

    mark: str
    told: list[Any]


def scenarios() -> list[str]:
    """`game/scenes/name` of every scenario that ships with a game of the house."""
    return [f"{name}/{SCENES}/{path[10:-5]}" for name in HOUSE for path in find(name).demos() if path.startswith("scenarios/")]


@cache
def _taken(name: str) -> Kept:
    return library.take(name.replace(f"/{SCENES}/", "/"), "scenario")


@cache
def _member(game: str, name: str) -> Any:
    return library.fetch(find(game), name)


def staged(name: str, settings: dict[str, str]) -> Staged:
    """A scenario made ready, with other settings than its own."""
    kept_scenario = _taken(name)
    return library.staged(kept_scenario, None, settings=settings, find_member=partial(_member, kept_scenario.system.id))


def walk(name: str, seed: int, settings: dict[str, str]) -> Iterator[Step]:
    """A scenario walked at random, a step at a time, until it ends."""
    ready = staged(name, settings)
    luck = Luck(name, seed)
    walker = Walker(luck, ready.decide, luck.among((0.0, 0.3, 0.7)))
    scene, state, number = ready.scene, ready.state, 0
    yield Step(mark(state, _seen(ready, state)), ["the beginning"])
    while scene.result(state) is None:
        try:
            state = walker.run(scene.step(state))
        except TooLong:
            yield Step(mark(walker.told), walker.since())
            return
        except UserError:
            walker.told.append(["refused"])
            yield Step(mark(walker.told), walker.since())
            return
        number += 1
        told = walker.since()
        yield Step(mark(told, state, _seen(ready, state) if number % SEEN_EVERY == 0 else None), told)
    ending = [scene.result(state), _seen(ready, state)]
    yield Step(f"{END}{mark(ending)}", ending)


def _seen(ready: Staged, state: Any) -> Any:
    """What the gamemaster and one of those who take part may see, and what can be counted or outlasts the scene."""
    scene, people = ready.scene, [member.name for member in ready.members]
    views = [scene.view(state, who) for who in (None, *people[:1])]
    lasting = [[item.value for item in scene.lasting(state, who).values()] for who in people]
    return [without_text(data_of(views)), scene.tally(state), sorted(scene.out(state)), lasting]


def drawn_settings(system: System, *words: object) -> dict[str, str]:
    """Some settings of a game, each with another value than it usually has; one that is new some day leaves the others as they are."""
    share = Luck(*words).among((0.1, 0.3, 0.6))
    chosen = {}
    for setting in system.book.settings.values():
        luck = Luck(*words, setting.name)
        if luck.happens(share):
            chosen[setting.name] = _another(setting, luck)
    return {name: value for name, value in chosen.items() if value}


def _another(setting: Setting, luck: Luck) -> str:
    usual = setting.default
    if isinstance(usual, bool):
        return "false" if usual else "true"
    if isinstance(usual, int):
        low, high = setting.low if setting.low is not None else usual - 3, setting.high if setting.high is not None else usual + 3
        return str(luck.among((low, high, low + luck.below(high - low + 1), max(low, usual - 1), min(high, usual + 1))))
    others = [value for value in setting.values if value != usual and not set(value) & set("=,|")]
    return str(luck.among(others)) if others else ""


def _fitting_settings(name: str, seed: int) -> dict[str, str]:
    """Settings for a new walk, those left out with which the scenario cannot begin; every other walk is by the book alone."""
    wanted = drawn_settings(find(name.partition("/")[0]), name, seed, "settings") if seed % 2 == 0 else {}
    chosen: dict[str, str] = {}
    for some in ([wanted] if wanted else []) + [{setting: value} for setting, value in wanted.items()]:
        try:
            staged(name, {**chosen, **some})
        except UserError:
            continue
        chosen |= some
        if chosen == wanted:
            break
    return chosen


def new_walks(name: str) -> list[Line]:
    """Walks of a scenario that has none yet, as many as there is time for."""
    found: list[Line] = []
    spent = 0.0
    for _ in zip(range(5), walk(name, 0, {}), strict=False):
        pass  # what is read only once is not counted
    for seed in range(1, MOST_WALKS + 1):
        settings = _fitting_settings(name, seed)
        marks: list[str] = []
        begun = time.process_time()
        for step in walk(name, seed, settings):
            marks.append(step.mark)
            if len(marks) > (LONG_WALK if seed % 4 in (0, 1) else STEPS) or spent + time.process_time() - begun > SECONDS_OF_A_SCENARIO:
                break
        spent += time.process_time() - begun
        found.append(Line(seed, settings, marks))
        if spent > SECONDS_OF_A_SCENARIO:
            break
    return found


def again(name: str, line: Line) -> Line:
    """The same walk now, as far as it went before; one that had ended may go on for as long as a new one."""
    most = len(line.marks) if not line.marks[-1].startswith(END) else max(len(line.marks), STEPS)
    return line._replace(marks=[step.mark for _, step in zip(range(most), walk(name, line.seed, line.settings), strict=False)])


# --- values -----------------------------------------------------------------------------------------------------------------------


class Unmakeable(Exception):
    """Nothing from outside can be given for this parameter."""


def _structure(thing: Any) -> bool:
    """Whether something has fields of its own to be changed one by one; what is written as its parts in order is made anew."""
    return isinstance(thing, Struct) and not thing.__struct_config__.array_like


class Shelf(NamedTuple):
    """What is at hand of a game: structures by their type, and words by the names of the fields in which they stand."""

    things: dict[type, list[Any]]
    words: dict[str, list[str]]

    def put(self, thing: Any, field: str = "") -> None:
        """A thing with everything in it, as far as there are not enough of its kind already."""
        if isinstance(thing, str):
            known = self.words.setdefault(field, [])
            if len(known) < MOST_WORDS and thing not in known:
                known.append(thing)
        elif _structure(thing):
            alike = self.things.setdefault(type(thing), [])
            if len(alike) < MOST_THINGS:
                alike.append(thing)
                for name in thing.__struct_fields__:
                    self.put(getattr(thing, name), name)
        elif isinstance(thing, list | tuple | Struct):
            for part in astuple(thing) if isinstance(thing, Struct) else thing[:MOST_THINGS]:
                self.put(part, field)
        elif isinstance(thing, dict):
            for key, part in list(thing.items())[:MOST_WORDS]:
                self.put(key, field)
                self.put(part, field)


@cache
def shelf(game: str) -> Shelf:
    """What the shipped files of a game and the beginnings of one scenario of each kind hold."""
    found = Shelf({}, {})
    for name in files_of(game):
        found.put(library.take(name.replace("/files/", "/")).thing)
    first: dict[str, str] = {}
    for name, scenario in library.scenarios(game).items():
        first.setdefault(scenario.scene, name)
    for name in first.values():
        found.put(staged(f"{game}/{SCENES}/{name}", {}).state)
    return found


@cache
def rulesets(game: str) -> tuple[Ruleset, ...]:
    """The book, and two other choices of its settings."""
    system = find(game)
    found = [system.book.ruleset()]
    for number in (1, 2):
        chosen: dict[str, Any] = {}
        for name, value in library.typed(system, drawn_settings(system, game, "rules", number)).items():
            try:
                system.book.ruleset(None, {**chosen, name: value})
            except UserError:
                continue
            chosen[name] = value
        found.append(system.book.ruleset(None, chosen))
    return tuple(found)


class Maker:
    """Makes values for parameters: numbers, words of the tables that a function may read, and structures that are at hand."""

    def __init__(self, game: str, rules: Ruleset, luck: Luck, tables: Sequence[Table[Any]] = ()) -> None:
        self.shelf = shelf(game)
        self.rules = rules
        self.luck = luck
        self.tables = tables

    def value(self, shape: shapes.Type, name: str, deep: int = 0) -> Any:
        """Something of this shape, for a parameter or field of this name."""
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
                return self.thing(cls, fields, deep)
            case shapes.AnyType():
                return self.number()
        raise Unmakeable

    def number(self) -> int:
        """A whole number as rules meet them: mostly small, now and then none, less than none, or large."""
        luck = self.luck
        return int(luck.among((luck.below(6), luck.below(13), luck.below(13), luck.below(31), luck.below(8) - 4, luck.among(LARGE))))

    def word(self, name: str) -> str:
        """A key of a table that the function may read, or a word that stands in a field of this name."""
        known = [list(table(self.rules)) for table in self.tables]
        if name in self.shelf.words:
            known += [self.shelf.words[name]] * max(1, len(known))
        known = [words for words in known if words]
        return str(self.luck.among(self.luck.among(known))) if known else self.luck.among(("nobody", "", "somebody"))

    def thing(self, cls: type, fields: Sequence[shapes.Field], deep: int) -> Any:
        """A structure that is at hand, most often a little changed; or a new one."""
        alike = self.shelf.things.get(cls) or self._rows(cls)
        if alike:
            return self.varied(self.luck.among(alike), deep)
        if deep > MOST_DEEP:
            raise Unmakeable
        given = {field.name: self.value(field.type, field.name, deep + 1) for field in fields if field.required or self.luck.happens(0.4)}
        return cls(**given)

    def _rows(self, cls: type) -> list[Any]:
        """The rows of a table whose rows are of this type."""
        known = self.rules.book.tables()
        for rule_id, row_type in row_types.items():
            if row_type is cls and rule_id in known:
                return list(self.rules.rows(rule_id, cls).values())
        return []

    def varied(self, thing: Any, deep: int = 0) -> Any:
        """A structure with up to two of its fields a little different, or fields of what is in it."""
        changes: dict[str, Any] = {}
        shape = _shape(type(thing))
        for _ in range(self.luck.below(3)):
            field = self.luck.among(shape.fields) if shape.fields else None
            if field is None or field.name in ("name", "system", "kind"):
                continue
            changes[field.name] = self._other(getattr(thing, field.name), field, deep)
        return replace(thing, **changes) if changes else thing

    def _other(self, old: Any, field: shapes.Field, deep: int) -> Any:
        """Another value near the one that stands in a field."""
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


def refusal(wrong: Exception) -> str:
    """A refusal without what may be read otherwise elsewhere: the nearest name, and Python's own words."""
    return re.sub(r"; (did you mean|known here).*|\((\w+): .*", r"\2", str(wrong), flags=re.DOTALL)


# --- calls ------------------------------------------------------------------------------------------------------------------------


@cache
def functions(game: str) -> dict[str, dict[str, tuple[RuleInfo, Callable[..., Any]]]]:
    """The functions of a game's rules that can be called by an id, by room and by `id:function`; each under the first id that it has."""
    book = find(game).book
    found: dict[str, dict[str, tuple[RuleInfo, Callable[..., Any]]]] = {}
    seen = set()
    for info in book.rules():
        for function in info.functions:
            inner = inspect.unwrap(function)
            if inner not in seen and rule_calls.choose(info, function.__name__) is function:
                seen.add(inner)
                room = inner.__module__.removeprefix(book.package + ".").partition(".")[0]
                found.setdefault(room, {})[f"{info.id}:{function.__name__}"] = (info, function)
    return found


def ten_calls(game: str, heading: str, info: RuleInfo, function: Callable[..., Any], number: int) -> list[Any]:
    """What came of ten calls of a function with values drawn at random, each with what was given."""
    luck = Luck(game, heading, number)
    known = inspect.unwrap(function).__globals__.values()
    tables = sorted(
        {table for table in known if isinstance(table, Table) and table.rule in find(game).book.tables()}, key=lambda table: table.rule
    )
    told = []
    for _ in range(10):
        rules = luck.among(rulesets(game))
        maker = Maker(game, rules, luck, tables)
        try:
            given = {
                each.name: maker.value(_shape(each.annotation), each.name)
                for each in rule_calls._signature(function)
                if each.required or luck.happens(0.6)
            }
        except (UserError, ValueError) as error:
            told.append(refusal(error))
            continue
        told.append(_called(rule_calls.Call(rules, info, function, given, rule_calls.is_procedure(function)), luck))
    return told


def _called(call: rule_calls.Call, luck: Luck) -> list[Any]:
    walker = Walker(luck, most=MOST_ANSWERS_OF_A_CALL)
    try:
        with call.fitting():
            came = walker.run(call.start()) if call.asks else call.value()
        said = [plain(came), reasons(came)]
    except TooLong:
        said = ["goes on"]
    except UserError as wrong:
        said = [refusal(wrong)]
    except (TypeError, RecursionError, AssertionError) as error:
        said = ["breaks", type(error).__name__]
    return [call.rules.digest, plain(call.arguments), walker.told, said]


def new_calls(game: str, heading: str, info: RuleInfo, function: Callable[..., Any]) -> list[str]:
    """Marks of a function that has none yet; none where it cannot be called from outside."""
    marks: list[str] = []
    spent = 0.0
    for number in range(MOST_TENS):
        begun = time.process_time()
        try:
            told = ten_calls(game, heading, info, function, number)
        except Unmakeable:
            return []
        took = time.process_time() - begun
        spent += took
        if took > LONGEST_TEN:
            break
        marks.append(mark(told))
        if any(each[-1][0] == "breaks" for each in told if isinstance(each, list)):
            print(
                f"{heading} breaks: {next(each[1] for each in told if isinstance(each, list) and each[-1][0] == 'breaks')}", file=sys.stderr
            )
        if spent > SECONDS_OF_A_FUNCTION:
            break
    return marks


def rooms() -> list[str]:
    """`game/calls/room` of every file of calls that is kept."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.glob(f"*/{CALLS}/*.txt"))


def changed_calls(name: str) -> list[str]:
    """The functions of a room that answer otherwise now, each with the first ten calls in which it does."""
    game, _, room = name.split("/")
    known = functions(game).get(room, {})
    found = []
    for heading, marks in _lines(name).items():
        if heading not in known:
            found.append(f"{heading}: there is no such function now")
            continue
        for number, expected in numbered(marks):
            told = ten_calls(game, heading, *known[heading], number)
            if mark(told) != expected:
                found.append(f"{heading}, calls {10 * number + 1} to {10 * number + 10}: now {_written(told)}")
                break
    return found


def write_calls(name: str) -> list[str]:
    """The lines of a room, written anew."""
    game, _, room = name.split("/")
    old = _lines(name)
    lines = []
    for heading, (info, function) in functions(game)[room].items():
        if heading in old:
            marks = renewed(old[heading], partial(ten_calls, game, heading, info, function))
        else:
            marks = new_calls(game, heading, info, function)
        lines += [f"{heading} | {' '.join(marks)}"] if marks else []
    return lines


# --- shipped files ----------------------------------------------------------------------------------------------------------------


def files_of(game: str) -> list[str]:
    """`game/files/folder/name` of everything that ships with a game, besides scenarios and maps."""
    paths = [path.removesuffix(".yaml") for path in find(game).demos()]
    return [f"{game}/{FILES}/{path}" for path in paths if path.partition("/")[0] not in ("scenarios", "maps")]


def edited_once(name: str, number: int) -> list[Any]:
    """A shipped file with small edits: its audit, its sheet with all reasons, what it is worth, one test rolled, one entry more."""
    game = name.partition("/")[0]
    system = find(game)
    luck = Luck(name, number)
    rules = luck.among(rulesets(game))
    kept_file = _file(name)
    data = msgspec.to_builtins(kept_file)
    told: list[Any] = []
    for _ in range(luck.below(4)):
        _edit(data, luck)
    try:
        thing = msgspec.convert(data, type(kept_file))
    except (msgspec.ValidationError, UserError):
        return ["refused"]
    told.append(_shown(system, rules, thing, luck))
    log = log_of(type(thing))
    if log is not None:
        tag = luck.among(list(log.entries))
        maker = Maker(game, rules, luck)
        shape = _shape(log.entries[tag])
        given = {field.name: maker.value(field.type, field.name, 1) for field in shape.fields if field.required or luck.happens(0.5)}
        try:
            after = advanced(thing, tag, msgspec.to_builtins(given))
            told.append([tag, plain(given), system.audit(rules, after)])
        except UserError as error:
            told.append([tag, refusal(error)])
    return told


def _shown(system: System, rules: Ruleset, thing: Any, luck: Luck) -> list[Any]:
    """Everything that is told of a thing: the audit, the sheet, and one of its tests rolled."""
    told: list[Any] = []
    walker = Walker(luck, most=MOST_ANSWERS_OF_A_CALL)
    try:
        told.append(system.audit(rules, thing))
        told.append([system.worth(rules, thing), system.in_short(rules, thing)])
        drawn = system.sheet(rules, thing)
        told.append(without_text(data_of(drawn)))
        tests = list(drawn.tests().values())
        if tests:
            told.append(plain(walker.run(system.test(rules, luck.among(tests).notation).start())))
    except TooLong:
        told.append("goes on")
    except UserError as error:
        told.append(refusal(error))
    return [told, walker.told]


@cache
def _file(name: str) -> Any:
    return library.take(name.replace(f"/{FILES}/", "/")).thing


def _edit(data: Any, luck: Luck) -> None:
    """One small change somewhere in plain data: a number, an entry taken out or doubled, two entries that change places."""
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
    """Marks of a file that has none yet."""
    marks: list[str] = []
    begun = time.process_time()
    while len(marks) < MOST_EDITS and time.process_time() - begun < SECONDS_OF_A_FILE:
        marks.append(mark(edited_once(name, len(marks))))
    return marks


def changed_file(name: str) -> str:
    """The first edit of a shipped file of which something else is told now; nothing where all is the same."""
    folder, _, own = name.rpartition("/")
    for number, expected in numbered(_lines(folder).get(own, [])):
        told = edited_once(name, number)
        if mark(told) != expected:
            return f"{name}, edit {number}: now {_written(told)}"
    return "" if own in _lines(folder) else f"{name} has no edits yet"


def write_files(name: str) -> list[str]:
    """The lines of a folder, written anew."""
    old = _lines(name)
    lines = []
    for each in files_of(name.partition("/")[0]):
        folder, _, own = each.rpartition("/")
        if folder == name:
            marks = renewed(old[own], partial(edited_once, each)) if own in old else new_edits(each)
            lines.append(f"{own} | {' '.join(marks)}")
    return lines


# --- the files --------------------------------------------------------------------------------------------------------------------


def kept(name: str) -> list[str]:
    """The lines of a file."""
    path = FOLDER / f"{name}.txt"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def _lines(name: str) -> dict[str, list[str]]:
    """The marks of a file of calls or edits, by what they are about."""
    return {heading: marks.split() for heading, marks in (line.split(" | ") for line in kept(name))}


def numbered(marks: list[str]) -> Iterator[tuple[int, str]]:
    """Marks with what each is the mark of: the first ones in a row from nought, then such as `31:a4f`, which were chosen (reaching.py)."""
    for at, text in enumerate(marks):
        number, colon, own = text.partition(":")
        yield (int(number), own) if colon else (at, text)


def renewed(marks: list[str], told: Callable[[int], Any]) -> list[str]:
    """The same marks now."""
    return [
        f"{number}:{mark(told(number))}" if ":" in text else mark(told(number))
        for text, (number, _) in zip(marks, numbered(marks), strict=True)
    ]


def changed_walk(name: str) -> str:
    """The first step in which a walk of a scenario is another now, with what is told in it; nothing where all are the same."""
    for text in kept(name):
        line = Line.read(text)
        before = f"{name}, seed {line.seed}, settings {line.settings or 'of the book'}"
        steps = walk(name, line.seed, line.settings)
        for number, expected in enumerate(line.marks):
            step = next(steps, None)
            if step is None:
                return f"{before}, step {number}: the walk is over before it"
            if step.mark != expected:
                return f"{before}, step {number}: now {_written(step.told)}"
    return "" if kept(name) else f"{name} has no walks yet"


def _written(told: list[Any]) -> str:
    """What is told, a line each."""
    lines = [msgspec.json.encode(each, enc_hook=plain).decode() for each in told]
    return "\n  ".join(["there is told", *[each if len(each) < LONGEST else f"{each[:LONGEST]}..." for each in lines[:60]]])


def write_walks(name: str) -> list[str]:
    """The lines of a scenario, written anew."""
    old = [Line.read(text) for text in kept(name)]
    return [str(line) for line in ([again(name, line) for line in old] if old else new_walks(name))]


def names() -> list[str]:
    """Every file that is kept here, by its name."""
    called = [f"{game}/{CALLS}/{room}" for game in HOUSE for room in functions(game)]
    folders = dict.fromkeys(name.rpartition("/")[0] for game in HOUSE for name in files_of(game))
    return [*scenarios(), *called, *folders]


def write(name: str) -> Path | None:
    """Write one file anew; None where there is nothing to keep."""
    writing = {SCENES: write_walks, CALLS: write_calls, FILES: write_files}
    lines = writing[name.split("/")[1]](name)
    if not lines:
        return None
    path = FOLDER / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def main() -> None:
    """Write the files that are named, or all, on every core."""
    with Pool() as pool:
        for path in pool.imap_unordered(write, sys.argv[1:] or names()):
            if path is not None:
                print(path.relative_to(FOLDER.parent.parent), flush=True)


if __name__ == "__main__":
    main()
