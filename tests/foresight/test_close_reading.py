"""Cases at the edges of rules: what a strict reading of the book against the code has shown (line numbers are the book's)."""

import pytest
from msgspec.structs import replace

from foresight.fights import drive, fight_of, someone
from foresight.rules_for_tests import RULES
from rulewright.systems.foresight.blows import attack
from rulewright.systems.foresight.characters import Arm, Character, Gear, Person, Thing, Unfamiliar, ability_task
from rulewright.systems.foresight.fighters import BARE, Action, Pin, enter
from rulewright.systems.foresight.melee import attack_task, damage_of

GUN, SWORD = "SL Pistol (TL5)", "Sabre/Longsword"


def close_pair(**ann):
    fight = fight_of(someone("Ann", hth=8, fields=("Lethal",), **ann), someone("Bob", (1.0, 0.0), hth=8, blades=(SWORD,), weapon=SWORD))
    return fight.change("Ann", focus="Bob").change("Bob", focus="Ann")


def blow(fight, way=""):
    return attack_task(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), BARE, way)


# --- gear ---------------------------------------------------------------------------------------------------------------------


def framed(frame=None, kg=30.0, **fields):
    gear = Gear(exoskeleton=frame, things=(Thing("a crate", kg),))
    return Character("Ann", gear=gear, skills={"Armor/Exoskeleton": 20}, gravities={"NL": 3}, **fields)


def test_a_powered_frame_carries_with_its_own_strength():  # 3966
    plain = enter(RULES, framed(), "Ann", "a")
    assert plain.profile.burden == 4  # 30 kg are a burden to a strength of 9
    assert [mod.value for mod in plain.profile.agility.mods] == [-2]
    powered = enter(RULES, framed("Combat (TL6)"), "Ann", "a")  # strength 15 carries 24 kg, and 48 laden
    assert powered.profile.burden == 2
    assert [mod.value for mod in powered.profile.agility.mods] == [-1]


def test_clothes_over_a_holster_slow_the_draw():  # 3849-3873
    def draw(carried, clothing):
        gear = Gear(ranged=(Arm(GUN, carried=carried),), clothing=clothing)
        return enter(RULES, Character("Ann", gear=gear), "Ann", "a").profile.weapons[1].draw

    assert [draw("Shoulder Holster", worn) for worn in ("", "Business Suit", "Trench Coat", "Bedouin Robes")] == [2, 2, 3, 4]
    assert draw("Taped to Back", "Trench Coat") == 2 + 4 + 1
    assert draw("", "Trench Coat") == 2  # carried openly
    assert draw("Ankle", "a torn shirt") == 4


def test_what_is_unfamiliar_weighs_on_its_own_tasks():  # 1322-1336
    strange = (Unfamiliar("Driver", -3), Unfamiliar(GUN, -2), Unfamiliar("Groundcraft", -1))
    gear = Gear(ranged=(Arm(GUN), Arm("Revolver (TL4.5)")))
    ann = Character("Ann", gear=gear, unfamiliar=strange, skills={"Handguns": 5, "Groundcraft": 3})
    guns = enter(RULES, ann, "Ann", "a").profile.weapons[1:]
    assert [[(mod.label, mod.value, mod.rule) for mod in gun.task.mods] for gun in guns] == [[(f"unfamiliar: {GUN}", -2, "fs-nfm")], []]
    person = Person.of(RULES, ann)
    assert ability_task(RULES, person, "Groundcraft").modifier == -1
    assert ability_task(RULES, person, "Handguns").modifier == 0
    used_to_it = replace(ann, unfamiliar=(Unfamiliar(GUN, 2),))
    assert enter(RULES, used_to_it, "Ann", "a").profile.weapons[1].task.modifier == 0  # it never turns into a bonus


# --- blows without hands ------------------------------------------------------------------------------------------------------


def test_arms_do_not_weigh_on_kicks():  # 2706, 3207, 3247, 3250-3252
    numb = close_pair().change("Ann", numb=("right arm",))
    assert blow(numb).modifier - blow(close_pair()).modifier == -1
    for way in ("kick", "headbutt", "trip"):
        assert blow(numb, way).modifier == blow(close_pair(), way).modifier
    hurt = close_pair(body={"wounds": 1, "hurt": ("right arm",)})
    assert [blow(hurt, way).modifier - blow(close_pair(), way).modifier for way in ("", "kick", "headbutt", "trip")] == [-2, -1, -1, -1]
    lame = close_pair(body={"wounds": 1, "hurt": ("right leg",)})
    assert [blow(lame, way).modifier - blow(close_pair(), way).modifier for way in ("", "kick", "headbutt", "trip")] == [-1, -2, -1, -2]
    held = close_pair().change("Bob", pins=(Pin("Ann", "right arm", "loose"),))
    assert [blow(held, way).modifier - blow(close_pair(), way).modifier for way in ("", "kick", "headbutt")] == [-4, 0, 0]


@pytest.mark.parametrize(("way", "limb"), [("kick", "right leg"), ("", "right arm"), ("headbutt", "head")])
def test_a_disarming_parry_numbs_what_struck(way, limb):  # 3247
    fight = close_pair()
    fight = fight.change("Bob", x=0.0) if way == "headbutt" else fight
    lines = [("Bob", f"disarm:{SWORD}")] + ([("Ann", "attack")] if not way else [])
    after = drive(attack(RULES, fight, "Ann", Action("attack", "Bob", BARE, way)), *lines, ("Ann", "QR7"), ("Bob", "QR3")).outcome
    assert after.fighter("Ann").numb == (limb,)
    for struck, less in (("kick", 1 if limb == "right leg" else 0), ("lethal strike", 1 if limb == "right arm" else 0)):
        whole = damage_of(RULES, fight.fighter("Ann"), "normal", BARE, struck)[0]
        assert damage_of(RULES, after.fighter("Ann"), "normal", BARE, struck)[0] == whole - less
        assert ("numbed" in [mod.label for mod in blow(after.change("Bob", x=1.0), struck).mods]) == bool(less)


def test_a_knockback_drives_away_from_the_attacker():  # 3248
    fight = close_pair(ST=25).change("Bob", facing=0)  # Bob looks away
    charge = attack(RULES, fight.change("Bob", focus=""), "Ann", Action("attack", "Bob", BARE, "knockback"))
    after = drive(charge, ("Bob", "QR7"), ("Ann", "QR1"), ("Bob", "QR3")).outcome
    assert after.fighter("Ann").x == 1.0
    assert after.fighter("Bob").x == 1.0 + 4  # five wound levels less a damage scale of 1
    assert after.fighter("Bob").y == 0.0
