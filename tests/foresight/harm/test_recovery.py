"""Wounds over time (book lines 2574-2610, 2878-2891)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers
from msgspec.structs import replace

from foresight.rules_for_tests import RULES, under
from rulewright.play import Seeded, play, replay, script, sub
from rulewright.play.odds import exact
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient
from rulewright.systems.foresight.harm.recovery import (
    CARE,
    DAY,
    NO_CARE,
    Care,
    care,
    convalesce,
    deterioration_roll,
    due_rolls,
    next_roll,
    recovery_roll,
)

BODY = Patient("somebody", endurance=10)


def hurt(wounds, worst=None, **more):
    return replace(BODY, wounds=wounds, worst=wounds if worst is None else worst, **more)


def test_recovery_is_an_endurance_roll_at_the_worst_level_so_far():  # 2596, 2604
    # EN 10, BEF 7, worst 3: 40 percent even at wound level 2
    assert script(recovery_roll(RULES, hurt(2, 3)), [(40,)]).outcome.wounds == 1
    assert script(recovery_roll(RULES, hurt(2, 3)), [(41,)]).outcome.wounds == 2
    worse = script(recovery_roll(RULES, hurt(2, 3)), [(50,)]).outcome
    assert (worse.wounds, worse.worst) == (3, 3)


def test_full_recovery_forgets_the_worst():  # 2604
    well = script(recovery_roll(RULES, hurt(1, 3, hurt=("chest",), bandaged=2)), [(1,)]).outcome
    assert (well.wounds, well.worst, well.hurt, well.bandaged) == (0, 0, (), 0)
    assert script(recovery_roll(RULES, BODY)).outcome == BODY


@pytest.mark.parametrize(("roll", "level", "unconscious"), [(10, 4, False), (11, 5, False), (20, 5, False), (21, 6, True), (30, 6, True)])
def test_deterioration(roll, level, unconscious):  # 2600: EN 10 at 7 - 5 = 2: 20 percent; level 6 is unconscious anyway
    after = script(deterioration_roll(RULES, hurt(5)), [(roll,)]).outcome
    assert (after.wounds, after.unconscious) == (level, unconscious)


def test_a_mediocre_roll_may_be_ruled_to_help():
    assert script(deterioration_roll(under(mediocre_deterioration="improves"), hurt(5)), [(20,)]).outcome.wounds == 4


def test_bandages_help_against_deterioration_only():  # 2821
    assert script(deterioration_roll(RULES, hurt(5, bandaged=2)), [(21,)]).outcome.wounds == 5
    assert script(recovery_roll(RULES, hurt(5, bandaged=2)), [(21,)]).outcome.wounds == 5
    assert script(recovery_roll(RULES, hurt(5, bandaged=2)), [(20,)]).outcome.wounds == 4


def test_the_dying_may_win_a_conscious_minute():  # 2586
    held = script(deterioration_roll(RULES, hurt(6, unconscious=True)), [(10,), (5,)]).outcome
    assert (held.wounds, held.unconscious) == (6, False)
    assert script(deterioration_roll(RULES, hurt(6, unconscious=True)), [(10,), (90,)]).outcome.unconscious
    dead = script(deterioration_roll(RULES, hurt(7)), [(99,)]).outcome
    assert dead.dead


def test_a_severed_arm():  # 2610: fails at -5, then at -6
    patient = hurt(5)
    for roll in (21, 11):
        patient = script(deterioration_roll(RULES, patient), [(roll,)]).outcome
    assert (patient.wounds, patient.worst) == (7, 7)


@pytest.mark.parametrize(("level", "minutes"), [(0, None), (1, DAY), (2, 5 * DAY), (3, 20 * DAY), (4, DAY), (5, 30), (6, 5), (7, 1)])
def test_how_long_until_the_next_roll(level, minutes):  # 2580-2588
    assert next_roll(RULES, hurt(level)) == minutes
    assert next_roll(RULES, hurt(2, clock=DAY)) == 4 * DAY
    assert next_roll(RULES, replace(BODY, wounds=8, dead=True)) is None


def test_at_five_both_rolls_are_made_and_can_cancel_out():  # 2585
    both = script(due_rolls(RULES, hurt(5)), [(21,), (20,)]).outcome
    assert (both.wounds, both.worst) == (5, 5)
    assert script(due_rolls(RULES, hurt(5)), [(20,), (20,)]).outcome.wounds == 4
    assert script(due_rolls(RULES, hurt(5)), [(10,), (20,)]).outcome.wounds == 3
    assert script(due_rolls(RULES, hurt(5)), [(21,), (30,)]).outcome.wounds == 7
    assert script(due_rolls(RULES, hurt(6)), [(90,)]).outcome.wounds == 7
    assert script(due_rolls(RULES, hurt(2)), [(1,)]).outcome.wounds == 1
    assert script(due_rolls(RULES, BODY)).outcome == BODY


def test_who_deteriorates_may_be_ruled_by_the_worst_level():  # 2872
    assert next_roll(RULES, hurt(3, 5)) == 20 * DAY
    assert next_roll(under(deterioration_by="worst level"), hurt(3, 5)) == 30


@pytest.mark.parametrize(
    ("tl", "worst", "best", "interval"),
    [(2, -3, 1, 100), (4.5, 0, 2, 100), (5, 1, 4, 100), (6, 2, 5, 75), (7, 3, 6, 50), (8, 4, 8, 25), (9, 5, 10, 10)],
)
def test_medical_care(tl, worst, best, interval):  # 2882-2889
    assert care(RULES, tl, 0) == Care(worst, interval)
    assert care(RULES, tl, 1) == Care(best, interval)
    assert len(CARE(RULES)) == 7


def test_the_best_care_of_amys_time_is_plus_five():  # 2891 prints +6, past the table
    best = care(RULES, 6)
    assert best == Care(5, 75)
    assert next_roll(RULES, hurt(3), best) == 15 * DAY


def test_time_goes_by_over_a_wound():
    well = script(convalesce(RULES, hurt(2), 7 * DAY), [(50,), (51,), (99,)]).outcome  # day 5, 6, 7
    assert (well.wounds, well.clock) == (1, 0)
    waiting = script(convalesce(RULES, hurt(2), 3 * DAY)).outcome
    assert (waiting.wounds, waiting.clock) == (2, 3 * DAY)
    assert script(convalesce(RULES, waiting, 2 * DAY), [(1,)]).outcome.wounds == 1
    assert script(convalesce(RULES, BODY, DAY)).outcome == BODY


def test_a_recovery_replays_and_has_exact_odds():
    played = play(convalesce(RULES, hurt(2), 10 * DAY), dice=Seeded(4))
    assert replay(convalesce(RULES, hurt(2), 10 * DAY), played.record) == played
    assert played.events[0].headline().startswith("somebody")
    odds = exact(sub(convalesce, RULES, hurt(1), 3 * DAY, NO_CARE))
    assert odds.unsettled == 0
    # EN 10 at 7 - 1 = 6: 60 percent a day to be well; a failed day keeps the wound or (botch) worsens it
    assert odds.chance(lambda after: after.wounds == 0)[0] >= 0.6 + 0.36 * 0.6


@given(modifier=integers(-5, 10))
def test_care_only_helps(modifier):
    low = exact(sub(recovery_roll, RULES, hurt(3), modifier)).chance(lambda after: after.wounds < 3)[0]
    high = exact(sub(recovery_roll, RULES, hurt(3), modifier + 1)).chance(lambda after: after.wounds < 3)[0]
    assert high >= low


def test_two_rolls_of_one_moment_are_told_one_after_the_other():  # 2603: at level 5 both count
    played = script(due_rolls(RULES, replace(SOMEBODY, wounds=5, worst=5)), [(1,), (1,)])
    assert played.outcome.wounds == 3
    assert [event.headline() for event in played.events] == [
        "somebody recovers: wound level 5 to 4",
        "somebody recovers: wound level 4 to 3",
    ]
