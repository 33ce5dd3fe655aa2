"""Running the command line from tests: in this process where possible, as a process of its own where it matters."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rulewright.cli import main


class Ran(NamedTuple):
    """What a command gave."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for every test, with a file of each kind in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_DEBUG", raising=False)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run


@pytest.fixture
def process() -> Callable[..., Ran]:
    """The same as a process of its own, with input typed in."""

    def process(*arguments: object, typed: str = "") -> Ran:
        command = [sys.executable, "-c", "import sys; from rulewright.cli import main; sys.exit(main())", *map(str, arguments)]
        environment = {key: value for key, value in os.environ.items() if key != "RULEWRIGHT_DEBUG"}
        done = subprocess.run(command, input=typed, capture_output=True, text=True, env=environment, timeout=60, check=False)
        return Ran(done.returncode, done.stdout, done.stderr)

    return process
