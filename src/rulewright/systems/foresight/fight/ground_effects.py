"""What the words for the ground of a map do in a fight (the book's table of ranged modifiers)."""

from rulewright.field.map_strokes import GroundEffect
from rulewright.grammar import signed_range
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.fighters import COVERS, LIGHTS
from rulewright.systems.foresight.resolution.situations import RANGED


def ground_effects(rules: Ruleset) -> dict[str, GroundEffect]:
    """Returns each word for cover or light with its effect on shots."""
    situations = {"poor": "poor light"}
    effects = {"out of sight": GroundEffect("Nobody behind it can be shot at.", "fs-ranged-modifiers")}
    effects["normal"] = GroundEffect("No modifier.", "fs-ranged-modifiers")
    for word in (*COVERS, *LIGHTS):
        row = RANGED(rules).get(situations.get(word, word))
        if row is not None:
            effects[word] = GroundEffect(f"Shots {signed_range(row.lowest, row.highest)}.", "fs-ranged-modifiers")
    return effects
