"""Ready-made scenarios with extreme values: `simulate` gives a result or a message within bounded processor time, and no traceback.

Every number becomes zero, negative, tiny and huge, every list empty or thirty times as long, and every field is left out once.
"""

import copy
import signal
from pathlib import Path
from random import Random

import pytest
import yaml
from click.testing import CliRunner

import rulewright as package
from rulewright.cli import rulewright
from rulewright.errors import UserError

FILES = sorted((Path(package.__file__).parent / "systems").glob("*/demos/scenarios/*.yaml"))
SECONDS = 15.0
FOUND = [
    ("silhouette", "town-duel", ("map", "cell"), 1e-9),
    ("silhouette", "airlock", ("sides", "boarders", 0, "state", "drift", 0), 1e-9),
    ("ore", "dogfight", ("sides", "squadron"), "thirty times"),
]
"""Mutants that once divided by zero or took too long."""
PLAIN = ("about", "demo", "name", "system", "kind")


class Plain(yaml.SafeDumper):
    """Writes YAML without aliases, which Rulewright does not read."""

    def ignore_aliases(self, data):
        return True


def leaves(value, at=()):
    """Every field, with its place."""
    if at:
        yield at, value
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        if at or key not in PLAIN:
            yield from leaves(value[key], (*at, key))


def variants(value):
    """Extreme values in place of one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [0, -1, 10**7, 1e-9]
    return [[], "thirty times"] if isinstance(value, list) else [{}] if isinstance(value, dict) else [""]


def mutants(data):
    """Every mutant of a scenario: the place, and the new value; None to leave the field out."""
    return [(at, value) for at, old in leaves(data) for value in (*variants(old), None)]


def mutated(data, at, value):
    """A scenario with another value at a place."""
    result = copy.deepcopy(data)
    node = result
    for key in at[:-1]:
        node = node[key]
    if value is None:
        del node[at[-1]]
    else:
        node[at[-1]] = node[at[-1]] * 30 if value == "thirty times" else value
    return result


class TookTooLong(BaseException):
    """No exception that a program catches."""


def refuse_fault(file, folder, at, value):
    """Simulates a mutant; fails unless it ends in a result or a message."""
    path = folder / "mutant.yaml"
    data = mutated(yaml.safe_load(file.read_text("utf-8")), at, value)
    path.write_text(yaml.dump(data, Dumper=Plain, sort_keys=False, allow_unicode=True), "utf-8")

    def stop(*_):
        raise TookTooLong

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        answer = CliRunner().invoke(rulewright, ["simulate", str(path), "-n", "2", "--seed", "1"])
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert answer.exception is None or isinstance(answer.exception, UserError | SystemExit), (file.stem, at, value, answer.exception)


@pytest.mark.parametrize(("game", "name", "at", "value"), FOUND)
def test_mutants_that_failed_once_end_in_a_result_or_a_message(tmp_path, game, name, at, value):
    (file,) = [file for file in FILES if file.stem == name and game in file.parts]
    refuse_fault(file, tmp_path, at, value)


@pytest.mark.parametrize("share", [2, pytest.param(60, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-4]}-{file.stem}")
def test_no_extreme_value_in_a_scenario_breaks_simulate(tmp_path, file, share):
    every = mutants(yaml.safe_load(file.read_text("utf-8")))
    for at, value in Random(file.stem).sample(every, min(share, len(every))):
        refuse_fault(file, tmp_path, at, value)
