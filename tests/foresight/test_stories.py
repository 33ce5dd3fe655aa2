"""The stories that the book tells outside of combat, played from scripted dice, number for number.

Where a story does not follow from the rules (see docs/errata.md) the rule is played, and the printed figure by its setting.
"""

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.foresight.combat.arms import profile_of
from rulewright.systems.foresight.gear.weapons import recoil
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.harm.hazards import fall_class, landing
from rulewright.systems.foresight.harm.medicine import (
    Therapy,
    bandage,
    major_injury,
    operate,
    period,
    rehabilitate,
    restore_blood,
    surgery_reduction,
)
from rulewright.systems.foresight.harm.recovery import DAY, care, deterioration_roll, next_roll, recovery_roll
from rulewright.systems.foresight.people.abilities import ability_task, points_given
from rulewright.systems.foresight.people.attributes import attribute_task
from rulewright.systems.foresight.people.backgrounds import competence
from rulewright.systems.foresight.people.characters import Arm, Background, Familiarity, Gear, Loss, Person, inherent, trained
from rulewright.systems.foresight.people.skills import familiarities
from rulewright.systems.foresight.people.social import teach
from rulewright.systems.foresight.people.study import learn_in_play
from rulewright.systems.foresight.resolution.situations import aiming
from rulewright.systems.foresight.resolution.tests import (
    Mod,
    Task,
    attempt,
    blocked,
    built_on,
    chance_of,
    contest,
    duration,
    knowledge_modifier,
    player_input,
    strangeness,
    talked_through,
)

HANDGUNS = Task(19, 3)
GOOD_BALANCE = Mod("well balanced", 1)


def rated(task, roll):
    """The rating of a task when this is rolled."""
    return script(attempt(RULES, task), [(roll,)]).outcome.qr


# --- resolution ---------------------------------------------------------------------------------------------------------------


def test_amy_picks_a_lock():  # 304-323
    lock = Task(14, 5).plus(Mod("a tumbler lock", -1), Mod("excellent picks", 1))
    assert chance_of(RULES, lock) == 70
    assert rated(lock, 32) == 3
    assert duration(RULES, 3, 5).value == 5  # a reasonable time: no longer than estimated
    assert [rated(lock, roll) for roll in (36, 70, 71, 80, 90, 100)] == [4, 4, 7, 10, 10, 10]
    assert duration(RULES, 4, 5).value == 10  # the guard would have come


FIRING_RANGE = [
    # aimed, shots since the last aim, whether the shot before hit, roll, chance, rating
    (True, 0, False, 75, 95, 4),
    (False, 1, True, 44, 95, 3),
    (False, 2, True, 78, 76, 7),
    (True, 0, False, 4, 95, 1),
    (False, 1, True, 99, 95, 7),
    (False, 2, False, 19, 38, 3),
    (True, 0, False, 49, 95, 4),
    (False, 1, True, 44, 95, 3),
    (False, 2, True, 75, 76, 4),
]


@pytest.mark.parametrize(("aimed", "shots", "just_hit", "roll", "chance", "qr"), FIRING_RANGE)
def test_amy_at_the_firing_range(aimed, shots, just_hit, roll, chance, qr):  # 1380-1392
    shot = HANDGUNS.plus(GOOD_BALANCE, aiming(RULES, int(aimed), just_hit), recoil(RULES, 1, shots))
    assert chance_of(RULES, shot) == chance
    assert rated(shot, roll) == qr


def test_amy_qualifies_with_two_misses():  # 1380, 1392
    assert [qr for *_, qr in FIRING_RANGE].count(7) == 2


def test_a_temporal_navigator():  # 1344, 1354: 3.5 is printed, and rounded it is 4
    plain = Task(14, 5)
    assert chance_of(RULES, plain) == 70
    assert chance_of(RULES, plain.plus(Mod("very difficult", -6))) == 4
    assert chance_of(under(continuous_values=True), plain.plus(Mod("very difficult", -6))) == 3.5


def test_amy_tails_junkers():  # 1489-1495
    stealth, perception, search = Task(12, 5), Task(10, 6), Task(18, 5)
    first = script(contest(RULES, stealth, perception), [(60,), (60,)]).outcome
    assert (first.one, first.other, first.winner) == (4, 4, 0)
    docks = script(contest(RULES, stealth, search, decide=True), [(30,), (45,)]).outcome
    assert (docks.one, docks.other, docks.winner) == (3, 3, 2)


def test_smith_and_anderson():  # 1545-1551
    smith, anderson, buyer = Task(8, 5), Task(14, 5), Task(12, 5)
    setup = rated(smith, 41)
    assert setup == 7
    break_in = anderson.plus(built_on(RULES, setup, "Smith's setup", opposing=True))
    assert chance_of(RULES, break_in) == 14 * 8
    done = rated(break_in, 22)
    assert done == 2
    clean_up = smith.plus(built_on(RULES, done, "the break-in", opposing=True))
    assert chance_of(RULES, clean_up) == 8 * 3
    assert rated(clean_up, 25) == 7
    assert blocked(RULES, done, 4) == 3  # handled as blocking, a QR4 would have left a QR3
    assert chance_of(RULES, buyer.plus(built_on(RULES, done, "the accounts"))) == 12 * 7


def test_commander_hilbert_is_rewarded_for_a_good_speech():  # 1439, 1462-1464
    theory = Task(15, 5)
    assert rated(theory, 30) == 3
    spoken = player_input(RULES, ("entertaining", "convincing", "in character"))
    assert chance_of(RULES, theory.plus(spoken)) == 15 * 8
    assert chance_of(RULES, theory.plus(player_input(RULES, ("nothing",)))) == 15 * 4


def test_a_surgeon_on_the_radio():  # 1587-1591
    alone = knowledge_modifier(RULES, "inadequate", -5).value
    guided = talked_through(RULES, alone, knowledge_modifier(RULES, "detailed").value).value
    hand = attribute_task(RULES, "DX", 10)
    assert chance_of(RULES, hand.plus(Mod("knowledge", alone))) == 20
    assert chance_of(RULES, hand.plus(Mod("knowledge", guided))) == 80


# --- creation -----------------------------------------------------------------------------------------------------------------


def test_an_assassin_of_ten_background_factors():  # 651-653
    factors = ("Personal Tragedy", "Mysterious Mentor", "Trained from Childhood", "Field/Specialist Training", "Field/Specialist Training")
    factors += ("Full-Time Education", "Academic Experience", "Field Experience", "School of Hard Knocks", "Field Experience")
    gersen = replace(AMY, background=tuple([Background(factor) for factor in factors]), factors=10)
    points = {kind: value.value for kind, value in points_given(RULES, gersen).items()}
    assert points == {"general": 40 + 40 + 40 + 60 + 60 + 40 + 60 + 75 + 80 + 75, "education": 20 + 20 + 10 + 20 + 20 + 40 + 20 + 5 + 0 + 5}
    assert competence(RULES, len(factors)) == "Capable"


# --- skills and familiarities -------------------------------------------------------------------------------------------------


def test_a_plane_is_landed_by_radio():  # 1091, 1639
    stranger = Person.of(RULES, AMY)
    assert stranger.level("Aircraft") is None
    task = ability_task(RULES, stranger, "Aircraft")  # (DX 10 + PC 12) / 2 = 11 at G+2 and -1
    assert (task.score, task.ease, task.modifier) == (11, 5, -1)
    guided = task.plus(strangeness(RULES, "foreign", eased=3))
    assert rated(guided, 22) == 3
    assert learn_in_play(RULES, "Aircraft", 3, 3).value == 3
    with pytest.raises(UserError, match="QR3"):
        learn_in_play(RULES, "Aircraft", 4, 3)


def test_amy_drives_in_france():  # 1334-1336
    freeway, city = ("different", 0), ("wrong", 0)
    assert [strangeness(RULES, how, eased).value for how, eased in (freeway, city)] == [-1, -2]
    assert [strangeness(RULES, how, 1).value for how, _ in (freeway, city)] == [0, -1]  # after a day
    assert strangeness(RULES, "wrong", 2).value == 0  # after a week


def test_a_heart_surgeon_counts_every_familiarity_that_fits():  # 1316
    operation = Task(16, 6).plus(familiarities(RULES, 2), knowledge_modifier(RULES, "profound", 2))
    assert operation.modifier == 4


def test_amys_pistol_is_stolen():  # 1320: the familiarity is with that pistol, and not with its replacement
    def with_pistol(name):
        gear = Gear(ranged=(Arm("SL Pistol (TL5)", name=name),))
        person = Person.of(RULES, replace(AMY, gear=gear, familiarities=(Familiarity("Handguns", "her own pistol"),)))
        return profile_of(RULES, person, "Amy", "us", left=False, environment="Urban", gravity=1.0).weapons[1].task

    assert with_pistol("her own pistol").modifier == with_pistol("a new pistol").modifier + 1


def test_a_bomb_and_an_expert_on_the_radio():  # 1947-1949
    expert = attribute_task(RULES, "IN", 12).plus(knowledge_modifier(RULES, "profound", 2))
    assert chance_of(RULES, expert) == 12 * 9
    assert rated(expert, 21) == 2
    armed = ability_task(RULES, Person.of(RULES, AMY), "Search")
    assert rated(armed, 30) <= 4
    assert script(teach(RULES, Task(15, 5)), [(40,)]).outcome is True


# --- wounds and doctors -------------------------------------------------------------------------------------------------------


def test_a_severed_arm():  # 2610
    patient = Patient("somebody", endurance=9, wounds=5, worst=5)
    patient = script(deterioration_roll(RULES, patient), [(19,)]).outcome  # at -5: 18 percent
    assert patient.wounds == 6
    patient = script(deterioration_roll(RULES, patient), [(11,)]).outcome  # at -6: 9 percent
    assert (patient.wounds, patient.worst) == (7, 7)
    patient = script(restore_blood(RULES, patient, "infusion"), []).outcome
    assert patient.wounds == 6
    ours = under(transfusion_levels=1)  # the story's transfusion; the rule's gives back two
    assert script(restore_blood(RULES, patient, "whole blood"), []).outcome.wounds == 4
    patient = script(restore_blood(ours, patient, "whole blood"), []).outcome
    assert (patient.wounds, patient.worst) == (5, 7)
    surgeon = Task(15, 5)  # TL5: search at +2 -3, 60 percent; surgery at +1 -2 and +1 for a QR3 search, 75 percent
    patient = script(operate(RULES, patient, surgeon, surgeon, 5), [(30,), (37,)]).outcome
    assert (patient.wounds, patient.worst) == (5, 4)
    assert surgery_reduction(RULES, 5, 4, follow_up=True).value == 0
    patient = script(operate(RULES, patient, surgeon, surgeon, 5), [(45,), (60,)]).outcome  # reattached at QR4
    assert patient.worst == 4
    best = care(RULES, 5)
    assert best.modifier - patient.worst == 0  # the hospital makes up for the -4
    assert script(recovery_roll(RULES, patient, best.modifier), [(63,)]).outcome.wounds == 4


def test_amys_wounds_from_the_roadside_to_germany():  # 2862-2891
    amy = Patient.of(RULES, AMY)
    assert amy.endurance == 7
    amy = replace(amy, wounds=5, worst=5)
    paramedic = Task(15, 5)  # search at -2 and -1: 30 percent
    amy = script(bandage(RULES, amy, paramedic, paramedic, multiple=True), [(30,), (37,)]).outcome
    assert amy.bandaged == 2
    amy = script(restore_blood(RULES, amy, "artificial blood"), []).outcome
    assert (amy.wounds, amy.worst) == (3, 5)
    # the deterioration roll that the story makes at level 3 belongs to level 5: EN 7 at 7 - 5 + 2 = 4 is 28 percent
    assert next_roll(RULES, amy) == 20 * DAY
    assert next_roll(under(deterioration_by="worst level"), amy) == 30
    amy = script(deterioration_roll(RULES, amy), [(29,)]).outcome
    assert (amy.wounds, amy.worst) == (4, 5)
    assert script(restore_blood(RULES, amy, "artificial blood"), []).outcome.wounds == 2
    amy = script(restore_blood(under(transfusion_levels=1), amy, "artificial blood"), []).outcome
    assert amy.wounds == 3
    surgeon = Task(15, 5)  # search at +4 -1 -2: 90 percent; surgery at +3 +1 -1 -1: 105 percent
    amy = script(operate(RULES, amy, surgeon, surgeon, 6, multiple=True), [(45,), (21,)]).outcome
    assert (amy.wounds, amy.worst) == (3, 0)
    germany = care(RULES, 6)  # +6 is printed, and the table ends at +5
    assert (germany.modifier, germany.interval, next_roll(RULES, amy, germany)) == (5, 75, 15 * DAY)
    # EN 7 at 7 + 5 = 12: 84 percent
    assert script(recovery_roll(RULES, amy, germany.modifier), [(84,)]).outcome.wounds == 2
    assert script(recovery_roll(RULES, amy, germany.modifier), [(85,)]).outcome.wounds == 3


def test_watson_is_shot_and_never_quite_recovers():  # 2910, 2927
    lost = major_injury(under(major_injury=True), 6, "abdomen")
    assert (lost.inherent, lost.trained, lost.attributes[0]) == (1, 3, "EN")
    watson = replace(AMY, attributes=replace(AMY.attributes, EN=6), trained={"EN": 8}, background=())
    assert (inherent(RULES, watson)["EN"].value, trained(RULES, watson)["EN"].value) == (6, 8)
    wounded = replace(watson, experience=(Loss("EN", lost.inherent, lost.trained),))
    assert (inherent(RULES, wounded)["EN"].value, trained(RULES, wounded)["EN"].value) == (5, 5)
    will = attribute_task(RULES, "WP", 9)  # 63 percent
    therapy = script(rehabilitate(RULES, will, lost=2, periods=2), [(63,), (64,)]).outcome
    assert therapy == Therapy(1, False, 2)
    alone = script(rehabilitate(RULES, will, lost=1, periods=1), [(70,)]).outcome
    assert alone == Therapy(0, True, 1)
    months = 30 * 24
    assert 2 * period(RULES, 4) + period(RULES, 4, therapy=False) == (6 + 6 + 12) * months


def test_a_jump_into_water():  # 2779: three meters are harmless, and so are three of any fall into water
    assert landing(RULES, "dive into water", 7).value == 3
    assert fall_class(RULES, 3 - landing(RULES, "dive into water", 7).value).value <= 0
    assert fall_class(RULES, 8 - 3).value == 4
