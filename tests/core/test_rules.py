"""The registry, settings, presets and house rules, tested on the sixth game and on rules made up here."""

import os
import subprocess
import sys

import pytest
from pebbles import SYSTEM as PEBBLES
from pebbles.coins import topple, topple_gently
from pebbles.throwers import TRICKS, TrickRow, spent

from rulewright import rules as registry
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.rules import Book, House, Setting, nearest, rule
from rulewright.rules import registry as registering
from rulewright.system import find, names

book = PEBBLES.book


# --- the registry ---------------------------------------------------------------------------------------------------------------


def test_rules_are_listed_in_the_order_of_the_book_with_code_and_place():
    ids = [info.id for info in book.rules()]
    assert ids == list(book.index())
    throw = book.rule("pebbles-throw")
    assert (throw.title, throw.book, throw.code) == ("A throw against a guard", "lines 12-14", "pebbles.coins:throw")
    assert throw.callable
    assert throw.text == "Thrower and target flip at once."
    assert set(throw.public()) == {"id", "title", "text", "kind", "book", "code", "callable"}


def test_a_rule_may_be_code_and_table_at_once():
    tricks = book.rule("pebbles-tricks")
    assert tricks.callable
    assert tricks.table is not None
    assert [row["name"] for row in tricks.table.rows] == ["sharp eye", "low wall", "deep pockets"]


def test_a_rule_of_one_game_is_not_listed_in_another():
    assert not any(info.id.startswith("pebbles") for info in find("scumm").book.rules())


def test_unknown_names_are_refused_with_the_nearest_known_one():
    with pytest.raises(UserError, match=r"pebbles has no rule 'pebbles-thro'; did you mean \"pebbles-throw\"\?"):
        book.rule("pebbles-thro")
    with pytest.raises(UserError, match=r"no setting 'gentle-topling'; did you mean \"gentle-topple\"\?"):
        book.setting("gentle-topling")
    with pytest.raises(UserError, match=r"no table 'pebbles-trick'; did you mean \"pebbles-tricks\"\?"):
        book.raw("pebbles-trick")
    with pytest.raises(UserError, match=r"pebbles-tricks has no row 'sharp ey'; did you mean \"sharp eye\"\?"):
        TRICKS.get(book.ruleset(), "sharp ey")
    with pytest.raises(UserError, match=r"no game 'pebble' here; did you mean \"pebbles\"\?$"):
        find("pebble")
    with pytest.raises(UserError, match=r"no game 'chess' here; there are .*pebbles"):
        find("chess")
    assert nearest("wholly unlike", ["a", "b"]) == ""


def test_the_sixth_game_is_found_by_its_entry_point():
    assert "pebbles" in names()
    assert find("pebbles") is PEBBLES


def test_a_function_with_a_local_called_rules_is_no_step():
    try:

        @rule("made-up-local")
        def local() -> int:
            rules = 3
            return rules

        assert local() == 3
    finally:
        del registering.functions["made-up-local"]


def test_a_switched_off_rule_raises_and_its_table_is_empty():
    code = (
        "from pebbles import SYSTEM\n"
        "from pebbles.coins import throw\n"
        "from pebbles.throwers import TRICKS\n"
        "from rulewright.rules import RuleIsOff\n"
        "plain = SYSTEM.book.ruleset()\n"
        "gentle = SYSTEM.book.ruleset(settings={'gentle-topple': True})\n"
        "from pebbles.coins import topple\n"
        "print(topple(plain, 2).value, len(TRICKS(plain)))\n"
        "for call in (lambda: throw(plain, 1, 1), lambda: topple(gentle, 2)):\n"
        "    try: call(); print('on')\n"
        "    except RuleIsOff as off: print('off', off)\n"
    )

    def run(off: str) -> list[str]:
        environment = {**os.environ, "RULEWRIGHT_DISABLE": off}
        return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout.splitlines()

    assert run("") == ["2 3", "on", "on"]
    assert run("pebbles-throw") == ["2 3", "off pebbles-throw", "on"]
    assert run("pebbles-gentle-topple") == ["2 3", "on", "off pebbles-gentle-topple"]
    assert run("pebbles-tricks") == ["2 0", "on", "on"]


# --- settings -------------------------------------------------------------------------------------------------------------------


def test_an_option_puts_another_function_in_a_steps_place():
    plain, gentle = book.ruleset(), book.ruleset(settings={"gentle-topple": True})
    assert topple(plain, 3).value == 3
    assert topple(gentle, 3).value == 1
    assert topple(gentle, 3) == topple_gently(gentle, 3)
    assert topple(gentle, 3).reason.rule == "pebbles-gentle-topple"


def test_a_ruling_is_read_through_the_ruleset_and_says_where_it_comes_from():
    plain, ties = book.ruleset(), book.ruleset(settings={"ties-hit": True})
    assert (plain.on("ties-hit"), plain.source("ties-hit")) == (False, "ruling")
    assert (ties.on("ties-hit"), ties.source("ties-hit")) == (True, "house")
    assert topple(ties, 0).value == 1
    assert topple(ties, 0).reasons[0].source == "house"


def test_a_preset_bundles_settings_and_single_settings_go_before_it():
    friendly = book.ruleset("friendly")
    assert (friendly.on("gentle-topple"), friendly.number("most-spent")) == (True, 1)
    assert book.ruleset("friendly", {"most-spent": 2}).number("most-spent") == 2
    with pytest.raises(UserError, match="pebbles has no preset 'fierce'; it has friendly"):
        book.ruleset("fierce")


def test_house_settings_go_before_a_preset_and_behind_single_settings():
    house = House(settings={"most-spent": 5})
    assert book.ruleset("friendly", house=house).number("most-spent") == 5
    assert book.ruleset("friendly", {"most-spent": 6}, house).number("most-spent") == 6


@pytest.mark.parametrize(
    ("name", "value", "takes"),
    [
        ("gentle-topple", 1, "true or false"),
        ("gentle-topple", "true", "true or false"),
        ("most-spent", True, "a whole number from 0 to 9"),
        ("most-spent", 10, "a whole number from 0 to 9"),
        ("most-spent", -1, "a whole number from 0 to 9"),
        ("most-spent", 2.0, "a whole number from 0 to 9"),
    ],
)
def test_a_setting_refuses_what_it_does_not_take_and_says_what_it_takes(name, value, takes):
    with pytest.raises(UserError, match=f"setting {name} takes {takes}"):
        book.ruleset(settings={name: value})


def test_a_setting_of_words_takes_one_of_them():
    setting = Setting("mood", "Mood", "", "x", default="calm", values=("calm", "wild"))
    assert setting.check("wild") == "wild"
    with pytest.raises(UserError, match="setting mood takes one of calm, wild, not 'sad'"):
        setting.check("sad")
    other = Book("made-up", "pebbles", settings=(setting,)).ruleset(settings={"mood": "wild"})
    assert other.word("mood") == "wild"


def test_settings_that_exclude_each_other_are_refused_with_the_reason():
    with pytest.raises(UserError, match="gentle-topple = True and ties-hit = True cannot work together: a tie has no stone"):
        book.ruleset(settings={"gentle-topple": True, "ties-hit": True})


# --- digests --------------------------------------------------------------------------------------------------------------------


def test_rulesets_are_equal_when_they_say_the_same():
    assert book.ruleset() == book.ruleset(settings={"ties-hit": False})
    assert book.ruleset() is book.ruleset()
    assert book.ruleset("friendly") == book.ruleset(settings={"most-spent": 1, "gentle-topple": True})
    assert hash(book.ruleset("friendly")) == hash(book.ruleset(settings={"most-spent": 1, "gentle-topple": True}))
    different = {
        rules.digest
        for rules in (
            book.ruleset(),
            book.ruleset("friendly"),
            book.ruleset(settings={"ties-hit": True}),
            book.ruleset(house=House(tables={"pebbles-tricks": {"sharp eye": {"cost": 3}}})),
            book.ruleset(house=House(tables={"pebbles-tricks": {"sharp eye": {"cost": 4}}})),
            book.ruleset(house=House(tables={"pebbles-tricks": {"sharp eye": None}})),
            find("scumm").book.ruleset(),
        )
    }
    assert len(different) == 7
    assert book.ruleset() != "pebbles"


def test_the_digest_is_the_same_in_every_process():
    code = "from pebbles import SYSTEM; print(SYSTEM.book.ruleset('friendly').digest)"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {book.ruleset("friendly").digest}


# --- house rules for tables -----------------------------------------------------------------------------------------------------


def house(**rows):
    return book.ruleset(house=House(tables={"pebbles-tricks": {key.replace("_", " "): row for key, row in rows.items()}}))


def test_a_house_rule_changes_one_figure_of_a_row_and_marks_it():
    rules = house(sharp_eye={"cost": 5})
    assert TRICKS.get(rules, "sharp eye") == TrickRow(name="sharp eye", cost=5, aim=1, source="house")
    assert TRICKS.get(rules, "low wall").source == "book"
    assert TRICKS.get(book.ruleset(), "sharp eye").cost == 2
    assert spent(rules, 1, 1, 1, ("sharp eye",)).value == 10


def test_a_house_rule_adds_a_row_and_removes_one():
    rules = house(sling={"cost": 3, "aim": 2}, low_wall=None)
    assert list(TRICKS(rules)) == ["sharp eye", "deep pockets", "sling"]
    assert TRICKS.get(rules, "sling") == TrickRow(name="sling", cost=3, aim=2, source="house")
    with pytest.raises(UserError, match="pebbles-tricks has no row 'low wall'"):
        TRICKS.get(rules, "low wall")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"sharp_eye": {"cost": "much"}}, r"house rules: pebbles-tricks, row 'sharp eye': Expected `int`, got `str` - at `\$.cost`"),
        ({"sharp_eye": {"csot": 3}}, "house rules: pebbles-tricks, row 'sharp eye': Object contains unknown field `csot`"),
        ({"sling": {"aim": 2}}, "house rules: pebbles-tricks, row 'sling': Object missing required field `cost`"),
        ({"sharp_eyes": None}, r"house rules: pebbles-tricks has no row 'sharp eyes'; did you mean \"sharp eye\"\?"),
    ],
)
def test_a_house_rule_that_does_not_fit_is_refused_as_soon_as_it_is_made(rows, message):
    with pytest.raises(UserError, match=message):
        house(**rows)


def test_a_house_rule_for_an_unknown_table_is_refused_with_the_nearest():
    with pytest.raises(UserError, match=r"pebbles has no table 'pebbles-trix'; did you mean \"pebbles-tricks\"\?"):
        book.ruleset(house=House(tables={"pebbles-trix": {}}))


def test_a_row_says_where_its_figures_come_from():
    assert {key: row.source for key, row in TRICKS(book.ruleset()).items()} == {
        "sharp eye": "book",
        "low wall": "book",
        "deep pockets": "ruling",
    }


def test_a_table_by_numbers_takes_new_rows_from_the_house():
    class Step(registry.TableRow, frozen=True):
        level: int
        cost: int

    numbered = Book("made-up", "pebbles")
    numbered._tables = {"made-up-steps": registry.RawTable("made-up-steps", "level", [{"level": 1, "cost": 2}])}
    numbered._index = {}
    registry.Table("made-up-steps", Step)
    try:
        rules = numbered.ruleset(house=House(tables={"made-up-steps": {"2": {"cost": 5}}}))
        assert rules.rows("made-up-steps", Step)["2"] == Step(level=2, cost=5, source="house")
    finally:
        del registry.row_types["made-up-steps"]


# --- the sixth game's own secrets -----------------------------------------------------------------------------------------------


def test_a_bag_is_seen_by_its_own_side_only():
    from rulewright.library import stage

    staged = stage("pebbles/on-the-beach")

    def seen(who):
        return {card.name for card in staged.scene.view(staged.state, who).cards if any(piece.name == "bag" for piece in card.pieces)}

    assert seen("Wilma") == seen("Little sister") == {"Wilma", "Little sister"}
    assert seen("Oskar") == {"Oskar"}
    assert seen("somebody else") == set()
    assert seen(None) == {"Wilma", "Little sister", "Oskar"}


def test_a_throw_of_the_sixth_game_by_the_numbers():
    played = script(PEBBLES.test(book.ruleset(), "3c vs 2c").start(), [(2, 2, 1), (1, 2)])
    assert PEBBLES.show(played.outcome).label == "success by 1"


def test_a_removed_row_that_the_rules_cannot_do_without_is_named():
    import pickle

    from rulewright.systems.scumm.gear.items import GUNS

    rules = find("scumm").book.ruleset(house=House({}, {"scumm-guns": {"9mm pistol": None}}))
    rows = GUNS(rules)
    assert "9mm pistol" not in rows
    assert rows.get("9mm pistol") is None
    for each in (rows, pickle.loads(pickle.dumps(rows))):
        assert len(each) == len(GUNS(find("scumm").book.ruleset())) - 1
        with pytest.raises(UserError, match="row '9mm pistol' of scumm-guns is needed here"):
            each["9mm pistol"]
        with pytest.raises(KeyError):
            each["no such gun"]
