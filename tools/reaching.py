"""Mutation coverage: which places of the rules the stored walks, calls, edits and tests can check at all.

    python tools/reaching.py                          coverage by stored walks, calls and edits, by package
    python tools/reaching.py --tests                  and by the tests of the games
    python tools/reaching.py --missed [PACKAGE]...       and a list of the places that none of them covers
    python tools/reaching.py --further 40 [NAME]...   try forty more of each, and store those that cover something new

A place is what mutants.py can change: a number, a comparison, a sum. It is covered when the mutant would give another value there: a
comparison with a limit when both sides are equal, a sum when the second operand is not zero, all others whenever they run. No test can
notice a mutant at a place that is never covered.
"""

import argparse
import ast
import builtins
import importlib.machinery
import operator
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mutants

MET = "__met__"
LIMITS = {"Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge}
ALIKE = {"Eq": operator.eq, "NotEq": operator.ne}
SUMS = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "FloorDiv": operator.floordiv}
OTHER = {"Mult": operator.floordiv, "FloorDiv": operator.mul}
LONGEST = 0.4
"""Ten calls that take more seconds are not stored."""
MOST_STEPS = 60
"""Steps of a tried walk. It is stored up to the last step that covered something new."""

met: set[str] = set()
places: dict[str, str] = {}
"""Every place, by file and number: the function, and a description of the mutant."""


class _Telling(ast.NodeTransformer):
    """Instruments the places of a module, so that they report when they are covered."""

    def __init__(self, names: dict[int, str]) -> None:
        self.names = names

    def visit_match_case(self, node: ast.match_case) -> Any:
        node.body = [self.visit(statement) for statement in node.body]
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        return node

    def visit_Constant(self, node: ast.Constant) -> Any:
        return self._told(node, "number", node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        place = self.names.get(id(node))
        self.generic_visit(node)
        return node if place is None else self._call(node, place, type(node.ops[0]).__name__, node.left, node.comparators[0])

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        place = self.names.get(id(node))
        self.generic_visit(node)
        return node if place is None else self._call(node, place, type(node.op).__name__, node.left, node.right)

    def _told(self, node: Any, how: str, *parts: Any) -> Any:
        place = self.names.get(id(node))
        return node if place is None else self._call(node, place, how, *[ast.Constant(part.value) for part in parts])

    def _call(self, node: Any, place: str, how: str, *parts: Any) -> Any:
        called = ast.Call(ast.Name(f"{MET}{how}__", ast.Load()), [ast.Constant(place), *parts], [])
        return ast.fix_missing_locations(ast.copy_location(called, node))


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    add = met.add

    def number(place: str, value: Any) -> Any:
        add(place)
        return value

    yield "number", number

    def limit(how: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        def compared(place: str, left: Any, right: Any) -> Any:
            if left == right:
                add(place)
            return how(left, right)

        return compared

    def alike(how: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        def compared(place: str, left: Any, right: Any) -> Any:
            add(place)
            return how(left, right)

        return compared

    def summed(name: str) -> Callable[..., Any]:
        how, other = SUMS[name], OTHER.get(name)

        def computed(place: str, left: Any, right: Any) -> Any:
            value = how(left, right)
            try:
                differs = right != 0 if other is None else other(left, right) != value
            except (TypeError, ArithmeticError):
                differs = True
            if differs:
                add(place)
            return value

        return computed

    yield from ((name, limit(how)) for name, how in LIMITS.items())
    yield from ((name, alike(how)) for name, how in ALIKE.items())
    yield from ((name, summed(name)) for name in SUMS)


def begin() -> None:
    """Instrument all rule modules imported from now on."""
    for name, function in _functions():
        setattr(builtins, f"{MET}{name}__", function)
    usual = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: Any, fullname: str) -> Any:
        file = Path(loader.path)
        if not file.is_relative_to(mutants.GAMES) or not mutants.holds_rules(file):
            return usual(loader, fullname)
        tree = ast.parse(file.read_text("utf-8"))
        own, names = str(file.relative_to(mutants.GAMES)), {}
        for number, (_, function, node, _, what) in enumerate(mutants._changes(tree)):
            names[id(node)] = place = f"{own}#{number}"
            places[place] = f"{function} line {node.lineno}: {what}"
        return compile(_Telling(names).visit(tree), loader.path, "exec", dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


class Reached:
    """Coverage of some games by stored walks, calls and edits, and by new ones."""

    def __init__(self, games: list[str]) -> None:
        import walks  # after `begin`, so that the rules it imports are instrumented

        self.walks = walks
        self.known: set[str] = set()
        self.names = [name for name in walks.names() if name.partition("/")[0] in games]
        self.games = games

    def new(self) -> set[str]:
        """The places covered for the first time since the last call."""
        newly_covered = met - self.known
        self.known |= newly_covered
        met.clear()
        return newly_covered

    def kept(self) -> None:
        """Run all stored walks, calls and edits."""
        walks = self.walks
        for name in self.names:
            kind = name.split("/")[1]
            if kind == walks.SCENES:
                walks.changed_walk(name)
            elif kind == walks.CALLS:
                walks.changed_calls(name)
            else:
                for own in walks._lines(name):
                    walks.changed_file(f"{name}/{own}")
            self.new()

    def further(self, name: str, times: int) -> list[str]:
        """The lines of a file, with additions that cover something new."""
        walks = self.walks
        kind = name.split("/")[1]
        if kind == walks.SCENES:
            return [*walks.kept(name), *[str(line) for line in self._walks(name, times)]]
        lines = {heading: list(marks) for heading, marks in walks._lines(name).items()}
        for heading, marks in lines.items():
            marks += self._marks(name, heading, marks, times)
        return [f"{heading} | {' '.join(marks)}" for heading, marks in lines.items()]

    def _marks(self, name: str, heading: str, marks: list[str], times: int) -> Iterator[str]:
        walks, (game, kind, package) = self.walks, name.split("/", 2)
        first = 1 + max([number for number, _ in walks.numbered(marks)], default=-1)
        for number in range(first, first + times):
            begun = time.process_time()
            if kind == walks.CALLS:
                log = walks.ten_calls(game, heading, *walks.functions(game)[package][heading], number)
            else:
                log = walks.edited_once(f"{name}/{heading}", number)
            if time.process_time() - begun > LONGEST:
                met.clear()
                return
            if self.new():
                yield f"{number}:{walks.mark(log)}"

    def _walks(self, name: str, times: int) -> Iterator[Any]:
        walks = self.walks
        first = 1 + max([walks.Line.read(text).seed for text in walks.kept(name)], default=0)
        for seed in range(first, first + times):
            settings = walks._fitting_settings(name, seed)
            met.clear()
            marks: list[str] = []
            reached = 0
            for step in walks.walk(name, seed, settings):
                marks.append(step.mark)
                if self.new():
                    reached = len(marks)
                if len(marks) > MOST_STEPS:
                    break
            if reached:
                yield walks.Line(seed, settings, marks[:reached])


TOLD = "RULEWRIGHT_REACHED"
"""Names the file to which this module, as a pytest plugin, writes the covered places."""


def pytest_configure() -> None:
    """Start before any game is imported."""
    begin()


def pytest_sessionfinish() -> None:
    """Write the covered places after all tests."""
    Path(os.environ[TOLD]).write_text("\n".join(sorted(met)), encoding="utf-8")


def tested(game: str) -> set[str]:
    """The places covered by the fast tests of a game."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "met.txt"
        tools = str(Path(__file__).parent)
        environment = {**os.environ, TOLD: str(file), "PYTHONPATH": os.pathsep.join([tools, os.environ.get("PYTHONPATH", "")])}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "reaching", "-p", "no:xdist", "-m", "not slow and not browser"]
        ran = subprocess.run(
            [*command, f"tests/{game}"], cwd=mutants.SOURCES.parent, env=environment, stdout=subprocess.PIPE, text=True, check=False
        )
        if not file.exists():
            sys.exit(f"Cannot run the tests of {game}:\n{ran.stdout[-2000:]}")
        return set(file.read_text("utf-8").split("\n"))


def report(reached: Reached, packages: list[str]) -> Iterator[str]:
    """The coverage of each package, and the uncovered places of the named packages."""
    count: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for place in places:
        package = place.rpartition("/")[0]
        of[package] += 1
        count[package] += place in reached.known
    for package, number in sorted(of.items()):
        if package.partition("/")[0] in reached.games:
            yield f"{package}: {count[package]} of {number}, {count[package] / number:.0%}"
    for place, what in places.items():
        if place not in reached.known and any(place.startswith(package) for package in packages):
            yield f"{place.rpartition('#')[0]}: {what}"


def main() -> None:
    """Print the coverage, or extend it."""
    parser = argparse.ArgumentParser(prog="python tools/reaching.py")
    parser.add_argument("names", nargs="*", help="games, or names as in tools/walks.py")
    parser.add_argument("--further", type=int, default=0, metavar="TIMES")
    parser.add_argument("--tests", action="store_true", help="include the tests of the games")
    parser.add_argument("--missed", nargs="*", default=[], metavar="PACKAGE")
    given = parser.parse_args()
    begin()
    from rulewright.system import HOUSE

    games = list(dict.fromkeys(name.partition("/")[0] for name in given.names)) or list(HOUSE)
    reached = Reached(games)
    reached.kept()
    print(f"{len(reached.known)} of {len(places)} places are covered", flush=True)
    if given.further:
        for name in reached.names:
            if given.names and not any(f"{name}/".startswith(f"{wanted}/") for wanted in given.names):
                continue
            before = len(reached.known)
            lines = reached.further(name, given.further)
            if len(reached.known) > before:
                path = reached.walks.FOLDER / f"{name}.txt"
                path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
                print(f"{name}: {len(reached.known) - before} more", flush=True)
    if given.tests:
        for game in games:
            reached.known |= tested(game)
        print(f"{len(reached.known)} of {len(places)} with the tests", flush=True)
    for line in report(reached, given.missed):
        print(line)


if __name__ == "__main__":
    main()
