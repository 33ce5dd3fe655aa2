"""Lying in wait: Notice against Stealth, and what those do not know who notice nothing (book lines 45, 448)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright.play import GAMEMASTER, ScriptedFaces, Together, first_option, script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.scenes.encounter import Decided, Encounter
from rulewright.systems.scumm.combat.fighters import Surroundings
from rulewright.systems.scumm.fight.ambushes import spring_ambush
from rulewright.systems.scumm.fight.turns import InitiativeRolled, begin_round
from rulewright.systems.scumm.lab_view.scene import FightScene

from ..fights import AWAKE, RULES, by, fight_of, keys, pools, roll_initiative, someone, take_turn


def ambushed(*, modifier=0, lurkers=1, targets=1, **fields):
    """Ann and perhaps others (Stealth 2, Alertness 1) lie in wait for Bob and perhaps others (Notice 1)."""
    hunters = [
        someone(name, (0, place), side="hunters", stealth=2, alertness=1, guns=("9mm pistol",), pistols=2, state={"hidden": True})
        for place, name in enumerate(("Ann", "Abe")[:lurkers])
    ]
    prey = [
        someone(name, (10, place), side="prey", notice=1, intelligence=1, guns=("9mm pistol",), **fields)
        for place, name in enumerate(("Bob", "Bea")[:targets])
    ]
    return fight_of(*hunters, *prey, ground=Surroundings(ambush="hunters", ambush_modifier=modifier), round=0, ambush_open=True)


def test_notice_against_stealth_with_alertness_and_the_conditions():
    played = script(spring_ambush(RULES, ambushed(modifier=-2)), [(4, 2), (5,)])
    assert pools(played) == [("Ann", 2, 1), (GAMEMASTER, 1, -2)]
    assert played.outcome.fighter("Bob").unwary
    assert played.outcome.fighter("Ann").hidden
    assert not played.outcome.ambush_open


def test_who_notices_is_wary_and_nobody_is_hidden_any_more():
    fight = script(spring_ambush(RULES, ambushed()), [(3, 2), (5,)]).outcome
    assert not fight.fighter("Bob").unwary
    assert not fight.fighter("Ann").hidden


def test_one_who_notices_gives_them_away_though_the_other_is_unwary():
    fight = script(spring_ambush(RULES, ambushed(targets=2)), [(3, 2), (5,), (2,)]).outcome
    assert [fight.fighter(name).unwary for name in ("Bob", "Bea")] == [False, True]
    assert not fight.fighter("Ann").hidden


def test_everybody_rolls_once_and_every_ambusher_may_be_noticed():  # line 330: with more than two, each pair by what they rolled
    played = script(spring_ambush(RULES, ambushed(lurkers=2, targets=2)), [(4, 2), (3, 2), (4,), (3,)])
    assert [rolled.roll.by for rolled in played.rolls] == ["Ann", "Abe", GAMEMASTER, GAMEMASTER]
    assert [rolled.roll.what for rolled in played.rolls[2:]] == ["Notice of Bob", "Notice of Bea"]
    assert [played.outcome.fighter(name).unwary for name in ("Bob", "Bea")] == [False, True]  # 4 finds Abe's 4 and not Ann's 5


def test_everybody_who_hides_is_asked_once_and_all_at_once():
    people = ambushed(lurkers=2, targets=2)
    fight = replace(people, fighters=tuple([f.with_body(replace(f.body, emergency_dice=3)) for f in people.fighters]))
    request = spring_ambush(RULES, fight).send(None)
    assert isinstance(request, Together)
    assert [(asked.who, asked.secret) for asked in request.requests] == [("Ann", True), ("Abe", True)]
    played = script(spring_ambush(RULES, fight), [(4, 2, 6), (3, 2), (4,), (3,)], (1, 0))
    assert [played.outcome.fighter(name).body.emergency_dice for name in ("Ann", "Abe", "Bob", "Bea")] == [2, 3, 3, 3]


def test_where_nobody_is_left_to_lie_in_wait_nobody_is_unwary():
    people = ambushed(targets=2)
    fight = people.change("Ann", body=replace(people.fighter("Ann").body, dead=True))
    played = script(spring_ambush(RULES, fight), [])
    assert (played.rolls, played.outcome.ambush_open) == ((), False)
    assert not any(fighter.unwary for fighter in played.outcome.fighters)


@pytest.mark.parametrize("tie", ["noticed", "unnoticed"])
@pytest.mark.parametrize("modifier", [0, -2])
def test_the_odds_of_an_ambush_by_two_are_those_of_counting_every_roll(modifier, tie):
    def total(faces, modifier):
        return max(0, (1 if set(faces) == {1} else max(faces) + max(0, faces.count(6) - 1)) + modifier)

    counted = Counter()
    for dice in product(range(1, 7), repeat=6):
        hidden = min(total(dice[:2], 1), total(dice[2:4], 1))
        counted[tuple(total((eye,), modifier) < hidden + (tie == "unnoticed") for eye in dice[4:])] += 1
    odds = exact(lambda: spring_ambush(by(ambush_tie=tie), ambushed(lurkers=2, targets=2, modifier=modifier)))
    unwary = odds.map(lambda fight: tuple(fight.fighter(name).unwary for name in ("Bob", "Bea")))
    assert {outcome: unwary[outcome] for outcome in counted} == {outcome: Fraction(n, 6**6) for outcome, n in counted.items()}


def test_a_tie_is_noticed():  # ruling "ambush-tie"
    assert not script(spring_ambush(RULES, ambushed()), [(4, 2), (5,)]).outcome.fighter("Bob").unwary
    assert script(spring_ambush(by(ambush_tie="unnoticed"), ambushed()), [(4, 2), (5,)]).outcome.fighter("Bob").unwary


def test_a_campaign_may_roll_combat_sense():  # ruling "ambush-roll"
    played = script(spring_ambush(by(ambush_roll="combat sense"), ambushed(modifier=-1)), [(4, 2), (5, 3)])
    assert pools(played)[1] == (GAMEMASTER, 2, -1)


def test_wounds_weigh_on_noticing():
    played = script(spring_ambush(RULES, ambushed(wounds={"flesh": 2})), [(4, 2), (5,)])
    assert pools(played)[1] == (GAMEMASTER, 1, -2)


def unnoticed(**more):
    return script(spring_ambush(RULES, ambushed(**more)), [(6, 6)] * more.get("lurkers", 1) + [(2,)] * more.get("targets", 1)).outcome


def test_the_unwary_neither_roll_initiative_nor_defend_the_first_time():
    fight = roll_initiative(unnoticed(), (3,))
    assert fight.queue == (("Ann",),)
    shot = take_turn(fight, "stay", "shoot:Bob", faces=[(2, 2), AWAKE])  # 2 and Alertness 1, medium range, against 1
    assert [rolled.roll.what for rolled in shot.rolls] == ["attack with the 9mm pistol", "staying conscious"]
    after = shot.outcome
    assert (after.fighter("Bob").unwary, after.fighter("Ann").hidden) == (False, False)
    again = take_turn(replace(after, queue=(("Ann",),)), "stay", "shoot:Bob", faces=[(2, 2), (5,)])
    assert again.rolls[1].roll.what == "defense"


def test_an_ambush_waits_as_long_as_nobody_shows_himself():
    fight = roll_initiative(unnoticed(), (3,))
    fight = take_turn(fight, "stay", "aim:Bob").outcome
    second = roll_initiative(fight, (3,))
    assert second.fighter("Bob").unwary
    assert second.fighter("Ann").hidden
    assert take_turn(second, "stay", "shoot:Bob", faces=[(2, 2, 1), AWAKE]).rolls[0].roll.reading.dice == 3


def test_once_it_is_sprung_everybody_is_wary_in_the_next_round():
    fight = roll_initiative(unnoticed(targets=2), (3,))
    fight = take_turn(fight, "stay", "shoot:Bob", faces=[(1, 2), AWAKE]).outcome
    assert fight.fighter("Bea").unwary
    after = roll_initiative(fight, (3,), (4, 2), (2, 1))
    assert not after.fighter("Bea").unwary
    assert {name for group in after.queue for name in group} == {"Ann", "Bob", "Bea"}


def test_who_holds_an_action_stays_hidden():
    fight = roll_initiative(unnoticed(lurkers=2), (5,), (3,))
    fight = take_turn(fight, "stay", "shoot:Bob", faces=[(2, 2), AWAKE]).outcome
    fight = take_turn(fight, "stay", "ready").outcome
    after = roll_initiative(fight, (3,), (4, 2), choices=["hold"])
    assert after.fighter("Abe").hidden
    assert not after.fighter("Ann").hidden


# --- secrets ------------------------------------------------------------------------------------------------------------------


def test_the_rolls_of_an_ambush_are_secret():
    played = script(spring_ambush(RULES, ambushed()), [(6, 6), (2,)])
    assert all(rolled.roll.secret for rolled in played.rolls)


def test_who_walks_into_an_ambush_is_asked_nothing_and_sees_nothing_of_the_rolls():
    scene = FightScene(RULES)
    encounter = Encounter.begin(scene, ambushed())
    before = scene.view(encounter.state, "Bob")
    for faces in ((6, 6), (2,)):
        ((at, request),) = encounter.open
        assert request.secret
        assert request.by in ("Ann", GAMEMASTER)
        encounter.give(faces, at)
    assert encounter.state.fighter("Bob").unwary
    assert all(line.hidden_from("Bob") for line in encounter.log)
    # Ann sees her own dice and their sum, and the result; the roll against it and its sum are the gamemaster's
    assert [(line.hidden_from("Ann"), line.hidden_from(None)) for line in encounter.log] == [
        (False, False),
        (False, False),
        (True, False),
        (True, False),
        (False, True),
    ]
    assert scene.view(encounter.state, "Bob") == before


def test_who_notices_nothing_is_not_told_so():
    hides, summed, event = script(spring_ambush(RULES, ambushed()), [(6, 6), (2,)]).events
    assert event.headline() == summed.headline() == "Bob notices nothing"
    assert hides.hidden_from("Bob")
    assert event.hidden_from("Bob")
    assert not event.hidden_from("Ann")
    *_, noticed = script(spring_ambush(RULES, ambushed()), [(3, 2), (6,)]).events
    assert not noticed.hidden_from("Bob")


def test_notice_against_stealth_is_told_with_both_sums():  # line 448
    hides, summed, _ = script(spring_ambush(RULES, ambushed()), [(6, 6), (2,)]).events
    assert [(why.label, holds(why)) for why in hides.reasons()] == [("Stealth", True)]
    assert hides.headline() == f"Ann hides: Stealth {hides.reasons()[0].value}"
    assert [why.label for why in summed.reasons()] == ["Notice", "lowest Stealth"]
    assert all(holds(why) for why in summed.reasons())
    assert not summed.hidden_from(None)
    assert summed.hidden_from("Ann")


def test_the_initiative_of_the_hidden_is_theirs_alone():
    played = script(begin_round(RULES, replace(unnoticed(), ambush_open=False)), [(3,)])
    assert all(event.hidden_from("Bob") for event in played.events)  # not even that nobody else acts
    assert played.rolls[0].roll.secret
    assert [type(event) for event in played.events] == [InitiativeRolled]
    assert any("Ann" in event.headline() and not event.hidden_from("Ann") for event in played.events)


def test_what_the_hidden_do_is_told_to_their_side_only():
    fight = roll_initiative(unnoticed(lurkers=2), (5,), (3,))
    (event,) = take_turn(fight, "stay", "aim:Bob").events
    assert event.hidden_from("Bob")
    assert not event.hidden_from("Abe")


def test_nobody_can_aim_at_or_go_to_what_he_cannot_see():
    fight = unnoticed()
    assert "shoot:Ann" not in keys(fight, "Bob")


def test_the_hidden_are_in_nobody_elses_view():
    scene = FightScene(RULES)
    for fight in (ambushed(), unnoticed(), roll_initiative(unnoticed(), (3,))):
        view = scene.view(fight, "Bob")
        assert {card.name for card in view.cards} == {"Bob"}
        assert {place.name for place in view.places} == {"Bob"}
        assert "Ann" not in str(view)
        assert {card.name for card in scene.view(fight, "Ann").cards} == {"Ann", "Bob"}
        assert {card.name for card in scene.view(fight, None).cards} == {"Ann", "Bob"}


def test_the_unwary_do_not_know_that_they_are():
    scene = FightScene(RULES)

    def tags(who):
        return {piece.name for card in scene.view(unnoticed(), who).cards if card.name == "Bob" for piece in card.pieces}

    assert "unwary" not in tags("Bob")
    assert "unwary" in tags("Ann")
    assert "unwary" in tags(None)


def test_what_somebody_hidden_decides_is_not_in_the_victims_log():
    encounter = Encounter.begin(FightScene(RULES), ambushed(modifier=-4))
    encounter.advance(ScriptedFaces([(6, 6)]), first_option)  # Ann hides well
    encounter.advance(ScriptedFaces([(2,)]), first_option)  # Bob notices nothing
    encounter.advance(ScriptedFaces([(3,)]), first_option)  # Ann alone rolls initiative
    encounter.give("stay")
    decided = [line for line in encounter.log if isinstance(line.what, Decided)]
    assert [line.what.who for line in decided] == ["Ann"]
    assert all(line.hidden_from("Bob") and not line.hidden_from("Ann") and not line.hidden_from(None) for line in decided)
