"""Stunts in a battle (book lines 6910-6935)."""

from msgspec.structs import replace
from tests.silhouette.battle.steered import battle_of, do, keys, told

from rulewright.systems.silhouette.battle.movement.movement import points_left

TANK = "Rook"


def _driving(**fields):
    battle = battle_of("town-duel", TANK, TANK, "Heron One")
    unit = battle.unit(TANK)
    return battle.put(replace(unit, hexes=5, spent=2, points=6, moved=True, facing=3, **fields))


def test_stunts_are_for_those_under_way() -> None:
    assert "stunt" in keys(_driving(), TANK)
    assert "stunt" not in keys(battle_of("town-duel", TANK), TANK)


def test_a_bootlegger_turns_and_stops() -> None:
    """Maneuver and the speed of 5 hexes (0) count: the walker's figures decide, so the dice are high."""
    played = do(_driving(), "stunt", "Bootlegger 180 left", faces=[(6, 6, 6, 6)[: _dice()]])
    unit = played.outcome.unit(TANK)
    swung = any("swings round" in line for line in told(played))
    assert unit.facing == (0 if swung else 3)
    assert points_left(played.outcome, unit) == 0


def test_a_hard_turn_costs_no_points() -> None:
    played = do(_driving(), "stunt", "Hard Turn right", faces=[(6, 6, 6, 6)[: _dice()]])
    unit = played.outcome.unit(TANK)
    assert (unit.facing, unit.spent, unit.turned) == (5, 2, False)
    assert any("turns hard" in line for line in told(played))


def test_the_gamemaster_says_what_lies_in_the_way_and_a_failure_stops() -> None:
    played = do(_driving(), "stunt", "Avoid Hazard", "Avoid Hazard (large)", faces=[(2, 1, 2, 2)[: _dice()]])
    assert points_left(played.outcome, played.outcome.unit(TANK)) == 0
    fumbled = do(_driving(), "stunt", "Avoid Hazard", "Avoid Hazard (small)", faces=[(1, 1, 1, 1)[: _dice()], (2,), (3,)])
    assert "Rook crashes: light damage" in told(fumbled)


def _dice() -> int:
    unit = battle_of("town-duel", TANK).unit(TANK)
    return unit.crew.skill("piloting").level
