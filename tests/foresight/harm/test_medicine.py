"""Diagnosis, bandages, blood, surgery, therapy (book lines 2795-2927)."""

import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from
from msgspec.structs import replace

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import play, script, sub
from rulewright.play.odds import exact
from rulewright.systems.foresight.build.audit import audit
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient
from rulewright.systems.foresight.harm.medicine import (
    BLOOD,
    DIAGNOSES,
    LOSSES,
    SURGERY,
    THERAPIES,
    Lost,
    Therapy,
    bandage,
    can_give,
    choose_treatment,
    diagnose,
    major_injury,
    operate,
    period,
    rehabilitate,
    restore_blood,
    surgery_reduction,
    wound_cases,
)
from rulewright.systems.foresight.harm.recovery import care
from rulewright.systems.foresight.people.characters import Character, Injuries
from rulewright.systems.foresight.resolution.tests import Quality, Task

BODY = Patient("Amy", endurance=7, wounds=5, worst=5)
DOCTOR = Task(10, 5)


def test_knowledge_helps_a_diagnosis():  # 2801
    assert {row.knowledge: row.modifier for row in DIAGNOSES(RULES).values()} == {"basic": -2, "standard": 0, "specialized": 2}
    assert script(diagnose(RULES, DOCTOR, "specialized"), [(70,)]).outcome == Quality(4)
    assert script(diagnose(RULES, DOCTOR, "basic"), [(31,)]).outcome == Quality(7)


def test_a_treatment_builds_on_the_diagnosis():  # 2805
    assert script(choose_treatment(RULES, DOCTOR, 1), [(80,)]).outcome == Quality(4)
    assert script(choose_treatment(RULES, DOCTOR, 4), [(51,)]).outcome == Quality(7)


def test_bandages():  # 2821, 2862: search at -2 and -1, then QR3 gives +2
    done = script(bandage(RULES, BODY, DOCTOR, DOCTOR, multiple=True), [(20,), (25,)]).outcome
    assert done.bandaged == 2
    assert script(bandage(RULES, BODY, DOCTOR, DOCTOR, multiple=True), [(21,)]).outcome == BODY
    assert script(bandage(RULES, BODY, DOCTOR, DOCTOR), [(30,), (51,)]).outcome.bandaged == 0


def test_bandaging_without_knowledge():
    low = replace(BODY, worst=0)
    assert script(bandage(RULES, low, DOCTOR, DOCTOR, trained=False), [(20,), (20,)]).outcome.bandaged == 1
    assert script(bandage(RULES, low, DOCTOR, DOCTOR, trained=False), [(21,)]).outcome == low
    assert script(bandage(under(untrained_bandaging="dexterity"), low, DOCTOR, DOCTOR, trained=False), [(50,), (20,)]).outcome.bandaged == 1


def test_blood():  # 2827, 2862: artificial blood takes a critical Amy to heavy
    fed = script(restore_blood(RULES, BODY, "artificial blood")).outcome
    assert (fed.wounds, fed.worst) == (3, 5)
    assert script(restore_blood(RULES, replace(BODY, wounds=7, worst=7), "infusion")).outcome.wounds == 6  # 2610
    assert script(restore_blood(RULES, replace(BODY, wounds=6, worst=7), "whole blood")).outcome.wounds == 4  # 2610 shows 5: errata
    assert script(restore_blood(under(transfusion_levels=1), BODY, "whole blood")).outcome.wounds == 4
    light = replace(BODY, wounds=2)
    assert script(restore_blood(RULES, light)).outcome == light
    assert len(BLOOD(RULES)) == 4


def test_crude_substitutes_work_half_of_the_time():  # 2835
    ours = under(crude_plasma=True)
    assert [script(restore_blood(ours, BODY, "crude substitute"), [(d10,)]).outcome.wounds for d10 in (5, 6)] == [4, 5]
    assert script(restore_blood(RULES, BODY, "crude substitute")).outcome.wounds == 4
    told = [script(restore_blood(ours, BODY, "crude substitute"), [(d10,)]).events[0] for d10 in (5, 6)]
    assert [(event.qr, event.tone()) for event in told] == [(1, "good"), (7, "bad")]


TYPES = ("O-", "O+", "A-", "A+", "B-", "B+", "AB-", "AB+")


@given(donor=sampled_from(TYPES), patient=sampled_from(TYPES))
def test_who_can_give_blood_to_whom(donor, patient):  # 2831
    groups = {"O": {"O", "A", "B", "AB"}, "A": {"A", "AB"}, "B": {"B", "AB"}, "AB": {"AB"}}
    fits = patient[:-1] in groups[donor[:-1]] and not (donor.endswith("+") and patient.endswith("-"))
    assert can_give(RULES, donor, patient) is fits


# --- surgery -------------------------------------------------------------------------------------------------------------------


def test_the_table_of_surgery():  # 2853-2870
    rows = [row for row in SURGERY(RULES).values() if row.tl is not None]
    assert [(row.tl, row.search, row.surgery, row.reduction) for row in rows] == [
        (4, -1, -1, 4),
        (4.5, 0, 0, 5),
        (5, 2, 1, 6),
        (6, 4, 3, 7),
        (7, 6, 5, 8),
        (8, 8, 7, 9),
        (9, 10, 10, 10),
    ]
    others = {row.case: (row.search, row.surgery) for row in SURGERY(RULES).values() if row.tl is None}
    assert list(others.values()) == [(1, 0), (-1, -1), (-2, -1), (-1, 0), (-2, -1), (-3, -2), (0, 0)]


def test_amy_is_operated_on():  # 2874: search at +4 -1 -2, QR3; surgery at +3 +1 -1 -1; QR2 lowers the worst level by 5
    searches, cuts = wound_cases(RULES, 5, multiple=True)
    assert (sum(mod.value for mod in searches), sum(mod.value for mod in cuts)) == (-3, -2)
    patient = replace(BODY, wounds=3)
    surgeon = Task(15, 5)  # search at 6: 90; surgery at 5 + 2 = 7: 105
    after = script(operate(RULES, patient, surgeon, surgeon, 6, multiple=True), [(45,), (21,)]).outcome
    assert (after.worst, after.wounds, after.operated) == (0, 3, True)


@pytest.mark.parametrize(("qr", "reduction"), [(1, 6), (2, 5), (3, 4), (4, 3), (7, 0), (10, 0)])
def test_surgery_that_barely_works_still_works(qr, reduction):  # 2843: at TL6 7 less the rating
    assert surgery_reduction(RULES, 6, qr).value == reduction


def test_follow_up_surgery_does_two_less():  # 2845: at TL6 5 less the rating
    assert surgery_reduction(RULES, 6, 2).value == 5
    assert surgery_reduction(RULES, 6, 2, follow_up=True).value == 3
    assert surgery_reduction(RULES, 4, 4).value == 0
    assert surgery_reduction(RULES, 9, 7).value == 0
    with pytest.raises(UserError, match="TL4"):
        surgery_reduction(RULES, 3)


def test_x_rays_and_wounds_too_light_for_surgery():
    with_x = exact(sub(operate, RULES, BODY, DOCTOR, DOCTOR, 4.5, True)).mean(lambda after: after.worst)
    without = exact(sub(operate, RULES, BODY, DOCTOR, DOCTOR, 4.5)).mean(lambda after: after.worst)
    assert with_x < without
    light = replace(BODY, worst=2, wounds=2)
    assert script(operate(RULES, light)).outcome == light
    twice = script(operate(RULES, replace(BODY, operated=True), Task(15, 5), Task(15, 5), 6), [(1,), (1,)]).outcome
    assert twice.worst == 5 - 4


# --- after grave wounds --------------------------------------------------------------------------------------------------------


def test_grave_wounds_cost_attributes_where_the_campaign_wants_it():  # 2901-2910
    ours = under(major_injury=True)
    assert major_injury(ours, 6, "abdomen") == Lost(1, 3, ("EN", "AP", "ST"))
    assert major_injury(ours, 4, "left leg") == Lost(0, 1, ("AG", "AP", "ST"))
    assert major_injury(ours, 5, "right arm").attributes[0] == "DX"
    assert major_injury(ours, 7, "head") == Lost(2, 4, ("IN", "PC", "AP"))
    assert major_injury(ours, 5, "head").attributes == ("AP",)
    assert major_injury(ours, 3) == major_injury(RULES, 6) == Lost(0, 0, ())
    assert major_injury(ours, 3, "left arm", botched_care=True) == Lost(0, 1, ("DX", "AP", "ST"))  # 2912
    assert major_injury(ours, 2, "left arm", botched_care=True) == Lost(0, 0, ())
    assert major_injury(ours, 6, "abdomen", botched_care=True) == major_injury(ours, 6, "abdomen")
    assert [(row.inherent, row.trained) for row in LOSSES(RULES).values()] == [(0, 1), (0, 2), (1, 3), (2, 4)]


def test_therapy_periods():  # 2918-2925
    assert [period(RULES, tl) for tl in (4, 5, 6, 7, 8, 9)] == [4320, 2160, 720, 168, 24, 1]
    assert period(RULES, 5, therapy=False) == period(RULES, 3) == 8640
    assert len(THERAPIES(RULES)) == 7


def test_watson_never_gets_well():  # 2927: one success, one failure, then a botch
    will = Task(9, 7)
    assert script(rehabilitate(RULES, will, 1, 1), [(63,)]).outcome == Therapy(1, False, 1)
    assert script(rehabilitate(RULES, will, 3, 3), [(63,), (64,), (70,)]).outcome == Therapy(1, True, 3)
    assert exact(sub(rehabilitate, RULES, will, 2, 4)).unsettled == 0
    with pytest.raises(UserError, match="periods"):
        play(rehabilitate(RULES, will, 1, 99))


def test_a_file_keeps_what_a_surgeon_did():  # 2845: the worst level may be lowered below the present one
    amy = Character("Amy", injuries=Injuries(wounds=3, worst=0, operated=True))
    body = Patient.of(RULES, amy)
    assert (body.wounds, body.worst, body.operated) == (3, 0, True)
    assert Patient.of(RULES, Character("Bea", injuries=Injuries(wounds=3))).worst == 3
    assert not [problem for problem in audit(RULES, amy).problems if "injuries" in problem.field]


def test_very_many_wounds_make_the_search_harder_still():  # 2865: -1 or worse, and the surgery -1
    searches, cuts = wound_cases(RULES, 5, multiple=True, harder=2)
    assert (sum(mod.value for mod in searches), sum(mod.value for mod in cuts)) == (-5, -2)
    low = replace(BODY, worst=0)
    assert script(bandage(RULES, low, DOCTOR, DOCTOR, multiple=True, harder=1), [(30,), (50,)]).outcome.bandaged == 1  # 10 x 3
    assert script(bandage(RULES, low, DOCTOR, DOCTOR, multiple=True, harder=1), [(31,)]).outcome == low
    with pytest.raises(UserError, match="multiple wounds"):
        wound_cases(RULES, 5, harder=1)


def test_the_dead_are_not_bandaged():
    dead = replace(BODY, wounds=8, worst=8, dead=True)
    assert script(bandage(RULES, dead), []).outcome == dead


@pytest.mark.parametrize("what", [lambda: care(RULES, -1), lambda: period(RULES, -1), lambda: surgery_reduction(RULES, 5, 5)])
def test_what_no_table_holds_is_refused(what):
    with pytest.raises(UserError, match=r"technology level|quality rating"):
        what()


def test_blood_takes_knowledge_and_its_time():  # 2827-2829
    with pytest.raises(UserError, match="basic medical knowledge"):
        script(restore_blood(RULES, BODY, "infusion", trained=False))
    with pytest.raises(UserError, match="needs TL6"):
        script(restore_blood(RULES, BODY, "artificial blood", tl=5.5))
    assert script(restore_blood(RULES, BODY, "artificial blood", tl=6)).outcome.wounds == 3


def test_a_search_that_finds_no_wounds_is_told_under_the_doctors_name():  # 2810
    played = script(bandage(RULES, replace(SOMEBODY, wounds=5, worst=5), by="Ann"), [(99,)])
    assert [roll.roll.by for roll in played.rolls] == ["Ann"]
    assert played.events[0].headline() == "Ann treats somebody: the wounds are not found (QR7); wound level 5, worst so far 5"
