"""Aircraft in a battle (book lines 4489-4596)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.battle.steered import RULES, battle_of, do, keys, over, over_by_chance, told

from rulewright import library
from rulewright.errors import UserError
from rulewright.field.geometry import hexes
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.battle.movement.movement import points_left, route, turning_radius
from rulewright.systems.silhouette.maneuver.course_limits import apart, hidden_from, ranges_here, strange_place
from rulewright.systems.silhouette.maneuver.speeds import load_mod

ONE = "Kestrel One"


def _alone(**fields):
    return battle_of("dogfight", ONE, ONE, "Shrike", **fields)


def test_a_level_up_costs_three_points_and_a_level_down_one() -> None:
    """Line 4499."""
    up = do(_alone(), "climb", 2)
    unit = up.outcome.unit(ONE)
    assert (unit.altitude, unit.spent, points_left(up.outcome, unit)) == (10, 6, 14)
    assert f"{ONE} climbs to level 10" in told(up)
    down = do(up.outcome, "descend", 3).outcome.unit(ONE)
    assert (down.altitude, down.spent, down.course.down) == (7, 9, 3)


def test_every_hex_costs_one_point_whatever_lies_below() -> None:
    battle = _alone(x=16.0, y=12.0, facing=1)
    found = route(RULES, battle, battle.unit(ONE), (20.0, 10.0), facing=1)
    assert found is not None
    assert (found.cost, found.hexes) == (4, 4)


@pytest.mark.parametrize(("maneuver", "radius"), [(0, 1), (1, 2), (3, 4)])
def test_an_aircraft_flies_its_radius_before_each_hexside(maneuver: int, radius: int) -> None:
    """Lines 4507-4511: at 20 points the radius is 1 and a hex for each point of negative Maneuver."""
    battle = _alone()
    unit = battle.unit(ONE)
    unit = replace(unit, wear=replace(unit.wear, maneuver=maneuver))
    battle = battle.put(unit)
    assert turning_radius(RULES, battle, unit) == radius
    here = (int(unit.x), int(unit.y))
    there = here
    for step in range(1, radius + 1):
        there = hexes.neighbour(there, unit.facing)
        found = route(RULES, battle, unit, (float(there[0]), float(there[1])), facing=(unit.facing + 1) % 6)
        cheap = found is not None and found.cost == step
        assert cheap == (step >= radius)


def test_top_speed_turns_wider_and_slow_flight_tighter() -> None:
    battle = _alone(speed="top")
    assert turning_radius(RULES, battle, battle.unit(ONE)) == 2
    slow = _alone(points=5)
    assert turning_radius(RULES, slow, slow.unit(ONE)) == 0


def test_a_tight_turn_is_tested_by_pilot_and_body() -> None:
    """Line 4513: radius 1 and no hex flown: against 4, and Fitness with acceleration protection."""
    battle = _alone()
    played = do(battle, "tight turn to starboard", faces=[(4, 2, 1), (3, 2)])
    unit = played.outcome.unit(ONE)
    assert (unit.facing, unit.stunned, unit.course.straight) == (2, 0, 0)
    assert all(holds(reason) for event in played.events for reason in event.reasons())
    failed = do(battle, "tight turn to starboard", faces=[(3, 2, 2), (1,), (6,), (2, 3)])  # 3 against 4: the die and 1, a sideslip
    unit = failed.outcome.unit(ONE)
    assert (unit.facing, unit.hexes, unit.course.slips) == (1, 1, 1)
    faint = do(battle, "tight turn to port", faces=[(4, 2, 1), (1, 1)]).outcome
    assert faint.unit(ONE).course.dazed
    assert points_left(faint, faint.unit(ONE)) == 0


def test_a_sideslip_keeps_the_heading_and_the_sixth_costs_a_level() -> None:
    """Lines 4515-4519."""
    battle = _alone()
    for _ in range(5):
        battle = do(battle, "slip to starboard").outcome
    unit = battle.unit(ONE)
    assert (unit.facing, unit.spent, unit.altitude) == (1, 5, 8)
    assert do(battle, "slip to starboard").outcome.unit(ONE).altitude == 7


def test_done_is_not_offered_below_the_stall_speed() -> None:
    battle = _alone()
    assert "done" not in keys(battle, ONE)
    assert "done" in keys(_alone(spent=6, points=20, moved=True, hexes=6), ONE)


def test_who_ends_the_round_too_slow_falls_and_may_catch_it() -> None:
    """Lines 4527-4529: 21 levels a round, then Piloting against 6."""
    slow = over(_alone(spent=5, points=20, moved=True, altitude=30, done=True), faces=[])
    unit = slow.outcome.unit(ONE)
    assert (unit.course.falling, unit.altitude) == (1, 30)
    assert not points_left(slow.outcome, unit)
    fell = over(replace(slow.outcome, phase="activation"), faces=[(3, 4, 5)])
    unit = fell.outcome.unit(ONE)
    assert (unit.altitude, unit.course.falling, unit.course.lost) == (9, 2, 21)
    caught = over(replace(slow.outcome, phase="activation"), "face south", faces=[(6, 6, 6)]).outcome.unit(ONE)
    assert (caught.course.falling, caught.facing, caught.altitude) == (0, 3, 9)


def test_who_falls_to_the_ground_takes_two_dice_times_size_times_levels() -> None:
    """Line 4531: Size 10, 8 levels, a 1 on the dice is 80, far above three times the Armor."""
    battle = _alone(altitude=8)
    unit = replace(battle.unit(ONE), machine=replace(battle.unit(ONE).machine, perks=()))  # no ejection seat
    falling = battle.put(replace(unit, course=replace(unit.course, falling=1)))
    played = over_by_chance(falling)
    assert played.outcome.unit(ONE).destroyed
    assert "Kestrel One hits the ground: overkill" in told(played)


def test_half_the_combat_speed_down_is_a_dive_that_must_be_pulled_out_of() -> None:
    """Lines 4521-4523."""
    battle = _alone(altitude=40)
    dived = do(battle, "descend", 10).outcome
    dived = dived.put(replace(dived.unit(ONE), done=True))
    out = over(dived, "face north", faces=[(4, 2, 1)]).outcome.unit(ONE)
    assert (out.altitude, out.facing, out.course.dive) == (30, 0, 0)
    on = over(dived, faces=[(3, 2, 2)]).outcome
    assert (on.unit(ONE).course.dive, on.unit(ONE).altitude) == (10, 30)
    lower = over(replace(on, phase="activation"), faces=[(3, 2, 2)]).outcome.unit(ONE)
    assert lower.altitude == 20
    pulled = over(replace(on, phase="activation"), "face north", faces=[(6, 2, 2)]).outcome.unit(ONE)
    assert (pulled.altitude, pulled.course.dive) == (20, 0)


def test_a_dive_below_the_ground_destroys() -> None:
    battle = _alone(altitude=5)
    unit = replace(battle.unit(ONE), machine=replace(battle.unit(ONE).machine, perks=()))
    diving = battle.put(replace(unit, course=replace(unit.course, dive=9)))
    assert over_by_chance(diving).outcome.unit(ONE).destroyed


def test_without_power_a_craft_that_cannot_glide_falls_and_others_pay_with_speed_or_height() -> None:
    """Lines 4535-4539."""
    battle = _alone(altitude=20, spent=10, moved=True, done=True)
    unit = battle.unit(ONE)
    dead = battle.put(replace(unit, wear=replace(unit.wear, failed=("air",))))
    assert over(dead).outcome.unit(ONE).course.falling == 1  # the interceptor cannot glide
    machine = replace(unit.machine, flaws=())
    glides = battle.put(replace(unit, machine=machine, course=replace(unit.course, glide=10)))
    after = over(glides, 1).outcome.unit(ONE)  # Top Speed 40: three points, one of them a level
    assert (after.course.glide, after.altitude) == (9, 18)
    slow = battle.put(replace(unit, machine=machine, course=replace(unit.course, glide=6)))
    assert over(slow, 2).outcome.unit(ONE).course.falling == 1


def test_landing_wants_combat_speed_even_ground_and_a_strip_for_some() -> None:
    """Lines 4590-4596."""
    battle = _alone(altitude=1, spent=6, hexes=6, moved=True, points=20)
    assert "land" in keys(battle, ONE)
    crash = do(battle, "land", faces=[(5, 1, 1), (2, 3)])  # needs a strip: Piloting against 1, the margin off the dice
    assert "crash-lands" in " ".join(told(crash))
    machine = battle.unit(ONE).machine
    free = battle.put(replace(battle.unit(ONE), machine=replace(machine, flaws=())))
    landed = do(free, "land")
    assert landed.outcome.unit(ONE).course.landed
    assert f"{ONE} lands" in told(landed)


def test_heights_count_in_ranges_and_ground_does_not_hide_what_flies() -> None:
    battle = _alone(x=20.0, y=12.0, altitude=8)
    other = replace(battle.unit("Shrike"), x=23.0, y=12.0, altitude=12)
    battle = battle.put(other)
    assert apart(battle, battle.unit(ONE), other) == 5
    assert hidden_from(RULES, battle, battle.unit(ONE), other) == 0


def test_over_the_map_of_the_ground_aircraft_are_five_times_as_fast_and_shot_at_minus_two() -> None:
    """Lines 4582-4588."""
    staged = library.stage(
        "silhouette/town-duel",
        changes={
            "sides.raiders.0": {"character": "vehicles/kingfisher-gunship", "name": "Rook", "at": [14, 5], "state": {"altitude": 2}},
        },
    )
    battle = staged.state
    gunship, walker = battle.unit("Rook"), battle.unit("Heron One")
    assert points_left(battle, gunship) == 5 * int(gunship.machine.ways[0].combat)
    assert turning_radius(RULES, battle, gunship) == 1  # Maneuver 0, and at least one
    version = walker.version(0)
    assert ranges_here(RULES, battle, walker, gunship, version) == tuple(5 * each for each in version.ranges)
    assert [mod.value for mod in strange_place(RULES, battle, walker, gunship, arm=0, version=version)] == [-2]
    chin = next(at for at in range(len(gunship.arms)) if gunship.arm_name(at) == "chin gun")
    assert [mod.value for mod in strange_place(RULES, battle, gunship, walker, arm=chin, version=gunship.version(chin))] == [0]


def test_an_aircraft_where_it_cannot_be_is_refused() -> None:
    with pytest.raises(UserError, match="altitude must be 1 to 200"):
        library.stage("silhouette/dogfight", changes={"sides.patrol.0.state": {"altitude": 0}})
    with pytest.raises(UserError, match="has no altitude"):
        library.stage("silhouette/town-duel", changes={"sides.patrol.0.state": {"altitude": 3}})


def test_a_load_slows_and_makes_flying_harder() -> None:
    """Lines 4570-4572."""
    battle = _alone()
    unit = battle.unit(ONE)
    for share, points, modifier in ((0.25, 20, 0), (0.3, 20, -1), (0.45, 10, -2)):
        loaded = replace(unit, course=replace(unit.course, load=share * unit.machine.mass))
        assert (points_left(battle.put(loaded), loaded), load_mod(loaded).value) == (points, modifier)


def test_re_entry_burns_what_is_not_made_for_it_and_ends_at_level_twelve() -> None:
    """Lines 4683, 4693-4695."""
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    unit = battle.unit("Thorn")
    burning = battle.put(replace(unit, course=replace(unit.course, reentry=1, vector=(0, 0, 1))))
    played = over(burning, faces=[(2, 1)])  # Intensity 20, a 2: 40 in people's scale, 4 on the hull
    assert "Thorn burns during re-entry: no effect" in told(played)
    assert played.outcome.unit("Thorn").course.reentry == 2
    last = burning.put(replace(unit, course=replace(unit.course, reentry=20, vector=(0, 0, 1))))
    down = over(last, faces=[(2, 1)]).outcome.unit("Thorn")
    assert (down.altitude, down.course.falling, down.course.reentry) == (12, 1, 0)


def test_thrust_above_gravity_flies_and_burns_for_it() -> None:
    """Lines 4574-4576: 16 points of overthrust, ten of which only hold it up under one g."""
    changes = {"sides.patrol.0": {"character": "vehicles/needle-fighter", "name": ONE, "at": [6, 16], "state": {"altitude": 8}}}
    battle = library.stage("silhouette/dogfight", changes=changes).state
    unit = battle.unit(ONE)
    way = unit.moving
    assert way is not None
    assert (unit.way, way.combat, way.top, unit.course.jets) == ("air", 0, 6, True)
    battle = replace(battle.put(replace(unit, spent=3, speed="top")), phase="activation", round=1, active=ONE)
    after = over(battle).outcome.unit(ONE)
    assert after.course.burned == 13
