"""Manners of attack: what they cost in time, which go together, and what they leave to defend with (book lines 852-962, 1135-1139)."""

import pytest

from rulewright.errors import UserError
from rulewright.play import Paused, script
from rulewright.systems.hybrid.combat.attack_setup import strike
from rulewright.systems.hybrid.combat.fighters import Doing
from rulewright.systems.hybrid.combat.maneuvers import manner_counts
from rulewright.systems.hybrid.fight.timeline import enter_fight, next_count

from ..test_rules_in_play import RULES, fight, person, stepped


def knives(**of_bo):
    """Al, whose knife takes 2 counts and whose rank of 8 makes it 1, is about to decide; Bo stands before him."""
    return fight(person("Al", "a", at=10), person("Bo", "b", 1.0, **{"at": 900, **of_bo}))


def begun(*manners, state=None):
    after, _ = stepped(state or knives(), [], ["attack how:Bo", *manners, *(["enough"] if manners != ("plain",) else [])])
    return after.fighter("Al")


# --- time (836, 876-888, 954, 962) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manners", "counts"),
    [(("plain",), 1), (("set up",), 2), (("spinning",), 2), (("jumping",), 2), (("spinning", "jumping"), 3), (("jumping", "set up"), 4)],
)
def test_manners_take_their_time_with_quick_weapons_too(manners, counts):
    assert begun(*manners).at == 10 + counts


def test_manners_in_numbers():
    assert [manner_counts(RULES, counts) for counts in (1, 2, 3, 4)] == [2, 3, 5, 6]
    assert manner_counts(RULES, 4, 2) == 9
    assert manner_counts(RULES, 4, 0, True) == 8
    assert manner_counts(RULES, 4, 1, True) == 12


# --- together (918-962) -----------------------------------------------------------------------------------------------------------


def test_a_called_shot_goes_with_every_other_manner_and_all_of_them_count():  # 932: any physical targeted action
    al = begun("called head", "all out", "spinning", "jumping", "set up")
    assert (al.doing.called, al.doing.ways, al.all_out) == ("head", ("all out", "spinning", "jumping", "set up"), "body")
    state = knives()
    plain = strike(RULES, state, state.fighter("Al"), state.fighter("Bo"), doing=Doing("attack", "Bo"), arm=al.arm, now=14)
    comes = strike(RULES, state, al, state.fighter("Bo"), doing=al.doing, arm=al.arm, now=14)
    assert comes.check.df == plain.check.df - 12 + 12 - 2 - 4
    assert comes.check.percent == plain.check.percent + 20 + 2 * 8
    assert comes.blow.times == (9, 4)
    assert comes.blow.called == "head"


def test_a_called_shot_can_be_rushed_lobbed_or_pressed():
    assert begun("advance", "called arm").advancing
    after, _ = stepped(knives(), [], ["attack how:Bo", "rushed", "called eye", "enough", 1])
    assert (after.fighter("Al").doing.share, after.fighter("Al").doing.called) == ((1, 2), "eye")
    thrown, _ = stepped(knives(), [], ["hurl how:Bo", "lob", "called chest", "enough"])
    assert (thrown.fighter("Al").doing.way, thrown.fighter("Al").doing.called) == ("lob", "chest")


@pytest.mark.parametrize(
    "manners", [("advance", "retreating"), ("retreating", "advance"), ("all out", "evading"), ("called head", "called arm"), ("lob",)]
)
def test_what_contradicts_itself_does_not_go_together(manners):
    with pytest.raises(UserError, match="is not allowed"):
        begun(*manners)


def test_a_throw_can_be_aimed_and_a_grip_cannot():
    state = fight(person("Al", "a", in_hand=1, at=10), person("Bo", "b", 1.0, ("fist",), at=900, in_hand=1))
    after, _ = stepped(state, [], ["throw how:Bo", "called head", "enough"])
    assert after.fighter("Al").doing.called == "head"
    with pytest.raises(UserError, match="is not allowed"):
        stepped(state, [], ["grapple how:Bo", "called head"])


# --- all out leaves no defense (920) ----------------------------------------------------------------------------------------------


def closing(**of_al):
    """Al's blow against Bo's spear is due."""
    al = person("Al", "a", at=14, doing=Doing("attack", "Bo", 12), **of_al)
    return fight(al, person("Bo", "b", 1.0, ("spear",), at=50))


def test_who_attacks_all_out_cannot_meet_a_fend():
    asked = Paused(next_count(RULES, closing(all_out="body")), lambda event: None)
    asked.answer("fend")
    assert asked.pending.what == "fending off"  # straight to the roll: no parry, no block
    free = Paused(next_count(RULES, closing()), lambda event: None)
    free.answer("fend")
    assert free.pending.keys() == ("go on", "parry", "block", "crouch", "dodge", "drop prone")


def test_a_fend_can_be_dodged_which_gives_up_the_blow():  # 902: all active defenses
    after, told = stepped(closing(), [(99,)], ["fend", "dodge"])
    al = after.fighter("Al")
    assert (al.doing, al.at) == (Doing("dodge", "", 14), 34)
    assert al.inside == ("Bo",)
    assert told[1:3] == ["Al abandons an action: attack Bo", "Al dodges"]


# --- rolling with the blow (1135-1139) --------------------------------------------------------------------------------------------


def struck(**of_bo):
    """Al's blow is due; Bo is about to strike too."""
    return fight(
        person("Al", "a", at=14, doing=Doing("attack", "Bo", 12)), person("Bo", "b", 1.0, at=15, doing=Doing("attack", "Al", 13), **of_bo)
    )


def test_rolling_is_chosen_when_one_knows_that_one_will_be_hit():
    missed, _ = stepped(struck(), [(99,), (3, 4)], ["defend"])  # nothing more is asked
    assert missed.fighter("Bo").doing == Doing("attack", "Al", 13)
    rolled, told = stepped(struck(), [(20,), (20,), (4,), (50,), (3, 4), (3, 4)], ["defend", "roll with the blow"])
    assert rolled.fighter("Bo").doing is None
    assert "Bo abandons an action: attack Al" in told
    taken, _ = stepped(struck(), [(20,), (20,), (4,), (3, 4)], ["defend", "take it"])
    assert taken.fighter("Bo").doing == Doing("attack", "Al", 13)


@pytest.mark.parametrize("answer", ["parry", "block", "crouch"])
def test_who_met_the_blow_in_another_way_cannot_roll_with_it(answer):
    faces = {
        "parry": [(1,), (99,), (20,), (4,), (3, 4)],
        "block": [(1,), (99,), (20,), (4,), (3, 4)],
        "crouch": [(1,), (20,), (4,), (3, 4)],
    }
    after, _ = stepped(struck(), faces[answer], [answer])
    assert after.fighter("Bo").body.energy.fatigue < 36


def test_who_knows_of_nothing_or_attacks_all_out_cannot_roll_with_it():
    for changes in ({"all_out": "body"}, {"fooled_by": "Al"}):
        after, _ = stepped(struck(**changes), [(1,), (20,), (4,), (3, 4)], [])
        assert after.fighter("Bo").body.energy.fatigue < 36


def test_a_fend_that_is_ignored_can_be_rolled_with_and_initiative_comes_again():
    after, told = stepped(closing(), [(1,), (20,), (4,), (50,), (3, 4)], ["fend", "go on", "roll with the blow"])
    assert after.fighter("Al").inside == ("Bo",)
    assert "Al abandons an action: attack Bo" in told
    assert (after.fighter("Al").doing, after.fighter("Al").at) == (None, 27)


# --- the log says why (faults in play) --------------------------------------------------------------------------------------------


def test_perception_initiative_parry_and_shock_have_their_sums_in_the_log():
    told = []
    state = fight(person("Al", "a", at=14, doing=Doing("attack", "Bo", 12)), person("Bo", "b", 1.0, ("short sword",), at=50))
    state = state.change("Bo", inside=("Al",)).change("Al", inside=("Bo",))
    played = script(next_count(RULES, state), [(1,), (99,), (20,), (4,), (3, 4)], ["parry"])
    for event in played.events:
        told += [(event.headline(), reason.label) for reason in event.reasons()]
    assert ("Bo: parry fails", "Success Chance") in told
    assert ("Al will be ready at count 27", "count") in told
    entered = script(enter_fight(RULES, fight(person("Al", "a", entered=False))), [(20,), (3, 4)], [])
    assert {reason.label for event in entered.events for reason in event.reasons()} >= {"Difficulty Factor", "Success Chance", "initiative"}
