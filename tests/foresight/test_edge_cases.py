"""Cases at the edges of rules: what a strict reading of the book against the code has shown (line numbers are the book's)."""

import pytest
from msgspec.structs import replace

from foresight.fights import drive, fight_of, someone
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.scenes.scenarios import Placed
from rulewright.system import find
from rulewright.systems.foresight.combat.attack_exchange import attack
from rulewright.systems.foresight.combat.fighters import BARE, Action, CoverSpot, Ground, Pin, enter
from rulewright.systems.foresight.combat.melee import attack_task, damage_of
from rulewright.systems.foresight.fight.actions.registry import do
from rulewright.systems.foresight.fight.turns import begin_round
from rulewright.systems.foresight.harm.body import Drink, Patient, intoxication
from rulewright.systems.foresight.harm.hazards import decompression
from rulewright.systems.foresight.harm.medicine import A_DOCTOR
from rulewright.systems.foresight.harm.recovery import NO_CARE
from rulewright.systems.foresight.lab_view.anonymised import restored
from rulewright.systems.foresight.lab_view.scene import FightScene
from rulewright.systems.foresight.people.abilities import ability_task
from rulewright.systems.foresight.people.advancement import Standing
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.characters import (
    Arm,
    Award,
    Background,
    Character,
    Familiarity,
    Gear,
    Person,
    Purchase,
    Thing,
    Trait,
    Unfamiliar,
)
from rulewright.systems.foresight.pursuit.pursuers import Course, entering, started
from rulewright.systems.foresight.ward.scene import Bed, Doctor, Ward, treatments

GUN, SWORD = "SL Pistol (TL5)", "Sabre/Longsword"


def close_pair(**ann):
    fight = fight_of(someone("Ann", hth=8, fields=("Lethal",), **ann), someone("Bob", (1.0, 0.0), hth=8, blades=(SWORD,), weapon=SWORD))
    return fight.change("Ann", focus="Bob").change("Bob", focus="Ann")


def blow(fight, way=""):
    return attack_task(RULES, fight, fight.fighter("Ann"), fight.fighter("Bob"), weapon=BARE, way=way)


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


def test_what_a_helmet_hinders_is_for_the_campaign_to_say():  # 3935: -3 to all activity of perception
    def modifiers(rules):
        own = someone("Ann", rules=rules, guns=(GUN, "Machine-gun"), armor=(("Duty Suit", "Full Faced Helmet"),)).profile
        tasks = (own.perception, own.initiative, own.hth, own.weapons[1].task, own.agility, own.weapons[2].task)
        return [sum(mod.value for mod in task.mods if mod.label == "helmet") for task in tasks]

    assert modifiers(RULES) == [-3, 0, 0, 0, 0, 0]
    assert modifiers(under(helmets_hinder="every skill of perception")) == [-3, -3, -3, -3, 0, 0]  # heavy weapons go by intelligence


# --- blows without hands ------------------------------------------------------------------------------------------------------


def test_arms_do_not_weigh_on_kicks():  # 2706, 3207, 3247, 3250-3252
    numb = close_pair().change("Ann", numb=("right arm",))
    assert blow(numb).modifier - blow(close_pair()).modifier == -1
    for way in ("kick", "headbutt", "trip"):
        assert blow(numb, way).modifier == blow(close_pair(), way).modifier
    hurt = close_pair(body={"wounds": 1, "hurt": ("right arm",)})
    assert [blow(hurt, way).modifier - blow(close_pair(), way).modifier for way in ("", "kick", "headbutt", "trip")] == [-2, -1, -1, -1]
    lame = close_pair(body={"wounds": 1, "hurt": ("right leg",)})
    assert [blow(lame, way).modifier - blow(close_pair(), way).modifier for way in ("", "kick", "headbutt", "trip")] == [-2] * 4  # 2710
    held = close_pair().change("Bob", pins=(Pin("Ann", "right arm", "loose"), Pin("Ann", "left arm", "loose")))
    assert [blow(held, way).modifier - blow(close_pair(), way).modifier for way in ("", "kick", "headbutt")] == [-4, 0, 0]


@pytest.mark.parametrize(("way", "limb"), [("kick", "right leg"), ("", "right arm"), ("headbutt", "head")])
def test_a_disarming_parry_numbs_what_struck(way, limb):  # 3247
    fight = close_pair()
    fight = fight.change("Bob", x=0.0) if way == "headbutt" else fight
    lines = [("Bob", f"disarm:{SWORD}")] + ([("Ann", "attack")] if not way else [])
    after = drive(attack(RULES, fight, "Ann", Action("attack", "Bob", BARE, way)), *lines, ("Ann", "QR7"), ("Bob", "QR3")).outcome
    assert after.fighter("Ann").numb == (limb,)
    for struck, less in (("kick", 1 if limb == "right leg" else 0), ("lethal strike", 1 if limb == "right arm" else 0)):
        whole = damage_of(RULES, fight.fighter("Ann"), "normal", BARE, way=struck)[0]
        assert damage_of(RULES, after.fighter("Ann"), "normal", BARE, way=struck)[0] == whole - less
        assert ("numbed" in [mod.label for mod in blow(after.change("Bob", x=1.0), struck).mods]) == bool(less)


def test_a_knockback_drives_away_from_the_attacker():  # 3248
    fight = close_pair(ST=25).change("Bob", facing=0)  # Bob looks away
    charge = attack(RULES, fight.change("Bob", focus=""), "Ann", Action("attack", "Bob", BARE, "knockback"))
    after = drive(charge, ("Bob", "QR7"), ("Ann", "QR1"), ("Bob", "QR3")).outcome
    assert after.fighter("Ann").x == 1.0
    assert after.fighter("Bob").x == 1.0 + 4  # five wound levels less a damage scale of 1
    assert after.fighter("Bob").y == 0.0


# --- guns ---------------------------------------------------------------------------------------------------------------------


def test_a_step_leaves_behind_what_the_gun_was_braced_on():  # 3031, 3049, 3268
    ground = Ground(covers=(CoverSpot("a crate", 0.0, 0.0, "1/3 cover"),))
    fight = fight_of(someone("Ann", guns=(GUN,), weapon=GUN), someone("Bob", (9.0, 0.0)), ground=ground)
    fight = fight.change("Ann", cover="a crate", braced=True)
    after = drive(do(RULES, fight, "Ann", Action("step", to="away:Bob"))).outcome.fighter("Ann")
    assert (after.x, after.cover, after.braced, after.balanced) == (-1.0, "", False, True)
    assert drive(do(RULES, fight, "Ann", Action("pivot", "Bob"))).outcome.fighter("Ann").braced


def test_a_rifle_that_was_dropped_is_not_at_the_shoulder():  # 2707, 3033
    rifle = someone("Ann", guns=("SL Rifle",), weapon="SL Rifle", state={"shouldered": True, "braced": True})
    dropped = rifle.with_body(replace(rifle.body, stunned=True, dropped=("right arm",)))
    assert (dropped.hand, dropped.shouldered, dropped.braced) == (0, False, False)


# --- over time ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "dead"), [(30, False), (60, False), (61, True)])
def test_nobody_lives_long_in_a_vacuum(seconds, dead):  # 2755
    ann = Patient("Ann", endurance=12)  # sixty seconds of breath
    after = drive(decompression(RULES, ann, seconds), ("Ann", 10), ("Ann", "QR3")).outcome
    assert (after.dead, after.unconscious) == (dead, dead)


def test_a_campaign_says_how_long_a_vacuum_takes():
    ann = Patient("Ann", endurance=12)
    assert drive(decompression(under(vacuum_seconds=30), ann, 31), ("Ann", 10), ("Ann", "QR3")).outcome.dead
    with pytest.raises(UserError, match="seconds"):
        drive(decompression(RULES, ann, -1))


def test_bandages_are_offered_wherever_wounds_may_sink():  # 2821, 2872
    bed = Bed("a", Patient("Ann", wounds=3, worst=5))
    doctor = Doctor("Doc", "a", A_DOCTOR, A_DOCTOR, A_DOCTOR, True, False)

    def offered(rules, bed):
        return [option.key for option in treatments(rules, Ward(5, NO_CARE, (bed,)), doctor, bed)]

    assert offered(RULES, bed) == ["rest"]
    assert offered(under(deterioration_by="worst level"), bed) == ["bandage", "rest"]
    assert offered(RULES, replace(bed, body=Patient("Ann", wounds=5, worst=5))) == ["bandage", "rest"]


def test_drink_has_its_measure():  # 2404
    assert intoxication(RULES, 3) == Drink(3, -2, -3)
    assert intoxication(RULES, 0) == Drink(0, 0, 0)
    with pytest.raises(UserError, match="drink"):
        intoxication(RULES, -1)


# --- gifts and insights -------------------------------------------------------------------------------------------------------

GIFT = Trait("Unique Gift", skills=("Charisma", "Confidence"), deficit="no interest in anything else")


def test_a_gift_without_other_interests():  # 1123-1127
    ann = Character("Ann", skills={"Charisma": 5, "Search": 5, "Handguns": 5}, traits=(GIFT,), gear=Gear(ranged=(Arm(GUN),)))
    person = Person.of(RULES, ann)
    found = {name: ability_task(RULES, person, name) for name in ("Charisma", "Search", "IN")}
    assert [task.modifier for task in found.values()] == [0, -1, -1]
    assert found["Search"].mods[0].rule == "fs-character-modifiers"
    assert found["Charisma"].ease == 7
    assert ability_task(RULES, person, "Search", in_peril=True).modifier == 0
    profile = enter(RULES, ann, "Ann", "a").profile
    assert profile.weapons[1].task.modifier == profile.initiative.modifier == 0  # life is at stake
    fair = replace(ann, traits=(Trait("Unique Gift", inherent={"AP": 2}, deficit="no interest in anything else"),))
    looks = Person.of(RULES, fair)
    assert [ability_task(RULES, looks, name).modifier for name in ("AP", "Charisma", "IN")] == [0, 0, -1]
    hunted = replace(ann, traits=(replace(GIFT, deficit="hunted by a goddess"),))
    assert ability_task(RULES, Person.of(RULES, hunted), "IN").modifier == 0


def test_a_gift_is_no_insight():  # 1115
    able = {"attributes": Attributes(AP=14, EM=14), "skills": {"Charisma": 14}, "traits": (GIFT,)}
    log = (Award(10), Purchase("insight", "Charisma"))
    ann = Character("Ann", experience=log, **able)
    now = Standing(RULES, ann)
    assert [fault for entry in log for fault in now.take(entry) if not fault.warning] == []
    assert now.person.ease["Charisma"] == 2 + 1
    again = [fault.message for fault in now.take(Award(10))] + [
        fault.message for fault in now.take(Purchase("insight", "Charisma", adventure="2"))
    ]
    assert again == ["there is one unique insight into Charisma, and it is had already"]


def test_one_insight_a_skill_by_whatever_way():  # 1115
    spy = Background("Secret Conspiracy", insights=("Stealth",), inherent={"AG": 2})
    ann = Character("Ann", background=(spy,), traits=(Trait("Unique Insight", skill="Stealth"),))
    assert Person.of(RULES, ann).ease == {"Stealth": 1}
    assert any("Unique Insight Stealth can be had once only" in problem.message for problem in find("foresight").audit(RULES, ann).problems)


# --- at the wheel -------------------------------------------------------------------------------------------------------------


def test_a_car_that_one_knows_well_or_not_at_all():  # 1314-1336
    def driving(**fields):
        ann = Character("Ann", skills={"Groundcraft": 3}, **fields)
        member = Placed(ann, "Ann", "a", None, {"driving": -1})
        return entering(RULES, Course(medium="ground"), member, started(member), True).driving

    assert driving().modifier == -1
    used_to = (Familiarity("Groundcraft", "Automobile"), Familiarity("Handguns", "Automobile"), Familiarity("Groundcraft", "Truck"))
    assert driving(familiarities=used_to).modifier == -1 + 1
    assert driving(unfamiliar=(Unfamiliar("Automobile", -2), Unfamiliar("Truck", -3))).modifier == -1 - 2


# --- coming to ----------------------------------------------------------------------------------------------------------------


def three(**body):
    """Ann and Cat against Bob; Cat lies senseless at wound level 5 unless told otherwise."""
    down = {"wounds": 5, "worst": 5, "unconscious": True, **body}
    people = someone("Ann", side="a"), someone("Bob", (9.0, 0.0), side="b"), someone("Cat", (3.0, 0.0), side="a", body=down)
    return fight_of(*people)


def test_the_critically_wounded_come_to_by_willpower():  # 2585
    fight = three()
    assert fight.fighter("Cat").senseless
    asleep = drive(begin_round(RULES, fight), ("Cat", "QR7"), ("Ann", "QR3"), ("Bob", "QR3")).outcome
    assert asleep.fighter("Cat").out
    woke = drive(begin_round(RULES, fight), ("Cat", "QR4"), ("Ann", "QR3"), ("Bob", "QR3"), ("Cat", "QR2"))
    assert next((by, what) for by, what, _ in woke.rolls) == ("Cat", "willpower to come to")
    assert "Cat comes to" in woke.told
    cat = woke.outcome.fighter("Cat")
    assert (cat.able, cat.acts, cat.roused, cat.flat, woke.outcome.order[0]) == (True, 1, True, True, "Cat")  # no second roll this round
    free = under(critical_loses_action=False)
    lines = ("Cat", "QR4"), ("Ann", "QR3"), ("Bob", "QR3"), ("Cat", "QR2")
    assert drive(begin_round(free, fight), *lines).outcome.fighter("Cat").acts == 2


@pytest.mark.parametrize("body", [{"wounds": 4}, {"wounds": 6}, {"heart_stopped": True}, {"wounds": 8, "dead": True}])
def test_nobody_else_comes_to_in_a_fight(body):
    drive(begin_round(RULES, three(**body)), ("Ann", "QR3"), ("Bob", "QR3"))
    drive(begin_round(RULES, three().change("Cat", cuffed=True)), ("Ann", "QR3"), ("Bob", "QR3"))
    drive(begin_round(RULES, three().change("Cat", gives_up=5)), ("Ann", "QR3"), ("Bob", "QR3"))


def test_those_who_may_come_to_are_kept_apart_from_those_who_cannot():
    scene = FightScene(RULES)
    assert scene.lens(three(), "winner").fighter("Cat").body.wounds == 5
    assert scene.lens(three(wounds=6), "winner").fighter("Cat").body.wounds == 0


def test_a_step_by_itself_remembers_who_may_come_to():
    cat = someone("Cat")
    for wounds, kept in ((5, 5), (6, 0)):
        now = cat.with_body(replace(cat.body, wounds=wounds, unconscious=True))
        assert restored(cat, cat, now, "", "", "", "", ()).body.wounds == kept
