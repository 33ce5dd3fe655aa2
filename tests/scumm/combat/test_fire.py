"""Shots, throws, bursts, spraying and suppression fire in a fight."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.scumm.combat.attack_setup import emergency_dice_for_all
from rulewright.systems.scumm.combat.attacks import Exposure, Mishap, mishap
from rulewright.systems.scumm.combat.fighters import CoverSpot, Surroundings, UnderWay, Zone
from rulewright.systems.scumm.combat.shots import Burst, burst_of, ranged_attack, spray_over
from rulewright.systems.scumm.combat.suppression import (
    dare_to_move,
    saturation_threshold,
    suppress,
    suppressed_width,
    suppression_ammo,
    try_suppression,
    under_fire,
)
from rulewright.systems.scumm.resolution.tests import Pool

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, someone, take_turn, told

SMG = "9mm smg"


def gunners(gun=SMG, *, at=(8.0, 0.0), attacker=None, target=None, others=(), **fields):
    """Ann, Pistols 3, ten metres at short range from Bob, Defense 1."""
    ann = someone("Ann", guns=(gun,), pistols=3, **(attacker or {}))
    return fight_of(ann, someone("Bob", at, **(target or {})), *others, **fields)


def ammo(fight, name="Ann"):
    return fight.fighter(name).ammo[-1]


# --- plain shots (lines 444-450) ----------------------------------------------------------------------------------------------


def test_a_shot_uses_a_round_and_wounds():
    played = act(gunners(), "Ann", "shoot:Bob", faces=[(5, 2, 2), (4,), AWAKE])
    assert (ammo(played.outcome), played.outcome.fighter("Bob").body.flesh) == (29, 1)


def test_running_makes_shooting_hard_and_being_hit_too():  # lines 387-396
    fight = gunners(attacker={"state": {"mode": "running"}}, target={"state": {"mode": "running"}})
    assert pools(act(fight, "Ann", "shoot:Bob", faces=[(2, 2, 2), (4,)])) == [("Ann", 3, -2), ("Bob", 1, 2)]


def test_the_light_of_the_place_counts():
    fight = gunners(ground=Surroundings(light="completely dark"))
    assert pools(act(fight, "Ann", "shoot:Bob", faces=[(2, 2, 2), (4,)]))[0] == ("Ann", 3, -4)


def test_a_shot_beyond_extreme_range_is_not_offered():  # ruling "beyond-extreme-range"
    far = gunners(at=(100.0, 0.0))
    assert "shoot:Bob" not in keys(far, "Ann")
    assert "shoot:Bob" in keys(far, "Ann", by(beyond_extreme_range="minus four"))


def test_an_unwary_target_does_not_roll_and_is_wary_afterwards():  # line 448
    fight = gunners(target={"state": {"unwary": True, "cover": "heavy cover"}})
    played = act(fight, "Ann", "shoot:Bob", faces=[(3, 2, 2)])  # 3 against 1 + 2: a tie
    assert len(played.rolls) == 1
    assert not played.outcome.fighter("Bob").unwary
    assert played.outcome.fighter("Bob").body.flesh == 0


def test_with_random_hit_locations_a_hit_lands_somewhere():  # lines 523-533
    rules = by(random_hit_locations=True)
    played = act(gunners(), "Ann", "shoot:Bob", faces=[(5, 2, 2), (4,), (2, 3), AWAKE], rules=rules)
    assert played.outcome.fighter("Bob").body.limb("left arm").flesh == 1
    aimed = act(gunners(), "Ann", "shoot how:Bob", "right leg", faces=[(5,), (4,), AWAKE], rules=rules)
    assert aimed.outcome.fighter("Bob").body.limb("right leg").flesh == 1


# --- fumbles (line 450) -------------------------------------------------------------------------------------------------------


def test_fumbles_in_numbers():
    assert mishap(True, False) == Mishap(True, 0)
    assert mishap(False, True) == Mishap(False, -3)


def test_a_fumbled_shot_jams_the_weapon_until_an_action_clears_it():
    fight = act(gunners(), "Ann", "shoot:Bob", faces=[(1, 1, 1), (3,)]).outcome
    assert fight.fighter("Ann").jammed[-1]
    assert "shoot:Bob" not in keys(fight, "Ann")
    assert "clear" not in keys(fight, "Ann", turn=UnderWay("Ann", 0))  # a standard action, not a free one
    cleared = act(fight, "Ann", "clear")
    assert not cleared.outcome.fighter("Ann").jammed[-1]
    assert cleared.outcome.turn is None
    with pytest.raises(UserError, match="jammed"):
        script(ranged_attack(RULES, fight, "Ann", "Bob", 1), [])


def test_a_fumbled_defense_costs_three_on_the_next_initiative_only():
    from ..fights import roll_initiative

    fight = act(gunners(), "Ann", "shoot:Bob", faces=[(2, 1, 1), (1,), AWAKE]).outcome
    assert fight.fighter("Bob").initiative_modifier == -3
    after = roll_initiative(fight, (4,), (5,))
    assert after.fighter("Bob").initiative == 5 - 3 - 1  # and the Flesh wound
    assert after.fighter("Bob").initiative_modifier == 0


def test_a_thrown_knife_is_gone_and_cannot_jam():  # line 617
    ann = someone("Ann", melee=("knife",), throw=1, body=1)
    fight = fight_of(ann, someone("Bob", (2, 0)))
    played = act(fight, "Ann", "throw:Bob", faces=[(1,), (3,)])
    after = played.outcome.fighter("Ann")
    assert (after.weapon.name, after.gone, any(after.jammed)) == ("fists", ("", "away"), False)
    assert pools(played)[0] == ("Ann", 1, 1)  # point blank


# --- aiming (lines 452-456) ---------------------------------------------------------------------------------------------------


def test_every_round_spent_aiming_adds_a_die():
    fight = gunners()
    for rounds in (1, 2, 3):
        fight = act(fight, "Ann", "aim:Bob").outcome
        assert fight.fighter("Ann").aim == rounds
    assert "aim:Bob" not in keys(fight, "Ann")
    played = act(fight, "Ann", "shoot:Bob", faces=[(2,) * 6, (3,)])
    assert pools(played)[0] == ("Ann", 6, 0)
    assert played.outcome.fighter("Ann").aim == 0


def test_aiming_takes_the_whole_round():
    played = act(gunners(), "Ann", "aim:Bob", turn=UnderWay("Ann", 2))
    assert played.outcome.turn is None
    assert "aim:Bob" not in keys(gunners(), "Ann", turn=UnderWay("Ann", 1, steady=False))


def test_nobody_aims_who_moved():
    fight = gunners(queue=(("Ann",),))
    with pytest.raises(UserError, match="aim:Bob"):
        take_turn(fight, "walk to Bob", "aim:Bob")
    assert take_turn(fight, "stay", "aim:Bob").outcome.fighter("Ann").aim == 1


@pytest.mark.parametrize("choices", [("walk to Bob", "pass"), ("stay", "drop", "pass"), ("stay", "draw:fists", "pass")])
def test_aim_is_lost_by_moving_lying_down_or_putting_the_gun_away(choices):
    fight = gunners(attacker={"state": {"aim": 2, "aim_at": "Bob"}}, queue=(("Ann",),))
    first = take_turn(fight, *choices[:-1] if len(choices) == 3 else choices).outcome
    assert first.fighter("Ann").aim == 0


def test_aiming_at_another_begins_anew():
    fight = gunners(attacker={"state": {"aim": 2, "aim_at": "Bob"}}, others=(someone("Cyd", (8, 5)),))
    assert act(fight, "Ann", "aim:Cyd").outcome.fighter("Ann").aim == 1


def test_a_thrown_knife_can_be_aimed_too():
    fight = fight_of(someone("Ann", melee=("knife",), throw=1, body=2), someone("Bob", (3, 0)))
    aimed = act(fight, "Ann", "aim:Bob").outcome
    assert pools(act(aimed, "Ann", "throw:Bob", faces=[(2, 2), (6,)]))[0][1] == 2


def test_parts_of_the_body_can_be_aimed_at_but_not_with_a_burst():
    with pytest.raises(UserError, match="burst"):
        script(ranged_attack(RULES, gunners(), "Ann", "Bob", 1, location="head", burst=1), [])
    played = act(gunners(attacker={"state": {"aim": 1, "aim_at": "Bob"}}), "Ann", "shoot how:Bob", "head", faces=[(5,), (4,), AWAKE])
    assert played.outcome.fighter("Bob").body.deep == 1  # 3 points against thresholds 2, 3 and 5


def test_vital_spots_are_offered_for_three_dice():  # lines 456, 521
    fight = gunners(attacker={"state": {"aim": 1, "aim_at": "Bob"}})
    played = act(fight, "Ann", "shoot how:Bob", "vitals", faces=[(6,), (5,), AWAKE])
    bob = played.outcome.fighter("Bob").body
    assert (bob.deep, bob.flesh) == (1, 0)  # 3 damage reaches half of 5, rounded up
    assert "Ann attacks Bob (a vital spot) with the 9mm smg: hits by 1" in told(played)


def test_ways_without_a_die_are_unskilled_or_not_offered():  # ruling "no-dice-left"
    fight = gunners("9mm pistol")
    assert pools(act(fight, "Ann", "shoot how:Bob", "head", faces=[(2, 5), (4,)]))[0][1] == 0
    with pytest.raises(UserError, match="head"):
        act(fight, "Ann", "shoot how:Bob", "head", rules=by(no_dice_left="impossible"))


# --- bursts (lines 458-460) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [1, 2])
def test_a_burst_gives_up_dice_for_margin_and_ammunition(dice):
    assert burst_of(dice) == Burst(-dice, dice, 5 * dice)
    played = act(gunners(), "Ann", "shoot how:Bob", f"burst {dice}", faces=[(5,) * (3 - dice), (4,), AWAKE])
    assert ammo(played.outcome) == 30 - 5 * dice
    body = played.outcome.fighter("Bob").body
    assert (body.flesh, body.deep) == (0, 1)  # 3 x (1 + dice): 6 or 9 points


def test_a_burst_that_misses_gains_nothing_but_costs_its_ammunition():
    fight = act(gunners(), "Ann", "shoot how:Bob", "burst 2", faces=[(4,), (4,)]).outcome
    assert (ammo(fight), fight.fighter("Bob").body.flesh) == (20, 0)


@pytest.mark.parametrize("dice", [0, 3, -1])
def test_a_burst_gives_up_one_die_or_two(dice):
    with pytest.raises(UserError):
        burst_of(dice)


def test_a_burst_needs_the_weapon_the_ammunition_and_a_die_left():
    def ways(fight, rules=RULES):
        from rulewright.systems.scumm.fight.actions.attacks import ways_options

        ann = fight.fighter("Ann")
        return {option.key for option in ways_options(rules, ann.profile, "shoot", 1, ann.ammo[1], ann.aim)} & {"burst 1", "burst 2"}

    assert ways(gunners()) == {"burst 1", "burst 2"}
    assert ways(gunners("9mm pistol")) == set()
    assert ways(gunners().change("Ann", ammo=(0, 9))) == {"burst 1"}
    assert ways(gunners().change("Ann", ammo=(0, 4))) == set()
    two = gunners().put(replace(gunners().fighter("Ann"), profile=replace(gunners().fighter("Ann").profile, pistols=2)))
    assert ways(two) == {"burst 1"}  # ruling "burst-keeps-a-die"
    assert ways(two, by(burst_keeps_a_die=False)) == {"burst 1", "burst 2"}
    assert ways(two, by(burst_keeps_a_die=False, no_dice_left="impossible")) == {"burst 1"}


# --- spraying (lines 462-464) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("positions", "targets"),
    [
        (((0, 0),), 1),
        (((0, 0), (1, 0)), 2),
        (((0, 0), (2, 0)), 3),
        (((0, 0), (1, 0), (2, 0)), 3),
        (((0, 0), (1, 0), (1, 1)), 3),
        (((0, 0), (3, 0)), 4),
    ],
)
def test_every_empty_metre_counts_as_a_target(positions, targets):
    found = spray_over(positions)
    assert (found.targets, found.possible, found.ammo) == (targets, targets <= 3, 10)


def crowd(*places, **attacker):
    ann = someone("Ann", guns=(SMG,), pistols=3, **attacker)
    return fight_of(ann, *[someone(name, place, side="them") for name, place in zip("BCDE", places, strict=False)])


def test_a_spray_attacks_each_in_the_line_once_for_ten_rounds():
    fight = crowd((8, 0), (8, 1), (8, 2))
    assert {key for key in keys(fight, "Ann") if key.startswith("spray")} == {"spray:B, C", "spray:C, D", "spray:B, C, D"}
    played = act(fight, "Ann", "spray:B, C, D", faces=[(3, 2, 2), (5,)] * 3)
    assert ammo(played.outcome) == 20
    assert [name for name, _, _ in pools(played)] == ["Ann", "B", "Ann", "C", "Ann", "D"]


def test_three_targets_need_not_stand_in_a_straight_line():
    assert "spray:B, C, D" in keys(crowd((8, 0), (8, 1), (9, 1)), "Ann")


@pytest.mark.parametrize("turn", [(1, 0), (0, 1), (-1, 0), (0, -1)])
@pytest.mark.parametrize(("second", "possible"), [((0.2, 1), True), ((0, 1), True), ((-0.2, 1), False)])
def test_a_spray_goes_over_a_quarter_of_the_circle(turn, second, possible):
    """Line 464, and the ruling on its arc: 90 degrees as the shooter sees them, whichever way she looks and wherever she stands."""

    def place(x, y):
        return (20 + x * turn[0] - y * turn[1], 7 + x * turn[1] + y * turn[0])

    fight = crowd(place(1, 0), place(*second), at=(20.0, 7.0))
    assert any(key.startswith("spray:") for key in keys(fight, "Ann")) is possible


def test_people_between_the_targets_are_hit_as_well():
    fight = crowd((8, 0), (8, 2))
    fight = replace(fight, fighters=(*fight.fighters, someone("Friend", (8, 1), side="Ann")))
    played = act(fight, "Ann", "spray:B, Friend, C", faces=[(3, 2, 2), (5,)] * 3)
    assert "Friend" in {name for name, _, _ in pools(played)}


@pytest.mark.parametrize("changes", [{"ammo": (0, 9)}, {"jammed": (False, True)}, {"in_hand": 0}])
def test_a_spray_needs_the_weapon_and_ten_rounds(changes):
    fight = crowd((8, 0), (8, 1)).change("Ann", **changes)
    assert not [key for key in keys(fight, "Ann") if key.startswith("spray")]


def test_a_pistol_does_not_spray():
    fight = fight_of(someone("Ann", guns=("9mm pistol",), pistols=3), someone("B", (8, 0)), someone("C", (8, 1)))
    assert not [key for key in keys(fight, "Ann") if key.startswith("spray")]


def test_nobody_is_attacked_twice_in_a_round_by_a_weapon_that_sprays():
    fight = crowd((8, 0), (8, 1))
    sprayed = act(fight, "Ann", "spray:B, C", faces=[(3, 2, 2), (5,)] * 2, turn=UnderWay("Ann", 2)).outcome
    assert not {"shoot:B", "shoot:C", "spray:B, C"} & keys(sprayed, "Ann")
    shot = act(fight, "Ann", "shoot:B", faces=[(3, 2, 2), (5,)], turn=UnderWay("Ann", 2)).outcome
    assert "shoot:B" in keys(shot, "Ann")  # shooting twice is allowed, line 354
    assert "spray:B, C" not in keys(shot, "Ann")


def test_targets_on_both_sides_are_in_no_firing_arc():
    fight = crowd((0, 1), (0, -1))
    assert not [key for key in keys(fight, "Ann") if key.startswith("spray")]
    assert "spray:B, C" in keys(fight, "Ann", by(spray_arc=180))  # ruling "spray-arc"


def test_a_jam_ends_the_spray():
    played = act(crowd((8, 0), (8, 1)), "Ann", "spray:B, C", faces=[(1, 1, 1), (5,)])
    assert len(played.rolls) == 2
    assert ammo(played.outcome) == 20


# --- suppression fire (lines 466-474) -----------------------------------------------------------------------------------------


def test_the_saturation_threshold_is_two_more_and_half_when_widened():
    assert saturation_threshold(5).value == 7
    assert saturation_threshold(5, widened=True).value == 4
    assert saturation_threshold(4, widened=True).value == 3
    assert (suppression_ammo(), suppression_ammo(True), suppressed_width(), suppressed_width(True)) == (15, 30, 5, 10)


@given(total=st.integers(0, 15))
def test_widening_halves_rounded_up(total):
    full, half = saturation_threshold(total).value, saturation_threshold(total, True).value
    assert 2 * half - full in (0, 1)


def test_who_does_not_beat_the_threshold_takes_the_margin_times_the_damage():
    hit = script(under_fire(RULES, Pool(1), 5, 3, gunners().fighter("Bob").body), [(4,), AWAKE]).outcome
    assert hit.hit
    assert hit.victim.flesh == 1  # 3 points
    assert not script(under_fire(RULES, Pool(1), 5, 3, gunners().fighter("Bob").body), [(5,)]).outcome.hit


def test_a_tie_in_suppression_fire_may_hit_by_one():  # ruling "suppression-tie-hits"
    hit = script(under_fire(by(suppression_tie_hits=True), Pool(1), 5, 3, gunners().fighter("Bob").body), [(5,), AWAKE]).outcome
    assert hit.victim.flesh == 1


def test_the_whole_rule_in_numbers():
    played = script(try_suppression(RULES, skill=2, alertness=1, damage=3, metres=10), [(4, 2), (5,), AWAKE])
    assert pools(played)[0] == ("attacker", 2, 0)  # Alertness 1, medium range
    assert played.outcome.outcome == "flesh wound"  # Threshold 6 against 5
    for wrong in ({"ammo": 14}, {"ammo": 29, "widened": True}, {"metres": 13.0}):
        with pytest.raises(UserError):
            script(try_suppression(RULES, **wrong), [(4, 2), (5,)])


def test_the_exposed_are_hit_at_once_and_those_in_cover_are_pinned():  # ruling "suppression-exposed"
    others = (someone("Cyd", (8, 2), side="Bob", state={"cover": "light cover"}), someone("Dee", (8, 9), side="Bob"))
    fight = gunners(others=others)
    played = act(fight, "Ann", "suppress:Bob", faces=[(4, 2, 2), (5,), AWAKE])
    after = played.outcome
    assert (ammo(after), after.zones) == (15, (Zone("Ann", 8, 0, 5, 6, 3),))
    assert (after.fighter("Bob").body.flesh, after.fighter("Cyd").pinned, after.fighter("Dee").pinned) == (1, True, False)
    spared = act(fight, "Ann", "suppress:Bob", faces=[(4, 2, 2)], rules=by(suppression_exposed="spared"))
    assert spared.outcome.fighter("Bob").body.flesh == 0


def test_widened_it_covers_ten_metres_for_thirty_rounds():
    fight = gunners(others=(someone("Dee", (8, 4.5), side="Bob", state={"cover": "heavy cover"}),))
    assert not act(fight, "Ann", "suppress:Bob", faces=[(4, 2, 2), (6,)]).outcome.fighter("Dee").pinned
    wide = act(fight, "Ann", "suppress wide:Bob", faces=[(4, 2, 2), (6,)]).outcome
    assert wide.fighter("Dee").pinned
    assert (ammo(wide), wide.zones[0].threshold, wide.zones[0].width) == (0, 3, 10)


def test_suppression_fire_reaches_to_medium_range_and_needs_its_ammunition():
    assert "suppress:Bob" in keys(gunners(at=(20.0, 0.0)), "Ann")
    assert "suppress:Bob" not in keys(gunners(at=(20.5, 0.0)), "Ann")
    assert not {"suppress:Bob", "suppress wide:Bob"} & keys(gunners().change("Ann", ammo=(0, 14)), "Ann")
    assert "suppress wide:Bob" not in keys(gunners().change("Ann", ammo=(0, 29)), "Ann")
    assert not {"suppress:Bob"} & keys(gunners("9mm pistol"), "Ann")
    with pytest.raises(UserError, match="medium range"):
        script(suppress(RULES, gunners(), "Ann", (30.0, 0.0), weapon_index=1), [])
    away = gunners(attacker={"at": (15.0, 15.0)})  # 14 metres from there, which is medium range
    assert script(suppress(RULES, away, "Ann", (25.0, 25.0), weapon_index=1), [(4, 2, 2)]).outcome.zones[0].x == 25.0


def test_a_fumble_jams_and_the_lead_is_in_the_air_all_the_same():
    after = act(gunners(), "Ann", "suppress:Bob", faces=[(1, 1, 1), (6,)]).outcome
    assert after.fighter("Ann").jammed[-1]
    assert after.zones[0].threshold == 3


def test_who_enters_the_zone_must_beat_the_threshold():  # line 468
    fight = gunners(at=(20.0, 0.0), zones=(Zone("Ann", 15, 0, 5, 6, 3),), queue=(("Bob",),), target={"athletics": 2})
    played = take_turn(fight, "run to Ann", "pass", faces=[(3,), AWAKE])
    assert pools(played)[0] == ("Bob", 1, 2)  # running helps
    assert played.outcome.fighter("Bob").body.flesh == 1
    away = take_turn(fight, "run away", "pass")
    assert not away.rolls


def test_who_was_shot_at_in_the_zone_is_not_shot_at_again_for_leaving():
    fight = gunners(zones=(Zone("Ann", 8, 0, 5, 6, 3),), queue=(("Bob",),))
    assert not take_turn(fight, "walk away", "pass").rolls


def test_the_pinned_need_spirit_to_move_and_then_brave_the_fire():  # line 470
    pinned = {"spirit": 1, "state": {"pinned": True, "cover": "light cover"}}
    fight = gunners(zones=(Zone("Ann", 8, 0, 5, 6, 3),), queue=(("Bob",),), target=pinned)
    stuck = take_turn(fight, "walk away", "pass", faces=[(2, 2)])
    assert (stuck.outcome.fighter("Bob").x, stuck.outcome.fighter("Bob").cover) == (8, "light cover")
    assert "Bob does not dare to move under fire" in told(stuck)
    dared = take_turn(fight, "walk away", "pass", faces=[(3, 2), (6,)])
    assert dared.outcome.fighter("Bob").x > 8
    assert "Bob dares to move under fire" in told(dared)
    assert [rolled.roll.what for rolled in dared.rolls] == ["moving under suppression fire", "defense against suppression fire"]


def test_the_spirit_test_is_against_four():
    assert script(dare_to_move(RULES, 0), [(4, 1)]).outcome.verdict == "draw"
    assert exact(sub(dare_to_move, RULES, 0)).map(lambda test: test.margin >= 0)[True].limit_denominator() == 1 - (3 / 6) ** 2


def test_the_fire_is_over_with_the_round():
    from ..fights import roll_initiative

    fight = gunners(zones=(Zone("Ann", 8, 0, 5, 6, 3),)).change("Bob", pinned=True)
    after = roll_initiative(fight, (4,), (3,))
    assert (after.zones, after.fighter("Bob").pinned) == ((), False)


def test_several_opponents_do_not_matter_in_suppression_fire():
    assert Exposure(foe=0) != Exposure()
    fight = gunners(target={"state": {"attacked_by": ("Cyd", "Dee")}})
    assert pools(act(fight, "Ann", "suppress:Bob", faces=[(4, 2, 2), (6,)], rules=by(first_opponent_counts="yes")))[1] == ("Bob", 1, 0)


# --- Emergency Dice (lines 282-284) -------------------------------------------------------------------------------------------


def test_emergency_dice_go_into_attack_and_defense_and_are_used_up():
    fight = gunners(attacker={"dice": 3}, target={"dice": 1})
    played = act(fight, "Ann", "shoot:Bob", 2, 1, faces=[(2, 2, 2, 3, 2), (3, 6)])
    assert pools(played) == [("Ann", 5, 0), ("Bob", 2, 0)]
    assert [fighter.body.emergency_dice for fighter in played.outcome.fighters] == [1, 0]


def test_five_at_the_most_go_into_one_roll():
    with pytest.raises(UserError, match="from 0 to 5"):
        act(gunners(attacker={"dice": 8}), "Ann", "shoot:Bob", 6)


def test_who_is_unwary_spends_nothing_on_the_defense():
    fight = gunners(target={"dice": 3, "state": {"unwary": True}})
    assert act(fight, "Ann", "shoot:Bob", 0, faces=[(1, 1, 2), AWAKE]).outcome.fighter("Bob").body.emergency_dice == 3


def test_a_campaign_without_emergency_dice_on_unskilled_tests_does_not_ask():  # ruling "unskilled-emergency-dice"
    fight = fight_of(someone("Ann", guns=(SMG,), dice=2), someone("Bob", (8, 0)))
    assert act(fight, "Ann", "shoot:Bob", 1, faces=[(2, 3, 4), (5,)]).outcome.fighter("Ann").body.emergency_dice == 1
    assert act(fight, "Ann", "shoot:Bob", faces=[(2, 3), (5,)], rules=by(unskilled_emergency_dice="none"))


def test_a_player_may_cheat_death_in_a_fight():  # line 284
    fight = gunners(target={"dice": 6, "player": True})
    saved = act(fight, "Ann", "shoot:Bob", 0, "yes", faces=[(6, 6, 2), (1,)])  # 18 points
    assert saved.outcome.fighter("Bob").body == replace(fight.fighter("Bob").body, emergency_dice=1)
    dead = act(fight, "Ann", "shoot:Bob", 0, "no", faces=[(6, 6, 2), (1,)])
    assert dead.outcome.fighter("Bob").body.dead
    spent = act(fight, "Ann", "shoot:Bob", 2, faces=[(6, 6, 2), (1, 1, 1)])  # four are left: too few
    assert spent.outcome.fighter("Bob").body.dead


def test_a_fumble_under_suppression_fire_costs_the_next_initiative_too():  # line 450
    fight = gunners(at=(20.0, 0.0), zones=(Zone("Ann", 15, 0, 5, 2, 3),), queue=(("Bob",),), target={"athletics": 2})
    after = take_turn(fight, "run to Ann", "pass", faces=[(1,)])
    assert after.outcome.fighter("Bob").initiative_modifier == -3
    assert after.outcome.fighter("Bob").body.flesh == 0  # 1 and 2 for running: 3 against 2
    assert "Bob fumbles the defense: -3 on the next initiative" in told(after)
    assert take_turn(fight, "run to Ann", "pass", faces=[(2,)]).outcome.fighter("Bob").initiative_modifier == 0


def test_suppression_fire_says_where_its_numbers_come_from():
    played = act(gunners(), "Ann", "suppress wide:Bob", faces=[(4, 2, 2), (2,), AWAKE])
    laid, caught = played.events[0], next(event for event in played.events if "caught" in event.headline())
    assert [(r.label, r.value, r.op) for r in laid.reasons()[0].terms] == [
        ("attack", 4, "+"),
        ("suppression", 2, "+"),
        ("spread over twice the width", 2, "÷"),
        ("to whole numbers", 1, "rounded up"),
    ]
    assert [(r.label, r.value) for r in caught.reasons()] == [("defense", 2), ("Saturation Threshold", 3), ("damage", 3)]
    assert [(t.label, t.value) for t in caught.reasons()[2].terms] == [("Damage Multiplier", 3), ("Margin of Failure", 1)]


def test_any_cover_within_medium_range_can_be_put_under_fire():  # line 468: the attacker chooses the area
    covers = (CoverSpot("wall", 15, 0), CoverSpot("tree", 20.5, 0))
    fight = gunners(ground=Surroundings(covers=covers))
    assert {"suppress:wall", "suppress wide:wall"} <= keys(fight, "Ann")
    assert not {"suppress:tree"} & keys(fight, "Ann")
    assert not {"suppress:wall"} & keys(gunners("9mm pistol", ground=Surroundings(covers=covers)), "Ann")
    after = act(fight, "Ann", "suppress:wall", faces=[(4, 2, 2)]).outcome
    assert after.zones == (Zone("Ann", 15, 0, 5, 5, 3),)  # medium range


@pytest.mark.parametrize(("setting", "asked"), [("none", ["Ann"]), (None, ["Ann", "B"])])
def test_all_who_have_emergency_dice_are_asked_before_a_roll_together_and_the_unskilled_only_where_they_may(setting, asked):
    rules = RULES if setting is None else by(unskilled_emergency_dice=setting)
    fight = crowd((8, 0), (9, 0))
    for name, dice in (("Ann", 3), ("B", 2), ("C", 0)):
        fight = fight.change(name, body=replace(fight.fighter(name).body, emergency_dice=dice))
    played = script(emergency_dice_for_all(rules, fight, {"Ann": 1, "B": 0, "C": 2}, "the initiative"), [], [1] * len(asked))
    after, spent = played.outcome
    assert spent == dict.fromkeys(asked, 1)
    assert [after.fighter(name).body.emergency_dice for name in ("Ann", "B", "C")] == [2, 2 - asked.count("B"), 0]
    assert script(emergency_dice_for_all(rules, fight, {"C": 2}, "the initiative")).outcome == (fight, {})


def test_who_stands_at_the_edge_of_the_zone_is_in_it_and_leaving_it_is_no_entering():
    fight = gunners(at=(10.5, 0.0), zones=(Zone("Ann", 8, 0, 5, 6, 3),), queue=(("Bob",),))
    assert not take_turn(fight, "walk to Ann", "pass").rolls
    fight = gunners(at=(10.6, 0.0), zones=(Zone("Ann", 8, 0, 5, 6, 3),), queue=(("Bob",),), target={"athletics": 2})
    assert take_turn(fight, "walk to Ann", "pass", faces=[(6,)]).rolls


@pytest.mark.parametrize(("beside", "caught"), [(0.5, True), (0.6, False)])
def test_half_a_metre_beside_the_line_is_between_the_targets(beside, caught):
    fight = crowd((8, 0), (8, 1.6))
    fight = replace(fight, fighters=(*fight.fighters, someone("Friend", (8 + beside, 0.8), side="Ann")))
    assert ("spray:B, Friend, C" in keys(fight, "Ann")) is caught
