"""The sheet shows what the campaign's options make of health, weapons and armour; the audit finds what nobody could carry."""

from msgspec.structs import replace

from rulewright.build.sheet_parts import Rows, Tag, Track
from rulewright.systems.ore.game import OneRollEngine
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.settings import BOOK

GAME = OneRollEngine()
KNIGHT = Character(
    "Ulf",
    statistics=Statistics(body=3, insight=4),
    skills={"close combat": 2, "swords": 2},
    weapons=("broadsword", "longbow: pull 3"),
    armour={"all": "plate mail", "torso": "chain mail, weak"},
    shield="small",
)


def section(title, character=KNIGHT, **chosen):
    rules = BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})
    return next(part.pieces for part in GAME.sheet(rules, character).sections if part.title == title)


def values(character=KNIGHT, **chosen):
    rules = BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})
    return {key: value.value for key, value in GAME.sheet(rules, character).values().items()}


def tracks(**chosen):
    return {piece.name: piece.boxes for piece in section("Health", **chosen) if isinstance(piece, Track)}


def test_health_is_drawn_as_the_damage_system_has_it():
    assert tracks() == {"Head": 4, "Torso": 10, "Right arm": 5, "Left arm": 5, "Right leg": 5, "Left leg": 5}
    assert tracks(deadly_locations=True)["Vital"] == 4
    assert tracks(deadly_locations=True)["Torso"] == 6
    assert tracks(damage_system="vital") == {"Kill Boxes": 3, "Vital Boxes": 5, "Shock Boxes": 5}
    assert tracks(damage_system="abstract") == {"Down Boxes": 3, "Out Boxes": 3}
    assert values(damage_system="abstract")["health_threshold"] == 7
    assert values(damage_system="vital")["shock_for_a_box"] == 3
    assert values(wounds=True)["wound_threshold"] == 3
    assert "wound_threshold" not in values()


def test_initiative_stands_there_unless_it_is_rolled():
    assert values()["initiative"] == 4
    assert "initiative" not in values(random_initiative=True)


def test_encumbrance_and_what_it_makes_of_athletics():
    assert "encumbrance" not in values()
    heavy = values(encumbering_armour=True)
    assert (heavy["encumbrance"], heavy["athletic_difficulty"]) == (2 + 2 + 2 + 3, 9)
    tags = [piece.name for piece in section("Health", encumbering_armour=True) if isinstance(piece, Tag)]
    assert tags == ["encumbered"]


def test_weapons_with_their_dice_and_figures():
    tests = {piece.name: piece for piece in section("Weapons")}
    assert tests["Broadsword"].notation == "5d"
    assert tests["Broadsword"].note == "W+2 Kill, W+0 Shock, one hand"
    assert tests["Bare hands"].note == "W+0 Kill, W+0 Shock"
    assert tests["Parry with the broadsword"].notation == "5d"
    assert "m" in tests["Longbow"].note
    classes = {piece.name: piece.note for piece in section("Weapons", damage_classes=True, weapon_reach=True)}
    assert classes["Broadsword"] == "W+2 Kill, W+0 Shock, C-P, Reach 3, one hand"
    pen = {piece.name: piece.note for piece in section("Weapons", melee_penetration=True, penetration=True)}
    assert "PEN 1" in pen["Broadsword"]


def armour_rows(**chosen):
    (rows,) = [piece for piece in section("Armour", **chosen) if isinstance(piece, Rows)]
    return {where: (what, stops) for where, what, stops in rows.rows}


def test_armour_says_what_it_stops_under_the_options():
    assert armour_rows()["torso"] == ("chain mail, weak", "AR 2")
    assert armour_rows(stronger_armour=True)["head"] == ("plate mail", "AR 6")
    assert armour_rows(light_and_heavy_armour=True)["torso"] == ("chain mail, weak", "2 Kill, 3 Shock")
    assert armour_rows(stronger_armour=True, damage_classes=True)["torso"] == ("chain mail, weak", "AR 3 (C3-I1-P2)")


def test_what_nobody_could_carry_is_a_problem_with_a_way_out():
    odd = Character("Odd", weapons=("broadsord",), armour={"tail": "light", "head": "tin"})
    found = {problem.field: problem for problem in GAME.audit(BOOK.ruleset(), odd).problems if not problem.warning}
    assert {"weapons.0", "armour.tail", "armour.head"} <= set(found)
    assert "did you mean" in found["weapons.0"].message
    assert found["weapons.0"].repair.value == []
    assert GAME.sheet(BOOK.ruleset(), odd).tests()["attack.0.bare hands"]


def test_what_the_body_itself_stops_stands_with_the_armour():
    skin = Owned("preternatural resistance", rating=2, choice="impact")
    (armour,) = section("Armour", Character("Ana", advantages=(skin,)))
    assert armour.rows == (("everywhere", "the body itself against class I", "AR 2"),)


def test_what_scenes_left_stands_on_the_sheet_and_weighs_on_its_tests():
    rules = BOOK.ruleset()
    left = {
        "parts.torso.kill": 3,
        "parts.torso.shock": 2,
        "wounds": [{"location": "torso", "bleeding": False, "rounds": 0}],
        "spent..44 magnum": 3,
    }
    sound = Character("Ann", statistics=Statistics(body=3, coordination=3), skills={"small arms": 2}, weapons=(".44 magnum",))
    hurt = replace(sound, condition=left)
    sheets = [OneRollEngine().sheet(rules, one) for one in (sound, hurt)]
    pieces = [{piece.name: piece for section in sheet.sections for piece in section.pieces} for sheet in sheets]
    assert [page["Torso"].marks for page in pieces] == [(), ("x", "x", "x", "/", "/")]
    assert [page[".44 magnum"].notation for page in pieces] == ["5d", "5d-1d"]
    assert pieces[1][".44 magnum"].note.endswith("5 of 8 loaded")
    assert OneRollEngine().audit(rules, hurt).legal
    nonsense = replace(sound, condition={"hunger": 3, "parts.head.kill": 99})
    assert [problem.field for problem in OneRollEngine().audit(rules, nonsense).problems] == [
        "condition.hunger",
        "condition.parts.head.kill",
    ]
