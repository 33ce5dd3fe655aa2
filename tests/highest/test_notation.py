"""Tests in notation, and the game as the rest of the project sees it."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis.strategies import builds, integers, none, one_of, text

from rulewright.cli import main
from rulewright.dice import HighestDie, Total, Unskilled
from rulewright.errors import UserError
from rulewright.highest_die.notation import Written, parse, show, spell, spell_test
from rulewright.highest_die.tests import DicePool, Opposed
from rulewright.highest_die.tests import Test as Outcome
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.rules.reasons import Mod
from rulewright.system import find, names
from rulewright.systems.scumm import SYSTEM as SCUMM
from rulewright.systems.scumm.resolution import tests as scumm
from rulewright.systems.silhouette import SYSTEM as SILHOUETTE
from rulewright.systems.silhouette.resolution import tests as silhouette

GAMES = {"scumm": (SCUMM, scumm), "silhouette": (SILHOUETTE, silhouette)}
DICE = {"scumm": "scumm-dice-roll", "silhouette": "sil-1.2.3-reading-dice"}
UNSKILLED = {"scumm": "scumm-unskilled-test", "silhouette": "sil-1.2.4-unskilled-test"}

games = pytest.mark.parametrize("game", GAMES)


def pool(dice: int, modifier: int = 0, emergency: int = 0) -> DicePool:
    return DicePool(dice, (Mod("modifier", modifier),) if modifier else (), emergency)


def own(game: str, dice: int, modifier: int = 0):
    return GAMES[game][1].Pool(dice, (Mod("modifier", modifier),) if modifier else ())


def written_in(game: str, notation: str):
    system = GAMES[game][0]
    return system.test(system.book.ruleset(), notation)


@pytest.mark.parametrize(
    ("notation", "written"),
    [
        ("3d", Written(pool(3))),
        ("3d+1 vs 5", Written(pool(3, 1), 5)),
        (" 3D + 1 VS 5 ", Written(pool(3, 1), 5)),
        ("3d+1 vs 2d", Written(pool(3, 1), pool(2))),
        ("3d+1 vs 2d-1", Written(pool(3, 1), pool(2, -1))),
        ("unskilled-1 vs 4", Written(pool(0, -1), 4)),
        ("unskilled", Written(pool(0))),
        ("2d+3ed vs 6", Written(pool(2, 0, 3), 6)),
        ("2d+1+2ed-2 vs unskilled+1", Written(pool(2, -1, 2), pool(0, 1))),
    ],
)
def test_people_write_tests_in_many_ways(notation, written):
    assert parse(notation, DicePool) == written


POOLS = builds(pool, integers(0, 100), integers(-99, 99), integers(0, 5))


@given(builds(Written, POOLS, one_of(none(), integers(0, 999_999), POOLS)))
def test_what_is_spelt_is_read_back_the_same(written):
    assert parse(spell_test(written), DicePool) == written


@pytest.mark.parametrize(
    "junk",
    [
        *("", " ", "d", "0d", "0d+1 vs 4", "-1d", "3d+", "3d+ vs", "3d+ vs 5", "3d+1 vs", "vs 5", "3d vs 5 vs 6"),
        *("3d+1 vs 5 junk", "junk", "3dd", "3d6", "3.5d", "3d+1.5", "3d vs -1", "99999999d", "3d+99999999", "3d vs 99999999"),
        *("٣d", "3d+١", "3d vs ٥", "³d", "3d-2ed", "unskilled3", "skilled", "3d\n+1\x00", "3 d", "d3", "3d+ed", "3d--1"),
        "3d" + "+1" * 500,
    ],
)
def test_junk_is_refused_in_one_sentence(junk):
    with pytest.raises(UserError) as refused:
        parse(junk, DicePool)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_converted_threshold_is_named_lines_7904_to_7924(capsys):
    bigger = SILHOUETTE.book.ruleset("ten-sided dice")
    assert SILHOUETTE.remark(bigger, "3d+1 vs 5") == "Threshold 5 is 8 with 10-sided dice."
    assert [SILHOUETTE.remark(bigger, notation) for notation in ("3d+1", "3d vs 2d", "2d6+1")] == ["", "", ""]
    assert SILHOUETTE.remark(SILHOUETTE.book.ruleset(), "3d+1 vs 5") == ""
    for command in ("odds", "roll"):
        main([command, "silhouette", "3d+1 vs 5", "--preset", "ten-sided dice"])
        assert "Threshold 5 is 8" in capsys.readouterr().out


@given(text(max_size=30))
def test_any_text_is_read_or_refused_and_never_breaks(anything):
    try:
        written = parse(anything, DicePool)
    except UserError:
        return
    assert parse(spell_test(written), DicePool) == written


@games
@pytest.mark.parametrize("notation", ["2d+6ed", "1000d", "3d+99999", "3d vs 101d", "unskilled+9ed vs 3"])
def test_a_test_that_cannot_be_rolled_is_refused_before_any_dice(game, notation):
    with pytest.raises(UserError):
        written_in(game, notation)


def test_a_pool_is_spelt_as_on_paper():
    assert [spell(each) for each in (pool(3, 1), pool(0, -1), pool(2, 0, 3), pool(-2))] == ["3d+1", "unskilled-1", "2d+3ed", "unskilled"]


@games
def test_a_written_test_rolls_what_it_says(game):
    of = GAMES[game][1]
    assert script(written_in(game, "3d+1").start(), [(2, 6, 4)]).outcome == Total(7)
    assert script(written_in(game, "3d+1 vs 5").start(), [(2, 6, 4)]).outcome == of.Test(7, 5)
    assert script(written_in(game, "3d+1 vs 2d").start(), [(2, 6, 4), (3, 5)]).outcome == of.Opposed(Total(7), Total(5))


@games
def test_the_odds_of_a_written_test(game):
    odds = exact(written_in(game, "3d+1 vs 5"))
    assert odds.total == 216
    # 5 or more on the highest of three dice beats 5 with the modifier; 4 draws
    assert odds.map(lambda each: each.verdict).weights == {"success": 216 - 64, "draw": 64 - 27, "failure": 27}


@pytest.mark.parametrize(
    ("outcome", "label", "verdict", "order"),
    [
        (Total(7), "7", None, 7),
        (Total(2, fumble=True), "2, fumble", None, 2),
        (Outcome(7, 5), "success by 2", "success", 7),
        (Outcome(5, 5), "draw", "draw", 5),
        (Outcome(2, 5, fumble=True), "failure by 3, fumble", "failure", 2),
        (Opposed(Total(7), Total(5)), "success by 2", "success", 2),
        (Opposed(Total(4), Total(4)), "draw", "draw", 0),
        (Opposed(Total(1, True), Total(5)), "failure by 4, actor fumbles", "failure", -4),
        (Opposed(Total(4), Total(1, True)), "success by 3, resister fumbles", "success", 3),
    ],
)
def test_outcomes_are_told_in_words(outcome, label, verdict, order):
    shown = show(outcome)
    assert (shown.label, shown.verdict, shown.order) == (label, verdict, order)


def test_other_programs_get_success_margin_and_draw():
    assert show(Outcome(7, 5)).fields == {"success": True, "margin": 2, "draw": False}
    assert show(Opposed(Total(4), Total(4))).fields == {"success": False, "margin": 0, "draw": True}


# --- why a roll came to what it did --------------------------------------------------------------------------------------------


def reasons(game, notation, *faces):
    played = script(written_in(game, notation).start(), faces)
    return [(each.label, each.value, each.rule) for each in GAMES[game][0].explain(played.rolls[0])]


@games
def test_a_roll_explains_its_dice_and_its_modifier(game):
    found = reasons(game, "3d+1", (6, 6, 2))
    assert found == [(label, value, DICE[game]) for label, value in (("highest of 3", 6), ("extra sixes", 1), ("modifier", 1))]


@games
def test_a_total_lifted_to_zero_says_so(game):
    assert reasons(game, "2d-5", (2, 3))[-1] == ("no total is below", 0, DICE[game])


@games
def test_an_unskilled_fumble_says_that_modifiers_do_not_count(game):
    assert reasons(game, "unskilled+3", (1, 5)) == [
        ("fumble", 1, UNSKILLED[game]),
        ("modifiers do not count on an unskilled fumble", 0, UNSKILLED[game]),
    ]


# --- the game ------------------------------------------------------------------------------------------------------------------


@games
def test_the_game_is_found_by_its_id(game):
    system = GAMES[game][0]
    assert game in names()
    assert find(game) is system
    assert system.notation
    assert system.about
    assert set(system.file_kinds()) >= {"character", "scenario"}


@games
def test_a_roll_needs_neither_yaml_nor_data_nor_the_fight(game):
    code = (
        "import sys; from rulewright.system import find; from rulewright.play import play\n"
        f"game = find('{game}'); play(game.test(game.book.ruleset(), '3d+1 vs 5').start())\n"
        "rooms = ['scene', 'attacks', 'audit', 'sheet', 'damage']\n"
        "heavy = [m for m in sys.modules if 'ruamel' in m or 'rulewright.systems' in m and m.rpartition('.')[2] in rooms]\n"
        "assert not heavy, heavy\n"
        "assert game.book._tables is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@games
def test_readings_of_pools_are_the_cores(game):
    rules, reading = GAMES[game][0].book.ruleset(), GAMES[game][1].reading
    assert reading(rules, own(game, 3, 1)) == HighestDie(3, 1)
    assert reading(rules, own(game, 0, 1)) == Unskilled(0, 1)
