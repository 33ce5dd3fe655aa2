"""The examples in the lab's documentation are true."""

import doctest
import sys

import pytest

import rulewright.lab  # noqa: F401 (the modules are found by name: the package has functions of the same names)


@pytest.mark.parametrize("module", ["balance", "best", "compare", "exact", "sample", ""])
def test_the_examples_run(module: str) -> None:
    module = f"rulewright.lab.{module}".rstrip(".")
    pytest.importorskip("numpy")
    results = doctest.testmod(sys.modules[module])
    assert results.attempted
    assert not results.failed
