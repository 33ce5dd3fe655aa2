"""Sheets: drawn from pieces only, every value with its reasons, every test in the game's notation."""

import pytest
from msgspec.structs import replace

from foresight.amy import AMY
from foresight.rules_for_tests import RULES, under
from rulewright.build.audit import change
from rulewright.build.sheet_parts import Budget, Ladder, Pool, Rows, Stepper, Tag
from rulewright.systems.foresight import SYSTEM
from rulewright.systems.foresight.build.audit import audit
from rulewright.systems.foresight.build.audit.wealth import gear_cost
from rulewright.systems.foresight.build.sheet import sheet
from rulewright.systems.foresight.combat.arms import profile_of
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.characters import (
    Arm,
    Award,
    Background,
    Familiarity,
    Gear,
    Injuries,
    Loss,
    MeritGained,
    Person,
    Purchase,
    Study,
    Thing,
    Trait,
    Unfamiliar,
    Worn,
)


def pieces(character, kind, rules=RULES):
    return {piece.name: piece for section in sheet(rules, character).sections for piece in section.pieces if isinstance(piece, kind)}


def test_amys_sheet():  # 553, 875, 1031-1053, 1273
    found = sheet(RULES, AMY)
    values = {key: piece.value for key, piece in found.values().items()}
    assert (values["IN"], values["PC"], values["ST"]) == (12, 12, 7)
    assert values["score:Charisma"] == "20+1"
    assert (values["ucdc"], values["carry_kg"], values["stamina"], values["wealth"]) == (1, 6, 13, 25000)
    assert (values["merit"], values["rank"]) == (35, 3)
    assert (values["general_points"], values["education_points"]) == (225, 95)
    assert found.tests()["Search"].notation == "21 x 6"
    assert found.tests()["Ride"].notation == "12 x 6-1"  # never learnt
    assert found.subtitle == AMY.concept


def test_every_value_has_reasons_and_every_test_can_be_rolled():
    found = sheet(RULES, AMY)
    assert all(value.reasons for value in found.values().values())
    for test in found.tests().values():
        assert SYSTEM.test(RULES, test.notation)
        assert SYSTEM.test(RULES, SYSTEM.compose(test.notation, -2, "12 x 4"))


def test_steppers_change_the_file():
    steppers = pieces(AMY, Stepper)
    assert (steppers["Strength (spread)"].low, steppers["Strength (spread)"].high) == (5, 12)
    assert (steppers["Dexterity (trained)"].value, steppers["Dexterity (trained)"].high) == (10, 12)
    assert steppers["Charisma"].high == 12
    for piece in steppers.values():
        assert change(AMY, piece.field, piece.high) is not None
    assert change(AMY, steppers["Forest"].field, 2).environments == {"Forest": 2}
    assert change(AMY, steppers["Ride"].field, 1).skills["Ride"] == 1


def test_budgets_come_from_the_audit():
    assert {name: (piece.allowed, piece.spent) for name, piece in pieces(AMY, Budget).items()}["General points"] == (225, 198)


def test_condition_gear_and_log():
    worn = replace(
        AMY,
        injuries=Injuries(wounds=2, worst=4, stamina=5),
        gear=Gear(
            (Arm("SL Pistol (TL5)"), Arm("Blunderbuss")),
            (Arm("Dagger"), Arm("Spork")),
            (Worn("Silkweave", "Full Suit"), Worn("Silkweave", "Full Faced Helmet")),
            things=(Thing("anvil", 20), Thing("pack", 4, worn=True)),
        ),
        traits=(Trait("Tiny Frame"),),
        familiarities=(Familiarity("Search", "offices"),),
        unfamiliar=(Unfamiliar("driving on the right", -2),),
        experience=(
            Award(9, "one"),
            Award(0, months=2),
            Study(4, "Law", 2),
            Purchase("skill", "Search", 10),
            Purchase("attribute", "ST", 8, points=2, done=False),
            Loss("EN", 1, 1, "a bullet"),
            MeritGained("the agency", 5),
        ),
    )
    ladder, pool = pieces(worn, Ladder)["Wound level"], pieces(worn, Pool)["Stamina"]
    assert (ladder.now, ladder.worst, pool.value) == (2, 4, 5)
    tags, rows = pieces(worn, Tag), pieces(worn, Rows)
    assert {"laden", "burdened", "lifting", "dragging"} & set(tags)
    assert {"armor on the legs", "armor on the arms", "helmet", "unfamiliar: driving on the right"} <= set(tags)
    assert rows["Ranged weapons"].rows[1] == ("Blunderbuss", "?", "?", "?", "?")
    assert rows["Melee weapons"].rows[1] == ("Spork", "?", "?", "?", "?")
    assert len(rows["Log"].rows) == 7
    values = {key: piece.value for key, piece in sheet(RULES, worn).values().items()}
    assert (values["EN"], values["merit"], values["damage_scale"]) == (6, 40, 0.8)
    search = sheet(RULES, worn).tests()["Search"]
    assert search.notation.startswith("22 x")  # with experience
    assert "long-term familiarity: offices" in [chip.label for chip in search.modifiers]


def test_settings_reach_the_sheet():
    assert "Free package" not in {piece.name for s in sheet(under(free_packages=False), AMY).sections for piece in s.pieces}
    assert sheet(under(attribute_ease_factor=5), AMY).tests()["IN"].notation == "12 x 5"


@pytest.mark.parametrize("band", ["ZG", "NW", "LT", "HY", "EX"])
def test_other_gravities(band):
    home = replace(AMY, native_gravity=band)
    assert sheet(RULES, home).tests()["Athletics"].notation.endswith("x 6")  # at home: G 3


WATCH = Thing("chronometer", 0.2, 100, ("Elegant", "Modern", "Flashy"))


def test_modifications_of_things_change_their_weight_and_price():  # 3597-3616: Amy's watch, 4 x 0.6 x 1.5 and 0.9 x 0.7 x 1.1
    gear = Gear(things=(WATCH, Thing("safe", 10, 50, ("Large",)), Thing("bedroll", 4, 10, worn=True)))
    assert gear_cost(RULES, gear).value == pytest.approx(360 + 125 + 10)
    owner = replace(AMY, gear=gear)
    rows = pieces(owner, Rows)["Other things"].rows
    assert rows[0] == ("chronometer, Elegant, Modern, Flashy", "0.1386", "360")
    assert rows[1] == ("safe, Large", "30", "125")
    carried = [
        profile_of(
            RULES, Person.of(RULES, replace(AMY, gear=Gear(things=things))), "Amy", "us", left=False, environment="Urban", gravity=1
        ).burden
        for things in WEIGHTS
    ]
    assert carried[0] == carried[1] < carried[2]  # four kilograms made Large are twelve


WEIGHTS = ((), (Thing("safe", 4),), (Thing("safe", 4, modifications=("Large",)),))


def test_a_modification_of_a_thing_that_nobody_knows_is_named():
    odd = replace(AMY, gear=Gear(things=(Thing("watch", 0.2, 100, ("Elegent", "Modern")),)))
    problem = next(problem for problem in audit(RULES, odd).problems if problem.rule == "fs-item-modifications")
    assert (problem.field, problem.repair.value) == ("gear.things.0", ["Modern"])
    assert "Elegant" in problem.message
    assert gear_cost(RULES, odd.gear).value == 0
    assert gear_cost(RULES, Gear(ranged=(Arm("moon gun"),), melee=(Arm("moon blade"),))).value == 0


def test_a_weapon_is_carried_where_the_table_says():
    odd = replace(AMY, gear=Gear(ranged=(Arm("SL Pistol (TL5)", carried="Hip Holstr"), Arm("SL Pistol (TL5)", carried="Ankle"))))
    (problem,) = [problem for problem in audit(RULES, odd).problems if problem.rule == "fs-concealment"]
    assert (problem.field, problem.repair.value) == ("gear.ranged.0.carried", "Hip Holster")


def test_stamina_is_a_pool_and_no_test():  # 372, 1925: never 20+n
    runner = replace(AMY, attributes=Attributes(EN=12, WP=12), trained={}, skills={"Stamina": 11})
    found = sheet(RULES, runner)
    assert found.values()["score:Stamina"].value == "23"
    assert "Stamina" not in found.tests()


def test_the_inherent_value_is_shown_apart_from_the_points_spread():
    hardened = replace(AMY, background=(Background("Trained from Childhood", inherent={"EN": 1, "DX": 1, "PC": 1}), *AMY.background))
    found = sheet(RULES, hardened).values()
    assert (found["inherent:EN"].value, "inherent:ST" in found) == (8, False)


def test_what_a_scene_left_weighs_on_every_test():  # 2588, 2706-2710
    whole = sheet(RULES, AMY).tests()
    worn = {"wounds": 2, "worst": 2, "hurt": ["right arm", "left leg"], "stamina": 0, "was_exhausted": True, "ammo.pistol": 3}
    hurt = replace(AMY, condition=worn)
    found = sheet(RULES, hurt)

    def cost(name):
        modifiers = [sum(part.value for part in sheet_tests[name].parts) for sheet_tests in (found.tests(), whole)]
        return modifiers[0] - modifiers[1]

    assert [cost(name) for name in ("IN", "DX", "AG", "Handguns", "Stealth", "Theory")] == [-4, -6, -6, -6, -6, -4]
    assert pieces(hurt, Ladder)["Wound level"].now == 2
    assert pieces(hurt, Pool)["Stamina"].value == 0
    assert "pistol: 3 rounds" in pieces(hurt, Tag)
    file = replace(AMY, injuries=Injuries(wounds=1))
    assert sheet(RULES, file).tests()["IN"].parts[-1].value == -1  # and so do the injuries of an older file
    assert Person.of(RULES, replace(file, condition={"wounds": 3})).injuries.wounds == 3


def test_armor_that_nobody_knows_costs_nothing():
    assert gear_cost(RULES, Gear(armor=(Worn("moonsilver", "helmet"),))).value == 0
