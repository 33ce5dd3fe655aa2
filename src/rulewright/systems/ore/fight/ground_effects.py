"""What the words for the ground of a map do in a fight: areas that harm, and cover."""

from rulewright.field.map_strokes import GroundEffect
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.cover import Cover, cover_called, cover_words, hidden_heights, hiding_difficulty
from rulewright.systems.ore.fight.map_positions import area_words


def ground_effects(rules: Ruleset) -> dict[str, GroundEffect]:
    """Returns each word for an area or a cover with its effect."""
    effects = {}
    for word in area_words():
        harm = "Killing" if word.endswith("kill") else "Shock"
        dice = count(int(word.split()[1]), "Area die", "Area dice")
        effects[word] = GroundEffect(f"{dice} of {harm} to everybody in it.", "ore-4.12-area")
    for word in cover_words(rules):
        effects[word] = _cover(rules, cover_called(word))
    return effects


def _cover(rules: Ruleset, cover: Cover) -> GroundEffect:
    material = f" It is of {cover.material}." if cover.material else ""
    if rules.on("cover-difficulty"):
        difficulty = hiding_difficulty(rules, cover)
        return GroundEffect(f"Shots at people who hunker down have Difficulty {difficulty}.{material}", "ore-4.11-opt22-cover-difficulty")
    heights = ", ".join([str(height) for height in hidden_heights(rules, cover.name)])
    return GroundEffect(f"Stops shots of Height {heights}.{material}", "ore-4.11-cover")
