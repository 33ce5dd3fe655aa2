"""Spacecraft in a battle (book lines 4598-4653)."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.silhouette.battle.steered import RULES, battle_of, do, keys, over, told

from rulewright.field.geometry import hexes
from rulewright.play import script
from rulewright.systems.silhouette.battle.movement.movement import points_left, reach_of, route
from rulewright.systems.silhouette.battle.rounds import act
from rulewright.systems.silhouette.gunnery.attacks import hexes_for_defense
from rulewright.systems.silhouette.maneuver.air.flight_paths import drift_point, pushed
from rulewright.systems.silhouette.maneuver.ground_paths import places
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.settings import BOOK

parts = st.integers(-4, 4)


def test_a_craft_goes_by_its_vector_without_thrust() -> None:
    """Line 4614."""
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    there = drift_point(battle.unit("Thorn").spot, Vector(0, 0, 2))
    after = do(battle, "drift on").outcome.unit("Thorn")
    assert ((int(after.x), int(after.y)), after.course.drifted, after.course.burned) == (there, True, 0)
    assert "drift on" not in keys(battle.put(after), "Thorn")


def test_thrust_changes_the_vector_and_burns_a_point_each() -> None:
    """Lines 4624, 4647."""
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    there = drift_point(battle.unit("Thorn").spot, Vector(0, 3, 2))
    after = do(battle, f"@{there[0]},{there[1]}/1").outcome.unit("Thorn")
    assert (after.course.vector, after.course.burned, after.spent, after.hexes) == ((0, 3, 2), 3, 3, 3)
    top = battle.put(replace(battle.unit("Thorn"), speed="top"))
    after = do(top, f"@{there[0]},{there[1]}/1").outcome.unit("Thorn")
    assert after.course.burned == 6


@given(parts, parts, parts, parts, parts)
@settings(max_examples=60)
def test_the_new_vector_drifts_where_the_thrust_was_meant_to_lead_and_costs_the_distance(x: int, y: int, z: int, dq: int, dr: int) -> None:
    before = Vector(x, y, z)
    here = drift_point((20.0, 20.0), before)
    q, r = hexes.axial(here)
    there = hexes.by_column((q + dq, r + dr))
    after = pushed(before, here, there)
    assert drift_point((20.0, 20.0), after) == there
    spent = abs(after.x - before.x) + abs(after.y - before.y) + abs(after.z - before.z)
    assert spent == hexes.distance(here, there)


def test_a_craft_can_be_wherever_its_thrust_leads_and_nowhere_else() -> None:
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    unit = battle.unit("Thorn")
    middle = drift_point(unit.spot, Vector(0, 0, 2))
    found = places(reach_of(RULES, battle, unit))
    assert max(hexes.distance(middle, spot) for spot in found) == points_left(battle, unit) == 8
    assert all(cost == hexes.distance(middle, spot) for spot, cost in found.items())


def test_turning_costs_by_maneuver() -> None:
    """Lines 4634-4641: at +1 the first hexside is free, and more cost a point."""
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    unit = battle.unit("Thorn")
    there = drift_point(unit.spot, Vector(0, 0, 2))
    costs = []
    for facing in (1, 2, 3, 4):
        found = route(RULES, battle, unit, (float(there[0]), float(there[1])), facing=facing)
        assert found is not None
        costs.append(found.cost)
    # without gravity the Needle's Maneuver of +1 is one worse
    assert costs == [0, 0, 1, 2]


def test_an_empty_tank_only_drifts() -> None:
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    unit = battle.unit("Thorn")
    empty = replace(unit, course=replace(unit.course, burned=600))
    assert set(places(reach_of(RULES, battle.put(empty), empty))) == {drift_point(unit.spot, Vector(0, 0, 2))}


def test_movement_points_count_for_the_defense_in_space() -> None:
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    there = drift_point(battle.unit("Thorn").spot, Vector(0, 3, 2))
    after = do(battle, f"@{there[0]},{there[1]}/1").outcome
    assert hexes_for_defense(RULES, after, after.unit("Thorn"), False) == 3


def test_who_says_nothing_drifts_at_the_end_of_the_round_and_off_the_map_for_good() -> None:
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    played = over(battle)
    unit = played.outcome.unit("Thorn")
    assert (int(unit.x), int(unit.y)) == drift_point(battle.unit("Thorn").spot, Vector(0, 0, 2))
    fast = battle.put(replace(battle.unit("Thorn"), course=replace(battle.unit("Thorn").course, vector=(90, 0, 0))))
    gone = over(fast)
    assert gone.outcome.unit("Thorn").gone
    assert any("off the map" in line for line in told(gone))


def test_thrust_only_ahead_where_the_campaign_says_so() -> None:
    rules = BOOK.ruleset(settings={"thrust-direction": "only ahead"})
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    unit = battle.unit("Thorn")
    middle = drift_point(unit.spot, Vector(0, 0, 2))
    beside = hexes.neighbour(hexes.neighbour(middle, 0), 1)
    assert beside not in places(reach_of(rules, battle, unit))
    assert beside in places(reach_of(RULES, battle, unit))
    assert script(act(rules, battle), [], ["drift on"]).outcome.unit("Thorn").course.drifted


def test_overthrust_is_declared_after_all_thrust_is_used() -> None:
    battle = battle_of("two-ships", "Thorn", "Thorn", "Lucky Find")
    unit = battle.unit("Thorn")
    used = battle.put(replace(unit, spent=8, points=8, moved=True, course=replace(unit.course, drifted=True)))
    assert "overthrust" in keys(used, "Thorn")
    assert do(used, "overthrust").outcome.unit("Thorn").shifting == "top"
    assert "overthrust" not in keys(battle.put(replace(unit, spent=7, moved=True)), "Thorn")
