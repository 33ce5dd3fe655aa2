"""The ready-made characters: legal, complete, readable, and playable."""

from importlib import resources

import msgspec
import pytest

from rulewright import files
from rulewright.errors import UserError
from rulewright.systems.hybrid import SYSTEM
from rulewright.systems.hybrid.people.characters import Character
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
DEMOS = {name: file for name, file in SYSTEM.demos().items() if name.startswith("characters/")}


def named(name):
    return name.removeprefix("characters/").removesuffix(".yaml")


def test_there_are_at_least_eight_and_each_can_be_asked_for_by_name():
    listed = SYSTEM.archetypes("character")
    assert len(DEMOS) >= 8
    assert {named(name) for name in DEMOS} | {"all-rounder", "nothing"} == set(listed)
    assert all(listed.values())
    assert SYSTEM.archetypes("machine") == {}


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_legal_and_spends_everything(name):
    report = SYSTEM.audit(RULES, SYSTEM.new(RULES, "character", named(name)))
    assert report.problems == ()
    assert all(budget.spent == budget.allowed for budget in report.budgets[:4])


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_a_commented_file_that_reads_strictly(name):
    document = files.parse(DEMOS[name].read_bytes(), name)
    assert document.text.startswith("# ")
    assert files.convert(document, Character) == SYSTEM.new(RULES, "character", named(name))


def test_every_people_and_culture_has_somebody():
    everybody = [SYSTEM.new(RULES, "character", named(name)) for name in DEMOS]
    assert {each.race for each in everybody} == {"Human", "Kothan", "Thenean", "Hairochan", "Bitadar", "Kurrock", "Rupa Kechil"}
    assert len({each.culture for each in everybody}) == 9
    assert len({each.name for each in everybody}) == len(everybody)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"careers": True},
        {"culture-skills": "chapter 9"},
        {"stat-points": 60},
        {"raising-given-ranks": "full"},
        {"starting-skill-points": "10"},
        {"highest-allocated": 12},
    ],
)
def test_the_all_rounder_is_legal_by_any_rules(settings):
    rules = BOOK.ruleset(settings=settings)
    report = SYSTEM.audit(rules, SYSTEM.new(rules, "character"))
    assert report.legal
    assert report.budgets[1].spent == report.budgets[1].allowed
    assert SYSTEM.new(rules, "character") == SYSTEM.new(rules, "character", "all-rounder")


def test_a_new_character_can_be_written_and_read(tmp_path):
    path = tmp_path / "new.yaml"
    files.write(path, msgspec.to_builtins(SYSTEM.new(RULES, "character")))
    assert files.convert(files.read(path), Character) == SYSTEM.new(RULES, "character")


def test_an_unknown_archetype_or_kind_is_refused():
    with pytest.raises(UserError, match='did you mean "hunter"'):
        SYSTEM.new(RULES, "character", "hunterr")
    with pytest.raises(UserError, match="no beginnings of kind"):
        SYSTEM.new(RULES, "machine")


def test_the_readme_names_every_file_of_the_builder():
    readme = resources.files("rulewright.systems.hybrid").joinpath("README.md").read_text(encoding="utf-8")
    for file in (
        "creation",
        "gifts",
        "ties",
        "careers",
        "sheet",
        "advancement",
        "archetypes",
        "characters",
        "statistics",
        "traits",
    ):
        assert f"/{file}.py`" in readme, file
    assert "`build/audit/`" in readme
