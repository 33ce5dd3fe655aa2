"""What the words for the ground of a map do in a fight of people: water, cover and light."""

from rulewright.field.map_strokes import GroundEffect
from rulewright.grammar import signed_range
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.confined_places import DEPTHS, in_water
from rulewright.systems.silhouette.resolution.modifiers import CLOSE, RANGED

_TABLES = (("sil-3.3.2-close-modifiers", CLOSE), ("sil-3.4.1-ranged-modifiers", RANGED))
"""Cover and light, first as they count in close combat; what shots have too counts as for shots."""
_WHAT = {"shoulders": "everything, for those who cannot swim", "over the head": "staying afloat"}


def ground_effects(rules: Ruleset) -> dict[str, GroundEffect]:
    """Returns each word for a depth, cover or light with its effect."""
    effects: dict[str, GroundEffect] = {}
    for depth in DEPTHS:
        modifier = in_water(rules, depth).value
        who = (
            "everything, for those who cannot swim" if depth == "shoulders" else "staying afloat" if depth == "over the head" else "Agility"
        )
        text = f"{signed_range(modifier, modifier)} on {who}." if modifier else "No modifier."
        effects[depth] = GroundEffect(text, "sil-3.3.3-special-circumstances")
    effects["good light"] = GroundEffect("No modifier.", "sil-3.4.1-ranged-modifiers")
    for rule, row in [(rule, row) for rule, table in _TABLES for row in table(rules).values()]:
        changes = [f"{what} {signed_range(value, value)}" for what, value in (("Attack", row.attack), ("Defense", row.defense)) if value]
        text = "Nobody behind it can be hit." if row.safe else f"{', '.join(changes) or 'No modifier'}."
        effects[row.situation] = GroundEffect(text, rule)
    return effects
