"""The off-hand, Twinned sets, two weapons."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.two_weapons import hand_dice, twinned, twins, two_weapon_attack
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def test_hands():  # line 5283
    assert [hand_dice(hand).dice for hand in ("primary", "off", "both")] == [0, -2, -3]
    assert [hand_dice(hand, ambidextrous=True).dice for hand in ("primary", "off", "both")] == [0, 0, -1]


def test_a_neutron_grenade_and_its_twin():  # line 5287
    assert twinned((3, 5)) == ((3, 5), (3, 5))
    with pytest.raises(UserError, match="no set"):
        twinned((0, 0))


def test_two_sai_against_a_naginata():  # lines 5303-5309: seven dice less three; 4x2 twice
    assert twins("close", 3, 2)
    played = script(two_weapon_attack(RULES, Pool(7), "close", 3, 2), [(2, 2, 2, 2)])
    assert played.outcome == ((4, 2), (4, 2))


def test_in_close_combat_only_the_better_strikes_twice():
    assert not twins("close", 2, 2)
    assert not twins("unarmed", 2, 3)
    assert script(two_weapon_attack(RULES, Pool(5), "close", 2, 2), [(7, 7)]).outcome == ((2, 7),)


def test_two_guns_always_fire_twice():  # line 5311
    assert twins("ballistic", 1, 5)
    assert script(two_weapon_attack(RULES, Pool(5), "ballistic", 1, 5), [(7, 7)]).outcome == ((2, 7), (2, 7))
    assert script(two_weapon_attack(RULES, Pool(5), "ballistic", 1, 5), [(7, 8)]).outcome == ()


def test_who_is_ambidextrous_keeps_two_dice():
    plain, both = (exact(sub(two_weapon_attack, RULES, Pool(7), "close", 3, 2, able)).chance(bool) for able in (False, True))
    assert plain < both
