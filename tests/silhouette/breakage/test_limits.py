"""Where the limits of damage to systems lie: at each, one below, one above (book lines 5007-5083, 9515)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Player, ScriptedFaces, script
from rulewright.systems.silhouette.breakage.systems import arm_penalty, systems_damage
from rulewright.systems.silhouette.machines.sheet.record_sheet import DAMAGE
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.units.wear import Slowed, Wear
from silhouette.battles import COMMS, RULES, unit, vehicle
from silhouette.breakage.test_damage import HEAVY, LIGHT, broken

STRUCTURE = {  # lines 5045-5051, for a Combat Speed of 4 and a Top Speed of 8
    1: lambda one: one.wear.slowed == (Slowed("walker", 1, 1),),
    2: lambda one: one.wear.slowed == (Slowed("walker", 2, 4),),
    3: lambda one: one.wear.maneuver == 1,
    4: lambda one: one.wear.maneuver == 2,
    5: lambda one: one.wear.failed == ("walker",),
    6: lambda one: (one.wear.compartment, one.crew.lost) == (True, 6),
    7: lambda one: (one.wear.destroyed, one.crew.lost) == ("structure", 0),
}


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize(
    ("blow", "flaws", "more"), [(LIGHT, (), 0), (HEAVY, (), 1), (LIGHT, ("fragile chassis",), 1), (HEAVY, ("fragile chassis",), 2)]
)
def test_heavy_damage_and_a_fragile_chassis_are_a_row_farther_down_each_and_the_seventh_is_the_last(die, blow, flaws, more):
    one = unit(design=vehicle(crew=8, flaws=tuple([Fitted(name) for name in flaws])))
    assert STRUCTURE[min(7, die + more)](broken(one, blow, (2,), (die,)))


@pytest.mark.parametrize(
    ("blow", "flaws", "die"),
    [
        (LIGHT, (), None),
        (HEAVY, (), 6),
        (LIGHT, ("exposed systems",), 6),
        (HEAVY, ("exposed systems",), 5),
        (LIGHT, ("hazardous ammo/fuel",), 6),
        (HEAVY, ("hazardous ammo/fuel",), 4),
        (LIGHT, ("exposed systems", "hazardous ammo/fuel"), 5),
        (HEAVY, ("exposed systems", "hazardous ammo/fuel"), 3),
    ],
)
def test_a_chain_reaction_comes_as_much_sooner_as_systems_are_exposed_and_fuel_is_hazardous(blow, flaws, die):
    """The die on which everybody is dead; one below it somebody may get out."""
    one = unit(design=vehicle(flaws=tuple([Fitted(name) for name in flaws])))
    if die is not None:
        assert broken(one, blow, (1,), (die,)).wear.destroyed == "chain reaction"
    assert broken(one, blow, (1,), ((die or 7) - 1,), (6,)).wear.destroyed == "ammunition"


@pytest.mark.parametrize(
    ("before", "die", "after", "destroyed"), [(0, 1, 1, False), (3, 1, 4, False), (4, 1, 4, True), (2, 2, 4, False), (3, 2, 3, True)]
)
def test_a_system_that_has_lost_five_points_of_accuracy_is_destroyed(before, die, after, destroyed):
    one = unit()
    one = one.with_arm(0, replace(one.arms[0], accuracy=before))
    hit = broken(one, LIGHT, (1,), (die,)).arms[0]
    assert (hit.accuracy, hit.broken) == (after, destroyed)


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_redundant_system_ignores_as_many_hits_as_it_is_redundant(times):
    one = unit(design=vehicle(systems=(Device("gun", damage=10, range=3, uses=10, perks=("redundant",) * times),)))
    for _ in range(times):
        one = broken(one, LIGHT, (1,), (1,))
        assert one.arms[0].accuracy == 0
    assert broken(one, LIGHT, (1,), (1,)).arms[0].accuracy == 1


SENSORS = Fitted("sensors", 0, variant="standard", amount=2)
THREE = vehicle(perks=(COMMS, SENSORS, Fitted("ecm", 2, amount=2)))


@pytest.mark.parametrize(
    ("die", "faces", "choices", "hit"), [(1, [(1,)], ["hit 2"], 1), (2, [(1,)], ["hit 2", "hit 3"], 2), (3, [], [], 3), (6, [], [], 3)]
)
@pytest.mark.parametrize(("blow", "lost"), [(LIGHT, 1), (HEAVY, 5)])
def test_a_die_of_auxiliary_systems_is_hit_and_all_where_there_are_no_more(die, faces, choices, hit, blow, lost):
    after = broken(unit(design=THREE), blow, (5,), (die,), *faces, choices=choices).wear.auxiliaries
    assert sorted(after, reverse=True) == [lost] * hit + [0] * (3 - hit)


@pytest.mark.parametrize(("before", "after"), [(0, 1), (3, 4), (4, 5), (5, 5)])
def test_an_auxiliary_system_is_a_point_worse_with_every_hit_up_to_five(before, after):
    one = unit(wear=Wear(auxiliaries=(before,)))
    faces = [(1,)] if before < 5 else []
    assert broken(one, LIGHT, (5,), *faces).wear.auxiliaries == (after,)


@pytest.mark.parametrize(
    ("slowed", "light", "heavy"),
    [((0, 0), (1, 1), (2, 4)), ((1, 1), (2, 2), (3, 5)), ((3, 6), (4, 7), (4, 7)), ((4, 7), (4, 8), (4, 8)), ((4, 8), (4, 8), (4, 8))],
)
def test_nothing_is_slower_than_standing_still_and_half_of_what_is_left_is_rounded_down(slowed, light, heavy):
    """A Combat Speed of 4 and a Top Speed of 8; half of 3 leaves 1."""
    one = unit(wear=Wear(slowed=(Slowed("walker", *slowed),)))
    assert broken(one, LIGHT, (4,)).wear.slowed == (Slowed("walker", *light),)
    assert broken(one, HEAVY, (4,)).wear.slowed == (Slowed("walker", *heavy),)


def test_to_roll_twice_leads_to_itself_twice_and_counts_nothing_beyond():
    assert broken(unit(), LIGHT, (6,), (6,), (6,), (3,), (3,)).stunned == 2  # the third six is nothing
    assert broken(unit(), LIGHT, (6,), (6,), (3,), (3,), (4,)).wear.slowed == (Slowed("walker", 1, 1),)


@pytest.mark.parametrize(("lost", "worse"), [(0, True), (1, True), (2, False), (3, False)])
def test_an_exposed_crew_is_a_stage_worse_off_until_those_exposed_are_lost(lost, worse):
    one = unit(design=vehicle(crew=6, flaws=(Fitted("exposed crew", amount=2),)))
    after = broken(replace(one, crew=replace(one.crew, lost=lost)), LIGHT, (3,))
    assert (after.crew.lost - lost, after.stunned) == ((1, 0) if worse else (0, 1))


@pytest.mark.parametrize(("hits", "penalty", "gone"), [(0, 0, False), (1, -1, False), (4, -4, False), (5, -5, True), (6, -5, True)])
def test_an_arm_is_gone_at_minus_five(hits, penalty, gone):
    assert arm_penalty(hits) == (penalty, gone)


CRAFT = vehicle(movement=(Movement("space", 8),), burn_points=600, reaction_mass="hydrogen")


@pytest.mark.parametrize(
    ("burned", "die", "lost"), [(0, 3, 60), (0, 4, 120), (0, 2, 300), (0, 5, 600), (100, 3, 50), (599, 2, 0), (599, 5, 1)]
)
def test_a_hit_in_the_tanks_takes_its_part_of_what_is_left(burned, die, lost):
    """Line 5081: a tenth for each point of Maneuver, half for half, all for all."""
    one = unit(design=CRAFT, way="space")
    one = replace(one, course=replace(one.course, burned=burned))
    after = broken(one, LIGHT, (2,), (die,), (1,), choices=["tanks"])
    assert (after.course.burned - burned, after.signs.vented, after.wear.maneuver) == (lost, lost, 0)


def test_empty_tanks_cannot_leak():
    one = unit(design=CRAFT, way="space")
    after = broken(replace(one, course=replace(one.course, burned=600)), LIGHT, (2,), (3,))
    assert after.wear.maneuver == 1


def test_the_table_of_fire_control_ends_at_seven():
    assert [DAMAGE.get(RULES, f"A{row}").effect == "chain reaction" for row in range(1, 8)] == [False] * 6 + [True]


@pytest.mark.parametrize(
    ("design", "faces", "choices"),
    [
        (vehicle(), [(7,)], []),
        (vehicle(), [(1,), (7,)], []),
        (vehicle(), [(2,), (7,)], []),
        (vehicle(movement=(Movement("walker", 8), Movement("ground", 12))), [(2,), (1,), (7,)], ["hit ground"]),
        (THREE, [(5,), (7,)], []),
        (THREE, [(5,), (1,), (7,)], ["hit 2"]),
    ],
)
def test_every_die_of_the_table_has_six_faces(design, faces, choices):
    with pytest.raises(UserError, match="7"):
        broken(unit(design=design), LIGHT, *faces, choices=choices)


@pytest.mark.parametrize(
    ("blow", "words"), [(LIGHT, "loses 1 MP: Combat Speed 2, Top Speed 6"), (HEAVY, "loses half its MP: Combat Speed 1, Top Speed 3")]
)
def test_what_is_left_of_the_speed_is_told(blow, words):
    one = unit(wear=Wear(slowed=(Slowed("walker", 1, 1),)))
    played = script(systems_damage(RULES, one, blow), [(4,)])
    assert f"One: its walker movement {words}" in [event.headline() for event in played.events]


@pytest.mark.parametrize(
    ("moved", "before", "after"), [(False, (0, 0), (1, 0)), (False, (1, 0), (2, 0)), (True, (0, 0), (0, 1)), (True, (0, 1), (0, 2))]
)
def test_every_stun_costs_one_action_more(moved, before, after):
    """Line 5030: now, or in the next round of who has acted already."""
    hit = broken(unit(moved=moved, stunned=before[0], owed=before[1]), LIGHT, (3,))
    assert (hit.stunned, hit.owed) == after


@pytest.mark.parametrize(("die", "chooser"), [(1, "B"), (2, "A"), (3, "B"), (4, "A"), (5, "B"), (6, "A")])
def test_odd_the_defender_names_the_auxiliary_systems_and_even_the_attacker(die, chooser):
    asked = []

    def decide(choice):
        asked.append((choice.who, [option.key for option in choice.options]))
        return "hit 2"

    Player(ScriptedFaces([(5,), (1,), (die,)]), decide).run(systems_damage(RULES, unit(design=THREE), LIGHT))
    assert asked == [(chooser, ["hit 1", "hit 2", "hit 3"])]
