"""What the words for the ground of a map do in a fight (the book's table of environment modifiers)."""

from rulewright.field.map_strokes import GroundEffect
from rulewright.grammar import signed_range
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.fighters import FULL_LIGHT
from rulewright.systems.hybrid.resolution.modifiers import ENVIRONMENT


def ground_effects(rules: Ruleset) -> dict[str, GroundEffect]:
    """Returns each word for surroundings or light with its effect."""
    rule = "hyb-2-environment-modifiers"
    effects = {FULL_LIGHT: GroundEffect("No modifier.", rule)}
    for row in ENVIRONMENT(rules).values():
        effects[row.condition] = GroundEffect(f"Physical actions {signed_range(row.physical, row.physical)}.", rule)
    return effects
