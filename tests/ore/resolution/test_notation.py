"""Tests as people write them."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.system import find
from rulewright.systems.ore.resolution.notation import (
    Side,
    Written,
    parse,
    refuse_what_cannot_be_rolled,
    show,
    spell_test,
    with_modifier,
    written_test,
)
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rolled(text, *faces, by=RULES):
    return show(script(written_test(by, parse(text)), faces).outcome)


def test_pools_are_read_with_special_dice_modifiers_and_difficulties():
    assert parse("7d") == Written((Side(Pool(7)),))
    assert parse("5d+1ed+1md diff 4") == Written((Side(Pool(5, 1, 1), 4),))
    assert parse("5D + 2d - 1d High") == Written((Side(Pool(5).plus(Mod("bonus", 2), Mod("penalty", -1)), aim="highest"),))
    assert parse("7d sets").sides[0].count
    assert parse("7d diff 3 vs 5d diff 2").sides == (Side(Pool(7), 3), Side(Pool(5), 2))
    assert parse("5d beat 3x7") == Written((Side(Pool(5)),), "beat", (3, 7))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d",
        "7",
        "7d+1",
        "7d vs",
        "7d vs 5d vs 3d",
        "7d against 5d",
        "7d beat 3x11",
        "7d-1ed",
        "7d with 5d race 4d",
        "7d diff",
        "7d" * 200,
    ],
)
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(UserError):
        parse(text)


def test_what_cannot_be_rolled_is_refused_at_once():
    game = find("ore")
    with pytest.raises(UserError):
        game.test(RULES, "7d diff 11")
    with pytest.raises(UserError):
        game.test(BOOK.ruleset("gritty"), "5d+1md")
    with pytest.raises(UserError):
        game.test(RULES, "99d")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7d sets vs 5d", "single roll"),
        ("7d high sets", "single roll"),
        ("7d vs 5d high", "after the first"),
        ("7d with 5d high", "leave out high"),
        ("7d high race 5d", "leave out high"),
        ("7d high beat 2x3", "leave out high"),
        ("7d diff 2 with 5d diff 3", "same Difficulty"),
        ("7d diff 2 diff 3", "one Difficulty"),
        ("7d high wide", "either high or wide"),
    ],
)
def test_words_that_do_not_go_together_are_refused(text, reason):
    with pytest.raises(UserError, match=reason):
        find("ore").test(RULES, text)


def test_a_difficulty_for_all_and_one_for_each():
    assert rolled("3d race 3d diff 6", (5, 5, 1), (7, 7, 2)).label == "side 2 wins with 2x7"
    assert rolled("3d diff 6 race 3d", (5, 5, 1), (4, 4, 2)).label == "draw at no set"
    assert rolled("3d diff 6 race 3d diff 2", (5, 5, 1), (4, 4, 2)).label == "side 2 wins with 2x4"
    assert rolled("3d diff 2 contest 3d diff 6", (5, 5, 1), (4, 4, 4)).label == "side 1 wins with 2x5"


def test_every_way_of_meeting_can_be_written():
    assert rolled("4d", (3, 3, 1, 2)).label == "2x3"
    assert rolled("4d diff 5", (3, 3, 1, 2)).label == "failure"
    assert rolled("4d sets", (3, 3, 1, 1)).value == {"sets": 2}
    assert rolled("4d vs 3d", (7, 7, 7, 1), (8, 8, 1)).verdict == "failure"
    assert rolled("3d beat 3x7", (8, 8, 1)).label == "beaten"
    assert rolled("3d beat 3x7", (6, 6, 1)).label == "3x7 is left"
    assert rolled("4d against 2x8", (9, 9, 7, 7)).label == "2x9"
    assert rolled("2d with 3d", (4, 4, 4, 9, 9)).label == "3x4"
    assert rolled("3d race 3d", (7, 7, 1), (5, 5, 5)).label == "side 1 wins with 2x7"
    assert rolled("3d contest 3d", (7, 7, 1), (5, 5, 5)).verdict == "failure"
    assert rolled("3d contest 3d", (7, 7, 1), (7, 7, 2)).verdict == "draw"
    assert rolled("1d-2d", (1,), by=BOOK.ruleset("action")).label == "catastrophic failure"
    assert rolled("3d", (1, 2, 3), by=BOOK.ruleset("gritty")).label == "1x3, minimal success"


pools = st.builds(
    lambda dice, expert, master, mods: Pool(dice, expert, master).plus(*[Mod("bonus" if n > 0 else "penalty", n) for n in mods if n]),
    st.integers(0, 20),
    st.integers(0, 3),
    st.integers(0, 3),
    st.lists(st.integers(-5, 5), max_size=3),
)
sides = st.builds(Side, pools, st.integers(1, 10), st.sampled_from(["widest", "highest"]), st.booleans())


@given(st.lists(sides, min_size=1, max_size=3), st.sampled_from(["with", "race", "contest"]))
def test_what_is_spelt_reads_back(written, joint):
    whole = Written(tuple(written), joint if len(written) > 1 else "")
    assert parse(spell_test(whole)) == whole


def test_modifiers_go_to_the_pool_and_the_rest_stays():
    assert with_modifier("5d+1ed", -2) == "5d+1ed-2d"
    assert with_modifier("5d high", 1, "4") == "5d+1d high diff 4"
    assert with_modifier("5d diff 2 high", 1, "4") == "5d+1d high diff 4"
    assert with_modifier("5d", 0, "6d") == "5d vs 6d"
    assert with_modifier("5d", 0, "2x8") == "5d against 2x8"
    assert with_modifier("5d", 0, "beat 3x7") == "5d beat 3x7"
    assert find("ore").compose("5d", -1, "") == "5d-1d"


def test_a_roll_is_explained():
    from rulewright.play import ScriptedFaces, play

    game = find("ore")
    fell = play(game.test(RULES, "3d+1ed").start(), dice=ScriptedFaces([(10, 10, 2)])).rolls[0]
    assert [(reason.label, reason.value) for reason in game.explain(fell)] == [("dice showing 10", 2), ("Special Dice and trades", 1)]
    ran = play(game.test(BOOK.ruleset("gritty"), "3d").start(), dice=ScriptedFaces([(1, 2, 3)])).rolls[0]
    assert game.explain(ran)[0].rule == "ore-1.07-opt-the-run"


def test_the_chance_of_a_set_is_what_the_book_s_dice_give():
    odds = exact(sub(written_test, RULES, parse("7d")))
    assert odds.chance(lambda one: one.success)[0] == pytest.approx(0.93952)
    assert odds[Outcome()] * 10**7 == 604800


def test_a_plain_roll_needs_neither_yaml_nor_data_nor_the_fight():
    code = (
        "import sys; from rulewright.system import find; from rulewright.play import play\n"
        "game = find('ore'); kept = play(game.test(game.book.ruleset(), '5d+1ed vs 4d').start())\n"
        "[game.explain(each) for each in getattr(kept, 'rolls', ())]\n"
        "rooms = ['scene', 'attacks', 'audit', 'sheet', 'rounds']\n"
        "heavy = [m for m in sys.modules if 'ruamel' in m or 'rulewright.systems' in m and m.rpartition('.')[2] in rooms]\n"
        "assert not heavy, heavy\n"
        "assert game.book._tables is None"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_difficulty_reads_the_list_of_difficulties_and_no_catalogue_of_feats():
    code = (
        "from rulewright.system import find; from rulewright.play import play\n"
        "game = find('ore'); play(game.test(game.book.ruleset(), '5d diff 4').start())\n"
        "book = game.book; assert 'ore-1.09-difficulty' in book._tables and not any(i.startswith('ore-3') for i in book._tables)\n"
        "assert book._index is None; assert any(i.startswith('ore-3') for i in book.tables())"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_set_on_the_table_shows_faces_that_the_dice_have():  # lines 245-250
    six = BOOK.ruleset(settings={"six-sided-dice": True})
    for written in ("7d against 2x8", "5d beat 3x7"):
        with pytest.raises(UserError, match="1 to 6"):
            refuse_what_cannot_be_rolled(six, parse(written))
        refuse_what_cannot_be_rolled(BOOK.ruleset(), parse(written))
    refuse_what_cannot_be_rolled(six, parse("7d against 2x6"))


@pytest.mark.parametrize(
    ("notation", "faces", "sets"),
    [
        ("4d", (4, 4, 9, 9), [(2, 9), (2, 4)]),
        ("3d+1ed", (10, 4, 4), [(2, 10), (2, 4)]),  # the Expert Die lies in the set that is kept
        ("4d+1md", (4, 4, 9, 9), [(3, 9), (2, 4)]),  # the Master Die lies in the set that is kept
        ("2d+1md", (3, 8), [(2, 8)]),
        ("3d", (1, 2, 3), []),
    ],
)
def test_a_roll_names_all_its_sets_with_the_special_dice_where_they_are_used(notation, faces, sets):
    system = find("ore")
    played = script(sub(written_test, BOOK.ruleset(), parse(notation)), [faces])
    assert [(each["width"], each["height"]) for each in system.beside(played)["sets"]] == sets
