"""What heals next and when, what shock and treatment come to: at every limit (book lines 2509-2574)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.rules import House
from rulewright.systems.silhouette.action.recovery import (
    A_DAY,
    Course,
    _healed_for,
    _less_stable,
    _until_neglect,
    follow,
    heal_next,
    heal_wound,
    recover,
    recovery_days,
)
from rulewright.systems.silhouette.harm.body import LimbInjury, Patient, action_penalty, nonsense
from rulewright.systems.silhouette.harm.damage import go_into_shock, hold_on, with_wound
from rulewright.systems.silhouette.harm.healing import Medic, save_life, settle_shock, stabilize
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
AL = Patient("Al", 1, 15, 30, 60, 6)
"""System Shock 6."""
JEFF = Medic("Jeff", 3, 0, 2)


def wounded(flesh=0, deep=0, stable=True, **more):
    return replace(AL, flesh=flesh, deep=deep, stable_flesh=flesh if stable else 0, stable_deep=deep if stable else 0, **more)


# --- what heals next ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patient", "after", "words"),
    [
        (wounded(2), {"flesh": 1, "stable_flesh": 1}, "a Flesh Wound has healed"),
        (wounded(1), {"flesh": 0, "stable_flesh": 0}, "a Flesh Wound has healed"),
        (wounded(1, 1), {"flesh": 0, "stable_flesh": 0}, "a Flesh Wound has healed"),
        (wounded(1, bruised_flesh=2), {"bruised_flesh": 1}, "a bruise has healed"),
        (wounded(2, bruised_flesh=2), {"flesh": 1, "stable_flesh": 1}, "a Flesh Wound has healed"),
        (wounded(0, 2, bruised_flesh=1), {"bruised_flesh": 0}, "a bruise has healed"),
        (wounded(0, 1, bruised_deep=1), {"bruised_deep": 0}, "a bad bruise has healed"),
        (wounded(0, 2, bruised_deep=1), {"deep": 1, "stable_deep": 1}, "a Deep Wound has healed"),
        (wounded(2, resuscitated=True), {"resuscitated": False}, "has rested after the resuscitation"),
    ],
)
def test_flesh_heals_before_deep_and_a_bruise_before_the_last_wound(patient, after, words):
    assert heal_next(PLAIN, patient, "constant") == (replace(patient, **after), words)


@pytest.mark.parametrize(
    ("care", "stiffness", "words"), [("constant", 0, "a Deep Wound has healed"), ("none", -1, "a Deep Wound has healed, leaving -1")]
)
def test_without_constant_aid_a_deep_wound_leaves_a_point(care, stiffness, words):
    healed, said = heal_next(PLAIN, wounded(0, 1), care)
    assert (healed.stiffness, said) == (stiffness, words)
    again, _ = heal_next(PLAIN, wounded(0, 1, stiffness=-1), care)
    assert again.stiffness == stiffness - 1


@pytest.mark.parametrize(
    ("patient", "flesh", "deep"),
    [
        (replace(AL, flesh=1, stable_flesh=2), 1, 0),
        (replace(AL, flesh=1, bruised_flesh=1, stable_flesh=3), 2, 0),
        (replace(AL, bruised_flesh=1, stable_flesh=1), 0, 0),
        (replace(AL, deep=1, bruised_deep=2, stable_deep=9), 0, 3),
        (replace(AL, deep=2, stable_deep=1), 0, 1),
    ],
)
def test_no_more_wounds_are_stable_than_there_are(patient, flesh, deep):
    after = _less_stable(patient)
    assert (after.stable_flesh, after.stable_deep) == (flesh, deep)


@pytest.mark.parametrize(
    ("care", "coma", "spent", "minutes"),
    [("none", True, 0, 7 * A_DAY + 1), ("none", True, 100, 7 * A_DAY - 99), ("none", False, 0, None), ("constant", True, 0, None)],
)
def test_a_coma_without_aid_kills_a_minute_after_a_week(care, coma, spent, minutes):
    assert _until_neglect(Course(replace(AL, coma=coma), coma=spent), care) == minutes


@pytest.mark.parametrize(("minutes", "dead"), [(7 * A_DAY, False), (7 * A_DAY + 1, True)])
def test_a_week_in_a_coma_is_survived_and_a_minute_more_is_not(minutes, dead):
    course, words = _healed_for(PLAIN, Course(replace(AL, coma=True)), minutes, "none")
    assert (course.patient.dead, course.coma) == (dead, minutes)
    assert bool(words) is dead
    assert not _healed_for(PLAIN, Course(replace(AL, coma=True)), minutes, "constant")[0].patient.dead
    assert _healed_for(PLAIN, Course(wounded(1)), 50, "constant")[0].coma == 0


@pytest.mark.parametrize(("days", "flesh", "progress"), [(3, 2, 3 * A_DAY - 1), (3, 1, 3 * A_DAY)])
def test_a_flesh_wound_takes_three_days_to_the_minute(days, flesh, progress):  # line 2551
    course, _ = _healed_for(PLAIN, Course(wounded(2)), progress, "constant")
    assert course.patient.flesh == flesh
    assert course.progress == (progress if flesh == 2 else 0)
    assert course.mending == ("flesh" if flesh == 2 else "none")
    later, _ = _healed_for(PLAIN, replace(course, progress=100, mending="deep"), 10, "constant")
    assert later.progress == 10  # what went into another wound is lost


@pytest.mark.parametrize(("days", "told"), [(2.9, []), (3, [3]), (6, [3, 6])])
def test_the_day_on_which_a_wound_has_healed_is_told(days, told):
    assert [reason.value for reason in recover(PLAIN, wounded(2), days, "constant").reasons] == told


@pytest.mark.parametrize(
    ("limb", "flesh", "useless"), [("left hand", 2, True), ("left hand", 1, False), ("left arm", 3, True), ("left arm", 2, False)]
)
def test_one_flesh_wound_left_disables_a_hand_and_two_an_arm(limb, flesh, useless):  # lines 2579-2581
    body = wounded(flesh).with_limb(LimbInjury(limb, flesh, 0, True))
    assert heal_wound(body, "flesh").limb(limb).useless is useless


def test_only_who_was_resuscitated_rests_first():  # line 2573
    assert [recovery_days(PLAIN, 1, 0, "constant", resuscitated=was).value for was in (False, True)] == [3, 7 + 3]


# --- what they cost ----------------------------------------------------------------------------------------------------------------


def test_every_flesh_wound_costs_what_the_campaign_says():
    harsh = BOOK.ruleset(house=House(tables={"sil-3.5.2-action-penalties": {"flesh": {"penalty": -2}}}))
    cost = action_penalty(harsh, wounded(3))
    assert (cost.value, [part.value for part in cost.reason.terms]) == (-6, [-6])


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("fatigue", -1, ""),
        ("fatigue", 0, ""),
        ("fatigue", 1, "1 must be 0 or less"),
        ("stiffness", 2, "2 must be 0 or less"),
        ("flesh", 1, ""),
        ("flesh", 0, ""),
        ("flesh", -1, "-1 must be 0 or more"),
        ("dead", False, ""),
        ("flesh", "many", "Expected `int`, got `str`"),
    ],
)
def test_wounds_are_nothing_or_more_and_fatigue_is_nothing_or_less(field, value, words):
    assert nonsense(field, value) == words


# --- shock -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("flesh", "deep", "dying"), [(5, 0, False), (6, 0, True), (1, 2, False), (0, 3, True)])
def test_who_has_no_system_shock_left_is_dying(flesh, deep, dying):
    """A Flesh Wound costs one of the six, a Deep Wound two."""
    after = script(settle_shock(AL, wounded(flesh, deep, stable=False))).outcome
    assert ((after.trauma is not None) or after.dead) is dying
    again = script(go_into_shock(PLAIN, AL, wounded(flesh, deep, stable=False))).outcome
    assert ((again.trauma is not None) or again.dead) is dying


@pytest.mark.parametrize(("before", "more", "left"), [(5, 1, 4), (5, 2, 3), (2, 1, 1)])
def test_another_wound_takes_its_penalty_off_the_minutes_that_are_left(before, more, left):
    dying = wounded(6, stable=False, trauma=before)
    hurt = replace(dying, flesh=6 + more)
    assert script(settle_shock(dying, hurt)).outcome.trauma == left
    assert script(go_into_shock(PLAIN, dying, hurt)).outcome.trauma == left


def test_of_one_who_was_brought_back_only_wounds_that_are_open_count():
    saved = wounded(6, resuscitated=True)
    assert script(settle_shock(saved, replace(saved, stable_flesh=1))).outcome.trauma is None  # five are open
    after = script(settle_shock(saved, replace(saved, stable_flesh=0))).outcome
    assert after.trauma is not None or after.dead


@pytest.mark.parametrize(("wound", "flesh", "deep"), [("flesh", 3, 1), ("deep", 2, 2), ("death", 2, 2)])
def test_one_more_wound_is_one_more(wound, flesh, deep):
    after = with_wound(wounded(2, 1, spared=True), wound)
    assert (after.flesh, after.deep, after.spared) == (flesh, deep, False)


@pytest.mark.parametrize(("owned", "most"), [(0, None), (1, 1), (5, 5), (7, 5)])
def test_emergency_dice_are_asked_for_where_there_are_any_and_five_at_most(owned, most):
    asked = []

    def decide(choice):
        asked.append(choice.options)
        return choice.options.low if hasattr(choice.options, "low") else 0

    from rulewright.play import Player, Seeded

    Player(Seeded(1), decide).run(hold_on(PLAIN, wounded(1, emergency_dice=owned)))
    assert [each.high for each in asked] == ([] if most is None else [most])


# --- treatment ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wound", "flesh", "deep"), [("next", 0, 1), ("deep", 0, 1), ("flesh", 1, 0)])
def test_a_treatment_stabilizes_one_wound(wound, flesh, deep):
    after = script(stabilize(PLAIN, JEFF, wounded(1, 1, stable=False), wound), [(6, 6, 6)]).outcome
    assert (after.stable_flesh, after.stable_deep) == (flesh, deep)
    more = script(stabilize(PLAIN, JEFF, replace(wounded(3, 3), stable_flesh=1, stable_deep=1), wound), [(6, 6, 6)]).outcome
    assert (more.stable_flesh, more.stable_deep) == (1 + flesh, 1 + deep)


def test_who_is_not_saved_in_time_dies():
    dying = wounded(6, stable=False, trauma=1)
    assert script(save_life(PLAIN, JEFF, dying), [(1, 2, 2)]).outcome.dead


def test_following_somebody_for_no_time_changes_nothing():
    course = Course(wounded(1, stable=False))
    assert script(follow(PLAIN, course, 0)).outcome == course


def test_whose_wounds_are_all_treated_lives_with_no_system_shock_left_and_dies_only_of_those_that_are_open():  # line 2545
    treated = wounded(6)
    assert script(settle_shock(treated, replace(treated, flesh=7))).outcome.trauma is None
    untreated = wounded(5, stable=False)
    dying = script(settle_shock(untreated, replace(untreated, flesh=6))).outcome
    assert dying.trauma is not None or dying.dead
