"""A fault that tools/mutate.py puts into a running process takes effect, whatever the process has cached."""

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent.parent / "tools"
BEGIN = """
import gc, mutants, trying
from rulewright.system import find
book = find("scumm").book
book.load()
gc.freeze()
"""


def said(code: str) -> list[str]:
    """The output of a process that has loaded a game and the tools, and frozen both for the garbage collector."""
    run = subprocess.run([sys.executable, "-c", BEGIN + code], cwd=TOOLS, capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_a_changed_cell_is_read() -> None:
    code = """
mutant = next(iter(mutants.in_tables(dict(book.tables()))))
print(book.tables()[mutant.where].rows == (trying.put_in(mutant), book.tables()[mutant.where].rows)[1])
"""
    assert said(code) == ["False"]


def test_a_changed_number_is_reckoned_with() -> None:
    code = """
from rulewright.systems.scumm.resolution.tests import unskilled
rules = book.ruleset()
print(unskilled(rules, 0, 2, 1).extra)
trying.put_in(next(each for each in mutants.in_code(book.package) if each.where.endswith("/tests.py:unskilled") and each.kind == "sum"))
print(unskilled(rules, 0, 2, 1).extra)
"""
    assert said(code) == ["3", "1"]


def test_a_fault_that_is_nowhere_is_refused() -> None:
    code = """
try:
    trying.put_in(mutants.Mutant("cell", "no-such-rule", 0, "nothing"))
except RuntimeError as wrong:
    print(str(wrong).replace(" ", "_"))
"""
    assert said(code) == ["no_book_that_is_read_has_no-such-rule"]
