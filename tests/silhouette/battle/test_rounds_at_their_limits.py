"""Ties of commanders, what a new round begins with, parries and areas: at each limit, below and above (book lines 647-655, 4314-4345,
4955-4957, 9523-9533)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.battle.fire.interception import Answered
from rulewright.systems.silhouette.battle.fire.parries import shields_recover
from rulewright.systems.silhouette.battle.rounds import activate, end_round, initiative, set_up
from rulewright.systems.silhouette.breakage.events import Struck
from rulewright.systems.silhouette.machines.vehicle import Device
from rulewright.systems.silhouette.resolution.tests import DIE
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Place
from rulewright.systems.silhouette.units.units import Skill
from silhouette.battle.test_active_perks import guarded_by
from silhouette.battle.test_system_perks import armed, do, pair
from silhouette.battles import GUN, RULES, battle, unit, vehicle


def test_a_die_has_six_faces():
    assert sorted(DIE.weights()) == [1, 2, 3, 4, 5, 6]


# --- commanders against each other (lines 4314, 4336) --------------------------------------------------------------------------------


def led(name, side, at, skill, complexity=1):
    """A unit whose crew has one skill at level 2."""
    found = unit(name, side, at)
    return replace(found, crew=replace(found.crew, skills=(Skill(skill, 2, 0, complexity), Skill("piloting", 2))))


def commanders(skill, red, blue, **changes):
    """Two sides of which red has two units, so that the commanders' Leadership is tested; each is a group."""
    return battle(led("R", "red", (5, 9), skill, red), unit("R2", "red", (6, 9)), led("B", "blue", (5, 5), skill, blue), **changes)


def winner(played):
    return next(event.headline() for event in played.events if "wins the " in event.headline())


@pytest.mark.parametrize(("blue_face", "first"), [(3, "red"), (4, "red"), (5, "blue")])
def test_a_draw_of_the_initiative_goes_to_the_higher_complexity(blue_face, first):
    scene = commanders("leadership", 2, 1, phase="initiative")
    played = script(initiative(RULES, scene), [(3, 1), (blue_face, 1)], ["no", f"first {first}"])  # the Complexity of 2 is worth 1
    assert winner(played).startswith(first)
    assert played.outcome.turn == first


def test_a_draw_of_the_initiative_at_the_same_complexity_is_rolled_again():
    scene = commanders("leadership", 1, 1, phase="initiative")
    played = script(initiative(RULES, scene), [(4, 1), (4, 2), (2, 1), (3, 1)], ["no", "first blue"])
    assert winner(played).startswith("blue")


@pytest.mark.parametrize(
    ("faces", "first"), [([(3, 1), (3, 1)], "red"), ([(3, 1), (5, 1)], "blue"), ([(3, 1), (4, 1), (1, 1), (6, 1)], "blue")]
)
def test_a_draw_of_combat_sense_at_set_up_is_rolled_again_whatever_the_complexity(faces, first):
    played = script(set_up(RULES, commanders("combat sense", 2, 1, phase="set-up", round=0)), faces)
    assert winner(played).startswith(first)


def test_a_side_alone_plays_first_without_a_test():
    alone = battle(*commanders("leadership", 1, 1).units[:2], phase="initiative")
    played = script(initiative(RULES, alone), [], ["no"])
    assert (played.outcome.turn, played.rolls) == ("red", ())


def unled(scene):
    """The same with nobody left to command."""
    return replace(scene, commands=tuple([replace(command, commander="") for command in scene.commands]))


def test_without_commanders_there_are_no_tactical_points_and_the_first_side_plays_first():
    nobody = unled(commanders("combat sense", 1, 1, phase="set-up", round=0))
    assert [command.tactical for command in script(set_up(RULES, nobody)).outcome.commands] == [0, 0]
    assert script(initiative(RULES, replace(nobody, phase="initiative"))).outcome.turn == "red"


def test_without_a_commander_the_first_of_a_side_says_which_group_acts():
    """Red comes first in the list, and blue is asked."""
    first, second = replace(unit("B", "blue", (5, 5)), group="van"), replace(unit("B2", "blue", (6, 5)), group="rear")
    scene = replace(unled(battle(unit("R"), first, second)), turn="blue")
    assert next(activate(RULES, scene)).who == "B"
    assert script(activate(RULES, scene), [], ["activate rear"]).outcome.active == "B2"


# --- a new round (lines 4314, 4345) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "shifting", "then"),
    [
        ("stationary", "", "combat"),
        ("combat", "", "combat"),
        ("top", "", "top"),
        ("combat", "top", "top"),
        ("top", "combat", "combat"),
        ("stationary", "top", "top"),
    ],
)
def test_a_unit_goes_on_at_the_speed_it_had_or_shifted_to(speed, shifting, then):
    scene = battle(unit("One", speed=speed, shifting=shifting), unit("Two", "blue", (9, 9)))
    after = script(end_round(RULES, scene)).outcome.unit("One")
    assert (after.speed, after.shifting) == (then, "")


def test_what_was_used_up_for_a_round_is_there_again_in_the_next():
    one = unit("One", hexes=4, spent=3, ordered=1, received=2, switched=True, jumped=True, transformed=2, turned=True, turns=2, backed=True)
    one = replace(one, arms=(replace(one.arms[0], fired=2),), crew=replace(one.crew, hands=5, crossing=3), stunned=2, evading=True)
    before = actions_left(RULES, one)
    now = script(end_round(RULES, battle(one, unit("Two", "blue", (9, 9))))).outcome.unit("One")
    assert (now.last, now.hexes, now.spent, now.ordered, now.received) == (4, 0, 0, 0, 0)
    assert (now.switched, now.jumped, now.transformed, now.turned, now.turns, now.backed, now.evading) == (
        False,
        False,
        0,
        False,
        0,
        False,
        False,
    )
    assert (now.arms[0].fired, now.crew.crossing, now.crew.able, now.stunned) == (0, 0, 5, 0)
    assert actions_left(RULES, now) > before


# --- parries (lines 655, 9523-9533) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((5, 1), "Two fails to parry with the guard"),
        ((6, 1), "Two parries with the guard: damage -8"),
        ((6, 6), "Two parries with the guard: damage -9"),
    ],
)
def test_a_parry_that_reaches_the_attack_is_a_defense_and_takes_its_damage_and_its_margin_off(faces, words):
    """A draw is won by the one who resists (line 655)."""
    scene = pair(armed(damage=10), guarded_by("shield"))
    more = [(3,)] if "fails" in words else []
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), faces, *more], ["single", "parry guard"])
    assert next(event for event in hit.events if isinstance(event, Answered)).headline() == words
    assert (hit.outcome.unit("Two").used, hit.outcome.unit("Two").arms[1].fired) == (1, 1)


def test_the_first_of_a_machines_systems_parries_as_any_other():
    scene = pair(armed(damage=10), vehicle(systems=(Device("guard", damage=8, melee=True, perks=("shield",)), GUN)))
    hit = do(scene, "One", "fire gun:Two", [(4, 1), (3, 1), (6, 6)], ["single", "parry guard"])
    assert [event.came for event in hit.events if isinstance(event, Answered)] == ["thinned out"]


@pytest.mark.parametrize(("left", "asked"), [(2, True), (1, True), (0, False)])
def test_a_parry_takes_an_action(left, asked):
    scene = pair(armed(damage=10), guarded_by("shield"))
    two = scene.unit("Two")
    scene = scene.change("Two", used=two.used + actions_left(RULES, two) - left)
    faces = [(4, 1), (3, 1), (6, 6)] if asked else [(4, 1), (3, 1), (3,)]
    hit = do(scene, "One", "fire gun:Two", faces, ["single", "parry guard"] if asked else ["single"])
    assert any(isinstance(event, Answered) for event in hit.events) is asked


@pytest.mark.parametrize(("at", "asked"), [((6, 5), True), ((7, 5), True), ((8, 5), False)])
def test_a_shield_with_an_area_covers_as_far_as_its_radius(at, asked):
    ward = unit("Three", "blue", at, facing=3, design=guarded_by("energy shield all", "area effect 2"))
    on = replace(ward, arms=(ward.arms[0], replace(ward.arms[1], switched=True)))
    scene = battle(*pair(armed(damage=10)).units, on)
    faces = [(4, 1), (3, 1), (6, 6)] if asked else [(4, 1), (3, 1), (3,)]
    hit = do(scene, "One", "fire gun:Two", faces, ["single", "parry guard of Three"] if asked else ["single"])
    assert hit.outcome.unit("Three").used == (1 if asked else 0)


@pytest.mark.parametrize(("worn", "then"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_a_shield_at_rest_regains_one_point_a_round_and_no_more_than_it_had(worn, then):
    scene = pair(armed(), guarded_by("energy shield all"))
    two = scene.unit("Two")
    hurt = scene.put(two.with_arm(1, replace(two.arms[1], worn=worn)))
    assert script(shields_recover(RULES, hurt)).outcome.unit("Two").arms[1].worn == then
    broken = scene.put(two.with_arm(1, replace(two.arms[1], worn=worn, broken=True)))
    assert script(shields_recover(RULES, broken)).outcome == broken


# --- areas (line 4957) ---------------------------------------------------------------------------------------------------------------


def shelled(place=None, damage=4, radius=1, near=(5, 6), faces=((4, 1), (3, 1), (2, 1))):
    """A shell on Two, with Three not far off: who was struck, and for how much. Three defends first."""
    three = unit("Three", "blue", near, facing=3)
    scene = battle(*pair(armed(f"area effect {radius}", damage=damage)).units, three, **({"place": place} if place else {}))
    played = do(scene, "One", "fire gun:Two", list(faces))
    return {
        event.struck: next((reason.value for reason in event.reasons() if reason.label == "damage"), None)
        for event in played.events
        if isinstance(event, Struck)
    }


@pytest.mark.parametrize(("defense", "damage"), [((6, 6), 4), ((6, 1), 4), ((5, 1), 4), ((4, 1), 8), ((3, 1), 12)])
def test_everybody_in_an_area_defends_alone_and_takes_the_damage_once_at_least(defense, damage):
    """Against an attack of 3 Two has three less than it shows, Three, whom it strikes from behind, five less: 6 and 6 are a margin of 1."""
    assert shelled(faces=((4, 1), (6, 6), defense)) == {"Three": 4, "Two": damage}
    assert shelled(faces=((4, 1), (6, 1), defense)) == {"Three": 8, "Two": damage}


@pytest.mark.parametrize(("at", "hit"), [((5, 6), True), ((5, 7), True), ((5, 8), False)])
def test_an_area_reaches_as_many_hexes_as_its_radius_and_no_more(at, hit):
    faces = ((2, 1), (5, 1), (5, 1)) if hit else ((2, 1), (5, 1))
    assert ("Three" in shelled(radius=2, near=at, faces=faces)) is hit


@pytest.mark.parametrize(("air", "damage"), [(1, 8), (0, 4)])
def test_the_concussion_is_the_damage_and_half_of_it_without_air(air, damage):
    found = shelled(place=Place(atmosphere=air), damage=8, faces=((2, 1), (6, 6), (6, 6)))
    assert found == {"Two": damage, "Three": damage}
