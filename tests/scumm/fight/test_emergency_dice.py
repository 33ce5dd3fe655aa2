"""Emergency Dice go into any roll of a fight, before it is made (book lines 280-282)."""

from msgspec.structs import replace

from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.scumm.combat.fighters import Ready, Surroundings
from rulewright.systems.scumm.fight.ambushes import spring_ambush
from rulewright.systems.scumm.fight.turns import begin_round
from rulewright.systems.scumm.harm.body import AVERAGE
from rulewright.systems.scumm.harm.damage import Hit, knockout, take_hit

from ..fights import RULES, act, by, fight_of, someone, take_turn, told


def _left(fight, name):
    return fight.fighter(name).body.emergency_dice


def test_they_go_into_initiative_and_nobody_knows_of_the_others():
    fight = fight_of(someone("Ann", dice=3), someone("Bob"), someone("Cal", dice=1))
    played = script(begin_round(RULES, fight), [(1, 6, 6), (4,), (2, 3)], (2, 1))
    assert [fighter.initiative for fighter in played.outcome.fighters] == [7, 4, 3]
    assert (_left(played.outcome, "Ann"), _left(played.outcome, "Cal")) == (1, 0)
    assert "Ann spends 2 Emergency Dice on initiative" in told(played)


def test_who_waits_or_has_none_is_not_asked_for_initiative():
    waiting = someone("Ann", dice=3, state={"ready": Ready()})
    played = script(begin_round(RULES, fight_of(waiting, someone("Bob"))), [(4,)], ("hold",))
    assert _left(played.outcome, "Ann") == 3


def test_a_dull_mind_is_not_asked_where_they_do_not_help_the_unskilled():
    fight = fight_of(someone("Ann", intelligence=-1, dice=2), someone("Bob"))
    rules = by(unskilled_emergency_dice="none")
    assert _left(script(begin_round(rules, fight), [(3, 4), (4,)]).outcome, "Ann") == 2
    joined = script(begin_round(RULES, fight), [(3, 4, 6), (4,)], (1,)).outcome
    assert joined.fighter("Ann").initiative == 6


def test_they_keep_a_wounded_character_awake():
    hurt = replace(AVERAGE, flesh=3, emergency_dice=2)
    kept = script(knockout(RULES, hurt), [(1, 2, 5, 3)], (2,)).outcome
    assert kept.awake
    assert kept.emergency_dice == 0
    out = script(knockout(RULES, hurt), [(1, 2), (1, 1, 1)], (0,)).outcome
    assert out.unconscious == 3
    assert out.emergency_dice == 2


def test_they_are_asked_for_when_a_shot_wounds():
    fight = fight_of(someone("Ann", guns=("9mm pistol",), pistols=2), someone("Bob", (5, 0), dice=1))
    played = act(fight, "Ann", "shoot:Bob", 0, 1, faces=[(6, 2), (5,), (1, 1, 4)])
    bob = played.outcome.fighter("Bob").body
    assert (bob.flesh, bob.awake, bob.emergency_dice) == (1, True, 0)


def test_they_help_to_resist_maneuvers():
    ann, bob = someone("Ann", brawl=2), someone("Bob", (1, 0), dice=3)
    fight = fight_of(ann, bob)
    played = act(fight, "Ann", "hit:Bob", "defense", 0, "trip", 2, "body", faces=[(5, 2), (3,), (1, 2, 4, 5)])
    assert played.outcome.fighter("Bob").mode == "normal"
    assert _left(played.outcome, "Bob") == 1
    shoved = act(fight, "Ann", "hit:Bob", "defense", 0, "shove", 1, "alertness", faces=[(5, 2), (3,), (1, 2, 5)])
    assert shoved.outcome.fighter("Bob").x == 1
    assert _left(shoved.outcome, "Bob") == 2


def test_they_help_to_keep_the_weapon():
    armed = fight_of(someone("Ann", brawl=2), someone("Bob", (1, 0), dice=1, guns=("9mm pistol",)))
    played = act(armed, "Ann", "hit:Bob", "defense", 0, "disarm", 1, faces=[(5, 2), (3,), (1, 2, 5)])
    assert played.outcome.fighter("Bob").in_hand == 1
    assert _left(played.outcome, "Bob") == 0


def test_they_help_the_pinned_to_dare():
    bob = someone("Bob", (5, 0), dice=2, state={"pinned": True, "cover": "heavy cover"})
    fight = fight_of(bob, someone("Ann"), queue=(("Bob",),))
    played = take_turn(fight, "walk away", 2, "pass", faces=[(1, 2, 3, 4)])
    assert played.outcome.fighter("Bob").x != 5
    assert _left(played.outcome, "Bob") == 0


def test_those_who_lie_in_wait_may_spend_them_on_hiding_and_their_prey_is_not_asked():
    lurker = someone("Ann", stealth=1, dice=1, state={"hidden": True})
    fight = fight_of(lurker, someone("Bob", (8, 0), notice=1, dice=2), ground=Surroundings(ambush="Ann"), round=0, ambush_open=True)
    played = script(spring_ambush(RULES, fight), [(2, 5), (4,)], (1,))
    assert played.outcome.fighter("Bob").unwary
    assert _left(played.outcome, "Ann") == 0
    assert _left(played.outcome, "Bob") == 2


def test_odds_leave_the_dice_unspent():
    with_dice = exact(sub(take_hit, RULES, replace(AVERAGE, emergency_dice=2), Hit(4)))
    without = exact(sub(take_hit, RULES, AVERAGE, Hit(4)))
    assert with_dice.chance(lambda body: body.awake) == without.chance(lambda body: body.awake)
