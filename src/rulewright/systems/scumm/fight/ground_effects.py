"""What the words for the ground of a map do in a fight (book tables of jumping and of combat modifiers)."""

from rulewright.field.map_strokes import GroundEffect
from rulewright.grammar import signed_range
from rulewright.rules import Ruleset
from rulewright.systems.scumm.action.movement import TERRAINS
from rulewright.systems.scumm.combat.attacks import COMBAT


def ground_effects(rules: Ruleset) -> dict[str, GroundEffect]:
    """Returns each word for terrain, cover or light with its effect."""
    effects = {
        word: GroundEffect(f"A jump from here has Threshold {TERRAINS.of(rules, word)}.", "scumm-jumping") for word in TERRAINS(rules)
    }
    effects["normal"] = GroundEffect("No modifier.", "scumm-combat-modifiers")
    for row in COMBAT(rules).values():
        spans = (("Attack", row.attack), ("Defense", row.defense))
        changes = [f"{what} {signed_range(*span)}" for what, span in spans if any(span)]
        effects[row.situation] = GroundEffect(f"{', '.join(changes) or 'No modifier'}.", "scumm-combat-modifiers")
    return effects
