"""What the terrains of a map do in a battle of machines: Movement Points and Obscurement."""

from rulewright.field.map_strokes import GroundEffect
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.maneuver.terrain import TerrainRow, terrains

_MOVEMENTS = ("walker", "ground", "hover", "naval", "submarine", "rail")


def ground_effects(rules: Ruleset) -> dict[str, GroundEffect]:
    """Returns each terrain with its costs; a movement type that cannot enter is left out."""
    return {name: _effect(row) for name, row in terrains(rules).items() if name}


def _effect(row: TerrainRow) -> GroundEffect:
    costs = [f"{movement} {cost}" for movement in _MOVEMENTS if (cost := getattr(row, movement)) is not None]
    hides = f" Obscurement {row.obscurement}." if row.obscurement else ""
    return GroundEffect(f"Movement Points: {', '.join(costs) or 'impassable'}.{hides}", "sil-5.2.1-terrain-costs")
