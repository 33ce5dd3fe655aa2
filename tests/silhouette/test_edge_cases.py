"""Finer points of the rules that a live fight must keep: stabs, aimed blows and throws, rates of fire, deep water, arms that fail."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.attacks.attack_setup import make_blow
from rulewright.systems.silhouette.attacks.skill_applications import offers
from rulewright.systems.silhouette.combat.close_combat import Blow, strike
from rulewright.systems.silhouette.combat.fighters import Action, Ground, arms_left
from rulewright.systems.silhouette.combat.throws import throw
from rulewright.systems.silhouette.fight.actions.attacks import ASK_HOW, ways_to_strike
from rulewright.systems.silhouette.harm.body import LimbInjury, Patient
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side

from .fights import AWAKE, RULES, act, by, fight_of, keys, left_alone, pools, someone, take_turn, told


def duel(weapon="short sword", rules=RULES, **ben):
    return fight_of(
        someone("Ann", side="us", melee=3, weapons=(weapon,), rules=rules),
        someone("Ben", (1, 0), side="them", defense=2, rules=rules, **ben),
    )


# --- blows --------------------------------------------------------------------------------------------------------------------


def test_a_blade_may_stab_where_the_campaign_tells_stabs_from_cuts():  # lines 2471-2476
    on = by(blunt_and_stabbing=True)
    played = act(duel(rules=on, armor="leather"), "Ann", "strike how:Ben", "stab", "dodge", faces=[(2, 1, 1), (6, 5)], rules=on)
    assert pools(played)[0] == ("Ann", 3, -1)  # a short sword has no Parry bonus of its own
    fight = duel(rules=on)
    ann, ben = fight.fighters
    assert make_blow(on, fight, ann, ben, ann.weapon, action=Action("strike", stab=True)).nature == "stabbing"
    assert make_blow(on, fight, ann, ben, ann.weapon).nature == "plain"

    def offered(weapon, rules):
        profile = someone("Ann", melee=3, weapons=(weapon,), rules=rules).profile
        return {option.key for option in ways_to_strike(rules, profile, Action("strike", "Ben", weapon=1, technique=ASK_HOW))}

    assert "stab" in offered("short sword", on)
    assert "stab" not in offered("short sword", RULES)
    assert "stab" not in offered("mace", on)
    assert "stab" not in offered("rapier", on)  # does nothing else


def test_an_aimed_blow_does_not_fumble():  # lines 2352-2371
    blow = Blow(attacker="Ann", target="Ben", attack=Side(Pool(2), "melee", 2), defense=Side(Pool(2), "defense", 2))
    assert script(strike(RULES, blow, Patient("Ben")), [(1, 1), (6, 5)]).outcome.open == "attacker"
    aimed = replace(blow, location="head")
    assert script(strike(RULES, aimed, Patient("Ben")), [(1, 1), (6, 5)]).outcome.open == "nobody"
    assert script(strike(RULES, aimed, Patient("Ben")), [(6, 6), (1, 1), AWAKE]).outcome.open == "defender"


def test_as_many_dice_may_deceive_as_there_are():
    assert "lightning deceive 5" in {
        option.key
        for option in ways_to_strike(RULES, someone("Ann", melee=5, weapons=("rapier",)).profile, Action("strike", "Ben", weapon=1))
    }


def test_a_malus_may_be_given_back_in_part():  # lines 5994-6012
    dark = Pool(5, (Mod("complete darkness", -4),))
    assert [use.dice for use in offers(by(skill_applications=True), dark)] == [1, 2, 3, 4]


# --- throws -------------------------------------------------------------------------------------------------------------------


def thrower(metres=4, **more):
    return fight_of(
        someone("Ann", side="us", throwing=2, weapons=("hatchet",), **more), someone("Ben", (metres, 0), side="them", defense=1)
    )


def test_throws_may_be_aimed():
    aimed = act(thrower(), "Ann", "aim:Ben").outcome
    assert (aimed.fighter("Ann").aim, aimed.fighter("Ann").aim_at) == (1, "Ben")
    played = act(aimed, "Ann", "throw:Ben", faces=[(2, 1, 1), (6,), (3,)])
    assert pools(played)[0][1] == 3
    assert "aim:Ben" not in keys(
        fight_of(someone("Ann", side="us", throwing=2, weapons=("fragmentation grenade",)), aimed.fighter("Ben")), "Ann"
    )


def test_a_throw_at_the_head():
    played = act(thrower(), "Ann", "throw how:Ben", "at head", faces=[(5, 4), (3,), AWAKE])  # 2 - 3 dice: unskilled, 4 against 3 - 1
    assert pools(played)[0][1] == 0
    assert played.outcome.fighter("Ben").body.deep == 1  # 2 times 10 reaches half of 25


def test_an_aimed_throw_that_goes_wrong_may_go_anywhere():
    assert script(throw(RULES, Pool(1), Pool(1)), [(1,), (4,)]).outcome.direction == 180
    aimed = script(throw(RULES, Pool(1), Pool(1), aimed=True), [(1,), (4,), (3,)]).outcome
    assert (aimed.direction, aimed.fumble) == (120, False)


# --- walking fire -------------------------------------------------------------------------------------------------------------


GUN = "heavy smg"


def row(ammo=None, **foe):
    shooter = someone("Ann", side="us", weapons=(GUN,), small_arms=2, heavy_weapons=2)
    if ammo is not None:
        shooter = replace(shooter, ammo=(0, ammo))
    people = [someone(name, (20, y), side="them", defense=1, **foe) for name, y in (("Ben", 0), ("Cat", 1))]
    return fight_of(shooter, *people)


def test_fire_is_walked_at_any_rate_that_reaches_everybody():
    rof = row().fighter("Ann").weapon.fires.rof
    assert {key for key in keys(row(), "Ann") if key.startswith("walk")} == {
        "walk:Ben, Cat",
        *[f"walk {rate}:Ben, Cat" for rate in range(1, rof)],
    }
    played = act(row(), "Ann", "walk 1:Ben, Cat", faces=[(2, 1), (6,), (2, 1), (6,)])
    ann = played.outcome.fighter("Ann")
    assert ann.weapon.magazine - ann.ammo[1] == 5


def test_what_is_left_in_the_magazine_limits_it():
    assert {key for key in keys(row(5), "Ann") if key.startswith("walk")} == {"walk:Ben, Cat"}
    assert not [key for key in keys(row(4), "Ann") if key.startswith("walk")]
    three = row(7)
    three = replace(three, fighters=(*three.fighters, someone("Dan", (20, 2), side="them"), someone("Eve", (20, 3), side="them")))
    assert not [key for key in keys(three, "Ann") if key.startswith("walk") and key.count(",") > 2]  # +2 reaches three


def test_who_cannot_be_hit_is_not_in_the_way():
    fight = row()
    hidden = someone("Dan", (10, 0), side="them", state={"cover": "fully hidden by heavy cover"})
    played = act(replace(fight, fighters=(*fight.fighters, hidden)), "Ann", "walk:Ben, Cat", faces=[(2, 1), (6,), (2, 1), (6,)])
    assert "Dan" not in {rolled.roll.by for rolled in played.rolls}
    light = replace(hidden, cover="light cover")
    played = act(
        replace(fight, fighters=(*fight.fighters, light)), "Ann", "walk 1:Ben, Cat", faces=[(2, 2), (6, 5), (2, 1), (6,), (2, 1), (6,)]
    )
    assert "Dan" in {rolled.roll.by for rolled in played.rolls}


# --- water and stances --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("athletics", "modifier"), [(0, -2), (1, 0)])
def test_who_swims_is_at_ease_up_to_the_shoulders(athletics, modifier):  # lines 2242-2245
    rules = by(special_circumstances=True)
    fight = fight_of(
        someone("Ann", side="us", melee=2, athletics=athletics, weapons=("short sword",)),
        someone("Ben", (1, 0), side="them", defense=2),
        ground=Ground(water="shoulders"),
    )
    played = act(fight, "Ann", "strike:Ben", "dodge", faces=[(2, 1), (6, 5)], rules=rules)
    assert (pools(played)[0][2], pools(played)[1][2]) == (modifier, -2)


def test_a_heavy_weapon_is_no_matter_of_agility_in_water():
    rules = by(special_circumstances=True)
    fight = fight_of(
        someone("Ann", side="us", heavy_weapons=2, small_arms=2, weapons=("light machine gun", "medium pistol")),
        someone("Ben", (5, 0), side="them", defense=1),
        ground=Ground(water="hips"),
    )
    heavy = act(fight, "Ann", "shoot:Ben", faces=[(2, 1), (6,)], rules=rules)
    light = act(fight.change("Ann", in_hand=2), "Ann", "shoot:Ben", faces=[(2, 1), (6,)], rules=rules)
    assert pools(light)[0][2] - pools(heavy)[0][2] == -1 + light.outcome.fighter("Ann").weapon.accuracy - _accuracy(fight)


def _accuracy(fight):
    return fight.fighter("Ann").profile.weapons[1].accuracy


def test_a_stance_weighs_on_tasks_too():  # lines 6014-6024
    rules = by(stances=True)
    fight = duel(wounds={"snared": 3}, athletics=2)
    free = act(fight.change("Ben", stance="offensive"), "Ben", "get free", faces=[(4, 1, 1)], rules=rules)
    assert pools(free)[0][1] == 3
    held = act(fight.change("Ben", stance="defensive"), "Ben", "get free", faces=[(1,)], rules=rules)
    assert pools(held)[0][1] == 1


# --- arms that fail -----------------------------------------------------------------------------------------------------------


def useless(*limbs):
    return {"limbs": tuple([LimbInjury(limb, deep=1, useless=True) for limb in limbs])}


def armed(*weapons, shield="", limbs=()):
    return someone("Ann", melee=2, weapons=weapons, shield=shield or None, wounds=useless(*limbs))


def test_arms_and_hands_alike():  # lines 2575-2584
    assert arms_left(Patient("x")) == (True, True)
    assert arms_left(Patient("x", **useless("left hand"))) == (False, True)
    assert arms_left(Patient("x", **useless("right arm", "left foot"))) == (True, False)


def test_a_weapon_falls_from_a_useless_hand_and_the_other_must_do():
    ann = armed("short sword", limbs=("right hand",))
    assert (ann.in_hand, ann.gone[1], ann.off_hand) == (0, "dropped", True)
    fight = fight_of(ann, someone("Ben", (1, 0), side="them", defense=1))
    assert "pick up:short sword" in keys(fight, "Ann")
    again = act(fight, "Ann", "pick up:short sword", "hold").outcome
    played = act(again, "Ann", "strike:Ben", "dodge", faces=[(2, 1), (6,)])
    assert pools(played)[0][2] == -1  # the off hand


def test_two_hands_are_two_hands():
    axe = armed("battle-ax", limbs=("left arm",))
    assert (axe.in_hand, axe.gone[1], axe.off_hand) == (0, "dropped", False)
    fight = fight_of(axe, someone("Ben", (1, 0), side="them"))
    assert not {key for key in keys(fight, "Ann") if "battle-ax" in key}
    sword = armed("short sword", limbs=("left arm",))
    assert sword.in_hand == 1


def test_a_shield_goes_with_its_arm():
    both = armed("short sword", shield="buckler", limbs=())
    assert both.shield_up
    left = armed("short sword", shield="buckler", limbs=("left arm",))
    assert (left.shield_up, left.in_hand) == (False, 1)
    assert "shield" not in keys(fight_of(left, someone("Ben", (1, 0), side="them")), "Ann")
    right = armed("short sword", shield="buckler", limbs=("right arm",))
    assert (right.shield_up, right.in_hand) == (True, 0)
    assert "pick up:short sword" not in keys(fight_of(right, someone("Ben", (1, 0), side="them")), "Ann")


def test_it_happens_in_the_fight():
    rules = by(hit_locations=True)
    fight = fight_of(
        someone("Ann", side="us", small_arms=4, weapons=("medium pistol",), rules=rules),
        someone("Ben", (5, 0), side="them", weapons=("medium pistol",), rules=rules),
    )
    shot = act(fight, "Ann", "shoot how:Ben", "at right hand", faces=[(5,), (3, 2), AWAKE], rules=rules)
    ben = shot.outcome.fighter("Ben")
    assert (ben.in_hand, ben.off_hand) == (0, True), told(shot)
    assert take_turn(fight, "1", "stay", "pass", of="Ben", rules=rules).outcome.fighter("Ben").in_hand == 1


# --- old wounds ---------------------------------------------------------------------------------------------------------------


def test_fighting_opens_wounds_that_were_stabilized():  # lines 2527-2532
    treated = {"flesh": 1, "stable_flesh": 1, "deep": 1, "stable_deep": 1, "system_shock": 9}
    fight = duel(wounds=treated)
    after = take_turn(fight, "1", "stay", "pass", of="Ben").outcome.fighter("Ben").body
    assert (after.flesh, after.deep, after.stable_flesh, after.stable_deep) == (1, 1, 0, 0)
    assert fight.fighter("Ben").body.stable_deep == 1
    weak = duel(wounds={**treated, "system_shock": 3})
    down = take_turn(weak, of="Ben")
    assert down.outcome.fighter("Ben").body.trauma == 3  # 2 x 3 minutes less 3
    assert left_alone(FightScene(RULES), replace(duel(wounds=treated), queue=(("Ben",),)))


# --- sniping ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "aim", "settings", "modifier"),
    [
        (300, 1, {}, 3 - 2 + 1),  # long range: Perception 3 in the place of Agility 0, and the rifle's Accuracy
        (300, 0, {}, 0 - 2 + 1),  # not aimed
        (90, 1, {}, 0 + 1),  # short range
        (500, 1, {}, 3 - 3 + 1),
        (300, 1, {"sniping": "never"}, 0 - 2 + 1),
    ],
)
def test_a_sniper_shoots_by_perception(metres, aim, settings, modifier):  # line 8513
    aiming = {"aim": aim, "aim_at": "Ben"} if aim else {}
    ann = someone("Ann", side="us", small_arms=2, perception=3, weapons=("sniper rifle",), state=aiming)
    fight = fight_of(ann, someone("Ben", (metres, 0), side="them", defense=1))
    played = act(fight, "Ann", "shoot:Ben", faces=[(2,) + (1,) * (1 + aim), (6,)], rules=by(**settings))
    assert pools(played)[0] == ("Ann", 2 + aim, modifier)
