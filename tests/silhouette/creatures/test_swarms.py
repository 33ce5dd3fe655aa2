"""Swarms and hordes (book lines 5397-5428, 6214-6218)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.creatures import swarms
from rulewright.systems.silhouette.creatures.swarm import Swarm
from rulewright.systems.silhouette.creatures.swarms import SWARMS
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.harm.damage import Hit, take_hit
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
AL, JASON = replace(AVERAGE, name="Al"), replace(AVERAGE, name="Jason")


def test_ants_rats_and_wasps_are_printed():
    found = {row.species: (row.aggressiveness, row.damage, row.threshold, row.horde, row.size) for row in SWARMS(PLAIN).values()}
    assert found == {"jungle ants": (2, 2, 15, 6, 500), "rats": (2, 4, 20, 1, 10), "wasps": (3, 3, 25, 2, 15)}


def test_al_and_jason_in_the_wasps_take_ten_each():
    assert swarms.swarm_damage(7, 3, 2).value == 10  # line 6218
    wasps = swarms.swarm_of(PLAIN, "wasps")
    assert script(swarms.swarm_attack(PLAIN, wasps, (AL, JASON)), [(6, 6, 2)]).outcome == (AL, JASON)


def test_three_swarms_at_most_reach_one_person():
    assert [swarms.swarms_at(count, 1) for count in (1, 3, 9)] == [1, 3, 3]
    assert swarms.swarms_at(9, 2) == 6
    horde = swarms.swarm_of(PLAIN, "wasps", 5)
    came = script(swarms.swarm_attack(PLAIN, horde, (AL,)), [(4, 3, 1), (3, 2, 1), (2, 2, 1), (5, 4)]).outcome
    assert came[0].deep == 1  # 4, 3 and 2 times 3 are 27


def test_armor_that_is_not_sealed_is_worth_half_for_three_rounds_and_then_nothing():
    assert [swarms.armor_in_a_swarm(11, "none", rounds) for rounds in (0, 2, 3)] == [5, 5, 0]
    assert swarms.armor_in_a_swarm(11, "sealed", 9) == 11
    assert swarms.armor_in_a_swarm(11, "sealed all over") is None
    mailed = replace(AL, armor=40)
    wasps = swarms.swarm_of(PLAIN, "wasps")
    assert script(swarms.swarm_attack(PLAIN, wasps, (mailed,), "none", 0), [(6, 6, 6)]).outcome == (mailed,)
    stung = script(swarms.swarm_attack(PLAIN, wasps, (mailed,), "none", 3), [(6, 6, 6), (4, 4)]).outcome[0]
    assert stung.flesh == 1
    assert script(swarms.swarm_attack(PLAIN, wasps, (AL,), "sealed all over"), [(6, 6, 6)]).outcome == (AL,)


@pytest.mark.parametrize(
    ("damage", "source", "swarms_before", "left"),
    [
        (25, "fire", 1, 1),
        (26, "fire", 1, 0),
        (26, "electricity", 3, 2),
        (76, "gas", 3, 0),
        (75, "gas", 3, 2),
        (51, "melee", 1, 0),
        (50, "melee", 1, 1),
        (51, "hand-to-hand", 1, 0),
        (51, "concussion", 2, 1),
        (100, "firearms", 1, 1),
        (101, "firearms", 1, 0),
    ],
)
def test_one_attack_must_do_more_than_the_threshold_after_what_it_is_worth(damage, source, swarms_before, left):
    assert swarms.disperse(damage, source, 25, swarms_before) == left


def test_a_horde_is_a_roll_of_swarms_added_up():
    odds = exact(lambda: swarms.horde_size(PLAIN, Swarm(2, 4, 20, 1, 10)))
    assert {count: Fraction(weight, odds.total) for count, weight in odds.weights.items()} == {n: Fraction(1, 6) for n in range(1, 7)}
    assert script(swarms.horde_size(PLAIN, swarms.swarm_of(PLAIN, "wasps")), [(6, 3)]).outcome == 9


def test_a_swarm_that_is_hit_scatters_or_closes_up():
    swarm = replace(AVERAGE, swarms=2, scatters_at=20)
    assert script(take_hit(PLAIN, swarm, Hit(40, by="melee")), []).outcome.swarms == 2
    assert script(take_hit(PLAIN, swarm, Hit(42, by="melee")), []).outcome.swarms == 1
    assert script(take_hit(PLAIN, swarm, Hit(41, by="fire")), []).outcome.dead
