"""Resuscitation, recovery, rehabilitation, and how bruises fade."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.scumm.harm.body import AVERAGE, Influence, LimbInjury
from rulewright.systems.scumm.harm.healing import DYING, Medic, bruise_hours, fade_bruises, recover, rehabilitate, resuscitate, save_life
from rulewright.systems.scumm.people.characters import Attributes, Character, Injuries
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
SURGEON = Medic("Dr. Wu", 3, 2, 1)


def after(patient, days: int, care: str = "none", **more: int):
    return recover(RULES, patient, days, care, **more).value.patient


# --- resuscitation ------------------------------------------------------------------------------------------------------------


def test_a_medic_stabilizes_the_dying_against_one_with_their_penalty():  # book, line 555
    played = script(resuscitate(RULES, SURGEON, DYING), [(3, 2, 1)])
    assert played.rolls[0].result.total == 1  # 3 and 2 and 1 less 5: a draw
    assert (played.outcome.trauma, played.outcome.resuscitated, played.outcome.dead) == (None, True, False)
    assert played.outcome.awake
    assert not played.outcome.able
    assert played.events[0].headline() == "Dr. Wu resuscitates someone"


def test_a_failed_attempt_costs_a_minute_and_may_be_repeated():  # book, line 555
    played = script(resuscitate(RULES, SURGEON, DYING), [(2, 2, 1)])
    assert (played.outcome.trauma, played.outcome.resuscitated) == (4, False)
    assert played.events[0].headline() == "Dr. Wu loses a minute, 4 minutes left for someone"
    strict = BOOK.ruleset(settings={"draws-pass": False})
    assert script(resuscitate(strict, SURGEON, DYING), [(3, 2, 1)]).outcome.trauma == 4


def test_a_fumble_kills():  # book, line 555
    assert script(resuscitate(RULES, SURGEON, DYING), [(1, 1, 1)]).outcome.dead


def test_the_last_minute_wasted_is_the_end():
    assert script(resuscitate(RULES, SURGEON, replace(DYING, trauma=1)), [(2, 2, 1)]).outcome.dead


def test_a_player_buys_off_a_fumbled_treatment():
    hero = replace(DYING, player=True, emergency_dice=5)
    saved = script(resuscitate(RULES, SURGEON, hero), [(1, 1, 1)], ["yes"]).outcome
    assert (saved.dead, saved.trauma, saved.emergency_dice) == (False, None, 0)


def test_sedation_does_not_weigh_on_the_medic():  # book, line 656
    sedated = replace(DYING, influences=(Influence("sedative", 4),))
    assert script(resuscitate(RULES, SURGEON, sedated), [(3, 2, 1)]).outcome.resuscitated


def test_only_the_dying_can_be_resuscitated():
    with pytest.raises(UserError, match="not dying"):
        script(resuscitate(RULES, SURGEON, AVERAGE))
    with pytest.raises(UserError, match="beyond help"):
        script(resuscitate(RULES, SURGEON, replace(AVERAGE, dead=True)))


def test_attempts_go_on_until_it_is_settled():
    played = script(save_life(RULES, SURGEON, DYING), [(2, 2, 1), (2, 1, 1), (6, 2, 1)])
    assert played.outcome.resuscitated


def test_the_odds_of_saving_a_life_are_those_of_five_attempts():
    odds = exact(sub(save_life, RULES, SURGEON, DYING)).map(lambda patient: patient.dead)
    fail = Fraction(2**3 - 1, 216)  # nothing above 2, but no fumble
    fumble = Fraction(1, 216)
    success = 1 - fail - fumble
    assert odds[False] == success * sum(fail**n for n in range(5))


def test_a_person_can_be_a_medic():
    doctor = Character("Wu", attributes=Attributes(intelligence=2), skills={"medicine": 3}, injuries=Injuries(flesh=1))
    assert Medic.of(RULES, doctor, 1) == Medic("Wu", 3, 2, 1, penalty=-1)
    hurt = script(resuscitate(RULES, Medic.of(RULES, doctor), DYING), [(6, 5, 2)])
    assert hurt.rolls[0].roll.reading.modifier == 2 - 5 - 1


# --- recovery -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("care", "flesh", "deep"), [("none", 7, 30), ("constant", 3, 14)])  # book, lines 563 and 567
def test_wounds_heal_at_the_pace_of_the_care(care: str, flesh: int, deep: int):
    cut = replace(AVERAGE, flesh=1)
    assert after(cut, flesh - 1, care).flesh == 1
    assert after(cut, flesh, care).flesh == 0
    stabbed = replace(AVERAGE, deep=1)
    assert after(stabbed, deep - 1, care).deep == 1
    assert after(stabbed, deep, care).deep == 0


def test_one_wound_heals_at_a_time_flesh_before_deep():  # book, line 559
    hurt = replace(AVERAGE, flesh=2, deep=1)
    assert (after(hurt, 3, "constant").flesh, after(hurt, 5, "constant").flesh, after(hurt, 6, "constant").flesh) == (1, 1, 0)
    assert after(hurt, 19, "constant").deep == 1
    healed = recover(RULES, hurt, 20, "constant")
    assert not healed.value.patient.wounded
    assert [(reason.label, reason.value) for reason in healed.reasons] == [
        ("a Flesh wound healed", 3),
        ("a Flesh wound healed", 6),
        ("a Deep wound healed", 20),
    ]


def test_a_badly_healed_deep_wound_costs_one_on_physical_actions_until_rehabilitation():  # book, line 563
    healed = after(replace(AVERAGE, deep=1), 30)
    assert (healed.penalty, healed.physical_penalty) == (0, -1)
    assert rehabilitate(healed).physical_penalty == 0
    assert after(replace(AVERAGE, deep=2), 60).physical_penalty == -2
    assert after(replace(AVERAGE, deep=1), 14, "constant").physical_penalty == 0


def test_the_resuscitated_rest_a_week_before_anything_heals():  # book, lines 559 and 567
    saved = replace(AVERAGE, flesh=1, deep=2, resuscitated=True)
    assert after(saved, 6, "constant").resuscitated
    assert not after(saved, 7, "constant").resuscitated
    assert (after(saved, 9, "constant").flesh, after(saved, 10, "constant").flesh) == (1, 0)


def test_the_resuscitated_die_without_medical_aid():  # book, line 563
    assert after(replace(AVERAGE, flesh=1, resuscitated=True), 1).dead


def test_a_long_coma_kills_without_medical_aid_and_heals_with_it():  # book, lines 559-567
    coma = replace(AVERAGE, flesh=1, coma=True)
    assert not after(coma, 7).dead
    assert after(coma, 7).flesh == 0
    assert after(coma, 8).dead
    kept = after(coma, 400, "constant")
    assert (kept.dead, kept.coma, kept.flesh) == (False, True, 0)
    assert after(coma, 1, "none", coma_days=7).dead


def test_the_dying_do_not_recover():
    assert after(DYING, 1, "constant").dead


def test_days_spent_on_a_wound_are_kept_between_two_stays():
    first = recover(RULES, replace(AVERAGE, flesh=1), 5).value
    assert first.progress == 5
    assert recover(RULES, first.patient, 2, "none", first.progress).value.patient.flesh == 0


@given(flesh=st.integers(0, 3), deep=st.integers(0, 3), split=st.integers(0, 60), care=st.sampled_from(["none", "constant"]))
def test_two_stays_heal_as_much_as_one(flesh: int, deep: int, split: int, care: str):
    hurt = replace(AVERAGE, flesh=flesh, deep=deep, bruised_flesh=1)
    once = recover(RULES, hurt, 60, care).value
    first = recover(RULES, hurt, split, care).value
    assert recover(RULES, first.patient, 60 - split, care, first.progress, first.coma_days).value == once


def test_limbs_come_back_when_what_disabled_them_has_healed():
    arm = LimbInjury("left arm", flesh=2, useless=True)
    hurt = replace(AVERAGE, flesh=3, limbs=(arm,))
    one = after(hurt, 3, "constant")
    assert (one.flesh, one.limb("left arm").useless) == (2, True)
    two = after(hurt, 6, "constant")
    assert two.limb("left arm") == LimbInjury("left arm", 1)
    assert after(hurt, 9, "constant").limbs == ()
    leg = replace(AVERAGE, deep=1, limbs=(LimbInjury("right leg", 0, True, False, 1),))
    assert after(leg, 14, "constant").limbs == ()


def test_a_severed_limb_does_not_grow_back():
    stump = replace(AVERAGE, deep=1, limbs=(LimbInjury("right leg", 0, True, True, 1),))
    healed = after(stump, 14, "constant")
    assert healed.deep == 0
    assert healed.limb("right leg").useless


def test_bruises_beside_wounds_heal_like_wounds():  # book, line 545
    hurt = replace(AVERAGE, flesh=1, bruised_flesh=1, deep=1, bruised_deep=1)
    assert after(hurt, 3, "constant").bruised_flesh == 0
    assert after(hurt, 6, "constant").flesh == 0
    assert after(hurt, 20, "constant").bruised_deep == 0
    assert not after(hurt, 34, "constant").wounded


def test_a_day_wakes_the_unconscious():
    assert after(replace(AVERAGE, unconscious=400), 1).awake


def test_house_rules_change_how_fast_wounds_heal():
    quick = BOOK.ruleset(house=House(tables={"scumm-recovery": {"constant": {"flesh_days": 1}}}))
    assert recover(quick, replace(AVERAGE, flesh=2), 2, "constant").value.patient.flesh == 0


def test_a_recovery_is_told_in_words():
    hurt = replace(AVERAGE, flesh=1, deep=2)
    assert str(recover(RULES, hurt, 1).value) == "1 Flesh wound and 2 Deep wounds"
    assert str(recover(RULES, hurt, 100).value) == "no wounds"
    assert str(recover(RULES, DYING, 1).value) == "dead"
    assert recover(RULES, hurt, 3, "constant").reason.value == "2 Deep wounds"


def test_recovery_takes_no_negative_days():
    with pytest.raises(UserError, match="from 0 to"):
        recover(RULES, AVERAGE, -1)


# --- bruises ------------------------------------------------------------------------------------------------------------------


def test_bruises_stay_a_die_of_hours_or_of_days():
    assert script(bruise_hours(RULES, "flesh"), [(5,)]).outcome == 5
    assert script(bruise_hours(RULES, "deep"), [(5,)]).outcome == 120


def test_bruises_whose_time_has_run_are_gone():
    bruised = replace(AVERAGE, bruised_flesh=2, bruised_deep=1)
    left = script(fade_bruises(RULES, bruised, 4), [(4,), (5,), (1,)]).outcome
    assert (left.bruised_flesh, left.bruised_deep) == (1, 1)
    assert script(fade_bruises(RULES, bruised, 24), [(4,), (5,), (1,)]).outcome == AVERAGE
    wounded = replace(bruised, flesh=1)
    assert script(fade_bruises(RULES, wounded, 24)).outcome == wounded
    with pytest.raises(UserError, match="0 or more"):
        script(fade_bruises(RULES, bruised, -1))


def test_house_rules_say_how_bruises_fade():
    slow = BOOK.ruleset(house=House(tables={"scumm-bruise-damage": {"flesh": {"fades": "2d6 days"}}}))
    assert script(bruise_hours(slow, "flesh"), [(1, 2)]).outcome == 72
    odd = BOOK.ruleset(house=House(tables={"scumm-bruise-damage": {"flesh": {"fades": "soon"}}}))
    with pytest.raises(UserError, match="1d6 hours"):
        script(bruise_hours(odd, "flesh"))


def test_emergency_dice_help_a_medic():  # line 282
    patient = replace(DYING, emergency_dice=0)
    saved = script(resuscitate(RULES, Medic("Wu", 1, emergency=3), patient), [(1, 2, 3, 6)]).outcome
    assert saved.trauma is None


@pytest.mark.parametrize(("flesh", "useless"), [(4, True), (3, True), (2, False)])
def test_two_flesh_wounds_that_are_left_still_disable_a_limb(flesh, useless):
    hurt = replace(AVERAGE, flesh=flesh, limbs=(LimbInjury("left arm", flesh, True),))
    assert after(hurt, 3, "constant").limb("left arm").useless is useless


def test_one_deep_wound_that_is_left_still_disables_a_limb():
    hurt = replace(AVERAGE, deep=2, limbs=(LimbInjury("left arm", 0, True, False, 2),))
    assert after(hurt, 14, "constant").limb("left arm") == LimbInjury("left arm", 0, True, False, 1)
