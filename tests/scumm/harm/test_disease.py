"""Infection and illness."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.scumm.harm.body import AVERAGE
from rulewright.systems.scumm.harm.disease import Disease, Illness, Infection, catch, expose, incubation, run_course
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
FLU = Disease("flu", 5, 4, 72, "pneumonia")


def test_who_passes_stays_healthy():  # book, line 712
    assert script(expose(RULES, FLU), [(5, 1)]).outcome == Illness("healthy")


def test_the_margin_of_failure_adds_to_the_virulence_and_divides_the_onset():  # book, lines 712-714
    assert script(catch(RULES, FLU), [(2, 1)]).outcome == Infection(7, 24 * 60)
    assert incubation(RULES, 72, 3).value == 24 * 60


def test_a_fumble_doubles_the_virulence_and_takes_a_tenth_of_the_time():  # book, lines 712-714
    assert script(catch(RULES, FLU), [(1, 1)]).outcome == Infection(8, 432)


def test_hygiene_shifts_the_threshold():  # book, line 712
    assert script(catch(RULES, FLU, AVERAGE, -3), [(2, 1)]).outcome is None
    assert script(catch(RULES, FLU, AVERAGE, 3), [(5, 1)]).outcome == Infection(7, 24 * 60)
    with pytest.raises(UserError, match="not by 4"):
        script(catch(RULES, FLU, AVERAGE, 4))


def test_a_draw_resists_by_ruling():
    strict = BOOK.ruleset(settings={"draws-pass": False})
    assert script(catch(strict, FLU), [(5, 1)]).outcome == Infection(5, 72 * 60)


def test_the_second_test_decides_how_bad_it_gets():  # book, line 716
    infection = Infection(5, 60)
    assert not script(run_course(RULES, FLU, infection), [(5, 2)]).outcome
    played = script(run_course(RULES, FLU, infection), [(4, 2)])
    assert played.outcome
    assert played.events[0].headline() == "someone suffers complications of the flu: pneumonia"
    assert script(expose(RULES, FLU), [(4, 2), (5, 1)]).outcome == Illness("mild", Infection(5, 72 * 60))
    assert script(expose(RULES, FLU), [(4, 2), (4, 1)]).outcome == Illness("complications", Infection(5, 72 * 60))


def test_wounds_weigh_on_both_tests():
    assert script(catch(RULES, FLU, replace(AVERAGE, flesh=1)), [(5, 1)]).outcome == Infection(5, 72 * 60)


def test_the_odds_of_an_exposure():
    odds = exact(sub(expose, RULES, Disease("cold", 3, 2, 24))).map(lambda illness: illness.course)
    caught_by_one = Fraction(3, 36)  # a highest die of 2: Virulence 3
    fumbled = Fraction(1, 36)  # Virulence 4
    assert odds["healthy"] == Fraction(32, 36)
    assert odds["complications"] == caught_by_one * Fraction(4, 36) + fumbled * Fraction(9, 36)


def test_impossible_illnesses_are_refused():
    with pytest.raises(UserError, match="Onset Time"):
        script(catch(RULES, Disease("odd", 3, 2, -1)))
    with pytest.raises(UserError, match="at least 1"):
        incubation(RULES, 5, 0)


def test_emergency_dice_keep_an_illness_off():  # line 282
    assert script(expose(RULES, emergency=1), [(1, 2, 5)]).outcome.course == "healthy"


def test_what_breaks_out_at_once_is_an_illness_too():
    assert script(catch(RULES, Disease("shock", 5, 4, 0)), [(2, 1)]).outcome == Infection(7, 0)


def test_the_rounding_of_an_incubation_is_a_ruling():  # 714
    up = BOOK.ruleset(settings={"disease-onset-rounding": "up"})
    assert (incubation(RULES, 1, 7).value, incubation(up, 1, 7).value) == (8, 9)  # 60 / 7 = 8.57
