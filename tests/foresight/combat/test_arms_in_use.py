"""Which arm does it: held arms, free ones, hands that hold somebody, both hands on one weapon (book lines 3161, 3201-3221, 3720)."""

from msgspec.structs import replace

from foresight.fights import RULES, fight_of, someone
from rulewright.play import script
from rulewright.systems.foresight.combat.attack_exchange import attack_weapons, in_reach
from rulewright.systems.foresight.combat.fighters import BARE, Action, Pin
from rulewright.systems.foresight.combat.gun_actions import draw
from rulewright.systems.foresight.combat.melee import arms_in_use, attack_task, damage_of, limbs_of, open_arms, parry_task
from rulewright.systems.foresight.combat.pins import limbs_to_pin
from rulewright.systems.foresight.combat.reflexes import guard_options
from rulewright.systems.foresight.fight.actions.registry import action_options

SWORD = "Sabre/Longsword"
SPEAR = "Spear"
AXE = "Battle Axe"
KNIFE = "Dagger"


def grappled(*limbs, grip="immobile", **bob):
    """Ann holds Bob by these limbs, nose to nose."""
    ann = someone("Ann", (0.0, 0.0), state={"pins": tuple([Pin("Bob", limb, grip) for limb in limbs])})
    fight = fight_of(ann, someone("Bob", (0.0, 0.0), **bob))
    return fight.change("Bob", acts=2)


def keys(fight, name="Bob"):
    return {option.key for option in action_options(RULES, fight, name)}


def test_a_held_arm_leaves_the_other_free():  # 3211-3221: only the pinned limb is out of use
    fight = grappled("right arm")
    bob = fight.fighter("Bob")
    assert open_arms(fight, bob) == arms_in_use(fight, bob, BARE) == ("left arm",)
    assert attack_weapons(fight, bob, fight.fighter("Ann")) == [BARE]
    assert {"attack:Ann", "pin:Ann"} <= keys(fight)
    assert {"parry:bare hands", "pin"} <= {option.key for option in guard_options(RULES, fight, bob, fight.fighter("Ann"), "unarmed")}
    assert limbs_to_pin(fight, bob, fight.fighter("Ann"))
    assert in_reach(fight, bob, fight.fighter("Ann"), Action("pin", "Ann", to="left arm"))


def test_with_both_arms_held_nothing_is_left_but_legs_and_head():
    fight = grappled("right arm", "left arm")
    bob = fight.fighter("Bob")
    assert open_arms(fight, bob) == ()
    assert attack_weapons(fight, bob, fight.fighter("Ann")) == []
    assert "attack:Ann" not in keys(fight)
    assert "attack how:Ann" in keys(fight)


def test_a_held_hand_draws_nothing_and_the_other_does():
    fight = grappled("right arm", blades=(KNIFE, SPEAR))
    assert f"draw:{KNIFE}" in keys(fight)
    assert f"draw:{KNIFE}" not in keys(grappled("right arm", "left arm", blades=(KNIFE,)))
    ready = fight.change("Bob", drawing=1, drawn=5)
    after = script(draw(ready, "Bob", 1)).outcome.fighter("Bob")
    assert (after.hand, after.off) == (0, 1)
    free = script(draw(grappled(blades=(KNIFE,)).change("Bob", drawing=1, drawn=5), "Bob", 1)).outcome.fighter("Bob")
    assert (free.hand, free.off) == (1, 0)


def test_a_hand_that_holds_somebody_strikes_nobody():
    fight = grappled("right arm")
    assert open_arms(fight, fight.fighter("Ann")) == ("right arm",)  # the other one holds Bob
    assert open_arms(grappled("right arm", "left arm"), grappled("right arm", "left arm").fighter("Ann")) == ()


def test_a_loose_grip_costs_four_only_where_the_other_arm_is_no_help():  # 3217
    loose = grappled("right arm", grip="loose")
    assert arms_in_use(loose, loose.fighter("Bob"), BARE) == ("left arm",)
    both = grappled("right arm", "left arm", grip="loose")
    assert arms_in_use(both, both.fighter("Bob"), BARE) == ("right arm",)


def test_a_bare_blow_beside_a_weapon_is_struck_with_the_empty_hand():  # 2706
    fight = fight_of(someone("Ann", blades=(KNIFE,), weapon=KNIFE), someone("Bob", (1.0, 0.0)))
    ann = fight.fighter("Ann")
    assert limbs_of(fight, ann, BARE) == ("left arm",)
    hurt = replace(ann, body=replace(ann.body, wounds=1, hurt=("left arm",)))
    assert attack_task(RULES, fight.put(hurt), hurt, fight.fighter("Bob"), weapon=BARE).modifier == (
        attack_task(RULES, fight, ann, fight.fighter("Bob"), weapon=BARE).modifier - 2
    )


def test_a_weapon_for_either_grip_goes_on_in_one_hand_while_the_other_is_held():  # 3213, 3720
    fight = fight_of(someone("Ann", blades=(SPEAR,), weapon=SPEAR), someone("Bob", (1.0, 0.0)))
    ann = fight.fighter("Ann")
    assert arms_in_use(fight, ann, 1) == ("right arm", "left arm")
    held = fight.change("Bob", pins=(Pin("Ann", "left arm", "immobile"),))
    assert arms_in_use(held, ann, 1) == ("right arm",)
    whole = damage_of(RULES, ann, "normal", 1, limbs=limbs_of(fight, ann, 1))[0]
    assert damage_of(RULES, ann, "normal", 1, limbs=limbs_of(held, ann, 1))[0] == whole - 1


def test_a_parry_in_both_hands_has_the_second_hand_in_its_damage_class():  # 3161, 3720
    fight = fight_of(someone("Ann", blades=(SPEAR,), weapon=SPEAR), someone("Bob", (1.0, 0.0)))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    own = ann.profile.weapons[1].normal[1]

    def outweighed(fight):
        task = parry_task(RULES, fight, ann, bob, weapon=1, dc=own + 3)
        return sum(mod.value for mod in task.mods if mod.label == "attacker hits harder")

    assert outweighed(fight) == -1  # (own + 3 - own - 1) / 2
    assert outweighed(fight.change("Bob", pins=(Pin("Ann", "left arm", "immobile"),))) == -2  # 1.5, a half counting in full
