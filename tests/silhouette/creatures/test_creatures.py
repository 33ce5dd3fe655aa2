"""Creatures: the printed horse, sizes, skills, movement, and beasts in a fight (book lines 5276-5436)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Seeded, play, script
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.systems.silhouette.attacks.attack_setup import guards
from rulewright.systems.silhouette.combat.entrants import enter
from rulewright.systems.silhouette.combat.fighters import Fight, Ground
from rulewright.systems.silhouette.creatures import creatures
from rulewright.systems.silhouette.creatures.audit import audit_creature
from rulewright.systems.silhouette.creatures.creatures import BULKS, PRINTED, Creature
from rulewright.systems.silhouette.machines.design.speeds import combat_speed
from rulewright.systems.silhouette.people.body_plan import NaturalWeapon
from rulewright.systems.silhouette.people.secondary_attributes import EXPANDED, MASS
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
GAME = find("silhouette")
HOUND = library.take("silhouette/creatures/hound").thing


def test_bodies_are_as_heavy_as_lines_5318_to_5344_say():
    tons = 1_000
    printed = {
        15: (55 * tons, 79_900),
        14: (35 * tons, 54_900),
        13: (20 * tons, 34_900),
        12: (10 * tons, 19_900),
        11: (5 * tons, 9_900),
        10: (3 * tons, 4_900),
        9: (tons, 2_900),
        8: (600, 999.9),
        7: (400, 599.9),
        6: (250, 399.9),
        5: (180, 249.9),
        4: (140, 179.9),
        3: (115, 139.9),
        2: (95, 114.9),
        1: (80, 94.9),
        0: (70, 79.9),
        -1: (60, 69.9),
        -2: (50, 59.9),
        -3: (40, 49.9),
        -4: (25, 39.9),
        -5: (10, 24.9),
        -6: (5, 9.9),
        -7: (1, 4.9),
        -8: (0.1, 1),
        -9: (0.01, 0.1),
        -10: (0, 0.01),
    }
    assert {row.build: (row.kg_from, row.kg_to) for row in EXPANDED(PLAIN).values()} == printed
    for row in MASS(PLAIN).values():
        assert printed[row.build] == (row.kg_from, row.kg_to)


@given(st.floats(0.001, 79_000))
def test_every_mass_has_the_build_whose_band_it_lies_in(kilograms):
    build = creatures.build_for(PLAIN, kilograms)
    low = EXPANDED(PLAIN)[str(build)].kg_from
    above = EXPANDED(PLAIN).get(str(build + 1))
    assert low <= kilograms
    assert above is None or kilograms < above.kg_from


def test_beyond_the_table_everything_has_one_build_more():
    assert [creatures.build_for(PLAIN, kilograms) for kilograms in (79_999, 80_000, 500_000)] == [15, 16, 16]
    assert creatures.bulk_of(PLAIN, 16) == "colossal"


def test_bulk_is_printed_in_nine_classes():
    found = [(row.bulk, row.build, row.vehicle_size) for row in BULKS(PLAIN).values()]
    assert found == [
        ("fine", -10, 0),
        ("diminutive", -8, 0),
        ("tiny", -6, 0),
        ("small", -4, 0),
        ("medium", 0, 1),
        ("large", 6, 1),
        ("huge", 10, 2),
        ("gargantuan", 15, 8),
        ("colossal", 16, 10),
    ]
    assert [creatures.bulk_of(PLAIN, build) for build in (5, 6, 9, 10, 15, 20, -1, -2, -3, -5, -9)] == [
        *("medium", "large", "large", "huge", "gargantuan", "colossal"),
        *("medium", "medium", "small", "small", "diminutive"),
    ]
    assert creatures.vehicle_size(PLAIN, 12) == 2


def test_the_horse_has_the_figures_that_are_printed_for_it():
    row = PRINTED(PLAIN)["horse"]
    assert (row.agility, row.build, row.fitness, row.instinct, row.perception, row.willpower) == (1, 7, 1, 1, 0, 1)
    horse = creatures.printed_creature(PLAIN, "horse")
    found = creatures.traits_of(PLAIN, horse)
    assert {name: found[name].value for name in ("strength", "health", "stamina", "unarmed_damage")} == {
        "strength": 4,
        "health": 1,
        "stamina": 65,
        "unarmed_damage": 14,
    }
    assert horse.skills == {"athletics": 1, "combat sense": 1, "defense": 1}
    assert creatures.natural_damage(14, horse.weapons[0]).value == 23
    assert creatures.body_plan(PLAIN, horse).speed == 75
    assert creatures.walking_speed(75).value == 25


def test_a_creature_as_a_person_has_the_same_secondary_values():
    from rulewright.systems.silhouette.people.secondary_attributes import secondary_of

    for name in GAME.demos():
        if name.startswith("creatures/"):
            creature = library.take(f"silhouette/{name.removesuffix('.yaml')}").thing
            as_person = secondary_of(PLAIN, creature.as_person(PLAIN))
            own = creatures.traits_of(PLAIN, creature)
            assert {key: value.value for key, value in own.items()} == {key: as_person[key].value for key in own}


def test_a_creature_as_a_person_knows_what_it_has_learnt_and_no_more():
    beast = replace(HOUND, skills={"notice": 2, "stealth": 1, "defense": 0}, complexity={"notice": 2, "stealth": 1})
    person = beast.as_person(PLAIN)
    assert (person.skills, person.complexity) == ({"notice": 2, "stealth": 1}, {"notice": 2})


def test_instinct_is_tested_harder_with_tools_and_not_at_all_without_hands():
    assert creatures.instinct_threshold(4) == 4
    assert creatures.instinct_threshold(4, tool=True, manipulators=True) == 7
    assert creatures.instinct_threshold(9, tool=True, manipulators=True) == 9
    with pytest.raises(UserError, match="hands"):
        creatures.instinct_threshold(7, tool=True)
    odds = exact(lambda: creatures.instinct_test(PLAIN, 1, 5))
    assert Fraction(sum(w for o, w in odds.weights.items() if o.total >= 5), odds.total) == Fraction(27, 36)
    assert [creatures.stands_for(name) for name in ("knowledge", "creativity", "agility")] == ["instinct", "instinct", "agility"]
    assert (creatures.kind_of_being(True), creatures.kind_of_being(False)) == ("character", "creature")


@pytest.mark.parametrize(("build", "defense"), [(-10, 5), (-6, 1), (-5, 0), (0, 0), (6, 0), (7, -1), (10, -4)])
def test_the_small_are_hard_to_hit_and_the_big_easy(build, defense):
    assert creatures.size_defense(build).value == defense


def test_animals_have_the_defense_of_their_habits_and_never_parry():
    assert [creatures.usual_defense(habit) for habit in ("predator", "flees", "freezes")] == [1, 2, 0]
    assert not creatures.may_parry()


@pytest.mark.parametrize(("sum_of_all", "speed"), [(10, 75), (0, 25), (-4, 5), (-5, 1), (-9, 1)])
def test_creatures_run_25_and_5_for_each_point_and_never_less_than_1(sum_of_all, speed):
    assert creatures.running_speed(sum_of_all).value == speed


def test_a_mount_helps_or_hinders_its_rider_by_three_at_most():
    assert script(creatures.ride(PLAIN, Pool(2), 3, 7), [(4, 2)]).outcome is True
    assert script(creatures.ride(PLAIN, Pool(2), -3, 4), [(5, 2)]).outcome is False
    with pytest.raises(UserError):
        creatures.riding_modifier(4)


def test_a_trample_has_twice_the_build_and_hide_is_added_to_the_thresholds():
    assert creatures.natural_damage(20, NaturalWeapon("trample", trample=True), 10).value == 20
    assert creatures.hide_thresholds(15) == (28, 40, 65)


def test_a_beast_in_a_fight_wounds_with_its_teeth_dodges_and_parries_nothing():
    beast = enter(PLAIN, HOUND, "Rex", "dogs")
    assert beast.weapon.natural
    assert beast.weapon.damage == creatures.traits_of(PLAIN, HOUND)["unarmed_damage"].value + 4
    man = enter(PLAIN, library.take("silhouette/bounty-rider").thing, "Ezekiel", "people")
    assert guards(PLAIN, Fight(Ground(), (beast, man)), beast) == ("dodge",)
    assert beast.profile.sprint == 25 + 5 * (1 + 1 - 4 + 2)
    assert beast.body.system_shock == creatures.traits_of(PLAIN, HOUND)["system_shock"].value


def test_hide_covers_a_beast_from_head_to_foot():
    bear = library.take("silhouette/creatures/cave-bear").thing
    body = enter(PLAIN, bear, "Bruin", "bears").body
    assert body.armor == 5
    assert {"head", "left foot", "torso"} <= set(body.covers)


@pytest.mark.parametrize("seed", range(6))
def test_beasts_swarms_and_people_fight_to_an_end(seed):
    found = library.stage("silhouette/beasts")
    last = play(run(found.scene, found.state), dice=Seeded(seed), decide=found.decide).outcome
    assert found.scene.result(last) is not None


def test_an_audit_finds_what_no_creature_can_have():
    odd = Creature("Odd", attributes={"build": 40, "psyche": 2}, skills={"telepathy": 1, "defense": 4}, mass=3, armor=-2, riding=5)
    fields = {problem.field for problem in audit_creature(PLAIN, odd).problems}
    assert {"attributes.build", "attributes.psyche", "armor", "riding", "skills.defense"} <= fields
    heavy = replace(HOUND, mass=500)
    assert [problem.field for problem in audit_creature(PLAIN, heavy).problems] == ["mass"]
    assert audit_creature(PLAIN, HOUND).legal


def test_twelve_creatures_and_six_races_ship():
    kinds = [name.split("/")[0] for name in GAME.demos()]
    assert (kinds.count("creatures"), kinds.count("races")) == (12, 6)


def test_the_printed_dragon_is_ready_made_lines_7437_to_7473():
    machine = library.take("silhouette/vehicles/dragon").thing
    assert (machine.build, machine.size, machine.armor, machine.maneuver, machine.crew) == ("monster", 9, 6, -2, 2)
    assert [(way.type, combat_speed(way.top).value, way.top, way.stall) for way in machine.movement] == [
        ("air", 3, 5, 1),
        ("walker", 1, 2, 0),
    ]
    printed = [("front claw", 0, 3), ("back claw grab", -1, 4), ("tail swipe", 0, 4), ("bite", 0, 5), ("fire breath", 0, 5)]
    assert [(system.name, system.accuracy, system.damage) for system in machine.systems if "wing" not in system.name] == printed
    assert GAME.audit(PLAIN, machine).legal
