"""Air, drugs and habits: the book's examples, boundaries, and odds counted by hand (book lines 5491-5658, 6234-6238)."""

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import play, script, sub
from rulewright.play.odds import exact, sample
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.harm.healing import degenerate
from rulewright.systems.silhouette.hazards import addiction, atmosphere, drugs
from rulewright.systems.silhouette.people.conditions import Habit
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
DRINKER = Habit("alcohol", dependent=True, addicted=True)


def ruled(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def better(one, other):
    """The usual reading of two dice."""
    return 7 if one == other == 6 else max(one, other)


def chance(odds, holds):
    return Fraction(sum(weight for outcome, weight in odds.weights.items() if holds(outcome)), odds.total)


# --- air ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("minutes", "penalty"), [(0, 0), (9.9, 0), (10, -1), (11.9, -1), (12, -2), (14, -3), (16, -4), (18, -5)])
def test_the_mind_loses_a_point_after_ten_minutes_and_every_two_thereafter(minutes, penalty):
    assert atmosphere.oxygen_penalty(minutes).value == penalty


def test_twice_the_oxygen_or_twice_the_room_doubles_every_time():
    assert atmosphere.oxygen_penalty(20, oxygen=40).value == atmosphere.oxygen_penalty(20, volume=2).value == -1
    assert atmosphere.oxygen_penalty(24, volume=2).value == -2


def test_everybody_faints_with_the_chance_that_two_tests_of_fitness_leave():
    odds = exact(lambda: atmosphere.suffocate(PLAIN, 0, minutes=12))
    awake = sum(better(a, b) - 1 >= 4 and better(c, d) - 2 >= 4 for a, b, c, d in product(range(1, 7), repeat=4) if (a, b) != (1, 1))
    assert chance(odds, lambda came: came.awake) == Fraction(awake, 6**4)


def test_after_twenty_minutes_nobody_is_awake_and_the_fittest_is_not_spared():
    odds = exact(lambda: atmosphere.suffocate(PLAIN, 5, minutes=20))
    assert chance(odds, lambda came: came.awake) == 0
    assert chance(odds, lambda came: came.dead) == 0


def test_a_brain_dies_as_soon_as_one_of_six_attributes_has_dropped_to_minus_five():
    five = exact(lambda: atmosphere.suffocate(PLAIN, 0, minutes=20.5))  # thirty seconds are five turns
    assert chance(five, lambda came: came.dead) == Fraction(6, 6**5)
    four = exact(lambda: atmosphere.suffocate(PLAIN, 0, minutes=20.4))
    assert chance(four, lambda came: came.dead) == 0
    weak = exact(lambda: atmosphere.suffocate(PLAIN, 0, (0, 0, 0, 0, 0, -4), minutes=20.1))
    assert chance(weak, lambda came: came.dead) == Fraction(1, 6)


def test_by_the_other_ruling_the_drops_of_bad_air_count_towards_death():
    other = ruled(oxygen_death_counts="what is left of the attributes")
    odds = exact(lambda: atmosphere.suffocate(other, 0, minutes=20))
    assert chance(odds, lambda came: came.dead) == 1


def test_thin_air_is_tested_three_times_each_a_point_harder():
    odds = exact(lambda: atmosphere.decompress(PLAIN, 0))
    faces = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    held = [Fraction(sum(better(*f) - stage >= 4 and f != (1, 1) for f in faces), 36) for stage in (1, 2, 3)]
    assert chance(odds, lambda came: came.awake) == held[0] * held[1] * held[2]
    assert {came.penalty for came in odds.weights} == {-3}


def test_thirty_five_points_on_armor_ten_are_a_hole_of_three_centimetres():
    assert atmosphere.breach(35, 10).value == 3
    assert [atmosphere.breach(damage, 10).value for damage in (9, 10, 11, 19, 20, 30)] == [0, 0, 1, 1, 2, 3]


def test_a_hole_is_taken_for_the_printed_one_nearest_in_proportion():
    assert [atmosphere.hole_class(PLAIN, area) for area in (0.5, 9, 11, 100, 5000, 10**9)] == [
        "leak",
        "leak",
        "fist",
        "fist",
        "man",
        "ship",
    ]
    assert atmosphere.loss_time(PLAIN, "man", "room") == 24
    assert atmosphere.stage_times(PLAIN, "man", "room") == (6, 12, 18)


def test_somebody_stays_awake_in_the_vacuum_for_twelve_rounds_and_fitness():
    assert atmosphere.rounds_awake(PLAIN, 2, 3).value == 14
    assert atmosphere.rounds_awake(BOOK.ruleset("cinematic"), 2, 3).value == 15
    assert atmosphere.rounds_awake(BOOK.ruleset("cinematic"), 2, 1).value == 14
    alike = atmosphere.rounds_awake(BOOK.ruleset("cinematic"), 2, 2)
    assert [term.label for term in alike.reason.terms][:2] == ["base", "Fitness"]  # Willpower only where it is higher
    fit = replace(AVERAGE, fitness=1)
    assert all(came.awake for came in exact(lambda: atmosphere.vacuum(PLAIN, fit, 10)).weights)
    assert not any(came.awake for came in exact(lambda: atmosphere.vacuum(PLAIN, fit, 14)).weights)


def test_a_breath_held_in_the_vacuum_is_a_deep_wound_and_more_than_a_minute_a_flesh_wound():
    came = script(atmosphere.vacuum(PLAIN, AVERAGE, 11, held_breath=True), [(5, 4), (6, 3)]).outcome
    assert (came.patient.deep, came.patient.flesh) == (1, 1)
    assert script(atmosphere.vacuum(PLAIN, AVERAGE, 10), []).outcome.patient == AVERAGE


def test_nobody_lives_through_three_minutes_of_vacuum():
    strong = (5, 5, 5, 5, 5, 5)
    assert all(came.patient.dead for came in exact(lambda: atmosphere.vacuum(PLAIN, AVERAGE, 30, strong)).weights)
    dice = ruled(vacuum_kills_in_three_minutes=False)
    assert chance(exact(lambda: atmosphere.vacuum(dice, AVERAGE, 30, strong)), lambda came: came.patient.dead) < Fraction(1, 100)


# --- drugs --------------------------------------------------------------------------------------------------------------------


def test_three_drinks_are_potency_7_by_the_rule_and_8_in_the_book_s_example():
    assert drugs.dose_potency(PLAIN, 6, 3).value == 7
    assert drugs.dose_potency(ruled(extra_doses="a point each at least"), 6, 3).value == 8
    assert drugs.dose_potency(PLAIN, 20, 3).value == drugs.dose_potency(ruled(extra_doses="a point each at least"), 20, 3).value == 24


def test_al_s_triple_scotch_costs_him_four_after_a_minute_by_the_example_s_reading():
    book = ruled(extra_doses="a point each at least")
    came = script(drugs.take_drug(book, AVERAGE, "alcohol", 3), [(4, 2)]).outcome  # lines 6236-6238
    assert (came.margin, came.minutes, came.effect.penalty, came.patient.drugged) == (4, 1.25, -4, -4)
    rule = script(drugs.take_drug(PLAIN, AVERAGE, "alcohol", 3), [(4, 2)]).outcome
    assert (rule.margin, rule.effect.penalty) == (3, -3)
    assert rule.minutes == pytest.approx(5 / 3)


@pytest.mark.parametrize(
    ("margin", "fumble", "effect"),
    [
        (1, False, drugs.Effect(-1)),
        (4, False, drugs.Effect(-4)),
        (5, False, drugs.Effect(-4, 50, True)),
        (9, False, drugs.Effect(-4, 90, True)),
        (10, False, drugs.Effect(damage=50)),
        (3, True, drugs.Effect(damage=50)),
    ],
)
def test_a_sedative_of_potency_10_dulls_puts_to_sleep_or_poisons(margin, fumble, effect):
    assert drugs.sedative(10, margin, fumble) == effect


@pytest.mark.parametrize(
    ("margin", "fumble", "effect"),
    [
        (4, False, drugs.Effect(-4)),
        (5, False, drugs.Effect(-4, 60)),
        (14, False, drugs.Effect(-4, 168)),
        (15, False, drugs.Effect(damage=30)),
        (2, True, drugs.Effect(-4, 168)),
    ],
)
def test_a_hallucinogen_of_potency_12_is_harder_to_die_of(margin, fumble, effect):
    assert drugs.hallucinogen(12, margin, fumble) == drugs.euphoric(12, margin, fumble) == effect


def test_stimulants_quicken_and_the_stronger_bonus_rises_to_five_before_it_falls():
    assert [drugs.stimulant(12, margin) for margin in (3, 7, 10)] == [
        drugs.Effect(initiative=3),
        drugs.Effect(initiative=3, rising=True),
        drugs.Effect(damage=70),
    ]
    assert [drugs.alertness_after(3, hours, True) for hours in range(9)] == [3, 4, 5, 4, 3, 2, 1, 0, 0]
    assert [drugs.alertness_after(3, hours) for hours in range(5)] == [3, 2, 1, 0, 0]


def test_painkillers_dull_as_much_as_they_were_not_withstood_and_too_much_of_them_puts_to_sleep():
    assert (drugs.analgesic(3).relief, drugs.analgesic(3, True).relief) == (3, 0)
    assert [drugs.numbed_out(margin, 5) for margin in (10, 11)] == [False, True]
    frail = replace(AVERAGE, health=-2, system_shock=1)
    came = script(drugs.take_toxin(PLAIN, frail, 7, ("analgesic",), 5), [(3, 2), (4,)]).outcome
    assert (came.effect.relief, came.effect.out, came.patient.unconscious) == (6, 240, 240)


def test_a_poison_does_potency_times_margin_and_no_armor_helps():
    mailed = replace(AVERAGE, armor=100)
    came = script(drugs.take_toxin(PLAIN, mailed, 8, ("fatal",), 0.5), [(4, 3), (5, 5)]).outcome
    assert (came.effect.damage, came.patient.deep) == (32, 1)
    assert script(drugs.take_toxin(PLAIN, AVERAGE, 8), [(1, 1)]).outcome.patient.coma


def test_a_sedative_counts_on_staying_awake_but_not_where_wounds_get_worse():
    hurt = replace(AVERAGE, flesh=1, drugged=-4)
    assert hurt.penalty == hurt.acting_penalty == -5
    sober = exact(lambda: degenerate(PLAIN, replace(hurt, drugged=0)))
    dulled = exact(lambda: degenerate(PLAIN, hurt))
    worse = [chance(odds, lambda came: came.flesh > 1 or came.deep) for odds in (sober, dulled)]
    assert worse[0] == worse[1]


def test_the_odds_of_a_drug_agree_with_taking_it_many_times():
    odds = exact(lambda: drugs.take_drug(PLAIN, AVERAGE, "barbiturates", 1))
    drawn = sample(sub(drugs.take_drug, PLAIN, AVERAGE, "barbiturates", 1), 20_000, seed=3)
    asleep = sum(count for came, count in drawn.items() if came.effect.out) / 20_000
    assert asleep == pytest.approx(float(chance(odds, lambda came: bool(came.effect.out))), abs=0.015)


def test_an_hour_takes_a_point_off_everything_a_drug_does():
    later = drugs.hours_later(replace(AVERAGE, drugged=-3, alert=2, ignored=4, unconscious=90), 2)
    assert (later.drugged, later.alert, later.ignored, later.unconscious) == (-1, 0, 2, 0)
    assert drugs.effect_after(drugs.Effect(-4, 90, True), 3) == drugs.Effect(-3, 0, True)


# --- habits -------------------------------------------------------------------------------------------------------------------


def test_psyche_decides_on_dependence_and_health_on_addiction():
    came = script(addiction.fall_into(PLAIN, AVERAGE, 0, "alcohol"), [(2, 1), (3, 1)]).outcome
    assert (came.dependent, came.addicted) == (True, False)
    cannabis = script(addiction.fall_into(PLAIN, AVERAGE, 0, "cannabis"), [(2, 3)]).outcome
    assert (cannabis.dependent, cannabis.addicted) == (True, False)


@pytest.mark.parametrize(
    ("margin", "fumble", "cost"), [(1, False, -1), (4, False, -1), (5, False, -2), (9, False, -2), (10, False, -3), (2, True, -3)]
)
def test_refusing_against_one_s_will_costs_one_to_three(margin, fumble, cost):
    assert addiction.craving(margin, fumble) == cost


def test_five_refusals_in_a_row_are_half_a_cure_of_alcohol():
    habit = DRINKER
    for _ in range(5):
        assert not habit.steadied
        habit = script(addiction.turn_down(PLAIN, 0, habit), [(5, 2)]).outcome.habit
    assert habit.steadied
    three_better = script(addiction.turn_down(PLAIN, 0, habit), [(2, 1)]).outcome
    assert not three_better.taken
    fallen = script(addiction.turn_down(PLAIN, -2, habit), [(3, 1)], ["take"]).outcome
    assert (fallen.taken, fallen.habit.steadied) == (True, False)


def test_a_fumble_of_the_half_cured_is_a_binge_that_willpower_may_leave_at_that():
    habit = replace(DRINKER, steadied=True)
    kept = script(addiction.turn_down(PLAIN, 0, habit), [(1, 1), (4, 2)]).outcome
    assert (kept.taken, kept.habit.steadied) == (True, True)
    lost = script(addiction.turn_down(PLAIN, -1, habit), [(1, 1), (2, 1)]).outcome
    assert (lost.taken, lost.habit.steadied) == (True, False)


def test_who_fails_may_refuse_and_suffer():
    came = script(addiction.turn_down(PLAIN, 0, DRINKER), [(4, 2)], ["refuse"]).outcome
    assert (came.taken, came.penalty) == (False, -1)


@pytest.mark.parametrize(
    ("margin", "fumble", "found"),
    [
        (3, False, addiction.Bout(0, 0, -3)),
        (5, False, addiction.Bout(0, 1, -4)),
        (8, False, addiction.Bout(0, 4, -4)),
        (9, False, addiction.Bout(1, 4, -4)),
        (11, False, addiction.Bout(3, 4, -4)),
        (2, True, addiction.Bout(1, 4, -4)),
    ],
)
def test_withdrawal_sickens_incapacitates_or_endangers_by_its_margin(margin, fumble, found):
    assert addiction.bout(margin, fumble) == found


def test_eight_good_days_in_a_row_end_an_addiction_to_alcohol_but_not_the_dependence():
    habit = replace(DRINKER, survived=6)
    came = script(addiction.withdraw(PLAIN, AVERAGE, habit, 8), [(3, 1)] * 8).outcome
    assert (came.habit.addicted, came.habit.dependent) == (False, True)
    seven = script(addiction.withdraw(PLAIN, AVERAGE, habit, 7), [(3, 1)] * 7).outcome
    assert (seven.habit.addicted, seven.habit.clean_days) == (True, 7)


def test_every_withdrawal_survived_makes_the_next_test_easier_by_one():
    two_days_ill = [(6, 2), (6, 2)]  # Health 6 against 8: two days of it, and then 7 against 8
    came = script(addiction.withdraw(PLAIN, AVERAGE, DRINKER, 4), two_days_ill).outcome
    assert came.habit.survived == 1
    assert came.penalty == -1


@pytest.mark.slow
def test_a_hospital_saves_the_addict_from_the_fever_and_the_chance_is_exact():
    alone = exact(lambda: addiction.withdraw(PLAIN, AVERAGE, DRINKER, 2, 0, "none"))
    assert chance(alone, lambda came: came.dead) == Fraction(1, 36) * Fraction(2, 6)
    nursed = exact(lambda: addiction.withdraw(PLAIN, AVERAGE, DRINKER, 30, 0, "proper"))
    assert chance(nursed, lambda came: came.dead) == 0
    left = exact(lambda: addiction.withdraw(ruled(withdrawal_deaths="left to the gamemaster"), AVERAGE, DRINKER, 10, 0, "none"))
    assert chance(left, lambda came: came.dead) == 0


def test_help_has_its_limits():
    assert addiction.institution(4).value == 4
    assert addiction.counselling(2).value == 2
    with pytest.raises(UserError):
        addiction.institution(5)
    with pytest.raises(UserError):
        addiction.counselling(3)


def test_taking_the_drug_begins_the_count_anew_and_a_year_without_it_may_free():
    assert addiction.takes_it_again(replace(DRINKER, clean_days=5)).clean_days == 0
    assert [addiction.fully_cured(364), addiction.fully_cured(365), addiction.fully_cured(900, False)] == [False, True, False]


def test_withdrawal_played_stays_among_what_exact_lists():
    odds = exact(lambda: addiction.withdraw(PLAIN, AVERAGE, DRINKER, 10, 0, "some"))
    for _ in range(20):
        assert play(addiction.withdraw(PLAIN, AVERAGE, DRINKER, 10, 0, "some")).outcome in odds.weights
