"""The command line forgives: notations without quotation marks, words that are spelt otherwise, a tab for the rest."""

import re

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.cli import completion
from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.show.replies import Decided, carry_out, searched
from rulewright.show.rule_calls import Call, prepare
from rulewright.system import find
from rulewright.systems.ore.drama.determination import Cast
from rulewright.systems.ore.fight.rounds import roll_at_once
from rulewright.systems.ore.resolution.tests import Pool


def test_a_test_needs_no_quotation_marks(run):
    def said(*words):
        return run(*words).out

    assert said("roll", "scumm", "3d+1", "vs", "5", "--dice", "2,6,4") == said("roll", "scumm", "3d+1 vs 5", "--dice", "2,6,4")
    assert said("roll", "scumm", "unskilled", "-1", "vs", "4", "--dice", "5,4").startswith("unskilled -1 vs 4")
    assert said("odds", "scumm", "3d+1", "vs", "5") == said("odds", "scumm", "3d+1 vs 5")
    assert said("odds", "scumm", "3d", "2d").count("±") == 2


def test_an_option_that_there_is_not_is_still_refused(run):
    assert run("roll", "scumm", "--nonsense").status == 2


@pytest.mark.parametrize("system", ["silhouette", "scumm", "hybrid", "ore", "foresight"])
def test_plain_dice_are_rolled_and_weighed_in_every_game(run, system):
    assert run("roll", system, "2d6+1", "--dice", "3,5").out.startswith("2d6+1: 9")
    assert "8.00" in run("odds", system, "2d6+1").out


@pytest.mark.parametrize(("asked", "found"), [("armour", "scumm-armor"), ("armor", "scumm-armor"), ("initative", "scumm-initiative")])
def test_rules_are_found_however_they_are_spelt(asked, found):
    assert searched(find("scumm").book.rules(), asked)[0].id == found


def test_a_search_for_nothing_lists_all_and_one_for_what_is_not_there_nothing():
    rules = list(find("scumm").book.rules())
    assert searched(rules, "") == rules
    assert searched(rules, "xyzzyq") == []


def test_words_that_stand_together_nowhere_find_what_has_most_of_them():
    found = searched(find("scumm").book.rules(), "initiative xyzzyq")
    assert any(info.id == "scumm-initiative" for info in found)


def test_a_tab_offers_games_scenarios_characters_and_rules():
    def offered(complete, begun):
        return [item.value for item in complete(None, None, begun)]

    assert "scumm" in offered(completion.games, "sc")
    assert "scumm/ambush" in offered(completion.scenarios, "scumm/a")
    assert "scumm/hired-gun" in offered(completion.characters, "scumm/")
    assert "scumm/ambush" not in offered(completion.characters, "scumm/")
    assert "scumm-armor" in offered(completion.rule_ids, "scumm-ar")


def test_a_sentence_is_searched_for_what_it_is_about_and_a_word_before_what_it_is_a_part_of(run):
    first = searched(find("hybrid").book.rules(), "How far can I run?")[0]
    assert re.search(r"\brun", f"{first.title} {first.text}".lower())
    assert searched(find("scumm").book.rules(), "the") != []
    assert run("rules", "scumm", "initative").out.startswith("scumm-initiative")


def test_values_that_break_a_part_of_a_procedure_are_refused_as_well():
    game = find("hybrid")
    info = game.book.rule("hyb-8-attack-roll")
    call = prepare(game.book.ruleset(), info, {"strike.defense": "-100", "strike.blow": {"times": [1, 0]}}, "attack")
    with pytest.raises(UserError, match="cannot work with these values"):
        carry_out(game, call, Seeded(1), Decided([], used_up=True))


def test_who_is_named_and_not_there_is_refused_in_words():
    game = find("ore")
    info = game.book.rule("ore-4.03-determination")
    fight = replace(library.stage("ore/duel").state, casts=(Cast("Nobody", Pool(2), 1),))
    call = Call(game.book.ruleset(), info, roll_at_once, {"fight": fight}, asks=True)
    with pytest.raises(UserError, match="they name something that is not among them"):
        carry_out(game, call, Seeded(1), Decided([], used_up=True))
