"""Sheets, ready-made characters and settings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.library import take
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.system import find
from rulewright.systems.ore.people.characters import Award, Character, Owned, Purchase, Special, Statistics
from rulewright.systems.ore.resolution.sets import area_dice
from rulewright.systems.ore.settings import BOOK

GAME = find("ore")
RULES = BOOK.ruleset()
DEMOS = [name.removesuffix(".yaml") for name in GAME.demos() if name.startswith("characters/")]


def kept(name):
    return take(f"ore/{name}").thing


def test_there_are_characters_with_and_without_powers_for_each_gear():
    people = [kept(name) for name in DEMOS]
    gifted = [person.built_for for person in people if person.powers or person.inherent]
    plain = [person.built_for for person in people if not person.powers and not person.inherent]
    assert {gear: gifted.count(gear) for gear in ("gritty", "action", "superhuman")} == {"gritty": 2, "action": 3, "superhuman": 3}
    assert all(plain.count(gear) >= 4 for gear in ("gritty", "action", "superhuman"))


@pytest.mark.parametrize("name", DEMOS)
def test_a_ready_made_character_is_legal_in_its_own_gear(name):
    character = kept(name)
    by = BOOK.ruleset(character.built_for)
    report = GAME.audit(by, character)
    assert report.legal, report.problems
    assert not report.problems
    sheet = GAME.sheet(by, character)
    for test in sheet.tests().values():
        odds = exact(GAME.test(by, test.notation))
        assert sum(odds.weights.values()) == odds.total


@pytest.mark.parametrize("preset", [None, *BOOK.presets])
@pytest.mark.parametrize("system", ["broad and narrow", "action", "discipline"])
@pytest.mark.parametrize("build", ["points", "archetype"])
def test_the_all_rounder_is_legal_under_any_rules(preset, system, build):
    chosen = {"skill-system": system, "build": build}
    if build == "archetype":
        chosen["more-non-human"] = False
    if system == "discipline" and preset == "gritty":
        chosen["special-dice"] = "standard"
    by = BOOK.ruleset(preset, chosen)
    character = GAME.new(by, "character")
    assert GAME.audit(by, character).legal, GAME.audit(by, character).problems
    assert character.skills
    assert GAME.sheet(by, character).tests()


def test_a_sheet_shows_what_follows():
    by = BOOK.ruleset("action", {"companies": "companies", "statistic-focuses": True, "simplified-advantages": False})
    character = Character(
        "Vera",
        statistics=Statistics(command=3),
        focuses={"command": "stern"},
        skills={"leadership": 2, "fight": 3},
        special={"fight": Special(expert=2)},
        feats={"Look Of Eagles": 1},
        advantages=(Owned("staff", first=4, second=3), Owned("action hero", 2), Owned("wealth", 3), Owned("income", 2)),
        advancement=(Award(5, "one"), Purchase("feat", "Look Of Eagles", 2)),
    )
    sheet = GAME.sheet(by, character)
    values = {key: value.value for key, value in sheet.values().items()}
    assert values["drama_points"] == 2
    assert values["company_might"] == 2
    assert values["money"] == 5000
    assert values["income"] == 200
    assert values["skill_feats"] == 2
    assert values["experience_left"] == 3
    tests = sheet.tests()
    assert tests["fight"].notation == "3d+2ed"
    assert tests["leadership"].notation == "5d"
    assert tests["call.staff"].notation == "7d"
    assert any(chip.label == "focus: stern" for chip in tests["leadership"].modifiers)
    gritty = GAME.sheet(BOOK.ruleset("gritty"), character).tests()
    assert gritty["fight"].notation == "4d+1ed"
    masterly = Character("Max", skills={"fight": 3}, special={"fight": Special(0, 2)})
    assert GAME.sheet(BOOK.ruleset("gritty"), masterly).tests()["fight"].notation == "5d"
    assert GAME.sheet(BOOK.ruleset("action"), masterly).tests()["fight"].notation == "4d+1md"


def test_concentrations_have_tests_of_their_own():
    by = BOOK.ruleset(settings={"skill-system": "discipline"})
    character = Character("Ulf", skills={"close combat": 2}, concentrations={"close combat": {"unarmed": 2}})
    assert GAME.sheet(by, character).tests()["close combat.unarmed"].notation == "4d+2ed"


def test_beginnings_that_are_not_there_are_refused():
    with pytest.raises(UserError):
        GAME.new(RULES, "machine")
    with pytest.raises(UserError):
        GAME.new(RULES, "character", "nobody")
    assert "all-rounder" in GAME.archetypes("character")
    assert GAME.archetypes("machine") == {}


def test_area_dice_stand_for_themselves():  # lines 538-543
    assert script(area_dice(RULES, 3), [(4, 4, 9)]).outcome == ((2, 4), (1, 9))
    assert script(area_dice(RULES, 0)).outcome == ()
    with pytest.raises(UserError):
        script(area_dice(RULES, 13))


choices = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans() if isinstance(setting.default, bool) else st.sampled_from(setting.values)
        for name, setting in BOOK.settings.items()
        if isinstance(setting.default, bool) or setting.values
    },
)


@settings(max_examples=25, deadline=None)
@given(choices)
def test_any_options_that_go_together_can_be_played(chosen):
    excluded = [
        (name, one, other, value)
        for name, setting in BOOK.settings.items()
        for one, other, value, _ in setting.excludes
        if chosen.get(name, setting.default) == one and chosen.get(other, BOOK.settings[other].default) == value
    ]
    if excluded:
        with pytest.raises(UserError, match="cannot work together"):
            BOOK.ruleset(settings=chosen)
        return
    by = BOOK.ruleset(settings=chosen)
    character = GAME.new(by, "character")
    assert GAME.audit(by, character).legal
    assert GAME.sheet(by, character)
    for notation in ("4d+1ed diff 3", "3d vs 3d", "2d-3d", "3d with 2d", "4d sets"):
        odds = exact(GAME.test(by, notation))
        assert sum(odds.weights.values()) == odds.total
