"""What unusual traits do to tasks and to being hit (book lines 1107-1171)."""

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.rules_for_tests import RULES
from rulewright.errors import UserError
from rulewright.systems.foresight.combat.arms import profile_of
from rulewright.systems.foresight.combat.fighters import Fight, Ground, Pin, checked, enter
from rulewright.systems.foresight.combat.pins import limbs_to_pin
from rulewright.systems.foresight.people.abilities import ability_task
from rulewright.systems.foresight.people.characters import Arm, Character, Gear, Person, Trait, Worn
from rulewright.systems.foresight.people.traits import frame_as_target, frame_stealth, in_sunlight, lost_limb, size_as_target


def amy(*traits, **more):
    return replace(AMY, traits=tuple(Trait(trait) for trait in traits), **more)


def test_frames_and_stealth():  # 1112-1114
    assert frame_stealth(RULES, ("Tiny Frame",)).value == 1
    assert frame_stealth(RULES, ("Tiny Frame",), in_a_crowd=True).value == 3
    assert frame_stealth(RULES, ("Enormous Frame",)).value == 0
    assert frame_stealth(RULES, ("Enormous Frame",), in_a_crowd=True).value == -2
    assert frame_stealth(RULES, ()).value == 0


def test_the_tiny_sneak_better_whatever_they_do():
    plain, tiny = [ability_task(RULES, Person.of(RULES, one), "Stealth") for one in (AMY, amy("Tiny Frame"))]
    assert tiny.modifier == plain.modifier + 1
    assert ability_task(RULES, Person.of(RULES, amy("Tiny Frame")), "Search").modifier == 0


def test_frames_are_easier_or_harder_to_hit():  # 1112-1114
    assert frame_as_target(RULES, ("Enormous Frame",)).value == 1
    assert frame_as_target(RULES, ("Tiny Frame",)).value == -1
    assert [size_as_target(RULES, size, ()) for size in ("human", "small")] == ["", "small"]


@pytest.mark.parametrize(
    ("character", "size"),
    [
        (AMY, ""),
        (amy("Enormous Frame"), "large"),
        (amy("Tiny Frame"), "small"),
        (amy("Aging"), ""),  # frail, but no smaller
        (replace(AMY, species="Halfling"), "small"),
        (replace(AMY, species="Dwarf"), ""),
    ],
)
def test_who_is_remarkably_small_or_large_in_a_fight(character, size):
    assert enter(RULES, character, "somebody", "a side").size == size


def test_lost_limbs():  # 1118-1119
    assert [lost_limb(RULES, "One Legged", use).value for use in ("legs, with prosthetic", "legs, without")] == [-2, -4]
    uses = ("usually two-handed", "usually two-handed, adapted gear", "needs two hands")
    assert [lost_limb(RULES, "One Armed", use).value for use in uses] == [-2, -1, -4]
    with pytest.raises(UserError, match="costs nothing on 'typing'"):
        lost_limb(RULES, "One Armed", "typing")


def test_orcs_in_the_sun():  # 1171
    assert in_sunlight(RULES, Person.of(RULES, replace(AMY, species="Orc")).traits).value == -1
    assert in_sunlight(RULES, Person.of(RULES, AMY).traits).value == 0


def test_in_a_powered_frame_nobody_is_nimbler_than_they_are_used_to_it():  # 3960
    suited = Person.of(RULES, replace(AMY, gear=replace(AMY.gear, exoskeleton="Combat (TL6)")))
    bare = Person.of(RULES, AMY)
    frame = ability_task(RULES, suited, "Armor/Exoskeleton").score  # never learnt: strength alone, 7
    assert frame == 7
    for ability in ("Handguns", "Stealth", "DX", "AG", "Hand-to-Hand Combat"):
        assert ability_task(RULES, suited, ability).score == min(frame, ability_task(RULES, bare, ability).score)
    for ability in ("Search", "Charisma", "PC", "ST"):
        assert ability_task(RULES, suited, ability) == ability_task(RULES, bare, ability)
    used = replace(suited, skills={**suited.skills, "Armor/Exoskeleton": 14})
    assert ability_task(RULES, used, "Handguns").score == ability_task(RULES, bare, "Handguns").score


def test_armor_on_a_powered_frame_does_not_hinder_agility():  # 3964
    worn = replace(AMY.gear, armor=(Worn("Heavy Plate", "Full Suit"),))
    plain = profile_of(RULES, Person.of(RULES, replace(AMY, gear=worn)), "a", "b", left=False, environment="Urban", gravity=1.0)
    framed = Person.of(RULES, replace(AMY, gear=replace(worn, exoskeleton="Combat (TL6)")))
    suited = profile_of(RULES, framed, "a", "b", left=False, environment="Urban", gravity=1.0)
    assert any(mod.label == "armor on the legs" and mod.value == -5 for mod in plain.agility.mods)
    assert not any(mod.label == "armor on the legs" for mod in suited.agility.mods)
    assert any(mod.label == "armor on the arms" and mod.value == -5 for mod in suited.dexterity.mods)  # no delicate work


def lamed(*traits, **gear):
    return enter(RULES, Character("Ann", traits=traits, gear=Gear(**gear)), "Ann", "ours")


def test_a_lost_leg_slows_a_fighter_down():  # 1121
    whole, lame, helped = lamed(), lamed(Trait("One Legged")), lamed(Trait("One Legged", aid=True))
    for ability in ("agility", "acrobatics"):
        plain = getattr(whole.profile, ability).modifier
        assert getattr(lame.profile, ability).modifier == plain - 4
        assert getattr(helped.profile, ability).modifier == plain - 2
    assert lame.profile.hth == whole.profile.hth


def test_a_lost_arm_leaves_one_hand():  # 1122
    arms = {"melee": (Arm("Two-Handed Sword"), Arm("Staff")), "ranged": (Arm("SL Rifle"), Arm("Bow"))}
    whole, single = lamed(**arms), lamed(Trait("One Armed"), **arms)
    lost = [one.task.modifier - other.task.modifier for one, other in zip(single.profile.weapons, whole.profile.weapons, strict=True)]
    assert lost == [0, -4, 0, 0, -4]
    rifle = replace(single, hand=3)
    assert not rifle.both_hands(3)
    assert not rifle.free_hand()
    assert replace(whole, hand=3).both_hands(3)
    assert (single.profile.awkward, lamed(Trait("One Armed", aid=True)).profile.awkward) == (-2, -1)
    with pytest.raises(UserError, match="one arm"):
        checked(replace(single, hand=0, off=2))
    other = replace(lamed(), profile=replace(whole.profile, name="Bob"))
    fight = Fight(Ground(), (single, other))
    assert limbs_to_pin(fight, single, other) == ["left arm", "right arm", "neck"]
    assert limbs_to_pin(fight, replace(single, pins=(Pin("Bob", "left arm"),)), other) == []
