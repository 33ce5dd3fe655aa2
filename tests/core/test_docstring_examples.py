"""Every example in a docstring is run."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
MODULES = sorted(
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in (SOURCE / "rulewright").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)
RUN_BY_THE_LAB = ("balance", "compare", "sampling.sample", "solver.best_response", "solver.exact")
"""Modules whose examples tests/lab/test_docs.py runs; they take longer."""


@pytest.mark.parametrize("name", [name for name in MODULES if name.removeprefix("rulewright.lab.") not in RUN_BY_THE_LAB])
def test_the_examples_of_a_module_hold(name):
    if name.startswith("rulewright.lab") or name == "rulewright.api":
        pytest.importorskip("numpy")
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert not results.failed
