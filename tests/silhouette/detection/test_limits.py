"""Where the limits of seeing and being found lie on a map: at each, one below, one above (book lines 4699-4800, 5208-5216, 9088, 9549)."""

import pytest
from msgspec.structs import replace

from rulewright.field.ground import Region
from rulewright.play import script
from rulewright.systems.silhouette.detection.active import bands_beyond, boosted_range, sweep_pool, sweep_test
from rulewright.systems.silhouette.detection.concealment import Light, Watched, Watcher, concealment, detection, watched_of
from rulewright.systems.silhouette.detection.line_of_sight import Hex, Lay, blocked, obscurement
from rulewright.systems.silhouette.detection.messages import jams_over, ordered, sent
from rulewright.systems.silhouette.detection.night import heard_at, searchlight_arc, speed_at_night
from rulewright.systems.silhouette.detection.sight import (
    covers,
    fired,
    height_of,
    is_lit,
    kilometres,
    lay,
    light_of,
    look,
    sensor_base,
    sensor_rating,
    sensor_reach,
    smoke_between,
    watched,
    watcher_of,
)
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.units.state import Place
from rulewright.systems.silhouette.units.visible_traits import Cloud, Jam, Scars, Signs
from silhouette.battles import COMMS, GUN, RULES, battle, hexes, unit, vehicle

SENSORS = Fitted("sensors", 1, variant="standard", amount=2)
LAMP = Fitted("searchlight", variant="fixed", amount=200)


def seeing(**changes):
    return vehicle(perks=(COMMS, SENSORS), **changes)


def two(apart=4, first=None, second=None, ground=None, place=None, scars=None, **state):
    """One at a place and Two so many hexes to its east."""
    units = unit(design=first, **state), unit("Two", "blue", (5 + apart, 5), design=second)
    return battle(*units, ground=ground, place=place, scars=scars or Scars())


# --- lines and levels (lines 4707-4711, 4728) --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heights", "own", "theirs", "why"),
    [
        ((), 0, 0, ""),
        ((0, 0, 0), 0, 0, ""),
        ((0, 1, 0), 0, 0, "higher ground between"),
        ((0, 1, 0), 1, 0, ""),
        ((0, 2, 0), 1, 0, "higher ground between"),
        ((1, 0, 0), 0, 1, "higher ground next to the observer"),
        ((1, 0, 0), 1, 1, ""),
        ((0, 0, 1), 1, 0, "higher ground next to the target"),
        ((0, 0, 1), 0, 1, ""),
        ((1, 0, 0), 1, 0, ""),
    ],
)
def test_higher_ground_than_both_and_a_rise_next_to_either_stop_the_line(heights, own, theirs, why):
    steps = tuple([(Hex(0, level),) for level in heights])
    assert blocked(RULES, Lay(own, theirs, Hex(), steps, len(heights) + 1)).value == why


@pytest.mark.parametrize(("own", "level", "counts"), [(0, 0, 3), (1, 0, 2), (1, 1, 3), (1, 2, 3)])
def test_from_above_only_what_lies_as_high_as_the_higher_hides_beside_the_targets_hex(own, level, counts):
    between = ((Hex(1, level, "woodland"),),)
    assert obscurement(RULES, Lay(own, 0, Hex(2, 0, "jungle"), between, 2)).value == counts


@pytest.mark.parametrize(("cover", "more"), [(1, 0), (2, 1), (3, 1)])
def test_a_low_profile_is_worth_one_from_a_cover_of_two_on(cover, more):
    ground = Lay(target=Hex(cover), hexes=1)
    low, plain = [concealment(RULES, ground, Watched(size=6, low_profile=each)).value for each in (True, False)]
    assert low - plain == more


@pytest.mark.parametrize(
    ("level", "wet", "altitude", "height"),
    [(0, False, 0, 0), (2, False, 0, 2), (2, False, 3, 5), (-3, True, 0, 0), (-3, True, -2, -2), (-2, False, 0, -2)],
)
def test_a_unit_is_as_high_as_its_ground_and_it_flies_above_it_and_as_deep_as_it_dives(level, wet, altitude, height):
    there = Region(box=(5, 5, 1, 1), terrain="deep water" if wet else "clear", level=level)
    one = battle(unit(altitude=altitude), ground=hexes(there))
    assert height_of(RULES, one, one.unit("One")) == height


# --- distance (lines 4709, 4743) ---------------------------------------------------------------------------------------------------


def test_a_hex_is_fifty_metres_of_a_battle():
    scene = two(20 - 6)
    assert kilometres(scene, (0.0, 0.0), (0.0, 10.0)) == pytest.approx(0.5)
    assert light_of(scene, scene.unit("One")) == Light(False, False, True, 50)


def test_sensors_reach_their_base_range_doubled_as_often_as_it_was_boosted_and_an_array_beyond_it():
    one = unit(design=seeing())
    scene = battle(one)
    base = sensor_base(one)
    assert base == 2
    boosted = replace(one, signs=Signs(boosted=2, array=3))
    assert [sensor_reach(RULES, scene, each) for each in (one, boosted)] == [base, 4 * base + 3]
    assert watcher_of(RULES, scene, one).reach == 40
    assert watcher_of(RULES, scene, boosted).reach == 220
    assert watcher_of(RULES, battle(unit()), unit()).reach == 0


@pytest.mark.parametrize(("lost", "rating"), [(0, 1), (1, 0), (4, -3), (5, None)])
def test_damaged_sensors_are_worth_less_and_none_at_minus_five(lost, rating):
    one = unit(design=seeing())
    names = one.machine.auxiliaries
    hurt = replace(one, wear=replace(one.wear, auxiliaries=tuple([lost if name.startswith("sensors") else 0 for name in names])))
    assert sensor_rating(hurt) == rating


@pytest.mark.parametrize("doublings", [-1, 21])
def test_a_range_is_doubled_twenty_times_at_most(doublings):
    with pytest.raises(Exception, match="doubled 0 to 20 times"):
        boosted_range(RULES, 2, doublings)
    assert boosted_range(RULES, 1, 20).value == 2**20
    assert bands_beyond(1, 2**20) == 20
    with pytest.raises(Exception, match="cannot be reached"):
        bands_beyond(1, 2**20 + 1)


def test_what_is_rolled_for_a_sweep_is_less_by_its_doublings_and_more_by_those_of_the_target():
    """Line 4745 and the table after it: -1 for each doubling, +2 for each of the target's."""
    pool = sweep_pool(RULES, Watcher(2, 1, 40), Watched(size=6, boosted=3, emissions=2), bands=2, array=1)
    assert (pool.dice, pool.modifier) == (2, 1 - 2 + 1 + 6 + 2)


@pytest.mark.parametrize(
    ("face", "jam", "found", "jammed"),
    [
        (4, None, True, 0),
        (3, None, False, 0),
        (4, 3, True, 0),
        (4, 4, True, 0),
        (4, 5, False, 1),
        (6, 8, True, 2),
        (5, 7, False, 2),
        (1, 1, False, 1),
        (1, 4, False, 3),
    ],
)
def test_a_sweep_is_held_against_the_jammer_and_against_what_hides_the_target(face, jam, found, jammed):
    """Against 3; what a jammer is missed by is added to that, one at least where the dice fumble."""
    came = script(sweep_test(RULES, Pool(1), 3, jam), [(face,)]).outcome
    assert (came.found, came.jammed) == (found, jammed)


@pytest.mark.parametrize(("hexes_apart", "holds"), [(40, True), (41, False)])
def test_what_active_sensors_found_is_kept_within_their_reach_and_lost_beyond_it(hexes_apart, holds):
    """Two kilometres are forty hexes; the target is too well hidden for anything else."""
    woods = Region(box=(6, 5, 44, 1), terrain="jungle")
    ground = hexes(woods, size=(60, 20))
    scene = two(hexes_apart, seeing(), ground=ground, signs=Signs(found=("Two",)))
    assert bool(look(RULES, scene, scene.unit("One"), scene.unit("Two")).by) is holds
    lost = scene.change("One", signs=Signs())
    assert not look(RULES, lost, lost.unit("One"), lost.unit("Two")).by


def test_sensors_are_no_better_than_eyes_of_four_unless_they_are_above_it():
    assert [detection(RULES, Watcher(skill, 2, 40)).value for skill in (1, 2, 3)] == [4, 4, 5]
    assert [detection(RULES, Watcher(skill, 0, 40), night=True).value for skill in (1, 2, 3)] == [2, 2, 3]


# --- what gives a unit away, and what hides it ------------------------------------------------------------------------------------


def test_every_weapon_that_was_fired_gives_a_unit_away_but_a_stealthy_one():
    quiet = Device("quiet gun", damage=5, range=2, uses=10, perks=("stealth",))
    one = unit(design=vehicle(systems=(GUN, quiet, replace(GUN, name="second gun"))))
    assert fired(one) == 0
    for at, counted in ((0, 1), (1, 1), (2, 2)):
        one = one.with_arm(at, replace(one.arms[at], fired=1))
        assert fired(one) == counted


@pytest.mark.parametrize(("lost", "stealth"), [(0, 3), (1, 2), (3, 0), (4, 0), (5, 0)])
def test_damaged_stealth_hides_by_what_is_left_of_it(lost, stealth):
    scene = two(4, vehicle(perks=(COMMS, Fitted("stealth", 3))))
    one = scene.unit("One")
    worn = tuple([lost if name.startswith("stealth") else 0 for name in one.machine.auxiliaries])
    one = replace(one, wear=replace(one.wear, auxiliaries=worn))
    assert watched(RULES, scene, one, scene.unit("Two")).stealth == stealth


def test_what_a_unit_shows_of_itself_is_what_it_was_built_with_and_has_done():
    built = vehicle(flaws=(Fitted("large sensor profile", 2), Fitted("trackable emissions", 3)), perks=(COMMS, Fitted("low profile")))
    scene = two(4, built, hexes=3, signs=Signs(boosted=2, painted=1, hull_down=2, prone=True))
    shown = watched(RULES, scene, scene.unit("One"), scene.unit("Two"))
    assert shown == Watched(
        size=6, walker=True, prone=True, hull_down=2, low_profile=True, sensor_profile=2, emissions=3, moved=3, boosted=2, painted=1
    )
    assert watched_of(scene.unit("One").machine) == Watched(size=6, low_profile=True, sensor_profile=2, emissions=3)


@pytest.mark.parametrize(("radius", "covered"), [(0, 1), (1, 3), (2, 5)])
def test_smoke_hides_two_in_every_hex_that_it_covers(radius, covered):
    """Line 9549; between One and Two, four hexes apart, lie three, and the hex of Two counts too."""
    cloud = Cloud(spot=(7.0, 5.0), kind="smoke", radius=radius)
    scene = two(4, scars=Scars(clouds=(cloud,)))
    one, other = scene.unit("One").spot, scene.unit("Two").spot
    assert smoke_between(scene, one, other) == (2 * min(covered, 4), 0)
    assert smoke_between(scene, one, one) == (0 if radius < 2 else 2, 0)
    assert covers(scene, (7.0, 5.0), radius, (7.0 + radius, 5.0))
    assert not covers(scene, (7.0, 5.0), radius, (8.0 + radius, 5.0))


def test_where_both_kinds_of_smoke_lie_the_hot_one_counts():
    clouds = Cloud(spot=(7.0, 5.0), kind="smoke", radius=1), Cloud(spot=(7.0, 5.0), kind="hot smoke")
    scene = two(4, scars=Scars(clouds=clouds))
    assert smoke_between(scene, scene.unit("One").spot, scene.unit("Two").spot) == (4, 2)


# --- light (lines 5208-5216, 9088) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("apart", "shone_on"), [(1, True), (4, True), (5, False)])
def test_a_searchlight_of_two_hundred_metres_lights_four_hexes(apart, shone_on):
    lamp = vehicle(perks=(COMMS, LAMP))
    scene = battle(
        unit(design=lamp, facing=0, at=(5, 10), signs=Signs(searchlight=True)),
        unit("Two", "blue", (5, 10 - apart)),
        place=Place(night=True),
    )
    assert is_lit(RULES, scene, scene.unit("Two")) is shone_on
    assert is_lit(RULES, scene, scene.unit("One"))  # which gives its bearer away
    dark = scene.change("One", signs=Signs())
    assert not is_lit(RULES, dark, dark.unit("Two"))


def test_a_searchlight_shines_straight_ahead_unless_it_swivels():
    def arc(lamp):
        return searchlight_arc(RULES, unit(design=vehicle(perks=(COMMS, lamp))).machine)

    assert arc(LAMP) == (0, 60)
    assert arc(replace(LAMP, variant="swivel")) == (0, 180)
    assert arc(replace(LAMP, variant="swivel", on="right")) == (90, 180)
    assert searchlight_arc(RULES, unit().machine) is None


@pytest.mark.parametrize(("stealth", "metres"), [(0, 2000), (1, 2000), (2, 1000), (4, 500)])
def test_stealth_divides_how_far_a_vehicle_is_heard(stealth, metres):
    assert heard_at(RULES, stealth=stealth).value == metres
    assert heard_at(RULES, stealth=stealth, air=False).value == 0


@pytest.mark.parametrize(("speed", "metres"), [(0, 0), (1, 0), (2, 1000), (3, 1000)])
def test_a_ship_is_heard_from_two_movement_points_on(speed, metres):
    assert heard_at(RULES, "naval", speed=speed).value == metres


@pytest.mark.parametrize(("points", "left"), [(1, 0), (6, 3), (7, 3)])
def test_in_the_dark_half_the_speed_is_left_rounded_down(points, left):
    assert speed_at_night(points, night=True, sensors=False).value == left
    assert speed_at_night(points, night=False, sensors=False).value == points


# --- messages (lines 4792, 4800) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reach", "jammed"), [(0.15, False), (0.2, True)])
def test_a_jammer_is_heard_as_far_as_it_reaches(reach, jammed):
    scene = two(4, scars=Scars(jammers=(Jam("Two", "jam communications", 4, reach),)))
    assert bool(jams_over(scene, "jam communications", scene.unit("One").spot)) is jammed
    assert not jams_over(scene, "degrade sensors", scene.unit("One").spot)


@pytest.mark.parametrize(
    ("rating", "lost", "face", "through"), [(0, 0, 4, False), (0, 0, 5, True), (1, 0, 4, True), (1, 1, 4, False), (1, 1, 5, True)]
)
def test_a_message_is_sent_with_the_rating_of_the_set_and_without_what_it_has_lost(rating, lost, face, through):
    scene = two(
        4, vehicle(perks=(Fitted("communications", rating, amount=10),)), scars=Scars(jammers=(Jam("Two", "jam communications", 4, 9),))
    )
    one = scene.unit("One")
    worn = tuple([lost if name.startswith("communications") else 0 for name in one.machine.auxiliaries])
    scene = scene.put(replace(one, wear=replace(one.wear, auxiliaries=worn)))
    friend = replace(unit("Three"), x=6.0)
    skilled = scene.unit("One")
    dice = watcher_of(RULES, scene, skilled).information_warfare
    came = script(sent(RULES, scene.put(skilled), skilled, friend), [(face,) * max(1, dice)] if dice == 1 else [(face, *[1] * (dice - 1))])
    assert came.outcome is through


def test_nothing_jams_what_is_said_aboard_or_where_nobody_jams():
    jammed = two(4, scars=Scars(jammers=(Jam("Two", "jam communications", 4, 9),)))
    one = jammed.unit("One")
    assert script(sent(RULES, jammed, one, one), []).outcome
    plain = two(4)
    assert script(sent(RULES, plain, plain.unit("One"), plain.unit("Two")), []).outcome
    assert script(ordered(RULES, plain, plain.unit("One")), []).outcome


def test_the_ground_between_two_units_is_as_long_as_it_is_far():
    scene = two(4)
    found = lay(RULES, scene, scene.unit("One"), scene.unit("Two"))
    assert (found.hexes, len(found.between), found.level, found.target_level) == (4, 3, 0, 0)


@pytest.mark.parametrize("perk", ["stealth", "holofield"])
@pytest.mark.parametrize("rating", [0, 1, 3])
def test_stealth_and_holofields_hide_by_their_rating_and_one_of_nothing_not_at_all(perk, rating):
    assert getattr(watched_of(unit(design=vehicle(perks=(COMMS, Fitted(perk, rating)))).machine), perk) == rating
