"""Ranges, thrown weapons, bows and crossbows, with the book's examples."""

import pytest

from rulewright.errors import UserError
from rulewright.systems.ore.gear.armoury import ranges_of, weapon_named
from rulewright.systems.ore.gear.missiles import (
    RANGES,
    TYPES,
    Ranges,
    band_at,
    can_draw,
    hurled,
    loading_rounds,
    missile_kill,
    missile_pen,
    missile_shock,
    missile_weapon,
    pull_ranges,
    push_ranges,
    range_dice,
    ranged_type,
    thrown_ranges,
)
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
PEN = BOOK.ruleset(settings={"missile-penetration": True})
POWERLESS = BOOK.ruleset(settings={"powerless": True})


@pytest.mark.parametrize(("metres", "dice"), [(0, 1), (35, 1), (36, 0), (70, 0), (71, -1), (140, -1)])
def test_short_range_gives_a_die_and_long_range_takes_one(metres, dice):  # lines 4891-4895
    assert range_dice(RULES, metres, Ranges(35, 70, 140)).dice == dice
    assert {row.band: row.dice for row in RANGES(RULES).values()} == {"short": 1, "medium": 0, "long": -1}


def test_nothing_is_hit_beyond_long_range():
    assert band_at(141, Ranges(35, 70, 140)) is None
    with pytest.raises(UserError, match="out of range"):
        range_dice(RULES, 141, Ranges(35, 70, 140))
    with pytest.raises(UserError, match="a distance cannot"):
        band_at(-1, Ranges(1, 2, 3))


def test_three_types_of_ranged_weapon():  # lines 4897-4902
    assert list(TYPES(RULES)) == ["ballistic", "missile", "energy"]
    assert ranged_type(RULES, "pull").type == "missile"
    assert ranged_type(RULES, "energy").counted == "charges"
    assert ranged_type(RULES, "energy").source == "stand-in"
    with pytest.raises(UserError, match="no ranged weapon"):
        ranged_type(RULES, "sword")
    laser, pistol = weapon_named(RULES, "x: energy pistol 3"), weapon_named(RULES, "x: pistol 3")
    assert (laser.kill, laser.shock, laser.classes) == (pistol.kill, pistol.shock, ("E",))
    assert ranges_of(RULES, laser) == ranges_of(RULES, pistol)


def test_a_spear_thrown_ten_metres_with_a_body_of_3():  # line 4916
    assert thrown_ranges(RULES, 3, "trajectory") == Ranges(6, 12, 18)
    assert band_at(10, thrown_ranges(RULES, 3, "trajectory")) == "medium"
    assert thrown_ranges(RULES, 3, "hurled") == Ranges(3, 6, 9)


def test_a_bow_carries_body_and_power_together():  # lines 4926-4933
    assert pull_ranges(RULES, 4, 3) == Ranges(35, 70, 140)
    with pytest.raises(UserError, match="cannot draw"):
        pull_ranges(RULES, 2, 3)
    assert not can_draw(RULES, 2, 3)
    assert can_draw(POWERLESS, 2, 3)
    assert pull_ranges(POWERLESS, 2, 3) == Ranges(25, 50, 100)


def test_a_crossbow_carries_its_power():  # lines 4941-4946
    assert push_ranges(RULES, 4) == Ranges(40, 80, 160)


def test_setting_a_crossbow():  # lines 4937-4940: Body 4 sets Power 4 in a round; Body 2 winds Power 4 in four
    assert loading_rounds(RULES, 4, 4) == 1
    assert loading_rounds(RULES, 4, 2, winder=True) == 4
    with pytest.raises(UserError, match="needs a winder"):
        loading_rounds(RULES, 4, 2)
    assert loading_rounds(POWERLESS, 4, 2) == 1


@pytest.mark.parametrize(("power", "kill", "shock"), [(1, 0, 0), (2, 1, 0), (3, 2, 0), (4, 3, 1), (0, 0, 0)])
def test_missiles_hurt_by_their_power(power, kill, shock):  # lines 4948-4950
    assert missile_kill(RULES, power).value == kill
    assert missile_shock(RULES, power).value == shock


def test_power_is_pen_only_with_the_option():  # line 4954
    assert [missile_pen(PEN, power).value for power in (1, 2, 3, 4)] == [0, 0, 1, 2]
    assert missile_pen(RULES, 4).value == 0
    assert missile_weapon(PEN, "bow", "pull", 4).pen == 2
    assert missile_weapon(RULES, "bow", "pull", 4).pen == 0


def test_what_is_built_for_shooting():
    bow, crossbow = weapon_named(RULES, "longbow: pull 3"), weapon_named(RULES, "arbalest: push 5 winder")
    assert (bow.kill, bow.shock, bow.skills, bow.classes, bow.two_handed) == (2, 0, ("pull weapons", "missile weapons"), ("P",), True)
    assert ranges_of(RULES, bow, 4) == Ranges(35, 70, 140)
    assert crossbow.winder
    assert ranges_of(RULES, crossbow) == Ranges(50, 100, 200)
    assert ranges_of(RULES, weapon_named(RULES, "javelin: trajectory 2"), 3) == Ranges(6, 12, 18)


def test_a_sword_can_be_hurled():
    sword = weapon_named(RULES, "broadsword")
    flown = hurled(RULES, sword)
    assert (flown.kind, flown.classes, flown.skills) == ("thrown", ("C", "P"), ("hurled weapons",))
    assert (flown.kill, flown.shock) == (sword.kill, sword.shock)
    assert ranges_of(RULES, flown, 3) == Ranges(3, 6, 9)
