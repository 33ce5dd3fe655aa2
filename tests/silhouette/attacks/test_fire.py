"""Shots, throws, grenades, walking and saturation fire in a fight, and moving under fire (book lines 2007-2064, 2303-2452)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.attacks.area_fire import along, relocate
from rulewright.systems.silhouette.attacks.shots import can_reach
from rulewright.systems.silhouette.combat.arms import weapon_of
from rulewright.systems.silhouette.combat.fighters import Action, CoverSpot, Ground, UnderWay, Zone
from rulewright.systems.silhouette.fight.actions.attacks import ways_to_shoot

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, someone, take_turn, told


def line(*xs, weapon="assault rifle", **ann):
    """Ann with a gun, and a row of people twenty metres away."""
    shooter = someone("Ann", (0, 0), side="us", weapons=(weapon,), small_arms=3, heavy_weapons=3, **ann)
    names = ("Ben", "Cat", "Dan", "Eve")
    foes = [someone(name, (20, x), side="them", defense=1) for name, x in zip(names, xs, strict=False)]
    return fight_of(shooter, *foes)


def test_range_bands_and_standing_still():
    for metres, modifier in ((1, 1), (60, 0), (120, -1), (250, -2), (500, -3)):
        fight = fight_of(someone("Ann", weapons=("assault rifle",), small_arms=2), someone("Ben", (metres, 0), side="b", defense=1))
        fight = fight.change("Ben", struck_freely=True)
        assert pools(act(fight, "Ann", "shoot:Ben", faces=[(2, 1), (6,)]))[0] == ("Ann", 2, modifier)
    far = fight_of(someone("Ann", weapons=("assault rifle",), small_arms=2), someone("Ben", (521, 0)))
    assert "shoot:Ben" not in keys(far, "Ann")
    assert not can_reach(RULES, far.fighter("Ann"), far.fighter("Ann").weapon, 521)


def test_pace_and_cover_on_both_sides():
    fight = line(0).change("Ben", cover="light cover", pace="running").change("Ann", pace="jogging")
    assert pools(act(fight, "Ann", "shoot:Ben", faces=[(2, 1, 1), (6,)])) == [("Ann", 3, -2), ("Ben", 1, 1 + 2)]
    hidden = line(0).change("Ben", cover="fully hidden by heavy cover")
    assert act(hidden, "Ann", "shoot:Ben", faces=[(6, 6, 6)]).outcome.fighter("Ben").body == hidden.fighter("Ben").body


def test_heavy_armor_weighs_on_what_the_body_does():
    """Small Arms go by Agility, at a distance and always with support weapons by Perception."""
    assert pools(act(line(0, armor="plate"), "Ann", "shoot:Ben", faces=[(2, 1, 1), (6,)]))[0] == ("Ann", 3, -2)
    machine_gun = line(0, weapon="light machine gun", armor="plate", perception=1)
    assert pools(act(machine_gun, "Ann", "shoot:Ben", faces=[(2, 1, 1), (6,)]))[0] == ("Ann", 3, 1)


def test_a_burst_adds_its_rate_to_the_margin_and_takes_five_shots():
    played = act(line(0), "Ann", "shoot how:Ben", "burst 1", faces=[(4, 1, 1), (4,)])  # 4 against 3: 1 and 1 more, 28 each
    assert played.outcome.fighter("Ann").ammo == (0, 35)
    assert played.outcome.fighter("Ben").body.dead
    single = act(line(0), "Ann", "shoot:Ben", faces=[(4, 1, 1), (4,), AWAKE])
    assert single.outcome.fighter("Ben").body.deep == 1
    assert single.outcome.fighter("Ann").ammo == (0, 39)


def test_a_fumble_jams_and_an_action_clears_it():
    jam = act(line(0), "Ann", "shoot:Ben", faces=[(1, 1, 1), (4,)]).outcome
    assert jam.fighter("Ann").jammed == (False, True)
    assert "shoot:Ben" not in keys(jam, "Ann")
    assert act(jam, "Ann", "clear").outcome.fighter("Ann").jammed == (False, False)


def test_a_fumbled_defense_costs_the_next_initiative():
    assert act(line(0), "Ann", "shoot:Ben", faces=[(2, 1, 1), (1,)]).outcome.fighter("Ben").off_balance


def test_aiming_adds_dice_while_one_stands_still():
    once = act(line(0), "Ann", "aim:Ben").outcome
    assert (once.fighter("Ann").aim, once.turn) == (1, None)
    shot = act(once, "Ann", "shoot:Ben", faces=[(1, 1, 1, 1), (4,)])
    assert pools(shot)[0] == ("Ann", 4, 0)
    assert not shot.outcome.fighter("Ann").jammed[1]  # no fumble for who aims
    assert shot.outcome.fighter("Ann").aim == 0
    assert "aim:Ben" not in keys(line(0), "Ann", turn=UnderWay("Ann", steady=False))
    full = line(0).change("Ann", aim=3, aim_at="Ben")
    assert "aim:Ben" not in keys(full, "Ann")


def test_a_shot_at_the_leg():
    played = act(line(0), "Ann", "shoot how:Ben", "at left leg", faces=[(6,), (1,), AWAKE], rules=by(hit_locations=True))
    assert pools(played)[0] == ("Ann", 1, 0)
    assert played.outcome.fighter("Ben").body.limb("left leg").useless


def test_bows_need_time_and_grenades_are_gone():
    assert weapon_of(RULES, "crossbow", 3, 0).fires.reload == 3
    assert weapon_of(RULES, "light machine gun", 3, 0).magazine == 0
    launcher = weapon_of(RULES, "grenade rifle", 3, 0)
    assert (launcher.lobs, launcher.blast.name) == (50, "fragmentation")
    from rulewright.errors import UserError

    with pytest.raises(UserError, match="no weapon"):
        weapon_of(RULES, "spoon", 3, 0)


# --- throws -------------------------------------------------------------------------------------------------------------------


def test_a_thrown_knife_lands_on_a_tie_and_is_away():
    fight = fight_of(someone("Ann", weapons=("knife", "hatchet"), throwing=2), someone("Ben", (4, 0), defense=1))
    tie = act(fight, "Ann", "throw:Ben", faces=[(4, 2), (4,)])  # 4 - 1 for a thrown knife, 4 - 1 standing still
    assert "hits Ben without force" in told(tie)[0]
    assert tie.outcome.fighter("Ann").gone == ("", "away", "")
    assert tie.outcome.fighter("Ann").in_hand == 0
    hit = act(fight, "Ann", "throw:Ben", faces=[(6, 5), (3,), AWAKE])  # 5 against 2, 6 a point
    assert hit.outcome.fighter("Ben").body.flesh == 1


def test_a_grenade_takes_a_readied_action_from_who_saves_himself():
    from rulewright.systems.silhouette.action.rounds import Ready

    ann = someone("Ann", (0, 0), side="us", weapons=("concussion grenade",), throwing=2)
    ben = someone("Ben", (20, 0), side="them", defense=3, state={"ready": Ready("moves")})
    cat = someone("Cat", (40, 0), side="them", defense=3, state={"ready": Ready("moves")})
    played = act(fight_of(ann, ben, cat), "Ann", "lob:Ben", faces=[(4, 3), (2, 2), (6, 5, 4)])  # on the mark; timing 2 less 2
    assert played.outcome.fighter("Ann").gone == ("", "away")
    assert played.outcome.fighter("Ben").ready is None
    assert played.outcome.fighter("Cat").ready == Ready("moves")  # out of its reach
    assert not played.outcome.fighter("Ben").body.wounded


# --- walking fire -------------------------------------------------------------------------------------------------------------


def test_walking_fire_takes_in_neighbours_a_metre_apart():
    offered = keys(line(0, 1, 4), "Ann")
    assert "walk:Ben, Cat" in offered
    assert "walk:Cat, Dan" not in offered
    played = act(line(0, 1), "Ann", "walk:Ben, Cat", faces=[(2, 1, 1), (6,), (4, 1, 1), (4,), AWAKE])
    assert played.outcome.fighter("Ann").ammo == (0, 35)
    assert played.outcome.fighter("Cat").body.deep + played.outcome.fighter("Ben").body.deep == 1


def test_nobody_is_swept_who_was_shot_at_this_turn():
    fight = line(0, 1)
    after = act(fight, "Ann", "shoot:Ben", faces=[(2, 1, 1), (6,)], turn=UnderWay("Ann", 2, 2)).outcome
    assert "walk:Ben, Cat" not in keys(after, "Ann", turn=after.turn)


def test_who_stands_in_the_way_must_get_out_of_it():
    fight = line(0, 1)
    passer = someone("Fay", (10, 0.2), side="us", defense=1)
    fight = replace(fight, fighters=(*fight.fighters, passer))
    played = act(fight, "Ann", "walk:Ben, Cat", faces=[(6, 5), (2,), *[(2, 1, 1), (6,)] * 2])
    assert played.rolls[0].roll.by == "stray shots"
    assert played.outcome.fighter("Fay").body.wounded or played.outcome.fighter("Fay").body.dead


def test_a_sweep_begins_at_one_end():
    fight = line(2, 0, 1)
    assert [f.name for f in along(fight.fighter("Ann"), [fight.fighter(n) for n in ("Ben", "Cat", "Dan")])] == ["Cat", "Dan", "Ben"]


# --- saturation fire ----------------------------------------------------------------------------------------------------------


def test_saturation_pins_who_is_in_cover_and_hits_who_is_not():
    fight = line(0, 2).change("Ben", cover="heavy cover")
    played = act(fight, "Ann", "saturate:Ben", faces=[(4, 2, 1), (3,)])  # 4 and 1 for the rate; Cat has 2
    after = played.outcome
    assert after.fighter("Ben").pinned == 1
    assert not after.fighter("Ben").body.wounded
    assert after.fighter("Cat").body.dead  # by 3, 28 a point
    assert after.zones == (Zone("Ann", 20.0, 0.0, 5.0, 5, 28),)
    assert after.fighter("Ann").ammo == (0, 20)


def test_spread_out_it_is_twice_as_wide_and_half_as_hard():
    after = act(line(0, 4), "Ann", "saturate wide:Ben", faces=[(4, 2, 1), (6,), (6,)]).outcome
    assert after.zones[0].width == 10
    assert after.zones[0].threshold == 3


def test_the_pinned_must_dare_to_move():
    fight = replace(line(0), zones=(Zone("Ann", 20.0, 0.0, 5.0, 5, 28),), queue=(("Ben",),))
    fight = fight.change("Ben", pinned=1, cover="heavy cover")
    stays = take_turn(fight, "1", "walk to Ann", "pass", faces=[(2, 1)])  # Willpower against 3
    assert "Ben does not dare to move" in told(stays)
    assert stays.outcome.fighter("Ben").x == 20
    goes = take_turn(fight, "1", "walk to Ann", "pass", faces=[(3, 1), (5,)])
    assert goes.outcome.fighter("Ben").x < 20
    assert pools(goes)[1] == ("Ben", 1, 0)  # walking, out of cover, through the fire


def test_whoever_crosses_ground_under_fire_defends_once():
    fight = replace(line(0), zones=(Zone("Ann", 10.0, 0.0, 4.0, 8, 28),))
    through = script(relocate(RULES, fight, "Ben", 3.0, y=0.0, cover="", pace="running", covering_ground=True), [(6,)])
    assert len(through.rolls) == 1
    beside = script(relocate(RULES, fight, "Ben", 20.0, y=9.0, cover="", pace="running", covering_ground=True), [])
    assert beside.rolls == ()


# --- moving -------------------------------------------------------------------------------------------------------------------


def test_wounds_and_posture_limit_where_one_can_go():
    from rulewright.systems.silhouette.fight.moves import move_options

    def gaits(**fields):
        fight = fight_of(someone("Ann", **fields), someone("Ben", (30, 0)))
        return {option.key.split()[0] for option in move_options(RULES, fight, fight.fighter("Ann"))}

    assert gaits() == {"stay", "crawl", "walk", "jog", "run", "sprint"}
    assert gaits(wounds={"flesh": 1}) == {"stay", "crawl", "walk", "jog"}
    assert gaits(wounds={"deep": 1}) == {"stay", "crawl", "walk"}
    assert gaits(wounds={"deep": 2}) == {"stay", "crawl"}


def test_two_deep_wounds_bring_anybody_down():
    assert someone("Ann", wounds={"deep": 2}).pace == "prone"


def test_a_charge_is_footwork_and_a_dash_for_cover_is_not():
    ground = Ground(covers=(CoverSpot("the wall", 0, 6, "light cover"),))
    ann = someone("Ann", (0, 0), side="us", hand_to_hand=2, athletics=3)
    ben = someone("Ben", (10, 0), side="them", hand_to_hand=2)
    fight = fight_of(ann, ben, queue=(("Ann",),), ground=ground)
    charge = take_turn(fight, "1", "jog to Ben", "strike:Ben", "dodge", faces=[(3, 2), (6, 5)])
    assert pools(charge)[0] == ("Ann", 2, 0)
    assert not charge.outcome.fighter("Ann").covering_ground
    dash = take_turn(fight, "1", "jog to the wall", "pass").outcome.fighter("Ann")
    assert (dash.cover, dash.covering_ground, dash.pace) == ("light cover", True, "jogging")


def test_shallow_water_halves_speed_where_the_campaign_minds_it():
    fight = fight_of(someone("Ann"), someone("Ben", (30, 0)), queue=(("Ann",),), ground=Ground(water="shallow"))
    assert take_turn(fight, "1", "jog to Ben", "pass").outcome.fighter("Ann").x == 10
    assert take_turn(fight, "1", "jog to Ben", "pass", rules=by(special_circumstances=True)).outcome.fighter("Ann").x == 5


def test_slings_shoot_and_bolas_fly():
    """Both do what the table says, without the arm's own damage; a sling is no farther from the hand after a shot than before."""
    for weapon, key in (("sling", "shoot:Ben"), ("bola", "throw:Ben")):
        ann = someone("Ann", side="us", weapons=(weapon,), archery=3, throwing=3)
        fight = fight_of(ann, someone("Ben", (5, 0), side="them", defense=1))
        played = act(fight, "Ann", key, faces=[(6, 6, 2), (3,), AWAKE])  # 7 - 1 against 3 - 1
        assert played.outcome.fighter("Ben").body.deep == 1  # 4 x 7
        assert played.outcome.fighter("Ann").in_hand == (1 if weapon == "sling" else 0)


def test_endless_ammunition_hits_as_many_as_it_is_walked_over():
    woo = by(reality="cinematic", woo_factor=True)
    ann = someone("Ann", side="us", small_arms=3, weapons=("medium smg",))
    fight = fight_of(ann, someone("Ben", (5, 0), side="them"), someone("Cy", (5, 1), side="them"))
    came = act(fight, "Ann", "walk:Ben, Cy", faces=[(5, 4, 4), (3, 3), AWAKE, (5, 4, 4), (3, 3), AWAKE], rules=woo).outcome
    assert [came.fighter(name).body.wounded for name in ("Ben", "Cy")] == [True, True]


def test_the_unwary_under_saturation_fire_have_only_their_situation():
    fight = line(0).change("Ben", unwary=True)
    came = act(fight, "Ann", "saturate:Ben", faces=[(2, 1, 1)])  # 2 and 1 for the rate, against 1 - 1 for standing still: 3 x 28
    assert came.outcome.fighter("Ben").body.dead


def test_a_sweep_may_save_ammunition():
    offered = keys(line(0, weapon="medium smg"), "Ann")
    assert {"saturate:Ben", "saturate 1:Ben", "saturate wide 1:Ben"} <= offered
    once = act(line(0, weapon="medium smg"), "Ann", "saturate 1:Ben", faces=[(2, 1, 1), (6,)]).outcome
    assert once.fighter("Ann").ammo[1] == 10  # 20 of 30


def test_vital_spots_can_be_called_even_by_who_is_left_without_dice():
    """Two dice less three for the lower chest are rolled unskilled; the thresholds are halved, and armor counts in full."""
    ann = someone("Ann", side="us", weapons=("medium pistol",), small_arms=2)
    fight = fight_of(ann, someone("Ben", (5, 0), side="them", defense=1, armor="leather"))
    played = act(fight, "Ann", "shoot how:Ben", "at lower chest", faces=[(4, 5), (4,), AWAKE])
    assert pools(played)[0] == ("Ann", 0, 0)
    assert played.outcome.fighter("Ben").body.flesh == 1  # 15 against 7 and 5, 13 and 5
    options = {option.key for option in ways_to_shoot(by(hit_locations=True), ann.profile, Action("shoot", "Ben", weapon=1), 9)}
    assert "at left hand" in options
    assert "at left hand" not in {option.key for option in ways_to_shoot(RULES, ann.profile, Action("shoot", "Ben", weapon=1), 9)}


def test_an_arrow_may_be_struck_out_of_the_air_but_no_bullet():
    def shot(weapon, *choices, **faces):
        ann = someone("Ann", side="us", weapons=(weapon,), archery=2, small_arms=2, throwing=2)
        ben = someone("Ben", (4, 0), side="them", weapons=("rapier",), shield="round", melee=3, fitness=1, defense=1)
        key = "throw:Ben" if weapon == "bola" else "shoot:Ben"
        return pools(act(fight_of(ann, ben), "Ann", key, *choices, **faces))[1]

    parried = [(2, 1), (6, 5, 5)]
    assert shot("short bow", "parry", faces=parried) == ("Ben", 3, 2)  # Fitness 1, a shield's 2, standing still -1
    assert shot("bola", "parry", faces=[*parried, (3,)]) == ("Ben", 3, 2)
    assert shot("short bow", "dodge", faces=[(2, 1), (6,)]) == ("Ben", 1, -1)
    assert shot("medium pistol", faces=[(2, 1), (6,)]) == ("Ben", 1, -1)


def test_a_launcher_holds_so_many_grenades():
    fight = line(0, weapon="auxiliary grenade launcher", notice=0)
    assert "lob:Ben" in keys(fight, "Ann")
    empty = fight.change("Ann", ammo=(0, 0))
    assert "lob:Ben" not in keys(empty, "Ann")
    assert "load" in keys(empty, "Ann")
    fired = act(fight, "Ann", "lob:Ben", faces=[(6, 5, 1), (1, 1, 1)]).outcome  # on the spot, and a dud
    assert fired.fighter("Ann").ammo == (0, 0)
    assert fired.fighter("Ann").in_hand == 1
