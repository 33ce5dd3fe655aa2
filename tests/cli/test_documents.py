"""What the README and the page about one's own things say is true: their commands run, their files load, their examples hold."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README, OWN = (ROOT / "README.md").read_text(), (ROOT / "docs" / "own.md").read_text()
COMMANDS = [line.partition("  #")[0].strip() for line in re.findall(r"^\$ (rulewright .*)$", README, re.M)]
QUICK = [line for line in COMMANDS if not re.search(r"simulate|--interactive|ana\.yaml|night\.jsonl", line)]


def test_there_are_commands_for_every_game():
    assert {game for line in COMMANDS for game in ("scumm", "silhouette", "ore", "foresight", "hybrid") if game in line}
    assert len(QUICK) > 15


@pytest.mark.parametrize("line", QUICK)
def test_a_command_of_the_readme_runs(run, line):
    ran = run(*shlex.split(line)[1:])
    assert (ran.status, ran.err) == (0, "")
    assert ran.out


@pytest.mark.parametrize("line", [line for line in COMMANDS if "simulate" in line or "--interactive" in line])
def test_a_scenario_of_the_readme_is_there(run, line):
    words = shlex.split(line)
    settings = [f"--set={words[at + 1]}" for at, word in enumerate(words) if word == "--set"]
    assert run("audit", words[2], *settings).status == 0


def test_the_character_of_the_readme_is_made_checked_and_explained(run):
    for line in (line for line in COMMANDS if "ana.yaml" in line):
        ran = run(*shlex.split(line)[1:])
        assert ran.status == 0, line
        if " why " in line:
            shown = README.partition(f"$ {line}\n")[2].partition("$ ")[0]
            assert ran.out == shown


def test_the_files_that_are_shown_can_be_played(run, folder):
    run("new", "scumm", "-o", "ana.yaml")
    for number, text in enumerate(re.findall(r"```yaml\n(.*?)```", README + OWN, re.S)):
        (folder / f"shown-{number}.yaml").write_text(text)
        assert run("audit", f"shown-{number}.yaml").err == ""


def test_the_python_of_the_readme_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    exec(compile(code, "README.md", "exec"), {})


def test_the_examples_of_ones_own_things_hold():
    results = doctest.testfile(str(ROOT / "docs" / "own.md"), module_relative=False)
    assert results.attempted > 30
    assert not results.failed
