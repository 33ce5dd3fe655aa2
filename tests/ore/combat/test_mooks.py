"""Mooks: one pool for all, taken out one by one, with the dials that a Game Master has."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.ore.combat.mooks import (
    THREATS,
    WITHIN_REACH,
    Mob,
    came_through,
    hit_mook,
    mob,
    mook_attack,
    mook_blow,
    mook_dice,
    mook_pool,
    mook_range,
    mook_sets,
    pool_left,
)
from rulewright.systems.ore.gear.armour import Hit
from rulewright.systems.ore.gear.armoury import ranges_of, weapon_named
from rulewright.systems.ore.gear.weapons import BARE_HANDS
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
SIMPLE = BOOK.ruleset(settings={"simple-mooks": True})
PISTOL = weapon_named(RULES, ".38 special")
WIDE = BOOK.ruleset(settings={"mook-width-limit": False})


def test_seven_street_punks_have_fourteen_dice():  # line 5437
    assert mook_pool(RULES, 2, 7).value == 14
    assert mook_dice(mob(2, 7)) == 14
    assert [row.threat for row in THREATS(RULES).values()] == [1, 2, 3, 4, 5]


def test_thirty_rioters_roll_fifteen_until_sixteen_are_out():  # lines 5451-5453
    riot = mob(1, 30)
    assert pool_left(riot) == 30
    for fallen in range(1, 17):
        riot = hit_mook(RULES, riot, Hit(1, 0))
        assert mook_dice(riot) == (15 if fallen < 16 else 14)
    assert mook_pool(RULES, 1, 30).value == 15


def test_only_those_with_room_attack():  # lines 5441-5443
    crowded = mob(2, 7, room=3)
    assert mook_dice(crowded) == 6
    assert mook_dice(hit_mook(RULES, crowded, Hit(2, 2))) == 6  # another steps up


def test_one_roll_is_an_attack_for_every_set():
    fell = (1, 1, 4, 4, 4, 7, 8)
    assert script(mook_attack(RULES, mob(3, 3).left([3, 3, 1])), [fell]).outcome == ((3, 4), (2, 1))
    assert script(mook_attack(RULES, mob(3, 0))).outcome == ()
    assert mook_blow(mob(3, 2), 3).hit == Hit(3, 3, 3)


def test_sets_are_no_wider_than_the_threat():  # line 5447: five critters of Threat 2 net sets of Width 2
    assert mook_sets(RULES, ((5, 7), (2, 3)), 2) == ((2, 7), (2, 7), (2, 3))
    assert mook_sets(RULES, ((5, 7),), 3) == ((3, 7), (2, 7))
    assert mook_sets(RULES, ((4, 7),), 3) == ((2, 7), (2, 7))
    assert mook_sets(RULES, ((3, 7),), 1) == ((2, 7),)
    assert mook_sets(WIDE, ((5, 7), (2, 3)), 2) == ((5, 7), (2, 3))
    assert script(mook_attack(RULES, mob(2, 3)), [(5, 5, 5, 5, 1, 2)]).outcome == ((2, 5), (2, 5))
    assert script(mook_attack(WIDE, mob(2, 3)), [(5, 5, 5, 5, 1, 2)]).outcome == ((4, 5),)


def test_better_weapons_and_armour():  # line 5445
    guards = mob(3, 4, armour=2, kill=2, shock=2)
    assert mook_blow(guards, 2).hit == Hit(4, 4, 2)
    assert came_through(RULES, guards, Hit(3, 1)) == 1
    assert came_through(RULES, mob(3, 4), Hit(3, 1)) == 4
    assert hit_mook(RULES, guards, Hit(3, 1)).ratings == (3, 3, 3, 2)


def test_damage_wears_a_mook_down_and_stops_there():  # lines 5449-5451
    gang = mob(3, 2)
    once = hit_mook(RULES, gang, Hit(1, 1), which=0)
    assert once.ratings == (3, 1)
    twice = hit_mook(RULES, once, Hit(5, 5), which=1)
    assert twice.ratings == (3,)  # what is more is lost
    assert hit_mook(RULES, twice, Hit(2, 1)).out
    assert pool_left(once) == 4


def test_five_soldiers_where_mooks_are_simplified():  # line 5459: 3x4 does nothing, 2x6 takes one out
    soldiers = mob(5, 5)
    assert pool_left(soldiers) == 25
    hit = hit_mook(SIMPLE, soldiers, Hit(9, 9, 3), 4)
    assert hit == soldiers
    hit = hit_mook(SIMPLE, soldiers, Hit(2, 2, 2), 6)
    assert pool_left(hit) == 20
    assert hit_mook(SIMPLE, soldiers, Hit(5, 5, 5), 1).number == 4
    assert hit_mook(RULES, soldiers, Hit(2, 2, 2), 6).ratings == (5, 5, 5, 5, 1)  # without the option it is only hurt


@pytest.mark.parametrize(("weapon", "reach"), [(BARE_HANDS, WITHIN_REACH), (PISTOL, ranges_of(RULES, PISTOL).long)])
def test_mooks_attack_as_far_as_they_reach_and_no_further(weapon, reach):  # lines 4881-4895
    gang = replace(mob(2, 3), weapon=weapon)
    assert mook_range(RULES, gang, reach) is not None
    assert mook_range(RULES, gang, reach + 1) is None


def test_what_cannot_be():
    for wrong in ({"threat": 0}, {"threat": 6}, {"threat": 2, "ratings": (3,)}, {"kill": -1}, {"armour": 10}, {"ratings": (0,)}):
        with pytest.raises(UserError):
            Mob(**wrong)
    with pytest.raises(UserError, match="no mook 2"):
        hit_mook(RULES, mob(2, 2), Hit(1, 1), which=2)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 5), st.integers(1, 30), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 29)), max_size=8))
def test_a_blow_takes_one_mook_at_most_and_never_adds(threat, number, blows):
    for each in (RULES, SIMPLE):
        gang = mob(threat, number)
        for kill, shock, which in blows:
            if gang.out:
                break
            after = hit_mook(each, gang, Hit(kill, shock), 5, which % gang.number)
            assert gang.number - 1 <= after.number <= gang.number
            assert pool_left(after) >= pool_left(gang) - threat
            assert mook_dice(after) <= min(15, pool_left(after))
            gang = after
