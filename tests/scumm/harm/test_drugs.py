"""Drugs, toxins, doses and addiction."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.scumm.harm.body import AVERAGE, Influence
from rulewright.systems.scumm.harm.damage import shock_left
from rulewright.systems.scumm.harm.drugs import (
    Addiction,
    Drug,
    addiction_tests,
    analgesic,
    becomes_addicted,
    day_without,
    dose,
    fade,
    fatal_toxin,
    hallucinogen,
    in_withdrawal,
    known_drug,
    medical_help,
    onset,
    potency_of,
    relapse,
    sedative,
    stimulant,
    take,
    toxin_damage,
    wear_off,
    withdraw,
    withdrawal_pool,
)
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
AWAKE = (6, 5)


def later(patient, hours: float):
    return script(wear_off(RULES, patient, int(60 * hours))).outcome


# --- the test and its onset ---------------------------------------------------------------------------------------------------


def test_potency_is_the_threshold_and_a_draw_resists():  # book, line 652
    resisted = script(take(RULES, "alcohol"), [(6, 2)])
    assert (resisted.outcome.patient, resisted.outcome.margin) == (AVERAGE, 0)
    assert resisted.events[0].headline() == "someone resists the alcohol"
    felt = script(take(RULES, "alcohol"), [(5, 2)])
    assert felt.outcome.margin == 1
    strict = BOOK.ruleset(settings={"draws-pass": False})
    assert script(take(strict, "alcohol"), [(6, 2)]).outcome.margin == 1


def test_wounds_weigh_on_the_test():
    assert script(take(RULES, "alcohol", replace(AVERAGE, flesh=1)), [(6, 2)]).outcome.margin == 1


def test_onset_is_divided_by_the_margin_of_failure():  # book, line 652
    assert onset(RULES, 15, 3).value == 300
    assert script(take(RULES, "alcohol"), [(3, 2)]).outcome.onset_seconds == 300
    assert onset(RULES, 20, 7).value == 172  # rounded up


def test_a_fumble_works_in_a_tenth_of_the_time():  # book, line 652
    assert onset(RULES, 15, 5, fumble=True).value == 90


def test_doses_divide_the_onset():  # book, line 676
    assert onset(RULES, 15, 3, doses=2).value == 150
    assert onset(RULES, 15, 3, doses=3, fumble=True).value == 30
    alone = BOOK.ruleset(settings={"fumbled-onset-counts-doses": False})
    assert onset(alone, 15, 3, doses=3, fumble=True).value == 90


def test_every_extra_dose_adds_a_tenth_rounded_down_once():  # book, line 676
    assert [potency_of(RULES, 6, doses).value for doses in (1, 2, 3, 6)] == [6, 6, 7, 9]
    assert potency_of(RULES, 12, 6).value == 18
    each = BOOK.ruleset(settings={"extra-dose-rounding": "each dose"})
    assert potency_of(each, 12, 6).value == 17
    assert potency_of(each, 6, 6).value == 6


@given(potency=st.integers(1, 30), doses=st.integers(1, 50))
def test_potency_with_doses_is_a_plain_floor(potency: int, doses: int):
    assert potency_of(RULES, potency, doses).value == int(Fraction(potency) * (1 + Fraction(doses - 1, 10)))


def test_impossible_drugs_are_refused():
    with pytest.raises(UserError, match="at least 1, not 0"):
        potency_of(RULES, 0)
    with pytest.raises(UserError, match="from 1 to 100 doses"):
        potency_of(RULES, 5, 0)
    with pytest.raises(UserError, match="Onset Time of 0 or more"):
        onset(RULES, -1)
    with pytest.raises(UserError, match="scumm-sample-drugs has no row"):
        script(take(RULES, "aspirin"))


@pytest.mark.parametrize(
    ("drug", "potency", "effects", "minutes"),  # book, lines 678-683
    [
        ("alcohol", 6, ("sedative", "euphoric", "analgesic"), 15),
        ("pcp", 12, ("hallucinogenic", "stimulant", "analgesic"), 30),
        ("cannabis", 6, ("euphoric",), 2),
        ("barbiturates", 10, ("sedative", "euphoric"), 20),
    ],
)
def test_the_sample_drugs_are_as_printed(drug: str, potency: int, effects: tuple[str, ...], minutes: int):
    row = known_drug(RULES, drug)
    assert (row.potency, row.effects, row.onset_minutes) == (potency, effects, minutes)


# --- fatal toxins -------------------------------------------------------------------------------------------------------------


def test_a_fatal_toxin_does_a_fifth_of_potency_times_margin():  # book, line 654
    assert toxin_damage(10, 3).value == 6
    assert toxin_damage(7, 2).value == 3  # 2.8, rounded up
    assert script(fatal_toxin(RULES, 10, 3), [AWAKE]).outcome.deep == 1
    assert script(fatal_toxin(RULES, 20, 3)).outcome.dead
    with pytest.raises(UserError, match="0 or more"):
        toxin_damage(5, -1)


def test_no_armor_stops_a_toxin():
    suit = replace(AVERAGE, armor=7, covers=("torso",))
    assert script(fatal_toxin(RULES, 10, 3, False, suit), [AWAKE]).outcome.deep == 1


def test_a_fumble_against_a_toxin_is_a_coma():  # book, line 654
    assert script(fatal_toxin(RULES, 10, 3, True), [AWAKE]).outcome.coma
    venom = Drug(drug="venom", potency=8, effects=("fatal",), onset_minutes=0.5)
    bitten = script(dose(RULES, venom), [(1, 1)]).outcome  # failed by 7: 12 damage
    assert bitten.patient.dead
    assert bitten.onset_seconds == 3


# --- sedatives and hallucinogens ----------------------------------------------------------------------------------------------


@given(margin=st.integers(1, 4))
def test_a_mild_sedative_costs_its_margin_and_fades_by_the_hour(margin: int):  # book, line 656
    drowsy = script(sedative(RULES, 10, margin)).outcome
    assert drowsy.penalty == -margin
    for hours in range(6):
        assert later(drowsy, hours).penalty == -max(0, margin - hours)
    assert shock_left(RULES, drowsy).value == 5


def test_a_stronger_sedative_knocks_out_for_potency_times_margin_and_leaves_four():  # book, lines 656-658
    asleep = script(sedative(RULES, 10, 5)).outcome
    assert (asleep.unconscious, asleep.awake, asleep.penalty) == (50, False, 0)
    assert script(sedative(RULES, 10, 9)).outcome.unconscious == 90
    woken = script(wear_off(RULES, asleep, 51)).outcome
    assert (woken.awake, woken.penalty) == (True, -4)
    assert script(wear_off(RULES, asleep, 110)).outcome.penalty == -3
    light = BOOK.ruleset(settings={"after-collapse": 1})
    assert script(wear_off(RULES, script(sedative(light, 10, 5)).outcome, 51)).outcome.penalty == -1


def test_a_sedative_overdose_is_a_weaker_toxin():  # book, line 660
    assert script(sedative(RULES, 10, 10)).outcome.dead  # 5 x 10 / 5
    assert script(sedative(RULES, 7, 10), [AWAKE]).outcome.flesh == 1  # 2 x 10 / 5
    assert script(sedative(RULES, 7, 3, True), [AWAKE]).outcome.flesh == 1  # fumbled: as if by 10
    assert script(sedative(RULES, 4, 10)).outcome == AVERAGE


def test_a_hallucinogen_distorts_then_overwhelms():  # book, lines 662-664
    assert script(hallucinogen(RULES, 10, 4)).outcome.penalty == -4
    tripping = script(hallucinogen(RULES, 10, 14)).outcome
    assert (tripping.incapacitated, tripping.awake, tripping.able) == (140, True, False)
    after = script(wear_off(RULES, tripping, 141)).outcome
    assert (after.able, after.penalty) == (True, -4)
    assert script(hallucinogen(RULES, 10, 5)).outcome.incapacitated == 50


def test_a_fumbled_hallucinogen_counts_as_fourteen():  # book, line 664
    assert script(hallucinogen(RULES, 10, 2, True)).outcome.incapacitated == 140


def test_a_hallucinogen_overdose_is_divided_like_other_toxins_by_ruling():  # book, line 664
    assert script(hallucinogen(RULES, 12, 15), [AWAKE]).outcome.deep == 1  # 2 x 15 / 5
    printed = BOOK.ruleset(settings={"hallucinogen-divisor": 1})
    assert script(hallucinogen(printed, 12, 15)).outcome.dead  # 30
    assert script(hallucinogen(RULES, 8, 15)).outcome == AVERAGE


# --- stimulants and analgesics ------------------------------------------------------------------------------------------------


def test_a_mild_stimulant_helps_initiative():  # book, line 666
    wired = script(stimulant(RULES, 10, 3)).outcome
    assert [later(wired, hours).initiative_bonus for hours in range(5)] == [3, 2, 1, 0, 0]
    assert wired.penalty == 0


def test_a_strong_stimulant_rises_to_five_before_it_falls():  # book, line 668
    wired = script(stimulant(RULES, 10, 8)).outcome
    assert [later(wired, hours).initiative_bonus for hours in range(10)] == [2, 3, 4, 5, 4, 3, 2, 1, 0, 0]
    assert wired.influences[0].sleepless
    at_once = script(stimulant(RULES, 10, 5)).outcome
    assert [later(at_once, hours).initiative_bonus for hours in range(3)] == [5, 4, 3]


@given(points=st.integers(1, 5), first=st.integers(0, 400), second=st.integers(0, 400), rising=st.booleans(), after=st.integers(0, 90))
def test_fading_does_not_depend_on_when_one_looks(points: int, first: int, second: int, rising: bool, after: int):
    influence = Influence("stimulant", points, after, rising and points < 5)
    once, twice = fade(influence, first + second), fade(fade(influence, first), second)
    assert (once.points, once.after) == (twice.points, twice.after)
    assert once == twice or not once.points


def test_a_stimulant_overdose_and_a_fumble():  # book, line 670
    assert script(stimulant(RULES, 10, 10)).outcome.dead
    assert script(stimulant(RULES, 7, 2, True), [AWAKE]).outcome.flesh == 1
    lenient = BOOK.ruleset(settings={"stimulant-fumble": "by margin"})
    assert script(stimulant(lenient, 7, 2, True)).outcome.initiative_bonus == 2


def test_an_analgesic_lets_penalties_be_ignored_for_a_while():  # book, line 672
    hurt = replace(AVERAGE, flesh=1, deep=1)
    numb = script(analgesic(RULES, 2, False, hurt)).outcome
    assert [later(numb, hours).penalty for hours in range(3)] == [-1, -2, -3]
    assert script(analgesic(RULES, 8, False, hurt)).outcome.penalty == 0
    assert shock_left(RULES, numb).value == 2


def test_a_fumbled_analgesic_brings_no_relief():  # book, line 672
    hurt = replace(AVERAGE, flesh=2)
    assert script(analgesic(RULES, 5, True, hurt)).outcome == hurt


def test_too_much_analgesic_knocks_out_for_a_die_of_hours():  # book, line 672
    assert script(analgesic(RULES, 10, False, AVERAGE)).outcome.awake
    assert script(analgesic(RULES, 11, False, AVERAGE), [(4,)]).outcome.unconscious == 240


def test_one_test_serves_all_effects_of_a_drug():  # book, line 676
    drunk = script(take(RULES, "alcohol", replace(AVERAGE, flesh=1)), [(4, 2)]).outcome
    assert drunk.margin == 3
    assert [(i.effect, i.points) for i in drunk.patient.influences] == [("sedative", 3), ("hallucinogen", 3), ("analgesic", 3)]
    assert drunk.patient.penalty == -1 - 3 - 3 + 3


def test_more_drinks_are_stronger():
    assert script(take(RULES, "alcohol", AVERAGE, 5), [(6, 2)]).outcome.margin == 2
    odds = exact(sub(take, RULES, "alcohol")).map(lambda dosed: dosed.margin > 0)
    assert odds[True] == Fraction(25, 36)


# --- addiction ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drug", "threshold"), [("alcohol", 3), ("pcp", 4), ("cannabis", 2), ("barbiturates", 6)])  # book, lines 693-698
def test_a_failed_health_test_makes_an_addict(drug: str, threshold: int):
    assert not script(becomes_addicted(RULES, drug), [(threshold, 1)]).outcome
    odds = exact(sub(becomes_addicted, RULES, drug))
    assert odds[True] == Fraction((threshold - 1) ** 2, 36)


def test_tests_come_up_at_every_interval_where_addiction_is_played():  # book, lines 693-698
    on = BOOK.ruleset(settings={"addiction": True})
    assert [addiction_tests(on, drug, 12) for drug in ("alcohol", "pcp", "cannabis", "barbiturates")] == [4, 1, 3, 6]
    assert addiction_tests(RULES, "alcohol", 12) == 0
    with pytest.raises(UserError, match="0 times or more"):
        addiction_tests(on, "alcohol", -1)


def test_as_many_days_in_a_row_as_the_rating_end_the_addiction():  # book, line 702
    weed = Addiction.to(RULES, "cannabis")
    assert weed == Addiction("cannabis", 2)
    first = script(day_without(RULES, weed), [(2, 1)]).outcome
    assert (first.streak, first.free) == (1, False)
    second = script(day_without(RULES, first), [(3, 1)]).outcome
    assert second.free
    assert script(day_without(RULES, second)).outcome == second


def test_a_failure_breaks_the_row_and_brings_a_penalty_that_rest_eases():  # book, line 704
    habit = Addiction("alcohol", 5, streak=3)
    shaking = script(day_without(RULES, habit), [(2, 1)]).outcome
    assert (shaking.streak, shaking.penalty, shaking.failed) == (0, 3, True)
    rested = script(day_without(RULES, shaking), [(6, 6)]).outcome  # 7 less 3 is no pass
    assert rested.penalty == 2
    busy = script(day_without(RULES, shaking, AVERAGE, 0, 0, False), [(6, 6)]).outcome
    assert busy.penalty == 3
    assert in_withdrawal(AVERAGE, shaking).penalty == -3


def test_a_worse_failure_brings_helpless_days_and_then_the_penalty():  # book, line 704
    habit = Addiction("barbiturates", 7)
    helpless = script(day_without(RULES, habit), [(2, 1)]).outcome  # failed by 5
    assert helpless.helpless_days == 1
    assert not in_withdrawal(AVERAGE, helpless).able
    after = script(day_without(RULES, helpless)).outcome
    assert (after.helpless_days, after.penalty) == (0, 4)
    light = BOOK.ruleset(settings={"after-collapse": 2})
    assert script(day_without(light, helpless)).outcome.penalty == 2


def test_the_worst_failures_are_a_crisis_then_helplessness():  # book, line 704
    deep_in = Addiction("barbiturates", 12)
    crisis = script(day_without(RULES, deep_in), [(2, 1)]).outcome  # failed by 10
    assert crisis.crisis_days == 2
    days = [crisis]
    for _ in range(6):
        days.append(script(day_without(RULES, days[-1])).outcome)
    assert [(day.crisis_days, day.helpless_days, day.penalty) for day in days] == [
        (2, 0, 0),
        (1, 0, 0),
        (0, 4, 0),
        (0, 3, 0),
        (0, 2, 0),
        (0, 1, 0),
        (0, 0, 4),
    ]
    fumbled = script(day_without(RULES, Addiction("cannabis", 2)), [(1, 1)]).outcome
    assert fumbled.crisis_days == 1


def test_taking_the_drug_ends_the_symptoms_and_the_count_but_teaches():  # book, line 704
    assert relapse(Addiction("alcohol", 5, streak=2, failed=True, penalty=3)) == Addiction("alcohol", 5, bonus=1)
    assert relapse(Addiction("alcohol", 5, streak=2, bonus=1)) == Addiction("alcohol", 5, bonus=1)
    assert withdrawal_pool(RULES, Addiction("alcohol", 5, bonus=2)).modifier == 2


def test_a_clinic_helps_by_up_to_four_and_counselling_by_up_to_two():  # book, line 708
    assert medical_help("clinic", 4).value == 4
    assert medical_help("counselling", 2).value == 2
    for kind, bonus in (("clinic", 5), ("counselling", 3), ("clinic", 0)):
        with pytest.raises(UserError, match="bonus from 1 to"):
            medical_help(kind, bonus)
    assert withdrawal_pool(RULES, Addiction("alcohol", 5), AVERAGE, 3).modifier == 3
    assert script(day_without(RULES, Addiction("alcohol", 5), AVERAGE, 3), [(2, 1)]).outcome.streak == 1


def test_doctors_help_a_test_of_health_or_of_body():  # book, lines 702-708
    addict = replace(AVERAGE, health=1, flesh=1)
    assert withdrawal_pool(RULES, Addiction("alcohol", 5), addict, 2, 3).modifier == 1 - 1 + 2
    by_body = BOOK.ruleset(settings={"withdrawal-test": "body"})
    assert withdrawal_pool(by_body, Addiction("alcohol", 5), addict, 2, 3).modifier == 3 - 1 + 2
    assert withdrawal_pool(by_body, Addiction("alcohol", 5), addict, 0, 3).modifier == 0


def test_the_odds_of_two_clean_days():
    odds = exact(sub(withdraw, RULES, Addiction("cannabis", 2), AVERAGE, 2)).map(lambda addiction: addiction.free)
    assert odds[True] == Fraction(35, 36) ** 2
    with pytest.raises(UserError, match="0 days or more"):
        script(withdraw(RULES, Addiction("cannabis", 2), AVERAGE, -1))


# --- closer to the letter -----------------------------------------------------------------------------------------------------


def test_a_fumbled_sedative_is_failed_by_ten_and_no_more():  # book, line 660
    assert script(sedative(RULES, 15, 14, True)).outcome.dead  # 10 x 10 / 5 = 20
    light = script(sedative(RULES, 7, 14, True), [AWAKE]).outcome
    assert (light.flesh, light.deep) == (1, 0)  # 2 x 10 / 5 = 4, where 2 x 14 / 5 would have been 6


def test_withdrawal_weighs_once_on_its_own_test():
    suffering = Addiction("alcohol", 5, penalty=2)
    body = in_withdrawal(AVERAGE, suffering)
    assert body.penalty == -2
    assert withdrawal_pool(RULES, suffering, body).modifier == -2
    assert withdrawal_pool(RULES, suffering, AVERAGE).modifier == -2


def test_emergency_dice_help_against_a_drug_and_are_used_up():  # line 282
    owner = replace(AVERAGE, emergency_dice=3)
    resisted = script(take(RULES, "alcohol", owner, emergency=2), [(1, 2, 6, 3)]).outcome
    assert (resisted.margin, resisted.patient.emergency_dice) == (0, 1)
    assert not script(becomes_addicted(RULES, "barbiturates", emergency=1), [(1, 2, 6)]).outcome
    assert script(day_without(RULES, emergency=1), [(1, 2, 5)]).outcome.streak == 1
    with pytest.raises(UserError, match="from 0 to 5"):
        script(take(RULES, emergency=6), [])
