"""Illness, electricity, fire, gravity and radiation: examples, boundaries, odds (book lines 5660-5916, 6240-6264)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact, sample
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.hazards import disease, electricity, fire, gravity, radiation
from rulewright.systems.silhouette.people.conditions import Infection, TakenIn
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
GRITTY = BOOK.ruleset("gritty")


def ruled(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def better(one, other):
    return 7 if one == other == 6 else max(one, other)


def chance(odds, holds):
    return Fraction(sum(weight for outcome, weight in odds.weights.items() if holds(outcome)), odds.total)


# --- illness ------------------------------------------------------------------------------------------------------------------


def test_the_margin_makes_an_illness_quicker_and_more_virulent_and_a_fumble_doubles_it():
    caught = script(disease.catch(PLAIN, AVERAGE), [(5, 2)]).outcome
    assert (caught.virulence, caught.days_left) == (13, 7 / 4)
    fumbled = script(disease.catch(PLAIN, AVERAGE), [(1, 1)]).outcome
    assert (fumbled.virulence, fumbled.days_left) == (18, 0.7)
    assert script(disease.catch(PLAIN, replace(AVERAGE, health=2), clean=1), [(6, 2)]).outcome is None


@pytest.mark.parametrize(
    ("margin", "fumble", "found"),
    [
        (1, False, Infection("mutant influenza", 0, penalty=-1)),
        (4, False, Infection("mutant influenza", 0, penalty=-4)),
        (5, False, Infection("mutant influenza", 0, in_bed=1, penalty=-4)),
        (8, False, Infection("mutant influenza", 0, in_bed=4, penalty=-4)),
        (9, False, Infection("mutant influenza", 0, fever=1, in_bed=4, penalty=-4)),
        (3, True, Infection("mutant influenza", 0, fever=7, in_bed=4, penalty=-4)),
    ],
)
def test_the_influenza_takes_the_course_of_lines_5676_to_5684(margin, fumble, found):
    assert disease.course_of(PLAIN, "mutant influenza", margin, fumble) == found


def test_who_withstands_it_sniffles_for_four_days_less_the_margin():
    assert [disease.sniffles(PLAIN, margin=margin) for margin in (0, 3, 4, 9)] == [4, 1, 0, 0]


def test_a_week_of_the_fever_kills_as_the_care_goes():
    """Virulence 30 is far out of reach: the fever burns for two weeks and more, unless the dice fumble, which is a week of it."""
    bad = Infection("mutant influenza", 30)
    for care, deadly in (("proper", 0), ("some", 1), ("none", 2)):
        odds = exact(lambda care=care: disease.ill_for(PLAIN, AVERAGE, bad, 7, care))
        assert chance(odds, lambda came: came.dead) == 1 - Fraction(6 - deadly, 6) ** 7


def test_the_chance_to_live_through_a_week_of_the_illness_agrees_with_many_weeks_of_it():
    caught = Infection("mutant influenza", 16)
    odds = exact(lambda: disease.ill_for(PLAIN, AVERAGE, caught, 7, "none"))
    drawn = sample(sub(disease.ill_for, PLAIN, AVERAGE, caught, 7, "none"), 20_000, seed=5)
    dead = sum(count for came, count in drawn.items() if came.dead) / 20_000
    assert dead == pytest.approx(float(chance(odds, lambda came: came.dead)), abs=0.015)
    doctored = exact(lambda: disease.ill_for(PLAIN, AVERAGE, caught, 7, "proper"))
    assert chance(doctored, lambda came: came.dead) == 0


def test_an_illness_incubates_breaks_out_and_wanes_day_by_day():
    state, body = Infection("mutant influenza", 12, 2.0), AVERAGE
    for faces, expected in [([], 1.0), ([(5, 3)], 0.0)]:  # 5 against 12: incapacity for three days
        body, state = script(disease.one_day(PLAIN, body, state), faces).outcome
        assert state.days_left == expected
    assert (state.in_bed, state.penalty) == (3, -4)
    days = 0
    while not state.over:
        body, state = script(disease.one_day(PLAIN, body, state), []).outcome
        days += 1
    assert days == 3 + 4


# --- electricity --------------------------------------------------------------------------------------------------------------


def test_jim_s_fence_of_intensity_15_and_a_three_do_45_points():
    jim = replace(AVERAGE, health=1)
    came = script(electricity.electrocute(PLAIN, jim, 15), [(3,), (4, 2), (6, 6)]).outcome  # lines 6242-6244
    assert (came.damage, came.cramped, came.patient.deep) == (45, True, 1)
    assert came.patient.coma  # 6 and 6 with Health 1 and a Deep Wound are 6 against 15


@pytest.mark.parametrize(("total", "state"), [((6, 6), "awake"), ((6, 2), "out"), ((2, 1), "coma"), ((1, 1), "dead")])
def test_the_heart_stands_the_current_or_not(total, state):
    came = script(electricity.heart(PLAIN, AVERAGE, 7), [total]).outcome
    assert {"awake": came.awake, "out": came.unconscious != 0, "coma": came.coma, "dead": came.dead}[state]


def test_a_one_on_the_die_does_nothing_and_a_gritty_campaign_takes_the_better_of_two():
    assert script(electricity.electrocute(PLAIN, AVERAGE, 100), [(1,)]).outcome.damage == 0
    gritty = script(electricity.electrocute(GRITTY, AVERAGE, 2), [(6, 6)]).outcome
    assert gritty.damage == 12


def test_less_than_a_round_halves_the_current_unless_it_is_a_weapon_s():
    assert electricity.effective_intensity(15, False).value == 7
    assert electricity.effective_intensity(15, False, True).value == 15
    assert electricity.sparks(29).value == 5


# --- fire ---------------------------------------------------------------------------------------------------------------------


def test_bubba_in_the_bonfire_takes_42_points_and_three_rounds_of_pain():
    came = script(fire.burn(PLAIN, AVERAGE, 7), [(6, 2), (5, 5), (3,)]).outcome  # lines 6252-6254
    assert (came.damage, came.patient.deep, came.rounds_in_pain) == (42, 1, 3)


def test_steve_pulls_him_out_and_takes_15_by_the_rule_and_20_by_the_example():
    by_rule = script(fire.burn(PLAIN, AVERAGE, 7, full_round=False), [(5, 3), (4, 4)]).outcome  # line 6258
    assert (by_rule.damage, by_rule.patient.flesh) == (15, 1)
    example = script(fire.burn(ruled(short_burns="up"), AVERAGE, 7, full_round=False), [(5, 3), (4, 4)]).outcome
    assert (example.damage, example.patient.flesh) == (20, 1)


def test_two_sixes_of_a_fire_are_seven_or_by_ruling_six_and_two_ones_halve_it():
    assert fire.fire_damage(PLAIN, 7, 7).value == 49
    assert fire.fire_damage(ruled(fire_sixes="six"), 7, 7).value == 42
    assert script(fire.burn(PLAIN, AVERAGE, 7), [(1, 1)]).outcome.damage == 3
    assert fire.effective_heat(PLAIN, 7, False, True).value == 7


def test_jason_s_match_does_not_light_the_wood_with_a_four():
    assert script(fire.ignites(PLAIN, 1, 6), [(4, 2)]).outcome is False  # line 6262
    assert script(fire.ignites(PLAIN, 1, 6), [(5, 2)]).outcome is True
    assert script(fire.ignites(PLAIN, 90, 6), [(1, 1)]).outcome is False


def test_lighting_something_over_rounds_has_the_odds_of_trying_again():
    odds = exact(lambda: fire.rounds_to_light(PLAIN, 1, 7, 3))
    each = Fraction(sum(better(a, b) + 1 >= 7 for a, b in product(range(1, 7), repeat=2)), 36)
    assert chance(odds, lambda came: came is None) == (1 - each) ** 3
    assert chance(odds, lambda came: came == 2) == (1 - each) * each


def test_clothes_burn_for_their_intensity_times_a_die_or_a_die_of_rounds_where_somebody_rolls():
    assert script(fire.burning_time(PLAIN, 5), [(3,)]).outcome == 15
    assert script(fire.time_to_put_out(PLAIN, "rolling"), [(3,)]).outcome == 3  # line 6264
    assert script(fire.time_to_put_out(PLAIN, "water, foam or vacuum"), []).outcome == 0
    assert script(fire.on_fire(PLAIN, AVERAGE, "light clothes", "water, foam or vacuum"), []).outcome == AVERAGE
    two_rounds = script(fire.on_fire(PLAIN, AVERAGE, "light clothes"), [(2,), (2, 1), (3, 3)]).outcome
    assert two_rounds == AVERAGE  # 8 and 12 points leave no wound


# --- gravity ------------------------------------------------------------------------------------------------------------------


def test_space_sickness_is_what_is_missing_to_five():
    odds = exact(lambda: gravity.space_sickness(PLAIN))
    assert chance(odds, lambda penalty: penalty == 0) == Fraction(20, 36)
    assert script(gravity.space_sickness(PLAIN, True, True, 1), [(2, 2)]).outcome == 0
    assert script(gravity.space_sickness(PLAIN, True), [(3, 2)]).outcome == -1


def test_an_average_person_jogs_over_sixty_metres_a_round_on_the_moon():
    assert gravity.move_rate_at(PLAIN, "jogging", 0, 0, 0.16).value == 62.5  # line 5792
    assert gravity.fall_in_gravity(60, 0.16) == 10


@pytest.mark.parametrize(("g", "cost"), [(0.1, -1), (0.99, -1), (1, 0), (1.9, 0), (2, -1), (3.5, -2)])
def test_footing_is_worse_below_one_g_and_by_every_full_g_above(g, cost):
    assert gravity.footing(g).value == cost


def test_pushing_off_goes_by_the_square_of_what_is_lifted_over_one_s_mass():
    assert gravity.push_off(PLAIN, 0, 0).value == 16
    assert gravity.push_off(PLAIN, 0, 0, 70, 70).value == 8
    assert gravity.push_off(PLAIN, 1, 0, 80).value == (4 * 80 / 80) ** 2


def test_a_collision_is_two_dice_times_the_speed_less_what_zero_g_takes_off():
    head = script(gravity.collide(PLAIN, AVERAGE, 2, head_first=True), [(4, 2), (5, 5)]).outcome
    assert (head.damage, head.rebound) == (28, 1)
    softened = script(gravity.collide(PLAIN, AVERAGE, 8, Pool(1)), [(3,), (4, 2), (5, 5)]).outcome
    assert (softened.damage, softened.rebound) == (20, 4)
    assert script(gravity.collide(PLAIN, AVERAGE, 5, Pool(1)), [(5,)]).outcome.landed
    hard = script(gravity.collide(PLAIN, AVERAGE, 3, surface="hard"), [(4, 2), (4, 4)]).outcome
    assert (hard.damage, hard.rebound) == (24, 3)
    assert script(gravity.collide(PLAIN, AVERAGE, 3, Pool(2)), [(1, 1), (1, 2), (4, 4)]).outcome.damage == 24


def test_recoil_is_a_hundredth_of_the_damage_and_drives_both_fighters_apart():
    assert gravity.recoil(25).value == 0.25
    assert gravity.recoil(25, True).value == 0
    assert gravity.driven_apart(9, second_braced=True) == (0.09, 0.0)


@pytest.mark.parametrize(
    ("months", "lost"), [(0, 0), (0.9, 0), (1, 1), (2, 2), (3, 2), (4, 3), (8, 4), (15, 4), (16, 5), (1e9, 30), (2e9, 30)]
)
def test_months_of_free_fall_cost_fitness_at_doubling_times(months, lost):
    assert gravity.fitness_lost(months) == lost
    assert gravity.build_lost(months) == lost // 2


def test_exercise_keeps_fit_and_more_of_it_is_needed_with_the_months():
    assert [gravity.exercise_needed(months) for months in (0, 3, 6, 12, 30)] == [2, 3, 4, 6, 6]
    assert gravity.after_months(1, 0, 4, 3) == {"fitness": 1, "build": 0}
    assert gravity.after_months(1, 0, 4, 2) == {"fitness": -2, "build": -1}


# --- radiation ----------------------------------------------------------------------------------------------------------------


@given(st.floats(0, 2000), st.lists(st.integers(0, 9), max_size=30))
def test_a_tenth_of_the_highest_tally_stays_for_ever(rads, rolls):
    taken = radiation.irradiate(TakenIn(), rads)
    for face in rolls:
        die = max(1, min(6, face))
        taken = script(radiation.purge_week(PLAIN, AVERAGE, taken), [(die, 1)]).outcome
        assert taken.rads >= min(rads, taken.most_rads / 10) - 1e-5
    assert taken.most_rads == pytest.approx(rads, abs=1e-5)


def test_treatment_purges_two_to_eight_times_as_much():
    taken = TakenIn(300, 300)
    assert script(radiation.purge_week(PLAIN, AVERAGE, taken, 8), [(5, 2)]).outcome.rads == 260
    with pytest.raises(UserError):
        script(radiation.purge_week(PLAIN, AVERAGE, taken, 9), [(5, 2)])


@pytest.mark.parametrize(
    ("before", "rads", "due"), [(0, 50, False), (0, 51, True), (0, 49, False), (60, 1, True), (60, 0.5, False), (49.8, 0.5, True)]
)
def test_a_test_is_due_above_fifty_and_with_every_further_rad(before, rads, due):
    assert radiation.is_due(before, rads) is due
    assert radiation.is_due(before, rads, tested_today=True) is False


def test_suits_take_their_factor_off_bursts_and_hours_and_hulls_a_little():
    assert radiation.shielded(100, None, 30).value == 70
    assert radiation.shielded(300, 2, 30).value == 240
    assert radiation.shielded(10, 1, 0, 10).value == 4  # 100 thousandths a minute
    assert radiation.shielded(10, 1, 99).value == 0


@pytest.mark.parametrize(
    ("margin", "sick"),
    [
        (0, radiation.Sickness()),
        (3, radiation.Sickness(-3)),
        (5, radiation.Sickness(-4, -1, -2)),
        (7, radiation.Sickness(-4, -1, -2)),
        (8, radiation.Sickness(-4, -2, -3)),
        (9, radiation.Sickness(-4, -2, -3)),
        (10, radiation.Sickness(-4, -3, -4, True)),
        (14, radiation.Sickness(-4, -3, -4, True)),
        (15, radiation.Sickness(fatal=True)),
    ],
)
def test_radiation_sickness_goes_by_its_margin(margin, sick):
    assert radiation.sickness_of(margin) == sick


def test_the_first_penalty_wanes_every_twelve_hours_and_recovery_takes_ten_days_less_system_shock():
    assert [radiation.penalty_after(-3, hours) for hours in (0, 11, 12, 36, 90)] == [-3, -3, -2, 0, 0]
    for penalty, hours in ((1, 0), (-1, -1)):
        with pytest.raises(UserError, match="penalty must be 0 or less"):
            radiation.penalty_after(penalty, hours)
    assert radiation.convalescence(6).value == 4


def test_a_fumble_strikes_by_the_table_and_below_a_hundred_rads_its_margin_counts():
    deep = script(radiation.rads_tell(PLAIN, AVERAGE, 550), [(1, 1), (4, 2)]).outcome
    assert (deep.strike, deep.minutes) == ("deep", 4)
    low = script(radiation.rads_tell(PLAIN, AVERAGE, 60), [(1, 1)]).outcome
    assert (low.strike, low.margin) == ("none", 5)
    assert radiation.row_of(PLAIN, 49) is None
    assert radiation.row_of(PLAIN, 2000).threshold == 17


def test_lingering_sickness_ends_with_a_passed_test_and_of_the_worst_kind_wounds_and_kills():
    odds = exact(lambda: radiation.lingers(PLAIN, AVERAGE, 6, 1))
    passed = Fraction(sum(better(a, b) - 2 >= 4 for a, b in product(range(1, 7), repeat=2)), 36)
    assert chance(odds, lambda came: came.recovered_on == 1) == passed
    assert script(radiation.lingers(PLAIN, AVERAGE, 12, 1), [(1, 1)]).outcome.patient.dead
    assert script(radiation.lingers(PLAIN, AVERAGE, 12, 1), [(5, 1), (6, 2)]).outcome.patient.deep == 1
    helped = exact(lambda: radiation.lingers(PLAIN, AVERAGE, 6, 1, 4))
    assert chance(helped, lambda came: came.recovered_on == 1) > passed


def test_cancer_comes_with_the_chance_of_half_the_worst_margin_every_year():
    assert [radiation.cancer_threshold(worst).value for worst in (0, 1, 8, 9)] == [0, 1, 4, 5]
    odds = exact(lambda: radiation.years(PLAIN, AVERAGE, 9, 3))
    safe = Fraction(sum(better(a, b) >= 5 for a, b in product(range(1, 7), repeat=2)), 36)
    assert chance(odds, lambda came: came is None) == safe**3
    assert script(radiation.year(PLAIN, AVERAGE, 0), []).outcome is True


def test_the_worst_margin_is_remembered():
    assert radiation.remember(radiation.remember(TakenIn(), 9), 4).worst_irradiation == 9
