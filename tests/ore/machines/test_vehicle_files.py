"""Vehicle files: ready-made ones, audit with repairs, sheet, and what scenes left of them."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.build.audit import repair
from rulewright.build.sheet_parts import Track
from rulewright.system import find
from rulewright.systems.ore.machines.audit import audit
from rulewright.systems.ore.machines.sheet import sheet
from rulewright.systems.ore.machines.starting_vehicle import plain_vehicle
from rulewright.systems.ore.machines.vehicle import Gun, Hands, Hold, Vehicle
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()
ORE = find("ore")
READY = sorted(ORE.archetypes("vehicle"))
CAR = Vehicle("Car", speeds={"land": 3}, length=4, passengers=4, skill="drive: cars")


def ready(name):
    return ORE.new(PLAIN, "vehicle", name)


def test_there_are_ten_vehicles_at_least_from_a_bicycle_to_a_ship_of_the_line():
    names = [name for name in READY if name not in ("all-rounder", "nothing")]
    assert len(names) >= 10
    sizes = {ready(name).size for name in names}
    assert sizes >= {1, 2, 3, 4}
    assert {mode for name in names for mode in ready(name).modes} >= {"sea", "land", "air", "relativistic", "space", "stellar"}


@pytest.mark.parametrize("name", READY)
def test_every_ready_made_vehicle_is_legal(name):
    assert audit(PLAIN, ready(name)).legal


def test_the_plain_beginning_is_legal_without_a_warning():
    assert audit(PLAIN, plain_vehicle(PLAIN)).problems == ()


BROKEN = {
    "handling": replace(CAR, handling=6),
    "size": replace(CAR, size=7),
    "speeds.land": replace(CAR, speeds={"land": 7}),
    "length": replace(CAR, length=-1),
    "armour": replace(CAR, armour=11),
    "crew": replace(CAR, crew=0),
    "firepower": replace(CAR, firepower=21, weapons=(Gun("gun"),)),
    "sensors": replace(CAR, sensors=6),
    "cargo.space": replace(CAR, cargo=Hold(-1)),
    "weapons.0.pen": replace(CAR, weapons=(Gun("gun", -1),)),
    "weapons.0.shots": replace(CAR, weapons=(Gun("gun", 0, "VR", -1),)),
    "weapons.1.name": replace(CAR, weapons=(Gun("gun"), Gun("gun"))),
    "weapons": replace(CAR, firepower=2),
    "systems.0": replace(CAR, systems=("engin",)),
    "system_map.9": replace(CAR, system_map={"9": "engin"}),
    "system_map": replace(CAR, system_map={"1-10": "cargo"}),
    "hands.pilot": replace(CAR, hands=Hands(pilot=6)),
    "hands.body": replace(CAR, hands=Hands(body=0)),
    "condition.marked": replace(CAR, condition={"marked": 4}),
    "condition.hits": replace(CAR, condition={"hits": [["engine", 3]]}),
    "condition.rust": replace(CAR, condition={"rust": 1}),
}


@pytest.mark.parametrize("field", BROKEN)
def test_every_breach_is_found_at_its_field_and_repaired_by_its_own_repair(field):
    thing = BROKEN[field]
    problems = [problem for problem in audit(PLAIN, thing).problems if not problem.warning]
    assert field in [problem.field for problem in problems]
    for _ in range(10):
        problems = [problem for problem in audit(PLAIN, thing).problems if not problem.warning]
        if not problems:
            break
        thing = repair(thing, problems[0])
    assert audit(PLAIN, thing).legal


def test_a_length_of_another_size_is_a_breach_and_on_the_border_either_will_do():
    assert [problem.repair.value for problem in audit(PLAIN, replace(CAR, length=12)).problems] == [2]
    assert audit(PLAIN, replace(CAR, length=10)).legal
    assert audit(PLAIN, replace(CAR, length=10, size=2)).legal


@pytest.mark.parametrize(
    "thing",
    [
        replace(CAR, size=6, length=0),
        replace(CAR, speeds={"land": 6}),
        replace(CAR, speeds={}),
        replace(CAR, weapons=(Gun("missile", 1, "BVR"),)),
        replace(CAR, skill="yodel: alps"),
        replace(CAR, system_map={"1": "cockpit", "10": "cargo"}),
    ],
    ids=["size 6", "speed 6", "no mode", "missiles without sensors", "unknown skill", "vital system low"],
)
def test_what_is_unwise_but_not_forbidden_is_a_warning(thing):
    found = audit(PLAIN, thing)
    assert found.legal
    assert any(problem.warning for problem in found.problems)


def test_the_sheet_shows_what_driving_at_full_speed_costs_and_the_three_tracks():
    roadster = sheet(PLAIN, ready("sports_car"))
    assert roadster.values()["difficulty_land"].value == 4
    assert roadster.values()["boxes"].value == 3
    tracks = [piece for section in roadster.sections for piece in section.pieces if isinstance(piece, Track)]
    assert [(track.name, track.boxes, track.marks) for track in tracks] == [("Undamaged", 1, ()), ("Blasted", 1, ()), ("Crippled", 1, ())]


def test_the_sheet_shows_a_threat_rating_for_fighters_and_none_for_large_ships():
    assert sheet(PLAIN, ready("void_fighter")).values()["threat"].value == 5
    assert "threat" not in sheet(PLAIN, ready("ship_of_the_line")).values()


def test_the_sheet_shows_what_scenes_left():
    hurt = replace(ready("jet_fighter"), condition={"marked": 3, "hits": [["engine", 1]]})
    drawn = sheet(PLAIN, hurt)
    tracks = [piece for section in drawn.sections for piece in section.pieces if isinstance(piece, Track)]
    assert [len(track.marks) for track in tracks] == [2, 1, 0]
    assert drawn.values()["height_8"].note == "damaged: -1d"


def test_a_map_that_cannot_be_read_still_draws_a_sheet():
    assert sheet(PLAIN, replace(CAR, system_map={"eleven": "engine"})).sections


def test_the_tests_of_a_nameless_crew_are_statistic_and_skill():
    tests = sheet(PLAIN, ready("frigate_of_the_line")).tests()
    assert tests["firepower_gunnery"].notation == "9d"
    assert tests["sensors_computers"].notation == "6d"


def test_a_vehicle_file_is_taken_like_any_other():
    kept = library.take("ore/vehicles/bicycle")
    assert (kept.kind, kept.thing.size, kept.thing.modes) == ("vehicle", 1, {"land": 1})
