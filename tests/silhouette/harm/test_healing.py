"""Wounds that get worse, stabilizing, resuscitation, and weeks of healing (book lines 2509-2574, 2683-2701)."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import play, script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.recovery import (
    A_DAY,
    Course,
    bruise_hours,
    fade_bruises,
    follow,
    heal_wound,
    recover,
    recovery_days,
    rehabilitate,
    time_passes,
)
from rulewright.systems.silhouette.harm.body import LimbInjury, Patient
from rulewright.systems.silhouette.harm.healing import (
    Medic,
    degenerate,
    degeneration_interval,
    exert,
    minutes_pass,
    next_to_treat,
    resuscitate,
    save_life,
    stabilize,
    treatment_pool,
    untreated,
)
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
AL = Patient("Al", 1, 15, 30, 60, 6)
JEFF = Medic("Jeff", 3, 0, 2)
"""The book's medic: Medicine 3/2."""


class Steady:
    """Dice that always show a four."""

    def faces(self, roll):
        return (4,) * len(roll.reading.sides())


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


# --- getting worse ------------------------------------------------------------------------------------------------------------


def test_how_often_wounds_are_tested():  # lines 2513, 2685
    hours = [degeneration_interval(PLAIN, wounds, "flesh").value / 60 for wounds in (1, 2, 3, 5)]
    assert hours == [24, 12, 8, 5]  # a fifth of a day is 4.8 hours
    assert [degeneration_interval(PLAIN, wounds, "deep").value for wounds in (1, 2, 3, 7)] == [60, 30, 20, 9]
    with pytest.raises(UserError, match="at least 1"):
        degeneration_interval(PLAIN, 0)


def test_the_book_gives_al_one_more_wound():  # lines 2683-2687: the example leaves his Health out
    al = replace(AL, health=0, flesh=2, deep=1)
    assert degeneration_interval(PLAIN, untreated(al, "flesh"), "flesh").value == 12 * 60
    assert degeneration_interval(PLAIN, untreated(al, "deep"), "deep").value == 60
    worse = script(degenerate(PLAIN, al), [(4, 2)]).outcome
    assert (worse.flesh, worse.deep, worse.trauma) == (3, 1, None)
    with_health = replace(al, health=1)
    assert script(degenerate(PLAIN, with_health), [(4, 2)]).outcome == with_health  # 4 + 1 - 4 is a draw


def test_a_fumble_is_a_deep_wound_and_may_be_the_end():
    al = replace(AL, flesh=2, deep=1)
    worse = script(degenerate(PLAIN, al), [(1, 1)]).outcome
    assert (worse.flesh, worse.deep, worse.trauma) == (2, 2, 6)
    knocks = with_settings(degeneration_knocks_out=True)
    assert script(degenerate(knocks, replace(AL, flesh=1, health=-3)), [(3, 2), (2, 2)]).outcome.unconscious
    assert script(degenerate(PLAIN, replace(AL, spared=True, deep=2))).outcome.deep == 2


# --- stabilizing --------------------------------------------------------------------------------------------------------------


def test_what_a_medic_rolls():  # lines 2529
    victim = replace(AL, flesh=2, deep=1)
    assert treatment_pool(PLAIN, JEFF, victim).modifier == 1 + 1 - 4
    smart = replace(JEFF, attribute=2)
    assert treatment_pool(PLAIN, smart, victim).modifier == 2 + 1 + 1 - 4
    assert treatment_pool(with_settings(medic_attribute="replaced by Health"), smart, victim).modifier == 1 + 1 - 4
    oneself = JEFF.treating_oneself(victim)
    assert treatment_pool(PLAIN, oneself, victim).modifier == 1 + 1 - 4 - 4  # in pain, and a messy case
    assert treatment_pool(PLAIN, Medic("x", 0), victim).dice == 0


def test_one_wound_at_a_time_the_deep_ones_first():
    victim = replace(AL, flesh=1, deep=1)
    once = script(stabilize(PLAIN, JEFF, victim), [(4, 3, 2)]).outcome
    assert (once.stable_deep, once.stable_flesh, once.penalty) == (1, 0, -3)
    twice = script(stabilize(PLAIN, JEFF, once), [(4, 3, 2)]).outcome
    assert (twice.stable_deep, twice.stable_flesh) == (1, 1)
    assert next_to_treat(twice) is None
    with pytest.raises(UserError, match="no unstabilized wound"):
        script(stabilize(PLAIN, JEFF, twice))
    assert script(stabilize(PLAIN, JEFF, victim, "flesh"), [(4, 3, 2)]).outcome.stable_flesh == 1
    assert script(stabilize(PLAIN, JEFF, replace(victim, deep=2)), [(2, 2, 2)]).outcome.stable_deep == 0  # 2 - 3 fails
    with pytest.raises(UserError, match="resuscitated first"):
        script(stabilize(PLAIN, JEFF, replace(victim, trauma=3)))


def test_a_fumble_aggravates():  # line 2531
    assert script(stabilize(PLAIN, JEFF, replace(AL, deep=1)), [(1, 1, 1)]).outcome.flesh == 1
    dying = script(stabilize(PLAIN, JEFF, replace(AL, flesh=1, deep=2)), [(1, 1, 1)]).outcome
    assert dying.trauma == 6


def test_stabilized_wounds_do_not_degenerate_until_they_open():  # line 2532
    victim = replace(AL, flesh=2, deep=2, stable_flesh=2, stable_deep=2, system_shock=9)
    assert (untreated(victim, "flesh"), untreated(victim, "deep")) == (0, 0)
    lightly = script(exert(PLAIN, victim, "light")).outcome
    assert (untreated(lightly, "flesh"), untreated(lightly, "deep")) == (0, 2)
    hard = script(exert(PLAIN, victim, "heavy")).outcome
    assert (untreated(hard, "flesh"), untreated(hard, "deep")) == (2, 2)
    assert script(exert(PLAIN, victim, "bed rest")).outcome == victim


# --- the dying ----------------------------------------------------------------------------------------------------------------


def test_jeff_saves_al():  # lines 2689-2693; the printed totals leave out Complexity and Health, both are enough either way
    dying = replace(AL, flesh=2, deep=2, trauma=6)
    saved = script(save_life(PLAIN, JEFF, dying, arrives=1), [(6, 6, 1), (6, 6, 6)]).outcome
    assert (saved.dead, saved.trauma, saved.resuscitated, saved.stable_deep) == (False, None, True, 1)
    assert saved.open_penalty == -4
    assert not saved.able


def test_the_timer():
    dying = replace(AL, flesh=2, deep=2, trauma=6)
    assert script(minutes_pass(PLAIN, dying, 5)).outcome.trauma == 1
    assert script(minutes_pass(PLAIN, dying, 6)).outcome.dead
    late = script(save_life(PLAIN, JEFF, dying, arrives=6)).outcome
    assert late.dead
    # A failure costs five minutes: from six one is left, and the next failure is the end.
    failed = script(resuscitate(PLAIN, JEFF, dying), [(3, 3, 2)]).outcome
    assert failed.trauma == 1
    assert script(resuscitate(PLAIN, JEFF, failed), [(3, 3, 2)]).outcome.dead
    assert script(resuscitate(PLAIN, JEFF, dying), [(1, 1, 1)]).outcome.dead  # a fumble kills
    with pytest.raises(UserError, match="not dying"):
        script(resuscitate(PLAIN, JEFF, AL))


def test_one_attempt_only_where_the_campaign_says_so():
    dying = replace(AL, flesh=2, deep=2, trauma=6)
    one = with_settings(resuscitation_attempts="one")
    assert script(save_life(one, JEFF, dying), [(3, 3, 2)]).outcome.dead
    assert not script(save_life(PLAIN, JEFF, dying), [(3, 3, 2), (6, 6, 1), (6, 6, 6)]).outcome.dead


def test_shock_again_with_the_time_set_anew():  # line 2545
    dying = replace(AL, flesh=2, deep=2, trauma=2)
    again = script(resuscitate(PLAIN, JEFF, dying), [(6, 6, 1), (3, 3, 2)]).outcome  # brought back, but nothing stabilized
    assert (again.trauma, again.resuscitated, again.dead) == (6, False, False)
    saved = script(save_life(PLAIN, JEFF, again), [(6, 6, 1), (6, 6, 1)]).outcome
    assert (saved.trauma, saved.stable_deep) == (None, 1)


def test_many_wounds_need_many_rounds_of_it():
    dying = Patient("x", 0, 13, 25, 50, 5, flesh=1, deep=3, trauma=3)  # -7: one stabilized leaves -5, two leave -3
    master = Medic("m", 5, 0, 5)
    once = script(resuscitate(PLAIN, master, dying), [(6, 5, 1, 2, 2), (6, 6, 1, 2, 2)]).outcome
    assert (once.stable_deep, once.trauma) == (1, 3)
    twice = script(resuscitate(PLAIN, master, once), [(6, 5, 1, 2, 2), (6, 6, 1, 2, 2)]).outcome
    assert (twice.stable_deep, twice.trauma, twice.resuscitated) == (2, None, True)


def test_a_fumbled_treatment_after_resuscitation():
    dying = replace(AL, flesh=2, deep=2, trauma=6)
    after = script(resuscitate(PLAIN, JEFF, dying), [(6, 6, 1), (1, 1, 1)]).outcome
    assert (after.flesh, after.trauma) == (3, 5)  # one wound more: 12 - 7


def test_who_lives_on_treatment_dies_of_opened_wounds():
    saved = replace(AL, flesh=2, deep=2, stable_deep=1, resuscitated=True)
    opened = script(exert(PLAIN, saved, "light")).outcome
    assert (opened.trauma, opened.resuscitated) == (6, False)
    healthy_enough = replace(AL, deep=1, stable_deep=1)
    assert script(exert(PLAIN, healthy_enough, "heavy")).outcome.trauma is None


def test_the_odds_of_a_rescue_by_walking_the_tree():
    """The loop of resuscitation and stabilizing, by hand, for one wound too many and few attempts."""
    dying = Patient("x", 0, 13, 25, 50, 2, deep=1, trauma=2)
    medic = Medic("m", 1)
    # One die less 2: passes at 3 and more; a 1 is a fumble; a 2 fails and five minutes are too many.
    success, fumble = Fraction(4, 6), Fraction(1, 6)

    def lives(wounds, attempts):
        # Brought back: stabilized (4 of 6) saves; else dying again; a fumble adds a Flesh Wound, and 2 x 2 - 3 leaves a minute.
        if wounds == 3:  # one die less 3: passes at 4 and more
            ok = Fraction(3, 6)
            if not attempts:
                return Fraction(0)
            # After one is stabilized the Flesh Wound alone leaves System Shock 1; after another fumble 4 - 4 is death.
            return ok * (ok + Fraction(2, 6) * lives(3, attempts - 1))
        if not attempts:
            return Fraction(0)
        return success * (success + Fraction(1, 6) * lives(2, attempts - 1) + fumble * lives(3, attempts - 1))

    odds = exact(lambda: save_life(PLAIN, medic, dying, attempts=4))
    assert Fraction(sum(w for k, w in odds if not k.dead), odds.total) == lives(2, 4)


def test_emergency_dice_help_a_medic():
    assert treatment_pool(PLAIN, Medic("m", 0, emergency=3), AL).emergency == 3


# --- recovery -----------------------------------------------------------------------------------------------------------------


def test_al_in_the_hospital():  # lines 2695-2699; the book adds 7 + 6 + 28 up to 34
    assert recovery_days(PLAIN, 2, 2, "constant", resuscitated=True).value == 41
    al = replace(AL, flesh=2, deep=2, stable_flesh=2, stable_deep=2, resuscitated=True)
    told = recover(PLAIN, al, 41, "constant")
    assert (told.value.flesh, told.value.deep, told.value.resuscitated, told.value.stiffness) == (0, 0, False, 0)
    assert [term.value for term in told.reason.terms] == [7, 10, 13, 27, 41]
    assert recover(PLAIN, al, 40, "constant").value.deep == 1
    assert recover(PLAIN, al, 12.9, "constant").value.flesh == 1


def test_jason_at_home():  # line 2701
    assert recovery_days(PLAIN, 0, 1, "none").value == 30
    jason = replace(AL, deep=1, stable_deep=1)
    healed = recover(PLAIN, jason, 30, "none").value
    assert (healed.deep, healed.stiffness, healed.physical_penalty, healed.penalty) == (0, -1, -1, 0)
    assert rehabilitate(healed).physical_penalty == 0
    assert recover(PLAIN, replace(AL, flesh=1, stable_flesh=1), 7, "none").value.flesh == 0


def test_fast_and_slow_healers():  # lines 8655, 8996
    assert recovery_days(PLAIN, 2, 1, "none", healing=0.75).value == pytest.approx(33)
    assert recovery_days(PLAIN, 2, 1, "none", healing=1.5).value == pytest.approx(66)
    fast = replace(AL, flesh=1, stable_flesh=1, healing=0.75)
    assert recover(PLAIN, fast, 5.25, "none").value.flesh == 0
    assert recover(PLAIN, fast, 5.2, "none").value.flesh == 1


def test_neglect_kills():
    assert recover(PLAIN, replace(AL, resuscitated=True, deep=1, stable_deep=1), 1, "none").value.dead
    asleep = replace(AL, coma=True)
    assert not recover(PLAIN, asleep, 7, "none").value.dead
    assert recover(PLAIN, asleep, 8, "none").value.dead
    assert not recover(PLAIN, asleep, 400, "constant").value.dead
    with pytest.raises(UserError, match="without constant medical aid"):
        recovery_days(PLAIN, 1, 0, "none", resuscitated=True)
    comatose = replace(AL, coma=True, flesh=1, stable_flesh=1)
    assert recover(PLAIN, comatose, 3, "constant").value.flesh == 0  # the senseless heal like anybody


def test_untreated_wounds_do_not_heal():
    assert recover(PLAIN, replace(AL, flesh=1), 30, "constant").value.flesh == 1
    lenient = with_settings(only_treated_wounds_heal=False)
    assert recover(lenient, replace(AL, flesh=1), 3, "constant").value.flesh == 0


def test_bruises_beside_wounds_heal_like_wounds():
    both = replace(AL, flesh=1, bruised_flesh=1, stable_flesh=2)
    assert recover(PLAIN, both, 3, "constant").value.bruised_flesh == 0
    assert recover(PLAIN, both, 6, "constant").value.flesh == 0
    assert script(fade_bruises(PLAIN, both, 100)).outcome == both


def test_bruises_fade_by_themselves():  # lines 2559-2560
    bruised = replace(AL, bruised_flesh=1, bruised_deep=1)
    assert script(bruise_hours(PLAIN, "deep"), [(2,)]).outcome == 48
    after = script(fade_bruises(PLAIN, bruised, 6), [(6,), (1,)]).outcome
    assert (after.bruised_flesh, after.bruised_deep) == (0, 1)
    assert script(fade_bruises(PLAIN, bruised, 24), [(6,), (1,)]).outcome.bruise_boxes == 0


def test_a_limb_works_again_when_its_wounds_are_healed():
    body = replace(AL, flesh=3, stable_flesh=3).with_limb(LimbInjury("left arm", 2, 0, True))
    once = heal_wound(body, "flesh")
    assert (once.flesh, once.limb("left arm").useless) == (2, True)  # the wound elsewhere goes first
    assert not heal_wound(once, "flesh").limb("left arm").useless
    gone = replace(AL, deep=1).with_limb(LimbInjury("left hand", 0, 1, True, True))
    assert heal_wound(gone, "deep").limb("left hand").useless  # what is off stays off


# --- everything at once -------------------------------------------------------------------------------------------------------


def test_each_kind_of_wound_has_its_own_clock():
    """A day with two Flesh Wounds and one Deep: tests after every hour, and after twelve hours twice."""
    tough = Patient("x", 20, 13, 25, 50, 30, flesh=2, deep=1)
    rolls = play(time_passes(PLAIN, tough, 24 * 60), dice=Steady()).rolls
    assert len(rolls) == 24 + 2
    assert len(play(time_passes(PLAIN, tough, 11 * 60 + 59), dice=Steady()).rolls) == 11
    stable = replace(tough, stable_deep=1)
    assert len(play(time_passes(PLAIN, stable, 24 * 60), dice=Steady()).rolls) == 2
    assert len(play(time_passes(PLAIN, stable, 24 * 60, activity="light"), dice=Steady()).rolls) == 26


def test_more_wounds_shorten_the_wait():
    weak = Patient("x", -1, 13, 25, 50, 30, deep=1)
    # After an hour the test fails: a Flesh Wound more. The Deep Wound is tested an hour later, the Flesh Wound a day after it came.
    after = script(follow(PLAIN, Course(weak), 120), [(3, 2), (6, 6)]).outcome
    assert (after.patient.flesh, after.patient.deep, after.flesh_clock, after.deep_clock) == (1, 1, 60, 0)
    # A fumble is a second Deep Wound: from then on every half hour.
    more = script(follow(PLAIN, Course(weak), 120), [(1, 1), (6, 6), (6, 6)]).outcome
    assert (more.patient.deep, more.deep_clock) == (2, 0)


def test_clocks_go_on_where_they_stood():
    tough = Patient("x", 20, 13, 25, 50, 30, deep=1)
    first = script(follow(PLAIN, Course(tough), 45)).outcome
    assert first.deep_clock == 45
    assert script(follow(PLAIN, first, 15), [(4, 3)]).outcome.deep_clock == 0


def test_treated_wounds_heal_while_others_are_tested():
    body = Patient("x", 20, 13, 25, 50, 30, flesh=1, deep=1, stable_flesh=1, stable_deep=1)
    later = play(time_passes(PLAIN, body, 17 * A_DAY, "constant"), dice=Steady()).outcome
    assert (later.flesh, later.deep) == (0, 0)
    mixed = replace(body, flesh=2)  # one of the Flesh Wounds is untreated, and tested once a day
    watched = play(time_passes(PLAIN, mixed, 3 * A_DAY, "constant"), dice=Steady())
    assert (len(watched.rolls), watched.outcome.flesh, watched.outcome.stable_flesh) == (3, 1, 0)


def test_trauma_runs_out_while_time_passes():
    dying = replace(AL, flesh=2, deep=2, trauma=6, stable_flesh=2, stable_deep=2)
    assert script(time_passes(PLAIN, dying, 5)).outcome.trauma == 1
    assert script(time_passes(PLAIN, dying, 60)).outcome.dead
    spared = replace(AL, flesh=2, deep=2, spared=True)
    assert script(time_passes(PLAIN, spared, 10 * A_DAY)).outcome == spared


def test_too_long_a_time_is_refused():
    tough = Patient("x", 20, 13, 25, 50, 30, deep=2)
    with pytest.raises(UserError, match="shorter steps"):
        play(time_passes(PLAIN, tough, 30 * A_DAY), dice=Steady())
    with pytest.raises(UserError, match="days can pass"):
        script(time_passes(PLAIN, tough, -1))


def test_the_odds_of_a_day_by_hand():
    """One Deep Wound, three hours: each test by hand, with the wounds that came before it."""
    body = Patient("x", 0, 13, 25, 50, 6, deep=1)

    def chances(penalty):
        worse = Counter()
        for a in range(1, 7):
            for b in range(1, 7):
                total = max(0, (7 if a == b == 6 else max(a, b)) + penalty)
                worse["deep" if a == b == 1 else "none" if total >= 1 else "flesh"] += Fraction(1, 36)
        return worse

    # Two hours only, and no second Deep Wound within the first, so that the clock stays simple.
    expected = Counter()
    first = chances(-2)
    for kind, chance in first.items():
        if kind == "deep":
            continue
        flesh = kind == "flesh"
        for then, other in chances(-2 - flesh).items():
            expected[flesh + (then == "flesh"), 1 + (then == "deep")] += chance * other
    odds = exact(lambda: time_passes(PLAIN, body, 120))
    came = Counter()
    for after, weight in odds:
        came[after.flesh, after.deep] += Fraction(weight, odds.total)
    for key, chance in expected.items():
        assert came[key] >= chance  # what a fumble in the first hour adds comes on top
    without = {key: value for key, value in came.items() if key[1] == 1}
    assert without == {key: value for key, value in expected.items() if key[1] == 1}


@given(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1000))
@settings(max_examples=25)
def test_time_can_be_taken_in_two_parts(flesh, deep, minutes):
    body = Patient("x", 30, 13, 25, 50, 30, flesh=flesh, deep=deep, stable_flesh=min(1, flesh))
    whole = play(follow(PLAIN, Course(body), 2 * minutes), dice=Steady())
    half = play(follow(PLAIN, Course(body), minutes), dice=Steady())
    rest = play(follow(PLAIN, half.outcome, minutes), dice=Steady())
    assert whole.outcome == rest.outcome
    assert len(whole.rolls) == len(half.rolls) + len(rest.rolls)
