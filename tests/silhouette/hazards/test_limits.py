"""Where the limits of hazards lie: at each, one below, one above (book lines 5491-5900, 6234-6290)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.creatures.swarms import armor_in_a_swarm, bitten
from rulewright.systems.silhouette.harm.body import AVERAGE
from rulewright.systems.silhouette.hazards.addiction import clean_day, fever_takes
from rulewright.systems.silhouette.hazards.atmosphere import fade_away
from rulewright.systems.silhouette.hazards.drugs import worn_off
from rulewright.systems.silhouette.hazards.fire import ignites, rounds_to_light
from rulewright.systems.silhouette.hazards.radiation import purge_week
from rulewright.systems.silhouette.people.conditions import Bout, Habit, TakenIn
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


# --- air ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minds", "drawn", "dead"),
    [
        ((-5, 0, 0, 0, 0, 0), [], True),
        ((-4, 0, 0, 0, 0, 0), [], False),
        ((-4, 0, 0, 0, 0, 0), [1], True),
        ((-4, 0, 0, 0, 0, 0), [2], False),
        ((-4, 0, 0, 0, 0, 0), [6], False),
        ((-3, 0, 0, 0, 0, 0), [1], False),
        ((-3, 0, 0, 0, 0, 0), [1, 1], True),
        ((-3, -3, 0, 0, 0, 0), [1, 2], False),
    ],
)
def test_a_brain_dies_when_an_attribute_that_was_drawn_comes_to_minus_five(minds, drawn, dead):
    assert script(fade_away(PLAIN, "Ann", minds, len(drawn)), [(die,) for die in drawn]).outcome is dead


# --- drugs and fevers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("care", "dies_up_to"), [("proper", 0), ("some", 1), ("none", 2)])
@pytest.mark.parametrize("face", range(1, 7))
def test_a_day_of_fever_kills_on_one_face_with_some_care_and_on_two_without(care, dies_up_to, face):
    faces = [(face,)] if dies_up_to else []
    assert script(fever_takes("Ann", care, "fever", AVERAGE), faces).outcome.dead is (face <= dies_up_to)


@pytest.mark.parametrize(("hours", "left"), [(0, (-2, 3, 1)), (1, (-1, 2, 0)), (2, (0, 1, 0)), (3, (0, 0, 0)), (9, (0, 0, 0))])
def test_an_hour_takes_a_point_off_what_drugs_do_and_no_more_than_there_is(hours, left):
    after = worn_off(replace(AVERAGE, drugged=-2, alert=3, ignored=1), hours)
    assert (after.drugged, after.alert, after.ignored) == left


@pytest.mark.parametrize(
    ("bout", "after", "survived"),
    [
        (Bout(incapacity=2), Bout(incapacity=1), 0),
        (Bout(incapacity=1), Bout(), 1),
        (Bout(penalty=-2), Bout(penalty=-1), 0),
        (Bout(penalty=-1), Bout(), 1),
        (Bout(incapacity=1, penalty=-1), Bout(penalty=-1), 0),
    ],
)
def test_a_bout_of_withdrawal_is_survived_with_its_last_day(bout, after, survived):
    habit = Habit("alcohol", dependent=True, addicted=True, bout=bout)
    came = script(clean_day(PLAIN, AVERAGE, habit, 0, "proper")).outcome
    assert (came.habit.bout, came.habit.survived, came.dead) == (after, survived, False)


# --- fire ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("intensity", "flammability", "face", "burns"), [(2, 7, 4, False), (2, 7, 5, True), (2, 7, 6, True), (3, 7, 4, True), (1, 7, 5, False)]
)
def test_what_reaches_the_flammability_with_the_heat_burns(intensity, flammability, face, burns):
    assert script(ignites(PLAIN, intensity, flammability), [(face, 1)]).outcome is burns


@pytest.mark.parametrize(("rounds", "round"), [(0, None), (1, None), (2, None), (3, 3), (4, 3)])
def test_the_last_round_of_a_fire_held_to_something_counts(rounds, round):
    faces = [(1, 2), (1, 2), (6, 1)][:rounds]
    assert script(rounds_to_light(PLAIN, 2, 7, rounds), faces).outcome == round


# --- swarms -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rounds", "worth"), [(0, 7), (1, 7), (2, 7), (3, 0), (4, 0)])
def test_armor_is_worth_half_for_three_rounds_in_a_swarm_and_then_nothing(rounds, worth):
    assert armor_in_a_swarm(15, "none", rounds) == worth
    assert armor_in_a_swarm(15, "sealed", rounds) == 15
    assert armor_in_a_swarm(15, "sealed all over", rounds) is None


@pytest.mark.parametrize(("damage", "hurt"), [(0, False), (7, False), (19, False), (20, True)])
def test_a_swarm_hurts_by_what_is_above_the_armor(damage, hurt):
    """An average body takes a Flesh Wound from 13 on, and an armor of 15 is worth 7 in the first rounds."""
    faces = [(6, 6)] if hurt else []
    after = script(bitten(PLAIN, replace(AVERAGE, armor=15), damage), faces).outcome
    assert (after.flesh > 0) is hurt


def test_who_is_sealed_all_over_is_bitten_by_no_swarm():
    assert script(bitten(PLAIN, replace(AVERAGE, armor=0), 99, "sealed all over")).outcome.flesh == 0


@pytest.mark.parametrize(("rads", "left"), [(40, 35), (35, 30), (33, 30), (30, 30), (20, 20)])
def test_a_tenth_of_the_highest_tally_is_never_purged(rads, left):
    assert script(purge_week(PLAIN, AVERAGE, TakenIn(rads, 300)), [(5, 2)]).outcome.rads == left
