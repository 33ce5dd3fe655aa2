"""What all tests share: the same dice in every run, the sixth game installed, and a hypothesis that is not hasty on a busy machine."""

import gc
import random
import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# The same examples on every machine, so that a commit that passed passes again; `make explore` looks for new ones.
settings.register_profile("rulewright", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, derandomize=True)
# For `make quick`: what a property is broken by most often shows in the first examples.
settings.register_profile("quick", settings.get_profile("rulewright"), max_examples=20)
settings.register_profile("explore", settings.get_profile("rulewright"), derandomize=False)
# For tools/mutate.py, which only wants to know whether a test fails at all.
settings.register_profile(
    "mutate", settings.get_profile("rulewright"), max_examples=10, database=None, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("rulewright")

# Nor may a test hang on the operating system's dice: a fight that ends at the third roll in one run of twenty would end that run.
# `make explore` rolls anew.
DICE = random.Random()


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected
    if "pebbles" not in entry_points(group="rulewright.systems").names:
        raise pytest.UsageError("the sixth game is not installed: python -m pip install --no-deps -e examples/sixth_game")
    if config.getoption("--hypothesis-profile") == "explore":
        return
    random.SystemRandom.random = lambda self: DICE.random()  # type: ignore[method-assign]
    random.SystemRandom.getrandbits = lambda self, k: DICE.getrandbits(k)  # type: ignore[method-assign]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file whose every test is left out (`pytestmark`, and `-m 'not ...'`) is not read: some take as long as hundreds of tests."""
    expression = config.option.markexpr
    left_out = re.findall(r"not (\w+)", expression) if re.fullmatch(r"not \w+( and not \w+)*", expression) else []
    left_out += [] if "thorough" in expression else ["thorough"]
    if collection_path.suffix != ".py" or not left_out:
        return None
    mark = re.search(r"^pytestmark = pytest\.mark\.(\w+)$", collection_path.read_text(encoding="utf-8"), re.MULTILINE)
    return True if mark is not None and mark[1] in left_out else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests marked `thorough` unless `-m` asks for them: `make thorough` does."""
    if "thorough" in config.option.markexpr:
        return
    thorough = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=thorough)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish() -> None:
    """What twenty thousand tests are made of lasts to the end: the collector of garbage need not look through it again and again."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    DICE.seed(1)
