"""Whether one unit has another in sight."""

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


def sees(rules: Ruleset, battle: Battle, one: Unit, other: Unit) -> bool:
    """Whether a unit can affect another: nothing higher or solid lies between them."""
    return battle.field.sight(one.spot, other.spot, rules.word("between-hexes")).open  # type: ignore[arg-type]
