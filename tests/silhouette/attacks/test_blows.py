"""Blows and Free Strikes in a fight, and everything that is around them (book lines 1985-1998, 2159-2273, 2637-2639)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.attacks.attack_setup import make_blow, styles
from rulewright.systems.silhouette.attacks.close_attacks import swing
from rulewright.systems.silhouette.combat.close_combat import strike
from rulewright.systems.silhouette.combat.fighters import Action, Ground, Swing, UnderWay, reach_of
from rulewright.systems.silhouette.fight.tactics import shooter
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.people.traits import Trait

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, someone, take_turn, told


def brawl(*others, ann=None, ben=None, **fields):
    one = someone("Ann", (0, 0), side="us", **{"hand_to_hand": 2, "defense": 2, **(ann or {})})
    two = someone("Ben", (1, 0), side="them", **{"hand_to_hand": 2, "defense": 2, **(ben or {})})
    return fight_of(one, two, *others, **fields)


# --- pools --------------------------------------------------------------------------------------------------------------------


def test_a_sword_is_swung_with_agility_and_met_with_what_the_target_likes():
    sword = {"weapons": ("rapier",), "melee": 3, "agility": 2, "fitness": 1}
    fight = brawl(ann=sword, ben={**sword, "melee": 2, "hand_to_hand": 1, "defense": 1})
    for guard, pool in (("dodge", (1, 2)), ("parry", (2, 2)), ("block", (1, 1))):
        played = act(fight, "Ann", "strike:Ben", guard, faces=[(4, 3, 2), (6,) * pool[0]])
        assert pools(played) == [("Ann", 3, 3), ("Ben", *pool)]


def test_complexity_counts_on_the_striker_where_both_use_the_blade():
    sword = {"weapons": ("short sword",), "melee": 2}
    fight = brawl(ann={**sword, "complexity": {"melee": 3}}, ben=sword)
    assert pools(act(fight, "Ann", "strike:Ben", "parry", faces=[(3, 2), (6, 5)]))[0] == ("Ann", 2, 2)
    assert pools(act(fight, "Ann", "strike:Ben", "dodge", faces=[(3, 2), (6, 5)]))[0] == ("Ann", 2, 0)


def test_a_specialization_fits_the_weapon():
    assert "fencing" in styles("rapier")
    assert "knives" in styles("throwing knife")
    assert "pistols" in styles("heavy revolver")
    fencer = {"weapons": ("rapier",), "melee": 2, "special": {"melee": ("fencing",)}}
    assert pools(act(brawl(ann=fencer), "Ann", "strike:Ben", "dodge", faces=[(3, 2), (6, 5)]))[0] == ("Ann", 2, 2)  # Accuracy +1


def test_wounds_light_drink_and_the_off_hand():
    fight = brawl(
        ann={"wounds": {"flesh": 1}, "state": {"drunk": 1, "off_hand": True}},
        ben={"wounds": {"deep": 1}},
        ground=Ground(light="very poor light"),
    )
    played = act(fight, "Ann", "strike:Ben", "dodge", faces=[(6, 2), (6, 6)])
    assert pools(played) == [("Ann", 2, -1 - 1 - 1 - 2), ("Ben", 2, -2 - 2)]
    both = brawl(ann={"state": {"off_hand": True}, "perks": (Trait("ambidextrous"),)})
    assert pools(act(both, "Ann", "strike:Ben", "dodge", faces=[(3, 2), (6, 5)]))[0] == ("Ann", 2, 0)


def test_armor_and_shields_weigh_on_the_striker():
    knight = {"weapons": ("broadsword",), "melee": 2, "armor": "plate"}
    assert pools(act(brawl(ann=knight), "Ann", "strike:Ben", "dodge", faces=[(3, 2), (6, 5)]))[0] == ("Ann", 2, -2)


def test_a_shield_parries_where_it_is_better_than_the_blade():
    shielded = {"weapons": ("club",), "melee": 2, "shield": "round"}
    fight = brawl(ann={"weapons": ("mace",), "melee": 2}, ben=shielded)
    caught = act(fight, "Ann", "strike:Ben", "parry", faces=[(6, 3), (2, 1)])  # 6 against 2 and 2: by 2 times 10, less 13
    assert pools(caught)[1] == ("Ben", 2, 2)
    assert not caught.outcome.fighter("Ben").body.wounded
    down = fight.change("Ben", shield_up=False)
    assert pools(act(down, "Ann", "strike:Ben", "parry", faces=[(3, 2), (6, 5)]))[1] == ("Ben", 2, -1)
    hanging = fight.change("Ben", pace="climbing")
    assert pools(act(hanging, "Ann", "strike:Ben", "parry", faces=[(3, 2), (6, 5)]))[1] == ("Ben", 2, -3)


def test_gunmen_strike_and_are_met_with_bare_hands():
    fight = brawl(ann={"weapons": ("light pistol",)}, ben={"weapons": ("light pistol",)})
    assert {"strike:Ben", "bruise:Ben", "shoot:Ben"} <= keys(fight, "Ann")
    with pytest.raises(UserError, match="parry"):
        act(fight, "Ann", "strike:Ben", "parry")


def test_bare_hands_bruise_and_untrained_ones_only():
    trained = act(brawl(ann={"build": 3}), "Ann", "strike:Ben", "dodge", faces=[(5, 2), (3, 2), AWAKE])
    assert trained.outcome.fighter("Ben").body.flesh == 1  # 9 times 2
    gently = act(brawl(ann={"build": 3}), "Ann", "bruise:Ben", "dodge", faces=[(5, 2), (3, 2)])
    assert gently.outcome.fighter("Ben").body.bruised_flesh == 1
    assert "strike:Ben" not in keys(brawl(ann={"hand_to_hand": 0}), "Ann")
    assert "bruise:Ben" in keys(brawl(ann={"hand_to_hand": 0}), "Ann")


def test_reach_is_by_complexity_and_weapon():
    ann = someone("Ann", weapons=("long spear",), melee=2, complexity={"melee": 2})
    assert reach_of(RULES, ann.profile, ann.weapon) == 3
    far = fight_of(ann, someone("Ben", (3, 0)))
    assert "strike:Ben" in keys(far, "Ann")
    assert "strike:Ann" not in keys(far, "Ben")
    with pytest.raises(UserError, match="reach"):
        script(swing(RULES, far, Swing("Ben", Action("strike", "Ann"))), [], [])


def test_too_heavy_a_weapon_is_not_swung():
    weak = someone("Ann", weapons=("maul",), melee=2)
    assert weak.weapon.too_heavy
    fight = fight_of(weak, someone("Ben", (1, 0)))
    assert "bruise:Ben" in keys(fight, "Ann")  # with the hand that is free of it


# --- many opponents -----------------------------------------------------------------------------------------------------------


def three_on_one(**fields):
    foes = [someone(name, at, side="them", hand_to_hand=1) for name, at in (("Ben", (1, 0)), ("Cat", (-1, 0)), ("Dan", (0, 1)))]
    return fight_of(someone("Ann", side="us", defense=5, **fields), *foes)


def test_each_further_opponent_costs_one_more():
    fight = three_on_one()
    costs = []
    for name in ("Ben", "Cat", "Dan", "Ben"):
        choices = ("strike:Ann", "no", "dodge") if not fight.fighter("Ann").attacked_by else ("strike:Ann", "dodge")
        played = act(fight, name, *choices, faces=[(2,), (6, 5, 4, 3, 2)])
        costs.append(pools(played)[1][2])
        fight = played.outcome
    assert costs == [0, -1, -2, 0]


def test_defense_five_against_three_thugs_is_three_dice_against_each():
    fight = three_on_one()
    for name in ("Ben", "Cat", "Dan"):
        choices = ("strike:Ann", "yes", "dodge") if not fight.fighter("Ann").attacked_by else ("strike:Ann", "dodge")
        played = act(fight, name, *choices, faces=[(2,), (6, 5, 4)])
        assert pools(played)[1] == ("Ann", 3, 0)
        fight = played.outcome


# --- techniques ---------------------------------------------------------------------------------------------------------------


def test_a_lightning_deception_in_a_fight():
    sword = {"weapons": ("short sword",), "melee": 4}
    fight = brawl(ann=sword, ben={"defense": 2})
    played = act(fight, "Ann", "strike how:Ben", "lightning deceive 1", "dodge", faces=[(4, 3, 2), (3,), (2,), (4,)])
    assert pools(played) == [("Ann", 3, -2), *[("Ben", 1, 0)] * 3]
    assert played.outcome.turn is None  # one action


def test_a_blow_at_the_head_takes_dice_and_halves_thresholds():
    sword = {"weapons": ("short sword",), "melee": 4}
    played = act(brawl(ann=sword), "Ann", "strike how:Ben", "at head", "dodge", faces=[(3,), (2, 1), AWAKE])
    assert pools(played)[0] == ("Ann", 1, 0)
    assert played.outcome.fighter("Ben").body.deep == 1  # 14 against 7, 13 and 25


def test_narrow_places_and_water_count_where_the_campaign_minds_them():
    mindful = by(special_circumstances=True)
    sword = {"weapons": ("2-handed sword",), "melee": 3, "build": 2, "athletics": 1}
    narrow = brawl(ann=sword, ground=Ground(narrow=True))
    assert pools(act(narrow, "Ann", "strike:Ben", "dodge", faces=[(3, 2, 1), (6, 5)], rules=mindful))[0] == ("Ann", 3, -2)
    assert pools(act(narrow, "Ann", "strike:Ben", "dodge", faces=[(3, 2, 1), (6, 5)]))[0] == ("Ann", 3, -1)
    deep = brawl(ann=sword, ben={"athletics": 1}, ground=Ground(water="over the head"))
    played = act(deep, "Ann", "strike:Ben", "dodge", faces=[(3,), (6,)], rules=mindful)
    assert pools(played) == [("Ann", 1, -2), ("Ben", 1, -1)]


# --- the unwary ---------------------------------------------------------------------------------------------------------------


def test_a_knife_from_behind_is_no_better_than_the_step_that_brings_it():
    knife = {"weapons": ("knife",), "melee": 3, "stealth": 1, "agility": 1, "complexity": {"stealth": 2}}
    fight = brawl(ann={**knife, "state": {"hidden": True}}, ben={"state": {"unwary": True}})
    played = act(fight, "Ann", "strike:Ben", faces=[(3,), AWAKE])  # 3 +1 Agility +1 Complexity against 0
    assert pools(played)[0] == ("Ann", 1, 2)
    assert played.outcome.fighter("Ben").body.deep == 1  # 6 times 5
    assert not played.outcome.fighter("Ben").unwary
    assert not played.outcome.fighter("Ann").hidden


# --- Free Strikes -------------------------------------------------------------------------------------------------------------


def bar():
    """Bubba has a gun and no ammunition left, within reach of Jason, who has acted already."""
    bubba = someone("Bubba", (0, 0), side="thugs", weapons=("heavy pistol",), defense=1, state={"ammo": (0, 0)})
    jason = someone("Jason", (1, 0), side="heroes", hand_to_hand=2)
    return fight_of(bubba, jason, queue=(("Bubba",),))


def test_jason_strikes_when_bubba_holsters_his_gun():
    played = take_turn(bar(), "1", "stay", "sheathe", "strike", "dodge", "pass", faces=[(5, 3), (4,)])
    assert told(played)[:2] == ["Jason makes a Free Strike against Bubba", "Jason hits Bubba by 1 with the fists"]
    assert played.outcome.fighter("Jason").struck_freely
    assert played.outcome.fighter("Bubba").in_hand == 0
    assert pools(played)[0] == ("Jason", 2, 0)  # no action, no penalty


def test_a_free_strike_may_be_let_go_and_comes_once_a_round():
    let_go = take_turn(bar(), "1", "stay", "sheathe", "hold", "pass")
    assert not let_go.outcome.fighter("Jason").struck_freely
    struck = bar().change("Jason", struck_freely=True)
    assert take_turn(struck, "1", "stay", "sheathe", "pass").rolls == ()


def test_whoever_is_struck_down_does_not_finish():
    bubba = bar().change("Bubba", body=replace(bar().fighter("Bubba").body, flesh_threshold=1))
    played = take_turn(bubba, "1", "stay", "load", "strike", "dodge", faces=[(5, 3), (4,), (1, 1)])  # a coma
    assert not played.outcome.fighter("Bubba").body.able
    assert played.outcome.fighter("Bubba").ammo == (0, 0)


def test_where_the_campaign_says_so_the_strike_comes_after():
    bubba = bar().change("Bubba", body=replace(bar().fighter("Bubba").body, flesh_threshold=1))
    late = by(free_strike_timing="after")
    played = take_turn(bubba, "1", "stay", "load", "strike", "dodge", faces=[(5, 3), (4,), (1, 1)], rules=late)
    assert played.outcome.fighter("Bubba").ammo == (0, 8)


def test_readying_drawing_and_striking_open_nothing():
    fight = bar().change("Bubba", ammo=(0, 8))
    assert take_turn(fight, "1", "stay", "ready").rolls == ()
    assert len(take_turn(fight, "1", "stay", "bruise:Jason", "dodge", faces=[(3, 2), (6, 5)]).rolls) == 2


def test_the_unaware_and_the_far_do_not_strike():
    asleep = bar().change("Jason", unwary=True)
    assert take_turn(asleep, "1", "stay", "load", "pass").rolls == ()
    away = bar().change("Jason", x=1.5)
    assert take_turn(away, "1", "stay", "load", "pass").rolls == ()


def test_a_shot_at_arms_length_opens_to_a_blow():
    fight = bar().change("Bubba", ammo=(0, 8))
    played = take_turn(fight, "1", "stay", "shoot:Jason", "strike", "dodge", faces=[(4, 3), (5,), (3, 2), (4, 3), AWAKE])
    assert [rolled.roll.by for rolled in played.rolls] == ["Jason", "Bubba", "Bubba", "Jason", "Jason"]


def test_fumbles_in_close_combat_open_to_the_other():
    fight = brawl()
    attacker = act(fight, "Ann", "strike:Ben", "dodge", "strike", "dodge", faces=[(1, 1), (4, 2), (4, 3), (5, 2)])
    assert "Ben makes a Free Strike against Ann" in told(attacker)
    defender = act(fight, "Ann", "strike:Ben", "dodge", "strike", "dodge", faces=[(2, 1), (1, 1), (4, 3), (5, 2)])
    assert "Ann makes a Free Strike against Ben" in told(defender)
    both = act(fight, "Ann", "strike:Ben", "dodge", faces=[(1, 1), (1, 1)])
    assert len(both.rolls) == 2


def test_free_strikes_do_not_outnumber():
    """Three may strike at once; none of them counts as a further opponent, and none costs the other anything."""
    foes = [someone(name, at, side="them", hand_to_hand=1) for name, at in (("Ben", (1, 0)), ("Cat", (-1, 0)), ("Dan", (0, 1)))]
    fight = fight_of(someone("Ann", side="us", defense=2, weapons=("light pistol",), state={"ammo": (0, 0)}), *foes)
    played = act(fight, "Ann", "load", "strike", "strike", "strike", "no", "dodge", "no", "dodge", "no", "dodge", faces=[(2,), (6, 5)] * 3)
    assert [pool for pool in pools(played) if pool[0] == "Ann"] == [("Ann", 2, 0)] * 3
    assert played.outcome.fighter("Ann").attacked_by == ()
    assert all(played.outcome.fighter(name).struck_freely for name in ("Ben", "Cat", "Dan"))
    assert played.outcome.fighter("Ann").ammo == (0, 10)


# --- Emergency Dice and odds --------------------------------------------------------------------------------------------------


def test_emergency_dice_on_both_sides():
    fight = brawl(ann={"dice": 2}, ben={"dice": 1})
    played = act(fight, "Ann", "bruise:Ben", "dodge", 2, 1, faces=[(3, 2, 1, 1), (4, 3, 2)])
    assert pools(played) == [("Ann", 4, 0), ("Ben", 3, 0)]
    assert [fighter.body.emergency_dice for fighter in played.outcome.fighters] == [0, 0]


def weighed(fight, who, asked, *choices, rules=RULES):
    """The chances beside the options of the question that comes after these answers, by their key."""
    encounter = Encounter.begin(FightScene(rules), fight)
    for key in choices:
        encounter.give(key, encounter.open[0][0])
    at, choice = encounter.open[0]
    assert (choice.who, choice.topic) == (who, asked)
    chances = weigh(Asked(encounter.moment(at), (None,), shooter), 20)
    return {each.key: {outcome.name: outcome.chance for outcome in each.outcomes} for each in chances}


def test_the_chance_beside_an_attack_is_met_as_the_target_will_meet_it():
    ann, ben = (
        someone("Ann", side="us", weapons=("short sword",), melee=2),
        someone("Ben", (1, 0), side="them", weapons=("rapier",), melee=3),
    )
    fight = replace(fight_of(ann, ben), turn=UnderWay("Ann", 2, 2))
    offered = weighed(fight, "Ann", "act")
    one, other = fight.fighter("Ann"), fight.fighter("Ben")
    odds = {}
    for guard in ("dodge", "parry", "block"):
        blow = make_blow(RULES, fight, one, other, one.weapon, guard=guard, penalty=-1)
        odds[guard] = exact(lambda blow=blow: strike(RULES, blow, other.body)).map(
            lambda came: hit_outcome(other.body, came.victim) if came.hits else "miss"
        )
    parried = {name: weight / odds["parry"].total for name, weight in odds["parry"]}
    assert offered["strike:Ben"] == pytest.approx(parried)
    met = weighed(fight, "Ben", "guard", "strike:Ben")
    assert met == {key: pytest.approx({name: weight / odds[key].total for name, weight in odds[key]}) for key in odds}


def test_a_worn_shield_stays_worn():
    wears = by(armor_wears_away=True)
    ann = someone("Ann", side="us", weapons=("club",), melee=2)
    ben = someone("Ben", (1, 0), side="them", shield="round", melee=1)
    after = act(fight_of(ann, ben), "Ann", "strike:Ben", "parry", faces=[(5, 1), (2,)], rules=wears).outcome  # 5 against 2 + 2: caught
    shield = after.fighter("Ben").profile.shield
    assert shield is not None
    assert shield.armor == 12
