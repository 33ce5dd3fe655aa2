"""Feats on the sheet and in the builder: lists with prices and what they ask for, tests with reasons (book lines 732-751, 2327-2340)."""

import pytest

from rulewright.build import sheet_parts
from rulewright.play.odds import exact
from rulewright.rules import Ruleset
from rulewright.system import find
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.feats import paths
from rulewright.systems.ore.settings import BOOK
from rulewright.web.sheets.edits import apply_edit

GAME = find("ore")
RULES = BOOK.ruleset()
ANN = Character(
    "Ann",
    statistics=Statistics(body=3, coordination=3, psyche=3, insight=2),
    skills={"athletics": 3, "crime": 5, "unarmed": 4, "physique": 5},
    feats={"Wired": 1, "Locksmith's Hand": 4, "Kick Murder": 4, "Iron Constitution": 5},
    weapons=("broadsword",),
)


def section(character, title, rules: Ruleset = RULES):
    return next(part for part in GAME.sheet(rules, character).sections if part.title == title)


def test_the_builder_lists_every_path_with_its_next_level_and_what_it_asks_for():
    (listed,) = [piece for piece in section(ANN, "Feats").pieces if isinstance(piece, sheet_parts.Rows)]
    offered = {option.key: option for option in listed.addable}
    assert set(offered) == set(paths(RULES)) - {name for name, level in ANN.feats.items() if level >= 5}
    assert (offered["Wired"].label, offered["Wired"].price, offered["Wired"].barred) == ("Wired 2: Roll Over", "2 points", "")
    assert offered["Uncanny Defense"].barred == "needs dodge or close combat 1"
    assert "skill feat" in offered["Cliffhanger"].group
    assert offered["Cliffhanger"].note


def test_a_level_is_bought_from_the_list():
    sheet = GAME.sheet(RULES, ANN)
    after = apply_edit(ANN, sheet, "feats", "add", "Wired", [])
    assert after.feats["Wired"] == 2


def test_a_feat_at_work_is_a_test_with_its_reasons():
    tests = {piece.key: piece for piece in section(ANN, "Effects of feats").pieces if isinstance(piece, sheet_parts.Test)}
    forged = tests["feat.Locksmith's Hand 4.an hour of study"]
    assert forged.notation == "8d diff 2"
    picks = tests["feat.Locksmith's Hand 3.b & e (with your own picks)"]
    assert picks.notation == "8d squash squish"
    for test in tests.values():
        odds = exact(GAME.test(RULES, test.notation))
        assert sum(odds.weights.values()) == odds.total


def test_what_is_no_roll_is_told():
    told = {piece.name: piece for piece in section(ANN, "Effects of feats").pieces if isinstance(piece, sheet_parts.Tag)}
    assert any(name.startswith("Hidden Picks") and "for others" in name for name in told)


def test_weapons_and_wounds_show_what_feats_do():
    fists = next(piece for piece in section(ANN, "Weapons").pieces if isinstance(piece, sheet_parts.Test))
    assert fists.notation.endswith("squash squish")  # Axe Kick, line 4147
    wounds = BOOK.ruleset(settings={"wounds": True})
    limit = GAME.sheet(wounds, ANN).values()["wound_threshold"]
    assert [reason.label for reason in limit.reasons] == ["Body 3", "feats"]


@pytest.mark.parametrize("system", ["broad and narrow", "action", "discipline"])
def test_a_sheet_with_every_path_can_be_drawn(system):
    by = BOOK.ruleset(settings={"skill-system": system})
    everything = Character("All", feats=dict.fromkeys(paths(by), 5))
    assert GAME.sheet(by, everything).tests()
