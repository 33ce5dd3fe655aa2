"""Perks and Flaws that belong to movement, seeing and plain attacks, each as a battle asks for it (book lines 9028-9625)."""

from msgspec.structs import replace

from rulewright.play import Seeded, play, script
from rulewright.systems.silhouette.battle.actions.movement.flight import _landing
from rulewright.systems.silhouette.battle.movement.aircraft import _has_diving_wings
from rulewright.systems.silhouette.breakage.damage import PLAIN, hull_after
from rulewright.systems.silhouette.breakage.systems import Blow, systems_damage
from rulewright.systems.silhouette.detection.concealment import watched_of
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of, shot
from rulewright.systems.silhouette.gunnery.modifiers import side_mod
from rulewright.systems.silhouette.gunnery.rams import ram_damage
from rulewright.systems.silhouette.machines.machine import Way, machine
from rulewright.systems.silhouette.machines.vehicle import Fitted, Movement
from rulewright.systems.silhouette.maneuver.air.control import lost_control
from rulewright.systems.silhouette.maneuver.air.descent import pull_out, stalls
from rulewright.systems.silhouette.maneuver.air.flight import ahead_before_climbing, tight_turn
from rulewright.systems.silhouette.maneuver.course_limits import made_for
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.units.people import against_person
from silhouette.battle.test_system_perks import armed, do, fire, mods, pair
from silhouette.battles import COMMS, RULES, battle, unit, vehicle

FLYER = (Movement("air", 8, stall=2),)


def design(*perks, flaws=(), **changes):
    return vehicle(perks=(COMMS, *perks), flaws=tuple(flaws), **changes)


def built(*perks, flaws=(), **changes):
    return machine(RULES, design(*perks, flaws=flaws, **changes))


def test_a_tight_turn_is_borne_better_with_protection():
    for protected, lost in ((False, 1), (True, 0)):
        flown = script(tight_turn(RULES, Pool(2), 0, 2, 1, protected=protected), [(5, 5), (3, 2)]).outcome
        assert flown.actions == lost


def test_a_ram_plate_halves_what_the_rammer_takes():
    assert (ram_damage(RULES, 3, 10).value, ram_damage(RULES, 3, 10, plate=True).value) == (30, 15)


def test_all_around_armor_takes_one_off_the_side():
    assert [side_mod(RULES, "rear").value, side_mod(RULES, "rear", all_around=True).value] == [-2, -1]
    assert side_mod(RULES, "left rear flank", all_around=True).value == 0


def test_brittle_armor_is_lost_twice_as_fast():
    plain, brittle = unit("One"), unit("Two", design=design(Fitted("brittle")))
    assert [hull_after(RULES, each, "light", PLAIN).wear.armor for each in (plain, brittle)] == [1, 2]


def test_what_crushes_takes_twice_the_armor():
    hit = fire(pair(armed("armor-crushing")), (5, 1), (5, 1), (3,)).outcome
    assert hit.unit("Two").wear.armor == 2
    scratched = fire(pair(armed("armor-crushing")), (3, 1), (4, 1)).outcome  # 10 points: more than half of 15, and less than all of it
    assert scratched.unit("Two").wear.armor == 1


def test_diving_wings_help_to_pull_out():
    assert [_has_diving_wings(unit(design=design(*perks, movement=FLYER))) for perks in ((Fitted("diving wings"),), ())] == [True, False]
    assert [script(pull_out(RULES, Pool(2), diving_wings=winged), [(3, 1)]).outcome.out for winged in (True, False)] == [True, False]


def test_what_is_lighter_than_air_does_not_fall():
    assert stalls(0, 2)
    assert not stalls(0, 2, lighter_than_air=True)


def test_a_flyer_made_for_the_ground_keeps_control_there():
    sums = []
    for nap in (False, True):
        played = play(lost_control(RULES, 1, nap), dice=Seeded(3))
        sums.append(played.outcome.total)
    assert sums[0] - sums[1] == 2


def test_who_needs_no_fuel_has_no_tanks_to_hit():
    sails = unit("One", design=design(Fitted("no fuel required", variant="permanent")), way="walker")
    ship = replace(sails, machine=replace(sails.machine, ways=(Way("space", 2, 4, 0, 0),), burn_points=100), way="space")
    hit = script(systems_damage(RULES, ship, Blow(heavy=False, location="movement")), []).outcome
    assert hit.wear.slowed
    assert hit.course.burned == 0


def test_without_air_only_what_is_protected_goes_over_such_ground():
    costs = [cost_table(RULES, each, "walker", 0.0)["moon dust"] for each in (built(), built(Fitted("hostile environment: vacuum")))]
    assert costs == [None, 2]
    assert cost_table(RULES, built(Fitted("hostile environment: all")), "walker", 0.0)["moon dust"] == 2


def test_a_climbing_angle_asks_for_hexes_first():
    assert [ahead_before_climbing(built(flaws=(flaw,), movement=FLYER)) for flaw in (Fitted("maximum climbing angle", 3),)] == [3]
    assert ahead_before_climbing(built(movement=FLYER)) == 0


def test_what_has_no_engine_loses_no_movement():
    towed = unit("One", design=design(flaws=(Fitted("no engine"),)))
    hit = script(systems_damage(RULES, towed, Blow(heavy=True, location="movement")), []).outcome
    assert hit == towed


def test_off_a_strip_a_landing_is_harder():
    flyer = unit("One", design=design(flaws=(Fitted("requires airstrip"),), movement=FLYER), way="air", altitude=1)
    scene = battle(flyer, unit("Two", "blue", (9, 9)))
    assert not _landing(RULES, scene, flyer).plain
    assert _landing(RULES, scene, replace(flyer, machine=built(movement=FLYER))).plain


def test_a_large_profile_and_emissions_help_sensors():
    found = watched_of(built(flaws=(Fitted("large sensor profile", 2), Fitted("trackable emissions", 1))), True)
    assert (found.sensor_profile, found.emissions) == (2, 1)
    tracked = pair(armed("guided"), design(flaws=(Fitted("trackable emissions", 1),)))
    assert mods(tracked)["guided to a designated target"] == 2


def test_who_depends_on_sensors_has_no_eyes():
    for flaws, seen in (((), True), ((Fitted("sensor dependent"),), False)):
        scene = pair(design(flaws=flaws))
        assert sees(RULES, scene, scene.unit("One"), scene.unit("Two")) == seen


def test_a_machine_shoots_worse_at_somebody_on_foot_unless_its_weapon_is_made_for_it():
    assert (against_person(False), against_person(True)) == (-2, 0)


def test_what_is_made_for_another_environment_fires_into_it_without_penalty():
    version = machine(RULES, armed("attack/target land/air")).systems[0].versions[0]
    plain = machine(RULES, armed()).systems[0].versions[0]
    assert (made_for(version, "land", "air"), made_for(plain, "land", "air")) == (True, False)


def test_a_location_specific_weapon_strikes_nothing_else():
    scene = pair(armed("location-specific movement"))
    found = shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)
    assert found.location == "movement"
    assert do(scene, "One", "fire gun:Two", [(5, 1), (5, 1)]).outcome.unit("Two").wear.slowed


def test_a_redundant_system_ignores_its_first_hit():
    scene = pair(armed(), armed("redundant"))
    spared = fire(scene, (5, 1), (5, 1), (1,), (4,)).outcome
    assert not spared.unit("Two").arms[0].broken
    again = fire(spared.change("One", used=0), (5, 1), (5, 1), (1,), (4,)).outcome
    assert again.unit("Two").arms[0].broken


def test_a_clumsy_system_costs_maneuver_when_it_is_used():
    used = fire(pair(armed(flaws=("clumsy used",))), (2, 1), (6, 5)).outcome
    assert maneuver_of(used, used.unit("One")).value == -1


def test_a_minimum_range_spoils_what_is_near():
    near = pair(armed(flaws=("minimum range 2",), range=5))
    assert mods(near)["minimum range"] == -2
