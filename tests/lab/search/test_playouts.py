"""Dice of fights that are played out: the same luck for all, and never counted where rolling is quicker."""

from math import sqrt

import pytest

from rulewright.dice.percentile import Percentile
from rulewright.dice.reading import weights_of
from rulewright.dice.sets import Sets
from rulewright.lab.examples.coins import Coins
from rulewright.lab.search import playouts
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.playouts import MOST_COUNTED, Playing, Policy
from rulewright.play import Roll, first_option

POOL, SMALL = Roll(Sets(6), "Ada", "a pool"), Roll(Percentile(), "Ada", "a test")


def driver(seed: int = 1) -> Playing:
    made = Playing(Coins(), Policy(first_option), None, Watch())
    made.begin(seed)
    return made


def test_a_large_pool_is_rolled_and_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(reading: Sets) -> None:
        raise AssertionError(f"{reading} has more than {MOST_COUNTED} rolls")

    monkeypatch.setattr(playouts, "weights_of", counted)
    assert sum(width for width, _ in driver().roll(Roll(Sets(12, loose=True), "Ada", "a pool"))) == 12


def test_what_is_rolled_comes_as_often_as_its_odds_say() -> None:
    rolls, many = driver(), 20_000
    exact = weights_of(POOL.reading)
    chance = exact[()] / sum(exact.values())
    none = sum(rolls.roll(POOL) == () for _ in range(many))
    assert abs(none / many - chance) < 4 * sqrt(chance * (1 - chance) / many)


def test_more_or_fewer_dice_leave_later_luck_as_it_is() -> None:
    one, other = driver(), driver()
    one.roll(POOL)
    other.roll(Roll(Sets(11), "Ada", "another pool"))
    assert [one.roll(SMALL) for _ in range(5)] == [other.roll(SMALL) for _ in range(5)]


def test_the_same_luck_gives_the_same_pool() -> None:
    assert driver(7).roll(POOL) == driver(7).roll(POOL)
    assert len({driver(seed).roll(POOL) for seed in range(20)}) > 1
