"""Damage to machines: thresholds, the Systems Damage table with both its further tables, crews."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Player, ScriptedFaces, script
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.breakage.crews import casualties, fate_of_casualty, injured_aboard, lose_crew, shaken_aboard
from rulewright.systems.silhouette.breakage.damage import (
    Nature,
    ablated,
    armor_loss,
    armor_met,
    damage_of,
    hull_after,
    severity_of,
    thresholds_after,
)
from rulewright.systems.silhouette.breakage.systems import Blow, arm_penalty, systems_damage
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.sheet.record_sheet import DAMAGE
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.units.units import Crew, Rider
from rulewright.systems.silhouette.units.wear import Slowed, Wear
from silhouette.battles import COMMS, RULES, unit, vehicle

LIGHT, HEAVY = Blow(heavy=False, margin=2, by="A", to="B"), Blow(heavy=True, margin=3, by="A", to="B")


def broken(one, blow, *faces, choices=()):
    return script(systems_damage(RULES, one, blow), faces, choices).outcome


# --- against Armor -------------------------------------------------------------------------------------------------------------------


def test_the_example_of_armor_15():
    """Lines 5260-5264: 20 is Light, and once a point is gone 50 is beyond 42."""
    assert damage_of(2, 10).value == 20
    assert severity_of(20, 15) == "light"
    assert thresholds_after(15, 1) == (14, 28, 42)
    assert severity_of(50, 14) == "overkill"


@pytest.mark.parametrize(
    ("damage", "severity"),
    [(0, "none"), (14, "none"), (15, "light"), (29, "light"), (30, "heavy"), (44, "heavy"), (45, "overkill"), (900, "overkill")],
)
def test_both_sides_of_every_threshold(damage, severity):
    assert severity_of(damage, 15) == severity


def test_what_pierces_meets_half_the_armor_and_never_overkills():
    assert [severity_of(damage, 15, piercing=True) for damage in (7, 8, 15, 16, 24, 900)] == [
        "none",
        "light",
        "light",
        "heavy",
        "heavy",
        "heavy",
    ]


@pytest.mark.parametrize(("damage", "lost"), [(0, 0), (5, 0), (6, 1), (9, 1)])
def test_a_crushing_hit_below_light_damage_costs_a_point_above_half_the_armor(damage, lost):
    """Line 9459: more than half the Armor, rounded up, but less than the Armor."""
    assert armor_loss("none", crushing=True, damage=damage, armor=9).value == lost


@pytest.mark.parametrize(("severity", "lost"), [("none", 0), ("light", 1), ("heavy", 2), ("overkill", 0)])
def test_a_hit_costs_armor(severity, lost):
    assert armor_loss(severity).value == lost
    assert armor_loss(severity, crushing=True).value == (1 if severity == "none" else 2 * lost)
    assert armor_loss(severity, brittle=True).value == 2 * lost
    assert armor_loss(severity, piercing=True).value == 0


@given(st.integers(0, 12), st.floats(0, 40), st.floats(0, 60), st.booleans())
def test_more_damage_is_never_less_grave(margin, multiplier, armor, piercing):
    order = ("none", "light", "heavy", "overkill")
    one = severity_of(damage_of(margin, multiplier).value, armor, piercing)
    two = severity_of(damage_of(margin + 1, multiplier).value, armor, piercing)
    assert order.index(one) <= order.index(two)
    assert holds(damage_of(margin, round(multiplier, 2)).reason)


def test_armor_differs_by_side_and_ablative_plates_wear_off():
    design = vehicle(
        perks=(Fitted("reinforced armor", 5, on="front"), Fitted("ablative armor", 4, on="rear")),
        flaws=(Fitted("weak facing", on="left rear flank"),),
    )
    one = unit(design=design)
    met = {side: armor_met(one.machine, one.wear, side).value for side in ("front", "left rear flank", "right rear flank", "rear")}
    assert met == {"front": 20, "left rear flank": 7.5, "right rear flank": 15, "rear": 19}
    worn = Wear(armor=3, ablated=(("rear", 2),))
    assert armor_met(one.machine, worn, "rear").value == 15 - 3 + 2
    assert armor_met(one.machine, worn, "front").value == 17
    assert armor_met(one.machine, Wear(ablated=(("rear", 4),)), "rear").value == 15  # nothing is left of them


@pytest.mark.parametrize(
    ("rating", "before", "damage", "after"),
    [(4, 0, 9, 0), (4, 0, 10, 1), (4, 0, 29, 2), (4, 1, 20, 3), (4, 3, 10, 4), (4, 3, 50, 4), (0, 0, 50, 0)],
)
def test_ablative_armor_loses_a_point_for_every_ten_of_a_hit_until_none_is_left(rating, before, damage, after):
    plates = Fitted("ablative armor", rating, on="rear")
    one = unit(design=vehicle(perks=(plates,)), wear=Wear(ablated=(("rear", before),) if before else ()))
    assert ablated(one, "rear", damage) == Wear(ablated=(("rear", after),) if after else ())
    assert ablated(one, "front", damage) == one.wear


def test_no_machine_loses_more_armor_than_it_has():
    one = unit(wear=Wear(armor=14))
    assert hull_after(RULES, one, "heavy", Nature()).wear.armor == 15


# --- the table -----------------------------------------------------------------------------------------------------------------------

PRINTED_B = ["slower", "half speed", "maneuver", "maneuver", "power transfer", "compartment", "structure"]
"""Lines 5045-5051."""


def test_the_tables_have_the_printed_rows_and_say_which_are_lost():
    assert [DAMAGE.get(RULES, str(die)).system for die in range(1, 6)] == ["fire control", "structure", "crew", "movement", "auxiliary"]
    assert [DAMAGE.get(RULES, f"B{die}").effect for die in range(1, 8)] == PRINTED_B
    assert [DAMAGE.get(RULES, f"A{die}").source for die in range(1, 8)] == ["stand-in"] * 6 + ["book"]
    assert DAMAGE.get(RULES, "A7").effect == "chain reaction"


def test_a_stunned_crew_loses_an_action_now_or_in_the_next_round():
    assert broken(unit(), LIGHT, (3,)).stunned == 1
    assert broken(unit(moved=True), LIGHT, (3,)).owed == 1


def test_heavy_damage_to_the_crew_makes_casualties_of_a_tenth_at_least_one():
    assert broken(unit(design=vehicle(crew=4)), HEAVY, (3,)).crew.lost == 1
    assert broken(unit(design=vehicle(crew=40)), HEAVY, (3,)).crew.lost == 4


def test_movement_is_one_point_slower_or_halved_with_two_of_maneuver():
    assert broken(unit(), LIGHT, (4,)).wear.slowed == (Slowed("walker", 1, 1),)
    hurt = broken(unit(), HEAVY, (4,))
    assert hurt.wear.slowed == (Slowed("walker", 2, 4),)
    assert hurt.wear.maneuver == 2
    again = broken(replace(hurt, wear=replace(hurt.wear, maneuver=0)), HEAVY, (4,))
    assert again.wear.slowed == (Slowed("walker", 3, 6),)  # half of what is left, rounded down


def test_all_ways_to_move_suffer_from_a_movement_hit_and_one_from_a_structural_one():
    design = vehicle(movement=(Movement("walker", 8), Movement("ground", 12)))
    assert [each.type for each in broken(unit(design=design), LIGHT, (4,)).wear.slowed] == ["ground", "walker"]
    one = broken(unit(design=design), LIGHT, (2,), (1,), (1,), choices=["hit ground"])
    assert one.wear.slowed == (Slowed("ground", 1, 1),)


def test_odd_the_defender_chooses_and_even_the_attacker():
    design = vehicle(systems=(Device("gun", damage=10, range=3), Device("blade", damage=5, melee=True)))
    for die, chooser in ((3, "B"), (4, "A")):
        asked = []

        def decide(choice, asked=asked):
            asked.append(choice.who)
            return "hit blade"

        after = Player(ScriptedFaces([(1,), (4,), (die,)]), decide).run(systems_damage(RULES, unit(design=design), LIGHT))
        assert asked == [chooser]
        assert [arm.broken for arm in after.arms] == [False, True]


@pytest.mark.parametrize(("die", "lost"), [(1, 1), (2, 2)])
def test_fire_control_loses_accuracy(die, lost):
    assert broken(unit(), LIGHT, (1,), (die,)).arms[0].accuracy == lost


def test_the_last_row_of_fire_control_kills_everybody_and_exposed_systems_and_fuel_come_nearer_to_it():
    assert broken(unit(), LIGHT, (1,), (6,), (6,)).wear.destroyed == "ammunition"
    dead = broken(unit(design=vehicle(crew=3)), HEAVY, (1,), (6,))
    assert dead.wear.destroyed == "chain reaction"
    assert (dead.crew.lost, dead.crew.dead) == (3, 3)
    exposed = vehicle(flaws=(Fitted("exposed systems"), Fitted("hazardous ammo/fuel")))
    assert broken(unit(design=exposed), LIGHT, (1,), (5,)).wear.destroyed == "chain reaction"
    assert broken(unit(design=exposed), HEAVY, (1,), (3,)).wear.destroyed == "chain reaction"


@pytest.mark.parametrize(("die", "lost"), [(3, 1), (4, 2)])
def test_structure_costs_maneuver(die, lost):
    assert broken(unit(), LIGHT, (2,), (die,)).wear.maneuver == lost


def test_the_worst_of_structure():
    assert broken(unit(), LIGHT, (2,), (5,)).wear.failed == ("walker",)
    packed = broken(unit(design=vehicle(crew=8)), LIGHT, (2,), (6,))
    assert (packed.wear.compartment, packed.crew.lost) == (True, 6)
    whole = broken(unit(), HEAVY, (2,), (6,))
    assert (whole.wear.destroyed, whole.crew.lost) == ("structure", 0)
    fragile = vehicle(flaws=(Fitted("fragile chassis"),))
    assert broken(unit(design=fragile), LIGHT, (2,), (6,)).wear.destroyed == "structure"


def test_a_die_of_auxiliary_systems_is_weakened_or_destroyed_and_all_where_the_die_names_more():
    assert broken(unit(), LIGHT, (5,), (4,)).wear.auxiliaries == (1,)
    assert broken(unit(), HEAVY, (5,), (1,)).wear.auxiliaries == (5,)
    two = vehicle(perks=(COMMS, Fitted("sensors", 0, variant="standard", amount=2)))
    assert broken(unit(design=two), LIGHT, (5,), (1,), (1,), choices=["hit 2"]).wear.auxiliaries == (0, 1)


def test_a_turret_shrugs_off_what_only_weakens_and_is_stuck_where_it_pointed_when_destroyed():
    design = vehicle(perks=(), systems=(Device("gun", damage=10, range=3, arc="turret"),))
    assert broken(unit(design=design), LIGHT, (5,), (1,)).wear.auxiliaries == (0,)
    one = unit(design=design)
    stuck = broken(one.with_arm(0, replace(one.arms[0], bearing=120)), HEAVY, (5,), (1,))
    assert (stuck.wear.auxiliaries, stuck.arms[0].frozen) == ((5,), 120)


def test_a_six_is_rolled_twice_and_a_battlesuit_is_hit_in_its_wearer():
    after = broken(unit(), LIGHT, (6,), (3,), (4,))
    assert (after.stunned, after.wear.slowed) == (1, (Slowed("walker", 1, 1),))
    suit = vehicle(build="suit", size=1.8)
    assert broken(unit(design=suit), LIGHT, (6,)).stunned == 1


def test_a_called_location_is_not_rolled_for():
    assert broken(unit(), replace(LIGHT, location="movement")).wear.slowed == (Slowed("walker", 1, 1),)
    with pytest.raises(UserError, match="no location 'nose'"):
        broken(unit(), replace(LIGHT, location="nose"))


@pytest.mark.parametrize(
    ("flaw", "system", "heavy", "holds_true"),
    [
        ("exposed crew", 3, False, lambda after: after.crew.lost == 1),
        ("exposed crew", 3, True, lambda after: after.crew.dead == 4),
        ("exposed movement", 4, False, lambda after: after.wear.maneuver == 2),
        ("exposed movement", 4, True, lambda after: after.wear.failed == ("walker",)),
        ("exposed auxiliaries", 5, True, lambda after: after.wear.auxiliaries == (5,)),
    ],
)
def test_what_is_exposed_is_a_stage_worse(flaw, system, heavy, holds_true):
    one = unit(design=vehicle(crew=4, flaws=(Fitted(flaw, amount=4) if flaw == "exposed crew" else Fitted(flaw),)))
    faces = [(system,)]
    assert holds_true(broken(one, HEAVY if heavy else LIGHT, *faces))


@pytest.mark.parametrize(("perk", "faces"), [("reinforced crew", [(3,)]), ("reinforced chassis", [(2,)]), ("reinforced movement", [(4,)])])
def test_a_reinforced_part_soaks_up_the_first_hit_of_its_kind_and_no_more(perk, faces):
    one = unit(design=vehicle(perks=(COMMS, Fitted(perk)), crew=4))
    spared = broken(one, HEAVY, *faces)
    assert (spared.crew, spared.wear.slowed, spared.wear.maneuver) == (one.crew, (), 0)
    assert spared.wear.absorbed == ((perk.removeprefix("reinforced "), 1),)
    more = broken(spared, HEAVY, *faces, *([(3,)] if perk == "reinforced chassis" else []))
    assert more != spared


def test_of_two_reinforced_parts_each_soaks_up_its_own_hit():
    one = unit(design=vehicle(perks=(COMMS, Fitted("reinforced crew"), Fitted("reinforced movement")), crew=4))
    both = broken(broken(one, HEAVY, (4,)), HEAVY, (3,))
    assert both.wear.absorbed == (("crew", 1), ("movement", 1))
    assert broken(both, LIGHT, (4,)).wear.slowed == (Slowed("walker", 1, 1),)


def test_a_part_reinforced_twice_soaks_up_two_hits():
    one = unit(design=vehicle(perks=(COMMS, Fitted("reinforced movement", count=2))))
    once = broken(one, LIGHT, (4,))
    twice = broken(once, LIGHT, (4,))
    assert [each.wear.absorbed for each in (once, twice)] == [(("movement", 1),), (("movement", 2),)]
    assert (twice.wear.slowed, broken(twice, LIGHT, (4,)).wear.slowed) == ((), (Slowed("walker", 1, 1),))


def test_contained_ammunition_costs_half_of_it_instead_of_the_machine():
    one = unit(design=vehicle(perks=(COMMS, Fitted("reinforced ammo/fuel"))))
    after = broken(one, LIGHT, (1,), (6,))
    assert (after.wear.destroyed, after.arms[0].left) == ("", (5,))


def test_an_arm_at_minus_5_is_gone():
    assert arm_penalty(2) == (-2, False)
    assert arm_penalty(7) == (-5, True)


@pytest.mark.slow
def test_every_way_through_the_table_is_counted_once():
    odds = exact(lambda: systems_damage(RULES, unit(), LIGHT))
    assert odds.unsettled == 0
    assert sum(odds.weights.values()) == odds.total


# --- crews -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aboard", "percent", "lost"), [(1, 10, 1), (14, 10, 1), (15, 10, 2), (40, 10, 4), (8, 75, 6), (2, 75, 2), (0, 75, 0)]
)
def test_casualties_are_a_share_to_the_nearest_and_at_least_one(aboard, percent, lost):
    assert casualties(aboard, percent).value == lost


def test_casualties_fall_on_crew_and_passengers_by_chance_and_computers_feel_nothing():
    crew = Crew(hands=2, passengers=3)
    assert script(lose_crew(RULES, "One", crew, 10), [(2,)]).outcome.lost == 1
    assert script(lose_crew(RULES, "One", crew, 10), [(3,)]).outcome.lost_passengers == 1
    fewer = Crew(hands=3, lost=1, passengers=5, lost_passengers=2)  # two and three are left
    assert [script(lose_crew(RULES, "One", fewer, 10), [(die,)]).outcome.lost for die in (2, 3)] == [2, 1]
    assert script(lose_crew(RULES, "One", fewer, 100)).outcome == replace(fewer, lost=3, lost_passengers=5)
    machine = unit(crew=0, design=vehicle(crew=0, computers=()))
    only = replace(machine, crew=Crew(computers=2))
    assert broken(only, LIGHT, (3,)) == only


def test_characters_aboard_test_against_4_not_to_be_knocked_out():
    """Line 5067."""
    assert script(shaken_aboard(RULES, Patient("Ann")), [(4, 2)]).outcome.awake
    assert not script(shaken_aboard(RULES, Patient("Ann")), [(3, 2)]).outcome.awake


@pytest.mark.parametrize(("faces", "flesh", "deep"), [((5, 1), 0, 0), ((4, 2), 1, 0), ((3, 2), 1, 0), ((2, 1), 0, 1)])
def test_heavy_damage_to_the_crew_wounds_by_how_far_the_health_test_fails(faces, flesh, deep):
    """Lines 5069-5071: failed by 1 or 2 a Flesh Wound, by 3 or more a Deep Wound; the attack's margin is 5."""
    after = script(injured_aboard(RULES, Patient("Ann"), 5), [faces, (6, 6)]).outcome
    assert (after.flesh, after.deep) == (flesh, deep)


def test_emergency_dice_go_into_the_tests_of_those_aboard():
    after = script(shaken_aboard(RULES, Patient("Ann", emergency_dice=3)), [(3, 2, 5)], [1]).outcome
    assert (after.awake, after.emergency_dice) == (True, 2)
    hurt = script(injured_aboard(RULES, Patient("Ann", emergency_dice=1), 5), [(2, 1, 6), (5, 5)], [1]).outcome
    assert (hurt.flesh, hurt.deep, hurt.emergency_dice) == (0, 0, 0)


def test_everybody_aboard_is_shaken_and_who_is_out_does_not_count_for_actions():
    one = replace(unit(crew=0), crew=Crew(), riders=(Rider(name="Ann", body=Patient("Ann")), Rider(name="Bob", body=Patient("Bob"))))
    after = broken(one, LIGHT, (3,), (6, 1), (1, 2))
    assert [rider.body.able for rider in after.riders] == [True, False]
    assert (one.manned, after.manned) == (2, 1)


@pytest.mark.parametrize(("die", "dead"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_casualty_is_dead_on_three_or_less(die, dead):
    """Line 5013."""
    assert script(fate_of_casualty(RULES), [(die,)]).outcome is dead
