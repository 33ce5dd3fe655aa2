"""Beside fighting: a skill used for something else, and a life saved (book lines 348-370, 555)."""

from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.scumm.combat.fighters import UnderWay
from rulewright.systems.scumm.fight.turns import confused_turn

from ..fights import RULES, act, by, fight_of, keys, someone, told

DYING = {"flesh": 1, "deep": 2, "trauma": 5}


def ward(metres=1.0, **ann):
    """Ann beside Bob, who is dying; Cyd is far away."""
    bob = someone("Bob", (metres, 0), side="Ann", wounds=DYING)
    return fight_of(someone("Ann", **ann), bob, someone("Cyd", (40, 0)))


def test_a_skill_is_used_against_a_threshold_that_the_gamemaster_names():
    fight = fight_of(someone("Ann", alertness=1, drive=3), someone("Bob", (5, 0)))
    played = act(fight, "Ann", "skill", "drive", 5, faces=[(2, 5, 4)])
    assert told(played) == ["Ann uses drive: success by 1"]
    assert [rolled.roll.reading.dice for rolled in played.rolls] == [3]
    failed = act(fight, "Ann", "skill", "drive", 7, faces=[(2, 5, 4)])
    assert told(failed) == ["Ann uses drive: failure by 1"]


def test_wounds_and_extra_actions_weigh_on_it():
    fight = fight_of(someone("Ann", drive=2, wounds={"flesh": 1}), someone("Bob", (5, 0)))
    played = act(fight, "Ann", "skill", "drive", 3, faces=[(3, 4)], turn=UnderWay("Ann", 2, extra=1))
    assert told(played) == ["Ann uses drive: failure by 1"]
    assert played.events[0].reasons()[0].value == 2


def test_those_without_any_skill_have_none_to_use():
    assert "skill" not in keys(fight_of(someone("Ann"), someone("Bob", (5, 0))), "Ann")


def test_only_the_dying_within_reach_can_be_treated():
    assert "treat:Bob" in keys(ward(), "Ann")
    assert "treat:Bob" not in keys(ward(2.5), "Ann")
    assert "treat:Bob" not in keys(fight_of(someone("Ann"), someone("Bob", (1, 0), side="Ann")), "Ann")


def test_an_attempt_takes_a_minute_of_rounds_and_then_a_test():
    fight = ward(medicine=2, intelligence=1)
    for so_far in range(1, 10):
        played = act(fight, "Ann", "treat:Bob")
        assert (told(played), played.rolls) == ([f"Ann works on Bob (round {so_far} of 10)"], ())
        fight = played.outcome
    done = act(fight, "Ann", "treat:Bob", faces=[(6, 5)])
    assert done.outcome.fighter("Bob").body.trauma is None
    assert done.outcome.fighter("Ann").treated == 0
    failed = act(fight, "Ann", "treat:Bob", faces=[(2, 1)])
    assert failed.outcome.fighter("Bob").body.trauma == 4


def test_who_does_something_else_begins_anew():
    begun = act(ward(medicine=2, drive=1), "Ann", "treat:Bob").outcome
    assert begun.fighter("Ann").treated == 1
    assert act(begun, "Ann", "skill", "drive", 1, faces=[(3,)]).outcome.fighter("Ann").treated == 0


def test_a_fumbled_initiative_lets_one_go_on_treating():  # 370
    begun = act(ward(medicine=2), "Ann", "treat:Bob").outcome
    confused = begun.put(replace(begun.fighter("Ann"), fumbled=True))
    played = script(confused_turn(RULES, confused, "Ann"), [], ["keep treating"])
    assert played.outcome.fighter("Ann").treated == 2


def test_a_campaign_may_give_a_round_another_length():
    rules = by(treatment_rounds=1)
    played = act(ward(medicine=2), "Ann", "treat:Bob", faces=[(6, 5)], rules=rules)
    assert played.outcome.fighter("Bob").body.resuscitated
