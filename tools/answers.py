"""Stores the results of every rule called by id, around its limits: tests/answers/<game>/<package>.txt.

    scumm-stimulants:stimulant
      margin | 0 = ... | 1 4 = ... | 5 = ...
      fumble=true, margin | 1 = ...

Each function of a rule has a block, and each of its numeric parameters a line with values and results. Fixed arguments come first. The
values are the numbers in the function's code, plus and minus one, so that both sides of every limit are covered. A procedure is played
twice, with all lowest and all highest faces, and its odds are computed; if that is slow, it is played a third time with random faces.
Long results are cut, and a hash covers the rest.

`make transcripts` rewrites the files, the tests report changed results, and reviewers compare them with the book.
`python tools/answers.py GAME/PACKAGE...` writes only those files.
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
"""Characters of a result that are written; of a procedure's result, which also has a hash."""
SOME_NUMBERS = ("3", "2", "5", "7")
MOST_ROLLS = 300
MOST_PATHS = 300
ODDS = "odds"
MOST_VALUES = 10
MOST_FIELDS = 5
"""Numeric fields of a structure that the function does not mention itself."""
MOST_ASKED = 80
"""Calls of one function at most."""
LONG = 0.02
"""Seconds of a call at most; slower ones are not stored."""
Given = tuple[tuple[str, str], ...]


# --- one result -----------------------------------------------------------------------------------------------------------------


class Faces:
    """Dice that all show their lowest or their highest face."""

    def __init__(self, *, high: bool) -> None:
        self.high = high

    def faces(self, roll: Roll[Any]) -> tuple[int, ...]:
        return tuple(sides if self.high else 1 for sides in roll.reading.sides())


def last_option(choice: Choice[Any]) -> Any:
    """A tactic: the last option, or the highest number."""
    return choice.options.high if isinstance(choice.options, Range) else choice.options[-1].key


def answer(rules: Ruleset, info: RuleInfo, function: str, given: Given, *, counted: bool) -> str:
    """The result of a rule in one short line; of a procedure also its odds, or a play with random faces."""
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
    """A hash of the exact odds of a procedure, within a budget."""
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
    log = [str(rolled.roll.reading) for rolled in done.rolls] + [event.headline() for event in done.events]
    return _short(call.label(done.outcome), "\n".join(log), LONGEST_PLAYED)


def _short(text: str, hashed: str = "", longest: int = LONGEST) -> str:
    """A text in one line, without separators. A hash covers what is cut, and the text in `hashed`."""
    line = re.sub(r"\s+", " ", text).replace("|", "/").replace("=", ":").strip() or "nothing"
    if len(line) <= longest and not hashed:
        return line
    return f"{line[:longest].strip()} #{_mark(f'{text}{hashed}')}"


def _mark(text: str) -> str:
    return blake2b(text.encode(), digest_size=2).hexdigest()


# --- the arguments --------------------------------------------------------------------------------------------------------------


def functions(book: Book) -> dict[str, list[tuple[RuleInfo, Callable[..., Any]]]]:
    """The rule functions of a game by package, each under its first id."""
    by_package: dict[str, list[tuple[RuleInfo, Callable[..., Any]]]] = {}
    seen = set()
    for info in book.rules():
        for function in info.functions:
            inner = inspect.unwrap(function)
            if inner not in seen and rule_calls.choose(info, function.__name__) is function:  # otherwise hidden by another of the same name
                seen.add(inner)
                package = inner.__module__.removeprefix(book.package + ".").partition(".")[0]
                by_package.setdefault(package, []).append((info, function))
    return by_package


def asked(info: RuleInfo, function: Callable[..., Any], needed: Given) -> Iterator[tuple[Given, str, list[str]]]:
    """Yields fixed arguments, the name of the varied parameter, and its values."""
    parameters = rule_calls.parameters(info, function.__name__)
    names = _names(function)
    leaves = [leaf for parameter in parameters for leaf in _leaves(parameter, parameter.name, names)]
    yield needed, "", [""]
    for name, leaf in leaves:
        yield needed, name, _values(leaf, function)
    for other, choices in leaves:
        for choice in _choices(choices):
            for name, leaf in leaves:
                if name != other and _is_number(leaf):
                    yield (*needed, (other, choice)), name, _values(leaf, function)


def _leaves(parameter: Parameter, name: str, named: set[str]) -> Iterator[tuple[str, Parameter]]:
    """What can be varied: the parameter itself, or the fields of a structure, those that the function mentions first."""
    if parameter.fields:
        mentioned = [field for field in parameter.fields if field.name in named]
        others = [field for field in parameter.fields if field.name not in named and _is_number(field)]
        for field in (*mentioned, *others[:MOST_FIELDS]):
            yield from _leaves(field, f"{name}.{field.name}", named)
    elif _is_number(parameter) or parameter.choices:
        yield name, parameter


def needed_by(rules: Ruleset, info: RuleInfo, function: Callable[..., Any]) -> Given:
    """Values for the required parameters: different numbers, so that a product differs from a quotient; 1 if these are refused."""
    required = [parameter for parameter in rule_calls.parameters(info, function.__name__) if parameter.required]
    arguments: Given = ()
    for numbers in (SOME_NUMBERS, ("1",)):
        arguments = tuple(zip((parameter.name for parameter in required), map(_any_value, required, cycle(numbers)), strict=False))
        if answer(rules, info, function.__name__, arguments, counted=False) != "refused":
            break
    return arguments


def _any_value(parameter: Parameter, number: str) -> str:
    return parameter.choices[0] if parameter.choices else number


def _choices(parameter: Parameter) -> list[str]:
    default = words(parameter.default) if parameter.default is not None else ""
    default = {"yes": "true", "no": "false"}.get(default, default)
    return [choice for choice in _writable(parameter) if choice != default][:4]


def _writable(parameter: Parameter) -> list[str]:
    """The choices without separators, sorted."""
    return sorted(choice for choice in parameter.choices if choice and ", " not in choice and " | " not in choice)


def _is_number(parameter: Parameter) -> bool:
    return "number" in parameter.type and "list" not in parameter.type and "names" not in parameter.type and not parameter.choices


def _values(parameter: Parameter, function: Callable[..., Any]) -> list[str]:
    if parameter.choices:
        return _writable(parameter)[:12]
    default = parameter.default if isinstance(parameter.default, int | float) else 3
    limits = sorted(_numbers(function), key=abs)
    wanted = dict.fromkeys([default, 0, 1, *(limit + offset for limit in limits for offset in (0, -1, 1)), default + 1, 2 * default + 3])
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
    """`game/package` of every stored file."""
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.txt"))


def block(rules: Ruleset, info: RuleInfo, function: Callable[..., Any]) -> str:
    """All results of one function as text; empty if it cannot be called by id."""
    name = function.__name__
    lines: dict[str, None] = {}
    number = 0
    needed = needed_by(rules, info, function)
    counted = _is_counted_soon(rules, info, name, needed)
    for fixed, varied, values in asked(info, function, needed):
        if not values:
            continue
        begun = time.process_time()
        results = [(value, answer(rules, info, name, (*fixed, (varied, value)) if varied else fixed, counted=counted)) for value in values]
        number += len(values)
        if any(not result.startswith("refused") for _, result in results) and time.process_time() - begun <= LONG * len(values):
            lines[_line(fixed, varied, results)] = None
        if number > MOST_ASKED:
            break
    return "\n".join([f"{info.id}:{name}", *(f"  {line}" for line in lines)]) if lines else ""


def _is_counted_soon(rules: Ruleset, info: RuleInfo, name: str, needed: Given) -> bool:
    """Whether the odds of a procedure are computed fast enough."""
    begun = time.process_time()
    for _ in range(2):
        answer(rules, info, name, needed, counted=True)
    return time.process_time() - begun <= 2 * LONG


def _line(fixed: Given, varied: str, results: list[tuple[str, str]]) -> str:
    head = ", ".join([*(f"{key}={value}" for key, value in fixed), *([varied] if varied else [])]) or "-"
    parts: list[tuple[list[str], str]] = []
    for value, result in results:
        if parts and parts[-1][1] == result:
            parts[-1][0].append(value)
        else:
            parts.append(([value], result))
    return " | ".join([head, *(f"{', '.join(values)} = {result}" if varied else f"= {result}" for values, result in parts)])


def changed(package: str) -> list[str]:
    """The results of a file that changed, one message each."""
    game = package.partition("/")[0]
    rules = find(game).book.ruleset()
    known = {info.id: info for info in find(game).book.rules()}
    differences = []
    for heading, lines in kept(FOLDER / f"{package}.txt").items():
        rule_id, _, name = heading.partition(":")
        for line in lines:
            for arguments, before in _read(line):
                counted = f" / {ODDS} " in before
                now = answer(rules, known[rule_id], name, arguments, counted=counted) if rule_id in known else "no such rule"
                if now != before:
                    differences.append(f"{heading} {' '.join(f'{key}={value}' for key, value in arguments)}: {before} before, {now} now")
    return differences


def _head(line: str) -> tuple[Given, str]:
    """The fixed arguments of a line, and the name of the varied parameter (or an empty string)."""
    keys = [key for key in line.strip().split(" | ")[0].split(", ") if key != "-"]
    fixed = tuple((key, value) for key, sign, value in (text.partition("=") for text in keys) if sign)
    return fixed, keys[-1] if keys and "=" not in keys[-1] else ""


def _read(line: str) -> Iterator[tuple[Given, str]]:
    """The calls of a line: arguments and stored result."""
    fixed, varied = _head(line)
    for part in line.strip().split(" | ")[1:]:
        values, _, result = part.partition("= ")
        for value in values.strip().split(", "):
            yield ((*fixed, (varied, value)) if varied else fixed), result.strip()


def again(rules: Ruleset, info: RuleInfo, name: str, lines: list[str]) -> str:
    """The block of a function with the same calls and their current results."""
    renewed = []
    for line in lines:
        fixed, varied = _head(line)
        results = []
        for arguments, before in _read(line):
            now = answer(rules, info, name, arguments, counted=f" / {ODDS} " in before)
            results.append((arguments[-1][1] if varied else "", now))
        renewed.append(f"  {_line(fixed, varied, results)}")
    return "\n".join([f"{info.id}:{name}", *renewed])


def kept(path: Path) -> dict[str, list[str]]:
    """The stored lines of a file, by function."""
    blocks = path.read_text("utf-8").strip().split("\n\n") if path.exists() else []
    return {heading: lines for heading, *lines in (block_of_one.splitlines() for block_of_one in blocks)}


def write(game: str, only: set[str]) -> None:
    """Write the results of a game or of some packages: the same calls for known functions, new calls for new ones."""
    book = find(game).book
    rules = book.ruleset()
    for package, rule_functions in functions(book).items():
        if only and f"{game}/{package}" not in only:
            continue
        path = FOLDER / game / f"{package}.txt"
        old = kept(path)
        blocks = []
        for info, function in rule_functions:
            lines = old.get(f"{info.id}:{function.__name__}")
            text = block(rules, info, function) if lines is None else again(rules, info, function.__name__, lines)
            blocks += [text] if text else []
        path.parent.mkdir(parents=True, exist_ok=True)
        if blocks:
            path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
            print(path.relative_to(FOLDER.parent.parent), flush=True)


def main() -> None:
    """Write the named files, or all."""
    only = set(sys.argv[1:])
    for game in HOUSE:
        if not only or any(name.startswith(f"{game}/") for name in only):
            write(game, only)


if __name__ == "__main__":
    main()
