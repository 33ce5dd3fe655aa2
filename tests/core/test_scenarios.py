"""The words of a member's state: names in place of indices, repeated names, numbers of things, newcomers."""

import pytest

from rulewright.errors import UserError
from rulewright.scenes.scenarios import Placed, by_place, counted, numbered

WEAPONS = {"ammo": ["fists", "pistol", ".45 auto", "pistol", "hunting rifle"]}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ammo.pistol", "ammo.1"),
        ("ammo.pistol 2", "ammo.3"),
        ("ammo..45 auto", "ammo.2"),
        ("ammo.hunting rifle.left", "ammo.4.left"),
        ("ammo.2", "ammo.2"),
        ("ammo", "ammo"),
        ("flesh", "flesh"),
        ("limbs.left arm", "limbs.left arm"),
    ],
)
def test_a_place_in_a_list_can_be_written_by_its_name(written, meant):
    assert by_place(written, WEAPONS) == meant


def test_a_name_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(UserError, match=r"unknown name 'pistl'.*pistol"):
        by_place("ammo.pistl", WEAPONS)


def test_names_that_come_twice_are_told_apart():
    assert numbered(["knife", "gun", "knife", "knife"]) == ["knife", "gun", "knife 2", "knife 3"]
    assert numbered(["knife", "knife 2", "knife"]) == ["knife", "knife 2", "knife 3"]


def test_things_are_counted_in_words():
    assert [counted(number, "wound") for number in (0, 1, 2)] == ["no wounds", "1 wound", "2 wounds"]
    assert counted(2, "die", "dice") == "2 dice"


def test_a_newcomer_comes_as_a_file_or_with_a_state():
    class Somebody:
        name = "Ana"

    ana = Somebody()
    assert Placed.coming(ana, "north") == Placed(ana, "Ana", "north", None, {})
    placed = Placed(ana, "Ana", "north", None, {"flesh": 1})
    assert Placed.coming(placed, "south") is placed
