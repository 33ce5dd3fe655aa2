"""Damage classes, armor and where blows land (book lines 2628-2726, 3628-3636)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.foresight.resolution.damage_classes import (
    HIT_LOCATIONS,
    SCALES,
    Cover,
    DamageClass,
    Harm,
    Protection,
    covered,
    damage,
    damage_class,
    locate,
    parse_dc,
    parse_protection,
    protection,
    random_damage,
    vital_extra,
    wound_levels,
)

TABLE = {  # 2640-2659
    1: "S 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9",
    2: "S S 1 1 2 2 2 3 3 3 4 4 5 5 5 6 6 6",
    3: "S S 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4",
    4: "– S S S 1 1 1 1 1 1 1 1 2 2 2 2 2 2",
}


@pytest.mark.parametrize("qr", TABLE)
def test_damage_is_as_the_table_says(qr):
    assert [str(damage(RULES, dc, qr)) for dc in range(18)] == TABLE[qr].split()


def test_failures_do_no_damage():
    assert damage(RULES, 17, 7) == damage(RULES, 17, 10) == Harm(0, False)
    for rules in (RULES, under(damage_scale="table")):
        assert [wound_levels(rules, 17, qr, 2) for qr in (4, 7, 10)] == [1, 0, 0]


@given(dc=integers(0, 40), qr=sampled_from([1, 2, 3, 4]), number=integers(0, 12), absorbs=integers(0, 3))
def test_armor_lowers_the_class_and_absorbs_the_rest(dc, qr, number, absorbs):
    bare = damage(RULES, dc - number, qr)
    assert damage(RULES, dc, qr, 1, number, absorbs).levels == max(0, bare.levels - absorbs)


def test_a_dc8_at_qr2_against_3a_is_one_wound_level():  # 2663; the yield printed there is 80 percent, the table's 75
    assert damage(RULES, 8, 2, 1, 3, 1) == Harm(1, True)


def test_what_comes_to_nothing_may_stun():
    assert damage(RULES, 3, 4) == Harm(0, True)
    assert damage(RULES, 0, 4) == Harm(0, False)
    assert damage(RULES, 2, 4, number=3) == Harm(0, False)
    assert damage(under(below_zero_damage="stun"), 2, 4, number=3) == Harm(0, True)
    assert damage(RULES, 4, 4, absorbs=1) == Harm(0, True)
    assert damage(under(absorbed_blow_stuns=False), 4, 4, absorbs=1) == Harm(0, False)


def test_damage_scale_divides_damage():  # 2720-2726
    assert damage(RULES, 10, 1, ds=10).levels == 1
    assert damage(RULES, 8, 1, ds=0.8).levels == 5
    assert wound_levels(RULES, 9, 1, 2) == 2  # 9 / 4 = 2.25
    assert wound_levels(under(damage_scale="table"), 9, 1, 2) == 3  # 4.5 is read as DC5
    assert {row.thing: row.ds for row in SCALES(RULES).values()} == {"egg": 0.05, "person": 1, "truck": 10}
    for rules in (RULES, under(damage_scale="table")):
        with pytest.raises(UserError, match="damage scale"):
            wound_levels(rules, 9, 1, 0)


# --- notation ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("6i", DamageClass(6, "i")),
        ("DC8b2p", DamageClass(8, "b", pierces=2)),  # 348
        ("+3m2p", DamageClass(3, "m", pierces=2, added=True)),
        ("5is", DamageClass(5, "i", stun=True)),
        ("2x16b", DamageClass(16, "b", hits=2)),
        ("12i4p", DamageClass(12, "i", pierces=4)),
        ("4", DamageClass(4)),
        ("0.5m", DamageClass(0.5, "m")),
    ],
)
def test_a_damage_class_is_read_as_written(text, found):
    assert parse_dc(text) == found
    assert parse_dc(str(found)) == found


def test_a_plus_adds_to_the_unarmed_class():  # 378, 3636
    assert str(damage_class(RULES, "+3m", 2)) == "5m"
    assert damage_class(RULES, "+3m", 0.5).amount == 3.5
    assert str(damage_class(RULES, "6i", 2)) == "6i"
    with pytest.raises(UserError, match="damage class"):
        damage_class(RULES, "6q")


# --- armor ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [("3A", Protection(3, 1)), ("2AA", Protection(2, 2)), ("A", Protection(0, 1)), ("4", Protection(4)), ("", Protection())],
)
def test_protection_is_read_as_written(text, found):
    assert parse_protection(text) == found


def test_piercing_takes_the_number_first_then_the_as():  # 2669-2673, 3632-3634
    assert str(protection(RULES, ("3AA",), 4)) == "0A"
    assert str(protection(RULES, ("3A",), 2)) == "1A"
    assert protection(RULES, (), 4) == Protection()
    with pytest.raises(UserError, match="protection"):
        protection(RULES, ("x",))


def test_barriers_add_up_and_are_pierced_once():  # 3318: 10i2p through two walls of 3 is 6i
    assert protection(RULES, ("3", "3"), 2) == Protection(4)
    assert protection(under(layered_armor="best"), ("3", "2A")) == Protection(2, 1)


def test_stun_meets_the_impact_rating():  # 3879
    vest = Cover("chest", 9, "2", "4A", "1", side=6)
    assert [vest.against(kind) for kind in ("m", "i", "b", "")] == ["2", "4A", "1", "2"]
    assert vest.against("b", stun=True) == "4A"
    assert [vest.coverage(side) for side in ("front", "side", "behind", "above")] == [9, 6, 9, 9]  # 3954


@pytest.mark.parametrize(("tenths", "d10", "found"), [(9, 9, True), (9, 10, False), (6, 7, False), (4, 4, True)])
def test_coverage_is_so_many_tenths(tenths, d10, found):  # 3930
    assert script(covered(RULES, tenths), [(d10,)]).outcome is found


def test_full_coverage_needs_no_roll():
    assert script(covered(RULES, 10)).outcome is True
    assert script(covered(RULES, 0)).outcome is False


# --- location ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("d10", "location"),
    [
        (1, "left leg"),
        (2, "right leg"),
        (3, "abdomen"),
        (4, "abdomen"),
        (5, "chest"),
        (7, "chest"),
        (8, "left arm"),
        (9, "right arm"),
        (10, "head"),
    ],
)
def test_a_d10_says_where_a_blow_lands(d10, location):  # 2703-2711
    assert script(locate(RULES), [(d10,)]).outcome == location


def test_an_aimed_blow_lands_where_it_was_aimed():
    assert script(locate(RULES, "head")).outcome == "head"
    torso = exact(sub(locate, RULES, "torso"))
    assert (torso["chest"], torso["abdomen"]) == (Fraction(3, 5), Fraction(2, 5))
    assert exact(sub(locate, RULES, "legs"))["left leg"] == 0.5
    assert {name for name, row in HIT_LOCATIONS(RULES).items() if row.vital} == {"head", "chest", "abdomen"}


def test_vital_hits_are_worse_one_time_in_five_where_the_campaign_wants_it():  # 2712
    ours = under(vital_hits=True)
    assert [script(vital_extra(ours, "chest", 2), [(d10,)]).outcome for d10 in (1, 2, 3, 10)] == [3, 3, 2, 2]
    assert script(vital_extra(ours, "left arm", 2)).outcome == 2
    assert script(vital_extra(ours, "chest", 0)).outcome == 0
    assert script(vital_extra(RULES, "chest", 2)).outcome == 2


def test_damage_without_an_attack_takes_a_random_rating():  # 2695
    assert [script(random_damage(RULES, 8), [(d10,)]).outcome.levels for d10 in (1, 2, 3, 6)] == [4, 3, 2, 1]
