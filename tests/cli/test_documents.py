"""The commands, files and Python examples in README and docs work as written."""

import doctest
import re
import shlex
from pathlib import Path

import click
import pytest

from rulewright.cli import rulewright
from rulewright.system import HOUSE

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOURS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "games").glob("*.md"))}
TUTORIALS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "tutorials").glob("*.md"))}
GUIDES = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("hosting", "table", "own")}


def commands(text: str) -> list[str]:
    """The lines of a document that begin with `$ rulewright`, without their comments."""
    return [line.partition("  #")[0].strip() for line in re.findall(r"^\$ (rulewright .*)$", text, re.MULTILINE)]


def python_blocks(text: str) -> str:
    """The Python code of a document; later blocks may use names of earlier ones."""
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))


OF_TOURS = [line for text in TOURS.values() for line in commands(text)]
ALL = list(dict.fromkeys(OF_TOURS + [line for text in TUTORIALS.values() for line in commands(text)]))
SCENARIOS = [line for line in ALL if re.search(r" simulate | --interactive", line)]
WITH_FILES = re.compile(r" (?!\w+/)\S+\.(?:yaml|jsonl)\b")
QUICK = [line for line in ALL if line not in SCENARIOS and not WITH_FILES.search(line)]


def test_the_readme_fits_on_one_screen():
    assert len(README.splitlines()) <= 60
    assert len(re.findall(r"!\[", README)) == 1
    assert re.findall(r"^make (\w+) +#", README, re.MULTILINE) == ["run", "test"]


def test_every_game_has_a_tour_with_commands():
    assert set(TOURS) == set(HOUSE)
    for game, text in TOURS.items():
        assert f"docs/games/{game}.md" in README
        assert sum(game in line for line in commands(text)) >= 5
    assert len(QUICK) > 25


@pytest.mark.parametrize("line", QUICK)
def test_a_command_of_the_documents_runs(run, line):
    ran = run(*shlex.split(line)[1:])
    assert (ran.status, ran.err) == (0, "")
    assert ran.out


@pytest.mark.parametrize("line", SCENARIOS)
def test_a_scenario_of_the_documents_exists(run, line):
    words = shlex.split(line)
    settings = [f"--set={words[at + 1]}" for at, word in enumerate(words) if word in ("--set", "--versus-set")]
    assert run("audit", words[2], *settings).status == 0


@pytest.mark.parametrize("name", [name for name, text in (TOURS | TUTORIALS).items() if WITH_FILES.search("\n".join(commands(text)))])
def test_commands_that_write_and_read_files_run_in_order(run, name):
    text = (TOURS | TUTORIALS)[name]
    for line in commands(text):
        if line in SCENARIOS or "night.jsonl" in line or not WITH_FILES.search(line):
            continue
        ran = run(*shlex.split(line)[1:])
        assert ran.status == 0, line
        shown = text.partition(f"$ {line}\n")[2].partition("```")[0].partition("$ ")[0]
        if shown:
            assert ran.out == shown


def test_the_tour_shows_the_output_of_why():
    assert "$ rulewright why ana.yaml flesh_wound_threshold\n4   " in TOURS["scumm"]


@pytest.mark.parametrize("line", [line for line in ALL if line in SCENARIOS or WITH_FILES.search(line)])
def test_the_options_of_a_command_exist(folder, line):
    _parse(folder, line)


@pytest.mark.parametrize("name", ["hosting", "table"])
def test_the_options_of_server_commands_exist(folder, name):
    lines = re.findall(r"^(rulewright [^#&|`\n]*)", GUIDES[name], re.MULTILINE)
    lines += [line.replace("[", "").replace("]", "") for line in re.findall(r"`(rulewright [^`]*)`", GUIDES[name])]
    assert lines
    for line in lines:
        _parse(folder, line)


def _parse(folder: Path, line: str) -> None:
    """Parse a command line without running it; an unknown option or value raises."""
    words = shlex.split(line)[1:]
    for word in words:
        if re.fullmatch(r"[A-Z]+|[\w.-]+\.(?:yaml|jsonl|db)", word):
            (folder / word).touch()
    command = rulewright.get_command(click.Context(rulewright), words[0])
    assert command is not None, line
    if len(words) > 1 or not isinstance(command, click.Group):
        command.make_context(words[0], words[1:])


def test_the_files_that_are_shown_can_be_played(run, folder):
    run("new", "scumm", "-o", "ana.yaml")
    shown = re.findall(r"```yaml\n(.*?)```", "\n".join([*TOURS.values(), GUIDES["own"]]), re.DOTALL)
    assert len(shown) >= 3
    for number, text in enumerate(shown):
        (folder / f"shown-{number}.yaml").write_text(text)
        assert run("audit", f"shown-{number}.yaml").err == ""


@pytest.mark.parametrize("text", [TUTORIALS["programmer"], GUIDES["table"]], ids=["programmer", "table"])
def test_the_python_examples_run(text):
    code = python_blocks(text)
    assert code
    exec(compile(code, "example", "exec"), {})


def test_the_examples_of_own_content_hold():
    results = doctest.testfile(str(DOCS / "own.md"), module_relative=False)
    assert results.attempted > 30
    assert not results.failed
