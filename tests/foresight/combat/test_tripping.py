"""Tripping (book line 3240)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.foresight.combat.trips import keep_footing, trip_need, tripped
from rulewright.systems.foresight.resolution.tests import RATINGS, Task


def test_the_book_s_dragon():
    """Four legs, and too heavy to drag: an advantage of 5, so that QR2 needs a failure to work."""
    need = trip_need(RULES, strength=12, kg=5000, legs=4)
    assert need.value == 5
    assert [reason.label for reason in need.reasons] == ["better at all", "cannot lift", "cannot drag", "four legs"]
    assert tripped(RULES, 2, 7, need.value) == "kneeling"
    assert tripped(RULES, 2, 4, need.value) == "standing"
    assert tripped(RULES, 3, 7, need.value) == "standing"


def test_weights_that_replace_each_other_make_the_dragon_easier():
    assert trip_need(under(trip_weights="replace"), strength=12, kg=5000, legs=4).value == 4
    assert trip_need(under(trip_weights="replace"), strength=8, kg=100).value == 2  # only the lifting counts: nothing to replace


@pytest.mark.parametrize(("kg", "need"), [(64, 1), (65, 2), (128, 2), (129, 4)])
def test_what_a_strength_of_8_can_lift_and_drag(kg, need):  # lift 64, drag 128
    assert trip_need(RULES, strength=8, kg=kg).value == need


def test_one_better_kneels_and_two_better_lies():
    assert [tripped(RULES, 2, footing) for footing in RATINGS] == ["standing", "standing", "kneeling", "prone", "prone", "prone"]
    assert tripped(RULES, 7, 10) == "standing"  # a trip that missed


def test_six_legs_are_too_many():
    with pytest.raises(UserError, match="6 legs"):
        trip_need(RULES, legs=6)


def test_keeping_the_feet():
    agile = Task(10, 7)
    assert script(keep_footing(RULES, 3, agile, 1), [(70,)]).outcome == "kneeling"
    assert script(keep_footing(RULES, 3, agile, 1), [(71,)]).outcome == "prone"
    assert script(keep_footing(RULES, 3, agile, 4), [(71,)]).outcome == "kneeling"
    assert script(keep_footing(RULES, 7, agile, 1), []).outcome == "standing"
    odds = exact(sub(keep_footing, RULES, 3, agile, 1)).map(str)
    assert (odds["standing"], odds["kneeling"], odds["prone"]) == (Fraction(35, 100), Fraction(35, 100), Fraction(30, 100))


@given(sampled_from(RATINGS), sampled_from(RATINGS), integers(1, 6))
def test_more_is_needed_of_the_heavy(attack, footing, need):
    order = ("standing", "kneeling", "prone")
    assert order.index(tripped(RULES, attack, footing, need + 1)) <= order.index(tripped(RULES, attack, footing, need))
