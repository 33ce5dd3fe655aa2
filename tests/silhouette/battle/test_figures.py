"""Figures of people among machines, of water in a hull, and of what lasting systems do, at their limits (lines 5081, 7425-7451, 8112-8116,
9434-9551)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.battle.damage.consequences import water_rises
from rulewright.systems.silhouette.combat.arms import weapons_of
from rulewright.systems.silhouette.gunnery.attacks import blocked, shot
from rulewright.systems.silhouette.gunnery.effects import _apply_effect
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.people.characters import Character, Gear, Person
from rulewright.systems.silhouette.units.crews import actions_left, actions_of, hand_for, looks_closely
from rulewright.systems.silhouette.units.people import _systems, on_foot
from rulewright.systems.silhouette.units.units import Rider, Skill
from rulewright.systems.silhouette.units.visible_traits import Signs
from silhouette.battles import COMMS, GUN, RULES, battle, by, unit, vehicle

# --- what somebody carries (lines 8065-8125) ---------------------------------------------------------------------------------------


def carried(*names, **attributes):
    """The systems of somebody with such gear, by name."""
    person = Person.of(RULES, Character("Ann", attributes=attributes, gear=Gear(weapons=names)))
    return {each.name: each.versions[0] for each in _systems(RULES, person, list(weapons_of(RULES, person)))}


def test_a_gun_in_somebodys_hands_has_a_tenth_of_its_damage_and_its_ranges_in_points_of_fifty_metres():
    """A light machine gun: Damage 30, range 100 (200, 400, 800), a rate of fire of 2."""
    gun = carried("light machine gun")["light machine gun"]
    assert (gun.damage, gun.ranges, gun.accuracy, gun.rate, gun.melee) == (3.0, (2.0, 4.0, 8.0, 16.0), 0, 2, False)
    assert gun.perk("anti-infantry") is not None
    assert gun.perk("wielded")[2] == "heavy weapons"


def test_what_takes_one_shot_holds_one():
    launcher = carried("rocket launcher")["rocket launcher"]
    assert (launcher.damage, launcher.ranges[0], launcher.rate, launcher.uses) == (14.0, 1.0, 0, 1)


def test_a_fragmentation_grenade_reaches_three_hexes_with_fourteen_and_strikes_its_own_with_twenty_six():
    """Areas of 8 and 30 metres; a hex is ten metres wide."""
    grenade = carried("fragmentation grenade")["fragmentation grenade"]
    assert (grenade.damage, grenade.uses, grenade.rate) == (1.4, 1, 0)
    assert grenade.perk("area effect")[1] == 3
    assert grenade.perk("blast")[1:] == (26, "0")
    assert grenade.perk("smoke") is None
    short = grenade.ranges[0]
    assert grenade.ranges == (short, 2 * short, 4 * short, 8 * short)
    assert short * 50 == int(short * 50) > 0


def test_a_smoke_grenade_fills_the_air_and_does_nothing_else():
    smoke = carried("smoke grenade")["smoke grenade"]
    assert smoke.damage == 0
    assert smoke.perk("smoke") is not None
    assert smoke.perk("area effect")[1] == 3


def test_a_knife_is_thrown_and_struck_with():
    both = carried("knife")
    thrown, struck = both["thrown knife"], both["knife"]
    assert (thrown.uses, thrown.melee, struck.uses, struck.melee, struck.ranges) == (1, False, 0, True, ())
    assert thrown.ranges[3] == 8 * thrown.ranges[0] > 0


@pytest.mark.parametrize(("build", "metres"), [(0, 5), (-4, 1), (-5, 1)])
def test_a_knife_flies_a_metre_at_least_however_weak_the_hand(build, metres):
    assert carried("knife", build=build, fitness=build)["thrown knife"].ranges[0] == metres / 50


def test_what_pierces_armor_does_so_among_machines():
    person = Person.of(RULES, Character("Ann", gear=Gear(weapons=("hatchet",))))
    blunt = list(weapons_of(RULES, person))
    for weapons, perk in ((blunt, None), ([replace(each, pierces=True) for each in blunt], ("armor-piercing", 0, ""))):
        assert {each.versions[0].perk("armor-piercing") for each in _systems(RULES, person, weapons)} == {perk}


# --- who aboard does something (rulings) -------------------------------------------------------------------------------------------


def rider(name, skill="gunnery", level=2, attribute=0, strange=0, **body):
    return Rider(name=name, skills=(Skill(skill, level, attribute, strange=strange),), body=Patient(name, **body))


@pytest.mark.parametrize(("strange", "ill", "best"), [(0, 0, "Ada"), (-2, 0, "Bo"), (0, -2, "Bo")])
def test_of_equal_levels_the_one_does_it_who_is_best_after_wounds_and_strange_controls(strange, ill, best):
    aboard = unit(riders=(rider("Ada", attribute=2, strange=strange, ill=ill), rider("Bo", attribute=1)))
    assert hand_for(replace(aboard, crew=replace(aboard.crew, hands=0)), "gunnery").name == best


@pytest.mark.parametrize(("level", "perception"), [(1, 1), (2, 1), (3, 0)])
def test_a_character_looks_closely_unless_the_crew_is_better_at_combat_sense(level, perception):
    """Ada has Notice at 2 and a Perception of 1."""
    one = unit(riders=(rider("Ada", "notice", 2, 1),))
    pool = looks_closely(RULES, replace(one, crew=replace(one.crew, skills=(Skill("combat sense", level),))))
    assert (pool.dice, sum(mod.value for mod in pool.mods)) == (max(2, level), perception)


# --- crews (lines 3148, 4484) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "stunned", "used", "left"),
    [(0, 0, 0, 2), (1, 0, 0, 3), (0, 1, 0, 1), (0, 2, 0, 0), (0, 3, 0, 0), (1, 1, 1, 1), (0, 0, 2, 0), (0, 0, 3, 0)],
)
def test_actions_are_those_of_the_crew_and_what_was_declared_less_what_is_lost_and_used(extra, stunned, used, left):
    one = unit(design=vehicle(crew=1), extra=extra, stunned=stunned, used=used)
    assert actions_left(RULES, one) == left
    assert max(0, actions_of(RULES, one).value - used) == left


def test_among_people_half_of_the_actions_are_left_where_the_campaign_says_so():
    one = replace(unit(design=vehicle(crew=8)), halved=True)
    whole = actions_left(RULES, replace(one, halved=False))
    assert actions_left(by(character_scale_actions="half"), one) == whole // 2
    assert actions_left(RULES, one) == whole


def test_without_a_crew_nothing_is_done_whatever_was_declared():
    one = unit(extra=2)
    nobody = replace(one, crew=replace(one.crew, lost=one.crew.aboard))
    assert actions_left(RULES, nobody) == 0


# --- water (line 5081) -------------------------------------------------------------------------------------------------------------

SHIP = vehicle(movement=(Movement("naval", 8),))


@pytest.mark.parametrize(("rounds", "left", "flooded", "sunk"), [(3, (2,), 0, False), (2, (1,), 0, False), (1, (), 1, True)])
def test_water_has_a_round_less_to_rise_and_sinks_a_hull_of_one_body(rounds, left, flooded, sunk):
    scene = battle(unit(design=SHIP, way="naval", signs=Signs(floods=(rounds,))))
    after = script(water_rises(RULES, scene)).outcome.unit("One")
    assert (after.signs.floods, after.signs.flooded, after.destroyed) == (left, flooded, sunk)


def test_every_leak_has_its_own_clock():
    scene = battle(unit(design=SHIP, way="naval", signs=Signs(floods=(4, 2))))
    assert script(water_rises(RULES, scene)).outcome.unit("One").signs.floods == (3, 1)


# --- lasting effects (lines 9434-9551) ---------------------------------------------------------------------------------------------


def struck(perk, margin, damage=10, design=None, flaws=(), **signs):
    """What a hit with such a system leaves on the target, and the words."""
    device = Device("gun", damage=damage, range=3, uses=10, perks=tuple(perk.split(", ")), flaws=flaws)
    scene = battle(unit(design=vehicle(systems=(device,))), unit("Two", "blue", (5, 3), design=design, signs=Signs(**signs)))
    one, other = scene.unit("One"), scene.unit("Two")
    after, words = _apply_effect(other, one, shot(RULES, scene, one, other, 0), one.version(0), margin)
    return after.signs, words


@pytest.mark.parametrize(("before", "margin", "painted"), [(0, 1, 1), (2, 1, 2), (2, 3, 3)])
def test_paint_makes_easier_to_see_by_the_margin_and_the_most_counts(before, margin, painted):
    signs, words = struck("paint", margin, painted=before)
    assert signs.painted == painted
    assert words == f"Concealment -{painted}"


@pytest.mark.parametrize(("margin", "words"), [(1, "it is blinded for 1 round"), (2, "it is blinded for 2 rounds")])
def test_light_blinds_for_as_many_rounds_as_the_margin_after_this_one(margin, words):
    signs, said = struck("illumination", margin)
    assert (signs.blinded, said) == (margin + 1, words)


@pytest.mark.parametrize(("margin", "damage", "before", "held"), [(1, 6, 0, 1), (1, 5, 0, 1), (1, 2, 0, 1), (3, 8, 0, 5), (3, 8, 6, 6)])
def test_a_snare_is_worth_the_margin_and_what_its_damage_is_above_the_size_and_one_at_least(margin, damage, before, held):
    signs, words = struck("entangle", margin, damage, held=before)
    assert signs.held == held
    assert "must beat" in words


@pytest.mark.parametrize(("perks", "margin", "sticks"), [("incendiary", 3, 1), ("incendiary, persistent", 3, 3)])
def test_fire_burns_once_more_and_what_sticks_as_often_as_the_margin(perks, margin, sticks):
    signs, _ = struck(perks, margin)
    assert signs.sticks == sticks
    assert signs.burning > 0


def test_what_resists_fire_burns_less_and_what_is_flammable_more():
    burning = [
        struck("incendiary", 3, design=design)[0].burning
        for design in (vehicle(perks=(COMMS, Fitted("fire resistant"))), vehicle(), vehicle(flaws=(Fitted("highly flammable"),)))
    ]
    assert burning == sorted(set(burning))
    assert struck("incendiary", 3, burning=99)[0].burning == 99


# --- what keeps a weapon silent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("charged", "silent"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_power_hungry_system_wants_an_action_less_than_its_rating_before_it_fires(charged, silent):
    one = unit(design=vehicle(systems=(replace(GUN, flaws=("power-hungry 3",)),)), signs=Signs(charged=((0, charged),) if charged else ()))
    assert (blocked(one, 0) == "it is not charged") is silent


@pytest.mark.parametrize(("fitness", "combat", "top"), [(-3, 1, 1), (0, 1, 2), (3, 2, 4)])
def test_somebody_on_foot_walks_half_as_many_hexes_as_a_sprint_of_ten_metres_each(fitness, combat, top):
    person = Person.of(RULES, Character("Ann", attributes={"fitness": fitness}))
    way = on_foot(RULES, person, "Ann", "red", group="red", body=Patient("Ann")).machine.ways[0]
    assert (way.combat, way.top) == (combat, top)


def test_somebody_on_foot_has_two_actions_and_is_no_machine_with_armor_to_lose():  # lines 7425-7451
    person = Person.of(RULES, Character("Ann"))
    built = on_foot(RULES, person, "Ann", "red", group="red", body=Patient("Ann")).machine
    assert (built.light, built.heavy, built.overkill, built.actions, built.crew, built.size) == (1, 2, 3, 2, 1, 1)
    assert (built.passengers, built.maneuver, built.ways[0].maneuver, built.deployment, built.burn_points) == (0, 0, 0, 0, 0)
