"""Where the limits of machine combat lie: at each, one below, one above (book lines 4271-4358, 4869-4991, 9454-9620)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.battle.damage.agents import agent_attack, knocked_out, lost_to_stunning, stunning_attack
from rulewright.systems.silhouette.battle.damage.strain import heat_builds, hostile, strains
from rulewright.systems.silhouette.battle.fire.parries import barriers
from rulewright.systems.silhouette.breakage.systems import Blow
from rulewright.systems.silhouette.gunnery.areas import area_attack, in_the_angle, radius_of
from rulewright.systems.silhouette.gunnery.attacks import (
    allotted,
    blocked,
    can_command,
    maneuver_of,
    most_points,
    pace_now,
    shot,
    spend_point,
    suffer,
)
from rulewright.systems.silhouette.gunnery.effects import Affected, lasting_attack
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.units.state import Command, Place
from silhouette.battle.test_system_perks import armed, mods, pair
from silhouette.battles import RULES, battle, unit, vehicle


def aimed(scene):
    return shot(RULES, scene, scene.unit("One"), scene.unit("Two"), 0)


# --- Armor (line 9454) ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("armor", "damage", "lost"), [(15, 8, 0), (15, 9, 1), (15, 14, 1), (16, 8, 0), (16, 9, 1)])
def test_what_crushes_armor_takes_a_point_with_more_than_half_of_it_rounded_up(armor, damage, lost):
    scene = pair(armed("armor-crushing"), vehicle(armor=armor))
    two = script(suffer(RULES, scene.unit("Two"), "none", damage, shot=aimed(scene), blow=Blow(heavy=False))).outcome
    assert two.wear.armor == lost
    plain = pair(armed(), vehicle(armor=armor))
    assert script(suffer(RULES, plain.unit("Two"), "none", damage, shot=aimed(plain), blow=Blow(heavy=False))).outcome.wear.armor == 0


def test_what_crushes_goes_by_the_armor_that_is_left_line_9459():
    scene = pair(armed("armor-crushing"), vehicle(armor=20))
    worn = replace(scene.unit("Two"), wear=replace(scene.unit("Two").wear, armor=6))
    hits = [script(suffer(RULES, worn, "none", damage, shot=aimed(scene), blow=Blow(heavy=False))).outcome for damage in (7, 8)]
    assert [two.wear.armor for two in hits] == [6, 7]


# --- Command Points (lines 4316-4330) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tactical", "leadership", "received", "leader", "other"),
    [
        (0, 0, 0, False, False),
        (1, 0, 0, True, True),
        (0, 1, 0, False, True),
        (1, 1, 1, True, True),
        (1, 1, 2, True, False),
        (1, 1, 3, True, False),
    ],
)
def test_a_unit_gets_as_many_command_points_as_the_commanders_level_and_the_commander_only_tactical_ones(
    tactical, leadership, received, leader, other
):
    """The commander has Leadership at level 2."""
    boss, man = unit("Boss", leadership=2), unit("Man", at=(7, 7))
    scene = battle(
        boss, man, unit("Foe", "blue", (5, 9)), commands=(Command(side="red", commander="Boss", tactical=tactical, leadership=leadership),)
    )
    assert most_points(scene, "red") == 2
    scene = scene.change("Boss", received=received).change("Man", received=received)
    assert can_command(scene, scene.unit("Boss")) is leader
    assert can_command(scene, scene.unit("Man")) is other


def test_where_nobody_commands_nobody_gets_a_point_that_is_left():
    scene = battle(unit("Man"), unit("Foe", "blue", (5, 9)), commands=(Command(side="red", commander="", tactical=2),))
    assert most_points(scene, "red") == 0
    assert not can_command(scene, scene.unit("Man"))


@pytest.mark.parametrize(
    ("name", "tactical", "leadership", "left"),
    [("Man", 2, 2, (2, 1)), ("Man", 2, 1, (2, 0)), ("Man", 2, 0, (1, 0)), ("Boss", 2, 2, (1, 2))],
)
def test_points_of_leadership_are_spent_first_and_the_commanders_own_are_tactical(name, tactical, leadership, left):
    scene = battle(
        unit("Boss"), unit("Man", at=(7, 7)), commands=(Command(side="red", commander="Boss", tactical=tactical, leadership=leadership),)
    )
    after = spend_point(scene, scene.unit(name))
    assert (after.command("red").tactical, after.command("red").leadership) == left
    assert after.unit(name).received == 1


# --- whether a system can be used (lines 9454-9620) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "charged", "ready"), [(1, 0, True), (2, 0, False), (2, 1, True), (3, 1, False), (3, 2, True)])
def test_a_power_hungry_system_fires_with_the_last_of_its_actions(level, charged, ready):
    one = unit(design=armed(flaws=(f"power-hungry {level}",)))
    one = replace(one, signs=replace(one.signs, charged=((0, charged),) if charged else ()))
    assert (blocked(one, 0) == "") is ready


@pytest.mark.parametrize(("left", "ready"), [(0, False), (1, True)])
def test_the_last_shot_is_fired_and_none_after_it(left, ready):
    one = unit()
    assert (blocked(one.with_arm(0, replace(one.arms[0], left=(left,))), 0) == "") is ready


@pytest.mark.parametrize(("far", "modifier"), [(3, -2), (4, 0), (6, 0)])
def test_a_minimum_range_counts_at_short_range_alone(far, modifier):
    scene = pair(armed(flaws=("minimum range 2",))).change("Two", y=float(9 - far))
    assert mods(scene).get("minimum range", 0) == modifier


# --- speed (lines 4338-4358, 4869-4900) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "pace"),
    [
        ({"speed": "stationary"}, "stationary"),
        ({"speed": "combat"}, "combat"),
        ({"speed": "top"}, "top"),
        ({"speed": "combat", "shifting": "top"}, "top"),
        ({"speed": "top", "shifting": "combat", "points": 8, "spent": 6}, "top"),
        ({"speed": "combat", "pace": "half"}, "half"),
        ({"speed": "combat", "points": 4, "spent": 0}, "stationary"),
        ({"speed": "combat", "points": 4, "spent": 1}, "half"),
        ({"speed": "combat", "points": 4, "spent": 2}, "half"),
        ({"speed": "combat", "points": 4, "spent": 3}, "combat"),
        ({"speed": "combat", "moved": True, "spent": 0}, "stationary"),
    ],
)
def test_how_fast_a_unit_counts_as_going_when_it_attacks(state, pace):
    """A Combat Speed of 4: up to 2 Movement Points are half of it."""
    assert pace_now(battle(unit(**state)), unit(**state)) == pace


@pytest.mark.parametrize(
    ("state", "points"),
    [
        ({"pace": "stationary"}, 0),
        ({"pace": "half"}, 2),
        ({"pace": "combat"}, 4),
        ({"speed": "top"}, 8),
        ({"speed": "combat", "points": 0}, 0),
        ({"speed": "combat", "points": 3}, 3),
    ],
)
def test_what_a_unit_has_allotted_itself(state, points):
    assert allotted(battle(unit(**state)), unit(**state)) == points


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 1),
        ({"clumsy": 1}, 0),
        ({"floods": (3,)}, 0),
        ({"floods": (3, 2)}, 0),
        ({"clumsy": 2, "floods": (1,)}, -2),
        ({"rough": True}, 0),
    ],
)
def test_maneuver_suffers_from_water_from_damage_and_from_hard_ground(changes, expected):
    one = unit(design=vehicle(maneuver=1, flaws=(Fitted("unstable"),) if "rough" in changes else ()))
    scene = battle(replace(one, signs=replace(one.signs, **changes)))
    assert maneuver_of(scene, scene.units[0]).value == expected
    worn = replace(scene.units[0], wear=replace(one.wear, maneuver=2))
    assert maneuver_of(scene, worn).value == expected - 2


# --- areas and angles (lines 4955-4957, 9449, 9519) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("perks", "manner", "radius"),
    [((), "", None), ((), "spread", 0), (("area effect 0",), "", 0), (("area effect 0",), "spread", 1), (("area effect 2",), "spread", 3)],
)
def test_a_salvo_spread_out_covers_a_hex_more(perks, manner, radius):
    scene = pair(armed("scatter", *perks))
    assert radius_of(scene.unit("One").version(0), replace(aimed(scene), manner=manner)) == radius


@pytest.mark.parametrize(("degrees", "reach", "inside"), [(58, 9, 1), (120, 9, 2), (360, 9, 3), (360, 4, 2), (360, 3, 0)])
def test_an_angle_takes_in_what_lies_within_half_of_it_to_each_side_as_far_as_it_reaches(degrees, reach, inside):
    scene = pair(armed())  # from (5, 9) to (5, 5) straight ahead; one at 60 degrees, one behind
    scene = battle(*scene.units, unit("Right", "blue", (9, 7)), unit("Behind", "blue", (5, 14)))
    found = in_the_angle(scene, scene.unit("One"), scene.unit("Two"), degrees, reach)
    assert len(found) == inside


def test_an_angle_lies_around_its_target_and_not_around_the_front():
    """Two stands at 60 degrees to the right, Left as far to the other side, Beyond behind Two."""
    scene = pair(armed()).change("Two", x=9.0, y=7.0)
    scene = battle(*scene.units, unit("Left", "blue", (1, 7)), unit("Beyond", "blue", (11, 6)))
    found = in_the_angle(scene, scene.unit("One"), scene.unit("Two"), 60, 9)
    assert [each.name for each in found] == ["Two", "Beyond"]


@pytest.mark.parametrize(("came", "left"), [((2, 1), []), ((3, 1), [(1, 1)]), ((4, 1), [(2, 2)])])
def test_what_persists_over_an_area_must_be_beaten_with_its_roll_for_as_many_rounds_and_a_roll_of_nothing_leaves_nothing(came, left):
    """Medium range and an Accuracy of -1 take 2 off."""
    scene = pair(armed("persistent", "area effect 0", accuracy=-1, damage=1))
    after = script(area_attack(RULES, scene, aimed(scene), 0, (5.0, 5.0)), [came, (6, 6)]).outcome
    assert [(field.threshold, field.rounds) for field in after.scars.mines] == left


@pytest.mark.parametrize(("far", "modifier"), [(6, 0), (7, 1), (12, 1), (13, 1)])
def test_a_sniping_device_is_worth_one_at_long_and_extreme_range(far, modifier):
    """Line 3242; with a Base Range of 3 the long one begins beyond 6."""
    device = Device("gun", damage=10, range=3, uses=10, sniper=True)
    scene = battle(unit("One", at=(5, 19), design=vehicle(systems=(device,))), unit("Two", "blue", (5, 19 - far), facing=3))
    assert mods(scene).get("sniper", 0) == modifier


# --- other effects (lines 9477, 9495, 9511) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("came", "margin"), [((3, 1), 0), ((4, 1), 1), ((5, 1), 2), ((6, 1), 3)])
@pytest.mark.parametrize("perk", ["paint", "illumination", "entangle", "incendiary"])
def test_what_does_no_damage_works_by_the_margin_and_not_at_a_tie(perk, came, margin):
    """Medium range takes 1 off the attack, standing still 3 off the defense."""
    scene = pair(armed(perk, "persistent", damage=8))
    version = scene.unit("One").version(0)
    signs = script(lasting_attack(RULES, scene, aimed(scene), version), [came, (5, 1)]).outcome.unit("Two").signs
    found = {
        "paint": signs.painted == margin,
        "illumination": signs.blinded == (margin + 1 if 8 * margin >= 15 else 0),  # line 9495: at least Light Damage
        "entangle": signs.held == (margin + 2 if margin else 0),
        "incendiary": (signs.burning, signs.sticks) == ((8 + margin, margin) if margin else (0, 0)),
    }
    assert found[perk]


# --- agents and stunning (lines 9460-9463, 9600-9604) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "before", "sick", "out"),
    [(9, 0, 0, False), (10, 0, 1, False), (30, 0, 3, False), (40, 0, 4, False), (10, 3, 4, False), (10, 4, 5, True), (50, 0, 5, True)],
)
def test_an_agent_costs_a_point_for_each_ten_of_damage_and_at_five_everybody_is_out(damage, before, sick, out):
    scene = pair(armed("chemical", damage=damage), vehicle(flaws=(Fitted("exposed crew", amount=2),)))
    scene = scene.change("Two", signs=replace(scene.unit("Two").signs, sick=before))
    came = (2, 1) if before else (4, 1)  # who is ill defends worse: a margin of 1 all the same
    two = script(agent_attack(RULES, scene, aimed(scene), scene.unit("One").version(0)), [came, (5, 1)]).outcome.unit("Two")
    assert (two.signs.sick, not two.able) == (sick, out)


@pytest.mark.parametrize(
    ("perks", "ill"), [((), ["Two"]), (("area effect 0",), ["Near", "Two"]), (("area effect 1",), ["Far", "Near", "Two"])]
)
def test_a_cloud_of_an_agent_reaches_a_hex_farther_than_its_area(perks, ill):
    breathing = vehicle(flaws=(Fitted("exposed crew", amount=2),))
    scene = pair(armed("chemical", *perks), breathing)
    scene = battle(*scene.units, unit("Near", "blue", (5, 4), design=breathing), unit("Far", "blue", (5, 3), design=breathing))
    dice = [(6, 1)] + [(2, 1)] * len(ill)
    after = script(agent_attack(RULES, scene, aimed(scene), scene.unit("One").version(0)), dice).outcome
    assert sorted(each.name for each in after.units if each.signs.sick) == ill


# --- strain (lines 9061, 9286-9310) ---------------------------------------------------------------------------------------------------

THREE = vehicle(
    systems=tuple([Device(name, damage=5, range=3) for name in ("a", "b", "c")]), flaws=(Fitted("overheating", variant="normal"),)
)


@pytest.mark.parametrize(
    ("hexes", "fired", "strained"), [(0, 0, False), (1, 0, False), (0, 1, False), (1, 1, True), (0, 2, False), (0, 3, True)]
)
def test_a_machine_strains_itself_by_moving_and_firing_or_with_three_weapons(hexes, fired, strained):
    one = unit(design=THREE, hexes=hexes)
    for arm in range(fired):
        one = one.with_arm(arm, replace(one.arms[arm], fired=1))
    assert strains(one) is strained
    scene = battle(replace(one, signs=replace(one.signs, strained=1)))
    assert script(heat_builds(RULES, scene)).outcome.units[0].signs.strained == (2 if strained else 0)


def test_thrust_in_space_is_strain():
    craft = unit(design=vehicle(movement=(Movement("space", 8),)), way="space")
    assert [strains(replace(craft, spent=spent)) for spent in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("altitude", "air", "deadly"), [(0, 1.0, False), (-1, 1.0, True), (1, 1.0, False), (0, 0.2, False), (0, 0.19, True)]
)
def test_outside_a_machine_nobody_lives_under_water_or_in_thin_air(altitude, air, deadly):
    one = unit(altitude=altitude)
    assert hostile(battle(one, place=Place(atmosphere=air)), one) is deadly


# --- parries (lines 9496-9514) --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("used", "offered"), [(0, True), (1, True), (2, False)])
def test_a_parry_takes_an_action_that_is_left(used, offered):
    guarded = vehicle(systems=(Device("shield", damage=8, melee=True, perks=("shield",)),))
    scene = pair(armed(), guarded, second={"used": used})
    assert bool(list(barriers(RULES, scene, scene.unit("Two"), aimed(scene)))) is offered


# --- knocked out (lines 9600-9604) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "flesh", "deep", "coma"),
    [
        (1, 0, 0, False),
        (4, 0, 0, False),
        (5, 1, 0, False),
        (8, 1, 0, False),
        (9, 0, 1, False),
        (12, 0, 1, False),
        (13, 0, 0, True),
        (14, 0, 0, True),
    ],
)
def test_who_is_knocked_out_by_five_nine_and_thirteen_is_worse_off(short, flesh, deep, coma):
    """Two dice of 2 and 1 are a 2; the Threshold is the Damage Multiplier and the margin."""
    played = script(knocked_out(RULES, Patient("Ann"), short, 2), [(2, 1)])
    came = played.outcome
    assert (came.unconscious, came.flesh, came.deep, came.coma) == (short, flesh, deep, coma)
    with_it = ", with a Flesh Wound" if flesh else ", with a Deep Wound" if deep else ", with a coma" if coma else ""
    minutes = f"{short} minute{'' if short == 1 else 's'}"
    assert next(event.headline() for event in played.events if event.logged).endswith(f"is knocked out for {minutes}{with_it}")


@pytest.mark.parametrize(("hit", "out", "dead"), [(6, 6, 6), (7, 6, 6), (8, 7, 6), (9, 8, 6), (12, 10, 7), (18, 14, 8)])
def test_of_many_casualties_six_are_rolled_for_and_the_others_counted_by_the_average(hit, out, dead):
    """All six roll a 6; of the others two thirds are out and a sixth dead."""
    assert script(lost_to_stunning(RULES, hit), [(6,)] * 6).outcome == (out, dead)


@pytest.mark.parametrize(("damage", "lost"), [(29, 0), (30, 1), (59, 1), (60, 10), (62, 10)])
def test_what_only_knocks_out_does_half_and_takes_a_tenth_at_light_and_all_at_heavy_damage(damage, lost):
    """Armor 15, a margin of 1, a crew of 10 who are all out on a 5."""
    scene = pair(armed(flaws=("non-lethal",), damage=damage), vehicle(crew=10, flaws=(Fitted("exposed crew", amount=10),)))
    share = {0: 0, 1: 1, 10: 6}[lost]
    faces = [(4, 1), (5, 1), *([(3,)] if lost else []), *[(5,)] * share]
    crew = script(stunning_attack(RULES, scene, aimed(scene)), faces).outcome.unit("Two").crew
    assert crew.lost == (lost if lost < 10 else 6 + 4 * 2 // 3)
    even = script(stunning_attack(RULES, scene, aimed(scene)), [(3, 1), (5, 1)]).outcome
    assert even.unit("Two").crew.lost == 0


def test_a_tie_is_a_miss_for_agents_and_for_what_knocks_out():
    """Medium range takes 1 off the attack, standing still 3 off the defense."""
    scene = pair(armed("chemical", flaws=("non-lethal",), damage=40), vehicle(flaws=(Fitted("exposed crew", amount=2),)))
    version = scene.unit("One").version(0)
    for came, hit in (((3, 1), False), ((4, 1), True)):
        told = script(agent_attack(RULES, scene, aimed(scene), version), [came, (5, 1)])
        assert [event.hit for event in told.events if isinstance(event, Affected)] == [hit]
        assert told.outcome.unit("Two").signs.sick == (4 if hit else 0)
        stunned = script(stunning_attack(RULES, scene, aimed(scene)), [came, (5, 1), *([(4,)] if hit else [])])
        assert [event.hit for event in stunned.events if isinstance(event, Affected)] == [hit]


@pytest.mark.parametrize(("strained", "words"), [(0, "has run hot for 1 round"), (1, "has run hot for 2 rounds")])
def test_how_long_a_machine_has_run_hot_is_told(strained, words):
    one = unit(design=THREE, hexes=1)
    one = replace(one.with_arm(0, replace(one.arms[0], fired=1)), signs=replace(one.signs, strained=strained))
    assert [event.headline() for event in script(heat_builds(RULES, battle(one))).events] == [f"One {words}"]
    still = replace(unit(design=THREE), signs=replace(one.signs, strained=2))
    assert [event.headline() for event in script(heat_builds(RULES, battle(still))).events] == ["One has cooled down"]
    assert not script(heat_builds(RULES, battle(unit(design=THREE)))).events


@pytest.mark.parametrize(("rounds", "armor", "left"), [(2, 1, 3), (4, 2, 0)])
def test_three_rounds_of_strain_are_light_damage_and_five_are_heavy(rounds, armor, left):
    """Line 9338; here the third and the fifth. The crew is hit."""
    one = unit(design=THREE, hexes=1)
    one = replace(one.with_arm(0, replace(one.arms[0], fired=1)), signs=replace(one.signs, strained=rounds))
    after = script(heat_builds(RULES, battle(one)), [(3,)]).outcome.units[0]
    assert (after.wear.armor, after.signs.strained) == (armor, left)
    assert (after.stunned > 0, after.crew.lost > 0) == ((True, False) if rounds == 2 else (False, True))


@pytest.mark.parametrize(
    ("die", "out", "dead", "words"),
    [
        (2, 0, 0, "0 of 1 crew hit are knocked out"),
        (3, 1, 0, "1 of 1 crew hit is knocked out"),
        (6, 1, 1, "1 of 1 crew hit is knocked out"),
    ],
)
def test_of_those_who_still_stand_some_are_out_besides_those_who_were(die, out, dead, words):
    """A tenth of the 12 who are left of 14, of whom one was dead, is one."""
    scene = pair(armed(flaws=("non-lethal",), damage=30), vehicle(crew=14, flaws=(Fitted("exposed crew", amount=14),)))
    scene = scene.change("Two", crew=replace(scene.unit("Two").crew, lost=2, dead=1))
    played = script(stunning_attack(RULES, scene, aimed(scene)), [(4, 1), (5, 1), (3,), (die,)])
    crew = played.outcome.unit("Two").crew
    assert (crew.lost, crew.dead) == (2 + out, 1 + dead)
    assert any(event.headline().endswith(words) for event in played.events)
