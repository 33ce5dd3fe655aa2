"""The examples in the lab's documentation are true."""

import doctest
import sys
from pathlib import Path

import pytest

import rulewright.lab  # noqa: F401 (the modules are found by name: the package has functions of the same names)


@pytest.mark.parametrize("module", ["balance", "solver.best_response", "compare", "solver.exact", "sampling.sample", ""])
def test_the_examples_run(module: str) -> None:
    module = f"rulewright.lab.{module}".rstrip(".")
    pytest.importorskip("numpy")
    results = doctest.testmod(sys.modules[module])
    assert results.attempted
    assert not results.failed


@pytest.mark.slow
def test_the_page_about_the_lab_is_true() -> None:
    pytest.importorskip("numpy")
    page = Path(__file__).resolve().parents[2] / "docs" / "lab.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > 20
    assert not results.failed
