"""No answer depends on what was asked before: every cache is registered, bounded, and can be emptied at any time."""

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest
from tests.conformance.test_walks import walks

import rulewright
from rulewright import systems
from rulewright.play.cache import CACHES, Latest, Memory, cached, clear_caches, interned

STEPS = 10
"""How many steps of a stored walk are repeated with empty caches."""
QUICK = ("scumm/scenes/duel", "silhouette/scenes/town-duel", "hybrid/scenes/duel", "ore/scenes/duel", "foresight/scenes/gunslingers")
SOURCE = Path(rulewright.__file__).parent
PACKAGES = ("systems", "highest_die", "scenes", "build", "field", "play")
"""The packages whose caches are registered; in the others nothing is cached that depends on a state of play."""


@pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in walks.scenarios()])
def test_a_walk_with_empty_caches_before_each_step_is_the_stored_walk(name: str) -> None:
    line = walks.Line.read(walks.kept(name)[0])
    clear_caches()
    for number, (step, expected) in enumerate(zip(walks.walk(name, line.seed, line.settings), line.marks[:STEPS], strict=False)):
        assert step.mark == expected, f"{name}, step {number} is different without what was asked before: {step.log}"
        clear_caches()


def test_every_cache_is_bounded_and_can_be_emptied() -> None:
    for module in pkgutil.walk_packages(systems.__path__, "rulewright.systems."):
        importlib.import_module(module.name)
    assert len(CACHES) > 300
    names = [cache.name for cache in CACHES]
    assert [name for name in names if names.count(name) > 1] == []
    assert all(cache.most > 0 for cache in CACHES)
    clear_caches()
    assert [cache.name for cache in CACHES if cache.size() and cache.most > 1] == []


def _module_level_tables(path: Path) -> list[str]:
    """Dictionaries that a module makes empty and fills later, and unnamed tables."""
    names = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id.startswith("_"):
            value = node.value
            empty = isinstance(value, ast.Dict) and not value.keys
            unnamed = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "Memory" and len(value.args) < 2
            if empty or unnamed:
                names.append(f"{path.relative_to(SOURCE).as_posix()}: {node.target.id}")
    return names


def test_no_module_keeps_a_table_of_its_own() -> None:
    tables = [name for package in PACKAGES for path in sorted((SOURCE / package).rglob("*.py")) for name in _module_level_tables(path)]
    assert tables == ["systems/silhouette/maneuver/ground_paths.py: _kept"], "register it: `Memory(most, name)` or an entry of CACHES"


def test_a_cached_function_forgets_the_oldest_and_is_counted() -> None:
    asked = []

    @cached(2)
    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    entry = CACHES.pop()
    assert [double(1), double(1), double(2), double(3), double(1)] == [2, 2, 4, 6, 2]
    assert asked == [1, 2, 3, 1]
    assert (entry.most, entry.size(), entry.name.endswith("double")) == (2, 2, True)
    entry.clear()
    assert entry.size() == 0


def test_equal_results_of_an_interned_function_are_one_object() -> None:
    @interned(4)
    def parts(text: str) -> tuple[str, ...]:
        return tuple(text.strip())

    table, function = CACHES[-2:]
    del CACHES[-2:]
    assert parts("ab") is parts(" ab")
    assert (table.size(), function.size()) == (1, 2)


def test_tables_never_exceed_their_bound() -> None:
    table: Memory[int, int] = Memory(3)
    for number in range(10):
        table[number] = number
        assert len(table) <= 3
    latest = Latest("test")
    assert CACHES.pop().clear == latest.clear
    latest.last = (1, 2, 3)
    latest.clear()
    assert latest.last == (None, None, None)
