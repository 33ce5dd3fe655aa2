"""The ready-made characters: legal, complete, readable, over several settings and technology levels."""

import pytest

from foresight.rules_for_tests import RULES
from rulewright import files
from rulewright.errors import UserError
from rulewright.systems.foresight import SYSTEM
from rulewright.systems.foresight.people.characters import Character
from rulewright.systems.foresight.settings import BOOK

DEMOS = {name: file for name, file in SYSTEM.demos().items() if name.startswith("characters/")}
EVERYBODY = {name: SYSTEM.new(RULES, "character", name.removeprefix("characters/").removesuffix(".yaml")) for name in DEMOS}


def test_there_are_twelve_and_each_can_be_asked_for_by_name():
    listed = SYSTEM.archetypes("character")
    assert len(DEMOS) >= 12
    assert {name.removeprefix("characters/").removesuffix(".yaml") for name in DEMOS} | {"all-rounder", "nothing"} == set(listed)
    assert all(listed.values())
    assert SYSTEM.archetypes("machine") == {}


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_legal_without_a_warning(name):
    assert SYSTEM.audit(RULES, EVERYBODY[name]).problems == ()


@pytest.mark.parametrize("name", DEMOS)
def test_players_have_spent_everything(name):
    character = EVERYBODY[name]
    for budget in SYSTEM.audit(RULES, character).budgets[:4]:
        assert budget.spent == budget.allowed or not character.player


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_a_commented_file_that_reads_strictly(name):
    document = files.parse(DEMOS[name].read_bytes(), name)
    assert document.text.startswith("# ")
    assert files.convert(document, Character) == EVERYBODY[name]


def test_they_come_from_many_places():
    assert len({character.package for character in EVERYBODY.values()}) >= 5
    assert len({character.tl for character in EVERYBODY.values()}) >= 5
    assert len({character.species for character in EVERYBODY.values()}) >= 2
    assert len({character.name for character in EVERYBODY.values()}) == len(EVERYBODY)
    assert not any("Kwan" in character.name for character in EVERYBODY.values())  # the book's own example is no demo of ours
    assert any(character.experience for character in EVERYBODY.values())
    assert any(not character.player for character in EVERYBODY.values())


@pytest.mark.parametrize(
    "settings",
    [{}, {"free-packages": False}, {"colony-package-points": 7}, {"early-fields": True}, {"continuous-values": True}, {"downtime": True}],
)
def test_the_all_rounder_is_legal_by_any_rules(settings):
    rules = BOOK.ruleset(settings=settings)
    assert SYSTEM.audit(rules, SYSTEM.new(rules, "character")).legal
    assert SYSTEM.new(rules, "character") == SYSTEM.new(rules, "character", "all-rounder")


def test_an_unknown_archetype_or_kind_is_refused():
    with pytest.raises(UserError, match='did you mean "smuggler"'):
        SYSTEM.new(RULES, "character", "smugler")
    with pytest.raises(UserError, match="no beginnings of kind"):
        SYSTEM.new(RULES, "machine")
