"""The notation, and Hybrid as the rest of the project sees it."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, none, one_of, sampled_from, tuples

from rulewright.errors import UserError
from rulewright.play import ScriptedFaces, play
from rulewright.play.odds import exact
from rulewright.system import find
from rulewright.systems.hybrid.combat.initiative import Initiative
from rulewright.systems.hybrid.combat.notation import Reaction, Written, parse, show, spell_test
from rulewright.systems.hybrid.resolution.tests import Check, Degree, Opposed
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
CHECKS = tuples(integers(-99, 400), integers(-99, 99), sampled_from([(1, 1), (1, 4), (3, 10)])).map(lambda made: Check(*made))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("DF 12", Written(Check(12))),
        ("df12", Written(Check(12))),
        ("DF -3", Written(Check(-3))),
        ("DF 12+10-5", Written(Check(17))),
        ("DF 12 + 10 - 5 +20% -3%", Written(Check(17, 17))),
        ("DF 12 +5%", Written(Check(12, 5))),
        ("DF 12 +5", Written(Check(17))),
        ("DF 12+5%", Written(Check(12, 5))),
        ("DF 12 x1/4", Written(Check(12, share=(1, 4)))),
        ("DF 8 vs DF 10", Written(Check(8), Check(10))),
        ("DF 8 -5% vs DF 10 +5% x1/2", Written(Check(8, -5), Check(10, 5, (1, 2)))),
        ("init 4", Written(Reaction(4))),
        ("initiative 4 +5 -2", Written(Reaction(4, 3))),
    ],
)
def test_what_people_write_is_read(text, written):
    assert parse(text) == written


@pytest.mark.parametrize("text", ["", "12", "DF", "DF x", "DF 12 vs", "DF 12 x1/0", "DF 12 5%", "init", "DF 8 vs 10", "DF 12%", "DF ٣"])
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(UserError, match=r"DF 12|divided"):
        parse(text)


def test_a_text_without_end_is_refused():
    with pytest.raises(UserError, match="too long"):
        parse("DF 12" + "+1" * 500)


@given(
    one_of(
        tuples(CHECKS, one_of(none(), CHECKS)).map(lambda made: Written(*made)), integers(0, 99).map(lambda speed: Written(Reaction(speed)))
    )
)
def test_spelling_and_reading_come_back_to_the_same(written):
    assert parse(spell_test(written)) == written


def test_outcomes_in_words():
    assert show(Degree.SOLID_SUCCESS).verdict == "success"
    assert show(Degree.AMAZING_FAILURE).order == 0
    assert show(Opposed(Degree.SUCCESS, Degree.FAILURE)).label == "Success, stands (Failure)"
    assert show(Opposed(Degree.SUCCESS, Degree.SUCCESS)).verdict == "failure"
    assert show(Opposed(Degree.FAILURE)).label == "Failure by itself"
    assert show(Initiative(1, 3)).label == "count 1, 3 speed points"
    assert show(Initiative(9)).verdict is None


def test_the_game_is_found_and_tests_what_was_written():
    game = find("hybrid")
    odds = exact(game.test(RULES, "DF 12"))
    assert odds.total == 100
    assert sum(weight for outcome, weight in odds if game.show(outcome).verdict == "success") == 52
    assert exact(game.test(RULES, "init 4"))[Initiative(13)] == pytest.approx(6 / 36)
    assert "character" in game.file_kinds()


@pytest.mark.parametrize(("notation", "faces", "last"), [("DF 12", (30,), 52), ("DF 12 vs DF 3", (30,), 52), ("init 4", (3, 4), 6)])
def test_a_roll_says_what_it_was_held_against(notation, faces, last):
    game = find("hybrid")
    rolls = [faces, (99,)] if "vs" in notation else [faces]
    played = play(game.test(RULES, notation).start(), dice=ScriptedFaces(rolls))
    terms = game.explain(played.rolls[0])
    assert (terms[0].value, terms[-1].value) == (sum(faces), last)
