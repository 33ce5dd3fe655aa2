"""A machine that is destroyed (book lines 5016-5024, 5071)."""

from msgspec.structs import replace

from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.units.units import Unit


def overkilled(rules: Ruleset, unit: Unit) -> Play[Unit]:
    """Three times the Armor: nothing is left of the machine."""
    yield from Tell(Broken(unit.name, "is destroyed"))
    return replace(unit, wear=replace(unit.wear, destroyed="overkill"))
