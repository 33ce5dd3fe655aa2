"""Blows in a fight: how they are met, Free Strikes, and the four maneuvers."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.scumm.combat.attack_calculator import try_blow
from rulewright.systems.scumm.combat.attacks import Attacked, Circumstances, Exposure
from rulewright.systems.scumm.combat.close_combat import (
    Resister,
    close_attack,
    dragging_rate,
    free_strike_for,
    grapple_turn,
    keeps_footing,
    keeps_weapon,
    maneuvers,
    may_strike_freely,
    shoved_metres,
    wrestle,
)
from rulewright.systems.scumm.combat.fighters import UnderWay, Zone
from rulewright.systems.scumm.resolution.tests import Pool

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, someone, take_turn, told


def boxers(*, attacker=None, target=None, **fields):
    """Ann, Brawl 2, strikes at Bob, Defense 1, a metre away."""
    ann = someone("Ann", **{"brawl": 2, **(attacker or {})})
    bob = someone("Bob", (1, 0), **(target or {}))
    return fight_of(ann, bob, **fields)


# --- the blow (book, lines 418-426) -------------------------------------------------------------------------------------------


def test_brawl_and_body_against_defense():
    played = act(boxers(attacker={"body": 2}), "Ann", "hit:Bob", "defense", "damage", faces=[(3, 2), (4,), AWAKE])
    assert pools(played)[:2] == [("Ann", 2, 2), ("Bob", 1, 0)]
    assert played.outcome.fighter("Bob").body.deep == 1  # by 1, with Unarmed Damage 3 + 2 + 1


def test_a_tie_misses():
    played = act(boxers(), "Ann", "hit:Bob", "defense", faces=[(3, 2), (3,)])
    assert played.outcome.fighter("Bob").body.flesh == 0
    assert any("a tie" in line for line in told(played))


def test_the_target_may_defend_parry_or_block():  # line 420
    armed = boxers(target={"melee": ("knife",), "brawl": 1})
    armed = armed.put(replace(armed.fighter("Bob"), profile=replace(armed.fighter("Bob").profile, melee=3)))
    assert pools(act(armed, "Ann", "hit:Bob", "parry", faces=[(2, 2), (6, 1, 1)]))[1] == ("Bob", 3, 0)
    assert pools(act(armed, "Ann", "hit:Bob", "block", faces=[(2, 2), (6,)]))[1] == ("Bob", 1, 0)
    assert pools(act(armed, "Ann", "hit:Bob", "defense", faces=[(2, 2), (6,)]))[1] == ("Bob", 1, 0)


def test_without_a_weapon_nobody_parries():
    with pytest.raises(UserError, match="parry"):
        act(boxers(), "Ann", "hit:Bob", "parry", faces=[(2, 2), (6,)])


def test_the_unwary_choose_nothing_and_are_struck_with_the_lower_skill():  # line 422
    played = act(boxers(attacker={"stealth": 1}, target={"state": {"unwary": True}}), "Ann", "hit:Bob", "damage", faces=[(3,), AWAKE])
    assert pools(played)[0] == ("Ann", 1, 0)
    assert not played.outcome.fighter("Bob").unwary


def test_prone_and_crawling_people_are_easy_to_hit_up_close():  # lines 391-392
    for mode, modifier in (("prone", -3), ("crawling", -2), ("running", 0)):
        played = act(boxers(target={"state": {"mode": mode}}), "Ann", "hit:Bob", "defense", faces=[(2, 1), (5,)])
        assert pools(played)[1] == ("Bob", 1, modifier)


def test_every_further_opponent_of_the_round_costs_one():  # line 492
    fight = boxers()
    fight = act(fight, "Ann", "hit:Bob", "defense", faces=[(2, 2), (6,)]).outcome
    assert fight.fighter("Bob").attacked_by == ("Ann",)
    assert pools(act(fight, "Ann", "hit:Bob", "defense", faces=[(2, 2), (6,)]))[1] == ("Bob", 1, 0)  # the same opponent again
    joined = replace(fight, fighters=(*fight.fighters, someone("Cyd", (1, 1), side="Ann", brawl=1)))
    assert pools(act(joined, "Cyd", "hit:Bob", "defense", faces=[(2,), (6,)]))[1] == ("Bob", 1, -1)


def test_without_brawl_bare_hands_only_bruise():  # line 541
    fight = fight_of(someone("Ann", body=1), someone("Bob", (1, 0)))
    assert "hit:Bob" not in keys(fight, "Ann")
    played = act(fight, "Ann", "bruise:Bob", "defense", "damage", faces=[(4, 5), (2,)])
    assert (played.outcome.fighter("Bob").body.flesh, played.outcome.fighter("Bob").body.bruise_boxes) == (0, 2)


def test_a_gun_is_no_club():
    fight = fight_of(someone("Ann", guns=("9mm pistol",), brawl=1), someone("Bob", (1, 0)))
    strike = next(event.strike for event in act(fight, "Ann", "hit:Bob", "defense", faces=[(2,), (6,)]).events if hasattr(event, "strike"))
    assert strike.weapon == "fists"


def test_nobody_strikes_out_of_reach():
    fight = fight_of(someone("Ann", brawl=2), someone("Bob", (2.5, 0)))
    assert not {"hit:Bob", "bruise:Bob"} & keys(fight, "Ann")
    with pytest.raises(UserError, match="reach"):
        script(close_attack(RULES, fight, "Ann", "Bob", weapon=fight.fighter("Ann").weapon, bruise=False), [])


# --- fumbles (line 424) -------------------------------------------------------------------------------------------------------


def test_who_fumbles_is_open_to_the_other():
    assert free_strike_for(True, False) == "defender"
    assert free_strike_for(False, True) == "attacker"
    assert free_strike_for(True, True) == "nobody"


def test_an_attacker_who_fumbles_takes_a_free_strike():
    played = act(
        boxers(target={"brawl": 1}), "Ann", "hit:Bob", "defense", "strike", "defense", "damage", faces=[(1, 1), (3,), (5,), (4,), AWAKE]
    )
    assert played.outcome.fighter("Ann").body.flesh == 1
    assert played.outcome.fighter("Bob").free_strikes == 1


def test_a_defender_who_fumbles_takes_another_blow():
    played = act(boxers(), "Ann", "hit:Bob", "defense", "damage", "strike", "defense", faces=[(2, 2), (1,), AWAKE, (3, 3), (4,)])
    assert played.outcome.fighter("Ann").free_strikes == 1


def test_if_both_fumble_nothing_happens():
    played = act(boxers(), "Ann", "hit:Bob", "defense", faces=[(1, 1), (1,)])
    assert played.outcome.fighter("Ann").body == boxers().fighter("Ann").body
    assert played.outcome.fighter("Bob").free_strikes == 0


def test_if_both_fumble_nothing_happens_even_where_the_attack_has_the_higher_total():  # line 424
    strong = boxers(attacker={"brawl": 1, "body": 3})
    played = act(strong, "Ann", "hit:Bob", "defense", faces=[(1,), (1,)])
    assert played.outcome.fighter("Bob").body == strong.fighter("Bob").body
    assert "both fumble, no effect" in told(played)[-1]
    blow = script(try_blow(RULES, skill=1, body=3, damage=7, defense=1), [(1,), (1,)]).outcome
    assert blow == Attacked("miss", True, True)


def test_who_fumbles_alone_and_is_higher_all_the_same_hits():  # line 311: a fumble may still succeed
    played = act(boxers(attacker={"brawl": 1, "body": 3}), "Ann", "hit:Bob", "defense", "damage", faces=[(1,), (2,)])
    assert "hits by 2" in told(played)[0]


def test_special_circumstances_weigh_on_attack_and_defense():  # line 478
    fight = boxers(attacker={"brawl": 2, "state": {"special_attack": 2}}, target={"brawl": 1, "state": {"special_defense": -1}})
    assert pools(act(fight, "Ann", "hit:Bob", "defense", faces=[(2, 2), (5,)])) == [("Ann", 2, 2), ("Bob", 1, -1)]
    blow = script(
        try_blow(
            RULES, circumstances=Circumstances(special=-1, specialized=True), guard="parry", exposure=Exposure(specialized=True, special=2)
        ),
        [(4, 2), (3,)],
    )
    assert pools(blow) == [("attacker", 2, 0), ("someone", 1, 3)]


def test_a_free_strike_is_made_once_a_round():  # ruling "free-strikes-a-round"
    tired = boxers(target={"brawl": 1, "state": {"free_strikes": 1}})
    played = act(tired, "Ann", "hit:Bob", "defense", faces=[(1, 1), (3,)])
    assert len(played.rolls) == 2
    more = act(tired, "Ann", "hit:Bob", "defense", "strike", "defense", faces=[(1, 1), (3,), (2,), (4,)], rules=by(free_strikes_a_round=2))
    assert len(more.rolls) == 4
    none = act(boxers(), "Ann", "hit:Bob", "defense", faces=[(1, 1), (3,)], rules=by(free_strikes_a_round=0))
    assert len(none.rolls) == 2


def test_a_free_strike_does_not_count_as_another_opponent():  # ruling: no penalty for several opponents
    fight = boxers(attacker={"state": {"attacked_by": ("Cyd", "Dee")}}, target={"brawl": 1})
    for rules in (RULES, by(first_opponent_counts="yes")):
        played = act(fight, "Ann", "hit:Bob", "defense", "strike", "defense", faces=[(1, 1), (5,), (2,), (4,)], rules=rules)
        assert pools(played)[3] == ("Ann", 1, 0)
        assert played.outcome.fighter("Ann").attacked_by == ("Cyd", "Dee")


def test_a_free_strike_knows_no_penalty_for_extra_actions():
    fight = boxers(target={"brawl": 1})
    played = act(
        fight, "Ann", "hit:Bob", "defense", "strike", "defense", faces=[(1, 1), (3,), (2,), (4,)], turn=UnderWay("Ann", 1, extra=2)
    )
    assert (pools(played)[0][2], pools(played)[2][2]) == (-2, 0)


@pytest.mark.parametrize("why", [{"mode": "sprinting"}, {"grappling": "Cyd"}])
def test_who_sprints_or_wrestles_strikes_nobody_freely(why):
    fight = fight_of(
        someone("Ann", brawl=2),
        someone("Bob", (1, 0), brawl=1, state=why),
        someone("Cyd", (1, 1), state={"grappling": "Bob"} if "grappling" in why else {}),
    )
    guard = [] if "grappling" in why else ["defense"]
    faces = [(1, 1)] if "grappling" in why else [(1, 1), (3,)]
    assert act(fight, "Ann", "hit:Bob", *guard, faces=faces).outcome.fighter("Bob").free_strikes == 0


# --- grappling (lines 428-430) ------------------------------------------------------------------------------------------------


def wrestlers(**more):
    one = someone("Ann", brawl=2, body=1, athletics=1, state={"grappling": "Bob"})
    two = someone("Bob", (1, 0), brawl=1, body=0, state={"grappling": "Ann"})
    return fight_of(one, two, *more.pop("others", ()), **more)


def test_a_hit_with_bare_hands_may_begin_a_grapple():
    fight = act(boxers(), "Ann", "hit:Bob", "defense", "grapple", faces=[(5, 2), (4,)]).outcome
    assert (fight.fighter("Ann").grappling, fight.fighter("Bob").grappling) == ("Bob", "Ann")
    assert fight.fighter("Bob").body.flesh == 0


def test_a_grapple_needs_brawl():
    ann, bob = someone("Ann", melee=("knife",)), someone("Bob", (1, 0))
    assert "grapple" not in [option.key for option in maneuvers(ann, bob, ann.weapon, 5)]
    assert "grapple" in [option.key for option in maneuvers(ann, bob, ann.profile.weapons[0], 1)]


def test_on_a_grapplers_turn_both_test_brawl_and_nobody_moves():
    played = take_turn(wrestlers(queue=(("Ann",),)), "wound", faces=[(4, 3), (4,), AWAKE])
    assert pools(played)[:2] == [("Ann", 2, 1), ("Bob", 1, 0)]
    assert played.outcome.fighter("Bob").body.deep == 1  # by 1, with Unarmed Damage 5
    assert played.outcome.fighter("Ann").x == 0


def test_the_winner_may_be_the_other():
    fight = take_turn(wrestlers(queue=(("Ann",),)), "bruise", faces=[(2, 1), (6,)]).outcome  # 3 against 6
    assert fight.fighter("Ann").body.bruise_boxes == 2


def test_a_draw_is_the_resisting_grapplers_and_does_no_damage():  # line 330
    assert script(wrestle(RULES, Pool(1), Pool(1)), [(4,), (4,)]).outcome.verdict == "draw"
    played = take_turn(wrestlers(queue=(("Ann",),)), "release", faces=[(3, 2), (4,)])
    assert "Bob draws with Ann in the grapple" in told(played)
    assert played.outcome.fighter("Ann").grappling == ""
    with pytest.raises(UserError, match="wound"):
        take_turn(wrestlers(queue=(("Ann",),)), "wound", faces=[(3, 2), (4,)])


def test_the_winner_may_end_the_grapple_or_hold_on():
    assert take_turn(wrestlers(queue=(("Ann",),)), "release", faces=[(5, 1), (1,)]).outcome.fighter("Bob").grappling == ""
    assert take_turn(wrestlers(queue=(("Ann",),)), "hold", faces=[(5, 1), (1,)]).outcome.fighter("Bob").grappling == "Ann"


def test_the_loser_is_moved_up_to_the_winners_crawling_rate():  # ruling "grapple-moves-at"
    assert dragging_rate(RULES, 3, 2) == 3
    assert dragging_rate(by(grapple_moves_at="loser"), 3, 2) == 2
    fight = take_turn(wrestlers(queue=(("Ann",),)), "move", 3, faces=[(5, 1), (1,)]).outcome
    assert (fight.fighter("Ann").x, fight.fighter("Bob").x) == (-3, -2)
    with pytest.raises(UserError, match="from 0 to 3"):
        take_turn(wrestlers(queue=(("Ann",),)), "move", 4, faces=[(5, 1), (1,)])
    with pytest.raises(UserError, match="from 0 to 2"):
        take_turn(wrestlers(queue=(("Ann",),)), "move", 3, faces=[(5, 1), (1,)], rules=by(grapple_moves_at="loser"))


def test_dragging_somebody_into_suppression_fire_hurts_both():  # line 468
    zone = Zone("Cyd", -3, 0, 2, 5, 3)
    fight = wrestlers(queue=(("Ann",),), zones=(zone,))
    played = take_turn(fight, "move", 3, faces=[(5, 1), (1,), (5, 1), (5,)])
    assert [rolled.roll.what for rolled in played.rolls[2:]] == ["defense against suppression fire"] * 2


def test_a_specialist_in_grappling_has_one_more():
    fight = wrestlers(queue=(("Ann",),))
    ann = fight.fighter("Ann")
    fight = fight.put(replace(ann, profile=replace(ann.profile, specializations=(("brawl", ("grappling",)),))))
    assert pools(take_turn(fight, "hold", faces=[(5, 1), (1,)]))[0] == ("Ann", 2, 2)


def test_without_brawl_a_hold_only_bruises():
    fight = fight_of(someone("Ann", state={"grappling": "Bob"}), someone("Bob", (1, 0), state={"grappling": "Ann"}), queue=(("Ann",),))
    with pytest.raises(UserError, match="wound"):
        take_turn(fight, "wound", faces=[(6, 6), (2, 2)])


def test_who_is_knocked_out_holds_nobody():
    fight = take_turn(wrestlers(queue=(("Ann",),)), "wound", faces=[(5, 3), (1,)]).outcome  # 25 points
    assert fight.fighter("Bob").body.dead
    assert fight.fighter("Ann").grappling == ""


def test_grapplers_do_nothing_else():
    fight = wrestlers(queue=(("Bob",),), others=(someone("Cyd", (0, 1), side="Ann"),))
    played = take_turn(fight, "hold", faces=[(2,), (5, 1)])
    assert {rolled.roll.what for rolled in played.rolls} == {"grapple"}


def test_a_grapple_goes_on_after_a_fumbled_initiative():  # line 370: a long action may be continued
    fight = wrestlers(queue=(("Ann",),)).change("Ann", fumbled=True)
    assert len(take_turn(fight, "hold", faces=[(5, 1), (1,)]).rolls) == 2
    assert len(take_turn(fight, rules=by(fumbled_initiative="nothing")).rolls) == 0


def test_emergency_dice_help_in_a_grapple():
    fight = wrestlers(queue=(("Ann",),))
    fight = fight.harm("Ann", replace(fight.fighter("Ann").body, emergency_dice=2))
    played = take_turn(fight, 2, "hold", faces=[(1, 1, 5, 2), (1,)])
    assert played.outcome.fighter("Ann").body.emergency_dice == 0


# --- disarming (lines 432-434) ------------------------------------------------------------------------------------------------


def armed(**more):
    return boxers(target={"melee": ("knife",), **more})


def test_disarming_needs_a_margin_of_two():
    ann, bob = armed().fighters
    assert "disarm" not in [option.key for option in maneuvers(ann, bob, ann.weapon, 1)]
    assert "disarm" in [option.key for option in maneuvers(ann, bob, ann.weapon, 2)]
    with pytest.raises(UserError, match="at least 2"):
        script(keeps_weapon(RULES, 5, 1), [(3, 3)])


def test_there_must_be_something_to_take():
    ann, bob = boxers().fighters
    assert "disarm" not in [option.key for option in maneuvers(ann, bob, ann.weapon, 5)]


def test_alertness_against_the_attacks_total_keeps_the_weapon():
    played = act(armed(alertness=1), "Ann", "hit:Bob", "defense", "disarm", faces=[(5, 2), (3, 2), (5, 1)])  # 6 against 5
    assert played.outcome.fighter("Bob").weapon.name == "knife"
    assert pools(played)[2] == ("Bob", 2, 1)


def test_with_brawl_the_attacker_holds_the_weapon():
    fight = act(armed(), "Ann", "hit:Bob", "defense", "disarm", faces=[(5, 2), (3,), (4, 1)]).outcome
    ann, bob = fight.fighters
    assert (bob.weapon.name, bob.gone[1]) == ("fists", "away")
    assert (ann.weapon.name, ann.weapon.damage) == ("knife", 4)  # Ann's own Armed Damage 3 and the knife
    assert "pick up:knife" not in keys(fight, "Bob")


def test_a_weapon_taken_is_as_strong_and_flies_as_far_as_its_new_wielder():
    strong = boxers(attacker={"body": 2}, target={"melee": ("knife",), "body": -1})
    ann = act(strong, "Ann", "hit:Bob", "block", "disarm", faces=[(5, 2), (3, 2), (4, 1)]).outcome.fighter("Ann")
    assert ann.weapon.damage == 3 + 2 + 1
    assert ann.weapon.ranges == (3, 6, 12, 24)


def test_with_melee_the_weapon_lies_on_the_ground():
    fight = fight_of(someone("Ann", melee=("nightstick",)), someone("Bob", (1, 0), melee=("knife",)))
    fight = act(fight, "Ann", "hit:Bob", "defense", "disarm", faces=[(5, 4), (2,), (2, 1)]).outcome
    assert (fight.fighter("Bob").gone[1], fight.fighter("Ann").weapon.name) == ("dropped", "nightstick")
    assert "pick up:knife" in keys(fight, "Bob")


def test_what_lies_on_the_ground_stays_behind():
    bob = someone("Bob", (1, 0), melee=("knife",), state={"in_hand": 0, "gone": ("", "dropped")})
    fight = fight_of(someone("Ann", (9, 0)), bob, queue=(("Bob",),))
    moved = take_turn(fight, "walk to Ann", "pass").outcome
    assert moved.fighter("Bob").gone == ("", "away")


def test_what_a_draw_means_in_a_maneuver_can_be_chosen():  # ruling "maneuver-draws"
    assert script(keeps_weapon(RULES, 4, 2), [(4, 1)]).outcome
    assert not script(keeps_weapon(by(maneuver_draws="lands"), 4, 2), [(4, 1)]).outcome
    assert script(keeps_footing(RULES, 4), [(4, 1)], ["body"]).outcome
    assert not script(keeps_footing(by(maneuver_draws="lands"), 4), [(4, 1)], ["body"]).outcome
    assert script(shoved_metres(RULES, 4), [(4, 1)], ["body"]).outcome == 0
    assert script(shoved_metres(by(maneuver_draws="lands"), 4), [(4, 1)], ["body"]).outcome == 1


# --- tripping and shoving (lines 436-442) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("attribute", "modifier"), [("alertness", 2), ("body", -1)])
def test_the_target_picks_what_to_resist_with(attribute, modifier):
    target = Resister("Bob", 2, -1, -1)
    played = script(keeps_footing(RULES, 5, target), [(3, 2)], [attribute])
    assert pools(played) == [("Bob", 2, modifier - 1)]  # wounds count
    assert not played.outcome


def test_who_is_tripped_lies_prone_and_cannot_sprint_on_the_next_turn():
    fight = act(boxers(), "Ann", "hit:Bob", "defense", "trip", "body", faces=[(5, 2), (3,), (2, 1)]).outcome
    bob = fight.fighter("Bob")
    assert bob.mode == "prone"
    from rulewright.systems.scumm.fight.moves import move_options

    assert not [option.key for option in move_options(fight, bob) if option.key.startswith("sprint")]
    assert "trip" not in [option.key for option in maneuvers(fight.fighter("Ann"), bob, bob.weapon, 1)]


def test_who_resists_stays_upright():
    fight = act(boxers(), "Ann", "hit:Bob", "defense", "trip", "alertness", faces=[(5, 2), (3,), (6, 1)]).outcome
    assert fight.fighter("Bob").mode == "normal"


def test_a_shove_goes_up_to_body_plus_one():
    fight = boxers(attacker={"body": 1})
    shoved = act(fight, "Ann", "hit:Bob", "defense", "shove", "body", 2, faces=[(5, 2), (3,), (2, 1)]).outcome
    assert shoved.fighter("Bob").x == 3
    with pytest.raises(UserError, match="from 0 to 2"):
        act(fight, "Ann", "hit:Bob", "defense", "shove", "body", 3, faces=[(5, 2), (3,), (2, 1)])


def test_the_feeble_shove_nobody():  # ruling: at least 0
    assert script(shoved_metres(RULES, 9, -2), [(2, 2)], ["body"]).outcome == 0


def test_the_attacker_may_follow_as_far_as_movement_is_left():
    fight = boxers(attacker={"body": 1})
    faces = [(5, 2), (3,), (2, 1)]
    followed = act(fight, "Ann", "hit:Bob", "defense", "shove", "body", 2, "follow", faces=faces, turn=UnderWay("Ann", 1, metres=2.0))
    assert (followed.outcome.fighter("Ann").x, followed.outcome.fighter("Bob").x) == (2, 3)
    stayed = act(fight, "Ann", "hit:Bob", "defense", "shove", "body", 2, faces=faces, turn=UnderWay("Ann", 1, metres=1.5))
    assert stayed.outcome.fighter("Ann").x == 0  # nothing was asked


def test_being_shoved_costs_aim_and_cover():
    fight = boxers(target={"guns": ("9mm pistol",), "state": {"aim": 2, "aim_at": "Ann", "cover": "heavy cover"}})
    bob = act(fight, "Ann", "hit:Bob", "defense", "shove", "body", 1, faces=[(6, 6), (3,), (2, 1)]).outcome.fighter("Bob")
    assert (bob.aim, bob.cover) == (0, "none")


def test_the_chance_to_trip_an_average_person_is_exact():
    odds = exact(sub(keeps_footing, RULES, 5, Resister()))
    kept = sum(max(a, b) + (a == b == 6) >= 5 for a in range(1, 7) for b in range(1, 7))
    assert odds[True] * 36 == kept


def test_the_whole_turn_of_a_grappler_is_asked_of_both():
    played = script(grapple_turn(RULES, wrestlers(), "Bob"), [(6,), (2, 1)], ["hold"])
    assert [rolled.roll.by for rolled in played.rolls] == ["Bob", "Ann"]


# --- what is left to the one who strikes --------------------------------------------------------------------------------------


def test_a_free_strike_may_bruise_or_be_let_pass():  # lines 424, 541
    fight = boxers(target={"brawl": 1})
    bruised = act(fight, "Ann", "hit:Bob", "defense", "bruise", "defense", "damage", faces=[(1, 1), (3,), (5,), (4,)]).outcome
    assert (bruised.fighter("Ann").body.bruised_flesh, bruised.fighter("Ann").body.flesh) == (1, 0)
    passed = act(fight, "Ann", "hit:Bob", "defense", "hold", faces=[(1, 1), (3,)]).outcome
    assert (passed.fighter("Bob").free_strikes, passed.fighter("Ann").body.flesh) == (0, 0)


@pytest.mark.parametrize(
    ("target", "offered"),
    [({}, ["bruise", "hold"]), ({"brawl": 1}, ["strike", "bruise", "hold"]), ({"melee": ("knife",)}, ["strike", "hold"])],
)
def test_who_may_do_what_with_a_free_strike(target, offered):
    with pytest.raises(UserError, match=f"choose one of {', '.join(offered)}$"):
        act(boxers(target=target), "Ann", "hit:Bob", "defense", "nonsense", faces=[(1, 1), (3,)])


def test_who_comes_free_of_a_grapple_may_use_a_second_action():  # line 370
    fight = wrestlers(queue=(("Ann",),)).change("Ann", acts=2)
    played = take_turn(fight, "release", "hit:Bob", "defense", faces=[(5, 1), (1,), (2, 2), (4,)])
    assert [rolled.roll.what for rolled in played.rolls] == ["grapple", "grapple", "attack with the fists", "defense"]
    assert pools(played)[2] == ("Ann", 2, 1)  # Body, and no penalty
    held = take_turn(fight, "hold", faces=[(5, 1), (1,)])
    assert held.outcome.turn is None
    once = take_turn(fight.change("Ann", acts=1), "release", faces=[(5, 1), (1,)])
    assert once.outcome.turn is None


def test_a_maneuver_and_a_grapple_say_what_they_are_made_of():
    tripped = act(boxers(target={"body": 1}), "Ann", "hit:Bob", "block", "trip", "body", faces=[(5, 2), (2, 3), (3, 2)])
    resisted = next(event for event in tripped.events if "staying on the feet" in event.headline())
    test, against = resisted.reasons()
    assert (test.value, against.value) == (4, 5)
    assert [(t.label, t.value, t.rule) for t in test.terms] == [("highest of 2", 3, "scumm-dice-roll"), ("Body", 1, "scumm-attribute-test")]
    held = take_turn(wrestlers(queue=(("Ann",),)), "hold", faces=[(5, 1), (4,)]).events[0]
    assert held.headline() == "Ann wins the grapple test against Bob by 2"
    assert [(r.label, r.value) for r in held.reasons()] == [("Ann", 6), ("Bob", 4)]
    assert [(t.label, t.value, t.rule) for t in held.reasons()[0].terms][1] == ("Body", 1, "scumm-skill-test")


@pytest.mark.parametrize(("metres", "strikes"), [(2.0, True), (2.1, False)])
def test_a_free_strike_reaches_as_far_as_any_blow(metres, strikes):
    """The edge of the reach of close combat is within it."""
    ann, bob = someone("Ann"), someone("Bob", (metres, 0), brawl=1)
    assert may_strike_freely(RULES, bob, ann) is strikes


@pytest.mark.parametrize(("degree", "modifier"), [(0, 1), (1, 0), (2, -1), (3, -2)])
def test_a_drunken_grappler_has_less(degree, modifier):
    played = take_turn(wrestlers(queue=(("Ann",),)).change("Ann", intoxicated=degree), "hold", faces=[(6, 6), (1,)])
    assert pools(played)[0] == ("Ann", 2, modifier)


def test_who_picks_a_weapon_up_has_lost_aim():
    bob = someone("Bob", (1, 0), melee=("knife",), state={"in_hand": 0, "gone": ("", "dropped"), "aim": 2, "aim_at": "Ann"})
    after = act(fight_of(someone("Ann", (9, 0)), bob), "Bob", "pick up:knife").outcome.fighter("Bob")
    assert (after.in_hand, after.gone, after.aim, after.aim_at) == (1, ("", ""), 0, "")
