"""The ready-made characters: legal, complete, readable, and playable by any rules."""

import re
import shlex
import subprocess
import sys
from fractions import Fraction
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from rulewright import files
from rulewright.errors import UserError
from rulewright.systems.scumm import SYSTEM
from rulewright.systems.scumm.people.characters import Character
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
DEMOS = {name: file for name, file in SYSTEM.demos().items() if name.startswith("characters/")}
ALLOWED_WARNINGS = {"hunter": {"scumm-xp-award"}, "mercenary": {"scumm-guns", "scumm-wealth"}}


def named(name):
    return name.removeprefix("characters/").removesuffix(".yaml")


def test_there_are_more_than_ten_and_each_can_be_asked_for_by_name():
    listed = SYSTEM.archetypes("character")
    assert len(DEMOS) >= 12
    assert {named(name) for name in DEMOS} | {"all-rounder", "nothing"} == set(listed)
    assert all(listed.values())
    assert SYSTEM.archetypes("machine") == {}


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_legal_and_warns_only_where_it_says_so(name):
    report = SYSTEM.audit(RULES, SYSTEM.new(RULES, "character", named(name)))
    assert report.legal
    assert {problem.rule for problem in report.problems} == ALLOWED_WARNINGS.get(named(name), set())


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_a_commented_file_that_reads_strictly(name):
    document = files.parse(DEMOS[name].read_bytes(), name)
    character = files.convert(document, Character)
    assert document.text.startswith("# ")
    assert character == SYSTEM.new(RULES, "character", named(name))
    assert (document.data["system"], document.data["kind"]) == ("scumm", "character")


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_saved_over_itself_keeps_its_comments_and_its_audit(name, tmp_path):
    path = tmp_path / "kept.yaml"
    path.write_bytes(DEMOS[name].read_bytes())
    document = files.read(path)
    character = files.convert(document, Character)
    files.write(path, {**document.data, "name": "Somebody Else"}, over=document)
    again = files.read(path)
    assert again.text.count("#") == document.text.count("#")
    assert SYSTEM.audit(RULES, files.convert(again, Character)) == SYSTEM.audit(RULES, character)


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_has_a_sheet_whose_tests_can_be_rolled(name):
    found = SYSTEM.sheet(RULES, SYSTEM.new(RULES, "character", named(name)))
    for test in found.tests().values():
        assert SYSTEM.test(RULES, test.notation + " vs 5")


def test_players_have_nothing_left_to_spend():
    for name in DEMOS:
        character = SYSTEM.new(RULES, "character", named(name))
        attributes, skills, *_ = SYSTEM.audit(RULES, character).budgets
        if character.player:
            assert attributes.spent == attributes.allowed
            assert skills.spent == skills.allowed
        else:
            assert skills.spent < skills.allowed


def test_some_are_players_some_are_not_and_some_have_grown():
    everybody = [SYSTEM.new(RULES, "character", named(name)) for name in DEMOS]
    assert sum(not character.player for character in everybody) >= 2
    assert sum(bool(character.advancement) for character in everybody) >= 2
    assert len({character.name for character in everybody}) == len(everybody)


@pytest.mark.parametrize("settings", [{}, {"creation-costs": "steps"}, {"lowered-attributes-give-points": False}])
def test_the_all_rounder_is_legal_by_any_rules_and_spends_everything(settings):
    rules = BOOK.ruleset(settings=settings)
    report = SYSTEM.audit(rules, SYSTEM.new(rules, "character"))
    assert report.problems == ()
    assert all(budget.spent == budget.allowed for budget in report.budgets[:2])
    assert SYSTEM.new(rules, "character") == SYSTEM.new(rules, "character", "all-rounder")


def test_a_new_character_can_be_written_and_read(tmp_path):
    path = tmp_path / "new.yaml"
    files.write(path, msgspec.to_builtins(SYSTEM.new(RULES, "character")))
    assert files.convert(files.read(path), Character) == SYSTEM.new(RULES, "character")


def test_an_unknown_archetype_or_kind_is_refused():
    with pytest.raises(UserError, match='did you mean "detective"'):
        SYSTEM.new(RULES, "character", "detectiv")
    with pytest.raises(UserError, match="no beginnings of kind"):
        SYSTEM.new(RULES, "machine")


def blocks(language):
    readme = resources.files("rulewright.systems.scumm").joinpath("README.md").read_text(encoding="utf-8")
    return [block.removeprefix(language) for block in readme.split("```")[1::2] if block.startswith(language)]


def test_the_file_shown_in_the_readme_is_legal():
    (shown,) = blocks("yaml")
    assert SYSTEM.audit(RULES, files.convert(files.parse(shown, "README.md"), Character)).problems == ()


def test_the_code_shown_in_the_readme_runs_and_gives_what_it_says():
    (shown,) = blocks("python")
    *lines, last = shown.strip().splitlines()
    names = {}
    exec("\n".join(lines), names)
    assert eval(last, names) == eval(last.partition("# ")[2], {"Fraction": Fraction})


@pytest.mark.slow
def test_the_commands_shown_in_the_readme_work(tmp_path):
    shown = next(block for block in blocks("\n") if "rulewright roll" in block)
    for line in shown.strip().splitlines():
        command = shlex.split(re.split(r" {3,}", line)[0])
        assert command[0] == "rulewright"
        done = subprocess.run(
            [sys.executable, "-c", "from rulewright.cli import main; main()", *command[1:]], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, (line, done.stderr)


def test_the_readme_names_every_file_of_the_game():
    folder = resources.files("rulewright.systems.scumm")
    readme = folder.joinpath("README.md").read_text(encoding="utf-8")
    for file in sorted(Path(str(folder)).rglob("*.*")):
        if file.suffix in {".py", ".yaml"} and not file.name.startswith("_") and "demos" not in file.parts:
            assert file.relative_to(str(folder)).as_posix() in readme, file
