"""What every rule answers when it is called by its id, around its limits: tests/answers/<game>/<room>.txt.

    scumm-stimulants:stimulant
      margin | 0 = ... | 1 4 = ... | 5 = ...
      fumble=true, margin | 1 = ...

A block for each function of a rule, a line for each number it takes, the values asked for and what came of each; what is given besides
stands before it. Asked for are the numbers that stand in the function, one less and one more, so that each limit is met on both sides.
A procedure is played twice, every die with its lowest and its highest face, and its odds are counted; where that takes long, it is
played a third time with any faces. An answer that is long is cut, and its mark says whether the rest is the same.

`make transcripts` writes the files anew, the test suite says which answers have changed, and review reads them beside the book.
`python tools/answers.py GAME/ROOM...` writes only those.
"""

import ast
import inspect
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from itertools import cycle
from pathlib import Path
from typing import Any

from rulewright.errors import UserError
from rulewright.play import Choice, Roll, Seeded, first_option, play
from rulewright.play.odds import Budget, exact
from rulewright.play.requests import Range
from rulewright.rules import Book, RuleInfo, Ruleset
from rulewright.show import replies, rule_calls
from rulewright.show.rule_calls import Parameter
from rulewright.show.serialize import words
from rulewright.system import HOUSE, find

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "answers"
LONGEST = 60
LONGEST_PLAYED = 24
"""Signs of an answer that are written out; of what came of a procedure, whose mark says more."""
SOME_NUMBERS = ("3", "2", "5", "7")
MOST_ROLLS = 300
MOST_PATHS = 300
ODDS = "odds"
MOST_VALUES = 10
MOST_FIELDS = 5
"""Numbers of a structure that the function does not speak of, but what it calls may."""
MOST_ASKED = 80
"""Calls of one function."""
LONG = 0.02
"""Seconds that a call may take to be worth keeping."""
Given = tuple[tuple[str, str], ...]


# --- one answer -----------------------------------------------------------------------------------------------------------------


class Faces:
    """Dice that all show their lowest face, or their highest."""

    def __init__(self, *, high: bool) -> None:
        self.high = high

    def faces(self, roll: Roll[Any]) -> tuple[int, ...]:
        return tuple(sides if self.high else 1 for sides in roll.reading.sides())


def last_option(choice: Choice[Any]) -> Any:
    """The last option, the highest number."""
    return choice.options.high if isinstance(choice.options, Range) else choice.options[-1].key


def answer(rules: Ruleset, info: RuleInfo, function: str, given: Given, *, counted: bool) -> str:
    """What a rule says to these values, in one short line; a procedure with its odds or with any faces."""
    try:
        call = rule_calls.prepare(rules, info, dict(given), function)
        if not call.asks:
            return _short(call.label(call.value()))
        extremes = (_played(call, Faces(high=False), first_option), _played(call, Faces(high=True), last_option))
        return " / ".join((*extremes, _odds(call) if counted else _played(call, Seeded(7), first_option)))
    except UserError:
        return "refused"
    except (LookupError, ArithmeticError, ValueError, AttributeError, TypeError) as error:
        return f"breaks: {type(error).__name__}"


def _odds(call: rule_calls.Call) -> str:
    """The mark of the exact odds of a procedure, as far as they can be had soon."""
    try:
        odds = exact(call.start, budget=Budget(paths=MOST_PATHS))
    except UserError:
        return f"{ODDS} refused"
    weights = sorted(odds.map(call.label).weights.items())
    return f"{ODDS} #{_mark(f'{odds.total} {odds.unsettled} {weights}')}"


def _played(call: rule_calls.Call, dice: Any, decide: Any) -> str:
    try:
        done = play(call.start(), dice=replies.Counted(dice, MOST_ROLLS), decide=decide)
    except UserError:
        return "refused"
    told = [str(fell.roll.reading) for fell in done.rolls] + [event.headline() for event in done.events]
    return _short(call.label(done.outcome), "\n".join(told), LONGEST_PLAYED)


def _short(text: str, besides: str = "", longest: int = LONGEST) -> str:
    """A text in one line without the signs that part answers; what is cut or stands besides is in its mark."""
    line = re.sub(r"\s+", " ", text).replace("|", "/").replace("=", ":").strip() or "nothing"
    if len(line) <= longest and not besides:
        return line
    return f"{line[:longest].strip()} #{_mark(f'{text}{besides}')}"


def _mark(text: str) -> str:
    return blake2b(text.encode(), digest_size=2).hexdigest()


# --- what is asked --------------------------------------------------------------------------------------------------------------


def functions(book: Book) -> dict[str, list[tuple[RuleInfo, Callable[..., Any]]]]:
    """The functions of a game's rules by room, each under the first id it has."""
    found: dict[str, list[tuple[RuleInfo, Callable[..., Any]]]] = {}
    seen = set()
    for info in book.rules():
        for function in info.functions:
            inner = inspect.unwrap(function)
            if inner not in seen and rule_calls.choose(info, function.__name__) is function:  # another of the same name hides it
                seen.add(inner)
                room = inner.__module__.removeprefix(book.package + ".").partition(".")[0]
                found.setdefault(room, []).append((info, function))
    return found


def asked(info: RuleInfo, function: Callable[..., Any], needed: Given) -> Iterator[tuple[Given, str, list[str]]]:
    """What is given besides, which parameter takes which values."""
    taken = rule_calls.parameters(info, function.__name__)
    names = _names(function)
    leaves = [leaf for each in taken for leaf in _leaves(each, each.name, names)]
    yield needed, "", [""]
    for name, each in leaves:
        yield needed, name, _values(each, function)
    for other, choices in leaves:
        for choice in _choices(choices):
            for name, each in leaves:
                if name != other and _is_number(each):
                    yield (*needed, (other, choice)), name, _values(each, function)


def _leaves(parameter: Parameter, name: str, named: set[str]) -> Iterator[tuple[str, Parameter]]:
    """What can be varied: the parameter itself, or the fields of a structure, first those that the function speaks of."""
    if parameter.fields:
        spoken_of = [field for field in parameter.fields if field.name in named]
        others = [field for field in parameter.fields if field.name not in named and _is_number(field)]
        for field in (*spoken_of, *others[:MOST_FIELDS]):
            yield from _leaves(field, f"{name}.{field.name}", named)
    elif _is_number(parameter) or parameter.choices:
        yield name, parameter


def needed_by(rules: Ruleset, info: RuleInfo, function: Callable[..., Any]) -> Given:
    """What the function cannot do without: numbers that differ, so that a product is no quotient, or ones where it refuses those."""
    wanted = [each for each in rule_calls.parameters(info, function.__name__) if each.required]
    found: Given = ()
    for numbers in (SOME_NUMBERS, ("1",)):
        found = tuple(zip((each.name for each in wanted), map(_any_value, wanted, cycle(numbers)), strict=False))
        if answer(rules, info, function.__name__, found, counted=False) != "refused":
            break
    return found


def _any_value(parameter: Parameter, number: str) -> str:
    return parameter.choices[0] if parameter.choices else number


def _choices(parameter: Parameter) -> list[str]:
    usual = words(parameter.default) if parameter.default is not None else ""
    usual = {"yes": "true", "no": "false"}.get(usual, usual)
    return [choice for choice in _sayable(parameter) if choice != usual][:4]


def _sayable(parameter: Parameter) -> list[str]:
    """The choices that can be written here, by the alphabet."""
    return sorted(choice for choice in parameter.choices if choice and ", " not in choice and " | " not in choice)


def _is_number(parameter: Parameter) -> bool:
    return "number" in parameter.type and "list" not in parameter.type and "names" not in parameter.type and not parameter.choices


def _values(parameter: Parameter, function: Callable[..., Any]) -> list[str]:
    if parameter.choices:
        return _sayable(parameter)[:12]
    usual = parameter.default if isinstance(parameter.default, int | float) else 3
    limits = sorted(_numbers(function), key=abs)
    wanted = dict.fromkeys([usual, 0, 1, *(limit + beside for limit in limits for beside in (0, -1, 1)), usual + 1, 2 * usual + 3])
    whole = "whole" in parameter.type
    return [f"{int(value) if whole else value:g}" for value in sorted(list(wanted)[:MOST_VALUES])]


@cache
def _tree(function: Callable[..., Any]) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))


def _names(function: Callable[..., Any]) -> set[str]:
    return {node.attr for node in ast.walk(_tree(function)) if isinstance(node, ast.Attribute)}


def _numbers(function: Callable[..., Any]) -> set[int | float]:
    constants = (node.value for node in ast.walk(_tree(function)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1000}


# --- the files ------------------------------------------------------------------------------------------------------------------


def rooms() -> list[str]:
    """`game/room` of every file that is kept."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.txt"))


def block(rules: Ruleset, info: RuleInfo, function: Callable[..., Any]) -> str:
    """All answers of one function, as they are written; nothing where it cannot be called from outside."""
    name = function.__name__
    lines: dict[str, None] = {}
    number = 0
    needed = needed_by(rules, info, function)
    counted = _is_counted_soon(rules, info, name, needed)
    for besides, varied, values in asked(info, function, needed):
        if not values:
            continue
        begun = time.process_time()
        found = [
            (value, answer(rules, info, name, (*besides, (varied, value)) if varied else besides, counted=counted)) for value in values
        ]
        number += len(values)
        if any(not said.startswith("refused") for _, said in found) and time.process_time() - begun <= LONG * len(values):
            lines[_line(besides, varied, found)] = None
        if number > MOST_ASKED:
            break
    return "\n".join([f"{info.id}:{name}", *(f"  {line}" for line in lines)]) if lines else ""


def _is_counted_soon(rules: Ruleset, info: RuleInfo, name: str, needed: Given) -> bool:
    """Whether the odds of a procedure can be had in hardly more time than it takes to play it."""
    begun = time.process_time()
    for _ in range(2):
        answer(rules, info, name, needed, counted=True)
    return time.process_time() - begun <= 2 * LONG


def _line(besides: Given, varied: str, found: list[tuple[str, str]]) -> str:
    head = ", ".join([*(f"{key}={value}" for key, value in besides), *([varied] if varied else [])]) or "-"
    parts: list[tuple[list[str], str]] = []
    for value, said in found:
        if parts and parts[-1][1] == said:
            parts[-1][0].append(value)
        else:
            parts.append(([value], said))
    return " | ".join([head, *(f"{', '.join(values)} = {said}" if varied else f"= {said}" for values, said in parts)])


def changed(room: str) -> list[str]:
    """The answers of a file that are others now."""
    game = room.partition("/")[0]
    rules = find(game).book.ruleset()
    known = {info.id: info for info in find(game).book.rules()}
    found = []
    for heading, lines in kept(FOLDER / f"{room}.txt").items():
        rule_id, _, name = heading.partition(":")
        for line in lines:
            for given, said in _read(line):
                counted = f" / {ODDS} " in said
                now = answer(rules, known[rule_id], name, given, counted=counted) if rule_id in known else "no such rule"
                if now != said:
                    found.append(f"{heading} {' '.join(f'{key}={value}' for key, value in given)}: {said} before, {now} now")
    return found


def _head(line: str) -> tuple[Given, str]:
    """What is given in all calls of a line, and what is varied; nothing where none is."""
    keys = [key for key in line.strip().split(" | ")[0].split(", ") if key != "-"]
    besides = tuple((key, value) for key, sign, value in (each.partition("=") for each in keys) if sign)
    return besides, keys[-1] if keys and "=" not in keys[-1] else ""


def _read(line: str) -> Iterator[tuple[Given, str]]:
    """The calls of a line, and what they answered."""
    besides, varied = _head(line)
    for part in line.strip().split(" | ")[1:]:
        values, _, said = part.partition("= ")
        for value in values.strip().split(", "):
            yield ((*besides, (varied, value)) if varied else besides), said.strip()


def again(rules: Ruleset, info: RuleInfo, name: str, lines: list[str]) -> str:
    """What is kept of one function, asked again: the same calls, with what they answer now."""
    found = []
    for line in lines:
        besides, varied = _head(line)
        said = []
        for given, before in _read(line):
            now = answer(rules, info, name, given, counted=f" / {ODDS} " in before)
            said.append((given[-1][1] if varied else "", now))
        found.append(f"  {_line(besides, varied, said)}")
    return "\n".join([f"{info.id}:{name}", *found])


def kept(path: Path) -> dict[str, list[str]]:
    """The lines of a file, by the function that they are about."""
    blocks = path.read_text("utf-8").strip().split("\n\n") if path.exists() else []
    return {heading: lines for heading, *lines in (block_of_one.splitlines() for block_of_one in blocks)}


def write(game: str, only: set[str]) -> None:
    """Write the answers of a game, or of some of its rooms: of what is kept the same calls, of new functions all that are worth keeping."""
    book = find(game).book
    rules = book.ruleset()
    for room, several in functions(book).items():
        if only and f"{game}/{room}" not in only:
            continue
        path = FOLDER / game / f"{room}.txt"
        old = kept(path)
        blocks = []
        for info, function in several:
            lines = old.get(f"{info.id}:{function.__name__}")
            text = block(rules, info, function) if lines is None else again(rules, info, function.__name__, lines)
            blocks += [text] if text else []
        path.parent.mkdir(parents=True, exist_ok=True)
        if blocks:
            path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
            print(path.relative_to(FOLDER.parent.parent), flush=True)


def main() -> None:
    """Write those that are named, or all."""
    only = set(sys.argv[1:])
    for game in HOUSE:
        if not only or any(name.startswith(f"{game}/") for name in only):
            write(game, only)


if __name__ == "__main__":
    main()
