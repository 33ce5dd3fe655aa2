"""Submarines in a battle (book lines 4462-4487)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.battle.steered import RULES, battle_of, do, keys, over, told

from rulewright import library
from rulewright.errors import UserError
from rulewright.field.ground import Ground, Region
from rulewright.systems.silhouette.battle.movement.movement import least_points, points_left
from rulewright.systems.silhouette.battle.movement.watercraft import bottom, safe_depth
from rulewright.systems.silhouette.machines.vehicle import Fitted
from rulewright.systems.silhouette.maneuver.course_limits import hidden_from
from rulewright.systems.silhouette.maneuver.terrain import cost_table

SUB = "Eelgrass"


def _alone(**fields):
    return battle_of("sub-hunt", SUB, SUB, "Stormgull", **fields)


def test_a_level_costs_two_points_and_the_bottom_is_the_end() -> None:
    battle = _alone(last=4)
    down = do(battle, "dive", 2).outcome.unit(SUB)
    assert (down.altitude, down.spent) == (-4, 4)
    deep = _alone(altitude=-8, last=4)
    assert "dive" not in keys(deep, SUB)
    assert "rise" in keys(deep, SUB)


def test_inertia_bounds_what_may_be_spent() -> None:
    """Line 4474: Size 15 has an Inertia of 5."""
    battle = _alone(last=0)
    assert points_left(battle, battle.unit(SUB)) == 4  # its Combat Speed is less than 5
    fast = _alone(last=9, speed="combat")
    assert least_points(fast, fast.unit(SUB)) == 4


def test_crash_braking_is_offered_where_it_helps_and_is_heard() -> None:
    battle = _alone(last=7)
    unit = battle.unit(SUB)
    heavy = battle.put(replace(unit, machine=replace(unit.machine, size=85)))  # Inertia 1: from 6 to 8, braking from 5
    assert "crash-brake" in keys(heavy, SUB) or points_left(heavy, heavy.unit(SUB)) < 6
    quick = replace(heavy.unit(SUB), machine=replace(heavy.unit(SUB).machine, ways=(replace(unit.machine.ways[0], combat=12, top=24),)))
    battle = heavy.put(quick)
    assert least_points(battle, quick) == 6
    braked = do(battle, "crash-brake").outcome
    assert least_points(braked, braked.unit(SUB)) == 5
    assert braked.unit(SUB).course.noise == 1


def test_flushed_tanks_lift_three_levels_a_round_and_then_no_dive() -> None:
    """Line 4466."""
    battle = _alone(altitude=-5)
    flushed = do(battle, "emergency surfacing").outcome
    up = over(flushed).outcome
    assert up.unit(SUB).altitude == -2
    out = over(replace(up, phase="activation")).outcome
    assert (out.unit(SUB).altitude, out.unit(SUB).course.surfacing, out.unit(SUB).course.flushed) == (0, False, 60)
    again = replace(out, phase="activation", active=SUB)
    assert "dive" not in keys(again, SUB)


def test_pressure_below_the_safe_depth() -> None:
    """Lines 4468-4470: Armor 26 with high pressure is 650 metres, 13 levels; with Armor gone it is less."""
    battle = _alone(altitude=-8)
    unit = battle.unit(SUB)
    assert safe_depth(unit) == 13
    worn = replace(unit, wear=replace(unit.wear, armor=14))
    assert safe_depth(worn) == 6
    played = over(battle.put(worn), faces=[(6, 5), (3,)])  # two levels too deep: 6 against 4, by 2, times 8; the crew is stunned
    assert "Eelgrass is crushed by the pressure: light damage" in told(played)


def test_deep_water_hides_from_whoever_has_no_ears_for_it() -> None:
    battle = _alone()
    assert hidden_from(RULES, battle, battle.unit("Stormgull"), battle.unit(SUB)) == 4
    assert hidden_from(RULES, battle, battle.unit(SUB), battle.unit("Stormgull")) == 0


def test_a_submarine_on_land_or_below_the_bottom_is_refused() -> None:
    with pytest.raises(UserError, match="does not allow naval movement"):
        library.stage("silhouette/sub-hunt", changes={"map.terrain": "clear"})
    with pytest.raises(UserError, match="the bottom"):
        library.stage("silhouette/sub-hunt", changes={"sides.salvors.0.state": {"altitude": -9}})


def test_only_sealed_machines_crawl_on_the_bottom_and_vents_scald_them() -> None:
    """Lines 4382, 4480-4485, 4517."""
    tank = library.stage("silhouette/town-duel").state.unit("Rook")
    costs = cost_table(RULES, tank.machine, "walker")
    assert costs["deep water"] is costs["kelp forest"] is None
    sealed = replace(tank.machine, perks=(*tank.machine.perks, Fitted("hostile environment: pressure")))
    costs = cost_table(RULES, sealed, "walker")
    assert [costs[name] for name in ("water", "clear bed", "mud bed", "kelp forest", "thermal vents")] == [2, 2, 3, 3, 2]
    sub = battle_of("sub-hunt", SUB).unit(SUB)
    below = cost_table(RULES, sub.machine, "submarine")
    assert [below[name] for name in ("deep water", "kelp forest", "thermal vents")] == [1, 2, 2]


def test_water_200_metres_deep_has_depths_0_to_4() -> None:
    """Line 4464: a level for every 50 metres, and the bed is the last of them."""
    ground = Ground(grid="hexes", cell=50, size=(9, 9), terrain="deep water", regions=(Region(box=(1, 1, 9, 9), level=-4),))
    battle = replace(_alone(altitude=0, x=5.0, y=5.0, last=4), map=ground)
    sub = battle.unit(SUB)
    assert bottom(battle, sub.spot) == 4
    assert "dive" in keys(battle.put(replace(sub, altitude=-3)), SUB)
    assert "dive" not in keys(battle.put(replace(sub, altitude=-4)), SUB)
