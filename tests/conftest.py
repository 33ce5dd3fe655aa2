"""What all tests share: the sixth game must be installed, and hypothesis must not be hasty on a busy machine."""

from importlib.metadata import entry_points

import pytest
from hypothesis import HealthCheck, Phase, settings

# The same examples on every machine, so that a commit that passed passes again; `make explore` looks for new ones.
settings.register_profile("rulewright", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, derandomize=True)
settings.register_profile("explore", settings.get_profile("rulewright"), derandomize=False)
# For tools/mutate.py, which only wants to know whether a test fails at all.
settings.register_profile(
    "mutate", settings.get_profile("rulewright"), max_examples=10, database=None, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("rulewright")


def pytest_configure(config: pytest.Config) -> None:
    if "pebbles" not in entry_points(group="rulewright.systems").names:
        raise pytest.UsageError("the sixth game is not installed: python -m pip install --no-deps -e tests/sixth_game")
