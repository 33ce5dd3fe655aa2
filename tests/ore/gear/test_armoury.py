"""Weapons as people write them down."""

import pytest

from rulewright.errors import UserError
from rulewright.systems.ore.gear.armoury import ranges_of, weapon_named
from rulewright.systems.ore.gear.weapons import BARE_HANDS
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def test_names_from_the_lists():
    assert weapon_named(RULES, "Bare hands") is BARE_HANDS
    assert weapon_named(RULES, "Uzi 9mm").spray == 3
    assert weapon_named(RULES, "zweihander").kill == 4


@pytest.mark.parametrize(
    ("written", "kill", "shock", "skill"),
    [
        ("glaive: broad blade 3 hafted", 2, 2, "hafted"),
        ("hatchet: broad blade 1 axe", 0, 0, "axes"),
        ("maul: bludgeon 4", 1, 3, "bludgeoning"),
        ("katana: narrow blade 3 slashing half-sword", 2, 0, "swords"),
        ("foil: narrow blade 1 thrusting fencing", 0, 0, "fencing"),
        ("revolver: pistol .44 magazine 6", 2, 1, "small arms"),
        ("ak: assault rifle 7.62 soviet automatic rpm 600 magazine 30", 1, 0, "long arms"),
        ("shotgun: shotgun 12 gauge", 2, 1, "long arms"),
        ("blaster: energy pistol 3", 2, 1, "laser weapons"),
    ],
)
def test_weapons_of_ones_own(written, kill, shock, skill):
    weapon = weapon_named(RULES, written)
    assert (weapon.kill, weapon.shock, weapon.skills[0]) == (kill, shock, skill)


def test_how_an_automatic_weapon_is_written():
    weapon = weapon_named(RULES, "sten: submachine gun 9mm automatic spray 2 magazine 32")
    assert (weapon.fire, weapon.spray, weapon.magazine, weapon.gun) == ("automatic", 2, 32, "submachine gun")
    assert weapon_named(RULES, "sten: submachine gun 9mm automatic rpm 550").spray == 2
    assert weapon_named(RULES, "x: heavy rifle 5").skills == ("heavy arms", "heavy weapons")


@pytest.mark.parametrize(
    ("written", "match"),
    [
        ("brodsword", "did you mean"),
        ("thing: large", "name its kind"),
        ("gun: pistol", "needs a number for its Power or calibre"),
        ("club: bludgeon 3 slashing", "cannot be slashing"),
        ("bow: pull 3 blue", "'blue' is not understood"),
        ("gun: pistol 9mm spray 2", "no Spray Rating"),
        ("", "there is no weapon"),
    ],
)
def test_what_is_not_understood_is_refused(written, match):
    with pytest.raises(UserError, match=match):
        weapon_named(RULES, written)


def test_a_sword_has_no_range():
    assert ranges_of(RULES, weapon_named(RULES, "broadsword")) is None
