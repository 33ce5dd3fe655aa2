"""Special constructions (book lines 3511-3519, 3737-4113, 7437-7473) and Lemons (lines 3356-3434)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import ScriptedChoices, ScriptedFaces, play, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.silhouette.machines.design.constructions import (
    absorption_multiplier,
    combined,
    dimension_drive,
    extra_price,
    morphable,
    scale_area,
    scale_factor,
    scale_modifier,
    self_repair_multiplier,
    star_drive,
    tech_complexity,
    tech_modifier,
    tech_multiplier,
    transformed,
)
from rulewright.systems.silhouette.machines.design.costs import overall_size, reckoned
from rulewright.systems.silhouette.machines.design.threat import defense, threat
from rulewright.systems.silhouette.machines.lemons import (
    ANNOYANCES,
    annoy,
    auxiliaries,
    defect,
    individual_dice,
    lemon_roll,
    model_dice,
    small_flaws,
)
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.special import (
    against_people,
    armor_lost,
    as_person,
    build_of,
    carried_over,
    combined_hit,
    crew_between,
    damage_kept,
    emplaced,
    mend,
    motive_mass,
    nerves,
    operating_hours,
    power_left,
    repair_cost,
    repair_points,
    repair_threshold,
    spread,
    transformation_actions,
)
from rulewright.systems.silhouette.machines.vehicle import Body, Component, Computer, Device, Fitted, Movement, Vehicle
from rulewright.systems.silhouette.settings import BOOK
from silhouette.machines.designs import HUNTER, PLAIN, RULES

# --- Lemons ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("production", "model", "individual"), [("limited production", 1, 2), ("mass production", 2, 3), ("scratch-build", 0, 10)]
)
def test_lemon_dice_go_by_the_production(production, model, individual):
    made = replace(PLAIN, production=production)
    assert (model_dice(RULES, made).value, individual_dice(RULES, made).value) == (model, individual)


def test_the_lost_dice_are_marked_as_stand_ins():
    assert model_dice(RULES, PLAIN).reasons[0].source == "stand-in"


def test_a_flyer_has_a_die_for_ten_perks_where_others_have_one_for_five():
    many = replace(PLAIN, perks=(Fitted("battle arm", 1, count=10),), production="mass production")
    assert model_dice(RULES, many).value == 4
    assert model_dice(RULES, replace(many, movement=(Movement("air", 10),))).value == 3


def test_problem_prone_adds_its_dice_to_the_model_or_to_what_is_patched_together():
    prone = replace(PLAIN, flaws=(Fitted("problem-prone", 3),), production="mass production")
    assert (model_dice(RULES, prone).value, individual_dice(RULES, prone).value) == (5, 3)
    assert individual_dice(RULES, replace(prone, production="scratch-build")).value == 13
    both = BOOK.ruleset(settings={"lemon-dice": "model and individual"})
    assert individual_dice(both, prone).value == 6
    assert model_dice(RULES, replace(prone, flaws=(Fitted("problem-prone", 0),))).value == 3  # one die at least (line 9380)


def test_a_campaign_may_count_the_points_of_perks():
    one = replace(PLAIN, perks=(Fitted("autopilot"),), production="mass production")
    assert model_dice(RULES, one).value == 2
    assert model_dice(BOOK.ruleset(settings={"lemon-perks": "points"}), one).value == 3


def test_every_point_above_five_is_a_defect_and_the_gamemaster_chooses_between_two():
    faces = [(6, 6, 1, 1), (1,), (3,)]  # 7: two defects, of structure and of movement
    came = play(lemon_roll(RULES, HUNTER), dice=ScriptedFaces(faces), decide=ScriptedChoices(["armor", "top speed"])).outcome
    assert came.total == 7
    assert [(each.what, each.loss, each.on) for each in came.defects] == [("armor", 2, ""), ("top speed", 2, "ground")]
    worse = machine(RULES, replace(HUNTER, defects=HUNTER.defects + came.defects))
    assert worse.armor == 13
    assert worse.way("ground").top == 12


@pytest.mark.parametrize(("armor", "loss"), [(1, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
def test_a_weaker_hull_loses_a_tenth_of_its_armor_rounded_up(armor, loss):
    made = replace(HUNTER, armor=armor)
    came = play(lemon_roll(RULES, made), dice=ScriptedFaces([(6, 5, 1, 1), (1,)]), decide=ScriptedChoices(["armor"])).outcome
    assert [(each.what, each.loss) for each in came.defects] == [("armor", loss)]


def test_a_glitch_strikes_a_random_auxiliary_system():
    assert len(auxiliaries(RULES, HUNTER)) == 4  # two arms, communications, sensors
    came = play(defect(RULES, HUNTER), dice=ScriptedFaces([(2,), (4,)])).outcome
    assert (came[0].what, came[0].on) == ("auxiliary", "sensors 0 (standard, 2)")


@pytest.mark.parametrize(("perks", "struck"), [((), []), ((Fitted("autopilot"),), ["autopilot"])])
def test_a_glitch_needs_no_die_where_there_is_nothing_to_choose_from(perks, struck):
    came = play(defect(RULES, replace(PLAIN, perks=perks)), dice=ScriptedFaces([(2,)]))
    assert ([each.on for each in came.outcome], len(came.rolls)) == (struck, 1)


def test_every_annoyance_is_drawn_with_its_own_effect():
    rows = list(ANNOYANCES(RULES).values())
    drawn = [play(annoy(RULES, HUNTER), dice=ScriptedFaces([(face,)])).outcome for face in range(1, len(rows) + 1)]
    assert drawn == [f"{row.annoyance}: {row.effect}" for row in rows]


def test_an_annoyance_is_only_a_nuisance():
    came = play(defect(RULES, HUNTER), dice=ScriptedFaces([(4,), (1,)])).outcome
    assert came[0].what == "annoyance"
    assert machine(RULES, replace(HUNTER, defects=came)) == replace(machine(RULES, HUNTER))


def test_small_flaws_are_worth_two_points_at_most_and_larger_ones_up_to_five():
    assert {each.name for each in small_flaws(RULES, PLAIN, 0, 2)} >= {"unstable", "poor off-road ability"}
    assert "exposed movement" in {each.name for each in small_flaws(RULES, PLAIN, 2, 5)}
    assert "cannot glide" not in {each.name for each in small_flaws(RULES, PLAIN, 0, 9)}  # it does not fly
    came = play(defect(RULES, PLAIN), dice=ScriptedFaces([(5,)]), decide=ScriptedChoices(["unstable"])).outcome
    assert came[0].on == "unstable"


def test_the_chance_of_a_flawless_model_is_exact():
    made = replace(PLAIN, production="limited production")  # one die: never above six
    odds = exact(sub(lemon_roll, RULES, made))
    free = sum(weight for outcome, weight in odds if outcome.total <= 5)
    assert Fraction(free, odds.total) == Fraction(5, 6)


# --- several bodies --------------------------------------------------------------------------------------------------------------


def test_a_transformable_pays_the_dearest_form_half_the_second_and_quarters_after_that():
    assert transformed([100, 400, 200, 80]).value == 400 + 100 + 25 + 20
    assert transformed([100, 400], one_way=True).value == 425
    walker = replace(PLAIN, forms=(Body(name="flyer", size=6, armor=10, movement=(Movement("air", 20),), deployment=500),))
    own, other = threat(RULES, PLAIN).value.value, threat(RULES, walker.forms[0]).value.value
    assert reckoned(RULES, walker).threat_value.value == round(max(own, other) + min(own, other) / 2 + 0.001)


def test_a_combiner_is_worth_the_combined_machine_or_all_its_parts():
    assert combined(500, [200, 200]).value == 500
    assert combined(300, [200, 200]).value == 400
    arms = tuple(Component(name=f"part {place}", armor=30, size=6) for place in range(3))
    joined = replace(PLAIN, components=arms)
    assert reckoned(RULES, joined).threat_value.value == 3 * threat(RULES, arms[0]).value.value


@pytest.mark.parametrize(("armor", "cost"), [(14, 288_000), (15, 144_000)])
def test_a_combiner_costs_what_the_side_does_that_its_threat_follows_and_the_whole_where_both_are_equal(armor, cost):
    """With Armor 15 the whole is worth the 144 of its two parts, which cost twice as much for being small."""
    parts = tuple(
        Component(name=f"part {place}", size=2, armor=3, movement=PLAIN.movement, deployment=PLAIN.deployment) for place in range(2)
    )
    found = reckoned(RULES, replace(PLAIN, armor=armor, components=parts))
    assert (found.threat_value.value, found.pre_production.value) == (144, cost)


def test_a_hit_on_a_combined_machine_costs_a_part_of_it_armor():
    parts = (Component(name="left", locations=("movement", "crew")), Component(name="right", locations=("movement",)))
    giant = replace(PLAIN, components=parts)
    assert play(combined_hit(giant, "crew", "heavy")).outcome.component == "left"
    struck = play(combined_hit(giant, "movement"), dice=ScriptedFaces([(2,)])).outcome
    assert (struck.component, struck.armor, struck.splits) == ("right", 1, False)
    assert play(combined_hit(giant, "crew", "overkill")).outcome.splits
    with pytest.raises(UserError, match="auxiliary"):
        play(combined_hit(giant, "auxiliary"))


def test_a_morphable_machine_is_reckoned_by_the_best_of_its_forms_and_half_where_nothing_moves():
    form = Body(name="ball", size=6, armor=20, maneuver=1, movement=(Movement("hover", 30),), perks=(Fitted("stealth", 2),))
    shifting = replace(PLAIN, forms=(form,), transformation="morphing", perks=(Fitted("autopilot"),))
    best = morphable(shifting)
    assert (best.armor, best.maneuver, best.movement) == (20, 1, (Movement("hover", 30),))
    assert {perk.name for perk in best.perks} == {"stealth", "autopilot"}
    whole = reckoned(RULES, shifting).threat_value.value
    assert whole == threat(RULES, best).value.value
    assert reckoned(RULES, replace(shifting, transformation="simple morphing")).threat_value.value == -(-whole // 2)
    assert spread(6, 300)
    assert not spread(6, 301)


def test_changing_form_is_free_once_a_turn_and_damage_goes_along():
    assert [transformation_actions(often).value for often in (0, 1, 3)] == [0, 0, 2]
    walker = replace(PLAIN, systems=(Device("gun", damage=8),))
    flyer = replace(PLAIN, movement=(Movement("air", 20),), systems=(Device("gun", damage=8),))
    hurt = ("armor", "crew", "gun", "ground")
    assert damage_kept(walker, flyer, hurt) == ("armor", "crew", "gun")
    assert damage_kept(walker, flyer, hurt, morphing=True) == ("armor", "crew")


CRUISER = Vehicle(
    name="Cruiser",
    size=30,
    armor=40,
    maneuver=-6,
    crew=20,
    movement=(Movement("space", 4),),
    sections=(Body(name="turret", size=15, armor=24, maneuver=-6), Body(name="drive", size=20, armor=30, maneuver=-6, motive=True)),
)


def test_a_section_passes_damage_beyond_its_overkill_to_the_hull():
    """Line 3831: a section of Armor 24 hit for 110 passes 38 on."""
    assert carried_over(24, 110).value == 38
    assert carried_over(24, 71).value == 0
    assert (armor_lost("light"), armor_lost("heavy")) == (1, 2)
    assert crew_between(15, 20).value == 15
    assert power_left(15).value == 15


def test_a_large_machine_is_as_big_as_all_its_sections_and_pays_for_each():
    each = [threat(RULES, body).value.value for body in (CRUISER, *CRUISER.sections)]
    assert reckoned(RULES, CRUISER).threat_value.value == sum(each)
    assert overall_size(RULES, CRUISER).value == 34  # 766,061 + 100,545 + 232,609 kg
    assert motive_mass(RULES, CRUISER).value == 766_061 + 232_609
    assert machine(RULES, CRUISER).size == 34


# --- scales, drives, nanomachines ------------------------------------------------------------------------------------------------


def test_scales_multiply_and_make_smaller_things_hard_to_hit():
    """Line 3843: ×15 becomes ×150 to a vehicle at -2 and ×1500 to people at -4."""
    assert scale_factor(RULES, "very large", "vehicle").value == 10
    assert scale_factor(RULES, "very large", "personal").value == 100
    assert scale_factor(RULES, "gigantic", "very large").value == 100
    assert scale_factor(RULES, "gigantic", "vehicle").value == 1000
    assert scale_factor(RULES, "vehicle", "very large").value == 0.1
    assert [scale_modifier(RULES, "very large", target).value for target in ("very large", "vehicle", "personal")] == [0, -2, -4]
    assert [scale_area(RULES, scale, 1) for scale in ("vehicle", "very large", "gigantic")] == [1, 2, 6]
    assert [scale_area(RULES, scale) for scale in ("vehicle", "very large", "gigantic")] == [None, 1, 5]
    with pytest.raises(UserError, match="huge"):
        scale_factor(RULES, "very large", "huge")


@pytest.mark.parametrize(("more", "perks", "area"), [(0, (), None), (0, ("area effect 2",), 2), (1, (), 1), (1, ("area effect 2",), 3)])
def test_a_large_systems_area_is_as_much_wider_as_the_campaign_says_and_none_where_it_widens_nothing(more, perks, area):
    rules = BOOK.ruleset(house=House(tables={"sil-4.3.2-very-large": {"very large": {"area": more}}}))
    ship = replace(PLAIN, scale="very large", systems=(Device("gun", damage=10, uses=50, perks=perks),))
    found = machine(rules, ship).systems[0].versions[0].perk("area effect")
    assert (None if found is None else found[1]) == area


@pytest.mark.parametrize(
    ("figure", "speed", "reach"), [(1, 2, 1), (10, 4, 2), (100, 16, 4), (1000, 64, 8), (10_000, 256, 16), (100_000, 1024, 32), (11, 16, 4)]
)
def test_a_star_drive_multiplies_by_speed_and_reach_and_a_jump_by_its_dimensions(figure, speed, reach):
    assert star_drive(RULES, figure, 1).value == speed
    assert star_drive(RULES, 1, figure).value == 2 * reach
    assert dimension_drive(RULES, figure).value == reach


@pytest.mark.parametrize(
    ("delay", "factor"), [("6 seconds", 2), ("30 seconds", 1), ("1 minute", 0.9), ("10 minutes", 0.75), ("1 hour", 0.5), ("1 day", 0.2)]
)
def test_a_delay_makes_drives_cheaper(delay, factor):
    assert star_drive(RULES, 1, 1, delay).value == 2 * factor
    assert dimension_drive(RULES, 1, delay).value == factor


def test_nothing_flies_faster_than_the_table():
    with pytest.raises(UserError, match="100,000"):
        star_drive(RULES, 100_001)


def test_absorbing_self_repairing_and_advanced_machines_cost_more():
    assert absorption_multiplier(25).value == 1.25
    assert self_repair_multiplier(2).value == 3
    assert [tech_multiplier(level).value for level in (0, 2, -1)] == [1, 100, 0.1]
    assert (tech_modifier(2, 0), tech_modifier(0, 2)) == (2, 0)
    assert (tech_complexity(2, 1), tech_complexity(1, -3)) == (3, 1)
    assert reckoned(RULES, replace(PLAIN, self_repair=1)).threat_value.value == 2 * reckoned(RULES, PLAIN).threat_value.value


@pytest.mark.parametrize(
    ("effect", "points", "cost", "threshold"),
    [
        ("armor", 3, 9, 3),
        ("movement points", 2, 8, 3),
        ("maneuver", 1, 8, 4),
        ("accuracy", 2, 8, 4),
        ("system destroyed", 1, 11, 5),
        ("power transfer", 1, 11, 5),
        ("crew compartment", 1, 16, 7),
        ("structural failure", 1, 12, 8),
        ("auxiliary", 19, 25, 4),
    ],
)
def test_a_repair_costs_the_size_and_its_damage(effect, points, cost, threshold):
    assert repair_cost(RULES, effect, 6, points).value == cost
    assert repair_threshold(RULES, effect, points).value == threshold


def test_a_machine_mends_itself_by_beating_the_threshold():
    assert repair_points(2).value == 10
    assert play(mend(RULES, 2, "armor", 6, 2), dice=ScriptedFaces([(3, 1)])).outcome.mended
    assert not play(mend(RULES, 2, "armor", 6, 2), dice=ScriptedFaces([(2, 1)])).outcome.mended  # a draw wastes it
    fumbled = play(mend(RULES, 2, "armor", 6, 2), dice=ScriptedFaces([(1, 1)])).outcome
    assert (fumbled.mended, fumbled.harmed) == (False, True)
    with pytest.raises(UserError, match="16"):
        play(mend(RULES, 2, "crew compartment", 6))


# --- emplacements, robots, living machines ---------------------------------------------------------------------------------------


def test_an_emplacement_is_reckoned_at_minus_five_and_neither_dodges_nor_moves():
    fort = replace(PLAIN, build="emplacement", structure=50, movement=(), maneuver=0)
    assert defense(RULES, fort).value == 28
    found = emplaced(fort)
    assert (found.largest_size, found.defense, found.attack, found.hours) == (50, 0, 2, 500)


def test_a_robot_stands_beside_people():
    robot = Vehicle(
        name="Robot",
        build="robot",
        size=1,
        armor=2.5,
        maneuver=1,
        crew=0,
        computers=(Computer("dumb", 1, 3),),
        movement=(Movement("walker", 2),),
        deployment=60,
        perks=(Fitted("sensors", 1, variant="standard", amount=1),),
    )
    found = as_person(RULES, robot)
    assert (found.agility, found.perception, found.stamina) == (1, 1, 25)
    assert operating_hours(RULES, robot).value == 10
    assert operating_hours(RULES, replace(robot, movement=())).value == 60
    assert as_person(RULES, replace(robot, perks=(Fitted("sensors", 0, variant="standard", amount=1),))).perception == 0
    assert as_person(RULES, replace(robot, perks=())).perception is None
    assert build_of(RULES, 75).value == 0
    assert [build_of(RULES, mass).value for mass in (24.9, 25, 79.9, 80, 249.9, 300)] == [-5, -4, 0, 1, 5, 5]
    assert dict(machine(RULES, robot).skills)["piloting"] == 3


def test_a_living_machine_has_nerves_and_strikes_people_badly():
    beast = replace(PLAIN, build="monster", perks=(Fitted("reinforced crew", count=2),))
    assert nerves(beast).value == 2
    assert (against_people(), against_people(anti_infantry=True)) == (-2, 0)


def test_the_dragon_of_the_book_can_be_built():
    """Lines 7437-7473; its claws and wings by the Vehicle scale."""
    dragon = Vehicle(
        name="Dragon",
        build="monster",
        size=9,
        armor=6,
        maneuver=-2,
        crew=2,
        movement=(Movement("air", 5, stall=1), Movement("walker", 2)),
        deployment=14,
        perks=(
            Fitted("manipulator arm", 3, count=2),
            Fitted("manipulator arm", 6, count=2),
            Fitted("sensors", 0, variant="standard", amount=2),
        ),
        flaws=(Fitted("decreased maneuver", 1, on="walker"),),
        systems=(
            Device("front claw", damage=3, melee=True, quantity=2, perks=("armor-crushing",)),
            Device("back claw", damage=4, melee=True, quantity=2, accuracy=-1, arc="fixed forward", perks=("entangle", "armor-crushing")),
            Device("tail", damage=4, melee=True, arc="rear", perks=("knockback",)),
            Device("bite", damage=5, melee=True),
            Device("wing", damage=2, melee=True, quantity=2, accuracy=-1, arc="left"),
            Device(
                "fire breath",
                damage=5,
                rate=-2,
                perks=("incendiary", "smoke", "wide angle 60"),
                flaws=("attenuating damage 1",),
                ranges=(0, 0, 1, 1),
            ),
        ),
    )
    found = machine(RULES, dragon)
    assert (found.light, found.heavy, found.overkill) == (6, 12, 18)
    assert [(way.type, way.combat, way.top, way.maneuver) for way in found.ways] == [("air", 3, 5, -2), ("walker", 1, 2, -3)]
    assert found.actions == 3


def test_extras_cost_what_they_say():
    printed = {"access lift": 10, "cockpit decoration": 2, "funny horn": 50, "hi-fi stereo": 1000, "plush seat": 200, "refrigerator": 150}
    assert {name: extra_price(RULES, name).value for name in printed} == printed
    assert extra_price(RULES, "security system", 3).value == 900
    assert extra_price(RULES, "wet bar", 2).value == 800
    assert extra_price(RULES, "access lift", 1000).value == 10_000
    with pytest.raises(UserError, match="1000"):
        extra_price(RULES, "access lift", 1001)
