"""Starting points for a new creature or race."""

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.creatures.creatures import Creature
from rulewright.systems.silhouette.people.body_plan import NaturalWeapon
from rulewright.systems.silhouette.people.races import Race


def plain_creature(rules: Ruleset) -> Creature:
    """Returns a medium-sized predator."""
    return Creature(
        "Beast",
        concept="a medium-sized predator",
        attributes={"agility": 1, "build": -3, "fitness": 1, "instinct": 0, "perception": 1, "willpower": 0},
        skills={"athletics": 1, "combat sense": 1, "defense": 1, "hand-to-hand": 2},
        weapons=(NaturalWeapon("bite", 3, "stabbing"),),
    )


def plain_race(rules: Ruleset) -> Race:
    """Returns a race that is slightly quicker and less determined than humans."""
    return Race("New race", concept="quicker and less determined than humans", shifts={"agility": 1, "willpower": -1})
