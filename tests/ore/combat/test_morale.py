"""Morale Attacks on mooks and on people."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.mooks import flee, mob
from rulewright.systems.ore.combat.morale import fear_dice, frightened, morale_attack
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
SIMPLE = BOOK.ruleset(settings={"simple-mooks": True})


def test_a_mook_cut_in_half_drives_four_of_ten_away():  # lines 5469-5471
    assert frightened(RULES, 4, 5, 2, 10) == 4
    left = flee(RULES, mob(2, 10), 4, 5)
    assert left.number == 6


def test_hard_mooks_stay():
    assert frightened(RULES, 3, 9, 4, 10) == 0
    assert frightened(RULES, 4, 1, 4, 10) == 4
    assert frightened(RULES, 4, 1, 4, 2) == 2


def test_height_does_it_where_mooks_are_simplified():  # line 5467
    assert frightened(SIMPLE, 2, 5, 4, 10) == 2
    assert frightened(SIMPLE, 5, 2, 4, 10) == 5
    assert frightened(SIMPLE, 3, 3, 4, 10) == 0
    assert frightened(RULES, 2, 5, 4, 10) == 0


def test_the_weakest_run_first():
    hurt = mob(3, 3).left([3, 1, 2])
    assert flee(RULES, hurt, 2, 5).ratings == (3,)
    assert flee(RULES, hurt, 1, 5).ratings == (3, 2)


def test_focus_takes_its_width_from_the_fear():  # line 5477: 5 less a Width of 3
    assert script(morale_attack(RULES, 5, Pool(5)), [(4, 4, 4, 1, 2)]).outcome == 2
    assert script(morale_attack(RULES, 2, Pool(5)), [(1, 1, 1, 4, 2)]).outcome == 0
    assert script(morale_attack(RULES, 5, Pool(3)), [(1, 2, 3)]).outcome == 5
    with pytest.raises(UserError, match="Morale Attack goes from"):
        script(morale_attack(RULES, 21, Pool(3)))


def test_fear_fades_by_a_die_a_round():  # line 5479
    assert [fear_dice(5, rounds).dice for rounds in (0, 1, 2, 5, 9)] == [-5, -4, -3, 0, 0]


def test_the_odds_of_keeping_ones_nerve():
    """Two dice against a Morale Attack of 2: one roll in ten is a set."""
    assert exact(sub(morale_attack, RULES, 2, Pool(2))).chance(lambda left: left == 0) == (0.1, 0.1)
