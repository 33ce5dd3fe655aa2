"""The sheet: everything there is to see of a character, drawn from the common pieces."""

import time

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from rulewright.build.audit import change
from rulewright.build.sheet_parts import Budget, Modifier, Pick, Rows, Sheet, Stepper, Tag, Track
from rulewright.build.sheet_parts import Pool as Owned
from rulewright.highest_die.notation import parse
from rulewright.highest_die.tests import DicePool
from rulewright.rules import House
from rulewright.systems.scumm import SYSTEM
from rulewright.systems.scumm.build.audit import audit
from rulewright.systems.scumm.build.sheet import sheet
from rulewright.systems.scumm.harm.healing import Medic
from rulewright.systems.scumm.people.characters import (
    ATTRIBUTES,
    Attributes,
    Award,
    Character,
    Gear,
    Injuries,
    Item,
    Purchase,
    Spent,
    derived,
)
from rulewright.systems.scumm.settings import BOOK

from .test_audit import CHARACTERS

RULES = BOOK.ruleset()
DI = Character(
    "Di",
    concept="somebody",
    attributes=Attributes(alertness=1, body=2, intelligence=0, spirit=2),
    skills={"rifles": 3, "brawl": 2, "forgery": 1, "athletics": 1},
    specializations={"rifles": ("9mm rifle", "night-time")},
    emergency_dice=4,
    gear=Gear(melee=("knife",), guns=("9mm rifle",), armor="leather", other=(Item("rope", 3, 1),)),
)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def with_(**fields):
    return msgspec.structs.replace(DI, **fields)


def of(character=DI, rules=RULES) -> Sheet:
    return sheet(rules, character)


def pieces(kind, character=DI, rules=RULES):
    return {piece.name: piece for section in of(character, rules).sections for piece in section.pieces if isinstance(piece, kind)}


def test_the_sheet_says_whose_it_is():
    found = of()
    assert (found.system, found.kind, found.name, found.subtitle) == ("scumm", "character", "Di", "somebody")


def test_the_budgets_are_those_of_the_audit():
    assert tuple(pieces(Budget).values()) == audit(RULES, DI).budgets


def test_attributes_are_signed_steppers_within_their_limits():
    body = pieces(Stepper)["Body"]
    assert (body.field, body.value, body.low, body.high, body.signed) == ("attributes.body", 2, -3, 3, True)


def test_a_stepper_changes_what_its_field_names():
    for piece in pieces(Stepper).values():
        changed = change(DI, piece.field, piece.value + 1)
        again = {each.field: each.value for each in pieces(Stepper, changed).values()}
        assert again[piece.field] == piece.value + 1


def test_the_derived_values_stand_under_their_names_with_their_reasons():
    values = of().values()
    expected = derived(RULES, DI.attributes, 2, 0)
    assert set(expected) <= set(values)
    for key, value in expected.items():
        assert values[key].value == value.value
        assert values[key].reasons == value.reasons
        assert values[key].rule == "scumm-derived-attributes"
    assert values["flesh_wound_threshold"].note == "Stamina / 2, rounded up"
    assert values["health"].signed


def test_movement_rates_follow_body_and_athletics():
    values = of().values()
    assert [values[f"{mode}_rate"].value for mode in ("sprinting", "running", "normal", "crawling")] == [35, 23, 12, 3]


def test_loads_are_shown_where_the_campaign_uses_them():
    assert "heavy_load" not in of().values()
    assert of(rules=under(carrying_capacity=True)).values()["heavy_load"].value == 94
    assert "heavy_load" not in of(with_(attributes=Attributes(body=9)), under(carrying_capacity=True)).values()


def test_every_skill_has_a_test_with_its_dice_and_its_attribute():
    test = of().tests()["rifles"]
    assert test.notation == "3d+1"
    assert [(part.label, part.value) for part in test.parts] == [("Rifles 3d", 0), ("Alertness", 1)]


def test_skills_never_learnt_are_listed_as_unskilled_tests():
    tests = of().tests()
    assert len([key for key in tests if key in {row.field.partition(".")[2] for row in pieces(Stepper).values()}]) >= 32
    assert tests["swim"].notation == "unskilled+2"
    assert tests["swim"].rule == "scumm-unskilled-test"
    assert pieces(Stepper)["Swim"].value == 0


def test_what_is_rolled_without_a_skill():
    tests = of().tests()
    assert {key: tests[key].notation for key in (*ATTRIBUTES, "health", "defense", "combat_sense")} == {
        "alertness": "2d+1",
        "body": "2d+2",
        "intelligence": "2d",
        "spirit": "2d+2",
        "health": "2d+2",
        "defense": "4d",
        "combat_sense": "3d",
    }
    assert of(rules=under(health_test_dice=3)).tests()["health"].notation == "3d+2"


def test_every_notation_of_the_sheet_can_be_rolled():
    for test in of().tests().values():
        dice = parse(test.notation, DicePool).pool.dice
        assert dice == (0 if "unskilled" in test.notation else int(test.notation.partition("d")[0]))
        SYSTEM.test(RULES, test.notation + " vs 4")


def test_the_situations_of_combat_are_chips_with_their_groups():
    chips = of().tests()["rifles"].modifiers
    assert Modifier("long range", -2, "scumm-combat-modifiers", group="range") in chips
    assert [chip.value for chip in chips if chip.label == "very dimly lit"] == [-2, -3]
    assert {chip.group for chip in chips if chip.label == "intoxicated"} == {"intoxicated"}
    assert Modifier("using off-hand", -1, "scumm-combat-modifiers") in chips
    assert not any(chip.label == "heavy cover" for chip in chips)


def test_ranges_matter_to_shots_and_cover_to_defense():
    tests = of().tests()
    assert not any(chip.group == "range" for chip in tests["brawl"].modifiers)
    assert Modifier("heavy cover", 2, "scumm-combat-modifiers", group="cover") in tests["defense"].modifiers
    assert tests["etiquette"].modifiers == (Modifier("unfamiliar milieu", -2, "scumm-etiquette-unfamiliar"),)
    assert tests["forgery"].modifiers == (Modifier("unfamiliar field", -2, "scumm-forgery-unfamiliar"),)


def test_specializations_are_chips_of_one_group():
    chips = [chip for chip in of().tests()["rifles"].modifiers if chip.group == "specialization"]
    assert [(chip.label, chip.value, chip.on) for chip in chips] == [
        ("specialization: 9mm rifle", 1, False),
        ("specialization: night-time", 1, False),
    ]


def test_wounds_weigh_on_every_test():
    hurt = with_(injuries=Injuries(flesh=2, deep=1))
    for test in of(hurt).tests().values():
        assert test.modifiers[0] == Modifier("wounds", -4, "scumm-injuries", on=True)
    assert not any(chip.on for test in of().tests().values() for chip in test.modifiers)
    assert pieces(Tag, hurt)["wounded"].effect == "1 Deep wound and 2 Flesh wounds: -4 on every test"


def test_a_heavy_load_weighs_on_every_test_where_the_campaign_counts_it():
    loaded = with_(gear=Gear(other=(Item("anvil", 80),)))
    chips = of(loaded, under(carrying_capacity=True)).tests()["swim"].modifiers
    assert [(chip.label, chip.value, chip.on) for chip in chips] == [("load", -2, True)]
    assert of(loaded).tests()["swim"].modifiers == ()


def test_the_system_shock_track_shows_every_wound():
    track = pieces(Track, with_(injuries=Injuries(flesh=1, deep=1, bruised_flesh=1)))["System Shock"]
    assert (track.boxes, track.marks) == (7, ("for Deep wounds", "for Deep wounds", "for Flesh wounds", "for Flesh bruises"))


def test_emergency_dice_are_a_pool():
    pool = pieces(Owned, with_(advancement=(Spent(1), Award(2), Purchase("emergency dice", to=2))))["Emergency Dice"]
    assert (pool.value, pool.most) == (5, 6)


def test_a_defense_of_nothing_is_tagged():
    weak = with_(attributes=Attributes(alertness=-1))
    assert of(weak).tests()["defense"].notation == "unskilled"
    assert "no Defense" in pieces(Tag, weak)


def test_attacks_name_their_damage_and_range():
    tests = of().tests()
    assert tests["attack.unarmed"].note == "damage × 6"
    assert tests["attack.knife"].note == "damage × 6"
    assert tests["throw.knife"].note == "damage × 6, 3/6/12/24 m"
    assert tests["attack.9mm rifle"].note == "damage × 5, 50/100/200/400 m, 7 shots"
    assert tests["attack.9mm rifle"].notation == tests["rifles"].notation


def test_gear_can_be_added_and_says_what_needs_leave():
    rows = pieces(Rows)
    assert rows["Guns"].rows == (("9mm rifle", "× 5", "50/100/200/400", "7", "8"),)
    offered = {choice.key: choice for choice in rows["Guns"].addable}
    assert (len(offered), offered["shotgun"].barred, offered["assault rifle"].barred) == (14, "", "needs the gamemaster's permission")
    free = pieces(Rows, rules=under(restricted_needs_leave=False))["Guns"].addable
    assert not any(choice.barred for choice in free)
    armor = pieces(Pick)["Armor"]
    assert (armor.value, len(armor.options)) == ("leather", 6)
    assert rows["Other things"].rows == (("rope", "3 kg", "1"),)
    assert of().values()["wealth_spent"].value == 1 + 8 + 3 + 1


def test_a_gun_of_the_house_is_offered_too():
    row = {"damage": 1, "range": [2, 4, 8, 16], "ammo": 1, "cost": 1, "skill": "pistols"}
    house = BOOK.ruleset(house=House(tables={"scumm-guns": {"zip gun": row}}))
    offered = {choice.key: choice.source for choice in pieces(Rows, rules=house)["Guns"].addable}
    assert offered["zip gun"] == "house"


def test_what_experience_bought_counts_in_tests_and_stands_in_the_notes():
    log = (
        Award(80),
        Purchase("skill", "rifles", 4),
        Purchase("attribute", "body", 3),
        Purchase("specialization", "brawl", name="striking"),
    )
    grown = with_(advancement=log)
    assert of(grown).tests()["rifles"].notation == "4d+1"
    assert pieces(Stepper, grown)["Rifles"].value == 3
    assert pieces(Stepper, grown)["Rifles"].note == "level 4 with experience"
    assert pieces(Stepper, grown)["Body"].note == "+3 with experience"
    assert of(grown).values()["experience_left"].value == 80 - 15 - 50 - 5
    assert pieces(Stepper, grown)["Rifles"].levels == (3, 4)
    assert pieces(Stepper, grown)["Body"].levels == (2, 3)
    assert sorted(int(row[2]) for row in pieces(Rows, grown)["Log"].rows if row[0] == "bought") == [-50, -15, -5]
    assert len(pieces(Rows, grown)["Log"].rows) == 4


def test_prices_stand_beside_the_levels():
    assert pieces(Stepper)["Rifles"].price == "10 points, next 15"
    assert pieces(Stepper)["Swim"].price == "0 points, next 1"
    assert pieces(Stepper, with_(skills={"rifles": 4}))["Rifles"].price == "15 points"
    assert pieces(Stepper, rules=under(creation_costs="steps"))["Rifles"].price == "16 points, next 31"


def test_a_sheet_is_plain_data():
    assert msgspec.json.decode(msgspec.json.encode(of()), type=Sheet) == of()


@pytest.mark.parametrize(
    "absurd",
    [
        with_(attributes=Attributes(10**12, 10**12, 10**12, 10**12), skills={"rifles": 10**12, "zzz": 3, "": 1}),
        with_(injuries=Injuries(10**12, 10**12, 10**12, 10**12)),
        with_(gear=Gear(guns=("gnu",), melee=("spoon",), armor="cardboard")),
        with_(skills={f"skill {n}": n for n in range(500)}),
        with_(attributes=Attributes(-(10**12), -(10**12), -(10**12), -(10**12))),
    ],
)
def test_absurd_files_still_have_a_sheet_and_quickly(absurd):
    begun = time.process_time()
    found = of(absurd)
    assert time.process_time() - begun < 20
    assert all(piece.boxes <= 60 for section in found.sections for piece in section.pieces if isinstance(piece, Track))


@given(CHARACTERS)
@settings(max_examples=100)
def test_any_character_has_a_sheet(character):
    assert of(character).name == "Anybody"
    assert of(character, BOOK.ruleset("all options")).name == "Anybody"


# --- what scenes left ---------------------------------------------------------------------------------------------------------


def test_the_sheet_shows_what_scenes_left():
    character = Character(
        "Ilse",
        skills={"medicine": 3, "pistols": 1},
        emergency_dice=3,
        gear=Gear(guns=(".38 revolver",)),
        injuries=Injuries(flesh=1),
        condition={"flesh": 2, "emergency_dice": 1, "ammo..38 revolver": 4, "jammed..38 revolver": True, "coma": True},
    )
    drawn = sheet(BOOK.ruleset(), character)
    pieces = {piece.name: piece for section in drawn.sections for piece in section.pieces if not isinstance(piece, Stepper)}
    assert pieces["System Shock"].marks == ("for Flesh wounds", "for Flesh wounds")
    assert pieces["Emergency Dice"].value == 1
    assert pieces["wounded"].effect == "2 Flesh wounds: -2 on every test"
    assert "in a coma" in pieces
    assert "4 of 6 shots, jammed" in pieces[".38 revolver"].note
    medicine = drawn.tests()["medicine"]
    assert [(chip.label, chip.value) for chip in medicine.modifiers if chip.on] == [("wounds", -2)]
    assert Medic.of(BOOK.ruleset(), character).penalty == -2


def test_the_audit_refuses_of_it_only_what_cannot_be():
    sound = {"flesh": 2, "trauma": None, "limbs": [{"limb": "left arm", "flesh": 1}], "ammo.9mm pistol": 3, "jammed.9mm pistol": False}
    character = Character("Ilse", gear=Gear(guns=("9mm pistol",)), condition=sound)
    assert not [problem for problem in audit(BOOK.ruleset(), character).problems if problem.field == "condition"]
    nonsense = {"flesh": -1, "legs": 3, "ammo.cannon": 3, "ammo.9mm pistol": -3, "coma": "deep"}
    found = audit(BOOK.ruleset(), replace(character, condition=nonsense)).problems
    assert len([problem for problem in found if problem.field == "condition"]) == len(nonsense)
    assert sheet(BOOK.ruleset(), replace(character, condition=nonsense)).name == "Ilse"
